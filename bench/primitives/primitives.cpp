// Two simple shapes at a time: 1M random pairs, about half of them overlapping, read in order from cold arrays, beside
// Bullet, Jolt, Box3D (float), ODE, FCL and libccd (double) on the same pairs in one run. Counts are compared before times.
//
//   bench_primitives [PAIRS] [ROUNDS] [ROW]     a table (only rows whose name has ROW in it), then the same rows as CSV; ns a pair, the least of ROUNDS interleaved
//
// Peers keep one pair of objects each, whose sizes and poses are set for every pair: that is part of their time, as
// reading ours is of ours.
#include <carom/carom.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#ifdef WITH_BULLET
#include <btBulletCollisionCommon.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkConvexCast.h>
#include <BulletCollision/NarrowPhaseCollision/btSubSimplexConvexCast.h>
#endif
#ifdef WITH_ODE
#include <ode/ode.h>
#endif
#ifdef WITH_FCL
#include <fcl/fcl.h>
#endif
#ifdef WITH_CCD
#include <ccd/ccd.h>
#include <ccd/quat.h>
#endif
#ifdef WITH_JOLT
#include "primitives/jolt.h"
#endif
#ifdef WITH_BOX3D
#include <box3d/collision.h>
#endif

namespace {

uint64_t state = 0x9e3779b97f4a7c15u;
double unit() {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return static_cast<double>(state >> 11) * 0x1p-53;
}
float between(double a, double b) { return static_cast<float>(a + (b - a) * unit()); }
cm_vec3 direction() {
    for (;;) {
        cm_vec3 v = cm_v(between(-1, 1), between(-1, 1), between(-1, 1));
        float n = cm_dot(v, v);
        if (n > 0.01f && n <= 1) return cm_scale(v, 1 / cm_sqrt(n));
    }
}
cm_quat rotation() {
    for (;;) {
        cm_quat q = {between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)};
        float n = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
        if (n > 0.01f && n <= 1) return cm_quat_normalize(q);
    }
}

struct Pair { // one record a pair: position, rotation, size of both, motion of A
    cm_obb a, b;
    cm_vec3 move;
    cm_sphere sphere_a, sphere_b; // the same centers, radius half.x
    cm_capsule capsule_a, capsule_b; // along the boxes' y axes
};

