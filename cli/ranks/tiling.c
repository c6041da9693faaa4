/* What every rank of a check knows, and who does what: see tiling.h.
 *
 *   1. All ranks get the boxes of all parts, and nothing else of them.
 *   2. Space is cut into a tile a rank by the number of parts. Each rank lists the pairs of one tile and estimates what
 *      they cost; a sample of them, drawn by cost, goes to all ranks, and by it space is cut into the tiles of the
 * check, several a rank, so that one that is done before the others can take of theirs.
 *   3. Neighboring tiles together, as many groups as ranks, go to the ranks that have most of what they need. */
#include "ranks/tiling.h"

#include "check/commands.h"
#include "common/text.h"
#include "ranks/ranks.h"
#include "ranks/sides.h"

#include <stdlib.h>
#include <string.h>

/* --- what all ranks know ----------------------------------------------------------------------------------------- */

static void share_margin(tiling *t) {
    cm_check_extent own, *all = allocate((size_t)ranks_count(), sizeof *all);
    cm_check_extent_of(t->own_parts, t->spread->own.part_count, &own);
    ranks_collect(&own, sizeof own, all);
    for (int r = 1; r < ranks_count(); r++) cm_check_extent_join(&all[0], &all[r]);
    t->margin = cm_check_margin(t->desc, &all[0]);
    free(all);
}

/* A number of a product, which has an id in its file. */
static uint64_t product_over_all(const cm_check_part *part) {
    if (!part->id || !*part->id) return 0;
    return hash_text(hash_text(TEXT_HASH, part->file), part->id) | 1;
}

static uint64_t *hash_meshes(const scene *own) {
    uint64_t *hashes = allocate(own->mesh_count, sizeof *hashes);
    for (uint32_t i = 0; i < own->mesh_count; i++)
        hashes[i] = block_hash(BLOCK_HASH, own->meshes[i].mesh, cm_mesh_bytes(own->meshes[i].mesh));
    return hashes;
}

static uint64_t hash_part(const cm_check_part *part, uint64_t mesh) {
    const cm_pose *pose = &part->pose;
    const double numbers[8] = {
        (double)pose->position.x, (double)pose->position.y, (double)pose->position.z, (double)pose->rotation.x,
        (double)pose->rotation.y, (double)pose->rotation.z, (double)pose->rotation.w, part->rounding};
    return block_hash(mesh, numbers, sizeof numbers);
}

/* Where own parts stand in the trees of their files. */
static void list_links(tiling *t, uint32_t file_count) {
    const scene *own = &t->spread->own;
    uint32_t *files = allocate(own->file_count, sizeof *files), read = 0;
    for (uint32_t f = 0; f < file_count && read < own->file_count; f++)
        if (t->spread->reader[f] == ranks_own()) files[read++] = f;
    for (uint32_t i = 0; i < own->part_count; i++) {
        const scene_part *part = &own->parts[i];
        const uint32_t file = files[part->file];
        t->own_links[i] = (part_links){t->own_parts[i].deviation, check_node_number(file, part->node),
                                       check_node_number(file, part->parent), product_over_all(&t->own_parts[i])};
    }
    free(files);
}

typedef struct box_work {
    tiling *t;
    uint32_t file_count;
} box_work;

static void take_boxes(void *user, int rank, block *from) {
    const box_work *work = user;
    const spread *s = work->t->spread;
    for (uint32_t f = 0; f < work->file_count; f++) {
        if (s->reader[f] != rank) continue;
        for (uint32_t p = s->parts[f]; p < s->parts[f + 1]; p++) work->t->owner[p] = rank;
        block_take(from, &work->t->outlines[s->parts[f]], (s->parts[f + 1] - s->parts[f]) * sizeof *work->t->outlines);
    }
}

static void share_boxes(tiling *t, uint32_t file_count) {
    const scene *own = &t->spread->own;
    block mine = {0};
    box_work work = {t, file_count};
    part_outline *list = block_add(&mine, own->part_count * sizeof *list);
    for (uint32_t i = 0; i < own->part_count; i++) {
        const scene_part *part = &own->parts[i];
        list[i] = (part_outline){cm_aabb_grow(part->box, t->margin), own->meshes[part->mesh].source_triangles, 0};
    }
    ranks_to_all(&mine, take_boxes, &work);
    block_free(&mine);
    uint32_t own_count = 0;
    for (uint32_t p = 0; p < t->count; p++)
        if (t->owner[p] == ranks_own()) t->own_numbers[own_count++] = p;
}

