/// carom/world.h: moving objects: contacts that begin, stay and end, hits within the step, and queries by rays, sweeps
/// and shapes.
///
///     cm_world *world;
///     cm_world_create(NULL, &world, NULL);
///     cm_world_object_desc ball = {.shape = cm_make_sphere(cm_v(0, 0, 0), 1), .pose.position = {0, 5, 0}};
///     uint32_t id;
///     cm_world_add(world, &ball, &id, NULL);
///     …
///     cm_motion fall = {.move = {0, -1, 0}};                        // what it moves in the coming step
///     cm_world_set_motion(world, id, &fall);
///     cm_world_update(world, NULL);                                 // once a step
///     cm_world_event_view events;
///     cm_world_get_events(world, &events);                          // begun, stayed, ended; entered, left; hits
///
/// The world knows displacements; dynamics.h has velocities. A step runs over u in [0,1]. Objects that move far for
/// their size are swept, so that nothing tunnels; the others are tested where they end. Const functions may run in any
/// number of threads at once, as long as no other function runs. Equal calls give equal bytes, whatever the tasks and
/// the kind of the broad phase. In steady state nothing is allocated.
#ifndef CAROM_WORLD_H
#define CAROM_WORLD_H

#include "broad.h"
#include "pair.h"
#include "primitives.h"
#include "ray.h"
#include "sweep.h"

CM_EXTERN_BEGIN

/// Objects with shapes and poses. Opaque.
typedef struct cm_world cm_world;

/* --- life ---------------------------------------------------------------------------------------------------- */

/// How to build one; zero fields mean the default, and so does NULL instead of the whole. The default margin keeps a
/// contact alive while one object slides along the other, because a sweep leaves a small gap. It is the sum of a share
/// of each object: 32 CM_REAL_EPSILON of the sum of its coordinates, of its reach from its origin (for a half-space,
/// its d), and of twice its last displacement; in the double build 2e-10 of its reach more. That is at least twice the
/// gap that a sweep leaves (sweep.h), and in float some 1e-5 of the size of objects near the origin. A margin of
/// CM_REAL_MIN, the least positive number, means touching only. Triggers have no margin: they are entered by touching.
typedef struct cm_world_desc {
    cm_broad_kind kind;      /* of the broad phase; 0 = CM_BROAD_AUTO. Never changes answers */
    const cm_allocator *mem; /* NULL = malloc; the struct is copied, its user must outlive the world */
    const cm_tasks *tasks;   /* NULL = serial; copied likewise. Never changes answers */
    uint32_t capacity;       /* objects to make room for at once; more are always welcome */
    uint32_t limit;          /* most objects; 0 = 16,777,215, which is also the most */
    uint32_t pair_limit;     /* most pairs of overlapping boxes; 0 = 16,777,216. See cm_world_update */
    size_t byte_limit;       /* most bytes of pairs, hits, contacts and events; 0 = 2^31 - 1: what any machine has, and
                                room for two million contacts. See cm_world_update */
    size_t sweep_limit;      /* most sweeps of pairs in a step; 0 = 8,388,608, or 1,024 an object where that is more */
    cm_real margin;          /* >= 0: contacts are kept up to this gap, with negative depth; 0 = the default, below */
    /* A filter: may the two touch? Called once a step for each pair of overlapping boxes that layers and groups let
     * through, and by cm_world_why, in the caller's thread, with a < b. It may not change the world. NULL: yes. */
    bool (*meet)(void *user, const cm_world *world, uint32_t a, uint32_t b);
    void *user; /* handed to `meet` */
} cm_world_desc;

/// Creates an empty world.
/// @param error  which field was wrong; may be NULL; untouched when CM_OK.
/// @return CM_OK, CM_INVALID (kind, limit, capacity, a margin that is negative, NaN or beyond CM_COORD_MAX),
/// CM_NO_MEMORY.
CM_API cm_status cm_world_create(const cm_world_desc *desc, cm_world **out, cm_error *error);
/// Frees a world. NULL is fine. Not from within a callback.
CM_API void cm_world_destroy(cm_world *world);

