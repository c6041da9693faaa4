/* Findings gathered for people (--group): one part against many, by what the parts' files say of them, by their
 * names, by test, by place. */
#ifndef CLI_GROUPS_H
#define CLI_GROUPS_H

#include "check/findings.h"

typedef struct groups {
    const char *by;       /* "part", "file", "leaf", "test", "place", or the key of a property */
    cm_check_groups list; /* keys are numbers of parts where by part, else of labels */
    bool single;          /* a group has one label: of its findings, not of their parts */
    char **labels;
    uint32_t label_count;
    cm_vec3 *middles; /* of places, one a label; NULL: these are no places */
} groups;

/* Returns 0, or the exit code after a message: a key that no part has is refused. Free with groups_free. */
int groups_make(const scene *s, const char *by, const findings *found, groups *out);
void groups_free(groups *g);

/* The two sides of a group in words, "wall_3" and "12 parts", "IfcWall" and "IfcPipeSegment", "pipes through walls"
 * and "", and how many findings it has: "12 findings". free() them. `names` are the parts'. */
char *group_side_a(const groups *g, const cm_check_group *one, char *const *names);
char *group_side_b(const groups *g, const cm_check_group *one, const cm_check_result *found, char *const *names);
/* How many of its findings are of a kind that was asked for: touching ones are not always. */
uint32_t group_asked_for(const findings *f, const groups *g, const cm_check_group *one);
char *group_remark(const findings *f, const groups *g, const cm_check_group *one);

struct json_t;
struct json_t *groups_json(const scene *s, const groups *g);

#endif
