/* No output replaces an input, or another output.
 *
 * Files are compared by device and inode, not by name, so that links and other spellings of a path are seen; a file
 * that is yet to be made by its folder and its name there. What is no regular file (a device, a pipe) loses nothing
 * when it is written to, and is left out. */
#ifndef CLI_OVERWRITE_H
#define CLI_OVERWRITE_H

#include <stdbool.h>
#include <stdint.h>

/* The same for all paths to one file. */
typedef struct file_identity {
    uint64_t device, number;
} file_identity;

/* False where there is no such file, or none with lasting contents (a device, a pipe). */
bool file_identify(const char *path, file_identity *out);

/* Warns of files that are named twice, by whatever path. */
void warn_named_twice(const char *const *paths, uint32_t count);

/* What the command will write. */
typedef struct output_file {
    const char *option;     /* "--report"; NULL: the standard output */
    const char *path;       /* NULL: likewise */
    file_identity identity; /* of the file, or of the folder in which it is to be made */
    char *name;             /* in that folder; NULL: the file is there already */
} output_file;

enum { OUTPUT_MOST = 8 };
typedef struct output_files {
    output_file list[OUTPUT_MOST];
    int count;
} output_files;

/* Adds an output, and the standard output. False after saying that the file is an output already, or none ("-"). */
bool outputs_add(output_files *all, const char *option, const char *path);
bool outputs_add_standard(output_files *all);
void outputs_free(output_files *all);

/* False after saying which output would replace this input. `model` refers to it; NULL: it is named itself. An input
 * that is not there replaces nothing: whoever reads it says so. `all` may be NULL. */
bool outputs_spare_path(const output_files *all, const char *path);
bool outputs_spare(const output_files *all, const char *path, file_identity input, const char *model);

#endif
