/* The order of an array's elements: ascending, equal ones as they stand, NaN last.
 *
 * Elements become unsigned ints of the same order, which are shared out with their places by the first digit in
 * which they differ, then those of each digit by their next one (MSD radix sort: Knuth, The Art of Computer
 * Programming 3, 5.2.5; McIlroy, Bostic and McIlroy, "Engineering radix sort", 1993); few are put in order by
 * insertion.  The digits of a small part have so many bits that few items are left of each.
 *
 * Threads share out parts of a large array, and then take the digits' items, each by itself: the order of equal ones
 * stays as it is, so that there is one result. */
#include "runtime/host.h"
#include "runtime/order.h"
#include "runtime/share.h"

#include <stdlib.h>

enum { LARGE = 1 << 15, SMALL_DIGIT = 10 };

/* ---- keys */

static uint64_t key_of(const dsl_array *a, int64_t i) {
    const uint64_t sign = (uint64_t)1 << 63;
    switch (a->dtype) {
    case DSL_BOOL: case DSL_U8: return ((const uint8_t *)a->data)[i];
    case DSL_U16: return ((const uint16_t *)a->data)[i];
    case DSL_U32: return ((const uint32_t *)a->data)[i];
    case DSL_U64: return ((const uint64_t *)a->data)[i];
    case DSL_I8: return (uint64_t)((const int8_t *)a->data)[i] + 128;
    case DSL_I16: return (uint64_t)((const int16_t *)a->data)[i] + 32768;
    case DSL_I32: return (uint64_t)((const int32_t *)a->data)[i] + ((uint64_t)1 << 31);
    case DSL_I64: return (uint64_t)((const int64_t *)a->data)[i] ^ sign;
    case DSL_F16: return dsl_key_of_f64((double)dsl_f16_to_f32(((const dsl_f16 *)a->data)[i]));
    case DSL_BF16: return dsl_key_of_f64((double)dsl_bf16_to_f32(((const dsl_bf16 *)a->data)[i]));
    case DSL_F32: return dsl_key_of_f64((double)((const float *)a->data)[i]);
    default: return dsl_key_of_f64(((const double *)a->data)[i]);
    }
}

/* Memory of the arrays' pool: pages that are there already */
dsl_item *dsl_items_new(int64_t n) {
    return dsl_new(dsl_current_site(), DSL_U64, 2, (int64_t[]){n, 2})->data;
}
void dsl_items_free(dsl_item *p) { dsl_release(dsl_array_of(p)); }

typedef struct { const dsl_array *from; dsl_item *to; uint64_t differ; } Filling;

static void fill(int64_t lo, int64_t hi, void *env) {
    Filling *f = env;
    const uint64_t first = key_of(f->from, 0);
    uint64_t differ = 0;
    if (f->from->dtype == DSL_F64)
        for (int64_t i = lo; i < hi; i++) {
            f->to[i] = (dsl_item){dsl_key_of_f64(((const double *)f->from->data)[i]), i};
            differ |= f->to[i].key ^ first;
        }
    else
        for (int64_t i = lo; i < hi; i++) {
            f->to[i] = (dsl_item){key_of(f->from, i), i};
            differ |= f->to[i].key ^ first;
        }
    __atomic_fetch_or(&f->differ, differ, __ATOMIC_RELAXED);
}

dsl_item *dsl_items_of(const dsl_array *x, uint64_t *differ) {
    Filling f = {x, dsl_items_new(x->count), 0};
    dsl_share_loop(fill, &f, x->count, 0, x->count > LARGE);
    *differ = f.differ;
    return f.to;
}

uint64_t dsl_items_differ(const dsl_item *p, int64_t n) {
    uint64_t d = 0;
    for (int64_t i = 1; i < n; i++) d |= p[i].key ^ p[0].key;
    return d;
}

/* ---- few, and those that fit a cache */

void dsl_items_insert(dsl_item *p, int64_t n) {
    for (int64_t i = 1; i < n; i++) {
        dsl_item x = p[i];
        int64_t k = i;
        for (; k > 0 && p[k - 1].key > x.key; k--) p[k] = p[k - 1];
        p[k] = x;
    }
}

static void copy(dsl_item *to, const dsl_item *from, int64_t n) { memcpy(to, from, sizeof *to * (size_t)n); }

/* Bits of a digit that leaves few of n items to each */
static int bits_for(int64_t n) {
    const int bits = 61 - __builtin_clzll((uint64_t)n);
    return bits > SMALL_DIGIT ? SMALL_DIGIT : bits;
}

/* The n items of p in order, in p, or in spare, which has as much room */
static void sort_small(dsl_item *p, dsl_item *spare, int64_t n, bool into_spare) {
    const uint64_t differ = n > DSL_FEW_ITEMS ? dsl_items_differ(p, n) : 0;
    if (!differ) {
        if (n <= DSL_FEW_ITEMS) dsl_items_insert(p, n);
        if (into_spare) copy(spare, p, n);
        return;
    }
    const int bits = bits_for(n), shift = dsl_digit_shift(differ, bits);
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    int32_t end[(1 << SMALL_DIGIT) + 1];
    memset(end, 0, sizeof *end * (mask + 2));
    for (int64_t i = 0; i < n; i++) end[(p[i].key >> shift & mask) + 1]++;
    for (uint64_t d = 0; d < mask; d++) end[d + 1] += end[d];
    for (int64_t i = 0; i < n; i++) spare[end[p[i].key >> shift & mask]++] = p[i];
    for (uint64_t d = 0; d <= mask; d++) {
        const int64_t from = d ? end[d - 1] : 0;
        if (end[d] > from) sort_small(spare + from, p + from, end[d] - from, !into_spare);
    }
}

