/* Volume, center and inertia.
 *
 * A convex polytope with a radius is cut into its core, a prism over every face, a wedge at every edge and a sector of
 * a ball at every corner [Schneider14 §4.1]; each has closed forms. The directions n at a corner fill a convex polygon
 * on the unit sphere, whose sides are arcs perpendicular to the corner's edges e (inward normal -e). With an arc's
 * angle a the divergence theorem gives the integral of n over the polygon: 1/2 sum of a (-e). The integrals of n n^T
 * are needed in their sum over all corners only, that over the whole sphere: every corner may as well count a third of
 * its solid angle for each axis. Solids of revolution are cut along their axis.
 *
 * Error: a few hundred DBL_EPSILON of the size's powers; the hull's normals, where a radius makes them matter, are
 * those of the build's precision.
 *
 * Based on: [Schneider14], [VanOosterom83], [Mirtich96] for the question. */
#include "shape/mass.h"
#include "math/trig.h"
#include "math/wide.h"
#include "shape/shape.h"

static const double mass_pi = 3.14159265358979323846;

/* --- solids of revolution ------------------------------------------------------------------------------------- */

void cm__axis_add_frustum(cm__axis_moments *m, double z0, double z1, double r0, double r1) {
    double h = z1 - z0, a = r0 * r0, b = r0 * r1, c = r1 * r1;
    double zero = h * (a + b + c) / 3, one = h * h * (a + 2 * b + 3 * c) / 12,
           two = h * h * h * (a + 3 * b + 6 * c) / 30;
    m->volume += zero;
    m->first += z0 * zero + one;
    m->along += z0 * z0 * zero + 2 * z0 * one + two;
    m->across += h * (a * a + a * b + b * b + b * c + c * c) / 20;
}

/* With w = sin t, s = cos t: the integrals of w^j s^k over w from the angle t, in closed form. */
typedef struct arc_powers {
    double w0, w1, w2, s1, s2, s3, s4, w1s1, w1s2, w2s1, w2s2;
} arc_powers;

static arc_powers arc_powers_at(double w, double t) {
    double s2 = (1 - w) * (1 + w), s = sqrt(s2 > 0 ? s2 : 0), w2 = w * w, w3 = w2 * w;
    arc_powers p;
    p.w0 = w, p.w1 = w2 / 2, p.w2 = w3 / 3;
    p.s1 = (t + w * s) / 2;
    p.s2 = w - w3 / 3;
    p.s3 = w * s * s2 / 4 + 3 * (t + w * s) / 8;
    p.s4 = w - 2 * w3 / 3 + w3 * w2 / 5;
    p.w1s1 = -s * s2 / 3;
    p.w1s2 = w2 / 2 - w2 * w2 / 4;
    p.w2s1 = (t - w * s * (1 - 2 * w2)) / 8;
    p.w2s2 = w3 / 3 - w3 * w2 / 5;
    return p;
}

/* (core + r s)^2 and its fourth power, multiplied out; z = middle + r w. */
static void arc_add(cm__axis_moments *m, double core, double middle, double r, const arc_powers *p, double sign) {
    double cc = core * core, rr = r * r, f = sign * r;
    double zero = cc * p->w0 + 2 * core * r * p->s1 + rr * p->s2;
    double one = r * (cc * p->w1 + 2 * core * r * p->w1s1 + rr * p->w1s2);
    double two = rr * (cc * p->w2 + 2 * core * r * p->w2s1 + rr * p->w2s2);
    m->volume += f * zero;
    m->first += f * (middle * zero + one);
    m->along += f * (middle * middle * zero + 2 * middle * one + two);
    m->across += f *
                 (cc * cc * p->w0 + 4 * cc * core * r * p->s1 + 6 * cc * rr * p->s2 + 4 * core * rr * r * p->s3 +
                  rr * rr * p->s4) /
                 4;
}

void cm__axis_add_arc(cm__axis_moments *m, double core, double middle, double radius, const double sine[2],
                      const double angle[2]) {
    arc_powers low = arc_powers_at(sine[0], angle[0]), high = arc_powers_at(sine[1], angle[1]);
    arc_add(m, core, middle, radius, &high, 1);
    arc_add(m, core, middle, radius, &low, -1);
}

