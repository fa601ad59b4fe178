/* Any bytes as data: files that programs load, of any kind wanted, and FILE.tune.  The first byte says which. */
#include "cli/cli.h"
#include "driver/driver.h"
#include "runtime/files.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static jmp_buf failed;
static void jump(void *ctx, int status) {
    (void)ctx;
    longjmp(failed, status ? status : -1);
}

/* A name for the bytes */
static int file_of(const uint8_t *data, size_t size, char path[64]) {
    int fd = memfd_create("data", 0);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size) abort();
    snprintf(path, 64, "/proc/self/fd/%d", fd);
    return fd;
}

typedef dsl_array *Loader(const dsl_site *at, const char *path, int dtype, int rank);

static dsl_array *npz(const dsl_site *at, const char *path, int dtype, int rank) {
    return dsl_npz_load(at, path, rank > 1 ? "x" : "", dtype, rank);
}
static dsl_array *table(const dsl_site *at, const char *path, int dtype, int rank) {
    return dsl_table_load(at, path, rank == 1 ? "x" : dtype == DSL_I16 ? "y, x" : "", dtype, rank);
}

static void load(Loader *how, const uint8_t *data, size_t size, int dtype, int rank) {
    char path[64];
    int fd = file_of(data, size, path);
    dsl_on_fail(jump, NULL);
    if (!setjmp(failed)) dsl_release(how(NULL, path, dtype, rank));
    dsl_on_fail(NULL, NULL);
    close(fd);
}

/* A layout of at most 63 characters, a NUL, numbers */
static void raw(const uint8_t *data, size_t size, int rank) {
    char path[64], layout[64] = "";
    size_t n = 0;
    while (n + 1 < sizeof layout && n < size && data[n]) layout[n] = (char)data[n], n++;
    int fd = file_of(data + n, size - n, path);
    dsl_on_fail(jump, NULL);
    if (!setjmp(failed)) dsl_release(dsl_raw_load(NULL, path, layout, DSL_I32, rank));
    dsl_on_fail(NULL, NULL);
    close(fd);
}

static void put_chunk(FILE *f, const char *kind, const uint8_t *p, size_t n) {
    dsl_png_chunk(NULL, f, kind, p, n, NULL, 0);
}

/* A PNG whose checksums and compression are right: 5 bytes of a head, a byte that says how much is a palette, that,
 * and filtered lines */
static void made_png(const uint8_t *data, size_t size, int dtype, int rank) {
    if (size < 6) return;
    uint8_t head[13] = {0, 0, 0, data[0], 0, 0, 0, data[1], data[2], data[3], 0, 0, data[4]};
    size_t colors = data[5] * 3u < size - 6 ? data[5] * 3u : 0, n = 0, made = 0;
    char *file = NULL;
    FILE *f = open_memstream(&file, &n);
    uint8_t *lines = dsl_deflate(NULL, data + 6 + colors, size - 6 - colors, false, &made);
    if (!f || !lines) abort();
    fwrite("\x89PNG\r\n\x1a\n", 8, 1, f);
    put_chunk(f, "IHDR", head, 13);
    put_chunk(f, "PLTE", data + 6, colors);
    if (colors > 6) put_chunk(f, "tRNS", data + 6, 6);
    put_chunk(f, "IDAT", lines, made);
    put_chunk(f, "IEND", data, 0);
    fclose(f);
    load(dsl_raster_load, (uint8_t *)file, n, dtype, rank);
    free(file);
    free(lines);
}

static void tune(const uint8_t *data, size_t size) {
    char program[64], path[64];
    snprintf(program, sizeof program, "/tmp/dslc-libfuzzer.%d.dsl", (int)getpid());
    snprintf(path, sizeof path, "%s.tune", program);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f)) abort();
    Session *s = session_new();
    Options o = {.session = s};
    char *argv[] = {"dslc", "run", program, NULL};
    if (!options_parse(&o, 3, argv)) abort();
    tuning_load(&o);
    session_free(s);
    unlink(path);
}

/* READER names one reader; else the first byte chooses */
typedef struct { const char *name; int from, count; } Reader;
enum { NPY = (DSL_F64 + 1) * 4 };
static const Reader readers[] = {
    {"npy", 0, NPY},      {"npz", NPY, 3},       {"table", NPY + 3, 4}, {"picture", NPY + 7, 4},
    {"png", NPY + 11, 1}, {"raw", NPY + 12, 1}, {"tune", NPY + 13, 1}};

static int chosen(uint8_t byte) {
    const char *name = getenv("READER");
    for (size_t k = 0; name && k < sizeof readers / sizeof *readers; k++)
        if (!strcmp(name, readers[k].name)) return readers[k].from + byte % readers[k].count;
    return byte;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    int which = chosen(data[0]), dtypes = DSL_F64 + 1;
    if (which < NPY) {
        load(dsl_npy_load, data + 1, size - 1, which % dtypes, 1 + which / dtypes);
        return 0;
    }
    switch (which - NPY) {
    case 0: case 1: case 2: load(npz, data + 1, size - 1, DSL_F64, which - NPY + 1); break;
    case 3: case 4: load(table, data + 1, size - 1, DSL_F64, which - NPY - 2); break;
    case 5: case 6: load(table, data + 1, size - 1, DSL_I16, which - NPY - 4); break;
    case 7: case 8: load(dsl_raster_load, data + 1, size - 1, DSL_U8, which - NPY - 5); break;
    case 9: load(dsl_raster_load, data + 1, size - 1, DSL_F64, 3); break;
    case 10: load(dsl_raster_load, data + 1, size - 1, DSL_U16, 3); break;
    case 11: made_png(data + 1, size - 1, DSL_F32, 3); break;
    case 12: raw(data + 1, size - 1, 2); break;
    default: tune(data + 1, size - 1);
    }
    return 0;
}
