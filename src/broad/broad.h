/* The inside of a broad phase: slots and filters, which the common layer keeps, and what a kind supplies. */
#ifndef BROAD_BROAD_H
#define BROAD_BROAD_H

#include "carom/broad.h"

enum {
    CM__SLOT_BITS = 24,
    CM__SLOT_MASK = 0xffffff,
    CM__SLOT_LIMIT = 0xffffff, /* most slots, so that CM_NONE is never an id */
    CM__GENERATION_LIMIT = 255,
    CM__CELL_LEVELS = 40 /* of an octree, below its first root */
};

/* Flags of a slot. */
enum {
    CM__LIVE = 1,      /* an object stands in it */
    CM__UNBOUNDED = 2, /* its box is beyond the valid range somewhere: kinds never see it */
    CM__FIXED = 4,
    CM__FILTERED = 8,   /* its layer or mask is not the default */
    CM__MARKED = 16,    /* in the list of marked slots */
    CM__IN_KIND = 32,   /* the kind's structure holds it (kinds that work object by object) */
    CM__OLD_FILTER = 64 /* old_layers, old_masks hold the filter at the last update (else it is unchanged) */
};
/* What a kind has to hold: (flags & CM__MEMBER_MASK) == CM__LIVE. */
#define CM__MEMBER_MASK (CM__LIVE | CM__UNBOUNDED)

/* An array that grows; capacity in items, for cm__reserve. */
typedef struct cm__broad_buffer {
    void *items;
    size_t capacity;
} cm__broad_buffer;

/* Where pairs are written. */
typedef struct cm__pair_sink {
    const cm_allocator *mem;
    cm_broad_pair *pairs;
    size_t count, capacity;
    uint64_t tests; /* box against box */
    size_t limit;   /* more than this many are CM_LIMIT; 0 = none */
    bool full;      /* and there were */
} cm__pair_sink;

/* A query during its walk through a structure. A kind may skip every box whose bound exceeds the limit, calls cm__visit
 * for every member in the others, near boxes first where it can, and returns once that says false. */
typedef struct cm__visitor {
    const cm_broad *broad;
    cm_aabb reach; /* what lies outside has no bound within the limit of the start */
    double limit;
    uint32_t mask, calls;
    bool repeats; /* the same member may be shown more than once */
    bool whole;   /* the bound says nothing of a box that holds only a part of a member */
    /* A lower bound for everything inside the box, exact for an object's; > limit (or infinite) where nothing is met.
     * Never larger for a box that contains the other. */
    double (*bound)(const struct cm__visitor *visitor, const cm_aabb *box);
    bool (*take)(struct cm__visitor *visitor, uint32_t slot, double key); /* false: stop */
    /* NULL: no. A box with all of what moves while it meets `box` and is within the limit, at most the reach: members
     * that it meets there overlap it. Only where the bound of `box` is within the limit. */
    void (*clip)(const struct cm__visitor *visitor, const cm_aabb *box, cm_aabb *out);
    uint64_t looks; /* what a visit of GRID costs, in records of its columns that were looked at; AUTO goes by it */
} cm__visitor;

/* What a kind supplies. Those that work object by object have add, remove and move, called at an update for what was
 * marked, then update; those that look at all slots anew leave the three NULL. Where one fails, the common layer
 * calls clear, and at the next update adds everything again. */
typedef struct cm__broad_ops {
    cm_broad_kind kind;
    size_t state_size; /* zeroed before create */
    void (*destroy)(cm_broad *b);
    void (*clear)(cm_broad *b); /* forget all objects, keep the memory */
    cm_status (*add)(cm_broad *b, uint32_t slot);
    void (*remove)(cm_broad *b, uint32_t slot);
    cm_status (*move)(cm_broad *b, uint32_t slot);
    cm_status (*update)(cm_broad *b);
    cm_status (*pairs)(cm_broad *b, cm__pair_sink *sink);
    void (*visit)(const cm_broad *b, cm__visitor *visitor);
    void (*walk)(const cm_broad *b, cm_broad_walk_fn fn, void *context);
    void (*stats)(const cm_broad *b, cm_broad_stats *out); /* nodes, depth; adds its bytes */
    /* NULL, or columns that are filled anew at every update: they may as well be filled with boxes around the places of
     * before and now, from which both the changes and all queries can be answered. */
    struct cm__columns *(*columns)(cm_broad *b);
} cm__broad_ops;

