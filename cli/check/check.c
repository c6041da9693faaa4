/* carom check: every part against every other. What is found is the library's (carom/check.h); here parts are named,
 * messages said, and the outputs written. */
#include "check/commands.h"

#include "bcf/bcf.h"
#include "check/baseline.h"
#include "check/groups.h"
#include "check/handover.h"
#include "check/left_out.h"
#include "check/output.h"
#include "check/rules.h"
#include "common/date.h"
#include "common/progress.h"
#include "page/page.h"
#include "page/report.h"
#include "common/text.h"
#include "ranks/finished.h"
#include "ranks/meshes.h"
#include "ranks/ranks.h"
#include "ranks/spread.h"
#include "ranks/tiles.h"

#include <stdlib.h>
#include <string.h>

/* --- the check --------------------------------------------------------------------------------------------------- */

/* The number of near pairs is known with the first that is done. */
static bool show_progress(void *user, size_t done, size_t total) {
    (void)done;
    progress_step(user, total);
    return true;
}

/* Is it done in tiles? Then the scene is a catalog, and `shared` has the meshes. */
static bool in_tiles(const options *o) { return ranks_count() > 1 || o->resume; }

/* All parts in this process, or those of all ranks. */
static int find_in(const spread *shared, const options *o, const cm_check_desc *desc, findings *out) {
    if (!in_tiles(o)) return complain_of_check(cm_check_parts(desc, NULL, &out->list, NULL));
    return tiles_find(shared, o->path_count, desc, o->resume, &out->list, &out->cost);
}

/* On ranks behind the first the scene is empty: they have parts of their own. */
static int find(const scene *s, const spread *shared, const options *o, const rules *r, findings *out) {
    const double start = seconds_now();
    *out = findings_asked(s, o, r);
    cm_check_part *parts = check_parts_of(s);
    int code = ranks_own() == 0 ? rules_warn_unchosen(r, o, parts, s) : 0;
    code = ranks_agree(code, 0);
    if (code == 0) {
        progress shown;
        cm_pool *pool = NULL;
        cm_tasks tasks;
        cm_check_desc desc = check_describe(s, o, r, parts);
        desc.progress = show_progress, desc.user = &shown;
        if (o->read.threads != 1 && cm_pool_create(o->read.threads, NULL, &pool) == CM_OK)
            cm_pool_tasks(pool, &tasks), desc.tasks = &tasks;
        progress_start(&shown, "pairs");
        code = find_in(shared, o, &desc, out);
        progress_end(&shown);
        cm_pool_destroy(pool);
    }
    free(parts);
    out->seconds_pairs = seconds_now() - start;
    return code;
}

/* --- the command ------------------------------------------------------------------------------------------------- */

/* What writes a file of its own besides the standard output. */
typedef bool (*file_writer)(const char *path, const scene *s, const findings *f, char *message, size_t size);
typedef struct file_output {
    const char *path; /* NULL: not asked for */
    file_writer write;
} file_output;
enum { FILE_OUTPUTS = 2 };

static void list_files(const options *o, file_output out[FILE_OUTPUTS]) {
    out[0] = (file_output){o->junit, junit_write};
    out[1] = (file_output){o->sarif, sarif_write};
}

/* Asked before the long work, so that no file is promised in vain. */
static int check_files(const options *o) {
    char message[1024];
    file_output files[FILE_OUTPUTS];
    list_files(o, files);
    for (int i = 0; i < FILE_OUTPUTS; i++)
        if (files[i].path && !page_can_write(files[i].path, message, sizeof message))
            return complain(EXIT_INPUT, "%s", message);
    char date[DATE_SIZE];
    if (o->bcf && date_to_write(o->date, date) != 0) return EXIT_INPUT;
    if (o->bcf && !page_can_write(o->bcf, message, sizeof message)) return complain(EXIT_INPUT, "%s", message);
    if (o->report && !report_can_write(o->report, message, sizeof message)) return complain(EXIT_INPUT, "%s", message);
    return o->resume ? finished_prepare(o->resume) : 0;
}

static int write_topics(const options *o, const scene *s, const findings *f) {
    char message[1024], date[DATE_SIZE];
    if (date_to_write(o->date, date) != 0) return EXIT_INPUT;
    const bcf_options topics = {o->bcf_version, o->author ? o->author : "carom", date, o->read.threads};
    if (bcf_write(o->bcf, s, f, &topics, message, sizeof message)) return 0;
    return complain(EXIT_INPUT, "%s", message);
}

static int write_report(const options *o, const scene *s, mesh_stream *meshes, const findings *f) {
    char message[1024];
    if (!o->report || report_write(o->report, s, meshes, f, o->read.threads, message, sizeof message)) return 0;
    return complain(EXIT_INPUT, "%s", message);
}

static int write_files(const options *o, const scene *s, mesh_stream *meshes, const findings *f) {
    char message[1024];
    file_output files[FILE_OUTPUTS];
    list_files(o, files);
    for (int i = 0; i < FILE_OUTPUTS; i++)
        if (files[i].path && !files[i].write(files[i].path, s, f, message, sizeof message))
            return complain(EXIT_INPUT, "%s", message);
    if (o->bcf && write_topics(o, s, f) != 0) return EXIT_INPUT;
    return write_report(o, s, meshes, f);
}

