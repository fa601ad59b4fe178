/* What the passes to stage loops share: folding index arithmetic, extents, copies of regions, checks. */
#include "lower/loops.h"

#include <string.h>

bool loops_const(const Value *v, int64_t *out) {
    if (!v->def || v->def->code != OP_CONST) return false;
    const Const c = op_attr(v->def, A_VALUE)->c;
    if (dtype_is_float(c.dtype) || c.dtype == DT_STR) return false;
    if (out) *out = c.i;
    return true;
}

const Type *loops_i64(Module *m) { return type_scalar(m->session, DT_I64); }

/* What wraps is left as an operation: it shows that it does. */
Value *loops_add(Builder *b, Value *x, Value *y) {
    int64_t i, j, k;
    bool cx = loops_const(x, &i), cy = loops_const(y, &j);
    if (cx && cy && !__builtin_add_overflow(i, j, &k)) return build_int(b, k);
    if (cx && i == 0) return y;
    if (cy && j == 0) return x;
    return build_binary(b, OP_ADD, x, y);
}

Value *loops_sub(Builder *b, Value *x, Value *y) {
    int64_t i, j, k;
    bool cx = loops_const(x, &i), cy = loops_const(y, &j);
    if (cx && cy && !__builtin_sub_overflow(i, j, &k)) return build_int(b, k);
    if (cy && j == 0) return x;
    return build_binary(b, OP_SUB, x, y);
}

Value *loops_mul(Builder *b, Value *x, Value *y) {
    int64_t i, j, k;
    bool cx = loops_const(x, &i), cy = loops_const(y, &j);
    if (cx && cy && !__builtin_mul_overflow(i, j, &k)) return build_int(b, k);
    if (cx && i == 1) return y;
    if (cy && j == 1) return x;
    return build_binary(b, OP_MUL, x, y);
}

static Value *least_or_most(Builder *b, OpCode c, Value *x, Value *y) {
    int64_t i, j;
    if (x == y) return x;
    if (!loops_const(x, &i) || !loops_const(y, &j)) return build_binary(b, c, x, y);
    return build_int(b, (c == OP_MIN) == (i < j) ? i : j);
}

Value *loops_min(Builder *b, Value *x, Value *y) { return least_or_most(b, OP_MIN, x, y); }
Value *loops_max(Builder *b, Value *x, Value *y) { return least_or_most(b, OP_MAX, x, y); }

/* ---- ints that wrap: a + b < c is no bound of a where a + b may wrap, nor where c - b may */

static bool is_sum(const Op *op) { return op && (op->code == OP_ADD || op->code == OP_SUB || op->code == OP_MUL); }

bool loops_exact_inside(Ranges *r, const Region *body, const Value *v, const Op *at) {
    const Op *op = v->def;
    if (!region_encloses(body, value_region(v)) || !is_sum(op)) return true;
    ranges_forget(r);
    return range_exact(r, op, at) && loops_exact_inside(r, body, op_opnd(op, 0), at) && loops_exact_inside(r, body, op_opnd(op, 1), at);
}

bool loops_exact_before(Ranges *r, const Op *loop, const Value *v, const Op *old) {
    const Op *op = v->def;
    if (op && (op->code == OP_MIN || op->code == OP_MAX) && op->parent == loop->parent && (!old || op->order > old->order))
        return loops_exact_before(r, loop, op_opnd(op, 0), old) && loops_exact_before(r, loop, op_opnd(op, 1), old);
    if (!is_sum(op) || op->parent != loop->parent || (old && op->order <= old->order)) return true;
    ranges_forget(r);
    return range_exact(r, op, loop) && loops_exact_before(r, loop, op_opnd(op, 0), old) && loops_exact_before(r, loop, op_opnd(op, 1), old);
}

/* ---- linear in one index */

Value *loops_plus(Builder *b, Value *x, Value *y, bool minus) {
    if (!y) return x;
    if (!x) x = build_int(b, 0);
    return minus ? loops_sub(b, x, y) : loops_add(b, x, y);
}

/* rest is built with b, before the loop whose body is r. */
LoopsLinear loops_linear(Builder *b, const Region *r, const Value *iv, Value *v) {
    if (v == iv) return (LoopsLinear){.ok = true, .coef = 1};
    if (!region_encloses(r, value_region(v))) return (LoopsLinear){.ok = true, .rest = v};
    const Op *d = v->def;
    int64_t c;
    if (!d) return (LoopsLinear){0};
    if (loops_const(v, &c)) return (LoopsLinear){.ok = true, .rest = build_int(b, c)};
    if (d->code == OP_SIZE) return (LoopsLinear){.ok = true, .rest = build_size(b, op_attr(d, A_SIZE)->sizes[0])};
    if (d->code != OP_ADD && d->code != OP_SUB && d->code != OP_MUL) return (LoopsLinear){0};
    LoopsLinear x = loops_linear(b, r, iv, op_opnd(d, 0));
    LoopsLinear y = x.ok ? loops_linear(b, r, iv, op_opnd(d, 1)) : (LoopsLinear){0};
    if (!x.ok || !y.ok) return (LoopsLinear){0};
    if (d->code != OP_MUL)
        return (LoopsLinear){true, d->code == OP_SUB ? x.coef - y.coef : x.coef + y.coef, loops_plus(b, x.rest, y.rest, d->code == OP_SUB)};
    if (x.coef && y.coef) return (LoopsLinear){0};
    if (y.coef) { LoopsLinear t = x; x = y, y = t; }
    if (!x.coef) return (LoopsLinear){true, 0, x.rest && y.rest ? loops_mul(b, x.rest, y.rest) : NULL};
    if (!y.rest) return (LoopsLinear){.ok = true};
    if (!loops_const(y.rest, &c) || c > INT32_MAX || c < INT32_MIN) return (LoopsLinear){0};
    return (LoopsLinear){true, x.coef * c, x.rest ? loops_mul(b, x.rest, y.rest) : NULL};
}

