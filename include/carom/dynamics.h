/// carom/dynamics.h: bodies that move, and what they do when they meet.
#ifndef CAROM_DYNAMICS_H
#define CAROM_DYNAMICS_H

#include "shape.h"

CM_EXTERN_BEGIN

/* --- responses ----------------------------------------------------------------------------------------------- */

/// What a body does when it meets another, every one once: NAME, name, bit. Bits may be combined.
#define CM_RESPONSE_LIST(X)                                                                                            \
    X(REPORT, report, 0)         /* nothing: the event is all */                                                       \
    X(HALT, halt, 1)             /* stands still from the time of impact on, until it is given a velocity again */     \
    X(VANISH, vanish, 2)         /* is removed at the time of impact */                                                \
    X(BOUNCE, bounce, 4)         /* an impulse: masses, inertia, restitution, friction at the points of the contact */ \
    X(SLIDE, slide, 8)           /* loses the speed along the normal and goes on along the surface; never turns */     \
    X(PUSH_APART, push_apart, 16) /* an overlap is undone, shared by inverse mass */

enum {
#define CM_RESPONSE_ENUM(NAME, name, bit) CM_RESPONSE_##NAME = bit,
    CM_RESPONSE_LIST(CM_RESPONSE_ENUM)
#undef CM_RESPONSE_ENUM
};

/// The bit of a response by its name, "push_apart". @return false, with `out` untouched, for a name that is none.
CM_API bool cm_response_from_name(const char *name, uint32_t *out);
/// The name of one response's bit; NULL for anything else. Never freed.
CM_API const char *cm_response_name(uint32_t response);

CM_EXTERN_END
#endif
