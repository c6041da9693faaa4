/* Prints what the importer makes of a file, for comparison with other readers: a line of JSON a part, with its number
 * of triangles, its bounds and its signed volume in the coordinates of the file. Exit code 2 where it is refused. */
#include "cli/totals.h"

#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments) {
    import_options options = {.chord = 0};
    import_data data;
    if (count != 2) return 3;
    int code = import_file(arguments[1], &options, &data);
    if (code != 0) return code;
    int parts = part_totals_of(&data, NULL, 0);
    part_totals *list = calloc((size_t)parts + 1, sizeof *list);
    if (!list) return 3;
    part_totals_of(&data, list, parts);
    for (const part_totals *p = list; p < list + parts; p++)
        printf("{\"triangles\":%u,\"min\":[%.17g,%.17g,%.17g],\"max\":[%.17g,%.17g,%.17g],\"volume\":%.17g}\n",
               p->triangles, p->low[0], p->low[1], p->low[2], p->high[0], p->high[1], p->high[2], p->volume);
    free(list);
    import_free(&data);
    return 0;
}
