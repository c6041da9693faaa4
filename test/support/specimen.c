/* See specimen.h. */
#include "support/specimen.h"

#include "support/outside.h"

#include <math.h>

const char *const specimen_names[SPECIMEN_KINDS] = {
#define SPECIMEN_NAME(name, text) text,
    SPECIMEN_LIST(SPECIMEN_NAME)
#undef SPECIMEN_NAME
};

static solid_kind core_kind(specimen_kind kind) {
    switch (kind) {
    case SPECIMEN_POINT:
    case SPECIMEN_SPHERE:
        return SOLID_POINT;
    case SPECIMEN_SEGMENT:
    case SPECIMEN_CAPSULE:
        return SOLID_SEGMENT;
    case SPECIMEN_BOX:
    case SPECIMEN_ROUNDED_BOX:
        return SOLID_BOX;
    case SPECIMEN_CYLINDER:
    case SPECIMEN_ROUNDED_CYLINDER:
        return SOLID_CYLINDER;
    case SPECIMEN_CONE:
    case SPECIMEN_ROUNDED_CONE:
        return SOLID_CONE;
    case SPECIMEN_ELLIPSOID:
    case SPECIMEN_ROUNDED_ELLIPSOID:
        return SOLID_ELLIPSOID;
    case SPECIMEN_HULL:
    case SPECIMEN_ROUNDED_HULL:
    case SPECIMEN_CUSTOM:
    case SPECIMEN_ROUNDED_CUSTOM:
        return SOLID_CLOUD;
    default:
        return SOLID_TRIANGLE;
    }
}
static bool kind_is_round(specimen_kind kind) {
    return kind == SPECIMEN_SPHERE || kind == SPECIMEN_CAPSULE || kind == SPECIMEN_ROUNDED_TRIANGLE ||
           kind == SPECIMEN_ROUNDED_BOX || kind == SPECIMEN_ROUNDED_HULL || kind == SPECIMEN_ROUNDED_CYLINDER ||
           kind == SPECIMEN_ROUNDED_CONE || kind == SPECIMEN_ROUNDED_ELLIPSOID || kind == SPECIMEN_ROUNDED_CUSTOM;
}

/* A cloud by its support function only. */
static void told_support(const void *user, const double direction[3], double point[3]) {
    const solid *s = user;
    double best = -HUGE_VAL;
    for (int i = 0; i < s->count; i++) {
        const double p[3] = {(double)s->point[i].x, (double)s->point[i].y, (double)s->point[i].z};
        double along = p[0] * direction[0] + p[1] * direction[1] + p[2] * direction[2];
        if (along > best) best = along, memcpy(point, p, sizeof p);
    }
}

static cm_shape told_shape(const solid *s) {
    cm_vec3 center = cm_v(0, 0, 0);
    cm_real size = 0;
    for (int i = 0; i < s->count; i++) center = cm_mul_add(center, 1 / (cm_real)s->count, s->point[i]);
    for (int i = 0; i < s->count; i++) size = cm_max(size, cm_length(cm_sub(s->point[i], center)));
    return cm_make_custom(told_support, s, center, size * (1 + 8 * CM_REAL_EPSILON));
}

static void add_triangle(specimen *b, cm_vec3 p, cm_vec3 q, cm_vec3 t) {
    solid *s = &b->piece[b->count++];
    memset(s, 0, offsetof(solid, side));
    s->kind = SOLID_TRIANGLE;
    s->count = 3;
    s->point[0] = p, s->point[1] = q, s->point[2] = t;
    s->turn[0] = w3(1, 0, 0), s->turn[1] = w3(0, 1, 0), s->turn[2] = w3(0, 0, 1);
    solid_features(s);
}

static void build_mesh(specimen *b, bool is_solid) {
    cm_vec3 corners[3 * SPECIMEN_PIECES];
    for (int i = 0; i < b->count; i++)
        for (int k = 0; k < 3; k++) corners[3 * i + k] = b->piece[i].point[k];
    cm_mesh_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.points = &corners[0].x;
    desc.point_count = (uint32_t)(3 * b->count);
    desc.solid = is_solid;
    cm_mesh *mesh = NULL;
    assert_int_equal(cm_mesh_build(&desc, NULL, &mesh, NULL), CM_OK);
    b->mesh = mesh;
    b->shape = cm_make_mesh(mesh);
}

