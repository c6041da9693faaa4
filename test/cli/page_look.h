/* A page that the command wrote, opened in a real browser, and what is asked of it. One page at a time. */
#ifndef PAGE_LOOK_H
#define PAGE_LOOK_H

#include "support/browser.h"
#include "support/support.h"

static browser *chrome; /* NULL: there is none here */
static char *helpers;   /* a script that the page is asked through */

/* Opens the browser; `script` lies beside the tests, and so does page_look.js, which comes before it. For cmocka: 0, or
 * -1 without the scripts. */
static int look_open(const char *script) {
    const char *names[] = {"page_look.js", script};
    size_t room = 1 << 16, size = 0;
    helpers = calloc(1, room);
    for (int i = 0; i < 2; i++) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", SOURCE_FOLDER, names[i]);
        FILE *file = fopen(path, "rb");
        if (!file) return -1;
        size += fread(helpers + size, 1, room - 1 - size, file);
        fclose(file);
    }
    chrome = browser_open();
    return 0;
}
/* For cmocka, too. */
static int look_close(void **state) {
    (void)state;
    browser_close(chrome);
    free(helpers);
    return 0;
}
static void look_at(const char *path, const char *hash, int width, int height, unsigned mood) {
    browser_go(chrome, path, hash, width, height, mood,
               "window.carom !== undefined && (document.getElementById('message').hidden || "
               "document.body.classList.contains('flat'))");
    json_decref(browser_eval(chrome, helpers));
}

static bool holds(const char *expression) {
    json_t *value = browser_eval(chrome, expression);
    bool yes = json_is_true(value);
    json_decref(value);
    return yes;
}
static double ask_number(const char *expression) {
    json_t *value = browser_eval(chrome, expression);
    check_that(json_is_number(value), "%s is no number", expression);
    double number = json_number_value(value);
    json_decref(value);
    return number;
}
static void expect_text(const char *expression, const char *part) {
    json_t *value = browser_eval(chrome, expression);
    const char *text = json_string_value(value);
    check_that(text && strstr(text, part), "%s is \"%s\", without \"%s\"", expression, text ? text : "nothing", part);
    json_decref(value);
}
static void click_at(const char *expression) {
    json_t *place = browser_eval(chrome, expression);
    check_that(json_is_object(place), "%s: nowhere", expression);
    browser_click(chrome, json_number_value(json_object_get(place, "x")),
                  json_number_value(json_object_get(place, "y")));
    json_decref(place);
}
static void picture(const char *name) {
    const char *folder = getenv("CAROM_PICTURES");
    char path[600];
    if (!folder) return;
    snprintf(path, sizeof path, "%s/%s.png", folder, name);
    browser_picture(chrome, path);
}
static void no_complaints(void) {
    check_that(browser_requests(chrome) == 0 && !*browser_complaints(chrome), "%s", browser_complaints(chrome));
}

#endif
