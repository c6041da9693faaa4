/* See json_pool.h. Small pieces come from blocks, one behind the other; freed ones of a size wait in a list for the
 * next of that size. Before each piece stands how many steps it takes, 0 for a large one, which malloc holds. */
#include "read/json_pool.h"

#include <jansson.h>

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    POOL_STEP = 16, /* pieces begin at multiples of it */
    POOL_LARGEST = 32 * POOL_STEP,
    POOL_BLOCK = 1 << 18 /* malloc takes so much from the system, as pages that nobody has written to */
};

static struct {
    char *at; /* where the next piece begins */
    size_t left;
    void *freed[POOL_LARGEST / POOL_STEP + 1]; /* each points to the next */
} json_pool;

static void *json_pool_piece(char *at, size_t steps) {
    memcpy(at - sizeof steps, &steps, sizeof steps);
    return at;
}

static void *json_pool_take(size_t size) {
    if (size > SIZE_MAX - POOL_STEP) return NULL;
    if (size > POOL_LARGEST - sizeof size) {
        char *large = malloc(size + POOL_STEP);
        return large ? json_pool_piece(large + POOL_STEP, 0) : NULL;
    }
    const size_t steps = (size + sizeof size + POOL_STEP - 1) / POOL_STEP;
    void *freed = json_pool.freed[steps];
    if (freed) {
        memcpy(&json_pool.freed[steps], freed, sizeof freed);
        return freed;
    }
    if (json_pool.left < steps * POOL_STEP) {
        char *block = malloc(POOL_BLOCK);
        if (!block) return NULL;
        json_pool.at = block + POOL_STEP;
        json_pool.left = POOL_BLOCK - POOL_STEP;
    }
    char *at = json_pool.at;
    json_pool.at += steps * POOL_STEP;
    json_pool.left -= steps * POOL_STEP;
    return json_pool_piece(at, steps);
}

static void json_pool_give(void *piece) {
    size_t steps;
    if (!piece) return;
    memcpy(&steps, (char *)piece - sizeof steps, sizeof steps);
    if (steps == 0) {
        free((char *)piece - POOL_STEP);
        return;
    }
    memcpy(piece, &json_pool.freed[steps], sizeof piece);
    json_pool.freed[steps] = piece;
}

void json_pool_start(void) { json_set_alloc_funcs(json_pool_take, json_pool_give); }
