/* Recorded queries on which published systems failed: separation and overlap of convex shapes, exact answers. */
#include "support/cores.h"

#include "convex/manifold.h"

#include <jansson.h>
#include <math.h>

typedef struct placed {
    cm__core core;
    cm__frame frame;
    cm_vec3 points[64];
} placed;

static double number(const json_t *j) { return json_number_value(j); }
static cm__point point_of(const json_t *j) {
    return cm__p(number(json_array_get(j, 0)), number(json_array_get(j, 1)), number(json_array_get(j, 2)));
}

/* False for what is no convex shape, or not valid. */
static bool place(const json_t *j, placed *out) {
    const char *type = json_string_value(json_object_get(j, "type"));
    const json_t *rot = json_object_get(j, "rot"), *pos = json_object_get(j, "pos");
    cm__frame f = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
    if (pos) f.position = point_of(pos);
    if (rot) { /* row-major */
        cm__point r[3];
        for (size_t i = 0; i < 3; i++) r[i] = point_of(json_array_get(rot, i));
        f.x = cm__p(r[0].x, r[1].x, r[2].x);
        f.y = cm__p(r[0].y, r[1].y, r[2].y);
        f.z = cm__p(r[0].z, r[1].z, r[2].z);
    }
    if (!type) return false;
    if (!strcmp(type, "sphere")) {
        if (!json_is_number(json_array_get(json_object_get(j, "center"), 0))) return false;
        cm__core_point(point_of(json_object_get(j, "center")), &out->core);
    } else if (!strcmp(type, "point")) {
        cm__core_point(point_of(json_object_get(j, "p")), &out->core);
    } else if (!strcmp(type, "segment") || !strcmp(type, "capsule")) {
        cm__core_segment(point_of(json_object_get(j, "a")), point_of(json_object_get(j, "b")), &out->core);
    } else if (!strcmp(type, "aabb")) {
        cm__point low = point_of(json_object_get(j, "min")), high = point_of(json_object_get(j, "max"));
        cm__core_box(cm__point_scale(cm__point_sub(high, low), 0.5), &out->core);
        f.position = cm__point_scale(cm__point_add(low, high), 0.5);
    } else if (!strcmp(type, "box")) {
        cm__point h = point_of(json_object_get(j, "half"));
        cm__core_box(h, &out->core);
        double skew = fabs(cm__point_dot(f.x, f.y)) + fabs(cm__point_dot(f.y, f.z)) + fabs(cm__point_dot(f.z, f.x)) +
                      fabs(cm__point_length(f.x) - 1) + fabs(cm__point_length(f.y) - 1) +
                      fabs(cm__point_length(f.z) - 1);
        if (skew > 1e-12) { /* recorded with few digits: not quite a box, the answer is that of its corners */
            for (int i = 0; i < 8; i++)
                out->points[i] =
                    cm__vec3_of(frame_rotate(&f, cm__p(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z)));
            core_of_points(out->points, 8, &out->core);
            f.x = cm__p(1, 0, 0), f.y = cm__p(0, 1, 0), f.z = cm__p(0, 0, 1);
        }
    } else if (!strcmp(type, "triangle")) {
        const json_t *v = json_object_get(j, "v");
        cm__core_triangle(point_of(json_array_get(v, 0)), point_of(json_array_get(v, 1)),
                          point_of(json_array_get(v, 2)), &out->core);
    } else if (!strcmp(type, "convex")) {
        const json_t *v = json_object_get(j, "points");
        size_t count = json_array_size(v);
        assert_true(count > 0 && count <= 64);
        for (size_t i = 0; i < count; i++) out->points[i] = cm__vec3_of(point_of(json_array_get(v, i)));
        core_of_points(out->points, (uint32_t)count, &out->core);
    } else {
        return false;
    }
    const json_t *radius = json_object_get(j, "radius");
    if (radius && !(number(radius) >= 0)) return false;
    out->core.radius = radius ? number(radius) : 0;
    out->frame = f;
    return true;
}

