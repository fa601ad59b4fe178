/* base/: memory, maps, interning, places, diagnostics, and above all sizes: random expressions are
 * built both as a Size and as a tree that is evaluated directly, and the two are compared. */
#include "base/base.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- memory, text, maps */

static void test_arena(void **state) {
    (void)state;
    Arena *a = arena_new();
    for (size_t i = 0; i < 2000; i++) {
        size_t n = i % 7 == 0 ? i * 100 : i;
        unsigned char *p = arena_alloc(a, n);
        assert_int_equal((uintptr_t)p % 16, 0);
        for (size_t k = 0; k < n; k++) assert_int_equal(p[k], 0);
        if (n) memset(p, 0xA5, n);
    }
    assert_string_equal(arena_printf(a, "%d-%s", 7, "x"), "7-x");
    assert_string_equal(arena_strndup(a, "hello", 3), "hel");
    arena_free(a);
    arena_free(NULL);
}

static void test_vec_and_text(void **state) {
    (void)state;
    Arena *a = arena_new();
    VEC(int) v = {0};
    for (int i = 0; i < 1000; i++) vec_push(a, &v, i * i);
    for (int i = 0; i < 1000; i++) assert_int_equal(v.data[i], i * i);
    assert_int_equal(vec_last(&v), 999 * 999);
    assert_int_equal(vec_pop(&v), 999 * 999);
    assert_int_equal(v.len, 999);
    Text t;
    text_init(&t, a);
    assert_string_equal(text_str(&t), "");
    for (int i = 0; i < 100; i++) text_printf(&t, "%d,", i);
    text_add(&t, "end!", 3);
    assert_int_equal(t.len, 10 * 2 + 90 * 3 + 3);
    assert_int_equal(strlen(text_str(&t)), t.len);
    assert_string_equal(text_str(&t) + t.len - 6, "99,end");
    arena_free(a);
}

static void test_map(void **state) {
    (void)state;
    Session *s = session_new();
    Map m = {0};
    int values[5000];
    assert_null(map_get(&m, "none"));
    for (int i = 0; i < 5000; i++) map_put(session_arena(s), &m, intern_printf(s, "k%d", i), &values[i]);
    for (int i = 0; i < 5000; i++) {
        assert_ptr_equal(map_get(&m, intern_printf(s, "k%d", i)), &values[i]);
        assert_ptr_equal(m.vals[i], &values[i]); /* insertion order */
    }
    map_put(session_arena(s), &m, intern(s, "k7"), NULL);
    assert_int_equal(m.len, 5000);
    assert_true(map_has(&m, intern(s, "k7")));
    assert_null(map_get(&m, intern(s, "k7")));
    assert_false(map_has(&m, intern(s, "other")));
    assert_false(map_has(&m, NULL));
    session_free(s);
}

static void test_intern(void **state) {
    (void)state;
    Session *s = session_new(), *other = session_new();
    assert_ptr_equal(intern(s, "abc"), intern_n(s, "abcdef", 3));
    assert_ptr_equal(intern(s, ""), intern_n(s, "x", 0));
    assert_ptr_equal(intern_printf(s, "%s%d", "a", 1), intern(s, "a1"));
    assert_ptr_not_equal(intern(s, "abc"), intern(other, "abc"));
    assert_ptr_not_equal(intern_n(s, "a\0b", 3), intern(s, "a"));
    session_free(s);
    session_free(other);
    session_free(NULL);
}

static void test_dtypes(void **state) {
    (void)state;
    DType t;
    for (int i = 0; i < DT_COUNT; i++) {
        assert_true(dtype_find(dtype_info((DType)i)->name, &t));
        assert_int_equal(t, i);
    }
    assert_false(dtype_find("f65", &t));
    assert_true(dtype_is_float(DT_BF16));
    assert_true(dtype_is_int(DT_U8));
    assert_false(dtype_is_int(DT_BOOL));
}

static void test_spelling(void **state) {
    (void)state;
    static const char *const names[] = {"linspace", "zeros", "n", "plot", "Energy"};
    assert_string_equal(spell_nearest("linspcae", names, 5), "linspace");
    assert_string_equal(spell_nearest("zeroes", names, 5), "zeros");
    assert_string_equal(spell_nearest("energy", names, 5), "Energy");
    assert_string_equal(spell_nearest("plto", names, 5), "plot");
    assert_null(spell_nearest("x", names, 5));
    assert_null(spell_nearest("quaternion", names, 5));
    assert_null(spell_nearest("", names, 5));
    assert_null(spell_nearest("zeros", names, 0));
}

