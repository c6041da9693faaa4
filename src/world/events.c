/* Makes the events of a step by comparing the pairs before and after it.
 *
 * Three sorted lists are merged: the pairs of overlapping boxes with their old and new states, the pairs that left that
 * list while they touched, and the step_contacts within the step (times at which a swept pair touched). One pass over
 * all three gives the events in their order. Nothing is committed before there is room for all events. */
#include "world/world.h"
#include "base/bits.h"
#include "base/memory.h"
#include "base/sort.h"

/* --- sorting --------------------------------------------------------------------------------------------------- */

static int end_compare(const void *a, const void *b) {
    const cm__world_end *x = a, *y = b;
    return cm__world_order(x->a, x->b, y->a, y->b) ? -1 : cm__world_order(y->a, y->b, x->a, x->b);
}

static void ends_sort(cm__world_end *ends, size_t count) {
    bool sorted = true; /* as one merge leaves them */
    for (size_t i = 1; i < count && sorted; i++) sorted = end_compare(&ends[i - 1], &ends[i]) <= 0;
    if (!sorted) cm__sort(ends, count, sizeof *ends, end_compare);
}

/* By pair; within a pair in the order in which they were recorded, which is by u. */
static int step_contact_compare(const void *a, const void *b, void *context) {
    const uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    const cm_world *w = context;
    const cm__world_step_contact *x = &w->step_contacts[i], *y = &w->step_contacts[j];
    if (x->a != y->a || x->b != y->b) return cm__world_order(x->a, x->b, y->a, y->b) ? -1 : 1;
    return i < j ? -1 : i > j;
}

static void step_contacts_sort(cm_world *w) {
    for (size_t i = 0; i < w->step_contact_count; i++) w->order[i] = (uint32_t)i;
    cm__sort_by(w->order, w->step_contact_count, sizeof *w->order, step_contact_compare, w);
}

/* --- one pair -------------------------------------------------------------------------------------------------- */

/* All that is known of one pair. */
typedef struct pair_story {
    uint32_t a, b;
    uint64_t user_a, user_b;
    bool was_contact, was_inside, is_contact, is_inside;
    const cm_manifold *manifolds;
    int count;
    const uint32_t *step_contacts; /* their numbers */
    size_t step_contact_count;
} pair_story;

static cm_world_event *event_put(cm_world *w, const pair_story *p, cm_world_event_kind kind, cm_real u,
                                 const cm_manifold *manifolds, int count) {
    cm_world_event *e = &w->events[w->event_count++];
    e->kind = kind;
    e->a = p->a, e->b = p->b;
    e->user_a = p->user_a, e->user_b = p->user_b;
    e->u = u;
    e->manifolds = count ? manifolds : NULL;
    e->manifold_count = count;
    return e;
}

/* The first step_contact of a pair, of triggers or of contacts; *left: the time of the last one. */
static const cm__world_step_contact *story_first(const cm_world *w, const pair_story *p, bool trigger, cm_real *left) {
    const cm__world_step_contact *first = NULL;
    *left = 0;
    for (size_t i = 0; i < p->step_contact_count; i++) {
        const cm__world_step_contact *m = &w->step_contacts[p->step_contacts[i]];
        if (m->trigger != trigger || m->limit) continue;
        if (!first) first = m;
        *left = m->u;
    }
    return first;
}

