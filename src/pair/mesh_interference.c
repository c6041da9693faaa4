/* The volume that two solid meshes have in common, in A's frame, and where it is.
 *
 * Guaranteed: the volume is the integral of the product of both winding numbers, for A's points and B's posed points
 * (cm_mesh_posed), to within `error`. That is the volume of the common solid where neither winds around a place more
 * than once.
 *
 * With B moved by less than any number (perturbed.h) nothing lies in one plane, and the common solid has three kinds of
 * corners: those of A inside B, those of B inside A, and points where an edge of one passes through a face of the
 * other. The volume is a sum over these alone [Franklin93]. Let w be the winding number of B along a triangle T of A.
 * By the divergence theorem A's share of the volume is the sum over all T of the integral of w over the cone of T from
 * a point O; over T that is the sum along its boundary, of pieces x → y with their steps of w, of det(x, y, r) / 6,
 * with any point r of T's plane, all coordinates taken from O. Along an edge, with any point c of its line, the piece's
 * sum = w(end) det(c, end, r) - w(start) det(c, start, r) - the sum over crossings P of step(P) det(c, P, r), and
 * across T each segment in which it crosses a triangle of B adds det(P, Q, r) with the step as sign. B's share is the
 * same with A and B exchanged. With O in the middle of the box that both have in common, r and c the points of plane
 * and line that are nearest to O, all that is summed lies within that box: neither large triangles nor a far origin
 * cost digits.
 *
 * The error. The identities hold for the exact c, r, P and corners, whatever c and r on their line and plane; so it is
 * enough to bound each term, a determinant of three vectors x, y, z with |components| <= X, Y, Z, each known to within
 * dx, dy, dz: 6 (dx Y Z + X dy Z + X Y dz), X, Y, Z taken with their errors, and 64 u X Y Z for its own rounding (at
 * most 6 u of each of its 6 products), u = 2^-53. With L the largest component of an edge's vector, M that of its
 * corners:
 * - a corner less O: u M;
 * - a crossing P = p + t (q - p), t of two signed volumes with relative errors below 2^-40, so t within 2^-41 and 3 u:
 *   2^-40 L + 8 u M;
 * - c = p + s (q - p) and r = c + s m, for any s, with m a sum of edges: rounding alone, 8 u of the sizes of all terms.
 * Products below the smallest double add that each. The terms are added with what they lose, which leaves u of the sum
 * and (2 n u)² of their absolute values [Ogita05]. What is added to the bound itself is rounded too: 2^-20 of it more.
 *
 * Memory: none. Cost: the pairs of triangles that come near each other, and of the triangles within the other's box the
 * windings at their corners; those of a triangle that was asked for lately are kept.
 *
 * Based on: [Franklin93], [Edelsbrunner90], [Ogita05]. */
#include "pair/mesh_leaf.h"
#include "pair/mesh_mesh.h"

#include "math/exact.h"
#include "math/round.h"
#include "math/wide.h"
#include "pair/pair.h"
#include "pair/perturbed.h"

#include <math.h>
#include <string.h>

#define INTERFERENCE_UNIT 0x1p-53

/* --- sums -------------------------------------------------------------------------------------------------------- */

/* high + low, and the sum of the absolute values. */
typedef struct interference_sum {
    double high, low, most;
} interference_sum;

static void interference_add(interference_sum *s, double x) {
    const double sum = s->high + x, part = sum - s->high;
    s->low += (s->high - (sum - part)) + (x - part);
    s->high = sum;
    s->most += fabs(x);
}
static double interference_total(const interference_sum *s) { return s->high + s->low; }

enum { INTERFERENCE_KEPT = 256 };

/* A mesh on the walks, with windings of the other that were asked for. */
typedef struct interference_mesh {
    const cm_mesh *mesh;
    const cm__bvh_placing *placing; /* NULL: of A, as it is */
    cm_aabb box;                    /* around the other, in A's frame: beyond it the winding is 0 */
    double outward;                 /* -1: its inside is where it winds around -1 times */
    uint32_t kept_corner[INTERFERENCE_KEPT];
    int kept_turns[INTERFERENCE_KEPT];
} interference_mesh;