/* ---- places and diagnostics */

static void expect_place(Session *s, int file, int offset, int line, int col, const char *text) {
    Place p = source_place(s, file, offset);
    assert_int_equal(p.line, line);
    assert_int_equal(p.col, col);
    assert_int_equal(p.text_len, strlen(text));
    assert_memory_equal(p.text, text, strlen(text));
}

static void test_places(void **state) {
    (void)state;
    Session *s = session_new();
    const char *text = "ab\r\n\n\xC3\xA9x\n";
    int f = source_add(s, "a.dsl", text, strlen(text)), empty = source_add(s, "b.dsl", "", 0);
    expect_place(s, f, 0, 1, 1, "ab");
    expect_place(s, f, 2, 1, 3, "ab");
    expect_place(s, f, 4, 2, 1, "");
    expect_place(s, f, 7, 3, 2, "\xC3\xA9x");
    expect_place(s, f, 9, 4, 1, "");
    expect_place(s, f, 1000, 4, 1, "");
    expect_place(s, f, -5, 1, 1, "ab");
    expect_place(s, empty, 0, 1, 1, "");
    assert_int_equal(source_count(s), 2);
    assert_true(source_read(s, "/nonexistent/file") < 0);
    assert_true(source_read(s, "/") < 0);
    session_free(s);
}

static void expect_flush(Session *s, bool color, const char *expected) {
    char *got = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&got, &len);
    diag_flush(s, out, color);
    fclose(out);
    assert_string_equal(got, expected);
    free(got);
}

static void test_diag_format(void **state) {
    (void)state;
    Session *s = session_new();
    const char *text = "let a = 1\n\tlet b\t= foo + \xE4\xB8\xAD(x)\nlast";
    int f = source_add(s, "p.dsl", text, strlen(text));
    int foo = (int)(strstr(text, "foo") - text), x = (int)(strstr(text, "(x)") - text);
    diag_report(s, (Span){f, x, x + 3, 0}, E_SYNTAX, "strange call");
    Diag *d = diag_report(s, (Span){f, foo, foo + 3, 0}, E_UNKNOWN_NAME, "foo");
    diag_note(s, d, (Span){f, 4, 5, 0}, "'%s' is here", "a");
    diag_note(s, d, NO_SPAN, "nothing else");
    diag_hint(s, d, "write '%s'", "a");
    assert_ptr_equal(diag_report(s, (Span){f, foo, foo + 3, 0}, E_UNKNOWN_NAME, "foo"), d);
    diag_hint(s, d, "write '%s'", "a");
    diag_report(s, NO_SPAN, E_CANNOT_READ, "q", "gone");
    diag_report(s, (Span){f, (int)strlen(text), (int)strlen(text), 0}, E_SYNTAX, "unexpected end");
    assert_int_equal(diag_error_count(s), 4);
    expect_flush(s, false,
                 "error[E0701]: cannot read 'q': gone\n"
                 "p.dsl:2:10: error[E0201]: unknown name 'foo'\n"
                 "    2 |     let b   = foo + \xE4\xB8\xAD(x)\n"
                 "      |               ^^^\n"
                 "p.dsl:1:5: note: 'a' is here\n"
                 "    1 | let a = 1\n"
                 "      |     ^\n"
                 "  note: nothing else\n"
                 "  hint: write 'a'\n"
                 "p.dsl:2:17: error[E0101]: strange call\n"
                 "    2 |     let b   = foo + \xE4\xB8\xAD(x)\n"
                 "      |                       ^^^\n"
                 "p.dsl:3:5: error[E0101]: unexpected end\n"
                 "    3 | last\n"
                 "      |     ^\n");
    expect_flush(s, false, "");
    diag_report(s, (Span){f, foo, foo + 3, 0}, E_UNKNOWN_NAME, "foo"); /* told already */
    expect_flush(s, false, "");
    diag_report(s, NO_SPAN, E_CANNOT_READ, "q", "gone"); /* tried again */
    expect_flush(s, true, "\033[1;31merror[E0701]:\033[0m cannot read 'q': gone\n");
    diag_clear(s);
    assert_int_equal(diag_error_count(s), 0);
    session_free(s);
}

