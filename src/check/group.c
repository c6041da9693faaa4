/* Findings in groups: see cm_check_group_findings in carom/check.h.
 *
 * Each finding gets a pair of keys. Sorted by them, findings with equal keys are a group. Where groups are "one part
 * against many", the key is the part that takes the finding, greedily: the part with most findings that no other part
 * has taken comes next. The parts are in a heap by that number. It only falls, so a part that reaches the top with an
 * outdated number is put back with its current one; that happens no more often than findings are taken. */
#include "check/check.h"
#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

typedef struct group_entry {
    uint32_t key_a, key_b, finding;
} group_entry;

static int group_compare_entries(const void *left, const void *right) {
    const group_entry *a = left, *b = right;
    if (a->key_a != b->key_a) return a->key_a < b->key_a ? -1 : 1;
    if (a->key_b != b->key_b) return a->key_b < b->key_b ? -1 : 1;
    return a->finding < b->finding ? -1 : a->finding > b->finding;
}

/* --- one part against many --------------------------------------------------------------------------------------- */

typedef struct group_waiting {
    uint32_t findings, part;
} group_waiting;

static bool group_is_before(const group_waiting *a, const group_waiting *b) {
    return a->findings != b->findings ? a->findings > b->findings : a->part < b->part;
}

/* Restores the heap after its top has become less. */
static void group_sink(group_waiting *heap, uint32_t count) {
    for (uint32_t at = 0, child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && group_is_before(&heap[child + 1], &heap[child])) child++;
        if (group_is_before(&heap[at], &heap[child])) return;
        const group_waiting kept = heap[at];
        heap[at] = heap[child], heap[child] = kept;
    }
}

static int group_compare_waiting(const void *left, const void *right) {
    const group_waiting *a = left, *b = right;
    return group_is_before(a, b) ? -1 : group_is_before(b, a);
}

/* The findings of each part: entries start[part] to start[part + 1]. */
typedef struct group_table {
    uint32_t *start, *entries, *left; /* left: entries of the part that nobody took */
    group_waiting *heap;
} group_table;

