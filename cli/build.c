/* dslc build FILE.dsl [-o FILE]: makes an executable, by default named as the source without its ending; or a library.
 */
#include "driver/build.h"
#include "export/export.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *default_output(const Options *o) {
    const char *base = path_name(o->inputs.data[0]), *dot = strrchr(base, '.');
    if (!dot || dot == base) return intern_printf(o->session, "%s.out", base);
    return intern_n(o->session, base, (size_t)(dot - base));
}

static bool refuse(const Options *o, const char *path, const char *why) {
    diag_report(o->session, NO_SPAN, E_CANNOT_WRITE, path, why);
    return false;
}

static bool ends_in(const char *s, const char *end) {
    size_t n = strlen(s), k = strlen(end);
    return n >= k && !strcmp(s + n - k, end);
}

/* In ELF, or empty */
static bool is_executable(const char *path) {
    char head[4];
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(head, 1, sizeof head, f) : 0;
    if (f) fclose(f);
    return f && (!n || (n == sizeof head && !memcmp(head, "\177ELF", sizeof head)));
}

/* Nobody wants a folder, a source or data replaced by an executable. */
static bool may_replace(const Options *o, const char *path) {
    struct stat st;
    if (stat(path, &st)) return true;
    if (S_ISDIR(st.st_mode)) return refuse(o, path, "it is a folder");
    if (!output_spares_sources(o, path)) return false;
    if (ends_in(path, ".ir") || ends_in(path, ".c")) return refuse(o, path, "it looks like a source");
    return !S_ISREG(st.st_mode) || is_executable(path) ||
           refuse(o, path, "it is there, and is no executable: name another file with -o");
}

/* Copies beside the target and renames. */
static bool place(const Options *o, const char *from, const char *to) {
    Arena *a = arena_new();
    size_t n;
    char *data = file_read(a, from, &n);
    bool ok = data ? output_write(o, to, data, n) : refuse(o, to, strerror(errno));
    arena_free(a);
    if (!ok) return false;
    mode_t mask = umask(0);
    umask(mask);
    return chmod(to, 0777 & ~mask) == 0 || refuse(o, to, strerror(errno));
}

int cmd_build(const Options *o) {
    if (o->lib) return library_build(o);
    const char *out = o->output ? o->output : default_output(o);
    if (!may_replace(o, out)) return diagnostics_flush(o);
    Options tuned = *o;
    bool ok = tuning_load(&tuned);
    if (diagnostics_flush(o) || !ok) return EXIT_DIAGNOSED;
    Executable x = executable_get(&tuned, o->inputs.data[0], EMIT_PROGRAM);
    if (!x.path) return x.status;
    place(o, x.path, out);
    executable_drop(&x);
    return diagnostics_flush(o);
}
