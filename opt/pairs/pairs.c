/* pairs: floats are computed as pairs of floats, with --pairs=f32, f64 or bf16.
 *
 * With --pairs=f32 each f64 becomes two f32 (for processors on which f64 is slow), with --pairs=bf16 each f32 two bf16,
 * and with --pairs=f64 each f64 two f64, which has twice the digits.  Values, arrays, arguments, what loops carry, and
 * elements in memory become two; arithmetic becomes that of arithmetic.c.  Stands behind derivatives, so that these
 * are of numbers, not of parts, and before fusion: all that follows optimizes ordinary floats.
 *
 * Needs stage par in index-form: elementwise operations are of scalars.  What has no arithmetic of pairs (eigenvalues,
 * C functions, islands with atomic sums) and what the world sees (print, exported functions) is computed
 * as it was, of operands that are joined, and its results are parted.  With --pairs=f64 that loses digits: a warning.
 *
 * Each function is written anew, operation by operation; one that others call becomes NAME.pairs, and the one that was
 * stays if a part that is computed as it was calls it. */
#include "opt/pairs/pairs.h"

typedef struct {
    Module *m;
    Arena *scratch;
    DType wide, part;
    Map values; /* of the function as it was: Value -> Pair */
    Map bodies; /* Func whose body was replaced -> the one that it had */
    Map funcs;  /* Func that is called -> its version of pairs, written or not */
} Pairs;

/* ---- values */

static bool is_paired(const Pairs *p, const Type *t) { return t->dtype == p->wide; }

static const Type *part_type(const Pairs *p, const Type *t) { return type_with_dtype(p->m->session, t, p->part); }

static void know(Pairs *p, const Value *v, Pair x) {
    Pair *kept = NEW(p->scratch, Pair);
    *kept = x;
    map_put(p->scratch, &p->values, v, kept);
}

static Pair known(const Pairs *p, const Value *v) {
    const Pair *x = map_get(&p->values, v);
    if (!x) bug("pairs: a value is not known");
    return *x;
}

static Value *single(const Pairs *p, const Value *v) { return known(p, v).hi; }

/* v as it was */
static Value *joined(const Pairs *p, Builder *b, const Value *v) {
    Pair x = known(p, v);
    return x.lo ? pair_join(b, x, p->wide) : x.hi;
}

/* A list of values, or types, in which each that is paired stands as two */
typedef struct { VEC(Value *) v; VEC(const Type *) t; } List;

static List values_of(const Pairs *p, const Op *op) {
    List l = {0};
    for (int i = 0; i < op->nopnds; i++) {
        Pair x = known(p, op_opnd(op, i));
        vec_push(p->scratch, &l.v, x.hi);
        if (x.lo) vec_push(p->scratch, &l.v, x.lo);
    }
    return l;
}

static void add_type(const Pairs *p, List *l, const Type *t) {
    bool two = is_paired(p, t);
    for (int k = 0; k < 1 + two; k++) vec_push(p->scratch, &l->t, two ? part_type(p, t) : t);
}

static List types_of(const Pairs *p, const Op *op) {
    List l = {0};
    for (int i = 0; i < op->nres; i++) add_type(p, &l, op->res[i].type);
    return l;
}

static void know_results(Pairs *p, const Op *was, Op *is) {
    for (int i = 0, k = 0; i < was->nres; i++) {
        bool two = is_paired(p, was->res[i].type);
        Value *hi = &is->res[k++], *lo = two ? &is->res[k++] : NULL;
        hi->name = was->res[i].name;
        if (lo) lo->name = hi->name;
        know(p, &was->res[i], (Pair){hi, lo});
    }
}

static void know_args(Pairs *p, const Region *was, Region *is) {
    for (int i = 0; i < was->nargs; i++) {
        const Value *v = was->args[i];
        bool two = is_paired(p, v->type);
        Value *hi = region_add_arg(is, two ? part_type(p, v->type) : v->type, v->name);
        know(p, v, (Pair){hi, two ? region_add_arg(is, hi->type, v->name) : NULL});
    }
}

/* ---- as it was */

