/* Symbolic sizes in normal form.
 *
 * A size is a sum of terms; a term is a coefficient times a product of atoms, sorted; an atom is a
 * symbol or floordiv, mod, max, min of two sizes.  Terms are sorted by degree, then by atoms, the
 * constant last.  Sizes and atoms are interned by their text, so that equal normal forms are equal
 * pointers.
 *
 * Arithmetic that leaves int64, and products with very many terms or factors, are not expanded: they
 * become an atom '+' or '*' of the two operands, which is still exact.  An atom whose text would be very
 * long is named by the numbers of its operands instead (that text alone does not read back).  Simplification of a
 * quotient assumes that the divisor is not zero: where it is, the program has no value to preserve. */
#include "base/private.h"

#include <string.h>

enum { MAX_TERMS = 256, MAX_DEGREE = 32, MAX_DIVISION_STEPS = 512, MAX_ATOM_TEXT = 4096 };

/* op: 's' symbol, '/', '%', 'M' max, 'm' min; '+' and '*' for what was not expanded. */
typedef struct {
    char op;
    const char *text; /* interned; the symbol's name for 's' */
    const Size *a, *b;
} Atom;

typedef struct { int64_t coef; int n; const Atom **atoms; } Term;
typedef VEC(Term) TermVec;

struct Size {
    int n;
    const Term *terms; /* none for 0 */
    const char *text;  /* interned */
    int number;        /* of the size in its session */
    int nsyms;
    const char **syms; /* each symbol that occurs, once, in order of occurrence */
};

/* ---- text */

static void add_str(Text *t, const char *s) { text_add(t, s, strlen(s)); }

static bool is_quotient(const Atom *a) { return a->op == '/' || a->op == '%'; }

/* A factor is in parentheses where infix // and % would bind otherwise. */
static void put_factor(Text *t, const Atom *a, bool alone) {
    bool parens = is_quotient(a) && !alone;
    if (parens) add_str(t, "(");
    add_str(t, a->text);
    if (parens) add_str(t, ")");
}

static void put_term(Text *t, const Term *m, bool first) {
    uint64_t magnitude = m->coef < 0 ? -(uint64_t)m->coef : (uint64_t)m->coef;
    add_str(t, first ? (m->coef < 0 ? "-" : "") : (m->coef < 0 ? " - " : " + "));
    if (magnitude != 1 || m->n == 0) text_printf(t, "%llu%s", (unsigned long long)magnitude, m->n ? "*" : "");
    bool alone = magnitude == 1 && m->n == 1 && !(first && m->coef < 0);
    for (int i = 0; i < m->n; i++) {
        if (i) add_str(t, "*");
        put_factor(t, m->atoms[i], alone);
    }
}

/* The first positive term leads, so that n - m*k does not start with a minus. */
static int leading_term(const Term *terms, int n) {
    for (int i = 0; i < n; i++)
        if (terms[i].coef > 0) return i;
    return 0;
}

static void put_terms(Text *t, const Term *terms, int n) {
    int lead = leading_term(terms, n);
    if (n == 0) add_str(t, "0");
    else put_term(t, &terms[lead], true);
    for (int i = 0; i < n; i++)
        if (i != lead) put_term(t, &terms[i], false);
}

static const Atom *sole_atom(const Size *a) {
    return a->n == 1 && a->terms[0].coef == 1 && a->terms[0].n == 1 ? a->terms[0].atoms[0] : NULL;
}

/* An operand of // or %: in parentheses unless it is a plain word or number. */
static void put_operand(Text *t, const Size *a) {
    const Atom *atom = sole_atom(a);
    int64_t c;
    bool plain = atom ? !is_quotient(atom) : size_is_const(a, &c) && c >= 0;
    text_printf(t, plain ? "%s" : "(%s)", a->text);
}

static const char *interned_scratch(Session *s) {
    return intern_n(s, s->scratch.data, (size_t)s->scratch.len);
}

static bool is_long(const Size *a, const Size *b) { return strlen(a->text) + strlen(b->text) > MAX_ATOM_TEXT; }

