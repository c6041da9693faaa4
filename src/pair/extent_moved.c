/* Bounds of the depth of many triangles of X in the solid Y at once (mesh_extent.c), by moving them.
 *
 * If a point lies in a solid, and another at the distance d does not, the solid's surface passes between them: so the
 * point is no farther from it than d. A triangle of X that was moved by d, and is then wholly outside Y, has no point
 * that was deeper in Y than d. Where the surfaces of X and Y run side by side, as those of a shaft in its bearing, each
 * triangle lies over many of the other's and all are as deep to a few percent: then eight planes at a time tell this of
 * most of X's triangles, and only what is deeper than all that was found is left to mesh_extent.c.
 *
 * Wholly outside is what has a point outside, and nothing in common with Y's surface. One point is asked for all
 * triangles of up to four leaves, the hub, by a winding number; each triangle and the hub span a tetrahedron, and this
 * is parted from each triangle of Y that is near by a plane: one perpendicular to the way that the triangle went, which
 * has all corners of a leaf of Y behind it, or that of a triangle of Y. Everything that could meet one of the
 * tetrahedra meets the box that they lie in, so no triangle of Y is missed. Each triangle goes along its own normal,
 * out of Y; one that is upright on Y, as the end of the bearing on the shaft, along Y's normals there.
 *
 * Never says so wrongly, but for what the coordinates of pieces are rounded. u = 2^-24, R, A and S bound the
 * coordinates of the group's corners and hub, of the origin of Y's leaf, and of that leaf's corners from there. A
 * corner is rounded in its leaf and in the group, moved and taken to the other origin: it is off by 5 u R + 2 u A; its
 * product with a normal n loses another 3 u (R + A) |n|_1, that of Y's corner 4 u S |n|_1, their difference u (R + A +
 * S) |n|_1. In all that is less than 10 u (R + A + S) |n|_1, the slack times |n|_1. Of a way |n|_1 < 2, and its length
 * is 1 to 4 u.
 *
 * Bound: MOVED_NEAR leaves of Y for four of X. */
#include "pair/extent_moved.h"

#include "base/bits.h"
#include "math/simd.h"
#include "math/wide.h"

enum {
    MOVED_NEAR = 64, /* leaves of Y, at most */
    MOVED_CELLS = 4  /* of Y that are looked at, from the hub's own on */
};

/* What fourth powers hold of floats, and normals from which on the slack is not lost below the smallest of them. */
#define MOVED_LARGEST 1e8f
#define MOVED_LEAST   1e-10f
#define MOVED_AREA    1e-15f
#define MOVED_NORMAL  1e-25f

/* Four triangles of X, in Y's frame and from the group's origin. */
typedef struct moved_four {
    f32x4 at[3][3];          /* corner, coordinate */
    f32x4 from[3], to[3];    /* boxes of each once they are moved, and the hub */
    float way[3][4], low[4]; /* of length 1: where they are moved to; how low they and the hub are along that then */
    uint32_t free;           /* bit i: the triangle is free of all that was looked at */
} moved_four;

typedef struct moved_box {
    float low[4], high[4]; /* the last of each is 0 */
    int four, end;         /* where its triangles are, and others that are next to them in their block */
} moved_box;

typedef struct moved_group {
    moved_four four[2 * CM__MOVED_LEAVES];
    int fours;
    cm__point origin;
    float low[4], high[4], reach; /* before they are moved; the last of each is 0 */
    float hub[3];
} moved_group;

void cm__extent_moves_open(const cm__affine *x_to_y, cm__mesh_meeting *meeting, cm__extent_moves *out) {
    out->x_to_y = x_to_y;
    out->below = CM_NONE;
    out->meeting = meeting;
    out->of_x = meeting_shelf(meeting, true), out->of_y = meeting_shelf(meeting, false);
}