typedef struct interference {
    const cm__mesh_pair *pair;
    const cm_pose *pose_a;
    interference_mesh of[2];
    cm__point center;
    double size;                /* of the common box, for the first moments */
    interference_sum six;       /* six times the volume */
    interference_sum moment[3]; /* 24 times the first moments over `size` */
    double error, terms;        /* of all terms of `six` together; how many there are */
    double shift;               /* what a point within `bounds` may be off, at most */
    cm_aabb bounds;             /* world: around all corners of what is common */
} interference;

/* A point less the center, every component known to within `error`. */
typedef struct interference_point {
    cm__point at;
    double error;
} interference_point;

static interference_point interference_corner(const interference *w, cm__point p) {
    interference_point out;
    out.at = cm__point_sub(p, w->center);
    out.error = INTERFERENCE_UNIT * cm__point_largest(out.at);
    return out;
}

/* Adds `times` the determinant of x, y, z, six times the volume of the tetrahedron that they form with the center. */
static void interference_term(interference *w, double times, const interference_point *x, const interference_point *y,
                              const interference_point *z) {
    const double det = times * cm__point_dot(x->at, cm__point_cross(y->at, z->at));
    const double most_x = cm__point_largest(x->at) + x->error, most_y = cm__point_largest(y->at) + y->error;
    const double most_z = cm__point_largest(z->at) + z->error;
    const double moved = x->error * most_y * most_z + most_x * y->error * most_z + most_x * most_y * z->error;
    interference_add(&w->six, det);
    w->error += fabs(times) * (6 * moved + 64 * INTERFERENCE_UNIT * most_x * most_y * most_z) + DBL_MIN;
    w->terms += 1;
    const cm__point sum = cm__point_scale(cm__point_add(cm__point_add(x->at, y->at), z->at), 1 / w->size);
    interference_add(&w->moment[0], det * sum.x);
    interference_add(&w->moment[1], det * sum.y);
    interference_add(&w->moment[2], det * sum.z);
}

static void interference_bound(interference *w, cm__point p, double error) {
    w->bounds = cm_aabb_add_point(w->bounds, cm_pose_apply(w->pose_a, cm__vec3_of(p)));
    w->shift = wide_max(w->shift, error);
}

/* --- a triangle -------------------------------------------------------------------------------------------------- */

typedef struct interference_face {
    cm__point corner[3]; /* A's frame */
    interference_point at[3];
    interference_point along[3],
        plane; /* on the lines of the edges, and in the plane: as near to the center as may be */
} interference_face;

/* base + s way, any s: near to the center where that can be found. `way` is right to within u of itself; `size`: a
 * bound of all terms of `base`, and then of those of the result. */
static interference_point interference_nearest(const interference_point *base, cm__point way, double *size) {
    interference_point out = *base;
    const double s = -cm__point_dot(base->at, way) / cm__point_dot(way, way);
    const double reach = fabs(s) * cm__point_largest(way);
    if (!(reach <= 16 * *size)) return out; /* no length, or nearly none: any point will do, that was one already */
    *size += reach;
    out.at = cm__point_mul_add(base->at, s, way);
    out.error = base->error + 8 * INTERFERENCE_UNIT * *size;
    return out;
}

static void interference_face_of(const interference *w, const cm__point corner[3], interference_face *out) {
    cm__point edge[3]; /* of the corners as they are: to within u of themselves */
    double most = 0, longest = -1;
    int k = 0;
    for (int i = 0; i < 3; i++) {
        out->corner[i] = corner[i];
        out->at[i] = interference_corner(w, corner[i]);
        edge[i] = cm__point_sub(corner[(i + 1) % 3], corner[i]);
        most = wide_max(most, cm__point_largest(out->at[i].at));
        const double square = cm__point_dot(edge[i], edge[i]);
        if (square > longest) longest = square, k = i;
    }
    for (int i = 0; i < 3; i++) {
        double size = most;
        out->along[i] = interference_nearest(&out->at[i], edge[i], &size);
    }
    /* perpendicular to the longest edge, from its line, by a sum of edges, which stays in the plane */
    const cm__point other = edge[(k + 1) % 3];
    const double turn = -cm__point_dot(other, edge[k]) / longest; /* -1 … 1 */
    const cm__point across = cm__point_mul_add(other, turn, edge[k]);
    out->plane = out->along[k];
    /* `across` is off by 4 u of the edges; times s that is little where it is not much shorter than they are */
    if (!(cm__point_largest(edge[k]) <= 64 * cm__point_largest(across))) return;
    const double before = most + cm__point_largest(cm__point_sub(out->along[k].at, out->at[k].at));
    double size = before;
    out->plane = interference_nearest(&out->along[k], across, &size);
    out->plane.error += 1024 * INTERFERENCE_UNIT * (size - before); /* 4 u times 64, of 3 components, and more */
}

