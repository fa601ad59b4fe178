/* The elements that are k-th and next in order, and where an ascending array has room for others.
 *
 * The k-th is found by digits of keys (order.h), from the first in which they differ: how many elements have each digit
 * says which of them has the k-th, and only those with that one are kept for the next digit.  The first time threads
 * count and keep, each in parts of the array; what is found does not depend on how many there are. */
#include "runtime/order.h"
#include "runtime/share.h"

enum { WORTH = 1 << 14, SIDE_BY_SIDE = 8, SEARCHES = 1 << 12 };

/* Places of the k-th and the next */
typedef struct { int64_t kth, next; } Found;

/* ---- of items, in the order of their places */

/* The digit that the k-th of n items has; *k becomes its rank among those */
static uint64_t digit_with(const int64_t *count, int64_t *k) {
    uint64_t d = 0;
    for (; *k >= count[d]; d++) *k -= count[d];
    return d;
}

static void keep_least(dsl_item *least, dsl_item x) {
    if (least->at < 0 || x.key < least->key || (x.key == least->key && x.at < least->at)) *least = x;
}

static Found find_in_items(dsl_item *p, int64_t n, int64_t k, int64_t next) {
    int64_t count[DSL_DIGITS];
    for (uint64_t differ; n > DSL_FEW_ITEMS && (differ = dsl_items_differ(p, n));) {
        const int shift = dsl_digit_shift(differ, DSL_DIGIT);
        const uint64_t mask = DSL_DIGITS - 1;
        memset(count, 0, sizeof count);
        for (int64_t i = 0; i < n; i++) count[p[i].key >> shift & mask]++;
        const uint64_t digit = digit_with(count, &k);
        dsl_item least = {0, -1};
        int64_t kept = 0;
        for (int64_t i = 0; i < n; i++) {
            const uint64_t d = p[i].key >> shift & mask;
            if (d == digit) p[kept++] = p[i];
            else if (d > digit) keep_least(&least, p[i]);
        }
        if (least.at >= 0) next = least.at;
        n = kept;
    }
    if (n <= DSL_FEW_ITEMS) dsl_items_insert(p, n);
    if (k + 1 < n) next = p[k + 1].at;
    return (Found){p[k].at, next < 0 ? p[k].at : next};
}

/* ---- of an array, by threads */

typedef struct {
    const double *x;
    int64_t n, parts;
    dsl_counts *count;
    uint64_t differ, digit;
    int shift;
    int64_t nan;     /* the place of one, or -1 */
    dsl_item *kept;  /* those with the digit, in the order of their places */
    int64_t *start;  /* where those of each part begin */
    dsl_item *least; /* of each part, of those with a greater digit */
} Search;

static int64_t part_start(const Search *s, int64_t part) { return dsl_part_start(s->n, s->parts, part); }
static uint64_t digit_at(const Search *s, uint64_t key) { return key >> s->shift & (DSL_DIGITS - 1); }

static void find_differences(int64_t lo, int64_t hi, void *env) {
    Search *s = env;
    const uint64_t first = dsl_key_of_f64(s->x[0]);
    uint64_t differ = 0;
    int64_t nan = -1;
    for (int64_t i = lo; i < hi; i++) {
        differ |= dsl_key_of_f64(s->x[i]) ^ first;
        nan = isnan(s->x[i]) ? i : nan;
    }
    __atomic_fetch_or(&s->differ, differ, __ATOMIC_RELAXED);
    if (nan >= 0) __atomic_store_n(&s->nan, nan, __ATOMIC_RELAXED);
}

static void count_digits(int64_t lo, int64_t hi, void *env) {
    Search *s = env;
    for (int64_t part = lo; part < hi; part++) {
        int64_t *count = s->count[part], end = part_start(s, part + 1);
        memset(count, 0, sizeof *s->count);
        for (int64_t i = part_start(s, part); i < end; i++) count[digit_at(s, dsl_key_of_f64(s->x[i]))]++;
    }
}

static void keep_digit(int64_t lo, int64_t hi, void *env) {
    Search *s = env;
    for (int64_t part = lo; part < hi; part++) {
        dsl_item *kept = s->kept + s->start[part];
        int64_t end = part_start(s, part + 1);
        for (int64_t i = part_start(s, part); i < end; i++) {
            const uint64_t key = dsl_key_of_f64(s->x[i]);
            if (digit_at(s, key) == s->digit) *kept++ = (dsl_item){key, i};
        }
    }
}

