/* The bytes of a model file as the importer gets them: see model_text.h.
 *
 * UTF-16 and UTF-32 become UTF-8, and XML that says another encoding in its first line ("ISO-8859-1") does, by
 * libxml2: Assimp takes the letters of names as they are. That word then goes out of the line.
 *
 * Lines that end with carriage returns alone end with line feeds.
 *
 * A 3MF of several models, or of one in UTF-16 or with prefixes, becomes one of one model in UTF-8 without
 * (package_join.h).
 *
 * A binary STL begins with 80 bytes of any kind. Where those begin with a mark, Assimp would take all for text. */
#define _GNU_SOURCE /* memmem */
#include "read/model_text.h"

#include "common/encoding.h"
#include "common/text.h"
#include "common/zip_sizes.h"
#include "read/package_join.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <libxml/encoding.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NO_MEMORY = 5, DECLARATION_MOST = 400, ENCODING_MOST = 40, STL_HEAD = 84, STL_TRIANGLE = 50 };

/* What was converted, of the one model of this process. */
static struct {
    char *bytes;
    size_t size;
    bool looked;
    const char *refused;
} converted;

/* The word encoding="NAME" of an XML declaration; an empty one where there is none. `name` gets what is named. */
static model_text find_encoding(const char *bytes, size_t size, char name[ENCODING_MOST]) {
    const model_text none = {.bytes = bytes};
    const char *end = size >= 5 && memcmp(bytes, "<?xml", 5) == 0
                          ? memmem(bytes, size < DECLARATION_MOST ? size : DECLARATION_MOST, "?>", 2)
                          : NULL;
    const char *word = end ? memmem(bytes, (size_t)(end - bytes), "encoding", 8) : NULL;
    if (!word) return none;
    const char *at = word + 8;
    while (at < end && isspace((unsigned char)*at)) at++;
    if (at < end && *at == '=') at++;
    while (at < end && isspace((unsigned char)*at)) at++;
    if (at >= end || (*at != '"' && *at != '\'')) return none;
    const char *first = at + 1, *last = memchr(first, *at, (size_t)(end - first));
    if (!last || last - first >= ENCODING_MOST) return none;
    for (at = first; at < last; at++)
        if (!isalnum((unsigned char)*at) && !strchr("._-", *at)) return none;
    memcpy(name, first, (size_t)(last - first));
    name[last - first] = 0;
    return (model_text){.bytes = word, .size = (size_t)(last + 1 - word)};
}

/* Names of what a file cannot be in that was read so far, and of what needs nothing. */
static bool is_unicode(const char *name) {
    return strncasecmp(name, "UTF", 3) == 0 || strcasecmp(name, "US-ASCII") == 0 || strcasecmp(name, "ASCII") == 0;
}

/* The text in UTF-8; NULL where libxml2 does not know the encoding, or the text is not in it. */
static char *utf8_of(const char *name, const char *bytes, size_t size, size_t *out_size) {
    if (size > INT_MAX / 4) return NULL;
    xmlCharEncodingHandler *from = xmlFindCharEncodingHandler(name);
    xmlBuffer *in = from ? xmlBufferCreateSize(size + 1) : NULL, *out = from ? xmlBufferCreate() : NULL;
    bool right = in && out && xmlBufferAdd(in, (const xmlChar *)bytes, (int)size) == 0;
    while (right && xmlBufferLength(in) > 0) {
        const int before = xmlBufferLength(in);
        right = xmlCharEncInFunc(from, out, in) >= 0 && xmlBufferLength(in) < before;
    }
    char *text = NULL;
    if (right) {
        *out_size = (size_t)xmlBufferLength(out);
        text = (char *)xmlBufferDetach(out);
    }
    xmlBufferFree(in);
    xmlBufferFree(out);
    if (from) xmlCharEncCloseFunc(from);
    return text;
}