double now() { // of this thread: the machine may be shared
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

struct Entry {
    std::string name;
    std::function<long()> run;
    long count = 0;
    double best = 1e300;
};

struct Row {
    std::string name;
    std::vector<Entry> entries;
};

void measure(Row &row, size_t pairs, int rounds) {
    for (int r = 0; r < rounds; r++)
        for (Entry &e : row.entries) {
            double start = now();
            e.count = e.run();
            double ns = (now() - start) / static_cast<double>(pairs);
            if (ns < e.best) e.best = ns;
        }
    std::printf("%-24s", row.name.c_str());
    for (Entry &e : row.entries) std::printf("  %s %.1f ns (%ld) %.2fx", e.name.c_str(), e.best, e.count, e.best / row.entries[0].best);
    std::printf("\n");
    std::fflush(stdout);
}

cm_sphere sphere_of(const cm_obb &b) { return {b.center, b.half.x}; }
cm_capsule capsule_of(const cm_obb &b) {
    cm_vec3 d = cm_rotate(b.rotation, cm_v(0, b.half.y, 0));
    return {cm_sub(b.center, d), cm_add(b.center, d), b.half.x};
}

#ifdef WITH_BULLET
btTransform bt(const cm_obb &b) {
    return btTransform(btQuaternion(b.rotation.x, b.rotation.y, b.rotation.z, b.rotation.w),
                       btVector3(b.center.x, b.center.y, b.center.z));
}
struct Counter : btManifoldResult {
    long points = 0;
    Counter(const btCollisionObjectWrapper *a, const btCollisionObjectWrapper *b) : btManifoldResult(a, b) {}
    void addContactPoint(const btVector3 &, const btVector3 &, btScalar depth) override { points += depth <= 0; }
};
struct Bullet {
    btDefaultCollisionConfiguration config;
    btCollisionDispatcher dispatcher{&config};
    // counts the pairs with at least one touching contact
    long contacts(const std::vector<Pair> &pairs, btConvexShape *a, btConvexShape *b, const std::function<void(const Pair &)> &size) {
        btCollisionObject oa, ob;
        oa.setCollisionShape(a), ob.setCollisionShape(b);
        btCollisionObjectWrapper wa(nullptr, a, &oa, oa.getWorldTransform(), -1, -1), wb(nullptr, b, &ob, ob.getWorldTransform(), -1, -1);
        btPersistentManifold *manifold = dispatcher.getNewManifold(&oa, &ob);
        btCollisionAlgorithm *algorithm = dispatcher.findAlgorithm(&wa, &wb, manifold, BT_CONTACT_POINT_ALGORITHMS);
        btDispatcherInfo info;
        long count = 0;
        for (const Pair &p : pairs) {
            size(p);
            oa.setWorldTransform(bt(p.a)), ob.setWorldTransform(bt(p.b));
            manifold->clearManifold();
            Counter result(&wa, &wb);
            result.setPersistentManifold(manifold);
            algorithm->processCollision(&wa, &wb, info, &result);
            count += result.points > 0;
        }
        algorithm->~btCollisionAlgorithm();
        dispatcher.freeCollisionAlgorithm(algorithm);
        dispatcher.releaseManifold(manifold);
        return count;
    }
    long casts(const std::vector<Pair> &pairs, btConvexShape *a, btConvexShape *b, const std::function<void(const Pair &)> &size) {
        btVoronoiSimplexSolver simplex;
        long count = 0;
        for (const Pair &p : pairs) {
            size(p);
            btSubsimplexConvexCast cast(a, b, &simplex);
            btConvexCast::CastResult result;
            btTransform ta = bt(p.a), end = ta, tb = bt(p.b);
            end.getOrigin() += btVector3(p.move.x, p.move.y, p.move.z);
            count += cast.calcTimeOfImpact(ta, end, tb, tb, result);
        }
        return count;
    }
};
#endif

#ifdef WITH_ODE
void ode_pose(dGeomID g, const cm_obb &b) {
    dGeomSetPosition(g, b.center.x, b.center.y, b.center.z);
    const dQuaternion q = {b.rotation.w, b.rotation.x, b.rotation.y, b.rotation.z};
    dGeomSetQuaternion(g, q);
}
long ode(const std::vector<Pair> &pairs, dGeomID a, dGeomID b, const std::function<void(const Pair &)> &size, int most) {
    dContactGeom contact[8];
    long count = 0;
    for (const Pair &p : pairs) {
        size(p);
        ode_pose(a, p.a), ode_pose(b, p.b);
        count += dCollide(a, b, most, contact, sizeof contact[0]) > 0;
    }
    return count;
}
#endif

#ifdef WITH_FCL
fcl::Transform3d ft(const cm_obb &b) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    t.linear() = fcl::Quaterniond(b.rotation.w, b.rotation.x, b.rotation.y, b.rotation.z).toRotationMatrix();
    t.translation() = fcl::Vector3d(b.center.x, b.center.y, b.center.z);
    return t;
}
template <class A, class B>
long fcl_all(const std::vector<Pair> &pairs, const std::function<A(const cm_obb &)> &fa, const std::function<B(const cm_obb &)> &fb, bool contact) {
    long count = 0;
    for (const Pair &p : pairs) {
        A a = fa(p.a);
        B b = fb(p.b);
        fcl::CollisionRequestd request(contact ? 8 : 1, contact);
        fcl::CollisionResultd result;
        count += fcl::collide(&a, ft(p.a), &b, ft(p.b), request, result) > 0;
    }
    return count;
}
#endif

