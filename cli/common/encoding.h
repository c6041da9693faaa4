/* Text as programs write that do not write UTF-8: Windows' Notepad ("Unicode") and PowerShell's `>` write UTF-16. */
#ifndef CLI_ENCODING_H
#define CLI_ENCODING_H

#include <stddef.h>
#include <stdio.h>

/* Text in UTF-16 or UTF-32 as UTF-8 without a mark, zero terminated; free() it. NULL where the bytes are neither, and
 * where there is no memory for it (then errno is ENOMEM, else 0).
 *
 * Such text begins with a mark, or with four characters of ASCII, and has no zero character: so no binary file is
 * taken for it that has a number below 65536 at an even place. What is no character (half a pair, a last byte alone)
 * becomes U+FFFD. Takes time in proportion to `size`, and memory of at most twice that. */
char *utf8_of_wide(const char *bytes, size_t size, size_t *out_size);

/* A whole text that was read, zero terminated and from malloc: the same in UTF-8 without a mark. */
void text_to_utf8(char **text, size_t *size);
/* Opens a text to be read line by line; where it begins with a mark of UTF-16 or UTF-32, in UTF-8, of at most 64 MB.
 * NULL with errno. Pipes are not sought in. */
FILE *open_as_utf8(const char *path);

#endif
