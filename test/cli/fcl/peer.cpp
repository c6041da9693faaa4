// Meshes as FCL sees them: see peer.h.
#include "peer.h"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

struct peer_mesh {
    fcl::BVHModel<fcl::OBBRSSd> model;
};

static fcl::Transform3d transform(const double *pose) {
    fcl::Transform3d out = fcl::Transform3d::Identity();
    out.translation() = fcl::Vector3d(pose[0], pose[1], pose[2]);
    out.linear() = fcl::Quaterniond(pose[6], pose[3], pose[4], pose[5]).toRotationMatrix();
    return out;
}

peer_mesh *peer_mesh_make(const double *points, uint32_t point_count, const uint32_t *indices,
                          uint32_t triangle_count) {
    std::vector<fcl::Vector3d> corners(point_count);
    std::vector<fcl::Triangle> triangles(triangle_count);
    for (uint32_t i = 0; i < point_count; i++)
        corners[i] = fcl::Vector3d(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
    for (uint32_t i = 0; i < triangle_count; i++)
        triangles[i].set(indices[3 * i], indices[3 * i + 1], indices[3 * i + 2]);
    peer_mesh *out = new peer_mesh;
    out->model.beginModel();
    out->model.addSubModel(corners, triangles);
    out->model.endModel();
    return out;
}

void peer_mesh_free(peer_mesh *mesh) { delete mesh; }

bool peer_collide(const peer_mesh *a, const double *pose_a, const peer_mesh *b, const double *pose_b) {
    fcl::CollisionRequestd request(1, false);
    fcl::CollisionResultd result;
    return fcl::collide(&a->model, transform(pose_a), &b->model, transform(pose_b), request, result) > 0;
}

double peer_distance(const peer_mesh *a, const double *pose_a, const peer_mesh *b, const double *pose_b) {
    fcl::DistanceRequestd request;
    fcl::DistanceResultd result;
    fcl::distance(&a->model, transform(pose_a), &b->model, transform(pose_b), request, result);
    return result.min_distance;
}
