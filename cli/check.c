/* dslc check FILE.dsl: reports errors and warnings, those of the lowering and of the proofs included, and makes
 * nothing; with --fix, changes the file as the fixes that are sure say, and reports what is left. */
#include "driver/driver.h"

#include <string.h>

enum { MAX_ROUNDS = 10 }; /* a fix may uncover another mistake */

/* Some mistakes show when the program is lowered, and the proofs about kernels are made on the program as it was
 * written; what a GPU cannot do, of the program as it runs there. */
static void check_once(const Options *o) {
    Options with = *o;
    with.proofs = true;
    bool loops = o->pass.explain_grad || o->pass.explain_ranks || o->pass.device;
    with.pass.ranks = o->pass.explain_ranks;
    if (!o->passes && !o->pass.explain_checks && !o->pass.explain_memory && !loops)
        with.passes =
            "prove-combine,inline,known-args,prove-barriers,prove-races,prove-cover,prove-written,inline-derivatives,"
            "index-bodies,differentiate";
    Module *m = compile_to(&with, loops ? STAGE_LOOPS : STAGE_PAR);
    if (m && o->pass.device) check_launches(o, m);
    module_free(m);
}

/* How many were mended.  Files are numbered as they are read: the newest one of the name is meant. */
static int fix_file(const Options *o, const char *path) {
    int file = source_count(o->session) - 1;
    Text fixed;
    text_init(&fixed, session_arena(o->session));
    while (file >= 0 && strcmp(source_path(o->session, file), path)) file--;
    int n = file < 0 ? 0 : diag_apply_fixes(o->session, file, &fixed);
    return n && output_write(o, path, text_str(&fixed), (size_t)fixed.len) ? n : 0;
}

static int explain_file(const Options *o) {
    explain_kernels(o);
    int status = diagnostics_flush(o);
    diag_clear(o->session);
    return status;
}

static int check_file(const Options *o, const char *path) {
    int all = 0;
    if (o->explain_kernel) return explain_file(o);
    for (int round = 0;; round++) {
        check_once(o);
        int n = o->fix && path && round < MAX_ROUNDS ? fix_file(o, path) : 0;
        if (!n) break;
        all += n;
        diag_clear(o->session);
    }
    if (all) printf("%s: %d fixed\n", path, all);
    int status = diagnostics_flush(o);
    diag_clear(o->session);
    return status;
}

int cmd_check(const Options *o) {
    int worst = EXIT_OK;
    for (int i = 0; i == 0 || i < o->inputs.len; i++) {
        Options one = *o;
        if (o->inputs.len) one.inputs.data = &o->inputs.data[i];
        int status = check_file(&one, o->inputs.len ? o->inputs.data[i] : NULL);
        if (status > worst) worst = status;
    }
    return worst;
}
