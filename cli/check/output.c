/* What all outputs share: see output.h. */
#include "check/output.h"

#include "common/terminal.h"

int write_check(const scene *s, const options *o, const findings *f) {
    switch (o->format) {
    case FORMAT_TABLE:
        write_check_table(s, o, f);
        break;
    case FORMAT_JSON:
        write_check_json(s, o, f);
        break;
    case FORMAT_CSV:
        write_check_csv(s, f);
        break;
    }
    return finish_output();
}
