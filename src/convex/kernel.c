/* The search of gauss_map.c in cm_real and two hulls' support points, compiled once per instruction set (see
 * broad/kernel.c). What the search leaves is measured in double, and what it rules out is ruled out by more than
 * rounding, so the answer is the same from all of them; support points are the same corners, to the bit. */
#include "convex/gauss_map.h"
#include "convex/gjk_steps.h"
#include "hull/scan.h"
#include "math/quad.h"

#if defined(CAROM_KERNEL_AVX512) /* which of the compilations this is */
#define GAUSS_SEARCH_NAME       cm__gauss_map_search_avx512
#define GJK_APPROX_SUPPORT_NAME cm__gjk_approx_support_avx512
#define GJK_APPROX_STEPS_NAME   cm__gjk_approx_steps_avx512
#elif defined(CAROM_KERNEL_AVX2)
#define GAUSS_SEARCH_NAME       cm__gauss_map_search_avx2
#define GJK_APPROX_SUPPORT_NAME cm__gjk_approx_support_avx2
#define GJK_APPROX_STEPS_NAME   cm__gjk_approx_steps_avx2
#else
#define GAUSS_SEARCH_NAME       cm__gauss_map_search_base
#define GJK_APPROX_SUPPORT_NAME cm__gjk_approx_support_base
#define GJK_APPROX_STEPS_NAME   cm__gjk_approx_steps_base
#endif

#define GAUSS_ANGLE (16 * CM_REAL_EPSILON) /* what the sine of an angle with a normal may be wrong by */

/* How far p is over the planes that `lanes` are of; no point of the other is nearer to a plane's far side than p less a
 * ball. */
static void gauss_over(gauss_side *side, int i, cm_vec3 p, cm_real room) {
    const int faces = side->faces;
    const cm_real *x = cm__hull_face_lanes(side->hull), *y = x + faces, *z = y + faces, *d = z + faces;
    cm_real *over = side->over[i], *near = side->near;
    const lanes_row r = lanes_all(room);
    lanes_row most = lanes_all(-CM_REAL_MAX);
    for (int k = 0; k < faces; k += LANES) {
        const lanes_row v =
            lanes_add(lanes_along(lanes_load(x + k), lanes_load(y + k), lanes_load(z + k), p), lanes_load(d + k));
        lanes_row least = lanes_sub(v, r);
        if (i > 0) least = lanes_min(least, lanes_load(near + k));
        lanes_store(over + k, v);
        lanes_store(near + k, least);
        most = lanes_max(most, least);
    }
    side->most = lanes_top(most);
}

static void gauss_begin(gauss_side *side, const cm_hull *other, cm_vec3 center) {
    const cm_hull *hull = side->hull;
    side->ball = other->inner;
    side->faces = (int)cm__hull_padded_faces(hull);
    side->points = 1;
    side->corner[0] = CM_NONE;
    gauss_over(side, 0, center, side->ball);
}

/* Is a corner of the other to be noted? Not again, and not beyond the room. */
static bool gauss_is_new(const gauss_side *side, uint32_t corner) {
    bool known = side->points == GAUSS_POINTS;
    for (int i = 1; i < side->points; i++) known |= side->corner[i] == corner;
    return !known;
}

/* Notes one that may be the nearest; where there is no more room, drops what the least depth has ruled out. */
static bool gauss_add(gauss_search *s, cm_real depth, gauss_kind kind, uint32_t a, uint32_t b) {
    s->choice[s->choices] = (gauss_choice){depth, kind, a, b};
    s->choices += depth <= s->least + s->band;
    if (s->choices < GAUSS_CHOICES) return true;
    int kept = 0;
    for (int i = 0; i < s->choices; i++)
        if (s->choice[i].depth <= s->least + s->band) s->choice[kept++] = s->choice[i];
    s->choices = kept;
    return kept < GAUSS_CHOICES;
}

/* The corner farthest along d, in the hull's axes; where it is from the center. */
static uint32_t gauss_farthest(const cm_hull *hull, cm_vec3 d, cm_vec3 *from_center) {
    const cm_real *lanes = cm__hull_lanes(hull);
    uint32_t id = hull->cells == 0 ? hull_scan_in(lanes, hull->padded, d) : cm__hull_support(hull, d, CM_NONE);
    cm_vec3 from_middle = cm_v(lanes[id], lanes[hull->padded + id], lanes[2 * (size_t)hull->padded + id]);
    *from_center = cm_sub(from_middle, cm_sub(hull->info.center, hull->middle));
    return id;
}