#ifdef WITH_CCD
struct CcdBox {
    ccd_vec3_t at, half;
    ccd_quat_t turn, back;
};
void ccd_box_support(const void *object, const ccd_vec3_t *d, ccd_vec3_t *v) {
    const CcdBox *b = static_cast<const CcdBox *>(object);
    ccd_vec3_t l = *d;
    ccdQuatRotVec(&l, &b->back);
    ccdVec3Set(v, ccdSign(l.v[0]) * b->half.v[0], ccdSign(l.v[1]) * b->half.v[1], ccdSign(l.v[2]) * b->half.v[2]);
    ccdQuatRotVec(v, &b->turn);
    ccdVec3Add(v, &b->at);
}
void ccd_box_center(const void *object, ccd_vec3_t *c) { *c = static_cast<const CcdBox *>(object)->at; }
CcdBox ccd_box(const cm_obb &b) {
    CcdBox c;
    ccdVec3Set(&c.at, b.center.x, b.center.y, b.center.z);
    ccdVec3Set(&c.half, b.half.x, b.half.y, b.half.z);
    ccdQuatSet(&c.turn, b.rotation.x, b.rotation.y, b.rotation.z, b.rotation.w);
    ccdQuatInvert2(&c.back, &c.turn);
    return c;
}
long ccd_boxes(const std::vector<Pair> &pairs) {
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = ccd_box_support;
    ccd.center1 = ccd.center2 = ccd_box_center;
    ccd.mpr_tolerance = 1e-6;
    long count = 0;
    for (const Pair &p : pairs) {
        CcdBox a = ccd_box(p.a), b = ccd_box(p.b);
        count += ccdMPRIntersect(&a, &b, &ccd);
    }
    return count;
}
#endif

#ifdef WITH_BOX3D
b3Transform b3_pose(const cm_obb &b) { return {{b.center.x, b.center.y, b.center.z}, {{b.rotation.x, b.rotation.y, b.rotation.z}, b.rotation.w}}; }
b3Transform b3_between(const Pair &p) { return b3InvMulTransforms(b3_pose(p.a), b3_pose(p.b)); }
b3Sphere b3_ball(const cm_obb &b) { return {{0, 0, 0}, b.half.x}; }
b3Capsule b3_capsule(const cm_obb &b) { return {{0, -b.half.y, 0}, {0, b.half.y, 0}, b.half.x}; }
struct BoxCorners {
    b3Vec3 at[8];
    explicit BoxCorners(const cm_obb &b) {
        for (int i = 0; i < 8; i++) at[i] = {i & 1 ? b.half.x : -b.half.x, i & 2 ? b.half.y : -b.half.y, i & 4 ? b.half.z : -b.half.z};
    }
};
bool b3_boxes_near(const Pair &p) {
    const BoxCorners a(p.a), b(p.b);
    b3DistanceInput input = {{a.at, 8, 0}, {b.at, 8, 0}, b3_between(p), false};
    b3SimplexCache cache = {};
    return b3ShapeDistance(&input, &cache, nullptr, 0).distance <= 0;
}
template <class Collide>
bool b3_touch(Collide collide) {
    b3LocalManifoldPoint points[8];
    b3LocalManifold m = {};
    m.points = points;
    collide(&m);
    bool touch = false;
    for (int i = 0; i < m.pointCount; i++) touch = touch || points[i].separation <= 0;
    return touch;
}
#endif

} // namespace

