// Mesh against mesh: the classic pair fcl_env.obj x fcl_rob.obj at random poses, in double, beside FCL (OBBRSS), CGAL
// (AABB tree) and ODE on the same poses in one run. The answers are compared before any time is told.
//
//   bench_mesh DATA [POSES] [ROUNDS]        DATA holds meshes/fcl_env.obj; prints a table and, as CSV, the same rows
//
// Every row is the least of ROUNDS interleaved rounds, in µs a query, over all poses.
#include "support/bench.hpp"

#include <carom/carom.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#ifdef WITH_FCL
#include <fcl/fcl.h>
#endif
#ifdef WITH_ODE
#include <ode/ode.h>
#endif
#ifdef WITH_CGAL
#include <CGAL/AABB_face_graph_triangle_primitive.h>
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Simple_cartesian.h>
#endif

namespace {

using bench::now, bench::Random;
using Soup = bench::Soup<double>;

cm_mesh *build(const Soup &soup) {
    cm_mesh_desc desc = {};
    desc.points = soup.points.data();
    desc.point_count = static_cast<uint32_t>(soup.points.size() / 3);
    desc.indices = soup.indices.data();
    desc.triangle_count = static_cast<uint32_t>(soup.indices.size() / 3);
    cm_mesh *mesh = nullptr;
    if (cm_mesh_build(&desc, nullptr, &mesh, nullptr) != CM_OK) std::exit(3);
    return mesh;
}

// Uniform rotations [Shoemake92]. As FCL's own test of this pair: positions in the box of the environment, any rotation.
std::vector<cm_pose> poses(int count, const cm_aabb &box) {
    Random r{1};
    std::vector<cm_pose> out;
    const double tau = 6.283185307179586;
    for (int i = 0; i < count; ++i) {
        cm_pose p;
        p.position.x = r.range(box.min.x, box.max.x);
        p.position.y = r.range(box.min.y, box.max.y);
        p.position.z = r.range(box.min.z, box.max.z);
        double u = r.unit(), v = r.range(0, tau), w = r.range(0, tau);
        p.rotation.x = std::sqrt(1 - u) * std::sin(v), p.rotation.y = std::sqrt(1 - u) * std::cos(v);
        p.rotation.z = std::sqrt(u) * std::sin(w), p.rotation.w = std::sqrt(u) * std::cos(w);
        out.push_back(p);
    }
    return out;
}

struct Row {
    std::string task, who;
    std::function<double()> run; // over all poses; returns what it found
    double found = 0, micros = 1e300;
};

#ifdef WITH_FCL
std::shared_ptr<fcl::BVHModel<fcl::OBBRSSd>> fcl_model(const Soup &soup) {
    auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    model->beginModel();
    auto at = [&](uint32_t i) { return fcl::Vector3d(soup.points[3 * i], soup.points[3 * i + 1], soup.points[3 * i + 2]); };
    for (size_t t = 0; t + 2 < soup.indices.size(); t += 3)
        model->addTriangle(at(soup.indices[t]), at(soup.indices[t + 1]), at(soup.indices[t + 2]));
    model->endModel();
    return model;
}
fcl::Transform3d fcl_transform(const cm_pose &p) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    t.translation() = fcl::Vector3d(p.position.x, p.position.y, p.position.z);
    t.linear() = fcl::Quaterniond(p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z).toRotationMatrix();
    return t;
}
#endif

#ifdef WITH_CGAL
using Kernel = CGAL::Simple_cartesian<double>;
using Triangles = std::vector<Kernel::Triangle_3>;
using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator>>>;
#endif

#ifdef WITH_ODE
dGeomID ode_geom(const Soup &soup) {
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    auto *points = new std::vector<double>(soup.points);
    auto *indices = new std::vector<dTriIndex>(soup.indices.begin(), soup.indices.end());
    dGeomTriMeshDataBuildDouble(data, points->data(), 3 * sizeof(double), static_cast<int>(points->size() / 3),
                                indices->data(), static_cast<int>(indices->size()), 3 * sizeof(dTriIndex));
    return dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr);
}
#endif

} // namespace

