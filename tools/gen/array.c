/* Array expressions of a wanted element type and shape, and calls. */
#include "tools/gen/gen.h"

#include <string.h>

static bool same_shape(const Gen *g, const Var *v, int rank, const Size *dim) {
    if (v->rank != rank || v->own || v->suffix || v->write_only) return false;
    for (int i = 0; i < rank; i++)
        if (!size_eq(g, v->dim[i], dim[i])) return false;
    return true;
}

static const Var *array_var(Gen *g, Elem t, int rank, const Size *dim) {
    const Var *found = NULL;
    uint32_t seen = 0;
    for (const Var *v = g->vars; v < g->vars + g->nvars; v++)
        if (v->t == t && var_visible(g, v) && same_shape(g, v, rank, dim) && below(g, ++seen) == 0) found = v;
    return found;
}

static Ex atom(const char *s, double bound) { return (Ex){s, P_ATOM, bound, false}; }

static const char *shape_text(Gen *g, int rank, const Size *dim) {
    const char *s = "";
    for (int i = 0; i < rank; i++) s = fmt("%s, %s", s, size_text(g, dim[i]));
    return s;
}

static Ex listed(Gen *g, Elem t, int n) { /* [a, b, c] */
    const char *s = "";
    double bound = 0;
    for (int i = 0; i < n; i++) {
        Ex e = typed(g, t, scalar(g, t, 1));
        if (e.bound > bound) bound = e.bound;
        s = fmt("%s%s%s", s, i ? ", " : "", e.s);
    }
    return atom(fmt("[%s]", s), bound);
}

static Ex filled(Gen *g, Elem t, int rank, const Size *dim) {
    if (rank == 1 && dim[0].sym < 0 && dim[0].c >= 1 && dim[0].c <= 5 && chance(g, 70))
        return listed(g, t, (int)dim[0].c);
    const char *shape = shape_text(g, rank, dim);
    if (chance(g, 40)) return atom(fmt("%s(%s%s)", chance(g, 50) ? "zeros" : "ones", elem_name(t), shape), 1);
    if (t == BOOL) return atom(fmt("full(%s%s)", condition(g, 1).s, shape), 0);
    Ex e = typed(g, t, scalar(g, t, 1));
    return atom(fmt("full(%s%s)", e.s, shape), e.bound);
}

const char *over_text(Gen *g, int max_rank, Var *over) {
    const Var *v = chance(g, 30) ? var_pick(g, likely_elem(g), (int)between(g, 1, max_rank), false) : NULL;
    *over = (Var){.rank = 0};
    if (!v || v->own || v->suffix || v->write_only || (!g->host && v->mut)) return NULL;
    *over = *v;
    if (chance(g, 60)) return over->name;
    if (!g->host || size_min(g, v->dim[0]) < 2 || chance(g, 40)) return fmt("%s[::-1]", v->name);
    over->dim[0] = size_plus(v->dim[0], -1);
    return fmt(chance(g, 50) ? "%s[1:]" : "%s[:-1]", v->name);
}

static Ex comprehension(Gen *g, Elem t, int rank, const Size *dim, int depth) {
    int mark = g->nvars;
    int64_t mult = g->mult;
    const char *gens = "", *name[3];
    int64_t lo[3];
    Var over[3];
    for (int i = 0; i < rank; i++) { /* all ranges before all variables: none may depend on another */
        const char *from = over_text(g, 1, &over[i]);
        if (over[i].rank && !size_eq(g, over[i].dim[0], dim[i])) over[i].rank = 0;
        name[i] = fresh(g, "e");
        lo[i] = chance(g, 15) ? between(g, -2, 3) : 0;
        if (!over[i].rank) from = fmt("%lld:%s", (long long)lo[i], size_text(g, size_plus(dim[i], lo[i])));
        gens = fmt("%s%s%s in %s", gens, i ? ", " : "", name[i], from);
    }
    for (int i = 0; i < rank; i++)
        if (over[i].rank) var_add(g, name[i], over[i].t, 0, NULL, false, over[i].bound);
        else range_add(g, name[i], size_const(lo[i]), size_plus(dim[i], lo[i]));
    g->mult *= volume(g, rank, dim);
    Ex e = typed(g, t, scalar(g, t, depth));
    g->mult = mult;
    g->nvars = mark;
    return atom(fmt("[%s for %s]", e.s, gens), e.bound);
}

