/* rules FILE.rules NAME: makes the tables of a RewriteSet NAME_rules (opt/rewrite.h) of a file of rules, as C on
 * stdout.
 *
 * What is wrong with a rule is reported with its line: unknown words, numbers of operands, variables that only the
 * right side has, and a right side that does not weigh less than the left.  The weight of a term is that of its
 * operations, 1 + cost (ops.def) or as (weight OP N) says, and 1 for each variable; no variable may stand on the right
 * more often than on the left.  So each rewriting makes any term lighter, and none goes on for ever.
 * In a file with (measure ..) terms are weighed by polynomials instead, as tensor.rules says.
 * In one with (over reals) both sides are equal, and nothing is weighed: accuracy.rules.
 * Of operations that commute both orders become rules, but of min and max, of which the order tells in floats. */
#include "opt/tensor/shape.h"

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

static const struct { OpCode op; const char *name; int values; } carriers[] = {
#define SHAPED(op, name, operands, attribute, doc) {op, name, operands},
#include "opt/shapes.def"
#undef SHAPED
};
enum { NCARRIERS = sizeof carriers / sizeof *carriers };
static const struct { const char *name; int nargs; } shapes[] = {
#define SHAPE(id, name, function, nargs, doc) {name, nargs},
#include "opt/shapes.def"
#undef SHAPE
};
/* Of operations by opcode, and OP_COUNT: any elementwise one */
typedef enum { SUM, SQUARE, PRODUCT } MeasureKind;
typedef struct { MeasureKind kind; int factor, each, more; } Measure;
static Measure measures[OP_COUNT + 1];
static bool measured, reals; /* reals: identities of real numbers, of which neither side weighs less */

