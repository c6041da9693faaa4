/* The tiles that are done, in a folder: see finished.h. */
#include "ranks/finished.h"

#include "common/text.h"
#include "ranks/ranks.h"
#include "ranks/sides.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PLAN "carom-plan"
#define TILE "carom-tile-"

/* --- files ------------------------------------------------------------------------------------------------------- */

static char *file_path(const char *folder, uint32_t tile) {
    if (tile == UINT32_MAX) return format_text("%s/" PLAN, folder);
    return format_text("%s/" TILE "%u", folder, tile);
}

/* The hash of the check, what is kept, and a hash of both. False, and errno, where it cannot be written. */
static bool write_file(const finished *f, uint32_t tile, const block *kept) {
    char *path = file_path(f->folder, tile), *partial = format_text("%s.part", path);
    uint64_t sum = block_hash(BLOCK_HASH, &f->check, sizeof f->check);
    if (kept->size > 0) sum = block_hash(sum, kept->bytes, kept->size);
    FILE *file = fopen(partial, "wb");
    bool done = file && fwrite(&f->check, sizeof f->check, 1, file) == 1;
    done = done && fwrite(kept->bytes, 1, kept->size, file) == kept->size && fwrite(&sum, sizeof sum, 1, file) == 1;
    int error = done ? 0 : errno;
    if (file && fclose(file) != 0 && error == 0) error = errno, done = false;
    if (done && rename(partial, path) != 0) error = errno, done = false;
    if (!done) remove(partial);
    free(partial);
    free(path);
    errno = error;
    return done;
}

/* Adds what was kept. False where there is no such file, or not the whole of it, or one of another check. */
static bool read_file(const finished *f, uint32_t tile, block *kept, bool *other) {
    char *path = file_path(f->folder, tile);
    FILE *file = fopen(path, "rb");
    free(path);
    struct stat info;
    uint64_t head[2] = {0, 0}; /* the check; the sum */
    bool done = file && fstat(fileno(file), &info) == 0 && info.st_size >= (off_t)sizeof head &&
                fread(&head[0], sizeof head[0], 1, file) == 1;
    *other |= done && head[0] != f->check;
    if (done && head[0] == f->check) {
        const size_t size = (size_t)info.st_size - sizeof head;
        unsigned char *bytes = block_add(kept, size);
        done = fread(bytes, 1, size, file) == size && fread(&head[1], sizeof head[1], 1, file) == 1 &&
               block_hash(block_hash(BLOCK_HASH, &head[0], sizeof head[0]), bytes, size) == head[1];
    }
    if (file) fclose(file);
    return done && head[0] == f->check;
}

/* --- which check it is ------------------------------------------------------------------------------------------- */

static uint64_t hash_number(uint64_t hash, double number) { return block_hash(hash, &number, sizeof number); }

/* Of all that the findings of tiles follow from. The tiles are not in it: they are in the plan. */
static uint64_t hash_check(const tiling *t) {
    const cm_check_desc *d = t->desc;
    uint64_t hash = hash_text(TEXT_HASH, CM_VERSION_TEXT);
    hash = hash_number(hash, sizeof(cm_finding) + 4096.0 * sizeof(part_outline));
    hash = hash_number(hash_number(hash, (double)d->tolerance), (double)d->clearance);
    hash = hash_number(hash_number(hash_number(hash, d->skip), d->outlines), d->volumes);
    for (uint32_t i = 0; i < d->test_count; i++) {
        const cm_check_test *test = &d->tests[i];
        hash = hash_number(hash_number(hash, test->kind), test->severity);
        hash = hash_number(hash_number(hash, (double)test->tolerance), (double)test->clearance);
    }
    for (uint32_t i = 0; i < d->tolerance_count; i++) hash = hash_number(hash, (double)d->tolerances[i].tolerance);
    hash = hash_number(hash_number(hash, t->count), (double)t->margin);
    hash = block_hash(hash, t->sides, (size_t)sides_rows(d) * t->count);
    hash = block_hash(hash, &t->content, sizeof t->content);
    return block_hash(hash, t->outlines, t->count * sizeof *t->outlines);
}

/* --- the plan ---------------------------------------------------------------------------------------------------- */

static bool write_plan(const finished *f, const tiling *t) {
    block plan = {0};
    block_put(&plan, &t->tile_count, sizeof t->tile_count);
    for (uint32_t i = 0; i < t->tile_count; i++) {
        cm_check_tile tile;
        memset(&tile, 0, sizeof tile);
        tile.box = t->tiles[i].box, tile.share = t->tiles[i].share, tile.shares = t->tiles[i].shares;
        tile.margin = t->tiles[i].margin;
        block_put(&plan, &tile, sizeof tile);
    }
    const bool done = write_file(f, UINT32_MAX, &plan);
    block_free(&plan);
    return done;
}

