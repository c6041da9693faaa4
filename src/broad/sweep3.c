/* Sort and sweep along all three axes, the pairs kept between frames.
 *
 * On each axis the ends of all intervals stand in one list in ascending order, at equal coordinates beginnings before
 * ends, so that what touches overlaps. Two boxes overlap exactly where on every axis each begins before the other ends.
 * When boxes move, an insertion sort mends the lists. Where a beginning passes an end, two intervals begin to overlap:
 * the boxes are compared, and the pair is noted where they overlap on the other axes too. Where an end passes a
 * beginning, the pair is struck out. A pair that comes to overlap does so on some axis, and an end and a beginning
 * change places at most once in an insertion sort; so afterwards the noted pairs are the overlapping ones, and what
 * neither moves nor is passed costs nothing but the look at its ends.
 *
 * Where more ends would change places than sorting anew costs, the lists are sorted anew, and the pairs found by one
 * sweep along the axis with the fewest overlapping intervals: it goes through the ends and keeps the objects that have
 * begun and not ended, the moving and the static ones apart, as static ones are never compared with each other. Its
 * worst case is all intervals overlapping on that axis: n (n - 1) / 2 comparisons.
 *
 * Based on: [Cohen95 §3.1] sorted intervals and pairs kept between frames; [Kenwright] Figure 2. */
#include "broad/broad.h"
#include "base/memory.h"
#include "math/axis.h"

#include <string.h>

enum {
    SWEEP3_MOVES = 64,   /* places that an end may move on average before the list is sorted anew */
    SWEEP3_FEW = 64,     /* … and so many are always mended */
    SWEEP3_TABLE = 64,   /* least entries of the table */
    SWEEP3_KNOWN = 1,    /* by slot: its ends stand in the lists … */
    SWEEP3_WAS_FIXED = 2 /* … and it was static at the last update */
};

typedef struct sweep3_end {
    cm_real at;
    uint32_t what; /* slot * 2, + 1 for the upper end */
} sweep3_end;

typedef struct sweep3 {
    sweep3_end *ends[3], *spare; /* room for all */
    size_t ends_capacity[3], spare_capacity;
    uint32_t count;      /* ends on an axis: twice the members */
    uint8_t *known;      /* by slot */
    uint32_t *active[2]; /* a sweep's moving and static objects that have begun; room for all members */
    uint32_t *active_at; /* by slot: where it stands there */
    size_t known_capacity, active_capacity[2], active_at_capacity;
    cm__pair_sink found;               /* slots, a < b */
    uint32_t *table;                   /* open addressing: 1 + the number of a found pair; 0: empty */
    size_t table_capacity, table_size; /* a power of two */
    bool dropped, anew;                /* since the last update: something was removed; the lists are of no use */
    uint64_t tests;                    /* of the last update */
} sweep3;

/* --- the pairs: a list, and a table that finds a pair in it ----------------------------------------------------- */

static size_t found_first_slot(const sweep3 *p, cm_broad_pair pair) {
    uint64_t h = ((uint64_t)pair.a << 32 | pair.b) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(h >> 32) & (p->table_size - 1);
}

/* Where the pair stands in the table, or the empty place where it would. */
static size_t found_place(const sweep3 *p, cm_broad_pair pair) {
    size_t at = found_first_slot(p, pair);
    for (uint32_t n = p->table[at]; n; n = p->table[at]) {
        if (p->found.pairs[n - 1].a == pair.a && p->found.pairs[n - 1].b == pair.b) break;
        at = (at + 1) & (p->table_size - 1);
    }
    return at;
}

static cm_broad_pair found_pair(uint32_t s, uint32_t t) {
    cm_broad_pair pair = {s < t ? s : t, s < t ? t : s};
    return pair;
}

static void found_fill(sweep3 *p) {
    if (p->table_size) memset(p->table, 0, p->table_size * sizeof *p->table);
    for (size_t i = 0; i < p->found.count; ++i) p->table[found_place(p, p->found.pairs[i])] = (uint32_t)i + 1;
}

