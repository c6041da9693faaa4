/* The ends of names. */
export const endingOf = (name: string) => /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? '';
/** What a model may refer to; it is no model itself. */
export const isBeside = (name: string) => ['bin', 'mtl', 'png', 'jpg', 'jpeg', 'webp', 'ktx2', 'tga', 'bmp'].includes(endingOf(name));