int main(int argc, char **argv) {
    if (argc < 2) return std::fprintf(stderr, "usage: bench_mesh DATA [POSES] [ROUNDS]\n"), 2;
    int count = argc > 2 ? std::atoi(argv[2]) : 1000, rounds = argc > 3 ? std::atoi(argv[3]) : 5;
    std::string folder = std::string(argv[1]) + "/meshes/";
    Soup env = bench::load<double>(folder + "fcl_env.obj"), rob = bench::load<double>(folder + "fcl_rob.obj");
    cm_mesh *a = build(env), *b = build(rob);
    cm_aabb box;
    box.min = cm_v(-3000, -3000, 0), box.max = cm_v(3000, 3000, 3000); // of FCL's test
    std::vector<cm_pose> at = poses(count, box);
    cm_pose identity = cm_pose_identity();
    cm_shape shape_a = cm_make_mesh(a), shape_b = cm_make_mesh(b);
    std::vector<char> hit(at.size());
    for (size_t i = 0; i < at.size(); ++i) hit[i] = cm_overlap(&shape_a, &identity, &shape_b, &at[i]);

    std::vector<Row> rows;
    auto add = [&](const char *task, const char *who, std::function<double()> run) { rows.push_back({task, who, run}); };
    auto each = [&](std::function<double(size_t)> one) {
        return [&at, one] {
            double sum = 0;
            for (size_t i = 0; i < at.size(); ++i) sum += one(i);
            return sum;
        };
    };
    add("boolean", "carom", each([&](size_t i) { return cm_overlap(&shape_a, &identity, &shape_b, &at[i]); }));
    add("all pairs", "carom", each([&](size_t i) {
            return double(cm_mesh_crossings(&shape_a, &identity, &shape_b, &at[i], nullptr, nullptr));
        }));
    add("all pairs, segments", "carom", each([&](size_t i) {
            auto visit = [](void *user, const cm_crossing *c) {
                std::memcpy(user, c, sizeof *c);
                return true;
            };
            cm_crossing last;
            return double(cm_mesh_crossings(&shape_a, &identity, &shape_b, &at[i], visit, &last));
        }));
    add("distance, separated", "carom", each([&](size_t i) {
            cm_witness w;
            return hit[i] ? 0 : std::max(0.0, double(cm_distance(&shape_a, &identity, &shape_b, &at[i], CM_REAL_MAX, &w)));
        }));
#ifdef WITH_FCL
    auto fa = fcl_model(env), fb = fcl_model(rob);
    std::vector<fcl::Transform3d> ft;
    for (const cm_pose &p : at) ft.push_back(fcl_transform(p));
    fcl::Transform3d fi = fcl::Transform3d::Identity();
    add("boolean", "fcl", each([&](size_t i) {
            fcl::CollisionRequestd request(1, false);
            fcl::CollisionResultd result;
            fcl::collide(fa.get(), fi, fb.get(), ft[i], request, result);
            return double(result.isCollision());
        }));
    add("all pairs", "fcl", each([&](size_t i) {
            fcl::CollisionRequestd request(100000, false);
            fcl::CollisionResultd result;
            fcl::collide(fa.get(), fi, fb.get(), ft[i], request, result);
            return double(result.numContacts());
        }));
    add("all pairs, segments", "fcl", each([&](size_t i) {
            fcl::CollisionRequestd request(100000, true);
            fcl::CollisionResultd result;
            fcl::collide(fa.get(), fi, fb.get(), ft[i], request, result);
            return double(result.numContacts());
        }));
    auto fcl_distance = [&](size_t i) {
        fcl::DistanceRequestd request(true);
        fcl::DistanceResultd result;
        fcl::distance(fa.get(), fi, fb.get(), ft[i], request, result);
        return std::max(0.0, result.min_distance);
    };
    add("distance, separated", "fcl", each([&, fcl_distance](size_t i) { return hit[i] ? 0 : fcl_distance(i); }));
#endif
#ifdef WITH_CGAL
    auto triangles = [](const Soup &soup) {
        Triangles out;
        auto p = [&](uint32_t i) { return Kernel::Point_3(soup.points[3 * i], soup.points[3 * i + 1], soup.points[3 * i + 2]); };
        for (size_t t = 0; t + 2 < soup.indices.size(); t += 3)
            out.emplace_back(p(soup.indices[t]), p(soup.indices[t + 1]), p(soup.indices[t + 2]));
        return out;
    };
    Triangles ca = triangles(env), cb = triangles(rob);
    Tree tree_a(ca.cbegin(), ca.cend()), tree_b(cb.cbegin(), cb.cend());
    tree_a.build(), tree_b.build();
    add("boolean", "cgal", each([&](size_t i) {
            // the environment's tree against each posed triangle: slower than CGAL's pair of trees for closed surfaces,
            // which refuses these soups
            cm_mat3 m = cm_mat3_from_quat(at[i].rotation);
            const cm_vec3 &t = at[i].position;
            CGAL::Aff_transformation_3<Kernel> pose(m.x.x, m.y.x, m.z.x, t.x, m.x.y, m.y.y, m.z.y, t.y, m.x.z, m.y.z, m.z.z, t.z);
            for (const auto &triangle : cb)
                if (tree_a.do_intersect(triangle.transform(pose))) return 1.0;
            return 0.0;
        }));
#endif
#ifdef WITH_ODE
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    dGeomID oa = ode_geom(env), ob = ode_geom(rob);
    add("boolean", "ode", each([&](size_t i) {
            dGeomSetPosition(ob, at[i].position.x, at[i].position.y, at[i].position.z);
            dQuaternion q = {at[i].rotation.w, at[i].rotation.x, at[i].rotation.y, at[i].rotation.z};
            dGeomSetQuaternion(ob, q);
            dContactGeom contact[4];
            return dCollide(oa, ob, 1, contact, sizeof *contact) > 0 ? 1.0 : 0.0;
        }));
#endif
    for (Row &row : rows) row.found = row.run();
    std::printf("found, over %d poses:\n", count);
    int differing = 0;
    for (const Row &row : rows) {
        double own = 0;
        for (const Row &other : rows)
            if (other.task == row.task && other.who == "carom") own = other.found;
        bool differs = std::fabs(row.found - own) > 1e-9 * own;
        differing += differs;
        std::printf("  %-22s %-6s %.9g%s\n", row.task.c_str(), row.who.c_str(), row.found, differs ? "  DIFFERS" : "");
    }
    for (int round = 0; round < rounds; ++round)
        for (Row &row : rows) {
            double start = now();
            row.run();
            row.micros = std::min(row.micros, (now() - start) * 1e6 / count);
        }
    std::printf("task,who,found,us_per_query,ratio_to_carom\n");
    for (const Row &row : rows) {
        double own = 0;
        for (const Row &other : rows)
            if (other.task == row.task && other.who == "carom") own = other.micros;
        std::printf("%s,%s,%.9g,%.3f,%.2f\n", row.task.c_str(), row.who.c_str(), row.found, row.micros, row.micros / own);
    }
    cm_mesh_destroy(a, nullptr);
    cm_mesh_destroy(b, nullptr);
    return differing ? 1 : 0;
}
