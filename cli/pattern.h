/* Patterns that choose parts by their path, such as IfcSpace* or engine/ (see docs/guide/command.md, "Patterns").
 *
 * A pattern matches a part where its components match as many consecutive components of the part's path: "bolt*"
 * matches "engine/bolt_3" and "engine/bolts/m6". In a component `*` is any text, `?` any character, `[a-z]` a range,
 * `\` takes the next character as it is; a component `**` is any number of components. A leading `/` ties the pattern
 * to the start of the path. Upper and lower case are different. */
#ifndef CLI_PATTERN_H
#define CLI_PATTERN_H

#include <stdbool.h>

bool pattern_matches(const char *pattern, const char *path);
/* Splits "a:b" at the first colon that has no backslash before it, in a copy to be freed as one: `*second` points into
 * it. NULL where there is no colon or a side is empty. */
char *pattern_split(const char *pair, const char **second);

#endif
