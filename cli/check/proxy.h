/* A bounding volume as a closed convex mesh that a file can hold: its corners are single precision numbers of the
 * file's unit, and every corner of the model is inside it, as decided by exact signs on those very numbers. */
#ifndef CLI_PROXY_H
#define CLI_PROXY_H

#include "check/bounding.h"
#include "page/page.h"

typedef struct proxy_options {
    double unit;           /* metres of the file's unit */
    int segments;          /* around a sphere or capsule */
    uint32_t max_vertices; /* of a hull; 0 = all of them */
} proxy_options;

/* The volume as a hull, in metres, as a reader of the file gets it. NULL where there is none, with a static reason in
 * `wrong`; free with cm_hull_destroy. */
cm_hull *proxy_make(const bounding *b, bounding_kind kind, const proxy_options *options, const char **wrong);

typedef enum proxy_format { PROXY_OBJ, PROXY_STL, PROXY_FORMATS } proxy_format;
/* By the ending of the path; PROXY_FORMATS where it is neither. */
proxy_format proxy_format_of(const char *path);

/* The proxies one after the other, all in one file; each is an object of an OBJ. */
typedef struct proxy_file {
    page out;
    proxy_format format;
    double unit;
    uint32_t points; /* written so far */
} proxy_file;
/* `triangles` of all that will be added. A failure is kept, and reported by proxy_close. */
void proxy_open(proxy_file *f, const char *path, double unit, uint64_t triangles);
void proxy_add(proxy_file *f, const char *name, const cm_hull *proxy);
/* False with a line in `message` that names the path; then nothing new is left behind. */
bool proxy_close(proxy_file *f, const char *path, char *message, size_t size);

#endif