static f32x4 four_dot(const f32x4 a[3], const f32x4 b[3]) {
    return f32x4_add(f32x4_add(f32x4_mul(a[0], b[0]), f32x4_mul(a[1], b[1])), f32x4_mul(a[2], b[2]));
}
static f32x4 four_dot_all(const f32x4 a[3], const float b[3]) {
    return f32x4_add(f32x4_add(f32x4_mul(a[0], f32x4_all(b[0])), f32x4_mul(a[1], f32x4_all(b[1]))),
                     f32x4_mul(a[2], f32x4_all(b[2])));
}
static f32x4 four_min(f32x4 a, f32x4 b, f32x4 c) { return f32x4_min(f32x4_min(a, b), c); }
static f32x4 four_max(f32x4 a, f32x4 b, f32x4 c) { return f32x4_max(f32x4_max(a, b), c); }
static float four_least(f32x4 a) { return -f32x4_most(f32x4_sub(f32x4_all(0), a)); }
/* Of each of three vectors the least lane, or the most, together in one, with `last`. */
static f32x4 four_least_of(const f32x4 of[3], f32x4 last) {
    f32x4 r[4] = {of[0], of[1], of[2], last};
    f32x4_transpose(r);
    return f32x4_min(f32x4_min(r[0], r[1]), f32x4_min(r[2], r[3]));
}
static f32x4 four_most_of(const f32x4 of[3], f32x4 last) {
    f32x4 r[4] = {of[0], of[1], of[2], last};
    f32x4_transpose(r);
    return f32x4_max(f32x4_max(r[0], r[1]), f32x4_max(r[2], r[3]));
}

static f64x2 moved_row(const double m[3], double shift, f64x2 x, f64x2 y, f64x2 z) {
    const f64x2 along_x = f64x2_mul(f64x2_all(m[0]), x), along_y = f64x2_mul(f64x2_all(m[1]), y);
    const f64x2 along_z = f64x2_mul(f64x2_all(m[2]), z);
    return f64x2_add(f64x2_add(f64x2_add(along_x, along_y), along_z), f64x2_all(shift));
}
static f64x2 moved_high(f32x4 a) { return f64x2_of_f32(f32x4_pick(a, 2, 3, 0, 1)); }

/* A mask of the lanes whose bits are set. */
static u32x4 moved_lanes(uint32_t bits) {
    return u32x4_of(0u - (bits & 1), 0u - (bits >> 1 & 1), 0u - (bits >> 2 & 1), 0u - (bits >> 3 & 1));
}

/* Those of a block of X whose bits are set, in Y's frame: rounded once. */
static void moved_place(const cm__affine *x_to_y, const cm__mesh_block *block, uint32_t of, moved_group *g,
                        moved_box *box) {
    const cm__point origin = cm__affine_apply(x_to_y, block->origin);
    if (g->fours == 0) g->origin = origin;
    const double shift[3] = {origin.x - g->origin.x, origin.y - g->origin.y, origin.z - g->origin.z};
    f32x4 low[3], high[3];
    for (int k = 0; k < 3; ++k) low[k] = f32x4_all(FLT_MAX), high[k] = f32x4_all(-FLT_MAX);
    box->four = g->fours;
    for (uint32_t h = 0; h < 2; ++h) {
        if ((of >> 4 * h & 15) == 0) continue;
        moved_four *f = &g->four[g->fours++];
        f->free = of >> 4 * h & 15;
        for (int c = 0; c < 3; ++c) {
            const f32x4 *p = block->at[h][c];
            for (int k = 0; k < 3; ++k)
                f->at[c][k] = f32x4_of_f64(
                    moved_row(x_to_y->m[k], shift[k], f64x2_of_f32(p[0]), f64x2_of_f32(p[1]), f64x2_of_f32(p[2])),
                    moved_row(x_to_y->m[k], shift[k], moved_high(p[0]), moved_high(p[1]), moved_high(p[2])));
        }
        const u32x4 here = moved_lanes(f->free);
        for (int k = 0; k < 3; ++k) {
            const f32x4 least = four_min(f->at[0][k], f->at[1][k], f->at[2][k]);
            const f32x4 most = four_max(f->at[0][k], f->at[1][k], f->at[2][k]);
            low[k] = f32x4_min(f32x4_select(here, least, f32x4_all(FLT_MAX)), low[k]);
            high[k] = f32x4_max(f32x4_select(here, most, f32x4_all(-FLT_MAX)), high[k]);
        }
    }
    box->end = g->fours;
    const f32x4 least = four_least_of(low, f32x4_all(0)), most = four_most_of(high, f32x4_all(0));
    f32x4_store(box->low, least);
    f32x4_store(box->high, most);
    f32x4_store(g->low, f32x4_min(least, f32x4_load(g->low)));
    f32x4_store(g->high, f32x4_max(most, f32x4_load(g->high)));
}

