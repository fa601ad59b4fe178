/* cast-index: an index made from a float is converted and checked at once.
 *
 * Needs stage loops, what can be proved proved.  `a[int(x)]` and `a[min(int(x), n - 1)]` convert with care (NaN is 0,
 * what does not fit becomes the nearest int) and check the index then.  Converted in one instruction, to the least int
 * where it does not fit, i is right wherever 0 <= i < n, which says both.  Elsewhere the careful conversion follows,
 * and the check.  Done where the index is computed, if nothing that could stop the program or be seen stands between.
 */
#include "opt/loops/loops.h"
#include "analysis/linear.h"

typedef struct {
    Value *index;
    Op *cast, *least;
    const Size *extent;
    const Op *access;
    int axis;
} Found; /* least: may be NULL */

typedef struct {
    Linear *linear;
    Arena *arena;
    VEC(Found) found;
    VEC(Op *) safe;
} Casts;

static bool is_float_to_int(const Op *op) {
    if (!op || op->code != OP_CAST || op->res[0].type->dtype != DT_I64) return false;
    DType from = op_opnd(op, 0)->type->dtype;
    return from == DT_F64 || from == DT_F32;
}

/* k >= extent - 1: the lesser of k and an index inside is that index */
static bool beyond(Casts *c, Op *op, Value *k, const Size *extent) {
    Linear *l = c->linear;
    linear_at(l, op);
    return linear_prove(l, op,
                        linear_sub(l, linear_add(l, linear_value(l, k), linear_const(l, 1)), linear_size(l, extent)));
}

static bool match(Casts *c, Op *op, Found *f) {
    Op *d = f->index->def;
    if (d && d->code == OP_MIN) {
        f->least = d;
        d = is_float_to_int(op_opnd(d, 0)->def) ? op_opnd(d, 0)->def : op_opnd(d, 1)->def;
        if (!is_float_to_int(d) || d->parent != f->least->parent) return false;
        Value *k = op_opnd(f->least, op_opnd(f->least, 0) == &d->res[0]);
        if (k == &d->res[0] || !beyond(c, op, k, f->extent)) return false;
    }
    f->cast = d;
    return is_float_to_int(d);
}

/* Moving the check of op to its index changes nothing else. */
static bool may_come_first(const Op *index, const Op *op) {
    if (index->parent != op->parent) return false;
    for (const Op *o = index->next; o != op; o = o->next)
        if (op_may_trap(o) || op_has_effect(o) || op_writes_memory(o)) return false;
    return true;
}

static const Found *find(const Found *found, int n, const Value *index) {
    for (int i = 0; i < n; i++)
        if (found[i].index == index) return &found[i];
    return NULL;
}

/* In an access before, or on an axis before in this one */
static const Found *found_before(const Casts *c, const Found *here, int n, const Value *index) {
    const Found *known = find(c->found.data, c->found.len, index);
    return known ? known : find(here, n, index);
}

static bool proved(Casts *c, Op *op, Value *index, const Size *extent) {
    Linear *l = c->linear;
    linear_at(l, op);
    const Poly *i = linear_value(l, index), *last = linear_sub(l, linear_size(l, extent), linear_const(l, 1));
    return linear_prove(l, op, i) && linear_prove(l, op, linear_sub(l, last, i));
}

/* Indices are checked in the order of their axes: of two that are outside the first is named. */
static bool in_order(const Found *f, int n) {
    for (int i = 1; i < n; i++)
        for (const Op *o = f[i].index->def; o; o = o->next)
            if (o == f[i - 1].index->def) return false;
    return true;
}

static void visit(void *ctx, Op *op) {
    Casts *c = ctx;
    if (!op_is_access(op) || op_flag(op, A_SAFE)) return;
    int first = op_index_first(op), n = 0;
    const Type *t = op_buffer(op)->type;
    Found found[MAX_RANK];
    for (int k = 0; k < t->rank; k++) {
        Found *f = &found[n];
        *f = (Found){.index = op_opnd(op, first + k), .extent = t->dims[k], .access = op, .axis = k};
        if (proved(c, op, f->index, f->extent)) continue;
        const Found *known = found_before(c, found, n, f->index);
        if (known ? known->extent != f->extent || f->index->def->parent != op->parent
                  : !match(c, op, f) || !may_come_first(f->index->def, op)) return;
        if (!known) n++;
    }
    if (!in_order(found, n)) return;
    for (int i = 0; i < n; i++) vec_push(c->arena, &c->found, found[i]);
    vec_push(c->arena, &c->safe, op);
}

/* ---- the test */

static Value *quick(Builder *b, Value *x) {
    Value *i = build_cast(b, x, DT_I64);
    op_set_flag(i->def, A_INDEFINITE);
    return i;
}

static Value *careful(Builder *b, const Found *f) {
    Cloner c = {.module = b->module};
    Value *i = &clone_op(&c, b, f->cast)->res[0];
    if (f->least) i = &clone_op(&c, b, f->least)->res[0];
    Value *extent = build_size(b, f->extent);
    Builder at = *b;
    at.span = f->access->span;
    build_index_check(&at, build_inside(b, i, extent), i, extent, f->axis);
    return i;
}

static void rewrite(const Found *f) {
    Op *def = f->index->def;
    Builder b = builder_before(def);
    b.span = def->span;
    Value *i = quick(&b, op_opnd(f->cast, 0));
    Op *choice = build_if(&b, build_inside(&b, i, build_size(&b, f->extent)), 1, &f->index->type);
    Builder then = builder_at_end(b.module, choice->regs[0], b.span),
            other = builder_at_end(b.module, choice->regs[1], b.span);
    build_yield(&then, 1, &i);
    i = careful(&other, f);
    build_yield(&other, 1, &i);
    choice->res[0].name = f->index->name;
    value_replace_all(f->index, &choice->res[0]);
}

/* Nobody may take the careful conversion for the plain one. */
static void erase_unused(Op *op) {
    if (op && op->parent && !op->res[0].uses) op_erase(op);
}

void pass_cast_index(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        if (f->kind == FUNC_EXTERN || !f->body) continue;
        Casts c = {.linear = linear_new(f), .arena = m->arena};
        region_walk(f->body, visit, &c);
        linear_free(c.linear);
        for (int k = 0; k < c.safe.len; k++) op_set_flag(c.safe.data[k], A_SAFE);
        for (int k = 0; k < c.found.len; k++) rewrite(&c.found.data[k]);
        for (int k = 0; k < c.found.len; k++) erase_unused(c.found.data[k].least);
        for (int k = 0; k < c.found.len; k++) erase_unused(c.found.data[k].cast);
    }
}
