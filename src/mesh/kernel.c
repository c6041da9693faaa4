/* Rays through a mesh: the walk down the wide tree, and the triangles of its leaves, eight at a time.
 *
 * The answer for a ray depends on no order: of all triangles that the exact test of ray.c lets through, the first along
 * the ray, then the lowest number. Here it is only decided which triangles come to that test, with bounds of errors
 * that hold of any rounding, so all instruction sets, with fused products or without, give the same bits.
 *
 * A side's time, taken as a distance along its axis, passes through fewer than 20 roundings by 2^-24 to 3 * 2^-24 of
 * the origin's coordinate and the node's: less than WALK_GROWTH of either. The nodes' boxes have grown by that of
 * theirs (bvh/wide.c), the ray by that of its origin.
 *
 * Triangles are sheared along the ray as in ray.c, but in floats (in double: in the tree's units, so that floats hold
 * them). With D a bound on the coordinates of all x - o, these err by 2^-24 D, as does the slope times the way along by
 * that error, by half of it for the slope's own and by once more for the product; the difference, at most 2 D, by
 * 2^-23 D: u and v by less than E = 2^-21 D. So with M the largest |u|, |v| of a triangle, u_a v_b - v_a u_b errs by
 * less than 4 E M + 2 E^2 + 2^-22 M^2, and what underflow can lose. Left out is what has one edge beyond that on one
 * side and one on the other.
 *
 * Compiled once per instruction set (see broad/kernel.c). Several rays go side by side in turns of one step, so that
 * what each will read next is on its way while others compute.
 *
 * Children are taken nearest first: a tenth fewer nodes than in the order of the octants, to which [Ylitie17] keeps. A
 * triangle that the floats already show to be met, in one sense around it, needs of the exact test only where along the
 * ray.
 *
 * Based on: [Ylitie17] the nodes; [Woop13] the triangles. */
#if defined(__GNUC__) && !defined(__clang__) && (defined(CAROM_KERNEL_AVX512) || defined(CAROM_KERNEL_AVX2))
#pragma GCC target("fma")
#endif
#include "mesh/kernel.h"
#include "base/bits.h"
#include "mesh/keys.h"
#include "mesh/leaf.h"

#include <stddef.h>

#if defined(CAROM_KERNEL_AVX512) /* which of the compilations this is */
#define MESH_KERNEL_TABLE cm__mesh_kernel_avx512
#define MESH_KERNEL_NAME  "avx512"
#elif defined(CAROM_KERNEL_AVX2)
#define MESH_KERNEL_TABLE cm__mesh_kernel_avx2
#define MESH_KERNEL_NAME  "avx2"
#else
#define MESH_KERNEL_TABLE cm__mesh_kernel_base
#define MESH_KERNEL_NAME  "base"
#endif

#define WALK_GROWTH 0x1p-18f

enum { WALK_GROUP = 16, FETCHED = sizeof(cm_real) == 4 ? 8 : 15 /* lines of a meshlet */ };

/* Children of a node that are left to visit: where the ray enters them. */
typedef struct walk_pending {
    uint32_t keys[CM__WIDE]; /* one ray: but for the next */
    const cm__wide_node *node;
    uint32_t next; /* one ray: the least key; many: bit i: child i is left */
} walk_pending;

typedef struct ray_walk {
    float inverse[4], near[4], far[4]; /* a side at x is met at x inverse + near, or far, moved by the margin */
    const uint8_t *sides;              /* where in a node its sides are, as walk_sides */
    float limit;                       /* of the walk's parameter */
    uint32_t last;                     /* the same as a key */
    int top;
    cm__mesh_ray_job *job;
    cm__bvh_ray_line line;
    double max;
    uint32_t axis[4]; /* of a leaf's corners: cyclic, the third the fastest; and 3 */
    int turn;         /* the sign of the direction along it; 0: floats tell nothing */
    cm_real from[4];  /* the origin, and 0 */
    float slope[2], room[2];
    walk_pending stack[CM__BVH_DEPTH + 2]; /* one a level */
} ray_walk;

