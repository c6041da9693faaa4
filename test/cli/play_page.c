/* The page of `carom simulate --report` in a real browser: every shipped scene opens and plays; what is drawn is what
 * the trace says; layers, events, keys and slider work. CAROM_PICTURES names a folder to save pictures to. */
#include "command.h"
#include "page_look.h"

#include <dirent.h>
#include <math.h>

#define SCENES SOURCE_SCENES "/"

static int open_all(void **state) {
    (void)state;
    return look_open("play_page.js");
}

/* --- asking ------------------------------------------------------------------------------------------------------ */

static void open_scene_sized(const char *scene, unsigned mood, int width, int height) {
    if (!chrome) skip();
    const char *page = scratch_path("play.html");
    EXPECT(0, NULL, "simulate", scene, "--report", page, "--trace", scratch_path("play.csv"));
    look_at(page, "", width, height, mood);
}
static void open_scene(const char *scene) { open_scene_sized(scene, BROWSER_CALM, 1280, 800); }

static void tell_page(const char *expression) { json_decref(browser_eval(chrome, expression)); }
/* --- the shipped scenes ------------------------------------------------------------------------------------------- */

/* One line of the trace; false at its end. */
typedef struct trace_line {
    unsigned step;
    double time, values[7];
    char event[16], a[200], b[200];
} trace_line;

static const char *csv_name(const char *at, char *out) {
    for (at++; *at && !(at[0] == '"' && at[1] != '"'); at++) {
        if (*at == '"') at++;
        *out++ = *at;
    }
    *out = 0;
    return at + 2; /* the quote and the comma */
}

static bool next_line(FILE *trace, trace_line *out) {
    char line[1024];
    int used = 0;
    if (!fgets(line, sizeof line, trace)) return false;
    memset(out, 0, sizeof *out);
    check_that(sscanf(line, "%u,%lf,%15[a-z],%n", &out->step, &out->time, out->event, &used) == 3, "%s", line);
    const char *at = csv_name(csv_name(line + used, out->a), out->b);
    for (int i = 0; i < 7 && *at && *at != '\n'; i++) {
        char *end;
        out->values[i] = strtod(at, &end);
        at = *end == ',' ? end + 1 : end;
    }
    return true;
}

static FILE *open_trace(void) {
    FILE *trace = fopen(scratch_path("play.csv"), "rb");
    char head[200];
    check_that(trace && fgets(head, sizeof head, trace), "no trace");
    return trace;
}

/* The page lists the trace's events, but those that stayed; times as told. */
static void compare_events(void) {
    FILE *trace = open_trace();
    trace_line line;
    size_t count = 0;
    double sum = 0;
    while (next_line(trace, &line)) {
        if (strcmp(line.event, "stayed") == 0 || strcmp(line.event, "clearance") == 0 || strcmp(line.event, "box") == 0)
            continue;
        count++;
        sum += line.time * (1 + (double)strlen(line.event) + (double)strlen(line.a));
        if (count > 40) continue;
        char ask[1500];
        snprintf(ask, sizeof ask,
                 "carom.play.list.some((e) => e.kind === '%s' && e.step === %u && Math.abs(e.time - %.17g) < 1e-6 * "
                 "carom.play.dt + 1e-12 && e.a.name === \"%s\" && e.b.name === \"%s\")",
                 line.event, line.step, line.time, line.a, line.b);
        check_that(holds(ask), "the page does not list %s %s %s at %g", line.event, line.a, line.b, line.time);
    }
    fclose(trace);
    double listed = ask_number("carom.play.list.length"),
           all = ask_number("carom.play.list.reduce((s, e) => s + e.time * (1 + e.kind.length + e.a.name.length), 0)");
    check_that((double)count == listed, "%zu events in the trace, %g in the page", count, listed);
    check_that(fabs(all - sum) <= 1e-6 * (1 + sum), "times: %.9g and %.9g", sum, all);
}

