/* A robot as its URDF describes it: see urdf.h. */
#include "robot/urdf.h"

#include "common/suggest.h"
#include "common/text.h"
#include "common/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Links and joints; the search by name is linear. */
enum { ROBOT_MOST = 10000 };
#define NO_LIMIT 1e6 /* of an angle, in radians: from here on they are none */

static const char *const kind_texts[JOINT_KINDS] = {"fixed",    "revolute", "continuous", "prismatic",
                                                    "floating", "planar",   "spherical"};

const char *joint_kind_text(joint_kind kind) { return kind_texts[kind]; }

bool joint_moves(const robot_joint *joint) {
    return joint->kind == JOINT_REVOLUTE || joint->kind == JOINT_CONTINUOUS || joint->kind == JOINT_PRISMATIC;
}

uint32_t robot_find_link(const robot *r, const char *name) {
    for (uint32_t i = 0; i < r->link_count; i++)
        if (strcmp(r->links[i].name, name) == 0) return i;
    return ROBOT_NONE;
}

uint32_t robot_find_joint(const robot *r, const char *name) {
    for (uint32_t i = 0; i < r->joint_count; i++)
        if (strcmp(r->joints[i].name, name) == 0) return i;
    return ROBOT_NONE;
}

const char *robot_suggest_link(const robot *r, const char *name, char *buffer, size_t size) {
    const char **names = allocate(r->link_count, sizeof *names);
    for (uint32_t i = 0; i < r->link_count; i++) names[i] = r->links[i].name;
    suggest(name, names, r->link_count, buffer, size);
    free(names);
    return buffer;
}

const char *robot_suggest_joint(const robot *r, const char *name, char *buffer, size_t size) {
    const char **names = allocate(r->joint_count, sizeof *names);
    for (uint32_t i = 0; i < r->joint_count; i++) names[i] = r->joints[i].name;
    suggest(name, names, r->joint_count, buffer, size);
    free(names);
    return buffer;
}

void robot_note(robot *r, char *text) {
    for (uint32_t i = 0; i < r->note_count; i++)
        if (strcmp(r->notes[i], text) == 0) {
            free(text);
            return;
        }
    size_t capacity = r->note_count;
    r->notes = grow(r->notes, capacity, &capacity, sizeof *r->notes);
    r->notes[r->note_count++] = text;
}

/* --- places ------------------------------------------------------------------------------------------------------ */

static cm_quat quat_about(int axis, double angle) {
    const double s = sin(angle / 2), c = cos(angle / 2);
    return (cm_quat){axis == 0 ? s : 0, axis == 1 ? s : 0, axis == 2 ? s : 0, c};
}

cm_pose robot_origin(const double at[3], const double turn[3]) {
    const cm_quat roll = quat_about(0, turn[0]), pitch = quat_about(1, turn[1]), yaw = quat_about(2, turn[2]);
    return (cm_pose){cm_v(at[0], at[1], at[2]), cm_quat_mul(yaw, cm_quat_mul(pitch, roll))};
}

static cm_pose read_origin(xml_file *f, const xmlNode *parent, robot *r) {
    const xmlNode *node = xml_child(f, parent, "origin");
    double at[3] = {0, 0, 0}, turn[3] = {0, 0, 0};
    if (!node) return cm_pose_identity();
    xml_only(f, node, "xyz rpy");
    xml_numbers(f, node, "xyz", false, 3, at);
    xml_numbers(f, node, "rpy", false, 3, turn);
    const double most = fmax(fabs(turn[0]), fmax(fabs(turn[1]), fabs(turn[2])));
    if (most > 1.01 * 2 * acos(-1))
        robot_note(r, format_text("line %ld: rpy=\"%g %g %g\" of <origin> is in radians, beyond a turn (were degrees "
                                  "meant?)",
                                  xmlGetLineNo(node), turn[0], turn[1], turn[2]));
    return robot_origin(at, turn);
}

/* --- geometry ---------------------------------------------------------------------------------------------------- */

static double read_size(xml_file *f, const xmlNode *node, const char *name) {
    double size = 0;
    xml_numbers(f, node, name, true, 1, &size);
    if (!(size > 0)) xml_bad(f, node, "%s of <%s> is not above zero", name, (const char *)node->name);
    return size;
}

