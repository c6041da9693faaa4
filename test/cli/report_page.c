/* The report in a real browser: what a person sees and does. The scene is report_scene.h's; the page is driven by mouse
 * and keys, and asked through report_page.js. CAROM_PICTURES names a folder to save pictures to. Groups, filters and
 * decisions: managed_page.c. */
#include "report_look.h"

static char page_path[PAGE_PATH], empty_path[PAGE_PATH];

static int open_all(void **state) {
    (void)state;
    report_case_make(&fixture, cm_v(0, 0, 0));
    findings none = fixture.found;
    none.list.count = none.list.failing = 0;
    if (!write_page("page", &fixture.found, page_path) || !write_page("none", &none, empty_path)) return -1;
    return look_open("report_page.js");
}

static int close_all(void **state) {
    look_close(state);
    remove(page_path);
    remove(empty_path);
    report_case_free(&fixture);
    return 0;
}

/* --- the list ----------------------------------------------------------------------------------------------------- */

/* Deepest first; touching and allowed pairs stay hidden until asked for. */
static void the_list_has_every_finding(void **state) {
    (void)state;
    static const char *const rows[] = {"Inside #2 150 mm deep shell/ outer shell/ inner",
                                       "Crossing #7 50 mm deep ball/ one ball/ two",
                                       "Crossing #1 20 mm deep plate/ left plate/ right", "Identical #3 ",
                                       "Within clearance #5 3 mm gap row/ two row/ three"};
    open_page(page_path, "", 1280, 800, BROWSER_CALM);
    picture("whole");
    assert_int_equal(ask_number("look.rows().length"), 5);
    for (size_t i = 0; i < 5; i++) {
        char text[64];
        snprintf(text, sizeof text, "look.rows()[%zu].words", i);
        expect_text(text, rows[i]);
    }
    expect_text("document.getElementById('shown').textContent", "5 of 7 findings");
    expect_text("document.getElementById('verdict').innerText", "4 clashes");
    expect_text("document.getElementById('stats').innerText.replace(/\\s+/g, ' ')", "Pairs 78 (9 near)");
    expect_text("document.getElementById('stats').innerText.replace(/\\s+/g, ' ')", "Clearance 5 mm");
    expect_text("document.getElementById('files').textContent", "rig<1>.glb");
    for (int i = 0; i < 2; i++) /* the chips Touching and Allowed */
        assert_true(holds("(document.querySelector('.chip[aria-pressed=false]').click(), true)"));
    assert_int_equal(ask_number("look.rows().length"), 7);
    expect_text("look.rows().map((r) => r.words).join('|')", "Touching #4 0 row/ one row/ two");
    expect_text("look.rows().map((r) => r.words).join('|')", "allowed");
    no_complaints();
}

static void the_filter_finds_by_name(void **state) {
    (void)state;
    stay();
    assert_true(holds("(document.getElementById('query').focus(), true)"));
    json_decref(browser_eval(chrome, "{ const q = document.getElementById('query'); q.value = 'SHELL inner'; "
                                     "q.dispatchEvent(new Event('input')); }"));
    assert_int_equal(ask_number("look.rows().length"), 1);
    expect_text("look.rows()[0].words", "Inside");
    json_decref(browser_eval(
        chrome,
        "{ const q = document.getElementById('query'); q.value = 'no such'; q.dispatchEvent(new Event('input')); }"));
    assert_int_equal(ask_number("look.rows().length"), 0);
    expect_text("document.getElementById('findings').innerText", "Nothing matches");
    no_complaints();
}

static void the_unit_can_be_chosen(void **state) {
    (void)state;
    stay();
    assert_true(holds("look.set('query', '')"));
    json_decref(browser_eval(
        chrome,
        "{ const u = document.getElementById('unit'); u.value = '0.0254'; u.dispatchEvent(new Event('input')); }"));
    expect_text("look.rows()[0].words", "5.906 in"); /* 150 / 25.4 */
    no_complaints();
}

/* --- a click ------------------------------------------------------------------------------------------------------ */

/* Every row: the camera looks at the place, both parts are lit (outer ones of an inside, and identical ones, as glass:
 * 3), all others are ghosts (2), the outline is seen where there is one, and the details name both parts. */