/* What queries asked of the structure. They may run in any number of threads: each adds to both numbers at its end, and
 * sums do not depend on the order. */
typedef struct cm__broad_asked {
    uint32_t visits, work; /* work: of CM__ASKED_LOOKS looks each, rounded up for every visit */
} cm__broad_asked;
enum { CM__ASKED_LOOKS = 64 };

struct cm_broad {
    cm_allocator mem_copy;
    const cm_allocator *mem;
    cm_tasks tasks_copy;
    const cm_tasks *tasks;
    cm_broad_desc desc;
    const cm__broad_ops *ops;
    void *state; /* the kind's */

    /* By slot: every array has room for slot_count. A dead slot's box is empty, so that it overlaps nothing. */
    uint32_t slot_count, live_count, fixed_count, unbounded_count, filtered_count;
    cm_aabb *boxes;
    uint32_t *ids, *layers, *masks;
    uint64_t *users;
    uint8_t *flags;
    size_t boxes_capacity, ids_capacity, layers_capacity, masks_capacity, users_capacity, flags_capacity;

    uint32_t *free_slots; /* a stack; room for every slot */
    uint32_t free_count;
    size_t free_capacity;
    uint32_t *unbounded; /* slots, ascending order not kept */
    size_t unbounded_capacity;

    /* Since the last update. */
    bool dirty;       /* something was marked */
    bool fixed_dirty; /* … something static, or static before */
    bool reload;      /* the structure is empty or broken: add everything */
    uint32_t *marked; /* only kept where the kind or the changes need it */
    uint32_t marked_count;
    size_t touched_capacity;
    bool pairs_asked; /* for all pairs, since the last update */

    /* For AUTO: see auto.c. */
    uint64_t stirred;              /* objects added, moved, removed or changed since the last update, with repeats */
    uint32_t calm;                 /* updates in a row with little motion and no call for all pairs */
    cm__broad_asked asked;         /* by queries since the last update */
    uint64_t grid_asks, grid_work; /* the same, summed up over the updates at which columns answered; halved at times */
    uint64_t debt;                 /* what the other of GRID and BVH would have saved by now, in looks */
    bool for_queries;              /* BVH, because queries ask for it */

    /* Changes: the state at the last update of what was marked, by slot; slots freed since then. */
    cm_aabb *old_boxes;
    uint32_t *old_ids, *old_layers, *old_masks;
    uint8_t *old_flags;
    size_t old_boxes_capacity, old_ids_capacity, old_layers_capacity, old_masks_capacity, old_flags_capacity;
    uint32_t *freed;
    uint32_t freed_count;
    size_t freed_capacity;
    cm__pair_sink began, ended, candidates;
    size_t held;                 /* pairs at the last update: all that began less all that ended */
    struct cm__columns *columns; /* finds candidates */
    bool around;                 /* the kind's columns hold boxes around the places of before and now */
    struct cm__columns *between; /* pairs with another object; made when first asked */

    cm__pair_sink pairs; /* the last find_pairs */
    cm__broad_buffer scratch;
};

/* --- kinds --------------------------------------------------------------------------------------------------- */

extern const cm__broad_ops cm__broad_brute, cm__broad_sweep, cm__broad_sweep3, cm__broad_grid, cm__broad_octree,
    cm__broad_quadtree, cm__broad_bsp, cm__broad_bvh;

/* --- helpers for kinds --------------------------------------------------------------------------------------- */

static inline bool cm__is_member(const cm_broad *b, uint32_t slot) {
    return (b->flags[slot] & CM__MEMBER_MASK) == CM__LIVE;
}

/* Do the filters, and the rule that two static objects are no pair, let this pair through? */
static inline bool cm__pair_passes(const cm_broad *b, uint32_t s, uint32_t t) {
    uint8_t all = b->flags[s] & b->flags[t], any = b->flags[s] | b->flags[t];
    if (all & CM__FIXED) return false;
    return !(any & CM__FILTERED) || ((b->layers[s] & b->masks[t]) && (b->layers[t] & b->masks[s]));
}

