/* How ranks talk by MPI.  Compiled by mpicc into libdslmpi.a, which executables of --target=mpi link. */
#include "runtime/host.h"
#include "runtime/mpi/board.h"
#include "runtime/ranks.h"
#include "runtime/ranks_runs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAG = 7, MOST = 1 << 30, TRIES = 1000 }; /* MOST: bytes of one block of a message */

static dsl_engine engine;

/* ---- waiting */

/* Until all are through.  Now and then, first after so many seconds, it looks whether the others come here at all. */
static void await(int n, MPI_Request *requests, double patience) {
    int done = 0;
    double end = MPI_Wtime() + patience;
    for (int tries = 1; !done; tries++) {
        MPI_Testall(n, requests, &done, MPI_STATUSES_IGNORE);
        if (done || tries % TRIES || MPI_Wtime() < end) continue;
        board_look();
        end += 1;
    }
}

static void await_one(MPI_Request request) { await(1, &request, 2); }

/* Messages that do not fit are those of another place. */
static void failed(MPI_Comm *comm, int *code, ...) {
    (void)comm;
    int class, n;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Error_class(*code, &class);
    if (class == MPI_ERR_TRUNCATE || class == MPI_ERR_IN_STATUS) {
        board_look();
        board_fail("the processes of the program no longer do the same");
    }
    MPI_Error_string(*code, text, &n);
    board_fail(text);
}

/* ---- messages: all bytes for one peer are one, of blocks wherever they lie */

typedef struct { MPI_Aint *at; int *length; int n; } Pieces;

static int pieces_for(const dsl_bytes *list, int n, int peer) {
    int64_t count = 0;
    for (int i = 0; i < n; i++)
        if (list[i].peer == peer) count += (list[i].n + MOST - 1) / MOST;
    return (int)count;
}

static void gather_pieces(Pieces *r, const dsl_bytes *list, int n, int peer) {
    for (int i = 0; i < n; i++)
        for (int64_t done = 0; list[i].peer == peer && done < list[i].n; done += MOST) {
            MPI_Get_address((char *)list[i].at + done, &r->at[r->n]);
            r->length[r->n++] = (int)(list[i].n - done < MOST ? list[i].n - done : MOST);
        }
}

/* The type of what lies there, from MPI_BOTTOM on; the caller frees it. */
static MPI_Datatype type_of(const dsl_bytes *list, int n, int peer) {
    size_t count = (size_t)pieces_for(list, n, peer);
    Pieces r = {dsl_ranks_memory(NULL, count * sizeof *r.at), dsl_ranks_memory(NULL, count * sizeof *r.length), 0};
    gather_pieces(&r, list, n, peer);
    MPI_Datatype t;
    MPI_Type_create_hindexed(r.n, r.length, r.at, MPI_BYTE, &t);
    MPI_Type_commit(&t);
    free(r.at);
    free(r.length);
    return t;
}

/* ---- columns travel side by side: MPI takes what lies together at once, and pieces of rows one after the other */

/* bytes: NULL where the blocks travel from where they lie */
typedef struct { int peer; char *bytes; int64_t n; } Parcel;

static Parcel parcel_for(const dsl_bytes *list, int n, int peer) {
    Parcel p = {.peer = peer};
    bool columns = false;
    for (int i = 0; i < n; i++)
        if (list[i].peer == peer) columns |= list[i].times > 1, p.n += list[i].n * list[i].times;
    if (columns) p.bytes = dsl_ranks_memory(NULL, (size_t)p.n);
    return p;
}

static void copy_rows(const dsl_bytes *b, char *packed, bool out) {
    for (int64_t i = 0; i < b->times; i++) {
        char *row = (char *)b->at + i * b->stride, *there = packed + i * b->n;
        memcpy(out ? there : row, out ? row : there, (size_t)b->n);
    }
}

/* Into the parcel, or out of it */
static void pack(const Parcel *p, const dsl_bytes *list, int n, bool out) {
    char *at = p->bytes;
    for (int i = 0; at && i < n; i++) {
        if (list[i].peer != p->peer) continue;
        copy_rows(&list[i], at, out);
        at += list[i].n * list[i].times;
    }
}

