/* What the files of check/ share. */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "carom/check.h"
#include "carom/mesh.h"

/* Refuses what no check takes: see cm_check_parts. */
cm_status cm__check_refuse_desc(const cm_check_desc *desc, cm_error *error);
/* The relation of two parts under the description's tolerance, gaps measured up to max_gap. */
cm_status cm__check_relation(const cm_check_desc *desc, const cm_check_part *a, const cm_check_part *b, cm_real max_gap,
                             cm_relation_result *out);
/* Completes findings that have their parts, kinds and relations: identities, what is allowed and what fails, and the
 * counts. The description has all parts of the check; their shapes are not looked at. */
cm_status cm__check_settle(const cm_check_desc *desc, const cm_allocator *mem, cm_check_result *r);
/* Into their total order. */
void cm__check_sort(cm_check_result *r);
/* The identities of all parts, and of a finding of two of them. */
cm_status cm__check_identities(const cm_check_desc *desc, const cm_allocator *mem, uint64_t *out);
uint64_t cm__check_pair_identity(uint64_t a, uint64_t b);
/* What a relation is called that is a finding. */
cm_finding_kind cm__check_kind(cm_relation relation);
/* The sides of a part: cm_check_desc.sides. */
static inline int check_side(const cm_check_desc *desc, uint32_t part) {
    return desc->sides ? desc->sides[part] : CM_CHECK_A | CM_CHECK_B;
}
/* The number that a part of a tile has in the whole check. */
static inline uint32_t check_number(const cm_check_tile *tile, uint32_t part) {
    return tile->numbers ? tile->numbers[part] : part;
}
/* The largest coordinate of a box, and of a part's points in its own axes. */
static inline double check_reach_of(const cm_aabb *box) {
    return (double)cm_max(cm_largest(box->min), cm_largest(box->max));
}
static inline double check_own_reach(const cm_check_part *part) {
    cm_mesh_info info;
    cm_mesh_get_info(part->shape.u.mesh, &info);
    return check_reach_of(&info.bounds);
}
/* cm_check_extent_of; where the boxes of the parts are known already, they are not NULL. */
void cm__check_extent(const cm_check_part *parts, uint32_t count, const cm_aabb *boxes, cm_check_extent *out);

#endif
