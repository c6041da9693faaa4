/* Lengths with units: see units.h. */
#include "common/units.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct named_factor {
    const char *name;
    double factor;
} named_factor;

/* The first name of each length is the one that is shown. */
static const named_factor lengths[] = {
    {"um", 1e-6},     {"micron", 1e-6},     {"micrometer", 1e-6}, {"micrometre", 1e-6}, {"\xc2\xb5m", 1e-6},
    {"mm", 1e-3},     {"millimeter", 1e-3}, {"millimetre", 1e-3}, {"cm", 1e-2},         {"centimeter", 1e-2},
    {"dm", 1e-1},     {"centimetre", 1e-2}, {"decimeter", 1e-1},  {"decimetre", 1e-1},  {"m", 1},
    {"meter", 1},     {"metre", 1},         {"km", 1e3},          {"kilometer", 1e3},   {"kilometre", 1e3},
    {"mil", 2.54e-5}, {"thou", 2.54e-5},    {"in", 0.0254},       {"inch", 0.0254},     {"inches", 0.0254},
    {"\"", 0.0254},   {"ft", 0.3048},       {"foot", 0.3048},     {"feet", 0.3048},     {"'", 0.3048},
    {"yd", 0.9144},   {"yard", 0.9144},
};
static const named_factor sizes[] = {
    {"", 1e6},   {"M", 1e6},          {"MB", 1e6}, {"MiB", 1048576}, {"G", 1e9},
    {"GB", 1e9}, {"GiB", 1073741824}, {"k", 1e3},  {"kB", 1e3},
};
static const named_factor times[] = {
    {"", 1}, {"s", 1}, {"sec", 1}, {"ms", 1e-3}, {"min", 60}, {"m", 60}, {"h", 3600},
};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static double factor_of(const named_factor *list, size_t count, const char *name, size_t length) {
    for (size_t i = 0; i < count; i++) {
        if (strlen(list[i].name) != length) continue;
        size_t same = 0;
        while (same < length && tolower((unsigned char)name[same]) == tolower((unsigned char)list[i].name[same]))
            same++;
        if (same == length) return list[i].factor;
    }
    return 0;
}

double unit_from_name(const char *name, size_t length) { return factor_of(lengths, COUNT(lengths), name, length); }

/* A decimal number and what follows it without its surrounding blanks. No hexadecimal, no "nan", no "inf". */
static bool number_and_rest(const char *text, double *number, const char **rest, size_t *rest_length) {
    while (isspace((unsigned char)*text)) text++;
    const char *digits = text + (*text == '-' || *text == '+');
    if (!isdigit((unsigned char)*digits) && !(*digits == '.' && isdigit((unsigned char)digits[1]))) return false;
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) return false;
    char *end;
    *number = strtod(text, &end);
    while (isspace((unsigned char)*end)) end++;
    size_t length = strlen(end);
    while (length > 0 && isspace((unsigned char)end[length - 1])) length--;
    *rest = end, *rest_length = length;
    return isfinite(*number);
}

bool length_from_text(const char *text, double *metres, const char **wrong) {
    double number;
    const char *unit;
    size_t unit_length;
    *wrong = "is not a length: write a number and a unit, such as 5mm";
    if (!number_and_rest(text, &number, &unit, &unit_length)) return false;
    *wrong = "has no unit: write 5mm, 0.2in or 1m";
    if (unit_length == 0) {
        if (number != 0) return false;
        *metres = 0; /* nothing is nothing in every unit */
        return true;
    }
    *wrong = "has a comma: write a point, as in 5.5mm";
    if (*unit == ',') return false;
    double factor = unit_from_name(unit, unit_length);
    *wrong = "has an unknown unit: known are " UNIT_NAMES;
    if (!(factor > 0)) return false;
    *wrong = "is negative";
    if (number < 0) return false;
    *wrong = "is too large";
    *metres = number * factor;
    return *metres <= 1e15;
}

show_unit unit_to_show(double size) {
    show_unit mm = {"mm", 1e-3}, m = {"m", 1};
    return size <= 100 ? mm : m;
}

const char *unit_name(double metres) {
    for (size_t i = 0; i < COUNT(lengths); i++)
        if (fabs(lengths[i].factor - metres) <= 1e-6 * metres) return lengths[i].name;
    return NULL;
}

bool memory_from_text(const char *text, double *bytes) {
    const char *unit;
    size_t unit_length;
    if (!number_and_rest(text, bytes, &unit, &unit_length)) return false;
    *bytes *= factor_of(sizes, COUNT(sizes), unit, unit_length);
    return *bytes >= 1e6 && *bytes <= 1e15;
}

bool seconds_from_text(const char *text, double *seconds) {
    const char *unit;
    size_t unit_length;
    if (!number_and_rest(text, seconds, &unit, &unit_length)) return false;
    *seconds *= factor_of(times, COUNT(times), unit, unit_length);
    return *seconds > 0 && *seconds <= 1e7;
}