static const char *atom_text(Session *s, char op, const Size *a, const Size *b) {
    if (is_long(a, b)) return intern_printf(s, "(#%d %c #%d)", a->number, op, b->number);
    switch (op) {
    case 'M': return intern_printf(s, "max(%s, %s)", a->text, b->text);
    case 'm': return intern_printf(s, "min(%s, %s)", a->text, b->text);
    case '+': return intern_printf(s, "(%s + (%s))", a->text, b->text);
    case '*': return intern_printf(s, "((%s)*(%s))", a->text, b->text);
    }
    s->scratch.len = 0;
    put_operand(&s->scratch, a);
    add_str(&s->scratch, op == '/' ? "//" : "%");
    put_operand(&s->scratch, b);
    return interned_scratch(s);
}

/* ---- interning */

static const Atom *atom_new(Session *s, char op, const char *text, const Size *a, const Size *b) {
    Atom *atom = map_get(&s->atoms, text);
    if (atom) return atom;
    atom = NEW(s->arena, Atom);
    *atom = (Atom){op, text, a, b};
    map_put(s->arena, &s->atoms, text, atom);
    return atom;
}

typedef VEC(const char *) NameVec;

static void add_name(Session *s, NameVec *v, const char *name) {
    for (int i = 0; i < v->len; i++)
        if (v->data[i] == name) return;
    vec_push(s->arena, v, name);
}

static void add_names_of(Session *s, NameVec *v, const Size *a) {
    for (int i = 0; i < a->nsyms; i++) add_name(s, v, a->syms[i]);
}

static void collect_names(Session *s, NameVec *v, const Term *m) {
    for (int i = 0; i < m->n; i++) {
        const Atom *atom = m->atoms[i];
        if (atom->op == 's') {
            add_name(s, v, atom->text);
        } else {
            add_names_of(s, v, atom->a);
            add_names_of(s, v, atom->b);
        }
    }
}

/* The one Size with these terms, which are in normal form and owned by the session from here on. */
static const Size *size_new(Session *s, const Term *terms, int n) {
    s->scratch.len = 0;
    put_terms(&s->scratch, terms, n);
    const char *text = interned_scratch(s);
    Size *size = map_get(&s->sizes, text);
    if (size) return size;
    NameVec names = {0};
    for (int i = 0; i < n; i++) collect_names(s, &names, &terms[i]);
    size = NEW(s->arena, Size);
    *size = (Size){n, terms, text, s->sizes.len, names.len, names.data};
    map_put(s->arena, &s->sizes, text, size);
    return size;
}

static const Size *size_of_term(Session *s, int64_t coef, const Atom *const *atoms, int n) {
    if (coef == 0) return size_new(s, NULL, 0);
    Term *m = NEW(s->arena, Term);
    *m = (Term){coef, n, NEWN(s->arena, const Atom *, n)};
    if (n) memcpy(m->atoms, atoms, (size_t)n * sizeof *atoms);
    return size_new(s, m, 1);
}

static const Size *size_of_atom(Session *s, const Atom *atom) { return size_of_term(s, 1, &atom, 1); }

static const Size *opaque(Session *s, char op, const Size *a, const Size *b) {
    return size_of_atom(s, atom_new(s, op, atom_text(s, op, a, b), a, b));
}

/* ---- order */

static int compare_atoms(const Atom *a, const Atom *b) {
    if (a == b) return 0;
    if ((a->op == 's') != (b->op == 's')) return a->op == 's' ? -1 : 1;
    return strcmp(a->text, b->text);
}

/* 0 when both have the same atoms. */
static int compare_terms(const Term *a, const Term *b) {
    if (a->n != b->n) return a->n > b->n ? -1 : 1;
    for (int i = 0; i < a->n; i++) {
        int c = compare_atoms(a->atoms[i], b->atoms[i]);
        if (c) return c;
    }
    return 0;
}

static int compare_sizes(const Size *a, const Size *b) {
    bool ca = size_is_const(a, NULL), cb = size_is_const(b, NULL);
    return ca != cb ? ca - cb : strcmp(a->text, b->text);
}

static void order_pair(const Size **a, const Size **b) {
    if (compare_sizes(*a, *b) <= 0) return;
    const Size *t = *a;
    *a = *b;
    *b = t;
}

/* ---- sums and products; NULL when they leave int64 or grow too long */

