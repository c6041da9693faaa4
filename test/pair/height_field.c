/* Height fields against every kind: as the mesh of the same triangles. */
#include "support/fields.h"
#include "support/meshes.h"
#include "support/shapes.h"

#include <math.h>

enum { GROUND = CONVEX_KINDS, MESH, FIELD, KINDS };
static const char *name_of(int kind) {
    static const char *const others[] = {"ground", "mesh", "field"};
    return kind < CONVEX_KINDS ? convex_names[kind] : others[kind - CONVEX_KINDS];
}
/* Points and segments have no room to overlap. */
static int kind_next(int kind) { return kind == CONVEX_BALL ? CONVEX_CAPSULE : kind + 1; }

#define FOUND 4096

typedef struct other {
    cm_shape shape;
    cm_hull *hull;
    cm_mesh *mesh;
    field_twin twin;
} other;

static void other_random(other *o, int kind, double size, rng *r) {
    memset(o, 0, sizeof *o);
    if (kind == GROUND) {
        o->shape = cm_make_halfspace(rng_direction(r), CM_REAL(rng_range(r, -size, size)));
    } else if (kind == MESH) {
        o->mesh = mesh_ball(cm_v(0, 0, 0), CM_REAL(rng_range(r, 0.01, 1) * size), 1, rng_below(r, 2));
        o->shape = cm_make_mesh(o->mesh);
    } else if (kind == FIELD) {
        field_twin_random(&o->twin, FIELD_ROUGH, 6, size, cm_v(0, 0, 0), r);
        o->shape = cm_make_height_field(o->twin.field);
    } else {
        if (kind == CONVEX_HULL) o->hull = hull_random(12, size, r);
        o->shape = convex_random(kind, size, o->hull, r);
    }
}
static void other_free(other *o) {
    cm_hull_destroy(o->hull, NULL);
    cm_mesh_destroy(o->mesh, NULL);
    field_twin_free(&o->twin);
}

static int manifold_order(const void *a, const void *b) {
    const cm_manifold *m = a, *n = b;
    if (m->part_a != n->part_a) return m->part_a < n->part_a ? -1 : 1;
    return m->part_b < n->part_b ? -1 : m->part_b > n->part_b;
}

static bool near_vec3(cm_vec3 a, cm_vec3 b, double bound) { return !((double)cm_largest(cm_sub(a, b)) > bound); }

/* The field's manifolds are the mesh's, part by part. */
static void compare_contacts(const field_twin *t, const cm_pose *pose, const cm_shape *a, const cm_pose *pose_a,
                             double margin, double size, const char *name) {
    static cm_manifold on_field[FOUND], on_mesh[FOUND];
    cm_shape field = cm_make_height_field(t->field), mesh = cm_make_mesh(t->mesh);
    int n = contacts_by_part(&field, pose, a, pose_a, CM_REAL(margin), on_field, FOUND);
    int m = contacts_by_part(&mesh, pose, a, pose_a, CM_REAL(margin), on_mesh, FOUND);
    check_that(n == m, "%s: %d manifolds, with the mesh %d", name, n, m);
    if (n > FOUND) return;
    for (int i = 0; i < m; ++i) on_mesh[i].part_a = t->numbers[on_mesh[i].part_a];
    qsort(on_field, (size_t)n, sizeof *on_field, manifold_order);
    qsort(on_mesh, (size_t)m, sizeof *on_mesh, manifold_order);
    for (int i = 0; i < n; ++i) {
        const cm_manifold *f = &on_field[i], *g = &on_mesh[i];
        check_that(f->part_a == g->part_a && f->part_b == g->part_b && f->count == g->count,
                   "%s: parts %u %u, %d points; with the mesh %u %u, %d", name, f->part_a, f->part_b, f->count,
                   g->part_a, g->part_b, g->count);
        check_that(near_vec3(f->normal, g->normal, 1e-6), "%s: normals differ at part %u", name, f->part_a);
        for (int k = 0; k < f->count; ++k)
            check_that(near_vec3(f->points[k].point_a, g->points[k].point_a, 1e-5 * size) &&
                           fabs((double)(f->points[k].depth - g->points[k].depth)) <= 1e-5 * size,
                       "%s: point %d differs at part %u", name, k, f->part_a);
    }
}

