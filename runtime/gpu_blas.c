/* Matrix products on a GPU by cuBLAS, which is loaded when the first of them comes that is worth it; where it is not
 * installed, or does not take one, the program's own kernel does it.  DSL_CUBLAS=no leaves it out.
 *
 * cuBLAS is column-major: it sees each matrix transposed, and computes that of the result, right by left. */
#include "runtime/gpu.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { WORTH = 1 << 21 }; /* steps; loading it takes as long as some milliards */

#define GEMM(T)                                                                                                  \
    int (*)(void *handle, int turn_a, int turn_b, int m, int n, int k, const T *alpha, const T *a, int lda,      \
            long long step_a, const T *b, int ldb, long long step_b, const T *beta, T *c, int ldc,               \
            long long step_c, int stack)
typedef __typeof__((GEMM(double))NULL) Gemm64;
typedef __typeof__((GEMM(float))NULL) Gemm32;

static struct {
    bool looked;
    void *handle; /* NULL: there is none */
    Gemm64 gemm64;
    Gemm32 gemm32;
    int (*copy)(void *handle, int n, const double *x, int x_step, double *y, int y_step);
    int (*scale)(void *handle, int n, const double *by, double *x, int step);
} blas;

static void *find_library(void) {
    static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so"};
    const char *said = getenv("DSL_CUBLAS");
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !library && !(said && !strcmp(said, "no")); i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

static void look(void) {
    void *library = blas.looked ? NULL : find_library();
    int (*create)(void **handle) = NULL;
    blas.looked = true;
    if (!library) return;
    *(void **)&create = dlsym(library, "cublasCreate_v2");
    *(void **)&blas.copy = dlsym(library, "cublasDcopy_v2");
    *(void **)&blas.scale = dlsym(library, "cublasDscal_v2");
    *(void **)&blas.gemm64 = dlsym(library, "cublasDgemmStridedBatched");
    *(void **)&blas.gemm32 = dlsym(library, "cublasSgemmStridedBatched");
    if (!create || !blas.gemm64 || !blas.gemm32 || create(&blas.handle)) blas.handle = NULL;
}

static bool fits(const dsl_gpu_product *p) {
    double steps = (double)p->rows * (double)p->cols * (double)p->inner * (double)p->stack;
    return steps >= WORTH && p->rows <= INT_MAX && p->cols <= INT_MAX && p->inner <= INT_MAX && p->stack <= INT_MAX;
}

/* Whether it has done it */
static bool multiply(const dsl_site *at, const dsl_gpu_product *p, uint64_t *env) {
    static const double one = 1, zero = 0;
    static const float one32 = 1, zero32 = 0;
    int m = (int)p->rows, n = (int)p->cols, k = (int)p->inner, stack = (int)p->stack;
    int la = p->turned[0] ? m : k, lb = p->turned[1] ? k : n, ta = p->turned[0] != 0, tb = p->turned[1] != 0;
    long long sa = p->rows * p->inner, sb = p->inner * p->cols, sc = p->rows * p->cols;
    uint64_t x[3];
    dsl_gpu_settle();
    for (int i = 2; i >= 0; i--)
        x[i] = dsl_gpu_address(at, (void *)(uintptr_t)env[p->param[i]], i == 0);
    if (p->f64)
        return !blas.gemm64(blas.handle, tb, ta, n, m, k, &one, (const double *)(uintptr_t)x[2], lb, sb,
                            (const double *)(uintptr_t)x[1], la, sa, &zero, (double *)(uintptr_t)x[0], n, sc, stack);
    return !blas.gemm32(blas.handle, tb, ta, n, m, k, &one32, (const float *)(uintptr_t)x[2], lb, sb,
                        (const float *)(uintptr_t)x[1], la, sa, &zero32, (float *)(uintptr_t)x[0], n, sc, stack);
}

bool dsl_gpu_copy(int64_t n, uint64_t x, int x_step, uint64_t y, int y_step) {
    look();
    return blas.handle && blas.copy && n <= INT_MAX &&
           !blas.copy(blas.handle, (int)n, (const double *)(uintptr_t)x, x_step, (double *)(uintptr_t)y, y_step);
}

bool dsl_gpu_scale(int64_t n, double by, uint64_t x) {
    look();
    return blas.handle && blas.scale && n <= INT_MAX &&
           !blas.scale(blas.handle, (int)n, &by, (double *)(uintptr_t)x, 1);
}

void dsl_gpu_multiply(const dsl_site *at, dsl_gpu_kernel *kernel, void *env, const dsl_grid *grid,
                      const dsl_gpu_product *p) {
    if (fits(p)) dsl_gpu_ready(at), look();
    if (fits(p) && blas.handle && multiply(at, p, env)) return;
    dsl_gpu_launch(at, kernel, env, grid);
}
