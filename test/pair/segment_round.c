/* Segments and capsules against cylinders and cones in closed form. Every answer is proven on its own, in __float128
 * where there is one: its points lie on the shapes and show the distance, so the cores are no farther apart; the plane
 * across its normal keeps them that far apart, so they are no nearer, or shows that the depth parts them. That no other
 * translation is shorter is tried by descent from directions all over the sphere. Poses are random and such as people
 * make them: axes parallel and crossing, in caps' planes, at rims and the apex, segments without length, concentric. */
#include "math/closest.h"
#include "pair/pair.h"
#include "support/support.h"

#include <math.h>

#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 wide_real;
#else
typedef long double wide_real;
#endif

static wide_real wide_root(wide_real square) {
    if (!(square > 0)) return 0;
    wide_real root = (wide_real)sqrtl((long double)square);
    for (int i = 0; i < 2; i++) root = (root + square / root) / 2;
    return root;
}

typedef struct wide_point {
    wide_real x, y, z;
} wide_point;

static wide_point wide_of(cm__point p) { return (wide_point){(wide_real)p.x, (wide_real)p.y, (wide_real)p.z}; }
static wide_real wide_dot(wide_point a, wide_point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static wide_point wide_sub(wide_point a, wide_point b) { return (wide_point){a.x - b.x, a.y - b.y, a.z - b.z}; }

typedef struct specimen {
    cm_shape a, b; /* segment; cylinder or cone */
    cm_pose pose;  /* B in A's frame */
    double size;
    bool cone;
    wide_real radius, half;
    wide_point turn[3], from, to; /* of B in A's frame: its axes; the segment in B's frame */
} specimen;

/* The turn of a quaternion scaled to length 1, as everything reads it. */
static void specimen_look(specimen *s) {
    const cm_quat q = s->pose.rotation;
    const wide_real x = (wide_real)q.x, y = (wide_real)q.y, z = (wide_real)q.z, w = (wide_real)q.w;
    const wide_real two = 2 / (x * x + y * y + z * z + w * w);
    s->turn[0] = (wide_point){1 - two * (y * y + z * z), two * (x * y + w * z), two * (x * z - w * y)};
    s->turn[1] = (wide_point){two * (x * y - w * z), 1 - two * (x * x + z * z), two * (y * z + w * x)};
    s->turn[2] = (wide_point){two * (x * z + w * y), two * (y * z - w * x), 1 - two * (x * x + y * y)};
    s->cone = s->b.kind == CM_SHAPE_CONE;
    s->radius = (wide_real)(s->cone ? s->b.u.cone.radius : s->b.u.cylinder.radius);
    s->half = (wide_real)(s->cone ? s->b.u.cone.half_height : s->b.u.cylinder.half_height);
    for (int end = 0; end < 2; end++) {
        const cm_vec3 p = end ? s->a.u.segment.b : s->a.u.segment.a, at = s->pose.position;
        const wide_point way = {(wide_real)p.x - (wide_real)at.x, (wide_real)p.y - (wide_real)at.y,
                                (wide_real)p.z - (wide_real)at.z};
        *(end ? &s->to : &s->from) =
            (wide_point){wide_dot(s->turn[0], way), wide_dot(s->turn[1], way), wide_dot(s->turn[2], way)};
    }
}

/* How far the segment's core is from the body's along a direction of A's frame, given from A to B, of any length. */
static wide_real apart_along(const specimen *s, cm__point normal) {
    const wide_point n = wide_of(normal);
    const wide_real length = wide_root(wide_dot(n, n));
    const wide_point m = {wide_dot(s->turn[0], n), wide_dot(s->turn[1], n), wide_dot(s->turn[2], n)};
    const wide_real flat = s->radius * wide_root(m.x * m.x + m.y * m.y), up = s->half * m.z;
    const wide_real high = s->cone ? (-up > flat + up ? -up : flat + up) : flat + (up > 0 ? up : -up);
    const wide_real p = wide_dot(m, s->from), q = wide_dot(m, s->to);
    return (-high - (p > q ? p : q)) / length;
}

/* How far a point of A's frame is out of the body's core: > 0 outside; inside minus the way to its surface. */
static double outside_body(const specimen *s, cm__point at) {
    const wide_point way = wide_sub(wide_of(at), wide_of(cm__point_of(s->pose.position)));
    const wide_real x = wide_dot(s->turn[0], way), y = wide_dot(s->turn[1], way), z = wide_dot(s->turn[2], way);
    const double across = (double)wide_root(x * x + y * y), along = (double)z, r = (double)s->radius,
                 h = (double)s->half;
    if (!s->cone) {
        const double out = across - r, over = fabs(along) - h;
        return out > 0 && over > 0 ? hypot(out, over) : fmax(out, over);
    }
    /* the triangle (0, h), (r, -h), (0, -h): inside it the nearest of side and base, outside the nearest edge */
    const double slope = hypot(r, 2 * h), side = slope > 0 ? (across * 2 * h + (along - h) * r) / slope : across;
    const double t = fmin(fmax(slope > 0 ? ((r - across) * r + (along + h) * 2 * h) / (slope * slope) : 0, 0), 1);
    const double to_side = hypot(across - r * (1 - t), along + h - 2 * h * t);
    const double to_base = hypot(fmax(across - r, 0), along + h);
    if (side <= 0 && along >= -h) return -fmin(to_side, to_base);
    return fmin(to_side, to_base);
}
static double off_segment(const specimen *s, cm__point at) {
    const cm__point from = cm__point_of(s->a.u.segment.a), to = cm__point_of(s->a.u.segment.b);
    return cm__point_length(cm__closest_point_segment(at, from, to).gap);
}

/* The least depth from a start by trying smaller and smaller steps around it. */
static double least_from(const specimen *s, cm__point n, double least) {
    double step = 0.1;
    for (int i = 0; i < 150 && step > 1e-9; i++) {
        const cm__point u = wide_perpendicular(n), v = cm__point_cross(n, u);
        bool better = false;
        for (int k = 0; k < 4 && !better; k++) {
            const cm__point way = k & 1 ? u : v;
            const cm__point m = wide_normalize(cm__point_mul_add(n, k & 2 ? step : -step, way), n);
            const double depth = -(double)apart_along(s, m);
            if (depth < least) least = depth, n = m, better = true;
        }
        step *= better ? 1.4 : 0.5;
    }
    return least;
}
static double least_depth(const specimen *s, int starts) {
    double least = DBL_MAX, best[2] = {DBL_MAX, DBL_MAX};
    cm__point from[2] = {cm__p(1, 0, 0), cm__p(1, 0, 0)};
    for (int i = 0; i < starts; i++) { /* a spiral over the sphere */
        const double z = 1 - (2 * i + 1.0) / starts, flat = sqrt(1 - z * z), angle = 2.399963229728653 * i;
        const cm__point n = cm__p(flat * cos(angle), flat * sin(angle), z);
        const double depth = -(double)apart_along(s, n);
        const int worse = best[0] < best[1];
        if (depth < best[worse]) best[worse] = depth, from[worse] = n;
    }
    for (int i = 0; i < 2; i++) least = fmin(least, least_from(s, from[i], best[i]));
    return least;
}

/* --- specimens --------------------------------------------------------------------------------------------------- */

static cm_real draw_nice(rng *r, double x) {
    static const double steps[] = {0, 0, 0, 0.5, 1, 1, 1, 1.5, 2, 3};
    const double way = steps[rng_below(r, 10)] * x;
    return CM_REAL(rng_below(r, 2) ? way : -way);
}

/* The segment as it lies in the body's frame, which then is turned and moved. */
static void draw_specimen(rng *r, int sample, double size, specimen *s) {
    cm_real radius = CM_REAL(size * rng_range(r, 0.05, 1)), half = CM_REAL(size * rng_range(r, 0.05, 1));
    if (sample % 29 == 0) half = 0;
    if (sample % 31 == 0) radius = 0;
    s->b = sample % 2 ? cm_make_cylinder(radius, half) : cm_make_cone(radius, half);
    s->size = size;
    cm_vec3 from = rng_vec3(r, size), to = rng_vec3(r, size);
    const bool nice = sample % 3 == 0;
    if (nice) { /* on axis, caps, rims, sides and apex, and beside them */
        from = cm_v(draw_nice(r, (double)radius), draw_nice(r, (double)radius), draw_nice(r, (double)half));
        to = cm_v(draw_nice(r, (double)radius), draw_nice(r, (double)radius), draw_nice(r, (double)half));
    }
    const double tiny = size * pow(10, -rng_range(r, 1, 17));
    switch (sample % 11) {
    case 1:
        to = from;
        break;
    case 2:
        to.x = from.x, to.y = from.y;
        break; /* along the axis, */
    case 3:
        to.z = from.z;
        break; /* square to it, */
    case 4:
        to = cm_v(-from.x, -from.y, to.z);
        break; /* through it, */
    case 5:
        to = cm_add(from, cm_v(CM_REAL(tiny), CM_REAL(-tiny / 3), to.z));
        break; /* all but along, */
    case 6:
        to.z = from.z + CM_REAL(tiny);
        break; /* and all but square */
    case 7:
        to = cm_scale(from, CM_REAL(1 + tiny / size));
        break;
    default:
        break;
    }
    s->pose = cm_pose_identity();
    if (sample % 5) { /* else they stay at the numbers that they have in the body's frame */
        s->pose.rotation = rng_rotation(r);
        s->pose.position = rng_vec3(r, size);
        from = cm_pose_apply(&s->pose, from), to = cm_pose_apply(&s->pose, to);
    }
    s->a = cm_make_segment(from, to);
    specimen_look(s);
}

/* --- tests ------------------------------------------------------------------------------------------------------- */

typedef struct tally {
    int apart, deep, short_gaps;
} tally;

/* The cores' gap proves itself; a short one, whose direction is rounding in part, to 4e-12 of the size. Where the
 * general way was asked, its points lie as near as its search ends. */
static void check_cores(const specimen *s, const cm__gap *gap, const cm__gap *general, int sample) {
    const double distance = gap->distance;
    const bool searched = cm__point_equal(gap->a, general->a) && cm__point_equal(gap->b, general->b) &&
                          cm__point_equal(gap->normal, general->normal) && fabs(distance) <= 1e-8 * s->size;
    const bool brief = fabs(distance) <= 1e-9 * s->size;
    const double near = (searched ? 1e-8 : brief ? 4e-12 : 512 * DBL_EPSILON) * s->size;
    const cm__point between = cm__point_sub(gap->b, gap->a);
    const double shown = cm__point_length(cm__point_sub(between, cm__point_scale(gap->normal, distance)));
    check_that(shown <= near, "sample %d: the points show another gap, by %g", sample, shown);
    check_that(off_segment(s, gap->a) <= near, "sample %d: %g off the segment", sample, off_segment(s, gap->a));
    /* where a segment all but touches a rim along its tangent, its place there is known to the square root of rounding
     */
    check_that(fabs(outside_body(s, gap->b)) <= 1e-10 * s->size + near, "sample %d: %g off the body", sample,
               outside_body(s, gap->b));
    const double proof = (double)(apart_along(s, gap->normal) - (wide_real)distance);
    check_that(fabs(proof) <= near, "sample %d: distance %.17g, along its normal %.17g", sample, distance,
               (double)apart_along(s, gap->normal));
}

static void every_answer_is_proven(void **state) {
    (void)state;
    const double sizes[] = {1e-4, 1, 1e6};
    const int count = samples(8000, 2000000);
    tally seen = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        rng r = rng_start("segment and cylinder or cone", 70 + (uint64_t)k);
        for (int i = 0; i < count; i++) {
            specimen s;
            draw_specimen(&r, i, sizes[k], &s);
            const cm__method *method = cm__method_of(s.a.kind, s.b.kind);
            const cm__frame frame = frame_of_pose(&s.pose);
            cm__gap gap, general;
            method->gap(&s.a, &s.b, &frame, &gap);
            assert_int_equal(method->overlap(&s.a, &s.b, &s.pose), gap.distance <= 0);
            cm__method_convex.gap(&s.a, &s.b, &frame, &general);
            check_cores(&s, &gap, &general, i);
            const double careless = 1e-7 * s.size; /* of the general way, whose depths may be too large */
            check_that(gap.distance >= general.distance - (gap.distance > 0 ? careless : 1e-11 * s.size),
                       "sample %d: %.17g, the general way %.17g", i, gap.distance, general.distance);
            if (gap.distance > 0)
                check_that(gap.distance <= general.distance + careless, "sample %d: %.17g, not %.17g", i, gap.distance,
                           general.distance);
            seen.apart += gap.distance > 0, seen.deep += gap.distance < -1e-6 * s.size;
            seen.short_gaps += fabs(gap.distance) <= 1e-10 * s.size;
        }
    }
    check_that(seen.apart > count && 4 * seen.deep > 3 * count && 40 * seen.short_gaps > count,
               "%d apart, %d deep, %d short gaps", seen.apart, seen.deep, seen.short_gaps);
}

