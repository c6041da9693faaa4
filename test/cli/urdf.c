/* Every <collision> of a URDF is read, or the file refused with the reason: what makes a link larger, smaller,
 * elsewhere or nothing at all is never passed over. */
#define _DEFAULT_SOURCE
#include "cli/shapes.h"

#include "robot/kinematics.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* Two links, a joint, and something more; `shape` stands in the first link's <collision>. */
static const char *robot_with(const char *shape, const char *joint, const char *more) {
    char text[6000];
    snprintf(text, sizeof text,
             "<robot name='r'>\n<link name='a'><collision>%s</collision></link>\n"
             "<link name='b'><collision><origin xyz='3 0 0'/><geometry><sphere radius='1'/></geometry></collision>"
             "</link>\n<joint name='j' %s</joint>\n%s</robot>\n",
             shape, joint, more);
    return write_text("r.urdf", text);
}
#define ENDS  "<parent link='a'/><child link='b'/>"
#define FIXED "type='fixed'>" ENDS
#define BALL  "<geometry><sphere radius='1'/></geometry>"

static void every_collision_is_read_or_the_file_refused(void **state) {
    (void)state;
    static const struct {
        const char *shape, *says;
    } cases[] = {
        {"<geometry><capsul radius='1' length='2'/></geometry>", "r.urdf:2: <capsul> is not a geometry that is known"},
        {"<geometry><capsule radius='1'/></geometry>", "<capsule> lacks length"},
        {"<geometry><capsule radius='0' length='1'/></geometry>", "radius of <capsule> is not above zero"},
        {"<geometry><cylinder length='1'/></geometry>", "<cylinder> lacks radius"},
        {"<geometry><cylinder radius='1' length='-1'/></geometry>", "length of <cylinder> is not above zero"},
        {"<geometry><cylinder radius='1' lenght='1'/></geometry>", "has an attribute 'lenght'"},
        {"<geometry><sphere radius='one'/></geometry>", "radius=\"one\" of <sphere> is not a number"},
        {"<geometry><sphere radius='nan'/></geometry>", "radius=\"nan\" of <sphere> is not a number"},
        {"<geometry><sphere radius='inf'/></geometry>", "radius=\"inf\" of <sphere> is not a number"},
        {"<geometry><sphere radius='1 1'/></geometry>", "is not a number"},
        {"<geometry><sphere radius='1mm'/></geometry>", "is not a number"},
        {"<geometry><sphere/></geometry>", "<sphere> lacks radius"},
        {"<geometry><box size='1 1'/></geometry>", "size=\"1 1\" of <box> is not three numbers"},
        {"<geometry><box size='1 1 1 1'/></geometry>", "is not three numbers"},
        {"<geometry><box size='1 0 1'/></geometry>", "size of <box> is not above zero"},
        {"<geometry><box/></geometry>", "<box> lacks size"},
        {"<geometry><mesh/></geometry>", "<mesh> lacks filename"},
        {"<geometry><mesh filename=''/></geometry>", "<mesh> has an empty filename"},
        {"<geometry><mesh filename='m.stl' scale='0.001'/></geometry>", "scale=\"0.001\" of <mesh> is not three"},
        {"<geometry><mesh filename='m.stl' scale='1 0 1'/></geometry>", "scale of <mesh> is zero along an axis"},
        {"<geometry></geometry>", "the <geometry> of a <collision> of link 'a' is empty"},
        {"<geometry><sphere radius='1'/><sphere radius='2'/></geometry>", "a second shape in one <geometry>"},
        {"", "a <collision> of link 'a' has no <geometry>"},
        {BALL BALL, "a second <geometry>"},
        {"<origin xyz='1 2'/>" BALL, "xyz=\"1 2\" of <origin> is not three numbers"},
        {"<origin xyz=''/>" BALL, "xyz=\"\" of <origin> is not three numbers"},
        {"<origin xyz='0 0 0' rpy='0 0 x'/>" BALL, "rpy=\"0 0 x\" of <origin> is not three numbers"},
        {"<origin xyz='nan 0 0'/>" BALL, "xyz=\"nan 0 0\" of <origin> is not three numbers"},
        {"<origin xyz='1e16 0 0'/>" BALL, "xyz=\"1e16 0 0\" of <origin> is beyond 1e15"},
        {"<origin xzy='0 0 1'/>" BALL, "has an attribute 'xzy', which is not known: known are xyz rpy"},
        {"<origin xyz='0 0 1'/><origin xyz='0 0 2'/>" BALL, "a second <origin>"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        EXPECT(2, cases[i].says, "check", robot_with(cases[i].shape, FIXED, ""));
    EXPECT(0, NULL, "check", robot_with("<origin rpy='0 1.5 0' xyz='1e-3 +2 .5'/>" BALL, FIXED, ""), "--adjacent");
    EXPECT(0, NULL, "check", robot_with("<geometry><capsule radius='1' length='2'/></geometry>", FIXED, ""),
           "--adjacent");
}

static void every_joint_is_understood_or_the_file_refused(void **state) {
    (void)state;
    static const struct {
        const char *joint, *more, *says;
    } cases[] = {
        {"type='screw'>" ENDS, "", "a joint of type 'screw': known are"},
        {">" ENDS, "", "<joint> lacks type"},
        {"type='revolute'>" ENDS, "", "the revolute joint 'j' has no <limit>"},
        {"type='revolute'>" ENDS "<limit lower='1' upper='0'/>", "", "the wrong way round: 1 to 0"},
        {"type='revolute'>" ENDS "<limit lower='nan' upper='0'/>", "", "lower=\"nan\" of <limit> is not a number"},
        {"type='revolute'>" ENDS "<limit loewr='0' upper='1'/>", "", "has an attribute 'loewr'"},
        {"type='prismatic'>" ENDS "<limit lower='-1e16' upper='1e16'/>", "", "lower=\"-1e16\" of <limit> is beyond"},
        {"type='revolute'>" ENDS "<limit lower='-1' upper='inf'/>", "", "upper=\"inf\" of <limit> is not a number"},
        {"type='continuous'>" ENDS "<mimic joint='k'/>",
         "<link name='c'/><joint name='k' type='planar'><parent link='b'/><child link='c'/></joint>",
         "joint 'j' mimics 'k': both must be revolute"},
        {"type='continuous'>" ENDS "<axis xyz='0 0 0'/>", "", "the axis of joint 'j' is zero"},
        {"type='continuous'>" ENDS "<axis xyz='0 0'/>", "", "xyz=\"0 0\" of <axis> is not three numbers"},
        {"type='fixed'><parent link='a'/>", "", "a joint has no <child>"},
        {"type='fixed'><parent link='a'/><child link='c'/>", "", "a joint's child is 'c', and there is no such link"},
        {"type='fixed'><parent link='a'/><child link='a'/>", "", "the joints form a ring: link 'a'"},
        {FIXED, "<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>", "the joints form a ring"},
        {FIXED, "<link name='c'/><joint name='k' type='fixed'><parent link='c'/><child link='b'/></joint>",
         "link 'b' has two parents, by the joints 'j' and 'k'"},
        {FIXED, "<link name='c'/>", "two roots, 'a' and 'c': no joint connects them"},
        {FIXED, "<link name='a'/>", "a second link 'a'"},
        {FIXED, "<link/>", "<link> lacks name"},
        {FIXED, "<link name='c'/><joint name='j' type='fixed'><parent link='b'/><child link='c'/></joint>",
         "a second joint 'j'"},
        {"type='continuous'>" ENDS "<mimic joint='k'/>", "", "joint 'j' mimics 'k', and there is no such joint"},
        {"type='continuous'>" ENDS "<mimic joint='j'/>", "", "joint 'j' mimics itself"},
        {"type='continuous'>" ENDS "<mimic joint='k'/>",
         "<link name='c'/><joint name='k' type='continuous'><parent link='b'/><child link='c'/><mimic joint='j'/>"
         "</joint>",
         "joint 'j' mimics itself, through others"},
        {FIXED, "<xacro:if value='1'/>", "expand the xacro first"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        EXPECT(2, cases[i].says, "check", robot_with(BALL, cases[i].joint, cases[i].more));
    EXPECT(0, NULL, "check", robot_with(BALL, "type='floating'>" ENDS, ""), "--adjacent");
    EXPECT(0, NULL, "check", robot_with(BALL, "type='spherical'>" ENDS, ""), "--adjacent");
}

static void files_that_are_no_robot_are_refused(void **state) {
    (void)state;
    EXPECT(2, "none.urdf: no such file", "check", "none.urdf");
    EXPECT(2, "empty.urdf: the file is empty", "check", write_text("empty.urdf", ""));
    EXPECT(2, "half.urdf:1: is not XML", "check", write_text("half.urdf", "<robot name='r'><link"));
    EXPECT(2, "half.urdf:1: is not XML", "check", write_text("half.urdf", "<?xml version='0'?><robot name='r'/>"));
    EXPECT(2, "other.urdf: its root is <model>", "check", write_text("other.urdf", "<model name='r'/>"));
    EXPECT(2, "no <link>: is it an SRDF?", "check", write_text("s.srdf", "<robot name='r'><group name='g'/></robot>"));
    EXPECT(2, "no link has a <collision>", "check", write_text("e.urdf", "<robot name='r'><link name='a'/></robot>"));
    EXPECT(2, "has a DTD", "check",
           write_text("bomb.urdf", "<!DOCTYPE r [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]>"
                                   "<robot name='&b;'><link name='a'/></robot>"));
    EXPECT(2, "has a DTD", "check",
           write_text("file.urdf", "<!DOCTYPE robot SYSTEM '/etc/passwd'><robot name='r'><link name='a'/></robot>"));
    run help = RUN("help", "robot");
    check_that(help.code == 0 && strstr(help.out, "--write-srdf FILE"), "%s%s", help.out, help.err);
    run_free(&help);
    const char *path = robot_with(BALL, FIXED, "");
    EXPECT(2, "URDF files are not read here: carom check takes one robot", "info", path);
    EXPECT(2, "a robot is checked by itself", "check", path, path);
    EXPECT(2, "--clearance is not for robots (--padding", "check", path, "--clearance", "1mm");
    EXPECT(2, "--sarif is not for robots", "check", path, "--sarif", "x.sarif");
    EXPECT(2, "--srdf is for robots: none of the files is a URDF", "check", stl_box_write("b.stl", 1, 0, 0, 0, 1, 1, 1),
           "--srdf", "x.srdf");
    EXPECT(2, "--package: 'x' is not NAME=FOLDER", "check", path, "--package", "x");
    EXPECT(2, "--package: 'x=/tmp' gives this package a second folder", "check", path, "--package", "x=/", "--package",
           "x=/tmp");
    EXPECT(2, "--configurations: '-1' is not a whole number from 1", "check", path, "--configurations", "-1");
    EXPECT(2, "--link-scale: '0' is not a factor above zero", "check", path, "--link-scale", "0");
    EXPECT(2, "--write-srdf needs --configurations", "check", path, "--write-srdf", "x.srdf");
    EXPECT(2, "--write-srdf is of all joints", "check", path, "--configurations", "9", "--srdf", "s.srdf",
           "--planning-group", "g", "--write-srdf", "x.srdf");
    EXPECT(2, "would replace the input", "check", path, "--configurations", "1", "--write-srdf", "r.urdf");
}

static void meshes_that_are_missing_are_named_together(void **state) {
    (void)state;
    const char *const two = "<geometry><mesh filename='package://left/a.stl'/></geometry></collision><collision>"
                            "<geometry><mesh filename='package://right/b.stl'/></geometry></collision><collision>"
                            "<geometry><mesh filename='package://left/c.stl'/></geometry>";
    EXPECT(2, "needs the packages left, right: say where by --package NAME=FOLDER", "check",
           robot_with(two, FIXED, ""));
    EXPECT(2, "needs the package right:", "check", robot_with(two, FIXED, ""), "--package", "left=.");
    EXPECT(2, "--package left: no folder 'nowhere'", "check", robot_with(two, FIXED, ""), "--package", "left=nowhere");
    stl_box_write("b.stl", true, 0, 0, 0, 1, 1, 1);
    EXPECT(2, "2 mesh files cannot be found: ", "check", robot_with(two, FIXED, ""), "--package", "left=.", "--package",
           "right=.");
    EXPECT(2, "/c.stl", "check", robot_with(two, FIXED, ""), "--package", "left=.", "--package", "right=.");
    EXPECT(0, NULL, "check", robot_with("<geometry><mesh filename='package://right/b.stl'/></geometry>", FIXED, ""),
           "--adjacent", "--package", "right=.");
    EXPECT(0, NULL, "check", robot_with("<geometry><mesh filename='./b.stl'/></geometry>", FIXED, ""), "--adjacent");
    EXPECT(2, "the mesh 'package:///right/b.stl' names no package: it is package://NAME/PATH", "check",
           robot_with("<geometry><mesh filename='package:///right/b.stl'/></geometry>", FIXED, ""), "--package",
           "right=.");
    EXPECT(2, "is not at a place that is known", "check",
           robot_with("<geometry><mesh filename='http://example.org/b.stl'/></geometry>", FIXED, ""));
    /* Nothing outside the folders that were named is opened. */
    EXPECT(2, "lies outside the folder", "check",
           robot_with("<geometry><mesh filename='../../../../etc/passwd'/></geometry>", FIXED, ""));
    EXPECT(2, "lies outside the folder", "check",
           robot_with("<geometry><mesh filename='package://right/../../x.stl'/></geometry>", FIXED, ""), "--package",
           "right=.");
    EXPECT(2, "lies outside the folder", "check",
           robot_with("<geometry><mesh filename='file:///etc/x.stl'/></geometry>", FIXED, ""));
    EXPECT(2, "/etc/x.stl", "check", robot_with("<geometry><mesh filename='file:///etc/x.stl'/></geometry>", FIXED, ""),
           "--package", "any=/etc");
}

/* A sphere of radius 1 at 3 along x, and one shape at the origin: their gap is known. */
static void check_gap(const char *shape, double gap) {
    char near_by[40], far_off[40];
    snprintf(near_by, sizeof near_by, "%.9fmm", 500 * gap * 1.0001);
    snprintf(far_off, sizeof far_off, "%.9fmm", 500 * gap * 0.9999);
    const char *path = robot_with(shape, FIXED, "");
    run r = RUN("check", path, "--adjacent", "--padding", near_by);
    check_that(r.code == 1, "%s with a padding of %s: %s%s", shape, near_by, r.out, r.err);
    run_free(&r);
    r = RUN("check", path, "--adjacent", "--padding", far_off);
    check_that(r.code == 0, "%s with a padding of %s: %s%s", shape, far_off, r.out, r.err);
    run_free(&r);
}

static void shapes_are_as_large_as_they_say(void **state) {
    (void)state;
    stl_box_write("b.stl", true, 0, 0, 0, 500, 500, 500);
    check_gap("<geometry><box size='1 2 3'/></geometry>", 1.5);
    check_gap("<geometry><sphere radius='0.5'/></geometry>", 1.5);
    check_gap("<geometry><cylinder radius='0.25' length='3'/></geometry>", 1.75);
    check_gap("<origin rpy='0 1.5707963267948966 0'/><geometry><cylinder radius='0.25' length='3'/></geometry>", 0.5);
    check_gap("<origin rpy='0 1.5707963267948966 0'/><geometry><capsule radius='0.25' length='3'/></geometry>", 0.25);
    check_gap("<origin xyz='-1 0 0' rpy='0 0 1.5707963267948966'/><geometry><box size='1 2 3'/></geometry>", 2);
    /* An STL is in metres here, whatever its habit elsewhere. */
    check_gap("<origin xyz='0 -0.25 -0.25'/><geometry><mesh filename='b.stl' scale='0.001 0.001 0.001'/></geometry>",
              1.5);
    check_gap("<origin xyz='0 -0.25 -0.25'/><geometry><mesh filename='b.stl' scale='-0.001 0.001 0.001'/></geometry>",
              2);
    check_gap("<origin xyz='0 -0.25 -0.25'/><geometry><mesh filename='b.stl' scale='0.003 0.001 0.001'/></geometry>",
              0.5);
    /* Two collisions of one link: the nearer counts. */
    check_gap("<geometry><sphere radius='0.5'/></geometry></collision><collision><origin xyz='0.75 0 0'/>"
              "<geometry><sphere radius='0.5'/></geometry>",
              0.75);
}

/* A box of 1 about the origin and a ball of radius 1 at x = 3: with all lengths doubled they reach to 1 and from 1. */
static void links_are_scaled_about_their_middle(void **state) {
    (void)state;
    stl_box_write("c.stl", true, -0.5, -0.5, -0.5, 0.5, 0.5, 0.5);
    const char *const shapes[] = {"<geometry><box size='1 1 1'/></geometry>",
                                  "<geometry><mesh filename='c.stl'/></geometry>"};
    for (int i = 0; i < 2; i++) {
        const char *path = robot_with(shapes[i], FIXED, "");
        EXPECT(0, NULL, "check", path, "--adjacent", "--link-scale", "1.999");
        EXPECT(1, NULL, "check", path, "--adjacent", "--link-scale", "2.001");
    }
}

/* Roll, then pitch, then yaw about fixed axes: of (1, 0, 0), (0, 1, 0), (0, 0, 1) by hand. */
static void roll_pitch_yaw_turn_about_fixed_axes(void **state) {
    (void)state;
    robot r;
    const char *path = write_text("q.urdf", "<robot name='q'><link name='a'><collision><origin rpy='1.5707963267948966 "
                                            "1.5707963267948966 1.5707963267948966'/><geometry><sphere radius='1'/>"
                                            "</geometry></collision></link></robot>");
    assert_int_equal(robot_read(path, &r), 0);
    /* x: roll leaves it, pitch turns it to -z, yaw leaves that. y: roll to z, pitch to x, yaw to y. z: roll to -y,
     * pitch leaves it, yaw to x. */
    const cm_vec3 from[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, to[3] = {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}};
    for (int i = 0; i < 3; i++) {
        const cm_vec3 got = cm_rotate(r.collisions[0].pose.rotation, from[i]);
        check_that(cm_length(cm_sub(got, to[i])) < 1e-14, "axis %d becomes %g %g %g", i, got.x, got.y, got.z);
    }
    robot_free(&r);
}

static void what_is_not_read_is_noted(void **state) {
    (void)state;
    json_t *root = RUN_JSON(0, "check",
                            robot_with(BALL, "type='planar'>" ENDS,
                                       "<link name='c'><visual/><colision/></link><joint name='k' type='fixed'>"
                                       "<parent link='b'/><child link='c'/></joint>"),
                            "--adjacent");
    char *notes = json_dumps(json_object_get(root, "notes"), 0);
    check_that(strstr(notes, "line 5: <colision> in a link is not read") != NULL, "%s", notes);
    check_that(strstr(notes, "the planar joint 'j' stays at zero") != NULL, "%s", notes);
    check_that(strstr(notes, "1 link has a <visual> and no <collision>, and is not checked: c") != NULL, "%s", notes);
    free(notes);
    json_decref(root);
}

/* Of Bullet's robots many declare version 0.0. */
static void a_version_that_xml_never_had_is_read(void **state) {
    (void)state;
    static const char *const heads[] = {
        "<?xml version=\"0.0\" ?>\n", "\xef\xbb\xbf<?xml version = '2.5' encoding='UTF-8'?>", "<?xml version='1.0'?>"};
    const char *body =
        "<robot name='r'><link name='a'><collision>" BALL "</collision></link><link name='b'><collision>" BALL
        "</collision></link><joint name='j' " FIXED "</joint></robot>";
    for (int i = 0; i < 3; i++) {
        char text[600];
        snprintf(text, sizeof text, "%s%s", heads[i], body);
        EXPECT(1, NULL, "check", write_text("version.urdf", text), "--adjacent");
    }
}

/* As converters write them: limits that are none, attributes of a maker's own beside both limits. */
static void expect_joint_note(const char *joint, const char *more, const char *note) {
    json_t *root = RUN_JSON(0, "check", robot_with(BALL, joint, more), "--adjacent", "--configurations", "3");
    char *notes = json_dumps(json_object_get(root, "notes"), 0);
    check_that(strstr(notes, note) != NULL, "%s: %s", joint, notes);
    free(notes);
    json_decref(root);
}
static void limits_are_taken_as_they_are_meant(void **state) {
    (void)state;
    static const char *const endless[][2] = {{"-1e16", "1e16"}, {"-1.79769e+308", "1.79769e+308"}, {"-inf", "inf"}};
    char joint[300];
    for (int i = 0; i < 3; i++) {
        snprintf(joint, sizeof joint, "type='revolute'>" ENDS "<limit lower='%s' upper='%s'/>", endless[i][0],
                 endless[i][1]);
        expect_joint_note(joint, "", "the limits of joint 'j' are none: it is taken for continuous");
    }
    expect_joint_note("type='revolute'>" ENDS "<limit lower='-90' upper='45'/>", "",
                      "the limits of joint 'j' are -90 to 45 radians, beyond two turns (were degrees meant?)");
    expect_joint_note("type='revolute'>" ENDS "<limit lower='0' current='9' upper='1'/>", "",
                      "'current' of <limit> is not read");
}

/* A joint that was made fixed keeps the <mimic> that it had, and those that follow it. */
static void fixed_joints_have_the_value_0(void **state) {
    (void)state;
    const char *more = "<link name='c'><collision>" BALL "</collision></link><joint name='k' type='prismatic'>"
                       "<parent link='a'/><child link='c'/><axis xyz='1 0 0'/><limit lower='0' upper='90'/>"
                       "<mimic joint='j' multiplier='7' offset='%g'/></joint>";
    char text[600];
    snprintf(text, sizeof text, more, 5.5);
    EXPECT(0, NULL, "check", robot_with(BALL, FIXED, text), "--adjacent");
    snprintf(text, sizeof text, more, 4.5);
    EXPECT(1, NULL, "check", robot_with(BALL, FIXED, text), "--adjacent");
    expect_joint_note("type='fixed'>" ENDS "<mimic joint='k'/>",
                      "<link name='c'/><joint name='k' type='continuous'><parent link='b'/><child link='c'/></joint>",
                      "joint 'j' is fixed: its <mimic> is not read");
}

static void what_stands_in_an_srdf_is_understood_or_refused(void **state) {
    (void)state;
    robot_with(BALL, "type='continuous'>" ENDS, "");
    static const struct {
        const char *text, *says;
        int code;
    } cases[] = {
        {"<group name='g'><joint name='x'/></group>", "bad.srdf:1: the group 'g' has the joint 'x', and there is", 0},
        {"<group name='g'><link name='x'/></group>", "the group 'g' has the link 'x', and there is none", 0},
        {"<group name='g'><chain base_link='a' tip_link='x'/></group>", "the group 'g' has the link 'x' in a chain", 0},
        {"<group name='g'><chain base_link='b' tip_link='a'/></group>", "does not lead up the tree", 2},
        {"<group name='g'><group name='h'/></group>", "the group 'g' has the group 'h', and there is none", 0},
        {"<group name='g'><jiont name='j'/></group>", "<jiont> in a group is not known", 2},
        {"<group name='g'><passive_joint name='j'/></group>", "warning: bad.srdf:1: <passive_joint> in a group has no",
         0},
        {"<group name='g'><joint name='w'/></group><virtual_joint name='w' type='planar'/>", "", 0},
        {"<virtual_joint name='w'/><group_state name='s' group='g'><joint name='w' value='1 2 3'/></group_state>",
         "joint 'w' is virtual: its value in the state 'g/s' is not used", 0},
        {"<group_state name='s' group='g'><joint name='x' value='1'/></group_state>",
         "state 'g/s' has the joint 'x', and there is none: its value is not used", 0},
        {"<group_state name='s' group='g'><joint name='j' value='one'/></group_state>", "value=\"one\" of <joint>", 2},
        {"<link name='a'/>", "<link> in an SRDF: is it a URDF?", 2},
        {"<disable_collisions link1='a'/>", "<disable_collisions> lacks link2", 2},
        {"<disable_collisions link1='a' link2='x'/>", "warning: bad.srdf:1: there is no link 'x'", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[500];
        snprintf(text, sizeof text, "<robot name='r'>%s</robot>", cases[i].text);
        write_text("bad.srdf", text);
        EXPECT(cases[i].code, cases[i].says, "check", "r.urdf", "--adjacent", "--srdf", "bad.srdf");
    }
    EXPECT(2, "the SRDF has no group 'h'", "check", "r.urdf", "--srdf", "bad.srdf", "--configurations", "1",
           "--planning-group", "h");
    write_text("bad.srdf", "<robot name='r'><group name='g'><group name='h'/></group><group name='h'><group name='i'/>"
                           "</group><group name='i'><joint name='x'/></group><group name='k'><joint name='j'/></group>"
                           "</robot>");
    EXPECT(2, "the robot lacks members of the group 'g'", "check", "r.urdf", "--srdf", "bad.srdf", "--configurations",
           "1", "--planning-group", "g");
    EXPECT(0, NULL, "check", "r.urdf", "--adjacent", "--srdf", "bad.srdf", "--configurations", "1", "--planning-group",
           "k");
    write_text("bad.srdf", "<robot name='q'/>");
    EXPECT(0, "warning: bad.srdf: is of the robot 'q', and the URDF of 'r'", "check", "r.urdf", "--adjacent", "--srdf",
           "bad.srdf");
}

static void angles_that_may_be_in_degrees_are_noted(void **state) {
    (void)state;
    static const struct {
        const char *rpy, *note;
    } origins[] = {{"0 0 90", "line 2: rpy=\"0 0 90\" of <origin> is in radians, beyond a turn (were degrees meant?)"},
                   {"-180 0 1.57", "line 2: rpy=\"-180 0 1.57\""},
                   {"0 -6.2831853072 3.14", NULL}};
    for (size_t i = 0; i < sizeof origins / sizeof origins[0]; i++) {
        char shape[200];
        snprintf(shape, sizeof shape, "<origin rpy='%s'/>" BALL, origins[i].rpy);
        json_t *root = RUN_JSON(0, "check", robot_with(shape, FIXED, ""), "--adjacent");
        const char *note = json_string_value(json_array_get(json_object_get(root, "notes"), 0));
        check_that(origins[i].note ? note && strstr(note, origins[i].note) : !note, "%s: %s", origins[i].rpy,
                   note ? note : "no note");
        json_decref(root);
    }
}

static void elements_of_an_srdf_that_are_misspelt_are_said(void **state) {
    (void)state;
    const char *path = robot_with(BALL, FIXED, "");
    write_text("known.srdf",
               "<robot name='r'><virtual_joint name='v' type='fixed' parent_frame='w' child_link='a'/>"
               "<end_effector name='e' parent_link='b' group='g'/><group name='g'><link name='a'/></group>"
               "<passive_joint name='j'/><link_sphere_approximation link='a'/></robot>");
    run r = RUN("check", path, "--adjacent", "--srdf", "known.srdf");
    check_that(r.code == 0 && !strstr(r.err, "warning"), "exit %d: %s", r.code, r.err);
    run_free(&r);
    EXPECT(0, "wrong.srdf:2: <disable_collision> is not known here and not used (did you mean 'disable_collisions'?)",
           "check", path, "--adjacent", "--srdf",
           write_text("wrong.srdf", "<robot name='r'>\n<disable_collision link1='a' link2='b'/></robot>"));
}

/* In millimetres, as most programs write STL: a hundred metres of arm, which is noted; of a ship's crane, not. */
static void a_mesh_that_may_be_in_millimetres_is_noted(void **state) {
    (void)state;
    stl_box_write("mm.stl", true, 0, 0, 0, 50, 60, 100);
    static const struct {
        const char *scale;
        bool noted;
    } meshes[] = {{"", true}, {"scale='0.1 0.1 0.1'", false}, {"scale='0.001 0.001 0.001'", false}};
    for (size_t i = 0; i < sizeof meshes / sizeof meshes[0]; i++) {
        char shape[200];
        snprintf(shape, sizeof shape, "<origin xyz='900 0 0'/><geometry><mesh filename='mm.stl' %s/></geometry>",
                 meshes[i].scale);
        json_t *root = RUN_JSON(0, "check", robot_with(shape, FIXED, ""), "--adjacent");
        const json_t *notes = json_object_get(root, "notes");
        const char *note = json_string_value(json_array_get(notes, 0));
        check_that(json_array_size(notes) == meshes[i].noted, "%s: %zu notes", meshes[i].scale, json_array_size(notes));
        check_that(!note ||
                       strstr(note, "the mesh 'mm.stl' of link 'a' is 100 m large: in millimetres it takes scale="),
                   "%s", note ? note : "");
        json_decref(root);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles_that_may_be_in_degrees_are_noted),
        cmocka_unit_test(elements_of_an_srdf_that_are_misspelt_are_said),
        cmocka_unit_test(a_mesh_that_may_be_in_millimetres_is_noted),
        cmocka_unit_test(every_collision_is_read_or_the_file_refused),
        cmocka_unit_test(every_joint_is_understood_or_the_file_refused),
        cmocka_unit_test(files_that_are_no_robot_are_refused),
        cmocka_unit_test(meshes_that_are_missing_are_named_together),
        cmocka_unit_test(shapes_are_as_large_as_they_say),
        cmocka_unit_test(links_are_scaled_about_their_middle),
        cmocka_unit_test(roll_pitch_yaw_turn_about_fixed_axes),
        cmocka_unit_test(what_is_not_read_is_noted),
        cmocka_unit_test(a_version_that_xml_never_had_is_read),
        cmocka_unit_test(limits_are_taken_as_they_are_meant),
        cmocka_unit_test(fixed_joints_have_the_value_0),
        cmocka_unit_test(what_stands_in_an_srdf_is_understood_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
