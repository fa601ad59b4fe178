/* The C compiler: which one, with which flags, and running it.
 *
 * The flags keep IEEE arithmetic as written at every level of optimisation, so that a program gives the
 * same bits at -O0 and -O3, with gcc and with clang: no contraction to fma, no reassociation.  errno and
 * floating-point traps nobody looks at, and giving them up lets loops become vector instructions.
 * Compilers evaluate math functions of constants more precisely than libm does: -fno-builtin-FUNCTION
 * leaves that to libm. */
#include "driver/build.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#ifdef __SANITIZE_ADDRESS__
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

void cc_arg(const Options *o, Argv *v, const char *a) { vec_push(session_arena(o->session), v, a); }

/* ---- finding things */

static bool is_program(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

const char *cc_find_program(Session *s, const char *name) {
    if (strchr(name, '/')) return is_program(name) ? name : NULL;
    const char *path = getenv("PATH");
    for (const char *p = path ? path : "/usr/local/bin:/usr/bin:/bin"; *p;) {
        size_t n = strcspn(p, ":");
        const char *candidate = intern_printf(s, "%.*s/%s", n ? (int)n : 1, n ? p : ".", name);
        if (is_program(candidate)) return candidate;
        p += n + (p[n] == ':');
    }
    return NULL;
}

static bool no_compiler(const Options *o, const char *wanted) {
    Diag *d = diag_report(o->session, NO_SPAN, E_NO_CC, wanted);
    diag_hint(o->session, d,
              "install gcc or clang (Debian: apt install gcc), or name one with --cc=PATH or in the variable DSL_CC");
    return false;
}

static const char *next_word(const char **at, Session *s) {
    const char *p = *at + strspn(*at, " ");
    size_t n = strcspn(p, " ");
    *at = p + n;
    return n ? intern_n(s, p, n) : NULL;
}

/* `ccache gcc` runs gcc. */
static void look_behind(const Options *o, Toolchain *t) {
    const char *p = t->cc_args, *word = p ? next_word(&p, o->session) : NULL;
    const char *wrapped = word && *word != '-' ? cc_find_program(o->session, word) : NULL;
    t->behind = wrapped ? wrapped : t->cc;
}

static bool find_compiler(const Options *o, Toolchain *t) {
    const char *asked = o->cc;
    if (!asked || !*asked) asked = getenv("DSL_CC");
    if (!asked || !*asked) asked = getenv("CC");
    if (asked && *asked) {
        t->cc = cc_find_program(o->session, asked);
        size_t word = strcspn(asked, " ");
        if (t->cc || !asked[word]) return t->cc || no_compiler(o, asked);
        t->cc_args = asked + word;
        t->cc = cc_find_program(o->session, intern_n(o->session, asked, word));
        return t->cc || no_compiler(o, asked);
    }
    static const char *const usual[] = {"cc", "gcc", "clang"};
    for (int i = 0; i < 3 && !t->cc; i++) t->cc = cc_find_program(o->session, usual[i]);
    return t->cc || no_compiler(o, "cc");
}

bool cc_is_usual(const Options *o, const char *name) {
    Toolchain t = {0};
    char usual[PATH_MAX], other[PATH_MAX];
    const char *path = cc_find_program(o->session, name);
    return path && find_compiler(o, &t) && realpath(path, other) && realpath(t.cc, usual) && !strcmp(usual, other);
}

static bool exists(const char *path) { return access(path, R_OK) == 0; }

static bool find_runtime(const Options *o, Toolchain *t) {
    Session *s = o->session;
    const char *libs[2];
    own_folders(s, libs);
    const char *dir = libs[0];
    for (int i = 0; i < 2; i++) {
        if (!exists(intern_printf(s, "%s/libdslrt.a", libs[i]))) continue;
        t->lib = libs[i];
        const char *const headers[] = {libs[i], intern_printf(s, "%s/../runtime", dir),
                                       intern_printf(s, "%s/../../runtime", dir)};
        for (int k = 0; k < 3; k++)
            if (exists(intern_printf(s, "%s/gen.h", headers[k]))) return t->include = headers[k], true;
    }
    Diag *d = diag_report(s, NO_SPAN, E_NO_RUNTIME, "libdslrt.a");
    diag_hint(s, d, "it belongs beside the dslc binary (%s) or into ../lib/dslc", dir);
    return false;
}

/* ---- identity: what else an executable depends on, besides the program */

static Hash hash_file_identity(Hash h, const char *path) {
    struct stat st;
    h = hash_text(h, path);
    if (stat(path, &st)) return h;
    int64_t facts[4] = {(int64_t)st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec, (int64_t)st.st_ino};
    return hash_bytes(h, facts, sizeof facts);
}

/* -march=native is for this machine only. */
static Hash hash_processor(Hash h) {
#if defined(__x86_64__) || defined(__i386__)
    unsigned r[12] = {0};
    __get_cpuid(1, &r[0], &r[1], &r[2], &r[3]);
    __get_cpuid_count(7, 0, &r[4], &r[5], &r[6], &r[7]);
    __get_cpuid_count(7, 1, &r[8], &r[9], &r[10], &r[11]);
    r[1] = 0; /* which core we are on */
    h = hash_bytes(h, r, sizeof r);
#endif
    return h;
}

/* ---- flags */

static void math_flags(const Options *o, Argv *v) {
    static const char *const functions[] = {
        "cbrt",  "exp",   "exp2", "expm1", "log",    "log2",   "log10", "log1p", "sin",
        "cos",   "tan",   "asin", "acos",  "atan",   "sinh",   "cosh",  "tanh",  "asinh",
        "acosh", "atanh", "erf",  "erfc",  "tgamma", "lgamma", "pow",   "atan2", "hypot",
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        cc_arg(o, v, intern_printf(o->session, "-fno-builtin-%s", functions[i]));
        cc_arg(o, v, intern_printf(o->session, "-fno-builtin-%sf", functions[i]));
    }
}

/* Whether the compiler's file, behind links, has this in its name */
static bool is_named(const char *path, const char *what) {
    return strstr(path_name(path), what) != NULL;
}

/* By its own name, as in a folder of links to ccache, or by that of what it is a link to */
static bool is_compiler(const char *cc, const char *what) {
    char path[PATH_MAX];
    return is_named(cc, what) || (realpath(cc, path) && is_named(path, what));
}

const char *cc_openmp_library(const Toolchain *t) { return is_compiler(t->behind, "clang") ? "-lomp" : "-lgomp"; }

/* What was chosen for the C compiler when it optimizes (opt/choices.def).  How copies are made only gcc can be told. */
static void choice_flags(const Options *o, const Toolchain *t, Argv *v) {
    for (int i = 0; i < CHOICE_COUNT && o->pass.level > 1; i++) {
        const char *word = choice_word(&o->pass, (ChoiceId)i);
        if (*word == '-' && (strncmp(word, "-mmem", 5) || is_compiler(t->behind, "gcc"))) cc_arg(o, v, word);
    }
}

/* clang copies the body of a loop whose length is known as often as its length divides (91 copies for 4095): for a
 * chain of additions nothing is won, and it takes seconds.  Other loops have at most 8 copies anyway.  For Zen 3 and 4
 * clang before 19 copies them until they have hundreds of instructions, which takes up to twice the time to compile
 * and makes up to twice as much; later ones stop at about 100 (llvm-project#91340), as --jit does. */
static void clang_flags(const Options *o, const Toolchain *t, Argv *v) {
    static const char *const words[] = {"-unroll-max-count=8", "-unroll-partial-threshold=100"};
    if (!is_compiler(t->behind, "clang")) return;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) cc_arg(o, v, "-mllvm"), cc_arg(o, v, words[i]);
}