/* --- crossings --------------------------------------------------------------------------------------------------- */

/* Where edge pq passes through a face. */
static interference_point interference_crossing(const interference *w, cm__point p, cm__point q,
                                                const cm__point face[3]) {
    interference_point out;
    const cm__point at = cm__point_sub(p, w->center), to = cm__point_sub(q, w->center), way = cm__point_sub(q, p);
    const double from_p = fabs(cm__orient3_value(&face[0], &face[1], &face[2], &p));
    const double from_q = fabs(cm__orient3_value(&face[0], &face[1], &face[2], &q));
    out.at = cm__point_mul_add(at, from_p / (from_p + from_q), way);
    out.error = 0x1p-40 * cm__point_largest(way) +
                8 * INTERFERENCE_UNIT * wide_max(cm__point_largest(at), cm__point_largest(to));
    return out;
}

/* All that a triangle of A and one of B add by crossing each other. */
static void interference_cross(interference *w, const cm__point a[3], const cm__point b[3]) {
    cm__piercing found[2];
    interference_face face[2];
    interference_point at[2];
    double step[2]; /* with which the segment that ends there bounds the part of A's triangle; of B's: the opposite */
    if (cm__perturbed_pierce(a, b, found) != 2) return;
    interference_face_of(w, a, &face[0]);
    interference_face_of(w, b, &face[1]);
    for (int k = 0; k < 2; k++) {
        const int own = found[k].edge / 3, i = found[k].edge % 3;
        interference_face *f = &face[own];
        at[k] = interference_crossing(w, f->corner[i], f->corner[(i + 1) % 3], face[1 - own].corner);
        interference_term(w, -found[k].step, &f->along[i], &at[k], &f->plane);
        interference_bound(w, cm__point_add(at[k].at, w->center), at[k].error);
        step[k] = own == 0 ? found[k].step : -found[k].step;
    }
    interference_term(w, step[1], &at[0], &at[1], &face[0].plane);
    interference_term(w, -step[1], &at[0], &at[1], &face[1].plane);
}

static void interference_cross_all(interference *w) {
    const cm__mesh_pair *pair = w->pair;
    cm__bvh_pair_query q;
    cm__bvh_leaf leaf_a, leaf_b;
    cm__bvh_pair_start(&q, &pair->tree_a, &pair->tree_b, &pair->placing, 0);
    while (cm__bvh_pair_next(&q, &leaf_a, &leaf_b)) {
        cm__leaf_boxes boxes;
        cm__leaf_boxes_of(pair->a, &leaf_a, &boxes);
        for (uint32_t j = leaf_b.first; j < leaf_b.first + leaf_b.count; ++j) {
            cm__point a[3], b[3];
            const cm__face in_a = cm__mesh_pair_b(pair, j);
            for (int k = 0; k < 3; k++) b[k] = cm__point_of(in_a.corner[k]);
            for (uint32_t near = cm__leaf_boxes_overlap(&boxes, cm__face_box(&in_a)); near != 0; near &= near - 1) {
                const cm__face face = cm__mesh_face(pair->a, leaf_a.first + (uint32_t)bits_lowest(near));
                for (int k = 0; k < 3; k++) a[k] = cm__point_of(face.corner[k]);
                interference_cross(w, a, b);
            }
        }
    }
}

/* --- corners ----------------------------------------------------------------------------------------------------- */

static bool interference_holds(const cm_aabb *box, cm_vec3 p) {
    return p.x >= box->min.x && p.x <= box->max.x && p.y >= box->min.y && p.y <= box->max.y && p.z >= box->min.z &&
           p.z <= box->max.z;
}

/* How often the other mesh winds around a corner, which is at p in A's frame. Outside its box that is 0 times, as the
 * winding would say; and on the upper sides of A's, which corners of B move off. */
