/* The tree as source text: four spaces to a level, brackets only where the grammar needs them.  What is
 * printed untyped reads back as a tree that prints the same.  Typed, each binding and each expression
 * statement carries its type behind `#:`, conversions show as calls (f64(x), broadcast(x), sized(x)),
 * and called instances by their own names. */
#include "ast/ast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Printer {
    Text *out;
    int indent;
    bool typed;
    bool in_line; /* statements of a block within an expression: one line, parted by `;` */
} Printer;

static void print_expr(Printer *p, const Expr *e, int least);
static void print_block(Printer *p, const Block *b);
static void print_stmt(Printer *p, const Stmt *st);

static void word(Printer *p, const char *text) { text_add(p->out, text, strlen(text)); }

static void new_line(Printer *p) { text_printf(p->out, "\n%*s", 4 * p->indent, ""); }

/* ---- types of the checker */

static void print_ftype(Printer *p, const FType *t);

static void print_ftypes(Printer *p, const FType *t) {
    for (int i = 0; i < t->nfields; i++) {
        if (i) word(p, ", ");
        print_ftype(p, t->fields[i]);
    }
    if (t->nfields == 1) word(p, ",");
}

static void print_dims(Printer *p, const FType *t) {
    for (int i = 0; i < t->rank; i++) {
        if (i) word(p, ", ");
        if (t->dims && t->dims[i]) size_print(p->out, t->dims[i]);
        else word(p, "_");
    }
}

static void print_ftype(Printer *p, const FType *t) {
    if (!t) {
        word(p, "?");
        return;
    }
    switch (t->kind) {
    case FT_ERROR: word(p, "?"); break;
    case FT_UNIT: word(p, "()"); break;
    case FT_SCALAR: word(p, t->dtype == DT_I64 ? "int" : dtype_info(t->dtype)->name); break;
    case FT_ARRAY:
        print_ftype(p, t->elem);
        word(p, "[");
        print_dims(p, t);
        word(p, "]");
        break;
    case FT_TUPLE:
        word(p, "(");
        print_ftypes(p, t);
        word(p, ")");
        break;
    case FT_STRUCT: word(p, t->decl->name); break;
    case FT_FUNC: text_printf(p->out, "fn %s", t->decl ? t->decl->name : "(lambda)"); break;
    case FT_TYPE:
        word(p, "type ");
        print_ftype(p, t->elem);
        break;
    }
}

/* ---- literals */

static void print_int(Printer *p, const Const *c) {
    int64_t v = c->i;
    if (c->dtype == DT_U64) text_printf(p->out, "%llu", (unsigned long long)v);
    else if (v < 0) text_printf(p->out, "0x%llx", (unsigned long long)v);
    else text_printf(p->out, "%lld", (long long)v);
}

/* As short as reads back equal, and never like an int */
static void print_float(Printer *p, double v) {
    char b[40];
    int digits = 15;
    do snprintf(b, sizeof b, "%.*g", digits, v);
    while (strtod(b, NULL) != v && ++digits <= 17);
    word(p, b);
    if (!strpbrk(b, ".en")) word(p, ".0");
}

static void print_string(Printer *p, const char *s) {
    static const char plain[] = "\n\t\r\x1b\\\"", names[] = "ntre\\\"";
    word(p, "\"");
    for (; *s; s++) {
        const char *special = strchr(plain, *s);
        if (special) text_printf(p->out, "\\%c", names[special - plain]);
        else if ((unsigned char)*s < 0x20 || *s == 0x7f) text_printf(p->out, "\\x%02x", (unsigned char)*s);
        else text_add(p->out, s, 1);
    }
    word(p, "\"");
}

/* ---- type expressions */

static void print_type(Printer *p, const TypeExpr *t);

static void print_types(Printer *p, const TypeExprVec *v, bool tuple) {
    word(p, "(");
    for (int i = 0; i < v->len; i++) {
        if (i) word(p, ", ");
        print_type(p, v->data[i]);
    }
    word(p, tuple && v->len == 1 ? ",)" : ")");
}

