/* Arrays: reference counted, one block of memory each (head, then data).
 *
 * Blocks are rounded up to size classes (four per power of two).  A released block waits in the list of
 * its class for the next array of that class, so that the temporaries of a time loop touch no new pages;
 * what waits is at most a quarter of the machine's memory.  One lock guards the lists.  Each thread keeps a few small
 * blocks for itself, without a lock: threads that run simulations of their own make and release arrays all the time.
 *
 * The process has one such pool.  A library's context has its own (host.h), which also lists the arrays that are
 * alive, for a failure leaves them without an owner. */
#include "runtime/host.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct Block {
    dsl_array array;
    struct Block *next, *before; /* in its list; before: among those alive */
    void *memory;                /* what malloc gave; the block stands at its colour in it */
    int32_t class;
} Block;
enum { HEAD = 128, CLASSES = 64 * 4, COLOURED = 64 << 10, HUGE = 2 << 20, BIG = 4 << 20 };
_Static_assert(sizeof(Block) <= HEAD, "the head of a block holds the array");

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
enum { REUSE = 0 }; /* so that a use after release is seen */
#else
enum { REUSE = 1 };
#endif

struct dsl_pool {
    int held; /* 1: a thread is at the lists */
    Block *lists[CLASSES];
    int64_t waiting; /* bytes in the lists */
    Block *alive;    /* of a context's pool */
    uint32_t made;   /* blocks, for their colours */
};
static dsl_pool process;

/* Held for a few instructions, or by who frees what waits. */
static void hold(dsl_pool *p) {
    while (__atomic_exchange_n(&p->held, 1, __ATOMIC_ACQUIRE)) sched_yield();
}
static void let_go(dsl_pool *p) { __atomic_store_n(&p->held, 0, __ATOMIC_RELEASE); }

static dsl_pool *pool_here(void) { return dsl_here.pool ? dsl_here.pool : &process; }

static const struct { const char *name; int bytes; } dtypes[] = {
    [DSL_BOOL] = {"bool", 1}, [DSL_I8] = {"i8", 1}, [DSL_I16] = {"i16", 2}, [DSL_I32] = {"i32", 4},
    [DSL_I64] = {"i64", 8}, [DSL_U8] = {"u8", 1}, [DSL_U16] = {"u16", 2}, [DSL_U32] = {"u32", 4},
    [DSL_U64] = {"u64", 8}, [DSL_F16] = {"f16", 2}, [DSL_BF16] = {"bf16", 2}, [DSL_F32] = {"f32", 4},
    [DSL_F64] = {"f64", 8}, [DSL_STR] = {"str", 8},
};
int dsl_dtype_bytes(int dtype) { return dtypes[dtype].bytes; }
const char *dsl_dtype_name(int dtype) { return dtypes[dtype].name; }

static int64_t physical_memory(void) {
    static int64_t bytes;
    if (!bytes) bytes = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    return bytes;
}

void dsl_say_memory(void) { dsl_say_hint("this machine has %.1f GiB", (double)physical_memory() / (1 << 30)); }

/* ---- blocks */

/* Class c holds blocks of (4 + c%4) << c/4 units of 64 bytes. */
static int class_of(int64_t bytes) {
    int64_t units = (bytes + 63) / 64;
    if (units < 4) units = 4;
    int shift = 61 - __builtin_clzll((unsigned long long)units);
    int64_t head = (units + ((int64_t)1 << shift) - 1) >> shift;
    return head == 8 ? (shift + 1) * 4 : shift * 4 + (int)(head - 4);
}

static int64_t class_bytes(int class) { return (int64_t)(4 + class % 4) << (class / 4) << 6; }

static void enlist(dsl_pool *p, Block *b) {
    b->before = NULL;
    b->next = p->alive;
    if (p->alive) p->alive->before = b;
    p->alive = b;
}

static void delist(dsl_pool *p, Block *b) {
    if (b->next) b->next->before = b->before;
    *(b->before ? &b->before->next : &p->alive) = b->next;
}

/* Of a context's pool it is alive from now on. */
static Block *take_waiting(dsl_pool *p, int class) {
    hold(p);
    Block *b = p->lists[class];
    if (b) {
        p->lists[class] = b->next;
        p->waiting -= class_bytes(class);
        if (p != &process) enlist(p, b);
    }
    let_go(p);
    return b;
}

/* Others in the process want memory too. */
static int64_t most_waiting(const dsl_pool *p) { return physical_memory() / (p == &process ? 4 : 16); }