static void join_seen(const Pairs *p, Builder *b, Cloner *c, const Op *op) {
    for (int i = 0; i < op->nopnds; i++) {
        const Value *v = op_opnd(op, i);
        if (!map_has(&c->values, v) && map_has(&p->values, v)) map_put(p->m->arena, &c->values, v, joined(p, b, v));
    }
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next) join_seen(p, b, c, o);
}

/* Digits are lost where an operation with numbers that has no arithmetic of pairs stands between others */
static void warn_of_digits(const Pairs *p, const Op *op) {
    if (p->part != p->wide || op_info(op->code)->traits & TR_EFFECT) return;
    if (op->code == OP_LU_FACTOR || op->code == OP_CHOL_FACTOR) return; /* what is asked of it is told */
    const char *what = op->code == OP_ISLAND ? "a sum by atomic" : op_called(op->code);
    diag_report(p->m->session, op->span, W_PAIRS_WIDE, what, dtype_info(p->wide)->name);
}

static bool has_paired(const Pairs *p, const Op *op) {
    bool any = false;
    for (int i = 0; i < op->nopnds; i++) any |= is_paired(p, op_opnd(op, i)->type);
    for (int i = 0; i < op->nres; i++) any |= is_paired(p, op->res[i].type);
    return any;
}

static void write_as_it_was(Pairs *p, Builder *b, const Op *op) {
    Cloner c = {.module = p->m};
    if (has_paired(p, op)) warn_of_digits(p, op);
    join_seen(p, b, &c, op);
    Op *copy = clone_op(&c, b, op);
    for (int i = 0; i < op->nres; i++) {
        Value *v = &copy->res[i];
        know(p, &op->res[i], is_paired(p, v->type) ? pair_split(b, v, p->part) : (Pair){v, NULL});
    }
}

/* ---- with parts side by side */

static void write_op(Pairs *p, Builder *b, const Op *op);

static void write_region(Pairs *p, Region *to, const Region *from) {
    know_args(p, from, to);
    Builder b = builder_at_end(p->m, to, from->first->span);
    for (const Op *o = from->first; o; o = o->next) write_op(p, &b, o);
}

static Op *build_like(Pairs *p, Builder *b, const Op *op, List opnds, List types, int nregs) {
    Op *new = build_op(b, op->code, opnds.v.len, opnds.v.data, types.t.len, types.t.data, nregs);
    new->derived = op->derived;
    op_copy_attrs(new, op);
    know_results(p, op, new);
    return new;
}

/* The same operation, which takes, gives and holds two for each one */
static Op *write_wider(Pairs *p, Builder *b, const Op *op) {
    Op *new = build_like(p, b, op, values_of(p, op), types_of(p, op), op->nregs);
    for (int i = 0; i < op->nregs; i++) write_region(p, new->regs[i], op->regs[i]);
    return new;
}

/* The same operation twice, of the high parts and of the low ones */
static void write_twice(Pairs *p, Builder *b, const Op *op) {
    Op *parts[2];
    for (int k = 0; k < 2; k++) {
        List opnds = {0}, types = {0};
        for (int i = 0; i < op->nopnds; i++) {
            Pair x = known(p, op_opnd(op, i));
            vec_push(p->scratch, &opnds.v, k && x.lo ? x.lo : x.hi);
        }
        for (int i = 0; i < op->nres; i++) vec_push(p->scratch, &types.t, part_type(p, op->res[i].type));
        parts[k] = build_op(b, op->code, opnds.v.len, opnds.v.data, types.t.len, types.t.data, 0);
        parts[k]->derived = op->derived;
        op_copy_attrs(parts[k], op);
    }
    if (!op->nres) return;
    parts[0]->res[0].name = parts[1]->res[0].name = op->res[0].name;
    know(p, &op->res[0], (Pair){&parts[0]->res[0], &parts[1]->res[0]});
}

static void write_island(Pairs *p, Builder *b, const Op *op) {
    const int64_t *modes = op_attr(op, A_MODES)->ints;
    VEC(int64_t) wider = {0};
    for (int i = 0; i < op->nopnds; i++)
        for (int k = 0; k < 1 + is_paired(p, op_opnd(op, i)->type); k++) vec_push(p->scratch, &wider, modes[i]);
    op_set_ints(write_wider(p, b, op), A_MODES, wider.len, wider.data);
}