/* ---- many */

/* Items that are shared out by a digit, in parts that threads take: where[part][digit], and digits' ends at last */
typedef struct {
    dsl_item *from, *to;
    int64_t n, parts;
    dsl_counts *where;
    int shift;
    bool back; /* the result is where they came from */
} Sharing;

static int64_t part_start(const Sharing *s, int64_t part) { return dsl_part_start(s->n, s->parts, part); }

static inline uint64_t digit_of(const Sharing *s, int64_t i) {
    return s->from[i].key >> s->shift & (DSL_DIGITS - 1);
}

static void count_parts(int64_t lo, int64_t hi, void *env) {
    Sharing *s = env;
    for (int64_t part = lo; part < hi; part++) {
        int64_t *count = s->where[part], end = part_start(s, part + 1);
        memset(count, 0, sizeof *s->where);
        for (int64_t i = part_start(s, part); i < end; i++) count[digit_of(s, i)]++;
    }
}

static void move_parts(int64_t lo, int64_t hi, void *env) {
    Sharing *s = env;
    for (int64_t part = lo; part < hi; part++) {
        int64_t *where = s->where[part], end = part_start(s, part + 1);
        for (int64_t i = part_start(s, part); i < end; i++) s->to[where[digit_of(s, i)]++] = s->from[i];
    }
}

static void starts_of_parts(Sharing *s) {
    int64_t sum = 0;
    for (int d = 0; d < DSL_DIGITS; d++)
        for (int64_t part = 0; part < s->parts; part++) {
            const int64_t count = s->where[part][d];
            s->where[part][d] = sum;
            sum += count;
        }
}

static int64_t start_of_digit(const Sharing *s, int64_t d) { return d ? s->where[s->parts - 1][d - 1] : 0; }
static int64_t end_of_digit(const Sharing *s, int64_t d) { return s->where[s->parts - 1][d]; }

static void sort_digits(int64_t lo, int64_t hi, void *env) {
    const Sharing *s = env;
    for (int64_t d = lo; d < hi; d++) {
        const int64_t from = start_of_digit(s, d), n = end_of_digit(s, d) - from;
        if (n && n <= LARGE) sort_small(s->to + from, s->from + from, n, s->back);
    }
}

static void sort_many(dsl_item *p, dsl_item *spare, int64_t n, bool into_spare, uint64_t differ) {
    if (n <= LARGE || !differ) {
        if (differ) sort_small(p, spare, n, into_spare);
        else if (into_spare) copy(spare, p, n);
        return;
    }
    const int64_t parts = dsl_parts();
    Sharing s = {p, spare, n, parts, dsl_counts_new(parts), dsl_digit_shift(differ, DSL_DIGIT), !into_spare};
    dsl_share_loop(count_parts, &s, s.parts, 1, s.parts > 1);
    starts_of_parts(&s);
    dsl_share_loop(move_parts, &s, s.parts, 1, s.parts > 1);
    dsl_share_loop(sort_digits, &s, DSL_DIGITS, 16, s.parts > 1);
    for (int64_t d = 0; d < DSL_DIGITS; d++) {
        const int64_t from = start_of_digit(&s, d), count = end_of_digit(&s, d) - from;
        if (count > LARGE)
            sort_many(spare + from, p + from, count, s.back, dsl_items_differ(spare + from, count));
    }
    dsl_scratch_free(s.where);
}

/* ---- texts, by their bytes, which is the order of their characters */

static int compare_texts(const void *x, const void *y) {
    const dsl_item *a = x, *b = y;
    int order = strcmp((const char *)(uintptr_t)a->key, (const char *)(uintptr_t)b->key);
    return order ? order : a->at < b->at ? -1 : 1;
}

static dsl_item *sorted_texts(const dsl_array *a) {
    dsl_item *p = dsl_items_new(a->count);
    for (int64_t i = 0; i < a->count; i++) p[i] = (dsl_item){(uintptr_t)((const char *const *)a->data)[i], i};
    qsort(p, (size_t)a->count, sizeof *p, compare_texts);
    return p;
}

static dsl_item *sorted_items(const dsl_array *a) {
    if (a->dtype == DSL_STR) return sorted_texts(a);
    uint64_t differ;
    dsl_item *p = dsl_items_of(a, &differ);
    if (a->count <= DSL_FEW_ITEMS) {
        dsl_items_insert(p, a->count);
        return p;
    }
    dsl_item *spare = dsl_items_new(a->count);
    sort_many(p, spare, a->count, false, differ);
    dsl_items_free(spare);
    return p;
}

typedef struct { const dsl_item *from; int64_t *to; } Places;

static void put_places(int64_t lo, int64_t hi, void *env) {
    const Places *p = env;
    for (int64_t i = lo; i < hi; i++) p->to[i] = p->from[i].at;
}

/* stdlib: argsort(x) */
dsl_array *dsl_m_argsort(const dsl_array *x) {
    dsl_array *out = dsl_new(dsl_current_site(), DSL_I64, 1, x->dim);
    dsl_item *p = sorted_items(x);
    dsl_share_loop(put_places, &(Places){p, out->data}, x->count, 0, x->count > LARGE);
    dsl_items_free(p);
    return out;
}
