/* Closest points of simplices, by signed areas and volumes.
 *
 * Differences of the vertices are factors wherever there is a choice: rounding is then that of the simplex' own size
 * and not of its distance to the origin. The closest point of an edge or face is computed as a vector perpendicular to
 * it, by cross products, and scaled afterwards. Near touching it is short compared with the vertices, and only so its
 * direction stays right to a few DBL_EPSILON. A triangle or tetrahedron whose volume drowns in rounding is answered by
 * its edges or faces: all of them are tried. The vertex that came last carries the closest point together with others,
 * or the search is at its end; so a feature without it is only taken where nothing else is as near. Based on:
 * [Montanari17] for signed volumes. */
#include "convex/simplex.h"

void cm__feature_corner(const cm__convex_vertex *p, int i, cm__feature *out) {
    out->count = 1;
    out->index[0] = i;
    out->weight[0] = 1;
    out->v = p[i].w;
    out->square = cm__point_dot(out->v, out->v);
}

void cm__feature_edge(const cm__convex_vertex *p, int i, int j, cm__feature *out) {
    cm__point d = cm__point_sub(p[j].w, p[i].w);
    double along = -cm__point_dot(p[i].w, d), back = cm__point_dot(p[j].w, d);
    if (!(along > 0)) {
        cm__feature_corner(p, i, out);
    } else if (!(back > 0)) {
        cm__feature_corner(p, j, out);
    } else { /* along + back = |d|^2, but these are rounded as long vectors are; the nearer end rounds less */
        const double r = 1 / cm__point_dot(d, d), less = (along < back ? along : back) * r;
        cm__point end = along < back ? p[i].w : p[j].w;
        out->count = 2;
        out->index[0] = i, out->index[1] = j;
        out->weight[0] = along < back ? 1 - less : less, out->weight[1] = along < back ? less : 1 - less;
        out->v = cm__point_scale(cm__point_cross(d, cm__point_cross(end, d)), r);
        out->square = cm__point_dot(out->v, out->v);
    }
}

static void feature_nearer(cm__feature *best, const cm__feature *other) {
    if (other->square < best->square) *best = *other;
}

/* ab x ac as the product of the two shorter edges: that of two long ones is off by their rounding along both. */
static cm__point feature_normal(cm__point ab, cm__point ac) {
    const cm__point edge[3] = {ab, ac, cm__point_sub(ac, ab)};
    const double c = cm__point_dot(ab, ab), b = cm__point_dot(ac, ac), a = cm__point_dot(edge[2], edge[2]);
    const int bc_longest = (a > b) & (a > c), ab_longest = !(b > c) & !bc_longest;
    return cm__point_cross(edge[ab_longest], edge[2 - bc_longest]); /* a jump could not be predicted */
}

void cm__feature_triangle(const cm__convex_vertex *p, int i, int j, int k, cm__feature *out) {
    cm__point a = p[i].w, ab = cm__point_sub(p[j].w, a), ac = cm__point_sub(p[k].w, a);
    cm__point n = feature_normal(ab, ac);
    double nn = cm__point_dot(n, n);
    /* areas against the corners k, j, i; each edge with the end in i or j as its lever */
    double on_k = cm__point_dot(n, cm__point_cross(a, ab));
    double on_j = cm__point_dot(n, cm__point_cross(ac, a));
    double on_i = nn - on_k - on_j;
    /* an area of less than 1e-14 of the product of two edges is rounding */
    double flat = 1e-28 * cm__point_dot(ab, ab) * cm__point_dot(ac, ac);
    if (on_i > 0 && on_j > 0 && on_k > 0 && nn > flat) {
        double s = 1 / nn, height = cm__point_dot(n, a);
        out->count = 3;
        out->index[0] = i, out->index[1] = j, out->index[2] = k;
        out->weight[0] = on_i * s, out->weight[1] = on_j * s, out->weight[2] = on_k * s;
        out->v = cm__point_scale(n, height * s);
        out->square = height * height * s;
        return;
    }
    bool all = !(nn > flat);
    cm__feature edge;
    out->square = DBL_MAX;
    if (all || on_j <= 0) cm__feature_edge(p, i, k, out);
    if (all || on_i <= 0) cm__feature_edge(p, j, k, &edge), feature_nearer(out, &edge);
    if (all || on_k <= 0 || out->square == DBL_MAX) cm__feature_edge(p, i, j, &edge), feature_nearer(out, &edge);
}

