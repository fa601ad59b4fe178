/* The board (board.h).  Places are told as distances from one of them, since programs lie at an address of their own in
 * each process. */
#include "runtime/mpi/board.h"
#include "runtime/ranks_runs.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { TURNS = 64, NOWHERE = 1, THE_END = 2 };

/* What one process has told: its waits, the last of them with where they are */
typedef struct Wait { _Atomic intptr_t at; _Atomic uint64_t what; } Wait;
typedef struct Seat { _Atomic int64_t turn, rank; Wait waits[TURNS]; } Seat;
typedef struct Board { _Atomic int told; Seat seats[]; } Board;

static Board *board;
static Seat *mine;
static int nseats, *seats_of; /* of each rank; -1: it is on another machine */
static const dsl_site origin = {.line = 1};

static void find_seats(void) {
    int n;
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    seats_of = dsl_ranks_memory(NULL, (size_t)n * sizeof *seats_of);
    for (int i = 0; i < n; i++) seats_of[i] = -1;
    for (int i = 0; i < nseats; i++) seats_of[atomic_load(&board->seats[i].rank)] = i;
}

void board_open(MPI_Comm machine) {
    int here, unit;
    MPI_Aint bytes;
    MPI_Win window;
    MPI_Comm_size(machine, &nseats);
    MPI_Comm_rank(machine, &here);
    bytes = here ? 0 : (MPI_Aint)(sizeof *board + (size_t)nseats * sizeof *mine);
    MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, machine, &board, &window);
    MPI_Win_shared_query(window, 0, &bytes, &unit, &board);
    mine = &board->seats[here];
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!here) atomic_store(&board->told, 0);
    atomic_store(&mine->turn, 0), atomic_store(&mine->rank, rank);
    MPI_Barrier(machine);
    find_seats();
}

bool board_claim(void) { return !board || !atomic_exchange(&board->told, 1); }

/* Of two that come to a turn, at least one sees the other there. */
static void wait_at(intptr_t at, uint64_t what) {
    int64_t turn = atomic_load_explicit(&mine->turn, memory_order_relaxed) + 1;
    Wait *w = &mine->waits[turn % TURNS];
    atomic_store_explicit(&w->at, at, memory_order_relaxed);
    atomic_store_explicit(&w->what, what, memory_order_relaxed);
    atomic_store(&mine->turn, turn);
}

void board_wait_at(const dsl_site *at, uint64_t what) {
    wait_at(at ? ((intptr_t)at - (intptr_t)&origin) * 4 : NOWHERE, what);
}
void board_end(void) { wait_at(THE_END, 0); }

static const dsl_site *site_of(intptr_t at) {
    return at % 4 || !at ? NULL : (const dsl_site *)((intptr_t)&origin + at / 4);
}

typedef struct { intptr_t at; uint64_t what; } Waited;

static bool knows(const Seat *other, int64_t turn) {
    int64_t ahead = atomic_load(&other->turn) - turn;
    return ahead >= 0 && ahead < TURNS / 2;
}

/* Where the other was, or is, at this process's turn; false: it is not there yet, or long since, or goes on so fast
 * that it may have written over it.  (Who sends little need not wait, and may be far ahead.) */
static bool wait_of(const Seat *other, int64_t turn, Waited *out) {
    if (!knows(other, turn)) return false;
    const Wait *w = &other->waits[turn % TURNS];
    *out = (Waited){atomic_load(&w->at), atomic_load(&w->what)};
    return knows(other, turn);
}

static void say_where(int64_t rank, intptr_t where, const dsl_site *told) {
    const dsl_site *site = site_of(where);
    if (where == THE_END) dsl_say_note(NULL, "process %lld is at the program's end", (long long)rank);
    else if (site && site != told) dsl_say_note(site, "process %lld is here", (long long)rank);
}

/* Of a process that has ended the program in a C function, with the place of the call; NULL: this one has not */
static const dsl_site *say_left(intptr_t here) {
    const char *function;
    const dsl_site *call = here == THE_END ? dsl_calling(&function) : NULL;
    if (call) dsl_say_error(call, "E0647", "the C function '%s' has ended one process, and others go on", function);
    return call;
}

/* At the place of the one that still is somewhere */
static const dsl_site *say_apart(intptr_t here, intptr_t there, const char *why) {
    const dsl_site *at = site_of(here) ? site_of(here) : site_of(there);
    dsl_say_error(at, "E0647", "%s", why);
    return at;
}

static Waited own_wait(void) {
    const Wait *w = &mine->waits[atomic_load_explicit(&mine->turn, memory_order_relaxed) % TURNS];
    return (Waited){atomic_load(&w->at), atomic_load(&w->what)};
}

static DSL_COLD void fail(const char *why, const Seat *other, const Waited *theirs) {
    intptr_t here = own_wait().at, there = theirs ? theirs->at : here;
    const dsl_site *at = say_left(here);
    bool left = at != NULL;
    if (!left) at = say_apart(here, there, why);
    if (here != there && !left) say_where(atomic_load(&mine->rank), here, at);
    if (here != there) say_where(atomic_load(&other->rank), there, at);
    dsl_say_hint("what files, C functions and the environment give must be the same in each process");
    dsl_stop(1);
}

void board_fail(const char *why) { fail(why, NULL, NULL); }

static void look_at(const Seat *other) {
    Waited theirs, own = own_wait();
    if (!wait_of(other, atomic_load_explicit(&mine->turn, memory_order_relaxed), &theirs)) return;
    if (DSL_UNLIKELY(theirs.at != own.at || theirs.what != own.what))
        fail("the processes of the program no longer do the same", other, &theirs);
}

void board_look(void) {
    for (int i = 0; i < nseats; i++) look_at(&board->seats[i]);
}

void board_look_at(int rank) {
    if (seats_of[rank] >= 0) look_at(&board->seats[seats_of[rank]]);
}