/* gcc 12 parts `#pragma omp simd` loops that read elements and then set them to 0 into copies and fills of memory, and
 * puts the fills first: what simd says of iterations it takes for what one iteration does.  And where it makes
 * choices of branches (phiopt) it keeps what it knew of an index in one of them: loops over branches in branches, as
 * derivatives have them, come out wrong (12.2: tests/run/grad_branch_in_branch.dsl).  Without it programs take as long.
 */
static void gcc_flags(const Options *o, const Toolchain *t, Argv *v) {
    if (!is_compiler(t->behind, "gcc")) return;
    cc_arg(o, v, "-fno-tree-loop-distribute-patterns");
    cc_arg(o, v, "-fno-ssa-phiopt");
}

static void compile_flags(const Options *o, const Toolchain *t, Argv *v) {
    static const char *const levels[] = {"-O0", "-O1", "-O3", "-O3"};
    static const char *const always[] = {
        "-std=gnu11", "-fopenmp", "-ffp-contract=off", "-fwrapv", "-fno-math-errno", "-fno-trapping-math",
        /* what would be a wrong program, not a matter of taste */
        "-Werror=implicit-function-declaration", "-Werror=implicit-int", "-Werror=int-conversion",
        "-Werror=incompatible-pointer-types", "-Werror=return-type",
    };
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) cc_arg(o, v, always[i]);
    cc_arg(o, v, intern_printf(o->session, "-march=%s", o->cpu ? o->cpu : "native"));
    cc_arg(o, v, levels[o->pass.level]);
    choice_flags(o, t, v);
    math_flags(o, v);
    clang_flags(o, t, v);
    gcc_flags(o, t, v);
    if (o->debug) cc_arg(o, v, "-g");
