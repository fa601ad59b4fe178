/* A call and its instance: sizes of the callee in terms of the caller, conversion of arguments, the type of the result.
 */
#include "frontend/check.h"

#include <string.h>

/* ---- sizes and conversions of arguments */

typedef struct { const char *sym; bool found; } SymSearch;

static void look_for_sym(void *ctx, const char *sym) {
    SymSearch *s = ctx;
    s->found |= s->sym == sym;
}

static bool type_mentions(const FType *t, const char *sym) {
    SymSearch s = {sym, false};
    for (int i = 0; t->kind == FT_ARRAY && i < t->rank; i++) size_each_sym(t->dims[i], look_for_sym, &s);
    for (int i = 0; i < t->nfields && !s.found; i++) s.found = type_mentions(t->fields[i], sym);
    return s.found;
}

static bool inst_mentions(const Inst *inst, const char *sym) {
    if (inst->ret && type_mentions(inst->ret, sym)) return true;
    for (int i = 0; i < inst->params.len; i++)
        if (type_mentions(inst->params.data[i]->type, sym)) return true;
    return false;
}

static const Size *found_size(void *ctx, const char *sym) { return map_get((const Map *)ctx, sym); }

static void add_bind(Check *c, SizeBindVec *binds, Map *found, const char *sym, const Size *z) {
    SizeBind b = {sym, z};
    map_put(c->a, found, sym, (void *)z);
    vec_push(c->a, binds, b);
}

static bool is_solved(const InstInfo *inst, const Var *v) {
    for (int i = 0; i < inst->solved.len; i++)
        if (inst->solved.data[i].var == v) return true;
    return false;
}

/* int parameters whose value is, or must be, a size */
static void bind_ints(Check *c, const InstInfo *info, ExprVec *args, int from, int from_param, SizeBindVec *binds,
                      Map *found) {
    const Inst *inst = &info->inst;
    for (int i = from_param; i < inst->params.len; i++) {
        const Var *v = inst->params.data[i];
        Expr *arg = args->data[from + i - from_param];
        if (!v->sym || is_solved(info, v) || !type_is_scalar(v->type, DT_I64) || !type_is_int(arg->type)) continue;
        bool needed = inst->decl && inst->decl->kind == DECL_KERNEL;
        if (arg->size) add_bind(c, binds, found, v->sym, arg->size);
        else if (needed || inst_mentions(inst, v->sym))
            add_bind(c, binds, found, v->sym, size_or_bind(c, arg, v->name));
    }
}

static void bind_sizes(Check *c, const Inst *inst, const ExprVec *args, int from, int from_param, SizeBindVec *binds,
                       Map *found) {
    Map here = {0};
    for (int i = from_param; i < inst->params.len; i++)
        match_sizes(c, &here, inst->params.data[i]->type, args->data[from + i - from_param]->type);
    for (int i = 0; i < inst->sizes.len; i++) {
        const char *sym = inst->sizes.data[i]->sym;
        const Size *z = map_get(&here, sym);
        if (z && !map_has(found, sym)) add_bind(c, binds, found, sym, z);
    }
}

/* n from a*n + b, the size of an argument's axis. */
static void bind_solved(Check *c, const InstInfo *inst, ExprVec *args, SizeBindVec *binds, Map *found) {
    for (int i = 0; i < inst->solved.len; i++) {
        const Solved *s = &inst->solved.data[i];
        const FType *t = args->data[s->param]->type;
        const Size *d = t->kind == FT_ARRAY ? t->dims[s->axis] : size_const(c->s, 0);
        Expr *arg = args->data[s->self];
        arg->size = size_floordiv(c->s, size_sub(c->s, d, size_subst(c->s, s->b, found_size, found)), s->a);
        arg->var->size = arg->size;
        add_bind(c, binds, found, s->sym, arg->size);
    }
}

static bool mentions_bare(const FType *t, const char *sym) {
    for (int i = 0; t->kind == FT_ARRAY && i < t->rank; i++)
        if (size_as_sym(t->dims[i]) == sym) return true;
    for (int i = 0; i < t->nfields; i++)
        if (mentions_bare(t->fields[i], sym)) return true;
    return false;
}

/* Argument i has another size than its parameter's type asks for: the argument that says so, if it is another one.
 * args[k] belongs to parameter k. */
static void note_other_argument(Check *c, Reason *why, const Inst *inst, Expr *const *args, int i, Map *found) {
    const FType *want = inst->params.data[i]->type, *have = args[i]->type;
    for (int k = 0; want->kind == FT_ARRAY && have->kind == FT_ARRAY && want->rank == have->rank && k < want->rank;
         k++) {
        const char *sym = size_as_sym(want->dims[k]);
        const Size *size = sym ? map_get(found, sym) : NULL;
        if (!size || size == have->dims[k]) continue;
        for (int j = 0; j < inst->params.len; j++) {
            const Var *v = inst->params.data[j];
            if (j == i || (v->sym != sym && !mentions_bare(v->type, sym))) continue;
            why->like = args[j];
            why->like_note = intern_printf(c->s, "'%.*s' is %s by this argument", (int)strcspn(sym, "."), sym,
                                           size_str(c->s, size));
            return;
        }
    }
}

