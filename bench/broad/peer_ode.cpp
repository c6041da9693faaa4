/* ODE: its spaces, with a class of geometry whose box is ours. It computes in double, in which float boxes are exact.
 */
#include "peer.h"

#include <ode/ode.h>

#include <vector>

namespace {

const bench_scene *ode_scene = nullptr;

void box_of(dGeomID geom, dReal out[6]) {
    const cm_aabb &b = ode_scene->boxes[reinterpret_cast<std::size_t>(dGeomGetData(geom))];
    out[0] = b.min.x, out[1] = b.max.x, out[2] = b.min.y, out[3] = b.max.y, out[4] = b.min.z, out[5] = b.max.z;
}

int geometry_class() {
    static int number = -1;
    if (number < 0) {
        dInitODE2(0);
        dGeomClass type = {};
        type.aabb = box_of;
        type.collider = [](int) -> dColliderFn * { return nullptr; };
        number = dCreateGeomClass(&type);
    }
    return number;
}

struct Ode : Peer {
    dSpaceID space;
    std::vector<dGeomID> geoms;
    std::size_t count = 0;

    Ode(const bench_scene &s, int kind) {
        int number = geometry_class();
        ode_scene = &s;
        if (kind == 0)
            space = dHashSpaceCreate(nullptr);
        else if (kind == 1)
            space = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XZY);
        else {
            dReal half = s.world / 2;
            dVector3 center = {half, half, half, 0}, extents = {half, half, half, 0};
            space = dQuadTreeSpaceCreate(nullptr, center, extents, s.count > 50000 ? 7 : 6);
        }
        for (uint32_t i = 0; i < s.count; ++i) {
            dGeomID geom = dCreateGeom(number);
            dGeomSetData(geom, reinterpret_cast<void *>(static_cast<std::size_t>(i)));
            dSpaceAdd(space, geom);
            geoms.push_back(geom);
        }
    }
    ~Ode() override { dSpaceDestroy(space); }
    static void note(void *data, dGeomID a, dGeomID b) {
        const cm_aabb *p = &ode_scene->boxes[reinterpret_cast<std::size_t>(dGeomGetData(a))];
        const cm_aabb *q = &ode_scene->boxes[reinterpret_cast<std::size_t>(dGeomGetData(b))];
        static_cast<Ode *>(data)->count += cm_aabb_overlaps(p, q);
    }
    std::size_t pairs(const bench_scene &s) override {
        ode_scene = &s;
        for (dGeomID geom : geoms) dGeomSetPosition(geom, 0, 0, 0); /* marks it as moved */
        count = 0;
        dSpaceCollide(space, this, note);
        return count;
    }
};

} // namespace

std::unique_ptr<Peer> peer_ode(const bench_scene &s, int space) { return std::make_unique<Ode>(s, space); }
