/* Curved cores: cylinder, cone, ellipsoid. Support points are within a few roundings of the surface. */
#include "shape/core_round.h"

#define ROUND_CAP      (4 * DBL_EPSILON) /* a direction so near to the axis is along it, but for rounding */
#define ROUND_SEGMENTS 16 /* corners that stand for a rim in a facet: inside of it by 1 - cos(pi/16) = 2 % */

static void round_start(const cm__core_ops *ops, cm__point v, double size, cm__core *out) {
    out->ops = ops;
    out->data = NULL;
    out->count = 0;
    out->radius = 0;
    out->guess_error = 0;
    out->center = cm__p(0, 0, 0);
    out->v[0] = v;
    out->size = size;
}

/* (x, y) scaled to length r; (0, 0) where it has no direction. */
static cm__point round_rim(cm__point d, double r, double z) {
    double square = d.x * d.x + d.y * d.y;
    if (!(square > 1e-280)) { /* along the axis, or so small that squares underflow */
        double m = fabs(d.x) > fabs(d.y) ? fabs(d.x) : fabs(d.y);
        if (!(m > 0)) return cm__p(r, 0, z); /* every rim point is as far: one of them, so that supports are corners */
        double x = d.x / m, y = d.y / m, s = r / sqrt(x * x + y * y);
        return cm__p(x * s, y * s, z);
    }
    double s = r / sqrt(square);
    return cm__p(d.x * s, d.y * s, z);
}

/* A cap as a polygon, counter-clockwise about `up` = 1 or -1; ids 16..31 for the upper, 32..47 for the lower. */
static void round_cap(double r, double z, double up, cm__facet *out) {
    enum { QUARTER = ROUND_SEGMENTS / 4 };
    static const double cosine[QUARTER] = {1, 0.92387953251128674, 0.70710678118654752, 0.38268343236508977};
    const uint32_t first = up > 0 ? 16 : 32;
    out->count = ROUND_SEGMENTS;
    out->number = up < 0;
    out->normal = cm__p(0, 0, up);
    for (uint32_t k = 0; k < QUARTER; k++) {
        const double c = r * cosine[k], s = k == 0 ? 0 : r * cosine[QUARTER - k];
        out->point[k] = cm__p(c, s * up, z);
        out->point[k + QUARTER] = cm__p(-s, c * up, z);
        out->point[k + 2 * QUARTER] = cm__p(-c, -s * up, z);
        out->point[k + 3 * QUARTER] = cm__p(s, -c * up, z);
    }
    for (uint32_t i = 0; i < ROUND_SEGMENTS; i++) out->id[i] = first + i;
}

/* The farthest point of a rim, and its curvature: it turns with the direction's part across the axis. Along the axis
 * there is none that tells anything, as every point is as far. */
static inline void round_bend(cm__point d, double r, double z, double square, double across, cm__bend *out) {
    const double length = cm__point_length(d), over = 1 / across;
    const double s = r / across; /* as round_rim, to the bit */
    out->point = square > 1e-280 ? cm__p(d.x * s, d.y * s, z) : round_rim(d, r, z);
    out->count = 0;
    out->rate = out->less = out->lean = 0;
    out->cap = !(across > ROUND_CAP * length);
    if (out->cap) return;
    out->lean = d.z * over * (d.z * over);
    out->rate = length * over;
    out->along[0] = cm__p(-d.y * over, d.x * over, 0), out->weight[0] = r * out->rate;
    out->count = 1;
}

/* (x, y) where it is within r of the axis, else scaled to that length. */
static cm__point round_within(cm__point p, double r, double z) {
    return p.x * p.x + p.y * p.y > r * r ? round_rim(p, r, z) : cm__p(p.x, p.y, z);
}

static void round_edge(cm__facet *out, cm__point a, cm__point b, cm__point normal) {
    out->count = 2;
    out->number = CM_NONE;
    out->normal = normal;
    out->point[0] = a, out->point[1] = b;
    out->id[0] = 0, out->id[1] = 1;
}
static void round_corner(cm__facet *out, cm__point p, cm__point normal) {
    out->count = 1;
    out->number = CM_NONE;
    out->normal = normal;
    out->point[0] = p;
    out->id[0] = 0;
}