/* Each triangle goes along its own normal, where that is not far from Y's; along Y's where it is. */
static cm_vec3 moved_go(moved_group *g, const float along[3], float far) {
    const float center[3] = {0.5f * (g->low[0] + g->high[0]), 0.5f * (g->low[1] + g->high[1]),
                             0.5f * (g->low[2] + g->high[2])};
    float lift = 0;
    for (int h = 0; h < g->fours; ++h) {
        moved_four *f = &g->four[h];
        f32x4 u[3], v[3], n[3];
        for (int k = 0; k < 3; ++k)
            u[k] = f32x4_sub(f->at[1][k], f->at[0][k]), v[k] = f32x4_sub(f->at[2][k], f->at[0][k]);
        for (int k = 0; k < 3; ++k) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            n[k] = f32x4_sub(f32x4_mul(u[i], v[j]), f32x4_mul(u[j], v[i]));
        }
        const f32x4 length = f32x4_sqrt(four_dot(n, n)), slope = four_dot_all(n, along);
        const u32x4 steep = f32x4_gt(f32x4_abs(slope), f32x4_mul(f32x4_all(0.8f), length));
        const u32x4 own = u32x4_and(steep, f32x4_gt(length, f32x4_all(MOVED_AREA)));
        const f32x4 scale = f32x4_div(f32x4_select(f32x4_gt(slope, f32x4_all(0)), f32x4_all(1), f32x4_all(-1)), length);
        f32x4 way[3];
        for (int k = 0; k < 3; ++k) way[k] = f32x4_select(own, f32x4_mul(n[k], scale), f32x4_all(along[k]));
        f32x4 low = four_min(four_dot(f->at[0], way), four_dot(f->at[1], way), four_dot(f->at[2], way));
        low = f32x4_add(low, f32x4_all(far));
        const f32x4 above = f32x4_sub(low, four_dot_all(way, center));
        const f32x4 rises = f32x4_div(above, four_dot_all(way, along));
        const float rise = f32x4_most(f32x4_where(moved_lanes(f->free), rises));
        lift = rise > lift ? rise : lift;
        for (int k = 0; k < 3; ++k) {
            const f32x4 step = f32x4_mul(f32x4_all(far), way[k]);
            for (int c = 0; c < 3; ++c) f->at[c][k] = f32x4_add(f->at[c][k], step);
            f32x4_store(f->way[k], way[k]);
        }
        f32x4_store(f->low, low);
    }
    const double origin[3] = {g->origin.x, g->origin.y, g->origin.z};
    double at[3];
    for (int k = 0; k < 3; ++k) at[k] = origin[k] + (double)(center[k] + lift * along[k]);
    const cm_vec3 hub = cm__vec3_of(cm__p(at[0], at[1], at[2]));
    const double rounded[3] = {(double)hub.x, (double)hub.y, (double)hub.z};
    for (int k = 0; k < 3; ++k) g->hub[k] = (float)(rounded[k] - origin[k]);
    for (int h = 0; h < g->fours; ++h) {
        moved_four *f = &g->four[h];
        f32x4 way[3];
        for (int k = 0; k < 3; ++k) way[k] = f32x4_load(f->way[k]);
        f32x4_store(f->low, f32x4_min(four_dot_all(way, g->hub), f32x4_load(f->low)));
        for (int k = 0; k < 3; ++k) {
            const f32x4 all = f32x4_all(g->hub[k]);
            f->from[k] = f32x4_min(four_min(f->at[0][k], f->at[1][k], f->at[2][k]), all);
            f->to[k] = f32x4_max(four_max(f->at[0][k], f->at[1][k], f->at[2][k]), all);
        }
    }
    return hub;
}