/* The depth along a face's normal. */
static inline bool gauss_face(gauss_search *s, const bool of_a, uint32_t f) {
    gauss_side *side = of_a ? &s->a : &s->b;
    const cm_real *lanes = cm__hull_face_lanes(side->hull), *at = lanes + f;
    const cm_vec3 n = cm_v(-at[0], -at[side->faces], -at[2 * side->faces]);
    const cm_vec3 d = of_a ? cm_mat3_mul_transposed(&s->approx.turn, n) : cm_mat3_mul(&s->approx.turn, n);
    cm_vec3 p;
    const uint32_t corner = gauss_farthest(of_a ? s->b.hull : s->a.hull, d, &p);
    const cm_real depth = cm_dot(d, p) - side->over[0][f];
    side->near[f] = -CM_REAL_MAX;
    s->steps++;
    s->least = depth < s->least ? depth : s->least;
    if (gauss_is_new(side, corner)) {
        cm_vec3 q = of_a ? cm_add(s->center_b, cm_mat3_mul(&s->approx.turn, p))
                         : cm_add(s->center_a, cm_mat3_mul_transposed(&s->approx.turn, p));
        const int i = side->points++;
        side->corner[i] = corner;
        gauss_over(side, i, q, 0);
    } else {
        side->most = lanes_most(side->near, side->faces);
    }
    return gauss_add(s, depth - s->band, of_a ? GAUSS_FACE_A : GAUSS_FACE_B, of_a ? f : corner, of_a ? corner : f);
}
static bool gauss_face_a(gauss_search *s, uint32_t f) { return gauss_face(s, true, f); }
static bool gauss_face_b(gauss_search *s, uint32_t f) { return gauss_face(s, false, f); }

/* The face that is likeliest to be near. */
static inline uint32_t gauss_likeliest(const gauss_side *side) {
    for (int k = 0;; k += LANES_WORD) {
        uint64_t bits = 0;
        const int rest = side->faces - k;
        lanes_at_least(side->near + k, rest < LANES_WORD ? rest : LANES_WORD, side->most, &bits);
        if (bits) return (uint32_t)(k + bits_lowest_long(bits));
        if (rest <= LANES_WORD) return 0;
    }
}

/* All faces that the bounds leave, the likeliest first. */
static bool gauss_faces(gauss_search *s) {
    bool more_a = true, more_b = true;
    while (more_a || more_b) {
        more_a = more_a && -s->a.most <= s->least + s->band;
        if (more_a && !gauss_face_a(s, gauss_likeliest(&s->a))) return false;
        more_b = more_b && -s->b.most <= s->least + s->band;
        if (more_b && !gauss_face_b(s, gauss_likeliest(&s->b))) return false;
    }
    return true;
}

/* The arcs that the bounds leave; false where they are too many. Each point must allow one of an arc's two faces. No
 * jump depends on which do: nothing could foresee it. */
static bool gauss_arcs(const gauss_search *s, gauss_side *side) {
    const cm_real most = s->least + s->band, level = side->ball - most;
    const cm__hull_arc *arc = cm__hull_arcs(side->hull);
    const cm__hull_ends *ends = cm__hull_edge_ends(side->hull);
    const uint32_t edges = side->hull->info.edges;
    uint32_t blocked[GAUSS_FACES]; /* bit i: point i does not allow the face */
    uint32_t found[CM__HULL_ARC_EDGES + 1], arcs = 0;
    for (int i = 0; i < side->points; i++) {
        /* of the center the longest arc counts for all */
        const cm_real least = i > 0 ? -most : level > 0 ? level * side->hull->bend : level, *over = side->over[i];
        const uint32_t bit = (uint32_t)1 << i;
        for (int f = 0; f < side->faces; f++) {
            const uint32_t before = i > 0 ? blocked[f] : 0;
            blocked[f] = before | (over[f] >= least ? 0 : bit);
        }
    }
    for (uint32_t e = 0; e < edges; e++) {
        found[arcs] = e;
        arcs += (blocked[arc[e].face[0]] & blocked[arc[e].face[1]]) == 0;
    }
    if (arcs > GAUSS_ARCS) return false;
    side->arcs = (int)arcs;
    for (uint32_t i = 0; i < arcs; i++) {
        const uint32_t e = found[i];
        side->edge[i] = e;
        side->face[i] = arc[e].face[0], side->beyond[i] = arc[e].face[1];
        side->from[i] = ends[e].corner[0], side->to[i] = ends[e].corner[1];
    }
    return true;
}

