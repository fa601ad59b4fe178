/* Sizes and cells of myocyte */
#include "random.h"

#ifndef CELLS
#define CELLS 96
#endif
#ifndef DURATION
#define DURATION 30
#endif
enum { cells = CELLS, duration = DURATION, V = 0, M, H, J, D, F, X, CA, EQUATIONS };

static const double tolerance = 1e-6;

static inline void inputs(double (*y)[EQUATIONS], double *gsi) {
    static const double rest[EQUATIONS] = {-84.5, 0.0017, 0.983, 0.9895, 0.003, 1, 0.0057, 0.0002};
    for (int i = 0; i < cells; i++) {
        memcpy(y[i], rest, sizeof rest);
        gsi[i] = 0.06 + 0.04 * i / cells;
    }
}

static inline void results(double (*y)[EQUATIONS], double seconds) {
    double v = 0, ca = 0, x = 0;
    for (int i = 0; i < cells; i++) v += y[i][V] * (i + 1), ca += y[i][CA] * (i + 1), x += y[i][X] * (i + 1);
    printf("check %.17g %.17g %.17g\ntime %.9g\n", v, ca, x, seconds);
}
