/* The order of an array's elements: ascending, equal ones as they stand, NaN last.
 *
 * Elements become unsigned ints of the same order, which are sorted with their places by digits, from the last one (LSD
 * radix sort: Knuth, The Art of Computer Programming 3, 5.2.5); digits that are the same everywhere are passed over. */
#include "runtime/dsl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 48, DIGIT = 8, WIDE_DIGIT = 11, WIDE_FROM = 1 << 15, BUCKETS = 1 << WIDE_DIGIT, DIGITS = 8 };

typedef struct { uint64_t key; int64_t at; } Item;

/* ---- keys */

static uint64_t key_of_f64(double x) {
    uint64_t u;
    if (isnan(x)) return UINT64_MAX;
    x += 0.0; /* -0.0 is 0.0 */
    memcpy(&u, &x, sizeof u);
    return u >> 63 ? ~u : u | (uint64_t)1 << 63;
}

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
    case DSL_F16: return key_of_f64((double)dsl_f16_to_f32(((const dsl_f16 *)a->data)[i]));
    case DSL_BF16: return key_of_f64((double)dsl_bf16_to_f32(((const dsl_bf16 *)a->data)[i]));
    case DSL_F32: return key_of_f64((double)((const float *)a->data)[i]);
    default: return key_of_f64(((const double *)a->data)[i]);
    }
}

static Item *items_new(int64_t n) {
    Item *p = malloc(sizeof *p * (size_t)(n ? n : 1));
    if (!p) dsl_fail(dsl_current_site(), "E0603", "not enough memory to sort %lld elements", (long long)n);
    return p;
}

static Item *items_of(const dsl_array *a) {
    Item *p = items_new(a->count);
    if (a->dtype == DSL_F64)
        for (int64_t i = 0; i < a->count; i++) p[i] = (Item){key_of_f64(((const double *)a->data)[i]), i};
    else
        for (int64_t i = 0; i < a->count; i++) p[i] = (Item){key_of(a, i), i};
    return p;
}

/* ---- sorting */

static void insert(Item *p, int64_t n) {
    for (int64_t i = 1; i < n; i++) {
        Item x = p[i];
        int64_t k = i;
        for (; k > 0 && p[k - 1].key > x.key; k--) p[k] = p[k - 1];
        p[k] = x;
    }
}

/* Where each digit's items begin; false: all have the same */
static bool starts_of(const Item *p, int64_t n, int shift, int bits, int64_t *start) {
    uint64_t mask = ((uint64_t)1 << bits) - 1;
    memset(start, 0, sizeof *start * (size_t)(mask + 1));
    for (int64_t i = 0; i < n; i++) start[p[i].key >> shift & mask]++;
    if (start[p[0].key >> shift & mask] == n) return false;
    int64_t sum = 0;
    for (uint64_t d = 0; d <= mask; d++) {
        int64_t count = start[d];
        start[d] = sum;
        sum += count;
    }
    return true;
}

/* The bits in which keys differ: others need no digit */
static uint64_t differences(const Item *p, int64_t n) {
    uint64_t d = 0;
    for (int64_t i = 1; i < n; i++) d |= p[i].key ^ p[0].key;
    return d;
}

/* Sorts p, of which it frees one of two: the other is returned. */
static Item *by_digits(Item *p, int64_t n) {
    int bits = n < WIDE_FROM ? DIGIT : WIDE_DIGIT;
    int64_t start[BUCKETS];
    uint64_t mask = ((uint64_t)1 << bits) - 1, differ = differences(p, n);
    Item *q = items_new(n);
    for (int shift = 0; shift < 64; shift += bits) {
        if (!(differ >> shift & mask) || !starts_of(p, n, shift, bits, start)) continue;
        for (int64_t i = 0; i < n; i++) q[start[p[i].key >> shift & mask]++] = p[i];
        Item *sorted = q;
        q = p;
        p = sorted;
    }
    free(q);
    return p;
}

static int compare_texts(const void *x, const void *y) {
    const Item *a = x, *b = y;
    int order = strcmp((const char *)(uintptr_t)a->key, (const char *)(uintptr_t)b->key);
    return order ? order : a->at < b->at ? -1 : 1;
}

/* By their bytes, which is the order of their characters */
static Item *sorted_texts(const dsl_array *a) {
    Item *p = items_new(a->count);
    for (int64_t i = 0; i < a->count; i++) p[i] = (Item){(uintptr_t)((const char *const *)a->data)[i], i};
    qsort(p, (size_t)a->count, sizeof *p, compare_texts);
    return p;
}

