/* Collects contacts of composites: each goes from the pair of parts that has it to the caller's array.
 *
 * Those of neighboring triangles that lie in one plane are joined to one manifold (join.h): a box that stands on a
 * floor of triangles has the four points that it has on a box. Children of compounds keep their own. Only the latest
 * few manifolds are open to more; so how many there are does not depend on the room that the caller has.
 *
 * Each composite that was split into parts adds a level. A level takes a contact from the frame of the part to that of
 * the whole, and says whether the whole has that contact, too. There are three ranks:
 * - contacts that every level has: these are the answer;
 * - weak ones, between two surfaces, along a direction that only one of the two has: the answer where there are none of
 *   the first;
 * - the spare, the best contact that some level has not: the answer where there is nothing else, because shapes that
 *   overlap must have a contact. */
#ifndef PAIR_CONTACTS_H
#define PAIR_CONTACTS_H

#include "pair/gap.h"
#include "shape/shape.h"

enum { CONTACTS_OPEN = 8 }; /* manifolds that others may still be joined to */

typedef struct cm__contact_level {
    const struct cm__contact_level *outer; /* NULL: the pair that the caller asked for */
    /* Takes a manifold to the outer frame. Returns whether the whole has this contact. */
    bool (*pass)(const struct cm__contact_level *level, cm_manifold *m);
} cm__contact_level;

/* Of the contacts of triangles of two meshes: the deepest. */
typedef struct cm__contact_deepest {
    double depth;            /* -DBL_MAX: there is none */
    cm__point normal;        /* from B to A, in B's frame */
    uint32_t part_a, part_b; /* triangles */
} cm__contact_deepest;

typedef struct cm__contacts {
    const cm__contact_level *level; /* the innermost */
    cm_manifold *out;
    int capacity;
    int count;                       /* contacts of the first rank, before they are joined */
    int weak;                        /* weak ones, as long as count is 0 */
    bool joins;                      /* manifolds of one plane */
    bool by_child_a, by_child_b;     /* A, B is a compound: contacts of different children are not joined */
    int joined;                      /* manifolds of the best rank, */
    cm_manifold open[CONTACTS_OPEN]; /* the latest: manifold i is at i % CONTACTS_OPEN */
    double weak_depth;               /* of the deepest of these */
    cm__contact_deepest deepest[2];  /* of weak ones, and of others, be they kept or only counted */
    cm_real least; /* depths are raised to this: contacts within rounding of the caller's margin count as within it */
    int refused;   /* contacts that some level, or one of two surfaces, does not have */
    cm_manifold spare; /* the best of them, in the caller's frame */
} cm__contacts;

/* `joins`: neighboring ones are joined; else each triangle keeps its own. */
static inline void contacts_start(cm__contacts *c, const cm_shape *a, const cm_shape *b, bool joins, cm_manifold *out,
                                  int capacity) {
    const cm__parts_ops *parts_a = cm__ops(a->kind)->parts, *parts_b = cm__ops(b->kind)->parts;
    c->level = NULL;
    c->out = out, c->capacity = capacity, c->count = c->weak = c->joined = 0;
    c->joins = joins;
    c->by_child_a = parts_a && parts_a->children, c->by_child_b = parts_b && parts_b->children;
    c->least = -CM_REAL_MAX, c->weak_depth = -DBL_MAX;
    c->deepest[0].depth = c->deepest[1].depth = -DBL_MAX;
    c->refused = 0;
}
/* The depth of the deepest point. */
static inline double contacts_depth(const cm_manifold *m) {
    cm_real depth = -CM_REAL_MAX;
    for (int i = 0; i < m->count; i++) depth = cm_max(depth, m->points[i].depth);
    return (double)depth;
}
static inline void contacts_note(cm__contacts *c, bool both, double depth, cm__point normal, uint32_t part_a,
                                 uint32_t part_b) {
    if (depth > c->deepest[both].depth) c->deepest[both] = (cm__contact_deepest){depth, normal, part_a, part_b};
}
/* Adds a contact, given in the innermost level's frame; *m is overwritten. */
void cm__contacts_add(cm__contacts *c, cm_manifold *m);
/* Adds a weak contact. */
void cm__contacts_add_weak(cm__contacts *c, cm_manifold *m);
/* Takes back the weak ones of the pair that the caller asked for. */
static inline void contacts_drop_weak(cm__contacts *c) { c->weak = c->joined = 0; }
/* Would a contact of this depth (< 0: a gap) be a better spare? Of overlapping ones the one of least depth is, else the
 * nearest. */
bool cm__contacts_wants_spare(const cm__contacts *c, double depth);
/* Adds a contact that the innermost level's own pair does not have; in that level's frame. */
void cm__contacts_add_spare(cm__contacts *c, cm_manifold *m);
/* Writes what is open. Returns the number of manifolds: of contacts; where there are none, of weak ones; where there
 * are none either, 1 for the spare, if there is one. */
int cm__contacts_end(cm__contacts *c);

/* The number of a triangle's feature among those of its surface; also of a contact within the triangle, which has none.
 */
static inline uint32_t contacts_feature(uint32_t triangle, uint32_t feature) {
    return (triangle * UINT32_C(0x9e3779b1)) ^ ((feature + 1) * UINT32_C(0x85ebca6b));
}

/* The level of a composite, for contacts of one of its parts. A compound has a contact of a child unless each of its
 * points lies in another child that reaches farther along the normal there. */
typedef struct cm__contact_whole {
    cm__contact_level level;
    const cm_shape *shape;
    const cm_pose *pose;
    uint32_t number; /* of the part */
    double place;    /* the largest coordinate of the part's position, and for the first shape of the other's: rounding
                        scales with it */
} cm__contact_whole;

/* Does a child contain the point, within `noise`, and reach farther along the direction from there? In the compound's
 * frame. */
bool cm__whole_child_covers(const cm__part *child, cm__point p, cm__point direction, double noise);
/* The part `number` of a composite, no farther from a point than `within`. False: it is farther. In the composite's
 * frame. */
bool cm__find_part(const cm_shape *composite, uint32_t number, cm__point at, cm_real within, cm__part *out);
/* Does a compound have this outward direction at a point of its child `number`, that is, does no other child contain
 * the point, within `noise`, and reach farther along the direction? In the compound's frame. */
bool cm__whole_has(const cm_shape *compound, uint32_t number, cm__point at, cm__point direction, double noise);

/* For the first shape, a compound: from the child's frame to the compound's; `pose` places the child. */
bool cm__contact_of_first(const cm__contact_level *level, cm_manifold *m);
/* For the second shape, any composite: the contact stays in the first shape's frame, in which `pose` places the
 * composite. */
bool cm__contact_of_second(const cm__contact_level *level, cm_manifold *m);

/* The level of a pair that was asked with A and B swapped: `pose` places its first shape in the outer frame. */
typedef struct cm__contact_swap {
    cm__contact_level level;
    const cm_pose *pose;
} cm__contact_swap;
bool cm__contact_swapped(const cm__contact_level *level, cm_manifold *m);

#endif
