/* What pages are made of: bytes, JSON, binary. See page.h. */
#include "page/page.h"

#include "common/text.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Of binary a script element: a multiple of 3, small enough for any browser's parser. */
#define BLOCK_BYTES (3u << 20)
#define OPEN_BLOCK  "<script type=\"application/x-carom-buffer\">"
#define CLOSE_BLOCK "</script>\n"

/* --- bytes ----------------------------------------------------------------------------------------------------- */

static void write_out(page *p, const void *bytes, size_t size) {
    if (p->error) return;
    errno = 0;
    if (fwrite(bytes, 1, size, p->file) != size) p->error = errno ? errno : EIO;
}

static void pack(page *p, const void *bytes, size_t size, int flush);

void page_put(page *p, const void *bytes, size_t size) {
    if (size == 0) return;
    if (p->packer)
        pack(p, bytes, size, Z_NO_FLUSH);
    else
        write_out(p, bytes, size);
}

void page_put_text(page *p, const char *text) { page_put(p, text, strlen(text)); }

static void flush_base64(page *p) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (!p->byte_count) return;
    for (unsigned i = p->byte_count; i < 3; i++) p->bytes[i] = 0;
    uint32_t bits = (uint32_t)p->bytes[0] << 16 | (uint32_t)p->bytes[1] << 8 | p->bytes[2];
    char out[4] = {digits[bits >> 18], digits[bits >> 12 & 63], digits[bits >> 6 & 63], digits[bits & 63]};
    for (unsigned i = p->byte_count; i < 3; i++) out[i + 1] = '=';
    write_out(p, out, 4);
    p->byte_count = 0;
}

void page_put_u32(page *p, uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) {
        if (!p->block && !p->byte_count) page_put_text(p, OPEN_BLOCK);
        p->bytes[p->byte_count++] = (uint8_t)(value >> shift);
        p->block++;
        if (p->byte_count == 3) flush_base64(p);
        if (p->block == BLOCK_BYTES) {
            page_put_text(p, CLOSE_BLOCK);
            p->block = 0;
        }
    }
}

void page_close_blocks(page *p) {
    if (!p->block) return;
    flush_base64(p);
    page_put_text(p, CLOSE_BLOCK);
    p->block = 0;
}

/* As float32; beyond its range the nearest that is in it. */
static uint32_t float_bits(cm_real value) {
    const double most = (double)FLT_MAX;
    float narrow = (float)(value > most ? most : value < -most ? -most : value);
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return bits;
}

void page_put_float(page *p, cm_real value) { page_put_u32(p, float_bits(value)); }

void page_put_from(page *p, cm_vec3 point, cm_vec3 from) {
    cm_vec3 d = cm_sub(point, from);
    page_put_float(p, d.x), page_put_float(p, d.y), page_put_float(p, d.z);
}

/* --- packed blocks ----------------------------------------------------------------------------------------------- */

static void pack_room(page_bytes *b, size_t more) {
    if (b->size + more <= b->room) return;
    b->room = 2 * (b->size + more);
    uint8_t *larger = realloc(b->bytes, b->room);
    if (!larger) {
        complain(EXIT_INTERNAL, "out of memory");
        exit(EXIT_INTERNAL);
    }
    b->bytes = larger;
}

void page_bytes_put(page_bytes *b, const void *bytes, size_t size) {
    if (!size) return;
    pack_room(b, size);
    memcpy(b->bytes + b->size, bytes, size);
    b->size += size;
}

void page_bytes_u32(page_bytes *b, uint32_t value) {
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    page_bytes_put(b, bytes, sizeof bytes);
}

void page_bytes_float(page_bytes *b, cm_real value) { page_bytes_u32(b, float_bits(value)); }

void page_bytes_double(page_bytes *b, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    page_bytes_u32(b, (uint32_t)bits);
    page_bytes_u32(b, (uint32_t)(bits >> 32));
}

void page_bytes_signed(page_bytes *b, int32_t value) {
    uint32_t rest = (uint32_t)value << 1 ^ (value < 0 ? UINT32_MAX : 0); /* 0 -1 1 -2 2 … as 0 1 2 3 4 … */
    uint8_t bytes[5];
    size_t size = 0;
    for (; rest > 127; rest >>= 7) bytes[size++] = (uint8_t)(rest | 128);
    bytes[size++] = (uint8_t)rest;
    page_bytes_put(b, bytes, size);
}

