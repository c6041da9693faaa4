/* A hull's planes, area, volume, center and inertia.
 *
 * Planes: for the normal n as stored, rounded to the build's precision, every point of the hull has n p + d <= 0 in
 * real arithmetic. The true normal m of a face has m (p - v) <= 0 for its corners v; so n p is at most the largest n v
 * of the corners plus |n - m| times the hull's diameter. |n - m| is bounded below from the products that n was computed
 * of: it grows as a face gets thin, and d is taken that much farther out.
 *
 * Volume: tetrahedra from vertex 0 to a fan of triangles over every face. They all have the same sign, so nothing
 * cancels; where the rounding of one could show in the sum, its determinant is computed to 40 bits (cm__orient3_value).
 * So the volume is right to about 2^-40 even of a needle or slab. Center and inertia are sums over the same
 * tetrahedra; relative to the hull's size they are as good.
 *
 * Based on: [Shewchuk97]; the moments of a tetrahedron at one corner are polynomials of the other three. */
#include "hull/hull.h"
#include "math/exact.h"
#include "math/wide.h"

#define HULL_ULP 0x1p-53
/* A normal computed in doubles may be that far off: then d, 3.5 times that farther out, stays within its promise
 * (hull.h), and in the float build it is little beside the rounding of the normal itself. */
#define HULL_OFF (20 * HULL_ULP + (double)CM_REAL_EPSILON / 4)

static cm_real hull_saturate(double x) { return (cm_real)(x < (double)CM_REAL_MAX ? x : (double)CM_REAL_MAX); }

/* 1 / the half size: times this, all lengths are near 1. */
static double hull_unit(const cm_hull *hull) {
    double half = (double)hull->half;
    return 1 / (half > 1e-300 ? half : 1e-300);
}

/* The corner that a face's fan of triangles starts from: of a triangle the one opposite to the longest edge, where the
 * sine is largest. */
static uint32_t plane_corner(const cm_vec3 *points, const uint32_t *corner, uint32_t count) {
    if (count != 3) return 0;
    double best = -1;
    uint32_t found = 0;
    for (uint32_t k = 0; k < 3; ++k) {
        cm__point edge =
            cm__point_sub(cm__point_of(points[corner[k == 2 ? 0 : k + 1]]), cm__point_of(points[corner[k]]));
        double length = cm__point_length(edge);
        if (length > best) best = length, found = k == 0 ? 2 : k - 1;
    }
    return found;
}

/* A number as a sum of two doubles: right to about 2^-100. [Shewchuk97 §2] */
typedef struct pair2 {
    double high, low;
} pair2;
static pair2 pair2_sum(double a, double b) {
    pair2 r;
    r.high = a + b;
    double b_part = r.high - a, a_part = r.high - b_part;
    r.low = (a - a_part) + (b - b_part);
    return r;
}
static pair2 pair2_product(pair2 a, pair2 b) {
    const double split = 134217729.0; /* 2^27 + 1 */
    double c = split * a.high, a_high = c - (c - a.high), a_low = a.high - a_high;
    double d = split * b.high, b_high = d - (d - b.high), b_low = b.high - b_high, high = a.high * b.high;
    double low = a_low * b_low - (((high - a_high * b_high) - a_low * b_high) - a_high * b_low);
    return pair2_sum(high, low + (a.high * b.low + a.low * b.high));
}
static pair2 pair2_add(pair2 a, pair2 b) {
    pair2 sum = pair2_sum(a.high, b.high);
    return pair2_sum(sum.high, sum.low + (a.low + b.low));
}
/* a b - c d */
static pair2 pair2_cross(pair2 a, pair2 b, pair2 c, pair2 d) {
    pair2 right = pair2_product(c, d);
    right.high = -right.high, right.low = -right.low;
    return pair2_add(pair2_product(a, b), right);
}

/* Twice the vector area of a face, and the sum of the absolute values of the products in it, which bounds its rounding.
 * Lengths in units of the half size. */
typedef struct plane_sum {
    cm__point area;
    double products;
} plane_sum;

