/* What every entry exports besides init. */
export { Carom } from './carom.js';
export type { RayHits, Distances, SweepHits } from './many.js';
export type { CheckOptions } from './check.js';
export { CaromError } from './memory.js';
export { Mesh, Hull, HeightField, Compound, Custom } from './shapes.js';
export type { MeshOptions, HullOptions, HeightFieldOptions, Child, Support } from './shapes.js';
export { World, Broad, Mover, Dynamics } from './world.js';
export type {
  WorldOptions, WorldObject, WorldEvent, WorldRayHit, WorldSweepHit, WorldNear, Query, HitCallback, MoverOptions, MoverSpace,
} from './world.js';
export type {
  Aabb, AabbLike, Api, Batch, BodyDesc, BodyState, BroadDesc, BroadKind, CheckException, CheckFailOn, CheckGroups, CheckPairTolerance, CheckPart, CheckProperty, CheckResult, CheckSeverity, CheckTest, CheckTestKind,
  CheckTestResult, ContactPoint, Finding, FindingKind, FindingLike, Frustum, Kind, Manifold, MotionLike, MoverResult, Pose, PoseLike, Quat,
  QuatLike, RayHit, RayLike, RealArray, Relation, RelationResult, Shape, Status, Step, StepKind, StepVertex, SweepHit, Vec3, Vec3Like, Witness,
  WorldEventKind, WorldHit, WorldStats,
} from './generated/types.js';
export type { Source } from './load.js';