static void test_diag_limits(void **state) {
    (void)state;
    Session *s = session_new();
    int f = source_add(s, "p", "a\nb\xFF\x1B c\n", 8);
    for (int i = 0; i < 60; i++) diag_report(s, (Span){f, i % 8, 100 + i, 0}, E_SYNTAX, "no");
    char *got = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&got, &len);
    diag_flush(s, out, true);
    fclose(out);
    assert_non_null(strstr(got, "10 more errors\n"));
    assert_non_null(strstr(got, "b\\xff\\x1b c"));
    free(got);
    session_free(s);
}

static void test_diag_table(void **state) {
    (void)state;
    for (int i = 0; i < DIAG_COUNT; i++) {
        const DiagInfo *d = diag_info((DiagId)i);
        assert_ptr_equal(diag_find(d->code), d); /* codes are unique */
        assert_int_equal(d->code[0], d->severity == SEV_ERROR ? 'E' : 'W');
    }
    assert_null(diag_find("E9999"));
}

/* ---- reading sizes back */

typedef struct { Session *s; const char *p; } Reader;

static const Size *read_sum(Reader *r);

static bool accept(Reader *r, const char *token) {
    while (*r->p == ' ') r->p++;
    if (strncmp(r->p, token, strlen(token))) return false;
    r->p += strlen(token);
    return true;
}

static const Size *read_call(Reader *r, const Size *(*f)(Session *, const Size *, const Size *)) {
    const Size *a = read_sum(r);
    assert_true(accept(r, ","));
    const Size *b = read_sum(r);
    assert_true(accept(r, ")"));
    return f(r->s, a, b);
}

static const Size *read_unary(Reader *r) {
    if (accept(r, "-")) return size_sub(r->s, size_const(r->s, 0), read_unary(r));
    if (accept(r, "max(")) return read_call(r, size_max);
    if (accept(r, "min(")) return read_call(r, size_min);
    if (accept(r, "(")) {
        const Size *a = read_sum(r);
        assert_true(accept(r, ")"));
        return a;
    }
    if (*r->p >= '0' && *r->p <= '9') {
        char *end;
        const Size *a = size_const(r->s, (int64_t)strtoull(r->p, &end, 10));
        r->p = end;
        return a;
    }
    size_t n = strspn(r->p, "abcdefghijklmnopqrstuvwxyz0123456789._");
    assert_true(n > 0);
    const Size *a = size_sym(r->s, intern_n(r->s, r->p, n));
    r->p += n;
    return a;
}

static const Size *read_product(Reader *r) {
    const Size *a = read_unary(r);
    for (;;) {
        if (accept(r, "*")) a = size_mul(r->s, a, read_unary(r));
        else if (accept(r, "//")) a = size_floordiv(r->s, a, read_unary(r));
        else if (accept(r, "%")) a = size_mod(r->s, a, read_unary(r));
        else return a;
    }
}

static const Size *read_sum(Reader *r) {
    const Size *a = read_product(r);
    for (;;) {
        if (accept(r, "+")) a = size_add(r->s, a, read_product(r));
        else if (accept(r, "-")) a = size_sub(r->s, a, read_product(r));
        else return a;
    }
}

static const Size *read_size(Session *s, const char *text) {
    Reader r = {s, text};
    const Size *a = read_sum(&r);
    assert_int_equal(*r.p, 0);
    return a;
}

/* ---- normal forms */

static void expect_form(Session *s, const char *text, const char *form) {
    const Size *a = read_size(s, text);
    assert_string_equal(size_str(s, a), form);
    assert_ptr_equal(read_size(s, form), a);
}

