/* Tables of numbers.  All are positive: a function may well be associative for those alone, as min(p + q, 10) is.  What
 * an element of several numbers means is not known, so there are several kinds: a flag is 0 or 1, a count no fraction,
 * the greatest two of a set stand in order, and a bool says whether the others mean anything.  Whoever tries them
 * believes that a law is broken when it is for each kind. */
#include "opt/prove/combine_samples.h"

enum { ENTRIES = 13, FLAGS = 2, FALLING = 3 }; /* a prime number of entries; kinds */

static const double usual[ENTRIES] = {2.3, 0.7, 3.1, 1.9, 5.9, 0.3, 3.7, 1.1, 6.7, 1.37, 4.3, 0.13, 2.71};
static const double fractions[ENTRIES] = {0.41, 0.05, 0.73, 0.23, 0.11, 0.62, 0.17, 0.89, 0.35, 0.07, 0.53, 0.29, 0.97};
static const int64_t whole[ENTRIES] = {2, 3, 5, 7, 4, 11, 6, 13, 9, 10, 14, 17, 19};
static const int64_t few[ENTRIES] = {1, 3, 2, 5, 4, 1, 2, 5, 3, 4, 2, 1, 3};
static const int64_t flags[ENTRIES] = {0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 0};

int sample_kinds(int n) { return n == 1 ? 2 : 5; }

/* Three places of a table that differ, mixed by the triple and the place in the element */
static int entry_of(int triple, int which, int leaf) {
    unsigned mix = (unsigned)(triple * 31 + leaf * 17 + 7) * 2654435761u;
    return (int)((mix >> 8) % ENTRIES + (unsigned)which * (1 + (mix >> 20) % (ENTRIES - 1))) % ENTRIES;
}

static Const sample(int kind, DType t, int at) {
    const int64_t *ints = kind == FLAGS ? flags : kind == 1 || dtype_info(t)->bytes == 1 ? few : whole;
    double f = kind == FLAGS ? (double)flags[at] : kind == 1 ? fractions[at] : usual[at];
    if (dtype_is_float(t)) return (Const){.dtype = t, .f = const_round(t, f)};
    return (Const){.dtype = t, .i = t == DT_BOOL ? (kind < FALLING ? flags[at] : kind == FALLING) : ints[at]};
}

static bool is_less(const Const *x, const Const *y) { return dtype_is_float(x->dtype) ? x->f < y->f : x->i < y->i; }

/* Those of one type */
static void sort(int n, Const *x, bool falling) {
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++) {
            Const a = x[i], b = x[k];
            if (a.dtype == b.dtype && (falling ? is_less(&a, &b) : is_less(&b, &a))) x[i] = b, x[k] = a;
        }
}

void sample_element(int kind, int triple, int which, int n, const DType *types, Const *out) {
    for (int i = 0; i < n; i++) out[i] = sample(kind, types[i], entry_of(triple, which, i));
    if (kind >= FALLING) sort(n, out, kind == FALLING);
}

bool sample_unknown(int world, DType t, Const *out) {
    static const double floats[SAMPLE_WORLDS] = {0.5, 2.5, -1.5};
    static const int64_t ints[SAMPLE_WORLDS] = {2, 97, -3};
    if (t == DT_STR) return false;
    *out = (Const){.dtype = t, .i = t == DT_BOOL ? world & 1 : const_wrap(t, ints[world])};
    if (dtype_is_float(t)) *out = (Const){.dtype = t, .f = floats[world]};
    return true;
}

static void print_one(Text *t, const Const *x) {
    if (dtype_is_float(x->dtype)) text_printf(t, "%.6g", x->f);
    else if (x->dtype == DT_BOOL) text_printf(t, "%s", x->i ? "true" : "false");
    else text_printf(t, "%lld", (long long)x->i);
}

void sample_print(Text *t, int n, const Const *x) {
    if (n > 1) text_printf(t, "(");
    for (int i = 0; i < n; i++) {
        if (i) text_printf(t, ", ");
        print_one(t, &x[i]);
    }
    if (n > 1) text_printf(t, ")");
}
