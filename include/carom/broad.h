/// carom/broad.h: the broad phase: many boxes, which pairs overlap, what a query meets.
///
///     cm_broad *broad;
///     cm_broad_create(NULL, &broad, NULL);                          // the default kind picks by itself
///     cm_broad_object_desc object = {.box = box_of_a_tree};
///     uint32_t id;
///     cm_broad_add(broad, &object, &id);
///     cm_broad_move(broad, id, &box_now);                           // as often as things move
///     cm_broad_update(broad);                                       // once a frame
///     cm_broad_pair_view pairs;
///     cm_broad_find_pairs(broad, 0, &pairs);                        // pairs.pairs[0 … pairs.count)
///
/// All kinds give the same pairs, changes and query results; they differ in time and memory only. Boxes are closed:
/// touching boxes overlap. The order of a raw pair list depends on the calls made and on the kind, never on threads or
/// on the CPU; sorted lists, changes, rays and nearest neighbours come in the same order from every kind.
/// Const functions may run in any number of threads at once, as long as no other function runs.
#ifndef CAROM_BROAD_H
#define CAROM_BROAD_H

#include "math.h"

CM_EXTERN_BEGIN

/* --- kinds --------------------------------------------------------------------------------------------------- */

/// Every kind once: name, text.
#define CM_BROAD_LIST(X)                                                                                               \
    X(AUTO, "auto")         /* picks one of the others by count, motion and queries; the default */                    \
    X(BRUTE, "brute")       /* all against all, in vectors */                                                          \
    X(SWEEP, "sweep")       /* sort and sweep along one axis, the order kept between frames */                         \
    X(SWEEP3, "sweep3")     /* sort and sweep along all three axes, order and pairs kept between frames */             \
    X(GRID, "grid")         /* columns of a grid over two axes, sorted along the third; nested where crowded */        \
    X(OCTREE, "octree")     /* loose octree, grown and merged as objects move */                                       \
    X(QUADTREE, "quadtree") /* the same over two axes */                                                               \
    X(BSP, "bsp")           /* axis-aligned splits chosen by cost: a k-d tree */                                       \
    X(BVH, "bvh")           /* a tree of boxes: inserted, refitted and rotated in place */

typedef enum cm_broad_kind {
#define CM_BROAD_ENUM(name, text) CM_BROAD_##name,
    CM_BROAD_LIST(CM_BROAD_ENUM)
#undef CM_BROAD_ENUM
        CM_BROAD_KIND_COUNT
} cm_broad_kind;

/// "auto", "brute" …; "unknown" for a number that is no kind. Never NULL.
CM_API const char *cm_broad_kind_text(cm_broad_kind kind);

/* --- life ---------------------------------------------------------------------------------------------------- */

/// Many boxes. Opaque.
typedef struct cm_broad cm_broad;

/// How to build one; zero fields mean the default, and so does NULL instead of the whole.
typedef struct cm_broad_desc {
    cm_broad_kind kind;      /* 0 = CM_BROAD_AUTO */
    const cm_allocator *mem; /* NULL = malloc; the struct is copied, its user must outlive the object */
    const cm_tasks *tasks;   /* NULL = serial; copied likewise */
    uint32_t capacity;       /* objects to make room for at once; more are always welcome */
    uint32_t limit;          /* most objects; 0 = 16,777,215, which is also the most */
    bool changes;            /* remember what cm_broad_get_changes needs (costs a copy of what moves) */
    cm_real cell;            /* GRID: smallest edge of a cell; 0 = from the sizes of the boxes. Never changes answers */
    /* OCTREE, QUADTREE, and no answer depends on them. A cell with more than `split` objects is divided, up to `levels`
     * times one within the other (doublings of the root come on top). An object stands in a cell that, grown by the
     * factor `loose` about its center, holds it wherever its own center is in the cell. */
    uint32_t split;  /* 0 = 12 */
    uint32_t levels; /* 1 to 40; 0 = 40 */
    cm_real loose;   /* > 1, at most 8; 0 = 2 */
    /* OCTREE, QUADTREE: an object stands in every cell that its box meets, of cells with an edge of at least its own
     * divided by loose - 1 (8 of them at most, 4 in a quadtree, where loose is 2 or less); each pair is still found
     * once. Else it stands in one. */
    bool clipped;
    int plane; /* QUADTREE: the axis it does not split: 0 = y (splits x and z), 1 = x, 2 = y, 3 = z */
    /* Most overlapping pairs; 0 = no limit. Where many objects stand at one point there are half of their square. Where
     * layers and masks let more through, a search for pairs and an update with changes say CM_LIMIT instead of taking
     * all memory (with SWEEP3 every update does); where no more overlap, layers and masks aside, they never do; between
     * the two it depends on the kind. Pairs of static objects do not count. As where memory runs out, nothing is
     * forgotten. */
    size_t pair_limit;
} cm_broad_desc;

