/* Any bytes as data: .npy of any kind wanted, and FILE.tune.  The first byte says which. */
#include "driver/driver.h"
#include "runtime/dsl.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
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

static void npy(const uint8_t *data, size_t size, int dtype, int rank) {
    char path[64];
    int fd = file_of(data, size, path);
    dsl_on_fail(jump, NULL);
    if (!setjmp(failed)) dsl_release(dsl_npy_load(NULL, path, dtype, rank));
    dsl_on_fail(NULL, NULL);
    close(fd);
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    int which = data[0], dtypes = DSL_F64 + 1;
    if (which < dtypes * 4) npy(data + 1, size - 1, which % dtypes, 1 + which / dtypes);
    else tune(data + 1, size - 1);
    return 0;
}
