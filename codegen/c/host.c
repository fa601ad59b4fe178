/* Function level: tensors with owners, library calls, checks, output. */
#include "codegen/c/private.h"
#include "runtime/dsl.h"

#include <string.h>

/* "(int64_t[]){n, m}" */
const char *emit_dims(Emit *e, const Type *t) {
    if (!t->rank) return "NULL";
    Text text;
    text_init(&text, e->arena);
    text_printf(&text, "(int64_t[]){");
    for (int i = 0; i < t->rank; i++) text_printf(&text, "%s%s", i ? ", " : "", expr_size(e, t->dims[i]).text);
    text_printf(&text, "}");
    return text_str(&text);
}

/* A call whose tensor result someone must own */
static void declare_tensor(Emit *e, const Value *r, const char *call) {
    emit_declare(e, r, "dsl_array *", call, arena_printf(e->arena, "%s;", call));
}

/* Fresh memory for an island goes by the name of what the island makes of it. */
static const char *final_name(const Value *v) {
    const Use *u = v->uses;
    if (!u || u->next || u->user->code != OP_ISLAND) return v->name;
    const Attr *modes = op_attr(u->user, A_MODES);
    int result = 0;
    for (int i = 0; i < u->index; i++) result += modes->ints[i] != 0;
    const char *name = u->user->res[result].name;
    return name ? name : v->name;
}

void emit_empty(Emit *e, Op *op) {
    const Type *t = op->res[0].type;
    op->res[0].name = final_name(&op->res[0]);
    declare_tensor(e, &op->res[0],
                   arena_printf(e->arena, "dsl_new(%s, %s, %d, %s)", emit_site(e, op->span), c_dtype(t->dtype), t->rank,
                                emit_dims(e, t)));
}

/* An element as a constant of C: numbers of 16 bits by their bits */
static const char *element_const(Emit *e, const Const *c) {
    if (c->dtype == DT_F16) return arena_printf(e->arena, "0x%04x", dsl_f32_to_f16((float)c->f));
    if (c->dtype == DT_BF16) return arena_printf(e->arena, "0x%04x", dsl_f32_to_bf16((float)c->f));
    return expr_const(e, c).text;
}

enum { TABLE_WIDTH = 100 };

void emit_table(Emit *e, Op *op) {
    const Attr *values = op_attr(op, A_VALUES);
    const Type *t = op->res[0].type;
    const char *name = arena_printf(e->arena, "dsl_table%d", ++e->tables);
    Text line;
    emit_line(e, "static const %s %s[] = {", c_elem(t->dtype), name);
    for (int i = 0; i < values->n;) {
        text_init(&line, e->arena);
        for (; i < values->n && line.len < TABLE_WIDTH; i++)
            text_printf(&line, "%s%s,", line.len ? " " : "", element_const(e, &values->consts[i]));
        emit_line(e, "    %s", text_str(&line));
    }
    emit_line(e, "};");
    declare_tensor(e, &op->res[0],
                   arena_printf(e->arena, "dsl_new_table(%s, %s, %d, %s, %s)", emit_site(e, op->span),
                                c_dtype(t->dtype), t->rank, emit_dims(e, t), name));
}

void emit_retain(Emit *e, Op *op) { emit_line(e, "dsl_retain(%s);", emit_opnd(e, op, 0).text); }
void emit_release(Emit *e, Op *op) { emit_line(e, "dsl_release(%s);", emit_opnd(e, op, 0).text); }

/* ---- views */

static const char *other_site(Emit *e, const Op *op) {
    Span at = op_place(op, A_OTHER);
    return at.file < 0 ? "NULL" : emit_site(e, at);
}

/* With a message it was a retype, whose sizes must be equal; else a reshape.  A retype may also give a size
 * a name. */
void emit_view(Emit *e, Op *op) {
    const Type *t = op->res[0].type;
    if (op_opnd(op, 0)->type->rank == t->rank) emit_define_syms_of(e, t, op_opnd(op, 0));
    const char *x = emit_opnd(e, op, 0).text, *msg = op_sym(op, A_MSG), *site = emit_site(e, op->span);
    if (view_is_same(op)) {
        emit_declare(e, &op->res[0], "dsl_array *", x, NULL);
        emit_define_syms(e, &op->res[0]); /* the same sizes may have other names */
    } else if (msg)
        declare_tensor(e, &op->res[0],
                       arena_printf(e->arena, "dsl_retype(%s, %s, %s, %s, %s)", site, x, emit_dims(e, t),
                                    expr_str(e, msg), other_site(e, op)));
    else
        declare_tensor(e, &op->res[0],
                       arena_printf(e->arena, "dsl_reshape(%s, %s, %d, %s)", site, x, t->rank, emit_dims(e, t)));
}

/* ---- elements of tensors */

static Expr linear_index(Emit *e, const Type *t, const Op *op) {
    Expr at = emit_opnd(e, op, 1);
    for (int i = 1; i < t->rank; i++)
        at = expr_binary(e, "+", expr_binary(e, "*", at, expr_array_extent(e, t->dims[i])), emit_opnd(e, op, i + 1));
    return at;
}

