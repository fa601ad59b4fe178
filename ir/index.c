/* Index arithmetic that folds, what is linear in one index, extents, the check of a slice (see index.h). */
#include "ir/index.h"
#include "runtime/gen.h"

/* What wraps is left as an operation: it shows that it does. */
Value *index_add(Builder *b, Value *x, Value *y) {
    int64_t i, j, k;
    bool cx = value_const_int(x, &i), cy = value_const_int(y, &j);
    if (cx && cy && !__builtin_add_overflow(i, j, &k)) return build_int(b, k);
    if (cx && i == 0) return y;
    if (cy && j == 0) return x;
    return build_binary(b, OP_ADD, x, y);
}

Value *index_sub(Builder *b, Value *x, Value *y) {
    int64_t i, j, k;
    bool cx = value_const_int(x, &i), cy = value_const_int(y, &j);
    if (cx && cy && !__builtin_sub_overflow(i, j, &k)) return build_int(b, k);
    if (cy && j == 0) return x;
    return build_binary(b, OP_SUB, x, y);
}

Value *index_mul(Builder *b, Value *x, Value *y) {
    int64_t i, j, k;
    bool cx = value_const_int(x, &i), cy = value_const_int(y, &j);
    if (cx && cy && !__builtin_mul_overflow(i, j, &k)) return build_int(b, k);
    if (cx && i == 1) return y;
    if (cy && j == 1) return x;
    return build_binary(b, OP_MUL, x, y);
}

static Value *least_or_most(Builder *b, OpCode c, Value *x, Value *y) {
    int64_t i, j;
    if (x == y) return x;
    if (!value_const_int(x, &i) || !value_const_int(y, &j)) return build_binary(b, c, x, y);
    return build_int(b, (c == OP_MIN) == (i < j) ? i : j);
}

Value *index_min(Builder *b, Value *x, Value *y) { return least_or_most(b, OP_MIN, x, y); }
Value *index_max(Builder *b, Value *x, Value *y) { return least_or_most(b, OP_MAX, x, y); }

/* ---- linear in one index */

Value *index_plus(Builder *b, Value *x, Value *y, bool minus) {
    if (!y) return x;
    if (!x) x = build_int(b, 0);
    return minus ? index_sub(b, x, y) : index_add(b, x, y);
}

/* rest is built with b, before the loop whose body is r. */
IndexLinear index_linear(Builder *b, const Region *r, const Value *iv, Value *v) {
    if (v == iv) return (IndexLinear){.ok = true, .coef = 1};
    if (!region_encloses(r, value_region(v))) return (IndexLinear){.ok = true, .rest = v};
    const Op *d = v->def;
    int64_t c;
    if (!d) return (IndexLinear){0};
    if (value_const_int(v, &c)) return (IndexLinear){.ok = true, .rest = build_int(b, c)};
    if (d->code == OP_SIZE) return (IndexLinear){.ok = true, .rest = build_size(b, op_attr(d, A_SIZE)->sizes[0])};
    if (d->code != OP_ADD && d->code != OP_SUB && d->code != OP_MUL) return (IndexLinear){0};
    IndexLinear x = index_linear(b, r, iv, op_opnd(d, 0));
    IndexLinear y = x.ok ? index_linear(b, r, iv, op_opnd(d, 1)) : (IndexLinear){0};
    if (!x.ok || !y.ok) return (IndexLinear){0};
    if (d->code != OP_MUL)
        return (IndexLinear){true, d->code == OP_SUB ? x.coef - y.coef : x.coef + y.coef,
                             index_plus(b, x.rest, y.rest, d->code == OP_SUB)};
    if (x.coef && y.coef) return (IndexLinear){0};
    if (y.coef) { IndexLinear t = x; x = y, y = t; }
    if (!x.coef) return (IndexLinear){true, 0, x.rest && y.rest ? index_mul(b, x.rest, y.rest) : NULL};
    if (!y.rest) return (IndexLinear){.ok = true};
    if (!value_const_int(y.rest, &c) || c > INT32_MAX || c < INT32_MIN) return (IndexLinear){0};
    return (IndexLinear){true, x.coef * c, x.rest ? index_mul(b, x.rest, y.rest) : NULL};
}

