/* The smallest translation that parts two overlapping hulls, by the normals of the faces of D = B - A.
 *
 * A face of D is a face of A against a corner of B, a face of B against a corner of A, or an edge of each that cross:
 * the one nearest to the origin is the answer. On the sphere of directions a hull's faces are points and its edges the
 * arcs between the points of their two faces; edges make a face of D where their arcs cross (B's turned about).
 *
 * Few of all these can be the nearest. Along a direction u the depth is A's reach h(u) less u.p for the point p of B
 * that is least far along u: no less than h(u) - u.p for any p in B, and for B's center than that and the radius of a
 * ball around it. For a face of A h(u) - u.p is minus the height of p over its plane. So with the best face found so
 * far as the upper bound, the heights of B's center and of a few of its corners leave a few faces of A, and a few arcs:
 * along an arc h(u) is linear (the reach of the edge's end), so h(u) - u.p is no less than the lesser of its two ends,
 * over the length of the line between the ends where that is negative. And the same for B. All that runs in cm_real,
 * where a bound counts by LEAD_ROUNDING of the scale only; whatever may be the nearest is measured in double, from the
 * hulls' own corners and by a support point, so that moving by the answer parts them.
 *
 * Frame: A's. Ties, up to GAUSS_TIE of the scale: faces of A, of B, edges; the lowest numbers first. Nothing is said,
 * and depth.c goes on, where a hull is flat or has more than GAUSS_FACES faces, where more than GAUSS_ARCS arcs of one
 * are left (deep and round), and where features lie side by side so that the points of contact are not those of one
 * face and corner or pair of edges. Bound: GAUSS_ARCS^2 pairs of edges; of two hulls of 32 corners some 10 faces and
 * 100 pairs. Based on: [Gregorius13] for the arcs. */
#include "convex/lanes.h"
#include "convex/lead.h"
#include "hull/scan.h"

#define GAUSS_FACES   CM__HULL_ARCS
#define GAUSS_ARCS    64
#define GAUSS_WORDS   (GAUSS_FACES / LANES_WORD)
#define GAUSS_CHOICES 48
#define GAUSS_POINTS  9
#define GAUSS_TIE     (4 * DBL_EPSILON)
#define GAUSS_FOOT    1e-9                   /* of the scale: what a foot may lie beside its feature */
#define GAUSS_ANGLE   (16 * CM_REAL_EPSILON) /* what the sine of an angle with a normal may be wrong by */

/* What is seen of one of the two hulls. */
typedef struct gauss_side {
    const cm_hull *hull;
    cm_real ball;                                /* the other's inner radius */
    int faces;                                   /* in whole blocks; those past the last are never near */
    int points;                                  /* of the other: its center, */
    uint32_t corner[GAUSS_POINTS];               /* and corners of it */
    cm_real near[GAUSS_FACES];                   /* minus the least depth along each face's normal; measured: -CM_REAL_MAX */
    cm_real over[GAUSS_POINTS][GAUSS_FACES];     /* how far these points are over each face's plane, */
    uint64_t allowed[GAUSS_POINTS][GAUSS_WORDS]; /* and which faces that allows, bit by bit */
    int arcs;
    uint32_t edge[GAUSS_ARCS], face[GAUSS_ARCS]; /* half-edges, and their faces */
} gauss_side;

typedef enum gauss_kind { GAUSS_FACE_A, GAUSS_FACE_B, GAUSS_EDGES } gauss_kind;

/* What may be the nearest face of D. */
typedef struct gauss_choice {
    cm_real depth; /* at least */
    gauss_kind kind;
    uint32_t a, b; /* a face and the other's corner, or two half-edges */
} gauss_choice;

typedef struct gauss_search {
    lead_search lead;
    cm_vec3 center_a, center_b; /* A's in B's frame, and B's in A's */
    cm_real band, least;        /* rounding; the least depth of those measured in cm_real */
    gauss_side a, b;
    int choices, steps;
    gauss_choice choice[GAUSS_CHOICES];
} gauss_search;

