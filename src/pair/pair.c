/* cm_overlap, cm_distance and cm_contact, for two shapes of any kinds. Each checks its input, orders the shapes
 * (order.c), expresses B's pose in A's frame (subtract first, then rotate, so that accuracy does not depend on the
 * distance to the origin), and calls the method that the table has for the two kinds (method.h). So cm_contact of a box
 * and a mesh is answered by composite_contact.c: it walks the mesh's tree for the triangles near the box, gets the
 * contact with each from prepared.c, and keeps those whose direction the mesh's surface has there (surface.c).
 *
 * Callers enter at the step that they still need; each entry goes on through those below it:
 *
 *   step                            entries                                        who calls them
 *   shortcuts (overlap_direct,      cm_overlap, cm_distance, cm_contact,           users
 *     distance_direct,                cm_contact_cached
 *     contact_direct)
 *   check shapes and poses          cm_overlap_cached, cm_distance_cached,         users; shortcuts where they need
 *                                     cm__contact_checked                            care (direct.h)
 *     the same, steps watched       cm_distance_observed, cm_contact_observed      users
 *   order of solving, A's frame     cm__distance_valid, cm__contact_valid          worlds, which checked once
 *   order of kinds                  cm__pair_overlap, cm__pair_distance,           composites for their parts, sweeps
 *                                     cm__pair_contact, cm__pair_contacts
 *   the method                      pair_overlap, pair_distance, pair_contact      this file
 *
 * cm__contact_checked is a function of its own, so that a shortcut may end with a call of it and cm_contact with a call
 * of the shortcut: neither then has anything to keep for afterwards. cm__pair_contacts differs from cm__pair_contact in
 * where the manifolds go: through a compound's levels to the walk's receiver (contacts.h), not to an array. */
#include "pair/pair.h"
#include "math/wide.h"
#include "pair/direct.h"
#include "pair/solid_hull.h"

/* cm_pose_is_valid for both poses; and below, whether both rotations are unit quaternions within rounding. */
static inline bool poses_are_valid(const cm_pose *a, const cm_pose *b) {
#if !defined(CAROM_F64)
    u32x4 wrong = u32x4_or(reals_wrong(&a->position.x, 0), reals_wrong(&b->position.x, 0));
    return reals_none_wrong(wrong) & direct_unit(f32x4_load(&a->rotation.x), f32x4_load(&b->rotation.x));
#else
    return cm_pose_is_valid(a) && cm_pose_is_valid(b);
#endif
}
#if !defined(CAROM_F64)
static inline bool poses_are_unit(const cm_pose *a, const cm_pose *b) {
    return direct_unit_closely(f32x4_load(&a->rotation.x), f32x4_load(&b->rotation.x));
}
#else
static inline bool pose_is_unit(const cm_pose *pose) {
    return cm_abs(quat_square(pose->rotation) - 1) <= PAIR_UNIT_ROUNDING;
}
static inline bool poses_are_unit(const cm_pose *a, const cm_pose *b) { return pose_is_unit(a) && pose_is_unit(b); }
#endif

static inline bool pair_is_valid(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b) {
    return pose_a && pose_b && cm_shape_check(a, NULL) == CM_OK && cm_shape_check(b, NULL) == CM_OK &&
           poses_are_valid(pose_a, pose_b);
}

/* --- in A's frame, kinds in order -------------------------------------------------------------------------------- */

static bool pair_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_pair_cache *cache) {
    if (pair_is_flat(a, b)) return cm__flat_overlap(a, b, b_in_a);
    const cm__method *method = cm__method_of(a->kind, b->kind);
    if (method->search) return method->search->overlap(a, b, b_in_a, cache);
    return method->overlap(a, b, b_in_a);
}

