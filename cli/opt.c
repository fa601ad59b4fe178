/* dslc opt FILE.ir --passes=a,b: reads IR, runs passes, prints IR.  Without --passes it only checks and prints. */
#include "driver/driver.h"

int cmd_opt(const Options *o) {
    Module *m = compile_to(o, STAGE_IR);
    Text out;
    text_init(&out, session_arena(o->session));
    if (m) module_print(&out, m);
    const char *to = o->output ? o->output : "-";
    if (m && output_spares_sources(o, to)) output_write(o, to, text_str(&out), (size_t)out.len);
    module_free(m);
    return diagnostics_flush(o);
}
