/* One command on several processes: see ranks.h. */
#define _GNU_SOURCE
#include "ranks/ranks.h"

#include "common/text.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sched.h>
#endif
#ifdef CAROM_MPI
#include <mpi.h>
#endif

static int own_rank, rank_count = 1, on_this_machine = 1;
static uint64_t bytes_sent;

int ranks_count(void) { return rank_count; }
int ranks_own(void) { return own_rank; }
uint64_t ranks_sent(void) { return bytes_sent; }

/* --- the launcher ------------------------------------------------------------------------------------------------ */

/* Open MPI, MPICH and its kin, and what speaks PMIx, such as srun. */
static const char *const rank_names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
static const char *const size_names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
enum { RANK_NAMES = sizeof rank_names / sizeof rank_names[0], SIZE_NAMES = sizeof size_names / sizeof size_names[0] };

bool ranks_launched(void) {
    for (int i = 0; i < RANK_NAMES; i++)
        if (getenv(rank_names[i])) return true;
    return false;
}

/* Did a launcher start others with this one? Where it does not tell how many, they may be. */
static bool has_company(void) {
    for (int i = 0; i < SIZE_NAMES; i++)
        if (getenv(size_names[i])) return atoi(getenv(size_names[i])) > 1;
    return ranks_launched();
}

static bool is_first(void) {
    for (int i = 0; i < RANK_NAMES; i++)
        if (getenv(rank_names[i])) return atoi(getenv(rank_names[i])) == 0;
    return true;
}

int ranks_threads(void) {
    long threads = sysconf(_SC_NPROCESSORS_ONLN) / on_this_machine;
#if defined(__linux__)
    cpu_set_t bound;
    if (sched_getaffinity(0, sizeof bound, &bound) == 0 && CPU_COUNT(&bound) < threads) threads = CPU_COUNT(&bound);
#endif
    return threads < 1 ? 1 : threads > 1024 ? 1024 : (int)threads;
}

#ifndef CAROM_MPI

int ranks_start(void) {
    if (!has_company()) return 0;
    if (!is_first()) messages_hold();
    return complain(EXIT_INPUT, "a launcher started several processes, and this carom was built without MPI");
}

int ranks_end(int code) { return code; }
int ranks_agree(int code, uint32_t order) {
    (void)order;
    return code;
}
void ranks_from(int root, void *bytes, size_t size) { (void)root, (void)bytes, (void)size; }
void ranks_collect(const void *own, size_t size, void *all) { memcpy(all, own, size); }
void ranks_swap(const block *out, int to, block *in, int from) {
    if (to == from) block_put(in, out->bytes, out->size);
}
void ranks_post(const block *message, int to) { (void)message, (void)to; }
int ranks_hear(block *message) {
    (void)message;
    return RANKS_NONE;
}
bool ranks_all_here(void) { return true; }

#else

/* A message of MPI has no more bytes than an int counts. */
enum { PIECE = 1 << 30, TAG = 1, POST_TAG = 2 };

static const char ended[] =
    "carom: ended by what started it: another process of the check has died, or it was told to; "
    "nothing was written, but for what --resume keeps\n";

/* The launcher ends all where one has died. What the first process then says is all that is said: with -q the
 * launcher is silent. */
static void say_ended(int number) {
    (void)number;
    if (write(STDERR_FILENO, ended, sizeof ended - 1) < 0) _exit(EXIT_INTERNAL);
    _exit(EXIT_INTERNAL);
}

/* A launcher may give a process what looks like a terminal: each line would then be written, and taken, alone. */
enum { OUTPUT_BYTES = 1 << 16 };

int ranks_start(void) {
    if (!has_company()) return 0;
    if (is_first()) signal(SIGTERM, say_ended);
    setvbuf(stdout, NULL, _IOFBF, OUTPUT_BYTES);
    int given = 0;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given);
    MPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
    MPI_Comm machine;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, own_rank, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &on_this_machine);
    MPI_Comm_free(&machine);
    if (own_rank > 0) messages_hold();
    return 0;
}

int ranks_end(int code) {
    int started = 0;
    MPI_Initialized(&started);
    if (!started) return code;
    fflush(NULL);
    MPI_Finalize();
    return own_rank == 0 ? code : 0;
}

void ranks_from(int root, void *bytes, size_t size) {
    if (rank_count == 1) return;
    for (size_t done = 0; done < size; done += PIECE) {
        const size_t left = size - done;
        MPI_Bcast((char *)bytes + done, left < PIECE ? (int)left : PIECE, MPI_BYTE, root, MPI_COMM_WORLD);
    }
    if (own_rank == root) bytes_sent += size * (uint64_t)(rank_count - 1);
}

void ranks_collect(const void *own, size_t size, void *all) {
    if (rank_count == 1) {
        memcpy(all, own, size);
        return;
    }
    MPI_Allgather(own, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE, MPI_COMM_WORLD);
    bytes_sent += size * (uint64_t)(rank_count - 1);
}

