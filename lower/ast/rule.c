/* Rules of derivatives that the program has of its own.
 *
 * In the IR a rule is a function of the floats alone: between it and the function that the program has stands one that
 * picks them out.  Each rule is tested by `dslc test`: along a direction it gives what differences give. */
#include "lower/ast/private.h"

/* What stands where: the parameters, the value, and the direction or gradient; of each the leaves */
typedef struct Parts {
    const Inst *inst, *rule;
    RuleKind kind;
    int params, value, gradient; /* leaves */
    bool takes_value;
} Parts;

static bool is_float(const Type *t) { return dtype_is_float(t->dtype); }

static int param_leaves(const Inst *inst) {
    int n = 0;
    for (int i = 0; i < inst->params.len; i++) n += leaf_count(inst->params.data[i]->type);
    return n;
}

static Parts parts_of(const Inst *inst, RuleKind kind) {
    const Inst *rule = inst->rule[kind];
    return (Parts){inst, rule, kind, param_leaves(inst), leaf_count(inst->ret), leaf_count(inst->gradient),
                   rule->params.len == inst->params.len + 2};
}

/* ---- the function between */

/* A parameter for each leaf of t; where floats is set, for each that is one, and none for the others */
static Vals add_leaves(Fn *f, const Inst *inst, Func *func, const FType *t, bool floats, const char *name) {
    const Type **types = leaf_types(f, t);
    Vals v = vals_new(f, leaf_count(t));
    for (int i = 0; i < v.n; i++)
        v.v[i] = floats && !is_float(types[i]) ? NULL : fn_add_leaf(f, inst, func, types[i], name);
    return v;
}

/* The same once sizes are known; what is not there is zero */
static void take_leaves(Fn *f, const FType *t, Vals v, ValueVec *out) {
    const Type **types = leaf_types(f, t);
    for (int i = 0; i < v.n; i++)
        vec_push(f->arena, out, v.v[i] ? lower_retype(f, v.v[i], types[i], true) : zero_of(f, types[i]));
}

static void add_params(Fn *f, const Inst *inst, ValueVec *out) {
    for (int i = 0; i < inst->params.len; i++) {
        Vals v = *env_get(f, inst->params.data[i]);
        for (int k = 0; k < v.n; k++) vec_push(f->arena, out, v.v[k]);
    }
}

static const char *lower_between(Lower *l, const Parts *p, Func *of) {
    const char *name = intern_printf(l->session, "%s.by_%s", of->name, rule_word(p->kind));
    Func *func = func_new(l->module, name, FUNC_FN, p->rule->decl->name_span);
    Fn f = fn_start(l, func);
    ValueVec args = {0};
    const FType *direction = p->kind == RULE_VJP ? p->inst->ret : p->inst->gradient;
    Vals value = {0};
    fn_add_params(&f, p->inst, func);
    if (p->takes_value) value = add_leaves(&f, p->inst, func, p->inst->ret, false, "z");
    Vals along = add_leaves(&f, p->inst, func, direction, true, "g");
    fn_bind_params(&f, p->inst, func);
    add_params(&f, p->inst, &args);
    take_leaves(&f, p->inst->ret, value, &args);
    take_leaves(&f, direction, along, &args);
    const FType *gives = p->kind == RULE_VJP ? p->inst->gradient : p->inst->ret;
    Vals r = call_inst(&f, p->rule, args.len, args.data, gives);
    Value **out = NEWN(l->arena, Value *, r.n + 1);
    func->res_types = NEWN(l->arena, const Type *, r.n + 1);
    for (int i = 0; i < r.n; i++)
        if (is_float(r.v[i]->type)) out[func->nres] = r.v[i], func->res_types[func->nres++] = r.v[i]->type;
    build_return(&f.b, func->nres, out);
    return func->name;
}

/* ---- tests */

enum { SOME_SIZE = 3, SOME_INT = 2 };

/* A number of its own for each place: from 0.25 to 0.75, or where around is set, from -0.25 to 0.25 about it */
static Value *spread(Builder *b, Value *place, double seed, double around, DType t) {
    Value *x = build_binary(b, OP_MUL, build_cast(b, place, DT_F64), build_float(b, DT_F64, 0.6180339887498949));
    x = build_binary(b, OP_ADD, x, build_float(b, DT_F64, seed * 0.7548776662466927));
    x = build_binary(b, OP_SUB, x, build_unary(b, OP_FLOOR, x));
    x = build_binary(b, OP_MUL, x, build_float(b, DT_F64, 0.5));
    return build_cast(b, build_binary(b, OP_ADD, x, build_float(b, DT_F64, around - 0.25)), t);
}

static Value *place_of(Builder *b, int n, Value *const *idx) {
    Value *at = build_int(b, 0);
    for (int i = 0; i < n; i++) at = build_binary(b, OP_ADD, build_binary(b, OP_MUL, at, build_int(b, 7)), idx[i]);
    return at;
}

