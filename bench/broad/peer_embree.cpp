/* Embree: a tree of low build quality, rebuilt each frame, and rtcCollide of the scene with itself. Float boxes. */
#include "peer.h"

#include <embree3/rtcore.h>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <vector>

namespace {

struct Embree : Peer {
    RTCDevice device;
    RTCScene scene;
    RTCGeometry geometry;
    const bench_scene *boxes = nullptr;
    std::vector<cm_broad_pair> found;
    std::mutex lock;
    bool threaded;

    static void bounds(const RTCBoundsFunctionArguments *args) {
        const auto *self = static_cast<const Embree *>(args->geometryUserPtr);
        const cm_aabb &b = self->boxes->boxes[args->primID];
        RTCBounds *o = args->bounds_o;
        o->lower_x = b.min.x, o->lower_y = b.min.y, o->lower_z = b.min.z;
        o->upper_x = b.max.x, o->upper_y = b.max.y, o->upper_z = b.max.z;
    }

    static void collide(void *user, RTCCollision *collisions, unsigned n) {
        auto *self = static_cast<Embree *>(user);
        std::unique_lock<std::mutex> guard(self->lock, std::defer_lock);
        if (self->threaded) guard.lock();
        for (unsigned i = 0; i < n; ++i) {
            unsigned a = collisions[i].primID0, b = collisions[i].primID1;
            /* Leaf pairs come as candidates: the boxes themselves are for the caller to test. */
            if (a < b && cm_aabb_overlaps(&self->boxes->boxes[a], &self->boxes->boxes[b])) {
                self->found.push_back({a, b});
            }
        }
    }

    Embree(const bench_scene &s, int threads) : threaded(threads > 1) {
        char config[64];
        std::snprintf(config, sizeof config, "threads=%d,set_affinity=0", threads);
        device = rtcNewDevice(config);
        scene = rtcNewScene(device);
        rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_LOW);
        rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC);
        geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
        rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_LOW);
        rtcSetGeometryUserPrimitiveCount(geometry, s.count);
        rtcSetGeometryUserData(geometry, this);
        rtcSetGeometryBoundsFunction(geometry, bounds, nullptr);
        rtcAttachGeometry(scene, geometry);
    }
    ~Embree() override {
        rtcReleaseGeometry(geometry);
        rtcReleaseScene(scene);
        rtcReleaseDevice(device);
    }
    std::size_t pairs(const bench_scene &s) override {
        boxes = &s;
        found.clear();
        rtcCommitGeometry(geometry);
        rtcCommitScene(scene);
        rtcCollide(scene, scene, collide, this);
        return found.size();
    }
};

} // namespace

std::unique_ptr<Peer> peer_embree(const bench_scene &scene, int threads) {
    return std::make_unique<Embree>(scene, threads);
}
