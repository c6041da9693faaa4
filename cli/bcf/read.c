/* What other tools say of topics: see bcf.h. Read are bcf.version, each topic's markup, and its viewpoints where only
 * they tell what it is about. Pictures and documents are not looked at. */
#include "bcf/bcf.h"

#include "bcf/guid.h"
#include "common/archive.h"
#include "common/text.h"
#include "common/xml.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool ends_with(const char *text, const char *end) {
    const size_t length = strlen(text), n = strlen(end);
    return length >= n && strcasecmp(text + length - n, end) == 0;
}

/* In capitals, too, as systems write them that know no difference. */
static bool is_read(const char *name) {
    return strcasecmp(name, "bcf.version") == 0 || ends_with(name, "/markup.bcf") || ends_with(name, ".bcfv");
}

/* The text of a child element; "" where there is none. free() it. */
static char *child_text(xml_file *file, const xmlNode *parent, const char *name) {
    return xml_text(xml_child(file, parent, name));
}

/* --- which findings ---------------------------------------------------------------------------------------------- */

static void add_finding(bcf_topic *t, uint64_t id) {
    size_t capacity = t->finding_count;
    t->findings = grow(t->findings, capacity, &capacity, sizeof *t->findings);
    t->findings[t->finding_count++] = id;
}

/* The ids at the end of a description of ours, behind the last "findings:". */
static void take_listed(bcf_topic *t, const char *description) {
    static const char word[] = "findings:";
    const char *at = NULL;
    for (const char *found = description; (found = strstr(found, word)); found += sizeof word - 1)
        at = found + sizeof word - 1;
    for (; at && *at == ' '; at += 16) {
        at += strspn(at, " ");
        if (strspn(at, "0123456789abcdef") != 16) break;
        add_finding(t, strtoull(at, NULL, 16));
    }
}

/* GlobalIds of components, of which two are kept. */
typedef struct id_pair {
    char ids[2][24];
    int count; /* of different ones; 3 = more than two */
} id_pair;

static void take_component(const xmlNode *node, id_pair *out) {
    xmlChar *value = xmlGetNoNsProp(node, (const xmlChar *)"IfcGuid");
    const char *id = value ? (const char *)value : "";
    bool known = !is_global_id(id);
    for (int i = 0; i < out->count && i < 2 && !known; i++) known = strcmp(out->ids[i], id) == 0;
    if (!known && out->count < 2) snprintf(out->ids[out->count], sizeof out->ids[0], "%s", id);
    if (!known && out->count < 3) out->count++;
    xmlFree(value);
}

/* Those that are selected; as 2.0 has it, components that say so themselves. */
static void take_selected(const xmlNode *components, id_pair *out) {
    for (const xmlNode *node = xml_first(components); node; node = xml_after(node)) {
        if (xml_is(node, "Selection"))
            for (const xmlNode *one = xml_first(node); one; one = xml_after(one)) take_component(one, out);
        xmlChar *selected = xmlGetNoNsProp(node, (const xmlChar *)"Selected");
        if (xml_is(node, "Component") && selected && strcmp((const char *)selected, "true") == 0)
            take_component(node, out);
        xmlFree(selected);
    }
}

/* All that have a color, at any depth that the versions have. */
static void take_colored(const xmlNode *node, int depth, id_pair *out) {
    for (const xmlNode *one = xml_first(node); one && depth < 4; one = xml_after(one)) {
        if (xml_is(one, "Component")) take_component(one, out);
        if (xml_is(one, "Color") || xml_is(one, "Components")) take_colored(one, depth + 1, out);
    }
}

static int read_viewpoint(const char *path, const archive_entry *entry, id_pair *selected, id_pair *colored) {
    char *place = format_text("%s: %s", path, entry->name);
    xml_file file;
    if (xml_parse(place, entry->bytes, entry->size, "VisualizationInfo", &file) == 0) {
        const xmlNode *components = xml_child(&file, file.root, "Components");
        if (components) {
            take_selected(components, selected);
            const xmlNode *coloring = xml_child(&file, components, "Coloring");
            if (coloring) take_colored(coloring, 0, colored);
        }
    }
    xml_close(&file);
    free(place);
    return file.code;
}