Value *index_meeting(Builder *b, IndexLinear x, IndexLinear y) {
    bool first = x.coef - y.coef == 1;
    Value *at = first ? index_plus(b, y.rest, x.rest, true) : index_plus(b, x.rest, y.rest, true);
    return at ? at : build_int(b, 0);
}

Value *index_floordiv(Builder *b, Value *n, int64_t by) {
    int64_t c;
    if (by == 1) return n;
    if (value_const_int(n, &c)) return build_int(b, int_floor_div(c, by));
    return idiv_safe(b, n, build_int(b, by));
}

Value *index_ceildiv(Builder *b, Value *n, int64_t by) {
    int64_t c;
    if (value_const_int(n, &c)) return build_int(b, (c + by - 1) / by);
    return idiv_safe(b, index_add(b, n, build_int(b, by - 1)), build_int(b, by));
}

/* Ints wrap, so that sums may be taken in any order. */
Value *index_without_constant(Value *v, int64_t *k) {
    *k = 0;
    for (int64_t c; v->def && (v->def->code == OP_ADD || v->def->code == OP_SUB); v = op_opnd(v->def, 0)) {
        if (!value_const_int(op_opnd(v->def, 1), &c) || c > INT32_MAX || c < INT32_MIN) break;
        *k += v->def->code == OP_ADD ? c : -c;
    }
    return v;
}

int index_log2(int64_t n) {
    int k = 0;
    while (2 << k <= n) k++;
    return k;
}

static void constant_last(void *ctx, Op *op) {
    (void)ctx;
    int64_t i, j, k;
    bool minus = op->code == OP_SUB, times = op->code == OP_MUL;
    if ((op->code != OP_ADD && !minus && !times) || op->res[0].type != type_i64(op->parent->func->module)) return;
    Value *x = index_without_constant(op_opnd(op, 0), &i), *y = index_without_constant(op_opnd(op, 1), &j);
    bool fixed = value_const_int(op_opnd(op, 1), &k);
    if ((!i && !j) || (fixed && (k > INT32_MAX || k < INT32_MIN)) || (times && !fixed)) return;
    Builder b = builder_before(op);
    Value *sum = times ? index_mul(&b, x, op_opnd(op, 1)) : fixed ? x : build_binary(&b, op->code, x, y);
    int64_t more = times ? i * k : fixed ? i + (minus ? -k : k) : i + (minus ? -j : j);
    Value *all = index_add(&b, sum, build_int(&b, more));
    all->name = op->res[0].name;
    value_replace_all(&op->res[0], all);
    op_erase(op);
}

void index_constants_last(Region *r) { region_walk(r, constant_last, NULL); }

void index_unflatten(Builder *b, Value *flat, int rank, Value *const *extents, Value **out) {
    for (int i = rank - 1; i > 0; i--) {
        out[i] = imod_safe(b, flat, extents[i]);
        flat = idiv_safe(b, flat, extents[i]);
    }
    if (rank) out[0] = flat;
}

Value *index_flatten(Builder *b, Value *const *idx, int rank, Value *const *extents) {
    Value *flat = rank ? idx[0] : build_int(b, 0);
    for (int i = 1; i < rank; i++) flat = index_add(b, index_mul(b, flat, extents[i]), idx[i]);
    return flat;
}

static int long_axes(const Type *t, int *axes) {
    int n = 0;
    int64_t c;
    for (int i = 0; i < t->rank; i++)
        if (!size_is_const(t->dims[i], &c) || c != 1) axes[n++] = i;
    return n;
}

int long_axes_alike(const Type *x, const Type *y, int *of_x, int *of_y) {
    int n = long_axes(x, of_x);
    if (long_axes(y, of_y) != n) return -1;
    for (int i = 0; i < n; i++)
        if (x->dims[of_x[i]] != y->dims[of_y[i]]) return -1;
    return n;
}

enum { MAX_DEPTH = 16 };

const Size *size_combined(Session *s, OpCode code, const Size *x, const Size *y) {
    int64_t c;
    switch (code) {
    case OP_ADD: return size_add(s, x, y);
    case OP_SUB: return size_sub(s, x, y);
    case OP_MUL: return size_mul(s, x, y);
    case OP_MIN: return size_min(s, x, y);
    case OP_MAX: return size_max(s, x, y);
    case OP_IDIV: return size_is_const(y, &c) && c > 0 ? size_floordiv(s, x, y) : NULL;
    default: return NULL;
    }
}

