// The cheapest tests against each other: a point in a sphere and in a box, two spheres, two axis-aligned boxes, two
// turned ones. One pair over and over (the tests alone: all is in the cache, and the jumps are known), and a million
// random pairs in order, about half of them overlapping.
//
//   bench_booleans [pairs] [rounds]
#include <carom/carom.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

static uint64_t bits = 88172645463325252u;
static double unit() {
    bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
    return (double)(bits >> 11) / 9007199254740992.0;
}
static cm_vec3 vec(double half) {
    return cm_v((cm_real)((2 * unit() - 1) * half), (cm_real)((2 * unit() - 1) * half),
                (cm_real)((2 * unit() - 1) * half));
}
static double seconds() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct all {
    std::vector<cm_vec3> points;
    std::vector<cm_sphere> spheres;
    std::vector<cm_aabb> boxes;
    std::vector<cm_obb> turned;
};

static volatile size_t sink;

// The least time a test of `rounds` rounds, in ns: over all pairs, or over the first one again and again.
template <class Test> static double time_of(size_t pairs, int rounds, bool one, size_t *found, Test test) {
    double best = 1e30;
    for (int round = 0; round < rounds; round++) {
        size_t yes = 0;
        double start = seconds();
        for (size_t i = 0; i < pairs; i++) {
            size_t at = one ? 0 : 2 * i;
            asm volatile("" : "+r"(at) : : "memory"); // so that nothing is taken out of the loop
            yes += test(at);
        }
        double took = seconds() - start;
        if (took < best) best = took;
        *found = yes;
        sink = yes;
    }
    return best * 1e9 / (double)pairs;
}

int main(int count, char **arguments) {
    size_t pairs = count > 1 ? (size_t)atol(arguments[1]) : 1000000;
    int rounds = count > 2 ? atoi(arguments[2]) : 5;
    all a;
    for (size_t i = 0; i < 2 * pairs; i++) {
        cm_quat q = {(cm_real)(unit() - 0.5), (cm_real)(unit() - 0.5), (cm_real)(unit() - 0.5),
                     (cm_real)(unit() + 0.1)};
        cm_vec3 center = vec(1), half = cm_v((cm_real)(0.3 + 0.6 * unit()), (cm_real)(0.3 + 0.6 * unit()),
                                             (cm_real)(0.3 + 0.6 * unit()));
        cm_obb turned;
        turned.center = center, turned.half = half, turned.rotation = cm_quat_normalize(q);
        cm_sphere sphere;
        sphere.center = center, sphere.radius = (cm_real)(0.3 + 0.6 * unit());
        a.points.push_back(center);
        a.spheres.push_back(sphere);
        a.boxes.push_back(cm_aabb_from_center(center, half));
        a.turned.push_back(turned);
    }
    printf("%zu pairs, %s, ns a test: one pair, then all\n", pairs, sizeof(cm_real) == 4 ? "float" : "double");
#define ROW(name, test)                                                                                                \
    do {                                                                                                               \
        size_t found;                                                                                                  \
        auto run = [&](size_t i) { return test; };                                                                     \
        double alone = time_of(pairs, rounds, true, &found, run), many = time_of(pairs, rounds, false, &found, run);   \
        printf("%-18s %6.2f %6.2f   %zu yes\n", name, alone, many, found);                                             \
    } while (0)
    ROW("point in sphere", cm_overlap_point_sphere(a.points[i], &a.spheres[i + 1]));
    ROW("point in AABB", cm_overlap_point_aabb(a.points[i], &a.boxes[i + 1]));
    ROW("sphere, sphere", cm_overlap_sphere_sphere(&a.spheres[i], &a.spheres[i + 1]));
    ROW("AABB, AABB", cm_overlap_aabb_aabb(&a.boxes[i], &a.boxes[i + 1]));
    ROW("OBB, OBB", cm_overlap_obb_obb(&a.turned[i], &a.turned[i + 1]));
    return 0;
}
