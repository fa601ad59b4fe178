/* Processes that run one program together: its ranks.
 *
 * Each runs the whole program, with the same scalars, but of a parted loop only its own iterations.  An array has its
 * full extent in each of them; memory that a rank never touches takes none.  All ranks keep the same books: which bytes
 * of each array are right in which rank.  So each knows, without asking, who has to send what to whom.  An array that
 * is not in the books is right everywhere.
 *
 * How bytes travel is an engine's business (runtime/mpi/engine.c). */
#ifndef DSL_RANKS_H
#define DSL_RANKS_H

#include "dsl.h"

/* ---- the engine */
/* n bytes, so many times, each so far behind the one before */
typedef struct dsl_bytes { int peer; void *at; int64_t n, times, stride; } dsl_bytes;
typedef struct dsl_engine {
    int size, rank;
    /* Sends and receives, all at once; of one peer's the order is that in which the peer names them.  Called by all,
     * for the same place and with the same hash of all that travels, even where nothing does. */
    void (*travel)(const dsl_site *at, uint64_t what, const dsl_bytes *out, int nout, const dsl_bytes *in, int nin);
    void (*agree)(void *p, size_t n); /* what the first rank has there, all have */
    void (*meet)(void);               /* nobody goes on before all are here */
    bool (*claim)(void);              /* the first to ask may tell of a failure; NULL: each */
    void (*stop)(int status);         /* ends all of them */
} dsl_engine;
void dsl_ranks_begin(const dsl_engine *engine); /* kept, not copied */
void dsl_mpi_begin(int *argc, char ***argv);    /* of libdslmpi.a: the same with MPI's */

/* ---- for the runtime: in a program of one process these do nothing */
bool dsl_ranks_many(void); /* there is more than one */
void dsl_ranks_agree(void *p, size_t n);

/* ---- for generated code: what is written is written by the first rank, and the others wait */
int dsl_ranks_threads(void); /* of all ranks */
bool dsl_ranks_first(void);
void dsl_ranks_meet(void);
/* Before something is seen that comes behind parted loops: none of their iterations has failed */
void dsl_ranks_look(void);

/* ---- for generated code: the operations of the same names (docs/ir.md).  x: the address of an array's elements, of
 * which it has so many rows of so many bytes */
int64_t dsl_ranks_part(int64_t extent, int64_t rows, int64_t scale, int64_t offset, int64_t work, int n,
                       const void *const *x);
void dsl_ranks_share(int64_t p, int64_t *from, int64_t *to); /* then what p needs, and owns */
void dsl_ranks_need(const void *x, int64_t rows, int64_t bytes, int64_t p, int64_t from, int64_t to);
/* Of these rows, of which each has so many columns, what lies in the columns first..end */
void dsl_ranks_columns(const void *x, int64_t rows, int64_t bytes, int64_t columns, int64_t p, int64_t from, int64_t to,
                     int64_t first, int64_t end);
void dsl_ranks_own(const void *x, int64_t rows, int64_t bytes, int64_t p, int64_t from, int64_t to);
void dsl_ranks_exchange(const dsl_site *at, int64_t extent, int64_t *from, int64_t *to);
void dsl_ranks_allgather(const dsl_site *at, const void *x, int64_t rows, int64_t bytes, int64_t from, int64_t to);
/* The same of all rows, for what looks at a whole array; all: in all ranks, else in the first */
void dsl_ranks_whole(const dsl_site *at, const dsl_array *a, bool all);
const void *dsl_ranks_element(const dsl_site *at, const dsl_array *a, int64_t i);

/* ---- for generated code: turns of a loop that each rank runs by itself.  Between the two nothing is parted, and
 * nothing travels.  outermost: what the first of the two has said */
bool dsl_ranks_alone_begin(void);
void dsl_ranks_alone_end(bool outermost);

#endif
