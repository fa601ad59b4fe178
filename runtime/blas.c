/* Matrix products and linear systems, on OpenBLAS, which is loaded when the first of them is asked for.
 *
 * Results do not depend on the number of threads.  OpenBLAS by itself breaks that: it splits the inner
 * dimension by threads (measured: 333x257x129 differs between 1 and 2 threads).  So it always runs with
 * one thread, and a product is cut into panels of C of a fixed size that our threads share out.  Products
 * with a vector are not worth a library: they are loops (lower/index_form.c).
 *
 * OpenBLAS makes worker threads while it is loaded, which spin beside ours even if they never get work
 * (measured: 1.3 times the time of a product of 1024 by 1024 on two cores).  They are not made when
 * OPENBLAS_NUM_THREADS says 1; so the library is loaded by dlopen, with an environment that says so.
 *
 * LAPACK is column-major: it sees each matrix transposed. */
#include "runtime/gen.h" /* with ranks.h */

#include <cblas.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FEW = 100000, SMALL = 16, ROWS = 256, COLS = 1024 };

/* ---- the library */

#define LAPACK(T, P)                                                                           \
    void P##getrf_(const int *m, const int *n, T *a, const int *lda, int *piv, int *info);     \
    void P##getri_(const int *n, T *a, const int *lda, const int *piv, T *work, const int *lwork, int *info); \
    void P##potrf_(const char *uplo, const int *n, T *a, const int *lda, int *info, size_t len); \
    void P##syevd_(const char *jobz, const char *uplo, const int *n, T *a, const int *lda, T *w, T *work, \
                   const int *lwork, int *iwork, const int *liwork, int *info, size_t len1, size_t len2);
LAPACK(double, d)
LAPACK(float, s)
#undef LAPACK

#define FUNCTIONS(F)                                                                        \
    F(openblas_set_num_threads) F(cblas_dgemm) F(cblas_sgemm) F(cblas_dtrsm) F(cblas_strsm) F(cblas_dtrsv) \
    F(cblas_strsv) F(dgetrf_) F(sgetrf_) F(dgetri_) F(sgetri_) F(dpotrf_) F(spotrf_) F(dsyevd_) F(ssyevd_)

#define POINTER(name) __typeof__(name) *name;
static struct { FUNCTIONS(POINTER) } lib; /* written once, by load */
#undef POINTER
static void *library;                      /* the same for what lapack.c asks for by name */
static char load_error[256];               /* "" when it worked */

/* OpenBLAS asks for ever for memory that a limit of the process (ulimit -v) denies it: a buffer of 128 MiB for each
 * thread that is in it at a time.  Threads beside the first need a stack and malloc's 64 MiB too. */
enum { LIBRARY = 48, BUFFER = 130, THREAD = 72 }; /* MiB */

static bool has_room(int mib) {
    size_t bytes = (size_t)mib << 20;
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p != MAP_FAILED && munmap(p, bytes) == 0;
}

static int needs(int callers, int had) { return (callers - had) * BUFFER + (callers - (had ? had : 1)) * THREAD; }

/* How many threads may call it at a time, of those that are wanted; 0: none */
static int callers(int wanted) {
    static int most; /* so many have had buffers */
    int had = __atomic_load_n(&most, __ATOMIC_RELAXED), n = wanted;
    while (n > had && !has_room(needs(n, had))) n--;
    if (n > had) __atomic_store_n(&most, n, __ATOMIC_RELAXED);
    return n;
}

/* setenv would move what other threads read with getenv; another array in its place does not. */
static void *open_with_one_thread(void) {
    int n = 0;
    while (environ[n]) n++;
    char **before = environ, **with_one = malloc((size_t)(n + 2) * sizeof *with_one);
    if (!with_one) return NULL;
    static char one[] = "OPENBLAS_NUM_THREADS=1";
    with_one[0] = one; /* the first of a name counts */
    memcpy(with_one + 1, before, (size_t)(n + 1) * sizeof *with_one);
    environ = with_one;
    void *handle = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    environ = before;
    free(with_one);
    return handle;
}

