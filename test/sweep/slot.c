/* A wheel with corners turns in a slot that is as wide as the circle of its corners: each of them comes to the wall, is
 * level with it for a moment, and goes on. Nothing stops it, be the wall a box, in any of its forms, beside the wheel
 * or flush with its top or bottom. In a slot that is narrower by more than corners may brush it does not turn. */
#include "motions.h"
#include "support/clouds.h"
#include "support/solids.h"
#include "support/standing.h"
#include "sweep/brush.h"
#include "sweep/shapes.h"

#include <math.h>

/* A prism over a regular polygon, its axis along z. */
static cm_hull *wheel_of(uint32_t corners, double radius, double half) {
    cm_vec3 points[32];
    for (uint32_t i = 0; i < corners; i++) {
        const double angle = 6.283185307179586 * i / corners, x = radius * cos(angle), y = radius * sin(angle);
        points[2 * i] = cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(-half));
        points[2 * i + 1] = cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(half));
    }
    return hull_of(points, 2 * corners);
}

/* Do they start apart, and end so? What is at the wall when the step ends may be on its way into it. */
static bool is_off(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb, double gap) {
    return gap_at(a, ma, b, mb, 0) > 2 * gap && gap_at(a, ma, b, mb, 1) > 2 * SWEEP_BRUSH * gap;
}

typedef enum slot_place { SLOT_BESIDE, SLOT_ON_TOP, SLOT_BELOW, SLOT_PLACES } slot_place;
static const char *const place_names[SLOT_PLACES] = {"beside", "flush with the top of", "flush with the bottom of"};

static void a_wheel_turns_in_a_slot_of_its_width(void **state) {
    (void)state;
    rng r = rng_start("slot", 2731);
    int narrow = 0, stopped = 0, turned = 0;
    for (int i = 0; i < samples(1200, 60000); i++) {
        const double radius = nice_size(&r), half = nice_size(&r);
        const uint32_t corners = 3 + rng_below(&r, 8);
        const cm_vec3 size = cm_v(4, CM_REAL(nice_size(&r)), CM_REAL(nice_size(&r)));
        const slot_place place = (slot_place)rng_below(&r, SLOT_PLACES);
        cm_hull *hull = wheel_of(corners, radius, half);
        const cm_shape wheel = cm_make_hull(hull);
        form wall;
        form_box(&wall, (form_kind)rng_below(&r, FORM_KINDS), size, &r);
        cm_motion turning = motion_at_rest(), rest = motion_at_rest();
        cm_sweep_hit hit;
        cm_quat_from_axis_angle(cm_v(0, 0, 1), CM_REAL(rng_range(&r, 0, 6.3)), &turning.start.rotation);
        turning.spin.z = CM_REAL(rng_range(&r, -6, 6));
        turning.move.x = rng_below(&r, 2) ? CM_REAL(nice_size(&r)) : 0;
        if (place != SLOT_BESIDE) turning.start.position.z = (place == SLOT_ON_TOP ? 1 : -1) * (size.z + CM_REAL(half));
        const double gap = promised_gap(&wall.shape, &rest, &wheel, &turning);
        const bool wide = rng_below(&r, 4) > 0;
        const double by = wide ? 0.25 * rng_below(&r, 5) * gap : -4 * SWEEP_BRUSH * gap;
        rest.start.position.y = -size.y - CM_REAL(radius + by);
        const bool stops = cm_sweep(&wall.shape, &rest, &wheel, &turning, &hit) && hit.blocking;
        if (!wide && place == SLOT_BESIDE) {
            narrow++, stopped += stops;
        } else if (wide && is_off(&wall.shape, &rest, &wheel, &turning, gap)) {
            turned++;
            check_that(!stops, "%d: %u corners %s %s, %g gaps wider: blocked at %g, normal (%g, %g, %g), proof %d", i,
                       corners, place_names[place], form_names[wall.kind], by / gap, (double)hit.first,
                       (double)hit.normal.x, (double)hit.normal.y, (double)hit.normal.z, (int)hit.proof);
        }
        form_free(&wall);
        cm_hull_destroy(hull, NULL);
    }
    check_that(turned * 4 > samples(1200, 60000), "%d turned", turned);
    check_that(stopped * 4 > 3 * narrow, "of %d in a narrow slot %d are stopped", narrow, stopped);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_wheel_turns_in_a_slot_of_its_width)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
