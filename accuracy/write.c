/* Terms as source.  What stood in the program stands as it did; the rest is written so that it is computed in the order
 * that the term says. */
#include "accuracy/accuracy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct { const Formula *f; DType as; bool *hidden; } Writer; /* hidden: a name means something else here */

static Source write(const Writer *w, int term);
static Terms *terms_of(const Writer *w) { return w->f->terms; }

static const char *at_least(const Writer *w, int term, int level) {
    Source s = write(w, term);
    return s.level >= level ? s.text : arena_printf(w->f->arena, "(%s)", s.text);
}

/* 1e-9 for 1e-09, 2e8 for 2e+08 */
static void plain_exponent(char *text) {
    char *e = strchr(text, 'e'), *to = e + 1, *from;
    if (!e) return;
    if (*to == '-') to++;
    for (from = e + 2; *from == '0' && from[1]; from++) {}
    memmove(to, from, strlen(from) + 1);
}

/* The fewest digits that read back as the same number; whole ones below a million have no exponent. */
static const char *number_text(Arena *a, DType t, double v, bool point) {
    char text[64];
    bool whole = v == floor(v) && fabs(v) < 1e6;
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, v);
        double back = strtod(text, NULL);
        if (t == DT_F64 ? back == v : (float)back == (float)v) break;
    }
    if (whole) snprintf(text, sizeof text, "%.0f", v);
    plain_exponent(text);
    return arena_printf(a, whole && point ? "%s.0" : "%s", text);
}

static Source write_number(const Writer *w, double v, bool point) {
    return (Source){number_text(w->f->arena, w->as, v, point), v < 0 ? LEVEL_NEG : LEVEL_ATOM};
}

/* Beside what has a type a number needs no point. */
static const char *beside(const Writer *w, int term, int other, int level) {
    const Term *x = term_at(terms_of(w), term);
    bool own = w->as == w->f->dtype && term < w->f->nsource && w->f->source[term].text;
    if (x->op != OP_CONST || own) return at_least(w, term, level);
    Source s = write_number(w, x->number, term_at(terms_of(w), other)->op == OP_CONST);
    return s.level >= level ? s.text : arena_printf(w->f->arena, "(%s)", s.text);
}

static Source infix(const Writer *w, const Term *x, const char *sign, int level) {
    const char *a = beside(w, x->kid[0], x->kid[1], level), *b = beside(w, x->kid[1], x->kid[0], level + 1);
    return (Source){arena_printf(w->f->arena, "%s %s %s", a, sign, b), level};
}

/* x*x is x^2, and computed so. */
static Source write_product(const Writer *w, const Term *x) {
    int a = x->kid[0], b = x->kid[1];
    const Term *left = term_at(terms_of(w), a);
    bool cube = left->op == OP_MUL && left->kid[0] == b && left->kid[1] == b;
    if (a != b && !cube) return infix(w, x, "*", LEVEL_PRODUCT);
    return (Source){arena_printf(w->f->arena, "%s^%d", at_least(w, b, LEVEL_ATOM), cube ? 3 : 2), LEVEL_POWER};
}

static Source write_sum(const Writer *w, const Term *x) {
    const Term *right = term_at(terms_of(w), x->kid[1]);
    if (right->op != OP_CONST || !(right->number < 0)) return infix(w, x, "+", LEVEL_SUM);
    const char *a = at_least(w, x->kid[0], LEVEL_SUM), *b = number_text(w->f->arena, w->as, -right->number, false);
    return (Source){arena_printf(w->f->arena, "%s - %s", a, b), LEVEL_SUM};
}

/* The program has a function of that name. */
static bool is_hidden(const Formula *f, const char *name) {
    for (int i = 0; i < f->functions->len; i++)
        if (!strcmp(f->functions->keys[i], name)) return true;
    return false;
}

static Source write_call(const Writer *w, const Term *x) {
    const char *args[3] = {"", "", ""};
    for (int i = 0; i < x->nkids; i++) args[i] = at_least(w, x->kid[i], LEVEL_ANY);
    const char *name = op_info(x->op)->mnemonic;
    *w->hidden |= is_hidden(w->f, name);
    return (Source){arena_printf(w->f->arena, "%s(%s%s%s%s%s)", name, args[0], x->nkids > 1 ? ", " : "", args[1],
                                 x->nkids > 2 ? ", " : "", args[2]),
                    LEVEL_ATOM};
}

static Source write_reduction(const Writer *w, const Term *x) {
    const char *name = reduction_name((Combine)x->leaf), *gens = w->f->gens[(int)x->number];
    *w->hidden |= is_hidden(w->f, name);
    const char *text = arena_printf(w->f->arena, "%s(%s%s)", name, at_least(w, x->kid[0], LEVEL_ANY), gens);
    return (Source){text, LEVEL_ATOM};
}

