/* Where a piece of one surface is best divided with respect to the other mesh, Y.
 *
 * A piece that has nothing but its rim in common with Y's triangles lies on one side of Y's surface. So a piece is cut
 * where it meets a triangle, and its parts meet that triangle no more:
 * - usually along the triangle's plane;
 * - where the whole piece is within `flush` of that plane, its crossing with the plane is vague, but what lies over the
 *   triangle is of no interest. So it is cut along the triangle's edges, upright, into what is over it and what is not.
 * What reaches through a triangle by no more than the rounding, at an angle that is not flush, is far smaller than
 * `flush`. */
#include "pair/extent_cuts.h"

#include "math/closest.h"
#include "math/wide.h"
#include "pair/mesh_leaf.h"

enum { CUTS_FEW = 8 /* a piece that meets more triangles than these is halved before it is cut */ };

#define CUTS_SHARE 1e-3 /* of a piece's size: what is worth a cut where two triangles are equally close */

typedef struct cuts_plane {
    cm__point at, normal; /* unit */
} cuts_plane;

static bool cuts_plane_at(cm__point at, cm__point normal, cuts_plane *out) {
    double length = cm__point_length(normal);
    if (!(length > 0)) return false;
    out->at = at;
    out->normal = cm__point_scale(normal, 1 / length);
    return true;
}

/* The plane of a triangle; false where that has no area. */
static bool cuts_plane_of(const cm__point y[3], cuts_plane *out) {
    return cuts_plane_at(y[0], cm__point_normal(y[0], y[1], y[2]), out);
}

/* How far the triangle v extends beyond the plane, on the side where that is less; negative where it does not. */
static double cuts_beyond(const cm__point v[3], const cuts_plane *plane, double height[3]) {
    for (int i = 0; i < 3; ++i) height[i] = cm__point_dot(plane->normal, cm__point_sub(v[i], plane->at));
    double above = wide_max(height[0], wide_max(height[1], height[2]));
    double below = -wide_min(height[0], wide_min(height[1], height[2]));
    return wide_min(above, below);
}

/* Does the line in which the piece crosses the triangle's plane, at these heights, come to the triangle? */
static bool cuts_line_reaches(const cm__point v[3], const double h[3], const cm__point y[3], double rounding) {
    cm__point cross[3];
    int count = 0;
    for (int i = 0; i < 3 && count < 2; ++i) {
        int k = (i + 1) % 3;
        if (h[i] == 0) {
            cross[count++] = v[i];
        } else if ((h[i] > 0) != (h[k] > 0) && h[k] != 0) {
            cross[count++] = cm__point_between(v[i], v[k], h[i] / (h[i] - h[k]));
        }
    }
    if (count < 2) return false;
    const double near = rounding * rounding;
    cm__closest_on_triangle c;
    for (int i = 0; i < 2; ++i) {
        cm__closest_point_triangle(cross[i], y[0], y[1], y[2], &c);
        if (c.square <= near) return true;
    }
    for (int i = 0; i < 3; ++i)
        if (cm__closest_segment_segment(cross[0], cross[1], y[i], y[(i + 1) % 3]).square <= near) return true;
    return false;
}

/* The upright plane through edge i of the triangle y, whose normal is n; its own normal points into the triangle. */
static bool cuts_edge_plane(const cm__point y[3], int i, cm__point n, cuts_plane *out) {
    return cuts_plane_at(y[i], cm__point_cross(n, cm__point_sub(y[(i + 1) % 3], y[i])), out);
}

/* Does one of the triangle p's upright edge planes have all of q outside, up to the rounding? */
static bool cuts_edge_separates(const cm__point p[3], cm__point n, const cm__point q[3], double rounding) {
    for (int i = 0; i < 3; ++i) {
        cuts_plane edge;
        double h[3];
        if (!cuts_edge_plane(p, i, n, &edge)) return true; /* no area */
        cuts_beyond(q, &edge, h);
        if (wide_max(h[0], wide_max(h[1], h[2])) <= rounding) return true;
    }
    return false;
}

/* How much of a flush piece is on both sides of one of the triangle's edges, if any of it is over the triangle; DBL_MAX
 * where all of it is. */