static void load(void) {
    if (!has_room(LIBRARY + BUFFER)) {
        snprintf(load_error, sizeof load_error,
                 "it needs %d MiB of address space, more than this process may have (ulimit -v)", LIBRARY + BUFFER);
        return;
    }
    void *handle = open_with_one_thread();
    bool all = handle != NULL;
    library = handle;
#define FIND(name) if (all) all = (lib.name = (__typeof__(lib.name))dlsym(handle, #name)) != NULL;
    FUNCTIONS(FIND)
#undef FIND
    if (all) return;
    const char *why = dlerror();
    snprintf(load_error, sizeof load_error, "%s (Debian: apt install libopenblas0)", why ? why : "out of memory");
}

/* The number of threads that may call it at a time, of those that are wanted */
static int prepare_for(const dsl_site *at, int wanted) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    if (*load_error)
        dsl_fail(at, "E0619", "OpenBLAS cannot be loaded: %s", load_error);
    lib.openblas_set_num_threads(1);
    int n = callers(wanted);
    if (!n)
        dsl_fail(at, "E0619", "OpenBLAS needs %d MiB of address space, more than this process has left (ulimit -v)",
                 BUFFER);
    return n;
}

static void prepare(const dsl_site *at) { prepare_for(at, 1); }

void *dsl_lapack(const dsl_site *at, const char *name) {
    prepare(at);
    void *f = dlsym(library, name);
    if (!f) dsl_fail(at, "E0619", "OpenBLAS has no function %s", name);
    return f;
}

static int to_int(const dsl_site *at, int64_t n) {
    if (n > INT_MAX) dsl_fail(at, "E0619", "a matrix axis of %lld is too long for this operation", (long long)n);
    return (int)n;
}

static dsl_array *new_matrix(const dsl_site *at, int dtype, int64_t rows, int64_t cols) {
    int64_t dim[2] = {rows, cols};
    return dsl_new(at, dtype, 2, dim);
}

static dsl_array *new_vector(const dsl_site *at, int dtype, int64_t n) { return dsl_new(at, dtype, 1, &n); }

static void check_inner(const dsl_site *at, int64_t a, int64_t b) {
    if (a != b)
        dsl_fail(at, "E0606", "matrix product: the inner sizes are %lld and %lld", (long long)a, (long long)b);
}

/* ---- matrix by matrix */

/* Rows [i, i+m) and columns [j, j+n) of C = A B. */
static void panel(const dsl_array *a, const dsl_array *b, dsl_array *c, bool ta, bool tb, int64_t i, int64_t j, int m,
                  int n, int k) {
    enum CBLAS_TRANSPOSE ua = ta ? CblasTrans : CblasNoTrans, ub = tb ? CblasTrans : CblasNoTrans;
    int la = (int)a->dim[1], lb = (int)b->dim[1], lc = (int)c->dim[1];
    int64_t oa = ta ? i : i * la, ob = tb ? j * lb : j, oc = i * lc + j;
    if (a->dtype == DSL_F64)
        lib.cblas_dgemm(CblasRowMajor, ua, ub, m, n, k, 1, (const double *)a->data + oa, la,
                        (const double *)b->data + ob, lb, 0, (double *)c->data + oc, lc);
    else
        lib.cblas_sgemm(CblasRowMajor, ua, ub, m, n, k, 1, (const float *)a->data + oa, la, (const float *)b->data + ob,
                    lb, 0, (float *)c->data + oc, lc);
}

static int least(int64_t a, int64_t b) { return (int)(a < b ? a : b); }

/* ---- several processes (ranks.h) */

/* Of blocks of `by` rows of c those that this process does: whole blocks, so that the bits are those of one process.
 * A side of the product is needed in the same rows, in the columns of the same numbers, or whole. */
typedef struct { int64_t from, to; } Blocks;
typedef enum { IN_ROWS, IN_COLUMNS, WHOLE } Need;
typedef struct { const dsl_array *a; Need need; } Side;

