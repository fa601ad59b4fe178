/* The isl bridge: domains, accesses, bounds, and the cap on operations. */
#include "analysis/affine.h"

#include <isl/ctx.h>
#include <isl/options.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *stencil =
    "module stage=par\n"
    "func @f(%x: f64[n], %y: f64[n]) -> (f64[n]) {\n"
    "  %n = size {size = [n]} : i64\n"
    "  %g = const {value = 8} : i64\n"
    "  %c256 = const {value = 256} : i64\n"
    "  %one = const {value = 1} : i64\n"
    "  %r = island(%y, %x) {modes = [1, 0]} : f64[n] {\n"
    "    (%yb: buf<f64[n]>, %xb: buf<f64[n]>)\n"
    "    parallel(%g) {kind = block} {\n"
    "      (%b: i64)\n"
    "      parallel(%c256) {kind = thread} {\n"
    "        (%t: i64)\n"
    "        %base = mul(%b, %c256) : i64\n"
    "        %i = add(%base, %t) : i64\n"
    "        %lo = ge(%i, %one) : bool\n"
    "        %hi = lt(%i, %n) : bool\n"
    "        %in = and(%lo, %hi) : bool\n"
    "        if(%in) {\n"
    "          ()\n"
    "          %west = sub(%i, %one) : i64\n"
    "          %east = add(%i, %one) : i64\n"
    "          %a = load(%xb, %west) : f64\n"
    "          %e = load(%xb, %east) : f64\n"
    "          %s = add(%a, %e) : f64\n"
    "          store(%s, %yb, %i)\n"
    "          yield()\n"
    "        } {\n"
    "          ()\n"
    "          yield()\n"
    "        }\n"
    "        yield()\n"
    "      }\n"
    "      yield()\n"
    "    }\n"
    "    yield()\n"
    "  }\n"
    "  return(%r)\n"
    "}\n";

typedef struct { Op *ops[8]; int n; } Found;
static void find_access(void *ctx, Op *op) {
    Found *f = ctx;
    if (op->code == OP_LOAD || op->code == OP_STORE) f->ops[f->n++] = op;
}

static Module *read(Session *s, Found *f) {
    int file = source_add(s, "stencil.ir", stencil, strlen(stencil));
    Module *m = module_parse(s, file);
    if (!m) diag_flush(s, stderr, false);
    assert_non_null(m);
    region_walk(m->funcs.data[0]->body, find_access, f);
    assert_int_equal(f->n, 3);
    return m;
}

static void bounds(void **state) {
    (void)state;
    Session *s = session_new();
    Found f = {0};
    Module *m = read(s, &f);
    Affine *a = affine_new(m->funcs.data[0], 0);
    assert_int_equal(affine_in_bounds(a, f.ops[0]), ANSWER_YES); /* x[i-1], i >= 1 */
    assert_int_equal(affine_in_bounds(a, f.ops[1]), ANSWER_NO);  /* x[i+1], i < n */
    assert_int_equal(affine_in_bounds(a, f.ops[2]), ANSWER_YES); /* y[i] */
    bool exact;
    isl_set *dom = affine_domain(a, f.ops[2], &exact);
    assert_true(exact);
    assert_int_equal(isl_set_dim(dom, isl_dim_set), 2);
    isl_map *acc = affine_access(a, f.ops[2]);
    acc = isl_map_intersect_domain(acc, dom);
    assert_int_equal(isl_map_is_injective(acc), isl_bool_true); /* no two threads store the same element */
    isl_map_free(acc);
    affine_free(a);
    module_free(m);
    session_free(s);
}

static void cap(void **state) {
    (void)state;
    Session *s = session_new();
    Found f = {0};
    Module *m = read(s, &f);
    Affine *a = affine_new(m->funcs.data[0], 5);
    assert_int_equal(affine_in_bounds(a, f.ops[0]), ANSWER_UNKNOWN);
    affine_free(a);
    module_free(m);
    session_free(s);
}

