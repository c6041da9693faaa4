/* The files of a glTF model: see gltf_disk.h. Apart from the reading of what is in them, as the page that runs in a
 * browser (web/pages/drop) has its files elsewhere. */
#define _DEFAULT_SOURCE
#include "read/gltf_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

gltf_bytes gltf_read_file(gltf_file *f, const char *path, const char *shown, const char *what) {
    struct stat s;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) gltf_refuse(f, "%s cannot be opened: %s", what, strerror(errno));
    if (fstat(fd, &s) != 0 || !S_ISREG(s.st_mode)) gltf_refuse(f, "%s is not a regular file", what);
    gltf_bytes all = {gltf_room((size_t)s.st_size + 1, 1), 0};
    while (all.size < (size_t)s.st_size) {
        ssize_t n = read(fd, all.bytes + all.size, (size_t)s.st_size - all.size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        all.size += (size_t)n;
    }
    close(fd);
    const uint64_t identity[2] = {(uint64_t)s.st_dev, (uint64_t)s.st_ino};
    sink_source(f->out, shown, identity);
    return all;
}

gltf_bytes gltf_read_beside(gltf_file *f, const char *name, const char *what) {
    char folder[4096], found[4096];
    const char *slash = strrchr(f->path, '/');
    char *own = slash ? copy_text(f->path) : copy_text(".");
    if (slash) own[slash == f->path ? 1 : slash - f->path] = 0;
    char *full = *name == '/' || !slash ? copy_text(name) : format_text("%s/%s", own, name);
    if (!realpath(own, folder) || !realpath(full, found))
        gltf_refuse(f, "%s cannot be opened: %s", what, strerror(errno));
    size_t length = strlen(folder);
    bool below = length == 1 || (strncmp(found, folder, length) == 0 && found[length] == '/');
    if (!below) gltf_refuse(f, "%s is outside the model's folder: it is not opened", what);
    gltf_bytes all = gltf_read_file(f, found, full, what);
    free(own), free(full);
    return all;
}