static int64_t bytes_of(const dsl_array *a, int64_t rows) { return a->count / rows * dsl_dtype_bytes(a->dtype); }

static void say_need(Side s, int64_t rows, int64_t p, int64_t from, int64_t to) {
    const dsl_array *a = s.a;
    if (s.need == WHOLE) dsl_ranks_need(a->data, 1, bytes_of(a, 1), p, 0, 1);
    if (s.need == IN_ROWS) dsl_ranks_need(a->data, rows, bytes_of(a, rows), p, from, to);
    if (s.need == IN_COLUMNS)
        dsl_ranks_columns(a->data, a->dim[0], bytes_of(a, a->dim[0]), rows, p, 0, a->dim[0], from, to);
}

static Blocks own_blocks(const dsl_site *at, Side x, Side y, dsl_array *c, int64_t rows, int64_t by, double work) {
    int64_t blocks = (rows + by - 1) / by;
    if (!dsl_ranks_many()) return (Blocks){0, blocks};
    const Side sides[] = {x, y};
    int64_t n = dsl_ranks_part(blocks, rows, by, 0, work < 1e15 ? (int64_t)work : (int64_t)1e15, 3,
                               (const void *[]){x.a->data, y.a->data, c->data});
    for (int64_t p = 0, from, to; p < n; p++) {
        dsl_ranks_share(p, &from, &to);
        for (int i = 0; i < 2; i++) say_need(sides[i], rows, p, from * by, to * by);
        dsl_ranks_own(c->data, rows, bytes_of(c, rows), p, from * by, to * by);
    }
    Blocks own;
    dsl_ranks_exchange(at, blocks, &own.from, &own.to);
    return own;
}

static dsl_array *matrix_matrix(const dsl_site *at, const dsl_array *a, const dsl_array *b, bool ta, bool tb) {
    int m = to_int(at, a->dim[ta]), k = to_int(at, a->dim[!ta]), n = to_int(at, b->dim[!tb]);
    check_inner(at, k, b->dim[tb]);
    int64_t across = (n + COLS - 1) / COLS, panels = (m + ROWS - 1) / ROWS * across;
    int threads = panels && k ? prepare_for(at, panels < dsl_threads() ? (int)panels : dsl_threads()) : 1;
    dsl_array *c = new_matrix(at, a->dtype, m, n);
    if (k == 0) memset(c->data, 0, (size_t)c->count * (size_t)dsl_dtype_bytes(c->dtype));
    if (k == 0 || c->count == 0) return c;
    Side left = {a, ta ? IN_COLUMNS : IN_ROWS}, right = {b, WHOLE};
    Blocks own = own_blocks(at, left, right, c, m, ROWS, (double)c->count * k);
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (panels > 1)
    for (int64_t p = own.from * across; p < own.to * across; p++) {
        int64_t i = p / across * ROWS, j = p % across * COLS;
        panel(a, b, c, ta, tb, i, j, least(m - i, ROWS), least(n - j, COLS), k);
    }
    return c;
}

/* ---- stacks of matrices */

static dsl_array matrix_of(const dsl_array *a, int64_t at) {
    dsl_array m = *a;
    int64_t rows = a->dim[a->rank - 2], cols = a->dim[a->rank - 1];
    m.rank = 2, m.dim[0] = rows, m.dim[1] = cols, m.count = rows * cols;
    m.data = (char *)a->data + at * m.count * dsl_dtype_bytes(a->dtype);
    return m;
}