/* What all viewpoints in the topic's folder select together; else what they color. The entries are in the order of
 * their names, so that those of a folder stand together. */
static int find_pair(const char *path, const archive *zip, size_t markup, bcf_topic *t) {
    const char *name = zip->entries[markup].name;
    const size_t folder = (size_t)(base_name(name) - name);
    id_pair selected = {.count = 0}, colored = {.count = 0};
    size_t at = markup;
    while (at > 0 && strncmp(zip->entries[at - 1].name, name, folder) == 0) at--;
    for (; at < zip->count && strncmp(zip->entries[at].name, name, folder) == 0; at++) {
        const int code = ends_with(zip->entries[at].name, ".bcfv")
                             ? read_viewpoint(path, &zip->entries[at], &selected, &colored)
                             : 0;
        if (code != 0) return code;
    }
    const id_pair *both = selected.count == 2 ? &selected : &colored;
    if (both->count == 2 && selected.count <= 2) t->id_a = copy_text(both->ids[0]), t->id_b = copy_text(both->ids[1]);
    return 0;
}

/* --- what is said ------------------------------------------------------------------------------------------------ */

/* Of what has been modified the later author and date. Takes over both texts. */
static void take_later(xml_file *file, const xmlNode *node, const char *prefix, char **author, char **date) {
    char names[2][32];
    snprintf(names[0], sizeof names[0], "%sAuthor", prefix), snprintf(names[1], sizeof names[1], "%sDate", prefix);
    char *later[2] = {child_text(file, node, names[0]), child_text(file, node, names[1])}, **out[2] = {author, date};
    for (int i = 0; i < 2; i++) {
        if (*later[i]) {
            free(*out[i]);
            *out[i] = later[i];
        } else {
            free(later[i]);
        }
    }
}

/* Dates are of one form, so that their texts are in order; of equal ones the last counts. */
static void read_comment(xml_file *file, const xmlNode *node, bcf_topic *t, char **latest) {
    char *text = child_text(file, node, "Comment"), *author = copy_text(""), *date = copy_text("");
    take_later(file, node, "", &author, &date);
    take_later(file, node, "Modified", &author, &date);
    if (*text && (!*latest || strcmp(date, *latest) >= 0)) {
        free(t->comment), free(t->author), free(t->date), free(*latest);
        t->comment = text, t->author = author, t->date = date, *latest = copy_text(date);
    } else {
        free(text), free(author), free(date);
    }
}

static void read_comments(xml_file *file, const xmlNode *topic, bcf_topic *t) {
    char *latest = NULL;
    const xmlNode *list = xml_child(file, topic, "Comments"), *parents[2] = {file->root, list};
    for (int i = 0; i < 2; i++)
        for (const xmlNode *node = parents[i] ? xml_first(parents[i]) : NULL; node; node = xml_after(node))
            if (xml_is(node, "Comment")) read_comment(file, node, t, &latest);
    free(latest);
}

static char *attribute_text(xml_file *file, const xmlNode *node, const char *name) {
    char *text = xml_attribute(file, node, name, false);
    return text ? text : copy_text("");
}

