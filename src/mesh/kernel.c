/* Rays through a mesh: the walk down the wide tree, and the triangles of its leaves, four at a time.
 *
 * What a ray is told depends on no order: of all triangles that the exact test of ray.c lets through, the first along
 * the ray, then the lowest number. Here it is only decided which triangles come to that test. Boxes grow by
 * WALK_MARGIN of the tree's size: with |origin| <= 2 and boxes within 1, a side's time, taken as a distance along its
 * axis, is at most 3 and passes through fewer than 20 roundings by 2^-24 to 3 * 2^-24 in the units of the tree: less
 * than 2^-18. Triangles are left out where their signs say so beyond the room that ray.c gives them.
 *
 * Compiled once per instruction set (see broad/kernel.c). Several rays go side by side in turns of one step, so that
 * what each will read next is on its way while others compute.
 *
 * Based on: [Ylitie17] the nodes; [Woop13] the triangles. */
#include "mesh/kernel.h"
#include "bvh/eight.h"

#include <stddef.h>

#if defined(__AVX512F__) && defined(__AVX512BW__)
#define MESH_KERNEL_TABLE cm__mesh_kernel_avx512
#define MESH_KERNEL_NAME  "avx512"
#elif defined(__AVX2__)
#define MESH_KERNEL_TABLE cm__mesh_kernel_avx2
#define MESH_KERNEL_NAME  "avx2"
#else
#define MESH_KERNEL_TABLE cm__mesh_kernel_base
#define MESH_KERNEL_NAME  "base"
#endif

#define WALK_MARGIN 0x1p-18f

enum { WALK_GROUP = 8 };

/* What is left to visit of a node: eight keys, as of cm__eight_keys. */
typedef struct walk_rest {
    float key[CM__WIDE];
    uint32_t node;
} walk_rest;

typedef struct ray_walk {
    float inverse[4], near_origin[4], far_origin[4]; /* the origin, moved by the margin, for the sides on either end */
    uint32_t near_side[3], far_side[3]; /* where in a node the sides are that are entered through and left */
    float limit;                        /* of the walk's parameter, with room for the keys' lowest bits */
    int top;
    bool prepared;
    cm__mesh_ray_job *job;
    cm__bvh_ray_line line;
    cm__ray_line ray;
    cm__ray_shear shear;
    walk_rest stack[CM__BVH_DEPTH]; /* one a level */
} ray_walk;

static inline void walk_limit(ray_walk *w) {
    w->limit = cm__bvh_ray_limit(&w->line, cm__ray_bound(w->ray.max)) + 4 * WALK_MARGIN;
}

/* cm__bvh_ray_line_of where it is simple: the ray begins near the tree. False where it is not. */
static inline bool walk_line_near(const cm_mesh *mesh, const cm__mesh_ray_job *job, cm__bvh_ray_line *out) {
    const cm_real from[3] = {job->origin.x, job->origin.y, job->origin.z};
    const float along[3] = {(float)job->direction.x, (float)job->direction.y, (float)job->direction.z};
    const float x = fabsf(along[0]), y = fabsf(along[1]), z = fabsf(along[2]), xy = x > y ? x : y;
    const float fast = xy > z ? xy : z;
    double far = 0;
    for (int k = 0; k < 3; ++k) {
        double o = ((double)from[k] - mesh->origin[k]) * mesh->scale, away = fabs(o);
        far = away > far ? away : far;
        float inverse = fast / along[k];
        /* a slower axis moves less than the margin within the tree: as good as standing still */
        out->inverse[k] = fabsf(inverse) < 1e12f ? inverse : 1e12f;
        out->origin[k] = (float)o;
    }
    out->margin = 0;
    out->skipped = 0, out->rate = (double)fast * mesh->scale;
    return (far <= 2) & (fast > 1e-18f) & (fast < 1e18f) & (out->rate > 0);
}

