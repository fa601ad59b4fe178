/* small-arrays: arrays of a few elements, at sizes known here, become their elements (scalar replacement of aggregates:
 * Muchnick, Advanced Compiler Design and Implementation, 1997, section 12.2).
 *
 * `var x = [0.0, 8.0]` in a loop over time need not be an array for each turn: what comprehensions and updates of such
 * arrays compute is computed element by element, loops and branches hand the elements on, and short reductions are
 * written out.  An array stays one where it is needed as a whole: by a call, a larger array, an output.  What a loop
 * leaves is put together after it where that is so.
 *
 * needs: tensor operations as comprehensions (index-form), fused.  Order of work: which values are split is found
 * for the whole function, all taken for it first, and those that cannot be go out, until none does. */
#include "opt/pass.h"

enum { MOST_ELEMENTS = 4, MOST_OPS = 160 };

typedef VEC(Op *) OpList;
typedef struct {
    Module *module;
    Arena *arena;
    Map stays;    /* values that stay arrays; of what loops carry, the loop's results */
    Map elements; /* value that is split -> its elements, an array of values */
    Map now;      /* scalar that was replaced -> by what */
    OpList dead;  /* what made the arrays, from the first to the last */
    bool changed;
} Small;

/* ---- which values */

static bool constant_dims(const Type *t, int64_t *dims, int64_t *count) {
    *count = 1;
    if (!type_is_tensor(t) || t->dtype == DT_STR) return false;
    for (int i = 0; i < t->rank; i++) {
        if (!size_is_const(t->dims[i], &dims[i]) || dims[i] < 1 || dims[i] > MOST_ELEMENTS) return false;
        *count *= dims[i];
    }
    return *count <= MOST_ELEMENTS;
}

static int64_t count_of(const Type *t) {
    int64_t dims[MAX_RANK], n;
    return constant_dims(t, dims, &n) ? n : 0;
}

static int first_init(const Op *loop) { return loop->code == OP_FOR ? 3 : 0; }
static int first_carried(const Op *loop) { return loop->code == OP_FOR; }

/* What decides for v: of what a loop carries, its result */
static const Value *unit_of(const Value *v) {
    if (v->def || !v->region->owner || !op_is_sequential_loop(v->region->owner)) return v;
    int i = loop_number(v);
    return i < 0 ? v : &v->region->owner->res[i];
}

static bool splits(const Small *s, const Value *v) {
    v = unit_of(v);
    if (!v->def || !count_of(v->type) || map_has(&s->stays, v)) return false;
    switch (v->def->code) {
    case OP_GENERATE: case OP_INSERT: case OP_TABLE: case OP_EMPTY: case OP_RESHAPE: case OP_IF: case OP_FOR:
    case OP_WHILE: return true;
    default: return false;
    }
}

/* An access at indices that are known to be inside; first: the operand of the first one */
static bool is_inside(const Op *op, const Type *t, int first) {
    int64_t dims[MAX_RANK], n, at;
    bool known = constant_dims(t, dims, &n);
    for (int i = 0; i < t->rank; i++)
        known = known && value_const_int(op_opnd(op, first + i), &at) && at >= 0 && at < dims[i];
    return known || op_flag(op, A_SAFE);
}

static bool use_by_elements(const Small *s, const Use *u) {
    const Op *op = u->user, *owner = op->parent->owner;
    switch (op->code) {
    case OP_EXTRACT: return is_inside(op, u->val->type, 1);
    case OP_INSERT: case OP_RESHAPE: return splits(s, &op->res[0]);
    case OP_FOR: case OP_WHILE: return splits(s, &op->res[u->index - first_init(op)]);
    case OP_YIELD: {
        bool flow = owner->code == OP_IF || owner->code == OP_FOR ||
                    (owner->code == OP_WHILE && op->parent == owner->regs[1]);
        return flow && splits(s, &owner->res[u->index]);
    }
    default: return false;
    }
}

static bool used_by_elements(const Small *s, const Value *v) {
    for (const Use *u = v->uses; u; u = u->next)
        if (!use_by_elements(s, u)) return false;
    return true;
}

