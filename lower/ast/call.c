/* Calls: of functions (an IR function for each instance), of C, of what the compiler knows itself. */
#include "lower/ast/private.h"
#include "lower/ast/builtins.h"

#include <string.h>

static const char *const builtin_names[] = {
#define BUILTIN(id, name, kind, doc) [id] = name,
#include "frontend/builtins.def"
#undef BUILTIN
};

/* ---- elementwise builtins */

static int rank_of(const FType *t) { return t->kind == FT_ARRAY ? t->rank : 0; }

/* min and max of one array or generator, or along an axis, reduce; of two values they are elementwise. */
static bool is_reduction(const Expr *e) {
    if (e->builtin != BI_min && e->builtin != BI_max) return e->builtin >= BI_sum && e->builtin <= BI_reduce;
    return e->args.len == 1 || rank_of(e->args.data[0]->type) != rank_of(e->type);
}

bool builtin_elementwise(const Expr *e, OpCode *op) {
    if (e->call != CALL_BUILTIN || is_reduction(e)) return false;
    if (e->builtin == BI_where) return *op = OP_SELECT, true;
    return (e->builtin <= BI_max) && opcode_find(builtin_names[e->builtin], op);
}

Value *lower_elementwise(Fn *f, const Expr *e, Value *const *args) {
    OpCode op;
    if (!builtin_elementwise(e, &op)) bug("'%s' is not elementwise", builtin_names[e->builtin]);
    const Type *t = args[e->args.len - 1]->type;
    if (op_info(op)->traits & TR_BOOL) t = type_with_dtype(f->session, t, DT_BOOL);
    return &build_op(&f->b, op, e->args.len, args, 1, &t, 0)->res[0];
}

/* ---- arguments */

static Vals lower_args(Fn *f, const ExprVec *args) {
    Vals *parts = NEWN(f->arena, Vals, args->len + 1);
    for (int i = 0; i < args->len; i++) parts[i] = lower_expr(f, args->data[i]);
    return vals_join(f, args->len, parts);
}

static Vals results_of(Fn *f, Op *op) {
    Vals r = vals_new(f, op->nres);
    for (int i = 0; i < op->nres; i++) r.v[i] = &op->res[i];
    return r;
}

Vals call_inst(Fn *f, const Inst *inst, int n, Value *const *args, const FType *ret) {
    bool is_extern = inst->decl && inst->decl->is_extern;
    Op *op = build_op(&f->b, is_extern ? OP_EXTERN : OP_CALL, n, args, leaf_count(ret), leaf_types(f, ret), 0);
    op_set_sym(op, A_FUNC, inst->name);
    return results_of(f, op);
}

/* ---- calls with whole arrays inside islands: the function's body, in place of the call */

static bool takes_arrays(const Expr *e) {
    for (int i = 0; i < e->args.len; i++)
        if (type_has_array(e->args.data[i]->type)) return true;
    return false;
}

static const char *why_not_in_place(Fn *f, const Expr *e) {
    if (e->call == CALL_EXTERN) return "a call of C";
    if (e->inst->recursive) return "a recursive call with whole arrays";
    if (!has_known_sizes(f, e->type)) return "an array made by a call";
    for (int i = 0; i < e->args.len; i++)
        if (!names_buffers(f, e->args.data[i]) && !has_known_sizes(f, e->args.data[i]->type))
            return "a call with a computed array";
    return NULL;
}

/* The callee's parameters are the arrays and values themselves, its sizes those of the arrays. */
static Vals bind_arguments(Fn *f, Fn *inner, const Expr *e) {
    Vals *parts = NEWN(f->arena, Vals, e->args.len + 1);
    fn_inherit_sizes(inner, &e->binds);
    for (int i = 0; i < e->args.len; i++) {
        const Var *param = e->inst->params.data[i];
        Vals v = parts[i] = vals_copy(f, lower_expr(f, e->args.data[i]));
        env_set(inner, param, v);
        if (param->sym && !map_has(&inner->syms, param->sym)) fn_define_sym(inner, param->sym, v.v[0]);
    }
    return vals_join(f, e->args.len, parts);
}