static Func *version_of(Pairs *p, Func *f) {
    Func *pairs = map_get(&p->funcs, f);
    if (pairs) return pairs;
    pairs = func_new(p->m, intern_printf(p->m->session, "%s.pairs", f->name), FUNC_FN, f->span);
    pairs->recursive = f->recursive;
    map_put(p->scratch, &p->funcs, f, pairs);
    return pairs;
}

static void write_call(Pairs *p, Builder *b, const Op *op) {
    Func *f = version_of(p, module_find(p->m, op_sym(op, A_FUNC)));
    op_set_sym(write_wider(p, b, op), A_FUNC, f->name);
}

/* ---- constants */

static void write_const(Pairs *p, Builder *b, const Op *op) {
    know(p, &op->res[0], pair_const(b, p->part, op_attr(op, A_VALUE)->c.f));
}

/* Elements that are never written are read where the array is joined: they are 0. */
static void write_empty(Pairs *p, Builder *b, const Op *op) {
    Pair zeros = pair_zeros(b, &op->res[0], p->part);
    zeros.hi->name = zeros.lo->name = op->res[0].name;
    know(p, &op->res[0], zeros);
}

static Value *build_table(Pairs *p, Builder *b, const Op *op, int n, const Const *values) {
    const Type *t = part_type(p, op->res[0].type);
    Op *table = build_op(b, OP_TABLE, 0, NULL, 1, &t, 0);
    op_set_consts(table, A_VALUES, n, values);
    table->res[0].name = op->res[0].name;
    return &table->res[0];
}

static void write_table(Pairs *p, Builder *b, const Op *op) {
    const Attr *was = op_attr(op, A_VALUES);
    Const *hi = NEWN(p->m->arena, Const, was->n), *lo = NEWN(p->m->arena, Const, was->n);
    for (int i = 0; i < was->n; i++) {
        hi[i] = lo[i] = (Const){.dtype = p->part};
        pair_parts(p->part, was->consts[i].f, &hi[i].f, &lo[i].f);
    }
    Value *high = build_table(p, b, op, was->n, hi);
    know(p, &op->res[0], (Pair){high, build_table(p, b, op, was->n, lo)});
}

/* ---- reductions and scans */

/* The second region of a reduction whose results are combined one by one: x.., y.. */
static void write_combine(Pairs *p, const Op *op, Region *r) {
    OpCode c = combine_info(op_combine(op))->op;
    VEC(Pair) x = {0}, y = {0};
    VEC(Value *) sums = {0};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < op->nres; i++) {
            const Type *t = type_elem(p->m->session, op->res[i].type);
            bool two = is_paired(p, t);
            Value *hi = region_add_arg(r, two ? part_type(p, t) : t, NULL);
            Pair v = {hi, two ? region_add_arg(r, hi->type, NULL) : NULL};
            if (k) vec_push(p->scratch, &y, v);
            else vec_push(p->scratch, &x, v);
        }
    Builder b = builder_at_end(p->m, r, op->span);
    for (int i = 0; i < op->nres; i++) {
        Pair xy[] = {x.data[i], y.data[i]};
        Pair sum = xy[0].lo ? pair_operation(&b, c, 2, xy) : (Pair){build_binary(&b, c, xy[0].hi, xy[1].hi), NULL};
        vec_push(p->scratch, &sums, sum.hi);
        if (sum.lo) vec_push(p->scratch, &sums, sum.lo);
    }
    build_yield(&b, sums.len, sums.data);
}

static void add_neutral(Pairs *p, Builder *b, Combine kind, const Type *t, List *l) {
    Const c = combine_identity(kind, t->dtype);
    Pair x = is_paired(p, t) ? pair_const(b, p->part, c.f) : (Pair){build_const(b, c), NULL};
    vec_push(p->scratch, &l->v, x.hi);
    if (x.lo) vec_push(p->scratch, &l->v, x.lo);
}

