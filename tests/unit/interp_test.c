/* The reference interpreter, on hand-written IR. */
#include "ir/ir.h"
#include "interp/interp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- helpers */

static char out[1 << 16];
static InterpOptions options;

/* Runs the module and gives its exit status; what it wrote (stdout and stderr) is in `out`. */
static int run_text(const char *text) {
    Session *s = session_new();
    int file = source_add(s, "t.ir", text, strlen(text));
    Module *m = module_parse(s, file);
    if (!m || !module_verify(m, "reading")) {
        diag_flush(s, stderr, false);
        fail_msg("not well-formed");
    }
    FILE *f = tmpfile();
    fflush(NULL);
    int saved_out = dup(1), saved_err = dup(2);
    dup2(fileno(f), 1);
    dup2(fileno(f), 2);
    int status = interp_run(m, &options);
    fflush(NULL);
    dup2(saved_out, 1);
    dup2(saved_err, 2);
    close(saved_out);
    close(saved_err);
    rewind(f);
    out[fread(out, 1, sizeof out - 1, f)] = 0;
    fclose(f);
    module_free(m);
    session_free(s);
    return status;
}

/* The lines of @main. */
static int run_main(const char *stage, const char *lines) {
    char text[1 << 14];
    snprintf(text, sizeof text, "module stage=%s\nmain @main() {\n%s\nreturn\n}\n", stage, lines);
    return run_text(text);
}

static void expect(const char *stage, const char *lines, const char *want) {
    int status = run_main(stage, lines);
    assert_string_equal(out, want);
    assert_int_equal(status, 0);
}

static void expect_text(const char *text, const char *want) {
    int status = run_text(text);
    assert_string_equal(out, want);
    assert_int_equal(status, 0);
}

/* Fails with this status, and says all these words. */
static void expect_fail(int got, int status, const char *words) {
    if (!strstr(out, words)) fail_msg("no '%s' in:\n%s", words, out);
    assert_int_equal(got, status);
}

static int setup(void **state) {
    (void)state;
    setenv("NO_COLOR", "1", 1);
    options = (InterpOptions){.seed = 0};
    return 0;
}

#define K(name, type, value) "%" #name " = const {value = " #value "} : " #type "\n"
#define INDEX_VECTOR(name, n, type) /* name[i] = i + 1 */                                      \
    "%" name " = generate : " type "[" n "] {\n(%i" name ": i64)\n%one" name " = const {value = 1} : i64\n" \
    "%a" name " = add(%i" name ", %one" name ") : i64\n%c" name " = cast(%a" name ") : " type "\nyield(%c" name ")\n}\n"

/* ---- scalars */

static void test_scalars(void **state) {
    (void)state;
    expect("ir",
           K(a, i64, 7) K(b, i64, -2)
           "%s = add(%a, %b) : i64\n%d = idiv(%a, %b) : i64\n%m = mod(%a, %b) : i64\n"
           "%sh = shr(%b, %a) : i64\n%lt = lt(%b, %a) : bool\n%no = not(%lt) : bool\n%inv = not(%a) : i64\n"
           "%mx = max(%a, %b) : i64\n%ab = abs(%b) : i64\n%sg = sign(%b) : i64\n"
           "print(%s, %d, %m, %sh, %lt, %no, %inv, %mx, %ab, %sg)",
           "5 -4 -1 -1 true false -8 7 2 -1\n");
    expect("ir",
           K(a, u8, 200) K(b, u8, 100) K(c, i8, 100) K(big, u64, 18446744073709551615) K(one, u64, 1)
           "%s = add(%a, %b) : u8\n%t = mul(%c, %c) : i8\n%n = not(%a) : u8\n%d = idiv(%big, %one) : u64\n"
           "%l = lt(%one, %big) : bool\n%f = cast(%big) : f64\n%w = cast(%a) : i8\n"
           "print(%s, %t, %n, %d, %l, %f, %w)",
           "44 16 55 18446744073709551615 true 1.8446744073709552e+19 -56\n");
    expect("ir",
           K(x, f32, 0.1) K(y, f32, 0.2) K(h, f16, 0.1) K(g, bf16, 0.1) K(nan, f64, nan) K(one, f64, 1.0)
           "%s = add(%x, %y) : f32\n%e = exp(%x) : f32\n%hh = add(%h, %h) : f16\n%gg = mul(%g, %g) : bf16\n"
           "%mi = min(%nan, %one) : f64\n%i = cast(%nan) : i64\n%fm = fma(%x, %y, %s) : f32\n%is = isnan(%nan) : bool\n"
           "print(%s, %e, %hh, %gg, %mi, %i, %fm, %is)",
           "0.3 1.105171 0.19995117 0.010009766 nan 0 0.32000002 true\n");
}

