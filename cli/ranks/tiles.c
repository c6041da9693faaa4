/* A check whose parts are spread over ranks: see tiles.h. Which pair is whose, and what becomes of the findings, is the
 * library's (carom/check.h); here is who does which tile, and what is sent.
 *
 *   1. All ranks get the boxes of all parts, and nothing else of them.
 *   2. Space is cut into a tile a rank by the number of parts. Each rank lists the pairs of one tile and estimates what
 *      they cost; a sample of them, drawn by cost, goes to all ranks, and space is cut anew by it.
 *   3. A tile goes to the rank that has most of what it needs, and to each rank one.
 *   4. Each rank asks for the parts that its pairs have and it has not; a mesh comes once to a rank.
 *   5. The findings go to the first rank.
 * Every rank comes to the same cuts, as all do the same sums with the same numbers. */
#include "ranks/tiles.h"

#include "check/commands.h"
#include "common/text.h"
#include "ranks/ranks.h"
#include "ranks/sides.h"

#include <stdlib.h>
#include <string.h>

/* What every rank knows of a part. */
typedef struct part_outline {
    cm_aabb box;
    uint32_t triangles;
    uint32_t sides;                 /* that it has in any test */
    double deviation;               /* */
    uint64_t node, parent, product; /* numbers over all files; 0 = none */
} part_outline;

/* A part that its reader has sent, or has. */
typedef struct part_here {
    uint32_t number;
    cm_pose pose;
    double rounding;
    cm_mesh *mesh;
} part_here;

typedef struct pair_list {
    cm_broad_pair *pairs; /* numbers of parts */
    uint32_t count;
    size_t capacity;
} pair_list;

typedef struct tiling {
    const spread *spread;
    const cm_check_desc *desc;
    uint32_t count; /* parts of all */
    int *owner;     /* of each: the rank that read it */
    part_outline *outlines;
    cm_real margin;
    cm_check_tile *tiles;     /* one a rank */
    uint8_t *sides;           /* of each test one a part of all, then of each tolerance */
    cm_check_part *own_parts; /* of spread->own */
    uint32_t *own_numbers;
} tiling;

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

