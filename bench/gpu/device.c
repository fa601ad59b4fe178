/* What this GPU can do, as its driver and cuBLAS do it:  device copy BYTES  prints GB/s, bytes read and written, of a
 * copy from device memory to device memory;  device sgemm N  prints milliseconds of a product of two f32 matrices of N
 * by N, by cublasSgemm.  Medians of 20.  The driver and cuBLAS by dlopen; without one of them it says so and ends
 * with 1. */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TURNS = 20, INNER = 10 };

static void *libcuda;

static void die(const char *what, int error) {
    fprintf(stderr, "device: %s (%d)\n", what, error);
    exit(1);
}

static void *must_open(const char *name) {
    void *library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
    if (!library) die(dlerror(), 0);
    return library;
}

/* A function of a library, called with what it wants; anything but 0 ends the program */
#define CALL(library, name, params, ...)                                                          \
    do {                                                                                          \
        int(*function) params;                                                                    \
        *(void **)&function = dlsym(library, #name);                                              \
        int error = function ? function(__VA_ARGS__) : -1;                                        \
        if (error) die(#name, error);                                                             \
    } while (0)

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t room(size_t bytes) {
    uint64_t device = 0;
    CALL(libcuda, cuMemAlloc_v2, (uint64_t *, size_t), &device, bytes);
    CALL(libcuda, cuMemsetD32_v2, (uint64_t, unsigned, size_t), device, 0x3e3e3e3eu, bytes / 4);
    return device;
}

static void begin(void) {
    int device;
    void *context;
    libcuda = must_open("libcuda.so.1");
    CALL(libcuda, cuInit, (unsigned), 0);
    CALL(libcuda, cuDeviceGet, (int *, int), &device, 0);
    CALL(libcuda, cuDevicePrimaryCtxRetain, (void **, int), &context, device);
    CALL(libcuda, cuCtxSetCurrent, (void *), context);
}

static int later(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Seconds of one call of work, the median */
static double median_of(void (*work)(void *), void *with) {
    double seconds[TURNS];
    for (int turn = -1; turn < TURNS; turn++) {
        double start = now();
        for (int i = 0; i < INNER; i++) work(with);
        CALL(libcuda, cuCtxSynchronize, (void), );
        if (turn >= 0) seconds[turn] = (now() - start) / INNER;
    }
    qsort(seconds, TURNS, sizeof *seconds, later);
    return seconds[TURNS / 2];
}

typedef struct { uint64_t to, from; size_t bytes; } Copy;
static void copy(void *with) {
    Copy *c = with;
    CALL(libcuda, cuMemcpyDtoD_v2, (uint64_t, uint64_t, size_t), c->to, c->from, c->bytes);
}

typedef struct { void *library, *handle; uint64_t a, b, c; int n; } Product;
static void multiply(void *with) {
    Product *p = with;
    static const float one = 1, zero = 0;
    CALL(p->library, cublasSgemm_v2,
         (void *, int, int, int, int, int, const float *, uint64_t, int, uint64_t, int, const float *, uint64_t, int),
         p->handle, 0, 0, p->n, p->n, p->n, &one, p->b, p->n, p->a, p->n, &zero, p->c, p->n);
}

int main(int argc, char **argv) {
    size_t size = argc == 3 ? (size_t)strtoull(argv[2], NULL, 10) : 0;
    if (size && !strcmp(argv[1], "copy")) {
        begin();
        Copy c = {room(size), room(size), size};
        printf("%.1f\n", 2e-9 * (double)size / median_of(copy, &c));
    } else if (size && !strcmp(argv[1], "sgemm")) {
        begin();
        Product p = {.library = must_open("libcublas.so"), .n = (int)size};
        p.a = room(4 * size * size), p.b = room(4 * size * size), p.c = room(4 * size * size);
        CALL(p.library, cublasCreate_v2, (void **), &p.handle);
        printf("%.4f\n", 1e3 * median_of(multiply, &p));
    } else {
        fprintf(stderr, "usage: device copy BYTES | sgemm N\n");
        return 2;
    }
    return 0;
}