#ifdef SANITIZED
    cc_arg(o, v, "-fsanitize=address,undefined");
    cc_arg(o, v, "-fno-sanitize=vla-bound,alignment,shift");
    cc_arg(o, v, "-fno-sanitize-recover=undefined");
#endif
}

void cc_compiler(const Options *o, const Toolchain *t, Argv *v) {
    cc_arg(o, v, t->cc);
    const char *p = t->cc_args ? t->cc_args : "";
    for (const char *word; (word = next_word(&p, o->session));) cc_arg(o, v, word);
}

void cc_command(const Options *o, const Toolchain *t, Argv *v) {
    cc_compiler(o, t, v);
    compile_flags(o, t, v);
    cc_arg(o, v, intern_printf(o->session, "-I%s", t->include));
}

/* What mpicc says to the linker (Makefile) */
static void ranks_words(const Options *o, const Toolchain *t, Argv *v) {
    size_t n;
    char *words = file_read(session_arena(o->session), intern_printf(o->session, "%s/libdslmpi.words", t->lib), &n);
    if (!words) return;
    words[strcspn(words, "\n")] = 0;
    const char *p = words;
    for (const char *word; (word = next_word(&p, o->session));) cc_arg(o, v, word);
}

static void link_flags(const Options *o, const Toolchain *t, Argv *v) {
    if (o->pass.ranks) cc_arg(o, v, intern_printf(o->session, "%s/libdslmpi.a", t->lib));
    if (!t->shared) cc_arg(o, v, intern_printf(o->session, "%s/libdslrt.a", t->lib));
    if (o->pass.ranks) ranks_words(o, t, v);
    if (t->object && gpu_has_shadow()) cc_arg(o, v, "-rdynamic"), cc_arg(o, v, "-Wl,-u,dsl_simt_launch");
    if (!o->debug) cc_arg(o, v, "-s");
    cc_arg(o, v, "-lm");
}

Hash own_identity(Session *s) {
    Hash h = hash_file_identity(hash_processor((Hash){1, 2}), "/proc/self/exe");
    const char *plugin = plugin_path(s);
    return plugin ? hash_file_identity(h, plugin) : h;
}

