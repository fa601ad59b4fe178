/* The runtime that compiled programs and the interpreter share.  Includes no compiler header; C11.
 *
 * Arrays are reference counted, contiguous, row-major.  Functions of generated code own their array
 * arguments (they release or pass them on) and return owned arrays; extern functions borrow their
 * arguments.  An array with one owner is updated in place.
 *
 * Run-time errors print  file:line:col: error[E06xx]: message  with the source line and a caret, as the
 * compiler does, and exit with status 1 (dsl_fail). */
#ifndef DSL_RUNTIME_H
#define DSL_RUNTIME_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DSL_MAX_RANK 8
#define DSL_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define DSL_LIKELY(x) __builtin_expect(!!(x), 1)
#define DSL_COLD __attribute__((cold, noinline))

/* Element types: the values are part of the ABI; same order as base/dtypes.def. */
typedef enum {
    DSL_BOOL, DSL_I8, DSL_I16, DSL_I32, DSL_I64, DSL_U8, DSL_U16, DSL_U32, DSL_U64,
    DSL_F16, DSL_BF16, DSL_F32, DSL_F64, DSL_STR
} dsl_dtype;
typedef uint16_t dsl_f16, dsl_bf16; /* bits */
typedef const char *dsl_str;
/* An element in memory that held elements of other types before (codegen/c/island.c, alloc_within) */
#define DSL_LATER(name, type) typedef type dsl_later_##name __attribute__((__may_alias__));
DSL_LATER(i8, int8_t) DSL_LATER(i16, int16_t) DSL_LATER(i32, int32_t) DSL_LATER(i64, int64_t) DSL_LATER(u8, uint8_t)
DSL_LATER(u16, uint16_t) DSL_LATER(u32, uint32_t) DSL_LATER(u64, uint64_t) DSL_LATER(f16, dsl_f16)
DSL_LATER(bf16, dsl_bf16) DSL_LATER(f32, float) DSL_LATER(f64, double) DSL_LATER(str, dsl_str)
#undef DSL_LATER

typedef struct dsl_array {
    int64_t refs;
    int32_t dtype, rank;
    int64_t dim[DSL_MAX_RANK];
    int64_t count;  /* elements */
    void *data;     /* 64-byte aligned */
} dsl_array;

/* A value of any type, as functions that are called by address take and give it */
typedef union dsl_value {
    bool as_bool;
    int8_t as_i8; int16_t as_i16; int32_t as_i32; int64_t as_i64;
    uint8_t as_u8; uint16_t as_u16; uint32_t as_u32; uint64_t as_u64;
    float as_f32; /* halves too */
    double as_f64;
    const char *as_str;
    dsl_array *as_array;
} dsl_value;

/* A place in a source file, for messages; text is the source line, len the caret's width.  Places in the library
 * have no text: a failure there is shown at the call of it in the user's program.  caller: the code stands in place
 * of the call there; how tells what was called. */
typedef struct dsl_site {
    const char *file;
    int line, col, len;
    const char *text;
    const struct dsl_site *caller;
    const char *how;
} dsl_site;

/* ---- errors.c, depth.c */
DSL_COLD __attribute__((noreturn, format(printf, 3, 4)))
void dsl_fail(const dsl_site *at, const char *code, const char *fmt, ...);
/* msg with each {} replaced by the next of n values */
typedef struct dsl_arg { int32_t dtype; union { int64_t i; double f; const char *s; } u; } dsl_arg;
DSL_COLD __attribute__((noreturn))
void dsl_fail_args(const dsl_site *at, const char *code, const char *msg, int n, const dsl_arg *args);
DSL_COLD __attribute__((noreturn))
void dsl_fail_bounds(const dsl_site *at, int axis, int64_t index, int64_t extent); /* E0601 */
DSL_COLD __attribute__((noreturn)) void dsl_fail_divzero(const dsl_site *at);      /* E0602 */
DSL_COLD __attribute__((noreturn)) void dsl_fail_negpow(const dsl_site *at, int64_t exponent); /* E0608 */
/* No axis of an array is longer, not even of one without elements: products of a size and an index do not wrap then. */
#define DSL_MAX_EXTENT ((int64_t)1 << 47)
DSL_COLD __attribute__((noreturn)) void dsl_fail_size(const dsl_site *at, int64_t n);        /* E0607 */
DSL_COLD __attribute__((noreturn)) void dsl_fail_step(const dsl_site *at);                 /* E0609 */
/* The parts of a failure with notes: say_error, then notes and hints, then stop. */
DSL_COLD __attribute__((format(printf, 3, 4))) void dsl_say_error(const dsl_site *at, const char *code, const char *fmt,
                                                                  ...);