static void test_size_forms(void **state) {
    (void)state;
    static const char *const forms[][2] = {
        {"0", "0"}, {"n - n", "0"}, {"n", "n"}, {"n.1 + 1", "n.1 + 1"}, {"n + -1", "n - 1"}, {"8 - n", "8 - n"},
        {"-n", "-n"}, {"-n - 1", "-n - 1"}, {"(n+m)*2 - m", "m + 2*n"}, {"3 + m*n*2", "2*m*n + 3"},
        {"(n+1)*(n-1)", "n*n - 1"}, {"7//2", "3"}, {"-7//2", "-4"}, {"-7%3", "2"}, {"7%-3", "-2"}, {"7//-2", "-4"},
        {"n//1", "n"}, {"n%1", "0"}, {"n//-1", "-n"}, {"(4*n)//4", "n"}, {"(m*n)//n", "m"}, {"(n*k + m*k)//k", "m + n"},
        {"(n*k + m*k)//(n + m)", "k"}, {"n//n", "1"}, {"(n+1)//(n+1)", "1"}, {"(n*k + m)//k", "n + m//k"},
        {"n//2", "n//2"}, {"-(n//2)", "-(n//2)"}, {"1 - n//2", "1 - n//2"}, {"2*(n//2)", "2*(n//2)"},
        {"m*(n%2)", "m*(n%2)"}, {"(n//2)//3", "n//6"}, {"(n//4 + 1)//2", "(n + 4)//8"}, {"(2*n)//4", "n//2"},
        {"(2*n + 1)//4", "n//2"}, {"(n - 1)//256 + 1", "(n + 255)//256"}, {"(2*n)%4", "2*(n%2)"},
        {"(4*n + 3)%4", "3"}, {"(n + 5)%4", "(n + 1)%4"}, {"(n%4)%4", "n%4"}, {"(n%6)%3", "n%3"}, {"(n%3)%6", "n%3"},
        {"(n%4)//4", "0"}, {"(n%4 + 8)//4", "2"}, {"(n%m)%m", "n%m"}, {"(n%m + k*m)//m", "k"}, {"(n + 3*m)%m", "n%m"},
        {"max(n, n)", "n"}, {"max(n, n+1)", "n + 1"}, {"min(n, n+1)", "n"}, {"max(3, n)", "max(n, 3)"},
        {"max(n, max(m, n))", "max(m, n)"}, {"min(min(a, b), min(b, a + 1))", "min(a, b)"}, {"n//0", "n//0"},
        {"max(m, n) - max(n, m)", "0"}, {"n//(m + 1)", "n//(m + 1)"}, {"(2*n)//3", "(2*n)//3"}, {"-n//2", "(-n)//2"},
        {"9223372036854775807 + 1", "(1 + (9223372036854775807))"},
    };
    Session *s = session_new();
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) expect_form(s, forms[i][0], forms[i][1]);
    session_free(s);
}

static void test_size_questions(void **state) {
    (void)state;
    Session *s = session_new();
    const Size *n = size_sym(s, "n"), *m = size_sym(s, "m");
    int64_t c;
    assert_true(size_is_const(size_const(s, -4), &c) && c == -4);
    assert_true(size_is_const(size_sub(s, n, n), NULL));
    assert_false(size_is_const(n, NULL));
    assert_ptr_equal(size_as_sym(n), intern(s, "n"));
    assert_null(size_as_sym(size_add(s, n, n)));
    assert_int_equal(size_differs(s, n, n), 0);
    assert_int_equal(size_differs(s, n, size_add(s, n, size_const(s, 2))), 1);
    assert_int_equal(size_differs(s, n, m), -1);
    assert_int_equal(size_differs(s, read_size(s, "2*n"), read_size(s, "4*m + 1")), 1);
    assert_int_equal(size_differs(s, read_size(s, "2*n"), read_size(s, "4*m + 2")), -1);
    session_free(s);
}

/* Extremes must neither overflow nor be wrong. */
static void test_size_overflow(void **state) {
    (void)state;
    static const int64_t values[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, 2, INT64_MAX - 1, INT64_MAX};
    enum { N = sizeof values / sizeof *values };
    Session *s = session_new();
    const Size *n = size_sym(s, "n");
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const Size *a = size_const(s, values[i]), *b = size_const(s, values[j]);
            const Size *all[] = {size_add(s, a, b), size_sub(s, a, b), size_mul(s, a, b), size_floordiv(s, a, b),
                                 size_mod(s, a, b), size_max(s, a, b), size_min(s, a, b)};
            int64_t got, sum;
            assert_int_equal(size_eval(all[0], NULL, NULL, &got), !__builtin_add_overflow(values[i], values[j], &sum));
            for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
                const Size *x = size_mul(s, all[k], size_add(s, n, b));
                size_floordiv(s, x, a);
                size_mod(s, size_add(s, x, a), b);
                size_max(s, size_sub(s, x, a), all[k]);
                size_differs(s, x, all[k]);
                size_node(s, x);
            }
        }
    const Size *big = size_add(s, n, size_const(s, 1));
    for (int i = 0; i < 100; i++) big = size_mul(s, big, size_add(s, big, n));
    for (int i = 0; i < 20; i++) big = size_max(s, size_mul(s, big, n), size_floordiv(s, big, size_sym(s, "m")));
    size_mod(s, big, big);
    session_free(s);
}

