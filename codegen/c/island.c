/* Islands: memory, parallel loops, loads and stores.
 *
 * An island is a block that gives each operand a restrict pointer; what it updates is made unique before. */
#include "codegen/c/private.h"

#include <string.h>

/* ---- binding tensors */

/* More than can be: the program ends before it has such an array, but the C compiler would not take its type. */
static bool is_absurd(const Type *t) {
    int64_t n, bytes = dtype_info(t->dtype)->bytes;
    for (int i = 1; i < t->rank; i++)
        if (size_is_const(t->dims[i], &n) && __builtin_mul_overflow(bytes, n, &bytes)) return true;
    return false;
}

/* Of an element as loops see it.  Bools in memory are bytes of 0 or 1 to them: gcc 12 makes no vectors of loops that
 * load a C bool. */
static const char *element_type(DType t) { return c_elem(t == DT_BOOL ? DT_U8 : t); }

/* "double (*restrict u)[m]": all axes but the first are part of the pointer's type. */
static const char *pointer_to(Emit *e, const Type *t, const char *type, const char *how, const char *ref) {
    if (t->rank < 2) return arena_printf(e->arena, "%s *%s%s", type, how, ref);
    Text text;
    bool absurd = is_absurd(t);
    text_init(&text, e->arena);
    text_printf(&text, "%s (*%s%s)", type, how, ref);
    for (int i = 1; i < t->rank; i++) text_printf(&text, "[%s]", absurd ? "1" : expr_array_extent(e, t->dims[i]).text);
    return text_str(&text);
}

static const char *pointer_decl(Emit *e, const Type *t, const char *qualifier, const char *ref) {
    return pointer_to(e, t, arena_printf(e->arena, "%s%s", qualifier, element_type(t->dtype)), "restrict ", ref);
}

static Var *new_buffer(Emit *e, const Value *buf, const char *otherwise) {
    Var *var = lines_var(&e->lines, NULL);
    emit_bind_var(e, buf, var);
    if (!var->hint) var->hint = otherwise;
    return var;
}

static const char *tensor_hint(Emit *e, const Value *v) {
    const char *hint = name_clean(e->session, v->name);
    return hint ? hint : "tmp";
}

static void bind_buffer(Emit *e, const Value *buf, const Value *tensor, bool writable) {
    Var *var = new_buffer(e, buf, tensor_hint(e, tensor));
    const char *decl = pointer_decl(e, buf->type, writable ? "" : "const ", lines_ref(&e->lines, var));
    const char *text = arena_printf(e->arena, "%s = %s->data;", decl, emit_value(e, tensor).text);
    lines_add(&e->lines, LINE_DECL, var, text);
}

/* Fresh memory that only this island has seen */
static bool is_fresh(const Value *v, const Op *island) {
    return v->def && v->def->code == OP_EMPTY && v->def->parent == island->parent && value_single_use(v);
}

/* The loop around, whose turns threads share, has seen to it that it has one owner. */
static bool is_unique(const Emit *e, const Value *v) {
    const Op *loop = v->region ? v->region->owner : NULL;
    return loop && loop->code == OP_FOR && plan_loop(e->plan, loop) && plan_loop(e->plan, loop)->threads;
}

/* The tensor operand, made the only owner of its memory, in the result's variable */
static void make_unique(Emit *e, Op *op, int operand, int result) {
    Value *x = op_opnd(op, operand), *r = &op->res[result];
    const Value *shared = place_of(e, op)->shares[result];
    const char *array = emit_value(e, x).text, *text = arena_printf(e->arena, "dsl_unique(%s)", array);
    bool unique = is_unique(e, x);
    if (!shared && unique) {
        emit_declare(e, r, "dsl_array *", array, NULL);
        return;
    }
    if (!shared) {
        emit_declare(e, r, "dsl_array *", text, arena_printf(e->arena, "%s;", text));
        return;
    }
    Var *var = e->values[shared->id].var;
    emit_bind_var(e, r, var);
    if (!unique && !is_fresh(x, op)) emit_line(e, "%s = %s;", lines_ref(&e->lines, var), text);
}

void emit_island(Emit *e, Op *op) {
    const Attr *modes = op_attr(op, A_MODES);
    const Region *body = op->regs[0];
    for (int i = 0, r = 0; i < op->nopnds; i++)
        if (modes->ints[i]) make_unique(e, op, i, r++);
    emit_open(e, "{");
    for (int i = 0, r = 0; i < op->nopnds; i++) {
        bool writable = modes->ints[i] != 0;
        bind_buffer(e, body->args[i], writable ? &op->res[r] : op_opnd(op, i), writable);
        r += writable;
    }
    emit_region(e, body);
    emit_close(e);
}

/* ---- memory inside */

static void alloc_on_stack(Emit *e, const Op *op, Var *var) {
    const Type *t = op->res[0].type;
    Text text;
    text_init(&text, e->arena);
    text_printf(&text, "_Alignas(64) %s %s", element_type(t->dtype), lines_ref(&e->lines, var));
    for (int i = 0; i < t->rank; i++) text_printf(&text, "[%s]", expr_size(e, t->dims[i]).text);
    if (!t->rank) text_printf(&text, "[1]");
    text_printf(&text, "%s;", plan_zeroed(e->plan, op) ? " = {0}" : "");
    lines_add(&e->lines, LINE_DECL, var, text_str(&text));
}

