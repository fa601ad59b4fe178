/* Functions that can be differentiated (gen SEED --grads K): whole arrays, comprehensions, loops, branches, `while`,
 * launches, parallel loops, shared memory, barriers and atomics in any order.
 *
 * Every function takes x[n], w[n], an index array at[n] and a number c, changes an array y and a number s, and gives a
 * number.  The program compares its gradient with its derivative forward and with differences, the same of second
 * derivatives, and the value with the plain call, bit by bit; it prints "wrong" where they disagree.  Values stay small
 * and smooth; where the differences of two widths disagree, a branch lies there, and nothing is said. */
#include "tools/gen/gen.h"

typedef struct {
    Gen *g;
    const char *iv[8];     /* indices in 0 .. n - 1 */
    int nivs, left, depth;
    const char *own;       /* in parallel code: the element of y that may be touched */
    bool others;           /* other elements of y may be read */
    bool host;
} Body;

static const char *pick(Gen *g, const char *const *of, int n) { return of[below(g, (uint32_t)n)]; }
#define PICK(g, ...) \
    pick(g, (const char *const[]){__VA_ARGS__}, (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)))

static const char *digits(Gen *g) { return fmt("%d.%d", (int)below(g, 2), (int)between(g, 1, 9)); }

static const char *place(Body *b) {
    Gen *g = b->g;
    if (!b->nivs) return PICK(g, "0", "n - 1", "n // 2", "at[1]");
    const char *i = b->iv[below(g, (uint32_t)b->nivs)];
    return pick(g,
                (const char *const[]){i, i, i, fmt("n - 1 - %s", i), fmt("(%s + 1) %% n", i),
                                      fmt("min(%s + 1, n - 1)", i), fmt("max(%s - 1, 0)", i),
                                      fmt("(%s * 3 + 1) %% n", i), fmt("at[%s]", i), fmt("%s // 2", i), "0"},
                11);
}

static const char *atom(Body *b) {
    Gen *g = b->g;
    switch (below(g, 10)) {
    case 0: case 1: case 2: return fmt("x[%s]", place(b));
    case 3: return fmt("w[%s]", place(b));
    case 4: case 5: return b->own ? fmt("y[%s]", b->own) : b->others ? fmt("y[%s]", place(b)) : "s";
    case 6: return "s";
    case 7: return "c";
    case 8: return b->nivs ? fmt("0.1 * f64(%s)", b->iv[below(g, (uint32_t)b->nivs)]) : digits(g);
    default: return digits(g);
    }
}

static const char *test_of(Body *b) {
    Gen *g = b->g;
    const char *i = b->nivs ? b->iv[below(g, (uint32_t)b->nivs)] : "len(at)";
    switch (below(g, 4)) {
    case 0: return fmt("%s %% 2 == %d", i, (int)below(g, 2));
    case 1: return fmt("at[%s] > %s", place(b), b->nivs ? i : "1");
    default: return fmt("%s > %s", atom(b), digits(g));
    }
}

static const char *term(Body *b, int depth);

static const char *summed(Body *b, int depth) {
    Gen *g = b->g;
    const char *k = fresh(g, "k"), *i = b->nivs ? b->iv[below(g, (uint32_t)b->nivs)] : "n // 2";
    b->iv[b->nivs++] = k;
    const char *v = term(b, depth - 1), *range = PICK(g, "0:n", fmt("0:%s", i), fmt("%s:n", i), "1:n", "0:n:2");
    b->nivs--;
    switch (below(g, 4)) {
    case 0: return fmt("prod(1 + 0.2 * %s for %s in %s)", v, k, range);
    case 1: return fmt("0.3 * max(%s for %s in 0:n)", v, k);
    default: return fmt("sum(0.2 * %s for %s in %s)", v, k, range);
    }
}

/* Not much greater than what it is made of */
static const char *term(Body *b, int depth) {
    Gen *g = b->g;
    if (depth <= 0) return atom(b);
    const char *v = term(b, depth - 1);
    switch (below(g, 15)) {
    case 0: return fmt("sin(%s)", v);
    case 1: return fmt("tanh(%s)", v);
    case 2: return fmt("exp(-(%s)^2)", v);
    case 3: return fmt("sqrt(1 + (%s)^2)", v);
    case 4: return fmt("(%s) / (2 + (%s)^2)", v, atom(b));
    case 5: return fmt("log(1.5 + (%s)^2)", v);
    case 6: return fmt("atan2(%s, 1.5 + (%s)^2)", atom(b), v);
    case 7: return fmt("(if %s { %s } else { %s })", test_of(b), v, atom(b));
    case 8: return fmt("max(%s, %s)", v, atom(b));
    case 9: return b->nivs < 3 && b->depth < 4 ? summed(b, depth) : fmt("cos(%s)", v);
    case 10: return fmt("small(%s, %s)", v, atom(b));
    case 11: return fmt("(0.5 * (%s) - 0.4 * %s)", v, atom(b));
    case 12: return fmt("abs(%s)", v);
    default: return fmt("(0.6 * (%s) * %s)", v, atom(b));
    }
}