static bool read_plan(const finished *f, tiling *t) {
    block plan = {0};
    bool other = false;
    const bool done = read_file(f, UINT32_MAX, &plan, &other);
    if (done) {
        block_take(&plan, &t->tile_count, sizeof t->tile_count);
        t->tiles = allocate(t->tile_count, sizeof *t->tiles);
        block_take(&plan, t->tiles, t->tile_count * sizeof *t->tiles);
    }
    block_free(&plan);
    if (other) warn("%s: is of another check (its files, options or rules differ); starts anew", f->folder);
    return done;
}

/* On the first rank: what is done of the plan. */
static void read_tiles(finished *f) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->tile_count; i++) {
        bool other = false;
        f->done[i] = read_file(f, i, &f->kept[i], &other);
        if (!f->done[i]) block_free(&f->kept[i]);
        count += f->done[i];
    }
    complain(0, "%s: goes on; %u of %u tiles are done", f->folder, count, f->tile_count);
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

int finished_prepare(const char *folder) {
    struct stat info;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return complain(EXIT_INPUT, "%s: cannot be made: %s", folder, strerror(errno));
    if (stat(folder, &info) == 0 && !S_ISDIR(info.st_mode)) return complain(EXIT_INPUT, "%s: is no folder", folder);
    if (access(folder, W_OK | X_OK) != 0)
        return complain(EXIT_INPUT, "%s: cannot be written to: %s", folder, strerror(errno));
    return 0;
}

/* The first rank's tiles to all. */
static void share_plan(tiling *t) {
    ranks_from(0, &t->tile_count, sizeof t->tile_count);
    if (ranks_own() > 0) t->tiles = allocate(t->tile_count, sizeof *t->tiles);
    ranks_from(0, t->tiles, t->tile_count * sizeof *t->tiles);
    t->open = allocate(t->tile_count, sizeof *t->open);
}

/* Together: in place of what the folder had. */
static int make_plan(const finished *f, tiling *t) {
    int code = tiling_cut(t);
    if (code != 0) return code;
    if (ranks_own() == 0) {
        finished_forget(f->folder);
        code = finished_prepare(f->folder);
        if (code == 0 && !write_plan(f, t))
            code = complain(EXIT_INPUT, "%s: cannot be written to: %s", f->folder, strerror(errno));
    }
    return ranks_agree(code, 0);
}

int finished_open(finished *f, const char *folder, tiling *t) {
    *f = (finished){.folder = folder, .check = hash_check(t)};
    ranks_from(0, &f->check, sizeof f->check);
    bool there = ranks_own() == 0 && read_plan(f, t);
    ranks_from(0, &there, sizeof there);
    const int code = there ? 0 : make_plan(f, t);
    if (code != 0) return code;
    if (there) share_plan(t);
    f->tile_count = t->tile_count;
    f->done = allocate(f->tile_count, sizeof *f->done);
    if (ranks_own() == 0) f->kept = allocate(f->tile_count, sizeof *f->kept);
    if (there && ranks_own() == 0) read_tiles(f);
    ranks_from(0, f->done, f->tile_count * sizeof *f->done);
    t->open_count = 0;
    for (uint32_t i = 0; i < f->tile_count; i++)
        if (!f->done[i]) t->open[t->open_count++] = i;
    return 0;
}

bool finished_keep(const finished *f, uint32_t tile, const block *found) { return write_file(f, tile, found); }

void finished_close(finished *f) {
    for (uint32_t i = 0; i < f->tile_count && f->kept; i++) block_free(&f->kept[i]);
    free(f->kept);
    free(f->done);
    *f = (finished){.folder = NULL};
}

/* Only names that are made here, in the very form. */
static bool is_ours(const char *name) {
    char made[64];
    unsigned tile;
    if (strcmp(name, PLAN) == 0 || strcmp(name, PLAN ".part") == 0) return true;
    if (sscanf(name, TILE "%u", &tile) != 1) return false;
    snprintf(made, sizeof made, TILE "%u", tile);
    const size_t length = strlen(made);
    return strncmp(name, made, length) == 0 && (!name[length] || strcmp(name + length, ".part") == 0);
}

void finished_forget(const char *folder) {
    DIR *list = opendir(folder);
    if (!list) return;
    for (struct dirent *entry; (entry = readdir(list));) {
        if (!is_ours(entry->d_name)) continue;
        char *path = format_text("%s/%s", folder, entry->d_name);
        remove(path);
        free(path);
    }
    closedir(list);
    rmdir(folder);
}
