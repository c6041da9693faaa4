// Convex hulls of clouds, side by side: counts first, then times. CSV on stdout:
//   workload,points,library,vertices,faces,milliseconds,ratio     (ratio: this library's time / carom's)
// Rounds are interleaved, the fastest of each counts. Faces are triangles for libraries that merge nothing; vertices are
// the corners of the hull, which exact libraries must agree on.
//   bench_hull [hull_clouds.bin]   the file: repeat { uint32 count; count x 3 float32 }
#include <carom/carom.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

#ifdef HAVE_BULLET
#include <LinearMath/btConvexHullComputer.h>
#endif
#ifdef HAVE_CGAL
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/convex_hull_3.h>
#endif
#ifdef HAVE_QHULL
extern "C" {
#include <libqhull_r/libqhull_r.h>
}
#endif

namespace {

using cloud = std::vector<float>; // x y z ...
struct counts {
    size_t vertices = 0, faces = 0;
};

counts run_carom(const cloud &c) {
    cm_hull_desc desc{};
    desc.points = c.data();
    desc.point_count = uint32_t(c.size() / 3);
    cm_hull *hull = nullptr;
    if (cm_hull_build(&desc, nullptr, &hull, nullptr) != CM_OK) return {};
    counts n{cm_hull_vertex_count(hull), cm_hull_face_count(hull)};
    cm_hull_destroy(hull, nullptr);
    return n;
}
#ifdef HAVE_BULLET
counts run_bullet(const cloud &c) {
    btConvexHullComputer hull;
    hull.compute(c.data(), 3 * sizeof(float), int(c.size() / 3), 0, 0);
    return {size_t(hull.vertices.size()), size_t(hull.faces.size())};
}
#endif
#ifdef HAVE_CGAL
counts run_cgal(const cloud &c) {
    using K = CGAL::Exact_predicates_inexact_constructions_kernel;
    std::vector<K::Point_3> points;
    points.reserve(c.size() / 3);
    for (size_t i = 0; i + 2 < c.size(); i += 3) points.emplace_back(c[i], c[i + 1], c[i + 2]);
    CGAL::Surface_mesh<K::Point_3> mesh;
    CGAL::convex_hull_3(points.begin(), points.end(), mesh);
    return {mesh.number_of_vertices(), mesh.number_of_faces()};
}
#endif
#ifdef HAVE_QHULL
counts run_qhull(const cloud &c) {
    std::vector<coordT> points(c.begin(), c.end());
    qhT qh;
    qh_zero(&qh, stderr);
    char flags[] = "qhull";
    FILE *null = std::fopen("/dev/null", "w");
    int code = qh_new_qhull(&qh, 3, int(c.size() / 3), points.data(), 0, flags, nullptr, null);
    counts n;
    if (code == 0) n.vertices = size_t(qh.num_vertices), n.faces = size_t(qh.num_facets);
    qh_freeqhull(&qh, !qh_ALL);
    int kept, total;
    qh_memfreeshort(&qh, &kept, &total);
    std::fclose(null);
    return n;
}
#endif

struct library {
    const char *name;
    counts (*run)(const cloud &);
};
const library libraries[] = {
    {"carom", run_carom},
#ifdef HAVE_BULLET
    {"bullet", run_bullet},
#endif
#ifdef HAVE_CGAL
    {"cgal", run_cgal},
#endif
#ifdef HAVE_QHULL
    {"qhull", run_qhull},
#endif
};

double now() {
    using clock = std::chrono::steady_clock;
    return std::chrono::duration<double, std::milli>(clock::now().time_since_epoch()).count();
}

void compare(const char *workload, const std::vector<cloud> &clouds, int rounds) {
    constexpr size_t n = sizeof libraries / sizeof libraries[0];
    double best[n];
    counts sum[n];
    size_t points = 0;
    for (const cloud &c : clouds) points += c.size() / 3;
    for (size_t l = 0; l < n; ++l) best[l] = 1e300;
    for (int r = 0; r < rounds; ++r) {
        for (size_t l = 0; l < n; ++l) {
            counts total;
            double start = now();
            for (const cloud &c : clouds) {
                counts one = libraries[l].run(c);
                total.vertices += one.vertices, total.faces += one.faces;
            }
            double time = now() - start;
            if (time < best[l]) best[l] = time;
            sum[l] = total;
        }
    }
    for (size_t l = 0; l < n; ++l)
        std::printf("%s,%zu,%s,%zu,%zu,%.3f,%.2f\n", workload, points, libraries[l].name, sum[l].vertices, sum[l].faces,
                    best[l], best[l] / best[0]);
    std::fflush(stdout);
}

std::mt19937 random_bits(7);
float normal() {
    static std::normal_distribution<float> d;
    return d(random_bits);
}
cloud on_sphere(size_t count, bool ball) {
    cloud c;
    for (size_t i = 0; i < count; ++i) {
        float x = normal(), y = normal(), z = normal(), r = std::sqrt(x * x + y * y + z * z);
        float s = ball ? std::cbrt(std::uniform_real_distribution<float>()(random_bits)) : 1;
        c.insert(c.end(), {s * x / r, s * y / r, s * z / r});
    }
    return c;
}
cloud grid(int side) {
    cloud c;
    for (int i = 0; i < side * side * side; ++i)
        c.insert(c.end(), {float(i % side), float(i / side % side), float(i / side / side)});
    return c;
}
std::vector<cloud> read_clouds(const char *path) {
    std::vector<cloud> all;
    FILE *file = std::fopen(path, "rb");
    uint32_t n = 0;
    while (file && std::fread(&n, 4, 1, file) == 1) {
        cloud c(3 * size_t(n));
        if (std::fread(c.data(), 4, c.size(), file) != c.size()) break;
        all.push_back(c);
    }
    if (file) std::fclose(file);
    return all;
}

void supports() {
    std::puts("support,vertices,ns");
    for (int n : {8, 16, 32, 64, 96, 97, 128, 256, 1024, 10000, 100000}) {
        cloud c = on_sphere(size_t(n), false);
        cm_hull_desc desc{};
        desc.points = c.data();
        desc.point_count = uint32_t(n);
        cm_hull *hull = nullptr;
        if (cm_hull_build(&desc, nullptr, &hull, nullptr) != CM_OK) return;
        cloud d = on_sphere(4096, false);
        double best = 1e300;
        uint32_t sum = 0;
        for (int r = 0; r < 20; ++r) {
            double start = now();
            for (size_t i = 0; i < 4096; ++i)
                sum += cm_hull_support(hull, cm_v(d[3 * i], d[3 * i + 1], d[3 * i + 2]));
            best = std::min(best, now() - start);
        }
        std::printf("support,%u,%.1f,%u\n", cm_hull_vertex_count(hull), best * 1e6 / 4096, sum & 1);
        cm_hull_destroy(hull, nullptr);
    }
}

} // namespace

int main(int argc, char **argv) {
    std::puts("workload,points,library,vertices,faces,milliseconds,ratio");
    if (argc > 1) compare("recorded clouds", read_clouds(argv[1]), 7);
    std::vector<cloud> small;
    for (int i = 0; i < 3000; ++i) small.push_back(on_sphere(32, false));
    compare("3000 spheres of 32", small, 7);
    compare("sphere of 1e5", {on_sphere(100000, false)}, 5);
    compare("ball of 1e5", {on_sphere(100000, true)}, 7);
    compare("grid of 40^3", {grid(40)}, 5);
    supports();
}