DSL_COLD __attribute__((format(printf, 2, 3))) void dsl_say_note(const dsl_site *at, const char *fmt, ...);
DSL_COLD __attribute__((format(printf, 1, 2))) void dsl_say_hint(const char *fmt, ...);
DSL_COLD __attribute__((noreturn)) void dsl_stop(int status);
/* For hosts: after the message, this thread's failures call handler, which must not return (longjmp);
 * NULL: the process ends. */
void dsl_on_fail(void (*handler)(void *ctx, int status), void *ctx);
/* Frees the working memory that the calling thread keeps for its next operation: at the end of a thread. */
void dsl_scratch_clear(void);
void dsl_own_clear(void); /* ... and of small arrays */

/* The calls that are under way, innermost first, so that a failure can tell them.  A frame is the caller's own
 * variable; what calls of the program are replaced by the body has no frame but a site with a caller. */
typedef struct dsl_frame {
    const struct dsl_frame *up;
    const dsl_site *at;
    const char *how;    /* "'f' was called here" */
    int64_t depth;      /* calls of recursive functions inside one another */
} dsl_frame;
#define DSL_NEAR __attribute__((tls_model("initial-exec"))) /* one instruction reads it, in shared libraries too */
extern _Thread_local const dsl_frame *dsl_frames
    DSL_NEAR; /* of this thread; strands take those of the one that spawns them */
extern const dsl_frame *dsl_launched;             /* while threads share a loop: the frames around it */
static inline void dsl_enter(dsl_frame *f, const dsl_site *at, const char *how) {
    *f = (dsl_frame){dsl_frames, at, how, dsl_frames ? dsl_frames->depth : 0};
    dsl_frames = f;
}
/* callee: the function itself; E0604 beyond DSL_MAX_DEPTH calls, and where the stack of this thread ends */
enum { DSL_MAX_DEPTH = 10000 };
extern _Thread_local uintptr_t dsl_stack_end DSL_NEAR; /* not found yet: the highest address */
DSL_COLD void dsl_check_depth(const dsl_frame *f, const dsl_site *callee);
static inline void dsl_enter_recursive(dsl_frame *f, const dsl_site *at, const char *how, const dsl_site *callee) {
    dsl_enter(f, at, how);
    if (DSL_UNLIKELY(++f->depth > DSL_MAX_DEPTH || (uintptr_t)f < dsl_stack_end)) dsl_check_depth(f, callee);
}
static inline void dsl_leave(const dsl_frame *f) { dsl_frames = f->up; }

/* Functions that call themselves and in which nothing else can fail (codegen/light.c) keep no frames.  A call is told
 * how many may be inside it; where there is no room it comes back at once, and so do all around it, each telling its
 * place, until the first one makes the frames of them and fails. */
extern _Thread_local bool dsl_deep DSL_NEAR; /* the calls are on their way back */
DSL_COLD bool dsl_ends_here(int64_t room, const dsl_site *callee);
DSL_COLD void dsl_add_call(const dsl_site *at, const char *how);
DSL_COLD __attribute__((noreturn)) void dsl_fail_depth(const dsl_site *at, const char *how);
/* Of the first call */
static inline int64_t dsl_room(void) { return DSL_MAX_DEPTH - (dsl_frames ? dsl_frames->depth : 0); }
/* In the function itself; step: a power of two, after so many calls the stack is looked at. */
static inline bool dsl_no_room(int64_t room, int64_t step, const dsl_site *callee) {
    return DSL_UNLIKELY((room & (step - 1)) == 0) && dsl_ends_here(room, callee);
}
/* Behind a call in such a function: true if it is to come back, too */
static inline bool dsl_comes_back(const dsl_site *at, const char *how) {
    if (DSL_LIKELY(!dsl_deep)) return false;
    dsl_add_call(at, how);
    return true;
}
/* Behind the first call */
static inline void dsl_came_back(const dsl_site *at, const char *how) {
    if (DSL_UNLIKELY(dsl_deep)) dsl_fail_depth(at, how);
}

