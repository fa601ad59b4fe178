/* Kernels and their launches.
 *
 * Threads write only their own element of an array.  A shared array is in one of two modes between two
 * barriers: own, each thread reads and writes its own slot; or open, everybody reads any slot and nobody
 * writes.  Barriers stand only where all threads of a block pass alike. */
#include "tools/gen/gen.h"

#include <stdlib.h>
#include <string.h>

typedef struct { int first, n; const char *own; } Shared; /* the shared arrays among Gen.vars */

static void modes_random(Gen *g, const Shared *s) {
    for (Var *v = g->vars + s->first; v < g->vars + s->first + s->n; v++) {
        v->mut = chance(g, 50);
        v->own = v->mut ? s->own : NULL;
    }
}

static void modes_get(const Gen *g, const Shared *s, bool *own) {
    for (int i = 0; i < s->n; i++) own[i] = g->vars[s->first + i].mut;
}

static void modes_set(Gen *g, const Shared *s, const bool *own) {
    for (int i = 0; i < s->n; i++) {
        g->vars[s->first + i].mut = own[i];
        g->vars[s->first + i].own = own[i] ? s->own : NULL;
    }
}

static void write_shared(Gen *g, const Shared *s) {
    for (int i = 0; i < s->n; i++) {
        Var *v = &g->vars[s->first + i];
        if (v->mut && chance(g, 70)) assign_own(g, v, 2);
    }
}

static void phase(Gen *g, const Shared *s) {
    write_shared(g, s);
    statements(g, (int)between(g, 0, 2), 2);
}

static void next_phase(Gen *g, const Shared *s) {
    line(g, "barrier");
    modes_random(g, s);
    phase(g, s);
}

/* A loop all threads run alike; it ends in the modes in which it began */
static void uniform_loop(Gen *g, const Shared *s) {
    bool own[4];
    int mark = g->nvars;
    int64_t mult = g->mult;
    int trip = (int)between(g, 1, 4);
    const char *i = fresh(g, "e");
    modes_get(g, s, own);
    if (chance(g, 60)) {
        open_block(g, "for %s in 0:%d", i, trip);
    } else {
        line(g, "var %s = 0", i);
        open_block(g, "while %s < %d", i, trip);
        line(g, "%s += 1", i);
    }
    range_add(g, i, size_const(0), size_const(trip + 1));
    g->mult *= trip;
    int inner = g->nvars;
    phase(g, s);
    next_phase(g, s);
    if (chance(g, 40)) next_phase(g, s);
    line(g, "barrier");
    modes_set(g, s, own);
    if (chance(g, 40)) statements(g, 1, 1);
    g->nvars = inner;
    close_block(g, "");
    g->mult = mult;
    g->nvars = mark;
}

static void uniform_if(Gen *g, const Shared *s, const char *uniform) {
    int mark = g->nvars;
    open_block(g, "if %s", uniform);
    next_phase(g, s);
    if (chance(g, 30)) uniform_loop(g, s);
    g->nvars = mark;
    if (chance(g, 40)) {
        close_block(g, " else {");
        next_phase(g, s);
        g->nvars = mark;
    }
    close_block(g, "");
    line(g, "barrier");
    modes_random(g, s);
}

/* s[0] combines all slots, by halves */
static void tree(Gen *g, const Shared *s, int width) {
    const Var *v = &g->vars[s->first + (int)below(g, (uint32_t)s->n)];
    const char *h = fresh(g, "half"), *at = fmt("%s[%s]", v->name, s->own),
               *far = fmt("%s[%s + %s]", v->name, s->own, h);
    line(g, "barrier");
    line(g, "var %s = %d", h, width / 2);
    open_block(g, "while %s > 0", h);
    if (v->t == F16 || v->t == BF16 || chance(g, 40))
        line(g, "if %s < %s { %s = max(%s, %s) }", s->own, h, at, at, far);
    else if (is_float(v->t)) line(g, "if %s < %s { %s = 0.5 * (%s + %s) }", s->own, h, at, at, far);
    else line(g, "if %s < %s { %s += %s }", s->own, h, at, far);
    line(g, "barrier");
    line(g, "%s //= 2", h);
    close_block(g, "");
    modes_random(g, s);
}

