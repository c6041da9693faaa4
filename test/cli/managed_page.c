/* The report of a managed model in a real browser: groups, filters, status and comments. The scene is report_scene.h's,
 * with properties, two tests and a baseline; the page is driven as in report_page.c. */
#include "report_look.h"

#include "check/baseline.h"
#include "read/read.h"

static char managed_path[PAGE_PATH], list_path[PAGE_PATH];

/* The scene as a model of a building, found by two tests, after a baseline: left and right are a wall and a pipe of
 * storey EG, one and two of the row slabs of OG and EG; the first finding is new, all others persist, one is resolved.
 */
static import_property properties[] = {{"class", "IfcWall"}, {"storey", "EG"}, {"class", "IfcPipe"}, {"storey", "EG"},
                                       {"class", "IfcSlab"}, {"storey", "OG"}, {"class", "IfcSlab"}, {"storey", "EG"}};
static cm_check_test two_tests[] = {{.name = "all <b>"}, {.name = "balls", .severity = CM_SEVERITY_WARNING}};
static cm_finding then[2];
static char gone_name[] = "rig/<i>gone", still_name[] = "rig/ball/one";
static char *then_names[] = {gone_name, still_name};
static bool persists[] = {true, false};
static uint32_t before_of[FINDINGS] = {CM_NONE};
static baseline yesterday = {
    .findings = then, .count = 2, .names = then_names, .name_count = 2, .persists = persists, .before_of = before_of};

static void manage(void) {
    report_case *c = &fixture;
    const uint32_t parts[] = {0, 1, 6, 7};
    c->file.facts.properties = properties, c->file.facts.property_count = sizeof properties / sizeof *properties;
    c->file.properties = list_properties(&c->file.facts);
    for (uint32_t i = 0; i < 4; i++) c->parts[parts[i]].first_property = 2 * i, c->parts[parts[i]].property_count = 2;
    c->rules.tests = two_tests, c->rules.test_count = 2;
    c->list[BALLS].test = 1;
    then[1] = c->list[BALLS];
    then[1].part_a = 0, then[1].part_b = 1, then[1].id = 0x5555;
    c->found.before = &yesterday;
}

static int open_all(void **state) {
    (void)state;
    report_case_make(&fixture, cm_v(0, 0, 0));
    manage();
    snprintf(list_path, sizeof list_path, "%s-%ld.txt", scratch_path("approved"), (long)getpid());
    return write_page("managed", &fixture.found, managed_path) ? look_open("report_page.js") : -1;
}

static int close_all(void **state) {
    look_close(state);
    remove(managed_path);
    remove(list_path);
    free(fixture.file.properties);
    report_case_free(&fixture);
    return 0;
}

/* One part against many, as the library groups what is not accepted: of the row, two is part of two findings. */
static void groups_are_those_of_the_library(void **state) {
    (void)state;
    open_page(managed_path, "", 1280, 800, BROWSER_CALM);
    assert_true(holds("(document.querySelector('.chip[aria-pressed=false]').click(), look.set('group', 'part'))"));
    cm_check_groups groups;
    assert_int_equal(cm_check_group_findings(fixture.list, FINDINGS, NULL, PARTS, NULL, &groups), CM_OK);
    assert_int_equal(ask_number("carom.tree.length"), groups.count);
    for (uint32_t i = 0; i < groups.count; i++) {
        char text[120], want[80] = "";
        for (uint32_t k = 0; k < groups.groups[i].count; k++)
            snprintf(want + strlen(want), sizeof want - strlen(want), "[%u]",
                     groups.members[groups.groups[i].first + k]);
        snprintf(text, sizeof text, "carom.tree[%u].items.map((f) => `[${f.index}]`).sort().join('')", i);
        expect_text(text, want);
    }
    cm_check_groups_destroy(&groups, NULL);
    expect_text("document.getElementById('shown').textContent", "5 groups: 6 of 7 findings");
    no_complaints();
}

/* Closed at first; a click and the keys open and close them, and a finding that is chosen opens its group. */
static void groups_fold(void **state) {
    (void)state;
    stay();
    assert_int_equal(ask_number("look.rows().length"), 5);
    expect_text("document.getElementById('findings').getAttribute('role')", "tree");
    click_at("look.rows()[0]");
    assert_int_equal(ask_number("look.rows().length"), 7);
    expect_text("look.rows()[1].words", "Touching #4");
    expect_text("document.querySelector('#findings .row').ariaExpanded", "true");
    expect_text("document.getElementById('details').innerText", "2 findings");
    assert_true(holds("look.outside()"));
    assert_true(holds("(document.getElementById('findings').focus(), true)"));
    browser_key(chrome, "ArrowLeft", 37);
    assert_int_equal(ask_number("look.rows().length"), 5);
    assert_true(holds("(location.hash = '#finding-6', look.until(() => carom.selected.index === 6))"));
    assert_int_equal(ask_number("look.rows().length"), 6);
    browser_key(chrome, "ArrowLeft", 37); /* from the finding to its group */
    assert_true(holds("carom.selected.group === 'part' && carom.selected.items[0].index === 6"));
    assert_true(holds("(look.set('group', 'class'), look.set('subgroup', 'storey'))"));
    expect_text("carom.tree.map((g) => g.label + ' ' + g.items.length).join()", "\xe2\x80\x93 \xc3\x97 \xe2\x80\x93 3");
    expect_text("carom.tree.map((g) => g.label + ' ' + g.items.length).join()", "IfcPipe \xc3\x97 IfcWall 1");
    expect_text("carom.tree.find((g) => g.label === 'IfcSlab \xc3\x97 IfcSlab').children[0].label", "EG \xc3\x97 OG");
    picture("groups");
    no_complaints();
}