/* One product for each index of the leading axes; threads take whole products. */
static dsl_array *stack_of_products(const dsl_site *at, const dsl_array *a, const dsl_array *b, bool ta, bool tb) {
    int64_t dim[DSL_MAX_RANK], stack = 1;
    int leading = a->rank - 2;
    for (int i = 0; i < leading; i++) stack *= dim[i] = a->dim[i];
    int m = to_int(at, dim[leading] = a->dim[leading + ta]), k = to_int(at, a->dim[leading + !ta]);
    int n = to_int(at, dim[leading + 1] = b->dim[leading + !tb]);
    check_inner(at, k, b->dim[leading + tb]);
    dsl_array *c = dsl_new(at, a->dtype, a->rank, dim);
    if (k == 0) memset(c->data, 0, (size_t)c->count * (size_t)dsl_dtype_bytes(c->dtype));
    if (k == 0 || c->count == 0) return c;
    int threads = prepare_for(at, stack < dsl_threads() ? (int)stack : dsl_threads());
    Blocks own = own_blocks(at, (Side){a, IN_ROWS}, (Side){b, IN_ROWS}, c, stack, 1, (double)c->count);
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1 && (double)stack * m * n * k > FEW)
    for (int64_t s = own.from; s < own.to; s++) {
        dsl_array am = matrix_of(a, s), bm = matrix_of(b, s), cm = matrix_of(c, s);
        panel(&am, &bm, &cm, ta, tb, 0, 0, m, n, k);
    }
    return c;
}

dsl_array *dsl_gemm(const dsl_site *at, const dsl_array *a, const dsl_array *b, int ta, int tb) {
    if (a->rank > 2) return stack_of_products(at, a, b, ta != 0, tb != 0);
    return matrix_matrix(at, a, b, ta != 0, tb != 0);
}

/* ---- LAPACK */

static void *scratch(const dsl_site *at, int64_t count, int64_t bytes) {
    return dsl_scratch(at, DSL_U8, 2, (int64_t[]){count, bytes}, false);
}

static void transpose_block(const dsl_array *a, dsl_array *t, int64_t i0, int64_t i1, int64_t j0, int64_t j1) {
    int64_t rows = a->dim[0], cols = a->dim[1];
    for (int64_t i = i0; i < i1; i++)
        for (int64_t j = j0; j < j1; j++) {
            if (a->dtype == DSL_F64) ((double *)t->data)[j * rows + i] = ((const double *)a->data)[i * cols + j];
            else ((float *)t->data)[j * rows + i] = ((const float *)a->data)[i * cols + j];
        }
}

/* In blocks, of which the cache holds both sides */
static dsl_array *transposed(const dsl_site *at, const dsl_array *a) {
    enum { BLOCK = 32 };
    int64_t rows = a->dim[0], cols = a->dim[1];
    dsl_array *t = new_matrix(at, a->dtype, cols, rows);
    for (int64_t i = 0; i < rows; i += BLOCK)
        for (int64_t j = 0; j < cols; j += BLOCK)
            transpose_block(a, t, i, i + BLOCK < rows ? i + BLOCK : rows, j, j + BLOCK < cols ? j + BLOCK : cols);
    return t;
}

static int square(const dsl_site *at, const dsl_array *a, const char *what) {
    if (a->dim[0] != a->dim[1])
        dsl_fail(at, "E0606", "%s: the matrix is not square: %lld by %lld", what, (long long)a->dim[0],
                 (long long)a->dim[1]);
    prepare(at);
    return to_int(at, a->dim[0]);
}

static DSL_COLD __attribute__((noreturn)) void fail_singular(const dsl_site *at, const char *what,
                                                             dsl_array *unfinished) {
    dsl_release(unfinished);
    dsl_fail(at, "E0615", "%s: the matrix is singular", what);
}

static double diagonal(const dsl_array *a, int64_t i) {
    int64_t at = i * a->dim[0] + i;
    return a->dtype == DSL_F64 ? ((double *)a->data)[at] : (double)((float *)a->data)[at];
}

static bool zero_on_diagonal(const dsl_array *a) {
    for (int64_t i = 0; i < a->dim[0]; i++)
        if (diagonal(a, i) == 0) return true;
    return false;
}

/* ---- triangles */

/* Of a matrix as its rows lie: which triangle, whether transposed, with ones on the diagonal */
typedef struct { bool upper, transposed, unit; } Triangle;