static void test_traps(void **state) {
    (void)state;
    int s = run_main("ir", K(a, i64, 1) K(z, i64, 0) "%d = idiv(%a, %z) : i64\nprint(%d)");
    expect_fail(s, 1, "error[E0602]");
    s = run_main("ir", K(a, i64, 1) K(z, i64, 0) "%d = mod(%a, %z) {safe} : i64\nprint(%d)");
    expect_fail(s, 3, "E0635");
    s = run_main("ir", K(a, i64, 2) K(z, i64, -1) "%d = ipow(%a, %z) : i64\nprint(%d)");
    expect_fail(s, 1, "error[E0608]");
    s = run_main("ir", K(a, i64, -2) "bind(%a) {sym = n}");
    expect_fail(s, 1, "error[E0607]");
    s = run_main("ir", K(c, bool, false) K(n, i64, 3) K(x, f64, 0.5)
                 "check(%c, %n, %x) {code = \"E0640\", msg = \"{} is not {}\"}");
    expect_fail(s, 1, "error[E0640]: 3 is not 0.5");
    options.max_steps = 100;
    s = run_main("ir", K(a, i64, 0) K(b, i64, 100000) K(c, i64, 1)
                 "for(%a, %b, %c) {\n(%i: i64)\n%x = add(%i, %i) : i64\nyield\n}");
    expect_fail(s, 1, "error[E0633]");
    options.max_steps = 0;
    s = run_main("ir", K(a, i64, 0) "for(%a, %a, %a) {\n(%i: i64)\nyield\n}");
    expect_fail(s, 1, "error[E0609]");
}

/* ---- control */

static void test_control(void **state) {
    (void)state;
    expect("ir",
           K(zero, i64, 0) K(five, i64, 5) K(one, i64, 1) K(m2, i64, -2)
           /* two carried values that change places */
           "%p, %q = for(%zero, %five, %one, %zero, %one) : i64, i64 {\n(%i: i64, %a: i64, %b: i64)\n"
           "%c = add(%a, %b) : i64\nyield(%b, %c)\n}\n"
           "%d = for(%five, %zero, %m2, %zero) : i64 {\n(%i: i64, %a: i64)\n%s = add(%a, %i) : i64\nyield(%s)\n}\n"
           "%none = for(%five, %zero, %one, %m2) : i64 {\n(%i: i64, %a: i64)\nyield(%i)\n}\n"
           "%w = while(%one) : i64 {\n(%x: i64)\n%l = lt(%x, %p) : bool\nyield(%l)\n} {\n(%x: i64)\n"
           "%y = add(%x, %x) : i64\nyield(%y)\n}\n"
           "%t = eq(%w, %five) : bool\n%r = if(%t) : i64 {\nyield(%one)\n} {\nyield(%zero)\n}\n"
           "%u, %v = spawn : i64, i64 {\nyield(%five)\n} {\nyield(%m2)\n}\n"
           "print(%p, %q, %d, %none, %w, %r, %u, %v)",
           "5 8 9 -2 8 0 5 -2\n");
    expect("ir",
           K(lo, u64, 18446744073709551612) K(hi, u64, 18446744073709551615) K(two, u64, 2) K(z, i64, 0)
               K(one, i64, 1) "%n = for(%lo, %hi, %two, %z) : i64 {\n(%i: u64, %a: i64)\n%s = add(%a, %one) : "
                              "i64\nyield(%s)\n}\nprint(%n)",
           "2\n");
}

static const char recursion[] =
    "module stage=ir\n"
    "recursive func @depth(%n: i64, %x: f64[m]) -> (i64) {\n" K(one, i64, 1)
        K(zero, i64, 0) "%c = le(%n, %zero) : bool\n%r = if(%c) : i64 {\n%s = size {size = m} : i64\nyield(%s)\n} {\n"
                        "%p = sub(%n, %one) : i64\n%q = call(%p, %x) {func = @depth} : i64\n%t = add(%q, %one) : "
                        "i64\nyield(%t)\n}\nreturn(%r)\n}\n"
                        "main @main() {\n%n = const {value = NNN} : i64\n" INDEX_VECTOR(
                            "x", "3", "f64") "%r = call(%n, %x) {func = @depth} : i64\nprint(%r)\nreturn\n}\n";

static void test_recursion(void **state) {
    (void)state;
    char text[4096];
    strcpy(text, recursion);
    memcpy(strstr(text, "NNN"), "998", 3);
    expect_text(text, "1001\n");
    strcpy(text, recursion);
    char *at = strstr(text, "NNN");
    memmove(at + 5, at + 3, strlen(at + 3) + 1);
    memcpy(at, "20000", 5);
    expect_fail(run_text(text), 1, "error[E0604]");
}