static bool body_is_short(const Op *op, int64_t times) {
    return region_count_ops(op->regs[0]) * times <= MOST_OPS && !op_has_tensors(op);
}

static bool can_split(const Small *s, const Op *op, int k) {
    const Value *v = &op->res[k];
    if (!splits(s, v)) return false;
    switch (op->code) {
    case OP_GENERATE:
        for (int i = 0; i < op->nres; i++)
            if (!splits(s, &op->res[i])) return false;
        return body_is_short(op, count_of(v->type)) && used_by_elements(s, v);
    case OP_INSERT: return is_inside(op, v->type, 2) && used_by_elements(s, v);
    case OP_RESHAPE: return count_of(op_opnd(op, 0)->type) == count_of(v->type) && used_by_elements(s, v);
    case OP_FOR: case OP_WHILE: /* what it leaves is put together where that is wanted */
        for (int r = 0; r < op->nregs; r++)
            if (!used_by_elements(s, op->regs[r]->args[first_carried(op) + k])) return false;
        return true;
    default: return used_by_elements(s, v);
    }
}

static bool holds_flow(const Op *op) { return op->code == OP_IF || op->code == OP_SPAWN || op_is_sequential_loop(op); }

static void stay(Small *s, const Value *v) {
    map_put(s->arena, &s->stays, v, s);
    s->changed = true;
}

/* What a comprehension makes in its body stays. */
static void stay_inside(void *ctx, Op *op) {
    for (int i = 0; i < op->nres; i++)
        if (splits(ctx, &op->res[i])) stay(ctx, &op->res[i]);
}

static void find_stays(Small *s, const Region *r) {
    for (const Op *op = r->first; op; op = op->next) {
        for (int i = 0; i < op->nres; i++)
            if (splits(s, &op->res[i]) && !can_split(s, op, i)) stay(s, &op->res[i]);
        for (int i = 0; i < op->nregs; i++)
            if (holds_flow(op)) find_stays(s, op->regs[i]);
            else region_walk(op->regs[i], stay_inside, s);
    }
}

/* ---- elements */

static Value *now(const Small *s, Value *v) {
    for (Value *by; (by = map_get(&s->now, v));) v = by;
    return v;
}

static void replace(Small *s, Op *op, Value *by) {
    map_put(s->arena, &s->now, &op->res[0], by);
    value_replace_all(&op->res[0], by);
    op_erase(op);
}

/* The indices of element e, row by row */
static void constant_indices(Builder *b, const Type *t, int64_t e, Value **idx) {
    int64_t dims[MAX_RANK], n;
    constant_dims(t, dims, &n);
    for (int i = t->rank - 1; i >= 0; i--) idx[i] = build_int(b, e % dims[i]), e /= dims[i];
}

static Value **set_elements(Small *s, const Value *v) {
    Value **e = NEWN(s->arena, Value *, count_of(v->type));
    map_put(s->arena, &s->elements, v, e);
    return e;
}

/* The elements of v, read at b if it stays an array */
static Value **elements_of(Small *s, Builder *b, Value *v) {
    Value **known = map_get(&s->elements, v), *idx[MAX_RANK];
    int64_t n = count_of(v->type);
    if (!known) {
        known = NEWN(s->arena, Value *, n);
        for (int64_t e = 0; e < n; e++) {
            constant_indices(b, v->type, e, idx);
            known[e] = extract_safe(b, v, v->type->rank, idx);
        }
    }
    for (int64_t e = 0; e < n; e++) known[e] = now(s, known[e]);
    return known;
}

/* Whether the indices, operands of op from `first` on, are those of element e; NULL: surely, or (*never) surely not */
static Value *at_element(Builder *b, Value *const *at, const Type *t, int64_t e, bool *never) {
    Value *idx[MAX_RANK], *same = NULL;
    int64_t known, want;
    *never = false;
    constant_indices(b, t, e, idx);
    for (int i = 0; i < t->rank; i++) {
        value_const_int(idx[i], &want);
        if (value_const_int(at[i], &known)) *never |= known != want;
        else same = same ? build_binary(b, OP_AND, same, build_binary(b, OP_EQ, at[i], idx[i]))
                         : build_binary(b, OP_EQ, at[i], idx[i]);
    }
    return same;
}

