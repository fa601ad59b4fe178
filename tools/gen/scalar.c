/* Scalar expressions of a wanted type; indices that are in range because of how they are made. */
#include "tools/gen/gen.h"

#include <math.h>
#include <string.h>

const char *at_prec(Gen *g, Ex e, int prec) { return e.prec < prec || chance(g, 4) ? fmt("(%s)", e.s) : e.s; }

static Ex atom(const char *s, double bound) { return (Ex){s, P_ATOM, bound, false}; }

Ex typed(Gen *g, Elem t, Ex e) {
    if (!e.lit) return e;
    (void)g;
    return atom(fmt("%s(%s)", elem_name(t), e.s), e.bound);
}

Ex binary(Gen *g, const char *op, int prec, Ex a, Ex b, double bound) {
    return (Ex){fmt("%s %s %s", at_prec(g, a, prec == P_CMP ? P_BOR : prec), op, at_prec(g, b, prec + 1)), prec, bound,
                a.lit && b.lit};
}

Ex clamp(Gen *g, Elem t, Ex e, double bound) {
    if (!is_float(t) || e.bound <= bound || e.lit) return e;
    if (t == F16 || t == BF16)
        return atom(fmt("%s(min(max(f32(%s), -%.0f.0), %.0f.0))", elem_name(t), e.s, bound, bound), bound);
    if (chance(g, 30)) return atom(fmt("max(-%.0f.0, min(%s, %.0f.0))", bound, e.s, bound), bound);
    return atom(fmt("min(max(%s, -%.0f.0), %.0f.0)", e.s, bound, bound), bound);
}

static Ex limit(Gen *g, Elem t, Ex e) { return e.bound > elem_limit(t) ? clamp(g, t, e, 64) : e; }

/* ---- indices */

static const char *wrapped(Gen *g, Size n) {
    Ex e = typed(g, I64, scalar(g, I64, 1));
    if (chance(g, 60))
        return fmt("%s %% %s", at_prec(g, e, P_MUL),
                   n.sym >= 0 && n.c ? fmt("(%s)", size_text(g, n)) : size_text(g, n));
    return fmt("min(max(%s, 0), %s)", e.s, size_text(g, size_plus(n, -1)));
}

static const char *range_index(Gen *g, const Var *v, Size n) {
    bool fits = size_min(g, v->lo) >= 0 && size_le(g, v->hi, n);
    if (fits && chance(g, 70)) return v->name;
    if (fits && chance(g, 40)) return fmt("%s - 1 - %s", size_text(g, n), v->name);
    int k = (int)between(g, 1, 3);
    if (size_min(g, v->lo) >= 0 && size_le(g, size_plus(v->hi, k), n)) return fmt("%s + %d", v->name, k);
    if (size_min(g, v->lo) >= k && size_le(g, size_plus(v->hi, -k), n)) return fmt("%s - %d", v->name, k);
    if (size_min(g, v->lo) >= 0) {
        if (chance(g, 30)) return fmt("min(%s + %d, %s)", v->name, k, size_text(g, size_plus(n, -1)));
        if (size_le(g, size_plus(v->hi, -k), n) && chance(g, 40)) return fmt("max(%s - %d, 0)", v->name, k);
        return fmt("(%s %c %d) %% %s", v->name, chance(g, 50) ? '+' : '-', k,
                   n.sym >= 0 && n.c ? fmt("(%s)", size_text(g, n)) : size_text(g, n));
    }
    return fits ? v->name : NULL;
}

const char *index_text(Gen *g, Size n) {
    const Var *found = NULL;
    uint32_t seen = 0;
    for (const Var *v = g->vars; v < g->vars + g->nvars; v++)
        if (v->ranged && var_visible(g, v) && below(g, ++seen) == 0) found = v;
    if (found && chance(g, 85)) {
        const char *s = range_index(g, found, n);
        if (s) return s;
    }
    int64_t least = size_min(g, n);
    if (chance(g, 40)) return fmt("%lld", (long long)between(g, 0, least > 6 ? 5 : least - 1));
    if (chance(g, 40)) return size_text(g, size_plus(n, -1 - (least > 4 ? between(g, 0, 3) : 0)));
    g->work += 2 * g->mult;
    return over_budget(g) ? "0" : wrapped(g, n);
}

