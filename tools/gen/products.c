/* Functions of matrices and vectors of whole small numbers: sums, products, transposes, reductions, one in another.
 * All that is computed is exact, in whatever order: so --fp=reassoc may change no bit. */
#include "gen.h"

enum { LEAVES = 8, MOST = 14, DEEPEST = 4 };

static const char sides[] = "nmk";

/* rows, columns: of sides; columns 0: a vector */
typedef struct { char name[16], rows, columns; } Array;
typedef struct { Gen *g; Array known[MOST]; int n; } Pool;

static char side(Gen *g) { return sides[below(g, 3)]; }

static const char *leaf(Pool *p, char rows, char columns) {
    if (rows == columns && chance(p->g, 30))
        return chance(p->g, 40) ? fmt("eye(%c)", rows) : fmt("diag(%s)", leaf(p, rows, 0));
    int from = (int)below(p->g, (uint32_t)p->n);
    for (int i = 0; i < p->n; i++) {
        const Array *a = &p->known[(from + i) % p->n];
        if (a->rows == rows && a->columns == columns) return a->name;
        if (columns && a->rows == columns && a->columns == rows) return fmt("%s.T", a->name);
    }
    int value = (int)between(p->g, -2, 2);
    return columns ? fmt("full(%d.0, %c, %c)", value, rows, columns) : fmt("full(%d.0, %c)", value, rows);
}

static const char *term(Pool *p, char rows, char columns, int depth);

static const char *elementwise(Pool *p, char rows, char columns, int depth) {
    Gen *g = p->g;
    const char *x = term(p, rows, columns, depth - 1);
    switch (below(g, 6)) {
    case 0: return fmt("-%s", x);
    case 1: return fmt("(%d * %s)", (int)between(g, -2, 3), x);
    case 2: return fmt("(%s - %s)", x, term(p, rows, columns, depth - 1));
    case 3: case 4: return fmt("(%s + %s)", x, term(p, rows, columns, depth - 1));
    default: return fmt("(%s * %s)", x, term(p, rows, columns, depth - 1));
    }
}

static const char *matrix(Pool *p, char rows, char columns, int depth) {
    char between_them = side(p->g);
    if (chance(p->g, 20)) return fmt("(%s).T", term(p, columns, rows, depth - 1));
    return fmt("(%s @ %s)", term(p, rows, between_them, depth - 1), term(p, between_them, columns, depth - 1));
}

static const char *vector(Pool *p, char rows, int depth) {
    char other = side(p->g);
    switch (below(p->g, 4)) {
    case 0: return fmt("sum(%s, axis=1)", term(p, rows, other, depth - 1));
    case 1: return fmt("sum(%s, axis=0)", term(p, other, rows, depth - 1));
    case 2: return fmt("(%s @ %s)", term(p, other, 0, depth - 1), term(p, other, rows, depth - 1));
    default: return fmt("(%s @ %s)", term(p, rows, other, depth - 1), term(p, other, 0, depth - 1));
    }
}

static const char *term(Pool *p, char rows, char columns, int depth) {
    if (depth == 0 || chance(p->g, 8)) return leaf(p, rows, columns);
    if (chance(p->g, 50)) return elementwise(p, rows, columns, depth);
    return columns ? matrix(p, rows, columns, depth) : vector(p, rows, depth);
}

static void add(Pool *p, const char *stem, int i, char rows, char columns) {
    Array a = {.rows = rows, .columns = columns};
    snprintf(a.name, sizeof a.name, "%s%d", stem, i);
    if (p->n < MOST) p->known[p->n++] = a;
}

static const char *type_of(const Array *a) {
    return a->columns ? fmt("f64[%c, %c]", a->rows, a->columns) : fmt("f64[%c]", a->rows);
}

static const char *argument(Gen *g, const Array *a) {
    int by = (int)between(g, 2, 5);
    const char *at = a->columns ? fmt("i * %d + j * %d", (int)between(g, 1, 9), (int)between(g, 1, 9))
                                : fmt("i * %d", (int)between(g, 1, 9));
    const char *value = fmt("f64((%s) %% %d - %d)", at, by, by / 2);
    return a->columns ? fmt("[%s for i in 0:%c, j in 0:%c]", value, a->rows, a->columns)
                      : fmt("[%s for i in 0:%c]", value, a->rows);
}

/* The first three arguments tell the sides. */
static void function(Gen *g, int number) {
    Pool p = {.g = g};
    const char *params = "", *args = "";
    for (int i = 0; i < LEAVES; i++) {
        add(&p, "a", i, i < 3 ? sides[i] : side(g), i < 3 || chance(g, 30) ? 0 : side(g));
        params = fmt("%s%sa%d: %s", params, i ? ", " : "", i, type_of(&p.known[i]));
        args = fmt("%s%s%s", args, i ? ", " : "", argument(g, &p.known[i]));
    }
    int results = (int)between(g, 1, 3), made = results + (int)below(g, 3);
    Array value[6];
    const char *types = "", *out = "";
    for (int i = 0; i < made; i++) {
        value[i] = (Array){.rows = side(g), .columns = chance(g, 70) ? side(g) : 0};
        if (i < made - results) continue;
        types = fmt("%s%s%s", types, *types ? ", " : "", type_of(&value[i]));
        out = fmt("%s%swhere(t%d == 0, 0.0, t%d)", out, *out ? ", " : "", i, i);
    }
    open_block(g, results > 1 ? "fn f%d(%s) -> (%s)" : "fn f%d(%s) -> %s", number, params, types);
    for (int i = 0; i < made; i++) {
        line(g, "let t%d = %s", i, term(&p, value[i].rows, value[i].columns, (int)between(g, 1, DEEPEST)));
        add(&p, "t", i, value[i].rows, value[i].columns);
    }
    line(g, results > 1 ? "return (%s)" : "return %s", out);
    close_block(g, "");
    line(g, "print(f%d(%s))", number, args);
}

void products_program(Gen *g, int functions) {
    for (int i = 0; i < 3; i++) line(g, "let %c = %d", sides[i], (int)between(g, 0, 9) ? (int)between(g, 1, 5) : 0);
    for (int i = 0; i < functions; i++) function(g, i);
}
