/* Places in the source, for debuggers: of each function of LLVM that is written, and of what its operations become.
 * Kernels of a GPU have none. */
#include "codegen/llvm/private.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

struct Debug {
    LLVMDIBuilderRef b;
    LLVMMetadataRef *files; /* by number; NULL: not yet */
    int nfiles;
};

static LLVMMetadataRef file_of(Gen *g, int number) {
    Debug *d = g->debug;
    if (d->files[number]) return d->files[number];
    const char *path = source_path(g->session, number);
    char *whole = realpath(path, NULL);
    const char *name = whole ? whole : path, *last = strrchr(name, '/');
    size_t folder = last ? (size_t)(last - name) : 0;
    const char *base = last ? last + 1 : name;
    d->files[number] = LLVMDIBuilderCreateFile(d->b, base, strlen(base), name, folder);
    free(whole);
    return d->files[number];
}

static void begin_unit(Gen *g) {
    static const char made[] = "dslc", none[] = "";
    LLVMDIBuilderCreateCompileUnit(g->debug->b, LLVMDWARFSourceLanguageC99, file_of(g, 0), made, sizeof made - 1,
                                   g->opts->level > 0, none, 0, 0, none, 0, LLVMDWARFEmissionFull, 0, false, false,
                                   none, 0, none, 0);
}

static void flag(Gen *g, const char *name, unsigned value) {
    LLVMAddModuleFlag(g->out, LLVMModuleFlagBehaviorWarning, name, strlen(name),
                      LLVMValueAsMetadata(const_i32(g, (int)value)));
}

void gen_debug_begin(Gen *g) {
    if (!g->opts->emit.debug || g->opts->emit.target == TARGET_CUDA || !source_count(g->session)) return;
    g->debug = NEW(g->arena, Debug);
    g->debug->b = LLVMCreateDIBuilder(g->out);
    g->debug->nfiles = source_count(g->session);
    g->debug->files = NEWN(g->arena, LLVMMetadataRef, g->debug->nfiles);
    flag(g, "Debug Info Version", LLVMDebugMetadataVersion());
    flag(g, "Dwarf Version", 4);
    begin_unit(g);
}

void gen_debug_end(Gen *g) {
    if (!g->debug) return;
    LLVMDIBuilderFinalize(g->debug->b);
    LLVMDisposeDIBuilder(g->debug->b);
}

static void put_location(Gen *g, LLVMMetadataRef at) { LLVMSetCurrentDebugLocation2(g->b, at); }

void gen_debug_function(Gen *g, Fn *f) {
    const Func *func = g->plan ? g->plan->func : NULL;
    Span at = func ? func->span : NO_SPAN;
    size_t n;
    if (!g->debug) return;
    const char *linked = LLVMGetValueName2(f->fn, &n), *name = func ? func->name : linked;
    int number = at.file >= 0 && at.file < g->debug->nfiles ? at.file : 0;
    unsigned line = at.file >= 0 ? (unsigned)source_place(g->session, at.file, at.lo).line : 1;
    LLVMMetadataRef file = file_of(g, number), none = NULL,
                    type = LLVMDIBuilderCreateSubroutineType(g->debug->b, file, &none, 1, LLVMDIFlagZero);
    f->scope = LLVMDIBuilderCreateFunction(g->debug->b, file, name, strlen(name), linked, n, file, line, type, true,
                                           true, line, LLVMDIFlagZero, g->opts->level > 0);
    LLVMSetSubprogram(f->fn, f->scope);
    f->at = LLVMDIBuilderCreateDebugLocation(g->ctx, line, 0, f->scope, NULL);
    put_location(g, f->at);
}

/* What a library's function became part of has the place of what stands around it. */
void gen_debug_place(Gen *g, Span at) {
    if (!g->debug || at.file < 0 || at.file >= g->debug->nfiles || source_is_library(g->session, at)) return;
    Place p = source_place(g->session, at.file, at.lo);
    LLVMMetadataRef scope = g->fn->scope;
    if (LLVMDIScopeGetFile(scope) != file_of(g, at.file))
        scope = LLVMDIBuilderCreateLexicalBlockFile(g->debug->b, scope, file_of(g, at.file), 0);
    g->fn->at = LLVMDIBuilderCreateDebugLocation(g->ctx, (unsigned)p.line, (unsigned)p.col, scope, NULL);
    put_location(g, g->fn->at);
}

void gen_debug_back(Gen *g) {
    if (g->debug) put_location(g, g->fn ? g->fn->at : NULL);
}
