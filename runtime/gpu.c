/* Launches on a GPU, and where arrays are.
 *
 * Launches are in order on the default stream, and run on while the host goes on, until it looks at an array.  Whether
 * one has failed is looked at before something is seen of what comes after it (gpu_failure.c). */
#include "runtime/gpu.h"
#include "runtime/gpu_batch.h"
#include "runtime/gpu_driver.h"
#include "runtime/host.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AXES = 3, GRAIN = 256, KEPT = 64, USUAL_SHARED = 48 << 10, LOG = 4096, SINGLE = 8 };

/* Memory on the device for the elements of an array, known by their address here.  here, there: whether what is in
 * that place is right; neither is while nobody has written the array.  taken: single elements since the last launch
 * that wrote it; put: since the last that used it */
typedef struct Home { const void *data; uint64_t device; size_t bytes; bool here, there; int taken, put; } Home;
typedef struct { uint64_t device; size_t bytes; } Room;

static struct {
    void *library, *context, *module;
#define FUNCTION(name, params) int (*name) params;
    DSL_GPU_FUNCTIONS(FUNCTION)
#undef FUNCTION
    double began;                    /* seconds: the kernels were loaded */
    const char *later;               /* what is loaded when it is needed */
    uint64_t failure;                /* a dsl_gpu_failure on the device */
    Home *homes;                     /* by open addressing */
    int64_t capacity, used;          /* capacity: a power of two, or 0 */
    Room kept[KEPT];                 /* memory for the next array */
    int nkept;
    int64_t to_device, to_host, bytes_to_device, bytes_to_host, launches;
    const dsl_gpu_kernel *launching;
} gpu;

/* ---- failures of the driver */

static const char *error_text(int error) {
    static char text[256];
    const char *name = NULL, *words = NULL;
    if (gpu.cuGetErrorName(error, &name)) name = NULL;
    if (gpu.cuGetErrorString(error, &words)) words = NULL;
    if (name && words) snprintf(text, sizeof text, "%s: %s", name, words);
    else snprintf(text, sizeof text, "%s", name ? name : "an unknown error");
    return text;
}

static void must(const dsl_site *at, int error, const char *what) {
    if (DSL_UNLIKELY(error)) dsl_fail(at, "E0660", "the GPU's driver cannot %s: %s", what, error_text(error));
}

/* ---- the device and the program */