static void no_translation_is_shorter(void **state) {
    (void)state;
    rng r = rng_start("least depth", 73);
    int deep = 0;
    for (int i = 0, n = samples(6000, 400000); i < n; i++) {
        specimen s;
        draw_specimen(&r, i, 1, &s);
        const cm__frame frame = frame_of_pose(&s.pose);
        cm__gap gap;
        cm__method_of(s.a.kind, s.b.kind)->gap(&s.a, &s.b, &frame, &gap);
        if (gap.distance > -1e-6) continue;
        deep++;
        const double least = least_depth(&s, 200);
        check_that(-gap.distance <= least + 1e-12, "sample %d: depth %.17g, but %.17g is enough", i, -gap.distance,
                   least);
    }
    check_that(deep > 500 / share(), "%d deep", deep);
}

/* By hand: a cylinder of radius 3 and a cone of radius 3 and slope 4:3, both from z = -2 to 2. */
typedef struct place {
    double from[3], to[3];
    double gap;
    cm__point normal; /* from A to B */
    int points;       /* of the contact of a capsule of radius 1/2 that reaches */
} place;

static void check_places(const cm_shape *b, const place *places, int count) {
    const cm_pose none = cm_pose_identity();
    for (int i = 0; i < count; i++) {
        const place *p = &places[i];
        const cm_vec3 from = cm_v(CM_REAL(p->from[0]), CM_REAL(p->from[1]), CM_REAL(p->from[2]));
        const cm_vec3 to = cm_v(CM_REAL(p->to[0]), CM_REAL(p->to[1]), CM_REAL(p->to[2]));
        const cm_shape segment = cm_make_segment(from, to), capsule = cm_make_capsule(from, to, CM_REAL(0.5));
        const cm__method *method = cm__method_of(segment.kind, b->kind);
        const cm__frame frame = frame_of_pose(&none);
        cm__gap gap;
        method->gap(&segment, b, &frame, &gap);
        check_that(fabs(gap.distance - p->gap) <= 4e-15, "place %d: %.17g, not %.17g", i, gap.distance, p->gap);
        const double off = cm__point_length(cm__point_sub(gap.normal, p->normal));
        check_that(off <= 1e-14, "place %d: normal %g %g %g", i, gap.normal.x, gap.normal.y, gap.normal.z);
        cm_manifold m;
        const int found = method->contact(&capsule, b, &none, 0, &m, 1), want = p->gap <= 0.5 ? p->points : 0;
        check_that(found == (want > 0) && (!found || m.count == want), "place %d: %d manifolds, %d points, not %d", i,
                   found, found ? m.count : 0, want);
        for (int k = 0; found && k < m.count; k++)
            check_that((double)m.points[k].depth <= 0.5 - p->gap + 1e-6 && (double)m.points[k].depth >= -1e-6,
                       "place %d, point %d: depth %g of %g", i, k, (double)m.points[k].depth, 0.5 - p->gap);
    }
}

