/* Memory that ends (a limit on the address space): each call fails or succeeds, and nothing is lost. */
#include "limit.h"
#include "waves.h"

#include <stdlib.h>
#include <string.h>

int main(void) {
    waves_context *c = waves_context_new();
    double r, x[4] = {1, 2, 3, 4}, y[4];
    int statuses[8] = {0};
    waves_set_threads(c, 1); /* OpenMP ends the process when it cannot make a thread */
    long before = 0;
    for (int turn = 0; turn < 40; turn++) {
        allow((long)turn % 8 << 20);
        int status = waves_much(c, 700, &r); /* two arrays of 4 MB and 5 kB */
        allow(-1);
        statuses[status]++;
        if (status == WAVES_NO_MEMORY &&
            (!strstr(waves_error(c), "waves.dsl:") || strcmp(waves_error_code(c), "E0603")))
            return 1;
        if (waves_same(c, 4, x, y) != WAVES_OK || y[3] != 4) return 2;
        waves_context_free(c);
        if (!(c = waves_context_new())) return 3;
        waves_set_threads(c, 1);
        if (turn == 8) before = pages();
    }
    printf("%s, %s\n",
           statuses[WAVES_OK] && statuses[WAVES_NO_MEMORY] == 40 - statuses[WAVES_OK] ? "some calls had no memory"
                                                                                      : "unexpected",
           pages() - before < 512 ? "nothing is lost" : "memory is lost");
    waves_context_free(c);
    return 0;
}