/* Is triangle i of the four, with the hub, beyond all of Y's block along its way? */
static bool moved_beyond(const moved_four *f, uint32_t i, const cm__mesh_block *y, const float apart[3], float slack) {
    const float way[3] = {f->way[0][i], f->way[1][i], f->way[2][i]};
    f32x4 high = f32x4_all(0); /* the origin is one of its corners */
    for (uint32_t h = 0; h < 2 && 4 * h < y->count; ++h)
        for (int c = 0; c < 3; ++c) high = f32x4_max(four_dot_all(y->at[h][c], way), high);
    const float least = f->low[i] - (way[0] * apart[0] + way[1] * apart[1] + way[2] * apart[2]) - 3 * slack;
    return u32x4_mask(f32x4_ge(f32x4_all(least), high)) == 15;
}

/* Is triangle i of the four, with the hub, parted from all of Y's block by the planes of its triangles? */
static bool moved_parted(const moved_group *g, const moved_four *f, uint32_t i, const cm__mesh_block *y,
                         const float apart[3], float slack) {
    float point[4][3];
    for (int k = 0; k < 3; ++k) {
        for (int c = 0; c < 3; ++c) {
            float lanes[4];
            f32x4_store(lanes, f->at[c][k]);
            point[c][k] = lanes[i] - apart[k];
        }
        point[3][k] = g->hub[k] - apart[k];
    }
    for (uint32_t h = 0; h < 2 && 4 * h < y->count; ++h) {
        f32x4 u[3], v[3], n[3];
        const f32x4(*q)[3] = y->at[h];
        for (int k = 0; k < 3; ++k) u[k] = f32x4_sub(q[1][k], q[0][k]), v[k] = f32x4_sub(q[2][k], q[0][k]);
        for (int k = 0; k < 3; ++k) {
            const int r = (k + 1) % 3, s = (k + 2) % 3;
            n[k] = f32x4_sub(f32x4_mul(u[r], v[s]), f32x4_mul(u[s], v[r]));
        }
        f32x4 low = four_dot_all(n, point[0]), high = low;
        for (int c = 1; c < 4; ++c) {
            const f32x4 at = four_dot_all(n, point[c]);
            low = f32x4_min(at, low), high = f32x4_max(at, high);
        }
        const f32x4 p = four_dot(n, q[0]), r = four_dot(n, q[1]), s = four_dot(n, q[2]);
        const f32x4 size = f32x4_add(f32x4_add(f32x4_abs(n[0]), f32x4_abs(n[1])), f32x4_abs(n[2]));
        const f32x4 room = f32x4_mul(f32x4_all(slack), size);
        const u32x4 over = f32x4_gt(f32x4_sub(low, four_max(p, r, s)), room);
        const u32x4 under = f32x4_gt(f32x4_sub(four_min(p, r, s), high), room);
        uint32_t parted = u32x4_mask(u32x4_and(u32x4_or(over, under), f32x4_gt(size, f32x4_all(MOVED_NORMAL))));
        if (4 * h + 4 > y->count) parted |= 15u << (y->count - 4 * h);
        if ((parted & 15u) != 15u) return false;
    }
    return true;
}

/* Holds all of the group against a block of Y. */
static void moved_ask(moved_group *g, const cm__mesh_block *y, const float apart[3], float slack) {
    f32x4 low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = f32x4_all(apart[k] + y->low[k] - slack);
        high[k] = f32x4_all(apart[k] + y->high[k] + slack);
    }
    uint32_t near = 0; /* bit 4 h + i: triangle i of four h */
    for (int h = 0; h < g->fours; ++h) {
        const moved_four *f = &g->four[h];
        u32x4 meet = u32x4_and(f32x4_ge(f->to[0], low[0]), f32x4_ge(high[0], f->from[0]));
        for (int k = 1; k < 3; ++k)
            meet = u32x4_and(meet, u32x4_and(f32x4_ge(f->to[k], low[k]), f32x4_ge(high[k], f->from[k])));
        near |= (u32x4_mask(meet) & f->free) << 4 * h;
    }
    for (; near != 0; near &= near - 1) { /* one loop: how many there are of a four, nothing could predict */
        const uint32_t at = (uint32_t)bits_lowest(near), i = at % 4;
        moved_four *f = &g->four[at / 4];
        if (!moved_beyond(f, i, y, apart, slack) && !moved_parted(g, f, i, y, apart, slack)) f->free &= ~(1u << i);
    }
}