/// One object. Zero fields mean the default.
typedef struct cm_broad_object_desc {
    cm_aabb box;    /* min <= max; ±infinity and anything beyond ±CM_COORD_MAX mean unbounded on that side */
    uint32_t layer; /* bits of what it is; 0 = 1 */
    uint32_t mask;  /* bits of what it meets; 0 = all. A pair counts where layer & mask of the other, both ways */
    uint64_t user;  /* yours */
    bool fixed;     /* static: never paired with another static one. It may be moved, but at a cost */
} cm_broad_object_desc;

/// Creates an empty broad phase.
/// @param error  which field was wrong; may be NULL; untouched when CM_OK.
/// @return CM_OK, CM_INVALID (no such kind or plane, a cell < 0 or NaN, levels or loose beyond what they may be, a
/// limit above 16,777,215), CM_NO_MEMORY.
CM_API cm_status cm_broad_create(const cm_broad_desc *desc, cm_broad **out, cm_error *error);
/// Frees a broad phase. NULL is fine.
CM_API void cm_broad_destroy(cm_broad *broad);

/* --- objects ------------------------------------------------------------------------------------------------- */
/* An id is 24 bits of slot and 8 of generation: never 0, never CM_NONE; a removed object's id stays stale until its
 * slot was reused 255 times, and such a slot is then retired. Boxes are refused with CM_NOT_FINITE (a NaN, or wholly
 * beyond ±CM_COORD_MAX) or CM_INVALID (min > max). Whatever fails leaves the object as it was. */

/// Adds one object. @return CM_OK, CM_NOT_FINITE, CM_INVALID, CM_LIMIT, CM_NO_MEMORY.
CM_API cm_status cm_broad_add(cm_broad *broad, const cm_broad_object_desc *object, uint32_t *id);
/// Adds `count` objects that share everything but the box, all or none of them.
/// @param boxes   the first box; stride bytes to the next (0 = sizeof(cm_aabb)).
/// @param common  their layer, mask, user value and fixed flag; its box is not read; NULL = default.
/// @param ids     receives `count` ids; may be NULL.
CM_API cm_status cm_broad_add_many(cm_broad *broad, const cm_aabb *boxes, size_t stride, uint32_t count,
                                   const cm_broad_object_desc *common, uint32_t *ids);
/// Gives an object its new box. @return CM_OK, CM_STALE_ID, CM_NOT_FINITE, CM_INVALID, CM_NO_MEMORY (only where a
/// bounded box becomes unbounded; nothing else here allocates).
CM_API cm_status cm_broad_move(cm_broad *broad, uint32_t id, const cm_aabb *box);
/// Moves ids[i] to box i, all or none. Cost: one pass over the boxes.
CM_API cm_status cm_broad_move_many(cm_broad *broad, const uint32_t *ids, const cm_aabb *boxes, size_t stride,
                                    uint32_t count);
/// Removes an object. @return CM_OK, CM_STALE_ID.
CM_API cm_status cm_broad_remove(cm_broad *broad, uint32_t id);
/// Sets layer and mask as they are: here 0 means no bit. @return CM_OK, CM_STALE_ID.
CM_API cm_status cm_broad_set_filter(cm_broad *broad, uint32_t id, uint32_t layer, uint32_t mask);
/// Says whether an object is static: two static objects are never a pair. @return CM_OK, CM_STALE_ID.
CM_API cm_status cm_broad_set_fixed(cm_broad *broad, uint32_t id, bool fixed);
/// Sets the caller's value of an object, which is never read here. @return CM_OK, CM_STALE_ID.
CM_API cm_status cm_broad_set_user(cm_broad *broad, uint32_t id, uint64_t user);
/// What an object is now. @return CM_OK, or CM_STALE_ID with `out` untouched.
CM_API cm_status cm_broad_get(const cm_broad *broad, uint32_t id, cm_broad_object_desc *out);
/// Objects in it.
CM_API uint32_t cm_broad_count(const cm_broad *broad);

/* --- pairs --------------------------------------------------------------------------------------------------- */

