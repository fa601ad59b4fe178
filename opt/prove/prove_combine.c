/* prove-combine: functions by which `scan` and `reduce` combine, and which they must not.
 *
 * needs: reductions and scans as the program wrote them; leaves everything as it was.  Elements are combined in a tree,
 * so f(f(a, b), c) must be f(a, f(b, c)); a reduction also takes them in another order, so f(a, b) must be f(b, a), and
 * puts its initial value in several times, so f(init, init) must be init.  Each law is tried on values of several kinds
 * (combine_samples.h), ints to the last bit, floats but for rounding.  It is told of when it is broken for all kinds,
 * twice each, and whatever the values are that the function takes from around it.  Silent are functions that do more
 * than compute, those that use an array, and where there are sixteen elements or fewer, which are taken in order; an
 * element that is left out is the initial value, though, however few there are. */
#include "analysis/evaluate.h"
#include "opt/prove/combine_samples.h"
#include "opt/pass.h"

#include <math.h>

enum { IN_ORDER = 16, MOST_SCALARS = 64, MOST_WORK = 200000, MOST_ONCE = 5000, OFTEN = 2 };

typedef struct { Session *s; const Module *m; Map told; } Combines;

/* The function of op, on elements of n scalars */
typedef struct {
    const Op *op;
    const Region *region;
    int n, world;
    DType types[MOST_SCALARS];
    VEC(const Value *) chosen; /* values from outside that are not known */
    int64_t work; /* that may still be done */
    Evaluator e;
} Function;
typedef struct { Const x[MOST_SCALARS]; } Element;

/* What it gives for three elements by both sides of a law; size: the greatest number on the way */
typedef struct { Element in[3], left, right; double size; } Trial;
typedef bool Law(Function *f, Trial *t);

static bool choose_outer(void *ctx, const Value *v, Const *out) {
    Function *f = ctx;
    bool seen = false;
    for (int i = 0; i < f->chosen.len; i++) seen |= f->chosen.data[i] == v;
    if (!seen) vec_push(session_arena(f->e.module->session), &f->chosen, v);
    return sample_unknown(f->world, v->type->dtype, out);
}

/* ---- laws */

/* Finite numbers */
static bool measure(const Function *f, const Element *x, double *size) {
    for (int i = 0; i < f->n; i++) {
        if (!dtype_is_float(f->types[i])) continue;
        if (!isfinite(x->x[i].f)) return false;
        *size = fmax(*size, fabs(x->x[i].f));
    }
    return true;
}

static bool call(Function *f, const Element *x, const Element *y, Element *out) {
    Const args[2 * MOST_SCALARS];
    for (int i = 0; i < f->n; i++) args[i] = x->x[i], args[f->n + i] = y->x[i];
    f->e.fuel = f->work < MOST_ONCE ? f->work : MOST_ONCE;
    f->work -= f->e.fuel;
    bool known = evaluate_region(&f->e, f->region, args, out->x);
    f->work += f->e.fuel > 0 ? f->e.fuel : 0;
    arena_clear(f->e.arena);
    return known;
}

static bool combine(Function *f, const Element *x, const Element *y, Element *out, double *size) {
    return call(f, x, y, out) && measure(f, out, size);
}

static bool associates(Function *f, Trial *t) {
    Element ab, bc;
    return combine(f, &t->in[0], &t->in[1], &ab, &t->size) && combine(f, &ab, &t->in[2], &t->left, &t->size) &&
           combine(f, &t->in[1], &t->in[2], &bc, &t->size) && combine(f, &t->in[0], &bc, &t->right, &t->size);
}

static bool commutes(Function *f, Trial *t) {
    return combine(f, &t->in[0], &t->in[1], &t->left, &t->size) &&
           combine(f, &t->in[1], &t->in[0], &t->right, &t->size);
}

/* More than by rounding */
static bool differs(const Function *f, const Element *x, const Element *y, double size) {
    for (int i = 0; i < f->n; i++) {
        const Const *a = &x->x[i], *b = &y->x[i];
        double rounding = f->types[i] == DT_F64 ? 1e-6 : f->types[i] == DT_F32 ? 1e-3 : 0.05;
        if (!dtype_is_float(f->types[i]) ? a->i != b->i : fabs(a->f - b->f) > rounding * size) return true;
    }
    return false;
}

