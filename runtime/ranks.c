/* The books of ranks (ranks.h): who has which bytes of which array, and who therefore sends what to whom.
 *
 * Of a loop all ranks work out what each of them needs, in the same order, so that messages need no heads: the n-th
 * that one sends to another is the n-th that the other expects.  What a rank has already is not sent again.  A rank
 * takes what it lacks from the nearest one that has it.  Everything happens in the thread that runs the program. */
#include "runtime/ranks.h"
#include "runtime/host.h"
#include "runtime/ranks_blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int omp_in_parallel(void) __attribute__((weak)); /* where OpenMP is linked */

/* An array that does not lie whole everywhere; of each rank: what is right, what it needs, what it will change; blocks
 * that it has besides, until somebody changes the rows in which they lie, and those that it needs */
typedef struct Array {
    const void *data;
    int64_t size;
    Runs *right, *need, *own;
    Blocks *copies, *blocks;
    Runs lost;          /* here, and to be spoilt (DSL_MPI_POISON) */
    bool wanted;        /* by what is being parted */
    struct Array *next; /* in its bucket */
} Array;

/* What went out at a place of the program */
typedef struct Place { const dsl_site *at; int64_t times, messages, bytes; } Place;

enum { BUCKETS = 256, FEW_ROWS = 1 << 18, EVEN = 4096, LITTLE_WORK = 100000, LATE = 20 /* seconds */ };

static struct {
    const dsl_engine *engine;
    Array *buckets[BUCKETS];
    int64_t least;            /* work that is worth sending rows for */
    bool poison, explain;
    bool unseen;              /* a loop was parted, and the ranks have not met since */
    bool alone;               /* each rank runs turns of its own, maybe several in threads, which only read the books */
    /* That is being parted; idle: the rank that was asked for last has no iterations of it */
    struct { int64_t extent, rows, scale, offset; bool apart, idle; } loop;
    dsl_bytes *out, *in;
    int nout, nin, capout, capin;
    Array **wanted;           /* in the order in which they were named */
    int nwanted, capwanted;
    Place *places;
    int nplaces;
} books;

static int ranks(void) { return books.engine ? books.engine->size : 1; }

/* ---- arrays in the books */

static Array **bucket(const void *data) { return &books.buckets[((uintptr_t)data >> 6) % BUCKETS]; }

static Array *find(const void *data) {
    Array *a = *bucket(data);
    while (a && a->data != data) a = a->next;
    return a;
}

static Array *enter(const void *data, int64_t size) {
    size_t n = (size_t)ranks();
    Array *a = dsl_ranks_memory(NULL, sizeof *a), **head = bucket(data);
    Runs *sets = dsl_ranks_memory(NULL, 3 * n * sizeof *sets);
    Blocks *blocks = dsl_ranks_memory(NULL, 2 * n * sizeof *blocks);
    memset(sets, 0, 3 * n * sizeof *sets);
    memset(blocks, 0, 2 * n * sizeof *blocks);
    *a = (Array){.data = data, .size = size, .right = sets, .need = sets + n, .own = sets + 2 * n, .next = *head};
    a->copies = blocks, a->blocks = blocks + n;
    return *head = a;
}

static void forget(const void *data) {
    Array **at = bucket(data);
    while (*at && (*at)->data != data) at = &(*at)->next;
    Array *a = *at;
    if (!a) return;
    *at = a->next;
    for (int p = 0; p < ranks(); p++) {
        runs_free(&a->right[p]), runs_free(&a->need[p]), runs_free(&a->own[p]);
        blocks_free(&a->copies[p]), blocks_free(&a->blocks[p]);
    }
    runs_free(&a->lost);
    free(a->right);
    free(a->copies);
    free(a);
}

static void released(const dsl_array *a) { forget(a->data); }

static int64_t bytes_of(const dsl_array *a) { return a->count * dsl_dtype_bytes(a->dtype); }

/* A copy has what its original has: here no more is touched. */
static void copied(const dsl_array *from, dsl_array *to) {
    const Array *a = find(from->data);
    if (!a) {
        memcpy(to->data, from->data, (size_t)bytes_of(from));
        return;
    }
    Array *c = enter(to->data, a->size);
    for (int p = 0; p < ranks(); p++) runs_copy(&c->right[p], &a->right[p]);
    const Runs *here = &a->right[books.engine->rank];
    for (int i = 0; i < here->n; i++)
        memcpy((char *)to->data + here->v[i].from, (const char *)from->data + here->v[i].from,
               (size_t)(here->v[i].to - here->v[i].from));
}

