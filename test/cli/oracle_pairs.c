/* Pairs of parts of real models, their answers confirmed by rational arithmetic: how many triangles meet, how wide the
 * gap is, whether the deepest point lies inside, whether all of an inner part does. */
#define _DEFAULT_SOURCE
#include "cli/command.h"

#include "oracle/rational.h"
#include "read/read.h"

#include <math.h>

enum { MOST_TESTS = 600, MOST_TRIANGLES = 1200 };

/* A part's triangles as doubles, in the frame of the pair's first part. */
typedef struct corners {
    const double (*at)[3][3];
    double *memory;
    double (*points)[3]; /* each once */
    uint32_t point_count;
    double low[3], high[3];
    uint32_t count;
    bool solid;
} corners;

static corners make_corners(const scene *s, const scene_part *part, const cm_pose *frame) {
    const cm_mesh *mesh = s->meshes[part->mesh].mesh;
    corners c = {.count = cm_mesh_triangle_count(mesh), .solid = s->meshes[part->mesh].info.solid};
    cm_vec3 *posed = malloc(cm_mesh_point_count(mesh) * sizeof *posed);
    if (&part->pose == frame)
        memcpy(posed, cm_mesh_points(mesh), cm_mesh_point_count(mesh) * sizeof *posed);
    else
        cm_mesh_posed(frame, mesh, &part->pose, posed);
    c.memory = malloc(c.count * 9 * sizeof *c.memory);
    c.at = (const double(*)[3][3])(const void *)c.memory;
    for (uint32_t t = 0; t < c.count; t++) {
        uint32_t corner[3];
        cm_mesh_corners(mesh, t, corner);
        for (int k = 0; k < 3; k++) {
            cm_vec3 p = posed[corner[k]];
            double *at = &c.memory[9 * (size_t)t + 3 * (size_t)k];
            at[0] = p.x, at[1] = p.y, at[2] = p.z;
        }
    }
    c.point_count = cm_mesh_point_count(mesh);
    c.points = malloc(c.point_count * sizeof *c.points);
    for (int k = 0; k < 3; k++) c.low[k] = HUGE_VAL, c.high[k] = -HUGE_VAL;
    for (uint32_t i = 0; i < c.point_count; i++) {
        const double p[3] = {posed[i].x, posed[i].y, posed[i].z};
        memcpy(c.points[i], p, sizeof p);
        for (int k = 0; k < 3; k++) c.low[k] = fmin(c.low[k], p[k]), c.high[k] = fmax(c.high[k], p[k]);
    }
    free(posed);
    return c;
}

static void free_corners(corners *c) {
    free(c->memory);
    free(c->points);
}

static bool boxes_meet(const double a[3][3], const double b[3][3], double margin) {
    for (int k = 0; k < 3; k++) {
        double a0 = fmin(a[0][k], fmin(a[1][k], a[2][k])), a1 = fmax(a[0][k], fmax(a[1][k], a[2][k]));
        double b0 = fmin(b[0][k], fmin(b[1][k], b[2][k])), b1 = fmax(b[0][k], fmax(b[1][k], b[2][k]));
        if (a0 > b1 + margin || b0 > a1 + margin) return false;
    }
    return true;
}

static uint64_t count_tests(const corners *a, const corners *b, double margin) {
    uint64_t tests = 0;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++) tests += boxes_meet(a->at[i], b->at[k], margin);
    return tests;
}

static uint64_t count_meeting(const corners *a, const corners *b) {
    uint64_t meeting = 0;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++)
            if (boxes_meet(a->at[i], b->at[k], 0)) meeting += oracle_triangles_overlap(a->at[i], b->at[k]);
    return meeting;
}

/* The least distance of the triangles that are not surely farther than `bound`. */
static double least_distance(const corners *a, const corners *b, double bound) {
    double least = HUGE_VAL;
    mpq_t square;
    mpq_init(square);
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++) {
            if (!boxes_meet(a->at[i], b->at[k], bound)) continue;
            oracle_triangle_triangle(square, a->at[i], b->at[k]);
            least = fmin(least, oracle_sqrt(square));
        }
    mpq_clear(square);
    return least;
}

