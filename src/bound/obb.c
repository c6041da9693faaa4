/* Oriented boxes around points.
 *
 * Principal: the axes of the covariance, by Jacobi rotations. Tight: a local search over rotations, started from the
 * coordinate axes, the principal axes and the faces and edges of a large tetrahedron and triangle of extreme points
 * [Larsson11], on at most 64 extreme points; each start turns the box about its axes by shrinking angles while that
 * makes it smaller. The best few are then measured on all points, the axis-aligned box among them, which therefore is
 * never beaten. Half extents are measured from the rounded center along the rounded axes and rounded up: every point is
 * inside in exact arithmetic. Cost: two passes for the extreme points, one a candidate measured; the search itself does
 * not depend on the number of points. */
#include "bound/points.h"

/* --- extreme points ----------------------------------------------------------------------------------------------- */

#define OBB_CLOUD 64 /* points that the searches for a box look at */

/* Up to OBB_CLOUD points that reach farthest along directions spread over the sphere; all points where they are few.
 * Boxes around them are good guesses for boxes around all. Returns how many. */
static int obb_cloud(const cm_points *points, cm__point *out) {
    if (points->count <= OBB_CLOUD) {
        for (uint32_t i = 0; i < points->count; i++) out[i] = points_at(points, i);
        return (int)points->count;
    }
    /* directions (a, b, c) with entries -1, 0, 1, and their in-betweens (2, 1, 0): half of the sphere, both ends */
    cm__point direction[OBB_CLOUD / 2];
    int directions = 0;
    for (int x = -2; x <= 2; x++) {
        for (int y = -2; y <= 2; y++) {
            for (int z = -2; z <= 2; z++) {
                bool upper = z > 0 || (z == 0 && (y > 0 || (y == 0 && x > 0)));
                int ones = (x == 1 || x == -1) + (y == 1 || y == -1) + (z == 1 || z == -1);
                int twos = (x == 2 || x == -2) + (y == 2 || y == -2) + (z == 2 || z == -2);
                bool wanted = twos == 0 || (twos == 1 && ones == 1);
                if (!upper || !wanted || directions == OBB_CLOUD / 2) continue;
                direction[directions++] = cm__p(x, y, z);
            }
        }
    }
    uint32_t low[OBB_CLOUD / 2] = {0}, high[OBB_CLOUD / 2] = {0};
    double least[OBB_CLOUD / 2], most[OBB_CLOUD / 2];
    for (int k = 0; k < directions; k++) least[k] = DBL_MAX, most[k] = -DBL_MAX;
    for (uint32_t i = 0; i < points->count; i++) {
        cm__point p = points_at(points, i);
        for (int k = 0; k < directions; k++) {
            double d = cm__point_dot(p, direction[k]);
            if (d < least[k]) least[k] = d, low[k] = i;
            if (d > most[k]) most[k] = d, high[k] = i;
        }
    }
    for (int k = 0; k < directions; k++) {
        out[2 * k] = points_at(points, low[k]);
        out[2 * k + 1] = points_at(points, high[k]);
    }
    return 2 * directions;
}

/* --- axes --------------------------------------------------------------------------------------------------------- */

/* Makes three axes unit, perpendicular and right-handed; the first is kept. */
static void obb_orthonormalize(cm__point axes[3]) {
    axes[0] = wide_normalize(axes[0], cm__p(1, 0, 0));
    axes[1] = cm__point_mul_add(axes[1], -cm__point_dot(axes[0], axes[1]), axes[0]);
    cm__point x = axes[0];
    axes[1] = wide_normalize(axes[1], wide_normalize(cm__point_cross(x, wide_least_axis(x)), cm__p(0, 1, 0)));
    axes[1] = wide_normalize(cm__point_mul_add(axes[1], -cm__point_dot(x, axes[1]), x), axes[1]);
    axes[2] = cm__point_cross(axes[0], axes[1]);
}

