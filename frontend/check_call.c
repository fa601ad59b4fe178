/* Calls: of functions, function values, types (conversions, struct literals). */
#include "frontend/check.h"

/* ---- calls of functions */

Expr *library_name(Check *c, Span at, const char *name) {
    Expr *e = expr_name(c->s, at, intern(c->s, name));
    e->of_library = true;
    return e;
}

Expr *call_of(Check *c, Span at, Expr *callee, int n, Expr *const *args) {
    Expr *e = expr_new(c->s, EX_CALL, at);
    e->callee = callee;
    for (int i = 0; i < n; i++) {
        vec_push(c->a, &e->args, args[i]);
        vec_push(c->a, &e->arg_names, (const char *)NULL);
    }
    return e;
}

Expr *call_library(Check *c, Span at, const char *name, int n, Expr *const *args) {
    return call_of(c, at, library_name(c, at, name), n, args);
}

static bool check_arg_list(Check *c, ExprVec *args) {
    bool ok = true;
    for (int i = 0; i < args->len; i++) {
        Expr *e = args->data[i] = check_expr(c, args->data[i], NULL);
        FTypeKind k = e->type->kind;
        if (k == FT_UNIT || k == FT_TYPE) e = args->data[i] = check_value(c, e, NULL); /* reports */
        ok &= !is_error(e);
    }
    return ok;
}

/* The run-time arguments of a chosen overload: without functions, with what these captured. */
ExprVec runtime_args(Check *c, const InstInfo *inst, const Decl *d, Expr *const *ordered, Span at) {
    ExprVec out = {0};
    for (int i = 0; i < d->params.len; i++)
        if (ordered[i]->type->kind != FT_FUNC) vec_push(c->a, &out, ordered[i]);
    for (int i = 0; i < inst->solved.len; i++) {
        Expr *n = expr_name(c->s, at, inst->solved.data[i].var->name);
        n->var = var_new(c, VAR_SIZE, n->name, at, inst->solved.data[i].var->type);
        n->type = n->var->type;
        vec_push(c->a, &out, n);
    }
    push_captures(c, &out, inst, at);
    return out;
}

static Expr *finish_call(Check *c, Expr *e, InstInfo *inst, const Decl *d) {
    Map found = {0};
    e->call = d && d->is_extern ? CALL_EXTERN : CALL_FN;
    e->inst = &inst->inst;
    e->arg_names.len = 0;
    inst_uses(c, inst, e->span);
    if (d && d->is_extern) not_device(c, "call C", e->span);
    if (d && d->is_extern && !(decl_is_std(c, d) && c_name_computes(d->name))) impure(c);
    if (!bind_call(c, inst, &e->args, 0, 0, &e->binds, &found, d) || inst->inst.ret->kind == FT_ERROR)
        return error_expr(e);
    e->type = result_type(c, &inst->inst, &found, e->span);
    if (d && !d->is_extern) check_settings(c, e, d);
    return e;
}

/* sum(x for ..) of a program that has a sum of its own */
static bool takes_generator(Check *c, const Expr *e, const Decl *head) {
    for (int i = 0; i < e->args.len; i++)
        if (e->args.data[i]->kind == EX_GEN && map_has(&c->builtins, head->name)) {
            note_hidden(c, report(c, e->args.data[i]->span, E_GENERATOR_ALONE), head);
            return true;
        }
    return false;
}

static Expr *call_decl(Check *c, Expr *e, Decl *head) {
    Match m;
    Expr **ordered;
    if (head->kind == DECL_KERNEL) {
        Diag *d = report(c, e->span, E_KERNEL_CALLED, head->name);
        note_decl(c, d, head);
        diag_hint(c->s, d, "launch %s[grid, block](...)", head->name);
        return error_expr(e);
    }
    if (takes_generator(c, e, head) || !check_arg_list(c, &e->args) || report_save(c, e, head))
        return error_expr(e);
    Found fit = find_overload(c, head, &e->args, &e->arg_names, e->span, &m, &ordered);
    Expr *each = fit == FOUND_NONE ? check_each(c, e, head) : NULL;
    if (each) return each;
    if (fit == FOUND_NONE) report_no_fit(c, head, &e->args, &e->arg_names, e->span);
    if (fit != FOUND_ONE) return error_expr(e);
    InstInfo *inst = inst_of_decl(c, m.d, &m.b, e->span);
    if (!inst || !inst->inst.ret) return error_expr(e);
    e->args = runtime_args(c, inst, m.d, ordered, e->span);
    return finish_call(c, e, inst, m.d);
}

