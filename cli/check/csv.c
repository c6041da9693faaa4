/* CSV: one line a finding, after a line with the names of the columns. Lengths are metres. RFC 4180's quotes; lines end
 * with a line feed. A spreadsheet takes a text that begins with = + - @ for a formula, and so runs what a name in a
 * model says; with an apostrophe before that it is a text (is_formula, common/text.h). One thread writes: bytes go out
 * without a lock each, which costs most of their time where MPI has threads of its own. */
#include "check/output.h"

#include "check/finding_fields.h"
#include "common/decimal.h"
#include "common/text.h"

#include <stdio.h>
#include <string.h>

void csv_text(const char *text) {
    const bool formula = is_formula(text);
    if (!strpbrk(text, ",\"\r\n") && *text != ' ') {
        printf("%s%s", formula ? "'" : "", text);
        return;
    }
    fputs(formula ? "\"'" : "\"", stdout);
    for (; *text; text++) {
        if (*text == '"') putchar_unlocked('"');
        putchar_unlocked(*text);
    }
    putchar_unlocked('"');
}

static void csv_number(double x) {
    char text[DECIMAL_ROOM];
    fwrite(text, 1, decimal_put(x, text), stdout);
}

static void csv_field(const scene *s, const findings *all, size_t number, const finding_field *field) {
    const void *at = (const char *)&all->list.findings[number] + field->offset;
    const cm_vec3 *p = at;
    switch (field->type) {
    case FINDING_TEXT:
        csv_text(field->text(all, number));
        break;
    case FINDING_PART:
        csv_text(s->parts[*(const uint32_t *)at].name);
        break;
    case FINDING_LENGTH:
        csv_number(*(const cm_real *)at + 0.0);
        break;
    case FINDING_POINT:
        csv_number(p->x + 0.0), putchar_unlocked(',');
        csv_number(p->y + 0.0), putchar_unlocked(',');
        csv_number(p->z + 0.0);
        break;
    case FINDING_COUNT:
        printf("%llu", (unsigned long long)*(const uint64_t *)at);
        break;
    case FINDING_FLAG:
        putchar_unlocked((field->text ? *field->text(all, number) != 0 : *(const bool *)at) ? '1' : '0');
        break;
    case FINDING_ID:
        printf("%016llx", (unsigned long long)*(const uint64_t *)at);
        break;
    case FINDING_VOLUME:
        if (!finding_field_is_empty(all, number, field)) csv_number(*(const double *)at);
        break;
    case FINDING_TRIANGLE:
    case FINDING_BOX:
        break;
    }
}

void write_check_csv(const scene *s, const findings *f) {
    for (size_t i = 0; i < finding_field_count; i++) {
        const char *column = finding_fields[i].column, *comma = i > 0 ? "," : "";
        if (!column) continue;
        if (finding_fields[i].type == FINDING_POINT)
            printf("%s%s_x_m,%s_y_m,%s_z_m", comma, column, column, column);
        else
            printf("%s%s", comma, column);
    }
    putchar_unlocked('\n');
    for (size_t number = 0; number < f->list.count; number++) {
        for (size_t i = 0; i < finding_field_count; i++) {
            if (!finding_fields[i].column) continue;
            if (i > 0) putchar_unlocked(',');
            csv_field(s, f, number, &finding_fields[i]);
        }
        putchar_unlocked('\n');
    }
}