/* ---- tensors */

static void test_tensors(void **state) {
    (void)state;
    expect("ir",
           K(zero, i64, 0) K(one, i64, 1) K(two, i64, 2)
               K(nine, f64, 9.0) "%a = generate : f64[2, 3] {\n(%i: i64, %j: i64)\n%t = add(%i, %i) : i64\n%s = "
                                 "add(%t, %i) : i64\n%u = add(%s, %j) : i64\n"
                                 "%f = cast(%u) : f64\nyield(%f)\n}\n"
                                 "%t = transpose(%a) {perm = [1, 0]} : f64[3, 2]\n"
                                 "%r = reshape(%a) : f64[6]\n"
                                 "%s = slice(%r, %one) {steps = [2]} : f64[3]\n"
                                 "%m1 = const {value = 5} : i64\n"
                                 "%rev = slice(%r, %m1) {steps = [-1]} : f64[6]\n"
                                 "%b = broadcast(%s) {axes = [1]} : f64[2, 3]\n"
                                 "%c = add(%a, %b) : f64[2, 3]\n"
                                 "%u = update(%r, %s, %zero) {steps = [2]} : f64[6]\n"
                                 "%i = insert(%u, %nine, %two) : f64[6]\n"
                                 "%self = update(%r, %rev, %zero) {steps = [1]} : f64[6]\n"
                                 "%lt = lt(%a, %c) : bool[2, 3]\n"
                                 "%sel = select(%lt, %a, %c) : f64[2, 3]\n"
                                 "%e = extract(%t, %two, %one) : f64\n"
                                 "print(%t)\nprint(%r, %s)\nprint(%rev)\nprint(%c)\nprint(%u, "
                                 "%i)\nprint(%self)\nprint(%lt)\nprint(%sel, %e)",
           "[[0. 3.]\n [1. 4.]\n [2. 5.]]\n[0. 1. 2. 3. 4. 5.] [1. 3. 5.]\n[5. 4. 3. 2. 1. 0.]\n"
           "[[ 1.  4.  7.]\n [ 4.  7. 10.]]\n[1. 1. 3. 3. 5. 5.] [1. 1. 9. 3. 5. 5.]\n[5. 4. 3. 2. 1. 0.]\n"
           "[[true true true]\n [true true true]]\n[[0. 1. 2.]\n [3. 4. 5.]] 5.0\n");
}

static void test_tensor_traps(void **state) {
    (void)state;
    int s = run_main("ir", INDEX_VECTOR("x", "4", "f64") K(k, i64, 4) "%e = extract(%x, %k) : f64\nprint(%e)");
    expect_fail(s, 1, "error[E0601]: index 4 is out of bounds for axis 0 with size 4\n");
    expect_fail(s, 1, "   11 | %e = extract(%x, %k) : f64\n      | ^^^^^^^^^^^^^^^^^^^^^^^^^^\n");
    s = run_main("ir", INDEX_VECTOR("x", "4", "f64") K(k, i64, -1) "%e = extract(%x, %k) {safe} : f64\nprint(%e)");
    expect_fail(s, 3, "proved in bounds has index -1 in axis 0 of size 4");
    s = run_main("ir",
                 INDEX_VECTOR("x", "4", "f64") K(k, i64, 2) "%e = slice(%x, %k) {steps = [1]} : f64[3]\nprint(%e)");
    expect_fail(s, 1, "the slice is out of bounds for axis 0 with size 4: it begins at 2 and has size 3");
    s = run_main("ir", INDEX_VECTOR("x", "4", "f64") "%e = reshape(%x) : f64[2, 3]\nprint(%e)");
    expect_fail(s, 1, "error[E0605]: cannot reshape an array of 4 elements into 6");
    s = run_main("ir", INDEX_VECTOR("x", "4", "f64") "%e = retype(%x) {msg = \"a + b\"} : f64[5]\nprint(%e)");
    expect_fail(s, 1, "error[E0606]: a + b: axis 0 has size 4, but 5 is needed");
    s = run_main("ir", K(p, str, "/no/such.npy") "%e = loadfile(%p) : f64[n]\nprint(%e)");
    expect_fail(s, 1, "error[E0610]");
}