static void find_least(int64_t lo, int64_t hi, void *env) {
    Search *s = env;
    for (int64_t part = lo; part < hi; part++) {
        dsl_item least = {0, -1};
        int64_t end = part_start(s, part + 1);
        for (int64_t i = part_start(s, part); i < end; i++) {
            const uint64_t key = dsl_key_of_f64(s->x[i]);
            if (digit_at(s, key) > s->digit) keep_least(&least, (dsl_item){key, i});
        }
        s->least[part] = least;
    }
}

/* How many have each digit */
static void sum_counts(const Search *s, int64_t all[DSL_DIGITS]) {
    memset(all, 0, sizeof(int64_t) * DSL_DIGITS);
    for (int64_t part = 0; part < s->parts; part++)
        for (int d = 0; d < DSL_DIGITS; d++) all[d] += s->count[part][d];
}

/* The place of the least with a greater digit, or -1 */
static int64_t next_digit(Search *s, bool worth) {
    dsl_item least = {0, -1}, of_part[DSL_MOST_PARTS];
    s->least = of_part;
    dsl_share_loop(find_least, s, s->parts, 1, worth);
    for (int64_t part = 0; part < s->parts; part++)
        if (of_part[part].at >= 0) keep_least(&least, of_part[part]);
    return least.at;
}

static Found find(Search *s, int64_t k) {
    int64_t all[DSL_DIGITS], start[DSL_MOST_PARTS], m = 0, next = -1;
    const bool worth = s->parts > 1;
    dsl_share_loop(count_digits, s, s->parts, 1, worth);
    sum_counts(s, all);
    s->digit = digit_with(all, &k);
    s->start = start;
    for (int64_t part = 0; part < s->parts; part++) {
        start[part] = m;
        m += s->count[part][s->digit];
    }
    s->kept = dsl_items_new(m);
    dsl_share_loop(keep_digit, s, s->parts, 1, worth);
    if (k + 1 == m) next = next_digit(s, worth);
    const Found found = find_in_items(s->kept, m, k, next);
    dsl_items_free(s->kept);
    return found;
}

/* stdlib: places of the elements that are k-th and next (or k-th again, at the end) in order, and of a NaN, or -1;
 * k < n */
dsl_array *dsl_m_argselect(const dsl_array *x, int64_t k) {
    Search s = {.x = x->data, .n = x->count, .parts = x->count > WORTH ? dsl_parts() : 1, .nan = -1};
    dsl_array *out = dsl_new(dsl_current_site(), DSL_I64, 1, &(int64_t){3});
    dsl_share_loop(find_differences, &s, s.n, 0, s.parts > 1);
    Found found = {k, k + 1 < s.n ? k + 1 : k};
    if (s.differ) {
        s.shift = dsl_digit_shift(s.differ, DSL_DIGIT);
        s.count = dsl_counts_new(s.parts);
        found = find(&s, k);
        dsl_scratch_free(s.count);
    }
    memcpy(out->data, (int64_t[]){found.kth, found.next, s.nan}, 3 * sizeof(int64_t));
    return out;
}

/* ---- searching */

/* How many of a[n], ascending, are less than each of v: several searches at once, so that none waits for memory
 * alone */
static void search(const double *a, int64_t n, const double *v, int count, int64_t *out) {
    int64_t base[SIDE_BY_SIDE] = {0};
    for (int64_t left = n, half; left > 0; left -= half) {
        half = (left + 1) / 2;
        for (int l = 0; l < count; l++) base[l] += a[base[l] + half - 1] < v[l] ? half : 0;
    }
    for (int l = 0; l < count; l++) out[l] = base[l];
}

typedef struct { const dsl_array *in, *values; int64_t *out; } Searches;

static void search_all(int64_t lo, int64_t hi, void *env) {
    const Searches *s = env;
    for (int64_t i = lo; i < hi; i += SIDE_BY_SIDE) {
        const int count = hi - i < SIDE_BY_SIDE ? (int)(hi - i) : SIDE_BY_SIDE;
        search(s->in->data, s->in->count, (const double *)s->values->data + i, count, s->out + i);
    }
}

/* stdlib: searchsorted(a, v) */
dsl_array *dsl_m_searchsorted(const dsl_array *a, const dsl_array *v) {
    dsl_array *out = dsl_new(dsl_current_site(), DSL_I64, 1, v->dim);
    dsl_share_loop(search_all, &(Searches){a, v, out->data}, v->count, 0, v->count > SEARCHES);
    return out;
}
