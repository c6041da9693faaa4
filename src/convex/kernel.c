/* The search of gauss.c in cm_real, compiled once per instruction set (see broad/kernel.c). What it leaves is measured
 * in double, and what it rules out is ruled out by more than rounding, so the answer is the same from all of them. */
#include "convex/gauss.h"
#include "hull/scan.h"

#if defined(CAROM_KERNEL_AVX512) /* which of the compilations this is */
#define GAUSS_SEARCH_NAME cm__gauss_search_avx512
#elif defined(CAROM_KERNEL_AVX2)
#define GAUSS_SEARCH_NAME cm__gauss_search_avx2
#else
#define GAUSS_SEARCH_NAME cm__gauss_search_base
#endif

#define GAUSS_ANGLE (16 * CM_REAL_EPSILON) /* what the sine of an angle with a normal may be wrong by */

/* How far p is over the planes that `lanes` are of; no point of the other is nearer to a plane's far side than p less a
 * ball. */
static void gauss_over(gauss_side *side, int i, cm_vec3 p, cm_real room) {
    const cm_real *x = cm__hull_face_lanes(side->hull), *y = x + side->faces, *z = y + side->faces,
                  *d = z + side->faces;
    const lanes_row r = lanes_all(room);
    for (int k = 0; k < side->faces; k += LANES) {
        const lanes_row v =
            lanes_add(lanes_along(lanes_load(x + k), lanes_load(y + k), lanes_load(z + k), p), lanes_load(d + k));
        const lanes_row least = lanes_sub(v, r);
        lanes_store(side->over[i] + k, v);
        lanes_store(side->near + k, i > 0 ? lanes_min(least, lanes_load(side->near + k)) : least);
    }
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
    uint32_t id = hull->cells == 0 ? hull_scan(lanes, hull->padded, d) : cm__hull_support(hull, d, CM_NONE);
    cm_vec3 from_middle = cm_v(lanes[id], lanes[hull->padded + id], lanes[2 * (size_t)hull->padded + id]);
    *from_center = cm_sub(from_middle, cm_sub(hull->info.center, hull->middle));
    return id < hull->info.vertices ? id : hull->info.vertices - 1;
}

/* The depth along a face's normal. */
static inline bool gauss_face(gauss_search *s, const bool of_a, uint32_t f) {
    gauss_side *side = of_a ? &s->a : &s->b;
    const cm_real *lanes = cm__hull_face_lanes(side->hull), *at = lanes + f;
    const cm_vec3 n = cm_v(-at[0], -at[side->faces], -at[2 * side->faces]);
    const cm_vec3 d = of_a ? cm_mat3_mul_transposed(&s->lead.turn, n) : cm_mat3_mul(&s->lead.turn, n);
    cm_vec3 p;
    const uint32_t corner = gauss_farthest(of_a ? s->b.hull : s->a.hull, d, &p);
    const cm_real depth = cm_dot(d, p) - side->over[0][f];
    side->near[f] = -CM_REAL_MAX;
    s->steps++;
    s->least = depth < s->least ? depth : s->least;
    if (gauss_is_new(side, corner)) {
        cm_vec3 q = of_a ? cm_add(s->center_b, cm_mat3_mul(&s->lead.turn, p))
                         : cm_add(s->center_a, cm_mat3_mul_transposed(&s->lead.turn, p));
        const int i = side->points++;
        side->corner[i] = corner;
        gauss_over(side, i, q, 0);
    }
    return gauss_add(s, depth - s->band, of_a ? GAUSS_FACE_A : GAUSS_FACE_B, of_a ? f : corner, of_a ? corner : f);
}
static bool gauss_face_a(gauss_search *s, uint32_t f) { return gauss_face(s, true, f); }
static bool gauss_face_b(gauss_search *s, uint32_t f) { return gauss_face(s, false, f); }

/* The face that is likeliest to be near, and how near it may be. */
static uint32_t gauss_likeliest(const gauss_side *side, cm_real *near) {
    uint64_t bits[GAUSS_WORDS] = {0};
    *near = lanes_most(side->near, side->faces);
    lanes_at_least(side->near, side->faces, *near, bits);
    int w = 0;
    while (!bits[w] && (w + 1) * LANES_WORD < side->faces) w++;
    return bits[w] ? (uint32_t)(w * LANES_WORD + lanes_lowest(bits[w])) : 0;
}

