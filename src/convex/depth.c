/* The depth of two overlapping cores by EPA, an expanding polytope: the smallest translation that brings them to
 * touching is the point of the surface of D = B - A that is nearest to the origin.
 *
 * A polytope within D, its corners on D's surface, holds the origin. Its nearest face bounds the depth from below; D's
 * support along that face's normal u bounds it from above, since moving B against u by that much separates the cores.
 * The search ends where the two agree (DEPTH_TOLERANCE of the extent of D; for polytopes the support point is then a
 * corner of the face, which is one of D's, exact to rounding). Else the support point becomes a corner of the polytope:
 * the faces that see it are replaced by a fan around it. A face counts as seen down to DEPTH_ROUNDING below its plane,
 * which merges coplanar faces and leaves no new face without area. Distances of faces are signed, so an origin that
 * lies outside by rounding is found to be outside. Where D is flat (coplanar shapes, crossing segments) the depth is 0
 * along its normal. Ties: the face that was built first, which depends on the two shapes' own axes only.
 *
 * Around a nearest point where D is curved that takes ever smaller faces. So after DEPTH_DESCEND steps Newton's steps
 * (descent.c) go to the least depth nearby, `local`, and say how far around it no direction u has less: those with u
 * times local.u >= `cosine`, a cap of the sphere. All others are known by the polytope: it reaches level = local's
 * depth less the tolerance along each of them, if it does so along the normals of the faces out of the cap, and
 * wherever its reach passes `level` between the normals of a face nearer than that and of the next one lies in the cap.
 * For the directions along which one corner w reaches farthest are a convex polygon, of the normals of the faces around
 * w; where it reaches `level` is a circle around w, convex too; the chords between the points where the polygon's sides
 * pass the circle cut off what reaches less, whose corners all lie in the cap, and so does what is between them. A face
 * of which that is known is settled, and stays so as the polytope grows. The search ends where no other is nearer than
 * `level`.
 *
 * Curved cores that are nearly concentric have no nearest point that stands out. After DEPTH_ROUND_POINTS corners the
 * lower bound is within DEPTH_ROUND_BOUND of the extent (`slack` says how far), and slower descents lower the least
 * upper bound. Moving by the result always separates the cores; that it is the smallest such move is proved only to
 * DEPTH_ROUND_BOUND of the extent. Against searches from many sides it was at most 4e-4 of the extent too large, nearly
 * always less than 1e-6.
 *
 * Bound: CM__DEPTH_POINTS corners, in arrays on the stack (about 48 KB). Based on: [vandenBergen01]. */
#include "convex/descent.h"
#include "convex/newton.h"
#include "convex/observe.h"
#include "convex/simplex.h"

/* Of the extent: well below the last digit of float; in double as near as curved cores get before rounding
 * (DEPTH_LEAST of a scale that may be far larger) hides the next step. */
#if defined(CAROM_F64)
#define DEPTH_TOLERANCE 1e-10
#else
#define DEPTH_TOLERANCE 1e-9
#endif
#define DEPTH_ROUNDING     (16 * DBL_EPSILON)     /* of the scale: a corner's height over a plane of three others */
#define DEPTH_LEAST        (64 * DBL_EPSILON)     /* of the scale: curved cores can come no closer */
#define DEPTH_ROUND_POINTS 96                     /* corners for curved cores, */
#define DEPTH_ROUND_BOUND  3e-2                   /* where the bounds then are within this of the extent */
#define DEPTH_DESCENTS     4                      /* from the best of the bounds, each its own valley */
#define DEPTH_DESCEND      6                      /* steps before the first descent, twice as many after each */
#define DEPTH_FACES        (2 * CM__DEPTH_POINTS) /* a closed polytope of triangles has fewer */

/* Edge i of face f, from its corner i to the next, is 4 f + i. */
typedef uint16_t depth_edge;

typedef struct depth_face {
    cm__point normal;     /* unit, outward */
    uint16_t corner[3];   /* counter-clockwise seen from outside */
    depth_edge beyond[3]; /* the same edge, of the face on its other side */
    bool thin;            /* its plane is not that of its corners, see depth_thin */
} depth_face;