/* --- cylinder: v[0] = (radius, half height, -) ------------------------------------------------------------------- */

static cm__point cylinder_core_support(const cm__core *core, cm__point d, uint32_t *id) {
    *id = CM_NONE;
    return round_rim(d, core->v[0].x, d.z > 0 ? core->v[0].y : -core->v[0].y);
}
static void cylinder_core_bend(const cm__core *core, cm__point d, uint32_t piece, cm__bend *out) {
    const double h = core->v[0].y;
    out->piece = piece == CM_NONE ? d.z > 0 : piece;
    const double square = d.x * d.x + d.y * d.y;
    round_bend(d, core->v[0].x, out->piece ? h : -h, square, sqrt(square), out);
}
/* Within 45 degrees of the axis it is the cap that looks there, else a line of the side. */
static void cylinder_core_facet(const cm__core *core, cm__point d, cm__facet *out) {
    double r = core->v[0].x, h = core->v[0].y;
    if (d.z * d.z > 0.5) {
        if (r > 0)
            round_cap(r, d.z > 0 ? h : -h, d.z > 0 ? 1 : -1, out);
        else
            round_corner(out, cm__p(0, 0, d.z > 0 ? h : -h), d);
        return;
    }
    cm__point top = round_rim(d, r, h), bottom = cm__p(top.x, top.y, -h);
    if (h > 0)
        round_edge(out, top, bottom, d);
    else
        round_corner(out, top, d);
}
static cm__point cylinder_core_closest(const cm__core *core, cm__point to) {
    const double h = core->v[0].y;
    return round_within(to, core->v[0].x, cm__least(cm__most(to.z, -h), h));
}
static double cylinder_core_inner(const cm__core *core) { return wide_min(core->v[0].x, core->v[0].y); }
static double cylinder_core_reach(const cm__core *core, cm__point d) {
    return core->v[0].x * sqrt(d.x * d.x + d.y * d.y) + core->v[0].y * fabs(d.z);
}
static void cylinder_core_flats(const cm__core *core, cm__flats *out) {
    (void)core;
    out->even = true;
    out->normals = 2, out->circles = 1;
    out->normal[0] = out->axis[0] = cm__p(0, 0, 1), out->normal[1] = cm__p(0, 0, -1);
    out->height[0] = 0;
}
void cm__core_cylinder(double radius, double half_height, cm__core *out) {
    static const cm__core_ops ops = {.support = cylinder_core_support,
                                     .facet = cylinder_core_facet,
                                     .bend = cylinder_core_bend,
                                     .inner = cylinder_core_inner,
                                     .closest = cylinder_core_closest,
                                     .reach = cylinder_core_reach,
                                     .flats = cylinder_core_flats};
    cm__point v = cm__p(radius, half_height, 0);
    round_start(&ops, v, cm__point_length(v), out);
}

/* --- cone: v[0] = (radius, half height, -) ----------------------------------------------------------------------- */

