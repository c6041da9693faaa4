/* The depth of two overlapping hulls by their Gauss maps: the smallest translation that separates them.
 *
 * A face of the Minkowski difference D = B - A is a face of A against a corner of B, a face of B against a corner of A,
 * or an edge of each whose arcs cross on the Gauss map: there, on the sphere of directions, a hull's faces are points
 * and its edges are the arcs between the points of their two faces (B's mirrored at the origin). The face of D that is
 * nearest to the origin is the answer.
 *
 * Bounds leave few candidates. Let h(u) be A's reach along a direction u, and p the point of B with the least u.p: the
 * depth along u is h(u) - u.p. Any other point of B in place of p gives a lower bound of it, and B's center with the
 * radius of a ball around it within B a better one. For u the normal of a face of A, h(u) - u.p is minus the height of
 * p over that face's plane; along an arc h(u) is linear (the reach of a corner of the edge), so the bound over an arc
 * is the lesser of those at its two ends, divided, where negative, by the chord's least distance from the origin.
 * The best face so far is the upper bound; heights of B's center and of a few of its corners over A's faces then rule
 * out most faces and arcs of A. The same for B.
 *
 * All that runs in cm_real (kernel.c), where a bound rules out only what is farther than GJK_APPROX_ROUNDING of the
 * scale. The candidates left are measured in double from the hulls' own corners, the best of them confirmed by a
 * support point: moving by the answer separates the hulls.
 *
 * Frame: A's. Ties, within GAUSS_TIE of the scale: faces of A before those of B before edges; then the lowest numbers.
 * Returns false, and depth.c answers, where a hull is flat, sharper than GAUSS_BEND or has more than GAUSS_FACES faces,
 * where more than GAUSS_ARCS arcs of one are left (deep and round), and where parallel edges lie side by side so that
 * the witness points are not those of a single pair. Bound: GAUSS_ARCS^2 pairs of
 * edges; of two hulls of 32 corners some 10 faces and 100 pairs. Based on: [Gregorius13] for the arcs. */
#include "convex/gauss_map.h"
#include "base/isa.h"
#include "convex/clip.h"
#include "convex/observe.h"

#define GAUSS_TIE  (4 * DBL_EPSILON)
#define GAUSS_FOOT 1e-9 /* of the scale: how far a foot may lie outside its feature */
/* The middle of an arc's ends is at least this long (edges of more than a degree): else rounding decides on which side
 * of the hull the arc runs. */
#define GAUSS_BEND CM_REAL(1e-2)

#define GAUSS_LINE (64 / sizeof(cm_real)) /* numbers in a line of memory */
#if defined(__GNUC__)
#define GAUSS_FETCH(address) __builtin_prefetch(address)
#else
#define GAUSS_FETCH(address) ((void)(address))
#endif

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
        cm__point n = cm__point_normal(a, b, c);
        double square = first[f + 1] == first[f] + 3 ? 0 : cm__point_dot(n, n);
        if (square > most) most = square, p[0] = a, p[1] = b, p[2] = c;
        b = c;
    }
}

/* The ends of an arc's edge. */
static void gauss_ends(const gauss_side *side, uint32_t arc, cm__point p[2]) {
    const cm_vec3 *points = cm__hull_points(side->hull);
    p[0] = cm__point_of(points[side->from[arc]]);
    p[1] = cm__point_of(points[side->to[arc]]);
}

/* A face's normal. */
static cm__point gauss_plane(const gauss_side *side, uint32_t face) {
    const cm_real *x = cm__hull_face_lanes(side->hull) + face, *y = x + side->faces, *z = y + side->faces;
    return cm__point_of(cm_v(*x, *y, *z));
}

/* The normal of a candidate, from A to B; false where it has none. */
static bool gauss_normal(const gauss_search *s, const gauss_choice *c, cm__point *out) {
    const cm__frame *frame = &s->approx.pair->b_in_a;
    cm__point p[3], q[2], n;
    if (c->kind == GAUSS_EDGES) {
        gauss_ends(&s->a, c->a, p);
        gauss_ends(&s->b, c->b, q);
        cm__point e = cm__point_sub(p[1], p[0]), f = frame_rotate(frame, cm__point_sub(q[1], q[0]));
        n = cm__point_cross(e, f);
        /* parallel, but for the rounding of their product */
        if (!(cm__point_length(n) > 64 * DBL_EPSILON * cm__point_length(e) * cm__point_length(f))) return false;
        cm__point up = cm__point_add(gauss_plane(&s->a, s->a.face[c->a]), gauss_plane(&s->a, s->a.beyond[c->a]));
        if (cm__point_dot(n, up) < 0) n = cm__p(-n.x, -n.y, -n.z);
    } else {
        bool of_a = c->kind == GAUSS_FACE_A;
        gauss_corners(of_a ? s->a.hull : s->b.hull, of_a ? c->a : c->b, p);
        n = cm__point_normal(p[0], p[1], p[2]);
        if (!of_a) n = frame_rotate(frame, cm__p(-n.x, -n.y, -n.z));
    }
    double length = cm__point_length(n);
    if (!(length > 0)) return false;
    *out = cm__point_scale(n, 1 / length);
    return true;
}

