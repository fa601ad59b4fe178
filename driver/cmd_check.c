/* dslc check FILE.dsl: reports errors and warnings, those of the lowering and of the proofs included, and makes nothing;
 * with --fix, changes the file as the fixes that are sure say. */
#include "driver/driver.h"

#include <string.h>

/* Some mistakes show when the program is lowered, and the proofs about kernels are made on the program as it was written. */
static void check_one(const Options *o) {
    Options with = *o;
    with.proofs = true;
    if (!o->passes && !o->pass.explain_checks) with.passes = "inline,known-args,prove-barriers,prove-races";
    module_free(compile_to(&with, STAGE_PAR));
}

/* Files are numbered as they are read: the newest one of the name is meant. */
static void fix_file(const Options *o, const char *path) {
    int file = source_count(o->session) - 1;
    Text fixed;
    text_init(&fixed, session_arena(o->session));
    while (file >= 0 && strcmp(source_path(o->session, file), path)) file--;
    int n = file < 0 ? 0 : diag_apply_fixes(o->session, file, &fixed);
    if (n && output_write(o, path, text_str(&fixed), (size_t)fixed.len)) printf("%s: %d fixed\n", path, n);
}

int cmd_check(const Options *o) {
    for (int i = 0; i == 0 || i < o->inputs.len; i++) {
        Options one = *o;
        if (o->inputs.len) one.inputs.data = &o->inputs.data[i];
        check_one(&one);
        if (o->fix && o->inputs.len) fix_file(o, o->inputs.data[i]);
    }
    return diagnostics_flush(o);
}