/* The apex is farther than the rim by 2 h d.z - r |d.xy|. */
static inline bool cone_core_points_up(const cm__core *core, cm__point d, double square, double across) {
    const double r = core->v[0].x, h = core->v[0].y;
    if (square > 1e-280) return 2 * h * d.z > r * across;
    const cm__point rim = round_rim(d, r, -h);
    return 2 * h * d.z > rim.x * d.x + rim.y * d.y;
}
static cm__point cone_core_support(const cm__core *core, cm__point d, uint32_t *id) {
    *id = CM_NONE;
    const double h = core->v[0].y;
    const double square = d.x * d.x + d.y * d.y;
    return cone_core_points_up(core, d, square, sqrt(square)) ? cm__p(0, 0, h) : round_rim(d, core->v[0].x, -h);
}
static void cone_core_bend(const cm__core *core, cm__point d, uint32_t piece, cm__bend *out) {
    const double r = core->v[0].x, h = core->v[0].y, square = d.x * d.x + d.y * d.y, across = sqrt(square);
    out->piece = piece == CM_NONE ? cone_core_points_up(core, d, square, across) : piece;
    if (out->piece)
        out->point = cm__p(0, 0, h), out->cap = false, out->count = 0, out->rate = out->less = out->lean = 0;
    else
        round_bend(d, r, -h, square, across, out);
}
static void cone_core_facet(const cm__core *core, cm__point d, cm__facet *out) {
    double r = core->v[0].x, h = core->v[0].y;
    double across = sqrt(d.x * d.x + d.y * d.y), slope = sqrt(4 * h * h + r * r);
    if (!(slope > 0)) {
        round_corner(out, cm__p(0, 0, 0), d);
        return;
    }
    /* the side's outward normal in the half plane of d: (2 h, r) / slope; the base's: (0, -1) */
    double side = (2 * h * across + r * d.z) / slope, base = -d.z;
    if (base > side && r > 0) {
        round_cap(r, -h, -1, out);
    } else {
        cm__point rim = round_rim(d, r, -h);
        round_edge(out, cm__p(0, 0, h), rim, d);
    }
}
/* On the side, as far up it as the point is; below the base, straight above it. */
static cm__point cone_core_closest(const cm__core *core, cm__point to) {
    const double r = core->v[0].x, h = core->v[0].y, across = sqrt(to.x * to.x + to.y * to.y);
    const double t = cm__ratio01((r - across) * r + (to.z + h) * (2 * h), r * r + 4 * h * h);
    const bool below = to.z < -h;
    const double most = below ? r : r - t * r, z = below ? -h : t * (2 * h) - h;
    const double s = most < across ? most / across : 1;
    return cm__p(to.x * s, to.y * s, z);
}
/* Its side is nearer to the middle than its base. */
static double cone_core_inner(const cm__core *core) {
    const double r = core->v[0].x, h = core->v[0].y, slant = sqrt(r * r + 4 * h * h);
    return slant > 0 ? r / slant * h * (1 - 4 * DBL_EPSILON) : 0;
}
static double cone_core_reach(const cm__core *core, cm__point d) {
    const double rim = core->v[0].x * sqrt(d.x * d.x + d.y * d.y) - core->v[0].y * d.z;
    return wide_max(rim, core->v[0].y * d.z);
}
static void cone_core_flats(const cm__core *core, cm__flats *out) {
    const double r = core->v[0].x, h = core->v[0].y, slope = sqrt(r * r + 4 * h * h);
    out->even = false;
    out->normals = 1, out->circles = slope > 0;
    out->normal[0] = cm__p(0, 0, -1), out->axis[0] = cm__p(0, 0, 1);
    out->height[0] = slope > 0 ? r / slope : 0;
}
void cm__core_cone(double radius, double half_height, cm__core *out) {
    static const cm__core_ops ops = {.support = cone_core_support,
                                     .facet = cone_core_facet,
                                     .bend = cone_core_bend,
                                     .inner = cone_core_inner,
                                     .closest = cone_core_closest,
                                     .reach = cone_core_reach,
                                     .flats = cone_core_flats};
    cm__point v = cm__p(radius, half_height, 0);
    round_start(&ops, v, cm__point_length(v), out);
}

/* --- ellipsoid: v[0] = half axes ---------------------------------------------------------------------------------- */

/* With M = diag(half): the farthest point along d is M M d / |M d|. */
static cm__point ellipsoid_core_support(const cm__core *core, cm__point d, uint32_t *id) {
    *id = CM_NONE;
    cm__point h = core->v[0];
    cm__point m = cm__p(h.x * d.x, h.y * d.y, h.z * d.z);
    double l = cm__point_length(m);
    if (!(l > 0)) return cm__p(0, 0, 0);
    return cm__p(h.x * (m.x / l), h.y * (m.y / l), h.z * (m.z / l));
}
/* The support function is |M d|, its second derivative M (I - m m^T) M |d| / |M d| with the unit m along M d: the sum
 * over two directions perpendicular to m. */
