/* Which operation of a formula loses most: the one whose bits of error are the most above those of its operands
 * (Panchekha et al., section 4.3, local error).  And what is lost of leaves that were rounded before: their last bit,
 * as large as it is in the result. */
#include "accuracy/accuracy.h"

#include <math.h>
#include <string.h>

enum { MOST_PARTS = 64 };

/* Bits of error on a sample; 0 where nobody knows */
static double bits_of(Terms *t, int term, int sample) {
    Real exact = term_reals(t, term)[sample];
    if (!real_is_known(t->dtype, exact)) return 0;
    return bits_between(t->dtype, term_values(t, term, t->dtype)[sample], real_round(t->dtype, exact.v));
}

static double lost_at(Formula *f, int term, int sample) {
    double least = 0;
    for (int i = 0; i < term_at(f->terms, term)->nkids; i++)
        least = fmax(least, bits_of(f->terms, term_at(f->terms, term)->kid[i], sample));
    return fmax(0, bits_of(f->terms, term, sample) - least);
}

/* What cancels is near: the geometric mean of the greater operand, of the samples where bits are lost; 0: none */
static double size_of(Formula *f, int term) {
    const Term x = *term_at(f->terms, term);
    const double *a = term_values(f->terms, x.kid[0], f->dtype), *b = term_values(f->terms, x.kid[1], f->dtype);
    double sum = 0;
    int n = 0;
    for (int s = 0; s < f->terms->nsamples; s++) {
        double most = fmax(fabs(a[s]), fabs(b[s]));
        if (lost_at(f, term, s) < 4 || !isfinite(most) || most == 0) continue;
        sum += log(most);
        n++;
    }
    return n ? exp(sum / n) : 0;
}

static double loss_of(Formula *f, int term) {
    double sum = 0;
    for (int s = 0; s < f->terms->nsamples; s++)
        if (f->truth.known[s]) sum += lost_at(f, term, s);
    return sum;
}

/* On most samples where it loses, an operand is too large. */
static bool overflows(Formula *f, int term) {
    int lost = 0, infinite = 0;
    for (int s = 0; s < f->terms->nsamples; s++) {
        bool any = false;
        if (lost_at(f, term, s) < 4) continue;
        for (int i = 0; i < term_at(f->terms, term)->nkids; i++)
            any |= isinf(term_values(f->terms, term_at(f->terms, term)->kid[i], f->dtype)[s]);
        lost++;
        infinite += any;
    }
    return 2 * infinite > lost;
}

/* ---- operands that were rounded before */

static Real exactly(const Formula *f, int term, int s, int moved, Wide by) {
    const Term *x = term_at(f->terms, term);
    Real kid[3];
    if (x->op == OP_CONST) return (Real){(Wide)x->number, 0};
    if (x->op == OP_COUNT) return (Real){(Wide)f->terms->leaf[x->leaf][s] * (x->leaf == moved ? by : 1), 0};
    for (int i = 0; i < x->nkids; i++) kid[i] = exactly(f, x->kid[i], s, moved, by);
    return real_apply(x->op, kid);
}

/* Bits that the last one of rounded leaves takes of the result */
static double rounded_at(const Formula *f, int s) {
    Real at = exactly(f, f->root, s, -1, 1);
    Wide all = 0, unit = (Wide)(f->dtype == DT_F64 ? 0x1p-53 : 0x1p-24);
    if (!(at.e <= (at.v < 0 ? -at.v : at.v) * (Wide)0x1p-20)) return 0; /* a few digits do */
    for (int i = 0; i < f->nleaves; i++) {
        if (!f->leaf[i].computed) continue;
        Wide moved = exactly(f, f->root, s, i, 1 + unit).v - at.v;
        all += moved < 0 ? -moved : moved;
    }
    return real_lost(f->dtype, (Real){at.v, all});
}

static double rounded_bits(const Formula *f) {
    double sum = 0;
    bool any = false;
    for (int i = 0; i < f->nleaves; i++) any |= f->leaf[i].computed;
    for (int s = 0; s < f->terms->nsamples && any; s++) sum += rounded_at(f, s);
    return any ? sum / f->terms->nsamples : 0;
}

static bool has_sum(const Formula *f, int term) {
    const Term *x = term_at(f->terms, term);
    bool any = x->op == OP_COUNT && f->leaf[x->leaf].sum;
    for (int i = 0; i < x->nkids; i++) any |= has_sum(f, x->kid[i]);
    return any;
}

static bool squares_sum(const Formula *f, const int *parts, int n) {
    for (int i = 0; i < n; i++) {
        const Term *x = term_at(f->terms, parts[i]);
        if (x->op == OP_MUL && x->kid[0] == x->kid[1] && has_sum(f, x->kid[0])) return true;
    }
    return false;
}

void find_loss(Formula *f) {
    int parts[MOST_PARTS], n = term_subterms(f->terms, f->root, parts, MOST_PARTS), worst = f->root;
    double most = 0;
    for (int i = 0; i < n; i++) {
        double lost = loss_of(f, parts[i]);
        if (lost > most) most = lost, worst = parts[i];
    }
    f->squared = squares_sum(f, parts, n);
    const Term x = *term_at(f->terms, worst);
    Span at = worst < f->nsource ? f->place[worst] : f->span;
    bool sum = x.op == OP_ADD || x.op == OP_SUB;
    bool within = at.file == f->span.file && at.lo >= f->span.lo && at.hi <= f->span.hi;
    f->loss = (Loss){within ? at : f->span, x.op, overflows(f, worst), sum ? size_of(f, worst) : 0,
                     rounded_bits(f)};
}