/* walk_sides[back]: by axis, where the sides begin that are entered through, then those that are left through. */
#define SIDE(k, high) (offsetof(cm__wide_node, side) + CM__WIDE * (2 * (k) + (high)))
#define SIDES(x, y, z)                                                                                                 \
    { SIDE(0, x), SIDE(0, 1 - (x)), SIDE(1, y), SIDE(1, 1 - (y)), SIDE(2, z), SIDE(2, 1 - (z)) }
static const uint8_t walk_sides[8][6] = {SIDES(0, 0, 0), SIDES(1, 0, 0), SIDES(0, 1, 0), SIDES(1, 1, 0),
                                         SIDES(0, 0, 1), SIDES(1, 0, 1), SIDES(0, 1, 1), SIDES(1, 1, 1)};

/* Where the ray begins, in the tree's units. */
static inline f32x4 walk_origin(const cm_mesh *mesh, cm_vec3 origin) {
    const f64x2 xy = f64x2_of((double)origin.x, (double)origin.y), z = f64x2_of((double)origin.z, 0);
    const f64x2 to_xy = f64x2_sub(xy, f64x2_load(mesh->origin)), to_z = f64x2_sub(z, f64x2_of(mesh->origin[2], 0));
    return f32x4_of_f64(f64x2_mul(to_xy, f64x2_all(mesh->scale)), f64x2_mul(to_z, f64x2_all(mesh->scale)));
}

static inline void walk_end_at(ray_walk *w, double t) {
    const double reach = (t - w->line.skipped) * w->line.rate;
    w->limit = 1e30f;
    if (reach < 1e29 && w->line.rate > 0) /* a jump: nothing waits for it, where a ray has no end */
        w->limit = (float)(reach + fabs(reach) * 2e-6) + (2 * w->line.margin + 0x1p-40f); /* a key is rounded */
    memcpy(&w->last, &w->limit, sizeof w->last);
}

/* Nothing more need be visited. */
static inline void walk_end(ray_walk *w) {
    w->limit = -1;
    w->last = 0;
}

#if defined(CAROM_F64)
static inline double walk_unit(const cm_mesh *mesh) { return mesh->scale; }
#else
static inline float walk_unit(const cm_mesh *mesh) {
    (void)mesh;
    return 1;
}
#endif

/* What leaves are tested with. */
static inline void walk_shear(ray_walk *w, const cm_mesh *mesh, cm_vec3 o, cm_vec3 d) {
    static const uint8_t cyclic[3][2] = {{1, 2}, {2, 0}, {0, 1}}; /* no choices, which would become jumps */
    const cm_real along[3] = {d.x, d.y, d.z};
    const cm_real x = cm_abs(d.x), y = cm_abs(d.y), z = cm_abs(d.z);
    const uint32_t from_y = y > x, from_z = z > (y > x ? y : x), fast = 2 * from_z + (from_y & (1 - from_z));
    const uint32_t u = cyclic[fast][0], v = cyclic[fast][1];
    w->axis[0] = u, w->axis[1] = v, w->axis[2] = fast, w->axis[3] = 3;
    w->from[0] = o.x, w->from[1] = o.y, w->from[2] = o.z, w->from[3] = 0;
    w->slope[0] = (float)(along[u] / along[fast]), w->slope[1] = (float)(along[v] / along[fast]);
    const cm_real reach = (mesh->point_reach + cm_largest(o)) * walk_unit(mesh);
    const bool near =
        reach < CM_REAL(1e18); /* from farther off, where floats overflow, all is asked of the exact test */
    const float error = near ? (float)reach * 0x1p-21f : 1e18f;
    w->turn = !near ? 0 : along[fast] > 0 ? 1 : -1;
    w->room[0] = 4.01f * error, w->room[1] = 2.01f * error * error + 1e-36f;
}

