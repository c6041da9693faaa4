/* A filter: 64 pairs of one class at a time, one in each lane of the vectors. It says which pairs certainly overlap and
 * which are certainly apart; all others are in doubt, and get their answer from the single call.
 *
 * Guaranteed: a certain answer is right for the shapes and poses as they are given. Rounding is bounded by a distance,
 * BAND times the sum of all sizes in the pair. A lane is in doubt where that could decide, or where a number is not
 * valid, very small or very large. Positions are subtracted first, so the band does not grow with the distance from the
 * origin. Which lanes are in doubt may depend on the instruction set; the certain answers do not. */
#ifndef BATCH_KERNEL_H
#define BATCH_KERNEL_H

#include "carom/pair.h"

enum { CM__BATCH_LANES = 64 };

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
    const cm_shape *shape_a[CM__BATCH_LANES], *shape_b[CM__BATCH_LANES];
    const cm_pose *pose_a[CM__BATCH_LANES], *pose_b[CM__BATCH_LANES];
} cm__batch_pairs;

/* Puts into `out` for each of `count` pairs: 1 they overlap, -1 they are farther apart than `margin`, 0 in doubt.
 * Entries of `pairs` beyond `count` repeat another. */
typedef void cm__batch_look(cm__batch_class kind, const cm__batch_pairs *pairs, float margin, int32_t *out);

/* Contacts of the pairs, in the world, from A to B: found is 1 for a contact, -1 for none within the margin, 0 in
 * doubt; where it is 1, the others are the single call's to the bit, the distance that of cm__gap. */
typedef struct cm__batch_contacts {
    cm_real normal[3][CM__BATCH_LANES], point_a[3][CM__BATCH_LANES], point_b[3][CM__BATCH_LANES];
    double distance[CM__BATCH_LANES];
    int32_t found[CM__BATCH_LANES];
} cm__batch_contacts;

/* All lanes of a class that has no contacts here (batch_has_contacts) are in doubt. */
typedef void cm__batch_contact(cm__batch_class kind, const cm__batch_pairs *pairs, double margin,
                               cm__batch_contacts *out);

static inline bool batch_has_contacts(cm__batch_class kind) {
    return kind != CM__BATCH_NONE && kind < CM__BATCH_BOX_BOX;
}

/* Contacts of this class are expensive: the filter first removes the lanes that are apart. */
static inline bool batch_looks_first(cm__batch_class kind) { return kind == CM__BATCH_POINT_TRIANGLE; }

extern cm__batch_contact cm__batch_contact_base, cm__batch_contact_avx2, cm__batch_contact_avx512;
extern cm__batch_look cm__batch_look_base, cm__batch_look_avx2, cm__batch_look_avx512;

#endif
