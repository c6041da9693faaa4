/* The events of a step in the order of time: the world sorts them by pair. Of equal times in the world's order. */
#ifndef CLI_MOMENTS_H
#define CLI_MOMENTS_H

#include <carom/carom.h>

typedef struct moment {
    cm_real u;
    size_t event; /* in the world's view */
} moment;

/* All zeros: none. */
typedef struct moments {
    moment *items;
    size_t count, capacity;
} moments;

/* Takes the place of those of the step before. */
void moments_take(moments *m, const cm_world_event_view *events);
void moments_free(moments *m);

#endif
