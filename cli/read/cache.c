/* What readers gave, kept in a folder: see cache.h.
 *
 * An entry holds the stream of a reader (docs/reader.md). Its name is the SHA-256 of all that the stream depends on:
 * the model's bytes and path, the options, and what reads it: this command with the libraries that it has loaded, or a
 * reader program with its folder and its interpreter, by size and time of change. With it stand the SHA-256 of every
 * other file that the reader opened, and the names of those that it looked for and did not find.
 *
 * Nothing in an entry is believed before its own SHA-256, at its end, was found right; and then the stream is parsed as
 * one of a reader. An entry of another version or machine has another name. It is written under a name of its own, and
 * then renamed: two processes may do so at once, and who reads sees the one or the other, whole. A file that changed
 * while it was read is not kept.
 *
 *     u64 magic, u64 bytes, key, u32 sources, each: u8 found, SHA-256, u32 bytes, path; u64 bytes, stream; SHA-256 */
#define _GNU_SOURCE
#include "read/cache.h"

#include "common/text.h"

#include <carom/carom.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CACHE_MAGIC UINT64_C(0x314548434143434d) /* "MCCACHE1" */

/* --- what a stream depends on -------------------------------------------------------------------------------------- */

/* With its end, so that two texts are not one. */
static void add_text(sha256 *s, const char *text) { sha256_add(s, text, strlen(text) + 1); }

static void add_stat(sha256 *s, const char *path) {
    struct stat info;
    add_text(s, path);
    if (stat(path, &info) != 0) return;
    const int64_t facts[3] = {(int64_t)info.st_size, (int64_t)info.st_mtim.tv_sec, (int64_t)info.st_mtim.tv_nsec};
    sha256_add(s, facts, sizeof facts);
}

static int add_library(struct dl_phdr_info *info, size_t size, void *user) {
    (void)size;
    add_stat(user, *info->dlpi_name ? info->dlpi_name : "/proc/self/exe");
    return 0;
}

/* All files of a reader's folder, packages in it too. */
static void add_folder(sha256 *s, const char *path, int depth) {
    struct dirent **list;
    const int count = depth > 0 ? scandir(path, &list, NULL, alphasort) : -1;
    for (int i = 0; i < count; i++) {
        struct stat info;
        char *inner = format_text("%s/%s", path, list[i]->d_name);
        if (*list[i]->d_name != '.' && stat(inner, &info) == 0) {
            if (S_ISDIR(info.st_mode))
                add_folder(s, inner, depth - 1);
            else
                add_stat(s, inner);
        }
        free(inner);
        free(list[i]);
    }
    if (count >= 0) free(list);
}

/* The interpreter is the first of that name along PATH. */
static void add_command(sha256 *s, const char *name) {
    const char *at = getenv("PATH");
    while (at && *at) {
        const size_t length = strcspn(at, ":");
        char *path = format_text("%.*s/%s", (int)length, at, name);
        const bool runs = access(path, X_OK) == 0;
        if (runs) add_stat(s, path);
        free(path);
        if (runs) return;
        at += length + (at[length] == ':');
    }
}

static void add_reader(sha256 *s, const reader *with) {
    enum { DEEPEST = 12 };
    const int kind = (int)with->kind;
    sha256_add(s, &kind, sizeof kind);
    add_text(s, cm_version());
    dl_iterate_phdr(add_library, s);
    if (with->kind != READER_PROGRAM) return;
    char *folder = copy_text(with->script), *slash = strrchr(folder, '/');
    add_text(s, with->script);
    if (slash) *slash = 0;
    add_folder(s, folder, DEEPEST);
    if (with->command) add_command(s, with->command);
    free(folder);
}

/* False where it cannot be read as a whole. */
static bool hash_file(const char *path, unsigned char out[SHA256_SIZE], struct stat *info) {
    unsigned char part[1 << 16];
    sha256 s;
    ssize_t n = -1;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return false;
    sha256_start(&s);
    if (fstat(fd, info) == 0 && S_ISREG(info->st_mode))
        while ((n = read(fd, part, sizeof part)) > 0 || (n < 0 && errno == EINTR))
            if (n > 0) sha256_add(&s, part, (size_t)n);
    close(fd);
    sha256_end(&s, out);
    return n == 0;
}

bool cache_start(const char *folder, const char *path, const reader *with, const import_options *options,
                 cache_place *out) {
    sha256 s;
    struct stat info;
    unsigned char content[SHA256_SIZE];
    char name[2 * SHA256_SIZE + 1], *whole = realpath(path, NULL);
    *out = (cache_place){.model = path};
    clock_gettime(CLOCK_REALTIME_COARSE, &out->asked);
    const double numbers[5] = {options->chord, options->unit, options->override_unit, options->limits.memory,
                               options->limits.seconds};
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        warn("--cache: %s cannot be made: %s", folder, strerror(errno));
        free(whole);
        return false;
    }
    if (!whole || !hash_file(path, content, &info)) {
        free(whole); /* what reads it says why */
        return false;
    }
    sha256_start(&s);
    add_reader(&s, with);
    add_text(&s, path);
    add_text(&s, whole);
    sha256_add(&s, numbers, sizeof numbers);
    sha256_add(&s, content, sizeof content);
    sha256_end(&s, out->key);
    for (int i = 0; i < SHA256_SIZE; i++) snprintf(name + 2 * i, 3, "%02x", out->key[i]);
    out->folder = copy_text(folder);
    out->entry = format_text("%s/%s.carom", folder, name);
    free(whole);
    return true;
}