static Vals call_in_place(Fn *f, const Expr *e) {
    const char *why = why_not_in_place(f, e);
    if (why) return unsupported(f, e, why);
    Fn inner = fn_in_place(f, e->span, called_words(f->session, e->inst->name));
    inner.call = e;
    inner.ret = e->inst->ret;
    Vals args = bind_arguments(f, &inner, e);
    if (type_has_array(e->type)) inner.result = private_arrays(f, e->type);
    inner.b = f->b;
    lower_body(&inner, e->inst->body, e->inst->expr_body);
    Vals r = inner.returned;
    const Type **types = leaf_types(&inner, e->inst->ret);
    for (int i = 0; !inner.returned.n && i < leaf_count(e->inst->ret); i++) {
        if (!i) r = vals_new(f, leaf_count(e->inst->ret));
        r.v[i] = inner.result.n && inner.result.v[i] ? inner.result.v[i] : zero_of(&inner, types[i]);
    }
    f->b = inner.b;
    note_ruled(f, e, args, &r);
    return r;
}

/* ---- calls for each element */

static Vals lower_each(Fn *f, const Expr *e) {
    Vals args = lower_operands(f, (const Expr *const *)e->args.data, e->args.len);
    Vals *parts = NEWN(f->arena, Vals, e->args.len + 1);
    const Type **types = leaf_types(f, e->type);
    Op *op = build_op(&f->b, OP_GENERATE, 0, NULL, leaf_count(e->type), types, 1);
    Region *r = op->regs[0];
    int rank = e->type->rank, n = 0;
    for (int i = 0; i < rank; i++) region_add_arg(r, type_scalar(f->session, DT_I64), NULL);
    Mark outside = region_enter(f, r);
    for (int i = 0; i < e->args.len; i++) {
        const FType *t = e->args.data[i]->type;
        parts[i] = vals_part(args, n, leaf_count(t));
        n += parts[i].n;
        if (t->kind == FT_ARRAY) parts[i] = read_element(f, parts[i], rank, r->args);
    }
    Vals one = vals_join(f, e->args.len, parts), v = call_inst(f, e->inst, one.n, one.v, e->type->elem);
    build_yield(&f->b, v.n, v.v);
    region_leave(f, outside);
    return results_of(f, op);
}

Vals lower_each_element(Fn *f, const Expr *e, Value *const *idx) {
    Vals *parts = NEWN(f->arena, Vals, e->args.len + 1);
    for (int i = 0; i < e->args.len; i++) parts[i] = lower_elem(f, e->args.data[i], idx);
    Vals args = vals_join(f, e->args.len, parts);
    return e->call == CALL_STRUCT ? args : call_inst(f, e->inst, args.n, args.v, e->type->elem);
}

static Vals lower_user_call(Fn *f, const Expr *e) {
    if (e->each && e->type->kind == FT_ARRAY) return lower_each(f, e);
    bool arrays = takes_arrays(e) || type_has_array(e->type);
    if (f->island && (arrays || e->call == CALL_EXTERN || makes_small_arrays(e->inst))) return call_in_place(f, e);
    Vals args = lower_args(f, &e->args);
    return call_inst(f, e->inst, args.n, args.v, e->type);
}

static Vals lower_cast(Fn *f, const Expr *e) {
    Vals v = lower_expr(f, e->args.data[0]);
    return vals_one(f, build_cast(&f->b, v.v[0], array_elem(e->type)->dtype));
}

/* ---- arrays from sizes */

/* Sizes that are not expressions of others are defined by evaluating them. */
static void lower_dims(Fn *f, const Expr *e, int from) {
    for (int i = from; i < e->args.len; i++)
        if (!e->args.data[i]->is_const) lower_expr(f, e->args.data[i]);
    fn_check_array(f, e->type);
}

static Vals lower_filled(Fn *f, const Expr *e) {
    Vals v = e->builtin == BI_full ? lower_expr(f, e->args.data[0]) : (Vals){0};
    lower_dims(f, e, 1);
    const Type **types = leaf_types(f, e->type);
    Vals r = vals_new(f, leaf_count(e->type));
    for (int i = 0; i < r.n; i++) {
        double value = e->builtin == BI_ones;
        Const known = {.dtype = types[i]->dtype, .f = value, .i = (int64_t)value};
        if (known.dtype == DT_STR) known.s = "";
        Value *x = v.n ? v.v[i] : build_const(&f->b, known);
        r.v[i] = build_fill(&f->b, x, types[i]);
    }
    return r;
}