Expr emit_extract(Emit *e, const Op *op) {
    const Type *t = op_opnd(op, 0)->type;
    emit_check_index(e, op, t, 1);
    const char *at = t->rank ? linear_index(e, t, op).text : "0";
    const char *array = emit_opnd(e, op, 0).text;
    Expr x = e->opts->ranks ? expr_printf(e, PREC_POSTFIX, "DSL_RANKS_ELEM(%s, %s, %s, %s)", c_elem(t->dtype),
                                          emit_site(e, op->span), array, at)
                            : expr_printf(e, PREC_POSTFIX, "DSL_ELEM(%s, %s, %s)", c_elem(t->dtype), array, at);
    if (!dtype_is_half(t->dtype)) return x;
    return expr_printf(e, PREC_POSTFIX, "dsl_%s_to_f32(%s)", dtype_info(t->dtype)->name, x.text);
}

/* ---- the library of linear algebra */

static const char *blas_args(Emit *e, const Op *op) {
    int flag[3];
    Text t;
    text_init(&t, e->arena);
    text_printf(&t, "%s", emit_site(e, op->span));
    for (int i = 0; i < blas_row(op)->opnds; i++) text_printf(&t, ", %s", emit_opnd(e, op, i).text);
    for (int i = 0, n = blas_flags(op, flag); i < n; i++) text_printf(&t, ", %d", flag[i]);
    if (blas_word(op)) text_printf(&t, ", \"%s\"", blas_word(op));
    return text_str(&t);
}

void emit_blas(Emit *e, Op *op) {
    const BlasRow *row = blas_row(op);
    const Value *r = &op->res[0];
    const char *args = blas_args(e, op);
    if (row->arrays == 2) {
        Var *x = emit_declare(e, r, "dsl_array *", NULL, NULL),
            *y = emit_declare(e, &op->res[1], "dsl_array *", NULL, NULL);
        emit_line(e, "%s(%s, &%s, &%s);", row->fn, args, lines_ref(&e->lines, x), lines_ref(&e->lines, y));
        return;
    }
    const char *call = arena_printf(e->arena, "%s(%s)", row->fn, args);
    if (row->arrays) declare_tensor(e, r, call);
    else
        emit_declare(e, r, emit_qualified(e, r->type, false),
                     arena_printf(e->arena, "%s%s", r->type->dtype == DT_F32 ? "(float)" : "", call), NULL);
}

/* ---- checks and output */

static const char *check_arg(Emit *e, const Value *v) {
    const char *field = dtype_is_float(v->type->dtype) ? "f" : v->type->dtype == DT_STR ? "s" : "i";
    const char *cast = v->type->dtype == DT_U64 ? "(int64_t)" : "";
    const char *x = emit_value(e, v).text;
    if (*cast) x = arena_printf(e->arena, "%s(%s)", cast, x);
    return arena_printf(e->arena, "{%s, {.%s = %s}}", c_dtype(v->type->dtype), field, x);
}

/* (dsl_format){.width = 8, .digits = 3, .type = 'f'} */
static void add_spec(Text *t, const FormatPart *p) {
    FormatSpec spec;
    spec_read(p->text, p->len, &spec);
    const struct {
        const char *name;
        char c;
    } letters[] = {{"align", spec.align}, {"sign", spec.sign}, {"zero", spec.zero}, {"type", spec.type}};
    const struct { const char *name; int n; } numbers[] = {{"width", spec.width}, {"digits", spec.digits}};
    const char *before = "";
    text_printf(t, "dsl_print_as((dsl_format){");
    for (int i = 0; i < 4; i++)
        if (letters[i].c) text_printf(t, "%s.%s = '%c'", before, letters[i].name, letters[i].c), before = ", ";
    for (int i = 0; i < 2; i++)
        if (numbers[i].n) text_printf(t, "%s.%s = %d", before, numbers[i].name, numbers[i].n), before = ", ";
    text_printf(t, "}); ");
}

/* The calls that gather a statement's text, of the operands from k on */
static const char *gathered(Emit *e, Op *op, int k) {
    const char *at = op_sym(op, A_FORMAT);
    Text t;
    text_init(&t, e->arena);
    for (FormatPart p; at && template_next(&at, &p);) {
        if (!p.is_place)
            text_printf(&t, "dsl_print_str(%s); ", expr_str(e, arena_printf(e->arena, "%.*s", p.len, p.text)));
        else if (p.len) add_spec(&t, &p);
        if (p.is_place)
            text_printf(&t, "dsl_print_%s(%s); ", print_function(op_opnd(op, k)->type), emit_opnd(e, op, k).text), k++;
    }
    for (; k < op->nopnds; k++)
        text_printf(&t, "%sdsl_print_%s(%s); ", k ? "dsl_print_sep(); " : "", print_function(op_opnd(op, k)->type),
                    emit_opnd(e, op, k).text);
    return text_str(&t);
}

