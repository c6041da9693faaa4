/* What findings become in BCF: topics. One a finding; where findings are gathered (--group), one a group. */
#ifndef CLI_TOPICS_H
#define CLI_TOPICS_H

#include "bcf/guid.h"
#include "check/findings.h"
#include "check/rules.h"

typedef struct topic {
    char guid[GUID_SIZE], viewpoint[GUID_SIZE], comment[GUID_SIZE];
    char *title, *description;
    const char *type, *status, *priority;
    uint32_t *numbers; /* of its findings, the gravest first */
    uint32_t count;    /* 0: it is resolved, and there is nothing to be seen */
    uint32_t *parts;   /* that they are about, ascending */
    uint32_t part_count;
    uint32_t against;             /* the part that is in all of them; CM_NONE: there is none */
    const rules_origin *accepted; /* why it is; NULL: it is not */
} topic;

typedef struct topics {
    topic *list;
    uint32_t count;
} topics;

/* The values that types, statuses and priorities have; each list ends with NULL. */
extern const char *const topic_types[], *const topic_statuses[], *const topic_priorities[];

/* Topics of all findings that were looked for: what touches is not among them unless a test or --fail-on asks for it.
 * Also of what a baseline has and was resolved. Free with topics_free. */
void topics_make(const scene *s, const findings *f, topics *out);
void topics_free(topics *t);
/* Is the part shown as the first of two sides? The one against which all others stand is, else each that is A. */
bool topic_is_first(const findings *f, const topic *t, uint32_t part);

#endif
