/* The same ground in another form gives the same walk: boxes, hulls, one mesh, a compound; a height field and the mesh
 * of its triangles. Every frame starts from where the first form's mover stands; the others' step ends there too. */
#include "mover/level.h"
#include "support/fields.h"

#include <math.h>

typedef struct follower {
    cm_world *world;
    uint32_t first; /* some object */
    uint64_t apart;
    double farthest; /* in skins */
} follower;

/* The mover as it is in another world: what it stands on is an object there. */
static cm_mover as_in(const cm_mover *mover, const follower *f) {
    cm_mover m = *mover;
    m.ground.id = f->first;
    assert_int_equal(cm_world_get_pose(f->world, f->first, &m.ground.pose), CM_OK);
    return m;
}

/* Mostly toward some piece of the level, if there is one. */
static cm_vec3 wish(rng *r, const level *l, cm_vec3 velocity, cm_vec3 *heading, const cm_mover *mover) {
    if (rng_below(r, 60) == 0) {
        double angle = rng_range(r, 0, 6.283185307179586);
        cm_vec3 way = cm_v((cm_real)cos(angle), 0, (cm_real)sin(angle));
        if (l && rng_below(r, 4)) {
            const level_piece *piece = &l->pieces[5 + rng_below(r, (uint32_t)l->count - 5)];
            way = cm_add(cm_sub(piece->pose.position, mover->pose.position), way);
            way.y = 0;
        }
        *heading = cm_scale(cm_normalize(way, cm_v(1, 0, 0)), 5);
    }
    velocity = cm_v(heading->x, velocity.y - CM_REAL(10.0 / 60), heading->z);
    if (mover->ground.kind == CM_MOVER_FIRM && rng_below(r, 120) == 0) velocity.y = CM_REAL(4.5);
    return velocity;
}

/* Walks in the first world, the others beside it. */
static void walk_beside(follower *forms, int count, const level *l, cm_shape shape, double half, double top, int frames,
                        rng *r) {
    const cm_real dt = CM_REAL(1.0 / 60), skin = CM_REAL(0.002);
    cm_mover mover = {.shape = shape, .skin = skin};
    cm_vec3 velocity = cm_v(0, 0, 0), heading = cm_v(5, 0, 0);
    cm_mover_space space = {.world = forms[0].world};
    for (int i = 0; i < frames; i++) {
        if (i % 300 == 0) {
            cm_pose pose = cm_pose_identity();
            do
                pose.position =
                    cm_v((cm_real)rng_range(r, -half, half), (cm_real)top, (cm_real)rng_range(r, -half, half));
            while (!cm_mover_teleport(&mover, &space, &pose));
            velocity = cm_v(0, 0, 0);
        }
        velocity = wish(r, l, velocity, &heading, &mover);
        cm_mover_result result;
        const cm_mover before = mover;
        assert_int_equal(cm_mover_step(&mover, &space, velocity, dt, &result), CM_OK);
        for (int form = 1; form < count; form++) {
            cm_mover other = as_in(&before, &forms[form]);
            cm_mover_space there = {.world = forms[form].world};
            assert_int_equal(cm_mover_step(&other, &there, velocity, dt, NULL), CM_OK);
            double apart = (double)cm_length(cm_sub(other.pose.position, mover.pose.position)) / (double)skin;
            if (apart > 2 || other.ground.kind != mover.ground.kind) {
                forms[form].apart++;
                if (getenv("WALK_PRINT"))
                    print_message("form %d at %.9g %.9g %.9g v %.9g %.9g %.9g: %g skins, foot %d %d\n", form,
                                  (double)before.pose.position.x, (double)before.pose.position.y,
                                  (double)before.pose.position.z, (double)velocity.x, (double)velocity.y,
                                  (double)velocity.z, apart, (int)mover.ground.kind, (int)other.ground.kind);
            }
            forms[form].farthest = fmax(forms[form].farthest, apart);
        }
        velocity = result.velocity;
    }
}

static cm_shape walker_capsule(void) {
    return cm_make_capsule(cm_v(0, CM_REAL(-0.6), 0), cm_v(0, CM_REAL(0.6), 0), CM_REAL(0.3));
}