/* A leaf of Y that is near the group, and its block, if that is still on the shelf. */
typedef struct moved_leaf {
    cm__bvh_leaf leaf;
    const cm__mesh_block *block;
    uint32_t first; /* of the block */
    float apart[4]; /* from the group's origin to the block's, and 0 */
    float slack;
} moved_leaf;

static const cm__mesh_block *moved_block(cm__extent_moves *m, const moved_leaf *near) {
    return near->block->first == near->first ? near->block : cm__mesh_shelf_block(m->of_y, &near->leaf);
}

/* Leaves of Y that are near the group, one a block, and the direction out of Y there. */
static int moved_near(cm__extent_moves *m, const moved_group *g, const cm_aabb *box, moved_leaf near[MOVED_NEAR],
                      float along[3]) {
    const cm__bvh tree = cm__mesh_tree(m->of_y->mesh);
    cm__bvh_box_query q;
    /* By place on the shelf: the block that was listed from there. One that had to leave the shelf and was read again
     * is listed twice, and counts twice in the mean direction. */
    uint32_t taken[CM__MESH_BLOCKS_KEPT];
    memset(taken, 0xff, sizeof taken); /* CM_NONE */
    int count = 0;
    double sum[3] = {0, 0, 0};
    cm__bvh_box_start(&q, &tree, box);
    while (cm__bvh_box_next(&q, &near[count].leaf)) {
        const cm__mesh_block *y = cm__mesh_shelf_block(m->of_y, &near[count].leaf);
        if (!y || !(y->reach < MOVED_LARGEST)) return 0;
        uint32_t *listed = &taken[y - m->of_y->kept];
        if (*listed == y->first) continue;
        *listed = y->first;
        const cm__point from = cm__point_sub(y->origin, g->origin);
        moved_leaf *leaf = &near[count];
        leaf->block = y, leaf->first = y->first;
        leaf->apart[0] = (float)from.x, leaf->apart[1] = (float)from.y, leaf->apart[2] = (float)from.z;
        leaf->apart[3] = 0;
        leaf->slack = (g->reach + y->reach + (float)cm__point_largest(from)) * 0x1.4p-21f;
        if (++count == MOVED_NEAR) return 0;
        for (int k = 0; k < 3; ++k) sum[k] += (double)y->normal[k];
    }
    const double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    if (!(length > 0.5)) return 0; /* a sum of unit normals: there is no one way out where they cancel */
    m->below = tree.items[near[0].leaf.first];
    for (int k = 0; k < 3; ++k) along[k] = (float)(sum[k] / length);
    return count;
}

/* How low and how high a block of Y reaches along its normal, from the group's origin: at most, as far as it is rounded
 * (the slack times |n|_1 < 2, as above) and as posed points are off their places. */
typedef struct moved_span {
    float low, high;
} moved_span;

static void moved_span_of(const cm__mesh_block *y, const float apart[3], float slack, moved_span *out) {
    f32x4 high = f32x4_all(0), low = high; /* the origin is one of its corners */
    for (uint32_t h = 0; h < 2 && 4 * h < y->count; ++h)
        for (int c = 0; c < 3; ++c) {
            const f32x4 at = four_dot_all(y->at[h][c], y->normal);
            high = f32x4_max(at, high), low = f32x4_min(at, low);
        }
    const float at = y->normal[0] * apart[0] + y->normal[1] * apart[1] + y->normal[2] * apart[2];
    out->low = at + four_least(low) - slack, out->high = at + f32x4_most(high) + slack;
}

/* Is none of Y's triangles between two points? Where a block's box does not tell, a plane across its normal may. */
static bool moved_sees(cm__extent_moves *m, const moved_group *g, cm_vec3 from, cm_vec3 to) {
    static const float none[3] = {0, 0, 0};
    const cm__bvh tree = cm__mesh_tree(m->of_y->mesh);
    const cm_aabb box = {cm_vec3_min(from, to), cm_vec3_max(from, to)};
    cm__bvh_box_query q;
    cm__bvh_leaf leaf;
    cm__bvh_box_start(&q, &tree, &box);
    while (cm__bvh_box_next(&q, &leaf)) {
        const cm__mesh_block *y = cm__mesh_shelf_block(m->of_y, &leaf);
        if (!y || !(y->reach < MOVED_LARGEST)) return false;
        const cm__point a = cm__point_sub(cm__point_of(from), y->origin);
        const cm__point b = cm__point_sub(cm__point_of(to), y->origin);
        const float *n = y->normal;
        const float at_a = n[0] * (float)a.x + n[1] * (float)a.y + n[2] * (float)a.z;
        const float at_b = n[0] * (float)b.x + n[1] * (float)b.y + n[2] * (float)b.z;
        const float reach = g->reach + y->reach + (float)wide_max(cm__point_largest(a), cm__point_largest(b));
        moved_span span; /* from the block's own origin */
        moved_span_of(y, none, 3 * reach * 0x1.4p-21f, &span);
        if (!(at_a > span.high && at_b > span.high) && !(at_a < span.low && at_b < span.low)) return false;
    }
    return true;
}

