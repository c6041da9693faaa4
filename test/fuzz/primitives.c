/* The tests on plain structs (primitives.h, bound.h) with nasty numbers: no, `out` untouched, where anything is
 * invalid; never NaN where the answer is yes. */
#include "support/nasty.h"

/* Rotations may be off unit by 1e-3, and with them normals. */
static bool is_unit(cm_vec3 n) { return cm_abs(cm_length(n) - 1) <= CM_REAL(1e-2); }

static cm_sphere nasty_sphere(nasty *n) {
    cm_sphere s;
    s.center = nasty_vec3(n);
    s.radius = nasty_size(n);
    return s;
}
static cm_aabb nasty_box(nasty *n) {
    cm_aabb b;
    b.min = nasty_vec3(n), b.max = nasty_vec3(n);
    if (rng_below(&n->r, 8)) {
        cm_vec3 low = cm_vec3_min(b.min, b.max);
        b.max = cm_vec3_max(b.min, b.max);
        b.min = low;
    }
    return b;
}
static cm_capsule nasty_capsule(nasty *n) {
    cm_capsule c;
    c.a = nasty_vec3(n), c.b = rng_below(&n->r, 4) ? nasty_vec3(n) : c.a;
    c.radius = nasty_size(n);
    return c;
}
static cm_obb nasty_obb(nasty *n) {
    cm_obb o;
    o.center = nasty_vec3(n), o.half = nasty_sizes(n);
    o.rotation = nasty_quat(n);
    return o;
}
static cm_plane nasty_plane(nasty *n) {
    cm_plane p;
    p.normal = nasty_direction(n);
    p.d = nasty_real(n);
    return p;
}
static cm_triangle nasty_triangle(nasty *n) {
    cm_triangle t;
    t.a = nasty_vec3(n), t.b = nasty_vec3(n), t.c = rng_below(&n->r, 4) ? nasty_vec3(n) : t.b;
    return t;
}

/* What may be asked of a pair of sets, all of them at once. */
typedef struct volumes {
    nasty n;
    int sample;
    cm_sphere sphere[2];
    cm_aabb box[2];
    cm_capsule capsule[2];
    cm_obb obb[2];
    cm_plane plane;
    cm_triangle triangle[2];
    cm_vec3 point, move[2];
    cm_segment segment[2];
    cm_ray ray;
    bool sphere_ok[2], box_ok[2], capsule_ok[2], obb_ok[2], plane_ok, triangle_ok[2], point_ok, moves_ok, segment_ok[2];
} volumes;

static void volumes_make(volumes *v, int sample, uint64_t seed) {
    v->sample = sample;
    v->n.r.state = seed << 32 | (uint32_t)sample;
    nasty_turn(&v->n);
    for (int i = 0; i < 2; i++) {
        v->sphere[i] = nasty_sphere(&v->n), v->sphere_ok[i] = cm_sphere_is_valid(&v->sphere[i]);
        v->box[i] = nasty_box(&v->n), v->box_ok[i] = cm_aabb_is_valid(&v->box[i]);
        v->capsule[i] = nasty_capsule(&v->n), v->capsule_ok[i] = cm_capsule_is_valid(&v->capsule[i]);
        v->obb[i] = nasty_obb(&v->n), v->obb_ok[i] = cm_obb_is_valid(&v->obb[i]);
        v->triangle[i] = nasty_triangle(&v->n), v->triangle_ok[i] = cm_triangle_is_valid(&v->triangle[i]);
        v->segment[i].a = v->capsule[i].a, v->segment[i].b = v->capsule[i].b;
        v->segment_ok[i] = cm_segment_is_valid(&v->segment[i]);
        v->move[i] = nasty_vec3(&v->n);
    }
    v->moves_ok = cm_vec3_is_valid(v->move[0]) && cm_vec3_is_valid(v->move[1]);
    v->plane = nasty_plane(&v->n), v->plane_ok = cm_plane_is_valid(&v->plane);
    v->point = nasty_vec3(&v->n), v->point_ok = cm_vec3_is_valid(v->point);
    v->ray.origin = nasty_vec3(&v->n);
    v->ray.direction = rng_below(&v->n.r, 2) ? nasty_direction(&v->n) : nasty_vec3(&v->n);
    v->ray.max = rng_below(&v->n.r, 2) ? CM_REAL_MAX : nasty_size(&v->n);
}

