/* Launches on a GPU of NVIDIA's, by its driver (libcuda.so.1, loaded when a program asks for it): what code in memory
 * (codegen/llvm) calls for --target=cuda, and what the threads of its kernels leave when they fail.
 *
 * An array has memory on the device from the first launch that uses it until it is released.  It is copied there when a
 * launch reads what the host wrote last, and back when the host looks at what a launch wrote last. */
#ifndef DSL_GPU_H
#define DSL_GPU_H

#include "dsl.h"
#include "simt.h"

/* ---- failures: the first thread that fails writes down why, and ends; so does every other one that fails */
typedef enum {
    DSL_GPU_FINE,
    DSL_GPU_BOUNDS,  /* values: axis, index, extent */
    DSL_GPU_DIVZERO,
    DSL_GPU_NEGPOW,  /* the exponent */
    DSL_GPU_SIZE,    /* the size */
    DSL_GPU_STEP,
    DSL_GPU_CHECK,   /* its number, its operands */
    DSL_GPU_MEMORY,  /* bytes */
} dsl_gpu_reason;
enum { DSL_GPU_VALUES = 16 };
typedef struct dsl_gpu_failure {
    int32_t taken, reason;
    int64_t site; /* in bytes from the beginning of the program's table */
    int64_t values[DSL_GPU_VALUES];
} dsl_gpu_failure;
#define DSL_GPU_FAILURE "dsl_gpu_failed" /* the global of that type in a program's module */

/* ---- what the generated code of the host has for each launch */
typedef void dsl_gpu_check(const dsl_site *at, const int64_t *values); /* fails with the message of a check */
typedef struct dsl_gpu_tables { const dsl_site *sites; dsl_gpu_check *const *checks; } dsl_gpu_tables;
typedef struct dsl_gpu_kernel {
    const char *name;
    int64_t nparams;
    const char *kinds; /* of each: 's' a scalar, 'r' elements of an array that it reads, 'w' that it may write */
    const dsl_gpu_tables *tables;
    int64_t dynamic;   /* its shared memory is asked for when it is launched */
    int64_t fails;     /* its threads may */
    int64_t team;      /* its threads work in teams (simt.h) */
    dsl_kernel *shadow; /* the same for the simulator, for tests; or NULL */
    void *function;    /* of the driver, from the first launch on */
} dsl_gpu_kernel;

/* ---- for the driver of dslc */

typedef struct dsl_gpu_device { char name[256]; int major, minor; } dsl_gpu_device; /* compute capability */
/* Finds the driver and takes its first device; NULL, or in words why there is none. */
const char *dsl_gpu_open(dsl_gpu_device *device);
/* The program's kernels, as PTX.  NULL, or why the driver does not take them */
const char *dsl_gpu_load(const char *ptx);
/* Both, but when a process first needs the device: a driver does not go along into the processes that one makes, such
 * as those of cells and of tests.  ptx stays there. */
void dsl_gpu_load_later(const char *ptx);
/* The one whose launch is handed to the driver: for a driver that is none, in tests */
const dsl_gpu_kernel *dsl_gpu_launching(void);
/* "gpu-seconds S" at the end of what is printed, S: since the kernels were loaded, until all launches are done */
void dsl_gpu_tell_seconds(void);
/* How much was copied, how often, and how many launches there were, to stderr */
void dsl_gpu_explain(void);

#define DSL_GPU_PTX "dsl_gpu_ptx" /* in an executable (gen.h) */

/* ---- for gpu_batch.c, gpu_blas.c and gpu_fft.c */
void dsl_gpu_ready(const dsl_site *at); /* there is a device, which has the program */
void dsl_gpu_settle(void); /* launches that are kept go to the driver */
void dsl_gpu_launching_is(const dsl_gpu_kernel *kernel);
/* The address on the device of what a launch reads or writes: of an array, by that of its elements here */
uint64_t dsl_gpu_address(const dsl_site *at, void *elements, bool writes);

/* ---- for gpu_fft.c */
uint64_t dsl_gpu_take(size_t bytes); /* memory there; to be given back */
void dsl_gpu_give(uint64_t device, size_t bytes);
/* By cuBLAS, of f64 there: every x_step-th to every y_step-th; times `by`.  Whether it has done it */
bool dsl_gpu_copy(int64_t n, uint64_t x, int x_step, uint64_t y, int y_step);
bool dsl_gpu_scale(int64_t n, double by, uint64_t x);

/* ---- for generated code.  A failure of the driver's ends the program with E0660 at `at`. */

/* Runs the kernel; env: a slot of 8 bytes for each parameter, of arrays the address of their elements here.  The
 * failure of one of its threads is that of the program. */
void dsl_gpu_launch(const dsl_site *at, dsl_gpu_kernel *kernel, void *env, const dsl_grid *grid);
/* The same for a matrix product, which cuBLAS does where it is installed: where its parameters out, left, right stand;
 * which of left and right are meant transposed; of the result rows and columns, of the sums the length; how many
 * matrices lie one behind the other */
typedef struct dsl_gpu_product { int64_t f64, param[3], turned[2], rows, cols, inner, stack; } dsl_gpu_product;
void dsl_gpu_multiply(const dsl_site *at, dsl_gpu_kernel *kernel, void *env, const dsl_grid *grid,
                      const dsl_gpu_product *p);
/* A loop of the host that launches kernels, by memory that is 0 when the program begins: a turn begins, what the turn
 * before has kept runs; the last turn is over.  Launches of turns that are alike become a graph of the driver's. */
typedef struct dsl_gpu_steps { void *kept; } dsl_gpu_steps;
void dsl_gpu_turn(dsl_gpu_steps *loop);
void dsl_gpu_turns_end(void);
double dsl_gpu_x_time(void); /* time(), when all launches are done */
/* runtime/fft.c's, by cuFFT where it is installed and the transform is large; its rounding is its own */
dsl_array *dsl_gpu_m_fft(const dsl_array *re, const dsl_array *im, bool inverse);
dsl_array *dsl_gpu_m_rfft(const dsl_array *x);
dsl_array *dsl_gpu_m_irfft(const dsl_array *re, const dsl_array *im, int64_t n);
/* The host is about to look at a's elements, or to write them; fresh: nobody will read what is there now. */
void dsl_gpu_home(const dsl_array *a, bool writes);
/* Of the array whose elements are data the one at p, wherever it is: to read it, to write it */
void dsl_gpu_element(const void *data, const void *p, size_t bytes, void *to);
void dsl_gpu_poke(const void *data, void *p, size_t bytes, const void *from);
void dsl_gpu_home_elements(const void *data); /* of an array; to look at and to write */
void dsl_gpu_fresh(const dsl_array *a);
void dsl_gpu_given(const dsl_array *a); /* a cell's, whose elements lie where its session has them */
dsl_array *dsl_gpu_unique(dsl_array *a); /* dsl_unique */
dsl_array *dsl_gpu_renewed(dsl_array *a); /* the same for what will be written over: a new array, not a copy */
dsl_array *dsl_gpu_reshape(const dsl_site *at, dsl_array *a, int rank, const int64_t *dim); /* dsl_reshape */

#endif
