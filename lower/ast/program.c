/* Functions and the whole program. */
#include "lower/ast/private.h"

#include <string.h>

Fn fn_start(Lower *l, Func *func) {
    return (Fn){.l = l, .session = l->session, .arena = l->arena, .visible = NEW(l->arena, SymVec),
                .b = builder_at_end(l->module, func->body, func->span)};
}

typedef struct { Map bare; Fn *f; bool unknown; } BareSizes;

static BareSizes bare_sizes(Fn *f, const Inst *inst) {
    BareSizes b = {.f = f};
    for (int i = 0; i < inst->params.len; i++) {
        const FType *type = inst->params.data[i]->type;
        const Type **types = leaf_types(f, type);
        for (int k = 0; k < leaf_count(type); k++)
            for (int a = 0; a < types[k]->rank; a++) {
                const char *sym = size_as_sym(types[k]->dims[a]);
                if (sym) map_put(f->arena, &b.bare, sym, f);
            }
    }
    return b;
}

static void look_for_unknown(void *ctx, const char *sym) {
    BareSizes *b = ctx;
    if (!map_has(&b->bare, sym)) b->unknown = true;
}

/* The k of x: f64[k + 1] is an int parameter that is no size yet: the axis has a name of its own at first. */
static const Type *first_type(BareSizes *b, const Type *t, const char *name) {
    const Size *dims[MAX_RANK];
    bool changed = false;
    for (int i = 0; i < t->rank; i++) {
        b->unknown = false;
        size_each_sym(t->dims[i], look_for_unknown, b);
        dims[i] = b->unknown ? size_sym(b->f->session, module_fresh_sym(b->f->l->module, name)) : t->dims[i];
        changed |= b->unknown;
    }
    return changed ? type_tensor(b->f->session, t->dtype, t->rank, dims) : t;
}

Value *fn_add_leaf(Fn *f, const Inst *inst, Func *func, const Type *t, const char *name) {
    BareSizes bare = bare_sizes(f, inst);
    return region_add_arg(func->body, first_type(&bare, t, name), name);
}

/* Parameters become region arguments; the sizes that their types name are known from here on. */
void fn_add_params(Fn *f, const Inst *inst, Func *func) {
    BareSizes bare = bare_sizes(f, inst);
    for (int i = 0; i < inst->params.len; i++) {
        Var *p = inst->params.data[i];
        const Type **types = leaf_types(f, p->type);
        Vals v = vals_new(f, leaf_count(p->type));
        for (int k = 0; k < v.n; k++) v.v[k] = region_add_arg(func->body, first_type(&bare, types[k], p->name), NULL);
        vals_hint(f, v, p->type, p->name);
        const char *sym = p->sym;
        p->sym = NULL; /* ints are bound below, once all sizes are known */
        var_define(f, p, v);
        p->sym = sym;
    }
}

/* The parameter that has an axis of the size sym */
static const Var *sized_by(Fn *f, const Inst *inst, const char *sym) {
    for (int i = 0; i < inst->params.len; i++) {
        const FType *t = inst->params.data[i]->type;
        const Type **types = leaf_types(f, t);
        for (int k = 0; k < leaf_count(t); k++)
            for (int a = 0; a < types[k]->rank; a++)
                if (size_as_sym(types[k]->dims[a]) == sym) return inst->params.data[i];
    }
    return NULL;
}

/* An int parameter that sizes mention: it defines the symbol, or must equal it when an array already does */
static void bind_param(Fn *f, const Inst *inst, const Var *p) {
    Value *v = env_get(f, p)->v[0];
    if (!map_has(&f->bound, p->sym)) {
        fn_define_sym(f, p->sym, v);
        return;
    }
    Value *opnds[3] = {NULL, v, build_size(&f->b, size_sym(f->session, p->sym))};
    opnds[0] = build_binary(&f->b, OP_EQ, opnds[1], opnds[2]);
    Op *op = build_op(&f->b, OP_CHECK, 3, opnds, 0, NULL, 0);
    op_set_sym(op, A_CODE, "E0606");
    const Var *array = sized_by(f, inst, p->sym);
    op_set_sym(
        op, A_MSG,
        array ? intern_printf(f->session, "sizes do not match: '%s' is {}, but '%s' has size {}", p->name, array->name)
              : "sizes do not match: {} and {}");
}

static void bind_size(void *ctx, const char *sym) { fn_bind_sym(ctx, sym); }

/* Int parameters that sizes mention; those that the result's type mentions are sizes from the start. */
void fn_bind_params(Fn *f, const Inst *inst, const Func *func) {
    for (int i = 0; i < inst->params.len; i++)
        if (inst->params.data[i]->sym) bind_param(f, inst, inst->params.data[i]);
    for (int i = 0; i < func->nres; i++)
        for (int k = 0; k < func->res_types[i]->rank; k++) size_each_sym(func->res_types[i]->dims[k], bind_size, f);
    for (int i = 0; i < inst->params.len; i++) {
        const Var *p = inst->params.data[i];
        Vals v = *env_get(f, p);
        const Type **types = leaf_types(f, p->type);
        for (int k = 0; k < v.n; k++) v.v[k] = lower_retype(f, v.v[k], types[k], !func->is_export);
    }
}

/* The function itself, without a body: calls may come before it */
static Func *declare(Lower *l, const Inst *inst, FuncKind kind, const char *name) {
    Span at = inst->decl ? inst->decl->name_span : inst->lambda->span;
    Func *func = func_new(l->module, name, kind, at);
    Fn f = fn_start(l, func);
    func->recursive = inst->recursive;
    func->is_export = inst->decl && inst->decl->is_export;
    func->nres = inst->ret ? leaf_count(inst->ret) : 0;
    func->res_types = inst->ret ? leaf_types(&f, inst->ret) : NULL;
    return func;
}