static bool is_whole(const Array *a) {
    for (int p = 0; p < ranks(); p++)
        if (a->size && (a->right[p].n != 1 || a->right[p].v[0].from > 0 || a->right[p].v[0].to < a->size)) return false;
    return true;
}

/* For tests: what is out of date here is made so that nobody takes it for right. */
static void spoil(void) {
    for (int i = 0; books.poison && i < BUCKETS; i++)
        for (Array *a = books.buckets[i]; a; a = a->next) {
            for (int k = 0; k < a->lost.n; k++)
                memset((char *)(uintptr_t)a->data + a->lost.v[k].from, 0xff,
                       (size_t)(a->lost.v[k].to - a->lost.v[k].from));
            a->lost.n = 0;
        }
}

/* ---- whose iterations */

/* The first row that is at home in rank p.  Of many rows, borders are where chunks of reductions and scans end. */
static int64_t first_row(int64_t rows, int64_t p) {
    int64_t n = ranks(), row = rows / n * p + rows % n * p / n;
    return rows / FEW_ROWS >= n && p < n ? row / EVEN * EVEN : row;
}

static int64_t ceildiv(int64_t x, int64_t by) { return x > 0 ? (x - 1) / by + 1 : -(-x / by); }

static int64_t first_iteration(int64_t p) {
    if (p <= 0) return 0;
    if (p >= ranks()) return books.loop.extent;
    int64_t i = ceildiv(first_row(books.loop.rows, p) - books.loop.offset, books.loop.scale);
    return i < 0 ? 0 : i > books.loop.extent ? books.loop.extent : i;
}

int64_t dsl_ranks_part(int64_t extent, int64_t rows, int64_t scale, int64_t offset, int64_t work, int n,
                       const void *const *x) {
    if (books.alone) return 0;
    books.loop.extent = extent, books.loop.rows = rows, books.loop.scale = scale, books.loop.offset = offset;
    bool apart = work >= books.least;
    for (int i = 0; i < n && !apart && ranks() > 1; i++) apart = find(x[i]) != NULL;
    books.loop.apart = apart && ranks() > 1 && extent > 0;
    spoil();
    return books.loop.apart ? ranks() : 0;
}

void dsl_ranks_share(int64_t p, int64_t *from, int64_t *to) {
    *from = first_iteration(p), *to = first_iteration(p + 1);
    books.loop.idle = *from >= *to;
}

/* ---- what they need */

static void want(Array *a) {
    if (a->wanted) return;
    if (books.nwanted == books.capwanted) {
        books.capwanted = 2 * books.capwanted + 8;
        books.wanted = dsl_ranks_memory(books.wanted, sizeof *books.wanted * (size_t)books.capwanted);
    }
    a->wanted = true;
    books.wanted[books.nwanted++] = a;
}

/* The bytes of the rows from..to, those that there are */
static Run span_of(int64_t rows, int64_t bytes, int64_t from, int64_t to) {
    from = from < 0 ? 0 : from, to = to > rows ? rows : to;
    return from < to ? (Run){from * bytes, to * bytes} : (Run){0, 0};
}

void dsl_ranks_need(const void *x, int64_t rows, int64_t bytes, int64_t p, int64_t from, int64_t to) {
    Array *a = find(x);
    Run r = span_of(rows, bytes, from, to);
    if (!a || r.from >= r.to || books.loop.idle) return;
    want(a);
    runs_add(&a->need[p], r.from, r.to);
}

void dsl_ranks_columns(const void *x, int64_t rows, int64_t bytes, int64_t columns, int64_t p, int64_t from, int64_t to,
                     int64_t first, int64_t end) {
    Array *a = find(x);
    first = first < 0 ? 0 : first, end = end > columns ? columns : end;
    if (first == 0 && end == columns) dsl_ranks_need(x, rows, bytes, p, from, to);
    from = from < 0 ? 0 : from, to = to > rows ? rows : to;
    if (!a || first >= end || end - first == columns || from >= to || books.loop.idle) return;
    want(a);
    int64_t width = bytes / columns;
    blocks_add(&a->blocks[p], (Block){bytes, from, to, first * width, end * width});
}

