/* Instances: a function, kernel or lambda for one choice of element types and function arguments.
 *
 * The signature is made first; the body is checked from a queue, or at once when the result's type is not written.
 * Functions given as arguments are part of the choice and vanish; what a lambda captured is passed
 * to the instance in extra parameters, whose types are those at home with fresh size symbols. */
#include "frontend/check.h"

#include <string.h>

enum { MAX_DEPTH = 100, MAX_INFER = 100 };


/* ---- sizes replaced by symbols */

static const Size *erase_size(Check *c, const Size *z, Map *seen, int *count, const char *base) {
    if (size_is_const(z, NULL)) return z;
    const Size *sym = map_get(seen, z);
    if (sym) return sym;
    sym = size_sym(c->s, intern_printf(c->s, "%s.%d", base, (*count)++));
    map_put(c->a, seen, z, (void *)sym);
    return sym;
}

const FType *type_erase(Check *c, const FType *t, Map *seen, int *count, const char *base) {
    if (t->kind == FT_ARRAY) {
        const Size *dims[MAX_RANK];
        for (int i = 0; i < t->rank; i++) dims[i] = erase_size(c, t->dims[i], seen, count, base);
        return ftype_array(c->s, t->elem, t->rank, dims);
    }
    if (t->kind != FT_TUPLE && t->kind != FT_STRUCT) return t;
    const FType **fields = NEWN(c->a, const FType *, t->nfields);
    for (int i = 0; i < t->nfields; i++) fields[i] = type_erase(c, t->fields[i], seen, count, base);
    return t->kind == FT_TUPLE ? ftype_tuple(c->s, t->nfields, fields)
                               : ftype_struct(c->s, t->decl, t->nfields, fields, t->names);
}

void match_sizes(Check *c, Map *found, const FType *p, const FType *t) {
    if (p->kind != t->kind || p->rank != t->rank || p->nfields != t->nfields) return;
    for (int i = 0; i < p->rank; i++) {
        const char *sym = size_as_sym(p->dims[i]);
        if (sym && !map_has(found, sym)) map_put(c->a, found, sym, (void *)t->dims[i]);
    }
    for (int i = 0; i < p->nfields; i++) match_sizes(c, found, p->fields[i], t->fields[i]);
}

/* ---- making an instance */

static const char *unique_name(Check *c, const char *base) {
    const char *key = intern(c->s, base), *name = key;
    intptr_t n = (intptr_t)map_get(&c->inst_names, key);
    if (n) name = intern_printf(c->s, "%s.%d", base, (int)n + 1);
    map_put(c->a, &c->inst_names, key, (void *)(n + 1));
    return name;
}

static InstInfo *inst_new(Check *c, Decl *d, const char *base, Span at, FnKind kind) {
    InstInfo *inst = NEW(c->a, InstInfo);
    inst->inst.decl = d;
    inst->inst.name = unique_name(c, base);
    inst->asked_at = at;
    inst->asked_by = c->fn ? c->fn->inst : NULL;
    bool generic = !d || d->generic; /* the others are finitely many */
    inst->depth = generic && inst->asked_by ? inst->asked_by->depth + 1 : 0;
    inst->fn = fn_new(c, kind, base);
    inst->fn->inst = inst;
    vec_push(c->a, &c->all, inst);
    return inst;
}

static Fn *enter(Check *c, InstInfo *inst) {
    Fn *saved = c->fn;
    inst->fn->outer = saved;
    c->fn = inst->fn;
    return saved;
}

/* A size of the instance, with symbol sym (already registered) */
void inst_add_size(Check *c, InstInfo *inst, const char *name, const char *sym, Span at, bool visible) {
    Var *v = var_new(c, VAR_SIZE, name, at, ftype_scalar(c->s, DT_I64));
    v->sym = sym;
    v->size = size_sym(c->s, sym);
    vec_push(c->a, &inst->inst.sizes, v);
    if (visible) scope_define(c, v);
}

static void register_sym(Check *c, const char *sym, Span at, const char *what) {
    SymInfo *info = NEW(c->a, SymInfo);
    *info = (SymInfo){sym, at, what, c->fn->depth, false};
    map_put(c->a, &c->fn->syms, sym, info);
}

typedef struct { Check *c; InstInfo *inst; Span at; } Adopt;

static void adopt_sym(void *ctx, const char *sym) {
    Adopt *a = ctx;
    if (map_has(&a->c->fn->syms, sym)) return;
    register_sym(a->c, sym, a->at, NULL);
    inst_add_size(a->c, a->inst, sym, sym, a->at, false);
}

/* Makes the symbols of an erased type sizes of the instance. */
void inst_adopt_type(Check *c, InstInfo *inst, const FType *t, Span at) {
    Adopt a = {c, inst, at};
    for (int i = 0; t->kind == FT_ARRAY && i < t->rank; i++) size_each_sym(t->dims[i], adopt_sym, &a);
    for (int i = 0; i < t->nfields; i++) inst_adopt_type(c, inst, t->fields[i], at);
}

/* ---- bodies */

