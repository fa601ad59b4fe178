/* What generated C includes: the runtime, and small helpers that only generated code uses. */
#ifndef DSL_GEN_H
#define DSL_GEN_H

#include "dsl.h"
#include "elementary.h"
#include "ranks.h"

#include <math.h>

int omp_in_parallel(void); /* not omp.h: clang has it in a package of its own */

/* What the program says may be odd (x == x, u >= 0) is not the C compiler's business, nor is a loop
 * that did not become vector instructions. */
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#pragma clang diagnostic ignored "-Wsometimes-uninitialized"
#else
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

/* A loop over the lanes of vectors, which count something: clang writes it out unless told otherwise, and finds no
 * vectors then. */
#ifdef __clang__
#define DSL_LANES _Pragma("clang loop vectorize(enable) unroll(disable)")
#else
#define DSL_LANES
#endif

/* Functions of math.h depend on nothing but their arguments (errno is not used), so calls may leave loops. */
#define DSL_MATH_1(X)                                                                                     \
    X(cbrt) X(asinh) X(acosh) X(atanh) X(erfc) X(tgamma)
#define DSL_DECLARE(f) double f(double) __attribute__((const)); float f##f(float) __attribute__((const));
DSL_MATH_1(DSL_DECLARE)
#undef DSL_DECLARE
double atan2(double, double) __attribute__((const));
float atan2f(float, float) __attribute__((const));
double hypot(double, double) __attribute__((const));
float hypotf(float, float) __attribute__((const));

/* An element of an array, which the function does not keep */
#define DSL_ELEM(T, array, i) (((const T *)(array)->data)[i])
/* The same, wherever it is right */
#define DSL_RANKS_ELEM(T, at, array, i) (*(const T *)dsl_ranks_element(at, array, i))

static inline void dsl_check_index(const dsl_site *at, int axis, int64_t i, int64_t n) {
    if (DSL_UNLIKELY((uint64_t)i >= (uint64_t)n)) dsl_fail_bounds(at, axis, i, n);
}

static inline float dsl_round_f16(float x) { return dsl_f16_to_f32(dsl_f32_to_f16(x)); }
static inline float dsl_round_bf16(float x) { return dsl_bf16_to_f32(dsl_f32_to_bf16(x)); }

/* How often the loop i = lo, lo + step, .. before hi runs */
static inline int64_t dsl_trips(int64_t lo, int64_t hi, int64_t step) {
    if (step > 0 ? lo >= hi : lo <= hi) return 0;
    uint64_t span = (uint64_t)hi - (uint64_t)lo, stride = (uint64_t)step;
    uint64_t trips = ((step > 0 ? span : 0 - span) - 1) / (step > 0 ? stride : 0 - stride);
    return trips < INT64_MAX ? (int64_t)trips + 1 : INT64_MAX;
}

/* *p = min(*p, x), max(*p, x), indivisibly.  Of zeros the negative is the lesser, of NaN and a number the
 * result is NaN: so the order of updates does not matter.  ..._same: where every thread comes with the same x. */
#define DSL_DEFINE_ATOMIC(KIND, N, T, BETTER)                                                             \
    static inline void dsl_atomic_##KIND##_##N(T *p, T x) {                                               \
        T old;                                                                                            \
        __atomic_load(p, &old, __ATOMIC_RELAXED);                                                         \
        while (BETTER(x, old) && !__atomic_compare_exchange(p, &old, &x, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) \
            continue;                                                                                     \
    }                                                                                                     \
    static inline void dsl_atomic_##KIND##_same_##N(T *p, T x) {                                          \
        T old;                                                                                            \
        __atomic_load(p, &old, __ATOMIC_RELAXED);                                                         \
        if (BETTER(x, old)) __atomic_store(p, &x, __ATOMIC_RELAXED);                                      \
    }
/* The same and other updates, which give what was there before */
#define DSL_DEFINE_FETCH(KIND, N, T, NEW)                                                                 \
    static inline T dsl_fetch_##KIND##_##N(T *p, T x) {                                                   \
        T old, made;                                                                                      \
        __atomic_load(p, &old, __ATOMIC_RELAXED);                                                         \
        do made = NEW(old, x);                                                                            \
        while (!__atomic_compare_exchange(p, &old, &made, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));     \
        return old;                                                                                       \
    }
#define DSL_DEFINE_FETCH_SET(N, T)                                                                        \
    static inline T dsl_fetch_set_##N(T *p, T x) {                                                        \
        T old;                                                                                            \
        __atomic_exchange(p, &x, &old, __ATOMIC_RELAXED);                                                 \
        return old;                                                                                       \
    }
/* *p = x if it is e, indivisibly; what was there.  With e for x it only reads. */
#define DSL_DEFINE_CAS(N, T)                                                                              \
    static inline T dsl_cas_##N(T *p, T x, T e) {                                                         \
        T old;                                                                                            \
        __atomic_load(p, &old, __ATOMIC_RELAXED);                                                         \
        if (old != e || x == e) return old;                                                               \
        __atomic_compare_exchange(p, &e, &x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                  \
        return e;                                                                                         \
    }