static void print_type_dims(Printer *p, const TypeExpr *t) {
    word(p, t->any_rank ? "[.." : "[");
    for (int i = 0; i < t->dims.len; i++) {
        if (i) word(p, ", ");
        if (t->dims.data[i]) print_expr(p, t->dims.data[i], 0);
        else word(p, "_");
    }
    word(p, "]");
}

static void print_type(Printer *p, const TypeExpr *t) {
    switch (t->kind) {
    case TX_NAME: word(p, t->name); break;
    case TX_ARRAY:
        print_type(p, t->elem);
        print_type_dims(p, t);
        break;
    case TX_TUPLE: print_types(p, &t->items, true); break;
    case TX_FUNC:
        word(p, "fn");
        print_types(p, &t->items, false);
        if (!t->elem) break;
        word(p, " -> ");
        print_type(p, t->elem);
        break;
    }
}

static void print_param(Printer *p, const Param *q) {
    static const char *const modes[] = {[MODE_IN] = "in ", [MODE_OUT] = "out ", [MODE_INOUT] = "inout "};
    word(p, q->name);
    if (!q->type && !(p->typed && q->var)) return;
    word(p, ": ");
    if (q->has_mode) word(p, modes[q->mode]);
    if (q->type) print_type(p, q->type);
    else print_ftype(p, q->var->type);
    if (!q->value) return;
    word(p, " = ");
    print_expr(p, q->value, 0);
}

static void print_params(Printer *p, const ParamVec *v) {
    word(p, "(");
    for (int i = 0; i < v->len; i++) {
        if (i) word(p, ", ");
        print_param(p, &v->data[i]);
    }
    word(p, ")");
}

/* ---- expressions */

/* How tightly operators bind, as in the grammar; 0: lambdas and ifs, TIGHT: calls, names, literals */
enum { LOOSE = 0, PREC_NOT = 3, PREC_CMP = 4, PREC_UNARY = 11, PREC_POW = 12, TIGHT = 13 };
static const struct { const char *text; int prec; } operators[] = {
    [OPR_OR] = {" or ", 1}, [OPR_AND] = {" and ", 2}, [OPR_NOT] = {"not ", PREC_NOT},
    [OPR_EQ] = {" == ", PREC_CMP}, [OPR_NE] = {" != ", PREC_CMP}, [OPR_LT] = {" < ", PREC_CMP},
    [OPR_LE] = {" <= ", PREC_CMP}, [OPR_GT] = {" > ", PREC_CMP}, [OPR_GE] = {" >= ", PREC_CMP},
    [OPR_BITOR] = {" | ", 5}, [OPR_BITXOR] = {" xor ", 6}, [OPR_BITAND] = {" & ", 7},
    [OPR_SHL] = {" << ", 8}, [OPR_SHR] = {" >> ", 8}, [OPR_ADD] = {" + ", 9}, [OPR_SUB] = {" - ", 9},
    [OPR_MUL] = {" * ", 10}, [OPR_DIV] = {" / ", 10}, [OPR_IDIV] = {" // ", 10}, [OPR_MOD] = {" % ", 10},
    [OPR_MATMUL] = {" @ ", 10}, [OPR_NEG] = {"-", PREC_UNARY}, [OPR_BITNOT] = {"~", PREC_UNARY},
    [OPR_POW] = {"^", PREC_POW}, [OPR_MIN] = {" min ", TIGHT}, [OPR_MAX] = {" max ", TIGHT}, [OPR_NONE] = {"", TIGHT},
};

static int precedence(const Expr *e) {
    switch (e->kind) {
    case EX_UNARY: case EX_BINARY: return operators[e->op].prec;
    case EX_IF: case EX_LAMBDA: case EX_GEN: return LOOSE;
    default: return TIGHT;
    }
}

static void print_list(Printer *p, const ExprVec *v) {
    for (int i = 0; i < v->len; i++) {
        if (i) word(p, ", ");
        print_expr(p, v->data[i], LOOSE);
    }
}

static void print_unary(Printer *p, const Expr *e) {
    word(p, operators[e->op].text);
    print_expr(p, e->a, e->op == OPR_NOT ? PREC_NOT : PREC_POW);
}