/* In the abyss (see nasty.h) nothing is promised but an end. */
#define holds(condition, ...) check_that((condition) || v->n.abyss, "sample %d: " __VA_ARGS__)

static void check_hit(const volumes *v, const char *what, bool valid, bool met, const cm_sweep_hit *hit) {
    if (!met) {
        holds(nasty_untouched(hit, sizeof *hit), "%s: a miss that is written", v->sample, what);
        return;
    }
    holds(valid, "%s: invalid, and met", v->sample, what);
    holds(hit->first >= 0 && hit->first <= hit->last && hit->last <= 1, "%s: %g to %g", v->sample, what,
          (double)hit->first, (double)hit->last);
    holds(is_unit(hit->normal), "%s: normal %g %g %g", v->sample, what, (double)hit->normal.x, (double)hit->normal.y,
          (double)hit->normal.z);
    holds(nasty_is_finite(hit->point), "%s: point", v->sample, what);
}
static void check_manifold(const volumes *v, const char *what, bool valid, bool touch, const cm_manifold *m) {
    if (!touch) {
        holds(nasty_untouched(m, sizeof *m), "%s: apart, and written", v->sample, what);
        return;
    }
    holds(valid, "%s: invalid, and touching", v->sample, what);
    holds(m->count >= 1 && m->count <= 8, "%s: %d points", v->sample, what, m->count);
    holds(is_unit(m->normal), "%s: normal %g %g %g", v->sample, what, (double)m->normal.x, (double)m->normal.y,
          (double)m->normal.z);
    for (int i = 0; i < m->count; i++)
        holds(nasty_is_finite(m->points[i].point_a) && nasty_is_finite(m->points[i].point_b) &&
                  cm_abs(m->points[i].depth) <= CM_REAL_MAX,
              "%s: point %d", v->sample, what, i);
}
static void check_ray_hit(const volumes *v, const char *what, bool valid, bool met, const cm_ray_hit *hit) {
    if (!met) {
        holds(nasty_untouched(hit, sizeof *hit), "%s: a miss that is written", v->sample, what);
        return;
    }
    holds(valid && cm_ray_is_valid(&v->ray), "%s: invalid, and met", v->sample, what);
    holds(hit->t >= 0 && hit->t <= hit->exit && hit->exit <= v->ray.max, "%s: t %g exit %g", v->sample, what,
          (double)hit->t, (double)hit->exit);
    holds(is_unit(hit->normal), "%s: normal %g %g %g", v->sample, what, (double)hit->normal.x, (double)hit->normal.y,
          (double)hit->normal.z);
    holds(nasty_is_finite(hit->point), "%s: point", v->sample, what);
}

