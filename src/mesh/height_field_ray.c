/* The first triangle of a height field that a ray meets, in the field's own frame.
 *
 * Watertight as meshes are, by the same exact test of each triangle (ray.c), on all cells whose boxes the ray touches
 * (cm__field_enter never misses one). Bound: every node once.
 *
 * Based on: [Kay86] slabs. */
#include "mesh/height_field.h"
#include "mesh/ray.h"

/* Up to which time boxes matter: those of triangles whose rounded hit may be as early as the best one. */
static double field_ray_limit(double max) { return max < DBL_MAX / 2 ? max * (1 + 0x1p-30) + DBL_MIN : DBL_MAX; }

bool cm__field_ray(const cm_height_field *f, cm_vec3 origin, cm_vec3 direction, cm_real max, cm__mesh_hit *out) {
    cm__ray_line line = {cm__point_of(origin), cm__point_of(direction), (double)max};
    bool found = false;
    uint32_t cell;
    cm__field_walk walk;
    cm_aabb point;
    point.min = point.max = origin;
    cm__field_walk_box(&walk, f, &point, direction);
    while (cm__field_walk_next(&walk, f, cm__field_enter, &walk.query, field_ray_limit(line.max), &cell)) {
        for (uint32_t half = 0; half < 2; ++half) {
            cm_vec3 corner[3];
            cm__mesh_hit hit;
            cm__field_triangle(f, 2 * cell + half, corner);
            const cm__point c[3] = {cm__point_of(corner[0]), cm__point_of(corner[1]), cm__point_of(corner[2])};
            if (!cm__ray_meets_face(&line, c, &hit)) continue;
            hit.triangle = hit.place = 2 * cell + half;
            if (found && !cm__ray_hit_is_before(&hit, out)) continue;
            *out = hit;
            found = true;
            line.max = hit.t;
        }
    }
    return found;
}