/* ---- a kernel's parts */

static Param *param(Gen *g, Kernel *k, Mode mode, Elem t, int rank, const Size *dim) {
    Param *p = &k->params[k->nparams];
    (void)g;
    memset(p, 0, sizeof *p);
    k->modes[k->nparams++] = mode;
    p->t = t;
    p->rank = rank;
    for (int i = 0; i < rank; i++) p->dim[i] = dim[i];
    p->bound = is_float(t) ? 16 : 0;
    return p;
}

static const char *const letters[] = {"n", "m", "k", "h", "nb"};

static void choose_params(Gen *g, Kernel *k, bool barriers) {
    k->first_sym = g->nsyms;
    for (int i = 0; i < 5; i++) sym_new(g, letters[i], 1, 400);
    k->nsyms = 5;
    for (int i = 0; i < k->axes; i++) k->extent[i] = size_sym(k->first_sym + i);
    Elem t = any_elem(g);
    param(g, k, chance(g, 50) ? MODE_OUT : MODE_INOUT, t, k->axes, k->extent);
    if (chance(g, 30)) param(g, k, chance(g, 50) ? MODE_OUT : MODE_INOUT, any_number(g), k->axes, k->extent);
    param(g, k, MODE_IN, chance(g, 70) && t != BOOL ? t : any_elem(g), k->axes, k->extent);
    if (chance(g, 50)) param(g, k, MODE_IN, any_elem(g), 1, &k->extent[below(g, (uint32_t)k->axes)]);
    Size other = size_sym(k->first_sym + 2);
    if (chance(g, 30)) param(g, k, MODE_IN, any_number(g), 1, &other);
    if (chance(g, 60)) param(g, k, MODE_IN, any_number(g), 0, NULL);
    k->per_block = -1;
    if (barriers && k->axes == 1 && chance(g, 60)) {
        Size nb = size_sym(k->first_sym + 4);
        k->per_block = k->nparams;
        param(g, k, MODE_OUT, any_number(g), 1, &nb);
    }
    if (chance(g, 25)) {
        static const Elem ints[] = {I64, I64, I32, U32, U64};
        Size h = size_sym(k->first_sym + 3);
        param(g, k, MODE_INOUT, ints[below(g, 5)], 1, &h);
    }
}

static const char *param_name(Gen *g, const Kernel *k, int i) { (void)g, (void)k; return fmt("p%d", i); }

static bool is_histogram(const Kernel *k, int i) {
    const Param *p = &k->params[i];
    return k->modes[i] != MODE_IN && p->rank == 1 && p->dim[0].sym == k->first_sym + 3;
}

static void head(Gen *g, const Kernel *k) {
    const char *s = "";
    for (int i = 0; i < k->nparams; i++) {
        const Param *p = &k->params[i];
        static const char *const modes[] = {"", "out ", "inout "};
        s = fmt("%s%s%s: %s%s", s, i ? ", " : "", param_name(g, k, i), modes[k->modes[i]],
                type_text(g, p->t, p->rank, p->dim));
    }
    open_block(g, "kernel %s(%s)", k->name, s);
    g->nvars = g->arrays_from;
    for (int i = 0; i < k->axes; i++) var_add(g, letters[i], I64, 0, NULL, false, 0);
    for (int i = 0; i < k->nparams; i++) {
        const Param *p = &k->params[i];
        if (k->modes[i] == MODE_IN) var_add(g, param_name(g, k, i), p->t, p->rank, p->dim, false, p->bound);
    }
}

/* The arrays that are written come into sight where the thread's own element is known to exist */
static void show_written(Gen *g, const Kernel *k, const char *own) {
    for (int i = 0; i < k->nparams; i++) {
        const Param *p = &k->params[i];
        if (k->modes[i] == MODE_IN || i == k->per_block || is_histogram(k, i)) continue;
        Var *v = var_add(g, param_name(g, k, i), p->t, p->rank, p->dim, true, p->bound);
        v->own = own;
        v->write_only = k->modes[i] == MODE_OUT;
    }
}

