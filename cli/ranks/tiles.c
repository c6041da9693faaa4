/* A check whose parts are spread over ranks: see tiles.h. Which pair is whose, and what becomes of the findings, is the
 * library's (carom/check.h); here is what the ranks do with their tiles.
 *
 *   1. What all ranks know, the cut, and who gets which tiles: tiling.c.
 *   2. Each rank asks for the parts that its tiles need and it has not: halo.c.
 *   3. It does its tiles, and then some of those that others have not yet done: queue.c.
 *   4. The findings go to the first rank.
 * Where the check can be resumed, each tile that is done is kept in a folder: finished.c. */
#include "ranks/tiles.h"

#include "check/commands.h"
#include "common/text.h"
#include "ranks/finished.h"
#include "ranks/halo.h"
#include "ranks/queue.h"
#include "ranks/ranks.h"
#include "ranks/sides.h"

#include <stdlib.h>

/* What this rank does. */
typedef struct tile_run {
    const tiling *all;
    const tile_work *works;
    uint32_t count;
    halo here;     /* for all of these */
    block *found;  /* the findings of the tiles that were done here */
    uint32_t done; /* so many */
    size_t room;
    double work;       /* and so much */
    size_t pair_count; /* as far as is known */
    finished *kept;    /* NULL: nothing is kept */
    uint32_t unkept;   /* tiles that could not be */
} tile_run;

/* --- findings ---------------------------------------------------------------------------------------------------- */

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

/* --- a tile ------------------------------------------------------------------------------------------------------ */

/* The check's own progress counts the pairs of all tiles of this rank. */
static bool show_pairs(void *user, size_t done, size_t total) {
    const tile_run *run = user;
    (void)total;
    return run->all->desc->progress(run->all->desc->user, done, run->pair_count);
}

static int check_parts_here(tile_run *run, uint32_t number, const halo *here, const uint32_t *numbers, uint32_t count,
                            cm_check_result *out) {
    const tiling *t = run->all;
    cm_check_part *parts = allocate(count, sizeof *parts);
    char(*ids)[20] = allocate(count, sizeof *ids);
    for (uint32_t i = 0; i < count; i++) {
        const part_here *p = halo_find(here, numbers[i]);
        const part_links *links = &p->links;
        parts[i] = (cm_check_part){.shape = cm_make_mesh(p->mesh), .pose = p->pose, .rounding = p->rounding};
        parts[i].deviation = links->deviation, parts[i].node = links->node, parts[i].parent = links->parent;
        if (links->product) { /* what has the same id in the same file has the same here */
            snprintf(ids[i], sizeof ids[i], "%016llx", (unsigned long long)links->product);
            parts[i].id = ids[i];
        }
    }
    cm_check_tile tile = t->tiles[number];
    cm_check_desc desc = *t->desc;
    tile_sides chosen;
    desc.parts = parts, desc.part_count = count, desc.left_out = NULL;
    desc.exceptions = NULL, desc.exception_count = 0;
    if (desc.progress) desc.progress = show_pairs, desc.user = run;
    sides_choose(&desc, t->sides, t->count, numbers, &chosen);
    tile.numbers = numbers;
    const int code = complain_of_check(cm_check_tile_parts(&desc, &tile, NULL, out, NULL));
    sides_free(&chosen);
    free(parts), free(ids);
    return code;
}

static int do_tile(tile_run *run, uint32_t number, double work, const halo *here, const uint32_t *numbers,
                   uint32_t count) {
    cm_check_result result = {0};
    const int code = check_parts_here(run, number, here, numbers, count, &result);
    if (code != 0) return code;
    block its = {0};
    put_findings(&its, &result);
    cm_check_result_destroy(&result, NULL);
    if (run->kept && !finished_keep(run->kept, number, &its)) run->unkept++;
    run->found = grow(run->found, run->done, &run->room, sizeof *run->found);
    run->found[run->done++] = its;
    run->work += work;
    return 0;
}

static int do_own(void *user, uint32_t piece) {
    tile_run *run = user;
    const tile_work *work = &run->works[piece];
    uint32_t count, *numbers = tiling_parts(run->all, work, 1, &count);
    const int code = do_tile(run, work->tile, work->work, &run->here, numbers, count);
    free(numbers);
    return code;
}

/* --- a tile for another rank --------------------------------------------------------------------------------------- */

static void put_tile(void *user, uint32_t piece, block *to) {
    tile_run *run = user;
    const tile_work *work = &run->works[piece];
    uint32_t count, *numbers = tiling_parts(run->all, work, 1, &count);
    block_put(to, &work->tile, sizeof work->tile);
    block_put(to, &work->work, sizeof work->work);
    block_put(to, &work->near.count, sizeof work->near.count);
    halo_put(&run->here, numbers, count, to);
    run->pair_count -= work->near.count;
    free(numbers);
}

