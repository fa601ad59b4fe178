/* dslc build --target=cuda: what goes into an executable beside its C, so that it runs on a GPU where there is one: the
 * program once more, its launches calls of the GPU's driver, and its kernels as PTX. */
#include "driver/build.h"

#include <stdlib.h>
#include <string.h>

/* ---- --cpu=x86-64-v3,sm_90 */

static bool is_gpu(const char *name, size_t n) { return n > 3 && !strncmp(name, "sm_", 3); }

/* The first name of that kind */
static const char *named(const Options *o, bool gpu) {
    for (const char *p = o->cpu; p && *p;) {
        size_t n = strcspn(p, ",");
        if (is_gpu(p, n) == gpu) return intern_n(o->session, p, n);
        p += n + (p[n] == ',');
    }
    return NULL;
}

const char *cpu_named(const Options *o) { return named(o, false); }
const char *gpu_named(const Options *o) { return named(o, true); }

/* What code is made for, oldest first.  Threads of a warp meet by instructions that older ones do not have. */
static const char *const gpus[] = {"sm_70", "sm_72", "sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90a", "sm_90"};
enum { GPUS = sizeof gpus / sizeof *gpus };

bool gpu_is_known(const Options *o) {
    const char *name = gpu_named(o);
    for (int i = 0; name && i < GPUS; i++)
        if (!strcmp(name, gpus[i])) return true;
    if (!name) return true;
    Diag *d = diag_report(o->session, NO_SPAN, E_OPTION_VALUE, "cpu", name);
    diag_hint(o->session, d, "GPUs are named by their compute capability: sm_70 (7.0) is the least supported, then "
                             "sm_72, sm_75, sm_80, sm_86, sm_87, sm_89, sm_90");
    return false;
}

const char *gpu_of_capability(int version) {
    const char *last = NULL;
    for (int i = 0; i < GPUS; i++)
        if (atoi(gpus[i] + 3) <= version) last = gpus[i];
    return last;
}

/* ---- the object */

bool gpu_has_shadow(void) { return getenv("DSL_GPU_SHADOW") != NULL; }

Options gpu_left_out(const Options *o) {
    Options host = o->host ? *o->host : *o;
    if (!host.pass.device) return host;
    host.pass.device = host.pass.unordered = false;
    host.target = NULL;
    host.cpu = cpu_named(o);
    return host;
}

static bool refuse(const Options *o, const char *why) {
    diag_report(o->session, NO_SPAN, E_CANNOT_RUN, o->inputs.data[0], why);
    return false;
}

/* Warnings have been said of the program for the processor. */
static bool make(const Options *o, Options *gpu, Toolchain *t) {
    const LlvmPlugin *p = plugin_load(gpu);
    Module *m = p ? compile_to(gpu, STAGE_LOOPS) : NULL;
    if (!m) return diagnostics_flush(gpu), false;
    gpu->jit = JIT_OPTIMIZED;
    LlvmOptions how = llvm_options(gpu, EMIT_PROGRAM);
    how.shadow = gpu_has_shadow();
    LlvmCode code = p->object(gpu->session, m, &how);
    module_free(m);
    if (!code.object) return refuse(o, intern(o->session, code.failure));
    char *copy = arena_alloc(session_arena(o->session), code.size);
    t->object = memcpy(copy, code.object, code.size), t->object_size = code.size;
    t->identity = hash_bytes(t->identity, copy, code.size);
    return true;
}

bool gpu_part(const Options *o, Toolchain *t) {
    if (!o->pass.device) return true;
    Options gpu = *o;
    options_renew(&gpu);
    bool ok = make(o, &gpu, t);
    session_free(gpu.session);
    return ok;
}
