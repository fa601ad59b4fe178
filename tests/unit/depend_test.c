/* Dependence: which barriers order something, which loops carry a dependence, which loops may become one. */
#include "analysis/depend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* A sum over a tile in shared memory; the last barrier orders nothing. */
static const char *reduction =
    "module stage=par\n"
    "func @f(%y: f64[g], %x: f64[g, 64]) -> (f64[g]) {\n"
    "  %g = size {size = g} : i64\n"
    "  %c64 = const {value = 64} : i64\n"
    "  %c32 = const {value = 32} : i64\n"
    "  %zero = const {value = 0} : i64\n"
    "  %two = const {value = 2} : i64\n"
    "  %r = island(%y, %x) {modes = [1, 0]} : f64[g] {\n"
    "    (%yb: buf<f64[g]>, %xb: buf<f64[g, 64]>)\n"
    "    parallel(%g) {kind = block} {\n"
    "      (%b: i64)\n"
    "      %s = alloc : buf<f64[64], shared>\n"
    "      parallel(%c64) {kind = thread} {\n"
    "        (%t: i64)\n"
    "        %v = load(%xb, %b, %t) : f64\n"
    "        store(%v, %s, %t)\n"
    "        barrier(%t)\n"
    "        %end = while(%c32) : i64 {\n"
    "          (%h: i64)\n"
    "          %go = gt(%h, %zero) : bool\n"
    "          yield(%go)\n"
    "        } {\n"
    "          (%h: i64)\n"
    "          %in = lt(%t, %h) : bool\n"
    "          if(%in) {\n"
    "            %j = add(%t, %h) : i64\n"
    "            %a = load(%s, %t) : f64\n"
    "            %e = load(%s, %j) : f64\n"
    "            %w = add(%a, %e) : f64\n"
    "            store(%w, %s, %t)\n"
    "            yield\n"
    "          } {\n"
    "            yield\n"
    "          }\n"
    "          barrier(%t)\n"
    "          %next = idiv(%h, %two) : i64\n"
    "          yield(%next)\n"
    "        }\n"
    "        barrier(%t)\n"
    "        %first = eq(%t, %zero) : bool\n"
    "        if(%first) {\n"
    "          %total = load(%s, %zero) : f64\n"
    "          store(%total, %yb, %b)\n"
    "          yield\n"
    "        } {\n"
    "          yield\n"
    "        }\n"
    "        yield\n"
    "      }\n"
    "      yield\n"
    "    }\n"
    "    yield\n"
    "  }\n"
    "  return(%r)\n"
    "}\n";

static const char *loops =
    "module stage=par\n"
    "func @f(%y: f64[n], %k: i64) -> (f64[n]) {\n"
    "  %n = size {size = [n]} : i64\n"
    "  %zero = const {value = 0} : i64\n"
    "  %one = const {value = 1} : i64\n"
    "  %r = island(%y) {modes = [2]} : f64[n] {\n"
    "    (%yb: buf<f64[n]>)\n"
    "    for(%zero, %n, %one) {\n"
    "      (%i: i64)\n"
    "      %a = load(%yb, %i) : f64\n"
    "      store(%a, %yb, %i)\n"
    "      yield\n"
    "    }\n"
    "    for(%one, %n, %one) {\n"
    "      (%i: i64)\n"
    "      %h = sub(%i, %one) : i64\n"
    "      %a = load(%yb, %h) : f64\n"
    "      store(%a, %yb, %i)\n"
    "      yield\n"
    "    }\n"
    "    parallel(%n) {kind = plain} {\n"
    "      (%i: i64)\n"
    "      %a = load(%yb, %i) : f64\n"
    "      store(%a, %yb, %i)\n"
    "      yield\n"
    "    }\n"
    "    parallel(%n) {kind = plain} {\n"
    "      (%i: i64)\n"
    "      %a = load(%yb, %i) : f64\n"
    "      store(%a, %yb, %i)\n"
    "      yield\n"
    "    }\n"
    "    parallel(%n) {kind = plain} {\n"
    "      (%i: i64)\n"
    "      %a = load(%yb, %k) : f64\n"
    "      store(%a, %yb, %i)\n"
    "      yield\n"
    "    }\n"
    "    yield\n"
    "  }\n"
    "  return(%r)\n"
    "}\n";

typedef struct { OpCode code; Op *ops[16]; int n; } Found;
static void find(void *ctx, Op *op) {
    Found *f = ctx;
    if (op->code == f->code && f->n < 16) f->ops[f->n++] = op;
}

static Func *read(Session *s, const char *text, Module **m) {
    *m = module_parse(s, source_add(s, "t.ir", text, strlen(text)));
    if (!*m) diag_flush(s, stderr, false);
    assert_non_null(*m);
    return (*m)->funcs.data[0];
}

static void barriers(void **state) {
    (void)state;
    Session *s = session_new();
    Module *m;
    Func *f = read(s, reduction, &m);
    Found b = {.code = OP_BARRIER}, p = {.code = OP_PARALLEL}, l = {.code = OP_LOAD}, w = {.code = OP_STORE};
    region_walk(f->body, find, &b);
    region_walk(f->body, find, &p);
    region_walk(f->body, find, &l);
    region_walk(f->body, find, &w);
    Depend *d = depend_new(f);
    assert_int_not_equal(depend_barrier_needed(d, b.ops[0]), ANSWER_NO);
    assert_int_not_equal(depend_barrier_needed(d, b.ops[1]), ANSWER_NO);
    assert_int_equal(depend_barrier_needed(d, b.ops[2]), ANSWER_NO);
    assert_int_equal(depend_may_conflict(d, p.ops[1], w.ops[0], w.ops[0]), ANSWER_NO);
    assert_int_not_equal(depend_may_conflict(d, p.ops[1], w.ops[0], l.ops[2]), ANSWER_NO);
    assert_int_equal(depend_may_conflict(d, p.ops[0], w.ops[2], w.ops[2]), ANSWER_NO);
    depend_free(d);
    module_free(m);
    session_free(s);
}

static void serial_loops(void **state) {
    (void)state;
    Session *s = session_new();
    Module *m;
    Func *f = read(s, loops, &m);
    Found l = {.code = OP_FOR}, p = {.code = OP_PARALLEL};
    region_walk(f->body, find, &l);
    region_walk(f->body, find, &p);
    Depend *d = depend_new(f);
    assert_int_equal(depend_loop_carried(d, l.ops[0]), ANSWER_NO);
    assert_int_equal(depend_loop_carried(d, l.ops[1]), ANSWER_YES);
    assert_int_equal(depend_across(d, p.ops[0], p.ops[1], 1, 0, NULL), ANSWER_NO);
    assert_int_not_equal(depend_across(d, p.ops[1], p.ops[2], 1, 0, NULL), ANSWER_NO);
    depend_free(d);
    module_free(m);
    session_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(barriers), cmocka_unit_test(serial_loops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