void cm__feature_outside(const cm__convex_vertex *p, cm__feature *out) {
    cm__feature other;
    cm__feature_triangle(p, 1, 2, 3, out);
    cm__feature_triangle(p, 0, 2, 3, &other), feature_nearer(out, &other);
    cm__feature_triangle(p, 0, 1, 3, &other), feature_nearer(out, &other);
}

/* Is the origin still inside where every vertex is off by `band`? Its determinant with a face then changes by less than
 * that times the areas of the four triangles among the origin and the face's corners, and is off itself by the rounding
 * of its terms; both are large against the face's own area where that is a sliver's. */
static bool tetrahedron_is_sure(const cm__convex_vertex *p, double band) {
    static const uint8_t face[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
    double most = 0;
    for (int i = 0; i < 4; i++) most = most > cm__point_dot(p[i].w, p[i].w) ? most : cm__point_dot(p[i].w, p[i].w);
    for (int f = 0; f < 4; f++) {
        cm__point a = p[face[f][0]].w, b = p[face[f][1]].w, c = p[face[f][2]].w;
        cm__point ab = cm__point_sub(b, a), ac = cm__point_sub(c, a), n = cm__point_cross(ab, ac);
        double det = fabs(cm__point_dot(n, a));
        if (det > 10 * band * most) continue;
        double areas = cm__point_length(n) + cm__point_length(cm__point_cross(a, b)) +
                       cm__point_length(cm__point_cross(a, c)) + cm__point_length(cm__point_cross(b, c));
        double noise = 8 * DBL_EPSILON * cm__point_length(ab) * cm__point_length(ac) * cm__point_length(a);
        if (!(det > band * areas + noise)) return false;
    }
    return true;
}

/* Is the origin inside the tetrahedron? CM__ON_IT: within `band` of a face, or the tetrahedron is too flat to say. */
cm__side_of cm__feature_tetrahedron(const cm__convex_vertex *p, double band, cm__feature *out) {
    /* the face opposite to each corner, and that corner */
    static const uint8_t face[4][4] = {{1, 2, 3, 0}, {0, 2, 3, 1}, {0, 1, 3, 2}, {0, 1, 2, 3}};
    cm__side_of side = CM__WITHIN;
    out->count = 0;
    bool outside = false, try[4];
    for (int f = 3; f >= 0; f--) {
        cm__point a = p[face[f][0]].w, ab = cm__point_sub(p[face[f][1]].w, a), ac = cm__point_sub(p[face[f][2]].w, a);
        cm__point n = cm__point_cross(ab, ac), ad = cm__point_sub(p[face[f][3]].w, a);
        double height = cm__point_dot(n, ad), origin = -cm__point_dot(n, a), nn = cm__point_dot(n, n);
        bool flat = !(height * height > 1e-26 * nn * cm__point_dot(ad, ad)); /* a slope below 1e-13 is rounding */
        try[f] = flat || (height > 0) != (origin > 0);
        if (!flat && try[f] && origin * origin > band * band * nn) outside = true;
        if (try[f] || !(origin * origin > band * band * nn)) side = CM__ON_IT;
    }
    if (side == CM__WITHIN) return tetrahedron_is_sure(p, band) ? CM__WITHIN : CM__ON_IT;
    out->square = DBL_MAX;
    for (int f = 0; f < 4; f++) {
        cm__feature part;
        if (!try[f] || (f == 3 && out->square < DBL_MAX)) continue;
        cm__feature_triangle(p, face[f][0], face[f][1], face[f][2], &part);
        feature_nearer(out, &part);
    }
    return outside || (out->square > band * band && out->square < DBL_MAX) ? CM__OUTSIDE : CM__ON_IT;
}