/* A library's call costs more than a small one. */
#define SUBSTITUTE(T)                                                                              \
    static void substitute_##T(const T *a, Triangle t, int n, T *x) {                              \
        bool down = t.upper == t.transposed;                                                       \
        int row = t.transposed ? 1 : n, col = t.transposed ? n : 1;                                \
        for (int j = 0; j < n; j++) {                                                              \
            int i = down ? j : n - 1 - j;                                                          \
            T s = x[i];                                                                            \
            for (int k = down ? 0 : i + 1, end = down ? i : n; k < end; k++) s -= a[i * row + k * col] * x[k]; \
            x[i] = t.unit ? s : s / a[i * row + i * col];                                          \
        }                                                                                          \
    }
SUBSTITUTE(double)
SUBSTITUTE(float)
#undef SUBSTITUTE

/* x becomes what the triangle of a solves for it. */
static void solve_triangle(const dsl_array *a, Triangle t, dsl_array *x) {
    int n = (int)a->dim[0], nrhs = x->rank == 1 ? 1 : (int)x->dim[1];
    enum CBLAS_UPLO uplo = t.upper ? CblasUpper : CblasLower;
    enum CBLAS_TRANSPOSE trans = t.transposed ? CblasTrans : CblasNoTrans;
    enum CBLAS_DIAG diag = t.unit ? CblasUnit : CblasNonUnit;
    if (!n || !nrhs) return;
    if (n <= SMALL && nrhs == 1) {
        if (a->dtype == DSL_F64) substitute_double(a->data, t, n, x->data);
        else substitute_float(a->data, t, n, x->data);
        return;
    }
    if (a->dtype == DSL_F64 && nrhs == 1)
        lib.cblas_dtrsv(CblasRowMajor, uplo, trans, diag, n, a->data, n, x->data, 1);
    else if (a->dtype == DSL_F64)
        lib.cblas_dtrsm(CblasRowMajor, CblasLeft, uplo, trans, diag, n, nrhs, 1, a->data, n, x->data, nrhs);
    else if (nrhs == 1) lib.cblas_strsv(CblasRowMajor, uplo, trans, diag, n, a->data, n, x->data, 1);
    else lib.cblas_strsm(CblasRowMajor, CblasLeft, uplo, trans, diag, n, nrhs, 1, a->data, n, x->data, nrhs);
}

static int columns_of(const dsl_site *at, const dsl_array *b) { return b->rank == 1 ? 1 : to_int(at, b->dim[1]); }

dsl_array *dsl_trisolve(const dsl_site *at, const dsl_array *l, const dsl_array *b, int upper, int trans, int unit) {
    int n = square(at, l, "trisolve");
    columns_of(at, b);
    check_inner(at, n, b->dim[0]);
    if (!unit && zero_on_diagonal(l)) fail_singular(at, "trisolve", NULL);
    dsl_array *x = dsl_copy(b);
    solve_triangle(l, (Triangle){upper != 0, trans != 0, unit != 0}, x);
    return x;
}

static void clear_upper(dsl_array *a) {
    int64_t n = a->dim[0], bytes = dsl_dtype_bytes(a->dtype);
    for (int64_t i = 0; i < n; i++)
        memset((char *)a->data + (i * n + i + 1) * bytes, 0, (size_t)((n - i - 1) * bytes));
}

/* The diagonal of a factor is positive.  Where there is none, its first element is -1 - the row that says so. */
dsl_array *dsl_chol_factor(const dsl_site *at, const dsl_array *a) {
    int n = square(at, a, "cholesky"), info = 0;
    dsl_array *l = dsl_copy(a);
    if (n) { /* our lower triangle is the upper one of the transposed matrix */
        if (a->dtype == DSL_F64) lib.dpotrf_("U", &n, l->data, &n, &info, 1);
        else lib.spotrf_("U", &n, l->data, &n, &info, 1);
    }
    if (info > 0 && a->dtype == DSL_F64) *(double *)l->data = -info;
    else if (info > 0) *(float *)l->data = (float)-info;
    clear_upper(l);
    return l;
}