/* The size of a table for what is found and one pair more: at most half full. */
static size_t found_table_size(const sweep3 *p) {
    size_t size = p->table_size ? p->table_size : SWEEP3_TABLE;
    while (size < 2 * (p->found.count + 1)) size *= 2;
    return size;
}

/* Puts all that is found into a table of this size. */
static bool found_make_table(cm_broad *b, sweep3 *p, size_t size) {
    if (p->found.count >= CM_NONE - 1) return false;
    if (!cm__reserve(b->mem, (void **)&p->table, &p->table_capacity, size, sizeof *p->table)) return false;
    p->table_size = size;
    found_fill(p);
    return true;
}

/* Room in list and table for one pair more. */
static bool found_room(cm_broad *b, sweep3 *p) {
    if (!cm__sink_room(&p->found, 1) || p->found.count >= CM_NONE - 1) return false;
    const size_t size = found_table_size(p);
    return size == p->table_size || found_make_table(b, p, size);
}

static bool found_add(cm_broad *b, sweep3 *p, uint32_t s, uint32_t t) {
    cm_broad_pair pair = found_pair(s, t);
    if (p->found.limit && p->found.count >= p->found.limit) { /* before the table grows for what is refused */
        p->found.full = !p->table[found_place(p, pair)];
        return !p->found.full;
    }
    if (!found_room(b, p)) return false;
    size_t at = found_place(p, pair);
    if (p->table[at]) return true;
    p->found.pairs[p->found.count++] = pair;
    p->table[at] = (uint32_t)p->found.count;
    return true;
}

/* Empties a place of the table; those behind it that could stand there move up. */
static void found_empty(sweep3 *p, size_t at) {
    const size_t mask = p->table_size - 1;
    size_t next = at;
    for (;;) {
        next = (next + 1) & mask;
        uint32_t n = p->table[next];
        if (!n) break;
        size_t first = found_first_slot(p, p->found.pairs[n - 1]);
        if (((next - first) & mask) < ((next - at) & mask)) continue; /* the slot of its hash lies behind the gap */
        p->table[at] = n;
        at = next;
    }
    p->table[at] = 0;
}

static void found_remove(sweep3 *p, uint32_t s, uint32_t t) {
    if (!p->found.count) return;
    cm_broad_pair pair = found_pair(s, t);
    size_t at = found_place(p, pair);
    uint32_t n = p->table[at];
    if (!n) return;
    found_empty(p, at);
    const cm_broad_pair last = p->found.pairs[p->found.count - 1];
    if (n != p->found.count) {
        p->table[found_place(p, last)] = n;
        p->found.pairs[n - 1] = last;
    }
    --p->found.count;
}

/* --- the objects ------------------------------------------------------------------------------------------------- */

static void sweep3_clear(cm_broad *b) {
    sweep3 *p = b->state;
    p->found.mem = b->mem;
    p->found.limit = b->desc.pair_limit;
    p->count = 0;
    p->found.count = 0;
    p->dropped = false;
    p->anew = true;
    if (p->known) memset(p->known, 0, p->known_capacity);
}

static void sweep3_destroy(cm_broad *b) {
    sweep3 *p = b->state;
    for (int a = 0; a < 3; ++a) cm__free(b->mem, p->ends[a], p->ends_capacity[a], sizeof *p->ends[a]);
    for (int k = 0; k < 2; ++k) cm__free(b->mem, p->active[k], p->active_capacity[k], sizeof *p->active[k]);
    cm__free(b->mem, p->spare, p->spare_capacity, sizeof *p->spare);
    cm__free(b->mem, p->known, p->known_capacity, sizeof *p->known);
    cm__free(b->mem, p->active_at, p->active_at_capacity, sizeof *p->active_at);
    cm__free(b->mem, p->table, p->table_capacity, sizeof *p->table);
    cm__sink_free(&p->found);
}

