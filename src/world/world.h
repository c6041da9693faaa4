/* The inside of a world: slots, pairs, step_contacts (a pair that touched within the step); and the functions shared by
 * its files, file by file.
 *
 * An object is in a slot; its id is the slot and the slot's generation. The broad phase has ids of its own; its user
 * value is the world's slot. Slots freed since the last update are reused only after the next one, so that events can
 * still report the objects that were there. The pairs of overlapping boxes are one list sorted by ids, from which each
 * update takes those that the broad phase says ended and into which it merges those that began.
 *
 * An update may run out of memory anywhere and is then asked for again: until the first hit is answered nothing has
 * moved; afterwards the poses are final, and pairs, ends and step_contacts keep what the next update has to tell. */
#ifndef WORLD_WORLD_H
#define WORLD_WORLD_H

#include "carom/world.h"
#include "broad/broad.h"

enum {
    CM__WORLD_SLOT_BITS = 24,
    CM__WORLD_SLOT_MASK = 0xffffff,
    CM__WORLD_SLOT_LIMIT = 0xffffff,
    CM__WORLD_PAIR_LIMIT = 0x1000000,
    CM__WORLD_BYTE_LIMIT = 0x7fffffff,
    CM__WORLD_SWEEP_LIMIT = 0x800000,
    CM__WORLD_SWEEPS_EACH = 1024, /* of an object: with this many, the limit above is one of small worlds only */
    CM__WORLD_GENERATIONS = 255
};

/* Flags of a slot. */
enum {
    CM__BODY_LIVE = 1,
    CM__BODY_FIXED = 2,
    CM__BODY_TRIGGER = 4,
    CM__BODY_GROUPED = 8,       /* has a group: layers alone do not decide */
    CM__BODY_MOVING = 16,       /* has a motion for the coming (or running) step */
    CM__BODY_SWEPT = 32,        /* in the running step */
    CM__BODY_WIDE = 64,         /* its box in the broad phase is larger than where it stands */
    CM__BODY_CHANGED = 128,     /* its pairs have to be tested */
    CM__BODY_DYING = 256,       /* removed within a callback: freed at the end of the step */
    CM__BODY_FRESH = 512,       /* added within a callback: not in the broad phase yet */
    CM__BODY_LATE = 1024,       /* filter changed within a callback: not in the broad phase yet */
    CM__BODY_REDIRECTED = 2048, /* got a new motion in the running step: has a box in `redirect_broad` */
    CM__BODY_BALL = 4096,       /* a sphere around its origin: spin does not matter */
    CM__BODY_RESHAPED = 8192,   /* its shape was changed since the last update */
    /* held after the last hit that it may have in a step; for objects that moved in the last step */
    CM__BODY_HELD = 16384,
    CM__BODY_PUSHED = 32768 /* slow, until a hit pushed it: swept for the rest of the running step */
};

typedef struct cm__outline cm__outline;

typedef struct cm__body {
    cm_shape shape; /* only the bytes of its kind are set, the rest is 0 */
    cm_aabb local;  /* its box at the identity */
    uint64_t user;
    uint32_t broad; /* id there; 0: none */
    uint32_t layer, mask;
    int32_t group;
    cm_world_sweep_mode mode;
    cm_real extent;       /* its least thickness (object.c) */
    cm_real reach;        /* its extent from its origin; of a half-space, the distance of its plane */
    cm__outline *outline; /* for a mesh that may move (outline.c); or NULL */
    uint32_t moves;       /* for a mesh without an outline: how often it was moved */
} cm__body;

/* State of a pair. */
enum {
    CM__PAIR_CONTACT = 1,  /* touched at the last update */
    CM__PAIR_INSIDE = 2,   /* in a trigger at the last update */
    CM__PAIR_TESTED = 4,   /* its result is for the poses before this step */
    CM__PAIR_STOPPED = 8,  /* its contact comes from a hit: it lasts within the gap that a sweep may leave */
    CM__PAIR_DECIDED = 16, /* filters were asked in this step, */
    CM__PAIR_ALLOWED = 32, /* and let it through; */
    CM__PAIR_REFUSED = 64, /* or layers and the like did not, so that the world's callback was not asked */
    CM__PAIR_NOTED = 128   /* touches where this step begins, and is noted for that */
};

