/* Every rule of opt/rules/accuracy.rules against itself: both sides are computed in 113 bits with a bound of the error
 * for numbers of many sizes; where both are known they are one number.  A rule that no numbers fit fails.  And what the
 * parts of a search promise. */
#include "accuracy/accuracy.h"
#include "opt/rewrite.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 4000, ENOUGH = 20 };

/* Of vectors of a few elements; what stands outside reductions is that of the first */
enum { LANES = 3 };
typedef struct { Real var[LANES][REWRITE_VARS]; uint64_t seed; int lane; } Trial;

static uint64_t next_random(Trial *t) {
    t->seed = t->seed * 6364136223846793005u + 1442695040888963407u;
    return t->seed >> 24;
}

/* Whole numbers, halves, and any of very different sizes */
static double sample(Trial *t) {
    uint64_t r = next_random(t);
    double sign = r & 1 ? 1 : -1, part = (double)(next_random(t) % 100000) / 100000;
    if (r % 5 == 0) return sign * (double)(r / 8 % 7) / 2;
    return sign * pow(10, (double)(int)(r / 16 % 5) - 3) * (1 + part);
}

static const RewriteNode *node_at(int at) { return &accuracy_rules.nodes[at]; }

static Real value(const Trial *t, int at);

static Real reduced(const Trial *t, int at) {
    Trial in = *t;
    Real x[2];
    for (in.lane = 0; in.lane < LANES; in.lane++) {
        x[in.lane > 0] = value(&in, at + 1);
        if (in.lane) x[0] = real_apply(combine_info((Combine)node_at(at)->i)->op, x);
    }
    return x[0];
}

static Real value(const Trial *t, int at) {
    const RewriteNode *n = node_at(at);
    Real x[3];
    if (n->kind == RW_VAR || n->kind == RW_CONST) return t->var[t->lane][n->var];
    if (n->op == OP_REDUCE && n->kind == RW_OP) return reduced(t, at);
    if (n->kind == RW_FLOAT) return (Real){(Wide)n->f, 0};
    for (int i = 0, kid = at + 1; i < n->nkids; i++, kid = rewrite_next(accuracy_rules.nodes, kid))
        x[i] = value(t, kid);
    return real_apply(n->op, x);
}

/* 1: they are one; 0: nobody knows; -1: they are not */
static int compare(const Trial *t, const Rewrite *r) {
    Real a = value(t, r->lhs), b = value(t, r->rhs);
    if (!isfinite((double)a.e) || !isfinite((double)b.e) || !isfinite((double)a.v) || !isfinite((double)b.v)) return 0;
    if (!real_is_known(DT_F64, a) || !real_is_known(DT_F64, b)) return 0;
    double apart = fabs((double)(a.v - b.v)), least = fmin(fabs((double)a.v), fabs((double)b.v));
    return apart <= 4 * (double)(a.e + b.e) + 0x1p-108 * least ? 1 : -1;
}

static void rules_hold(void **state) {
    (void)state;
    for (int i = 0; i < accuracy_rules.n; i++) {
        Trial t = {.seed = (uint64_t)i};
        int fit = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (int v = 0; v < LANES * REWRITE_VARS; v++)
                t.var[v / REWRITE_VARS][v % REWRITE_VARS] = (Real){(Wide)sample(&t), 0};
            int same = compare(&t, &accuracy_rules.rules[i]);
            if (same < 0) fail_msg("rule %s is wrong", accuracy_rules.rules[i].name);
            fit += same;
        }
        if (fit < ENOUGH) fail_msg("rule %s: only %d samples fit", accuracy_rules.rules[i].name, fit);
    }
}

/* ---- numbers */

static void bounds_are_bounds(void **state) {
    (void)state;
    Real big = {(Wide)1e20, 0}, one = {1, 0}, x[2] = {big, one};
    Real sum = real_apply(OP_ADD, x), y[2] = {sum, big}, back = real_apply(OP_SUB, y);
    assert_true(real_is_known(DT_F64, sum) && fabs((double)(back.v - 1)) <= (double)back.e);
    x[0] = (Real){(Wide)1e300, 0}, y[1] = x[0];
    y[0] = real_apply(OP_ADD, x);
    assert_false(real_is_known(DT_F64, real_apply(OP_SUB, y)));
    Real minus = {-1, 0}, near = {0, (Wide)1e-30};
    assert_true(isnan((double)real_apply(OP_SQRT, &minus).v) && real_is_known(DT_F64, real_apply(OP_SQRT, &minus)));
    assert_false(real_is_known(DT_F64, real_apply(OP_LOG, &near)));
}

