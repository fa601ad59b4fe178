/* Function level: tensors with owners, library calls, checks, output. */
#include "codegen/llvm/private.h"
#include "runtime/dsl.h"

#include <string.h>

static LLVMValueRef bind_call(Gen *g, const Value *r, const char *name, int n, LLVMValueRef *args) {
    LLVMValueRef x = gen_call(g, name, type_of_value(g, r->type), n, args);
    gen_set(g, r, x);
    return x;
}

static LLVMValueRef dtype_of(Gen *g, const Type *t) { return const_i32(g, (int)t->dtype); }
static LLVMValueRef rank_of(Gen *g, const Type *t) { return const_i32(g, t->rank); }

void gen_bind_to(Gen *g, const Op *op, LLVMValueRef x) {
    gen_define_sym(g, op_sym(op, A_SYM), x);
    if (plan_is_size(op_opnd(op, 0))) return;
    LLVMValueRef bad = LLVMBuildICmp(g->b, LLVMIntUGT, x, const_i64(g, DSL_MAX_EXTENT), "");
    gen_fail_if(g, bad, "dsl_fail_size", ARGS(gen_site(g, op->span), x));
}

/* The size of a launch's shared memory is known before it begins. */
void gen_bind_op(Gen *g, Op *op) {
    if (!g->kernel || !gen_knows_sym(g, op_sym(op, A_SYM))) gen_bind_to(g, op, gen_opnd(g, op, 0));
}

/* ---- tensors */

void gen_empty(Gen *g, Op *op) {
    const Type *t = op->res[0].type;
    bind_call(g, &op->res[0], "dsl_new", ARGS(gen_site(g, op->span), dtype_of(g, t), rank_of(g, t), gen_dims(g, t)));
    gen_fresh(g, gen_value(g, &op->res[0]));
}

/* As it lies in memory */
static LLVMValueRef element_const(Gen *g, const Const *c) {
    LLVMTypeRef t = type_in_memory(g, c->dtype);
    if (c->dtype == DT_F16) return LLVMConstInt(t, dsl_f32_to_f16((float)c->f), false);
    if (c->dtype == DT_BF16) return LLVMConstInt(t, dsl_f32_to_bf16((float)c->f), false);
    return c->dtype == DT_BOOL ? LLVMConstInt(t, c->i != 0, false) : const_of(g, c);
}

void gen_table(Gen *g, Op *op) {
    const Attr *values = op_attr(op, A_VALUES);
    const Type *t = op->res[0].type;
    LLVMTypeRef elem = type_in_memory(g, t->dtype);
    LLVMValueRef *all = NEWN(g->arena, LLVMValueRef, values->n + 1);
    for (int i = 0; i < values->n; i++) all[i] = element_const(g, &values->consts[i]);
    LLVMValueRef table = gen_constant(g, "table", LLVMConstArray2(elem, all, (uint64_t)values->n));
    bind_call(g, &op->res[0], "dsl_new_table",
              ARGS(gen_site(g, op->span), dtype_of(g, t), rank_of(g, t), gen_dims(g, t), table));
}

void gen_retain(Gen *g, Op *op) { gen_call(g, "dsl_retain", g->ptr, ARGS(gen_opnd(g, op, 0))); }
void gen_release(Gen *g, Op *op) { gen_call(g, "dsl_release", g->nothing, ARGS(gen_opnd(g, op, 0))); }

static LLVMValueRef other_site(Gen *g, const Op *op) {
    Span at = op_place(op, A_OTHER);
    return at.file < 0 ? LLVMConstNull(g->ptr) : gen_site(g, at);
}

/* A retype may also give a size a name. */
void gen_view(Gen *g, Op *op) {
    const Type *t = op->res[0].type;
    const char *msg = op_sym(op, A_MSG);
    if (op_opnd(op, 0)->type->rank == t->rank) gen_define_syms(g, t, op_opnd(op, 0));
    LLVMValueRef x = gen_opnd(g, op, 0), site = gen_site(g, op->span);
    if (view_is_same(op)) gen_set(g, &op->res[0], x);
    else if (msg)
        bind_call(g, &op->res[0], "dsl_retype", ARGS(site, x, gen_dims(g, t), const_text(g, msg), other_site(g, op)));
    else
        bind_call(g, &op->res[0], gen_on_gpu(g, op) ? gen_on_gpu(g, op) : "dsl_reshape",
                  ARGS(site, x, rank_of(g, t), gen_dims(g, t)));
}

