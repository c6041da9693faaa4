/* From files to a scene: see read.h. */
#include "read/read.h"

#include "read/affine.h"
#include "read/build.h"
#include "read/names.h"
#include "common/progress.h"
#include "common/text.h"
#include "common/units.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- what is told about a file ----------------------------------------------------------------------------------- */

static void note(scene_file *file, char *line) {
    char **notes = allocate(file->note_count + 1u, sizeof *notes);
    if (file->note_count > 0) memcpy(notes, file->notes, file->note_count * sizeof *notes);
    free(file->notes);
    file->notes = notes;
    file->notes[file->note_count++] = line;
}

/* "3 lines: what became of them". */
static void note_count(scene_file *file, uint64_t count, const char *thing, const char *fate) {
    bool hiss = strcmp(thing, "mesh") == 0 && count != 1;
    if (count > 0)
        note(file,
             format_text("%llu %s%s%s: %s", (unsigned long long)count, thing, hiss ? "e" : "", plural(count), fate));
}

static void describe_place(scene_file *file) {
    const import_place *p = &file->facts.place;
    if (p->scale > 0)
        note(file, format_text("stands on the map%s%s at %.3f m east, %.3f m north, height %.3f m",
                               *p->system ? " of " : "", p->system, p->east, p->north, p->height));
}

static void describe_geometry(scene_file *file, const import_data *data) {
    uint64_t polygons = 0, lines = 0, dots = 0, lost = 0, bad_indices = 0, bad_points = 0, empty = 0;
    for (uint32_t i = 0; i < data->mesh_count; i++) {
        const import_mesh *m = &data->meshes[i];
        polygons += m->polygons, lines += m->lines, dots += m->dots, lost += m->lost;
        bad_indices += m->bad_indices, bad_points += m->bad_points;
        empty += m->triangle_count == 0;
    }
    note_count(file, polygons, "polygon", "cut into triangles");
    note_count(file, lost, "triangle", "lost when polygons that cross themselves were cut");
    note_count(file, bad_indices, "face", "left out, as a point of theirs does not exist");
    note_count(file, bad_points, "triangle", "left out, as a coordinate of theirs is not a number or too large");
    note_count(file, lines, "line", "left out, without area");
    note_count(file, dots, "point", "left out, without area");
    note_count(file, empty, "mesh", "left out, without triangles");
    for (uint32_t i = 0; i < data->note_count; i++) {
        const size_t warns =
            strncmp(data->notes[i], NOTE_WARNING, strlen(NOTE_WARNING)) == 0 ? strlen(NOTE_WARNING) : 0;
        if (warns > 0) warn("%s: %s", file->path, data->notes[i] + warns);
        note(file, copy_text(data->notes[i] + warns));
    }
    file->dropped_triangles = (uint32_t)(lost + bad_indices + bad_points);
    file->dropped_points = (uint32_t)(lines + dots);
}

cm_check_property *list_properties(const import_facts *facts) {
    cm_check_property *list = allocate(facts->property_count, sizeof *list);
    for (uint32_t i = 0; i < facts->property_count; i++)
        list[i] = (cm_check_property){facts->properties[i].key, facts->properties[i].value};
    return list;
}

static void describe_file(scene_file *file, const char *path, import_data *data, const read_options *options) {
    *file = (scene_file){.path = clean_text(path, strlen(path)), .format = copy_text(data->format)};
    file->unit_stated = data->unit > 0 && !options->override_unit;
    file->unit = file->unit_stated ? data->unit : options->unit > 0 ? options->unit : data->unit_bias;
    file->unit_assumed = !file->unit_stated && !(options->unit > 0);
    file->up_stated = data->up != 0;
    file->up = file->up_stated ? data->up : options->up ? options->up : data->up_bias;
    file->up_assumed = !file->up_stated && !options->up;
    file->single_points = data->single_points, file->single_places = data->single_places;
    describe_geometry(file, data);
    file->facts = data->facts;
    data->facts = (import_facts){0};
    file->properties = list_properties(&file->facts);
    describe_place(file);
}

/* --- parts ------------------------------------------------------------------------------------------------------- */

/* A part before its mesh is built. */
typedef struct draft {
    char *name;
    uint32_t geometry, node;
    cm_pose pose;
} draft;

typedef struct workshop {
    const import_data *data;
    const read_options *options;
    scene_file *file;
    const char *title; /* of the file, unique */
    geometry_list geometries;
    draft *drafts;
    uint32_t draft_count;
    size_t draft_capacity;
    name_set *names;
    uint32_t ignored, left_out;
} workshop;

