/* Types, sizes and variables of the language as types, sizes and values of the IR. */
#include "analysis/range.h"
#include "lower/ast/private.h"

#include <string.h>

/* ---- leaves */

int leaf_count(const FType *t) {
    switch (t->kind) {
    case FT_SCALAR: return 1;
    case FT_ARRAY: return leaf_count(t->elem);
    case FT_TUPLE:
    case FT_STRUCT: return leaf_offset(t, t->nfields);
    default: return 0;
    }
}

const FType *leaf_field_type(const FType *t, int field) {
    return (t->kind == FT_ARRAY ? t->elem : t)->fields[field];
}

int leaf_offset(const FType *t, int field) {
    int n = 0;
    for (int i = 0; i < field; i++) n += leaf_count(leaf_field_type(t, i));
    return n;
}

bool type_has_array(const FType *t) {
    if (t->kind == FT_ARRAY) return true;
    if (t->kind != FT_TUPLE && t->kind != FT_STRUCT) return false;
    for (int i = 0; i < t->nfields; i++)
        if (type_has_array(t->fields[i])) return true;
    return false;
}

const FType *array_elem(const FType *t) { return t->kind == FT_ARRAY ? t->elem : t; }

/* dims: those of the arrays around t, outermost first */
static int fill_types(Fn *f, const FType *t, int rank, const Size **dims, const Type **out) {
    switch (t->kind) {
    case FT_SCALAR:
        *out = rank ? type_tensor(f->session, t->dtype, rank, dims) : type_scalar(f->session, t->dtype);
        return 1;
    case FT_ARRAY:
        if (rank + t->rank > MAX_RANK) bug("an array of rank %d", rank + t->rank);
        for (int i = 0; i < t->rank; i++) dims[rank + i] = fn_size(f, t->dims[i]);
        return fill_types(f, t->elem, rank + t->rank, dims, out);
    case FT_TUPLE:
    case FT_STRUCT: {
        int n = 0;
        for (int i = 0; i < t->nfields; i++) n += fill_types(f, t->fields[i], rank, dims, out + n);
        return n;
    }
    default: return 0;
    }
}

const Type **leaf_types(Fn *f, const FType *t) {
    const Type **types = NEWN(f->arena, const Type *, leaf_count(t) + 1);
    const Size *dims[MAX_RANK];
    fill_types(f, t, 0, dims, types);
    return types;
}

/* ---- sizes */

static const char *fresh_name(Fn *f, const char *sym) {
    const char *name = f->outer || map_has(&f->bound, sym) ? module_fresh_sym(f->l->module, sym) : sym;
    map_put(f->arena, &f->bound, name, f);
    return name;
}

static const Size *bind_part(Fn *f, const char *sym, Value *v) {
    const char *name = fresh_name(f, sym);
    build_bind(&f->b, v, name);
    return size_sym(f->session, name);
}

/* k of unknown sign: max(k, 0) - max(-k, 0) */
static const Size *bind_difference(Fn *f, const Sym *s) {
    Value *zero = build_int(&f->b, 0), *v = s->value;
    const Size *up = bind_part(f, s->name, build_binary(&f->b, OP_MAX, v, zero));
    Value *below = build_binary(&f->b, OP_MAX, build_unary(&f->b, OP_NEG, v), zero);
    return size_sub(f->session, up, bind_part(f, s->name, below));
}

/* Builds the definition.  The size of a kernel is one of the launching function, and is defined in place. */
static void bind_sym(Fn *f, Sym *s, bool nonneg) {
    if (s->outer) {
        Mark outside = builder_enter(f->outer, f->b);
        s->now = fn_size(f->outer, s->outer);
        f->b = f->outer->b;
        f->outer->b = outside.b;
    } else s->now = nonneg || s->nonneg ? bind_part(f, s->name, s->value) : bind_difference(f, s);
    vec_push(f->arena, f->visible, s);
}

static const Size *meaning(void *ctx, const char *name) {
    Fn *f = ctx;
    Sym *s = map_get(&f->syms, name);
    if (!s) return NULL;
    if (!s->now) bind_sym(f, s, false);
    return s->now;
}

const Size *fn_size(Fn *f, const Size *size) {
    if (!f->syms.len) return size;
    const char *bare = size_as_sym(size);
    if (bare) fn_bind_sym(f, bare);
    return size_subst(f->session, size, meaning, f);
}

