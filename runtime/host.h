/* Compiled code inside somebody else's program: whose memory it uses, and where its failures go.
 *
 * Each thread has a dsl_here.  In a program of ours it is zero: arrays come from the process's pool, a failure prints
 * its message and ends the process.  A call of a library's function works for a context: arrays come from the
 * context's pool, which knows those that are alive; a failure writes its message into the context and jumps to the
 * innermost guard of its thread.  Since nothing may jump out of a parallel region, each thread that works in one has a
 * guard of its own (a team's); the team fails in the thread that started it when the region is over. */
#ifndef DSL_HOST_H
#define DSL_HOST_H

#include "dsl.h"

#include <setjmp.h>

typedef struct dsl_pool dsl_pool;
typedef struct dsl_report dsl_report;
typedef struct dsl_context dsl_context;

typedef struct dsl_host {
    void (*on_fail)(void *ctx, int status); /* NULL: the process ends */
    void *on_fail_ctx;
    dsl_report *report; /* of the first failure; NULL: stderr */
    dsl_pool *pool;     /* NULL: the process's */
    int threads;        /* 0: the process's number */
} dsl_host;
extern _Thread_local dsl_host dsl_here;

/* ---- errors.c: what a call's first failure said */
struct dsl_report {
    int taken;     /* somebody has failed */
    char code[8];  /* E0601 */
    size_t length;
    char text[4096];
};

/* ---- array.c */
dsl_pool *dsl_pool_new(void); /* NULL: no memory */
void dsl_pool_free(dsl_pool *p);
void dsl_pool_recover(dsl_pool *p); /* after a failure: nobody has an array any more */
dsl_array *dsl_array_of(void *elements); /* that dsl_new made */
/* The elements of a, which is consumed: they are the caller's when the call ends well, who frees them by
 * dsl_given_free. */
void *dsl_give(dsl_array *a);
void dsl_pool_let_go(dsl_pool *p); /* at the end of a call: what is alive was given */
void dsl_given_free(void *elements);

/* ---- depth.c: this thread now runs on a stack of its own, a fibre's; NULL: on its usual one again */
void dsl_set_stack(char *low, size_t size);

/* ---- array.c */
/* Memory for a block or part of it, in large pages where it is large; NULL: there is none.  The caller frees it. */
void *dsl_memory(size_t bytes);
/* Called with each array whose last reference is gone, or NULL */
extern void (*dsl_released)(const dsl_array *a);
/* Copies the elements of an array into a new one, or NULL: all of them */
extern void (*dsl_copies)(const dsl_array *from, dsl_array *to);

/* ---- cases.c: called behind each run of a test or a bench, or NULL */
extern void (*dsl_launches_end)(void);

/* ---- errors.c: called before a failure is told, since what happened before it goes first; or NULL */
extern void (*dsl_fails_first)(void);
/* Called when a failure has been told, before the process ends with this status; or NULL */
extern void (*dsl_stops)(int status);

/* ---- print.c: forgets the line that a failure left unfinished */
void dsl_print_forget(void);

/* ---- guard.c */
/* Threads that work for one host; frames: of the thread that has begun the team */
typedef struct dsl_team { dsl_host host; const dsl_frame *frames; int failed; } dsl_team;
typedef struct dsl_guard { jmp_buf back; dsl_host outer; const dsl_frame *outer_frames; dsl_team *team; } dsl_guard;
/* begin; if (setjmp(g.back) == 0) { ... } end */
void dsl_guard_begin(dsl_guard *g, dsl_team *team);
void dsl_guard_end(dsl_guard *g);
dsl_team dsl_team_begin(void);    /* works for whom this thread works */
void dsl_team_end(dsl_team *team); /* fails when one of them has */

/* ---- context.c: the status of a call; the values are part of the interface */
typedef enum {
    DSL_OK, DSL_BAD_ARGUMENT, DSL_BAD_SIZE, DSL_NO_MEMORY, DSL_RUNTIME_ERROR, DSL_BUSY
} dsl_status;
dsl_context *dsl_context_new(void); /* NULL: no memory */
void dsl_context_free(dsl_context *c);
void dsl_context_set_threads(dsl_context *c, int n); /* < 1: as many as OpenMP would take */
const char *dsl_context_error(const dsl_context *c);
const char *dsl_context_code(const dsl_context *c);

typedef struct dsl_call { dsl_guard guard; dsl_team team; dsl_context *context; } dsl_call;
/* DSL_OK, or why there is no call */
int dsl_call_begin(dsl_call *call, dsl_context *c);
int dsl_call_end(dsl_call *call);

/* Arguments: the caller's elements under a head of ours, never written, never freed. */
void dsl_borrow(dsl_array *head, const char *name, int dtype, int rank, const int64_t *dim, const void *elements);
void dsl_need(const char *name, const void *p);                 /* fails when p is NULL */
void dsl_need_room(const char *name, int rank, const int64_t *dim,
                   const void *p); /* ... unless there are no elements */
/* Results: consumes a, whose elements go into the caller's memory. */
void dsl_take(dsl_array *a, void *to);

#endif
