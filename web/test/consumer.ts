/* A program of a user's, under tsc --strict. */
import { init, type Shape, type WorldEvent, CaromError } from 'carom';
import { init as double } from 'carom/f64';
import { init as inline } from 'carom/inline';
import { init as threaded, type ThreadOptions } from 'carom/threads';
import { init as threadedDouble } from 'carom/threads-f64';
import { meshOf, poseOf, rayOf, intersect, intersectWorld, instancePosesOf, addInstances, followWorld, DebugLines } from 'carom/three';
import { Mesh, BoxGeometry, Raycaster, InstancedMesh, Scene, type Object3D } from 'three';

const cm = await init(new URL('https://example.org/carom.wasm'));
const ball: Shape = cm.sphere(1);
const pose = { position: [0, 1, 2], rotation: { x: 0, y: 0, z: 0, w: 1 } } as const;
const distance: number = cm.distance(ball, pose, cm.box([1, 1, 1]), null, cm.newWitness());
{
  using world = cm.world({ kind: 'grid', meet: (a, b) => a < b });
  const id: number = world.add({ shape: ball, pose, user: { name: 'ball' } });
  world.setMotion(id, { move: [0, -1, 0] });
  const events: readonly WorldEvent[] = world.update((hit, a, b) => (hit.u > 0.5 && a !== b ? 'go' : 'stop'));
  for (const e of events) if (e.kind === 'began') console.log(e.manifolds[0]?.points[0]?.depth);
}
const mesh = new Mesh(new BoxGeometry());
cm.overlap(meshOf(cm, mesh.geometry, { solid: true }), poseOf(mesh), ball, { position: mesh.position, rotation: mesh.quaternion });
cm.raycast(rayOf(new Raycaster()), ball);
const many = new InstancedMesh(mesh.geometry, mesh.material, 3), scene = new Scene(), crates = cm.world(), lines = new DebugLines(cm, { segments: 8 });
const ids: Uint32Array = addInstances(crates, many, { shape: ball, layer: 2 }), where: Float64Array = instancePosesOf(many, new Float64Array(21));
followWorld(many, crates, ids);
scene.add(lines);
lines.world(crates, { moving: 0xff0000, boxes: null });
lines.boxes(cm.broad(), 0x00ff00);
lines.contacts(cm.contact(ball, null, ball), 0);
const picked: Object3D | null | undefined = intersectWorld(new Raycaster(), crates)[0]?.object, one: InstancedMesh | undefined = intersect(cm, new Raycaster(), ball, many)[0]?.object;
console.log(where, picked, one?.count, crates.role(1) === 'fixed');
cm.api.overlapSphereAabb({ center: mesh.position, radius: 1 }, { min: [0, 0, 0], max: [1, 1, 1] });
const met = new Uint8Array(1), found = cm.check({ parts: [{ shape: cm.mesh({ positions: [] }), name: 'a', properties: [{ key: 'class', value: 'b' }] }], clearance: 0.1, progress: (done, total) => done < total });
cm.overlapMany({ shapes: [ball], poses: new Float32Array(7) }, met);
console.log(found.findings[0]?.result.distance, cm.groupFindings(found.findings, 1).members);
{
  const options: ThreadOptions = { threads: 4, source: new URL('https://example.org/carom.wasm') };
  using some = await threaded(options);
  const threads: number = some.threads;
  console.log(threads, (await threadedDouble()).precision);
}
// @ts-expect-error: not a number of threads
await threaded({ threads: 'four' });
// @ts-expect-error: no such kind
cm.world({ kind: 'octopus' });
// @ts-expect-error: a mesh has positions
cm.mesh({ points: [] });
// @ts-expect-error: is not a shape
cm.overlap({ radius: 1 }, null, ball);
const failed = (error: unknown) => error instanceof CaromError && error.status === 'notFinite';
console.log(distance, failed, await double(), await inline());