static void test_values_are_values(void **state) {
    (void)state;
    /* x stays what it was when a later value is made from it, in loops too */
    expect("ir",
           INDEX_VECTOR("x", "3", "i64") K(zero, i64, 0) K(one, i64, 1) K(three, i64, 3)
           "%y = insert(%x, %zero, %one) : i64[3]\n"
           "%z = for(%zero, %three, %one, %x) : i64[3] {\n(%i: i64, %c: i64[3])\n%d = insert(%c, %i, %i) : i64[3]\n"
           "%e = insert(%c, %three, %zero) : i64[3]\nprint(%c, %e)\nyield(%d)\n}\n"
           "%w, %cnt = while(%x, %zero) : i64[3], i64 {\n(%c: i64[3], %k: i64)\n%e = extract(%c, %zero) : i64\n"
           "%l = lt(%e, %three) : bool\nyield(%l)\n} {\n(%c: i64[3], %k: i64)\n%e = extract(%c, %zero) : i64\n"
           "%f = add(%e, %one) : i64\n%d = insert(%c, %f, %zero) : i64[3]\n%n = add(%k, %one) : i64\nyield(%d, %n)\n}\n"
           "%t = eq(%cnt, %one) : bool\n"
           "%q = if(%t) : i64[3] {\n%u = insert(%w, %zero, %zero) : i64[3]\nyield(%u)\n} {\nyield(%w)\n}\n"
           "%both = add(%x, %x) : i64[3]\n"
           "print(%x, %y, %z, %q, %cnt, %both)",
           "[1 2 3] [3 2 3]\n[0 2 3] [3 2 3]\n[0 1 3] [3 1 3]\n"
           "[1 2 3] [1 0 3] [0 1 2] [3 2 3] 2 [2 4 6]\n");
}

static void test_shapes_are_checked(void **state) {
    (void)state;
    /* the file-less way to a wrong shape: a safe retype that is not so */
    int s = run_main("ir", INDEX_VECTOR("x", "4", "f64") "%e = retype(%x) {safe} : f64[5]\nprint(%e)");
    expect_fail(s, 3, "what was proved does not hold");
    expect("ir", INDEX_VECTOR("x", "4", "f64") "%e = retype(%x) : f64[q]\n%q = size {size = 2*q + 1} : i64\nprint(%q)",
           "9\n");
    expect("ir", K(n, i64, 7) "bind(%n) {sym = n}\n%q = size {size = max(n//2, 2) + n%4} : i64\nprint(%q)", "6\n");
}

#define TOLD(first) \
    K(two, i64, 2) K(zero, i64, 0) K(one, i64, 1) K(three, i64, 3) K(x, f32, 0.5) \
    "%f = fill(%zero) : i64[3,2]\n" \
    "%r = island(%f) {modes = [2]} : i64[3,2] {\n(%b: buf<i64[3,2]>)\n" \
    "for(%zero, %three, %one) {\n(%i: i64)\n" first "signal(%x, %b, %i)\n" \
    "%y = await(%b, %i) : f32\nsignal(%y, %b, %i)\nyield\n}\nyield\n}\nprint(%r)"

static void test_what_is_awaited(void **state) {
    (void)state;
    expect("ir", TOLD(""), "[[1056964608          1]\n [1056964608          1]\n [1056964608          1]]\n");
    expect_fail(run_main("ir", TOLD("%z = await(%b, %i) : f32\n")), 3, "what is awaited has not been signalled");
    expect_fail(run_main("ir", TOLD("%z = await(%b, %three) : f32\n")), 3, "box 3 of 3");
}

/* ---- reductions and scans: the fixed tree */

typedef double Element(int64_t);

