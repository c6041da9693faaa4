/// carom/compound.h: several shapes as one: built once from children and their poses, immutable after that.
///
/// A compound is the union of its children. It is one relocatable block of memory: it may be copied with memcpy to any
/// address of the same alignment (cm_compound_bytes gives its size), within one process, since children borrow what is
/// large (hulls, meshes, height fields) by pointer. Answers name the child as the part. Children may be of any kind but
/// two: no compounds (put their children in instead), so nothing is nested deeper than compound, mesh, triangle; and no
/// half-spaces, which have no box to be found by.
#ifndef CAROM_COMPOUND_H
#define CAROM_COMPOUND_H

#include "shape.h"

CM_EXTERN_BEGIN

/// One shape of a compound.
typedef struct cm_compound_child {
    cm_shape shape;
    cm_pose pose;  /* in the compound's frame; a rotation of all zeros means none */
    uint64_t user; /* the caller's own; kept, never looked at */
} cm_compound_child;

/// Children to build from. The buffer is only read during the build; what the shapes borrow must outlive the compound.
typedef struct cm_compound_desc {
    const cm_compound_child *children;
    uint32_t count; /* 1 to 2^24 */
} cm_compound_desc;

/// What a compound holds.
typedef struct cm_compound_info {
    uint32_t children;
    cm_aabb bounds; /* holds every child, rounded outwards; empty where all are height fields that are all holes */
} cm_compound_info;

/// Builds a compound.
/// @param mem    NULL = malloc. Also used for scratch memory during the build.
/// @param out    the compound; untouched on failure. Free with cm_compound_destroy and the same allocator.
/// @param error  which field was wrong, of which child (index); may be NULL; untouched when CM_OK.
/// @return CM_OK; CM_INVALID (NULL or no children, an invalid shape or rotation), CM_NOT_FINITE (a number in a child,
/// or one that lies beyond the valid range), CM_UNSUPPORTED (a child is a compound or a half-space), CM_LIMIT (too
/// many), CM_NO_MEMORY. Cost: O(n log n), and O(triangles) for children that are meshes.
CM_API cm_status cm_compound_build(const cm_compound_desc *desc, const cm_allocator *mem, cm_compound **out,
                                   cm_error *error);
/// Frees a compound; `mem` as at its build. NULL is fine.
CM_API void cm_compound_destroy(cm_compound *compound, const cm_allocator *mem);
/// The size of the block.
CM_API size_t cm_compound_bytes(const cm_compound *compound);
/// What it holds.
CM_API void cm_compound_get_info(const cm_compound *compound, cm_compound_info *out);
/// The children in the order of the description, cm_compound_info.children of them.
CM_API const cm_compound_child *cm_compound_children(const cm_compound *compound);

CM_EXTERN_END
#endif