static void story_tell(cm_world *w, const pair_story *p) {
    cm_real ended, left;
    const cm__world_step_contact *met = story_first(w, p, false, &ended), *entered = story_first(w, p, true, &left);
    const bool ends = !p->is_contact && (p->was_contact || met), leaves = !p->is_inside && (p->was_inside || entered);
    if (ends || leaves) {
        const cm_real at = cm__world_left_at(w, cm__world_slot(p->a), cm__world_slot(p->b));
        ended = cm_max(ended, at), left = cm_max(left, at);
    }
    if (!p->was_contact && (p->is_contact || met)) {
        const cm_manifold *where = p->is_contact ? p->manifolds : &met->manifold;
        event_put(w, p, CM_WORLD_BEGAN, met ? met->u : 1, where, p->is_contact ? p->count : 1);
    }
    for (size_t i = 0; i < p->step_contact_count; i++) {
        const cm__world_step_contact *m = &w->step_contacts[p->step_contacts[i]];
        if (m->hit) event_put(w, p, CM_WORLD_HIT, m->u, &m->manifold, 1);
    }
    for (size_t i = 0; i < p->step_contact_count; i++) {
        const cm__world_step_contact *m = &w->step_contacts[p->step_contacts[i]];
        if (m->limit) event_put(w, p, CM_WORLD_LIMIT, m->u, &m->manifold, 1);
    }
    if (p->was_contact && p->is_contact) event_put(w, p, CM_WORLD_STAYED, 1, p->manifolds, p->count);
    if (ends) event_put(w, p, CM_WORLD_ENDED, ended, NULL, 0);
    if (!p->was_inside && (p->is_inside || entered))
        event_put(w, p, CM_WORLD_ENTERED, entered ? entered->u : 1, NULL, 0);
    if (leaves) event_put(w, p, CM_WORLD_LEFT, left, NULL, 0);
}

/* --- all pairs ------------------------------------------------------------------------------------------------- */

static void story_of_pair(const cm_world *w, const cm__world_pair *p, const cm__world_result *r, pair_story *out) {
    uint32_t s = cm__world_slot(p->a), t = cm__world_slot(p->b);
    out->user_a = w->bodies[s].user, out->user_b = w->bodies[t].user;
    out->was_contact = (p->state & CM__PAIR_CONTACT) != 0;
    out->was_inside = (p->state & CM__PAIR_INSIDE) != 0;
    out->is_contact = r->touches && !r->trigger;
    out->is_inside = r->touches && r->trigger;
    out->count = (int)r->count;
    out->manifolds = r->count ? w->manifolds[r->buffer].items + r->first : NULL;
}

/* Commits the result of a pair: its new state becomes the old one. */
static void tell_commit_pair(cm_world *w, size_t i) {
    cm__world_pair *p = &w->pairs[i];
    const cm__world_result *r = &w->results[i];
    uint32_t state = r->touches ? p->state & CM__PAIR_STOPPED : 0;
    if (p->state & CM__PAIR_ALLOWED) state |= CM__PAIR_TESTED;
    if (r->touches) state |= r->trigger ? CM__PAIR_INSIDE : CM__PAIR_CONTACT;
    w->stats.tested += r->tested, w->stats.contacts += r->touches;
    p->state = state;
    p->buffer = r->buffer, p->first = r->first, p->count = r->count;
}

static const pair_story nothing;

/* A pair of which nothing else is known than its states. */
static void report_alone(cm_world *w, size_t i) {
    const cm__world_pair *p = &w->pairs[i];
    const cm__world_result *r = &w->results[i];
    const uint32_t was = p->state & (CM__PAIR_CONTACT | CM__PAIR_INSIDE);
    if (r->touches || was) {
        pair_story story = nothing;
        story.a = p->a, story.b = p->b;
        story_of_pair(w, p, r, &story);
        story_tell(w, &story);
    }
    tell_commit_pair(w, i);
}

/* The first pair of which ends or step_contacts are to be reported. */
static uint64_t report_next(const cm_world *w, size_t e, size_t m) {
    uint64_t next = CM__WORLD_NO_PAIR;
    if (e < w->end_count) next = cm__world_pair_key(w->ends[e].a, w->ends[e].b);
    if (m < w->step_contact_count) {
        const cm__world_step_contact *first = &w->step_contacts[w->order[m]];
        const uint64_t key = cm__world_pair_key(first->a, first->b);
        next = key < next ? key : next;
    }
    return next;
}

