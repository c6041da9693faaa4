#include "common/selector.h"

#include <stdbool.h>
#include <string.h>

/* The blank before the next `&` or `|` that joins two conditions; the end where there is none. */
static const char *condition_end(const char *at) {
    while (*at && !(at[0] == ' ' && (at[1] == '&' || at[1] == '|') && at[2] == ' '))
        at += at[0] == '\\' && at[1] ? 2 : 1;
    return at;
}

const char *selector_fault(const char *text) {
    if (strstr(text, " && ") || strstr(text, " || "))
        return "has '&&' or '||': here they are & and |, with blanks around (\\& and \\| are those of a name)";
    for (const char *at = text;; at += 3) {
        const bool inverted = *at == '!';
        const char *own = at + inverted, *end = condition_end(at);
        if (inverted && (*own == '!' || *own == ' '))
            return "has '!!' or a blank behind '!': a single '!' stands before what must not hold "
                   "(\\! and a backslash before a blank are those of a name)";
        if (*own == '(' && (inverted || !memchr(own, ')', (size_t)(end - own))))
            return "has parentheses, and they do not group here: & binds more tightly than | "
                   "(\\( is that of a name)";
        if (!*end) return NULL;
        at = end;
    }
}