/* ---- sizes as values: what has no symbol here yet stays arithmetic, so that it needs none */

typedef struct { Fn *f; bool any; } Unbound;

static void look_unbound(void *ctx, const char *name) {
    Unbound *u = ctx;
    const Sym *s = map_get(&u->f->syms, name);
    u->any |= s && !s->now && (!s->outer || fn_size_is_unbound(u->f->outer, s->outer));
}

bool fn_size_is_unbound(Fn *f, const Size *s) {
    Unbound u = {f, false};
    size_each_sym(s, look_unbound, &u);
    return u.any;
}

typedef struct { Fn *f; bool all; } Bound;

static void look_bound(void *ctx, const char *sym) {
    Bound *b = ctx;
    b->all &= map_has(&b->f->bound, sym);
}

bool size_is_bound(Fn *f, const Size *s) {
    Bound b = {f, true};
    size_each_sym(s, look_bound, &b);
    return b.all;
}

bool sizes_are_bound(Fn *f, const FType *t) {
    const Type **types = leaf_types(f, t);
    bool all = true;
    for (int i = 0; i < leaf_count(t); i++)
        for (int k = 0; k < types[i]->rank; k++) all &= size_is_bound(f, types[i]->dims[k]);
    return all;
}

static Value *size_arithmetic(Fn *f, const Size *s);

/* x of -1*x, or NULL */
static const Size *negated(Fn *f, const Size *s) {
    SizeNode n = size_node(f->session, s);
    int64_t c;
    return n.op == '*' && size_is_const(n.a, &c) && c == -1 ? n.b : NULL;
}

static Value *size_sum(Fn *f, const SizeNode *n) {
    const Size *minus_a = negated(f, n->a), *minus_b = negated(f, n->b);
    Value *a = size_arithmetic(f, minus_b || !minus_a ? n->a : n->b);
    Value *b = size_arithmetic(f, minus_b ? minus_b : minus_a ? minus_a : n->b);
    return build_binary(&f->b, minus_a || minus_b ? OP_SUB : OP_ADD, a, b);
}

/* Arithmetic, too: an int that is divided need not be a size, and what threads have of their own must not become a
 * symbol, which is the same for all of them. */
static Value *size_division(Fn *f, const Size *s, const SizeNode *n) {
    int64_t c;
    if (!size_is_const(n->b, &c) || c <= 0) return build_size(&f->b, fn_size(f, s));
    Value *a = size_arithmetic(f, n->a),
          *q = build_binary(&f->b, n->op == '/' ? OP_IDIV : OP_MOD, a, build_int(&f->b, c));
    op_set_flag(q->def, A_SAFE);
    return q;
}

/* What a kernel's size is in the launching function, computed here */
static Value *outer_arithmetic(Fn *f, const Size *s) {
    Fn *outer = f->outer;
    Builder there = outer->b;
    outer->b = f->b;
    Value *v = size_arithmetic(outer, s);
    f->b = outer->b;
    outer->b = there;
    return v;
}

static Value *symbol_value(Fn *f, const Sym *s) { return s->outer ? outer_arithmetic(f, s->outer) : s->value; }

static Value *size_arithmetic(Fn *f, const Size *s) {
    if (!fn_size_is_unbound(f, s)) return build_size(&f->b, fn_size(f, s));
    SizeNode n = size_node(f->session, s);
    OpCode code = n.op == '*' ? OP_MUL : n.op == 'M' ? OP_MAX : OP_MIN;
    if (n.op == 's') return symbol_value(f, map_get(&f->syms, n.sym));
    if (n.op == '/' || n.op == '%') return size_division(f, s, &n);
    if (n.op == '+') return size_sum(f, &n);
    Value *a = size_arithmetic(f, n.a);
    return build_binary(&f->b, code, a, size_arithmetic(f, n.b));
}

Value *fn_size_value(Fn *f, const Size *s) { return size_arithmetic(f, s); }

static bool is_nonneg(const Value *v);

