/* Signatures of instances: parameters, the sizes they introduce, the result. */
#include "frontend/check.h"

#include <string.h>

const FType *binding_find(const Bindings *b, const char *name) {
    for (int i = 0; b && i < b->v.len; i++)
        if (b->v.data[i].name == name) return b->v.data[i].type;
    return NULL;
}

static bool is_int_type(const Check *c, const TypeExpr *tx) {
    return tx && tx->kind == TX_NAME && (tx->name == c->n_int || !strcmp(tx->name, "i64"));
}

static Var *define_param(Check *c, InstInfo *inst, Param *p, const FType *type) {
    Var *v = var_new(c, VAR_PARAM, p->name, p->span, type);
    v->mode = p->mode;
    p->var = v;
    if (type->kind != FT_FUNC) vec_push(c->a, &inst->inst.params, v);
    return v;
}

static const char *ordinal(int i) {
    static const char *const words[MAX_RANK] = {"first", "second", "third",   "fourth",
                                                "fifth", "sixth",  "seventh", "eighth"};
    return words[i < MAX_RANK ? i : MAX_RANK - 1];
}

/* Bare unknown names among the dims of a parameter's type become sizes of the function. */
static void define_sizes(Check *c, InstInfo *inst, const TypeExpr *tx, const Param *p) {
    if (!tx || tx->kind == TX_FUNC) return;
    for (int i = 0; i < tx->dims.len; i++) {
        const Expr *dim = tx->dims.data[i];
        if (!dim || dim->kind != EX_NAME || scope_find(c, dim->name)) continue;
        const Global *g = global_find(c, dim->name);
        if (g && g->kind == GL_CONST) continue;
        const char *what = tx->dims.len == 1 ? "the size" : intern_printf(c->s, "the %s size", ordinal(i));
        const char *sym = sym_fresh(c, dim->name, dim->span, intern_printf(c->s, "%s of '%s'", what, p->name));
        inst_add_size(c, inst, dim->name, sym, dim->span, true);
    }
    define_sizes(c, inst, tx->elem, p);
    for (int i = 0; i < tx->items.len; i++) define_sizes(c, inst, tx->items.data[i], p);
}

/* ---- sizes inside expressions */

typedef struct { Check *c; Expr *found; int n; } Unknowns;

static void look_for_unknown(void *ctx, Expr *e) {
    Unknowns *u = ctx;
    if (e->kind != EX_NAME || scope_find(u->c, e->name)) return;
    const Global *g = global_find(u->c, e->name);
    if ((g && g->kind == GL_CONST) || map_has(&u->c->builtins, e->name)) return;
    u->n += !u->found || u->found->name != e->name;
    u->found = e;
}

static void define_as_error(void *ctx, Expr *e) {
    Unknowns u = {((Unknowns *)ctx)->c, NULL, 0};
    look_for_unknown(&u, e);
    if (u.n) scope_define(u.c, var_new(u.c, VAR_SIZE, e->name, e->span, &ftype_error));
}

static void report_two_unknown(Check *c, Expr *dim, const Expr *found) {
    Unknowns u = {c, NULL, 0};
    Walk w = {.expr = define_as_error, .ctx = &u};
    Diag *d = report(c, found->span, E_SIZE_UNSOLVED, found->name);
    diag_hint(c->s, d, "let it be a size by itself in another parameter, or pass it: %s: int", found->name);
    walk_expr(&w, dim);
}

/* The only unknown name in f64[2*n]: n becomes an int parameter that calls compute from the size. */
static void define_solved(Check *c, InstInfo *inst, const Param *p, int index) {
    const TypeExpr *tx = p->type;
    if (!tx || tx->kind != TX_ARRAY) return;
    for (int i = 0; i < tx->dims.len; i++) {
        Unknowns u = {c, NULL, 0};
        Walk w = {.expr = look_for_unknown, .ctx = &u};
        walk_expr(&w, tx->dims.data[i]);
        if (u.n > 1) report_two_unknown(c, tx->dims.data[i], u.found);
        if (u.n != 1) continue;
        Var *v = var_new(c, VAR_PARAM, u.found->name, u.found->span, ftype_scalar(c->s, DT_I64));
        var_give_sym(c, v);
        ((SymInfo *)map_get(&c->fn->syms, v->sym))->what = intern_printf(c->s, "found from the size of '%s'", p->name);
        scope_define(c, v);
        Solved s = {.sym = v->sym, .param = index, .axis = i, .var = v, .span = u.found->span};
        vec_push(c->a, &inst->solved, s);
    }
}

typedef struct { const char *sym; const Size *to; } One;

static const Size *subst_one(void *ctx, const char *sym) { return ((One *)ctx)->sym == sym ? ((One *)ctx)->to : NULL; }

