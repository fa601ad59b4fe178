/* Statements: declarations, assignments to variables, elements and slices, control flow. */
#include "tools/gen/gen.h"

#include <string.h>

static double var_bound(Gen *g, Elem t) {
    return t == F64 ? (chance(g, 50) ? 1e9 : 16) : t == F32 && chance(g, 40) ? 1e6 : 16;
}

static Size pick_size(Gen *g) { /* one that is around already, mostly */
    if (chance(g, 15))
        for (const Var *v = g->vars + g->nvars - 1; v >= g->vars + g->arrays_from; v--)
            if (v->name[0] == 'm' && v->ranged && var_visible(g, v)) return v->lo;
    const Var *found = NULL;
    uint32_t seen = 0;
    for (const Var *v = g->vars; v < g->vars + g->nvars; v++)
        if (v->rank && !v->own && var_visible(g, v) && below(g, ++seen) == 0) found = v;
    if (found && chance(g, 80)) return found->dim[below(g, (uint32_t)found->rank)];
    if (g->nconsts && chance(g, 60)) return size_const(g->consts[below(g, (uint32_t)g->nconsts)].v);
    return size_const(between(g, 1, 12));
}

void declare_scalar(Gen *g, int depth) {
    Elem t = likely_elem(g);
    bool mut = chance(g, 60);
    double bound = is_float(t) ? var_bound(g, t) : 0;
    Ex e = clamp(g, t, typed(g, t, scalar(g, t, depth)), bound);
    const char *name = fresh(g, "s");
    if (!mut) bound = e.bound;
    if (chance(g, 30)) line(g, "%s %s: %s = %s", mut ? "var" : "let", name, elem_name(t), e.s);
    else line(g, "%s %s = %s", mut ? "var" : "let", name, typed(g, t, e).s);
    var_add(g, name, t, 0, NULL, mut, bound);
}

static void declare_array(Gen *g, int depth) {
    Elem t = likely_elem(g);
    int rank = chance(g, 60) ? 1 : chance(g, 75) ? 2 : 3;
    Size dim[3];
    int64_t v = 1;
    for (int i = 0; i < rank; i++) {
        dim[i] = pick_size(g);
        if (v * size_max(g, dim[i]) > 3000) dim[i] = size_const(3);
        v *= size_max(g, dim[i]);
    }
    if (v * g->mult > 30000) return;
    bool mut = chance(g, 60);
    double bound = is_float(t) ? var_bound(g, t) : 0;
    Ex e = clamp(g, t, array(g, t, rank, dim, depth), bound);
    if (!mut) bound = e.bound;
    const char *name = fresh(g, "a");
    line(g, "%s %s%s = %s", mut ? "var" : "let", name, chance(g, 20) ? fmt(": %s", type_text(g, t, rank, dim)) : "",
         e.s);
    var_add(g, name, t, rank, dim, mut, bound);
}

/* target op= value, such that the target keeps within its bound */
static void assign(Gen *g, const Var *v, const char *target, int depth) {
    Elem t = v->t;
    Ex e = scalar(g, t, depth);
    if (t == BOOL) {
        line(g, "%s = %s", target, e.s);
    } else if (is_int(t)) {
        static const char *const ops[] = {"=", "=", "=", "+=", "+=", "-=", "*="};
        line(g, "%s %s %s", target, ops[below(g, 7)], e.s);
    } else if (t == F16 || t == BF16) {
        line(g, "%s = %s", target, clamp(g, t, e, v->bound).s);
    } else if (chance(g, 35) && v->bound >= 1e6) {
        e = clamp(g, t, e, 8);
        line(g, "%s %s %s", target, chance(g, 70) ? "+=" : "-=", e.s);
    } else if (chance(g, 35)) {
        e = clamp(g, t, e, v->bound / 2);
        line(g, "%s = 0.5 * %s + %s", target, target,
             at_prec(g, e.prec == P_IF ? (Ex){fmt("(%s)", e.s), P_ATOM, 0, false} : e, P_MUL));
    } else {
        line(g, "%s = %s", target, clamp(g, t, e, v->bound).s);
    }
}

static const char *element_of(Gen *g, const Var *v) {
    const char *at = indices(g, v);
    return at ? fmt("%s[%s]%s", v->name, at, v->suffix ? v->suffix : "") : NULL;
}

