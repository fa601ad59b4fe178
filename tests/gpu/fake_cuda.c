/* A driver that is none, for tests: as libcuda.so.1 it is loaded by dslc run --target=cuda.  Memory of the device has
 * addresses that nobody can use by mistake; kernels are those for the simulator, which dslc keeps beside the PTX when
 * DSL_GPU_SHADOW is set.
 *   FAKE_CUDA_FAIL=NAME:N     the Nth call of the function NAME fails
 *   FAKE_CUDA_RECORD=N[:M]    the first launch, or the Mth, leaves a failed check of an index, as a thread that fails
 *                             does, the Nth place of the program's table
 *   FAKE_CUDA_DEVICES=N       so many devices (1)
 *   FAKE_CUDA_CAPABILITY=N  they are of compute capability N.0 (9)
 *   FAKE_CUDA_LOG=FILE        a line for each call that moves or runs something */
#include "runtime/gpu.h"
#include "runtime/gpu_driver.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AWAY ((uint64_t)0x5a << 56) /* no address of this machine */
enum { FAILURE = 719, UNKNOWN = 500 };

static dsl_gpu_failure record;
static int64_t alive; /* blocks of memory */

static void *here(uint64_t device) { return (void *)(uintptr_t)(device ^ AWAY); }
static uint64_t away(void *p) { return (uint64_t)(uintptr_t)p ^ AWAY; }

__attribute__((format(printf, 1, 2))) static void note(const char *format, ...) {
    const char *path = getenv("FAKE_CUDA_LOG");
    FILE *f = path ? fopen(path, "a") : NULL;
    if (!f) return;
    va_list ap;
    va_start(ap, format);
    vfprintf(f, format, ap);
    va_end(ap);
    fclose(f);
}

/* Whether this call of the function is to fail */
static int fails(const char *name, int *calls) {
    const char *which = getenv("FAKE_CUDA_FAIL");
    size_t n = strlen(name);
    ++*calls;
    return which && !strncmp(which, name, n) && which[n] == ':' && atoi(which + n + 1) == *calls;
}
#define MAY_FAIL(error)                                                                           \
    static int calls;                                                                             \
    if (fails(__func__, &calls)) return error

#define DECLARE(name, params) int name params;
DSL_GPU_FUNCTIONS(DECLARE)

int cuInit(unsigned flags) {
    MAY_FAIL(FAILURE);
    return flags ? FAILURE : 0;
}
int cuDeviceGetCount(int *count) {
    const char *n = getenv("FAKE_CUDA_DEVICES");
    *count = n ? atoi(n) : 1;
    return 0;
}
int cuDeviceGet(int *device, int ordinal) { return *device = ordinal, 0; }
int cuDeviceGetName(char *name, int room, int device) {
    snprintf(name, (size_t)room, "Fake %d", device);
    return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int device) {
    (void)device;
    const char *major = getenv("FAKE_CUDA_CAPABILITY");
    *value = attribute == CU_ATTRIBUTE_MAJOR ? (major ? atoi(major) : 9) : 0;
    return 0;
}
int cuDevicePrimaryCtxRetain(void **context, int device) {
    (void)device;
    MAY_FAIL(CU_OUT_OF_MEMORY);
    return *context = &record, 0;
}
int cuCtxSetCurrent(void *context) { return context == &record ? 0 : FAILURE; }
int cuCtxSynchronize(void) { return note("wait\n"), 0; }

int cuModuleLoadDataEx(void **module, const void *image, unsigned n, int *options, void **values) {
    static int calls;
    if (fails(__func__, &calls)) {
        for (unsigned i = 0; i < n; i++)
            if (options[i] == CU_JIT_ERROR_LOG) strcpy(values[i], "ptxas: this version of PTX is too new");
        return 222;
    }
    *module = (void *)(uintptr_t)image;
    return strstr(image, ".target sm_") && strstr(image, DSL_GPU_FAILURE) ? 0 : FAILURE;
}
int cuModuleGetFunction(void **function, void *module, const char *name) {
    char entry[256];
    snprintf(entry, sizeof entry, ".entry %s(", name);
    *function = strstr(module, entry);
    return *function ? 0 : UNKNOWN;
}
int cuModuleGetGlobal_v2(uint64_t *address, size_t *bytes, void *module, const char *name) {
    (void)module;
    *address = away(&record), *bytes = sizeof record;
    return strcmp(name, DSL_GPU_FAILURE) ? UNKNOWN : 0;
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
    (void)function;
    return attribute == CU_FUNCTION_DYNAMIC_SHARED && value > 227 << 10 ? 1 : 0;
}