/* The rim around the faces that a new corner sees. Its edges are those of the faces beyond, against whose sense it
 * runs. */
typedef struct depth_rim {
    int count;
    depth_edge outer[CM__DEPTH_POINTS];
    uint16_t from[CM__DEPTH_POINTS], to[CM__DEPTH_POINTS]; /* corners */
    uint16_t number[CM__DEPTH_POINTS];                     /* of the new face over the edge */
} depth_rim;

typedef struct depth_hull {
    const cm__convex_pair *pair;
    double eps, tolerance;
    double round;      /* DEPTH_ROUND_BOUND, as a length */
    int points, faces; /* in use; dead faces included */
    int spare_count;
    int descend;                  /* from how many steps on a descent is tried */
    double level;                 /* what `local` proves to be the least, where it is; DBL_MAX: there is none */
    double cosine;                /* of how far it does */
    cm__descent local;            /* the least depth that a descent found */
    double distance[DEPTH_FACES]; /* of the plane from the origin; DBL_MAX of dead faces */
    double rank[DEPTH_FACES];     /* the same; DBL_MAX also of faces that are settled */
    depth_face face[DEPTH_FACES];
    cm__convex_vertex point[CM__DEPTH_POINTS];
    uint16_t spare[DEPTH_FACES];        /* numbers of dead faces */
    uint16_t leaving[CM__DEPTH_POINTS]; /* the edge of the rim that starts at a corner */
    uint16_t seen[DEPTH_FACES];         /* faces seen from the new corner */
    uint16_t mark[DEPTH_FACES];         /* the last corner from which a face was seen */
    depth_rim rim;
} depth_hull;

static cm__point depth_unit(cm__point p) { return cm__point_scale(p, 1 / cm__point_length(p)); }
static cm__point depth_neg(cm__point p) { return cm__p(-p.x, -p.y, -p.z); }

/* The vertex of D farthest along `u`. */
static void depth_support(const cm__convex_pair *pair, cm__point u, bool exact, cm__convex_vertex *io) {
    convex_support(pair, depth_neg(u), exact, io);
}

/* --- the first tetrahedron --------------------------------------------------------------------------------------- */

