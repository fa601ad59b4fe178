/* Helpers of generated code that are too long to be inline.
 *
 * Scratch memory: each thread keeps a stack of blocks. Taking one reuses the block at the top of the free
 * ones when it is large enough, so a loop that takes and gives back touches the same memory each time.
 * In a library's call it is an array of the context's pool, which a failure does not lose. */
#include "runtime/gen.h"
#include "runtime/host.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT = 8, ALIGN = 64 };

const int64_t dsl_nought = 0;

typedef struct { size_t bytes; } Header; /* ALIGN bytes before the memory */

static _Thread_local void *kept[KEPT];
static _Thread_local int kept_count;

static Header *header_of(void *p) { return (Header *)((char *)p - ALIGN); }

static void *take_kept(size_t bytes) {
    for (int i = kept_count - 1; i >= 0; i--) {
        void *p = kept[i];
        if (header_of(p)->bytes < bytes || header_of(p)->bytes > 4 * bytes + 4096) continue;
        kept[i] = kept[--kept_count];
        return p;
    }
    return NULL;
}

static void *allocate(const dsl_site *at, size_t bytes) {
    size_t whole = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    char *block = aligned_alloc(ALIGN, whole + ALIGN);
    if (!block) dsl_fail(at, "E0603", "out of memory: %zu bytes for working memory", bytes);
    void *p = block + ALIGN;
    header_of(p)->bytes = whole;
    return p;
}

static size_t byte_count(const dsl_site *at, int dtype, int rank, const int64_t *dim) {
    size_t bytes = (size_t)dsl_dtype_bytes(dtype);
    for (int i = 0; i < rank; i++)
        if (dim[i] < 0 || __builtin_mul_overflow(bytes, (size_t)dim[i], &bytes) || bytes > SIZE_MAX / 4)
            dsl_fail(at, "E0603", "working memory of this size is not possible");
    return bytes ? bytes : 1;
}

void *dsl_scratch(const dsl_site *at, int dtype, int rank, const int64_t *dim, bool zero) {
    size_t bytes = byte_count(at, dtype, rank, dim);
    void *p = dsl_here.pool ? dsl_new(at, DSL_U8, 1, &(int64_t){(int64_t)bytes})->data : take_kept(bytes);
    if (!p) p = allocate(at, bytes);
    if (zero) memset(p, 0, bytes);
    return p;
}

void dsl_scratch_free(void *p) {
    if (dsl_here.pool) dsl_release(dsl_array_of(p));
    else if (kept_count < KEPT) kept[kept_count++] = p;
    else free(header_of(p));
}

void dsl_scratch_clear(void) {
    while (kept_count) free(header_of(kept[--kept_count]));
}

dsl_array *dsl_extern_result(const dsl_site *at, dsl_array *a, int dtype, int rank) {
    if (!a) dsl_fail(at, "E0634", "an extern function returned no array");
    if (a->dtype != dtype)
        dsl_fail(at, "E0634", "an extern function returned %s, not %s", dsl_dtype_name(a->dtype),
                 dsl_dtype_name(dtype));
    if (a->rank != rank)
        dsl_fail(at, "E0634", "an extern function returned an array with %d axes, not %d", a->rank, rank);
    return a;
}