/* Something of the wanted shape cut out of a larger array */
static bool slice(Gen *g, Elem t, int rank, const Size *dim, Ex *e) {
    const Var *v = var_pick(g, t, rank, false);
    if (!v || v->own || v->suffix) return false;
    const char *subs = "";
    for (int i = 0; i < rank; i++) {
        if (v->dim[i].sym != dim[i].sym || v->dim[i].c < dim[i].c) return false;
        int64_t slack = v->dim[i].c - dim[i].c, lo = between(g, 0, slack);
        const char *sub;
        if (!slack && chance(g, 40)) sub = chance(g, 40) ? "::-1" : ":";
        else {
            Size hi = size_plus(v->dim[i], lo - slack);
            const char *from = lo || chance(g, 50) ? fmt("%lld", (long long)lo) : "";
            if (lo == slack && chance(g, 40)) sub = fmt("%s:", from);
            else if (lo < slack && chance(g, 40)) sub = fmt("%s:-%lld", from, (long long)(slack - lo));
            else sub = fmt("%s:%s", from, size_text(g, hi));
        }
        subs = fmt("%s%s%s", subs, i ? ", " : "", sub);
    }
    *e = atom(fmt("%s[%s]", v->name, subs), v->bound);
    return true;
}

const char *vectors_text(Gen *g, const Var *v, Size n) {
    const char *subs = "", *count = size_text(g, n);
    int mark = g->nvars;
    for (int i = 0; i < v->rank; i++) {
        const char *k = fresh(g, "e");
        if (size_min(g, v->dim[i]) < 1) return NULL;
        if (i && chance(g, 20)) {
            subs = fmt("%s, %s", subs, index_text(g, v->dim[i]));
            continue;
        }
        range_add(g, k, size_const(0), n);
        subs = fmt("%s%s[%s for %s in 0:%s]", subs, i ? ", " : "", index_text(g, v->dim[i]), k, count);
        g->nvars = mark;
    }
    return subs;
}

