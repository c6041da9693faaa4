/* Findings as a file of BCF: see bcf.h. The elements stand in the order of buildingSMART's schemas, which differ
 * between the versions in names, in nesting and in what is required. */
#include "bcf/bcf.h"

#include "bcf/topics.h"
#include "bcf/view.h"
#include "check/baseline.h"
#include "common/archive.h"
#include "common/date.h"
#include "common/parallel.h"
#include "common/text.h"
#include "page/page.h"
#include "read/affine.h"

#include <errno.h>
#include <libxml/xmlwriter.h>
#include <stdlib.h>
#include <string.h>

const char *const bcf_version_names[BCF_VERSIONS] = {"2.1", "3.0"};

typedef struct snapshot {
    view from;
    unsigned char *png;
    size_t size;
} snapshot;

typedef struct writer {
    const scene *model;
    const findings *found;
    const bcf_options *options;
    bool new_form; /* of 3.0 */
    topics all;
    snapshot *snapshots; /* one a topic */
    affine z_up;
    archive_writer *zip;
} writer;

/* --- XML --------------------------------------------------------------------------------------------------------- */

typedef struct document {
    xmlBuffer *bytes;
    xmlTextWriter *to;
} document;

static void out_of_memory_for_xml(void) {
    complain(EXIT_INTERNAL, "out of memory");
    exit(EXIT_INTERNAL);
}

static document begin_document(const char *root) {
    document d = {.bytes = xmlBufferCreate()};
    d.to = d.bytes ? xmlNewTextWriterMemory(d.bytes, 0) : NULL;
    if (!d.to || xmlTextWriterStartDocument(d.to, NULL, "UTF-8", NULL) < 0) out_of_memory_for_xml();
    xmlTextWriterSetIndent(d.to, 1);
    xmlTextWriterStartElement(d.to, (const xmlChar *)root);
    return d;
}

static void end_document(writer *w, document *d, const char *name) {
    if (xmlTextWriterEndDocument(d->to) < 0) out_of_memory_for_xml();
    xmlFreeTextWriter(d->to);
    archive_add(w->zip, name, xmlBufferContent(d->bytes), (size_t)xmlBufferLength(d->bytes), false);
    xmlBufferFree(d->bytes);
}

static void open_element(document *d, const char *name) { xmlTextWriterStartElement(d->to, (const xmlChar *)name); }
static void close_element(document *d) { xmlTextWriterEndElement(d->to); }
static void put_attribute(document *d, const char *name, const char *value) {
    xmlTextWriterWriteAttribute(d->to, (const xmlChar *)name, (const xmlChar *)value);
}
static void put_element(document *d, const char *name, const char *text) {
    xmlTextWriterWriteElement(d->to, (const xmlChar *)name, (const xmlChar *)text);
}
static void put_number(document *d, const char *name, double value) {
    char text[32];
    snprintf(text, sizeof text, "%.12g", value + 0.0);
    put_element(d, name, text);
}

/* Of a list that 3.0 has as an element of its own, and 2.1 does not. */
static void open_list(const writer *w, document *d, const char *name) {
    if (w->new_form) open_element(d, name);
}
static void close_list(const writer *w, document *d) {
    if (w->new_form) close_element(d);
}

/* A point or a direction of the scene, with z up. */
static void put_vector(const writer *w, document *d, const char *name, cm_vec3 v) {
    const double *m = w->z_up.m;
    open_element(d, name);
    put_number(d, "X", m[0] * v.x + m[1] * v.y + m[2] * v.z);
    put_number(d, "Y", m[3] * v.x + m[4] * v.y + m[5] * v.z);
    put_number(d, "Z", m[6] * v.x + m[7] * v.y + m[8] * v.z);
    close_element(d);
}

/* --- a topic's markup -------------------------------------------------------------------------------------------- */

static void put_files(const writer *w, document *d) {
    open_element(d, "Header");
    open_list(w, d, "Files");
    for (uint32_t i = 0; i < w->model->file_count; i++) {
        open_element(d, "File");
        put_attribute(d, w->new_form ? "IsExternal" : "isExternal", "true");
        put_element(d, "Filename", base_name(w->model->files[i].path));
        close_element(d);
    }
    close_list(w, d);
    close_element(d);
}