static cm_real pair_distance(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real max_distance,
                             cm_pair_cache *cache, cm_witness *out) {
    const cm__method *method = cm__method_of(a->kind, b->kind);
    cm_real d;
    if (method->search) {
        d = method->search->distance(a, b, b_in_a, max_distance, cache, NULL, out);
    } else if (method->distance) {
        d = method->distance(a, b, b_in_a, max_distance, out);
    } else {
        cm__gap gap;
        const cm__frame frame = frame_of_pose(b_in_a);
        method->gap(a, b, &frame, &gap);
        if (pair_is_flat(a, b)) cm__flat_agree(a, b, b_in_a, &gap);
        cm__witness_of_gap(&gap, out);
        d = out->distance;
    }
    return d <= max_distance ? d : CM_REAL_MAX;
}

/* Of the sizes of a curved body and of a part: the depth that may be measured where they only touch, since the search
 * for it ends within a share of the extent of both (convex/depth.c). */
#define PAIR_CURVED 1e-9

/* The size of the part of b at a contact: of a triangle or other convex shape, as that of cores; else of its box. */
static double pair_part_size(const cm_shape *b, const cm_pose *b_in_a, const cm_manifold *contact) {
    const cm__point at = cm__point_of(cm_pose_unapply(b_in_a, contact->points[0].point_b));
    cm__part part;
    cm_aabb box;
    cm__core core;
    if (!cm__find_part(b, contact->part_b, at, CM_REAL_MAX, &part)) return 0;
    const cm__shape_ops *ops = cm__ops(part.shape.kind);
    if (!ops->core) {
        if (!ops->parts) return 0;
        ops->parts->box(&part.shape, &box);
        return (double)cm_largest(cm_sub(box.max, box.min));
    }
    ops->core(&part.shape, &core);
    return core.size;
}

/* The error of the gap at the spare contact of a pair with a composite. */
static double pair_contact_noise(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a,
                                 const cm_manifold *spare) {
    const cm__shape_ops *ops = cm__ops(a->kind);
    double noise = 16 * (double)CM_REAL_EPSILON *
                   ((double)cm_largest(b_in_a->position) + 2 * (double)cm_largest(spare->points[0].point_a));
    if (!ops->core) return noise;
    cm__core core;
    ops->core(a, &core);
    return noise + (core.ops->corner ? 0 : PAIR_CURVED * (core.size + pair_part_size(b, b_in_a, spare)));
}

/* Contacts of two parts of composites, or of the whole: of convex solids as their hulls have them, where joined ones
 * are asked for; else as the method finds them. */
static void pair_contacts(const cm__method *method, const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a,
                          cm_real margin, cm__contacts *to) {
    cm_manifold m;
    if (!to->joins || !cm__solid_hull_contact(a, b, b_in_a, margin, &m))
        method->contacts(a, b, b_in_a, margin, to);
    else if (m.count > 0)
        cm__contacts_add(to, &m);
}

/* Contacts with a composite. Where the shapes touch only by rounding, the direction of each contact is rounding, too,
 * and not every part below the shape overlaps it. So if no contact has a direction that the surface has, the walk is
 * repeated with a margin that is wider by the rounding, to include all parts that are nearly as near. */
static int pair_contact_of_parts(const cm__method *method, const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a,
                                 cm_real margin, bool joins, cm_manifold *out, int capacity) {
    cm__contacts to;
    contacts_start(&to, a, b, joins, out, capacity);
    pair_contacts(method, a, b, b_in_a, margin, &to);
    if (to.count > 0 || to.refused == 0) return cm__contacts_end(&to);
    const double noise = pair_contact_noise(a, b, b_in_a, &to.spare);
    if (fabs(contacts_depth(&to.spare)) <= noise) {
        contacts_start(&to, a, b, joins, out, capacity);
        to.least = 0 - margin;
        pair_contacts(method, a, b, b_in_a, wide_up((double)margin + noise), &to);
    }
    return cm__contacts_end(&to);
}