static void convert_encoding(const char *bytes, size_t size) {
    converted.bytes = zip_plain_sizes(bytes, size);
    converted.size = size;
    if (!converted.bytes && errno == ENOMEM) _exit(NO_MEMORY);
    size_t joined_size;
    char *joined = package_join(converted.bytes ? converted.bytes : bytes, size, &joined_size, &converted.refused);
    if (joined) {
        free(converted.bytes);
        converted.bytes = joined, converted.size = joined_size;
    }
    if (converted.bytes) return;
    char name[ENCODING_MOST], *text = utf8_of_wide(bytes, size, &converted.size);
    if (!text && errno == ENOMEM) _exit(NO_MEMORY);
    if (text) {
        const model_text word = find_encoding(text, converted.size, name);
        memset(text + (word.bytes - text), ' ', word.size);
    } else {
        const model_text word = find_encoding(bytes, size, name);
        if (word.size == 0 || is_unicode(name)) return;
        text = utf8_of(name, bytes, size, &converted.size);
        const size_t until = (size_t)(word.bytes - bytes) + word.size;
        if (text && (converted.size < until || memcmp(text, bytes, until) != 0)) { /* its first line is in another */
            free(text);
            text = NULL;
        }
        if (text) memset(text + until - word.size, ' ', word.size);
    }
    converted.bytes = text;
}

/* Lines that end with a carriage return alone, as on old Macs, end with a line feed: Assimp takes a PLY of such lines
 * for none, and nothing here need know of them. What is not text has zeros in it. */
static void convert_ends(const char *bytes, size_t size) {
    if (converted.bytes) bytes = converted.bytes, size = converted.size;
    if (!memchr(bytes, '\r', size) || memchr(bytes, '\n', size) || memchr(bytes, 0, size)) return;
    if (!converted.bytes) {
        char *copy = malloc(size);
        if (!copy) _exit(NO_MEMORY);
        memcpy(copy, bytes, size);
        converted.bytes = copy, converted.size = size;
    }
    for (char *at = converted.bytes; (at = memchr(at, '\r', (size_t)(converted.bytes + size - at))) != NULL;)
        *at = '\n';
}

static bool is_binary_stl(const char *path, const char *bytes, size_t size) {
    const size_t length = strlen(path);
    if (length < 4 || strcasecmp(path + length - 4, ".stl") != 0 || size < STL_HEAD) return false;
    const unsigned char *n = (const unsigned char *)bytes + STL_HEAD - 4;
    const uint64_t count = n[0] | (uint64_t)n[1] << 8 | (uint64_t)n[2] << 16 | (uint64_t)n[3] << 24;
    return size == STL_HEAD + STL_TRIANGLE * count;
}

/* A binary STL without a mark at its beginning. */
static bool open_stl(char *map, size_t size, model_text *out) {
    *out = (model_text){map, size, (unsigned char)*map >= 0x80, map, size};
    if (!out->changed) return true;
    if (mprotect(map, STL_HEAD, PROT_READ | PROT_WRITE) != 0) return false;
    memset(map, ' ', 4); /* in this process alone */
    return true;
}

bool model_text_open(const char *path, model_text *out) {
    if (converted.bytes) {
        *out = (model_text){converted.bytes, converted.size, true, NULL, 0};
        return true;
    }
    struct stat s;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    const bool has = fstat(fd, &s) == 0 && s.st_size > 0;
    const size_t size = has ? (size_t)s.st_size : 0;
    char *map = has ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (map == MAP_FAILED) return false;
    if (is_binary_stl(path, map, size)) return open_stl(map, size, out);
    if (!converted.looked) {
        converted.looked = true;
        convert_encoding(map, size);
        convert_ends(map, size);
        if (converted.bytes) {
            munmap(map, size);
            return model_text_open(path, out);
        }
    }
    const size_t mark = utf8_mark(map, size);
    *out = (model_text){map + mark, size - mark, mark > 0, map, size};
    return true;
}

void model_text_close(model_text *t) {
    if (t->map) munmap(t->map, t->map_size);
}

const char *model_text_refused(const char *path) {
    model_text t;
    if (model_text_open(path, &t)) model_text_close(&t);
    return converted.refused;
}
