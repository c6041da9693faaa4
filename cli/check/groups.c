/* Findings in groups, with labels: see groups.h. */
#include "check/groups.h"

#include "check/baseline.h"
#include "check/commands.h"
#include "check/output.h"
#include "check/places.h"
#include "check/rules.h"
#include "common/suggest.h"
#include "common/text.h"
#include "common/units.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static bool is_by_part(const groups *g) { return strcmp(g->by, "part") == 0; }

/* What a part is grouped by; "-" where its file does not say. */
static const char *label_of(const scene *s, const char *by, uint32_t part) {
    const scene_part *p = &s->parts[part];
    if (strcmp(by, "file") == 0) return s->files[p->file].path;
    const char *text = part_property(s, p, by);
    return text && *text ? text : "-";
}

/* "hall/bolt_12:3" -> "bolt": the last component of a path, without the numbers behind it. free() it. */
static char *leaf_label(const char *path) {
    const size_t all = strlen(path);
    size_t start = all > 0 ? all - 1 : 0; /* a slash at the end belongs to the name */
    while (start > 0 && path[start - 1] != '/') start--;
    size_t end = all;
    for (;;) {
        size_t digits = end;
        while (digits > start && path[digits - 1] >= '0' && path[digits - 1] <= '9') digits--;
        if (digits == end) break;
        end = digits;
        while (digits > start && strchr(" _.:#-", path[digits - 1])) digits--;
        if (digits == end) continue; /* no separator: all digits are taken */
        end = digits;
    }
    if (end == start) end = all;
    return format_text("%.*s", (int)(end - start), path + start);
}

static int compare_labels(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The distinct ones of so many texts in order, as the labels; the number of each of them. */
static uint32_t *number_labels(const char *const *texts, uint32_t count, groups *g) {
    const char **sorted = allocate(count, sizeof *sorted);
    uint32_t *keys = allocate(count, sizeof *keys), labels = 0;
    if (count > 0) memcpy(sorted, texts, count * sizeof *sorted);
    if (count > 1) qsort(sorted, count, sizeof *sorted, compare_labels);
    for (uint32_t i = 0; i < count; i++)
        if (labels == 0 || strcmp(sorted[labels - 1], sorted[i]) != 0) sorted[labels++] = sorted[i];
    for (uint32_t i = 0; i < count; i++) {
        const char **at = bsearch(&texts[i], sorted, labels, sizeof *sorted, compare_labels);
        keys[i] = (uint32_t)(at - sorted);
    }
    g->labels = allocate(labels, sizeof *g->labels);
    for (g->label_count = 0; g->label_count < labels; g->label_count++)
        g->labels[g->label_count] = copy_text(sorted[g->label_count]);
    free(sorted);
    return keys;
}

static uint32_t *keys_of_parts(const scene *s, groups *g) {
    const bool leaf = strcmp(g->by, "leaf") == 0;
    const char **texts = allocate(s->part_count, sizeof *texts);
    for (uint32_t i = 0; i < s->part_count; i++) texts[i] = leaf ? leaf_label(s->parts[i].name) : label_of(s, g->by, i);
    uint32_t *keys = number_labels(texts, s->part_count, g);
    for (uint32_t i = 0; i < s->part_count && leaf; i++) free((char *)texts[i]);
    free(texts);
    return keys;
}

static uint32_t *keys_of_tests(const findings *found, groups *g) {
    const uint32_t count = (uint32_t)found->list.count;
    const char **texts = allocate(count, sizeof *texts);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = rules_test_name(found, i);
        texts[i] = *name ? name : "-";
    }
    uint32_t *keys = number_labels(texts, count, g);
    free(texts);
    return keys;
}

static uint32_t *keys_of_places(const scene *s, const findings *found, groups *g) {
    cm_aabb box;
    const double size = scene_bounds(s, &box);
    const show_unit unit = unit_to_show(size);
    uint32_t *keys = allocate(found->list.count, sizeof *keys);
    g->label_count = find_places(s, &found->list, keys, &g->middles);
    g->labels = allocate(g->label_count, sizeof *g->labels);
    for (uint32_t i = 0; i < g->label_count; i++) {
        char *middle = place_text(g->middles[i], unit, size);
        g->labels[i] = format_text("around %s %s", middle, unit.name);
        free(middle);
    }
    return keys;
}

/* Groups by a key of each finding: as if each were of one part, that of its key, with itself. */
static cm_status group_by_finding(const cm_check_result *found, const uint32_t *keys, groups *out) {
    cm_finding *list = allocate(found->count, sizeof *list);
    uint32_t *same = allocate(out->label_count + 1u, sizeof *same);
    for (size_t i = 0; i < found->count; i++) {
        const uint32_t allowed = found->findings[i].allowed, key = allowed == CM_NONE ? keys[i] : 0;
        list[i] = (cm_finding){.part_a = key, .part_b = key, .allowed = allowed};
    }
    for (uint32_t i = 0; i < out->label_count; i++) same[i] = i;
    const cm_status status =
        cm_check_group_findings(list, (uint32_t)found->count, same, out->label_count + 1u, NULL, &out->list);
    free(same);
    free(list);
    return status;
}