void dsl_ranks_own(const void *x, int64_t rows, int64_t bytes, int64_t p, int64_t from, int64_t to) {
    Array *a = find(x);
    Run r = span_of(rows, bytes, from, to);
    if (r.from >= r.to || books.loop.idle) return;
    if (!a) {
        a = enter(x, rows * bytes);
        for (int q = 0; q < ranks(); q++) runs_add(&a->right[q], 0, a->size);
    }
    want(a);
    runs_add(&a->need[p], r.from, r.to);
    runs_add(&a->own[p], r.from, r.to);
}

/* ---- messages */

static void note(dsl_bytes **list, int *n, int *cap, dsl_bytes b) {
    if (*n == *cap) {
        *cap = 2 * *cap + 16;
        *list = dsl_ranks_memory(*list, sizeof **list * (size_t)*cap);
    }
    (*list)[(*n)++] = b;
}

/* what: a hash of all that travels */
typedef struct { int64_t messages, bytes; uint64_t what; } Traffic;

static uint64_t hash(uint64_t h, int64_t x) { return (h ^ (uint64_t)x) * 0x100000001b3u; }

/* at: where it begins in the array; sent[from]: `from` has sent something to the same rank already */
static void send(Traffic *t, const Array *a, int from, int to, int64_t at, dsl_bytes b, bool *sent) {
    b.at = (char *)(uintptr_t)a->data + at;
    t->messages += !sent[from], t->bytes += b.n * b.times;
    sent[from] = true;
    t->what = hash(hash(hash(hash(t->what, from * ranks() + to), at), b.n), b.times);
    if (books.engine->rank == from) b.peer = to, note(&books.out, &books.nout, &books.capout, b);
    if (books.engine->rank == to) b.peer = from, note(&books.in, &books.nin, &books.capin, b);
}

static bool has_byte(const Array *a, int p, int64_t at) { return runs_meet(&a->right[p], at, at + 1).from == at; }

/* The nearest rank that has the byte `at` of a, which p lacks: below p, above it, and so on */
static int nearest(const Array *a, int p, int64_t at) {
    for (int d = 1; d < ranks(); d++)
        for (int side = -1; side <= 1; side += 2) {
            int q = p + side * d;
            if (q >= 0 && q < ranks() && has_byte(a, q, at)) return q;
        }
    fprintf(stderr, "internal error: nobody has byte %lld of an array\n", (long long)at);
    abort();
}

/* p gets what it lacks of r; sent[q]: q has sent it something already */
static void bring(Traffic *t, const Array *a, int p, Run r, bool *sent) {
    while (r.from < r.to) {
        Run has = runs_meet(&a->right[p], r.from, r.to);
        if (has.from == r.from) {
            r.from = has.to;
            continue;
        }
        int q = nearest(a, p, r.from);
        Run part = runs_meet(&a->right[q], r.from, has.from);
        send(t, a, q, p, part.from, (dsl_bytes){.n = part.to - part.from, .times = 1}, sent);
        r.from = part.to;
    }
}

/* How many of the next n rows of b rank q has */
static int64_t rows_there(const Runs *right, Block b, int64_t n) {
    int64_t at = b.from * b.stride, end = runs_meet(right, at + b.first, at + n * b.stride).to;
    if (runs_meet(right, at + b.first, at + b.first + 1).from != at + b.first || end < at + b.end) return 0;
    return (end - at - b.end) / b.stride + 1;
}

/* The rows of b, of which p has none, or a part of the first: from whom they are, and for how many that is so */
static int64_t bring_rows(Traffic *t, const Array *a, int p, Block b, int64_t n, bool *sent) {
    int64_t at = b.from * b.stride;
    bool part = has_byte(a, p, at + b.first);
    int q = part ? p : nearest(a, p, at + b.first);
    n = part ? 0 : rows_there(&a->right[q], b, n);
    if (n) send(t, a, q, p, at + b.first, (dsl_bytes){.n = b.end - b.first, .times = n, .stride = b.stride}, sent);
    else bring(t, a, p, (Run){at + b.first, at + b.end}, sent), n = 1;
    return n;
}

