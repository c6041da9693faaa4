// Spheres, boxes and capsules of sizes 0.25 to 0.75 that drift and turn in a cube, about one contact for every two
// objects. Each system is given all poses of a step, finds what touches, and gives contact points. Every system runs the
// same steps; the numbers of touching pairs are compared first, then the times: the least of the rounds of processor
// time a step, systems in turn. CSV: objects,system,touching pairs in all steps,ms a step.
//   bench_world [objects ...]
#include <carom/carom.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <vector>

#ifdef WITH_BULLET
#include <btBulletCollisionCommon.h>
#endif
#ifdef WITH_ODE
#include <ode/ode.h>
#endif

struct body {
    int kind; // 0 sphere, 1 box, 2 capsule along z
    float x, y, z;
    cm_pose pose;
    cm_vec3 move, spin;
};

static double now() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct scene {
    std::vector<body> bodies;
    float half;
};

static scene scene_make(int count) {
    scene s;
    std::mt19937 rng(17);
    std::uniform_real_distribution<float> unit(0, 1);
    s.half = 0.5f * 1.55f * std::cbrt((float)count);
    for (int i = 0; i < count; i++) {
        body b;
        b.kind = (int)(rng() % 3);
        b.x = 0.25f + 0.5f * unit(rng), b.y = 0.25f + 0.5f * unit(rng), b.z = 0.25f + 0.5f * unit(rng);
        b.pose.position = cm_v((2 * unit(rng) - 1) * s.half, (2 * unit(rng) - 1) * s.half, (2 * unit(rng) - 1) * s.half);
        b.pose.rotation = {unit(rng) - 0.5f, unit(rng) - 0.5f, unit(rng) - 0.5f, unit(rng) - 0.5f};
        b.pose.rotation = cm_quat_normalize(b.pose.rotation);
        b.move = cm_scale(cm_v(unit(rng) - 0.5f, unit(rng) - 0.5f, unit(rng) - 0.5f), 0.06f);
        b.spin = cm_scale(cm_v(unit(rng) - 0.5f, unit(rng) - 0.5f, unit(rng) - 0.5f), 0.06f);
        s.bodies.push_back(b);
    }
    return s;
}

static void scene_advance(scene &s) {
    for (body &b : s.bodies) {
        cm_motion m = {b.pose, b.move, b.spin, cm_v(0, 0, 0), cm_v(0, 0, 0)};
        cm_motion_at(&m, 1, &b.pose);
        float *p[3] = {&b.pose.position.x, &b.pose.position.y, &b.pose.position.z};
        float *v[3] = {&b.move.x, &b.move.y, &b.move.z};
        for (int k = 0; k < 3; k++)
            if (std::fabs(*p[k]) > s.half && *p[k] * *v[k] > 0) *v[k] = -*v[k];
    }
}

struct system_of {
    std::string name;
    virtual void start(const scene &s) = 0;
    virtual long step(const scene &s) = 0; // touching pairs
    virtual ~system_of() {}
};

struct carom_system : system_of {
    cm_world *world = nullptr;
    std::vector<uint32_t> ids;
    carom_system() { name = "carom"; }
    void start(const scene &s) override {
        cm_world_create(nullptr, &world, nullptr);
        for (const body &b : s.bodies) {
            cm_world_object_desc d = {};
            d.shape = b.kind == 0 ? cm_make_sphere(cm_v(0, 0, 0), b.x)
                      : b.kind == 1 ? cm_make_box(cm_v(b.x, b.y, b.z))
                                    : cm_make_capsule(cm_v(0, 0, -b.y), cm_v(0, 0, b.y), b.x);
            d.pose = b.pose;
            d.sweep = CM_WORLD_SWEEP_NEVER;
            uint32_t id;
            cm_world_add(world, &d, &id, nullptr);
            ids.push_back(id);
        }
    }
    long step(const scene &s) override {
        for (size_t i = 0; i < ids.size(); i++) cm_world_set_pose(world, ids[i], &s.bodies[i].pose);
        cm_world_update(world, nullptr);
        cm_world_event_view v;
        cm_world_get_events(world, &v);
        long n = 0;
        for (size_t i = 0; i < v.count; i++) n += v.events[i].kind != CM_WORLD_ENDED;
        return n;
    }
    ~carom_system() { cm_world_destroy(world); }
};