static plane_sum plane_sum_of(const cm_vec3 *points, const uint32_t *corner, uint32_t count, uint32_t from,
                              double unit) {
    cm__point a = cm__point_of(points[corner[from]]), before = cm__p(0, 0, 0);
    plane_sum s = {before, 0};
    for (uint32_t k = 1; k < count; ++k) {
        uint32_t at = from + k < count ? from + k : from + k - count;
        cm__point v = cm__point_scale(cm__point_sub(cm__point_of(points[corner[at]]), a), unit);
        if (k > 1) {
            s.area = cm__point_add(s.area, cm__point_cross(before, v));
            s.products += fabs(before.y * v.z) + fabs(before.z * v.y) + fabs(before.z * v.x) + fabs(before.x * v.z) +
                          fabs(before.x * v.y) + fabs(before.y * v.x);
        }
        before = v;
    }
    return s;
}

/* The same vector area, with differences, products and sums as pairs of doubles: right to 2^-102 of the products of
 * each corner. */
static cm__point plane_area(const cm_vec3 *points, const uint32_t *corner, uint32_t count, uint32_t from, double unit) {
    int exponent;
    frexp(unit, &exponent);
    double near = ldexp(1, exponent); /* scales without rounding */
    cm__point a = cm__point_scale(cm__point_of(points[corner[from]]), near);
    pair2 before[3] = {{0, 0}, {0, 0}, {0, 0}}, area[3] = {{0, 0}, {0, 0}, {0, 0}};
    for (uint32_t k = 1; k < count; ++k) {
        uint32_t at = from + k < count ? from + k : from + k - count;
        cm__point p = cm__point_scale(cm__point_of(points[corner[at]]), near);
        pair2 v[3] = {pair2_sum(p.x, -a.x), pair2_sum(p.y, -a.y), pair2_sum(p.z, -a.z)};
        for (int i = 0; i < 3 && k > 1; ++i) {
            int j = (i + 1) % 3, l = (i + 2) % 3;
            area[i] = pair2_add(area[i], pair2_cross(before[j], v[l], before[l], v[j]));
        }
        for (int i = 0; i < 3; ++i) before[i] = v[i];
    }
    cm__point n = cm__p(area[0].high, area[1].high, area[2].high);
    return cm__point_scale(cm__point_scale(n, unit / near), unit / near);
}

/* The unit normal of a face, and how far it is off at most; returns the length of its vector area, twice, in units of
 * the half size squared.
 * Rounding: each product has five, each difference of products one, each of the `count` - 2 sums one. Relative to the
 * area they grow with the number of corners and as the face gets thinner. Where they would exceed HULL_OFF, the area is
 * computed in pairs of doubles and rounded at the end. Scaling to length 1 adds one rounding. Errors parallel to n do
 * not turn it. */
static double plane_normal(const cm_hull *hull, uint32_t face, double unit, cm__point *normal, double *error) {
    const cm_vec3 *points = cm__hull_points(hull);
    const uint32_t *first = cm__hull_first(hull), *corner = cm__hull_corner(hull) + first[face];
    uint32_t count = first[face + 1] - first[face], from = plane_corner(points, corner, count);
    plane_sum s = plane_sum_of(points, corner, count, from, unit);
    double length = cm__point_length(s.area), off = 1.01 * (4 + (double)count) * HULL_ULP * s.products;
    if (!(off <= HULL_OFF * length)) {
        s.area = plane_area(points, corner, count, from, unit);
        length = cm__point_length(s.area);
        off = (4 + (double)count) * 0x1p-102 * s.products + 4 * HULL_ULP * length;
    }
    *normal = length > 0 ? cm__point_scale(s.area, 1 / length) : cm__p(1, 0, 0);
    *error = length > 0 ? off / length + 4 * HULL_ULP : 2;
    return length;
}

/* The plane of a face; returns its area in units of the half size squared. */
static double plane_of(const cm_hull *hull, uint32_t face, double unit, cm__hull_plane *out) {
    const cm_vec3 *points = cm__hull_points(hull);
    const uint32_t *first = cm__hull_first(hull), *corner = cm__hull_corner(hull) + first[face];
    uint32_t count = first[face + 1] - first[face];
    cm__point n;
    double error, length = plane_normal(hull, face, unit, &n, &error);
    out->normal = cm__vec3_of(n);
    if (sizeof(cm_real) < sizeof(double))
        error += (double)CM_REAL_EPSILON / 2; /* rounding: sqrt(3) / 4 of it at most */
    if (!(error < 2)) error = 2;

    cm__point m = cm__point_of(out->normal);
    double most = -DBL_MAX;
    for (uint32_t k = 0; k < count; ++k) {
        cm__point p = cm__point_of(points[corner[k]]);
        double value = cm__point_dot(m, p);
        value += 4 * HULL_ULP * (fabs(m.x * p.x) + fabs(m.y * p.y) + fabs(m.z * p.z));
        if (value > most) most = value;
    }
    most += 3.5 * error * (double)hull->half; /* the diameter is at most 2 sqrt(3) half sizes */
    most += 2 * HULL_ULP * fabs(most);
    out->d = wide_down(-most);
    return length / 2;
}