void cache_end(cache_place *place) {
    free(place->entry), free(place->folder);
    *place = (cache_place){0};
}

/* --- reading ------------------------------------------------------------------------------------------------------- */

typedef struct cache_cursor {
    const unsigned char *at;
    size_t left;
} cache_cursor;

static bool take_bytes(cache_cursor *c, void *out, size_t size) {
    if (c->left < size) return false;
    memcpy(out, c->at, size);
    c->at += size, c->left -= size;
    return true;
}

/* The bytes of a regular file. False where there is none; one that cannot be read is warned of. */
static bool read_entry(const char *path, double most, unsigned char **bytes, size_t *size) {
    struct stat info;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        if (errno != ENOENT) warn("--cache: %s: %s; the model is read anew", path, strerror(errno));
        return false;
    }
    *bytes = NULL, *size = 0;
    const bool fits = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && (double)info.st_size <= most;
    if (fits) *bytes = malloc((size_t)info.st_size + 1);
    while (*bytes && *size < (size_t)info.st_size) {
        const ssize_t n = read(fd, *bytes + *size, (size_t)info.st_size - *size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        *size += (size_t)n;
    }
    close(fd);
    return true;
}

static bool is_whole(const unsigned char *bytes, size_t size) {
    sha256 s;
    unsigned char sum[SHA256_SIZE];
    if (!bytes || size < SHA256_SIZE) return false;
    sha256_start(&s);
    sha256_add(&s, bytes, size - SHA256_SIZE);
    sha256_end(&s, sum);
    return memcmp(sum, bytes + size - SHA256_SIZE, SHA256_SIZE) == 0;
}

typedef enum cache_state { CACHE_DAMAGED, CACHE_CHANGED, CACHE_GOOD } cache_state;

/* Is a file that the reader opened, or looked for in vain, as it was? */
static cache_state take_source(cache_cursor *c, file_identity *out) {
    unsigned char found, was[SHA256_SIZE], is[SHA256_SIZE];
    uint32_t length;
    struct stat info;
    if (!take_bytes(c, &found, 1) || !take_bytes(c, was, sizeof was) || !take_bytes(c, &length, sizeof length) ||
        c->left < length || memchr(c->at, 0, length))
        return CACHE_DAMAGED;
    char *path = format_text("%.*s", (int)length, (const char *)c->at);
    c->at += length, c->left -= length;
    const bool there = hash_file(path, is, &info), gone = !there && access(path, F_OK) != 0;
    *out = there ? (file_identity){(uint64_t)info.st_dev, (uint64_t)info.st_ino} : (file_identity){0, 0};
    free(path);
    return (found ? there && memcmp(was, is, sizeof is) == 0 : gone) ? CACHE_GOOD : CACHE_CHANGED;
}

static cache_state take_entry(const cache_place *place, cache_found *found, size_t size) {
    cache_cursor c = {found->bytes, size - SHA256_SIZE};
    uint64_t magic, total, stream;
    unsigned char key[SHA256_SIZE];
    uint32_t sources;
    if (!take_bytes(&c, &magic, sizeof magic) || !take_bytes(&c, &total, sizeof total) ||
        !take_bytes(&c, key, sizeof key) || !take_bytes(&c, &sources, sizeof sources))
        return CACHE_DAMAGED;
    if (magic != CACHE_MAGIC || total != size || memcmp(key, place->key, sizeof key) != 0 || sources > c.left)
        return CACHE_DAMAGED;
    found->sources = allocate(sources, sizeof *found->sources);
    for (uint32_t i = 0; i < sources; i++) {
        const cache_state state = take_source(&c, &found->sources[i]);
        if (state != CACHE_GOOD) return state;
    }
    found->source_count = sources;
    if (!take_bytes(&c, &stream, sizeof stream) || stream != c.left) return CACHE_DAMAGED;
    found->stream = found->bytes + (c.at - found->bytes);
    found->size = c.left;
    return CACHE_GOOD;
}

bool cache_find(const cache_place *place, double most, cache_found *out) {
    size_t size;
    *out = (cache_found){0};
    if (!read_entry(place->entry, most, &out->bytes, &size)) return false;
    const cache_state state = is_whole(out->bytes, size) ? take_entry(place, out, size) : CACHE_DAMAGED;
    if (state == CACHE_GOOD) {
        utimensat(AT_FDCWD, place->entry, NULL, 0); /* the time of its last use: for who clears the folder */
        return true;
    }
    if (state == CACHE_DAMAGED) warn("--cache: %s is damaged: the model is read anew", place->entry);
    free(out->bytes), free(out->sources);
    *out = (cache_found){0};
    return false;
}

