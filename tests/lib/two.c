/* Two libraries in one program: neither sees the other's runtime, contexts or errors. */
#include "other.h"
#include "waves.h"

#include <stdio.h>
#include <string.h>

int main(void) {
    waves_context *w = waves_context_new();
    other_context *o = other_context_new();
    double x[3] = {1, 2, 3}, y[3], z[3];
    int64_t at[3] = {2, 1, 0};
    waves_Body a = {1, 2, 3}, a2;
    other_Body b = {1, 2, 3}, b2;
    int wrong = 0;
    waves_set_threads(w, 1);
    wrong += waves_same(w, 3, x, y) || other_same(o, 3, x, z) || y[2] != 3 || z[2] != 4;
    wrong += waves_moved(w, 1, &a, 1, &a2) || other_moved(o, 1, &b, 1, &b2) || a2.x != 2 || b2.x != 0;
    wrong += waves_pick(w, 3, 3, x, at, y) || other_pick(o, 3, 3, x, at, z) || y[0] != 3 || z[0] != 30;
    at[1] = 3;
    wrong += other_pick(o, 3, 3, x, at, z) != OTHER_RUNTIME_ERROR || !strstr(other_error(o), "other.dsl") ||
             *waves_error(w);
    other_Word word = {3}, sum;
    wrong += other_named(o, &b, 2, &word, &sum) || sum.other_Body_ != 6;
    wrong += other_square(o, INT64_C(1) << 32, x, z) != OTHER_BAD_SIZE || !strstr(other_error(o), "so many elements");
    waves_context_free(w);
    wrong += other_same(o, 3, x, z) != OTHER_OK;
    other_context_free(o);
    printf("%d wrong\n", wrong);
    return wrong;
}