static Item *sorted_items(const dsl_array *a) {
    if (a->dtype == DSL_STR) return sorted_texts(a);
    Item *p = items_of(a);
    if (a->count > FEW) return by_digits(p, a->count);
    insert(p, a->count);
    return p;
}

/* stdlib: argsort(x) */
dsl_array *dsl_m_argsort(const dsl_array *x) {
    dsl_array *out = dsl_new(dsl_current_site(), DSL_I64, 1, x->dim);
    Item *p = sorted_items(x);
    for (int64_t i = 0; i < x->count; i++) ((int64_t *)out->data)[i] = p[i].at;
    free(p);
    return out;
}

/* ---- the k-th */

static void swap(Item *p, int64_t i, int64_t k) {
    Item x = p[i];
    p[i] = p[k];
    p[k] = x;
}

static bool before(const Item *a, const Item *b) { return a->key < b->key || (a->key == b->key && a->at < b->at); }

static int64_t middle(const Item *p, int64_t a, int64_t b, int64_t c) {
    bool ab = before(&p[a], &p[b]), bc = before(&p[b], &p[c]), ac = before(&p[a], &p[c]);
    return ab ? (bc ? b : ac ? c : a) : (ac ? a : bc ? c : b);
}

enum { ROUNDS = 64 };

/* p[k] is what it would be in order, with no greater ones before it and no less ones behind (Hoare 1961); where that
 * goes ill, the rest is sorted. */
static Item *choose(Item *p, int64_t n, int64_t k) {
    int64_t lo = 0, hi = n - 1;
    for (int round = 0; hi - lo > FEW; round++) {
        if (round == ROUNDS) return by_digits(p, n);
        swap(p, lo, middle(p, lo, lo + (hi - lo) / 2, hi));
        Item pivot = p[lo];
        int64_t i = lo, j = hi + 1;
        for (;;) {
            while (i < hi && before(&p[++i], &pivot)) {}
            while (before(&pivot, &p[--j])) {}
            if (i >= j) break;
            swap(p, i, j);
        }
        swap(p, lo, j);
        if (j == k) return p;
        if (j > k) hi = j - 1;
        else lo = j + 1;
    }
    insert(p + lo, hi - lo + 1);
    return p;
}

/* The place of the least from the k-th on */
static int64_t least_from(const Item *p, int64_t n, int64_t k) {
    int64_t best = k;
    for (int64_t i = k + 1; i < n; i++)
        if (before(&p[i], &p[best])) best = i;
    return best;
}

/* stdlib: places of the elements that are k-th and next (or k-th again, at the end) in order, and of the last; k < n */
dsl_array *dsl_m_argselect(const dsl_array *x, int64_t k) {
    int64_t n = x->count, dim[1] = {3};
    dsl_array *out = dsl_new(dsl_current_site(), DSL_I64, 1, dim);
    int64_t *at = out->data, last = 0;
    Item *p = items_of(x);
    for (int64_t i = 1; i < n; i++)
        if (!before(&p[i], &p[last])) last = i;
    at[2] = last;
    p = choose(p, n, k);
    at[0] = p[k].at;
    at[1] = k + 1 < n ? p[least_from(p, n, k + 1)].at : p[k].at;
    free(p);
    return out;
}

/* ---- searching */

enum { SIDE_BY_SIDE = 8 };

/* How many of a[n], ascending, are less than each of v: several searches at once, so that none waits for memory alone
 */
static void search(const double *a, int64_t n, const double *v, int count, int64_t *out) {
    int64_t base[SIDE_BY_SIDE] = {0};
    for (int64_t left = n, half; left > 0; left -= half) {
        half = (left + 1) / 2;
        for (int l = 0; l < count; l++) base[l] += a[base[l] + half - 1] < v[l] ? half : 0;
    }
    for (int l = 0; l < count; l++) out[l] = base[l];
}

/* stdlib: searchsorted(a, v) */
dsl_array *dsl_m_searchsorted(const dsl_array *a, const dsl_array *v) {
    dsl_array *out = dsl_new(dsl_current_site(), DSL_I64, 1, v->dim);
    for (int64_t i = 0; i < v->count; i += SIDE_BY_SIDE) {
        int count = v->count - i < SIDE_BY_SIDE ? (int)(v->count - i) : SIDE_BY_SIDE;
        search(a->data, a->count, (const double *)v->data + i, count, (int64_t *)out->data + i);
    }
    return out;
}
