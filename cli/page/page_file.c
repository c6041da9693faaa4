/* The file of a page: see page.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "page/page.h"

#include "common/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void say(char *message, size_t size, const char *path, int error) {
    snprintf(message, size, "%s: cannot be written: %s", path, strerror(error));
}

bool page_can_write(const char *path, char *message, size_t size) {
    struct stat there;
    bool existed = stat(path, &there) == 0;
    errno = 0;
    FILE *file = fopen(path, "ab");
    if (!file) {
        say(message, size, path, errno);
        return false;
    }
    fclose(file);
    if (!existed) remove(path);
    return true;
}

/* Devices and pipes are written at once, and so is a file in a folder where no other can be made. */
void page_open(page *p, const char *path, const page_frame *frame) {
    struct stat there;
    *p = (page){.frame = frame};
    bool existed = stat(path, &there) == 0;
    char *real = existed ? realpath(path, NULL) : NULL;
    p->path = copy_text(real ? real : path);
    free(real);
    if (!existed || S_ISREG(there.st_mode)) {
        p->partial = format_text("%s.%ld.part", p->path, (long)getpid());
        p->file = fopen(p->partial, "wbx");
        if (p->file && existed) chmod(p->partial, there.st_mode & 07777);
        if (!p->file) {
            free(p->partial);
            p->partial = NULL;
        }
    }
    errno = 0;
    if (!p->file) p->file = fopen(p->path, "wb");
    if (!p->file) {
        p->error = errno ? errno : EIO;
        return;
    }
    setvbuf(p->file, NULL, _IOFBF, 1 << 18);
    page_put(p, frame->head, frame->head_size);
}

bool page_close(page *p, const char *path, char *message, size_t size) {
    page_put(p, p->frame->tail, p->frame->tail_size);
    bool opened = p->file != NULL;
    errno = 0;
    if (opened && fclose(p->file) && !p->error) p->error = errno ? errno : EIO; /* a full disk may show only here */
    if (!p->error && p->partial && rename(p->partial, p->path)) p->error = errno ? errno : EIO;
    if (p->error) {
        struct stat made;
        const char *written = p->partial ? p->partial : p->path;
        if (opened && stat(written, &made) == 0 && S_ISREG(made.st_mode)) remove(written); /* devices and pipes stay */
        say(message, size, path, p->error);
    }
    free(p->path);
    free(p->partial);
    return !p->error;
}