static void places_at_a_cylinder(void **state) {
    (void)state;
    const double s = sqrt(0.5);
    const place places[] = {
        /* beside it: along the side, square to it, past an end */
        {{4, 0, -1}, {4, 0, 1}, 1, {-1, 0, 0}, 0},
        {{3.25, 0, -1}, {3.25, 0, 1}, 0.25, {-1, 0, 0}, 2},
        {{3.25, -9, 0}, {3.25, 9, 0}, 0.25, {-1, 0, 0}, 1},
        {{5, 0, 0}, {9, 1, 5}, 2, {-1, 0, 0}, 0},
        /* over a cap: flat, one end lower, an end beyond the rim */
        {{-1, 0, 2.25}, {1, 0, 2.25}, 0.25, {0, 0, -1}, 2},
        {{1, 1, -2.25}, {0, 0, -7}, 0.25, {0, 0, 1}, 1},
        {{0, 0, 3}, {9, 0, 3}, 1, {0, 0, -1}, 0},
        /* off the rim: square across it, an end there */
        {{5, 0, 2}, {3, 0, 4}, s * 2, {-s, 0, -s}, 0},
        {{6, 0, 6}, {7, 0, 9}, 5, {-0.6, 0, -0.8}, 0},
        {{3.25, 0, 2.25}, {3.5, 9, 2.5}, s * 0.5, {-s, 0, -s}, 1},
        /* in it: along the axis, the middle, square to the axis beside it, and through it near a cap */
        {{0, 0, -9}, {0, 0, 9}, -3, {-1, 0, 0}, 2},
        {{0, 0, 0}, {0, 0, 0}, -2, {0, 0, -1}, 1},
        {{-9, 2, 0}, {9, 2, 0}, -1, {0, -1, 0}, 1},
        {{-9, 0, 1}, {9, 0, 1}, -1, {0, 0, -1}, 2},
        {{0, 0, 1.5}, {0, 0, 7}, -0.5, {0, 0, -1}, 1},
        /* through side and cap: over the rim */
        {{4, 0, 0.5}, {2.25, 0, 2.25}, -0.5 * s, {-s, 0, -s}, 1},
    };
    const cm_shape b = cm_make_cylinder(3, 2);
    check_places(&b, places, (int)(sizeof places / sizeof places[0]));
}

