// Cylinders, cones and ellipsoids with each other and with spheres, capsules and boxes: the signed distance with both
// points, of pairs that are apart and of pairs whose centers lie in each other, beside Coal on the same pairs in one run.
// The answers are compared before the times: the least of several rounds, in turn, of processor time. As CSV:
//   pair,where,carom ns,Coal ns,ratio,how often Coal is nearer or less deep by 1e-3,farther or deeper
//
//   bench_curved [pairs = 50000] [rounds = 5]
#include <carom/carom.h>

#ifdef WITH_COAL
#include "narrow/coal.h"
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <vector>

enum kind { SPHERE, CAPSULE, BOX, CYLINDER, CONE, ELLIPSOID, KINDS };
static const char *const names[KINDS] = {"sphere", "capsule", "box", "cylinder", "cone", "ellipsoid"};

static std::mt19937_64 generator(1);
static double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(generator); }
static cm_real size() { return (cm_real)between(0.5, 1.5); }

static cm_shape make(int kind) {
    const cm_real half = size();
    switch (kind) {
    case SPHERE: return cm_make_sphere(cm_v(0, 0, 0), half);
    case CAPSULE: return cm_make_capsule(cm_v(0, 0, -half), cm_v(0, 0, half), size());
    case BOX: return cm_make_box(cm_v(half, size(), size()));
    case CYLINDER: return cm_make_cylinder(size(), half);
    case CONE: return cm_make_cone(size(), half);
    default: return cm_make_ellipsoid(cm_v(half, size(), size()));
    }
}

static cm_pose pose(double far) {
    std::normal_distribution<double> normal;
    cm_quat q = {(cm_real)normal(generator), (cm_real)normal(generator), (cm_real)normal(generator), (cm_real)normal(generator)};
    return {cm_v((cm_real)between(-far, far), (cm_real)between(-far, far), (cm_real)between(-far, far)), cm_quat_normalize(q)};
}

struct pair_of {
    cm_shape a, b;
    cm_pose pose_a, pose_b;
#ifdef WITH_COAL
    std::shared_ptr<coal_shape> coal_a, coal_b;
#endif
};

static double carom_distance(const pair_of &p) {
    cm_witness w;
    return cm_distance(&p.a, &p.pose_a, &p.b, &p.pose_b, CM_REAL_MAX, &w);
}

static std::vector<pair_of> make_pairs(int kind_a, int kind_b, bool deep, int count) {
    std::vector<pair_of> pairs;
    while ((int)pairs.size() < count) {
        pair_of p;
        p.a = make(kind_a), p.b = make(kind_b);
        p.pose_a = pose(10), p.pose_b = pose(deep ? 0.2 : 2.5);
        p.pose_b.position = cm_add(p.pose_a.position, p.pose_b.position);
        if (!deep && carom_distance(p) <= 0) continue;
#ifdef WITH_COAL
        p.coal_a = coal_make(p.a), p.coal_b = coal_make(p.b);
#endif
        pairs.push_back(p);
    }
    return pairs;
}

template <class Ask>
static double best_of(const std::vector<pair_of> &pairs, double best, Ask ask) {
    timespec from, to;
    volatile double sum = 0;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
    for (const pair_of &p : pairs) sum = sum + ask(p);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
    return std::min(best, ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / (double)pairs.size());
}

int main(int argc, char **argv) {
    const int count = argc > 1 ? atoi(argv[1]) : 50000, rounds = argc > 2 ? atoi(argv[2]) : 5;
#ifdef WITH_COAL
    const std::shared_ptr<coal_solver> solver = coal_make_solver();
    auto coal = [&](const pair_of &p) { return coal_distance(*solver, *p.coal_a, p.pose_a, *p.coal_b, p.pose_b); };
#endif
    printf("pair,where,carom,Coal,ratio,less,more\n");
    for (int deep = 0; deep < 2; deep++)
        for (int b = CYLINDER; b < KINDS; b++)
            for (int a = 0; a <= b; a++) {
                const std::vector<pair_of> pairs = make_pairs(a, b, deep != 0, count);
                double ours = 1e300;
                printf("%s-%s,%s", names[a], names[b], deep ? "deep" : "apart");
#ifdef WITH_COAL
                double theirs = 1e300;
                long less = 0, more = 0;
                for (const pair_of &p : pairs) {
                    const double d = carom_distance(p), e = coal(p);
                    less += std::fabs(e) < std::fabs(d) - 1e-3, more += std::fabs(e) > std::fabs(d) + 1e-3;
                }
                for (int i = 0; i < rounds; i++) ours = best_of(pairs, ours, carom_distance), theirs = best_of(pairs, theirs, coal);
                printf(",%.0f,%.0f,%.2f,%ld,%ld\n", ours, theirs, ours / theirs, less, more);
#else
                for (int i = 0; i < rounds; i++) ours = best_of(pairs, ours, carom_distance);
                printf(",%.0f,,,,\n", ours);
#endif
                fflush(stdout);
            }
    return 0;
}
