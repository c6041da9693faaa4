/* The bytes that a glTF file refers to: buffers, views of them, accessors. See gltf_file.h.
 *
 * A buffer is read when it is first needed: from the .glb, from base64 text, or from a file beside the model
 * (gltf_disk.c). Nothing else is opened, no network, no device. */
#include "read/gltf_file.h"

#include "read/gltf_disk.h"
#include "read/meshopt.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- buffers ------------------------------------------------------------------------------------------------------ */

static int digit_of(char c, const char *digits) {
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* "%20" becomes a space; what is no such code stays. A backslash is a slash, as in browsers. */
static char *decode_percents(const char *uri) {
    char *out = copy_text(uri);
    size_t used = 0;
    for (const char *at = uri; *at; at++) {
        int high = -1, low = -1;
        if (*at == '%') {
            high = digit_of((char)tolower((unsigned char)at[1]), "0123456789abcdef");
            if (high >= 0) low = digit_of((char)tolower((unsigned char)at[2]), "0123456789abcdef");
        }
        if (low >= 0 && high + low > 0) {
            out[used++] = (char)(high * 16 + low);
            at += 2;
        } else {
            out[used++] = *at == '\\' ? '/' : *at;
        }
    }
    out[used] = 0;
    return out;
}

/* "http:", "file:" ... */
static bool has_scheme(const char *uri) {
    size_t n = 0;
    while (isalnum((unsigned char)uri[n]) || (uri[n] && strchr("+-.", uri[n]))) n++;
    return n > 0 && uri[n] == ':';
}

static gltf_bytes read_beside(gltf_file *f, const char *uri, uint32_t number) {
    char *name = decode_percents(uri), what[300];
    snprintf(what, sizeof what, "buffers[%u], %.200s,", number, name);
    if (has_scheme(uri)) gltf_refuse(f, "%s is not a file: no network is opened", what);
    gltf_bytes all = gltf_read_beside(f, name, what);
    free(name);
    return all;
}

static gltf_bytes read_base64(gltf_file *f, const char *uri, uint32_t number) {
    const char *start = strstr(uri, ";base64,");
    if (!start) gltf_refuse(f, "buffers[%u]: its data are not base64", number);
    start += 8;
    gltf_bytes all = {gltf_room(strlen(start) / 4 * 3 + 4, 1), 0};
    uint32_t bits = 0, count = 0;
    for (; *start && *start != '='; start++) {
        static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        int digit = *start == '-' ? 62 : *start == '_' ? 63 : digit_of(*start, digits);
        if (digit < 0) gltf_refuse(f, "buffers[%u]: its data are not base64", number);
        bits = bits << 6 | (uint32_t)digit;
        if (++count % 4 == 0) {
            for (int b = 2; b >= 0; b--) all.bytes[all.size++] = (unsigned char)(bits >> (8 * b));
            bits = 0;
        }
    }
    if (count % 4 == 2) all.bytes[all.size++] = (unsigned char)(bits >> 4);
    if (count % 4 == 3)
        all.bytes[all.size++] = (unsigned char)(bits >> 10), all.bytes[all.size++] = (unsigned char)(bits >> 2);
    return all;
}

static gltf_bytes read_buffer(gltf_file *f, const char *uri, uint32_t number) {
    if (!*uri) {
        if (number > 0 || !f->binary.bytes) gltf_refuse(f, "buffers[%u] has no data", number);
        return f->binary;
    }
    gltf_bytes all = strncmp(uri, "data:", 5) == 0 ? read_base64(f, uri, number) : read_beside(f, uri, number);
    f->held += (double)all.size;
    return all;
}

/* What is short of its stated size may have been cut off: it is read where no view reaches beyond its end, and told. */
static gltf_bytes buffer_of(gltf_file *f, uint32_t number) {
    gltf_bytes *held = &f->buffers[number];
    if (held->bytes) return *held;
    gltf_item item = gltf_get(f, "buffers", number);
    *held = read_buffer(f, gltf_text(f, item, "uri"), number);
    uint64_t stated = gltf_size(f, item, "byteLength", 0);
    if (held->size < stated)
        gltf_note(f, "warning: buffers[%u] has %zu bytes of the %llu it is said to have: is the file whole?", number,
                  held->size, (unsigned long long)stated);
    return *held;
}

/* --- views -------------------------------------------------------------------------------------------------------- */

/* A piece of a buffer: of a buffer view, or of its compressed form. */
static gltf_view piece_of(gltf_file *f, gltf_item item) {
    uint32_t number = gltf_index(f, item, "buffer", "buffers");
    if (number == GLTF_NONE) gltf_refuse(f, "%s[%u] has no buffer", item.list, item.index);
    gltf_bytes whole = buffer_of(f, number);
    uint64_t offset = gltf_size(f, item, "byteOffset", 0), length = gltf_size(f, item, "byteLength", 0);
    if (offset > whole.size || length > whole.size - offset)
        gltf_refuse(f, "%s[%u] reaches beyond the end of buffers[%u], which has %zu bytes", item.list, item.index,
                    number, whole.size);
    return (gltf_view){whole.bytes + offset, (size_t)length, (size_t)gltf_size(f, item, "byteStride", 0)};
}

static gltf_bytes unpack(gltf_file *f, gltf_item packed) {
    static const char *const modes[] = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
    gltf_view from = piece_of(f, packed);
    uint64_t count = gltf_size(f, packed, "count", 0);
    const char *mode = gltf_text(f, packed, "mode"), *filter = gltf_text(f, packed, "filter");
    unsigned kind = 0;
    while (kind < 3 && strcmp(mode, modes[kind]) != 0) kind++;
    if (kind == 3 || !meshopt_may_hold((meshopt_mode)kind, (size_t)count, from.stride, from.size))
        gltf_refuse(f, "%s[%u]: its compressed data are damaged", packed.list, packed.index);
    gltf_bytes out = {gltf_room((size_t)count + 1, from.stride), (size_t)count * from.stride};
    if (!meshopt_decode((meshopt_mode)kind, from.bytes, from.size, (size_t)count, from.stride, out.bytes))
        gltf_refuse(f, "%s[%u]: its compressed data are damaged", packed.list, packed.index);
    if (strcmp(filter, "EXPONENTIAL") == 0)
        meshopt_unfilter_exponential(out.bytes, (size_t)count, from.stride);
    else if (strcmp(filter, "QUATERNION") == 0 && from.stride == 8)
        meshopt_unfilter_quaternion(out.bytes, (size_t)count);
    else if (*filter && strcmp(filter, "NONE") != 0)
        gltf_refuse(f, "%s[%u]: the filter %.20s does not fit what it holds", packed.list, packed.index, filter);
    f->held += (double)out.size;
    return out;
}

gltf_view gltf_view_of(gltf_file *f, uint32_t number) {
    gltf_item item = gltf_get(f, "bufferViews", number);
    gltf_item packed = gltf_extension(f, item, "KHR_meshopt_compression");
    if (!packed.json) packed = gltf_extension(f, item, "EXT_meshopt_compression");
    if (!packed.json) return piece_of(f, item);
    gltf_bytes *held = &f->unpacked[number];
    if (!held->bytes) *held = unpack(f, packed);
    return (gltf_view){held->bytes, held->size, (size_t)gltf_size(f, item, "byteStride", 0)};
}

/* --- accessors ---------------------------------------------------------------------------------------------------- */

static size_t bytes_of_type(int type) { return type < 5120 ? 0 : type < 5122 ? 1 : type < 5124 ? 2 : 4; }

static int component_type(gltf_file *f, gltf_item item) {
    double type = gltf_number(f, item, "componentType", 0);
    if (!(type >= 5120 && type <= 5126) || type == 5124 || floor(type) != type)
        gltf_refuse(f, "%s[%u]: its componentType is not one of glTF's", item.list, item.index);
    return (int)type;
}

/* The bytes of `count` elements from an offset on. */
static gltf_view elements_of(gltf_file *f, gltf_item item, uint64_t count, size_t element) {
    uint32_t number = gltf_index(f, item, "bufferView", "bufferViews");
    if (number == GLTF_NONE) return (gltf_view){NULL, 0, element};
    gltf_view view = gltf_view_of(f, number);
    uint64_t offset = gltf_size(f, item, "byteOffset", 0);
    if (view.stride == 0) view.stride = element;
    bool fits = offset <= view.size;
    if (fits && count > 0)
        fits = view.size - offset >= element && (view.size - offset - element) / view.stride >= count - 1;
    if (!fits)
        gltf_refuse(f, "%s[%u]: its %llu elements reach beyond the end of bufferViews[%u]", item.list, item.index,
                    (unsigned long long)count, number);
    return (gltf_view){view.bytes + offset, view.size - (size_t)offset, view.stride};
}

gltf_accessor gltf_accessor_head(gltf_file *f, uint32_t number, const char *type) {
    static const struct {
        const char *name;
        int components;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    gltf_accessor a = {.item = gltf_get(f, "accessors", number)};
    const char *own = gltf_text(f, a.item, "type");
    if (strcmp(own, type) != 0)
        gltf_refuse(f, "accessors[%u] is of type %.20s where %s is meant", number, *own ? own : "none", type);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(own, types[i].name) == 0) a.components = types[i].components;
    a.type = component_type(f, a.item);
    json_t *normalized = json_object_get(a.item.json, "normalized");
    a.normalized = json_is_true(normalized) && a.type != 5126;
    uint64_t count = gltf_size(f, a.item, "count", 0);
    if (count >= GLTF_NONE) gltf_refuse(f, "accessors[%u] has too many elements", number);
    a.count = (uint32_t)count;
    return a;
}

gltf_accessor gltf_accessor_of(gltf_file *f, uint32_t number, const char *type) {
    gltf_accessor a = gltf_accessor_head(f, number, type);
    a.view = elements_of(f, a.item, a.count, bytes_of_type(a.type) * (size_t)a.components);
    /* Zeros cost a file nothing: without a bound a few bytes could ask for any room. */
    if (!a.view.bytes && (double)a.count > f->held)
        gltf_refuse(f, "accessors[%u] has more elements than the file has bytes", number);
    return a;
}

static double number_at(const unsigned char *at, int type) {
    uint32_t bits = at[0];
    for (size_t b = 1; b < bytes_of_type(type); b++) bits |= (uint32_t)at[b] << (8 * b);
    switch (type) {
    case 5120:
        return bits < 0x80 ? bits : (double)bits - 0x100;
    case 5122:
        return bits < 0x8000 ? bits : (double)bits - 0x10000;
    case 5126: {
        float value;
        memcpy(&value, &bits, sizeof value);
        return (double)value;
    }
    default:
        return bits;
    }
}

double gltf_denormalize(int type, bool normalized, double stored) {
    static const double most[] = {127, 255, 32767, 65535, 1, 4294967295.0, 1};
    return normalized ? fmax(stored / most[type - 5120], -1) : stored;
}

static void put_sparse(gltf_file *f, const gltf_accessor *a, double *numbers) {
    gltf_item sparse = gltf_child_of(f, a->item, "sparse");
    if (!sparse.json) return;
    gltf_item where = gltf_child_of(f, sparse, "indices"), what = gltf_child_of(f, sparse, "values");
    uint64_t count = gltf_size(f, sparse, "count", 0);
    size_t n = (size_t)a->components;
    int index_type = where.json ? component_type(f, where) : 0;
    if (!where.json || !what.json || count > a->count ||
        !(index_type == 5121 || index_type == 5123 || index_type == 5125))
        gltf_refuse(f, "%s[%u]: its sparse elements are wrong", a->item.list, a->item.index);
    gltf_view indices = elements_of(f, where, count, bytes_of_type(index_type));
    gltf_view values = elements_of(f, what, count, bytes_of_type(a->type) * n);
    if (!indices.bytes || !values.bytes)
        gltf_refuse(f, "%s[%u]: its sparse elements have no data", a->item.list, a->item.index);
    for (size_t i = 0; i < count; i++) {
        double index = number_at(indices.bytes + i * indices.stride, index_type);
        if (index >= a->count) gltf_refuse(f, "%s[%u]: a sparse element does not exist", a->item.list, a->item.index);
        for (size_t k = 0; k < n; k++) {
            double stored = number_at(values.bytes + i * values.stride + k * bytes_of_type(a->type), a->type);
            numbers[(size_t)index * n + k] = gltf_denormalize(a->type, a->normalized, stored);
        }
    }
}

double *gltf_numbers_of(gltf_file *f, const gltf_accessor *a) {
    size_t n = (size_t)a->components, width = bytes_of_type(a->type);
    double *numbers = gltf_room(a->count, n * sizeof *numbers);
    for (size_t i = 0; i < a->count && a->view.bytes; i++)
        for (size_t k = 0; k < n; k++) {
            double stored = number_at(a->view.bytes + i * a->view.stride + k * width, a->type);
            numbers[i * n + k] = gltf_denormalize(a->type, a->normalized, stored);
        }
    put_sparse(f, a, numbers);
    return numbers;
}

uint32_t *gltf_indices_of(gltf_file *f, const gltf_accessor *a) {
    if (!(a->type == 5121 || a->type == 5123 || a->type == 5125) || a->normalized)
        gltf_refuse(f, "accessors[%u] holds no indices", a->item.index);
    double *numbers = gltf_numbers_of(f, a);
    size_t count = (size_t)a->count * (size_t)a->components;
    uint32_t *indices = gltf_room(count, sizeof *indices);
    for (size_t i = 0; i < count; i++) indices[i] = (uint32_t)numbers[i];
    free(numbers);
    return indices;
}
