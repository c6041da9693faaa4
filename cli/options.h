/* The command line. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "bcf/bcf.h"
#include "simulate/compare_plan.h"
#include "check/findings.h"
#include "read/read.h"
#include "robot/robot.h"

typedef enum command_name {
    COMMAND_CHECK = 1,
    COMMAND_DISTANCE = 2,
    COMMAND_INFO = 4,
    COMMAND_SIMULATE = 8,
    COMMAND_FIT = 16,
    COMMAND_APPROVE = 32
} command_name;
typedef enum output_format { FORMAT_TABLE, FORMAT_JSON, FORMAT_CSV } output_format;

typedef struct options {
    command_name command;
    const char **paths;
    uint32_t path_count;
    read_options read;
    output_format format;
    double clearance, tolerance;
    cm_check_fail_on fail_on;
    bool fail_level_given;
    cm_check_exception *between, *allow; /* two selectors each; both of --allow are in a block that the first begins */
    uint32_t between_count, allow_count;
    const char *rules, *approved; /* files, or NULL; carom approve writes the latter */
    unsigned also;                /* bits of rules_default */
    bool incomplete_ok;           /* parts of which geometry is missing do not make the command fail */
    const char *report, *junit, *sarif, *bcf;
    bcf_version bcf_version;
    bool has_bcf_version;
    const char *author, *date, *reason; /* of what is written, or NULL */
    const char **statuses;              /* of topics that are approved; none: the usual ones */
    uint32_t status_count;
    const char *baseline; /* an earlier answer, or NULL */
    const char *resume;   /* a folder that keeps what is done, or NULL */
    const char *group;    /* "part", "file" or the key of a property, or NULL */
    bool volumes;         /* of what solids have in common */
    bool fail_on_new;     /* only findings that are not in it make the command fail */
    uint32_t steps;       /* 0: as the scene says */
    double dt;            /* likewise */
    const char *trace;    /* file for the events, or NULL */
    compare_plan compare;
    bool bounds;           /* carom info: bounding volumes too */
    int fit_as;            /* bounding_kind; -1: not given */
    bool each;             /* a proxy for each part */
    const char *output;    /* file for the proxies, or NULL */
    double output_unit;    /* metres; 0: the first input's */
    int segments;          /* around what is round; 0: the library's default */
    uint32_t max_vertices; /* of a hull; 0: no limit */
    robot_options robot;   /* of a URDF */
    bool help;
    output_files outputs; /* all that is written, the standard output too */
} options;

/* Reads the arguments of a command. Returns 0, or EXIT_INPUT after saying what is wrong. Free with options_free. */
int options_read(command_name command, int count, char **arguments, options *out);
/* A selector, borrowed, that is to be asked whether it matches what is left out by default. Before the files are read.
 */
void options_seek(options *o, const char *selector);
/* What to say to who asks for something by this selector (NULL: by any) that is not there, where it is because of that
 * default; "" where it is not. */
const char *options_left_out_hint(const options *o, const char *selector);
void options_free(options *o);
/* Finds what the command will write and refuses what would replace an input or another output. Returns 0, or EXIT_INPUT
 * after saying so. What the inputs refer to is seen when they are read. */
int options_find_outputs(options *o);
/* Reads the files that the options name (see read_scene), and warns of options that changed nothing. */
int options_read_scene(const options *o, scene *out, double seconds[2]);
void options_warn_unused(const options *o, const scene *s);

/* What `carom --help`, `carom help check` and `carom help robot` print. */
extern const char help_overview[], help_approve[], help_check[], help_distance[], help_fit[], help_info[], help_robot[],
    help_simulate[];
extern const char help_check_more[]; /* follows help_check */

#endif
