/* What is told of a profile: a warning where digits are lost, with what to write; a note where operands that were
 * rounded before leave little of a result; and a table. */
#include "accuracy/accuracy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TELL = 6; /* bits of error that are told where there is no better way */

static int digits(DType t, double bits) {
    double left = ((t == DT_F64 ? 53 : 24) - bits) * 0.30103;
    return left < 0 ? 0 : (int)(left + 0.5);
}

static const char *what_happens(const Profile *p, const Formula *f) {
    const Loss *l = &f->loss;
    if (l->overflows) return "a value on the way is too large for the type";
    if (l->near > 0) return intern_printf(p->session, "values near %.2g cancel", l->near);
    if (l->op == OP_ADD || l->op == OP_SUB) return "the lesser operand is rounded off";
    if (l->op == OP_CONST || l->op >= OP_COUNT) return "digits are lost";
    return intern_printf(p->session, "'%s' enlarges what its operand was rounded by", op_info(l->op)->mnemonic);
}

static Span plain(Span at) { return (Span){at.file, at.lo, at.hi, 0}; }

/* All operations go: what they round off may be what is asked for, as in a compensated sum. */
static bool drops_all(const Formula *f) { return f->ways.data[f->chosen].bare; }

/* A comment would go. */
static bool is_sure(const Profile *p, const Formula *f) {
    const char *text = source_text(p->session, f->span.file, NULL);
    return !drops_all(f) && !memchr(text + f->span.lo, '#', (size_t)(f->span.hi - f->span.lo));
}

static void put_fix(const Profile *p, Diag *d, const Formula *f) {
    bool sure = is_sure(p, f);
    if (!sure && !drops_all(f))
        diag_hint(p->session, d, "--fix leaves it: a comment stands in the formula, which would be gone");
    diag_fix(p->session, d, sure, plain(f->span), "%s", f->ways.data[f->chosen].text);
}

static void hint_way(const Profile *p, Diag *d, const Formula *f) {
    const Way *old = &f->ways.data[0], *new = &f->ways.data[f->chosen];
    diag_hint(p->session, d, "write %s", new->text);
    diag_hint(p->session, d,
              "bits of error: %.1f instead of %.1f, at most %.1f instead of %.1f; cost: %d instead of %d", new->bits,
              old->bits, new->worst, old->worst, new->cost, old->cost);
    if (drops_all(f)) diag_hint(p->session, d, "unless what is rounded off here is what you want: --fix leaves it");
    put_fix(p, d, f);
}

static void report_loss(const Profile *p, const Formula *f) {
    int all = digits(f->dtype, 0), left = digits(f->dtype, f->ways.data[0].bits);
    Diag *d = diag_report(p->session, plain(f->loss.at), W_DIGITS_LOST, left, all, what_happens(p, f));
    if (f->chosen) hint_way(p, d, f);
    else if (f->loss.rounded > f->ways.data[0].bits - 1)
        diag_hint(p->session, d, "the operands were rounded before, and no other form brings back what is lost");
    else if (f->ways.len > 1) diag_hint(p->session, d, "the forms that lose less cost too much");
    else diag_hint(p->session, d, "no identity that is known here loses less");
}

static void report_cheaper(const Profile *p, const Formula *f) {
    const Way *old = &f->ways.data[0], *new = &f->ways.data[f->chosen];
    Diag *d = diag_report(p->session, plain(f->span), W_CHEAPER_WAY, new->off);
    diag_hint(p->session, d, "write %s", new->text);
    diag_hint(p->session, d, "cost: %d instead of %d; bits of error: %.1f instead of %.1f", new->cost, old->cost,
              new->bits, old->bits);
    put_fix(p, d, f);
}

/* Half the digits are gone, and not by this formula: sums are subtracted. */
static bool starts_rounded(const Formula *f) {
    int sums = 0;
    for (int i = 0; i < f->nleaves; i++) sums += f->leaf[i].sum;
    return sums > 1 && f->loss.rounded > (f->dtype == DT_F64 ? 26 : 12);
}

static void report_rounded(const Profile *p, const Formula *f) {
    Diag *d = diag_report(p->session, plain(f->span), W_DIGITS_BEFORE, digits(f->dtype, f->loss.rounded),
                          digits(f->dtype, 0));
    const char *what = f->squared ? "variance(x), or mean((x - mean(x))^2)"
                                  : "mean((x - mean(x)) * (y - mean(y))), or cov(x, y)";
    diag_hint(p->session, d, "subtract the mean before it is summed: %s%s", what,
              f->dtype == DT_F32 ? "; or compute the operands in f64" : "");
}

