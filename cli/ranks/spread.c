/* A scene spread over ranks: see spread.h.
 *
 * Each rank reads files that are named one after the other, of about equal size together: neighbors in the list are
 * often neighbors in space, and a tile then needs little from other ranks. Whatever the ranks, a file gives the same
 * parts: their names begin with its title, which all ranks know, and which axis points up is heard from the rank that
 * reads the first file. Parts and meshes are numbered as they are where one process reads all files one after the
 * other. */
#include "ranks/spread.h"

#include "common/text.h"
#include "ranks/ranks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- who reads what ---------------------------------------------------------------------------------------------- */

/* The first rank looks at the files, as others may see them otherwise. A file is its rank's in whose share of all bytes
 * its middle lies. */
static int *choose_readers(const options *o) {
    int *reader = allocate(o->path_count, sizeof *reader);
    if (ranks_own() == 0) {
        double *bytes = allocate(o->path_count, sizeof *bytes), all = 0, passed = 0;
        for (uint32_t i = 0; i < o->path_count; i++) {
            struct stat info;
            bytes[i] = 1e4 + (stat(o->paths[i], &info) == 0 ? (double)info.st_size : 0); /* what any file costs */
            all += bytes[i];
        }
        for (uint32_t i = 0; i < o->path_count; i++) {
            const int rank = (int)((passed + bytes[i] / 2) / all * ranks_count());
            reader[i] = rank < ranks_count() ? rank : ranks_count() - 1;
            passed += bytes[i];
        }
        free(bytes);
    }
    ranks_from(0, reader, o->path_count * sizeof *reader);
    return reader;
}

/* The numbers of a rank's files, ascending. `out` has room for all files. */
static void list_files(const spread *s, uint32_t file_count, int rank, uint32_t *out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < file_count; i++)
        if (s->reader[i] == rank) out[count++] = i;
}

/* --- reading ----------------------------------------------------------------------------------------------------- */

typedef struct up_call {
    int root; /* who reads the first file */
    bool done;
} up_call;

static char hear_up(void *user, char own) {
    up_call *call = user;
    if (call->done) return own;
    call->done = true;
    ranks_from(call->root, &own, 1);
    return own;
}

static int read_own(const options *o, spread *s, double seconds[2]) {
    bool *mine = allocate(o->path_count, sizeof *mine);
    for (uint32_t i = 0; i < o->path_count; i++) mine[i] = s->reader[i] == ranks_own();
    up_call call = {.root = s->reader[0]};
    read_share share = {.mine = mine, .up = hear_up, .user = &call, .failed = UINT32_MAX};
    const bool may_be_second = ranks_own() == 0 && ranks_count() > 1;
    if (may_be_second) messages_hold(); /* another rank may have the first file that cannot be read */
    int code = read_share_of_scene(o->paths, o->path_count, &o->read, &share, &s->own, seconds);
    hear_up(&call, 0); /* where no file was read here, or not the first */
    free(mine);
    return ranks_agree(code, share.failed);
}

/* --- the catalog ------------------------------------------------------------------------------------------------- */

/* Does the check, or what it writes, ask for this property of parts? A selector may ask for any. */
static bool is_asked_for(const options *o, const char *key) {
    if (o->rules || o->approved || o->between_count > 0 || o->allow_count > 0) return true;
    return strcmp(key, "id") == 0 || strcmp(key, "class") == 0 || (o->group && strcmp(key, o->group) == 0);
}

static void put_part(block *b, const options *o, const scene *s, const scene_part *part) {
    const import_property *list = s->files[part->file].facts.properties;
    const uint32_t first = part->first_property, end = first + part->property_count;
    uint32_t kept = 0;
    for (uint32_t i = first; i < end; i++) kept += is_asked_for(o, list[i].key);
    block_put(b, part, sizeof *part);
    block_put_text(b, part->name);
    block_put(b, &kept, sizeof kept);
    for (uint32_t i = first; i < end; i++)
        if (is_asked_for(o, list[i].key)) block_put_text(b, list[i].key), block_put_text(b, list[i].value);
}

