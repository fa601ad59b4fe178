/* Arguments of a program, as it declares them: --steps=5, --steps 5, --flag, --no-flag; and --help.
 *
 * Before anything else a program says which it has, then all of the command line is read and checked: what is wrong
 * there is told before a computation begins, with status 2.  - and _ are alike in names; of an argument that is given
 * twice the last counts. */
#include "runtime/host.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

typedef struct Argument {
    const char *name, *type, *value, *doc; /* value: the default as the program has it; "": there is none */
    const char *given;                     /* NULL: it is not */
    int64_t i;                             /* of what is given: bools and ints */
    double f;
} Argument;

static struct { const char *program; char **words; int count; } line = {"program", NULL, 0};
static struct { Argument *all; int count; } args;

void dsl_set_arguments(int argc, char **argv) {
    const char *known = getenv("DSL_PROGRAM"); /* as dslc run has it, where a launcher stands between */
    line.program = known ? known : argc > 0 ? argv[0] : "program";
    line.words = argv + (argc > 0);
    line.count = argc > 0 ? argc - 1 : 0;
    free(args.all);
    args.all = NULL;
    args.count = 0;
}

/* ---- types */

typedef struct { const char *name, *shown, *what; int64_t least; uint64_t most; } ArgType;
static const ArgType arg_types[] = {
    {"i8", "INT", "an int from -128 to 127", INT8_MIN, INT8_MAX},
    {"i16", "INT", "an int from -32768 to 32767", INT16_MIN, INT16_MAX},
    {"i32", "INT", "an int of 32 bits", INT32_MIN, INT32_MAX},
    {"i64", "INT", "an int", INT64_MIN, INT64_MAX},
    {"u8", "INT", "an int from 0 to 255", 0, UINT8_MAX},
    {"u16", "INT", "an int from 0 to 65535", 0, UINT16_MAX},
    {"u32", "INT", "an int of 32 bits, from 0 on", 0, UINT32_MAX},
    {"u64", "INT", "an int from 0 on", 0, UINT64_MAX},
    {"f16", "NUMBER", "a number", 0, 0}, {"bf16", "NUMBER", "a number", 0, 0},
    {"f32", "NUMBER", "a number", 0, 0}, {"f64", "NUMBER", "a number", 0, 0},
    {"str", "TEXT", "a text", 0, 0}, {"bool", "", "true or false", 0, 0},
};

static const ArgType *type_of(const Argument *a) {
    const ArgType *t = arg_types;
    while (strcmp(t->name, a->type)) t++;
    return t;
}

static bool is_bool(const Argument *a) { return !strcmp(a->type, "bool"); }

/* ---- help */

static void put_indented(const char *text, int column) {
    for (;; text += strcspn(text, "\n") + 1) {
        int n = (int)strcspn(text, "\n");
        printf("%.*s\n", n, text);
        if (!text[n]) return;
        printf("%*s", column, "");
    }
}

static int put_name(char *out, size_t cap, const Argument *a) {
    if (is_bool(a)) return snprintf(out, cap, "  --%s, --no-%s", a->name, a->name);
    return snprintf(out, cap, "  --%s=%s", a->name, type_of(a)->shown);
}

/* How to call it: a file of source is no command. */
static const char *command(char *out, size_t cap) {
    size_t n = strlen(line.program);
    bool source = n > 4 && !strcmp(line.program + n - 4, ".dsl");
    snprintf(out, cap, source ? "dslc run %s --" : "%s", line.program);
    return out;
}

static void put_usage(FILE *out) {
    char text[1024];
    fprintf(out, "usage: %s", command(text, sizeof text));
    for (int i = 0; i < args.count; i++)
        if (!*args.all[i].value)
            fprintf(out, " --%s=%s", args.all[i].name,
                    *type_of(&args.all[i])->shown ? type_of(&args.all[i])->shown : "BOOL");
    fputs(args.count ? " [ARGUMENTS]\n" : " [--threads=N]\n", out);
}

enum { COLUMN = 26 };

static void put_entry(const char *name, const char *doc, const char *note) {
    char text[4096];
    snprintf(text, sizeof text, "%s%s%s", doc, *doc && *note ? " " : "", note);
    printf("%s%*s", name, COLUMN - (int)strlen(name), "");
    if (strlen(name) >= COLUMN) printf("\n%*s", COLUMN, "");
    put_indented(text, COLUMN);
}

static void put_argument(const Argument *a) {
    char name[256], note[1024];
    put_name(name, sizeof name, a);
    if (*a->value) snprintf(note, sizeof note, "(default: %s)", a->value);
    else snprintf(note, sizeof note, "(required)");
    put_entry(name, a->doc, note);
}