static double distance_to_surface(const double p[3], const corners *c) {
    double least = HUGE_VAL;
    mpq_t square;
    mpq_init(square);
    const double point[3][3] = {{p[0], p[1], p[2]}, {p[0], p[1], p[2]}, {p[0], p[1], p[2]}};
    for (uint32_t i = 0; i < c->count; i++) {
        if (!boxes_meet(point, c->at[i], least)) continue;
        oracle_point_triangle(square, p, c->at[i]);
        least = fmin(least, oracle_sqrt(square));
    }
    mpq_clear(square);
    return least;
}

/* Within the solid grown by t. */
static bool holds(const corners *solid, const double p[3], double t) {
    return distance_to_surface(p, solid) <= t || oracle_winding(p, &solid->at[0][0][0], solid->count) != 0;
}

typedef struct pair_case {
    const scene_part *a, *b;
    cm_relation_result r;
    corners in_a, in_b;
} pair_case;

/* A world point in A's frame. */
static void local_point(const pair_case *c, cm_vec3 world, double out[3]) {
    cm_vec3 p = cm_pose_unapply(&c->a->pose, world);
    out[0] = p.x, out[1] = p.y, out[2] = p.z;
}

static void check_separated(const pair_case *c) {
    double least = least_distance(&c->in_a, &c->in_b, c->r.distance * (1 + 1e-9));
    check_that(fabs(least - c->r.distance) <= 1e-9 * c->r.distance + 1e-12, "%s, %s: gap %.17g, truly %.17g",
               c->a->name, c->b->name, c->r.distance, least);
}

/* The two points lie on the surfaces, as far apart as was said, one inside the other's solid. */
static void check_reach(const pair_case *c) {
    double on_a[3], on_b[3], slack = 1e-3 * c->r.tolerance, reach = -c->r.distance;
    local_point(c, c->r.point_a, on_a);
    local_point(c, c->r.point_b, on_b);
    check_that(distance_to_surface(on_a, &c->in_a) <= slack, "%s, %s: point A is off A", c->a->name, c->b->name);
    check_that(distance_to_surface(on_b, &c->in_b) <= slack, "%s, %s: point B is off B", c->a->name, c->b->name);
    if (!c->in_a.solid && !c->in_b.solid) return;
    double a_to_b = distance_to_surface(on_a, &c->in_b), b_to_a = distance_to_surface(on_b, &c->in_a);
    bool a_in_b = c->in_b.solid && fabs(a_to_b - reach) <= slack && holds(&c->in_b, on_a, slack);
    bool b_in_a = c->in_a.solid && fabs(b_to_a - reach) <= slack && holds(&c->in_a, on_b, slack);
    check_that(a_in_b || b_in_a, "%s, %s: reach %.9g, but the points are %.9g and %.9g deep", c->a->name, c->b->name,
               reach, a_to_b, b_to_a);
}

static bool in_box(const corners *c, const double p[3]) {
    for (int k = 0; k < 3; k++)
        if (p[k] < c->low[k] || p[k] > c->high[k]) return false;
    return true;
}

/* No corner of one lies deeper in the other than the reach that was said. */
static void check_no_corner_is_deeper(const pair_case *c, const corners *outer, const corners *inner, double reach) {
    for (uint32_t i = 0; i < inner->point_count && outer->solid; i++) {
        const double *p = inner->points[i];
        if (!in_box(outer, p) || distance_to_surface(p, outer) <= reach * (1 + 1e-6) + 1e-9) continue;
        check_that(oracle_winding(p, &outer->at[0][0][0], outer->count) == 0,
                   "%s, %s: reach %.9g, but a corner is deeper", c->a->name, c->b->name, reach);
    }
}

static void check_inside(const pair_case *c, const corners *outer, const corners *inner) {
    for (uint32_t i = 0; i < inner->point_count; i++)
        check_that(holds(outer, inner->points[i], c->r.tolerance * 1.000001),
                   "%s, %s: a corner of the inner one is outside", c->a->name, c->b->name);
}