static void report_formula(const Profile *p, const Formula *f) {
    const Way *usual = &f->ways.data[0], *way = &f->ways.data[f->chosen];
    if (f->later) return;
    if (f->chosen && way->bits > usual->bits - 1) report_cheaper(p, f);
    else if (f->chosen) report_loss(p, f);
    else if (f->distance) return;
    else if (starts_rounded(f)) report_rounded(p, f);
    else if (usual->bits >= TELL) report_loss(p, f);
}

/* Two or three digits of a sum are gone that only rounds. */
static bool loses_sum(const LoopSum *s) { return s->longest > 1 && s->bits >= (s->dtype == DT_F64 ? 10 : 6); }

static void report_loop_sum(const Profile *p, const LoopSum *s) {
    if (!loses_sum(s)) return;
    Diag *d = diag_report(p->session, plain(s->at), W_LOOP_SUM, digits(s->dtype, s->bits), digits(s->dtype, 0),
                          (long long)s->longest);
    if (s->fixed) diag_hint(p->session, d, "each turn adds the same: compute it of the turn, start + (i + 1) * step");
    else if (s->dtype == DT_F32) diag_hint(p->session, d, "add in f64; or write sum(.. for ..), which adds in a tree");
    else diag_hint(p->session, d, "write sum(.. for ..), which adds in a tree; or add what is lost, too (Kahan)");
}

static int by_place_of_sum(const void *a, const void *b) {
    const LoopSum *x = *(void *const *)a, *y = *(void *const *)b;
    if (x->at.lo != y->at.lo) return x->at.lo - y->at.lo;
    return (x->bits < y->bits) - (x->bits > y->bits);
}

static void report_loop_sums(const Profile *p) {
    int n = p->loop_sums.len;
    void **all = NEWN(p->arena, void *, n + 1);
    if (n) memcpy(all, p->loop_sums.vals, sizeof *all * (size_t)n);
    if (n) qsort(all, (size_t)n, sizeof *all, by_place_of_sum);
    for (int i = 0; i < n; i++) /* of a kernel that is launched twice, and the like, the worst */
        if (!i || ((LoopSum *)all[i])->at.lo != ((LoopSum *)all[i - 1])->at.lo) report_loop_sum(p, all[i]);
}

/* ---- the table */

static int by_place(const void *a, const void *b) {
    const Formula *x = *(Formula *const *)a, *y = *(Formula *const *)b;
    return x->span.lo != y->span.lo ? x->span.lo - y->span.lo : x->span.hi - y->span.hi;
}

static void put_row(const Profile *p, const Formula *f, FILE *out) {
    const Way *old = &f->ways.data[0], *new = &f->ways.data[f->chosen];
    int line = source_place(p->session, f->span.file, f->span.lo).line;
    fprintf(out, "%6d  %-4s %11lld  %6.1f -> %4.1f  %6d -> %4d  %s\n", line, dtype_info(f->dtype)->name,
            (long long)f->times, old->bits, new->bits, old->cost, new->cost, f->chosen ? new->text : "-");
}

static bool has_row(const Formula *f) {
    return f->chosen || (!f->later && f->ways.data[0].bits >= TELL && !f->distance);
}

void report_profile(Profile *p, FILE *out) {
    int changed = 0, rows = 0;
    if (p->formulas.len) qsort(p->formulas.data, (size_t)p->formulas.len, sizeof *p->formulas.data, by_place);
    for (int i = 0; i < p->formulas.len; i++) {
        const Formula *f = p->formulas.data[i];
        report_formula(p, f);
        changed += f->chosen != 0;
        rows += has_row(f);
    }
    report_loop_sums(p);
    if (rows)
        fprintf(out, "%6s  %-4s %11s  %14s  %14s  %s\n", "line", "type", "values", "bits of error", "cost", "instead");
    for (int i = 0; i < p->formulas.len; i++)
        if (has_row(p->formulas.data[i])) put_row(p, p->formulas.data[i], out);
    fprintf(out, "%d formulas were computed, of %d another form is better\n", p->formulas.len, changed);
}
