/* ir/: reading and printing, what the verifier must refuse, changing the graph, and that the reader survives
 * any text.  Files with every operation are in tests/ir/. */
#include "ir/ir.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Module *read_text(Session *s, const char *text) {
    return module_parse(s, source_add(s, "test.ir", text, strlen(text)));
}

static const char *print_text(Session *s, const Module *m) {
    Text t;
    text_init(&t, session_arena(s));
    module_print(&t, m);
    return text_str(&t);
}

static const char *messages(Session *s) {
    char *buf = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&buf, &n);
    diag_flush(s, f, false);
    fclose(f);
    const char *copy = intern(s, buf);
    free(buf);
    return copy;
}

/* ---- text */

static void check_round_trip(const char *body) {
    Session *s = session_new();
    Module *m = read_text(s, body);
    if (!m) fail_msg("%s", messages(s));
    const char *once = print_text(s, m);
    Module *again = read_text(s, once);
    if (!again) fail_msg("%s", messages(s));
    assert_string_equal(once, print_text(s, again));
    module_free(m);
    module_free(again);
    session_free(s);
}

static void test_round_trip(void **state) {
    (void)state;
    check_round_trip("module stage=ir\n");
    check_round_trip("module stage=par func @f(%a: f64[n, (n+1)//2, n%3, max(n, 4)]) { return }");
    check_round_trip("module stage=ir func @f() -> (i64) { %5 = const {value = 3} : i64 return(%5) }");
    check_round_trip("module stage=ir func @f(%x: f64, %x.1: f64) { %x.2 = add(%x, %x.1) : f64 return }");
    check_round_trip("module stage=ir func @f() { %s = const {value = \"a\\\"\\\\\\n\\x01\"} : str return !3:4 }");
}

static void test_names(void **state) {
    (void)state;
    Session *s = session_new();
    Module *m = module_new(s);
    Func *f = func_new(m, "f", FUNC_FN, NO_SPAN);
    Builder b = builder_at_end(m, f->body, NO_SPAN);
    for (int i = 0; i < 3; i++) build_int(&b, i)->name = intern(s, "x");
    build_int(&b, 3)->name = intern(s, "x.1");
    build_int(&b, 4)->name = intern(s, "17");
    build_int(&b, 5)->name = intern(s, "a-b");
    build_return(&b, 0, NULL);
    assert_non_null(
        strstr(print_text(s, m), "%x = const {value = 0} : i64\n  %x.1 = const {value = 1} : i64\n  %x.2 = "));
    assert_non_null(strstr(print_text(s, m), "%x.3 = const {value = 3}"));
    assert_non_null(strstr(print_text(s, m), "%0 = const {value = 4}"));
    assert_non_null(strstr(print_text(s, m), "%a_b = const {value = 5}"));
    module_free(m);
    session_free(s);
}

static void test_types(void **state) {
    (void)state;
    Session *s = session_new();
    const Size *n = size_sym(s, intern(s, "n")), *dims[] = {n, size_add(s, n, size_const(s, 1))};
    const Size *again[] = {n, size_add(s, size_const(s, 1), n)};
    assert_ptr_equal(type_tensor(s, DT_F64, 2, dims), type_tensor(s, DT_F64, 2, again));
    assert_ptr_not_equal(type_tensor(s, DT_F64, 2, dims), type_tensor(s, DT_F32, 2, dims));
    assert_ptr_not_equal(type_tensor(s, DT_F64, 1, dims), type_buf(s, DT_F64, 1, dims, SPACE_GLOBAL));
    assert_string_equal(type_str(s, type_buf(s, DT_F32, 2, dims, SPACE_SHARED)), "buf<f32[n, n + 1], shared>");
    session_free(s);
}

/* ---- what must be refused, with a part of the message */

typedef struct { const char *text, *message; } Bad;