void assign_own(Gen *g, Var *v, int depth) {
    if (!v->write_only) {
        assign(g, v, element_of(g, v), depth);
        return;
    }
    Ex e = clamp(g, v->t, scalar(g, v->t, depth), v->bound);
    line(g, "%s = %s", element_of(g, v), e.s);
}

static bool assign_scalar(Gen *g, int depth) {
    const Var *v = var_pick(g, likely_elem(g), 0, true);
    for (int i = 0; !v && i < 4; i++) v = var_pick(g, likely_elem(g), 0, true);
    if (v) assign(g, v, v->name, depth);
    return v;
}

static bool assign_element(Gen *g, int depth) {
    Var *v = NULL;
    for (int i = 0; !v && i < 6; i++) v = var_pick(g, likely_elem(g), (int)between(g, 1, 3), true);
    if (!v) return false;
    if (v->own) {
        assign_own(g, v, depth);
        return true;
    }
    const char *e = element_of(g, v);
    if (!e) return false;
    assign(g, v, e, depth);
    return true;
}

/* v[rows, cols] op= value: elements at pairs of indices, one after the other */
static bool assign_pairs(Gen *g, const Var *v, int depth) {
    Size n = size_const(between(g, 0, 5));
    const char *subs = vectors_text(g, v, n);
    if (!subs) return false;
    static const char *const updates[] = {"+=", "-=", "*="};
    bool one = chance(g, 40);
    Ex e = clamp(g, v->t, one ? scalar(g, v->t, 1) : array(g, v->t, 1, &n, depth - 1), v->bound);
    line(g, "%s[%s] %s %s", v->name, subs, is_int(v->t) && chance(g, 60) ? updates[below(g, 3)] : "=", e.s);
    return true;
}

static bool assign_array(Gen *g, int depth) {
    Var *v = NULL;
    for (int i = 0; !v && i < 6; i++) v = var_pick(g, likely_elem(g), (int)between(g, 1, 2), true);
    if (!v || v->own || v->suffix || volume(g, v->rank, v->dim) * g->mult > 20000) return false;
    Elem t = v->t;
    bool simple = t == BOOL || t == F16 || t == BF16;
    if (v->rank > 1 && chance(g, 20)) return assign_pairs(g, v, depth);
    if (chance(g, 45)) {
        Ex e = clamp(g, t, array(g, t, v->rank, v->dim, depth), v->bound);
        line(g, "%s = %s", v->name, e.s);
        return true;
    }
    if (chance(g, 40) && !simple && !is_float(t)) {
        line(g, "%s %s %s", v->name, chance(g, 50) ? "+=" : "*=",
             chance(g, 60) ? array(g, t, v->rank, v->dim, depth - 1).s : scalar(g, t, 1).s);
        return true;
    }
    Size dim[3];
    const char *subs = "";
    int rank = 0;
    for (int i = 0; i < v->rank; i++) {
        const char *sub;
        int64_t least = size_min(g, v->dim[i]);
        if (v->rank > 1 && least >= 1 && chance(g, 30) && (rank || i == 0)) {
            sub = index_text(g, v->dim[i]);
        } else if (least >= 3 && chance(g, 60)) {
            int lo = (int)between(g, 0, 1), hi = (int)between(g, 0, 1);
            dim[rank++] = size_plus(v->dim[i], -lo - hi);
            sub = hi && chance(g, 50) ? fmt("%d:-%d", lo, hi)
                                      : fmt("%d:%s", lo, size_text(g, size_plus(v->dim[i], -hi)));
        } else if (least >= 6 && v->dim[i].sym < 0 && chance(g, 50)) {
            dim[rank++] = size_const((v->dim[i].c + 1) / 2);
            sub = "::2";
        } else {
            dim[rank++] = v->dim[i];
            sub = chance(g, 20) ? "::-1" : ":";
        }
        subs = fmt("%s%s%s", subs, i ? ", " : "", sub);
    }
    if (!rank) return false;
    Ex e = clamp(g, t, array(g, t, rank, dim, depth - 1), v->bound);
    line(g, "%s[%s] %s %s", v->name, subs, is_int(t) && chance(g, 30) ? "+=" : "=", e.s);
    return true;
}

/* ---- control */

static void block(Gen *g, int n, int depth) {
    int mark = g->nvars;
    statements(g, n, depth);
    g->nvars = mark;
}