int main(int argc, char **argv) {
    size_t count = argc > 1 ? static_cast<size_t>(std::atol(argv[1])) : 1000000;
    int rounds = argc > 2 ? std::atoi(argv[2]) : 3;
    std::vector<Pair> pairs(count);
    for (Pair &p : pairs) {
        p.a.half = cm_v(between(0.5, 1.5), between(0.5, 1.5), between(0.5, 1.5));
        p.b.half = cm_v(between(0.5, 1.5), between(0.5, 1.5), between(0.5, 1.5));
        p.a.rotation = rotation(), p.b.rotation = rotation();
        p.a.center = cm_v(between(-10, 10), between(-10, 10), between(-10, 10));
        p.b.center = cm_mul_add(p.a.center, between(0, 4.4), direction());
        cm_vec3 to = cm_sub(p.b.center, p.a.center);
        p.move = cm_add(cm_scale(to, between(0, 2)), cm_scale(direction(), between(0, 3)));
        p.sphere_a = sphere_of(p.a), p.sphere_b = sphere_of(p.b);
        p.capsule_a = capsule_of(p.a), p.capsule_b = capsule_of(p.b);
    }
#ifdef WITH_BULLET
    Bullet bullet;
    btSphereShape bt_sa(1), bt_sb(1);
    btBoxShape bt_ba(btVector3(1, 1, 1)), bt_bb(btVector3(1, 1, 1));
    btCapsuleShape bt_ca(1, 2), bt_cb(1, 2);
    auto bt_sphere = [](btSphereShape &s, const cm_obb &b) { s.setUnscaledRadius(b.half.x); };
    auto bt_box = [](btBoxShape &s, const cm_obb &b) { s.setSafeMargin(0.01f), s.setImplicitShapeDimensions(btVector3(b.half.x, b.half.y, b.half.z) - btVector3(s.getMargin(), s.getMargin(), s.getMargin())); };
    auto bt_capsule = [](btCapsuleShape &s, const cm_obb &b) { s.setImplicitShapeDimensions(btVector3(b.half.x, b.half.y, b.half.x)); };
#endif
#ifdef WITH_ODE
    dInitODE();
    dGeomID ode_sa = dCreateSphere(nullptr, 1), ode_sb = dCreateSphere(nullptr, 1);
    dGeomID ode_ba = dCreateBox(nullptr, 1, 1, 1), ode_bb = dCreateBox(nullptr, 1, 1, 1);
    auto ode_box = [](dGeomID g, const cm_obb &b) { dGeomBoxSetLengths(g, 2 * b.half.x, 2 * b.half.y, 2 * b.half.z); };
#endif
    // peers do not report what overlaps at the start: sweeps are compared on the pairs whose boxes and balls are apart
    std::vector<Pair> apart;
    for (const Pair &p : pairs) {
        cm_sphere a = sphere_of(p.a), b = sphere_of(p.b);
        if (!cm_overlap_obb_obb(&p.a, &p.b) && !cm_overlap_sphere_sphere(&a, &b) && !cm_overlap_sphere_obb(&a, &p.b)) apart.push_back(p);
    }
    size_t apart_once = apart.size();
    while (apart.size() < count) apart.push_back(apart[apart.size() % apart_once]);
    std::vector<Row> rows;
    auto each = [&](auto test) { return [&pairs, test] { long n = 0; for (const Pair &p : pairs) n += test(p); return n; }; };

    Row ss{"sphere-sphere contact", {}};
    ss.entries.push_back({"carom", each([](const Pair &p) { cm_manifold m; return cm_contact_sphere_sphere(&p.sphere_a, &p.sphere_b, &m); })});
#ifdef WITH_BULLET
    ss.entries.push_back({"Bullet", [&] { return bullet.contacts(pairs, &bt_sa, &bt_sb, [&](const Pair &p) { bt_sphere(bt_sa, p.a), bt_sphere(bt_sb, p.b); }); }});
#endif
#ifdef WITH_ODE
    ss.entries.push_back({"ODE", [&] { return ode(pairs, ode_sa, ode_sb, [&](const Pair &p) { dGeomSphereSetRadius(ode_sa, p.a.half.x), dGeomSphereSetRadius(ode_sb, p.b.half.x); }, 8); }});
#endif
#ifdef WITH_FCL
    ss.entries.push_back({"FCL", [&] { return fcl_all<fcl::Sphered, fcl::Sphered>(pairs, [](const cm_obb &b) { return fcl::Sphered(b.half.x); }, [](const cm_obb &b) { return fcl::Sphered(b.half.x); }, true); }});
#endif
#ifdef WITH_BOX3D
    ss.entries.push_back({"Box3D", each([](const Pair &p) {
        const b3Sphere a = b3_ball(p.a), b = b3_ball(p.b);
        return b3_touch([&](b3LocalManifold *m) { b3CollideSpheres(m, 8, &a, &b, b3_between(p)); });
    })});
#endif
    rows.push_back(ss);

    Row sb{"sphere-box contact", {}};
    sb.entries.push_back({"carom", each([](const Pair &p) { cm_manifold m; return cm_contact_sphere_obb(&p.sphere_a, &p.b, &m); })});
#ifdef WITH_BULLET
    sb.entries.push_back({"Bullet", [&] { return bullet.contacts(pairs, &bt_sa, &bt_bb, [&](const Pair &p) { bt_sphere(bt_sa, p.a), bt_box(bt_bb, p.b); }); }});
#endif
#ifdef WITH_ODE
    sb.entries.push_back({"ODE", [&] { return ode(pairs, ode_sa, ode_bb, [&](const Pair &p) { dGeomSphereSetRadius(ode_sa, p.a.half.x), ode_box(ode_bb, p.b); }, 8); }});
#endif
#ifdef WITH_FCL
    sb.entries.push_back({"FCL", [&] { return fcl_all<fcl::Sphered, fcl::Boxd>(pairs, [](const cm_obb &b) { return fcl::Sphered(b.half.x); }, [](const cm_obb &b) { return fcl::Boxd(2 * b.half.x, 2 * b.half.y, 2 * b.half.z); }, true); }});
#endif
    rows.push_back(sb);

    Row bb{"box-box boolean", {}};
    bb.entries.push_back({"carom", each([](const Pair &p) { return cm_overlap_obb_obb(&p.a, &p.b); })});
#ifdef WITH_CCD
    bb.entries.push_back({"libccd", [&] { return ccd_boxes(pairs); }});
#endif
#ifdef WITH_FCL
    auto fcl_box = [](const cm_obb &b) { return fcl::Boxd(2 * b.half.x, 2 * b.half.y, 2 * b.half.z); };
    bb.entries.push_back({"FCL", [&] { return fcl_all<fcl::Boxd, fcl::Boxd>(pairs, fcl_box, fcl_box, false); }});
#endif
#ifdef WITH_ODE
    bb.entries.push_back({"ODE", [&] { return ode(pairs, ode_ba, ode_bb, [&](const Pair &p) { ode_box(ode_ba, p.a), ode_box(ode_bb, p.b); }, 1); }});
#endif
#ifdef WITH_JOLT
    bb.entries.push_back({"Jolt", each([](const Pair &p) { return jolt_boxes_overlap(&p.a, &p.b); })});
#endif
    rows.push_back(bb);

    Row bm{"box-box manifold", {}};
    bm.entries.push_back({"carom", each([](const Pair &p) { cm_manifold m; return cm_contact_obb_obb(&p.a, &p.b, &m); })});
#ifdef WITH_BULLET
    bm.entries.push_back({"Bullet", [&] { return bullet.contacts(pairs, &bt_ba, &bt_bb, [&](const Pair &p) { bt_box(bt_ba, p.a), bt_box(bt_bb, p.b); }); }});
#endif
#ifdef WITH_ODE
    bm.entries.push_back({"ODE", [&] { return ode(pairs, ode_ba, ode_bb, [&](const Pair &p) { ode_box(ode_ba, p.a), ode_box(ode_bb, p.b); }, 8); }});
#endif
#ifdef WITH_FCL
    bm.entries.push_back({"FCL", [&] { return fcl_all<fcl::Boxd, fcl::Boxd>(pairs, fcl_box, fcl_box, true); }});
#endif
#ifdef WITH_BOX3D
    bm.entries.push_back({"Box3D", each([](const Pair &p) {
        const b3BoxHull a = b3MakeBoxHull(p.a.half.x, p.a.half.y, p.a.half.z), b = b3MakeBoxHull(p.b.half.x, p.b.half.y, p.b.half.z);
        b3SATCache cache = {};
        return b3_touch([&](b3LocalManifold *m) { b3CollideHulls(m, 8, &a.base, &b.base, b3_between(p), &cache); });
    })});
#endif
    rows.push_back(bm);

    // booleans and distances through shapes, which are made from the record as a caller would
    auto shape_row = [&](const char *name, auto make, auto ask) {
        Row row{name, {}};
        row.entries.push_back({"carom", each([make, ask](const Pair &p) {
            const cm_shape a = make(p.a), b = make(p.b);
            const cm_pose pose_a = {p.a.center, p.a.rotation}, pose_b = {p.b.center, p.b.rotation};
            return ask(&a, &pose_a, &b, &pose_b);
        })});
        rows.push_back(row);
    };
    auto sphere_shape = [](const cm_obb &b) { return cm_make_sphere(cm_v(0, 0, 0), b.half.x); };
    auto box_shape = [](const cm_obb &b) { return cm_make_box(b.half); };
    auto overlap = [](auto... of) { return cm_overlap(of...); };
    auto distance = [](auto... of) { return cm_distance(of..., CM_REAL_MAX, nullptr) <= 0; };
    shape_row("sphere-sphere boolean, shapes", sphere_shape, overlap);
    shape_row("box-box boolean, shapes", box_shape, overlap);
    shape_row("box-box distance, shapes", box_shape, distance);
#ifdef WITH_BOX3D
    rows.back().entries.push_back({"Box3D", each(b3_boxes_near)});
#endif

    Row cc{"capsule-capsule contact", {}};
    cc.entries.push_back({"carom", each([](const Pair &p) { cm_manifold m; return cm_contact_capsule_capsule(&p.capsule_a, &p.capsule_b, &m); })});
#ifdef WITH_BULLET
    cc.entries.push_back({"Bullet", [&] { return bullet.contacts(pairs, &bt_ca, &bt_cb, [&](const Pair &p) { bt_capsule(bt_ca, p.a), bt_capsule(bt_cb, p.b); }); }});
#endif
#ifdef WITH_BOX3D
    cc.entries.push_back({"Box3D", each([](const Pair &p) {
        const b3Capsule a = b3_capsule(p.a), b = b3_capsule(p.b);
        return b3_touch([&](b3LocalManifold *m) { b3CollideCapsules(m, 8, &a, &b, b3_between(p)); });
    })});
#endif
    rows.push_back(cc);

    // the capsule of A against what is as wide and high as the box of B, all with their own poses
    auto round_row = [&](const char *name, auto make) {
        Row row{name, {}};
        row.entries.push_back({"carom", each([make](const Pair &p) {
            const cm_shape a = cm_make_capsule(cm_v(0, -p.a.half.y, 0), cm_v(0, p.a.half.y, 0), p.a.half.x), b = make(p.b.half.x, p.b.half.y);
            const cm_pose pose_a = {p.a.center, p.a.rotation}, pose_b = {p.b.center, p.b.rotation};
            return cm_distance(&a, &pose_a, &b, &pose_b, CM_REAL_MAX, nullptr) <= 0;
        })});
        rows.push_back(row);
    };
    round_row("capsule-cylinder distance", [](cm_real radius, cm_real half) { return cm_make_cylinder(radius, half); });
    round_row("capsule-cone distance", [](cm_real radius, cm_real half) { return cm_make_cone(radius, half); });

    auto moving = [&](auto test) { return [&apart, test] { long n = 0; for (const Pair &p : apart) n += test(p); return n; }; };
    Row sw{"swept spheres", {}};
    sw.entries.push_back({"carom", moving([](const Pair &p) { cm_sweep_hit h; return cm_sweep_sphere_sphere(&p.sphere_a, p.move, &p.sphere_b, cm_v(0, 0, 0), &h); })});
#ifdef WITH_BULLET
    sw.entries.push_back({"Bullet", [&] { return bullet.casts(apart, &bt_sa, &bt_sb, [&](const Pair &p) { bt_sphere(bt_sa, p.a), bt_sphere(bt_sb, p.b); }); }});
#endif
    rows.push_back(sw);

    Row sx{"swept sphere-box", {}};
    sx.entries.push_back({"carom", moving([](const Pair &p) { cm_sweep_hit h; return cm_sweep_sphere_obb(&p.sphere_a, p.move, &p.b, cm_v(0, 0, 0), &h); })});
#ifdef WITH_BULLET
    sx.entries.push_back({"Bullet", [&] { return bullet.casts(apart, &bt_sa, &bt_bb, [&](const Pair &p) { bt_sphere(bt_sa, p.a), bt_box(bt_bb, p.b); }); }});
#endif
    rows.push_back(sx);

    Row wb{"swept boxes", {}};
    wb.entries.push_back({"carom", moving([](const Pair &p) { cm_sweep_hit h; return cm_sweep_obb_obb(&p.a, p.move, &p.b, cm_v(0, 0, 0), &h); })});
#ifdef WITH_BULLET
    wb.entries.push_back({"Bullet", [&] { return bullet.casts(apart, &bt_ba, &bt_bb, [&](const Pair &p) { bt_box(bt_ba, p.a), bt_box(bt_bb, p.b); }); }});
#endif
    rows.push_back(wb);

    std::printf("%zu pairs, ns a pair (pairs found), and the ratio to carom; least of %d rounds\n", count, rounds);
    for (Row &row : rows)
        if (argc < 4 || row.name.find(argv[3]) != std::string::npos) measure(row, count, rounds);
    std::printf("row,library,ns,found\n");
    for (Row &row : rows)
        for (Entry &e : row.entries)
            if (e.best < 1e300) std::printf("%s,%s,%.1f,%ld\n", row.name.c_str(), e.name.c_str(), e.best, e.count);
    return 0;
}
