/* Functions, and pieces of programs with a fixed shape and random holes. */
#include "tools/gen/gen.h"

#include <string.h>

Saved unit_begin(Gen *g, int64_t budget) {
    Saved s = {g->nvars,  g->loops, g->frozen, g->arrays_from, g->mult, g->work,
               g->budget, g->host,  g->quiet,  g->in_fn,       g->fn};
    g->frozen = g->arrays_from = g->nvars;
    g->loops = 0;
    g->mult = 1;
    g->work = 0;
    g->budget = budget;
    g->host = g->quiet = g->in_fn = true;
    g->fn = NULL;
    return s;
}

int64_t unit_end(Gen *g, Saved s) {
    int64_t work = g->work;
    g->nvars = s.nvars;
    g->loops = s.loops;
    g->frozen = s.frozen;
    g->arrays_from = s.arrays_from;
    g->mult = s.mult;
    g->work = s.work;
    g->budget = s.budget;
    g->host = s.host;
    g->quiet = s.quiet;
    g->in_fn = s.in_fn;
    g->fn = s.fn;
    return work + 1;
}

static Fn *fn_new(Gen *g) {
    Fn *f = &g->fns[g->nfns];
    memset(f, 0, sizeof *f);
    snprintf(f->name, sizeof f->name, "%s", fresh(g, "g"));
    f->first_sym = g->nsyms;
    return f;
}

static void fn_param(Gen *g, Fn *f, Elem t, int rank, const Size *dim) {
    Param *p = &f->params[f->nparams++];
    (void)g;
    p->t = t;
    p->rank = rank;
    for (int i = 0; i < rank; i++) p->dim[i] = dim[i];
    p->bound = is_float(t) ? 16 : 0;
}

static void fn_returns(Fn *f, Elem t, int rank, const Size *dim) {
    Param *r = &f->ret[f->nret++];
    r->t = t;
    r->rank = rank;
    for (int i = 0; i < rank; i++) r->dim[i] = dim[i];
    r->bound = is_float(t) ? 64 : 0;
}

/* The head, and the parameters as variables */
static void fn_open(Gen *g, Fn *f, bool short_form) {
    const char *s = "", *r = "";
    for (int i = 0; i < f->nparams; i++) {
        const Param *p = &f->params[i];
        const char *name = fmt("x%d", i);
        s = fmt("%s%s%s: %s", s, i ? ", " : "", name, type_text(g, p->t, p->rank, p->dim));
        var_add(g, name, p->t, p->rank, p->dim, false, p->bound);
    }
    for (int i = 0; i < f->nsyms; i++)
        range_add(g, g->syms[f->first_sym + i].name, size_sym(f->first_sym + i),
                  size_plus(size_sym(f->first_sym + i), 1));
    for (int i = 0; i < f->nret; i++)
        r = fmt("%s%s%s", r, i ? ", " : "", type_text(g, f->ret[i].t, f->ret[i].rank, f->ret[i].dim));
    if (f->nret > 1) r = fmt("(%s)", r);
    if (!short_form) open_block(g, "fn %s(%s) -> %s", f->name, s, r);
    else
        line(g, "fn %s(%s) -> %s = %s", f->name, s, r,
             clamp(g, f->ret[0].t, scalar(g, f->ret[0].t, 3), f->ret[0].bound).s);
}

static void fn_finish(Gen *g, Fn *f) {
    const char *s = "";
    for (int i = 0; i < f->nret; i++) {
        const Param *r = &f->ret[i];
        Ex e = r->rank ? array(g, r->t, r->rank, r->dim, 2) : scalar(g, r->t, 3);
        s = fmt("%s%s%s", s, i ? ", " : "", clamp(g, r->t, e, r->bound).s);
    }
    line(g, f->nret > 1 ? "return (%s)" : "return %s", s);
    close_block(g, "");
}

void fn_scalar(Gen *g) {
    if (g->nfns == MAX_FNS) return;
    Fn *f = fn_new(g);
    for (int n = (int)between(g, 1, 3); n > 0; n--) fn_param(g, f, any_elem(g), 0, NULL);
    fn_returns(f, any_elem(g), 0, NULL);
    Saved saved = unit_begin(g, 150);
    g->host = false;
    g->fn = f;
    bool short_form = chance(g, 35);
    fn_open(g, f, short_form);
    if (!short_form) {
        statements(g, (int)between(g, 0, 1 + g->size / 2), 3);
        fn_finish(g, f);
    }
    f->cost = unit_end(g, saved);
    g->nfns++;
}

