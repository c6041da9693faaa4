/* Findings as topics: see topics.h. */
#include "bcf/topics.h"

#include "bcf/bcf.h"
#include "check/baseline.h"
#include "check/groups.h"
#include "check/handover.h"
#include "check/output.h"
#include "check/rules.h"
#include "common/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const topic_types[] = {"Clash", "Duplicate", "Touching", "Clearance", NULL};
const char *const topic_statuses[] = {"Active", "Approved", "Resolved", NULL};
const char *const topic_priorities[] = {"High", "Normal", "Low", NULL};

bool bcf_is_own_status(const char *status) {
    for (int i = 0; topic_statuses[i]; i++)
        if (strcasecmp(topic_statuses[i], status) == 0) return true;
    return false;
}

/* --- which ------------------------------------------------------------------------------------------------------- */

static const char *type_of(const cm_finding *f) {
    switch (f->kind) {
    case CM_FINDING_IDENTICAL:
        return topic_types[1];
    case CM_FINDING_TOUCHING:
        return topic_types[2];
    case CM_FINDING_CLEARANCE:
        return topic_types[3];
    case CM_FINDING_CROSSING:
    case CM_FINDING_INSIDE:
    case CM_FINDING_KIND_COUNT:
        break;
    }
    return topic_types[0];
}

/* By the gravest severity: the smaller the number. */
static int gravity_of(const findings *f, uint32_t number) {
    const char *severity = rules_severity(f, number);
    return strcmp(severity, "error") == 0 ? 0 : strcmp(severity, "warning") == 0 ? 1 : 2;
}

static int compare_numbers(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void find_parts(const findings *f, topic *t) {
    t->parts = allocate(2 * (size_t)t->count, sizeof *t->parts);
    uint32_t all = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        t->parts[all++] = f->list.findings[t->numbers[i]].part_a;
        t->parts[all++] = f->list.findings[t->numbers[i]].part_b;
    }
    qsort(t->parts, all, sizeof *t->parts, compare_numbers);
    for (uint32_t i = 0; i < all; i++)
        if (i == 0 || t->parts[i] != t->parts[t->part_count - 1]) t->parts[t->part_count++] = t->parts[i];
}

/* Is the part in all findings of the topic? */
static bool is_in_all(const findings *f, const topic *t, uint32_t part) {
    for (uint32_t i = 0; i < t->count; i++) {
        const cm_finding *one = &f->list.findings[t->numbers[i]];
        if (one->part_a != part && one->part_b != part) return false;
    }
    return true;
}

bool topic_is_first(const findings *f, const topic *t, uint32_t part) {
    if (t->against != CM_NONE) return part == t->against;
    for (uint32_t i = 0; i < t->count; i++)
        if (f->list.findings[t->numbers[i]].part_a == part) return true;
    return false;
}

/* --- words ------------------------------------------------------------------------------------------------------- */

static void add_part(text_buffer *t, const scene *s, const char *what, uint32_t number) {
    const char *id = part_property(s, &s->parts[number], "id");
    text_add(t, "%s: %s%s%s%s\n", what, s->parts[number].name, id ? " (" : "", id ? id : "", id ? ")" : "");
}

/* Ends with the ids of its findings, by which the topic is known again whatever its GUID. */
static char *describe(const scene *s, const findings *f, const topic *t) {
    text_buffer out = {0};
    for (uint32_t i = 0; i < t->count; i++) {
        const uint32_t number = t->numbers[i];
        char *sentence = finding_sentence(s, &f->list.findings[number]);
        const char *test = rules_test_name(f, number);
        text_add(&out, "%s%s%s%s\n", sentence, *test ? " [" : "", test, *test ? "]" : "");
        free(sentence);
    }
    if (t->count == 1) {
        add_part(&out, s, "A", f->list.findings[t->numbers[0]].part_a);
        add_part(&out, s, "B", f->list.findings[t->numbers[0]].part_b);
    }
    text_add(&out, "findings:");
    for (uint32_t i = 0; i < t->count; i++)
        text_add(&out, " %016llx", (unsigned long long)f->list.findings[t->numbers[i]].id);
    return out.bytes;
}

/* `names` are those of the two parts. */
static char *title_of(const cm_finding *one, const char *a, const char *b) {
    static const char *const words[CM_FINDING_KIND_COUNT] = {"crosses", "is inside", "is identical to", "touches",
                                                             "is too near to"};
    const double length = one->result.distance < CM_REAL_MAX ? fabs(one->result.distance) : 0;
    const bool swapped = one->result.relation == CM_RELATION_B_IN_A;
    text_buffer t = {0};
    text_add(&t, "%s %s %s", swapped ? b : a, words[one->kind], swapped ? a : b);
    if (length > 0 && (one->kind == CM_FINDING_CROSSING || one->kind == CM_FINDING_CLEARANCE))
        text_add(&t, ", %.4g mm", 1000 * length);
    return t.bytes;
}

static char *group_title(const findings *f, const cm_check_group *g, uint32_t count, char *const *names) {
    char *a = group_side_a(f->groups, g, names), *b = group_side_b(f->groups, g, &f->list, names);
    char *title = format_text("%s%s%s: %u finding%s", a, *b ? " and " : "", b, count, plural(count));
    free(a), free(b);
    return title;
}