static double chunk_of(Element *element, int64_t lo, int64_t n) {
    double s[8] = {0};
    for (int64_t j = 0; j < n; j++) s[j % 8] += element(lo + j);
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* Chunks of 1024, groups of 64 chunks, blocks of 64 groups; each level from left to right */
static double tree(Element *element, int64_t lo, int64_t n, int level) {
    int64_t part = level == 1 ? 1024 : level == 2 ? 1024 * 64 : 1024 * 64 * 64;
    double total = 0;
    if (!level) return chunk_of(element, lo, n);
    for (int64_t at = 0; at < n; at += part) {
        double sum = tree(element, lo + at, n - at < part ? n - at : part, level - 1);
        total = at ? total + sum : sum;
    }
    return total;
}
static double reciprocal(int64_t i) { return 1.0 / (double)(i + 1); }

static void test_reduce_tree(void **state) {
    (void)state;
    for (int64_t n = 0; n <= 300000; n = n * 3 + 1) {
        char lines[1024], want[64];
        snprintf(lines, sizeof lines, "%%n = const {value = %lld} : i64\n"
                 "%%s = reduce(%%n) {kind = add} : f64 {\n(%%i: i64)\n%%one = const {value = 1.0} : f64\n"
                 "%%f = cast(%%i) : f64\n%%g = add(%%f, %%one) : f64\n%%r = div(%%one, %%g) : "
                 "f64\nyield(%%r)\n}\nprint(%%s)",
                 (long long)n);
        snprintf(want, sizeof want, "%.17g", tree(reciprocal, 0, n, 3));
        assert_int_equal(run_main("ir", lines), 0);
        assert_true(strtod(out, NULL) == strtod(want, NULL));
    }
}

static void test_reduce_kinds(void **state) {
    (void)state;
    expect("ir",
           K(n, i64, 5) K(m, i64, 4) K(zero, i64, 0) K(lo, f64, -inf)
               K(none, i64, -1) "%mul = reduce(%n) {kind = mul} : i64 {\n(%i: i64)\n" K(
                   one, i64,
                   1) "%a = add(%i, %one) : i64\nyield(%a)\n}\n"
                      "%min = reduce(%n, %m) {kind = min} : i64 {\n(%i: i64, %j: i64)\n%a = sub(%j, %i) : "
                      "i64\nyield(%a)\n}\n"
                      "%max = reduce(%zero) {kind = max} : f64 {\n(%i: i64)\n%a = cast(%i) : f64\nyield(%a)\n}\n"
                      "%or = reduce(%n) {kind = or} : bool {\n(%i: i64)\n%a = eq(%i, %m) : bool\nyield(%a)\n}\n"
                      "%and = reduce(%n) {kind = and} : u8 {\n(%i: i64)\n%a = cast(%m) : u8\nyield(%a)\n}\n"
                      "%small = reduce(%zero) {kind = min} : i8 {\n(%i: i64)\n%a = cast(%m) : i8\nyield(%a)\n}\n"
                      "%big, %at = reduce(%n, %lo, %none) {kind = custom} : f64, i64 {\n(%i: i64)\n"
                      "%d = sub(%i, %m) : i64\n%q = mul(%d, %i) : i64\n%ng = neg(%q) : i64\n%f = cast(%ng) : "
                      "f64\nyield(%f, %i)\n} {\n"
                      "(%a: f64, %ai: i64, %b: f64, %bi: i64)\n%c = ge(%a, %b) : bool\n%r = select(%c, %a, %b) : f64\n"
                      "%ri = select(%c, %ai, %bi) : i64\nyield(%r, %ri)\n}\n"
                      "print(%mul, %min, %max, %or, %and, %small, %big, %at)",
           "120 -4 -inf true 4 127 4.0 2\n");
    expect("ir",
           INDEX_VECTOR("x", "5000", "i64") K(at, i64, 4998)
           "%s = scan {kind = add} : i64[5000] {\n(%i: i64)\n%e = extract(%x, %i) : i64\nyield(%e)\n}\n"
           "%e = extract(%s, %at) : i64\n"
           "%c, %d = scan {kind = custom} : i64[3], f64[3] {\n(%i: i64)\n%f = cast(%i) : f64\nyield(%i, %f)\n} {\n"
           "(%a: i64, %b: f64, %p: i64, %q: f64)\n%r = max(%a, %p) : i64\n%t = sub(%b, %q) : f64\nyield(%r, %t)\n}\n"
           "print(%e, %c, %d)",
           "12497500 [0 1 2] [ 0. -1. -3.]\n");
}

static void test_dot(void **state) {
    (void)state;
    expect("ir",
           INDEX_VECTOR("x", "3", "f64") INDEX_VECTOR("y", "6", "f64")
           "%a = reshape(%y) : f64[2, 3]\n%p = dot(%a, %x) : f64[2]\n%s = dot(%x, %x) : f64\n"
           "%g = dot(%a, %a) {trans = [1, 0]} : f64[3, 3]\n%l = dot(%p, %a) : f64[3]\n"
           "print(%p, %s, %l)\nprint(%g)",
           "[14. 32.] 14.0 [142. 188. 234.]\n[[17. 22. 27.]\n [22. 29. 36.]\n [27. 36. 45.]]\n");
    expect("ir",
           K(four, f64, 4.0) K(zero, i64, 0) K(one, i64, 1) INDEX_VECTOR(
               "y", "2",
               "f64") "%o = const {value = 1.0} : f64\n%a0 = fill(%o) : f64[2, 2]\n%a1 = insert(%a0, %four, %zero, "
                      "%zero) : f64[2, 2]\n"
                      "%a = insert(%a1, %four, %one, %one) : f64[2, 2]\n"
                      "%f, %q = lu_factor(%a) : f64[2, 2], i64[2]\n%x = lu_solve(%f, %q, %y) : f64[2]\n"
                      "%b = dot(%a, %x) : f64[2]\n%c = chol_factor(%a) : f64[2, 2]\n"
                      "%l = cholesky(%c) : f64[2, 2]\n"
                      "%d = lu_det(%a, %f, %q) : f64\n%i = lu_inv(%f, %q) : f64[2, 2]\n"
                      "%e = dot(%i, %a) : f64[2, 2]\n%w, %v = eigh(%a) : f64[2], f64[2, 2]\n"
                      "%t = trisolve(%l, %y) : f64[2]\n%u = dot(%l, %t) : f64[2]\n"
                      "print(%b, %d, %w, %u)",
           "[1. 2.] 15.0 [3. 5.] [1. 2.]\n");
}

/* ---- islands */

#define BEGIN_ISLAND(ops, modes, res, args) "%r = island(" ops ") {modes = [" modes "]} : " res " {\n(" args ")\n"

static void test_island(void **state) {
    (void)state;
    expect("par",
           INDEX_VECTOR("x", "4", "f64") K(n, i64, 4) K(h, f64, 0.5)
               K(zero, i64, 0) "%y, %z = island(%x, %x, %x) {modes = [2, 0, 1]} : f64[4], f64[4] {\n"
                               "(%a: buf<f64[4]>, %b: buf<f64[4]>, %c: buf<f64[4]>)\n"
                               "parallel(%n) {kind = plain} {\n(%i: i64)\n%u = load(%a, %i) : f64\n%v = load(%b, %i) : "
                               "f64\n%w = mul(%v, %h) : f64\n"
                               "%s = add(%u, %w) : f64\nstore(%s, %a, %i)\n%e = eq(%i, %zero) : bool\nif(%e) "
                               "{\nstore(%h, %c, %i)\nyield\n} {\nyield\n}\nyield\n}\n"
                               "atomic(%h, %c, %zero) {kind = max}\nyield\n}\nprint(%x, %y, %z)",
           "[1. 2. 3. 4.] [1.5 3.  4.5 6. ] [0.5 2.  3.  4. ]\n");
}

/* every block reverses its part through shared memory, and sums it up in a loop with barriers */
static const char kernel[] = K(g, i64, 3) K(b, i64, 8) K(seven, i64, 7) K(one, i64, 1) K(zero, i64, 0) K(four, i64, 4)
    K(two, i64, 2) INDEX_VECTOR(
        "x", "24",
        "i64") "%e = fill(%zero) : i64[3]\n"
               "%r, %s = island(%x, %e) {modes = [2, 1]} : i64[24], i64[3] {\n(%xb: buf<i64[24]>, %sb: buf<i64[3]>)\n"
               "parallel(%g) {kind = block} {\n(%bx: i64)\n%tile = alloc {name = \"tile\"} : buf<i64[8], shared>\n"
               "parallel(%b) {kind = thread} {\n(%tx: i64)\n%base = mul(%bx, %b) : i64\n%i = add(%base, %tx) : i64\n"
               "%v = load(%xb, %i) : i64\nstore(%v, %tile, %tx)\n%priv = alloc : buf<i64[1], private>\nstore(%tx, "
               "%priv, %zero)\n"
               "barrier(%tx)\n"
               "%o = sub(%seven, %tx) : i64\n%w = load(%tile, %o) : i64\nstore(%w, %xb, %i)\nbarrier(%tx)\n"
               "%half = while(%four) : i64 {\n(%h: i64)\n%c = ge(%h, %one) : bool\nyield(%c)\n} {\n(%h: i64)\n"
               "%in = lt(%tx, %h) : bool\nif(%in) {\n%k = add(%tx, %h) : i64\n%p = load(%tile, %tx) : i64\n%q = "
               "load(%tile, %k) : i64\n"
               "%pq = add(%p, %q) : i64\nstore(%pq, %tile, %tx)\nyield\n} {\nyield\n}\nbarrier(%tx)\n"
               "%hh = idiv(%h, %two) : i64\nyield(%hh)\n}\n"
               "%acc = for(%zero, %two, %one, %zero) : i64 {\n(%k: i64, %a: i64)\nbarrier(%tx)\n%mine = load(%priv, "
               "%zero) : i64\n"
               "%a2 = add(%a, %mine) : i64\nyield(%a2)\n}\n"
               "%first = eq(%tx, %zero) : bool\nif(%first) {\n%t = load(%tile, %zero) : i64\n%t2 = add(%t, %acc) : "
               "i64\nstore(%t2, %sb, %bx)\nyield\n} {\nyield\n}\n"
               "yield\n}\nyield\n}\nyield\n}\nprint(%r, %s)";

static void test_barriers(void **state) {
    (void)state;
    const char *want = "[ 8  7  6  5  4  3  2  1 16 15 14 13 12 11 10  9 24 23 22 21 20 19 18 17] [ 36 100 164]\n";
    for (int races = 0; races < 2; races++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            options = (InterpOptions){.seed = seed, .check_races = races};
            expect("par", kernel, want);
        }
}

/* Without the first barrier it is a race, in whatever order the threads run. */
static void test_races(void **state) {
    (void)state;
    char lines[8192];
    strcpy(lines, kernel);
    char *barrier = strstr(lines, "barrier(%tx)\n");
    memmove(barrier, barrier + 13, strlen(barrier + 13) + 1);
    for (uint64_t seed = 0; seed < 5; seed++) {
        options = (InterpOptions){.seed = seed, .check_races = true};
        int s = run_main("par", lines);
        expect_fail(s, 1, "'tile'");
        assert_true(strstr(out, "error[E0630]: data race on element") || strstr(out, "error[E0632]"));
    }
    options = (InterpOptions){.check_races = true};
    int s = run_main("par", K(n, i64, 4) K(zero, i64, 0) INDEX_VECTOR("x", "4", "i64")
                     BEGIN_ISLAND("%x", "2", "i64[4]", "%b: buf<i64[4]>")
                     "parallel(%n) {kind = plain} {\n(%i: i64)\nstore(%i, %b, %zero)\nyield\n}\nyield\n}");
    expect_fail(s, 1, "data race on element [0] of 'b': iteration 1 writes it while iteration 0 writes it");
    expect_fail(s, 1, "note: iteration 0 writes it here");
    s = run_main("par", K(n, i64, 4) K(zero, i64, 0) INDEX_VECTOR("x", "4", "i64") BEGIN_ISLAND(
                            "%x", "2", "i64[4]",
                            "%b: buf<i64[4]>") "parallel(%n) {kind = plain} {\n(%i: i64)\natomic(%i, %b, %zero) {kind "
                                               "= add}\n%v = load(%b, %zero) : i64\nyield\n}\nyield\n}");
    expect_fail(s, 1, "iteration 1 updates it while iteration 0 reads it");
    expect("par", K(n, i64, 4) K(zero, i64, 0) INDEX_VECTOR("x", "4", "i64")
           BEGIN_ISLAND("%x", "2", "i64[4]", "%b: buf<i64[4]>")
           "parallel(%n) {kind = plain} {\n(%i: i64)\natomic(%i, %b, %zero) {kind = add}\nyield\n}\n"
           "parallel(%n) {kind = plain} {\n(%i: i64)\n%v = load(%b, %zero) : i64\nyield\n}\nyield\n}\nprint(%r)",
           "[7 2 3 4]\n");
}

#define THREADS(body)                                                                          \
    K(g, i64, 2) K(b, i64, 4) K(zero, i64, 0) INDEX_VECTOR("x", "4", "i64")                    \
    BEGIN_ISLAND("%x", "2", "i64[4]", "%xb: buf<i64[4]>")                                      \
    "parallel(%g) {kind = block} {\n(%bx: i64)\n%s = alloc : buf<i64[4], shared>\n"            \
    "parallel(%b) {kind = thread} {\n(%tx: i64)\n%first = eq(%tx, %zero) : bool\n" body "yield\n}\nyield\n}\nyield\n}"

static void test_divergence(void **state) {
    (void)state;
    int s = run_main("par", THREADS("if(%first) {\nbarrier(%tx)\nyield\n} {\nyield\n}\n"));
    expect_fail(s, 1, "error[E0631]: block 0, thread 0 waits at this barrier, but block 0, thread 1 ended without");
    s = run_main("par", THREADS("if(%first) {\nbarrier(%tx)\nyield\n} {\nbarrier(%tx)\nyield\n}\n"));
    expect_fail(s, 1, "waits at another one");
}

static void test_memory_faults(void **state) {
    (void)state;
    int s = run_main("par", THREADS("%v = load(%s, %tx) : i64\n"));
    expect_fail(s, 1, "error[E0632]: element [0] of 's' is read before it was written, by block 0, thread 0");
    s = run_main("par", THREADS("%v = load(%xb, %b) : i64\n"));
    expect_fail(s, 1, "error[E0601]: index 4 is out of bounds");
    s = run_main("par", THREADS("store(%b, %xb, %b) {safe}\n"));
    expect_fail(s, 3, "proved in bounds");
}

/* ---- stage loops: owners */

#define LOOPS_FN(body) \
    "module stage=loops\nfunc @f(%x: f64[n]) -> (f64[n]) {\n" body "}\nmain @main() {\n" K(n, i64, 3) K(zero, i64, 0) \
        K(h, f64, 0.5) "bind(%n) {sym = n}\n%e = empty : f64[n]\n" \
                       "%i = island(%e) {modes = [1]} : f64[n] {\n(%b: buf<f64[n]>)\nparallel(%n) {kind = plain} " \
                       "{\n(%k: i64)\n%c = cast(%k) : f64\n" \
                       "store(%c, %b, %k)\nyield\n}\nyield\n}\n"
#define ADD_HALF(name, x)                                                                      \
    "%" name " = island(" x ") {modes = [2]} : f64[n] {\n(%b: buf<f64[n]>)\n" K(z, i64, 0) K(h, f64, 0.5)     \
    "%v = load(%b, %z) : f64\n%w = add(%v, %h) : f64\nstore(%w, %b, %z)\nyield\n}\n"

static void test_owners(void **state) {
    (void)state;
    options.check_races = true;
    expect_text(LOOPS_FN(ADD_HALF("y", "%x") "return(%y)\n")
                "retain(%i)\n%q = call(%i) {func = @f} : f64[n]\nprint(%i, %q)\nrelease(%i)\n"
                "%v = view(%q) : f64[1, n]\nprint(%v)\nrelease(%v)\nreturn\n}\n",
                "[0. 1. 2.] [0.5 1.  2. ]\n[[0.5 1.  2. ]]\n");
    int s = run_text(LOOPS_FN(ADD_HALF("y", "%x") "return(%y)\n")
                     "%q = call(%i) {func = @f} : f64[n]\nprint(%i, %q)\nrelease(%q)\nreturn\n}\n");
    expect_fail(s, 3, "used after its last owner gave it up");
    s = run_text(LOOPS_FN(ADD_HALF("y", "%x") "return(%y)\n") "%q = call(%i) {func = @f} : f64[n]\nreturn\n}\n");
    expect_fail(s, 3, "1 tensors never released");
    s = run_text(LOOPS_FN("return(%x)\n") "release(%i)\nrelease(%i)\nreturn\n}\n");
    expect_fail(s, 3, "used after its last owner");
    s = run_text(LOOPS_FN("return(%x)\n") "%j = island(%i, %i) {modes = [0, 2]} : f64[n] {\n(%a: buf<f64[n]>, %b: "
                                          "buf<f64[n]>)\nyield\n}\nreturn\n}\n");
    expect_fail(s, 3, "given up more often");
    s = run_text(LOOPS_FN("return(%x)\n") "%u = empty : f64[n]\n%v = extract(%u, %zero) : f64\nprint(%v)\nreturn\n}\n");
    expect_fail(s, 3, "never written");
}

/* ---- the world */

static void test_extern(void **state) {
    (void)state;
    expect_text(
        "module stage=ir\nextern func @hypot(%x: f64, %y: f64) -> (f64)\nextern func @ldexpf(%x: f32, %n: i32) -> "
        "(f32)\n"
        "extern func @abs(%x: i32) -> (i32)\nextern func @dsl_x_env(%n: str) -> (str)\n"
        "main @main() {\n" K(a, f64, 3.0) K(b, f64, 4.0) K(c, f32, 1.5) K(n, i32, -2)
            K(no, str,
              "NO_COLOR") "%h = extern(%a, %b) {func = @hypot} : f64\n%l = extern(%c, %n) {func = @ldexpf} : f32\n"
                          "%p = extern(%n) {func = @abs} : i32\n%e = extern(%no) {func = @dsl_x_env} : str\nprint(%h, "
                          "%l, %p, %e)\nreturn\n}\n",
        "5.0 0.375 2 1\n");
    int s = run_text("module stage=ir\nextern func @no_such_function_here()\nmain @main() {\nextern {func = "
                     "@no_such_function_here}\nreturn\n}\n");
    expect_fail(s, 1, "error[E0634]");
}

static void test_tests(void **state) {
    (void)state;
    const char *text = "module stage=ir\nmain @main() {\nreturn\n}\n"
                       "test @test.0 \"good\" () {\nreturn\n}\n"
                       "test @test.1 \"bad\" () {\n" K(f, bool,
                                                       false) "check(%f) {code = \"E0640\", msg = \"no\"}\nreturn\n}\n"
                                                              "test @test.2 \"better\" () {\nreturn\n}\n";
    options.only_test = "";
    assert_int_equal(run_text(text), 1);
    assert_non_null(strstr(out, "ok good\n"));
    assert_non_null(strstr(out, "FAILED bad\n"));
    assert_non_null(strstr(out, "ok better\n"));
    options.only_test = "goo";
    assert_int_equal(run_text(text), 0);
    assert_string_equal(out, "ok good\n");
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup(f, setup)
    const struct CMUnitTest tests[] = {
        TEST(test_scalars), TEST(test_traps), TEST(test_control), TEST(test_recursion), TEST(test_tensors),
        TEST(test_tensor_traps), TEST(test_values_are_values), TEST(test_shapes_are_checked),
        TEST(test_what_is_awaited), TEST(test_reduce_tree), TEST(test_reduce_kinds), TEST(test_dot),
        TEST(test_island), TEST(test_barriers), TEST(test_races), TEST(test_divergence),
        TEST(test_memory_faults), TEST(test_owners), TEST(test_extern), TEST(test_tests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
