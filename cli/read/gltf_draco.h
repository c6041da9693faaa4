/* Meshes compressed with Draco (KHR_draco_mesh_compression): the library is C++ and optional, this is all that the
 * rest sees of it. */
#ifndef CLI_GLTF_DRACO_H
#define CLI_GLTF_DRACO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(CAROM_DRACO)

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct draco_part draco_part;

/* NULL where the bytes are damaged. */
draco_part *draco_part_open(const unsigned char *bytes, size_t size);
void draco_part_close(draco_part *part);
uint32_t draco_part_points(const draco_part *part);
uint32_t draco_part_triangles(const draco_part *part);
/* Three of each triangle. */
void draco_part_indices(const draco_part *part, uint32_t *out);
/* The numbers of an attribute as they are stored, so many for each point; false where there is no such attribute. */
bool draco_part_numbers(const draco_part *part, uint32_t id, int components, double *out);

#if defined(__cplusplus)
}
#endif

#endif
#endif
