/* Two sessions in one process do not meet, and a session leaves nothing behind: a hundred compilations. */
#include "codegen/c/emit.h"
#include "cli/cli.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static char *compile(const char *path) {
    Session *s = session_new();
    Options o = {.session = s};
    char *argv[] = {"dslc", "check", (char *)path, NULL};
    assert_true(options_parse(&o, 3, argv));
    Module *m = compile_to(&o, STAGE_LOOPS);
    if (!m) diag_flush(s, stderr, false);
    assert_non_null(m);
    Text text;
    text_init(&text, session_arena(s));
    emit_c(&text, m, &(EmitOptions){.thread_cost = 200000, .schedule = "static"});
    char *c = strdup(text_str(&text));
    module_free(m);
    session_free(s);
    return c;
}

static void hundred(void **state) {
    (void)state;
    char *first = compile("examples/shallow_water.dsl");
    for (int i = 0; i < 3; i++) free(compile(i % 2 ? "examples/shallow_water.dsl" : "examples/layerforward.dsl"));
    size_t before = mallinfo2().uordblks;
    for (int i = 0; i < 50; i++) {
        char *again = compile("examples/shallow_water.dsl");
        assert_string_equal(first, again);
        free(again);
        free(compile("examples/layerforward.dsl"));
    }
    size_t after = mallinfo2().uordblks;
    /* What the allocator keeps in its own caches counts as in use.  One compilation takes a megabyte, and an arena
     * left behind would be at least 64 KiB each time; smaller things are the leak checker's (make SAN=1). */
    assert_true(after <= before + (256 << 10));
    free(first);
}

/* What is wrong with one program does not show in the next. */
static void errors(void **state) {
    (void)state;
    for (int i = 0; i < 20; i++) {
        Session *s = session_new();
        const char *text = "let x = y + 1\nprint(zz)\n";
        Unit *u = parse_file(s, source_add(s, "wrong.dsl", text, strlen(text)));
        assert_null(check_program(s, u, &(CheckOptions){0}));
        assert_int_equal(diag_error_count(s), 2);
        session_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(hundred), cmocka_unit_test(errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
