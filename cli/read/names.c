/* The names of parts: see names.h. */
#include "read/names.h"

#include "common/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- each name once ---------------------------------------------------------------------------------------------- */

typedef struct name_entry {
    char *name;
    uint32_t times;
} name_entry;

/* The slot of a name, or the free one where it belongs. */
static name_entry *find_slot(name_entry *entries, size_t capacity, const char *name) {
    const uint64_t hash = hash_text(TEXT_HASH, name);
    size_t at = (size_t)(hash ^ (hash >> 29)) & (capacity - 1);
    while (entries[at].name && strcmp(entries[at].name, name) != 0) at = (at + 1) & (capacity - 1);
    return &entries[at];
}

static name_entry *enter(name_set *set, const char *name) {
    if (2 * (set->used + 1) > set->capacity) {
        size_t capacity = set->capacity > 0 ? 2 * set->capacity : 256;
        name_entry *entries = allocate(capacity, sizeof *entries);
        for (size_t i = 0; i < set->capacity; i++)
            if (set->entries[i].name) *find_slot(entries, capacity, set->entries[i].name) = set->entries[i];
        free(set->entries);
        set->entries = entries, set->capacity = capacity;
    }
    name_entry *slot = find_slot(set->entries, set->capacity, name);
    if (!slot->name) {
        slot->name = copy_text(name);
        set->used++;
    }
    slot->times++;
    return slot;
}

static bool has_name(const name_set *set, const char *name) {
    return set && set->capacity > 0 && find_slot(set->entries, set->capacity, name)->name;
}

char *name_set_add(name_set *set, char *name) {
    uint32_t times = enter(set, name)->times;
    if (times == 1) return name;
    for (;; times++) {
        char *numbered = format_text("%s#%u", name, times);
        if (!has_name(set->apart, numbered) && enter(set, numbered)->times == 1) {
            /* the next of this name starts after this number */
            find_slot(set->entries, set->capacity, name)->times = times;
            free(name);
            return numbered;
        }
        free(numbered);
    }
}

void name_set_free(name_set *set) {
    for (size_t i = 0; i < set->capacity; i++) free(set->entries[i].name);
    free(set->entries);
    *set = (name_set){0};
}

/* --- paths ------------------------------------------------------------------------------------------------------- */

/* A path is no longer than this many nodes, or bytes: nested names of a megabyte each would make it quadratic. */
enum { MOST_ANCESTORS = 64, MOST_BYTES = 4096 };

/* Cuts a text that is too long, between characters. */
static char *clip_name(char *name) {
    size_t length = strlen(name);
    if (length <= MOST_BYTES) return name;
    length = MOST_BYTES - 3;
    while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80) length--;
    memcpy(name + length, "...", 4);
    return name;
}

static bool is_number_in(const char *text, const char *prefix, const char *suffix) {
    size_t n = strlen(prefix);
    if (strncmp(text, prefix, n) != 0 || !isdigit((unsigned char)text[n])) return false;
    while (isdigit((unsigned char)text[n])) n++;
    return strcmp(text + n, suffix) == 0;
}

/* Of other formats a name in brackets may be one that Assimp gives, such as "<RawRoot>"; of these it is the file's. */
static bool keeps_brackets(const char *format) {
    static const char *const formats[] = {"Wavefront", "Collada", "FBX", "3mf"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strstr(format, formats[i])) return true;
    return false;
}

/* Names that stand in no file: the importer's own. */
static bool is_nameless(const import_data *data, const char *name) {
    const size_t length = strlen(name);
    const bool in_brackets = length > 0 && name[0] == '<' && name[length - 1] == '>';
    if (length == 0) return true;
    if (in_brackets && data->importers_names && strstr(data->format, "(STL)")) return strncmp(name, "<STL_", 5) == 0;
    if (in_brackets && data->importers_names && !keeps_brackets(data->format)) return true;
    if (strstr(data->format, "FBX")) return strstr(name, "_$AssimpFbx$_") != NULL;
    if (strstr(data->format, "Wavefront"))
        return strcmp(name, "defaultobject") == 0 || is_number_in(name, "defaultobject#", "");
    return false;
}

/* A name as a component of a path: a slash in it ("M8x1/2") would be taken for the end of one. In an OBJ, which has no
 * tree, names are paths. Takes over `name`. */
static char *as_component(const import_data *data, char *name) {
    if (strstr(data->format, "Wavefront")) return name;
    for (char *at = name; (at = strchr(at, '/')); at++) *at = '_';
    return name;
}

/* The name that the meshes of a node share: of "rod-0", "rod-1" it is "rod". free() it. */
static char *shared_mesh_name(const import_data *data, const import_node *node) {
    const uint32_t *refs = data->mesh_refs + node->first_mesh;
    const char *first = node->mesh_count > 0 ? data->meshes[refs[0]].name : "";
    if (is_nameless(data, first)) return copy_text("");
    if (node->mesh_count == 1) return copy_text(first);
    const char *dash = strrchr(first, '-');
    size_t length = dash && is_number_in(dash, "-", "") ? (size_t)(dash - first) : strlen(first);
    for (uint32_t i = 1; i < node->mesh_count; i++) {
        const char *name = data->meshes[refs[i]].name;
        bool same = strncmp(name, first, length) == 0 && (!name[length] || is_number_in(name + length, "-", ""));
        if (!same) return copy_text("");
    }
    char *shared = copy_text(first);
    shared[length] = 0;
    return shared;
}

char *node_path(const import_data *data, uint32_t node) {
    const import_node *own = &data->nodes[node];
    char *path = clip_name(is_nameless(data, own->name) ? shared_mesh_name(data, own) : copy_text(own->name));
    path = as_component(data, path);
    int steps = 0;
    for (uint32_t at = own->parent; at != IMPORT_NONE && data->nodes[at].parent != IMPORT_NONE;
         at = data->nodes[at].parent) {
        const char *name = data->nodes[at].name;
        bool too_deep = ++steps > MOST_ANCESTORS || strlen(path) + strlen(name) > MOST_BYTES;
        if (!too_deep && is_nameless(data, name)) continue;
        char *above = as_component(data, copy_text(too_deep ? "..." : name));
        char *longer = format_text("%s%s%s", above, *path ? "/" : "", path);
        free(above), free(path);
        path = longer;
        if (too_deep) break;
    }
    return path;
}

char *mesh_label(const import_data *data, uint32_t node, uint32_t which) {
    const char *name = data->meshes[data->mesh_refs[data->nodes[node].first_mesh + which]].name;
    return is_nameless(data, name) ? format_text("mesh%u", which + 1) : as_component(data, copy_text(name));
}
