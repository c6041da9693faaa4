/* Messages, memory and text. Text from files and arguments is never trusted: it is cleaned before it is kept or shown.
 */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The exit codes of the command. */
enum { EXIT_NOTHING = 0, EXIT_FOUND = 1, EXIT_INPUT = 2, EXIT_INTERNAL = 3 };

#if defined(__GNUC__)
#define TEXT_FORMAT(f, a) __attribute__((format(printf, f, a)))
#else
#define TEXT_FORMAT(f, a)
#endif

/* Says "carom: ..." on stderr, cleaned, one line; returns `code`, so that callers can `return complain(...)`. */
int complain(int code, const char *format, ...) TEXT_FORMAT(2, 3);
/* Says "carom: warning: ..." likewise. */
void warn(const char *format, ...) TEXT_FORMAT(1, 2);

/* Keeps messages from now on instead of showing them, until they are taken: a copy of all of them as they would have
 * been shown, "" where there are none; free() it. */
void messages_hold(void);
char *messages_take(void);

/* Memory, zeroed; ends the command with EXIT_INTERNAL and a message where there is none. Free with free(). */
void *allocate(size_t count, size_t size);
/* Room for one more in an array of `count` things of `size` bytes, doubling. */
void *grow(void *array, size_t count, size_t *capacity, size_t size);
char *copy_text(const char *text);
/* FNV-1a of the text and its end, going on from an earlier hash; the first is TEXT_HASH. */
#define TEXT_HASH UINT64_C(14695981039346656037)
uint64_t hash_text(uint64_t hash, const char *text);
char *format_text(const char *format, ...) TEXT_FORMAT(1, 2);

/* Valid UTF-8 without control, line-breaking or direction-changing characters: each such character, and each byte that
 * is not UTF-8, becomes U+FFFD. Stops at `size` bytes or a zero. free() it. */
char *clean_text(const char *bytes, size_t size);
/* Would a spreadsheet take the text, as a cell, for a formula? It begins with = + - @, or with apostrophes before that:
 * one is put before it in a table, and taken away by what reads it. */
bool is_formula(const char *text);
/* The bytes of the mark with which some programs begin a text in UTF-8 (Notepad, Excel): 3, or 0 where it has none. */
size_t utf8_mark(const char *text, size_t size);
/* Columns on a terminal: two for a wide character, as Chinese ones are, none for an accent on the one before. */
size_t text_width(const char *text);
/* The text in at most `columns` columns, its middle replaced by an ellipsis where it is longer. free() it. */
char *shorten_text(const char *text, size_t columns);
/* "" for one, "s" for other numbers. */
const char *plural(unsigned long long count);
/* Splits "a:b" at the first colon that has no backslash before it, in a copy to be freed as one: `*second` points into
 * it. NULL where there is no colon or a side is empty. */
char *pair_split(const char *pair, const char **second);
/* The part of a path after its last slash. */
const char *base_name(const char *path);

/* --- growing text -------------------------------------------------------------------------------------------- */

typedef struct text_buffer {
    char *bytes; /* zero terminated once something was added */
    size_t used, capacity;
} text_buffer;
void text_add(text_buffer *buffer, const char *format, ...) TEXT_FORMAT(2, 3);

#endif
