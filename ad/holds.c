/* Where what is planned for an access holds, and where it is simpler (solve.h). */
#include "ad/solve.h"
#include "ir/index.h"

/* ---- where it holds: no product of indices, and no sum of them, is beyond 64 bits */

static const double far = 0x1p60; /* a bound of ints, with room for rounding */

/* The greatest that sums can be is sum * product. */
typedef struct { Value *sum, *product, *cond; double numbers; } Bound;

/* |v| and at least 1, as a float */
static Value *magnitude(Emit *e, Value *v) {
    Value *x = build_unary(&e->b, OP_ABS, build_cast(&e->b, v, DT_F64));
    return build_binary(&e->b, OP_MAX, x, build_float(&e->b, DT_F64, 1));
}

static void add_number(Bound *b, int64_t k) { b->numbers += k < 0 ? -(double)k : (double)k; }

static void add_bound(Emit *e, Bound *b, Value *v, int64_t c) {
    int64_t k;
    double times = c < 0 ? -(double)c : (double)c;
    if (value_const_int(v, &k)) return add_number(b, k), (void)(b->numbers += times);
    Value *x = magnitude(e, v);
    if (times != 1) x = build_binary(&e->b, OP_MUL, x, build_float(&e->b, DT_F64, times));
    b->sum = b->sum ? build_binary(&e->b, OP_ADD, b->sum, x) : x;
}

static void multiply_bound(Emit *e, Bound *b, Value *by, OpCode code) {
    Value *zero = build_int(&e->b, 0);
    b->product = build_binary(&e->b, OP_MUL, b->product, magnitude(e, by));
    if (value_const_int(by, NULL)) return;
    b->cond = build_both(&e->b, b->cond, build_binary(&e->b, code == OP_MUL ? OP_NE : OP_GT, by, zero));
}

static void bound_form(Emit *e, Bound *b, const Path *path, const Form *f);

static void bound_atom(Emit *e, Bound *b, const Path *path, Value *atom, int64_t c) {
    Form inner;
    if (!depends(e->p, atom)) return add_bound(e, b, fixed_here(e, atom), c);
    for (int i = 0; i < path->n; i++)
        if (index_of(&path->step[i]) == atom)
            return add_bound(e, b, build_size(&e->b, extent_size(&path->step[i])), c);
    Value *by = fixed_here(e, fixed_side(e->p, atom));
    bool product = atom->def->code == OP_MUL || atom->def->code == OP_IDIV;
    if (product) multiply_bound(e, b, by, atom->def->code);
    else add_bound(e, b, by, c);
    if (c != 1 && c != -1) b->product = build_binary(&e->b, OP_MUL, b->product, magnitude(e, build_int(&e->b, c)));
    if (read_form(e->p, &inner, moving_side(e->p, atom))) bound_form(e, b, path, &inner);
}

static void bound_form(Emit *e, Bound *b, const Path *path, const Form *f) {
    add_number(b, f->k);
    for (int i = 0; i < f->n; i++)
        if (f->term[i].atom) bound_atom(e, b, path, f->term[i].atom, f->term[i].c);
}

static Value *equation_holds(Emit *e, const Path *path, const Solving *s, int a) {
    Bound b = {.product = build_float(&e->b, DT_F64, 1)};
    add_bound(e, &b, build_size(&e->b, s->type->dims[a]), 1);
    bound_form(e, &b, path, &s->plan.eq[a].form);
    Value *sum = build_float(&e->b, DT_F64, b.numbers);
    if (b.sum) sum = build_binary(&e->b, OP_ADD, b.sum, sum);
    Value *most = build_binary(&e->b, OP_MUL, sum, b.product);
    Value *fits = build_binary(&e->b, OP_LE, most, build_float(&e->b, DT_F64, far));
    return b.cond ? build_both(&e->b, b.cond, fits) : fits;
}

Value *plan_holds(Emit *e, const Path *path, const Solving *s) {
    Value *cond = NULL;
    for (int a = 0; a < s->type->rank && s->plan.asks; a++)
        if (s->plan.eq[a].used) cond = build_both(&e->b, cond, equation_holds(e, path, s, a));
    return cond;
}

/* ---- how many places are beyond an end */

enum { MOST_BEYOND = 3 };

/* sum + c * f, as a size; NULL: it is none */
static const Size *add_sizes(Session *ss, const Size *sum, const Form *f, int64_t c) {
    sum = size_add(ss, sum, size_const(ss, c * f->k));
    for (int i = 0; i < f->n; i++) {
        const Size *n = f->term[i].atom ? value_size(ss, f->term[i].atom, false) : NULL;
        if (!n) return NULL;
        sum = size_add(ss, sum, size_mul(ss, size_const(ss, c * f->term[i].c), n));
    }
    return sum;
}