void fn_array(Gen *g) {
    if (g->nfns == MAX_FNS || g->nsyms + 4 > MAX_SYMS) return;
    static const char *const letters[] = {"n", "m", "k"};
    Fn *f = fn_new(g);
    static const int64_t least[] = {0, 1, 1, 3, 3, 4};
    int naxes = (int)between(g, 1, 3);
    for (int i = 0; i < naxes; i++) sym_new(g, letters[i], least[below(g, 6)], 48);
    f->nsyms = naxes;
    Size dim[3] = {{0, 0}}, turned[3] = {{0, 0}};
    for (int i = 0; i < naxes; i++) dim[i] = size_sym(f->first_sym + i);
    int rank = naxes == 3 ? (chance(g, 50) ? 3 : 2) : naxes;
    Elem t = any_elem(g);
    for (int i = 0; i < rank; i++) turned[i] = dim[rank - 1 - i];
    fn_param(g, f, t, rank, dim);
    if (naxes > rank) fn_param(g, f, chance(g, 60) ? t : any_elem(g), 1, dim + rank);
    if (chance(g, 50)) fn_param(g, f, chance(g, 60) ? t : any_elem(g), rank, chance(g, 60) ? dim : turned);
    if (chance(g, 40)) fn_param(g, f, any_elem(g), 0, NULL);
    if (chance(g, 30)) {
        Size bigger = size_plus(dim[0], between(g, 1, 2));
        fn_param(g, f, t, 1, &bigger);
    }
    for (int n = chance(g, 20) ? 2 : 1; n > 0; n--) {
        Elem r = chance(g, 60) ? t : any_elem(g);
        if (chance(g, 30)) fn_returns(f, r, 0, NULL);
        else if (chance(g, 20) && g->syms[dim[0].sym].min >= 3) {
            Size less = size_plus(dim[0], -between(g, 1, 2));
            fn_returns(f, r, 1, &less);
        } else fn_returns(f, r, rank, chance(g, 80) ? dim : turned);
    }
    Saved saved = unit_begin(g, 6000);
    g->fn = f;
    fn_open(g, f, false);
    statements(g, (int)between(g, 1, 2 + g->size), 3);
    fn_finish(g, f);
    f->cost = unit_end(g, saved);
    g->nfns++;
}

/* ---- fixed shapes */

static const char *hole(Gen *g, Elem t, const char *a, const char *b, int depth) {
    Saved saved = unit_begin(g, 200);
    g->host = false;
    var_add(g, a, t, 0, NULL, false, 16);
    if (b) var_add(g, b, t, 0, NULL, false, 16);
    Ex e = clamp(g, t, typed(g, t, scalar(g, t, depth)), 16);
    unit_end(g, saved);
    return e.s;
}

static void register_fn(Gen *g, const char *name, Elem t, int rank, Elem from, bool with_fn, int64_t cost) {
    if (g->nfns == MAX_FNS || g->nsyms + 2 > MAX_SYMS) return;
    Fn *f = fn_new(g);
    snprintf(f->name, sizeof f->name, "%s", name);
    Size n = {0, 0};
    if (rank) {
        n = size_sym(sym_new(g, "n", 1, 48));
        f->nsyms = 1;
    }
    if (with_fn) {
        Param *p = &f->params[f->nparams++];
        p->is_fn = true;
        p->t = p->from = from;
        p->bound = 16;
    }
    fn_param(g, f, t, rank, &n);
    fn_returns(f, t, rank, &n);
    f->cost = cost;
    g->nfns++;
}

static void recursion(Gen *g) {
    const char *f = fresh(g, "rec");
    Elem t = chance(g, 50) ? I64 : F64;
    open_block(g, "fn %s(d: int, x: %s) -> %s", f, elem_name(t), elem_name(t));
    line(g, "if d <= 0 { return x }");
    if (chance(g, 50)) line(g, "return %s(d - 1, %s)", f, hole(g, t, "x", NULL, 2));
    else if (t == I64) line(g, "return %s(d - 2, x + 1) + %s(d - 3, %s)", f, f, hole(g, t, "x", NULL, 1));
    else line(g, "return 0.5 * %s(d - 2, x) + 0.25 * %s(d - 3, %s)", f, f, hole(g, t, "x", NULL, 1));
    close_block(g, "");
    const char *h = fresh(g, "g");
    line(g, "fn %s(x: %s) -> %s = %s(%d, x)", h, elem_name(t), elem_name(t), f, (int)between(g, 0, 7));
    register_fn(g, h, t, 0, t, false, 300);
}

