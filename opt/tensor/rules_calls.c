/* Rules of functions of the library that are C (stdlib/numeric.dsl, fft.dsl): of what is in order, and of Fourier
 * transforms that go back.  What is left of them without uses goes (ir/effects.c, opt/dead.c). */
#include "ir/index.h"
#include "opt/tensor/rules.h"

#include <string.h>

/* Of the types of its arguments there may be several: name.2 */
static const Op *call_of(const Value *v, const char *name) {
    const Op *op = v->def;
    size_t n = strlen(name);
    if (!op || op->code != OP_EXTERN || strncmp(op_sym(op, A_FUNC), name, n) != 0) return NULL;
    return !op_sym(op, A_FUNC)[n] || op_sym(op, A_FUNC)[n] == '.' ? op : NULL;
}

/* ---- what is in order: x[argsort(y)], of as many elements as y has */

typedef struct { Value *x, *by; } Ordered;

/* The operation under a new type of as many elements as y has, or itself */
static Op *under_type(const Value *v) {
    return v->def && v->def->code == OP_RETYPE ? op_opnd(v->def, 0)->def : v->def;
}

/* That is known: a call says no size, so it is said again. */
static bool is_as_long(const Value *v, const Value *y) {
    if (y->type->rank != 1 || v->type->dims[0] != y->type->dims[0]) return false;
    if (v->def->code == OP_RETYPE) op_set_flag(v->def, A_SAFE);
    return true;
}

/* x and y of g, a comprehension of x[argsort(y)[i]] */
static bool read_ordered(const Op *g, Ordered *out) {
    const Region *r = g && g->code == OP_GENERATE && g->nres == 1 ? g->regs[0] : NULL;
    const Op *e = r ? op_opnd(region_term(r), 0)->def : NULL, *place = e && e->nopnds == 2 ? op_opnd(e, 1)->def : NULL;
    if (!place || r->nargs != 1 || e->code != OP_EXTRACT || place->code != OP_EXTRACT) return false;
    const Value *places = op_opnd(place, 0);
    const Op *sorts = under_type(places);
    if (!sorts || !call_of(&sorts->res[0], "dsl_m_argsort") || op_opnd(place, 1) != r->args[0]) return false;
    *out = (Ordered){op_opnd(e, 0), op_opnd(sorts, 0)};
    bool all = index_size(r->args[0]) == places->type->dims[0] && !region_encloses(r, value_region(out->x));
    return all && (places == &sorts->res[0] || is_as_long(places, out->by));
}

/* v has all elements of x, in the order of y. */
static bool is_ordered(const Value *v, Ordered *out) {
    if (!v->def || v->type->kind != TY_TENSOR || !read_ordered(under_type(v), out)) return false;
    return out->x->type == v->type && is_as_long(v, out->by);
}

static bool is_sorted(const Value *v) {
    Ordered o;
    return is_ordered(v, &o) && o.x == o.by;
}

/* Equal elements keep their order, so what is sorted stays. */
Value *rule_sorted_twice(Builder *b, Op *op) {
    Ordered o;
    (void)b;
    return is_ordered(&op->res[0], &o) && o.x == o.by && is_sorted(o.x) ? o.x : NULL;
}

static Value *of_unordered(Builder *b, const Op *reduce) {
    Ordered o;
    Value *v = reduced_by(reduce);
    if (!v || !is_ordered(v, &o)) return NULL;
    Shape s = shape_read(reduce);
    return build_reduction(b, o.x, &s);
}

/* A sum, a product, an extreme of all elements does not ask for their order, but for that of roundings, and zeros. */
Value *rule_reduced_order(Builder *b, Op *reduce) { return of_unordered(b, reduce); }

Value *rule_reduced_order_int(Builder *b, Op *reduce) {
    return dtype_is_float(reduce->res[0].type->dtype) ? NULL : of_unordered(b, reduce);
}

/* ---- Fourier transforms */

static bool is_flag(const Value *v, bool flag) {
    const Const *c = value_const(v);
    return c && c->dtype == DT_BOOL && !c->i == !flag;
}

/* The transform of which v is all of half h, under another shape perhaps */
static const Op *half_of(const Value *v, int h, const char *name) {
    while (v->def && v->def->code == OP_RESHAPE && tensor_cannot_stop(v->def)) v = op_opnd(v->def, 0);
    const Op *part = v->def;
    if (!part || part->code != OP_SLICE || !op_flag(part, A_SAFE)) return NULL;
    const Op *y = call_of(op_opnd(part, 0), name);
    const Type *t = part->res[0].type, *all = op_opnd(part, 0)->type;
    for (int i = 0; y && i < t->rank; i++) {
        bool whole = value_is_const_int(op_opnd(part, i + 1), i ? 0 : h) && (!i || t->dims[i] == all->dims[i]);
        if (!whole || op_attr(part, A_STEPS)->ints[i] != 1) return NULL;
    }
    return y;
}

static Value *as_half(Builder *b, Value *x, const Type *both) {
    const Size *dims[MAX_RANK] = {size_const(b->module->session, 1)};
    for (int i = 1; i < both->rank; i++) dims[i] = both->dims[i];
    const Type *t = type_tensor(b->module->session, x->type->dtype, both->rank, dims);
    Op *made = build_op(b, OP_RESHAPE, 1, &x, 1, &t, 0);
    op_set_flag(made, A_SAFE);
    return &made->res[0];
}

/* There and back, or back and there: what it was, with other roundings */
static Value *transformed_back(Builder *b, const Op *back) {
    const Op *there = half_of(op_opnd(back, 0), 0, "dsl_m_fft");
    if (!there || half_of(op_opnd(back, 1), 1, "dsl_m_fft") != there) return NULL;
    Value *re = op_opnd(there, 0), *im = op_opnd(there, 1), *way = op_opnd(back, 2), *other = op_opnd(there, 2);
    bool opposite = (is_flag(way, true) && is_flag(other, false)) || (is_flag(way, false) && is_flag(other, true));
    if (!opposite || op_opnd(back, 0)->type != re->type) return NULL;
    const Type *both = back->res[0].type;
    return build_concat(b, 2, (Value *[]){as_half(b, re, both), as_half(b, im, both)}, 0);
}

static Value *real_transformed_back(const Op *back) {
    const Op *there = half_of(op_opnd(back, 0), 0, "dsl_m_rfft");
    if (!there || half_of(op_opnd(back, 1), 1, "dsl_m_rfft") != there) return NULL;
    Value *x = op_opnd(there, 0);
    return x->type == back->res[0].type ? x : NULL;
}

Value *rule_transformed_back(Builder *b, Op *call) {
    if (call->nres != 1) return NULL;
    if (call_of(&call->res[0], "dsl_m_fft")) return transformed_back(b, call);
    return call_of(&call->res[0], "dsl_m_irfft") ? real_transformed_back(call) : NULL;
}
