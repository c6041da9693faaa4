/* Where the mesh files of a robot are: see packages.h. */
#define _DEFAULT_SOURCE
#include "robot/packages.h"

#include "common/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Adds the components of a path to another that is absolute and has no "." or "..". */
static char *join(const char *folder, const char *path) {
    char *out = allocate(strlen(folder) + strlen(path) + 2, 1);
    strcpy(out, *path == '/' || strcmp(folder, "/") == 0 ? "" : folder);
    for (const char *at = path; *at;) {
        at += strspn(at, "/");
        const size_t length = strcspn(at, "/");
        if (length == 2 && memcmp(at, "..", 2) == 0) {
            char *slash = strrchr(out, '/');
            if (slash) *slash = 0;
        } else if (length > 0 && !(length == 1 && *at == '.')) {
            strcat(out, "/");
            strncat(out, at, length);
        }
        at += length;
    }
    return out;
}

static bool lies_in(const char *folder, const char *path) {
    const size_t length = strlen(folder);
    return folder[length > 0 ? length - 1 : 0] == '/' ||
           (strncmp(folder, path, length) == 0 && (path[length] == '/' || !path[length]));
}

typedef struct search {
    const robot *robot;
    const char *urdf;
    char **roots; /* the folder of the URDF, then of each package; NULL where there is no such folder */
    const robot_options *options;
    text_buffer packages, files; /* that are missing */
    uint32_t package_count, file_count;
    int code;
} search;

/* Adds to a list what is not in it yet. */
static void list_once(text_buffer *list, uint32_t *count, const char *text) {
    const size_t length = strlen(text);
    for (const char *at = list->bytes; at && *at;) {
        const size_t n = strcspn(at, "\n");
        if (n == length && memcmp(at, text, n) == 0) return;
        at += n + (at[n] == '\n');
    }
    text_add(list, "%s%s", *count > 0 ? "\n" : "", text);
    ++*count;
}

static void refuse(search *s, const robot_collision *c, const char *why) {
    if (s->code == 0) s->code = complain(EXIT_INPUT, "%s:%ld: the mesh '%s' %s", s->urdf, c->line, c->mesh, why);
}

/* package://NAME/PATH; NULL where the package is not given. */
static char *find_in_package(search *s, const robot_collision *c, const char *rest) {
    const size_t length = strcspn(rest, "/");
    if (length == 0) {
        refuse(s, c, "names no package: it is package://NAME/PATH");
        return NULL;
    }
    for (uint32_t i = 0; i < s->options->package_count; i++) {
        const char *name = s->options->packages[i].name;
        if (strlen(name) != length || memcmp(name, rest, length) != 0) continue;
        return join(s->roots[i + 1], rest[length] ? rest + length + 1 : "");
    }
    char *name = format_text("%.*s", (int)length, rest);
    list_once(&s->packages, &s->package_count, name);
    free(name);
    return NULL;
}

static char *find_one(search *s, const robot_collision *c) {
    char *path = NULL;
    if (strncmp(c->mesh, "package://", 10) == 0)
        path = find_in_package(s, c, c->mesh + 10);
    else if (strncmp(c->mesh, "file:///", 8) == 0)
        path = join("", c->mesh + 7);
    else if (strstr(c->mesh, "://"))
        refuse(s, c, "is not at a place that is known: known are package://, file:/// and a path");
    else
        path = join(s->roots[0], c->mesh);
    if (!path) return NULL;
    bool allowed = false;
    for (uint32_t i = 0; i <= s->options->package_count; i++) allowed |= lies_in(s->roots[i], path);
    if (!allowed)
        refuse(s, c,
               "lies outside the folder of the file and those of --package: name its folder by --package ANY=FOLDER");
    else if (access(path, R_OK) != 0)
        list_once(&s->files, &s->file_count, path);
    return path;
}

static void find_roots(search *s) {
    char *folder = format_text("%.*s.", (int)(base_name(s->urdf) - s->urdf), s->urdf);
    s->roots = allocate(s->options->package_count + 1u, sizeof *s->roots);
    s->roots[0] = realpath(folder, NULL);
    if (!s->roots[0]) s->code = complain(EXIT_INPUT, "%s: its folder cannot be found", s->urdf);
    for (uint32_t i = 0; i < s->options->package_count && s->code == 0; i++) {
        const robot_package *p = &s->options->packages[i];
        s->roots[i + 1] = realpath(p->folder, NULL);
        if (!s->roots[i + 1]) s->code = complain(EXIT_INPUT, "--package %s: no folder '%s'", p->name, p->folder);
    }
    free(folder);
}

/* One line for the terminal: commas for line ends. */
static char *in_a_line(const text_buffer *list) {
    text_buffer out = {0};
    for (const char *at = list->bytes; *at; at += *at == '\n') {
        const size_t n = strcspn(at, "\n");
        text_add(&out, "%s%.*s", out.used > 0 ? ", " : "", (int)n, at);
        at += n;
    }
    return out.bytes;
}

static void say_missing(search *s) {
    if (s->package_count > 0) {
        char *names = in_a_line(&s->packages);
        s->code = complain(EXIT_INPUT, "%s: needs the package%s %s: say where by --package NAME=FOLDER, one for each",
                           s->urdf, plural(s->package_count), names);
        free(names);
    } else if (s->file_count > 0) {
        char *names = in_a_line(&s->files);
        s->code = complain(EXIT_INPUT, "%s: %u mesh file%s cannot be found: %s", s->urdf, s->file_count,
                           plural(s->file_count), names);
        free(names);
    }
}

char **packages_find(const robot *r, const char *urdf, const robot_options *options) {
    search s = {.robot = r, .urdf = urdf, .options = options};
    char **paths = allocate(r->collision_count, sizeof *paths);
    find_roots(&s);
    for (uint32_t i = 0; i < r->collision_count && s.code == 0; i++)
        if (r->collisions[i].mesh) paths[i] = find_one(&s, &r->collisions[i]);
    if (s.code == 0) say_missing(&s);
    for (uint32_t i = 0; i <= options->package_count; i++) free(s.roots[i]);
    free(s.roots);
    free(s.packages.bytes);
    free(s.files.bytes);
    if (s.code == 0) return paths;
    packages_free(paths, r->collision_count);
    return NULL;
}

void packages_free(char **paths, uint32_t count) {
    for (uint32_t i = 0; paths && i < count; i++) free(paths[i]);
    free(paths);
}