static void generic(Gen *g) {
    const char *f = fresh(g, "gen");
    Elem t = any_number(g);
    switch (below(g, 4)) {
    case 0:
        line(g, "fn %s(f: fn(T) -> T, x: T[n]) -> T[n] = [f(f(x[i])) for i in 0:n]", f);
        register_fn(g, f, t, 1, t, true, 48 * 30);
        break;
    case 1:
        open_block(g, "fn %s(f: fn(T) -> T, x: T[n]) -> T[n]", f);
        line(g, "var y = x");
        open_block(g, "for i in 0:n");
        line(g, "y[i] = f(y[max(i - 1, 0)])");
        close_block(g, "");
        line(g, "return y");
        close_block(g, "");
        register_fn(g, f, t, 1, t, true, 48 * 20);
        break;
    case 2:
        line(g, "fn %s(x: T[n]) -> T[n] = [if i == 0 { x[n - 1] } else { x[i - 1] } for i in 0:n]", f);
        register_fn(g, f, t, 1, t, false, 48 * 5);
        register_fn(g, f, any_number(g), 1, t, false, 48 * 5);
        break;
    default:
        line(g, "fn %s(f: fn(T) -> T, x: T) -> T = f(f(x))", f);
        register_fn(g, f, t, 0, t, true, 40);
    }
}

void fn_templates(Gen *g) {
    if (chance(g, 40)) recursion(g);
    else generic(g);
}

static Size some_size(Gen *g) {
    return g->nconsts && chance(g, 60) ? size_const(g->consts[below(g, (uint32_t)g->nconsts)].v)
                                       : size_const(between(g, 1, 30));
}

/* Custom reduction operators, each with its neutral element */
static void custom_reduce(Gen *g) {
    static const struct { const char *op, *init, *element;
    } forms[] = {
        {"p + q", "0", "%s"},
        {"p xor q", "0", "%s"},
        {"p | q", "0", "%s"},
        {"p & q", "-1", "%s"},
        {"max(p, q)", "-1000", "%s %% 500"},
        {"p * q %% 97", "1", "%s %% 97"},
        {"if p > q { p } else { q }", "-1000", "%s %% 500"},
    };
    int i = (int)below(g, sizeof forms / sizeof *forms);
    const char *k = fresh(g, "k"), *name = fresh(g, "s");
    Size n = some_size(g);
    if (chance(g, 15)) n = size_const(between(g, 4090, 9000));
    int mark = g->nvars;
    range_add(g, k, size_const(0), n);
    int64_t mult = g->mult;
    g->mult *= size_max(g, n);
    const char *e = fmt("(%s)", typed(g, I64, scalar(g, I64, 2)).s);
    g->mult = mult;
    g->nvars = mark;
    const char *element = strchr(forms[i].element, ' ')
                              ? fmt("%s%s", e,
                                    forms[i].element[4] == '%' && forms[i].element[6] == '9' ? " % 97" : " % 500")
                              : e;
    const char *op = i == 5 ? "p * q % 97" : forms[i].op;
    line(g, "let %s = reduce(fn(p, q) => %s, %s, %s for %s in 0:%s)", name, op, forms[i].init, element, k,
         size_text(g, n));
    var_add(g, name, I64, 0, NULL, false, 0);
}

static void first_place(Gen *g) { /* a reduction of pairs: where the greatest element is */
    const Var *x = var_pick(g, any_number(g), 1, false);
    if (!x || x->suffix || size_min(g, x->dim[0]) < 1) return;
    const char *name = fresh(g, "s");
    line(g, "let %s = %s(%s)", name, chance(g, 50) ? "argmax" : "argmin", x->name);
    range_add(g, name, size_const(0), x->dim[0]);
}

static void matmul(Gen *g) { /* of small whole numbers: exact in any order */
    Elem t = chance(g, 50) ? F64 : F32;
    Size n = some_size(g), m = some_size(g), k = some_size(g);
    const char *a = fresh(g, "a"), *b = fresh(g, "a"), *c = fresh(g, "a");
    int p = (int)between(g, 2, 9), q = (int)between(g, 2, 9);
    line(g, "let %s = [%s((i * %d + j) %% 7 - 3) for i in 0:%s, j in 0:%s]", a, elem_name(t), p, size_text(g, n),
         size_text(g, k));
    line(g, "let %s = [%s((i + j * %d) %% 5 - 2) for i in 0:%s, j in 0:%s]", b, elem_name(t), q, size_text(g, k),
         size_text(g, m));
    switch (below(g, 4)) {
    case 0: line(g, "let %s = %s @ %s", c, a, b); break;
    case 1: line(g, "let %s = [sum(%s[i, l] * %s[l, j] for l) for i, j]", c, a, b); break;
    case 2: line(g, "let %s = (%s.T @ %s.T).T", c, b, a); break;
    default: line(g, "let %s = [%s[i] @ %s[:, j] for i in 0:%s, j in 0:%s]", c, a, b, size_text(g, n), size_text(g, m));
    }
    Size dim[2] = {n, m};
    g->work += size_max(g, n) * size_max(g, m) * size_max(g, k) * 3;
    var_add(g, c, t, 2, dim, false, 300);
}