static void report_unsolved(Check *c, const Solved *s) {
    Diag *d = report(c, s->span, E_SIZE_UNSOLVED, s->var->name);
    diag_hint(c->s, d, "let it be a size by itself in another parameter, or pass it: %s: int", s->var->name);
}

/* Writes the axis as a*n + b; the parameter itself follows the declared ones. */
static void solve_sizes(Check *c, InstInfo *inst, const Decl *d) {
    for (int i = 0; i < inst->solved.len; i++) {
        Solved *s = &inst->solved.data[i];
        const FType *t = inst->inst.params.data[s->param]->type;
        s->self = inst->inst.params.len;
        s->a = s->b = size_const(c->s, 1);
        vec_push(c->a, &inst->inst.params, s->var);
        if (t->kind != FT_ARRAY) continue;
        One zero = {s->sym, size_const(c->s, 0)}, one = {s->sym, size_const(c->s, 1)};
        const Size *dim = t->dims[s->axis], *n = size_sym(c->s, s->sym);
        s->b = size_subst(c->s, dim, subst_one, &zero);
        s->a = size_sub(c->s, size_subst(c->s, dim, subst_one, &one), s->b);
        int64_t k;
        bool linear = size_is_const(s->a, &k) && k > 0 && size_add(c->s, size_mul(c->s, s->a, n), s->b) == dim;
        if (!linear || d->is_extern || d->is_export) report_unsolved(c, s);
        if (!linear) s->a = size_const(c->s, 1);
    }
}

static const FType *param_type(Check *c, InstInfo *inst, const Param *p, const Bindings *b) {
    NewSizes fresh = {0};
    const TypeExpr *tx = p->type;
    if (!tx) return report(c, p->span, E_PARAM_TYPE, p->name), &ftype_error;
    if (tx->kind == TX_FUNC || (tx->kind == TX_ARRAY && tx->any_rank)) {
        const FType *t = binding_find(b, p->name);
        if (t) inst_adopt_type(c, inst, t, p->span);
        return t ? t : &ftype_error;
    }
    const FType *t = type_resolve(c, tx, &fresh);
    for (int i = 0; i < fresh.len; i++) {
        const NewSize *n = &fresh.data[i];
        SymInfo *info = map_get(&c->fn->syms, n->sym);
        info->what = n->field ? intern_printf(c->s, "a size of '%s'", p->name)
                              : intern_printf(c->s, "a size of '%s'", p->name);
        inst_add_size(c, inst, n->sym, n->sym, n->span, false);
    }
    return t;
}

/* Parameters: ints first, since sizes may be built from them; then names of sizes; then types. */
static void define_params(Check *c, InstInfo *inst, ParamVec *params, const Bindings *b) {
    Var **ints = NEWN(c->a, Var *, params->len);
    for (int i = 0; i < params->len; i++) {
        Param *p = &params->data[i];
        if (!is_int_type(c, p->type)) continue;
        ints[i] = var_new(c, VAR_PARAM, p->name, p->span, ftype_scalar(c->s, DT_I64));
        ints[i]->mode = p->mode;
        var_give_sym(c, ints[i]);
        ((SymInfo *)map_get(&c->fn->syms, ints[i]->sym))->what = intern_printf(c->s, "the parameter '%s'", p->name);
        scope_define(c, ints[i]);
    }
    for (int i = 0; i < params->len; i++) define_sizes(c, inst, params->data[i].type, &params->data[i]);
    for (int i = 0, at = 0; i < params->len; i++) {
        define_solved(c, inst, &params->data[i], at);
        at += !params->data[i].type || params->data[i].type->kind != TX_FUNC;
    }
    for (int i = 0; i < params->len; i++) {
        Param *p = &params->data[i];
        if (ints[i]) {
            p->var = ints[i];
            vec_push(c->a, &inst->inst.params, ints[i]);
            continue;
        }
        Var *v = define_param(c, inst, p, param_type(c, inst, p, b));
        scope_define(c, v);
        if (type_is_scalar(v->type, DT_I64)) var_give_sym(c, v);
    }
}

/* Default values fit; those of generic functions are looked at where a call uses them. */
static void check_defaults(Check *c, const Decl *d) {
    for (int i = 0; i < d->params.len; i++) {
        const Param *p = &d->params.data[i];
        Reason why = {.what = intern_printf(c->s, "the default value of '%s'", p->name)};
        if (p->value && p->var) coerce(c, check_expr(c, expr_clone(c->s, p->value), NULL), p->var->type, &why);
    }
}