static void filters_leave_what_they_say(void **state) {
    (void)state;
    static const struct {
        const char *label, *value, *left; /* numbers of findings that are listed */
    } filters[] = {{"Class", "=IfcSlab", "3 4"},
                   {"Storey", "=OG", "3"},
                   {"Test", "=balls", "6"},
                   {"Severity", "=warning", "6"},
                   {"Since the baseline", "=new", "0"},
                   {"Since the baseline", "=resolved", "7"}};
    stay();
    expect_text("document.getElementById('stats').innerText.replace(/\\s+/g, ' ')", "Tests 2, each with its tolerance");
    assert_true(holds("(look.set('group', ''), document.getElementById('filter').click(), true)"));
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        char text[160];
        snprintf(text, sizeof text, "look.filter('%s', '%s')", filters[i].label, filters[i].value);
        expect_text(text, "set");
        expect_text("`[${look.numbers()}]`", filters[i].left);
        assert_int_equal(ask_number("look.rows().length"), strlen(filters[i].left) / 2 + 1);
        if (i == 5) {
            expect_text("look.rows()[0].words", "<i>gone");
            click_row(0);
            expect_text("document.getElementById('details').innerText", "resolved");
            picture("resolved");
        }
        snprintf(text, sizeof text, "look.filter('%s', '')", filters[i].label);
        expect_text(text, "set");
    }
    assert_true(holds("look.set('depth', 20)")); /* mm: 20, 50 and 150 deep */
    expect_text("`[${look.numbers()}]`", "[0 1 6]");
    assert_true(holds("look.set('depth', '')"));
    no_complaints();
}

/* What is approved on the page is approved for the command, whatever is written in the comment; what is not, is not. */
static void decisions_come_back(void **state) {
    (void)state;
    stay();
    click_row(2); /* the crossing of left and right: after the inside and the balls */
    expect_text("look.decide('approved', '', 'A. Meyer', '')", "needs a reason");
    expect_text("look.decide('approved', 'cast; in \\\\', '', '')", "author is missing");
    expect_text("look.decide('approved', 'cast; in \\\\', 'A; Meyer', '20')", "its unit");
    expect_text("look.decide('approved', 'cast; in\\n \\\\', 'A; Meyer', '20.5mm')", "[]");
    assert_int_equal(ask_number("look.rows().length"), 5); /* 6 before: it is accepted now */
    expect_text("document.getElementById('review-state').textContent", "1 finding with status or comment, not saved");
    assert_true(holds("(look.set('group', 'leaf'), look.rows()[0].at === 0)"));
    click_at("look.rows()[0]"); /* one × two of the row and of the balls */
    expect_text("look.decide('fix', '<b>move</b> it', 'B.', '')", "[]");
    expect_text("document.querySelector('.when')?.textContent ?? 'B., '", "B., ");
    json_t *text = browser_eval(chrome, "carom.review.text()");
    FILE *file = fopen(list_path, "wb");
    fputs(json_string_value(text), file);
    fclose(file);
    rules read = {0};
    assert_int_equal(approved_read(list_path, &read), 0);
    assert_int_equal(read.exception_count, 1);
    check_that(read.exceptions[0].id == 0xabcdef0123456780u, "%llx", (unsigned long long)read.exceptions[0].id);
    check_that(read.exceptions[0].depth == 0.0205, "%g", read.exceptions[0].depth);
    assert_string_equal(read.origins[0].reason, "cast; in  \\"); /* one line */
    assert_string_equal(read.origins[0].author, "A; Meyer");
    rules_free(&read);
    check_that(strstr(json_string_value(text), "\n# fix: abcdef012345678") != NULL, "%s", json_string_value(text));
    json_decref(text);
    /* and load again, beside lines that the page knows nothing of */
    expect_text("look.again('# mine\\nclass=a:class=b; why; who; 2025-03-14; 1m\\n')",
                "true: 3 entries loaded; 1 line");
    assert_int_equal(ask_number("carom.tree.flatMap((group) => group.items).length"), 5);
    no_complaints();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_those_of_the_library),
        cmocka_unit_test(groups_fold),
        cmocka_unit_test(filters_leave_what_they_say),
        cmocka_unit_test(decisions_come_back),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
