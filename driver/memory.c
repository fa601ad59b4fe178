/* Programs, their tests and their benches as code in memory. */
#include "driver/build.h"
#include "runtime/gen.h"
#include "runtime/gpu.h"

#include <stdlib.h>
#include <string.h>

/* Cases run in processes of their own, which no better code reaches. */
LlvmOptions llvm_options(const Options *o, EmitKind kind) {
    bool usual = o->jit == JIT_AUTO || o->jit == JIT_TIERED, quick = o->jit == JIT_QUICK || (usual && o->debug);
    bool tiers = usual && !o->debug && kind != EMIT_TESTS && kind != EMIT_BENCHES;
    return (LlvmOptions){.emit = emit_options(o, kind),
                         .tier = tiers ? TIER_FIRST : TIER_ONLY,
                         .level = tiers || quick ? 0 : 3,
                         .cpu = cpu_named(o),
                         .gpu = gpu_named(o),
                         .shadow = gpu_has_shadow(),
                         .cache = objects_open(o)};
}

/* The program, of which there is to be a text; NULL: reported */
static Module *text_begin(const Options *o, const LlvmPlugin **p, LlvmOptions *how) {
    *p = plugin_load(o);
    if (!*p) return NULL;
    *how = llvm_options(o, EMIT_PROGRAM);
    how->tier = TIER_ONLY;
    return compile_to(o, STAGE_LOOPS);
}

/* As written, or with --jit=optimized as LLVM makes it */
bool emit_llvm_text(const Options *o, Text *out) {
    const LlvmPlugin *p;
    LlvmOptions how;
    Module *m = text_begin(o, &p, &how);
    if (!m) return false;
    if (o->jit == JIT_TIERED) how.level = 3;
    p->print(out, m, &how);
    return module_free(m), true;
}

LlvmCode kernels_make(const Options *o) {
    const LlvmPlugin *p;
    LlvmOptions how;
    Module *m = text_begin(o, &p, &how);
    if (!m) return (LlvmCode){.ptx = NULL};
    LlvmCode code = p->kernels(o->session, m, &how);
    module_free(m);
    if (!code.ptx) diag_report(o->session, NO_SPAN, E_CANNOT_RUN, o->inputs.data[0], code.failure);
    return code;
}

/* The kernels, for a GPU of NVIDIA's */
bool emit_ptx_text(const Options *o, Text *out) {
    LlvmCode code = kernels_make(o);
    if (code.ptx) text_printf(out, "%s", code.ptx);
    return code.ptx != NULL;
}

/* The words of this process's command line; NULL: not known */
static char **own_arguments(Session *s) {
    enum { MOST = 1 << 16 };
    Arena *a = session_arena(s);
    char *text = arena_alloc(a, MOST), **argv = NEWN(a, char *, MOST);
    FILE *f = fopen("/proc/self/cmdline", "rb");
    size_t n = f ? fread(text, 1, MOST - 1, f) : 0;
    if (f) fclose(f);
    if (n == 0 || n == MOST - 1) return NULL;
    for (size_t i = 0, k = 0; i < n; i += strlen(text + i) + 1) argv[k++] = text + i;
    return argv;
}

static int run_program(int argc, char **argv, void (*script)(void), bool takes_arguments) {
    dsl_begin(&argc, &argv);
    if (!takes_arguments) dsl_no_arguments();
    script();
    dsl_finish();
    return EXIT_OK;
}

static int run_cases(int argc, char **argv, EmitKind kind, const dsl_case *cases) {
    dsl_begin(&argc, &argv);
    return kind == EMIT_TESTS ? dsl_run_tests(argc, argv, cases) : dsl_run_benches(argc, argv, cases);
}

/* The one place that says who runs what: without a word from the user code in memory is for where there is no C
 * compiler. */
bool memory_is_wanted(const Options *o) {
    if (o->jit != JIT_AUTO) return o->jit != JIT_NO;
    bool named = o->cc != NULL; /* whoever names a compiler wants that one */
    return !o->pass.ranks && plugin_path(o->session) && !named && !cc_is_there(o);
}

MemoryProgram memory_make(const Options *o, EmitKind kind) {
    bool gpu = emit_options(o, kind).target == TARGET_CUDA, apart = kind != EMIT_PROGRAM;
    MemoryProgram made = {.kind = kind, .explain_transfers = gpu && o->explain_transfers};
    char **own = own_arguments(o->session);
    if (own) dsl_restart_if_crowded(own);
    const char *architecture = gpu ? gpu_architecture(o, apart) : NULL;
    if (gpu && !architecture) {
        diagnostics_flush(o);
        made.status = EXIT_NO_GPU;
        return made;
    }
    const LlvmPlugin *p = plugin_load(o);
    Module *m = p && link_load(o) ? compile_to(o, STAGE_LOOPS) : NULL;
    made.status = diagnostics_flush(o);
    if (!m && !made.status) made.status = EXIT_DIAGNOSED;
    if (made.status) return made;
    LlvmOptions how = llvm_options(o, kind);
    if (!how.gpu) how.gpu = architecture;
    LlvmCode code = p->compile(o->session, m, &how);
    made.entry = code.entry, made.plugin = p, made.tiers = code.tiers;
    made.takes_arguments = module_takes_arguments(m);
    if (!code.tiers) module_free(m);
    if (code.entry && gpu && apart) dsl_gpu_load_later(code.ptx);
    else if (code.entry && gpu) code.failure = dsl_gpu_load(code.ptx);
    if (code.entry && !code.failure) return made;
    made.entry = NULL;
    diag_report(o->session, NO_SPAN, E_CANNOT_RUN, o->inputs.data[0], code.failure);
    made.status = diagnostics_flush(o);
    return made;
}

int memory_run(const MemoryProgram *p, char **argv) {
    int argc = 0;
    void (*script)(void);
    while (argv[argc]) argc++;
    dsl_find_home();
    if (p->kind != EMIT_PROGRAM) return run_cases(argc, argv, p->kind, p->entry);
    *(void **)&script = p->entry;
    int status = run_program(argc, argv, script, p->takes_arguments);
    p->plugin->settle(p->tiers);
    if (p->explain_transfers) dsl_gpu_explain();
    return status;
}
