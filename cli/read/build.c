/* The meshes of one file, built: see build.h. */
#include "read/build.h"

#include "common/parallel.h"
#include "common/text.h"
#include "read/junctions.h"
#include "read/pieces.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- each geometry once ------------------------------------------------------------------------------------------ */

static size_t hash_sources(const uint32_t *sources, uint32_t count) {
    uint64_t h = UINT64_C(14695981039346656037);
    for (uint32_t i = 0; i < count; i++) h = (h ^ sources[i]) * UINT64_C(1099511628211);
    return (size_t)(h ^ (h >> 29));
}

static void rehash(geometry_list *all) {
    free(all->heads);
    all->head_count = all->head_count > 0 ? 2 * all->head_count : 256;
    all->heads = allocate(all->head_count, sizeof *all->heads);
    for (size_t i = 0; i < all->head_count; i++) all->heads[i] = IMPORT_NONE;
    for (uint32_t i = 0; i < all->count; i++) {
        geometry *g = &all->list[i];
        uint32_t *head = &all->heads[hash_sources(g->sources, g->source_count) & (all->head_count - 1)];
        g->next = *head, *head = i;
    }
}

uint32_t geometry_add(geometry_list *all, const uint32_t *sources, uint32_t source_count, const double stretch[9],
                      bool mirrored) {
    if (all->count >= all->head_count) rehash(all);
    uint32_t *head = &all->heads[hash_sources(sources, source_count) & (all->head_count - 1)];
    for (uint32_t i = *head; i != IMPORT_NONE; i = all->list[i].next) {
        const geometry *g = &all->list[i];
        if (g->source_count == source_count && memcmp(g->sources, sources, source_count * sizeof *sources) == 0 &&
            g->mirrored == mirrored && stretch_equal(g->stretch, stretch))
            return i;
    }
    all->list = grow(all->list, all->count, &all->capacity, sizeof *all->list);
    geometry *g = &all->list[all->count];
    *g = (geometry){.sources = allocate(source_count, sizeof *sources),
                    .source_count = source_count,
                    .mirrored = mirrored,
                    .next = *head};
    memcpy(g->sources, sources, source_count * sizeof *sources);
    memcpy(g->stretch, stretch, sizeof g->stretch);
    *head = all->count;
    return all->count++;
}

void geometry_free(geometry_list *all) {
    for (uint32_t i = 0; i < all->count; i++) free(all->list[i].sources);
    free(all->list);
    free(all->heads);
    *all = (geometry_list){0};
}

/* --- meshes ------------------------------------------------------------------------------------------------------ */

/* Points and triangles before they are a mesh. */
typedef struct soup {
    cm_vec3 *points;
    uint32_t point_count;
    uint32_t *indices;
    uint32_t triangle_count;
    double deviation; /* metres; < 0 where not known */
    double epsilon;   /* what its numbers were rounded by, of their size */
} soup;

/* The most that a stretch lengthens anything, or a little more: its rows' largest sum. */
static double stretch_most(const double s[9]) {
    double most = 0;
    for (int i = 0; i < 9; i += 3) most = fmax(most, fabs(s[i]) + fabs(s[i + 1]) + fabs(s[i + 2]));
    return most;
}

static bool gather(const geometry *g, const import_data *data, soup *out) {
    uint64_t points = 0, triangles = 0;
    for (uint32_t i = 0; i < g->source_count; i++) {
        points += data->meshes[g->sources[i]].point_count;
        triangles += data->meshes[g->sources[i]].triangle_count;
    }
    if (points > UINT32_MAX || triangles > UINT32_MAX / 4) return false;
    *out = (soup){.points = allocate((size_t)points, sizeof(cm_vec3)), .indices = allocate((size_t)triangles, 12)};
    const double *s = g->stretch;
    double deviation = 0;
    for (uint32_t i = 0; i < g->source_count; i++) {
        double own = data->meshes[g->sources[i]].deviation;
        deviation = own < 0 || deviation < 0 ? -1 : fmax(deviation, own);
    }
    out->deviation = deviation < 0 ? -1 : deviation * stretch_most(s);
    out->epsilon = data->single_points ? (double)FLT_EPSILON : DBL_EPSILON;
    for (uint32_t i = 0; i < g->source_count; i++) {
        const import_mesh *mesh = &data->meshes[g->sources[i]];
        uint32_t base = out->point_count;
        for (uint32_t k = 0; k < mesh->point_count; k++) {
            const double *p = &mesh->points[3 * (size_t)k];
            out->points[base + k] =
                cm_v(s[0] * p[0] + s[1] * p[1] + s[2] * p[2], s[3] * p[0] + s[4] * p[1] + s[5] * p[2],
                     s[6] * p[0] + s[7] * p[1] + s[8] * p[2]);
        }
        for (uint32_t k = 0; k < 3 * mesh->triangle_count; k++)
            out->indices[3 * (size_t)out->triangle_count + k] = mesh->indices[k] + base;
        out->point_count += mesh->point_count;
        out->triangle_count += mesh->triangle_count;
    }
    return true;
}