typedef struct cm__world_pair {
    uint32_t a, b, state;
    uint32_t buffer, first, count; /* manifolds: of which worker, from where on, how many */
    cm_vec3 apart;                 /* unit, from a to b: kept the shapes apart when last tested; or 0 */
    double until;                  /* while the sum of both odometers is less, they are certainly apart; 0: not known */
} cm__world_pair;

/* The result of the narrow phase for a pair, until the update commits it. */
typedef struct cm__world_result {
    uint32_t buffer, first, count;
    bool touches, tested, trigger; /* tested: anew; trigger: one of the two is one */
    bool waits;                    /* for room in the buffer */
} cm__world_result;

/* A pair that ended and whose event is not reported yet. */
typedef struct cm__world_end {
    uint32_t a, b;
    uint64_t user_a, user_b;
    cm_world_event_kind kind;
} cm__world_end;

/* A pair that touched within the step. */
typedef struct cm__world_step_contact {
    uint32_t a, b;
    uint64_t user_a, user_b;
    cm_real u;
    bool trigger, hit, limit, stopped; /* hit: was answered; limit: held; stopped: answered, and not with PASS */
    cm_manifold manifold;
} cm__world_step_contact;

/* Manifolds of one worker; the array is replaced by the other of two at every update. */
typedef struct cm__world_manifolds {
    cm_manifold *items;
    size_t count, capacity;
    size_t wanted; /* manifolds more, for which there was no room */
    bool failed;
} cm__world_manifolds;

/* The sweep of a pair, waiting for its turn. */
typedef struct cm__world_found {
    uint32_t a, b, version_a, version_b;
    cm_real u;
    bool valid;
    cm_sweep_hit hit;
} cm__world_found;

/* A part of an object's path through the step: one motion. */
typedef struct cm__world_path {
    cm_motion motion; /* from `since` on, to u = 1 if nothing had come in between */
    cm_real since, until;
    uint32_t before; /* the number of the part before it, from 1 on; 0: none */
} cm__world_path;

/* The last part of an object's path. */
typedef struct cm__world_trip {
    cm__world_path path;
    uint32_t step; /* the step it is of; if not the current one, the object did not move in this step */
    bool swept;    /* in any part */
} cm__world_trip;

/* An entry of the heap: the hit of a sweep; or, with a = 0, a note that slot b has to search the next part of its path,
 * if its motion still has the version `found`. */
typedef struct cm__world_queued {
    cm_real u;
    uint32_t a, b, found;
} cm__world_queued;

/* How far the path of a redirected object has been searched for candidates. */
typedef struct cm__world_search {
    cm_aabb box;  /* around the part of its path that was looked along */
    cm_real part; /* of the motion: 0 to 1 */
    uint32_t
        serial; /* number of its turn within the step: of two, the one that redirected later searches for the other */
    uint32_t except; /* a slot that it does not search for */
} cm__world_search;

/* Bytes for a pair of boxes while the broad phase looks for pairs: as a candidate, as what began, and to sort that; for
 * a pair, whether it touches or not; for each manifold of a contact; and for each step_contact: of two arrays each, and
 * of its events. */
enum {
    CM__WORLD_FOUND_BYTES = 3 * sizeof(cm_broad_pair),
    CM__WORLD_PAIR_BYTES = 2 * sizeof(cm__world_pair) + sizeof(cm__world_result) + sizeof(cm_world_event),
    CM__WORLD_MANIFOLD_BYTES = 2 * sizeof(cm_manifold),
    CM__WORLD_MEETING_BYTES = 2 * sizeof(cm__world_step_contact) + 5 * sizeof(cm_world_event)
};

#define CM__WORLD_ARRAY(type, name)                                                                                    \
    type *name;                                                                                                        \
    size_t name##_capacity

typedef enum cm__world_busy { CM__WORLD_FREE, CM__WORLD_STEPPING, CM__WORLD_ASKING } cm__world_busy;

