/* Brute force on the features of small convex bodies, in 113 bits. */
#include "oracle/convex.h"

#include <math.h>
#include <string.h>

static quad3 q3(quad x, quad y, quad z) {
    quad3 v = {x, y, z};
    return v;
}
quad3 oracle_point(cm_vec3 p) { return q3((quad)p.x, (quad)p.y, (quad)p.z); }
static quad3 sub(quad3 a, quad3 b) { return q3(a.x - b.x, a.y - b.y, a.z - b.z); }
static quad3 add(quad3 a, quad3 b) { return q3(a.x + b.x, a.y + b.y, a.z + b.z); }
static quad3 times(quad3 a, quad s) { return q3(a.x * s, a.y * s, a.z * s); }
static quad dot(quad3 a, quad3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static quad3 cross(quad3 a, quad3 b) { return q3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
/* Newton from the double root. */
quad quad_sqrt(quad x) {
    if (!(x > 0)) return 0;
    quad r = (quad)sqrt((double)x);
    for (int i = 0; i < 3; i++) r = (r + x / r) / 2;
    return r;
}
static quad length(quad3 a) { return quad_sqrt(dot(a, a)); }

static quad3 rotated(const cm_pose *pose, quad3 p) {
    cm_quat r = pose->rotation;
    quad x = (quad)r.x, y = (quad)r.y, z = (quad)r.z, w = (quad)r.w, s = 2 / (x * x + y * y + z * z + w * w);
    return q3(p.x * (1 - s * (y * y + z * z)) + p.y * s * (x * y - w * z) + p.z * s * (x * z + w * y),
              p.x * s * (x * y + w * z) + p.y * (1 - s * (x * x + z * z)) + p.z * s * (y * z - w * x),
              p.x * s * (x * z - w * y) + p.y * s * (y * z + w * x) + p.z * (1 - s * (x * x + y * y)));
}

static void lay_out_box(quad3 h, oracle_body *b) {
    for (int i = 0; i < 8; i++)
        b->corner[b->corners++] = q3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
    for (int i = 0; i < 8; i++)
        for (int k = 1; k < 8; k *= 2)
            if (!(i & k)) b->edge[b->edges][0] = i, b->edge[b->edges++][1] = i | k;
    b->face_corners = 4;
    for (int k = 0; k < 3; k++) {
        int s = 1 << k, u = 1 << (k + 1) % 3, v = 1 << (k + 2) % 3;
        for (int side = 0; side <= s; side += s) {
            const int f[4] = {side, side | u, side | u | v, side | v};
            memcpy(b->face[b->faces++], f, sizeof f);
        }
    }
}

oracle_body oracle_body_of(const cm_shape *shape, const cm_pose *pose) {
    oracle_body b;
    memset(&b, 0, sizeof b);
    b.radius = (quad)shape->radius;
    quad3 at = oracle_point(pose->position);
    if (shape->kind == CM_SHAPE_HALFSPACE) {
        quad3 n = oracle_point(shape->u.halfspace.normal);
        quad l = length(n);
        b.halfspace = 1;
        b.normal = rotated(pose, times(n, 1 / l));
        b.level = dot(b.normal, at) - (quad)shape->u.halfspace.d / l;
        return b;
    }
    if (shape->kind == CM_SHAPE_BOX) {
        lay_out_box(oracle_point(shape->u.box), &b);
    } else {
        const cm_vec3 *p = shape->kind == CM_SHAPE_POINT     ? &shape->u.point
                           : shape->kind == CM_SHAPE_SEGMENT ? &shape->u.segment.a
                                                             : &shape->u.triangle.a;
        b.corners = shape->kind == CM_SHAPE_POINT ? 1 : shape->kind == CM_SHAPE_SEGMENT ? 2 : 3;
        for (int i = 0; i < b.corners; i++) b.corner[i] = oracle_point(p[i]);
        b.edges = b.corners == 3 ? 3 : 1;
        for (int i = 0; i < b.edges; i++) b.edge[i][0] = i, b.edge[i][1] = (i + 1) % b.corners;
        if (b.corners == 3) {
            b.faces = 1, b.face_corners = 3;
            for (int i = 0; i < 3; i++) b.face[0][i] = i;
        }
    }
    for (int i = 0; i < b.corners; i++) b.corner[i] = add(at, rotated(pose, b.corner[i]));
    return b;
}

void oracle_move(oracle_body *body, cm_vec3 move, quad u) {
    quad3 d = times(oracle_point(move), u);
    for (int i = 0; i < body->corners; i++) body->corner[i] = add(body->corner[i], d);
    body->level += dot(body->normal, d);
}

static quad point_segment(quad3 p, quad3 a, quad3 b) {
    quad3 d = sub(b, a), r = sub(p, a);
    quad dd = dot(d, d), t = dd > 0 ? dot(r, d) / dd : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    quad3 gap = sub(r, times(d, t));
    return dot(gap, gap);
}

/* Squared. */
static quad segment_segment(quad3 a, quad3 b, quad3 c, quad3 d) {
    quad best = point_segment(a, c, d), other = point_segment(b, c, d);
    if (other < best) best = other;
    other = point_segment(c, a, b);
    if (other < best) best = other;
    other = point_segment(d, a, b);
    if (other < best) best = other;
    quad3 e = sub(b, a), f = sub(d, c), n = cross(e, f), r = sub(c, a);
    quad nn = dot(n, n);
    if (nn > 0) {
        quad s = dot(cross(r, f), n) / nn, t = dot(cross(r, e), n) / nn;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
            quad along = dot(r, n);
            other = along * along / nn;
            if (other < best) best = other;
        }
    }
    return best;
}

/* Squared distance from a point to a face, if it projects into it; else the edges know better. */
static quad point_face(quad3 p, const oracle_body *body, int face, quad otherwise) {
    const int *f = body->face[face];
    quad3 a = body->corner[f[0]];
    quad3 n = cross(sub(body->corner[f[1]], a), sub(body->corner[f[2]], a));
    quad nn = dot(n, n);
    if (!(nn > 0)) return otherwise;
    for (int i = 0; i < body->face_corners; i++) {
        quad3 from = body->corner[f[i]], to = body->corner[f[(i + 1) % body->face_corners]];
        if (dot(cross(sub(to, from), sub(p, from)), n) < 0) return otherwise;
    }
    quad along = dot(sub(p, a), n), d = along * along / nn;
    return d < otherwise ? d : otherwise;
}

static void range(const oracle_body *b, quad3 n, quad *low, quad *high) {
    *low = *high = dot(b->corner[0], n);
    for (int i = 1; i < b->corners; i++) {
        quad d = dot(b->corner[i], n);
        if (d < *low) *low = d;
        if (d > *high) *high = d;
    }
}

static void try_axis(const oracle_body *a, const oracle_body *b, quad3 n, quad *best) {
    quad nn = dot(n, n), la, ha, lb, hb;
    if (!(nn > 0)) return;
    range(a, n, &la, &ha);
    range(b, n, &lb, &hb);
    quad gap = lb - ha > la - hb ? lb - ha : la - hb;
    gap /= quad_sqrt(nn);
    if (gap > *best) *best = gap;
}

static quad3 face_normal(const oracle_body *b, int i) {
    const int *f = b->face[i];
    return cross(sub(b->corner[f[1]], b->corner[f[0]]), sub(b->corner[f[2]], b->corner[f[0]]));
}
static quad3 edge_of(const oracle_body *b, int i) { return sub(b->corner[b->edge[i][1]], b->corner[b->edge[i][0]]); }

/* The widest gap over all axes; positive exactly where the cores are apart. For cores with a face or two segments. */
static quad widest_axis(const oracle_body *a, const oracle_body *b) {
    quad best = -(quad)1e300;
    const oracle_body *both[2] = {a, b};
    bool box = a->corners == 8 || b->corners == 8;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < both[k]->faces; i++) {
            quad3 n = face_normal(both[k], i);
            try_axis(a, b, n, &best);
            for (int m = 0; m < 2 && !box; m++) /* flat shapes in one plane part within it */
                for (int j = 0; j < both[m]->edges; j++) try_axis(a, b, cross(edge_of(both[m], j), n), &best);
        }
    }
    int step_a = a->corners == 8 ? 3 : 1, step_b = b->corners == 8 ? 3 : 1;
    for (int i = 0; i < a->edges; i++)
        for (int j = 0; j < b->edges; j++) {
            if (step_a == 3 && a->edge[i][0] != 0) continue; /* a box's edges at corner 0 have all its directions */
            if (step_b == 3 && b->edge[j][0] != 0) continue;
            try_axis(a, b, cross(edge_of(a, i), edge_of(b, j)), &best);
        }
    return best;
}

