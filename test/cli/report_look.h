/* A report opened in a real browser (page_look.h): its scene and its rows. */
#ifndef REPORT_LOOK_H
#define REPORT_LOOK_H

#include "page_look.h"
#include "report_scene.h"

#include <unistd.h>

enum { PAGE_PATH = 600 };
static report_case fixture;

/* The report of these findings of the fixture as a page, whose path it gives; false after saying why not. */
static bool write_page(const char *name, const findings *found, char path[PAGE_PATH]) {
    char message[300] = "";
    snprintf(path, PAGE_PATH, "%s-%ld.html", scratch_path(name), (long)getpid());
    if (report_write(path, &fixture.model, NULL, found, 0, message, sizeof message)) return true;
    print_error("%s\n", message);
    return false;
}

static void open_page(const char *path, const char *hash, int width, int height, unsigned mood) {
    if (!chrome) skip();
    look_at(path, hash, width, height, mood);
}

/* Goes on with the page of the test before, which is still open. */
static void stay(void) {
    if (!chrome) skip();
}

static void click_row(size_t row) {
    char text[64];
    snprintf(text, sizeof text, "look.rows()[%zu]", row);
    click_at(text);
    assert_true(holds("look.arrived()"));
}

#endif
