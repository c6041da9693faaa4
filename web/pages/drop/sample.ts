/* Two files to try the page with: a housing with four bolts, and a shaft with a collar that cuts into the housing and an
 * end that comes nearer to a bolt than it should. Text STL, in millimetres. */
type Ring = (angle: number) => [number, number];
const round = (radius: number, x = 0, y = 0): Ring => (angle) => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
const square = (half: number): Ring => (angle) => {
  const c = Math.cos(angle), s = Math.sin(angle), scale = half / Math.max(Math.abs(c), Math.abs(s));
  return [c * scale, s * scale];
};

/** What stands between two outlines from z = low to z = high; without an inner one it is full. */
function solid(name: string, outer: Ring, inner: Ring | null, low: number, high: number, count = 64): string {
  const number = (x: number) => String(Number(x.toFixed(4)));
  const facets: string[] = [], at = (ring: Ring, i: number, z: number) => [...ring((i % count) * 2 * Math.PI / count), z].map(number).join(' ');
  const center = (z: number) => [...outer(0), ...outer(Math.PI)].reduce<[number, number, number]>(([x, y], v, i) => (i % 2 ? [x, y + v / 2, z] : [x + v / 2, y, z]), [0, 0, z]).map(number).join(' ');
  const facet = (...corners: string[]) => facets.push(`facet normal 0 0 0\nouter loop\n${corners.map((c) => `vertex ${c}\n`).join('')}endloop\nendfacet\n`);
  const wall = (ring: Ring, out: boolean, i: number) => {
    const [a, b, c, d] = [at(ring, i, low), at(ring, i + 1, low), at(ring, i + 1, high), at(ring, i, high)] as const;
    if (out) facet(a, b, c), facet(a, c, d);
    else facet(a, c, b), facet(a, d, c);
  };
  for (let i = 0; i < count; i++) {
    wall(outer, true, i);
    if (!inner) {
      facet(center(high), at(outer, i, high), at(outer, i + 1, high));
      facet(center(low), at(outer, i + 1, low), at(outer, i, low));
      continue;
    }
    wall(inner, false, i);
    for (const [z, up] of [[low, false], [high, true]] as const) {
      const [a, b, c, d] = [at(outer, i, z), at(outer, i + 1, z), at(inner, i + 1, z), at(inner, i, z)] as const;
      if (up) facet(a, b, c), facet(a, c, d);
      else facet(a, c, b), facet(a, d, c);
    }
  }
  return `solid ${name}\n${facets.join('')}endsolid ${name}\n`;
}

export function sample(): { name: string; bytes: Uint8Array<ArrayBuffer> }[] {
  const bolts = [45, 135, 225, 315].map((angle, i) => {
    const x = 24 * Math.cos(angle * Math.PI / 180), y = 24 * Math.sin(angle * Math.PI / 180);
    return solid(`bolt_${i + 1}`, round(3, x, y), null, 20, 32, 24);
  });
  const file = (name: string, ...solids: string[]) => ({ name, bytes: new TextEncoder().encode(solids.join('')) });
  return [
    file('housing.stl', solid('block', square(30), round(12), -20, 20, 96), ...bolts),
    file('shaft.stl', solid('shaft', round(11.5), null, -50, 45), solid('collar', round(18), round(11.5), 19.4, 25), solid('lever', square(20.9), round(11.5), 32.1, 37)),
  ];
}