static bool has_ranks(const Options *o, const Toolchain *t) {
    if (!o->pass.ranks || exists(intern_printf(o->session, "%s/libdslmpi.a", t->lib))) return true;
    Diag *d = diag_report(o->session, NO_SPAN, E_NO_MPI);
    diag_hint(o->session, d, "install MPI (Debian: apt install libopenmpi-dev openmpi-bin), and build dslc again");
    return false;
}

bool cc_find(const Options *o, Toolchain *t) {
    Session *s = o->session;
    *t = (Toolchain){0};
    if (!find_compiler(o, t) || !find_runtime(o, t) || !has_ranks(o, t)) return false;
    look_behind(o, t);
    Hash h = hash_text(hash_processor((Hash){1, 2}), t->cc_args);
    h = hash_file_identity(hash_file_identity(h, t->cc), t->behind);
    h = hash_file_identity(h, "/proc/self/exe");
    h = hash_file_identity(h, intern_printf(s, "%s/libdslrt.a", t->lib));
    h = hash_file_identity(h, intern_printf(s, "%s/gen.h", t->include));
    h = hash_file_identity(h, intern_printf(s, "%s/dsl.h", t->include));
    static const char *const headers[] = {"elementary.h",     "elementary_own.h", "elementary_exp.h",
                                          "elementary_log.h", "elementary_arc.h", "elementary_trig.h",
                                          "elementary_pow.h", "ranks.h"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        h = hash_file_identity(h, intern_printf(s, "%s/%s", t->include, headers[i]));
    Argv v = {0};
    compile_flags(o, t, &v);
    for (int i = 0; i < v.len; i++) h = hash_text(h, v.data[i]);
    if (o->pass.ranks) h = hash_file_identity(h, intern_printf(s, "%s/libdslmpi.a", t->lib));
    t->identity = h;
    return link_identity(o, t);
}

bool cc_is_there(const Options *o) {
    Toolchain t;
    bool found = cc_find(o, &t);
    if (!found) diag_clear(o->session);
    return found;
}

/* ---- running it */

enum { NOT_RUN = 127 };

static int wait_for(pid_t child) {
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void become(char *const *argv, const char *errors) {
    int fd = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0600), null = open("/dev/null", O_RDWR);
    if (fd >= 0 && null >= 0 && dup2(null, 0) >= 0 && dup2(fd, 1) >= 0 && dup2(fd, 2) >= 0) execv(argv[0], argv);
    _exit(NOT_RUN);
}

static void end_group(int sig) {
    signal(sig, SIG_DFL);
    kill(0, sig);
}

/* Compilers run others, which do not end with them: so all are a group, and the process that waits for it here ends it
 * when dslc ends, by whatever signal. */
static void mind(char *const *argv, const char *errors, pid_t dslc) {
    setpgid(0, 0);
    signal(SIGTERM, end_group);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    pid_t child = getppid() == dslc ? fork() : -1;
    if (child == 0) become(argv, errors);
    int status = child < 0 ? -1 : wait_for(child);
    _exit(status < 0 ? NOT_RUN : status);
}

int cc_execute(const Argv *command, const char *errors) {
    fflush(NULL);
    pid_t self = getpid(), child = fork();
    if (child == 0) mind((char *const *)command->data, errors, self);
    return child < 0 ? -1 : wait_for(child);
}

static bool write_bytes(const char *path, const char *bytes, size_t n) {
    FILE *f = fopen(path, "wb");
    if (!f) return false;
    bool ok = fwrite(bytes, 1, n, f) == n;
    return !fclose(f) && ok;
}

bool cc_write_file(const char *path, const char *text) { return write_bytes(path, text, strlen(text)); }

/* gcc: bad value ('NAME') for '-march=' switch; clang: unknown target CPU 'NAME' */
static bool is_unknown_processor(const char *errors) {
    return strstr(errors, "-march=") || strstr(errors, "target CPU");
}

static void report_processor(const Options *o, const char *cc) {
    Diag *d = diag_report(o->session, NO_SPAN, E_OPTION_VALUE, "cpu", o->cpu);
    bool gpu = o->pass.device || o->explain_kernel;
    diag_hint(o->session, d, "it takes what %s knows as -march: x86-64-v2, x86-64-v3, haswell, znver3, native, ..%s",
              cc, gpu ? "; a GPU by its compute capability: sm_90" : "");
}

/* For code of LLVM, which ends the program on names that it does not know: those of a C compiler are its, too. */
bool cpu_is_known(const Options *o) {
    const char *name = cpu_named(o);
    Toolchain t;
    if (!name || !strcmp(name, "native") || !cc_is_there(o) || !cc_find(o, &t)) return true;
    Argv v = {0};
    cc_compiler(o, &t, &v);
    const char *march = intern_printf(o->session, "-march=%s", name);
    const char *const words[] = {march, "-fsyntax-only", "-xc", "/dev/null", NULL};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) cc_arg(o, &v, words[i]);
    bool known = cc_execute(&v, "/dev/null") == 0;
    if (!known) report_processor(o, t.cc);
    return known;
}