static void if_statement(Gen *g, int n, int depth) {
    open_block(g, "if %s", condition(g, 2).s);
    block(g, n, depth - 1);
    while (chance(g, 20)) {
        close_block(g, fmt(" else if %s {", condition(g, 1).s));
        block(g, 1, depth - 1);
    }
    if (chance(g, 50)) {
        close_block(g, " else {");
        block(g, n, depth - 1);
    }
    close_block(g, "");
}

static void maybe_leave(Gen *g) {
    if (g->loops && chance(g, 25)) line(g, "if %s { %s }", condition(g, 1).s, chance(g, 50) ? "break" : "continue");
}

static void loop_body(Gen *g, int n, int depth, int64_t trip) {
    int64_t mult = g->mult;
    g->mult *= trip > 0 ? trip : 1;
    g->loops++;
    maybe_leave(g);
    block(g, n, depth - 1);
    maybe_leave(g);
    g->loops--;
    g->mult = mult;
}

/* for x in xs: elements, and on the host rows */
static bool for_elements(Gen *g, int n, int depth) {
    int mark = g->nvars;
    Var over;
    const char *from = over_text(g, g->host ? 2 : 1, &over), *x = fresh(g, "el");
    if (!over.rank || size_max(g, over.dim[0]) * g->mult > 600) return false;
    open_block(g, "for %s in %s", x, from);
    var_add(g, x, over.t, over.rank - 1, over.dim + 1, false, over.bound);
    loop_body(g, n, depth, size_max(g, over.dim[0]));
    close_block(g, "");
    g->nvars = mark;
    return true;
}

static void for_statement(Gen *g, int n, int depth) {
    if (for_elements(g, n, depth)) return;
    int mark = g->nvars;
    const char *i = fresh(g, "e");
    Size s = pick_size(g);
    if (!g->host || size_max(g, s) * g->mult > 600 || chance(g, 30))
        s = size_const(between(g, 0, g->mult > 100 ? 3 : 8));
    int64_t trip = size_max(g, s);
    switch (below(g, 7)) {
    case 6: { /* up to, or from, the variable of a loop around */
        const Var *v = var_pick(g, I64, 0, false);
        if (v && v->ranged && !size_eq(g, v->hi, size_plus(v->lo, 1)) && size_min(g, v->lo) >= 0 &&
            size_max(g, v->hi) <= 8) {
            Size hi = v->hi;
            trip = size_max(g, hi);
            if (chance(g, 50)) open_block(g, "for %s in 0:%s", i, v->name);
            else open_block(g, "for %s in %s:%s", i, v->name, size_text(g, hi));
            range_add(g, i, size_const(0), hi);
            break;
        }
    } /* fall through */
    case 0:
        if (size_min(g, s) >= 2) {
            open_block(g, "for %s in 1:%s", i, size_text(g, size_plus(s, -1)));
            range_add(g, i, size_const(1), size_plus(s, -1));
            break;
        } /* fall through */
    case 1: {
        int step = (int)between(g, 2, 3);
        open_block(g, "for %s in 0:%s:%d", i, size_text(g, s), step);
        range_add(g, i, size_const(0), s);
        break;
    }
    case 2:
        open_block(g, "for %s in %s:-1:-1", i, size_text(g, size_plus(s, -1)));
        range_add(g, i, size_const(0), s);
        break;
    case 3: { /* a bound that is no size */
        Ex e = typed(g, I64, scalar(g, I64, 1));
        trip = between(g, 2, 6);
        open_block(g, "for %s in 0:%s %% %d", i, at_prec(g, e, P_MUL), (int)trip);
        range_add(g, i, size_const(0), size_const(trip - 1));
        break;
    }
    default:
        open_block(g, "for %s in 0:%s", i, size_text(g, s));
        range_add(g, i, size_const(0), s);
    }
    loop_body(g, n, depth, trip);
    close_block(g, "");
    g->nvars = mark;
}

static void while_statement(Gen *g, int n, int depth) {
    int mark = g->nvars;
    const char *i = fresh(g, "w");
    int trip = (int)between(g, 1, g->mult > 100 ? 3 : 7);
    line(g, "var %s = 0", i);
    open_block(g, "while %s < %d%s", i, trip, chance(g, 50) ? fmt(" and %s", at_prec(g, condition(g, 1), P_NOT)) : "");
    line(g, "%s += 1", i);
    range_add(g, i, size_const(1), size_const(trip + 1));
    loop_body(g, n, depth, trip);
    close_block(g, "");
    g->nvars = mark;
    range_add(g, i, size_const(0), size_const(trip + 1));
}

