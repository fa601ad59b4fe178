/* Files of programs: where they are looked for, and how they are written.
 *
 * A relative path is one of the folder where the program runs.  What is loaded may lie beside the program as well:
 * beside its source when dslc runs it (DSL_HOME, or dsl_set_home in the interpreter), else beside the executable.
 * Writing goes to a file beside the target that is renamed when all of it has reached the disk; devices and pipes are
 * written directly. */
#include "runtime/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static char home[3000]; /* ends in a slash; "": none */

void dsl_set_home(const char *folder) {
    snprintf(home, sizeof home, folder && *folder && strlen(folder) < sizeof home - 1 ? "%s/" : "%.0s",
             folder ? folder : "");
}

void dsl_find_home(void) {
    char self[sizeof home];
    const char *folder = getenv("DSL_HOME");
    ssize_t n = folder ? -1 : readlink("/proc/self/exe", self, sizeof self - 1);
    if (n > 0) {
        self[n] = 0;
        *strrchr(self, '/') = 0;
        folder = self;
    }
    dsl_set_home(folder);
    unsetenv("DSL_HOME"); /* it is not that of programs which this one starts */
}

const char *dsl_found(const char *path, char room[DSL_PATH]) {
    if (*path == '/' || !*path || !*home || access(path, F_OK) == 0) return path;
    return snprintf(room, DSL_PATH, "%s%s", home, path) < DSL_PATH && access(room, F_OK) == 0 ? room : path;
}

/* For who wants to know when to run again: to the file that DSL_FILES names, '<' or '>' for one that is loaded or
 * saved, its name, a NUL */
static void note_file(char how, const char *path) {
    const char *to = getenv("DSL_FILES");
    FILE *f = to ? fopen(to, "ae") : NULL;
    if (!f) return;
    fprintf(f, "%c%s%c", how, path, 0);
    fclose(f);
}

FILE *dsl_open(const dsl_site *at, const char *path) {
    char room[DSL_PATH];
    struct stat st;
    const char *found = dsl_found(path, room);
    note_file('<', found);
    FILE *f = fopen(found, "rb");
    int error = f ? 0 : errno;
    if (f && !fstat(fileno(f), &st) && S_ISDIR(st.st_mode)) {
        fclose(f);
        error = EISDIR;
    }
    if (!error) return f;
    dsl_say_error(at, "E0610", "cannot read '%s': %s", path, strerror(error));
    if (error == ENOENT && *path != '/')
        dsl_say_hint("it is neither in the folder where the program runs nor beside the program");
    dsl_stop(1);
}

static DSL_COLD __attribute__((noreturn)) void fail_write(const dsl_site *at, const char *path, int error) {
    dsl_fail(at, "E0614", "cannot write '%s': %s", path, strerror(error));
}

/* Closes f; 0, or what went wrong */
static int write_and_close(FILE *f, DslWriter *write, const void *what, bool sync) {
    bool ok = write(f, what) && fflush(f) == 0 && (!sync || fsync(fileno(f)) == 0);
    int error = ok ? 0 : errno ? errno : EIO;
    if (fclose(f) && !error) error = errno;
    return error;
}

static FILE *open_beside(const char *path, char *beside, size_t cap) {
    if ((size_t)snprintf(beside, cap, "%s.XXXXXX", path) >= cap) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    int fd = mkstemp(beside);
    if (fd < 0) return NULL;
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
    return fdopen(fd, "wb");
}

void dsl_write(const dsl_site *at, const char *path, DslWriter *write, const void *what) {
    struct stat st;
    char beside[DSL_PATH];
    bool direct = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
    note_file('>', path);
    FILE *f = direct ? fopen(path, "wb") : open_beside(path, beside, sizeof beside);
    if (!f) fail_write(at, path, errno);
    errno = 0;
    int error = write_and_close(f, write, what, !direct);
    if (!error && !direct && rename(beside, path)) error = errno;
    if (!error) return;
    if (!direct) unlink(beside);
    fail_write(at, path, error);
}

void dsl_write_by_path(const dsl_site *at, const char *path, DslPathWriter *write, const void *what) {
    char beside[DSL_PATH], why[256] = "";
    note_file('>', path);
    FILE *f = open_beside(path, beside, sizeof beside);
    if (!f) fail_write(at, path, errno);
    bool ok = write(beside, what, why) && fsync(fileno(f)) == 0; /* f is the same file */
    if (!ok && !*why) snprintf(why, sizeof why, "%s", strerror(errno));
    fclose(f);
    if (ok && rename(beside, path) == 0) return;
    if (ok) snprintf(why, sizeof why, "%s", strerror(errno));
    unlink(beside);
    dsl_fail(at, "E0614", "cannot write '%s': %s", path, why);
}

unsigned char *dsl_read_all(const dsl_site *at, const char *path, size_t *n) {
    size_t room = 1 << 16;
    struct stat st;
    FILE *f = dsl_open(at, path);
    if (!fstat(fileno(f), &st) && S_ISREG(st.st_mode)) room = (size_t)st.st_size + 2;
    unsigned char *bytes = malloc(room);
    *n = 0;
    for (size_t got = 1; bytes && got;) {
        got = fread(bytes + *n, 1, room - *n - 1, f);
        *n += got;
        if (*n + 1 < room) continue;
        unsigned char *more = realloc(bytes, room *= 2);
        if (!more) free(bytes);
        bytes = more;
    }
    bool bad = ferror(f) != 0;
    int error = errno;
    fclose(f);
    if (bytes && !bad) return bytes[*n] = 0, bytes;
    free(bytes);
    dsl_fail(at, "E0610", "cannot read '%s': %s", path, bad ? strerror(error) : "not enough memory");
}

void dsl_say_rank(const dsl_site *at, const char *path, const char *where, int has, int wanted) {
    dsl_say_error(at, "E0613", "'%s' holds an array with %d ax%s%s, but %d %s needed", path, has,
                  has == 1 ? "is" : "es", where, wanted, wanted == 1 ? "is" : "are");
}

bool dsl_ends_in(const char *path, const char *words) {
    const char *dot = strrchr(path, '.');
    size_t n = dot ? strlen(dot) : 0;
    for (const char *w = words; dot && *w; w += strspn(w, " ")) {
        size_t m = strcspn(w, " ");
        if (m == n && !strncasecmp(dot, w, n)) return true;
        w += m;
    }
    return false;
}

void dsl_check_members(const dsl_site *at, const char *path, DslMembers members, const char *not,
                       bool (*has_kind)(int dtype)) {
    for (int i = 0; i < members.n; i++) {
        const char *name = members.v[i].name;
        int dtype = members.v[i].a->dtype;
        if (!*name || strlen(name) > 200 || strpbrk(name, not))
            dsl_fail(at, "E0614", "cannot write '%s': '%s' is no name for an array in it", path, name);
        for (int k = 0; k < i; k++)
            if (!strcmp(name, members.v[k].name))
                dsl_fail(at, "E0614", "cannot write '%s': it would have two arrays '%s'", path, name);
        if (has_kind && !has_kind(dtype))
            dsl_fail(at, "E0614", "cannot write '%s': it has no numbers like %s", path, dsl_dtype_name(dtype));
    }
}