/* `origin` and `direction` are the job's. */
static inline bool walk_start(ray_walk *w, const cm_mesh *mesh, cm_vec3 origin, cm_vec3 direction,
                              cm__mesh_ray_job *job) {
    w->job = job;
    job->found = false;
    job->turns = 0;
    const float dx = (float)direction.x, dy = (float)direction.y, dz = (float)direction.z;
    const float x = fabsf(dx), y = fabsf(dy), z = fabsf(dz), xy = x > y ? x : y, fast = xy > z ? xy : z;
    /* a slower axis moves less than CM__BVH_STILL within the tree: as good as standing still */
    f32x4 along = f32x4_of(dx, dy, dz, 0), size = f32x4_max(f32x4_abs(along), f32x4_all(fast * 1e-18f));
    f32x4 inverse = f32x4_div(f32x4_all(fast), f32x4_signed(size, along));
    f32x4 from = walk_origin(mesh, origin);
    w->line.margin = CM__BVH_STILL;
    w->line.skipped = 0, w->line.rate = (double)fast * mesh->scale;
    /* what is simple of cm__bvh_ray_line_of: the ray begins near the tree */
    if (!((u32x4_mask(f32x4_le(f32x4_abs(from), f32x4_all(2))) == 15) & (fast > 1e-18f) & (fast < 1e18f) &
          (w->line.rate > 0))) {
        if (!cm__bvh_ray_line_of(mesh->origin, mesh->scale, origin, direction, 0, &w->line)) return false;
        from = f32x4_of(w->line.origin[0], w->line.origin[1], w->line.origin[2], 0);
        inverse = f32x4_of(w->line.inverse[0], w->line.inverse[1], w->line.inverse[2], 0);
    }
    f32x4 away = f32x4_add(f32x4_mul(f32x4_abs(from), f32x4_all(WALK_GROWTH)), f32x4_all(w->line.margin));
    away = f32x4_mul(away, f32x4_abs(inverse));
    f32x4 middle = f32x4_mul(from, inverse), zero = f32x4_all(0);
    const unsigned back = f32x4_mask(inverse) & 7;
    f32x4_store(w->inverse, inverse);
    f32x4_store(w->near, f32x4_sub(f32x4_sub(zero, middle), away));
    f32x4_store(w->far, f32x4_sub(away, middle));
    w->sides = walk_sides[back];
    w->max = cm__ray_until((double)job->max, (double)mesh->point_reach, cm__point_of(direction));
    w->top = 0;
    walk_end_at(w, w->max);
    walk_shear(w, mesh, origin, direction);
    return job->max >= 0;
}

/* --- a node ------------------------------------------------------------------------------------------------------ */

/* The children that are met. Bit i: child i is. */
static inline unsigned walk_open(const ray_walk *w, const cm__wide_node *n, u32x8 *keys) {
    f32x8 first[3], last[3];
    const uint8_t *base = (const uint8_t *)n, *sides = w->sides;
    for (int k = 0; k < 3; ++k) {
        const f32x8 low = f32x8_all(n->low[k]), inverse = f32x8_all(w->inverse[k]);
        const f32x8 slope = f32x8_mul(f32x8_all(n->step[k]), inverse);
        const f32x8 near = f32x8_mul_add(low, inverse, f32x8_all(w->near[k]));
        const f32x8 far = f32x8_mul_add(low, inverse, f32x8_all(w->far[k]));
        first[k] = f32x8_mul_add(f32x8_of_bytes(base + sides[2 * k]), slope, near);
        last[k] = f32x8_mul_add(f32x8_of_bytes(base + sides[2 * k + 1]), slope, far);
    }
    f32x8 enter = f32x8_max(f32x8_max(first[0], first[1]), f32x8_max(first[2], f32x8_all(0)));
    f32x8 leave = f32x8_min(f32x8_min(last[0], last[1]), f32x8_min(last[2], f32x8_all(w->limit)));
    *keys = keys_of(enter, leave);
    return u32x8_mask(f32x8_le(enter, leave));
}