static void write_results(Gen *g, const Kernel *k) {
    for (Var *v = g->vars + g->arrays_from; v < g->vars + g->nvars; v++)
        if (v->name[0] == 'p' && v->own && v->rank && (v->write_only || chance(g, 80))) assign_own(g, v, 3);
    for (int i = 0; i < k->nparams; i++) {
        if (!is_histogram(k, i)) continue;
        const Param *p = &k->params[i];
        static const char *const ops[] = {"+=", "+=", "max=", "min="};
        const char *op = ops[(k->params[0].t + k->block[0]) & 3]; /* one kind for an array */
        line(g, "atomic %s[%s] %s %s", param_name(g, k, i), count_index(g, p->dim[0]), op,
             typed(g, p->t, scalar(g, p->t, 1)).s);
    }
}

static void thread_names(Gen *g, const Kernel *k, const char **own) {
    static const char *const axis[] = {"x", "y"};
    *own = "";
    for (int a = 0; a < k->axes; a++) {
        const char *name = a ? "j" : "i";
        const char *x = axis[k->axes - 1 - a];
        if (chance(g, 60)) line(g, "let %s = block.%s * blockdim.%s + thread.%s", name, x, x, x);
        else line(g, "let %s = block.%s * %d + thread.%s", name, x, k->block[a], x);
        *own = fmt("%s%s%s", *own, a ? ", " : "", name);
    }
}

static const char *inside(Gen *g, const Kernel *k, bool not) {
    const char *s = "";
    for (int a = 0; a < k->axes; a++)
        s = fmt("%s%s%s %s %s", s, a ? not ? " or " : " and " : "", a ? "j" : "i", not ? ">=" : "<",
                size_text(g, k->extent[a]));
    return s;
}

static void private_array(Gen *g) {
    Elem t = any_number(g);
    Size n = size_const(between(g, 2, 5));
    const char *name = fresh(g, "l");
    line(g, "var %s: %s", name, type_text(g, t, 1, &n));
    var_add(g, name, t, 1, &n, true, 16);
}

static void simple_body(Gen *g, const Kernel *k) {
    const char *own;
    thread_names(g, k, &own);
    bool early = chance(g, 50);
    if (early) line(g, "if %s { return }", inside(g, k, true));
    else open_block(g, "if %s", inside(g, k, false));
    for (int a = 0; a < k->axes; a++) range_add(g, a ? "j" : "i", size_const(0), k->extent[a]);
    show_written(g, k, own);
    if (chance(g, 20)) private_array(g);
    statements(g, (int)between(g, 0, 1 + g->size / 2), 3);
    write_results(g, k);
    if (!early) close_block(g, "");
}

/* A condition that is the same for all threads of a block */
static const char *uniform_condition(Gen *g, const Kernel *k) {
    for (int i = 0; i < k->nparams; i++)
        if (!k->params[i].rank && chance(g, 60))
            return fmt("%s > %s", param_name(g, k, i), literal(g, k->params[i].t).s);
    return fmt("block.x %% 2 == %d", (int)below(g, 2));
}

static Shared declare_shared(Gen *g, const Kernel *k, const char *own) {
    Size dim[2] = {size_const(k->block[0]), size_const(k->axes > 1 ? k->block[1] : 0)};
    Shared s = {g->nvars, (int)between(g, 1, 2), own};
    for (int i = 0; i < s.n; i++) {
        Elem t = any_number(g);
        const char *name = fresh(g, "sh");
        line(g, "shared %s: %s", name, type_text(g, t, k->axes, dim));
        var_add(g, name, t, k->axes, dim, true, 16)->own = own;
    }
    return s;
}