static void put_base64(page *p, const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size && !p->error; i++) {
        p->bytes[p->byte_count++] = bytes[i];
        if (p->byte_count == 3) flush_base64(p);
    }
}

static void pack(page *p, const void *bytes, size_t size, int flush) {
    enum { MOST = 1 << 30 };
    const uint8_t *at = bytes;
    uint8_t out[1 << 14];
    do {
        const size_t now = size < MOST ? size : MOST;
        p->packer->next_in = (z_const Bytef *)(uintptr_t)at, p->packer->avail_in = (uInt)now;
        at += now, size -= now;
        do {
            p->packer->next_out = out, p->packer->avail_out = sizeof out;
            deflate(p->packer, size > 0 ? Z_NO_FLUSH : flush);
            put_base64(p, out, sizeof out - p->packer->avail_out);
        } while (p->packer->avail_out == 0);
    } while (size > 0);
}

void page_open_packed(page *p) {
    page_put_text(p, "<script type=\"application/x-carom-packed\">");
    p->packer = allocate(1, sizeof *p->packer);
    if (deflateInit(p->packer, 6) == Z_OK) return;
    if (!p->error) p->error = ENOMEM;
    free(p->packer);
    p->packer = NULL;
}

void page_close_packed(page *p) {
    if (!p->packer) return;
    pack(p, "", 0, Z_FINISH);
    deflateEnd(p->packer);
    free(p->packer);
    p->packer = NULL;
    flush_base64(p);
    page_put_text(p, CLOSE_BLOCK);
}

void page_put_packed(page *p, page_bytes *b) {
    page_open_packed(p);
    page_put(p, b->bytes, b->size);
    page_close_packed(p);
    b->size = 0;
}

/* --- JSON ------------------------------------------------------------------------------------------------------ */

/* Length of the UTF-8 sequence at `s`, 0 where there is none. */
static size_t utf8_length(const unsigned char *s) {
    if (s[0] < 0x80) return 1;
    size_t n = s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if (n == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0))) return 0;
    if (n == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90))) return 0;
    return n;
}

json_t *page_text(const char *text) {
    static const char replacement[] = "\xef\xbf\xbd";
    json_t *direct = json_string(text);
    if (direct) return direct;
    char *repaired = malloc(3 * strlen(text) + 1), *out = repaired;
    if (!repaired) return NULL;
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        size_t n = utf8_length(s);
        memcpy(out, n ? (const void *)s : (const void *)replacement, n ? n : 3);
        out += n ? n : 3;
        s += n ? n : 1;
    }
    *out = 0;
    direct = json_string(repaired);
    free(repaired);
    return direct;
}

json_t *page_real(double value) { return fabs(value) < CM_REAL_MAX ? json_real(value) : json_null(); }

json_t *page_point(cm_vec3 v) { return json_pack("[o,o,o]", page_real(v.x), page_real(v.y), page_real(v.z)); }

static int put_escaped(const char *text, size_t size, void *user) {
    page *p = user;
    for (size_t from = 0, to; from < size; from = to) {
        for (to = from; to < size && text[to] != '<' && text[to] != '>' && text[to] != '&'; to++) {
        }
        page_put(p, text + from, to - from);
        if (to == size) break;
        page_put_text(p, text[to] == '<' ? "\\u003c" : text[to] == '>' ? "\\u003e" : "\\u0026");
        to++;
    }
    return p->error ? -1 : 0;
}

void page_put_json(page *p, json_t *value) {
    if (!value) {
        if (!p->error) p->error = ENOMEM;
        return;
    }
    if (!p->error &&
        json_dump_callback(value, put_escaped, p,
                           JSON_COMPACT | JSON_ENSURE_ASCII | JSON_ENCODE_ANY | JSON_REAL_PRECISION(17)) &&
        !p->error)
        p->error = ENOMEM;
    json_decref(value);
}

void page_put_field(page *p, const char *name, json_t *value) {
    page_put_text(p, "\"");
    page_put_text(p, name);
    page_put_text(p, "\":");
    page_put_json(p, value);
    page_put_text(p, ",\n");
}

void page_open_array(page *p, const char *name) {
    page_put_text(p, "\"");
    page_put_text(p, name);
    page_put_text(p, "\":[");
}