/* --- a leaf ------------------------------------------------------------------------------------------------------ */

static inline f32x8 walk_edge(f32x8 u0, f32x8 v0, f32x8 u1, f32x8 v1) {
    return f32x8_mul_sub(u0, v1, f32x8_mul(v0, u1));
}
static inline f32x8 walk_most(f32x8 a, f32x8 b, f32x8 c) {
    return f32x8_max(f32x8_max(f32x8_abs(a), f32x8_abs(b)), f32x8_abs(c));
}

/* (x - from) unit for a corner of each of eight triangles, by axis. */
static inline void walk_away(const ray_walk *w, const cm__mesh_leaf *leaf, uint32_t c, cm_real unit, f32x8 away[3]) {
    f32x4 rows[8];
#if defined(CAROM_F64)
    const f64x2 xy = f64x2_load(w->from), z = f64x2_load(w->from + 2), units = f64x2_all(unit);
    for (uint32_t i = 0; i < 8; ++i) {
        const double *x = cm__mesh_leaf_corner(leaf, i, c);
        rows[i] = f32x4_of_f64(f64x2_mul(f64x2_sub(f64x2_load(x), xy), units),
                               f64x2_mul(f64x2_sub(f64x2_load(x + 2), z), units));
    }
    f32x8_points(rows, w->axis, away);
#else
    (void)unit;
    for (uint32_t i = 0; i < 8; ++i) rows[i] = f32x4_load(cm__mesh_leaf_corner(leaf, i, c));
    f32x8_points(rows, w->axis, away);
    for (int k = 0; k < 3; ++k) away[k] = f32x8_sub(away[k], f32x8_all(w->from[w->axis[k]]));
#endif
}

/* Triangles of a leaf. Bit i: the line may meet triangle i; surely does, in this sense around it. */
typedef struct walk_found {
    unsigned met, above, below;
} walk_found;

static inline walk_found walk_filter(const ray_walk *w, const cm__mesh_leaf *leaf, uint32_t count, cm_real unit) {
    f32x8 u[3], v[3];
    for (uint32_t c = 0; c < 3; ++c) {
        f32x8 away[3];
        walk_away(w, leaf, c, unit, away);
        const f32x8 along = away[2];
        u[c] = f32x8_sub_mul(away[0], f32x8_all(w->slope[0]), along);
        v[c] = f32x8_sub_mul(away[1], f32x8_all(w->slope[1]), along);
    }
    f32x8 e0 = walk_edge(u[1], v[1], u[2], v[2]), e1 = walk_edge(u[2], v[2], u[0], v[0]);
    f32x8 e2 = walk_edge(u[0], v[0], u[1], v[1]);
    f32x8 low = f32x8_min(f32x8_min(e0, e1), e2), high = f32x8_max(f32x8_max(e0, e1), e2);
    f32x8 most = f32x8_max(walk_most(u[0], u[1], u[2]), walk_most(v[0], v[1], v[2]));
    f32x8 room = f32x8_mul_add(most, f32x8_all(0x1p-21f), f32x8_all(w->room[0]));
    room = f32x8_mul_add(most, room, f32x8_all(w->room[1]));
    f32x8 minus = f32x8_neg(room);
    walk_found found;
    /* all at most `room`, or all at least minus it */
    found.met = (u32x8_mask(f32x8_le(high, room)) | u32x8_mask(f32x8_le(minus, low))) & ((1u << count) - 1);
    found.above = u32x8_mask(f32x8_le(room, low)), found.below = u32x8_mask(f32x8_le(high, minus));
    return found;
}

/* Triangle i of a leaf, exactly. `along`: the sign of its normal along the ray if the ray's line surely meets it, else
 * 0. */