static void return_statement(Gen *g) {
    const Fn *f = g->fn;
    const char *s = "";
    for (int i = 0; i < f->nret; i++) {
        const Param *r = &f->ret[i];
        Ex e = r->rank ? array(g, r->t, r->rank, r->dim, 1) : typed(g, r->t, scalar(g, r->t, 2));
        s = fmt("%s%s%s", s, i ? ", " : "", clamp(g, r->t, e, r->bound).s);
    }
    line(g, f->nret > 1 ? "return (%s)" : "return %s", s);
}

static void early_return(Gen *g) {
    open_block(g, "if %s", condition(g, 1).s);
    return_statement(g);
    close_block(g, "");
}

/* ---- parallelism of the host */

static bool parallel_for(Gen *g, int depth) {
    Var *y = NULL;
    for (int i = 0; !y && i < 6; i++) y = var_pick(g, likely_elem(g), (int)between(g, 1, 2), true);
    if (!y || y->own || y->suffix || volume(g, y->rank, y->dim) * g->mult > 4000) return false;
    int mark = g->nvars, frozen = g->frozen, loops = g->loops;
    int64_t mult = g->mult;
    bool host = g->host, quiet = g->quiet, in_fn = g->in_fn;
    const char *gens = "", *own = "", *name[3];
    for (int k = 0; k < y->rank; k++) { /* all ranges before all variables: none may depend on another */
        name[k] = fresh(g, "p");
        gens = fmt("%s%s%s in 0:%s", gens, k ? ", " : "", name[k], size_text(g, y->dim[k]));
        own = fmt("%s%s%s", own, k ? ", " : "", name[k]);
    }
    for (int k = 0; k < y->rank; k++) range_add(g, name[k], size_const(0), y->dim[k]);
    open_block(g, "parallel for %s", gens);
    Var saved = *y;
    g->mult *= volume(g, y->rank, y->dim);
    g->host = g->in_fn = false;
    g->quiet = true;
    g->loops = 0;
    y->hidden = true;
    Var *alias = var_add(g, y->name, y->t, y->rank, y->dim, true, y->bound);
    alias->own = own;
    Var *h = chance(g, 30) ? var_pick(g, chance(g, 50) ? I64 : I32, 1, true) : NULL; /* counts shared by all turns */
    if (h && (h->own || h->suffix || size_min(g, h->dim[0]) < 1)) h = NULL;
    int hidden = h ? (int)(h - g->vars) : -1;
    if (h) h->hidden = true;
    g->frozen = mark;
    int n = (int)between(g, 0, 2);
    int inner = g->nvars;
    statements(g, n, depth - 1);
    if (h)
        line(g, "atomic %s[%s] %s %s", h->name, count_index(g, h->dim[0]),
             chance(g, 60) ? "+=" : "max=", typed(g, h->t, scalar(g, h->t, 1)).s);
    assign_own(g, &g->vars[inner - 1], 2);
    if (hidden >= 0) g->vars[hidden].hidden = false;
    g->nvars = mark;
    g->frozen = frozen;
    g->mult = mult;
    g->host = host;
    g->in_fn = in_fn;
    g->quiet = quiet;
    g->loops = loops;
    *y = saved;
    close_block(g, "");
    return true;
}

static bool spawn_statement(Gen *g, int depth) {
    Elem t = chance(g, 50) ? F64 : I64;
    const char *a = fresh(g, "s"), *b = fresh(g, "s");
    bool quiet = g->quiet, in_fn = g->in_fn;
    int frozen = g->frozen, loops = g->loops;
    g->quiet = true;
    g->in_fn = false;
    g->loops = 0;
    Ex start = typed(g, t, literal(g, t));
    const char *arr = chance(g, 50) ? fresh(g, "a") : NULL;
    Size n = pick_size(g);
    line(g, "var %s = %s", a, start.s);
    if (arr) line(g, "var %s = %s", arr, array(g, t, 1, &n, 1).s);
    open_block(g, "spawn");
    int mark = g->nvars;
    g->frozen = g->nvars;
    statements(g, (int)between(g, 0, 2), depth - 1);
    if (arr) line(g, "%s = %s", arr, clamp(g, t, array(g, t, 1, &n, depth), 1e6).s);
    line(g, "%s = %s", a, clamp(g, t, scalar(g, t, depth), 1e6).s);
    close_block(g, "");
    g->nvars = mark;
    Ex e = clamp(g, t, typed(g, t, scalar(g, t, depth)), 1e6);
    line(g, "let %s = %s", b, e.s);
    line(g, "sync");
    g->quiet = quiet;
    g->in_fn = in_fn;
    g->frozen = frozen;
    g->loops = loops;
    var_add(g, a, t, 0, NULL, true, is_float(t) ? 1e6 : 0);
    if (arr) var_add(g, arr, t, 1, &n, true, is_float(t) ? 1e6 : 0);
    var_add(g, b, t, 0, NULL, false, is_float(t) ? 1e6 : 0);
    return true;
}

