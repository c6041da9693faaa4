/* A peer of bench/broad: another library that finds overlapping pairs of boxes. */
#ifndef BENCH_BROAD_PEER_H
#define BENCH_BROAD_PEER_H

#include <cstddef>
#include <memory>

#include "scene.h"

struct Peer {
    virtual ~Peer() = default;
    /* Pairs of the scene's boxes as they are now; called once a frame with the same scene. */
    virtual std::size_t pairs(const bench_scene &scene) = 0;
};

std::unique_ptr<Peer> peer_embree(const bench_scene &scene, int threads);
std::unique_ptr<Peer> peer_cgal();
std::unique_ptr<Peer> peer_bullet_broadphase(const bench_scene &scene);
std::unique_ptr<Peer> peer_bullet_tree(const bench_scene &scene);
/* 0 dynamic tree, 1 sweep and prune, 2 interval tree */
std::unique_ptr<Peer> peer_fcl(const bench_scene &scene, int manager);
/* 0 hash, 1 sweep and prune, 2 quadtree */
std::unique_ptr<Peer> peer_ode(const bench_scene &scene, int space);

#endif