enum { MOST_NODES = 64, MOST_RULES = 4000, MOST_GUARDS = 6 };
typedef struct { RewriteNode node[MOST_NODES]; int n; } Term;
typedef struct { int id, nargs; Term args[REWRITE_ARGS]; } Guard;
typedef struct {
    char name[64];
    const char *text;
    int length, line, nguards, nvars;
    bool ends, equal;
    RewriteFp fp;
    char var[REWRITE_VARS][32];
    Term lhs, rhs;
    Guard guard[MOST_GUARDS];
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

/* Reductions of accuracy.rules: of all samples that belong together */
static const struct { const char *name; Combine kind; } reductions[] = {
    {"sum-of", COMBINE_ADD}, {"product-of", COMBINE_MUL}, {"least-of", COMBINE_MIN}, {"greatest-of", COMBINE_MAX},
};

static int reduction_named(const char *name) {
    for (int i = 0; reals && i < (int)(sizeof reductions / sizeof *reductions); i++)
        if (!strcmp(reductions[i].name, name)) return (int)reductions[i].kind;
    return -1;
}

static int op_named(const char *name) {
    for (int i = 0; i < NCARRIERS; i++)
        if (!strcmp(carriers[i].name, name)) return (int)carriers[i].op;
    for (int i = 0; i < OP_COUNT; i++)
        if (!strcmp(known[i].mnemonic, name)) return i;
    wrong("there is no operation", name);
    return 0;
}

static int carrier(int op) {
    for (int i = 0; i < NCARRIERS; i++)
        if ((int)carriers[i].op == op) return i;
    return -1;
}

/* How many operands: words; and the shape; -1: any number */
static int arity(int op) {
    int n = 0, at_shape = carrier(op);
    if (at_shape >= 0) return carriers[at_shape].values < 0 ? -1 : carriers[at_shape].values + 1;
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

/* TERM...: the term that was read from `where` on, for each operand of its list */
static void read_dots(Term *t, int where) {
    if (strncmp(at, "...", 3)) return;
    at += 3;
    if (t->n == MOST_NODES) wrong("the term is too long", "");
    memmove(&t->node[where + 1], &t->node[where], (size_t)(t->n++ - where) * sizeof *t->node);
    t->node[where] = (RewriteNode){.kind = RW_MAP, .op = OP_COUNT, .nkids = 1, .var = -1};
}

static int read_kids(Parsed *r, Term *t, bool left, bool *any) {
    int kids = 0;
    for (; !is_next(")"); kids++) {
        int where = t->n;
        read_term(r, t, left);
        if (!left) read_dots(t, where);
        *any |= t->node[where].kind == RW_LIST || t->node[where].kind == RW_MAP;
    }
    expect(")");
    return kids;
}

static void read_operation(Parsed *r, Term *t, bool left, bool computed) {
    char name[32];
    expect("(");
    int where = t->n, n;
    word(name, sizeof name);
    bool family = *name == '%', any = false;
    if (family) {
        node_new(t, RW_FAMILY)->var = var_named(r, name, left);
        n = -1;
    } else if (reduction_named(name) >= 0) {
        RewriteNode *made = node_new(t, RW_OP);
        made->op = OP_REDUCE, made->i = reduction_named(name);
        n = 1;
    } else {
        int op = op_named(name);
        node_new(t, computed ? RW_COMPUTED : RW_OP)->op = (OpCode)op;
        n = arity(op);
    }
    int kids = read_kids(r, t, left, &any);
    t->node[where].nkids = kids;
    if (n >= 0 && !any && kids != n) wrong("wrong number of operands", name);
}

static void read_shape(Parsed *r, Term *t) {
    char name[32];
    int id = 0, where = t->n, kids = 0;
    expect("@(");
    word(name, sizeof name);
    for (; id < SHAPE_COUNT && strcmp(shapes[id].name, name); id++) continue;
    if (id == SHAPE_COUNT) wrong("there is no shape", name);
    node_new(t, RW_SHAPED)->i = id;
    for (; !is_next(")"); kids++) read_term(r, t, false);
    expect(")");
    t->node[where].nkids = kids;
    if (kids != shapes[id].nargs) wrong("wrong number of arguments", name);
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
    if (is_next("!(") && left) {
        int where = t->n;
        expect("!");
        read_operation(r, t, left, false);
        t->node[where].i = 1;
        return;
    }
    if (is_next("@(")) return read_shape(r, t);
    if (is_next("(")) return read_operation(r, t, left, false);
    if (is_next("#(")) {
        if (left) wrong("computed constants stand on the right", "");
        expect("#");
        return read_operation(r, t, left, true);
    }
    word(text, sizeof text);
    size_t n = strlen(text), dots = n > 3 && !strcmp(text + n - 3, "...") ? n - 3 : n;
    if (dots < n) text[dots] = 0, at -= left ? 0 : 3; /* on the right it is read again, by read_dots */
    if (*text == '@') node_new(t, RW_SHAPE)->var = var_named(r, text, left);
    else if (dots < n && left) node_new(t, RW_LIST)->var = var_named(r, text, left);
    else if (*text == '?') node_new(t, RW_VAR)->var = var_named(r, text, left);
    else if (*text == '#') node_new(t, RW_CONST)->var = var_named(r, text, left);
    else if (!strcmp(text, "result")) node_new(t, RW_RESULT);
    else read_literal(t, text);
}

static void read_guard(Parsed *r) {
    char name[32];
    if (r->nguards == MOST_GUARDS) wrong("too many conditions", "");
    Guard *g = &r->guard[r->nguards++];
    expect("(");
    word(name, sizeof name);
    for (g->id = 0; g->id < PREDICATE_COUNT && strcmp(predicates[g->id].name, name); g->id++) continue;
    int shape = 0;
    for (; g->id == PREDICATE_COUNT && shape < SHAPE_COUNT && strcmp(shapes[shape].name, name); shape++) continue;
    if (shape == SHAPE_COUNT) wrong("there is no predicate", name);
    g->id += shape;
    for (; !is_next(")"); g->nargs++) {
        if (g->nargs == REWRITE_ARGS) wrong("too many arguments", name);
        read_term(r, &g->args[g->nargs], false);
    }
    expect(")");
    int wants = g->id < PREDICATE_COUNT ? predicates[g->id].nargs : shapes[g->id - PREDICATE_COUNT].nargs;
    if (g->nargs != wants) wrong("wrong number of arguments", name);
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

/* ---- the measure of rules of whole arrays: a polynomial of what the variables weigh, which grows with each */

enum { LIGHTEST = 2, MOST_ITEMS = 3 };

static const Measure *measure_of(const RewriteNode *n) {
    bool elementwise = n->kind == RW_FAMILY || known[n->op].traits & TR_ELEM;
    return &measures[elementwise ? OP_COUNT : n->op];
}

static double measure(const Term *t, int where, const double *weights, int items);

/* Those of its operands and, for lists, of each of items operands, together as m says */
static double measure_kids(const Term *t, int where, const Measure *m, const double *weights, int items) {
    double sum = 0, product = 1;
    for (int i = 0, kid = where + 1; i < t->node[where].nkids; i++, kid = rewrite_next(t->node, kid)) {
        RewriteKind k = t->node[kid].kind;
        if (k == RW_SHAPE || k == RW_SHAPED) continue;
        int term = k == RW_MAP ? kid + 1 : kid;
        double x = k == RW_LIST ? weights[t->node[kid].var] : measure(t, term, weights, items);
        sum += (m->factor * x + m->each) * (k == RW_LIST || k == RW_MAP ? items : 1);
        product *= x;
    }
    return m->kind == PRODUCT ? product + m->more : m->kind == SQUARE ? sum * sum : sum + m->more;
}

static double measure(const Term *t, int where, const double *weights, int items) {
    const RewriteNode *n = &t->node[where];
    if (n->kind == RW_VAR) return weights[n->var];
    if (n->kind != RW_OP && n->kind != RW_FAMILY) return 1;
    return measure_kids(t, where, measure_of(n), weights, items);
}

/* Numbers: what fills an array, what stands around it.  They weigh nothing. */
static bool is_number(const Parsed *r, int var) {
    const RewriteNode *node = r->lhs.node;
    for (int i = 0; i < r->lhs.n; i++) {
        if (node[i].kind != RW_OP || (node[i].op != OP_FILL && node[i].op != OP_PAD)) continue;
        int kid = node[i].op == OP_FILL ? i + 1 : rewrite_next(node, i + 1);
        if (node[kid].kind == RW_VAR && node[kid].var == var) return true;
    }
    return false;
}

/* The left side is the heavier one, whatever the variables weigh: at all points of a grid. */
static bool is_lighter(const Parsed *r, int var, double *weights) {
    static const double grid[] = {LIGHTEST, 3, 7, 100, 5000};
    if (var == r->nvars) {
        for (int items = 1; items <= MOST_ITEMS; items++)
            if (measure(&r->rhs, 0, weights, items) >= measure(&r->lhs, 0, weights, items)) return false;
        return true;
    }
    if (is_number(r, var) || r->var[var][0] != '?') return weights[var] = 0, is_lighter(r, var + 1, weights);
    for (size_t i = 0; i < sizeof grid / sizeof *grid; i++) {
        weights[var] = grid[i];
        if (!is_lighter(r, var + 1, weights)) return false;
    }
    return true;
}

static void check_weight(const Parsed *r) {
    if (reals) return;
    double weights[REWRITE_VARS];
    bool lighter = measured ? r->ends || r->equal || is_lighter(r, 0, weights) : weight(&r->rhs) < weight(&r->lhs);
    if (!lighter) wrong("the right side must weigh less than the left", r->name);
    for (int v = 0; v < r->nvars && !measured; v++)
        if (occurrences(&r->rhs, v) > occurrences(&r->lhs, v)) wrong("the right side has more of", r->var[v]);
}

static void read_measure(void) {
    char name[32];
    Measure *m = &measures[op_named(word(name, sizeof name))];
    word(name, sizeof name);
    measured = true;
    m->kind = !strcmp(name, "square") ? SQUARE : !strcmp(name, "product") ? PRODUCT : SUM;
    if (m->kind == SUM) {
        m->factor = atoi(name);
        m->each = atoi(word(name, sizeof name));
        m->more = atoi(word(name, sizeof name));
    }
    expect(")");
}

static void check(const Parsed *r) {
    bool operation = r->lhs.node[0].kind == RW_OP || r->lhs.node[0].kind == RW_FAMILY;
    if (!operation) wrong("the left side must be an operation", r->name);
    check_weight(r);
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

static void read_rule(const char *start, bool equal) {
    Parsed r = {.text = start, .line = line, .equal = equal};
    char option[16];
    word(r.name, sizeof r.name);
    read_term(&r, &r.lhs, true);
    expect("=>");
    read_term(&r, &r.rhs, false);
    while (!is_next(")")) {
        word(option, sizeof option);
        if (!strcmp(option, ":when"))
            while (is_next("(")) read_guard(&r);
        else if (!strcmp(option, ":fp")) {
            word(option, sizeof option);
            r.fp = !strcmp(option, "reassoc") ? RW_REASSOC : RW_IN_ORDER;
            if (r.fp == RW_IN_ORDER && strcmp(option, "in-order")) wrong("unknown class", option);
        } else if (!strcmp(option, ":ends") && measured) {
            expect("(");
            at += strcspn(at, ")");
            expect(")");
            r.ends = true;
        } else wrong("unknown option", option);
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
        if (!strcmp(head, "rule") || (!strcmp(head, "equal") && (measured || reals))) read_rule(start, *head == 'e');
        else if (!strcmp(head, "weight")) {
            int op = op_named(word(name, sizeof name));
            known[op].weight = atoi(word(name, sizeof name));
            expect(")");
        } else if (!strcmp(head, "over")) {
            reals = !strcmp(word(name, sizeof name), "reals");
            expect(")");
        } else if (!strcmp(head, "measure")) read_measure();
        else wrong("neither rule, equal, weight, measure nor over", head);
    }
    if (*at) wrong("expected (", "");
}

/* ---- writing */

static int written;

static int write_term(const Term *t) {
    static const char *const kinds[] = {"RW_OP",    "RW_VAR",  "RW_CONST",    "RW_INT",
                                        "RW_FLOAT", "RW_BOOL", "RW_COMPUTED", "RW_RESULT",
                                        "RW_FAMILY", "RW_LIST", "RW_MAP", "RW_SHAPE", "RW_SHAPED"};
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
    int args[MOST_GUARDS * MOST_RULES][REWRITE_ARGS] = {{0}};
    for (int i = 0; i < nrules; i++)
        for (int g = 0; g < rules[i]->nguards; g++)
            for (int a = 0; a < rules[i]->guard[g].nargs; a++)
                args[MOST_GUARDS * i + g][a] = write_term(&rules[i]->guard[g].args[a]);
    printf("    {RW_RESULT, OP_COUNT, 0, -1, 0, 0},\n};\nstatic const RewriteGuard guards[] = {\n");
    for (int i = 0; i < nrules; i++) {
        places[i].guard = nguards;
        for (int g = 0; g < rules[i]->nguards; g++, nguards++)
            printf("    {(PredicateId)%d, %d, {%d, %d, %d}},\n", rules[i]->guard[g].id, rules[i]->guard[g].nargs,
                   args[MOST_GUARDS * i + g][0], args[MOST_GUARDS * i + g][1], args[MOST_GUARDS * i + g][2]);
    }
    printf("    {PREDICATE_COUNT, 0, {0}},\n};\nstatic const Rewrite rules[] = {\n");
    for (int i = 0; i < nrules; i++) {
        printf("    {\"%s\", \"", rules[i]->name);
        write_text(rules[i]);
        printf("\", %d, %d, %d, %d, ", rules[i]->line, places[i].lhs, places[i].rhs, places[i].guard);
        printf("%d, (RewriteFp)%d, %d},\n", rules[i]->nguards, (int)rules[i]->fp, rules[i]->equal);
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
    for (int i = 0; i <= OP_COUNT; i++) measures[i] = (Measure){SUM, i == OP_COUNT ? 2 : 1, 0, 1};
    read_file();
    qsort(rules, (size_t)nrules, sizeof *rules, by_root);
    write_set(argv[2]);
    for (int i = 0; i < nrules; i++) free(rules[i]);
    free(text);
    return fflush(stdout) || ferror(stdout);
}