static int required_params(const Decl *d) {
    int n = 0;
    for (int i = 0; i < d->params.len; i++) n += !d->params.data[i].value;
    return n;
}

static bool report_no_direction(Check *c, const Expr *e, const Expr *lambda) {
    const char *name = intern_printf(c->s, "%s(%s)", builtin_info(lambda->a->builtin)->name, lambda->derives->name);
    Diag *d = report(c, e->span, E_ARGUMENT_COUNT, name, count_words(c, lambda->params.len), e->args.len);
    diag_hint(c->s, d, "%s", builtin_info(lambda->a->builtin)->doc);
    return false;
}

/* A literal, or an array of them, as one of elements like want */
static Expr *literal_as(Check *c, Expr *x, const FType *want) {
    return x->flex && want->kind == FT_SCALAR ? coerce(c, x, with_dtype(c, x->type, want->dtype), NULL) : x;
}

/* The arguments of a derivative are those of the function: names, default values, literals of its types.  Behind them
 * may stand a direction.  False after reporting. */
static bool order_derivative_args(Check *c, Expr *e, const Expr *lambda) {
    Decl *of = lambda->derives;
    Match m;
    Expr **ordered, *last = NULL;
    bool direction = lambda->params.len > of->params.len;
    if (direction && !of->next_overload && e->args.len <= required_params(of)) return report_no_direction(c, e, lambda);
    if (direction && e->args.len && !(e->args.len <= e->arg_names.len && e->arg_names.data[e->args.len - 1]))
        last = e->args.data[--e->args.len];
    if (!choose_overload(c, of, &e->args, &e->arg_names, e->span, &m, &ordered)) return false;
    const InstInfo *inst = inst_of_decl(c, m.d, &m.b, e->span);
    if (!inst || !inst->inst.ret) return false;
    const FType *of_floats = NULL;
    e->args.len = e->arg_names.len = 0;
    for (int i = 0, k = 0; i < m.d->params.len; i++) {
        Expr *x = ordered[i];
        if (x->type->kind != FT_FUNC) {
            const FType *want = elem_of(inst->inst.params.data[k++]->type);
            x = literal_as(c, x, want);
            if (want->kind == FT_SCALAR && dtype_is_float(want->dtype)) of_floats = want;
        }
        vec_push(c->a, &e->args, x);
    }
    if (last) vec_push(c->a, &e->args, of_floats ? literal_as(c, last, of_floats) : last);
    return true;
}

static Expr *call_lambda(Check *c, Expr *e, Expr *lambda) {
    Lam *lam = lambda_of(c, lambda);
    if (!check_arg_list(c, &e->args)) return error_expr(e);
    if (lambda->derives && !order_derivative_args(c, e, lambda)) return error_expr(e);
    if (e->args.len != lambda->params.len) {
        Diag *d = report(c, e->span, E_ARGUMENT_COUNT, "this function", count_words(c, lambda->params.len),
                         e->args.len);
        diag_note(c->s, d, lambda->span, "the function is here");
        return error_expr(e);
    }
    Decl params = {.name = "this function", .name_span = lambda->span, .span = lambda->span, .params = lambda->params};
    Expr **ordered = order_args(c, &params, &e->args, &e->arg_names, true, e->span);
    if (!ordered) return error_expr(e);
    for (int i = 0; i < e->args.len; i++) e->args.data[i] = unflex(c, ordered[i]);
    InstInfo *inst = inst_of_lambda(c, lam, e->args.len, types_of(c, e->args.data, e->args.len), NULL, e->span);
    if (!inst) return error_expr(e);
    ExprVec args = {0};
    for (int i = 0; i < e->args.len; i++)
        if (e->args.data[i]->type->kind != FT_FUNC) vec_push(c->a, &args, e->args.data[i]);
    push_captures(c, &args, inst, e->span);
    e->args = args;
    return finish_call(c, e, inst, NULL);
}

static Expr *call_func(Check *c, Expr *e, const FType *f) {
    return f->lambda ? call_lambda(c, e, f->lambda) : call_decl(c, e, f->decl);
}