static void alloc_scratch(Emit *e, const Op *op, Var *var) {
    const Type *t = op->res[0].type;
    const char *decl = pointer_decl(e, t, "", lines_ref(&e->lines, var));
    lines_add(&e->lines, LINE_DECL, var,
              arena_printf(e->arena, "%s = dsl_scratch(%s, %s, %d, %s, %s);", decl, emit_site(e, op->span),
                           c_dtype(t->dtype), t->rank, emit_dims(e, t), plan_zeroed(e->plan, op) ? "true" : "false"));
}

/* In the memory of an array that is over, which has elements of another type perhaps: dsl_later_f32 may be anything
 * for the compiler. */
static void alloc_within(Emit *e, const Op *op, Var *var) {
    const Type *t = op->res[0].type;
    DType d = t->dtype == DT_BOOL ? DT_U8 : t->dtype;
    const char *type = arena_printf(e->arena, "dsl_later_%s", dtype_info(d)->name);
    lines_add(&e->lines, LINE_DECL, var,
              arena_printf(e->arena, "%s = (void *)%s;", pointer_to(e, t, type, "", lines_ref(&e->lines, var)),
                           emit_opnd(e, op, 0).text));
}

void emit_alloc(Emit *e, Op *op) {
    Var *var = new_buffer(e, &op->res[0], "tmp");
    const char *name = op_sym(op, A_NAME);
    if (name && !op->res[0].name) var->hint = name_clean(e->session, name);
    if (op->nopnds) alloc_within(e, op, var);
    else if (plan_on_stack(e->plan, op)) alloc_on_stack(e, op, var);
    else alloc_scratch(e, op, var);
}

void emit_free_scratch(Emit *e, const Region *r) {
    for (const Op *op = r->last; op; op = op->prev)
        if (op->code == OP_ALLOC && !op->nopnds && !plan_is_dead(e->plan, op) && !plan_on_stack(e->plan, op))
            emit_line(e, "dsl_scratch_free(%s);", emit_value(e, &op->res[0]).text);
}

/* buffer and indices are the operands from `first` on */
static Expr element(Emit *e, const Op *op, int first) {
    const Value *buf = op_opnd(op, first);
    return expr_index(e, buf->type, emit_value(e, buf).text, op_index_end(op) - first - 1, op->opnds + first + 1);
}

Expr emit_load(Emit *e, const Op *op) {
    const Type *t = op_opnd(op, 0)->type;
    emit_check_index(e, op, t, 1);
    Expr x = element(e, op, 0);
    return dtype_is_half(t->dtype)
               ? expr_printf(e, PREC_POSTFIX, "dsl_%s_to_f32(%s)", dtype_info(t->dtype)->name, x.text)
               : x;
}

/* A statement that begins with the element it changes.  Memory of the island's own that nobody reads goes,
 * and its stores with it. */
static void emit_update(Emit *e, const Value *buf, const char *text) {
    if (buf->def) emit_assign(e, e->values[buf->id].var, text);
    else emit_line(e, "%s", text);
}

void emit_store(Emit *e, Op *op) {
    const Value *buf = op_opnd(op, 1);
    DType t = buf->type->dtype;
    emit_check_index(e, op, buf->type, 2);
    const char *target = element(e, op, 1).text, *text;
    Expr v = emit_opnd(e, op, 0);
    if (dtype_is_half(t)) text = arena_printf(e->arena, "%s = dsl_f32_to_%s(%s);", target, dtype_info(t)->name, v.text);
    else if (v.op && !strcmp(v.left, target)) text = arena_printf(e->arena, "%s %c= %s;", target, v.op, v.right);
    else text = arena_printf(e->arena, "%s = %s;", target, v.text);
    emit_update(e, buf, text);
}

void emit_prefetch(Emit *e, Op *op) { emit_line(e, "__builtin_prefetch(&%s);", element(e, op, 0).text); }

/* In order: plain updates. */
static const char *atomic_in_order(Emit *e, DType t, const char *target, Combine kind, Expr v) {
    const char *name = dtype_info(t)->name, *sign = combine_info(kind)->sign,
               *word = combine_info(kind)->word;
    bool sets = kind == COMBINE_SET;
    if (sets && dtype_is_half(t)) return arena_printf(e->arena, "%s = dsl_f32_to_%s(%s);", target, name, v.text);
    if (sets) return arena_printf(e->arena, "%s = %s;", target, v.text);
    if (dtype_is_half(t)) {
        const char *old = arena_printf(e->arena, "dsl_%s_to_f32(%s)", name, target);
        const char *sum = sign ? expr_binary(e, sign, expr_atom(old), v).text
                               : arena_printf(e->arena, "dsl_%s_f32(%s, %s)", word, old, v.text);
        return arena_printf(e->arena, "%s = dsl_f32_to_%s(%s);", target, name, sum);
    }
    if (sign) return arena_printf(e->arena, "%s %s= %s;", target, sign, v.text);
    return arena_printf(e->arena, "%s = dsl_%s_%s(%s, %s);", target, word, name, target, v.text);
}