/* The distance of w from the point, line or plane through the first `count` vertices. */
static double flat_distance(const cm__convex_vertex *p, int count, cm__point w) {
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
static cm__point flat_direction(const cm__convex_vertex *p, int count, int i) {
    cm__point axis = cm__p(i == 0, i == 1, i == 2);
    if (count == 1) return axis;
    cm__point e = cm__point_sub(p[1].w, p[0].w);
    if (count == 3) return depth_unit(cm__point_cross(e, cm__point_sub(p[2].w, p[0].w)));
    e = depth_unit(e);
    /* the axis that leans least along the line first */
    double x = fabs(e.x), y = fabs(e.y), z = fabs(e.z);
    cm__point least = x <= y && x <= z ? cm__p(1, 0, 0) : y <= z ? cm__p(0, 1, 0) : cm__p(0, 0, 1);
    cm__point u = depth_unit(cm__point_cross(e, least)), v = cm__point_cross(e, u);
    if (i == 0) return u;
    return i == 1 ? v : depth_unit(cm__point_add(u, v));
}

/* Completes the vertices to a tetrahedron; false where D is flat: `flat` is then a direction across it. */
static bool depth_tetrahedron(depth_hull *h, const cm__gjk *start, cm__point *flat) {
    cm__convex_vertex *p = h->point;
    int count = 0;
    double eps = 64 * h->eps;
    for (int i = 0; i < start->count && count < 4; i++) {
        if (count > 0 && !(flat_distance(p, count, start->vertex[i].w) > eps)) continue;
        p[count++] = start->vertex[i];
    }
    cm__convex_vertex x = {cm__p(0, 0, 0), cm__p(0, 0, 0), 0, 0};
    if (count == 0) {
        depth_support(h->pair, cm__p(1, 0, 0), true, &x);
        p[count++] = x;
    }
    while (count < 4) {
        /* of the points that the tries find, the farthest: a well-shaped tetrahedron makes well-shaped faces */
        double best = eps;
        cm__convex_vertex far = x;
        *flat = flat_direction(p, count, 0);
        for (int i = 0; i < (count == 3 ? 1 : 3); i++) {
            cm__point u = flat_direction(p, count, i);
            for (int side = 0; side < 2; side++) {
                depth_support(h->pair, side ? depth_neg(u) : u, true, &x);
                double d = flat_distance(p, count, x.w);
                if (d > best) best = d, far = x;
            }
        }
        if (!(best > eps)) {
            if (count == 3) {
                const cm__convex_vertex *const v[3] = {&p[0], &p[1], &p[2]};
                *flat = cm__convex_face_normal(h->pair, v, *flat);
            }
            return false;
        }
        p[count++] = far;
    }
    h->points = 4;
    return true;
}

/* --- faces ------------------------------------------------------------------------------------------------------- */

static void face_plane(depth_hull *h, int f) {
    depth_face *face = &h->face[f];
    cm__point a = h->point[face->corner[0]].w, b = h->point[face->corner[1]].w, c = h->point[face->corner[2]].w;
    cm__point ab = cm__point_sub(b, a), ac = cm__point_sub(c, a);
    cm__point n = cm__point_cross(ab, ac);
    double l = cm__point_length(n);
    face->thin = false;
    if (!(l > 0)) { /* cannot be chosen as nearest, and is taken away with its neighbors */
        face->normal = cm__p(0, 0, 0);
        h->distance[f] = h->rank[f] = DBL_MAX / 2;
        return;
    }
    face->normal = cm__point_scale(n, 1 / l);
    h->distance[f] = h->rank[f] = cm__point_dot(face->normal, a);
}

/* What face_plane does, for faces f and g at once, to the same bits. */
static void face_planes(depth_hull *h, int f, int g) {
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
        face_plane(h, f), face_plane(h, g);
        return;
    }
    const f64x2 over = f64x2_div(f64x2_all(1), f64x2_sqrt(square));
    nx = f64x2_mul(nx, over), ny = f64x2_mul(ny, over), nz = f64x2_mul(nz, over);
    const f64x2 d = f64x2_add(f64x2_add(f64x2_mul(nx, x), f64x2_mul(ny, y)), f64x2_mul(nz, z));
    h->face[f].normal = cm__p(f64x2_low(nx), f64x2_low(ny), f64x2_low(nz));
    h->face[g].normal = cm__p(f64x2_high(nx), f64x2_high(ny), f64x2_high(nz));
    h->distance[f] = h->rank[f] = f64x2_low(d), h->distance[g] = h->rank[g] = f64x2_high(d);
    h->face[f].thin = h->face[g].thin = false;
}

/* The four faces of the first tetrahedron, edge over edge. */
static void depth_first_faces(depth_hull *h) {
    static const uint16_t corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const depth_edge beyond[4][3] = {{6, 10, 14}, {13, 8, 0}, {5, 12, 1}, {9, 4, 2}};
    cm__point a = h->point[0].w;
    cm__point n = cm__point_cross(cm__point_sub(h->point[1].w, a), cm__point_sub(h->point[2].w, a));
    if (cm__point_dot(n, cm__point_sub(h->point[3].w, a)) > 0) { /* the fourth must lie below the first face */
        cm__convex_vertex swap = h->point[1];
        h->point[1] = h->point[2];
        h->point[2] = swap;
    }
    for (int f = 0; f < 4; f++) {
        for (int i = 0; i < 3; i++) h->face[f].corner[i] = corners[f][i], h->face[f].beyond[i] = beyond[f][i];
        h->mark[f] = 0;
        face_plane(h, f);
    }
    h->faces = 4;
    h->spare_count = 0;
}

static int edge_face(depth_edge e) { return e >> 2; }
static depth_edge *edge_beyond(depth_hull *h, depth_edge e) { return &h->face[e >> 2].beyond[e & 3]; }