/* At a corner that is met head on, the side on which a mover passes, and whether it steps up, hang on rounding: such
 * frames are some in a thousand. */
static void report_agreement(const follower *forms, int count, int frames) {
    for (int i = 1; i < count; i++) {
        print_message("form %d: %llu of %d frames two skins apart or on other ground, at most %.2f apart\n", i,
                      (unsigned long long)forms[i].apart, frames, forms[i].farthest);
        check_that((double)forms[i].apart <= 0.002 * frames, "%llu of %d", (unsigned long long)forms[i].apart, frames);
    }
}

static void forms_of_a_level_give_the_same_walk(void **state) {
    (void)state;
    rng r = rng_start("forms", 71);
    static level levels[LEVEL_FORMS];
    follower forms[LEVEL_FORMS];
    for (int i = 0; i < LEVEL_FORMS; i++) {
        level_start(&levels[i]);
        level_pieces(&levels[i]);
        level_add_form(&levels[i], (level_form)i);
        forms[i] = (follower){.world = levels[i].world};
        cm_world_get_ids(levels[i].world, &forms[i].first, 1);
    }
    int frames = samples(2500, 150000);
    walk_beside(forms, LEVEL_FORMS, &levels[0],
                cm_make_capsule(cm_v(0, CM_REAL(-0.6), 0), cm_v(0, CM_REAL(0.6), 0), CM_REAL(0.3)), 19, 1, frames, &r);
    walk_beside(forms, LEVEL_FORMS, &levels[0], cm_make_box(cm_v(CM_REAL(0.3), CM_REAL(0.9), CM_REAL(0.3))), 19, 1,
                frames, &r);
    report_agreement(forms, LEVEL_FORMS, 2 * frames);
    for (int i = 0; i < LEVEL_FORMS; i++) level_end(&levels[i]);
}

/* Rolling ground with steps, y up, as a height field and as the mesh of its triangles. */
static void a_height_field_and_its_mesh_give_the_same_walk(void **state) {
    (void)state;
    rng r = rng_start("field", 73);
    enum { SIDE = 49 };
    field_twin twin = {.desc = {.columns = SIDE, .rows = SIDE, .column_spacing = CM_REAL(0.5), .ground = CM_GROUND_XZ}};
    twin.desc.row_spacing = CM_REAL(0.5);
    twin.desc.origin = cm_v(-12, 0, -12);
    twin.heights = malloc(SIDE * SIDE * sizeof *twin.heights);
    for (int i = 0; i < SIDE * SIDE; i++) {
        int c = i % SIDE, w = i / SIDE;
        bool rim = c < 2 || w < 2 || c > SIDE - 3 || w > SIDE - 3;
        double h = 0.6 * sin(0.35 * c) * cos(0.3 * w) + (rng_below(&r, 6) ? 0 : rng_range(&r, 0, 0.4));
        twin.heights[i] = (cm_real)(rim ? 6 : h);
    }
    field_twin_build(&twin);
    const cm_shape shapes[2] = {cm_make_height_field(twin.field), cm_make_mesh(twin.mesh)};
    follower forms[2];
    for (int i = 0; i < 2; i++) {
        forms[i] = (follower){.world = NULL};
        assert_int_equal(cm_world_create(NULL, &forms[i].world, NULL), CM_OK);
        cm_world_object_desc object = {.shape = shapes[i], .fixed = true};
        assert_int_equal(cm_world_add(forms[i].world, &object, &forms[i].first, NULL), CM_OK);
    }
    int frames = samples(2500, 150000);
    walk_beside(forms, 2, NULL, walker_capsule(), 10, 2.5, frames, &r);
    walk_beside(forms, 2, NULL, cm_make_box(cm_v(CM_REAL(0.3), CM_REAL(0.9), CM_REAL(0.3))), 10, 2.5, frames, &r);
    report_agreement(forms, 2, 2 * frames);
    for (int i = 0; i < 2; i++) cm_world_destroy(forms[i].world);
    field_twin_free(&twin);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(forms_of_a_level_give_the_same_walk),
                                       cmocka_unit_test(a_height_field_and_its_mesh_give_the_same_walk)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