/* Sums over the tetrahedra from vertex 0, lengths in units of the half size: 6 times the volume, 24 times the integrals
 * of the coordinates, 120 times those of their products xx yy zz yz zx xy. */
typedef struct hull_moments {
    double volume, first[3], second[6];
} hull_moments;

static void moments_add(hull_moments *m, cm__point o, cm__point a, cm__point b, cm__point c, double unit) {
    cm__point u = cm__point_sub(a, o), v = cm__point_sub(b, o), w = cm__point_sub(c, o);
    u = cm__point_scale(u, unit), v = cm__point_scale(v, unit), w = cm__point_scale(w, unit);
    double yz = u.y * v.z, zy = u.z * v.y, zx = u.z * v.x, xz = u.x * v.z, xy = u.x * v.y, yx = u.y * v.x;
    double det = (yz - zy) * w.x + (zx - xz) * w.y + (xy - yx) * w.z;
    double sum =
        (fabs(yz) + fabs(zy)) * fabs(w.x) + (fabs(zx) + fabs(xz)) * fabs(w.y) + (fabs(xy) + fabs(yx)) * fabs(w.z);
    if (0x1p-9 * sum > fabs(det) && 0x1p-9 * sum > 0x1p-4 * m->volume)
        det = cm__orient3_value(&o, &a, &b, &c) * unit * unit * unit;
    m->volume += det;
    cm__point s = cm__p(u.x + v.x + w.x, u.y + v.y + w.y, u.z + v.z + w.z);
    m->first[0] += det * s.x, m->first[1] += det * s.y, m->first[2] += det * s.z;
    m->second[0] += det * (u.x * u.x + v.x * v.x + w.x * w.x + s.x * s.x);
    m->second[1] += det * (u.y * u.y + v.y * v.y + w.y * w.y + s.y * s.y);
    m->second[2] += det * (u.z * u.z + v.z * v.z + w.z * w.z + s.z * s.z);
    m->second[3] += det * (u.y * u.z + v.y * v.z + w.y * w.z + s.y * s.z);
    m->second[4] += det * (u.z * u.x + v.z * v.x + w.z * w.x + s.z * s.x);
    m->second[5] += det * (u.x * u.y + v.x * v.y + w.x * w.y + s.x * s.y);
}

static void hull_measure_solid(cm_hull *hull, double unit) {
    const cm_vec3 *points = cm__hull_points(hull);
    const uint32_t *first = cm__hull_first(hull), *corner = cm__hull_corner(hull);
    cm__point o = cm__point_of(points[0]);
    hull_moments m = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    for (uint32_t f = 0; f < hull->info.faces; ++f) {
        cm__point a = cm__point_of(points[corner[first[f]]]);
        if (corner[first[f]] == 0) continue; /* holds the point that all is measured from */
        for (uint32_t h = first[f] + 1; h + 1 < first[f + 1]; ++h)
            moments_add(&m, o, a, cm__point_of(points[corner[h]]), cm__point_of(points[corner[h + 1]]), unit);
    }
    double half = (double)hull->half, volume = m.volume / 6, c[3], second[6];
    if (!(m.volume > 0)) return; /* underflow: smaller than any number */
    for (int k = 0; k < 3; ++k) c[k] = m.first[k] / (4 * m.volume);
    for (int k = 0; k < 3; ++k) {
        second[k] = m.second[k] / 120 - volume * c[k] * c[k];
        second[3 + k] = m.second[3 + k] / 120 - volume * c[(k + 1) % 3] * c[(k + 2) % 3];
    }
    hull->info.volume = hull_saturate(volume * half * half * half);
    hull->info.center = cm__vec3_of(cm__p(o.x + c[0] * half, o.y + c[1] * half, o.z + c[2] * half));
    double xx = second[1] + second[2], yy = second[2] + second[0], zz = second[0] + second[1], t[6];
    const double tensor[6] = {xx, yy, zz, -second[3], -second[4], -second[5]};
    for (int k = 0; k < 6; ++k) {
        double value = tensor[k] * half * half * half * half * half;
        t[k] = value < -(double)CM_REAL_MAX  ? -(double)CM_REAL_MAX
               : value < (double)CM_REAL_MAX ? value
                                             : (double)CM_REAL_MAX;
    }
    hull->info.inertia.x = cm__vec3_of(cm__p(t[0], t[5], t[4]));
    hull->info.inertia.y = cm__vec3_of(cm__p(t[5], t[1], t[3]));
    hull->info.inertia.z = cm__vec3_of(cm__p(t[4], t[3], t[2]));
}

