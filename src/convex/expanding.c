/* The tetrahedron, the faces' planes, the fan over what a new corner sees: see expanding.h. */
#include "convex/expanding.h"
#include "math/simd.h"

#define EXPANDING_ROUNDING (16 * DBL_EPSILON) /* of the scale: `eps` */

static cm__point expanding_unit(cm__point p) { return cm__point_scale(p, 1 / cm__point_length(p)); }

/* --- the first tetrahedron --------------------------------------------------------------------------------------- */

/* The distance of w from the point, line or plane through the first `count` vertices. */
static double expanding_height(const cm__convex_vertex *p, int count, cm__point w) {
    cm__point d = cm__point_sub(w, p[0].w);
    if (count == 1) return cm__point_length(d);
    cm__point e = cm__point_sub(p[1].w, p[0].w);
    if (count == 2) return cm__point_length(cm__point_cross(d, e)) / cm__point_length(e);
    cm__point f = cm__point_sub(p[2].w, p[0].w), n = cm__point_cross(e, f);
    double height = fabs(cm__point_dot(n, d)), l = cm__point_length(n);
    /* the normal of a thin triangle is noise in part: a height from it is none */
    double noise = 64 * DBL_EPSILON * cm__point_length(e) * cm__point_length(f) * cm__point_length(d);
    return height > noise ? height / l : 0;
}

/* A direction perpendicular to the line through the vertices (the i-th of three tries), or the normal of their
 * plane. */
static cm__point expanding_across(const cm__convex_vertex *p, int count, int i) {
    cm__point axis = cm__p(i == 0, i == 1, i == 2);
    if (count == 1) return axis;
    cm__point e = cm__point_sub(p[1].w, p[0].w);
    if (count == 3) return expanding_unit(cm__point_cross(e, cm__point_sub(p[2].w, p[0].w)));
    e = expanding_unit(e);
    /* the axis that leans least along the line first */
    cm__point u = expanding_unit(cm__point_cross(e, wide_least_axis(e))), v = cm__point_cross(e, u);
    if (i == 0) return u;
    return i == 1 ? v : expanding_unit(cm__point_add(u, v));
}

/* Completes the vertices to a tetrahedron; false where D is flat: `flat` is then a direction across it. */
static bool expanding_tetrahedron(const cm__convex_pair *pair, const cm__gjk *from, cm__expanding *h, cm__point *flat) {
    cm__convex_vertex *p = h->point;
    int count = 0;
    double eps = 64 * h->eps; /* of rounding: a lower tetrahedron has faces whose normals are noise */
    for (int i = 0; i < from->count && count < 4; i++) {
        if (count > 0 && !(expanding_height(p, count, from->vertex[i].w) > eps)) continue;
        p[count++] = from->vertex[i];
    }
    cm__convex_vertex x = {cm__p(0, 0, 0), cm__p(0, 0, 0), 0, 0};
    if (count == 0) {
        expanding_support(pair, cm__p(1, 0, 0), true, &x);
        p[count++] = x;
    }
    while (count < 4) {
        /* of the points that the tries find, the farthest: a well-shaped tetrahedron makes well-shaped faces */
        double best = eps;
        cm__convex_vertex far = x;
        *flat = expanding_across(p, count, 0);
        for (int i = 0; i < (count == 3 ? 1 : 3); i++) {
            cm__point u = expanding_across(p, count, i);
            for (int side = 0; side < 2; side++) {
                expanding_support(pair, side ? wide_neg(u) : u, true, &x);
                double d = expanding_height(p, count, x.w);
                if (d > best) best = d, far = x;
            }
        }
        if (!(best > eps)) {
            if (count == 3) {
                const cm__convex_vertex *const v[3] = {&p[0], &p[1], &p[2]};
                *flat = cm__convex_face_normal(pair, v, *flat);
            }
            return false;
        }
        p[count++] = far;
    }
    h->points = 4;
    return true;
}

/* --- faces ------------------------------------------------------------------------------------------------------- */

static void expanding_plane(cm__expanding *h, int f) {
    cm__expanding_face *face = &h->face[f];
    cm__point a = h->point[face->corner[0]].w, b = h->point[face->corner[1]].w, c = h->point[face->corner[2]].w;
    cm__point ab = cm__point_sub(b, a), ac = cm__point_sub(c, a);
    cm__point n = cm__point_cross(ab, ac);
    double l = cm__point_length(n);
    face->moved = false;
    if (!(l > 0)) { /* cannot be chosen as nearest, and is taken away with its neighbors */
        face->normal = cm__p(0, 0, 0);
        h->distance[f] = h->rank[f] = DBL_MAX / 2;
        return;
    }
    face->normal = cm__point_scale(n, 1 / l);
    h->distance[f] = h->rank[f] = cm__point_dot(face->normal, a);
}