/* Where the trace tells of boxes, what is drawn has just these; where of gaps, the page shows them. */
static void compare_measures(void) {
    FILE *trace = open_trace();
    trace_line line;
    char ask[600];
    while (next_line(trace, &line)) {
        if (line.step % 37 != 0) continue;
        if (strcmp(line.event, "box") == 0) {
            snprintf(ask, sizeof ask, "(carom.seek(%.17g), look.drawnBox(\"%s\"))", line.time, line.a);
            json_t *box = browser_eval(chrome, ask);
            for (size_t k = 0; k < 6; k++) {
                double drawn = json_number_value(json_array_get(box, k));
                check_that(fabs(drawn - line.values[k]) < 2e-4, "step %u, side %zu: drawn %.9g, told %.9g", line.step,
                           k, drawn, line.values[k]);
            }
            json_decref(box);
        } else if (strcmp(line.event, "clearance") == 0) {
            snprintf(ask, sizeof ask, "carom.play.gaps[carom.play.frames.indexOf(%u)][0]", line.step);
            double gap = ask_number(ask);
            check_that(fabs(gap + line.values[6]) < 1e-9, "step %u: gap %.9g, told %.9g", line.step, gap,
                       -line.values[6]);
        }
    }
    fclose(trace);
}

static void play_scene(const char *name) {
    char path[600], shot[80];
    snprintf(path, sizeof path, SCENES "%s", name);
    open_scene(path);
    expect_text("document.getElementById('files').textContent", name);
    check_that(ask_number("look.covered()") > 500, "%s: nothing is drawn", name);
    compare_events();
    compare_measures();
    json_t *far = browser_eval(chrome, "look.farthest(120)");
    double worst = json_number_value(json_object_get(far, "worst"));
    check_that(worst < 2e-3, "%s: a contact lies %g sizes off what is drawn", name, worst);
    json_decref(far);
    /* The slider, by the mouse at its middle. */
    click_at("look.middle('time')");
    check_that(fabs(ask_number("carom.state.time / carom.play.end") - 0.5) < 0.03, "%s: the slider", name);
    assert_true(holds("look.arrived()"));
    snprintf(shot, sizeof shot, "play-%s", name);
    picture(shot);
    no_complaints();
}

static void every_shipped_scene_opens_and_is_drawn_as_told(void **state) {
    (void)state;
    if (!chrome) skip();
    DIR *folder = opendir(SOURCE_SCENES);
    assert_non_null(folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        size_t size = strlen(entry->d_name);
        if (size < 6 || strcmp(entry->d_name + size - 5, ".json") != 0) continue;
        print_message("%s\n", entry->d_name);
        play_scene(entry->d_name);
        count++;
    }
    closedir(folder);
    check_that(count >= 4, "%d scenes", count);
}

/* --- time --------------------------------------------------------------------------------------------------------- */

/* Just before 0.9 s left and right touch; then they are gone, and what halted stays. */
static void what_vanishes_is_gone(void **state) {
    (void)state;
    open_scene(SCENES "launch.json");
    tell_page("carom.seek(0.8999)");
    assert_int_equal(ask_number("look.mode('left')"), 1);
    check_that(fabs(ask_number("look.object('right').center[0] - look.object('left').center[0]") - 1) < 2e-3, "apart");
    tell_page("carom.seek(0.91)");
    assert_int_equal(ask_number("look.mode('left')"), 0);
    assert_int_equal(ask_number("look.mode('right')"), 0);
    assert_int_equal(ask_number("look.mode('far')"), 1);
    tell_page("carom.seek(0.5)");
    assert_int_equal(ask_number("look.mode('left')"), 1);
    no_complaints();
}

/* The billiard's cue hits ball 1 within a step, and turns there: drawn so, not cut short from frame to frame. */
static void a_bounce_within_a_step_is_drawn_where_it_is(void **state) {
    (void)state;
    open_scene(SCENES "billiard.json");
    double time = ask_number("carom.play.list.find((e) => e.kind === 'hit').time");
    char ask[300];
    snprintf(ask, sizeof ask,
             "(carom.seek(%.17g), Math.hypot(...[0, 1, 2].map((k) => look.object('cue').center[k] - look.object('ball "
             "1').center[k])))",
             time);
    check_that(fabs(ask_number(ask) - 0.0572) < 1e-5, "at the hit the middles are %.9g apart", ask_number(ask));
    no_complaints();
}