/* ---- structs and tuples: their fields are variables named s.a */

static bool struct_statement(Gen *g, int depth) {
    if (!g->nstructs) return false;
    const Struct *s = &g->structs[below(g, (uint32_t)g->nstructs)];
    const char *name = fresh(g, "r"), *args = "";
    bool arr = g->host && chance(g, 40), mut = !arr && chance(g, 70);
    int mark = g->nvars;
    Size n = pick_size(g);
    if (arr && size_max(g, n) * g->mult > 2000) arr = false;
    const char *i = fresh(g, "e");
    int64_t mult = g->mult;
    if (arr) {
        range_add(g, i, size_const(0), n);
        g->mult *= size_max(g, n);
    }
    for (int k = 0; k < s->nfields; k++) {
        Ex e = clamp(g, s->field[k], typed(g, s->field[k], scalar(g, s->field[k], depth - 1)), 16);
        args = fmt("%s%s%s", args, k ? ", " : "", e.s);
    }
    g->mult = mult;
    g->nvars = mark;
    if (arr) line(g, "let %s = [%s(%s) for %s in 0:%s]", name, s->name, args, i, size_text(g, n));
    else line(g, "%s %s = %s(%s)", mut ? "var" : "let", name, s->name, args);
    for (int k = 0; k < s->nfields; k++) {
        char field[3] = {'.', (char)('a' + k), 0};
        Var *v = var_add(g, arr ? name : fmt("%s%s", name, field), s->field[k], arr, &n, mut,
                         is_float(s->field[k]) ? 16 : 0);
        if (arr) v->suffix = fmt("%s", field);
    }
    return true;
}

static bool tuple_statement(Gen *g, int depth) {
    Elem t = likely_number(g), u = likely_number(g);
    Ex a = clamp(g, t, typed(g, t, scalar(g, t, depth)), 64), b = clamp(g, u, typed(g, u, scalar(g, u, depth)), 64);
    const char *name = fresh(g, "t");
    if (chance(g, 50)) {
        const char *second = fresh(g, "t");
        bool mut = chance(g, 40);
        line(g, "%s (%s, %s) = (%s, %s)", mut ? "var" : "let", name, second, a.s, b.s);
        var_add(g, name, t, 0, NULL, mut, is_float(t) ? 64 : 0);
        var_add(g, second, u, 0, NULL, mut, is_float(u) ? 64 : 0);
    } else {
        line(g, "let %s = (%s, %s)", name, a.s, b.s);
        var_add(g, fmt("%s.0", name), t, 0, NULL, false, is_float(t) ? 64 : 0);
        var_add(g, fmt("%s.1", name), u, 0, NULL, false, is_float(u) ? 64 : 0);
    }
    return true;
}

/* let (a, b) = f(...) */
static bool pair_call(Gen *g, int depth) {
    for (int i = 0; i < g->nfns; i++) {
        const Fn *f = &g->fns[(i + (int)below(g, 97)) % g->nfns];
        if (f->nret != 2 || f == g->fn || f->cost * g->mult + g->work > g->budget) continue;
        Size bind[8];
        for (int k = 0; k < 8; k++) bind[k].sym = -2;
        const char *args = call_args(g, f, bind, depth);
        if (!args) return false;
        const char *names[2] = {fresh(g, "q"), fresh(g, "q")};
        bool mut = chance(g, 50);
        line(g, "%s (%s, %s) = %s(%s)", mut ? "var" : "let", names[0], names[1], f->name, args);
        g->work += f->cost * g->mult;
        g->fn_seen[f - g->fns] = true;
        for (int k = 0; k < 2; k++) {
            Size dim[3];
            for (int d = 0; d < f->ret[k].rank; d++) dim[d] = ret_size(f, bind, f->ret[k].dim[d]);
            var_add(g, names[k], f->ret[k].t, f->ret[k].rank, dim, mut, f->ret[k].bound);
        }
        return true;
    }
    return false;
}

