/* What the report page shows of a finding: every field of the table, volumes with their errors, crossings of surfaces,
 * and what an approved list brings back. The command writes the page, a real browser opens it. */
#include "cli/house.h"
#include "cli/shapes.h"
#include "page_look.h"

#include "check/finding_fields.h"

static int open_all(void **state) {
    (void)state;
    return look_open("report_page.js");
}

/* A rectangle that is no solid: in the plane x = at, or y = at. */
static void put_sheet(FILE *file, int *points, const char *name, bool along_y, double at, const double low[2],
                      const double high[2]) {
    fprintf(file, "o %s\n", name);
    for (int i = 0; i < 4; i++) {
        const double across = i == 1 || i == 2 ? high[0] : low[0], up = i >= 2 ? high[1] : low[1];
        fprintf(file, "v %.9g %.9g %.9g\n", along_y ? at : across, along_y ? across : at, up);
    }
    fprintf(file, "f %d %d %d\nf %d %d %d\n", *points + 1, *points + 2, *points + 3, *points + 1, *points + 3,
            *points + 4);
    *points += 4;
}

/* Metres: a peg 0.2 x 0.1 x 0.1 in a wall (0.002 m³, the deeper one by far: 0.2), a plate that overlaps the wall by
 * 0.05 x 1 x 1 (0.05 m³), two sheets that cross along 1, a sheet that stands in the wall. */
static void write_parts(const char *paths[2]) {
    obj o = {0};
    obj_box(&o, "wall", 0, 0, 0, 4, 1, 1);
    obj_box(&o, "peg", 0.2, 0.8, 0.45, 0.3, 2, 0.55);
    obj_box(&o, "plate", 3.95, 0, 0, 5, 1, 1);
    paths[0] = obj_write(&o, "solids.obj");
    static char path[600];
    snprintf(path, sizeof path, "%s", scratch_path("sheets.obj"));
    FILE *file = fopen(path, "w");
    int points = 0;
    put_sheet(file, &points, "sheet_1", true, 10, (const double[2]){-1, 0}, (const double[2]){1, 1});
    put_sheet(file, &points, "sheet_2", false, 0, (const double[2]){9.5, 0}, (const double[2]){10.5, 1});
    put_sheet(file, &points, "sheet_3", true, 2, (const double[2]){0.5, 0.2}, (const double[2]){2, 0.4});
    fclose(file);
    paths[1] = path;
}

static const char *page_of(const char *more, const char *value) {
    const char *paths[2], *page = scratch_path("fields.html");
    write_parts(paths);
    json_t *root = RUN_JSON(1, "check", paths[0], paths[1], "--report", page, "--volume", more, value);
    assert_int_equal(json_array_size(json_object_get(root, "findings")), 4);
    json_decref(root);
    return page;
}

/* Puts the list in this order; which pairs it then has, by their second part. */
static void expect_order(const char *by, const char *first, const char *second) {
    char text[200];
    snprintf(text, sizeof text, "(look.set('sort', '%s'), look.rows().map((r) => r.words).join('|'))", by);
    json_t *value = browser_eval(chrome, text);
    const char *words = json_string_value(value), *one = strstr(words, first), *two = strstr(words, second);
    check_that(one && two && one < two, "by %s: %s", by, words);
    json_decref(value);
}

static void choose(const char *part) {
    char text[200];
    snprintf(text, sizeof text, "look.rows().find((r) => r.words.includes('%s'))", part);
    click_at(text);
    assert_true(holds("look.arrived()"));
}

static void each_field_is_shown(void **state) {
    (void)state;
    if (!chrome) skip();
    look_at(page_of("--clearance", "1mm"), "", 1280, 800, BROWSER_CALM);
    for (size_t i = 0; i < finding_field_count; i++) {
        char text[100];
        snprintf(text, sizeof text, "carom.fields.includes('%s')", finding_fields[i].name);
        check_that(holds(text), "the page has no place for \"%s\"", finding_fields[i].name);
    }
    assert_int_equal(ask_number("carom.fields.length"), finding_field_count);
    no_complaints();
}

/* 0.1 x 0.1 x 0.2 = 2e6 mm³ and 0.05 x 1 x 1 = 5e7 mm³. The sheet in the wall has none, and it is said why. */
static void volumes_have_their_error_or_the_reason(void **state) {
    (void)state;
    if (!chrome) skip();
    look_at(page_of("--clearance", "1mm"), "", 1280, 800, BROWSER_CALM);
    assert_true(holds("look.set('unit', '0.001')"));
    choose("plate");
    expect_text("document.getElementById('details').innerText", "5.00e7 mm³ ± ");
    picture("volume");
    choose("sheet_3");
    expect_text("document.getElementById('details').innerText", "not defined: sheet_3 is not closed");
    choose("sheet_2");
    expect_text("document.getElementById('details').innerText", "not defined: neither is closed");
    expect_order("depth", "peg", "plate");
    expect_order("volume", "plate", "peg");
    expect_text("look.rows()[0].words", "5.00e7 mm³ common");
    assert_true(holds("(document.getElementById('filter').click(), look.set('volume', 1e7))"));
    assert_int_equal(ask_number("look.rows().length"), 1);
    expect_text("look.rows()[0].words", "plate");
    assert_true(holds("look.set('volume', '')"));
    no_complaints();
}

