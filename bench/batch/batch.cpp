// cm_overlap_many and cm_contact_many (margin 0) beside loops of single calls, and beside the memory: only reading what
// the pairs are made of. Contacts write 64 bytes and more a pair that touches, places for them of 312 bytes each.
// 200,000 pairs of 200,000 objects, as neighbors in memory and by chance; the least of nine rounds that take turns.
#include <carom/carom.h>

#include <algorithm>
#include <vector>

#include "support/bench.hpp"

namespace {

enum { N = 200000 };
bench::Random random_{7};

cm_real real(double lo, double hi) { return static_cast<cm_real>(random_.range(lo, hi)); }
cm_vec3 vec(double h) { return cm_v(real(-h, h), real(-h, h), real(-h, h)); }

cm_shape ball(bool) { return cm_make_sphere(cm_v(0, 0, 0), real(.3, .8)); }
cm_shape capsule(bool) { return cm_make_capsule(vec(.7), vec(.7), real(.15, .4)); }
cm_shape box(bool) { return cm_make_box(cm_v(real(.2, .9), real(.2, .9), real(.2, .9))); }
cm_shape triangle() { return cm_make_triangle(vec(1), vec(1), vec(1)); }
cm_shape ball_or_triangle(bool b) { return b ? triangle() : ball(b); }
cm_shape ball_or_capsule(bool b) { return b ? capsule(b) : ball(b); }
cm_shape ball_or_box(bool b) { return b ? box(b) : ball(b); }

// Of 8 to 31 points between two spheres; 64 of them are shared.
cm_shape hull(bool) {
    static std::vector<cm_hull *> hulls;
    while (hulls.size() < 64) {
        std::vector<cm_vec3> points(static_cast<size_t>(random_.range(8, 32)));
        for (cm_vec3 &p : points) {
            do p = vec(1);
            while (cm_length(p) < CM_REAL(.1));
            p = cm_scale(p, real(.6, .9) / cm_length(p));
        }
        cm_hull_desc desc = {};
        desc.points = &points[0].x, desc.point_count = static_cast<uint32_t>(points.size());
        hulls.push_back(nullptr);
        if (cm_hull_build(&desc, nullptr, &hulls.back(), nullptr) != CM_OK) std::exit(1);
    }
    return cm_make_hull(hulls[static_cast<size_t>(random_.range(0, 64))]);
}

struct Row {
    const char *name;
    cm_shape (*make)(bool second);
} rows[] = {{"sphere, sphere", ball},     {"sphere, capsule", ball_or_capsule}, {"sphere, triangle", ball_or_triangle},
            {"sphere, box", ball_or_box}, {"capsule, capsule", capsule},        {"box, box", box},
            {"hull, hull", hull}};

std::vector<cm_shape> shapes(N);
std::vector<cm_pose> poses(N);
std::vector<cm_broad_pair> pairs(N);
bool one[N], many[N];
std::vector<cm_manifold> manifolds_one(N), manifolds_many(N);
int count_one[N], count_many[N];

double time_of(void (*what)()) {
    const double start = bench::now();
    what();
    return (bench::now() - start) / N * 1e9;
}
void by_one() {
    for (int i = 0; i < N; ++i) {
        const cm_broad_pair p = pairs[i];
        one[i] = cm_overlap(&shapes[p.a], &poses[p.a], &shapes[p.b], &poses[p.b]);
    }
}
void by_many() {
    cm_batch batch = {};
    batch.shapes = shapes.data(), batch.shape_count = N, batch.poses = poses.data(), batch.pose_count = N;
    batch.pairs = pairs.data(), batch.pair_count = N;
    if (cm_overlap_many(&batch, many, nullptr) != CM_OK) std::exit(1);
}
void contacts_by_one() {
    for (int i = 0; i < N; ++i) {
        const cm_broad_pair p = pairs[i];
        count_one[i] = cm_contact(&shapes[p.a], &poses[p.a], &shapes[p.b], &poses[p.b], 0, &manifolds_one[i], 1);
    }
}
void contacts_by_many() {
    cm_batch batch = {};
    batch.shapes = shapes.data(), batch.shape_count = N, batch.poses = poses.data(), batch.pose_count = N;
    batch.pairs = pairs.data(), batch.pair_count = N;
    if (cm_contact_many(&batch, 0, count_many, manifolds_many.data(), 1, nullptr) != CM_OK) std::exit(1);
}
void by_reading() {
    cm_real sum = 0;
    for (const cm_broad_pair p : pairs)
        for (uint32_t k : {p.a, p.b}) sum += shapes[k].radius + poses[k].position.x + poses[k].rotation.w;
    many[0] = sum != 0;
}

void run(const Row &row, bool chance) {
    for (int i = 0; i < N; ++i) {
        shapes[i] = row.make(i & 1);
        const cm_vec3 v = vec(1);
        poses[i].position = vec(1.2);
        poses[i].rotation = cm_quat_normalize({v.x, v.y, v.z, real(-1, 1)});
    }
    for (int i = 0; i < N; ++i) {
        const auto k = static_cast<uint32_t>(chance ? random_.range(0, N / 2) : i / 2);
        pairs[i] = {static_cast<uint32_t>(chance ? random_.range(0, N / 2) : i / 2) * 2, k * 2 + 1};
    }
    double least[5] = {1e9, 1e9, 1e9, 1e9, 1e9};
    for (int round = 0; round < 9; ++round) {
        least[0] = std::min(least[0], time_of(by_one));
        least[2] = std::min(least[2], time_of(by_reading));
        least[1] = std::min(least[1], time_of(by_many));
        least[3] = std::min(least[3], time_of(contacts_by_one));
        least[4] = std::min(least[4], time_of(contacts_by_many));
    }
    if (!std::equal(one, one + N, many)) std::puts("the answers differ"), std::exit(1);
    if (!std::equal(count_one, count_one + N, count_many)) std::puts("the contacts differ"), std::exit(1);
    std::printf("%s,%s,%.1f,%.1f,%.1f,%.2f,%.1f,%.1f,%.2f\n", row.name, chance ? "by chance" : "neighbors", least[0],
                least[1], least[2], least[0] / least[1], least[3], least[4], least[4] / least[1]);
}

} // namespace

int main() {
    std::puts(
        "kinds,pairs,one by one (ns),many (ns),reading alone (ns),ratio,contacts one by one (ns),contacts many (ns),"
        "to verdicts");
    for (bool chance : {false, true})
        for (const Row &row : rows) run(row, chance);
}