/* A value of type t with such numbers */
static Value *sample(Fn *f, const Type *t, double seed, double around) {
    if (!is_float(t)) {
        Const some = {.dtype = t->dtype, .i = t->dtype == DT_BOOL ? 1 : SOME_INT, .s = t->dtype == DT_STR ? "" : NULL};
        Value *v = build_const(&f->b, some);
        return type_is_tensor(t) ? build_fill(&f->b, v, t) : v;
    }
    if (!type_is_tensor(t)) return spread(&f->b, build_int(&f->b, 1), seed, around, t->dtype);
    Op *op = build_op(&f->b, OP_GENERATE, 0, NULL, 1, &t, 1);
    Builder in = builder_at_end(f->l->module, op->regs[0], f->b.span);
    for (int i = 0; i < t->rank; i++) region_add_arg(op->regs[0], type_scalar(f->session, DT_I64), "i");
    Value *v = spread(&in, place_of(&in, t->rank, op->regs[0]->args), seed, around, t->dtype);
    build_yield(&in, 1, &v);
    return &op->res[0];
}

static Vals samples(Fn *f, int n, const Type *const *types, double seed, double around) {
    Vals v = vals_new(f, n);
    for (int i = 0; i < n; i++) v.v[i] = sample(f, types[i], seed + i, around);
    return v;
}

static Value *scaled(Builder *b, Value *x, Value *d, double h) {
    return build_binary(b, OP_ADD, x, build_binary(b, OP_MUL, build_float(b, x->type->dtype, h), d));
}

/* x + h * d where x is a float */
static Value *moved(Fn *f, Value *x, Value *d, double h) {
    if (!is_float(x->type)) return x;
    if (!type_is_tensor(x->type)) return scaled(&f->b, x, d, h);
    Op *op = build_op(&f->b, OP_GENERATE, 0, NULL, 1, &x->type, 1);
    Builder in = builder_at_end(f->l->module, op->regs[0], f->b.span);
    for (int i = 0; i < x->type->rank; i++) region_add_arg(op->regs[0], type_scalar(f->session, DT_I64), "i");
    Value **idx = op->regs[0]->args, *v = scaled(&in, build_extract(&in, x, x->type->rank, idx),
                                                 build_extract(&in, d, x->type->rank, idx), h);
    build_yield(&in, 1, &v);
    return &op->res[0];
}

static Value *product(Builder *b, Value *x, Value *y) {
    return build_binary(b, OP_MUL, build_cast(b, x, DT_F64), build_cast(b, y, DT_F64));
}

/* sum + the inner product of x and y, where these are floats */
static Value *plus_inner(Fn *f, Value *sum, Value *x, Value *y) {
    if (!is_float(x->type)) return sum;
    if (!type_is_tensor(x->type)) return build_binary(&f->b, OP_ADD, sum, product(&f->b, x, y));
    const Type *f64 = type_scalar(f->session, DT_F64);
    Value *extents[MAX_RANK];
    int n = x->type->rank;
    for (int i = 0; i < n; i++) extents[i] = build_size(&f->b, x->type->dims[i]);
    Op *op = build_op(&f->b, OP_REDUCE, n, extents, 1, &f64, 1);
    op_set_combine(op, COMBINE_ADD);
    Builder in = builder_at_end(f->l->module, op->regs[0], f->b.span);
    for (int i = 0; i < n; i++) region_add_arg(op->regs[0], type_scalar(f->session, DT_I64), "i");
    Value **idx = op->regs[0]->args,
          *v = product(&in, build_extract(&in, x, n, idx), build_extract(&in, y, n, idx));
    build_yield(&in, 1, &v);
    return build_binary(&f->b, OP_ADD, sum, &op->res[0]);
}

static Value *inner(Fn *f, const Vals *x, const Vals *y) {
    Value *sum = build_float(&f->b, DT_F64, 0);
    for (int i = 0; i < x->n; i++) sum = plus_inner(f, sum, x->v[i], y->v[i]);
    return sum;
}

/* The leaves of the parameters that hold floats: those that the gradient has */
static Vals of_gradient(Fn *f, const Parts *p, Vals all) {
    Vals v = vals_new(f, p->gradient);
    int from = 0, n = 0;
    for (int i = 0; i < p->inst->params.len; i++) {
        const FType *t = p->inst->params.data[i]->type;
        bool floats = false;
        for (int k = 0; k < leaf_count(t); k++) floats |= is_float(leaf_types(f, t)[k]);
        for (int k = 0; k < leaf_count(t) && floats; k++) v.v[n++] = all.v[from + k];
        from += leaf_count(t);
    }
    return v;
}