/* ---- random sizes against direct evaluation */

enum { SYMS = 4, ASSIGNMENTS = 8 };
static const char *const sym_names[SYMS] = {"n", "m", "k.1", "p_2"};

typedef struct { uint64_t seed; } Random;

static int pick(Random *r, int n) {
    r->seed = r->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((r->seed >> 33) % (uint64_t)n);
}

typedef struct { const Size *size; bool ok[ASSIGNMENTS]; int64_t value[ASSIGNMENTS]; } Sample;
typedef struct { int64_t sym[ASSIGNMENTS][SYMS]; } World;
typedef struct { const World *world; int assignment; } Lookup;

static bool look_up(void *ctx, const char *sym, int64_t *out) {
    const Lookup *l = ctx;
    for (int i = 0; i < SYMS; i++)
        if (!strcmp(sym, sym_names[i])) {
            *out = l->world->sym[l->assignment][i];
            return true;
        }
    return false;
}

static bool direct(char op, int64_t a, int64_t b, int64_t *out) {
    switch (op) {
    case '+': return !__builtin_add_overflow(a, b, out);
    case '-': return !__builtin_sub_overflow(a, b, out);
    case '*': return !__builtin_mul_overflow(a, b, out);
    case 'M': *out = a > b ? a : b; return true;
    case 'm': *out = a < b ? a : b; return true;
    }
    if (b == 0 || (a == INT64_MIN && b == -1)) return false;
    int64_t q = a / b - (a % b != 0 && (a < 0) != (b < 0)); /* towards minus infinity */
    *out = op == '/' ? q : a - q * b;
    return true;
}

static const Size *apply(Session *s, char op, const Size *a, const Size *b) {
    switch (op) {
    case '+': return size_add(s, a, b);
    case '-': return size_sub(s, a, b);
    case '*': return size_mul(s, a, b);
    case '/': return size_floordiv(s, a, b);
    case '%': return size_mod(s, a, b);
    case 'M': return size_max(s, a, b);
    default: return size_min(s, a, b);
    }
}

static Sample leaf(Session *s, Random *r, const World *w) {
    Sample x = {0};
    int which = pick(r, SYMS + 3);
    int64_t c = pick(r, 17) - 6;
    x.size = which < SYMS ? size_sym(s, sym_names[which]) : size_const(s, c);
    for (int i = 0; i < ASSIGNMENTS; i++) {
        x.ok[i] = true;
        x.value[i] = which < SYMS ? w->sym[i][which] : c;
    }
    return x;
}

static Sample random_sample(Session *s, Random *r, const World *w, int depth) {
    if (depth == 0 || pick(r, 6) == 0) return leaf(s, r, w);
    char op = "++--**//%%Mm"[pick(r, 12)];
    Sample a = random_sample(s, r, w, depth - 1), b = random_sample(s, r, w, depth - 1);
    Sample x = {.size = apply(s, op, a.size, b.size)};
    for (int i = 0; i < ASSIGNMENTS; i++)
        x.ok[i] = a.ok[i] && b.ok[i] && direct(op, a.value[i], b.value[i], &x.value[i]);
    return x;
}

/* The value by walking size_node, as generated code would. */
static bool walk(Session *s, const Size *a, Lookup *l, int64_t *out) {
    SizeNode n = size_node(s, a);
    int64_t x, y;
    if (n.op == 'c') return *out = n.c, true;
    if (n.op == 's') return look_up(l, n.sym, out);
    if (n.op == '+') assert_false(size_is_const(n.a, NULL) && !size_is_const(n.b, NULL));
    return walk(s, n.a, l, &x) && walk(s, n.b, l, &y) && direct(n.op, x, y, out);
}

static const Size *keep(void *ctx, const char *sym) { return (void)ctx, (void)sym, NULL; }

typedef struct { Session *s; const World *world; } Fixing;

