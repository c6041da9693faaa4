/* The command: what to do, and the exit code (0 nothing found, 1 something found, 2 usage or input, 3 internal). */
#include "check/commands.h"
#include "ranks/ranks.h"
#include "simulate/simulate.h"
#include "common/terminal.h"
#include "common/suggest.h"
#include "common/text.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <string.h>

typedef struct command {
    const char *name;
    command_name number;
    int (*run)(options *o);
    const char *help;
} command;

static const command commands[] = {
    {"approve", COMMAND_APPROVE, run_approve, help_approve},
    {"check", COMMAND_CHECK, run_check, help_check},
    {"distance", COMMAND_DISTANCE, run_distance, help_distance},
    {"fit", COMMAND_FIT, run_fit, help_fit},
    {"info", COMMAND_INFO, run_info, help_info},
    {"simulate", COMMAND_SIMULATE, run_simulate, help_simulate},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const command *find_command(const char *name) {
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    return NULL;
}

static int unknown_command(const char *name) {
    const char *names[COMMANDS + 2];
    char hint[80];
    for (int i = 0; i < COMMANDS; i++) names[i] = commands[i].name;
    names[COMMANDS] = "help", names[COMMANDS + 1] = "version";
    return complain(EXIT_INPUT, "unknown command '%s'%s; carom --help lists them", name,
                    suggest(name, names, COMMANDS + 2, hint, sizeof hint));
}

/* A command that is written as an option, too; `letter` for short. */
static bool is_word(const char *text, const char *word, char letter) {
    if (text[0] == '-' && text[1] == letter && !text[2]) return true;
    return strcmp(strncmp(text, "--", 2) == 0 ? text + 2 : text, word) == 0;
}

static int print_help(const char *text) {
    fputs(text, stdout);
    if (text == help_check) fputs(help_check_more, stdout);
    return finish_output();
}

/* A mesh is built in a block that is cut to its size at the end. glibc gives what is cut off back to the system only of
 * blocks that it took from there alone, and by and by takes fewer of them: then every mesh leaves a hole behind. */
static void give_memory_back(void) {
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

/* A limit on the size of files is an error of writing, told as one: a signal would leave half a file behind. */
static void outlive_file_limits(void) { signal(SIGXFSZ, SIG_IGN); }

int main(int count, char **arguments) {
    give_memory_back();
    outlive_file_limits();
    if (count < 2) {
        fputs(help_overview, stderr);
        return EXIT_INPUT;
    }
    const char *name = arguments[1];
    if (is_word(name, "version", 'V')) {
        printf("carom %s\n", cm_version());
        return finish_output();
    }
    if (is_word(name, "help", 'h')) {
        if (count == 2 || is_word(arguments[2], "help", 'h') || is_word(arguments[2], "version", 'V'))
            return print_help(help_overview);
        if (strcmp(arguments[2], "robot") == 0) return print_help(help_robot);
        const command *topic = find_command(arguments[2]);
        return topic ? print_help(topic->help) : unknown_command(arguments[2]);
    }
    const command *chosen = find_command(name);
    if (!chosen) return unknown_command(name);
    int code = chosen->number == COMMAND_CHECK ? ranks_start() : 0;
    if (code != 0) return code;
    options o;
    code = options_read(chosen->number, count - 2, arguments + 2, &o);
    if (code == 0 && o.help) {
        code = ranks_own() == 0 ? print_help(chosen->help) : 0;
    } else if (code == 0) {
        code = ranks_agree(options_find_outputs(&o), (uint32_t)ranks_own());
        if (code == 0) code = chosen->run(&o);
    }
    options_free(&o);
    return ranks_end(code);
}
