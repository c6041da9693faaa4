/* Many pairs, in blocks of BATCH_BLOCK. In each block pairs of one class (kernel.h) are gathered, and filtered 64 at a
 * time. Certain answers come from the filter, all others from the single calls, so no answer differs from theirs.
 *
 * Before anything is written, all numbers of objects and shapes are checked. Nothing is allocated: a block's groups are
 * on its worker's stack. */
#include "carom/batch.h"
#include "base/bits.h"
#include "base/error.h"
#include "base/isa.h"
#include "base/tasks.h"
#include "batch/kernel.h"
#include "pair/gap.h"

#include <limits.h>
#include <string.h>

enum { BATCH_BLOCK = 512 };

/* Two objects of a pair, in the caller's order; poses are the starts of motions in a sweep. */
typedef struct batch_two {
    const cm_shape *a, *b;
    const cm_pose *pose_a, *pose_b;
} batch_two;

typedef struct batch_job batch_job;

/* Answers the `count` pairs first + number[k]. known[k]: what the filter says of the pair (kernel.h). */
typedef void batch_answer(const batch_job *job, size_t first, const uint16_t *number, const int32_t *known, int count);

struct batch_job {
    size_t count;
    cm__batch_objects in;
    batch_answer *answer;
    float margin; /* of the filter: at least the caller's; below 0: the filter is not used */
    cm_real limit;
    int capacity;
    bool *verdicts;
    cm_real *distances;
    cm_witness *witnesses;
    int *counts;
    cm_manifold *manifolds;
    cm_sweep_hit *hits;
};

/* --- what was wrong ----------------------------------------------------------------------------------------------- */

static bool stride_is_fine(size_t stride, size_t size) {
    return stride == 0 || (stride >= size && stride % sizeof(cm_real) == 0);
}

/* Checks the description, and fills *job from it. */
static cm_status batch_open(const cm_batch *b, bool moves, batch_job *job, cm_error *error) {
    static cm__batch_check *const checks[] = CM__BY_ISA(cm__batch_check);
    if (!b) return cm__refuse(error, CM_INVALID, "batch", CM_NONE);
    job->count = b->pairs ? b->pair_count : b->pose_count;
    if (job->count == 0) return CM_OK;
    if (!b->shapes) return cm__refuse(error, CM_INVALID, "shapes", CM_NONE);
    if (moves ? !b->motions : !b->poses) return cm__refuse(error, CM_INVALID, moves ? "motions" : "poses", CM_NONE);
    if (!stride_is_fine(b->shape_stride, sizeof(cm_shape)) || b->shape_stride % sizeof(void *))
        return cm__refuse(error, CM_INVALID, "shape_stride", CM_NONE);
    if (!moves && !stride_is_fine(b->pose_stride, sizeof(cm_pose)))
        return cm__refuse(error, CM_INVALID, "pose_stride", CM_NONE);
    if (moves && !stride_is_fine(b->motion_stride, sizeof(cm_motion)))
        return cm__refuse(error, CM_INVALID, "motion_stride", CM_NONE);
    if (job->count / BATCH_BLOCK >= INT_MAX) return cm__refuse(error, CM_LIMIT, "pair_count", CM_NONE);
    if (!b->shape_of && b->pose_count > b->shape_count)
        return cm__refuse(error, CM_OUT_OF_RANGE, "shape_count", b->shape_count);
    for (uint32_t i = 0; b->shape_of && i < b->pose_count; i++)
        if (b->shape_of[i] >= b->shape_count) return cm__refuse(error, CM_OUT_OF_RANGE, "shape_of", i);
    if (!b->pairs && b->one >= b->pose_count) return cm__refuse(error, CM_OUT_OF_RANGE, "one", CM_NONE);
    if (b->pairs && !checks[cm__isa_settled()](b->pairs, b->pair_count, b->pose_count)) {
        size_t i = 0;
        while (b->pairs[i].a < b->pose_count && b->pairs[i].b < b->pose_count) i++;
        return cm__refuse(error, CM_OUT_OF_RANGE, "pairs", i < CM_NONE ? (uint32_t)i : CM_NONE);
    }
    cm__batch_objects *in = &job->in;
    in->pairs = b->pairs, in->one = b->one, in->shape_of = b->shape_of;
    in->shapes = (const char *)b->shapes;
    in->shape_stride = b->shape_stride ? b->shape_stride : sizeof(cm_shape);
    in->poses = moves ? (const char *)b->motions : (const char *)b->poses;
    in->pose_stride = moves ? (b->motion_stride ? b->motion_stride : sizeof(cm_motion))
                            : (b->pose_stride ? b->pose_stride : sizeof(cm_pose));
    return CM_OK;
}