static void indices(const Op *op, int first, Value **at) {
    for (int i = first; i < op->nopnds; i++) at[i - first] = op_opnd(op, i);
}

/* The element at these indices, which are inside; any one where a branch that is never taken says others */
static Value *element_at(Builder *b, const Type *t, Value *const *e, Value *const *at) {
    Value *v = NULL;
    bool never;
    for (int64_t i = count_of(t) - 1; i >= 0; i--) {
        Value *here = at_element(b, at, t, i, &never);
        if (!never) v = v && here ? build_select(b, here, e[i], v) : e[i];
    }
    return v ? v : e[0];
}

static Value *put_together(Builder *b, const Type *t, Value *const *e) {
    Op *made = build_op(b, OP_GENERATE, 0, NULL, 1, &t, 1);
    const Type *i64 = type_scalar(b->module->session, DT_I64);
    for (int i = 0; i < t->rank; i++) region_add_arg(made->regs[0], i64, "i");
    Builder in = builder_at_end(b->module, made->regs[0], b->span);
    Value *v = element_at(&in, t, e, made->regs[0]->args);
    build_yield(&in, 1, &v);
    return &made->res[0];
}

/* ---- operations */

static void split_range(Small *s, Op *first, const Op *end, bool host);

/* The values of op's body at these indices, before op */
static void body_at(Small *s, Op *op, Value *const *idx, Value **out) {
    Builder b = builder_before(op);
    Op *before = op->prev;
    region_inline(&b, op->regs[0], idx, out);
    split_range(s, before ? before->next : op->parent->first, op, true);
    for (int i = 0; i < op->nres; i++) out[i] = now(s, out[i]);
}

static void split_generate(Small *s, Op *op) {
    Value *idx[MAX_RANK], ***e = NEWN(s->arena, Value **, op->nres), **out = NEWN(s->arena, Value *, op->nres);
    for (int i = 0; i < op->nres; i++) e[i] = set_elements(s, &op->res[i]);
    for (int64_t k = 0; k < count_of(op->res[0].type); k++) {
        Builder b = builder_before(op);
        constant_indices(&b, op->res[0].type, k, idx);
        body_at(s, op, idx, out);
        for (int i = 0; i < op->nres; i++) e[i][k] = out[i];
    }
    vec_push(s->arena, &s->dead, op);
}

static void split_insert(Small *s, Op *op) {
    Builder b = builder_before(op);
    const Type *t = op->res[0].type;
    Value **old = elements_of(s, &b, op_opnd(op, 0)), *at[MAX_RANK], *v = op_opnd(op, 1);
    Value **e = set_elements(s, &op->res[0]);
    bool never;
    indices(op, 2, at);
    for (int64_t i = 0; i < count_of(t); i++) {
        Value *here = at_element(&b, at, t, i, &never);
        e[i] = never ? old[i] : here ? build_select(&b, here, v, old[i]) : v;
    }
    vec_push(s->arena, &s->dead, op);
}

/* of: an array of as many elements; NULL: a table, or anything */
static void split_plain(Small *s, Op *op, Value *of) {
    Builder b = builder_before(op);
    const Attr *table = op_attr(op, A_VALUES);
    Value **old = of ? elements_of(s, &b, of) : NULL, **e = set_elements(s, &op->res[0]);
    for (int64_t i = 0; i < count_of(op->res[0].type); i++)
        e[i] = old ? old[i]
               : table ? build_const(&b, table->consts[i])
                       : build_zero(&b, type_elem(s->module->session, op->res[0].type));
    vec_push(s->arena, &s->dead, op);
}

static void split_extract(Small *s, Op *op) {
    Builder b = builder_before(op);
    Value *at[MAX_RANK], *x = op_opnd(op, 0);
    indices(op, 1, at);
    replace(s, op, element_at(&b, x->type, elements_of(s, &b, x), at));
}

