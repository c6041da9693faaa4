/* Findings as files that continuous integration reads. */
#ifndef CLI_HANDOVER_H
#define CLI_HANDOVER_H

#include "check/findings.h"

/* JUnit's XML: a suite for each kind that was looked for, a test for each finding; what makes the check fail is a
 * failure, what is allowed is skipped. A kind without findings has one test that passes. */
bool junit_write(const char *path, const scene *s, const findings *f, char *message, size_t size);
/* SARIF 2.1.0: a result for each finding, at the file of its first part; its id is the fingerprint. */
bool sarif_write(const char *path, const scene *s, const findings *f, char *message, size_t size);

/* "a and b: crossing, 12.5 mm deep, at 1 2 3 m". free() it. */
char *finding_sentence(const scene *s, const cm_finding *f);

#endif