/* Of an atomic update: also one made from a float, as a histogram's */
const char *count_index(Gen *g, Size n) {
    if (chance(g, 60) || over_budget(g)) return index_text(g, n);
    g->work += 4 * g->mult;
    return fmt("min(int(abs(%s)), %s)", typed(g, F64, scalar(g, F64, 2)).s, size_text(g, size_plus(n, -1)));
}

const char *indices(Gen *g, const Var *v) {
    if (v->own) return v->own;
    const char *s = "";
    for (int i = 0; i < v->rank; i++) {
        if (size_min(g, v->dim[i]) < 1) return NULL;
        s = fmt("%s%s%s", s, i ? ", " : "", index_text(g, v->dim[i]));
    }
    return s;
}

/* ---- leaves */

Ex literal(Gen *g, Elem t) {
    static const char *const floats[] = {"0.0", "1.0", "0.5", "2.0",  "0.25", "1.5",
                                         "3.0", "0.1", "0.3", "1e-3", "7.25"};
    if (t == BOOL) return atom(chance(g, 50) ? "true" : "false", 0);
    if (is_float(t) && g->nfloats && chance(g, 15))
        return (Ex){fmt("c%d", (int)below(g, (uint32_t)g->nfloats)), P_ATOM, 8, true};
    if (is_float(t)) {
        const char *s = floats[below(g, sizeof floats / sizeof *floats)];
        Ex e = {s, P_ATOM, 8, true};
        if (chance(g, 25)) e = (Ex){fmt("-%s", s), P_UNARY, 8, true};
        return e;
    }
    int64_t v = chance(g, 80)        ? below(g, 10)
                : chance(g, 50)      ? below(g, 128)
                : elem_bits(t) == 8  ? 127
                : elem_bits(t) == 16 ? 32767
                                     : 2147483647;
    if (elem_bits(t) == 64 && chance(g, 3)) return (Ex){"0x7fffffffffffffff", P_ATOM, 0, true};
    if (is_signed(t) && chance(g, 20)) return (Ex){fmt("-%lld", (long long)v), P_UNARY, 0, true};
    if (chance(g, 4)) return (Ex){fmt("0x%llx", (unsigned long long)v), P_ATOM, 0, true};
    return (Ex){fmt("%lld", (long long)v), P_ATOM, 0, true};
}

static bool element(Gen *g, Elem t, Ex *e) {
    Var *v = var_pick(g, t, chance(g, 65) ? 1 : 2, false);
    if (!v) v = var_pick(g, t, (int)between(g, 1, 3), false);
    if (!v) return false;
    const char *at = indices(g, v);
    if (!at) return false;
    *e = atom(fmt("%s[%s]%s", v->name, at, v->suffix ? v->suffix : ""), v->bound);
    return true;
}

static Ex leaf(Gen *g, Elem t) {
    Ex e;
    g->work += g->mult;
    for (int try = 0; try < 3; try++) {
        int pick = (int)below(g, 10);
        if (pick < 4) {
            const Var *v = var_pick(g, t, 0, false);
            if (v) return atom(v->name, v->bound);
        } else if (pick < 8) {
            if (element(g, t, &e)) return e;
        } else if (pick < 9 || try == 2) {
            return literal(g, t);
        }
    }
    const Var *v = var_pick(g, t, 0, false);
    if (v) return atom(v->name, v->bound);
    Elem from = likely_number(g); /* rather T(variable) than a literal */
    v = var_pick(g, from, 0, false);
    if (!v || t == BOOL || chance(g, 30)) return literal(g, t);
    if (!is_float(t)) return atom(fmt("%s(%s)", elem_name(t), v->name), 0);
    if (is_float(from))
        return v->bound > elem_limit(t) ? literal(g, t) : atom(fmt("%s(%s)", elem_name(t), v->name), v->bound);
    if (elem_bits(from) > 16 && !v->ranged) return atom(fmt("%s(%s %% 100)", elem_name(t), v->name), 100);
    return elem_limit(t) < 1e5 ? literal(g, t) : atom(fmt("%s(%s)", elem_name(t), v->name), 70000);
}

/* An operand beside one of type t: sometimes of a narrower type, which widens by itself */
static Ex operand(Gen *g, Elem t, int depth) {
    if (chance(g, 5) && t != BOOL) {
        Elem from = any_number(g);
        const Var *v = widens(from, t) && from != t ? var_pick(g, from, 0, false) : NULL;
        if (v && is_int(from) && is_float(t) && elem_bits(from) > 16 && !v->ranged) v = NULL;
        if (v) return atom(v->name, is_float(t) && is_int(from) ? 70000 : v->bound);
    }
    return scalar(g, t, depth);
}