static __attribute__((noreturn)) void help(const char *doc) {
    put_usage(stdout);
    if (*doc) printf("\n%s\n", doc);
    printf("\narguments:\n");
    for (int i = 0; i < args.count; i++) put_argument(&args.all[i]);
    put_entry("  --threads=N", "how many threads work", "(default: one for each core)");
    put_entry("  -h, --help", "this text", "");
    bool ok = fflush(stdout) == 0;
    if (!ok) fprintf(stderr, "%s: cannot write the output: %s\n", line.program, strerror(errno));
    if (dsl_stops && ok) exit(0); /* all ranks have come to this */
    _exit(!ok);
}

/* ---- what is wrong */

/* How many letters differ, are too many, too few, or in each other's place; more than 3 is 4. */
static int distance(const char *a, const char *b) {
    enum { MOST = 40 };
    int rows[3][MOST + 1];
    size_t n = strlen(a), m = strlen(b);
    if (n > MOST || m > MOST) return 4;
    for (size_t j = 0; j <= m; j++) rows[0][j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        int *row = rows[i % 3], *up = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            int best = up[j - 1] + (a[i - 1] != b[j - 1]);
            if (up[j] + 1 < best) best = up[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[n % 3][m] < 4 ? rows[n % 3][m] : 4;
}

static __attribute__((noreturn)) void stop(void) {
    fflush(NULL);
    if (dsl_stops) dsl_stops(2);
    _exit(2);
}

static __attribute__((noreturn)) void fail_unknown(const char *word) {
    if (dsl_fails_first) dsl_fails_first();
    const char *bare = word + strspn(word, "-"), *nearest = NULL;
    size_t n = strcspn(bare, "=");
    char name[64], text[1024];
    snprintf(name, sizeof name, "%.*s", (int)(n < 63 ? n : 63), bare);
    int least = (int)n / 3 + 2 < 4 ? (int)n / 3 + 2 : 4;
    for (int i = 0; i < args.count; i++) {
        int d = distance(name, args.all[i].name);
        if (d < least) least = d, nearest = args.all[i].name;
    }
    fprintf(stderr, "%s: there is no argument '%.*s'\n", line.program, (int)strcspn(word, "="), word);
    if (*word != '-')
        fprintf(stderr, "  hint: values are given by name: %s\n",
                args.count ? "--NAME=VALUE" : "this program declares none (arg name: type = value)");
    else if (nearest) fprintf(stderr, "  hint: did you mean --%s?\n", nearest);
    else if (!args.count)
        fprintf(stderr, "  hint: the program declares no arguments; a line of it does: arg %s: int = 1\n",
                *name && *name != '-' ? name : "steps");
    if (args.count) fprintf(stderr, "  hint: %s --help lists what there is\n", command(text, sizeof text));
    stop();
}

static __attribute__((noreturn)) void fail_value(const Argument *a, const char *given) {
    if (dsl_fails_first) dsl_fails_first();
    fprintf(stderr, "%s: --%s takes %s, not '%s'\n", line.program, a->name, type_of(a)->what, given);
    stop();
}

static __attribute__((noreturn)) void fail_missing(const Argument *a, const char *what) {
    if (dsl_fails_first) dsl_fails_first();
    fprintf(stderr, "%s: --%s %s\n", line.program, a->name, what);
    if (*a->doc) fprintf(stderr, "  it is: %.*s\n", (int)strcspn(a->doc, "\n"), a->doc);
    put_usage(stderr);
    stop();
}

/* ---- values */

/* As literals are written: 1_000, 0xff, 0b101, and 1e6, which is an int. */
static bool read_int(const ArgType *t, const char *word, int64_t *out) {
    char plain[64], *end;
    size_t n = 0;
    for (const char *c = word; *c; c++) {
        if (*c == '_' && c > word && isdigit((unsigned char)c[-1]) && isdigit((unsigned char)c[1])) continue;
        if (n + 1 >= sizeof plain) return false;
        plain[n++] = *c;
    }
    plain[n] = 0;
    bool minus = *plain == '-';
    const char *digits = plain + (minus || *plain == '+');
    if (!isdigit((unsigned char)*digits)) return false;
    int base = !strncasecmp(digits, "0x", 2) ? 16 : !strncasecmp(digits, "0b", 2) ? 2 : 10;
    errno = 0;
    uint64_t size = strtoull(digits + (base == 2 ? 2 : 0), &end, base);
    if (*end) {
        double f = strtod(digits, &end);
        if (*end || f != floor(f) || f > 0x1p53) return false;
        size = (uint64_t)f;
    } else if (errno) return false;
    if (minus ? size > -(uint64_t)t->least : size > t->most) return false;
    *out = (int64_t)(minus ? -size : size);
    return true;
}

static bool read_float(const char *type, const char *word, double *out) {
    char *end;
    *out = strtod(word, &end);
    if (end == word || *end || isspace((unsigned char)*word)) return false;
    if (strcmp(type, "f64"))
        return isinf(*out) || isnan(*out) || fabs(*out) <= (!strcmp(type, "f16") ? 65504 : FLT_MAX);
    return !isinf(*out) || strpbrk(word, "iI"); /* 1e999 is no number */
}

static bool read_bool(const char *word, int64_t *out) {
    static const char *const words[][2] = {{"false", "true"}, {"no", "yes"}, {"0", "1"}, {"off", "on"}};
    for (int k = 0; k < 4; k++)
        for (int v = 0; v < 2; v++)
            if (!strcmp(word, words[k][v])) return *out = v, true;
    return false;
}

static void give(Argument *a, const char *word) {
    const ArgType *t = type_of(a);
    bool ok = !strcmp(t->shown, "TEXT") || (is_bool(a)                 ? read_bool(word, &a->i)
                                            : !strcmp(t->shown, "INT") ? read_int(t, word, &a->i)
                                                                       : read_float(a->type, word, &a->f));
    if (!ok) fail_value(a, word);
    a->given = word;
}

/* ---- the command line */

static bool same_name(const char *name, const char *word, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!name[i] || (name[i] != word[i] && !(name[i] == '_' && word[i] == '-'))) return false;
    return !name[n];
}

static Argument *find(const char *word, size_t n) {
    for (int i = 0; i < args.count; i++)
        if (same_name(args.all[i].name, word, n)) return &args.all[i];
    return NULL;
}

/* What stands behind --NAME; it may look like anything but an argument that there is. */
static const char *next_word(const Argument *a, int *i) {
    const char *next = *i + 1 < line.count ? line.words[*i + 1] : NULL;
    bool is_name = next && !strncmp(next, "--", 2) &&
                   (find(next + 2, strcspn(next + 2, "=")) || !strncmp(next, "--no-", 5));
    if (!next || is_name) {
        char what[64];
        snprintf(what, sizeof what, "needs a value: --%.20s=%s", a->name, type_of(a)->shown);
        fail_missing(a, what);
    }
    return line.words[++*i];
}

/* dsl_init takes it; interpreted programs have no threads. */
static bool is_threads(const char *word) { return !strncmp(word, "--threads=", 10); }

static void read_word(int *i) {
    const char *word = line.words[*i];
    if (is_threads(word)) return;
    if (strncmp(word, "--", 2) || !word[2]) fail_unknown(word);
    size_t n = strcspn(word + 2, "=");
    Argument *a = find(word + 2, n);
    if (a && word[2 + n]) give(a, word + 3 + n);
    else if (a && is_bool(a)) give(a, "true");
    else if (a) give(a, next_word(a, i));
    else if (!strncmp(word, "--no-", 5) && !word[2 + n] && (a = find(word + 5, n - 3)) && is_bool(a)) give(a, "false");
    else fail_unknown(word);
}

static bool asks_for_help(void) {
    for (int i = 0; i < line.count; i++)
        if (!strcmp(line.words[i], "-h") || !strcmp(line.words[i], "--help")) return true;
    return false;
}

void dsl_x_arg_declare(const char *name, const char *type, const char *value, const char *doc) {
    Argument *more = realloc(args.all, sizeof *more * (size_t)(args.count + 1));
    if (!more) dsl_fail(NULL, "E0603", "not enough memory for the arguments");
    args.all = more;
    args.all[args.count++] = (Argument){.name = name, .type = type, .value = value, .doc = doc};
}

void dsl_x_args_read(const char *doc) {
    if (asks_for_help()) help(doc);
    for (int i = 0; i < line.count; i++) read_word(&i);
    for (int i = 0; i < args.count; i++)
        if (!args.all[i].given && !*args.all[i].value) fail_missing(&args.all[i], "must be given");
}

void dsl_no_arguments(void) {
    if (asks_for_help()) help("");
    for (int i = 0; i < line.count; i++)
        if (!is_threads(line.words[i])) fail_unknown(line.words[i]);
}

/* ---- asked for where the argument stands */

static const Argument *given(const char *name) {
    const Argument *a = find(name, strlen(name));
    return a && a->given ? a : NULL;
}

int64_t dsl_x_arg_int(const char *name, int64_t value) { return given(name) ? given(name)->i : value; }
double dsl_x_arg_float(const char *name, double value) { return given(name) ? given(name)->f : value; }
bool dsl_x_arg_bool(const char *name, bool value) { return given(name) ? given(name)->i : value; }
const char *dsl_x_arg_str(const char *name, const char *value) { return given(name) ? given(name)->given : value; }
