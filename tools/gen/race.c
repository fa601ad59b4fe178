/* Programs with and without data races, known by construction (gen SEED --races).  The first line says which: every
 * unit is free of races at all sizes, except one of a racy program, in which two threads of this very launch surely
 * meet.  No index leaves its array either way. */
#include "tools/gen/gen.h"

typedef struct {
    const char *t;     /* element type */
    const char *n;     /* size of the arrays, as main writes it */
    int64_t count;     /* its value */
    int block;         /* threads of a block */
    bool racy;
} Unit;

static const char *pick(Gen *g, const char *const *of, int n) { return of[below(g, (uint32_t)n)]; }
#define PICK(g, ...) \
    pick(g, (const char *const[]){__VA_ARGS__}, (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)))

/* Some value of the unit's type, from x[i] and other elements of x, which nobody writes */
static const char *value(Gen *g, const Unit *u) {
    const char *a = PICK(g, "x[i]", "x[n - 1 - i]", "x[(i + 1) % n]", "x[0]", "x[(i * 5 + 2) % n]");
    switch (below(g, 4)) {
    case 0: return fmt("%s + %s(%d)", a, u->t, (int)between(g, 1, 9));
    case 1: return fmt("%s * x[i]", a);
    case 2: return fmt("if %s > %s(2) { %s } else { x[i] }", a, u->t, a);
    default: return a;
    }
}

/* let i = ..: the number of the thread in the whole launch */
static void thread_number(Gen *g, const Unit *u) {
    switch (below(g, 4)) {
    case 0: line(g, "let i = block.x * blockdim.x + thread.x"); break;
    case 1: line(g, "let i = thread.x + %d * block.x", u->block); break;
    case 2:
        line(g, "let first = block.x * %d", u->block);
        line(g, "let i = first + thread.x");
        break;
    default: line(g, "let i = block.x + griddim.x * thread.x");
    }
}

static const char *grid(const Unit *u) { return fmt("ceildiv(%s, %d), %d", u->n, u->block, u->block); }

static const char *array_of(Gen *g, const Unit *u, const char *size) {
    const char *name = fresh(g, "a");
    line(g, "var %s = [%s(i * %d %% 11) for i in 0:%s]", name, u->t, (int)between(g, 1, 9), size);
    return name;
}

static void show(Gen *g, const char *a) { line(g, "print(\"%s\", %s)", a, a); }

/* Begins a kernel y[..] from x[n]; the dims of y by the caller */
static const char *begin(Gen *g, const Unit *u, const char *y_dims, const char *more) {
    const char *name = fresh(g, "kern");
    open_block(g, "kernel %s(y: inout %s[%s], x: %s[n]%s)", name, u->t, y_dims, u->t, more);
    return name;
}

static void launch(Gen *g, const Unit *u, const char *kernel, const char *y_size, const char *shape) {
    const char *y = array_of(g, u, y_size), *x = array_of(g, u, u->n);
    line(g, "launch %s[%s](%s, %s)", kernel, shape, y, x);
    show(g, y);
}

/* ---- one element for each thread, or several */

static bool guarded(Gen *g, const char *cond, const char *not) {
    bool early = chance(g, 40);
    if (early) line(g, "if %s { return }", not);
    else open_block(g, "if %s", cond);
    return early;
}

static void elements(Gen *g, const Unit *u) {
    const char *free_at[] = {"i", "n - 1 - i", "i + 3", "2 * i", "2 * i + 1", "3 * n - 1 - 2 * i"};
    const char *racy_at[] = {"i // 2", "min(i, n - 2)", "0", "i % 2", "max(i, 1)", "i - i % 2"};
    const char *name = begin(g, u, "3 * n", ""), *at = u->racy ? pick(g, racy_at, 6) : pick(g, free_at, 6);
    thread_number(g, u);
    bool early = guarded(g, "i < n", "i >= n");
    if (chance(g, 30)) line(g, "let at = %s", at), at = "at";
    if (chance(g, 50)) line(g, "y[%s] = %s", at, value(g, u));
    else line(g, "y[%s] += %s", at, value(g, u));
    if (chance(g, 30) && !u->racy) line(g, "y[%s] = y[%s] + y[%s]", at, at, at);
    if (!early) close_block(g, "");
    close_block(g, "");
    launch(g, u, name, fmt("3 * %s", u->n), grid(u));
}

