/* Texts of enums whose members stand in a list of X(NAME, text). */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>

#define CM__TEXT(name, text) text,

/* texts[number], or `unknown` for a number that is none. */
static inline const char *cm__text_of(const char *const *texts, size_t count, size_t number, const char *unknown) {
    return number < count ? texts[number] : unknown;
}

#endif
