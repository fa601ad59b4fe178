/* --emit=STAGE: prints the program as it is at a stage.  One row per stage. */
#include "codegen/plan.h"
#include "codegen/stablehlo/stablehlo.h"
#include "driver/build.h"

#include <string.h>

/* Adds the text of the program to out; false: reported. */
typedef bool Emitter(const Options *o, Text *out);

EmitOptions emit_options(const Options *o, EmitKind kind) {
    int64_t cost = o->thread_cost ? o->thread_cost : choice_int(&o->pass, CH_THREAD_COST);
    EmitTarget target = !o->pass.device ? TARGET_CPU : !strcmp(o->target, "sim") ? TARGET_SIM : TARGET_CUDA;
    return (EmitOptions){.kind = kind,
                         .debug = o->debug,
                         .thread_cost = cost,
                         .target = target,
                         .ranks = o->pass.ranks,
                         .block = (int)choice_int(&o->pass, CH_GPU_BLOCK),
                         .schedule = choice_word(&o->pass, CH_SCHEDULE)};
}

static bool emit_tokens(const Options *o, Text *out) {
    int file = input_read(o);
    if (file >= 0) tokens_print(out, o->session, file);
    return file >= 0;
}

static bool emit_ast(const Options *o, Text *out) {
    int file = input_read(o);
    if (file >= 0) ast_print(out, parse_file(o->session, file), false);
    return file >= 0 && !diag_error_count(o->session);
}

static bool emit_typed(const Options *o, Text *out) {
    Program *p = frontend_load(o);
    if (p) program_print(out, p);
    return p != NULL;
}

static bool emit_module(const Options *o, Text *out, Stage stage) {
    Module *m = compile_to(o, stage);
    if (m) module_print(out, m);
    module_free(m);
    return m != NULL;
}
static bool emit_ir(const Options *o, Text *out) { return emit_module(o, out, STAGE_IR); }
static bool emit_par(const Options *o, Text *out) { return emit_module(o, out, STAGE_PAR); }
static bool emit_loops(const Options *o, Text *out) { return emit_module(o, out, STAGE_LOOPS); }

/* Derivatives as they are made, before anything is optimized again */
static bool emit_grad(const Options *o, Text *out) {
    Options own = *o;
    own.pass.derive_only = true;
    return emit_module(&own, out, STAGE_PAR);
}

static bool emit_plan(const Options *o, Text *out) {
    Module *m = compile_to(o, STAGE_LOOPS);
    if (!m) return false;
    EmitOptions how = emit_options(o, EMIT_PROGRAM);
    plan_print(out, m, &how);
    return module_free(m), true;
}

static bool emit_c_text(const Options *o, Text *out) {
    Module *m = compile_to(o, STAGE_LOOPS);
    if (!m) return false;
    EmitOptions how = emit_options(o, EMIT_PROGRAM);
    emit_c(out, m, &how);
    return module_free(m), true;
}

static bool emit_stablehlo_text(const Options *o, Text *out) {
    Options own = *o;
    own.pass.arrays = own.check.arrays = true;
    Module *m = compile_to(&own, STAGE_PAR);
    if (!m) return false;
    StablehloOptions how = {.sizes = o->sizes.data,
                            .nsizes = o->sizes.len,
                            .functions = o->functions.data,
                            .nfunctions = o->functions.len,
                            .unchecked = o->pass.unchecked,
                            .fast = o->pass.fp == FP_FAST};
    bool ok = emit_stablehlo(out, m, &how);
    return module_free(m), ok;
}

static const struct { const char *name; Emitter *emit; } emit_table[] = {
    {"tokens", emit_tokens}, {"ast", emit_ast}, {"typed", emit_typed},
    {"ir", emit_ir}, {"par", emit_par}, {"grad", emit_grad}, {"loops", emit_loops}, {"plan", emit_plan},
    {"c", emit_c_text}, {"llvm", emit_llvm_text}, {"ptx", emit_ptx_text},
    {"stablehlo", emit_stablehlo_text},
};
enum { EMIT_COUNT = sizeof emit_table / sizeof *emit_table };

static Emitter *emitter_find(const char *name) {
    for (int i = 0; i < EMIT_COUNT; i++)
        if (!strcmp(emit_table[i].name, name)) return emit_table[i].emit;
    return NULL;
}

static int unknown_stage(const Options *o) {
    const char *names[EMIT_COUNT];
    for (int i = 0; i < EMIT_COUNT; i++) names[i] = emit_table[i].name;
    Diag *d = diag_report(o->session, NO_SPAN, E_UNKNOWN_STAGE, o->emit);
    const char *near = spell_nearest(o->emit, names, EMIT_COUNT);
    if (near) diag_hint(o->session, d, "did you mean '%s'?", near);
    diagnostics_flush(o);
    return EXIT_USAGE;
}

int emit_stage(const Options *o) {
    Emitter *emit = emitter_find(o->emit);
    if (!emit) return unknown_stage(o);
    Text out;
    text_init(&out, session_arena(o->session));
    const char *to = o->output ? o->output : "-";
    if (emit(o, &out) && output_spares_sources(o, to)) output_write(o, to, text_str(&out), (size_t)out.len);
    return diagnostics_flush(o);
}