static Vals lower_reshape(Fn *f, const Expr *e) {
    Vals v = lower_expr(f, e->args.data[0]);
    lower_dims(f, e, 1);
    const Type **types = leaf_types(f, e->type);
    Vals r = vals_new(f, v.n);
    for (int i = 0; i < v.n; i++)
        r.v[i] = v.v[i]->type == types[i] ? v.v[i] : &build_op(&f->b, OP_RESHAPE, 1, &v.v[i], 1, &types[i], 0)->res[0];
    return r;
}

static Vals lower_transpose(Fn *f, const Expr *e) {
    Vals v = lower_expr(f, e->args.data[0]);
    const Type **types = leaf_types(f, e->type);
    Vals r = vals_new(f, v.n);
    int rank = e->type->rank;
    int64_t perm[MAX_RANK];
    for (int i = 0; i < rank; i++) perm[i] = e->args.len > 1 ? e->args.data[i + 1]->lit.i : rank - 1 - i;
    for (int i = 0; i < v.n; i++) {
        Op *op = build_op(&f->b, OP_TRANSPOSE, 1, &v.v[i], 1, &types[i], 0);
        op_set_ints(op, A_PERM, rank, perm);
        r.v[i] = &op->res[0];
    }
    return r;
}

/* ---- the rest */

/* -((-a) // b): least integer >= a/b */
static Vals lower_ceildiv(Fn *f, const Expr *e) {
    if (e->size && !fn_size_is_unbound(f, e->size)) return vals_one(f, fn_size_value(f, e->size));
    Value *a = lower_scalar(f, e->args.data[0]), *b = lower_scalar(f, e->args.data[1]);
    Value *q = build_binary(&f->b, OP_IDIV, build_unary(&f->b, OP_NEG, a), b);
    return vals_one(f, build_unary(&f->b, OP_NEG, q));
}

static Vals lower_linalg(Fn *f, const Expr *e, OpCode op) {
    if (f->island && op == OP_DOT && !type_has_array(e->type))
        return vals_one(f, lower_dot_in_island(f, e, e->args.data[0], e->args.data[1]));
    if (f->island) return unsupported(f, e, "linear algebra");
    Vals args = lower_args(f, &e->args);
    return results_of(f, build_op(&f->b, op, args.n, args.v, leaf_count(e->type), leaf_types(f, e->type), 0));
}

/* The factors of a matrix, and what is asked of them */
static Vals lower_by_factors(Fn *f, const Expr *e) {
    if (f->island && e->builtin == BI_det && has_known_sizes(f, e->args.data[0]->type))
        return vals_one(f, determinant_in_island(f, e));
    if (f->island) return unsupported(f, e, "linear algebra");
    Vals args = lower_args(f, &e->args), parts[2];
    Builder *b = &f->b;
    Op *lu = build_lu_factor(b, args.v[0]);
    Value *of[] = {args.v[0], &lu->res[0], &lu->res[1]}, *sign;
    const Type *elem = type_elem(f->session, of[0]->type), *both[] = {of[0]->type, of[0]->type};
    switch (e->builtin) {
    case BI_solve: return vals_one(f, build_lu_solve(b, of[1], of[2], args.v[1], false));
    case BI_inv: return results_of(f, build_op(b, OP_LU_INV, 2, of + 1, 1, both, 0));
    case BI_det: return results_of(f, build_op(b, OP_LU_DET, 3, of, 1, &elem, 0));
    case BI_slogdet:
        sign = &build_op(b, OP_LU_SIGN, 2, of + 1, 1, &elem, 0)->res[0];
        parts[0] = vals_one(f, sign), parts[1] = results_of(f, build_op(b, OP_LU_LOGDET, 2, of + 1, 1, &elem, 0));
        return vals_join(f, 2, parts);
    default: /* lu of a square matrix */
        parts[0] = vals_one(f, of[2]), parts[1] = results_of(f, build_op(b, OP_LU_PARTS, 2, of + 1, 2, both, 0));
        return vals_join(f, 2, parts);
    }
}