/* Everything that an update needs by the number of objects. */
static bool sweep3_reserve(cm_broad *b, uint32_t slot, size_t ends) {
    sweep3 *p = b->state;
    const size_t known = p->known_capacity, slots = (size_t)slot + 1;
    bool ok = cm__reserve(b->mem, (void **)&p->known, &p->known_capacity, slots, 1) &&
              cm__reserve(b->mem, (void **)&p->active_at, &p->active_at_capacity, slots, sizeof *p->active_at) &&
              cm__reserve(b->mem, (void **)&p->spare, &p->spare_capacity, ends, sizeof *p->spare);
    if (p->known_capacity > known) memset(p->known + known, 0, p->known_capacity - known);
    for (int a = 0; a < 3 && ok; ++a) {
        ok = cm__reserve(b->mem, (void **)&p->ends[a], &p->ends_capacity[a], ends, sizeof *p->ends[a]);
    }
    for (int k = 0; k < 2 && ok; ++k) {
        ok = cm__reserve(b->mem, (void **)&p->active[k], &p->active_capacity[k], ends / 2, sizeof *p->active[k]);
    }
    return ok;
}

/* Its ends stand last, as if it came from beyond all others. */
static cm_status sweep3_add(cm_broad *b, uint32_t slot) {
    sweep3 *p = b->state;
    if (!sweep3_reserve(b, slot, (size_t)p->count + 2)) return CM_NO_MEMORY;
    p->known[slot] = SWEEP3_KNOWN | (b->flags[slot] & CM__FIXED ? SWEEP3_WAS_FIXED : 0);
    for (int a = 0; a < 3; ++a) {
        p->ends[a][p->count].what = 2 * slot;
        p->ends[a][p->count + 1].what = 2 * slot + 1;
    }
    p->count += 2;
    return CM_OK;
}

static void sweep3_remove(cm_broad *b, uint32_t slot) {
    sweep3 *p = b->state;
    p->known[slot] = 0;
    p->dropped = true;
}

/* Pairs of two static objects are not kept, so one that is static now and was not, or the reverse, changes them. */
static cm_status sweep3_move(cm_broad *b, uint32_t slot) {
    sweep3 *p = b->state;
    const bool was = (p->known[slot] & SWEEP3_WAS_FIXED) != 0, is = (b->flags[slot] & CM__FIXED) != 0;
    if (was != is) p->known[slot] ^= SWEEP3_WAS_FIXED, p->anew = true;
    return CM_OK;
}

/* --- sorting ------------------------------------------------------------------------------------------------------ */

static bool sweep3_before(sweep3_end e, sweep3_end f) {
    return e.at < f.at || (e.at == f.at && (e.what & 1) < (f.what & 1));
}

/* Takes out the ends of removed objects, and their pairs. */
static void sweep3_drop(sweep3 *p) {
    uint32_t kept = 0;
    for (int a = 0; a < 3; ++a) {
        kept = 0;
        for (uint32_t i = 0; i < p->count; ++i) {
            p->ends[a][kept] = p->ends[a][i];
            kept += p->known[p->ends[a][i].what / 2] != 0;
        }
    }
    p->count = kept;
    size_t pairs = 0;
    for (size_t i = 0; i < p->found.count; ++i) {
        const cm_broad_pair pair = p->found.pairs[i];
        p->found.pairs[pairs] = pair;
        pairs += p->known[pair.a] && p->known[pair.b];
    }
    p->found.count = pairs;
    found_fill(p);
}

static void sweep3_read(const cm_broad *b, sweep3 *p, int axis) {
    for (uint32_t i = 0; i < p->count; ++i) {
        sweep3_end *end = &p->ends[axis][i];
        const cm_aabb *box = &b->boxes[end->what / 2];
        end->at = end->what & 1 ? vec3_reals(&box->max)[axis] : vec3_reals(&box->min)[axis];
    }
}

/* Compares two boxes and notes the pair where they overlap and are not both static. */
static bool sweep3_meet(cm_broad *b, sweep3 *p, uint32_t s, uint32_t t) {
    if (p->known[s] & p->known[t] & SWEEP3_WAS_FIXED) return true;
    ++p->tests;
    return !cm_aabb_overlaps(&b->boxes[s], &b->boxes[t]) || found_add(b, p, s, t);
}

