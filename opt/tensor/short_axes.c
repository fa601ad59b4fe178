/* short-axes: a short axis of a comprehension is written out where long sums differ in little along it.
 *
 * needs: index form.  `[sum(f(i, k) * x[k, c] for k) for i, c]` with three c is a comprehension over i that gives three
 * elements, whose sums pass join-sums makes one, so that f is computed once for all of them, and never kept in an array
 * of all pairs.  So it is with the gradient of an energy of pairs of points x[i, c]. */
#include "opt/pass.h"

enum {
    SHORT_AXIS = 4, /* elements */
    MANY_OPS = 600, /* of the body, written out */
    MUCH = 24,      /* cycles of an element of a sum that are the same along the axis */
};

static bool is_plain(const Op *op) { return !op_may_trap(op) && !op_has_effect(op) && !op_has_tensors(op); }

/* moving: values that depend on the axis; still: cycles of what does not */
typedef struct { Arena *arena; Map moving; int64_t still, all; } Weight;

static const Op *long_sum(const Op *g) {
    int64_t n;
    for (const Op *o = g->regs[0]->first; o; o = o->next)
        if (o->code == OP_REDUCE && is_plain(o) && !(reduce_is_serial(o, &n) && n <= SHORT_AXIS)) return o;
    return NULL;
}

/* Of op, in a sum, what does not depend on iv is alike for all of its values. */
static void weigh(Weight *m, const Region *r, const Value *iv) {
    for (const Op *o = r->first; o; o = o->next) {
        bool moves = false;
        for (int i = 0; i < o->nopnds; i++)
            moves |= op_opnd(o, i) == iv || map_has(&m->moving, op_opnd(o, i));
        for (int i = 0; i < o->nres && moves; i++) map_put(m->arena, &m->moving, &o->res[i], o->res);
        m->all += op_info(o->code)->cost;
        m->still += moves ? 0 : op_info(o->code)->cost;
        for (int i = 0; i < o->nregs; i++) weigh(m, o->regs[i], iv);
    }
}

static int short_axis(Arena *arena, const Op *g) {
    const Type *t = g->res[0].type;
    const Op *sum = t->rank > 1 && is_plain(g) ? long_sum(g) : NULL;
    int64_t n;
    for (int i = 0; sum && i < t->rank; i++) {
        Weight m = {.arena = arena};
        if (!size_is_const(t->dims[i], &n) || n < 2 || n > SHORT_AXIS) continue;
        if (region_count_ops(g->regs[0]) * n > MANY_OPS) continue;
        weigh(&m, g->regs[0], g->regs[0]->args[i]);
        if (m.still >= MUCH && m.still * 2 >= m.all) return i;
    }
    return -1;
}

/* The comprehension over the other axes, with n results for each of g's */
static Op *written_out(Arena *arena, Op *g, int axis, int64_t n) {
    Builder b = builder_before(g);
    Session *s = b.module->session;
    const Type *t = g->res[0].type, **types = NEWN(arena, const Type *, g->nres * n);
    Value **out = NEWN(arena, Value *, g->nres * n), *args[MAX_RANK], *iv[MAX_RANK];
    const Size *dims[MAX_RANK];
    b.span = g->span;
    for (int i = 0; i < t->rank; i++) dims[i - (i > axis)] = t->dims[i];
    for (int64_t i = 0; i < g->nres * n; i++)
        types[i] = type_tensor(s, g->res[i / n].type->dtype, t->rank - 1, dims);
    for (int64_t c = 0; c < n; c++) iv[c] = build_int(&b, c);
    Op *all = build_op(&b, OP_GENERATE, 0, NULL, (int)(g->nres * n), types, 1);
    for (int i = 0; i < t->rank; i++)
        if (i != axis) args[i] = region_add_arg(all->regs[0], g->regs[0]->args[i]->type, g->regs[0]->args[i]->name);
    Builder in = builder_at_end(b.module, all->regs[0], g->span);
    for (int64_t c = 0; c < n; c++) {
        Value **one = NEWN(arena, Value *, g->nres);
        args[axis] = iv[c];
        region_inline(&in, g->regs[0], args, one);
        for (int k = 0; k < g->nres; k++) out[k * n + c] = one[k];
    }
    build_yield(&in, (int)(g->nres * n), out);
    return all;
}

/* What g gives, of elements of `all` */
static void put_together(Arena *arena, Op *g, const Op *all, int axis, int64_t n) {
    Builder b = builder_before(g);
    const Type **types = NEWN(arena, const Type *, g->nres);
    Value **out = NEWN(arena, Value *, g->nres), *rest[MAX_RANK];
    b.span = g->span;
    for (int k = 0; k < g->nres; k++) types[k] = g->res[k].type;
    Op *made = build_op(&b, OP_GENERATE, 0, NULL, g->nres, types, 1);
    Builder in = builder_at_end(b.module, made->regs[0], g->span);
    for (int i = 0; i < types[0]->rank; i++) {
        Value *iv = region_add_arg(made->regs[0], type_i64(b.module), g->regs[0]->args[i]->name);
        if (i != axis) rest[i - (i > axis)] = iv;
    }
    Value *c = made->regs[0]->args[axis];
    for (int k = 0; k < g->nres; k++)
        for (int64_t i = 0; i < n; i++) {
            Value *e = extract_safe(&in, &((Op *)(uintptr_t)all)->res[k * n + i], types[0]->rank - 1, rest);
            out[k] = i ? build_select(&in, build_binary(&in, OP_EQ, c, build_int(&in, i)), e, out[k]) : e;
        }
    build_yield(&in, g->nres, out);
    op_replace(g, made);
}

static void write_out_axes(Arena *arena, Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (o->code == OP_ISLAND) continue;
        if (o->code != OP_GENERATE)
            for (int i = 0; i < o->nregs; i++) write_out_axes(arena, o->regs[i]);
        int axis = o->code == OP_GENERATE ? short_axis(arena, o) : -1;
        int64_t n;
        if (axis < 0 || !size_is_const(o->res[0].type->dims[axis], &n)) continue;
        put_together(arena, o, written_out(arena, o, axis, n), axis, n);
    }
}

/* ---- */

void pass_short_axes(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        Arena *arena = arena_new();
        if (m->funcs.data[i]->kind != FUNC_EXTERN) write_out_axes(arena, m->funcs.data[i]->body);
        arena_free(arena);
    }
}