bool cc_report_known(const Options *o, const Toolchain *t, const char *errors) {
    Session *s = o->session;
    if (o->cpu && is_unknown_processor(errors)) {
        report_processor(o, t->cc);
        return true;
    }
    const char *p = strstr(errors, "undefined reference to ");
    if (p) {
        p += strlen("undefined reference to ");
        size_t n = strcspn(p + 1, "'\n`");
        const char *name = intern_n(s, p + 1, n);
        const Span *at = map_get(&t->externs, name);
        Diag *d = diag_report(s, at ? *at : NO_SPAN, E_NO_EXTERN, name);
        diag_hint(s, d, "--link=FILE.c, --link=FILE.o or --link=-lNAME brings the C function of an `extern fn`");
        return true;
    }
    p = strstr(errors, "cannot find -l");
    if (!p && !(p = strstr(errors, "unable to find library -l"))) return false;
    p = strstr(p, "-l");
    Diag *d = diag_report(s, NO_SPAN, E_NO_LIBRARY, intern_n(s, p + 2, strcspn(p + 2, ": \n")));
    if (o->link.len) diag_hint(s, d, "--link=-LDIR says in which folder a library lies");
    else diag_hint(s, d, "Debian: apt install libgomp1 (gcc), libomp-dev (clang)");
    return true;
}

static bool disk_is_full(const char *errors) { return strstr(errors, "No space left on device") != NULL; }

/* An error of ours: keep the C file and say where it is. */
static bool refuse(const Options *o, Toolchain *t, const char *c_path, const char *errors) {
    t->compiler_error = true;
    fprintf(stderr, "internal error: the C compiler (%s) refused the generated code, which was kept in %s\n", t->cc,
            c_path);
    if (errors) fprintf(stderr, "%.2000s", errors);
    fprintf(stderr, "This is a bug in dslc; please report it with the program.\n");
    diagnostics_flush(o);
    return false;
}

static const char *object_path(const Options *o, const char *dir) {
    return intern_printf(o->session, "%s/more.o", dir);
}

/* dir holds program.c, t's object and those of --link; extra: one more flag, or NULL.  The exit status of the C
 * compiler. */
static int run_compiler(const Options *o, const Toolchain *t, const char *dir, const char *exe, const char *extra) {
    Argv v = {0};
    cc_command(o, t, &v);
    cc_arg(o, &v, "-w");
    if (t->shared) cc_arg(o, &v, "-fPIC"), cc_arg(o, &v, "-shared");
    if (extra) cc_arg(o, &v, extra);
    cc_arg(o, &v, "-o");
    cc_arg(o, &v, exe);
    cc_arg(o, &v, intern_printf(o->session, "%s/program.c", dir));
    if (t->object) cc_arg(o, &v, object_path(o, dir));
    link_arguments(o, dir, &v);
    link_flags(o, t, &v);
    cc_arg(o, &v, NULL);
    return cc_execute(&v, intern_printf(o->session, "%s/errors", dir));
}

