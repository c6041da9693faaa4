/* What an SRDF says of a robot: see srdf.h. */
#include "robot/srdf.h"

#include "common/suggest.h"
#include "common/text.h"
#include "page/page.h"
#include "robot/kinematics.h"
#include "common/xml.h"

#include <stdlib.h>
#include <string.h>

/* --- pairs ------------------------------------------------------------------------------------------------------- */

/* The link that an attribute names; ROBOT_NONE after a warning where the robot has none of that name. */
static uint32_t find_link(xml_file *f, const xmlNode *node, const char *attribute, const robot *r) {
    char *name = xml_attribute(f, node, attribute, true);
    const uint32_t link = name ? robot_find_link(r, name) : ROBOT_NONE;
    if (name && link == ROBOT_NONE)
        warn("%s:%ld: there is no link '%s': <%s> is not used", f->path, xmlGetLineNo(node), name,
             (const char *)node->name);
    free(name);
    return link;
}

static void read_pair(xml_file *f, const xmlNode *node, const robot *r, srdf_pair **list, uint32_t *count) {
    srdf_pair pair = {.a = find_link(f, node, "link1", r), .b = find_link(f, node, "link2", r)};
    if (pair.a == ROBOT_NONE || pair.b == ROBOT_NONE) return;
    pair.reason = xml_attribute(f, node, "reason", false);
    if (!pair.reason) pair.reason = copy_text("");
    size_t capacity = *count;
    *list = grow(*list, capacity, &capacity, sizeof **list);
    (*list)[(*count)++] = pair;
}

static const srdf_pair *find_pair(const srdf_pair *list, uint32_t count, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < count; i++)
        if ((list[i].a == a && list[i].b == b) || (list[i].a == b && list[i].b == a)) return &list[i];
    return NULL;
}

const char *srdf_disables(const srdf *s, uint32_t a, uint32_t b) {
    const srdf_pair *disabled = find_pair(s->disabled, s->disabled_count, a, b);
    if (disabled) return disabled->reason;
    if (find_pair(s->enabled, s->enabled_count, a, b)) return NULL;
    return s->apart && (s->apart[a] || s->apart[b]) ? "disabled by default" : NULL;
}

/* --- groups ------------------------------------------------------------------------------------------------------ */

/* A file is often that of several variants of a robot. Takes over the text. */
static void lack_member(xml_file *f, const xmlNode *node, srdf_group *group, char *what) {
    warn("%s:%ld: the group '%s' has %s, and there is none", f->path, xmlGetLineNo(node), group->name, what);
    group->lacks = true;
    free(what);
}

/* All joints from a link of the chain up to its base. */
static void add_chain(xml_file *f, const xmlNode *node, const robot *r, srdf_group *group) {
    char *base = xml_attribute(f, node, "base_link", true), *tip = xml_attribute(f, node, "tip_link", true);
    const uint32_t from = base ? robot_find_link(r, base) : ROBOT_NONE;
    uint32_t at = tip ? robot_find_link(r, tip) : ROBOT_NONE;
    if (base && tip && (from == ROBOT_NONE || at == ROBOT_NONE)) {
        lack_member(f, node, group, format_text("the link '%s' in a chain", from == ROBOT_NONE ? base : tip));
    } else if (base && tip) {
        for (; at != from && r->links[at].joint != ROBOT_NONE; at = r->joints[r->links[at].joint].parent)
            group->joints[r->links[at].joint] = true;
        if (at != from) xml_bad(f, node, "the chain from '%s' to '%s' does not lead up the tree of links", base, tip);
    }
    free(base);
    free(tip);
}

/* A joint of the SRDF's own, between the robot and the world. It moves no link against another one, nor here against
 * the cell, which stands in the frame of the root. */
static bool is_virtual(xml_file *f, const char *joint) {
    bool found = false;
    for (const xmlNode *at = xml_first(f->root); at && !found; at = xml_after(at)) {
        char *name = xml_is(at, "virtual_joint") ? xml_attribute(f, at, "name", false) : NULL;
        found = name && strcmp(name, joint) == 0;
        free(name);
    }
    return found;
}