#define DSL_FETCH_MIN(a, b) ((b) < (a) ? (b) : (a))
#define DSL_FETCH_MAX(a, b) ((b) > (a) ? (b) : (a))
#define DSL_FETCH_XOR(a, b) ((a) != (b))
#define DSL_INT(N, T, BITS, LO, HI)                                                                       \
    static inline T dsl_fetch_add_##N(T *p, T x) { return __atomic_fetch_add(p, x, __ATOMIC_RELAXED); }   \
    static inline T dsl_fetch_and_##N(T *p, T x) { return __atomic_fetch_and(p, x, __ATOMIC_RELAXED); }   \
    static inline T dsl_fetch_or_##N(T *p, T x) { return __atomic_fetch_or(p, x, __ATOMIC_RELAXED); }     \
    static inline T dsl_fetch_xor_##N(T *p, T x) { return __atomic_fetch_xor(p, x, __ATOMIC_RELAXED); }   \
    static inline T dsl_fetch_mul_##N(T *p, T x) {                                                        \
        T old, made;                                                                                      \
        __atomic_load(p, &old, __ATOMIC_RELAXED);                                                         \
        do made = (T)((uint64_t)old * (uint64_t)x);                                                       \
        while (!__atomic_compare_exchange(p, &old, &made, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));     \
        return old;                                                                                       \
    }                                                                                                     \
    DSL_DEFINE_FETCH(min, N, T, DSL_FETCH_MIN) DSL_DEFINE_FETCH(max, N, T, DSL_FETCH_MAX) DSL_DEFINE_FETCH_SET(N, T) \
    DSL_DEFINE_CAS(N, T)
DSL_EACH_INT(DSL_INT)
#undef DSL_INT
DSL_DEFINE_FETCH(xor, bool, bool, DSL_FETCH_XOR)
DSL_DEFINE_FETCH_SET(bool, bool)
DSL_DEFINE_CAS(bool, bool)
#define DSL_LESS(a, b) ((a) < (b))
#define DSL_MORE(a, b) ((a) > (b))
#define DSL_INT(N, T, BITS, LO, HI) DSL_DEFINE_ATOMIC(min, N, T, DSL_LESS) DSL_DEFINE_ATOMIC(max, N, T, DSL_MORE)
DSL_EACH_INT(DSL_INT)
#undef DSL_INT
#undef DSL_LESS
#undef DSL_MORE
#define DSL_DEFINE(N, T)                                                                                  \
    static inline bool dsl_prefer_min_##N(T x, T old) {                                                   \
        return old == old && (x != x || x < old || (x == old && signbit(x) && !signbit(old)));            \
    }                                                                                                     \
    static inline bool dsl_prefer_max_##N(T x, T old) {                                                   \
        return old == old && (x != x || x > old || (x == old && !signbit(x) && signbit(old)));            \
    }                                                                                                     \
    DSL_DEFINE_ATOMIC(min, N, T, dsl_prefer_min_##N)                                                      \
    DSL_DEFINE_ATOMIC(max, N, T, dsl_prefer_max_##N)                                                      \
    static inline T dsl_kept_min_##N(T old, T x) { return dsl_prefer_min_##N(x, old) ? x : old; }         \
    static inline T dsl_kept_max_##N(T old, T x) { return dsl_prefer_max_##N(x, old) ? x : old; }         \
    DSL_DEFINE_FETCH(min, N, T, dsl_kept_min_##N)                                                         \
    DSL_DEFINE_FETCH(max, N, T, dsl_kept_max_##N)                                                         \
    DSL_DEFINE_FETCH_SET(N, T)
DSL_DEFINE(f32, float)
DSL_DEFINE(f64, double)
#undef DSL_DEFINE
#undef DSL_DEFINE_ATOMIC
#undef DSL_DEFINE_FETCH
#undef DSL_DEFINE_FETCH_SET
#undef DSL_DEFINE_CAS
#undef DSL_FETCH_MIN
#undef DSL_FETCH_MAX
#undef DSL_FETCH_XOR

/* 0.0 - x, which gcc 12 takes for -x where x was an int: -0.0 for 0 */
static inline float dsl_zero_minus_f32(float x) { return x == 0 ? 0.0f : -x; }
static inline double dsl_zero_minus_f64(double x) { return x == 0 ? 0.0 : -x; }

/* ---- gpu.c: in an executable for a GPU, too: its kernels, and the program that launches them */
extern const char dsl_gpu_ptx[];
void dsl_script(void);
/* A GPU is there, and has taken them.  Else, said on stderr, the program is to run on the processor.  The variable
 * DSL_TARGET says so without a word (cpu), or that it is a failure, E0714 and status 4 (cuda). */
bool dsl_gpu_takes(const char *ptx);

/* ---- gen.c */

/* Memory of one thread for a while: freed in reverse order, kept for the next time. 64-byte aligned. */
void *dsl_scratch(const dsl_site *at, int dtype, int rank, const int64_t *dim, bool zero);
void dsl_scratch_free(void *p);

/* ---- cases.c: `main` of a test or bench executable.  Cases end with a NULL name.
 * Arguments: names that a case must contain (all when none). A line per case; the exit status is 1 when
 * one failed. */
typedef struct { const char *name; void (*run)(void); } dsl_case;
int dsl_run_tests(int argc, char **argv, const dsl_case *cases);
int dsl_run_benches(int argc, char **argv, const dsl_case *cases);

#endif