/* Of all that the findings of parts follow from, beside what all know. Sums do not depend on who has read a part. */
static void share_content(tiling *t) {
    const scene *own = &t->spread->own;
    uint64_t sum = 0, *meshes = hash_meshes(own), *all = allocate((size_t)ranks_count(), sizeof *all);
    for (uint32_t i = 0; i < own->part_count; i++) {
        const uint64_t hash = hash_part(&t->own_parts[i], meshes[own->parts[i].mesh]);
        sum += block_hash(block_hash(hash, &t->own_links[i], sizeof t->own_links[i]), &t->own_numbers[i],
                          sizeof t->own_numbers[i]);
    }
    ranks_collect(&sum, sizeof sum, all);
    for (int r = 0; r < ranks_count(); r++) t->content += all[r];
    free(meshes);
    free(all);
}

static void share_sides(tiling *t) {
    const uint32_t tests = sides_tests(t->desc);
    sides_share(t->desc, t->count, t->sides);
    for (uint32_t p = 0; p < t->count; p++)
        for (uint32_t i = 0; i < tests; i++) t->outlines[p].sides |= t->sides[(size_t)i * t->count + p];
}

/* --- the pairs of a tile ----------------------------------------------------------------------------------------- */

static bool are_asked_for(uint32_t a, uint32_t b) {
    return ((a & CM_CHECK_A) && (b & CM_CHECK_B)) || ((a & CM_CHECK_B) && (b & CM_CHECK_A));
}

/* False where there is no memory. */
static bool list_pairs(const tiling *t, const cm_check_tile *tile, pair_list *out) {
    uint32_t *numbers = allocate(t->count, sizeof *numbers), count = 0;
    for (uint32_t i = 0; i < t->count; i++)
        if (cm_aabb_overlaps(&t->outlines[i].box, &tile->box)) numbers[count++] = i;
    cm_aabb *boxes = allocate(count, sizeof *boxes);
    for (uint32_t i = 0; i < count; i++) boxes[i] = t->outlines[numbers[i]].box;
    cm_broad_pair_list near_pairs = {0};
    const cm_broad_pairs_desc how = {.flags = CM_BROAD_SORTED};
    const bool done = count == 0 || cm_broad_pairs(boxes, count, &how, &near_pairs) == CM_OK;
    out->count = 0;
    for (size_t i = 0; i < near_pairs.count && done; i++) {
        const uint32_t a = numbers[near_pairs.pairs[i].a], b = numbers[near_pairs.pairs[i].b];
        const part_outline *p = &t->outlines[a], *q = &t->outlines[b];
        if (!are_asked_for(p->sides, q->sides) || !cm_check_owns(tile, &p->box, &q->box, a, b)) continue;
        out->pairs = grow(out->pairs, out->count, &out->capacity, sizeof *out->pairs);
        out->pairs[out->count++] = (cm_broad_pair){a, b};
    }
    cm_broad_pair_list_free(&near_pairs, NULL);
    free(boxes);
    free(numbers);
    return done;
}

/* The share of a box that is within another along each axis, multiplied. */
static double share_of(const cm_aabb *box, const cm_aabb *other) {
    const double low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
    const double from[3] = {other->min.x, other->min.y, other->min.z},
                 to[3] = {other->max.x, other->max.y, other->max.z};
    double share = 1;
    for (int k = 0; k < 3; k++) {
        const double first = low[k] > from[k] ? low[k] : from[k], last = high[k] < to[k] ? high[k] : to[k];
        if (high[k] > low[k]) share *= (last > first ? last - first : 0) / (high[k] - low[k]);
    }
    return share;
}

/* What a pair costs, counted in triangles: those of both in what their boxes have in common, as if they lay evenly in
 * them, and what any pair costs. */
static double pair_cost(const tiling *t, const cm_broad_pair *pair) {
    const part_outline *a = &t->outlines[pair->a], *b = &t->outlines[pair->b];
    return 32 + share_of(&a->box, &b->box) * a->triangles + share_of(&b->box, &a->box) * b->triangles;
}

static double work_of(const tiling *t, const pair_list *list) {
    double work = 0;
    for (uint32_t i = 0; i < list->count; i++) work += pair_cost(t, &list->pairs[i]);
    return work;
}

/* --- the cut ----------------------------------------------------------------------------------------------------- */

typedef struct sample {
    cm_vec3 place;
    double cost;
} sample;

/* Enough that a tile's share of them misses its share of the cost by a few in a hundred; all ranks sort all of them. */
enum { MOST_PLACES = 1 << 18 };
static uint32_t samples_a_rank(void) {
    const uint32_t room = MOST_PLACES / (uint32_t)ranks_count();
    return room > 16384 ? 16384 : room < 256 ? 256 : room;
}

static cm_vec3 place_of(const tiling *t, const cm_broad_pair *pair) {
    return cm_vec3_max(t->outlines[pair->a].box.min, t->outlines[pair->b].box.min);
}

