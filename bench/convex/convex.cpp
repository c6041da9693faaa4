// Hulls of 32 vertices on the unit sphere, random poses, about half of the pairs overlapping. Every system answers the same
// pairs; how many overlap and the sums of distances and depths are compared first, then the times: the least of several
// rounds, in turn, of processor time. CSV: query,system,overlapping,sum,ns a pair.
//   bench_convex [pairs] [rounds]
#include <carom/carom.h>
#include <carom/hull.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#ifdef WITH_BULLET
#include <btBulletCollisionCommon.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#endif
#ifdef WITH_CCD
#include <ccd/ccd.h>
#include <ccd/quat.h>
#endif
#ifdef WITH_FCL
#include <fcl/fcl.h>
#endif

struct pair_of {
    int a, b;
    cm_pose pose_a, pose_b;
};
struct answer {
    long overlapping = 0;
    double sum = 0;
};
struct row {
    std::string query, system;
    std::function<void(const pair_of &, answer &)> run;
    double best = 1e300;
    answer got;
};

static double now() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#ifdef WITH_CCD
struct ccd_hull {
    const std::vector<cm_vec3> *points;
    ccd_vec3_t at;
    ccd_quat_t turn, back;
};
static void ccd_farthest(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out) {
    const ccd_hull *h = (const ccd_hull *)object;
    ccd_vec3_t d = *direction;
    ccdQuatRotVec(&d, &h->back);
    double best = -1e300;
    const cm_vec3 *pick = nullptr;
    for (const cm_vec3 &p : *h->points) {
        double v = p.x * d.v[0] + p.y * d.v[1] + p.z * d.v[2];
        if (v > best) best = v, pick = &p;
    }
    ccdVec3Set(out, pick->x, pick->y, pick->z);
    ccdQuatRotVec(out, &h->turn);
    ccdVec3Add(out, &h->at);
}
static void ccd_middle(const void *object, ccd_vec3_t *out) { *out = ((const ccd_hull *)object)->at; }
static ccd_hull ccd_place(const std::vector<cm_vec3> &points, const cm_pose &p) {
    ccd_hull h;
    h.points = &points;
    ccdVec3Set(&h.at, p.position.x, p.position.y, p.position.z);
    ccdQuatSet(&h.turn, p.rotation.x, p.rotation.y, p.rotation.z, p.rotation.w);
    ccdQuatInvert2(&h.back, &h.turn);
    return h;
}
#endif