static bool group_make_table(const cm_finding *findings, const group_entry *list, uint32_t count, uint32_t part_count,
                             const cm_allocator *mem, group_table *t) {
    t->start = cm__alloc(mem, (size_t)part_count + 1, sizeof *t->start);
    t->entries = cm__alloc(mem, 2 * (size_t)count, sizeof *t->entries);
    t->left = cm__alloc(mem, part_count, sizeof *t->left);
    t->heap = cm__alloc(mem, part_count, sizeof *t->heap);
    if (!t->start || !t->entries || !t->left || !t->heap) return false;
    memset(t->start, 0, ((size_t)part_count + 1) * sizeof *t->start);
    memset(t->left, 0, part_count * sizeof *t->left);
    for (uint32_t i = 0; i < count; i++) {
        const cm_finding *f = &findings[list[i].finding];
        t->start[f->part_a + 1]++, t->start[f->part_b + 1]++;
    }
    for (uint32_t i = 0; i < part_count; i++) {
        t->heap[i] = (group_waiting){t->start[i + 1], i};
        t->start[i + 1] += t->start[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        const cm_finding *f = &findings[list[i].finding];
        t->entries[t->start[f->part_a] + t->left[f->part_a]++] = i;
        t->entries[t->start[f->part_b] + t->left[f->part_b]++] = i;
    }
    return true;
}

/* The part takes all of its findings that none has taken. */
static void group_take(const cm_finding *findings, group_entry *list, group_table *t, uint32_t part) {
    for (uint32_t i = t->start[part]; i < t->start[part + 1]; i++) {
        group_entry *e = &list[t->entries[i]];
        if (e->key_a != CM_NONE) continue;
        e->key_a = part;
        t->left[findings[e->finding].part_a]--, t->left[findings[e->finding].part_b]--;
    }
}

static cm_status group_by_part(const cm_finding *findings, group_entry *list, uint32_t count, uint32_t part_count,
                               const cm_allocator *mem) {
    group_table t = {0};
    const bool room = group_make_table(findings, list, count, part_count, mem, &t);
    if (room) cm__sort(t.heap, part_count, sizeof *t.heap, group_compare_waiting); /* what is sorted is a heap */
    while (room && part_count > 0 && t.heap[0].findings > 0) {
        const uint32_t part = t.heap[0].part;
        if (t.heap[0].findings == t.left[part]) group_take(findings, list, &t, part);
        t.heap[0].findings = t.left[part];
        group_sink(t.heap, part_count);
    }
    cm__free(mem, t.start, (size_t)part_count + 1, sizeof *t.start);
    cm__free(mem, t.entries, 2 * (size_t)count, sizeof *t.entries);
    cm__free(mem, t.left, part_count, sizeof *t.left);
    cm__free(mem, t.heap, part_count, sizeof *t.heap);
    return room ? CM_OK : CM_NO_MEMORY;
}

/* --- the groups -------------------------------------------------------------------------------------------------- */

static int group_compare(const void *left, const void *right) {
    const cm_check_group *a = left, *b = right;
    if (a->count != b->count) return a->count > b->count ? -1 : 1;
    if (a->key_a != b->key_a) return a->key_a < b->key_a ? -1 : 1;
    return a->key_b < b->key_b ? -1 : a->key_b > b->key_b;
}

/* Makes the groups from sorted entries: those with equal keys are adjacent. */
static cm_status group_gather(const group_entry *list, uint32_t count, const cm_allocator *mem, cm_check_groups *out) {
    cm_check_groups g = {.member_count = count};
    for (uint32_t i = 0; i < count; i++)
        g.count += i == 0 || list[i].key_a != list[i - 1].key_a || list[i].key_b != list[i - 1].key_b;
    g.groups = cm__alloc(mem, g.count, sizeof *g.groups);
    g.members = cm__alloc(mem, count, sizeof *g.members);
    if (!g.groups || !g.members) {
        cm_check_groups_destroy(&g, mem);
        return CM_NO_MEMORY;
    }
    uint32_t made = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || list[i].key_a != list[i - 1].key_a || list[i].key_b != list[i - 1].key_b)
            g.groups[made++] = (cm_check_group){list[i].key_a, list[i].key_b, i, 0};
        g.groups[made - 1].count++;
        g.members[i] = list[i].finding;
    }
    cm__sort(g.groups, g.count, sizeof *g.groups, group_compare);
    *out = g;
    return CM_OK;
}

cm_status cm_check_group_findings(const cm_finding *findings, uint32_t count, const uint32_t *keys, uint32_t part_count,
                                  const cm_allocator *mem, cm_check_groups *out) {
    if ((count > 0 && !findings) || !out) return CM_INVALID;
    for (uint32_t i = 0; i < count; i++)
        if (findings[i].part_a >= part_count || findings[i].part_b >= part_count) return CM_OUT_OF_RANGE;
    group_entry *list = cm__alloc(mem, count, sizeof *list);
    if (!list) return CM_NO_MEMORY;
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (findings[i].allowed != CM_NONE) continue;
        group_entry e = {CM_NONE, CM_NONE, i};
        if (keys) {
            const uint32_t a = keys[findings[i].part_a], b = keys[findings[i].part_b];
            e.key_a = a < b ? a : b, e.key_b = a < b ? b : a;
        }
        list[used++] = e;
    }
    cm_status status = keys ? CM_OK : group_by_part(findings, list, used, part_count, mem);
    if (status == CM_OK) {
        cm__sort(list, used, sizeof *list, group_compare_entries);
        status = group_gather(list, used, mem, out);
    }
    cm__free(mem, list, count, sizeof *list);
    return status;
}

void cm_check_groups_destroy(cm_check_groups *groups, const cm_allocator *mem) {
    if (!groups) return;
    cm__free(mem, groups->groups, groups->count, sizeof *groups->groups);
    cm__free(mem, groups->members, groups->member_count, sizeof *groups->members);
    memset(groups, 0, sizeof *groups);
}
