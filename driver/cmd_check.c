/* dslc check FILE.dsl: reports errors and warnings, those of the lowering included, and makes nothing. */
#include "driver/driver.h"

int cmd_check(const Options *o) {
    for (int i = 0; i == 0 || i < o->inputs.len; i++) {
        Options one = *o;
        if (o->inputs.len) one.inputs.data = &o->inputs.data[i];
        Module *m = compile_to(&one, STAGE_IR); /* some mistakes show when the program is lowered */
        if (m) module_free(m);
    }
    return diagnostics_flush(o);
}