static const Bad bad_syntax[] = {
    {"", "expected 'module"},
    {"module stage=nowhere", "unknown stage"},
    {"module stage=ir func @f() { return", "ends inside a region"},
    {"module stage=ir func @f() { %a = frob : i64 return }", "unknown operation 'frob'"},
    {"module stage=ir func @f() { %a = add(%b, %b) : i64 return }", "%b is not defined"},
    {"module stage=ir func @f(%a: i64, %a: i64) { return }", "defined twice"},
    {"module stage=ir func @f() { return } func @f() { return }", "defined twice"},
    {"module stage=ir func @f(%a: f65) { return }", "unknown type 'f65'"},
    {"module stage=ir func @f(%a: f64[1,1,1,1,1,1,1,1,1]) { return }", "more than 8 dimensions"},
    {"module stage=ir func @f() { %a = const {value = 300} : u8 return }", "out of range"},
    {"module stage=ir func @f() { %a = const {value = -1} : u64 return }", "out of range"},
    {"module stage=ir func @f() { %a = const {value = 99999999999999999999} : i64 return }", "is no integer"},
    {"module stage=ir func @f() { %a = const {value = 1x} : f64 return }", "is no number"},
    {"module stage=ir func @f() { %a = table {values = [1, 300]} : i8[2] return }", "out of range for i8"},
    {"module stage=ir func @f() { %a = table {values = [1 2]} : i8[2] return }", "expected ','"},
    {"module stage=ir func @f() { %a = const {value = maybe} : bool return }", "neither true nor false"},
    {"module stage=ir func @f() { %a = const {value = \"x} : str return }", "has no end"},
    {"module stage=ir func @f() { %a, %b = const {value = 1} : i64 return }", "2 results are named, 1 types"},
    {"module stage=ir func @f() { return {perm = [1], perm = [0]} }", "given twice"},
    {"module stage=ir func @f() { return {kind = frob} }", "unknown kind 'frob'"},
    {"module stage=ir func @f(%a: i64) { parallel(%a) {kind = add} }",
     "unknown kind 'add'; parallel: block thread plain"},
    {"module stage=ir func @f(%a: f64[((((n)]) { return }", "expected ')'"},
};

#define F(args, body) "module stage=ir func @f(" args ") { " body " return }"
#define ISLAND(body) \
    "module stage=ir func @f(%x: f64[n], %k: i64) { %r = island(%x) {modes = [2]} : f64[n] { (%p: buf<f64[n]>) " body \
    " yield } return }"
static const Bad bad_ir[] = {
    {"module stage=ir func @f() -> (i64) { return }", "0 values returned, 1 declared"},
    {"module stage=ir func @f() { }", "the body is empty"},
    {F("%a: i64", "%b = add(%a) : i64"), "operands (x y), not 1"},
    {F("%a: i64", "add(%a, %a)"), "results (r), not 0"},
    {F("%a: i64, %b: f64", "%c = add(%a, %b) : i64"), "an operand is f64, not i64"},
    {F("%a: i64", "%c = add(%a, %a) : f64"), "the result is f64, not i64"},
    {F("%a: bool", "%c = add(%a, %a) : bool"), "no add of bool"},
    {F("%a: i64", "%c = sqrt(%a) : i64"), "no sqrt of i64"},
    {F("%a: f64", "%c = shl(%a, %a) : f64"), "no shl of f64"},
    {F("%a: i64", "%c = lt(%a, %a) : i64"), "not bool"},
    {F("%a: i64", "%c = const : i64"), "'value' is missing"},
    {F("%a: i64", "%c = add(%a, %a) {perm = [1]} : i64"), "has no meaning"},
    {F("%a: i64", "%c = table : i64[2]"), "'values' is missing"},
    {F("%a: i64", "%c = table {values = [1, 2, 3]} : i64[2, 2]"), "3 elements for 4"},
    {F("%a: i64[n]", "%c = table {values = [1]} : i64[n]"), "no constant"},
    {F("%a: i64", "%c = table {values = [1]} : i64"), "no tensor"},
    {F("%a: i64", "%c = table {values = []} : i8[4000000000, 4000000000, 4000000000]"), "too large"},
    {F("%a: i64", "%c = load(%a) : i64"), "may not stand at function level"},
    {F("%a: i64", "%c = if(%a) : i64 { yield(%a) } { yield(%a) }"), "no bool"},
    {F("%a: f64", "%t = format(%a) {format = \"a } {}\"} : str"), "has no partner"},
    {F("%a: f64", "%t = format(%a) {format = \"}} {:.2f\"} : str"), "has no partner"},
    {F("%a: bool", "if(%a) { yield }"), "has 2 regions, not 1"},
    {F("%a: bool", "if(%a) { yield } { return }"), "must end in yield"},
    {F("%a: bool", "if(%a) { yield } { }"), "region 1 has no terminator"},
    {F("%a: bool", "return"), "before the end of its region"},
    {F("%a: f64", "%c = fill(%a) : f64[m]"), "'m' is not defined"},
    {F("%a: f64[n + 1]", ""), "'n' is not defined"},
    {F("%a: i64[n], %k: i64", "bind(%k) {sym = n}"), "second definition"},
    {F("%a: f64[n, m]", "%t = transpose(%a) {perm = [0, 0]} : f64[n, m]"), "no permutation"},
    {F("%a: f64[n, m]", "%t = transpose(%a) {perm = [1, 0]} : f64[n, m]"), "another size"},
    {F("%a: f64[n, m], %b: f64[n, m]", "%t = dot(%a, %b) : f64[n, m]"), "inner sizes m and n differ"},
    {F("%a: f64[n]", "%t = extract(%a) : f64"), "0 indices for rank 1"},
    {F("%a: i64", "%t = generate : i64[4] { (%i: i64, %j: i64) yield(%i) }"), "has 2 arguments, not 1"},
    {F("%a: i64", "%t = reduce(%a) {kind = set} : i64 { (%i: i64) yield(%i) }"), "nothing is reduced by set"},
    {F("%a: i64", "%t = reduce(%a) {kind = cas} : i64 { (%i: i64) yield(%i) }"), "nothing is reduced by cas"},
    {ISLAND("%e = load(%p, %k) : f64 atomic(%e, %p, %k) {kind = custom}"), "nothing is updated by custom"},
    {ISLAND("parallel(%k) { (%i: i64) yield }"), "attribute 'kind' is missing"},
    {F("%a: i64", "%t = reduce(%a) {kind = custom} : i64 { (%i: i64) yield(%i) }"), "region 0 has 1 arguments, not 0"},
    {F("%a: i64, %b: f64", "%t = for(%a, %a, %a, %b) : f64 { (%i: i64, %c: i64) yield(%b) }"), "a carried argument"},
    {F("%a: i64", "%t = call(%a) {func = @g} : i64"), "no function @g"},
    {F("%a: i64", "%t = call {func = @f} : i64"), "takes 1 arguments"},
    {"module stage=ir func @g(%x: f64[n], %y: f64[n]) { return } func @f(%a: f64[n], %b: f64[m]) { call(%a, %b) {func "
     "= @g} return }",
     "argument 1 is f64[m]"},
    {ISLAND("%e = extract(%x, %k) : f64"), "may not stand inside an island"},
    {ISLAND("%e = load(%p) : f64"), "0 indices"},
    {ISLAND("%e = load(%p, %k) : f32"), "the result is f32, not f64"},
    {ISLAND("barrier(%k)"), "not the indices of one parallel"},
    {ISLAND("%e = load(%p, %k) : f64 atomic(%e, %p, %k, %e) {kind = cas}"), "compare-and-swap of floats"},
    {ISLAND("%e = load(%p, %k) : f64 atomic(%e, %p, %k) {kind = cas}"), "0 indices for rank 1"},
    {ISLAND("parallel(%k) {kind = thread} { (%i: i64) yield }"), "threads outside a block"},
    {ISLAND("parallel(%k) {kind = plain} { yield }"), "has 0 arguments"},
    {ISLAND("%e = const {value = 1} : i64 store(%e, %p, %k)"), "the element"},
    {"module stage=ir func @f(%x: f64[n]) { %r = island(%x) {modes = [0]} : f64[n] { (%p: buf<f64[n]>) yield } return "
     "}",
     "more results"},
    {"module stage=loops func @f(%x: f64[n]) { %r = add(%x, %x) : f64[n] return }", "tensor operation at stage loops"},
};