/* ---- sending and receiving */

typedef struct { Parcel *parcels; MPI_Request *requests; int n; } Mail;

static bool is_first_for(const dsl_bytes *list, int i) {
    for (int k = 0; k < i; k++)
        if (list[k].peer == list[i].peer) return false;
    return true;
}

static void post(Mail *m, const dsl_bytes *list, int n, int peer, bool out) {
    Parcel p = m->parcels[m->n] = parcel_for(list, n, peer);
    if (out) pack(&p, list, n, true);
    dsl_bytes whole = {peer, p.bytes, p.n, 1, 0};
    MPI_Datatype t = p.bytes ? type_of(&whole, 1, peer) : type_of(list, n, peer);
    if (out) MPI_Isend(MPI_BOTTOM, 1, t, peer, TAG, MPI_COMM_WORLD, &m->requests[m->n++]);
    else MPI_Irecv(MPI_BOTTOM, 1, t, peer, TAG, MPI_COMM_WORLD, &m->requests[m->n++]);
    MPI_Type_free(&t); /* when the message is through */
}

static void post_all(Mail *m, const dsl_bytes *list, int n, bool out) {
    for (int i = 0; i < n; i++) {
        if (!is_first_for(list, i)) continue;
        board_look_at(list[i].peer);
        post(m, list, n, list[i].peer, out);
    }
}

static void travel(const dsl_site *at, uint64_t what, const dsl_bytes *out, int nout, const dsl_bytes *in, int nin) {
    board_wait_at(at, what);
    if (!nout && !nin) return;
    size_t most = (size_t)(nout + nin);
    Mail m = {dsl_ranks_memory(NULL, most * sizeof *m.parcels), dsl_ranks_memory(NULL, most * sizeof *m.requests), 0};
    post_all(&m, in, nin, false);
    int received = m.n;
    post_all(&m, out, nout, true);
    await(m.n, m.requests, 2);
    for (int i = 0; i < m.n; i++) {
        if (i < received) pack(&m.parcels[i], in, nin, false);
        free(m.parcels[i].bytes);
    }
    free(m.parcels), free(m.requests);
}

/* ---- the rest */

static void agree(void *p, size_t n) {
    MPI_Request r;
    board_wait_at(NULL, 0);
    MPI_Ibcast(p, (int)n, MPI_BYTE, 0, MPI_COMM_WORLD, &r);
    await_one(r);
}

static void meet(void) {
    MPI_Request r;
    board_wait_at(NULL, 0);
    MPI_Ibarrier(MPI_COMM_WORLD, &r);
    await_one(r);
}

static void stop(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

/* Ranks of one machine share its cores, unless somebody has said how many threads there are; all have as many. */
static void share_cores(void) {
    int here, threads = dsl_threads();
    MPI_Comm machine;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &here);
    board_open(machine);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    bool said = getenv("DSL_NUM_THREADS") || getenv("OMP_NUM_THREADS");
    if (!said && threads > cores / here) threads = cores / here > 1 ? (int)(cores / here) : 1;
    MPI_Allreduce(MPI_IN_PLACE, &threads, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    dsl_set_threads(threads);
}

/* A program that ends well ends MPI; one that does not has ended all ranks: not while others are in MPI_Finalize, where
 * OpenMPI 4.1 then waits for ever.  A C function that calls exit may have done so in this process alone. */
static void end(void) {
    MPI_Request r;
    board_end();
    MPI_Ibarrier(MPI_COMM_WORLD, &r);
    await(1, &r, 1);
    MPI_Finalize();
}

void dsl_mpi_begin(int *argc, char ***argv) {
    int level;
    MPI_Errhandler handler;
    setenv("OMPI_MCA_opal_signal", "", 0); /* what stops a C function of the user's is told by us */
    MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_create_errhandler(failed, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    engine = (dsl_engine){.travel = travel, .agree = agree, .meet = meet, .claim = board_claim, .stop = stop};
    MPI_Comm_size(MPI_COMM_WORLD, &engine.size);
    MPI_Comm_rank(MPI_COMM_WORLD, &engine.rank);
    share_cores();
    atexit(end);
    dsl_ranks_begin(&engine);
}