/* Sums, products and the like of floats, which are none of their parts */
static void write_combined(Pairs *p, Builder *b, const Op *op) {
    List opnds = values_of(p, op);
    for (int i = 0; i < op->nres && op->code == OP_REDUCE; i++)
        add_neutral(p, b, op_combine(op), op->res[i].type, &opnds);
    Op *new = build_like(p, b, op, opnds, types_of(p, op), 2);
    op_set_combine(new, COMBINE_CUSTOM);
    write_region(p, new->regs[0], op->regs[0]);
    write_combine(p, op, new->regs[1]);
}

static void write_reduce(Pairs *p, Builder *b, const Op *op) {
    if (op_combine(op) != COMBINE_CUSTOM && has_paired(p, op)) write_combined(p, b, op);
    else write_wider(p, b, op);
}

/* ---- elements */

static void write_cast(Pairs *p, Builder *b, const Op *op) {
    const Type *from = op_opnd(op, 0)->type, *to = op->res[0].type;
    if (is_paired(p, from) && is_paired(p, to)) know(p, &op->res[0], known(p, op_opnd(op, 0)));
    else if (is_paired(p, to)) know(p, &op->res[0], pair_from(b, single(p, op_opnd(op, 0)), p->part));
    else know(p, &op->res[0], (Pair){pair_to(b, known(p, op_opnd(op, 0)), to->dtype, p->wide), NULL});
}

static void write_elementwise(Pairs *p, Builder *b, const Op *op) {
    Pair x[3], made = {0};
    bool all = op->nopnds <= 3;
    for (int i = 0; i < op->nopnds && all; i++) all = (x[i] = known(p, op_opnd(op, i))).lo != NULL;
    if (all) made = pair_operation(b, op->code, op->nopnds, x);
    if (all && !made.hi && p->part == p->wide) made = pair_function(b, op->code, op->nopnds, x);
    if (!made.hi) return write_as_it_was(p, b, op);
    made.hi->name = op->res[0].name;
    know(p, &op->res[0], made);
}

/* ---- each operation */

static bool sums_by_atomic(const Pairs *p, const Op *op) {
    if (op->code == OP_ATOMIC) return is_paired(p, op_opnd(op, 0)->type);
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (sums_by_atomic(p, o)) return true;
    return false;
}

/* It takes elements to other places, or memory for them, each by itself. */
static bool moves_elements(const Pairs *p, const Op *op) {
    if (op->code == OP_STORE) return is_paired(p, op_opnd(op, 0)->type);
    bool memory = op->code == OP_ALLOC || op->code == OP_LOAD;
    return memory || op->code == OP_SELECT || op_info(op->code)->traits & TR_MOVES;
}

static void write_op(Pairs *p, Builder *b, const Op *op) {
    b->span = op->span;
    bool paired = has_paired(p, op);
    int traits = op_info(op->code)->traits;
    if (op->code == OP_ISLAND && sums_by_atomic(p, op)) write_as_it_was(p, b, op);
    else if (op->code == OP_ISLAND) write_island(p, b, op);
    else if (op->code == OP_CALL) write_call(p, b, op);
    else if (op->code == OP_REDUCE || op->code == OP_SCAN) write_reduce(p, b, op);
    else if (op->nregs || traits & TR_TERM || !paired) write_wider(p, b, op);
    else if (moves_elements(p, op)) write_twice(p, b, op);
    else if (op->code == OP_CONST) write_const(p, b, op);
    else if (op->code == OP_EMPTY) write_empty(p, b, op);
    else if (op->code == OP_TABLE) write_table(p, b, op);
    else if (op->code == OP_CAST) write_cast(p, b, op);
    else if (traits & TR_ELEM) write_elementwise(p, b, op);
    else write_as_it_was(p, b, op);
}

/* ---- functions */

/* The body of f, as pairs, becomes that of `to`, which is empty */
static void write_body(Pairs *p, Func *to, const Region *from, const Func *f) {
    List types = {0};
    for (int i = 0; i < f->nres; i++) add_type(p, &types, f->res_types[i]);
    p->values = (Map){0};
    write_region(p, to->body, from);
    to->nres = types.t.len;
    to->res_types = NEWN(p->m->arena, const Type *, types.t.len);
    for (int i = 0; i < types.t.len; i++) to->res_types[i] = types.t.data[i];
}