void cm__axis_of_cylinder(double core, double half_height, double radius, cm__axis_moments *out) {
    static const double down[2] = {-1, 0}, up[2] = {0, 1};
    const double angle_down[2] = {-mass_pi / 2, 0}, angle_up[2] = {0, mass_pi / 2};
    out->volume = out->first = out->across = out->along = 0;
    cm__axis_add_arc(out, core, -half_height, radius, down, angle_down);
    cm__axis_add_frustum(out, -half_height, half_height, core + radius, core + radius);
    cm__axis_add_arc(out, core, half_height, radius, up, angle_up);
}

void cm__mass_of_axis(const cm__axis_moments *m, cm__point from, cm__point axis, double unit, cm__mass_sum *out) {
    double z = m->volume > 0 ? m->first / m->volume : 0;
    double across = mass_pi * m->across, along = mass_pi * (m->along - m->first * z);
    double turn = 2 * across, tip = across + (along > 0 ? along : 0); /* about the axis, and perpendicular to it */
    out->unit = unit;
    out->volume = mass_pi * m->volume;
    out->center = cm__point_mul_add(from, z, axis);
    out->inertia[0] = tip + (turn - tip) * axis.x * axis.x;
    out->inertia[1] = tip + (turn - tip) * axis.y * axis.y;
    out->inertia[2] = tip + (turn - tip) * axis.z * axis.z;
    out->inertia[3] = (turn - tip) * axis.y * axis.z;
    out->inertia[4] = (turn - tip) * axis.z * axis.x;
    out->inertia[5] = (turn - tip) * axis.x * axis.y;
}

/* --- pieces of polytopes ---------------------------------------------------------------------------------------- */

/* second += s (a b^T + b a^T) / 2 */
static void second_add(double second[6], double s, cm__point a, cm__point b) {
    second[0] += s * a.x * b.x, second[1] += s * a.y * b.y, second[2] += s * a.z * b.z;
    second[3] += s * (a.y * b.z + a.z * b.y) / 2;
    second[4] += s * (a.z * b.x + a.x * b.z) / 2;
    second[5] += s * (a.x * b.y + a.y * b.x) / 2;
}

void cm__moments_add_tetrahedron(cm__moments *m, cm__point a, cm__point b, cm__point c) {
    double det = cm__point_dot(cm__point_cross(a, b), c);
    cm__point s = cm__point_add(cm__point_add(a, b), c);
    m->volume += det / 6;
    m->first = cm__point_mul_add(m->first, det / 24, s);
    second_add(m->second, det / 120, a, a);
    second_add(m->second, det / 120, b, b);
    second_add(m->second, det / 120, c, c);
    second_add(m->second, det / 120, s, s);
}

void cm__moments_add_prism(cm__moments *m, cm__point a, cm__point b, cm__point c, cm__point n, double r) {
    double area = cm__point_length(cm__point_normal(a, b, c)) / 2;
    cm__point s = cm__point_add(cm__point_add(a, b), c); /* the triangle's integral of x is area s / 3 */
    m->volume += area * r;
    m->first = cm__point_mul_add(m->first, area * r / 3, s);
    m->first = cm__point_mul_add(m->first, area * r * r / 2, n);
    second_add(m->second, area * r / 12, a, a);
    second_add(m->second, area * r / 12, b, b);
    second_add(m->second, area * r / 12, c, c);
    second_add(m->second, area * r / 12, s, s);
    second_add(m->second, area * r * r / 3, s, n);
    second_add(m->second, area * r * r * r / 3, n, n);
}

/* The arc from n1 to n2 perpendicular to the unit edge e: its angle, its middle, and the tangent there. t1 leads away
 * from the first face, in its plane. */
typedef struct mass_arc {
    double angle, sine; /* the sine of half of it */
    cm__point middle, tangent;
} mass_arc;

static mass_arc mass_arc_of(cm__point e, cm__point n1, cm__point n2) {
    mass_arc arc;
    cm__point t1 = wide_normalize(cm__point_cross(e, n1), cm__p(0, 0, 0));
    double sine = cm__point_dot(n2, t1), cosine;
    arc.angle = cm__angle_of(sine > 0 ? sine : 0, cm__point_dot(n2, n1));
    cm__sine_cosine(arc.angle / 2, &arc.sine, &cosine);
    arc.middle = cm__point_add(cm__point_scale(n1, cosine), cm__point_scale(t1, arc.sine));
    arc.tangent = cm__point_add(cm__point_scale(n1, -arc.sine), cm__point_scale(t1, cosine));
    return arc;
}