/* --- topics ------------------------------------------------------------------------------------------------------ */

/* Takes over the list of findings. */
static void finish(const scene *s, const findings *f, topic *t) {
    const cm_finding *first = &f->list.findings[t->numbers[0]];
    int gravity = 2;
    for (uint32_t i = 0; i < t->count; i++) {
        const int own = gravity_of(f, t->numbers[i]);
        if (own < gravity) gravity = own;
    }
    t->accepted = rules_origin_of(f, first);
    t->type = type_of(first), t->priority = topic_priorities[gravity], t->status = topic_statuses[t->accepted != NULL];
    t->against = is_in_all(f, t, first->part_a)   ? first->part_a
                 : is_in_all(f, t, first->part_b) ? first->part_b
                                                  : CM_NONE;
    find_parts(f, t);
    t->description = describe(s, f, t);
}

static void add_single(const scene *s, const findings *f, uint32_t number, char *const *names, topics *out) {
    const cm_finding *one = &f->list.findings[number];
    const uint64_t id = one->id;
    topic *t = &out->list[out->count++];
    *t = (topic){.numbers = allocate(1, sizeof *t->numbers), .count = 1};
    t->title = title_of(one, names[one->part_a], names[one->part_b]);
    t->numbers[0] = number;
    guid_make(GUID_FINDING, id, t->guid), guid_make(GUID_VIEWPOINT, id, t->viewpoint);
    guid_make(GUID_COMMENT, id, t->comment);
    finish(s, f, t);
}

/* What stays the same in a later check: what the group is gathered by, and its sides. */
static uint64_t group_number(const findings *f, const cm_check_group *g) {
    const groups *all = f->groups;
    const cm_finding *first = &f->list.findings[all->list.members[g->first]];
    uint64_t hash = hash_text(TEXT_HASH, all->by);
    char id[20];
    if (strcmp(all->by, "part") == 0) {
        snprintf(id, sizeof id, "%016llx", (unsigned long long)(first->part_a == g->key_a ? first->id_a : first->id_b));
        hash = hash_text(hash, id);
    } else {
        hash = hash_text(hash_text(hash, all->labels[g->key_a]), all->labels[g->key_b]);
    }
    return hash ? hash : 1;
}

static void add_group(const scene *s, const findings *f, const cm_check_group *g, char *const *names, topics *out) {
    topic t = {.numbers = allocate(g->count, sizeof *t.numbers)};
    for (uint32_t i = 0; i < g->count; i++) {
        const uint32_t number = f->groups->list.members[g->first + i];
        if (rules_look_for(f, f->list.findings[number].kind)) t.numbers[t.count++] = number;
    }
    if (t.count == 0) {
        free(t.numbers);
        return;
    }
    const uint64_t number = group_number(f, g);
    t.title = group_title(f, g, t.count, names);
    guid_make(GUID_GROUP, number, t.guid), guid_make(GUID_VIEWPOINT, number, t.viewpoint);
    guid_make(GUID_COMMENT, number, t.comment);
    finish(s, f, &t);
    out->list[out->count++] = t;
}

/* What was found then and is gone: nothing is left to be looked at. */
static void add_resolved(const baseline *b, const cm_finding *one, topics *out) {
    const char *first = b->names[one->part_a], *second = b->names[one->part_b];
    topic *t = &out->list[out->count++];
    *t =
        (topic){.type = type_of(one), .status = topic_statuses[2], .priority = topic_priorities[2], .against = CM_NONE};
    t->title = title_of(one, base_name(first), base_name(second));
    t->description = format_text("%s and %s: resolved\nfindings: %016llx", first, second, (unsigned long long)one->id);
    guid_make(GUID_FINDING, one->id, t->guid);
}

void topics_make(const scene *s, const findings *f, topics *out) {
    char **names = short_names(s);
    const baseline *before = f->before;
    *out = (topics){.list = allocate(f->list.count + (before ? before->count : 0), sizeof *out->list)};
    for (uint32_t i = 0; f->groups && i < f->groups->list.count; i++)
        add_group(s, f, &f->groups->list.groups[i], names, out);
    for (uint32_t i = 0; i < f->list.count; i++) {
        const cm_finding *one = &f->list.findings[i];
        const bool gathered = f->groups && one->allowed == CM_NONE;
        if (!gathered && rules_look_for(f, one->kind)) add_single(s, f, i, names, out);
    }
    for (uint32_t i = 0; before && i < before->count; i++)
        if (!before->persists[i] && rules_look_for(f, before->findings[i].kind))
            add_resolved(before, &before->findings[i], out);
    for (uint32_t i = 0; i < s->part_count; i++) free(names[i]);
    free(names);
}

void topics_free(topics *t) {
    for (uint32_t i = 0; i < t->count; i++) {
        topic *one = &t->list[i];
        free(one->title), free(one->description), free(one->numbers), free(one->parts);
    }
    free(t->list);
    *t = (topics){.count = 0};
}
