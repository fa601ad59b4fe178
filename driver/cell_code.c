/* The code of a cell: by LLVM in this process's memory, or by a C compiler as a library that is loaded. */
#include "driver/build.h"
#include "runtime/gpu.h"

#include <dlfcn.h>

/* ---- by LLVM */

static bool by_llvm(const Options *o) {
    return o->jit == JIT_AUTO ? plugin_path(o->session) != NULL : o->jit != JIT_NO;
}

static CellCode cell_in_memory(const Options *o, const Module *m) {
    CellCode code = {.is_new = true, .status = EXIT_DIAGNOSED};
    const LlvmPlugin *p = plugin_load(o);
    if (!p || !link_load(o)) return diagnostics_flush(o), code;
    LlvmOptions how = llvm_options(o, EMIT_CELL);
    LlvmCode made = p->compile(o->session, m, &how);
    *(void **)&code.run = made.entry;
    code.plugin = p, code.tiers = made.tiers;
    if (made.ptx) dsl_gpu_load_later(made.ptx);
    if (code.run) return code;
    diag_report(o->session, NO_SPAN, E_CANNOT_RUN, "the cell", made.failure);
    return diagnostics_flush(o), code;
}

/* ---- by a C compiler */

static void name_files(void *lib, const EmitFiles *files) {
    char (*names)[EMIT_FILE_BYTES] = files->len ? dlsym(lib, "dsl_file") : NULL;
    for (int i = 0; names && i < files->len; i++) snprintf(names[i], EMIT_FILE_BYTES, "%s", files->data[i]);
}

static CellCode cell_in_library(const Options *o, const Module *m) {
    EmitFiles files = {0};
    Executable x = library_get(o, m, &files);
    CellCode code = {.is_new = x.is_new, .status = x.status};
    if (!x.path) return diagnostics_flush(o), code;
    void *lib = dlopen(x.path, RTLD_NOW | RTLD_LOCAL);
    executable_drop(&x);
    if (lib) *(void **)&code.run = dlsym(lib, "dsl_cell");
    if (code.run) return name_files(lib, &files), code;
    diag_report(o->session, NO_SPAN, E_CANNOT_RUN, "the cell", dlerror());
    return diagnostics_flush(o), code;
}

int cell_code_begin(Options *o) {
    bool asked = o->jit != JIT_AUTO && o->jit != JIT_NO;
    return asked && !plugin_load(o) ? diagnostics_flush(o) : gpu_choose(o);
}

bool cell_code_possible(const Options *o) { return by_llvm(o) || cc_is_there(o); }
bool cell_code_is_quick(const Options *o) { return by_llvm(o); }

void cell_code_prepare(const Options *o) {
    if (by_llvm(o)) plugin_prepare(o->session);
}

void cell_code_end(const CellCode *c) {
    if (c->tiers) c->plugin->settle(c->tiers);
}

CellCode cell_code(const Options *o, const Module *m) {
    return by_llvm(o) ? cell_in_memory(o, m) : cell_in_library(o, m);
}