static void check_bad(const Bad *row, bool syntax) {
    Session *s = session_new();
    Module *m = read_text(s, row->text);
    if (!m != syntax) fail_msg("%s: %s", row->text, messages(s));
    if (m && module_verify(m, "test")) fail_msg("accepted: %s", row->text);
    const char *got = messages(s);
    if (!strstr(got, row->message)) fail_msg("%s\nexpected: %s\ngot: %s", row->text, row->message, got);
    module_free(m);
    session_free(s);
}

static void test_bad(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bad_syntax / sizeof *bad_syntax; i++) check_bad(&bad_syntax[i], true);
    for (size_t i = 0; i < sizeof bad_ir / sizeof *bad_ir; i++) check_bad(&bad_ir[i], false);
}

/* A value used where its definition does not reach: only a pass can make that, not a file. */
static void test_dominance(void **state) {
    (void)state;
    Session *s = session_new();
    Module *m = read_text(s, F("%a: i64", "%b = add(%a, %a) : i64 %c = add(%b, %b) : i64"));
    Op *b = m->funcs.data[0]->body->first, *c = b->next;
    assert_true(module_verify(m, "test"));
    assert_true(op_dominates(b, c));
    assert_false(op_dominates(c, b));
    op_move_before(c, b);
    assert_true(op_dominates(c, b));
    assert_false(module_verify(m, "test"));
    assert_non_null(strstr(messages(s), "does not dominate"));
    module_free(m);
    session_free(s);
}

/* ---- changing the graph */