/* ---- inner nodes */

static Ex pair(Gen *g, Elem t, const char *op, int prec, int depth) {
    Ex a = scalar(g, t, depth - 1), b = a.lit ? scalar(g, t, depth - 1) : operand(g, t, depth - 1);
    if (a.lit && b.lit) a = typed(g, t, a);
    double bound = op[0] == '*' ? a.bound * b.bound : a.bound + b.bound;
    return limit(g, t, binary(g, op, prec, a, b, bound));
}

static Ex call1(Gen *g, Elem t, const char *f, int depth, double bound) {
    Ex a = typed(g, t, scalar(g, t, depth - 1));
    return atom(fmt("%s(%s)", f, a.s), bound < 0 ? a.bound : bound);
}

static Ex call2(Gen *g, Elem t, const char *f, int depth) {
    Ex a = typed(g, t, scalar(g, t, depth - 1)), b = operand(g, t, depth - 1);
    return atom(fmt("%s(%s, %s)", f, a.s, b.s), a.bound > b.bound ? a.bound : b.bound);
}

static Ex choose(Gen *g, Elem t, int depth) {
    Ex c = condition(g, depth - 1);
    Ex a = typed(g, t, scalar(g, t, depth - 1)), b = typed(g, t, scalar(g, t, depth - 1));
    double bound = a.bound > b.bound ? a.bound : b.bound;
    if (chance(g, 40)) return atom(fmt("where(%s, %s, %s)", c.s, a.s, b.s), bound);
    if (chance(g, 20)) {
        Ex d = typed(g, t, scalar(g, t, 0));
        if (d.bound > bound) bound = d.bound;
        return (Ex){fmt("if %s { %s } else if %s { %s } else { %s }", c.s, a.s, condition(g, 0).s, d.s, b.s), P_IF,
                    bound, false};
    }
    if (chance(g, 15)) { /* a block with a name of its own */
        const char *name = fresh(g, "b");
        int mark = g->nvars;
        var_add(g, name, t, 0, NULL, false, a.bound);
        Ex d = typed(g, t, scalar(g, t, 1));
        g->nvars = mark;
        return (Ex){fmt("if %s { let %s = %s; %s } else { %s }", c.s, name, a.s, d.s, b.s), P_IF,
                    d.bound > bound ? d.bound : bound, false};
    }
    return (Ex){fmt("if %s { %s } else { %s }", c.s, a.s, b.s), P_IF, bound, false};
}

static double cast_bound(Elem from) { return from == BOOL ? 1 : elem_bits(from) == 8 ? 255 : 65535; }

static Ex cast(Gen *g, Elem t, int depth) {
    Elem from = likely_number(g);
    if (chance(g, 10)) from = BOOL;
    if (chance(g, 4)) from = chance(g, 50) ? F16 : BF16;
    Ex e = from == BOOL ? condition(g, depth - 1) : typed(g, from, scalar(g, from, depth - 1));
    double bound = is_float(from) ? e.bound : cast_bound(from);
    if (is_float(t) && is_int(from) && elem_bits(from) > 16) {
        e = (Ex){fmt("%s %% 100", at_prec(g, e, P_MUL)), P_MUL, 0, false};
        bound = 100;
    }
    if (is_float(t) && bound > elem_limit(t)) {
        e = clamp(g, from, e, 64);
        if (!is_float(from)) e = atom(fmt("%s & 63", at_prec(g, e, P_BAND)), 0);
        bound = 64;
    }
    return atom(fmt("%s(%s)", elem_name(t), e.s), bound);
}

static Ex power(Gen *g, Elem t, int depth) {
    Ex a = typed(g, t, scalar(g, t, depth - 1));
    int k = (int)between(g, 2, 4);
    if (is_float(t) && a.bound > 1e4) a = clamp(g, t, a, 16);
    if (is_float(t) && chance(g, 10)) {
        return atom(fmt("(1.0 + abs(%s))^-%d", a.s, k), 1);
    }
    return limit(g, t, (Ex){fmt("%s^%d", at_prec(g, a, P_ATOM), k), P_POW, pow(a.bound, k), false});
}

/* Sums and products of narrow ints come out as int or u64 */
static Ex narrowed(Elem t, const char *f, Ex e) {
    if (!is_int(t) || elem_bits(t) == 64 || (strcmp(f, "sum") && strcmp(f, "prod"))) return e;
    return atom(fmt("%s(%s)", elem_name(t), e.s), e.bound);
}