static void a_click_flies_to_the_place(void **state) {
    (void)state;
    static const struct {
        int finding, a, b, mode_a, mode_b;
        bool outline;
        const char *details;
    } rows[] = {{INSIDE, 2, 3, 3, 1, false, "inner lies wholly inside outer"},
                {BALLS, 11, 12, 1, 1, true, "Crossing triangle pairs 420 Outline 64 segments"},
                {CROSSING, 0, 1, 1, 1, true, "Outline size 20 × 70 × 80 mm"},
                {IDENTICAL, 4, 5, 1, 0, false, "onerror=window.hit=1>"},
                {CLEARANCE, 7, 8, 3, 3, false, "closer than the clearance of 5 mm"}};
    open_page(page_path, "", 1280, 800, 0);
    check_that(ask_number("look.pixels('outline')") < 5, "an outline before any click");
    for (size_t i = 0; i < 5; i++) {
        click_row(i);
        json_t *place = browser_eval(chrome, "look.place()");
        double off = json_number_value(json_object_get(place, "off")),
               distance = json_number_value(json_object_get(place, "distance"));
        double outline = json_number_value(json_object_get(place, "outline"));
        assert_int_equal(json_integer_value(json_object_get(place, "index")), rows[i].finding);
        check_that(off < 1e-6 && distance < 1.5, "row %zu: target off by %g, seen from %g", i, off, distance);
        assert_true(json_is_true(json_object_get(place, "inside")));
        check_that(rows[i].outline ? outline > 300 : outline < 5, "row %zu: %g pixels of outline", i, outline);
        for (int part = 0; part < PARTS; part++) {
            json_int_t mode = json_integer_value(json_array_get(json_object_get(place, "modes"), (size_t)part));
            int want = part == rows[i].a ? rows[i].mode_a : part == rows[i].b ? rows[i].mode_b : 2;
            check_that(mode == want, "row %zu, part %d: mode %d, not %d", i, part, (int)mode, want);
        }
        const char *details = json_string_value(json_object_get(place, "details"));
        check_that(strstr(details, rows[i].details) != NULL, "row %zu: %s", i, details);
        char name[32];
        snprintf(name, sizeof name, "finding-%d", rows[i].finding);
        assert_string_equal(json_string_value(json_object_get(place, "hash")) + 1, name);
        picture(name);
        json_decref(place);
    }
    check_that(ask_number("look.pixels('part-a')") > 300, "part A is not seen in its color");
    no_complaints();
}

/* The list is there before the view: what is chosen in between is shown by the view once it stands. */
static void what_is_chosen_before_the_view_stands_is_shown(void **state) {
    (void)state;
    if (!chrome) skip();
    browser_before(chrome, "if (location.hash === '#early') { const step = () => {"
                           "  const row = document.querySelector('#findings .row');"
                           "  if (!row) return requestAnimationFrame(step);"
                           "  window.early = carom.view === null; row.click(); };"
                           "requestAnimationFrame(step); }");
    open_page(page_path, "#early", 1280, 800, BROWSER_CALM);
    assert_true(holds("early && carom.selected !== null && carom.view.selection === carom.selected"));
    assert_true(holds("look.arrived()"));
    no_complaints();
}

static void marks_lead_to_their_finding(void **state) {
    (void)state;
    open_page(page_path, "", 1280, 800, BROWSER_CALM);
    assert_int_equal(ask_number("carom.view.pinList.length"), 5);
    click_at("{ const at = carom.view.project(carom.report.findings[6].place), box = "
             "document.getElementById('canvas').getBoundingClientRect();"
             " ({ x: at[0] + box.x, y: at[1] + box.y }); }");
    assert_true(holds("look.arrived()"));
    assert_int_equal(ask_number("carom.selected.index"), BALLS);
    no_complaints();
}

static void a_link_opens_its_finding(void **state) {
    (void)state;
    open_page(page_path, "#finding-3", 1280, 800,
              BROWSER_DARK | BROWSER_CALM); /* touching: its filter is off at first */
    assert_true(holds("look.arrived()"));
    assert_int_equal(ask_number("carom.selected.index"), TOUCHING);
    expect_text("document.querySelector('#findings [aria-selected=true]').innerText", "Touching");
    picture("touching-dark");
    no_complaints();
}

/* --- keys and pointer -------------------------------------------------------------------------------------------- */