/* Each thread c elements one after the other, or elements at the distance of all threads */
static void chunks(Gen *g, const Unit *u) {
    int c = (int)between(g, 2, 4);
    bool strided = chance(g, 50);
    const char *name = begin(g, u, strided ? "n" : fmt("%d * n + 1", c), "");
    thread_number(g, u);
    if (strided) {
        open_block(g, "for j in i:n:%d", u->block - (u->racy ? 1 : 0)); /* launched with one block */
        line(g, "y[j] = x[j] + y[j]");
        close_block(g, "");
    } else {
        open_block(g, "if i < n");
        open_block(g, "for j in 0:%d", c + (u->racy ? 1 : 0));
        line(g, "y[%d * i + j] = %s", c, value(g, u));
        close_block(g, "");
        close_block(g, "");
    }
    close_block(g, "");
    launch(g, u, name, strided ? u->n : fmt("%d * %s + 1", c, u->n), strided ? fmt("1, %d", u->block) : grid(u));
}

/* In place: an element that another thread writes */
static void neighbours(Gen *g, const Unit *u) {
    const char *name = begin(g, u, "2 * n", "");
    thread_number(g, u);
    open_block(g, "if i < n");
    if (u->racy)
        line(g, "y[i] = %s", PICK(g, "y[(i + 1) % n] + x[i]", "y[n - 1 - i]", "y[max(i, 1) - 1] - x[i]", "y[0]"));
    else
        line(g, "%s",
             PICK(g, "y[i] = y[i + n] + x[i]", "y[i] = x[(i + 1) % n]", "y[2 * i] = y[2 * i + 1]", "y[i + n] += y[i]"));
    close_block(g, "");
    close_block(g, "");
    launch(g, u, name, fmt("2 * %s", u->n), grid(u));
}

/* An element for each thread of a block, taken for one of the launch */
static void block_local(Gen *g, const Unit *u) {
    const char *name = begin(g, u, "n", "");
    bool per_block = chance(g, 50);
    line(g, "let i = block.x * %d + thread.x", u->block);
    if (per_block) { /* one element for each block */
        bool all_threads = u->racy && chance(g, 50);
        const char *cond = all_threads ? "i < n" : fmt("thread.x == %d and i < n", (int)below(g, (uint32_t)u->block));
        if (u->racy && !all_threads) cond = "thread.x == 0";
        line(g, "if %s { y[%s] = %s }", cond, u->racy && !all_threads ? "0" : "block.x", "x[0]");
    } else line(g, "if i < n { y[%s] = x[i] }", u->racy ? "thread.x" : "i");
    close_block(g, "");
    launch(g, u, name, u->n, grid(u));
}

/* ---- atomics */

static void atomics(Gen *g, const Unit *unit) {
    Unit ints = *unit, *u = &ints; /* sums of floats would depend on the order */
    u->t = PICK(g, "int", "i32");
    int m = (int)between(g, 1, u->count > 8 ? 7 : (int)u->count - 1);
    const char *name = begin(g, u, "m", "");
    const char *op = PICK(g, "+=", "max=", "min=");
    thread_number(g, u);
    open_block(g, "if i < n");
    bool reads = u->racy && chance(g, 40); /* what others still update */
    if (u->racy && !reads) line(g, "y[i %% m] += %s", value(g, u));
    else line(g, "atomic y[i %% m] %s %s", op, value(g, u));
    if (reads) line(g, "if y[0] > x[0] { atomic y[%s] %s x[i] }", "m - 1", op);
    else if (!u->racy && chance(g, 30)) line(g, "atomic y[0] %s x[0]", op);
    close_block(g, "");
    close_block(g, "");
    launch(g, u, name, fmt("%d", m), grid(u));
}

/* ---- shared memory: s[tx] is written by its thread in one stretch, and read by others in the next */

static const char *other_slot(Gen *g, const Unit *u) {
    switch (below(g, 4)) {
    case 0: return fmt("%d - tx", u->block - 1);
    case 1: return fmt("(tx + 1) %% %d", u->block);
    case 2: return fmt("%d", (int)below(g, (uint32_t)u->block));
    default: return fmt("(tx + %d) %% %d", (int)between(g, 1, u->block - 1), u->block);
    }
}

static void write_own(Gen *g) { line(g, "s[tx] = %s", PICK(g, "v", "s[tx] + v", "v - s[tx]")); }
static void read_other(Gen *g, const Unit *u) { line(g, "v += s[%s]", other_slot(g, u)); }

/* Writing and reading alternate, a barrier between any two; the racy one lacks one of them. */
static void stretches(Gen *g, const Unit *u) {
    int n = (int)between(g, 1, 4), missing = u->racy ? (int)below(g, (uint32_t)n) : -1;
    for (int k = 0; k < n; k++) {
        if (k != missing) {
            if (chance(g, 20)) { /* the same barrier for all threads, behind a question that all answer alike */
                open_block(g, "if griddim.x > %d", (int)below(g, 3));
                line(g, "barrier");
                close_block(g, " else { barrier }");
            } else line(g, "barrier");
        }
        if (k % 2) write_own(g);
        else read_other(g, u);
    }
}