/* ---- array.c */
/* count and bytes are checked for overflow and against physical memory (E0603). Elements undefined. Freed
 * memory of recent arrays is kept and reused. Thread-safe. */
dsl_array *dsl_new(const dsl_site *at, int dtype, int rank, const int64_t *dim);
dsl_array *dsl_new_table(const dsl_site *at, int dtype, int rank, const int64_t *dim,
                         const void *elements); /* copies them */
DSL_COLD void dsl_say_memory(void); /* a hint: how much the machine has */
void dsl_release(dsl_array *a);            /* NULL is ignored */
static inline dsl_array *dsl_retain(dsl_array *a) { __atomic_add_fetch(&a->refs, 1, __ATOMIC_RELAXED); return a; }
/* a itself when it has one owner; else a copy, and a loses one owner */
dsl_array *dsl_unique(dsl_array *a);
dsl_array *dsl_copy(const dsl_array *a);
/* consumes a; same memory (if unique) under another shape of the same number of elements (E0605 if not) */
dsl_array *dsl_reshape(const dsl_site *at, dsl_array *a, int rank, const int64_t *dim);
/* consumes a; fails with E0606 naming both sizes if a's dims differ from dim; other: what they must agree with */
dsl_array *dsl_retype(const dsl_site *at, dsl_array *a, const int64_t *dim, const char *msg, const dsl_site *other);
/* a itself; fails (E0634) when an extern function returned something else than it declares */
dsl_array *dsl_extern_result(const dsl_site *at, dsl_array *a, int dtype, int rank);
int dsl_dtype_bytes(int dtype);
const char *dsl_dtype_name(int dtype);

/* ---- half.c */
float dsl_f16_to_f32(dsl_f16 x);
dsl_f16 dsl_f32_to_f16(float x);  /* round to nearest even */
float dsl_bf16_to_f32(dsl_bf16 x);
dsl_bf16 dsl_f32_to_bf16(float x);

/* ---- parallel.c: number of threads: --threads, else DSL_NUM_THREADS, else OMP_NUM_THREADS, else cores */
void dsl_init(int *argc, char ***argv);
/* The same in two steps, for a program in memory, whose arguments are not those of the process: with more threads than
 * free cores this process starts anew, as argv; then the rest. */
void dsl_restart_if_crowded(char **argv);
void dsl_begin(int *argc, char ***argv);
void dsl_finish(void); /* flushes; E0616 when the output can't be written */
enum { DSL_MAX_THREADS = 4096 };
int dsl_threads(void); /* in a region of threads: 1 */
/* Around a loop that threads share: where it is, for failures in them.  Inside another one the frames are known. */
static inline void dsl_launch_begins(void) { if (dsl_threads() > 1) dsl_launched = dsl_frames; }
static inline void dsl_launch_ends(void) { if (dsl_threads() > 1) dsl_launched = NULL; }
void dsl_set_threads(int n);

/* ---- files.c: what lies beside a program is found by load, too */
void dsl_set_home(const char *folder); /* NULL: there is none */
void dsl_find_home(void); /* of an executable: DSL_HOME, or where it is */

/* ---- args.c: what a program makes of its command line */
void dsl_set_arguments(int argc, char **argv); /* dsl_init does it; argv stays the caller's, and as it is */
void dsl_no_arguments(void); /* for a program that declares none: ends it when there are some */

