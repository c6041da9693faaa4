/* What is in the files and not among the parts: see left_out.h. */
#include "check/left_out.h"

#include "common/text.h"

#include <jansson.h>

#include <stdlib.h>
#include <string.h>

static const char *const fate_names[] = {"no_body", "no_geometry", "part_of_geometry"};

char *left_out_text(const scene_file *file) {
    if (file->gone + file->partly + file->broken == 0) return NULL;
    uint32_t products = file->part_count + file->gone;
    text_buffer t = {0};
    text_add(&t, "%s", "");
    if (file->gone > 0)
        text_add(&t, "%u of %u product%s %s no geometry", file->gone, products, plural(products),
                 file->gone == 1 ? "has" : "have");
    const char *comma = file->gone > 0 ? ", " : "";
    if (file->partly > products) /* several of one */
        text_add(&t, "%s%u pieces of %u product%s are missing", comma, file->partly, products, plural(products));
    else if (file->partly > 0)
        text_add(&t, "%s%u of %u product%s %s some of %s geometry", comma, file->partly, products, plural(products),
                 file->partly == 1 ? "lacks" : "lack", file->partly == 1 ? "its" : "their");
    if (file->broken > 0)
        text_add(&t, "%s%u broken line%s", file->gone + file->partly > 0 ? ", " : "", file->broken,
                 plural(file->broken));
    return t.bytes;
}

int left_out_code(const scene *s, const options *o, int code) {
    bool missing = false;
    for (uint32_t i = 0; i < s->file_count; i++) {
        char *text = left_out_text(&s->files[i]);
        if (!text) continue;
        warn("%s: %s (carom info lists them%s)", s->files[i].path, text,
             o->incomplete_ok ? "" : "; --incomplete ok accepts that");
        missing = true;
        free(text);
    }
    return missing && !o->incomplete_ok && code <= EXIT_FOUND ? EXIT_INPUT : code;
}

/* "IfcWall_A (IfcWall 2O2Fr$...): why". */
static void print_one(const import_left_out *thing) {
    printf("    %s", *thing->name ? thing->name : thing->kind);
    if (*thing->id) printf(" (%s)", thing->id);
    printf(": %s\n", thing->reason);
}

/* What has no body by nature is counted by class, with the reason of the first. */
static void print_apart(const scene_file *file) {
    bool *counted = allocate(file->facts.left_out_count, sizeof *counted);
    for (uint32_t i = 0; i < file->facts.left_out_count; i++) {
        const import_left_out *first = &file->facts.left_out[i];
        if (first->fate != IMPORT_APART || counted[i]) continue;
        uint32_t count = 0;
        for (uint32_t k = i; k < file->facts.left_out_count; k++) {
            const import_left_out *other = &file->facts.left_out[k];
            if (other->fate != IMPORT_APART || counted[k] || strcmp(other->kind, first->kind) != 0 ||
                strcmp(other->reason, first->reason) != 0)
                continue;
            counted[k] = true;
            count++;
        }
        printf("  %u %s: %s\n", count, *first->kind ? first->kind : "other", first->reason);
    }
    free(counted);
}

void left_out_print(const scene_file *file) {
    if (file->facts.left_out_count == 0) return;
    char *text = left_out_text(file);
    if (text) {
        printf("  %s:\n", text);
        for (uint32_t i = 0; i < file->facts.left_out_count; i++)
            if (file->facts.left_out[i].fate != IMPORT_APART) print_one(&file->facts.left_out[i]);
    }
    free(text);
    print_apart(file);
}

json_t *left_out_json(const scene_file *file) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < file->facts.left_out_count; i++) {
        const import_left_out *thing = &file->facts.left_out[i];
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:s, s:s}", "missing", fate_names[thing->fate], "id",
                                        thing->id, "class", thing->kind, "name", thing->name, "reason", thing->reason));
    }
    return list;
}