static void test_edit(void **state) {
    (void)state;
    Session *s = session_new();
    Module *m = read_text(s, F("%a: i64, %c: bool",
                               "%b = add(%a, %a) : i64 if(%c) { %d = mul(%b, %b) : i64 yield } { yield } print(%a)"));
    Region *body = m->funcs.data[0]->body;
    Op *add = body->first, *branch = add->next, *print = branch->next;
    Op *mul = branch->regs[0]->first;
    assert_true(op_dominates(add, mul));
    assert_true(op_inside(mul, branch));
    assert_true(value_dominates(&add->res[0], mul));
    assert_false(value_dominates(&mul->res[0], print));
    for (int i = 0; i < 20; i++) op_add_opnd(print, &add->res[0]);
    op_remove_opnd(print, 0);
    assert_int_equal(print->nopnds, 20);
    value_replace_all(&add->res[0], body->args[0]);
    assert_true(value_unused(&add->res[0]));
    op_erase(add);
    assert_null(add->parent);
    op_move_to_end(mul, branch->regs[1]);
    op_move_before(mul, region_term(branch->regs[0]));
    assert_true(module_verify(m, "test"));
    Cloner cl = {.module = m};
    Builder b = builder_after(branch);
    Op *copy = clone_op(&cl, &b, branch);
    assert_int_equal(copy->nregs, 2);
    assert_true(module_verify(m, "test"));
    op_erase(branch);
    assert_true(module_verify(m, "test"));
    module_free(m);
    session_free(s);
}

/* Order numbers survive many insertions at one place. */
static void test_order(void **state) {
    (void)state;
    Session *s = session_new();
    Module *m = read_text(s, F("%a: i64", "%b = add(%a, %a) : i64"));
    Op *add = m->funcs.data[0]->body->first;
    for (int i = 0; i < 1000; i++) {
        Builder b = builder_before(add);
        build_int(&b, i);
    }
    assert_true(module_verify(m, "test"));
    module_free(m);
    session_free(s);
}

static void test_effects(void **state) {
    (void)state;
    Session *s = session_new();
    Module *m = read_text(
        s, "module stage=par func @f(%x: f64[n], %k: i64) {"
           " %e = extract(%x, %k) : f64 %g = extract(%x, %k) {safe} : f64 %n0 = size {size = n} : i64"
           " %r = reduce(%n0) {kind = add} : f64 { (%i: i64) %v = extract(%x, %i) {safe} : f64 yield(%v) }"
           " %q = reduce(%k) {kind = add} : f64 { (%i: i64) %v = extract(%x, %i) {safe} : f64 yield(%v) }"
           " print(%k) return }");
    Op *e = m->funcs.data[0]->body->first, *g = e->next, *r = g->next->next, *q = r->next, *print = q->next;
    assert_true(op_may_trap(e) && op_is_removable(e) && !op_is_pure(e));
    assert_true(op_is_pure(g) && !op_is_speculatable(g));
    assert_true(op_is_speculatable(r) && !op_is_speculatable(q));
    assert_true(op_has_effect(print) && !op_is_removable(print));
    module_free(m);
    session_free(s);
}

/* ---- garbage */

/* Changes, drops and doubles bytes of a good text; whatever comes, the reader and the verifier return. */
static void test_garbage(void **state) {
    (void)state;
    const char *good = ISLAND(
        "parallel(%k) {kind = plain} { (%i: i64) %e = load(%p, %i) {safe} : f64 store(%e, %p, %i) yield }");
    size_t n = strlen(good);
    uint64_t seed = 12345;
    for (int round = 0; round < 3000; round++) {
        char text[1024];
        memcpy(text, good, n + 1);
        for (int k = 0; k < 1 + round % 4; k++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
            size_t at = (size_t)(seed >> 33) % n;
            if (seed >> 60 < 6) memmove(text + at, text + at + 1, n - at);
            else text[at] = "%@{}()[]:,=\"#0n-*"[(seed >> 40) % 17];
        }
        Session *s = session_new();
        Module *m = read_text(s, text);
        if (m && module_verify(m, "test")) assert_non_null(print_text(s, m));
        module_free(m);
        session_free(s);
    }
}

static void test_deep(void **state) {
    (void)state;
    Session *s = session_new();
    Text t;
    text_init(&t, session_arena(s));
    text_printf(&t, "module stage=ir func @f(%%c: bool) { ");
    for (int i = 0; i < 100000; i++) text_printf(&t, "if(%%c) { ");
    assert_null(read_text(s, text_str(&t)));
    text_init(&t, session_arena(s));
    text_printf(&t, "module stage=ir func @f(%%x: f64[");
    for (int i = 0; i < 100000; i++) text_printf(&t, "(");
    assert_null(read_text(s, text_str(&t)));
    session_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_names), cmocka_unit_test(test_types),
        cmocka_unit_test(test_bad), cmocka_unit_test(test_dominance), cmocka_unit_test(test_edit),
        cmocka_unit_test(test_order), cmocka_unit_test(test_effects), cmocka_unit_test(test_garbage),
        cmocka_unit_test(test_deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