static void soup_free(soup *s) {
    free(s->points);
    free(s->indices);
}

/* Solid if it can be, else a surface. */
static cm_status build_any(cm_mesh_desc *desc, bool may_be_solid, scene_mesh *out, cm_error *error) {
    desc->solid = may_be_solid;
    cm_status status = cm_mesh_build(desc, NULL, &out->mesh, error);
    if (status == CM_NOT_SOLID) {
        desc->solid = false;
        status = cm_mesh_build(desc, NULL, &out->mesh, error);
    }
    if (status == CM_OK) cm_mesh_get_info(out->mesh, &out->info);
    return status;
}

/* A surface whose T-junctions can be closed is built anew with its triangles cut there. */
static cm_status close_surface(double epsilon, double weld, scene_mesh *out, cm_error *error) {
    split_triangles split;
    if (!split_at_junctions(out->mesh, epsilon, weld, &split)) return CM_OK;
    cm_mesh_desc desc = {.points = &cm_mesh_points(out->mesh)->x,
                         .point_count = out->info.points,
                         .indices = split.indices,
                         .triangle_count = split.count,
                         .weld = -1};
    scene_mesh closed = {.closed_junctions = split.closed};
    cm_status status = build_any(&desc, true, &closed, error);
    free(split.indices);
    if (status != CM_OK) return status;
    closed.info.welded = out->info.welded;
    cm_mesh_destroy(out->mesh, NULL);
    *out = closed;
    return CM_OK;
}

/* Triangles that have no inside as they are may get one where their T-junctions are closed. */
static cm_status build_soup(const soup *s, double weld, bool flip, bool may_be_solid, scene_mesh *out,
                            cm_error *error) {
    cm_mesh_desc desc = {.points = &s->points->x,
                         .point_count = s->point_count,
                         .indices = s->indices,
                         .triangle_count = s->triangle_count,
                         .weld = weld,
                         .flip = flip};
    cm_status status = build_any(&desc, may_be_solid, out, error);
    if (status == CM_OK && may_be_solid && out->info.open_edges > 0)
        status = close_surface(s->epsilon, weld, out, error);
    out->source_triangles = s->triangle_count;
    out->deviation = s->deviation;
    return status;
}

/* The triangles that had an area, and have none since corners of theirs were joined. */
static uint32_t count_flattened(const soup *s, const cm_mesh *mesh) {
    uint32_t count = 0, now[3];
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        const uint32_t *corners = &s->indices[3 * (size_t)t];
        const cm_vec3 *p = s->points, a = p[corners[0]], b = p[corners[1]], c = p[corners[2]];
        cm_mesh_corners(mesh, t, now);
        if (now[0] != now[1] && now[1] != now[2] && now[2] != now[0]) continue;
        count += cm_length(cm_cross(cm_sub(b, a), cm_sub(c, a))) > 0;
    }
    return count;
}

/* So many pieces of a mesh, each a mesh of its own; of[t] is the one of triangle t. */
static cm_status build_pieces(const scene_mesh *whole, const uint32_t *of, uint32_t count, double epsilon, double weld,
                              scene_mesh *out, cm_error *error) {
    uint32_t triangles = cm_mesh_triangle_count(whole->mesh), points = cm_mesh_point_count(whole->mesh);
    uint32_t *order = allocate(triangles, sizeof *order), *start = allocate(count + 1u, sizeof *start);
    uint32_t *renumbered = allocate(points, sizeof *renumbered);
    uint32_t *in = allocate(points, sizeof *in); /* the last piece that a point was seen in, and one more */
    soup piece = {.points = allocate(points, sizeof(cm_vec3)), .indices = allocate(triangles, 12)};
    piece.deviation = whole->deviation, piece.epsilon = epsilon;
    const cm_vec3 *source = cm_mesh_points(whole->mesh);
    for (uint32_t t = 0; t < triangles; t++) start[of[t] + 1]++;
    for (uint32_t c = 0; c < count; c++) start[c + 1] += start[c];
    for (uint32_t t = 0; t < triangles; t++) order[start[of[t]]++] = t; /* moves each start to the next one */

    cm_status status = CM_OK;
    for (uint32_t c = 0; c < count && status == CM_OK; c++) {
        piece.point_count = piece.triangle_count = 0;
        for (uint32_t i = c > 0 ? start[c - 1] : 0; i < start[c]; i++) {
            uint32_t corners[3];
            cm_mesh_corners(whole->mesh, order[i], corners);
            for (int k = 0; k < 3; k++) {
                const uint32_t corner = corners[k];
                if (in[corner] != c + 1) {
                    piece.points[piece.point_count] = source[corner];
                    renumbered[corner] = piece.point_count++;
                    in[corner] = c + 1;
                }
                piece.indices[3 * (size_t)piece.triangle_count + (size_t)k] = renumbered[corner];
            }
            piece.triangle_count++;
        }
        status = build_soup(&piece, weld, false, true, &out[c], error);
    }
    soup_free(&piece);
    free(order), free(start), free(renumbered), free(in);
    return status;
}