/* All faces that the bounds leave, the likeliest first. */
static bool gauss_faces(gauss_search *s) {
    bool more_a = true, more_b = true;
    while (more_a || more_b) {
        cm_real near;
        if (more_a) {
            const uint32_t f = gauss_likeliest(&s->a, &near);
            more_a = -near <= s->least + s->band;
            if (more_a && !gauss_face_a(s, f)) return false;
        }
        if (more_b) {
            const uint32_t f = gauss_likeliest(&s->b, &near);
            more_b = -near <= s->least + s->band;
            if (more_b && !gauss_face_b(s, f)) return false;
        }
    }
    return true;
}

/* The arcs from face f to those of the faces `others`. No jump depends on which: nothing could foresee it. */
static bool gauss_arcs_to(gauss_side *side, uint32_t f, const uint64_t *others) {
    const cm__hull_arc *arc = cm__hull_arcs(side->hull);
    const uint32_t *first = cm__hull_first(side->hull), begin = first[f], end = first[f + 1];
    int arcs = side->arcs;
    if (arcs + (int)(end - begin) > GAUSS_ARCS) return false;
    uint16_t before = arc[end - 1].corner;
    uint32_t h = end - 1;
    for (uint32_t next = begin; next < end; h = next++) {
        const uint32_t g = arc[h].face;
        side->edge[arcs] = h;
        side->face[arcs] = (uint16_t)f;
        side->from[arcs] = before;
        side->to[arcs] = before = arc[next].corner;
        arcs += (int)(others[g / LANES_WORD] >> g % LANES_WORD & 1);
    }
    side->arcs = arcs;
    return true;
}

/* The arcs that the bounds leave; false where they are too many. Each point must allow one of an arc's two faces: so
 * one of them is among those that the strictest point allows. */
static bool gauss_arcs(const gauss_search *s, gauss_side *side) {
    const cm_real most = s->least + s->band, level = side->ball - most;
    const int words = (side->faces + LANES_WORD - 1) / LANES_WORD;
    int strictest = 0, least = 0;
    for (int i = 0; i < side->points; i++) {
        /* of the center the longest arc counts for all */
        const cm_real over = i > 0 ? -most : level > 0 ? level * side->hull->bend : level;
        int count = 0;
        lanes_at_least(side->over[i], side->faces, over, side->allowed[i]);
        for (int w = 0; w < words; w++) count += lanes_count(side->allowed[i][w]);
        const bool stricter = i == 0 || count < least;
        strictest = stricter ? i : strictest;
        least = stricter ? count : least;
    }
    side->arcs = 0;
    for (int w = 0; w < words; w++) {
        for (uint64_t rest = side->allowed[strictest][w]; rest; rest &= rest - 1) {
            const int bit = lanes_lowest(rest);
            uint64_t others[GAUSS_WORDS]; /* allowed by what does not allow this one; and not had before */
            for (int v = 0; v < words; v++) {
                uint64_t had = v < w ? ~(uint64_t)0 : v > w ? 0 : ((uint64_t)1 << bit) - 1;
                others[v] = ~(side->allowed[strictest][v] & had);
                for (int i = 0; i < side->points; i++)
                    others[v] &= side->allowed[i][v] | ((uint64_t)0 - (side->allowed[i][w] >> bit & 1));
            }
            if (!gauss_arcs_to(side, (uint32_t)(w * LANES_WORD + bit), others)) return false;
        }
    }
    return true;
}

/* Where a corner is from the middle, in the hull's axes; a face's normal. */
static cm_vec3 gauss_corner(const cm_hull *hull, uint32_t id) {
    const cm_real *x = cm__hull_lanes(hull) + id, *y = x + hull->padded, *z = y + hull->padded;
    return cm_v(*x, *y, *z);
}
static cm_vec3 gauss_normal_of(const gauss_side *side, uint32_t face) {
    const cm_real *x = cm__hull_face_lanes(side->hull) + face, *y = x + side->faces, *z = y + side->faces;
    return cm_v(*x, *y, *z);
}

/* The unit vector along an arc's edge. */
static cm_vec3 gauss_along(const gauss_side *side, int i) {
    const cm_vec3 e = cm_sub(gauss_corner(side->hull, side->to[i]), gauss_corner(side->hull, side->from[i]));
    return cm_scale(e, 1 / cm_sqrt(cm_dot(e, e)));
}

