/* Findings gathered by where they are. */
#ifndef CLI_PLACES_H
#define CLI_PLACES_H

#include "check/findings.h"

/* Where people look for a finding: the middle of what crosses, or between its two points; of a part that is inside
 * another one, or that is there twice, its own middle. */
cm_vec3 finding_place(const scene *s, const cm_finding *f);

/* Numbers the places of all findings that are not allowed, from 0 in no particular order: those that lie within a
 * twelfth of the model's diagonal along every axis have one number, as far as cuts across the longest side, in the
 * widest gap of its middle half, part them. `of` gets a number for each finding, CM_NONE for what is allowed; `middles`
 * (free it) gets the middle of the box around each. Returns how many there are. Cost: sorting, at most some thirty
 * times. */
uint32_t find_places(const scene *s, const cm_check_result *found, uint32_t *of, cm_vec3 **middles);

#endif
