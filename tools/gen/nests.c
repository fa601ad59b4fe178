/* Functions and kernels that are nests of loops (gen SEED --nests K): triangular, over rows of a sparse matrix, with a
 * step, downwards, with bounds out of memory that may be empty, `while`, left early, near the ends of the ints.
 *
 * Every function has the same parameters.  y[n], z[n, m] and t[4] are what it computes, of types of their own; x[n],
 * w[m] and val[e] are read; start[n + 1], col[e] and cnt[n] are indices into e, n and m.  In parallel code a thread
 * writes its own element or row alone, and t by atomics of ints.  Floats are summed and clamped, so that none becomes
 * NaN. */
#include "tools/gen/gen.h"

#include <string.h>

typedef enum {
    ROW,
    COLUMN,
    ENTRY,
    FAR
} Kind; /* what an induction variable may index: n, m, e; or nothing, near 2^63 */
typedef struct { const char *name; Kind kind; } Induction;
typedef struct {
    Gen *g;
    Elem y, z, t, x, w, val;
    Induction iv[16];
    int nivs, depth, left;        /* statements that may still come */
    const char *own_row, *own_column; /* in parallel code */
    bool parallel, may_leave, may_return, may_continue, kernel;
} Nest;

/* ---- indices */

static const char *pick_iv(Nest *b, Kind kind) {
    const char *found[16];
    int n = 0;
    for (int i = 0; i < b->nivs; i++)
        if (b->iv[i].kind == kind) found[n++] = b->iv[i].name;
    return n ? found[below(b->g, (uint32_t)n)] : NULL;
}

/* An index in 0 .. size - 1 */
static const char *near(Nest *b, Kind kind, const char *size) {
    Gen *g = b->g;
    const char *i = pick_iv(b, kind), *far = pick_iv(b, FAR);
    if (far && chance(g, 30)) return fmt("(far - %s) %% %s", far, size);
    if (!i) return chance(g, 50) ? "0" : fmt("%s - 1", size);
    switch (below(g, 14)) {
    case 0: return fmt("%s - 1 - %s", size, i);
    case 1: return fmt("min(%s + %d, %s - 1)", i, (int)between(g, 1, 3), size);
    case 2: return fmt("max(%s - %d, 0)", i, (int)between(g, 1, 3));
    case 3: return fmt("(%s * %d + %d) %% %s", i, (int)between(g, 1, 5), (int)below(g, 4), size);
    case 4: return fmt("%s // 2", i);
    case 5: return "0";
    default: return i;
    }
}

static const char *row(Nest *b) {
    const char *entry = pick_iv(b, ENTRY);
    if (entry && chance(b->g, 40)) return fmt("col[%s]", entry);
    return near(b, ROW, "n");
}
static const char *column(Nest *b) { return near(b, COLUMN, "m"); }

/* An element of what is computed, that this thread may touch */
static const char *y_place(Nest *b) { return fmt("y[%s]", b->parallel ? b->own_row : row(b)); }
static const char *z_place(Nest *b) {
    if (!b->parallel) return fmt("z[%s, %s]", row(b), column(b));
    return fmt("z[%s, %s]", b->own_row, b->own_column ? b->own_column : column(b));
}
static const char *t_place(Nest *b) {
    const char *i = pick_iv(b, ROW);
    return i && chance(b->g, 25) ? fmt("t[%s %% 4]", i) : fmt("t[%d]", (int)below(b->g, 4));
}

/* ---- values of type t */

static const char *as(Elem to, Elem from, const char *s) { return to == from ? s : fmt("%s(%s)", elem_name(to), s); }

static bool usable(Elem to, Elem from) { return is_float(to) || is_int(from); }

static const char *computed(Elem t, Elem from, const char *place) {
    return is_float(from) ? as(t, from, fmt("min(max(%s, -8.0), 8.0)", place)) : as(t, from, place);
}

static const char *leaf(Nest *b, Elem t) {
    Gen *g = b->g;
    const char *entry = pick_iv(b, ENTRY);
    switch (below(g, 9)) {
    case 0: if (usable(t, b->x)) return as(t, b->x, fmt("x[%s]", row(b))); break;
    case 1: if (usable(t, b->w)) return as(t, b->w, fmt("w[%s]", column(b))); break;
    case 2: if (entry && usable(t, b->val)) return as(t, b->val, fmt("val[%s]", entry)); break;
    case 3: if (usable(t, b->y) && !b->own_column) return computed(t, b->y, y_place(b)); break;
    case 4: if (usable(t, b->z)) return computed(t, b->z, z_place(b)); break;
    case 5: if (usable(t, b->t) && !b->parallel) return computed(t, b->t, t_place(b)); break;
    case 6: return as(t, I64, "c"); /* a scalar parameter */
    default:
        if (b->nivs && !(is_float(t) && pick_iv(b, FAR))) return as(t, I64, b->iv[below(g, (uint32_t)b->nivs)].name);
    }
    return fmt("%s(%d)", elem_name(t), (int)between(g, 1, 9));
}