static void put_facts(block *b, const import_facts *facts) {
    block_put_text(b, facts->place.system ? facts->place.system : "");
    for (uint32_t i = 0; i < facts->left_out_count; i++) {
        const import_left_out *thing = &facts->left_out[i];
        block_put(b, &thing->fate, sizeof thing->fate);
        block_put_text(b, thing->id), block_put_text(b, thing->kind);
        block_put_text(b, thing->name), block_put_text(b, thing->reason);
    }
}

/* The files of a rank, their meshes without points, and their parts. */
static void put_scene(block *b, const options *o, const scene *s) {
    const uint32_t head[6] = {s->file_count,    s->mesh_count, s->part_count,
                              s->ignored_parts, s->left_out,   (uint32_t)s->up};
    block_put(b, head, sizeof head);
    block_put(b, o->read.ignore_used, o->read.ignore_count * sizeof *o->read.ignore_used);
    block_put(b, o->read.sought_left_out, o->read.sought_count * sizeof *o->read.sought_left_out);
    for (uint32_t i = 0; i < s->file_count; i++) {
        const scene_file *file = &s->files[i];
        block_put(b, file, sizeof *file);
        block_put_text(b, file->path), block_put_text(b, file->format);
        for (uint32_t k = 0; k < file->note_count; k++) block_put_text(b, file->notes[k]);
        put_facts(b, &file->facts);
    }
    block_put(b, s->meshes, s->mesh_count * sizeof *s->meshes);
    for (uint32_t i = 0; i < s->part_count; i++) put_part(b, o, s, &s->parts[i]);
}

static void take_facts(block *b, import_facts *facts) {
    facts->properties = NULL, facts->property_count = 0;
    facts->place.system = block_take_text(b);
    facts->left_out = allocate(facts->left_out_count, sizeof *facts->left_out);
    for (uint32_t i = 0; i < facts->left_out_count; i++) {
        import_left_out *thing = &facts->left_out[i];
        block_take(b, &thing->fate, sizeof thing->fate);
        thing->id = block_take_text(b), thing->kind = block_take_text(b);
        thing->name = block_take_text(b), thing->reason = block_take_text(b);
    }
}

static void take_file(block *b, scene_file *file) {
    block_take(b, file, sizeof *file);
    file->properties = NULL;
    file->path = block_take_text(b), file->format = block_take_text(b);
    file->notes = allocate(file->note_count, sizeof *file->notes);
    for (uint32_t k = 0; k < file->note_count; k++) file->notes[k] = block_take_text(b);
    take_facts(b, &file->facts);
}

static void take_part(block *b, const uint32_t *file_numbers, uint32_t mesh_base, size_t *capacity, scene *catalog,
                      scene_part *part) {
    block_take(b, part, sizeof *part);
    part->name = block_take_text(b);
    part->file = file_numbers[part->file], part->mesh += mesh_base;
    import_facts *facts = &catalog->files[part->file].facts;
    block_take(b, &part->property_count, sizeof part->property_count);
    part->first_property = facts->property_count;
    for (uint32_t i = 0; i < part->property_count; i++) {
        facts->properties =
            grow(facts->properties, facts->property_count, &capacity[part->file], sizeof *facts->properties);
        import_property *property = &facts->properties[facts->property_count++];
        property->key = block_take_text(b), property->value = block_take_text(b);
    }
}

typedef struct catalog_work {
    const options *o;
    const spread *s;
    size_t *capacity; /* one a file: of its properties */
    scene *catalog;
} catalog_work;

/* Those that are set of one rank are set of all. */
static void take_flags(block *b, bool *flags, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        bool set;
        block_take(b, &set, sizeof set);
        flags[i] |= set;
    }
}

/* One rank's files into the catalog. Its meshes and parts lie file by file; those of a file go where it stands among
 * all. */
