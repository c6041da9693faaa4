/* Times of impact: the sweeps of a step, and their hits in order of (u, a, b) over the whole world.
 *
 * Every pair in which one object moves far relative to the other is swept once; the hits wait in a heap. The earliest
 * is answered: both stop, pass, or go on by new motions. An object with a new motion is swept again from that time on
 * against everything near its new path, as far as the step has come (redirect.c). Hits of its old motion are recognized
 * by their version and dropped. A new hit is never earlier than the one that caused it, so the order holds. Bound: an
 * object that had CM_WORLD_HITS hits holds, and each hit counts for one of its two, so that n objects have at most n
 * times that many; a pair passes once. For h hits, with k objects near the part of a path that is searched at a time,
 * the work is h k sweeps, within their limit; the memory is that of the waiting hits, within the limit of bytes. In a
 * pile k is n and almost every sweep is a hit: these are counted before the first sweep (narrow.c). cm_sweep decides
 * what blocks. Where it ends without a proof, both objects are held there for the rest of the step, and the callback is
 * not called. */
#include "world/world.h"
#include "base/memory.h"
#include "base/tasks.h"

enum { TOI_CHUNK = 32 };

/* --- one pair -------------------------------------------------------------------------------------------------- */

/* The motion of a slot from time u on. */
static void toi_remaining_motion(const cm_world *w, uint32_t slot, cm_real u, cm_motion *out) {
    const cm_motion *m = &w->motions[slot];
    cm_real since = w->since[slot];
    if (!(u > since) || !cm__world_moves(m)) {
        *out = *m;
        return;
    }
    const cm_real part = (u - since) / (1 - since);
    cm__world_motion_part(m, part, 1 - part, out);
}

/* Times are coarse where little of the step is left: rounded up, one may be a good part of that later. What the gap
 * that a sweep leaves does not cover is rounded down. */
cm_real cm__world_time(cm_real since, cm_real share) {
    const cm_real left = 1 - since, part = left * share, u = cm_min(since + part, 1);
    const bool late = u - since > part + 8 * CM_REAL_EPSILON * left; /* only far beyond 1/2: */
    return late ? u - CM_REAL_EPSILON / 2 : u;                       /* then this is the next time below */
}

bool cm__world_sweep_pair(const cm_world *w, uint32_t s, uint32_t t, cm_real u, cm__world_found *out) {
    if (w->ids[t] < w->ids[s]) {
        uint32_t swap = s;
        s = t, t = swap;
    }
    const cm_shape *a = &w->bodies[s].shape, *b = &w->bodies[t].shape;
    cm_motion ma, mb;
    toi_remaining_motion(w, s, u, &ma);
    toi_remaining_motion(w, t, u, &mb);
    out->valid = false;
    if (!cm__world_moves(&ma) && !cm__world_moves(&mb)) return false;
    if (!cm_sweep(a, &ma, b, &mb, &out->hit)) return false;
    out->u = cm__world_time(u, out->hit.first);
    out->a = w->ids[s], out->b = w->ids[t];
    out->version_a = w->versions[s], out->version_b = w->versions[t];
    out->valid = true;
    return true;
}

/* --- the heap -------------------------------------------------------------------------------------------------- */

static bool redirect_before(const cm__world_queued *x, const cm__world_queued *y) {
    if (x->u != y->u) return x->u < y->u;
    if (x->a != y->a) return x->a < y->a;
    return x->b != y->b ? x->b < y->b : x->found < y->found;
}

/* What the pairs and hits of the step take, and `more` hits. */
static size_t toi_bytes(const cm_world *w, size_t more) {
    return w->pair_count * CM__WORLD_PAIR_BYTES + (w->found_count + more) * sizeof *w->found +
           w->heap_count * sizeof *w->heap + w->step_contact_count * CM__WORLD_MEETING_BYTES +
           w->path_count * sizeof *w->paths;
}

