// Two convex shapes at a time: hulls of 32 vertices on the unit sphere, random poses, about half of the pairs overlapping;
// spheres and triangles. (Spheres, boxes and capsules: bench/primitives.) Every system answers the same pairs; how many
// were found and the sums of distances and depths are compared first, then the times: the least of several rounds, in
// turn, of processor time. A table, then the same as CSV: query,system,found,sum,ns a pair,ratio to carom.
//   bench_narrow [pairs = 1000000] [rounds = 3] [query]     only queries whose name has that in it
// "close" are the pairs that balls around and within the hulls do not decide: their centers are 1.5 to 2 apart.
#include <carom/carom.h>
#include <carom/hull.h>

#include <algorithm>
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
#include <BulletCollision/CollisionDispatch/SphereTriangleDetector.h>
#include <BulletCollision/CollisionShapes/btTriangleShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkConvexCast.h>
#include <BulletCollision/NarrowPhaseCollision/btSubSimplexConvexCast.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#endif
#ifdef WITH_CCD
#include <ccd/ccd.h>
#include <ccd/quat.h>
#endif
#ifdef WITH_FCL
#include <fcl/fcl.h>
#endif
#ifdef WITH_ODE
#include <ode/ode.h>
#endif
#ifdef WITH_BOX3D
#include <box3d/collision.h>
#endif
#ifdef WITH_OPENGJK
#define USE_32BITS
#include <openGJK/openGJK.h>
#endif

