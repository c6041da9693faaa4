/* CGAL: box_self_intersection_d over the boxes as they are, closed; from scratch each frame. Float boxes. */
#include "peer.h"

#include <CGAL/box_intersection_d.h>

#include <vector>

namespace {

using Box = CGAL::Box_intersection_d::Box_d<float, 3>;

struct Cgal : Peer {
    std::vector<Box> boxes;
    std::vector<cm_broad_pair> found;

    std::size_t pairs(const bench_scene &s) override {
        boxes.clear();
        found.clear();
        for (uint32_t i = 0; i < s.count; ++i) {
            const cm_aabb &b = s.boxes[i];
            float lo[3] = {b.min.x, b.min.y, b.min.z}, hi[3] = {b.max.x, b.max.y, b.max.z};
            boxes.emplace_back(lo, hi);
        }
        auto note = [this](const Box &a, const Box &b) {
            found.push_back({static_cast<uint32_t>(a.id()), static_cast<uint32_t>(b.id())});
        };
        CGAL::box_self_intersection_d(boxes.begin(), boxes.end(), note);
        return found.size();
    }
};

} // namespace

std::unique_ptr<Peer> peer_cgal() { return std::make_unique<Cgal>(); }
