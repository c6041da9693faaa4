/* Contacts of composites on their way from the pair of parts that has them to the caller.
 *
 * Each composite that was taken apart on the way adds a level, which turns a contact from its part's frame into its own
 * and says whether the whole has that contact too. Contacts that every level has are the answer. Where there are none,
 * the weak ones are: of two surfaces deep in each other, those in a direction that only one of the two has. Of the
 * contacts that a level lacks the best is kept as the spare; it is the answer where there is no other, because shapes
 * that overlap have a contact. */
#ifndef PAIR_CONTACTS_H
#define PAIR_CONTACTS_H

#include "pair/gap.h"
#include "shape/shape.h"

typedef struct cm__contact_level {
    const struct cm__contact_level *outer; /* NULL: the pair that the caller asked for */
    /* Turns a manifold into the outer frame. Has the whole this contact? */
    bool (*pass)(const struct cm__contact_level *level, cm_manifold *m);
} cm__contact_level;

typedef struct cm__contacts {
    const cm__contact_level *level; /* the innermost */
    cm_manifold *out;
    int capacity, count;
    int weak;      /* in their place, as long as there are none: what only one of two surfaces has a direction for */
    cm_real least; /* depths below it count as it: what is nearly as near as the caller's margin */
    int refused;   /* contacts that some level, or one of two surfaces, has not */
    cm_manifold spare; /* the best of them, in the caller's frame */
} cm__contacts;

static inline void contacts_start(cm__contacts *c, cm_manifold *out, int capacity) {
    c->level = NULL;
    c->out = out, c->capacity = capacity, c->count = c->weak = 0;
    c->least = -CM_REAL_MAX;
    c->refused = 0;
}
/* How deep the deepest point of a contact is. */
static inline double contacts_depth(const cm_manifold *m) {
    cm_real depth = -CM_REAL_MAX;
    for (int i = 0; i < m->count; i++) depth = cm_max(depth, m->points[i].depth);
    return (double)depth;
}
/* Is anything but the number of contacts asked for? Else NULL may be added. */
static inline bool contacts_look(const cm__contacts *c) { return c->level || c->count < c->capacity; }
/* In the innermost level's frame; *m is used up. */
void cm__contacts_add(cm__contacts *c, cm_manifold *m);
/* The same of one that stands only where there is no other. */
void cm__contacts_add_weak(cm__contacts *c, cm_manifold *m);
/* Would this depth (< 0: a gap) make a better spare: of what overlaps the shallowest, else the nearest? */
bool cm__contacts_wants_spare(const cm__contacts *c, double depth);
/* What the innermost level's own pair has not; the same frame. */
void cm__contacts_add_spare(cm__contacts *c, cm_manifold *m);
/* How many there are; where there is none, how many weak ones; where there are none, the spare is the one. */
int cm__contacts_end(cm__contacts *c);

/* A composite on the way, by one of its parts. A compound has a contact of a child unless
 * each of its points is held by another child that reaches farther along the normal there. */
typedef struct cm__contact_whole {
    cm__contact_level level;
    const cm_shape *shape;
    const cm_pose *pose;
    uint32_t number; /* of the part */
    double place;    /* the largest coordinate of where it is in the whole; where the other is, too, for the first */
} cm__contact_whole;

/* Of the first shape, a compound: from the frame of the child, which `pose` places, into the compound's. */
bool cm__contact_of_first(const cm__contact_level *level, cm_manifold *m);
/* Of the second, any composite, which `pose` places in the first one's frame, and there the contact stays. */
bool cm__contact_of_second(const cm__contact_level *level, cm_manifold *m);

/* A pair that was asked the other way round: `pose` is that of its first shape in the outer frame. */
typedef struct cm__contact_turn {
    cm__contact_level level;
    const cm_pose *pose;
} cm__contact_turn;
bool cm__contact_turned(const cm__contact_level *level, cm_manifold *m);

#endif
