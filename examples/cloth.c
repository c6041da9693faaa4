/* A cloth that falls over a ball and a box, and passes neither them nor itself.
 *     cc cloth.c $(pkg-config --cflags --libs carom) -lm -o cloth
 *     ./cloth                          a small one
 *     ./cloth 71 1000 cloth.obj        10,082 triangles, 1,000 steps, and a picture's worth of triangles at the end
 *
 * A step: where would the points go (gravity, then springs as constraints), which features would come nearer than the
 * cloth is thick on the way, what must be taken off their motion. The last word has the sweep: only a motion that is
 * free of contacts is made. */
#include <carom/carom.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THICK CM_REAL(0.004) /* the separation that is kept; 1 is a meter */

enum { ROUNDS = 8, SPRING_ROUNDS = 24 };

typedef struct spring {
    uint32_t a, b;
    cm_real length;
} spring;

typedef struct cloth {
    cm_mesh *mesh;
    cm_vec3 *at, *to, *velocity; /* of the points: now, at the end of the step */
    spring *springs;
    cm_real *share; /* of its motion that a point may make */
    uint32_t points, spring_count;
    long sweeps, contacts, held; /* counted over all steps */
} cloth;

enum { OBSTACLES = 3 };

static void obstacles(cm_shape shape[OBSTACLES], cm_pose pose[OBSTACLES]) {
    for (int i = 0; i < OBSTACLES; i++) pose[i] = cm_pose_identity();
    shape[0] = cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.45));
    pose[0].position = cm_v(CM_REAL(-0.45), CM_REAL(0.1), CM_REAL(0.45));
    shape[1] = cm_make_box(cm_v(CM_REAL(0.3), CM_REAL(0.3), CM_REAL(0.3)));
    pose[1].position = cm_v(CM_REAL(0.5), CM_REAL(-0.1), CM_REAL(0.3));
    shape[2] = cm_make_halfspace(cm_v(0, 0, 1), 0);
}

static void cloth_free(cloth *c) {
    cm_mesh_destroy(c->mesh, NULL);
    free(c->at), free(c->to), free(c->velocity), free(c->springs), free(c->share);
}

/* n x n quads, 2 m wide, 1.1 m above the floor. */
static bool cloth_make(cloth *c, uint32_t n) {
    memset(c, 0, sizeof *c);
    c->points = (n + 1) * (n + 1);
    c->at = calloc(c->points, sizeof *c->at);
    c->to = calloc(c->points, sizeof *c->to);
    c->velocity = calloc(c->points, sizeof *c->velocity);
    c->share = calloc(c->points, sizeof *c->share);
    c->springs = calloc((size_t)c->points * 6, sizeof *c->springs);
    uint32_t *corners = calloc((size_t)n * n * 6, sizeof *corners), count = 0;
    bool ok = c->at && c->to && c->velocity && c->share && c->springs && corners;
    for (uint32_t i = 0; ok && i < c->points; i++) {
        const cm_real x = (cm_real)(i / (n + 1)) / (cm_real)n, y = (cm_real)(i % (n + 1)) / (cm_real)n;
        c->at[i] = cm_v(2 * x - 1, 2 * y - 1, CM_REAL(1.1) + CM_REAL(0.01) * x * y);
    }
    static const int way[6][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}, {0, 2}, {2, 0}};
    for (uint32_t i = 0; ok && i <= n; i++)
        for (uint32_t j = 0; j <= n; j++) {
            const uint32_t a = i * (n + 1) + j;
            for (int k = 0; k < 6; k++) {
                const uint32_t p = i + (uint32_t)way[k][0], q = j + (uint32_t)way[k][1];
                if (p > n || q > n) continue;
                const uint32_t b = p * (n + 1) + q;
                const spring s = {a, b, cm_length(cm_sub(c->at[a], c->at[b]))};
                c->springs[c->spring_count++] = s;
            }
            if (i == n || j == n) continue;
            const uint32_t b = a + n + 1, even[6] = {a, b, b + 1, a, b + 1, a + 1},
                           odd[6] = {a, b, a + 1, a + 1, b, b + 1};
            memcpy(corners + count, (i + j) % 2 ? odd : even, sizeof even);
            count += 6;
        }
    cm_mesh_desc desc = {.point_count = c->points, .indices = corners, .triangle_count = count / 3, .weld = -1};
    desc.points = ok ? &c->at[0].x : NULL;
    ok = ok && cm_mesh_build(&desc, NULL, &c->mesh, NULL) == CM_OK;
    free(corners);
    return ok;
}