/* How often Y winds around the hub. Away from Y, a cell or two on, there is mostly one without triangles (cells.c): if
 * none is on the way, either, Y winds around the hub as it does there, which a ray through Y takes longer to tell. */
static int moved_winding(cm__extent_moves *m, const moved_group *g, cm_vec3 hub, const float along[3]) {
    const cm_mesh *y = m->of_y->mesh;
    int k = fabsf(along[0]) > fabsf(along[1]) ? 0 : 1;
    if (fabsf(along[2]) > fabsf(along[k])) k = 2;
    cm_real to[3] = {hub.x, hub.y, hub.z};
    for (int step = 0; step < MOVED_CELLS && y->cells_per[k] > 0; ++step) {
        const cm_vec3 end = cm_v(to[0], to[1], to[2]);
        const cm_aabb at = {end, end};
        const int there = cm_aabb_overlaps(&y->info.bounds, &at) ? cm__mesh_cell_winding(y, end) : 0;
        if (there != CM__MESH_MIXED) {
            if (moved_sees(m, g, hub, end)) return there;
            break;
        }
        to[k] += (cm_real)((along[k] > 0 ? 1 : -1) / y->cells_per[k]);
    }
    return cm_mesh_winding(y, hub, NULL);
}

/* Does a plane across the normal of Y's block part it from the leaf's? */
static bool moved_off(const moved_group *g, const moved_box *box, const cm__mesh_block *y, const moved_span *span) {
    const moved_four *first = &g->four[box->four], *last = &g->four[box->end - 1]; /* the same where it has one */
    f32x4 high = f32x4_all(-FLT_MAX), low = f32x4_all(FLT_MAX);
    for (int c = 0; c < 3; ++c) {
        const f32x4 at = four_dot_all(first->at[c], y->normal), too = four_dot_all(last->at[c], y->normal);
        high = four_max(at, too, high), low = four_min(at, too, low);
    }
    return u32x4_mask(f32x4_gt(f32x4_all(span->low), high)) == 15 ||
           u32x4_mask(f32x4_gt(low, f32x4_all(span->high))) == 15;
}

/* Holds the leaves, where they are, against each block of Y that is near. `room`: by so much the box around them was
 * grown in which all of Y that is near was looked for. */
static void moved_meet(cm__extent_moves *m, const moved_group *g, const cm__bvh_leaf *leaf, const moved_box *box,
                       int leaves, const moved_leaf *near, int count, double room) {
    cm__mesh_meeting *meeting = m->meeting;
    if (!(room > 2 * meeting->error)) return;
    const float error = (float)meeting->error;
    moved_span span[MOVED_NEAR];
    /* Pairs of a leaf and a block whose boxes meet. They are listed without a branch, as none could be predicted. */
    uint16_t both[CM__MOVED_LEAVES * (MOVED_NEAR + 1)];
    int pairs = 0;
    for (int k = 0; k < count; ++k) {
        const cm__mesh_block *y = moved_block(m, &near[k]);
        const f32x4 at = f32x4_load(near[k].apart), slack = f32x4_all(near[k].slack + error);
        const f32x4 low = f32x4_sub(f32x4_add(at, f32x4_load(y->low)), slack);
        const f32x4 high = f32x4_add(f32x4_add(at, f32x4_load(y->high)), slack);
        for (int l = 0; l < CM__MOVED_LEAVES; ++l) {
            both[pairs] = (uint16_t)(CM__MOVED_LEAVES * k + l);
            pairs += u32x4_mask(u32x4_and(f32x4_ge(high, f32x4_load(box[l].low)),
                                          f32x4_ge(f32x4_load(box[l].high), low))) == 15;
        }
        moved_span_of(y, near[k].apart, 3 * near[k].slack + error, &span[k]);
    }
    for (int p = 0; p < pairs; ++p) {
        const int k = both[p] / CM__MOVED_LEAVES, l = both[p] % CM__MOVED_LEAVES;
        if (!moved_off(g, &box[l], moved_block(m, &near[k]), &span[k]))
            cm__mesh_meeting_ask(meeting, &leaf[l], &near[k].leaf);
    }
    for (int l = 0; l < leaves; ++l) meeting->apart += leaf[l].count;
}

