#include "peer.h"

enum { n = 3000000, reps = 5 };

static double pair(double x) {
    double a = sqrt(x + 1.0), b = x * 0.5 + 1.0 / (x + 2.0);
    return a - b;
}
static double run(double x) {
    double s = x;
    for (int64_t i = 0; i < n; i++) s = pair(s * s);
    return s;
}

int main(void) {
    double s = run(0.5);
    double start = now();
    for (int r = 0; r < reps; r++) s = run(s);
    report(s, (now() - start) / reps);
}
