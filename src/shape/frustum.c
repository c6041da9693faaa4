/* The planes of a view-projection matrix, and typed ray tests on plain structs.
 *
 * A clip coordinate is a row of the matrix times (x, y, z, 1), and -w <= x is row 3 + row 0 >= 0, a half-space of the
 * world [GribbHartmann01]; our planes point outward, so they are its negative. With depth from 0 to 1 the near plane is
 * row 2 alone. */
#include "carom/primitives.h"
#include "math/wide.h"
#include "shape/ray.h"

/* sign * row + add * row 3, negated to point outward. */
static bool frustum_plane(const cm_real m[16], int row, double sign, double add, cm_plane *out) {
    double v[4];
    for (int i = 0; i < 4; i++) v[i] = -(sign * (double)m[4 * i + row] + add * (double)m[4 * i + 3]);
    cm__point n = cm__p(v[0], v[1], v[2]);
    double length = cm__point_length(n);
    double size = fabs((double)m[3]) + fabs((double)m[7]) + fabs((double)m[11]);
    if (!(length > 4 * (double)CM_REAL_EPSILON * size)) { /* a plane at infinity: holds everything if v[3] <= 0 */
        if (!(v[3] <= 0) || !(size > 0)) return false;
        cm__point toward = wide_normalize(cm__p((double)m[3], (double)m[7], (double)m[11]), cm__p(0, 0, 0));
        out->normal = cm__vec3_of(toward);
        out->d = -CM_COORD_MAX;
        return true;
    }
    if (!(length <= (double)CM_REAL_MAX) || !(fabs(v[3] / length) <= (double)CM_COORD_MAX)) return false;
    out->normal = cm__vec3_of(cm__point_scale(n, 1 / length));
    out->d = (cm_real)(v[3] / length);
    return true;
}

bool cm_frustum_from_matrix(const cm_real m[16], cm_clip_depth depth, cm_frustum *out) {
    cm_frustum f;
    if (!frustum_plane(m, 0, 1, 1, &f.planes[0]) || !frustum_plane(m, 0, -1, 1, &f.planes[1]) ||
        !frustum_plane(m, 1, 1, 1, &f.planes[2]) || !frustum_plane(m, 1, -1, 1, &f.planes[3]) ||
        !frustum_plane(m, 2, 1, depth == CM_CLIP_ZERO_TO_ONE ? 0 : 1, &f.planes[4]) ||
        !frustum_plane(m, 2, -1, 1, &f.planes[5]))
        return false;
    for (int i = 0; i < 6; i++)
        if (!cm_plane_is_valid(&f.planes[i])) return false; /* beyond the valid range */
    *out = f;
    return true;
}

/* --- rays against plain structs ----------------------------------------------------------------------------------- */

bool cm_raycast_plane(const cm_ray *ray, const cm_plane *plane, cm_ray_hit *out) {
    if (!cm_ray_is_valid(ray) || !cm_plane_is_valid(plane)) return false;
    cm__point n = cm__point_of(plane->normal), o = cm__point_of(ray->origin), d = cm__point_of(ray->direction);
    double height = cm__point_dot(n, o) + (double)plane->d, speed = cm__point_dot(n, d);
    double t = height == 0 ? 0 : -height / speed; /* in the plane: at once; parallel: infinite, never */
    if (!(t >= 0 && t <= (double)ray->max)) return false;
    cm_vec3 point = cm__vec3_of(cm__point_mul_add(o, t, d));
    if (!(cm_largest(point) <= CM_REAL_MAX)) return false; /* met beyond all numbers */
    if (!out) return true;
    out->t = (cm_real)t;
    out->exit = height == 0 && speed == 0 ? cm_min(ray->max, CM_REAL_MAX) : out->t;
    out->point = point;
    out->normal = height > 0 || (height == 0 && speed <= 0) ? plane->normal : cm_neg(plane->normal);
    out->inside = height == 0;
    out->part = CM_NONE;
    return true;
}

bool cm_raycast_sphere(const cm_ray *ray, const cm_sphere *sphere, cm_ray_hit *out) {
    return cm_ray_is_valid(ray) && cm_sphere_is_valid(sphere) && cm__ray_ball(ray, sphere->center, sphere->radius, out);
}

bool cm_raycast_aabb(const cm_ray *ray, const cm_aabb *box, cm_ray_hit *out) {
    return cm_ray_is_valid(ray) && cm_aabb_is_valid(box) && cm__ray_slabs(ray, box->min, box->max, out);
}

bool cm_raycast_obb(const cm_ray *ray, const cm_obb *box, cm_ray_hit *out) {
    if (!cm_ray_is_valid(ray) || !cm_obb_is_valid(box)) return false;
    cm_pose pose = {box->center, box->rotation};
    cm_ray local = *ray;
    local.origin = cm_pose_unapply(&pose, ray->origin);
    local.direction = cm_unrotate(pose.rotation, ray->direction);
    cm_ray_hit hit;
    if (!cm__ray_box(&local, box->half, 0, &hit)) return false;
    cm__ray_hit_to_world(ray, &pose, &hit);
    if (out) *out = hit;
    return true;
}

bool cm_raycast_capsule(const cm_ray *ray, const cm_capsule *capsule, cm_ray_hit *out) {
    return cm_ray_is_valid(ray) && cm_capsule_is_valid(capsule) &&
           cm__ray_capsule(ray, capsule->a, capsule->b, capsule->radius, out);
}

bool cm_raycast_triangle(const cm_ray *ray, const cm_triangle *t, cm_ray_hit *out) {
    return cm_ray_is_valid(ray) && cm_triangle_is_valid(t) && cm__ray_triangle(ray, t->a, t->b, t->c, 0, out);
}

bool cm_raycast_frustum(const cm_ray *ray, const cm_frustum *frustum, cm_ray_hit *out) {
    return cm_ray_is_valid(ray) && cm_frustum_is_valid(frustum) && cm__ray_planes(ray, frustum->planes, 6, out);
}