/* Eigenvectors of a symmetric 3x3 matrix: each sweep turns the three off-diagonal entries to 0 in order. */
static void obb_eigen(double m[3][3], cm__point axes[3]) {
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < 30; sweep++) {
        double off = fabs(m[0][1]) + fabs(m[0][2]) + fabs(m[1][2]);
        if (!(off > 1e-30 * (fabs(m[0][0]) + fabs(m[1][1]) + fabs(m[2][2])))) break;
        for (int p = 0; p < 2; p++) {
            for (int q = p + 1; q < 3; q++) {
                if (m[p][q] == 0) continue;
                double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
                double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < 3; k++) {
                    double a = m[k][p], b = m[k][q];
                    m[k][p] = c * a - s * b, m[k][q] = s * a + c * b;
                }
                for (int k = 0; k < 3; k++) {
                    double a = m[p][k], b = m[q][k];
                    m[p][k] = c * a - s * b, m[q][k] = s * a + c * b;
                }
                for (int k = 0; k < 3; k++) {
                    double a = v[k][p], b = v[k][q];
                    v[k][p] = c * a - s * b, v[k][q] = s * a + c * b;
                }
            }
        }
    }
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (m[order[j]][order[j]] < m[order[j + 1]][order[j + 1]]) {
                int swap = order[j];
                order[j] = order[j + 1], order[j + 1] = swap;
            }
    for (int i = 0; i < 3; i++) axes[i] = cm__p(v[0][order[i]], v[1][order[i]], v[2][order[i]]);
    obb_orthonormalize(axes);
}

void cm__bound_principal(const cm_points *points, cm__point axes[3]) {
    cm__point origin = points_at(points, 0), mean = cm__p(0, 0, 0);
    double size = 0;
    for (uint32_t i = 0; i < points->count; i++) {
        cm__point d = cm__point_sub(points_at(points, i), origin);
        size = wide_max(size, cm__point_largest(d));
        mean = cm__point_mul_add(mean, 1.0 / points->count, d);
    }
    double m[3][3] = {{0}};
    for (uint32_t i = 0; i < points->count && size > 0; i++) {
        cm__point d = cm__point_scale(cm__point_sub(cm__point_sub(points_at(points, i), origin), mean), 1 / size);
        m[0][0] += d.x * d.x, m[1][1] += d.y * d.y, m[2][2] += d.z * d.z;
        m[0][1] += d.x * d.y, m[0][2] += d.x * d.z, m[1][2] += d.y * d.z;
    }
    m[1][0] = m[0][1], m[2][0] = m[0][2], m[2][1] = m[1][2];
    obb_eigen(m, axes);
}

/* The unit quaternion that rotates x, y, z to the three axes (unit, perpendicular to each other, right-handed). */
static cm_quat obb_rotation(const cm__point a[3]) {
    /* the largest of the four squared components is at least 1/4: no division by little */
    double xx = a[0].x, yy = a[1].y, zz = a[2].z;
    double four[4] = {1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz, 1 + xx + yy + zz};
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (four[i] > four[k]) k = i;
    double q[4];
    double yz = a[1].z - a[2].y, zx = a[2].x - a[0].z, xy = a[0].y - a[1].x;
    double sxy = a[1].x + a[0].y, szx = a[0].z + a[2].x, syz = a[2].y + a[1].z;
    const double rows[4][4] = {
        {four[0], sxy, szx, yz}, {sxy, four[1], syz, zx}, {szx, syz, four[2], xy}, {yz, zx, xy, four[3]}};
    for (int i = 0; i < 4; i++) q[i] = rows[k][i];
    double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    cm_quat out;
    out.x = (cm_real)(q[0] / n), out.y = (cm_real)(q[1] / n), out.z = (cm_real)(q[2] / n), out.w = (cm_real)(q[3] / n);
    return out;
}

/* --- measuring ---------------------------------------------------------------------------------------------------- */

typedef struct extent {
    double low[3], high[3];
} extent;

static void extent_add(extent *e, const cm__point axes[3], cm__point p) {
    for (int k = 0; k < 3; k++) {
        double d = cm__point_dot(axes[k], p);
        e->low[k] = wide_min(e->low[k], d), e->high[k] = wide_max(e->high[k], d);
    }
}

static extent extent_none(void) {
    extent e = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
    return e;
}

