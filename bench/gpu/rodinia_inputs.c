/* rodinia_inputs FOLDER: files for the Rodinia suite's own programs, of the sizes and kinds of data of bench/rodinia,
 * in the formats that those programs read; bench/gpu/rodinia.sh calls it.  Numbers are made by the formulas of
 * bench/rodinia.
 *   cc -std=gnu11 -O2 -fopenmp-simd -Ibench/rodinia -Ibench -o rodinia_inputs bench/gpu/rodinia_inputs.c -lm */
#include "random.h"

#include <unistd.h>

enum {
    SIDE = 1024, /* hotspot */
    WIDE = 512, LAYERS = 8,
    NODES = 1000000, SOURCE = 68, /* bfs: where the last repetition starts, which the suite's program calls 0 */
    POINTS = 204800, FEATURES = 34,
    ACROSS = 36, CELLS = 2 * ACROSS * ACROSS * ACROSS, /* cfd */
    PLACES = 1000000,
    RECORDS = 1000000
};

static FILE *opened(const char *name) {
    FILE *f = fopen(name, "w");
    if (f) return f;
    perror(name);
    exit(1);
}

static void closed(FILE *f, const char *name) {
    bool bad = ferror(f) != 0;
    if (fclose(f) == 0 && !bad) return;
    perror(name);
    exit(1);
}

static void series(const char *name, int64_t n, float first, float factor, int64_t a, int64_t prime) {
    FILE *f = opened(name);
    for (int64_t i = 0; i < n; i++) fprintf(f, "%.9g\n", first + factor * fraction(i, a, prime));
    closed(f, name);
}

static void hotspots(void) {
    int64_t flat = (int64_t)SIDE * SIDE, deep = (int64_t)WIDE * WIDE * LAYERS;
    series("hotspot_temp", flat, 323, 10, 7919, 10007);
    series("hotspot_power", flat, 0, 0.002f, 7877, 10009);
    series("hotspot3D_temp", deep, 323, 10, 7919, 10007);
    series("hotspot3D_power", deep, 0, 0.002f, 7877, 10009);
}

/* SOURCE and 0 change places. */
static int64_t renamed(int64_t node) { return node == SOURCE ? 0 : node == 0 ? SOURCE : node; }
static int64_t edges_at(int64_t node) { return mix(node) % 9 + 2; }

static void bfs(void) {
    FILE *f = opened("bfs");
    int64_t *first = memory((NODES + 1) * sizeof *first), m = 0;
    for (int64_t i = 0; i < NODES; i++) first[i] = m, m += edges_at(i);
    fprintf(f, "%d\n", NODES);
    int64_t start = 0;
    for (int64_t i = 0; i < NODES; start += edges_at(renamed(i)), i++)
        fprintf(f, "%lld %lld\n", (long long)start, (long long)edges_at(renamed(i)));
    fprintf(f, "\n0\n\n%lld\n", (long long)m);
    for (int64_t i = 0; i < NODES; i++) {
        int64_t node = renamed(i);
        for (int64_t e = first[node]; e < first[node] + edges_at(node); e++)
            fprintf(f, "%lld 1\n", (long long)renamed(mix(e + 7777777) % NODES));
    }
    free(first);
    closed(f, "bfs");
}

static void kmeans(void) {
    FILE *f = opened("kmeans");
    int sizes[2] = {POINTS, FEATURES};
    fwrite(sizes, sizeof sizes, 1, f);
    for (int64_t i = 0; i < POINTS; i++)
        for (int64_t j = 0; j < FEATURES; j++) {
            float x = unit(mix(i * FEATURES + j)) * 4 + unit(mix(i)) * (float)(j % 7);
            fwrite(&x, sizeof x, 1, f);
        }
    closed(f, "kmeans");
}

/* ---- cfd: bench/rodinia/cfd.h */

static int place_of(int id) { return id / 64 * 64 + (37 * (id % 64) + 11 * (id / 64)) % 64; }
static int id_at(int place) { return place / 64 * 64 + ((45 * (place % 64 - 11 * (place / 64))) & 63); }

static int neighbour_at(int j, int place) {
    int id = id_at(place), kind = id % 2, step = 2 * kind - 1,
        at[3] = {id / 2 % ACROSS, id / 2 / ACROSS % ACROSS, id / 2 / ACROSS / ACROSS};
    if (j > 0) at[j - 1] += step;
    if (at[2] < 0) return -1;
    for (int d = 0; d < 3; d++)
        if (at[d] < 0 || at[d] >= ACROSS) return -2;
    return place_of(((at[2] * ACROSS + at[1]) * ACROSS + at[0]) * 2 + 1 - kind);
}

/* Cells are counted from 1, 0 is the wing and -1 what is far; normals point the other way. */
static void cfd(void) {
    FILE *f = opened("cfd");
    fprintf(f, "%d\n", CELLS);
    for (int i = 0; i < CELLS; i++) {
        float s = id_at(i) % 2 == 0 ? -0.1f : 0.1f;
        fprintf(f, "%.9g", 0.8f + 0.4f * unit(mix(i)));
        for (int j = 0; j < 4; j++)
            fprintf(f, " %d %.9g %.9g %.9g", neighbour_at(j, i) + 1, -(j < 2 ? s : -s), -(j % 2 == 0 ? s : -s),
                    -(j % 3 == 0 ? s : -s));
        fprintf(f, "\n");
    }
    closed(f, "cfd");
}

static void nn(void) {
    FILE *f = opened("nn.db");
    for (int64_t i = 0; i < PLACES; i++)
        fprintf(f, "%4d %2d %2d %2d %2d %-9s %5.1f %5.1f %4d %4d\n", 1990, 1, 1, 0, 1, "STORM",
                7 + 57 * fraction(i, 7919, 10007), 358 * fraction(i, 7877, 10009), 100, 900);
    closed(f, "nn.db");
    f = opened("nn_files");
    fprintf(f, "nn.db\n");
    closed(f, "nn_files");
}

static void btree(void) {
    FILE *f = opened("btree");
    fprintf(f, "%d\n", RECORDS);
    for (int i = 1; i <= RECORDS; i++) fprintf(f, "%d\n", i);
    closed(f, "btree");
    f = opened("btree_commands");
    fprintf(f, "j 6000 3000\nk 10000\n");
    closed(f, "btree_commands");
}

int main(int argc, char **argv) {
    if (argc != 2 || chdir(argv[1])) {
        fprintf(stderr, "usage: rodinia_inputs FOLDER\n");
        return 2;
    }
    hotspots();
    bfs();
    kmeans();
    cfd();
    nn();
    btree();
    return 0;
}
