/* dce: removes what nobody uses (opt/dead.c).
 *
 * needs: nothing. */
#include "opt/dead.h"
#include "opt/pass.h"

void pass_dce(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) dead_in_region(m->funcs.data[i]->body);
}