static const Size *size_at(Session *s, const Value *v, bool at_most, int depth) {
    const Op *op = v->def;
    int64_t c;
    if (!op || depth > MAX_DEPTH) return NULL;
    if (value_const_int(v, &c)) return size_const(s, c);
    if (op->code == OP_SIZE) return op_attr(op, A_SIZE)->sizes[0];
    if (op->nopnds != 2 || op->nregs || v->type->dtype != DT_I64) return NULL;
    const Size *x = size_at(s, op_opnd(op, 0), at_most, depth + 1), *y = size_at(s, op_opnd(op, 1), at_most, depth + 1);
    if (at_most && op->code == OP_MIN && (!x || !y)) return x ? x : y;
    return x && y ? size_combined(s, op->code, x, y) : NULL;
}

const Size *value_size(Session *s, const Value *v, bool at_most) { return size_at(s, v, at_most, 0); }

const Size *build_size_of(Builder *b, Value *v) {
    Session *s = b->module->session;
    int64_t c;
    if (value_const_int(v, &c)) return size_const(s, c < 0 ? 0 : c);
    const Size *size = v->def && v->def->code == OP_SIZE ? op_attr(v->def, A_SIZE)->sizes[0] : NULL;
    if (size) return size_is_natural(s, size) ? size : size_max(s, size, size_const(s, 0));
    const char *sym = module_fresh_sym(b->module, v->name ? v->name : "n");
    build_bind(b, build_binary(b, OP_MAX, v, build_int(b, 0)), sym);
    return size_sym(s, sym);
}

/* ---- checks */

Value *build_both(Builder *b, Value *x, Value *y) { return !x ? y : !y ? x : build_binary(b, OP_AND, x, y); }

Value *build_between(Builder *b, Value *also, Value *i, Value *lo, Value *hi) {
    if (lo) also = build_both(b, also, build_binary(b, OP_GE, i, lo));
    return hi ? build_both(b, also, build_binary(b, OP_LT, i, hi)) : also;
}

Value *build_inside(Builder *b, Value *i, Value *extent) {
    return build_between(b, NULL, i, build_int(b, 0), extent);
}

void build_index_check(Builder *b, Value *inside, Value *index, Value *extent, int axis) {
    Op *check = build_op(b, OP_CHECK, 3, (Value *[]){inside, index, extent}, 0, NULL, 0);
    op_set_sym(check, A_CODE, "E0601");
    op_set_sym(check, A_MSG, intern_printf(b->module->session,
                                           "index {} is out of bounds for axis %d with size {}", axis));
}

void check_extract(Op *e) {
    Builder b = builder_before(e);
    const Type *t = op_opnd(e, 0)->type;
    for (int i = 0; i < t->rank && !op_flag(e, A_SAFE); i++) {
        Value *at = op_opnd(e, i + 1);
        if (!at->def && index_size(at) == t->dims[i]) continue;
        Value *extent = build_size(&b, t->dims[i]);
        build_index_check(&b, build_inside(&b, at, extent), at, extent, i);
    }
}

/* 0 <= first, first < n, 0 <= last, last < n; what is known when compiling is left out.  Of a first index near the end
 * of the ints the last one would wrap around, so the first one alone is compared. */
static Value *axis_inside(Builder *b, Value *ok, Value *start, Value *count, Value *extent, int64_t step) {
    Value *reach = index_mul(b, index_sub(b, count, build_int(b, 1)), build_int(b, step < 0 ? -step : step));
    Value *least = step < 0 ? reach : build_int(b, 0), *end = step < 0 ? extent : index_sub(b, extent, reach);
    int64_t c;
    bool known = step >= 0 && value_const_int(start, &c) && c >= 0;
    return build_between(b, ok, start, known ? NULL : least, end);
}