/* Grown boxes, and where parts stand in the trees of their files. */
static void share_boxes(tiling *t, uint32_t file_count) {
    const scene *own = &t->spread->own;
    uint32_t *files = allocate(own->file_count, sizeof *files), read = 0;
    for (uint32_t f = 0; f < file_count && read < own->file_count; f++)
        if (t->spread->reader[f] == ranks_own()) files[read++] = f;
    block mine = {0}, *all = allocate((size_t)ranks_count(), sizeof *all);
    for (uint32_t i = 0; i < own->part_count; i++) {
        const scene_part *part = &own->parts[i];
        part_outline o;
        memset(&o, 0, sizeof o);
        o.box = cm_aabb_grow(part->box, t->margin), o.triangles = own->meshes[part->mesh].source_triangles;
        o.node = check_node_number(files[part->file], part->node),
        o.parent = check_node_number(files[part->file], part->parent);
        o.product = product_over_all(&t->own_parts[i]), o.deviation = t->own_parts[i].deviation;
        block_put(&mine, &o, sizeof o);
    }
    free(files);
    ranks_to_all(&mine, all);
    block_free(&mine);
    uint32_t own_count = 0;
    for (uint32_t f = 0; f < file_count; f++)
        for (uint32_t p = t->spread->parts[f]; p < t->spread->parts[f + 1]; p++) {
            t->owner[p] = t->spread->reader[f];
            if (t->owner[p] == ranks_own()) t->own_numbers[own_count++] = p;
            block_take(&all[t->owner[p]], &t->outlines[p], sizeof t->outlines[p]);
        }
    for (int r = 0; r < ranks_count(); r++) block_free(&all[r]);
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
    return room > 4096 ? 4096 : room < 256 ? 256 : room;
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

static bool cut(tiling *t, const cm_vec3 *places, const double *costs, uint32_t count) {
    const bool done = cm_check_cut(places, costs, count, (uint32_t)ranks_count(), NULL, t->tiles) == CM_OK;
    for (int r = 0; r < ranks_count() && done; r++) t->tiles[r].margin = t->margin;
    return done;
}

static bool cut_by_parts(tiling *t) {
    const uint32_t step = t->count / MOST_PLACES + 1;
    uint32_t count = 0;
    cm_vec3 *places = allocate(t->count / step + 1, sizeof *places);
    for (uint32_t i = 0; i < t->count; i += step) places[count++] = t->outlines[i].box.min;
    const bool done = cut(t, places, NULL, count);
    free(places);
    return done;
}

static bool cut_by_cost(tiling *t, const pair_list *list) {
    block mine = {0}, *all = allocate((size_t)ranks_count(), sizeof *all);
    draw_samples(t, list, &mine);
    ranks_to_all(&mine, all);
    block_free(&mine);
    size_t count = 0, at = 0;
    for (int r = 0; r < ranks_count(); r++) count += all[r].size / sizeof(sample);
    cm_vec3 *places = allocate(count, sizeof *places);
    double *costs = allocate(count, sizeof *costs);
    for (int r = 0; r < ranks_count(); r++)
        for (; all[r].at < all[r].size; at++) {
            sample one;
            block_take(&all[r], &one, sizeof one);
            places[at] = one.place, costs[at] = one.cost;
        }
    const bool done = cut(t, places, costs, (uint32_t)count);
    for (int r = 0; r < ranks_count(); r++) block_free(&all[r]);
    free(all);
    free(places);
    free(costs);
    return done;
}

/* --- who does which tile ----------------------------------------------------------------------------------------- */

/* Marks the parts of the pairs. */
static bool *needed_parts(const tiling *t, const pair_list *list) {
    bool *needed = allocate(t->count, sizeof *needed);
    for (uint32_t i = 0; i < list->count; i++) needed[list->pairs[i].a] = needed[list->pairs[i].b] = true;
    return needed;
}

typedef struct tile_offer {
    double triangles;
    int rank, tile;
} tile_offer;

static int compare_offers(const void *left, const void *right) {
    const tile_offer *a = left, *b = right;
    if (a->triangles != b->triangles) return a->triangles > b->triangles ? -1 : 1;
    if (a->tile != b->tile) return a->tile < b->tile ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* This rank's tile; `list` has the pairs of the tile of its own number. */
static int choose_tile(const tiling *t, const pair_list *list) {
    const int ranks = ranks_count();
    double *has = allocate((size_t)ranks, sizeof *has), *all = allocate((size_t)ranks * (size_t)ranks, sizeof *all);
    bool *needed = needed_parts(t, list);
    for (uint32_t i = 0; i < t->count; i++)
        if (needed[i]) has[t->owner[i]] += t->outlines[i].triangles;
    ranks_collect(has, (size_t)ranks * sizeof *has, all);
    tile_offer *offers = allocate((size_t)ranks * (size_t)ranks, sizeof *offers);
    for (int tile = 0; tile < ranks; tile++)
        for (int r = 0; r < ranks; r++) {
            const size_t i = (size_t)tile * (size_t)ranks + (size_t)r;
            offers[i] = (tile_offer){all[i], r, tile};
        }
    qsort(offers, (size_t)ranks * (size_t)ranks, sizeof *offers, compare_offers);
    bool *given = allocate((size_t)ranks, sizeof *given), *busy = allocate((size_t)ranks, sizeof *busy);
    int own = 0;
    for (size_t i = 0; i < (size_t)ranks * (size_t)ranks; i++) {
        const tile_offer *offer = &offers[i];
        if (given[offer->tile] || busy[offer->rank]) continue;
        given[offer->tile] = busy[offer->rank] = true;
        if (offer->rank == ranks_own()) own = offer->tile;
    }
    free(has), free(all), free(needed), free(offers), free(given), free(busy);
    return own;
}

/* --- the parts of a tile ----------------------------------------------------------------------------------------- */

typedef struct here_list {
    part_here *parts;
    uint32_t count;
    size_t capacity;
    cm_mesh **meshes; /* that were sent here */
    uint32_t mesh_count;
    size_t mesh_capacity;
} here_list;

static void here_add(here_list *here, part_here part) {
    here->parts = grow(here->parts, here->count, &here->capacity, sizeof *here->parts);
    here->parts[here->count++] = part;
}

/* Where among this rank's own parts that of a number is. */
static uint32_t find_own(const tiling *t, uint32_t number) {
    uint32_t low = 0, high = t->spread->own.part_count;
    while (low + 1 < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (t->own_numbers[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Answers a list of numbers with the parts: each with the place of its mesh among those that stand behind them all. */
static void put_parts(const tiling *t, block *asked, block *out) {
    const scene *own = &t->spread->own;
    const uint32_t count = (uint32_t)(asked->size / sizeof(uint32_t)), none = UINT32_MAX;
    uint32_t *place = allocate(own->mesh_count, sizeof *place), *order = allocate(own->mesh_count, sizeof *order);
    uint32_t meshes = 0;
    for (uint32_t i = 0; i < own->mesh_count; i++) place[i] = none;
    block_put(out, &count, sizeof count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number;
        block_take(asked, &number, sizeof number);
        const uint32_t which = find_own(t, number), mesh = own->parts[which].mesh;
        if (place[mesh] == none) order[meshes] = mesh, place[mesh] = meshes++;
        block_put(out, &number, sizeof number);
        block_put(out, &t->own_parts[which].pose, sizeof t->own_parts[which].pose);
        block_put(out, &t->own_parts[which].rounding, sizeof t->own_parts[which].rounding);
        block_put(out, &place[mesh], sizeof place[mesh]);
    }
    block_put(out, &meshes, sizeof meshes);
    for (uint32_t i = 0; i < meshes; i++) block_put_mesh(out, own->meshes[order[i]].mesh);
    free(place);
    free(order);
}

static void take_parts(block *b, here_list *here) {
    uint32_t count, meshes;
    block_take(b, &count, sizeof count);
    const uint32_t first = here->count;
    uint32_t *place = allocate(count, sizeof *place);
    for (uint32_t i = 0; i < count; i++) {
        part_here part = {.number = 0};
        block_take(b, &part.number, sizeof part.number);
        block_take(b, &part.pose, sizeof part.pose);
        block_take(b, &part.rounding, sizeof part.rounding);
        block_take(b, &place[i], sizeof place[i]);
        here_add(here, part);
    }
    block_take(b, &meshes, sizeof meshes);
    const uint32_t base = here->mesh_count;
    for (uint32_t i = 0; i < meshes; i++) {
        here->meshes = grow(here->meshes, here->mesh_count, &here->mesh_capacity, sizeof *here->meshes);
        here->meshes[here->mesh_count++] = block_take_mesh(b);
    }
    for (uint32_t i = 0; i < count; i++) here->parts[first + i].mesh = here->meshes[base + place[i]];
    free(place);
}

static int compare_here(const void *left, const void *right) {
    const part_here *a = left, *b = right;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* One rank after the other is asked, and answered, so that only one answer at a time is in memory twice. */
static void fetch_parts(const tiling *t, const pair_list *list, here_list *here) {
    const int ranks = ranks_count(), own = ranks_own();
    bool *needed = needed_parts(t, list);
    for (uint32_t i = 0; i < t->spread->own.part_count; i++)
        if (needed[t->own_numbers[i]])
            here_add(here, (part_here){t->own_numbers[i], t->own_parts[i].pose, t->own_parts[i].rounding,
                                       t->spread->own.meshes[t->spread->own.parts[i].mesh].mesh});
    for (int step = 1; step < ranks; step++) {
        const int to = (own + step) % ranks, from = (own - step + ranks) % ranks;
        block ask = {0}, asked = {0}, answer = {0}, answered = {0};
        for (uint32_t i = 0; i < t->count; i++)
            if (needed[i] && t->owner[i] == to) block_put(&ask, &i, sizeof i);
        ranks_swap(&ask, to, &asked, from);
        put_parts(t, &asked, &answer);
        ranks_swap(&answer, from, &answered, to);
        block_free(&answer);
        take_parts(&answered, here);
        block_free(&ask), block_free(&asked), block_free(&answered);
    }
    free(needed);
    if (here->count > 1) qsort(here->parts, here->count, sizeof *here->parts, compare_here);
}

static void free_here(here_list *here) {
    for (uint32_t i = 0; i < here->mesh_count; i++) cm_mesh_destroy(here->meshes[i], NULL);
    free(here->meshes);
    free(here->parts);
}

/* --- findings ---------------------------------------------------------------------------------------------------- */

static int check_tile(const tiling *t, const cm_check_tile *cut_tile, const here_list *here, cm_check_result *out) {
    cm_check_tile tile = *cut_tile;
    cm_check_part *parts = allocate(here->count, sizeof *parts);
    uint32_t *numbers = allocate(here->count, sizeof *numbers);
    char(*ids)[20] = allocate(here->count, sizeof *ids);
    for (uint32_t i = 0; i < here->count; i++) {
        const part_here *p = &here->parts[i];
        const part_outline *outline = &t->outlines[p->number];
        parts[i] = (cm_check_part){.shape = cm_make_mesh(p->mesh), .pose = p->pose, .rounding = p->rounding};
        parts[i].deviation = outline->deviation, parts[i].node = outline->node, parts[i].parent = outline->parent;
        if (outline->product) { /* what has the same id in the same file has the same here */
            snprintf(ids[i], sizeof ids[i], "%016llx", (unsigned long long)outline->product);
            parts[i].id = ids[i];
        }
        numbers[i] = p->number;
    }
    cm_check_desc desc = *t->desc;
    tile_sides chosen;
    desc.parts = parts, desc.part_count = here->count, desc.left_out = NULL;
    desc.exceptions = NULL, desc.exception_count = 0;
    sides_choose(&desc, t->sides, t->count, numbers, &chosen);
    tile.numbers = numbers;
    const int code = complain_of_check(cm_check_tile_parts(&desc, &tile, NULL, out, NULL));
    sides_free(&chosen);
    free(parts), free(numbers), free(ids);
    return code;
}

static void put_findings(block *b, const cm_check_result *r) {
    const uint64_t head[5] = {r->count, r->outline_points, r->pairs_near, r->skipped_product, r->skipped_parent};
    block_put(b, head, sizeof head);
    block_put(b, r->findings, r->count * sizeof *r->findings);
    block_put(b, r->outlines, r->outline_points * sizeof *r->outlines);
}

/* Outlines lie in the order of the findings. */
static void take_findings(block *b, cm_check_result *r) {
    uint64_t head[5];
    block_take(b, head, sizeof head);
    *r = (cm_check_result){.count = (size_t)head[0], .outline_points = (size_t)head[1], .pairs_near = head[2]};
    r->skipped_product = head[3], r->skipped_parent = head[4];
    r->findings = allocate(r->count, sizeof *r->findings);
    r->outlines = allocate(r->outline_points, sizeof *r->outlines);
    block_take(b, r->findings, r->count * sizeof *r->findings);
    block_take(b, r->outlines, r->outline_points * sizeof *r->outlines);
    const cm_vec3 *at = r->outlines;
    for (size_t i = 0; i < r->count; i++) {
        r->findings[i].outline = at;
        at += 2 * r->findings[i].outline_segments;
    }
}

static int merge(const tiling *t, const cm_check_result *own, cm_check_result *out) {
    const int ranks = ranks_count();
    block mine = {0}, *all = allocate((size_t)ranks, sizeof *all);
    put_findings(&mine, own);
    ranks_to_first(&mine, all);
    block_free(&mine);
    int code = 0;
    if (ranks_own() == 0) {
        cm_check_result *tiles = allocate((size_t)ranks, sizeof *tiles);
        for (int r = 0; r < ranks; r++) {
            take_findings(&all[r], &tiles[r]);
            block_free(&all[r]);
        }
        code = complain_of_check(cm_check_merge(t->desc, tiles, (uint32_t)ranks, NULL, out, NULL));
        for (int r = 0; r < ranks; r++) cm_check_result_destroy(&tiles[r], NULL);
        free(tiles);
    }
    free(all);
    return ranks_agree(code, 0);
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

static void sum_up(double work, uint32_t parts, tiles_cost *out) {
    typedef struct one_cost {
        double work;
        uint64_t parts, sent;
    } one_cost;
    one_cost *all = allocate((size_t)ranks_count(), sizeof *all);
    const one_cost own = {work, parts, ranks_sent()};
    ranks_collect(&own, sizeof own, all);
    *out = (tiles_cost){.sent = 0};
    for (int r = 0; r < ranks_count(); r++) {
        out->mean_work += all[r].work / ranks_count();
        if (all[r].work > out->most_work) out->most_work = all[r].work;
        if (all[r].parts > out->most_parts) out->most_parts = all[r].parts;
        out->sent += all[r].sent;
    }
    free(all);
}

static int out_of_memory(void) { return complain(EXIT_INTERNAL, "checking pairs: %s", cm_status_text(CM_NO_MEMORY)); }

/* Cuts twice, and gives the pairs of this rank's tile. */
static int find_tile(tiling *t, pair_list *list, int *tile) {
    bool done = cut_by_parts(t) && list_pairs(t, &t->tiles[ranks_own()], list);
    int code = ranks_agree(done ? 0 : out_of_memory(), (uint32_t)ranks_own());
    if (code != 0) return code;
    done = cut_by_cost(t, list) && list_pairs(t, &t->tiles[ranks_own()], list);
    code = ranks_agree(done ? 0 : out_of_memory(), (uint32_t)ranks_own());
    if (code != 0) return code;
    *tile = choose_tile(t, list);
    done = *tile == ranks_own() || list_pairs(t, &t->tiles[*tile], list);
    return ranks_agree(done ? 0 : out_of_memory(), (uint32_t)ranks_own());
}

int tiles_find(const spread *s, uint32_t file_count, const cm_check_desc *desc, cm_check_result *out,
               tiles_cost *cost) {
    const uint32_t count = s->parts[file_count];
    tiling t = {.spread = s,
                .desc = desc,
                .count = count,
                .owner = allocate(count, sizeof *t.owner),
                .outlines = allocate(count, sizeof *t.outlines),
                .tiles = allocate((size_t)ranks_count(), sizeof *t.tiles),
                .sides = allocate((size_t)sides_rows(desc) * count, 1),
                .own_parts = check_parts_of(&s->own),
                .own_numbers = allocate(s->own.part_count, sizeof *t.own_numbers)};
    pair_list list = {0};
    here_list here = {0};
    cm_check_result found = {0};
    int tile = 0;
    share_margin(&t);
    share_boxes(&t, file_count);
    share_sides(&t);
    int code = find_tile(&t, &list, &tile);
    if (code == 0) {
        fetch_parts(&t, &list, &here);
        code = ranks_agree(check_tile(&t, &t.tiles[tile], &here, &found), (uint32_t)ranks_own());
    }
    if (code == 0) sum_up(work_of(&t, &list), here.count, cost);
    free_here(&here);
    if (code == 0) code = merge(&t, &found, out);
    cm_check_result_destroy(&found, NULL);
    free(list.pairs);
    free(t.owner), free(t.outlines), free(t.tiles), free(t.sides), free(t.own_parts), free(t.own_numbers);
    return code;
}