/* a + coef*b, by merging. */
static const Size *add_scaled(Session *s, const Size *a, const Size *b, int64_t coef) {
    TermVec out = {0};
    for (int i = 0, j = 0; i < a->n || j < b->n;) {
        int order = i == a->n ? 1 : j == b->n ? -1 : compare_terms(&a->terms[i], &b->terms[j]);
        Term m = order <= 0 ? a->terms[i] : b->terms[j];
        int64_t scaled = 0;
        if (order >= 0 && __builtin_mul_overflow(b->terms[j].coef, coef, &scaled)) return NULL;
        if (__builtin_add_overflow(order <= 0 ? a->terms[i].coef : 0, scaled, &m.coef)) return NULL;
        i += order <= 0;
        j += order >= 0;
        if (m.coef) vec_push(s->arena, &out, m);
    }
    return out.len > MAX_TERMS ? NULL : size_new(s, out.data, out.len);
}

static bool mul_terms(Session *s, const Term *a, const Term *b, Term *out) {
    if (a->n + b->n > MAX_DEGREE) return false;
    *out = (Term){0, a->n + b->n, NEWN(s->arena, const Atom *, a->n + b->n)};
    if (__builtin_mul_overflow(a->coef, b->coef, &out->coef)) return false;
    for (int i = 0, j = 0; i < a->n || j < b->n;) {
        bool left = j == b->n || (i < a->n && compare_atoms(a->atoms[i], b->atoms[j]) <= 0);
        out->atoms[i + j] = left ? a->atoms[i] : b->atoms[j];
        i += left;
        j += !left;
    }
    return true;
}

/* a times one term.  The order of terms survives it: it is one of monomials. */
static const Size *mul_by_term(Session *s, const Size *a, const Term *b) {
    TermVec out = {0};
    Term m;
    for (int i = 0; i < a->n; i++) {
        if (!mul_terms(s, &a->terms[i], b, &m)) return NULL;
        vec_push(s->arena, &out, m);
    }
    return size_new(s, out.data, out.len);
}

/* Whether something in a was not expanded: multiplied out it would stand in each term, and again in each term of those.
 */
static bool has_opaque(const Size *a) {
    for (int i = 0; i < a->n; i++)
        for (int k = 0; k < a->terms[i].n; k++) {
            char op = a->terms[i].atoms[k]->op;
            if (op == '+' || op == '*') return true;
        }
    return false;
}

static const Size *mul_expanded(Session *s, const Size *a, const Size *b) {
    if ((int64_t)a->n * b->n > MAX_TERMS || (a->n > 1 && has_opaque(b)) || (b->n > 1 && has_opaque(a))) return NULL;
    const Size *sum = size_new(s, NULL, 0);
    for (int i = 0; i < b->n && sum; i++) {
        const Size *part = mul_by_term(s, a, &b->terms[i]);
        sum = part ? add_scaled(s, sum, part, 1) : NULL;
    }
    return sum;
}

const Size *size_const(Session *s, int64_t c) { return size_of_term(s, c, NULL, 0); }

const Size *size_sym(Session *s, const char *name) {
    return size_of_atom(s, atom_new(s, 's', intern(s, name), NULL, NULL));
}

const Size *size_add(Session *s, const Size *a, const Size *b) {
    const Size *sum = add_scaled(s, a, b, 1);
    if (sum) return sum;
    order_pair(&a, &b);
    return opaque(s, '+', a, b);
}

const Size *size_mul(Session *s, const Size *a, const Size *b) {
    const Size *product = mul_expanded(s, a, b);
    if (product) return product;
    order_pair(&a, &b);
    return opaque(s, '*', a, b);
}

static const Size *negate(Session *s, const Size *a) { return size_mul(s, a, size_const(s, -1)); }

const Size *size_sub(Session *s, const Size *a, const Size *b) {
    const Size *difference = add_scaled(s, a, b, -1);
    return difference ? difference : size_add(s, a, negate(s, b));
}

/* ---- division */

/* False for division by zero, and for the one quotient that leaves int64. */
static bool can_divide(int64_t a, int64_t b) { return b != 0 && !(a == INT64_MIN && b == -1); }

/* The constant term. */
static int64_t offset_of(const Size *a) {
    return a->n && a->terms[a->n - 1].n == 0 ? a->terms[a->n - 1].coef : 0;
}

static const Size *without_offset(Session *s, const Size *a) {
    return offset_of(a) ? size_new(s, a->terms, a->n - 1) : a;
}