/* An index of a loop that begins at 0 or above */
static bool index_is_nonneg(const Value *v) {
    const Op *loop = v->region->owner;
    if (!loop || v->region != loop->regs[0]) return false;
    if (loop->code == OP_GENERATE || loop->code == OP_REDUCE || loop->code == OP_SCAN || loop->code == OP_PARALLEL)
        return true;
    return loop->code == OP_FOR && v->index == 0 && is_nonneg(op_opnd(loop, 0)) && is_nonneg(op_opnd(loop, 2));
}

/* Whether v is plainly not negative */
static bool is_nonneg(const Value *v) {
    const Op *op = v->def;
    if (!op) return index_is_nonneg(v);
    if (op->code == OP_SIZE) return size_as_sym(op_attr(op, A_SIZE)->sizes[0]) != NULL;
    if (op->code == OP_ADD || op->code == OP_MUL) return is_nonneg(op_opnd(op, 0)) && is_nonneg(op_opnd(op, 1));
    return op->code == OP_CONST && op_attr(op, A_VALUE)->c.i >= 0;
}

static bool is_near(const Value *v, int depth) {
    const Op *op = v->def;
    if (!op) return v->region->owner && v->region->owner->code == OP_PARALLEL;
    if (op->code == OP_CONST) return range_is_near(op_attr(op, A_VALUE)->c.i);
    if (op->code == OP_SIZE) return true;
    bool sum = op->code == OP_ADD || op->code == OP_SUB;
    return sum && depth < 4 && is_near(op_opnd(op, 0), depth + 1) && is_near(op_opnd(op, 1), depth + 1);
}

bool value_is_near(const Value *v) { return is_near(v, 0); }

bool takes_for_ever(const Value *lo, const Value *hi, int64_t step) {
    enum { SMALL_STEP = 1024 };
    return step <= SMALL_STEP && step >= -SMALL_STEP && (value_is_near(lo) || value_is_near(hi));
}

void fn_define_sym(Fn *f, const char *sym, Value *v) {
    Sym *s = NEW(f->arena, Sym);
    *s = (Sym){.name = sym, .value = v, .nonneg = is_nonneg(v)};
    map_put(f->arena, &f->syms, sym, s);
}

void fn_bind_sym(Fn *f, const char *sym) {
    Sym *s = map_get(&f->syms, sym);
    if (s && !s->now) bind_sym(f, s, true);
}

bool fn_size_is_natural(Fn *f, const Size *s) {
    return !fn_size_is_unbound(f, s) && size_is_natural(f->session, fn_size(f, s));
}

bool fn_size_may_overflow(Fn *f, const Size *s) {
    SizeNode n = size_node(f->session, s);
    int64_t c;
    if (n.op == 'c' || n.op == 's' || n.op == '%' || n.op == '/') return false;
    if (n.op != '*') return fn_size_may_overflow(f, n.a) || fn_size_may_overflow(f, n.b);
    bool small = (size_is_const(n.a, &c) || size_is_const(n.b, &c)) && c > -(1 << 15) && c < 1 << 15;
    return !small || fn_size_may_overflow(f, n.a) || fn_size_may_overflow(f, n.b);
}

/* The product is estimated as a float, in which sizes that saturate count as 2^63. */
void fn_check_room(Fn *f, const Type *t, Value *const *extents) {
    Value *opnds[MAX_RANK + 1], *count = build_float(&f->b, DT_F64, 1);
    Text msg;
    text_init(&msg, f->arena);
    text_printf(&msg, "not enough memory for an array %s[", dtype_info(t->dtype)->name);
    for (int i = 0; i < t->rank; i++) {
        opnds[i + 1] = extents[i];
        count = build_binary(&f->b, OP_MUL, count, build_cast(&f->b, extents[i], DT_F64));
        text_printf(&msg, i ? ", {}" : "{}");
    }
    text_printf(&msg, "]");
    opnds[0] = build_binary(&f->b, OP_LT, count, build_float(&f->b, DT_F64, 0x1p63));
    Op *op = build_op(&f->b, OP_CHECK, t->rank + 1, opnds, 0, NULL, 0);
    op_set_sym(op, A_CODE, "E0603");
    op_set_sym(op, A_MSG, intern(f->session, text_str(&msg)));
}