/* --- objects ------------------------------------------------------------------------------------------------- */
/* An id is 24 bits of slot and 8 of generation: never 0, never CM_NONE; a removed object's id stays stale until its
 * slot was reused 255 times, and such a slot is then retired. Whatever fails leaves the object as it was. Between
 * updates every function below may be called at any time, also while reading events. What changes takes effect at the
 * next update: there the contacts of what was removed, carried away or filtered out end. Within a `hit` callback
 * cm_world_remove, add, set_filter, set_trigger, set_sweep and set_user work: the removed take part no more, the added
 * are in the contacts at the step's end but in none of its hits, and filters hold at once for hits still to come. The
 * others answer CM_INVALID there, and so do all within `meet`; within `accept` none may be called. */

/// When an object is swept through the step, not only tested at its end.
typedef enum cm_world_sweep_mode {
    CM_WORLD_SWEEP_AUTO, /* where a point of it may move farther than a quarter of its thickness (the diameter of a ball
                            that fits in every part of it); against objects that are so fast relative to it; and, where
                            it was slow and a hit gave it a motion, for the rest of that step. Flat shapes, meshes but
                            convex solids, and callers' shapes have no thickness: they are always swept */
    CM_WORLD_SWEEP_ALWAYS, /* in every step in which it moves */
    CM_WORLD_SWEEP_NEVER   /* only where the other of a pair is swept */
} cm_world_sweep_mode;

/// One object. Zero fields mean the default, but for the shape.
typedef struct cm_world_object_desc {
    cm_shape shape; /* what it borrows must outlive the object */
    cm_pose pose;   /* a rotation of all zeros is the identity */
    bool fixed;     /* static: never paired with another static one, no motion. Its pose may be set, at a cost */
    bool trigger;   /* a sensor: stops nothing, no contacts, gives entered and left. Two triggers never meet */
    uint32_t layer; /* bits of what it is; 0 = 1 */
    uint32_t mask;  /* bits of what it meets; 0 = all. A pair counts where layer & mask of the other, both ways, … */
    bool exact;     /* layer and mask are as they are, so that 0 means no bit: as cm_world_get gives them */
    int32_t group;  /* … but equal negative groups never meet, equal positive ones always; 0 = none */
    uint64_t user;  /* yours */
    cm_world_sweep_mode sweep;
} cm_world_object_desc;

/// Adds one object.
/// @param error  which field was wrong; may be NULL; untouched when CM_OK.
/// Of a mesh that is not fixed the hull is looked for, once: some milliseconds for 100,000 triangles; its boxes, which
/// are then at most a 32nd of its largest half side off the smallest, cost less than a microsecond a step. Of what gets
/// its shape later that is done when it has moved three times.
/// @return CM_OK, CM_INVALID, CM_NOT_FINITE (shape, pose), CM_LIMIT, CM_NO_MEMORY, or what cm_shape_check says.
CM_API cm_status cm_world_add(cm_world *world, const cm_world_object_desc *object, uint32_t *id, cm_error *error);
/// Removes an object; the id is stale from now on. Its contacts end at the next update, where its events still carry
/// its id and user value; removed within a callback: at the end of the running one. @return CM_OK, CM_STALE_ID.
CM_API cm_status cm_world_remove(cm_world *world, uint32_t id);
/// Puts an object elsewhere at once, without a sweep, and drops its motion. Contacts that still exist stay; the others
/// end. @return CM_OK, CM_STALE_ID, CM_INVALID, CM_NOT_FINITE.
CM_API cm_status cm_world_set_pose(cm_world *world, uint32_t id, const cm_pose *pose);
/// Sets the motion of the coming step, which uses it up: without a new one the object is at rest afterwards.
/// @param motion  move, spin, pivot and accelerate as in sweep.h; `start` is not read: it starts where it is. NULL =
/// rest.
/// @return CM_OK, CM_STALE_ID, CM_INVALID (fixed), CM_NOT_FINITE (also where it would end beyond the valid range).
CM_API cm_status cm_world_set_motion(cm_world *world, uint32_t id, const cm_motion *motion);
/// Gives an object another shape, at its pose. @return CM_OK, CM_STALE_ID, or what cm_world_add says of the shape.
CM_API cm_status cm_world_set_shape(cm_world *world, uint32_t id, const cm_shape *shape, cm_error *error);
/// Sets layer, mask and group as they are: here 0 means no bit. @return CM_OK, CM_STALE_ID.
CM_API cm_status cm_world_set_filter(cm_world *world, uint32_t id, uint32_t layer, uint32_t mask, int32_t group);
/// Makes an object a trigger, or no trigger: its contacts end (or an entered trigger is left), and the other kind
/// begins. @return CM_OK, CM_STALE_ID.
CM_API cm_status cm_world_set_trigger(cm_world *world, uint32_t id, bool trigger);
/// Makes an object static, or movable; a static object drops its motion. @return CM_OK, CM_STALE_ID.
CM_API cm_status cm_world_set_fixed(cm_world *world, uint32_t id, bool fixed);
/// Sets when an object is swept. @return CM_OK, CM_STALE_ID, CM_INVALID (no such mode).
CM_API cm_status cm_world_set_sweep(cm_world *world, uint32_t id, cm_world_sweep_mode mode);
/// Sets the caller's value of an object. @return CM_OK, CM_STALE_ID.
CM_API cm_status cm_world_set_user(cm_world *world, uint32_t id, uint64_t user);

