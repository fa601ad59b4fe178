/* The rules of derivatives against differences of what the operations compute (ir/eval.c), at points of their domains;
 * that the op table says truthfully which operations have one; and that both sides of each rule of scalars have one
 * derivative by each variable (opt/rules/scalar.rules, accuracy.rules; those of arrays: tensor_rules_test.c). */
#include "ad/ad.h"
#include "opt/rewrite.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct { Const x[3], z, g; Const made[1000]; int n; } Point;

static Const number(double v) { return (Const){.dtype = DT_F64, .f = v}; }

static void *leaf(void *ctx, const char *atom) {
    Point *p = ctx;
    if (!strcmp(atom, "z")) return &p->z;
    if (!strcmp(atom, "g")) return &p->g;
    if (!strcmp(atom, "x") || !strcmp(atom, "y") || !strcmp(atom, "w"))
        return &p->x[atom[0] == 'w' ? 2 : atom[0] - 'x'];
    p->made[p->n] = number(strtod(atom, NULL));
    return &p->made[p->n++];
}

static void *apply(void *ctx, OpCode code, int n, void *const *x) {
    Point *p = ctx;
    Const opnds[3];
    for (int i = 0; i < n; i++) opnds[i] = *(const Const *)x[i];
    if (code == OP_SELECT) return x[opnds[0].i ? 1 : 2];
    DType result = op_info(code)->traits & TR_BOOL ? DT_BOOL : opnds[n - 1].dtype;
    assert_true(const_eval(code, result, n, opnds, &p->made[p->n]));
    p->made[p->n].dtype = result;
    return &p->made[p->n++];
}

static double compute(OpCode c, int n, const Const *x) {
    Const out;
    if (c == OP_LGAMMA) return lgamma(x[0].f); /* of which the compiler computes none */
    if (c == OP_TGAMMA) return tgamma(x[0].f);
    if (!const_eval(c, DT_F64, n, x, &out)) fail_msg("ir/eval.c cannot compute %s", op_info(c)->mnemonic);
    return out.f;
}

static double random_in(unsigned *seed, double lo, double hi) {
    *seed = *seed * 1664525u + 1013904223u;
    return lo + (hi - lo) * (*seed >> 8) / 16777216.0;
}

static void compare_with_differences(const Rule *rule, int n, unsigned *seed) {
    Point p = {.g = number(random_in(seed, 0.5, 1.5))};
    for (int i = 0; i < n; i++) p.x[i] = number(random_in(seed, rule->least, rule->most));
    p.z = number(compute(rule->code, n, p.x));
    for (int k = 0; k < n; k++) {
        Const lo[3] = {p.x[0], p.x[1], p.x[2]}, hi[3] = {p.x[0], p.x[1], p.x[2]};
        double h = 1e-6, want;
        lo[k].f -= h, hi[k].f += h;
        want = p.g.f * (compute(rule->code, n, hi) - compute(rule->code, n, lo)) / (2 * h);
        RuleReader reader = {leaf, apply, &p};
        p.n = 0;
        const Const *got = rule_read(rule->adjoint[k], &reader);
        if (fabs(got->f - want) > 1e-6 * (1 + fabs(want)))
            fail_msg("%s, operand %d at (%g, %g, %g): the rule gives %.9g, differences %.9g",
                     op_info(rule->code)->mnemonic, k, p.x[0].f, p.x[1].f, p.x[2].f, got->f, want);
    }
}

static void rules_agree_with_differences(void **state) {
    (void)state;
    int n;
    unsigned seed = 7;
    const Rule *rules = rule_table(&n);
    for (int i = 0; i < n; i++) {
        int operands = 1;
        for (const char *s = op_info(rules[i].code)->operands; *s; s++) operands += *s == ' ';
        for (int k = 0; k < operands; k++) assert_non_null(rules[i].adjoint[k]);
        for (int k = 0; k < 50; k++) compare_with_differences(&rules[i], operands, &seed);
    }
}

static void table_is_truthful(void **state) {
    (void)state;
    for (int c = 0; c < OP_COUNT; c++) {
        const OpInfo *info = op_info((OpCode)c);
        if (!(info->traits & TR_ELEM)) continue;
        if (has_adjoint((OpCode)c) != (info->ad == AD_RULE))
            fail_msg("%s: the table and the rules disagree", info->mnemonic);
    }
}

/* ---- rules of rewriting: both sides have one derivative */

enum { SAMPLES = 4000, ENOUGH = 20, LANES = 3 };