static cm_status toi_room(const cm_world *w, size_t more) {
    return toi_bytes(w, more) > w->desc.byte_limit ? CM_LIMIT : CM_OK;
}

cm_status cm__world_queue(cm_world *w, cm__world_queued turn) {
    if (!WORLD_RESERVE(w, heap, w->heap_count + 1)) return CM_NO_MEMORY;
    size_t i = w->heap_count++;
    for (; i > 0 && redirect_before(&turn, &w->heap[(i - 1) / 2]); i = (i - 1) / 2) w->heap[i] = w->heap[(i - 1) / 2];
    w->heap[i] = turn;
    return CM_OK;
}

/* At its end the heap still holds `last`, which is neither before itself nor, where it is before its sibling,
 * misplaced: so a look one beyond the end does no harm. */
static cm__world_queued heap_pop(cm_world *w) {
    cm__world_queued top = w->heap[0], last = w->heap[--w->heap_count];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= w->heap_count) break;
        if (child + 1 < w->heap_count && redirect_before(&w->heap[child + 1], &w->heap[child])) child++;
        if (!redirect_before(&w->heap[child], &last)) break;
        w->heap[i] = w->heap[child];
        i = child;
    }
    if (w->heap_count) w->heap[i] = last;
    return top;
}

static void found_give_back(cm_world *w, size_t at) {
    w->found[at].a = (uint32_t)w->found_free;
    w->found_free = at + 1;
}

cm_status cm__world_line_up(cm_world *w, const cm__world_found *found) {
    if (!w->found_free) {
        if (toi_room(w, 1) != CM_OK) return CM_LIMIT;
        if (!WORLD_RESERVE(w, found, w->found_count + 1)) return CM_NO_MEMORY;
        found_give_back(w, w->found_count++);
    }
    const size_t at = w->found_free - 1;
    cm_status status = cm__world_queue(w, (cm__world_queued){found->u, found->a, found->b, (uint32_t)at});
    if (status != CM_OK) return status;
    w->found_free = w->found[at].a;
    w->found[at] = *found;
    return CM_OK;
}

cm_status cm__world_sweep_again(cm_world *w, uint32_t s, uint32_t t, cm_real u) {
    cm__world_found found;
    if (w->stats.sweeps >= cm__world_sweep_limit(w)) return CM_LIMIT;
    w->stats.sweeps++;
    if (!cm__world_sweep_pair(w, s, t, u, &found)) return CM_OK;
    found.u = cm_max(found.u, w->now); /* the boxes were apart until now */
    return cm__world_line_up(w, &found);
}

static void toi_sweep_some(void *arg, int index, int worker) {
    cm_world *w = arg;
    (void)worker;
    size_t first = (size_t)index * TOI_CHUNK, last = first + TOI_CHUNK;
    for (size_t i = first; i < last && i < w->found_count; i++) {
        const cm__world_pair *p = &w->pairs[w->todo[i]];
        w->found[i].valid = false;
        cm__world_sweep_pair(w, cm__world_slot(p->a), cm__world_slot(p->b), 0, &w->found[i]);
    }
}

static cm_status toi_start(cm_world *w) {
    w->found_count = w->found_free = w->heap_count = 0;
    w->stats.sweeps = 0;
    if (w->todo_count > cm__world_sweep_limit(w) || toi_room(w, w->todo_count) != CM_OK) return CM_LIMIT;
    if (!cm__world_foresee_piles(w, toi_bytes(w, w->todo_count))) return CM_LIMIT;
    if (!WORLD_RESERVE(w, todo, w->todo_count) || !WORLD_RESERVE(w, found, w->todo_count)) return CM_NO_MEMORY;
    size_t n = 0;
    for (size_t i = 0; i < w->pair_count; i++) {
        cm__world_pair *p = &w->pairs[i];
        p->state &= ~(uint32_t)CM__PAIR_NOTED;
        if (!(p->state & CM__PAIR_ALLOWED)) continue;
        if (cm__world_pair_is_fast(w, cm__world_slot(p->a), cm__world_slot(p->b), 0)) w->todo[n++] = (uint32_t)i;
    }
    w->found_count = w->stats.sweeps = n;
    cm__run(w->tasks, (int)((n + TOI_CHUNK - 1) / TOI_CHUNK), toi_sweep_some, w);
    size_t valid = 0;
    for (size_t i = 0; i < n; i++) valid += w->found[i].valid;
    if (!WORLD_RESERVE(w, heap, valid)) return CM_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        const cm__world_found *f = &w->found[i];
        if (f->valid)
            cm__world_queue(w, (cm__world_queued){f->u, f->a, f->b, (uint32_t)i}); /* there is room */
        else
            found_give_back(w, i);
    }
    return CM_OK;
}