/* The same in a loop: a barrier behind the reading and one behind the writing */
static void rounds(Gen *g, const Unit *u) {
    int missing = u->racy ? (int)below(g, 3) : -1;
    if (missing != 0) line(g, "barrier");
    if (chance(g, 60)) open_block(g, "for e in 0:%d", (int)between(g, 2, 4));
    else {
        line(g, "var e = 0");
        open_block(g, "while e < %d", (int)between(g, 2, 4));
        line(g, "e += 1");
    }
    read_other(g, u);
    if (missing != 1) line(g, "barrier");
    write_own(g);
    if (missing != 2) line(g, "barrier");
    close_block(g, "");
}

/* Two arrays in turn */
static void double_buffer(Gen *g, const Unit *u) {
    int missing = u->racy ? (int)below(g, 2) : -1;
    line(g, "shared b: %s[%d]", u->t, u->block);
    line(g, "barrier");
    open_block(g, "for e in 0:%d", (int)between(g, 2, 4));
    line(g, "b[tx] = s[%s]", other_slot(g, u));
    if (missing != 0) line(g, "barrier");
    line(g, "s[tx] = b[%s]", other_slot(g, u));
    if (missing != 1) line(g, "barrier");
    close_block(g, "");
    if (!u->racy) line(g, "v = s[tx]");
}

/* s[0] combines all slots by halves */
static void tree(Gen *g, const Unit *u) {
    int missing = u->racy ? (int)below(g, 2) : -1;
    if (missing != 0) line(g, "barrier");
    line(g, "var h = %d", u->block / 2);
    open_block(g, "while h > 0");
    line(g, "if tx < h { s[tx] = max(s[tx], s[tx + h]) }");
    if (missing != 1) line(g, "barrier");
    line(g, "h //= 2");
    close_block(g, "");
    if (!u->racy) line(g, "v = s[0]");
}

static bool power_of_two(int n) { return !(n & (n - 1)); }

static void shared(Gen *g, const Unit *u) {
    const char *name = begin(g, u, "n", "");
    line(g, "shared s: %s[%d]", u->t, u->block);
    line(g, "let tx = thread.x");
    line(g, "let i = block.x * %d + tx", u->block);
    line(g, "var v = x[min(i, n - 1)]");
    line(g, "s[tx] = v");
    int kind = (int)below(g, 4);
    if (kind == 0) rounds(g, u);
    else if (kind == 1) double_buffer(g, u);
    else if (kind == 2 && power_of_two(u->block) && u->block >= 4) tree(g, u);
    else stretches(g, u);
    line(g, "if i < n { y[i] = v }");
    close_block(g, "");
    launch(g, u, name, u->n, grid(u));
}

/* ---- two axes */

static void planes(Gen *g, const Unit *u) {
    int h = (int)between(g, 2, 4), w = (int)between(g, 2, 5), rows = (int)between(g, 2, 9),
        cols = (int)between(g, 2, 9);
    const char *name = fresh(g, "kern");
    open_block(g, "kernel %s(y: inout %s[n, m], z: inout %s[n * m], x: %s[n, m])", name, u->t, u->t, u->t);
    line(g, "let i = block.y * %d + thread.y", h);
    line(g, "let j = block.x * %d + thread.x", w);
    bool early = guarded(g, "i < n and j < m", "i >= n or j >= m");
    if (u->racy)
        line(g, "%s",
             PICK(g, "y[i, 0] = x[i, j]", "y[0, j] += x[i, j]", "y[i, j // 2] = x[i, j]", "z[i + j] = x[i, j]",
                  "z[i * (m - 1) + j] = x[i, j]", "y[i, j] = y[i, m - 1 - j] + x[i, j]", "z[j] = x[i, j]"));
    else
        line(g, "%s",
             PICK(g, "y[i, j] = x[i, j]", "y[n - 1 - i, j] += x[i, j]", "z[i * m + j] = x[i, j]",
                  "z[j * n + i] = x[i, j]", "y[i, m - 1 - j] = x[i, j] + z[i * m + j]",
                  "z[(i + 1) * m - 1 - j] = x[i, j]"));
    if (!early) close_block(g, "");
    close_block(g, "");
    const char *y = fresh(g, "a"), *z = array_of(g, u, fmt("%d", rows * cols)), *x = fresh(g, "a");
    line(g, "var %s = [%s(i + j) for i in 0:%d, j in 0:%d]", y, u->t, rows, cols);
    line(g, "let %s = [%s(i * j) for i in 0:%d, j in 0:%d]", x, u->t, rows, cols);
    line(g, "launch %s[(ceildiv(%d, %d), ceildiv(%d, %d)), (%d, %d)](%s, %s, %s)", name, cols, w, rows, h, w, h, y, z,
         x);
    show(g, y);
    show(g, z);
}

