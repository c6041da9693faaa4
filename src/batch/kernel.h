/* A filter: 64 pairs of one class at a time, one in each lane of the vectors. It says which pairs certainly overlap and
 * which are certainly apart; all others are in doubt, and get their answer from the single call.
 *
 * Guaranteed: a certain answer is right for the shapes and poses as they are given. Rounding is bounded by a distance,
 * BAND times the sum of all sizes in the pair. A lane is in doubt where that could decide, or where a number is not
 * valid, very small or very large. Positions are subtracted first, so the band does not grow with the distance from the
 * origin. Which lanes are in doubt may depend on the instruction set; the certain answers do not. */
#ifndef BATCH_KERNEL_H
#define BATCH_KERNEL_H

#include "carom/broad.h"
#include "carom/pair.h"

enum { CM__BATCH_LANES = 64 };
/* Of rows of lanes, in bytes: that of the widest vectors. A vector across two lines of the cache takes twice the time.
 */
enum { CM__BATCH_ALIGN = 64 };

/* Pairs of kinds, in the order of the list of shapes, that have a test here. */
typedef enum cm__batch_class {
    CM__BATCH_NONE,
    CM__BATCH_POINT_POINT,
    CM__BATCH_POINT_SEGMENT,
    CM__BATCH_POINT_TRIANGLE,
    CM__BATCH_POINT_BOX,
    CM__BATCH_SEGMENT_SEGMENT,
    CM__BATCH_BOX_BOX,
    CM__BATCH_HULL_HULL,
    CM__BATCH_CLASSES
} cm__batch_class;

/* The pairs of 64 lanes; the kind of a comes before that of b in the list of shapes, or is the same. */
typedef struct cm__batch_pairs {
    _Alignas(CM__BATCH_ALIGN) const cm_shape *shape_a[CM__BATCH_LANES], *shape_b[CM__BATCH_LANES];
    const cm_pose *pose_a[CM__BATCH_LANES], *pose_b[CM__BATCH_LANES];
} cm__batch_pairs;

/* A batch's pairs, each by the numbers of its objects, and where the objects lie. Without `pairs` pair i is object
 * `one` against object i; without `shape_of` an object has the shape of its number. */
typedef struct cm__batch_objects {
    const cm_broad_pair *pairs;
    uint32_t one;
    const uint32_t *shape_of;
    const char *shapes, *poses;
    size_t shape_stride, pose_stride;
} cm__batch_objects;

/* Are all numbers below `below`? */
typedef bool cm__batch_check(const cm_broad_pair *pairs, size_t count, uint32_t below);

/* Where the pairs from number `from` on lie, and has them fetched: `count` of them, at least one; the lanes beyond
 * repeat the first. */
typedef void cm__batch_find(const cm__batch_objects *objects, size_t from, int count, cm__batch_pairs *out);

/* Puts into `out` for each pair: 1 they overlap, -1 they are farther apart than `margin`, 0 in doubt. False, and
 * nothing is told, where not all pairs are of the kinds of the first, in its order. */
typedef bool cm__batch_look(cm__batch_class kind, const cm__batch_pairs *pairs, float margin, int32_t *out);

/* Contacts of the pairs, in the world, from A to B: found is 1 for a contact, -1 for none within the margin, 0 in
 * doubt; where it is 1, the others are the single call's to the bit, the distance that of cm__gap. */
typedef struct cm__batch_contacts {
    _Alignas(CM__BATCH_ALIGN) cm_real normal[3][CM__BATCH_LANES], point_a[3][CM__BATCH_LANES],
        point_b[3][CM__BATCH_LANES];
    double distance[CM__BATCH_LANES];
    int32_t found[CM__BATCH_LANES];
} cm__batch_contacts;

/* All lanes of a class that has no contacts here (batch_has_contacts) are in doubt. False as of cm__batch_look. */
typedef bool cm__batch_contact(cm__batch_class kind, const cm__batch_pairs *pairs, double margin,
                               cm__batch_contacts *out);

static inline bool batch_has_contacts(cm__batch_class kind) {
    return kind != CM__BATCH_NONE && kind < CM__BATCH_BOX_BOX;
}

extern cm__batch_check cm__batch_check_base, cm__batch_check_avx2, cm__batch_check_avx512;
extern cm__batch_find cm__batch_find_base, cm__batch_find_avx2, cm__batch_find_avx512;
extern cm__batch_contact cm__batch_contact_base, cm__batch_contact_avx2, cm__batch_contact_avx512;
extern cm__batch_look cm__batch_look_base, cm__batch_look_avx2, cm__batch_look_avx512;

#endif
