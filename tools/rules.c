/* rules FILE.rules NAME: makes the tables of a RewriteSet NAME_rules (opt/rewrite.h) of a file of rules, as C on
 * stdout.
 *
 * What is wrong with a rule is reported with its line: unknown words, numbers of operands, variables that only the
 * right side has, and a right side that does not weigh less than the left.  The weight of a term is that of its
 * operations, 1 + cost (ops.def) or as (weight OP N) says, and 1 for each variable; no variable may stand on the right
 * more often than on the left.  So each rewriting makes any term lighter, and none goes on for ever.
 * Of operations that commute both orders become rules, but of min and max, of which the order tells in floats. */
#include "opt/rewrite.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct { const char *id, *mnemonic, *operands; int traits, weight; } Known;
static Known known[] = {
#define OP(id, mnemonic, levels, operands, results, regions, traits, attrs, rule, ctemplate, llvm, ad, cost, doc) \
    {#id, mnemonic, operands, traits, 1 + (cost)},
#include "ir/ops.def"
#undef OP
};
static const struct { const char *id, *name; int nargs; } predicates[] = {
#define PREDICATE(id, name, nargs, doc) {#id, name, nargs},
#include "opt/predicates.def"
#undef PREDICATE
};

enum { MOST_NODES = 64, MOST_RULES = 4000 };
typedef struct { RewriteNode node[MOST_NODES]; int n; } Term;
typedef struct { int id, nargs; Term args[REWRITE_ARGS]; } Guard;
typedef struct {
    char name[64];
    const char *text;
    int length, line, nguards, nvars;
    char var[REWRITE_VARS][32];
    Term lhs, rhs;
    Guard guard[4];
} Parsed;

static const char *file, *at;
static int line = 1;
static Parsed *rules[MOST_RULES];
static int nrules;

static void wrong(const char *what, const char *word) {
    fprintf(stderr, "%s:%d: %s%s%s\n", file, line, what, *word ? ": " : "", word);
    exit(1);
}

/* ---- reading */

static void space(void) {
    for (;; at++) {
        if (*at == '\n') line++;
        if (*at == ';') at += strcspn(at, "\n") - 1;
        else if (!isspace((unsigned char)*at)) return;
    }
}

static bool is_next(const char *sign) {
    space();
    return !strncmp(at, sign, strlen(sign));
}

static void expect(const char *sign) {
    if (!is_next(sign)) wrong("expected", sign);
    at += strlen(sign);
}

static const char *word(char *out, size_t size) {
    space();
    size_t n = strcspn(at, " \t\n();");
    if (n >= size || !n) wrong("a word is missing, or too long", "");
    memcpy(out, at, n);
    out[n] = 0;
    at += n;
    return out;
}

static int op_named(const char *name) {
    for (int i = 0; i < OP_COUNT; i++)
        if (!strcmp(known[i].mnemonic, name)) return i;
    wrong("there is no operation", name);
    return 0;
}

/* How many operands: words */
static int arity(int op) {
    int n = 0;
    for (const char *p = known[op].operands; *p; p += strcspn(p, " "), p += strspn(p, " ")) n++;
    return n;
}

static RewriteNode *node_new(Term *t, RewriteKind kind) {
    if (t->n == MOST_NODES) wrong("the term is too long", "");
    t->node[t->n] = (RewriteNode){.kind = kind, .op = OP_COUNT, .var = -1};
    return &t->node[t->n++];
}

static int var_named(Parsed *r, const char *name, bool may_be_new) {
    for (int i = 0; i < r->nvars; i++)
        if (!strcmp(r->var[i], name)) return i;
    if (!may_be_new) wrong("not on the left side", name);
    if (r->nvars == REWRITE_VARS || strlen(name) >= sizeof r->var[0]) wrong("too many variables", name);
    strcpy(r->var[r->nvars], name);
    return r->nvars++;
}

static void read_term(Parsed *r, Term *t, bool left);

static void read_operation(Parsed *r, Term *t, bool left, bool computed) {
    char name[32];
    expect("(");
    int op = op_named(word(name, sizeof name)), where = t->n;
    RewriteNode *n = node_new(t, computed ? RW_COMPUTED : RW_OP);
    n->op = (OpCode)op;
    int kids = 0;
    for (; !is_next(")"); kids++) read_term(r, t, left);
    expect(")");
    t->node[where].nkids = kids;
    if (kids != arity(op)) wrong("wrong number of operands", name);
}

static void read_literal(Term *t, const char *text) {
    bool negative = *text == '-';
    if (!strcmp(text, "true") || !strcmp(text, "false")) {
        node_new(t, RW_BOOL)->i = *text == 't';
        return;
    }
    char *end;
    if (strpbrk(text, ".ie")) {
        RewriteNode *n = node_new(t, RW_FLOAT);
        n->f = strtod(text, &end);
        if (negative && n->f == 0) n->f = -0.0;
    } else {
        node_new(t, RW_INT)->i = strtoll(text, &end, 10);
    }
    if (*end) wrong("not a pattern", text);
}

static void read_term(Parsed *r, Term *t, bool left) {
    char text[64];
    if (is_next("(")) return read_operation(r, t, left, false);
    if (is_next("#(")) {
        if (left) wrong("computed constants stand on the right", "");
        expect("#");
        return read_operation(r, t, left, true);
    }
    word(text, sizeof text);
    if (*text == '?' || *text == '#') node_new(t, *text == '?' ? RW_VAR : RW_CONST)->var = var_named(r, text, left);
    else if (!strcmp(text, "result")) node_new(t, RW_RESULT);
    else read_literal(t, text);
}

static void read_guard(Parsed *r) {
    char name[32];
    Guard *g = &r->guard[r->nguards++];
    if (r->nguards > 4) wrong("too many conditions", "");
    expect("(");
    word(name, sizeof name);
    for (g->id = 0; g->id < PREDICATE_COUNT && strcmp(predicates[g->id].name, name); g->id++) continue;
    if (g->id == PREDICATE_COUNT) wrong("there is no predicate", name);
    for (; !is_next(")"); g->nargs++) {
        if (g->nargs == REWRITE_ARGS) wrong("too many arguments", name);
        read_term(r, &g->args[g->nargs], false);
    }
    expect(")");
    if (g->nargs != predicates[g->id].nargs) wrong("wrong number of arguments", name);
}

/* ---- the measure */

static int weight(const Term *t) {
    int sum = 0;
    for (int i = 0; i < t->n; i++) {
        if (t->node[i].kind == RW_COMPUTED) i = rewrite_next(t->node, i) - 1;
        else if (t->node[i].kind == RW_OP) sum += known[t->node[i].op].weight;
        else if (t->node[i].kind == RW_VAR) sum++;
    }
    return sum;
}

static int occurrences(const Term *t, int var) {
    int n = 0;
    for (int i = 0; i < t->n; i++) n += t->node[i].kind == RW_VAR && t->node[i].var == var;
    return n;
}

static void check(const Parsed *r) {
    if (r->lhs.node[0].kind != RW_OP) wrong("the left side must be an operation", r->name);
    if (weight(&r->rhs) >= weight(&r->lhs)) wrong("the right side must weigh less than the left", r->name);
    for (int v = 0; v < r->nvars; v++)
        if (occurrences(&r->rhs, v) > occurrences(&r->lhs, v)) wrong("the right side has more of", r->var[v]);
    for (int i = 0; i < nrules; i++)
        if (!strcmp(rules[i]->name, r->name)) wrong("a rule of this name stands above", r->name);
}

/* ---- both orders of what commutes */

static bool same_term(const Term *a, const Term *b) {
    return a->n == b->n && !memcmp(a->node, b->node, (size_t)a->n * sizeof *a->node);
}

static Term swapped(const Term *t, int where) {
    Term out = {.n = t->n};
    int x = where + 1, y = rewrite_next(t->node, x), end = rewrite_next(t->node, y);
    memcpy(out.node, t->node, sizeof out.node);
    memcpy(out.node + x, t->node + y, (size_t)(end - y) * sizeof *t->node);
    memcpy(out.node + x + (end - y), t->node + x, (size_t)(y - x) * sizeof *t->node);
    return out;
}

static void add_rule(const Parsed *r, int first) {
    for (int i = first; i < nrules; i++)
        if (same_term(&rules[i]->lhs, &r->lhs)) return;
    if (nrules == MOST_RULES) wrong("too many rules", "");
    rules[nrules] = malloc(sizeof *r);
    *rules[nrules++] = *r;
}

static void add_orders(const Parsed *r) {
    int first = nrules;
    add_rule(r, first);
    for (int i = first; i < nrules; i++)
        for (int k = 0; k < rules[i]->lhs.n; k++) {
            const RewriteNode *n = &rules[i]->lhs.node[k];
            bool swaps = n->kind == RW_OP && known[n->op].traits & TR_COMMUTES && n->op != OP_MIN && n->op != OP_MAX;
            if (!swaps) continue;
            Parsed other = *rules[i];
            other.lhs = swapped(&rules[i]->lhs, k);
            bool alike = k == 0 && other.rhs.node[0].kind == RW_OP && other.rhs.node[0].op == n->op;
            if (alike) other.rhs = swapped(&rules[i]->rhs, 0); /* what stands left stays left */
            add_rule(&other, first);
        }
}

static void read_rule(const char *start) {
    Parsed r = {.text = start, .line = line};
    char option[16];
    word(r.name, sizeof r.name);
    read_term(&r, &r.lhs, true);
    expect("=>");
    read_term(&r, &r.rhs, false);
    while (!is_next(")")) {
        word(option, sizeof option);
        if (!strcmp(option, ":when"))
            while (is_next("(")) read_guard(&r);
        else wrong("unknown option", option);
    }
    expect(")");
    r.length = (int)(at - start);
    check(&r);
    add_orders(&r);
}

static void read_file(void) {
    char head[16], name[32];
    for (; is_next("("); space()) {
        const char *start = at;
        expect("(");
        word(head, sizeof head);
        if (!strcmp(head, "rule")) read_rule(start);
        else if (!strcmp(head, "weight")) {
            int op = op_named(word(name, sizeof name));
            known[op].weight = atoi(word(name, sizeof name));
            expect(")");
        } else wrong("neither rule nor weight", head);
    }
    if (*at) wrong("expected (", "");
}

/* ---- writing */

static int written;

static int write_term(const Term *t) {
    static const char *const kinds[] = {"RW_OP",    "RW_VAR",  "RW_CONST",    "RW_INT",
                                        "RW_FLOAT", "RW_BOOL", "RW_COMPUTED", "RW_RESULT"};
    int first = written;
    for (int i = 0; i < t->n; i++, written++) {
        const RewriteNode *n = &t->node[i];
        char f[40];
        snprintf(f, sizeof f, n->f > 1e300 ? "INFINITY" : n->f < -1e300 ? "-INFINITY" : "%a", n->f);
        printf("    {%s, %s, %d, %d, %lld, %s},\n", kinds[n->kind], n->op == OP_COUNT ? "OP_COUNT" : known[n->op].id,
               n->nkids, n->var, (long long)n->i, f);
    }
    return first;
}

static void write_text(const Parsed *r) {
    bool gap = false;
    for (int i = 0; i < r->length; i++) {
        char c = r->text[i];
        if (!isspace((unsigned char)c)) putchar(c), gap = false;
        else if (!gap) putchar(' '), gap = true;
    }
}

static int by_root(const void *a, const void *b) {
    const Parsed *x = *(Parsed *const *)a, *y = *(Parsed *const *)b;
    int order = (int)x->lhs.node[0].op - (int)y->lhs.node[0].op;
    if (!order) order = x->line - y->line;
    return order ? order : memcmp(x->lhs.node, y->lhs.node, sizeof x->lhs.node);
}

typedef struct { int lhs, rhs, guard; } Places;

static void write_set(const char *name) {
    Places *places = calloc((size_t)nrules + 1, sizeof *places);
    int nguards = 0, root = 0;
    printf("/* Made of %s by tools/rules.c */\n#include \"opt/rewrite.h\"\n\n#include <math.h>\n\nstatic const "
           "RewriteNode nodes[] = {\n",
           file);
    for (int i = 0; i < nrules; i++)
        places[i].lhs = write_term(&rules[i]->lhs), places[i].rhs = write_term(&rules[i]->rhs);
    int args[4 * MOST_RULES][REWRITE_ARGS] = {{0}};
    for (int i = 0; i < nrules; i++)
        for (int g = 0; g < rules[i]->nguards; g++)
            for (int a = 0; a < rules[i]->guard[g].nargs; a++)
                args[4 * i + g][a] = write_term(&rules[i]->guard[g].args[a]);
    printf("    {RW_RESULT, OP_COUNT, 0, -1, 0, 0},\n};\nstatic const RewriteGuard guards[] = {\n");
    for (int i = 0; i < nrules; i++) {
        places[i].guard = nguards;
        for (int g = 0; g < rules[i]->nguards; g++, nguards++)
            printf("    {%s, %d, {%d, %d, %d}},\n", predicates[rules[i]->guard[g].id].id, rules[i]->guard[g].nargs,
                   args[4 * i + g][0], args[4 * i + g][1], args[4 * i + g][2]);
    }
    printf("    {PREDICATE_COUNT, 0, {0}},\n};\nstatic const Rewrite rules[] = {\n");
    for (int i = 0; i < nrules; i++) {
        printf("    {\"%s\", \"", rules[i]->name);
        write_text(rules[i]);
        printf("\", %d, %d, %d, %d, %d},\n", rules[i]->line, places[i].lhs, places[i].rhs, places[i].guard,
               rules[i]->nguards);
    }
    printf("};\nstatic const int first[] = {");
    for (int op = 0; op <= OP_COUNT; op++) {
        while (root < nrules && (int)rules[root]->lhs.node[0].op < op) root++;
        printf("%d, ", root);
    }
    printf("};\nconst RewriteSet %s_rules = {%d, rules, nodes, guards, first};\n", name, nrules);
    free(places);
}

static char *read_text(const char *path) {
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    if (!f || !text || !fread(text, 1, (1 << 20) - 1, f)) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        exit(1);
    }
    fclose(f);
    return text;
}

int main(int argc, char **argv) {
    if (argc != 3) return fprintf(stderr, "usage: rules FILE.rules NAME\n"), 2;
    file = argv[1];
    char *text = read_text(file);
    at = text;
    read_file();
    qsort(rules, (size_t)nrules, sizeof *rules, by_root);
    write_set(argv[2]);
    for (int i = 0; i < nrules; i++) free(rules[i]);
    free(text);
    return fflush(stdout) || ferror(stdout);
}