/* ---- print.c: one print statement is begin, items, end; goes to stdout in one piece */
void dsl_print_bool(bool x);
void dsl_print_i64(int64_t x);
void dsl_print_u64(uint64_t x);
void dsl_print_f32(float x);
void dsl_print_f64(double x);
void dsl_print_str(const char *x);
void dsl_print_array(const dsl_array *a);
void dsl_print_sep(void);
/* How the next item is written; 0: as if nothing were said */
typedef struct dsl_format {
    char align; /* < > ^ */
    char sign;  /* + before what is not negative */
    char zero;  /* 0: the width is filled with zeros */
    char type;  /* f e g: numbers with so many digits; d x: ints */
    int width, digits;
} dsl_format;
void dsl_print_as(dsl_format format);
int dsl_count_characters(const char *s, size_t n); /* of UTF-8 */
/* Instead of an end: what was gathered, as a text that stays (once, however often it is asked for) */
const char *dsl_print_text(const dsl_site *at);
/* The first n bytes of s, as such a text */
const char *dsl_text(const dsl_site *at, const char *s, size_t n);
void dsl_print_end(const dsl_site *at);
/* From here on what is printed is held back, until a failure's message or a release; a drop forgets it. */
void dsl_print_hold(void);
void dsl_print_release(void);
void dsl_print_drop(void);
/* shortest text that reads back as x; "1.0", "1e-05", "nan", "inf"; returns length */
enum { DSL_FLOAT_TEXT = 32 }; /* room that is enough */
int dsl_format_f64(char *buf, double x);
int dsl_format_f32(char *buf, float x);

/* ---- load.c: by the end of the name .npy or a table; part: a column, or "" */
dsl_array *dsl_load(const dsl_site *at, const char *path, const char *part, int dtype, int rank);

/* ---- table.c: numbers in texts; E0611 says where in the file something is wrong */
bool dsl_is_table(const char *path);
dsl_array *dsl_table_load(const dsl_site *at, const char *path, const char *column, int dtype, int rank);
void dsl_table_save(const dsl_site *at, const char *path, const dsl_array *a, const char *names);

/* ---- npy.c: NumPy format 1.0 to 3.0 read, 1.0 written; written beside and renamed.
 * E0610 cannot read, E0611 not an .npy or truncated, E0612 other dtype, E0613 other rank, E0614 cannot write */
dsl_array *dsl_npy_load(const dsl_site *at, const char *path, int dtype, int rank);
/* Complex numbers, or real ones, as floats: the last axis, counted in rank, has their two parts */
dsl_array *dsl_npy_load_pairs(const dsl_site *at, const char *path, int dtype, int rank);
void dsl_npy_save_complex(const dsl_site *at, const char *path, const dsl_array *re, const dsl_array *im);
void dsl_npy_save(const dsl_site *at, const char *path, const dsl_array *a);

/* ---- blas.c (OpenBLAS, loaded when the first of them is called; E0619: it can't be); owned results, borrowed args */
void *dsl_lapack(const dsl_site *at, const char *name); /* a function of LAPACK, such as dgesdd_ */
dsl_array *dsl_gemm(const dsl_site *at, const dsl_array *a, const dsl_array *b, int ta,
                    int tb); /* f32 f64; matrices, stacks of them */
dsl_array *dsl_trisolve(const dsl_site *at, const dsl_array *l, const dsl_array *b, int upper, int trans, int unit);
dsl_array *dsl_chol_factor(const dsl_site *at, const dsl_array *a);
dsl_array *dsl_cholesky(const dsl_site *at, const dsl_array *f); /* of that */
void dsl_lu_factor(const dsl_site *at, const dsl_array *a, dsl_array **f, dsl_array **order);
dsl_array *dsl_lu_solve(const dsl_site *at, const dsl_array *f, const dsl_array *order, const dsl_array *b, int trans,
                        const char *what); /* E0615 with this word */
dsl_array *dsl_lu_inv(const dsl_site *at, const dsl_array *f, const dsl_array *order, const char *what);
double dsl_lu_det(const dsl_site *at, const dsl_array *f, const dsl_array *order);
double dsl_lu_logdet(const dsl_site *at, const dsl_array *f, const dsl_array *order);
double dsl_lu_sign(const dsl_site *at, const dsl_array *f, const dsl_array *order);
void dsl_lu_parts(const dsl_site *at, const dsl_array *f, const dsl_array *order, dsl_array **l, dsl_array **u);
void dsl_eigh(const dsl_site *at, const dsl_array *a, dsl_array **w, dsl_array **v);

