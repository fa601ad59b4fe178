/* Whether two texts say the same, when numbers may differ a little.
 *
 * A number is digits that are not part of a word.  Numbers without a point count something and are compared exactly.
 * Blanks beside a number do not count: columns of arrays are as wide as their numbers. */
#include "notebook/outputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum { PART_END, PART_CHAR, PART_BLANK, PART_NUMBER } PartKind;
typedef struct { PartKind kind; const char *p; int n; bool is_float; } Part;
typedef struct { const char *text, *p; bool after_number; } Scan;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool in_word(char c) { return c == '_' || is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'z'); }
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }
static int digits(const char *p) { return (int)strspn(p, "0123456789"); }

/* The length of the number at p, or 0 */
static int number_length(const char *text, const char *p, bool *is_float) {
    const char *q = p + (*p == '-' || *p == '+');
    if (p > text && in_word(p[-1])) return 0;
    *is_float = true;
    if (!strncmp(q, "nan", 3) || !strncmp(q, "inf", 3)) return in_word(q[3]) ? 0 : (int)(q + 3 - p);
    if (!is_digit(*q)) return 0;
    const char *whole = q += digits(q);
    if (*q == '.') q += 1 + digits(q + 1);
    if (*q == 'e') {
        int sign = q[1] == '-' || q[1] == '+';
        if (is_digit(q[1 + sign])) q += 1 + sign + digits(q + 1 + sign);
    }
    *is_float = q > whole;
    return in_word(*q) ? 0 : (int)(q - p);
}

static Part part_at(const char *text, const char *p) {
    Part x = {.p = p};
    if (!*p) return x;
    if (is_blank(*p)) return x.kind = PART_BLANK, x.n = (int)strspn(p, " \t\n"), x;
    x.n = number_length(text, p, &x.is_float);
    x.kind = x.n ? PART_NUMBER : PART_CHAR;
    if (!x.n) x.n = 1;
    return x;
}

static Part next_part(Scan *s) {
    Part x = part_at(s->text, s->p);
    if (x.kind == PART_BLANK) {
        Part next = part_at(s->text, s->p + x.n);
        if (s->after_number || next.kind == PART_NUMBER) x = next;
    }
    s->p = x.p + x.n;
    s->after_number = x.kind == PART_NUMBER;
    return x;
}

static double value_of(Part x) {
    char text[64];
    snprintf(text, sizeof text, "%.*s", x.n, x.p);
    return strtod(text, NULL);
}

static double number_distance(Part x, Part y, double absolute) {
    if (!x.is_float || !y.is_float) return INFINITY;
    double a = value_of(x), b = value_of(y), most = fmax(fabs(a), fabs(b));
    if ((isnan(a) && isnan(b)) || a == b || fabs(a - b) <= absolute) return 0;
    return isnan(a) || isnan(b) || isinf(most) ? INFINITY : fabs(a - b) / most;
}

double texts_distance(const char *a, const char *b, double absolute) {
    Scan s = {a, a, false}, t = {b, b, false};
    if (!strcmp(a, b)) return 0;
    for (double most = 0;;) {
        Part x = next_part(&s), y = next_part(&t);
        if (x.kind != y.kind) return INFINITY;
        if (x.kind == PART_END) return most;
        if (x.n == y.n && !memcmp(x.p, y.p, (size_t)x.n)) continue;
        if (x.kind != PART_NUMBER) return INFINITY;
        most = fmax(most, number_distance(x, y, absolute));
        if (isinf(most)) return most;
    }
}

double outputs_distance(const NotebookCell *c, const NotebookCell *kept) {
    double most = 0;
    if (c->outputs.len != kept->outputs.len) return INFINITY;
    for (int i = 0; i < c->outputs.len; i++) {
        const Output *x = &c->outputs.data[i], *y = &kept->outputs.data[i];
        bool figure = x->kind == OUT_FIGURE;
        if (x->kind != y->kind || (figure && strcmp(x->figure.name, y->figure.name))) return INFINITY;
        most = fmax(most,
                    texts_distance(figure ? x->figure.data : x->text, figure ? y->figure.data : y->text, c->absolute));
    }
    return most;
}