static void barrier_body(Gen *g, const Kernel *k) {
    const char *global, *own = k->axes == 1 ? "tx" : "ty, tx";
    thread_names(g, k, &global);
    if (k->axes == 2) line(g, "let ty = thread.y");
    line(g, "let tx = thread.x");
    Shared s = declare_shared(g, k, own);
    for (int a = 0; a < k->axes; a++) {
        const char *c = a ? "cj" : "ci";
        line(g, "let %s = min(%s, %s - 1)", c, a ? "j" : "i", size_text(g, k->extent[a]));
        range_add(g, c, size_const(0), k->extent[a]);
        range_add(g, a == k->axes - 1 ? "tx" : "ty", size_const(0), size_const(k->block[a]));
    }
    if (chance(g, 20)) private_array(g);
    for (int i = 0; i < s.n; i++) g->vars[s.first + i].write_only = true;
    for (int i = 0; i < s.n; i++) assign_own(g, &g->vars[s.first + i], 2);
    for (int i = 0; i < s.n; i++) g->vars[s.first + i].write_only = false;
    for (int i = (int)between(g, 1, 1 + g->size / 2); i > 0; i--) {
        switch (below(g, 6)) {
        case 0: uniform_loop(g, &s); break;
        case 1: uniform_if(g, &s, uniform_condition(g, k)); break;
        case 2:
            if (k->axes == 1 && (k->block[0] & (k->block[0] - 1)) == 0) {
                tree(g, &s, k->block[0]);
                break;
            } /* fall through */
        default: next_phase(g, &s);
        }
    }
    if (k->per_block >= 0) {
        const Param *p = &k->params[k->per_block];
        int mark = g->nvars;
        line(g, "if tx == 0 { %s[block.x] = %s }", param_name(g, k, k->per_block),
             clamp(g, p->t, typed(g, p->t, scalar(g, p->t, 2)), 16).s);
        g->nvars = mark;
    }
    open_block(g, "if %s", inside(g, k, false));
    for (int a = 0; a < k->axes; a++) range_add(g, a ? "j" : "i", size_const(0), k->extent[a]);
    show_written(g, k, global);
    write_results(g, k);
    close_block(g, "");
}

void kernel_write(Gen *g) {
    static const int widths[] = {1, 3, 4, 8, 16, 32, 20};
    if (g->nkernels == MAX_FNS || g->nsyms + 8 > MAX_SYMS) return;
    Kernel *k = &g->kernels[g->nkernels];
    memset(k, 0, sizeof *k);
    snprintf(k->name, sizeof k->name, "%s", fresh(g, "kern"));
    k->axes = chance(g, 65) ? 1 : 2;
    k->block[0] = widths[below(g, k->axes == 1 ? 7 : 4)];
    k->block[1] = widths[below(g, 4)];
    bool barriers = chance(g, 55);
    Saved saved = unit_begin(g, 500);
    g->host = false;
    g->quiet = true;
    choose_params(g, k, barriers);
    head(g, k);
    if (barriers) barrier_body(g, k);
    else simple_body(g, k);
    close_block(g, "");
    k->cost = unit_end(g, saved);
    g->nkernels++;
}

/* ---- launches */

typedef struct { Size size[8]; const char *args[8]; int taken[8], ntaken; } Args;

static bool bind_dims(const Gen *g, const Kernel *k, Size *bind, const Param *p, const Var *v) {
    for (int i = 0; i < p->rank; i++) {
        if (size_min(g, v->dim[i]) < 1 || size_max(g, v->dim[i]) > 400) return false;
        Size *b = &bind[p->dim[i].sym - k->first_sym];
        if (b->sym != -2 && !size_eq(g, *b, v->dim[i])) return false;
        *b = v->dim[i];
    }
    return true;
}

