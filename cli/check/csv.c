/* CSV: one line a finding, after a line with the names of the columns. Lengths are metres. RFC 4180's quotes; lines end
 * with a line feed. */
#include "check/output.h"

#include "check/baseline.h"

#include <stdio.h>
#include <string.h>

void csv_text(const char *text) {
    if (!strpbrk(text, ",\"\r\n") && *text != ' ') {
        fputs(text, stdout);
        return;
    }
    putchar('"');
    for (; *text; text++) {
        if (*text == '"') putchar('"');
        putchar(*text);
    }
    putchar('"');
}

void write_check_csv(const scene *s, const findings *f) {
    puts("relation,part_a,part_b,distance_m,tolerance_m,point_a_x_m,point_a_y_m,point_a_z_m,point_b_x_m,point_b_y_m,"
         "point_b_z_m,"
         "crossings,surface_a,surface_b,thin_a,thin_b,allowed,fails,id,status");
    for (size_t i = 0; i < f->list.count; i++) {
        const cm_finding *one = &f->list.findings[i];
        const cm_relation_result *r = &one->result;
        printf("%s,", cm_finding_text(one));
        csv_text(s->parts[one->part_a].name);
        putchar(',');
        csv_text(s->parts[one->part_b].name);
        printf(",%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%llu,%d,%d,%d,%d,%d,%d,%016llx,%s\n",
               r->distance + 0.0, r->tolerance, r->point_a.x + 0.0, r->point_a.y + 0.0, r->point_a.z + 0.0,
               r->point_b.x + 0.0, r->point_b.y + 0.0, r->point_b.z + 0.0, (unsigned long long)r->crossings,
               r->surface_a, r->surface_b, r->thin_a, r->thin_b, one->allowed != CM_NONE, one->fails,
               (unsigned long long)one->id, baseline_status(f, i));
    }
}