void ranks_swap(const block *out, int to, block *in, int from) {
    if (to == own_rank && from == own_rank) {
        block_put(in, out->bytes, out->size);
        return;
    }
    const uint64_t going = to == RANKS_NONE ? 0 : out->size;
    uint64_t coming = 0;
    MPI_Sendrecv(&going, sizeof going, MPI_BYTE, to == RANKS_NONE ? MPI_PROC_NULL : to, TAG, &coming, sizeof coming,
                 MPI_BYTE, from == RANKS_NONE ? MPI_PROC_NULL : from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    unsigned char *room = coming > 0 ? block_add(in, (size_t)coming) : NULL;
    const uint64_t most = going > coming ? going : coming;
    for (uint64_t done = 0; done < most; done += PIECE) {
        const uint64_t send = done < going ? going - done : 0, receive = done < coming ? coming - done : 0;
        MPI_Sendrecv(send > 0 ? out->bytes + done : NULL, send < PIECE ? (int)send : PIECE, MPI_BYTE,
                     send > 0 ? to : MPI_PROC_NULL, TAG, receive > 0 ? room + done : NULL,
                     receive < PIECE ? (int)receive : PIECE, MPI_BYTE, receive > 0 ? from : MPI_PROC_NULL, TAG,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    bytes_sent += going;
}

/* First how many bytes: so few that they are sent at once. */
void ranks_post(const block *message, int to) {
    const uint64_t size = message->size;
    MPI_Send(&size, sizeof size, MPI_BYTE, to, POST_TAG, MPI_COMM_WORLD);
    for (uint64_t done = 0; done < size; done += PIECE)
        MPI_Send(message->bytes + done, size - done < PIECE ? (int)(size - done) : PIECE, MPI_BYTE, to, POST_TAG,
                 MPI_COMM_WORLD);
    bytes_sent += size;
}

int ranks_hear(block *message) {
    int waits = 0;
    MPI_Status status;
    if (rank_count == 1) return RANKS_NONE;
    MPI_Iprobe(MPI_ANY_SOURCE, POST_TAG, MPI_COMM_WORLD, &waits, &status);
    if (!waits) return RANKS_NONE;
    uint64_t size = 0;
    MPI_Recv(&size, sizeof size, MPI_BYTE, status.MPI_SOURCE, POST_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    unsigned char *room = block_add(message, (size_t)size);
    for (uint64_t done = 0; done < size; done += PIECE)
        MPI_Recv(room + done, size - done < PIECE ? (int)(size - done) : PIECE, MPI_BYTE, status.MPI_SOURCE, POST_TAG,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return status.MPI_SOURCE;
}

bool ranks_all_here(void) {
    static MPI_Request asked = MPI_REQUEST_NULL;
    int all = 0;
    if (rank_count == 1) return true;
    if (asked == MPI_REQUEST_NULL) MPI_Ibarrier(MPI_COMM_WORLD, &asked);
    MPI_Test(&asked, &all, MPI_STATUS_IGNORE);
    return all != 0;
}

typedef struct verdict {
    int code;
    uint32_t order;
} verdict;

int ranks_agree(int code, uint32_t order) {
    if (rank_count == 1) return code;
    verdict *all = allocate((size_t)rank_count, sizeof *all);
    const verdict own = {code, order};
    ranks_collect(&own, sizeof own, all);
    int chosen = -1;
    for (int i = 0; i < rank_count; i++)
        if (all[i].code != 0 && (chosen < 0 || all[i].order < all[chosen].order)) chosen = i;
    if (chosen >= 0) code = all[chosen].code;
    free(all);
    char *held = messages_take();
    block said = {0}, heard = {0};
    if (own_rank == chosen) block_put_text(&said, held);
    if (chosen > 0 && own_rank == chosen) ranks_swap(&said, 0, &heard, RANKS_NONE);
    if (chosen > 0 && own_rank == 0) ranks_swap(&said, RANKS_NONE, &heard, chosen);
    if (own_rank == 0) {
        char *text = chosen > 0 ? block_take_text(&heard) : copy_text(held);
        fputs(text, stderr);
        free(text);
    } else {
        messages_hold();
    }
    block_free(&said);
    block_free(&heard);
    free(held);
    return code;
}

#endif

void ranks_wait(void) {
    const struct timespec moment = {.tv_nsec = 200000};
    nanosleep(&moment, NULL);
}

/* --- made of these ----------------------------------------------------------------------------------------------- */

void ranks_to_all(const block *own, ranks_taker *take, void *user) {
    for (int i = 0; i < rank_count; i++) {
        const int to = (own_rank + i) % rank_count, from = (own_rank - i + rank_count) % rank_count;
        block in = {0};
        ranks_swap(own, to, &in, from);
        take(user, from, &in);
        block_free(&in);
    }
}

void ranks_to_first(const block *own, ranks_taker *take, void *user) {
    block none = {0};
    if (own_rank > 0) {
        ranks_swap(own, 0, &none, RANKS_NONE);
        return;
    }
    block in = *own;
    take(user, 0, &in);
    for (int i = 1; i < rank_count; i++) {
        in = none;
        ranks_swap(&none, RANKS_NONE, &in, i);
        take(user, i, &in);
        block_free(&in);
    }
}