static const char *value(Nest *b, Elem t) {
    Gen *g = b->g;
    switch (below(g, 7)) {
    case 0: return fmt("%s + %s", leaf(b, t), leaf(b, t));
    case 1: return fmt("%s - %s", leaf(b, t), leaf(b, t));
    case 2: return fmt("min(%s, %s)", leaf(b, t), leaf(b, t));
    case 3: return is_int(t) ? fmt("%s * %s", leaf(b, t), leaf(b, t)) : fmt("%s * %s(0.5)", leaf(b, t), elem_name(t));
    case 4: return is_int(t) ? fmt("%s %% %d", leaf(b, t), (int)between(g, 2, 9)) : leaf(b, t);
    default: return leaf(b, t);
    }
}

static const char *condition_of(Nest *b) {
    Gen *g = b->g;
    const char *i = pick_iv(b, ROW), *k = pick_iv(b, COLUMN);
    switch (below(g, 6)) {
    case 0: if (i) return fmt("%s %% %d == %d", i, (int)between(g, 2, 3), (int)below(g, 2)); break;
    case 1: if (i) return fmt("cnt[%s] > %d", i, (int)below(g, 3)); break;
    case 2: if (k) return fmt("%s < c", k); break;
    case 3: if (i) return fmt("%s >= c", i); break;
    default: break;
    }
    return fmt("%s > %s(%d)", leaf(b, b->x), elem_name(b->x), (int)between(g, 1, 6));
}

/* ---- statements */

static void statement(Nest *b);

static void update(Nest *b, Elem t, const char *place) {
    switch (below(b->g, 6)) {
    case 0: line(b->g, "%s = %s", place, value(b, t)); break;
    case 1: line(b->g, "%s = max(%s, %s)", place, place, value(b, t)); break;
    case 2: line(b->g, "%s -= %s", place, value(b, t)); break;
    default: line(b->g, "%s += %s", place, value(b, t));
    }
}

static void update_any(Nest *b) {
    Gen *g = b->g;
    if (!b->own_column && chance(g, 45)) update(b, b->y, y_place(b));
    else if (b->parallel && is_int(b->t) && chance(g, 25)) line(g, "atomic %s += %s", t_place(b), value(b, b->t));
    else if (!b->parallel && chance(g, 50)) update(b, b->t, t_place(b));
    else update(b, b->z, z_place(b));
}

static void block(Nest *b, int most) {
    for (int i = (int)between(b->g, 1, most); i > 0; i--) statement(b);
}

/* A loop's bounds, and what its induction variable is good for */
static const char *range(Nest *b, Kind *kind) {
    Gen *g = b->g;
    const char *i = pick_iv(b, ROW);
    int step = (int)between(g, 2, 4);
    *kind = ROW;
    if (i && chance(g, 65)) switch (below(g, 10)) {
    case 0: return fmt("0:%s", i);
    case 1: return fmt("%s:n", i);
    case 2: return fmt("%s + 1:n", i);
    case 3: return fmt("%s:-1:-1", i);
    case 4: return fmt("max(%s - 1, 0):min(%s + 2, n)", i, i);
    case 5: return fmt("0:%s:%d", i, step);
    case 6: return *kind = COLUMN, fmt("0:cnt[%s]", i);
    case 7: return *kind = COLUMN, fmt("cnt[%s]:m", i);
    default: return *kind = ENTRY, fmt("start[%s]:start[%s + 1]", i, i);
    }
    switch (below(g, 11)) {
    case 0: return fmt("0:n:%d", step);
    case 1: return "n - 1:-1:-1";
    case 2: return fmt("n - 1:-1:-%d", step);
    case 3: return "lo:hi";
    case 4: return fmt("lo:hi:%d", step);
    case 5: return *kind = FAR, fmt("far - %d:far:%d", (int)between(g, 0, 9), step);
    case 6: return *kind = FAR, fmt("far - %d:far", (int)between(g, 0, 5));
    case 7: case 8: return *kind = COLUMN, "0:m";
    default: return "0:n";
    }
}