static quad features(const oracle_body *a, const oracle_body *b) {
    quad best = (quad)1e300;
    for (int i = 0; i < a->edges; i++)
        for (int j = 0; j < b->edges; j++) {
            quad d = segment_segment(a->corner[a->edge[i][0]], a->corner[a->edge[i][1]], b->corner[b->edge[j][0]],
                                     b->corner[b->edge[j][1]]);
            if (d < best) best = d;
        }
    for (int i = 0; i < a->corners; i++)
        for (int j = 0; j < b->faces; j++) best = point_face(a->corner[i], b, j, best);
    for (int i = 0; i < b->corners; i++)
        for (int j = 0; j < a->faces; j++) best = point_face(b->corner[i], a, j, best);
    return quad_sqrt(best);
}

/* Minus the depth of a point in a box: its faces come in parallel pairs, so the normals need no sign. */
quad oracle_distance(const oracle_body *a, const oracle_body *b) {
    quad r = a->radius + b->radius;
    if (a->halfspace || b->halfspace) {
        const oracle_body *h = a->halfspace ? a : b, *o = a->halfspace ? b : a;
        quad low, high;
        range(o, h->normal, &low, &high);
        return low - h->level - r;
    }
    bool box = a->corners == 8 || b->corners == 8;
    bool flat = a->faces + b->faces > 0 && a->corners + b->corners >= 5;
    if (box || flat) {
        quad axis = widest_axis(a, b);
        if (!(axis > 0)) return axis - r;
    }
    return features(a, b) - r;
}

quad oracle_separation(const oracle_body *a, const oracle_body *b, quad3 n) {
    quad la, ha, lb, hb, l = length(n), r = a->radius + b->radius;
    if (b->halfspace) { /* n runs against its normal */
        range(a, n, &la, &ha);
        return -b->level - ha / l - r;
    }
    if (a->halfspace) {
        range(b, n, &lb, &hb);
        return lb / l - a->level - r;
    }
    range(a, n, &la, &ha);
    range(b, n, &lb, &hb);
    return (lb - ha) / l - r;
}

quad oracle_point_distance(const oracle_body *body, quad3 p) {
    oracle_body point;
    memset(&point, 0, sizeof point);
    point.corners = 1, point.edges = 1;
    point.corner[0] = p;
    quad d = oracle_distance(&point, body);
    return d > 0 ? d : 0;
}