/// The current description of an object, without its motion: cm_world_add with it makes an equal object, with the same
/// filters (`exact` is set, for layers or masks of 0). Within a hit's callback: `pose` at its last hit, or at the start
/// of the step.
/// @return CM_OK, or CM_STALE_ID with `out` untouched.
CM_API cm_status cm_world_get(const cm_world *world, uint32_t id, cm_world_object_desc *out);
/// Where it is now. @return CM_OK, or CM_STALE_ID with `out` untouched.
CM_API cm_status cm_world_get_pose(const cm_world *world, uint32_t id, cm_pose *out);
/// The motion of the coming step; `start` is the pose. @return CM_OK, or CM_STALE_ID with `out` untouched.
CM_API cm_status cm_world_get_motion(const cm_world *world, uint32_t id, cm_motion *out);
/// Its box in the broad phase: at the last update, around all of its way; CM_STALE_ID before its first update. Of what
/// has no points, a height field that is all holes, that around its origin.
CM_API cm_status cm_world_get_box(const cm_world *world, uint32_t id, cm_aabb *out);
/// Objects in it.
CM_API uint32_t cm_world_count(const cm_world *world);
/// The ids of all objects, ascending. @return how many there are, which may be more than the capacity.
CM_API uint32_t cm_world_get_ids(const cm_world *world, uint32_t *ids, uint32_t capacity);
/// The broad phase, to look inside (cm_broad_walk, cm_broad_get_stats). Its ids are not the world's: the object's slot
/// (id & 0xffffff) is the user value there.
CM_API const cm_broad *cm_world_get_broad(const cm_world *world);

/* --- the step ------------------------------------------------------------------------------------------------ */

/// Two objects run into each other within the step. a < b.
typedef struct cm_world_hit {
    uint32_t a, b;
    uint64_t user_a, user_b;
    cm_real u;               /* when: never later than the true time. The rest of the step is 1 - u of it */
    cm_vec3 point;           /* world, at u: on a's surface, where b touches it */
    cm_vec3 normal;          /* unit, from a to b */
    uint32_t part_a, part_b; /* triangle or child, CM_NONE for a convex shape */
    cm_sweep_start start;    /* apart, touching or overlapping where the sweep of this hit started */
    int count_a, count_b;    /* which hit of the step it is for each: 1 … 8 */
} cm_world_hit;

/// What happens after a hit.
typedef enum cm_world_answer {
    CM_WORLD_STOP, /* both stay where they are at u for the rest of the step */
    CM_WORLD_PASS, /* go on as if the other were not there; the two are not asked about again in this step */
    CM_WORLD_GO    /* go on by rest_a and rest_b as the callback left them */
} cm_world_answer;

/// Hits of one object that are answered in one step; after the last it holds for the rest of the step. A hit after
/// which it goes on as before, with the same motion, is none of its own where it is one of the other's.
#define CM_WORLD_HITS 8

/// How to step; zero fields mean the default, and so does NULL instead of the whole.
typedef struct cm_world_step {
    /* Called in the caller's thread, in order of u, then a, then b, for every blocking hit (sweep.h) of a swept object
     * with another. rest_a and rest_b are the motions of both over the rest of the step: `start` the pose at u, move,
     * spin and accelerate what is left; on CM_WORLD_GO they hold as changed (start is not read; a fixed object stays).
     * An answer that keeps running into the other is a hit again at the same u, and counts. NULL: CM_WORLD_STOP. */
    cm_world_answer (*hit)(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a, cm_motion *rest_b);
    void *user; /* handed to `hit` */
} cm_world_step;

