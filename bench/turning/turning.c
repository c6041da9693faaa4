// Sweeps of meshes that turn, beside an earlier version of the library in one run.
//
//   CAROM_BEFORE=libcarom_before.so bench_turning [ROUNDS] [SCENE]
//
// CAROM_BEFORE names a shared library of the version to compare with, in the same precision: its amalgamation
// (tools/amalgamate) compiled with the library's own flags, -fPIC and -shared. Without it there is nothing beside.
// Prints CSV: scene, triangles, queries, hits, ms, ms_before, ratio, first, first_before. Times are the least of ROUNDS
// interleaved rounds, in ms of processor time for all queries of the scene. The meshes are built by each library.
#define _GNU_SOURCE
#include <carom/carom.h>

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(CAROM_F64)
#define NAME(x) "cmd_" x
#else
#define NAME(x) "cm_" x
#endif

typedef struct library {
    cm_status (*build)(const cm_mesh_desc *, const cm_allocator *, cm_mesh **, cm_error *);
    void (*destroy)(cm_mesh *, const cm_allocator *);
    bool (*sweep)(const cm_shape *, const cm_motion *, const cm_shape *, const cm_motion *, cm_sweep_hit *);
} library;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + 1e-6 * (double)t.tv_nsec;
}

static uint64_t state = 1;
static double unit(void) { // splitmix64 [Steele14]
    uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}
static double range(double low, double high) { return low + (high - low) * unit(); }

// --- geometry ------------------------------------------------------------------------------------------------------

typedef struct soup {
    cm_vec3 *points;
    uint32_t *indices, point_count, triangle_count;
} soup;

static soup soup_of(uint32_t points, uint32_t triangles) {
    soup s = {malloc(points * sizeof(cm_vec3)), malloc(triangles * 12), 0, 0};
    return s;
}
static uint32_t point(soup *s, double x, double y, double z) {
    s->points[s->point_count] = cm_v((cm_real)x, (cm_real)y, (cm_real)z);
    return s->point_count++;
}
static void triangle(soup *s, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *i = s->indices + 3 * s->triangle_count++;
    i[0] = a, i[1] = b, i[2] = c;
}

// A grid of rows x columns points that closes in itself one way or both.
static void sheet(soup *s, uint32_t rows, uint32_t columns, bool close_rows, bool close_columns) {
    for (uint32_t i = 0; i < rows - !close_rows; ++i)
        for (uint32_t j = 0; j < columns - !close_columns; ++j) {
            uint32_t a = i * columns + j, b = i * columns + (j + 1) % columns;
            uint32_t c = (i + 1) % rows * columns + j, d = (i + 1) % rows * columns + (j + 1) % columns;
            triangle(s, a, c, b), triangle(s, b, c, d);
        }
}

// Around the z axis, of `teeth` trapezoids from radius `low` to `high`, from z = -half to half.
static soup gear(int teeth, double low, double high, double half, double turned) {
    const uint32_t n = 4 * (uint32_t)teeth;
    soup s = soup_of(2 * n + 2, 4 * n);
    const double at[4] = {-.30, -.14, .14, .30}, radius[4] = {low, high, high, low};
    for (int side = -1; side <= 1; side += 2)
        for (uint32_t i = 0; i < n; ++i) {
            double a = (i / 4 + at[i % 4]) * 2 * M_PI / teeth + turned, r = radius[i % 4];
            point(&s, r * cos(a), r * sin(a), side * half);
        }
    uint32_t below = point(&s, 0, 0, -half), above = point(&s, 0, 0, half);
    for (uint32_t i = 0; i < n; ++i) {
        uint32_t k = (i + 1) % n;
        triangle(&s, i, k, n + i), triangle(&s, k, n + k, n + i);
        triangle(&s, below, k, i), triangle(&s, above, n + i, n + k);
    }
    return s;
}

// A thread around the z axis: `around` points a turn, `turns` turns of a pitch of 1, crests at `radius` + `depth`.
static soup thread(uint32_t around, uint32_t turns, double radius, double depth, bool inward) {
    const uint32_t along = 4 * turns;
    soup s = soup_of(around * (along + 1), 2 * around * along);
    for (uint32_t i = 0; i <= along; ++i)
        for (uint32_t j = 0; j < around; ++j) {
            double a = 2 * M_PI * j / around, z = i / 4. - turns / 2. + a / (2 * M_PI);
            double r = radius + (i % 4 == 2 ? depth : i % 4 == 0 ? 0 : depth / 2);
            point(&s, r * cos(a), r * sin(a), z);
        }
    for (uint32_t i = 0; i < along; ++i)
        for (uint32_t j = 0; j < around; ++j) {
            uint32_t a = i * around + j, c = a + around, b = a + 1, d = c + 1;
            if (j + 1 == around) { // the seam: a turn on is one pitch higher
                if (i + 4 >= along) continue;
                b = (i + 4) * around, d = b + around;
            }
            if (inward)
                triangle(&s, a, c, b), triangle(&s, b, c, d);
            else
                triangle(&s, a, b, c), triangle(&s, b, d, c);
        }
    return s;
}