static void print_binary(Printer *p, const Expr *e) {
    int prec = operators[e->op].prec;
    bool minus = e->op == OPR_POW && e->b->kind == EX_UNARY && e->b->op != OPR_NOT;
    print_expr(p, e->a, prec + (e->op == OPR_POW || prec == PREC_CMP));
    word(p, operators[e->op].text);
    print_expr(p, e->b, minus ? PREC_UNARY : prec + (e->op != OPR_POW));
}

static void print_base(Printer *p, const Expr *e) {
    bool number = e->kind == EX_INT || e->kind == EX_FLOAT;
    if (number) word(p, "(");
    print_expr(p, e, TIGHT);
    if (number) word(p, ")");
}

/* After checking, arguments are in order and their names no longer matter. */
static void print_call(Printer *p, const Expr *e) {
    bool named = e->call == CALL_NONE && e->arg_names.len == e->args.len;
    if (p->typed && e->inst && e->inst->name) word(p, e->inst->name);
    else if (e->callee) print_base(p, e->callee);
    else if (e->call == CALL_STRUCT && e->args.data[0]->kind == EX_INT) { /* 2im, not checked */
        print_expr(p, e->args.data[1], TIGHT);
        word(p, "im");
        return;
    } else if (e->call == CALL_STRUCT) word(p, (e->type->elem ? e->type->elem : e->type)->decl->name);
    word(p, "(");
    for (int i = 0; i < e->args.len; i++) {
        if (i) word(p, ", ");
        if (named && e->arg_names.data[i]) text_printf(p->out, "%s=", e->arg_names.data[i]);
        print_expr(p, e->args.data[i], LOOSE);
    }
    word(p, ")");
}

static void print_sub(Printer *p, const Sub *s) {
    if (s->kind == SUB_INDEX) {
        print_expr(p, s->index, LOOSE);
        return;
    }
    if (s->lo) print_expr(p, s->lo, LOOSE);
    word(p, ":");
    if (s->hi) print_expr(p, s->hi, LOOSE);
    if (!s->step) return;
    word(p, ":");
    print_expr(p, s->step, LOOSE);
}

static void print_index(Printer *p, const Expr *e) {
    print_base(p, e->a);
    word(p, "[");
    for (int i = 0; i < e->subs.len; i++) {
        if (i) word(p, ", ");
        print_sub(p, &e->subs.data[i]);
    }
    word(p, "]");
}

/* What stands behind `in` */
static void print_source(Printer *p, const Gen *g) {
    if (g->over) {
        print_expr(p, g->over, LOOSE);
        return;
    }
    if (g->lo) print_expr(p, g->lo, LOOSE);
    else word(p, "0");
    word(p, ":");
    print_expr(p, g->hi, LOOSE);
    if (!g->step) return;
    word(p, ":");
    print_expr(p, g->step, LOOSE);
}

static void print_gens(Printer *p, const GenVec *v) {
    for (int i = 0; i < v->len; i++) {
        const Gen *g = &v->data[i];
        text_printf(p->out, i ? ", %s" : "%s", g->name);
        if (!g->hi && !g->over) continue;
        word(p, " in ");
        print_source(p, g);
    }
}

static void print_comp(Printer *p, const Expr *e) {
    if (e->kind == EX_COMP) word(p, "[");
    print_expr(p, e->a, LOOSE);
    word(p, " for ");
    print_gens(p, &e->gens);
    if (e->c) word(p, " if "), print_expr(p, e->c, LOOSE);
    if (e->kind == EX_COMP) word(p, "]");
}

/* else_body NULL: none; an `if` alone in it goes on the same line. */
static void print_if(Printer *p, const Expr *cond, const Block *then_body, const Block *else_body) {
    word(p, "if ");
    print_expr(p, cond, LOOSE);
    word(p, " ");
    print_block(p, then_body);
    if (!else_body) return;
    word(p, " else ");
    const Stmt *only = else_body->stmts.len == 1 ? else_body->stmts.data[0] : NULL;
    if (only && only->kind == ST_IF) print_if(p, only->a, only->body, only->else_body);
    else print_block(p, else_body);
}