static void add_member(xml_file *f, const xmlNode *node, const robot *r, srdf_group *group) {
    char *name = xml_attribute(f, node, "name", true);
    uint32_t joint = ROBOT_NONE;
    bool known = false;
    if (name && xml_is(node, "joint")) {
        joint = robot_find_joint(r, name);
        known = joint != ROBOT_NONE || is_virtual(f, name);
    } else if (name) { /* a link: the joint to its parent */
        const uint32_t link = robot_find_link(r, name);
        known = link != ROBOT_NONE;
        if (known) joint = r->links[link].joint;
    }
    if (name && !known) lack_member(f, node, group, format_text("the %s '%s'", (const char *)node->name, name));
    if (joint != ROBOT_NONE) group->joints[joint] = true;
    free(name);
}

static void read_group(xml_file *f, const xmlNode *node, const robot *r, srdf *out) {
    srdf_group group = {.name = xml_attribute(f, node, "name", true),
                        .joints = allocate(r->joint_count, sizeof *group.joints)};
    for (const xmlNode *at = xml_first(node); at && f->code == 0; at = xml_after(at)) {
        if (xml_is(at, "chain"))
            add_chain(f, at, r, &group);
        else if (xml_is(at, "joint") || xml_is(at, "link"))
            add_member(f, at, r, &group);
        else if (xml_is(at, "passive_joint")) /* as MoveIt's own Panda has it; MoveIt does not look at it there */
            warn("%s:%ld: <passive_joint> in a group has no effect", f->path, xmlGetLineNo(at));
        else if (!xml_is(at, "group")) /* of which later */
            xml_bad(f, at, "<%s> in a group is not known: known are joint, link, chain, group", (const char *)at->name);
    }
    size_t capacity = out->group_count;
    out->groups = grow(out->groups, capacity, &capacity, sizeof *out->groups);
    out->groups[out->group_count++] = group;
}

static srdf_group *find_group(const srdf *s, const char *name) {
    for (uint32_t i = 0; name && i < s->group_count; i++)
        if (strcmp(s->groups[i].name, name) == 0) return &s->groups[i];
    return NULL;
}

/* Groups within groups; returns whether anything was added. */
static bool add_subgroups(xml_file *f, const xmlNode *node, const robot *r, const srdf *out) {
    char *name = xml_attribute(f, node, "name", true);
    srdf_group *group = find_group(out, name);
    bool added = false;
    for (const xmlNode *at = xml_first(node); at && group && f->code == 0; at = xml_after(at)) {
        if (!xml_is(at, "group")) continue;
        char *part = xml_attribute(f, at, "name", true);
        const srdf_group *other = find_group(out, part);
        if (part && !other && !group->lacks) lack_member(f, at, group, format_text("the group '%s'", part)); /* once */
        added |= other && other->lacks && !group->lacks;
        if (other && other->lacks) group->lacks = true;
        for (uint32_t i = 0; other && i < r->joint_count; i++) {
            added |= other->joints[i] && !group->joints[i];
            group->joints[i] |= other->joints[i];
        }
        free(part);
    }
    free(name);
    return added;
}

static void read_groups(xml_file *f, const robot *r, srdf *out) {
    for (const xmlNode *at = xml_first(f->root); at && f->code == 0; at = xml_after(at))
        if (xml_is(at, "group")) read_group(f, at, r, out);
    bool added = true;
    for (uint32_t round = 0; added && round <= out->group_count && f->code == 0; round++) {
        added = false;
        for (const xmlNode *at = xml_first(f->root); at && f->code == 0; at = xml_after(at))
            if (xml_is(at, "group")) added |= add_subgroups(f, at, r, out);
    }
}

/* --- states ------------------------------------------------------------------------------------------------------ */