/* ---- trying them */

/* How often the law is broken on values of a kind, -1 where it cannot be tried; the first time in *out */
static int count_broken(Function *f, Law *law, int kind, Trial *out) {
    int tried = 0, broken = 0;
    for (int k = 0; k < SAMPLE_TRIPLES && broken < OFTEN; k++) {
        Trial t = {.size = 0};
        for (int i = 0; i < 3; i++) {
            sample_element(kind, k, i, f->n, f->types, t.in[i].x);
            measure(f, &t.in[i], &t.size);
        }
        if (!law(f, &t)) continue;
        tried++;
        if (!differs(f, &t.left, &t.right, t.size)) continue;
        if (!broken++) *out = t;
    }
    return tried ? broken : -1;
}

static bool is_broken_here(Function *f, Law *law, Trial *out) {
    bool found = false;
    for (int kind = 0; kind < sample_kinds(f->n); kind++) {
        Trial t;
        int broken = count_broken(f, law, kind, &t);
        if (broken >= 0 && broken < OFTEN) return false;
        if (broken < 0) continue;
        if (!found) *out = t;
        found = true;
    }
    return found;
}

static bool is_broken(Function *f, Law *law, Trial *out) {
    Trial other;
    f->world = 0;
    bool broken = is_broken_here(f, law, out);
    for (f->world = 1; broken && f->chosen.len && f->world < SAMPLE_WORLDS; f->world++)
        broken = is_broken_here(f, law, &other);
    return broken && f->work > 0;
}

/* The initial value is known, t->in[0], and two of them come to something else, t->left. */
static bool init_grows(Function *f, Trial *t) {
    Element *init = &t->in[0];
    bool known = true;
    *t = (Trial){.size = 0};
    f->world = 0;
    f->e.fuel = MOST_ONCE;
    for (int i = 0; known && i < f->n; i++)
        known = evaluate_value(&f->e, op_opnd(f->op, f->op->nopnds - f->n + i), &init->x[i]);
    known = known && measure(f, init, &t->size) && combine(f, init, init, &t->left, &t->size) && !f->chosen.len;
    return known && differs(f, init, &t->left, t->size);
}

/* ---- what is said */

static const char *say(const Function *f, const Element *x) {
    Text t;
    text_init(&t, session_arena(f->e.module->session));
    sample_print(&t, f->n, x->x);
    return text_str(&t);
}

/* ", where c is 0.5": what was chosen at first for values that are not known */
static const char *say_chosen(const Function *f) {
    Text t;
    text_init(&t, session_arena(f->e.module->session));
    for (int i = 0; i < f->chosen.len; i++) {
        const Value *v = f->chosen.data[i];
        Const x;
        if (!v->name || !sample_unknown(0, v->type->dtype, &x)) continue;
        text_printf(&t, t.len ? " and %s is " : ", where %s is ", v->name);
        sample_print(&t, 1, &x);
    }
    return text_str(&t);
}

/* At the function in the call, with a note if it is written elsewhere */
static Diag *report(Session *s, const Function *f, DiagId id, const char *what) {
    const Op *first = f->region->first;
    const Func *callee = first->code == OP_CALL ? module_find(f->e.module, op_sym(first, A_FUNC)) : NULL;
    Span at = f->region->last->span;
    Diag *d = diag_report(s, at, id, what);
    if (callee && (callee->span.file != at.file || callee->span.lo != at.lo))
        diag_note(s, d, callee->span, "f is this function");
    return d;
}

static void report_associative(Session *s, const Function *f, const Trial *t) {
    static const char *const loop = "where the order matters, write a loop";
    const char *x = say(f, &t->in[0]), *y = say(f, &t->in[1]), *z = say(f, &t->in[2]);
    bool numbers = f->op->code == OP_SCAN && f->n == 1;
    Diag *d = report(s, f, W_NOT_ASSOCIATIVE, op_info(f->op->code)->mnemonic);
    diag_note(s, d, NO_SPAN, "f(f(%s, %s), %s) is %s, and f(%s, f(%s, %s)) is %s%s", x, y, z, say(f, &t->left), x, y, z,
              say(f, &t->right), say_chosen(f));
    diag_hint(s, d, "%s%s", loop,
              numbers ? "; y[i] = a[i] * y[i - 1] + b[i] is also a scan of pairs (a[i], b[i]), by "
                        "fn(p, q) => (q.0 * p.0, q.0 * p.1 + q.1)"
                      : "");
}