static bool is_ignored(const read_options *options, const cm_check_part *part) {
    bool ignored = false;
    for (uint32_t i = 0; i < options->ignore_count; i++) {
        if (!cm_check_selects(options->ignore[i], part)) continue;
        if (options->ignore_used) options->ignore_used[i] = true;
        ignored = true;
    }
    return ignored;
}

static bool is_left_out(const read_options *options, const cm_check_part *part) {
    return options->left_out && cm_check_selects(options->left_out, part);
}

static void note_left_out(const read_options *options, const cm_check_part *part) {
    for (uint32_t i = 0; i < options->sought_count; i++)
        if (!options->sought_left_out[i] && cm_check_selects(options->sought[i], part))
            options->sought_left_out[i] = true;
}

/* Is the part not to become one? Then it is counted. */
static bool is_dropped(workshop *w, const cm_check_part *part) {
    const bool ignored = is_ignored(w->options, part), dropped = ignored || is_left_out(w->options, part);
    w->ignored += ignored;
    if (!dropped || ignored) return dropped;
    w->left_out++, w->file->part_count--;
    note_left_out(w->options, part);
    return true;
}

/* What selectors see of a part of the node. */
static cm_check_part describe_part(const scene_file *file, const import_node *node, const char *name) {
    cm_check_part part = {.name = name, .file = file->path};
    part.properties = file->properties + node->first_property, part.property_count = node->property_count;
    for (uint32_t i = 0; i < part.property_count && !part.id; i++)
        if (strcmp(part.properties[i].key, "id") == 0) part.id = part.properties[i].value;
    return part;
}

/* Takes over `path`, the part's name within its file. */
static void add_draft(workshop *w, uint32_t node, char *path, const uint32_t *sources, uint32_t source_count,
                      const affine *world) {
    char *name = path;
    if (!*path || !w->options->one_file) {
        name = format_text("%s%s%s", w->title, *path ? "/" : "", path);
        free(path);
    }
    name = name_set_add(w->names, name);
    w->file->part_count++;
    const cm_check_part part = describe_part(w->file, &w->data->nodes[node], name);
    if (is_dropped(w, &part)) {
        free(name);
        return;
    }
    draft d = {.name = name, .node = node};
    double stretch[9];
    bool mirrored = affine_part(world->m, &d.pose.rotation, stretch);
    static const double none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (stretch_equal(stretch, none)) memcpy(stretch, none, sizeof stretch); /* rounding of a rotation */
    for (int i = 0; i < 9; i++) stretch[i] *= w->file->unit;
    d.pose.position = cm_v(world->t[0] * w->file->unit, world->t[1] * w->file->unit, world->t[2] * w->file->unit);
    d.geometry = geometry_add(&w->geometries, sources, source_count, stretch, mirrored);
    w->drafts = grow(w->drafts, w->draft_count, &w->draft_capacity, sizeof *w->drafts);
    w->drafts[w->draft_count++] = d;
}

static void add_node(workshop *w, uint32_t number, const affine *world) {
    const import_node *node = &w->data->nodes[number];
    const uint32_t *refs = w->data->mesh_refs + node->first_mesh;
    uint32_t *sources = allocate(node->mesh_count, sizeof *sources), count = 0;
    for (uint32_t i = 0; i < node->mesh_count; i++)
        if (w->data->meshes[refs[i]].triangle_count > 0) sources[count++] = refs[i];
    if (count > 0 && (w->options->part != PART_MESH || node->mesh_count == 1)) {
        add_draft(w, number, node_path(w->data, number), sources, count, world);
    } else if (count > 0) {
        char *path = node_path(w->data, number);
        for (uint32_t i = 0; i < node->mesh_count; i++) {
            if (w->data->meshes[refs[i]].triangle_count == 0) continue;
            char *label = mesh_label(w->data, number, i);
            add_draft(w, number, format_text("%s%s%s", path, *path ? "/" : "", label), &refs[i], 1, world);
            free(label);
        }
        free(path);
    }
    free(sources);
}

static void add_nodes(workshop *w, char world_up) {
    affine *world = allocate(w->data->node_count, sizeof *world);
    for (uint32_t i = 0; i < w->data->node_count; i++) {
        const import_node *node = &w->data->nodes[i];
        affine local = affine_from_rows(node->local);
        affine parent = node->parent == IMPORT_NONE ? affine_turn_up(w->file->up, world_up) : world[node->parent];
        world[i] = affine_mul(&parent, &local);
        if (node->mesh_count > 0) add_node(w, i, &world[i]);
    }
    free(world);
}