void build_slice_check(Builder *b, const Op *op, const Type *whole, const Type *part, Value *const *start,
                       const int64_t *steps) {
    if (op_flag(op, A_SAFE)) return;
    Value *extent[MAX_RANK], *count[MAX_RANK];
    build_dims(b, whole, extent);
    build_dims(b, part, count);
    for (int i = 0; i < whole->rank; i++) {
        Value *empty = build_binary(b, OP_LE, count[i], build_int(b, 0));
        Value *ok = build_binary(b, OP_OR, empty, axis_inside(b, NULL, start[i], count[i], extent[i], steps[i]));
        if (value_is_const_int(count[i], 1)) {
            build_index_check(b, ok, start[i], extent[i], i);
            continue;
        }
        Value *opnds[] = {ok, extent[i], start[i], count[i]};
        Op *check = build_op(b, OP_CHECK, 4, opnds, 0, NULL, 0);
        op_set_sym(check, A_CODE, "E0601");
        op_set_sym(check, A_MSG, intern_printf(b->module->session,
                   "the slice is out of bounds for axis %d with size {}: it begins at {} and has size {}", i));
    }
}

/* ---- what is known of slices and loops */

bool op_unit_steps(const Op *op) {
    const Attr *steps = op_attr(op, A_STEPS);
    for (int i = 0; i < steps->n; i++)
        if (steps->ints[i] != 1) return false;
    return true;
}

Value *build_neutral(Builder *b, const Op *reduce, int i) {
    Combine kind = op_combine(reduce);
    if (kind == COMBINE_CUSTOM) return op_opnd(reduce, reduce->regs[0]->nargs + i);
    return build_const(b, combine_identity(kind, reduce->res[i].type->dtype));
}

bool op_surely_runs(const Op *loop) {
    int64_t lo, hi, step;
    if (loop->code == OP_FOR)
        return value_const_int(op_opnd(loop, 0), &lo) && value_const_int(op_opnd(loop, 1), &hi) &&
               value_const_int(op_opnd(loop, 2), &step) && (step > 0 ? lo < hi : lo > hi);
    if (loop->code == OP_PARALLEL || loop->code == OP_REDUCE) {
        for (int i = 0; i < loop->regs[0]->nargs; i++)
            if (!value_const_int(op_opnd(loop, i), &hi) || hi < 1) return false;
        return true;
    }
    if (loop->code == OP_GENERATE || loop->code == OP_SCAN) {
        const Type *t = loop->res[0].type;
        for (int i = 0; i < t->rank; i++)
            if (!size_is_const(t->dims[i], &hi) || hi < 1) return false;
        return true;
    }
    return false;
}

Value *index_turns(Builder *b, const Op *loop) {
    int64_t step = 1;
    value_const_int(op_opnd(loop, 2), &step);
    Value *n = index_sub(b, op_opnd(loop, step > 0 ? 1 : 0), op_opnd(loop, step > 0 ? 0 : 1));
    return step == 1 || step == -1 ? n : index_ceildiv(b, n, step > 0 ? step : -step);
}

Op *loop_only_inner(const Op *outer) {
    const Op *yield = region_term(outer->regs[0]);
    Op *inner = yield->prev;
    if (!inner || inner->code != OP_FOR || inner->nres != outer->nres) return NULL;
    for (int i = 0; i < inner->nres; i++) {
        Value *carried = loop_carried(outer, i);
        if (op_opnd(yield, i) != &inner->res[i] || loop_first(inner, i) != carried) return NULL;
        if (!value_single_use(carried) || !value_single_use(&inner->res[i])) return NULL;
    }
    for (const Op *o = outer->regs[0]->first; o != inner; o = o->next)
        if (!op_is_pure(o) || o->nregs) return NULL;
    return inner;
}

bool loop_turns(const Op *loop, int64_t *turns) {
    int64_t lo, hi, step;
    if (!value_const_int(op_opnd(loop, 0), &lo) || !value_const_int(op_opnd(loop, 1), &hi)) return false;
    if (!value_const_int(op_opnd(loop, 2), &step) || !step) return false;
    *turns = dsl_trips(lo, hi, step);
    return true;
}

typedef struct { const Value *index; int ops; bool shifts, impossible; } Bits;

static void find_shift(void *ctx, Op *op) {
    Bits *b = ctx;
    b->ops++;
    b->shifts |= (op->code == OP_SHL || op->code == OP_SHR) && value_depends(op_opnd(op, 1), b->index);
    b->impossible |= op->code != OP_YIELD && !op_is_pure(op);
    for (int i = 0; i < op->nres; i++)
        b->impossible |= op->res[i].type->kind != TY_SCALAR || dtype_is_float(op->res[i].type->dtype);
}