static int pair_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin, bool joins,
                        cm_pair_cache *cache, cm_manifold *out, int capacity) {
    const cm__method *method = cm__method_of(a->kind, b->kind);
    if (method->search) return method->search->contact(a, b, b_in_a, margin, cache, NULL, out, capacity);
    if (method->contacts) return pair_contact_of_parts(method, a, b, b_in_a, margin, joins, out, capacity);
    int count = 0;
    bool flat = pair_is_flat(a, b) && !(margin > 0);
    if (flat && !cm__flat_overlap(a, b, b_in_a)) return 0;
    if (method->contact) count = method->contact(a, b, b_in_a, margin, out, capacity);
    /* the shapes touch exactly, though rounding saw a gap */
    if (!method->contact || (flat && count == 0)) {
        cm__gap gap;
        const cm__frame frame = frame_of_pose(b_in_a);
        method->gap(a, b, &frame, &gap);
        if (flat) cm__flat_agree(a, b, b_in_a, &gap);
        count = gap.distance <= (double)margin;
        if (count && capacity > 0) cm__manifold_of_gap(&gap, &out[0]);
    }
    return count;
}

/* --- in any order ------------------------------------------------------------------------------------------------ */

void cm__witness_to_outer(cm_witness *w, const cm_pose *pose) {
    pose_apply_to(pose, &w->point_a);
    pose_apply_to(pose, &w->point_b);
    pose_rotate_vector(pose, &w->normal);
}

void cm__witness_swap(cm_witness *w) {
    cm_vec3 point = w->point_a;
    uint32_t part = w->part_a;
    w->point_a = w->point_b;
    w->point_b = point;
    w->part_a = w->part_b;
    w->part_b = part;
    w->normal = cm_neg(w->normal);
}

void cm__manifold_of_witness(const cm_witness *w, cm_manifold *out) {
    out->normal = w->normal;
    out->part_a = w->part_a, out->part_b = w->part_b;
    out->count = 1;
    out->points[0].point_a = w->point_a, out->points[0].point_b = w->point_b;
    out->points[0].depth = -w->distance;
    out->points[0].feature_a = out->points[0].feature_b = CM_NONE;
}

static cm_pose pair_inverse(const cm_pose *pose) {
    cm_pose identity = cm_pose_identity();
    return cm_pose_between(pose, &identity);
}

bool cm__pair_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    if (a->kind <= b->kind) return pair_overlap(a, b, b_in_a, NULL);
    cm_pose a_in_b = pair_inverse(b_in_a);
    return pair_overlap(b, a, &a_in_b, NULL);
}

cm_real cm__pair_distance(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real max_distance,
                          cm_witness *out) {
    if (a->kind <= b->kind) return pair_distance(a, b, b_in_a, max_distance, NULL, out);
    cm_pose a_in_b = pair_inverse(b_in_a);
    cm_real distance = pair_distance(b, a, &a_in_b, max_distance, NULL, out);
    if (!(distance < CM_REAL_MAX)) return CM_REAL_MAX; /* no witness */
    cm__witness_to_outer(out, b_in_a);
    cm__witness_swap(out);
    return distance;
}

static int pair_contact_in_any_order(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                                     bool joins, cm_manifold *out, int capacity) {
    if (a->kind <= b->kind) return pair_contact(a, b, b_in_a, margin, joins, NULL, out, capacity);
    cm_pose a_in_b = pair_inverse(b_in_a);
    int count = pair_contact(b, a, &a_in_b, margin, joins, NULL, out, capacity);
    for (int i = 0; i < count && i < capacity; i++) {
        cm__manifold_to_world(&out[i], b_in_a);
        cm__manifold_swap(&out[i]);
    }
    return count;
}

int cm__pair_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin, cm_manifold *out,
                     int capacity) {
    return pair_contact_in_any_order(a, b, b_in_a, margin, false, out, capacity);
}

int cm__pair_ways_out(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin, cm_manifold *out,
                      int capacity) {
    return pair_contact_in_any_order(a, b, b_in_a, margin, true, out, capacity);
}

