/* ZIP archives: see archive.h. */
#include "common/archive.h"

#include "common/text.h"
#include "common/zip_sizes.h"

#include <errno.h>
#include <fcntl.h>
#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- writing ----------------------------------------------------------------------------------------------------- */

/* What minizip takes for a file. */
struct archive_writer {
    unsigned char *bytes;
    size_t used, capacity, at;
    zipFile zip;
    zip_fileinfo info;
    bool failed;
};

static voidpf memory_open(voidpf writer, const void *name, int mode) {
    (void)name, (void)mode;
    return writer;
}
static int memory_close(voidpf writer, voidpf stream) {
    (void)writer, (void)stream;
    return 0;
}
static int memory_failed(voidpf writer, voidpf stream) {
    (void)writer, (void)stream;
    return 0;
}

static uLong memory_write(voidpf writer, voidpf stream, const void *bytes, uLong size) {
    (void)stream;
    archive_writer *a = writer;
    if (a->at + size > a->capacity) {
        const size_t wanted = 2 * (a->at + size);
        unsigned char *grown = allocate(wanted, 1);
        if (a->used > 0) memcpy(grown, a->bytes, a->used);
        free(a->bytes);
        a->bytes = grown, a->capacity = wanted;
    }
    memcpy(a->bytes + a->at, bytes, size);
    a->at += size;
    if (a->at > a->used) a->used = a->at;
    return size;
}
static uLong memory_read(voidpf writer, voidpf stream, void *bytes, uLong size) {
    (void)stream;
    archive_writer *a = writer;
    const size_t left = a->used - a->at, taken = size < left ? size : left;
    memcpy(bytes, a->bytes + a->at, taken);
    a->at += taken;
    return taken;
}

static ZPOS64_T memory_tell(voidpf writer, voidpf stream) {
    (void)stream;
    return ((archive_writer *)writer)->at;
}
static long memory_seek(voidpf writer, voidpf stream, ZPOS64_T offset, int origin) {
    (void)stream;
    archive_writer *a = writer;
    const ZPOS64_T from = origin == ZLIB_FILEFUNC_SEEK_CUR ? a->at : origin == ZLIB_FILEFUNC_SEEK_END ? a->used : 0;
    if (from + offset > a->used) return -1;
    a->at = (size_t)(from + offset);
    return 0;
}

archive_writer *archive_begin(const char *date) {
    archive_writer *a = allocate(1, sizeof *a);
    unsigned year = 1980, month = 1, day = 1, hour = 0, minute = 0, second = 0;
    sscanf(date, "%4u-%2u-%2uT%2u:%2u:%2uZ", &year, &month, &day, &hour, &minute, &second);
    if (year < 1980) year = 1980, month = 1, day = 1; /* ZIP knows nothing earlier */
    a->info.tmz_date.tm_year = year, a->info.tmz_date.tm_mon = month - 1, a->info.tmz_date.tm_mday = day;
    a->info.tmz_date.tm_hour = hour, a->info.tmz_date.tm_min = minute, a->info.tmz_date.tm_sec = second;
    zlib_filefunc64_def memory = {memory_open, memory_read,  memory_write,  memory_tell,
                                  memory_seek, memory_close, memory_failed, a};
    a->zip = zipOpen2_64("", APPEND_STATUS_CREATE, NULL, &memory);
    a->failed = !a->zip;
    return a;
}

void archive_add(archive_writer *a, const char *name, const void *bytes, size_t size, bool packed) {
    if (a->failed) return;
    a->failed =
        size > UINT32_MAX ||
        zipOpenNewFileInZip(a->zip, name, &a->info, NULL, 0, NULL, 0, NULL, packed ? 0 : Z_DEFLATED, 6) != ZIP_OK ||
        zipWriteInFileInZip(a->zip, bytes, (unsigned)size) != ZIP_OK || zipCloseFileInZip(a->zip) != ZIP_OK;
}

unsigned char *archive_end(archive_writer *a, size_t *size) {
    if (a->zip && zipClose(a->zip, NULL) != ZIP_OK) a->failed = true;
    unsigned char *bytes = a->bytes;
    *size = a->used;
    if (a->failed) free(bytes), bytes = NULL;
    free(a);
    return bytes;
}

/* --- reading ----------------------------------------------------------------------------------------------------- */

/* Does the name stay in the archive's own folder? */
static bool stays_inside(const char *name) {
    if (*name == '/' || (name[0] && name[1] == ':')) return false;
    for (const char *at = name; *at; at += strcspn(at, "/"), at += *at == '/')
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || !at[2])) return false;
    return true;
}