static void take_scene(void *user, int rank, block *b) {
    const catalog_work *work = user;
    const options *o = work->o;
    const spread *s = work->s;
    scene *catalog = work->catalog;
    uint32_t head[6];
    block_take(b, head, sizeof head);
    catalog->ignored_parts += head[3], catalog->left_out += head[4];
    if (head[0] > 0) catalog->up = (char)head[5];
    take_flags(b, o->read.ignore_used, o->read.ignore_count);
    take_flags(b, o->read.sought_left_out, o->read.sought_count);
    uint32_t *numbers = allocate(o->path_count, sizeof *numbers);
    list_files(s, o->path_count, rank, numbers);
    for (uint32_t i = 0; i < head[0]; i++) take_file(b, &catalog->files[numbers[i]]);
    for (uint32_t i = 0; i < head[0]; i++)
        for (uint32_t m = s->meshes[numbers[i]]; m < s->meshes[numbers[i] + 1]; m++) {
            block_take(b, &catalog->meshes[m], sizeof catalog->meshes[m]);
            catalog->meshes[m].mesh = NULL;
        }
    uint32_t before = 0; /* meshes of this rank's earlier files */
    for (uint32_t i = 0; i < head[0]; i++) {
        const uint32_t file = numbers[i];
        for (uint32_t p = s->parts[file]; p < s->parts[file + 1]; p++)
            take_part(b, numbers, s->meshes[file] - before, work->capacity, catalog, &catalog->parts[p]);
        before += s->meshes[file + 1] - s->meshes[file];
    }
    free(numbers);
}

static void make_catalog(const options *o, const spread *s, scene *catalog) {
    block own = {0};
    catalog_work work = {o, s, NULL, catalog};
    if (ranks_own() == 0) {
        const uint32_t parts = s->parts[o->path_count], meshes = s->meshes[o->path_count];
        *catalog = (scene){.files = allocate(o->path_count, sizeof *catalog->files),
                           .file_count = o->path_count,
                           .meshes = allocate(meshes, sizeof *catalog->meshes),
                           .mesh_count = meshes,
                           .parts = allocate(parts, sizeof *catalog->parts),
                           .part_count = parts,
                           .up = 'z'};
        work.capacity = allocate(o->path_count, sizeof *work.capacity);
    }
    put_scene(&own, o, &s->own);
    ranks_to_first(&own, take_scene, &work);
    block_free(&own);
    free(work.capacity);
    for (uint32_t i = 0; i < catalog->file_count; i++)
        catalog->files[i].properties = list_properties(&catalog->files[i].facts);
}

typedef struct file_counts {
    uint32_t parts, meshes;
} file_counts;

typedef struct number_work {
    spread *s;
    uint32_t file_count;
} number_work;

/* How many the files of a rank have, each behind the place of its own first. */
static void take_counts(void *user, int rank, block *from) {
    const number_work *work = user;
    for (uint32_t i = 0; i < work->file_count; i++) {
        file_counts its;
        if (work->s->reader[i] != rank) continue;
        block_take(from, &its, sizeof its);
        work->s->parts[i + 1] = its.parts, work->s->meshes[i + 1] = its.meshes;
    }
}

/* Numbers parts and meshes as they are where one process reads all files. */
static void number_all(uint32_t file_count, spread *s) {
    const scene *own = &s->own;
    file_counts *counts = allocate(own->file_count, sizeof *counts);
    for (uint32_t i = 0; i < own->file_count; i++) counts[i].meshes = own->files[i].mesh_count;
    for (uint32_t p = 0; p < own->part_count; p++) counts[own->parts[p].file].parts++;
    block mine = {0};
    number_work work = {s, file_count};
    block_put(&mine, counts, own->file_count * sizeof *counts);
    s->parts = allocate(file_count + 1u, sizeof *s->parts), s->meshes = allocate(file_count + 1u, sizeof *s->meshes);
    ranks_to_all(&mine, take_counts, &work);
    for (uint32_t i = 0; i < file_count; i++) s->parts[i + 1] += s->parts[i], s->meshes[i + 1] += s->meshes[i];
    block_free(&mine);
    free(counts);
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

int spread_read(const options *o, spread *out, scene *catalog, double seconds[2]) {
    *out = (spread){.reader = choose_readers(o)};
    const int code = read_own(o, out, seconds);
    if (code != 0) return code;
    number_all(o->path_count, out);
    make_catalog(o, out, catalog);
    if (ranks_own() > 0) return 0;
    warn_of_places(catalog);
    options_warn_unused(o, catalog);
    return 0;
}

void spread_free(spread *s) {
    free_scene(&s->own);
    free(s->reader);
    free(s->parts);
    free(s->meshes);
    *s = (spread){.reader = NULL};
}