/* A common divisor of g and of all coefficients but the constant; g > 0. */
static int64_t gcd_of(const Size *a, int64_t g) {
    for (int i = 0; i < a->n; i++) {
        if (a->terms[i].n == 0) continue;
        int64_t r = a->terms[i].coef % g;
        g = int_gcd(g, r < 0 ? -r : r);
    }
    return g;
}

/* floor(a / g) for a g that divides all coefficients but perhaps the constant. */
static const Size *divide_coefs(Session *s, const Size *a, int64_t g) {
    TermVec out = {0};
    for (int i = 0; i < a->n; i++) {
        Term m = a->terms[i];
        m.coef = int_floor_div(m.coef, g);
        if (m.coef) vec_push(s->arena, &out, m);
    }
    return size_new(s, out.data, out.len);
}

/* The term q with q*b == a, when there is one. */
static bool divide_terms(Session *s, const Term *a, const Term *b, Term *q) {
    if (!can_divide(a->coef, b->coef) || a->coef % b->coef) return false;
    *q = (Term){a->coef / b->coef, 0, NEWN(s->arena, const Atom *, a->n)};
    int j = 0;
    for (int i = 0; i < a->n; i++) {
        if (j < b->n && a->atoms[i] == b->atoms[j]) j++;
        else q->atoms[q->n++] = a->atoms[i];
    }
    return j == b->n;
}

typedef struct { const Size *quotient, *rest; } Division; /* a == quotient*b + rest */

/* Long division by the leading term of b, skipping terms that it does not divide.  By a sum it is only
 * of use where nothing remains.  False when it overflows or runs long. */
static bool divide_long(Session *s, const Size *a, const Size *b, Division *out) {
    const Size *q = size_new(s, NULL, 0), *rest = a;
    for (int i = 0, steps = 0; i < rest->n; steps++) {
        Term *m = NEW(s->arena, Term);
        if (steps > MAX_DIVISION_STEPS) return false;
        if (!divide_terms(s, &rest->terms[i], &b->terms[0], m)) {
            if (b->n > 1) return false;
            i++;
            continue;
        }
        const Size *part = mul_by_term(s, b, m);
        q = part ? add_scaled(s, q, size_new(s, m, 1), 1) : NULL;
        rest = q ? add_scaled(s, rest, part, -1) : NULL;
        if (!rest) return false;
    }
    *out = (Division){q, rest};
    return true;
}

/* Like divide_long, and by a constant the rest's own constant is in [0, c). */
static Division divide(Session *s, const Size *a, const Size *b) {
    Division d = {size_new(s, NULL, 0), a};
    int64_t c;
    if (b->n == 0 || !divide_long(s, a, b, &d)) return d;
    if (!size_is_const(b, &c) || c <= 0) return d;
    int64_t k = offset_of(d.rest);
    d.rest = size_add(s, without_offset(s, d.rest), size_const(s, int_floor_mod(k, c)));
    d.quotient = size_add(s, d.quotient, size_const(s, int_floor_div(k, c)));
    return d;
}

/* a is x//c + k or x%c + k with constant c > 0: gives the atom, c and k. */
static const Atom *split_quotient(Session *s, const Size *a, char op, int64_t *c, int64_t *k) {
    const Atom *atom = sole_atom(without_offset(s, a));
    *k = offset_of(a);
    return atom && atom->op == op && size_is_const(atom->b, c) && *c > 0 ? atom : NULL;
}

/* (x//c + k)//b is (x + c*k)//(c*b). */
static const Size *flatten_floordiv(Session *s, const Size *a, int64_t b) {
    int64_t c, k, ck, cb;
    const Atom *atom = split_quotient(s, a, '/', &c, &k);
    if (!atom || __builtin_mul_overflow(c, k, &ck) || __builtin_mul_overflow(c, b, &cb)) return NULL;
    return size_floordiv(s, size_add(s, atom->a, size_const(s, ck)), size_const(s, cb));
}

/* (x%c + k)//b where x%c, which is in [0, c), cannot change it. */
static bool range_decides(Session *s, const Size *a, int64_t b, int64_t *quotient) {
    int64_t c, k, last;
    if (!split_quotient(s, a, '%', &c, &k) || __builtin_add_overflow(k, c - 1, &last)) return false;
    *quotient = int_floor_div(k, b);
    return *quotient == int_floor_div(last, b);
}

