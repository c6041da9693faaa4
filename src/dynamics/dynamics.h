/* What a cm_dynamics holds: bodies by the slot of their object. */
#ifndef DYNAMICS_DYNAMICS_H
#define DYNAMICS_DYNAMICS_H

#include "carom/dynamics.h"
#include "dynamics/impulse.h"

enum { CM__BODY_KINDS = 32, CM__OWN_RESPONSE = 0x80, CM__RESPONSE_BITS = 31 };

/* The plane that a body met on its way, of those that its grounds have (plane.c). */
typedef struct cm__dynamics_plane {
    cm__point at, normal;     /* toward the body; 0: none */
    double met;               /* at this part of the way */
    uint64_t points, carried; /* those of the body's contact with it, and which of them are on grounds, as bits; */
    cm__point deepest;        /* of these; */
    double depth;             /* there; */
    uint32_t ground;          /* and which it is on */
    bool whole;               /* all points are on grounds: the contact with the plane is the body's landing */
} cm__dynamics_plane;

typedef struct cm__dynamics_body {
    cm__tensor inertia, inverse_inertia;   /* about the center, the body's axes */
    cm__point velocity, spin;              /* in a step: at its end without hits; spin as of `rotation` */
    cm__point before, spin_before;         /* velocity and spin at the start of the step */
    cm__point force, torque;               /* gathered for the coming step */
    cm__point acting_force, acting_torque; /* in a step: those of this one */
    cm__point gathered, gathered_torque;   /* and all that was gathered for it: what stands takes none */
    cm__point pull, twist;                 /* in a step: acceleration and torque, with damping */
    cm__point back, turn_back;             /* in a step: the way and turn that slow contacts take back at its end */
    cm__point shifted;                     /* in a step: how far contacts at its end have pushed it apart */
    double mass, restitution, friction;
    double damping, spin_damping, gravity_scale;
    cm_vec3 center;   /* of mass, the body's own frame */
    cm_quat rotation; /* in which `spin` was right */
    uint32_t id;      /* 0: no body */
    uint32_t response, kind;
    uint32_t weightless, driven, halted;
    /* in a step (energy.c): */
    uint32_t borne;      /* what it touched at the start changed its velocity, */
    uint32_t settled;    /* its velocity has all of the step's acceleration already: it goes straight for the rest */
    uint32_t held;       /* it stood still for the rest of it, or waited for what did; */
    uint32_t was_held;   /* in the step before */
    uint32_t rests;      /* what it touches at the end it neither runs into nor leaves, but slowly; */
    uint32_t rested;     /* in the step before */
    uint32_t was_halted; /* at the start of this one */
    uint32_t met;        /* it took part in a collision, was held or pushed */
    double allowed;      /* kinetic energy that it may have, but for the work of gravity since then */
    double turned_over;  /* the sum of what that was made of, which rounding scales with */
    double rounding;     /* of `allowed` */
    double taken;        /* the most energy that another got in a collision with it, */
    uint32_t taker;      /* and its id; 0: none */
    cm__point from;      /* where its center was at the start */
    uint32_t changes;    /* how often a contact changed its velocity */
    bool collided;       /* it ran into something in this step, faster than what lies */
    uint32_t waits;      /* parts of its contacts may only stand side by side (contact.c) */
    uint32_t grounds;    /* how many objects that stand still it touches at the end of the step; */
    uint32_t landed;     /* the contact with that which it ran into deepest was answered; */
    size_t landing;      /* 1 and its event, 0: none; */
    cm__point lift;      /* and the way that undoes its overlap */
    uint32_t lands;      /* it ran into one of them; */
    size_t on_plane;     /* 1 and the event of the contact where it is the deepest behind this: */
    cm__dynamics_plane plane;
} cm__dynamics_body;

/* What a slow contact did to its two bodies. It may take that back, and answer once more when others have pushed
 * them. */
typedef struct cm__dynamics_share {
    cm__point velocity[2], spin[2];
    double part;    /* of that, in seconds, they go back */
    double changed; /* how the answer differs from the one before, at most: a speed at a point */
    double still;   /* what is less than this makes no difference; a speed */
} cm__dynamics_share;

/* Which parts of a contact may only stand side by side: those across `pull` that are less deep than `most`, and, where
 * others carry, near the level of these. */
typedef struct cm__dynamics_doubt {
    cm__point pull;     /* their relative acceleration, were they free */
    double most;        /* a length */
    double first, last; /* along the direction of `pull`, the points that carry; first > last: there are none */
} cm__dynamics_doubt;

/* What is hit together with what a body hits (ground.c): a part of `grounds`. */
typedef struct cm__dynamics_grounds {
    size_t first, count;
} cm__dynamics_grounds;