/* Where the points would go: gravity, some air, and springs that are pulled to their length one after the other. */
static void cloth_plan(cloth *c, cm_real dt) {
    for (uint32_t i = 0; i < c->points; i++) {
        c->velocity[i] = cm_scale(c->velocity[i], CM_REAL(0.995));
        c->velocity[i].z -= CM_REAL(9.81) * dt;
        c->to[i] = cm_add(c->at[i], cm_scale(c->velocity[i], dt));
    }
    for (int round = 0; round < SPRING_ROUNDS; round++)
        for (uint32_t k = 0; k < c->spring_count; k++) {
            const spring *s = &c->springs[k];
            const cm_vec3 between = cm_sub(c->to[s->b], c->to[s->a]);
            const cm_real length = cm_length(between);
            if (!(length > 0)) continue;
            const cm_vec3 half = cm_scale(between, (1 - s->length / length) * CM_REAL(0.45));
            c->to[s->a] = cm_add(c->to[s->a], half);
            c->to[s->b] = cm_sub(c->to[s->b], half);
        }
}

static cm_vec3 motion_of(const cloth *c, const uint32_t points[3], const cm_real weight[3]) {
    cm_vec3 sum = cm_v(0, 0, 0);
    for (int k = 0; k < 3 && points[k] != CM_NONE; k++)
        sum = cm_add(sum, cm_scale(cm_sub(c->to[points[k]], c->at[points[k]]), weight[k]));
    return sum;
}

static void push(cloth *c, const uint32_t points[3], const cm_real weight[3], cm_vec3 way, cm_vec3 drag) {
    for (int k = 0; k < 3 && points[k] != CM_NONE; k++) {
        if (!(weight[k] > 0)) continue;
        c->to[points[k]] = cm_sub(cm_add(c->to[points[k]], cm_scale(way, weight[k])), cm_scale(drag, weight[k]));
    }
}

static cm_real squares(const cm_real weight[3]) {
    return weight[0] * weight[0] + weight[1] * weight[1] + weight[2] * weight[2];
}

/* What would come too near: its approach is taken off, shared out as the contact lies, and some of its sliding. */
static bool soften(void *user, const cm_path_contact *contact) {
    cloth *c = user;
    const cm_path_hit *hit = &contact->hit;
    const bool other = contact->features != CM_PATH_TRIANGLE_SHAPE;
    cm_vec3 motion = motion_of(c, contact->a, hit->weight_a);
    if (other) motion = cm_sub(motion, motion_of(c, contact->b, hit->weight_b));
    const cm_real toward = cm_dot(motion, hit->normal) * (1 - hit->u),
                  total = squares(hit->weight_a) + (other ? squares(hit->weight_b) : 0);
    c->contacts++;
    if (!(toward > 0)) return true;
    const cm_vec3 off = cm_scale(hit->normal, (toward + THICK / 16) / total);
    const cm_vec3 slide = cm_sub(motion, cm_scale(hit->normal, cm_dot(motion, hit->normal)));
    const cm_vec3 drag = cm_scale(slide, CM_REAL(0.3) / total * (1 - hit->u));
    push(c, contact->a, hit->weight_a, cm_neg(off), drag);
    if (other) push(c, contact->b, hit->weight_b, off, cm_neg(drag));
    return true;
}

/* The last resort: the points of what still comes too near make less of their motion. */
static bool shorten(void *user, const cm_path_contact *contact) {
    cloth *c = user;
    const cm_real share = contact->hit.u * CM_REAL(0.9);
    for (int k = 0; k < 3 && contact->a[k] != CM_NONE; k++)
        c->share[contact->a[k]] = cm_min(c->share[contact->a[k]], share);
    for (int k = 0; k < 3 && contact->b[k] != CM_NONE && contact->features != CM_PATH_TRIANGLE_SHAPE; k++)
        c->share[contact->b[k]] = cm_min(c->share[contact->b[k]], share);
    c->contacts++;
    return true;
}