/// One step: moves everything by its motion, finds the contacts, and records as events what changed since the last
/// update. A hit with a swept object stops both (or is answered by `hit`), earliest first over the whole world. Where a
/// sweep ends without a proof (CM_PROOF_LIMIT) both are held for the rest of the step, nothing is asked, and the event
/// is LIMIT; something in a trigger has entered then. What an object that is not swept runs into it overlaps
/// afterwards: a contact with depth.
/// @return CM_OK; CM_INVALID (within a callback); CM_NO_MEMORY; CM_LIMIT: more than `pair_limit` pairs of overlapping
/// boxes, or, layers and masks aside, more than twice as many (100,000 objects at one point have 5·10⁹; pairs of fixed
/// ones do not count), or pairs, hits, contacts and events that would take more than `byte_limit`: those of a pair in
/// contact some 800 bytes in float and 1400 in double, where one manifold describes the contact, those of other pairs
/// 160, those that layers and masks refuse 24, a hit 1,200 and 1,950; the arrays in which they stand may have room for
/// twice as much; or more than `sweep_limit` sweeps: one of each pair with a swept object, and after each hit, for each
/// of its two objects, one with every object near. Pairs that are swept and overlap where the step begins are counted
/// as hits before the first sweep, so that a pile in motion is refused before anything of it is stored. With the last
/// two either nothing has moved, or it has (motions are used up) and the events that are owed come with the next update
/// that succeeds. Where memory or sweeps ran out amid hits, everything that is swept holds at the time it came to.
CM_API cm_status cm_world_update(cm_world *world, const cm_world_step *step);

/// What happened to a pair. In the order in which events of one pair stand.
#define CM_WORLD_EVENT_LIST(X)                                                                                         \
    X(BEGAN, "began")     /* a contact that was not there at the last update; u: when, 1 where it was not swept */     \
    X(HIT, "hit")         /* one blocking hit of a swept object, at u; one manifold with one point */                  \
    X(LIMIT, "limit")     /* no hit: the proof that they are apart ends at u (CM_PROOF_LIMIT): both are held there */  \
    X(STAYED, "stayed")   /* a contact that was there before */                                                        \
    X(ENDED, "ended")     /* apart, filtered out, or removed; u: see below */                                          \
    X(ENTERED, "entered") /* something came into a trigger, at u */                                                    \
    X(LEFT, "left")       /* and left it, or one of the two is gone; u likewise */

typedef enum cm_world_event_kind {
#define CM_WORLD_EVENT_ENUM(name, text) CM_WORLD_##name,
    CM_WORLD_EVENT_LIST(CM_WORLD_EVENT_ENUM)
#undef CM_WORLD_EVENT_ENUM
        CM_WORLD_EVENT_KINDS
} cm_world_event_kind;

/// "began" …; "unknown" for a number that is no kind. Never NULL.
CM_API const char *cm_world_event_text(cm_world_event_kind kind);

/// A pair that touched on its way but does not at the end began and ended (entered and left) in one step.
/// `u` of ENDED and LEFT, where one of the two was swept: the last time of the step at which they touched, as
/// cm_sweep_last finds it, also of a contact that is older than the step; 0 where they were apart all through it, as
/// after cm_world_set_pose. Of what was removed: when, 0 if before the step. Else 1.
typedef struct cm_world_event {
    cm_world_event_kind kind;
    uint32_t a, b; /* a < b; may be stale by now */
    uint64_t user_a, user_b;
    cm_real u;                    /* when within the step */
    const cm_manifold *manifolds; /* BEGAN, STAYED: where they touch at the end of the step; BEGAN
                                     that also ended: where they met. HIT: one point; LIMIT: what is nearest. Else NULL.
                                     From a to b */
    int manifold_count;
} cm_world_event;

/// Events that stand in the world's memory.
typedef struct cm_world_event_view {
    const cm_world_event *events;
    size_t count;
} cm_world_event_view;

/// What happened in the last update: sorted by a, b, kind, u; each pair's contact at the end of the step is there as
/// BEGAN or STAYED. Valid until the next update or restore, whatever else is called.
CM_API void cm_world_get_events(const cm_world *world, cm_world_event_view *out);

