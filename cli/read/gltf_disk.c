/* The files of a glTF model: see gltf_disk.h. Apart from the reading of what is in them, as the page that runs in a
 * browser (web/pages/drop) has its files elsewhere. */
#define _DEFAULT_SOURCE
#include "read/gltf_disk.h"

#include "read/beside.h"

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
    const char *slash = strrchr(f->path, '/');
    char *full =
        *name == '/' || !slash ? copy_text(name) : format_text("%.*s%s", (int)(slash + 1 - f->path), f->path, name);
    char *found = find_beside(f->path, full);
    if (!found && errno == EXDEV) gltf_refuse(f, "%s is outside the model's folder: it is not opened", what);
    if (!found) gltf_refuse(f, "%s cannot be opened: %s", what, strerror(errno));
    gltf_bytes all = gltf_read_file(f, found, full, what);
    free(found), free(full);
    return all;
}