static const char *calm(Body *b, int depth) {
    const char *v = term(b, depth);
    return chance(b->g, 50) ? fmt("sin(%s)", v) : fmt("0.7 * tanh(%s)", v);
}

/* ---- statements */

static void step(Body *b);

static void block(Body *b, const char *head) {
    open_block(b->g, "%s", head);
    b->depth++;
    for (int i = (int)between(b->g, 1, 2); i > 0; i--) step(b);
    b->depth--;
    close_block(b->g, "");
}

static void element(Body *b) {
    Gen *g = b->g;
    const char *at = b->own ? b->own : place(b);
    switch (below(g, 4)) {
    case 0: line(g, "y[%s] += 0.3 * %s", at, calm(b, 2)); break;
    case 1: line(g, "y[%s] *= %s", at, calm(b, 1)); break;
    default: line(g, "y[%s] = %s", at, calm(b, 2));
    }
}

static void scalar_step(Body *b) {
    Gen *g = b->g;
    switch (below(g, 3)) {
    case 0: line(g, "s += 0.2 * %s", calm(b, 2)); break;
    case 1: line(g, "s = 0.5 * s * %s + %s", atom(b), calm(b, 1)); break;
    default: line(g, "s = %s", calm(b, 2));
    }
}

static void counted(Body *b) {
    Gen *g = b->g;
    const char *i = fresh(g, "p"), *outer = b->nivs ? b->iv[below(g, (uint32_t)b->nivs)] : "2";
    const char *range = PICK(g, "0:n", "1:n", "n - 1:-1:-1", "0:n:2", fmt("0:%s", outer), "0:3");
    b->iv[b->nivs++] = i;
    open_block(g, "for %s in %s", i, range);
    b->depth++;
    for (int k = (int)between(g, 1, 2); k > 0; k--) step(b);
    if (chance(g, 20)) line(g, "if %s > 1.1 { break }", atom(b));
    b->depth--;
    close_block(g, "");
    b->nivs--;
}

static void waiting(Body *b) {
    Gen *g = b->g;
    const char *k = fresh(g, "k");
    line(g, "var %s = 0", k);
    open_block(g, "while %s < %d and s < 2.0", k, (int)between(g, 1, 5));
    line(g, "%s += 1", k);
    line(g, "s = 0.8 * s + 0.3 + 0.1 * %s", calm(b, 1));
    b->depth++;
    if (chance(g, 50)) step(b);
    b->depth--;
    close_block(g, "");
}

/* Windows of x at indices with strides, quotients, remainders, ends: i of so many results, a of m in a window */
typedef struct { const char *index, *results; } Window;

/* q: a number that is known when the program runs, 1 to 3 */
static Window window(Gen *g, const char *i, const char *a, const char *q, int m) {
    int s = (int)between(g, 1, 3), d = (int)between(g, 1, 2);
    const char *fit = fmt("max((n - 1 - %d) // %d + 1, 0)", d * (m - 1), s);
    switch (below(g, 12)) {
    case 0: return (Window){fmt("%d * %s + %d * %s", s, i, d, a), fit};
    case 1: return (Window){fmt("n - 1 - %d * %s - %d * %s", s, i, d, a), fit};
    case 2: return (Window){fmt("(%s + %d * %s) %% n", i, d, a), PICK(g, "n", "2 * n + 1", "n // 2")};
    case 3: return (Window){fmt("(%d * %s - %s) %% n", s, i, a), PICK(g, "n", "3 * n - 1")};
    case 4: return (Window){fmt("clamp(%d * %s + %d * %s - 2, 0, n - 1)", s, i, d, a), "n"};
    case 5: return (Window){fmt("max(0, min(%s - %s + 1, n - 1))", i, a), PICK(g, "n", "n + 2")};
    case 6: return (Window){PICK(g, fmt("min(%s + %d, n - 1)", i, d), fmt("max(%s - %d, 0)", i, d)), "n"};
    case 7: return (Window){fmt("(%s + %s) // %d", i, a, s), fmt("%d * n - %d", s, m - 1)};
    case 8: return (Window){fmt("%s // 2 + %s", i, a), fmt("2 * (n - %d)", m - 1)};
    case 9: return (Window){fmt("%s * %s + %s", q, i, a), fmt("(n - %d) // %s + 1", m, q)};
    case 10: return (Window){fmt("(n - 1) - %s * %s - %s", q, i, a), fmt("(n - %d) // %s + 1", m, q)};
    default: return (Window){fmt("%s * %d + %s", i, m, a), fmt("n // %d", m)};
    }
}