static inline bool walk_start(ray_walk *w, const cm_mesh *mesh, cm__mesh_ray_job *job) {
    w->job = job;
    job->found = false;
    job->turns = 0;
    if (!walk_line_near(mesh, job, &w->line) &&
        !cm__bvh_ray_line_of(mesh->origin, mesh->scale, job->origin, job->direction, 0, &w->line))
        return false;
    const float margin = w->line.margin + WALK_MARGIN;
    for (uint32_t k = 0; k < 3; ++k) {
        const uint32_t back = w->line.inverse[k] < 0;
        const uint32_t side = (uint32_t)offsetof(cm__wide_node, side) + 2 * CM__WIDE * k;
        const float away = back ? -margin : margin;
        w->inverse[k] = w->line.inverse[k];
        w->near_side[k] = side + CM__WIDE * back;
        w->far_side[k] = side + CM__WIDE * (1 - back);
        w->near_origin[k] = w->line.origin[k] + away;
        w->far_origin[k] = w->line.origin[k] - away;
    }
    w->inverse[3] = w->near_origin[3] = w->far_origin[3] = 0;
    w->ray.origin = cm__point_of(job->origin), w->ray.direction = cm__point_of(job->direction);
    w->ray.max = (double)job->max;
    walk_limit(w);
    w->prepared = false;
    w->top = 0;
    return true;
}

/* --- a node ------------------------------------------------------------------------------------------------------ */

static inline int walk_lowest(unsigned bits) {
#if defined(__GNUC__)
    return __builtin_ctz(bits);
#else
    int k = 0;
    while (!(bits >> k & 1)) ++k;
    return k;
#endif
}

/* Bit i: child i is met. */
static inline unsigned walk_open(const ray_walk *w, const cm__wide_node *n, cm__eight *enter, cm__eight *leave) {
    float from[4], near[4], far[4], slope[4];
    memcpy(from, n, sizeof from); /* the fourth is of no use */
    cm__four low = cm__four_load(from), inverse = cm__four_load(w->inverse);
    cm__four_store(near, cm__four_mul(cm__four_sub(low, cm__four_load(w->near_origin)), inverse));
    cm__four_store(far, cm__four_mul(cm__four_sub(low, cm__four_load(w->far_origin)), inverse));
    cm__four_store(slope, cm__four_mul(cm__four_powers(n->exponent), inverse));
    cm__eight first[3], last[3];
    for (int k = 0; k < 3; ++k) {
        const uint8_t *near_side = (const uint8_t *)n + w->near_side[k],
                      *far_side = (const uint8_t *)n + w->far_side[k];
        first[k] = cm__eight_mul_add(cm__eight_bytes(near_side), cm__eight_all(slope[k]), cm__eight_all(near[k]));
        last[k] = cm__eight_mul_add(cm__eight_bytes(far_side), cm__eight_all(slope[k]), cm__eight_all(far[k]));
    }
    *enter = cm__eight_max(cm__eight_max(first[0], first[1]), cm__eight_max(first[2], cm__eight_all(0)));
    *leave = cm__eight_min(cm__eight_min(last[0], last[1]), cm__eight_min(last[2], cm__eight_all(w->limit)));
    return cm__eight_le(*enter, *leave);
}

static inline uint32_t walk_lane(float key) {
    uint32_t bits;
    memcpy(&bits, &key, sizeof bits);
    return bits % 8;
}

/* --- a leaf ------------------------------------------------------------------------------------------------------ */

static inline cm__quad walk_gather(const cm__face *const face[4], int corner, int axis) {
    const size_t at = 3 * (size_t)corner + (size_t)axis;
    return cm__quad_of(((const cm_real *)face[0])[at], ((const cm_real *)face[1])[at], ((const cm_real *)face[2])[at],
                       ((const cm_real *)face[3])[at]);
}

static inline cm__quad walk_edge(cm__quad u0, cm__quad v0, cm__quad u1, cm__quad v1) {
    return cm__quad_sub(cm__quad_mul(u0, v1), cm__quad_mul(v0, u1));
}