static const cm_shape *shape_of_object(const cm__batch_objects *in, uint32_t object) {
    const uint32_t shape = in->shape_of ? in->shape_of[object] : object;
    return (const cm_shape *)(const void *)(in->shapes + shape * in->shape_stride);
}
static const cm_pose *pose_of_object(const cm__batch_objects *in, uint32_t object) {
    return (const cm_pose *)(const void *)(in->poses + object * in->pose_stride);
}

static batch_two job_two(const batch_job *job, size_t at) {
    const cm__batch_objects *in = &job->in;
    const uint32_t a = in->pairs ? in->pairs[at].a : in->one, b = in->pairs ? in->pairs[at].b : (uint32_t)at;
    return (batch_two){shape_of_object(in, a), shape_of_object(in, b), pose_of_object(in, a), pose_of_object(in, b)};
}

/* --- a block ------------------------------------------------------------------------------------------------------ */

/* The class of two kinds, in either order. */
static cm__batch_class class_of(cm_kind a, cm_kind b) {
    static const uint8_t classes[CM_SHAPE_KINDS][CM_SHAPE_KINDS] = {
        [CM_SHAPE_POINT] = {[CM_SHAPE_POINT] = CM__BATCH_POINT_POINT,
                            [CM_SHAPE_SEGMENT] = CM__BATCH_POINT_SEGMENT,
                            [CM_SHAPE_TRIANGLE] = CM__BATCH_POINT_TRIANGLE,
                            [CM_SHAPE_BOX] = CM__BATCH_POINT_BOX},
        [CM_SHAPE_SEGMENT] =
            {[CM_SHAPE_POINT] = CM__BATCH_POINT_SEGMENT, [CM_SHAPE_SEGMENT] = CM__BATCH_SEGMENT_SEGMENT},
        [CM_SHAPE_TRIANGLE] = {[CM_SHAPE_POINT] = CM__BATCH_POINT_TRIANGLE},
        [CM_SHAPE_BOX] = {[CM_SHAPE_POINT] = CM__BATCH_POINT_BOX, [CM_SHAPE_BOX] = CM__BATCH_BOX_BOX},
        [CM_SHAPE_HULL] = {[CM_SHAPE_HULL] = CM__BATCH_HULL_HULL}};
    if ((unsigned)a >= CM_SHAPE_KINDS || (unsigned)b >= CM_SHAPE_KINDS) return CM__BATCH_NONE;
    return (cm__batch_class)classes[a][b];
}

/* Pairs of one class, gathered until there are as many as lanes. */
typedef struct batch_group {
    cm__batch_pairs pairs;
    uint16_t number[CM__BATCH_LANES]; /* of pairs, from the first of the block on */
    bool swapped[CM__BATCH_LANES];    /* the pair's second is the first of the class */
    int count;
} batch_group;

/* Pairs of one class that the filter left, so that their contacts are to be computed; and how many of the last 64 were
 * not apart. The filter comes first as long as those are no more than half, else it would cost more than it saves. */
typedef struct batch_near {
    batch_group group;
    int last;
} batch_near;
enum { NEAR_HALF = CM__BATCH_LANES / 2 };

static inline void group_set(batch_group *g, int k, batch_two two, bool swapped, uint16_t number) {
    g->pairs.shape_a[k] = swapped ? two.b : two.a, g->pairs.pose_a[k] = swapped ? two.pose_b : two.pose_a;
    g->pairs.shape_b[k] = swapped ? two.a : two.b, g->pairs.pose_b[k] = swapped ? two.pose_a : two.pose_b;
    g->number[k] = number, g->swapped[k] = swapped;
}

static inline batch_two group_two(const batch_group *g, int k) {
    const cm__batch_pairs *p = &g->pairs;
    return (batch_two){p->shape_a[k], p->shape_b[k], p->pose_a[k], p->pose_b[k]};
}

/* Fills the lanes past the last pair with the first pair. */
static void group_fill(batch_group *g) {
    const batch_two first = group_two(g, 0);
    for (int k = g->count; k < CM__BATCH_LANES; k++) group_set(g, k, first, false, 0);
}

/* Writes the contacts of lanes; known[k] becomes -1 for none, 1 for one that is written, 0 in doubt. False where the
 * pairs are of several kinds. */
