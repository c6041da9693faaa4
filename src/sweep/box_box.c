/* Boxes with axes of their own, in motion without turning: the 15 axes with velocity.
 *
 * On each axis of pair/box_axes.h the projections overlap while |t.n + u v.n| <= reach, one span of time; the boxes
 * overlap while all do (separating axes, at each instant). The axis with the latest first is where they meet, and its
 * direction the normal. Reaches grow by the bound on rounding: `first` is never late, and early by at most 64 ulps of
 * double of sizes and distance, over the speed, before it is rounded down to cm_real. */
#include "carom/primitives.h"
#include "pair/box_axes.h"
#include "pair/box_patch.h"
#include "sweep/hit.h"

typedef struct box_sweep {
    box_pair pair;
    double v[3]; /* of B relative to A, in A's frame */
    double slop;
    cm__span span;
    int kind, i, j; /* the axis of the latest first */
} box_sweep;

/* |along + u speed| <= reach. The axis is taken as that of the contact where it parts them longer than those before, by
 * more than `favor`: an axis of edges that is a face's, but for rounding, tells the wrong edges. */
static bool box_sweep_axis(box_sweep *s, double along, double speed, double reach, double favor, int kind, int i,
                           int j) {
    double far = fabs(along), step = fabs(speed);
    if (far + step <= reach) return true; /* in for the whole step: nothing to divide */
    if (far - step > reach) return false;
    double before = s->span.first;
    if (!cm__span_slab(along, speed, -reach, reach, &s->span)) return false;
    if ((s->span.first - before) * step > favor) s->kind = kind, s->i = i, s->j = j;
    return true;
}

static bool box_sweep_edges(box_sweep *s, int i, int j) {
    const box_pair *p = &s->pair;
    int k = (i + 1) % 3, l = (i + 2) % 3;
    double nk = -p->r[l][j], nl = p->r[k][j], length = fabs(nk) + fabs(nl);
    if (!(length > 0x1p-100)) return true; /* parallel edges: the faces know it all */
    double along = p->t[k] * nk + p->t[l] * nl, speed = s->v[k] * nk + s->v[l] * nl;
    double reach = p->a[k] * fabs(nk) + p->a[l] * fabs(nl) + s->slop * length;
    for (int m = 0; m < 3; m++)
        if (m != j) reach += p->b[m] * fabs(p->r[k][m] * nk + p->r[l][m] * nl);
    return box_sweep_axis(s, along, speed, reach, 16 * s->slop * length, 2, i, j);
}