/* By kind, then by the numbers of faces, corners, edges. */
static bool gauss_before(const gauss_search *s, const gauss_choice *c, const gauss_choice *d) {
    if (c->kind != d->kind) return c->kind < d->kind;
    const bool edges = c->kind == GAUSS_EDGES;
    const uint32_t c_a = edges ? s->a.edge[c->a] : c->a, d_a = edges ? s->a.edge[d->a] : d->a;
    const uint32_t c_b = edges ? s->b.edge[c->b] : c->b, d_b = edges ? s->b.edge[d->b] : d->b;
    return c_a != d_a ? c_a < d_a : c_b < d_b;
}

/* For a watcher: the remaining candidates are at least as deep as this one's lower bound. For hulls that are apart, the
 * faces of D give no upper bound, because the nearest feature may be an edge or a corner. */
static CM__RARE void gauss_show(const cm__convex_pair *pair, const gauss_choice *c, cm__point n,
                                const cm__convex_vertex *x, double best) {
    const double least = -(double)c->depth;
    cm_step step;
    cm__watch_begin(pair->watch, CM_STEP_FACE, &step);
    cm__watch_bounds(pair, best, best > 0 || least > 0 ? DBL_MAX : best > least ? best : least, &step);
    step.direction = cm__watch_direction(pair->watch, n);
    step.support = cm__watch_vertex(pair->watch, x);
    cm__watch_send(pair->watch, &step);
}

/* How far the lines of two edges are from each other along a normal: of a face of D, as far as its hulls are. */
static double gauss_apart(const gauss_search *s, const gauss_choice *c, cm__point n) {
    const cm__point p = cm__point_of(cm__hull_points(s->a.hull)[s->a.from[c->a]]);
    const cm__point q = cm__point_of(cm__hull_points(s->b.hull)[s->b.from[c->b]]);
    return cm__point_dot(n, cm__point_sub(frame_apply(&s->approx.pair->b_in_a, q), p));
}

/* Measures the candidates for the nearest face, the likeliest first. Edges that are no face of D, as others reach
 * farther, are left out; and where features are parallel, as of bodies that stand on each other, one is measured for
 * all of them. */
static const gauss_choice *gauss_decide(gauss_search *s, cm__depth *out, cm__convex_vertex *at) {
    const cm__convex_pair *pair = s->approx.pair;
    const uint32_t *corner_a = cm__hull_corner(s->a.hull), *corner_b = cm__hull_corner(s->b.hull);
    const gauss_choice *best = NULL;
    const double tie = GAUSS_TIE * pair->scale, foot = GAUSS_FOOT * pair->scale;
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
        const double apart = c->kind == GAUSS_EDGES ? gauss_apart(s, c, n) : -DBL_MAX;
        if (apart > 2 * (double)s->band - (double)c->depth) continue;
        if (best && cm__point_largest(cm__point_sub(n, out->normal)) <= GAUSS_TIE) {
            if (apart <= out->distance + foot && gauss_before(s, c, best)) best = c;
            continue;
        }
        cm__convex_vertex x;
        x.id_a = c->kind == GAUSS_FACE_A   ? corner_a[cm__hull_first(s->a.hull)[c->a]]
                 : c->kind == GAUSS_FACE_B ? c->a
                                           : s->a.from[c->a];
        x.id_b = c->kind == GAUSS_FACE_A   ? c->b
                 : c->kind == GAUSS_FACE_B ? corner_b[cm__hull_first(s->b.hull)[c->b]]
                                           : s->b.from[c->b];
        convex_support(pair, n, true, &x);
        s->steps++;
        double distance = cm__point_dot(n, x.w);
        if (pair->watch) gauss_show(pair, c, n, &x, distance > out->distance ? distance : out->distance);
        if (apart > distance + foot) continue;
        if (best && !(distance > out->distance + tie) && !(distance >= out->distance - tie && gauss_before(s, c, best)))
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

/* The points of A and B over the origin's foot on the face; false where they do not lie on the candidate's features. */
static bool gauss_witness(const gauss_search *s, const gauss_choice *c, const cm__convex_vertex *at, cm__depth *out) {
    const cm__convex_pair *pair = s->approx.pair;
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
        cm__point p = frame_unrotate(frame, cm__point_sub(out->b, frame->position));
        return gauss_on_face(s->b.hull, c->b, frame_unrotate(frame, cm__p(-n.x, -n.y, -n.z)), p, rounding);
    }
    cm__point p[2], q[2];
    gauss_ends(&s->a, c->a, p);
    gauss_ends(&s->b, c->b, q);
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

/* A face and the other's side that looks at it may be parallel, and the corner that was measured beside the face,
 * though other corners, or the edges between them, are over it: then the witness is the middle of what face and side
 * share. False where they share nothing. */
static bool gauss_shared(const gauss_search *s, const gauss_choice *c, const cm__convex_vertex *at, cm__depth *out) {
    const bool of_a = c->kind == GAUSS_FACE_A;
    if (c->kind == GAUSS_EDGES) return false;
    const cm__convex_pair *pair = s->approx.pair;
    const cm__frame *frame = &pair->b_in_a;
    const cm__core *other = of_a ? pair->b : pair->a;
    const cm__point n = out->normal, low = of_a ? cm__point_add(at->a, at->w) : at->a;
    const double rounding = GAUSS_FOOT * pair->scale;
    cm__facet side = {.hint = of_a ? at->id_b : at->id_a, .farthest = true};
    cm__point corner[CM__FACET_MAX];
    clip_corner poly[CLIP_ROOM];
    int count = 0;
    other->ops->facet(other, of_a ? frame_unrotate(frame, wide_neg(n)) : n, &side);
    for (int i = 0; i < side.count; i++) {
        const cm__point p = of_a ? frame_apply(frame, side.point[i]) : side.point[i];
        if (fabs(cm__point_dot(n, cm__point_sub(p, low))) <= rounding) corner[count++] = p;
    }
    const bool line = count == 2;
    clip_begin(poly, corner, count);
    const cm_hull *hull = of_a ? s->a.hull : s->b.hull;
    const cm_vec3 *points = cm__hull_points(hull);
    const uint32_t *first = cm__hull_first(hull) + (of_a ? c->a : c->b), *around = cm__hull_corner(hull);
    for (uint32_t h = first[0]; h < first[1] && count > 0; h++) {
        cm__point edge[3];
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t at_k = h + k < first[1] ? h + k : h + k - first[1] + first[0];
            const cm__point p = cm__point_of(points[around[at_k]]);
            edge[k] = of_a ? p : frame_apply(frame, p);
        }
        const cm__point outward = clip_outward(edge[0], edge[1], edge[2], n);
        count = clip_behind(poly, count, CLIP_ROOM, line, outward, cm__point_dot(outward, edge[0]), 0);
    }
    cm__point middle = cm__p(0, 0, 0);
    for (int i = 0; i < count; i++) middle = cm__point_mul_add(middle, 1.0 / count, poly[i].p);
    out->a = of_a ? cm__point_mul_add(middle, -out->distance, n) : middle;
    out->b = of_a ? middle : cm__point_mul_add(middle, out->distance, n);
    return count > 0;
}

