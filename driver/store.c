/* The files of the folder of what was made before (cache.c): behind what is in one stands a hash of it, the seal, so
 * that a damaged file is noticed.  No session is needed: any thread may ask. */
#include "driver/build.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_FILES = 1000, KEEP_DAYS = 30, LEFT_SECONDS = 3600 };
#define SEAL "dslc-ok:"
enum { SEAL_BYTES = sizeof SEAL - 1 + HASH_DIGITS };

/* ---- sealed files */

static void make_seal(char seal[SEAL_BYTES + 1], const char *data, size_t n) {
    strcpy(seal, SEAL);
    hash_digits(hash_bytes((Hash){3, 4}, data, n), seal + sizeof SEAL - 1);
}

char *store_read(const char *path, size_t *n) {
    Arena *a = arena_new();
    size_t size;
    char seal[SEAL_BYTES + 1], *data = file_read(a, path, &size), *kept = NULL;
    if (data && size > SEAL_BYTES) {
        *n = size - SEAL_BYTES;
        make_seal(seal, data, *n);
        if (!memcmp(data + *n, seal, SEAL_BYTES)) kept = malloc(*n);
        if (kept) memcpy(kept, data, *n);
    }
    arena_free(a);
    return kept;
}

bool store_seal(const char *path) {
    Arena *a = arena_new();
    size_t n;
    char seal[SEAL_BYTES + 1], *data = file_read(a, path, &n);
    FILE *f = data ? fopen(path, "ab") : NULL;
    if (f) make_seal(seal, data, n);
    bool ok = f && fputs(seal, f) >= 0;
    if (f) ok = !fclose(f) && ok;
    arena_free(a);
    return ok;
}

void store_write(const char *path, const char *data, size_t n) {
    char beside[PATH_MAX], seal[SEAL_BYTES + 1];
    if (snprintf(beside, sizeof beside, "%s.%ld", path, (long)getpid()) >= (int)sizeof beside) return;
    int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!f) return;
    make_seal(seal, data, n);
    bool ok = fwrite(data, 1, n, f) == n && fputs(seal, f) >= 0;
    ok = !fclose(f) && ok;
    if (!ok || rename(beside, path)) unlink(beside);
}

/* ---- cleaning */

/* KEY.PROCESS, or KEY.src.PROCESS, of a process that is gone */
static bool is_left(const char *name) {
    const char *dot = strrchr(name, '.');
    char *end = NULL;
    long pid = dot && dot[1] >= '1' && dot[1] <= '9' ? strtol(dot + 1, &end, 10) : 0;
    return pid > 0 && pid <= INT_MAX && !*end && kill((pid_t)pid, 0) && errno == ESRCH;
}

void store_clean(const char *dir) {
    DIR *d = opendir(dir);
    if (!d) return;
    int count = 0;
    for (struct dirent *f; (f = readdir(d));) count++;
    rewinddir(d);
    time_t now = time(NULL);
    for (struct dirent *f; (f = readdir(d));) {
        struct stat st;
        bool left = is_left(f->d_name);
        if (f->d_name[0] == '.' || (!left && count <= MOST_FILES)) continue;
        time_t keep = left ? LEFT_SECONDS : (time_t)KEEP_DAYS * 86400;
        if (fstatat(dirfd(d), f->d_name, &st, 0) == 0 && st.st_mtime < now - keep) unlinkat(dirfd(d), f->d_name, 0);
    }
    closedir(d);
}

/* ---- objects of the code in memory */

typedef struct Objects { LlvmCache asked; Hash identity; char dir[PATH_MAX]; } Objects;

static void object_path(const Objects *o, char path[PATH_MAX], const char *ir, size_t n, int level) {
    char digits[HASH_DIGITS + 1];
    hash_digits(hash_bytes(hash_bytes(o->identity, &level, sizeof level), ir, n), digits);
    if (snprintf(path, PATH_MAX, "%s/%s.o", o->dir, digits) >= PATH_MAX) *path = 0;
}

static char *find_object(LlvmCache *c, const char *ir, size_t n, int level, size_t *size) {
    char path[PATH_MAX];
    object_path((Objects *)c, path, ir, n, level);
    return store_read(path, size);
}

static void keep_object(LlvmCache *c, const char *ir, size_t n, int level, const char *object, size_t size) {
    char path[PATH_MAX];
    object_path((Objects *)c, path, ir, n, level);
    store_write(path, object, size);
    store_clean(((Objects *)c)->dir);
}

LlvmCache *objects_open(const Options *o) {
    const char *dir = cache_dir(o->session);
    if (!dir || strlen(dir) >= PATH_MAX) return NULL;
    Objects *x = calloc(1, sizeof *x); /* for as long as the process lives: a thread may still ask */
    if (!x) fatal_oom();
    x->asked = (LlvmCache){find_object, keep_object};
    x->identity = hash_text(own_identity(o->session), o->cpu);
    strcpy(x->dir, dir);
    return &x->asked;
}