/* The names of its tests, each once; what is new since the baseline. */
static void put_labels(const writer *w, document *d, const topic *t) {
    const char *element = w->new_form ? "Label" : "Labels";
    const cm_check_result *list = &w->found->list;
    open_list(w, d, "Labels");
    for (uint32_t i = 0; i < t->count; i++) {
        const char *test = rules_test_name(w->found, t->numbers[i]);
        bool said = !*test;
        for (uint32_t k = 0; k < i && !said; k++)
            said = list->findings[t->numbers[k]].test == list->findings[t->numbers[i]].test;
        if (!said) put_element(d, element, test);
    }
    bool fresh = false;
    for (uint32_t i = 0; i < t->count; i++) fresh |= strcmp(baseline_status(w->found, t->numbers[i]), "new") == 0;
    if (fresh) put_element(d, element, "new");
    close_list(w, d);
}

static void put_comment(const writer *w, document *d, const char *guid, const rules_origin *said) {
    char date[32];
    snprintf(date, sizeof date, "%.10sT00:00:00Z", said->date);
    open_element(d, "Comment");
    put_attribute(d, "Guid", guid);
    put_element(d, "Date", date_is_day(said->date) ? date : w->options->date);
    put_element(d, "Author", *said->author ? said->author : w->options->author);
    put_element(d, "Comment", said->reason);
    close_element(d);
}

/* What the list says of one of the topic's findings, for the first of those of which it says so; else NULL. */
static const rules_note *note_of(const writer *w, const topic *t, uint32_t number) {
    const cm_finding *of = w->found->list.findings;
    const rules_note *note = rules_note_of(w->found, &of[t->numbers[number]]);
    for (uint32_t i = 0; note && i < number; i++) {
        const rules_note *other = rules_note_of(w->found, &of[t->numbers[i]]);
        if (other && strcmp(other->said.reason, note->said.reason) == 0) return NULL;
    }
    return note;
}

/* Why it is accepted, or what was said of what is not. */
static void put_comments(const writer *w, document *d, const topic *t) {
    if (t->accepted && !*t->accepted->reason) return;
    bool any = t->accepted != NULL;
    for (uint32_t i = 0; i < t->count && !any; i++) any = note_of(w, t, i) != NULL;
    if (!any) return;
    open_list(w, d, "Comments");
    if (t->accepted) put_comment(w, d, t->comment, t->accepted);
    for (uint32_t i = 0; i < t->count && !t->accepted; i++) {
        const rules_note *note = note_of(w, t, i);
        char guid[GUID_SIZE];
        if (!note) continue;
        guid_make(GUID_COMMENT, note->id, guid);
        put_comment(w, d, guid, &note->said);
    }
    close_list(w, d);
}

static void put_viewpoints(const writer *w, document *d, const topic *t) {
    open_list(w, d, "Viewpoints");
    open_element(d, w->new_form ? "ViewPoint" : "Viewpoints");
    put_attribute(d, "Guid", t->viewpoint);
    put_element(d, "Viewpoint", "viewpoint.bcfv");
    put_element(d, "Snapshot", "snapshot.png");
    close_element(d);
    close_list(w, d);
}

static void put_markup(writer *w, uint32_t number) {
    const topic *t = &w->all.list[number];
    char name[80], index[16];
    document d = begin_document("Markup");
    put_files(w, &d);
    open_element(&d, "Topic");
    put_attribute(&d, "Guid", t->guid);
    put_attribute(&d, "TopicType", t->type), put_attribute(&d, "TopicStatus", t->status);
    put_element(&d, "Title", t->title);
    put_element(&d, "Priority", t->priority);
    snprintf(index, sizeof index, "%u", number);
    if (!w->new_form) put_element(&d, "Index", index); /* deprecated since */
    put_labels(w, &d, t);
    put_element(&d, "CreationDate", w->options->date);
    put_element(&d, "CreationAuthor", w->options->author);
    put_element(&d, "Description", t->description);
    if (!w->new_form) close_element(&d);
    put_comments(w, &d, t);
    if (t->count > 0) put_viewpoints(w, &d, t);
    snprintf(name, sizeof name, "%s/markup.bcf", t->guid);
    end_document(w, &d, name); /* closes what is open */
}