/* p gets what it lacks of b, and does not get anyway. */
static void bring_block(Traffic *t, const Array *a, int p, Block b, bool *sent) {
    while (b.from < b.to) {
        int64_t at = b.from * b.stride, n = b.to - b.from, there = rows_there(&a->right[p], b, n), lacks;
        if (!there) there = rows_there(&a->need[p], b, n);
        if (!there) there = blocks_cover(&a->copies[p], b);
        if (there) {
            b.from += there;
            continue;
        }
        /* up to where it has something again, whichever row that is in */
        int64_t next = runs_meet(&a->right[p], at + b.end, at + n * b.stride).from;
        lacks = (next - at) / b.stride;
        lacks = lacks < 1 ? 1 : lacks > n ? n : lacks;
        b.from += bring_rows(t, a, p, b, lacks, sent);
    }
}

static bool same_place(const dsl_site *x, const dsl_site *y) {
    return x == y || (x->line == y->line && x->col == y->col && !strcmp(x->file, y->file));
}

static void tell(const dsl_site *at, Traffic t) {
    int i = 0;
    while (i < books.nplaces && !same_place(books.places[i].at, at)) i++;
    if (i == books.nplaces) {
        books.places = dsl_ranks_memory(books.places, sizeof *books.places * (size_t)++books.nplaces);
        books.places[i] = (Place){.at = at};
    }
    Place *p = &books.places[i];
    p->times++, p->messages += t.messages, p->bytes += t.bytes;
}

/* Everybody gets what they have said to need. */
static void travel(const dsl_site *at) {
    Traffic t = {0};
    books.nout = books.nin = 0;
    bool *sent = dsl_ranks_memory(NULL, sizeof *sent * (size_t)ranks());
    for (int p = 0; p < ranks(); p++) {
        memset(sent, 0, sizeof *sent * (size_t)ranks());
        for (int i = 0; i < books.nwanted; i++) {
            const Array *a = books.wanted[i];
            for (int k = 0; k < a->need[p].n; k++) bring(&t, a, p, a->need[p].v[k], sent);
            for (int k = 0; k < a->blocks[p].n; k++) bring_block(&t, a, p, a->blocks[p].v[k], sent);
        }
    }
    free(sent);
    books.engine->travel(at, t.what, books.out, books.nout, books.in, books.nin);
    if (t.messages && books.explain) tell(at, t);
}

static DSL_COLD void fail_twice(const dsl_site *at) {
    fprintf(stderr, "internal error: two processes change the same rows, at %s:%d\n", at->file, at->line);
    abort();
}

static void change_hands(const dsl_site *at, Array *a, int p) {
    for (int k = 0; k < a->own[p].n; k++) {
        Run r = a->own[p].v[k];
        for (int q = 0; q < ranks(); q++) {
            if (q == p) continue;
            for (int i = 0; i < a->own[q].n; i++)
                if (a->own[q].v[i].from < r.to && r.from < a->own[q].v[i].to) fail_twice(at);
            runs_remove(&a->right[q], r.from, r.to);
            blocks_drop(&a->copies[q], r.from, r.to);
            if (q == books.engine->rank && books.poison) runs_add(&a->lost, r.from, r.to);
        }
    }
}

static void settle_blocks(Array *a, int p) {
    for (int k = 0; k < a->blocks[p].n; k++) {
        Block b = a->blocks[p].v[k];
        blocks_add(&a->copies[p], b);
        for (int64_t i = b.from; p == books.engine->rank && a->lost.n && i < b.to; i++)
            runs_remove(&a->lost, i * b.stride + b.first, i * b.stride + b.end);
    }
    a->blocks[p].n = 0;
}

static void settle(const dsl_site *at, Array *a) {
    for (int p = 0; p < ranks(); p++) {
        for (int k = 0; k < a->need[p].n; k++) {
            runs_add(&a->right[p], a->need[p].v[k].from, a->need[p].v[k].to);
            if (p == books.engine->rank) runs_remove(&a->lost, a->need[p].v[k].from, a->need[p].v[k].to);
        }
        a->need[p].n = 0;
        settle_blocks(a, p);
    }
    for (int p = 0; p < ranks(); p++) change_hands(at, a, p);
    for (int p = 0; p < ranks(); p++) a->own[p].n = 0;
    a->wanted = false;
    if (is_whole(a)) forget(a->data);
}

static void exchange(const dsl_site *at) {
    travel(at);
    for (int i = 0; i < books.nwanted; i++) settle(at, books.wanted[i]);
    books.nwanted = 0;
}

void dsl_ranks_exchange(const dsl_site *at, int64_t extent, int64_t *from, int64_t *to) {
    *from = 0, *to = extent;
    if (books.alone || !books.loop.apart) return;
    exchange(at);
    books.unseen = true;
    *from = first_iteration(books.engine->rank), *to = first_iteration(books.engine->rank + 1);
}