struct cm_world {
    cm_allocator mem_copy;
    const cm_allocator *mem;
    cm_tasks tasks_copy;
    const cm_tasks *tasks;
    cm_world_desc desc;
    cm_broad *broad;
    int workers;
    cm__world_busy busy;
    bool answered; /* dynamics asks a callback about a hit, or reads the events: no step, no restore, no end */

    /* By slot. */
    uint32_t slot_count, live_count;
    CM__WORLD_ARRAY(uint32_t, ids);
    CM__WORLD_ARRAY(uint16_t, flags);
    CM__WORLD_ARRAY(cm__body, bodies);
    CM__WORLD_ARRAY(cm_motion, motions); /* `start` is the pose now, or at `since` in the running step */
    CM__WORLD_ARRAY(cm_real, slack);     /* the gap that the last sweep may have left to what stopped it */
    CM__WORLD_ARRAY(cm_real, margins);   /* its share of the default margin */
    CM__WORLD_ARRAY(cm_real, since);     /* u from which on its motion holds */
    CM__WORLD_ARRAY(cm__world_trip, trips);
    CM__WORLD_ARRAY(uint32_t, versions); /* of its motion in the running step */
    CM__WORLD_ARRAY(uint8_t, hits);
    CM__WORLD_ARRAY(cm_pose, tested); /* the pose when its pairs were last tested */
    /* upper bound of the path length of any of its points, over all steps until then */
    CM__WORLD_ARRAY(double, odometer);
    CM__WORLD_ARRAY(uint32_t, places); /* in `redirected` */
    CM__WORLD_ARRAY(uint32_t, free_slots);
    CM__WORLD_ARRAY(uint32_t, freed_slots);
    CM__WORLD_ARRAY(uint32_t, movers);    /* slots whose box is set in this step */
    CM__WORLD_ARRAY(uint32_t, mover_ids); /* in the broad phase */
    CM__WORLD_ARRAY(cm_aabb, mover_boxes);
    uint32_t free_count, freed_count, mover_count;
    bool late; /* something was changed within a callback */

    CM__WORLD_ARRAY(cm__world_pair, pairs);
    CM__WORLD_ARRAY(cm__world_pair, merged); /* the other of two */
    size_t pair_count;
    cm__pair_sink began, ended; /* by our ids, sorted */
    cm__broad_buffer scratch;
    CM__WORLD_ARRAY(cm__world_end, ends);
    size_t end_count;
    bool lost; /* changes of the broad phase were lost: take all of its pairs */

    CM__WORLD_ARRAY(cm__world_result, results);
    CM__WORLD_ARRAY(uint32_t, order); /* of step_contacts */
    CM__WORLD_ARRAY(uint32_t, todo);  /* pairs to sweep */
    size_t todo_count;
    cm__world_manifolds *manifolds, *manifolds_before; /* one a worker */
    uint32_t manifold_count, manifold_most;            /* of all workers in the running test; it ends beyond the most */

    /* Times of impact. */
    CM__WORLD_ARRAY(cm__world_found, found);
    CM__WORLD_ARRAY(cm__world_queued, heap);
    CM__WORLD_ARRAY(cm__world_step_contact, step_contacts);
    CM__WORLD_ARRAY(uint32_t, near);        /* slots near a redirected object; ids in a box */
    CM__WORLD_ARRAY(cm_broad_pair, passed); /* hash table of pairs answered with PASS; a = 0: empty */
    CM__WORLD_ARRAY(uint32_t, redirected);  /* slots */
    CM__WORLD_ARRAY(cm__world_path, paths); /* all parts but the last of what was redirected */
    size_t found_count, heap_count, step_contact_count, near_count, passed_count, path_count;
    size_t found_free;      /* a free place in `found`, counted from 1, whose `a` is the next such; 0: none */
    uint32_t last_redirect; /* serial */
    size_t outline_bytes;
    cm_real now;      /* the time of the hit that is answered */
    cm_real all_held; /* the time from which on all that is swept stands, for want of room for hits; 1: it does not */
    uint32_t step;    /* counts updates */
    bool sweeping;    /* something is swept in this one: trips are kept */
    uint32_t redirected_count;
    cm_broad *redirect_broad; /* the boxes of redirected objects, by place in `redirected` */
    CM__WORLD_ARRAY(uint32_t, redirect_ids);
    CM__WORLD_ARRAY(cm__world_search, searches); /* likewise */
    uint32_t redirect_count;