void cm__pair_contacts(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin, cm__contacts *to) {
    if (a->kind > b->kind) {
        const cm_pose a_in_b = pair_inverse(b_in_a);
        const cm__contact_swap turn = {{to->level, cm__contact_swapped}, b_in_a};
        to->level = &turn.level;
        cm__pair_contacts(b, a, &a_in_b, margin, to);
        to->level = turn.level.outer;
        return;
    }
    const cm__method *method = cm__method_of(a->kind, b->kind);
    cm_manifold one;
    if (method->contacts)
        pair_contacts(method, a, b, b_in_a, margin, to);
    else if (pair_contact(a, b, b_in_a, margin, false, NULL, &one, 1) > 0) /* two convex shapes have one manifold */
        cm__contacts_add(to, &one);
}

/* --- in the world ------------------------------------------------------------------------------------------------ */

/* pick ? yes : no, without a branch, which could not be predicted. */
static inline const void *pair_pick(bool pick, const void *yes, const void *no) {
    uintptr_t y = (uintptr_t)yes, n = (uintptr_t)no;
    return (const void *)(n ^ ((n ^ y) & (0 - (uintptr_t)pick)));
}

/* Two shapes in the order in which they are solved. */
typedef struct pair_task {
    const cm_shape *first, *second;
    const cm_pose *pose_first, *pose_second;
    cm_pose second_in_first;
    bool swapped;
} pair_task;

static inline pair_task pair_in_order(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b,
                                      const cm_pose *pose_b) {
    pair_task t;
    t.swapped = pair_swapped(a, pose_a, b, pose_b);
    t.first = pair_pick(t.swapped, b, a), t.second = pair_pick(t.swapped, a, b);
    t.pose_first = pair_pick(t.swapped, pose_b, pose_a), t.pose_second = pair_pick(t.swapped, pose_a, pose_b);
    t.second_in_first = pose_between(t.pose_first, t.pose_second);
    return t;
}

#define PAIR_CACHE_SWAPPED 0x80000000u /* in cache->count: B was the first shape */

/* The cache in the order in which the pair is now solved. Of equal kinds the poses decide the order, so it may have
 * changed since the last query; then normal and ids are swapped. */
static CM__RARE cm_pair_cache *pair_cache_swap(const pair_task *t, cm_pair_cache *cache) {
    bool before = (cache->count & PAIR_CACHE_SWAPPED) != 0;
    cache->count &= ~PAIR_CACHE_SWAPPED;
    if (before == t->swapped || t->first->kind != t->second->kind) return cache;
    cache->normal = cm_neg(cm_rotate(t->second_in_first.rotation, cache->normal));
    for (int i = 0; i < 3; i++) {
        uint32_t id = cache->id_a[i];
        cache->id_a[i] = cache->id_b[i], cache->id_b[i] = id;
    }
    return cache;
}
static inline cm_pair_cache *pair_cache_open(const pair_task *t, cm_pair_cache *cache) {
    return cache ? pair_cache_swap(t, cache) : NULL;
}
static inline void pair_cache_close(const pair_task *t, cm_pair_cache *cache) {
    if (cache && t->swapped) cache->count |= PAIR_CACHE_SWAPPED;
}

/* For equal kinds: the verdict, where it is the same in both orders; else 0. See cm__method's `sure`. */
static inline int pair_is_sure(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                               cm_real margin) {
    if (a->kind != b->kind) return 0;
    const cm__method *method = cm__method_of(a->kind, b->kind);
    if (!method->sure || !poses_are_unit(pose_a, pose_b)) return 0;
    cm_pose b_in_a = cm_pose_between(pose_a, pose_b);
    return method->sure(a, b, &b_in_a, (double)margin);
}

static CM__RARE bool overlap_from_cache(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b,
                                        const cm_pose *pose_b, cm_pair_cache *cache) {
    pair_task t = pair_in_order(a, pose_a, b, pose_b);
    bool yes = pair_overlap(t.first, t.second, &t.second_in_first, pair_cache_open(&t, cache));
    pair_cache_close(&t, cache);
    return yes;
}