static void bring_to(const dsl_site *at, const void *x, int64_t rows, int64_t bytes, int64_t from, int64_t to,
                     int ends) {
    if (books.alone) return;
    Array *a = find(x);
    Run r = span_of(rows, bytes, from, to);
    if (!a || r.from >= r.to) return;
    spoil();
    want(a);
    for (int p = 0; p < ends; p++) runs_add(&a->need[p], r.from, r.to);
    exchange(at);
}

void dsl_ranks_allgather(const dsl_site *at, const void *x, int64_t rows, int64_t bytes, int64_t from, int64_t to) {
    bring_to(at, x, rows, bytes, from, to, ranks());
}

void dsl_ranks_whole(const dsl_site *at, const dsl_array *a, bool all) {
    bring_to(at, a->data, 1, bytes_of(a), 0, 1, all ? ranks() : 1);
}

const void *dsl_ranks_element(const dsl_site *at, const dsl_array *a, int64_t i) {
    int64_t bytes = dsl_dtype_bytes(a->dtype);
    bring_to(at, a->data, a->count, bytes, i, i + 1, ranks());
    return (const char *)a->data + i * bytes;
}

/* ---- the rest of the program */

int dsl_ranks_threads(void) { return books.alone ? dsl_threads() : dsl_threads() * ranks(); }

/* What threads compute beside each other each process computes for itself. */
bool dsl_ranks_many(void) { return ranks() > 1 && !books.alone && !(omp_in_parallel && omp_in_parallel()); }

bool dsl_ranks_alone_begin(void) {
    if (books.alone) return false;
    return books.alone = true;
}

void dsl_ranks_alone_end(bool outermost) {
    if (outermost) books.alone = false;
}

bool dsl_ranks_first(void) { return !books.engine || !books.engine->rank; }

void dsl_ranks_agree(void *p, size_t n) {
    if (ranks() > 1) books.engine->agree(p, n);
}

void dsl_ranks_meet(void) {
    if (ranks() > 1) books.engine->meet();
    books.unseen = false;
}

void dsl_ranks_look(void) {
    if (books.unseen && !books.alone) dsl_ranks_meet();
}

/* What fails in all ranks is told by the first one, which ends the others while they wait here: not for ever, should it
 * have been ended itself. */
static void fails_first(void) {
    int turn = books.engine->rank < 8 ? books.engine->rank : 8;
    if (turn) usleep((useconds_t)turn * 250000);
    if (!books.engine->claim || books.engine->claim()) return;
    sleep(LATE);
    _exit(1);
}

static int by_bytes(const void *x, const void *y) {
    int64_t a = ((const Place *)x)->bytes, b = ((const Place *)y)->bytes;
    return (a < b) - (a > b);
}

static void explain(void) {
    Place all = {0};
    if (books.places) qsort(books.places, (size_t)books.nplaces, sizeof *books.places, by_bytes);
    for (int i = 0; i < books.nplaces; i++) {
        const Place *p = &books.places[i];
        const dsl_site *at = p->at;
        while (at && !at->text && at->caller) at = at->caller;
        fprintf(stderr, "%s:%d:%d: %lld message%s, %lld bytes, in %lld exchange%s\n", at ? at->file : "?",
                at ? at->line : 0, at ? at->col : 0, (long long)p->messages, p->messages == 1 ? "" : "s",
                (long long)p->bytes, (long long)p->times, p->times == 1 ? "" : "s");
        all.messages += p->messages, all.bytes += p->bytes;
    }
    fprintf(stderr, "%d processes: %lld messages, %lld bytes\n", ranks(), (long long)all.messages,
            (long long)all.bytes);
}

void dsl_ranks_begin(const dsl_engine *engine) {
    const char *least = getenv("DSL_MPI_LEAST");
    books.engine = engine;
    books.least = least ? atoll(least) : LITTLE_WORK;
    books.poison = getenv("DSL_MPI_POISON") != NULL;
    books.explain = getenv("DSL_EXPLAIN_MESSAGES") != NULL && engine->rank == 0;
    if (books.explain) atexit(explain);
    if (engine->size == 1) return;
    dsl_released = released, dsl_copies = copied;
    dsl_fails_first = fails_first, dsl_stops = engine->stop;
    if (engine->rank && !freopen("/dev/null", "w", stdout)) engine->stop(1);
}