/* What expanding_plane does, for faces f and g at once, to the same bits. */
static void expanding_planes(cm__expanding *h, int f, int g) {
    const uint16_t *i = h->face[f].corner, *j = h->face[g].corner;
    const cm__point *p = &h->point[i[0]].w, *q = &h->point[j[0]].w, *s = &h->point[i[1]].w, *t = &h->point[j[1]].w;
    const cm__point *v = &h->point[i[2]].w, *w = &h->point[j[2]].w;
    const f64x2 x = f64x2_of(p->x, q->x), y = f64x2_of(p->y, q->y), z = f64x2_of(p->z, q->z);
    const f64x2 bx = f64x2_sub(f64x2_of(s->x, t->x), x), by = f64x2_sub(f64x2_of(s->y, t->y), y);
    const f64x2 bz = f64x2_sub(f64x2_of(s->z, t->z), z), cx = f64x2_sub(f64x2_of(v->x, w->x), x);
    const f64x2 cy = f64x2_sub(f64x2_of(v->y, w->y), y), cz = f64x2_sub(f64x2_of(v->z, w->z), z);
    f64x2 nx = f64x2_sub(f64x2_mul(by, cz), f64x2_mul(bz, cy));
    f64x2 ny = f64x2_sub(f64x2_mul(bz, cx), f64x2_mul(bx, cz));
    f64x2 nz = f64x2_sub(f64x2_mul(bx, cy), f64x2_mul(by, cx));
    const f64x2 square = f64x2_add(f64x2_add(f64x2_mul(nx, nx), f64x2_mul(ny, ny)), f64x2_mul(nz, nz));
    const double low = f64x2_low(square), high = f64x2_high(square);
    if (!(low > 0x1p-900 && low < 0x1p1000 && high > 0x1p-900 && high < 0x1p1000)) { /* as cm__point_length */
        expanding_plane(h, f), expanding_plane(h, g);
        return;
    }
    const f64x2 over = f64x2_div(f64x2_all(1), f64x2_sqrt(square));
    nx = f64x2_mul(nx, over), ny = f64x2_mul(ny, over), nz = f64x2_mul(nz, over);
    const f64x2 d = f64x2_add(f64x2_add(f64x2_mul(nx, x), f64x2_mul(ny, y)), f64x2_mul(nz, z));
    h->face[f].normal = cm__p(f64x2_low(nx), f64x2_low(ny), f64x2_low(nz));
    h->face[g].normal = cm__p(f64x2_high(nx), f64x2_high(ny), f64x2_high(nz));
    h->distance[f] = h->rank[f] = f64x2_low(d), h->distance[g] = h->rank[g] = f64x2_high(d);
    h->face[f].moved = h->face[g].moved = false;
}

/* The four faces of the first tetrahedron, edge over edge. */
static void expanding_first_faces(cm__expanding *h) {
    static const uint16_t corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const cm__expanding_edge beyond[4][3] = {{6, 10, 14}, {13, 8, 0}, {5, 12, 1}, {9, 4, 2}};
    cm__point a = h->point[0].w;
    cm__point n = cm__point_normal(a, h->point[1].w, h->point[2].w);
    if (cm__point_dot(n, cm__point_sub(h->point[3].w, a)) > 0) { /* the fourth must lie below the first face */
        cm__convex_vertex swap = h->point[1];
        h->point[1] = h->point[2];
        h->point[2] = swap;
    }
    for (int f = 0; f < 4; f++) {
        for (int i = 0; i < 3; i++) h->face[f].corner[i] = corners[f][i], h->face[f].beyond[i] = beyond[f][i];
        h->mark[f] = 0;
        expanding_plane(h, f);
    }
    h->faces = 4;
    h->spare_count = 0;
}

static cm__expanding_edge *expanding_beyond(cm__expanding *h, cm__expanding_edge e) {
    return &h->face[expanding_edge_face(e)].beyond[e & 3];
}

/* The faces that see the last point, spreading from face `f`, and the rim around them. Returns how many are seen; 0:
 * the rim is too long. */
