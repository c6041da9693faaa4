declare module '*?code' {
  const html: string;
  export default html;
}