static void every_kind_meets_a_field_as_it_meets_the_mesh_of_the_same_triangles(void **state) {
    (void)state;
    rng r = rng_start("kinds", 90);
    for (int kind = 0; kind < KINDS; kind = kind_next(kind)) {
        int overlaps = 0, count = samples(kind >= MESH ? 150 : 400, 10000);
        double worst = 0;
        for (int i = 0; i < count; ++i) {
            field_twin t;
            other o;
            double size = rng_log_range(&r, 1e-3, 1e4);
            field_twin_random(&t, (field_kind)(i % FIELD_KINDS), i % 2 ? 5 : 16, size, rng_vec3(&r, size), &r);
            other_random(&o, kind, size * rng_log_range(&r, 0.02, 0.6), &r);
            cm_shape field = cm_make_height_field(t.field), mesh = cm_make_mesh(t.mesh);
            cm_pose pose = rng_pose(&r, size), pose_a = rng_pose(&r, size);
            if (i % 4 == 0) pose = cm_pose_identity();
            cm_vec3 aim = field_twin_aim(&t, &r), off_aim = rng_vec3(&r, i % 3 ? 0.1 * size : size);
            pose_a.position = cm_add(cm_pose_apply(&pose, aim), off_aim);
            bool found = cm_overlap(&o.shape, &pose_a, &field, &pose);
            bool truth = cm_overlap(&o.shape, &pose_a, &mesh, &pose);
            cm_witness w, v;
            double d = (double)cm_distance(&o.shape, &pose_a, &field, &pose, CM_REAL_MAX, &w);
            double e = (double)cm_distance(&o.shape, &pose_a, &mesh, &pose, CM_REAL_MAX, &v);
            double f = (double)cm_distance(&field, &pose, &o.shape, &pose_a, CM_REAL_MAX, NULL);
            bool meshes = kind == MESH; /* answered by an exact way of their own, with the reach as the depth */
            bool rounding = meshes && fabs(d) + fabs(e) < 1e-4 * size;
            check_that(found == truth || rounding, "%s %d: overlap %d, the mesh %d at %g", name_of(kind), i, found,
                       truth, e);
            check_that(found == (d <= 0), "%s %d: overlap %d at %g", name_of(kind), i, found, d);
            if (kind != FIELD) check_that(d == f, "%s %d: %g, swapped %g", name_of(kind), i, d, f);
            if (!meshes || d > 0) {
                double off = fabs(d - e) / size;
                worst = off > worst ? off : worst;
                check_that(off <= (kind >= CONVEX_CYLINDER ? 1e-5 : 1e-6),
                           "%s %d: distance %.9g, of the mesh %.9g (size %g)", name_of(kind), i, d, e, size);
            }
            if (kind < MESH) {
                compare_contacts(&t, &pose, &o.shape, &pose_a, i % 2 ? 0 : 0.05 * size, 10 * size, name_of(kind));
                cm_shape part = cm_make_point(cm_v(0, 0, 0));
                check_that(cm_height_field_triangle(t.field, w.part_b, &part.u.triangle), "%s: part %u", name_of(kind),
                           w.part_b);
            }
            overlaps += found;
            other_free(&o);
            field_twin_free(&t);
        }
        print_message("  %s: %d of %d overlap; distances differ by at most %.1e of the size\n", name_of(kind), overlaps,
                      count, worst);
        check_that(overlaps > count / 10 && overlaps < count, "%s: %d of %d overlap", name_of(kind), overlaps, count);
    }
}

/* How far a composite reaches from its origin. */
static double reach_of(const cm_shape *shape) {
    cm_pose home = cm_pose_identity();
    cm_aabb box;
    cm_shape_bounds(shape, &home, &box);
    return (double)cm_length(cm_vec3_max(cm_vec3_abs(box.min), cm_vec3_abs(box.max)));
}
static double sum_of(cm_vec3 v) { return fabs((double)v.x) + fabs((double)v.y) + fabs((double)v.z); }

/* The gap that a sweep in straight motion may leave (sweep.h). */
static double promised_gap(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb) {
    double size = sum_of(cm_sub(ma->start.position, mb->start.position)) + sum_of(ma->move) + sum_of(mb->move);
    double world = (double)cm_largest(ma->start.position) + (double)cm_largest(mb->start.position);
    return (double)CM_REAL_EPSILON * (16 * (size + reach_of(a) + reach_of(b)) + 4 * world);
}

