/* Bounding volumes of parts: see bounding.h. */
#include "check/bounding.h"

#include "common/text.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

const char *const bounding_names[BOUNDING_KINDS] = {"sphere", "aabb", "box", "capsule", "hull"};

/* --- points ------------------------------------------------------------------------------------------------------- */

cm_hull *hull_of_points(const cm_vec3 *points, uint32_t count) {
    cm_hull_desc desc = {.points = &points[0].x, .point_count = count};
    cm_hull *hull = NULL;
    cm_status status = cm_hull_build(&desc, NULL, &hull, NULL);
    if (status == CM_OK) return hull;
    complain(EXIT_INTERNAL, "the convex hull cannot be built: %s", cm_status_text(status));
    exit(EXIT_INTERNAL);
}

/* The hull of the points that triangles use; NULL where there are none. */
static cm_hull *hull_of_mesh(const cm_mesh *mesh, const cm_pose *pose) {
    uint32_t count = cm_mesh_point_count(mesh), kept = 0, corners[3];
    const cm_vec3 *points = cm_mesh_points(mesh);
    bool *used = allocate(count + 1u, sizeof *used);
    for (uint32_t t = 0; t < cm_mesh_triangle_count(mesh); t++) {
        cm_mesh_corners(mesh, t, corners);
        used[corners[0]] = used[corners[1]] = used[corners[2]] = true;
    }
    cm_vec3 *placed = allocate(count + 1u, sizeof *placed);
    for (uint32_t i = 0; i < count; i++)
        if (used[i]) placed[kept++] = pose ? cm_pose_apply(pose, points[i]) : points[i];
    cm_hull *hull = kept > 0 ? hull_of_points(placed, kept) : NULL;
    free(placed);
    free(used);
    return hull;
}

/* --- volumes ------------------------------------------------------------------------------------------------------ */

static double volume_of_half(cm_vec3 half) { return 8 * half.x * half.y * half.z; }

/* All of them around a hull, which is taken over. */
static bounding bounding_around(cm_hull *hull, double model) {
    bounding b = {.hull = hull, .model = model};
    if (!hull) return b;
    const cm_points points = {&cm_hull_vertices(hull)[0].x, sizeof(cm_vec3), cm_hull_vertex_count(hull)};
    cm_hull_info info;
    cm_hull_get_info(hull, &info);
    cm_fit_sphere(&points, &b.sphere);
    cm_fit_aabb(&points, &b.aabb);
    cm_fit_obb(&points, &b.obb);
    cm_fit_capsule(&points, &b.capsule);
    double r = b.capsule.radius, length = cm_length(cm_sub(b.capsule.b, b.capsule.a));
    b.volumes[BOUNDING_SPHERE] = 4 * PI / 3 * pow(b.sphere.radius, 3);
    b.volumes[BOUNDING_AABB] = volume_of_half(cm_scale(cm_sub(b.aabb.max, b.aabb.min), 0.5));
    b.volumes[BOUNDING_OBB] = volume_of_half(b.obb.half);
    b.volumes[BOUNDING_CAPSULE] = PI * r * r * (length + 4 * r / 3);
    b.volumes[BOUNDING_HULL] = info.volume;
    return b;
}

static double volume_of_mesh(const scene_mesh *mesh) { return mesh->info.closed ? fabs(mesh->info.volume) : -1; }

bounding bounding_of_mesh(const scene_mesh *mesh) {
    return bounding_around(hull_of_mesh(mesh->mesh, NULL), volume_of_mesh(mesh));
}

bounding bounding_of_part(const scene *s, uint32_t part) {
    const scene_part *p = &s->parts[part];
    const scene_mesh *mesh = &s->meshes[p->mesh];
    return bounding_around(hull_of_mesh(mesh->mesh, &p->pose), volume_of_mesh(mesh));
}

/* --- all parts ---------------------------------------------------------------------------------------------------- */

/* The hull of the vertices of hulls is the hull of all. So few points are kept, however many parts there are. */
enum { FEW_POINTS = 1 << 17 };

static void add_vertices(bounding_all *all, const cm_hull *hull) {
    for (uint32_t k = 0; hull && k < cm_hull_vertex_count(hull); k++) {
        all->points = grow(all->points, all->count, &all->capacity, sizeof *all->points);
        all->points[all->count++] = cm_hull_vertices(hull)[k];
    }
}

void bounding_all_start(bounding_all *all, const scene *s) {
    *all = (bounding_all){.s = s,
                          .starts = allocate(s->mesh_count + 1u, sizeof *all->starts),
                          .parts = allocate(s->part_count, sizeof *all->parts),
                          .limit = FEW_POINTS};
    uint32_t *starts = all->starts;
    for (uint32_t i = 0; i < s->part_count; i++) starts[s->parts[i].mesh]++;
    for (uint32_t m = 0; m < s->mesh_count; m++) starts[m + 1] += starts[m]; /* where those of each end */
    for (uint32_t i = s->part_count; i-- > 0;) all->parts[--starts[s->parts[i].mesh]] = i;
}

void bounding_all_add(bounding_all *all, uint32_t mesh) {
    const scene *s = all->s;
    for (uint32_t i = all->starts[mesh]; i < all->starts[mesh + 1]; i++) {
        cm_hull *hull = hull_of_mesh(s->meshes[mesh].mesh, &s->parts[all->parts[i]].pose);
        add_vertices(all, hull);
        cm_hull_destroy(hull, NULL);
        if (all->count <= all->limit) continue;
        hull = hull_of_points(all->points, all->count);
        all->count = 0;
        add_vertices(all, hull);
        cm_hull_destroy(hull, NULL);
        if (all->limit < 2 * all->count) all->limit = 2 * all->count;
    }
}

/* The volume is the sum of those of the parts. */
bounding bounding_all_end(bounding_all *all) {
    const scene *s = all->s;
    double model = 0;
    for (uint32_t i = 0; i < s->part_count; i++) {
        const double volume = volume_of_mesh(&s->meshes[s->parts[i].mesh]);
        model = model < 0 || volume < 0 ? -1 : model + volume;
    }
    const bounding b = bounding_around(all->count > 0 ? hull_of_points(all->points, all->count) : NULL, model);
    free(all->starts);
    free(all->parts);
    free(all->points);
    *all = (bounding_all){0};
    return b;
}

bounding bounding_of_scene(const scene *s) {
    bounding_all all;
    bounding_all_start(&all, s);
    for (uint32_t m = 0; m < s->mesh_count; m++) bounding_all_add(&all, m);
    return bounding_all_end(&all);
}

void bounding_free(bounding *b) {
    cm_hull_destroy(b->hull, NULL);
    *b = (bounding){0};
}

double bounding_empty(const bounding *b, bounding_kind kind) {
    if (!b->hull || b->model < 0 || !(b->volumes[kind] > 0)) return -1;
    double empty = 1 - b->model / b->volumes[kind];
    return empty > 0 ? empty : 0; /* parts that overlap are counted twice */
}