static void arrow_keys_walk_the_list(void **state) {
    (void)state;
    open_page(page_path, "", 1280, 800, BROWSER_CALM);
    click_row(0);
    assert_true(holds("(document.getElementById('findings').focus(), true)"));
    browser_key(chrome, "ArrowDown", 40);
    assert_int_equal(ask_number("carom.selected.index"), BALLS);
    browser_key(chrome, "End", 35);
    assert_int_equal(ask_number("carom.selected.index"), CLEARANCE);
    browser_key(chrome, "ArrowUp", 38);
    assert_int_equal(ask_number("carom.selected.index"), IDENTICAL);
    expect_text("document.getElementById('findings').getAttribute('aria-activedescendant')", "findings-3");
    browser_key(chrome, "Escape", 27);
    assert_true(holds("carom.selected === null && document.getElementById('details').hidden"));
    no_complaints();
}

static void the_model_orbits_zooms_and_is_picked(void **state) {
    (void)state;
    open_page(page_path, "", 1280, 800, BROWSER_CALM);
    double before = ask_number("look.camera().distance"), x = ask_number("look.camera().at[0]");
    browser_drag(chrome, 900, 600, 1000, 560);
    check_that(fabs(ask_number("look.camera().at[0]") - x) > 0.05, "a drag does not orbit");
    check_that(fabs(ask_number("look.camera().distance") - before) < 1e-9, "a drag zooms");
    browser_wheel(chrome, 900, 500, -300);
    assert_true(holds("look.arrived()"));
    check_that(ask_number("look.camera().distance") < before, "the wheel does not zoom");
    /* A merged part, and one drawn as an instance. */
    static const int parts[] = {2, 12};
    for (int i = 0; i < 2; i++) {
        assert_true(holds("(document.getElementById('fit').click(), look.arrived())"));
        char text[64];
        snprintf(text, sizeof text, "look.spot(%d)", parts[i]);
        click_at(text);
        assert_int_equal(ask_number("carom.selected.index"), parts[i]);
        expect_text("document.getElementById('details').innerText", parts[i] == 2 ? "1 finding" : "closed solid");
    }
    picture("part");
    no_complaints();
}

static void parts_can_be_hidden(void **state) {
    (void)state;
    open_page(page_path, "", 1280, 800, BROWSER_CALM);
    click_at("look.middle('tab-parts')");
    assert_int_equal(ask_number("look.rows('parts').length"), PARTS);
    assert_true(holds("(document.querySelector('#parts .icon').click(), look.modes()[0] === 0)"));
    expect_text("document.getElementById('parts-shown').textContent", "1 hidden");
    picture("parts");
    click_at("look.middle('show-all')");
    assert_true(holds("look.modes().every((mode) => mode === 1)"));
    no_complaints();
}

static void ghost_and_xray_are_switches(void **state) {
    (void)state;
    open_page(page_path, "", 1280, 800, BROWSER_CALM);
    click_row(2);
    click_at("look.middle('ghost')");
    assert_true(holds("look.modes().every((mode) => mode === 1)"));
    click_at("look.middle('xray')");
    assert_true(holds("look.modes()[0] === 3 && look.modes()[1] === 3 && look.modes()[2] === 1"));
    check_that(ask_number("look.pixels('outline')") > 300, "no outline under glass");
    no_complaints();
}

/* --- bounding volumes --------------------------------------------------------------------------------------------- */

static void open_bounds(int part) {
    char text[120];
    open_page(page_path, "", 1280, 800, BROWSER_CALM);
    click_at("look.middle('bounds')");
    assert_true(holds("!document.getElementById('bounds-panel').hidden"));
    if (part < 0) return;
    snprintf(text, sizeof text, "(look.choose(%d), look.arrived())", part);
    assert_true(holds(text));
}

/* A cube of 0.1 m: its ball of radius 0.05 sqrt 3 has 2.72e6 mm^3, of which 1e6 are full: 63 % are empty. */
static void a_part_has_its_bounding_volumes(void **state) {
    (void)state;
    open_bounds(0);
    expect_text("document.getElementById('bounds-of').textContent", "left");
    expect_text("document.getElementById('bounds-model').textContent", "Its own 1.00e6 mm");
    expect_text("look.bound('sphere')", "[2.72e6 mm³ · 63 % empty]");
    expect_text("look.bound('aabb')", "[1.00e6 mm³ · 0 % empty]");
    expect_text("look.bound('box')", "[1.00e6 mm³ · 0 % empty]");
    expect_text("look.bound('hull')", "[1.00e6 mm³ · 0 % empty]");
    picture("bounds");
    no_complaints();
}