dsl_array *dsl_cholesky(const dsl_site *at, const dsl_array *f) {
    if (f->count && diagonal(f, 0) < 0)
        dsl_fail(at, "E0617", "cholesky: the matrix is not positive definite (row %d)", (int)-diagonal(f, 0) - 1);
    return dsl_copy(f);
}

/* ---- LU.  The factors stand in one matrix, column by column, as LAPACK leaves them: as rows, l is its upper triangle,
 * transposed, and u the lower one.  Row order[i] of what was factored is row i of l u. */

static void order_rows(const int *piv, int n, int64_t *order) {
    for (int i = 0; i < n; i++) order[i] = i;
    for (int i = 0; i < n; i++) {
        int with = piv[i] > i && piv[i] <= n ? piv[i] - 1 : i; /* of NaN there is no greatest */
        int64_t row = order[i];
        order[i] = order[with], order[with] = row;
    }
}

void dsl_lu_factor(const dsl_site *at, const dsl_array *a, dsl_array **f, dsl_array **order) {
    int n = square(at, a, "lu"), info = 0;
    *f = transposed(at, a), *order = new_vector(at, DSL_I64, n);
    int *piv = scratch(at, n, sizeof(int));
    if (n && a->dtype == DSL_F64) lib.dgetrf_(&n, &n, (*f)->data, &n, piv, &info);
    else if (n) lib.sgetrf_(&n, &n, (*f)->data, &n, piv, &info);
    order_rows(piv, n, (*order)->data);
    dsl_scratch_free(piv);
}

/* Row order[i] of b is row i of x, or the other way. */
static void reorder(const dsl_array *b, const int64_t *order, bool back, dsl_array *x) {
    int64_t n = b->dim[0], bytes = n ? b->count / n * dsl_dtype_bytes(b->dtype) : 0;
    for (int64_t i = 0; i < n; i++)
        memcpy((char *)x->data + (back ? order[i] : i) * bytes, (const char *)b->data + (back ? i : order[i]) * bytes,
               (size_t)bytes);
}

dsl_array *dsl_lu_solve(const dsl_site *at, const dsl_array *f, const dsl_array *order, const dsl_array *b, int trans,
                        const char *what) {
    const Triangle l = {.upper = true, .transposed = !trans, .unit = true}, u = {.transposed = !trans};
    int n = square(at, f, what), nrhs = columns_of(at, b);
    check_inner(at, n, b->dim[0]);
    if (n && nrhs && zero_on_diagonal(f)) fail_singular(at, what, NULL);
    dsl_array *x = dsl_new(at, b->dtype, b->rank, b->dim);
    if (!trans) {
        reorder(b, order->data, false, x);
        solve_triangle(f, l, x);
        solve_triangle(f, u, x);
        return x;
    }
    dsl_array *y = dsl_copy(b);
    solve_triangle(f, u, y);
    solve_triangle(f, l, y);
    reorder(y, order->data, true, x);
    dsl_release(y);
    return x;
}

dsl_array *dsl_lu_inv(const dsl_site *at, const dsl_array *f, const dsl_array *order, const char *what) {
    int n = square(at, f, what), lwork = n * 64, info = 0;
    if (zero_on_diagonal(f)) fail_singular(at, what, NULL);
    dsl_array *y = dsl_copy(f), *x = new_matrix(at, f->dtype, n, n);
    int *piv = scratch(at, n, sizeof(int));
    void *work = scratch(at, lwork, sizeof(double));
    for (int i = 0; i < n; i++) piv[i] = i + 1;
    if (n && f->dtype == DSL_F64) lib.dgetri_(&n, y->data, &n, piv, work, &lwork, &info);
    else if (n) lib.sgetri_(&n, y->data, &n, piv, work, &lwork, &info);
    reorder(y, order->data, true, x); /* the columns, that is */
    dsl_scratch_free(work);
    dsl_scratch_free(piv);
    dsl_release(y);
    y = transposed(at, x);
    dsl_release(x);
    return y;
}

