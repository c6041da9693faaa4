/* See body.h. */
#include "support/body.h"

#include "support/solids.h"

#include <math.h>

const char *const body_names[BODY_KINDS] = {
#define BODY_NAME(name, text) text,
    BODY_LIST(BODY_NAME)
#undef BODY_NAME
};

wide3 w3_of_vec3(cm_vec3 v) { return w3((long double)v.x, (long double)v.y, (long double)v.z); }

static solid_kind core_kind(body_kind kind) {
    switch (kind) {
    case BODY_POINT:
    case BODY_SPHERE:
        return SOLID_POINT;
    case BODY_SEGMENT:
    case BODY_CAPSULE:
        return SOLID_SEGMENT;
    case BODY_BOX:
    case BODY_ROUNDED_BOX:
        return SOLID_BOX;
    case BODY_CYLINDER:
        return SOLID_CYLINDER;
    case BODY_CONE:
        return SOLID_CONE;
    case BODY_ELLIPSOID:
        return SOLID_ELLIPSOID;
    case BODY_HULL:
    case BODY_ROUNDED_HULL:
        return SOLID_CLOUD;
    default:
        return SOLID_TRIANGLE;
    }
}
static bool kind_is_round(body_kind kind) {
    return kind == BODY_SPHERE || kind == BODY_CAPSULE || kind == BODY_ROUNDED_TRIANGLE || kind == BODY_ROUNDED_BOX ||
           kind == BODY_ROUNDED_HULL;
}

/* A library shape for a convex solid; hulls are built. */
static void shape_of_solid(body *b, const solid *s) {
    cm_vec3 h = s->size;
    switch (s->kind) {
    case SOLID_POINT:
        b->shape = cm_make_point(s->point[0]);
        break;
    case SOLID_SEGMENT:
        b->shape = cm_make_segment(s->point[0], s->point[1]);
        break;
    case SOLID_TRIANGLE:
        b->shape = cm_make_triangle(s->point[0], s->point[1], s->point[2]);
        break;
    case SOLID_BOX:
        b->shape = cm_make_box(h);
        break;
    case SOLID_CYLINDER:
        b->shape = cm_make_cylinder(h.x, h.y);
        break;
    case SOLID_CONE:
        b->shape = cm_make_cone(h.x, h.y);
        break;
    case SOLID_ELLIPSOID:
        b->shape = cm_make_ellipsoid(h);
        break;
    default: {
        cm_hull *hull = NULL;
        cm_hull_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.points = &s->point[0].x;
        desc.point_count = (uint32_t)s->count;
        assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
        b->owned = hull;
        b->shape = cm_make_hull(hull);
    }
    }
    b->shape.radius = s->radius;
}

static void add_triangle(body *b, cm_vec3 p, cm_vec3 q, cm_vec3 t) {
    solid *s = &b->piece[b->count++];
    memset(s, 0, sizeof *s);
    s->kind = SOLID_TRIANGLE;
    s->count = 3;
    s->point[0] = p, s->point[1] = q, s->point[2] = t;
    s->turn[0] = w3(1, 0, 0), s->turn[1] = w3(0, 1, 0), s->turn[2] = w3(0, 0, 1);
    solid_features(s);
}

static void build_mesh(body *b, bool is_solid) {
    cm_vec3 corners[3 * BODY_PIECES];
    for (int i = 0; i < b->count; i++)
        for (int k = 0; k < 3; k++) corners[3 * i + k] = b->piece[i].point[k];
    cm_mesh_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.points = &corners[0].x;
    desc.point_count = (uint32_t)(3 * b->count);
    desc.solid = is_solid;
    cm_mesh *mesh = NULL;
    assert_int_equal(cm_mesh_build(&desc, NULL, &mesh, NULL), CM_OK);
    b->owned = mesh;
    b->shape = cm_make_mesh(mesh);
}

/* A fan of triangles around a corner: connected, not flat. */
static void random_surface(body *b, double size, rng *r) {
    int count = 3 + (int)rng_below(r, 4);
    cm_vec3 tip = rng_vec3(r, 0.3 * size), rim[8];
    for (int i = 0; i <= count; i++) {
        double angle = 0.9 * i;
        rim[i] = cm_v(CM_REAL(size * cos(angle)), CM_REAL(size * sin(angle)), CM_REAL(size * rng_range(r, -0.5, 0.5)));
    }
    for (int i = 0; i < count; i++) add_triangle(b, tip, rim[i], rim[i + 1]);
    build_mesh(b, false);
}