/* A fan of triangles around a corner: connected, not flat. */
static void random_surface(specimen *b, double size, rng *r) {
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
static void random_solid_mesh(specimen *b, double size, rng *r) {
    int count = 3 + (int)rng_below(r, 3);
    cm_vec3 rim[6], top = cm_v(0, 0, CM_REAL(size * rng_range(r, 0.3, 1))), low = cm_v(0, 0, -top.z);
    solid *s = &b->within;
    memset(s, 0, offsetof(solid, side));
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

/* Two cells by two; part numbers are those of their triangles. */
static void random_height_field(specimen *b, double size, rng *r) {
    enum { SIDE = 3 };
    cm_real heights[SIDE * SIDE];
    cm_vec3 at[SIDE * SIDE];
    cm_real spacing = CM_REAL(size);
    for (int i = 0; i < SIDE * SIDE; i++) {
        heights[i] = CM_REAL(size * rng_range(r, -0.5, 0.5));
        at[i] = cm_v((cm_real)(i % SIDE - 1) * spacing, (cm_real)(i / SIDE - 1) * spacing, heights[i]);
    }
    for (int row = 0; row + 1 < SIDE; row++) {
        for (int column = 0; column + 1 < SIDE; column++) {
            const cm_vec3 *c = &at[row * SIDE + column];
            add_triangle(b, c[0], c[1], c[SIDE + 1]);
            add_triangle(b, c[0], c[SIDE + 1], c[SIDE]);
        }
    }
    cm_height_field_desc desc = {.heights = heights,
                                 .columns = SIDE,
                                 .rows = SIDE,
                                 .column_spacing = spacing,
                                 .row_spacing = spacing,
                                 .origin = cm_v(-spacing, -spacing, 0)};
    assert_int_equal(cm_height_field_build(&desc, NULL, &b->field, NULL), CM_OK);
    b->shape = cm_make_height_field(b->field);
}

/* A box, a ball and a hull, apart or into each other. */
static void random_compound(specimen *b, double size, rng *r) {
    static const solid_kind kinds[SPECIMEN_CHILDREN] = {SOLID_BOX, SOLID_POINT, SOLID_CLOUD};
    cm_compound_child children[SPECIMEN_CHILDREN];
    memset(children, 0, sizeof children);
    for (int i = 0; i < SPECIMEN_CHILDREN; i++) {
        solid *s = &b->piece[b->count++];
        solid_random(s, kinds[i], 0, size / 2, r);
        if (kinds[i] == SOLID_POINT) s->radius = CM_REAL(size * rng_range(r, 0.1, 0.5));
        children[i].shape = solid_shape(s, &b->hull[i]);
        children[i].pose.rotation = rng_rotation(r);
        children[i].pose.position = rng_vec3(r, size);
    }
    cm_compound_desc desc = {.children = children, .count = SPECIMEN_CHILDREN};
    assert_int_equal(cm_compound_build(&desc, NULL, &b->compound, NULL), CM_OK);
    b->shape = cm_make_compound(b->compound);
}

void specimen_random(specimen *b, specimen_kind kind, double size, rng *r) {
    specimen_random_flavor(b, kind, 0, size, r);
}

void specimen_random_flavor(specimen *b, specimen_kind kind, int flavor, double size, rng *r) {
    memset(b, 0, offsetof(specimen, within)); /* the pieces are laid out as they are used: they are large */
    memset(&b->within, 0, offsetof(solid, side));
    b->kind = kind;
    cm_pose none = cm_pose_identity();
    if (kind == SPECIMEN_HALFSPACE || kind == SPECIMEN_ROUNDED_HALFSPACE) {
        cm_vec3 n = rng_direction(r);
        cm_real d = CM_REAL(size * rng_range(r, -1, 1));
        b->shape = cm_make_halfspace(n, d);
        b->normal = w3_of_vec3(n);
        if (kind == SPECIMEN_ROUNDED_HALFSPACE) b->shape.radius = CM_REAL(size * rng_range(r, 0.05, 0.5));
        b->d = (long double)d / w3_length(b->normal) - (long double)b->shape.radius;
        b->normal = w3_unit(b->normal);
    } else if (kind == SPECIMEN_MESH) {
        random_surface(b, size, r);
    } else if (kind == SPECIMEN_SOLID_MESH) {
        random_solid_mesh(b, size, r);
    } else if (kind == SPECIMEN_HEIGHT_FIELD) {
        random_height_field(b, size, r);
    } else if (kind == SPECIMEN_COMPOUND) {
        random_compound(b, size, r);
    } else {
        solid *s = &b->piece[0];
        solid_random(s, core_kind(kind), flavor, size, r);
        if (kind_is_round(kind)) s->radius = CM_REAL(size * rng_range(r, 0.05, 0.5));
        b->count = 1;
        bool told = kind == SPECIMEN_CUSTOM || kind == SPECIMEN_ROUNDED_CUSTOM;
        b->shape = told ? told_shape(s) : solid_shape(s, &b->hull[0]);
        b->shape.radius = s->radius;
    }
    specimen_place(b, &none);
}

void specimen_free(specimen *b) {
    for (int i = 0; i < SPECIMEN_CHILDREN; i++) cm_hull_destroy(b->hull[i], NULL);
    cm_mesh_destroy(b->mesh, NULL);
    cm_height_field_destroy(b->field, NULL);
    cm_compound_destroy(b->compound, NULL);
}

void specimen_place(specimen *b, const cm_pose *pose) {
    b->pose = *pose;
    wide3 at = w3_of_vec3(pose->position);
    for (int i = 0; i < b->count; i++) {
        cm_pose child = b->compound ? cm_pose_mul(pose, &cm_compound_children(b->compound)[i].pose) : *pose;
        solid_place(&b->piece[i], child.rotation, w3_of_vec3(child.position));
    }
    solid_place(&b->within, pose->rotation, at);
}

bool specimen_is_composite(const specimen *b) { return b->kind >= SPECIMEN_MESH; }
bool specimen_is_halfspace(const specimen *b) {
    return b->kind == SPECIMEN_HALFSPACE || b->kind == SPECIMEN_ROUNDED_HALFSPACE;
}
bool specimen_is_curved(const specimen *b) {
    return b->kind >= SPECIMEN_CYLINDER && b->kind <= SPECIMEN_ROUNDED_ELLIPSOID;
}
long double specimen_extent(const specimen *b) {
    long double most = 0;
    for (int i = 0; i < b->count; i++) {
        const solid *s = &b->piece[i];
        long double own = (long double)cm_largest(s->size), away = 0;
        for (int k = 0; k < s->count; k++) own = wl_max(own, (long double)cm_largest(s->point[k]));
        if (b->compound) away = (long double)cm_largest(cm_compound_children(b->compound)[i].pose.position);
        most = wl_max(most, own + away + (long double)s->radius);
    }
    return most;
}
bool specimen_has_part(const specimen *b, uint32_t part) {
    return specimen_is_composite(b) ? part < (uint32_t)b->count : part == CM_NONE;
}

/* A half-space's plane in the world: n.p <= *d. */
static wide3 world_plane(const specimen *b, long double *d) {
    const solid *s = &b->within; /* placed with the specimen */
    wide3 n = w3_add(w3_add(w3_scale(s->turn[0], b->normal.x), w3_scale(s->turn[1], b->normal.y)),
                     w3_scale(s->turn[2], b->normal.z));
    *d = w3_dot(n, s->position) - b->d;
    return n;
}

static const solid *part_of(const specimen *b, uint32_t part) {
    uint32_t i = part == CM_NONE ? 0 : part;
    check_that(i < (uint32_t)b->count, "%s has no part %u", specimen_names[b->kind], part);
    return &b->piece[i];
}

long double specimen_part_outside(const specimen *b, uint32_t part, wide3 p) {
    if (specimen_is_halfspace(b)) {
        long double d;
        wide3 n = world_plane(b, &d);
        return w3_dot(n, p) - d;
    }
    const solid *s = part_of(b, part);
    return solid_outside(s, p) - (long double)s->radius;
}

long double specimen_part_inside(const specimen *b, uint32_t part, wide3 p) {
    if (specimen_is_halfspace(b)) return wl_max(-specimen_part_outside(b, CM_NONE, p), 0);
    return solid_inside(part_of(b, part), p);
}

long double specimen_outside(const specimen *b, wide3 p) {
    if (specimen_is_halfspace(b)) return specimen_part_outside(b, CM_NONE, p);
    long double least = b->has_within ? solid_outside(&b->within, p) : HUGE_VALL;
    for (int i = 0; i < b->count; i++) least = wl_min(least, specimen_part_outside(b, (uint32_t)i, p));
    return least;
}

long double specimen_contact_outside(const specimen *b, uint32_t part, wide3 p) {
    long double least = specimen_part_outside(b, part, p);
    if (specimen_is_halfspace(b) || part_of(b, part)->count != 3) return least;
    for (uint32_t i = 0; i < (uint32_t)b->count; i++)
        if (b->piece[i].count == 3) least = wl_min(least, specimen_part_outside(b, i, p));
    return least;
}

long double specimen_part_reach(const specimen *b, uint32_t part, wide3 n) { return solid_reach(part_of(b, part), n); }

long double specimen_separation(const specimen *a, uint32_t part_a, const specimen *b, uint32_t part_b, wide3 n) {
    long double d;
    if (specimen_is_halfspace(a)) {
        wide3 m = world_plane(a, &d);
        return w3_dot(m, n) > 0 ? -specimen_part_reach(b, part_b, w3_scale(m, -1)) - d : -HUGE_VALL;
    }
    if (specimen_is_halfspace(b)) {
        wide3 m = world_plane(b, &d);
        return w3_dot(m, n) < 0 ? -specimen_part_reach(a, part_a, w3_scale(m, -1)) - d : -HUGE_VALL;
    }
    return solid_separation(part_of(a, part_a), part_of(b, part_b), n);
}

/* The distance of two segments: from the ends, or square to both. */
static long double segments_apart(wide3 a, wide3 b, wide3 c, wide3 d) {
    wide3 e = w3_sub(b, a), f = w3_sub(d, c), r = w3_sub(c, a), n = w3_cross(e, f);
    long double nn = w3_dot(n, n), best = HUGE_VALL;
    const wide3 ends[4] = {a, b, c, d};
    for (int i = 0; i < 4; i++) { /* each end against the other segment */
        wide3 from = i < 2 ? c : a, way = i < 2 ? f : e, p = w3_sub(ends[i], from);
        long double l = w3_dot(way, way), t = l > 0 ? w3_dot(p, way) / l : 0;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        best = wl_min(best, w3_length(w3_sub(p, w3_scale(way, t))));
    }
    if (!(nn > 0)) return best;
    long double s = w3_dot(w3_cross(r, f), n) / nn, t = w3_dot(w3_cross(r, e), n) / nn;
    return s >= 0 && s <= 1 && t >= 0 && t <= 1 ? wl_min(best, fabsl(w3_dot(r, n)) / sqrtl(nn)) : best;
}

static wide3 corner_of(const solid *s, int i) {
    wide3 c = w3_of_vec3(s->point[i]);
    wide3 turned = w3_add(w3_add(w3_scale(s->turn[0], c.x), w3_scale(s->turn[1], c.y)), w3_scale(s->turn[2], c.z));
    return w3_add(s->position, turned);
}

/* The distance of two disjoint polytopes' cores, by all corners and all pairs of corners: those that are no edges run
 * within and do no harm. */
static long double polytopes_apart(const solid *a, const solid *b) {
    long double best = HUGE_VALL;
    for (int i = 0; i < a->count; i++) best = wl_min(best, solid_outside(b, corner_of(a, i)));
    for (int i = 0; i < b->count; i++) best = wl_min(best, solid_outside(a, corner_of(b, i)));
    for (int i = 0; i < a->count; i++)
        for (int k = i + 1; k < a->count; k++)
            for (int m = 0; m < b->count; m++)
                for (int n = m + 1; n < b->count; n++)
                    best = wl_min(best,
                                  segments_apart(corner_of(a, i), corner_of(a, k), corner_of(b, m), corner_of(b, n)));
    return best;
}

/* The best separation of two solids, or something above `limit` that proves as much. */
static long double pair_gap(const solid *a, const solid *b, wide3 guess, long double limit, int tries, rng *r) {
    wide3 axis, between = w3_sub(b->position, a->position);
    long double quick = solid_separation(a, b, guess);
    if (quick >= limit) return quick;
    if (w3_length(between) > 0) {
        wide3 straight = w3_unit(between);
        long double s = solid_separation(a, b, straight);
        if (s > quick) quick = s, guess = straight;
        if (quick >= limit) return quick;
    }
    for (int i = 0; i < a->faces + b->faces; i++) { /* any axis that proves it will do */
        const solid *s = i < a->faces ? a : b;
        wide3 f = i < a->faces ? a->face[i] : w3_scale(b->face[i - a->faces], -1);
        wide3 n = w3_add(w3_add(w3_scale(s->turn[0], f.x), w3_scale(s->turn[1], f.y)), w3_scale(s->turn[2], f.z));
        quick = wl_max(quick, solid_separation(a, b, n));
        if (quick >= limit) return quick;
    }
    long double radii = (long double)a->radius + (long double)b->radius;
    if (!solid_is_polytope(a) || !solid_is_polytope(b)) {
        long double best = solid_search_axis(a, b, guess, 0, r, &axis);
        if (best >= limit || best + radii > 0) return best;
        return solid_search_axis(a, b, guess, tries, r, &axis);
    }
    /* the axes that can be the best tell which it is, and points are their own case */
    if (a->count == 1 || b->count == 1) {
        const solid *point = a->count == 1 ? a : b, *other = point == a ? b : a;
        long double outside = solid_outside(other, corner_of(point, 0));
        return outside > 0 ? outside - radii : solid_best_axis(a, b, limit, &axis);
    }
    long double most = solid_best_axis(a, b, limit, &axis);
    if (most >= limit) return most;
    if (most + radii > 0) return polytopes_apart(a, b) - radii;
    /* in one plane, no product of edges may part them: then they are apart, or touch */
    long double noise = 1e-16L * (w3_length(a->position) + w3_length(b->position) + fabsl(most) + radii);
    return most + radii > -noise ? wl_max(most, polytopes_apart(a, b) - radii) : most;
}

bool specimen_part_shape(const specimen *b, int k, cm_shape *shape, cm_pose *pose) {
    *shape = b->shape, *pose = b->pose;
    if (b->compound) {
        const cm_compound_child *child = &cm_compound_children(b->compound)[k];
        *shape = child->shape;
        *pose = cm_pose_mul(&b->pose, &child->pose);
    } else if (specimen_is_composite(b)) {
        *shape = cm_make_triangle(b->piece[k].point[0], b->piece[k].point[1], b->piece[k].point[2]);
    }
    return !specimen_is_halfspace(b);
}

/* The axis that the library proposes for two parts: whatever it is, what it proves is so. */
static long double hinted_gap(const specimen *a, int i, const specimen *b, int k) {
    cm_shape shape_a, shape_b;
    cm_pose pose_a, pose_b;
    cm_witness w;
    if (a->has_within || b->has_within || !specimen_part_shape(a, i, &shape_a, &pose_a) ||
        !specimen_part_shape(b, k, &shape_b, &pose_b))
        return -HUGE_VALL;
    if (!(cm_distance(&shape_a, &pose_a, &shape_b, &pose_b, CM_REAL_MAX, &w) < CM_REAL_MAX)) return -HUGE_VALL;
    return solid_separation(&a->piece[i], &b->piece[k], w3_unit(w3_of_vec3(w.normal)));
}

long double specimen_gap(const specimen *a, const specimen *b, wide3 guess, long double limit, int tries, rng *r) {
    long double least = HUGE_VALL;
    if (specimen_is_halfspace(a) || specimen_is_halfspace(b)) {
        const specimen *ground = specimen_is_halfspace(a) ? a : b, *other = ground == a ? b : a;
        long double d;
        wide3 m = world_plane(ground, &d);
        for (int i = 0; i < other->count; i++)
            least = wl_min(least, -specimen_part_reach(other, (uint32_t)i, w3_scale(m, -1)) - d);
        return least;
    }
    /* of a convex solid mesh the whole is one set */
    const solid *of_a = a->has_within ? &a->within : a->piece, *of_b = b->has_within ? &b->within : b->piece;
    int count_a = a->has_within ? 1 : a->count, count_b = b->has_within ? 1 : b->count;
    for (int i = 0; i < count_a; i++)
        for (int k = 0; k < count_b; k++) {
            long double gap = pair_gap(&of_a[i], &of_b[k], guess, wl_min(limit, least), tries, r);
            if (gap < limit && !(solid_is_polytope(&of_a[i]) && solid_is_polytope(&of_b[k])))
                gap = wl_max(gap, hinted_gap(a, i, b, k));
            least = wl_min(least, gap);
        }
    return least;
}