/* Turned by 45 degrees about z the box of the cube is sqrt 2 x sqrt 2 x 1 of it: twice the volume, half empty. All
 * other volumes are as before, and the part is drawn turned. */
static void the_aabb_of_a_turning_part_grows(void **state) {
    (void)state;
    stay();
    expect_text("document.getElementById('turn-axis').value", "z"); /* up in this model */
    /* Seen along (.62, -.78) from above its corners reach .05 (.78 + .62) / .996 = .070 to the side, and .055 when it
     * is turned; nearer to the eye a little more. */
    double corner = ask_number("look.bulge(0)");
    assert_true(holds("look.turn(45)"));
    expect_text("look.bound('aabb')", "[2.00e6 mm³ · 50 % empty]");
    expect_text("look.bound('sphere')", "[2.72e6 mm³ · 63 % empty]");
    expect_text("look.bound('box')", "[1.00e6 mm³ · 0 % empty]");
    assert_true(holds("carom.view.state[6] === 255 && carom.view.state[8 + 6] === 0"));
    check_that(ask_number("look.pixels('bound-aabb')") > 50, "no axis-aligned box is seen");
    picture("bounds-turned");
    double face = ask_number("look.bulge(0)");
    check_that(corner > 0.065 && face < 0.063, "the cube is not drawn turned: it reaches to %g, turned %g", corner,
               face);
    /* In between it is 1 + sin 2a of the cube: 1.5 at 15 degrees. About x too. */
    assert_true(holds("look.turn(15)"));
    expect_text("look.bound('aabb')", "[1.50e6 mm³ · 33 % empty]");
    assert_true(holds("(document.getElementById('turn-axis').value = 'x', "
                      "document.getElementById('turn-axis').dispatchEvent(new Event('input')))"));
    expect_text("look.bound('aabb')", "[1.50e6 mm³ · 33 % empty]");
    assert_true(holds("look.turn(0)"));
    expect_text("look.bound('aabb')", "[1.00e6 mm³ · 0 % empty]");
    assert_true(holds("carom.view.state[6] === 0"));
    no_complaints();
}

/* The whole reaches from -0.15 to 1.15 m in x, -1.2 to 1.05 in y ... The button plays the turn until it is stopped. */
static void the_whole_model_turns(void **state) {
    (void)state;
    open_bounds(-1);
    expect_text("document.getElementById('bounds-of').textContent", "The whole model");
    assert_true(holds("carom.view.pinList.length === 5"));
    click_at("look.middle('turn-play')");
    assert_true(holds("look.until(() => carom.view.bounds.angle > 3)"));
    assert_true(holds("carom.view.pinList.length === 0")); /* marks would stand beside it */
    click_at("look.middle('turn-play')");
    double angle = ask_number("carom.view.bounds.angle");
    assert_true(holds("new Promise((done) => setTimeout(() => done(true), 100))"));
    check_that(ask_number("carom.view.bounds.angle") == angle, "it turns on");
    click_at("look.middle('bounds')");
    assert_true(holds("document.getElementById('bounds-panel').hidden && carom.view.bounds.angle === 0 && "
                      "carom.view.bounds.objects.length === 0 && carom.view.pinList.length === 5"));
    no_complaints();
}

/* Of a finding both parts have theirs, and neither turns. */
static void a_finding_shows_both_bounds(void **state) {
    (void)state;
    open_bounds(-1);
    click_row(1);
    assert_int_equal(ask_number("new Set(carom.view.bounds.objects.map((o) => o.userData.bounded)).size"), 2);
    assert_true(holds("document.getElementById('turn-row').hidden"));
    /* the kinds can be chosen: capsules too */
    double before = ask_number("carom.view.bounds.objects.length");
    assert_true(holds("(document.querySelectorAll('#bound-rows input')[3].click(), true)"));
    check_that(ask_number("carom.view.bounds.objects.length") == before + 2, "two capsules are not drawn");
    picture("bounds-both");
    no_complaints();
}

/* --- the cut -------------------------------------------------------------------------------------------------------- */