/* The center of a polygon, by a fan of its triangles. */
static void hull_measure_polygon(cm_hull *hull, double unit) {
    const cm_vec3 *points = cm__hull_points(hull);
    const uint32_t *corner = cm__hull_corner(hull);
    uint32_t count = cm__hull_first(hull)[1];
    cm__point a = cm__point_of(points[corner[0]]), sum = cm__p(0, 0, 0);
    double weights = 0;
    for (uint32_t k = 1; k + 1 < count; ++k) {
        cm__point u = cm__point_scale(cm__point_sub(cm__point_of(points[corner[k]]), a), unit);
        cm__point v = cm__point_scale(cm__point_sub(cm__point_of(points[corner[k + 1]]), a), unit);
        double weight = cm__point_length(cm__point_cross(u, v));
        weights += weight;
        sum = cm__point_mul_add(sum, weight / 3, cm__point_add(u, v));
    }
    if (weights > 0) a = cm__point_mul_add(a, (double)hull->half / weights, sum);
    hull->info.center = cm__vec3_of(a);
}

/* The radii of the balls around the center. */
static void hull_balls(cm_hull *hull, const cm__hull_plane *planes) {
    const cm_vec3 *points = cm__hull_points(hull);
    cm__point center = cm__point_of(hull->info.center);
    double outer = 0, inner = DBL_MAX;
    for (uint32_t i = 0; i < hull->info.vertices; i++) {
        double length = cm__point_length(cm__point_sub(cm__point_of(points[i]), center));
        outer = length > outer ? length : outer;
    }
    for (uint32_t f = 0; f < hull->info.faces; f++) {
        /* the height over the face is measured from a corner of it: d is farther out, so that the plane holds the hull
         */
        cm__point to = cm__point_sub(cm__point_of(points[cm__hull_corner(hull)[cm__hull_first(hull)[f]]]), center);
        double height = cm__point_dot(cm__point_of(planes[f].normal), to);
        inner = height < inner ? height : inner;
    }
    inner -= 64 * (double)CM_REAL_EPSILON * outer;
    hull->outer = (cm_real)(outer * (1 + 4 * (double)CM_REAL_EPSILON)) + CM_REAL_MIN;
    hull->inner = hull->info.dimension == 3 && inner > 0 ? (cm_real)inner : 0;
}

/* cm_hull.bend: the cosine of half the largest angle between normals of neighboring faces, rounded down. */
static cm_real hull_bend(const cm_hull *hull, const cm__hull_plane *planes) {
    const uint32_t *twin = cm__hull_twin(hull), *edge_face = cm__hull_edge_face(hull);
    double least = 1;
    for (uint32_t h = 0; h < hull->half_edges; h++) {
        cm__point n = cm__point_of(planes[edge_face[h]].normal), m = cm__point_of(planes[edge_face[twin[h]]].normal);
        double cosine = cm__point_dot(n, m);
        least = cosine < least ? cosine : least;
    }
    double half = (1 + least) / 2 - 16 * (double)CM_REAL_EPSILON;
    return half > 0 ? (cm_real)(sqrt(half) * (1 - 4 * (double)CM_REAL_EPSILON)) : 0;
}

void cm__hull_measure(cm_hull *hull, cm__hull_plane *planes) {
    double unit = hull_unit(hull), area = 0, half = (double)hull->half;
    hull->info.center = hull->middle; /* of a point and a segment: half of the sum of its ends */
    for (uint32_t f = 0; f < hull->info.faces; ++f) area += plane_of(hull, f, unit, planes + f);
    hull->info.area = hull_saturate(area * half * half);
    if (hull->info.dimension == 3) hull_measure_solid(hull, unit);
    if (hull->info.dimension == 2) hull_measure_polygon(hull, unit);
    hull_balls(hull, planes);
    hull->bend = hull->info.dimension == 3 ? hull_bend(hull, planes) : 0;
}
