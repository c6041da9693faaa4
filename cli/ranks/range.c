/* A range of numbers that ranks share: see range.h. */
#include "ranks/range.h"

#include "ranks/queue.h"
#include "ranks/ranks.h"

enum { PIECES_A_RANK = 8 };

typedef struct range {
    uint32_t count, size, first; /* of numbers; of a piece; this rank's first piece */
    void (*run)(void *user, uint32_t first, uint32_t end);
    void *user;
} range;

static void run_piece(const range *r, uint32_t piece) {
    const uint64_t first = (uint64_t)piece * r->size, end = first + r->size;
    r->run(r->user, (uint32_t)first, end < r->count ? (uint32_t)end : r->count);
}

static int run_own(void *user, uint32_t piece) {
    const range *r = user;
    run_piece(r, r->first + piece);
    return 0;
}

static void put_number(void *user, uint32_t piece, block *to) {
    const uint32_t number = ((const range *)user)->first + piece;
    block_put(to, &number, sizeof number);
}

static int run_sent(void *user, block *from) {
    uint32_t number;
    block_take(from, &number, sizeof number);
    run_piece(user, number);
    return 0;
}

void range_run(uint32_t count, uint32_t most, void (*run)(void *user, uint32_t first, uint32_t end), void *user) {
    const uint32_t ranks = (uint32_t)ranks_count(), own = (uint32_t)ranks_own();
    range r = {.count = count, .size = most, .run = run, .user = user};
    if (ranks > 1 && count / (ranks * PIECES_A_RANK) < most) r.size = count / (ranks * PIECES_A_RANK) + 1;
    const uint64_t pieces = ((uint64_t)count + r.size - 1) / r.size;
    r.first = (uint32_t)(pieces * own / ranks);
    const queue_work work = {.count = (uint32_t)(pieces * (own + 1) / ranks) - r.first,
                             .do_own = run_own,
                             .put = put_number,
                             .do_sent = run_sent,
                             .user = &r};
    queue_run(&work);
}