static inline void walk_test(ray_walk *w, const cm_mesh *mesh, const cm__mesh_leaf *leaf, uint32_t i, uint32_t place,
                             int along) {
    cm__mesh_ray_job *job = w->job;
    const cm__ray_line ray = {cm__point_of(job->origin), cm__point_of(job->direction), w->max};
    cm__mesh_hit hit;
    cm__face face;
    cm__point c[3];
    for (int k = 0; k < 3; ++k) {
        face.corner[k] = leaf->vertices[leaf->seats[i].corner[k]];
        c[k] = cm__point_of(face.corner[k]);
    }
    const int cut = along != 0 ? cm__ray_cut(&ray, c, along, &hit) : CM__RAY_UNSURE;
    if (job->ask == CM__MESH_WINDING) {
        if (cut == CM__RAY_UNSURE)
            job->turns += cm__mesh_winding_face(job->origin, &face, &job->found);
        else
            job->turns += cut == CM__RAY_AHEAD ? along : 0;
        return;
    }
    if (cut == CM__RAY_UNSURE ? !cm__ray_hits_unsheared(&ray, mesh->point_reach, &face, &hit)
                              : cut == CM__RAY_BEHIND || !(hit.t <= w->max))
        return;
    hit.t = hit.t < (double)job->max ? hit.t : (double)job->max;
    hit.triangle = job->ask == CM__MESH_ANY ? 0 : cm__mesh_numbers(mesh)[place]; /* of any nobody asks which */
    if (job->found && !cm__ray_hit_is_before(&hit, &job->hit)) return;
    /* one by one, as they were written: all at once they would have to wait for that */
    job->hit.t = hit.t, job->hit.side = hit.side, job->hit.triangle = hit.triangle, job->hit.place = place;
    job->face = face;
    job->found = true;
    if (job->ask == CM__MESH_ANY) return;
    if (hit.t < (double)job->max) w->max = hit.t;
    walk_end_at(w, hit.t);
}

/* The leaves of those children that are met. False: nothing more need be visited. */
static inline bool walk_leaves(ray_walk *w, const cm_mesh *mesh, const cm__wide_node *n, u32x8 keys) {
    keys = keys_in(keys, n->leaves);
    for (uint32_t key = u32x8_least(keys); key <= w->last; key = u32x8_least(keys)) {
        const uint32_t lane = key & 7, first = n->child[lane], count = n->count[lane];
        cm__mesh_leaf leaf;
        cm__mesh_leaf_at(mesh, first, first, count, &leaf);
        walk_found found = walk_filter(w, &leaf, count, walk_unit(mesh));
        for (; found.met != 0; found.met &= found.met - 1) {
            const uint32_t i = (uint32_t)bits_lowest(found.met);
            const int above = (int)(found.above >> i & 1), below = (int)(found.below >> i & 1);
            walk_test(w, mesh, &leaf, i, first + i, (above - below) * w->turn);
            if (w->job->found && w->job->ask != CM__MESH_FIRST) return false;
        }
        keys = keys_without(keys, key);
    }
    return true;
}

/* --- the walk ---------------------------------------------------------------------------------------------------- */

/* gcc takes a function that only loads ahead for one that does nothing, and leaves it out, unless it has to be inlined:
 * then many rays take a fifth longer. */
#if defined(__GNUC__)
#define WALK_FETCH static inline __attribute__((always_inline))
#else
#define WALK_FETCH static inline
#endif

WALK_FETCH void walk_fetch_node(const cm__wide_node *node) {
    BITS_FETCH((const char *)node);
    BITS_FETCH((const char *)node + 64);
}

WALK_FETCH void walk_fetch_leaves(const cm_mesh *mesh, const cm__wide_node *n, unsigned lanes) {
    do {
        const uint32_t lane = (uint32_t)bits_lowest(lanes);
        lanes &= lanes - 1;
        const cm__mesh_seat *seats = &cm__mesh_seats(mesh)[n->child[lane]];
        BITS_FETCH(seats);
        BITS_FETCH(seats + n->count[lane] - 1);
        /* what lies behind the vertices does no harm */
        const uintptr_t from = (uintptr_t)cm__mesh_vertices(mesh, n->child[lane]);
        for (uintptr_t i = 0; i < FETCHED; ++i) BITS_FETCH((const char *)(from + 64 * i));
        BITS_FETCH(&cm__mesh_numbers(mesh)[n->child[lane]]);
    } while (lanes != 0);
}