/* Makes room for `more` pairs behind the last; no more once those found are over the limit. */
bool cm__sink_grow(cm__pair_sink *sink, size_t more);
/* Are there more than the limit allows? Notes it. */
bool cm__sink_over(cm__pair_sink *sink);
static inline bool cm__sink_room(cm__pair_sink *sink, size_t more) {
    return sink->capacity - sink->count >= more || cm__sink_grow(sink, more);
}
/* Appends in the order of the numbers; room must have been made. */
static inline void cm__sink_put(cm__pair_sink *sink, uint32_t id, uint32_t other) {
    cm_broad_pair *pair = &sink->pairs[sink->count++];
    pair->a = id < other ? id : other;
    pair->b = id < other ? other : id;
}
/* Appends the pair of two slots known to overlap, where the filters let it through. False: no memory. */
static inline bool cm__sink_slots(const cm_broad *b, cm__pair_sink *sink, uint32_t s, uint32_t t) {
    if (!cm__pair_passes(b, s, t)) return true;
    if (!cm__sink_room(sink, 1)) return false;
    cm__sink_put(sink, b->ids[s], b->ids[t]);
    return true;
}
/* Takes out what the filters do not let through, from pair `from` on. */
void cm__sink_filter(const cm_broad *b, cm__pair_sink *sink, size_t from);
void cm__sink_free(cm__pair_sink *sink);
/* The status of what was found: CM_LIMIT where there is more than the limit allows. Once, when all was found. */
cm_status cm__sink_status(cm__pair_sink *sink, cm_status status);
/* Sorts by a, then b. `scratch` holds items of cm_broad_pair size. */
cm_status cm__sink_sort(cm__pair_sink *sink, cm__broad_buffer *scratch);

/* Shows one member to the query; false: the query wants no more. */
static inline bool cm__visit(cm__visitor *v, uint32_t slot) {
    const cm_broad *b = v->broad;
    if (!(b->layers[slot] & v->mask)) return true;
    double key = v->bound(v, &b->boxes[slot]);
    return !(key <= v->limit) || v->take(v, slot, key);
}

/* The running structure where it is up to date, with the unbounded objects; else every slot. */
void cm__visit_any(const cm_broad *b, cm__visitor *visitor);
/* Makes room for `bytes` in a buffer whose contents do not matter. */
cm_status cm__buffer_bytes(const cm_allocator *mem, cm__broad_buffer *buffer, size_t bytes);
void cm__buffer_free(const cm_allocator *mem, cm__broad_buffer *buffer);
double cm__box_bound(const cm__visitor *v, const cm_aabb *box); /* 0 where box meets v->reach */

/* Part of space, half open: min <= p < max on every axis. All of it holds every point that a box may have. */
static inline cm_aabb cm__space_all(void) {
    cm_aabb all = {cm_v(-CM_REAL_MAX, -CM_REAL_MAX, -CM_REAL_MAX), cm_v(CM_REAL_MAX, CM_REAL_MAX, CM_REAL_MAX)};
    return all;
}
static inline bool cm__space_holds(const cm_aabb *space, cm_vec3 p) {
    return p.x >= space->min.x && p.x < space->max.x && p.y >= space->min.y && p.y < space->max.y &&
           p.z >= space->min.z && p.z < space->max.z;
}

/* --- parts of the common layer ------------------------------------------------------------------------------- */

/* Is this box one to store? CM_OK, CM_INVALID or CM_NOT_FINITE; *unbounded says which way. */
cm_status cm__box_check(const cm_aabb *box, bool *unbounded);
/* Finds what began and ended between the state kept in old_… and now, over the marked slots. `shared`: the kind's
 * columns, which are filled on the way; NULL where the kind is up to date. */
cm_status cm__find_changes(cm_broad *b, struct cm__columns *shared);
/* Is one fill enough for the kind's columns and for the changes? Much moved, all of it little; nothing was removed, nor
 * is static or unbounded and moved. */
bool cm__changes_may_share(const cm_broad *b);
/* Starts a kind; the old one's structure is destroyed. On failure the old one stays. */
cm_status cm__start_kind(cm_broad *b, const cm__broad_ops *ops);
const cm__broad_ops *cm__broad_ops_of(cm_broad_kind kind);
/* The kind that suits what stands in b now (never AUTO). */
cm_broad_kind cm__auto_pick(const cm_broad *b);
/* What find_pairs found, sorted where asked for; nothing where it failed. */
cm_status cm__pairs_give(cm_broad *b, int flags, cm_status status, cm_broad_pair_view *out);
/* Notes how much goes on; once an update, before picking. */
void cm__auto_watch(cm_broad *b);

#endif