/* Two sheets have no depth: a length of 1 m, behind all that have one, and no depth finds them. */
static void surfaces_that_cross_have_a_length(void **state) {
    (void)state;
    if (!chrome) skip();
    look_at(page_of("--clearance", "1mm"), "", 1280, 800, BROWSER_CALM);
    assert_true(holds("look.set('unit', '0.001')"));
    choose("sheet_2");
    expect_text("document.querySelector('#details .big').innerText", "1000 mm");
    expect_text("document.getElementById('details').innerText.replace(/\\s+/g, ' ')", "Crossing length 1000 mm");
    expect_text("document.getElementById('details').innerText.replace(/\\s+/g, ' ')", "Crossing extent 1000 mm");
    assert_true(holds("document.getElementById('measure').hidden")); /* there is no depth to be written */
    assert_true(holds("!document.getElementById('details').innerText.includes('Ids of the parts')"));
    assert_true(holds("(document.querySelector('.more-rows summary').click(), look.until(() => "
                      "document.getElementById('details').innerText.includes('Ids of the parts')))"));
    picture("cut-length");
    expect_order("depth", "plate", "sheet_2");
    assert_true(holds("(document.getElementById('filter').click(), look.set('depth', 0.001))"));
    expect_text("look.rows().map((r) => r.words).join('|')", "plate");
    assert_true(holds("!look.rows().some((r) => r.words.includes('sheet_2'))"));
    no_complaints();
}

/* The entries of the list, also those that are only comments to the command, are there when the page opens, and all of
 * its lines go with what is saved. */
static void an_approved_list_comes_back(void **state) {
    (void)state;
    if (!chrome) skip();
    const char *paths[2];
    write_parts(paths);
    json_t *root = RUN_JSON(1, "check", paths[0], paths[1]), *one, *parts = json_object_get(root, "parts");
    char list[2000] = "# ours\nleaf=peg:leaf=wall; a dowel; B. Koch; 2025-03-20; 1m\n", sheets[20] = "";
    size_t i;
    json_array_foreach(json_object_get(root, "findings"), i, one) {
        const char *name =
            text_at(json_array_get(parts, (size_t)json_integer_value(json_object_get(one, "part_b"))), "name");
        const char *id = text_at(one, "id");
        const size_t used = strlen(list);
        if (strstr(name, "plate"))
            snprintf(list + used, sizeof list - used, "%s; welded; A. Meyer; 2025-03-14; 10mm\n", id);
        if (strstr(name, "sheet_2")) {
            snprintf(list + used, sizeof list - used, "# fix: %s; move it; C. Wu; 2025-04-01\n", id);
            snprintf(sheets, sizeof sheets, "%s", id);
        }
    }
    json_decref(root);
    assert_true(*sheets != 0);
    look_at(page_of("--approved", write_text("list.txt", list)), "", 1280, 800, BROWSER_CALM);
    assert_true(holds("look.set('unit', '0.001')"));
    choose("sheet_2");
    expect_text("document.querySelector('.review textarea').value", "move it");
    expect_text("document.querySelector('.review .when').textContent", "C. Wu, 2025-04-01");
    /* the plate is 50 mm deep: what was approved no longer holds, for the command and the page */
    choose("plate");
    expect_text("look.rows().find((r) => r.words.includes('plate')).words", "deeper than approved");
    expect_text("document.querySelector('.review textarea').value", "welded");
    /* the peg is accepted by its selector */
    assert_true(holds("!look.rows().some((r) => r.words.includes('peg'))"));
    assert_true(holds("(document.querySelector('.chip[aria-pressed=false]').click(), true)"));
    choose("peg");
    expect_text("document.getElementById('details').innerText.replace(/\\s+/g, ' ')",
                "Reason a dowel Author B. Koch Date 2025-03-20 Accepted up to 1000 mm");
    picture("accepted");
    json_t *text = browser_eval(chrome, "carom.review.text()");
    check_that(strcmp(json_string_value(text), list) == 0, "saved: %s\nnot: %s", json_string_value(text), list);
    json_decref(text);
    assert_true(holds("window.onbeforeunload === null")); /* nothing is lost that is not saved */
    no_complaints();
}

/* --also spaces: what stands in a space is seen through it. */
static void spaces_are_seen_through(void **state) {
    (void)state;
    if (!chrome) skip();
    const char *page = scratch_path("spaces.html");
    EXPECT(1, NULL, "check", write_house(), "--also", "spaces", "--report", page);
    look_at(page, "", 1280, 800, BROWSER_CALM);
    assert_int_equal(ask_number("carom.report.parts.filter((p) => p.space).length"), 1);
    assert_true(
        holds("carom.report.parts.every((p) => look.modes()[p.index] === (p.space ? 2 : 1))")); /* ghost, solid */
    choose("IfcSpace_R");
    assert_true(holds("carom.report.parts.every((p) => !p.space || look.modes()[p.index] === 3)")); /* glass */
    no_complaints();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_field_is_shown),
        cmocka_unit_test(volumes_have_their_error_or_the_reason),
        cmocka_unit_test(surfaces_that_cross_have_a_length),
        cmocka_unit_test(an_approved_list_comes_back),
        cmocka_unit_test(spaces_are_seen_through),
    };
    return cmocka_run_group_tests(tests, open_all, look_close);
}