/* A short reduction, from left to right */
static bool is_short_sum(const Op *op) {
    int64_t n;
    return op->code == OP_REDUCE && op->nregs == 1 && op->regs[0]->nargs == 1 && op_combine(op) != COMBINE_CUSTOM &&
           value_const_int(op_opnd(op, 0), &n) && n >= 1 && n <= MOST_ELEMENTS && body_is_short(op, n);
}

static void write_out(Small *s, Op *op) {
    int64_t n = 0;
    Value **out = NEWN(s->arena, Value *, op->nres), **sum = NEWN(s->arena, Value *, op->nres);
    OpCode code = combine_info(op_combine(op))->op;
    Builder b = builder_before(op);
    value_const_int(op_opnd(op, 0), &n);
    for (int i = 0; i < op->nres; i++)
        sum[i] = build_const(&b, combine_identity(op_combine(op), op->res[i].type->dtype));
    for (int64_t k = 0; k < n; k++) {
        Value *at = build_int(&b, k);
        body_at(s, op, &at, out);
        for (int i = 0; i < op->nres; i++) sum[i] = build_binary(&b, code, sum[i], out[i]);
    }
    for (int i = 0; i < op->nres; i++) {
        map_put(s->arena, &s->now, &op->res[i], sum[i]);
        value_replace_all(&op->res[i], sum[i]);
    }
    op_erase(op);
}

/* With constants alone, or a choice that is known */
static bool fold_known(Small *s, Op *op) {
    Const x[3], c;
    bool known = op->nopnds && op->nopnds <= 3 && op->nres == 1;
    const Const *cond = op->code == OP_SELECT ? value_const(op_opnd(op, 0)) : NULL;
    if (!(op_info(op->code)->traits & TR_ELEM) || type_is_tensor(op->res[0].type)) return false;
    if (cond) return replace(s, op, op_opnd(op, cond->i ? 1 : 2)), true;
    for (int i = 0; i < op->nopnds && known; i++) {
        const Const *v = value_const(op_opnd(op, i));
        if ((known = v != NULL)) x[i] = *v;
    }
    if (!known || !const_eval(op->code, op->res[0].type->dtype, op->nopnds, x, &c)) return false;
    Builder b = builder_before(op);
    return replace(s, op, build_const(&b, c)), true;
}

/* ---- branches and loops: what is split goes behind what is not, as its elements */

typedef struct { Value **v; const Type **types; int n; } Parts;

static Parts parts_new(Small *s, const Op *op) {
    int room = op->nopnds + (MOST_ELEMENTS + 1) * (op->nres + 1);
    return (Parts){NEWN(s->arena, Value *, room), NEWN(s->arena, const Type *, room), 0};
}

static void add_parts(Parts *p, int64_t n, Value *const *v) {
    for (int64_t i = 0; i < n; i++) p->types[p->n] = v[i]->type, p->v[p->n++] = v[i];
}

static void split_yield(Small *s, const Op *op, Region *r) {
    Op *y = region_term(r);
    Builder b = builder_before(y);
    for (int i = 0; i < op->nres; i++) {
        if (!splits(s, &op->res[i])) continue;
        Value **e = elements_of(s, &b, op_opnd(y, i));
        for (int64_t k = 0; k < count_of(op->res[i].type); k++) op_add_opnd(y, e[k]);
    }
    for (int i = op->nres - 1; i >= 0; i--)
        if (splits(s, &op->res[i])) op_remove_opnd(y, i);
}

static void bury(Small *s, int from) {
    while (s->dead.len > from) op_erase(s->dead.data[--s->dead.len]);
}

static void split_region(Small *s, const Op *op, Region *r, bool yields) {
    int skip = first_carried(op), from = s->dead.len;
    for (int i = 0; op_is_sequential_loop(op) && i < op->nres; i++) {
        if (!splits(s, &op->res[i])) continue;
        Value **e = set_elements(s, r->args[skip + i]);
        for (int64_t k = 0; k < count_of(op->res[i].type); k++)
            e[k] = region_add_arg(r, type_elem(s->module->session, op->res[i].type), r->args[skip + i]->name);
    }
    split_range(s, r->first, NULL, true);
    if (yields) split_yield(s, op, r);
    bury(s, from);
    for (int i = op->nres - 1; op_is_sequential_loop(op) && i >= 0; i--)
        if (splits(s, &op->res[i])) region_remove_arg(r, skip + i);
}

