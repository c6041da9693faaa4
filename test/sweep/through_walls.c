/* A box that stands partly through a thick wall, aligned with it or turned, goes on into the wall or through it. Its
 * way out is back through one of the wall's faces, clearly shorter than all others. In all forms of the box and of the
 * wall, finely cut meshes and two halves too, such a motion is blocked at the start; one straight back is not. Also of
 * two meshes, which tell how far they reach into each other by cm_distance: that may be less than any way out, and
 * along another one; their hulls know it. And of two halves, each of which alone may leave through the seam: they leave
 * together. */
#include "support/meshes.h"
#include "support/standing.h"

#include <math.h>

enum { CUTS = 14, FINE = FORM_KINDS, WALLS };

static const double clear = 1.25; /* times as long as the way out: any other one */

/* The box, each face cut into squares. */
static cm_mesh *mesh_cut(cm_vec3 half) {
    static cm_vec3 point[6 * (CUTS + 1) * (CUTS + 1)];
    static uint32_t index[6 * CUTS * CUTS * 6];
    uint32_t points = 0, count = 0;
    for (int f = 0; f < 6; f++) {
        const int axis = f / 2, end = f % 2;
        const uint32_t first = points;
        for (int i = 0; i < (CUTS + 1) * (CUTS + 1); i++) {
            cm_real at[3];
            at[axis] = CM_REAL(end ? 1 : -1);
            at[(axis + 1) % 3] = CM_REAL(2) * (cm_real)(i % (CUTS + 1)) / CUTS - 1;
            at[(axis + 2) % 3] = CM_REAL(2) * (cm_real)(i / (CUTS + 1)) / CUTS - 1;
            point[points++] = cm_v(at[0] * half.x, at[1] * half.y, at[2] * half.z);
        }
        for (uint32_t i = 0; i < CUTS * CUTS; i++) {
            const uint32_t a = first + i / CUTS * (CUTS + 1) + i % CUTS, b = a + 1, c = a + CUTS + 2, d = a + CUTS + 1;
            const uint32_t two[6] = {a, end ? b : c, end ? c : b, a, end ? c : d, end ? d : c};
            memcpy(index + count, two, sizeof two);
            count += 6;
        }
    }
    return mesh_of(&point[0].x, points, index, count / 3, true);
}

typedef struct through_pair {
    form wall[WALLS], body[FORM_KINDS];
    cm_pose pose_wall, pose_body;
    cm_vec3 out;  /* the body's least way out, of length 1, in the world */
    double depth; /* which is this */
} through_pair;

/* Is the way out through the wall's face, and any other longer? Along the wall's axes; the least way is known from the
 * boxes. */
