/* carom info: what is in a file, and what is wrong with it. One row a distinct mesh, named after its first part. */
#include "check/commands.h"
#include "check/left_out.h"
#include "check/output.h"
#include "check/rules.h"
#include "common/terminal.h"
#include "common/text.h"
#include "common/units.h"

#include <jansson.h>

#include <stdlib.h>
#include <string.h>

/* What a mesh's parts have in common. */
typedef struct mesh_use {
    uint32_t parts, first_part;
} mesh_use;

static mesh_use *find_uses(const scene *s) {
    mesh_use *uses = allocate(s->mesh_count, sizeof *uses);
    for (uint32_t i = 0; i < s->part_count; i++) {
        mesh_use *use = &uses[s->parts[i].mesh];
        if (use->parts++ == 0) use->first_part = i;
    }
    return uses;
}

/* --- table ------------------------------------------------------------------------------------------------------- */

static void add_count(text_buffer *t, uint32_t count, const char *one, const char *many) {
    if (count > 0) text_add(t, "%s%u %s", t->used > 0 ? ", " : "", count, count == 1 ? one : many);
}

/* "closed", or what keeps it open, then what else is odd. free() it. */
static char *state_text(const scene_mesh *mesh) {
    const cm_mesh_info *m = &mesh->info;
    text_buffer t = {0};
    text_add(&t, "%s", m->closed ? "closed" : "open");
    add_count(&t, m->components > 1 ? m->components : 0, "component", "components");
    add_count(&t, m->holes, "hole", "holes");
    add_count(&t, m->open_edges, "open edge", "open edges");
    add_count(&t, cm_mesh_t_junctions(mesh->mesh, 0), "T-junction", "T-junctions");
    add_count(&t, m->nonmanifold_edges, "non-manifold edge", "non-manifold edges");
    add_count(&t, m->inconsistent_edges, "edge wound both ways", "edges wound both ways");
    add_count(&t, m->degenerate, "triangle without area", "triangles without area");
    add_count(&t, m->duplicate, "duplicate triangle", "duplicate triangles");
    add_count(&t, m->folded, "folded triangle", "folded triangles");
    if (m->closed && m->volume < 0) text_add(&t, ", inside out");
    add_count(&t, mesh->closed_junctions, "T-junction closed", "T-junctions closed");
    return t.bytes;
}

static char *size_text(const cm_aabb *box, show_unit unit) {
    cm_vec3 size = cm_scale(cm_sub(box->max, box->min), 1 / unit.metres);
    return format_text("%.5g x %.5g x %.5g", size.x, size.y, size.z);
}

/* Of a file: how many parts are spaces and openings. */
static uint32_t count_spaces(const scene *s, uint32_t file) {
    cm_check_part *parts = check_parts_of(s);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->part_count; i++)
        count += s->parts[i].file == file && cm_check_selects(rules_spaces, &parts[i]);
    free(parts);
    return count;
}

static void print_file(const scene *s, uint32_t number) {
    const scene_file *file = &s->files[number];
    const uint32_t spaces = count_spaces(s, number);
    const char *unit = unit_name(file->unit);
    printf("%s: %s\n", file->path, file->format);
    printf("  unit %s%s, %c up%s, %u part%s\n", unit ? unit : "unnamed", file->unit_assumed ? " (assumed)" : "",
           file->up, file->up_assumed ? " (assumed)" : "", file->part_count, plural(file->part_count));
    if (!unit) printf("  one unit is %g m\n", file->unit);
    if (spaces > 0)
        printf("  %u of them %s, which all other commands leave out by default (--also spaces)\n", spaces,
               spaces == 1 ? "is a space or opening" : "are spaces and openings");
    for (uint32_t i = 0; i < file->note_count; i++) printf("  %s\n", file->notes[i]);
    left_out_print(file);
}

/* The least room for a name, and for what is odd with a mesh: where there is less, that goes into lines of its own. */
enum { LEAST_NAME = 8, LEAST_STATE = 24, STATE_INDENT = 4 };