static void check_result_value(Check *c, InstInfo *inst, Expr *e) {
    Reason why = {.what = "the result"};
    Fn *fn = c->fn;
    e = check_value(c, e, fn->ret);
    if (fn->ret && !is_error(e)) {
        const FType *to = type_fill(c, fn->ret, &fn->exist, e->type);
        why.note = inst->inst.decl && inst->inst.decl->ret ? "the declared result" : NULL;
        why.note_at = why.note ? inst->inst.decl->ret->span : NO_SPAN;
        e = coerce(c, e, to, &why);
    } else if (!is_error(e)) {
        e = unflex(c, e);
        inst->inst.ret = fn->ret = e->type;
    } else if (!fn->ret) {
        inst->inst.ret = fn->ret = &ftype_error;
    }
    inst->inst.expr_body = e;
}

static void check_body(Check *c, InstInfo *inst) {
    Decl *d = inst->inst.decl;
    Fn *fn = inst->fn;
    Block *body = d->generic && d->body ? block_clone(c->s, d->body) : d->body;
    inst->inst.body = fn->body = body;
    if (d->expr_body) {
        check_result_value(c, inst, d->generic ? expr_clone(c->s, d->expr_body) : d->expr_body);
        return;
    }
    if (!body) return;
    bool falls = check_block(c, body);
    if (!fn->ret) inst->inst.ret = fn->ret = &ftype_unit; /* T[..] and nothing returned: reported below */
    if (falls && d->ret && fn->ret->kind != FT_ERROR) {
        Span end = {body->span.file, body->span.hi > 0 ? body->span.hi - 1 : 0, body->span.hi, 0};
        Diag *diag = report(c, end, E_MISSING_RETURN, d->name);
        diag_note(c->s, diag, d->ret->span, "a result is declared here");
        diag_hint(c->s, diag, "end every path with `return ...`");
    }
}

static void check_inst(Check *c, InstInfo *inst) {
    if (inst->state != INST_NEW) return;
    int nesting = c->nesting;
    Fn *saved = enter(c, inst);
    inst->state = INST_BUSY;
    c->nesting = 0;
    check_body(c, inst);
    inst->state = INST_READY;
    c->nesting = nesting;
    c->fn = saved;
}

void inst_run_queue(Check *c) {
    while (c->queue_at < c->queue.len) check_inst(c, c->queue.data[c->queue_at++]);
}

static bool too_deep(Check *c, const InstInfo *inst, Span at) {
    if (inst->depth > MAX_DEPTH) {
        Diag *d = report(c, at, E_INSTANCE_DEPTH, inst->inst.decl ? inst->inst.decl->name : "this function", MAX_DEPTH);
        diag_hint(c->s, d, "each call needs an instance with other types or functions: the chain never ends");
        return true;
    }
    if (c->infer_depth <= MAX_INFER) return false;
    diag_hint(c->s, report(c, at, E_INFER_DEPTH, inst->inst.name), "write the result type of '%s': fn f(..) -> type",
              inst->inst.decl->name);
    return true;
}

/* Checks the body now, to learn the type of the result. */
static void infer_result(Check *c, InstInfo *inst) {
    c->infer_depth++;
    check_inst(c, inst);
    c->infer_depth--;
}

static const char *inst_key(Check *c, const Decl *d, const DeclInfo *info, const Bindings *b) {
    Text t;
    text_init(&t, c->a);
    text_printf(&t, "%p", (const void *)d);
    for (int i = 0; i < info->tvars.len; i++)
        text_printf(&t, "|%p", (const void *)binding_find(b, info->tvars.data[i]));
    for (int i = 0; i < d->params.len; i++)
        text_printf(&t, "|%p", (const void *)binding_find(b, d->params.data[i].name));
    return intern(c->s, text_str(&t));
}

InstInfo *inst_of_decl(Check *c, Decl *d, const Bindings *b, Span at) {
    DeclInfo *info = decl_info(c, d);
    const char *key = d->generic ? inst_key(c, d, info, b) : NULL;
    InstInfo *inst = d->generic ? map_get(&c->insts, key) : info->only;
    if (!inst) {
        inst = inst_new(c, d, d->name, at, d->kind == DECL_KERNEL ? FN_KERNEL : FN_HOST);
        if (key) map_put(c->a, &c->insts, key, inst);
        else info->only = inst;
        if (too_deep(c, inst, at)) {
            inst->state = INST_READY;
            inst->inst.ret = &ftype_error;
            return NULL;
        }
        Fn *saved = enter(c, inst);
        inst_signature(c, inst, d, b);
        c->fn = saved;
        vec_push(c->a, &c->queue, inst);
    }
    if (!inst->inst.ret && inst->state == INST_NEW) infer_result(c, inst);
    if (!inst->inst.ret && inst->state == INST_BUSY) {
        Diag *diag = report(c, d->name_span, E_RECURSIVE_RESULT, d->name);
        diag_note(c->s, diag, at, "it is used here to find its own type");
        diag_hint(c->s, diag, "write it: fn %s(...) -> f64", d->name);
        inst->inst.ret = inst->fn->ret = &ftype_error;
    }
    return inst;
}

/* ---- lambdas */

