/* Element types, sizes and the variables in sight. */
#include "tools/gen/gen.h"

#include <stdlib.h>
#include <string.h>

static const struct { const char *name; int bits; bool is_int, is_signed, is_float; double limit; } elems[NELEM] = {
    [BOOL] = {"bool", 1, 0, 0, 0, 0},
    [I8] = {"i8", 8, 1, 1, 0, 0},     [I16] = {"i16", 16, 1, 1, 0, 0}, [I32] = {"i32", 32, 1, 1, 0, 0},
    [I64] = {"int", 64, 1, 1, 0, 0},  [U8] = {"u8", 8, 1, 0, 0, 0},    [U16] = {"u16", 16, 1, 0, 0, 0},
    [U32] = {"u32", 32, 1, 0, 0, 0},  [U64] = {"u64", 64, 1, 0, 0, 0}, [F16] = {"f16", 16, 0, 1, 1, 1e3},
    [BF16] = {"bf16", 16, 0, 1, 1, 1e3}, [F32] = {"f32", 32, 0, 1, 1, 1e18}, [F64] = {"f64", 64, 0, 1, 1, 1e60},
};

const char *elem_name(Elem t) { return elems[t].name; }
bool is_int(Elem t) { return elems[t].is_int; }
bool is_signed(Elem t) { return elems[t].is_signed; }
bool is_float(Elem t) { return elems[t].is_float; }
int elem_bits(Elem t) { return elems[t].bits; }
double elem_limit(Elem t) { return elems[t].limit; }

bool widens(Elem from, Elem to) {
    if (from == to) return true;
    if (is_int(from) && is_int(to)) return is_signed(from) == is_signed(to) && elem_bits(from) < elem_bits(to);
    if (is_int(from)) return to == F64 || (to == F32 && (from == I8 || from == I16));
    if (is_float(from) && is_float(to)) return elem_bits(from) < elem_bits(to);
    return false;
}

Elem any_number(Gen *g) {
    static const Elem table[] = {F64, F64, F64, F64, I64, I64, I64, F32, F32, I32, I32, I8, U8, I16, U16, U32, U64};
    return table[below(g, sizeof table / sizeof *table)];
}

Elem any_elem(Gen *g) {
    if (chance(g, 3)) return chance(g, 50) ? F16 : BF16;
    return chance(g, 8) ? BOOL : any_number(g);
}

Size size_const(int64_t c) { return (Size){-1, c}; }
Size size_sym(int sym) { return (Size){sym, 0}; }
Size size_plus(Size a, int64_t c) { return (Size){a.sym, a.c + c}; }
int64_t size_min(const Gen *g, Size a) { return a.c + (a.sym >= 0 ? g->syms[a.sym].min : 0); }
int64_t size_max(const Gen *g, Size a) { return a.c + (a.sym >= 0 ? g->syms[a.sym].max : 0); }
bool size_eq(const Gen *g, Size a, Size b) { /* or equal when it runs: the compiler has to check */
    if (a.sym == b.sym) return a.c == b.c;
    return size_min(g, a) == size_max(g, a) && size_min(g, b) == size_max(g, b) && size_min(g, a) == size_min(g, b);
}
bool size_le(const Gen *g, Size a, Size b) {
    if (a.sym == b.sym) return a.c <= b.c;
    return size_max(g, a) <= size_min(g, b);
}

const char *size_text(Gen *g, Size a) {
    for (const Var *v = g->vars + g->nvars - 1; v >= g->vars + g->arrays_from; v--) /* let m = n - 2 */
        if (v->ranged && !v->hidden && v->lo.sym == a.sym && v->lo.c == a.c && v->hi.sym == a.sym &&
            v->hi.c == a.c + 1 && chance(g, 30))
            return v->name;
    if (a.sym < 0) {
        for (int i = 0; i < g->nconsts; i++)
            if (g->consts[i].v == a.c && chance(g, 50)) return g->consts[i].name;
        return fmt("%lld", (long long)a.c);
    }
    const char *name = g->syms[a.sym].name;
    if (a.c == 0) return name;
    return fmt("%s %c %lld", name, a.c < 0 ? '-' : '+', (long long)llabs(a.c));
}

const char *type_text(Gen *g, Elem t, int rank, const Size *dim) {
    const char *s = elem_name(t);
    for (int i = 0; i < rank; i++) s = fmt("%s%s%s", s, i ? ", " : "[", size_text(g, dim[i]));
    return rank ? fmt("%s]", s) : s;
}

int64_t volume(const Gen *g, int rank, const Size *dim) {
    int64_t v = 1;
    for (int i = 0; i < rank; i++) v *= size_max(g, dim[i]);
    return v;
}

int sym_new(Gen *g, const char *name, int64_t min, int64_t max) {
    if (g->nsyms == MAX_SYMS) abort();
    Sym *s = &g->syms[g->nsyms];
    snprintf(s->name, sizeof s->name, "%s", name);
    s->min = min;
    s->max = max;
    return g->nsyms++;
}

Var *var_add(Gen *g, const char *name, Elem t, int rank, const Size *dim, bool mut, double bound) {
    if (g->nvars == MAX_VARS) g->nvars--; /* forget the newest: it stays defined, but is no longer used */
    Var *v = &g->vars[g->nvars++];
    memset(v, 0, sizeof *v);
    snprintf(v->name, sizeof v->name, "%s", name);
    v->t = t;
    v->rank = rank;
    for (int i = 0; i < rank; i++) v->dim[i] = dim[i];
    v->mut = mut;
    v->bound = bound;
    return v;
}

Var *range_add(Gen *g, const char *name, Size lo, Size hi) {
    Var *v = var_add(g, name, I64, 0, NULL, false, 0);
    v->ranged = true;
    v->lo = lo;
    v->hi = hi;
    return v;
}

bool var_visible(const Gen *g, const Var *v) {
    return v - g->vars >= g->arrays_from && !v->hidden;
}

static Var *pick(Gen *g, Elem t, int rank, bool assign) {
    Var *found = NULL;
    uint32_t seen = 0;
    for (Var *v = g->vars; v < g->vars + g->nvars; v++) {
        if (v->t != t || v->rank != rank || !var_visible(g, v)) continue;
        if (assign ? !v->mut || v - g->vars < g->frozen : v->write_only) continue;
        if (below(g, ++seen) == 0) found = v;
    }
    return found;
}

Var *var_pick(Gen *g, Elem t, int rank, bool assign) { /* rather a recent one */
    Var *a = pick(g, t, rank, assign);
    if (!a || chance(g, 40)) return a;
    Var *b = pick(g, t, rank, assign);
    return a > b ? a : b;
}

Elem likely_elem(Gen *g) {
    Elem t = any_elem(g);
    uint32_t seen = 0;
    if (chance(g, 25)) return t;
    for (const Var *v = g->vars; v < g->vars + g->nvars; v++)
        if (var_visible(g, v) && !v->write_only && below(g, ++seen) == 0) t = v->t;
    return t;
}

Elem likely_number(Gen *g) {
    Elem t = likely_elem(g);
    return t == BOOL || t == F16 || t == BF16 ? any_number(g) : t;
}

bool over_budget(const Gen *g) { return g->work > g->budget; }
