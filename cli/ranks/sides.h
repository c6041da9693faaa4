/* Which parts are on which side of which test, on ranks that do not know what parts are called. */
#ifndef CLI_SIDES_H
#define CLI_SIDES_H

#include <carom/carom.h>

/* How many tests are asked: one where the description has none. And how many rows of sides there are: one a test, then
 * one a tolerance. */
uint32_t sides_tests(const cm_check_desc *desc);
uint32_t sides_rows(const cm_check_desc *desc);

/* Together: the first rank, whose description has all parts, applies the selectors; all get the sides. `sides` has for
 * each row `count` bytes, which are 0. */
void sides_share(const cm_check_desc *desc, uint32_t count, uint8_t *sides);

/* The tests and tolerances of a tile, with sides in place of selectors. */
typedef struct tile_sides {
    cm_check_test *tests;
    cm_check_pair_tolerance *tolerances;
    uint8_t *sides;
} tile_sides;

/* Puts them into the description of a tile, whose parts have those numbers among `count`. Free with sides_free. */
void sides_choose(cm_check_desc *desc, const uint8_t *sides, uint32_t count, const uint32_t *numbers, tile_sides *out);
void sides_free(tile_sides *t);

#endif
