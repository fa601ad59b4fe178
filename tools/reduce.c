/* reduce FILE COMMAND [ARG...]: the smallest program that this finds for which COMMAND ARG... PROGRAM still
 * exits with 0, on stdout.  COMMAND says "the failure is present", for example
 *     build/reduce bad.dsl tests/fuzz.sh --keeps 'differs: gcc -O3'
 *
 * Lines first: ranges of falling length whose braces balance, whole blocks, and blocks without their braces.
 * Then expressions: a bracketed part becomes one of its own parts or a literal, a side of an operator goes.
 * Round after round until nothing changes.  The order is fixed, so that the result is too. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct { char **line; int len; } Prog;
typedef struct { char **argv; int argc; char *path; long tries, limit; Prog best; } Reducer;

static void *checked(void *p) {
    if (!p) {
        fputs("reduce: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

static char *copy_part(const char *s, size_t n) {
    char *c = checked(malloc(n + 1));
    memcpy(c, s, n);
    c[n] = 0;
    return c;
}

static char *join3(const char *a, size_t na, const char *b, size_t nb, const char *c) {
    char *s = checked(malloc(na + nb + strlen(c) + 1));
    memcpy(s, a, na);
    memcpy(s + na, b, nb);
    strcpy(s + na + nb, c);
    return s;
}

static void prog_free(Prog *p) {
    for (int i = 0; i < p->len; i++) free(p->line[i]);
    free(p->line);
}

/* All but the lines marked in drop */
static Prog prog_without(const Prog *p, const bool *drop) {
    Prog r = {checked(malloc((size_t)(p->len + 1) * sizeof *r.line)), 0};
    for (int i = 0; i < p->len; i++)
        if (!drop[i]) r.line[r.len++] = copy_part(p->line[i], strlen(p->line[i]));
    return r;
}

static Prog prog_with_line(const Prog *p, int at, const char *text) {
    Prog r = {checked(malloc((size_t)(p->len + 1) * sizeof *r.line)), p->len};
    for (int i = 0; i < p->len; i++) {
        const char *s = i == at ? text : p->line[i];
        r.line[i] = copy_part(s, strlen(s));
    }
    return r;
}

static Prog prog_read(const char *path) {
    Prog p = {0};
    char *buf = NULL;
    size_t cap = 0;
    ssize_t n;
    FILE *f = fopen(path, "r");
    if (!f) {
        perror(path);
        exit(2);
    }
    while ((n = getline(&buf, &cap, f)) >= 0) {
        if (n && buf[n - 1] == '\n') n--;
        p.line = checked(realloc(p.line, (size_t)(p.len + 1) * sizeof *p.line));
        p.line[p.len++] = copy_part(buf, (size_t)n);
    }
    free(buf);
    fclose(f);
    return p;
}

static void prog_write(const Prog *p, FILE *f) {
    for (int i = 0; i < p->len; i++) fprintf(f, "%s\n", p->line[i]);
}