/* Insertion sort of one axis. *anew: it would move too many; the list is in no order then. */
static cm_status sweep3_mend(cm_broad *b, sweep3 *p, int axis, bool *anew) {
    sweep3_end *ends = p->ends[axis];
    uint64_t budget = (uint64_t)SWEEP3_MOVES * p->count + SWEEP3_FEW;
    for (uint32_t i = 1; i < p->count; ++i) {
        const sweep3_end end = ends[i];
        const bool upper = end.what & 1;
        uint32_t j = i;
        for (; j > 0 && sweep3_before(end, ends[j - 1]); --j) {
            const uint32_t passed = ends[j - 1].what;
            ends[j] = ends[j - 1];
            if (upper == (passed & 1)) continue;
            if (upper)
                found_remove(p, end.what / 2, passed / 2);
            else if (!sweep3_meet(b, p, end.what / 2, passed / 2)) {
                ends[j - 1] = end; /* every end is in the list, in no order */
                return CM_NO_MEMORY;
            }
        }
        ends[j] = end;
        *anew = i - j > budget;
        if (*anew) return CM_OK;
        budget -= i - j;
    }
    return CM_OK;
}

/* Merge sort: runs of 1, 2, 4, … */
static void sweep3_sort(sweep3 *p, int axis) {
    sweep3_end *from = p->ends[axis], *to = p->spare;
    for (uint64_t run = 1; run < p->count; run *= 2) {
        for (uint64_t start = 0; start < p->count; start += 2 * run) {
            uint64_t i = start, middle = start + run < p->count ? start + run : p->count, j = middle;
            const uint64_t stop = middle + run < p->count ? middle + run : p->count;
            for (uint64_t k = start; k < stop; ++k) {
                const bool second = i == middle || (j < stop && sweep3_before(from[j], from[i]));
                to[k] = second ? from[j++] : from[i++];
            }
        }
        sweep3_end *swap = from;
        from = to, to = swap;
    }
    if (from != p->ends[axis] && p->count) memcpy(p->ends[axis], from, p->count * sizeof *from);
}

/* How many pairs of intervals overlap on an axis, none of them of two static objects. */
static uint64_t sweep3_crowding(const sweep3 *p, int axis) {
    uint64_t sum = 0, open[2] = {0, 0};
    for (uint32_t i = 0; i < p->count; ++i) {
        const uint32_t what = p->ends[axis][i].what;
        const bool fixed = p->known[what / 2] & SWEEP3_WAS_FIXED;
        if (what & 1) {
            --open[fixed];
        } else {
            sum += fixed ? open[0] : open[0] + open[1];
            ++open[fixed];
        }
    }
    return sum;
}

/* Finds every pair once, so that none has to be looked up: the table is made when all are there. */
static cm_status sweep3_sweep(cm_broad *b, sweep3 *p, int axis) {
    uint32_t count[2] = {0, 0};
    for (uint32_t i = 0; i < p->count; ++i) {
        const uint32_t s = p->ends[axis][i].what / 2;
        const int fixed = (p->known[s] & SWEEP3_WAS_FIXED) != 0;
        if (p->ends[axis][i].what & 1) {
            const uint32_t last = p->active[fixed][--count[fixed]];
            p->active[fixed][p->active_at[s]] = last;
            p->active_at[last] = p->active_at[s];
            continue;
        }
        for (int other = 0; other <= 1 - fixed; ++other) {
            for (uint32_t k = 0; k < count[other]; ++k) {
                const uint32_t t = p->active[other][k];
                ++p->tests;
                if (!cm_aabb_overlaps(&b->boxes[s], &b->boxes[t])) continue;
                if (!cm__sink_room(&p->found, 1)) return CM_NO_MEMORY;
                cm__sink_put(&p->found, s, t);
            }
        }
        p->active_at[s] = count[fixed];
        p->active[fixed][count[fixed]++] = s;
    }
    if (cm__sink_over(&p->found)) return CM_NO_MEMORY;
    return found_make_table(b, p, found_table_size(p)) ? CM_OK : CM_NO_MEMORY;
}