static void read_mesh(xml_file *f, const xmlNode *node, robot_collision *out) {
    double scale[3] = {1, 1, 1};
    xml_only(f, node, "filename scale");
    out->mesh = xml_attribute(f, node, "filename", true);
    xml_numbers(f, node, "scale", false, 3, scale);
    out->scale = cm_v(scale[0], scale[1], scale[2]);
    if (scale[0] == 0 || scale[1] == 0 || scale[2] == 0) xml_bad(f, node, "scale of <mesh> is zero along an axis");
}

static void read_shape(xml_file *f, const xmlNode *node, robot_collision *out) {
    if (xml_is(node, "box")) {
        double size[3] = {0, 0, 0};
        xml_only(f, node, "size");
        xml_numbers(f, node, "size", true, 3, size);
        if (!(size[0] > 0 && size[1] > 0 && size[2] > 0)) xml_bad(f, node, "size of <box> is not above zero");
        out->shape = cm_make_box(cm_v(size[0] / 2, size[1] / 2, size[2] / 2));
    } else if (xml_is(node, "sphere")) {
        xml_only(f, node, "radius");
        out->shape = cm_make_sphere(cm_v(0, 0, 0), read_size(f, node, "radius"));
    } else if (xml_is(node, "cylinder")) {
        xml_only(f, node, "radius length");
        out->shape = cm_make_cylinder(read_size(f, node, "radius"), read_size(f, node, "length") / 2);
    } else if (xml_is(node, "capsule")) { /* its length is that of the cylinder between the caps */
        xml_only(f, node, "radius length");
        const double half = read_size(f, node, "length") / 2;
        out->shape = cm_make_capsule(cm_v(0, 0, -half), cm_v(0, 0, half), read_size(f, node, "radius"));
    } else if (xml_is(node, "mesh")) {
        read_mesh(f, node, out);
    } else {
        char *name = xml_name(node);
        xml_bad(f, node, "<%.60s> is not a geometry that is known: known are box, sphere, cylinder, capsule, mesh",
                name);
        free(name);
    }
}

static void read_collision(xml_file *f, const xmlNode *node, robot *r) {
    const uint32_t link = r->link_count - 1;
    robot_collision c = {.link = link, .line = xmlGetLineNo(node), .pose = read_origin(f, node, r)};
    const xmlNode *geometry = xml_child(f, node, "geometry"), *shape = geometry ? xml_first(geometry) : NULL;
    if (!geometry)
        xml_bad(f, node, "a <collision> of link '%s' has no <geometry>", r->links[link].name);
    else if (!shape)
        xml_bad(f, geometry, "the <geometry> of a <collision> of link '%s' is empty", r->links[link].name);
    else if (xml_after(shape))
        xml_bad(f, xml_after(shape), "a second shape in one <geometry>: put it into a <collision> of its own");
    else
        read_shape(f, shape, &c);
    size_t capacity = r->collision_count;
    r->collisions = grow(r->collisions, capacity, &capacity, sizeof *r->collisions);
    r->collisions[r->collision_count++] = c;
    r->links[link].collision_count++;
}

/* --- links and joints -------------------------------------------------------------------------------------------- */

/* What is not known is no geometry and no motion, as far as one can say: it is noted. */
static void note_unknown(xml_file *f, robot *r, const xmlNode *node, const char *within) {
    char *name = xml_name(node);
    if (strncmp(name, "xacro:", 6) == 0)
        xml_bad(f, node, "<%.60s>: expand the xacro first (xacro robot.urdf.xacro > robot.urdf)", name);
    else
        robot_note(r, format_text("line %ld: <%s> in %s is not read", xmlGetLineNo(node), name, within));
    free(name);
}

static bool is_one_of(const xmlNode *node, const char *const *names) {
    for (; *names; names++)
        if (xml_is(node, *names)) return true;
    return false;
}

static void read_link(xml_file *f, const xmlNode *node, robot *r) {
    static const char *const others[] = {"inertial", "sensor", "gazebo", "contact", NULL};
    char *name = xml_attribute(f, node, "name", true);
    if (!name) return;
    if (r->link_count == ROBOT_MOST) xml_bad(f, node, "more than %d links", ROBOT_MOST);
    if (robot_find_link(r, name) != ROBOT_NONE) xml_bad(f, node, "a second link '%s'", name);
    size_t capacity = r->link_count;
    r->links = grow(r->links, capacity, &capacity, sizeof *r->links);
    r->links[r->link_count++] = (robot_link){.name = name, .joint = ROBOT_NONE, .first_collision = r->collision_count};
    for (const xmlNode *at = xml_first(node); at && f->code == 0; at = xml_after(at)) {
        if (xml_is(at, "collision"))
            read_collision(f, at, r);
        else if (xml_is(at, "visual"))
            r->links[r->link_count - 1].visual = true;
        else if (!is_one_of(at, others))
            note_unknown(f, r, at, "a link");
    }
}