/* The whole motion against all there is; false: memory ran out. */
static bool sweep(cloth *c, const cm_tasks *tasks, bool (*visit)(void *, const cm_path_contact *), bool *free_of_all) {
    cm_shape shape[OBSTACLES];
    cm_pose pose[OBSTACLES];
    obstacles(shape, pose);
    *free_of_all = true;
    for (int k = 0; k <= OBSTACLES; k++) {
        cm_mesh_sweep_desc desc = {.mesh = {c->mesh, c->at, c->to}, .separation = THICK, .tolerance = THICK / 8};
        cm_path_contact first;
        desc.tasks = tasks, desc.visit = visit, desc.user = c;
        if (k < OBSTACLES) desc.shape = &shape[k], desc.shape_motion.start = pose[k];
        if (cm_mesh_sweep_vertices(&desc, NULL, &first) != CM_OK) return false;
        *free_of_all = *free_of_all && first.verdict == CM_PATH_FREE;
        c->sweeps++;
    }
    return true;
}

static bool cloth_step(cloth *c, cm_real dt, const cm_tasks *tasks) {
    bool is_free = false;
    cloth_plan(c, dt);
    for (int round = 0; round < ROUNDS && !is_free; round++)
        if (!sweep(c, tasks, soften, &is_free)) return false;
    for (int round = 0; !is_free; round++) { /* shares only shrink: ends at the latest where nothing moves */
        for (uint32_t i = 0; i < c->points; i++) c->share[i] = 1;
        if (!sweep(c, tasks, shorten, &is_free)) return false;
        for (uint32_t i = 0; i < c->points && !is_free; i++) {
            c->share[i] = round < 32 ? c->share[i] : 0;
            c->held += c->share[i] < 1;
            c->to[i] = cm_add(c->at[i], cm_scale(cm_sub(c->to[i], c->at[i]), c->share[i]));
        }
        if (round > 64) return false;
    }
    for (uint32_t i = 0; i < c->points; i++) {
        c->velocity[i] = cm_scale(cm_sub(c->to[i], c->at[i]), 1 / dt);
        c->at[i] = c->to[i];
    }
    return cm_mesh_move_points(c->mesh, c->at, NULL) == CM_OK; /* all other queries now see it where it is */
}

/* How far the cloth is from what it falls on, by the distance of shapes: another way than that of the sweep. */
static cm_real cloth_gap(const cloth *c) {
    cm_shape shape[OBSTACLES];
    cm_pose pose[OBSTACLES], home = cm_pose_identity();
    const cm_shape sheet = cm_make_mesh(c->mesh);
    cm_real least = CM_REAL_MAX;
    obstacles(shape, pose);
    for (int k = 0; k < OBSTACLES; k++)
        least = cm_min(least, cm_distance(&sheet, &home, &shape[k], &pose[k], CM_REAL_MAX, NULL));
    return least;
}

static void cloth_write(const cloth *c, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) return;
    for (uint32_t i = 0; i < c->points; i++)
        fprintf(file, "v %.5f %.5f %.5f\n", (double)c->at[i].x, (double)c->at[i].y, (double)c->at[i].z);
    for (uint32_t t = 0; t < cm_mesh_triangle_count(c->mesh); t++) {
        uint32_t p[3];
        cm_mesh_corners(c->mesh, t, p);
        fprintf(file, "f %u %u %u\n", (unsigned)p[0] + 1, (unsigned)p[1] + 1, (unsigned)p[2] + 1);
    }
    fclose(file);
}

int main(int argc, char **argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 12, steps = argc > 2 ? atoi(argv[2]) : 120;
    cloth c;
    cm_pool *pool = NULL;
    cm_tasks tasks;
    if (n < 1 || n > 1000 || !cloth_make(&c, (uint32_t)n) || cm_pool_create(0, NULL, &pool) != CM_OK) return 1;
    cm_pool_tasks(pool, &tasks);
    cm_real least = CM_REAL_MAX;
    int penetrations = 0;
    for (int step = 0; step < steps; step++) {
        if (!cloth_step(&c, CM_REAL(0.005), &tasks)) return 1;
        const cm_real gap = cloth_gap(&c);
        penetrations += !(gap > 0);
        least = cm_min(least, gap);
    }
    printf("%u triangles, %d steps: %ld sweeps, %ld contacts, %ld motions cut short\n",
           (unsigned)cm_mesh_triangle_count(c.mesh), steps, c.sweeps, c.contacts, c.held);
    printf("steps with a penetration: %d; never nearer than %.5f (%.5f is kept)\n", penetrations, (double)least,
           (double)THICK);
    if (argc > 3) cloth_write(&c, argv[3]);
    cm_pool_destroy(pool);
    cloth_free(&c);
    return penetrations > 0;
}
