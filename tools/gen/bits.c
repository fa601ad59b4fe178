/* Kernels whose indices and guards are made of conversions that wrap, bits, quotients, absolute values and extremes
 * (gen SEED --races).
 *
 * What each thread of the launch computes is computed here as well, so that it is known whether two of them meet in
 * this launch ("racy", "free of races here": with other sizes they might) or come to one barrier ("barriers alike",
 * "barriers apart"). */
#include "tools/gen/gen.h"

enum { MOST_THREADS = 160, FAR = 1 << 20 };
typedef struct { const char *text; int64_t v[MOST_THREADS]; } Ints; /* of each thread */
typedef struct { int block, blocks, n; int64_t p; const char *param; } Shape;

static int count_of(const Shape *s) { return s->block * s->blocks; }
static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b && (a < 0) != (b < 0)); }

/* ---- expressions */

static Ints leaf(Gen *g, const Shape *s) {
    Ints x;
    int64_t c = between(g, -9, 40);
    int kind = (int)below(g, 7);
    x.text = kind < 3    ? "i"
             : kind == 3 ? "t"
             : kind == 4 ? "block.x"
             : kind == 5 ? "p"
             : c < 0     ? fmt("(%d)", (int)c)
                         : fmt("%d", (int)c);
    for (int k = 0; k < count_of(s); k++)
        x.v[k] = kind < 3 ? k : kind == 3 ? k % s->block : kind == 4 ? k / s->block : kind == 5 ? s->p : c;
    return x;
}

static int64_t converted(int64_t x, int bits, bool is_signed) {
    int64_t low = x & (((int64_t)1 << bits) - 1);
    return is_signed && low >> (bits - 1) ? low - ((int64_t)1 << bits) : low;
}

static int64_t applied(int op, int64_t x, int64_t y) {
    switch (op) {
    case 0: return x + y;
    case 1: return x - y;
    case 2: return x & y;
    case 3: return x | y;
    case 4: return x ^ y;
    case 5: return x < y ? x : y;
    case 6: return x > y ? x : y;
    case 7: return x * y;
    case 8: return floor_div(x, y);
    default: return x - y * floor_div(x, y);
    }
}

static Ints expression(Gen *g, const Shape *s, int depth);

static Ints two(Gen *g, const Shape *s, int depth) {
    static const char *const form[] = {"(%s + %s)",   "(%s - %s)",   "(%s & %s)", "(%s | %s)",  "(%s xor %s)",
                                       "min(%s, %s)", "max(%s, %s)", "(%s * %s)", "(%s // %s)", "(%s %% %s)"};
    static const int64_t powers[] = {1, 2, 4, 8, 16, 32};
    int op = (int)below(g, 10);
    Ints x = expression(g, s, depth - 1), y;
    if (op >= 7 || chance(g, 70)) {
        int64_t c = chance(g, 60) ? powers[below(g, 6)] : between(g, 1, 33);
        if ((op == 2 || op == 3) && chance(g, 40)) c -= 1;
        y.text = fmt("%d", (int)c);
        for (int k = 0; k < count_of(s); k++) y.v[k] = c;
    } else y = expression(g, s, depth - 1);
    Ints r = {.text = fmt(form[op], x.text, y.text)};
    for (int k = 0; k < count_of(s); k++) r.v[k] = applied(op, x.v[k], y.v[k]);
    return r;
}

static Ints one(Gen *g, const Shape *s, int depth) {
    static const char *const form[] = {
        "int(i8(%s))", "int(u8(%s))", "int(i16(%s))", "int(u16(%s))",      "abs(%s)",         "(-%s)",
        "(~%s)",       "(%s >> 2)",   "(%s << 1)",    "int(i8(%s) + 100)", "int(u8(%s) - 3)", "sign(%s)"};
    int op = (int)below(g, 12);
    Ints x = expression(g, s, depth - 1), r = {.text = fmt(form[op], x.text)};
    for (int k = 0; k < count_of(s); k++) {
        int64_t v = x.v[k];
        r.v[k] = op < 4     ? converted(v, op < 2 ? 8 : 16, !(op & 1))
                 : op == 4  ? (v < 0 ? -v : v)
                 : op == 5  ? -v
                 : op == 6  ? ~v
                 : op == 7  ? floor_div(v, 4)
                 : op == 8  ? 2 * v
                 : op == 9  ? converted(converted(v, 8, true) + 100, 8, true)
                 : op == 10 ? converted(converted(v, 8, false) - 3, 8, false)
                            : (v > 0) - (v < 0);
    }
    return r;
}

static Ints expression(Gen *g, const Shape *s, int depth) {
    if (depth <= 0 || chance(g, 15)) return leaf(g, s);
    Ints x = chance(g, 65) ? two(g, s, depth) : one(g, s, depth);
    for (int k = 0; k < count_of(s); k++)
        if (x.v[k] > FAR || x.v[k] < -FAR) return leaf(g, s);
    return x;
}

/* ---- conditions */

