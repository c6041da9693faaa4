import type { Carom } from 'carom';

type Vec3 = [number, number, number];
export interface State { what: 'sphere' | 'box'; start: Vec3; end: Vec3; size: number; wall: Vec3; half: Vec3; frames: number; u: number }

export function ask(cm: Carom, s: State) {
  const { api } = cm;
  const move = api.sub(s.end, s.start), still = [0, 0, 0];
  const wallBox = api.aabbFromCenter(s.wall, s.half);

  const hit = s.what === 'sphere'
    ? api.sweepSphereAabb({ center: s.start, radius: s.size }, move, wallBox, still)
    : api.sweepAabbAabb(api.aabbFromCenter(s.start, [s.size, s.size, s.size]), move, wallBox, still);

  // the same without a sweep: is there an overlap in one of the frames?
  const body = s.what === 'sphere' ? cm.sphere(s.size) : cm.box([s.size, s.size, s.size]);
  const wall = cm.box(s.half), place = { position: s.wall }, motion = { start: { position: s.start }, move };
  const at = (u: number) => {
    const pose = api.motionAt(motion, u);
    return { u, position: pose.position, distance: cm.distance(body, pose, wall, place), overlap: cm.overlap(body, pose, wall, place) };
  };
  const frames = Array.from({ length: s.frames + 1 }, (_, i) => at(i / s.frames));
  const curve = Array.from({ length: 121 }, (_, i) => at(i / 120).distance);
  return { hit, seen: frames.some((frame) => frame.overlap), frames, curve, now: at(s.u), first: hit && at(hit.first), last: hit && at(hit.last) };
}