static int read_topic(const char *path, const archive *zip, size_t markup, bcf_topic *t) {
    const archive_entry *entry = &zip->entries[markup];
    char *place = format_text("%s: %s", path, entry->name);
    xml_file file;
    xml_parse(place, entry->bytes, entry->size, "Markup", &file);
    const xmlNode *topic = file.code == 0 ? xml_child(&file, file.root, "Topic") : NULL;
    if (file.code == 0 && !topic) xml_bad(&file, file.root, "has no <Topic>");
    if (topic && file.code == 0) {
        t->guid = xml_attribute(&file, topic, "Guid", true);
        t->status = attribute_text(&file, topic, "TopicStatus");
        t->title = child_text(&file, topic, "Title");
        take_later(&file, topic, "Creation", &t->author, &t->date);
        take_later(&file, topic, "Modified", &t->author, &t->date);
        read_comments(&file, topic, t);
        const uint64_t own = t->guid ? guid_number(GUID_FINDING, t->guid) : 0;
        char *description = child_text(&file, topic, "Description");
        if (own)
            add_finding(t, own);
        else
            take_listed(t, description);
        free(description);
    }
    const int code = file.code;
    xml_close(&file);
    free(place);
    return code == 0 && t->finding_count == 0 ? find_pair(path, zip, markup, t) : code;
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

/* A file without one is taken for a BCF where it has topics: some programs leave it out. */
static int read_version(const char *path, const archive *zip) {
    bool topics = false;
    for (size_t i = 0; i < zip->count; i++) {
        topics |= ends_with(zip->entries[i].name, "/markup.bcf");
        if (strcasecmp(zip->entries[i].name, "bcf.version") != 0) continue;
        char *place = format_text("%s: bcf.version", path);
        xml_file file;
        if (xml_parse(place, zip->entries[i].bytes, zip->entries[i].size, "Version", &file) == 0) {
            char *version = xml_attribute(&file, file.root, "VersionId", true);
            if (version && strcmp(version, "2.0") != 0 && strcmp(version, "2.1") != 0 && strcmp(version, "3.0") != 0)
                xml_bad(&file, file.root, "is BCF '%.40s': 2.0, 2.1 and 3.0 are read", version);
            free(version);
        }
        xml_close(&file);
        free(place);
        return file.code;
    }
    return topics ? 0 : complain(EXIT_INPUT, "%s: has neither a bcf.version nor topics, and so is no BCF", path);
}

static int compare_names(const void *a, const void *b) {
    return strcmp(((const archive_entry *)a)->name, ((const archive_entry *)b)->name);
}

/* Each viewpoint belongs to a topic. Where the markup beside it is gone, or bears another name, the archive is damaged,
 * and what was said of the topic would be lost without a word. */
static int find_markups(const char *path, const archive *zip) {
    for (size_t i = 0; i < zip->count; i++) {
        const char *name = zip->entries[i].name, *slash = strrchr(name, '/');
        if (!slash || !ends_with(name, ".bcfv")) continue;
        archive_entry markup = {.name = format_text("%.*s/markup.bcf", (int)(slash - name), name)};
        const bool found = bsearch(&markup, zip->entries, zip->count, sizeof *zip->entries, compare_names);
        free(markup.name);
        if (!found) return complain(EXIT_INPUT, "%s: is damaged: %s has no markup.bcf beside it", path, name);
    }
    return 0;
}

/* Of the file, not of the folders. */
static void small_letters(char *name) {
    const char *slash = strrchr(name, '/');
    for (char *at = slash ? name + (slash - name) : name; *at; at++)
        if (*at >= 'A' && *at <= 'Z') *at = (char)(*at - 'A' + 'a');
}

bool bcf_is_archive(const char *path) {
    char head[4] = {0};
    FILE *file = fopen(path, "rb");
    const bool whole = file && fread(head, 1, sizeof head, file) == sizeof head;
    if (file) fclose(file);
    return whole && (memcmp(head, "PK\3\4", 4) == 0 || memcmp(head, "PK\5\6", 4) == 0);
}

int bcf_read(const char *path, bcf_topics *out) {
    archive zip;
    *out = (bcf_topics){.count = 0};
    int code = archive_read(path, is_read, &zip);
    if (code == 0) code = read_version(path, &zip);
    for (size_t i = 0; i < zip.count; i++) small_letters(zip.entries[i].name);
    if (zip.count > 1) qsort(zip.entries, zip.count, sizeof *zip.entries, compare_names);
    if (code == 0) code = find_markups(path, &zip);
    out->list = allocate(zip.count, sizeof *out->list);
    for (size_t i = 0; i < zip.count && code == 0; i++) {
        if (!ends_with(zip.entries[i].name, "/markup.bcf")) continue;
        bcf_topic *t = &out->list[out->count++];
        t->comment = copy_text(""), t->author = copy_text(""), t->date = copy_text("");
        code = read_topic(path, &zip, i, t);
    }
    archive_free(&zip);
    return code;
}

void bcf_topics_free(bcf_topics *t) {
    for (size_t i = 0; i < t->count; i++) {
        bcf_topic *one = &t->list[i];
        free(one->guid), free(one->title), free(one->status), free(one->findings), free(one->id_a), free(one->id_b);
        free(one->comment), free(one->author), free(one->date);
    }
    free(t->list);
    *t = (bcf_topics){.count = 0};
}