static soup ball(uint32_t rows, double radius) {
    soup s = soup_of(2 * rows * (rows + 1), 4 * rows * rows);
    for (uint32_t i = 0; i <= rows; ++i)
        for (uint32_t j = 0; j < 2 * rows; ++j) {
            double a = M_PI * i / rows, b = M_PI * j / rows;
            point(&s, radius * sin(a) * cos(b), radius * sin(a) * sin(b), radius * cos(a));
        }
    sheet(&s, rows + 1, 2 * rows, false, true);
    return s;
}

static soup torus(uint32_t around, uint32_t across, double radius, double thick) {
    soup s = soup_of(around * across, 2 * around * across);
    for (uint32_t i = 0; i < around; ++i)
        for (uint32_t j = 0; j < across; ++j) {
            double a = 2 * M_PI * i / around, b = 2 * M_PI * j / across, r = radius + thick * cos(b);
            point(&s, r * cos(a), r * sin(a), thick * sin(b));
        }
    sheet(&s, around, across, true, true);
    return s;
}

static soup plate(uint32_t n, double turned) {
    soup s = soup_of((n + 1) * (n + 1), 2 * n * n);
    for (uint32_t i = 0; i <= n; ++i)
        for (uint32_t j = 0; j <= n; ++j) {
            double x = i - n / 2., y = j - n / 2.;
            point(&s, cos(turned) * x - sin(turned) * y, sin(turned) * x + cos(turned) * y, 0);
        }
    sheet(&s, n + 1, n + 1, false, false);
    return s;
}

// --- scenes --------------------------------------------------------------------------------------------------------

enum { QUERIES = 400 };

typedef struct scene {
    const char *name;
    soup a, b;
    int count;
    cm_motion motion_a[QUERIES], motion_b[QUERIES];
} scene;

static cm_vec3 v(double x, double y, double z) { return cm_v((cm_real)x, (cm_real)y, (cm_real)z); }

static void set(scene *s, const char *name, soup a, soup b) {
    memset(s, 0, sizeof *s);
    s->name = name, s->a = a, s->b = b, s->count = 1;
    s->motion_a[0].start = s->motion_b[0].start = cm_pose_identity();
}

static bool make(scene *s, int which) {
    switch (which) {
    case 0:
    case 1: {
        const double turns = which == 0 ? 1 : 5;
        set(s, which == 0 ? "gears, one turn" : "gears, five turns", gear(12, .8, 1.04, .2, 0),
            gear(12, .8, 1.04, .2, M_PI / 12));
        s->motion_b[0].start.position = v(1.9, 0, 0);
        s->motion_a[0].spin = v(0, 0, 2 * M_PI * turns), s->motion_b[0].spin = v(0, 0, -2 * M_PI * turns);
        return true;
    }
    case 2:
        set(s, "screw in nut", thread(60, 8, .95, .4, false), thread(60, 4, 1, .4, true));
        s->motion_a[0].start.position = v(0, 0, -1);
        s->motion_a[0].spin = v(0, 0, 2 * M_PI), s->motion_a[0].move = v(0, 0, 1);
        return true;
    case 3:
        set(s, "ball in shell", ball(32, 1), ball(36, 1.05));
        s->motion_a[0].spin = v(1, 2, 3), s->motion_a[0].move = v(.02, .01, 0);
        return true;
    case 4:
        set(s, "chain links", torus(110, 110, 1, .2), torus(110, 110, 1, .2));
        s->motion_b[0].start.position = v(1, 0, 0);
        s->motion_b[0].start.rotation = (cm_quat){(cm_real)sqrt(.5), 0, 0, (cm_real)sqrt(.5)};
        s->motion_b[0].spin = v(.5, .3, 0), s->motion_b[0].move = v(.2, .1, .1);
        return true;
    case 5:
    case 6:
        set(s, which == 5 ? "100,000 triangles, passing" : "100,000 triangles, hitting", torus(320, 160, 1, .4),
            ball(160, 1));
        s->motion_b[0].start.position = which == 5 ? v(-2, 0, 2) : v(-3, .2, .3);
        s->motion_b[0].move = which == 5 ? v(4, 0, 0) : v(3, 0, 0);
        s->motion_a[0].spin = v(.7, 1, .4), s->motion_b[0].spin = v(0, 2, 1);
        return true;
    case 7:
        set(s, "small quick hits", ball(5, 1), torus(8, 6, 1, .4));
        s->count = QUERIES;
        state = 7;
        for (int i = 0; i < QUERIES; ++i) {
            cm_motion *a = &s->motion_a[i], *b = &s->motion_b[i];
            a->start = b->start = cm_pose_identity();
            cm_vec3 way = cm_normalize(v(range(-1, 1), range(-1, 1), range(-1, 1)), v(1, 0, 0));
            b->start.position = cm_scale(way, (cm_real)range(2.5, 3));
            b->move = cm_scale(way, (cm_real)range(-4, -2));
            a->spin = v(range(-1, 1), range(-1, 1), range(-1, 1)),
            b->spin = v(range(-1, 1), range(-1, 1), range(-1, 1));
        }
        return true;
    case 8:
        set(s, "plates", plate(38, 0), plate(38, .5));
        s->motion_b[0].start.position = v(0, 0, .01);
        s->motion_b[0].spin = v(0, 0, 3);
        return true;
    default:
        return false;
    }
}