/* A cube of edge 2 that turns by 90 degrees a step: half a step later by 45, and its box is wider by sqrt 2. */
static void between_frames_turns_are_even(void **state) {
    (void)state;
    open_scene(write_text("turn.json",
                          "{\"schema\": \"carom-scene-1\", \"dt\": 0.25, \"steps\": 4, \"objects\": [{\"name\": "
                          "\"cube\", \"spin\": [0, 0, 360], \"velocity\": [4, 0, 0], \"shape\": {\"kind\": "
                          "\"box\", \"half\": [1, 1, 1]}}]}"));
    tell_page("carom.seek(0.375)");
    double low = ask_number("look.drawnBox('cube')[0]"), high = ask_number("look.drawnBox('cube')[3]");
    check_that(fabs(high - low - 2 * sqrt(2.0)) < 1e-3 && fabs(high + low - 3) < 1e-3, "from %g to %g", low, high);
    no_complaints();
}

/* The nose is in the trigger from 0.18856 to 0.19477 s: the glass is stronger then, and only of the one that is swept.
 */
static void a_trigger_lights_while_something_is_within(void **state) {
    (void)state;
    open_scene(SCENES "finish.json");
    static const char strength[] = "carom.view.state[8 * look.object('line, swept').index + 3]",
                      other[] = "carom.view.state[8 * look.object(\"line, step's end\").index + 3]";
    tell_page("carom.seek(0.01)");
    double before = ask_number(strength), still = ask_number(other);
    tell_page("carom.seek(0.19)");
    check_that(ask_number(strength) > before + 40, "%g after %g", ask_number(strength), before);
    assert_true(ask_number(other) <= still);
    tell_page("carom.seek(0.3)");
    assert_true(ask_number(strength) <= before);
    no_complaints();
}

/* --- what is looked at, and what collides ------------------------------------------------------------------------- */

/* How the object's shape (0) or what stands for it (1) is drawn: hidden 0, solid 1, ghost 2, glass 3. */
static int mode_of(const char *object, int visual) {
    char ask[200];
    snprintf(ask, sizeof ask, "{ const o = look.object('%s'); carom.view.state[8 * %s.index + 4]; }", object,
             visual ? "o.visual" : "o");
    return (int)ask_number(ask);
}
static void expect_modes(const char *object, int shape, int visual, const char *when) {
    int is[2] = {mode_of(object, 0), mode_of(object, 1)};
    check_that(is[0] == shape && is[1] == visual, "%s: %s is drawn %d, its visual %d", when, object, is[0], is[1]);
}

static void models_and_shapes_are_switches(void **state) {
    (void)state;
    open_scene(SCENES "models.json");
    expect_modes("ring, its hull", 0, 1, "at first");
    assert_int_equal(mode_of("ring, as it looks", 0), 1); /* it has but one */
    click_at("look.middle('shapes')");
    expect_modes("ring, its hull", 3, 1, "both");
    click_at("look.middle('visuals')");
    expect_modes("ring, its hull", 1, 0, "the shapes alone");
    expect_modes("ring, tumbling", 1, 0, "the shapes alone");
    assert_true(holds("document.getElementById('shapes').ariaPressed === 'true'"));
    click_at("look.middle('shapes')");
    expect_modes("ring, its hull", 0, 1, "the models alone again");
    /* a click on the model selects its object, which says what it looks like */
    tell_page("carom.select(look.object('ring, its hull'))");
    expect_text("document.getElementById('details').innerText", "Looks like");
    expect_text("document.getElementById('details').innerText", "hull of the ring (hull)");
    no_complaints();
    open_scene(SCENES "launch.json"); /* where nothing has a model there is nothing to switch */
    assert_true(holds("document.getElementById('visuals').hidden && document.getElementById('shapes').hidden"));
    no_complaints();
}

/* Turned by 36 and 81 degrees about x and z after 0.9 s at (40, 0, 90) degrees a second: the rotation's angle is
 * 0.9 * hypot(40, 90), about (40, 0, 90) / hypot, and the model has it too. */