/* The bytes of the entry that is open, which says that it has `declared`. NULL where they are damaged, or others. */
static char *read_bytes(unzFile zip, size_t declared) {
    char *bytes = allocate(declared + 2, 1);
    size_t size = 0;
    int n = 1;
    while (n > 0 && size <= declared) {
        n = unzReadCurrentFile(zip, bytes + size, (unsigned)(declared + 1 - size));
        if (n > 0) size += (size_t)n;
    }
    if (n == 0 && size == declared) return bytes;
    free(bytes);
    return NULL;
}

static int read_entry(const char *path, unzFile zip, const unz_file_info64 *info, const char *name, size_t *left,
                      archive *out) {
    if (info->flag & 1) return complain(EXIT_INPUT, "%s: %s is encrypted", path, name);
    if (info->uncompressed_size > ARCHIVE_ENTRY_MOST)
        return complain(EXIT_INPUT, "%s: %s is larger than %d MB", path, name, ARCHIVE_ENTRY_MOST >> 20);
    if (info->uncompressed_size > *left)
        return complain(EXIT_INPUT, "%s: unpacked it is larger than %d MB", path, ARCHIVE_BYTES_MOST >> 20);
    if (unzOpenCurrentFile(zip) != UNZ_OK)
        return complain(EXIT_INPUT, "%s: %s is damaged, or packed in a way that is not known", path, name);
    archive_entry entry = {.name = copy_text(name), .size = (size_t)info->uncompressed_size};
    entry.bytes = read_bytes(zip, entry.size);
    const bool whole = unzCloseCurrentFile(zip) == UNZ_OK && entry.bytes;
    size_t capacity = out->count;
    out->entries = grow(out->entries, capacity, &capacity, sizeof *out->entries);
    out->entries[out->count++] = entry;
    *left -= entry.size;
    return whole ? 0 : complain(EXIT_INPUT, "%s: %s is damaged", path, name);
}

static int read_entries(const char *path, unzFile zip, bool (*wanted)(const char *name), archive *out) {
    size_t left = ARCHIVE_BYTES_MOST;
    int at = unzGoToFirstFile(zip), code = 0;
    for (int seen = 0; at == UNZ_OK && code == 0; seen++) {
        char bytes[1024] = {0};
        unz_file_info64 info;
        if (seen == ARCHIVE_ENTRIES_MOST) return complain(EXIT_INPUT, "%s: has more than %d entries", path, seen);
        if (unzGetCurrentFileInfo64(zip, &info, bytes, sizeof bytes - 1, NULL, 0, NULL, 0) != UNZ_OK)
            return complain(EXIT_INPUT, "%s: is damaged", path);
        char *name = clean_text(bytes, strlen(bytes));
        for (char *slash = name; (slash = strchr(slash, '\\')); *slash = '/') {
        } /* as some on Windows write them */
        if (!stays_inside(name))
            code = complain(EXIT_INPUT, "%s: '%s' leads out of the archive: nothing of it is read", path, name);
        else if (wanted(name))
            code = read_entry(path, zip, &info, name, &left, out);
        free(name);
        at = unzGoToNextFile(zip);
    }
    if (code == 0 && at != UNZ_END_OF_LIST_OF_FILE) code = complain(EXIT_INPUT, "%s: is damaged", path);
    return code;
}

/* The archive; `*copy` are the bytes that it is read from where the file's own have sizes that minizip does not see. */
static unzFile open_zip(const char *path, size_t size, char **copy) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    char *bytes = file >= 0 && size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    if (file >= 0) close(file);
    if (bytes == MAP_FAILED) return NULL;
    *copy = zip_plain_sizes(bytes, size);
    munmap(bytes, size);
    if (*copy) return zip_open(*copy, size);
    return errno == ENOMEM ? NULL : unzOpen64(path);
}

int archive_read(const char *path, bool (*wanted)(const char *name), archive *out) {
    struct stat info;
    *out = (archive){.count = 0};
    if (stat(path, &info) != 0)
        return complain(EXIT_INPUT, "%s: %s", path, errno == ENOENT ? "no such file" : strerror(errno));
    if (!S_ISREG(info.st_mode)) return complain(EXIT_INPUT, "%s: is not a regular file", path);
    char *copy = NULL;
    unzFile zip = open_zip(path, (size_t)info.st_size, &copy);
    const int code =
        zip ? read_entries(path, zip, wanted, out) : complain(EXIT_INPUT, "%s: is no ZIP archive, or is damaged", path);
    if (zip) unzClose(zip);
    free(copy);
    return code;
}

void archive_free(archive *a) {
    for (size_t i = 0; i < a->count; i++) free(a->entries[i].name), free(a->entries[i].bytes);
    free(a->entries);
    *a = (archive){.count = 0};
}