/* Through the crossing of the two cubes: both sections stand in one plane, and where both are, there are both colors.
 */
static void a_cut_shows_the_inside(void **state) {
    (void)state;
    open_page(page_path, "#finding-0", 1280, 800, BROWSER_CALM);
    assert_true(holds("look.arrived()"));
    const double before = ask_number("look.pixels('outline')");
    click_at("look.middle('cut')");
    assert_true(holds("look.arrived()"));
    picture("cut");
    assert_true(holds("look.cutAway() < 1e-9")); /* through both points */
    const double outline = ask_number("look.pixels('outline')");
    check_that(outline > 20 && outline < 0.8 * before, "%g pixels of the outline, %g uncut", outline, before);
    assert_true(holds("look.section()"));
    /* across x, a little towards what stays of it: the part at the viewer's side is gone, and cannot be picked;
     * flipped, it is there again */
    assert_true(holds("(look.set('cut-axis', 'x'), look.set('cut-offset', -0.8), look.arrived())"));
    const int gone = ask_number("carom.view.common.cut.value.x") > 0 ? 1 : 0;
    char text[80];
    for (int flipped = 0; flipped < 2; flipped++) {
        if (flipped)
            snprintf(text, sizeof text, "look.whereOf(%d) !== null", gone);
        else
            snprintf(text, sizeof text, "look.whereOf(%d) === null && look.whereOf(%d) !== null", gone, 1 - gone);
        assert_true(holds(text));
        assert_true(holds("(document.getElementById('cut-flip').click(), look.arrived())"));
    }
    no_complaints();
}

static void the_grip_moves_the_cut(void **state) {
    (void)state;
    stay();
    assert_true(holds("(look.set('cut-axis', 'z'), look.set('cut-offset', 0), look.arrived())"));
    const double before = ask_number("carom.view.cut.offset");
    json_t *at = browser_eval(chrome, "look.middle('cut-grip')");
    const double x = json_number_value(json_object_get(at, "x")), y = json_number_value(json_object_get(at, "y"));
    json_decref(at);
    browser_drag(chrome, x, y, x, y - 40); /* z is up: towards the viewer, who looks from above */
    check_that(ask_number("carom.view.cut.offset") > before + 0.001, "a drag does not move it");
    const double dragged = ask_number("carom.view.cut.offset");
    browser_key(chrome, "ArrowDown", 40); /* a hundredth of the reach */
    check_that(fabs(ask_number("carom.view.cut.offset") - dragged + 0.01 * ask_number("carom.view.cut.reach")) < 1e-9,
               "a key does not move it");
    no_complaints();
}

/* --- much at once ----------------------------------------------------------------------------------------------------- */

/* Detail is there when all has come to rest, can be dropped for the boxes, and comes back as it was. */
static void detail_comes_when_it_is_wanted(void **state) {
    (void)state;
    open_page(page_path, "", 1280, 800, BROWSER_CALM);
    assert_true(holds("look.settled()"));
    assert_true(holds("carom.view.chunks.length === 3 && carom.view.chunks.every((c) => c.detail && !c.boxes.shown)"));
    assert_true(holds("look.sameAgain(() => carom.view.chunks.forEach((c) => carom.view.dropDetail(c)))"));
    /* a machine that is too slow for all of it draws a share while it moves, the largest first, and all at rest */
    assert_true(holds("look.slow(400)"));
    assert_true(holds("look.slow(6000)"));
    no_complaints();
}

/* --- what must not be -------------------------------------------------------------------------------------------- */

static void hostile_names_are_only_text(void **state) {
    (void)state;
    open_page(page_path, "#finding-2", 1280, 800, BROWSER_CALM);
    assert_true(holds("look.arrived()"));
    expect_text("document.getElementById('details').innerText", "<img src=x onerror=window.hit=1>");
    expect_text("document.getElementById('details').innerText", "<!--<script>");
    assert_int_equal(ask_number("document.querySelectorAll('img, iframe, object, embed, base, form, a').length"), 0);
    assert_true(holds("window.hit === undefined"));
    no_complaints();
}