typedef struct { Const v; double slope; } Dual;
typedef struct {
    const RewriteSet *set;
    const Rewrite *rule;
    Const var[LANES][REWRITE_VARS]; /* elements of short vectors; outside of sums the first counts */
    int lane;
    int by;   /* the variable of which the first element varies */
    bool tie; /* abs met 0, min or max equals: the slope to one side only */
    Builder b;
    unsigned seed;
} Sample;

static bool side(Sample *s, int at, Dual *out);

/* That of an operation by its rule; of what has none it is 0: ints, bools, comparisons, sign, floor, .. */
static double slope_of(OpCode c, int n, const Dual *x, Const z) {
    const Rule *rule = rule_find(c);
    double sum = 0;
    if (c == OP_SELECT) return x[x[0].v.i ? 1 : 2].slope;
    if (c == OP_CAST) return x[0].slope;
    for (int k = 0; k < n && rule; k++) {
        if (x[k].slope == 0) continue;
        Point p = {.z = z, .g = number(x[k].slope)};
        for (int i = 0; i < n; i++) p.x[i] = x[i].v;
        RuleReader reader = {leaf, apply, &p};
        sum += ((const Const *)rule_read(rule->adjoint[k], &reader))->f;
    }
    return sum;
}

/* z, of these values; false: they have none, or the types do not fit */
static bool apply_values(OpCode c, int n, const Dual *x, Const *z) {
    Const v[3];
    int traits = op_info(c)->traits;
    for (int i = 0; i < n; i++) v[i] = x[i].v;
    if (c == OP_SELECT) return *z = v[v[0].i ? 1 : 2], v[0].dtype == DT_BOOL && v[1].dtype == v[2].dtype;
    if ((n == 2 && v[0].dtype != v[1].dtype) || (traits & TR_INT && dtype_is_float(v[0].dtype))) return false;
    if (traits & TR_FLOAT && !dtype_is_float(v[0].dtype)) return false;
    z->dtype = traits & TR_BOOL ? DT_BOOL : v[0].dtype;
    return const_eval(c, z->dtype, n, v, z);
}

static bool apply_to(Sample *s, OpCode op, int n, const Dual *x, Dual *out) {
    Const z;
    if (!apply_values(op, n, x, &z)) return false;
    bool extreme = op == OP_MIN || op == OP_MAX;
    s->tie |= (op == OP_ABS && x[0].v.f == 0) || (extreme && x[0].v.f == x[1].v.f);
    *out = (Dual){z, slope_of(op, n, x, z)};
    return true;
}

/* A sum, product or greatest value of what stands in it, over the elements */
static bool reduced(Sample *s, int at, Dual *out) {
    OpCode op = combine_info((Combine)s->set->nodes[at].i)->op;
    const int lane = s->lane;
    Dual x[2];
    bool fits = true;
    for (s->lane = 0; s->lane < LANES && fits; s->lane++) {
        fits = side(s, at + 1, &x[s->lane > 0]) && x[s->lane > 0].v.dtype == DT_F64;
        if (fits && s->lane) fits = apply_to(s, op, 2, x, &x[0]);
    }
    s->lane = lane, *out = x[0];
    return fits;
}

static bool operation(Sample *s, int at, Dual *out) {
    const RewriteNode *n = &s->set->nodes[at];
    Dual x[3];
    if (n->op == OP_REDUCE) return reduced(s, at, out);
    for (int i = 0, kid = at + 1; i < n->nkids; i++, kid = rewrite_next(s->set->nodes, kid))
        if (!side(s, kid, &x[i])) return false;
    return apply_to(s, n->op, n->nkids, x, out);
}

/* The value and the slope of a side; false: floats do not fit it */
static bool side(Sample *s, int at, Dual *out) {
    const RewriteNode *n = &s->set->nodes[at];
    *out = (Dual){.v = {.dtype = n->kind == RW_BOOL ? DT_BOOL : DT_F64, .i = n->i, .f = n->f}};
    if (n->kind == RW_VAR || n->kind == RW_CONST) {
        Const v = s->var[s->lane][n->var];
        *out = (Dual){v, !s->lane && n->var == s->by && v.dtype == DT_F64};
        return true;
    }
    return rewrite_is_literal(n) ? n->kind != RW_INT : operation(s, at, out);
}

