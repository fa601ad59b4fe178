/* What processes that run the program together tell each other: calls of runtime/ranks.c. */
#include "codegen/c/private.h"

#include <string.h>

/* "3, (const void *[]){x, y, z}" */
static const char *list(Emit *e, const Op *op, int from) {
    Text t;
    text_init(&t, e->arena);
    text_printf(&t, "%d, (const void *[]){", op->nopnds - from);
    for (int i = from; i < op->nopnds; i++) text_printf(&t, "%s%s", i > from ? ", " : "", emit_opnd(e, op, i).text);
    text_printf(&t, "%s}", op->nopnds > from ? "" : "NULL");
    return text_str(&t);
}

/* "x, rows, bytes of a row" */
static const char *rows(Emit *e, const Value *x) {
    const Type *t = x->type;
    const Size *bytes = size_const(e->session, dtype_info(t->dtype)->bytes);
    for (int i = 1; i < t->rank; i++) bytes = size_mul(e->session, bytes, t->dims[i]);
    return arena_printf(e->arena, "%s%s, %s, %s", emit_value(e, x).text, type_is_tensor(t) ? "->data" : "",
                        expr_array_extent(e, t->dims[0]).text, expr_array_extent(e, bytes).text);
}

static const char *declare_i64(Emit *e, const Value *v) {
    return lines_ref(&e->lines, emit_declare(e, v, "int64_t ", NULL, NULL));
}

void emit_part(Emit *e, Op *op) {
    Text t;
    text_init(&t, e->arena);
    text_printf(&t, "dsl_ranks_part(");
    for (int i = 0; i < PART_ARRAYS; i++) text_printf(&t, "%s, ", emit_opnd(e, op, i).text);
    text_printf(&t, "%s)", list(e, op, PART_ARRAYS));
    const char *call = text_str(&t);
    emit_declare(e, &op->res[0], "const int64_t ", call, arena_printf(e->arena, "%s;", call));
}

void emit_share(Emit *e, Op *op) {
    const char *p = emit_opnd(e, op, 0).text, *from = declare_i64(e, &op->res[0]), *to = declare_i64(e, &op->res[1]);
    emit_line(e, "dsl_ranks_share(%s, &%s, &%s);", p, from, to);
}

void emit_rows(Emit *e, Op *op) {
    emit_line(e, "dsl_ranks_%s(%s, %s, %s, %s);", op_info(op->code)->mnemonic, rows(e, op_opnd(op, 0)),
              emit_opnd(e, op, 1).text, emit_opnd(e, op, 2).text, emit_opnd(e, op, 3).text);
}

void emit_columns(Emit *e, Op *op) {
    const Value *x = op_opnd(op, 0);
    emit_line(e, "dsl_ranks_columns(%s, %s, %s, %s, %s, %s, %s);", rows(e, x),
              expr_array_extent(e, x->type->dims[1]).text, emit_opnd(e, op, 1).text, emit_opnd(e, op, 2).text,
              emit_opnd(e, op, 3).text, emit_opnd(e, op, 4).text, emit_opnd(e, op, 5).text);
}

void emit_exchange(Emit *e, Op *op) {
    const char *extent = emit_opnd(e, op, 0).text, *site = emit_site(e, op->span);
    const char *from = declare_i64(e, &op->res[0]), *to = declare_i64(e, &op->res[1]);
    emit_line(e, "dsl_ranks_exchange(%s, %s, &%s, &%s);", site, extent, from, to);
}

void emit_allgather(Emit *e, Op *op) {
    emit_line(e, "dsl_ranks_allgather(%s, %s, %s, %s);", emit_site(e, op->span), rows(e, op_opnd(op, 0)),
              emit_opnd(e, op, 1).text, emit_opnd(e, op, 2).text);
}

const char *emit_alone_begin(Emit *e) {
    if (!e->opts->ranks) return NULL;
    Var *first = lines_var(&e->lines, "alone");
    emit_declare_into(e, first, "const bool ", "dsl_ranks_alone_begin()", NULL);
    return lines_ref(&e->lines, first);
}

/* Files and pictures are written once: by functions of the library that give nothing back. */
bool emit_only_first(const Emit *e, const Op *op) {
    if (!e->opts->ranks || op->code != OP_EXTERN || op->nres) return false;
    const Func *f = module_find(e->module, op_sym(op, A_FUNC));
    return f && source_is_library(e->session, f->span);
}

bool emit_by_all(const Emit *e, const Op *op) {
    const Region *r = op->parent;
    while (r->owner && r->owner->code != OP_ISLAND) r = r->owner->parent;
    return e->opts->ranks && !r->owner;
}

/* Before an operation of function level that looks at whole arrays */
void emit_gather_operands(Emit *e, const Op *op) {
    if (!e->opts->ranks || !plan_looks(op)) return;
    if (op->code == OP_BLAS && !strcmp(op_sym(op, A_NAME), "gemm")) return; /* parted in the library (runtime/blas.c) */
    bool first = op->code == OP_PRINT || emit_only_first(e, op);
    if (first) emit_line(e, "dsl_ranks_look();");
    for (int i = 0; i < op->nopnds; i++)
        if (type_is_tensor(op_opnd(op, i)->type))
            emit_line(e, "dsl_ranks_whole(%s, %s, %s);", emit_site(e, op->span), emit_opnd(e, op, i).text,
                      first ? "false" : "true");
}
