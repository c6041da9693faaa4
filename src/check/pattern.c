/* Which parts a text chooses: patterns of paths, and selectors.
 *
 * Both matchers remember only the last star, which suffices: what an earlier star could take, the last one can take
 * too. Cost: O(pattern x path), no recursion. */
#include "carom/check.h"

#include <string.h>

/* The end of a component: the next slash that stands outside of an escape. */
static const char *component_end(const char *at) {
    while (*at && *at != '/') at += at[0] == '\\' && at[1] ? 2 : 1;
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

/* Does `[...]` at `*pattern` hold the byte? Moves past it. A bracket that never closes is itself a character. */
static bool bracket_matches(const char **pattern, const char *end, char byte) {
    const char *at = *pattern + 1;
    bool inverted = at < end && (*at == '!' || *at == '^'), found = false;
    if (inverted) at++;
    const char *first = at;
    while (at < end && (*at != ']' || at == first)) {
        unsigned char low = (unsigned char)*at, high = low;
        if (at + 2 < end && at[1] == '-' && at[2] != ']') {
            high = (unsigned char)at[2];
            at += 2;
        }
        found |= low <= (unsigned char)byte && (unsigned char)byte <= high;
        at++;
    }
    if (at >= end) {
        found = byte == '[';
        *pattern += 1;
        return found;
    }
    *pattern = at + 1;
    return found != inverted;
}

/* One component against one component. */
static bool component_matches(const char *pattern, const char *pattern_stop, const char *text, const char *text_stop) {
    const char *star = NULL, *star_text = NULL;
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
                taken = bracket_matches(&next, pattern_stop, *text) ? 1 : 0;
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

static const char *skip_slash(const char *at) { return *at == '/' ? at + 1 : at; }

/* The pattern's components against the path's from its start; components of the path may be left over. */
static bool prefix_matches(const char *pattern, const char *path) {
    const char *star = NULL, *star_path = NULL;
    for (;;) {
        if (!*pattern) return true;
        const char *stop = component_end(pattern);
        if (stop - pattern == 2 && pattern[0] == '*' && pattern[1] == '*') {
            star = pattern = skip_slash(stop), star_path = path;
            continue;
        }
        if (*path && component_matches(pattern, stop, path, plain_end(path))) {
            pattern = skip_slash(stop), path = skip_slash(plain_end(path));
        } else if (star && *star_path) {
            pattern = star, path = star_path = skip_slash(plain_end(star_path));
        } else {
            return false;
        }
    }
}

bool cm_check_matches(const char *pattern, const char *path) {
    if (!pattern || !path || !*pattern) return false;
    if (*pattern == '/') return prefix_matches(pattern + 1, path);
    for (; *path; path = skip_slash(plain_end(path)))
        if (prefix_matches(pattern, path)) return true;
    return false;
}

/* The end of a path after its last slash; all of it where nothing follows that. */
static const char *last_component(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

bool cm_check_selects(const char *selector, const cm_check_part *part) {
    if (!selector || !*selector || !part) return false;
    if (part->file && (strcmp(part->file, selector) == 0 || strcmp(last_component(part->file), selector) == 0))
        return true;
    return cm_check_matches(selector, part->name);
}

uint32_t cm_check_choose(const cm_check_part *parts, uint32_t count, const char *selector, uint8_t bit,
                         uint8_t *sides) {
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!cm_check_selects(selector, &parts[i])) continue;
        sides[i] |= bit;
        chosen++;
    }
    return chosen;
}