static void push(Nest *b, const char *name, Kind kind) { b->iv[b->nivs++] = (Induction){name, kind}; }

/* The body of a loop, with its induction variable */
static void body(Nest *b, const char *name, Kind kind, bool counts) {
    bool leave = b->may_leave, again = b->may_continue;
    b->may_leave = true, b->may_continue = counts;
    b->depth++;
    push(b, name, kind);
    block(b, 3);
    b->nivs--;
    b->depth--;
    b->may_leave = leave, b->may_continue = again;
}

static void loop(Nest *b) {
    Kind kind;
    const char *name = fresh(b->g, "j"), *bounds = range(b, &kind);
    open_block(b->g, "for %s in %s", name, bounds);
    body(b, name, kind, true);
    close_block(b->g, "");
}

static void while_loop(Nest *b) {
    Gen *g = b->g;
    const char *name = fresh(g, "k"), *i = pick_iv(b, ROW);
    bool halves = chance(g, 30), columns = i && chance(g, 60);
    line(g, "var %s = %s", name, halves ? "n - 1" : "0");
    if (halves) open_block(g, "while %s > 0", name);
    else open_block(g, columns ? "while %s < cnt[%s]" : "while %s < n", name, i);
    body(b, name, columns && !halves ? COLUMN : ROW, false);
    if (halves) line(g, "%s = %s // 2", name, name);
    else line(g, chance(g, 70) ? "%s += 1" : "%s += 1 + %s %% 2", name, name);
    close_block(g, "");
}

/* The sum of a loop in a variable of its own */
static void private_sum(Nest *b) {
    Kind kind;
    Gen *g = b->g;
    Elem t = b->own_column ? b->z : b->y;
    const char *s = fresh(g, "s"), *name = fresh(g, "j"), *bounds = range(b, &kind);
    line(g, "var %s = %s(%d)", s, elem_name(t), (int)below(g, 3));
    open_block(g, "for %s in %s", name, bounds);
    push(b, name, kind);
    line(g, "%s += %s", s, value(b, t));
    if (chance(g, 40)) statement(b);
    b->nivs--;
    close_block(g, "");
    line(g, "%s = %s", b->own_column ? z_place(b) : y_place(b), s);
}

static void branch(Nest *b) {
    Gen *g = b->g;
    open_block(g, "if %s", condition_of(b));
    if (b->may_leave && chance(g, 25)) line(g, "%s", b->may_continue && chance(g, 50) ? "continue" : "break");
    else if (b->may_return && b->depth && chance(g, 15)) line(g, "%s", b->kernel ? "return" : "return (y, z, t)");
    else block(b, 2);
    if (chance(g, 30)) {
        close_block(g, " else {");
        update_any(b);
    }
    close_block(g, "");
}

static void statement(Nest *b) {
    if (--b->left < 0 || b->depth > 4) { update_any(b); return; }
    switch (below(b->g, b->depth < 3 ? 12 : 6)) {
    case 0: branch(b); break;
    case 1: case 2: case 3: case 4: case 5: update_any(b); break;
    case 6: while_loop(b); break;
    case 7: private_sum(b); break;
    default: loop(b);
    }
}

/* ---- units */

static Elem element(Gen *g) {
    static const Elem likely[] = {I64, I64, F64, F64, F32, I32, I16, I8, U8, U32};
    return likely[below(g, sizeof likely / sizeof *likely)];
}

static Nest nest_begin(Gen *g) {
    return (Nest){.g = g, .y = element(g), .z = element(g), .t = element(g), .x = element(g), .w = element(g),
                  .val = element(g), .left = 10};
}

static const char *inputs(const Nest *b) {
    return fmt("x: %s[n], w: %s[m], val: %s[e], start: int[n + 1], col: int[e], cnt: int[n], lo: int, hi: int, c: int, "
               "far: int",
               elem_name(b->x), elem_name(b->w), elem_name(b->val));
}

/* A parallel loop over rows, or over rows and columns */
static void parallel_rows(Nest *b) {
    Gen *g = b->g;
    const char *r = fresh(g, "r"), *q = chance(g, 30) ? fresh(g, "q") : NULL;
    open_block(g, q ? "parallel for %s in 0:n, %s in 0:m" : "parallel for %s in 0:n", r, q);
    b->parallel = true, b->own_row = r, b->own_column = q;
    push(b, r, ROW);
    if (q) push(b, q, COLUMN);
    block(b, 4);
    b->nivs = 0;
    b->parallel = false, b->own_row = b->own_column = NULL;
    close_block(g, "");
}

