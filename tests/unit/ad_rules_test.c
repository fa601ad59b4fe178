/* The rules of derivatives against differences of what the operations compute (ir/eval.c), at points of their domains;
 * and that the op table says truthfully which operations have one. */
#include "ad/ad.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_agree_with_differences),
        cmocka_unit_test(table_is_truthful),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
