/* Files that a model refers to: only those below its own folder are opened. */
#ifndef CLI_BESIDE_H
#define CLI_BESIDE_H

/* Where `path` leads, links resolved; free() it. NULL with errno EXDEV where that is outside the folder in which the
 * model is named, or with the errno of what it failed on. */
char *find_beside(const char *model, const char *path);

#endif
