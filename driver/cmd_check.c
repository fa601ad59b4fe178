/* dslc check FILE.dsl: reports errors and warnings and makes nothing. */
#include "driver/driver.h"

int cmd_check(const Options *o) {
    frontend_load(o);
    return diagnostics_flush(o);
}