bool cm_overlap_cached(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                       cm_pair_cache *cache) {
    if (!pair_is_valid(a, pose_a, b, pose_b)) return false;
    int sure = pair_is_sure(a, pose_a, b, pose_b, 0);
    if (sure) return sure > 0;
    if (cache) return overlap_from_cache(a, pose_a, b, pose_b, cache);
    const bool swapped = pair_swapped(a, pose_a, b, pose_b);
    const cm_pose *pose_first = pair_pick(swapped, pose_b, pose_a), *pose_second = pair_pick(swapped, pose_a, pose_b);
    cm_pose second_in_first = pose_between(pose_first, pose_second);
    return pair_overlap(pair_pick(swapped, b, a), pair_pick(swapped, a, b), &second_in_first, NULL);
}
static inline bool kinds_are_valid(const cm_shape *a, const cm_shape *b) {
    return a && b && (unsigned)a->kind < CM_SHAPE_KINDS && (unsigned)b->kind < CM_SHAPE_KINDS;
}
/* What `overlap_direct` is sure of, of equal kinds it is in either order. */
bool cm_overlap(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b) {
    if (kinds_are_valid(a, b) && pose_a && pose_b) {
        const bool swapped = b->kind < a->kind;
        const cm__method *method = cm__method_between(a->kind, b->kind);
        if (method->overlap_direct) {
            const int known =
                swapped ? method->overlap_direct(b, pose_b, a, pose_a) : method->overlap_direct(a, pose_a, b, pose_b);
            if (known) return known > 0;
        }
    }
    return cm_overlap_cached(a, pose_a, b, pose_b, NULL);
}

/* Returns the distance if it is within the limit, and writes the witness in world coordinates and the caller's order. A
 * swap chooses where each point is written, because a branch could not be predicted, and a copy would wait for numbers
 * just written. */
static inline cm_real distance_to_world(cm_real distance, cm_real max_distance, const pair_task *t, cm_witness *w,
                                        cm_witness *out) {
    /* CM_REAL_MAX: the method found no gap within the limit */
    if (!(distance <= max_distance && distance < CM_REAL_MAX)) return CM_REAL_MAX;
    if (!out) return distance;
    const cm_pose pose = *t->pose_first;
    pose_apply_to(&pose, &w->point_a);
    pose_apply_to(&pose, &w->point_b);
    pose_rotate_vector(&pose, &w->normal);
    out->normal = cm_scale(w->normal, 1 - 2 * (cm_real)t->swapped);
    out->distance = w->distance;
    out->flags = w->flags;
    cm_vec3 *const point[2] = {&out->point_a, &out->point_b};
    uint32_t *const part[2] = {&out->part_a, &out->part_b};
    *point[t->swapped] = w->point_a, *point[!t->swapped] = w->point_b;
    *part[t->swapped] = w->part_a, *part[!t->swapped] = w->part_b;
    return distance;
}

cm_real cm__distance_valid(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                           cm_real max_distance, cm_pair_cache *cache, cm_witness *out) {
    pair_task t = pair_in_order(a, pose_a, b, pose_b);
    cm_witness witness;
    cm_real distance =
        pair_distance(t.first, t.second, &t.second_in_first, max_distance, pair_cache_open(&t, cache), &witness);
    pair_cache_close(&t, cache);
    return distance_to_world(distance, max_distance, &t, &witness, out);
}

cm_real cm_distance_cached(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                           cm_real max_distance, cm_pair_cache *cache, cm_witness *out) {
    if (!pair_is_valid(a, pose_a, b, pose_b) || !(max_distance >= 0)) return CM_REAL_MAX;
    return cm__distance_valid(a, pose_a, b, pose_b, max_distance, cache, out);
}

cm_real cm_distance(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                    cm_real max_distance, cm_witness *out) {
#if !defined(CAROM_F64)
    if (kinds_are_valid(a, b) && pose_a && pose_b) {
        const cm__method *method = cm__method_between(a->kind, b->kind);
        if (method->distance_direct) {
            const bool swapped = pair_swapped(a, pose_a, b, pose_b);
            return method->distance_direct(pair_pick(swapped, b, a), pair_pick(swapped, pose_b, pose_a),
                                           pair_pick(swapped, a, b), pair_pick(swapped, pose_a, pose_b), max_distance,
                                           swapped, out);
        }
    }
#endif
    return cm_distance_cached(a, pose_a, b, pose_b, max_distance, NULL, out);
}