/* False: the caller frees it. */
static bool keep(dsl_pool *p, Block *b) {
    int64_t bytes = class_bytes(b->class);
    if (!REUSE || p->waiting + bytes > most_waiting(p)) return false;
    b->next = p->lists[b->class];
    p->lists[b->class] = b;
    p->waiting += bytes;
    return true;
}

static bool put_waiting(dsl_pool *p, Block *b) {
    hold(p);
    if (p != &process) delist(p, b);
    bool kept = keep(p, b);
    let_go(p);
    return kept;
}

static void free_block(Block *b) { free(b->memory); }

/* ---- the thread's own blocks, of the process's pool */

enum { OWN_CLASSES = 10 * 4, OWN_BLOCKS = 4 }; /* those of less than 256 KiB */
static _Thread_local struct { Block *first; int n; } own[OWN_CLASSES];

static Block *take_own(const dsl_pool *p, int class) {
    if (p != &process || class >= OWN_CLASSES || !own[class].n) return NULL;
    Block *b = own[class].first;
    own[class].first = b->next;
    own[class].n--;
    return b;
}

static bool keep_own(const dsl_pool *p, Block *b) {
    int class = b->class;
    if (!REUSE || p != &process || class >= OWN_CLASSES || own[class].n == OWN_BLOCKS) return false;
    b->next = own[class].first;
    own[class].first = b;
    own[class].n++;
    return true;
}

void dsl_own_clear(void) {
    for (int c = 0; c < OWN_CLASSES; c++)
        for (Block *b; (b = take_own(&process, c));) free_block(b);
}

static void drop_waiting(dsl_pool *p) {
    hold(p);
    for (int c = 0; c < CLASSES; c++)
        for (Block *b; (b = p->lists[c]);) {
            p->lists[c] = b->next;
            free_block(b);
        }
    p->waiting = 0;
    let_go(p);
}

void *dsl_memory(size_t bytes) {
    size_t align = bytes >= BIG ? HUGE : 64;
    bytes = (bytes + align - 1) / align * align;
    void *p = aligned_alloc(align, bytes);
    if (p && align == HUGE) madvise(p, bytes, MADV_HUGEPAGE);
    return p;
}

/* Where a large block stands in its first page.  Arrays that all began at the same place of a page would meet in the
 * same sets of the caches, and a load would wait for an earlier store to another array whose address agrees in its low
 * 12 bits (4K aliasing).  Steps of the golden ratio keep any few blocks in a row far apart. */
static size_t next_colour(dsl_pool *p) {
    uint32_t turn = __atomic_fetch_add(&p->made, 1, __ATOMIC_RELAXED) * 2654435769u;
    return turn >> (32 - 6) << 6;
}

static Block *new_block(dsl_pool *p, int class) {
    size_t bytes = (size_t)class_bytes(class);
    size_t colour = bytes >= COLOURED ? next_colour(p) : 0;
    void *memory = dsl_memory(bytes + colour);
    if (!memory) {
        drop_waiting(p);
        memory = dsl_memory(bytes + colour);
    }
    if (!memory) return NULL;
    Block *b = (Block *)((char *)memory + colour);
    b->memory = memory;
    if (p != &process) {
        hold(p);
        enlist(p, b);
        let_go(p);
    }
    return b;
}

/* ---- making arrays */

static void text_of_shape(char *out, size_t cap, int dtype, int rank, const int64_t *dim) {
    int n = snprintf(out, cap, "%s[", dsl_dtype_name(dtype));
    for (int i = 0; i < rank && (size_t)n < cap; i++)
        n += snprintf(out + n, cap - (size_t)n, "%s%lld", i ? ", " : "", (long long)dim[i]);
    if ((size_t)n + 1 < cap) strcpy(out + n, "]");
}

static DSL_COLD __attribute__((noreturn)) void fail_memory(const dsl_site *at, int dtype, int rank,
                                                           const int64_t *dim) {
    char shape[256];
    text_of_shape(shape, sizeof shape, dtype, rank, dim);
    dsl_say_error(at, "E0603", "not enough memory for an array %s", shape);
    dsl_say_memory();
    dsl_stop(1);
}

/* Number of elements; fails when it or the bytes do not fit. */
static int64_t count_elements(const dsl_site *at, int dtype, int rank, const int64_t *dim) {
    int64_t count = 1, bytes;
    bool empty = false, over = false;
    for (int i = 0; i < rank; i++) {
        if (dim[i] < 0) dsl_fail_size(at, dim[i]);
        empty |= dim[i] == 0;
        over |= dim[i] > DSL_MAX_EXTENT;
        over |= __builtin_mul_overflow(count, dim[i] ? dim[i] : 1, &count);
    }
    over |= __builtin_mul_overflow(count, (int64_t)dsl_dtype_bytes(dtype), &bytes);
    if (over || (empty ? count > DSL_MAX_EXTENT : bytes > physical_memory()))
        fail_memory(at, dtype, rank, dim);
    return empty ? 0 : count;
}

