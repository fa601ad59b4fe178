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

typedef struct dsl_array {
    int64_t refs;
    int32_t dtype, rank;
    int64_t dim[DSL_MAX_RANK];
    int64_t count;  /* elements */
    void *data;     /* 64-byte aligned */
} dsl_array;

/* A place in a source file, for messages; text is the source line (NULL: not shown), len the caret's width. */
typedef struct dsl_site { const char *file; int line, col, len; const char *text; } dsl_site;

/* ---- errors.c */
DSL_COLD __attribute__((noreturn, format(printf, 3, 4)))
void dsl_fail(const dsl_site *at, const char *code, const char *fmt, ...);
/* msg with each {} replaced by the next of n values */
typedef struct dsl_arg { int32_t dtype; union { int64_t i; double f; const char *s; } u; } dsl_arg;
DSL_COLD __attribute__((noreturn))
void dsl_fail_args(const dsl_site *at, const char *code, const char *msg, int n, const dsl_arg *args);
DSL_COLD __attribute__((noreturn))
void dsl_fail_bounds(const dsl_site *at, int axis, int64_t index, int64_t extent); /* E0601 */
DSL_COLD __attribute__((noreturn)) void dsl_fail_divzero(const dsl_site *at);      /* E0602 */
void dsl_enter(const dsl_site *at); /* call depth of recursive functions: E0604 beyond 10000 */
void dsl_leave(void);

/* ---- array.c */
/* count and bytes are checked for overflow and against physical memory (E0603). Elements undefined. Freed
 * memory of recent arrays is kept and reused. Thread-safe. */
dsl_array *dsl_new(const dsl_site *at, int dtype, int rank, const int64_t *dim);
void dsl_release(dsl_array *a);            /* NULL is ignored */
static inline dsl_array *dsl_retain(dsl_array *a) { __atomic_add_fetch(&a->refs, 1, __ATOMIC_RELAXED); return a; }
/* a itself when it has one owner; else a copy, and a loses one owner */
dsl_array *dsl_unique(dsl_array *a);
dsl_array *dsl_copy(const dsl_array *a);
/* consumes a; same memory (if unique) under another shape of the same number of elements (E0605 if not) */
dsl_array *dsl_reshape(const dsl_site *at, dsl_array *a, int rank, const int64_t *dim);
/* consumes a; fails with E0606 naming both sizes if a's dims differ from dim */
dsl_array *dsl_retype(const dsl_site *at, dsl_array *a, const int64_t *dim, const char *msg);
int dsl_dtype_bytes(int dtype);
const char *dsl_dtype_name(int dtype);

/* ---- half.c */
float dsl_f16_to_f32(dsl_f16 x);
dsl_f16 dsl_f32_to_f16(float x);  /* round to nearest even */
float dsl_bf16_to_f32(dsl_bf16 x);
dsl_bf16 dsl_f32_to_bf16(float x);

/* ---- parallel.c: number of threads: --threads, else DSL_NUM_THREADS, else OMP_NUM_THREADS, else cores */
void dsl_init(int *argc, char ***argv);
void dsl_finish(void);

/* ---- print.c: one print statement is begin, items, end; goes to stdout in one piece */
void dsl_print_bool(bool x);
void dsl_print_i64(int64_t x);
void dsl_print_u64(uint64_t x);
void dsl_print_f32(float x);
void dsl_print_f64(double x);
void dsl_print_str(const char *x);
void dsl_print_array(const dsl_array *a);
void dsl_print_sep(void);
void dsl_print_end(void);
/* shortest text that reads back as x; "1.0", "1e-05", "nan", "inf"; returns length */
int dsl_format_f64(char *buf, double x);
int dsl_format_f32(char *buf, float x);

/* ---- npy.c: NumPy format 1.0 to 3.0 read, 1.0 written; written beside and renamed.
 * E0610 cannot read, E0611 not an .npy or truncated, E0612 other dtype, E0613 other rank, E0614 cannot write */
dsl_array *dsl_npy_load(const dsl_site *at, const char *path, int dtype, int rank);
void dsl_npy_save(const dsl_site *at, const char *path, const dsl_array *a);

/* ---- blas.c (its own object: only programs that need it are linked with OpenBLAS); owned results, borrowed args */
dsl_array *dsl_gemm(const dsl_site *at, const dsl_array *a, const dsl_array *b, int ta, int tb); /* f32 f64; 2d@2d, 2d@1d, 1d@2d */
double dsl_dot(const dsl_site *at, const dsl_array *a, const dsl_array *b);
dsl_array *dsl_solve(const dsl_site *at, const dsl_array *a, const dsl_array *b);
dsl_array *dsl_trisolve(const dsl_site *at, const dsl_array *l, const dsl_array *b);
dsl_array *dsl_cholesky(const dsl_site *at, const dsl_array *a);
dsl_array *dsl_inv(const dsl_site *at, const dsl_array *a);
double dsl_det(const dsl_site *at, const dsl_array *a);
void dsl_eigh(const dsl_site *at, const dsl_array *a, dsl_array **w, dsl_array **v);

/* ---- progress.c: a bar on stderr when it is a terminal; at most 10 updates a second */
typedef struct dsl_progress { int64_t total, done; double start, shown; } dsl_progress;
void dsl_progress_begin(dsl_progress *p, int64_t total);
void dsl_progress_step(dsl_progress *p);
void dsl_progress_end(dsl_progress *p);

/* ---- extern functions of stdlib (plots through gnuplot by pipe: plot.c; time, args: sys.c). An extern
 * declared `extern fn plot_line(path: str, x: f64[n], y: f64[n])` is the C function
 * void plot_line(const char *path, const dsl_array *x, const dsl_array *y): scalars by value, arrays borrowed;
 * an array result is returned owned. The stdlib's own externs are named dsl_x_NAME in C through
 * `extern fn` names that begin with dsl_x_. The site of the call is available as dsl_current_site(). */
const dsl_site *dsl_current_site(void);
void dsl_set_site(const dsl_site *at);

/* ---- scalar helpers: the meaning of the elementwise operations (ir/ops.def) for both interpreter and C */
static inline int64_t dsl_floordiv_i64(int64_t a, int64_t b) {
    if (b == -1) return (int64_t)(0 - (uint64_t)a);
    int64_t q = a / b;
    return q - ((a % b != 0) & ((a ^ b) < 0));
}
static inline int64_t dsl_floormod_i64(int64_t a, int64_t b) {
    if (b == -1) return 0;
    int64_t r = a % b;
    return r + ((r != 0) & ((r ^ b) < 0) ? b : 0);
}
static inline int64_t dsl_f64_to_i64(double x) {
    if (x != x) return 0;
    if (x >= 9223372036854775808.0) return INT64_MAX;
    if (x < -9223372036854775808.0) return INT64_MIN;
    return (int64_t)x;
}
static inline uint64_t dsl_f64_to_u64(double x) {
    if (!(x > 0)) return 0;
    if (x >= 18446744073709551616.0) return UINT64_MAX;
    return (uint64_t)x;
}

#endif
