/* Meshes of all ranks on the first: see meshes.h.
 *
 * Files come in order, and the meshes of each from the rank that has read it: as all know the order, nothing is said
 * but whether they are wanted at all. A rank waits with each message until the first takes it. */
#include "ranks/meshes.h"

#include "ranks/ranks.h"

#define MESSAGE_BYTES ((size_t)4 << 20) /* or one mesh */

typedef void meshes_taker(void *user, uint32_t first, uint32_t end);

/* --- the others -------------------------------------------------------------------------------------------------- */

/* As many from there as fit in a message. */
static uint32_t count_in_message(const scene_mesh *meshes, uint32_t left) {
    size_t bytes = 0;
    uint32_t count = 0;
    while (count < left && (count == 0 || bytes + cm_mesh_bytes(meshes[count].mesh) <= MESSAGE_BYTES))
        bytes += cm_mesh_bytes(meshes[count++].mesh);
    return count;
}

static void send_file(const scene_mesh *meshes, uint32_t left) {
    while (left > 0) {
        block out = {0}, none = {0};
        const uint32_t count = count_in_message(meshes, left);
        block_put(&out, &count, sizeof count);
        for (uint32_t i = 0; i < count; i++) block_put_mesh(&out, meshes[i].mesh);
        ranks_swap(&out, 0, &none, RANKS_NONE);
        block_free(&out);
        meshes += count, left -= count;
    }
}

void meshes_send(const spread *s) {
    bool wanted = false;
    const scene_mesh *at = s->own.meshes;
    ranks_from(0, &wanted, sizeof wanted);
    for (uint32_t i = 0; i < s->own.file_count && wanted; i++) {
        send_file(at, s->own.files[i].mesh_count);
        at += s->own.files[i].mesh_count;
    }
}

/* --- the first --------------------------------------------------------------------------------------------------- */

static void say_wanted(rank_meshes *m, bool wanted) {
    ranks_from(0, &wanted, sizeof wanted);
    m->asked = true;
}

/* The meshes from `first` on that another rank sends next; returns how many. `kept`: the catalog keeps them. */
static uint32_t take_message(rank_meshes *m, int from, uint32_t first, meshes_taker *take, void *user, bool kept) {
    block none = {0}, in = {0};
    uint32_t count;
    scene_mesh *at = &m->catalog->meshes[first];
    ranks_swap(&none, RANKS_NONE, &in, from);
    block_take(&in, &count, sizeof count);
    for (uint32_t i = 0; i < count; i++) at[i].mesh = block_take_mesh(&in);
    block_free(&in);
    if (take) take(user, first, first + count);
    for (uint32_t i = 0; i < count && !kept; i++) {
        cm_mesh_destroy(at[i].mesh, NULL);
        at[i].mesh = NULL;
    }
    return count;
}

static void take_all(rank_meshes *m, meshes_taker *take, void *user, bool kept) {
    const spread *s = m->spread;
    scene_mesh *meshes = m->catalog->meshes;
    const scene_mesh *own = s->own.meshes;
    say_wanted(m, true);
    for (uint32_t file = 0; file < m->catalog->file_count; file++) {
        const uint32_t first = s->meshes[file], end = s->meshes[file + 1];
        if (s->reader[file] != 0) {
            for (uint32_t at = first; at < end;) at += take_message(m, s->reader[file], at, take, user, kept);
            continue;
        }
        for (uint32_t i = first; i < end; i++) meshes[i].mesh = (own++)->mesh;
        if (take && end > first) take(user, first, end);
        for (uint32_t i = first; i < end && !kept; i++) meshes[i].mesh = NULL;
    }
}

static void stream_all(mesh_stream *stream, meshes_taker *take, void *user) {
    take_all((rank_meshes *)stream, take, user, false);
}

void meshes_start(rank_meshes *out, const spread *s, scene *catalog) {
    *out = (rank_meshes){.stream = {stream_all}, .spread = s, .catalog = catalog};
}

void meshes_keep(rank_meshes *m, spread *s) {
    take_all(m, NULL, NULL, true);
    for (uint32_t i = 0; i < s->own.mesh_count; i++) s->own.meshes[i].mesh = NULL;
}

void meshes_end(rank_meshes *m) {
    if (!m->asked) say_wanted(m, false);
}
