/* Parts that a rank has for its tiles: see halo.h. A mesh is one relocatable block of memory, and comes once to a rank
 * from the one that has read it, however many parts share it. */
#include "ranks/halo.h"

#include "common/text.h"
#include "ranks/ranks.h"

#include <stdlib.h>

static void add_part(halo *h, part_here part) {
    h->parts = grow(h->parts, h->count, &h->capacity, sizeof *h->parts);
    h->parts[h->count++] = part;
}

static int compare_parts(const void *left, const void *right) {
    const part_here *a = left, *b = right;
    return a->number < b->number ? -1 : a->number > b->number;
}

static int compare_meshes(const void *left, const void *right) {
    const cm_mesh *const *a = left, *const *b = right;
    return *a < *b ? -1 : *a > *b;
}

const part_here *halo_find(const halo *h, uint32_t number) {
    const part_here wanted = {.number = number};
    return bsearch(&wanted, h->parts, h->count, sizeof wanted, compare_parts);
}

/* The meshes of parts, each once; the caller frees the list. */
static const cm_mesh **list_meshes(const halo *h, const uint32_t *numbers, uint32_t count, uint32_t *mesh_count) {
    const cm_mesh **meshes = allocate(count, sizeof *meshes);
    for (uint32_t i = 0; i < count; i++) meshes[i] = halo_find(h, numbers[i])->mesh;
    if (count > 1) qsort(meshes, count, sizeof *meshes, compare_meshes);
    *mesh_count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || meshes[i] != meshes[i - 1]) meshes[(*mesh_count)++] = meshes[i];
    return meshes;
}

void halo_put(const halo *h, const uint32_t *numbers, uint32_t count, block *out) {
    uint32_t mesh_count;
    const cm_mesh **meshes = list_meshes(h, numbers, count, &mesh_count);
    block_put(out, &count, sizeof count);
    for (uint32_t i = 0; i < count; i++) {
        const part_here *part = halo_find(h, numbers[i]);
        const cm_mesh *mesh = part->mesh;
        const cm_mesh **at = bsearch(&mesh, meshes, mesh_count, sizeof *meshes, compare_meshes);
        const uint32_t place = (uint32_t)(at - meshes);
        block_put(out, &part->number, sizeof part->number);
        block_put(out, &part->pose, sizeof part->pose);
        block_put(out, &part->links, sizeof part->links);
        block_put(out, &part->rounding, sizeof part->rounding);
        block_put(out, &place, sizeof place);
    }
    block_put(out, &mesh_count, sizeof mesh_count);
    for (uint32_t i = 0; i < mesh_count; i++) block_put_mesh(out, meshes[i]);
    free(meshes);
}

static void take_unsorted(halo *h, block *b) {
    uint32_t count, mesh_count;
    block_take(b, &count, sizeof count);
    const uint32_t first = h->count, base = h->sent_count;
    uint32_t *place = allocate(count, sizeof *place);
    for (uint32_t i = 0; i < count; i++) {
        part_here part = {.number = 0};
        block_take(b, &part.number, sizeof part.number);
        block_take(b, &part.pose, sizeof part.pose);
        block_take(b, &part.links, sizeof part.links);
        block_take(b, &part.rounding, sizeof part.rounding);
        block_take(b, &place[i], sizeof place[i]);
        add_part(h, part);
    }
    block_take(b, &mesh_count, sizeof mesh_count);
    for (uint32_t i = 0; i < mesh_count; i++) {
        h->sent = grow(h->sent, h->sent_count, &h->sent_capacity, sizeof *h->sent);
        h->sent[h->sent_count++] = block_take_mesh(b);
    }
    for (uint32_t i = 0; i < count; i++) h->parts[first + i].mesh = h->sent[base + place[i]];
    free(place);
}

static void sort_parts(halo *h) {
    if (h->count > 1) qsort(h->parts, h->count, sizeof *h->parts, compare_parts);
}

void halo_take(halo *h, block *b) {
    take_unsorted(h, b);
    sort_parts(h);
}

/* All that this rank has read. */
static void list_own(const tiling *t, halo *out) {
    const scene *own = &t->spread->own;
    for (uint32_t i = 0; i < own->part_count; i++)
        add_part(out, (part_here){t->own_numbers[i], t->own_parts[i].pose, t->own_links[i], t->own_parts[i].rounding,
                                  own->meshes[own->parts[i].mesh].mesh});
}

/* One rank after the other is asked, and answered, so that only one answer at a time is in memory twice. */
void halo_fetch(const tiling *t, const tile_work *list, uint32_t count, halo *out) {
    const int ranks = ranks_count(), own = ranks_own();
    uint32_t needed_count, *needed = tiling_parts(t, list, count, &needed_count);
    halo read = {0};
    list_own(t, &read);
    for (uint32_t i = 0; i < needed_count; i++)
        if (t->owner[needed[i]] == own) add_part(out, *halo_find(&read, needed[i]));
    for (int step = 1; step < ranks; step++) {
        const int to = (own + step) % ranks, from = (own - step + ranks) % ranks;
        block ask = {0}, asked = {0}, answer = {0}, answered = {0};
        for (uint32_t i = 0; i < needed_count; i++)
            if (t->owner[needed[i]] == to) block_put(&ask, &needed[i], sizeof needed[i]);
        ranks_swap(&ask, to, &asked, from);
        const uint32_t asked_count = (uint32_t)(asked.size / sizeof(uint32_t));
        uint32_t *numbers = allocate(asked_count, sizeof *numbers);
        block_take(&asked, numbers, asked.size);
        halo_put(&read, numbers, asked_count, &answer);
        free(numbers);
        ranks_swap(&answer, from, &answered, to);
        block_free(&answer);
        take_unsorted(out, &answered);
        block_free(&ask), block_free(&asked), block_free(&answered);
    }
    sort_parts(out);
    halo_free(&read);
    free(needed);
}

void halo_free(halo *h) {
    for (uint32_t i = 0; i < h->sent_count; i++) cm_mesh_destroy(h->sent[i], NULL);
    free(h->sent);
    free(h->parts);
    *h = (halo){.parts = NULL};
}