static int interference_winding(interference *w, int own, uint32_t corner, cm_vec3 p) {
    static const cm__bvh_placing as_it_is = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
    interference_mesh *m = &w->of[own];
    const uint32_t slot = corner % INTERFERENCE_KEPT;
    if (!interference_holds(&m->box, p)) return 0;
    if (m->kept_corner[slot] == corner) return m->kept_turns[slot];
    const cm__mesh_pair *pair = w->pair;
    bool on_surface = false;
    int turns = own == 0 ? cm__mesh_winding_placed(pair->b, &pair->placing, p, &on_surface)
                         : cm_mesh_winding(pair->a, p, &on_surface);
    if (on_surface) /* B moves: what is on it moves the other way as B sees it */
        turns = own == 0 ? cm__perturbed_winding(pair->b, &pair->placing, p, -1)
                         : cm__perturbed_winding(pair->a, &as_it_is, p, 1);
    m->kept_corner[slot] = corner, m->kept_turns[slot] = turns;
    return turns;
}

/* What the corners of a triangle within the other mesh add. */
static void interference_corners(interference *w, int own, uint32_t place) {
    const interference_mesh *m = &w->of[own];
    const uint32_t number = cm__mesh_numbers(m->mesh)[place], *corners = cm__mesh_corners(m->mesh) + 3 * (size_t)number;
    cm__face seen = cm__mesh_face(m->mesh, place);
    if (m->placing) seen = cm__mesh_posed_face(m->placing, &seen);
    cm__point p[3];
    int turns[3];
    for (int i = 0; i < 3; i++) {
        turns[i] = interference_winding(w, own, corners[i], seen.corner[i]);
        p[i] = cm__point_of(seen.corner[i]);
        if (turns[i] != 0) interference_bound(w, p[i], 0);
    }
    if (turns[0] == turns[1] && turns[1] == turns[2]) {
        if (turns[0] == 0) return;
        interference_point at[3];
        for (int i = 0; i < 3; i++) at[i] = interference_corner(w, p[i]);
        interference_term(w, turns[0], &at[0], &at[1], &at[2]);
        return;
    }
    interference_face face;
    interference_face_of(w, p, &face);
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3;
        if (turns[i] != 0) interference_term(w, -turns[i], &face.along[i], &face.at[i], &face.plane);
        if (turns[next] != 0) interference_term(w, turns[next], &face.along[i], &face.at[next], &face.plane);
    }
}

/* Of all triangles of a mesh that reach into the other's box. `box`: that box in the mesh's own frame. */
static void interference_corners_all(interference *w, int own, const cm_aabb *box) {
    cm__leaf_walk walk;
    cm__leaf_walk_start(w->of[own].mesh, box, &walk);
    for (uint32_t at; (at = cm__leaf_walk_next(&walk)) != CM_NONE;) interference_corners(w, own, at);
}

/* --- the pair ---------------------------------------------------------------------------------------------------- */

/* The box around another box, `back` from A's frame to B's, else from B's to A's, grown by what poses round. */
static cm_aabb interference_box(const cm__mesh_pair *pair, const cm_aabb *box, bool back) {
    const cm__bvh_placing *placing = &pair->placing;
    const cm_real size = cm_max(cm_largest(box->min), cm_largest(box->max));
    cm_aabb out = cm_aabb_empty();
    for (int i = 0; i < 8; ++i) {
        const cm_vec3 corner =
            cm_v(i & 1 ? box->max.x : box->min.x, i & 2 ? box->max.y : box->min.y, i & 4 ? box->max.z : box->min.z);
        const cm_vec3 seen = back ? cm_mat3_mul_transposed(&placing->rotation, cm_sub(corner, placing->position))
                                  : cm__mesh_posed_point(placing, corner);
        out = cm_aabb_add_point(out, seen);
    }
    return cm_aabb_grow(out, 2 * cm__place_error(placing->position, size + pair->b->point_reach) +
                                 32 * CM_REAL_EPSILON * size);
}

static void interference_open(interference *w, const cm__mesh_pair *pair, const cm_pose *pose_a) {
    memset(w, 0, sizeof *w);
    w->pair = pair, w->pose_a = pose_a;
    w->bounds = cm_aabb_empty();
    for (int own = 0; own < 2; own++) {
        w->of[own].mesh = own ? pair->b : pair->a;
        w->of[own].placing = own ? &pair->placing : NULL;
        w->of[own].box = own ? pair->a->info.bounds : interference_box(pair, &pair->b->info.bounds, false);
        w->of[own].outward = w->of[own].mesh->info.volume < 0 ? -1 : 1;
        memset(w->of[own].kept_corner, 0xff, sizeof w->of[own].kept_corner); /* CM_NONE */
    }
    const cm_aabb *a = &w->of[1].box, *b = &w->of[0].box;
    const cm__point low =
        cm__p(wide_max((double)a->min.x, (double)b->min.x), wide_max((double)a->min.y, (double)b->min.y),
              wide_max((double)a->min.z, (double)b->min.z));
    const cm__point high =
        cm__p(wide_min((double)a->max.x, (double)b->max.x), wide_min((double)a->max.y, (double)b->max.y),
              wide_min((double)a->max.z, (double)b->max.z));
    w->center = cm__point_scale(cm__point_add(low, high), 0.5);
    w->size = wide_max(cm__point_largest(cm__point_sub(high, low)), DBL_MIN);
}

