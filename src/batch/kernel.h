/* A first look at 64 pairs of one class, lane by lane: which surely overlap, which surely are apart.
 *
 * Guaranteed: what it answers is so, for the shapes and poses as they are given; rounding is bounded as a distance,
 * BAND of the sum of all sizes in the pair, and where it could decide, or a number is not valid, very small or very
 * large, the lane is in doubt. Positions are subtracted first, so that the distance to the origin costs nothing.
 * Answers do not depend on the instruction set beyond which lanes are in doubt, and those are asked again by the single
 * call. */
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

/* The pairs of a block; b is the later one in the list of shapes. */
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

/* Classes without contacts here (batch_has_contacts) are in doubt. */
typedef void cm__batch_contact(cm__batch_class kind, const cm__batch_pairs *pairs, double margin,
                               cm__batch_contacts *out);

static inline bool batch_has_contacts(cm__batch_class kind) {
    return kind != CM__BATCH_NONE && kind < CM__BATCH_BOX_BOX;
}

/* Contacts of these take so long that lanes which are apart are looked for first. */
static inline bool batch_looks_first(cm__batch_class kind) { return kind == CM__BATCH_POINT_TRIANGLE; }

extern cm__batch_contact cm__batch_contact_base, cm__batch_contact_avx2, cm__batch_contact_avx512;
extern cm__batch_look cm__batch_look_base, cm__batch_look_avx2, cm__batch_look_avx512;

#endif