static void a_model_moves_with_its_shape(void **state) {
    (void)state;
    open_scene(SCENES "models.json");
    tell_page("carom.seek(0.9)");
    double half = 0.45 * hypot(40, 90) * 3.14159265358979323846 / 180, length = hypot(40, 90);
    const double want[4] = {40 / length * sin(half), 0, 90 / length * sin(half), cos(half)};
    for (int k = 0; k < 4; k++) {
        char ask[120];
        snprintf(ask, sizeof ask, "look.object('ring, tumbling').visual.place[%d]", k + 3);
        check_that(fabs(ask_number(ask) - want[k]) < 1e-3, "number %d: %.6g, not %.6g", k, ask_number(ask), want[k]);
    }
    /* and so it is drawn: the rows of its matrix are those of that rotation */
    double row =
        ask_number("(() => { const v = look.object('ring, tumbling').visual; return v.group.rows[0][4 * v.slot]; "
                   "})()");
    check_that(fabs(row - (1 - 2 * (want[1] * want[1] + want[2] * want[2]))) < 2e-3, "drawn with %.6g", row);
    picture("models");
    no_complaints();
}

/* --- layers ------------------------------------------------------------------------------------------------------- */

static void expect_switch(const char *scene, const char *layer, const char *pressed) {
    char ask[80];
    snprintf(ask, sizeof ask, "look.switched('%s')", layer);
    json_t *answer = browser_eval(chrome, ask);
    double changed = json_number_value(json_object_get(answer, "changed"));
    double left = json_number_value(json_object_get(answer, "left"));
    check_that(changed > 30 && left <= 3, "%s, %s: %g pixels change, %g are left", scene, layer, changed, left);
    assert_string_equal(json_string_value(json_object_get(answer, "pressed")), pressed);
    json_decref(answer);
}

/* As scenes/crowd.json, which a browser without a graphics card draws a second a picture. */
static const char *few_of_the_crowd(void) {
    return write_text("few.json",
                      "{\"schema\": \"carom-scene-1\", \"steps\": 30, \"shapes\": {\"box\": {\"kind\": \"box\", "
                      "\"size\": [1, 1, 1]}}, \"objects\": [{\"name\": \"box\", \"shape\": \"box\", \"mass\": 1, "
                      "\"sweep\": false, \"scatter\": {\"count\": 400, \"seed\": 1, \"low\": [-14, -14, -14], "
                      "\"high\": [14, 14, 14], \"speed\": 3, \"spin\": 1}}]}");
}