static void check_natural(Fn *f, const Size *s) {
    if (fn_size_is_natural(f, s)) return;
    Value *n = fn_size_value(f, s), *opnds[] = {build_binary(&f->b, OP_GE, n, build_int(&f->b, 0)), n};
    Op *op = build_op(&f->b, OP_CHECK, 2, opnds, 0, NULL, 0);
    op_set_sym(op, A_CODE, "E0607");
    op_set_sym(op, A_MSG, "an array's size can't be negative: {}");
}

/* Whatever becomes of the array: loops over its elements need no array. */
void fn_check_array(Fn *f, const FType *t) {
    const Type *leaf =
        f->island
            ? NULL
            : leaf_types(f, t)[0]; /* at function level all symbols get their definitions, which check bare ones */
    Value *extents[MAX_RANK];
    bool far = false;
    for (int i = 0; i < t->rank; i++) {
        check_natural(f, t->dims[i]);
        far |= fn_size_may_overflow(f, t->dims[i]);
    }
    for (int i = 0; far && i < t->rank; i++) extents[i] = fn_size_value(f, t->dims[i]);
    if (far && leaf) fn_check_room(f, leaf, extents);
}

Value *dim_value(Fn *f, const Value *array, int axis) { return build_size(&f->b, array->type->dims[axis]); }

/* ---- values */

Value *zero_of(Fn *f, const Type *t) {
    Value *zero = build_const(&f->b, (Const){.dtype = t->dtype, .s = t->dtype == DT_STR ? "" : NULL});
    return t->kind == TY_SCALAR ? zero : build_fill(&f->b, zero, t);
}

Vals vals_new(Fn *f, int n) { return (Vals){n, NEWN(f->arena, Value *, n + 1)}; }

Vals vals_one(Fn *f, Value *v) {
    Vals r = vals_new(f, 1);
    r.v[0] = v;
    return r;
}

Vals vals_part(Vals v, int at, int n) { return (Vals){n, v.v + at}; }

Vals vals_copy(Fn *f, Vals v) {
    Vals r = vals_new(f, v.n);
    if (v.n) memcpy(r.v, v.v, sizeof *r.v * (size_t)v.n);
    return r;
}

Vals vals_join(Fn *f, int n, const Vals *parts) {
    int count = 0;
    for (int i = 0; i < n; i++) count += parts[i].n;
    Vals r = vals_new(f, count);
    for (int i = 0, k = 0; i < n; k += parts[i++].n)
        if (parts[i].n) memcpy(r.v + k, parts[i].v, sizeof *r.v * (size_t)parts[i].n);
    return r;
}

bool is_buffer(const Value *v) { return v->type->kind == TY_BUF; }

static int hint_leaves(Fn *f, Value **v, const FType *t, const char *name) {
    if (t->kind == FT_ARRAY) return hint_leaves(f, v, t->elem, name);
    if (t->kind == FT_SCALAR) {
        if (!(*v)->name) (*v)->name = name;
        return 1;
    }
    int n = 0;
    for (int i = 0; i < t->nfields; i++) {
        const char *field = t->names ? intern_printf(f->session, "%s.%s", name, t->names[i])
                                     : intern_printf(f->session, "%s.%d", name, i);
        n += hint_leaves(f, v + n, t->fields[i], field);
    }
    return n;
}

void vals_hint(Fn *f, Vals v, const FType *t, const char *name) {
    if (v.n) hint_leaves(f, v.v, t, name);
}

/* ---- variables */

Vals *env_get(Fn *f, const Var *v) { return map_get(&f->env, v); }

void env_set(Fn *f, const Var *v, Vals vals) {
    Vals *known = map_get(&f->env, v);
    if (!known) map_put(f->arena, &f->env, v, known = NEW(f->arena, Vals));
    *known = vals;
}

/* The sizes in the types of variables are defined by then. */
static void mark_sizes(Fn *f, const Type *t) {
    for (int i = 0; i < t->rank; i++) {
        const char *sym = size_as_sym(t->dims[i]);
        if (sym) map_put(f->arena, &f->bound, sym, f);
    }
}

void var_define(Fn *f, Var *v, Vals vals) {
    for (int i = 0; i < vals.n; i++) mark_sizes(f, vals.v[i]->type);
    vals_hint(f, vals, v->type, v->name);
    env_set(f, v, vals);
    if (v->sym) fn_define_sym(f, v->sym, vals.v[0]);
}