/* A name's room in a terminal of so many columns, `others` of which are taken. */
static size_t name_room(size_t columns, size_t most, size_t others) {
    const size_t left = columns > others ? columns - others : 0;
    return left > most ? most : left > LEAST_NAME ? left : LEAST_NAME;
}

/* Words with commas between them, behind `used` columns; on a terminal in as many lines as it takes. */
static void print_state(const char *text, size_t used, size_t columns) {
    size_t indent = used;
    if (columns > 0 && used + LEAST_STATE > columns) {
        indent = STATE_INDENT;
        printf("\n%*s", (int)indent, "");
    }
    while (columns > 0 && indent + text_width(text) > columns) {
        const char *end = NULL;
        for (const char *comma = text; (comma = strstr(comma, ", ")) && indent + (size_t)(comma - text) < columns;
             comma++)
            end = comma + 1;
        if (!end) break;
        printf("%.*s\n%*s", (int)(end - text), text, (int)indent, "");
        text = end + 1;
    }
    puts(text);
}

static void print_meshes(const scene *s, show_unit unit) {
    mesh_use *uses = find_uses(s);
    char **names = short_names(s);
    size_t name_width = 4, size_width = 7;
    char **labels = allocate(s->mesh_count, sizeof *labels), **sizes = allocate(s->mesh_count, sizeof *sizes);
    for (uint32_t i = 0; i < s->mesh_count; i++) {
        if (uses[i].parts == 0) continue;
        sizes[i] = size_text(&s->meshes[i].info.bounds, unit);
        if (text_width(sizes[i]) > size_width) size_width = text_width(sizes[i]);
    }
    const size_t columns = output_style().columns, others = strlen("  triangles    ") + size_width;
    for (uint32_t i = 0; i < s->mesh_count; i++) {
        if (uses[i].parts == 0) continue;
        char *times = uses[i].parts > 1 ? format_text(" (%u times)", uses[i].parts) : copy_text("");
        const size_t most = columns > 0 ? name_room(columns, columns / 3, others + strlen(times)) : 60;
        char *name = shorten_text(names[uses[i].first_part], most);
        labels[i] = format_text("%s%s", name, times);
        free(name), free(times);
        if (text_width(labels[i]) > name_width) name_width = text_width(labels[i]);
    }
    printf("\n%-*s  triangles  ", (int)name_width, "part");
    char *size_title = format_text("size %s", unit.name);
    printf("%-*s  ", (int)size_width, size_title);
    print_state("state", name_width + others, columns);
    for (uint32_t i = 0; i < s->mesh_count; i++) {
        if (uses[i].parts == 0) continue;
        char *state = state_text(&s->meshes[i]);
        printf("%s%*s  %9u  %-*s  ", labels[i], (int)(name_width - text_width(labels[i])), "",
               s->meshes[i].source_triangles, (int)size_width, sizes[i]);
        print_state(state, name_width + others, columns);
        free(state);
    }
    for (uint32_t i = 0; i < s->mesh_count; i++) free(labels[i]), free(sizes[i]);
    for (uint32_t i = 0; i < s->part_count; i++) free(names[i]);
    free(size_title), free(labels), free(sizes), free(names), free(uses);
}

/* --- bounding volumes --------------------------------------------------------------------------------------------- */

enum { BOUNDS_CELLS = 1 + BOUNDING_KINDS };

/* A line of the table: the volume of the model, and those around it. */
typedef struct bounds_row {
    char *label, *cells[BOUNDS_CELLS];
} bounds_row;

/* "12.5 (48 %)": a volume and how much of it is empty; with `brief` the volume alone. free() it. */
static char *volume_text(const bounding *b, bounding_kind kind, show_unit unit, bool brief) {
    double volume = b->volumes[kind] / (unit.metres * unit.metres * unit.metres), empty = bounding_empty(b, kind);
    return empty < 0 || brief ? format_text("%.4g", volume) : format_text("%.4g (%.3g %%)", volume, 100 * empty);
}