static void add_part(const workshop *w, scene *s, size_t *capacity, char *name, uint32_t mesh, const draft *d) {
    const import_node *node = &w->data->nodes[d->node];
    cm_aabb box;
    const cm_shape shape = cm_make_mesh(s->meshes[mesh].mesh);
    cm_shape_bounds(&shape, &d->pose, &box);
    s->parts = grow(s->parts, s->part_count, capacity, sizeof *s->parts);
    s->parts[s->part_count++] = (scene_part){.name = name,
                                             .file = s->file_count - 1,
                                             .mesh = mesh,
                                             .pose = d->pose,
                                             .box = box,
                                             .first_property = node->first_property,
                                             .property_count = node->property_count,
                                             .node = d->node,
                                             .parent = node->parent};
}

/* Drafts become parts; a draft of several pieces becomes several. Takes over the names. */
static void add_parts(workshop *w, scene *s) {
    size_t capacity = s->part_count;
    for (uint32_t i = 0; i < w->draft_count; i++) {
        draft *d = &w->drafts[i];
        const geometry *g = &w->geometries.list[d->geometry];
        if (g->mesh_count == 1) {
            add_part(w, s, &capacity, d->name, g->first_mesh, d);
            d->name = NULL;
            continue;
        }
        w->file->part_count += g->mesh_count - 1;
        for (uint32_t k = 0; k < g->mesh_count; k++) {
            char *name = format_text("%s/component%u", d->name, k + 1);
            const cm_check_part part = describe_part(w->file, &w->data->nodes[d->node], name);
            if (is_dropped(w, &part)) {
                free(name);
            } else {
                add_part(w, s, &capacity, name, g->first_mesh + k, d);
            }
        }
    }
}

static void add_left_out(import_facts *facts, import_left_out thing) {
    import_left_out *list = allocate(facts->left_out_count + 1u, sizeof *list);
    if (facts->left_out_count > 0) memcpy(list, facts->left_out, facts->left_out_count * sizeof *list);
    free(facts->left_out);
    facts->left_out = list;
    facts->left_out[facts->left_out_count++] = thing;
}

/* What was lost in cutting polygons is missing where it could clash. */
static void find_holes(workshop *w) {
    for (uint32_t i = 0; i < w->draft_count; i++) {
        const geometry *g = &w->geometries.list[w->drafts[i].geometry];
        uint64_t lost = 0;
        for (uint32_t k = 0; k < g->source_count; k++) lost += w->data->meshes[g->sources[k]].lost;
        if (lost == 0) continue;
        add_left_out(&w->file->facts,
                     (import_left_out){.fate = IMPORT_PARTLY,
                                       .id = format_text("mesh %u", g->sources[0]),
                                       .kind = copy_text("mesh"),
                                       .name = copy_text(w->drafts[i].name),
                                       .reason = format_text("%llu triangle%s lost when polygons that cross themselves "
                                                             "were cut",
                                                             (unsigned long long)lost, plural(lost))});
    }
}

/* What is missing counts only where its parts would: --ignore names it as it names parts. What has no body is told in
 * any case. */
static void count_left_out(scene_file *file, const read_options *options) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < file->facts.left_out_count; i++) {
        import_left_out thing = file->facts.left_out[i];
        const cm_check_property class = {"class", thing.kind};
        const cm_check_part part = {
            .name = thing.name, .file = file->path, .id = thing.id, .properties = &class, .property_count = 1};
        if (is_ignored(options, &part) || (thing.fate != IMPORT_APART && is_left_out(options, &part))) {
            import_clear_left_out(&thing);
            continue;
        }
        file->facts.left_out[kept++] = thing;
        file->gone += thing.fate == IMPORT_GONE;
        file->partly += thing.fate == IMPORT_PARTLY && *thing.id;
        file->broken += thing.fate == IMPORT_PARTLY && !*thing.id;
    }
    file->facts.left_out_count = kept;
}

static bool poses_are_valid(const workshop *w) {
    for (uint32_t i = 0; i < w->draft_count; i++)
        if (!cm_pose_is_valid(&w->drafts[i].pose)) return false;
    return true;
}

/* --- single precision ---------------------------------------------------------------------------------------------- */

static double largest_coordinate(const cm_aabb *box) { return fmax(cm_largest(box->min), cm_largest(box->max)); }