static const cm_hull *gauss_hull(const cm__core *core) {
    const cm_hull *hull = core_hull(core);
    if (!(hull && hull->info.dimension == 3 && hull->info.faces <= GAUSS_FACES && hull->bend > GAUSS_BEND)) return NULL;
    /* fetches what is read soon, so that the loads of both hulls overlap */
    const cm_real *normals = cm__hull_face_lanes(hull), *corners = cm__hull_lanes(hull);
    for (uint32_t i = 0; i < 4 * cm__hull_padded_faces(hull); i += GAUSS_LINE) GAUSS_FETCH(normals + i);
    for (uint32_t i = 0; i < 3 * hull->padded && hull->cells == 0; i += GAUSS_LINE) GAUSS_FETCH(corners + i);
    for (uint32_t i = 0; i < hull->info.edges; i += 32) GAUSS_FETCH(cm__hull_arcs(hull) + i);
    return hull;
}

static cm__gauss_map_search *gauss_search_best(void) {
    static cm__gauss_map_search *const searches[] = CM__BY_ISA(cm__gauss_map_search);
    return searches[cm__isa_settled()];
}

bool cm__gauss_map_run(const cm__convex_pair *pair, cm__depth *out) {
    const cm_hull *a = gauss_hull(pair->a), *b = gauss_hull(pair->b);
    const cm__frame *frame = &pair->b_in_a;
    gauss_search search, *s = &search;
    if (!a || !b || !cm__gjk_approx_prepare(pair, &s->approx)) return false;
    s->band = (cm_real)(GJK_APPROX_ROUNDING * pair->scale);
    s->center_b = cm__vec3_of(frame_apply(frame, pair->b->center));
    s->center_a = cm__vec3_of(frame_unrotate(frame, cm__point_sub(pair->a->center, frame->position)));
    cm__point middle_b = frame_apply(frame, cm__point_of(b->middle));
    s->middles = cm__vec3_of(cm__point_sub(middle_b, cm__point_of(a->middle)));
    s->a.hull = a, s->b.hull = b;
    if (!gauss_search_best()(s)) return false;
    watch_search(pair->watch);
    cm__convex_vertex at;
    const gauss_choice *c = gauss_decide(s, out, &at);
    if (!c || (!gauss_witness(s, c, &at, out) && !gauss_shared(s, c, &at, out))) return false;
    out->id_a = at.id_a, out->id_b = at.id_b;
    out->farthest = true;
    out->steps = s->steps;
    out->slack = 0;
    out->limit = false;
    return true;
}
