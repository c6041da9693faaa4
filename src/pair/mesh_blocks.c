/* Which groups of a few neighboring triangles of two meshes a plane separates.
 *
 * Surfaces that nearly coincide, like a shell over a shell, are near each other everywhere. There the boxes of a few
 * triangles that lie oblique to the axes overlap although the surfaces have a gap: between two balls of 100,000
 * triangles, 300,000 pairs of leaves and 1.2 million pairs of triangles. But a few neighboring triangles are nearly
 * flat, so a plane across their mean normal, or across that of the other mesh's triangles, separates the two groups:
 * one test for eight triangles against eight. A search for the nearest triangles skips what is farther apart along that
 * normal than the nearest pair so far.
 *
 * A block is never separated wrongly. Corners are measured along a direction n in floats, from one corner of the block,
 * so that rounding is relative to the block's size: the difference, three products and two sums lose less than 8 half
 * ulps of `reach` times |n|_1, and B's n another one. The two origins are compared in double. The posed points are off
 * their exact place by at most cm__place_error, and so is the posed origin. Blocks larger than 1e15, or both smaller
 * than 1e-15, are not tested, since their squares leave the range of floats.
 *
 * Based on: [Gottschalk96] a separating direction. */
#include "pair/mesh_blocks.h"

#include "math/round.h"
#include "mesh/leaf.h"

/* Four numbers, less `from`, in floats. */
static f32x4 block_less(real4 x, double from) {
#if defined(CAROM_F64)
    const f64x2 less = f64x2_all(from);
    return f32x4_of_f64(f64x2_sub(x.low, less), f64x2_sub(x.high, less));
#else
    return f32x4_sub(x, f32x4_all((float)from));
#endif
}

/* Of each of three vectors the four lanes' sum, least or most: together in one. */
static void block_across(const f32x4 of[3], f32x4 rows[4]) {
    for (int k = 0; k < 3; ++k) rows[k] = of[k];
    rows[3] = f32x4_all(0);
    f32x4_transpose(rows);
}
static f32x4 block_sum(const f32x4 of[3]) {
    f32x4 r[4];
    block_across(of, r);
    return f32x4_add(f32x4_add(r[0], r[1]), f32x4_add(r[2], r[3]));
}
static f32x4 block_least(const f32x4 of[3]) {
    f32x4 r[4];
    block_across(of, r);
    return f32x4_min(f32x4_min(r[0], r[1]), f32x4_min(r[2], r[3]));
}
static f32x4 block_most(const f32x4 of[3]) {
    f32x4 r[4];
    block_across(of, r);
    return f32x4_max(f32x4_max(r[0], r[1]), f32x4_max(r[2], r[3]));
}

/* The box of its corners, and the sum of the triangles' normals, of length 1. */
static void block_measure(cm__mesh_block *block) {
    f32x4 sum[3], least[3], most[3];
    for (int k = 0; k < 3; ++k) sum[k] = least[k] = most[k] = f32x4_all(0); /* the origin is one of its corners */
    for (int h = 0; h < 2; ++h) {
        f32x4 u[3], v[3];
        for (int k = 0; k < 3; ++k) {
            const f32x4 p = block->at[h][0][k], q = block->at[h][1][k], r = block->at[h][2][k];
            u[k] = f32x4_sub(q, p), v[k] = f32x4_sub(r, p);
            least[k] = f32x4_min(f32x4_min(p, q), f32x4_min(r, least[k]));
            most[k] = f32x4_max(f32x4_max(p, q), f32x4_max(r, most[k]));
        }
        for (int k = 0; k < 3; ++k) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            sum[k] = f32x4_add(sum[k], f32x4_sub(f32x4_mul(u[i], v[j]), f32x4_mul(u[j], v[i])));
        }
    }
    const f32x4 low = block_least(least), high = block_most(most);
    f32x4_store(block->low, low);
    f32x4_store(block->high, high);
    block->reach = f32x4_most(f32x4_max(high, f32x4_sub(f32x4_all(0), low)));
    const f32x4 all = block_sum(sum);
    float n[4];
    f32x4_store(n, all);
    const float length =
        (float)sqrt((double)n[0] * (double)n[0] + (double)n[1] * (double)n[1] + (double)n[2] * (double)n[2]);
    /* 1e-30 and 1e30, here and below: products of a coordinate and a unit normal stay in the range of a float */
    f32x4_store(block->normal, f32x4_mul(all, f32x4_all(length > 1e-30f && length < 1e30f ? 1 / length : 0)));
}

