/* Bullet: its broad phase of two dynamic trees with a pair cache, and one such tree alone. Their boxes are grown by a
 * margin, so the pairs they keep are tested exactly before they are counted. */
#include "peer.h"

#include <BulletCollision/BroadphaseCollision/btDbvt.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include <vector>

namespace {

btVector3 vector_of(cm_vec3 v) { return btVector3(v.x, v.y, v.z); }

struct BulletBroadphase : Peer {
    btDbvtBroadphase broadphase;
    std::vector<btBroadphaseProxy *> proxies;

    explicit BulletBroadphase(const bench_scene &s) {
        for (uint32_t i = 0; i < s.count; ++i) {
            const cm_aabb &b = s.boxes[i];
            proxies.push_back(broadphase.createProxy(vector_of(b.min), vector_of(b.max), 0,
                                                     reinterpret_cast<void *>(static_cast<std::size_t>(i)), 1, -1,
                                                     nullptr));
        }
    }
    /* Proxies go with the process: taking one out searches all pairs, minutes for ten thousand. */
    std::size_t pairs(const bench_scene &s) override {
        for (uint32_t i = 0; i < s.count; ++i) {
            broadphase.setAabb(proxies[i], vector_of(s.boxes[i].min), vector_of(s.boxes[i].max), nullptr);
        }
        broadphase.calculateOverlappingPairs(nullptr);
        btBroadphasePairArray &cache = broadphase.getOverlappingPairCache()->getOverlappingPairArray();
        std::size_t count = 0;
        for (int i = 0; i < cache.size(); ++i) {
            auto a = reinterpret_cast<std::size_t>(cache[i].m_pProxy0->m_clientObject);
            auto b = reinterpret_cast<std::size_t>(cache[i].m_pProxy1->m_clientObject);
            count += cm_aabb_overlaps(&s.boxes[a], &s.boxes[b]);
        }
        return count;
    }
};

struct BulletTree : Peer {
    btDbvt tree;
    std::vector<btDbvtNode *> leaves;

    struct Note : btDbvt::ICollide {
        const bench_scene *scene = nullptr;
        std::vector<cm_broad_pair> found;
        void Process(const btDbvtNode *a, const btDbvtNode *b) override {
            auto i = static_cast<uint32_t>(a->dataAsInt), j = static_cast<uint32_t>(b->dataAsInt);
            if (cm_aabb_overlaps(&scene->boxes[i], &scene->boxes[j])) found.push_back({i, j});
        }
    } note;

    explicit BulletTree(const bench_scene &s) {
        for (uint32_t i = 0; i < s.count; ++i) {
            auto volume = btDbvtVolume::FromMM(vector_of(s.boxes[i].min), vector_of(s.boxes[i].max));
            btDbvtNode *leaf = tree.insert(volume, nullptr);
            leaf->data = nullptr;
            leaf->dataAsInt = static_cast<int>(i);
            leaves.push_back(leaf);
        }
        tree.optimizeTopDown();
    }
    std::size_t pairs(const bench_scene &s) override {
        for (uint32_t i = 0; i < s.count; ++i) {
            auto volume = btDbvtVolume::FromMM(vector_of(s.boxes[i].min), vector_of(s.boxes[i].max));
            tree.update(leaves[i], volume, btScalar(0.05));
        }
        tree.optimizeIncremental(1 + static_cast<int>(s.count / 100));
        note.scene = &s;
        note.found.clear();
        if (tree.m_root) tree.collideTT(tree.m_root, tree.m_root, note);
        return note.found.size();
    }
};

} // namespace

std::unique_ptr<Peer> peer_bullet_broadphase(const bench_scene &s) { return std::make_unique<BulletBroadphase>(s); }
std::unique_ptr<Peer> peer_bullet_tree(const bench_scene &s) { return std::make_unique<BulletTree>(s); }