/* Where a corner is from the middle, in the hull's axes. */
static cm_vec3 gauss_corner(const cm_hull *hull, uint32_t id) {
    const cm_real *x = cm__hull_lanes(hull) + id, *y = x + hull->padded, *z = y + hull->padded;
    return cm_v(*x, *y, *z);
}

/* The arcs of a side, side by side: the unit vectors along their edges, the normals of their two faces. */
typedef struct gauss_lanes {
    cm_real along[3][GAUSS_ARCS], from[3][GAUSS_ARCS], to[3][GAUSS_ARCS];
} gauss_lanes;

static int gauss_blocks(const gauss_side *side) { return (side->arcs + LANES_BLOCK - 1) / LANES_BLOCK * LANES_BLOCK; }

/* In the hull's axes. What fills the last block is of length 0. */
static void gauss_lay_arcs(const gauss_side *side, gauss_lanes *out) {
    const cm_real *x = cm__hull_lanes(side->hull), *y = x + side->hull->padded, *z = y + side->hull->padded;
    const cm_real *u = cm__hull_face_lanes(side->hull), *v = u + side->faces, *w = v + side->faces;
    const int blocks = gauss_blocks(side);
    for (int i = 0; i < side->arcs; i++) {
        const uint32_t from = side->from[i], to = side->to[i], f = side->face[i], g = side->beyond[i];
        out->along[0][i] = x[to] - x[from], out->along[1][i] = y[to] - y[from], out->along[2][i] = z[to] - z[from];
        out->from[0][i] = u[f], out->from[1][i] = v[f], out->from[2][i] = w[f];
        out->to[0][i] = u[g], out->to[1][i] = v[g], out->to[2][i] = w[g];
    }
    for (int i = side->arcs; i < blocks; i++)
        for (int k = 0; k < 3; k++) out->along[k][i] = out->from[k][i] = out->to[k][i] = 0;
    for (int i = 0; i < blocks; i += LANES) {
        const lanes_row a = lanes_load(out->along[0] + i), b = lanes_load(out->along[1] + i);
        const lanes_row c = lanes_load(out->along[2] + i);
        const lanes_row square = lanes_add(lanes_add(lanes_mul(a, a), lanes_mul(b, b)), lanes_mul(c, c));
        const lanes_row over = lanes_div(lanes_all(1), lanes_sqrt(lanes_max(square, lanes_all(CM_REAL_MIN))));
        lanes_store(out->along[0] + i, lanes_mul(a, over));
        lanes_store(out->along[1] + i, lanes_mul(b, over));
        lanes_store(out->along[2] + i, lanes_mul(c, over));
    }
}

static void gauss_rotate_lanes(const cm_mat3 *turn, cm_real v[3][GAUSS_ARCS], int blocks) {
    for (int i = 0; i < blocks; i += LANES) {
        const lanes_row x = lanes_load(v[0] + i), y = lanes_load(v[1] + i), z = lanes_load(v[2] + i);
        lanes_store(v[0] + i, lanes_along(x, y, z, cm_v(turn->x.x, turn->y.x, turn->z.x)));
        lanes_store(v[1] + i, lanes_along(x, y, z, cm_v(turn->x.y, turn->y.y, turn->z.y)));
        lanes_store(v[2] + i, lanes_along(x, y, z, cm_v(turn->x.z, turn->y.z, turn->z.z)));
    }
}

/* Arcs i and j of edges along e and f, that may cross along way * e x f: the face of D that they make. The depth is no
 * less than what is noted: where the edges cross, their corners differ by the depth and by parts of e and f, along
 * which n is but as wrong as the corners are. Of parallel edges it is -infinity: to be measured. */
static bool gauss_pair(gauss_search *s, int i, int j, cm_vec3 e, cm_vec3 f, cm_real way) {
    const cm_vec3 n = cm_cross(e, f);
    const cm_vec3 p = gauss_corner(s->a.hull, s->a.from[i]), q = gauss_corner(s->b.hull, s->b.from[j]);
    const cm_vec3 between = cm_sub(p, cm_add(s->middles, cm_mat3_mul(&s->approx.turn, q)));
    const cm_real depth = (way * cm_dot(n, between) - s->band) / cm_sqrt(cm_dot(n, n));
    return gauss_add(s, depth, GAUSS_EDGES, (uint32_t)i, (uint32_t)j);
}

static inline cm_vec3 gauss_lane(cm_real v[3][GAUSS_ARCS], int i) { return cm_v(v[0][i], v[1][i], v[2][i]); }

/* Which of B's arcs, in `blocks`, each of A's may cross along e x f, and which the other way: bit (i << shift) + j. A
 * word is written once, when it is whole. */