/* The nearest child of a node; the others are kept for later, and the first of them loaded ahead. */
static inline const cm__wide_node *walk_take(ray_walk *w, const cm__wide_node *nodes, const cm__wide_node *n,
                                             u32x8 keys, uint32_t key) {
    keys = keys_without(keys, key);
    const uint32_t next = u32x8_least(keys);
    walk_pending *later = &w->stack[w->top];
    u32x8_store(later->keys, keys_without(keys, next));
    later->node = n;
    later->next = next;
    w->top += next <= w->last; /* without jumps, which nothing could predict */
    walk_fetch_node(&nodes[n->child[(next <= w->last ? next : key) & 7]]);
    return &nodes[n->child[key & 7]];
}

/* What comes next of all that was kept; NULL: nothing is left. */
static inline const cm__wide_node *walk_later(ray_walk *w, const cm__wide_node *nodes) {
    while (w->top > 0) {
        walk_pending *from = &w->stack[w->top - 1];
        const uint32_t key = from->next;
        u32x8 keys = u32x8_load(from->keys);
        const uint32_t next = u32x8_least(keys);
        u32x8_store(from->keys, keys_without(keys, next));
        from->next = next;
        w->top -= next > w->last;
        if (key <= w->last) return &nodes[from->node->child[key & 7]];
    }
    return NULL;
}

static void walk_ray(const cm_mesh *mesh, cm_vec3 origin, cm_vec3 direction, cm__mesh_ray_job *job) {
    const cm__wide_node *nodes = (const cm__wide_node *)cm__mesh_at(mesh, mesh->rays), *n = nodes;
    ray_walk w;
    if (!walk_start(&w, mesh, origin, direction, job)) return;
    while (n) {
        u32x8 keys;
        const unsigned leaves = walk_open(&w, n, &keys) & n->leaves;
        const u32x8 inner = keys_in(keys, n->inner);
        if (leaves != 0) {
            walk_fetch_leaves(mesh, n, leaves);
            if (!walk_leaves(&w, mesh, n, keys)) return;
        }
        const uint32_t key = u32x8_least(inner);
        /* a node entered exactly at the limit, by a time rounded down, holds nothing before it */
        n = key <= w.last ? walk_take(&w, nodes, n, inner, key) : walk_later(&w, nodes);
    }
}

/* --- many rays --------------------------------------------------------------------------------------------------- */

/* One of several rays that go side by side. Below what it keeps for later lies an entry without lanes. */
typedef struct walk_turn {
    ray_walk walk;
    const cm__wide_node *node; /* comes next, and is being loaded */
} walk_turn;

/* Leaves that are being loaded. */
typedef struct turn_leaves {
    walk_turn *turn;
    const cm__wide_node *node;
    unsigned lanes;
    uint32_t keys[CM__WIDE];
} turn_leaves;

typedef struct walk_group {
    const cm_mesh *mesh;
    const cm__wide_node *nodes;
    cm__mesh_ray_job *jobs;
    uint32_t count, next;      /* of the jobs */
    int going, ended, waiting; /* how many: */
    walk_turn *turn[WALK_GROUP], *end[WALK_GROUP];
    turn_leaves leaf[WALK_GROUP];
} walk_group;