static void report_commutative(Session *s, const Function *f, const Trial *t) {
    const char *x = say(f, &t->in[0]), *y = say(f, &t->in[1]);
    Diag *d = report(s, f, W_NOT_COMMUTATIVE, op_info(f->op->code)->mnemonic);
    diag_note(s, d, NO_SPAN, "f(%s, %s) is %s, and f(%s, %s) is %s%s", x, y, say(f, &t->left), y, x, say(f, &t->right),
              say_chosen(f));
    diag_hint(s, d, "where the order matters, take the last element of a scan");
}

static void report_initial(Session *s, const Function *f, const Trial *t) {
    const char *init = say(f, &t->in[0]);
    Diag *d = report(s, f, W_NOT_NEUTRAL, init);
    diag_note(s, d, NO_SPAN, "f(%s, %s) is %s", init, init, say(f, &t->left));
    diag_hint(s, d, "begin with what is neutral for f, and combine the result with %s", init);
}

/* ---- which are looked at */

static bool is_in_order(const Op *op) {
    int64_t n = 1, one;
    if (op->code == OP_SCAN) return size_is_const(op->res[0].type->dims[0], &n) && n <= IN_ORDER;
    for (int i = 0; i < op->nopnds - op->nres; i++) {
        if (!value_const_int(op_opnd(op, i), &one) || one > IN_ORDER) return false;
        n *= one;
    }
    return n <= IN_ORDER;
}

/* In place of an element that an `if` behind the ranges leaves out stands the initial value. */
static bool leaves_out(const Op *op) {
    const Op *made = op_opnd(region_term(op->regs[0]), 0)->def;
    if (!made || made->code != OP_IF) return false;
    const Const *other = value_const(op_opnd(region_term(made->regs[1]), 0));
    const Const *init = value_const(op_opnd(op, op->nopnds - op->nres));
    return other && init && const_same(other, init);
}

static bool is_told(Session *s, Function *f) {
    Trial t;
    bool in_order = is_in_order(f->op), reduces = f->op->code == OP_REDUCE;
    if (!in_order && is_broken(f, associates, &t)) return report_associative(s, f, &t), true;
    if (!in_order && reduces && is_broken(f, commutes, &t)) return report_commutative(s, f, &t), true;
    bool several = reduces && (!in_order || leaves_out(f->op));
    return several && init_grows(f, &t) && (report_initial(s, f, &t), true);
}

static void visit(void *ctx, Op *op) {
    Combines *c = ctx;
    bool combines = (op->code == OP_REDUCE || op->code == OP_SCAN) && op_combine(op) == COMBINE_CUSTOM;
    if (!combines || op->nres > MOST_SCALARS || source_is_library(c->s, op->span)) return;
    const char *place = intern_printf(c->s, "%d:%d", op->span.file, op->span.lo);
    if (map_has(&c->told, place)) return;
    Function f = {.op = op, .region = op->regs[1], .n = op->nres, .work = MOST_WORK};
    f.e = (Evaluator){.module = c->m, .arena = arena_new(), .outer = choose_outer, .ctx = &f};
    bool computes = true;
    for (int i = 0; i < f.n; i++) computes &= (f.types[i] = op->res[i].type->dtype) != DT_STR;
    if (computes && is_told(c->s, &f)) map_put(session_arena(c->s), &c->told, place, c);
    arena_free(f.e.arena);
}

void pass_prove_combine(Module *m, const PassOptions *opts) {
    (void)opts;
    Combines c = {.s = m->session, .m = m};
    for (int i = 0; i < m->funcs.len; i++) {
        const Func *f = m->funcs.data[i];
        if (f->kind != FUNC_EXTERN && f->body) region_walk(f->body, visit, &c);
    }
}