static bool takes_or_gives(const Pairs *p, const Func *f) {
    bool any = false;
    for (int i = 0; i < f->body->nargs; i++) any |= is_paired(p, f->body->args[i]->type);
    for (int i = 0; i < f->nres; i++) any |= is_paired(p, f->res_types[i]);
    return any;
}

/* What others call from outside takes and gives what it did: its body calls the version of pairs. */
static void write_entry(Pairs *p, Func *f) {
    Region *was = func_begin_anew(f);
    map_put(p->scratch, &p->bodies, f, was);
    Builder b = builder_at_end(p->m, f->body, f->span);
    List args = {0}, types = {0};
    for (int i = 0; i < was->nargs; i++) {
        Value *v = region_add_arg(f->body, was->args[i]->type, was->args[i]->name);
        Pair x = is_paired(p, v->type) ? pair_split(&b, v, p->part) : (Pair){v, NULL};
        vec_push(p->scratch, &args.v, x.hi);
        if (x.lo) vec_push(p->scratch, &args.v, x.lo);
    }
    for (int i = 0; i < f->nres; i++) add_type(p, &types, f->res_types[i]);
    Op *call = build_op(&b, OP_CALL, args.v.len, args.v.data, types.t.len, types.t.data, 0);
    op_set_sym(call, A_FUNC, version_of(p, f)->name);
    Value **given = NEWN(p->scratch, Value *, f->nres + 1);
    for (int i = 0, k = 0; i < f->nres; i++) {
        bool two = is_paired(p, f->res_types[i]);
        given[i] = two ? pair_join(&b, (Pair){&call->res[k], &call->res[k + 1]}, p->wide) : &call->res[k];
        k += 1 + two;
    }
    build_return(&b, f->nres, given);
}

static void write_root(Pairs *p, Func *f) {
    if (takes_or_gives(p, f)) return write_entry(p, f);
    const Region *was = func_begin_anew(f);
    write_body(p, f, was, f);
}

/* ---- what nobody calls any more goes */

static void mark_calls(const Module *m, Map *used, Arena *a, const Region *r) {
    for (const Op *o = r->first; o; o = o->next) {
        for (int i = 0; i < o->nregs; i++) mark_calls(m, used, a, o->regs[i]);
        Func *f = o->code == OP_CALL ? module_find(m, op_sym(o, A_FUNC)) : NULL;
        if (!f || map_has(used, f)) continue;
        map_put(a, used, f, f);
        mark_calls(m, used, a, f->body);
    }
}

static bool is_root(const Func *f) { return f->kind != FUNC_EXTERN && (f->kind != FUNC_FN || f->is_export); }

static void drop_uncalled(Module *m, Arena *a) {
    Map used = {0};
    int kept = 0;
    for (int i = 0; i < m->funcs.len; i++)
        if (is_root(m->funcs.data[i])) mark_calls(m, &used, a, m->funcs.data[i]->body);
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        if (f->kind == FUNC_EXTERN || is_root(f) || map_has(&used, f)) m->funcs.data[kept++] = f;
    }
    m->funcs.len = kept;
}

void pass_pairs(Module *m, const PassOptions *opts) {
    if (opts->pairs == PAIRS_NONE || m->derives) return;
    DType part = opts->pairs == PAIRS_BF16 ? DT_BF16 : opts->pairs == PAIRS_F32 ? DT_F32 : DT_F64;
    Arena *scratch = arena_new();
    Pairs p = {.m = m, .scratch = scratch, .wide = pairs_wide(opts), .part = part};
    for (int i = 0, n = m->funcs.len; i < n; i++)
        if (is_root(m->funcs.data[i])) write_root(&p, m->funcs.data[i]);
    for (int i = 0; i < p.funcs.len; i++) {
        const Func *f = p.funcs.keys[i];
        const Region *was = map_get(&p.bodies, f);
        write_body(&p, p.funcs.vals[i], was ? was : f->body, f);
    }
    pair_functions_inline(m, scratch);
    drop_uncalled(m, scratch);
    arena_free(scratch);
}
