/* A report opened in a real browser (page_look.h): its scene and its rows. */
#ifndef REPORT_LOOK_H
#define REPORT_LOOK_H

#include "page_look.h"

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