void gen_extract(Gen *g, Op *op) {
    const Type *t = op_opnd(op, 0)->type;
    LLVMTypeRef elem = type_in_memory(g, t->dtype);
    gen_check_index(g, op, 1);
    LLVMValueRef array = gen_opnd(g, op, 0), at = gen_index(g, t, op->opnds + 1),
                 data = gen_array_field(g, array, ARRAY_DATA, g->ptr);
    LLVMValueRef p = LLVMBuildInBoundsGEP2(g->b, elem, data, &at, 1, "");
    gen_set(g, &op->res[0], gen_from_memory(g, t->dtype, gen_element(g, data, t->dtype, p)));
}

/* ---- linear algebra */

void gen_blas(Gen *g, Op *op) {
    const BlasRow *row = blas_row(op);
    LLVMValueRef args[9] = {gen_site(g, op->span)}, to[2];
    int n = 1, flag[3], nflags = blas_flags(op, flag);
    for (int i = 0; i < row->opnds; i++) args[n++] = gen_opnd(g, op, i);
    for (int i = 0; i < nflags; i++) args[n++] = const_i32(g, flag[i]);
    if (blas_word(op)) args[n++] = const_text(g, blas_word(op));
    if (row->arrays == 2) {
        for (int i = 0; i < 2; i++) args[n++] = to[i] = gen_stack(g, g->ptr);
        gen_call(g, row->fn, g->nothing, n, args);
        for (int i = 0; i < 2; i++) gen_set(g, &op->res[i], LLVMBuildLoad2(g->b, g->ptr, to[i], ""));
        return;
    }
    LLVMTypeRef t = type_of_value(g, op->res[0].type);
    LLVMValueRef r = gen_call(g, row->fn, row->arrays ? g->ptr : g->f64, n, args);
    gen_set(g, &op->res[0], row->arrays ? r : LLVMBuildFPCast(g->b, r, t, ""));
}

/* ---- output */

static void print_value(Gen *g, const Value *v) {
    LLVMValueRef x = gen_value(g, v);
    const DTypeInfo *info = dtype_info(v->type->dtype);
    if (!type_is_tensor(v->type) && dtype_is_int(v->type->dtype))
        x = LLVMBuildIntCast2(g->b, x, g->i64, info->kind == DK_INT, "");
    gen_call(g, arena_printf(g->arena, "dsl_print_%s", print_function(v->type)), g->nothing, 1, &x);
}

static void print_spec(Gen *g, const FormatPart *p) {
    FormatSpec spec;
    spec_read(p->text, p->len, &spec);
    gen_call(g, "dsl_print_letters", g->nothing,
             ARGS(const_i32(g, spec.align), const_i32(g, spec.sign), const_i32(g, spec.zero), const_i32(g, spec.type),
                  const_i32(g, spec.width), const_i32(g, spec.digits)));
}

/* Gathers a statement's text, of the operands from k on. */
static void gather(Gen *g, const Op *op, int k) {
    const char *at = op_sym(op, A_FORMAT);
    for (FormatPart p; at && template_next(&at, &p);) {
        if (!p.is_place)
            gen_call(g, "dsl_print_str", g->nothing,
                     ARGS(const_text(g, arena_printf(g->arena, "%.*s", p.len, p.text))));
        else if (p.len) print_spec(g, &p);
        if (p.is_place) print_value(g, op_opnd(op, k++));
    }
    for (; k < op->nopnds; k++) {
        if (k) gen_call(g, "dsl_print_sep", g->nothing, 0, NULL);
        print_value(g, op_opnd(op, k));
    }
}

void gen_print(Gen *g, Op *op) {
    gather(g, op, 0);
    gen_call(g, "dsl_print_end", g->nothing, ARGS(gen_site(g, op->span)));
}

void gen_format(Gen *g, Op *op) {
    gather(g, op, 0);
    bind_call(g, &op->res[0], "dsl_print_text", ARGS(gen_site(g, op->span)));
}

/* ---- checks */

/* A dsl_arg: its dtype, and its value in 8 bytes */
static void put_arg(Gen *g, LLVMValueRef p, DType t, LLVMValueRef x) {
    LLVMBuildStore(g->b, const_i32(g, (int)t), p);
    if (dtype_is_float(t)) x = LLVMBuildFPCast(g->b, x, g->f64, "");
    else if (t != DT_STR) x = LLVMBuildIntCast2(g->b, x, g->i64, dtype_info(t)->kind == DK_INT, "");
    LLVMBuildStore(g->b, x, gen_offset(g, p, 8));
}