static void every_layer_can_be_switched(void **state) {
    (void)state;
    const struct {
        const char *scene, *time, *layers[8], *pressed[8];
    } cases[] = {
        {SCENES "launch.json", "2.06", {"contacts", "normals", "boxes", "cells"}, {"false", "false", "true", "true"}},
        {SCENES "finish.json",
         "0.03",
         {"swept", "boxes", "cells", "contacts", "edges"},
         {"true", "true", "true", "false", "false"}},
        {few_of_the_crowd(),
         "0.3",
         {"contacts", "normals", "swept", "boxes", "cells"},
         {"false", "false", "true", "true", "true"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char ask[80];
        open_scene(cases[i].scene);
        snprintf(ask, sizeof ask, "carom.seek(%s)", cases[i].time);
        tell_page(ask);
        assert_true(holds("look.arrived()"));
        for (int k = 0; cases[i].layers[k]; k++) expect_switch(cases[i].scene, cases[i].layers[k], cases[i].pressed[k]);
        no_complaints();
    }
}
/* Two that move, one of them looked at at the ends of steps only: it leaves outlines there, and sweeps over nothing. */
static void what_is_not_swept_sweeps_over_nothing(void **state) {
    (void)state;
    open_scene(write_text("unswept.json",
                          "{\"schema\": \"carom-scene-1\", \"dt\": 0.25, \"steps\": 4, \"shapes\": {\"ball\": "
                          "{\"kind\": \"sphere\", \"radius\": 1}}, \"objects\": ["
                          "{\"shape\": \"ball\", \"velocity\": [4, 0, 0]},"
                          "{\"shape\": \"ball\", \"velocity\": [4, 0, 0], \"at\": [0, 5, 0], \"sweep\": false}]}"));
    tell_page("carom.seek(0.5)");
    tell_page("carom.view.layer.swept.toggle(true)");
    static const char outlines[] = "carom.view.layer.swept.sets.reduce((sum, set) => sum + set.start[0].count, 0)",
                      volumes[] = "carom.view.layer.swept.sets.reduce((sum, set) => sum + set.sweptStart[0].count, 0)";
    assert_int_equal(ask_number(outlines), 2);
    assert_int_equal(ask_number(volumes), 1);
    no_complaints();
}

/* --- events ------------------------------------------------------------------------------------------------------- */

/* The row of wall and far: to its time, both named, the ball in the middle of the picture. */
static void a_click_on_an_event_goes_there(void **state) {
    (void)state;
    open_scene_sized(SCENES "launch.json", 0, 1280, 800);
    assert_int_equal(ask_number("look.rows().length"), 7);
    tell_page("carom.state.playing || document.getElementById('play').click()");
    click_at("look.rows().find((r) => r.words.startsWith('Hit') && r.words.includes('far'))");
    assert_true(holds("look.arrived()"));
    assert_true(holds("!carom.state.playing"));
    check_that(fabs(ask_number("carom.state.time") - 1) < 1e-6, "at %.9g", ask_number("carom.state.time"));
    assert_true(holds("look.inSight(look.object('far'))"));
    check_that(ask_number("carom.view.camera.position.distanceTo(carom.view.controls.target)") < 8, "from too far");
    expect_text("document.getElementById('details').innerText.replace(/\\s+/g, ' ')", "wall B far");
    expect_text("document.querySelector('#events [aria-selected=true]').innerText", "far");
    assert_int_equal(ask_number("look.mode('up')"), 2); /* all else are ghosts */
    picture("play-event");
    browser_key(chrome, "Escape", 27);
    assert_true(holds("carom.selected === null && document.getElementById('details').hidden"));
    no_complaints();
}

static void events_are_filtered(void **state) {
    (void)state;
    open_scene(SCENES "launch.json");
    tell_page(
        "{ const q = document.getElementById('query'); q.value = 'FLOOR'; q.dispatchEvent(new Event('input')); }");
    assert_int_equal(ask_number("look.rows().length"), 2);
    tell_page("document.querySelector('.chip.tone-hit').click()");
    assert_int_equal(ask_number("look.rows().length"), 1);
    expect_text("look.rows()[0].words", "Contact began to the end");
    no_complaints();
}

/* --- keys --------------------------------------------------------------------------------------------------------- */

static void keys_lead_through_time(void **state) {
    (void)state;
    open_scene(SCENES "launch.json");
    tell_page("document.getElementById('canvas').focus()");
    browser_key(chrome, "ArrowRight", 39);
    browser_key(chrome, "ArrowRight", 39);
    check_that(fabs(ask_number("carom.state.time") - 2.0 / 64) < 1e-9, "after two steps %g",
               ask_number("carom.state.time"));
    browser_key(chrome, "ArrowLeft", 37);
    check_that(fabs(ask_number("carom.state.time") - 1.0 / 64) < 1e-9, "a step back");
    browser_key(chrome, "End", 35);
    assert_true(holds("carom.state.time === carom.play.end"));
    browser_key(chrome, "Home", 36);
    assert_true(holds("carom.state.time === 0"));
    browser_key(chrome, " ", 32);
    assert_true(holds("carom.state.playing"));
    assert_true(holds(
        "new Promise(function look(done) { carom.state.time > 0.02 ? done(true) : setTimeout(look, 20, done); })"));
    browser_key(chrome, " ", 32);
    assert_true(holds("!carom.state.playing"));
    double speed = ask_number("carom.state.speed");
    browser_key(chrome, "]", 221);
    assert_true(ask_number("carom.state.speed") > speed);
    browser_key(chrome, "n", 78);
    assert_true(holds("carom.selected !== null && carom.selected.kind !== undefined"));
    no_complaints();
}

static void keys_switch_layers_and_help(void **state) {
    (void)state;
    open_scene(SCENES "launch.json");
    static const struct {
        const char *key, *button;
        int code;
    } keys[] = {{"c", "contacts", 67}, {"a", "normals", 65}, {"s", "swept", 83}, {"b", "boxes", 66},
                {"t", "cells", 84},    {"l", "names", 76},   {"e", "edges", 69}, {"g", "ghost", 71}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char ask[100];
        snprintf(ask, sizeof ask, "document.getElementById('%s').ariaPressed === 'true'", keys[i].button);
        bool before = holds(ask);
        browser_key(chrome, keys[i].key, keys[i].code);
        check_that(holds(ask) != before, "%s does not switch %s", keys[i].key, keys[i].button);
    }
    browser_key(chrome, "?", 191);
    assert_true(holds("document.getElementById('help').open"));
    picture("play-help");
    no_complaints();
}

/* --- corners ------------------------------------------------------------------------------------------------------ */

static void the_view_orbits_and_objects_are_picked(void **state) {
    (void)state;
    open_scene(SCENES "launch.json");
    double x = ask_number("carom.view.camera.position.x");
    browser_drag(chrome, 900, 500, 1000, 460);
    check_that(fabs(ask_number("carom.view.camera.position.x") - x) > 0.05, "a drag does not orbit");
    assert_true(holds("(document.getElementById('fit').click(), look.arrived())"));
    click_at("{ const at = carom.view.project(look.object('up').center), box = "
             "document.getElementById('canvas').getBoundingClientRect(); ({ x: at[0] + box.x, y: at[1] + box.y }); }");
    expect_text("carom.selected ? carom.selected.name : 'nothing'", "up");
    expect_text("document.getElementById('details').innerText", "Moves freely");
    no_complaints();
}

static void hostile_names_are_only_text(void **state) {
    (void)state;
    const char *scene = write_text(
        "hostile.json", "{\"schema\": \"carom-scene-1\", \"steps\": 9, \"title\": \"</script><b onclick=x>\", "
                        "\"gravity\": [0, 0, -10], \"objects\": [{\"name\": \"<img src=x onerror=window.hit=1>\", "
                        "\"velocity\": [1, 0, 0], \"shape\": {\"kind\": \"sphere\", \"radius\": 1}}, {\"name\": "
                        "\"</script><script>window.hit=1</script>\", \"shape\": {\"kind\": \"halfspace\", \"normal\": "
                        "[0, 0, 1]}}]}");
    open_scene(scene);
    assert_true(holds("window.hit === undefined && !document.querySelector('img')"));
    expect_text("look.rows()[0].words", "<img src=x onerror=window.hit=1>");
    no_complaints();
}

static void a_narrow_dark_window_works(void **state) {
    (void)state;
    open_scene_sized(SCENES "robot.json", BROWSER_DARK | BROWSER_CALM, 400, 780);
    assert_true(holds("document.documentElement.scrollWidth <= 400"));
    tell_page("carom.seek(2.2)");
    picture("play-narrow-dark");
    check_that(ask_number("look.covered()") > 500, "nothing is drawn");
    no_complaints();
}

/* They stand over the lower part of the window, and leave the picture free. */
static void details_leave_the_picture_free(void **state) {
    (void)state;
    static const int widths[] = {400, 800};
    for (int i = 0; i < 2; i++) {
        open_scene_sized(SCENES "billiard.json", BROWSER_CALM, widths[i], 800);
        tell_page("document.querySelectorAll('.row')[1].click()");
        assert_true(holds("!document.getElementById('details').hidden"));
        const double top = ask_number("document.getElementById('details').getBoundingClientRect().top"),
                     end = ask_number("document.getElementById('canvas').getBoundingClientRect().bottom");
        check_that(top >= 400 && top >= end - 40, "details from %g, the picture to %g", top, end);
        no_complaints();
    }
}

/* The post stands up to the tool bar. */
static void no_label_lies_under_the_tool_bar(void **state) {
    (void)state;
    open_scene_sized(SCENES "robot.json", BROWSER_CALM, 400, 800);
    for (int i = 0; i < 18; i++) {
        char line[120];
        snprintf(line, sizeof line, "carom.seek(%g), carom.view.draw()", 0.5 * i);
        tell_page(line);
        check_that(holds("look.labelsUnder().length === 0"), "at %g a label is hidden", 0.5 * i);
        check_that(ask_number("document.querySelectorAll('.labels span:not([hidden])').length") >= 5,
                   "at %g: few names", 0.5 * i);
    }
    assert_true(
        holds("[...document.querySelectorAll('.labels span:not([hidden])')].some((e) => e.innerText === 'post')"));
    no_complaints();
}

/* Its tab is there only where broad phases were compared. The curves have a point for each number of objects, a line
 * and a row for each kind; another measure draws others; by the keyboard, too. */
static void broad_phases_are_compared_in_a_tab(void **state) {
    (void)state;
    if (!chrome) skip();
    open_scene(SCENES "billiard.json");
    assert_int_equal(ask_number("Number(document.getElementById('tab-compared').hidden)"), 1);
    const char *page = scratch_path("compared.html");
    EXPECT(0, NULL, "simulate", SCENES "crowd.json", "--steps", "2", "--report", page, "--compare-broad", "--objects",
           "100,300,900", "--kinds", "auto,sweep3,bvh,octree-clipped", "--queries", "rays=10");
    look_at(page, "", 1280, 800, BROWSER_CALM);
    click_at("look.middle('tab-compared')");
    assert_int_equal(ask_number("Number(document.getElementById('pane-compared').hidden)"), 0);
    assert_int_equal(ask_number("Number(document.getElementById('pane-events').hidden)"), 1);
    expect_text("document.getElementById('pane-compared').innerText", "boxes overlap");
    assert_int_equal(ask_number("document.querySelectorAll('.growth path').length"), 4);
    assert_int_equal(ask_number("document.querySelectorAll('.growth circle').length"), 12);
    assert_int_equal(ask_number("document.querySelectorAll('.compared .chip').length"), 3);
    assert_int_equal(ask_number("carom.play.compared.funnel[2].all"), 900 * 899 / 2);
    check_that(ask_number("Number(/N.*sweep3|sweep3.*N/s.test(document.querySelector('.numbers.each').innerText))") ==
                   1,
               "no row of sweep3");
    double before = ask_number("document.querySelector('.growth path').getAttribute('d').length");
    expect_text("document.querySelector('.about').innerText", "median");
    click_at("look.middleOf(document.querySelectorAll('.compared .chip')[1])");
    expect_text("document.querySelector('.about').innerText", "compared with boxes");
    assert_true(before > 0);
    picture("play-compared");
    tell_page("document.getElementById('tab-compared').focus()");
    tell_page("document.getElementById('tab-compared').dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', "
              "bubbles: true}))");
    assert_int_equal(ask_number("Number(document.getElementById('pane-events').hidden)"), 0);
    no_complaints();
}

/* Last, since the script stays: a browser without WebGL still has events, plots and time. */
static void without_webgl_the_list_remains(void **state) {
    (void)state;
    if (!chrome) skip();
    browser_before(chrome,
                   "{ const plain = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext = "
                   "function (kind) { return kind === '2d' ? plain.call(this, kind) : null; }; }");
    open_scene(SCENES "billiard.json");
    expect_text("document.getElementById('message').textContent", "no WebGL");
    click_at("look.rows()[1]");
    expect_text("document.getElementById('details').innerText", "ball 1");
    check_that(ask_number("carom.state.time") > 0.15, "the time did not move");
    assert_int_equal(ask_number("document.querySelectorAll('.plot').length"), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shipped_scene_opens_and_is_drawn_as_told),
        cmocka_unit_test(what_vanishes_is_gone),
        cmocka_unit_test(a_bounce_within_a_step_is_drawn_where_it_is),
        cmocka_unit_test(between_frames_turns_are_even),
        cmocka_unit_test(a_trigger_lights_while_something_is_within),
        cmocka_unit_test(models_and_shapes_are_switches),
        cmocka_unit_test(a_model_moves_with_its_shape),
        cmocka_unit_test(every_layer_can_be_switched),
        cmocka_unit_test(what_is_not_swept_sweeps_over_nothing),
        cmocka_unit_test(a_click_on_an_event_goes_there),
        cmocka_unit_test(events_are_filtered),
        cmocka_unit_test(keys_lead_through_time),
        cmocka_unit_test(keys_switch_layers_and_help),
        cmocka_unit_test(the_view_orbits_and_objects_are_picked),
        cmocka_unit_test(hostile_names_are_only_text),
        cmocka_unit_test(a_narrow_dark_window_works),
        cmocka_unit_test(details_leave_the_picture_free),
        cmocka_unit_test(no_label_lies_under_the_tool_bar),
        cmocka_unit_test(broad_phases_are_compared_in_a_tab),
        cmocka_unit_test(without_webgl_the_list_remains),
    };
    return cmocka_run_group_tests(tests, open_all, look_close);
}