static void fill_bounds_row(bounds_row *row, const char *label, bounding b, show_unit unit, bool brief) {
    const double cube = unit.metres * unit.metres * unit.metres;
    row->label = copy_text(label);
    row->cells[0] = b.model < 0 ? copy_text("open") : format_text("%.4g", b.model / cube);
    for (int kind = 0; kind < BOUNDING_KINDS; kind++)
        row->cells[1 + kind] = volume_text(&b, (bounding_kind)kind, unit, brief);
    bounding_free(&b);
}

/* A line a distinct mesh, in its own axes, and one for the whole where it stands. Returns how many. */
static uint32_t find_bounds_rows(const scene *s, show_unit unit, bool brief, bounds_row *rows) {
    mesh_use *uses = find_uses(s);
    char **names = short_names(s);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->mesh_count; i++) {
        if (uses[i].parts == 0) continue;
        bounding b = bounding_of_mesh(&s->meshes[i]);
        if (b.hull)
            fill_bounds_row(&rows[count++], names[uses[i].first_part], b, unit, brief);
        else
            bounding_free(&b);
    }
    if (s->part_count > 1) fill_bounds_row(&rows[count++], "the whole", bounding_of_scene(s), unit, brief);
    for (uint32_t i = 0; i < s->part_count; i++) free(names[i]);
    free(names), free(uses);
    return count;
}

static void free_bounds_rows(bounds_row *rows, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        free(rows[i].label);
        for (int k = 0; k < BOUNDS_CELLS; k++) free(rows[i].cells[k]);
    }
}

/* Returns the room of all columns but that of the names. */
static size_t find_bounds_widths(const bounds_row *rows, uint32_t count, bool on_terminal, size_t *widths) {
    size_t all = 0;
    for (int k = 0; k < BOUNDS_CELLS; k++) {
        widths[k] = on_terminal ? strlen(k == 0 ? "its own" : bounding_names[k - 1]) : k == 0 ? 10 : 16;
        for (uint32_t i = 0; i < count; i++)
            if (text_width(rows[i].cells[k]) > widths[k]) widths[k] = text_width(rows[i].cells[k]);
        all += 2 + widths[k];
    }
    return all;
}

/* On a terminal that is too narrow, without how much of the volumes is empty; in 76 columns the longest numbers fit. */
static void print_bounds(const scene *s, show_unit unit) {
    const size_t columns = output_style().columns;
    bounds_row *rows = allocate((size_t)s->mesh_count + 1, sizeof *rows);
    size_t widths[BOUNDS_CELLS], width = strlen("the whole");
    bool brief = false;
    uint32_t count = find_bounds_rows(s, unit, brief, rows);
    size_t others = find_bounds_widths(rows, count, columns > 0, widths);
    if (columns > 0 && others + width > columns) {
        free_bounds_rows(rows, count);
        brief = true;
        count = find_bounds_rows(s, unit, brief, rows);
        others = find_bounds_widths(rows, count, true, widths);
    }
    for (uint32_t i = 0; i < count; i++) {
        char *label = shorten_text(rows[i].label, columns > 0 ? name_room(columns, columns / 4, others) : 60);
        free(rows[i].label);
        rows[i].label = label;
        if (text_width(label) > width) width = text_width(label);
    }
    printf("\nbounding volumes in %s3%s\n", unit.name, brief ? "" : ", and how much of them is empty");
    printf("%-*s", (int)width, "part");
    for (int k = 0; k < BOUNDS_CELLS; k++) printf("  %*s", (int)widths[k], k == 0 ? "its own" : bounding_names[k - 1]);
    puts("");
    for (uint32_t i = 0; i < count; i++) {
        printf("%s%*s", rows[i].label, (int)(width - text_width(rows[i].label)), "");
        for (int k = 0; k < BOUNDS_CELLS; k++) printf("  %*s", (int)widths[k], rows[i].cells[k]);
        puts("");
    }
    free_bounds_rows(rows, count);
    free(rows);
}