/* All pairs where they are few; else pairs at even steps of cost, each for so much. */
static void draw_samples(const tiling *t, const pair_list *list, block *out) {
    const uint32_t most = samples_a_rank();
    const double step = work_of(t, list) / most;
    double passed = 0, next = step / 2;
    for (uint32_t i = 0; i < list->count; i++) {
        const double cost = pair_cost(t, &list->pairs[i]);
        sample one;
        memset(&one, 0, sizeof one);
        one.place = place_of(t, &list->pairs[i]), passed += cost;
        if (list->count <= most) one.cost = cost;
        for (; list->count > most && next < passed; next += step) one.cost += step;
        if (one.cost > 0) block_put(out, &one, sizeof one);
    }
}

static int out_of_memory(void) { return complain(EXIT_INTERNAL, "checking pairs: %s", cm_status_text(CM_NO_MEMORY)); }

/* Into so many tiles, in place of those of before. */
static bool cut(tiling *t, const cm_vec3 *places, const double *costs, uint32_t count, uint32_t tile_count) {
    free(t->tiles);
    t->tiles = allocate(tile_count, sizeof *t->tiles), t->tile_count = tile_count;
    const bool done = cm_check_cut(places, costs, count, tile_count, NULL, t->tiles) == CM_OK;
    for (uint32_t i = 0; i < tile_count && done; i++) t->tiles[i].margin = t->margin;
    return done;
}

/* Several a rank; and enough that a check of few ranks can be resumed. */
enum { TILES_A_RANK = 8, LEAST_TILES = 64 };
static uint32_t tiles_of_check(void) {
    const uint32_t count = (uint32_t)ranks_count() * TILES_A_RANK;
    return count < LEAST_TILES ? LEAST_TILES : count;
}

static bool cut_by_parts(tiling *t) {
    const uint32_t step = t->count / MOST_PLACES + 1;
    uint32_t count = 0;
    cm_vec3 *places = allocate(t->count / step + 1, sizeof *places);
    for (uint32_t i = 0; i < t->count; i += step) places[count++] = t->outlines[i].box.min;
    const bool done = cut(t, places, NULL, count, (uint32_t)ranks_count());
    free(places);
    return done;
}

/* Samples of all ranks, in the order of the ranks: all cut the same. */
typedef struct sample_work {
    uint64_t *starts; /* one a rank */
    cm_vec3 *places;
    double *costs;
} sample_work;

static void take_samples(void *user, int rank, block *from) {
    const sample_work *work = user;
    for (uint64_t at = work->starts[rank]; from->at < from->size; at++) {
        sample one;
        block_take(from, &one, sizeof one);
        work->places[at] = one.place, work->costs[at] = one.cost;
    }
}

static bool cut_by_cost(tiling *t, const pair_list *list) {
    block mine = {0};
    draw_samples(t, list, &mine);
    uint64_t count = mine.size / sizeof(sample), passed = 0;
    sample_work work = {.starts = allocate((size_t)ranks_count(), sizeof *work.starts)};
    ranks_collect(&count, sizeof count, work.starts);
    for (int r = 0; r < ranks_count(); r++) count = work.starts[r], work.starts[r] = passed, passed += count;
    work.places = allocate((size_t)passed, sizeof *work.places);
    work.costs = allocate((size_t)passed, sizeof *work.costs);
    ranks_to_all(&mine, take_samples, &work);
    block_free(&mine);
    const bool done = cut(t, work.places, work.costs, (uint32_t)passed, tiles_of_check());
    free(work.starts);
    free(work.places);
    free(work.costs);
    return done;
}

int tiling_cut(tiling *t) {
    pair_list list = {0};
    bool done = cut_by_parts(t) && list_pairs(t, &t->tiles[ranks_own()], &list);
    int code = ranks_agree(done ? 0 : out_of_memory(), (uint32_t)ranks_own());
    if (code == 0) {
        done = cut_by_cost(t, &list);
        code = ranks_agree(done ? 0 : out_of_memory(), (uint32_t)ranks_own());
    }
    free(list.pairs);
    if (code != 0) return code;
    t->open = allocate(t->tile_count, sizeof *t->open), t->open_count = t->tile_count;
    for (uint32_t i = 0; i < t->tile_count; i++) t->open[i] = i;
    return 0;
}

/* --- who does which tiles ---------------------------------------------------------------------------------------- */

/* The open tiles from here to where the next group begins are a group; there are as many as ranks. */
static uint32_t group_start(const tiling *t, int group) {
    return (uint32_t)((uint64_t)t->open_count * (uint32_t)group / (uint32_t)ranks_count());
}

void tile_works_free(tile_work *list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) free(list[i].near.pairs);
    free(list);
}