/* --- answering ------------------------------------------------------------------------------------------------- */

/* Is this pair, which touches where the step begins, noted for that already? In a pile, whose objects have many hits
 * there and are swept again after each, it would be as often; and of equal times one is enough. */
static bool toi_is_noted(cm_world *w, const cm__world_found *f) {
    if (f->u > 0) return false;
    const size_t at = cm__world_pair_at(w, f->a, f->b);
    if (at == w->pair_count) return false;
    const bool noted = (w->pairs[at].state & CM__PAIR_NOTED) != 0;
    w->pairs[at].state |= CM__PAIR_NOTED;
    return noted;
}

static cm_status toi_note(cm_world *w, const cm__world_found *f, const cm__world_step_contact *how) {
    if (!how->hit && !how->limit && toi_is_noted(w, f)) return CM_OK;
    if (toi_room(w, 0) != CM_OK) return CM_LIMIT;
    if (!WORLD_RESERVE(w, step_contacts, w->step_contact_count + 1)) return CM_NO_MEMORY;
    cm__world_step_contact *m = &w->step_contacts[w->step_contact_count++];
    *m = *how;
    m->a = f->a, m->b = f->b;
    m->user_a = w->bodies[cm__world_slot(f->a)].user, m->user_b = w->bodies[cm__world_slot(f->b)].user;
    m->u = f->u;
    cm_manifold *manifold = &m->manifold;
    manifold->normal = f->hit.normal;
    manifold->part_a = f->hit.part_a, manifold->part_b = f->hit.part_b;
    manifold->count = 1;
    manifold->points[0].point_a = manifold->points[0].point_b = f->hit.point;
    manifold->points[0].feature_a = manifold->points[0].feature_b = CM_NONE;
    return CM_OK;
}

/* The motion of a slot after its hit; false: it stands still, as before. *held: it is held though it would move on. */
static bool toi_new_motion(cm_world *w, uint32_t slot, const cm_motion *before, cm_world_answer answer, cm_motion *io,
                           bool *held) {
    *held = false;
    if (w->flags[slot] & CM__BODY_FIXED) return false;
    io->start = before->start;
    const bool holds = answer != CM_WORLD_GO || w->hits[slot] >= CM_WORLD_HITS || (w->flags[slot] & CM__BODY_DYING) ||
                       (cm__world_moves(io) && !cm__world_motion_ends(w, slot, io));
    *held = holds && cm__world_moves(io);
    if (holds || !cm__world_moves(io)) cm__world_hold(io);
    return cm__world_moves(io) || cm__world_moves(&w->motions[slot]);
}