/* The box with the axes of `rotation` around all points, rounded outwards. */
static void obb_around(const cm_points *points, cm_quat rotation, cm_obb *out) {
    cm__frame turn = frame_of_quat(rotation);
    const cm__point axes[3] = {turn.x, turn.y, turn.z};
    cm__point origin = points_at(points, 0);
    extent e = extent_none();
    for (uint32_t i = 0; i < points->count; i++) extent_add(&e, axes, cm__point_sub(points_at(points, i), origin));
    cm__point middle = origin;
    for (int k = 0; k < 3; k++) middle = cm__point_mul_add(middle, (e.low[k] + e.high[k]) / 2, axes[k]);
    out->center = cm__vec3_of(middle);
    out->rotation = rotation;
    cm__point center = cm__point_of(out->center); /* as rounded: the half extents reach from here */
    double half[3] = {0, 0, 0}, size = 0;
    for (uint32_t i = 0; i < points->count; i++) {
        cm__point d = cm__point_sub(points_at(points, i), center);
        size = wide_max(size, wide_sum(d));
        for (int k = 0; k < 3; k++) half[k] = wide_max(half[k], fabs(cm__point_dot(axes[k], d)));
    }
    double slop = size > 0 ? 12 * DBL_EPSILON * size : 0;
    out->half = cm_v(wide_up(half[0] + slop), wide_up(half[1] + slop), wide_up(half[2] + slop));
}

bool cm_fit_obb_principal(const cm_points *points, cm_obb *out) {
    if (!points_are_valid(points)) return false;
    cm__point axes[3];
    cm__bound_principal(points, axes);
    obb_around(points, obb_rotation(axes), out);
    return true;
}

/* --- the search --------------------------------------------------------------------------------------------------- */

/* What is made small: the volume; flat sets have none along their normal, so a thousandth of the area counts too. */
static double obb_cost(const cm__point *cloud, int count, const cm__point axes[3]) {
    extent e = extent_none();
    for (int i = 0; i < count; i++) extent_add(&e, axes, cloud[i]);
    double x = e.high[0] - e.low[0], y = e.high[1] - e.low[1], z = e.high[2] - e.low[2];
    return x * y * z + 1e-6 * (x + y + z) * (x * y + y * z + z * x);
}

static void obb_turn(cm__point axes[3], int about, double angle) {
    double c = 1 - angle * angle / 2, s = angle; /* squared up again below: any small turn will do */
    int u = (about + 1) % 3, v = (about + 2) % 3;
    cm__point p = axes[u], q = axes[v];
    axes[u] = cm__point_mul_add(cm__point_scale(p, c), s, q);
    axes[v] = cm__point_mul_add(cm__point_scale(q, c), -s, p);
    cm__point turned[3] = {axes[about], axes[u], axes[v]};
    obb_orthonormalize(turned);
    axes[about] = turned[0], axes[u] = turned[1], axes[v] = turned[2];
}

/* Turns about each axis by a shrinking angle while that makes the box smaller: at most 24 * 40 * 6 boxes. */
static double obb_improve(const cm__point *cloud, int count, cm__point axes[3]) {
    double best = obb_cost(cloud, count, axes), angle = 0.35;
    for (int level = 0; level < 24; level++, angle *= 0.55) {
        bool better = true;
        for (int round = 0; round < 40 && better; round++) {
            better = false;
            for (int k = 0; k < 6; k++) {
                cm__point trial[3] = {axes[0], axes[1], axes[2]};
                obb_turn(trial, k % 3, k < 3 ? angle : -angle);
                double cost = obb_cost(cloud, count, trial);
                if (!(cost < best * (1 - 1e-12))) continue;
                best = cost;
                axes[0] = trial[0], axes[1] = trial[1], axes[2] = trial[2];
                better = true;
            }
        }
    }
    return best;
}

typedef struct obb_starts {
    cm__point axes[24][3];
    int count;
} obb_starts;

static void obb_start(obb_starts *s, cm__point x, cm__point y) {
    if (s->count == 24 || !(cm__point_largest(x) > 0)) return;
    cm__point *axes = s->axes[s->count++];
    axes[0] = x, axes[1] = y, axes[2] = cm__p(0, 0, 0);
    obb_orthonormalize(axes);
}