/* The declared result; its unknown sizes are whatever the value has. */
static void define_result(Check *c, InstInfo *inst, Decl *d) {
    NewSizes fresh = {0};
    const FType *ret = NULL;
    bool open = d->ret && d->ret->kind == TX_ARRAY && d->ret->any_rank;
    if (open && d->is_extern) { /* like the first array of any rank */
        for (int i = 0; i < d->params.len && !ret; i++)
            if (d->params.data[i].type && d->params.data[i].type->any_rank) ret = d->params.data[i].var->type;
    } else if (d->ret && !open) {
        ret = type_resolve(c, d->ret, &fresh);
    } else if (!d->ret && !d->expr_body) {
        ret = &ftype_unit;
    }
    for (int i = 0; i < fresh.len; i++) {
        ((SymInfo *)map_get(&c->fn->syms, fresh.data[i].sym))->what = "a size of the result";
        map_put(c->a, &c->fn->exist, fresh.data[i].sym, inst);
    }
    c->fn->ret = ret;
    inst->inst.ret = ret;
}

/* ---- what C can take and give */

/* An extern function takes structs and tuples field by field, so that arrays of them are several arrays. */
static bool fits_c(const FType *t, bool is_extern) {
    if (t->kind == FT_ERROR || t->kind == FT_UNIT || t->kind == FT_SCALAR) return true;
    if (t->kind == FT_ARRAY) return is_extern || t->elem->kind != FT_TUPLE;
    for (int i = 0; i < t->nfields; i++)
        if (!fits_c(t->fields[i], is_extern)) return false;
    return t->kind == FT_TUPLE || t->kind == FT_STRUCT;
}

static bool is_one_value(const FType *t) {
    return t->kind == FT_ERROR || t->kind == FT_UNIT || t->kind == FT_SCALAR ||
           (t->kind == FT_ARRAY && t->elem->kind == FT_SCALAR);
}

static void refuse_c_type(Check *c, Span at, const FType *t, bool is_extern, bool is_result) {
    Diag *d = report(c, at, E_C_TYPE, is_extern ? "an extern" : "an exported", ftype_str(c->s, t));
    if (is_extern && is_result)
        diag_hint(c->s, d, "one number, text or array comes back; let each result have a function of its own");
    else diag_hint(c->s, d, "arrays have elements that are numbers, or structs of numbers");
}

static void check_c_types(Check *c, const InstInfo *inst, const Decl *d) {
    for (int i = 0; i < d->params.len; i++) {
        const Var *v = d->params.data[i].var;
        if (v && !fits_c(v->type, d->is_extern)) refuse_c_type(c, v->span, v->type, d->is_extern, false);
    }
    const FType *ret = inst->inst.ret;
    if (ret && !(d->is_extern ? is_one_value(ret) : fits_c(ret, false)))
        refuse_c_type(c, d->ret ? d->ret->span : d->name_span, ret, d->is_extern, true);
}

/* What a kernel writes is memory, so an array. */
static void check_modes(Check *c, const Decl *d) {
    for (int i = 0; i < d->params.len; i++) {
        const Param *p = &d->params.data[i];
        if (p->mode == MODE_IN || !p->var || p->var->type->kind == FT_ARRAY || p->var->type->kind == FT_ERROR) continue;
        Diag *diag = report(c, p->span, E_OUT_SCALAR, p->name, ftype_str(c->s, p->var->type));
        if (p->var->type->kind == FT_SCALAR)
            diag_hint(c->s, diag, "make it an array of one element: %s: %s %s[1]", p->name,
                      p->mode == MODE_OUT ? "out" : "inout", ftype_str(c->s, p->var->type));
    }
}

void inst_signature(Check *c, InstInfo *inst, Decl *d, const Bindings *b) {
    const DeclInfo *info = decl_info(c, d);
    inst->fn->scope = decl_scope(c, d);
    for (int i = 0; b && i < b->v.len; i++) vec_push(c->a, &inst->inst.types, b->v.data[i]);
    for (int i = 0; i < info->tvars.len; i++) {
        const FType *t = binding_find(b, info->tvars.data[i]);
        TypeBind bind = {info->tvars.data[i], t ? t : &ftype_error};
        vec_push(c->a, &inst->fn->types, bind);
        if (t) inst_adopt_type(c, inst, t, d->name_span);
    }
    define_params(c, inst, &d->params, b);
    if (!d->generic) check_defaults(c, d);
    solve_sizes(c, inst, d);
    for (int i = 0; b && i < b->v.len; i++) {
        const FType *t = b->v.data[i].type;
        if (t->kind == FT_FUNC && t->lambda) inst_add_captures(c, inst, map_get(&c->lams, t->lambda));
    }
    for (int i = 0; i < inst->inst.sizes.len; i++) inst->inst.sizes.data[i]->used = false; /* so far only in types */
    define_result(c, inst, d);
    check_modes(c, d);
    if (d->is_extern || d->is_export) check_c_types(c, inst, d);
}