static void read_value(xml_file *f, const xmlNode *node, const robot *r, const srdf_state *state) {
    char *name = xml_attribute(f, node, "name", true);
    const uint32_t joint = name ? robot_find_joint(r, name) : ROBOT_NONE;
    if (name && joint == ROBOT_NONE && is_virtual(f, name)) {
        warn("%s:%ld: joint '%s' is virtual: its value in the state '%s' is not used", f->path, xmlGetLineNo(node),
             name, state->name);
    } else if (name && joint == ROBOT_NONE) {
        warn("%s:%ld: state '%s' has the joint '%s', and there is none: its value is not used", f->path,
             xmlGetLineNo(node), state->name, name);
    } else if (name && joint_moves(&r->joints[joint])) {
        const robot_joint *j = &r->joints[joint];
        xml_numbers(f, node, "value", true, 1, &state->values[joint]);
        if (j->leader != joint)
            warn("%s:%ld: joint '%s' follows '%s': its own value is not used", f->path, xmlGetLineNo(node), name,
                 r->joints[j->leader].name);
        else if (j->kind != JOINT_CONTINUOUS &&
                 !(state->values[joint] >= j->lower - 1e-6 && state->values[joint] <= j->upper + 1e-6))
            warn("%s:%ld: state '%s' has joint '%s' at %g, beyond its limits %g to %g", f->path, xmlGetLineNo(node),
                 state->name, name, state->values[joint], j->lower, j->upper);
    } else if (name) {
        warn("%s:%ld: joint '%s' does not move: its value is not used", f->path, xmlGetLineNo(node), name);
    }
    free(name);
}

static void read_state(xml_file *f, const xmlNode *node, const robot *r, srdf *out) {
    char *name = xml_attribute(f, node, "name", true), *group = xml_attribute(f, node, "group", true);
    srdf_state state = {.name = format_text("%s/%s", group ? group : "", name ? name : ""),
                        .values = allocate(r->joint_count, sizeof(double))};
    robot_rest(r, state.values);
    for (const xmlNode *at = xml_first(node); at && f->code == 0; at = xml_after(at))
        if (xml_is(at, "joint"))
            read_value(f, at, r, &state);
        else
            xml_bad(f, at, "<%s> in a state is not known: known is joint", (const char *)at->name);
    robot_follow(r, state.values);
    bool twice = false;
    for (uint32_t i = 0; i < out->state_count; i++) twice = twice || strcmp(out->states[i].name, state.name) == 0;
    if (twice)
        warn("%s:%ld: there is a state '%s' already: both are looked at", f->path, xmlGetLineNo(node), state.name);
    size_t capacity = out->state_count;
    out->states = grow(out->states, capacity, &capacity, sizeof *out->states);
    out->states[out->state_count++] = state;
    free(name);
    free(group);
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

/* A misspelt element would be without effect, and no one the wiser. */
static void warn_unknown(const xml_file *f, const xmlNode *node) {
    static const char *const used[] = {"disable_collisions", "enable_collisions", "disable_default_collisions",
                                       "group_state", "group"};
    static const char *const others[] = {"group",         "virtual_joint",  "end_effector",
                                         "passive_joint", "joint_property", "link_sphere_approximation"};
    char hint[80];
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (xml_is(node, others[i])) return;
    char *name = xml_name(node);
    warn("%s:%ld: <%.60s> is not known here and not used%s", f->path, xmlGetLineNo(node), name,
         suggest(name, used, sizeof used / sizeof used[0], hint, sizeof hint));
    free(name);
}

static void read_elements(xml_file *f, const robot *r, srdf *out) {
    for (const xmlNode *at = xml_first(f->root); at && f->code == 0; at = xml_after(at)) {
        if (xml_is(at, "disable_collisions"))
            read_pair(f, at, r, &out->disabled, &out->disabled_count);
        else if (xml_is(at, "enable_collisions"))
            read_pair(f, at, r, &out->enabled, &out->enabled_count);
        else if (xml_is(at, "group_state"))
            read_state(f, at, r, out);
        else if (xml_is(at, "disable_default_collisions")) {
            const uint32_t link = find_link(f, at, "link", r);
            if (!out->apart) out->apart = allocate(r->link_count, sizeof *out->apart);
            if (link != ROBOT_NONE) out->apart[link] = true;
        } else if (xml_is(at, "link") || xml_is(at, "collision"))
            xml_bad(f, at, "<%s> in an SRDF: is it a URDF?", (const char *)at->name);
        else
            warn_unknown(f, at);
    }
}

int srdf_read(const char *path, const robot *r, srdf *out) {
    *out = (srdf){0};
    xml_file f;
    if (xml_open(path, "robot", &f) == 0) {
        char *name = xml_attribute(&f, f.root, "name", true);
        if (name && strcmp(name, r->name) != 0)
            warn("%s: is of the robot '%s', and the URDF of '%s'", path, name, r->name);
        free(name);
        read_groups(&f, r, out);
        if (f.code == 0) read_elements(&f, r, out);
    }
    xml_close(&f);
    return f.code;
}

static void free_pairs(srdf_pair *list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) free(list[i].reason);
    free(list);
}