static void function(Nest *b, const char *name) {
    Gen *g = b->g;
    open_block(g, "fn %s(%s) -> (%s[n], %s[n, m], %s[4])", name, inputs(b), elem_name(b->y), elem_name(b->z),
               elem_name(b->t));
    line(g, "var y = %s(%s, n)", chance(g, 50) ? "zeros" : "ones", elem_name(b->y));
    line(g, "var z = zeros(%s, n, m)", elem_name(b->z));
    line(g, "var t = zeros(%s, 4)", elem_name(b->t));
    for (int i = (int)between(g, 1, 3); i > 0; i--) {
        b->left = 8;
        if (chance(g, 35)) parallel_rows(b);
        else b->may_return = true, loop(b), b->may_return = false;
    }
    line(g, "return (y, z, t)");
    close_block(g, "");
}

/* A kernel whose launch has a block of a size that only run time knows */
static void kernel(Nest *b, const char *name) {
    Gen *g = b->g;
    const char *y = elem_name(b->y), *z = elem_name(b->z), *t = elem_name(b->t), *in = inputs(b);
    open_block(g, "kernel %s_rows(y: inout %s[n], z: inout %s[n, m], t: inout %s[4], %s)", name, y, z, t, in);
    line(g, "let r = block.x * blockdim.x + thread.x");
    bool early = chance(g, 50);
    if (early) line(g, "if r >= n { return }");
    else open_block(g, "if r < n");
    b->parallel = b->kernel = b->may_return = true, b->own_row = "r";
    push(b, "r", ROW);
    block(b, 4);
    if (!early) close_block(g, "");
    close_block(g, "");
    open_block(g, "fn %s(%s) -> (%s[n], %s[n, m], %s[4])", name, in, y, z, t);
    line(g, "var y = zeros(%s, n)", y);
    line(g, "var z = zeros(%s, n, m)", z);
    line(g, "var t = zeros(%s, 4)", t);
    line(g, "launch %s_rows[ceildiv(n, hi + 1), hi + 1](y, z, t, x, w, val, start, col, cnt, lo, hi, c, far)", name);
    line(g, "return (y, z, t)");
    close_block(g, "");
}

static const char *source(Gen *g, Elem t, const char *size) {
    const char *k = fmt("(k * %d + %d) %% 11", (int)between(g, 1, 9), (int)below(g, 9));
    if (is_float(t)) return fmt("[%s(%s) / 4 - 1 for k in 0:%s]", elem_name(t), k, size);
    return fmt("[%s(%s) for k in 0:%s]", elem_name(t), k, size);
}

/* Sizes come out of memory, so that no constant of a call reaches the function */
static void call(Nest *b, const char *name) {
    Gen *g = b->g;
    int n = (int)between(g, 1, 9), m = (int)between(g, 1, 6), lo = (int)below(g, (uint32_t)n + 1),
        hi = (int)below(g, (uint32_t)n + 1);
    open_block(g, "if size_of[%d] > 0", n);
    line(g, "let n = size_of[%d]", n);
    line(g, "let m = size_of[%d]", m);
    line(g, "let cnt = [(k * %d + %d) %% (m + 1) for k in 0:n]", (int)between(g, 1, 5), (int)below(g, 5));
    int by = (int)between(g, 1, 3), e = 0;
    for (int k = 0; k < n; k++) e += k * by % 4;
    line(g, "let start = [sum((k * %d) %% 4 for k in 0:r) for r in 0:n + 1]", by);
    line(g, "let e = %s", g->known ? fmt("%d", e) : "start[n]");
    line(g,
         "let (y, z, t) = %s(%s, %s, %s, start, [(k * %d) %% n for k in 0:e], cnt, %d, %d, %d, 9223372036854775807 - "
         "size_of[%d])",
         name, source(g, b->x, "n"), source(g, b->w, "m"), source(g, b->val, "e"), (int)between(g, 1, 7), lo, hi,
         (int)below(g, 6), (int)below(g, 3));
    line(g, "print(\"%s\", y, t)", name);
    line(g, "print(z)");
    close_block(g, "");
}

void nests_program(Gen *g, int units) {
    if (g->known) line(g, "let size_of = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]");
    else line(g, "let size_of = [int(f64(k) + 0.5 * uniform(1, k)) for k in 0:12]");
    for (int i = 0; i < units; i++) {
        Nest b = nest_begin(g);
        const char *name = fresh(g, "nest");
        if (chance(g, 30)) kernel(&b, name);
        else function(&b, name);
        for (int k = 0; k < 2; k++) call(&b, name);
    }
}