static void gauss_crossings(gauss_lanes *a, int arcs, gauss_lanes *b, int blocks, int shift, uint64_t *plus,
                            uint64_t *minus) {
    const lanes_row none = lanes_all(0), least = lanes_all(-GAUSS_ANGLE), most = lanes_all(GAUSS_ANGLE);
    uint64_t word_up = 0, word_down = 0;
    for (int i = 0; i < arcs; i++) {
        const cm_vec3 e = gauss_lane(a->along, i), n = gauss_lane(a->from, i), m = cm_neg(gauss_lane(a->to, i));
        uint64_t all_up = 0, all_down = 0;
        for (int j = 0; j < blocks; j += LANES) {
            const lanes_row x = lanes_load(b->along[0] + j), y = lanes_load(b->along[1] + j);
            const lanes_row z = lanes_load(b->along[2] + j);
            const lanes_row p = lanes_along(x, y, z, n), q = lanes_along(x, y, z, m);
            const lanes_row r =
                lanes_along(lanes_load(b->from[0] + j), lanes_load(b->from[1] + j), lanes_load(b->from[2] + j), e);
            const lanes_row t =
                lanes_along(lanes_load(b->to[0] + j), lanes_load(b->to[1] + j), lanes_load(b->to[2] + j), cm_neg(e));
            const lanes_row low = lanes_min(lanes_min(p, q), lanes_min(r, t));
            const lanes_row high = lanes_sub(none, lanes_max(lanes_max(p, q), lanes_max(r, t)));
            const uint64_t up = lanes_ge(low, least), down = lanes_ge(high, least);
            const uint64_t both = lanes_ge(most, lanes_max(low, high));
            all_up |= up << j;
            all_down |= ((up & both) | (down & ~up)) << j;
        }
        const int bit = i << shift, at = bit % LANES_WORD;
        word_up |= all_up << at, word_down |= all_down << at;
        if (i + 1 < arcs && at + (1 << shift) < LANES_WORD) continue;
        plus[bit / LANES_WORD] = word_up, minus[bit / LANES_WORD] = word_down;
        word_up = word_down = 0;
    }
}

/* Where the arc from n to m, of an edge of A along e, and that from -n' to -m', of an edge of B along f, cross, it is
 * along way * e x f with way = 1 or -1, and n.f, -m.f, n'.e, -m'.e have the sign of `way`. */
static bool gauss_pairs(gauss_search *s) {
    const int blocks = gauss_blocks(&s->b), shift = blocks > 32 ? 6 : blocks > 16 ? 5 : blocks > 8 ? 4 : 3;
    const int words = ((s->a.arcs << shift) + LANES_WORD - 1) / LANES_WORD;
    uint64_t plus[GAUSS_ARCS * GAUSS_ARCS / LANES_WORD], minus[GAUSS_ARCS * GAUSS_ARCS / LANES_WORD];
    gauss_lanes a, b;
    gauss_lay_arcs(&s->a, &a);
    gauss_lay_arcs(&s->b, &b);
    gauss_rotate_lanes(&s->approx.turn, b.along, blocks);
    gauss_rotate_lanes(&s->approx.turn, b.from, blocks);
    gauss_rotate_lanes(&s->approx.turn, b.to, blocks);
    gauss_crossings(&a, s->a.arcs, &b, blocks, shift, plus, minus);
    for (int w = 0; w < words; w++) {
        for (uint64_t rest = plus[w] | minus[w]; rest; rest &= rest - 1) {
            const int k = bits_lowest_long(rest), at = w * LANES_WORD + k, i = at >> shift, j = at - (i << shift);
            if (j >= s->b.arcs) continue; /* what fills the last block */
            const bool up = plus[w] >> k & 1, down = minus[w] >> k & 1;
            const cm_vec3 e = gauss_lane(a.along, i), f = gauss_lane(b.along, j);
            if (!gauss_pair(s, i, j, e, f, up ? 1 : -1)) return false;
            if (up && down && !gauss_pair(s, i, j, e, f, -1)) return false;
        }
    }
    return true;
}

bool GAUSS_SEARCH_NAME(gauss_search *s) {
    const cm_hull *a = s->a.hull, *b = s->b.hull;
    s->least = CM_REAL_MAX;
    s->choices = s->steps = 0;
    gauss_begin(&s->a, b, s->center_b);
    gauss_begin(&s->b, a, s->center_a);
    if (!gauss_faces(s) || s->least + s->band < 0) return false; /* apart */
    return gauss_arcs(s, &s->a) && gauss_arcs(s, &s->b) && gauss_pairs(s);
}

