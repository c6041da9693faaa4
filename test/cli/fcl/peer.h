/* Meshes as FCL sees them: surfaces, in double. */
#ifndef TEST_FCL_PEER_H
#define TEST_FCL_PEER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct peer_mesh peer_mesh;

/* x, y, z of each point and three numbers of points a triangle. */
peer_mesh *peer_mesh_make(const double *points, uint32_t point_count, const uint32_t *indices, uint32_t triangle_count);
void peer_mesh_free(peer_mesh *mesh);
/* Poses are x, y, z and the quaternion x, y, z, w. */
bool peer_collide(const peer_mesh *a, const double pose_a[7], const peer_mesh *b, const double pose_b[7]);
double peer_distance(const peer_mesh *a, const double pose_a[7], const peer_mesh *b, const double pose_b[7]);

#ifdef __cplusplus
}
#endif
#endif
