/* Findings gathered for people (--group): one part against many, or by what the parts' files say of them. */
#ifndef CLI_GROUPS_H
#define CLI_GROUPS_H

#include "check/findings.h"

typedef struct groups {
    const char *by;       /* "part", "file", or the key of a property */
    cm_check_groups list; /* keys are numbers of parts where by part, else of labels */
    char **labels;
    uint32_t label_count;
} groups;

/* Returns 0, or the exit code after a message: a key that no part has is refused. Free with groups_free. */
int groups_make(const scene *s, const char *by, const cm_check_result *found, groups *out);
void groups_free(groups *g);

/* The two sides of a group in words, "wall_3" and "12 parts", "IfcWall" and "IfcPipeSegment", and how many findings it
 * has: "12 findings". free() them. `names` are the parts'. */
char *group_side_a(const groups *g, const cm_check_group *one, char *const *names);
char *group_side_b(const groups *g, const cm_check_group *one, const cm_check_result *found, char *const *names);
char *group_remark(const findings *f, const groups *g, const cm_check_group *one);

struct json_t;
struct json_t *groups_json(const scene *s, const groups *g);

#endif