static void print_if_value(Printer *p, const Expr *e) {
    bool in_line = p->in_line;
    p->in_line = true;
    print_if(p, e->a, e->then_block, e->else_block);
    p->in_line = in_line;
}

static void print_convert(Printer *p, const Expr *e) {
    const FType *t = e->type;
    while (t && t->kind == FT_ARRAY) t = t->elem;
    if (e->conv == CONV_DTYPE) print_ftype(p, t);
    else word(p, e->conv == CONV_BROADCAST ? "broadcast" : "sized");
    word(p, "(");
    print_expr(p, e->a, LOOSE);
    word(p, ")");
}

static void print_bare(Printer *p, const Expr *e) {
    switch (e->kind) {
    case EX_INT: print_int(p, &e->lit); break;
    case EX_FLOAT: print_float(p, e->lit.f); break;
    case EX_BOOL: word(p, e->lit.i ? "true" : "false"); break;
    case EX_STR: print_string(p, e->lit.s); break;
    case EX_NAME: word(p, e->name); break;
    case EX_UNARY: print_unary(p, e); break;
    case EX_BINARY: print_binary(p, e); break;
    case EX_CALL: print_call(p, e); break;
    case EX_INDEX: print_index(p, e); break;
    case EX_FIELD:
        print_base(p, e->a);
        text_printf(p->out, ".%s", e->name);
        break;
    case EX_ARRAY:
        word(p, "[");
        print_list(p, &e->args);
        word(p, "]");
        break;
    case EX_COMP: case EX_GEN: print_comp(p, e); break;
    case EX_FORMAT:
        word(p, "f");
        print_string(p, e->name);
        print_list(p, &e->args);
        break;
    case EX_TUPLE:
        word(p, "(");
        print_list(p, &e->args);
        word(p, e->args.len == 1 ? ",)" : ")");
        break;
    case EX_IF: print_if_value(p, e); break;
    case EX_LAMBDA:
        word(p, "fn");
        print_params(p, &e->params);
        word(p, " => ");
        print_expr(p, e->a, LOOSE);
        break;
    case EX_CONVERT: print_convert(p, e); break;
    }
}

/* In brackets when it binds less tightly than least */
static void print_expr(Printer *p, const Expr *e, int least) {
    bool brackets = precedence(e) < least;
    if (brackets) word(p, "(");
    print_bare(p, e);
    if (brackets) word(p, ")");
}

/* ---- statements */

static void print_names(Printer *p, const Stmt *st) {
    static const char *const words[] = {[VAR_LET] = "let ", [VAR_VAR] = "var ", [VAR_CONST] = "const "};
    word(p, st->is_arg ? "arg " : words[st->var_kind]);
    if (st->names.len > 1) word(p, "(");
    for (int i = 0; i < st->names.len; i++) text_printf(p->out, i ? ", %s" : "%s", st->names.data[i]);
    if (st->names.len > 1) word(p, ")");
    if (st->type) {
        word(p, ": ");
        print_type(p, st->type);
    }
}

static void print_let(Printer *p, const Stmt *st) {
    print_names(p, st);
    if (!st->a) return;
    word(p, " = ");
    print_expr(p, st->a, LOOSE);
}

/* target op= value */
static void print_update(Printer *p, const Stmt *st) {
    const char *op = operators[st->op].text;
    print_expr(p, st->target, LOOSE);
    word(p, " ");
    text_add(p->out, op + (*op == ' '), strcspn(op + (*op == ' '), " "));
    word(p, "= ");
    print_expr(p, st->a, LOOSE);
}

static void print_atomic(Printer *p, const Stmt *st) {
    if (!st->a) {
        print_expr(p, st->target, LOOSE);
        return;
    }
    print_update(p, st);
    if (!st->b) return;
    word(p, " if ");
    print_expr(p, st->b, LOOSE);
}

static void print_for(Printer *p, const Stmt *st) {
    const Gen *g = st->gens.data;
    word(p, st->parallel ? "parallel for " : "for ");
    if (st->progress) {
        text_printf(p->out, "%s in progress(", g->name);
        print_source(p, g);
        word(p, ")");
    } else if (st->checkpoint) {
        text_printf(p->out, "%s in checkpoint(", g->name);
        print_source(p, g);
        if (st->name) {
            text_printf(p->out, ", %s=", st->name);
            print_expr(p, st->b, LOOSE);
        }
        word(p, ")");
    } else {
        print_gens(p, &st->gens);
    }
    word(p, " ");
    print_block(p, st->body);
}

