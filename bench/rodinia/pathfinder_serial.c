/* TOLERANCE: 0 (ints) */
#include "pathfinder.h"

int main(void) {
    int *wall = inputs(), *cost = memory(sizeof(int) * cols), *next = memory(sizeof(int) * cols);
    double start = now();
    memcpy(cost, wall, sizeof(int) * cols);
    for (int i = 1; i < rows; i++) {
        for (int j = 0; j < cols; j++) {
            int least = cost[j];
            if (j > 0 && cost[j - 1] < least) least = cost[j - 1];
            if (j < cols - 1 && cost[j + 1] < least) least = cost[j + 1];
            next[j] = wall[i * cols + j] + least;
        }
        int *old = cost;
        cost = next;
        next = old;
    }
    results(cost, now() - start);
    free(wall), free(cost), free(next);
}