int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
    MAY_FAIL(CU_OUT_OF_MEMORY);
    void *p = bytes ? malloc(bytes) : NULL;
    if (!p) return CU_OUT_OF_MEMORY;
    memset(p, 0xee, bytes); /* what nobody has written is seen */
    *address = away(p);
    alive++;
    return 0;
}
int cuMemFree_v2(uint64_t address) { return alive--, free(here(address)), 0; }
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
    MAY_FAIL(FAILURE);
    if (here(to) != &record) note("to %zu\n", bytes);
    memcpy(here(to), from, bytes);
    return 0;
}
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
    MAY_FAIL(FAILURE);
    if (here(from) != &record) note("back %zu\n", bytes);
    memcpy(to, here(from), bytes);
    return 0;
}
int cuMemcpyDtoD_v2(uint64_t to, uint64_t from, size_t bytes) {
    note("on %zu\n", bytes);
    memcpy(here(to), here(from), bytes);
    return 0;
}

static void leave_record(void) {
    const char *site = getenv("FAKE_CUDA_RECORD"), *which = site ? strchr(site, ':') : NULL;
    static int launches;
    if (!site || ++launches != (which ? atoi(which + 1) : 1)) return;
    record = (dsl_gpu_failure){1, DSL_GPU_BOUNDS, atoi(site) * (int64_t)sizeof(dsl_site), {0, 100, 100}};
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **params, void **extra) {
    MAY_FAIL(FAILURE);
    const dsl_gpu_kernel *k = dsl_gpu_launching();
    uint64_t env[256];
    char entry[256];
    int length = snprintf(entry, sizeof entry, ".entry %s(", k->name);
    if (stream || extra || !k->shadow || strncmp(function, entry, (size_t)length)) return FAILURE;
    for (int64_t i = 0; i < k->nparams; i++) {
        memcpy(&env[i], params[i], 8);
        if (k->kinds[i] != 's') env[i] = (uint64_t)(uintptr_t)here(env[i]);
    }
    dsl_grid g = {{gz, gy, gx}, {bz, by, bx}, 3, 3, k->dynamic ? shared : 64 << 10, 1, k->team, 1};
    note("run %s\n", k->name);
    dsl_simt_launch(NULL, k->shadow, env, &g);
    leave_record();
    return 0;
}

/* ---- graphs: a list of launches; what is launched must not look at memory of the caller.  Without: -DNO_GRAPHS */

#ifndef NO_GRAPHS
typedef struct FakeNode {
    const dsl_gpu_kernel *kernel;
    dsl_gpu_node what;
    uint64_t values[256];
    void *params[256];
} FakeNode;
typedef struct FakeGraph { FakeNode *nodes[1024]; int n; } FakeGraph;

DSL_GPU_GRAPH_FUNCTIONS(DECLARE)

int cuGraphCreate(void **graph, unsigned flags) {
    MAY_FAIL(FAILURE);
    return !(*graph = calloc(1, sizeof(FakeGraph))) || flags ? FAILURE : 0;
}
int cuGraphDestroy(void *graph) { return free(graph), 0; }
static void set_node(FakeNode *n, const dsl_gpu_node *what) {
    n->kernel = dsl_gpu_launching();
    n->what = *what;
    for (int64_t i = 0; i < n->kernel->nparams; i++) {
        memcpy(&n->values[i], what->params[i], 8);
        n->params[i] = &n->values[i];
    }
    n->what.params = n->params;
}
int cuGraphAddKernelNode(void **node, void *graph, void *const *before, size_t n, const dsl_gpu_node *what) {
    MAY_FAIL(FAILURE);
    FakeGraph *g = graph;
    FakeNode *new = calloc(1, sizeof *new);
    if (n != (g->n > 0) || (n && before[0] != g->nodes[g->n - 1])) return FAILURE;
    set_node(new, what);
    *node = g->nodes[g->n++] = new;
    return 0;
}
int cuGraphInstantiateWithFlags(void **exec, void *graph, unsigned long long flags) {
    MAY_FAIL(FAILURE);
    note("graph %d\n", ((FakeGraph *)graph)->n);
    return *exec = graph, flags ? FAILURE : 0;
}
int cuGraphExecDestroy(void *exec) { return exec ? 0 : FAILURE; }
int cuGraphExecKernelNodeSetParams(void *exec, void *node, const dsl_gpu_node *what) {
    MAY_FAIL(FAILURE);
    (void)exec;
    note("set\n");
    return set_node(node, what), 0;
}
int cuGraphLaunch(void *exec, void *stream) {
    MAY_FAIL(FAILURE);
    FakeGraph *g = exec;
    note("replay %d\n", g->n);
    for (int i = 0; i < g->n; i++) {
        const dsl_gpu_node *w = &g->nodes[i]->what;
        dsl_gpu_launching_is(g->nodes[i]->kernel);
        int error = cuLaunchKernel(w->function, w->gx, w->gy, w->gz, w->bx, w->by, w->bz, w->shared, stream, w->params,
                                   NULL);
        if (error) return error;
    }
    return 0;
}
#endif

int cuGetErrorName(int error, const char **name) {
    *name = error == CU_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_LAUNCH_FAILED";
    return 0;
}
int cuGetErrorString(int error, const char **text) {
    *text = error == CU_OUT_OF_MEMORY ? "out of memory" : "unspecified launch failure";
    return 0;
}