/* A row, a column, a transpose, a gather, elements at pairs of indices, a sum along an axis */
static bool derived(Gen *g, Elem t, int rank, const Size *dim, Ex *e) {
    const Var *v = var_pick(g, t, 2, false);
    if (v && (v->own || v->suffix)) v = NULL;
    if (rank == 2 && v) {
        if (size_eq(g, v->dim[0], dim[1]) && size_eq(g, v->dim[1], dim[0])) {
            *e = atom(fmt(chance(g, 60) ? "%s.T" : "transpose(%s)", v->name), v->bound);
            return true;
        }
        if (size_eq(g, v->dim[0], dim[0]) && size_min(g, v->dim[1]) >= 1 && chance(g, 20)) {
            *e = atom(fmt("(%s[:, 0:1] + zeros(%s%s))", v->name, elem_name(t), shape_text(g, rank, dim)), v->bound);
            return t != BOOL && t != F16 && t != BF16;
        }
        return false;
    }
    if (rank != 1) return false;
    const char *pairs = v && chance(g, 15) ? vectors_text(g, v, dim[0]) : NULL;
    if (pairs) {
        *e = atom(fmt("%s[%s]", v->name, pairs), v->bound);
        return true;
    }
    if (v && chance(g, 60)) {
        bool row = size_eq(g, v->dim[1], dim[0]) && size_min(g, v->dim[0]) >= 1;
        bool col = size_eq(g, v->dim[0], dim[0]) && size_min(g, v->dim[1]) >= 1;
        if (row && chance(g, 60)) {
            *e = atom(fmt(chance(g, 50) ? "%s[%s]" : "%s[%s, :]", v->name, index_text(g, v->dim[0])), v->bound);
            return true;
        }
        if (col && chance(g, 50)) {
            *e = atom(fmt("%s[:, %s]", v->name, index_text(g, v->dim[1])), v->bound);
            return true;
        }
        if (t == BOOL || t == F16 || t == BF16) return false;
        int axis = size_eq(g, v->dim[1], dim[0]) ? 0 : size_eq(g, v->dim[0], dim[0]) ? 1 : -1;
        if (axis < 0 || size_min(g, v->dim[axis]) < 1) return false;
        g->work += g->mult * volume(g, 2, v->dim);
        const char *f = chance(g, 60) ? "sum" : chance(g, 50) ? "min" : "max";
        const char *call = fmt("%s(%s, axis=%d)", f, v->name, axis);
        if (*f == 's' && is_int(t) && elem_bits(t) < 64) call = fmt("%s(%s)", elem_name(t), call);
        *e = atom(call, v->bound * (double)size_max(g, v->dim[axis]));
        return e->bound < elem_limit(t) || is_int(t);
    }
    v = var_pick(g, t, 1, false);
    if (!v || v->own || v->suffix || size_min(g, v->dim[0]) < 1) return false;
    int mark = g->nvars;
    const char *i = fresh(g, "e");
    range_add(g, i, size_const(0), dim[0]);
    *e = atom(fmt("%s[[%s for %s in 0:%s]]", v->name, index_text(g, v->dim[0]), i, size_text(g, dim[0])), v->bound);
    g->nvars = mark;
    return true;
}

static Ex elementwise(Gen *g, Elem t, int rank, const Size *dim, int depth) {
    static const char *const ops[] = {"+", "+", "-", "*"};
    const char *op = ops[below(g, 4)];
    int prec = *op == '*' ? P_MUL : P_ADD;
    Ex a, b;
    int how = (int)below(g, 10);
    if (how < 5 || t == BOOL) a = array(g, t, rank, dim, depth - 1), b = array(g, t, rank, dim, depth - 1);
    else if (how < 7) a = array(g, t, rank, dim, depth - 1), b = scalar(g, t, 1);
    else if (how < 9 || rank == 1) a = scalar(g, t, 1), b = array(g, t, rank, dim, depth - 1);
    else a = array(g, t, rank, dim, depth - 1), b = array(g, t, rank - 1, dim + 1, depth - 1);
    if (b.prec == P_IF) b = atom(fmt("(%s)", b.s), b.bound);
    double bound = *op == '*' ? a.bound * b.bound : a.bound + b.bound;
    return binary(g, op, prec, a, b, bound);
}

static Ex array_if_small(Gen *g, Elem t, Ex e) { return e.bound > elem_limit(t) ? clamp(g, t, e, 64) : e; }