static bool group_contacts(const batch_job *job, size_t first, cm__batch_class kind, const batch_group *g, int count,
                           int32_t *known) {
    static cm__batch_contact *const contacts[] = CM__BY_ISA(cm__batch_contact);
    cm__batch_contacts c;
    if (!contacts[cm__isa_settled()](kind, &g->pairs, (double)job->limit, &c)) return false;
    memcpy(known, c.found, (size_t)count * sizeof *known);
    for (int k = 0; k < count && job->capacity > 0; k++) { /* all lines at once, then nothing waits for them below */
        if (known[k] <= 0) continue;
        const cm_manifold *out = &job->manifolds[(first + g->number[k]) * (size_t)job->capacity];
        BITS_FETCH(out), BITS_FETCH((const char *)(&out->points[0] + 1) - 1);
    }
    for (int k = 0; k < count && job->capacity > 0; k++) {
        if (known[k] <= 0) continue;
        cm_manifold *out = &job->manifolds[(first + g->number[k]) * (size_t)job->capacity];
        cm_contact_point *p = &out->points[0];
        out->normal = cm_v(c.normal[0][k], c.normal[1][k], c.normal[2][k]);
        p->point_a = cm_v(c.point_a[0][k], c.point_a[1][k], c.point_a[2][k]);
        p->point_b = cm_v(c.point_b[0][k], c.point_b[1][k], c.point_b[2][k]);
        p->depth = 0 - gap_distance(c.distance[k]);
        manifold_of_one(out);
        if (g->swapped[k]) cm__manifold_swap(out);
    }
    return true;
}

/* Contacts of the pairs that the filter left. */
static void group_finish_near(const batch_job *job, size_t first, cm__batch_class kind, batch_group *near) {
    enum { NEAR_FEW = 16 }; /* fewer take less time one by one */
    _Alignas(CM__BATCH_ALIGN) int32_t known[CM__BATCH_LANES];
    memset(known, 0, sizeof known);
    group_fill(near);
    if (near->count >= NEAR_FEW) group_contacts(job, first, kind, near, near->count, known);
    job->answer(job, first, near->number, known, near->count);
    near->count = 0;
}

/* Answers the pairs that the filter says are apart; the others go to `near`. */
static void group_part(const batch_job *job, size_t first, cm__batch_class kind, const batch_group *g,
                       const int32_t *known, batch_near *near) {
    batch_group *out = &near->group;
    near->last = 0;
    for (int k = 0; k < g->count; k++) {
        if (known[k] < 0) {
            job->counts[first + g->number[k]] = 0;
            continue;
        }
        const int n = out->count++;
        near->last++;
        group_set(out, n, group_two(g, k), false, g->number[k]); /* in the order of the class already */
        out->swapped[n] = g->swapped[k];
        if (out->count == CM__BATCH_LANES) group_finish_near(job, first, kind, out);
    }
}

/* Contacts of a group's pairs; false where they are of several kinds. */
static bool group_touch(const batch_job *job, size_t first, cm__batch_class kind, const batch_group *g,
                        batch_near *near) {
    static cm__batch_look *const looks[] = CM__BY_ISA(cm__batch_look);
    _Alignas(CM__BATCH_ALIGN) int32_t known[CM__BATCH_LANES];
    if (near->last <= NEAR_HALF) {
        if (!looks[cm__isa_settled()](kind, &g->pairs, job->margin, known)) return false;
        group_part(job, first, kind, g, known, near);
    } else {
        if (!group_contacts(job, first, kind, g, g->count, known)) return false;
        near->last = 0;
        for (int k = 0; k < g->count; k++) near->last += known[k] >= 0;
        job->answer(job, first, g->number, known, g->count);
    }
    return true;
}

/* Filters the pairs of a group and answers them, or leaves their contacts to `near`. False, and nothing is done, where
 * the pairs are of several kinds. */
static bool group_finish(const batch_job *job, size_t first, cm__batch_class kind, batch_group *g, batch_near *near) {
    static cm__batch_look *const looks[] = CM__BY_ISA(cm__batch_look);
    _Alignas(CM__BATCH_ALIGN) int32_t known[CM__BATCH_LANES];
    if (kind == CM__BATCH_NONE || job->margin < 0) {
        memset(known, 0, sizeof known);
    } else if (job->counts && batch_has_contacts(kind)) {
        if (!group_touch(job, first, kind, g, near)) return false;
        g->count = 0;
        return true;
    } else {
        if (!looks[cm__isa_settled()](kind, &g->pairs, job->margin, known)) return false;
        for (int k = 0; k < g->count && job->counts; k++) known[k] = known[k] < 0 ? -1 : 0; /* no contact yet */
    }
    job->answer(job, first, g->number, known, g->count);
    g->count = 0;
    return true;
}

/* A block at work. Where 64 pairs in their order are of one class, they are answered as they are; else they go to the
 * groups of their classes. The places of the next 64 are found before. */