void cm__moments_add_wedge(cm__moments *m, cm__point a, cm__point b, cm__point n1, cm__point n2, double r) {
    cm__point d = cm__point_sub(b, a), mid = cm__p(a.x / 2 + b.x / 2, a.y / 2 + b.y / 2, a.z / 2 + b.z / 2);
    double length = cm__point_length(d);
    if (!(length > 0)) return;
    mass_arc arc = mass_arc_of(cm__point_scale(d, 1 / length), n1, n2);
    double sine, cosine, area = r * r * arc.angle / 2, lever = r * r * r / 3 * 2 * arc.sine;
    cm__sine_cosine(arc.angle, &sine, &cosine);
    m->volume += length * area;
    m->first = cm__point_mul_add(m->first, length * area, mid);
    m->first = cm__point_mul_add(m->first, length * lever, arc.middle);
    second_add(m->second, length * area, mid, mid);
    second_add(m->second, length * area / 12, d, d);
    second_add(m->second, 2 * length * lever, mid, arc.middle);
    double quarter = length * r * r * r * r / 4;
    second_add(m->second, quarter * (arc.angle + sine) / 2, arc.middle, arc.middle);
    second_add(m->second, quarter * (arc.angle - sine) / 2, arc.tangent, arc.tangent);
}

/* Of the triangle between three unit vectors on the sphere. [VanOosterom83] */
static double solid_angle_of(cm__point a, cm__point b, cm__point c) {
    double over = fabs(cm__point_dot(a, cm__point_cross(b, c)));
    return 2 * cm__angle_of(over, 1 + cm__point_dot(a, b) + cm__point_dot(b, c) + cm__point_dot(c, a));
}

/* The rim passes the middles of its arcs and the normals between them; the fan starts from a middle, so that even of a
 * flat solid, whose normals are opposite, no two of a triangle's corners are. */
void cm__corner_add_edge(cm__corner_sum *s, cm__point e, cm__point left, cm__point right) {
    mass_arc arc = mass_arc_of(e, left, right);
    if (s->count++ == 0) {
        s->start = arc.middle;
    } else {
        s->solid_angle += solid_angle_of(s->start, s->before, right) + solid_angle_of(s->start, right, arc.middle);
    }
    s->before = arc.middle;
    s->after = left;
    s->first = cm__point_mul_add(s->first, -arc.angle / 2, e);
}

void cm__moments_add_corner(cm__moments *m, cm__point p, const cm__corner_sum *s, double r) {
    double third = r * r * r / 3, fourth = third * r * 3 / 4, fifth = third * r * r * 3 / 5;
    double omega = s->solid_angle + solid_angle_of(s->start, s->before, s->after);
    m->volume += third * omega;
    m->first = cm__point_mul_add(cm__point_mul_add(m->first, third * omega, p), fourth, s->first);
    second_add(m->second, third * omega, p, p);
    second_add(m->second, 2 * fourth, p, s->first);
    for (int k = 0; k < 3; k++) m->second[k] += fifth * omega / 3;
}

void cm__mass_of_moments(const cm__moments *m, cm__point from, double unit, cm__mass_sum *out) {
    double v = m->volume, s[6];
    cm__point c = v > 0 ? cm__point_scale(m->first, 1 / v) : cm__p(0, 0, 0);
    for (int k = 0; k < 6; k++) s[k] = v > 0 ? m->second[k] : 0;
    if (v > 0) second_add(s, -v, c, c);
    out->unit = unit;
    out->volume = v > 0 ? v : 0;
    out->center = cm__point_add(from, c);
    out->inertia[0] = s[1] + s[2], out->inertia[1] = s[2] + s[0], out->inertia[2] = s[0] + s[1];
    for (int k = 3; k < 6; k++) out->inertia[k] = -s[k];
}

/* --- the public face -------------------------------------------------------------------------------------------- */

static double mass_saturate(double x) {
    double most = (double)CM_REAL_MAX;
    return x > most ? most : x < -most ? -most : x;
}

static cm_vec3 mass_vec3_of(double x, double y, double z) {
    return cm__vec3_of(cm__p(mass_saturate(x), mass_saturate(y), mass_saturate(z)));
}