/* Rows that change places two by two, until all stand in order: an odd number of times? */
static bool is_odd(const dsl_site *at, const dsl_array *order) {
    int64_t n = order->count, *row = scratch(at, n, sizeof *row);
    bool odd = false;
    if (n) memcpy(row, order->data, (size_t)n * sizeof *row);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k; (k = row[i]) != i; odd = !odd) row[i] = row[k], row[k] = k;
    dsl_scratch_free(row);
    return odd;
}

double dsl_lu_det(const dsl_site *at, const dsl_array *f, const dsl_array *order) {
    double det = is_odd(at, order) ? -1 : 1;
    for (int64_t i = 0; i < f->dim[0]; i++) det *= diagonal(f, i);
    return det;
}

double dsl_lu_logdet(const dsl_site *at, const dsl_array *f, const dsl_array *order) {
    double sum = 0;
    (void)at, (void)order;
    for (int64_t i = 0; i < f->dim[0]; i++) sum += log(fabs(diagonal(f, i)));
    return sum;
}

double dsl_lu_sign(const dsl_site *at, const dsl_array *f, const dsl_array *order) {
    double sign = is_odd(at, order) ? -1 : 1;
    for (int64_t i = 0; i < f->dim[0]; i++) {
        double d = diagonal(f, i);
        sign *= d > 0 ? 1 : d < 0 ? -1 : d;
    }
    return sign + 0.0; /* no -0 */
}

static void keep_triangle(dsl_array *a, bool upper) {
    for (int64_t i = 0, n = a->dim[0]; i < n; i++)
        for (int64_t k = 0; k < n; k++)
            if (upper ? k < i : k >= i) {
                if (a->dtype == DSL_F64) ((double *)a->data)[i * n + k] = k == i;
                else ((float *)a->data)[i * n + k] = (float)(k == i);
            }
}

void dsl_lu_parts(const dsl_site *at, const dsl_array *f, const dsl_array *order, dsl_array **l, dsl_array **u) {
    (void)order;
    *l = transposed(at, f), *u = dsl_copy(*l);
    keep_triangle(*l, false);
    keep_triangle(*u, true);
}

/* Eigenvalues into w; a becomes the vectors, one per row. */
static int eigen(const dsl_site *at, dsl_array *a, dsl_array *w, int n) {
    int64_t n64 = n, lwork64 = 1 + 6 * n64 + 2 * n64 * n64;
    int lwork = to_int(at, lwork64), liwork = 3 + 5 * n, info = 0;
    void *work = scratch(at, lwork, sizeof(double));
    int *iwork = scratch(at, liwork, sizeof(int));
    if (a->dtype == DSL_F64)
        lib.dsyevd_("V", "U", &n, a->data, &n, w->data, work, &lwork, iwork, &liwork, &info, 1, 1);
    else
        lib.ssyevd_("V", "U", &n, a->data, &n, w->data, work, &lwork, iwork, &liwork, &info, 1, 1);
    dsl_scratch_free(iwork);
    dsl_scratch_free(work);
    return info;
}

static bool all_finite(const dsl_array *a) {
    for (int64_t i = 0; i < a->count; i++)
        if (!isfinite(a->dtype == DSL_F64 ? ((double *)a->data)[i] : (double)((float *)a->data)[i])) return false;
    return true;
}

void dsl_eigh(const dsl_site *at, const dsl_array *a, dsl_array **w, dsl_array **v) {
    int n = square(at, a, "eigh");
    if (!all_finite(a)) dsl_fail(at, "E0618", "eigh: no eigenvalues were found: the matrix holds NaN or infinity");
    dsl_array *z = dsl_copy(a);
    *w = new_vector(at, a->dtype, n);
    if (n && eigen(at, z, *w, n) > 0) {
        dsl_release(z), dsl_release(*w);
        dsl_fail(at, "E0618", "eigh: no eigenvalues were found: the iteration did not converge");
    }
    *v = transposed(at, z);
    dsl_release(z);
}
