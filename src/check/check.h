/* What the files of check/ share. */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "carom/broad.h"
#include "carom/check.h"
#include "carom/mesh.h"

/* Pattern and text as spans, as cm_check_matches has them for a component, and for a path. */
bool cm__check_text_matches(const char *pattern, const char *pattern_stop, const char *text, const char *text_stop);
bool cm__check_path_matches(const char *pattern, const char *end, const char *path);

/* Refuses what no check takes: see cm_check_parts. */
cm_status cm__check_refuse_desc(const cm_check_desc *desc, cm_error *error);
/* A test that is ready to be asked: its selectors have chosen. */
typedef struct check_test {
    const char *name;
    const uint8_t *sides; /* one a part */
    double tolerance;     /* 0 = the default of each pair */
    double clearance;     /* 0 = none */
    bool finds[CM_FINDING_KIND_COUNT], fails[CM_FINDING_KIND_COUNT];
} check_test;

/* All tests, and what the selectors of tolerances have chosen. One block. */
typedef struct check_plan {
    check_test *tests;
    uint32_t count;
    const uint8_t *tolerance_sides; /* for each tolerance one a part */
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

/* What a finding says of the crossings of its pair. */
typedef struct check_crossings {
    cm_aabb box;   /* around them; empty: there are none */
    double length; /* of all that are no areas */
} check_crossings;

/* Of these what is said of findings and pairs: tests, exceptions, tolerances. */
cm_status cm__check_refuse_rules(const cm_check_desc *desc, cm_error *error);
/* The boxes of the parts where they stand, taken once: that of a mesh is made of all its corners. NULL: no memory. */
cm_aabb *cm__check_boxes(const cm_check_desc *desc, const cm_allocator *mem);
/* The relation of two of these parts, gaps measured up to max_gap; tolerance 0 = the default. `crossings`, where not
 * NULL, are measured by the way. */
cm_status cm__check_relation(const cm_check_desc *desc, const cm_aabb *boxes, double tolerance, cm_broad_pair pair,
                             cm_real max_gap, check_crossings *crossings, cm_relation_result *out);
/* Completes findings that have their parts, kinds and relations: identities, what is allowed and what fails, and the
 * counts. The description has all parts of the check; their shapes are not looked at. */
cm_status cm__check_settle(const cm_check_desc *desc, const check_plan *plan, const cm_allocator *mem,
                           cm_check_result *r);
/* Fills what findings have in common. */
cm_status cm__check_volumes(const cm_check_desc *desc, const cm_allocator *mem, cm_check_result *r);
/* Into their total order. */
void cm__check_sort(cm_check_result *r);
/* The identities of all parts, and of a finding of two of them by a test of that name. */
cm_status cm__check_identities(const cm_check_desc *desc, const cm_allocator *mem, uint64_t *out);
uint64_t cm__check_finding_identity(uint64_t a, uint64_t b, const char *test);
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
