/* Work that ranks share: see queue.h.
 *
 * A message is a question, which is empty, or an answer, which begins with a byte: 1, and a piece behind it, or 0. A
 * rank asks only when it has nothing left, and what it is given it does at once; so no rank ever has more to give than
 * before, and one that all others have refused need not ask again. It goes on answering until all are that far. An
 * answer with a piece goes only to a rank that waits for it, so that no two wait for each other. */
#include "ranks/queue.h"

#include "ranks/ranks.h"

typedef struct queue {
    const queue_work *work;
    uint32_t first, end; /* of the pieces that are left */
    int code;
} queue;

static void answer(queue *q, int to) {
    block out = {0};
    const unsigned char gives = q->first < q->end;
    block_put(&out, &gives, sizeof gives);
    if (gives) q->work->put(q->work->user, --q->end, &out);
    ranks_post(&out, to);
    block_free(&out);
}

/* Hears one message; true where it is the answer that is waited for, which `in` then has. */
static bool hear(queue *q, block *in) {
    const int from = ranks_hear(in);
    if (from == RANKS_NONE) return false;
    if (in->size > 0) return true;
    answer(q, from);
    return false;
}

static void answer_all(queue *q) {
    block none = {0};
    int from;
    while ((from = ranks_hear(&none)) != RANKS_NONE) answer(q, from); /* nobody has been asked: it is a question */
    block_free(&none);
}

/* Where a rank can do no more, its pieces are dropped: all end anyway. */
static void set_code(queue *q, int code) {
    if (code == 0 || q->code != 0) return;
    q->code = code;
    q->first = q->end;
}

/* True where that rank gave a piece, which is then done. */
static bool take_from(queue *q, int rank) {
    block in = {0};
    ranks_post(&in, rank);
    while (!hear(q, &in)) ranks_wait();
    unsigned char gives;
    block_take(&in, &gives, sizeof gives);
    if (gives) set_code(q, q->work->do_sent(q->work->user, &in));
    block_free(&in);
    return gives != 0;
}

int queue_run(const queue_work *work) {
    queue q = {.work = work, .end = work->count};
    while (q.first < q.end) {
        set_code(&q, work->do_own(work->user, q.first));
        if (q.first < q.end) q.first++;
        answer_all(&q);
    }
    for (int i = 1; i < ranks_count(); i++)
        while (q.code == 0 && take_from(&q, (ranks_own() + i) % ranks_count())) {
        }
    block none = {0};
    while (!ranks_all_here()) {
        hear(&q, &none);
        ranks_wait();
    }
    block_free(&none);
    return q.code;
}
