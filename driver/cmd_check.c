/* dslc check FILE.dsl: reports errors and warnings, those of the lowering and of the proofs included, and makes nothing. */
#include "driver/driver.h"

/* Some mistakes show when the program is lowered, and the proofs about kernels are made on the program as it was written. */
static void check_one(const Options *o) {
    Options with = *o;
    with.proofs = true;
    if (!o->passes && !o->pass.explain_checks) with.passes = "inline,known-args,prove-barriers,prove-races";
    module_free(compile_to(&with, STAGE_PAR));
}

int cmd_check(const Options *o) {
    for (int i = 0; i == 0 || i < o->inputs.len; i++) {
        Options one = *o;
        if (o->inputs.len) one.inputs.data = &o->inputs.data[i];
        check_one(&one);
    }
    return diagnostics_flush(o);
}