int main(int argc, char **argv) {
    const int pairs = argc > 1 ? atoi(argv[1]) : 20000, rounds = argc > 2 ? atoi(argv[2]) : 5, hulls = 256;
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> unit;
    auto direction = [&] {
        double x = normal(random), y = normal(random), z = normal(random), l = std::sqrt(x * x + y * y + z * z);
        return cm_v((cm_real)(x / l), (cm_real)(y / l), (cm_real)(z / l));
    };
    std::vector<std::vector<cm_vec3>> points(hulls);
    std::vector<cm_shape> shapes;
    for (auto &p : points) {
        for (int i = 0; i < 32; i++) p.push_back(direction());
        cm_hull_desc desc = {};
        desc.points = &p[0].x, desc.point_count = 32;
        cm_hull *hull = nullptr;
        if (cm_hull_build(&desc, nullptr, &hull, nullptr) != CM_OK) return 1;
        shapes.push_back(cm_make_hull(hull));
    }
    std::vector<pair_of> all(pairs);
    for (pair_of &p : all) {
        p.a = (int)(random() % hulls), p.b = (int)(random() % hulls);
        auto turn = [&] {
            cm_quat q = {(cm_real)normal(random), (cm_real)normal(random), (cm_real)normal(random), (cm_real)normal(random)};
            return cm_quat_normalize(q);
        };
        p.pose_a.rotation = turn(), p.pose_b.rotation = turn();
        p.pose_a.position = cm_scale(direction(), (cm_real)(unit(random) * 10));
        p.pose_b.position = cm_add(p.pose_a.position, cm_scale(direction(), (cm_real)(unit(random) * 3.4)));
    }
    std::vector<row> rows;
    auto add = [&](const char *query, const char *system, std::function<void(const pair_of &, answer &)> run) {
        row r;
        r.query = query, r.system = system, r.run = run;
        rows.push_back(r);
    };
    add("boolean", "carom", [&](const pair_of &p, answer &r) {
        r.overlapping += cm_overlap(&shapes[p.a], &p.pose_a, &shapes[p.b], &p.pose_b);
    });
    add("distance", "carom", [&](const pair_of &p, answer &r) {
        cm_witness w;
        double d = cm_distance(&shapes[p.a], &p.pose_a, &shapes[p.b], &p.pose_b, CM_REAL_MAX, &w);
        r.overlapping += d <= 0;
        if (d > 0) r.sum += d;
    });
    add("contact", "carom", [&](const pair_of &p, answer &r) {
        cm_manifold m;
        if (!cm_contact(&shapes[p.a], &p.pose_a, &shapes[p.b], &p.pose_b, 0, &m, 1)) return;
        double depth = 0;
        for (int i = 0; i < m.count; i++) depth = std::max(depth, (double)m.points[i].depth);
        r.overlapping++;
        r.sum += depth;
    });
#ifdef WITH_BULLET
    std::vector<std::unique_ptr<btConvexHullShape>> bullet;
    for (auto &p : points) {
        bullet.emplace_back(new btConvexHullShape);
        for (const cm_vec3 &v : p) bullet.back()->addPoint(btVector3(v.x, v.y, v.z), false);
        bullet.back()->setMargin(0);
        bullet.back()->recalcLocalAabb();
    }
    auto transform = [](const cm_pose &p) {
        return btTransform(btQuaternion(p.rotation.x, p.rotation.y, p.rotation.z, p.rotation.w),
                           btVector3(p.position.x, p.position.y, p.position.z));
    };
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver epa;
    auto bullet_run = [&](const pair_of &p, answer &r, bool depth) {
        btGjkPairDetector detector(bullet[p.a].get(), bullet[p.b].get(), &simplex, depth ? &epa : nullptr);
        btGjkPairDetector::ClosestPointInput input;
        input.m_transformA = transform(p.pose_a), input.m_transformB = transform(p.pose_b);
        btPointCollector out;
        detector.getClosestPoints(input, out, nullptr);
        bool apart = out.m_hasResult && out.m_distance > 0;
        r.overlapping += !apart;
        if (depth != apart && out.m_hasResult) r.sum += std::fabs(out.m_distance);
    };
    add("distance", "Bullet", [&](const pair_of &p, answer &r) { bullet_run(p, r, false); });
    add("contact", "Bullet (one point)", [&](const pair_of &p, answer &r) { bullet_run(p, r, true); });
#endif
#ifdef WITH_CCD
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = ccd_farthest;
    ccd.center1 = ccd.center2 = ccd_middle;
    ccd.max_iterations = 100;
    ccd.epa_tolerance = 1e-6, ccd.mpr_tolerance = 1e-6;
    add("boolean", "libccd MPR", [&](const pair_of &p, answer &r) {
        ccd_hull a = ccd_place(points[p.a], p.pose_a), b = ccd_place(points[p.b], p.pose_b);
        r.overlapping += ccdMPRIntersect(&a, &b, &ccd);
    });
    add("contact", "libccd MPR (not minimal)", [&](const pair_of &p, answer &r) {
        ccd_hull a = ccd_place(points[p.a], p.pose_a), b = ccd_place(points[p.b], p.pose_b);
        ccd_real_t depth;
        ccd_vec3_t dir, pos;
        if (ccdMPRPenetration(&a, &b, &ccd, &depth, &dir, &pos) == 0) r.overlapping++, r.sum += depth;
    });
#endif
#ifdef WITH_FCL
    std::vector<std::shared_ptr<fcl::CollisionGeometryd>> fcl_hulls;
    for (int i = 0; i < hulls; i++) {
        const cm_hull *h = shapes[i].u.hull;
        auto v = std::make_shared<std::vector<fcl::Vector3d>>();
        auto f = std::make_shared<std::vector<int>>();
        for (uint32_t k = 0; k < cm_hull_vertex_count(h); k++) {
            cm_vec3 p = cm_hull_vertices(h)[k];
            v->push_back(fcl::Vector3d(p.x, p.y, p.z));
        }
        for (uint32_t k = 0; k < cm_hull_face_count(h); k++) {
            cm_hull_face face;
            cm_hull_get_face(h, k, &face);
            f->push_back((int)face.count);
            for (uint32_t c = 0; c < face.count; c++) f->push_back((int)face.vertices[c]);
        }
        fcl_hulls.push_back(std::make_shared<fcl::Convexd>(v, (int)cm_hull_face_count(h), f));
    }
    auto place = [](const cm_pose &p) {
        fcl::Transform3d t = fcl::Transform3d::Identity();
        t.linear() = fcl::Quaterniond(p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z).normalized().toRotationMatrix();
        t.translation() = fcl::Vector3d(p.position.x, p.position.y, p.position.z);
        return t;
    };
    add("distance", "FCL (libccd)", [&](const pair_of &p, answer &r) {
        fcl::DistanceRequestd request(true);
        fcl::DistanceResultd result;
        double d = fcl::distance(fcl_hulls[p.a].get(), place(p.pose_a), fcl_hulls[p.b].get(), place(p.pose_b), request, result);
        r.overlapping += d <= 0;
        if (d > 0) r.sum += d;
    });
#endif
    for (int round = 0; round < rounds; round++) {
        for (row &r : rows) {
            r.got = answer();
            double start = now();
            for (const pair_of &p : all) r.run(p, r.got);
            r.best = std::min(r.best, (now() - start) / pairs);
        }
    }
    printf("query,system,overlapping,sum,ns\n");
    for (const char *query : {"boolean", "distance", "contact"})
        for (const row &r : rows)
            if (r.query == query)
                printf("%s,%s,%ld,%.3f,%.0f\n", query, r.system.c_str(), r.got.overlapping, r.got.sum, r.best * 1e9);
}