/* A contact at the end of a step: which event, and what the two do. */
typedef struct cm__dynamics_contact {
    size_t event;
    uint32_t response_a, response_b;
    bool rests;       /* it was answered and has nothing more to do, */
    uint32_t changes; /* as long as this is the sum of both bodies' changes */
    bool beside;      /* its doubtful parts do nothing */
    size_t answered;  /* of what waits: 1 and the index of the contact that its other parts are; 0: none */
    bool on_plane;    /* it is a landing on a plane, and was answered so */
    bool fast;        /* they ran into each other: of such a push nothing acted before the end of the step */
    bool late;        /* of what waits: it is met only after what the body landed on */
    cm__dynamics_doubt doubt;
    cm__dynamics_grounds grounds;
    cm__dynamics_share share;
} cm__dynamics_contact;

/* A body, and one normal of a contact between two, while clusters are answered (cluster.c). */
typedef struct cm__dynamics_rigid {
    cm__rigid now;
    cm__rigid way;            /* and with the velocities that it gains on a way (cluster_seek.c) */
    cm__point velocity, spin; /* before */
    uint32_t changes;         /* how often its velocity was changed */
    uint32_t member, place;   /* the slot of the n-th body found; which this one is, counted from 1, 0: none */
    uint32_t island;          /* of the n-th body found: how many there are before its own */
} cm__dynamics_rigid;

typedef struct cm__dynamics_part {
    uint32_t a, b, response_a, response_b;
    cm__impact impact;
    bool turning, rests;
    bool struck;      /* one of the two was held: it is to part them, not only to bear */
    uint32_t changes; /* of both bodies when it had its last turn; `rests`: and nothing to do */
    uint32_t island;
    bool swept;                /* in this step, one of the two */
    double margin;             /* what is no farther apart touches */
    size_t first;              /* of its points */
    cm__dynamics_rigid *on[2]; /* while impulses are sought: its two sides; what is no body is one that stands still */
    bool moves[2];             /* its impulses may push this side */
} cm__dynamics_part;

/* An impulse of a step that the next one begins with. */
typedef struct cm__dynamics_kept {
    uint32_t a, b;
    uint32_t place; /* in the order in which they were found */
    cm__point at, impulse;
} cm__dynamics_kept;

struct cm_dynamics {
    cm_world *world;
    cm_allocator allocator;
    bool has_allocator;
    cm__point gravity;
    void (*respond)(void *user, cm_dynamics *dynamics, const cm_world_hit *hit, uint32_t *a, uint32_t *b);
    void *user;
    cm__dynamics_body *bodies;
    size_t count, capacity;         /* slots in use: all beyond are none */
    cm__dynamics_contact *contacts; /* of the running step */
    size_t contact_count, contact_capacity;
    cm__dynamics_rigid *rigids; /* by slot */
    cm__dynamics_rigid nobody;  /* all 0 */
    cm__dynamics_part *parts;
    cm__impact_point *points;
    uint32_t island_count; /* of what is connected with what rests or was held, each */
    bool struck;           /* of what was held */
    size_t member_count;
    size_t rigid_count, rigid_capacity, part_count, part_capacity, point_count, point_capacity;
    cm__dynamics_kept *kept;
    size_t kept_count, kept_capacity;
    cm_manifold *manifolds; /* of two bodies, as last asked for */
    size_t manifold_capacity;
    uint32_t *grounds; /* of the hit that is answered, or of all contacts at the end */
    size_t ground_count, ground_capacity;
    bool starved; /* there were more than memory for them, in this step */
    uint8_t rules[CM__BODY_KINDS][CM__BODY_KINDS];
    double dt;
    bool stepping; /* within cm_dynamics_step: a callback may ask */
};

CM_INLINE const cm_allocator *cm__dynamics_memory(const cm_dynamics *d) {
    return d->has_allocator ? &d->allocator : NULL;
}
/* The body of an object; NULL where it has none. */
CM_INLINE cm__dynamics_body *cm__body_of(const cm_dynamics *d, uint32_t id) {
    uint32_t slot = id & 0xffffff;
    return slot < d->count && d->bodies[slot].id == id && id ? &d->bodies[slot] : NULL;
}

/* Room for the slot, new ones empty; false without memory. */
bool cm__dynamics_reach(cm_dynamics *d, uint32_t slot);
/* cm_contact, into `manifolds` behind the first `kept`: all there are, as a body on a mesh lies on many triangles, and
 * what it stands on are not the first few of them; where memory is short as many as there is room for, and it is
 * `starved`. Gives how many there are with those. */
int cm__dynamics_touching(cm_dynamics *d, const cm_shape *a, const cm_pose *pose_a, const cm_shape *b,
                          const cm_pose *pose_b, cm_real margin, int kept);

#endif