/* Begins the next ray that may meet something. */
static inline void group_begin(walk_group *g, walk_turn *t) {
    while (g->next < g->count) {
        cm__mesh_ray_job *job = &g->jobs[g->next++];
        if (!walk_start(&t->walk, g->mesh, job->origin, job->direction, job)) continue;
        t->node = g->nodes;
        t->walk.stack[0].next = UINT32_MAX, t->walk.stack[0].node = g->nodes;
        memset(t->walk.stack[0].keys, 0xff, sizeof t->walk.stack[0].keys);
        t->walk.top = 1;
        g->turn[g->going++] = t;
        return;
    }
}

/* What comes next of all that was kept; NULL: nothing is left. */
static inline const cm__wide_node *turn_later(ray_walk *w, const cm__wide_node *nodes) {
    for (;;) {
        walk_pending *from = &w->stack[--w->top];
        const u32x8 keys = u32x8_load(from->keys);
        const uint32_t key = u32x8_least(keys);
        const bool left = key <= w->last;
        u32x8_store(from->keys, keys_without(keys, key));
        from->next &= ~(1u << (key & 7));
        w->top += left & (from->next != 0);
        if (left) return &nodes[from->node->child[key & 7]];
        if (w->top == 0) return NULL;
    }
}

/* One node of each ray. All that is met is kept for later and taken from there: whether that is nothing, one child or
 * several makes no difference, as no jump on it could be predicted. */
static inline void group_open(walk_group *g) {
    const int n = g->going;
    g->going = 0, g->waiting = 0;
    for (int i = 0; i < n; ++i) {
        walk_turn *t = g->turn[i];
        ray_walk *w = &t->walk;
        walk_pending *later = &w->stack[w->top];
        u32x8 keys;
        const unsigned met = walk_open(w, t->node, &keys), leaves = met & t->node->leaves, inner = met & t->node->inner;
        turn_leaves *leaf = &g->leaf[g->waiting];
        leaf->turn = t, leaf->node = t->node, leaf->lanes = leaves;
        u32x8_store(leaf->keys, keys);
        g->waiting += leaves != 0;
        u32x8_store(later->keys, keys_in(keys, inner));
        later->node = t->node, later->next = inner;
        w->top += inner != 0;
        t->node = turn_later(w, g->nodes);
        g->turn[g->going] = g->end[g->ended] = t;
        g->going += t->node != NULL, g->ended += t->node == NULL;
        walk_fetch_node(t->node ? t->node : g->nodes);
    }
}

static void walk_rays(const cm_mesh *mesh, cm__mesh_ray_job *jobs, uint32_t count) {
    walk_turn turns[WALK_GROUP];
    turn_leaves before[WALK_GROUP];
    walk_group g;
    g.mesh = mesh, g.nodes = (const cm__wide_node *)cm__mesh_at(mesh, mesh->rays);
    g.jobs = jobs, g.count = count, g.next = 0;
    g.going = g.ended = 0;
    for (int i = 0; i < WALK_GROUP; ++i) group_begin(&g, &turns[i]);
    while (g.going > 0) {
        group_open(&g);
        const int waiting = g.waiting;
        for (int i = 0; i < waiting; ++i) {
            before[i] = g.leaf[i];
            walk_fetch_leaves(mesh, before[i].node, before[i].lanes);
        }
        group_open(&g); /* while they are loaded; of none: nothing waits then */
        for (int i = 0; i < waiting; ++i) {
            ray_walk *w = &before[i].turn->walk;
            if (!walk_leaves(w, mesh, before[i].node, u32x8_load(before[i].keys))) walk_end(w);
        }
        for (int i = 0; i < g.waiting; ++i) {
            ray_walk *w = &g.leaf[i].turn->walk;
            walk_fetch_leaves(mesh, g.leaf[i].node, g.leaf[i].lanes);
            if (!walk_leaves(w, mesh, g.leaf[i].node, u32x8_load(g.leaf[i].keys))) walk_end(w);
        }
        for (int i = 0; i < g.ended; ++i) group_begin(&g, g.end[i]);
        g.ended = 0;
    }
}

const cm__mesh_kernel MESH_KERNEL_TABLE = {MESH_KERNEL_NAME, walk_ray, walk_rays};