void srdf_free(srdf *s) {
    free_pairs(s->disabled, s->disabled_count);
    free_pairs(s->enabled, s->enabled_count);
    for (uint32_t i = 0; i < s->state_count; i++) {
        free(s->states[i].name);
        free(s->states[i].values);
    }
    for (uint32_t i = 0; i < s->group_count; i++) {
        free(s->groups[i].name);
        free(s->groups[i].joints);
    }
    free(s->states);
    free(s->groups);
    free(s->apart);
    *s = (srdf){0};
}

/* --- writing ----------------------------------------------------------------------------------------------------- */

static void add_blank(xmlNode *root, const char *text) { xmlAddChild(root, xmlNewText((const xmlChar *)text)); }

static void add_pairs(xmlNode *root, const robot *r, const srdf_pair *pairs, uint32_t count, const char *comment) {
    add_blank(root, "  ");
    xmlAddChild(root, xmlNewComment((const xmlChar *)comment));
    add_blank(root, "\n");
    for (uint32_t i = 0; i < count; i++) {
        add_blank(root, "  ");
        xmlNode *node = xmlNewChild(root, NULL, (const xmlChar *)"disable_collisions", NULL);
        xmlNewProp(node, (const xmlChar *)"link1", (const xmlChar *)r->links[pairs[i].a].name);
        xmlNewProp(node, (const xmlChar *)"link2", (const xmlChar *)r->links[pairs[i].b].name);
        xmlNewProp(node, (const xmlChar *)"reason", (const xmlChar *)pairs[i].reason);
        add_blank(root, "\n");
    }
}

bool srdf_write(const char *path, const char *from, const robot *r, const srdf_pair *pairs, uint32_t count,
                const char *comment, char *message, size_t size) {
    static const page_frame frame = {(const unsigned char *)"", (const unsigned char *)"", 0, 0};
    xml_file f = {.path = path};
    if (from && xml_open(from, "robot", &f) != 0) {
        snprintf(message, size, "%s: cannot be read a second time", from);
        return false;
    }
    if (!from) {
        f.doc = xmlNewDoc((const xmlChar *)"1.0");
        f.root = xmlNewNode(NULL, (const xmlChar *)"robot");
        xmlNewProp(f.root, (const xmlChar *)"name", (const xmlChar *)r->name);
        xmlDocSetRootElement(f.doc, f.root);
        add_blank(f.root, "\n");
    }
    add_pairs(f.root, r, pairs, count, comment);
    xmlChar *text = NULL;
    int length = 0;
    xmlDocDumpMemoryEnc(f.doc, &text, &length, "UTF-8");
    page out;
    page_open(&out, path, &frame);
    page_put(&out, text, (size_t)(length > 0 ? length : 0));
    const bool written = page_close(&out, path, message, size);
    xmlFree(text);
    xml_close(&f);
    return written;
}