static joint_kind read_kind(xml_file *f, const xmlNode *node) {
    char *text = xml_attribute(f, node, "type", true);
    int kind = 0;
    while (text && kind < JOINT_KINDS && strcmp(text, kind_texts[kind]) != 0) kind++;
    if (kind == JOINT_KINDS)
        xml_bad(
            f, node,
            "a joint of type '%.60s': known are fixed, revolute, continuous, prismatic, floating, planar, spherical",
            text);
    free(text);
    return kind == JOINT_KINDS ? JOINT_FIXED : (joint_kind)kind;
}

static void read_axis(xml_file *f, const xmlNode *parent, robot_joint *j) {
    const xmlNode *node = xml_child(f, parent, "axis");
    double axis[3] = {1, 0, 0};
    if (node) {
        xml_only(f, node, "xyz");
        xml_numbers(f, node, "xyz", true, 3, axis);
    }
    const cm_vec3 v = cm_v(axis[0], axis[1], axis[2]);
    const double length = cm_length(v);
    if (joint_moves(j) && !(length > 0)) xml_bad(f, node, "the axis of joint '%s' is zero", j->name);
    j->axis = cm_scale(v, length > 0 ? 1 / length : 0);
}

/* Converters write numbers such as 1e16, the largest double or inf where a revolute joint has no limit. */
static bool limits_nothing(xml_file *f, const xmlNode *node) {
    static const char *const names[2] = {"lower", "upper"};
    bool far = true;
    for (int i = 0; i < 2; i++) {
        char *text = xml_attribute(f, node, names[i], false), *end = NULL;
        const double value = text ? strtod(text, &end) : 0;
        far = far && end && end != text && !*end && (i == 0 ? value <= -NO_LIMIT : value >= NO_LIMIT);
        free(text);
    }
    return far;
}

static void read_limits(xml_file *f, const xmlNode *parent, robot *r, robot_joint *j) {
    static const char known[] = "lower upper effort velocity acceleration deceleration jerk";
    const xmlNode *node = xml_child(f, parent, "limit");
    if (j->kind == JOINT_REVOLUTE && node && limits_nothing(f, node)) {
        robot_note(r, format_text("line %ld: the limits of joint '%s' are none: it is taken for continuous",
                                  xmlGetLineNo(node), j->name));
        j->kind = JOINT_CONTINUOUS;
    }
    if (j->kind == JOINT_CONTINUOUS) {
        j->lower = -acos(-1), j->upper = acos(-1);
    } else if (joint_moves(j)) {
        if (!node) {
            xml_bad(f, parent, "the %s joint '%s' has no <limit>", joint_kind_text(j->kind), j->name);
            return;
        }
        const char *other = xml_other(node, known);
        if (!xmlHasProp(node, (const xmlChar *)"lower") || !xmlHasProp(node, (const xmlChar *)"upper"))
            xml_only(f, node, known); /* it may be one of the two, misspelt */
        else if (other)
            robot_note(r, format_text("'%.60s' of <limit> is not read", other));
        xml_numbers(f, node, "lower", false, 1, &j->lower);
        xml_numbers(f, node, "upper", false, 1, &j->upper);
        if (!(j->lower <= j->upper))
            xml_bad(f, node, "the limits of joint '%s' are the wrong way round: %g to %g", j->name, j->lower, j->upper);
        const double two_turns = 4 * acos(-1), most = fmax(fabs(j->lower), fabs(j->upper));
        if (j->kind == JOINT_REVOLUTE && most > 1.01 * two_turns)
            robot_note(r, format_text("line %ld: the limits of joint '%s' are %g to %g radians, beyond two turns (were "
                                      "degrees meant?)",
                                      xmlGetLineNo(node), j->name, j->lower, j->upper));
    }
}

/* The link that <parent> or <child> names, in *out. Links may stand after the joints that name them. */
static char *read_link_name(xml_file *f, const xmlNode *joint, const char *which) {
    const xmlNode *node = xml_child(f, joint, which);
    if (node) return xml_attribute(f, node, "link", true);
    xml_bad(f, joint, "a joint has no <%s>", which);
    return NULL;
}

