/* FCL: its broad phase managers. It computes in double; each object's local box is set to the float box under the
 * identity pose, so that its boxes are ours exactly and the counts must agree. */
#include "peer.h"

#include <fcl/broadphase/broadphase_SaP.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/broadphase_interval_tree.h>
#include <fcl/geometry/shape/box.h>

#include <vector>

namespace {

struct Fcl : Peer {
    std::vector<std::shared_ptr<fcl::Boxd>> shapes;
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
    std::unique_ptr<fcl::BroadPhaseCollisionManagerd> manager;
    std::size_t count = 0;

    void place(const bench_scene &s) {
        for (uint32_t i = 0; i < s.count; ++i) {
            const cm_aabb &b = s.boxes[i];
            shapes[i]->aabb_local =
                fcl::AABBd(fcl::Vector3d(b.min.x, b.min.y, b.min.z), fcl::Vector3d(b.max.x, b.max.y, b.max.z));
            objects[i]->computeAABB();
        }
    }
    Fcl(const bench_scene &s, int kind) {
        std::vector<fcl::CollisionObjectd *> all;
        for (uint32_t i = 0; i < s.count; ++i) {
            shapes.push_back(std::make_shared<fcl::Boxd>(1, 1, 1));
            objects.push_back(std::make_unique<fcl::CollisionObjectd>(shapes.back()));
            all.push_back(objects.back().get());
        }
        place(s);
        if (kind == 0)
            manager = std::make_unique<fcl::DynamicAABBTreeCollisionManagerd>();
        else if (kind == 1)
            manager = std::make_unique<fcl::SaPCollisionManagerd>();
        else
            manager = std::make_unique<fcl::IntervalTreeCollisionManagerd>();
        manager->registerObjects(all);
        manager->setup();
    }
    static bool note(fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, void *data) {
        static_cast<Fcl *>(data)->count += a->getAABB().overlap(b->getAABB());
        return false;
    }
    std::size_t pairs(const bench_scene &s) override {
        place(s);
        manager->update();
        count = 0;
        manager->collide(this, note);
        return count;
    }
};

} // namespace

std::unique_ptr<Peer> peer_fcl(const bench_scene &s, int manager) { return std::make_unique<Fcl>(s, manager); }
