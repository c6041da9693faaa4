/* The answers that cm_selftest compares, for the test that says what to record. */
#ifndef SELFTEST_SELFTEST_H
#define SELFTEST_SELFTEST_H

#include "carom/selftest.h"

/* The hash over all answers of cm_selftest's queries. */
uint64_t cm__selftest_answers(void);

#endif
