/* Lengths with units: what the arguments say, and how lengths are shown. Inside, all lengths are metres. */
#ifndef CLI_UNITS_H
#define CLI_UNITS_H

#include <stdbool.h>
#include <stddef.h>

/* The names that are understood, for messages. */
#define UNIT_NAMES "um, mm, cm, dm, m, km, mil, in, ft, yd"

/* Metres of one "mm", "millimeter", "inch" ...; 0 where the name is unknown. Case does not count. */
double unit_from_name(const char *name, size_t length);
/* "5mm", "0.3 in", "1e-3m" in metres. On failure false, and a static sentence that says what is wrong. */
bool length_from_text(const char *text, double *metres, const char **wrong);

/* A unit to show lengths in. */
typedef struct show_unit {
    const char *name;
    double metres;
} show_unit;
/* Millimetres for a model up to 100 m across, else metres; metres where `size` is not finite. */
show_unit unit_to_show(double size);
/* The name of a unit of so many metres, "mm"; NULL where it has none. */
const char *unit_name(double metres);

/* "512M", "2G", "300 MB" in bytes (a plain number is megabytes); "90", "90s", "5min" in seconds. */
bool memory_from_text(const char *text, double *bytes);
bool seconds_from_text(const char *text, double *seconds);

#endif
