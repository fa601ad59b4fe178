/* Transforms, whose loops are the runtime's own: as many threads as the context says; calls fail where memory ends. */
#include "limit.h"
#include "transforms.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1 << 20, TURNS = 64 };

static int tasks(void) {
    int n = -2; /* . and .. */
    DIR *d = opendir("/proc/self/task");
    while (d && readdir(d)) n++;
    if (d) closedir(d);
    return n;
}

/* Failures in the runtime's own loops have the place of the call; where x is taken in there is none */
static int one_call(int turn, const double *x, double *y, int *placed) {
    transforms_context *c = transforms_context_new();
    transforms_set_threads(c, 2);
    allow((long)turn << 20);
    int status = transforms_there_and_back(c, N, x, y);
    allow(-1);
    if (status == TRANSFORMS_NO_MEMORY && strcmp(transforms_error_code(c), "E0603")) {
        puts(transforms_error(c));
        status = TRANSFORMS_BUSY;
    }
    *placed += status == TRANSFORMS_NO_MEMORY && strstr(transforms_error(c), "transforms.dsl:");
    transforms_context_free(c);
    return status;
}

int main(void) {
    transforms_context *c = transforms_context_new();
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    int statuses[8] = {0}, placed = 0;
    for (int i = 0; i < N; i++) x[i] = i % 7;
    for (int threads = 1; threads <= 3; threads++) {
        transforms_set_threads(c, threads);
        if (transforms_there_and_back(c, N, x, y) != TRANSFORMS_OK || fabs(y[13] - 6) > 1e-12) return 1;
        if (tasks() != threads) return printf("%d threads, not %d\n", tasks(), threads), 2;
    }
    transforms_context_free(c);
    for (int turn = 0; turn < TURNS; turn++) statuses[one_call(turn, x, y, &placed)]++;
    const int well = statuses[TRANSFORMS_OK], without = statuses[TRANSFORMS_NO_MEMORY];
    puts(well && placed && well + without == TURNS ? "some calls had no memory" : "unexpected");
    free(x), free(y);
    return 0;
}