static void places_at_a_cone(void **state) {
    (void)state;
    const double s = sqrt(0.5);
    const place places[] = {
        /* beside it: along the side, and across */
        {{2.875, 0, 0.25}, {2.125, 0, 1.25}, 1.25, {-0.8, 0, -0.6}, 0},
        {{2.125, 0, -0.3125}, {1.375, 0, 0.6875}, 0.3125, {-0.8, 0, -0.6}, 2},
        {{1.75, -1, 0.1875}, {1.75, 1, 0.1875}, 0.3125, {-0.8, 0, -0.6}, 1},
        /* over the apex, off the rim, under the base */
        {{0, 0, 3}, {1, 0, 4}, 1, {0, 0, -1}, 0},
        {{-2, 0, 2.25}, {2, 0, 2.25}, 0.25, {0, 0, -1}, 1},
        {{6, 0, -6}, {9, 0, -6}, 5, {-0.6, 0, 0.8}, 0},
        {{-1, 0, -2.25}, {1, 0, -2.25}, 0.25, {0, 0, 1}, 2},
        /* in it: the middle, along the axis, square to it near the base, and across near the side */
        {{0, 0, 0}, {0, 0, 0}, -1.2, {-0.8, 0, -0.6}, 1},
        {{0, 0, -9}, {0, 0, 9}, -3, {-1, 0, 0}, 1},
        {{-9, 0, -1}, {9, 0, -1}, -1, {0, 0, 1}, 2},
        {{-9, 0.5, 0}, {9, 0.5, 0}, -0.8, {0, -0.8, -0.6}, 1},
        {{0, 0, -1.5}, {0, 0, -7}, -0.5, {0, 0, 1}, 1},
        /* through side and base: over the rim */
        {{2.25, 0, -2.25}, {4, 0, -0.5}, -0.5 * s, {-s, 0, s}, 1},
    };
    const cm_shape b = cm_make_cone(3, 2);
    check_places(&b, places, (int)(sizeof places / sizeof places[0]));
}