/* --- its viewpoint ----------------------------------------------------------------------------------------------- */

/* By its GlobalId, else by what its file calls it. */
static void put_component(const writer *w, document *d, uint32_t number) {
    const scene_part *part = &w->model->parts[number];
    const char *id = part_property(w->model, part, "id");
    const bool global = id && is_global_id(id);
    open_element(d, "Component");
    if (global) put_attribute(d, "IfcGuid", id);
    if (!global) {
        put_element(d, "OriginatingSystem", base_name(w->model->files[part->file].path));
        put_element(d, "AuthoringToolId", id && *id ? id : *part->name ? part->name : "-");
    }
    close_element(d);
}

static bool has_side(const writer *w, const topic *t, picture_side side) {
    for (uint32_t i = 0; i < t->part_count; i++)
        if (topic_is_first(w->found, t, t->parts[i]) == (side == PICTURE_A)) return true;
    return false;
}

static void put_components(const writer *w, document *d, const topic *t) {
    open_element(d, "Components");
    open_element(d, "Selection");
    for (uint32_t i = 0; i < t->part_count; i++) put_component(w, d, t->parts[i]);
    close_element(d);
    open_element(d, "Visibility");
    put_attribute(d, "DefaultVisibility", "true");
    close_element(d);
    open_element(d, "Coloring");
    for (picture_side side = 0; side < PICTURE_SIDES; side++) {
        if (!has_side(w, t, side)) continue;
        open_element(d, "Color");
        put_attribute(d, "Color", picture_colors[side]);
        open_list(w, d, "Components");
        for (uint32_t i = 0; i < t->part_count; i++)
            if (topic_is_first(w->found, t, t->parts[i]) == (side == PICTURE_A)) put_component(w, d, t->parts[i]);
        close_list(w, d);
        close_element(d);
    }
    close_element(d);
    close_element(d);
}

static void put_camera(const writer *w, document *d, const view *v) {
    open_element(d, "PerspectiveCamera");
    put_vector(w, d, "CameraViewPoint", v->from.at);
    put_vector(w, d, "CameraDirection", v->from.forward);
    put_vector(w, d, "CameraUpVector", v->from.up);
    put_number(d, "FieldOfView", w->new_form ? VIEW_VERTICAL : VIEW_HORIZONTAL);
    if (w->new_form) put_number(d, "AspectRatio", (double)PICTURE_WIDTH / PICTURE_HEIGHT);
    close_element(d);
}

static void put_viewpoint(writer *w, uint32_t number) {
    const topic *t = &w->all.list[number];
    const view *v = &w->snapshots[number].from;
    char name[80];
    document d = begin_document("VisualizationInfo");
    put_attribute(&d, "Guid", t->viewpoint);
    put_components(w, &d, t);
    put_camera(w, &d, v);
    if (v->cut) {
        open_element(&d, "ClippingPlanes");
        open_element(&d, "ClippingPlane");
        put_vector(w, &d, "Location", v->cut_at);
        put_vector(w, &d, "Direction", v->cut_to);
        close_element(&d);
        close_element(&d);
    }
    snprintf(name, sizeof name, "%s/viewpoint.bcfv", t->guid);
    end_document(w, &d, name);
}

/* --- its snapshot ------------------------------------------------------------------------------------------------ */

/* Where one is in the other, the outer one is of glass. */
static picture_side glass_of(const findings *f, const topic *t) {
    const cm_finding *first = &f->list.findings[t->numbers[0]];
    if (first->kind != CM_FINDING_INSIDE) return PICTURE_SIDES;
    const uint32_t outer = first->result.relation == CM_RELATION_A_IN_B ? first->part_b : first->part_a;
    return topic_is_first(f, t, outer) ? PICTURE_A : PICTURE_B;
}