    CM__WORLD_ARRAY(cm_world_event, events);
    CM__WORLD_ARRAY(cm__world_step_contact, reported); /* step_contacts of the last update, which its events point to */
    size_t event_count;
    cm_world_stats stats;
};

/* Makes room in one of the arrays above. */
#define WORLD_RESERVE(world, name, need)                                                                               \
    cm__reserve((world)->mem, (void **)&(world)->name, &(world)->name##_capacity, (need), sizeof *(world)->name)

static inline uint32_t cm__world_slot(uint32_t id) { return id & CM__WORLD_SLOT_MASK; }
/* Is this the id of an object? Objects removed within the running step are none. */
static inline bool cm__world_find(const cm_world *w, uint32_t id, uint32_t *slot) {
    *slot = id & CM__WORLD_SLOT_MASK;
    return *slot < w->slot_count && w->ids[*slot] == id &&
           (w->flags[*slot] & (CM__BODY_LIVE | CM__BODY_DYING)) == CM__BODY_LIVE;
}
static inline bool cm__world_order(uint32_t a, uint32_t b, uint32_t c, uint32_t d) { /* is (a, b) before (c, d)? */
    return a != c ? a < c : b < d;
}
/* Both ids of a pair as one number, in the same order; no pair has CM__WORLD_NO_PAIR. */
#define CM__WORLD_NO_PAIR UINT64_MAX
static inline uint64_t cm__world_pair_key(uint32_t a, uint32_t b) { return (uint64_t)a << 32 | b; }

/* --- box.c --------------------------------------------------------------------------------------------------- */

/* A shape of which only what its kind uses is set, all else 0. */
void cm__world_clean_shape(const cm_shape *shape, cm_shape *out);
/* Takes a checked shape: kind, radius and what its kind uses, all else 0; with its box and extent. */
void cm__world_set_body_shape(cm_world *w, uint32_t slot, const cm_shape *shape);
/* A box of the object, grown by what contacts need; `own`: its part of the default margin. */
cm_aabb cm__world_box_grown(const cm_world *w, uint32_t slot, cm_aabb box, cm_real own);
/* The box of a shape at a pose. Of one that has no points, a height field that is all holes, the point where it stands:
 * the broad phase takes no empty box, and the test of the shapes says then that nothing meets it. */
void cm__world_shape_box(const cm_shape *shape, const cm_pose *pose, cm_aabb *out);
/* The box of an object's shape at a pose. */
void cm__world_bounds(const cm_world *w, uint32_t slot, const cm_pose *pose, cm_aabb *out);
/* The box of a shape where it stands, grown so. */
void cm__world_box(const cm_world *w, uint32_t slot, cm_aabb *out);
/* The box around all of a motion. */
void cm__world_path_box(const cm_world *w, uint32_t slot, const cm_motion *motion, cm_aabb *out);
/* An object's part of the default margin, on this motion: a pair's sum is twice what a sweep leaves and more. */
cm_real cm__world_own_margin(const cm_world *w, uint32_t slot, const cm_motion *motion);
/* Sets it. A growing margin counts as a distance that the object has moved (narrow.c). */
void cm__world_set_margin(cm_world *w, uint32_t slot, cm_real margin);
/* Sets it to that of the motion that ends now; where hits gave the object several motions in the step, to that of the
 * longest. */
void cm__world_arrive_margin(cm_world *w, uint32_t slot);
/* The gap up to which two slots are in contact. */
static inline cm_real cm__world_margin(const cm_world *w, uint32_t s, uint32_t t) {
    return w->desc.margin > 0 ? w->desc.margin : w->margins[s] + w->margins[t];
}
/* The same for a shape that is no object; without margin. */
void cm__world_shape_path_box(const cm_shape *shape, const cm_motion *motion, cm_aabb *out);
/* Bound on how far any point of the object moves in this motion. */
cm_real cm__world_travel(const cm_world *w, uint32_t slot, const cm_motion *motion);
/* Is this motion long enough for a sweep? */
bool cm__world_is_fast(const cm_world *w, uint32_t slot, const cm_motion *motion);
/* Does a pair need a sweep from u on? It does where one of the two is swept, and some point of it moves fast relative
 * to the other. */
bool cm__world_pair_is_fast(const cm_world *w, uint32_t s, uint32_t t, cm_real u);
/* Has it a point in the valid range? */
bool cm__world_box_is_valid(const cm_aabb *box);
/* Is it finite, and the object at its end in the valid range? */
bool cm__world_motion_ends(const cm_world *w, uint32_t slot, const cm_motion *motion);
static inline bool cm__world_moves(const cm_motion *m) {
    return cm_largest(m->move) > 0 || cm_largest(m->spin) > 0 || cm_largest(m->accelerate) > 0;
}
/* Makes the motion one that stands still. */
static inline void cm__world_hold(cm_motion *m) { m->move = m->spin = m->pivot = m->accelerate = cm_v(0, 0, 0); }

/* --- outline.c ----------------------------------------------------------------------------------------------- */

/* Makes the outline of a large mesh, at once or when it has been moved a few times. Without memory for it, boxes are
 * computed from all corners. */
void cm__world_outline(cm_world *w, uint32_t slot, bool at_once);
void cm__world_forget_outline(cm_world *w, uint32_t slot);
size_t cm__outline_bytes(const cm__outline *outline); /* NULL: 0 */
/* The box of the mesh at a pose. */
void cm__outline_box(const cm__outline *outline, const cm_pose *pose, cm_aabb *out);

/* --- filter.c ------------------------------------------------------------------------------------------------ */

/* The first filter that rejects two different slots; CM_WORLD_WHY_MEET: none. The world's callback is not asked. */
static inline cm_world_reason cm__world_filter(const cm_world *w, uint32_t s, uint32_t t) {
    uint32_t both = w->flags[s] & w->flags[t], any = (uint32_t)w->flags[s] | w->flags[t];
    if (both & CM__BODY_FIXED) return CM_WORLD_WHY_FIXED;
    if (both & CM__BODY_TRIGGER) return CM_WORLD_WHY_TRIGGERS;
    const cm__body *a = &w->bodies[s], *b = &w->bodies[t];
    if ((any & CM__BODY_GROUPED) && a->group == b->group) {
        return a->group < 0 ? CM_WORLD_WHY_GROUP : CM_WORLD_WHY_MEET;
    }
    return (a->layer & b->mask) && (b->layer & a->mask) ? CM_WORLD_WHY_MEET : CM_WORLD_WHY_LAYER;
}
/* Layer and mask as the broad phase has them: those of objects in a positive group let everything through. */
void cm__world_broad_filter(const cm__body *body, uint32_t *layer, uint32_t *mask);

/* --- pairs.c ------------------------------------------------------------------------------------------------- */

/* Updates the broad phase and merges what began and ended. */
cm_status cm__world_find_pairs(cm_world *w);
/* Asks the filters: about all pairs, at the start of a step; or about the new ones and, where callbacks changed
 * filters, the old ones once more. Counts those that need sweeps. */
void cm__world_decide(cm_world *w, bool start);
/* The world's callback. */
bool cm__world_may_meet(cm_world *w, uint32_t a, uint32_t b);

/* The place of a pair in the list, or pair_count. */
size_t cm__world_pair_at(const cm_world *w, uint32_t a, uint32_t b);

/* --- toi.c, redirect.c, path.c ----------------------------------------------------------------------------------------- */

/* Sweeps the pairs with fast objects and answers their hits, in order. */
cm_status cm__world_impacts(cm_world *w, const cm_world_step *step);
/* The time at a share of what is left of the step from `since` on; where little is left, not later. */
cm_real cm__world_time(cm_real since, cm_real share);
/* Sweeps two slots from time u on; the answer's times are those of the step. */
bool cm__world_sweep_pair(const cm_world *w, uint32_t s, uint32_t t, cm_real u, cm__world_found *out);
/* Gives a slot a new motion from u on; */
cm_status cm__world_redirect(cm_world *w, uint32_t slot, cm_real u, const cm_motion *rest);
/* queues the hits in the first part of it, except with `except`, and a search of the next part when this one ends; */
cm_status cm__world_search_ahead(cm_world *w, uint32_t slot, uint32_t except);
/* searches the next part, twice as long. */
cm_status cm__world_search_on(cm_world *w, uint32_t slot);
/* The time of the last step from which on an object was held: `alone`, by a limit or by the last hit that it may have,
 * or with all that was swept; 1: it was not held. */
cm_real cm__world_held_at(const cm_world *w, uint32_t id, bool *alone);
/* Queues the hit of a sweep; and below, any entry. */
cm_status cm__world_line_up(cm_world *w, const cm__world_found *found);
static inline size_t cm__world_sweep_limit(const cm_world *w) {
    if (w->desc.sweep_limit) return w->desc.sweep_limit;
    const size_t each = (size_t)CM__WORLD_SWEEPS_EACH * w->live_count;
    return each > CM__WORLD_SWEEP_LIMIT ? each : CM__WORLD_SWEEP_LIMIT;
}
/* Sweeps a pair after a hit of one of the two, and queues what is found. CM_LIMIT: too many sweeps or bytes. */
cm_status cm__world_sweep_again(cm_world *w, uint32_t s, uint32_t t, cm_real u);
cm_status cm__world_queue(cm_world *w, cm__world_queued turn);
bool cm__world_has_passed(const cm_world *w, uint32_t a, uint32_t b);
cm_status cm__world_pass(cm_world *w, uint32_t a, uint32_t b);
/* Stores the part of an object's path that ends now, at u, because it gets a new motion or the step ends. */
cm_status cm__world_keep_path(cm_world *w, uint32_t slot, cm_real u);
void cm__world_keep_arrival(cm_world *w, uint32_t slot);
/* Ends the path of an object that is removed within the step. */
void cm__world_keep_removal(cm_world *w, uint32_t slot);
/* For two slots that touched and do not at the end of the step: the last time at which they did, from a sweep where one
 * of them was swept; the time of removal where one was removed within the step; else 1. */
cm_real cm__world_left_at(const cm_world *w, uint32_t s, uint32_t t);
/* A motion from its time `first` on, for `part` of it. */
void cm__world_motion_part(const cm_motion *m, cm_real first, cm_real part, cm_motion *out);
/* Forgets the redirected and the passed of the last step. */
void cm__world_forget_redirected(cm_world *w);

/* --- world.c ------------------------------------------------------------------------------------------------- */

/* Room for `slots` slots in everything kept by slot. */
bool cm__world_reserve(cm_world *w, size_t slots);
/* After the struct was moved: its pointers to its own members point there again. */
void cm__world_rebind(cm_world *w);
/* Frees a slot whose object is gone from the broad phase. */
void cm__world_free_slot(cm_world *w, uint32_t slot);
/* Puts the object of a slot into the broad phase. */
cm_status cm__world_enter(cm_world *w, uint32_t slot);

/* --- narrow.c, events.c ------------------------------------------------------------------------------------------ */

/* Tests the pairs of what changed; on success the results are there, uncommitted. */
cm_status cm__world_test(cm_world *w);
/* Before the first sweep: false where so many of the pairs to be swept overlap already that their hits do not fit
 * within the limit of bytes, beside what takes `bytes`. */
bool cm__world_foresee_piles(cm_world *w, size_t bytes);
/* May the two have contacts? Not where an object is gone or a trigger, or filters keep them apart. */
bool cm__world_may_touch(cm_world *w, uint32_t a, uint32_t b);
/* w->near becomes the ids of the objects whose bounds, where they are now, meet the box; by slot. Left out are those
 * that have one of these flags; within an update all that move have to be. */
cm_status cm__world_find_near(cm_world *w, const cm_aabb *box, uint32_t without);
/* Writes the events and commits the results. */
cm_status cm__world_report(cm_world *w);

#endif
