/* Convex pairs as people place them: on one another, side by side, flush, concentric, identical, with shared axes,
 * sizes and offsets of few digits, and all of that off by nothing, one or a few last bits. Each pose is asked in both
 * orders, from copies at other addresses, with a cache and with limits; all must say one thing. Distances of polytopes
 * and half-spaces are those of 113-bit arithmetic; of what is curved they are proved by supports and points. */
#include "support/outside.h"
#include "support/solid.h"

#include "oracle/convex.h"

#include <float.h>
#include <math.h>

/* Of the sizes and the offset: what all numbers may be off by. */
#define STANDING_BAND (64 * (double)CM_REAL_EPSILON)
/* Of hulls and support functions (src/convex): in double, needles among the simplices show. Points are known to the
 * root of what the distance is known to. */
#define STANDING_GENERAL       1e-10
#define STANDING_GENERAL_POINT 1e-7
/* Least translations of curved cores are known less well (src/convex/depth.c). */
#define STANDING_CURVED 1e-3

typedef enum body_form {
    FORM_CORE,   /* the core's own kind */
    FORM_CUSTOM, /* the core by its support function alone */
    FORM_GROUND  /* a half-space */
} body_form;

typedef struct body_kind {
    const char *name;
    solid_kind core;
    bool round;
    body_form form;
} body_kind;

static const body_kind body_kinds[] = {
    {"point", SOLID_POINT, false, FORM_CORE},
    {"sphere", SOLID_POINT, true, FORM_CORE},
    {"segment", SOLID_SEGMENT, false, FORM_CORE},
    {"capsule", SOLID_SEGMENT, true, FORM_CORE},
    {"triangle", SOLID_TRIANGLE, false, FORM_CORE},
    {"rounded triangle", SOLID_TRIANGLE, true, FORM_CORE},
    {"box", SOLID_BOX, false, FORM_CORE},
    {"rounded box", SOLID_BOX, true, FORM_CORE},
    {"cylinder", SOLID_CYLINDER, false, FORM_CORE},
    {"rounded cylinder", SOLID_CYLINDER, true, FORM_CORE},
    {"cone", SOLID_CONE, false, FORM_CORE},
    {"rounded cone", SOLID_CONE, true, FORM_CORE},
    {"ellipsoid", SOLID_ELLIPSOID, false, FORM_CORE},
    {"rounded ellipsoid", SOLID_ELLIPSOID, true, FORM_CORE},
    {"hull", SOLID_CLOUD, false, FORM_CORE},
    {"rounded hull", SOLID_CLOUD, true, FORM_CORE},
    {"custom", SOLID_CLOUD, false, FORM_CUSTOM},
    {"custom cylinder", SOLID_CYLINDER, false, FORM_CUSTOM},
    {"half-space", SOLID_POINT, false, FORM_GROUND},
    {"rounded half-space", SOLID_POINT, true, FORM_GROUND},
};
enum { BODY_KINDS = sizeof body_kinds / sizeof *body_kinds };

typedef struct body {
    const body_kind *kind;
    solid core;
    bool is_box; /* a hull with a box's corners */
    cm_hull *hull;
    cm_shape shape;
    cm_pose pose;
} body;

/* --- the generator ------------------------------------------------------------------------------------------------ */

static cm_real nice_number(rng *r) {
    static const double numbers[] = {0.1, 0.25, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 0.7, 0.125, 1.0 / 3};
    return (cm_real)numbers[rng_below(r, sizeof numbers / sizeof *numbers)];
}

static cm_vec3 nice_half(rng *r) {
    cm_vec3 h = cm_v(nice_number(r), nice_number(r), nice_number(r));
    uint32_t which = rng_below(r, 12);
    if (which == 0) h.z = 0;
    if (which == 1) h.x = 0;
    if (which < 5) h.y = h.x;
    if (which == 2) h.z = h.x;
    if (which == 5) h.z *= CM_REAL(1e-3);
    if (which == 6) h.x *= 100, h.y *= 100;
    return h;
}

