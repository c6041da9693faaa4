/* The table of a shape's numbers: names, types and places that lead to them. */
#include "support/specimen.h"

#include <math.h>

static const cm_field *field_of(cm_kind kind, const char *name) {
    int count;
    const cm_field *fields = cm_shape_fields(kind, &count);
    for (int i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0) return &fields[i];
    check_that(false, "%s has no %s", cm_kind_name(kind), name);
    return NULL;
}
static void set(cm_shape *s, const char *name, const void *value, size_t size) {
    memcpy((char *)s + field_of(s->kind, name)->offset, value, size);
}

static void a_shape_may_be_filled_by_the_names_of_its_fields(void **state) {
    (void)state;
    cm_shape s = cm_make_point(cm_v(0, 0, 0));
    cm_real r = 2, h = 3;
    cm_vec3 half = {1, 2, 3}, n = {0, 0, 1};
    s.kind = CM_SHAPE_CYLINDER;
    set(&s, "core_radius", &r, sizeof r), set(&s, "half_height", &h, sizeof h);
    assert_true(s.u.cylinder.radius == 2 && s.u.cylinder.half_height == 3 && cm_shape_check(&s, NULL) == CM_OK);
    s.kind = CM_SHAPE_ELLIPSOID;
    set(&s, "half", &half, sizeof half);
    assert_true(s.u.ellipsoid.z == 3);
    s.kind = CM_SHAPE_HALFSPACE;
    set(&s, "normal", &n, sizeof n), set(&s, "d", &r, sizeof r);
    assert_true(s.u.halfspace.normal.z == 1 && s.u.halfspace.d == 2);
}

static void every_kind_has_fields_that_lie_within_it_and_apart(void **state) {
    (void)state;
    for (int kind = 0; kind < CM_SHAPE_KINDS; kind++) {
        int count;
        const cm_field *f = cm_shape_fields((cm_kind)kind, &count);
        check_that(count > 0 && f, "%s", cm_kind_name((cm_kind)kind));
        size_t end = offsetof(cm_shape, u);
        for (int i = 0; i < count; i++) {
            size_t size = f[i].type == CM_FIELD_REAL   ? sizeof(cm_real)
                          : f[i].type == CM_FIELD_VEC3 ? sizeof(cm_vec3)
                                                       : sizeof(void *);
            check_that(f[i].offset >= end && f[i].offset + size <= sizeof(cm_shape), "%s.%s at %zu",
                       cm_kind_name((cm_kind)kind), f[i].name, f[i].offset);
            end = f[i].offset + size;
        }
    }
    int count = 7;
    assert_true(cm_shape_fields((cm_kind)CM_SHAPE_KINDS, &count) == NULL && count == 0);
}

static void what_is_wrong_is_named_as_the_field_it_is_in(void **state) {
    (void)state;
    rng r = rng_start("fields", 3);
    for (int kind = 0; kind < SPECIMEN_KINDS; kind++) {
        specimen b;
        cm_error error = {CM_OK, NULL, 0};
        int count;
        specimen_random(&b, (specimen_kind)kind, 1, &r);
        const cm_field *f = cm_shape_fields(b.shape.kind, &count);
        for (int i = 0; i < count; i++) {
            cm_shape broken = b.shape;
            const cm_vec3 bad = {CM_REAL(NAN), CM_REAL(NAN), CM_REAL(NAN)}, negative = {-1, -1, -1};
            if (f[i].type == CM_FIELD_POINTER) continue;
            size_t size = f[i].type == CM_FIELD_REAL ? sizeof(cm_real) : sizeof bad;
            memcpy((char *)&broken + f[i].offset, &bad, size);
            assert_int_equal(cm_shape_check(&broken, &error), CM_NOT_FINITE);
            assert_string_equal(error.field, f[i].name);
            if (b.shape.kind == CM_SHAPE_CUSTOM) continue; /* its support function may be what is wrong then */
            memcpy((char *)&broken + f[i].offset, &negative, size);
            error.field = f[i].name; /* where -1 is fine */
            cm_shape_check(&broken, &error);
            assert_string_equal(error.field, f[i].name);
        }
        b.shape.radius = -1;
        assert_int_equal(cm_shape_check(&b.shape, &error), CM_INVALID);
        assert_string_equal(error.field, "radius");
        specimen_free(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shape_may_be_filled_by_the_names_of_its_fields),
        cmocka_unit_test(every_kind_has_fields_that_lie_within_it_and_apart),
        cmocka_unit_test(what_is_wrong_is_named_as_the_field_it_is_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
