/* bench_planes [COUNT]: what a BSP tree of boxes costs by the directions that its planes may have. The boxes are those
 * around the triangles of COUNT random objects (octahedra, turned at random), so there are polygons to take planes
 * from. One rule builds each tree: of the candidates the plane that makes left * right sides cheapest, as long as it
 * saves a tenth; a box that is cut stands on both sides; at most 16 boxes to a leaf, as in src/broad/bsp.c. Candidates:
 * fifteen planes across each axis; sixteen polygons of the node, anywhere; or both. Printed: references, the part of
 * them that is there twice, depth, tests of boxes against boxes within the leaves (each pair once where two boxes share
 * several), and the products and comparisons that it takes to send boxes down the tree. */
#include <carom/carom.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF = 16, PLANES = 16, DEPTH = 40 };

typedef struct plane {
    double n[3], d; /* a box is left where n.p < d for a point of it, right where n.p >= d */
} plane;

typedef struct tally {
    uint64_t references, tests, work; /* work: comparisons, and three products and a comparison for a turned plane */
    uint32_t nodes, depth;
} tally;

static uint64_t state;
static double uniform(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * (1.0 / 9007199254740992.0);
}

static cm_aabb *boxes;
static plane *polygons; /* of box i */

/* The range of n.p over a box. */
static void box_range(const plane *p, const cm_aabb *box, double *lo, double *hi) {
    *lo = *hi = 0;
    for (int a = 0; a < 3; ++a) {
        const double x = p->n[a] * (double)((cm_real *)&box->min)[a], y = p->n[a] * (double)((cm_real *)&box->max)[a];
        *lo += x < y ? x : y, *hi += x < y ? y : x;
    }
}

static void sides_of(const plane *p, const uint32_t *list, uint32_t count, uint32_t *left, uint32_t *right) {
    *left = *right = 0;
    for (uint32_t i = 0; i < count; ++i) {
        double lo, hi;
        box_range(p, &boxes[list[i]], &lo, &hi);
        *left += lo < p->d, *right += hi >= p->d;
    }
}

/* What a leaf of half of the boxes on each side would cost: pairs within. */
static double plane_cost(uint32_t left, uint32_t right) { return (double)left * left + (double)right * right; }

static bool best_plane(const uint32_t *list, uint32_t count, bool axes, bool any, plane *best) {
    double least = 0.9 * (double)count * count;
    cm_aabb centers = cm_aabb_empty();
    for (uint32_t i = 0; i < count; ++i) centers = cm_aabb_add_point(centers, cm_aabb_center(&boxes[list[i]]));
    for (int k = 0; k < 3 * (PLANES - 1) + PLANES; ++k) {
        plane p = {{0, 0, 0}, 0};
        const int axis = k / (PLANES - 1);
        if (axis < 3) {
            if (!axes) continue;
            const double lo = (double)((cm_real *)&centers.min)[axis], hi = (double)((cm_real *)&centers.max)[axis];
            p.n[axis] = 1;
            p.d = lo + (hi - lo) * (k % (PLANES - 1) + 1) / PLANES;
        } else {
            if (!any) continue;
            p = polygons[list[(uint32_t)(k - 3 * (PLANES - 1)) * (count / PLANES)]];
        }
        uint32_t left, right;
        sides_of(&p, list, count, &left, &right);
        if (left == count || right == count || !(plane_cost(left, right) < least)) continue;
        least = plane_cost(left, right);
        *best = p;
    }
    return least < 0.9 * (double)count * count;
}

static void build(uint32_t *list, uint32_t count, uint32_t level, bool axes, bool any, tally *t) {
    plane best;
    ++t->nodes;
    if (level > t->depth) t->depth = level;
    if (count <= LEAF || level >= DEPTH || !best_plane(list, count, axes, any, &best)) {
        t->references += count;
        t->tests += (uint64_t)count * (count - 1) / 2;
        return;
    }
    uint32_t *side = malloc(count * sizeof *side);
    const bool turned = (best.n[0] != 0) + (best.n[1] != 0) + (best.n[2] != 0) > 1;
    t->work += (uint64_t)count * (turned ? 2 * 4 : 2);
    for (int right = 0; right < 2; ++right) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < count; ++i) {
            double lo, hi;
            box_range(&best, &boxes[list[i]], &lo, &hi);
            if (right ? hi >= best.d : lo < best.d) side[n++] = list[i];
        }
        build(side, n, level + 1, axes, any, t);
    }
    free(side);
}