static void check_case(const pair_case *c) {
    uint64_t meeting = count_meeting(&c->in_a, &c->in_b);
    check_that(meeting == c->r.crossings, "%s, %s: %llu crossings, truly %llu", c->a->name, c->b->name,
               (unsigned long long)c->r.crossings, (unsigned long long)meeting);
    switch (c->r.relation) {
    case CM_RELATION_SEPARATED:
        check_separated(c);
        break;
    case CM_RELATION_A_IN_B:
        check_inside(c, &c->in_b, &c->in_a);
        break;
    case CM_RELATION_B_IN_A:
        check_inside(c, &c->in_a, &c->in_b);
        break;
    case CM_RELATION_TOUCHING:
    case CM_RELATION_CROSSING:
        if (c->r.relation == CM_RELATION_CROSSING) check_reach(c);
        check_no_corner_is_deeper(c, &c->in_b, &c->in_a, fmax(-c->r.distance, c->r.tolerance));
        check_no_corner_is_deeper(c, &c->in_a, &c->in_b, fmax(-c->r.distance, c->r.tolerance));
        break;
    case CM_RELATION_IDENTICAL:
    case CM_RELATION_NONE:
        break;
    }
}

static bool come_near(const scene *s, const scene_part *a, const scene_part *b, double margin) {
    cm_shape shape_a = cm_make_mesh(s->meshes[a->mesh].mesh), shape_b = cm_make_mesh(s->meshes[b->mesh].mesh);
    cm_aabb box_a, box_b;
    cm_shape_bounds(&shape_a, &a->pose, &box_a);
    cm_shape_bounds(&shape_b, &b->pose, &box_b);
    box_a = cm_aabb_grow(box_a, margin);
    return cm_aabb_overlaps(&box_a, &box_b);
}

/* Random pairs whose boxes come near; those that would take the oracle minutes are passed over. */
static void check_model(const char *path, uint64_t seed) {
    scene s;
    double seconds[2];
    read_options options = {.one_file = true};
    assert_int_equal(read_scene(&path, 1, &options, &s, seconds), 0);
    cm_aabb box;
    double size = scene_bounds(&s, &box);
    rng r = rng_start("pairs", seed);
    int checked = 0, kinds[7] = {0}, pairs = 24 / share();
    for (int tries = 0; checked < pairs && tries < 100000; tries++) {
        uint32_t i = rng_below(&r, s.part_count), k = rng_below(&r, s.part_count);
        if (i >= k || !come_near(&s, &s.parts[i], &s.parts[k], 0.001 * size)) continue;
        pair_case c = {.a = &s.parts[i], .b = &s.parts[k]};
        c.in_a = make_corners(&s, c.a, &c.a->pose);
        c.in_b = make_corners(&s, c.b, &c.a->pose);
        if (c.in_a.count + c.in_b.count <= MOST_TRIANGLES && count_tests(&c.in_a, &c.in_b, 0) <= MOST_TESTS) {
            cm_shape a = cm_make_mesh(s.meshes[c.a->mesh].mesh), b = cm_make_mesh(s.meshes[c.b->mesh].mesh);
            assert_int_equal(cm_mesh_relation(&a, &c.a->pose, &b, &c.b->pose, 0, CM_REAL_MAX, &c.r), CM_OK);
            check_case(&c);
            kinds[c.r.relation]++;
            checked++;
        }
        free_corners(&c.in_a);
        free_corners(&c.in_b);
    }
    print_message("%d pairs: %d identical, %d inside, %d separated, %d touching, %d crossing\n", checked,
                  kinds[CM_RELATION_IDENTICAL], kinds[CM_RELATION_A_IN_B] + kinds[CM_RELATION_B_IN_A],
                  kinds[CM_RELATION_SEPARATED], kinds[CM_RELATION_TOUCHING], kinds[CM_RELATION_CROSSING]);
    assert_int_equal(checked, pairs);
    free_scene(&s);
}

static void pairs_of_the_engine_are_what_was_said(void **state) {
    (void)state;
    const char *model = test_model("glTF2/2CylinderEngine-glTF-Binary/2CylinderEngine.glb");
    if (!model) skip();
    check_model(model, 2);
}

static void pairs_of_the_house_are_what_was_said(void **state) {
    (void)state;
    const char *model = test_model("IFC/AC14-FZK-Haus.ifc");
    if (!model || !has_ifc_reader()) skip();
    check_model(model, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_of_the_engine_are_what_was_said),
        cmocka_unit_test(pairs_of_the_house_are_what_was_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