static bool size_statement(Gen *g) { /* let m = n - 2: another name of a size */
    Size s = pick_size(g);
    if (size_min(g, s) >= 3 && chance(g, 50)) s = size_plus(s, -between(g, 1, 2));
    const char *text = size_text(g, s), *name = fresh(g, "m");
    line(g, "let %s = %s", name, text);
    range_add(g, name, s, size_plus(s, 1));
    return true;
}

/* How a value of type t may be written in f"{x:...}" */
static const char *format_text(Gen *g, Elem t) {
    const char *align = chance(g, 30) ? fmt("%c", "<>^"[below(g, 3)]) : "",
               *width = chance(g, 60) ? fmt("%d", (int)between(g, 1, 20)) : "";
    if (t == BOOL) return fmt("%s%s", align, width);
    const char *sign = chance(g, 20) ? "+" : "", *zero = !*align && *width && chance(g, 20) ? "0" : "";
    const char *letter = is_int(t) && chance(g, 50) ? fmt("%c", "dx"[below(g, 2)])
                         : chance(g, 70)            ? fmt(".%d%c", (int)below(g, 12), "feg"[below(g, 3)])
                                                    : "";
    return fmt("%s%s%s%s%s", align, sign, zero, width, letter);
}

void print_formatted(Gen *g, const Var *v) {
    const char *text = fmt("f\"%s {%s:%s}%s\"", v->name, v->name, format_text(g, v->t), chance(g, 30) ? "{{|}}" : "");
    if (chance(g, 60)) {
        line(g, "print(%s)", text);
        return;
    }
    const char *name = fresh(g, "text");
    line(g, "let %s = %s", name, text);
    line(g, "print(%s, f\"{%s:>40}\")", name, name);
}

static void print_something(Gen *g) {
    const Var *v = var_pick(g, likely_elem(g), chance(g, 70) ? 0 : 1, false);
    if (!v || v->suffix || v->own) return;
    if (v->rank && volume(g, v->rank, v->dim) > 60) return;
    if (chance(g, 40)) print_formatted(g, v);
    else if (chance(g, 50)) line(g, "print(\"%s\", %s)", v->name, v->name);
    else line(g, "print(%s)", v->name);
}

static bool launch_statement(Gen *g) {
    if (!g->nkernels) return false;
    const Kernel *k = &g->kernels[below(g, (uint32_t)g->nkernels)];
    return kernel_launch(g, k);
}

static bool host_statement(Gen *g, int n, int depth) {
    switch (below(g, 18)) {
    case 0: case 1: case 2: case 3: declare_array(g, depth); return true;
    case 4: case 5: case 6: case 7: return assign_array(g, depth);
    case 8: case 9: return parallel_for(g, depth);
    case 10: return n > 1 && chance(g, 50) && spawn_statement(g, depth);
    case 11: case 12: return struct_statement(g, depth);
    case 13: case 14: return pair_call(g, 2);
    case 16: return size_statement(g);
    case 15:
        if (!g->quiet && !g->known && g->mult < 20) print_something(g);
        return true;
    default: return launch_statement(g);
    }
}

static void statement(Gen *g, int n, int depth) {
    g->work += g->mult;
    if (g->host && chance(g, 45) && host_statement(g, n, depth)) return;
    int pick = (int)below(g, 20);
    bool nest = depth > 0 && !over_budget(g) && g->mult < 1500;
    if (pick < 5) declare_scalar(g, depth > 2 ? 3 : depth);
    else if (pick < 9 && assign_scalar(g, depth > 2 ? 3 : depth)) return;
    else if (pick < 13 && assign_element(g, depth > 2 ? 3 : depth)) return;
    else if (pick < 15 && nest) if_statement(g, n > 2 ? 2 : n, depth);
    else if (pick < 17 && nest) for_statement(g, n > 3 ? 3 : n, depth);
    else if (pick == 17 && nest) while_statement(g, n > 2 ? 2 : n, depth);
    else if (pick == 18 && g->in_fn && g->fn && chance(g, 40)) early_return(g);
    else if (chance(g, 30)) tuple_statement(g, 1);
    else declare_scalar(g, 2);
}

void statements(Gen *g, int n, int depth) {
    for (int i = 0; i < n; i++) statement(g, n, depth);
}