void cm__extent_moved(cm__extent_moves *m, const cm__bvh_leaf leaf[CM__MOVED_LEAVES], int leaves, double far,
                      bool outside, bool first, uint32_t settled[CM__MOVED_LEAVES]) {
    moved_group g;
    moved_box boxes[CM__MOVED_LEAVES];
    memset(boxes, 0xff, sizeof boxes); /* NaN: of a leaf that there is not, a box that meets none */
    int known = 0;                     /* leaves that have a block */
    int four[CM__MOVED_LEAVES];
    uint32_t seat[CM__MOVED_LEAVES];
    g.fours = 0;
    g.origin = cm__p(0, 0, 0);
    for (int k = 0; k < 4; ++k) g.low[k] = FLT_MAX, g.high[k] = -FLT_MAX;
    for (int l = 0; l < leaves; ++l) {
        settled[l] = 0;
        four[l] = -1;
        const cm__mesh_block *x = cm__mesh_shelf_block(m->of_x, &leaf[l]);
        if (!x || !(x->reach < MOVED_LARGEST)) continue;
        four[l] = g.fours;
        seat[l] = leaf[l].first - x->first;
        moved_place(m->x_to_y, x, ((1u << leaf[l].count) - 1) << seat[l], &g, &boxes[l]);
        ++known;
    }
    double low[3], high[3];
    const double origin[3] = {g.origin.x, g.origin.y, g.origin.z};
    g.reach = 0;
    for (int k = 0; k < 3; ++k) {
        if (g.high[k] > g.reach) g.reach = g.high[k];
        if (-g.low[k] > g.reach) g.reach = -g.low[k];
    }
    const double room = 1.25 * far + 0x1p-5 * (double)g.reach +
                        4 * (double)CM_REAL_EPSILON * (cm__point_largest(g.origin) + (double)g.reach);
    g.reach += (float)room;
    if (g.fours == 0 || !(g.reach > MOVED_LEAST && g.reach < MOVED_LARGEST)) return;
    for (int k = 0; k < 3; ++k) {
        low[k] = origin[k] + (double)g.low[k] - room;
        high[k] = origin[k] + (double)g.high[k] + room;
    }
    const cm_aabb box = {cm__vec3_of(cm__p(low[0], low[1], low[2])), cm__vec3_of(cm__p(high[0], high[1], high[2]))};
    moved_leaf near[MOVED_NEAR];
    float along[3];
    const int count = moved_near(m, &g, &box, near, along);
    if (count == 0) return;
    if (m->meeting->asks && first && known == leaves) moved_meet(m, &g, leaf, boxes, leaves, near, count, room);
    for (int k = 0; k < 3; ++k) along[k] = outside ? -along[k] : along[k];
    const cm_vec3 hub = moved_go(&g, along, (float)(far * (1 - 0x1p-20)));
    const cm_aabb at = {hub, hub};
    if (!cm_aabb_overlaps(&at, &box) || (moved_winding(m, &g, hub, along) != 0) != outside) return;
    for (int k = 0; k < count; ++k) moved_ask(&g, moved_block(m, &near[k]), near[k].apart, near[k].slack);
    for (int l = 0; l < leaves; ++l) {
        if (four[l] < 0) continue;
        const uint32_t lane = seat[l] % 4;
        const uint32_t free = g.four[four[l]].free | (lane + leaf[l].count > 4 ? g.four[four[l] + 1].free << 4 : 0u);
        settled[l] = free >> lane;
    }
}