static Vals lower_cholesky(Fn *f, const Expr *e) {
    if (f->island) return unsupported(f, e, "linear algebra");
    Value *a = lower_args(f, &e->args).v[0];
    Op *factor = build_op(&f->b, OP_CHOL_FACTOR, 1, &a, 1, &a->type, 0);
    Value *of = &factor->res[0];
    return results_of(f, build_op(&f->b, OP_CHOLESKY, 1, &of, 1, &of->type, 0));
}

/* The flags are constants. */
static Vals lower_trisolve(Fn *f, const Expr *e) {
    static const AttrId flags[] = {A_UPPER, A_TRANSPOSED, A_UNIT};
    ExprVec matrices = e->args;
    matrices.len = 2;
    if (f->island) return unsupported(f, e, "linear algebra");
    Vals args = lower_args(f, &matrices);
    Op *op = build_op(&f->b, OP_TRISOLVE, 2, args.v, 1, leaf_types(f, e->type), 0);
    for (int i = 2; i < e->args.len; i++)
        if (e->args.data[i]->lit.i) op_set_flag(op, flags[i - 2]);
    return results_of(f, op);
}

/* ---- text: values and where they stand */

typedef struct { Fn *f; Text format; ValueVec *values; } Template;

static void add_text(Template *t, const char *s) { template_add_text(&t->format, s, (int)strlen(s)); }

static bool is_complex_type(const Program *p, const FType *t) {
    return t->kind == FT_STRUCT && t->decl && (t->decl == p->complex[0] || t->decl == p->complex[1]);
}

/* The imaginary part as the real one, with its sign */
static void add_signed(Template *t, const char *spec, int len) {
    bool aligned = len && strchr("<>^", *spec), has = len > aligned && spec[aligned] == '+';
    template_add_place(
        &t->format,
        arena_printf(t->f->arena, "%.*s%s%.*s", aligned, spec, has ? "" : "+", len - aligned, spec + aligned),
        len + !has);
    add_text(t, "im");
}

/* (1, 2.5), (1,), 1+2im, Body(x=1.0, y=2.0); arrays of such field by field.  v: the next leaf */
static void add_value(Template *t, const FType *type, Value ***v, const char *spec, int len) {
    bool array = type->kind == FT_ARRAY;
    if (array) type = type->elem;
    if (type->kind != FT_TUPLE && type->kind != FT_STRUCT) {
        template_add_place(&t->format, spec, len);
        vec_push(t->f->arena, t->values, *(*v)++);
        return;
    }
    if (!array && is_complex_type(t->f->l->program, type)) {
        template_add_place(&t->format, spec, len);
        add_signed(t, spec, len);
        vec_push(t->f->arena, t->values, *(*v)++);
        vec_push(t->f->arena, t->values, *(*v)++);
        return;
    }
    if (type->decl) add_text(t, type->decl->name);
    add_text(t, "(");
    for (int i = 0; i < type->nfields; i++) {
        if (i) add_text(t, ", ");
        if (type->names) add_text(t, type->names[i]), add_text(t, "=");
        add_value(t, type->fields[i], v, spec, len);
    }
    add_text(t, type->nfields == 1 && !type->names ? ",)" : ")");
}

static void add_expr(Template *t, const Expr *e, const char *spec, int len) {
    Value **leaf = lower_expr(t->f, e).v;
    add_value(t, e->type, &leaf, spec, len);
}

static void add_formatted(Template *t, const Expr *e) {
    const char *at = e->name;
    int k = 0;
    for (FormatPart p; template_next(&at, &p);)
        if (p.is_place) add_expr(t, e->args.data[k++], p.text, p.len);
        else template_add_text(&t->format, p.text, p.len);
}

/* Whether more stands between the values than a blank */
static bool needs_template(const Expr *e) {
    for (int i = 0; i < e->args.len; i++) {
        const FType *t = array_elem(e->args.data[i]->type);
        if (e->args.data[i]->kind == EX_FORMAT || t->kind == FT_TUPLE || t->kind == FT_STRUCT) return true;
    }
    return false;
}

static Template template_new(Fn *f, ValueVec *values) {
    Template t = {.f = f, .values = values};
    text_init(&t.format, f->arena);
    return t;
}