static LLVMValueRef check_args(Gen *g, const Op *op, LLVMValueRef site) {
    if (op->nopnds < 2) return LLVMConstNull(g->ptr);
    bool formatted = check_is_formatted(op);
    int n = formatted ? 1 : op->nopnds - 1;
    LLVMValueRef args = gen_stack(g, LLVMArrayType2(g->i64, (uint64_t)(2 * n)));
    if (formatted) put_arg(g, args, DT_STR, gen_call(g, "dsl_print_text", g->ptr, 1, &site));
    for (int i = 0; i < n && !formatted; i++)
        put_arg(g, gen_offset(g, args, 16 * i), op_opnd(op, i + 1)->type->dtype, gen_opnd(g, op, i + 1));
    return args;
}

/* Its message is made when it is needed. */
void gen_check_failure(Gen *g, Op *op) {
    const char *code = op_sym(op, A_CODE), *msg = op_sym(op, A_MSG);
    if (check_is_formatted(op)) gather(g, op, 1);
    LLVMValueRef site = gen_site(g, op->span), args = check_args(g, op, site);
    int n = check_is_formatted(op) ? 1 : op->nopnds - 1;
    gen_call(g, "dsl_fail_args", g->nothing,
             ARGS(site, const_text(g, code ? code : "E0600"), const_text(g, msg ? msg : ""), const_i32(g, n), args));
    LLVMBuildUnreachable(g->b);
}

void gen_check(Gen *g, Op *op) {
    LLVMBasicBlockRef fail = gen_block(g, "fail"), on = gen_block(g, "on");
    LLVMBuildCondBr(g->b, gen_opnd(g, op, 0), on, fail);
    gen_at(g, fail);
    gen_kernel_fails(g);
    if (g->on_device) gen_device_check(g, op);
    else gen_check_failure(g, op);
    gen_at(g, on);
}

/* ---- what comes from outside: sizes are learnt from it, or checked against it */

static bool has_known_dim(const Gen *g, const Type *t) {
    for (int i = 0; i < t->rank; i++) {
        const char *sym = size_as_sym(t->dims[i]);
        if (!sym || gen_knows_sym(g, sym)) return true;
    }
    return false;
}

static void adopt_tensor(Gen *g, const Op *op, LLVMValueRef x, const char *what) {
    const Value *r = &op->res[0];
    bool known = has_known_dim(g, r->type);
    gen_set(g, r, x);
    gen_define_syms(g, r->type, r);
    if (known)
        bind_call(g, r, "dsl_retype",
                  ARGS(gen_site(g, op->span), x, gen_dims(g, r->type), const_text(g, what), LLVMConstNull(g->ptr)));
}

void gen_loadfile(Gen *g, Op *op) {
    const Type *t = op->res[0].type;
    LLVMValueRef part = op->nopnds > 1 ? gen_opnd(g, op, 1) : const_text(g, "");
    adopt_tensor(g, op,
                 gen_call(g, "dsl_load", g->ptr,
                          ARGS(gen_site(g, op->span), gen_opnd(g, op, 0), part, dtype_of(g, t), rank_of(g, t))),
                 "load");
}

void gen_extern(Gen *g, Op *op) {
    const Func *f = module_find(g->module, op_sym(op, A_FUNC));
    LLVMValueRef *args = NEWN(g->arena, LLVMValueRef, op->nopnds + 1), site = gen_site(g, op->span);
    for (int i = 0; i < op->nopnds; i++) args[i] = gen_opnd(g, op, i);
    bool watched = extern_is_watched(g->session, op, g->opts->emit.kind);
    if (watched) gen_call(g, "dsl_calls", g->nothing, ARGS(site, const_text(g, func_c_name(f))));
    else gen_call(g, "dsl_set_site", g->nothing, 1, &site);
    LLVMTypeRef result = op->nres ? type_of_value(g, op->res[0].type) : g->nothing;
    const char *there = gen_on_gpu(g, op);
    LLVMValueRef x = gen_call(g, there ? there : func_c_name(f), result, op->nopnds, args);
    for (int i = 0; i < op->nopnds; i++)
        if (!type_is_tensor(op_opnd(op, i)->type)) gen_extend(g, x, i, op_opnd(op, i)->type->dtype);
    if (watched) gen_call(g, "dsl_called", g->nothing, 0, NULL);
    if (!op->nres) return;
    const Type *t = op->res[0].type;
    if (!type_is_tensor(t)) gen_set(g, &op->res[0], x);
    else
        adopt_tensor(g, op, gen_call(g, "dsl_extern_result", g->ptr, ARGS(site, x, dtype_of(g, t), rank_of(g, t))),
                     func_c_name(f));
}
