/* A small house whose answers are known, as a reader sends it: parts with classes, storeys, layers, ids. */
#ifndef TEST_CLI_HOUSE_H
#define TEST_CLI_HOUSE_H

#include "cli/command.h"

/* Writes it, with a program that sends it in the place of the reader of IFC; returns its path.
 *
 * What crosses: pipe 1 and wall A (150 mm), pipe 2 and wall B (150), the sleeve and wall A, pipe 3 and the slab (10),
 * the table and the floor that it stands on (30), shaft and bearing (0.2). The screed lies in the slab. Pipe 4 hangs 30
 * mm above the slab. The space holds the table. The valve hangs from pipe 4, and crosses it. The
 * railing has two meshes, which cross (100). */
const char *write_house(void);

/* How rules files begin. */
#define RULES_HEAD "{\"schema\": \"carom-rules-1\", "

#endif