static void random_turn(double m[3][3]) {
    double q[4], length;
    do {
        length = 0;
        for (int i = 0; i < 4; ++i) q[i] = 2 * uniform() - 1, length += q[i] * q[i];
    } while (length > 1 || length < 0.01);
    for (int i = 0; i < 4; ++i) q[i] /= sqrt(length);
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double turn[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                               {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                               {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    memcpy(m, turn, sizeof turn);
}

/* Octahedra in a cube: of edge 1 / 3 of their distance; or facades: tall slabs, all turned about y by 30 degrees. */
static void make(uint32_t objects, bool facades) {
    const double r = (facades ? 0.5 : 0.33) * cbrt(1.0 / objects);
    state = 5;
    for (uint32_t i = 0; i < 8 * objects; ++i) {
        static double m[3][3], at[3];
        if (i % 8 == 0) {
            random_turn(m);
            const double c = sqrt(0.75), about_y[3][3] = {{c, 0, 0.5}, {0, 1, 0}, {-0.5, 0, c}};
            if (facades) memcpy(m, about_y, sizeof m);
            for (int a = 0; a < 3; ++a) at[a] = uniform();
        }
        double corner[3][3];
        for (int k = 0; k < 3; ++k) {
            double p[3] = {0, 0, 0};
            p[k] = (i >> k & 1 ? r : -r) * (facades && k == 0 ? 0.02 : 1);
            for (int a = 0; a < 3; ++a) corner[k][a] = at[a] + m[a][0] * p[0] + m[a][1] * p[1] + m[a][2] * p[2];
        }
        plane *p = &polygons[i];
        double u[3], v[3], length = 0;
        boxes[i] = cm_aabb_empty();
        for (int a = 0; a < 3; ++a) u[a] = corner[1][a] - corner[0][a], v[a] = corner[2][a] - corner[0][a];
        for (int a = 0; a < 3; ++a) p->n[a] = u[(a + 1) % 3] * v[(a + 2) % 3] - u[(a + 2) % 3] * v[(a + 1) % 3];
        for (int a = 0; a < 3; ++a) length += p->n[a] * p->n[a];
        for (int a = 0; a < 3; ++a) p->n[a] /= sqrt(length);
        p->d = p->n[0] * corner[0][0] + p->n[1] * corner[0][1] + p->n[2] * corner[0][2];
        for (int k = 0; k < 3; ++k) {
            boxes[i] =
                cm_aabb_add_point(boxes[i], cm_v((cm_real)corner[k][0], (cm_real)corner[k][1], (cm_real)corner[k][2]));
        }
    }
}

int main(int argc, char **argv) {
    const uint32_t objects = argc > 1 ? (uint32_t)atoi(argv[1]) : 2000, count = 8 * objects;
    if (objects < 1 || objects > 1000000) {
        fprintf(stderr, "usage: bench_planes [COUNT]\n");
        return 2;
    }
    boxes = malloc(count * sizeof *boxes);
    polygons = malloc(count * sizeof *polygons);
    uint32_t *list = malloc(count * sizeof *list);
    for (int facades = 0; facades < 2; ++facades) {
        make(objects, facades);
        printf("\n%u boxes around the triangles of %u %s\n\n", count, objects,
               facades ? "slabs, all turned by 30 degrees" : "octahedra, each turned at random");
        printf("| planes | references to a box | nodes | depth | tests | work |\n|---|---|---|---|---|---|\n");
        for (int k = 0; k < 3; ++k) {
            static const char *const names[] = {"across the axes", "of polygons", "either"};
            tally t = {0, 0, 0, 0, 0};
            for (uint32_t i = 0; i < count; ++i) list[i] = i;
            build(list, count, 1, k != 1, k != 0, &t);
            printf("| %s | %.2f | %u | %u | %llu | %llu |\n", names[k], (double)t.references / count, t.nodes, t.depth,
                   (unsigned long long)t.tests, (unsigned long long)t.work);
        }
    }
    free(boxes), free(polygons), free(list);
    return 0;
}