static void windows(Body *b) {
    Gen *g = b->g;
    int m = (int)between(g, 1, 3);
    const char *z = fresh(g, "z"), *i = fresh(g, "p"), *a = fresh(g, "k"), *q = fresh(g, "q");
    Window r = window(g, i, a, q, m);
    const char *x = fmt("x[%s]", r.index);
    const char *v = PICK(g, fmt("w[%s] * %s", a, x), fmt("sin(%s) * w[%s]", x, a), fmt("0.7 * %s", x));
    const char *all = PICK(g, fmt("sum(%s for %s in 0:%d)", v, a, m), fmt("sum(%s for %s in 0:%d)", v, a, m),
                           fmt("max(%s for %s in 0:%d)", v, a, m), fmt("prod(1 + %s for %s in 0:%d)", v, a, m));
    line(g, "let %s = 1 + at[1] %% 3", q);
    if (chance(g, 30)) line(g, "let %s = flatten([%s for %s in 0:%s, %s in 0:%d])", z, v, i, r.results, a, m);
    else line(g, "let %s = [%s for %s in 0:%s]", z, PICK(g, all, fmt("sin(%s)", all)), i, r.results);
    line(g, "s += 0.2 * sum(%s * %s)", z, PICK(g, z, "c", "0.5"));
    const char *read = fmt("(if len(%s) > 0 { %s[%s %% len(%s)] } else { c })", z, z, i, z);
    if (chance(g, 50)) line(g, "y = [0.7 * y[%s] + %s for %s in 0:n]", i, read, i);
}

static void whole(Body *b) {
    Gen *g = b->g;
    const char *i = fresh(g, "p");
    switch (below(g, 11)) {
    case 0: line(g, "y = sin(y) * %s + 0.3 * x", atom(b)); return;
    case 1: line(g, "y[1:] = 0.5 * y[0:n - 1] * w[1:]"); return;
    case 2: line(g, "y = 0.3 * cumsum(tanh(y)) + y[::-1]"); return;
    case 3: line(g, "y = tanh([x[i] * w[j] + f64(i == j) for i in 0:n, j in 0:n] @ y)"); return;
    case 4: line(g, "y = sin(sum(reshape(outer(x, y), n, n) * %s, axis=%d))", atom(b), (int)below(g, 2)); return;
    case 5: line(g, "y = where(y > x, 0.5 * y, x * %s)", atom(b)); return;
    case 6: line(g, "y[::2] = 0.5 * y[::2] * c"); return;
    case 7: case 8: windows(b); return;
    default: break;
    }
    b->iv[b->nivs++] = i;
    line(g, "y = [%s for %s in 0:n]", calm(b, 3), i);
    b->nivs--;
}

static void threads(Body *b) {
    Gen *g = b->g;
    const char *i = fresh(g, "p"), *t = fresh(g, "t");
    Body in = {.g = g, .iv = {i}, .nivs = 1, .own = i};
    open_block(g, "parallel for %s in 0:n", i);
    if (chance(g, 40)) {
        line(g, "var %s = %s", t, atom(&in));
        open_block(g, "for k in 0:%s", PICK(g, "3", "n", i));
        line(g, "%s = %s + 0.4 * %s * x[(%s + k) %% n]", t, calm(&in, 1), t, i);
        close_block(g, "");
        line(g, "y[%s] = %s", i, t);
    } else if (chance(g, 50)) line(g, "if %s { y[%s] = %s }", test_of(&in), i, calm(&in, 3));
    else line(g, "y[%s] = %s", i, calm(&in, 3));
    close_block(g, "");
}

static void step(Body *b) {
    Gen *g = b->g;
    bool room = b->depth < 3 && b->nivs < 4 && --b->left > 0;
    switch (below(g, 10)) {
    case 0: case 1: element(b); return;
    case 2: scalar_step(b); return;
    case 3: if (room) { counted(b); return; } break;
    case 4: if (room) { waiting(b); return; } break;
    case 5: if (room) { block(b, fmt("if %s", test_of(b))); return; } break;
    case 6:
        if (!b->nivs) {
            line(g, "launch k%d[ceildiv(n, 4), 4](y, x, w, at, c, s)", (int)below(g, (uint32_t)g->nkernels));
            return;
        }
        break;
    case 7: if (b->depth < 2) { threads(b); return; } break;
    default: if (b->depth < 2) { whole(b); return; } break;
    }
    if (chance(g, 50)) element(b);
    else scalar_step(b);
}