/* One statement, one line */
void emit_print(Emit *e, Op *op) { emit_line(e, "%sdsl_print_end(%s);", gathered(e, op, 0), emit_site(e, op->span)); }

void emit_format(Emit *e, Op *op) {
    Value *r = &op->res[0];
    emit_line(e, "%s", gathered(e, op, 0));
    const char *text = arena_printf(e->arena, "dsl_print_text(%s)", emit_site(e, op->span));
    emit_declare(e, r, emit_qualified(e, r->type, false), text, arena_printf(e->arena, "%s;", text));
}

static const char *check_args(Emit *e, const Op *op) {
    Text args;
    if (op->nopnds < 2) return "NULL";
    if (op_sym(op, A_FORMAT))
        return arena_printf(e->arena, "(dsl_arg[]){{%s, {.s = dsl_print_text(%s)}}}", c_dtype(DT_STR),
                            emit_site(e, op->span));
    text_init(&args, e->arena);
    for (int i = 1; i < op->nopnds; i++) text_printf(&args, "%s%s", i > 1 ? ", " : "", check_arg(e, op_opnd(op, i)));
    return arena_printf(e->arena, "(dsl_arg[]){%s}", text_str(&args));
}

/* Its message is made when it is needed. */
void emit_check(Emit *e, Op *op) {
    const char *code = op_sym(op, A_CODE), *msg = op_sym(op, A_MSG), *site = emit_site(e, op->span);
    const char *failed = emit_negated(e, op_opnd(op, 0)).text, *args = check_args(e, op);
    bool formatted = check_is_formatted(op);
    emit_open(e, "if (DSL_UNLIKELY(%s)) {", failed);
    if (emit_by_all(e, op)) emit_line(e, "dsl_ranks_look();");
    if (formatted) emit_line(e, "%s", gathered(e, op, 1));
    emit_line(e, "dsl_fail_args(%s, %s, %s, %d, %s);", site, expr_str(e, code ? code : "E0600"),
              expr_str(e, msg ? msg : ""), formatted ? 1 : op->nopnds - 1, args);
    emit_close(e);
}

/* ---- what comes from outside: sizes are learnt from it, or checked against it */

static bool has_known_dim(const Emit *e, const Type *t) {
    for (int i = 0; i < t->rank; i++) {
        const char *sym = size_as_sym(t->dims[i]);
        if (!sym || map_has(&e->syms, sym)) return true;
    }
    return false;
}

static void adopt_tensor(Emit *e, const Op *op, const char *call, const char *what) {
    const Value *r = &op->res[0];
    bool known = has_known_dim(e, r->type);
    declare_tensor(e, r, call);
    emit_define_syms(e, r);
    const char *x = emit_value(e, r).text;
    if (known)
        emit_line(e, "%s = dsl_retype(%s, %s, %s, %s, NULL);", x, emit_site(e, op->span), x, emit_dims(e, r->type),
                  expr_str(e, what));
}

void emit_loadfile(Emit *e, Op *op) {
    const Type *t = op->res[0].type;
    adopt_tensor(e, op,
                 arena_printf(e->arena, "dsl_load(%s, %s, %s, %s, %d)", emit_site(e, op->span),
                              emit_opnd(e, op, 0).text, op->nopnds > 1 ? emit_opnd(e, op, 1).text : "\"\"",
                              c_dtype(t->dtype), t->rank),
                 "load");
}

static void emit_call_of(Emit *e, Op *op, const char *call, const char *name) {
    if (!op->nres) {
        emit_line(e, "%s;", call);
        return;
    }
    const Type *r = op->res[0].type;
    if (type_is_tensor(r))
        adopt_tensor(e, op,
                     arena_printf(e->arena, "dsl_extern_result(%s, %s, %s, %d)", emit_site(e, op->span), call,
                                  c_dtype(r->dtype), r->rank),
                     name);
    else emit_declare(e, &op->res[0], emit_qualified(e, r, false), call, arena_printf(e->arena, "%s;", call));
}

void emit_extern(Emit *e, Op *op) {
    const char *name = emit_func_name(e, op_sym(op, A_FUNC));
    Text t;
    text_init(&t, e->arena);
    text_printf(&t, "%s(", name);
    for (int i = 0; i < op->nopnds; i++) text_printf(&t, "%s%s", i ? ", " : "", emit_opnd(e, op, i).text);
    text_printf(&t, ")");
    const char *call = text_str(&t);
    bool watched = extern_is_watched(e->session, op, e->opts->kind);
    bool first = emit_only_first(e, op);
    if (first) emit_open(e, "if (dsl_ranks_first()) {");
    if (watched) emit_line(e, "dsl_calls(%s, %s);", emit_site(e, op->span), expr_str(e, name));
    else emit_line(e, "dsl_set_site(%s);", emit_site(e, op->span));
    emit_call_of(e, op, call, name);
    if (watched) emit_line(e, "dsl_called();");
    if (first) emit_close(e), emit_line(e, "dsl_ranks_meet();");
}