/* Bit i: the line may meet triangle i. As cm__ray_passes, without its exact part. */
static inline unsigned walk_filter(const cm__face *faces, uint32_t count, const cm__ray_shear *s) {
    const cm__face *const face[4] = {faces, faces + (count > 1 ? 1 : 0), faces + (count > 2 ? 2 : 0),
                                     faces + (count > 3 ? 3 : 0)};
    cm__quad u[3], v[3];
    for (int i = 0; i < 3; ++i) {
        cm__quad w = cm__quad_sub(walk_gather(face, i, s->axis[2]), cm__quad_all(s->from[2]));
        u[i] = cm__quad_sub(cm__quad_sub(walk_gather(face, i, s->axis[0]), cm__quad_all(s->from[0])),
                            cm__quad_mul(cm__quad_all(s->slope[0]), w));
        v[i] = cm__quad_sub(cm__quad_sub(walk_gather(face, i, s->axis[1]), cm__quad_all(s->from[1])),
                            cm__quad_mul(cm__quad_all(s->slope[1]), w));
    }
    cm__quad e0 = walk_edge(u[1], v[1], u[2], v[2]), e1 = walk_edge(u[2], v[2], u[0], v[0]);
    cm__quad e2 = walk_edge(u[0], v[0], u[1], v[1]);
    cm__quad low = cm__quad_min(cm__quad_min(e0, e1), e2), high = cm__quad_max(cm__quad_max(e0, e1), e2);
    /* all at most `room`, or all at least minus it */
    unsigned met = cm__quad_le(high, cm__quad_all(s->room)) | cm__quad_le(cm__quad_all(-s->room), low);
    return met & ((1u << count) - 1);
}

static inline void walk_leaf_winding(ray_walk *w, const cm__face *faces, uint32_t count) {
    cm__mesh_ray_job *job = w->job;
    for (uint32_t i = 0; i < count; ++i) job->turns += cm__mesh_winding_face(job->origin, &faces[i], &job->found);
    if (job->found) w->top = 0;
}

static inline void walk_leaf(ray_walk *w, const cm_mesh *mesh, const cm__face *faces, uint32_t leaf) {
    uint32_t first = leaf & 0x3fffffff, count = (leaf >> 30) + 1;
    cm__mesh_ray_job *job = w->job;
    if (job->ask == CM__MESH_WINDING) {
        walk_leaf_winding(w, faces + first, count);
        return;
    }
    if (!w->prepared) cm__ray_shear_of(&w->ray, mesh->point_reach, &w->shear);
    w->prepared = true;
    unsigned met = walk_filter(faces + first, count, &w->shear);
    while (met != 0) {
        uint32_t place = first + (uint32_t)walk_lowest(met);
        met &= met - 1;
        cm__mesh_hit hit;
        if (!cm__ray_meets(&w->ray, &w->shear, &faces[place], &hit)) continue;
        hit.place = place;
        hit.triangle = cm__mesh_numbers(mesh)[place];
        if (job->found && !cm__ray_hit_is_before(&hit, &job->hit)) continue;
        job->hit = hit;
        job->found = true;
        if (job->ask == CM__MESH_ANY) {
            w->top = 0;
            return;
        }
        w->ray.max = hit.t;
        walk_limit(w);
    }
}

/* --- the walk ---------------------------------------------------------------------------------------------------- */

static inline void walk_fetch(const char *from, size_t bytes) {
    CM__FETCH(from);
    CM__FETCH(from + bytes - 1);
}
static inline void walk_fetch_node(const cm__wide_node *node) { walk_fetch((const char *)node, sizeof *node); }

static inline void walk_fetch_leaf(const cm_mesh *mesh, const cm__face *faces, uint32_t leaf) {
    const char *from = (const char *)&faces[leaf & 0x3fffffff];
    size_t bytes = ((leaf >> 30) + 1) * sizeof *faces;
    CM__FETCH(from + 64);
    walk_fetch(from, bytes);
    CM__FETCH(&cm__mesh_numbers(mesh)[leaf & 0x3fffffff]);
}

typedef enum walk_what { WALK_NOTHING, WALK_NODE, WALK_LEAF } walk_what;

static inline walk_what walk_child(const cm__wide_node *n, int lane, uint32_t *child) {
    *child = n->child[lane];
    return lane < n->exponent[3] - CM__WIDE_INNER ? WALK_NODE : WALK_LEAF;
}

/* The nearest child of those that are left of a node; what is left then is kept for later. */
static inline walk_what walk_take(ray_walk *w, const cm__wide_node *nodes, uint32_t node, cm__eight keys, float least,
                                  uint32_t *child) {
    walk_rest *later = &w->stack[w->top];
    cm__eight rest = cm__eight_without(keys, least);
    cm__eight_store(later->key, rest);
    later->node = node;
    w->top += cm__eight_le(rest, cm__eight_all(w->limit)) != 0;
    return walk_child(&nodes[node], (int)walk_lane(least), child);
}

