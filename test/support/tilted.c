/* Stands on an edge or a corner. See tilted.h. */
#include "support/tilted.h"
#include "support/clouds.h"
#include "support/solids.h"
#include "support/standing.h"

#include <math.h>

const char *const tilted_pairs[TILTED_PAIRS] = {
    "hull hull", "hull mesh", "hull fine", "hull halves", "mesh hull",   "mesh mesh",   "mesh fine",   "mesh halves",
    "fine hull", "fine mesh", "fine fine", "fine halves", "halves hull", "halves mesh", "halves fine", "halves halves"};

enum { POINTS = 48 };
typedef struct points {
    cm_vec3 p[POINTS];
    uint32_t count;
} points;

static void points_add(points *q, double x, double y, double z) {
    assert_true(q->count < POINTS);
    q->p[q->count++] = cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(z));
}

/* A box, a wedge, a pyramid, an octahedron, a frustum, or a prism of 5 to 10 sides. */
static void points_of_solid(points *q, rng *r) {
    const uint32_t kind = rng_below(r, 6), sides = 5 + rng_below(r, 6);
    const double x = nice_size(r), y = nice_size(r), z = nice_size(r);
    const double top[] = {1, 0, 0, 0, 0.5};
    q->count = 0;
    for (int i = 0; i < 8 && (kind < 3 || kind == 4); i++) {
        const double narrow = i & 4 ? top[kind] : 1, along = kind == 1 ? 1 : narrow;
        points_add(q, i & 1 ? x * along : -x * along, i & 2 ? y * narrow : -y * narrow, i & 4 ? z : -z);
    }
    for (int side = -1; side < 2 && kind == 3; side += 2)
        points_add(q, side * x, 0, 0), points_add(q, 0, side * y, 0), points_add(q, 0, 0, side * z);
    for (uint32_t i = 0; i < 2 * sides && kind == 5; i++) {
        const double angle = 6.283185307179586 * (i / 2) / sides;
        points_add(q, x * cos(angle), x * sin(angle), i & 1 ? z : -z);
    }
}

/* The half of a hull on one side of the plane x = 0. */
static cm_hull *half_of_hull(const cm_hull *hull, double side) {
    const cm_vec3 *p = cm_hull_vertices(hull);
    points half = {.count = 0};
    for (uint32_t f = 0; f < cm_hull_face_count(hull); f++) {
        cm_hull_face face;
        cm_hull_get_face(hull, f, &face);
        for (uint32_t k = 0; k < face.count; k++) {
            const cm_vec3 a = p[face.vertices[k]], b = p[face.vertices[(k + 1) % face.count]];
            const double xa = (double)a.x, xb = (double)b.x;
            if (!(xa * xb < 0) || xa > 0) continue; /* each edge once */
            const double t = xa / (xa - xb);
            points_add(&half, 0, (double)a.y + t * (double)(b.y - a.y), (double)a.z + t * (double)(b.z - a.z));
        }
    }
    for (uint32_t i = 0; i < cm_hull_vertex_count(hull); i++)
        if ((double)p[i].x * side >= 0) points_add(&half, (double)p[i].x, (double)p[i].y, (double)p[i].z);
    return hull_of(half.p, half.count);
}

static void solid_make(tilted_solid *s, rng *r) {
    points q;
    cm_compound_child child[2];
    points_of_solid(&q, r);
    s->hull = hull_of(q.p, q.count);
    s->size = 0;
    for (uint32_t i = 0; i < q.count; i++) s->size = fmax(s->size, (double)cm_length(q.p[i]));
    memset(child, 0, sizeof child);
    for (int i = 0; i < 2; i++) {
        soup triangles = {NULL, 0, 0};
        soup_add_hull(&triangles, s->hull, 2 * i);
        s->mesh[i] = soup_build(&triangles, true);
        s->half[i] = half_of_hull(s->hull, i ? 1 : -1);
        child[i].pose = cm_pose_identity(), child[i].shape = cm_make_hull(s->half[i]);
    }
    const cm_compound_desc desc = {.children = child, .count = 2};
    assert_int_equal(cm_compound_build(&desc, NULL, &s->halves, NULL), CM_OK);
    s->form[TILTED_HULL] = cm_make_hull(s->hull), s->form[TILTED_HALVES] = cm_make_compound(s->halves);
    s->form[TILTED_MESH] = cm_make_mesh(s->mesh[0]), s->form[TILTED_FINE] = cm_make_mesh(s->mesh[1]);
}

static void solid_free(tilted_solid *s) {
    cm_compound_destroy(s->halves, NULL);
    for (int i = 0; i < 2; i++) cm_mesh_destroy(s->mesh[i], NULL), cm_hull_destroy(s->half[i], NULL);
    cm_hull_destroy(s->hull, NULL);
}