static uint32_t find_end(xml_file *f, const xmlNode *joint, const char *which, const robot *r) {
    char *name = read_link_name(f, joint, which);
    const uint32_t link = name ? robot_find_link(r, name) : ROBOT_NONE;
    if (name && link == ROBOT_NONE) xml_bad(f, joint, "a joint's %s is '%s', and there is no such link", which, name);
    free(name);
    return link;
}

/* A fixed joint has the value 0: what mimics it stays at its offset. */
static bool has_value(const robot_joint *j) { return joint_moves(j) || j->kind == JOINT_FIXED; }

static void read_joint(xml_file *f, const xmlNode *node, robot *r) {
    static const char *const others[] = {
        "origin", "parent", "child", "axis", "limit", "mimic", "dynamics", "calibration", "safety_controller", NULL};
    char *name = xml_attribute(f, node, "name", true);
    if (!name) return;
    if (r->joint_count == ROBOT_MOST) xml_bad(f, node, "more than %d joints", ROBOT_MOST);
    if (robot_find_joint(r, name) != ROBOT_NONE) xml_bad(f, node, "a second joint '%s'", name);
    robot_joint j = {.name = name, .kind = read_kind(f, node), .leader = r->joint_count, .factor = 1};
    j.origin = read_origin(f, node, r);
    j.parent = find_end(f, node, "parent", r);
    j.child = find_end(f, node, "child", r);
    read_axis(f, node, &j);
    read_limits(f, node, r, &j);
    for (const xmlNode *at = xml_first(node); at; at = xml_after(at))
        if (!is_one_of(at, others)) note_unknown(f, r, at, "a joint");
    if (!has_value(&j)) robot_note(r, format_text("the %s joint '%s' stays at zero", joint_kind_text(j.kind), j.name));
    size_t capacity = r->joint_count;
    r->joints = grow(r->joints, capacity, &capacity, sizeof *r->joints);
    r->joints[r->joint_count++] = j;
    if (f->code != 0) return;
    robot_link *child = &r->links[j.child];
    if (child->joint != ROBOT_NONE)
        xml_bad(f, node, "link '%s' has two parents, by the joints '%s' and '%s'", child->name,
                r->joints[child->joint].name, j.name);
    child->joint = r->joint_count - 1;
}

/* --- joints that follow others ----------------------------------------------------------------------------------- */

static void read_mimic(xml_file *f, const xmlNode *node, robot *r) {
    const xmlNode *mimic = xml_child(f, node, "mimic");
    if (!mimic || f->code != 0) return;
    char *own = xml_attribute(f, node, "name", true), *name = xml_attribute(f, mimic, "joint", true);
    robot_joint *j = &r->joints[robot_find_joint(r, own)];
    xml_only(f, mimic, "joint multiplier offset");
    xml_numbers(f, mimic, "multiplier", false, 1, &j->factor);
    xml_numbers(f, mimic, "offset", false, 1, &j->offset);
    const uint32_t leader = name ? robot_find_joint(r, name) : ROBOT_NONE;
    if (name && leader == ROBOT_NONE)
        xml_bad(f, mimic, "joint '%s' mimics '%s', and there is no such joint", own, name);
    else if (name && strcmp(name, own) == 0)
        xml_bad(f, mimic, "joint '%s' mimics itself", own);
    else if (name && j->kind == JOINT_FIXED)
        robot_note(r, format_text("line %ld: joint '%s' is fixed: its <mimic> is not read", xmlGetLineNo(mimic), own));
    else if (name && (!joint_moves(j) || !has_value(&r->joints[leader])))
        xml_bad(f, mimic, "joint '%s' mimics '%s': both must be revolute, continuous or prismatic", own, name);
    else if (name)
        j->leader = leader;
    free(own);
    free(name);
}

/* A joint that follows one that follows: by both factors and offsets. */
static void follow_leaders(xml_file *f, robot *r) {
    for (uint32_t i = 0; i < r->joint_count && f->code == 0; i++) {
        robot_joint *j = &r->joints[i];
        double factor = 1, offset = 0;
        uint32_t at = i, steps = 0;
        for (; r->joints[at].leader != at && steps <= r->joint_count; steps++) {
            offset += factor * r->joints[at].offset;
            factor *= r->joints[at].factor;
            at = r->joints[at].leader;
        }
        if (steps > r->joint_count) {
            xml_bad(f, f->root, "joint '%s' mimics itself, through others", j->name);
            return;
        }
        if (at == i) continue;
        /* Those before have their sums already, which are sums to the same leader. */
        j->leader = at, j->factor = factor, j->offset = offset;
        const robot_joint *leader = &r->joints[at];
        const double ends[2] = {factor * leader->lower + offset, factor * leader->upper + offset};
        const double low = fmin(ends[0], ends[1]), high = fmax(ends[0], ends[1]);
        if (j->kind != JOINT_CONTINUOUS && (low < j->lower - 1e-6 || high > j->upper + 1e-6))
            robot_note(r, format_text("joint '%s' follows '%s' from %g to %g, beyond its own limits %g to %g", j->name,
                                      leader->name, low, high, j->lower, j->upper));
    }
}