/* How s times the value changes along d, by the rule */
static Value *change_by_rule(Fn *f, const Parts *p, Vals x, Vals d, Vals s) {
    Vals along = of_gradient(f, p, d), parts[3] = {x, {0}, p->kind == RULE_VJP ? s : along};
    if (p->takes_value) parts[1] = call_inst(f, p->inst, x.n, x.v, p->inst->ret);
    Vals args = vals_join(f, 3, parts);
    Vals r = call_inst(f, p->rule, args.n, args.v, p->kind == RULE_VJP ? p->inst->gradient : p->inst->ret);
    return p->kind == RULE_VJP ? inner(f, &r, &along) : inner(f, &r, &s);
}

static Value *change_by_differences(Fn *f, const Parts *p, Vals x, Vals d, Vals s, double h) {
    Value *at[2];
    for (int k = 0; k < 2; k++) {
        Vals y = vals_new(f, x.n);
        for (int i = 0; i < x.n; i++) y.v[i] = moved(f, x.v[i], d.v[i], k ? -h : h);
        Vals z = call_inst(f, p->inst, y.n, y.v, p->inst->ret);
        at[k] = inner(f, &z, &s);
    }
    return build_binary(&f->b, OP_DIV, build_binary(&f->b, OP_SUB, at[0], at[1]), build_float(&f->b, DT_F64, 2 * h));
}

static Value *absolute(Fn *f, Value *x) { return build_unary(&f->b, OP_ABS, x); }

/* Where the function has no value differences say nothing. */
static void check_agree(Fn *f, const Parts *p, Value *rule, Value *differences, double tolerance) {
    Builder *b = &f->b;
    Value *size = build_binary(b, OP_ADD, absolute(f, rule), absolute(f, differences));
    Value *most = build_binary(b, OP_MUL, build_float(b, DT_F64, tolerance),
                               build_binary(b, OP_ADD, size, build_float(b, DT_F64, 1)));
    Value *near = build_binary(b, OP_LE, absolute(f, build_binary(b, OP_SUB, rule, differences)), most);
    Value *none = build_unary(b, OP_NOT, build_unary(b, OP_ISFINITE, differences));
    Value *opnds[] = {build_binary(b, OP_OR, near, none), rule, differences};
    Op *op = build_op(b, OP_CHECK, 3, opnds, 0, NULL, 0);
    op_set_sym(op, A_CODE, "E0646");
    op_set_sym(op, A_MSG, intern_printf(f->session, "along a direction the %s of '%s' gives {}, differences give {}",
                                        rule_word(p->kind), p->rule->decl->rule_of));
}

/* Halves have no differences to speak of. */
static double step_for(int n, const Type *const *types) {
    double h = 1e-5;
    for (int i = 0; i < n; i++) {
        if (types[i]->dtype == DT_F32 && h > 0) h = 1e-2;
        else if (is_float(types[i]) && types[i]->dtype != DT_F64) h = 0;
    }
    return h;
}

static void lower_test(Lower *l, const Parts *p, int number) {
    const Decl *d = p->rule->decl;
    Func *func = func_new(l->module, intern_printf(l->session, "test.rule.%d", number), FUNC_TEST, d->name_span);
    func->title = intern_printf(l->session, "%s fn %s agrees with differences", rule_word(p->kind), d->rule_of);
    Fn f = fn_start(l, func);
    const Inst *inst = p->inst;
    for (int i = 0; i < inst->sizes.len; i++)
        fn_define_sym(&f, inst->sizes.data[i]->sym, build_int(&f.b, SOME_SIZE + i));
    const Type **types = NEWN(l->arena, const Type *, p->params + 1);
    for (int i = 0, n = 0; i < inst->params.len; i++) {
        const Var *v = inst->params.data[i];
        if (v->sym) fn_define_sym(&f, v->sym, build_int(&f.b, SOME_INT));
        for (int k = 0; k < leaf_count(v->type); k++) types[n++] = leaf_types(&f, v->type)[k];
    }
    double h = step_for(p->params, types);
    if (h > 0) {
        Vals x = samples(&f, p->params, types, 1, 0.5), dir = samples(&f, p->params, types, 31, 0),
             s = samples(&f, p->value, leaf_types(&f, inst->ret), 77, 0);
        Value *rule = change_by_rule(&f, p, x, dir, s), *by = change_by_differences(&f, p, x, dir, s, h);
        check_agree(&f, p, rule, by, h < 1e-3 ? 1e-6 : 2e-2);
    }
    build_return(&f.b, 0, NULL);
}

/* As test blocks, those of the main file */
static bool is_tested(const Lower *l, const Inst *inst) {
    return inst->decl->name_span.file == vec_last(&l->program->units)->file;
}

void lower_rules(Lower *l, const Inst *inst, Func *f) {
    for (int k = RULE_VJP; k <= RULE_JVP; k++) {
        if (!inst->rule[k]) continue;
        Parts p = parts_of(inst, (RuleKind)k);
        const char *name = lower_between(l, &p, f);
        if (k == RULE_VJP) f->vjp = name;
        else f->jvp = name;
        if (is_tested(l, inst)) lower_test(l, &p, l->module->funcs.len);
    }
}