/* --- all of them, in parallel ------------------------------------------------------------------------------------ */

/* What became of one geometry. */
typedef struct built {
    scene_mesh *pieces; /* mesh_count of the geometry */
    uint32_t flattened; /* triangles that welding left without area */
    bool too_large;
    cm_status status;
    cm_error error;
} built;

typedef struct build_work {
    geometry_list *all;
    import_data *data;
    uint32_t *uses; /* one a mesh of the data: by how many geometries */
    double weld;
    bool components;
    built *results;
} build_work;

/* Nobody else looks at the mesh of one use. */
static void drop_gathered(const build_work *work, const geometry *g) {
    for (uint32_t i = 0; i < g->source_count; i++) {
        import_mesh *mesh = &work->data->meshes[g->sources[i]];
        if (work->uses[g->sources[i]] > 1) continue;
        free(mesh->points), free(mesh->indices);
        mesh->points = NULL, mesh->indices = NULL;
    }
}

static void build_one(void *argument, int index, int worker) {
    (void)worker;
    const build_work *work = argument;
    geometry *g = &work->all->list[index];
    built *result = &work->results[index];
    soup everything;
    result->too_large = !gather(g, work->data, &everything);
    if (result->too_large) return;
    drop_gathered(work, g);
    g->mesh_count = 1;
    result->pieces = allocate(1, sizeof *result->pieces);
    result->status =
        build_soup(&everything, work->weld, g->mirrored, !work->components, result->pieces, &result->error);
    const double epsilon = everything.epsilon;
    if (result->status == CM_OK && work->weld > 0 && result->pieces->info.degenerate > 0)
        result->flattened = count_flattened(&everything, result->pieces->mesh);
    soup_free(&everything);
    if (result->status != CM_OK || !work->components) return;
    scene_mesh whole = *result->pieces;
    uint32_t *of = allocate(whole.info.triangles, sizeof *of);
    free(result->pieces);
    g->mesh_count = pieces_number(whole.mesh, of);
    result->pieces = allocate(g->mesh_count, sizeof *result->pieces);
    result->status = build_pieces(&whole, of, g->mesh_count, epsilon, work->weld, result->pieces, &result->error);
    free(of);
    cm_mesh_destroy(whole.mesh, NULL);
}

static int say_result(const char *path, const built *result) {
    if (result->too_large) return complain(EXIT_INPUT, "%s: a part has too many triangles", path);
    if (result->status == CM_OK) return 0;
    return complain(result->status == CM_NO_MEMORY ? EXIT_INTERNAL : EXIT_INPUT,
                    "%s: a mesh cannot be built: %s (%s %u)", path, cm_status_text(result->status),
                    result->error.field ? result->error.field : "mesh", result->error.index);
}

int geometry_build(geometry_list *all, import_data *data, const char *path, const build_options *options, scene *s) {
    build_work work = {.all = all,
                       .data = data,
                       .uses = allocate(data->mesh_count, sizeof *work.uses),
                       .weld = options->weld,
                       .components = options->components,
                       .results = allocate(all->count, sizeof *work.results)};
    for (uint32_t i = 0; i < all->count; i++)
        for (uint32_t k = 0; k < all->list[i].source_count; k++) work.uses[all->list[i].sources[k]]++;
    run_in_parallel(options->threads, all->count, build_one, &work);
    int code = 0;
    uint64_t flattened = 0;
    size_t capacity = s->mesh_count;
    for (uint32_t i = 0; i < all->count; i++) {
        geometry *g = &all->list[i];
        built *result = &work.results[i];
        if (code == 0) code = say_result(path, result);
        flattened += result->flattened;
        g->first_mesh = s->mesh_count;
        for (uint32_t k = 0; k < g->mesh_count && result->pieces; k++) {
            if (!result->pieces[k].mesh) continue; /* it was this one that failed */
            s->meshes = grow(s->meshes, s->mesh_count, &capacity, sizeof *s->meshes);
            s->meshes[s->mesh_count++] = result->pieces[k];
        }
        free(result->pieces);
    }
    if (code == 0 && flattened > 0)
        warn("%s: --weld leaves %llu triangle%s without area: it joins corners of theirs that lie apart", path,
             (unsigned long long)flattened, plural(flattened));
    free(work.results);
    free(work.uses);
    return code;
}