static void bind_lambda_names(Check *c, InstInfo *inst, const Lam *lam) {
    for (int i = 0; i < lam->names.len; i++) {
        const NamedVar *n = &lam->names.data[i];
        Var *v = capture_local(inst->fn, lam, n->var);
        if (!v) {
            v = NEW(c->a, Var); /* a constant or a function: the same, at this depth */
            *v = *n->var;
            v->depth = inst->fn->depth;
        }
        map_put(c->a, &inst->fn->names, n->name, v);
    }
}

/* The declared type of a lambda's parameter, which arguments of type `given` must fit. */
static const FType *lambda_param_type(Check *c, const Param *p, const FType *given, NewSizes *fresh) {
    bool exact;
    const FType *t = type_resolve(c, p->type, fresh);
    if (t->kind == FT_ERROR || given->kind == FT_ERROR || coercible(given, NULL, t, &exact)) return t;
    Diag *d = report(c, p->span, E_TYPE_MISMATCH, intern_printf(c->s, "the parameter '%s'", p->name),
                     ftype_str(c->s, given), ftype_str(c->s, t));
    diag_note(c->s, d, p->type->span, "declared here, but called with %s", ftype_str(c->s, given));
    diag_hint(c->s, d, "the types of a lambda's parameters may be left out");
    return &ftype_error;
}

static void lambda_signature(Check *c, InstInfo *inst, Lam *lam, const FType *const *types) {
    Expr *e = lam->expr;
    for (int i = 0; i < e->params.len; i++) inst_adopt_type(c, inst, types[i], e->params.data[i].span);
    scope_push(c); /* parameters may hide what is captured */
    int nparams = e->params.len;
    for (int i = 0; i < nparams; i++) vec_push(c->a, &inst->inst.params, (Var *)NULL);
    inst_add_captures(c, inst, lam);
    for (int i = 0; i < nparams; i++) /* what the body hands on, with the functions that it is given */
        if (types[i]->kind == FT_FUNC && types[i]->lambda)
            inst_add_captures(c, inst, map_get(&c->lams, types[i]->lambda));
    bind_lambda_names(c, inst, lam);
    scope_push(c);
    VEC(Var *) all = {0}; /* run-time parameters first, then captures */
    for (int i = 0; i < nparams; i++) {
        Param *p = &e->params.data[i];
        NewSizes fresh = {0};
        const FType *t = types[i];
        if (p->type && p->type->kind != TX_FUNC) t = lambda_param_type(c, p, types[i], &fresh);
        for (int k = 0; k < fresh.len; k++)
            inst_add_size(c, inst, fresh.data[k].sym, fresh.data[k].sym, fresh.data[k].span,
                          fresh.data[k].name != NULL);
        Var *v = var_new(c, VAR_PARAM, p->name, p->span, t);
        scope_define(c, v);
        if (type_is_scalar(t, DT_I64)) var_give_sym(c, v);
        if (t->kind != FT_FUNC) vec_push(c->a, &all, v);
    }
    for (int i = nparams; i < inst->inst.params.len; i++) vec_push(c->a, &all, inst->inst.params.data[i]);
    inst->inst.params.data = all.data;
    inst->inst.params.len = all.len;
    inst->inst.params.cap = all.cap;
}

static const char *lambda_key(Check *c, const Lam *lam, int n, const FType *const *types, const FType *want) {
    Text t;
    text_init(&t, c->a);
    text_printf(&t, "%p>%p", (const void *)lam, (const void *)want);
    for (int i = 0; i < n; i++) text_printf(&t, "|%p", (const void *)types[i]);
    return intern(c->s, text_str(&t));
}

InstInfo *inst_of_lambda(Check *c, Lam *lam, int n, const FType *const *types, const FType *want, Span at) {
    Map seen = {0};
    int count = 0;
    const FType **erased = NEWN(c->a, const FType *, n);
    for (int i = 0; i < n; i++) erased[i] = type_erase(c, types[i], &seen, &count, "s");
    if (want && want->kind != FT_SCALAR) want = NULL; /* sizes in it would be the caller's */
    const char *key = lambda_key(c, lam, n, erased, want);
    InstInfo *inst = map_get(&c->insts, key);
    if (inst) return inst->state == INST_BUSY || !inst->inst.ret ? NULL : inst;
    inst = inst_new(c, NULL, "lambda", at, FN_HOST);
    map_put(c->a, &c->insts, key, inst);
    inst->inst.lambda = lam->expr;
    inst->lam = lam;
    inst->fn->scope = lam->home->scope;
    for (int i = 0; i < lam->home->types.len; i++) vec_push(c->a, &inst->fn->types, lam->home->types.data[i]);
    if (too_deep(c, inst, at)) return NULL;
    int nesting = c->nesting;
    Fn *saved = enter(c, inst);
    c->nesting = 0;
    inst->state = INST_BUSY;
    lambda_signature(c, inst, lam, erased);
    inst->fn->ret = want;
    check_result_value(c, inst, expr_clone(c->s, lam->expr->a));
    inst->inst.ret = inst->fn->ret;
    inst->state = INST_READY;
    c->nesting = nesting;
    c->fn = saved;
    return inst;
}