/* ---- progress.c: a bar on stderr when it is a terminal; at most 10 updates a second.  Any thread may do a step. */
typedef struct dsl_progress { int64_t total, done; double start, shown; bool busy; } dsl_progress;
void dsl_progress_begin(dsl_progress *p, int64_t total);
void dsl_progress_step(dsl_progress *p);
void dsl_progress_end(dsl_progress *p);

/* ---- extern functions of stdlib (plots through gnuplot by pipe: plot.c; time, args: sys.c). An extern
 * declared `extern fn plot_line(path: str, x: f64[n], y: f64[n])` is the C function
 * void plot_line(const char *path, const dsl_array *x, const dsl_array *y): scalars by value, arrays borrowed;
 * an array result is returned owned. The stdlib's own externs are named dsl_x_NAME in C through
 * `extern fn` names that begin with dsl_x_, or dsl_m_ where they only compute. The site of the call is available as
 * dsl_current_site(). */
const dsl_site *dsl_current_site(void);
void dsl_set_site(const dsl_site *at);
/* crash.c: around calls of C functions, so that a signal that stops one is told with its name */
void dsl_calls(const dsl_site *at, const char *name);
void dsl_called(void);
const dsl_site *dsl_calling(const char **name); /* this thread is in such a function; NULL: in none */

/* ---- scalar helpers: the meaning of the elementwise operations (ir/ops.def) for both interpreter and C.
 *
 * dsl_OP_T for T in i8 .. u64 (and f32 f64 where it makes sense):
 *   add sub mul neg abs sign    ints wrap
 *   idiv mod                    floor division; the caller has checked that y != 0 (ints)
 *   ipow                        y >= 0 is checked by the caller; by squaring, wraps
 *   shl shr                     amounts outside 0 .. bits-1 give 0 (shr of a negative number: -1)
 *   min max                     NaN if either is
 * dsl_cast_F_T: F in f32 f64, T an int type: truncates; NaN gives 0, out of range the nearest end.  dsl_nought is 0,
 * which gcc 12 does not know: it takes (double)(int)x for trunc(x), which is -0.0 for -0.5 (it has -fno-trapping-math).
 * Other casts are C's.  f16 and bf16 are computed as f32; conversions to them go through f32.
 * Float mod has the sign of y and is exact when it can be (as Python's and NumPy's); idiv goes with it.
 * Other functions of floats are those of math.h, in the operand's own type (sinf for f32). */
extern const int64_t dsl_nought;
#define DSL_EACH_INT(X)                                                                        \
    X(i8, int8_t, 8, INT8_MIN, INT8_MAX) X(i16, int16_t, 16, INT16_MIN, INT16_MAX)             \
    X(i32, int32_t, 32, INT32_MIN, INT32_MAX) X(i64, int64_t, 64, INT64_MIN, INT64_MAX)        \
    X(u8, uint8_t, 8, 0, UINT8_MAX) X(u16, uint16_t, 16, 0, UINT16_MAX)                        \
    X(u32, uint32_t, 32, 0, UINT32_MAX) X(u64, uint64_t, 64, 0, UINT64_MAX)
#define DSL_EACH_SIGNED(X) X(i8, int8_t) X(i16, int16_t) X(i32, int32_t) X(i64, int64_t)
#define DSL_EACH_UNSIGNED(X) X(u8, uint8_t) X(u16, uint16_t) X(u32, uint32_t) X(u64, uint64_t)

/* v, but 0 where `none`, as derivatives need it of what was not chosen.  By bits: of many such choices in a loop gcc
 * makes branches that it does not turn back, and no vectors. */
static inline double dsl_unless_f64(bool none, double v) {
    union { double v; uint64_t bits; } u = {v};
    u.bits &= -(uint64_t)!none;
    return u.v;
}
static inline float dsl_unless_f32(bool none, float v) {
    union { float v; uint32_t bits; } u = {v};
    u.bits &= -(uint32_t)!none;
    return u.v;
}

/* Truncates; NaN and what does not fit give INT64_MIN (the "integer indefinite" of x86, which has an instruction for
 * it).  In plain C it takes two comparisons, but can become vectors.  lanes: in a strip of which each turn is tried
 * again when this gives INT64_MIN; so what does not fit 32 bits may give it too (AVX2 converts no more), and everything
 * where no vectors are converted: then compilers see that the strip is for nothing. */