static Ex function_of(Gen *g, Elem t, int rank, const Size *dim, int depth) {
    Ex a = array(g, t, rank, dim, depth - 1);
    if (chance(g, 25)) {
        Ex b = array(g, t, rank, dim, depth - 1);
        double bound = a.bound > b.bound ? a.bound : b.bound;
        if (chance(g, 50)) return atom(fmt("%s(%s, %s)", chance(g, 50) ? "min" : "max", a.s, b.s), bound);
        const char *c = fmt("%s > %s", at_prec(g, a, P_BOR), at_prec(g, typed(g, t, scalar(g, t, 1)), P_BOR));
        if (chance(g, 30))
            c = fmt("%s and %s", at_prec(g, (Ex){c, P_CMP, 0, false}, P_AND),
                    fmt("(%s <= %s)", at_prec(g, b, P_BOR), at_prec(g, a, P_BOR)));
        return atom(fmt("where(%s, %s, %s)", c, a.s, b.s), bound);
    }
    if (is_float(t)) {
        static const char *const forms[] = {"sin(%s)", "tanh(%s)", "cos(%s)"};
        if (chance(g, 50)) return atom(fmt("abs(%s)", a.s), a.bound);
        if (chance(g, 30)) return (Ex){fmt("%s^2", at_prec(g, clamp(g, t, a, 64), P_ATOM)), P_POW, 4096, false};
        if (chance(g, 30)) return atom(fmt("sqrt(abs(%s))", a.s), a.bound < 1 ? 1 : a.bound);
        if (chance(g, 20)) return (Ex){fmt("-%s", at_prec(g, a, P_POW)), P_UNARY, a.bound, false};
        return atom(fmt("%.3s%s", forms[below(g, 3)], fmt("(%s)", a.s)), 1);
    }
    if (is_signed(t) && chance(g, 60)) return atom(fmt("abs(%s)", a.s), 0);
    if (chance(g, 40)) return binary(g, chance(g, 50) ? "//" : "%", P_MUL, a, (Ex){"7", P_ATOM, 0, true}, 0);
    if (chance(g, 30)) return binary(g, chance(g, 50) ? ">>" : "<<", P_SHIFT, a, (Ex){"2", P_ATOM, 0, true}, 0);
    return binary(g, "xor", P_XOR, a, array(g, t, rank, dim, 0), 0);
}

static Ex cast_array(Gen *g, Elem t, int rank, const Size *dim, int depth) {
    Elem from = likely_number(g);
    Ex a = array(g, from, rank, dim, depth - 1);
    if (is_float(t) && is_int(from)) {
        if (elem_bits(from) > 16) a = (Ex){fmt("%s %% 50", at_prec(g, a, P_MUL)), P_MUL, 0, false};
        a.bound = 65535;
    }
    if (is_float(t) && a.bound > elem_limit(t)) {
        a = is_float(from) ? clamp(g, from, a, 64) : (Ex){fmt("%s & 63", at_prec(g, a, P_BAND)), P_BAND, 64, false};
        a.bound = 64;
    }
    return atom(fmt("%s(%s)", elem_name(t), a.s), a.bound);
}

static Ex bool_array(Gen *g, int rank, const Size *dim, int depth) {
    static const char *const cmp[] = {"<", "<=", ">", ">=", "==", "!="};
    if (chance(g, 35)) {
        Ex a = array(g, BOOL, rank, dim, depth - 1), b = array(g, BOOL, rank, dim, depth - 1);
        if (chance(g, 30)) return (Ex){fmt("not %s", at_prec(g, a, P_ATOM)), P_NOT, 0, false};
        return binary(g, chance(g, 50) ? "and" : "or", P_OR, (Ex){fmt("(%s)", a.s), P_ATOM, 0, false},
                      (Ex){fmt("(%s)", b.s), P_ATOM, 0, false}, 0);
    }
    Elem t = likely_number(g);
    Ex a = array(g, t, rank, dim, depth - 1), b = chance(g, 50) ? scalar(g, t, 1) : array(g, t, rank, dim, depth - 1);
    if (b.prec == P_IF) b = atom(fmt("(%s)", b.s), 0);
    return binary(g, cmp[below(g, is_float(t) ? 4 : 6)], P_CMP, a, b, 0);
}

