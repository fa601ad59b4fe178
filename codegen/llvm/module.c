/* A whole module of LLVM: functions, places for messages. */
#include "analysis/clock.h"
#include "codegen/llvm/private.h"
#include "runtime/dsl.h"

/* ---- functions */

static LLVMTypeRef result_type(Gen *g, const Func *f) {
    LLVMTypeRef *types = NEWN(g->arena, LLVMTypeRef, f->nres + 1);
    for (int i = 0; i < f->nres; i++) types[i] = type_of_value(g, f->res_types[i]);
    return f->nres == 0   ? g->nothing
           : f->nres == 1 ? types[0]
                          : LLVMStructTypeInContext(g->ctx, types, (unsigned)f->nres, false);
}

/* A call of a small function costs little beside what it computes; LLVM decides. */
static LLVMValueRef declare(Gen *g, const Func *f) {
    int n = f->body->nargs;
    LLVMTypeRef *types = NEWN(g->arena, LLVMTypeRef, n + 1);
    for (int i = 0; i < n; i++) types[i] = type_of_value(g, f->body->args[i]->type);
    const char *name = f->kind == FUNC_MAIN ? llvm_entry(EMIT_PROGRAM) : arena_printf(g->arena, "f.%s", f->name);
    LLVMValueRef fn = LLVMAddFunction(g->out, name, LLVMFunctionType(result_type(g, f), types, (unsigned)n, false));
    if (f->kind != FUNC_MAIN || g->opts->emit.kind != EMIT_PROGRAM) LLVMSetLinkage(fn, LLVMInternalLinkage);
    if (f->kind != FUNC_MAIN) gen_unit(g, fn);
    map_put(g->arena, &g->funcs, f, fn);
    if (g->on_device) vec_push(g->arena, &g->wanted, (Func *)(uintptr_t)f);
    return fn;
}

LLVMValueRef gen_func(Gen *g, const Func *f) {
    LLVMValueRef fn = map_get(&g->funcs, f);
    return fn ? fn : declare(g, f);
}

Fn *gen_fn_begin(Gen *g, LLVMValueRef fn, Fn *outer) {
    Fn *f = NEW(g->arena, Fn);
    f->outer = outer;
    f->fn = fn;
    f->values = NEWN(g->arena, LLVMValueRef, g->plan->nvalues + 1);
    f->entry = LLVMAppendBasicBlockInContext(g->ctx, fn, "entry");
    f->resume = outer ? LLVMGetInsertBlock(g->b) : NULL;
    g->fn = f;
    gen_at(g, f->body = gen_block(g, "start"));
    gen_debug_function(g, f);
    return f;
}

void gen_fn_end(Gen *g, Fn *f) {
    LLVMPositionBuilderAtEnd(g->entry, f->entry);
    LLVMBuildBr(g->entry, f->body);
    g->fn = f->outer;
    if (f->resume) gen_at(g, f->resume);
    gen_debug_back(g);
}

static void gen_return(Gen *g, const Op *op) {
    LLVMValueRef *x = NEWN(g->arena, LLVMValueRef, op->nopnds + 1);
    for (int i = 0; i < op->nopnds; i++) x[i] = gen_opnd(g, op, i);
    if (op->nopnds == 0) LLVMBuildRetVoid(g->b);
    else if (op->nopnds == 1) LLVMBuildRet(g->b, x[0]);
    else LLVMBuildAggregateRet(g->b, x, (unsigned)op->nopnds);
}

/* An instruction of which nobody knows what it does (analysis/clock.h) */
static void gen_opaque(Gen *g) {
    LLVMTypeRef fn = LLVMFunctionType(g->nothing, NULL, 0, false);
    LLVMValueRef code = LLVMGetInlineAsm(fn, "", 0, "", 0, true, false, LLVMInlineAsmDialectATT, false);
    LLVMBuildCall2(g->b, fn, code, NULL, 0, "");
}

void gen_function(Gen *g, Func *f) {
    LLVMValueRef fn = gen_func(g, f);
    g->plan = plan_function(g->arena, f, &g->opts->emit);
    g->scopes = NEWN(g->arena, LLVMValueRef, g->plan->nvalues + 1);
    g->others = NEWN(g->arena, LLVMValueRef, g->plan->nvalues + 1);
    g->checked.len = 0;
    Fn *made = gen_fn_begin(g, fn, NULL);
    for (int i = 0; i < f->body->nargs; i++) gen_set(g, f->body->args[i], LLVMGetParam(fn, (unsigned)i));
    for (int i = 0; i < f->body->nargs; i++)
        if (type_is_tensor(f->body->args[i]->type)) gen_define_syms(g, f->body->args[i]->type, f->body->args[i]);
    if (clock_may_part(f)) gen_opaque(g);
    gen_region(g, f->body);
    if (f->kind == FUNC_MAIN) gen_look(g);
    gen_return(g, f->body->last);
    gen_fn_end(g, made);
}

