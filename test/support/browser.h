/* A headless Chromium that a test leads by its DevTools pipe: opens pages, clicks, reads what came of it. */
#ifndef BROWSER_H
#define BROWSER_H

#include <jansson.h>
#include <stdbool.h>

typedef struct browser browser;

/* Starts it, or returns NULL (after saying so loudly) where there is none; then the test must skip().
 * CAROM_CHROMIUM names another than the chromium of the PATH. Every failure later fails the test. */
browser *browser_open(void);
void browser_close(browser *b);

/* What the user prefers: dark colors, no animations. */
enum { BROWSER_DARK = 1, BROWSER_CALM = 2 };

/* Opens a file in a window of this size and waits until `ready`, an expression, is true. */
void browser_go(browser *b, const char *path, const char *hash, int width, int height, unsigned mood,
                const char *ready);

/* Runs a script in every page opened from now on, before the page's own. */
void browser_before(browser *b, const char *script);

/* The value of an expression; a promise is waited for. The caller lets it go. */
json_t *browser_eval(browser *b, const char *expression);

/* As a person would, in pixels of the window. */
void browser_click(browser *b, double x, double y);
void browser_drag(browser *b, double x0, double y0, double x1, double y1);
void browser_wheel(browser *b, double x, double y, double down);
void browser_key(browser *b, const char *key, int code);

/* Saves what is seen as a PNG. */
void browser_picture(browser *b, const char *path);

/* Since browser_go: how many requests went anywhere but to the page's own file, and what was complained of (errors,
 * refusals of the page's policy), one a line, "" for nothing. */
int browser_requests(const browser *b);
const char *browser_complaints(const browser *b);

#endif