static void print_axes(Printer *p, const ExprVec *v) {
    if (v->len > 1) word(p, "(");
    print_list(p, v);
    if (v->len > 1) word(p, ")");
}

static void print_launch(Printer *p, const Stmt *st) {
    text_printf(p->out, "launch %s[", st->name);
    print_axes(p, &st->grid);
    word(p, ", ");
    print_axes(p, &st->block);
    word(p, "](");
    print_list(p, &st->args);
    word(p, ")");
}

static void print_doc(Printer *p, const char *doc) {
    while (doc) {
        int n = (int)strcspn(doc, "\n");
        text_printf(p->out, n ? "## %.*s" : "##", n, doc);
        new_line(p);
        doc = doc[n] ? doc + n + 1 : NULL;
    }
}

static void print_fields(Printer *p, const Decl *d) {
    text_printf(p->out, "struct %s {", d->name);
    p->indent++;
    for (int i = 0; i < d->fields.len; i++) {
        new_line(p);
        print_param(p, &d->fields.data[i]);
    }
    p->indent--;
    new_line(p);
    word(p, "}");
}

static void print_head(Printer *p, const Decl *d) {
    word(p, d->is_export ? "export " : d->is_extern ? "extern " : "");
    if (d->rule) text_printf(p->out, "%s ", rule_word(d->rule));
    text_printf(p->out, "%s %s", d->kind == DECL_KERNEL ? "kernel" : "fn", d->rule ? d->rule_of : d->name);
    print_params(p, &d->params);
    if (!d->ret) return;
    word(p, " -> ");
    print_type(p, d->ret);
}

static void print_body(Printer *p, const Block *body, const Expr *value) {
    if (value) {
        word(p, " = ");
        print_expr(p, value, LOOSE);
    } else if (body) {
        word(p, " ");
        print_block(p, body);
    }
}

static void print_decl(Printer *p, const Decl *d) {
    print_doc(p, d->doc);
    switch (d->kind) {
    case DECL_FN: case DECL_KERNEL:
        print_head(p, d);
        print_body(p, d->body, d->expr_body);
        break;
    case DECL_STRUCT: print_fields(p, d); break;
    case DECL_IMPORT:
        word(p, "import ");
        print_string(p, d->name);
        break;
    case DECL_TEST: case DECL_BENCH:
        word(p, d->kind == DECL_TEST ? "test " : "bench ");
        print_string(p, d->name);
        print_body(p, d->body, NULL);
        break;
    }
}

static void print_assert(Printer *p, const Stmt *st) {
    word(p, "assert ");
    print_expr(p, st->a, LOOSE);
    if (!st->b) return;
    word(p, ", ");
    print_expr(p, st->b, LOOSE);
}

/* A word, then an expression and a block, of which each may be NULL */
static void print_simple(Printer *p, const char *text, const Expr *e, const Block *b) {
    word(p, text);
    if (e) {
        word(p, " ");
        print_expr(p, e, LOOSE);
    }
    if (!b) return;
    word(p, " ");
    print_block(p, b);
}

static void print_stmt(Printer *p, const Stmt *st) {
    switch (st->kind) {
    case ST_LET: print_let(p, st); break;
    case ST_ASSIGN: print_update(p, st); break;
    case ST_EXPR: print_expr(p, st->a, LOOSE); break;
    case ST_IF: print_if(p, st->a, st->body, st->else_body); break;
    case ST_FOR: print_for(p, st); break;
    case ST_WHILE: print_simple(p, "while", st->a, st->body); break;
    case ST_BREAK: word(p, "break"); break;
    case ST_CONTINUE: word(p, "continue"); break;
    case ST_RETURN: print_simple(p, "return", st->a, NULL); break;
    case ST_LAUNCH: print_launch(p, st); break;
    case ST_BARRIER: word(p, "barrier"); break;
    case ST_SHARED:
        text_printf(p->out, "shared %s: ", st->name);
        print_type(p, st->type);
        break;
    case ST_ATOMIC:
        if (st->names.len) {
            print_names(p, st);
            word(p, " = ");
        }
        word(p, "atomic ");
        print_atomic(p, st);
        break;
    case ST_SPAWN: print_simple(p, "spawn", NULL, st->body); break;
    case ST_SYNC: word(p, "sync"); break;
    case ST_ASSERT: print_assert(p, st); break;
    case ST_BLOCK: print_block(p, st->body); break;
    case ST_DECL: print_decl(p, st->decl); break;
    case ST_CELL: text_printf(p->out, *st->name ? "# %%%% %s" : "# %%%%", st->name); break;
    }
}