/* Of an index and what is known: the step, *rest the other; NULL: it is more than that */
static const Step *read_step(const Pull *p, const Path *path, const Form *f, Form *rest) {
    const Step *st = NULL;
    *rest = (Form){.k = f->k};
    for (int i = 0; i < f->n; i++) {
        const Term *t = &f->term[i];
        if (!is_index(p, t->atom)) {
            rest->term[rest->n++] = *t;
            continue;
        }
        if (t->c != 1 || st) return NULL;
        for (int k = 0; k < path->n; k++)
            if (index_of(&path->step[k]) == t->atom) st = &path->step[k];
    }
    return st && st->owner->code != OP_FOR && extent_size(st) ? st : NULL;
}

/* From the place on that is at the end that atom stops at, how many are beyond; -1: no small number.  inner: of what it
 * is the least or greatest */
static int64_t count_beyond(const Pull *p, const Path *path, const Value *atom, const Form *inner) {
    Session *ss = p->s->ad->module->session;
    Form rest, end;
    int64_t n;
    bool least = atom->def->code == OP_MIN;
    const Step *st = read_step(p, path, inner, &rest);
    if (!st || !read_form(p, &end, fixed_side(p, atom))) return -1;
    const Size *last = least ? size_sub(ss, extent_size(st), size_const(ss, 1)) : size_const(ss, 0);
    const Size *beyond = add_sizes(ss, last, &end, least ? -1 : 1);
    if (beyond) beyond = add_sizes(ss, beyond, &rest, least ? 1 : -1);
    return beyond && size_is_const(beyond, &n) && n >= 0 && n <= MOST_BEYOND ? n : -1;
}

/* The moving term of what is clamped */
static Value *clamped_atom(const Pull *p, const Form *f) {
    for (int i = 0; i < f->n; i++)
        if (f->term[i].atom && depends(p, f->term[i].atom)) return f->term[i].atom;
    return NULL;
}

/* At each end how many are beyond; false: not known */
static bool read_ends(const Pull *p, const Path *path, const Form *f, Unsolved *u) {
    Form inner;
    Value *atoms[2], *v = clamped_atom(p, f);
    int n = 0;
    u->below = u->above = 0;
    for (; is_clamp(v) && n < 2; v = moving_side(p, v)) atoms[n++] = v;
    bool both = n < 2 || atoms[0]->def->code != atoms[1]->def->code;
    if (is_clamp(v) || !both || !read_form(p, &inner, v)) return false;
    for (int i = 0; i < n; i++) {
        int64_t count = count_beyond(p, path, atoms[i], &inner);
        if (count < 0) return false;
        *(atoms[i]->def->code == OP_MIN ? &u->above : &u->below) = count;
    }
    return true;
}

static bool is_clamped(const Solving *s, int a) { return s->plan.eq[a].used && s->plan.eq[a].clamped; }

/* Whether few are beyond all ends, so that the body may be written for each */
static bool ends_are_near(const Pull *p, const Path *path, Solving *s) {
    int64_t copies = 1;
    for (int a = 0; a < s->type->rank; a++) {
        if (!is_clamped(s, a)) continue;
        if (!read_ends(p, path, &s->plan.eq[a].form, &s->at[a])) return false;
        copies *= 1 + s->at[a].below + s->at[a].above;
    }
    return copies <= MOST_COPIES;
}

/* ---- where nothing is clamped */

/* lo < v < hi for the chain of least and greatest */
static Value *between_ends(Emit *e, Value *atom, Value *v) {
    Value *cond = NULL;
    for (; is_clamp(atom); atom = moving_side(e->p, atom)) {
        Value *end = fixed_here(e, fixed_side(e->p, atom));
        Value *inside = build_binary(&e->b, atom->def->code == OP_MIN ? OP_LT : OP_GT, v, end);
        cond = build_both(&e->b, cond, inside);
    }
    return cond;
}

Value *lies_between(Emit *e, const Path *path, Solving *s) {
    Value *cond = NULL;
    bool near = ends_are_near(e->p, path, s);
    for (int a = 0; a < s->type->rank; a++) {
        if (!is_clamped(s, a)) continue;
        Form f = s->plan.eq[a].form;
        Value *v = less_known(e, s->over, path, &f, s->over->args[a]);
        forget_known(e, path, &f);
        cond = build_both(&e->b, cond, between_ends(e, f.term[0].atom, v));
        s->at[a].ends = near;
    }
    return cond;
}
