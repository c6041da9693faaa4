/* What the files of check/ share. */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "carom/broad.h"
#include "carom/check.h"
#include "carom/mesh.h"

/* cm_check_matches for one component, and for a path; pattern and text end where a pointer says, not at a 0. */
bool cm__check_text_matches(const char *pattern, const char *pattern_stop, const char *text, const char *text_stop);
bool cm__check_path_matches(const char *pattern, const char *end, const char *path);

/* The status of a description that cm_check_parts refuses, else CM_OK. */
cm_status cm__check_refuse_desc(const cm_check_desc *desc, cm_error *error);
/* A test whose selectors were applied to all parts. */
typedef struct check_test {
    const char *name;
    const uint8_t *sides; /* by part: CM_CHECK_A, CM_CHECK_B, both or neither */
    double tolerance;     /* 0 = the default of each pair */
    double clearance;     /* 0 = none */
    bool finds[CM_FINDING_KIND_COUNT], fails[CM_FINDING_KIND_COUNT];
} check_test;

/* All tests, and the parts that the selectors of tolerances choose. One block of memory. */
typedef struct check_plan {
    check_test *tests;
    uint32_t count;
    const uint8_t *tolerance_sides; /* by tolerance, then by part: the same */
    double clearance;               /* the largest */
    void *block;
    size_t size;
} check_plan;

/* Makes the plan and the results of tests, which are zero at first; free both in either case. */
cm_status cm__check_plan_make(const cm_check_desc *desc, const cm_allocator *mem, check_plan *plan, cm_check_result *r);
void cm__check_plan_free(check_plan *plan, const cm_allocator *mem);
/* Does the test ask for the pair? */
static inline bool check_asks(const check_test *test, uint32_t a, uint32_t b) {
    const int sides_a = test->sides[a], sides_b = test->sides[b];
    return ((sides_a & CM_CHECK_A) && (sides_b & CM_CHECK_B)) || ((sides_a & CM_CHECK_B) && (sides_b & CM_CHECK_A));
}
/* The bit of cm_check_desc.skip by which the pair is not checked, or 0. */
uint32_t cm__check_skips(const cm_check_desc *desc, uint32_t a, uint32_t b);
/* The tolerance of a pair in a test; 0 = the default. */
double cm__check_pair_tolerance(const cm_check_desc *desc, const check_plan *plan, const check_test *test, uint32_t a,
                                uint32_t b);

/* Where the surfaces of a pair cross. */
typedef struct check_crossings {
    cm_aabb box;   /* around them; empty: there are none */
    double length; /* of the crossing lines: coplanar areas add nothing */
} check_crossings;

/* The same of the tests, exceptions and tolerances alone. */
cm_status cm__check_refuse_rules(const cm_check_desc *desc, cm_error *error);
/* The boxes of the parts where they stand, taken once: that of a mesh is made of all its corners. NULL: no memory. */
cm_aabb *cm__check_boxes(const cm_check_desc *desc, const cm_allocator *mem);
/* The relation of a pair of parts, gaps measured up to max_gap; tolerance 0 = the default. `crossings` are measured in
 * the same pass; NULL: not at all. */
cm_status cm__check_relation(const cm_check_desc *desc, const cm_aabb *boxes, double tolerance, cm_broad_pair pair,
                             cm_real max_gap, check_crossings *crossings, cm_relation_result *out);
/* Completes findings that have their parts, kinds and relations: identities, which are allowed, which fail, and the
 * counts. The description has all parts of the check; their shapes are not read. */
cm_status cm__check_settle(const cm_check_desc *desc, const check_plan *plan, const cm_allocator *mem,
                           cm_check_result *r);
/* Measures the common volume of each finding's parts. */
cm_status cm__check_volumes(const cm_check_desc *desc, const cm_allocator *mem, cm_check_result *r);
/* Sorts the findings, by a total order. CM_OK or CM_NO_MEMORY. */
cm_status cm__check_sort(cm_check_result *r, const cm_allocator *mem);
/* The identities of all parts, and of a finding of two of them by a test of that name. */
cm_status cm__check_identities(const cm_check_desc *desc, const cm_allocator *mem, uint64_t *out);
uint64_t cm__check_finding_identity(uint64_t a, uint64_t b, const char *test);
/* The kind of finding that a relation is. */
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