/// What a step cost and found.
typedef struct cm_world_stats {
    uint32_t objects, moved, swept; /* in the last step */
    size_t pairs;                   /* of overlapping boxes */
    size_t tested, contacts;        /* pairs whose shapes were tested; that touch now (triggers counted) */
    size_t sweeps, hits, limits;    /* pairs swept; hits answered; sweeps that ended without a proof, and held both */
    size_t bytes;                   /* held by the world, everything but the broad phase */
} cm_world_stats;
/// Counts of the last update; objects, pairs and bytes as they are now.
CM_API void cm_world_get_stats(const cm_world *world, cm_world_stats *out);

/* --- queries ------------------------------------------------------------------------------------------------- */
/* They see the objects where they are now, between updates as well, and allocate nothing. Cost: where objects were
 * added, removed or set since the last update they look at every box, else only at those near.
 * Invalid shapes, poses, rays and motions meet nothing. Objects without any layer bit are met by no query. */

/// Whom a query sees; zero fields mean the default, and so does NULL instead of the whole.
typedef struct cm_world_query {
    uint32_t mask;   /* only objects with a layer bit in it; 0 = all */
    uint32_t except; /* an object to leave out; 0 = none */
    bool triggers;   /* triggers too */
    bool blocking;   /* sweeps: only what the shape runs into, not what it leaves or slides along */
    bool (*accept)(void *user, const cm_world *world, uint32_t id); /* NULL: yes. In the thread of the query */
    void *user;                                                     /* handed to `accept` */
} cm_world_query;

/// What a ray meets, and where.
typedef struct cm_world_ray_hit {
    uint32_t id;
    uint64_t user;
    cm_ray_hit hit;
} cm_world_ray_hit;

/// What the ray meets first (equal t: the lower id).
/// @param out  untouched where it meets nothing; may be NULL.
CM_API bool cm_world_raycast(const cm_world *world, const cm_ray *ray, const cm_world_query *query,
                             cm_world_ray_hit *out);
/// Does it meet anything? Faster than the first; for lines of sight.
CM_API bool cm_world_raycast_any(const cm_world *world, const cm_ray *ray, const cm_world_query *query);
/// Everything it meets, by t, then id, each object once.
/// @param out  the first `capacity` of them; may be NULL with a capacity of 0.
/// @return how many there are. Cost: sorted in place, best where few exceed the capacity.
CM_API uint32_t cm_world_raycast_all(const cm_world *world, const cm_ray *ray, const cm_world_query *query,
                                     cm_world_ray_hit *out, uint32_t capacity);

/// What a moving shape meets, and when.
typedef struct cm_world_sweep_hit {
    uint32_t id;
    uint64_t user;
    cm_sweep_hit hit; /* A is the shape of the query, B the object */
} cm_world_sweep_hit;

/// What a moving shape meets first among the standing objects (equal `first`: the lower id).
/// @param motion  of the shape, from its `start` on; the objects stand. As in cm_sweep, what it touches at the start
/// without being blocked does not hide what blocks later, within one object; see `blocking` of the query for others.
/// @param out  untouched where it meets nothing; may be NULL.
CM_API bool cm_world_sweep(const cm_world *world, const cm_shape *shape, const cm_motion *motion,
                           const cm_world_query *query, cm_world_sweep_hit *out);
/// Everything it meets, by `first`, then id. @return how many there are; `out` has the first `capacity` of them.
CM_API uint32_t cm_world_sweep_all(const cm_world *world, const cm_shape *shape, const cm_motion *motion,
                                   const cm_world_query *query, cm_world_sweep_hit *out, uint32_t capacity);

/// The objects that share a point with the shape: the lowest `capacity` ids, ascending. @return how many there are.
CM_API uint32_t cm_world_overlap(const cm_world *world, const cm_shape *shape, const cm_pose *pose,
                                 const cm_world_query *query, uint32_t *ids, uint32_t capacity);
/// The objects that hold the point, meshes as surfaces or solids as they are: the lowest `capacity` ids, ascending.
/// @return how many there are.
CM_API uint32_t cm_world_overlap_point(const cm_world *world, cm_vec3 point, const cm_world_query *query, uint32_t *ids,
                                       uint32_t capacity);

/// The objects that a frustum may show: those that are not wholly outside any one of its planes, by their very shapes
/// (a mesh: none of its triangles, or, if solid, its inside). The lowest `capacity` ids, ascending. None that is seen
/// is left out; one beside an edge or a corner of the frustum may be kept that is not seen (cm_cull in primitives.h),
/// and a hull of the frustum's corners with cm_world_overlap keeps none of these. Cost: the boxes near, and six
/// half-spaces for each. @return how many there are; 0 for a frustum that is not valid.
CM_API uint32_t cm_world_query_frustum(const cm_world *world, const cm_frustum *frustum, const cm_world_query *query,
                                       uint32_t *ids, uint32_t capacity);