static cm_shape shape_of(const library *lib, const soup *s) {
    cm_mesh_desc desc = {.points = &s->points[0].x,
                         .point_count = s->point_count,
                         .indices = s->indices,
                         .triangle_count = s->triangle_count};
    cm_mesh *mesh = NULL;
    if (lib->build(&desc, NULL, &mesh, NULL) != CM_OK) fprintf(stderr, "no mesh\n"), exit(3);
    return cm_make_mesh(mesh);
}

// A hit of an earlier version may be shorter or longer.
typedef union hit {
    cm_sweep_hit h;
    char room[256];
} hit;

static int run(const library *lib, const scene *s, const cm_shape *a, const cm_shape *b, double *least, double *first) {
    int hits = 0;
    double start = now();
    *first = 0;
    for (int i = 0; i < s->count; ++i) {
        hit out;
        if (!lib->sweep(a, &s->motion_a[i], b, &s->motion_b[i], &out.h)) continue;
        ++hits;
        *first += (double)out.h.first;
    }
    double took = now() - start;
    if (took < *least) *least = took;
    return hits;
}

int main(int argc, char **argv) {
    const int rounds = argc > 1 ? atoi(argv[1]) : 3, only = argc > 2 ? atoi(argv[2]) : -1;
    library lib[2] = {{cm_mesh_build, cm_mesh_destroy, cm_sweep}, {NULL, NULL, NULL}};
    const char *path = getenv("CAROM_BEFORE");
    void *before = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND) : NULL;
    if (path && !before) return fprintf(stderr, "%s\n", dlerror()), 2;
    if (before) {
        *(void **)&lib[1].build = dlsym(before, NAME("mesh_build"));
        *(void **)&lib[1].destroy = dlsym(before, NAME("mesh_destroy"));
        *(void **)&lib[1].sweep = dlsym(before, NAME("sweep"));
        if (!lib[1].build || !lib[1].destroy || !lib[1].sweep) return fprintf(stderr, "%s: not carom\n", path), 2;
    }
    printf("scene,triangles,queries,hits,ms,ms_before,ratio,first,first_before,hits_before\n");
    static scene s;
    for (int which = 0; make(&s, which); ++which) {
        double least[2] = {1e300, 1e300}, first[2] = {0, 0};
        int hits[2] = {0, 0};
        if (only >= 0 && only != which) continue;
        cm_shape a[2], b[2];
        for (int k = 0; k < 1 + (before != NULL); ++k) a[k] = shape_of(&lib[k], &s.a), b[k] = shape_of(&lib[k], &s.b);
        for (int i = 0; i < rounds; ++i)
            for (int k = 0; k < 1 + (before != NULL); ++k)
                hits[k] = run(&lib[k], &s, &a[k], &b[k], &least[k], &first[k]);
        printf("\"%s\",%u,%d,%d,%.3f", s.name, s.a.triangle_count + s.b.triangle_count, s.count, hits[0], least[0]);
        if (before)
            printf(",%.3f,%.2f,%.7f,%.7f,%d\n", least[1], least[1] / least[0], first[0] / s.count, first[1] / s.count,
                   hits[1]);
        else
            printf(",,,%.7f,,\n", first[0] / s.count);
        fflush(stdout);
        for (int k = 0; k < 1 + (before != NULL); ++k) {
            lib[k].destroy((cm_mesh *)a[k].u.mesh, NULL), lib[k].destroy((cm_mesh *)b[k].u.mesh, NULL);
        }
        free(s.a.points), free(s.a.indices), free(s.b.points), free(s.b.indices);
    }
    if (before) dlclose(before);
    return 0;
}