/* A double pyramid: a convex solid, so that one solid says what is within. */
static void random_solid_mesh(body *b, double size, rng *r) {
    int count = 3 + (int)rng_below(r, 3);
    cm_vec3 rim[6], top = cm_v(0, 0, CM_REAL(size * rng_range(r, 0.3, 1))), low = cm_v(0, 0, -top.z);
    solid *s = &b->within;
    memset(s, 0, sizeof *s);
    s->kind = SOLID_CLOUD;
    for (int i = 0; i < count; i++) {
        double angle = 6.283185307179586 * i / count;
        rim[i] = cm_v(CM_REAL(size * cos(angle)), CM_REAL(size * sin(angle)), 0);
        s->point[s->count++] = rim[i];
    }
    s->point[s->count++] = top, s->point[s->count++] = low;
    solid_features(s);
    b->has_within = true;
    for (int i = 0; i < count; i++) {
        add_triangle(b, rim[i], rim[(i + 1) % count], top);
        add_triangle(b, rim[(i + 1) % count], rim[i], low);
    }
    build_mesh(b, true);
}

void body_random(body *b, body_kind kind, double size, rng *r) {
    memset(b, 0, sizeof *b);
    b->kind = kind;
    cm_pose none = cm_pose_identity();
    if (kind == BODY_HALFSPACE) {
        cm_vec3 n = rng_direction(r);
        cm_real d = CM_REAL(size * rng_range(r, -1, 1));
        b->shape = cm_make_halfspace(n, d);
        b->normal = w3_of_vec3(n);
        b->d = (long double)d / w3_length(b->normal);
        b->normal = w3_unit(b->normal);
    } else if (kind == BODY_MESH) {
        random_surface(b, size, r);
    } else if (kind == BODY_SOLID_MESH) {
        random_solid_mesh(b, size, r);
    } else {
        solid *s = &b->piece[0];
        solid_random(s, core_kind(kind), 0, size, r);
        if (kind_is_round(kind)) s->radius = CM_REAL(size * rng_range(r, 0.05, 0.5));
        b->count = 1;
        shape_of_solid(b, s);
    }
    body_place(b, &none);
}

void body_free(body *b) {
    if (b->shape.kind == CM_SHAPE_HULL) cm_hull_destroy(b->owned, NULL);
    if (b->shape.kind == CM_SHAPE_MESH) cm_mesh_destroy(b->owned, NULL);
    b->owned = NULL;
}

void body_place(body *b, const cm_pose *pose) {
    b->pose = *pose;
    wide3 at = w3_of_vec3(pose->position);
    for (int i = 0; i < b->count; i++) solid_place(&b->piece[i], pose->rotation, at);
    solid_place(&b->within, pose->rotation, at);
}

bool body_is_composite(const body *b) { return b->kind >= BODY_MESH; }
bool body_is_curved(const body *b) {
    return b->kind == BODY_CYLINDER || b->kind == BODY_CONE || b->kind == BODY_ELLIPSOID;
}

/* A half-space's plane in the world: n.p <= *d. */
static wide3 world_plane(const body *b, long double *d) {
    const solid *s = &b->within; /* placed with the body */
    wide3 n = w3_add(w3_add(w3_scale(s->turn[0], b->normal.x), w3_scale(s->turn[1], b->normal.y)),
                     w3_scale(s->turn[2], b->normal.z));
    *d = w3_dot(n, s->position) - b->d;
    return n;
}

/* A corner, turned but not moved, times a weight. */
static wide3 solid_corner(const solid *s, int i, long double weight) {
    wide3 c = w3_scale(w3_of_vec3(s->point[i]), weight);
    return w3_add(w3_add(w3_scale(s->turn[0], c.x), w3_scale(s->turn[1], c.y)), w3_scale(s->turn[2], c.z));
}

static const solid *part_of(const body *b, uint32_t part) {
    uint32_t i = part == CM_NONE ? 0 : part;
    check_that(i < (uint32_t)b->count, "%s has no part %u", body_names[b->kind], part);
    return &b->piece[i];
}