static void ellipsoid_core_bend(const cm__core *core, cm__point d, uint32_t piece, cm__bend *out) {
    const cm__point h = core->v[0];
    cm__point m = cm__p(h.x * d.x, h.y * d.y, h.z * d.z);
    const double l = cm__point_length(m), length = cm__point_length(d), over = 1 / l;
    (void)piece;
    out->piece = 0;
    out->point = cm__p(0, 0, 0);
    out->cap = false;
    out->count = 0;
    out->rate = out->less = out->lean = 0;
    if (!(l > 0)) return;
    m = cm__p(m.x / l, m.y / l, m.z / l); /* 1 / l may be infinite */
    out->rate = cm__point_largest(h) * (length * over);
    out->point = cm__p(h.x * m.x, h.y * m.y, h.z * m.z);
    const cm__point aside = cm__point_cross(out->point, d);
    out->lean = cm__point_dot(aside, aside) * (over * over);
    out->count = 2;
    const double sign = m.z < 0 ? -1 : 1; /* a frame around m: [Duff17] */
    const double p = -1 / (sign + m.z), q = m.x * m.y * p;
    out->along[0] = cm__p(h.x * (1 + sign * m.x * m.x * p), h.y * sign * q, -h.z * sign * m.x);
    out->along[1] = cm__p(h.x * q, h.y * (sign + m.y * m.y * p), -h.z * m.y);
    out->weight[0] = out->weight[1] = length * over;
}
static void ellipsoid_core_facet(const cm__core *core, cm__point d, cm__facet *out) {
    uint32_t id;
    round_corner(out, ellipsoid_core_support(core, d, &id), d);
}
static double ellipsoid_core_reach(const cm__core *core, cm__point d) {
    return cm__point_length(cm__p(core->v[0].x * d.x, core->v[0].y * d.y, core->v[0].z * d.z));
}
static void ellipsoid_core_flats(const cm__core *core, cm__flats *out) {
    (void)core;
    out->even = true;
    out->normals = out->circles = 0;
}
static double ellipsoid_core_inner(const cm__core *core) {
    return wide_min(core->v[0].x, wide_min(core->v[0].y, core->v[0].z));
}
void cm__core_ellipsoid(cm__point half, cm__core *out) {
    static const cm__core_ops ops = {.support = ellipsoid_core_support,
                                     .facet = ellipsoid_core_facet,
                                     .bend = ellipsoid_core_bend,
                                     .reach = ellipsoid_core_reach,
                                     .flats = ellipsoid_core_flats,
                                     .inner = ellipsoid_core_inner};
    round_start(&ops, half, cm__point_largest(half), out);
}

/* --- ellipsoid within a radius: v[1].x = the radius ---------------------------------------------------------------- */

static cm__point ellipsoid_shrunk_support(const cm__core *core, cm__point d, uint32_t *id) {
    const double length = cm__point_length(d);
    const cm__point p = ellipsoid_core_support(core, d, id);
    return length > 0 ? cm__point_mul_add(p, -core->v[1].x / length, d) : p;
}
static double ellipsoid_shrunk_reach(const cm__core *core, cm__point d) {
    return ellipsoid_core_reach(core, d) - core->v[1].x * cm__point_length(d);
}
static void ellipsoid_shrunk_bend(const cm__core *core, cm__point d, uint32_t piece, cm__bend *out) {
    ellipsoid_core_bend(core, d, piece, out);
    if (out->count == 0) return;
    out->less = core->v[1].x;
    out->point = cm__point_mul_add(out->point, -out->less / cm__point_length(d), d);
}
double cm__core_shrink(const cm__core *core, cm__core *out) {
    static const cm__core_ops ops = {.support = ellipsoid_shrunk_support,
                                     .bend = ellipsoid_shrunk_bend,
                                     .reach = ellipsoid_shrunk_reach,
                                     .flats = ellipsoid_core_flats};
    if (core->ops->support != ellipsoid_core_support) return 0;
    const cm__point h = core->v[0];
    const double least = wide_min(h.x, wide_min(h.y, h.z)), most = cm__point_largest(h);
    if (!(least > 1e-3 * most)) return 0; /* too little to gain by */
    const double less = 0.9375 * least * (least / most);
    *out = *core;
    out->ops = &ops;
    out->v[1] = cm__p(less, 0, 0);
    out->radius = core->radius + less;
    out->size = core->size - less;
    return less;
}