/* The file's parts are the last ones of the scene. */
static void find_farthest(const scene *s, uint32_t first_part, scene_file *file) {
    const cm_pose here = cm_pose_identity();
    for (uint32_t i = first_part; i < s->part_count && (file->single_points || file->single_places); i++) {
        cm_aabb box = s->parts[i].box;
        const cm_shape shape = cm_make_mesh(s->meshes[s->parts[i].mesh].mesh);
        if (!file->single_places) cm_shape_bounds(&shape, &here, &box);
        file->farthest = fmax(file->farthest, largest_coordinate(&box));
    }
}

/* --- files ------------------------------------------------------------------------------------------------------- */

/* Neither the model nor what it refers to may be written over. */
static int spare_inputs(const char *path, const import_data *data, const output_files *outputs) {
    bool spared = outputs_spare_path(outputs, path);
    for (uint32_t i = 0; i < data->source_count && spared; i++)
        spared = outputs_spare(outputs, data->sources[i].path, data->sources[i].identity, path);
    return spared ? 0 : EXIT_INPUT;
}

/* The world's axes are those of the first file, unless others are asked for. False where that could not be read. */
static bool find_up(const scene_file *file, const read_options *options, bool is_first, read_share *share, scene *s) {
    if (s->file_count > 1) return true;
    s->up = options->world_up ? options->world_up : file->up;
    if (share) s->up = share->up(share->user, is_first ? s->up : 0);
    return s->up != 0;
}

/* `titles` has those of all files; this one's name is `title`. Names that differ within a file then differ among all
 * files, so that what a part is called does not depend on who reads the other files: they begin with the title, or are
 * the title with a number, and then no title. */
static int read_file(const char *path, const char *title, const name_set *titles, const read_options *options,
                     bool is_first, read_share *share, scene *s, double seconds[2]) {
    double start = seconds_now();
    import_data data;
    import_options import = options->import;
    import.unit = options->unit, import.override_unit = options->override_unit;
    int code = import_file(path, &import, &data);
    seconds[0] += seconds_now() - start;
    if (code == 0) code = spare_inputs(path, &data, options->outputs);
    if (code != 0) {
        import_free(&data);
        return code;
    }

    start = seconds_now();
    scene_file *file = &s->files[s->file_count++];
    describe_file(file, path, &data, options);
    name_set names = {.apart = options->one_file ? NULL : titles};
    workshop w = {.data = &data, .options = options, .file = file, .names = &names, .title = title};
    if (find_up(file, options, is_first, share, s)) {
        add_nodes(&w, options->as_it_stands ? file->up : s->up);
        find_holes(&w);
        count_left_out(file, options);
    } else {
        code = EXIT_INPUT;
    }
    build_options build = {options->weld, options->part == PART_COMPONENT, options->threads};
    if (!poses_are_valid(&w)) code = complain(EXIT_INPUT, "%s: a part stands too far from the origin", path);
    const uint32_t first_mesh = s->mesh_count;
    if (code == 0) code = geometry_build(&w.geometries, &data, path, &build, s);
    file->mesh_count = s->mesh_count - first_mesh;
    const uint32_t first_part = s->part_count;
    if (code == 0) add_parts(&w, s);
    if (code == 0) find_farthest(s, first_part, file);
    s->ignored_parts += w.ignored, s->left_out += w.left_out;
    for (uint32_t i = 0; i < w.draft_count; i++) free(w.drafts[i].name);
    free(w.drafts);
    name_set_free(&names);
    geometry_free(&w.geometries);
    import_free(&data);
    seconds[1] += seconds_now() - start;
    return code;
}

/* What lies this many times its size off, from the origin or from another file, is likely not where it belongs. */
enum { FAR_OFF = 20 };

static double size_of(const cm_aabb *box) { return cm_length(cm_sub(box->max, box->min)); }

/* Where single precision is all that was read, and coarse for a model of this size. */
static void warn_of_rounding(const scene *s, double size) {
    const scene_file *worst = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->file_count; i++) {
        const scene_file *file = &s->files[i];
        if (!(file->farthest > FAR_OFF * size)) continue;
        count++;
        if (!worst || file->farthest > worst->farthest) worst = file;
    }
    if (!worst) return;
    char *others = count > 1 ? format_text(" (and %u more)", count - 1) : copy_text("");
    warn("%s%s: so far from the origin coordinates are known to %.3g mm only, as single precision is all that is read "
         "of them; tolerances are four times that at least",
         worst->path, others, 1000 * (double)FLT_EPSILON * worst->farthest);
    free(others);
}