/* Why nothing is compared where there is one part, and whether it falls into pieces that would be parts. */
static const char *why_alone(const scene *s, const options *o) {
    const cm_mesh_info *mesh = &s->meshes[s->parts[0].mesh].info;
    if (o->read.part == PART_COMPONENT || (mesh->components == 1 && mesh->duplicate == 0))
        return "there is only one part, of one piece";
    return mesh->components > 1
               ? "there is only one part (--part component splits it)"
               : "there is only one part (of its triangles some are there twice: --part component may split it)";
}

/* A check that compared nothing is no "nothing found": it ends as a file that cannot be read. */
static int say_nothing_compared(const scene *s, const options *o, const rules *r, const findings *found) {
    const char *why = "every pair is left out by default (--also same-product, --also parent-child)";
    if (s->part_count == 0) why = "no part is left";
    if (s->part_count == 1) why = why_alone(s, o);
    if (s->part_count > 1 && r->test_count > 0) why = "no pair of parts belongs to a test";
    char *ignored = s->ignored_parts > 0 ? format_text("; --ignore left out %u", s->ignored_parts) : copy_text("");
    const char *hint = r->test_count > 0            ? options_left_out_hint(o, NULL)
                       : found->spaces_left_out > 0 ? rules_spaces_hint
                                                    : "";
    const int code = complain(EXIT_INPUT, "nothing is compared: %s%s%s", why, ignored, hint);
    free(ignored);
    return code;
}

/* What was found, compared and written. `meshes`: where the scene has none; else NULL. Where nothing was compared only
 * the page is written, to look at the model: anything else would read as an answer. */
static int compare_and_write(const scene *s, mesh_stream *meshes, const options *o, const rules *r, findings *found,
                             baseline *before) {
    rules_warn_unused(r, o, found);
    int code = found->list.pairs_total == 0 ? say_nothing_compared(s, o, r, found) : 0;
    if (code != 0) {
        write_report(o, s, meshes, found);
        return left_out_code(s, o, code);
    }
    if (o->baseline) {
        code = baseline_compare(before, &found->list, o->fail_on_new);
        found->before = before;
    }
    groups gathered = {0};
    if (code == 0 && o->group) {
        code = groups_make(s, o->group, found, &gathered);
        found->groups = &gathered;
    }
    if (code == 0) code = write_check(s, o, found);
    if (code == 0) code = write_files(o, s, meshes, found);
    if (code == 0 && found->list.failing > 0) code = EXIT_FOUND;
    groups_free(&gathered);
    return left_out_code(s, o, code);
}

/* On the first rank of a check in tiles. The page takes the meshes as they come; pictures of topics may show any. */
static int write_of_tiles(scene *s, spread *shared, const options *o, const rules *r, findings *found,
                          baseline *before) {
    rank_meshes meshes;
    if (!o->report && !o->bcf) return compare_and_write(s, NULL, o, r, found, before);
    meshes_start(&meshes, shared, s);
    if (o->bcf) meshes_keep(&meshes, shared);
    const int code = compare_and_write(s, o->bcf ? NULL : &meshes.stream, o, r, found, before);
    meshes_end(&meshes);
    return code;
}

/* Of several ranks the first has all that is written, and writes it. */
static int check_and_write(scene *s, spread *shared, const options *o, const rules *r, const double seconds[2],
                           baseline *before) {
    findings found;
    int code = find(s, shared, o, r, &found);
    if (code != 0) return code;
    found.seconds_import = seconds[0], found.seconds_build = seconds[1];
    if (!in_tiles(o))
        code = compare_and_write(s, NULL, o, r, &found, before);
    else if (ranks_own() == 0)
        code = write_of_tiles(s, shared, o, r, &found, before);
    else if (o->report || o->bcf)
        meshes_send(shared);
    if (ranks_own() == 0 && o->resume && code <= EXIT_FOUND) finished_forget(o->resume);
    cm_check_result_destroy(&found.list, NULL);
    return code;
}

static int read_parts(const options *o, spread *shared, scene *s, double seconds[2]) {
    return in_tiles(o) ? spread_read(o, shared, s, seconds) : options_read_scene(o, s, seconds);
}

int run_check(options *o) {
    if (o->path_count == 0) return complain(EXIT_INPUT, "check needs a file (see carom help check)");
    if (ranks_count() > 1 && o->read.threads == 0) o->read.threads = ranks_threads();
    for (uint32_t i = 0; i < o->path_count; i++)
        if (robot_is_urdf(o->paths[i])) return run_robot(o);
    if (*o->robot.any)
        return complain(EXIT_INPUT, "%s is for robots: none of the files is a URDF%s", o->robot.any,
                        strcmp(o->robot.any, "--padding") == 0 ? " (--clearance finds parts that are near)" : "");
    const bool writes = ranks_own() == 0;
    scene s = {0};
    spread shared = {0};
    double seconds[2];
    baseline before = {0};
    rules r;
    int code = rules_read(o, &r);
    if (r.also & RULES_SPACES) o->read.left_out = NULL;
    rules_seek(&r, o);
    if (code == 0 && writes) code = check_files(o);
    if (code == 0 && writes) warn_named_twice(o->paths, o->path_count);
    if (code == 0 && writes && o->baseline) code = baseline_read(o->baseline, &before);
    code = ranks_agree(code, 0);
    if (code == 0) code = read_parts(o, &shared, &s, seconds);
    if (code == 0) {
        code = check_and_write(&s, &shared, o, &r, seconds, &before);
        free_scene(&s);
    }
    spread_free(&shared);
    baseline_free(&before);
    rules_free(&r);
    return code;
}