static bool box_sweep_run(box_sweep *s) {
    const box_pair *p = &s->pair;
    s->span.first = 0, s->span.last = 1;
    s->kind = -1;
    for (int i = 0; i < 3; i++) {
        double reach = p->a[i] + p->b[0] * p->abs[i][0] + p->b[1] * p->abs[i][1] + p->b[2] * p->abs[i][2] + s->slop;
        if (!box_sweep_axis(s, p->t[i], s->v[i], reach, 0, 0, i, 0)) return false;
    }
    for (int j = 0; j < 3; j++) {
        double along = p->t[0] * p->r[0][j] + p->t[1] * p->r[1][j] + p->t[2] * p->r[2][j];
        double speed = s->v[0] * p->r[0][j] + s->v[1] * p->r[1][j] + s->v[2] * p->r[2][j];
        double reach = p->b[j] + p->a[0] * p->abs[0][j] + p->a[1] * p->abs[1][j] + p->a[2] * p->abs[2][j] + s->slop;
        if (!box_sweep_axis(s, along, speed, reach, 0, 1, 0, j)) return false;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (!box_sweep_edges(s, i, j)) return false;
    return true;
}

/* A point of A where B touches it (or is deepest) along an axis. */
static cm__point box_touch(const box_pair *p, cm__point normal, box_axis axis) {
    cm__point on_a, on_b;
    if (axis.kind == 2) {
        cm__box_edges_cross(p, axis.i, axis.j, normal, &on_a, &on_b);
        return on_a;
    }
    cm__box_point points[8];
    box_pair flipped = axis.kind == 1 ? cm__box_pair_flipped(p) : *p;
    const double n[3] = {normal.x, normal.y, normal.z};
    int face = axis.kind == 1 ? axis.j : axis.i;
    double along = axis.kind == 0 ? n[face] : -(p->r[0][face] * n[0] + p->r[1][face] * n[1] + p->r[2][face] * n[2]);
    int count = cm__box_face_patch(&flipped, face, along > 0 ? 1 : -1, DBL_MAX, points), deepest = 0;
    for (int i = 1; i < count; i++)
        if (points[i].gap < points[deepest].gap) deepest = i;
    if (count == 0) { /* rounding cut it off: the corner of A that looks along the normal */
        return cm__p(n[0] > 0 ? p->a[0] : -p->a[0], n[1] > 0 ? p->a[1] : -p->a[1], n[2] > 0 ? p->a[2] : -p->a[2]);
    }
    cm__point q = points[deepest].point;
    if (axis.kind == 0) return cm__point_mul_add(q, -points[deepest].gap, normal);
    return cm__p(p->t[0] + p->r[0][0] * q.x + p->r[0][1] * q.y + p->r[0][2] * q.z,
                 p->t[1] + p->r[1][0] * q.x + p->r[1][1] * q.y + p->r[1][2] * q.z,
                 p->t[2] + p->r[2][0] * q.x + p->r[2][1] * q.y + p->r[2][2] * q.z);
}

/* A at `center` with axes `turn`; B at `pose` and moving by v in A's frame; A's own motion is `move`. */
static bool sweep_boxes(const cm__wide_mat3 *turn, cm__point center, cm_vec3 box_a, cm_vec3 box_b,
                        const cm__wide_pose *pose, cm__point v, cm__point move, cm_sweep_hit *out) {
    cm__point half_a = cm__point_of(box_a), half_b = cm__point_of(box_b);
    box_sweep s;
    box_pair_set(pose, half_a, half_b, &s.pair);
    s.v[0] = v.x, s.v[1] = v.y, s.v[2] = v.z;
    double size = wide_sum(pose->position) + wide_sum(v) + wide_sum(half_a) + wide_sum(half_b);
    s.slop = CM__SPAN_SLOP * size;
    if (!box_sweep_run(&s)) return false;
    cm__point normal;
    box_axis axis;
    double gap = box_pair_axis(&s.pair, DBL_MAX, &normal, &axis);
    cm__sweep_start_state start = {gap, gap <= 0, cm__point_dot(v, normal), size};
    if (s.kind >= 0 && gap > 0) start.rate = -1; /* some axis parts them at the start, and all meet later */
    if (!cm__sweep_begin(&start, s.span, out)) return false;
    double u = (double)out->first;
    for (int k = 0; k < 3; k++) s.pair.t[k] += u * s.v[k];
    if (gap > 0 && s.kind >= 0) {
        axis.kind = s.kind, axis.i = s.i, axis.j = s.j;
        normal = box_axis_normal(&s.pair, axis.kind, axis.i, axis.j);
    }
    cm__point touch = box_touch(&s.pair, normal, axis);
    cm__point at = cm__point_add(cm__point_mul_add(center, u, move), wide_mul(turn, touch));
    cm__sweep_end(wide_mul(turn, wide_neg(v)), wide_mul(turn, normal), at, out);
    return true;
}

static cm__wide_pose box_pose_in(const cm__wide_mat3 *a, const cm__wide_mat3 *b, cm__point between) {
    cm__wide_pose pose;
    pose.turn.x = wide_mul_transposed(a, b->x);
    pose.turn.y = wide_mul_transposed(a, b->y);
    pose.turn.z = wide_mul_transposed(a, b->z);
    pose.position = wide_mul_transposed(a, between);
    return pose;
}

bool cm__straight_box_box(const cm__straight *s, cm_sweep_hit *out) {
    const cm__wide_mat3 *turn = &s->pose_a.turn;
    cm__wide_pose pose = box_pose_in(turn, &s->pose_b.turn, cm__point_sub(s->pose_b.position, s->pose_a.position));
    return sweep_boxes(turn, s->pose_a.position, s->a->u.box, s->b->u.box, &pose,
                       wide_mul_transposed(turn, wide_neg(s->v)), s->move, out);
}

bool cm_sweep_obb_obb(const cm_obb *a, cm_vec3 move_a, const cm_obb *b, cm_vec3 move_b, cm_sweep_hit *out) {
    if (!cm_obb_is_valid(a) || !cm_obb_is_valid(b) || !cm_vec3_is_valid(move_a) || !cm_vec3_is_valid(move_b))
        return false;
    cm__wide_mat3 ra = wide_mat3_from_quat(a->rotation), rb = wide_mat3_from_quat(b->rotation);
    cm__wide_pose pose = box_pose_in(&ra, &rb, cm__point_sub(cm__point_of(b->center), cm__point_of(a->center)));
    cm__point move = cm__point_of(move_a);
    cm__point v = wide_mul_transposed(&ra, cm__point_sub(cm__point_of(move_b), move));
    cm_sweep_hit hit;
    if (!sweep_boxes(&ra, cm__point_of(a->center), a->half, b->half, &pose, v, move, &hit)) return false;
    if (out) *out = hit;
    return true;
}