/* A face flush with a triangle, one side along each of its edges. */
static void obb_start_triangle(obb_starts *s, cm__point a, cm__point b, cm__point c) {
    cm__point n = cm__point_normal(a, b, c);
    if (!(cm__point_largest(n) > 0)) return;
    obb_start(s, n, cm__point_sub(b, a));
    obb_start(s, n, cm__point_sub(c, b));
    obb_start(s, n, cm__point_sub(a, c));
}

static int obb_farthest(const cm__point *cloud, int count, cm__point from, cm__point along, bool line) {
    int best = 0;
    double most = -1;
    for (int i = 0; i < count; i++) {
        cm__point d = cm__point_sub(cloud[i], from);
        if (line) d = cm__point_cross(d, along);
        double far = cm__point_dot(d, d);
        if (far > most) most = far, best = i;
    }
    return best;
}

static void obb_starts_of(const cm_points *points, const cm__point *cloud, int count, obb_starts *s) {
    s->count = 0;
    obb_start(s, cm__p(1, 0, 0), cm__p(0, 1, 0));
    cm__point axes[3];
    cm__bound_principal(points, axes);
    obb_start(s, axes[0], axes[1]);
    /* the longest stretch, the point farthest from it, and the two farthest from their plane */
    int i = obb_farthest(cloud, count, cloud[0], cloud[0], false);
    int j = obb_farthest(cloud, count, cloud[i], cloud[0], false);
    cm__point a = cloud[i], b = cloud[j];
    cm__point c = cloud[obb_farthest(cloud, count, a, cm__point_sub(b, a), true)];
    cm__point n = cm__point_normal(a, b, c);
    obb_start_triangle(s, a, b, c);
    int top = 0, bottom = 0;
    for (int k = 1; k < count; k++) {
        if (cm__point_dot(cloud[k], n) > cm__point_dot(cloud[top], n)) top = k;
        if (cm__point_dot(cloud[k], n) < cm__point_dot(cloud[bottom], n)) bottom = k;
    }
    const int ends[2] = {top, bottom};
    for (int k = 0; k < 2; k++) {
        obb_start_triangle(s, a, b, cloud[ends[k]]);
        obb_start_triangle(s, b, c, cloud[ends[k]]);
        obb_start_triangle(s, c, a, cloud[ends[k]]);
    }
}

static double obb_volume(const cm_obb *b) {
    double x = (double)b->half.x, y = (double)b->half.y, z = (double)b->half.z;
    return x * y * z + 1e-6 * (x + y + z) * (x * y + y * z + z * x);
}

bool cm_fit_obb(const cm_points *points, cm_obb *out) {
    if (!points_are_valid(points)) return false;
    cm__point cloud[OBB_CLOUD], origin = points_at(points, 0);
    int count = obb_cloud(points, cloud);
    double size = 0;
    for (int i = 0; i < count; i++) {
        cloud[i] = cm__point_sub(cloud[i], origin);
        size = wide_max(size, cm__point_largest(cloud[i]));
    }
    for (int i = 0; i < count && size > 0; i++) cloud[i] = cm__point_scale(cloud[i], 1 / size);
    cm_obb best, trial;
    cm_aabb box;
    cm_fit_aabb(points, &box);
    cm_obb_from_aabb(&box, &best);
    if (!(size > 0)) {
        *out = best;
        return true;
    }
    obb_starts s;
    obb_starts_of(points, cloud, count, &s);
    /* measured on all points as they are: the principal box; then the three best of the search, improved */
    obb_around(points, obb_rotation(s.axes[1]), &trial);
    if (obb_volume(&trial) < obb_volume(&best)) best = trial;
    double cost[24];
    for (int i = 0; i < s.count; i++) cost[i] = obb_improve(cloud, count, s.axes[i]);
    for (int pass = 0; pass < 3; pass++) {
        int least = 0;
        for (int i = 1; i < s.count; i++)
            if (cost[i] < cost[least]) least = i;
        obb_around(points, obb_rotation(s.axes[least]), &trial);
        if (obb_volume(&trial) < obb_volume(&best)) best = trial;
        cost[least] = DBL_MAX;
    }
    *out = best;
    return true;
}