enum scope { ALL, APART, WITHIN, CLOSE, AIMED, SCOPES };
struct pair_of {
    int a, b;
    cm_pose pose_a, pose_b;
    cm_vec3 move;
    cm_sphere sphere;
    cm_triangle triangle;
    cm_pair_cache cache;
};
struct answer {
    long overlapping = 0;
    double sum = 0;
};
struct row {
    std::string query, system;
    scope where;
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
    const int pairs = argc > 1 ? atoi(argv[1]) : 1000000, rounds = argc > 2 ? atoi(argv[2]) : 3, hulls = 256;
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
        cm_vec3 to = cm_sub(p.pose_b.position, p.pose_a.position);
        p.move = cm_add(cm_scale(to, (cm_real)(2 * unit(random))), cm_scale(direction(), (cm_real)(1.5 * unit(random))));
        p.cache = cm_pair_cache();
        p.sphere.center = cm_scale(direction(), (cm_real)(1.6 * unit(random))), p.sphere.radius = 0.5f;
        p.triangle = {direction(), direction(), direction()};
    }
    std::vector<pair_of> part[SCOPES];
    for (const pair_of &p : all) {
        cm_vec3 d = cm_sub(p.pose_b.position, p.pose_a.position);
        bool overlap = cm_overlap(&shapes[p.a], &p.pose_a, &shapes[p.b], &p.pose_b);
        part[ALL].push_back(p), part[overlap ? WITHIN : APART].push_back(p);
        if (cm_length(d) > 1.5f && cm_length(d) < 2) part[CLOSE].push_back(p);
        if (!overlap) part[AIMED].push_back(p);
    }
    std::vector<row> rows;
    auto add = [&](const char *query, scope where, const char *system, std::function<void(const pair_of &, answer &)> run) {
        row r;
        r.query = query, r.where = where, r.system = system, r.run = run;
        rows.push_back(r);
    };
    auto carom_boolean = [&](const pair_of &p, answer &r) {
        r.overlapping += cm_overlap(&shapes[p.a], &p.pose_a, &shapes[p.b], &p.pose_b);
    };
    auto carom_distance = [&](const pair_of &p, answer &r) {
        cm_witness w;
        double d = cm_distance(&shapes[p.a], &p.pose_a, &shapes[p.b], &p.pose_b, CM_REAL_MAX, &w);
        r.overlapping += d <= 0;
        r.sum += std::fabs(d);
    };
    auto carom_cached = [&](const pair_of &p, answer &r) {
        cm_witness w;
        double d = cm_distance_cached(&shapes[p.a], &p.pose_a, &shapes[p.b], &p.pose_b, CM_REAL_MAX, (cm_pair_cache *)&p.cache, &w);
        r.overlapping += d <= 0;
        r.sum += std::fabs(d);
    };
    auto carom_contact = [&](const pair_of &p, answer &r) {
        cm_manifold m;
        if (!cm_contact(&shapes[p.a], &p.pose_a, &shapes[p.b], &p.pose_b, 0, &m, 1)) return;
        double depth = 0;
        for (int i = 0; i < m.count; i++) depth = std::max(depth, (double)m.points[i].depth);
        r.overlapping++;
        r.sum += depth;
    };
    add("boolean", ALL, "carom", carom_boolean);
    add("boolean, close", CLOSE, "carom", carom_boolean);
    add("distance, apart", APART, "carom", carom_distance);
    add("distance, apart", APART, "carom, cached, at rest", carom_cached);
    add("distance, overlapping", WITHIN, "carom", carom_distance);
    add("contact", ALL, "carom (up to 8 points)", carom_contact);
    add("sweep, apart", AIMED, "carom", [&](const pair_of &p, answer &r) {
        cm_motion a = {}, b = {};
        a.start = p.pose_a, a.move = p.move, b.start = p.pose_b;
        cm_sweep_hit h;
        if (!cm_sweep(&shapes[p.a], &a, &shapes[p.b], &b, &h)) return;
        r.overlapping++, r.sum += h.first;
    });
    add("sphere-triangle", ALL, "carom, boolean", [&](const pair_of &p, answer &r) {
        r.overlapping += cm_overlap_sphere_triangle(&p.sphere, &p.triangle);
    });
    add("sphere-triangle", ALL, "carom, contact", [&](const pair_of &p, answer &r) {
        cm_shape ball = cm_make_sphere(p.sphere.center, p.sphere.radius), t = cm_make_triangle(p.triangle.a, p.triangle.b, p.triangle.c);
        cm_pose none = cm_pose_identity();
        cm_manifold m;
        if (!cm_contact(&ball, &none, &t, &none, 0, &m, 1)) return;
        r.overlapping++, r.sum += m.points[0].depth;
    });
    add("sphere-triangle", ALL, "carom, contact, plain structs", [&](const pair_of &p, answer &r) {
        cm_manifold m;
        if (cm_contact_sphere_triangle(&p.sphere, &p.triangle, &m)) r.overlapping++, r.sum += m.points[0].depth;
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
    add("boolean", ALL, "Bullet", [&](const pair_of &p, answer &r) { bullet_run(p, r, false); });
    add("boolean, close", CLOSE, "Bullet", [&](const pair_of &p, answer &r) { bullet_run(p, r, false); });
    add("distance, apart", APART, "Bullet", [&](const pair_of &p, answer &r) { bullet_run(p, r, false); });
    add("distance, overlapping", WITHIN, "Bullet", [&](const pair_of &p, answer &r) { bullet_run(p, r, true); });
    add("contact", ALL, "Bullet (one point)", [&](const pair_of &p, answer &r) { bullet_run(p, r, true); });
    add("sweep, apart", AIMED, "Bullet (subsimplex)", [&](const pair_of &p, answer &r) {
        btSubsimplexConvexCast cast(bullet[p.a].get(), bullet[p.b].get(), &simplex);
        btConvexCast::CastResult result;
        btTransform ta = transform(p.pose_a), end = ta, tb = transform(p.pose_b);
        end.getOrigin() += btVector3(p.move.x, p.move.y, p.move.z);
        if (cast.calcTimeOfImpact(ta, end, tb, tb, result)) r.overlapping++, r.sum += result.m_fraction;
    });
    add("sweep, apart", AIMED, "Bullet (GJK)", [&](const pair_of &p, answer &r) {
        btGjkConvexCast cast(bullet[p.a].get(), bullet[p.b].get(), &simplex);
        btConvexCast::CastResult result;
        btTransform ta = transform(p.pose_a), end = ta, tb = transform(p.pose_b);
        end.getOrigin() += btVector3(p.move.x, p.move.y, p.move.z);
        if (cast.calcTimeOfImpact(ta, end, tb, tb, result)) r.overlapping++, r.sum += result.m_fraction;
    });
    btSphereShape ball(0.5f);
    btTriangleShape bt_triangle;
    add("sphere-triangle", ALL, "Bullet, contact", [&](const pair_of &p, answer &r) {
        auto v = [](cm_vec3 q) { return btVector3(q.x, q.y, q.z); };
        bt_triangle.m_vertices1[0] = v(p.triangle.a), bt_triangle.m_vertices1[1] = v(p.triangle.b), bt_triangle.m_vertices1[2] = v(p.triangle.c);
        SphereTriangleDetector detector(&ball, &bt_triangle, 0);
        btDiscreteCollisionDetectorInterface::ClosestPointInput input;
        input.m_transformA = btTransform(btQuaternion::getIdentity(), v(p.sphere.center)), input.m_transformB = btTransform::getIdentity();
        btPointCollector out;
        detector.getClosestPoints(input, out, nullptr);
        if (out.m_hasResult && out.m_distance <= 0) r.overlapping++, r.sum -= out.m_distance;
    });
#endif
#ifdef WITH_CCD
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = ccd_farthest;
    ccd.center1 = ccd.center2 = ccd_middle;
    ccd.max_iterations = 100;
    ccd.epa_tolerance = 1e-6, ccd.mpr_tolerance = 1e-6;
    auto ccd_boolean = [&](const pair_of &p, answer &r) {
        ccd_hull a = ccd_place(points[p.a], p.pose_a), b = ccd_place(points[p.b], p.pose_b);
        r.overlapping += ccdMPRIntersect(&a, &b, &ccd);
    };
    add("boolean", ALL, "libccd MPR", ccd_boolean);
    add("boolean, close", CLOSE, "libccd MPR", ccd_boolean);
    add("contact", ALL, "libccd MPR (not minimal)", [&](const pair_of &p, answer &r) {
        ccd_hull a = ccd_place(points[p.a], p.pose_a), b = ccd_place(points[p.b], p.pose_b);
        ccd_real_t depth;
        ccd_vec3_t dir, pos;
        if (ccdMPRPenetration(&a, &b, &ccd, &depth, &dir, &pos) == 0) r.overlapping++, r.sum += depth;
    });
#endif
#ifdef WITH_BOX3D
    add("distance, apart", APART, "Box3D", [&](const pair_of &p, answer &r) {
        auto pose = [](const cm_pose &q) { return b3Transform{{q.position.x, q.position.y, q.position.z}, {{q.rotation.x, q.rotation.y, q.rotation.z}, q.rotation.w}}; };
        auto proxy = [&](int i) { return b3ShapeProxy{(const b3Vec3 *)points[i].data(), (int)points[i].size(), 0}; };
        b3DistanceInput input = {proxy(p.a), proxy(p.b), b3InvMulTransforms(pose(p.pose_a), pose(p.pose_b)), false};
        b3SimplexCache cache = {};
        r.sum += b3ShapeDistance(&input, &cache, nullptr, 0).distance;
    });
#endif
#ifdef WITH_OPENGJK
    // takes points in one frame: those of B are turned into A's
    std::vector<std::vector<float *>> gk_points(hulls);
    for (int i = 0; i < hulls; i++)
        for (cm_vec3 &v : points[i]) gk_points[i].push_back(&v.x);
    std::vector<cm_vec3> gk_turned(32);
    std::vector<float *> gk_b;
    for (cm_vec3 &v : gk_turned) gk_b.push_back(&v.x);
    add("distance, apart", APART, "openGJK", [&](const pair_of &p, answer &r) {
        const cm_pose b_in_a = cm_pose_between(&p.pose_a, &p.pose_b);
        const cm_mat3 turn = cm_mat3_from_quat(b_in_a.rotation);
        for (int i = 0; i < 32; i++) gk_turned[i] = cm_add(b_in_a.position, cm_mat3_mul(&turn, points[p.b][i]));
        gkPolytope a = {32, {points[p.a][0].x, points[p.a][0].y, points[p.a][0].z}, 0, gk_points[p.a].data()};
        gkPolytope b = {32, {gk_turned[0].x, gk_turned[0].y, gk_turned[0].z}, 0, gk_b.data()};
        gkSimplex simplex = {};
        r.sum += compute_minimum_distance(a, b, &simplex);
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
    add("boolean", ALL, "FCL (libccd)", [&](const pair_of &p, answer &r) {
        fcl::CollisionRequestd request;
        fcl::CollisionResultd result;
        r.overlapping += fcl::collide(fcl_hulls[p.a].get(), place(p.pose_a), fcl_hulls[p.b].get(), place(p.pose_b), request, result) > 0;
    });
    add("distance, apart", APART, "FCL (libccd)", [&](const pair_of &p, answer &r) {
        fcl::DistanceRequestd request(true);
        fcl::DistanceResultd result;
        double d = fcl::distance(fcl_hulls[p.a].get(), place(p.pose_a), fcl_hulls[p.b].get(), place(p.pose_b), request, result);
        r.overlapping += d <= 0;
        r.sum += std::fabs(d);
    });
#endif
#ifdef WITH_ODE
    dInitODE();
    struct ode_hull {
        std::vector<dReal> planes, points;
        std::vector<unsigned> polygons;
    };
    std::vector<ode_hull> ode_data(hulls);
    std::vector<dGeomID> ode_geoms[2]; // a pair may be of one hull twice
    for (int i = 0; i < hulls; i++) {
        const cm_hull *h = shapes[i].u.hull;
        ode_hull &o = ode_data[i];
        for (uint32_t k = 0; k < cm_hull_vertex_count(h); k++) {
            cm_vec3 p = cm_hull_vertices(h)[k];
            o.points.insert(o.points.end(), {(dReal)p.x, (dReal)p.y, (dReal)p.z});
        }
        for (uint32_t k = 0; k < cm_hull_face_count(h); k++) {
            cm_hull_face face;
            cm_hull_get_face(h, k, &face);
            o.planes.insert(o.planes.end(), {(dReal)face.normal.x, (dReal)face.normal.y, (dReal)face.normal.z, (dReal)-face.d});
            o.polygons.push_back(face.count);
            for (uint32_t c = 0; c < face.count; c++) o.polygons.push_back(face.vertices[c]);
        }
        for (auto &geoms : ode_geoms)
            geoms.push_back(dCreateConvex(nullptr, o.planes.data(), cm_hull_face_count(h), o.points.data(), cm_hull_vertex_count(h), o.polygons.data()));
    }
    auto ode_place = [](dGeomID g, const cm_pose &p) {
        dGeomSetPosition(g, p.position.x, p.position.y, p.position.z);
        const dQuaternion q = {p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z};
        dGeomSetQuaternion(g, q);
    };
    add("contact", ALL, "ODE", [&](const pair_of &p, answer &r) {
        dContactGeom contact[8];
        dGeomID a = ode_geoms[0][p.a], b = ode_geoms[1][p.b];
        ode_place(a, p.pose_a), ode_place(b, p.pose_b);
        int n = dCollide(a, b, 8, contact, sizeof contact[0]);
        double depth = 0;
        for (int i = 0; i < n; i++) depth = std::max(depth, (double)contact[i].depth);
        r.overlapping += n > 0, r.sum += depth;
    });
#endif
    const std::string only = argc > 3 ? argv[3] : "";
    std::vector<row> chosen;
    std::vector<std::string> queries;
    for (const row &r : rows) {
        if (r.query.find(only) == std::string::npos) continue;
        chosen.push_back(r);
        if (std::find(queries.begin(), queries.end(), r.query) == queries.end()) queries.push_back(r.query);
    }
    for (int round = 0; round < rounds; round++) {
        for (row &r : chosen) {
            r.got = answer();
            double start = now();
            for (const pair_of &p : part[r.where]) r.run(p, r.got);
            r.best = std::min(r.best, (now() - start) / part[r.where].size());
        }
    }
    for (int csv = 0; csv < 2; csv++) {
        printf(csv ? "query,system,pairs,found,sum,ns,ratio\n" : "%d pairs, the least of %d rounds\n", pairs, rounds);
        for (const std::string &query : queries) {
            double ours = 0;
            for (const row &r : chosen) {
                if (r.query != query) continue;
                if (ours == 0) ours = r.best;
                printf(csv ? "%s,%s,%zu,%ld,%.3f,%.1f,%.2f\n" : "%-22s %-28s %8zu pairs  %8ld found  sum %13.3f  %8.1f ns  %6.2f\n",
                       r.query.c_str(), r.system.c_str(), part[r.where].size(), r.got.overlapping, r.got.sum, r.best * 1e9, r.best / ours);
            }
        }
    }
}