static bool through_is_clear(const through_pair *p, cm_vec3 half_wall, cm_vec3 half_body, const cm_pose *at) {
    const cm_mat3 m = cm_mat3_from_quat(at->rotation);
    const cm_real row[3][3] = {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
    const cm_real place[3] = {at->position.x, at->position.y, at->position.z};
    const cm_real half[3] = {half_wall.x, half_wall.y, half_wall.z};
    const cm_pose identity = cm_pose_identity();
    const cm_vec3 out = cm_pose_apply(&identity, cm_rotate(cm_pose_between(&p->pose_wall, &identity).rotation, p->out));
    if (!(cm_abs(out.z) > CM_REAL(0.99))) return false;
    for (int k = 0; k < 6; k++) {
        const cm_real sign = CM_REAL(k % 2 ? -1 : 1), *r = row[k / 2];
        const cm_real reach = cm_abs(r[0]) * half_body.x + cm_abs(r[1]) * half_body.y + cm_abs(r[2]) * half_body.z;
        const double way = (double)(half[k / 2] + reach - sign * place[k / 2]);
        if (!(k / 2 == 2 && sign * out.z > 0) && way < clear * p->depth) return false;
    }
    return true;
}

/* Of nice sizes, at nice places, flush, aligned, turned by a little or by chance. */
static bool through_make(through_pair *p, rng *r) {
    const cm_real thick[4] = {CM_REAL(0.15), CM_REAL(0.25), CM_REAL(0.4), CM_REAL(0.5)};
    const cm_vec3 half_wall = cm_v(2, CM_REAL(rng_below(r, 2) ? 2 : 1), thick[rng_below(r, 4)]);
    cm_vec3 half = cm_v(CM_REAL(rng_range(r, 0.1, 0.4)), CM_REAL(rng_range(r, 0.1, 0.4)),
                        half_wall.z * CM_REAL(rng_range(r, 0.5, 2.4)));
    if (rng_below(r, 3) == 0) half = cm_v(CM_REAL(0.25), CM_REAL(0.25), half_wall.z);
    const cm_real slant = CM_REAL(rng_range(r, -0.3, 0.3));
    const uint32_t turn = rng_below(r, 4);
    cm_pose at = cm_pose_identity();
    if (turn == 0) at.rotation = rng_rotation(r);
    if (turn == 1) at.rotation = cm_quat_normalize((cm_quat){slant, 0, 0, 1});
    at.position = cm_v(CM_REAL(rng_range(r, -1, 1)), CM_REAL(rng_range(r, -0.5, 0.5)), 0);
    if (rng_below(r, 2)) at.position.x = CM_REAL(0.25) * (cm_real)rng_below(r, 5), at.position.y = 0;
    at.position.z =
        half_wall.z * (rng_below(r, 2) ? CM_REAL(rng_range(r, -1, 1)) : CM_REAL(0.25) * (cm_real)rng_below(r, 5));
    if (rng_below(r, 2)) at.position.z += half.z;
    if (rng_below(r, 2)) at.position.z = -at.position.z;
    for (int i = 0; i < FORM_KINDS; i++) {
        form_box(&p->wall[i], (form_kind)i, half_wall, r);
        form_box(&p->body[i], (form_kind)i, half, r);
    }
    p->wall[FINE] = (form){.kind = FORM_MESH_192, .mesh = mesh_cut(half_wall)};
    p->wall[FINE].shape = cm_make_mesh(p->wall[FINE].mesh);
    p->pose_wall = rng_below(r, 2) ? cm_pose_identity() : rng_pose(r, 2);
    p->pose_body = cm_pose_mul(&p->pose_wall, &at);
    cm_witness w;
    const cm_real d =
        cm_distance(&p->wall[FORM_BOX].shape, &p->pose_wall, &p->body[FORM_BOX].shape, &p->pose_body, CM_REAL_MAX, &w);
    p->depth = -(double)d, p->out = w.normal;
    return p->depth > 0.02 && through_is_clear(p, half_wall, half, &at);
}

static void through_free(through_pair *p) {
    for (int i = 0; i < WALLS; i++) form_free(&p->wall[i]);
    for (int i = 0; i < FORM_KINDS; i++) form_free(&p->body[i]);
}

/* Surfaces have no inside. */
static bool through_is_asked(int wall, int body) { return wall != FORM_SURFACE && body != FORM_SURFACE; }

static const char *wall_name(int i) { return i == FINE ? "fine mesh" : form_names[i]; }

static bool through_blocks(const through_pair *p, int wall, int body, cm_vec3 move, bool swap) {
    const cm_motion rests = {.start = p->pose_wall}, moves = {.start = p->pose_body, .move = move};
    const cm_shape *a = &p->wall[wall].shape, *b = &p->body[body].shape;
    cm_sweep_hit hit;
    return (swap ? cm_sweep(b, &moves, a, &rests, &hit) : cm_sweep(a, &rests, b, &moves, &hit)) && hit.blocking;
}

/* Do the two have a contact along the way out, and none against it or across? */
static bool through_is_told(const through_pair *p, int wall, int body) {
    cm_manifold m[32];
    const int count = cm_contact(&p->wall[wall].shape, &p->pose_wall, &p->body[body].shape, &p->pose_body, 0, m, 32);
    for (int i = 0; i < count && i < 32; i++)
        if (!(cm_dot(m[i].normal, p->out) > CM_REAL(0.99))) return false;
    return count > 0;
}

static void what_is_half_through_a_wall_goes_no_farther(void **state) {
    (void)state;
    static long asked[WALLS][FORM_KINDS], passed[WALLS][FORM_KINDS], held[WALLS][FORM_KINDS];
    static long untold[WALLS][FORM_KINDS];
    rng r = rng_start("through walls", 77);
    const int count = samples(60, 20000);
    long clear_ones = 0;
    for (int i = 0; i < count; i++) {
        through_pair p;
        if (through_make(&p, &r)) {
            cm_vec3 way = cm_neg(p.out);
            if (i % 3) way = cm_normalize(cm_mul_add(way, CM_REAL(i % 3 == 1 ? 0.75 : 0.3), rng_direction(&r)), way);
            const cm_vec3 move = cm_scale(way, CM_REAL(i % 2 ? 3 : 0.3));
            clear_ones++;
            for (int w = 0; w < WALLS; w++)
                for (int b = 0; b < FORM_KINDS; b++) {
                    if (!through_is_asked(w, b)) continue;
                    asked[w][b]++;
                    passed[w][b] += !through_blocks(&p, w, b, move, i % 4 == 3);
                    untold[w][b] += !through_is_told(&p, w, b);
                    held[w][b] += through_blocks(&p, w, b, cm_scale(p.out, CM_REAL(0.9 * p.depth)), i % 4 == 3);
                }
        }
        through_free(&p);
    }
    for (int w = 0; w < WALLS; w++)
        for (int b = 0; b < FORM_KINDS; b++) {
            check_that(passed[w][b] == 0, "%s in a wall as %s: %ld of %ld go on", form_names[b], wall_name(w),
                       passed[w][b], asked[w][b]);
            check_that(held[w][b] == 0, "%s in a wall as %s: %ld of %ld cannot leave", form_names[b], wall_name(w),
                       held[w][b], asked[w][b]);
            check_that(untold[w][b] <= untold[w][FORM_BOX],
                       "%s in a wall as %s: %ld of %ld have another contact, %ld boxes", form_names[b], wall_name(w),
                       untold[w][b], asked[w][b], untold[w][FORM_BOX]);
        }
    print_message("  %ld of %d have a clear way out\n", clear_ones, count);
    check_that(4 * clear_ones > count, "%ld", clear_ones);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_half_through_a_wall_goes_no_farther)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
