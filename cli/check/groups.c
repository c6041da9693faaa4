/* Findings in groups, with labels: see groups.h. */
#include "check/groups.h"

#include "check/baseline.h"
#include "check/commands.h"
#include "common/text.h"

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

static int compare_labels(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The distinct labels in order, and for each part the number of its own. */
static uint32_t *number_labels(const scene *s, groups *g) {
    const char **sorted = allocate(s->part_count, sizeof *sorted);
    uint32_t *keys = allocate(s->part_count, sizeof *keys), count = 0;
    for (uint32_t i = 0; i < s->part_count; i++) sorted[i] = label_of(s, g->by, i);
    if (s->part_count > 1) qsort(sorted, s->part_count, sizeof *sorted, compare_labels);
    for (uint32_t i = 0; i < s->part_count; i++)
        if (count == 0 || strcmp(sorted[count - 1], sorted[i]) != 0) sorted[count++] = sorted[i];
    for (uint32_t i = 0; i < s->part_count; i++) {
        const char *label = label_of(s, g->by, i);
        const char **at = bsearch(&label, sorted, count, sizeof *sorted, compare_labels);
        keys[i] = (uint32_t)(at - sorted);
    }
    g->labels = allocate(count, sizeof *g->labels);
    for (g->label_count = 0; g->label_count < count; g->label_count++)
        g->labels[g->label_count] = copy_text(sorted[g->label_count]);
    free(sorted);
    return keys;
}

int groups_make(const scene *s, const char *by, const cm_check_result *found, groups *out) {
    *out = (groups){.by = by};
    uint32_t *keys = is_by_part(out) ? NULL : number_labels(s, out);
    const bool none = keys && s->part_count > 0 && out->label_count == 1 && strcmp(out->labels[0], "-") == 0;
    int code = 0;
    if (none) {
        code = complain(EXIT_INPUT, "--group: no part has a '%s' (carom info --format json lists what they have)", by);
    } else {
        const cm_status status = found->count < UINT32_MAX
                                     ? cm_check_group_findings(found->findings, (uint32_t)found->count, keys,
                                                               s->part_count, NULL, &out->list)
                                     : CM_LIMIT;
        if (status != CM_OK) code = complain(EXIT_INTERNAL, "grouping findings: %s", cm_status_text(status));
    }
    free(keys);
    return code;
}

void groups_free(groups *g) {
    for (uint32_t i = 0; i < g->label_count; i++) free(g->labels[i]);
    free(g->labels);
    cm_check_groups_destroy(&g->list, NULL);
    *g = (groups){.by = NULL};
}

char *group_side_a(const groups *g, const cm_check_group *one, char *const *names) {
    return copy_text(is_by_part(g) ? names[one->key_a] : g->labels[one->key_a]);
}

char *group_side_b(const groups *g, const cm_check_group *one, const cm_check_result *found, char *const *names) {
    if (!is_by_part(g)) return copy_text(g->labels[one->key_b]);
    const cm_finding *f = &found->findings[g->list.members[one->first]];
    if (one->count == 1) return copy_text(names[f->part_a == one->key_a ? f->part_b : f->part_a]);
    return format_text("%u parts", one->count);
}

char *group_remark(const findings *f, const groups *g, const cm_check_group *one) {
    uint32_t fresh = 0;
    for (uint32_t i = 0; i < one->count; i++)
        fresh += strcmp(baseline_status(f, g->list.members[one->first + i]), "new") == 0;
    if (fresh > 0) return format_text("%u finding%s, %u new", one->count, plural(one->count), fresh);
    return format_text("%u finding%s", one->count, plural(one->count));
}

json_t *groups_json(const scene *s, const groups *g) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < g->list.count; i++) {
        const cm_check_group *one = &g->list.groups[i];
        json_t *members = json_array();
        for (uint32_t k = 0; k < one->count; k++)
            json_array_append_new(members, json_integer((json_int_t)g->list.members[one->first + k]));
        const bool by_part = is_by_part(g);
        json_array_append_new(
            list, json_pack("{s:s, s:o, s:o}", "a", by_part ? s->parts[one->key_a].name : g->labels[one->key_a], "b",
                            by_part ? json_null() : json_string(g->labels[one->key_b]), "findings", members));
    }
    return json_pack("{s:s, s:o}", "by", g->by, "list", list);
}
