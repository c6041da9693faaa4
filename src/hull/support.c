/* The farthest vertex along a direction, and what lies there: patch, edge or corner.
 *
 * Few vertices are all looked at (scan.h). Many are walked: from a vertex to the neighbor that is farther, until none
 * is; on a convex body that is the farthest of all. The start comes from the caller (the last answer) or from a table
 * of directions on a cube.
 *
 * Of equally far vertices both ways give the lowest number. The walk needs no special case for that: vertices are
 * numbered in the order of x, y, z, so the rule is the same as to tilt the direction by (-e, -e², -e³) for a tiny e.
 *
 * Bound: of a scan, the rounding of one product: under 8 ulp of |direction| times the half size, wherever the hull
 * lies, as lanes are relative to its middle. A walk is computed in double; it may stop where the neighbors gain less
 * than the rounding, 2^-50 of the half size, and what is lost then is at most that times half size / shortest edge: far
 * below a float's rounding in the float build; in the double build it is under the stated bound for edges >= 1/2 half
 * size, and grows with size / edge, as the neighbors' plane is ill-conditioned. A walk sees no vertex twice. */
#include "base/isa.h"
#include "hull/kernel.h"

static uint32_t hull_walk(const cm_hull *hull, cm__point direction, uint32_t vertex) {
    const cm_vec3 *points = cm__hull_points(hull);
    const uint32_t *first = cm__hull_neighbor_first(hull), *neighbors = cm__hull_neighbors(hull);
    cm__point middle = cm__point_of(hull->middle);
    double best = cm__point_dot(cm__point_sub(cm__point_of(points[vertex]), middle), direction);
    for (;;) {
        uint32_t from = vertex;
        for (uint32_t i = first[from]; i < first[from + 1]; ++i) {
            uint32_t v = neighbors[i];
            double value = cm__point_dot(cm__point_sub(cm__point_of(points[v]), middle), direction);
            if (value > best || (value == best && v < vertex)) best = value, vertex = v;
        }
        if (vertex == from) return vertex;
    }
}

/* --- the table: a cube of cells, its sides x+ x- y+ y- z+ z-, each seen along its axis ---------------------------- */

uint32_t cm__hull_cells(uint32_t vertices) {
    if (vertices <= CM__HULL_SCAN) return 0;
    uint32_t cells = 1;
    while (cells < 64 && 24 * (cells + 1) * (cells + 1) <= vertices) ++cells;
    return cells;
}

/* The cell along an axis for x in [-1, 1]; any for NaN. */
static uint32_t hull_cell_along(uint32_t cells, cm_real x) {
    cm_real at = (x + 1) * ((cm_real)cells / 2);
    return at > 0 ? at < (cm_real)cells ? (uint32_t)at : cells - 1 : 0;
}

static uint32_t hull_cell(uint32_t cells, cm_vec3 d) {
    cm_real size = cm_largest(d), u, v, w;
    uint32_t axis;
    if (!(size > 0)) return 0;
    if (cm_abs(d.x) == size)
        axis = 0, w = d.x, u = d.y, v = d.z;
    else if (cm_abs(d.y) == size)
        axis = 1, w = d.y, u = d.z, v = d.x;
    else
        axis = 2, w = d.z, u = d.x, v = d.y;
    return ((2 * axis + (w < 0)) * cells + hull_cell_along(cells, u / size)) * cells + hull_cell_along(cells, v / size);
}

void cm__hull_fill_starts(const cm_hull *hull, uint32_t *start) {
    uint32_t cells = hull->cells, vertex = 0;
    for (uint32_t side = 0; side < 6 && cells > 0; ++side) {
        for (uint32_t i = 0; i < cells; ++i) {
            for (uint32_t n = 0; n < cells; ++n) {
                uint32_t k = i & 1 ? cells - 1 - n : n; /* to and fro: each start is near the one before */
                double u = (2 * (double)i + 1) / cells - 1, v = (2 * (double)k + 1) / cells - 1, w = side & 1 ? -1 : 1;
                cm__point d = side < 2 ? cm__p(w, u, v) : side < 4 ? cm__p(v, w, u) : cm__p(u, v, w);
                vertex = hull_walk(hull, d, vertex);
                start[(side * cells + i) * cells + k] = vertex;
            }
        }
    }
}