static inline int contact_to_world(int count, const pair_task *t, cm_manifold *out, int capacity) {
    for (int i = 0; i < count && i < capacity; i++) {
        cm__manifold_to_world(&out[i], t->pose_first);
        if (t->swapped) cm__manifold_swap(&out[i]);
    }
    return count;
}

/* What callers are told: contacts of one plane are joined. Sweeps ask cm__pair_contact, triangle by triangle. */
static int contact_in_order(const pair_task *t, cm_real margin, cm_pair_cache *cache, cm_manifold *out, int capacity) {
    int count =
        pair_contact(t->first, t->second, &t->second_in_first, margin, true, pair_cache_open(t, cache), out, capacity);
    pair_cache_close(t, cache);
    return contact_to_world(count, t, out, capacity);
}

/* For kinds that are solved in the caller's order (contact_sure), where rounding may decide: the order of order.c says
 * whether there is a contact. Its points are those of the caller's order, if that has one, too; else those of
 * order.c's. */
static CM__RARE int contact_in_doubt(const pair_task *asked, cm_real margin, cm_manifold *out, int capacity) {
    pair_task t = pair_in_order(asked->first, asked->pose_first, asked->second, asked->pose_second);
    if (!t.swapped) return contact_in_order(asked, margin, NULL, out, capacity);
    if (!pair_contact(t.first, t.second, &t.second_in_first, margin, false, NULL, NULL, 0)) return 0;
    int count = contact_in_order(asked, margin, NULL, out, capacity);
    return count ? count : contact_in_order(&t, margin, NULL, out, capacity);
}

int cm__contact_valid(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                      cm_real margin, cm_pair_cache *cache, cm_manifold *out, int capacity) {
    const cm__method *method = a->kind == b->kind ? cm__method_of(a->kind, b->kind) : NULL;
    if (method && method->contact_sure) {
        pair_task asked = {a, b, pose_a, pose_b, cm_pose_between(pose_a, pose_b), false};
        int count = -1;
        if (poses_are_unit(pose_a, pose_b))
            count = method->contact_sure(a, b, &asked.second_in_first, margin, out, capacity);
        return count < 0 ? contact_in_doubt(&asked, margin, out, capacity)
                         : contact_to_world(count, &asked, out, capacity); /* 0: nor in the other order */
    }
    pair_task t = pair_in_order(a, pose_a, b, pose_b);
    return contact_in_order(&t, margin, cache, out, capacity);
}

static CM__RARE int contact_checked(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                                    cm_real margin, cm_pair_cache *cache, cm_manifold *out, int capacity) {
    if (!pair_is_valid(a, pose_a, b, pose_b) || !(margin >= 0) || capacity < 0 || (capacity > 0 && !out)) return 0;
    return cm__contact_valid(a, pose_a, b, pose_b, margin, cache, out, capacity);
}
int cm__contact_checked(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                        cm_real margin, cm_manifold *out, int capacity) {
    return contact_checked(a, pose_a, b, pose_b, margin, NULL, out, capacity);
}

/* Kinds opposite to the order of the list. */
static CM__RARE int direct_swapped(const cm__method *method, const cm_shape *a, const cm_pose *pose_a,
                                   const cm_shape *b, const cm_pose *pose_b, cm_real margin, cm_manifold *out,
                                   int capacity) {
    int found = method->contact_direct(b, pose_b, a, pose_a, margin, out, capacity);
    if (found > 0 && capacity > 0) cm__manifold_swap(out);
    return found;
}