static int do_sent(void *user, block *from) {
    tile_run *run = user;
    uint32_t tile, pairs;
    double work;
    halo here = {0};
    block_take(from, &tile, sizeof tile);
    block_take(from, &work, sizeof work);
    block_take(from, &pairs, sizeof pairs);
    halo_take(&here, from);
    run->pair_count += pairs;
    uint32_t *numbers = allocate(here.count, sizeof *numbers);
    for (uint32_t i = 0; i < here.count; i++) numbers[i] = here.parts[i].number;
    const int code = do_tile(run, tile, work, &here, numbers, here.count);
    free(numbers);
    halo_free(&here);
    return code;
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

/* A message has the findings of several tiles: each is waited for, and on a busy machine that takes as long as a tile.
 * But not of all, as they are then in memory twice. */
enum { GATHER_BYTES = 4 << 20 };

/* The first of the tiles from `*next` on, and what of the next ones there is room for. */
static block pack_found(tile_run *run, uint32_t *next) {
    const block none = {0};
    block message = run->found[*next];
    run->found[(*next)++] = none;
    for (; *next < run->done && message.size + run->found[*next].size <= GATHER_BYTES; (*next)++) {
        block_put(&message, run->found[*next].bytes, run->found[*next].size);
        block_free(&run->found[*next]);
    }
    return message;
}

static void send_found(tile_run *run) {
    block none = {0};
    for (uint32_t next = 0; next < run->done;) {
        block message = pack_found(run, &next);
        ranks_swap(&message, 0, &none, RANKS_NONE);
        block_free(&message);
    }
}

/* To the first rank, which takes those of one after the other. */
static void gather_found(tile_run *run, const uint32_t *done, cm_check_result *tiles) {
    if (ranks_own() > 0) {
        send_found(run);
        return;
    }
    for (uint32_t i = 0; i < run->done; i++) {
        take_findings(&run->found[i], tiles++);
        block_free(&run->found[i]);
    }
    for (int r = 1; r < ranks_count(); r++) {
        block none = {0}, in = {0};
        for (uint32_t left = done[r]; left > 0; left--) {
            if (in.at == in.size) {
                block_free(&in);
                ranks_swap(&none, RANKS_NONE, &in, r);
            }
            take_findings(&in, tiles++);
        }
        block_free(&in);
    }
}

/* Of all tiles, those that were done in an earlier run too. */
static int merge(tile_run *run, const cm_check_desc *desc, cm_check_result *out) {
    const finished *kept = run->kept;
    uint32_t *done = allocate((size_t)ranks_count(), sizeof *done), count = 0;
    int code = 0;
    ranks_collect(&run->done, sizeof run->done, done);
    for (int r = 0; r < ranks_count(); r++) count += done[r];
    cm_check_result *tiles = allocate((size_t)count + (kept ? kept->tile_count : 0), sizeof *tiles);
    gather_found(run, done, tiles);
    for (uint32_t i = 0; ranks_own() == 0 && kept && i < kept->tile_count; i++)
        if (kept->done[i]) take_findings(&kept->kept[i], &tiles[count++]);
    if (ranks_own() == 0) {
        code = complain_of_check(cm_check_merge(desc, tiles, count, NULL, out, NULL));
        for (uint32_t i = 0; i < count; i++) cm_check_result_destroy(&tiles[i], NULL);
    }
    free(tiles);
    free(done);
    return ranks_agree(code, 0);
}

static void sum_up(const tile_run *run, tiles_cost *out) {
    typedef struct one_cost {
        double work;
        uint64_t parts, sent, unkept;
    } one_cost;
    one_cost *all = allocate((size_t)ranks_count(), sizeof *all);
    const one_cost own = {run->work, run->here.count, ranks_sent(), run->unkept};
    uint64_t unkept = 0;
    ranks_collect(&own, sizeof own, all);
    *out = (tiles_cost){.sent = 0};
    for (int r = 0; r < ranks_count(); r++) {
        out->mean_work += all[r].work / ranks_count();
        if (all[r].work > out->most_work) out->most_work = all[r].work;
        if (all[r].parts > out->most_parts) out->most_parts = all[r].parts;
        out->sent += all[r].sent;
        unkept += all[r].unkept;
    }
    if (unkept > 0 && ranks_own() == 0)
        warn("%s: %llu of %u tiles could not be kept", run->kept->folder, (unsigned long long)unkept,
             run->all->tile_count);
    free(all);
}

static int run_tiles(tile_run *run) {
    const queue_work work = {.count = run->count, .do_own = do_own, .put = put_tile, .do_sent = do_sent, .user = run};
    for (uint32_t i = 0; i < run->count; i++) run->pair_count += run->works[i].near.count;
    halo_fetch(run->all, run->works, run->count, &run->here);
    return ranks_agree(queue_run(&work), (uint32_t)ranks_own());
}

int tiles_find(const spread *s, uint32_t file_count, const cm_check_desc *desc, const char *resume,
               cm_check_result *out, tiles_cost *cost) {
    tiling t;
    tile_work *works = NULL;
    finished kept = {0};
    tile_run run = {.all = &t, .kept = resume ? &kept : NULL};
    tiling_share(&t, s, file_count, desc, resume != NULL);
    int code = resume ? finished_open(&kept, resume, &t) : tiling_cut(&t);
    if (code == 0) code = tiling_divide(&t, &works, &run.count);
    run.works = works;
    if (code == 0) code = run_tiles(&run);
    if (code == 0) sum_up(&run, cost);
    halo_free(&run.here);
    tile_works_free(works, run.count);
    tiling_free(&t);
    if (code == 0) code = merge(&run, desc, out);
    for (uint32_t i = 0; i < run.done; i++) block_free(&run.found[i]);
    free(run.found);
    finished_close(&kept);
    return code;
}