/* The faces that see the last point, spreading from face `f`, and the rim around them. Returns how many are seen; 0:
 * the rim is too long. */
static int depth_look(depth_hull *h, int f) {
    static const uint8_t after[3] = {1, 2, 0};
    const uint16_t self = (uint16_t)h->points;
    const cm__point w = h->point[self].w;
    const double level = -h->eps;
    depth_rim *rim = &h->rim;
    int seen = 0, count = 0;
    h->seen[seen++] = (uint16_t)f;
    h->mark[f] = self;
    for (int at = 0; at < seen; at++) {
        const depth_edge *beyond = h->face[h->seen[at]].beyond;
        for (int k = 0; k < 3; k++) {
            const depth_edge e = beyond[k];
            const int next = edge_face(e), i = e & 3;
            const depth_face *face = &h->face[next];
            if (h->mark[next] == self) continue;
            const double d = h->distance[next];
            if (cm__point_dot(face->normal, w) - d > level || d > DBL_MAX / 4) {
                h->mark[next] = self;
                h->seen[seen++] = (uint16_t)next;
                continue;
            }
            if (count == CM__DEPTH_POINTS) return 0;
            rim->outer[count] = e;
            rim->from[count] = face->corner[after[i]], rim->to[count] = face->corner[i];
            count++;
        }
    }
    rim->count = count;
    return seen;
}