void cm__mesh_shelf_open(cm__mesh_shelf *shelf, const cm_mesh *mesh) {
    shelf->mesh = mesh;
    for (int i = 0; i < CM__MESH_BLOCKS_KEPT; ++i) shelf->first[i] = CM_NONE, shelf->older[i / 2] = 0;
}

const cm__mesh_block *cm__mesh_shelf_block(cm__mesh_shelf *shelf, const cm__bvh_leaf *of) {
    const cm_mesh *mesh = shelf->mesh;
    static const uint32_t used[16] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};
    const cm__mesh_seat at = cm__mesh_seats(mesh)[of->first];
    const uint32_t first = cm__mesh_leaf_first(at, of->first), count = cm__mesh_leaf_count(at);
    if (of->first + of->count > first + count) return NULL;
    /* what is next to each other in the tree is asked for together, and has 4 places or more a block; in which of its
     * two seats a block is, nothing could predict */
    const uint32_t seats = first / 4 % (CM__MESH_BLOCKS_KEPT / 2), second = shelf->first[2 * seats] != first;
    if (shelf->first[2 * seats + second] == first) return &shelf->kept[2 * seats + second];
    const uint32_t slot = 2 * seats + shelf->older[seats];
    cm__mesh_block *block = &shelf->kept[slot];
    shelf->older[seats] ^= 1u;
    block->first = shelf->first[slot] = first, block->count = count;
    cm__mesh_leaf leaf;
    cm__mesh_leaf_at(mesh, first, first, count, &leaf);
    block->origin = cm__point_of(leaf.vertices[leaf.seats->corner[0]]);
    const u32x4 here[2] = {u32x4_load(&used[8 - count]), u32x4_load(&used[12 - count])};
    for (uint32_t h = 0; h < 2; ++h) {
        real4_points corner[3];
        cm__mesh_leaf_corners(&leaf, 4 * h, corner);
        for (int c = 0; c < 3; ++c) {
            block->at[h][c][0] = f32x4_where(here[h], block_less(corner[c].x, block->origin.x));
            block->at[h][c][1] = f32x4_where(here[h], block_less(corner[c].y, block->origin.y));
            block->at[h][c][2] = f32x4_where(here[h], block_less(corner[c].z, block->origin.z));
        }
    }
    block_measure(block);
    return block;
}

/* How far the block reaches along a direction, and against it, from its origin. */
static void block_along(const cm__mesh_block *block, const float n[3], float *low, float *high) {
    const f32x4 x = f32x4_all(n[0]), y = f32x4_all(n[1]), z = f32x4_all(n[2]);
    f32x4 most = f32x4_all(0), least = most; /* the origin is one of them */
    for (int h = 0; h < 2; ++h)
        for (int c = 0; c < 3; ++c) {
            const f32x4 *p = block->at[h][c];
            const f32x4 at = f32x4_add(f32x4_add(f32x4_mul(x, p[0]), f32x4_mul(y, p[1])), f32x4_mul(z, p[2]));
            most = f32x4_max(at, most), least = f32x4_min(at, least);
        }
    *high = f32x4_most(most);
    *low = -f32x4_most(f32x4_sub(f32x4_all(0), least));
}

/* What is asked of a block with all that it meets: of B's, where its origin is posed. */
static cm__block_face *block_face(cm__mesh_blocks *s, const cm__mesh_block *block, bool of_b) {
    cm__block_face *face = of_b ? &s->face_b[block - s->of_b.kept] : &s->face_a[block - s->of_a.kept];
    if (face->first == block->first) return face;
    face->first = block->first;
    face->measured = false;
    if (!of_b) return face;
    const cm__bvh_placing *placing = &s->pair->placing;
    const cm_vec3 origin = cm__vec3_of(block->origin);
    face->origin = cm__point_of(cm__mesh_posed_point(placing, origin));
    face->error = 2 * (double)cm__place_error(placing->position, cm_largest(origin) + (cm_real)block->reach);
    return face;
}