/* One cap for all questions: it is met by many that are small. */
static void cap_together(void **state) {
    (void)state;
    Session *s = session_new();
    Found f = {0};
    Module *m = read(s, &f);
    Affine *a = affine_new(m->funcs.data[0], 5000);
    Answer first = affine_in_bounds(a, f.ops[0]);
    assert_int_not_equal(first, ANSWER_UNKNOWN);
    for (int i = 0; i < 5000; i++) assert_int_equal(affine_in_bounds(a, f.ops[0]), first);
    affine_together(a);
    for (int i = 0; i < 5000; i++) affine_in_bounds(a, f.ops[0]);
    assert_int_equal(affine_in_bounds(a, f.ops[0]), ANSWER_UNKNOWN);
    affine_free(a);
    module_free(m);
    session_free(s);
}

/* ---- functions in pieces as one formula: which parts it has, as letters; "" none */

static const char *form_of(isl_ctx *ctx, const char *pieces) {
    static char parts[5];
    isl_pw_aff *p = isl_pw_aff_read_from_str(ctx, pieces);
    assert_non_null(p);
    AffineForm f = affine_simplest(p);
    snprintf(parts, sizeof parts, "%s%s%s%s", f.base ? "b" : "", f.lo ? "l" : "", f.hi ? "h" : "", f.ring ? "r" : "");
    affine_form_free(&f);
    isl_pw_aff_free(p);
    return parts;
}

static void forms(void **state) {
    (void)state;
    isl_ctx *c = isl_ctx_alloc();
    isl_options_set_on_error(c, ISL_ON_ERROR_CONTINUE);
    assert_string_equal(form_of(c, "[n] -> { [i] -> [i + 2 n - 1] : i < n }"), "b");
    assert_string_equal(form_of(c, "[n] -> { [i] -> [i - 1] : 0 < i < n; [i] -> [0] : i = 0 < n }"), "bl");
    assert_string_equal(form_of(c, "[n] -> { [i] -> [i + 1] : 0 <= i < n - 1; [i] -> [i] : 0 <= i = n - 1 }"), "bh");
    assert_string_equal(form_of(c, "[n] -> { [i] -> [i] : 0 <= i < n; [i] -> [0] : i < 0 < n; "
                                   "[i] -> [n - 1] : 0 < n <= i }"), "blh");
    assert_string_equal(form_of(c, "[n] -> { [i] -> [i - 1] : 0 < i < n; [i] -> [n - 1] : i = 0 < n }"), "br");
    assert_string_equal(form_of(c, "[n] -> { [i] -> [i + 1] : 0 <= i < n - 1; [i] -> [0] : 0 <= i = n - 1 }"), "br");
    assert_string_equal(form_of(c, "{ [i] -> [i - 1] : 0 < i < 8; [i] -> [7] : i = 0 }"), "br");
    assert_string_equal(form_of(c, "{ [b, t] -> [8 b + t + 1] : 0 <= b < 4 and 0 <= t < 7; "
                                   "[b, t] -> [(8 b + 8) mod 32] : 0 <= b < 4 and t = 7 }"), "br");
    assert_string_equal(form_of(c, "[b] -> { [t] -> [8 b + t] : 0 <= t < 7; [t] -> [8 b + 7] : t = 7 }"), "b");
    /* no one formula; numbers that are too large; fractions are floored, which is a quotient */
    assert_string_equal(form_of(c, "{ [i] -> [i] : i < 5; [i] -> [2 i] : i >= 5 }"), "");
    assert_string_equal(form_of(c, "{ [i] -> [5000000000 i] }"), "");
    assert_string_equal(form_of(c, "{ [i] -> [floor(i / 3)] }"), "b");
    isl_ctx_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds), cmocka_unit_test(cap), cmocka_unit_test(cap_together),
                                       cmocka_unit_test(forms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