static InstInfo *report_func_count(Check *c, Span at, const char *name, int have, int need) {
    report(c, at, E_FUNCTION_ARITY, name, count_words(c, have), count_words(c, need));
    return NULL;
}

static const char *type_list(Check *c, int n, const FType *const *types) {
    Text t;
    text_init(&t, c->a);
    for (int i = 0; i < n; i++) text_printf(&t, "%s%s", i ? ", " : "", ftype_str(c->s, types[i]));
    return text_str(&t);
}

InstInfo *func_inst(Check *c, const FType *f, int n, const FType *const *types, const FType *want, Span at) {
    if (f->lambda) {
        if (f->lambda->params.len != n) return report_func_count(c, at, "this function", f->lambda->params.len, n);
        return inst_of_lambda(c, lambda_of(c, f->lambda), n, types, want, at);
    }
    Match best, m;
    bool found = false;
    for (Decl *d = f->decl; d && !(found && best.exact); d = d->next_overload) {
        if (!match_decl(&m, c, d, n, types, NULL, at) || (found && !m.exact)) {
            if (m.bad == -2) return NULL;
            continue;
        }
        best = m;
        found = true;
    }
    if (!found && !f->decl->next_overload && f->decl->params.len != n)
        return report_func_count(c, at, f->decl->name, f->decl->params.len, n);
    if (!found) {
        Diag *d = report(c, at, E_NO_OVERLOAD, f->decl->name, type_list(c, n, types));
        note_decl(c, d, f->decl);
        const FType *swapped[] = {n == 2 ? types[1] : NULL, types[0]};
        if (n == 2 && match_decl(&m, c, f->decl, n, swapped, NULL, at))
            diag_hint(c->s, d, "it is called with (%s): its parameters stand the other way around",
                      type_list(c, n, types));
        return NULL;
    }
    InstInfo *inst = inst_of_decl(c, best.d, &best.b, at);
    return inst && inst->inst.ret ? inst : NULL;
}

/* ---- casts and structs */

/* str(x) is f"{x}". */
static Expr *text_of(Check *c, Expr *e, Expr *x) {
    Expr *f = expr_new(c->s, EX_FORMAT, e->span);
    Text out;
    text_init(&out, c->a);
    template_add_place(&out, "", 0);
    f->name = intern_n(c->s, text_str(&out), (size_t)out.len);
    vec_push(c->a, &f->args, x);
    return check_expr(c, f, NULL);
}

/* f64("1.5"), int("12"), of an array for each; NULL: no text is read as this type */
static Expr *number_of_text(Check *c, Expr *e, Expr *x, DType to) {
    const char *name = to == DT_F64 || to == DT_F32 ? "_text_float" : to == DT_I64 ? "_text_int" : NULL;
    if (!name) return NULL;
    Expr *number = check_expr(c, call_library(c, e->span, name, 1, &x), NULL);
    return is_error(number) || to != DT_F32 ? number : to_dtype(c, number, to);
}

static Expr *check_cast(Check *c, Expr *e, const FType *to) {
    e->call = CALL_CAST;
    if (e->args.len != 1) {
        report(c, e->span, E_ARGUMENT_COUNT, ftype_str(c->s, to), "1 argument", e->args.len);
        return error_expr(e);
    }
    if (e->arg_names.len && e->arg_names.data[0]) {
        report(c, arg_name_span(c, e->args.data[0], e->arg_names.data[0]), E_NO_PARAMETER, ftype_str(c->s, to),
               e->arg_names.data[0]);
        return error_expr(e);
    }
    Expr *x = e->args.data[0] = check_value(c, e->args.data[0], NULL);
    if (is_error(x)) return error_expr(e);
    const FType *elem = elem_of(x->type);
    if (type_is_scalar(to, DT_STR)) return text_of(c, e, x);
    if (type_is_scalar(elem, DT_STR) && to->kind == FT_SCALAR) {
        Expr *known = number_of_text(c, e, x, to->dtype);
        if (known) return known;
    }
    if (elem->kind != FT_SCALAR || elem->dtype == DT_STR || to->kind != FT_SCALAR || to->dtype == DT_STR) {
        Diag *d = report(c, x->span, E_CAST, ftype_str(c->s, to), ftype_str(c->s, x->type));
        if (is_complex(c, x->type)) diag_hint(c->s, d, "its parts are z.re and z.im");
        else if (type_is_scalar(elem, DT_STR))
            diag_hint(c->s, d, "a text is read as int, f64 or f32, and converted then: %s(int(s))",
                      ftype_str(c->s, to));
        return error_expr(e);
    }
    warn_cast(c, x, to->dtype);
    x = e->args.data[0] = unflex(c, x);
    e->type = with_dtype(c, x->type, to->dtype);
    if (x->is_const && e->type->kind == FT_SCALAR) set_const(c, e, const_cast(x->lit, to->dtype));
    else if (e->type == x->type) e->size = x->size;
    return e;
}