/* The page asks for nothing; and were it to ask, its policy would refuse. */
static void nothing_leaves_the_page(void **state) {
    (void)state;
    stay();
    for (size_t i = 0; i < 5; i++) click_row(i);
    no_complaints();
    assert_int_equal(ask_number("performance.getEntriesByType('resource').length"), 0);
    expect_text("fetch('http://127.0.0.1:9/').then(() => 'went', () => 'refused')", "refused");
    assert_true(holds("new Promise((done) => { addEventListener('securitypolicyviolation', () => done(true));"
                      " const image = new Image(); image.src = 'http://127.0.0.1:9/x.png'; })"));
    assert_true(holds(
        "new Promise((done) => { addEventListener('securitypolicyviolation', () => done(window.bad === undefined));"
        " const s = document.createElement('script'); s.textContent = 'window.bad = 1'; document.body.append(s); })"));
}

/* --- the corners -------------------------------------------------------------------------------------------------- */

static void no_findings_is_good_news(void **state) {
    (void)state;
    open_page(empty_path, "", 1280, 800, BROWSER_CALM);
    picture("none");
    expect_text("document.getElementById('verdict').innerText", "No clashes");
    expect_text("document.getElementById('findings').innerText", "No findings");
    assert_int_equal(ask_number("look.rows().length"), 0);
    check_that(ask_number("carom.view.drawables.length") >= 2, "nothing is drawn");
    no_complaints();
}

static void a_narrow_window_works(void **state) {
    (void)state;
    open_page(page_path, "", 400, 760, BROWSER_DARK | BROWSER_CALM);
    click_row(0);
    picture("narrow-dark");
    assert_true(holds("document.documentElement.scrollWidth <= 400"));
    assert_int_equal(ask_number("carom.selected.index"), INSIDE);
    no_complaints();
}

/* Where list, tool bar and details have no room side by side, the details leave picture and tool bar free. */
static void details_cover_no_picture_in_a_window_of_800(void **state) {
    (void)state;
    open_page(page_path, "", 800, 900, BROWSER_CALM);
    click_row(0);
    assert_true(holds("!document.getElementById('details').hidden"));
    const double top = ask_number("document.getElementById('details').getBoundingClientRect().top"),
                 end = ask_number("document.getElementById('canvas').getBoundingClientRect().bottom");
    check_that(top >= end, "details from %g, the picture to %g", top, end);
    no_complaints();
}

/* Last, since the script stays: a browser without WebGL still shows list and details. */
static void without_webgl_the_list_remains(void **state) {
    (void)state;
    if (!chrome) skip();
    browser_before(chrome, "HTMLCanvasElement.prototype.getContext = () => null;");
    open_page(page_path, "", 1280, 800, BROWSER_CALM);
    expect_text("document.getElementById('message').textContent", "no WebGL");
    assert_int_equal(ask_number("look.rows().length"), 5);
    click_at("look.rows()[2]");
    expect_text("document.getElementById('details').innerText", "20 mm");
}

int main(void) {

    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_has_every_finding),
        cmocka_unit_test(the_filter_finds_by_name),
        cmocka_unit_test(the_unit_can_be_chosen),
        cmocka_unit_test(a_click_flies_to_the_place),
        cmocka_unit_test(what_is_chosen_before_the_view_stands_is_shown),
        cmocka_unit_test(marks_lead_to_their_finding),
        cmocka_unit_test(a_link_opens_its_finding),
        cmocka_unit_test(arrow_keys_walk_the_list),
        cmocka_unit_test(the_model_orbits_zooms_and_is_picked),
        cmocka_unit_test(parts_can_be_hidden),
        cmocka_unit_test(ghost_and_xray_are_switches),
        cmocka_unit_test(a_part_has_its_bounding_volumes),
        cmocka_unit_test(the_aabb_of_a_turning_part_grows),
        cmocka_unit_test(the_whole_model_turns),
        cmocka_unit_test(a_finding_shows_both_bounds),
        cmocka_unit_test(a_cut_shows_the_inside),
        cmocka_unit_test(the_grip_moves_the_cut),
        cmocka_unit_test(detail_comes_when_it_is_wanted),
        cmocka_unit_test(hostile_names_are_only_text),
        cmocka_unit_test(nothing_leaves_the_page),
        cmocka_unit_test(no_findings_is_good_news),
        cmocka_unit_test(a_narrow_window_works),
        cmocka_unit_test(details_cover_no_picture_in_a_window_of_800),
        cmocka_unit_test(without_webgl_the_list_remains),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
