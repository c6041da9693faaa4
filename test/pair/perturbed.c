/* Signs of two meshes of which one is moved by less than any number: they fit together. */
#include "pair/perturbed.h"
#include "support/meshes.h"
#include "support/solids.h"

static const cm__bvh_placing in_place = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};

/* A box or a tetrahedron with corners on a small lattice: faces, edges and corners fall together all the time. */
static cm_mesh *lattice_solid(rng *r) {
    for (;;) {
        soup s = {0};
        cm_vec3 p[4];
        for (int i = 0; i < 4; ++i) {
            cm_real n[3];
            for (int k = 0; k < 3; ++k) n[k] = (cm_real)rng_below(r, 4);
            p[i] = cm_v(n[0], n[1], n[2]);
        }
        if (rng_below(r, 2)) {
            const cm_vec3 lo = cm_v(cm_min(p[0].x, p[1].x), cm_min(p[0].y, p[1].y), cm_min(p[0].z, p[1].z));
            const cm_vec3 hi = cm_v(cm_max(p[0].x, p[1].x), cm_max(p[0].y, p[1].y), cm_max(p[0].z, p[1].z));
            if (!(lo.x < hi.x && lo.y < hi.y && lo.z < hi.z)) continue;
            soup_add_box(&s, lo, hi, 1 + (int)rng_below(r, 2), rng_below(r, 2) == 0, false);
            return soup_build(&s, true);
        }
        const cm_real volume = cm_dot(cm_cross(cm_sub(p[1], p[0]), cm_sub(p[2], p[0])), cm_sub(p[3], p[0]));
        if (volume == 0) continue;
        if (volume > 0) {
            const cm_vec3 swap = p[1];
            p[1] = p[2], p[2] = swap;
        }
        soup_add(&s, p[0], p[1], p[2]);
        soup_add(&s, p[0], p[3], p[1]);
        soup_add(&s, p[1], p[3], p[2]);
        soup_add(&s, p[2], p[3], p[0]);
        return soup_build(&s, true);
    }
}

static void triangle_points(const cm_mesh *mesh, uint32_t t, cm__point out[3]) {
    const cm_triangle f = cm__mesh_triangle(mesh, t);
    out[0] = cm__point_of(f.a), out[1] = cm__point_of(f.b), out[2] = cm__point_of(f.c);
}

/* Along each edge of either mesh the windings at its ends differ by the steps at all faces of the other. */
static void steps_along_an_edge_lead_from_winding_to_winding(void **state) {
    (void)state;
    rng r = rng_start("perturbed", 1811);
    long steps = 0;
    for (int i = samples(1500, 60000); i > 0; --i) {
        cm_mesh *a = lattice_solid(&r), *b = lattice_solid(&r);
        for (int own = 0; own < 2; ++own) {
            const cm_mesh *mine = own ? b : a, *other = own ? a : b;
            for (uint32_t t = 0; t < mine->info.triangles; ++t) {
                int sum[3] = {0, 0, 0}, turns[3];
                cm__point face[3], through[3];
                const uint32_t *corners = cm__mesh_corners(mine) + 3 * (size_t)t;
                triangle_points(mine, t, face);
                for (int k = 0; k < 3; ++k)
                    turns[k] = cm__perturbed_winding(other, &in_place, cm__mesh_points(mine)[corners[k]], own ? 1 : -1);
                for (uint32_t j = 0; j < other->info.triangles; ++j) {
                    cm__piercing found[2];
                    triangle_points(other, j, through);
                    const int count = cm__perturbed_pierce(own ? through : face, own ? face : through, found);
                    for (int k = 0; k < count; ++k)
                        if (found[k].edge / 3 == own) sum[found[k].edge % 3] += found[k].step;
                }
                for (int k = 0; k < 3; ++k) {
                    check_that(turns[(k + 1) % 3] == turns[k] + sum[k], "from %d by %d to %d", turns[k], sum[k],
                               turns[(k + 1) % 3]);
                    check_that(turns[k] == 0 || turns[k] == 1, "winds %d times", turns[k]);
                    steps += sum[k] != 0;
                }
            }
        }
        cm_mesh_destroy(a, NULL);
        cm_mesh_destroy(b, NULL);
    }
    check_that(steps > 100, "only %ld steps", steps);
}

/* The segment that two triangles share begins where it goes in and ends where it goes out, whichever is pierced. */
static void the_ends_of_a_segment_are_of_opposite_sense(void **state) {
    (void)state;
    rng r = rng_start("ends", 1812);
    int found_some = 0;
    for (int i = samples(200000, 5000000); i > 0; --i) {
        cm__point p[6];
        for (int k = 0; k < 6; ++k) {
            double n[3];
            for (int c = 0; c < 3; ++c) n[c] = i % 2 ? rng_below(&r, 3) : rng_range(&r, -1, 1);
            p[k] = cm__p(n[0], n[1], n[2]);
        }
        cm__piercing found[2];
        if (cm__perturbed_pierce(p, p + 3, found) == 0) continue;
        const int first = found[0].edge < 3 ? found[0].step : -found[0].step;
        const int second = found[1].edge < 3 ? found[1].step : -found[1].step;
        check_that(first == -second, "%d at edge %d, %d at edge %d", found[0].step, found[0].edge, found[1].step,
                   found[1].edge);
        ++found_some;
    }
    check_that(found_some > 100, "only %d", found_some);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_along_an_edge_lead_from_winding_to_winding),
        cmocka_unit_test(the_ends_of_a_segment_are_of_opposite_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