static int field_index(const Decl *d, const char *name) {
    for (int i = 0; i < d->fields.len; i++)
        if (d->fields.data[i].name == name) return i;
    return -1;
}

/* Fields of a struct in the struct are given to that one: B(A(1.0), 3), not B(1.0, 3) */
static void hint_nested(Check *c, Diag *diag, const Decl *d) {
    for (int i = 0; i < d->fields.len; i++) {
        const TypeExpr *tx = d->fields.data[i].type;
        Decl *in = tx && tx->kind == TX_NAME ? struct_find(c, tx->name) : NULL;
        if (!in) continue;
        diag_hint(c->s, diag, "the field '%s' is a struct, which is made first: %s(..., %s=%s(...), ...)",
                  d->fields.data[i].name, d->name, d->fields.data[i].name, in->name);
        return;
    }
}

/* Arguments of a struct literal in field order; false after reporting. */
static bool order_fields(Check *c, Expr *e, const Decl *d) {
    int n = d->fields.len, next = 0;
    Expr **out = NEWN(c->a, Expr *, n);
    for (int i = 0; i < e->args.len; i++) {
        const char *name = i < e->arg_names.len ? e->arg_names.data[i] : NULL;
        int k = name ? field_index(d, name) : next++;
        if (k >= 0 && k < n && !out[k]) {
            out[k] = e->args.data[i];
            continue;
        }
        Diag *diag = name && k < 0 ? report(c, arg_name_span(c, e->args.data[i], name), E_NO_FIELD, d->name, name)
                   : name          ? report(c, arg_name_span(c, e->args.data[i], name), E_ARGUMENT_TWICE, name, d->name)
                                   : report(c, e->span, E_ARGUMENT_COUNT, d->name, count_words(c, n), e->args.len);
        diag_note(c->s, diag, d->name_span, "the struct is defined here");
        if (!name || k < 0) hint_nested(c, diag, d);
        return false;
    }
    for (int i = 0; i < n; i++) {
        if (!out[i] && d->fields.data[i].value)
            out[i] = check_value(c, expr_clone(c->s, d->fields.data[i].value), NULL);
        if (out[i]) continue;
        Diag *diag = report(c, e->span, E_FIELD_MISSING, d->name, d->fields.data[i].name);
        diag_note(c->s, diag, d->fields.data[i].span, "the field is declared here");
        return false;
    }
    e->args.len = e->arg_names.len = 0;
    for (int i = 0; i < n; i++) vec_push(c->a, &e->args, out[i]);
    return true;
}

static const Size *found_size(void *ctx, const char *sym) { return map_get((const Map *)ctx, sym); }

/* The sizes of the value's type: from int fields that name them, then from arrays. */
static const FType *struct_value_type(Check *c, Expr *e, Decl *d) {
    NewSizes fresh = {0};
    Map found = {0};
    const FType *pattern = struct_type(c, d, &fresh, e->span);
    if (pattern->kind == FT_ERROR) return pattern;
    for (int i = 0; i < fresh.len; i++) {
        int k = fresh.data[i].field ? field_index(d, fresh.data[i].field) : -1;
        if (k < 0 || !type_is_scalar(pattern->fields[k], DT_I64) || !type_is_int(e->args.data[k]->type)) continue;
        e->args.data[k] = to_dtype(c, e->args.data[k], DT_I64);
        map_put(c->a, &found, fresh.data[i].sym, (void *)size_or_bind(c, e->args.data[k], fresh.data[i].field));
    }
    for (int i = 0; i < pattern->nfields; i++) match_sizes(c, &found, pattern->fields[i], e->args.data[i]->type);
    return ftype_subst(c->s, pattern, found_size, &found);
}