static void gauss_begin(gauss_side *side, const cm_hull *hull, const cm_hull *other, cm_vec3 center) {
    side->hull = hull;
    side->ball = other->inner;
    side->faces = (int)cm__hull_padded_faces(hull);
    side->points = 1;
    side->corner[0] = CM_NONE;
    for (int f = 0; f < side->faces; f++) side->near[f] = CM_REAL_MAX;
    lanes_over(cm__hull_face_lanes(hull), side->faces, center, side->ball, side->over[0], side->near);
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
        lanes_over(lanes, side->faces, q, 0, side->over[i], side->near);
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
    const uint32_t *first = cm__hull_first(side->hull);
    int arcs = side->arcs;
    for (uint32_t h = first[f]; h < first[f + 1]; h++) {
        const uint32_t g = arc[h].face;
        if (arcs == GAUSS_ARCS) return false;
        side->edge[arcs] = h;
        side->face[arcs] = f;
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

/* Two edges along e and f whose arcs may cross along way * e x f: the face of D that they make. */
static bool gauss_pair(gauss_search *s, uint32_t edge_a, uint32_t edge_b, cm_vec3 e, cm_vec3 f, cm_real way) {
    const cm_hull *a = s->a.hull, *b = s->b.hull;
    const cm_vec3 n = cm_cross(e, f);
    const cm_real square = cm_dot(n, n);
    cm_real depth = -CM_REAL_MAX; /* nearly parallel: to be measured */
    if (square > CM_REAL(1e-6)) {
        cm_real sine = cm_sqrt(square);
        cm_vec3 p = cm_sub(cm__hull_points(a)[cm__hull_arcs(a)[edge_a].corner], a->info.center);
        cm_vec3 q = cm_sub(cm__hull_points(b)[cm__hull_arcs(b)[edge_b].corner], b->info.center);
        q = cm_add(s->lead.between, cm_mat3_mul(&s->lead.turn, q));
        depth = (way * cm_dot(n, cm_sub(p, q)) - s->band) / sine;
    }
    return gauss_add(s, depth, GAUSS_EDGES, edge_a, edge_b);
}

/* B's arcs, turned about and into A's axes, side by side. */
typedef struct gauss_lanes {
    cm_real along[3][GAUSS_ARCS], from[3][GAUSS_ARCS], to[3][GAUSS_ARCS];
    cm_real low[GAUSS_ARCS], cross[GAUSS_ARCS];
} gauss_lanes;

static void gauss_lane(const gauss_search *s, int j, gauss_lanes *io) {
    const cm_hull *b = s->b.hull;
    const cm__hull_arc *arc = cm__hull_arcs(b) + s->b.edge[j];
    cm_vec3 f = cm_mat3_mul(&s->lead.turn, arc->along);
    cm_vec3 n = cm_mat3_mul(&s->lead.turn, cm__hull_planes(b)[s->b.face[j]].normal);
    cm_vec3 m = cm_mat3_mul(&s->lead.turn, arc->across);
    io->along[0][j] = f.x, io->along[1][j] = f.y, io->along[2][j] = f.z;
    io->from[0][j] = n.x, io->from[1][j] = n.y, io->from[2][j] = n.z;
    io->to[0][j] = m.x, io->to[1][j] = m.y, io->to[2][j] = m.z;
}

static cm_real gauss_min(cm_real a, cm_real b) { return a < b ? a : b; }
static cm_real gauss_max(cm_real a, cm_real b) { return a > b ? a : b; }

/* Where the arc from n to m, of an edge of A along e, and that from -n' to -m', of an edge of B along f, cross, it is
 * along way * e x f with way = 1 or -1, and n.f, -m.f, n'.e, -m'.e have the sign of `way`. */
static bool gauss_pairs(gauss_search *s) {
    const cm_hull *a = s->a.hull;
    const int blocks = (s->b.arcs + LANES_BLOCK - 1) / LANES_BLOCK * LANES_BLOCK;
    gauss_lanes b;
    if (s->a.arcs == 0) return true;
    for (int j = 0; j < s->b.arcs; j++) gauss_lane(s, j, &b);
    for (int k = 0; k < 3; k++)
        for (int j = s->b.arcs; j < blocks; j++) b.along[k][j] = b.from[k][j] = b.to[k][j] = 0;
    for (int i = 0; i < s->a.arcs; i++) {
        const uint32_t h = s->a.edge[i];
        const cm__hull_arc *arc = cm__hull_arcs(a) + h;
        const cm_vec3 n = cm__hull_planes(a)[s->a.face[i]].normal, m = arc->across, e = arc->along;
        for (int j = 0; j < blocks; j++) {
            cm_real x = b.along[0][j], y = b.along[1][j], z = b.along[2][j];
            cm_real p = n.x * x + n.y * y + n.z * z, q = -(m.x * x + m.y * y + m.z * z);
            cm_real r = b.from[0][j] * e.x + b.from[1][j] * e.y + b.from[2][j] * e.z;
            cm_real t = -(b.to[0][j] * e.x + b.to[1][j] * e.y + b.to[2][j] * e.z);
            cm_real low = gauss_min(gauss_min(p, q), gauss_min(r, t)),
                    high = gauss_max(gauss_max(p, q), gauss_max(r, t));
            b.low[j] = low;
            b.cross[j] = gauss_max(low, -high);
        }
        uint64_t cross = 0;
        for (lanes_at_least(b.cross, blocks, -GAUSS_ANGLE, &cross); cross; cross &= cross - 1) {
            const int j = lanes_lowest(cross);
            if (j >= s->b.arcs) break;
            cm_vec3 f = cm_v(b.along[0][j], b.along[1][j], b.along[2][j]);
            bool plus = b.low[j] >= -GAUSS_ANGLE, minus = !plus || b.cross[j] <= GAUSS_ANGLE;
            if (plus && !gauss_pair(s, h, s->b.edge[j], e, f, 1)) return false;
            if (minus && !gauss_pair(s, h, s->b.edge[j], e, f, -1)) return false;
        }
    }
    return true;
}

/* --- in double --------------------------------------------------------------------------------------------------- */

/* The three corners of a face that span the most. */
static void gauss_corners(const cm_hull *hull, uint32_t f, cm__point p[3]) {
    const cm_vec3 *points = cm__hull_points(hull);
    const uint32_t *first = cm__hull_first(hull), *corner = cm__hull_corner(hull);
    double most = -1;
    cm__point a = cm__point_of(points[corner[first[f]]]), b = cm__point_of(points[corner[first[f] + 1]]);
    p[0] = a, p[1] = p[2] = b;
    for (uint32_t h = first[f] + 2; h < first[f + 1]; h++) {
        cm__point c = cm__point_of(points[corner[h]]);
        cm__point n = cm__point_cross(cm__point_sub(b, a), cm__point_sub(c, a));
        double square = first[f + 1] == first[f] + 3 ? 0 : cm__point_dot(n, n);
        if (square > most) most = square, p[0] = a, p[1] = b, p[2] = c;
        b = c;
    }
}

/* The edge of a half-edge: its ends. */
static void gauss_ends(const cm_hull *hull, uint32_t h, cm__point p[2]) {
    p[0] = cm__point_of(cm__hull_points(hull)[cm__hull_corner(hull)[h]]);
    p[1] = cm__point_of(cm__hull_points(hull)[cm__hull_target(hull, h)]);
}

/* The normal of a choice, from A to B; false where there is none. */
static bool gauss_normal(const gauss_search *s, const gauss_choice *c, cm__point *out) {
    const cm__frame *frame = &s->lead.pair->b_in_a;
    cm__point p[3], q[2], n;
    if (c->kind == GAUSS_EDGES) {
        gauss_ends(s->a.hull, c->a, p);
        gauss_ends(s->b.hull, c->b, q);
        cm__point e = cm__point_sub(p[1], p[0]), f = frame_turn(frame, cm__point_sub(q[1], q[0]));
        n = cm__point_cross(e, f);
        if (!(cm__point_length(n) > 64 * DBL_EPSILON * cm__point_length(e) * cm__point_length(f))) return false;
        cm__point up = cm__point_of(cm__hull_planes(s->a.hull)[cm__hull_edge_face(s->a.hull)[c->a]].normal);
        uint32_t other = cm__hull_edge_face(s->a.hull)[cm__hull_twin(s->a.hull)[c->a]];
        up = cm__point_add(up, cm__point_of(cm__hull_planes(s->a.hull)[other].normal));
        if (cm__point_dot(n, up) < 0) n = cm__p(-n.x, -n.y, -n.z);
    } else {
        bool of_a = c->kind == GAUSS_FACE_A;
        gauss_corners(of_a ? s->a.hull : s->b.hull, of_a ? c->a : c->b, p);
        n = cm__point_cross(cm__point_sub(p[1], p[0]), cm__point_sub(p[2], p[0]));
        if (!of_a) n = frame_turn(frame, cm__p(-n.x, -n.y, -n.z));
    }
    double length = cm__point_length(n);
    if (!(length > 0)) return false;
    *out = cm__point_scale(n, 1 / length);
    return true;
}

static bool gauss_before(const gauss_choice *c, const gauss_choice *d) {
    if (c->kind != d->kind) return c->kind < d->kind;
    return c->a != d->a ? c->a < d->a : c->b < d->b;
}

/* Measures what may be the nearest, the likeliest first. */
static const gauss_choice *gauss_decide(gauss_search *s, cm__depth *out, cm__convex_vertex *at) {
    const cm__convex_pair *pair = s->lead.pair;
    const uint32_t *corner_a = cm__hull_corner(s->a.hull), *corner_b = cm__hull_corner(s->b.hull);
    const gauss_choice *best = NULL;
    const double tie = GAUSS_TIE * pair->scale;
    out->distance = -DBL_MAX;
    at->w = at->a = out->normal = cm__p(0, 0, 0);
    at->id_a = at->id_b = 0;
    for (int done = 0; done < s->choices; done++) {
        int next = done;
        for (int i = done + 1; i < s->choices; i++)
            if (s->choice[i].depth < s->choice[next].depth) next = i;
        gauss_choice swap = s->choice[next];
        s->choice[next] = s->choice[done];
        s->choice[done] = swap;
        const gauss_choice *c = &s->choice[done];
        if (-(double)c->depth < out->distance) break;
        cm__point n;
        if (!gauss_normal(s, c, &n)) continue;
        cm__convex_vertex x;
        x.id_a = c->kind == GAUSS_FACE_A   ? corner_a[cm__hull_first(s->a.hull)[c->a]]
                 : c->kind == GAUSS_FACE_B ? c->a
                                           : corner_a[c->a];
        x.id_b = c->kind == GAUSS_FACE_A   ? c->b
                 : c->kind == GAUSS_FACE_B ? corner_b[cm__hull_first(s->b.hull)[c->b]]
                                           : corner_b[c->b];
        convex_support(pair, n, true, &x);
        s->steps++;
        double distance = cm__point_dot(n, x.w);
        if (best && !(distance > out->distance + tie) && !(distance >= out->distance - tie && gauss_before(c, best)))
            continue;
        best = c;
        out->normal = n;
        out->distance = distance;
        *at = x;
    }
    return best;
}

/* Does p lie on the face, up to rounding? In the hull's frame; `n` any normal of it. */
static bool gauss_on_face(const cm_hull *hull, uint32_t f, cm__point n, cm__point p, double rounding) {
    const cm_vec3 *points = cm__hull_points(hull);
    const uint32_t *first = cm__hull_first(hull), *corner = cm__hull_corner(hull);
    for (uint32_t h = first[f]; h < first[f + 1]; h++) {
        cm__point a = cm__point_of(points[corner[h]]);
        cm__point b = cm__point_of(points[corner[h + 1 < first[f + 1] ? h + 1 : first[f]]]);
        cm__point e = cm__point_sub(b, a), in = cm__point_cross(n, e);
        if (cm__point_dot(in, cm__point_sub(p, a)) < -rounding * cm__point_length(e)) return false;
    }
    return true;
}

/* The points of A and B over the origin's foot on the face; false where they are not on the features of the choice. */
static bool gauss_witness(const gauss_search *s, const gauss_choice *c, const cm__convex_vertex *at, cm__depth *out) {
    const cm__convex_pair *pair = s->lead.pair;
    const cm__frame *frame = &pair->b_in_a;
    const cm__point n = out->normal;
    const double rounding = GAUSS_FOOT * pair->scale;
    out->a = at->a;
    out->b = cm__point_add(at->a, at->w);
    if (c->kind == GAUSS_FACE_A) {
        out->a = cm__point_mul_add(out->b, -out->distance, n);
        return gauss_on_face(s->a.hull, c->a, n, out->a, rounding);
    }
    if (c->kind == GAUSS_FACE_B) {
        out->b = cm__point_mul_add(out->a, out->distance, n);
        cm__point p = frame_unturn(frame, cm__point_sub(out->b, frame->position));
        return gauss_on_face(s->b.hull, c->b, frame_unturn(frame, cm__p(-n.x, -n.y, -n.z)), p, rounding);
    }
    cm__point p[2], q[2];
    gauss_ends(s->a.hull, c->a, p);
    gauss_ends(s->b.hull, c->b, q);
    q[0] = frame_apply(frame, q[0]), q[1] = frame_apply(frame, q[1]);
    cm__point e = cm__point_sub(p[1], p[0]), f = cm__point_sub(q[1], q[0]), r = cm__point_sub(q[0], p[0]);
    cm__point m = cm__point_cross(e, f);
    double over = 1 / cm__point_dot(m, m);
    double u = cm__point_dot(cm__point_cross(r, f), m) * over, v = cm__point_dot(cm__point_cross(r, e), m) * over;
    u = u < 0 ? 0 : u > 1 ? 1 : u;
    v = v < 0 ? 0 : v > 1 ? 1 : v;
    out->a = cm__point_mul_add(p[0], u, e);
    out->b = cm__point_mul_add(q[0], v, f);
    cm__point off = cm__point_sub(cm__point_sub(out->b, out->a), cm__point_scale(n, out->distance));
    return cm__point_largest(off) <= rounding;
}

static const cm_hull *gauss_hull(const cm__core *core) {
    const cm_hull *hull = core->ops->hull ? core->ops->hull(core) : NULL;
    return hull && hull->info.dimension == 3 && hull->info.faces <= GAUSS_FACES ? hull : NULL;
}

bool cm__gauss_run(const cm__convex_pair *pair, cm__depth *out) {
    const cm_hull *a = gauss_hull(pair->a), *b = gauss_hull(pair->b);
    const cm__frame *frame = &pair->b_in_a;
    gauss_search search, *s = &search;
    if (!a || !b || !lead_lay_out(pair, &s->lead)) return false;
    s->band = (cm_real)(LEAD_ROUNDING * pair->scale);
    s->least = CM_REAL_MAX;
    s->choices = s->steps = 0;
    s->center_b = cm__vec3_of(frame_apply(frame, pair->b->center));
    s->center_a = cm__vec3_of(frame_unturn(frame, cm__point_sub(pair->a->center, frame->position)));
    gauss_begin(&s->a, a, b, s->center_b);
    gauss_begin(&s->b, b, a, s->center_a);
    if (!gauss_faces(s) || s->least + s->band < 0) return false; /* apart */
    if (!gauss_arcs(s, &s->a) || !gauss_arcs(s, &s->b) || !gauss_pairs(s)) return false;
    cm__convex_vertex at;
    const gauss_choice *c = gauss_decide(s, out, &at);
    if (!c || !gauss_witness(s, c, &at, out)) return false;
    out->id_a = at.id_a, out->id_b = at.id_b;
    out->steps = s->steps;
    out->slack = 0;
    out->limit = false;
    return true;
}