static void take_snapshot(void *argument, int index, int worker) {
    (void)worker;
    writer *w = argument;
    const topic *t = &w->all.list[index];
    snapshot *out = &w->snapshots[index];
    if (t->count == 0) return;
    const view_subject subject = {w->model, w->found, t->numbers, t->count, t->parts, t->part_count};
    out->from = view_choose(&subject);
    picture *p = picture_begin(&out->from.from);
    for (uint32_t i = 0; i < t->part_count; i++) {
        const scene_part *part = &w->model->parts[t->parts[i]];
        picture_mesh(p, w->model->meshes[part->mesh].mesh, &part->pose,
                     topic_is_first(w->found, t, t->parts[i]) ? PICTURE_A : PICTURE_B);
    }
    for (uint32_t i = 0; i < t->count; i++) {
        const cm_finding *f = &w->found->list.findings[t->numbers[i]];
        if (f->kind == CM_FINDING_IDENTICAL) continue; /* all of it crosses; stripes show that */
        for (size_t k = 0; k < f->outline_segments; k++) picture_line(p, f->outline[2 * k], f->outline[2 * k + 1]);
        if (f->outline_segments == 0 && f->kind != CM_FINDING_INSIDE)
            picture_line(p, f->result.point_a, f->result.point_b);
    }
    out->png = picture_end(p, glass_of(w->found, t), &out->size);
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

static void put_version(writer *w) {
    const char *version = bcf_version_names[w->options->version];
    document d = begin_document("Version");
    put_attribute(&d, "VersionId", version);
    if (!w->new_form) put_element(&d, "DetailedVersion", version);
    end_document(w, &d, "bcf.version");
}

static void put_values(document *d, const char *list, const char *element, const char *const *values) {
    open_element(d, list);
    for (; *values; values++) put_element(d, element, *values);
    close_element(d);
}

/* Which values topics may have: 3.0 wants a list of them. */
static void put_extensions(writer *w) {
    const rules *r = w->found->rules;
    const char *users[] = {w->options->author, NULL};
    document d = begin_document("Extensions");
    put_values(&d, "TopicTypes", "TopicType", topic_types);
    put_values(&d, "TopicStatuses", "TopicStatus", topic_statuses);
    put_values(&d, "Priorities", "Priority", topic_priorities);
    open_element(&d, "TopicLabels");
    for (uint32_t i = 0; i < r->test_count; i++)
        if (r->tests[i].name) put_element(&d, "TopicLabel", r->tests[i].name);
    put_element(&d, "TopicLabel", "new");
    close_element(&d);
    put_values(&d, "Users", "User", users);
    end_document(w, &d, "extensions.xml");
}

static unsigned char *make_archive(writer *w, size_t *size) {
    w->zip = archive_begin(w->options->date);
    put_version(w);
    if (w->new_form) put_extensions(w);
    for (uint32_t i = 0; i < w->all.count; i++) {
        char name[80];
        put_markup(w, i);
        if (w->all.list[i].count == 0) continue;
        put_viewpoint(w, i);
        snprintf(name, sizeof name, "%s/snapshot.png", w->all.list[i].guid);
        archive_add(w->zip, name, w->snapshots[i].png, w->snapshots[i].size, true);
    }
    return archive_end(w->zip, size);
}

bool bcf_write(const char *path, const scene *s, const findings *f, const bcf_options *o, char *message, size_t size) {
    static const page_frame frame = {(const unsigned char *)"", (const unsigned char *)"", 0, 0};
    writer w = {.model = s, .found = f, .options = o, .new_form = o->version == BCF_3_0};
    w.z_up = affine_turn_up(s->up ? s->up : 'z', 'z');
    topics_make(s, f, &w.all);
    w.snapshots = allocate(w.all.count, sizeof *w.snapshots);
    run_in_parallel(o->threads, w.all.count, take_snapshot, &w);
    size_t byte_count = 0;
    unsigned char *bytes = make_archive(&w, &byte_count);
    page out;
    page_open(&out, path, &frame);
    if (bytes)
        page_put(&out, bytes, byte_count);
    else if (!out.error)
        out.error = ENOMEM;
    free(bytes);
    for (uint32_t i = 0; i < w.all.count; i++) free(w.snapshots[i].png);
    free(w.snapshots);
    topics_free(&w.all);
    return page_close(&out, path, message, size);
}