static void mass_write(const cm__mass_sum *sum, double density, cm_mass *out) {
    double u = sum->unit, uuu = u * u * u, t[6];
    for (int k = 0; k < 6; k++) t[k] = mass_saturate(sum->inertia[k] * density * u * u * uuu);
    out->volume = (cm_real)mass_saturate(sum->volume * uuu);
    out->mass = (cm_real)mass_saturate(sum->volume * density * uuu);
    out->center = cm__vec3_of(cm__point_scale(sum->center, u));
    out->inertia.x = cm__vec3_of(cm__p(t[0], t[5], t[4]));
    out->inertia.y = cm__vec3_of(cm__p(t[5], t[1], t[3]));
    out->inertia.z = cm__vec3_of(cm__p(t[4], t[3], t[2]));
}

cm_status cm_shape_mass(const cm_shape *shape, cm_real density, cm_mass *out) {
    cm_status status = cm_shape_check(shape, NULL);
    if (status != CM_OK) return status;
    if (!out || !(density > 0 && density <= CM_REAL_MAX)) return CM_INVALID;
    const cm__shape_ops *ops = cm__ops(shape->kind);
    if (!ops->mass) return CM_UNSUPPORTED;
    cm__mass_sum sum;
    status = ops->mass(shape, &sum);
    if (status == CM_OK) mass_write(&sum, (double)density, out);
    return status;
}

/* inertia += the tensor of mass m at d from the center: m (d.d 1 - d d^T) */
static void mass_shift(cm_mat3 *inertia, double m, cm__point d) {
    double dd = cm__point_dot(d, d);
    cm__point x = cm__point_of(inertia->x), y = cm__point_of(inertia->y), z = cm__point_of(inertia->z);
    inertia->x = mass_vec3_of(x.x + m * (dd - d.x * d.x), x.y - m * (d.x * d.y), x.z - m * (d.x * d.z));
    inertia->y = mass_vec3_of(y.x - m * (d.y * d.x), y.y + m * (dd - d.y * d.y), y.z - m * (d.y * d.z));
    inertia->z = mass_vec3_of(z.x - m * (d.z * d.x), z.y - m * (d.z * d.y), z.z + m * (dd - d.z * d.z));
}

void cm_mass_add(cm_mass *total, const cm_mass *part, const cm_pose *pose) {
    cm__frame r = frame_of_quat(pose->rotation);
    cm__point column[3] = {cm__point_of(part->inertia.x), cm__point_of(part->inertia.y), cm__point_of(part->inertia.z)};
    /* R I R^T, column by column: its column k is R (I (R^T e_k)); by sixteenths, which cannot overflow */
    cm_mat3 turned;
    cm_vec3 *to[3] = {&turned.x, &turned.y, &turned.z};
    for (int k = 0; k < 3; k++) {
        cm__point e = cm__point_scale(frame_unrotate(&r, cm__p(k == 0, k == 1, k == 2)), 1 / 16.0);
        cm__point v = cm__point_add(cm__point_add(cm__point_scale(column[0], e.x), cm__point_scale(column[1], e.y)),
                                    cm__point_scale(column[2], e.z));
        v = frame_rotate(&r, v);
        *to[k] = mass_vec3_of(16 * v.x, 16 * v.y, 16 * v.z);
    }
    cm__point at = cm__point_add(cm__point_of(pose->position), frame_rotate(&r, cm__point_of(part->center)));
    double ma = (double)total->mass, mb = (double)part->mass, m = ma + mb;
    cm__point before = cm__point_of(total->center);
    cm__point center = m > 0 ? cm__point_mul_add(before, mb / m, cm__point_sub(at, before)) : at;
    mass_shift(&total->inertia, ma, cm__point_sub(before, center));
    mass_shift(&turned, mb, cm__point_sub(at, center));
    cm_vec3 *sum[3] = {&total->inertia.x, &total->inertia.y, &total->inertia.z};
    for (int k = 0; k < 3; k++)
        *sum[k] = mass_vec3_of((double)sum[k]->x + (double)to[k]->x, (double)sum[k]->y + (double)to[k]->y,
                               (double)sum[k]->z + (double)to[k]->z);
    total->center = cm__vec3_of(center);
    total->mass = (cm_real)mass_saturate(m);
    total->volume = (cm_real)mass_saturate((double)total->volume + (double)part->volume);
}
