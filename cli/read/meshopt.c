/* The compressed buffer views of glTF: see meshopt.h.
 *
 * A byte is read only where it is known to be there; damaged bytes give false or wrong numbers, never more than that.
 * Both versions of each codec are read. Numbers are little-endian whatever the machine is.
 * Based on: [KhronosMeshopt], appendix A (bitstream) and B (filters). */
#include "read/meshopt.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct reader {
    const unsigned char *at, *end;
    bool damaged;
} reader;

static unsigned next_byte(reader *r) {
    if (r->at < r->end) return *r->at++;
    r->damaged = true;
    return 0;
}

static const unsigned char *next_bytes(reader *r, size_t count) {
    const unsigned char *bytes = r->at;
    if ((size_t)(r->end - r->at) < count) {
        r->damaged = true;
        return NULL;
    }
    r->at += count;
    return bytes;
}

/* Seven bits a byte, the lowest first. */
static uint32_t next_varying(reader *r) {
    uint32_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
        uint32_t byte = next_byte(r);
        value |= (byte & 127) << shift;
        if (byte < 128) return value;
    }
    return value;
}

/* The sign is the lowest bit. */
static uint32_t unsign(uint32_t v) { return (v >> 1) ^ (0u - (v & 1)); }

/* --- attributes ------------------------------------------------------------------------------------------------ */

enum { GROUP = 16, BLOCK_MOST = 256, BLOCK_BYTES = 8192, STRIDE_MOST = 256 };

static size_t block_length(size_t stride) {
    size_t fit = (BLOCK_BYTES / stride) & ~(size_t)(GROUP - 1);
    return fit < BLOCK_MOST ? fit : BLOCK_MOST;
}

/* The last element, and for version 1 a byte for every four that says how these are coded; padded in front. */
static size_t tail_length(unsigned version, size_t stride) { return version == 0 ? stride : stride + stride / 4; }
static size_t padded_tail(unsigned version, size_t stride) {
    size_t least = version == 0 ? 32 : 24, length = tail_length(version, stride);
    return length > least ? length : least;
}

/* Sixteen numbers of so many bits; one with all bits set stands for a whole byte that follows them. */
static void read_group(reader *r, unsigned bits, unsigned char *out) {
    if (bits == 0) {
        memset(out, 0, GROUP);
        return;
    }
    const unsigned char *packed = next_bytes(r, GROUP * bits / 8);
    if (!packed) return;
    if (bits == 8) {
        memcpy(out, packed, GROUP);
        return;
    }
    unsigned each = 8 / bits, most = (1u << bits) - 1;
    for (unsigned i = 0; i < GROUP; i++) {
        unsigned place = i % each; /* single bits are stored from the lowest, others from the highest */
        unsigned shift = bits == 1 ? place : 8 - bits * (place + 1), value = (packed[i / each] >> shift) & most;
        out[i] = (unsigned char)(value == most ? next_byte(r) : value);
    }
}

/* One byte of each element of a block. `control`: how the sizes of groups are to be understood. */
static void read_channel(reader *r, unsigned version, unsigned control, size_t count, unsigned char *out) {
    static const unsigned char widths[3][4] = {{0, 2, 4, 8}, {0, 1, 2, 4}, {1, 2, 4, 8}};
    if (control == 2) {
        memset(out, 0, count);
    } else if (control == 3) {
        const unsigned char *plain = next_bytes(r, count);
        if (plain) memcpy(out, plain, count);
    } else {
        size_t groups = (count + GROUP - 1) / GROUP;
        const unsigned char *sizes = next_bytes(r, (groups + 3) / 4);
        for (size_t g = 0; g < groups && sizes && !r->damaged; g++)
            read_group(r, widths[version == 0 ? 0 : control + 1][(sizes[g / 4] >> (g % 4 * 2)) & 3], out + g * GROUP);
    }
}

static uint32_t gather_bytes(const unsigned char *from, size_t step, unsigned width) {
    uint32_t value = 0;
    for (unsigned i = 0; i < width; i++) value |= (uint32_t)from[i * step] << (8 * i);
    return value;
}

/* Four bytes of each element, from differences to the element before. */
static void undo_differences(unsigned char (*deltas)[BLOCK_MOST], unsigned mode, size_t count, size_t stride,
                             unsigned char *last, unsigned char *out) {
    unsigned width = mode & 3u, rotation = (32 - (mode >> 4)) & 31;
    width = width == 0 ? 1 : width == 1 ? 2 : 4;
    for (unsigned k = 0; k < 4; k += width) {
        uint32_t before = gather_bytes(last + k, 1, width);
        for (size_t i = 0; i < count; i++) {
            uint32_t delta = gather_bytes(&deltas[k][i], BLOCK_MOST, width);
            if (width == 4)
                before ^= rotation > 0 ? (delta << rotation) | (delta >> (32 - rotation)) : delta;
            else
                before += unsign(delta);
            for (unsigned b = 0; b < width; b++) out[i * stride + k + b] = (unsigned char)(before >> (8 * b));
        }
        for (unsigned b = 0; b < width; b++) last[k + b] = (unsigned char)(before >> (8 * b));
    }
}