/* Its bound is one that all values keep, or that some do. */
static Ints comparison(Gen *g, const Shape *s) {
    static const char *const signs[] = {"<", "<=", ">", ">=", "==", "!="};
    Ints x = expression(g, s, 3);
    int64_t low = x.v[0], high = x.v[0];
    for (int k = 0; k < count_of(s); k++) {
        low = x.v[k] < low ? x.v[k] : low;
        high = x.v[k] > high ? x.v[k] : high;
    }
    int op = (int)below(g, 6);
    int64_t c = chance(g, 50)   ? between(g, low, high)
                : chance(g, 50) ? low - (op == 2 || op == 5)
                                : high + (op == 0 || op == 5);
    Ints r = {.text = fmt("%s %s %d", x.text, signs[op], (int)c)};
    for (int k = 0; k < count_of(s); k++) {
        int64_t v = x.v[k];
        r.v[k] = op == 0 ? v < c : op == 1 ? v <= c : op == 2 ? v > c : op == 3 ? v >= c : op == 4 ? v == c : v != c;
    }
    return r;
}

static Ints guard_of(Gen *g, const Shape *s) {
    Ints x = comparison(g, s);
    if (chance(g, 50)) return x;
    Ints y = comparison(g, s);
    bool both = chance(g, 50);
    Ints r = {.text = fmt(both ? "(%s) and (%s)" : "(%s) or (%s)", x.text, y.text)};
    for (int k = 0; k < count_of(s); k++) r.v[k] = both ? x.v[k] && y.v[k] : x.v[k] || y.v[k];
    return r;
}

/* ---- whole programs */

static void launch(Gen *g, const Shape *s) {
    bool inside = chance(g, 50);
    const char *shape = fmt("launch k[%d, %d](y, %s)", s->blocks, s->block, inside ? "p" : s->param);
    if (inside) {
        open_block(g, "fn go(y0: int[n], p: int) -> int[n]");
        line(g, "var y = y0");
        line(g, "%s", shape);
        line(g, "return y");
        close_block(g, "");
        line(g, "print(go(zeros(int, %d), %s))", s->n, s->param);
        return;
    }
    line(g, "var y = zeros(int, %d)", s->n);
    line(g, "%s", shape);
    line(g, "print(y)");
}

static void begin(Gen *g, const Shape *s, bool known) {
    if (!known) line(g, "let m = int(%d.5 + 0.1 * uniform(1, 1))", (int)s->p);
    open_block(g, "kernel k(y: inout int[n], p: int)");
    line(g, "let t = thread.x");
    line(g, "let i = block.x * %s + t", chance(g, 50) ? "blockdim.x" : fmt("%d", s->block));
}

static bool comes(const Shape *s, const Ints *at, int k, bool reads) {
    return at->v[k] >= 0 && at->v[k] < s->n && (!reads || k < s->n);
}

/* Elements that are written by those for which the guard holds, and read by all */
static bool meets(const Shape *s, const Ints *guard, const Ints *at, bool reads) {
    for (int a = 0; a < count_of(s); a++)
        for (int b = 0; b < count_of(s); b++) {
            bool both = guard->v[a] && guard->v[b] && comes(s, at, a, reads) && comes(s, at, b, reads);
            if (a != b && both && at->v[a] == (reads ? b : at->v[b])) return true;
        }
    return false;
}

static void elements(Gen *g, const Shape *s, bool known, const char *seed) {
    Ints guard = guard_of(g, s), at = expression(g, s, 3);
    bool reads = chance(g, 40);
    line(g, "# gen %s --races: %s", seed, meets(s, &guard, &at, reads) ? "racy" : "free of races here");
    begin(g, s, known);
    open_block(g, "if %s", guard.text);
    line(g, "let at = %s + 0 * t", at.text); /* no index that is known to be wrong before it runs */
    if (reads) line(g, "if i < n and at >= 0 and at < n { y[i] = y[at] + 1 }");
    else line(g, "if at >= 0 and at < n { y[at] = p }");
    close_block(g, "");
    close_block(g, "");
    launch(g, s);
}

static void barriers(Gen *g, const Shape *s, bool known, const char *seed) {
    Ints guard = guard_of(g, s), inner = guard_of(g, s);
    bool nested = chance(g, 40), alike = true;
    for (int k = 0; k < count_of(s); k++) {
        int first = k - k % s->block;
        bool comes = guard.v[k] && (!nested || inner.v[k]), others = guard.v[first] && (!nested || inner.v[first]);
        alike &= comes == others;
    }
    line(g, "# gen %s --races: barriers %s", seed, alike ? "alike" : "apart");
    begin(g, s, known);
    if (nested) line(g, "if %s { if %s { barrier } }", guard.text, inner.text);
    else line(g, "if %s { barrier }", guard.text);
    line(g, "if i < n { y[i] = t + p }");
    close_block(g, "");
    launch(g, s);
}

void bits_program(Gen *g, const char *seed) {
    static const int widths[] = {4, 8, 10, 16, 32, 50};
    Shape s = {.block = widths[below(g, 6)], .blocks = (int)between(g, 1, 3), .p = between(g, 0, 70)};
    bool known = chance(g, 50);
    s.n = (int)between(g, 2, count_of(&s) + 20);
    s.param = known ? fmt("%d", (int)s.p) : "m";
    (chance(g, 60) ? elements : barriers)(g, &s, known, seed);
}
