import type { Carom, Mesh } from 'carom';
import { aimed, land, textbook } from './rays';
import { slide, type Slide } from './slide';

export interface State extends Slide { show: 'rays' | 'body'; rays: number; far: number; bumps: number; seed: number }

export const ask = (cm: Carom, s: State) => ({ rays: s.show === 'rays' ? shoot(cm, s) : null, slide: s.show === 'body' ? slide(cm, s) : null });

let mesh: Mesh | undefined, made = NaN;

function shoot(cm: Carom, s: State) {
  const { positions, indices } = land(s.bumps);
  if (made !== s.bumps) {
    mesh?.dispose();
    mesh = cm.mesh({ positions, indices });
    made = s.bumps;
  }
  const { rays, targets, fans } = aimed(s, positions);

  // all of them at once: seven numbers a ray, its origin, direction and end
  const met = new Uint8Array(s.rays);
  const hits = cm.raycastMany(rays, mesh!, null, { met });

  // the textbook's test of the triangles that meet where a ray is aimed
  const leaks: number[] = [];
  let twice = 0;
  for (let i = 0; i < s.rays; i++) {
    const found = fans[i]!.filter((triangle) => textbook(rays, 7 * i, positions, indices, 3 * triangle)).length;
    if (found === 0) leaks.push(i);
    if (found > 1) twice++;
  }
  const where = (i: number) => Array.from(targets.subarray(3 * i, 3 * i + 3));
  return {
    hits, missed: s.rays - hits, textbook: { missed: leaks.length, met: s.rays - leaks.length, twice }, leaks: leaks.slice(0, 2000).map(where),
    holes: Array.from(met.keys()).filter((i) => !met[i]).map(where), open: mesh!.info.openEdges, triangles: mesh!.info.triangles,
  };
}