typedef struct batch_block {
    const batch_job *job;
    size_t first;
    int count;
    batch_group come[2], of[CM__BATCH_CLASSES];
    batch_near near[CM__BATCH_CLASSES];
} batch_block;

/* Finds the pairs from number `from` of the block on; beyond the block, those of the next one. */
static void block_find(batch_block *b, int from) {
    static cm__batch_find *const finds[] = CM__BY_ISA(cm__batch_find);
    batch_group *g = &b->come[from / CM__BATCH_LANES % 2];
    const size_t at = b->first + (size_t)from, left = at < b->job->count ? b->job->count - at : 0;
    if (left == 0) return;
    g->count = left < CM__BATCH_LANES ? (int)left : CM__BATCH_LANES;
    finds[cm__isa_settled()](&b->job->in, at, g->count, &g->pairs);
    memset(g->swapped, 0, sizeof g->swapped);
    for (int k = 0; k < CM__BATCH_LANES; k++) g->number[k] = (uint16_t)(from + k);
}

/* Hands pairs of several kinds to the groups of their classes. */
static void block_sort(batch_block *b, const batch_group *come) {
    for (int k = 0; k < come->count; k++) {
        const batch_two two = group_two(come, k);
        const cm__batch_class kind = class_of(two.a->kind, two.b->kind);
        batch_group *g = &b->of[kind];
        group_set(g, g->count++, two, two.b->kind < two.a->kind, come->number[k]);
        if (g->count == CM__BATCH_LANES) group_finish(b->job, b->first, kind, g, &b->near[kind]);
    }
}

/* Answers pairs as they come. */
static void block_group(batch_block *b, batch_group *come) {
    const batch_two first = group_two(come, 0), last = group_two(come, come->count - 1);
    const cm__batch_class kind = class_of(first.a->kind, first.b->kind);
    const bool alike = kind != CM__BATCH_NONE &&
                       first.a->kind <= first.b->kind && /* of the others group_finish tells */
                       last.a->kind == first.a->kind && last.b->kind == first.b->kind;
    if (!alike || !group_finish(b->job, b->first, kind, come, &b->near[kind])) block_sort(b, come);
}

static void block_run(void *arg, int index, int worker) {
    batch_block b;
    (void)worker;
    b.job = arg, b.first = (size_t)index * BATCH_BLOCK;
    b.count = b.job->count - b.first < BATCH_BLOCK ? (int)(b.job->count - b.first) : BATCH_BLOCK;
    for (int k = 0; k < CM__BATCH_CLASSES; k++) b.of[k].count = b.near[k].group.count = b.near[k].last = 0;
    block_find(&b, 0);
    for (int from = 0; from < b.count; from += CM__BATCH_LANES) {
        block_find(&b, from + CM__BATCH_LANES);
        block_group(&b, &b.come[from / CM__BATCH_LANES % 2]);
    }
    for (int k = 0; k < CM__BATCH_CLASSES; k++) {
        if (b.of[k].count == 0) continue;
        group_fill(&b.of[k]);
        group_finish(b.job, b.first, (cm__batch_class)k, &b.of[k], &b.near[k]);
    }
    for (int k = 0; k < CM__BATCH_CLASSES; k++)
        if (b.near[k].group.count) group_finish_near(b.job, b.first, (cm__batch_class)k, &b.near[k].group);
}

static void batch_run(batch_job *job, const cm_tasks *tasks) {
    cm__run(tasks, (int)((job->count + BATCH_BLOCK - 1) / BATCH_BLOCK), block_run, job);
}

/* --- the questions ------------------------------------------------------------------------------------------------ */

/* Do the pairs follow each other, as they mostly do? */
static bool numbers_follow(const uint16_t *number, int count) {
    int other = 0;
    for (int k = 0; k < count; k++) other |= number[k] ^ (number[0] + k);
    return other == 0;
}

static int count_doubts(const int32_t *known, int count) {
    int doubts = 0;
    for (int k = 0; k < count; k++) doubts += known[k] == 0;
    return doubts;
}

static void many_overlap(const batch_job *job, size_t first, const uint16_t *number, const int32_t *known, int count) {
    bool *out = job->verdicts + first;
    if (numbers_follow(number, count))
        for (int k = 0; k < count; k++) out[number[0] + k] = known[k] > 0;
    else
        for (int k = 0; k < count; k++) out[number[k]] = known[k] > 0;
    for (int k = 0, doubts = count_doubts(known, count); doubts > 0; k++) {
        if (known[k]) continue;
        doubts--;
        const batch_two t = job_two(job, first + number[k]);
        out[number[k]] = cm_overlap(t.a, t.pose_a, t.b, t.pose_b);
    }
}