static void two_launches(Gen *g) { /* neighbours through a wrapped index, time loop, swap of two states */
    const char *k = fresh(g, "step"), *a = fresh(g, "a"), *b = fresh(g, "a"), *t = fresh(g, "e"), *old = fresh(g, "a");
    Elem e = chance(g, 70) ? F64 : F32;
    Size n = size_const(between(g, 3, 70));
    int w = (int)between(g, 2, 40);
    open_block(g, "kernel %s(y: out %s[n], x: %s[n])", k, elem_name(e), elem_name(e));
    line(g, "let i = block.x * blockdim.x + thread.x");
    open_block(g, chance(g, 50) ? "if i >= 1 and i < n - 1" : "if i > 0 and i + 1 < n");
    line(g, "let l = x[i - 1]");
    line(g, "let r = x[i + 1]");
    line(g, "y[i] = 0.25 * x[i] + %s", hole(g, e, "l", "r", 2));
    close_block(g, "");
    close_block(g, "");
    line(g, "var %s = %s", a, clamp(g, e, array(g, e, 1, &n, 1), 16).s);
    line(g, "var %s = %s", b, a);
    open_block(g, "for %s in 0:%d", t, (int)between(g, 1, 5));
    line(g, "launch %s[ceildiv(%s, %d), %d](%s, %s)", k, size_text(g, n), w, w, b, a);
    line(g, "let %s = %s", old, a);
    line(g, "%s = %s", a, b);
    line(g, "%s = %s", b, old);
    close_block(g, "");
    g->work += size_max(g, n) * 100;
    var_add(g, a, e, 1, &n, true, 1e3);
    var_add(g, b, e, 1, &n, true, 1e3);
}

static void long_sum(Gen *g) { /* more than one chunk of the reduction tree */
    Size n = size_const(between(g, 4000, 13000));
    const char *a = fresh(g, "a"), *s = fresh(g, "s");
    Elem t = chance(g, 60) ? F64 : F32;
    line(g, "let %s = [%s(uniform(%d, i)) for i in 0:%s]", a, elem_name(t), (int)below(g, 100), size_text(g, n));
    switch (below(g, 4)) {
    case 0: line(g, "let %s = sum(%s)", s, a); break;
    case 1: line(g, "let %s = sum(%s[i] * %s[i] for i)", s, a, a); break;
    case 2: line(g, "let %s = cumsum(%s)[%s - 1]", s, a, size_text(g, n)); break;
    default: line(g, "let %s = sqrt(sum((%s - 0.5)^2))", s, a);
    }
    var_add(g, s, t, 0, NULL, false, 2e4);
    g->work += 20000;
}

static void large(Gen *g) { /* enough elements for several threads */
    const char *a = fresh(g, "a"), *b = fresh(g, "a"), *s = fresh(g, "s");
    Elem t = any_number(g);
    bool flat = chance(g, 60);
    Size dim[2] = {size_const(flat ? between(g, 3000, 9000) : between(g, 60, 90)), size_const(between(g, 50, 99))};
    int rank = flat ? 1 : 2;
    const char *at = flat ? "i" : "i, j",
               *gens = flat ? fmt("i in 0:%s", size_text(g, dim[0]))
                            : fmt("i in 0:%s, j in 0:%s", size_text(g, dim[0]), size_text(g, dim[1]));
    const char *value = hole(g, t, "x", NULL, 3);
    line(g, "let %s = [%s(%s) for %s]", a, elem_name(t),
         is_float(t) ? fmt("8 * uniform(%d, i) - 4", (int)below(g, 99)) : fmt("i * %d %% 101", (int)between(g, 1, 99)),
         gens);
    line(g, "var %s = [if %s > %s(1) { let x = %s[%s]; %s } else { %s[%s] } for %s]", b, fmt("%s[%s]", a, at),
         elem_name(t), a, at, value, a, at, gens);
    if (rank == 2 && chance(g, 50)) line(g, "%s[1:-1, 1:-1] = %s[:-2, 2:]", b, a);
    else if (rank == 1 && chance(g, 50)) line(g, "%s[1:] = %s[:-1]", b, b);
    if (rank == 2 && chance(g, 60)) {
        bool narrow = is_int(t) && elem_bits(t) < 64;
        line(g, "let %s = %s(%s)", s, narrow ? elem_name(t) : "abs", fmt("sum(%s, axis=%d)[3]", b, (int)below(g, 2)));
    } else line(g, "let %s = %s(sum(%s))", s, elem_name(t), b);
    var_add(g, s, t, 0, NULL, false, is_float(t) ? 2e5 : 0);
    g->work += volume(g, rank, dim) * 4;
}

void main_templates(Gen *g) {
    if (chance(g, 25)) {
        large(g);
        return;
    }
    switch (below(g, 6)) {
    case 0: custom_reduce(g); break;
    case 1: first_place(g); break;
    case 2: matmul(g); break;
    case 3: two_launches(g); break;
    case 4: if (chance(g, 50)) long_sum(g); break;
    default: custom_reduce(g);
    }
}
