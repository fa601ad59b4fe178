/* What a library's functions are called with: a context, and arrays of the caller's.
 *
 * One call at a time works for a context.  After a failure all arrays that the call made go back to the context's pool,
 * so nothing is lost; the status follows from the code of the failure. */
#include "runtime/host.h"

#include <stdlib.h>
#include <string.h>

int omp_get_max_threads(void) __attribute__((weak));

struct dsl_context {
    dsl_report report;
    dsl_pool *pool;
    int threads; /* 0: as many as OpenMP would take */
    int busy;
};

dsl_context *dsl_context_new(void) {
    dsl_context *c = calloc(1, sizeof *c);
    if (c && !(c->pool = dsl_pool_new())) {
        free(c);
        return NULL;
    }
    return c;
}

void dsl_context_free(dsl_context *c) {
    if (!c) return;
    dsl_pool_free(c->pool);
    free(c);
}

void dsl_context_set_threads(dsl_context *c, int n) {
    if (c) c->threads = n < 1 ? 0 : n;
}

const char *dsl_context_error(const dsl_context *c) { return c ? c->report.text : "there is no context"; }
const char *dsl_context_code(const dsl_context *c) { return c ? c->report.code : ""; }

/* ---- a call */

static int threads_of(const dsl_context *c) {
    if (c->threads) return c->threads;
    return omp_get_max_threads ? omp_get_max_threads() : 1;
}

static void clear(dsl_report *r) {
    r->taken = 0;
    r->length = 0;
    r->code[0] = r->text[0] = 0;
}

int dsl_call_begin(dsl_call *call, dsl_context *c) {
    if (!c) return DSL_BAD_ARGUMENT;
    if (__atomic_exchange_n(&c->busy, 1, __ATOMIC_ACQUIRE)) return DSL_BUSY;
    clear(&c->report);
    call->context = c;
    call->team = (dsl_team){.host = {.report = &c->report, .pool = c->pool, .threads = threads_of(c)}};
    dsl_guard_begin(&call->guard, &call->team);
    return DSL_OK;
}

static int status_of(const char *code) {
    static const struct { const char *code; dsl_status status; } others[] = {
        {"E0603", DSL_NO_MEMORY}, {"E0606", DSL_BAD_SIZE}, {"E0607", DSL_BAD_SIZE}, {"E0650", DSL_BAD_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(others[i].code, code)) return others[i].status;
    return DSL_RUNTIME_ERROR;
}

int dsl_call_end(dsl_call *call) {
    dsl_context *c = call->context;
    int status = DSL_OK;
    dsl_guard_end(&call->guard);
    if (DSL_UNLIKELY(call->team.failed)) {
        if (c->report.length && c->report.text[c->report.length - 1] == '\n') c->report.text[--c->report.length] = 0;
        dsl_print_forget();
        dsl_pool_recover(c->pool);
        status = status_of(c->report.code);
    } else dsl_pool_let_go(c->pool);
    __atomic_store_n(&c->busy, 0, __ATOMIC_RELEASE);
    return status;
}

/* ---- arguments and results */

void dsl_need(const char *name, const void *p) {
    if (!p) dsl_fail(NULL, "E0650", "'%s' is a null pointer", name);
}

/* Number of elements */
static int64_t count(const char *name, int rank, const int64_t *dim) {
    int64_t n = 1;
    bool over = false;
    for (int i = 0; i < rank; i++)
        if (dim[i] < 0) dsl_fail(NULL, "E0607", "a size of '%s' is negative: %lld", name, (long long)dim[i]);
    for (int i = 0; i < rank; i++)
        if (dim[i] == 0) return 0;
    for (int i = 0; i < rank; i++) over |= __builtin_mul_overflow(n, dim[i], &n);
    if (over || n > INT64_MAX / 8) dsl_fail(NULL, "E0607", "'%s' cannot have so many elements", name);
    return n;
}

void dsl_need_room(const char *name, int rank, const int64_t *dim, const void *p) {
    if (count(name, rank, dim)) dsl_need(name, p);
}

void dsl_borrow(dsl_array *head, const char *name, int dtype, int rank, const int64_t *dim, const void *elements) {
    head->refs = 2; /* ours stays, so nobody takes the array for his own */
    head->dtype = dtype;
    head->rank = rank;
    head->count = count(name, rank, dim);
    if (head->count) dsl_need(name, elements);
    for (int i = 0; i < rank; i++) head->dim[i] = dim[i];
    head->data = (void *)(uintptr_t)elements;
}

void dsl_take(dsl_array *a, void *to) {
    if (a->count) memmove(to, a->data, (size_t)a->count * (size_t)dsl_dtype_bytes(a->dtype));
    dsl_release(a);
}