static bool toi_same(cm_vec3 a, cm_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* Does it go on just as it did before the hit? */
static bool toi_goes_on(const cm_world *w, uint32_t slot, cm_world_answer answer, const cm_motion *before,
                        const cm_motion *rest) {
    if (answer != CM_WORLD_GO || w->flags[slot] & CM__BODY_DYING || !cm__world_moves(rest)) return false;
    return toi_same(before->move, rest->move) && toi_same(before->spin, rest->spin) &&
           toi_same(before->accelerate, rest->accelerate) && toi_same(before->pivot, rest->pivot);
}

/* Records the gap that a stopped object may have to the other. It is kept for objects that got a new motion, whose
 * boxes are set again; objects at rest have their boxes already. */
static void toi_keep_slack(cm_world *w, uint32_t s, uint32_t t, cm_real u) {
    cm_motion ms, mt;
    toi_remaining_motion(w, s, u, &ms);
    toi_remaining_motion(w, t, u, &mt);
    cm_real gap = cm_distance(&w->bodies[s].shape, &ms.start, &w->bodies[t].shape, &mt.start, CM_COORD_MAX, NULL);
    if (!(gap < CM_COORD_MAX)) return;
    cm_real scale = cm_largest(ms.start.position) + cm_largest(mt.start.position);
    cm_real slack = cm_max(gap, 0) + 16 * CM_REAL_EPSILON * scale;
    if (w->flags[s] & CM__BODY_REDIRECTED) w->slack[s] = cm_max(w->slack[s], slack);
    if (w->flags[t] & CM__BODY_REDIRECTED) w->slack[t] = cm_max(w->slack[t], slack);
}

/* Sweeps the same two objects again after a hit: once, not from both sides. Whether they may meet is asked again when
 * the hit's turn comes. */
static cm_status toi_again(cm_world *w, uint32_t s, uint32_t t, cm_real u) {
    if ((w->flags[s] | w->flags[t]) & CM__BODY_DYING) return CM_OK;
    if (cm__world_filter(w, s, t) != CM_WORLD_WHY_MEET || !cm__world_pair_is_fast(w, s, t, u)) return CM_OK;
    return cm__world_sweep_again(w, s, t, u);
}

static cm_status toi_hit(cm_world *w, const cm_world_step *step, const cm__world_found *f) {
    uint32_t s = cm__world_slot(f->a), t = cm__world_slot(f->b);
    bool full_s = (w->flags[s] & CM__BODY_FIXED) || w->hits[s] >= CM_WORLD_HITS;
    bool full_t = (w->flags[t] & CM__BODY_FIXED) || w->hits[t] >= CM_WORLD_HITS;
    if (full_s && full_t) return CM_OK; /* neither moves any more */
    const bool limit = f->hit.proof == CM_PROOF_LIMIT;
    cm_world_hit hit = {.a = f->a,
                        .b = f->b,
                        .user_a = w->bodies[s].user,
                        .user_b = w->bodies[t].user,
                        .u = f->u,
                        .point = f->hit.point,
                        .normal = f->hit.normal,
                        .part_a = f->hit.part_a,
                        .part_b = f->hit.part_b,
                        .start = f->hit.start,
                        .count_a = w->hits[s] + (limit ? 0 : !full_s),
                        .count_b = w->hits[t] + (limit ? 0 : !full_t)};
    cm_motion before_s, before_t, rest_s, rest_t;
    toi_remaining_motion(w, s, f->u, &before_s);
    toi_remaining_motion(w, t, f->u, &before_t);
    rest_s = before_s, rest_t = before_t;
    cm_world_answer answer = CM_WORLD_STOP;
    cm__world_found copy = *f; /* a copy, because the callback may add objects, and the array may move */
    if (!limit && step && step->hit) answer = step->hit(step->user, w, &hit, &rest_s, &rest_t);
    w->stats.hits += !limit, w->stats.limits += limit;
    s = cm__world_slot(copy.a), t = cm__world_slot(copy.b);
    cm_status status = toi_note(
        w, &copy,
        &(cm__world_step_contact){.hit = !limit, .limit = limit, .stopped = !limit && answer != CM_WORLD_PASS});
    if (answer == CM_WORLD_PASS) {
        return status == CM_OK ? cm__world_pass(w, copy.a, copy.b) : status;
    }
    /* What goes on as before has had no hit, where the other's counts, which now goes another way. */
    const bool on_s = toi_goes_on(w, s, answer, &before_s, &rest_s);
    const bool on_t = toi_goes_on(w, t, answer, &before_t, &rest_t);
    const bool stood_s = !cm__world_moves(&before_s) && !cm__world_moves(&rest_s);
    const bool stood_t = !cm__world_moves(&before_t) && !cm__world_moves(&rest_t);
    const bool spared_s = on_s && !on_t && !full_t && !stood_t, spared_t = on_t && !on_s && !full_s && !stood_s;
    if (!spared_s) w->hits[s] = (uint8_t)hit.count_a;
    if (!spared_t) w->hits[t] = (uint8_t)hit.count_b;
    bool held_s = false, held_t = false;
    const bool turn_s = !spared_s && toi_new_motion(w, s, &before_s, answer, &rest_s, &held_s);
    const bool turn_t = !spared_t && toi_new_motion(w, t, &before_t, answer, &rest_t, &held_t);
    if (status == CM_OK && turn_s) status = cm__world_redirect(w, s, copy.u, &rest_s);
    if (status == CM_OK && turn_t) status = cm__world_redirect(w, t, copy.u, &rest_t);
    if (held_s) w->flags[s] |= CM__BODY_HELD;
    if (held_t) w->flags[t] |= CM__BODY_HELD;
    if (!limit && (!cm__world_moves(&w->motions[s]) || !cm__world_moves(&w->motions[t])))
        toi_keep_slack(w, s, t, copy.u);
    if (status == CM_OK && turn_s) status = cm__world_search_ahead(w, s, t);
    if (status == CM_OK && turn_t) status = cm__world_search_ahead(w, t, s);
    if (status == CM_OK && (turn_s || turn_t)) status = toi_again(w, s, t, copy.u);
    return status;
}

/* No room for further hits: no swept object moves beyond u, so that nothing tunnels. */
static void toi_hold_all(cm_world *w, cm_real u) {
    w->all_held = u;
    for (uint32_t s = 0; s < w->slot_count; s++) {
        if (!(w->flags[s] & CM__BODY_SWEPT)) continue;
        cm_motion rest;
        toi_remaining_motion(w, s, u, &rest);
        cm__world_hold(&rest);
        w->motions[s] = rest;
    }
}

/* Takes the first entry of the heap; CM_OK also for an outdated one. */
static cm_status toi_next(cm_world *w, const cm_world_step *step) {
    cm__world_queued turn = heap_pop(w);
    if (!turn.a) {
        if (turn.found != w->versions[turn.b]) return CM_OK;
        w->now = turn.u;
        return cm__world_search_on(w, turn.b);
    }
    cm__world_found found = w->found[turn.found];
    found_give_back(w, turn.found);
    uint32_t s = cm__world_slot(found.a), t = cm__world_slot(found.b);
    if (found.version_a != w->versions[s] || found.version_b != w->versions[t]) return CM_OK;
    if ((w->flags[s] | w->flags[t]) & CM__BODY_DYING) return CM_OK;
    if (cm__world_filter(w, s, t) != CM_WORLD_WHY_MEET || cm__world_has_passed(w, found.a, found.b)) return CM_OK;
    w->now = found.u;
    bool trigger = ((w->flags[s] | w->flags[t]) & CM__BODY_TRIGGER) != 0;
    if (trigger || !found.hit.blocking) return toi_note(w, &found, &(cm__world_step_contact){.trigger = trigger});
    return toi_hit(w, step, &found);
}

cm_status cm__world_impacts(cm_world *w, const cm_world_step *step) {
    size_t owed = w->step_contact_count; /* step_contacts of an update that could not report them */
    w->now = 0;
    cm_status status = toi_start(w);
    if (status != CM_OK) return status;
    while (status == CM_OK && w->heap_count) status = toi_next(w, step);
    if (status == CM_OK) return CM_OK;
    bool moved = w->stats.hits > 0 || w->stats.limits > 0;
    if (moved) toi_hold_all(w, w->now);
    if (!moved) w->step_contact_count = owed; /* the next update finds the others again */
    return status;
}