static void report_all(cm_world *w) {
    enum { TELL_NEXT = 16 }; /* pairs farther on whose second objects are fetched */
    size_t i = 0, e = 0, m = 0;
    uint64_t other = report_next(w, e, m);
    w->stats.tested = w->stats.contacts = 0;
    while (i < w->pair_count || e < w->end_count || m < w->step_contact_count) {
        if (i + TELL_NEXT < w->pair_count && w->results[i + TELL_NEXT].touches) /* anywhere in memory */
            BITS_FETCH(&w->bodies[cm__world_slot(w->pairs[i + TELL_NEXT].b)].user);
        const cm__world_pair *pair = i < w->pair_count ? &w->pairs[i] : NULL;
        if (pair && cm__world_pair_key(pair->a, pair->b) < other) {
            report_alone(w, i++);
            continue;
        }
        const cm__world_end *end = e < w->end_count ? &w->ends[e] : NULL;
        const cm__world_step_contact *step_contact = m < w->step_contact_count ? &w->step_contacts[w->order[m]] : NULL;
        pair_story story = nothing;
        story.a = story.b = UINT32_MAX;
        if (pair) story.a = pair->a, story.b = pair->b;
        if (end && cm__world_order(end->a, end->b, story.a, story.b)) story.a = end->a, story.b = end->b;
        if (step_contact && cm__world_order(step_contact->a, step_contact->b, story.a, story.b)) {
            story.a = step_contact->a, story.b = step_contact->b;
        }
        if (step_contact && step_contact->a == story.a && step_contact->b == story.b) {
            story.user_a = step_contact->user_a, story.user_b = step_contact->user_b;
            story.step_contacts = &w->order[m];
            for (; m < w->step_contact_count; m++, story.step_contact_count++) {
                const cm__world_step_contact *next = &w->step_contacts[w->order[m]];
                if (next->a != story.a || next->b != story.b) break;
            }
        }
        bool ended = false, left = false;
        for (; e < w->end_count && w->ends[e].a == story.a && w->ends[e].b == story.b; e++) {
            story.user_a = w->ends[e].user_a, story.user_b = w->ends[e].user_b;
            ended = ended || w->ends[e].kind == CM_WORLD_ENDED;
            left = left || w->ends[e].kind == CM_WORLD_LEFT;
        }
        if (pair && pair->a == story.a && pair->b == story.b) {
            story_of_pair(w, pair, &w->results[i], &story);
            tell_commit_pair(w, i++);
        }
        story.was_contact = story.was_contact || ended;
        story.was_inside = story.was_inside || left;
        story_tell(w, &story);
        other = report_next(w, e, m);
    }
}

static void report_commit(cm_world *w) {
    for (uint32_t s = 0; s < w->slot_count; s++) {
        if (!(w->flags[s] & (CM__BODY_FRESH | CM__BODY_LATE)))
            w->flags[s] &= (uint16_t) ~(CM__BODY_CHANGED | CM__BODY_RESHAPED);
    }
    for (uint32_t i = 0; i < w->freed_count; i++) w->free_slots[w->free_count++] = w->freed_slots[i];
    w->freed_count = 0;
    w->end_count = 0;
    cm__world_step_contact *reported = w->reported; /* the events point to the step_contacts */
    size_t capacity = w->reported_capacity;
    w->reported = w->step_contacts, w->reported_capacity = w->step_contacts_capacity;
    w->step_contacts = reported, w->step_contacts_capacity = capacity;
    w->step_contact_count = 0;
    cm__world_manifolds *manifolds = w->manifolds;
    w->manifolds = w->manifolds_before;
    w->manifolds_before = manifolds;
}

cm_status cm__world_report(cm_world *w) {
    size_t most = w->end_count + 5 * w->step_contact_count;
    for (size_t i = 0; i < w->pair_count; i++) {
        uint32_t was = w->pairs[i].state & (CM__PAIR_CONTACT | CM__PAIR_INSIDE);
        most += (size_t)w->results[i].touches + (was != 0);
    }
    if (!WORLD_RESERVE(w, order, w->step_contact_count) || !WORLD_RESERVE(w, events, most)) return CM_NO_MEMORY;
    ends_sort(w->ends, w->end_count);
    step_contacts_sort(w);
    report_all(w);
    report_commit(w);
    return CM_OK;
}