static const Size *floordiv_by_const(Session *s, const Size *a, int64_t c) {
    int64_t g = gcd_of(a, c), k;
    if (g > 1) return size_floordiv(s, divide_coefs(s, a, g), size_const(s, c / g));
    if (range_decides(s, a, c, &k)) return size_const(s, k);
    const Size *flat = flatten_floordiv(s, a, c);
    return flat ? flat : opaque(s, '/', a, size_const(s, c));
}

/* By INT64_MIN, the one negative divisor whose sign can't be changed. */
static const Size *divide_by_least(Session *s, char op, const Size *a, const Size *b) {
    int64_t c;
    if (!size_is_const(a, &c)) return opaque(s, op, a, b);
    return size_const(s, op == '/' ? int_floor_div(c, INT64_MIN) : int_floor_mod(c, INT64_MIN));
}

static bool is_mod_by(const Size *a, const Size *b) {
    const Atom *atom = sole_atom(a);
    return atom && atom->op == '%' && atom->b == b;
}

const Size *size_floordiv(Session *s, const Size *a, const Size *b) {
    int64_t c = 0;
    bool by_const = size_is_const(b, &c);
    if (b->n == 0) return opaque(s, '/', a, b);
    if (by_const && c == INT64_MIN) return divide_by_least(s, '/', a, b);
    if (by_const && c < 0) return size_floordiv(s, negate(s, a), size_const(s, -c));
    Division d = divide(s, a, b);
    if (d.rest->n == 0 || is_mod_by(d.rest, b)) return d.quotient;
    bool whole = by_const && size_is_const(d.rest, NULL); /* in [0, c) */
    if (whole) return d.quotient;
    return size_add(s, d.quotient, by_const ? floordiv_by_const(s, d.rest, c) : opaque(s, '/', d.rest, b));
}

/* Whether coef*(x%m) and coef*x are alike modulo b. */
static bool mod_is_idle(const Term *t, const Size *b) {
    if (t->n != 1 || t->atoms[0]->op != '%') return false;
    const Size *m = t->atoms[0]->b;
    int64_t c, k, product;
    if (m == b) return true;
    return size_is_const(m, &c) && c != 0 && size_is_const(b, &k) && !__builtin_mul_overflow(t->coef, c, &product) &&
           product % k == 0;
}

/* Replaces x%m by x in a where modulo b it makes no difference. */
static const Size *drop_idle_mods(Session *s, const Size *a, const Size *b) {
    const Size *sum = size_new(s, NULL, 0);
    for (int i = 0; i < a->n; i++) {
        const Term *t = &a->terms[i];
        bool idle = mod_is_idle(t, b);
        const Size *part = idle ? size_mul(s, t->atoms[0]->a, size_const(s, t->coef)) : size_new(s, t, 1);
        sum = size_add(s, sum, part);
    }
    return sum;
}

/* With g dividing c and all of a but the constant k: g*((a//g) % (c//g)) + k%g. */
static const Size *mod_by_const(Session *s, const Size *a, int64_t c) {
    int64_t g = gcd_of(a, c), k;
    if (range_decides(s, a, c, &k)) return size_sub(s, a, size_mul(s, size_const(s, k), size_const(s, c)));
    if (g == 1) return opaque(s, '%', a, size_const(s, c));
    const Size *inner = size_mod(s, divide_coefs(s, a, g), size_const(s, c / g));
    return size_add(s, size_mul(s, size_const(s, g), inner), size_const(s, int_floor_mod(offset_of(a), g)));
}

const Size *size_mod(Session *s, const Size *a, const Size *b) {
    int64_t c = 0;
    bool by_const = size_is_const(b, &c);
    if (b->n == 0) return opaque(s, '%', a, b);
    if (by_const && c == INT64_MIN) return divide_by_least(s, '%', a, b);
    if (by_const && c < 0) return negate(s, size_mod(s, negate(s, a), size_const(s, -c)));
    if (is_mod_by(a, b)) return a;
    const Size *plain = drop_idle_mods(s, a, b);
    if (plain != a) return size_mod(s, plain, b);
    const Size *rest = divide(s, a, b).rest;
    if (rest->n == 0 || (by_const && size_is_const(rest, NULL)) || is_mod_by(rest, b)) return rest;
    return by_const ? mod_by_const(s, rest, c) : opaque(s, '%', rest, b);
}

/* ---- max and min: chains of distinct operands, sorted, none of which another one decides */

