/* Is a solid mesh convex? Then it keeps the hull of its points, and is asked as that where its surface alone tells
 * less: contacts, the way out of what is deep in it, its thickness.
 *
 * Convex: closed, of one piece, no edge of more than two triangles, and each triangle on a face of the hull, within
 * CM__MESH_CONVEX_SLACK, with its front outward. As the mesh is closed, they cover all of the hull then. Most meshes
 * are refused at one of the first edges, which is plainly concave; only the others have their hull built. A triangle
 * that is hardly wider than the slack has no front, and covers nothing to speak of: it is passed by. */
#include "mesh/mesh.h"

#include "hull/hull.h"

#define CONVEX_BENT  1e-3 /* the sine of an angle: an edge that is as concave is so beyond doubt */
#define CONVEX_WIDE  16   /* slacks: the height of a triangle that has a front */
#define CONVEX_THICK 64   /* slacks: the radius of a ball within the hull */

enum { CONVEX_POINTS = 4096 }; /* at most: of more, the hull would take as long to build as the mesh */
enum { CONVEX_LOOKS = 16 };    /* for each triangle and face: faces looked at for triangles that are bent by rounding */

static cm__point convex_normal(const cm_triangle *t) {
    return cm__point_normal(cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c));
}

/* Is the edge from its corner `e` on, beyond which a neighbor has that third corner, plainly concave? */
static bool convex_is_bent(const cm_vec3 corner[3], uint32_t e, cm__point normal, cm_vec3 third) {
    const cm__point from = cm__point_of(corner[e]), along = cm__point_sub(cm__point_of(corner[(e + 1) % 3]), from);
    const cm__point to = cm__point_sub(cm__point_of(third), from);
    const double above = cm__point_dot(normal, to) * cm__point_length(along);
    return above > CONVEX_BENT * cm__point_length(normal) * cm__point_length(cm__point_cross(along, to));
}

static bool convex_at_edges(const cm_mesh *mesh) {
    const uint32_t *neighbors = cm__mesh_neighbors(mesh), *corners = cm__mesh_corners(mesh);
    const cm_vec3 *points = cm__mesh_points(mesh);
    for (uint32_t i = 0; i < mesh->info.triangles; i++) {
        const cm_triangle t = cm__mesh_triangle(mesh, i);
        const cm_vec3 corner[3] = {t.a, t.b, t.c};
        const cm__point normal = convex_normal(&t);
        for (uint32_t e = 0; e < 3; e++) {
            const uint32_t across = neighbors[3 * i + e];
            if (across == CM_NONE) return false;
            const uint32_t third = corners[across - across % 3 + (across + 2) % 3];
            if (convex_is_bent(corner, e, normal, points[third])) return false;
        }
    }
    return true;
}

/* Is a triangle hardly wider than the slack? */
static bool convex_is_thin(const cm_triangle *t, double slack) {
    const cm__point a = cm__point_of(t->a), b = cm__point_of(t->b), c = cm__point_of(t->c);
    const double ab = cm__point_length(cm__point_sub(b, a)), bc = cm__point_length(cm__point_sub(c, b));
    const double longest = cm__most(cm__most(ab, bc), cm__point_length(cm__point_sub(a, c)));
    return cm__point_length(convex_normal(t)) <= CONVEX_WIDE * slack * longest;
}

/* Do the corners of a triangle lie on a face of the hull, and is its front outward? */
static bool convex_is_on(const cm_hull *hull, uint32_t face, const cm_triangle *t, double slack) {
    const cm_vec3 corner[3] = {t->a, t->b, t->c};
    const cm__hull_plane *plane = &cm__hull_planes(hull)[face];
    for (int k = 0; k < 3; k++)
        if (cm__point_dot(cm__point_of(plane->normal), cm__point_of(corner[k])) + (double)plane->d < -slack)
            return false;
    return cm__point_dot(convex_normal(t), cm__point_of(plane->normal)) > 0;
}

/* A face on which a triangle lies has a corner that is as far as any along its normal; but one that is bent by rounding
 * leans toward another. *left: how many more faces are looked at in all where that is so. */
static bool convex_is_on_any(const cm_hull *hull, const cm_triangle *t, double slack, uint32_t *vertex,
                             uint64_t *left) {
    const cm__point normal = convex_normal(t);
    const cm__point unit = cm__point_scale(normal, 1 / cm__point_length(normal));
    *vertex = cm__hull_support(hull, cm__vec3_of(unit), *vertex);
    const uint32_t start = cm__hull_vertex_edge(hull)[*vertex];
    uint32_t h = start;
    do {
        if (convex_is_on(hull, cm__hull_edge_face(hull)[h], t, slack)) return true;
        h = cm__hull_around(hull, h);
    } while (h != start);
    for (uint32_t f = 0; *left > 0 && f < hull->info.faces; f++, --*left)
        if (convex_is_on(hull, f, t, slack)) return true;
    return false;
}

static bool convex_is_hull(const cm_mesh *mesh, const cm_hull *hull) {
    const double slack = cm__mesh_convex_slack(mesh);
    uint64_t left = CONVEX_LOOKS * ((uint64_t)mesh->info.triangles + hull->info.faces);
    uint32_t vertex = 0;
    if (hull->info.dimension < 3 || !((double)hull->inner > CONVEX_THICK * slack)) return false;
    for (uint32_t i = 0; i < mesh->info.triangles; i++) {
        const cm_triangle t = cm__mesh_triangle(mesh, i);
        if (!convex_is_thin(&t, slack) && !convex_is_on_any(hull, &t, slack, &vertex, &left)) return false;
    }
    return true;
}

cm_status cm__mesh_build_hull(const cm_mesh *mesh, const cm_allocator *mem, cm_hull **out) {
    const cm_mesh_info *info = &mesh->info;
    const cm_hull_desc desc = {.points = &cm__mesh_points(mesh)->x, .point_count = info->points};
    *out = NULL;
    if (!info->solid || info->components != 1 || info->points > CONVEX_POINTS || !convex_at_edges(mesh)) return CM_OK;
    cm_hull *hull = NULL;
    const cm_status status = cm_hull_build(&desc, mem, &hull, NULL);
    if (status == CM_NO_MEMORY) return status;
    if (status == CM_OK && convex_is_hull(mesh, hull))
        *out = hull;
    else
        cm_hull_destroy(hull, mem);
    return CM_OK;
}
