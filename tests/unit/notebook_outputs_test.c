/* Kept outputs: which texts agree, how lists are paired. */
#include "notebook/outputs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void agree(void **state) {
    static const struct { const char *a, *b; double tolerance, absolute; bool same; } cases[] = {
        {"x = 1.0", "x = 1.0", 0, 0, true},
        {"x = 1.0", "x = 1.001", 1e-2, 0, true},
        {"x = 1.0", "x = 1.001", 1e-4, 0, false},
        {"x = 1.0", "y = 1.0", 1, 1, false},
        {"1", "2", 1, 1, false},                       /* counts */
        {"1", "1.0", 1, 1, false},
        {"-1.0", "1.0", 0.1, 0, false},
        {"1e-13", "-3.5e-14", 0, 1e-12, true},
        {"1e-13", "-3.5e-14", 1e-3, 0, false},
        {"[ 1.   2.5]", "[1.0001 2.5   ]", 1e-3, 0, true}, /* columns of another width */
        {"[1. 2.]", "[1.2.]", 1, 1, false},
        {"a b", "a  b", 1, 1, false},
        {"f64[3]", "f65[3]", 1, 1, false},             /* digits of a word */
        {"f64[3]", "f64[4]", 1, 1, false},
        {"v1.5", "v1.6", 1, 1, false},
        {"nan", "nan", 0, 0, true},
        {"[nan 1.]", "[ nan 1.00001]", 1e-3, 0, true},
        {"inf", "1.0", 1, 1, false},
        {"inf", "-inf", 1, 1, false},
        {"nan", "1.0", 1, 1, false},
        {"nan 1.0", "inf 1.00001", 1, 1, false},
        {"infinite 1.0", "infinite 1.0000001", 1e-3, 0, true},
        {"1.0\n2.0\n", "1.0 2.0000001\n", 1e-3, 0, true},  /* a line broken elsewhere */
        {"1.0", "1.0 and more", 1, 1, false},
        {"1.0", "", 1, 1, false},
        {"1e400 1.0", "1e400 1.0000001", 1e-3, 0, true},
        {"1.0000000000000000000000000000000000000000000000000000000000000000000000000000001", "1.0", 1e-3, 0, true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if ((texts_distance(cases[i].a, cases[i].b, cases[i].absolute) <= cases[i].tolerance) != cases[i].same)
            fail_msg("'%s' and '%s'", cases[i].a, cases[i].b);
        if ((texts_distance(cases[i].b, cases[i].a, cases[i].absolute) <= cases[i].tolerance) != cases[i].same)
            fail_msg("'%s' and '%s'", cases[i].b, cases[i].a);
    }
}

typedef struct { const char *a, *b; } Words;
static bool same_letter(const void *ctx, int i, int j) {
    return ((const Words *)ctx)->a[i] == ((const Words *)ctx)->b[j];
}

/* The letters that are paired, in order */
static void pairs(const char *a, const char *b, const char *want) {
    Arena *arena = arena_new();
    Text got;
    int n = (int)strlen(a), *pair = NEWN(arena, int, n + 1), last = -1;
    text_init(&got, arena);
    pair_up(arena, n, (int)strlen(b), same_letter, &(Words){a, b}, pair);
    for (int i = 0; i < n; i++) {
        if (pair[i] < 0) continue;
        assert_true(pair[i] > last && a[i] == b[pair[i]]);
        last = pair[i];
        text_add(&got, a + i, 1);
    }
    assert_string_equal(text_str(&got), want);
    arena_free(arena);
}

static void paired(void **state) {
    (void)state;
    pairs("", "", "");
    pairs("", "ab", "");
    pairs("ab", "", "");
    pairs("abc", "abc", "abc");
    pairs("abc", "axc", "ac");
    pairs("aaa", "aa", "aa");
    pairs("xaby", "uabv", "ab");
    pairs("abcbdab", "abxbdb", "abbdb");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(agree), cmocka_unit_test(paired)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
