/* dslc check FILE.dsl: reports errors and warnings and makes nothing. */
#include "driver/driver.h"

int cmd_check(const Options *o) {
    for (int i = 0; i == 0 || i < o->inputs.len; i++) {
        Options one = *o;
        if (o->inputs.len) one.inputs.data = &o->inputs.data[i];
        frontend_load(&one);
    }
    return diagnostics_flush(o);
}
