/* What kernels of a GPU call: compiled by clang to bitcode, which codegen/llvm links into their module.  Failures are
 * written down (runtime/gpu.h); memory comes from the device's malloc. */
#include "runtime/gpu.h"
#include "runtime/divide.h"
#include "runtime/half.c"

#include <stdlib.h>
#include <string.h>

dsl_gpu_failure dsl_gpu_failed;
const int64_t dsl_nought = 0;
_Noreturn void dsl_gpu_exit(void); /* made by codegen/llvm/device.c: ends the thread */

/* ---- failures */

static _Noreturn void fail(const dsl_site *at, dsl_gpu_reason reason, int n, const int64_t *values) {
    dsl_gpu_failure *f = &dsl_gpu_failed;
    int32_t nobody = 0;
    if (__atomic_compare_exchange_n(&f->taken, &nobody, 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        f->reason = (int32_t)reason;
        f->site = (int64_t)(intptr_t)at;
        for (int i = 0; i < n && i < DSL_GPU_VALUES; i++) f->values[i] = values[i];
    }
    dsl_gpu_exit();
}
#define FAIL(at, reason, ...) \
    fail(at, reason, (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (int64_t[]){__VA_ARGS__})

void dsl_fail_bounds(const dsl_site *at, int axis, int64_t index, int64_t extent) {
    FAIL(at, DSL_GPU_BOUNDS, axis, index, extent);
}
void dsl_fail_divzero(const dsl_site *at) { FAIL(at, DSL_GPU_DIVZERO, 0); }
void dsl_fail_negpow(const dsl_site *at, int64_t exponent) { FAIL(at, DSL_GPU_NEGPOW, exponent); }
void dsl_fail_size(const dsl_site *at, int64_t n) { FAIL(at, DSL_GPU_SIZE, n); }
void dsl_fail_step(const dsl_site *at) { FAIL(at, DSL_GPU_STEP, 0); }
/* values: the check's number, its operands */
void dsl_gpu_fail_check(const dsl_site *at, int32_t n, const int64_t *values);
void dsl_gpu_fail_check(const dsl_site *at, int32_t n, const int64_t *values) { fail(at, DSL_GPU_CHECK, n, values); }

/* What a thread waits for may not come: the one that was to bring it has failed. */
void dsl_gpu_look(void);
void dsl_gpu_look(void) {
    if (*(volatile int32_t *)&dsl_gpu_failed.taken) dsl_gpu_exit();
}

/* ---- quotients */

double dsl_quotient_by_f64(double x, double c, double high, double low);
double dsl_quotient_f64(double x, double c);
float dsl_quotient_f32(float x, float c);
double dsl_quotient_by_f64(double x, double c, double high, double low) { return dsl_divide_by_f64(x, c, high, low); }
double dsl_quotient_f64(double x, double c) { return dsl_divide_same_f64(x, c); }
float dsl_quotient_f32(float x, float c) { return dsl_divide_same_f32(x, c); }

/* ---- memory of one thread */

static int64_t bytes_of(int dtype) {
    static const char bytes[] = {[DSL_BOOL] = 1, [DSL_I8] = 1, [DSL_I16] = 2, [DSL_I32] = 4, [DSL_I64] = 8,
                                 [DSL_U8] = 1, [DSL_U16] = 2, [DSL_U32] = 4, [DSL_U64] = 8,
                                 [DSL_F16] = 2, [DSL_BF16] = 2,
                                 [DSL_F32] = 4, [DSL_F64] = 8, [DSL_STR] = 8};
    return bytes[dtype];
}

void *dsl_scratch(const dsl_site *at, int dtype, int rank, const int64_t *dim, bool zero);
void *dsl_scratch(const dsl_site *at, int dtype, int rank, const int64_t *dim, bool zero) {
    int64_t bytes = bytes_of(dtype);
    for (int i = 0; i < rank; i++) bytes *= dim[i];
    char *p = malloc((size_t)bytes);
    if (!p) FAIL(at, DSL_GPU_MEMORY, bytes);
    for (int64_t i = 0; zero && i < bytes; i++) p[i] = 0;
    return p;
}
void dsl_scratch_free(void *p);
void dsl_scratch_free(void *p) { free(p); }

int dsl_threads(void) { return 1; }

/* ---- updates of floats, indivisibly.  NEW makes the new value of old and x; what was there is the result. */

#define UPDATE(NAME, N, T, BITS, NEW)                                                             \
    T dsl_fetch_##NAME##_##N(T *p, T x);                                                          \
    T dsl_fetch_##NAME##_##N(T *p, T x) {                                                         \
        BITS *at = (BITS *)p, seen = __atomic_load_n(at, __ATOMIC_RELAXED), made;                 \
        T old, next;                                                                              \
        do {                                                                                      \
            memcpy(&old, &seen, sizeof old);                                                      \
            next = NEW;                                                                           \
            memcpy(&made, &next, sizeof made);                                                    \
        } while (!__atomic_compare_exchange_n(at, &seen, made, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)); \
        return old;                                                                               \
    }
UPDATE(add, f32, float, uint32_t, old + x)
UPDATE(add, f64, double, uint64_t, old + x)
UPDATE(mul, f32, float, uint32_t, old * x)
UPDATE(mul, f64, double, uint64_t, old * x)

/* Of halves: in the word of 32 bits that holds it */
#define LESS(a, b) ((b) != (b) || (b) < (a) || ((b) == (a) && __builtin_signbit(b)) ? (b) : (a))
#define MORE(a, b) ((b) != (b) || (b) > (a) || ((b) == (a) && !__builtin_signbit(b)) ? (b) : (a))
#define HALF(NAME, N, NEW)                                                                        \
    float dsl_fetch_##NAME##_##N(uint16_t *p, float x);                                           \
    float dsl_fetch_##NAME##_##N(uint16_t *p, float x) {                                          \
        uint32_t *word = (uint32_t *)((uintptr_t)p & ~(uintptr_t)3), shift = (uint32_t)((uintptr_t)p & 2) * 8;  \
        uint32_t seen = __atomic_load_n(word, __ATOMIC_RELAXED), made;                            \
        float old;                                                                                \
        do {                                                                                      \
            old = dsl_##N##_to_f32((uint16_t)(seen >> shift));                                    \
            made = (seen & ~((uint32_t)0xffff << shift)) | (uint32_t)dsl_f32_to_##N(NEW) << shift; \
        } while (!__atomic_compare_exchange_n(word, &seen, made, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)); \
        return old;                                                                               \
    }
#define EXTREME(NAME, N, NEW)                                                                     \
    HALF(NAME, N, NEW)                                                                            \
    void dsl_atomic_##NAME##_##N(uint16_t *p, float x);                                           \
    void dsl_atomic_##NAME##_##N(uint16_t *p, float x) { dsl_fetch_##NAME##_##N(p, x); }
#define HALVES(N)                                                                                 \
    HALF(add, N, old + x) HALF(mul, N, old * x) HALF(set, N, x)                                   \
    EXTREME(min, N, LESS(old, x)) EXTREME(max, N, MORE(old, x))
HALVES(f16)
HALVES(bf16)