/* The types behind `#:` */
static void print_types_of(Printer *p, const Stmt *st) {
    if (!p->typed) return;
    if (st->kind == ST_EXPR && st->a->type && st->a->type->kind != FT_UNIT) {
        word(p, "  #: ");
        print_ftype(p, st->a->type);
    }
    if (st->kind != ST_LET) return;
    for (int i = 0; i < st->vars.len; i++) {
        word(p, i ? ", " : "  #: ");
        print_ftype(p, st->vars.data[i]->type);
    }
}

static void print_block_in_line(Printer *p, const Block *b) {
    for (int i = 0; i < b->stmts.len; i++) {
        word(p, i ? "; " : " ");
        print_stmt(p, b->stmts.data[i]);
    }
    word(p, b->stmts.len ? " }" : "}");
}

static void print_block(Printer *p, const Block *b) {
    word(p, "{");
    if (p->in_line || !b->stmts.len) {
        print_block_in_line(p, b);
        return;
    }
    p->indent++;
    for (int i = 0; i < b->stmts.len; i++) {
        new_line(p);
        print_stmt(p, b->stmts.data[i]);
        print_types_of(p, b->stmts.data[i]);
    }
    p->indent--;
    new_line(p);
    word(p, "}");
}

static void print_top(Printer *p, const StmtVec *v) {
    for (int i = 0; i < v->len; i++) {
        const Stmt *st = v->data[i];
        print_stmt(p, st);
        print_types_of(p, st);
        word(p, "\n");
    }
}

void ast_print(Text *out, const Unit *unit, bool typed) {
    Printer p = {.out = out, .typed = typed};
    print_top(&p, &unit->stmts);
}

/* ---- the checked program */

static void print_instance_head(Printer *p, const Inst *inst) {
    static const char *const modes[] = {[MODE_IN] = "", [MODE_OUT] = "out ", [MODE_INOUT] = "inout "};
    bool kernel = inst->decl && inst->decl->kind == DECL_KERNEL;
    bool outside = inst->decl && inst->decl->is_extern;
    text_printf(p->out, "%s%s %s(", outside ? "extern " : "", kernel ? "kernel" : "fn", inst->name);
    for (int i = 0; i < inst->params.len; i++) {
        const Var *v = inst->params.data[i];
        text_printf(p->out, "%s%s: %s", i ? ", " : "", v->name, modes[v->mode]);
        print_ftype(p, v->type);
    }
    word(p, ")");
    if (!inst->ret || inst->ret->kind == FT_UNIT) return;
    word(p, " -> ");
    print_ftype(p, inst->ret);
}

static void print_test_head(Printer *p, const Decl *d) {
    word(p, d->kind == DECL_TEST ? "test " : "bench ");
    print_string(p, d->name);
}

static void print_instance(Printer *p, const Inst *inst) {
    bool test = inst->decl && (inst->decl->kind == DECL_TEST || inst->decl->kind == DECL_BENCH);
    if (test) print_test_head(p, inst->decl);
    else print_instance_head(p, inst);
    print_body(p, inst->body, inst->expr_body);
    word(p, "\n");
}

void program_print(Text *out, const Program *program) {
    Printer p = {.out = out, .typed = true};
    for (int i = 0; i < program->insts.len; i++) print_instance(&p, program->insts.data[i]);
    print_top(&p, &program->main);
    for (int i = 0; i < program->tests.len; i++) print_instance(&p, program->tests.data[i]);
}