static inline int64_t dsl_trunc_plain_i64(double x) {
    return x >= -0x1p63 && x < 0x1p63 ? (int64_t)x ^ dsl_nought : INT64_MIN;
}
static inline int64_t dsl_trunc_i64(double x) {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(DSL_DEVICE)
    typedef double pair __attribute__((vector_size(16)));
    return __builtin_ia32_cvttsd2si64((pair){x, 0});
#else
    return dsl_trunc_plain_i64(x);
#endif
}
#if defined(__x86_64__) && !defined(__AVX2__)
static inline int64_t dsl_trunc_lanes_i64(double x) { return (void)x, INT64_MIN; }
#elif defined(__x86_64__) && !defined(__AVX512DQ__)
static inline int64_t dsl_trunc_lanes_i64(double x) {
    return x > -0x1p31 && x < 0x1p31 ? (int32_t)x ^ (int32_t)dsl_nought : INT64_MIN;
}
#else
static inline int64_t dsl_trunc_lanes_i64(double x) { return dsl_trunc_plain_i64(x); }
#endif

#define DSL_DEFINE(N, T, BITS, LO, HI)                                                         \
    static inline T dsl_add_##N(T x, T y) { return (T)((uint64_t)x + (uint64_t)y); }           \
    static inline T dsl_sub_##N(T x, T y) { return (T)((uint64_t)x - (uint64_t)y); }           \
    static inline T dsl_mul_##N(T x, T y) { return (T)((uint64_t)x * (uint64_t)y); }           \
    static inline T dsl_neg_##N(T x) { return (T)(0 - (uint64_t)x); }                          \
    static inline T dsl_min_##N(T x, T y) { return x < y ? x : y; }                            \
    static inline T dsl_max_##N(T x, T y) { return x > y ? x : y; }                            \
    static inline T dsl_shl_##N(T x, T y) {                                                    \
        return (uint64_t)y < BITS ? (T)((uint64_t)x << y) : (T)0;                              \
    }                                                                                          \
    static inline T dsl_shr_##N(T x, T y) {                                                    \
        return (uint64_t)y < BITS ? (T)(x >> y) : x < (T)1 && x != 0 ? (T)-1 : (T)0;           \
    }                                                                                          \
    static inline T dsl_ipow_##N(T x, T y) {                                                   \
        uint64_t r = 1, b = (uint64_t)x;                                                       \
        for (uint64_t n = (uint64_t)y; n; n >>= 1, b *= b)                                     \
            if (n & 1) r *= b;                                                                 \
        return (T)r;                                                                           \
    }                                                                                          \
    static inline T dsl_cast_f64_##N(double x) {                                               \
        if (BITS < 64) { /* can become vectors */                                              \
            double c = x < (double)(LO) ? (double)(LO) : x > (double)(HI) ? (double)(HI) : x;  \
            return x != x ? (T)0 : (T)((T)c ^ (T)dsl_nought);                                  \
        }                                                                                      \
        const int64_t fast = dsl_trunc_i64(x);                                                 \
        if ((T)-1 < (T)1 && __builtin_expect(fast != INT64_MIN, 1)) return (T)fast;            \
        if (__builtin_expect(x > (double)(LO)-1 && x < (double)(HI), 1)) return (T)((T)x ^ (T)dsl_nought); \
        return x != x ? (T)0 : x < 0 ? (T)(LO) : (T)(HI);                                      \
    }                                                                                          \
    static inline T dsl_cast_f32_##N(float x) { return dsl_cast_f64_##N((double)x); }
DSL_EACH_INT(DSL_DEFINE)
#undef DSL_DEFINE

/* Divisions of 64 bits take up to four times as long as those of 32. */
static inline bool dsl_both_u32(uint64_t x, uint64_t y) { return (x | y) >> 32 == 0; }