static Expr *check_struct(Check *c, Expr *e, Decl *d) {
    bool ok = true;
    DType part;
    e->call = CALL_STRUCT;
    for (int i = 0; i < e->args.len; i++) {
        e->args.data[i] = check_value(c, e->args.data[i], NULL);
        ok &= !is_error(e->args.data[i]);
    }
    if (!ok) return error_expr(e);
    if (complex_struct(c, d, &part)) return check_complex_struct(c, e, part);
    if (!order_fields(c, e, d)) return error_expr(e);
    const FType *t = struct_value_type(c, e, d);
    if (t->kind == FT_ERROR) return error_expr(e);
    for (int i = 0; i < t->nfields; i++) {
        Reason why = {.what = intern_printf(c->s, "field '%s' of %s", d->fields.data[i].name, d->name),
                      .note_at = d->fields.data[i].span, .note = "the field is declared here"};
        e->args.data[i] = coerce(c, e->args.data[i], t->fields[i], &why);
        ok &= !is_error(e->args.data[i]);
    }
    e->type = t;
    return ok ? e : error_expr(e);
}

/* ---- all calls */

static Expr *check_anyway(Check *c, Expr *e) { /* arguments, for what is wrong in them */
    for (int i = 0; i < e->args.len; i++)
        if (e->args.data[i]->kind != EX_GEN) check_expr(c, e->args.data[i], NULL);
    return error_expr(e);
}

static Expr *report_not_function(Check *c, Expr *e, const FType *t, const Var *v) {
    if (t->kind == FT_ERROR) return check_anyway(c, e);
    Diag *d = report(c, e->callee->span, E_NOT_FUNCTION, ftype_str(c->s, t));
    if (v) diag_note(c->s, d, v->span, "'%s' is defined here", v->name);
    if (v && map_has(&c->builtins, v->name))
        diag_hint(c->s, d, "the variable hides the function '%s': give it another name", v->name);
    else if (t->kind == FT_ARRAY) diag_hint(c->s, d, "elements are taken with brackets: x[i]");
    else if (t->kind == FT_SCALAR) diag_hint(c->s, d, "a product is written with *");
    return check_anyway(c, e);
}

static Expr *call_type(Check *c, Expr *e, const FType *t) {
    return t->kind == FT_STRUCT ? check_struct(c, e, t->decl) : check_cast(c, e, t);
}

static Expr *call_global(Check *c, Expr *e, const FType *want) {
    const char *name = e->callee->name;
    Global *g = named_global(c, e->callee);
    const FType *tvar = tvar_find(c, name);
    int b = (int)(intptr_t)map_get(&c->builtins, name);
    DType t;
    if (tvar) return call_type(c, e, tvar);
    if (g && g->kind == GL_FN) return call_decl(c, e, g->decl);
    if (g && g->kind == GL_STRUCT) return check_struct(c, e, g->decl);
    if (g) {
        Expr *callee = check_expr(c, e->callee, NULL);
        return callee->type->kind == FT_FUNC ? call_func(c, e, callee->type)
                                             : report_not_function(c, e, callee->type, g->var);
    }
    if (b) return check_builtin(c, e, b - 1, want);
    if (scalar_name(c, name, &t)) return check_cast(c, e, ftype_scalar(c->s, t));
    report_unknown_call(c, e);
    return check_anyway(c, e);
}

Expr *check_call(Check *c, Expr *e, const FType *want) {
    if (e->makes) return check_struct(c, e, e->makes);
    if (!e->callee && e->call == CALL_STRUCT) return check_imaginary(c, e);
    if (!e->callee) return check_builtin(c, e, e->builtin, want); /* the checker's own */
    Var *v = e->callee->kind == EX_NAME ? named_var(c, e->callee) : NULL;
    if (e->callee->kind == EX_NAME && !v) return call_global(c, e, want);
    Expr *callee = e->callee = check_expr(c, e->callee, NULL);
    if (callee->type->kind == FT_FUNC) return call_func(c, e, callee->type);
    if (callee->type->kind == FT_TYPE) return call_type(c, e, callee->type->elem);
    return report_not_function(c, e, callee->type, v);
}