typedef VEC(const Size *) SizeVec;

/* The least that a can be where it holds c*(x // c), which lies from x - c + 1 to x, or times that; else a */
static const Size *least(Session *s, const Size *a) {
    const Size *sum = a;
    for (int i = 0; i < a->n && sum; i++) {
        const Term *t = &a->terms[i];
        int64_t c;
        if (t->n != 1 || t->atoms[0]->op != '/' || !size_is_const(t->atoms[0]->b, &c) || c < 1 || t->coef % c) continue;
        int64_t times = t->coef / c;
        sum = add_scaled(s, sum, size_of_term(s, t->coef, t->atoms, 1), -1);
        if (sum) sum = add_scaled(s, sum, t->atoms[0]->a, times);
        if (sum && times > 0) sum = add_scaled(s, sum, size_const(s, c - 1), -times);
    }
    return sum;
}

/* Whether a decides against b; false when that cannot be told. */
static bool dominates(Session *s, char op, const Size *a, const Size *b) {
    const Size *difference = op == 'M' ? add_scaled(s, a, b, -1) : add_scaled(s, b, a, -1);
    int64_t c;
    return difference && (difference = least(s, difference)) && size_is_const(difference, &c) && c >= 0;
}

static void add_operand(Session *s, SizeVec *v, char op, const Size *a) {
    for (int i = 0; i < v->len; i++)
        if (dominates(s, op, v->data[i], a)) return;
    int kept = 0;
    for (int i = 0; i < v->len; i++)
        if (!dominates(s, op, a, v->data[i])) v->data[kept++] = v->data[i];
    v->len = kept;
    vec_push(s->arena, v, a);
    for (int i = kept; i > 0; i--) order_pair(&v->data[i - 1], &v->data[i]);
}

static void collect_operands(Session *s, SizeVec *v, char op, const Size *a) {
    const Atom *atom = sole_atom(a);
    if (!atom || atom->op != op) {
        add_operand(s, v, op, a);
        return;
    }
    collect_operands(s, v, op, atom->a);
    collect_operands(s, v, op, atom->b);
}

static const Size *extremum(Session *s, char op, const Size *a, const Size *b) {
    SizeVec v = {0};
    collect_operands(s, &v, op, a);
    collect_operands(s, &v, op, b);
    const Size *chain = v.data[0];
    for (int i = 1; i < v.len; i++) chain = opaque(s, op, chain, v.data[i]);
    return chain;
}

const Size *size_max(Session *s, const Size *a, const Size *b) { return extremum(s, 'M', a, b); }
const Size *size_min(Session *s, const Size *a, const Size *b) { return extremum(s, 'm', a, b); }

/* ---- questions */

bool size_is_const(const Size *a, int64_t *out) {
    if (a->n > 1 || (a->n == 1 && a->terms[0].n > 0)) return false;
    if (out) *out = a->n ? a->terms[0].coef : 0;
    return true;
}

const char *size_as_sym(const Size *a) {
    const Atom *atom = sole_atom(a);
    return atom && atom->op == 's' ? atom->text : NULL;
}

/* The difference cannot be zero when a number divides all of it but its constant. */
int size_differs(Session *s, const Size *a, const Size *b) {
    if (a == b) return 0;
    const Size *d = size_sub(s, a, b);
    int64_t k = offset_of(d);
    if (d->n == 0) return 0;
    if (d->n == 1 && k) return 1;
    if (k == 0) return -1;
    int64_t first = d->terms[0].coef;
    if (first == INT64_MIN) return -1;
    int64_t g = gcd_of(d, first < 0 ? -first : first);
    return k % g ? 1 : -1;
}

void size_each_sym(const Size *a, void (*f)(void *ctx, const char *sym), void *ctx) {
    for (int i = 0; i < a->nsyms; i++) f(ctx, a->syms[i]);
}

void size_print(Text *t, const Size *a) { add_str(t, a->text); }

const char *size_str(Session *s, const Size *a) {
    (void)s;
    return a->text;
}

/* ---- substitution and evaluation */

static const Size *combine(Session *s, char op, const Size *a, const Size *b) {
    switch (op) {
    case '+': return size_add(s, a, b);
    case '*': return size_mul(s, a, b);
    case '/': return size_floordiv(s, a, b);
    case '%': return size_mod(s, a, b);
    case 'M': return size_max(s, a, b);
    case 'm': return size_min(s, a, b);
    }
    bug("no size operation '%c'", op);
}

