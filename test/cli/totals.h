/* What the importer made of a file, part by part, in numbers that other readers can be asked for too. */
#ifndef TEST_CLI_TOTALS_H
#define TEST_CLI_TOTALS_H

#include "read/import.h"

typedef struct part_totals {
    char name[64]; /* of the node */
    uint32_t triangles;
    double volume; /* signed */
    double low[3], high[3];
} part_totals;

/* The nodes with triangles, in the file's coordinates and order; how many there are. */
int part_totals_of(const import_data *data, part_totals *out, int capacity);

#endif
