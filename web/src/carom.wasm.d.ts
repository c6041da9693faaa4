/** The module, base64; written by the build. */
declare const base64: string;
export default base64;