static const Size *subst_atom(Session *s, const Atom *atom, SizeSubst f, void *ctx) {
    if (atom->op != 's') return combine(s, atom->op, size_subst(s, atom->a, f, ctx), size_subst(s, atom->b, f, ctx));
    const Size *to = f(ctx, atom->text);
    return to ? to : size_of_atom(s, atom);
}

const Size *size_subst(Session *s, const Size *a, SizeSubst f, void *ctx) {
    const Size *sum = size_const(s, 0);
    for (int i = 0; i < a->n; i++) {
        const Term *t = &a->terms[i];
        const Size *product = size_const(s, t->coef);
        for (int j = 0; j < t->n; j++) product = size_mul(s, product, subst_atom(s, t->atoms[j], f, ctx));
        sum = size_add(s, sum, product);
    }
    return sum;
}

static bool eval_op(char op, int64_t a, int64_t b, int64_t *out) {
    switch (op) {
    case '+': return !__builtin_add_overflow(a, b, out);
    case '*': return !__builtin_mul_overflow(a, b, out);
    case 'M': *out = a > b ? a : b; return true;
    case 'm': *out = a < b ? a : b; return true;
    }
    if (!can_divide(a, b)) return false;
    *out = op == '/' ? int_floor_div(a, b) : int_floor_mod(a, b);
    return true;
}

static bool eval_atom(const Atom *atom, SizeLookup f, void *ctx, int64_t *out) {
    int64_t a, b;
    if (atom->op == 's') return f(ctx, atom->text, out);
    return size_eval(atom->a, f, ctx, &a) && size_eval(atom->b, f, ctx, &b) && eval_op(atom->op, a, b, out);
}

bool size_eval(const Size *a, SizeLookup f, void *ctx, int64_t *out) {
    int64_t sum = 0, value;
    for (int i = 0; i < a->n; i++) {
        const Term *t = &a->terms[i];
        int64_t product = t->coef;
        for (int j = 0; j < t->n; j++)
            if (!eval_atom(t->atoms[j], f, ctx, &value) || !eval_op('*', product, value, &product)) return false;
        if (!eval_op('+', sum, product, &sum)) return false;
    }
    *out = sum;
    return true;
}

/* ---- structure */

static SizeNode node_of_atom(const Atom *atom) {
    if (atom->op == 's') return (SizeNode){.op = 's', .sym = atom->text};
    return (SizeNode){.op = atom->op, .a = atom->a, .b = atom->b};
}

/* The coefficient, if any, times the rest; then the first atom times the rest. */
static SizeNode node_of_term(Session *s, const Term *t) {
    if (t->coef == 1 && t->n == 1) return node_of_atom(t->atoms[0]);
    if (t->coef != 1)
        return (SizeNode){.op = '*', .a = size_const(s, t->coef), .b = size_of_term(s, 1, t->atoms, t->n)};
    return (SizeNode){.op = '*', .a = size_of_atom(s, t->atoms[0]), .b = size_of_term(s, 1, t->atoms + 1, t->n - 1)};
}

SizeNode size_node(Session *s, const Size *a) {
    SizeNode node = {.op = 'c'};
    if (size_is_const(a, &node.c)) return node;
    if (a->n == 1) return node_of_term(s, &a->terms[0]);
    return (SizeNode){.op = '+', .a = size_new(s, a->terms, a->n - 1), .b = size_new(s, &a->terms[a->n - 1], 1)};
}

static bool is_natural(Session *s, const Size *a, int depth) {
    enum { MAX_DEPTH = 16 };
    SizeNode n = size_node(s, a);
    int64_t c;
    if (depth > MAX_DEPTH) return false;
    switch (n.op) {
    case 'c': return n.c >= 0;
    case 's': return true;
    case 'M': return is_natural(s, n.a, depth + 1) || is_natural(s, n.b, depth + 1);
    case '%': return size_is_const(n.b, &c) && c > 0;
    case '/': return size_is_const(n.b, &c) && c > 0 && is_natural(s, n.a, depth + 1);
    default: return is_natural(s, n.a, depth + 1) && is_natural(s, n.b, depth + 1);
    }
}

bool size_is_natural(Session *s, const Size *a) { return is_natural(s, a, 0); }