/* ---- places */

static LLVMTypeRef site_type(Gen *g) {
    LLVMTypeRef fields[] = {g->ptr, g->i32, g->i32, g->i32, g->ptr, g->ptr, g->ptr};
    return LLVMStructTypeInContext(g->ctx, fields, 7, false);
}

static LLVMValueRef site_constant(Gen *g, int number, LLVMValueRef table) {
    SiteRow r = site_row(&g->sites, number);
    LLVMValueRef at = const_i64(g, (int64_t)sizeof(dsl_site) * r.caller);
    LLVMValueRef caller = r.caller < 0 ? LLVMConstNull(g->ptr) : LLVMConstGEP2(g->i8, table, &at, 1);
    LLVMValueRef fields[] = {const_text(g, r.path),  const_i32(g, r.line), const_i32(g, r.col), const_i32(g, r.width),
                             const_text(g, r.text), caller,                const_text(g, r.how)};
    return LLVMConstStructInContext(g->ctx, fields, 7, false);
}

/* In place of what stood for the table */
static void put_sites(Gen *g) {
    int n = g->sites.spans.len;
    LLVMTypeRef row = site_type(g);
    LLVMValueRef *rows = NEWN(g->arena, LLVMValueRef, n + 1),
                 table = LLVMAddGlobal(g->out, LLVMArrayType2(row, (uint64_t)n), "sites");
    for (int i = 0; i < n; i++) rows[i] = site_constant(g, i, table);
    LLVMSetInitializer(table, LLVMConstArray2(row, rows, (uint64_t)n));
    LLVMSetLinkage(table, LLVMInternalLinkage);
    LLVMSetGlobalConstant(table, true);
    LLVMReplaceAllUsesWith(g->site_table, table);
    LLVMDeleteGlobal(g->site_table);
    g->site_table = table;
}

/* ---- the module */

static void set_types(Gen *g) {
    LLVMContextRef c = g->ctx;
    g->i1 = LLVMInt1TypeInContext(c), g->i8 = LLVMInt8TypeInContext(c), g->i16 = LLVMInt16TypeInContext(c);
    g->i32 = LLVMInt32TypeInContext(c), g->i64 = LLVMInt64TypeInContext(c);
    g->f32 = LLVMFloatTypeInContext(c), g->f64 = LLVMDoubleTypeInContext(c);
    g->ptr = LLVMPointerTypeInContext(c, 0), g->nothing = LLVMVoidTypeInContext(c);
}

static void set_target(LLVMModuleRef m, LLVMTargetMachineRef machine) {
    char *triple = LLVMGetTargetMachineTriple(machine);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    LLVMSetTarget(m, triple);
    LLVMSetModuleDataLayout(m, layout);
    LLVMDisposeTargetData(layout);
    LLVMDisposeMessage(triple);
}

LLVMModuleRef llvm_module(Session *s, const Module *m, const LlvmOptions *o, LLVMContextRef ctx,
                          LLVMTargetMachineRef machine, Device *device) {
    Arena *a = arena_new();
    Gen g = {.session = s,
             .arena = a,
             .module = m,
             .opts = o,
             .ctx = ctx,
             .sites = {.session = s, .arena = a},
             .device = device};
    g.out = LLVMModuleCreateWithNameInContext("program", ctx);
    g.b = LLVMCreateBuilderInContext(ctx), g.entry = LLVMCreateBuilderInContext(ctx);
    set_types(&g);
    set_target(g.out, machine);
    if (device) {
        g.other.out = LLVMModuleCreateWithNameInContext("kernels", ctx);
        set_target(g.other.out, device->machine);
    }
    g.site_table = LLVMAddGlobal(g.out, g.i8, "sites");
    gen_debug_begin(&g);
    if (o->tier == TIER_FIRST) g.slots = LLVMAddGlobal(g.out, g.i8, "slots");
    FuncVec funcs = program_functions(a, m, o->emit.kind);
    for (int i = 0; i < funcs.len; i++)
        if (funcs.data[i]->kind != FUNC_EXTERN) gen_function(&g, funcs.data[i]);
    gen_entry(&g, &funcs);
    if (device) gen_device_functions(&g);
    put_sites(&g);
    gen_slots(&g);
    gen_device_tables(&g);
    if (device) device->module = gen_device_finish(&g, &device->missing);
    gen_keep_variants(&g);
    gen_debug_end(&g);
    LLVMModuleRef out = g.out;
    LLVMDisposeBuilder(g.b), LLVMDisposeBuilder(g.entry);
    ranges_free(g.ranges);
    arena_free(a);
    return out;
}