static int expanding_look(cm__expanding *h, int f) {
    static const uint8_t after[3] = {1, 2, 0};
    const uint16_t self = (uint16_t)h->points;
    const cm__point w = h->point[self].w;
    const double level = -h->eps;
    cm__expanding_rim *rim = &h->rim;
    int seen = 0, count = 0;
    h->seen[seen++] = (uint16_t)f;
    h->mark[f] = self;
    for (int at = 0; at < seen; at++) {
        const cm__expanding_edge *beyond = h->face[h->seen[at]].beyond;
        for (int k = 0; k < 3; k++) {
            const cm__expanding_edge e = beyond[k];
            const int next = expanding_edge_face(e), i = e & 3;
            const cm__expanding_face *face = &h->face[next];
            if (h->mark[next] == self) continue;
            const double d = h->distance[next];
            if (cm__point_dot(face->normal, w) - d > level || d > DBL_MAX / 4) {
                h->mark[next] = self;
                h->seen[seen++] = (uint16_t)next;
                continue;
            }
            if (count == CM__EXPANDING_POINTS) return 0;
            rim->outer[count] = e;
            rim->from[count] = face->corner[after[i]], rim->to[count] = face->corner[i];
            count++;
        }
    }
    rim->count = count;
    return seen;
}

/* Is the rim one closed loop, each corner once? Leaves in `leaving` which edge starts where. */
static bool expanding_rim_is_loop(cm__expanding *h) {
    const cm__expanding_rim *rim = &h->rim;
    const int count = rim->count;
    if (count < 3) return false;
    for (int i = 0; i < count; i++) h->leaving[rim->to[i]] = UINT16_MAX;
    for (int i = 0; i < count; i++) h->leaving[rim->from[i]] = (uint16_t)i;
    int at = 0;
    for (int i = 0; i < count; i++) {
        const uint16_t next = h->leaving[rim->to[at]];
        if (next == UINT16_MAX) return false;
        at = next;
        if (at == 0) return i == count - 1;
    }
    return false;
}

/* The new faces over the rim, with the numbers of dead ones before fresh ones. */
static void expanding_fan(cm__expanding *h, uint16_t corner) {
    cm__expanding_rim *rim = &h->rim;
    const int count = rim->count;
    for (int i = 0; i < count; i++) {
        const uint16_t self = h->spare_count > 0 ? h->spare[--h->spare_count] : (uint16_t)h->faces++;
        cm__expanding_face *face = &h->face[self];
        rim->number[i] = self;
        h->mark[self] = 0;
        face->corner[0] = rim->from[i], face->corner[1] = rim->to[i], face->corner[2] = corner;
        face->beyond[0] = rim->outer[i];
        *expanding_beyond(h, rim->outer[i]) = (cm__expanding_edge)(4 * self);
    }
    for (int i = 0; i < count; i++) {
        const unsigned self = rim->number[i], next = rim->number[h->leaving[rim->to[i]]];
        h->face[self].beyond[1] = (cm__expanding_edge)(4 * next + 2);
        h->face[next].beyond[2] = (cm__expanding_edge)(4 * self + 1);
    }
    int i = 0;
    for (; i + 1 < count; i += 2) expanding_planes(h, rim->number[i], rim->number[i + 1]);
    if (i < count) expanding_plane(h, rim->number[i]);
}

bool cm__expanding_grow(cm__expanding *h, int f) {
    const int seen = expanding_look(h, f);
    if (seen == 0 || !expanding_rim_is_loop(h) || h->faces + h->rim.count - h->spare_count > CM__EXPANDING_FACES)
        return false;
    for (int i = 0; i < seen; i++) {
        const int dead = h->seen[i];
        h->distance[dead] = h->rank[dead] = DBL_MAX;
        h->spare[h->spare_count++] = (uint16_t)dead;
    }
    expanding_fan(h, (uint16_t)h->points);
    h->points++;
    return true;
}

bool cm__expanding_start(const cm__convex_pair *pair, const cm__gjk *from, cm__expanding *out, cm__point *flat) {
    out->eps = EXPANDING_ROUNDING * pair->scale;
    if (!expanding_tetrahedron(pair, from, out, flat)) return false;
    expanding_first_faces(out);
    return true;
}

int cm__expanding_nearest(cm__expanding *h) {
    if (h->faces & 1) h->rank[h->faces] = DBL_MAX; /* there is room for it: they go by twos */
    const double *rank = h->rank, *end = h->rank + h->faces;
    f64x2 both = f64x2_all(DBL_MAX);
    for (; rank < end; rank += 2) both = f64x2_min(f64x2_load(rank), both);
    const double least = wide_min(f64x2_low(both), f64x2_high(both));
    rank = h->rank;
    while (rank + 1 < end && !(*rank <= least)) rank++;
    return (int)(rank - h->rank);
}