/// Two ids (or indices, in the one-shot functions), a < b.
typedef struct cm_broad_pair {
    uint32_t a, b;
} cm_broad_pair;

/// Pairs that stand in somebody else's memory.
typedef struct cm_broad_pair_view {
    const cm_broad_pair *pairs;
    size_t count;
} cm_broad_pair_view;

/// What happened between the last two updates; both sorted by a, then b.
typedef struct cm_broad_changes {
    cm_broad_pair_view began, ended;
} cm_broad_changes;

enum { CM_BROAD_SORTED = 1 /* flag: sort the pairs by a, then b */ };

/// Brings the structure up to date with everything that was added, moved, removed or re-filtered since the last update,
/// and finds the changes where the description asked for them. Once a frame.
/// Without it every answer is still right, only slower: queries then look at every box.
/// @return CM_OK, CM_NO_MEMORY, CM_LIMIT (more than `pair_limit` pairs); nothing is lost with the last two: try again.
CM_API cm_status cm_broad_update(cm_broad *broad);
/// All overlapping pairs that the filters let through, each once; updates first where needed.
/// @param flags  0 or CM_BROAD_SORTED.
/// @param out    stands in the object's memory, valid until the next call of a non-const function on it.
/// @return CM_OK, CM_INVALID (unknown flags), CM_NO_MEMORY, CM_LIMIT.
CM_API cm_status cm_broad_find_pairs(cm_broad *broad, int flags, cm_broad_pair_view *out);
/// All overlapping pairs of an object of `broad` (a) and one of `other` (b); a and b are ids of their own sets, in
/// any order of numbers. Filters count, also for two static objects' pair (never reported). The list stands in `broad`.
/// @return CM_OK, CM_INVALID (unknown flags, or both the same object), CM_NO_MEMORY, CM_LIMIT (of `broad`).
CM_API cm_status cm_broad_find_pairs_between(cm_broad *broad, cm_broad *other, int flags, cm_broad_pair_view *out);
/// The pairs that began and that ended at the last update, against the update before. An object that was removed,
/// moved away or re-filtered ends its pairs. The cost, paid in update, follows what was touched, not what rests.
/// @return CM_OK, CM_UNSUPPORTED (the description did not ask for changes).
CM_API cm_status cm_broad_get_changes(const cm_broad *broad, cm_broad_changes *out);

/* --- one shot ------------------------------------------------------------------------------------------------ */

/// Pairs in memory of their own, which later calls reuse. Start with zeros.
typedef struct cm_broad_pair_list {
    cm_broad_pair *pairs;
    size_t count, capacity;
} cm_broad_pair_list;

/// How to find pairs once; zero fields mean the default, and so does NULL instead of the whole.
typedef struct cm_broad_pairs_desc {
    cm_broad_kind kind;      /* 0 = CM_BROAD_AUTO */
    const cm_allocator *mem; /* for the list and for scratch; NULL = malloc */
    const cm_tasks *tasks;   /* NULL = serial */
    size_t stride;           /* bytes from box to box; 0 = sizeof(cm_aabb) */
    int flags;               /* 0 or CM_BROAD_SORTED */
} cm_broad_pairs_desc;

/// All overlapping pairs of `count` boxes, by index, each once.
/// @param out  emptied first; free it with cm_broad_pair_list_free. Empty on failure.
/// @return CM_OK, CM_INVALID (a box with min > max, unknown kind or flags), CM_NOT_FINITE, CM_LIMIT (count above
/// 16,777,215), CM_NO_MEMORY.
CM_API cm_status cm_broad_pairs(const cm_aabb *boxes, uint32_t count, const cm_broad_pairs_desc *desc,
                                cm_broad_pair_list *out);
/// All overlapping pairs of a box of the first set (a) with one of the second (b), by index: here a may exceed b.
CM_API cm_status cm_broad_pairs_between(const cm_aabb *boxes_a, uint32_t count_a, const cm_aabb *boxes_b,
                                        uint32_t count_b, const cm_broad_pairs_desc *desc, cm_broad_pair_list *out);
/// Frees the pairs and empties the list; `mem` as it was given.
CM_API void cm_broad_pair_list_free(cm_broad_pair_list *list, const cm_allocator *mem);

/* --- queries ------------------------------------------------------------------------------------------------- */
/* Each sees the boxes as they are at the moment. `mask`: only objects with a layer bit in it; 0 = all. Nothing is
 * allocated. Queries with a NaN or beyond the valid range find nothing. Returned is the number of calls made. */