dsl_array *dsl_new(const dsl_site *at, int dtype, int rank, const int64_t *dim) {
    int64_t count = count_elements(at, dtype, rank, dim);
    int class = class_of(HEAD + count * dsl_dtype_bytes(dtype));
    dsl_pool *p = pool_here();
    Block *b = take_own(p, class);
    if (!b) b = take_waiting(p, class);
    if (!b) b = new_block(p, class);
    if (!b) fail_memory(at, dtype, rank, dim);
    b->class = class;
    dsl_array *a = &b->array;
    a->refs = 1;
    a->dtype = dtype;
    a->rank = rank;
    for (int i = 0; i < rank; i++) a->dim[i] = dim[i];
    a->count = count;
    a->data = (char *)b + HEAD;
    return a;
}

dsl_array *dsl_new_table(const dsl_site *at, int dtype, int rank, const int64_t *dim, const void *elements) {
    dsl_array *a = dsl_new(at, dtype, rank, dim);
    memcpy(a->data, elements, (size_t)(a->count * dsl_dtype_bytes(dtype)));
    return a;
}

void (*dsl_released)(const dsl_array *a);
void (*dsl_copies)(const dsl_array *from, dsl_array *to);

void dsl_release(dsl_array *a) {
    if (!a || __atomic_sub_fetch(&a->refs, 1, __ATOMIC_ACQ_REL) > 0) return;
    if (DSL_UNLIKELY(dsl_released != NULL)) dsl_released(a);
    Block *b = (Block *)a;
    dsl_pool *p = pool_here();
    if (!keep_own(p, b) && !put_waiting(p, b)) free_block(b);
}

dsl_array *dsl_copy(const dsl_array *a) {
    dsl_array *c = dsl_new(NULL, a->dtype, a->rank, a->dim);
    if (DSL_UNLIKELY(dsl_copies != NULL)) dsl_copies(a, c);
    else memcpy(c->data, a->data, (size_t)a->count * (size_t)dsl_dtype_bytes(a->dtype));
    return c;
}

dsl_array *dsl_unique(dsl_array *a) {
    if (__atomic_load_n(&a->refs, __ATOMIC_ACQUIRE) == 1) return a;
    dsl_array *c = dsl_copy(a);
    dsl_release(a);
    return c;
}

/* ---- the same elements under another type */

static void set_shape(dsl_array *a, int rank, const int64_t *dim) {
    a->rank = rank;
    for (int i = 0; i < rank; i++) a->dim[i] = dim[i];
}

dsl_array *dsl_reshape(const dsl_site *at, dsl_array *a, int rank, const int64_t *dim) {
    int64_t count = count_elements(at, a->dtype, rank, dim);
    if (count != a->count)
        dsl_fail(at, "E0605", "cannot reshape an array of %lld elements into %lld", (long long)a->count,
                 (long long)count);
    a = dsl_unique(a);
    set_shape(a, rank, dim);
    return a;
}

dsl_array *dsl_retype(const dsl_site *at, dsl_array *a, const int64_t *dim, const char *msg, const dsl_site *other) {
    for (int i = 0; i < a->rank; i++) {
        if (a->dim[i] == dim[i]) continue;
        dsl_say_error(at, "E0606", "%s: axis %d has size %lld, but %lld is needed",
                      msg && *msg ? msg : "sizes do not match", i, (long long)a->dim[i], (long long)dim[i]);
        if (other && other->text) dsl_say_note(other, "the size %lld comes from here", (long long)dim[i]);
        dsl_stop(1);
    }
    return a;
}

/* ---- pools of contexts */

dsl_pool *dsl_pool_new(void) {
    return calloc(1, sizeof(dsl_pool));
}

void dsl_pool_recover(dsl_pool *p) {
    for (Block *b; (b = p->alive);)
        if (!put_waiting(p, b)) free_block(b);
}

void dsl_pool_free(dsl_pool *p) {
    dsl_pool_recover(p);
    drop_waiting(p);
    free(p);
}

dsl_array *dsl_array_of(void *elements) { return (dsl_array *)(void *)((char *)elements - HEAD); }

void *dsl_give(dsl_array *a) { return dsl_unique(a)->data; }

void dsl_pool_let_go(dsl_pool *p) { p->alive = NULL; }

void dsl_given_free(void *elements) {
    if (elements) free_block((Block *)dsl_array_of(elements));
}
