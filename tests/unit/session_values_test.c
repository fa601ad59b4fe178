/* Values of a cell come to the session from the memory of its process, or through the file where that cannot be read;
 * the room of large ones is used again. */
#include "repl/workspace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { LONG = ROOM / 8 + 1000, SHORT = 7, NOBODY = 1 << 30 };

static dsl_array *numbers(int64_t n, double first) {
    dsl_array *a = dsl_new(NULL, DSL_F64, 1, &n);
    for (int64_t i = 0; i < n; i++) ((double *)a->data)[i] = first + (double)i;
    return a;
}

static Variable variable(Arena *a, const char *name, int64_t n, double first) {
    Leaf *leaf = NEW(a, Leaf);
    *leaf = (Leaf){DT_F64, true, {.as_array = numbers(n, first)}};
    return (Variable){.name = name, .type = "f64", .given = "", .layout = "f64[1]", .leaves = leaf, .nleaves = 1};
}

static void check(const Variable *v, const char *name, int64_t n, double first) {
    assert_string_equal(v->name, name);
    const dsl_array *a = v->leaves[0].value.as_array;
    assert_int_equal(a->count, n);
    for (int64_t i = 0; i < n; i++) assert_true(((double *)a->data)[i] == first + (double)i);
}

/* Leaves a short and a long array; what the session took.  reads: the process whose memory the session may read, 0 for
 * the cell's own; end: the signal by which the cell ends before it is done, or 0 */
static bool pass(Workspace *w, double first, pid_t reads, int end, Result *r) {
    Arena *a = arena_new();
    int ends[2];
    Cell c = {.workspace = w, .result = memfd_create("cell", MFD_CLOEXEC)};
    Result left = {0};
    vec_push(a, &left.vars, variable(a, "short", SHORT, first));
    vec_push(a, &left.vars, variable(a, "long", LONG, first));
    assert_false(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
    c.session = ends[0];
    pid_t pid = fork();
    if (pid == 0 && end) raise(end);
    if (pid == 0) _exit(!hand_over(&c, &left));
    close(ends[0]);
    bool taken = take_result(&c, ends[1], reads ? reads : pid, r);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, end);
    close(ends[1]);
    close(c.result);
    for (int i = 0; i < 2; i++) dsl_release(left.vars.data[i].leaves->value.as_array);
    arena_free(a);
    return taken;
}

static void take_over(Workspace *w, const Result *r, double first) {
    check(&r->vars.data[0], "short", SHORT, first);
    check(&r->vars.data[1], "long", LONG, first);
    for (int i = 0; i < 2; i++) workspace_assign(w, &r->vars.data[i]);
    blob_drop(w, r->blob);
}

static void from_memory(void **state) {
    (void)state;
    Workspace *w = workspace_new(NULL);
    const void *places[6];
    for (int i = 0; i < 6; i++) {
        Result r;
        assert_true(pass(w, i, 0, 0, &r));
        assert_int_equal(r.blob->apart.len, 1);
        take_over(w, &r, i);
        places[i] = r.vars.data[1].leaves->value.as_array->data;
        assert_int_equal(w->waiting.len, i > 0);
        if (i > 1) assert_ptr_equal(places[i], places[i - 2]);
    }
    workspace_free(w);
}

static void through_the_file(void **state) {
    (void)state;
    Workspace *w = workspace_new(NULL);
    Result r;
    assert_true(pass(w, 3, NOBODY, 0, &r));
    assert_int_equal(r.blob->apart.len, 0);
    take_over(w, &r, 3);
    workspace_free(w);
}

/* A cell that ends too early leaves nothing, and nobody waits. */
static void never(void **state) {
    (void)state;
    Workspace *w = workspace_new(NULL);
    Result r;
    assert_false(pass(w, 3, 0, SIGKILL, &r));
    assert_int_equal(w->vars.len, 0);
    workspace_free(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(from_memory), cmocka_unit_test(through_the_file),
                                       cmocka_unit_test(never)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