static int shadow_trip(Gen *g) { return g->mult > 200 ? 3 : 12; }

static const Var *range_var(Gen *g) {
    const Var *found = NULL;
    uint32_t seen = 0;
    for (const Var *v = g->vars; v < g->vars + g->nvars; v++)
        if (v->ranged && var_visible(g, v) && size_eq(g, v->hi, size_plus(v->lo, 1)) == false && below(g, ++seen) == 0)
            found = v;
    return found;
}

/* sum(expr for k in range): a reduction over a known range */
static Ex reduction(Gen *g, Elem t, int depth) {
    static const char *const names[] = {"sum", "sum", "sum", "min", "max", "prod"};
    const char *f = names[below(g, is_float(t) ? 5 : 6)];
    Size n = size_const(between(g, 1, shadow_trip(g)));
    const Var *x = var_pick(g, t, 1, false);
    if (x && !x->own && !x->suffix && size_min(g, x->dim[0]) >= 1 && size_max(g, x->dim[0]) * g->mult < 3000)
        n = x->dim[0];
    const char *lo = "0", *hi = NULL;
    const Var *outer = range_var(g);
    if (outer && chance(g, 25) && size_min(g, outer->lo) >= 0 &&
        size_max(g, outer->hi) < 50) { /* up to an outer variable, or from it */
        n = outer->hi;
        if (chance(g, 50) && f[0] != 'm') hi = outer->name;
        else lo = outer->name;
    }
    int64_t trip = size_max(g, n), mult = g->mult;
    int mark = g->nvars;
    const char *k = fresh(g, "k");
    range_add(g, k, size_const(0), n);
    if (!hi) hi = size_text(g, n);
    g->mult *= trip;
    Ex e = typed(g, t, scalar(g, t, depth - 1));
    const char *more = "";
    if (depth > 1 && chance(g, 10) && g->mult < 1000) {
        const char *k2 = fresh(g, "k");
        more = fmt(", %s in 0:3", k2);
        g->mult *= 3;
        trip *= 3;
        range_add(g, k2, size_const(0), size_const(3));
        e = typed(g, t, scalar(g, t, depth - 1));
    }
    g->mult = mult;
    g->nvars = mark;
    Ex r = atom(fmt("%s(%s for %s in %s:%s%s)", f, e.s, k, lo, hi, more),
                f[0] == 's' ? e.bound * (double)trip : e.bound);
    return limit(g, t, narrowed(t, f, r));
}

/* sum(x) of a whole array */
static bool whole(Gen *g, Elem t, Ex *e) {
    const Var *x = var_pick(g, t, (int)between(g, 1, 2), false);
    if (!x || x->own || x->suffix) return false;
    bool empty = false;
    for (int i = 0; i < x->rank; i++) empty |= size_min(g, x->dim[i]) < 1;
    int64_t v = volume(g, x->rank, x->dim);
    if (v * g->mult > 20000) return false;
    g->work += v * g->mult;
    if (empty || chance(g, 50))
        *e = limit(g, t, narrowed(t, "sum", atom(fmt("sum(%s)", x->name), x->bound * (double)v)));
    else *e = atom(fmt("%s(%s)", chance(g, 50) ? "max" : "min", x->name), x->bound);
    return true;
}