long double body_part_outside(const body *b, uint32_t part, wide3 p) {
    if (b->kind == BODY_HALFSPACE) {
        long double d;
        wide3 n = world_plane(b, &d);
        return w3_dot(n, p) - d;
    }
    const solid *s = part_of(b, part);
    long double outside = solid_core_outside(s, p);
    if (s->kind == SOLID_CLOUD && s->radius > 0 && outside > 0) { /* by its faces only: no more than the truth */
        solid point;
        memset(&point, 0, sizeof point);
        point.kind = SOLID_POINT;
        point.count = 1;
        point.position = p;
        wide3 axis, middle = s->position;
        for (int i = 0; i < s->count; i++) middle = w3_add(middle, solid_corner(s, i, 1 / (long double)s->count));
        wide3 guess = w3_sub(middle, p);
        solid core = *s;
        core.radius = 0;
        if (w3_length(guess) > 0)
            outside = fmaxl(outside, solid_search_axis(&point, &core, w3_unit(guess), 0, NULL, &axis));
    }
    return outside - (long double)s->radius;
}

long double body_outside(const body *b, wide3 p) {
    if (b->kind == BODY_HALFSPACE) return body_part_outside(b, CM_NONE, p);
    long double least = b->has_within ? solid_core_outside(&b->within, p) : HUGE_VALL;
    for (int i = 0; i < b->count; i++) least = fminl(least, body_part_outside(b, (uint32_t)i, p));
    return least;
}

long double body_part_reach(const body *b, uint32_t part, wide3 n) { return solid_reach(part_of(b, part), n); }

long double body_separation(const body *a, uint32_t part_a, const body *b, uint32_t part_b, wide3 n) {
    long double d;
    if (a->kind == BODY_HALFSPACE) {
        wide3 m = world_plane(a, &d);
        return w3_dot(m, n) > 0 ? -body_part_reach(b, part_b, w3_scale(m, -1)) - d : -HUGE_VALL;
    }
    if (b->kind == BODY_HALFSPACE) {
        wide3 m = world_plane(b, &d);
        return w3_dot(m, n) < 0 ? -body_part_reach(a, part_a, w3_scale(m, -1)) - d : -HUGE_VALL;
    }
    return solid_separation(part_of(a, part_a), part_of(b, part_b), n);
}

/* The best separation of two solids, or something above `limit` that proves as much. */
static long double pair_gap(const solid *a, const solid *b, wide3 guess, long double limit, int tries, rng *r) {
    wide3 axis, between = w3_sub(b->position, a->position);
    long double quick = solid_separation(a, b, guess);
    if (quick >= limit) return quick;
    for (int i = 0; i < a->faces + b->faces; i++) { /* any axis that proves it will do */
        const solid *s = i < a->faces ? a : b;
        wide3 f = i < a->faces ? a->face[i] : w3_scale(b->face[i - a->faces], -1);
        wide3 n = w3_add(w3_add(w3_scale(s->turn[0], f.x), w3_scale(s->turn[1], f.y)), w3_scale(s->turn[2], f.z));
        quick = fmaxl(quick, solid_separation(a, b, n));
        if (quick >= limit) return quick;
    }
    if (w3_length(between) > 0) guess = solid_separation(a, b, w3_unit(between)) > quick ? w3_unit(between) : guess;
    long double best = solid_search_axis(a, b, guess, 0, r, &axis);
    bool cores_apart = best + (long double)a->radius + (long double)b->radius > 0; /* then the search has one summit */
    if (best >= limit || cores_apart) return best;
    if (solid_is_polytope(a) && solid_is_polytope(b)) return solid_best_axis(a, b, &axis);
    return solid_search_axis(a, b, guess, tries, r, &axis);
}

long double body_gap(const body *a, const body *b, wide3 guess, long double limit, int tries, rng *r) {
    long double least = HUGE_VALL;
    if (a->kind == BODY_HALFSPACE || b->kind == BODY_HALFSPACE) {
        const body *ground = a->kind == BODY_HALFSPACE ? a : b, *other = ground == a ? b : a;
        long double d;
        wide3 m = world_plane(ground, &d);
        for (int i = 0; i < other->count; i++)
            least = fminl(least, -body_part_reach(other, (uint32_t)i, w3_scale(m, -1)) - d);
        return least;
    }
    /* of a convex solid mesh the whole is one set */
    const solid *of_a = a->has_within ? &a->within : a->piece, *of_b = b->has_within ? &b->within : b->piece;
    int count_a = a->has_within ? 1 : a->count, count_b = b->has_within ? 1 : b->count;
    for (int i = 0; i < count_a; i++)
        for (int k = 0; k < count_b; k++)
            least = fminl(least, pair_gap(&of_a[i], &of_b[k], guess, fminl(limit, least), tries, r));
    return least;
}