static double interference_clamp(double x, cm_real low, cm_real high) {
    return wide_min(wide_max(x, (double)low), (double)high);
}

static void interference_close(const interference *w, cm_interference *out) {
    const double sign = w->of[0].outward * w->of[1].outward, six = interference_total(&w->six);
    const double lost = 2 * w->terms * INTERFERENCE_UNIT;
    const double error = (w->error + 2 * INTERFERENCE_UNIT * fabs(six) + lost * lost * w->six.most) * (1 + 0x1p-20);
    out->volume = sign * six / 6;
    out->error = error / 6;
    out->bounds = cm_aabb_empty();
    out->center = cm_v(0, 0, 0);
    if (!(out->volume > out->error)) {
        out->error += fabs(out->volume);
        out->volume = 0;
        return;
    }
    const double by = w->size / (4 * six);
    const cm__point center = cm__p(by * interference_total(&w->moment[0]), by * interference_total(&w->moment[1]),
                                   by * interference_total(&w->moment[2]));
    const cm_vec3 placed = cm_pose_apply(w->pose_a, cm__vec3_of(cm__point_add(center, w->center)));
    const cm_real reach = cm_max(cm_largest(w->of[1].box.min), cm_largest(w->of[1].box.max));
    const cm_vec3 from = w->pose_a->position; /* each coordinate rounds as its own is large */
    const cm_vec3 rounding =
        cm_v(cm__place_error(cm_v(from.x, 0, 0), reach), cm__place_error(cm_v(0, from.y, 0), reach),
             cm__place_error(cm_v(0, 0, from.z), reach));
    const cm_vec3 room =
        cm_add(cm_scale(rounding, 2), cm_v((cm_real)(2 * w->shift), (cm_real)(2 * w->shift), (cm_real)(2 * w->shift)));
    out->bounds.min = cm_sub(w->bounds.min, room), out->bounds.max = cm_add(w->bounds.max, room);
    out->center = cm_v((cm_real)interference_clamp((double)placed.x, out->bounds.min.x, out->bounds.max.x),
                       (cm_real)interference_clamp((double)placed.y, out->bounds.min.y, out->bounds.max.y),
                       (cm_real)interference_clamp((double)placed.z, out->bounds.min.z, out->bounds.max.z));
}

cm_status cm_mesh_interference(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                               cm_interference *out) {
    const cm_status status = cm__mesh_pair_check(a, pose_a, b, pose_b);
    if (status != CM_OK) return status;
    if (!out) return CM_INVALID;
    if (!a->u.mesh->info.solid || !b->u.mesh->info.solid) return CM_NOT_SOLID;
    if (pair_swapped(a, pose_a, b, pose_b)) {
        const cm_shape *shape = a;
        const cm_pose *pose = pose_a;
        a = b, b = shape;
        pose_a = pose_b, pose_b = pose;
    }
    cm__mesh_pair pair;
    interference w;
    const cm_pose b_in_a = cm_pose_between(pose_a, pose_b);
    cm__mesh_pair_open(a->u.mesh, b->u.mesh, &b_in_a, &pair);
    interference_open(&w, &pair, pose_a);
    if (cm_aabb_overlaps(&w.of[0].box, &w.of[1].box)) {
        const cm_aabb box_in_b = interference_box(&pair, &pair.a->info.bounds, true);
        interference_cross_all(&w);
        interference_corners_all(&w, 0, &w.of[0].box);
        interference_corners_all(&w, 1, &box_in_b);
    }
    cm_interference found;
    interference_close(&w, &found);
    if (!(found.error <= DBL_MAX)) return CM_OUT_OF_RANGE;
    *out = found;
    return CM_OK;
}