static double shown_number(double metres, double size, show_unit unit) {
    return fabs(metres) <= 1e-12 * size ? 0 : metres / unit.metres;
}
static cm_vec3 shown_point(cm_vec3 p, double size, show_unit unit) {
    return cm_v(shown_number(p.x, size, unit), shown_number(p.y, size, unit), shown_number(p.z, size, unit));
}

static void write_info_table(const scene *s, bool bounds) {
    cm_aabb box;
    show_unit unit = unit_to_show(scene_bounds(s, &box));
    for (uint32_t i = 0; i < s->file_count; i++) print_file(s, i);
    if (s->part_count == 0) return;
    print_meshes(s, unit);
    if (bounds) print_bounds(s, unit);
    uint64_t triangles = 0;
    uint32_t closed = 0;
    for (uint32_t i = 0; i < s->part_count; i++) {
        triangles += s->meshes[s->parts[i].mesh].source_triangles;
        closed += s->meshes[s->parts[i].mesh].info.solid;
    }
    printf("\n%u part%s, %u closed; %u distinct mesh%s; %llu triangles in all", s->part_count, plural(s->part_count),
           closed, s->mesh_count, s->mesh_count == 1 ? "" : "es", (unsigned long long)triangles);
    if (s->ignored_parts > 0) printf("; %u part%s ignored", s->ignored_parts, plural(s->ignored_parts));
    /* The box is rounded outwards: what is but rounding is shown as zero. */
    double size = cm_length(cm_sub(box.max, box.min));
    cm_vec3 low = shown_point(box.min, size, unit), high = shown_point(box.max, size, unit);
    printf("\nfrom %.6g %.6g %.6g to %.6g %.6g %.6g %s\n", low.x, low.y, low.z, high.x, high.y, high.z, unit.name);
}

/* --- JSON and CSV ------------------------------------------------------------------------------------------------- */

static json_t *json_mesh(const scene_mesh *mesh) {
    const cm_mesh_info *m = &mesh->info;
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:b, s:f, s:f, s:o, s:o}",
        "triangles", (json_int_t)mesh->source_triangles, "points", (json_int_t)m->points, "welded_points",
        (json_int_t)m->welded, "degenerate", (json_int_t)m->degenerate, "duplicate", (json_int_t)m->duplicate, "folded",
        (json_int_t)m->folded, "edges", (json_int_t)m->edges, "open_edges", (json_int_t)m->open_edges, "t_junctions",
        (json_int_t)cm_mesh_t_junctions(mesh->mesh, 0), "closed_t_junctions", (json_int_t)mesh->closed_junctions,
        "nonmanifold_edges", (json_int_t)m->nonmanifold_edges, "inconsistent_edges", (json_int_t)m->inconsistent_edges,
        "holes", (json_int_t)m->holes, "components", (json_int_t)m->components, "closed", m->closed, "solid", m->solid,
        "volume", m->volume, "area", m->area, "bounds", json_box(&m->bounds), "deviation",
        mesh->deviation < 0 ? json_null() : json_real(mesh->deviation));
}

/* All volumes, by name; takes them over. null where there are no triangles. */
static json_t *json_bounds(bounding b) {
    json_t *out = b.hull ? json_object() : json_null();
    for (int kind = 0; kind < BOUNDING_KINDS && b.hull; kind++)
        json_object_set_new(out, bounding_names[kind], json_bounding(&b, (bounding_kind)kind));
    bounding_free(&b);
    return out;
}

static json_t *json_properties(const scene *s, const scene_part *p) {
    json_t *out = json_object();
    const import_property *list = s->files[p->file].facts.properties;
    for (uint32_t i = p->first_property; i < p->first_property + p->property_count; i++)
        json_object_set_new(out, list[i].key, json_string(list[i].value));
    return out;
}