/// What is near a shape, and how near.
typedef struct cm_world_near {
    uint32_t id;
    uint64_t user;
    cm_witness witness; /* A is the shape of the query, B the object */
} cm_world_near;

/// The object nearest to the shape, by signed distance: the deepest where some overlap (equal: the lower id).
/// @param max_distance  farther ones are not looked for; >= 0.
/// @return its distance, or CM_REAL_MAX with `out` untouched where there is none. `out` may be NULL.
CM_API cm_real cm_world_distance(const cm_world *world, const cm_shape *shape, const cm_pose *pose,
                                 cm_real max_distance, const cm_world_query *query, cm_world_near *out);

/// Why two objects are no pair: the first reason, in the order in which it is decided.
#define CM_WORLD_WHY_LIST(X)                                                                                           \
    X(MEET, "they touch")                                                                                              \
    X(STALE, "an id is stale or foreign")                                                                              \
    X(SAME, "one object does not meet itself")                                                                         \
    X(FIXED, "both are fixed")                                                                                         \
    X(TRIGGERS, "both are triggers")                                                                                   \
    X(GROUP, "both are of the same negative group")                                                                    \
    X(LAYER, "a layer is not in the other's mask")                                                                     \
    X(CALLBACK, "the world's callback says no")                                                                        \
    X(BOXES, "their boxes are apart")                                                                                  \
    X(SHAPES, "their boxes overlap, their shapes do not")

typedef enum cm_world_reason {
#define CM_WORLD_WHY_ENUM(name, text) CM_WORLD_WHY_##name,
    CM_WORLD_WHY_LIST(CM_WORLD_WHY_ENUM)
#undef CM_WORLD_WHY_ENUM
        CM_WORLD_WHY_COUNT
} cm_world_reason;

/// Which filter rejects this pair, as the objects stand now; CM_WORLD_WHY_MEET where none does and they touch (within
/// the margin, unless one is a trigger).
CM_API cm_world_reason cm_world_why(const cm_world *world, uint32_t a, uint32_t b);
/// The text of a reason; "unknown" for a number that is none. Never NULL.
CM_API const char *cm_world_why_text(cm_world_reason reason);

/* --- keeping a state ----------------------------------------------------------------------------------------- */

/// Shapes that a snapshot names by their number here, so that it can be read where they lie elsewhere.
typedef struct cm_world_shapes {
    const cm_shape *shapes;
    uint32_t count;
} cm_world_shapes;

/// Writes everything that the next updates depend on: objects, ids, pending motions, contacts. Not: margin, callbacks,
/// tasks, events. Equal states give equal bytes, on every machine: a state saved on one is restored on any other, and
/// in the browser, by the library of the same precision and version of the layout (it stands in the bytes).
/// @param shapes  shapes that stand in it are written as their number; the others by their values. Those that point to
///                something (hulls, meshes, height fields, compounds, custom shapes) must stand in it: bytes hold no
///                pointers. May be NULL where there are none of these.
/// @param bytes   written where `capacity` suffices; may be NULL with a capacity of 0.
/// @return how many bytes it takes; 0, and nothing written, where a shape that must stand in `shapes` does not.
CM_API size_t cm_world_save(const cm_world *world, const cm_world_shapes *shapes, void *bytes, size_t capacity);
/// Makes `world` what was saved, ids included; it then goes on with equal events and bytes. What stood in it is gone,
/// without events. Every field is checked, and pointers come from `shapes` alone, so bytes from anywhere do no harm.
/// @param shapes  as in cm_world_save.
/// @return CM_OK, CM_BAD_DATA (not a snapshot, cut short, another precision), CM_OUT_OF_RANGE (a shape's number),
/// CM_LIMIT, CM_NO_MEMORY, CM_INVALID (within a callback); the world is as it was then.
CM_API cm_status cm_world_restore(cm_world *world, const cm_world_shapes *shapes, const void *bytes, size_t size);
/// A number of the state: equal states have equal hashes on every machine of the same precision. Where shapes point to
/// data, their kind, radius and bounds count.
CM_API uint64_t cm_world_hash(const cm_world *world);

CM_EXTERN_END
#endif
