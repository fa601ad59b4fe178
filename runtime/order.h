/* Elements as unsigned ints of the same order, with their places: what sort.c and select.c put in order. */
#ifndef DSL_ORDER_H
#define DSL_ORDER_H

#include "runtime/gen.h"

#include <math.h>
#include <string.h>

enum { DSL_FEW_ITEMS = 32, DSL_DIGIT = 11, DSL_DIGITS = 1 << DSL_DIGIT, DSL_MOST_PARTS = 64 };

typedef struct { uint64_t key; int64_t at; } dsl_item;

static inline uint64_t dsl_key_of_f64(double x) {
    uint64_t u;
    x += 0.0; /* -0.0 is 0.0 */
    memcpy(&u, &x, sizeof u);
    u = u >> 63 ? ~u : u | (uint64_t)1 << 63;
    return isnan(x) ? UINT64_MAX : u;
}

/* n items; fails where there is no memory.  The caller frees them. */
dsl_item *dsl_items_new(int64_t n);
void dsl_items_free(dsl_item *p);
/* The items of x, by threads; *differ: the bits in which keys differ */
dsl_item *dsl_items_of(const dsl_array *x, uint64_t *differ);
/* Few of them, in order: equal ones stay as they stand */
void dsl_items_insert(dsl_item *p, int64_t n);
/* The bits in which the keys of p differ */
uint64_t dsl_items_differ(const dsl_item *p, int64_t n);

/* ---- digits are counted in parts of a large array, one for each thread */

typedef int64_t dsl_counts[DSL_DIGITS];

static inline int64_t dsl_parts(void) {
    const int threads = dsl_threads();
    return threads > DSL_MOST_PARTS ? DSL_MOST_PARTS : threads;
}

static inline int64_t dsl_part_start(int64_t n, int64_t parts, int64_t part) { return n * part / parts; }

/* Of each part, undefined; freed by dsl_scratch_free */
static inline dsl_counts *dsl_counts_new(int64_t parts) {
    return dsl_scratch(dsl_current_site(), DSL_I64, 2, (int64_t[]){parts, DSL_DIGITS}, false);
}

/* The digit of at most `bits` bits that begins with the highest of differ, which is not 0 */
static inline int dsl_digit_shift(uint64_t differ, int bits) {
    const int highest = 63 - __builtin_clzll(differ);
    return highest < bits ? 0 : highest + 1 - bits;
}

#endif