static Vals lower_print(Fn *f, const Expr *e) {
    ValueVec values = {0};
    Template t = template_new(f, &values);
    for (int i = 0; i < e->args.len; i++) {
        const Expr *arg = e->args.data[i];
        if (i) add_text(&t, " ");
        if (arg->kind == EX_FORMAT) add_formatted(&t, arg);
        else add_expr(&t, arg, "", 0);
    }
    Op *op = build_op(&f->b, OP_PRINT, values.len, values.data, 0, NULL, 0);
    if (needs_template(e)) op_set_sym(op, A_FORMAT, intern(f->session, text_str(&t.format)));
    return vals_new(f, 0);
}

const char *lower_template(Fn *f, const Expr *e, ValueVec *values) {
    Template t = template_new(f, values);
    add_formatted(&t, e);
    return intern(f->session, text_str(&t.format));
}

Vals lower_format(Fn *f, const Expr *e) {
    ValueVec values = {0};
    const Type *type = type_scalar(f->session, DT_STR);
    const char *format = lower_template(f, e, &values);
    Op *op = build_op(&f->b, OP_FORMAT, values.len, values.data, 1, &type, 0);
    op_set_sym(op, A_FORMAT, format);
    return vals_one(f, &op->res[0]);
}

/* ---- sizes of arrays */

/* The value of the variable x, and the island that it is an argument of, if any */
static Value *array_of(Fn *f, const Expr *x, Op **island) {
    Vals *v = x->kind == EX_NAME ? env_get(f, x->var) : NULL;
    Value *array = v && v->n ? v->v[0] : NULL;
    Op *owner = array && !array->def ? array->region->owner : NULL;
    *island = owner && owner->code == OP_ISLAND ? owner : NULL;
    return array;
}

/* Where the array was made, if that is in sight */
static Span made_at(const Value *array, const Op *island, Span otherwise) {
    const Op *op = island ? op_opnd(island, array->index)->def : array ? array->def : NULL;
    return op && op->code == OP_FILL ? op->span : otherwise;
}

/* An array of which only the size is asked may never be made: the size stops the program as making it would, before the
 * kernel whose parameter it is.  mean's own array (a name with a point) is read whole. */
static void check_room(Fn *f, const Expr *e) {
    const Expr *x = e->args.data[0];
    const FType *t = x->type;
    if (!fn_size_may_overflow(f, e->size) || t->kind != FT_ARRAY || (x->kind == EX_NAME && strchr(x->name, '.')))
        return;
    Op *island;
    const Value *array = array_of(f, x, &island);
    Builder here = f->b;
    if (island) f->b = builder_before(island), f->b.span = here.span;
    Value *extents[MAX_RANK];
    for (int i = 0; i < t->rank; i++)
        extents[i] = island ? build_size(&f->b, array->type->dims[i]) : fn_size_value(f, t->dims[i]);
    f->b.span = made_at(array, island, f->b.span);
    fn_check_room(f, leaf_types(f, t)[0], extents);
    f->b.span = here.span;
    if (island) f->b = here;
}

static void visit_call(void *ctx, const Expr *e) {
    if (e->kind == EX_CALL &&
        (e->call == CALL_FN || e->call == CALL_EXTERN || (e->call == CALL_BUILTIN && e->builtin == BI_load)))
        *(bool *)ctx = true;
}

/* Whether sizes of e are known only once it is evaluated */
static bool brings_symbols(const Expr *e) {
    bool calls = false;
    expr_each(e, visit_call, &calls);
    return calls || expr_has_bind(e);
}

static Vals lower_size(Fn *f, const Expr *e) {
    const Expr *x = e->args.data[0];
    bool evaluated = !f->island && brings_symbols(x),
         made = x->type->kind == FT_ARRAY && x->kind != EX_NAME && !evaluated;
    if (evaluated) lower_expr(f, x); /* defines symbols of the size */
    if (made) fn_check_array(f, x->type);
    if (!made || f->island) check_room(f, e); /* which fn_check_array has done at function level */
    return vals_one(f, fn_size_value(f, e->size));
}

/* ---- derivatives: the call stands in the region of a vjp or jvp, whose arguments are the floats among what is
 * differentiated */

/* First leaf of argument k of the call */
static int first_leaf(const Expr *call, int k) {
    int n = 0;
    for (int i = 0; i < k; i++) n += leaf_count(call->args.data[i]->type);
    return n;
}

