/* Which launches a GPU takes, whoever does them. */
#include "runtime/simt.h"

#include <stdio.h>

enum { AXES = 3, MOST_ALONG_Z = 64 };

bool dsl_grid_fits(const dsl_grid *g, char words[DSL_GRID_WORDS]) {
    static const int64_t most[] = {65535, 65535, INT32_MAX};
    for (int i = 0; i < AXES; i++)
        if (g->blocks[i] > most[i]) {
            snprintf(words, DSL_GRID_WORDS, "%lld blocks along %c; a GPU takes %lld at most", (long long)g->blocks[i],
                     "zyx"[i], (long long)most[i]);
            return false;
        }
    if (g->threads[0] <= MOST_ALONG_Z) return true;
    snprintf(words, DSL_GRID_WORDS, "blocks of %lld threads along z; a GPU takes %d at most", (long long)g->threads[0],
             MOST_ALONG_Z);
    return false;
}

void dsl_grid_check(const dsl_site *at, const dsl_grid *g) {
    char words[DSL_GRID_WORDS];
    if (!dsl_grid_fits(g, words)) dsl_fail(at, "E0662", "%s", words);
}
