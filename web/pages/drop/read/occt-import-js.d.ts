/** What of occt-import-js is used here; it comes without types. */
declare module 'occt-import-js' {
  interface Options { linearUnit: 'millimeter'; linearDeflectionType: 'bounding_box_ratio'; linearDeflection: number; angularDeflection: number }
  interface Body { name?: string; attributes: { position: { array: number[] } }; index: { array: number[] } }
  interface TreeNode { name: string; meshes: number[]; children: TreeNode[] }
  type Read = (bytes: Uint8Array, options: Options) => { success: boolean; root: TreeNode; meshes: Body[] };
  export default function start(options: { locateFile: () => string }): Promise<{ ReadStepFile: Read; ReadIgesFile: Read; ReadBrepFile: Read }>;
}