static bool takes_direction(const Expr *e) {
    return e->builtin == BI_jvp || e->builtin == BI_vjp || e->builtin == BI_hvp;
}
static bool is_forward(const Expr *e) { return e->builtin == BI_jvp || e->builtin == BI_hvp; }

/* The leaves that are differentiated, those of the arguments e names.  False at the end; leaf: where the walk is, from
 * -1 on */
typedef struct { const Expr *e, *call; int arg, leaf, end; } Leaves;

static bool next_leaf(Leaves *at) {
    while (++at->leaf >= at->end) {
        if (++at->arg >= at->e->args.len) return false;
        int k = (int)at->e->args.data[at->arg]->lit.i;
        at->leaf = first_leaf(at->call, k) - 1;
        at->end = at->leaf + 1 + leaf_count(at->call->args.data[k]->type);
    }
    return true;
}

static Leaves all_leaves(const Expr *e) { return (Leaves){e, e->args.data[0], takes_direction(e), -1, 0}; }

static bool varies(const Value *v) { return dtype_is_float(v->type->dtype); }

/* Operands and result types of a vjp or jvp, being written down */
typedef struct { Value **opnds; const Type **types; int nopnds, nres; } Signature;

static void add_values(Signature *sig, int n, const Type *const *types) {
    for (int i = 0; i < n; i++) sig->types[sig->nres++] = types[i];
}

/* direction: of jvp a tangent for each leaf that is differentiated, of vjp a seed for each of the value; NULL: the seed
 * 1 */
static Signature signature_of(Fn *f, const Expr *e, const Vals *args, const Vals *direction) {
    const Type *const *types = leaf_types(f, e->args.data[0]->type);
    int values = leaf_count(e->args.data[0]->type), room = 2 * (args->n + values) + 1, k = 0;
    Signature sig = {NEWN(f->arena, Value *, room), NEWN(f->arena, const Type *, room), 0, 0};
    add_values(&sig, values, types);
    for (Leaves at = all_leaves(e); next_leaf(&at);)
        if (varies(args->v[at.leaf])) sig.opnds[sig.nopnds++] = args->v[at.leaf];
    if (is_forward(e)) {
        add_values(&sig, values, types);
        for (Leaves at = all_leaves(e); next_leaf(&at); k++)
            if (varies(args->v[at.leaf])) sig.opnds[sig.nopnds++] = direction->v[k];
        return sig;
    }
    for (int i = 0; i < sig.nopnds; i++) sig.types[sig.nres++] = sig.opnds[i]->type;
    for (int i = 0; i < values; i++)
        sig.opnds[sig.nopnds++] = direction ? direction->v[i] : build_float(&f->b, types[i]->dtype, 1);
    return sig;
}

/* A vjp or jvp without its region's operations; args: those of the call, replaced where they vary by arguments of the
 * region */
static Op *open_derivative(Fn *f, const Expr *e, Vals *args, const Vals *direction) {
    Signature sig = signature_of(f, e, args, direction);
    Op *op = build_op(&f->b, is_forward(e) ? OP_JVP : OP_VJP, sig.nopnds, sig.opnds, sig.nres, sig.types, 1);
    for (Leaves at = all_leaves(e); next_leaf(&at);)
        if (varies(args->v[at.leaf]))
            args->v[at.leaf] = region_add_arg(op->regs[0], args->v[at.leaf]->type, args->v[at.leaf]->name);
    return op;
}

/* A field that says the size of an array beside it: the derivative's array has that size, too. */
static bool is_size_leaf(const FType *t, int leaf) {
    int array, axis;
    if (t->kind != FT_STRUCT && t->kind != FT_TUPLE) return false;
    for (int i = 0; i < t->nfields; i++) {
        int first = leaf_offset(t, i);
        if (leaf >= first && leaf < leaf_offset(t, i + 1))
            return is_size_field(t, i, &array, &axis) || is_size_leaf(t->fields[i], leaf - first);
    }
    return false;
}

static Value *no_derivative(Fn *f, const Leaves *at, Value *given) {
    int k = (int)at->e->args.data[at->arg]->lit.i;
    bool size = is_size_leaf(at->call->args.data[k]->type, at->leaf - first_leaf(at->call, k));
    return size ? given : build_zero(&f->b, given->type);
}