/* False where there is no memory; what is there then is to be freed, too. */
static bool list_group(const tiling *t, int group, tile_work **out, uint32_t *count) {
    const uint32_t first = group_start(t, group);
    *count = group_start(t, group + 1) - first;
    *out = allocate(*count, sizeof **out);
    for (uint32_t i = 0; i < *count; i++) {
        tile_work *work = &(*out)[i];
        work->tile = t->open[first + i];
        if (!list_pairs(t, &t->tiles[work->tile], &work->near)) return false;
        work->work = work_of(t, &work->near);
    }
    return true;
}

uint32_t *tiling_parts(const tiling *t, const tile_work *list, uint32_t count, uint32_t *part_count) {
    bool *needed = allocate(t->count, sizeof *needed);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < list[i].near.count; k++)
            needed[list[i].near.pairs[k].a] = needed[list[i].near.pairs[k].b] = true;
    uint32_t used = 0;
    for (uint32_t i = 0; i < t->count; i++) used += needed[i];
    uint32_t *numbers = allocate(used, sizeof *numbers);
    *part_count = 0;
    for (uint32_t i = 0; i < t->count; i++)
        if (needed[i]) numbers[(*part_count)++] = i;
    free(needed);
    return numbers;
}

typedef struct group_offer {
    double triangles;
    int rank, group;
} group_offer;

static int compare_offers(const void *left, const void *right) {
    const group_offer *a = left, *b = right;
    if (a->triangles != b->triangles) return a->triangles > b->triangles ? -1 : 1;
    if (a->group != b->group) return a->group < b->group ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* This rank's group; `list` has the tiles of the group of its own number. */
static int choose_group(const tiling *t, const tile_work *list, uint32_t count) {
    const int ranks = ranks_count();
    double *has = allocate((size_t)ranks, sizeof *has), *all = allocate((size_t)ranks * (size_t)ranks, sizeof *all);
    uint32_t part_count, *parts = tiling_parts(t, list, count, &part_count);
    for (uint32_t i = 0; i < part_count; i++) has[t->owner[parts[i]]] += t->outlines[parts[i]].triangles;
    ranks_collect(has, (size_t)ranks * sizeof *has, all);
    group_offer *offers = allocate((size_t)ranks * (size_t)ranks, sizeof *offers);
    for (int group = 0; group < ranks; group++)
        for (int r = 0; r < ranks; r++) {
            const size_t i = (size_t)group * (size_t)ranks + (size_t)r;
            offers[i] = (group_offer){all[i], r, group};
        }
    qsort(offers, (size_t)ranks * (size_t)ranks, sizeof *offers, compare_offers);
    bool *given = allocate((size_t)ranks, sizeof *given), *busy = allocate((size_t)ranks, sizeof *busy);
    int own = 0;
    for (size_t i = 0; i < (size_t)ranks * (size_t)ranks; i++) {
        const group_offer *offer = &offers[i];
        if (given[offer->group] || busy[offer->rank]) continue;
        given[offer->group] = busy[offer->rank] = true;
        if (offer->rank == ranks_own()) own = offer->group;
    }
    free(has), free(all), free(parts), free(offers), free(given), free(busy);
    return own;
}

int tiling_divide(const tiling *t, tile_work **out, uint32_t *count) {
    bool done = list_group(t, ranks_own(), out, count);
    int code = ranks_agree(done ? 0 : out_of_memory(), (uint32_t)ranks_own());
    if (code != 0) return code;
    const int group = choose_group(t, *out, *count);
    if (group != ranks_own()) {
        tile_works_free(*out, *count);
        done = list_group(t, group, out, count);
    }
    return ranks_agree(done ? 0 : out_of_memory(), (uint32_t)ranks_own());
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

void tiling_share(tiling *t, const spread *s, uint32_t file_count, const cm_check_desc *desc, bool hashed) {
    const uint32_t count = s->parts[file_count];
    *t = (tiling){.spread = s,
                  .desc = desc,
                  .count = count,
                  .owner = allocate(count, sizeof *t->owner),
                  .outlines = allocate(count, sizeof *t->outlines),
                  .sides = allocate((size_t)sides_rows(desc) * count, 1),
                  .own_parts = check_parts_of(&s->own),
                  .own_links = allocate(s->own.part_count, sizeof *t->own_links),
                  .own_numbers = allocate(s->own.part_count, sizeof *t->own_numbers)};
    share_margin(t);
    list_links(t, file_count);
    share_boxes(t, file_count);
    share_sides(t);
    if (hashed) share_content(t);
}

void tiling_free(tiling *t) {
    free(t->owner), free(t->outlines), free(t->sides), free(t->own_parts), free(t->own_links), free(t->own_numbers);
    free(t->tiles), free(t->open);
    *t = (tiling){.spread = NULL};
}