static cm_status sweep3_anew(cm_broad *b, sweep3 *p) {
    int best = 0;
    uint64_t least = UINT64_MAX;
    p->found.count = 0;
    for (int a = 0; a < 3; ++a) {
        sweep3_sort(p, a);
        const uint64_t crowding = sweep3_crowding(p, a);
        if (crowding < least) least = crowding, best = a;
    }
    return sweep3_sweep(b, p, best);
}

static cm_status sweep3_update(cm_broad *b) {
    sweep3 *p = b->state;
    cm_status status = CM_OK;
    p->tests = 0;
    if (p->dropped) sweep3_drop(p);
    p->dropped = false;
    for (int a = 0; a < 3; ++a) sweep3_read(b, p, a);
    for (int a = 0; a < 3 && !p->anew && status == CM_OK; ++a) status = sweep3_mend(b, p, a, &p->anew);
    if (p->found.full) { /* pairs that are no more were still among them */
        p->found.full = false;
        p->anew = true;
        status = CM_OK;
    }
    if (p->anew && status == CM_OK) status = sweep3_anew(b, p);
    status = cm__sink_status(&p->found, status);
    p->anew = status != CM_OK;
    return status;
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

static cm_status sweep3_pairs(cm_broad *b, cm__pair_sink *sink) {
    const sweep3 *p = b->state;
    sink->tests += p->tests;
    for (size_t i = 0; i < p->found.count; ++i) {
        if (!cm__sink_slots(b, sink, p->found.pairs[i].a, p->found.pairs[i].b)) return CM_NO_MEMORY;
    }
    return CM_OK;
}

/* Those that begin before the reach ends, along the axis where they are fewest; the visitor decides. */
static void sweep3_visit(const cm_broad *b, cm__visitor *v) {
    const sweep3 *p = b->state;
    int axis = 0;
    uint32_t least = CM_NONE;
    for (int a = 0; a < 3; ++a) {
        const sweep3_end top = {vec3_reals(&v->reach.max)[a], 1};
        uint32_t lo = 0, hi = p->count;
        while (lo < hi) {
            uint32_t middle = lo + (hi - lo) / 2;
            if (sweep3_before(top, p->ends[a][middle]))
                hi = middle;
            else
                lo = middle + 1;
        }
        if (lo < least) least = lo, axis = a;
    }
    for (uint32_t i = 0; i < least && i < p->count; ++i) {
        const uint32_t what = p->ends[axis][i].what, s = what / 2;
        if (what & 1 || vec3_reals(&b->boxes[s].max)[axis] < vec3_reals(&v->reach.min)[axis]) continue;
        if (!cm__visit(v, s)) return;
    }
}

static void sweep3_walk(const cm_broad *b, cm_broad_walk_fn fn, void *context) {
    const sweep3 *p = b->state;
    cm_aabb all = cm_aabb_empty();
    for (uint32_t i = 0; i < p->count; ++i) all = cm_aabb_union(all, b->boxes[p->ends[0][i].what / 2]);
    if (p->count) fn(context, &all, 0, p->count / 2);
}

static void sweep3_stats(const cm_broad *b, cm_broad_stats *out) {
    const sweep3 *p = b->state;
    out->nodes = out->depth = 1;
    for (int a = 0; a < 3; ++a) out->bytes += p->ends_capacity[a] * sizeof *p->ends[a];
    for (int k = 0; k < 2; ++k) out->bytes += p->active_capacity[k] * sizeof *p->active[k];
    out->bytes += p->spare_capacity * sizeof *p->spare + p->known_capacity + p->found.capacity * sizeof(cm_broad_pair) +
                  (p->active_at_capacity + p->table_capacity) * sizeof(uint32_t);
}

const cm__broad_ops cm__broad_sweep3 = {
    .kind = CM_BROAD_SWEEP3,
    .state_size = sizeof(sweep3),
    .destroy = sweep3_destroy,
    .clear = sweep3_clear,
    .add = sweep3_add,
    .remove = sweep3_remove,
    .move = sweep3_move,
    .update = sweep3_update,
    .pairs = sweep3_pairs,
    .visit = sweep3_visit,
    .walk = sweep3_walk,
    .stats = sweep3_stats,
};
