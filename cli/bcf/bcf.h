/* BCF, the BIM Collaboration Format of buildingSMART: findings as topics that coordinators' tools show, assign and
 * answer; and what they answered. docs/guide/bcf.md says what is written and read. */
#ifndef CLI_BCF_H
#define CLI_BCF_H

#include "check/findings.h"

typedef enum bcf_version { BCF_2_1, BCF_3_0, BCF_VERSIONS } bcf_version;
extern const char *const bcf_version_names[BCF_VERSIONS]; /* "2.1", "3.0" */

typedef struct bcf_options {
    bcf_version version;
    const char *author;
    const char *date; /* "2025-03-14T09:00:00Z": of the topics */
    int threads;      /* 0: one a CPU */
} bcf_options;

/* Writes a topic for each finding or group. The same input gives the same bytes. False with a line in `message` that
 * names the path; then nothing new is left behind. */
bool bcf_write(const char *path, const scene *s, const findings *f, const bcf_options *o, char *message, size_t size);

/* --- reading ----------------------------------------------------------------------------------------------------- */

/* What a topic says. Texts are clean, on one line, and "" where it does not say. */
typedef struct bcf_topic {
    char *guid, *title, *status;
    uint64_t *findings; /* ids of those that it is about, as far as it was made of findings */
    size_t finding_count;
    char *id_a, *id_b; /* else the GlobalIds of the two parts that it is about; NULL where there are not two */
    char *comment, *author, *date; /* of the last comment; else author and date are those of the topic */
} bcf_topic;

typedef struct bcf_topics {
    bcf_topic *list;
    size_t count;
} bcf_topics;

/* Does the file begin as an archive does? */
bool bcf_is_archive(const char *path);
/* Reads BCF 2.0, 2.1 and 3.0. Returns 0, or EXIT_INPUT after saying what is wrong. Free with bcf_topics_free in either
 * case. */
int bcf_read(const char *path, bcf_topics *out);
void bcf_topics_free(bcf_topics *t);
/* Is it one that topics of bcf_write have, in upper or lower case? */
bool bcf_is_own_status(const char *status);

#endif