/* A constant hides the size that its name would be: f64[n] takes n elements of the file's n. */
static const char *note_of_param(Check *c, const Decl *d, const Var *v) {
    int64_t value;
    for (int i = 0; d && i < d->params.len; i++) {
        const TypeExpr *tx = d->params.data[i].type;
        if (d->params.data[i].name != v->name || !tx || tx->kind != TX_ARRAY || tx->dims.len != v->type->rank) continue;
        for (int k = 0; k < tx->dims.len; k++)
            if (tx->dims.data[k] && tx->dims.data[k]->kind == EX_NAME && size_is_const(v->type->dims[k], &value))
                return intern_printf(c->s, "the parameter, in which '%s' is the constant %lld", tx->dims.data[k]->name,
                                     (long long)value);
    }
    return "the parameter";
}

bool bind_call(Check *c, const InstInfo *info, ExprVec *args, int from, int from_param, SizeBindVec *binds, Map *found,
               const Decl *d) {
    const Inst *inst = &info->inst;
    bool ok = true;
    for (int i = from_param; i < inst->params.len; i++) { /* ints first: their own conversion may make them sizes */
        Expr **arg = &args->data[from + i - from_param];
        if (type_is_scalar(inst->params.data[i]->type, DT_I64) && type_is_int((*arg)->type))
            *arg = to_dtype(c, *arg, DT_I64);
    }
    bind_ints(c, info, args, from, from_param, binds, found);
    bind_sizes(c, inst, args, from, from_param, binds, found);
    if (!from_param) bind_solved(c, info, args, binds, found);
    for (int i = from_param; i < inst->params.len; i++) {
        const Var *v = inst->params.data[i];
        Expr **arg = &args->data[from + i - from_param];
        Reason why = {
            .what = intern_printf(c->s, "argument '%s'", v->name), .note_at = v->span, .note = note_of_param(c, d, v)};
        if (d && decl_is_std(c, d)) why.note = NULL;
        note_other_argument(c, &why, inst, args->data + from - from_param, i, found);
        *arg = coerce(c, *arg, ftype_subst(c->s, v->type, found_size, found), &why);
        ok &= !is_error(*arg);
    }
    return ok;
}

/* ---- the result's type at a call */

typedef struct { Check *c; Map *found; Map dims; Span at; bool open; } Result;

static void look_if_known(void *ctx, const char *sym) {
    Result *r = ctx;
    r->open |= !map_has(r->found, sym);
}

/* Sizes that only the callee knows become fresh symbols here. */
static void find_open_sizes(Result *r, const FType *t, bool bare) {
    Check *c = r->c;
    for (int i = 0; t->kind == FT_ARRAY && i < t->rank; i++) {
        const char *sym = size_as_sym(t->dims[i]);
        r->open = false;
        size_each_sym(t->dims[i], look_if_known, r);
        if (!r->open || bare != (sym != NULL) || map_has(&r->dims, t->dims[i])) continue;
        const char *base = sym ? sym : "size";
        char first[64];
        size_t n = strcspn(base, ".");
        snprintf(first, sizeof first, "%.*s", n < 60 ? (int)n : 60, base);
        const Size *made = size_sym(c->s,
                                    sym_fresh(c, intern(c->s, n ? first : "size"), r->at, "a size of this result"));
        if (sym) map_put(c->a, r->found, sym, (void *)made);
        else map_put(c->a, &r->dims, t->dims[i], (void *)made);
    }
    for (int i = 0; i < t->nfields; i++) find_open_sizes(r, t->fields[i], bare);
}

static const FType *subst_result(Result *r, const FType *t) {
    Check *c = r->c;
    if (t->kind == FT_ARRAY) {
        const Size *dims[MAX_RANK];
        for (int i = 0; i < t->rank; i++) {
            const Size *made = map_get(&r->dims, t->dims[i]);
            dims[i] = made ? made : size_subst(c->s, t->dims[i], found_size, r->found);
        }
        return ftype_array(c->s, t->elem, t->rank, dims);
    }
    if (t->kind != FT_TUPLE && t->kind != FT_STRUCT) return t;
    const FType **fields = NEWN(c->a, const FType *, t->nfields);
    for (int i = 0; i < t->nfields; i++) fields[i] = subst_result(r, t->fields[i]);
    return t->kind == FT_TUPLE ? ftype_tuple(c->s, t->nfields, fields)
                               : ftype_struct(c->s, t->decl, t->nfields, fields, t->names);
}

const FType *result_type(Check *c, const Inst *inst, Map *found, Span at) {
    Result r = {.c = c, .found = found, .at = at};
    find_open_sizes(&r, inst->ret, true);
    find_open_sizes(&r, inst->ret, false);
    return subst_result(&r, inst->ret);
}