static const Size *fix_first(void *ctx, const char *sym) {
    const Fixing *f = ctx;
    Lookup l = {f->world, 0};
    int64_t v;
    return look_up(&l, sym, &v) ? size_const(f->s, v) : NULL;
}

static void check_sample(Session *s, const World *w, const Sample *x) {
    int64_t got;
    for (int i = 0; i < ASSIGNMENTS; i++) {
        Lookup l = {w, i};
        if (!x->ok[i] || !size_eval(x->size, look_up, &l, &got)) continue;
        if (got != x->value[i]) print_message("wrong: %s\n", size_str(s, x->size));
        assert_int_equal(got, x->value[i]);
        assert_true(walk(s, x->size, &l, &got));
        assert_int_equal(got, x->value[i]);
    }
    assert_ptr_equal(size_subst(s, x->size, keep, NULL), x->size);
    Fixing fixing = {s, w};
    const Size *fixed = size_subst(s, x->size, fix_first, &fixing);
    if (x->ok[0] && size_is_const(fixed, &got)) assert_int_equal(got, x->value[0]);
    if (read_size(s, size_str(s, x->size)) != x->size)
        print_message("%s\nreads back as\n%s\n", size_str(s, x->size), size_str(s, read_size(s, size_str(s, x->size))));
    assert_ptr_equal(read_size(s, size_str(s, x->size)), x->size);
}

/* size_differs must agree with the values, and laws of arithmetic must give one pointer. */
static void check_pair(Session *s, const Sample *a, const Sample *b) {
    int differs = size_differs(s, a->size, b->size);
    for (int i = 0; i < ASSIGNMENTS; i++) {
        if (!a->ok[i] || !b->ok[i]) continue;
        if (differs == 1) assert_int_not_equal(a->value[i], b->value[i]);
        if (differs == 0) assert_int_equal(a->value[i], b->value[i]);
    }
    assert_ptr_equal(size_add(s, a->size, b->size), size_add(s, b->size, a->size));
    assert_ptr_equal(size_mul(s, a->size, b->size), size_mul(s, b->size, a->size));
    assert_ptr_equal(size_max(s, a->size, b->size), size_max(s, b->size, a->size));
    assert_ptr_equal(size_min(s, a->size, b->size), size_min(s, b->size, a->size));
}

static void test_size_random(void **state) {
    (void)state;
    Random r = {20240607};
    int useful = 0, rounds = getenv("ROUNDS") ? atoi(getenv("ROUNDS")) : 300;
    for (int round = 0; round < rounds; round++) {
        Session *s = session_new();
        World w;
        for (int i = 0; i < ASSIGNMENTS; i++)
            for (int j = 0; j < SYMS; j++) w.sym[i][j] = pick(&r, i < 4 ? 12 : 40) - (i % 2 ? 6 : 0);
        for (int i = 0; i < 40; i++) {
            Sample a = random_sample(s, &r, &w, 1 + pick(&r, 4)), b = random_sample(s, &r, &w, 1 + pick(&r, 3));
            check_sample(s, &w, &a);
            check_pair(s, &a, &b);
            useful += a.ok[0] && !size_is_const(a.size, NULL);
        }
        session_free(s);
    }
    assert_true(useful > rounds * 5);
}

static void count_sym(void *ctx, const char *sym) {
    (void)sym;
    ++*(int *)ctx;
}

static void test_size_symbols(void **state) {
    (void)state;
    Session *s = session_new();
    int count = 0;
    size_each_sym(read_size(s, "n*n + m*(n//k) + max(k, p)"), count_sym, &count);
    assert_int_equal(count, 4);
    count = 0;
    size_each_sym(read_size(s, "n - n + 3"), count_sym, &count);
    assert_int_equal(count, 0);
    session_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arena),         cmocka_unit_test(test_vec_and_text),
        cmocka_unit_test(test_map),           cmocka_unit_test(test_intern),
        cmocka_unit_test(test_dtypes),        cmocka_unit_test(test_spelling),
        cmocka_unit_test(test_places),        cmocka_unit_test(test_diag_format),
        cmocka_unit_test(test_diag_limits),   cmocka_unit_test(test_diag_table),
        cmocka_unit_test(test_size_forms),    cmocka_unit_test(test_size_questions),
        cmocka_unit_test(test_size_overflow), cmocka_unit_test(test_size_random),
        cmocka_unit_test(test_size_symbols),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
