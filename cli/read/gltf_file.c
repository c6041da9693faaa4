/* A glTF file: its JSON and its extensions. See gltf_file.h. The buffers are in gltf_buffer.c. */
#define _DEFAULT_SOURCE
#include "read/gltf_file.h"

#include "common/encoding.h"
#include "read/gltf_disk.h"
#include "read/gltf_draco.h"
#include "read/import.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- what is said ------------------------------------------------------------------------------------------------- */

enum { LINE = 400 };

void gltf_note(gltf_file *f, const char *format, ...) {
    char line[LINE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    sink_text(f->out, IMPORT_NOTE, line);
}

void gltf_refuse(gltf_file *f, const char *format, ...) {
    char line[LINE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    sink_refuse(f->out, line);
}

void *gltf_room(size_t count, size_t size) {
    if (count > SIZE_MAX / 2 / size) {
        fputs("out of memory\n", stderr);
        _exit(5);
    }
    return allocate(count, size);
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static json_t *list_of(gltf_file *f, const char *list) {
    json_t *all = json_object_get(f->root, list);
    if (all && !json_is_array(all)) gltf_refuse(f, "%s is no list", list);
    return all;
}

uint32_t gltf_count(gltf_file *f, const char *list) {
    size_t count = json_array_size(list_of(f, list));
    if (count >= GLTF_NONE) gltf_refuse(f, "%s has too many entries", list);
    return (uint32_t)count;
}

gltf_item gltf_get(gltf_file *f, const char *list, uint32_t index) {
    gltf_item item = {json_array_get(list_of(f, list), index), list, index};
    if (!json_is_object(item.json)) gltf_refuse(f, "there is no %s[%u]", list, index);
    return item;
}

/* "nodes[3]", or what stands alone. */
static const char *name_of(gltf_item item) {
    static char name[64];
    if (item.index == GLTF_NONE) return item.list;
    snprintf(name, sizeof name, "%s[%u]", item.list, item.index);
    return name;
}

static _Noreturn void refuse_member(gltf_file *f, gltf_item item, const char *key, const char *what) {
    gltf_refuse(f, "%s: its %s is not %s", name_of(item), key, what);
}

gltf_item gltf_child_of(gltf_file *f, gltf_item item, const char *key) {
    gltf_item child = {json_object_get(item.json, key), item.list, item.index};
    if (child.json && !json_is_object(child.json)) refuse_member(f, item, key, "an object");
    return child;
}

gltf_item gltf_extension(gltf_file *f, gltf_item item, const char *name) {
    return gltf_child_of(f, gltf_child_of(f, item, "extensions"), name);
}

json_t *gltf_array(gltf_file *f, gltf_item item, const char *key) {
    json_t *all = json_object_get(item.json, key);
    if (all && !json_is_array(all)) refuse_member(f, item, key, "a list");
    return all;
}

const char *gltf_text(gltf_file *f, gltf_item item, const char *key) {
    json_t *text = json_object_get(item.json, key);
    if (text && !json_is_string(text)) refuse_member(f, item, key, "a text");
    return text ? json_string_value(text) : "";
}

double gltf_number(gltf_file *f, gltf_item item, const char *key, double otherwise) {
    json_t *number = json_object_get(item.json, key);
    if (number && !json_is_number(number)) refuse_member(f, item, key, "a number");
    return number ? json_number_value(number) : otherwise;
}

bool gltf_numbers(gltf_file *f, gltf_item item, const char *key, double *out, size_t count) {
    json_t *all = gltf_array(f, item, key);
    if (!all) return false;
    if (json_array_size(all) != count) gltf_refuse(f, "%s: its %s has not %zu numbers", name_of(item), key, count);
    for (size_t i = 0; i < count; i++) {
        if (!json_is_number(json_array_get(all, i))) refuse_member(f, item, key, "a list of numbers");
        out[i] = json_number_value(json_array_get(all, i));
    }
    return true;
}

static bool is_whole(const json_t *number, double limit) {
    double value = json_number_value(number);
    return json_is_number(number) && value >= 0 && value < limit && floor(value) == value;
}

uint64_t gltf_size(gltf_file *f, gltf_item item, const char *key, uint64_t otherwise) {
    json_t *number = json_object_get(item.json, key);
    if (!number) return otherwise;
    if (!is_whole(number, 9007199254740992.0)) refuse_member(f, item, key, "a size");
    return (uint64_t)json_number_value(number);
}

uint32_t gltf_index_in(gltf_file *f, gltf_item item, const json_t *entry, const char *key, uint32_t limit) {
    if (!is_whole(entry, limit)) gltf_refuse(f, "%s: its %s names something that does not exist", name_of(item), key);
    return (uint32_t)json_number_value(entry);
}

uint32_t gltf_index(gltf_file *f, gltf_item item, const char *key, const char *list) {
    json_t *entry = json_object_get(item.json, key);
    return entry ? gltf_index_in(f, item, entry, key, gltf_count(f, list)) : GLTF_NONE;
}

/* --- extensions --------------------------------------------------------------------------------------------------- */

static bool begins_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

/* Extensions that change no triangle, or that are read. */
static bool is_understood(const char *name) {
    static const char *const starts[] = {"KHR_materials_", "KHR_texture_", "EXT_texture_",
                                         "MSFT_texture_",  "KHR_lights_",  "EXT_lights_",
                                         "KHR_xmp",        "KHR_audio",    "GOOGLE_texture_"};
    static const char *const names[] = {"KHR_mesh_quantization",
                                        "EXT_meshopt_compression",
                                        "KHR_meshopt_compression",
                                        "KHR_draco_mesh_compression",
                                        "EXT_mesh_gpu_instancing",
                                        "KHR_animation_pointer",
                                        "KHR_node_visibility",
                                        "KHR_node_selectability",
                                        "KHR_node_hoverability",
                                        "KHR_techniques_webgl",
                                        "MSFT_packing_normalRoughnessMetallic",
                                        "MSFT_packing_occlusionRoughnessMetallic",
                                        "EXT_mesh_features",
                                        "EXT_structural_metadata",
                                        "EXT_instance_features"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (begins_with(name, starts[i])) return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static const char *extension_name(gltf_file *f, const char *list, uint32_t i) {
    const char *name = json_string_value(json_array_get(list_of(f, list), i));
    if (!name) gltf_refuse(f, "%s holds something that is no name", list);
    return name;
}

static void check_extensions(gltf_file *f) {
    for (uint32_t i = 0; i < gltf_count(f, "extensionsRequired"); i++) {
        const char *name = extension_name(f, "extensionsRequired", i);
        if (!is_understood(name)) gltf_refuse(f, "it requires the extension %s, which is not known here", name);
    }
    for (uint32_t i = 0; i < gltf_count(f, "extensionsUsed"); i++) {
        const char *name = extension_name(f, "extensionsUsed", i);
        if (!is_understood(name))
            gltf_note(f, "the extension %s is not known here: read without it, as the file allows", name);
    }
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

static uint32_t little_endian(const unsigned char *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* The chunks of a .glb. */
static gltf_bytes take_apart(gltf_file *f, gltf_bytes whole) {
    gltf_bytes text = {NULL, 0};
    if (whole.size < 12) gltf_refuse(f, "the file is cut off");
    uint32_t version = little_endian(whole.bytes + 4), length = little_endian(whole.bytes + 8);
    if (version != 2) gltf_refuse(f, "it is glTF %u; 2.0 is read", version);
    if (length < 12 || length > whole.size)
        gltf_refuse(f, "the file is cut off: %zu of %u bytes are there", whole.size, length);
    for (size_t at = 12, number = 0; length - at >= 8; number++) {
        size_t size = little_endian(whole.bytes + at);
        uint32_t kind = little_endian(whole.bytes + at + 4);
        at += 8;
        if (size > length - at) gltf_refuse(f, "chunk %zu of the file is cut off", number);
        if (number == 0 && kind == 0x4e4f534a) text = (gltf_bytes){whole.bytes + at, size};
        if (number == 1 && kind == 0x004e4942) f->binary = (gltf_bytes){whole.bytes + at, size};
        at += size;
    }
    if (!text.bytes) gltf_refuse(f, "its first chunk is not JSON");
    return text;
}

static void parse(gltf_file *f, gltf_bytes text) {
    json_error_t error;
    const size_t flags = JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL;
    const size_t mark = utf8_mark((const char *)text.bytes, text.size);
    text.bytes += mark, text.size -= mark;
    size_t narrow_size;
    char *narrow = utf8_of_wide((const char *)text.bytes, text.size, &narrow_size);
    if (narrow) text = (gltf_bytes){(unsigned char *)narrow, narrow_size}; /* until the process ends */
    while (text.size > 0 && text.bytes[text.size - 1] == 0) text.size--;   /* some pad their chunk so */
    f->root = json_loadb((const char *)text.bytes, text.size, flags, &error);
    if (!f->root && json_error_code(&error) == json_error_invalid_utf8) {
        for (size_t i = 0; i < text.size; i++)
            if (text.bytes[i] >= 128) text.bytes[i] = '?';
        f->root = json_loadb((const char *)text.bytes, text.size, flags, &error);
        gltf_note(f, "its text is not UTF-8: letters beyond ASCII became question marks");
    }
    if (!f->root && error.line < 0) { /* it has no place, and no text */
        fputs("out of memory\n", stderr);
        _exit(5);
    }
    if (!f->root) gltf_refuse(f, "its JSON is wrong: %s (line %d, column %d)", error.text, error.line, error.column);
    if (!json_is_object(f->root)) gltf_refuse(f, "its JSON is no object");
}

static void check_version(gltf_file *f) {
    gltf_item root = {f->root, "the file", GLTF_NONE}, asset = gltf_child_of(f, root, "asset");
    if (!asset.json) gltf_refuse(f, "it has no asset: it is no glTF 2.0");
    const char *version = gltf_text(f, asset, "version"), *least = gltf_text(f, asset, "minVersion");
    if (!begins_with(version, "2."))
        gltf_refuse(f, "it is glTF %.20s; 2.0 is read", *version ? version : "of no version");
    if (*least && strcmp(least, "2.0") != 0) gltf_refuse(f, "it needs a reader of glTF %.20s; 2.0 is read", least);
}

void gltf_open(gltf_file *f, const char *path, sink *out) {
    *f = (gltf_file){.path = path, .out = out};
    gltf_bytes whole = gltf_read_file(f, path, path, "the file");
    f->held = (double)whole.size;
    bool binary = whole.size >= 4 && memcmp(whole.bytes, "glTF", 4) == 0;
    /* Points are single precision in the file, places are decimal numbers. */
    const sink_facts facts = {1, 1, 'y', 'y', IMPORT_SINGLE_POINTS};
    sink_meta(out, &facts, binary ? "glTF 2.0, binary" : "glTF 2.0"); /* before anything of the file can be refused */
    parse(f, binary ? take_apart(f, whole) : whole);
    check_version(f);
    check_extensions(f);
    f->buffers = gltf_room(gltf_count(f, "buffers"), sizeof *f->buffers);
    f->unpacked = gltf_room(gltf_count(f, "bufferViews"), sizeof *f->unpacked);
}