static void many_distance(const batch_job *job, size_t first, const uint16_t *number, const int32_t *known, int count) {
    for (int k = 0; k < count; k++) {
        const size_t i = first + number[k];
        const batch_two t = job_two(job, i);
        cm_witness *out = job->witnesses ? &job->witnesses[i] : NULL;
        job->distances[i] = known[k] < 0 ? CM_REAL_MAX : cm_distance(t.a, t.pose_a, t.b, t.pose_b, job->limit, out);
    }
}

/* Where `known` is above 0, the manifold is written. */
static void many_contact(const batch_job *job, size_t first, const uint16_t *number, const int32_t *known, int count) {
    int *counts = job->counts + first;
    if (numbers_follow(number, count))
        for (int k = 0; k < count; k++) counts[number[0] + k] = known[k] > 0;
    else
        for (int k = 0; k < count; k++) counts[number[k]] = known[k] > 0;
    for (int k = 0, doubts = count_doubts(known, count); doubts > 0; k++) {
        if (known[k]) continue;
        doubts--;
        const size_t i = first + number[k];
        const batch_two t = job_two(job, i);
        cm_manifold *out = job->manifolds ? job->manifolds + i * (size_t)job->capacity : NULL;
        job->counts[i] = cm_contact(t.a, t.pose_a, t.b, t.pose_b, job->limit, out, job->capacity);
    }
}

/* In a sweep `poses` points to motions, whose first member is the pose at the start. */
static void many_sweep(const batch_job *job, size_t first, const uint16_t *number, const int32_t *known, int count) {
    (void)known;
    for (int k = 0; k < count; k++) {
        const size_t i = first + number[k];
        const batch_two t = job_two(job, i);
        const cm_motion *a = (const cm_motion *)(const void *)t.pose_a;
        const cm_motion *b = (const cm_motion *)(const void *)t.pose_b;
        const bool met = cm_sweep(t.a, a, t.b, b, job->hits ? &job->hits[i] : NULL);
        if (job->verdicts) job->verdicts[i] = met;
    }
}

/* The margin as a float that is not below it; below 0 where the filter cannot be used. */
static float lanes_margin(cm_real margin) {
    return margin >= 0 && margin <= CM_REAL(1e15) ? (float)margin * 1.0000002f : -1;
}

cm_status cm_overlap_many(const cm_batch *batch, bool *out, cm_error *error) {
    batch_job job = {.answer = many_overlap, .verdicts = out};
    const cm_status status = batch_open(batch, false, &job, error);
    if (status != CM_OK || job.count == 0) return status;
    if (!out) return cm__refuse(error, CM_INVALID, "out", CM_NONE);
    batch_run(&job, batch->tasks);
    return CM_OK;
}

cm_status cm_distance_many(const cm_batch *batch, cm_real max_distance, cm_real *distances, cm_witness *out,
                           cm_error *error) {
    batch_job job = {.answer = many_distance, .distances = distances, .witnesses = out};
    const cm_status status = batch_open(batch, false, &job, error);
    if (status != CM_OK || job.count == 0) return status;
    if (!distances) return cm__refuse(error, CM_INVALID, "distances", CM_NONE);
    job.limit = max_distance, job.margin = lanes_margin(max_distance);
    batch_run(&job, batch->tasks);
    return CM_OK;
}

cm_status cm_contact_many(const cm_batch *batch, cm_real margin, int *counts, cm_manifold *out, int capacity,
                          cm_error *error) {
    batch_job job = {.answer = many_contact, .counts = counts, .manifolds = out};
    const cm_status status = batch_open(batch, false, &job, error);
    if (status != CM_OK || job.count == 0) return status;
    if (!counts) return cm__refuse(error, CM_INVALID, "counts", CM_NONE);
    if (capacity < 0 || (capacity > 0 && !out)) return cm__refuse(error, CM_INVALID, "capacity", CM_NONE);
    job.limit = margin, job.margin = lanes_margin(margin), job.capacity = capacity;
    batch_run(&job, batch->tasks);
    return CM_OK;
}

cm_status cm_sweep_many(const cm_batch *batch, bool *met, cm_sweep_hit *out, cm_error *error) {
    batch_job job = {.answer = many_sweep, .margin = -1, .verdicts = met, .hits = out};
    const cm_status status = batch_open(batch, true, &job, error);
    if (status != CM_OK || job.count == 0) return status;
    batch_run(&job, batch->tasks);
    return CM_OK;
}
