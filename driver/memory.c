/* Programs as code in memory, through the plugin that holds LLVM (codegen/llvm/llvm.h). */
#include "codegen/llvm/llvm.h"
#include "driver/build.h"
#include "runtime/dsl.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

static const LlvmPlugin *plugin_missing(const Options *o, const char *dir, const char *why) {
    Diag *d = diag_report(o->session, NO_SPAN, E_NO_LLVM);
    if (why) diag_hint(o->session, d, "it is there, but cannot be loaded: %s", why);
    else
        diag_hint(o->session, d, "libdslllvm.so belongs beside the dslc binary (%s); it is built where LLVM 19 is: "
                                 "apt install llvm-19-dev", dir);
    return NULL;
}

static const LlvmPlugin *plugin_find(const Options *o) {
    const char *folders[2];
    own_folders(o->session, folders);
    for (int i = 0; i < 2; i++) {
        const char *path = intern_printf(o->session, "%s/libdslllvm.so", folders[i]);
        if (access(path, R_OK)) continue;
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        return library ? dlsym(library, LLVM_PLUGIN_SYMBOL) : plugin_missing(o, folders[0], dlerror());
    }
    return plugin_missing(o, folders[0], NULL);
}

static LlvmOptions llvm_options(const Options *o, int level) {
    return (LlvmOptions){.emit = emit_options(o, EMIT_PROGRAM), .level = level, .cpu = o->cpu};
}

/* As written, or with --jit=optimized as LLVM makes it */
bool emit_llvm_text(const Options *o, Text *out) {
    const LlvmPlugin *p = plugin_find(o);
    Module *m = p ? compile_to(o, STAGE_LOOPS) : NULL;
    if (!m) return false;
    LlvmOptions how = llvm_options(o, o->jit == JIT_OPTIMIZED ? 3 : 0);
    p->print(out, m, &how);
    return module_free(m), true;
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

static void start(char **argv, void (*script)(void), bool takes_arguments) {
    int argc = 0;
    while (argv[argc]) argc++;
    dsl_begin(&argc, &argv);
    if (!takes_arguments) dsl_no_arguments();
    script();
    dsl_finish();
}

int memory_run(const Options *o, char **argv) {
    char **own = own_arguments(o->session);
    if (own) dsl_restart_if_crowded(own);
    const LlvmPlugin *p = plugin_find(o);
    Module *m = p && link_load(o) ? compile_to(o, STAGE_LOOPS) : NULL;
    int status = diagnostics_flush(o);
    if (!m || status) return status ? status : EXIT_DIAGNOSED;
    LlvmOptions how = llvm_options(o, o->jit == JIT_QUICK ? 0 : 3);
    LlvmCode code = p->compile(o->session, m, &how);
    bool takes_arguments = module_takes_arguments(m);
    module_free(m);
    if (!code.script) {
        diag_report(o->session, NO_SPAN, E_CANNOT_RUN, o->inputs.data[0], code.failure);
        return diagnostics_flush(o);
    }
    start(argv, code.script, takes_arguments);
    return EXIT_OK;
}