/* Calls to the library and to higher-order functions */
static bool library(Gen *g, Elem t, int rank, const Size *dim, int depth, Ex *e) {
    if (rank > 2 || t == BOOL || t == F16 || t == BF16) return false;
    int mark = g->nvars, frozen = g->frozen;
    int64_t mult = g->mult;
    Ex a = array(g, t, rank, dim, depth - 1);
    if (rank == 1 && chance(g, 60)) {
        switch (below(g, 5)) {
        case 0: *e = atom(fmt("reverse(%s)", a.s), a.bound); return true;
        case 1:
            if (size_min(g, dim[0]) < 1) return false;
            *e = atom(fmt("roll(%s, %d)", a.s, (int)between(g, -3, 3)), a.bound);
            return true;
        case 2:
            *e = atom(fmt("%s(cumsum(%s))", elem_name(t), a.s), a.bound * (double)size_max(g, dim[0]));
            return true;
        case 3:
            *e = atom(fmt("scan(fn(a, b) => %s, %s)", chance(g, 50) ? "max(a, b)" : "min(a, b)", a.s), a.bound);
            return true;
        default:
            if (is_float(t)) return false;
            *e = atom(fmt("scan(fn(a, b) => a xor b, %s)", a.s), 0);
            return true;
        }
    }
    const char *v = fresh(g, "v");
    bool host = g->host;
    g->host = false;
    g->arrays_from = g->nvars; /* a lambda that sees only its parameter, or also what is around it */
    if (chance(g, 30)) g->arrays_from = mark > 4 ? mark - 4 : 0;
    var_add(g, v, t, 0, NULL, false, is_float(t) ? a.bound : 0);
    g->mult *= volume(g, rank, dim);
    Ex body = typed(g, t, scalar(g, t, 2));
    g->mult = mult;
    g->arrays_from = 0;
    g->nvars = mark;
    g->frozen = frozen;
    g->host = host;
    *e = atom(fmt("map(fn(%s) => %s, %s)", v, body.s, a.s), body.bound);
    return true;
}

Ex array(Gen *g, Elem t, int rank, const Size *dim, int depth) {
    Ex e;
    bool ok = false;
    g->work += g->mult * volume(g, rank, dim);
    const Var *v = array_var(g, t, rank, dim);
    if (v && (depth <= 0 || chance(g, 25))) return atom(v->name, v->bound);
    if (depth <= 0 || over_budget(g)) {
        if (slice(g, t, rank, dim, &e)) return e;
        return filled(g, t, rank, dim);
    }
    if (t == F16 || t == BF16) return comprehension(g, t, rank, dim, 1);
    for (int try = 0; try < 4; try++) {
        switch (below(g, 9)) {
        case 0: case 1:
            if (t == BOOL) return bool_array(g, rank, dim, depth);
            return array_if_small(g, t, elementwise(g, t, rank, dim, depth));
        case 2:
            if (t == BOOL) break;
            return array_if_small(g, t, function_of(g, t, rank, dim, depth));
        case 3: case 4: return comprehension(g, t, rank, dim, depth);
        case 5:
            if (slice(g, t, rank, dim, &e)) return e;
            break;
        case 6:
            if (derived(g, t, rank, dim, &e)) return e;
            break;
        case 7:
            if (t != BOOL && chance(g, 40)) return cast_array(g, t, rank, dim, depth);
            if (library(g, t, rank, dim, depth, &e)) return array_if_small(g, t, e);
            break;
        default:
            e = call_array(g, t, rank, dim, depth - 1, &ok);
            if (ok) return e;
        }
    }
    return comprehension(g, t, rank, dim, depth);
}

/* ---- calls */

Size ret_size(const Fn *f, const Size *bind, Size s) {
    if (s.sym < 0) return s;
    return size_plus(bind[s.sym - f->first_sym], s.c);
}

/* Binds one size of a parameter; false when it cannot be this */
static bool bind_size(const Gen *g, const Fn *f, Size *bind, Size want, Size have) {
    if (want.sym < 0) return size_eq(g, want, have);
    Size *b = &bind[want.sym - f->first_sym];
    Size value = size_plus(have, -want.c);
    if (b->sym != -2) return size_eq(g, *b, value);
    const Sym *s = &g->syms[want.sym];
    if (size_min(g, value) < s->min || size_max(g, value) > s->max) return false;
    *b = value;
    return true;
}