/* Is the rim one closed loop, each corner once? Leaves in `leaving` which edge starts where. */
static bool depth_rim_is_loop(depth_hull *h) {
    const depth_rim *rim = &h->rim;
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
static void depth_fan(depth_hull *h, uint16_t corner) {
    depth_rim *rim = &h->rim;
    const int count = rim->count;
    for (int i = 0; i < count; i++) {
        const uint16_t self = h->spare_count > 0 ? h->spare[--h->spare_count] : (uint16_t)h->faces++;
        depth_face *face = &h->face[self];
        rim->number[i] = self;
        h->mark[self] = 0;
        face->corner[0] = rim->from[i], face->corner[1] = rim->to[i], face->corner[2] = corner;
        face->beyond[0] = rim->outer[i];
        *edge_beyond(h, rim->outer[i]) = (depth_edge)(4 * self);
    }
    for (int i = 0; i < count; i++) {
        const unsigned self = rim->number[i], next = rim->number[h->leaving[rim->to[i]]];
        h->face[self].beyond[1] = (depth_edge)(4 * next + 2);
        h->face[next].beyond[2] = (depth_edge)(4 * self + 1);
    }
    int i = 0;
    for (; i + 1 < count; i += 2) face_planes(h, rim->number[i], rim->number[i + 1]);
    if (i < count) face_plane(h, rim->number[i]);
}

/* Adds the last point by a fan over the rim of what it sees. False where rounding left no proper rim, or no room. */
static bool depth_expand(depth_hull *h, int f) {
    const int seen = depth_look(h, f);
    if (seen == 0 || !depth_rim_is_loop(h) || h->faces + h->rim.count - h->spare_count > DEPTH_FACES) return false;
    for (int i = 0; i < seen; i++) {
        const int dead = h->seen[i];
        h->distance[dead] = h->rank[dead] = DBL_MAX;
        h->spare[h->spare_count++] = (uint16_t)dead;
    }
    depth_fan(h, (uint16_t)h->points);
    h->points++;
    return true;
}

/* The face of least rank, the first of equals. */
static int depth_nearest(depth_hull *h) {
    if (h->faces & 1) h->rank[h->faces] = DBL_MAX; /* there is room for it: they go by twos */
    const double *rank = h->rank, *end = h->rank + h->faces;
    f64x2 both = f64x2_all(DBL_MAX);
    for (; rank < end; rank += 2) both = f64x2_min(f64x2_load(rank), both);
    const double least = wide_min(f64x2_low(both), f64x2_high(both));
    rank = h->rank;
    while (rank + 1 < end && !(*rank <= least)) rank++;
    return (int)(rank - h->rank);
}

/* --- the answer -------------------------------------------------------------------------------------------------- */

/* The points of A and B over `foot`, on the faces whose planes are at most `limit` from the origin; `first` most
 * likely. The foot of the origin on the nearest face lies in it; but faces that are one in D may be split here, and
 * then it lies in any of those on the same plane, up to rounding. */
static void depth_witness(const depth_hull *h, int first, cm__point foot, double limit, cm__depth *out) {
    cm__feature best = {.square = DBL_MAX};
    const depth_face *face = &h->face[first];
    cm__convex_vertex p[3];
    for (int i = -1; i < h->faces && best.square > h->eps * h->eps; i++) {
        int f = i < 0 ? first : i;
        if (!(h->distance[f] <= limit)) continue;
        for (int k = 0; k < 3; k++) {
            p[k] = h->point[h->face[f].corner[k]];
            p[k].w = cm__point_sub(p[k].w, foot);
        }
        cm__feature feature;
        cm__feature_triangle(p, 0, 1, 2, &feature);
        if (feature.square < best.square) best = feature, face = &h->face[f];
    }
    out->a = cm__p(0, 0, 0);
    cm__point w = cm__p(0, 0, 0);
    for (int i = 0; i < best.count; i++) {
        const cm__convex_vertex *x = &h->point[face->corner[best.index[i]]];
        out->a = cm__point_mul_add(out->a, best.weight[i], x->a);
        w = cm__point_mul_add(w, best.weight[i], x->w);
    }
    out->b = cm__point_add(out->a, w);
}

/* D is flat, with normal u: takes the side of D on which the depth is less. */
static void depth_flat(const depth_hull *h, const cm__gjk *start, cm__point u, cm__depth *out) {
    cm__convex_vertex up, down;
    up.id_a = up.id_b = down.id_a = down.id_b = 0;
    depth_support(h->pair, u, true, &up);
    depth_support(h->pair, depth_neg(u), true, &down);
    double above = cm__point_dot(u, up.w), below = -cm__point_dot(u, down.w);
    bool flip = below < above;
    out->normal = flip ? u : depth_neg(u);
    out->distance = -(flip ? below : above);
    out->slack = fabs(out->distance);
    out->a = out->b = cm__p(0, 0, 0);
    cm__point w = cm__p(0, 0, 0);
    double sum = 0;
    for (int i = 0; i < start->count; i++) sum += start->weight[i];
    for (int i = 0; i < start->count; i++) {
        out->a = cm__point_mul_add(out->a, start->weight[i] / sum, start->vertex[i].a);
        w = cm__point_mul_add(w, start->weight[i] / sum, start->vertex[i].w);
    }
    if (start->count == 0) out->a = up.a, w = up.w;
    out->b = cm__point_add(out->a, w);
}

static bool face_has(const depth_hull *h, int f, const cm__convex_vertex *x) {
    for (int k = 0; k < 3; k++) {
        const cm__convex_vertex *y = &h->point[h->face[f].corner[k]];
        if (cm__point_equal(x->w, y->w)) return true;
        if (h->pair->sharp && x->id_a == y->id_a && x->id_b == y->id_b) return true;
    }
    return false;
}

/* Recomputes the normal of the face found from the shapes' own features; it is taken where it does not prove a larger
 * depth. */
static void depth_sharpen(const depth_hull *h, int f, cm__depth *out) {
    const depth_face *face = &h->face[f];
    const cm__convex_vertex *const v[3] = {&h->point[face->corner[0]], &h->point[face->corner[1]],
                                           &h->point[face->corner[2]]};
    cm__convex_vertex x = *v[0];
    cm__point n = cm__convex_face_normal(h->pair, v, out->normal);
    convex_support(h->pair, n, true, &x);
    double distance = cm__point_dot(n, x.w);
    if (!(distance > out->distance)) return;
    out->normal = n;
    out->distance = distance;
}

/* The support along the face's normal is one of the face's own corners, at `reach`, beyond the face's plane. So the
 * face is so thin that its normal is partly rounding. It gets the normal from the shapes' own features, if D reaches
 * less far along that, and its plane moves out to where D ends; then another face may be the nearest. */
static void depth_thin(depth_hull *h, int f, double reach) {
    cm__depth own = {.normal = depth_neg(h->face[f].normal), .distance = -reach};
    depth_sharpen(h, f, &own);
    h->face[f].normal = depth_neg(own.normal);
    h->distance[f] = h->rank[f] = -own.distance;
    h->face[f].thin = true;
}

/* For curved cores, where the polytope ran out of corners. Descends from the best direction tried, then from the best
 * of those far from where any descent started or ended; up to DEPTH_DESCENTS of them. The last starts perpendicular to
 * the best, since the axes of a nearly round D are perpendicular to each other. */
static void depth_polish(const depth_hull *h, int first, const cm__descent_try *tried, int count, cm__depth *out) {
    cm__descent_try best = {.reach = DBL_MAX};
    cm__point start[DEPTH_DESCENTS], end[DEPTH_DESCENTS];
    for (int n = 0; n < DEPTH_DESCENTS; n++) {
        int pick = -1;
        for (int i = 0; i < count; i++) {
            bool fresh = pick < 0 || tried[i].reach < tried[pick].reach;
            for (int k = 0; k < n && fresh; k++) /* 11 degrees from where one started, 37 from where one ended */
                fresh = cm__point_dot(start[k], tried[i].u) < 0.98 && cm__point_dot(end[k], tried[i].u) < 0.8;
            if (fresh) pick = i;
        }
        if (pick < 0) break;
        cm__descent_try down = tried[pick];
        if (n == DEPTH_DESCENTS - 1) cm__descent_perpendicular_to(h->pair, best.u, &down);
        start[n] = down.u;
        cm__descent_learn(h->pair, &down);
        end[n] = down.u;
        if (down.reach < best.reach) best = down;
    }
    out->slack -= -out->distance - best.reach;
    out->distance = -best.reach;
    out->normal = depth_neg(best.u);
    /* on a smooth surface the support point is the foot itself; else the foot lies between corners of the polytope */
    if (best.lack <= 100 * h->tolerance) {
        out->a = best.at.a;
        out->b = cm__point_add(best.at.a, best.at.w);
    } else {
        depth_witness(h, first, cm__point_scale(best.u, best.reach), best.reach + h->eps, out);
    }
}

/* --- the least of all around ------------------------------------------------------------------------------------- */

static void depth_descent(depth_hull *h, cm__point from, int steps) {
    cm__descent d;
    h->descend = 2 * steps;
    if (!cm__descent_run(h->pair, from, h->tolerance, &d)) return;
    if (h->level < DBL_MAX && !(d.reach < h->local.reach)) return;
    h->local = d;
    h->descend = 0;
    h->level = d.reach - h->tolerance;
    h->cosine = 1 / sqrt(1 + d.around * d.around);
    for (int f = 0; f < h->faces; f++) h->rank[f] = h->distance[f];
}

/* Between the normals of two faces at an edge, one nearer than h->level and one not: is the direction along which the
 * polytope reaches that far around the least depth? */
static bool depth_edge_settles(const depth_hull *h, int near, int far) {
    const cm__point n = h->face[near].normal, to = h->face[far].normal;
    const double d = h->distance[near], rise = h->distance[far] - d, square = h->level * h->level;
    if (!(rise < DBL_MAX / 4)) return false;
    /* (d + s rise)^2 = level^2 |n + s (to - n)|^2 */
    const double bend = 2 * square * (1 - cm__point_dot(n, to));
    const double a = rise * rise - bend, b = 2 * d * rise + bend, c = d * d - square;
    const double s = -2 * c / (b + sqrt(wide_max(b * b - 4 * a * c, 0)));
    const cm__point u = cm__point_mul_add(n, s, cm__point_sub(to, n));
    return cm__point_dot(u, h->local.u) >= h->cosine * cm__point_length(u);
}

static bool depth_is_around(const depth_hull *h, int f) {
    return h->distance[f] > 0 && cm__point_dot(h->face[f].normal, h->local.u) >= h->cosine;
}

/* A face nearer than h->level: are all directions like it, along which the polytope reaches less than that far, around
 * the least depth? As the polytope grows they stay so. */
static bool depth_settles(const depth_hull *h, int f) {
    if (!depth_is_around(h, f)) return false;
    for (int i = 0; i < 3; i++) {
        const int next = edge_face(h->face[f].beyond[i]);
        if (depth_is_around(h, next)) continue;
        if (h->distance[next] < h->level || !depth_edge_settles(h, f, next)) return false;
    }
    return true;
}

static void depth_from_descent(const depth_hull *h, double slack, cm__depth *out) {
    out->normal = depth_neg(h->local.u);
    out->distance = -h->local.reach;
    out->slack = slack;
    out->a = h->local.a, out->b = h->local.b;
    out->id_a = h->local.id_a, out->id_b = h->local.id_b;
}

/* --- for a watcher ----------------------------------------------------------------------------------------------- */

/* The polytope, its nearest face `nearest`, and what D has beyond that, `x`; with all of D behind the plane at `reach`
 * along the face's normal. */
static CM__RARE void depth_show(const depth_hull *h, int nearest, const cm__convex_vertex *x, double reach,
                                bool exact) {
    cm__watch *watch = h->pair->watch;
    cm_step_vertex vertices[CM__DEPTH_POINTS];
    uint32_t faces[DEPTH_FACES][3];
    cm_step step;
    cm__watch_begin(watch, CM_STEP_POLYTOPE, &step);
    cm__watch_bounds(h->pair, -reach, -h->distance[nearest], &step);
    step.exact = exact;
    step.direction = cm__watch_direction(watch, depth_neg(h->face[nearest].normal));
    step.support = cm__watch_vertex(watch, x);
    step.closest = cm__watch_way(watch, cm__point_scale(h->face[nearest].normal, h->distance[nearest]));
    for (int i = 0; i < h->points; i++) vertices[i] = cm__watch_vertex(watch, &h->point[i]);
    for (int f = 0; f < h->faces; f++) {
        if (h->distance[f] >= DBL_MAX) continue; /* dead */
        if (f == nearest) step.face = (uint32_t)step.face_count;
        for (int k = 0; k < 3; k++) /* D turned around is mirrored, and so are its faces */
            faces[step.face_count][k] = h->face[f].corner[watch->swapped ? 2 - k : k];
        step.face_count++;
    }
    step.vertex_count = h->points, step.vertices = vertices, step.faces = faces[0];
    cm__watch_send(watch, &step);
}

static CM__RARE void depth_show_flat(const cm__convex_pair *pair, const cm__gjk *start, const cm__depth *depth) {
    cm_step_vertex vertices[4];
    cm_step step;
    cm__watch_begin(pair->watch, CM_STEP_POLYTOPE, &step);
    cm__watch_bounds(pair, depth->distance, depth->distance + depth->slack, &step);
    step.direction = cm__watch_direction(pair->watch, depth->normal);
    for (int i = 0; i < start->count; i++) vertices[i] = cm__watch_vertex(pair->watch, &start->vertex[i]);
    step.vertex_count = start->count, step.vertices = vertices;
    cm__watch_send(pair->watch, &step);
}

/* Where the search ended on the face `answer`, or at its limit. */
static void depth_from_face(const depth_hull *h, int answer, const cm__descent_try *tried, cm__depth *out) {
    out->id_a = h->point[h->face[answer].corner[0]].id_a, out->id_b = h->point[h->face[answer].corner[0]].id_b;
    cm__point foot = cm__point_scale(h->face[answer].normal, h->distance[answer]);
    depth_witness(h, answer, foot, h->distance[answer] + 64 * h->eps, out);
    if (h->pair->sharp)
        depth_sharpen(h, answer, out);
    else if (out->limit)
        depth_polish(h, answer, tried, out->steps < DEPTH_ROUND_POINTS ? out->steps : DEPTH_ROUND_POINTS, out);
    if (out->limit && h->level < DBL_MAX && h->local.reach < -out->distance)
        depth_from_descent(h, out->slack - (-out->distance - h->local.reach), out);
    if (!h->pair->sharp && out->slack <= h->round) out->limit = false;
}

void cm__depth_run(const cm__convex_pair *pair, const cm__gjk *start, cm__depth *out) {
    depth_hull hull, *h = &hull;
    cm__descent_try tried[DEPTH_ROUND_POINTS];
    h->pair = pair;
    h->eps = DEPTH_ROUNDING * pair->scale;
    const double extent = pair_extent(pair), least_of = DEPTH_LEAST * pair->scale;
    double tolerance = 4 * DBL_EPSILON * pair->scale;
    if (!pair->sharp) tolerance = DEPTH_TOLERANCE * extent > least_of ? DEPTH_TOLERANCE * extent : least_of;
    h->tolerance = tolerance, h->round = DEPTH_ROUND_BOUND * extent;
    bool fast = pair->a->guess_error + pair->b->guess_error > 0;
    cm__point flat;
    watch_search(pair->watch);
    out->steps = 0;
    out->limit = false;
    out->id_a = out->id_b = CM_NONE;
    out->farthest = false;
    if (!depth_tetrahedron(h, start, &flat)) {
        depth_flat(h, start, flat, out);
        if (pair->watch) depth_show_flat(pair, start, out);
        return;
    }
    depth_first_faces(h);
    const bool newton = cm__newton_knows(pair) && !fast; /* hulls: their exact support points take too long */
    h->descend = DEPTH_DESCEND, h->level = DBL_MAX;
    double least = DBL_MAX; /* upper bound */
    int answer = -1;
    int room = pair->sharp ? CM__DEPTH_POINTS : DEPTH_ROUND_POINTS;
    out->limit = true;
    out->slack = DBL_MAX;
    /* near balls with one center need a few more, rarely, until the bounds are as close as is promised */
    while (h->points < room || (h->points < CM__DEPTH_POINTS && out->slack > h->round)) {
        int f = depth_nearest(h);
        if (h->rank[f] >= h->level) {
            depth_from_descent(h, h->tolerance, out);
            out->limit = false;
            return;
        }
        if (h->level < DBL_MAX && depth_settles(h, f)) {
            h->rank[f] = DBL_MAX;
            continue;
        }
        cm__point u = h->face[f].normal;
        cm__convex_vertex *x = &h->point[h->points];
        x->id_a = h->point[h->face[f].corner[0]].id_a, x->id_b = h->point[h->face[f].corner[0]].id_b;
        depth_support(pair, u, !fast, x);
        double reach = cm__point_dot(u, x->w);
        bool exact = !fast;
        if (fast && (!(reach - h->distance[f] > tolerance) || face_has(h, f, x))) {
            depth_support(pair, u, true, x);
            reach = cm__point_dot(u, x->w);
            exact = true;
        }
        if (!pair->sharp && out->steps < DEPTH_ROUND_POINTS) tried[out->steps].u = u, tried[out->steps].reach = reach;
        out->steps++;
        answer = f;
        if (reach < least) {
            least = reach;
            out->normal = depth_neg(u);
            out->distance = -reach;
        }
        out->slack = least - h->distance[f];
        if (pair->watch)
            depth_show(h, f, x, exact ? reach : reach + pair->a->guess_error + pair->b->guess_error, exact);
        const bool beyond = reach - h->distance[f] > tolerance, own = beyond && face_has(h, f, x);
        if (own && pair->sharp && !h->face[f].thin) {
            depth_thin(h, f, reach);
            continue;
        }
        if (!beyond || own) {
            out->normal = depth_neg(u);
            out->distance = -reach;
            out->limit = false;
            break;
        }
        if (!depth_expand(h, f)) break;
        if (newton && out->steps >= h->descend && least < h->level)
            depth_descent(h, depth_neg(out->normal), out->steps);
    }
    depth_from_face(h, answer, tried, out);
}