static bool decode_attributes(const unsigned char *bytes, size_t size, size_t count, size_t stride,
                              unsigned char *out) {
    unsigned version = size > 0 ? bytes[0] ^ 0xa0u : 2;
    if (version > 1 || size < 1 + padded_tail(version, stride)) return false;
    reader r = {bytes + 1, bytes + size - padded_tail(version, stride), false};
    const unsigned char *tail = bytes + size - tail_length(version, stride), *modes = tail + stride;
    unsigned char last[STRIDE_MOST], deltas[4][BLOCK_MOST];
    memcpy(last, tail, stride);
    size_t most = block_length(stride);
    for (size_t start = 0; start < count; start += most) {
        size_t part = count - start < most ? count - start : most;
        const unsigned char *controls = next_bytes(&r, version == 0 ? 0 : stride / 4);
        for (size_t k = 0; k < stride && !r.damaged; k += 4) {
            unsigned mode = version == 0 ? 0 : modes[k / 4];
            if ((mode & 3) == 3) return false;
            for (unsigned j = 0; j < 4; j++)
                read_channel(&r, version, version == 0 ? 0 : (controls[k / 4] >> (2 * j)) & 3u, part, deltas[j]);
            if (!r.damaged) undo_differences(deltas, mode, part, stride, last + k, out + start * stride + k);
        }
        if (r.damaged) return false;
    }
    return r.at == r.end;
}

/* --- indices ----------------------------------------------------------------------------------------------------- */

static void store_index(unsigned char *out, size_t at, size_t stride, uint32_t value) {
    for (size_t b = 0; b < stride; b++) out[at * stride + b] = (unsigned char)(value >> (8 * b));
}

/* The last sixteen edges and vertices that were met, and the next vertex that was not. */
typedef struct memory {
    uint32_t edges[16][2], vertices[16], edge, vertex, next, last;
} memory;

static void keep_vertex(memory *m, uint32_t v) { m->vertices[m->vertex++ & 15] = v; }
static void keep_edge(memory *m, uint32_t a, uint32_t b) {
    uint32_t *slot = m->edges[m->edge++ & 15];
    slot[0] = a, slot[1] = b;
}
static uint32_t kept_vertex(const memory *m, unsigned back) { return m->vertices[(m->vertex - back) & 15]; }

static uint32_t free_index(memory *m, reader *data) { return m->last += unsign(next_varying(data)); }

/* A triangle on an edge that was met: its third corner. */
static uint32_t corner_of_edge(memory *m, reader *data, unsigned code, unsigned version) {
    uint32_t c;
    if (code == 0)
        c = m->next++;
    else if (code < (version > 0 ? 13u : 15u))
        return kept_vertex(m, code + 1);
    else if (code == 15)
        c = free_index(m, data);
    else
        c = m->last += code == 13 ? UINT32_MAX : 1;
    keep_vertex(m, c);
    return c;
}

/* A triangle of its own: its corners, the codes of the second and third in a byte. */
static void lone_triangle(memory *m, reader *data, bool free_first, bool may_be_free, unsigned codes, uint32_t out[3]) {
    unsigned code[3] = {free_first ? 15 : 0, codes >> 4, codes & 15};
    for (int i = 0; i < 3; i++)
        if (code[i] == 0) out[i] = m->next++;
    for (int i = 0; i < 3; i++) {
        if (code[i] == 15 && may_be_free)
            out[i] = free_index(m, data);
        else if (code[i] > 0)
            out[i] = kept_vertex(m, code[i]);
    }
    for (int i = 0; i < 3; i++)
        if (code[i] == 0 || (code[i] == 15 && may_be_free)) keep_vertex(m, out[i]);
}