static Ex int_node(Gen *g, Elem t, int depth) {
    switch (below(g, 17)) {
    case 0: case 1: case 2: return pair(g, t, "+", P_ADD, depth);
    case 3: case 4: return pair(g, t, "-", P_ADD, depth);
    case 5: case 6: return pair(g, t, "*", P_MUL, depth);
    case 7: return pair(g, t, "&", P_BAND, depth);
    case 8: return chance(g, 50) ? pair(g, t, "|", P_BOR, depth) : pair(g, t, "xor", P_XOR, depth);
    case 9: case 10: {
        const char *op = chance(g, 50) ? "//" : "%";
        Ex a = typed(g, t, scalar(g, t, depth - 1));
        if (chance(g, 60)) return binary(g, op, P_MUL, a, (Ex){fmt("%d", (int)between(g, 1, 17)), P_ATOM, 0, true}, 0);
        Ex b = typed(g, t, scalar(g, t, depth - 1));
        return binary(g, op, P_MUL, a, atom(fmt("(%s | 1)", at_prec(g, b, P_BOR)), 0), 0);
    }
    case 11: {
        Ex a = typed(g, t, scalar(g, t, depth - 1));
        if (chance(g, 60))
            return binary(g, chance(g, 50) ? "<<" : ">>", P_SHIFT, a,
                          (Ex){fmt("%d", (int)between(g, 0, 7)), P_ATOM, 0, true}, 0);
        Ex b = typed(g, t, scalar(g, t, depth - 1));
        return binary(g, chance(g, 50) ? "<<" : ">>", P_SHIFT, a, atom(fmt("(%s & 31)", at_prec(g, b, P_BAND)), 0), 0);
    }
    case 12: {
        Ex a = typed(g, t, scalar(g, t, depth - 1));
        return (Ex){fmt("%s%s", is_signed(t) && chance(g, 50) ? "-" : "~", at_prec(g, a, P_POW)), P_UNARY, 0, false};
    }
    case 13: return is_signed(t) ? call1(g, t, chance(g, 50) ? "abs" : "sign", depth, -1) : call2(g, t, "max", depth);
    case 14: return call2(g, t, chance(g, 50) ? "min" : "max", depth);
    case 15: return power(g, t, depth);
    default: return cast(g, t, depth);
    }
}

static Ex math(Gen *g, Elem t, int depth) {
    static const struct { const char *text; double bound;
    } forms[] = {
        {"sin(%s)", 1},          {"cos(%s)", 1},
        {"tanh(%s)", 1},         {"atan(%s)", 2},
        {"exp(-abs(%s))", 1},    {"log(1.0 + abs(%s))", 200},
        {"log1p(abs(%s))", 200}, {"sqrt(abs(%s))", 0},
        {"sqrt(abs(%s))", 0},    {"cbrt(%s)", 0},
        {"floor(%s)", -1},       {"ceil(%s)", -1},
        {"round(%s)", -1},       {"trunc(%s)", -1},
        {"abs(%s)", 0},          {"abs(%s)", 0},
        {"sign(%s)", 1},         {"-(%s)", 0},
        {"erf(%s)", 1},          {"1.0 / (1.0 + abs(%s))", 1},
    };
    int i = (int)below(g, sizeof forms / sizeof *forms);
    Ex a = typed(g, t, scalar(g, t, depth - 1));
    double bound = forms[i].bound > 0 ? forms[i].bound : forms[i].bound < 0 || a.bound < 1 ? a.bound + 1 : a.bound;
    char text[64];
    const char *hole = strstr(forms[i].text, "%s");
    snprintf(text, sizeof text, "%.*s", (int)(hole - forms[i].text), forms[i].text);
    int prec = forms[i].text[0] == '-' ? P_UNARY : forms[i].text[0] == '1' ? P_MUL : P_ATOM;
    return (Ex){fmt("%s%s%s", text, a.s, hole + 2), prec, bound, false};
}

static Ex float_node(Gen *g, Elem t, int depth) {
    switch (below(g, 17)) {
    case 0: case 1: case 2: return pair(g, t, "+", P_ADD, depth);
    case 3: case 4: return pair(g, t, "-", P_ADD, depth);
    case 5: case 6: case 7: return pair(g, t, "*", P_MUL, depth);
    case 8: {
        Ex a = typed(g, t, scalar(g, t, depth - 1)), b = typed(g, t, scalar(g, t, depth - 1));
        return binary(g, "/", P_MUL, a, atom(fmt("(1.0 + abs(%s))", b.s), 0), a.bound);
    }
    case 9: {
        Ex a = typed(g, t, scalar(g, t, depth - 1));
        return binary(g, chance(g, 50) ? "/" : "*", P_MUL, a, (Ex){"2.5", P_ATOM, 0, true}, a.bound * 2.5);
    }
    case 10: case 11: return math(g, t, depth);
    case 12: return call2(g, t, chance(g, 50) ? "min" : "max", depth);
    case 13: return power(g, t, depth);
    case 14: {
        Ex a = typed(g, t, scalar(g, t, depth - 1)), b = typed(g, t, scalar(g, t, depth - 1));
        if (chance(g, 70))
            return binary(g, chance(g, 50) ? "%" : "//", P_MUL, a, (Ex){"1.75", P_ATOM, 0, true}, a.bound + 2);
        return limit(g, t, chance(g, 50) ? atom(fmt("hypot(%s, %s)", a.s, b.s), a.bound + b.bound)
                                         : atom(fmt("fma(%s, %s, %s)", a.s, b.s, b.s), a.bound * b.bound + b.bound));
    }
    default: return cast(g, t, depth);
    }
}