/* Arcs i and j of edges along e and f, that may cross along way * e x f: the face of D that they make. */
static bool gauss_pair(gauss_search *s, int i, int j, cm_vec3 e, cm_vec3 f, cm_real way) {
    const cm_vec3 n = cm_cross(e, f);
    const cm_real square = cm_dot(n, n);
    cm_real depth = -CM_REAL_MAX; /* nearly parallel: to be measured */
    if (square > CM_REAL(1e-6)) {
        cm_real sine = cm_sqrt(square);
        cm_vec3 p = gauss_corner(s->a.hull, s->a.from[i]), q = gauss_corner(s->b.hull, s->b.from[j]);
        q = cm_add(s->middles, cm_mat3_mul(&s->lead.turn, q));
        depth = (way * cm_dot(n, cm_sub(p, q)) - s->band) / sine;
    }
    return gauss_add(s, depth, GAUSS_EDGES, s->a.edge[i], s->b.edge[j]);
}

/* B's arcs, turned about and into A's axes, side by side. */
typedef struct gauss_lanes {
    cm_real along[3][GAUSS_ARCS], from[3][GAUSS_ARCS], to[3][GAUSS_ARCS];
    cm_real low[GAUSS_ARCS], cross[GAUSS_ARCS];
} gauss_lanes;

static void gauss_lane(const gauss_search *s, int j, gauss_lanes *io) {
    const cm__hull_arc *arc = cm__hull_arcs(s->b.hull) + s->b.edge[j];
    const cm_vec3 f = cm_mat3_mul(&s->lead.turn, gauss_along(&s->b, j));
    const cm_vec3 n = cm_mat3_mul(&s->lead.turn, gauss_normal_of(&s->b, s->b.face[j]));
    const cm_vec3 m = cm_mat3_mul(&s->lead.turn, gauss_normal_of(&s->b, arc->face));
    io->along[0][j] = f.x, io->along[1][j] = f.y, io->along[2][j] = f.z;
    io->from[0][j] = n.x, io->from[1][j] = n.y, io->from[2][j] = n.z;
    io->to[0][j] = m.x, io->to[1][j] = m.y, io->to[2][j] = m.z;
}

/* Where the arc from n to m, of an edge of A along e, and that from -n' to -m', of an edge of B along f, cross, it is
 * along way * e x f with way = 1 or -1, and n.f, -m.f, n'.e, -m'.e have the sign of `way`. */
static bool gauss_pairs(gauss_search *s) {
    const int blocks = (s->b.arcs + LANES_BLOCK - 1) / LANES_BLOCK * LANES_BLOCK;
    gauss_lanes b;
    if (s->a.arcs == 0) return true;
    for (int j = 0; j < s->b.arcs; j++) gauss_lane(s, j, &b);
    for (int k = 0; k < 3; k++)
        for (int j = s->b.arcs; j < blocks; j++) b.along[k][j] = b.from[k][j] = b.to[k][j] = 0;
    for (int i = 0; i < s->a.arcs; i++) {
        const cm_vec3 n = gauss_normal_of(&s->a, s->a.face[i]), e = gauss_along(&s->a, i);
        const cm_vec3 m = gauss_normal_of(&s->a, cm__hull_arcs(s->a.hull)[s->a.edge[i]].face);
        uint64_t cross = 0;
        for (int j = 0; j < blocks; j += LANES) {
            const lanes_row x = lanes_load(b.along[0] + j), y = lanes_load(b.along[1] + j),
                            z = lanes_load(b.along[2] + j);
            const lanes_row p = lanes_along(x, y, z, n), q = lanes_along(x, y, z, cm_neg(m));
            const lanes_row r =
                lanes_along(lanes_load(b.from[0] + j), lanes_load(b.from[1] + j), lanes_load(b.from[2] + j), e);
            const lanes_row t =
                lanes_along(lanes_load(b.to[0] + j), lanes_load(b.to[1] + j), lanes_load(b.to[2] + j), cm_neg(e));
            const lanes_row low = lanes_min(lanes_min(p, q), lanes_min(r, t));
            const lanes_row high = lanes_max(lanes_max(p, q), lanes_max(r, t));
            const lanes_row here = lanes_max(low, lanes_sub(lanes_all(0), high));
            lanes_store(b.low + j, low);
            lanes_store(b.cross + j, here);
            cross |= (uint64_t)lanes_ge(here, lanes_all(-GAUSS_ANGLE)) << j;
        }
        for (; cross; cross &= cross - 1) {
            const int j = lanes_lowest(cross);
            if (j >= s->b.arcs) break;
            cm_vec3 f = cm_v(b.along[0][j], b.along[1][j], b.along[2][j]);
            bool plus = b.low[j] >= -GAUSS_ANGLE, minus = !plus || b.cross[j] <= GAUSS_ANGLE;
            if (plus && !gauss_pair(s, i, j, e, f, 1)) return false;
            if (minus && !gauss_pair(s, i, j, e, f, -1)) return false;
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