/* What the element was, and then the update, which may depend on it */
static void emit_old(Emit *e, Op *op, const char *text) {
    emit_declare(e, &op->res[0], emit_qualified(e, op->res[0].type, false), text, NULL);
}

/* What functions of atomic updates take */
static const char *address(Emit *e, DType t, const char *target) {
    return arena_printf(e->arena, "%s&%s", t == DT_BOOL ? "(bool *)" : "", target);
}

/* The old value, if anybody asks */
static void emit_swap(Emit *e, Op *op, const char *target, Expr v, Update update) {
    Expr expected = emit_opnd(e, op, op->nopnds - 1);
    bool alone = update == UPDATE_ALONE;
    DType t = op_opnd(op, 1)->type->dtype;
    const char *swap = arena_printf(e->arena, "dsl_cas_%s(%s, %s, %s)", dtype_info(t)->name, address(e, t, target),
                                    v.text, expected.text);
    const char *text = alone ? target : swap;
    if (op->nres) emit_old(e, op, text);
    else if (!alone) emit_line(e, "%s;", text);
    if (alone) emit_line(e, "if (%s == %s) %s = %s;", target, expr_in(e, expected, PREC_ADD), target, v.text);
}

static void emit_atomic_alone(Emit *e, Op *op, Combine kind, const char *target, Expr v) {
    DType t = op_opnd(op, 1)->type->dtype;
    if (op->nres)
        emit_old(e, op,
                 dtype_is_half(t) ? arena_printf(e->arena, "dsl_%s_to_f32(%s)", dtype_info(t)->name, target) : target);
    emit_update(e, op_opnd(op, 1), atomic_in_order(e, t, target, kind, v));
}

void emit_atomic(Emit *e, Op *op) {
    const Type *t = op_opnd(op, 1)->type;
    Combine kind = op_combine(op);
    const char *word = combine_info(kind)->word, *name = dtype_info(t->dtype)->name;
    Update update = e->plan->updates[op->mark];
    emit_check_index(e, op, t, 2);
    const char *target = element(e, op, 1).text;
    Expr v = emit_opnd(e, op, 0);
    if (op_expected(op)) {
        emit_swap(e, op, target, v, update);
    } else if (update == UPDATE_ALONE) {
        emit_atomic_alone(e, op, kind, target, v);
    } else if (update == UPDATE_OPERATOR) {
        emit_pragma(e, "#pragma omp atomic");
        emit_line(e, "%s %s= %s;", target, combine_info(kind)->sign, v.text);
    } else if (update == UPDATE_FETCH) {
        const char *call = arena_printf(e->arena, "dsl_fetch_%s_%s(%s, %s)", word, name,
                                        address(e, t->dtype, target), v.text);
        if (op->nres)
            emit_declare(e, &op->res[0], emit_qualified(e, op->res[0].type, false), call,
                         arena_printf(e->arena, "%s;", call));
        else emit_line(e, "%s;", call);
    } else {
        const char *same = update == UPDATE_EXTREME_SAME ? "_same" : "";
        emit_line(e, "dsl_atomic_%s%s_%s(%s, %s);", word, same, name, address(e, t->dtype, target), v.text);
    }
}

/* ---- parallel loops */

static void emit_loops(Emit *e, Op *op, const LoopPlan *p) {
    const Region *body = op->regs[0];
    int opened = 0;
    Threads t = threads_begin(e, op, p);
    for (int i = 0; i < op->nopnds; i++) {
        if (plan_is_unit(op_opnd(op, i))) {
            emit_bind_expr(e, body->args[i], expr_int(e, 0));
            continue;
        }
        threads_pragma(e, op, p, opened == 0, opened == p->loops - 1);
        const char *extent = expr_in(e, emit_opnd(e, op, i), PREC_ADD);
        Var *iv = emit_loop_var(e, body->args[i], e->loop_depth + opened);
        const char *name = lines_ref(&e->lines, iv);
        emit_open_loop(e, iv,
                       arena_printf(e->arena, "for (int64_t %s = 0; %s < %s; %s++) {", name, name, extent, name));
        opened++;
    }
    e->loop_depth += opened;
    threads_turn(e, &t);
    emit_region(e, body);
    threads_turn_done(e, &t);
    e->loop_depth -= opened;
    while (opened--) emit_close(e);
    threads_end(e, op, p, &t);
}

void emit_parallel(Emit *e, Op *op) {
    const LoopPlan *p = plan_loop(e->plan, op);
    if (!p->twice) {
        emit_loops(e, op, p);
        return;
    }
    LoopPlan shared = *p, alone = *p;
    shared.nfactors = 0, shared.turns = NULL;
    alone.threads = false, alone.nfactors = 0, alone.turns = NULL;
    emit_open(e, "if (%s) {", threads_worth(e, op, p));
    emit_loops(e, op, &shared);
    lines_add(&e->lines, LINE_MIDDLE, NULL, "} else {");
    emit_loops(e, op, &alone);
    emit_close(e);
}
