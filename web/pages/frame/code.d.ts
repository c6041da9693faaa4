declare module '*?code' {
  const html: string;
  export default html;
}
declare module '*?demos' {
  const sources: Record<string, { theirs: string; ours: string }>;
  export default sources;
}
