/* A check as the library takes it: the parts of a scene, and what was asked for. */
#include "check/commands.h"
#include "check/rules.h"
#include "common/text.h"

#include <float.h>
#include <math.h>

uint64_t check_node_number(uint32_t file, uint32_t node) {
    return node == IMPORT_NONE ? 0 : ((uint64_t)file << 32 | node) + 1;
}

cm_check_part *check_parts_of(const scene *s) {
    cm_check_part *parts = allocate(s->part_count, sizeof *parts);
    for (uint32_t i = 0; i < s->part_count; i++) {
        const scene_part *part = &s->parts[i];
        const scene_file *file = &s->files[part->file];
        parts[i] = (cm_check_part){.shape = cm_make_mesh(s->meshes[part->mesh].mesh),
                                   .pose = part->pose,
                                   .name = part->name,
                                   .file = file->path};
        parts[i].id = part_property(s, part, "id");
        if (part->property_count > 0) parts[i].properties = file->properties + part->first_property;
        parts[i].property_count = part->property_count;
        parts[i].deviation = fmax(s->meshes[part->mesh].deviation, 0);
        parts[i].node = check_node_number(part->file, part->node);
        parts[i].parent = check_node_number(part->file, part->parent);
        if (!file->single_places) parts[i].rounding = file->single_points ? (double)FLT_EPSILON : DBL_EPSILON;
    }
    return parts;
}

/* Where a file says the class, that counts; else the name of a node, as programs that write IFC as glTF give it. */
const char rules_spaces[] = "class=IfcSpace | class=IfcSpatialZone | class=IfcExternalSpatialElement | "
                            "class=IfcOpening* | class=IfcVoidingFeature | "
                            "!class=* & leaf=IfcSpace* | !class=* & leaf=IfcOpening*";

cm_check_desc check_describe(const scene *s, const options *o, const rules *r, const cm_check_part *parts) {
    return (cm_check_desc){.parts = parts,
                           .part_count = s->part_count,
                           .tests = r->tests,
                           .test_count = r->test_count,
                           .skip = (r->also & RULES_SAME_PRODUCT ? 0u : CM_CHECK_SKIP_PRODUCT) |
                                   (r->also & RULES_PARENT_CHILD ? 0u : CM_CHECK_SKIP_PARENT),
                           .tolerance = o->tolerance,
                           .clearance = fmax(o->clearance, 0),
                           .tolerances = r->tolerances,
                           .tolerance_count = r->tolerance_count,
                           .exceptions = r->exceptions,
                           .exception_count = r->exception_count,
                           .fail_on = o->fail_on,
                           .outlines = o->report != NULL || o->bcf != NULL,
                           .volumes = o->volumes};
}

findings findings_asked(const scene *s, const options *o, const rules *r) {
    return (findings){.clearance = fmax(o->clearance, 0),
                      .tolerance = o->tolerance,
                      .fail_on = o->fail_on,
                      .volumes = o->volumes,
                      .rules = r,
                      .spaces_left_out = s->left_out};
}

int complain_of_check(cm_status status) {
    if (status == CM_OK) return 0;
    if (status == CM_LIMIT) return complain(EXIT_INPUT, "too many pairs of parts come near each other");
    return complain(EXIT_INTERNAL, "checking pairs: %s", cm_status_text(status));
}