const Size *loops_extent_size(Builder *b, Value *v) {
    Session *s = b->module->session;
    int64_t c;
    if (loops_const(v, &c)) return size_const(s, c < 0 ? 0 : c);
    if (v->def && v->def->code == OP_SIZE) return op_attr(v->def, A_SIZE)->sizes[0];
    const char *sym = module_fresh_sym(b->module, v->name ? v->name : "n");
    build_bind(b, build_binary(b, OP_MAX, v, build_int(b, 0)), sym);
    return size_sym(s, sym);
}

void loops_dims(Builder *b, const Type *t, Value **out) {
    for (int i = 0; i < t->rank; i++) out[i] = build_size(b, t->dims[i]);
}

bool loops_has_tensors(const Op *op) {
    for (int i = 0; i < op->nregs; i++) {
        const Region *r = op->regs[i];
        for (int k = 0; k < r->nargs; k++)
            if (type_is_tensor(r->args[k]->type)) return true;
        for (const Op *o = r->first; o; o = o->next) {
            for (int k = 0; k < o->nres; k++)
                if (type_is_tensor(o->res[k].type)) return true;
            for (int k = 0; k < o->nopnds; k++)
                if (type_is_tensor(op_opnd(o, k)->type) && o->code != OP_EXTRACT) return true;
            if (loops_has_tensors(o)) return true;
        }
    }
    return false;
}

int loops_count_ops(const Region *r) {
    int n = 0;
    for (const Op *o = r->first; o; o = o->next) {
        n++;
        for (int i = 0; i < o->nregs; i++) n += loops_count_ops(o->regs[i]);
    }
    return n;
}

/* ---- copies: each symbol has one definition, so what is bound in the copy gets a new name */

typedef struct { Module *module; Map renamed; } Renames;

static void collect_binds(const Region *r, Renames *n) {
    for (const Op *o = r->first; o; o = o->next) {
        if (o->code == OP_BIND) {
            const char *old = op_sym(o, A_SYM), *fresh = module_fresh_sym(n->module, old);
            map_put(n->module->arena, &n->renamed, old, (void *)size_sym(n->module->session, fresh));
        }
        for (int i = 0; i < o->nregs; i++) collect_binds(o->regs[i], n);
    }
}

static const Size *renamed(void *ctx, const char *sym) { return map_get(&((Renames *)ctx)->renamed, sym); }

void loops_inline_region(Builder *b, const Region *r, Value *const *args, Value **out) {
    Renames n = {.module = b->module};
    Cloner c = {.module = b->module};
    collect_binds(r, &n);
    if (n.renamed.len) c.subst = renamed, c.subst_ctx = &n;
    for (int i = 0; i < r->nargs; i++) map_put(b->module->arena, &c.values, r->args[i], args[i]);
    clone_region_ops(&c, b, r, false);
    const Op *term = r->last;
    for (int i = 0; i < term->nopnds; i++) out[i] = clone_value(&c, op_opnd(term, i));
}

/* ---- checks */

static Value *both(Builder *b, Value *x, Value *y) { return x ? build_binary(b, OP_AND, x, y) : y; }

/* 0 <= first, first < n, 0 <= last, last < n; what is known when compiling is left out.  Of a first index near the end of the
 * ints the last one would wrap around, so the first one alone is compared. */
static Value *axis_inside(Builder *b, Value *ok, Value *start, Value *count, Value *extent, int64_t step) {
    Value *reach = loops_mul(b, loops_sub(b, count, build_int(b, 1)), build_int(b, step < 0 ? -step : step));
    Value *least = step < 0 ? reach : build_int(b, 0), *end = step < 0 ? extent : loops_sub(b, extent, reach);
    int64_t c;
    if (step < 0 || !loops_const(start, &c) || c < 0) ok = both(b, ok, build_binary(b, OP_GE, start, least));
    return both(b, ok, build_binary(b, OP_LT, start, end));
}

void loops_check_slice(Builder *b, const Op *op, const Type *whole, const Type *part, Value *const *start, const int64_t *steps) {
    if (op_flag(op, A_SAFE)) return;
    Value *extent[MAX_RANK], *count[MAX_RANK];
    loops_dims(b, whole, extent);
    loops_dims(b, part, count);
    for (int i = 0; i < whole->rank; i++) {
        Value *empty = build_binary(b, OP_LE, count[i], build_int(b, 0));
        Value *ok = build_binary(b, OP_OR, empty, axis_inside(b, NULL, start[i], count[i], extent[i], steps[i]));
        Value *opnds[] = {ok, extent[i], start[i], count[i]};
        Op *check = build_op(b, OP_CHECK, 4, opnds, 0, NULL, 0);
        op_set_sym(check, A_CODE, "E0601");
        op_set_sym(check, A_MSG, intern_printf(b->module->session,
                   "the slice is out of bounds for axis %d with size {}: it begins at {} and has size {}", i));
    }
}