/* Its normal in both frames, and how far it reaches along that. */
static void block_face_measure(const cm__mesh_blocks *s, const cm__mesh_block *block, bool of_b, cm__block_face *face) {
    const cm_mat3 *m = &s->pair->placing.rotation;
    const cm_vec3 column[3] = {m->x, m->y, m->z};
    const float *of = block->normal;
    double n[3] = {(double)of[0], (double)of[1], (double)of[2]};
    if (of_b) {
        const cm_vec3 in_a = cm_mat3_mul(m, cm_v((cm_real)of[0], (cm_real)of[1], (cm_real)of[2]));
        n[0] = (double)in_a.x, n[1] = (double)in_a.y, n[2] = (double)in_a.z;
    }
    for (int k = 0; k < 3; ++k) {
        face->normal[k] = n[k];
        face->in_a[k] = (float)n[k];
        face->in_b[k] = (float)(n[0] * (double)column[k].x + n[1] * (double)column[k].y + n[2] * (double)column[k].z);
    }
    block_along(block, of_b ? face->in_b : face->in_a, &face->low, &face->high);
    face->measured = true;
}

/* Does a plane across the normal of A's block, or of B's, separate them by more than the bound? `apart`: from A's
 * origin to B's; `error`: of B's posed points. */
static bool blocks_separated(const cm__mesh_blocks *s, const cm__mesh_block *a, const cm__mesh_block *b,
                             const cm__block_face *face, bool by_b, cm__point apart, double error) {
    const double *n = face->normal;
    float low, high;
    block_along(by_b ? a : b, by_b ? face->in_a : face->in_b, &low, &high);
    const double low_a = (double)(by_b ? low : face->low), high_a = (double)(by_b ? high : face->high);
    const double low_b = (double)(by_b ? face->low : low), high_b = (double)(by_b ? face->high : high);
    const double between = n[0] * apart.x + n[1] * apart.y + n[2] * apart.z;
    /* |n|_1 < 2, in either frame */
    const double slack = s->bound * (1 + 0x1p-18) + 2 * error + ((double)a->reach + (double)b->reach) * 0x1p-19 +
                         fabs(between) * 0x1p-48;
    return between + low_b - high_a > slack || low_a - between - high_b > slack;
}

bool cm__mesh_blocks_apart(cm__mesh_blocks *s, const cm__bvh_leaf *of_a, const cm__bvh_leaf *of_b) {
    const cm__mesh_block *a = cm__mesh_shelf_block(&s->of_a, of_a);
    const cm__mesh_block *b = cm__mesh_shelf_block(&s->of_b, of_b);
    if (!a || !b) return false;
    if (a->first == s->last_a && b->first == s->last_b) return s->separated;
    s->last_a = a->first, s->last_b = b->first;
    s->separated = false;
    if (!(a->reach < 1e30f && b->reach < 1e30f)) return false;
    cm__block_face *of[2] = {block_face(s, a, false), block_face(s, b, true)};
    const cm__point apart = cm__point_sub(of[1]->origin, a->origin);
    for (int turn = 0; turn < 2; ++turn) {
        cm__block_face *face = of[s->by_b];
        if (!face->measured) block_face_measure(s, s->by_b ? b : a, s->by_b, face);
        if (blocks_separated(s, a, b, face, s->by_b, apart, of[1]->error)) return s->separated = true;
        s->by_b = !s->by_b;
    }
    return false;
}

void cm__mesh_blocks_open(const cm__mesh_pair *pair, cm__mesh_blocks *blocks) {
    blocks->pair = pair;
    cm__mesh_shelf_open(&blocks->of_a, pair->a);
    cm__mesh_shelf_open(&blocks->of_b, pair->b);
    for (int i = 0; i < CM__MESH_BLOCKS_KEPT; ++i) blocks->face_a[i].first = blocks->face_b[i].first = CM_NONE;
    blocks->last_a = blocks->last_b = CM_NONE;
    blocks->bound = 0;
    blocks->by_b = blocks->separated = false;
}

static bool blocks_are_apart(void *user, const cm__bvh_leaf *of_a, const cm__bvh_leaf *of_b) {
    return cm__mesh_blocks_apart(user, of_a, of_b);
}

void cm__mesh_blocks_watch(cm__mesh_blocks *blocks, cm__bvh_pair_query *walk) {
    walk->apart = blocks_are_apart;
    walk->user = blocks;
}

void cm__mesh_blocks_join(cm__mesh_blocks *blocks, const cm__mesh_pair *pair, cm__bvh_pair_query *walk) {
    cm__mesh_blocks_open(pair, blocks);
    cm__mesh_blocks_watch(blocks, walk);
}
