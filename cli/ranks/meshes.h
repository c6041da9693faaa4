/* Meshes of all ranks on the first, for outputs that draw them. */
#ifndef CLI_MESHES_H
#define CLI_MESHES_H

#include "ranks/spread.h"

/* On the first rank: the meshes of its catalog, in turn. The others send theirs when it asks, a few MB at a time, so
 * that it has few that it has not read. */
typedef struct rank_meshes {
    mesh_stream stream;
    const spread *spread;
    scene *catalog;
    bool asked; /* the others have heard whether it does */
} rank_meshes;

/* On the first rank. `out` stays where it is until it ends. */
void meshes_start(rank_meshes *out, const spread *s, scene *catalog);
/* On the first rank, instead of a stream: gives all of them to the catalog. The spread has none of them then. */
void meshes_keep(rank_meshes *m, spread *s);
/* On the first rank, in any case. */
void meshes_end(rank_meshes *m);
/* On each other rank, once: sends its meshes if the first asks for them. */
void meshes_send(const spread *s);

#endif
