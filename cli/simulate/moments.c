/* Events by u. */
#include "simulate/moments.h"

#include "common/text.h"

#include <stdlib.h>

static int by_time(const void *x, const void *y) {
    const moment *a = x, *b = y;
    if (a->u != b->u) return a->u < b->u ? -1 : 1;
    return a->event < b->event ? -1 : a->event > b->event;
}

void moments_take(moments *m, const cm_world_event_view *events) {
    m->count = 0;
    for (size_t i = 0; i < events->count; i++) {
        m->items = grow(m->items, m->count, &m->capacity, sizeof *m->items);
        m->items[m->count++] = (moment){events->events[i].u, i};
    }
    if (m->count > 1) qsort(m->items, m->count, sizeof *m->items, by_time);
}

void moments_free(moments *m) {
    free(m->items);
    *m = (moments){0};
}
