/* bench/mpi/heat.dsl by hand: rows of a plate in each process, and a row of each neighbour. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 1600, steps = argc > 2 ? atoi(argv[2]) : 400;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int from = (int)((long)n * rank / size), to = (int)((long)n * (rank + 1) / size), rows = to - from;
    double (*u)[n] = malloc(sizeof *u * (size_t)(rows + 2)), (*next)[n] = malloc(sizeof *u * (size_t)(rows + 2));
    for (int i = 0; i < rows + 2; i++)
        for (int j = 0; j < n; j++) u[i][j] = sin(0.01 * (i + from - 1)) * cos(0.02 * j);
    memcpy(next, u, sizeof *u * (size_t)(rows + 2));
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL, below = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    double heat = 0, start = MPI_Wtime();
    for (int t = 0; t < steps; t++) {
        MPI_Request r[4];
        MPI_Irecv(u[0], n, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(u[rows + 1], n, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, &r[1]);
        MPI_Isend(u[1], n, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &r[2]);
        MPI_Isend(u[rows], n, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, &r[3]);
        MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
        int first = rank ? 1 : 2, last = rank + 1 < size ? rows : rows - 1;
        for (int i = first; i <= last; i++)
            for (int j = 1; j < n - 1; j++)
                next[i][j] = u[i][j] + 0.1 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j]);
        double (*old)[n] = u;
        u = next;
        next = old;
        if (t % 50) continue;
        double mine = 0, all;
        for (int i = 1; i <= rows; i++)
            for (int j = 0; j < n; j++) mine += u[i][j];
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        heat += all;
    }
    double spent = MPI_Wtime() - start;
    if (rank == 0) printf("heat %.6f\nseconds %.4f\n", heat, spent);
    MPI_Finalize();
}