#ifdef WITH_BULLET
struct bullet_system : system_of {
    btDefaultCollisionConfiguration config;
    btCollisionDispatcher dispatcher{&config};
    btDbvtBroadphase broad;
    btCollisionWorld world{&dispatcher, &broad, &config};
    std::vector<btCollisionObject *> objects;
    bullet_system() { name = "bullet"; }
    static btTransform pose_of(const cm_pose &p) {
        return btTransform(btQuaternion(p.rotation.x, p.rotation.y, p.rotation.z, p.rotation.w),
                           btVector3(p.position.x, p.position.y, p.position.z));
    }
    void start(const scene &s) override {
        for (const body &b : s.bodies) {
            btCollisionShape *shape;
            if (b.kind == 0) shape = new btSphereShape(b.x);
            else if (b.kind == 1) shape = new btBoxShape(btVector3(b.x, b.y, b.z));
            else shape = new btCapsuleShapeZ(b.x, 2 * b.y);
            btCollisionObject *o = new btCollisionObject;
            o->setCollisionShape(shape);
            o->setWorldTransform(pose_of(b.pose));
            world.addCollisionObject(o);
            objects.push_back(o);
        }
    }
    long step(const scene &s) override {
        for (size_t i = 0; i < objects.size(); i++) objects[i]->setWorldTransform(pose_of(s.bodies[i].pose));
        world.performDiscreteCollisionDetection();
        long n = 0;
        for (int i = 0; i < dispatcher.getNumManifolds(); i++) {
            btPersistentManifold *m = dispatcher.getManifoldByIndexInternal(i);
            for (int k = 0; k < m->getNumContacts(); k++)
                if (m->getContactPoint(k).getDistance() <= 0) {
                    n++;
                    break;
                }
        }
        return n;
    }
    ~bullet_system() {
        for (btCollisionObject *o : objects) {
            world.removeCollisionObject(o);
            delete o->getCollisionShape();
            delete o;
        }
    }
};
#endif

#ifdef WITH_ODE
struct ode_system : system_of {
    dSpaceID space;
    std::vector<dGeomID> geoms;
    long touching = 0;
    ode_system() {
        name = "ode";
        dInitODE2(0);
        space = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XZY);
    }
    static void place(dGeomID g, const cm_pose &p) {
        dGeomSetPosition(g, p.position.x, p.position.y, p.position.z);
        dQuaternion q = {p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z};
        dGeomSetQuaternion(g, q);
    }
    void start(const scene &s) override {
        for (const body &b : s.bodies) {
            dGeomID g = b.kind == 0   ? dCreateSphere(space, b.x)
                        : b.kind == 1 ? dCreateBox(space, 2 * b.x, 2 * b.y, 2 * b.z)
                                      : dCreateCapsule(space, b.x, 2 * b.y);
            place(g, b.pose);
            geoms.push_back(g);
        }
    }
    static void near_pair(void *user, dGeomID a, dGeomID b) {
        dContactGeom contacts[8];
        static_cast<ode_system *>(user)->touching += dCollide(a, b, 8, contacts, sizeof contacts[0]) > 0;
    }
    long step(const scene &s) override {
        for (size_t i = 0; i < geoms.size(); i++) place(geoms[i], s.bodies[i].pose);
        touching = 0;
        dSpaceCollide(space, this, near_pair);
        return touching;
    }
    ~ode_system() {
        dSpaceDestroy(space);
        dCloseODE();
    }
};
#endif

static void run(int count) {
    scene s = scene_make(count);
    std::vector<system_of *> systems;
    systems.push_back(new carom_system);
#ifdef WITH_BULLET
    systems.push_back(new bullet_system);
#endif
#ifdef WITH_ODE
    systems.push_back(new ode_system);
#endif
    std::vector<double> best(systems.size(), 1e300);
    std::vector<long> touching(systems.size(), 0);
    for (system_of *each : systems) each->start(s);
    const int steps = count > 50000 ? 8 : count > 5000 ? 30 : 100; // a step of the slowest peer at 100,000: 1.6 s
    for (int i = 0; i < steps; i++) {
        scene_advance(s);
        for (size_t k = 0; k < systems.size(); k++) {
            double t = now();
            touching[k] += systems[k]->step(s);
            t = now() - t;
            if (i > 1 && t < best[k]) best[k] = t; // the first two build
        }
    }
    for (size_t k = 0; k < systems.size(); k++)
        std::printf("%d,%s,%ld,%.3f\n", count, systems[k]->name.c_str(), touching[k], 1e3 * best[k]);
    std::fflush(stdout); // before the peers take their time to go
    for (system_of *each : systems) delete each;
}

int main(int argc, char **argv) {
    std::puts("objects,system,touching,ms");
    if (argc < 2)
        for (int count : {1000, 10000, 100000}) run(count);
    for (int i = 1; i < argc; i++) run(std::atoi(argv[i]));
}