static void warn_far_apart(const scene_file *a, const cm_aabb *box_a, const scene_file *b, const cm_aabb *box_b) {
    if (!(box_a->min.x <= box_a->max.x) || !(box_b->min.x <= box_b->max.x)) return;
    const double size = fmax(size_of(box_a), size_of(box_b));
    const double apart = cm_length(cm_sub(cm_aabb_center(box_a), cm_aabb_center(box_b)));
    if (apart > FAR_OFF * size)
        warn("%s and %s lie %.4g km apart and are %.4g m large: do they share an origin?", a->path, b->path,
             apart / 1000, size);
    const import_place *p = &a->facts.place, *q = &b->facts.place;
    if (p->scale > 0 && q->scale > 0 &&
        (p->east != q->east || p->north != q->north || p->height != q->height || p->scale != q->scale ||
         p->axis[0] != q->axis[0] || p->axis[1] != q->axis[1] || strcmp(p->system, q->system) != 0))
        warn("%s and %s stand at different places on the map; each is taken as it stands in its own coordinates",
             a->path, b->path);
}

void warn_of_places(const scene *s) {
    cm_aabb *boxes = allocate(s->file_count, sizeof *boxes), all;
    for (uint32_t i = 0; i < s->file_count; i++) boxes[i] = cm_aabb_empty();
    for (uint32_t i = 0; i < s->part_count; i++) {
        const scene_part *part = &s->parts[i];
        boxes[part->file] = cm_aabb_union(boxes[part->file], part->box);
    }
    for (uint32_t i = 1; i < s->file_count; i++) warn_far_apart(&s->files[0], &boxes[0], &s->files[i], &boxes[i]);
    warn_of_rounding(s, scene_bounds(s, &all));
    free(boxes);
}

/* What each file is called in front of its parts' names. free() each and the list. */
static char **make_titles(const char *const *paths, uint32_t count, name_set *titles) {
    char **list = allocate(count, sizeof *list);
    for (uint32_t i = 0; i < count; i++) {
        char *path = clean_text(paths[i], strlen(paths[i]));
        list[i] = name_set_add(titles, copy_text(base_name(path)));
        free(path);
    }
    return list;
}

int read_share_of_scene(const char *const *paths, uint32_t count, const read_options *options, read_share *share,
                        scene *out, double seconds[2]) {
    name_set titles = {0};
    char **title = make_titles(paths, count, &titles);
    int code = 0;
    *out = (scene){.files = allocate(count, sizeof(scene_file)), .up = 'z'};
    seconds[0] = seconds[1] = 0;
    for (uint32_t i = 0; i < count && code == 0; i++) {
        if (share && !share->mine[i]) continue;
        code = read_file(paths[i], title[i], &titles, options, i == 0, share, out, seconds);
        if (code != 0 && share) share->failed = i;
    }
    name_set_free(&titles);
    for (uint32_t i = 0; i < count; i++) free(title[i]);
    free(title);
    if (code != 0) free_scene(out);
    return code;
}

int read_scene(const char *const *paths, uint32_t count, const read_options *options, scene *out, double seconds[2]) {
    int code = read_share_of_scene(paths, count, options, NULL, out, seconds);
    if (code == 0 && !options->as_it_stands) warn_of_places(out);
    return code;
}

void free_scene(scene *s) {
    for (uint32_t i = 0; i < s->file_count; i++) {
        scene_file *file = &s->files[i];
        for (uint32_t k = 0; k < file->note_count; k++) free(file->notes[k]);
        import_free_facts(&file->facts);
        free(file->properties);
        free(file->notes);
        free(file->path);
        free(file->format);
    }
    for (uint32_t i = 0; i < s->mesh_count; i++) cm_mesh_destroy(s->meshes[i].mesh, NULL);
    for (uint32_t i = 0; i < s->part_count; i++) free(s->parts[i].name);
    free(s->files);
    free(s->meshes);
    free(s->parts);
    *s = (scene){0};
}

const char *part_property(const scene *s, const scene_part *part, const char *key) {
    const import_property *list = s->files[part->file].facts.properties;
    for (uint32_t i = part->first_property; i < part->first_property + part->property_count; i++)
        if (strcmp(list[i].key, key) == 0) return list[i].value;
    return NULL;
}

double scene_bounds(const scene *s, cm_aabb *out) {
    *out = cm_aabb_empty();
    for (uint32_t i = 0; i < s->part_count; i++) *out = cm_aabb_union(*out, s->parts[i].box);
    return s->part_count > 0 ? cm_length(cm_sub(out->max, out->min)) : 0;
}