/* gcc and clang have bugs too, most of them in optimizations. */
static bool crashed(const char *errors) {
    return strstr(errors, "internal compiler error") || strstr(errors, "PLEASE submit a bug report");
}

static bool is_there(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && st.st_size > 0;
}

/* Not what we wrote is wrong, but the compiler: it makes nothing of a program that does nothing. */
static bool compiler_works(const Options *o, const Toolchain *t, const char *dir) {
    Session *s = o->session;
    const char *c = intern_printf(s, "%s/nothing.c", dir), *exe = intern_printf(s, "%s/nothing", dir);
    Argv v = {0};
    cc_command(o, t, &v);
    const char *const words[] = {"-o", exe, c, NULL};
    for (int i = 0; i < 4; i++) cc_arg(o, &v, words[i]);
    bool ok = cc_write_file(c, "int main(void) { return 0; }\n") &&
              cc_execute(&v, intern_printf(s, "%s/errors", dir)) == 0 && is_there(exe);
    unlink(c);
    unlink(exe);
    return ok;
}

static bool no_real_compiler(const Options *o, const Toolchain *t, const char *why) {
    Session *s = o->session;
    Diag *d = diag_report(s, NO_SPAN, E_CC_FAILED, t->cc,
                          why && *why ? intern_n(s, why, strcspn(why, "\n")) : "it makes no executable");
    diag_hint(s, d, "gcc or clang is needed; --cc, a line 'cc' in FILE.tune, DSL_CC or CC names it");
    return false;
}

static bool compile(const Options *o, Toolchain *t, const char *dir, const char *exe) {
    Session *s = o->session;
    size_t len;
    const char *err_path = intern_printf(s, "%s/errors", dir);
    if (!link_compile(o, t, dir)) return false;
    int status = run_compiler(o, t, dir, exe, NULL);
    const char *errors = status ? file_read(session_arena(s), err_path, &len) : NULL;
    if (errors && crashed(errors) && o->pass.level > 1) { /* the same bits, a little slower */
        status = run_compiler(o, t, dir, exe, "-O1");
        errors = status ? file_read(session_arena(s), err_path, &len) : NULL;
    }
    if (status == 0) return is_there(exe) || no_real_compiler(o, t, NULL);
    if (status < 0 || status == 127) return diag_report(s, NO_SPAN, E_CC_FAILED, t->cc, "it could not be run"), false;
    if (errors && disk_is_full(errors)) return diag_report(s, NO_SPAN, E_CANNOT_WRITE, exe, strerror(ENOSPC)), false;
    if (errors && cc_report_known(o, t, errors)) return false;
    if (!(errors && crashed(errors)) && !compiler_works(o, t, dir)) return no_real_compiler(o, t, errors);
    return refuse(o, t, intern_printf(s, "%s/program.c", temp_dir_keep(o, dir)), errors);
}

bool cc_compile(const Options *o, Toolchain *t, const char *c_text, const char *exe) {
    Session *s = o->session;
    const char *dir = temp_dir_new(o);
    if (!dir) return false;
    const char *c_path = intern_printf(s, "%s/program.c", dir), *object = object_path(o, dir);
    bool ok = !t->object || write_bytes(object, t->object, t->object_size);
    if (ok && cc_write_file(c_path, c_text)) ok = compile(o, t, dir, exe);
    else ok = false, diag_report(s, NO_SPAN, E_CANNOT_WRITE, c_path, strerror(errno));
    if (t->compiler_error) return false;
    link_clean(o, dir);
    unlink(c_path);
    if (t->object) unlink(object);
    rmdir(dir);
    return ok;
}