static cm_vec3 nice_point(rng *r, cm_vec3 h) {
    static const cm_real at[] = {-1, 0, 1, 1, -1};
    return cm_v(h.x * at[rng_below(r, 5)], h.y * at[rng_below(r, 5)], h.z * at[rng_below(r, 5)]);
}

/* Boxes, octahedra, wedges and prisms: their corners are few digits too. */
static void cloud_corners(body *b, cm_vec3 h, rng *r) {
    solid *s = &b->core;
    uint32_t which = rng_below(r, 4);
    b->is_box = which < 2;
    if (h.x > 0 && h.y > 0 && h.z > 0 && which == 2) {
        for (int i = 0; i < 6; i++) {
            cm_vec3 p = cm_v(0, 0, 0);
            ((cm_real *)&p)[i / 2] = i & 1 ? ((cm_real *)&h)[i / 2] : -((cm_real *)&h)[i / 2];
            s->point[s->count++] = p;
        }
        return;
    }
    if (which >= 2) b->is_box = false;
    for (int i = 0; i < 8; i++) {
        if (!b->is_box && (i == 5 || i == 7)) continue; /* without the upper edge of one side: a wedge */
        s->point[s->count++] = cm_v(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
    }
}

static void custom_support(const void *user, const double d[3], double point[3]) {
    const solid *s = user;
    double across = sqrt(d[0] * d[0] + d[1] * d[1]), best = -HUGE_VAL;
    if (s->kind == SOLID_CYLINDER) {
        double scale = across > 0 ? (double)s->size.x / across : 0;
        point[0] = d[0] * scale, point[1] = d[1] * scale;
        point[2] = d[2] >= 0 ? (double)s->size.y : -(double)s->size.y;
        return;
    }
    for (int i = 0; i < s->count; i++) {
        const double p[3] = {(double)s->point[i].x, (double)s->point[i].y, (double)s->point[i].z};
        double along = p[0] * d[0] + p[1] * d[1] + p[2] * d[2];
        if (along > best) best = along, memcpy(point, p, sizeof p);
    }
}

static void body_core(body *b, rng *r) {
    solid *s = &b->core;
    cm_vec3 h = nice_half(r);
    memset(s, 0, offsetof(solid, side));
    s->kind = b->kind->core;
    s->size = h;
    switch (s->kind) {
    case SOLID_POINT:
        s->count = 1;
        s->point[0] = rng_below(r, 2) ? cm_v(0, 0, 0) : nice_point(r, h);
        break;
    case SOLID_SEGMENT:
        s->count = 2;
        s->point[0] = rng_below(r, 2) ? cm_v(0, 0, -h.z) : nice_point(r, h);
        s->point[1] = rng_below(r, 2) ? cm_neg(s->point[0]) : nice_point(r, h);
        break;
    case SOLID_TRIANGLE:
        s->count = 3;
        for (int i = 0; i < 3; i++) s->point[i] = nice_point(r, h);
        break;
    case SOLID_BOX:
        s->count = 8;
        for (int i = 0; i < 8; i++) s->point[i] = cm_v(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
        break;
    case SOLID_CLOUD:
        cloud_corners(b, h, r);
        break;
    default:
        break;
    }
    solid_features(s);
}

static void body_make(body *b, const body_kind *kind, rng *r) {
    b->kind = kind;
    b->hull = NULL;
    b->is_box = false;
    body_core(b, r);
    solid *s = &b->core;
    if (kind->form == FORM_GROUND) {
        static const cm_real axes[6][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 0, -1}, {0, 0, 1}};
        const cm_real *n = axes[rng_below(r, 6)];
        cm_vec3 normal = rng_below(r, 4) ? cm_v(n[0], n[1], n[2]) : rng_direction(r);
        b->shape = cm_make_halfspace(normal, rng_below(r, 2) ? 0 : nice_number(r));
    } else if (kind->form == FORM_CUSTOM) {
        b->shape = cm_make_custom(custom_support, s, cm_v(0, 0, 0), cm_length(s->size) * 2 + s->size.x);
    } else {
        b->shape = solid_shape(s, &b->hull);
    }
    b->shape.radius = kind->round ? nice_number(r) / 2 : 0;
    s->radius = b->shape.radius;
}

static cm_quat turn_about(int axis, double angle) {
    cm_vec3 n = cm_v(axis == 0, axis == 1, axis == 2);
    double s = sin(angle / 2);
    cm_quat q = {(cm_real)(s * (double)n.x), (cm_real)(s * (double)n.y), (cm_real)(s * (double)n.z),
                 (cm_real)cos(angle / 2)};
    return q;
}

static cm_quat cube_turn(rng *r) {
    const double quarter = 1.5707963267948966;
    cm_quat q = turn_about(2, quarter * rng_below(r, 4));
    return cm_quat_normalize(cm_quat_mul(turn_about((int)rng_below(r, 2), quarter * rng_below(r, 4)), q));
}

/* The turn of B against A's. */
static cm_quat shared_turn(rng *r) {
    switch (rng_below(r, 8)) {
    case 0:
    case 1:
    case 2:
        return cm_quat_identity();
    case 3:
        return cube_turn(r);
    case 4:
        return turn_about((int)rng_below(r, 3), 0.26179938779914943 * rng_below(r, 24));
    case 5:
    case 6:
        return turn_about((int)rng_below(r, 3), rng_range(r, 0, 6.2831853));
    default:
        return rng_rotation(r);
    }
}

static cm_real off_by(cm_real x, rng *r) {
    switch (rng_below(r, 6)) {
    case 0:
        return x + x * CM_REAL_EPSILON;
    case 1:
        return x - x * CM_REAL_EPSILON;
    case 2:
        return x + x * CM_REAL_EPSILON * (cm_real)((int)rng_below(r, 17) - 8);
    case 3:
        return x + (cm_real)rng_log_range(r, 1e-7, 1e-2) * (rng_below(r, 2) ? 1 : -1);
    default:
        return x;
    }
}

/* How far the body reaches along its own or the world's axis i, up or down. */
static cm_real body_reach(const body *b, int i, int sign) {
    if (b->kind->form == FORM_GROUND) return 0;
    wide3 n = w3((i == 0) * sign, (i == 1) * sign, (i == 2) * sign);
    return (cm_real)(solid_reach(&b->core, n));
}

/* Where B's origin goes in A's frame: touching from outside or flush from inside, or in the middle, on each axis. */
static cm_vec3 standing_offset(const body *a, const body *b, rng *r) {
    cm_vec3 at;
    int stand = (int)rng_below(r, 4); /* the axis along which one stands on the other; none */
    for (int i = 0; i < 3; i++) {
        int sign = rng_below(r, 2) ? 1 : -1;
        cm_real touch = body_reach(a, i, sign) + body_reach(b, i, -sign);
        cm_real flush = body_reach(a, i, sign) - body_reach(b, i, sign);
        uint32_t which = i == stand ? 0 : 1 + rng_below(r, 6);
        cm_real x = which == 0   ? (cm_real)sign * touch
                    : which == 1 ? (cm_real)sign * flush
                    : which == 2 ? (cm_real)sign * nice_number(r)
                    : which == 3 ? (cm_real)sign * (touch - nice_number(r))
                    : which == 4 ? (cm_real)rng_range(r, -1, 1) * touch
                                 : 0;
        ((cm_real *)&at)[i] = off_by(x, r);
    }
    return at;
}

static void body_place(body *b, const cm_pose *pose) {
    b->pose = *pose;
    solid_place(&b->core, pose->rotation, w3_of_vec3(pose->position));
}

static void standing_pair(body *a, body *b, const body_kind *ka, const body_kind *kb, rng *r) {
    cm_pose home = cm_pose_identity(), there;
    body_make(a, ka, r);
    bool same = ka == kb && rng_below(r, 8) == 0;
    rng again = *r;
    body_make(b, kb, r);
    if (same) { /* the same body twice */
        rng twice = again;
        cm_hull_destroy(a->hull, NULL);
        body_make(a, ka, &twice);
    }
    there.position = cm_v(0, 0, 0);
    there.rotation = shared_turn(r);
    body_place(a, &home), body_place(b, &there);
    there.position = standing_offset(a, b, r);
    if (same && rng_below(r, 2)) there = home;
    /* the frame that both share; often the world's own */
    cm_pose frame = home;
    if (rng_below(r, 3) == 0)
        frame.position = rng_below(r, 2) ? rng_vec3(r, 10) : cm_v(nice_number(r), nice_number(r), nice_number(r));
    if (rng_below(r, 3) == 0) frame.rotation = rng_below(r, 2) ? rng_rotation(r) : cube_turn(r);
    there.position = cm_pose_apply(&frame, there.position);
    there.rotation = cm_quat_normalize(cm_quat_mul(frame.rotation, there.rotation));
    if (same && cm_length(cm_sub(there.position, frame.position)) == 0) there = frame;
    if (rng_below(r, 4) == 0) {
        for (int i = 0; i < 3; i++) ((cm_real *)&there.position)[i] = off_by(((cm_real *)&there.position)[i], r);
    }
    body_place(a, &frame), body_place(b, &there);
}

static void body_free(body *b) { cm_hull_destroy(b->hull, NULL); }

/* --- what all queries must agree on ------------------------------------------------------------------------------- */

static const char *const said[] = {"overlap",
                                   "distance",
                                   "distance within 0",
                                   "contact",
                                   "overlap, swapped",
                                   "distance, swapped",
                                   "distance within 0, swapped",
                                   "contact, swapped",
                                   "contact counted only",
                                   "overlap from a cache",
                                   "distance from a cache",
                                   "contact from a cache",
                                   "overlap from the cache of the other order",
                                   "contact from the cache of the other order",
                                   "contact, swapped at another address",
                                   "overlap at another address"};
enum { SAID = sizeof said / sizeof *said };

/* Shapes and poses side by side, the second first. */
typedef struct copies {
    cm_shape b, a;
    cm_pose pose_b, pose_a;
} copies;

static unsigned all_say(const body *a, const body *b, cm_real *d, cm_real *back, cm_witness *w) {
    const cm_shape *sa = &a->shape, *sb = &b->shape;
    const cm_pose *pa = &a->pose, *pb = &b->pose;
    cm_manifold m[2];
    cm_pair_cache cache = {0};
    unsigned yes = 0, at = 0;
    copies c = {b->shape, a->shape, b->pose, a->pose};
    *d = cm_distance(sa, pa, sb, pb, CM_REAL_MAX, w);
    *back = cm_distance(sb, pb, sa, pa, CM_REAL_MAX, NULL);
#define SAY(what) yes |= (unsigned)(what) << at++
    SAY(cm_overlap(sa, pa, sb, pb));
    SAY(*d <= 0);
    SAY(cm_distance(sa, pa, sb, pb, 0, NULL) <= 0);
    SAY(cm_contact(sa, pa, sb, pb, 0, m, 2) > 0);
    SAY(cm_overlap(sb, pb, sa, pa));
    SAY(*back <= 0);
    SAY(cm_distance(sb, pb, sa, pa, 0, NULL) <= 0);
    SAY(cm_contact(sb, pb, sa, pa, 0, m, 2) > 0);
    SAY(cm_contact(sa, pa, sb, pb, 0, NULL, 0) > 0);
    cm_overlap_cached(sa, pa, sb, pb, &cache);
    SAY(cm_overlap_cached(sa, pa, sb, pb, &cache));
    SAY(cm_distance_cached(sa, pa, sb, pb, CM_REAL_MAX, &cache, NULL) <= 0);
    SAY(cm_contact_cached(sa, pa, sb, pb, 0, &cache, m, 2) > 0);
    SAY(cm_overlap_cached(sb, pb, sa, pa, &cache));
    SAY(cm_contact_cached(sb, pb, sa, pa, 0, &cache, m, 2) > 0);
    SAY(cm_contact(&c.b, &c.pose_b, &c.a, &c.pose_a, 0, m, 2) > 0);
    SAY(cm_overlap(&c.a, &c.pose_a, &c.b, &c.pose_b));
#undef SAY
    return yes;
}

static double body_size(const body *b) {
    if (b->kind->form == FORM_GROUND) return (double)b->shape.radius + fabs((double)b->shape.u.halfspace.d);
    double most = (double)cm_largest(b->core.size);
    for (int i = 0; i < b->core.count; i++) most = fmax(most, (double)cm_largest(b->core.point[i]));
    return 2 * most + (double)b->shape.radius;
}

typedef struct standing {
    body a, b;
    double scale;
    char text[300];
    const char *fault;
} standing;

#define STANDING_FAULT(s, what, ...)                                                                                   \
    do {                                                                                                               \
        if (!(s)->fault) (s)->fault = what, snprintf((s)->text, sizeof(s)->text, __VA_ARGS__);                         \
    } while (0)

static void judge_agreement(standing *s, cm_real *d, cm_witness *w) {
    cm_real back;
    unsigned yes = all_say(&s->a, &s->b, d, &back, w);
    for (unsigned i = 1; i < SAID; i++)
        if ((yes >> i & 1) != (yes & 1))
            STANDING_FAULT(s, "queries disagree",
                           "overlap %u, but not so: %s; distance " REAL_FORMAT " and " REAL_FORMAT, yes & 1, said[i],
                           (double)*d, (double)back);
    if (*d != back) STANDING_FAULT(s, "distance under swap", REAL_FORMAT " and " REAL_FORMAT, (double)*d, (double)back);
    if (!(*d > 0 && *d < CM_REAL_MAX)) return;
    cm_manifold m;
    const cm_shape *sa = &s->a.shape, *sb = &s->b.shape;
    cm_real band = CM_REAL(STANDING_BAND * s->scale), more = *d + band, less = *d - band;
    if (less >= 0 && cm_contact(sa, &s->a.pose, sb, &s->b.pose, less, &m, 1))
        STANDING_FAULT(s, "contact beyond its margin", "distance %g, margin %g", (double)*d, (double)less);
    if (!cm_contact(sa, &s->a.pose, sb, &s->b.pose, more, &m, 1))
        STANDING_FAULT(s, "no contact within its margin", "distance %g, margin %g", (double)*d, (double)more);
}

/* --- what is true ------------------------------------------------------------------------------------------------- */

static bool body_is_general(const body *b) {
    return b->kind->form == FORM_CUSTOM || (b->kind->form == FORM_CORE && b->core.kind >= SOLID_CLOUD);
}

/* A box that is a line or a rectangle, or a triangle that is a line, has too few faces and edges for the oracle: those
 * are proved. */
static bool body_has_oracle(const body *b) {
    if (b->kind->form == FORM_GROUND) return true;
    if (b->core.kind == SOLID_BOX || b->is_box) return b->core.size.x > 0 && b->core.size.y > 0 && b->core.size.z > 0;
    return solid_is_polytope(&b->core) && b->core.kind != SOLID_CLOUD && (b->core.count < 3 || b->core.faces > 0);
}
static oracle_body body_oracle(const body *b) {
    cm_shape box = cm_make_box(b->core.size);
    box.radius = b->shape.radius;
    return oracle_body_of(b->is_box ? &box : &b->shape, &b->pose);
}

static void judge_by_oracle(standing *s, cm_real d) {
    oracle_body a = body_oracle(&s->a), b = body_oracle(&s->b);
    double want = (double)oracle_distance(&a, &b);
    bool general = body_is_general(&s->a) || body_is_general(&s->b);
    if (!(fabs((double)d - want) <= (STANDING_BAND + (general ? STANDING_GENERAL : 0)) * (s->scale + fabs(want))))
        STANDING_FAULT(s, "distance", REAL_FORMAT " for %.17g", (double)d, want);
}

static long double ground_separation(const body *ground, const body *other) {
    oracle_body g = body_oracle(ground);
    wide3 n = w3((long double)g.normal.x, (long double)g.normal.y, (long double)g.normal.z);
    return -solid_reach(&other->core, w3_scale(n, -1)) - (long double)g.level - (long double)ground->shape.radius;
}

/* Apart: the normal proves the distance from below, the points from above. Overlapping: no axis of the many that are
 * likely parts them with less. */
static void judge_by_proof(standing *s, cm_real d, const cm_witness *w, rng *r) {
    const solid *a = &s->a.core, *b = &s->b.core;
    long double band = (long double)(STANDING_BAND * s->scale), dd = (long double)d;
    bool curved = !solid_is_polytope(a) || !solid_is_polytope(b);
    if (s->b.kind->form == FORM_GROUND || s->a.kind->form == FORM_GROUND) {
        bool second = s->b.kind->form == FORM_GROUND;
        long double want = ground_separation(second ? &s->b : &s->a, second ? &s->a : &s->b);
        if (!(fabsl(dd - want) <= band)) STANDING_FAULT(s, "distance", REAL_FORMAT " for %.17Lg", (double)d, want);
        return;
    }
    wide3 n = w3_unit(w3_of_vec3(w->normal)), axis;
    long double along = solid_separation(a, b, n);
    /* the direction between points of the cores is known no better than their places are, over how far they are apart
     */
    long double cores = dd + (long double)a->radius + (long double)b->radius;
    long double lever = cores > 0 ? (long double)(64 * DBL_EPSILON * s->scale * s->scale) / cores : 0;
    if (!(along - dd <= band + (curved ? 1e-9L * (long double)s->scale : 0) &&
          dd - along <= band + lever + (curved ? 1e-9L * (long double)s->scale : 0)))
        STANDING_FAULT(s, "proof", REAL_FORMAT " but %.17Lg along the normal", (double)d, along);
    wide3 on_a = w3_of_vec3(w->point_a), on_b = w3_of_vec3(w->point_b);
    wide3 core_a = w3_sub(on_a, w3_scale(n, (long double)a->radius));
    wide3 core_b = w3_add(on_b, w3_scale(n, (long double)b->radius));
    long double off = fmaxl(solid_core_outside(a, core_a), solid_core_outside(b, core_b));
    off = fmaxl(off, w3_length(w3_sub(w3_sub(on_b, on_a), w3_scale(n, dd))));
    if (body_is_general(&s->a) || body_is_general(&s->b)) band += (long double)(STANDING_GENERAL_POINT * s->scale);
    if (!(off <= band + (curved ? (long double)(STANDING_CURVED * s->scale) : 0)))
        STANDING_FAULT(s, "points", "off by %Lg at distance %g", off, (double)d);
    if (d > 0) return;
    long double best = curved ? solid_search_axis(a, b, n, 2, r, &axis) : solid_best_axis(a, b, HUGE_VALL, &axis);
    if (!(best <= dd + band + (curved ? (long double)(STANDING_CURVED * s->scale) : 0)))
        STANDING_FAULT(s, "least translation", REAL_FORMAT " but %.17Lg along another axis", (double)d, best);
}

static void judge_standing(standing *s, rng *r) {
    cm_real d;
    cm_witness w;
    s->fault = NULL;
    s->scale = body_size(&s->a) + body_size(&s->b) + (double)cm_length(cm_sub(s->b.pose.position, s->a.pose.position)) +
               (double)cm_length(s->a.pose.position) / 8;
    judge_agreement(s, &d, &w);
    if (s->a.kind->form == FORM_GROUND && s->b.kind->form == FORM_GROUND) return; /* nearly opposite normals */
    if (body_has_oracle(&s->a) && body_has_oracle(&s->b))
        judge_by_oracle(s, d);
    else
        judge_by_proof(s, d, &w, r);
}

static void print_vec3(const char *what, cm_vec3 v) {
    print_error(" %s " REAL_FORMAT " " REAL_FORMAT " " REAL_FORMAT, what, (double)v.x, (double)v.y, (double)v.z);
}
static void print_body(const body *b) {
    cm_quat q = b->pose.rotation;
    print_error("    %s, radius " REAL_FORMAT, b->kind->name, (double)b->shape.radius);
    print_vec3("size", b->core.size);
    print_vec3("at", b->pose.position);
    print_vec3("turned", cm_v(q.x, q.y, q.z));
    print_error(" " REAL_FORMAT "\n", (double)q.w);
    for (int i = 0; i < b->core.count; i++) print_vec3(i ? "," : "     ", b->core.point[i]);
    print_error("\n");
}

static void standing_pairs_agree_and_are_true(void **state) {
    (void)state;
    static standing s;
    rng r = rng_start("standing", 15);
    const char *only = getenv("CAROM_PAIR");
    long bad = 0, cases = 0, overlapping = 0;
    int each = samples(150, 10000);
    for (int i = 0; i < BODY_KINDS; i++) {
        for (int j = i; j < BODY_KINDS; j++) {
            long faults = 0;
            char name[100];
            snprintf(name, sizeof name, "%s x %s", body_kinds[i].name, body_kinds[j].name);
            if (only && strcmp(only, name) != 0) continue;
            for (int k = 0; k < each; k++) {
                bool turned = rng_below(&r, 2);
                standing_pair(&s.a, &s.b, &body_kinds[turned ? j : i], &body_kinds[turned ? i : j], &r);
                judge_standing(&s, &r);
                cases++;
                overlapping += cm_overlap(&s.a.shape, &s.a.pose, &s.b.shape, &s.b.pose);
                if (s.fault && faults++ < 3) {
                    print_error("  %s, number %d: %s: %s\n", name, k, s.fault, s.text);
                    print_body(&s.a), print_body(&s.b);
                }
                body_free(&s.a), body_free(&s.b);
            }
            if (faults) print_error("%s: %ld of %d\n", name, faults, each);
            bad += faults;
        }
    }
    print_message("  %ld cases, %ld overlapping; %ld are wrong\n", cases, overlapping, bad);
    check_that(bad == 0, "%ld of %ld", bad, cases);
    check_that(only || (overlapping > cases / 5 && overlapping < cases / 5 * 4), "%ld of %ld overlap", overlapping,
               cases);
}

/* A box over another, turned about the axis that they share, with a point of the plan in common: the gap is the height,
 * also where the plans cross without a corner of one in the other. */
static void stacked_boxes_are_apart_by_their_height(void **state) {
    (void)state;
    rng r = rng_start("stacked", 16);
    long crossing = 0, cases = 0;
    for (int i = 0; i < samples(20000, 1000000); i++) {
        int up = (int)rng_below(&r, 3), u = (up + 1) % 3, v = (up + 2) % 3;
        cm_vec3 h[2], common[2], offset;
        for (int k = 0; k < 2; k++) {
            h[k] = cm_v(nice_number(&r), nice_number(&r), nice_number(&r));
            if (rng_below(&r, 2)) ((cm_real *)&h[k])[rng_below(&r, 2) ? u : v] *= 8;
            common[k] = cm_v(0, 0, 0);
            ((cm_real *)&common[k])[u] = ((cm_real *)&h[k])[u] * CM_REAL(rng_range(&r, -1, 1));
            ((cm_real *)&common[k])[v] = ((cm_real *)&h[k])[v] * CM_REAL(rng_range(&r, -1, 1));
        }
        cm_real gap = CM_REAL(rng_log_range(&r, 1e-5, 1));
        cm_quat turn = turn_about(up, rng_range(&r, 0, 6.2831853));
        offset = cm_sub(common[0], cm_rotate(turn, common[1]));
        ((cm_real *)&offset)[up] =
            (((cm_real *)&h[0])[up] + ((cm_real *)&h[1])[up] + gap) * (rng_below(&r, 2) ? 1 : -1);
        cm_shape a = cm_make_box(h[0]), b = cm_make_box(h[1]);
        cm_pose home = cm_pose_identity(), there = {offset, turn};
        double size = (double)(cm_length(h[0]) + cm_length(h[1]) + cm_length(offset));
        cm_real d = cm_distance(&a, &home, &b, &there, CM_REAL_MAX, NULL);
        check_that(fabs((double)(d - gap)) <= STANDING_BAND * size,
                   "case %d: distance " REAL_FORMAT " for " REAL_FORMAT, i, (double)d, (double)gap);
        a.radius = gap * CM_REAL(1.01) + CM_REAL(STANDING_BAND * size);
        check_that(cm_overlap(&a, &home, &b, &there), "case %d: rounded by more than the gap of %g", i, (double)gap);
        bool corner = false;
        for (int k = 0; k < 8; k++) { /* any corner of one over the other? */
            cm_vec3 c = cm_v(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
            cm_vec3 on_b = cm_pose_unapply(&there, cm_v(c.x * h[0].x, c.y * h[0].y, c.z * h[0].z));
            cm_vec3 on_a = cm_pose_apply(&there, cm_v(c.x * h[1].x, c.y * h[1].y, c.z * h[1].z));
            corner = corner ||
                     (cm_abs(((cm_real *)&on_b)[u]) < ((cm_real *)&h[1])[u] &&
                      cm_abs(((cm_real *)&on_b)[v]) < ((cm_real *)&h[1])[v]) ||
                     (cm_abs(((cm_real *)&on_a)[u]) < ((cm_real *)&h[0])[u] &&
                      cm_abs(((cm_real *)&on_a)[v]) < ((cm_real *)&h[0])[v]);
        }
        cases++, crossing += !corner;
    }
    print_message("  %ld of %ld cross\n", crossing, cases);
    check_that(crossing > cases / 100, "%ld of %ld", crossing, cases);
}

/* Lines through each other, as segments and as triangles without area, one of them rounded: the way out is square to
 * both, and as long as the radius. */
static void lines_through_each_other_part_square_to_both(void **state) {
    (void)state;
    rng r = rng_start("lines", 17);
    for (int i = 0; i < samples(20000, 1000000); i++) {
        cm_vec3 half[2];
        cm_shape s[2];
        for (int k = 0; k < 2; k++) {
            half[k] = rng_below(&r, 2) ? rng_vec3(&r, 1) : nice_point(&r, cm_v(nice_number(&r), nice_number(&r), 1));
            if (!(cm_length(half[k]) > CM_REAL(0.1))) half[k] = cm_v(0, 0, nice_number(&r));
            cm_vec3 from = cm_neg(half[k]), to = half[k];
            uint32_t twice = rng_below(&r, 3);
            s[k] = rng_below(&r, 2) ? cm_make_segment(from, to)
                                    : cm_make_triangle(from, twice ? to : from, twice == 1 ? from : to);
        }
        s[0].radius = nice_number(&r);
        cm_pose at = {cm_v(0, 0, 0), rng_rotation(&r)}, other = {at.position, rng_rotation(&r)};
        if (rng_below(&r, 2)) at.rotation = other.rotation = cm_quat_identity();
        if (rng_below(&r, 2)) at.position = other.position = rng_vec3(&r, 1);
        cm_witness w;
        cm_real d = cm_distance(&s[0], &at, &s[1], &other, CM_REAL_MAX, &w);
        double along = 0, bound = 1e4 * (double)CM_REAL_EPSILON;
        along = fmax(along, fabs((double)cm_dot(w.normal, cm_rotate(at.rotation, half[0]))));
        along = fmax(along, fabs((double)cm_dot(w.normal, cm_rotate(other.rotation, half[1]))));
        double size = (double)(cm_length(half[0]) + cm_length(half[1]) + cm_length(at.position) + s[0].radius);
        check_that(fabs((double)(d + s[0].radius)) <= STANDING_BAND * size, "case %d: distance %g, radius %g", i,
                   (double)d, (double)s[0].radius);
        check_that(along <= bound, "case %d: %s and %s part along one of them by %g", i, cm_kind_name(s[0].kind),
                   cm_kind_name(s[1].kind), along);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(standing_pairs_agree_and_are_true),
                                       cmocka_unit_test(stacked_boxes_are_apart_by_their_height),
                                       cmocka_unit_test(lines_through_each_other_part_square_to_both)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