static void end_function(Fn *f, const Func *func) {
    int nres = func->nres;
    if (nres && !f->returned.n) {
        const Type **types = leaf_types(f, f->ret);
        f->returned = vals_new(f, nres);
        for (int i = 0; i < nres; i++) f->returned.v[i] = zero_of(f, types[i]);
    }
    Value **out = NEWN(f->arena, Value *, nres + 1);
    /* sizes that only the function knows get the names that its result type has for them */
    for (int i = 0; i < nres; i++) out[i] = lower_retype(f, f->returned.v[i], func->res_types[i], true);
    build_return(&f->b, nres, out);
}

static void lower_inst(Lower *l, const Inst *inst, Func *func) {
    Fn f = fn_start(l, func);
    f.ret = func->nres ? inst->ret : NULL;
    fn_add_params(&f, inst, func);
    if (func->kind == FUNC_EXTERN) return;
    fn_bind_params(&f, inst, func);
    lower_body(&f, inst->body, inst->expr_body);
    end_function(&f, func);
}

static Vals value_of(Fn *f, const Var *v) {
    return v->kind == VAR_SIZE ? vals_one(f, fn_size_value(f, v->size)) : *env_get(f, v);
}

/* The variables that a cell leaves to its session */
static void return_kept(Fn *f, Func *func) {
    const Program *p = f->l->program;
    for (int i = 0; i < p->kept.len; i++) func->nres += leaf_count(p->kept.data[i]->type);
    f->returned = vals_new(f, func->nres);
    func->res_types = NEWN(f->arena, const Type *, func->nres + 1);
    for (int i = 0, n = 0; i < p->kept.len; i++) {
        Vals v = value_of(f, p->kept.data[i]);
        for (int k = 0; k < v.n; k++, n++) {
            f->returned.v[n] = v.v[k];
            func->res_types[n] = v.v[k]->type;
        }
    }
}

static void lower_main(Lower *l) {
    Func *func = func_new(l->module, "main", FUNC_MAIN, NO_SPAN);
    Fn f = fn_start(l, func);
    Inst given = {0};
    for (int i = 0; i < l->program->given.len; i++) vec_push(l->arena, &given.params, l->program->given.data[i]);
    fn_add_params(&f, &given, func);
    fn_bind_params(&f, &given, func);
    lower_args_begin(&f);
    Block body = {.stmts = l->program->main, .span = NO_SPAN};
    lower_body(&f, &body, NULL);
    return_kept(&f, func);
    end_function(&f, func);
}

static FuncKind kind_of(const Inst *inst) { return inst->decl && inst->decl->is_extern ? FUNC_EXTERN : FUNC_FN; }

static bool is_kernel(const Inst *inst) { return inst->decl && inst->decl->kind == DECL_KERNEL; }

static Func *declare_test(Lower *l, const Inst *inst, int i) {
    bool bench = inst->decl->kind == DECL_BENCH;
    const char *name = intern_printf(l->session, "%s.%d", bench ? "bench" : "test", i);
    Func *func = declare(l, inst, bench ? FUNC_BENCH : FUNC_TEST, name);
    func->title = inst->decl->name;
    return func;
}

static void lower_alone(Lower *l, const Inst *kernel) {
    Func *func = declare(l, kernel, FUNC_FN, kernel_func_name(l->session, kernel->name));
    func->is_export = true; /* anybody may call it */
    Fn f = fn_start(l, func);
    fn_add_params(&f, kernel, func);
    fn_bind_params(&f, kernel, func);
    Vals results = lower_kernel_alone(&f, kernel);
    func->nres = results.n;
    func->res_types = NEWN(l->arena, const Type *, results.n + 1);
    for (int i = 0; i < results.n; i++) func->res_types[i] = results.v[i]->type;
    build_return(&f.b, results.n, results.v);
}

/* Kernels get functions of their own when they are of that name, or when nothing launches them and unlaunched is set.
 */
static Module *lower_all(Program *p, bool unlaunched, const char *name) {
    Module *m = module_new(p->session);
    Lower l = {.session = p->session, .arena = m->arena, .module = m, .program = p};
    int n = p->insts.len, t = p->tests.len;
    Func **funcs = NEWN(l.arena, Func *, n + t + 1);
    m->stage = STAGE_IR;
    for (int i = 0; i < n; i++) {
        const Inst *inst = p->insts.data[i];
        if (!is_kernel(inst)) funcs[i] = declare(&l, inst, kind_of(inst), inst->name);
    }
    for (int i = 0; i < t; i++) funcs[n + i] = declare_test(&l, p->tests.data[i], i);
    for (int i = 0; i < n; i++)
        if (funcs[i]) lower_inst(&l, p->insts.data[i], funcs[i]);
    for (int i = 0; i < t; i++) lower_inst(&l, p->tests.data[i], funcs[n + i]);
    for (int i = 0; i < n; i++)
        if (funcs[i]) lower_rules(&l, p->insts.data[i], funcs[i]);
    lower_main(&l);
    for (int i = 0; i < p->kernels.len; i++) {
        const Inst *k = p->kernels.data[i];
        if (name ? !strcmp(k->decl->name, name) : unlaunched && !map_has(&l.launched, k)) lower_alone(&l, k);
    }
    settle_ruled(&l);
    return m;
}

Module *lower_program(Program *p) { return lower_all(p, false, NULL); }
Module *lower_for_proofs(Program *p) { return lower_all(p, true, NULL); }
Module *lower_with_kernel(Program *p, const char *name) { return lower_all(p, false, name); }
