/* What the commands print: tables for people, JSON and CSV for programs. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "check/bounding.h"
#include "check/findings.h"
#include "common/units.h"
#include "options.h"

/* The findings in the format asked for, on stdout. Returns 0 or EXIT_INTERNAL where stdout cannot be written. */
int write_check(const scene *s, const options *o, const findings *f);
void write_check_table(const scene *s, const options *o, const findings *f);
void write_check_json(const scene *s, const options *o, const findings *f);
void write_check_csv(const scene *s, const findings *f);

/* The answer of carom distance. */
int write_distance(const scene *s, const options *o, const cm_finding *answer);
int write_info(const scene *s, const options *o);

/* JSON that several outputs share; json_t is Jansson's. */
struct json_t;
struct json_t *json_point(cm_vec3 p);
struct json_t *json_box(const cm_aabb *box);
struct json_t *json_files(const scene *s);
/* The numbers of a bounding volume, its volume, and the share of it that the model leaves empty. */
struct json_t *json_bounding(const bounding *b, bounding_kind kind);
struct json_t *json_length(double metres); /* null where there is none: CM_REAL_MAX */
/* Prints it with a line end, and frees it. */
void json_print(struct json_t *root);
/* One field of CSV: quoted where it must be. */
void csv_text(const char *text);

/* The shortest endings of the parts' paths, in whole components, that tell them apart. free() each and the list. */
char **short_names(const scene *s);
/* The same of any paths. */
char **short_paths(const char *const *paths, uint32_t count);

/* A place with as many decimals as a hundred thousandth of the model's size asks for. free() it. */
char *place_text(cm_vec3 p, show_unit unit, double size);

#endif
