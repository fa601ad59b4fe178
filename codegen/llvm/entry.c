/* What the driver asks a module for by name: a program's top level, its tests or benches, a cell. */
#include "codegen/llvm/private.h"
#include "runtime/gen.h"

/* ---- cells: void dsl_cell(const dsl_value *args, dsl_value *results) */

static LLVMValueRef slot(Gen *g, LLVMValueRef values, int i) {
    return gen_offset(g, values, (int64_t)sizeof(dsl_value) * i);
}

static void call_script(Gen *g, const Func *script, LLVMValueRef in, LLVMValueRef out) {
    int n = script->body->nargs;
    LLVMValueRef *args = NEWN(g->arena, LLVMValueRef, n + 1), fn = gen_func(g, script);
    for (int i = 0; i < n; i++) {
        args[i] = gen_from_slot(g, script->body->args[i]->type, slot(g, in, i));
        if (type_is_tensor(script->body->args[i]->type)) gen_given(g, args[i]);
    }
    LLVMValueRef r = LLVMBuildCall2(g->b, LLVMGlobalGetValueType(fn), fn, args, (unsigned)n, "");
    for (int i = 0; i < script->nres; i++) {
        LLVMValueRef value = script->nres == 1 ? r : LLVMBuildExtractValue(g->b, r, (unsigned)i, "");
        if (type_is_tensor(script->res_types[i])) gen_home_of(g, value, false);
        gen_to_slot(g, value, slot(g, out, i));
    }
}

static void gen_cell(Gen *g, const Func *script) {
    LLVMTypeRef params[] = {g->ptr, g->ptr};
    LLVMValueRef fn = LLVMAddFunction(g->out, llvm_entry(EMIT_CELL), LLVMFunctionType(g->nothing, params, 2, false));
    Fn *f = gen_fn_begin(g, fn, NULL);
    call_script(g, script, LLVMGetParam(fn, 0), LLVMGetParam(fn, 1));
    LLVMBuildRetVoid(g->b);
    gen_fn_end(g, f);
}

/* ---- tests and benches: a table of dsl_case */

static void gen_cases(Gen *g, EmitKind kind, const FuncVec *funcs) {
    LLVMTypeRef fields[] = {g->ptr, g->ptr}, row = LLVMStructTypeInContext(g->ctx, fields, 2, false);
    LLVMValueRef *rows = NEWN(g->arena, LLVMValueRef, funcs->len + 1);
    unsigned n = 0;
    for (int i = 0; i < g->module->funcs.len; i++) {
        const Func *f = g->module->funcs.data[i];
        if (f->kind != program_root_kind(kind)) continue;
        LLVMValueRef of_case[] = {const_text(g, f->title ? f->title : f->name), gen_func(g, f)};
        rows[n++] = LLVMConstStructInContext(g->ctx, of_case, 2, false);
    }
    rows[n++] = LLVMConstNull(row);
    LLVMSetLinkage(gen_constant(g, llvm_entry(kind), LLVMConstArray2(row, rows, n)), LLVMExternalLinkage);
}

const char *llvm_entry(EmitKind kind) {
    return kind == EMIT_CELL ? "dsl_cell" : kind == EMIT_PROGRAM ? "dsl_script" : "dsl_cases";
}

void gen_entry(Gen *g, const FuncVec *funcs) {
    EmitKind kind = g->opts->emit.kind;
    const Func *script = program_script(funcs);
    if (kind == EMIT_CELL && script) gen_cell(g, script);
    else if (kind == EMIT_TESTS || kind == EMIT_BENCHES) gen_cases(g, kind, funcs);
}