#define OVERLAP(name, valid, ...) holds(!cm_overlap_##name(__VA_ARGS__) || (valid), #name ": invalid", v->sample)
#define CONTACT(name, valid, a, b)                                                                                     \
    do {                                                                                                               \
        cm_manifold m_;                                                                                                \
        memset(&m_, NASTY_FILL, sizeof m_);                                                                            \
        bool touch_ = cm_contact_##name(a, b, &m_);                                                                    \
        check_manifold(v, #name, valid, touch_, &m_);                                                                  \
        holds(touch_ == cm_overlap_##name(a, b), #name ": contact %d, overlap not", v->sample, touch_);                \
    } while (0)
#define SWEEP(name, valid, ...)                                                                                        \
    do {                                                                                                               \
        cm_sweep_hit h_;                                                                                               \
        memset(&h_, NASTY_FILL, sizeof h_);                                                                            \
        bool met_ = cm_sweep_##name(__VA_ARGS__, &h_);                                                                 \
        check_hit(v, #name, (valid) && v->moves_ok, met_, &h_);                                                        \
    } while (0)
#define RAY(name, valid, b)                                                                                            \
    do {                                                                                                               \
        cm_ray_hit h_;                                                                                                 \
        memset(&h_, NASTY_FILL, sizeof h_);                                                                            \
        bool met_ = cm_raycast_##name(&v->ray, b, &h_);                                                                \
        check_ray_hit(v, #name, valid, met_, &h_);                                                                     \
    } while (0)

static void check_overlaps(volumes *v) {
    const cm_sphere *s = v->sphere;
    const cm_capsule *c = v->capsule;
    const cm_obb *o = v->obb;
    OVERLAP(point_sphere, v->point_ok && v->sphere_ok[0], v->point, s);
    OVERLAP(point_obb, v->point_ok && v->obb_ok[0], v->point, o);
    OVERLAP(point_capsule, v->point_ok && v->capsule_ok[0], v->point, c);
    OVERLAP(point_triangle, v->point_ok && v->triangle_ok[0], v->point, v->triangle);
    OVERLAP(sphere_sphere, v->sphere_ok[0] && v->sphere_ok[1], s, s + 1);
    OVERLAP(sphere_plane, v->sphere_ok[0] && v->plane_ok, s, &v->plane);
    OVERLAP(sphere_halfspace, v->sphere_ok[0] && v->plane_ok, s, &v->plane);
    OVERLAP(sphere_aabb, v->sphere_ok[0] && v->box_ok[0], s, v->box);
    OVERLAP(sphere_obb, v->sphere_ok[0] && v->obb_ok[0], s, o);
    OVERLAP(sphere_capsule, v->sphere_ok[0] && v->capsule_ok[0], s, c);
    OVERLAP(sphere_triangle, v->sphere_ok[0] && v->triangle_ok[0], s, v->triangle);
    OVERLAP(capsule_capsule, v->capsule_ok[0] && v->capsule_ok[1], c, c + 1);
    OVERLAP(aabb_plane, v->box_ok[0] && v->plane_ok, v->box, &v->plane);
    OVERLAP(obb_plane, v->obb_ok[0] && v->plane_ok, o, &v->plane);
    OVERLAP(obb_obb, v->obb_ok[0] && v->obb_ok[1], o, o + 1);
    OVERLAP(triangle_triangle, v->triangle_ok[0] && v->triangle_ok[1], v->triangle, v->triangle + 1);
    OVERLAP(triangle_aabb, v->triangle_ok[0] && v->box_ok[0], v->triangle, v->box);
    cm_vec3 axis;
    memset(&axis, NASTY_FILL, sizeof axis);
    if (cm_separate_obb_obb(o, o + 1, &axis)) {
        holds(is_unit(axis), "separating axis", v->sample);
        holds(!cm_overlap_obb_obb(o, o + 1), "an axis separates what overlaps", v->sample);
    } else {
        holds(nasty_untouched(&axis, sizeof axis), "no axis, and written", v->sample);
    }
}

static void check_contacts(volumes *v) {
    CONTACT(sphere_sphere, v->sphere_ok[0] && v->sphere_ok[1], v->sphere, v->sphere + 1);
    CONTACT(sphere_plane, v->sphere_ok[0] && v->plane_ok, v->sphere, &v->plane);
    CONTACT(sphere_halfspace, v->sphere_ok[0] && v->plane_ok, v->sphere, &v->plane);
    CONTACT(sphere_aabb, v->sphere_ok[0] && v->box_ok[0], v->sphere, v->box);
    CONTACT(sphere_obb, v->sphere_ok[0] && v->obb_ok[0], v->sphere, v->obb);
    CONTACT(sphere_triangle, v->sphere_ok[0] && v->triangle_ok[0], v->sphere, v->triangle);
    CONTACT(capsule_capsule, v->capsule_ok[0] && v->capsule_ok[1], v->capsule, v->capsule + 1);
    CONTACT(obb_obb, v->obb_ok[0] && v->obb_ok[1], v->obb, v->obb + 1);
    cm_manifold m;
    memset(&m, NASTY_FILL, sizeof m);
    bool valid = v->box_ok[0] && v->box_ok[1], touch = cm_contact_aabb_aabb(v->box, v->box + 1, &m);
    check_manifold(v, "aabb_aabb", valid, touch, &m);
    holds(touch == (valid && cm_overlap_aabb_aabb(v->box, v->box + 1)), "boxes: contact %d, overlap not", v->sample,
          touch);
}

/* A side, and what is across is what overlaps; in a frustum nothing that is invalid is seen. */
static void check_sides(volumes *v) {
    cm_frustum f;
    for (int i = 0; i < 6; i++) f.planes[i] = nasty_plane(&v->n);
    bool ok[4] = {v->sphere_ok[0], v->box_ok[0], v->obb_ok[0], v->triangle_ok[0]}, seen = cm_frustum_is_valid(&f);
    int side[4] = {cm_side_sphere_plane(v->sphere, &v->plane), cm_side_aabb_plane(v->box, &v->plane),
                   cm_side_obb_plane(v->obb, &v->plane), cm_side_triangle_plane(v->triangle, &v->plane)};
    bool across[3] = {cm_overlap_sphere_plane(v->sphere, &v->plane), cm_overlap_aabb_plane(v->box, &v->plane),
                      cm_overlap_obb_plane(v->obb, &v->plane)};
    cm_cull cull[3] = {cm_cull_sphere_frustum(v->sphere, &f), cm_cull_aabb_frustum(v->box, &f),
                       cm_cull_obb_frustum(v->obb, &f)};
    for (int i = 0; i < 4; i++) {
        bool valid = ok[i] && v->plane_ok;
        holds(side[i] == 0 || (valid && (side[i] == 1 || side[i] == -1)), "%d: side %d", v->sample, i, side[i]);
        holds(i == 3 || across[i] == (valid && side[i] == 0), "%d: side %d, across %d", v->sample, i, side[i],
              across[i]);
        holds(i == 3 || cull[i] == CM_CULL_OUTSIDE || (ok[i] && seen), "%d: invalid, and seen", v->sample, i);
    }
}

static void check_conversions(volumes *v) {
    cm_plane plane;
    cm_real n[4] = {nasty_real(&v->n), nasty_real(&v->n), nasty_real(&v->n), nasty_real(&v->n)}, m[16];
    memset(&plane, NASTY_FILL, sizeof plane);
    if (cm_plane_from_equation(n[0], n[1], n[2], n[3], &plane))
        holds(cm_plane_is_valid(&plane), "an equation's plane is none", v->sample);
    else
        holds(nasty_untouched(&plane, sizeof plane), "no plane, and written", v->sample);
    cm_quat a = nasty_quat(&v->n), b = nasty_quat(&v->n), between;
    cm_quat_slerp(a, b, n[0], &between);
    cm_pose turned = cm_pose_identity(), back;
    turned.rotation = between;
    holds(cm_pose_is_valid(&turned), "between rotations there is none", v->sample);
    memset(&back, NASTY_FILL, sizeof back);
    cm_pose pose = nasty_pose(&v->n);
    cm_mat4_from_pose(&pose, m);
    if (rng_below(&v->n.r, 4) == 0) m[rng_below(&v->n.r, 16)] = n[1];
    if (cm_pose_from_mat4(m, &back))
        holds(cm_pose_is_valid(&back), "a matrix's pose is none", v->sample);
    else
        holds(nasty_untouched(&back, sizeof back), "no pose, and written", v->sample);
}

static void check_distances(volumes *v) {
    cm_vec3 near[4];
    memset(near, NASTY_FILL, sizeof near);
    cm_real d[4] = {cm_distance_point_segment(v->point, v->segment, &near[0]),
                    cm_distance_point_triangle(v->point, v->triangle, &near[1]),
                    cm_distance_point_aabb(v->point, v->box, &near[2]),
                    cm_distance_point_obb(v->point, v->obb, &near[3])};
    bool ok[4] = {v->segment_ok[0], v->triangle_ok[0], v->box_ok[0], v->obb_ok[0]};
    for (int i = 0; i < 4; i++) {
        if (ok[i] && v->point_ok) {
            holds(d[i] >= 0 && d[i] <= CM_REAL_MAX && nasty_is_finite(near[i]), "%d: distance %g", v->sample, i,
                  (double)d[i]);
        } else {
            holds(d[i] == CM_REAL_MAX && nasty_untouched(&near[i], sizeof near[i]), "%d: %g of what is invalid",
                  v->sample, i, (double)d[i]);
        }
    }
    cm_witness w;
    memset(&w, NASTY_FILL, sizeof w);
    cm_real between = cm_distance_segment_segment(&v->segment[0], &v->segment[1], &w);
    if (v->segment_ok[0] && v->segment_ok[1]) {
        holds(between >= 0 && between <= CM_REAL_MAX && is_unit(w.normal) && nasty_is_finite(w.point_a) &&
                  nasty_is_finite(w.point_b),
              "segments: %g", v->sample, (double)between);
    } else {
        holds(between == CM_REAL_MAX && nasty_untouched(&w, sizeof w), "segments: %g", v->sample, (double)between);
    }
}

static void check_sweeps(volumes *v) {
    cm_vec3 a = v->move[0], b = v->move[1];
    const cm_sphere *s = v->sphere;
    cm_sweep_hit when;
    memset(&when, NASTY_FILL, sizeof when);
    if (cm_sweep_aabb_aabb(&v->box[0], a, &v->box[1], b, &when)) {
        holds(v->box_ok[0] && v->box_ok[1] && v->moves_ok && when.first >= 0 && when.first <= when.last &&
                  when.last <= 1,
              "boxes: %g to %g", v->sample, (double)when.first, (double)when.last);
    } else {
        holds(nasty_untouched(&when, sizeof when), "boxes: a miss that is written", v->sample);
    }
    v->moves_ok = cm_vec3_is_valid(a); /* planes stand */
    SWEEP(sphere_plane, v->sphere_ok[0] && v->plane_ok, s, a, &v->plane);
    SWEEP(sphere_halfspace, v->sphere_ok[0] && v->plane_ok, s, a, &v->plane);
    SWEEP(aabb_plane, v->box_ok[0] && v->plane_ok, v->box, a, &v->plane);
    v->moves_ok = cm_vec3_is_valid(a) && cm_vec3_is_valid(b);
    SWEEP(sphere_sphere, v->sphere_ok[0] && v->sphere_ok[1], s, a, s + 1, b);
    SWEEP(sphere_aabb, v->sphere_ok[0] && v->box_ok[0], s, a, v->box, b);
    SWEEP(sphere_obb, v->sphere_ok[0] && v->obb_ok[0], s, a, v->obb, b);
    SWEEP(sphere_triangle, v->sphere_ok[0] && v->triangle_ok[0], s, a, v->triangle, b);
    SWEEP(sphere_capsule, v->sphere_ok[0] && v->capsule_ok[0], s, a, v->capsule, b);
    SWEEP(capsule_capsule, v->capsule_ok[0] && v->capsule_ok[1], v->capsule, a, v->capsule + 1, b);
    SWEEP(obb_obb, v->obb_ok[0] && v->obb_ok[1], v->obb, a, v->obb + 1, b);
}

static void check_rays(volumes *v) {
    RAY(plane, v->plane_ok, &v->plane);
    RAY(sphere, v->sphere_ok[0], v->sphere);
    RAY(aabb, v->box_ok[0], v->box);
    RAY(obb, v->obb_ok[0], v->obb);
    RAY(capsule, v->capsule_ok[0], v->capsule);
    RAY(triangle, v->triangle_ok[0], v->triangle);
    cm_real m[16];
    for (int i = 0; i < 16; i++) m[i] = nasty_real(&v->n);
    cm_frustum frustum;
    memset(&frustum, NASTY_FILL, sizeof frustum);
    if (cm_frustum_from_matrix(m, (cm_clip_depth)rng_below(&v->n.r, 2), &frustum)) {
        holds(cm_frustum_is_valid(&frustum), "a frustum that is none", v->sample);
    } else {
        holds(nasty_untouched(&frustum, sizeof frustum), "no frustum, and written", v->sample);
        for (int i = 0; i < 6; i++) frustum.planes[i] = nasty_plane(&v->n);
    }
    RAY(frustum, cm_frustum_is_valid(&frustum), &frustum);
    cm_plane plane;
    memset(&plane, NASTY_FILL, sizeof plane);
    if (cm_plane_from_points(v->triangle[0].a, v->triangle[0].b, v->triangle[0].c, &plane)) {
        holds(is_unit(plane.normal) && cm_abs(plane.d) <= CM_REAL_MAX, "plane through points", v->sample);
    } else {
        holds(nasty_untouched(&plane, sizeof plane), "no plane, and written", v->sample);
    }
}

/* Bounds hold what they bound, and are in order. */
static void check_bounds(volumes *v) {
    cm_aabb out[5];
    cm_bounds_sphere(v->sphere, &out[0]);
    cm_bounds_obb(v->obb, &out[1]);
    cm_bounds_capsule(v->capsule, &out[2]);
    cm_bounds_segment(v->segment, &out[3]);
    cm_bounds_triangle(v->triangle, &out[4]);
    bool ok[5] = {v->sphere_ok[0], v->obb_ok[0], v->capsule_ok[0], v->segment_ok[0], v->triangle_ok[0]};
    cm_vec3 in[5] = {v->sphere[0].center, v->obb[0].center, v->capsule[0].a, v->segment[0].b, v->triangle[0].c};
    for (int i = 0; i < 5; i++) holds(!ok[i] || cm_overlap_point_aabb(in[i], &out[i]), "bounds %d", v->sample, i);
    cm_real sizes[9] = {cm_volume_sphere(v->sphere),   cm_volume_aabb(v->box),      cm_volume_obb(v->obb),
                        cm_volume_capsule(v->capsule), cm_area_sphere(v->sphere),   cm_area_aabb(v->box),
                        cm_area_obb(v->obb),           cm_area_capsule(v->capsule), cm_area_triangle(v->triangle)};
    bool valid[9] = {v->sphere_ok[0], v->box_ok[0], v->obb_ok[0],     v->capsule_ok[0], v->sphere_ok[0],
                     v->box_ok[0],    v->obb_ok[0], v->capsule_ok[0], v->triangle_ok[0]};
    for (int i = 0; i < 9; i++) holds(!valid[i] || sizes[i] >= 0, "measure %d: %g", v->sample, i, (double)sizes[i]);
    cm_sphere around, both;
    if (v->box_ok[0]) {
        cm_sphere_from_aabb(v->box, &around);
        holds(nasty_is_finite(around.center) && around.radius >= 0, "sphere of a box", v->sample);
    }
    if (v->sphere_ok[0] && v->sphere_ok[1]) {
        cm_sphere_union(&v->sphere[0], &v->sphere[1], &both);
        holds(nasty_is_finite(both.center) && both.radius >= 0, "sphere of two", v->sample);
    }
}

/* Volumes around points. */
static void check_fits(volumes *v) {
    cm_vec3 points[40];
    cm_points p = {&points[0].x, 0, rng_below(&v->n.r, 41)};
    bool valid = p.count > 0;
    for (uint32_t i = 0; i < p.count; i++) {
        points[i] = i && rng_below(&v->n.r, 4) == 0 ? points[rng_below(&v->n.r, i)] : nasty_vec3(&v->n);
        valid = valid && cm_vec3_is_valid(points[i]);
    }
    cm_aabb box;
    cm_sphere sphere[3];
    cm_obb obb[2];
    cm_capsule capsule;
    cm_pose pose = nasty_pose(&v->n);
    memset(&box, NASTY_FILL, sizeof box), memset(sphere, NASTY_FILL, sizeof sphere);
    memset(obb, NASTY_FILL, sizeof obb), memset(&capsule, NASTY_FILL, sizeof capsule);
    int carried = 0;
    bool yes[7] = {cm_fit_aabb(&p, &box),
                   cm_fit_sphere_from_box(&p, &sphere[0]),
                   cm_fit_sphere_from_mean(&p, &sphere[1]),
                   (carried = cm_fit_sphere(&p, &sphere[2])) > 0,
                   cm_fit_obb_principal(&p, &obb[0]),
                   cm_fit_obb(&p, &obb[1]),
                   cm_fit_capsule(&p, &capsule)};
    for (int i = 0; i < 7; i++) holds(yes[i] == valid, "fit %d: %d", v->sample, i, yes[i]);
    holds(carried >= 0 && carried <= 4, "carried by %d", v->sample, carried);
    if (!valid) {
        holds(nasty_untouched(&box, sizeof box) && nasty_untouched(sphere, sizeof sphere) &&
                  nasty_untouched(obb, sizeof obb) && nasty_untouched(&capsule, sizeof capsule),
              "fits of nothing", v->sample);
    } else {
        for (int i = 0; i < 3; i++)
            holds(nasty_is_finite(sphere[i].center) && sphere[i].radius >= 0 && sphere[i].radius <= CM_REAL_MAX,
                  "sphere %d", v->sample, i);
        for (int i = 0; i < 2; i++)
            holds(nasty_is_finite(obb[i].center) && nasty_is_finite(obb[i].half) && cm_largest(obb[i].half) >= 0,
                  "box %d", v->sample, i);
        holds(nasty_is_finite(capsule.a) && nasty_is_finite(capsule.b) && capsule.radius >= 0, "capsule", v->sample);
    }
    cm_fit_aabb_posed(&p, &pose, &box);
    cm_sphere around;
    memset(&around, NASTY_FILL, sizeof around);
    if (cm_fit_sphere_at(&p, v->point, &around))
        holds(valid && v->point_ok && around.radius >= 0, "a sphere around nothing", v->sample);
    else
        holds(!(valid && v->point_ok) && nasty_untouched(&around, sizeof around), "no sphere", v->sample);
    memset(&around, NASTY_FILL, sizeof around);
    for (int i = 0; i < 4; i++) points[i] = nasty_vec3(&v->n);
    if (cm_fit_sphere_through(points, &around))
        holds(cm_sphere_is_valid(&around), "the sphere through four is none", v->sample);
    else
        holds(nasty_untouched(&around, sizeof around), "no sphere, and written", v->sample);
}

static void run_volumes(const char *what, uint64_t seed, int count, void (*check)(volumes *)) {
    volumes v;
    memset(&v, 0, sizeof v);
    v.n.r = rng_start(what, seed);
    seed = v.n.r.state; /* shifted by CAROM_SEED */
    double worst = 0;
    for (int i = 0; i < count; i++) {
        volumes_make(&v, i, seed);
        double start = nasty_clock();
        check(&v);
        double took = nasty_clock() - start;
        if (took > worst) worst = took;
    }
    print_message("  %s: the longest sample took %.3g ms\n", what, 1e3 * worst);
}

#define VOLUMES_TEST(name, seed, normal, deep, check)                                                                  \
    static void name(void **state) {                                                                                   \
        (void)state;                                                                                                   \
        run_volumes(#check, seed, samples(normal, deep), check);                                                       \
    }
VOLUMES_TEST(overlaps_of_nasty_volumes, 21, 10000, 5000000, check_overlaps)
VOLUMES_TEST(contacts_of_nasty_volumes, 22, 10000, 5000000, check_contacts)
VOLUMES_TEST(distances_of_nasty_volumes, 23, 10000, 5000000, check_distances)
VOLUMES_TEST(sweeps_of_nasty_volumes, 24, 10000, 5000000, check_sweeps)
VOLUMES_TEST(rays_at_nasty_volumes, 25, 10000, 5000000, check_rays)
VOLUMES_TEST(bounds_of_nasty_volumes, 26, 10000, 5000000, check_bounds)
VOLUMES_TEST(sides_of_nasty_volumes, 28, 10000, 5000000, check_sides)
VOLUMES_TEST(conversions_of_nasty_numbers, 29, 10000, 5000000, check_conversions)
VOLUMES_TEST(fits_of_nasty_points, 27, 500, 500000, check_fits)

/* Found by fuzzing: the largest component loses a NaN that stands first. */
static void lengths_and_units_never_lose_a_nan(void **state) {
    (void)state;
    const cm_real nan = (cm_real)HUGE_VAL - (cm_real)HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        for (int other = 0; other < 2; other++) {
            cm_real x[3] = {(cm_real)other, (cm_real)other, (cm_real)other};
            x[k] = nan;
            cm_vec3 v = cm_v(x[0], x[1], x[2]), unit = cm_normalize(v, cm_v(0, 1, 0));
            cm_real length = cm_length(v);
            assert_true(length != length);
            assert_true(unit.x == 0 && unit.y == 1 && unit.z == 0);
            cm_quat q = {x[0], x[1], x[2], (cm_real)other};
            q = cm_quat_normalize(q);
            assert_true(q.x == 0 && q.y == 0 && q.z == 0 && q.w == 1);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlaps_of_nasty_volumes),    cmocka_unit_test(contacts_of_nasty_volumes),
        cmocka_unit_test(distances_of_nasty_volumes),   cmocka_unit_test(sweeps_of_nasty_volumes),
        cmocka_unit_test(rays_at_nasty_volumes),        cmocka_unit_test(bounds_of_nasty_volumes),
        cmocka_unit_test(fits_of_nasty_points),         cmocka_unit_test(sides_of_nasty_volumes),
        cmocka_unit_test(conversions_of_nasty_numbers), cmocka_unit_test(lengths_and_units_never_lose_a_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