/* In one piece: callers read two numbers at a time, and a load of what was just written in other pieces waits. */
static inline void gjk_approx_write(cm_vec3 *out, cm_vec3 v) {
#if !defined(CAROM_F64)
    quad_to_vec3(out, f32x4_of(v.x, v.y, v.z, 0));
#else
    *out = v;
#endif
}

/* The farthest corner of a hull: its number, and where it is from the center. */
LANES_INLINE uint32_t gjk_approx_farthest(const cm__core *core, const cm_vec3 d, cm_vec3 *from_center) {
    const cm_hull *hull = (const cm_hull *)core->data;
    const cm_real *lanes = cm__hull_lanes(hull);
    const uint32_t id = hull_scan(lanes, hull->padded, d);
    const cm_vec3 from_middle = cm_v(lanes[id], lanes[hull->padded + id], lanes[2 * (size_t)hull->padded + id]);
    *from_center = cm_sub(from_middle, cm_sub(hull->info.center, hull->middle));
    return id;
}

void GJK_APPROX_SUPPORT_NAME(const gjk_approx_search *s, const cm_vec3 *v, gjk_approx_corner *out) {
    const cm_vec3 ahead = *v, back = cm_mat3_mul_transposed(&s->turn, cm_neg(ahead));
    cm_vec3 p, q;
    out->a = gjk_approx_farthest(s->pair->a, ahead, &p);
    out->b = gjk_approx_farthest(s->pair->b, back, &q);
    gjk_approx_write(&out->w, cm_sub(cm_add(s->between, cm_mat3_mul(&s->turn, q)), p));
}

/* The corners of both in A's axes, B's turned once for all steps. */
typedef struct approx_scans {
    _Alignas(sizeof(lanes_row)) cm_real turned[3 * CM__HULL_SCAN];
    const cm_hull *a, *b;
    cm_vec3 middles; /* from the middle of A's bounds to that of B's */
} approx_scans;

static inline void approx_scans_of(const gjk_approx_search *s, approx_scans *out) {
    const cm_hull *a = (const cm_hull *)s->pair->a->data, *b = (const cm_hull *)s->pair->b->data;
    const cm_real *x = cm__hull_lanes(b), *y = x + b->padded, *z = y + b->padded;
    const cm_mat3 *m = &s->turn;
    const cm_vec3 off_a = cm_sub(a->info.center, a->middle), off_b = cm_sub(b->info.center, b->middle);
    out->a = a, out->b = b;
    out->middles = cm_add(cm_sub(s->between, cm_mat3_mul(m, off_b)), off_a);
    for (uint32_t i = 0; i < b->padded; i += LANES) {
        const lanes_row u = lanes_load(x + i), v = lanes_load(y + i), w = lanes_load(z + i);
        lanes_store(out->turned + i, lanes_along(u, v, w, cm_v(m->x.x, m->y.x, m->z.x)));
        lanes_store(out->turned + b->padded + i, lanes_along(u, v, w, cm_v(m->x.y, m->y.y, m->z.y)));
        lanes_store(out->turned + 2 * b->padded + i, lanes_along(u, v, w, cm_v(m->x.z, m->y.z, m->z.z)));
    }
}

static inline cm_vec3 approx_lane(const cm_real *at, uint32_t padded, uint32_t id) {
    return cm_v(at[id], at[padded + id], at[2 * (size_t)padded + id]);
}
LANES_INLINE void gjk_approx_scan(const void *from, const cm_vec3 *v, gjk_approx_corner *out) {
    const approx_scans *s = (const approx_scans *)from;
    const cm_hull *a = s->a, *b = s->b;
    const cm_real *lanes = cm__hull_lanes(a);
    const uint32_t p = hull_scan(lanes, a->padded, *v), q = hull_scan(s->turned, b->padded, cm_neg(*v));
    const cm_vec3 to_a = approx_lane(lanes, a->padded, p), to_b = approx_lane(s->turned, b->padded, q);
    out->a = p, out->b = q;
    BITS_FETCH(cm__hull_points(a) + out->a); /* which the search in double reads */
    BITS_FETCH(cm__hull_points(b) + out->b);
    out->w = cm_sub(cm_add(s->middles, to_b), to_a);
}
void GJK_APPROX_STEPS_NAME(const gjk_approx_search *s, approx_run *io) {
    approx_scans scans;
    approx_scans_of(s, &scans);
    approx_steps(s, gjk_approx_scan, &scans, io);
}