/* A contact of one point is told without the faces where they cannot give more: as many as the general way finds along
 * the same normal, as deep. */
static void contacts_are_those_of_the_faces(void **state) {
    (void)state;
    rng r = rng_start("contacts of segments", 74);
    int many = 0;
    for (int i = 0, n = samples(20000, 2000000); i < n; i++) {
        specimen s;
        draw_specimen(&r, i, 1, &s);
        if (i % 4 == 0) { /* nearly along the side */
            const double lean = rng_range(&r, 0, 0.04), up = s.cone ? 2 * (double)s.half : 1,
                         in = s.cone ? (double)s.radius : 0;
            const cm_vec3 mid = s.a.u.segment.a, along = cm_v(CM_REAL(in), CM_REAL(lean), CM_REAL(-up));
            s.a.u.segment.b = cm_add(mid, cm_rotate(s.pose.rotation, along));
            specimen_look(&s);
        }
        const cm__method *method = cm__method_of(s.a.kind, s.b.kind);
        const cm__frame frame = frame_of_pose(&s.pose);
        cm__gap gap;
        cm_manifold own, faces;
        method->gap(&s.a, &s.b, &frame, &gap);
        const cm_real margin = CM_REAL(cm__most(gap.distance, 0) + rng_range(&r, 0.001, 0.1));
        const int found = method->contact(&s.a, &s.b, &s.pose, margin, &own, 1);
        check_that(found == 1, "sample %d: %d contacts, distance %.17g, margin %.9g", i, found, gap.distance,
                   (double)margin);
        if (fabs(gap.distance) < 1e-10) continue; /* the general way */
        cm__convex_contact_along(&s.a, &s.b, &frame, &gap, margin, &faces);
        check_that(own.count == faces.count, "sample %d: %d points, faces give %d", i, own.count, faces.count);
        cm_real deepest[2] = {-CM_REAL_MAX, -CM_REAL_MAX};
        for (int k = 0; k < own.count; k++) {
            deepest[0] = cm_max(deepest[0], own.points[k].depth);
            deepest[1] = cm_max(deepest[1], faces.points[k].depth);
        }
        check_that(fabs((double)(deepest[0] - deepest[1])) <= 3e-6, "sample %d: depth %.9g, by faces %.9g", i,
                   (double)deepest[0], (double)deepest[1]);
        many += own.count > 1;
    }
    check_that(many > 500, "%d contacts of more than a point", many);
}