static bool fails(Reducer *r, const Prog *p) {
    FILE *f = fopen(r->path, "w");
    if (!f || r->tries++ >= r->limit) {
        if (f) fclose(f);
        return false;
    }
    prog_write(p, f);
    fclose(f);
    pid_t pid = fork();
    if (pid == 0) {
        if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(126);
        execvp(r->argv[0], r->argv);
        _exit(127);
    }
    int status = 0;
    if (pid < 0 || waitpid(pid, &status, 0) < 0) return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Keeps the candidate when it still fails */
static bool take(Reducer *r, Prog candidate) {
    if (!fails(r, &candidate)) {
        prog_free(&candidate);
        return false;
    }
    prog_free(&r->best);
    r->best = candidate;
    if (isatty(2)) fprintf(stderr, "\rreduce: %d lines, %ld tries ", r->best.len, r->tries);
    return true;
}

/* ---- lines */

static int net(const char *s, int *least) { /* braces opened less closed; *least: how deep it dips */
    int d = 0;
    *least = 0;
    for (; *s && *s != '#'; s++) {
        if (*s == '{') d++;
        if (*s == '}' && --d < *least) *least = d;
    }
    return d;
}

static bool balanced(const Prog *p, int from, int to) {
    int d = 0, least;
    for (int i = from; i < to; i++) {
        int n = net(p->line[i], &least);
        if (d + least < 0) return false;
        d += n;
    }
    return d == 0;
}

static bool drop_range(Reducer *r, int from, int to) {
    bool *drop = checked(calloc((size_t)r->best.len + 1, 1));
    for (int i = from; i < to; i++) drop[i] = true;
    bool ok = take(r, prog_without(&r->best, drop));
    free(drop);
    return ok;
}

static bool drop_ranges(Reducer *r) {
    bool any = false;
    for (int size = r->best.len / 2; size >= 1; size /= 2)
        for (int i = r->best.len - size; i >= 0; i -= size)
            if (i + size <= r->best.len && balanced(&r->best, i, i + size)) any |= drop_range(r, i, i + size);
    return any;
}

static int block_end(const Prog *p, int from) { /* the line that closes what line from opens, or -1 */
    int d = 0, least;
    for (int i = from; i < p->len; i++) {
        d += net(p->line[i], &least);
        if (i > from && d <= 0) return i;
        if (d <= 0) return -1;
    }
    return -1;
}

static bool drop_blocks(Reducer *r) {
    bool any = false;
    for (int i = 0; i < r->best.len; i++) {
        int end = block_end(&r->best, i);
        if (end < 0) continue;
        if (drop_range(r, i, end + 1)) {
            any = true;
            i--;
            continue;
        }
        bool *drop = checked(calloc((size_t)r->best.len, 1));
        drop[i] = drop[end] = true;
        bool ok = take(r, prog_without(&r->best, drop));
        free(drop);
        any |= ok;
        if (ok) i--;
    }
    return any;
}

/* `} else {` and what follows it */
static bool drop_elses(Reducer *r) {
    bool any = false;
    for (int i = 0; i < r->best.len; i++) {
        const char *s = r->best.line[i] + strspn(r->best.line[i], " ");
        if (strncmp(s, "} else", 6)) continue;
        int d = 1, least, end = -1;
        for (int k = i + 1; k < r->best.len && end < 0; k++) {
            int n = net(r->best.line[k], &least);
            if (d + least <= 0) end = k;
            d += n;
        }
        if (end > i && drop_range(r, i, end)) any = true, i--;
    }
    return any;
}

/* ---- expressions */

static bool replace(Reducer *r, int at, size_t from, size_t to, const char *text, size_t n) {
    const char *s = r->best.line[at];
    if (to - from == n && !strncmp(s + from, text, n)) return false;
    char *new = join3(s, from, text, n, s + to);
    bool ok = take(r, prog_with_line(&r->best, at, new));
    free(new);
    return ok;
}

static size_t closing(const char *s, size_t open) { /* index of the bracket that closes s[open]; 0: none */
    int d = 0;
    for (size_t i = open; s[i]; i++) {
        if (strchr("([{", s[i])) d++;
        if (strchr(")]}", s[i]) && --d == 0) return i;
    }
    return 0;
}

static bool word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

/* Literals that may stand for a part */
static const char *const literals[] = {"0", "1", "0.0", "1.0", "true"};

/* The bracket at i, with the name before it: becomes a literal, or one of the parts between its commas */
static bool shrink_bracket(Reducer *r, int at, size_t i) {
    const char *s = r->best.line[at];
    size_t end = closing(s, i), from = i;
    if (!end) return false;
    while (from > 0 && word(s[from - 1])) from--;
    size_t starts[16], n = 0, start = i + 1;
    int d = 0;
    size_t ends[16];
    for (size_t k = i + 1; k <= end && n < 16; k++) {
        if (strchr("([{", s[k])) d++;
        if (k < end && strchr(")]}", s[k])) d--;
        if (k == end || (s[k] == ',' && d == 0)) {
            starts[n] = start;
            ends[n++] = k;
            start = k + 1 + (s[k + 1] == ' ');
        }
    }
    for (size_t k = 0; k < n; k++) { /* f(a, b) -> a, (a) */
        char *part = copy_part(s + starts[k], ends[k] - starts[k]);
        bool ok = part[0] && replace(r, at, from, end + 1, part, strlen(part));
        if (!ok && part[0] && s[i] == '(') {
            char *paren = join3("(", 1, part, strlen(part), ")");
            ok = replace(r, at, from, end + 1, paren, strlen(paren));
            free(paren);
        }
        free(part);
        if (ok) return true;
    }
    for (size_t k = 0; k < sizeof literals / sizeof *literals; k++)
        if (end - from > 4 && replace(r, at, from, end + 1, literals[k], strlen(literals[k]))) return true;
    for (size_t k = 0; n > 1 && k < n; k++) { /* f(a, b) -> f(b) */
        size_t lo = k ? ends[k - 1] : starts[0], hi = k ? ends[k] : starts[1];
        if (replace(r, at, lo, hi, "", 0)) return true;
    }
    return false;
}

static size_t operator_at(const char *s, size_t i) { /* length of a binary operator with blanks around it */
    static const char *const ops[] = {" + ",  " - ",   " * ",  " / ", " // ", " % ",  " & ",  " | ",  " xor ", " << ",
                                      " >> ", " and ", " or ", " < ", " > ",  " <= ", " >= ", " == ", " != ",  " @ "};
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
        if (!strncmp(s + i, ops[k], strlen(ops[k]))) return strlen(ops[k]);
    return 0;
}

/* The operand that ends before / begins at a place: a run of word characters and brackets */
static size_t operand_left(const char *s, size_t i) {
    int d = 0;
    while (i > 0) {
        char c = s[i - 1];
        if (strchr(")]}", c)) d++;
        if (strchr("([{", c) && --d < 0) break;
        if (d == 0 && strchr(" ,", c)) break;
        i--;
    }
    return i;
}
static size_t operand_right(const char *s, size_t i) {
    int d = 0;
    for (; s[i]; i++) {
        if (strchr("([{", s[i])) d++;
        if (strchr(")]}", s[i]) && --d < 0) break;
        if (d == 0 && strchr(" ,", s[i])) break;
    }
    return i;
}

static bool shrink_operator(Reducer *r, int at, size_t i, size_t n) {
    const char *s = r->best.line[at];
    size_t left = operand_left(s, i), right = operand_right(s, i + n);
    return replace(r, at, i, right, "", 0) || replace(r, at, left, i + n, "", 0);
}

/* if c { a } else { b } -> a, or b */
static bool shrink_if(Reducer *r, int at, size_t i) {
    const char *s = r->best.line[at];
    const char *open = strchr(s + i, '{');
    size_t a = open ? (size_t)(open - s) : 0, a_end = a ? closing(s, a) : 0;
    if (!a_end || strncmp(s + a_end, "} else { ", 9)) return false;
    size_t b = a_end + 7, b_end = closing(s, b);
    if (!b_end) return false;
    char *first = copy_part(s + a + 2, a_end - a - 3), *second = copy_part(s + b + 2, b_end - b - 3);
    bool ok = replace(r, at, i, b_end + 1, first, strlen(first)) ||
              replace(r, at, i, b_end + 1, second, strlen(second));
    free(first);
    free(second);
    return ok;
}

static bool shrink_number(Reducer *r, int at, size_t i) {
    const char *s = r->best.line[at];
    size_t end = i;
    while (word(s[end])) end++;
    char *text = copy_part(s + i, end - i);
    bool is_float = strchr(text, '.') || strchr(text, 'e');
    long v = strtol(text, NULL, 0);
    char half[32];
    snprintf(half, sizeof half, "%ld", v / 2);
    bool ok = false;
    if (is_float) ok = strcmp(text, "1.0") && strcmp(text, "0.0") && replace(r, at, i, end, "1.0", 3);
    else if (v > 1)
        ok = (v != 2 && replace(r, at, i, end, "1", 1)) || (v > 4 && replace(r, at, i, end, half, strlen(half)));
    free(text);
    return ok;
}

static bool shrink_at(Reducer *r, int at, size_t i) {
    const char *s = r->best.line[at];
    bool starts = i == 0 || !word(s[i - 1]);
    size_t n = operator_at(s, i);
    if (n) return shrink_operator(r, at, i, n);
    if (s[i] == '(' || s[i] == '[') return shrink_bracket(r, at, i);
    if (starts && !strncmp(s + i, "if ", 3)) return shrink_if(r, at, i);
    if (starts && isdigit((unsigned char)s[i])) return shrink_number(r, at, i);
    return false;
}

static bool shrink_lines(Reducer *r) {
    bool any = false;
    for (int at = r->best.len - 1; at >= 0; at--)
        for (size_t i = 0; i < strlen(r->best.line[at]); i++)
            while (i < strlen(r->best.line[at]) && shrink_at(r, at, i)) any = true;
    return any;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fputs("usage: reduce FILE COMMAND [ARG...]   (COMMAND ARG... PROGRAM exits 0 while the failure is present)\n",
              stderr);
        return 2;
    }
    char path[] = "/tmp/reduce-XXXXXX.dsl";
    int fd = mkstemps(path, 4);
    if (fd < 0) return perror(path), 2;
    close(fd);
    Reducer r = {.argc = argc - 2, .path = path, .limit = 20000, .best = prog_read(argv[1])};
    r.argv = checked(calloc((size_t)argc + 1, sizeof *r.argv));
    for (int i = 2; i < argc; i++) r.argv[i - 2] = argv[i];
    r.argv[argc - 2] = path;
    int status = 0;
    if (!fails(&r, &r.best)) {
        fputs("reduce: the command does not exit with 0 for the program as it is\n", stderr);
        status = 1;
    } else {
        while (drop_ranges(&r) | drop_blocks(&r) | drop_elses(&r) || shrink_lines(&r)) {}
        fprintf(stderr, "%sreduce: %d lines after %ld tries\n", isatty(2) ? "\n" : "", r.best.len, r.tries);
        prog_write(&r.best, stdout);
    }
    unlink(path);
    prog_free(&r.best);
    free(r.argv);
    return status;
}