/* b seen from a; subtract first, then turn */
static cm__frame between(const cm__frame *a, const cm__frame *b) {
    cm__frame f;
    f.x = frame_unrotate(a, b->x), f.y = frame_unrotate(a, b->y), f.z = frame_unrotate(a, b->z);
    f.position = frame_unrotate(a, cm__point_sub(b->position, a->position));
    return f;
}

static void check_case(const json_t *j, const placed *a, const placed *b, bool swapped) {
    const char *id = json_string_value(json_object_get(j, "id"));
    const json_t *expect = json_object_get(j, "expect"), *tolerance = json_object_get(j, "tolerance");
    cm__frame frame = between(&a->frame, &b->frame);
    cm__convex_pair pair;
    cm__convex_gap gap;
    cm__convex_manifold m;
    cm__convex_pair_of(&a->core, &b->core, &frame, &pair);
    cm__convex_gap_of(&pair, DBL_MAX, NULL, &gap);
    bool overlap = cm__convex_overlap(&pair, NULL);
    check_that(overlap == (gap.distance <= 0), "%s: overlap %d, distance %.17g", id, overlap, gap.distance);
    check_that(gap.end == CM__CONVEX_PROVEN && fabs(cm__point_length(gap.normal) - 1) < 1e-12, "%s: end %d", id,
               gap.end);
    double t = number(json_object_get(tolerance, sizeof(cm_real) == 4 ? "f32" : "f64"));
    const json_t *distance = json_object_get(expect, "signed_distance");
    if (json_is_number(distance))
        check_that(fabs(gap.distance - number(distance)) <= t + 1e-15, "%s: distance %.17g, not %.17g within %g", id,
                   gap.distance, number(distance), t);
    const json_t *said = json_object_get(expect, "overlap");
    /* in floats the recorded numbers are rounded: what touches may part */
    if (json_is_boolean(said) && (sizeof(cm_real) == 8 || fabs(number(distance)) > t))
        check_that(overlap == json_is_true(said), "%s: overlap %d, distance %.17g", id, overlap, gap.distance);
    const json_t *any = json_object_get(expect, "normal_any_of");
    if (json_is_array(any)) {
        double best = -1, cosine = cos(number(json_object_get(tolerance, "normal_deg")) * 0.017453292519943295);
        cm__point n = frame_rotate(&a->frame, gap.normal);
        for (size_t i = 0; i < json_array_size(any); i++) {
            cm__point want = point_of(json_array_get(any, i));
            double d = cm__point_dot(n, want) / cm__point_length(want) * (swapped ? -1 : 1);
            best = d > best ? d : best;
        }
        check_that(best >= cosine, "%s%s: normal %.9g %.9g %.9g", id, swapped ? ", swapped" : "", n.x, n.y, n.z);
    }
    cm__convex_manifold_of(&pair, &gap, gap.distance > 0 ? gap.distance : 0, &m);
    check_that(m.count >= 1 && m.count <= 8, "%s: %d contact points", id, m.count);
}

static void published_failures_are_answered(void **state) {
    (void)state;
    const char *path = data_path("hard_cases.json");
    if (!path) skip();
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    check_that(root != NULL, "%s: %s", path, error.text);
    const json_t *cases = json_object_get(root, "cases");
    int done = 0;
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *j = json_array_get(cases, i);
        const char *query = json_string_value(json_object_get(j, "query"));
        static placed a, b;
        if (!query || (strcmp(query, "separation") && strcmp(query, "overlap"))) continue;
        if (!place(json_object_get(j, "A"), &a) || !place(json_object_get(j, "B"), &b)) continue;
        check_case(j, &a, &b, false);
        check_case(j, &b, &a, true);
        done++;
    }
    print_message("  %d recorded cases, each also swapped\n", done);
    check_that(done >= 60, "only %d cases", done);
    json_decref(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(published_failures_are_answered)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