/* --- the tree ---------------------------------------------------------------------------------------------------- */

/* Joints from the root to the link; more than there are links where it hangs on a ring. */
static uint32_t depth_of(const robot *r, uint32_t link) {
    uint32_t depth = 0;
    for (; r->links[link].joint != ROBOT_NONE && depth <= r->link_count; depth++)
        link = r->joints[r->links[link].joint].parent;
    return depth;
}

static void make_order(xml_file *f, robot *r) {
    uint32_t root = ROBOT_NONE;
    uint32_t *depths = allocate(r->link_count, sizeof *depths);
    r->order = allocate(r->link_count, sizeof *r->order);
    for (uint32_t i = 0; i < r->link_count && f->code == 0; i++) {
        depths[i] = depth_of(r, i);
        if (depths[i] > r->link_count)
            xml_bad(f, f->root, "the joints form a ring: link '%s' hangs on itself", r->links[i].name);
        if (depths[i] > 0) continue;
        if (root != ROBOT_NONE)
            xml_bad(f, f->root, "two roots, '%s' and '%s': no joint connects them", r->links[root].name,
                    r->links[i].name);
        root = i;
    }
    uint32_t count = 0;
    for (uint32_t depth = 0; count < r->link_count && f->code == 0; depth++)
        for (uint32_t i = 0; i < r->link_count; i++)
            if (depths[i] == depth) r->order[count++] = i;
    free(depths);
}

static void note_links(robot *r) {
    text_buffer without = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->link_count; i++) {
        if (r->links[i].collision_count > 0 || !r->links[i].visual) continue;
        text_add(&without, "%s%s", count++ > 0 ? ", " : "", r->links[i].name);
    }
    if (count > 0)
        robot_note(r, format_text("%u link%s a <visual> and no <collision>, and %s not checked: %s", count,
                                  count == 1 ? " has" : "s have", count == 1 ? "is" : "are", without.bytes));
    free(without.bytes);
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

static void read_elements(xml_file *f, robot *r) {
    static const char *const others[] = {"material", "gazebo", "transmission", "ros2_control", "link", "joint", NULL};
    for (const xmlNode *at = xml_first(f->root); at && f->code == 0; at = xml_after(at)) {
        if (xml_is(at, "link")) read_link(f, at, r);
        if (!is_one_of(at, others)) note_unknown(f, r, at, "the robot");
    }
    if (f->code == 0 && r->link_count == 0)
        xml_bad(f, f->root, "has no <link>: is it an SRDF? (--srdf FILE beside the URDF)");
    for (const xmlNode *at = xml_first(f->root); at && f->code == 0; at = xml_after(at))
        if (xml_is(at, "joint")) read_joint(f, at, r);
    for (const xmlNode *at = xml_first(f->root); at && f->code == 0; at = xml_after(at))
        if (xml_is(at, "joint")) read_mimic(f, at, r);
}

int robot_read(const char *path, robot *out) {
    *out = (robot){0};
    xml_file f;
    if (xml_open(path, "robot", &f) == 0) {
        out->name = xml_attribute(&f, f.root, "name", true);
        read_elements(&f, out);
        if (f.code == 0) follow_leaders(&f, out);
        if (f.code == 0) make_order(&f, out);
        if (f.code == 0) note_links(out);
    }
    xml_close(&f);
    return f.code;
}

void robot_free(robot *r) {
    for (uint32_t i = 0; i < r->link_count; i++) free(r->links[i].name);
    for (uint32_t i = 0; i < r->joint_count; i++) free(r->joints[i].name);
    for (uint32_t i = 0; i < r->collision_count; i++) free(r->collisions[i].mesh);
    for (uint32_t i = 0; i < r->note_count; i++) free(r->notes[i]);
    free(r->links);
    free(r->joints);
    free(r->collisions);
    free(r->order);
    free(r->notes);
    free(r->name);
    *r = (robot){0};
}