/* Two composites meet part by part, and which is taken apart, and in what order, depends on their kinds: parts that
 * graze stop anywhere in the gap that is promised, a time of gap / (v.n) apart. So what counts is the promise: at
 * neither time is more left than that gap, and up to the later one nothing overlaps by more than rounding. */
static void check_promised(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb, cm_real one,
                           cm_real two, const char *name, int index) {
    const double gap = promised_gap(a, ma, b, mb), rounding = gap / 8;
    const cm_real from = cm_min(one, two), to = cm_max(one, two);
    for (int k = 0; k <= 4; ++k) {
        const cm_real u = k < 4 ? from + (to - from) * (cm_real)k / 4 : to;
        cm_pose pose_a, pose_b;
        cm_motion_at(ma, u, &pose_a), cm_motion_at(mb, u, &pose_b);
        double left = (double)cm_distance(a, &pose_a, b, &pose_b, CM_REAL_MAX, NULL);
        const bool stopped = k == 0 || k == 4;
        check_that(left >= -rounding && !(stopped && left > gap + rounding),
                   "%s %d: stopped at %.9g and %.9g, %g left at %.9g of %g", name, index, (double)one, (double)two,
                   left, (double)u, gap);
    }
}

static void every_kind_runs_into_a_field_as_into_the_mesh_of_the_same_triangles(void **state) {
    (void)state;
    rng r = rng_start("sweeps", 92);
    for (int kind = 0; kind < KINDS; kind = kind_next(kind)) {
        int hits = 0, count = samples(kind >= MESH ? 60 : 300, 6000);
        double worst = 0;
        for (int i = 0; i < count; ++i) {
            field_twin t;
            other o;
            double size = rng_log_range(&r, 1e-3, 1e4);
            field_twin_random(&t, (field_kind)(i % FIELD_KINDS), i % 2 ? 5 : 16, size, rng_vec3(&r, size), &r);
            other_random(&o, kind, size * rng_log_range(&r, 0.02, 0.3), &r);
            cm_shape field = cm_make_height_field(t.field), mesh = cm_make_mesh(t.mesh);
            cm_motion rest = {rng_pose(&r, size), rng_vec3(&r, i % 3 ? 0 : size), cm_v(0, 0, 0), cm_v(0, 0, 0),
                              cm_v(0, 0, 0)};
            cm_motion move = {rng_pose(&r, size), cm_v(0, 0, 0), cm_v(0, 0, 0), cm_v(0, 0, 0), cm_v(0, 0, 0)};
            cm_vec3 aim = cm_pose_apply(&rest.start, field_twin_aim(&t, &r)), way = rng_vec3(&r, 2 * size);
            move.start.position = cm_sub(aim, way);
            move.move = cm_add(cm_scale(way, CM_REAL(1.5)), rest.move);
            cm_sweep_hit a, b;
            bool found = cm_sweep(&o.shape, &move, &field, &rest, &a);
            bool truth = cm_sweep(&o.shape, &move, &mesh, &rest, &b);
            check_that(found == truth, "%s %d: hit %d, the mesh %d at %g", name_of(kind), i, found, truth,
                       truth ? (double)b.first : -1);
            hits += found;
            double off = found ? fabs((double)(a.first - b.first)) : 0;
            worst = off > worst ? off : worst;
            check_that(!found || a.start == b.start, "%s %d: start %d, with the mesh %d", name_of(kind), i,
                       (int)a.start, (int)b.start);
            if (kind >= MESH && found && a.start == CM_SWEEP_SEPARATED)
                check_promised(&o.shape, &move, &mesh, &rest, a.first, b.first, name_of(kind), i);
            else
                check_that(off <= 1e-5, "%s %d: first %.9g, with the mesh %.9g", name_of(kind), i, (double)a.first,
                           (double)b.first);
            /* and of two parts met at once, either may be told */
            if (found && kind != FIELD && off == 0 && a.part_b == t.numbers[b.part_b])
                check_that(near_vec3(a.normal, b.normal, 1e-5) && a.blocking == b.blocking, "%s %d: normals differ",
                           name_of(kind), i);
            other_free(&o);
            field_twin_free(&t);
        }
        print_message("  %s: %d of %d hit; times differ by at most %.1e\n", name_of(kind), hits, count, worst);
        check_that(hits > count / 2, "%s: %d of %d hit", name_of(kind), hits, count);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_meets_a_field_as_it_meets_the_mesh_of_the_same_triangles),
        cmocka_unit_test(every_kind_runs_into_a_field_as_into_the_mesh_of_the_same_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