static Source write_operation(const Writer *w, const Term *x) {
    if (x->op == OP_REDUCE) return write_reduction(w, x);
    switch (x->op) {
    case OP_ADD: return write_sum(w, x);
    case OP_SUB: return infix(w, x, "-", LEVEL_SUM);
    case OP_MUL: return write_product(w, x);
    case OP_DIV: return infix(w, x, "/", LEVEL_PRODUCT);
    case OP_NEG: return (Source){arena_printf(w->f->arena, "-%s", at_least(w, x->kid[0], LEVEL_NEG)), LEVEL_NEG};
    case OP_POW:
        return (Source){arena_printf(w->f->arena, "%s^%s", at_least(w, x->kid[0], LEVEL_ATOM),
                                     at_least(w, x->kid[1], LEVEL_POWER)),
                        LEVEL_POWER};
    default: return write_call(w, x);
    }
}

/* A leaf in the other type.  What was converted before is converted once: f32(j), not f32(f64(j)). */
static Source write_converted(const Writer *w, Source leaf) {
    const char *name = dtype_info(w->as)->name, *from = dtype_info(w->f->dtype)->name, *text = leaf.text;
    size_t n = strlen(from), len = strlen(text);
    bool twice = w->as == DT_F32 && leaf.level == LEVEL_ATOM && len > n && !strncmp(text, from, n);
    twice = twice && text[n] == '(' && text[len - 1] == ')';
    return (Source){arena_printf(w->f->arena, twice ? "%s%s" : "%s(%s)", name, twice ? text + n : text), LEVEL_ATOM};
}

static Source write(const Writer *w, int term) {
    const Term *x = term_at(terms_of(w), term);
    bool same = w->as == w->f->dtype, own = term < w->f->nsource && w->f->source[term].text;
    if (own && same) return w->f->source[term];
    if (x->op == OP_CONST) return write_number(w, x->number, true);
    if (x->op != OP_COUNT) return write_operation(w, x);
    return write_converted(w, w->f->source[term]);
}

/* What is called stays called as often: once more may take long. */
static int occurrences(const Terms *t, int root, int leaf) {
    const Term *x = term_at(t, root);
    int n = x->op == OP_COUNT && x->leaf == leaf;
    for (int i = 0; i < x->nkids; i++) n += occurrences(t, x->kid[i], leaf);
    return n;
}

static bool repeats_calls(const Formula *f, int term) {
    for (int i = 0; i < f->nleaves; i++)
        if (f->leaf[i].costly && occurrences(f->terms, term, i) > occurrences(f->terms, f->root, i)) return true;
    return false;
}

/* A number alone has the type that is written. */
static Source whole(const Writer *w, int term) {
    const char *name = dtype_info(w->f->dtype)->name;
    bool number = term_is(terms_of(w), term, OP_CONST);
    Source s = number ? write_number(w, term_at(terms_of(w), term)->number, true) : write(w, term);
    if (w->as == w->f->dtype && !(number && w->f->dtype != DT_F64)) return s;
    return (Source){arena_printf(w->f->arena, "%s(%s)", name, s.text), LEVEL_ATOM};
}

static Source write_split(const Writer *w, const Way *way) {
    Arena *a = w->f->arena;
    Source first = whole(w, way->term), second = whole(w, way->other);
    const char *leaf = at_least(w, term_leaf(terms_of(w), way->split), LEVEL_SUM);
    const char *at = number_text(a, w->as, way->at, false);
    if (w->f->leaf[way->split].array) {
        *w->hidden |= is_hidden(w->f, "where");
        return (Source){arena_printf(a, "where(%s < %s, %s, %s)", leaf, at, first.text, second.text), LEVEL_ATOM};
    }
    return (Source){arena_printf(a, "if %s < %s { %s } else { %s }", leaf, at, first.text, second.text), LEVEL_ANY};
}

enum { LONGEST = 400 };

const char *write_way(const Formula *f, const Way *way) {
    bool hidden = false;
    const Writer w = {f, way->as, &hidden};
    bool split = way->split >= 0;
    if (repeats_calls(f, way->term)) return NULL;
    if (split && (repeats_calls(f, way->other) || f->leaf[way->split].costly)) return NULL;
    Source s = split ? write_split(&w, way) : whole(&w, way->term);
    if (hidden || strlen(s.text) > LONGEST) return NULL;
    return s.level >= f->level ? s.text : arena_printf(f->arena, "(%s)", s.text);
}