/* --- writing ------------------------------------------------------------------------------------------------------- */

static void put_bytes(text_buffer *out, const void *bytes, size_t size) {
    const unsigned char *from = bytes;
    for (size_t i = 0; i < size; i++) {
        out->bytes = grow(out->bytes, out->used, &out->capacity, 1);
        out->bytes[out->used++] = (char)from[i];
    }
}

/* A path by which the file with this identity is found: as the reader said it, or in the model's folder. */
static char *source_path(const char *model, const import_source *source) {
    const char *slash = strrchr(model, '/');
    const int folder = slash ? (int)(slash - model) + 1 : 0;
    for (int i = 0; i < 2; i++) {
        struct stat info;
        char *path = format_text("%.*s%s", i == 0 ? 0 : folder, model, source->path);
        if (stat(path, &info) == 0 && (uint64_t)info.st_dev == source->identity.device &&
            (uint64_t)info.st_ino == source->identity.number)
            return path;
        free(path);
    }
    return NULL;
}

/* Changed before this, by the clock of files, which may be a tick behind. */
static bool is_older(const struct stat *info, const struct timespec *asked) {
    enum { TICK = 20000000 };
    const struct timespec *t = &info->st_ctim;
    const int64_t seconds = (int64_t)asked->tv_sec - (int64_t)t->tv_sec;
    return seconds > 1 || seconds * 1000000000 + (int64_t)asked->tv_nsec - (int64_t)t->tv_nsec > TICK;
}

/* False where one of the files has just changed, or cannot be found again: then the entry could be wrong. */
static bool put_sources(const cache_place *place, const import_data *data, text_buffer *out) {
    struct stat info;
    if (stat(place->model, &info) != 0 || !is_older(&info, &place->asked)) return false;
    for (uint32_t i = 0; i < data->source_count; i++) {
        const import_source *source = &data->sources[i];
        const unsigned char found = source->identity.device != 0 || source->identity.number != 0;
        unsigned char sum[SHA256_SIZE] = {0};
        char *path = found ? source_path(place->model, source) : copy_text(source->path);
        const bool known =
            path && (found ? hash_file(path, sum, &info) && is_older(&info, &place->asked) : access(path, F_OK) != 0);
        if (known) {
            const uint32_t length = (uint32_t)strlen(path);
            put_bytes(out, &found, 1);
            put_bytes(out, sum, sizeof sum);
            put_bytes(out, &length, sizeof length);
            put_bytes(out, path, length);
        }
        free(path);
        if (!known) return false;
    }
    return true;
}

static bool write_all(int fd, sha256 *s, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    sha256_add(s, bytes, size);
    while (size > 0) {
        const ssize_t n = write(fd, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += n, size -= (size_t)n;
    }
    return true;
}

static bool write_entry(const cache_place *place, int fd, const text_buffer *sources, uint32_t count,
                        const unsigned char *stream, size_t size) {
    sha256 s, end;
    unsigned char sum[SHA256_SIZE];
    const uint64_t length = size, frame = 2 * 8 + sizeof place->key + sizeof count + sizeof length + sizeof sum;
    const uint64_t head[2] = {CACHE_MAGIC, frame + sources->used + size};
    sha256_start(&s);
    bool written = write_all(fd, &s, head, sizeof head) && write_all(fd, &s, place->key, sizeof place->key) &&
                   write_all(fd, &s, &count, sizeof count) && write_all(fd, &s, sources->bytes, sources->used) &&
                   write_all(fd, &s, &length, sizeof length) && write_all(fd, &s, stream, size);
    end = s;
    sha256_end(&end, sum);
    return written && write_all(fd, &s, sum, sizeof sum);
}

void cache_keep(const cache_place *place, const unsigned char *stream, size_t size, const import_data *data) {
    text_buffer sources = {0};
    if (put_sources(place, data, &sources)) {
        char *own = format_text("%s/.carom-XXXXXX", place->folder);
        const int fd = mkstemp(own);
        bool kept = fd >= 0 && write_entry(place, fd, &sources, data->source_count, stream, size);
        int why = errno;
        const mode_t mask = umask(0);
        umask(mask);
        if (kept && fchmod(fd, 0666 & ~mask) != 0) kept = false, why = errno;
        if (fd >= 0 && close(fd) != 0 && kept) kept = false, why = errno;
        if (kept && rename(own, place->entry) != 0) kept = false, why = errno;
        if (!kept && fd >= 0) unlink(own);
        if (!kept) warn("--cache: %s cannot be written: %s", place->entry, strerror(why));
        free(own);
    }
    free(sources.bytes);
}