static const Var *find_arg(Gen *g, const Kernel *k, Args *a, int i) {
    const Param *p = &k->params[i];
    const Var *found = NULL;
    uint32_t seen = 0;
    Size bind[8], chosen[8];
    for (const Var *v = g->vars; v < g->vars + g->nvars; v++) {
        if (v->t != p->t || v->rank != p->rank || v->own || v->suffix || !var_visible(g, v)) continue;
        if (k->modes[i] == MODE_IN ? v->bound > p->bound : v->bound != p->bound || !v->mut || v - g->vars < g->frozen)
            continue;
        bool used = strchr(v->name, '.');
        for (int t = 0; t < a->ntaken; t++) used |= a->taken[t] == v - g->vars;
        memcpy(bind, a->size, sizeof bind);
        if (used || !bind_dims(g, k, bind, p, v) || below(g, ++seen)) continue;
        found = v;
        memcpy(chosen, bind, sizeof chosen);
    }
    if (found) memcpy(a->size, chosen, sizeof chosen);
    return found;
}

static const char *make_arg(Gen *g, const Kernel *k, Args *a, int i) {
    const Param *p = &k->params[i];
    Size dim[2];
    for (int d = 0; d < p->rank; d++) {
        Size *b = &a->size[p->dim[d].sym - k->first_sym];
        if (b->sym == -2)
            *b = g->nconsts && chance(g, 50) ? size_const(g->consts[below(g, (uint32_t)g->nconsts)].v)
                                             : size_const(between(g, 1, 40));
        if (size_min(g, *b) < 1) return NULL;
        dim[d] = *b;
    }
    Ex e = clamp(g, p->t, array(g, p->t, p->rank, dim, 1), p->bound);
    const char *name = fresh(g, "a");
    line(g, "%s %s = %s", k->modes[i] == MODE_IN ? "let" : "var", name, e.s);
    var_add(g, name, p->t, p->rank, dim, k->modes[i] != MODE_IN, p->bound);
    return name;
}

static const char *launch_shape(Gen *g, const Kernel *k, const Args *a) {
    const char *y = size_text(g, a->size[0]);
    if (k->axes == 1)
        return fmt("ceildiv(%s, %d)%s, %d", y, k->block[0], k->per_block < 0 && chance(g, 20) ? " + 1" : "",
                   k->block[0]);
    return fmt("(ceildiv(%s, %d), ceildiv(%s, %d)), (%d, %d)", size_text(g, a->size[1]), k->block[1], y, k->block[0],
               k->block[1], k->block[0]);
}

bool kernel_launch(Gen *g, const Kernel *k) {
    Args a = {0};
    for (int i = 0; i < 8; i++) a.size[i].sym = -2;
    if (!g->main && !chance(g, 50) && g->quiet) return false;
    for (int i = 0; i < k->nparams; i++) {
        const Param *p = &k->params[i];
        if (!p->rank) {
            a.args[i] = clamp(g, p->t, typed(g, p->t, scalar(g, p->t, 1)), p->bound).s;
        } else if (i == k->per_block) {
            a.args[i] = fresh(g, "a");
            line(g, "var %s = zeros(%s, ceildiv(%s, %d))", a.args[i], elem_name(p->t), size_text(g, a.size[0]),
                 k->block[0]);
        } else {
            const Var *v = i && chance(g, 10) ? NULL : find_arg(g, k, &a, i);
            a.args[i] = v ? v->name : make_arg(g, k, &a, i);
            if (!a.args[i]) return false;
            a.taken[a.ntaken++] = (int)(v ? v - g->vars : g->nvars - 1);
        }
    }
    const char *args = "";
    for (int i = 0; i < k->nparams; i++) args = fmt("%s%s%s", args, i ? ", " : "", a.args[i]);
    line(g, "launch %s[%s](%s)", k->name, launch_shape(g, k, &a), args);
    int64_t threads = 1;
    for (int i = 0; i < k->axes; i++) threads *= (size_max(g, a.size[i]) / k->block[i] + 1) * k->block[i];
    g->work += threads * k->cost * g->mult;
    if (k->per_block >= 0) {
        const Param *p = &k->params[k->per_block];
        const char *s = fresh(g, "s");
        line(g, "let %s = %s(sum(%s))", s, elem_name(p->t), a.args[k->per_block]);
        var_add(g, s, p->t, 0, NULL, false, is_float(p->t) ? 16 * 500 : 0);
    }
    return true;
}