/* What comes next of all that was kept. */
static inline walk_what walk_later(ray_walk *w, const cm__wide_node *nodes, uint32_t *child) {
    while (w->top > 0) {
        const walk_rest *from = &w->stack[--w->top];
        cm__eight keys = cm__eight_load(from->key);
        float least = cm__eight_least(keys);
        if (least <= w->limit) return walk_take(w, nodes, from->node, keys, least, child);
    }
    return WALK_NOTHING;
}

/* Opens a node: what comes next. */
static inline walk_what walk_next(ray_walk *w, const cm__wide_node *nodes, uint32_t node, uint32_t *child) {
    cm__eight enter, leave;
    unsigned met = walk_open(w, &nodes[node], &enter, &leave);
    if (met == 0) return walk_later(w, nodes, child);
    if ((met & (met - 1)) == 0) return walk_child(&nodes[node], walk_lowest(met), child);
    cm__eight keys = cm__eight_keys(enter, leave);
    return walk_take(w, nodes, node, keys, cm__eight_least(keys), child);
}

static void walk_ray(const cm_mesh *mesh, cm__mesh_ray_job *job) {
    const cm__wide_node *nodes = (const cm__wide_node *)cm__mesh_at(mesh, mesh->rays);
    const cm__face *faces = cm__mesh_faces(mesh);
    ray_walk w;
    if (!walk_start(&w, mesh, job)) return;
    uint32_t child;
    walk_what what = walk_next(&w, nodes, 0, &child);
    while (what != WALK_NOTHING) {
        if (what == WALK_NODE) {
            walk_fetch_node(&nodes[child]);
            what = walk_next(&w, nodes, child, &child);
        } else {
            walk_fetch_leaf(mesh, faces, child);
            walk_leaf(&w, mesh, faces, child);
            what = walk_later(&w, nodes, &child);
        }
    }
}

/* One of several rays that go in turns. */
typedef struct walk_turn {
    ray_walk walk;
    walk_what what; /* comes next, and is being loaded: */
    uint32_t child;
} walk_turn;

/* Begins the next ray that has something to meet. */
static inline bool turn_begin(walk_turn *t, const cm_mesh *mesh, cm__mesh_ray_job *jobs, uint32_t count,
                              uint32_t *next) {
    while (*next < count) {
        if (!walk_start(&t->walk, mesh, &jobs[(*next)++])) continue;
        t->what = WALK_NODE;
        t->child = 0;
        return true;
    }
    return false;
}

static inline bool turn_take(walk_turn *t, const cm_mesh *mesh, const cm__wide_node *nodes, const cm__face *faces) {
    if (t->what == WALK_NODE) {
        t->what = walk_next(&t->walk, nodes, t->child, &t->child);
    } else {
        walk_leaf(&t->walk, mesh, faces, t->child);
        t->what = walk_later(&t->walk, nodes, &t->child);
    }
    if (t->what == WALK_NODE) {
        walk_fetch_node(&nodes[t->child]);
    } else if (t->what == WALK_LEAF) {
        walk_fetch_leaf(mesh, faces, t->child);
    }
    return t->what != WALK_NOTHING;
}

static void walk_rays(const cm_mesh *mesh, cm__mesh_ray_job *jobs, uint32_t count) {
    const cm__wide_node *nodes = (const cm__wide_node *)cm__mesh_at(mesh, mesh->rays);
    const cm__face *faces = cm__mesh_faces(mesh);
    walk_turn turns[WALK_GROUP], *going[WALK_GROUP];
    int n = 0;
    uint32_t next = 0;
    while (n < WALK_GROUP && turn_begin(&turns[n], mesh, jobs, count, &next)) going[n] = &turns[n], ++n;
    while (n > 0) {
        for (int i = 0; i < n;) {
            if (turn_take(going[i], mesh, nodes, faces) || turn_begin(going[i], mesh, jobs, count, &next)) {
                ++i;
            } else {
                going[i] = going[--n];
            }
        }
    }
}

const cm__mesh_kernel MESH_KERNEL_TABLE = {MESH_KERNEL_NAME, walk_ray, walk_rays};