int loop_bits(const Op *loop) {
    enum { MOST = 64, MAX_OPS = 400 };
    int64_t turns;
    Bits b = {.index = loop->regs[0]->args[0]};
    if (!loop->nres || op_flag(loop, A_PROGRESS) || !loop_turns(loop, &turns) || turns < 2 || turns > MOST) return 0;
    region_walk(loop->regs[0], find_shift, &b);
    return b.shifts && !b.impossible && b.ops * turns <= MAX_OPS ? (int)turns : 0;
}

Op *split_elements(Op *op) {
    Builder b = builder_before(op);
    Session *s = b.module->session;
    Region *body = op->regs[0];
    const Size *dims[MAX_RANK];
    const Type **types = NEWN(b.module->arena, const Type *, op->nres);
    for (int i = 0; i < body->nargs; i++)
        dims[i] = op->code == OP_SCAN ? op->res[0].type->dims[i] : build_size_of(&b, op_opnd(op, i));
    for (int k = 0; k < op->nres; k++) types[k] = type_tensor(s, op->res[k].type->dtype, body->nargs, dims);
    Op *g = build_op(&b, OP_GENERATE, 0, NULL, op->nres, types, 1);
    Region *fresh = g->regs[0];
    g->regs[0] = body, body->owner = g;
    op->regs[0] = fresh, fresh->owner = op;
    for (int i = 0; i < body->nargs; i++) region_add_arg(fresh, body->args[i]->type, body->args[i]->name);
    Builder in = builder_at_end(b.module, fresh, op->span);
    Value **vals = NEWN(b.module->arena, Value *, op->nres);
    for (int k = 0; k < op->nres; k++) vals[k] = extract_safe(&in, &g->res[k], fresh->nargs, fresh->args);
    build_yield(&in, op->nres, vals);
    return g;
}

/* ---- short reductions */

bool reduce_is_short(const Op *op) {
    enum { FEW = 4, MANY_OPS = 160 };
    int64_t n;
    if (op->code != OP_REDUCE || op->nregs != 1 || op->regs[0]->nargs != 1) return false;
    if (op_combine(op) == COMBINE_CUSTOM || !value_const_int(op_opnd(op, 0), &n) || n < 1 || n > FEW) return false;
    if (op_holds(op, OP_FOR) || op_holds(op, OP_WHILE) || op_has_effect(op) || op_has_tensors(op)) return false;
    return region_count_ops(op->regs[0]) * n <= MANY_OPS;
}

void reduce_write_out(Op *op) {
    Builder b = builder_before(op);
    OpCode code = combine_info(op_combine(op))->op;
    Value **out = NEWN(b.module->arena, Value *, 2 * op->nres), **sum = out + op->nres;
    int64_t n = 0;
    value_const_int(op_opnd(op, 0), &n);
    b.span = op->span;
    for (int i = 0; i < op->nres; i++)
        sum[i] = build_const(&b, combine_identity(op_combine(op), op->res[i].type->dtype));
    for (int64_t k = 0; k < n; k++) {
        Value *at = build_int(&b, k);
        region_inline(&b, op->regs[0], &at, out);
        for (int i = 0; i < op->nres; i++) sum[i] = build_binary(&b, code, sum[i], out[i]);
    }
    for (int i = 0; i < op->nres; i++) value_replace_all(&op->res[i], sum[i]);
    op_erase(op);
}

void loop_write_out(Op *loop, int64_t turns) {
    int64_t lo = 0, step = 1;
    value_const_int(op_opnd(loop, 0), &lo), value_const_int(op_opnd(loop, 2), &step);
    Builder b = builder_before(loop);
    Value **args = NEWN(b.module->arena, Value *, loop->nres + 1);
    for (int i = 0; i < loop->nres; i++) args[1 + i] = op_opnd(loop, 3 + i);
    for (int64_t t = 0; t < turns; t++) {
        args[0] = build_int(&b, (int64_t)((uint64_t)lo + (uint64_t)t * (uint64_t)step));
        region_inline(&b, loop->regs[0], args, args + 1);
    }
    for (int i = 0; i < loop->nres; i++) value_replace_all(&loop->res[i], args[1 + i]);
    op_erase(loop);
}
