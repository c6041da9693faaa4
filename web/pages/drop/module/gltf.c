/* The command's own reader of glTF for the page: a file in, the stream of docs/reader.md out, by the standard output.
 * Its files are those that were dropped, and the decoder of Draco is the page's (gltf_draco.h is implemented there). An
 * instance is for one file. */
#include "read/gltf.h"

#include "read/gltf_disk.h"

#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name), used))
#define PAGE(name)   __attribute__((import_module("page"), import_name(#name)))

/* Of the page: how large the dropped file of that name is, negative where there is none; and its bytes. */
PAGE(size_of) double page_size_of(const char *name);
PAGE(read) void page_read(const char *name, unsigned char *out);

gltf_bytes gltf_read_file(gltf_file *f, const char *path, const char *shown, const char *what) {
    (void)shown, (void)what;
    const double size = page_size_of(path);
    if (size < 0) gltf_refuse(f, "it needs %s: drop that with it", path);
    gltf_bytes all = {gltf_room((size_t)size + 1, 1), (size_t)size};
    page_read(path, all.bytes);
    return all;
}

/* What is dropped has no folders. */
gltf_bytes gltf_read_beside(gltf_file *f, const char *name, const char *what) {
    const char *slash = strrchr(name, '/');
    return gltf_read_file(f, slash ? slash + 1 : name, name, what);
}

EXPORT(gltf_read) void gltf_read(const char *path) { gltf_child(path, 1); }