static void write_info_json(const scene *s, bool bounds) {
    json_t *meshes = json_array(), *parts = json_array();
    for (uint32_t i = 0; i < s->mesh_count; i++) {
        json_t *mesh = json_mesh(&s->meshes[i]);
        if (bounds) json_object_set_new(mesh, "bounding", json_bounds(bounding_of_mesh(&s->meshes[i])));
        json_array_append_new(meshes, mesh);
    }
    for (uint32_t i = 0; i < s->part_count; i++) {
        const scene_part *p = &s->parts[i];
        cm_quat q = p->pose.rotation;
        json_t *part = json_pack("{s:s, s:I, s:I, s:o, s:[ffff]}", "name", p->name, "file", (json_int_t)p->file, "mesh",
                                 (json_int_t)p->mesh, "position", json_point(p->pose.position), "rotation", q.x + 0.0,
                                 q.y + 0.0, q.z + 0.0, q.w);
        if (p->property_count > 0) json_object_set_new(part, "properties", json_properties(s, p));
        json_array_append_new(parts, part);
    }
    cm_aabb box;
    scene_bounds(s, &box);
    char up[2] = {s->up, 0};
    json_t *root =
        json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "schema", "carom-info-1", "carom", cm_version(), "unit",
                  "m", "up", up, "files", json_files(s), "bounds", json_box(&box), "meshes", meshes, "parts", parts);
    if (bounds) json_object_set_new(root, "bounding", json_bounds(bounding_of_scene(s)));
    json_print(root);
}

static void write_info_csv(const scene *s, bool bounds) {
    double(*volumes)[BOUNDING_KINDS] = allocate(s->mesh_count, sizeof *volumes);
    for (uint32_t i = 0; i < s->mesh_count && bounds; i++) {
        bounding b = bounding_of_mesh(&s->meshes[i]);
        memcpy(volumes[i], b.volumes, sizeof b.volumes);
        bounding_free(&b);
    }
    fputs("part,file,triangles,closed,components,holes,open_edges,t_junctions,closed_t_junctions,nonmanifold_edges,"
          "inconsistent_edges,"
          "degenerate,"
          "duplicate,folded,"
          "size_x_m,size_y_m,size_z_m,volume_m3,area_m2",
          stdout);
    for (int kind = 0; kind < BOUNDING_KINDS && bounds; kind++) printf(",%s_volume_m3", bounding_names[kind]);
    putchar('\n');
    for (uint32_t i = 0; i < s->part_count; i++) {
        const scene_part *p = &s->parts[i];
        const scene_mesh *mesh = &s->meshes[p->mesh];
        const cm_mesh_info *m = &mesh->info;
        cm_vec3 size = cm_sub(m->bounds.max, m->bounds.min);
        csv_text(p->name);
        putchar(',');
        csv_text(s->files[p->file].path);
        printf(",%u,%d,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%.17g,%.17g,%.17g,%.17g,%.17g", mesh->source_triangles, m->closed,
               m->components, m->holes, m->open_edges, cm_mesh_t_junctions(mesh->mesh, 0), mesh->closed_junctions,
               m->nonmanifold_edges, m->inconsistent_edges, m->degenerate, m->duplicate, m->folded, size.x, size.y,
               size.z, m->volume, m->area);
        for (int kind = 0; kind < BOUNDING_KINDS && bounds; kind++) printf(",%.17g", volumes[p->mesh][kind]);
        putchar('\n');
    }
    free(volumes);
}

int write_info(const scene *s, const options *o) {
    switch (o->format) {
    case FORMAT_TABLE:
        write_info_table(s, o->bounds);
        break;
    case FORMAT_JSON:
        write_info_json(s, o->bounds);
        break;
    case FORMAT_CSV:
        write_info_csv(s, o->bounds);
        break;
    }
    return finish_output();
}

int run_info(options *o) {
    if (o->path_count == 0) return complain(EXIT_INPUT, "info needs a file (see carom help info)");
    scene s;
    double seconds[2];
    int code = options_read_scene(o, &s, seconds);
    if (code != 0) return code;
    code = write_info(&s, o);
    free_scene(&s);
    return code;
}
