/* The driver of NVIDIA's GPUs, as far as it is used: libcuda.so.1, by dlopen.  Functions by the names of the library
 * (cuda.h renames some by macro: plain cuMemAlloc would be an older one).  For gpu.c and gpu_batch.c. */
#ifndef DSL_GPU_DRIVER_H
#define DSL_GPU_DRIVER_H

#include <stddef.h>
#include <stdint.h>

/* Results are a CUresult, 0 for success; handles of contexts, modules and functions are pointers. */
#define DSL_GPU_FUNCTIONS(X)                                                                      \
    X(cuInit, (unsigned flags))                                                                   \
    X(cuDeviceGetCount, (int *count))                                                             \
    X(cuDeviceGet, (int *device, int ordinal))                                                    \
    X(cuDeviceGetName, (char *name, int room, int device))                                        \
    X(cuDeviceGetAttribute, (int *value, int attribute, int device))                              \
    X(cuDevicePrimaryCtxRetain, (void **context, int device))                                     \
    X(cuCtxSetCurrent, (void *context))                                                           \
    X(cuCtxSynchronize, (void))                                                                   \
    X(cuModuleLoadDataEx, (void **module, const void *image, unsigned n, int *options, void **values)) \
    X(cuModuleGetFunction, (void **function, void *module, const char *name))                     \
    X(cuModuleGetGlobal_v2, (uint64_t *address, size_t *bytes, void *module, const char *name))   \
    X(cuFuncSetAttribute, (void *function, int attribute, int value))                             \
    X(cuMemAlloc_v2, (uint64_t *address, size_t bytes))                                           \
    X(cuMemFree_v2, (uint64_t address))                                                           \
    X(cuMemcpyHtoD_v2, (uint64_t to, const void *from, size_t bytes))                             \
    X(cuMemcpyDtoH_v2, (void *to, uint64_t from, size_t bytes))                                   \
    X(cuMemcpyDtoD_v2, (uint64_t to, uint64_t from, size_t bytes))                                \
    X(cuLaunchKernel, (void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, \
                       unsigned shared, void *stream, void **params, void **extra))               \
    X(cuGetErrorName, (int error, const char **name))                                             \
    X(cuGetErrorString, (int error, const char **text))

/* A kernel in a graph (CUDA_KERNEL_NODE_PARAMS_v1) */
typedef struct dsl_gpu_node {
    void *function;
    unsigned gx, gy, gz, bx, by, bz, shared;
    void **params, **extra;
} dsl_gpu_node;

/* Graphs, from the driver of CUDA 11.4 on; where one is missing, launches go one by one.  gpu_batch.c */
#define DSL_GPU_GRAPH_FUNCTIONS(X)                                                                \
    X(cuGraphCreate, (void **graph, unsigned flags))                                              \
    X(cuGraphDestroy, (void *graph))                                                              \
    X(cuGraphAddKernelNode, (void **node, void *graph, void *const *before, size_t n, const dsl_gpu_node *what)) \
    X(cuGraphInstantiateWithFlags, (void **exec, void *graph, unsigned long long flags))          \
    X(cuGraphExecDestroy, (void *exec))                                                           \
    X(cuGraphExecKernelNodeSetParams, (void *exec, void *node, const dsl_gpu_node *what))         \
    X(cuGraphLaunch, (void *exec, void *stream))

enum {
    CU_OUT_OF_MEMORY = 2,
    CU_ATTRIBUTE_MAJOR = 75, /* of a device: its compute capability */
    CU_ATTRIBUTE_MINOR = 76,
    CU_FUNCTION_DYNAMIC_SHARED = 8,
    CU_JIT_ERROR_LOG = 5, /* options of cuModuleLoadDataEx: a buffer for messages, and its size */
    CU_JIT_ERROR_LOG_BYTES = 6,
};

#endif