/* A segment that grazes the rim of a cone or cylinder, and the same a few ulps beside: what counts as touch has a
 * contact. */
static void what_touches_by_rounding_has_a_contact(void **state) {
    (void)state;
    const cm_shape a = cm_make_segment(cm_v(0, 0, -CM_REAL(1.5)), cm_v(0, 0, CM_REAL(1.5)));
    const cm_pose home = cm_pose_identity();
    int touching = 0;
    for (int i = 0; i < 2 * 9 * 9 * 9; i++) {
        const double eps = (double)CM_REAL_EPSILON, ulps[3] = {i / 2 % 9 - 4, i / 18 % 9 - 4, i / 162 - 4};
        const cm_shape b = i % 2 ? cm_make_cone(1, 1) : cm_make_cylinder(1, 1);
        const cm_pose at = {
            cm_v(CM_REAL(-1 + ulps[0] * eps / 2), CM_REAL(-1 + ulps[1] * eps / 2), CM_REAL(0.5 + ulps[2] * eps / 4)),
            {CM_REAL(0.5 + eps / 2), -CM_REAL(0.5), -CM_REAL(0.5), CM_REAL(0.5 - eps / 2)}};
        const bool overlap = cm_overlap(&a, &home, &b, &at);
        const cm_real distance = cm_distance(&a, &home, &b, &at, CM_REAL_MAX, NULL);
        const int contacts = cm_contact(&a, &home, &b, &at, 0, NULL, 0);
        check_that(overlap == (distance <= 0) && overlap == (contacts > 0), "%d: overlap %d, distance %g, %d contacts",
                   i, overlap, (double)distance, contacts);
        touching += overlap;
    }
    check_that(touching > 100 && touching < 2 * 9 * 9 * 9 - 100, "%d touch", touching);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_answer_is_proven),
        cmocka_unit_test(no_translation_is_shorter),
        cmocka_unit_test(places_at_a_cylinder),
        cmocka_unit_test(places_at_a_cone),
        cmocka_unit_test(contacts_are_those_of_the_faces),
        cmocka_unit_test(what_touches_by_rounding_has_a_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