/* ---- kernels, of blocks of 4 threads */

static void begin_kernel(Gen *g) {
    open_block(g, "kernel k%d(y: inout f64[n], x: f64[n], w: f64[n], at: int[n], c: f64, s: f64)", g->nkernels++);
    line(g, "let i = block.x * blockdim.x + thread.x");
}

static void own_elements(Gen *g) {
    Body b = {.g = g, .iv = {"i"}, .nivs = 1, .own = "i"};
    begin_kernel(g);
    line(g, "if i >= n { return }");
    for (int k = (int)between(g, 1, 2); k > 0; k--) element(&b);
    close_block(g, "");
}

/* An element of shared memory, which all threads have written */
static const char *of_tile(Gen *g) {
    return PICK(g, "sh[3 - t]", "sh[(t + 1) % 4]", "sh[t]", "sh[0]", "sh[(t * 3) % 4]");
}

static void begin_shared(Gen *g, Body *b) {
    *b = (Body){.g = g, .iv = {"i"}, .nivs = 1, .own = "i"};
    begin_kernel(g);
    line(g, "shared sh: f64[4]");
    line(g, "let t = thread.x");
    line(g, "sh[t] = %s", calm(b, 2));
    line(g, "barrier");
}

static void tile(Gen *g) {
    Body b;
    begin_shared(g, &b);
    line(g, "y[i] = %s * %s + %s", of_tile(g), of_tile(g), calm(&b, 1));
    if (chance(g, 50)) {
        line(g, "barrier");
        line(g, "sh[t] = 0.5 * y[i] * c");
        line(g, "barrier");
        line(g, "y[i] += 0.5 * %s", of_tile(g));
    }
    close_block(g, "");
}

static void turns(Gen *g) {
    Body b;
    begin_shared(g, &b);
    open_block(g, "for r in 0:%s", PICK(g, "3", "at[0] % 4", "n // 4"));
    line(g, "let v = %s", of_tile(g));
    line(g, "barrier");
    if (chance(g, 50)) line(g, "sh[t] = sin(v * %s) + 0.1 * f64(r)", atom(&b));
    else line(g, "if t != r { sh[t] = 0.6 * sh[t] * v }");
    line(g, "barrier");
    close_block(g, "");
    line(g, "y[i] += sh[t]");
    close_block(g, "");
}

static void tree(Gen *g) {
    Body b;
    begin_shared(g, &b);
    line(g, "var k = 2");
    open_block(g, "while k > 0");
    line(g, "if t < k { sh[t] = %s }",
         PICK(g, "sh[t] + sh[t + k]", "sh[t] * sh[t + k]", "max(sh[t], sh[t + k])", "sh[t] * c - sh[t + k]"));
    line(g, "barrier");
    line(g, "k = k // 2");
    close_block(g, "");
    line(g, "%s",
         PICK(g, "if t == 0 { y[i] += 0.3 * sh[0] }", "y[i] *= sh[0]", "if t == 1 { y[4 * block.x] = sh[0] }"));
    close_block(g, "");
}

static void gathered_sums(Gen *g) {
    begin_kernel(g);
    line(g, "atomic y[%s] += 0.2 * %s", PICK(g, "at[i]", "i // 2", "n - 1 - i", "0"),
         chance(g, 50) ? "x[i] * w[at[i]]" : "sin(x[at[i]] * c)");
    if (chance(g, 40)) line(g, "atomic y[i] += c * w[i]^2");
    close_block(g, "");
}

static void running(Gen *g) {
    Body b = {.g = g, .iv = {"i"}, .nivs = 1, .own = "i"};
    begin_kernel(g);
    line(g, "var v = %s", atom(&b));
    open_block(g, "for k in %s", PICK(g, "0:3", "0:n", "0:i", "i:n", "0:at[i]"));
    line(g, "v = %s", PICK(g, "0.5 * v * x[k] + w[i]", "sin(v + x[(i + k) % n])", "v * (1 + 0.2 * w[k])"));
    if (chance(g, 40)) line(g, "y[i] += 0.1 * v * y[i]");
    close_block(g, "");
    line(g, "y[i] = v");
    if (chance(g, 30)) line(g, "if %s { y[i] += sin(y[i]) }", test_of(&b));
    close_block(g, "");
}