/* No pair that has `contact_direct` uses a cache. */
int cm_contact_cached(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                      cm_real margin, cm_pair_cache *cache, cm_manifold *out, int capacity) {
    if (kinds_are_valid(a, b) && pose_a && pose_b) {
        const bool swapped = b->kind < a->kind;
        const cm__method *method = cm__method_between(a->kind, b->kind);
        if (method->contact_direct && swapped)
            return direct_swapped(method, a, pose_a, b, pose_b, margin, out, capacity);
        if (method->contact_direct) return method->contact_direct(a, pose_a, b, pose_b, margin, out, capacity);
    }
    return contact_checked(a, pose_a, b, pose_b, margin, cache, out, capacity);
}
int cm_contact(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b, cm_real margin,
               cm_manifold *out, int capacity) {
    return cm_contact_cached(a, pose_a, b, pose_b, margin, NULL, out, capacity);
}

/* --- step by step ------------------------------------------------------------------------------------------------ */

static cm__watch watch_of(const pair_task *t, void (*step)(void *user, const cm_step *step), void *user) {
    const cm__watch watch = {.step = step,
                             .user = user,
                             .frame = frame_of_pose(t->pose_first),
                             .swapped = t->swapped,
                             .unit = 1,
                             .lower = -CM_REAL_MAX,
                             .upper = CM_REAL_MAX};
    return watch;
}

static void watch_send_own(cm__watch *watch) {
    cm_step step;
    watch_search(watch);
    cm__watch_begin(watch, CM_STEP_OWN_METHOD, &step);
    cm__watch_send(watch, &step);
}

/* For a pair whose method does not search: the two steps that stand for all. */
static cm_real distance_of_own(cm__watch *watch, cm_real distance, const cm_witness *witness, cm_real max_distance) {
    cm_step step;
    watch_send_own(watch);
    watch_search(watch);
    cm__watch_begin(watch, CM_STEP_DISTANCE, &step);
    step.lower = distance < CM_REAL_MAX ? distance : max_distance, step.upper = distance;
    if (distance < CM_REAL_MAX) {
        step.direction = witness->normal;
        step.support.a = witness->point_a, step.support.b = witness->point_b;
        step.closest = cm_sub(witness->point_b, witness->point_a);
    }
    cm__watch_send(watch, &step);
    return distance;
}

cm_real cm_distance_observed(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                             cm_real max_distance, void (*step)(void *user, const cm_step *step), void *user,
                             cm_witness *out) {
    if (!step) return cm_distance(a, pose_a, b, pose_b, max_distance, out);
    if (!pair_is_valid(a, pose_a, b, pose_b) || !(max_distance >= 0)) return CM_REAL_MAX;
    const pair_task t = pair_in_order(a, pose_a, b, pose_b);
    const cm__method *method = cm__method_of(t.first->kind, t.second->kind);
    cm__watch watch = watch_of(&t, step, user);
    cm_witness witness;
    if (!method->search) {
        const cm_real distance = cm__distance_valid(a, pose_a, b, pose_b, max_distance, NULL, &witness);
        if (out && distance < CM_REAL_MAX) *out = witness;
        return distance_of_own(&watch, distance, &witness, max_distance);
    }
    const cm_real distance =
        method->search->distance(t.first, t.second, &t.second_in_first, max_distance, NULL, &watch, &witness);
    return distance_to_world(distance, max_distance, &t, &witness, out);
}

int cm_contact_observed(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                        cm_real margin, void (*step)(void *user, const cm_step *step), void *user, cm_manifold *out,
                        int capacity) {
    const bool bad = !pair_is_valid(a, pose_a, b, pose_b) || !(margin >= 0) || capacity < 0 || (capacity > 0 && !out);
    if (bad) return 0;
    if (!step) return cm_contact(a, pose_a, b, pose_b, margin, out, capacity);
    const pair_task t = pair_in_order(a, pose_a, b, pose_b);
    const cm__method *method = cm__method_of(t.first->kind, t.second->kind);
    cm__watch watch = watch_of(&t, step, user);
    if (!method->search) {
        watch_send_own(&watch);
        return cm_contact(a, pose_a, b, pose_b, margin, out, capacity);
    }
    const int count =
        method->search->contact(t.first, t.second, &t.second_in_first, margin, NULL, &watch, out, capacity);
    return contact_to_world(count, &t, out, capacity);
}