/* A key that no part has, and one like it, if any: a word of --group, or what the files say of parts. */
static int say_no_key(const scene *s, const char *by) {
    static const char *const words[] = {"part", "file", "leaf", "test", "place"};
    enum { WORDS = sizeof words / sizeof *words };
    size_t count = WORDS;
    for (uint32_t i = 0; i < s->file_count; i++) count += s->files[i].facts.property_count;
    const char **names = allocate(count, sizeof *names);
    memcpy(names, words, sizeof words);
    count = WORDS;
    for (uint32_t i = 0; i < s->file_count; i++)
        for (uint32_t k = 0; k < s->files[i].facts.property_count; k++)
            names[count++] = s->files[i].facts.properties[k].key;
    char hint[80];
    suggest(by, names, count, hint, sizeof hint);
    free(names);
    return complain(EXIT_INPUT, "--group: no part has a '%s'%s", by,
                    *hint ? hint : " (carom info --format json lists what they have)");
}

/* Labels that tell nothing: of a key that no part has, or of tests without names. */
static int check_labels(const scene *s, const groups *g) {
    if (g->label_count != 1 || strcmp(g->labels[0], "-") != 0) return 0;
    if (strcmp(g->by, "test") == 0)
        return complain(EXIT_INPUT,
                        "--group test: the test has no name (--rules names tests, as do several --between)");
    if (s->part_count == 0 || strcmp(g->by, "leaf") == 0) return 0;
    return say_no_key(s, g->by);
}

int groups_make(const scene *s, const char *by, const findings *found, groups *out) {
    const cm_check_result *list = &found->list;
    *out = (groups){.by = by};
    if (list->count >= UINT32_MAX) return complain(EXIT_INTERNAL, "grouping findings: %s", cm_status_text(CM_LIMIT));
    const bool tests = strcmp(by, "test") == 0, places = strcmp(by, "place") == 0;
    out->single = tests || places;
    uint32_t *keys = tests             ? keys_of_tests(found, out)
                     : places          ? keys_of_places(s, found, out)
                     : is_by_part(out) ? NULL
                                       : keys_of_parts(s, out);
    int code = check_labels(s, out);
    if (code == 0) {
        const cm_status status = out->single ? group_by_finding(list, keys, out)
                                             : cm_check_group_findings(list->findings, (uint32_t)list->count, keys,
                                                                       s->part_count, NULL, &out->list);
        if (status != CM_OK) code = complain(EXIT_INTERNAL, "grouping findings: %s", cm_status_text(status));
    }
    free(keys);
    return code;
}

void groups_free(groups *g) {
    for (uint32_t i = 0; i < g->label_count; i++) free(g->labels[i]);
    free(g->labels);
    free(g->middles);
    cm_check_groups_destroy(&g->list, NULL);
    *g = (groups){.by = NULL};
}

char *group_side_a(const groups *g, const cm_check_group *one, char *const *names) {
    return copy_text(is_by_part(g) ? names[one->key_a] : g->labels[one->key_a]);
}

char *group_side_b(const groups *g, const cm_check_group *one, const cm_check_result *found, char *const *names) {
    if (!is_by_part(g)) return copy_text(g->single ? "" : g->labels[one->key_b]);
    const cm_finding *f = &found->findings[g->list.members[one->first]];
    if (one->count == 1) return copy_text(names[f->part_a == one->key_a ? f->part_b : f->part_a]);
    return format_text("%u parts", one->count);
}

uint32_t group_asked_for(const findings *f, const groups *g, const cm_check_group *one) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < one->count; i++)
        count += rules_look_for(f, f->list.findings[g->list.members[one->first + i]].kind);
    return count;
}

char *group_remark(const findings *f, const groups *g, const cm_check_group *one) {
    const uint32_t listed = group_asked_for(f, g, one), touching = one->count - listed;
    uint32_t fresh = 0;
    for (uint32_t i = 0; i < one->count; i++)
        fresh += strcmp(baseline_status(f, g->list.members[one->first + i]), "new") == 0;
    text_buffer t = {0};
    text_add(&t, "%u finding%s", listed, plural(listed));
    if (touching > 0) text_add(&t, ", %u touching", touching);
    if (fresh > 0) text_add(&t, ", %u new", fresh);
    return t.bytes;
}

json_t *groups_json(const scene *s, const groups *g) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < g->list.count; i++) {
        const cm_check_group *one = &g->list.groups[i];
        json_t *members = json_array();
        for (uint32_t k = 0; k < one->count; k++)
            json_array_append_new(members, json_integer((json_int_t)g->list.members[one->first + k]));
        const bool by_part = is_by_part(g);
        json_t *group =
            json_pack("{s:s, s:o, s:o}", "a", by_part ? s->parts[one->key_a].name : g->labels[one->key_a], "b",
                      by_part || g->single ? json_null() : json_string(g->labels[one->key_b]), "findings", members);
        if (g->middles) json_object_set_new(group, "center", json_point(g->middles[one->key_a]));
        json_array_append_new(list, group);
    }
    return json_pack("{s:s, s:o}", "by", g->by, "list", list);
}