static void any_kernel(Gen *g) {
    switch (below(g, 6)) {
    case 0: tile(g); break;
    case 1: turns(g); break;
    case 2: tree(g); break;
    case 3: gathered_sums(g); break;
    case 4: running(g); break;
    default: own_elements(g);
    }
}

static void program_function(Gen *g, int number_of) {
    Body b = {.g = g, .left = 4 + g->size, .others = true, .host = true};
    open_block(g, "fn f%d(x: f64[n], w: f64[n], at: int[n], c: f64) -> f64", number_of);
    line(g, "var y = %s", PICK(g, "x", "0.5 * x + w", "zeros(f64, n)", "sin(x) * c"));
    line(g, "var s = %s", PICK(g, "0.3", "c", "x[0] * w[1]", "sum(x)"));
    for (int i = 2 + g->size; i > 0; i--) step(&b);
    line(g, "return sum(y * w) + s + 0.5 * sum(y^2) + %s", atom(&b));
    close_block(g, "");
    line(g, "%s", "");
}

/* What compares; the same for all functions */
static const char *const checks[] = {
    "fn small(a: f64, b: f64) -> f64 {",
    "    if a > b { return 0.5 * a - b }",
    "    return 0.3 * a * b",
    "}",
    "fn slope(f: fn(f64) -> f64, h: f64) -> f64 = (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)",
    "fn near(a: f64, b: f64, d: f64, tolerance: f64) -> bool = abs(a - b) <= tolerance * (1 + abs(a) + abs(d))",
    "fn verdict(a: f64, b: f64, d: f64, e: f64, tolerance: f64) {",
    "    if not near(d, e, d, tolerance) { print(\"branch\") } else if near(a, d, d, tolerance) and near(b, d, d, "
    "tolerance) { print(\"agree\") }",
    "    else { print(\"wrong\", a, b, d) }",
    "}",
};

/* Functions of n functions of theirs, and the comparison of each */
void derivatives_program(Gen *g, int functions) {
    for (int i = 0; i < (int)(sizeof checks / sizeof *checks); i++) line(g, "%s", checks[i]);
    for (int i = 0; i < 3; i++) any_kernel(g);
    for (int i = 0; i < functions; i++) program_function(g, i);
    line(g, "let n = %d", (int)between(g, 1, 3) * 4);
    line(g, "let x = [uniform(1, i) - 0.4 for i in 0:n]");
    line(g, "let w = [uniform(2, i) - 0.6 for i in 0:n]");
    line(g, "let at = [int(random_bits(3, i) %% u64(n)) for i in 0:n]");
    line(g, "let (u, v) = ([uniform(4, i) - 0.5 for i in 0:n], [uniform(5, i) - 0.5 for i in 0:n])");
    for (int i = 0; i < functions; i++) {
        line(g, "let g%d = value_and_grad(f%d, wrt=(x, w, c))(x, w, at, 0.7)", i, i);
        if (!g->known) line(g, "if g%d.0 != f%d(x, w, at, 0.7) { print(\"wrong value\") }", i, i);
        line(g, "print([g%d.0, g%d.1.2], g%d.1.0, g%d.1.1)", i, i, i, i);
        line(g, "let p%d = fn(h) => f%d(x + h * u, w + h * v, at, 0.7 + 0.3 * h)", i, i);
        line(g, "let t%d = jvp(f%d, wrt=(x, w, c))(x, w, at, 0.7, (u, v, 0.3)).1", i, i);
        if (g->known) {
            line(g, "print(t%d, hvp(f%d, wrt=x)(x, w, at, 0.7, u))", i, i);
            continue;
        }
        line(g,
             "verdict(sum(g%d.1.0 * u) + sum(g%d.1.1 * v) + 0.3 * g%d.1.2, t%d, slope(p%d, 0.0005), slope(p%d, "
             "0.00031), 0.000001)",
             i, i, i, i, i, i);
        line(g, "let h%d = hvp(f%d, wrt=x)(x, w, at, 0.7, u)", i, i);
        line(g, "let r%d = grad(fn(z) => jvp(f%d, wrt=x)(z, w, at, 0.7, u).1)(x)", i, i);
        line(g, "let q%d = fn(h) => sum(grad(f%d, wrt=x)(x + h * u, w, at, 0.7) * v)", i, i);
        line(g, "verdict(sum(h%d * v), sum(r%d * v), slope(q%d, 0.0005), slope(q%d, 0.00031), 0.00001)", i, i, i, i);
    }
}