/* Those who want the array get one that is put together. */
static void serve_whole(Small *s, Builder *b, Value *v, Value *const *e) {
    Value *whole = NULL;
    for (Use *u = v->uses, *next; u; u = next) {
        next = u->next;
        if (use_by_elements(s, u)) continue;
        if (!whole) whole = put_together(b, v->type, e);
        op_set_opnd(u->user, u->index, whole);
    }
}

static void split_flow(Small *s, Op *op) {
    bool any = false;
    for (int i = 0; i < op->nres; i++) any |= splits(s, &op->res[i]);
    Parts opnds = parts_new(s, op), res = parts_new(s, op);
    Builder b = builder_before(op);
    int init = op_is_sequential_loop(op) ? first_init(op) : op->nopnds;
    for (int i = 0; i < op->nopnds; i++)
        if (i < init || !splits(s, &op->res[i - init])) add_parts(&opnds, 1, (Value *[]){op_opnd(op, i)});
    for (int i = init; i < op->nopnds; i++)
        if (splits(s, &op->res[i - init]))
            add_parts(&opnds, count_of(op->res[i - init].type), elements_of(s, &b, op_opnd(op, i)));
    for (int r = 0; r < op->nregs; r++) split_region(s, op, op->regs[r], op->code != OP_WHILE || r == 1);
    if (!any) return;
    for (int i = 0; i < op->nres; i++)
        if (!splits(s, &op->res[i])) res.types[res.n++] = op->res[i].type;
    for (int i = 0; i < op->nres; i++)
        for (int64_t k = 0; splits(s, &op->res[i]) && k < count_of(op->res[i].type); k++)
            res.types[res.n++] = type_elem(s->module->session, op->res[i].type);
    Op *made = op_rebuild(op, opnds.n, opnds.v, res.n, res.types);
    int at = 0;
    for (int i = 0; i < op->nres; i++)
        if (!splits(s, &op->res[i])) value_take_over(&op->res[i], &made->res[at++]);
    b = builder_after(made);
    for (int i = 0; i < op->nres; i++) {
        if (!splits(s, &op->res[i])) continue;
        Value **e = set_elements(s, &op->res[i]);
        for (int64_t k = 0; k < count_of(op->res[i].type); k++) e[k] = &made->res[at++];
        serve_whole(s, &b, &op->res[i], e);
    }
    vec_push(s->arena, &s->dead, op);
}

/* ---- the walk */

static void split_op(Small *s, Op *op, bool host) {
    if (op->code == OP_EXTRACT && splits(s, op_opnd(op, 0))) return split_extract(s, op);
    if (!host) {
        for (int i = 0; i < op->nregs; i++) split_range(s, op->regs[i]->first, NULL, false);
        return;
    }
    if (fold_known(s, op)) return;
    if (is_short_sum(op)) return write_out(s, op);
    if (op->code == OP_IF || op_is_sequential_loop(op)) return split_flow(s, op);
    if (op->nres && splits(s, &op->res[0])) {
        if (op->code == OP_GENERATE) return split_generate(s, op);
        if (op->code == OP_INSERT) return split_insert(s, op);
        return split_plain(s, op, op->code == OP_RESHAPE ? op_opnd(op, 0) : NULL);
    }
    for (int i = 0; i < op->nregs; i++) split_range(s, op->regs[i]->first, NULL, op->code == OP_SPAWN);
}

static void split_range(Small *s, Op *first, const Op *end, bool host) {
    for (Op *op = first, *next; op != end; op = next) {
        next = op->next;
        split_op(s, op, host);
    }
}

void pass_small_arrays(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        if (f->kind == FUNC_EXTERN || !f->body) continue;
        Small s = {.module = m, .arena = arena_new(), .changed = true};
        while (s.changed) {
            s.changed = false;
            find_stays(&s, f->body);
        }
        split_range(&s, f->body->first, NULL, true);
        bury(&s, 0);
        arena_free(s.arena);
    }
}