#define DSL_DEFINE(N, T)                                                                       \
    static inline T dsl_abs_##N(T x) { return x < 0 ? dsl_neg_##N(x) : x; }                    \
    static inline T dsl_sign_##N(T x) { return (T)((x > 0) - (x < 0)); }                       \
    static inline T dsl_idiv_##N(T x, T y) {                                                   \
        if (sizeof(T) == 8 && dsl_both_u32((uint64_t)x, (uint64_t)y)) return (T)((uint32_t)x / (uint32_t)y); \
        if (y == -1) return dsl_neg_##N(x);                                                    \
        return (T)(x / y - ((x % y != 0) & ((x ^ y) < 0)));                                    \
    }                                                                                          \
    static inline T dsl_mod_##N(T x, T y) {                                                    \
        if (sizeof(T) == 8 && dsl_both_u32((uint64_t)x, (uint64_t)y)) return (T)((uint32_t)x % (uint32_t)y); \
        if (y == -1) return 0;                                                                 \
        T r = (T)(x % y);                                                                      \
        return (T)(r + (((r != 0) & ((r ^ y) < 0)) ? y : 0));                                  \
    }
DSL_EACH_SIGNED(DSL_DEFINE)
#undef DSL_DEFINE

#define DSL_DEFINE(N, T)                                                                       \
    static inline T dsl_abs_##N(T x) { return x; }                                             \
    static inline T dsl_sign_##N(T x) { return x != 0; }                                       \
    static inline T dsl_idiv_##N(T x, T y) {                                                   \
        if (sizeof(T) == 8 && dsl_both_u32(x, y)) return (T)((uint32_t)x / (uint32_t)y);       \
        return (T)(x / y);                                                                     \
    }                                                                                          \
    static inline T dsl_mod_##N(T x, T y) {                                                    \
        if (sizeof(T) == 8 && dsl_both_u32(x, y)) return (T)((uint32_t)x % (uint32_t)y);       \
        return (T)(x % y);                                                                     \
    }
DSL_EACH_UNSIGNED(DSL_DEFINE)
#undef DSL_DEFINE

#define DSL_DEFINE(N, T, F)                                                                    \
    static inline T dsl_min_##N(T x, T y) { return x < y || x != x ? x : y; }                  \
    static inline T dsl_max_##N(T x, T y) { return x > y || x != x ? x : y; }                  \
    static inline T dsl_sign_##N(T x) { return x != x ? x : (T)((x > 0) - (x < 0)); }          \
    static inline T dsl_mod_##N(T x, T y) {                                                    \
        T r = fmod##F(x, y);                                                                   \
        if (r == 0) return y < 0 ? -(T)0 : (T)0;                                               \
        return (r < 0) != (y < 0) ? r + y : r;                                                 \
    }                                                                                          \
    static inline T dsl_idiv_##N(T x, T y) {                                                   \
        if (y == 0) return x / y;                                                              \
        T r = fmod##F(x, y), q = (x - r) / y;                                                  \
        if (r != 0 && (r < 0) != (y < 0)) q -= 1;                                              \
        if (q == 0) return copysign##F(q, x / y);                                              \
        T f = floor##F(q);                                                                     \
        return q - f > (T)0.5 ? f + 1 : f;                                                     \
    }
DSL_DEFINE(f32, float, f)
DSL_DEFINE(f64, double, )
#undef DSL_DEFINE

/* In sizes sums and products do not wrap: what does not fit is the greatest int (or least), and no size. */
static inline int64_t dsl_size_add(int64_t x, int64_t y) {
    int64_t r;
    return __builtin_expect(!__builtin_add_overflow(x, y, &r), 1) ? r : x < 0 ? INT64_MIN : INT64_MAX;
}
static inline int64_t dsl_size_mul(int64_t x, int64_t y) {
    int64_t r;
    return __builtin_expect(!__builtin_mul_overflow(x, y, &r), 1) ? r : (x < 0) != (y < 0) ? INT64_MIN : INT64_MAX;
}

/* The names from before the helpers had a system. */
static inline int64_t dsl_floordiv_i64(int64_t a, int64_t b) { return dsl_idiv_i64(a, b); }
static inline int64_t dsl_floormod_i64(int64_t a, int64_t b) { return dsl_mod_i64(a, b); }
static inline int64_t dsl_f64_to_i64(double x) { return dsl_cast_f64_i64(x); }
static inline uint64_t dsl_f64_to_u64(double x) { return dsl_cast_f64_u64(x); }

#endif