/* The normal of a face, and its middle. */
static void face_of(const cm_hull *hull, uint32_t number, cm_vec3 *normal, cm_vec3 *middle) {
    const cm_vec3 *p = cm_hull_vertices(hull);
    cm_hull_face face;
    cm_hull_get_face(hull, number, &face);
    *middle = cm_v(0, 0, 0), *normal = cm_v(0, 0, 0);
    for (uint32_t i = 0; i < face.count; i++)
        *middle = cm_add(*middle, cm_scale(p[face.vertices[i]], 1 / (cm_real)face.count));
    for (uint32_t i = 0; i < face.count; i++) {
        const cm_vec3 a = p[face.vertices[i]], b = p[face.vertices[(i + 1) % face.count]];
        *normal = cm_add(*normal, cm_cross(cm_sub(a, *middle), cm_sub(b, *middle)));
    }
    *normal = cm_scale(*normal, 1 / cm_length(*normal));
}

static cm_quat turn_about(cm_vec3 axis, double angle) {
    cm_quat q;
    cm_quat_from_axis_angle(axis, CM_REAL(angle), &q);
    return q;
}

/* The turn that takes one direction to another. */
static cm_quat turn_to(cm_vec3 from, cm_vec3 to) {
    const cm_vec3 axis = cm_cross(from, to);
    const double sine = (double)cm_length(axis), cosine = (double)cm_dot(from, to);
    if (sine > 1e-3) return turn_about(axis, atan2(sine, cosine));
    if (cosine > 0) return cm_pose_identity().rotation;
    const cm_vec3 aside = cm_abs(from.x) < CM_REAL(0.7) ? cm_v(1, 0, 0) : cm_v(0, 1, 0);
    return turn_about(cm_cross(from, aside), 3.141592653589793);
}

/* The lowest corner of a hull along a direction, turned. */
static cm_vec3 lowest_of(const cm_hull *hull, cm_quat turn, cm_vec3 up) {
    const cm_vec3 *p = cm_hull_vertices(hull);
    cm_vec3 low = cm_rotate(turn, p[0]);
    for (uint32_t i = 1; i < cm_hull_vertex_count(hull); i++) {
        const cm_vec3 at = cm_rotate(turn, p[i]);
        if (cm_dot(at, up) < cm_dot(low, up)) low = at;
    }
    return low;
}

bool tilted_make(tilted *t, rng *r) {
    static const double heights[] = {0, 1e-7, -1e-7, 1e-6, -1e-6, 1e-5, -1e-5, 1e-4, -1e-4, 1e-3, -1e-3};
    cm_vec3 up, down, middle, unused;
    solid_make(&t->table, r), solid_make(&t->body, r);
    face_of(t->table.hull, rng_below(r, cm_hull_face_count(t->table.hull)), &up, &middle);
    face_of(t->body.hull, rng_below(r, cm_hull_face_count(t->body.hull)), &down, &unused);
    const cm_vec3 aside = cm_abs(up.x) < CM_REAL(0.7) ? cm_v(1, 0, 0) : cm_v(0, 1, 0);
    cm_vec3 across[2] = {cm_cross(up, aside)};
    across[0] = cm_scale(across[0], 1 / cm_length(across[0])), across[1] = cm_cross(up, across[0]);
    /* stood on the face, yawed, and tilted off it */
    cm_quat turn = cm_quat_mul(turn_about(up, nice_angle(r)), turn_to(down, cm_neg(up)));
    turn = cm_quat_mul(turn_about(across[0], 0.2 + 0.25 * rng_below(r, 3)), turn);
    const double height = heights[rng_below(r, sizeof heights / sizeof *heights)];
    cm_vec3 place = cm_sub(middle, lowest_of(t->body.hull, turn, up));
    for (int i = 0; i < 2 && rng_below(r, 3) == 0; i++)
        place = cm_add(place, cm_scale(across[i], CM_REAL(0.25) * (cm_real)((int)rng_below(r, 5) - 2)));
    t->at = nice_frame(t->table.size, r);
    t->pose.position = cm_add(place, cm_scale(up, CM_REAL(height))), t->pose.rotation = turn;
    t->pose = cm_pose_mul(&t->at, &t->pose);
    t->up = cm_rotate(t->at.rotation, up);
    for (int i = 0; i < 2; i++) t->across[i] = cm_rotate(t->at.rotation, across[i]);
    cm_witness w;
    t->gap =
        (double)cm_distance(&t->table.form[TILTED_HULL], &t->at, &t->body.form[TILTED_HULL], &t->pose, CM_REAL_MAX, &w);
    t->noise = 64 * (double)CM_REAL_EPSILON *
               (t->table.size + t->body.size + (double)cm_length(t->at.position) + (double)cm_length(t->pose.position));
    return fabs(t->gap - height) <= t->noise && (double)cm_length(cm_sub(w.normal, t->up)) < 1e-4;
}

void tilted_free(tilted *t) { solid_free(&t->table), solid_free(&t->body); }

void tilted_print(const tilted *t, long number, int pair) {
    print_error("CAROM_POSE=%ld, %s, %g apart\n", number, tilted_pairs[pair], t->gap);
    pose_print("table", &t->at), pose_print("body", &t->pose);
}