static const char *array_arg(Gen *g, const Fn *f, Size *bind, const Param *p, int depth) {
    Size dim[3], saved[8];
    const Var *found = NULL;
    uint32_t seen = 0;
    for (const Var *v = g->vars; v < g->vars + g->nvars; v++) {
        if (v->t != p->t || v->rank != p->rank || v->own || v->suffix || v->write_only || v->bound > p->bound ||
            !var_visible(g, v))
            continue;
        memcpy(saved, bind, sizeof saved);
        bool fits = true;
        for (int i = 0; i < p->rank && fits; i++) fits = bind_size(g, f, saved, p->dim[i], v->dim[i]);
        if (fits && below(g, ++seen) == 0) found = v;
    }
    if (found && (depth <= 0 || chance(g, 75))) {
        for (int i = 0; i < p->rank; i++) bind_size(g, f, bind, p->dim[i], found->dim[i]);
        return found->name;
    }
    for (int i = 0; i < p->rank; i++) {
        dim[i] = ret_size(f, bind, p->dim[i]);
        if (p->dim[i].sym >= 0 && bind[p->dim[i].sym - f->first_sym].sym == -2) {
            const Sym *s = &g->syms[p->dim[i].sym];
            Size *b = &bind[p->dim[i].sym - f->first_sym];
            *b = size_const(between(g, s->min, s->max < s->min + 9 ? s->max : s->min + 9));
            dim[i] = size_plus(*b, p->dim[i].c);
        }
    }
    Ex e = array(g, p->t, p->rank, dim, depth - 1);
    e = clamp(g, p->t, e, p->bound);
    return e.s;
}

static const char *fn_arg(Gen *g, const Param *p) {
    int mark = g->nvars, from = g->arrays_from;
    const char *v = fresh(g, "v");
    bool host = g->host;
    g->arrays_from = g->nvars;
    g->host = false;
    var_add(g, v, p->from, 0, NULL, false, 16);
    Ex e = clamp(g, p->t, typed(g, p->t, scalar(g, p->t, 2)), p->bound);
    g->nvars = mark;
    g->arrays_from = from;
    g->host = host;
    return fmt("fn(%s) => %s", v, e.s);
}

const char *call_args(Gen *g, const Fn *f, Size *bind, int depth) {
    const char *s = "";
    for (int i = 0; i < f->nparams; i++) {
        const Param *p = &f->params[i];
        const char *a;
        if (p->is_fn) a = fn_arg(g, p);
        else if (p->rank) a = array_arg(g, f, bind, p, depth);
        else a = clamp(g, p->t, typed(g, p->t, scalar(g, p->t, depth)), p->bound).s;
        if (!a) return NULL;
        s = fmt("%s%s%s", s, i ? ", " : "", a);
    }
    return s;
}

Ex call_array(Gen *g, Elem t, int rank, const Size *dim, int depth, bool *ok) {
    const Fn *f = NULL;
    Size bind[8], chosen[8];
    uint32_t seen = 0;
    *ok = false;
    for (int i = 0; i < g->nfns && g->host; i++) {
        const Fn *h = &g->fns[i];
        if (h == g->fn || h->nret != 1 || h->ret[0].rank != rank || h->ret[0].t != t) continue;
        if (h->cost * g->mult > g->budget / 4 || g->work + h->cost * g->mult > g->budget) continue;
        for (int k = 0; k < 8; k++) bind[k].sym = -2;
        bool fits = true;
        for (int k = 0; k < rank && fits; k++) fits = bind_size(g, h, bind, h->ret[0].dim[k], dim[k]);
        if (!fits || below(g, ++seen)) continue;
        f = h;
        memcpy(chosen, bind, sizeof chosen);
    }
    if (!f) return literal(g, t);
    const char *args = call_args(g, f, chosen, depth);
    if (!args) return literal(g, t);
    g->work += f->cost * g->mult;
    g->fn_seen[f - g->fns] = true;
    *ok = true;
    return atom(fmt("%s(%s)", f->name, args), f->ret[0].bound);
}