static Ex half(Gen *g, Elem t, int depth) {
    if (chance(g, 50)) return leaf(g, t);
    Ex e = typed(g, F32, scalar(g, F32, depth));
    e = clamp(g, F32, e, 500);
    return atom(fmt("%s(%s)", elem_name(t), e.s), e.bound);
}

Ex scalar(Gen *g, Elem t, int depth) {
    g->work += g->mult;
    if (t == BOOL) return condition(g, depth);
    if (depth <= 0 || over_budget(g) || chance(g, 15))
        return t == F16 || t == BF16 ? typed(g, t, leaf(g, t)) : leaf(g, t);
    if (t == F16 || t == BF16) return typed(g, t, half(g, t, depth - 1));
    Ex e;
    bool ok = false;
    int pick = (int)below(g, 100);
    if (pick < 8) return choose(g, t, depth);
    if (pick < 16) {
        e = call_scalar(g, t, depth - 1, &ok);
        if (ok) return e;
    }
    if (pick < 20 && g->host && whole(g, t, &e)) return e;
    if (pick < (g->host ? 26 : 23) && g->mult < 500) return reduction(g, t, depth);
    return is_float(t) ? float_node(g, t, depth) : int_node(g, t, depth);
}

Ex condition(Gen *g, int depth) {
    static const char *const cmp[] = {"<", "<=", ">", ">=", "==", "!="};
    g->work += g->mult;
    if (depth > 0 && chance(g, 25)) {
        Ex a = condition(g, depth - 1), b = condition(g, depth - 1);
        return chance(g, 50) ? binary(g, "and", P_AND, a, b, 0) : binary(g, "or", P_OR, a, b, 0);
    }
    if (depth > 0 && chance(g, 8)) {
        Ex a = condition(g, depth - 1);
        return (Ex){fmt("not %s", at_prec(g, a, P_ATOM)), P_NOT, 0, false};
    }
    if (g->host && depth > 0 && chance(g, 6)) {
        const Var *v = var_pick(g, likely_elem(g), (int)between(g, 1, 2), false);
        if (v && !v->own && !v->suffix && volume(g, v->rank, v->dim) * g->mult < 5000) {
            g->work += volume(g, v->rank, v->dim) * g->mult;
            const char *f = chance(g, 50) ? "any" : "all";
            if (v->t == BOOL) return atom(fmt("%s(%s)", f, v->name), 0);
            if (v->t == F16 || v->t == BF16) return atom(fmt("%s(%s == %s)", f, v->name, v->name), 0);
            return atom(fmt("%s(%s > %s)", f, v->name, at_prec(g, scalar(g, v->t, 0), P_SHIFT)), 0);
        }
    }
    if (chance(g, 15)) {
        const Var *v = var_pick(g, BOOL, 0, false);
        if (v) return atom(v->name, 0);
        Ex e;
        if (element(g, BOOL, &e)) return e;
    }
    Elem t = likely_number(g);
    Ex a = typed(g, t, scalar(g, t, depth - 1)), b = operand(g, t, depth - 1);
    return binary(g, cmp[below(g, is_float(t) && chance(g, 80) ? 4 : 6)], P_CMP, a, b, 0);
}

Ex call_scalar(Gen *g, Elem t, int depth, bool *ok) {
    *ok = false;
    const Fn *f = NULL;
    uint32_t seen = 0;
    for (int i = 0; i < g->nfns; i++) {
        const Fn *h = &g->fns[i];
        if (h == g->fn || h->nret != 1 || h->ret[0].t != t || h->ret[0].rank || (h->nsyms && !g->host)) continue;
        bool arrays = false;
        for (int p = 0; p < h->nparams; p++) arrays |= h->params[p].rank > 0;
        if (arrays && !g->host) continue;
        if (h->cost * g->mult > g->budget / 4 || g->work + h->cost * g->mult > g->budget) continue;
        if (below(g, ++seen) == 0) f = h;
    }
    if (!f) return literal(g, t);
    Size bind[8];
    for (int i = 0; i < 8; i++) bind[i].sym = -2;
    const char *args = call_args(g, f, bind, depth);
    if (!args) return literal(g, t);
    g->work += f->cost * g->mult;
    g->fn_seen[f - g->fns] = true;
    *ok = true;
    return atom(fmt("%s(%s)", f->name, args), f->ret[0].bound);
}