static const char *find_functions(void) {
    static char why[256];
#define FUNCTION(name, params)                                                                    \
    *(void **)&gpu.name = dlsym(gpu.library, #name);                                              \
    if (!gpu.name) return snprintf(why, sizeof why, "libcuda.so.1 has no %s: the driver is too old", #name), why;
    DSL_GPU_FUNCTIONS(FUNCTION)
#undef FUNCTION
    return NULL;
}

double dsl_x_time(void);
static void released(const dsl_array *a);
static void wait_for_launches(void);
static void look_first(void);

const char *dsl_gpu_open(dsl_gpu_device *d) {
    int n = 0, device, error;
    gpu.library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!gpu.library) return "there is no driver: libcuda.so.1 is not found";
    const char *why = find_functions();
    if (why) return why;
    if ((error = gpu.cuInit(0)) || (error = gpu.cuDeviceGetCount(&n))) return error_text(error);
    if (!n) return "there is a driver, but no device";
    dsl_gpu_batch_open(gpu.library);
    error = gpu.cuDeviceGet(&device, 0);
    if (!error) error = gpu.cuDeviceGetName(d->name, sizeof d->name, device);
    if (!error) error = gpu.cuDeviceGetAttribute(&d->major, CU_ATTRIBUTE_MAJOR, device);
    if (!error) error = gpu.cuDeviceGetAttribute(&d->minor, CU_ATTRIBUTE_MINOR, device);
    if (!error) error = gpu.cuDevicePrimaryCtxRetain(&gpu.context, device);
    if (!error) error = gpu.cuCtxSetCurrent(gpu.context);
    return error ? error_text(error) : NULL;
}

const char *dsl_gpu_load(const char *ptx) {
    static char log[LOG];
    int options[] = {CU_JIT_ERROR_LOG, CU_JIT_ERROR_LOG_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    size_t bytes;
    int error = gpu.cuModuleLoadDataEx(&gpu.module, ptx, 2, options, values);
    if (error && *log) return log;
    if (!error) error = gpu.cuModuleGetGlobal_v2(&gpu.failure, &bytes, gpu.module, DSL_GPU_FAILURE);
    if (error) return error_text(error);
    gpu.began = dsl_x_time();
    dsl_released = released, dsl_launches_end = wait_for_launches, dsl_fails_first = look_first;
    return NULL;
}

void dsl_gpu_load_later(const char *ptx) { gpu.later = ptx; }

void dsl_gpu_ready(const dsl_site *at) {
    if (DSL_LIKELY(gpu.module != NULL)) return;
    dsl_gpu_device device;
    const char *why = dsl_gpu_open(&device);
    if (!why) why = dsl_gpu_load(gpu.later);
    if (why) dsl_fail(at, "E0660", "the GPU's driver cannot begin: %s", why);
}

void dsl_gpu_explain(void) {
    dsl_gpu_batch graphs = dsl_gpu_batch_done();
    fprintf(stderr, "gpu: %lld launches", (long long)gpu.launches);
    if (graphs.replays)
        fprintf(stderr, " (%lld of them in %lld runs of graphs)", (long long)graphs.replayed,
                (long long)graphs.replays);
    fprintf(stderr, ", %lld copies to it (%.3f MB), %lld copies back (%.3f MB)\n", (long long)gpu.to_device,
            1e-6 * (double)gpu.bytes_to_device, (long long)gpu.to_host, 1e-6 * (double)gpu.bytes_to_host);
}

/* ---- launches that are kept (gpu_batch.c) */

static void submit(const dsl_gpu_call *c) {
    void *params[DSL_GPU_MOST_PARAMS];
    for (int64_t i = 0; i < c->kernel->nparams; i++) params[i] = &c->values[i];
    gpu.launching = c->kernel;
    const unsigned *b = c->blocks, *t = c->threads;
    must(c->at, gpu.cuLaunchKernel(c->function, b[0], b[1], b[2], t[0], t[1], t[2], c->shared, NULL, params, NULL),
         "begin the launch");
}

void dsl_gpu_settle(void) { dsl_gpu_batch_run(submit); }

/* ---- memory of the device */

static void free_kept(void) {
    dsl_gpu_settle();
    while (gpu.nkept) gpu.cuMemFree_v2(gpu.kept[--gpu.nkept].device);
}

static uint64_t take_kept(size_t bytes) {
    for (int i = gpu.nkept - 1; i >= 0; i--) {
        if (gpu.kept[i].bytes != bytes) continue;
        uint64_t device = gpu.kept[i].device;
        gpu.kept[i] = gpu.kept[--gpu.nkept];
        return device;
    }
    return 0;
}

static size_t room_for(size_t bytes) { return (bytes + GRAIN) / GRAIN * GRAIN; } /* at least one byte */

static uint64_t device_memory(const dsl_site *at, size_t bytes) {
    uint64_t device = take_kept(bytes);
    if (device) return device;
    int error = gpu.cuMemAlloc_v2(&device, bytes);
    if (error == CU_OUT_OF_MEMORY && gpu.nkept) {
        free_kept();
        error = gpu.cuMemAlloc_v2(&device, bytes);
    }
    if (error == CU_OUT_OF_MEMORY)
        dsl_fail(at, "E0661", "the GPU has no memory for another %.1f MB", 1e-6 * (double)bytes);
    must(at, error, "get memory");
    return device;
}

static void give_back(uint64_t device, size_t bytes) {
    if (!device) return;
    if (gpu.nkept < KEPT) gpu.kept[gpu.nkept++] = (Room){device, bytes};
    else dsl_gpu_settle(), gpu.cuMemFree_v2(device);
}

uint64_t dsl_gpu_take(size_t bytes) { return device_memory(NULL, room_for(bytes)); }
void dsl_gpu_give(uint64_t device, size_t bytes) { give_back(device, room_for(bytes)); }

/* ---- which arrays have memory there */

static int64_t place_of(const void *data, int64_t capacity) {
    uint64_t h = (uint64_t)(uintptr_t)data / 64 * 0x9E3779B97F4A7C15u;
    return (int64_t)(h >> 20) & (capacity - 1);
}

static Home *find(const void *data) {
    if (!gpu.used) return NULL;
    for (int64_t i = place_of(data, gpu.capacity); gpu.homes[i].data; i = (i + 1) & (gpu.capacity - 1))
        if (gpu.homes[i].data == data) return &gpu.homes[i];
    return NULL;
}

static Home *put(Home h) {
    int64_t i = place_of(h.data, gpu.capacity);
    while (gpu.homes[i].data) i = (i + 1) & (gpu.capacity - 1);
    gpu.homes[i] = h;
    gpu.used++;
    return &gpu.homes[i];
}

static void grow(const dsl_site *at) {
    int64_t old = gpu.capacity;
    Home *homes = gpu.homes, *larger = calloc((size_t)(old ? 2 * old : 64), sizeof *larger);
    if (!larger) dsl_fail(at, "E0603", "out of memory: the list of the arrays on the GPU");
    gpu.homes = larger, gpu.capacity = old ? 2 * old : 64, gpu.used = 0;
    for (int64_t i = 0; i < old; i++)
        if (homes[i].data) put(homes[i]);
    free(homes);
}

static size_t bytes_of(const dsl_array *a) { return (size_t)a->count * (size_t)dsl_dtype_bytes(a->dtype); }

static Home *home_of(const dsl_site *at, const dsl_array *a) {
    Home *h = find(a->data);
    if (h) return h;
    if (2 * (gpu.used + 1) > gpu.capacity) grow(at);
    return put((Home){.data = a->data, .bytes = bytes_of(a), .here = true});
}

/* Those behind it that are not where they belong move up. */
static void forget(Home *h) {
    int64_t mask = gpu.capacity - 1, gap = h - gpu.homes;
    gpu.used--;
    for (int64_t i = (gap + 1) & mask; gpu.homes[i].data; i = (i + 1) & mask) {
        int64_t wants = place_of(gpu.homes[i].data, gpu.capacity);
        if (((i - wants) & mask) < ((i - gap) & mask)) continue;
        gpu.homes[gap] = gpu.homes[i];
        gap = i;
    }
    gpu.homes[gap] = (Home){0};
}

static void released(const dsl_array *a) {
    Home *h = find(a->data);
    if (!h) return;
    give_back(h->device, room_for(h->bytes));
    forget(h);
}

/* ---- copies */

static uint64_t on_device(const dsl_site *at, Home *h, bool writes) {
    if (!h->device) h->device = device_memory(at, room_for(h->bytes));
    if (h->here && !h->there && h->bytes) {
        dsl_gpu_settle();
        must(at, gpu.cuMemcpyHtoD_v2(h->device, h->data, h->bytes), "copy an array to the GPU");
        gpu.to_device++, gpu.bytes_to_device += (int64_t)h->bytes;
    }
    h->there = h->there || h->here || writes;
    h->put = 0;
    if (writes) h->here = false, h->taken = 0;
    return h->device;
}

static void bring_home(Home *h, bool writes) {
    if (!h->here && h->there && h->bytes) {
        dsl_gpu_look();
        dsl_gpu_settle();
        must(NULL, gpu.cuMemcpyDtoH_v2((void *)(uintptr_t)h->data, h->device, h->bytes), "copy an array from the GPU");
        gpu.to_host++, gpu.bytes_to_host += (int64_t)h->bytes;
    }
    h->here = true;
    if (writes) h->there = false;
}

void dsl_gpu_home(const dsl_array *a, bool writes) {
    Home *h = find(a->data);
    if (h) bring_home(h, writes);
}

static uint64_t element_there(const Home *h, const void *p) {
    return h->device + (uint64_t)((const char *)p - (const char *)h->data);
}

void dsl_gpu_element(const void *data, const void *p, size_t bytes, void *to) {
    Home *h = find(data);
    bool away = h && !h->here && h->there;
    if (away && h->bytes > bytes && h->taken++ < SINGLE) {
        dsl_gpu_look();
        dsl_gpu_settle();
        must(NULL, gpu.cuMemcpyDtoH_v2(to, element_there(h, p), bytes), "copy an element from the GPU");
        gpu.to_host++, gpu.bytes_to_host += (int64_t)bytes;
        return;
    }
    if (away) bring_home(h, false);
    memcpy(to, p, bytes);
}

/* Where the array is right, there the element is written; many are written at home. */
void dsl_gpu_poke(const void *data, void *p, size_t bytes, const void *from) {
    Home *h = find(data);
    if (h && h->there && h->put++ < SINGLE) {
        dsl_gpu_settle();
        must(NULL, gpu.cuMemcpyHtoD_v2(element_there(h, p), from, bytes), "copy an element to the GPU");
        gpu.to_device++, gpu.bytes_to_device += (int64_t)bytes;
    } else if (h) bring_home(h, true);
    if (!h || h->here) memcpy(p, from, bytes);
}

void dsl_gpu_home_elements(const void *data) {
    Home *h = find(data);
    if (h) bring_home(h, true);
}

void dsl_gpu_fresh(const dsl_array *a) { home_of(NULL, a)->here = false; }

/* Of two at one place one is empty. */
void dsl_gpu_given(const dsl_array *a) {
    Home *h = home_of(NULL, a);
    if (h->bytes < bytes_of(a)) h->bytes = bytes_of(a);
}

dsl_array *dsl_gpu_unique(dsl_array *a) {
    if (__atomic_load_n(&a->refs, __ATOMIC_ACQUIRE) == 1) return a;
    Home *h = find(a->data);
    if (!h || h->here || !h->there) return dsl_unique(a);
    dsl_array *c = dsl_new(NULL, a->dtype, a->rank, a->dim);
    Home *copy = home_of(NULL, c);
    copy->here = false;
    uint64_t to = on_device(NULL, copy, true);
    h = find(a->data); /* the list may have moved */
    dsl_gpu_settle();
    if (h->bytes) must(NULL, gpu.cuMemcpyDtoD_v2(to, h->device, h->bytes), "copy an array on the GPU");
    dsl_release(a);
    return c;
}

dsl_array *dsl_gpu_renewed(dsl_array *a) {
    if (__atomic_load_n(&a->refs, __ATOMIC_ACQUIRE) == 1) return a;
    dsl_array *c = dsl_new(NULL, a->dtype, a->rank, a->dim);
    dsl_gpu_fresh(c);
    dsl_release(a);
    return c;
}

dsl_array *dsl_gpu_reshape(const dsl_site *at, dsl_array *a, int rank, const int64_t *dim) {
    return dsl_reshape(at, dsl_gpu_unique(a), rank, dim);
}

/* ---- what a thread has left */

bool dsl_gpu_read_failure(const dsl_site *at, dsl_gpu_failure *f) {
    dsl_gpu_failure none = {0};
    dsl_gpu_settle();
    must(at, gpu.cuMemcpyDtoH_v2(f, gpu.failure, sizeof *f), "run the launch");
    if (f->taken) gpu.cuMemcpyHtoD_v2(gpu.failure, &none, sizeof none);
    return f->taken;
}

/* A failure of the host's is about to be told, maybe by a thread that has not used the device yet: one of a launch
 * before it comes first. */
static void look_first(void) {
    gpu.cuCtxSetCurrent(gpu.context);
    dsl_gpu_look();
}

/* ---- launches */

static int64_t threads_of(const int64_t *extent) {
    int64_t n = 1;
    for (int i = 0; i < AXES; i++) n *= extent[i] > 0 ? extent[i] : 0;
    return n;
}

static void *function_of(const dsl_site *at, dsl_gpu_kernel *k) {
    if (!k->function) must(at, gpu.cuModuleGetFunction(&k->function, gpu.module, k->name), "find a kernel");
    return k->function;
}

static unsigned shared_of(const dsl_site *at, const dsl_gpu_kernel *k, void *function, int64_t bytes) {
    if (!k->dynamic) return 0;
    bool refused = bytes > INT32_MAX;
    if (!refused && bytes > USUAL_SHARED)
        refused = gpu.cuFuncSetAttribute(function, CU_FUNCTION_DYNAMIC_SHARED, (int)bytes) != 0;
    if (refused)
        dsl_fail(at, "E0662", "%lld bytes of shared memory for a block; this GPU has not so much", (long long)bytes);
    return (unsigned)bytes;
}

uint64_t dsl_gpu_address(const dsl_site *at, void *elements, bool writes) {
    Home *h = find(elements);
    return on_device(at, h ? h : home_of(at, dsl_array_of(elements)), writes);
}

/* Of arrays their addresses on the device */
static void fill_values(const dsl_site *at, const dsl_gpu_kernel *k, const uint64_t *env, uint64_t *values) {
    for (int64_t i = 0; i < k->nparams; i++)
        values[i] = k->kinds[i] == 's' ? env[i]
                                       : dsl_gpu_address(at, (void *)(uintptr_t)env[i], k->kinds[i] == 'w');
}

void dsl_gpu_launch(const dsl_site *at, dsl_gpu_kernel *k, void *env, const dsl_grid *g) {
    uint64_t values[DSL_GPU_MOST_PARAMS];
    if (!threads_of(g->blocks) || !threads_of(g->threads)) return;
    dsl_grid_check(at, g);
    dsl_gpu_ready(at);
    if (k->nparams > DSL_GPU_MOST_PARAMS)
        dsl_fail(at, "E0662", "a kernel with %lld arguments; %d are possible", (long long)k->nparams,
                 DSL_GPU_MOST_PARAMS);
    dsl_gpu_call call = {.at = at, .kernel = k, .function = function_of(at, k), .values = values};
    call.shared = shared_of(at, k, call.function, g->shared);
    for (int i = 0; i < AXES; i++)
        call.blocks[i] = (unsigned)g->blocks[AXES - 1 - i], call.threads[i] = (unsigned)g->threads[AXES - 1 - i];
    fill_values(at, k, env, values);
    gpu.launches++;
    if (k->fails) dsl_gpu_may_fail(at, k->tables);
    if (!dsl_gpu_batch_takes() || !dsl_gpu_batch_add(&call)) {
        dsl_gpu_settle();
        submit(&call);
    }
}

static void wait_for_launches(void) {
    dsl_gpu_settle();
    if (gpu.module) must(NULL, gpu.cuCtxSynchronize(), "wait for launches");
    dsl_gpu_look();
}

double dsl_gpu_x_time(void) {
    wait_for_launches();
    return dsl_x_time();
}

void dsl_gpu_tell_seconds(void) {
    printf("\ngpu-seconds %.9f\n", dsl_gpu_x_time() - gpu.began);
}

void dsl_gpu_launching_is(const dsl_gpu_kernel *kernel) { gpu.launching = kernel; }
const dsl_gpu_kernel *dsl_gpu_launching(void) { return gpu.launching; }
