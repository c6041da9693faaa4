// A mesh (meshes/fcl_env.obj) against one convex shape at random poses, in double, beside FCL (OBBRSS) on the same poses
// in one run. The answers are compared before any time is told.
//
//   bench_composite DATA [POSES] [ROUNDS]      prints CSV: query, shape, hits, carom_ns, fcl_ns, fcl_hits
//
// Every row is the least of ROUNDS interleaved rounds, in ns a query of processor time, over all poses.
#include "support/bench.hpp"

#include <carom/carom.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#ifdef WITH_FCL
#include <fcl/fcl.h>
#endif

namespace {

using bench::now, bench::Random;
using Soup = bench::Soup<double>;

struct Row {
    double least = 1e300;
    long hits = 0;
};

void time_row(Row &row, int poses, const std::function<long()> &run) {
    double start = now();
    row.hits = run();
    row.least = std::min(row.least, (now() - start) / poses * 1e9);
}

} // namespace

int main(int argc, char **argv) {
    if (argc < 2) return std::fprintf(stderr, "usage: bench_composite DATA [POSES] [ROUNDS]\n"), 2;
    int poses = argc > 2 ? std::atoi(argv[2]) : 20000, rounds = argc > 3 ? std::atoi(argv[3]) : 5;
    Soup soup = bench::load<double>(std::string(argv[1]) + "/meshes/fcl_env.obj");
    cm_mesh_desc desc = {};
    desc.points = soup.points.data();
    desc.point_count = static_cast<uint32_t>(soup.points.size() / 3);
    desc.indices = soup.indices.data();
    desc.triangle_count = static_cast<uint32_t>(soup.indices.size() / 3);
    cm_mesh *mesh = nullptr;
    if (cm_mesh_build(&desc, nullptr, &mesh, nullptr) != CM_OK) return 3;
    cm_mesh_info info;
    cm_mesh_get_info(mesh, &info);
    cm_shape m = cm_make_mesh(mesh);
    cm_pose home = cm_pose_identity();

    cm_vec3 size = cm_sub(info.bounds.max, info.bounds.min);
    double unit = 0.03 * std::max(size.x, std::max(size.y, size.z));
    Random r{1};
    std::vector<cm_pose> at(static_cast<size_t>(poses));
    for (cm_pose &p : at) {
        p.position = cm_v(r.range(info.bounds.min.x, info.bounds.max.x), r.range(info.bounds.min.y, info.bounds.max.y),
                          r.range(info.bounds.min.z, info.bounds.max.z));
        double u = r.unit(), v = 2 * M_PI * r.unit(), w = 2 * M_PI * r.unit();
        p.rotation = {std::sqrt(1 - u) * std::sin(v), std::sqrt(1 - u) * std::cos(v), std::sqrt(u) * std::sin(w),
                      std::sqrt(u) * std::cos(w)};
    }
    std::vector<double> cloud;
    for (int i = 0; i < 3 * 32; ++i) cloud.push_back(unit * r.range(-1, 1));
    cm_hull_desc hull_desc = {};
    hull_desc.points = cloud.data();
    hull_desc.point_count = 32;
    cm_hull *hull = nullptr;
    if (cm_hull_build(&hull_desc, nullptr, &hull, nullptr) != CM_OK) return 3;

    const char *names[4] = {"ball", "capsule", "box", "hull"};
    cm_shape shapes[4] = {cm_make_sphere(cm_v(0, 0, 0), unit),
                          cm_make_capsule(cm_v(0, 0, -unit), cm_v(0, 0, unit), unit / 2),
                          cm_make_box(cm_v(unit, unit / 2, unit / 3)), cm_make_hull(hull)};
#ifdef WITH_FCL
    using Model = fcl::BVHModel<fcl::OBBRSS<double>>;
    auto model = std::make_shared<Model>();
    model->beginModel();
    std::vector<fcl::Vector3d> points;
    for (size_t i = 0; i < soup.points.size(); i += 3)
        points.emplace_back(soup.points[i], soup.points[i + 1], soup.points[i + 2]);
    std::vector<fcl::Triangle> triangles;
    for (size_t i = 0; i < soup.indices.size(); i += 3)
        triangles.emplace_back(soup.indices[i], soup.indices[i + 1], soup.indices[i + 2]);
    model->addSubModel(points, triangles);
    model->endModel();
    fcl::CollisionObjectd world(model);
    std::shared_ptr<fcl::CollisionGeometryd> others[4] = {
        std::make_shared<fcl::Sphered>(unit), std::make_shared<fcl::Capsuled>(unit / 2, 2 * unit),
        std::make_shared<fcl::Boxd>(2 * unit, unit, 2 * unit / 3), nullptr};
    std::vector<fcl::Transform3d> places;
    for (const cm_pose &p : at) {
        fcl::Transform3d t = fcl::Transform3d::Identity();
        t.linear() = Eigen::Quaterniond(p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z).toRotationMatrix();
        t.translation() = fcl::Vector3d(p.position.x, p.position.y, p.position.z);
        places.push_back(t);
    }
#endif
    std::printf("query,shape,poses,hits,carom_ns,fcl_ns,fcl_hits\n");
    for (int s = 0; s < 4; ++s) {
        const char *queries[4] = {"overlap", "distance", "contact", "sweep"};
        for (int q = 0; q < 4; ++q) {
            Row ours, fcl;
            for (int round = 0; round < rounds; ++round) {
                time_row(ours, poses, [&]() {
                    long hits = 0;
                    static cm_manifold manifolds[64];
                    for (const cm_pose &p : at) {
                        if (q == 0) hits += cm_overlap(&shapes[s], &p, &m, &home);
                        if (q == 1) hits += cm_distance(&shapes[s], &p, &m, &home, CM_REAL_MAX, nullptr) <= 0;
                        if (q == 2) hits += cm_contact(&shapes[s], &p, &m, &home, 0, manifolds, 64) > 0;
                        if (q == 3) {
                            cm_motion a = {}, b = {};
                            a.start = p, b.start = home;
                            a.move = cm_v(2 * unit, unit, -unit);
                            hits += cm_sweep(&shapes[s], &a, &m, &b, nullptr);
                        }
                    }
                    return hits;
                });
#ifdef WITH_FCL
                if (!others[s] || q > 2) continue;
                time_row(fcl, poses, [&]() {
                    long hits = 0;
                    for (const fcl::Transform3d &p : places) {
                        fcl::Transform3d identity = fcl::Transform3d::Identity();
                        if (q == 1) {
                            fcl::DistanceRequestd request;
                            fcl::DistanceResultd result;
                            hits += fcl::distance(others[s].get(), p, model.get(), identity, request, result) <= 0;
                        } else {
                            fcl::CollisionRequestd request(q == 0 ? 1 : 64, q == 2);
                            fcl::CollisionResultd result;
                            hits += fcl::collide(others[s].get(), p, model.get(), identity, request, result) > 0;
                        }
                    }
                    return hits;
                });
#endif
            }
            std::printf("%s,%s,%d,%ld,%.0f,", queries[q], names[s], poses, ours.hits, ours.least);
            if (fcl.least < 1e299)
                std::printf("%.0f,%ld\n", fcl.least, fcl.hits);
            else
                std::printf(",\n");
            std::fflush(stdout);
        }
    }
    cm_hull_destroy(hull, nullptr);
    cm_mesh_destroy(mesh, nullptr);
    return 0;
}