static bool decode_triangles(const unsigned char *bytes, size_t size, size_t count, size_t stride, unsigned char *out) {
    unsigned version = size > 0 ? bytes[0] ^ 0xe0u : 2;
    size_t triangles = count / 3;
    if (version > 1 || size < 1 + triangles + 16) return false;
    const unsigned char *codes = bytes + 1, *table = bytes + size - 16;
    reader data = {codes + triangles, table, false};
    memory m = {.next = 0};
    memset(m.edges, 0xff, sizeof m.edges);
    memset(m.vertices, 0xff, sizeof m.vertices);
    for (size_t t = 0; t < triangles && !data.damaged; t++) {
        unsigned code = codes[t];
        uint32_t corner[3];
        if (code < 0xf0) {
            const uint32_t *edge = m.edges[(m.edge - 1 - (code >> 4)) & 15];
            corner[0] = edge[0], corner[1] = edge[1];
            corner[2] = corner_of_edge(&m, &data, code & 15, version);
            keep_edge(&m, corner[2], corner[1]);
            keep_edge(&m, corner[0], corner[2]);
        } else {
            bool listed = code < 0xfe;
            unsigned both = listed ? table[code & 15] : next_byte(&data);
            if (!listed && both == 0) m.next = 0;
            lone_triangle(&m, &data, code == 0xff, !listed, both, corner);
            keep_edge(&m, corner[1], corner[0]);
            keep_edge(&m, corner[2], corner[1]);
            keep_edge(&m, corner[0], corner[2]);
        }
        for (size_t k = 0; k < 3; k++) store_index(out, 3 * t + k, stride, corner[k]);
    }
    return !data.damaged && data.at == data.end;
}

/* Each index as the difference to the last of one of two sequences. */
static bool decode_indices(const unsigned char *bytes, size_t size, size_t count, size_t stride, unsigned char *out) {
    unsigned version = size > 0 ? bytes[0] ^ 0xd0u : 2;
    if (version > 1 || size < 1 + count + 4) return false;
    reader r = {bytes + 1, bytes + size - 4, false};
    uint32_t last[2] = {0, 0};
    for (size_t i = 0; i < count && !r.damaged; i++) {
        uint32_t v = next_varying(&r);
        last[v & 1] += unsign(v >> 1);
        store_index(out, i, stride, last[v & 1]);
    }
    return !r.damaged && r.at == r.end;
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

bool meshopt_may_hold(meshopt_mode mode, size_t count, size_t stride, size_t size) {
    switch (mode) {
    case MESHOPT_ATTRIBUTES: /* at the least a quarter of a byte for every four bytes of a block, in version 1 */
        return stride > 0 && stride <= STRIDE_MOST && stride % 4 == 0 &&
               count / block_length(stride) <= size / (stride / 4);
    case MESHOPT_TRIANGLES:
        return (stride == 2 || stride == 4) && count % 3 == 0 && count / 3 <= size;
    case MESHOPT_INDICES:
        return (stride == 2 || stride == 4) && count <= size;
    }
    return false;
}

bool meshopt_decode(meshopt_mode mode, const unsigned char *bytes, size_t size, size_t count, size_t stride,
                    unsigned char *out) {
    if (!meshopt_may_hold(mode, count, stride, size)) return false;
    return (mode == MESHOPT_ATTRIBUTES  ? decode_attributes
            : mode == MESHOPT_TRIANGLES ? decode_triangles
                                        : decode_indices)(bytes, size, count, stride, out);
}

static int32_t signed_of(uint32_t bits, unsigned width) {
    uint32_t sign = 1u << (width - 1);
    return (int32_t)((int64_t)((bits & (sign - 1)) | (bits & sign)) - (bits & sign ? (int64_t)sign * 2 : 0));
}

void meshopt_unfilter_exponential(unsigned char *data, size_t count, size_t stride) {
    for (size_t i = 0; i < count * stride / 4; i++) {
        unsigned char *at = data + 4 * i;
        uint32_t bits = gather_bytes(at, 1, 4);
        float value = (float)ldexp(signed_of(bits & 0xffffff, 24), signed_of(bits >> 24, 8));
        memcpy(&bits, &value, sizeof bits);
        for (unsigned b = 0; b < 4; b++) at[b] = (unsigned char)(bits >> (8 * b));
    }
}

void meshopt_unfilter_quaternion(unsigned char *data, size_t count) {
    for (size_t i = 0; i < count; i++) {
        unsigned char *at = data + 8 * i;
        int32_t in[4];
        for (unsigned k = 0; k < 4; k++) in[k] = signed_of(gather_bytes(at + 2 * k, 1, 2), 16);
        double scale = sqrt(0.5) / (in[3] | 3), rest = 1, q[4];
        for (unsigned k = 0; k < 3; k++) {
            q[k + 1] = in[k] * scale;
            rest -= q[k + 1] * q[k + 1];
        }
        q[0] = sqrt(fmax(rest, 0)); /* the largest component was left out */
        for (unsigned k = 0; k < 4; k++) {
            int32_t value = (int32_t)lround(fmax(-1, fmin(1, q[k])) * 32767);
            unsigned char *to = at + 2 * ((k + (unsigned)(in[3] & 3)) % 4);
            to[0] = (unsigned char)((uint32_t)value & 255), to[1] = (unsigned char)(((uint32_t)value >> 8) & 255);
        }
    }
}
