/* No output replaces an input, or another output: see overwrite.h. */
#define _DEFAULT_SOURCE
#include "common/overwrite.h"

#include "common/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MOST = 40 }; /* as many as Linux follows */

static file_identity identity_of(const struct stat *s) {
    return (file_identity){(uint64_t)s->st_dev, (uint64_t)s->st_ino};
}

static bool same_identity(file_identity a, file_identity b) { return a.device == b.device && a.number == b.number; }

bool file_identify(const char *path, file_identity *out) {
    struct stat s;
    if (stat(path, &s) != 0 || !S_ISREG(s.st_mode)) return false;
    *out = identity_of(&s);
    return true;
}

typedef struct named_file {
    file_identity identity;
    uint32_t number; /* of its path */
} named_file;

static int compare_named(const void *a, const void *b) {
    const named_file *x = a, *y = b;
    if (x->identity.device != y->identity.device) return x->identity.device < y->identity.device ? -1 : 1;
    if (x->identity.number != y->identity.number) return x->identity.number < y->identity.number ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

void warn_named_twice(const char *const *paths, uint32_t count) {
    named_file *all = allocate(count, sizeof *all);
    uint32_t known = 0;
    for (uint32_t i = 0; i < count; i++) {
        all[known].number = i;
        known += file_identify(paths[i], &all[known].identity);
    }
    qsort(all, known, sizeof *all, compare_named);
    for (uint32_t i = 1; i < known; i++) {
        const char *first = paths[all[i - 1].number], *second = paths[all[i].number];
        if (!same_identity(all[i - 1].identity, all[i].identity)) continue;
        if (strcmp(first, second) == 0)
            warn("%s is named twice: its parts are compared with themselves", first);
        else
            warn("%s and %s are one file: its parts are compared with themselves", first, second);
    }
    free(all);
}

/* The path in the folder of `beside`, unless it is absolute. Takes over neither. */
static char *path_beside(const char *beside, const char *path) {
    int folder = (int)(base_name(beside) - beside);
    return *path == '/' ? copy_text(path) : format_text("%.*s%s", folder, beside, path);
}

/* Where a path leads whose last component may be a link to nothing. free() it. */
static char *follow_links(const char *path) {
    char *at = copy_text(path), target[4096];
    for (int links = 0; links < LINKS_MOST; links++) {
        ssize_t n = readlink(at, target, sizeof target - 1);
        if (n < 0) break;
        target[n] = 0;
        char *next = path_beside(at, target);
        free(at);
        at = next;
    }
    return at;
}

/* Finds the file, or the folder and the name that it will have. False where nothing can be lost there. */
static bool find_output(output_file *out) {
    struct stat s;
    if (stat(out->path, &s) == 0) {
        out->identity = identity_of(&s);
        return S_ISREG(s.st_mode);
    }
    char *path = follow_links(out->path), *folder = path_beside(path, ".");
    bool found = stat(folder, &s) == 0;
    if (found) {
        out->identity = identity_of(&s);
        out->name = copy_text(base_name(path));
    }
    free(folder);
    free(path);
    return found;
}

static bool same_output(const output_file *a, const output_file *b) {
    if (!a->name != !b->name || !same_identity(a->identity, b->identity)) return false;
    return !a->name || strcmp(a->name, b->name) == 0;
}

/* "--report r.html". */
static char *output_text(const output_file *f) {
    return f->option ? format_text("%s %s", f->option, f->path) : copy_text("the standard output");
}

/* Takes over the name. */
static bool add_output(output_files *all, output_file added) {
    for (int i = 0; i < all->count; i++) {
        if (!same_output(&all->list[i], &added)) continue;
        char *first = output_text(&all->list[i]), *second = output_text(&added);
        complain(EXIT_INPUT, "%s and %s are one file, and each would destroy the other: write one of them elsewhere",
                 first, second);
        free(first);
        free(second);
        free(added.name);
        return false;
    }
    all->list[all->count++] = added;
    return true;
}

bool outputs_add(output_files *all, const char *option, const char *path) {
    output_file f = {.option = option, .path = path};
    if (strcmp(path, "-") == 0) {
        complain(EXIT_INPUT, "%s -: this is written to a file: for standard output name /dev/stdout", option);
        return false;
    }
    return !find_output(&f) || add_output(all, f);
}

bool outputs_add_standard(output_files *all) {
    struct stat s;
    if (fstat(STDOUT_FILENO, &s) != 0 || !S_ISREG(s.st_mode)) return true;
    return add_output(all, (output_file){.identity = identity_of(&s)});
}

void outputs_free(output_files *all) {
    for (int i = 0; i < all->count; i++) free(all->list[i].name);
    all->count = 0;
}

bool outputs_spare(const output_files *all, const char *path, file_identity input, const char *model) {
    for (int i = 0; all && i < all->count; i++) {
        if (all->list[i].name || !same_identity(all->list[i].identity, input)) continue;
        char *output = output_text(&all->list[i]);
        if (model)
            complain(EXIT_INPUT, "%s would replace %s, which %s refers to: write it elsewhere", output, path, model);
        else
            complain(EXIT_INPUT, "%s would replace the input %s: write it elsewhere", output, path);
        free(output);
        return false;
    }
    return true;
}

bool outputs_spare_path(const output_files *all, const char *path) {
    struct stat s;
    return stat(path, &s) != 0 || outputs_spare(all, path, identity_of(&s), NULL);
}
