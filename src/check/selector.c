/* Which parts a text chooses: see cm_check_selects.
 *
 * A selector is parsed anew for each part it is applied to: nothing is stored. Its conditions are spans of the text. */
#include "check/check.h"

#include <string.h>

typedef struct selector_span {
    const char *at, *end;
} selector_span;

static selector_span span_of(const char *text) { return (selector_span){text, text + strlen(text)}; }

/* The first `sign` between two blanks that is not escaped; the end where there is none. */
static const char *find_joint(selector_span s, char sign) {
    const char *at = s.at;
    while (at < s.end) {
        if (s.end - at >= 3 && at[0] == ' ' && at[1] == sign && at[2] == ' ') return at;
        at += at[0] == '\\' && at + 1 < s.end ? 2 : 1;
    }
    return s.end;
}

/* Does the span equal the text, which may be NULL? A backslash before a character of the span is ignored. */
static bool span_is(selector_span s, const char *text) {
    if (!text) return false;
    for (; s.at < s.end; s.at++, text++) {
        if (s.at[0] == '\\' && s.at + 1 < s.end && s.at[0] != *text) s.at++;
        if (*s.at != *text || !*text) return false;
    }
    return !*text;
}

/* The part of a path after its last slash; the whole path where nothing follows that. */
static const char *last_component(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static bool is_the_file(selector_span s, const char *file) {
    return span_is(s, file) || (file && span_is(s, last_component(file)));
}

static bool text_matches(selector_span pattern, const char *text) {
    if (!text || pattern.at == pattern.end) return false;
    return cm__check_text_matches(pattern.at, pattern.end, text, text + strlen(text));
}

/* The `=` that ends the key; NULL where there is no key. */
static const char *key_end(selector_span s) {
    for (const char *at = s.at; at < s.end && *at != '/'; at += at[0] == '\\' && at + 1 < s.end ? 2 : 1)
        if (*at == '=') return at > s.at ? at : NULL;
    return NULL;
}

static bool property_matches(selector_span key, selector_span pattern, const cm_check_part *part) {
    for (uint32_t i = 0; i < part->property_count; i++)
        if (span_is(key, part->properties[i].key) && text_matches(pattern, part->properties[i].value)) return true;
    return false;
}

/* One condition, without its `!`. */
static bool condition_holds(selector_span s, const cm_check_part *part) {
    const char *name = part->name ? part->name : "", *equals = key_end(s);
    if (!equals) return is_the_file(s, part->file) || cm__check_path_matches(s.at, s.end, name);
    const selector_span key = {s.at, equals}, pattern = {equals + 1, s.end};
    if (span_is(key, "path")) return cm__check_path_matches(pattern.at, pattern.end, name);
    if (span_is(key, "leaf")) return text_matches(pattern, last_component(name));
    if (span_is(key, "id")) return text_matches(pattern, part->id);
    if (span_is(key, "file"))
        return part->file && (text_matches(pattern, part->file) || text_matches(pattern, last_component(part->file)));
    return property_matches(key, pattern, part);
}

/* Do all of the conditions hold? */
static bool conditions_hold(selector_span s, const cm_check_part *part) {
    for (;;) {
        const char *joint = find_joint(s, '&');
        const bool inverted = s.at < joint && *s.at == '!';
        const selector_span one = {s.at + inverted, joint};
        if (one.at == one.end || condition_holds(one, part) == inverted) return false;
        if (joint == s.end) return true;
        s.at = joint + 3;
    }
}

bool cm_check_selects(const char *selector, const cm_check_part *part) {
    if (!selector || !*selector || !part) return false;
    selector_span s = span_of(selector);
    if (is_the_file(s, part->file)) return true;
    for (;;) {
        const char *joint = find_joint(s, '|');
        if (conditions_hold((selector_span){s.at, joint}, part)) return true;
        if (joint == s.end) return false;
        s.at = joint + 3;
    }
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