static void tile(Gen *g, const Unit *u) {
    int b = (int)between(g, 2, 5), blocks = (int)between(g, 1, 3);
    const char *name = fresh(g, "kern");
    open_block(g, "kernel %s(y: inout %s[n, n], x: %s[n, n])", name, u->t, u->t);
    line(g, "shared s: %s[%d, %d]", u->t, b, b);
    line(g, "let ty = thread.y");
    line(g, "let tx = thread.x");
    line(g, "let i = block.y * %d + ty", b);
    line(g, "let j = block.x * %d + tx", b);
    line(g, "s[ty, tx] = x[i, j]");
    if (!u->racy) line(g, "barrier");
    line(g, "y[i, j] = s[%s]",
         PICK(g, "tx, ty", fmt("%d - ty, tx", b - 1), fmt("ty, %d - tx", b - 1), "0, tx", "ty, 0"));
    close_block(g, "");
    const char *y = fresh(g, "a"), *x = fresh(g, "a");
    line(g, "var %s = zeros(%s, %d, %d)", y, u->t, b * blocks, b * blocks);
    line(g, "let %s = [%s(i * 3 + j) for i in 0:%d, j in 0:%d]", x, u->t, b * blocks, b * blocks);
    line(g, "launch %s[(%d, %d), (%d, %d)](%s, %s)", name, blocks, blocks, b, b, y, x);
    show(g, y);
}

/* ---- parallel for */

static void iterations(Gen *g, const Unit *u) {
    const char *y = array_of(g, u, fmt("2 * %s", u->n)), *x = array_of(g, u, u->n);
    open_block(g, "parallel for i in 0:%s", u->n);
    const char *at = u->racy ? PICK(g, "i // 2", "0", "i % 2", "max(i, 1)") : PICK(g, "i", "2 * i + 1", "i + 1");
    if (chance(g, 70)) line(g, "%s[%s] %s %s[i]", y, at, PICK(g, "=", "+="), x);
    else if (u->racy) line(g, "%s[i] = %s[%s] + %s[i]", y, y, PICK(g, "i + 1", "0"), x);
    else line(g, "%s[i] = %s[i + %s] - %s[i]", y, y, u->n, x);
    close_block(g, "");
    show(g, y);
}

/* ---- what no compiler knows: places from an array */

static void permuted(Gen *g, const Unit *u) {
    const char *name = begin(g, u, "n", ", p: int[n]"), *p = fresh(g, "p");
    thread_number(g, u);
    line(g, "if i < n { y[p[i]] = %s }", value(g, u));
    close_block(g, "");
    const char *y = array_of(g, u, u->n), *x = array_of(g, u, u->n);
    if (u->racy) line(g, "let %s = [(i * i) %% %s for i in 0:%s]", p, u->n, u->n);
    else line(g, "let %s = [(i + %d) %% %s for i in 0:%s]", p, (int)between(g, 0, 9), u->n, u->n);
    line(g, "launch %s[%s](%s, %s, %s)", name, grid(u), y, x, p);
    show(g, y);
}

/* ---- whole programs */

static Unit unit_new(Gen *g, bool racy) {
    static const int widths[] = {2, 3, 4, 5, 8, 16, 32};
    Unit u = {.t = PICK(g, "int", "f64", "f32", "i32"), .racy = racy, .block = widths[below(g, 7)]};
    u.count = between(g, u.block + 2, 3 * u.block + 5); /* two blocks at least: so that two threads of any kind meet */
    if (chance(g, 50)) u.n = fmt("%d", (int)u.count);
    else { /* known only when it runs */
        u.n = fresh(g, "m");
        line(g, "let %s = int(%d.5 + 0.1 * uniform(1, 1))", u.n, (int)u.count);
    }
    return u;
}

void race_program(Gen *g, const char *seed) {
    static void (*const units[])(Gen *, const Unit *) = {elements, elements,   chunks,  neighbours, block_local,
                                                         atomics,  shared,     shared,  shared,     planes,
                                                         tile,     iterations, permuted};
    if (chance(g, 40)) return bits_program(g, seed);
    bool racy = chance(g, 50);
    int n = (int)between(g, 1, 3), bad = racy ? (int)below(g, (uint32_t)n) : -1;
    line(g, "# gen %s --races: %s", seed, racy ? "racy" : "free of races");
    for (int k = 0; k < n; k++) {
        Unit u = unit_new(g, k == bad);
        units[below(g, sizeof units / sizeof *units)](g, &u);
    }
}