/// Called once for each object found; return false to stop. The object must not be changed meanwhile.
typedef bool (*cm_broad_found)(void *context, uint32_t id);

/// Objects whose box shares a point with `box`. Order: the kind's.
CM_API uint32_t cm_broad_query_box(const cm_broad *broad, const cm_aabb *box, uint32_t mask, cm_broad_found fn,
                                   void *context);
/// Objects whose box contains the point.
CM_API uint32_t cm_broad_query_point(const cm_broad *broad, cm_vec3 point, uint32_t mask, cm_broad_found fn,
                                     void *context);
/// Objects whose box is within `radius` of the center (touching counts; negative radius: none).
/// Distances are taken in double, so that rounding does not decide which of two float boxes is nearer.
CM_API uint32_t cm_broad_query_sphere(const cm_broad *broad, cm_vec3 center, cm_real radius, uint32_t mask,
                                      cm_broad_found fn, void *context);
/// Objects whose box has a point with dot(normal, p) + d <= 0. The normal need not be a unit vector.
CM_API uint32_t cm_broad_query_halfspace(const cm_broad *broad, cm_vec3 normal, cm_real d, uint32_t mask,
                                         cm_broad_found fn, void *context);
/// Objects whose box is not wholly outside any one of `count` (at most 32) half-spaces dot(normals[i], p) + d[i] <= 0:
/// the usual frustum test, which may keep a box near a corner of the frustum that just misses it.
CM_API uint32_t cm_broad_query_frustum(const cm_broad *broad, const cm_vec3 *normals, const cm_real *d, int count,
                                       uint32_t mask, cm_broad_found fn, void *context);

/// Called for each hit, front to back (equal t: by id). @param t in multiples of the ray's direction or of the
/// displacement, 0 where it starts inside. @return how far to look on: t itself to end with the nearest, the limit of
/// before to see all, less than 0 to stop at once. It can only shrink.
typedef cm_real (*cm_broad_hit)(void *context, uint32_t id, cm_real t);

/// Boxes met by origin + t direction, 0 <= t <= limit. Rounded so that no box that is truly met is missed; one that
/// is missed by a few ulps of t may be reported.
CM_API uint32_t cm_broad_raycast(const cm_broad *broad, cm_vec3 origin, cm_vec3 direction, cm_real limit, uint32_t mask,
                                 cm_broad_hit fn, void *context);
/// Boxes met by `box` moved by t move, 0 <= t <= limit; rounded as the ray.
CM_API uint32_t cm_broad_sweep(const cm_broad *broad, const cm_aabb *box, cm_vec3 move, cm_real limit, uint32_t mask,
                               cm_broad_hit fn, void *context);
/// The `capacity` objects whose boxes are nearest to the point, nearest first (equal distance: by id).
/// @param max_distance  farther ones are left out; < 0 = no limit.
/// @param ids, distances  `capacity` entries each; distances may be NULL; 0 where the point is inside.
/// @return how many were written.
CM_API uint32_t cm_broad_nearest(const cm_broad *broad, cm_vec3 point, cm_real max_distance, uint32_t mask,
                                 uint32_t capacity, uint32_t *ids, cm_real *distances);

/* --- looking inside ------------------------------------------------------------------------------------------ */

typedef struct cm_broad_stats {
    cm_broad_kind kind; /* what runs: with AUTO the one it picked */
    uint32_t objects, fixed, unbounded;
    uint32_t nodes, depth; /* of the structure: tree nodes, grid columns, …; deepest level, root = 1 */
    uint64_t tests; /* box against box at the last find_pairs, nodes' boxes too; with BRUTE all n (n - 1) / 2, with
                       SWEEP3 at the last update */
    uint64_t pairs; /* that it found */
    size_t bytes;   /* held by the object, everything counted */
} cm_broad_stats;

/// What it holds and did; see cm_broad_stats.
CM_API void cm_broad_get_stats(const cm_broad *broad, cm_broad_stats *out);

/// Called for every box of the structure (cells, nodes), parents before children; depth 0 = root. False stops.
typedef bool (*cm_broad_walk_fn)(void *context, const cm_aabb *box, int depth, uint32_t objects);
/// Shows the structure as of the last update, to be drawn. BRUTE and SWEEP have one box.
CM_API void cm_broad_walk(const cm_broad *broad, cm_broad_walk_fn fn, void *context);

CM_EXTERN_END
#endif
