/* Every rule of opt/rules/ against itself: both sides are computed (ir/eval.c) for samples of every type, special
 * values first; where the left side is a value, the right side is the same bits (all NaN are one).  A rule whose
 * samples never pass its guards fails as vacuous. */
#include "opt/rewrite.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 4000, NSPECIAL = 14 };

typedef struct {
    const RewriteSet *set;
    const Rewrite *rule;
    Builder b;
    Const var[REWRITE_VARS];
    DType dtype, result;
    uint64_t seed;
} Trial;

static uint64_t next_random(Trial *t) {
    t->seed = t->seed * 6364136223846793005u + 1442695040888963407u;
    return t->seed >> 20;
}

static Const sample(Trial *t, DType d) {
    static const double floats[NSPECIAL] = {0,   -0.0, 1, -1, INFINITY, -INFINITY, NAN,
                                            0.5, 2,    4, -8, 1e-310,   3e38,      1e300};
    static const int64_t ints[NSPECIAL] = {0,   1,    -1,    2,   3,         INT64_MAX, INT64_MIN,
                                           127, -128, 32767, 255, INT32_MIN, 63,        64};
    uint64_t r = next_random(t);
    Const c = {.dtype = d};
    if (!dtype_is_float(d)) c.i = const_wrap(d, r % 3 ? ints[r / 3 % NSPECIAL] : (int64_t)(next_random(t) << 24 ^ r));
    else if (r % 3) c.f = const_round(d, floats[r / 3 % NSPECIAL]);
    else c.f = const_round(d, (double)(int64_t)(r % 4001 - 2000) / 64);
    return c;
}

static const RewriteNode *node_at(const Trial *t, int at) { return &t->set->nodes[at]; }

/* ---- one side; false: the types do not fit, or it has no value */

static bool value(const Trial *t, int at, DType literals, Const *out);

static bool literal(const RewriteNode *n, DType d, Const *out) {
    bool fits = n->kind == RW_FLOAT ? dtype_is_float(d) : n->kind == RW_BOOL ? d == DT_BOOL : !dtype_is_float(d);
    *out = (Const){.dtype = d, .f = n->f, .i = dtype_is_float(d) ? 0 : const_wrap(d, n->i)};
    return fits;
}

static bool operands(const Trial *t, int at, DType literals, Const *x) {
    const RewriteNode *n = node_at(t, at);
    bool known[3] = {false};
    DType beside = literals;
    for (int i = 0, kid = at + 1; i < n->nkids; i++, kid = rewrite_next(t->set->nodes, kid))
        if (!rewrite_is_literal(node_at(t, kid))) {
            if (!value(t, kid, literals, &x[i])) return false;
            known[i] = true;
            if (n->op != OP_SELECT || i) beside = x[i].dtype;
        }
    for (int i = 0, kid = at + 1; i < n->nkids; i++, kid = rewrite_next(t->set->nodes, kid))
        if (!known[i] && !literal(node_at(t, kid), n->op == OP_SELECT && !i ? DT_BOOL : beside, &x[i])) return false;
    return true;
}

static bool apply(const Trial *t, const RewriteNode *n, const Const *x, Const *out) {
    int traits = op_info(n->op)->traits;
    if (n->op == OP_SELECT) {
        *out = x[x[0].i ? 1 : 2];
        return x[0].dtype == DT_BOOL && x[1].dtype == x[2].dtype;
    }
    if (n->nkids == 2 && x[0].dtype != x[1].dtype) return false;
    if ((traits & TR_FLOAT && !dtype_is_float(x[0].dtype)) || (traits & TR_INT && !dtype_is_int(x[0].dtype)))
        return false;
    DType d = n->op == OP_CAST ? t->result : traits & TR_BOOL ? DT_BOOL : x[0].dtype;
    bool ok = const_eval(n->op, d, n->nkids, x, out);
    out->dtype = d;
    return ok;
}

static bool value(const Trial *t, int at, DType literals, Const *out) {
    const RewriteNode *n = node_at(t, at);
    Const x[3];
    if (n->kind == RW_VAR || n->kind == RW_CONST) return *out = t->var[n->var], true;
    if (rewrite_is_literal(n)) return literal(n, literals, out);
    return operands(t, at, literals, x) && apply(t, n, x, out);
}

static bool guards_hold(Trial *t, const Const *result) {
    for (int i = 0; i < t->rule->nguards; i++) {
        const RewriteGuard *g = &t->set->guards[t->rule->guard + i];
        RewriteArg args[REWRITE_ARGS] = {{0}};
        Const c[REWRITE_ARGS];
        for (int k = 0; k < g->nargs; k++) {
            const RewriteNode *n = node_at(t, g->args[k]);
            if (n->kind == RW_RESULT) c[k] = *result;
            else if (!value(t, g->args[k], t->dtype, &c[k])) return false;
            args[k].c = &c[k];
            args[k].v = build_const(&t->b, c[k]);
        }
        if (!predicate_holds(g->id, args)) return false;
    }
    return true;
}

static bool same(const Const *a, const Const *b) {
    if (a->dtype != b->dtype) return false;
    if (!dtype_is_float(a->dtype)) return a->i == b->i;
    return isnan(a->f) ? isnan(b->f) : a->f == b->f && !signbit(a->f) == !signbit(b->f);
}

static bool passes(Trial *t) {
    Const left, right;
    for (int v = 0; v < REWRITE_VARS; v++) t->var[v] = sample(t, next_random(t) % 4 ? t->dtype : DT_BOOL);
    if (!value(t, t->rule->lhs, t->dtype, &left) || !guards_hold(t, &left)) return false;
    if (!value(t, t->rule->rhs, left.dtype, &right) || !same(&left, &right))
        fail_msg("%s, of %s: left %lld %g, right %lld %g", t->rule->text, dtype_info(t->dtype)->name, (long long)left.i,
                 left.f, (long long)right.i, right.f);
    return true;
}

static void check_rule(Trial *t) {
    static const DType dtypes[] = {DT_BOOL, DT_I8, DT_I32, DT_I64, DT_U8, DT_U64, DT_F32, DT_F64};
    int passed = 0;
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++)
        for (int i = 0; i < ROUNDS; i++) {
            t->dtype = t->result = dtypes[d];
            passed += passes(t);
        }
    if (!passed) fail_msg("%s: no sample fits it", t->rule->text);
}

static void test_every_rule(void **state) {
    (void)state;
    Session *s = session_new();
    for (int i = 0; i < scalar_rules.n; i++) {
        Module *m = module_new(s);
        Func *f = func_new(m, "samples", FUNC_FN, NO_SPAN);
        Trial t = {.set = &scalar_rules,
                   .rule = &scalar_rules.rules[i],
                   .b = builder_at_end(m, f->body, NO_SPAN),
                   .seed = (uint64_t)i};
        check_rule(&t);
        module_free(m);
    }
    session_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_rule)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