static bool guards_hold(Sample *s, const Const *result) {
    for (int i = 0; i < s->rule->nguards; i++) {
        const RewriteGuard *g = &s->set->guards[s->rule->guard + i];
        RewriteArg args[REWRITE_ARGS] = {{0}};
        Dual x[REWRITE_ARGS];
        for (int k = 0; k < g->nargs; k++) {
            if (s->set->nodes[g->args[k]].kind == RW_RESULT) x[k].v = *result;
            else if (!side(s, g->args[k], &x[k])) return false;
            args[k] = (RewriteArg){build_const(&s->b, x[k].v), &x[k].v};
        }
        if (!predicate_holds(g->id, args)) return false;
    }
    return true;
}

/* Edges first; one in four a bool */
static Const random_value(Sample *s) {
    static const double edges[] = {0, 1, -1, 0.5, 2, 4, -2, 3};
    double kind = random_in(&s->seed, 0, 8), edge = random_in(&s->seed, 0, 8);
    if (kind < 2) return (Const){.dtype = DT_BOOL, .i = kind < 1};
    return number(kind < 4 ? edges[(int)edge] : random_in(&s->seed, -3, 3));
}

/* Whether a sample fits; exact: to the bit, ties and all */
static bool keeps_slope(Sample *s, bool exact) {
    Dual left, right;
    s->tie = false;
    for (int v = 0; v < LANES * REWRITE_VARS; v++) {
        Const *x = &s->var[v / REWRITE_VARS][v % REWRITE_VARS];
        do *x = random_value(s); while (x->dtype != s->var[0][v % REWRITE_VARS].dtype);
    }
    if (!side(s, s->rule->lhs, &left) || !dtype_is_float(left.v.dtype) || !guards_hold(s, &left.v)) return false;
    if (!side(s, s->rule->rhs, &right) || !isfinite(left.v.f) || !isfinite(left.slope)) return false;
    bool known = isfinite(right.v.f) && isfinite(right.slope);
    if (!exact && (!known || s->tie)) return false;
    double apart = fabs(left.slope - right.slope), most = exact ? 0 : 1e-9 * (1 + fabs(left.slope));
    if (apart > most || !known)
        fail_msg("%s, by variable %d, of %g, %g, %g: left %.17g, right %.17g", s->rule->text, s->by, s->var[0][0].f,
             s->var[0][1].f, s->var[0][2].f, left.slope, right.slope);
    return true;
}

/* What only ints and bools fit has no derivative. */
static bool is_discrete(const RewriteSet *set, const Rewrite *rule) {
    for (int at = rule->lhs; at < rewrite_next(set->nodes, rule->lhs); at++) {
        const RewriteNode *n = &set->nodes[at];
        if (n->kind == RW_INT || (n->kind == RW_OP && op_info(n->op)->ad == AD_ZERO)) return true;
        if (n->kind == RW_BOOL && at > rule->lhs + 1) return true;
    }
    for (int i = 0; i < rule->nguards; i++) {
        PredicateId id = set->guards[rule->guard + i].id;
        if (id == PRED_INT || id == PRED_UNSIGNED || id == PRED_NEGATIVE || id == PRED_NOT_NEGATIVE) return true;
    }
    return false;
}

static void check_slopes(const RewriteSet *set, bool exact) {
    Session *session = session_new();
    for (int i = 0; i < set->n; i++) {
        Module *m = module_new(session);
        Func *f = func_new(m, "samples", FUNC_FN, NO_SPAN);
        Sample s = {.set = set, .rule = &set->rules[i], .seed = (unsigned)i, .b = builder_at_end(m, f->body, NO_SPAN)};
        int fit = 0;
        for (int k = 0; k < SAMPLES; k++) {
            s.by = k % 3;
            fit += keeps_slope(&s, exact);
        }
        if (fit < ENOUGH && !is_discrete(set, s.rule)) fail_msg("%s: only %d samples fit", s.rule->text, fit);
        module_free(m);
    }
    session_free(session);
}

/* Of elementwise operations, to the bit: also of what is chosen among equals, and at the edges of abs. */
static void identities_keep_derivatives(void **state) {
    (void)state;
    check_slopes(&scalar_rules, true);
}

/* Where both are defined and no choice is a tie (docs/accuracy.md) */
static void identities_of_reals_keep_derivatives(void **state) {
    (void)state;
    check_slopes(&accuracy_rules, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_agree_with_differences),
        cmocka_unit_test(table_is_truthful),
        cmocka_unit_test(identities_keep_derivatives),
        cmocka_unit_test(identities_of_reals_keep_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
