/* The names of parts: paths of the file's nodes, made unique. */
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include "read/import.h"

/* Gives each name once: later ones of the same text get "#2", "#3" ... */
typedef struct name_set {
    struct name_entry *entries;
    size_t capacity, used;
    const struct name_set *apart; /* no number makes a name of these; NULL = none */
} name_set;
/* Takes over `name`, returns it or its numbered successor; free() it. The set keeps its own copies. */
char *name_set_add(name_set *set, char *name);
void name_set_free(name_set *set);

/* The path of a node: the names of its ancestors below the root, then its own, joined by "/". Nodes that the file (or
 * the importer) did not name are left out; an unnamed node with meshes is called by its mesh. "" where nothing has a
 * name. free() it. */
char *node_path(const import_data *data, uint32_t node);
/* The name of one of a node's meshes below the node: its own, or "mesh3". free() it. */
char *mesh_label(const import_data *data, uint32_t node, uint32_t which);

#endif
