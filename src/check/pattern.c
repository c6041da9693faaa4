/* Patterns of paths: see cm_check_matches.
 *
 * Both matchers remember only the last star, which suffices: what an earlier star could take, the last one can take
 * too. Cost: O(pattern x path), no recursion. */
#include "check/check.h"

#include <string.h>

/* The end of a component: the next slash that is not escaped. */
static const char *component_end(const char *at, const char *end) {
    while (at < end && *at != '/') at += at[0] == '\\' && at + 1 < end ? 2 : 1;
    return at;
}
static const char *plain_end(const char *at) {
    const char *slash = strchr(at, '/');
    return slash ? slash : at + strlen(at);
}

static size_t character_length(const char *at, const char *end) {
    size_t length = 1;
    while (at + length < end && ((unsigned char)at[length] & 0xc0) == 0x80) length++;
    return length;
}

/* Takes a character: its bytes as a number, which is in the order of code points. */
static uint32_t take_character(const char **at, const char *end) {
    const size_t length = character_length(*at, end);
    uint32_t bytes = 0;
    for (size_t i = 0; i < length; i++) bytes = bytes << 8 | (unsigned char)(*at)[i];
    *at += length;
    return bytes;
}

/* Does the set `[...]` at *pattern contain the character? Moves *pattern past it. A bracket that never closes is a
 * plain character, as are all from *plain on: what follows such a one does not close either. */
static bool bracket_matches(const char **pattern, const char *end, const char **plain, uint32_t character) {
    const char *at = *pattern + 1;
    bool inverted = at < end && (*at == '!' || *at == '^'), found = false;
    if (inverted) at++;
    const char *first = at;
    if (*pattern >= *plain) at = end;
    while (at < end && (*at != ']' || at == first)) {
        const uint32_t low = take_character(&at, end);
        uint32_t high = low;
        if (at + 1 < end && at[0] == '-' && at[1] != ']') {
            at++;
            high = take_character(&at, end);
        }
        found |= low <= character && character <= high;
    }
    if (at >= end) {
        if (*pattern < *plain) *plain = *pattern;
        *pattern += 1;
        return character == '[';
    }
    *pattern = at + 1;
    return found != inverted;
}

bool cm__check_text_matches(const char *pattern, const char *pattern_stop, const char *text, const char *text_stop) {
    const char *star = NULL, *star_text = NULL, *plain = pattern_stop;
    while (text < text_stop) {
        const char *next = pattern;
        size_t taken = 0;
        if (pattern < pattern_stop) {
            if (*pattern == '*') {
                star = ++pattern, star_text = text;
                continue;
            }
            if (*pattern == '?') {
                next = pattern + 1, taken = character_length(text, text_stop);
            } else if (*pattern == '[') {
                const char *after = text;
                const uint32_t character = take_character(&after, text_stop);
                if (bracket_matches(&next, pattern_stop, &plain, character)) taken = (size_t)(after - text);
            } else {
                if (*pattern == '\\' && pattern + 1 < pattern_stop) pattern++;
                next = pattern + 1, taken = *pattern == *text;
            }
        }
        if (taken > 0) {
            pattern = next, text += taken;
        } else if (star) {
            pattern = star, text = ++star_text;
        } else {
            return false;
        }
    }
    while (pattern < pattern_stop && *pattern == '*') pattern++;
    return pattern == pattern_stop;
}

static const char *skip_slash(const char *at, const char *end) { return at < end && *at == '/' ? at + 1 : at; }

/* Past a component of a path, and the slash after it. */
static const char *next_component(const char *path) {
    const char *end = plain_end(path);
    return *end ? end + 1 : end;
}

/* Do the pattern's components match consecutive ones of the path? More may follow in the path. Those before are what a
 * first `**` takes, which stands there unless the pattern begins with a slash. */
bool cm__check_path_matches(const char *pattern, const char *end, const char *path) {
    const char *star = NULL, *star_path = NULL;
    if (pattern == end || (*pattern != '/' && !*path)) return false;
    if (*pattern == '/')
        pattern++;
    else
        star = pattern, star_path = path;
    for (;;) {
        if (pattern == end) return true;
        const char *stop = component_end(pattern, end);
        if (stop - pattern == 2 && pattern[0] == '*' && pattern[1] == '*') {
            star = pattern = skip_slash(stop, end), star_path = path;
            continue;
        }
        if (*path && cm__check_text_matches(pattern, stop, path, plain_end(path))) {
            pattern = skip_slash(stop, end), path = next_component(path);
        } else if (star && *star_path) {
            pattern = star, path = star_path = next_component(star_path);
        } else {
            return false;
        }
    }
}

bool cm_check_matches(const char *pattern, const char *path) {
    return pattern && path && cm__check_path_matches(pattern, pattern + strlen(pattern), path);
}
