// The first contact of a turning cube of 3 mm with a wall, somewhere in a step of 1.34 m: by tests of single poses over the
// whole step, by the same within the bounds that swept spheres give, and by cm_sweep. Times to 2^-22 of the step.
//
//   bench_first_contact [ROUNDS]     ns a contact and tests a contact, the least of ROUNDS interleaved
#include <carom/carom.h>

#include "support/bench.hpp"

#include <cstdio>
#include <cstdlib>

namespace {

struct Flight {
    cm_shape bolt, wall;
    cm_motion fly, still;
    cm_plane face;
    long tests;
};

bool overlap_at(void *user, cm_real, const cm_pose *bolt, const cm_pose *wall) {
    Flight *f = static_cast<Flight *>(user);
    f->tests++;
    return cm_overlap(&f->bolt, bolt, &f->wall, wall);
}

const float half = 0.0015f, step = 1.34112f, tolerance = 0x1p-22f;

bool whole(Flight &f) {
    cm_interval found;
    return cm_sweep_refine(&f.fly, &f.still, {0, 1}, 4096, tolerance, overlap_at, &f, &found);
}

bool bounded(Flight &f) {
    cm_sphere around = {cm_v(0, 0, 0), half * 1.7320508f}, within = {cm_v(0, 0, 0), half};
    cm_sweep_hit first, sure;
    cm_interval found;
    if (!cm_sweep_sphere_halfspace(&around, f.fly.move, &f.face, &first)) return false;
    if (!cm_sweep_sphere_halfspace(&within, f.fly.move, &f.face, &sure)) sure.first = 1;
    return cm_sweep_refine(&f.fly, &f.still, {first.first, sure.first}, 4, tolerance, overlap_at, &f, &found);
}

bool swept(Flight &f) {
    cm_sweep_hit hit;
    return cm_sweep(&f.bolt, &f.fly, &f.wall, &f.still, &hit);
}

} // namespace

int main(int argc, char **argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 5, places = 200;
    struct {
        const char *name;
        bool (*find)(Flight &);
        double best = 1e300;
        long tests = 0, found = 0;
    } ways[] = {{"whole step, 4096 pieces", whole}, {"within sweep bounds, 4 pieces", bounded}, {"cm_sweep", swept}};
    for (int round = 0; round < rounds; round++)
        for (auto &way : ways) {
            double begin = bench::now();
            way.tests = way.found = 0;
            for (int i = 0; i < places; i++) {
                Flight f = {};
                f.face = {cm_v(-1, 0, 0), 0.01f + (step - 0.02f) * (i + 0.5f) / places};
                f.bolt = cm_make_box(cm_v(half, half, half)), f.wall = cm_make_halfspace(f.face.normal, f.face.d);
                f.fly.start = f.still.start = cm_pose_identity();
                f.fly.move = cm_v(step, 0, 0), f.fly.spin = cm_v(0, 0, 1.5707963f);
                way.found += way.find(f);
                way.tests += f.tests;
            }
            double ns = (bench::now() - begin) * 1e9 / places;
            if (ns < way.best) way.best = ns;
        }
    std::printf("row,way,ns,tests,found\n");
    for (auto &way : ways)
        std::printf("first contact,%s,%.1f,%.1f,%ld\n", way.name, way.best, double(way.tests) / places, way.found);
    return 0;
}