static void bits_count_numbers(void **state) {
    (void)state;
    assert_true(bits_between(DT_F64, 1, 1) == 0 && bits_between(DT_F64, 1, nextafter(1, 2)) == 1);
    assert_true(bits_between(DT_F32, 1, 1 + 3 * 0x1p-23) == 2 && bits_between(DT_F64, 0.0, -0.0) == 0);
    assert_true(bits_between(DT_F64, NAN, 1) == 64 && bits_between(DT_F32, NAN, NAN) == 0);
    assert_true(bits_between(DT_F64, -1, 1) > 62);
}

/* ---- terms */

typedef struct { Arena *arena; Terms t; int x, y, one; } Pool;

static Pool pool_new(void) {
    Pool p = {.arena = arena_new()};
    p.t = (Terms){.arena = p.arena, .dtype = DT_F64};
    p.x = term_leaf(&p.t, 0), p.y = term_leaf(&p.t, 1), p.one = term_number(&p.t, 1);
    return p;
}
static int op2(Pool *p, OpCode op, int a, int b) { return term_raw(&p->t, op, 2, (int[]){a, b}); }

static void sums_cancel(void **state) {
    (void)state;
    Pool p = pool_new();
    assert_int_equal(term_cancel(&p.t, op2(&p, OP_SUB, op2(&p, OP_ADD, p.x, p.one), p.x)), p.one);
    int squares = op2(&p, OP_SUB, op2(&p, OP_MUL, p.x, p.x), op2(&p, OP_SUB, op2(&p, OP_MUL, p.x, p.x), p.y));
    assert_int_equal(term_cancel(&p.t, squares), p.y);
    int root = term_raw(&p.t, OP_SQRT, 1, &p.y);
    assert_int_equal(term_cancel(&p.t, op2(&p, OP_MUL, root, root)), p.y);
    assert_int_equal(term_cancel(&p.t, op2(&p, OP_DIV, op2(&p, OP_MUL, p.x, p.y), p.x)), p.y);
    int third = op2(&p, OP_MUL, term_number(&p.t, 0.1), op2(&p, OP_MUL, term_number(&p.t, 0.1), p.x));
    assert_int_equal(term_cancel(&p.t, third), third); /* 0.1 * 0.1 is rounded */
    arena_free(p.arena);
}

static void terms_are_made_once(void **state) {
    (void)state;
    Pool p = pool_new();
    int sum = op2(&p, OP_ADD, p.x, p.y);
    assert_int_equal(sum, op2(&p, OP_ADD, p.x, p.y));
    assert_int_equal(term_make(&p.t, OP_SUB, 2, (int[]){p.x, p.x}), term_number(&p.t, 0));
    assert_int_equal(term_make(&p.t, OP_MUL, 2, (int[]){p.one, p.y}), p.y);
    assert_int_equal(term_substitute(&p.t, sum, p.y, term_number(&p.t, 0)), p.x);
    int tenth = term_number(&p.t, 0.1);
    assert_true(term_is(&p.t, term_make(&p.t, OP_ADD, 2, (int[]){tenth, tenth}), OP_CONST));
    assert_false(term_is(&p.t, term_make(&p.t, OP_DIV, 2, (int[]){p.one, term_number(&p.t, 3)}), OP_CONST));
    arena_free(p.arena);
}

/* Each element of a group has the sum of its group; what is put for a term goes into sums. */
static void sums_are_of_groups(void **state) {
    (void)state;
    Pool p = pool_new();
    double x[] = {1, 2, 3, 10, 20};
    p.t.leaf[0] = x, p.t.nsamples = 5, p.t.ngroups = 2, p.t.group[1] = 3, p.t.group[2] = 5;
    int sum = term_reduce(&p.t, COMBINE_ADD, 0, p.x), most = term_reduce(&p.t, COMBINE_MAX, 0, p.x);
    assert_true(term_values(&p.t, sum, DT_F64)[2] == 6 && term_values(&p.t, sum, DT_F64)[3] == 30);
    assert_true(term_values(&p.t, most, DT_F32)[0] == 3 && (double)term_reals(&p.t, most)[4].v == 20);
    assert_int_equal(sum, term_reduce(&p.t, COMBINE_ADD, 0, p.x));
    assert_int_not_equal(sum, term_reduce(&p.t, COMBINE_ADD, 1, p.x));
    int root = op2(&p, OP_DIV, p.one, sum);
    assert_int_equal(term_substitute(&p.t, root, p.x, p.y),
                     op2(&p, OP_DIV, p.one, term_reduce(&p.t, COMBINE_ADD, 0, p.y)));
    arena_free(p.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_hold), cmocka_unit_test(bounds_are_bounds), cmocka_unit_test(bits_count_numbers),
        cmocka_unit_test(sums_cancel), cmocka_unit_test(terms_are_made_once),
        cmocka_unit_test(sums_are_of_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