const cm__hull_scans *cm__hull_scans_best(void) {
    static const cm__hull_scans *const scans[] = CM__BY_ISA(&cm__hull_scans);
    return scans[cm__isa_settled()];
}

uint32_t cm__hull_support(const cm_hull *hull, cm_vec3 direction, uint32_t hint) {
    if (hull->cells == 0) return cm__hull_scans_best()->scan(cm__hull_lanes(hull), hull->padded, direction);
    if (hint >= hull->info.vertices)
        hint = ((const uint32_t *)cm__hull_at(hull, hull->start))[hull_cell(hull->cells, direction)];
    return hull_walk(hull, cm__point_of(direction), hint);
}

uint32_t cm_hull_support(const cm_hull *hull, cm_vec3 direction) { return cm__hull_support(hull, direction, CM_NONE); }

/* --- features ----------------------------------------------------------------------------------------------------- */

static void side_whole(const cm_hull *hull, cm__hull_side *out) {
    out->count = hull->info.vertices; /* 1 or 2 */
    out->ends[0] = 0, out->ends[1] = 1;
    out->corner = out->ends;
    out->patch = CM_NONE;
    out->normal = cm_v(0, 0, 0);
}

static void side_face_of(const cm_hull *hull, cm_vec3 direction, uint32_t vertex, cm__hull_side *out) {
    const cm_real *x = cm__hull_face_lanes(hull), *y = x + cm__hull_padded_faces(hull);
    const cm_real *z = y + cm__hull_padded_faces(hull);
    const uint16_t *star = cm__hull_star(hull);
    const uint32_t *first = cm__hull_first(hull);
    uint32_t best = star[star[vertex]];
    cm_real most = -CM_REAL_MAX;
    for (uint32_t i = star[vertex]; i < star[vertex + 1]; ++i) {
        const uint32_t face = star[i];
        const cm_real value = cm_dot(cm_v(x[face], y[face], z[face]), direction);
        best = value > most ? face : best; /* of equals the first */
        most = value > most ? value : most;
    }
    out->count = first[best + 1] - first[best];
    out->corner = cm__hull_corner(hull) + first[best];
    out->patch = best;
    out->normal = cm_v(x[best], y[best], z[best]);
}

void cm__hull_patch_toward(const cm_hull *hull, cm_vec3 direction, uint32_t vertex, cm__hull_side *out) {
    side_whole(hull, out);
    if (hull->info.faces == 0) return;
    if (cm__hull_has_arcs(hull) && !hull->face_patch) { /* patches are faces, and what they have lies close together */
        side_face_of(hull, direction, vertex, out);
        return;
    }
    const uint32_t *edge_face = cm__hull_edge_face(hull);
    const cm__hull_plane *planes = cm__hull_patch_planes(hull);
    uint32_t start = cm__hull_vertex_edge(hull)[vertex], h = start, best = CM_NONE;
    cm_real most = 0;
    do {
        uint32_t patch = cm__hull_patch_of(hull, edge_face[h]);
        cm_real value = cm_dot(planes[patch].normal, direction);
        const bool better = (best == CM_NONE) | (value > most) | ((value == most) & (patch < best));
        most = better ? value : most;
        best = better ? patch : best;
        h = cm__hull_around(hull, h);
    } while (h != start);
    const uint32_t *first = cm__hull_patch_first(hull);
    out->count = first[best + 1] - first[best];
    out->corner = cm__hull_patch_corners(hull) + first[best];
    out->patch = best;
    out->normal = planes[best].normal;
}