static double cuts_flush(const cm__point v[3], const cm__point y[3], cm__point n, double rounding, double height[3]) {
    cm__point own = cm__point_normal(v[0], v[1], v[2]);
    cm__point up = cm__point_dot(own, n) < 0 ? wide_neg(n) : n;
    if (cuts_edge_separates(y, n, v, rounding) || cuts_edge_separates(v, up, y, rounding)) return 0;
    double most = 0;
    for (int i = 0; i < 3; ++i) {
        cuts_plane edge;
        double h[3];
        if (!cuts_edge_plane(y, i, n, &edge)) continue;
        double beyond = cuts_beyond(v, &edge, h);
        if (!(beyond > rounding && beyond > most)) continue;
        most = beyond;
        for (int k = 0; k < 3; ++k) height[k] = h[k];
    }
    return most > 0 ? most : DBL_MAX;
}

/* How far the piece extends on both sides of the plane along which triangle y asks to cut it, and its corners' heights
 * over that; 0 where it does not ask, DBL_MAX where the piece is flush with y and wholly over it. */
static double cuts_ask(const cm__point v[3], const cm__point y[3], const cm__extent_slack *slack, double height[3]) {
    cuts_plane plane;
    if (!cuts_plane_of(y, &plane)) return 0;
    double beyond = cuts_beyond(v, &plane, height);
    if (wide_max(fabs(height[0]), wide_max(fabs(height[1]), fabs(height[2]))) <= slack->flush)
        return cuts_flush(v, y, plane.normal, slack->rounding, height);
    return beyond > slack->rounding && cuts_line_reaches(v, height, y, slack->rounding) ? beyond : 0;
}

cm__extent_relation cm__extent_relate(const cm_mesh *mesh, uint32_t own, const cm__point v[3],
                                      const cm__extent_slack *slack, double height[3]) {
    const cm_aabb box = extent_box(v, slack->flush);
    int count = 0;
    double most = 0;
    cm__leaf_walk walk;
    cm__leaf_walk_start(mesh, &box, &walk);
    for (uint32_t at; (at = cm__leaf_walk_next(&walk)) != CM_NONE;) {
        const uint32_t t = walk.tree.items[at];
        if (t == own) continue;
        cm__point y[3];
        double h[3];
        extent_corners(mesh, t, y);
        double beyond = cuts_ask(v, y, slack, h);
        if (!(beyond > 0)) continue;
        if (beyond == DBL_MAX) {
            if (own == CM_NONE) return CM__EXTENT_FLUSH;
            continue; /* a second triangle at the same place divides nothing */
        }
        if (beyond > most) {
            most = beyond;
            for (int k = 0; k < 3; ++k) height[k] = h[k];
        }
        if (++count > CUTS_FEW) return CM__EXTENT_MANY;
    }
    return count > 0 ? CM__EXTENT_CUT : CM__EXTENT_CLEAR;
}

/* Two triangles with a common edge: the plane that halves the angle between them. Points on either side of it are
 * closer to the one or to the other. */
static bool cuts_bisector(const cm_mesh *mesh, uint32_t p, uint32_t q, cuts_plane *out) {
    const uint32_t *corner = cm__mesh_corners(mesh);
    uint32_t common[3];
    int count = 0;
    for (int i = 0; i < 9 && count < 3; ++i)
        if (corner[3 * (size_t)p + (size_t)i / 3] == corner[3 * (size_t)q + (size_t)i % 3])
            common[count++] = corner[3 * (size_t)p + (size_t)i / 3];
    if (count != 2) return false;
    cm__point y[3];
    cuts_plane of_p, of_q;
    extent_corners(mesh, p, y);
    if (!cuts_plane_of(y, &of_p)) return false;
    extent_corners(mesh, q, y);
    if (!cuts_plane_of(y, &of_q)) return false;
    const cm_vec3 *points = cm__mesh_points(mesh);
    cm__point a = cm__point_of(points[common[0]]), b = cm__point_of(points[common[1]]);
    return cuts_plane_at(a, cm__point_cross(cm__point_sub(b, a), cm__point_add(of_p.normal, of_q.normal)), out);
}

bool cm__extent_seam(const cm_mesh *mesh, const uint32_t near[4], const cm__point v[3], double height[3]) {
    double most = 0, size = 0, h[3];
    for (int i = 0; i < 3; ++i) size = wide_max(size, cm__point_largest(cm__point_sub(v[(i + 1) % 3], v[i])));
    for (int k = 1; k < 4; ++k) {
        for (int l = 0; l < k; ++l) {
            cuts_plane seam;
            if (near[k] == near[l] || !cuts_bisector(mesh, near[k], near[l], &seam)) continue;
            double beyond = cuts_beyond(v, &seam, h);
            if (!(beyond > most && beyond > CUTS_SHARE * size)) continue;
            most = beyond;
            for (int i = 0; i < 3; ++i) height[i] = h[i];
        }
    }
    return most > 0;
}