/* The values that are asked for, then the derivatives */
static Vals derivative_results(Fn *f, const Expr *e, Op *op, const Vals *given) {
    int values = leaf_count(e->args.data[0]->type), n = 0;
    bool value_too = e->builtin != BI_grad && e->builtin != BI_hvp;
    Vals r = vals_new(f, leaf_count(e->type));
    for (int i = 0; i < values && value_too; i++) r.v[n++] = &op->res[i];
    for (int i = 0; i < values && is_forward(e); i++) r.v[n++] = &op->res[values + i];
    int adjoint = values;
    for (Leaves at = all_leaves(e); !is_forward(e) && next_leaf(&at);)
        r.v[n++] = varies(given->v[at.leaf]) ? &op->res[adjoint++] : no_derivative(f, &at, given->v[at.leaf]);
    return r;
}

static Vals lower_gradient(Fn *f, const Expr *e) {
    const Expr *call = e->args.data[0];
    if (f->island) return unsupported(f, e, "a derivative");
    Vals given = lower_args(f, &call->args), args = vals_copy(f, given), direction = {0};
    if (takes_direction(e)) direction = vals_copy(f, lower_expr(f, e->args.data[1]));
    Op *op = open_derivative(f, e, &args, takes_direction(e) ? &direction : NULL);
    Builder outer = f->b;
    f->b = builder_at_end(f->l->module, op->regs[0], outer.span);
    Vals value = call_inst(f, call->inst, args.n, args.v, call->type);
    build_yield(&f->b, value.n, value.v);
    f->b = outer;
    f->l->module->derives = true;
    return derivative_results(f, e, op, &given);
}

static Vals lower_stop(Fn *f, const Expr *e) {
    Vals v = vals_copy(f, lower_expr(f, e->args.data[0]));
    for (int i = 0; i < v.n; i++)
        if (varies(v.v[i])) v.v[i] = build_unary(&f->b, OP_STOP_GRADIENT, v.v[i]), f->l->module->derives = true;
    return v;
}

static Vals lower_builtin(Fn *f, const Expr *e) {
    OpCode op;
    if (is_reduction(e)) return lower_reduction(f, e);
    if (builtin_elementwise(e, &op)) {
        Vals args = lower_operands(f, (const Expr *const *)e->args.data, e->args.len);
        return vals_one(f, lower_elementwise(f, e, args.v));
    }
    switch (e->builtin) {
    case BI_scan:
    case BI_cumsum: return lower_scan(f, e);
    case BI_zeros:
    case BI_ones:
    case BI_full: return lower_filled(f, e);
    case BI_reshape: return lower_reshape(f, e);
    case BI_transpose: return lower_transpose(f, e);
    case BI_len:
    case BI_size: return lower_size(f, e);
    case BI_ceildiv: return lower_ceildiv(f, e);
    case BI_print: return lower_print(f, e);
    case BI_load: return lower_linalg(f, e, OP_LOADFILE);
    case BI_grad:
    case BI_value_and_grad:
    case BI_jvp:
    case BI_vjp:
    case BI_hvp: return lower_gradient(f, e);
    case BI_stop_gradient: return lower_stop(f, e);
    case BI_solve:
    case BI_inv:
    case BI_det:
    case BI_slogdet:
    case BI_lu_square: return lower_by_factors(f, e);
    case BI_cholesky: return lower_cholesky(f, e);
    case BI_trisolve: return lower_trisolve(f, e);
    default:
        if (!opcode_find(builtin_names[e->builtin], &op))
            bug("builtin '%s' has no lowering", builtin_names[e->builtin]);
        return lower_linalg(f, e, op);
    }
}

Vals lower_call(Fn *f, const Expr *e) {
    switch (e->call) {
    case CALL_FN:
    case CALL_EXTERN: return lower_user_call(f, e);
    case CALL_BUILTIN: return lower_builtin(f, e);
    case CALL_CAST: return lower_cast(f, e);
    case CALL_STRUCT:
        return e->each ? lower_operands(f, (const Expr *const *)e->args.data, e->args.len) : lower_args(f, &e->args);
    case CALL_NONE: break;
    }
    bug("a call that was not resolved");
}
