/* Printing: one statement's items are gathered and written in one piece.
 *
 * Floats: the shortest decimal that reads back equal; exponents as Python writes them.  Arrays look as
 * NumPy prints them: columns of one width, at most 8 digits after the point, lines of 75 characters,
 * only the first and last 3 of each axis when there are more than 1000 elements. */
#include "runtime/host.h"

#include <math.h>
#include <pthread.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the text of the statement under way */

typedef struct { char *data; size_t len, cap; bool full; } Out; /* full: there was no memory for the rest */
static _Thread_local Out line;
static Out held; /* finished lines that are not to be seen yet */
static bool holding;

static void out_add(Out *o, const char *s, size_t n) {
    if (o->full) return;
    if (o->len + n + 1 > o->cap) {
        size_t cap = (o->len + n + 1) * 2;
        char *grown = realloc(o->data, cap);
        o->full = !grown;
        if (!grown) return;
        o->data = grown;
        o->cap = cap;
    }
    memcpy(o->data + o->len, s, n);
    o->data[o->len += n] = 0;
}

static void out_str(Out *o, const char *s) { out_add(o, s, strlen(s)); }

static void out_fill(Out *o, char c, int n) {
    for (int i = 0; i < n; i++) out_add(o, &c, 1);
}

/* ---- shortest decimal digits */

typedef enum { F64, F32, F16, BF16 } Kind;
enum { MAX_DIGITS = 20 };
/* 0.d1d2d3... * 10^point, no trailing zeros; of a finite nonzero magnitude */
typedef struct { char digit[MAX_DIGITS]; int n, point; } Decimal;

static bool same_value(Kind kind, double x, const char *text) {
    switch (kind) {
    case F64: return strtod(text, NULL) == x;
    case F32: return strtof(text, NULL) == (float)x;
    case F16: return dsl_f32_to_f16(strtof(text, NULL)) == dsl_f32_to_f16((float)x);
    default: return dsl_f32_to_bf16(strtof(text, NULL)) == dsl_f32_to_bf16((float)x);
    }
}

static void split_digits(const char *text, Decimal *d) {
    d->n = 0;
    const char *p = text;
    for (; *p && *p != 'e'; p++)
        if (*p >= '0' && *p <= '9') d->digit[d->n++] = *p;
    d->point = (int)strtol(p + 1, NULL, 10) + 1;
    while (d->n > 1 && d->digit[d->n - 1] == '0') d->n--;
}

/* Of normal numbers any decimal of at most `sure` digits survives, so printing that many and dropping
 * zeros gives the shortest text, if it reads back. */
static Decimal shortest(Kind kind, double x) {
    static const struct { int sure, most; double least_normal; } about[] = {
        [F64] = {15, 17, 0x1p-1022}, [F32] = {6, 9, 0x1p-126}, [F16] = {3, 5, 0x1p-14}, [BF16] = {2, 4, 0x1p-126}};
    Decimal d;
    char text[40];
    int digits = x < about[kind].least_normal ? 1 : about[kind].sure;
    for (;; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, x);
        if (digits >= about[kind].most || same_value(kind, x, text)) break;
    }
    split_digits(text, &d);
    return d;
}

static int put_positional(char *buf, const Decimal *d) {
    int n = 0, i = 0;
    if (d->point <= 0) buf[n++] = '0';
    for (; i < d->point; i++) buf[n++] = i < d->n ? d->digit[i] : '0';
    buf[n++] = '.';
    for (int k = d->point; k < 0; k++) buf[n++] = '0';
    if (i >= d->n) buf[n++] = '0';
    for (; i < d->n; i++) buf[n++] = d->digit[i];
    buf[n] = 0;
    return n;
}

static int put_scientific(char *buf, const Decimal *d) {
    int n = 0;
    buf[n++] = d->digit[0];
    if (d->n > 1) buf[n++] = '.';
    for (int i = 1; i < d->n; i++) buf[n++] = d->digit[i];
    return n + sprintf(buf + n, "e%+03d", d->point - 1);
}

static int put_special(char *buf, double x) {
    return sprintf(buf, "%s", isnan(x) ? "nan" : x < 0 ? "-inf" : "inf");
}

static int format_float(char *buf, Kind kind, double x) {
    if (!isfinite(x)) return put_special(buf, x);
    int n = 0;
    if (signbit(x)) buf[n++] = '-';
    if (x == 0) return n + sprintf(buf + n, "0.0");
    Decimal d = shortest(kind, fabs(x));
    bool plain = d.point > -4 && d.point <= 16;
    return n + (plain ? put_positional : put_scientific)(buf + n, &d);
}

int dsl_format_f64(char *buf, double x) { return format_float(buf, F64, x); }
int dsl_format_f32(char *buf, float x) { return format_float(buf, F32, x); }

/* ---- values written as was asked for */

enum { SPELLED = 512 }; /* room for 309 digits before the point, 99 behind it, and what is around them */

static _Thread_local dsl_format as; /* for the next item */

void dsl_print_as(dsl_format format) { as = format; }

static bool is_plain(const dsl_format *f) { return !f->align && !f->sign && !f->zero && !f->type && !f->width; }

static int spell_float(char *buf, const dsl_format *f, Kind kind, double x) {
    int n = 0;
    if (f->sign && (!signbit(x) || isnan(x))) buf[n++] = '+';
    if (!isfinite(x)) return n + put_special(buf + n, x);
    switch (f->type) {
    case 'f': return n + sprintf(buf + n, "%.*f", f->digits, x);
    case 'e': return n + sprintf(buf + n, "%.*e", f->digits, x);
    case 'g': return n + sprintf(buf + n, "%.*g", f->digits, x);
    default: return n + format_float(buf + n, kind, x);
    }
}

static int spell_int(char *buf, const dsl_format *f, bool negative, unsigned long long magnitude) {
    if (f->type && strchr("feg", f->type))
        return spell_float(buf, f, F64, negative ? -(double)magnitude : (double)magnitude);
    const char *sign = negative ? "-" : f->sign ? "+" : "";
    return sprintf(buf, f->type == 'x' ? "%s%llx" : "%s%llu", sign, magnitude);
}

static int spell_i64(char *buf, const dsl_format *f, long long x) {
    return spell_int(buf, f, x < 0, x < 0 ? 0 - (unsigned long long)x : (unsigned long long)x);
}

int dsl_count_characters(const char *s, size_t n) {
    int count = 0;
    for (size_t i = 0; i < n; i++) count += ((unsigned char)s[i] & 0xc0) != 0x80;
    return count;
}

/* Fills up to the width: zeros go between a sign and the digits, and not before nan and inf. */
static void put_padded(Out *o, const dsl_format *f, const char *s, size_t n, int width, char usual) {
    int room = width - dsl_count_characters(s, n);
    char align = f->align ? f->align : usual;
    bool sign = n && (*s == '-' || *s == '+');
    if (f->zero && s[sign] >= '0' && s[sign] <= 'f') {
        out_add(o, s, sign);
        out_fill(o, '0', room);
        s += sign, n -= sign, room = 0;
    }
    int before = align == '<' || room < 0 ? 0 : align == '^' ? room / 2 : room;
    out_fill(o, ' ', before);
    out_add(o, s, n);
    out_fill(o, ' ', room - before);
}

/* ---- arrays: elements */

enum { EDGE = 3, ABBREVIATE = 1000, LINE = 75, PRECISION = 8, ELEMENT = 64 };

static double load_float(const dsl_array *a, int64_t i) {
    switch (a->dtype) {
    case DSL_F64: return ((const double *)a->data)[i];
    case DSL_F32: return ((const float *)a->data)[i];
    case DSL_F16: return dsl_f16_to_f32(((const dsl_f16 *)a->data)[i]);
    default: return dsl_bf16_to_f32(((const dsl_bf16 *)a->data)[i]);
    }
}

static long long load_int(const dsl_array *a, int64_t i) {
    switch (a->dtype) {
    case DSL_I8: return ((const int8_t *)a->data)[i];
    case DSL_I16: return ((const int16_t *)a->data)[i];
    case DSL_I32: return ((const int32_t *)a->data)[i];
    case DSL_U8: return ((const uint8_t *)a->data)[i];
    case DSL_U16: return ((const uint16_t *)a->data)[i];
    case DSL_U32: return ((const uint32_t *)a->data)[i];
    default: return ((const int64_t *)a->data)[i];
    }
}

/* How the elements of one array are written. */
typedef struct Format {
    const dsl_array *a;
    const struct Format *imag; /* of complex numbers: how the other part is written */
    dsl_format as;   /* unless it is plain, elements are spelled so */
    bool is_float, exponent, abbreviated;
    Kind kind;
    int left, right; /* characters before and after the point */
    int width;       /* whole element, when not a float */
    bool seen;
    double least, most; /* nonzero finite magnitudes */
} Format;

/* Mantissa or number with at most PRECISION digits after the point, "12." for whole numbers. */
static void digits_after_point(const Format *f, double x, char *buf) {
    Decimal d;
    int n = 0;
    if (signbit(x)) buf[n++] = '-';
    if (x == 0) {
        d = (Decimal){{'0'}, 1, 1};
    } else {
        d = shortest(f->kind, fabs(x));
        char cut[40];
        if (f->exponent && d.n > PRECISION + 1) {
            snprintf(cut, sizeof cut, "%.*e", PRECISION, fabs(x));
            split_digits(cut, &d);
        } else if (!f->exponent && d.n - d.point > PRECISION) {
            snprintf(buf + n, ELEMENT - (size_t)n, "%.*f", PRECISION, fabs(x));
            goto trim;
        }
    }
    if (f->exponent) {
        Decimal mantissa = d;
        mantissa.point = 1;
        n += put_positional(buf + n, &mantissa);
        char *end = buf + n;
        while (end[-1] == '0') end--;
        sprintf(end, "e%+03d", x == 0 ? 0 : d.point - 1);
        return;
    }
    put_positional(buf + n, &d);
trim:;
    char *end = buf + strlen(buf);
    while (end[-1] == '0') end--;
    *end = 0;
}

static Kind kind_of(int dtype) {
    return dtype == DSL_F64 ? F64 : dtype == DSL_F32 ? F32 : dtype == DSL_F16 ? F16 : BF16;
}

static bool holds_floats(const dsl_array *a) {
    return a->dtype == DSL_F16 || a->dtype == DSL_BF16 || a->dtype == DSL_F32 || a->dtype == DSL_F64;
}

static int text_of_element(const Format *f, int64_t i, char *buf) {
    const dsl_array *a = f->a;
    if (a->dtype == DSL_BOOL) return sprintf(buf, "%s", ((const bool *)a->data)[i] ? "true" : "false");
    if (a->dtype == DSL_U64) return spell_int(buf, &f->as, false, ((const uint64_t *)a->data)[i]);
    return holds_floats(a) ? spell_float(buf, &f->as, kind_of(a->dtype), load_float(a, i))
                           : spell_i64(buf, &f->as, load_int(a, i));
}

static void max_int(int *m, int v) {
    if (v > *m) *m = v;
}

typedef void Visit(Format *f, int64_t i);

/* Calls visit for each element that is shown. */
static void visit_shown(Format *f, int axis, int64_t at, Visit *visit) {
    if (axis == f->a->rank) {
        visit(f, at);
        return;
    }
    int64_t n = f->a->dim[axis];
    for (int64_t i = 0; i < n; i++) {
        if (f->abbreviated && i == EDGE && n > 2 * EDGE) i = n - EDGE;
        visit_shown(f, axis + 1, at * n + i, visit);
    }
}

static void find_range(Format *f, int64_t i) {
    double x = fabs(load_float(f->a, i));
    if (x == 0 || !isfinite(x)) return;
    if (!f->seen || x < f->least) f->least = x;
    if (!f->seen || x > f->most) f->most = x;
    f->seen = true;
}

static void find_width(Format *f, int64_t i) {
    char buf[SPELLED];
    if (!f->is_float) {
        max_int(&f->width, text_of_element(f, i, buf));
        return;
    }
    double x = load_float(f->a, i);
    if (!isfinite(x)) return;
    digits_after_point(f, x, buf);
    char *point = strchr(buf, '.'), *e = strchr(buf, 'e');
    max_int(&f->left, (int)(point - buf));
    max_int(&f->right, (int)((e ? e : buf + strlen(buf)) - point) - 1);
    if (e) max_int(&f->width, (int)strlen(e)); /* here: of the exponent */
}

static void find_special(Format *f, int64_t i) {
    double x = load_float(f->a, i);
    char buf[8];
    if (!isfinite(x)) max_int(&f->left, put_special(buf, x) - (f->right + 1 + (f->exponent ? f->width : 0)));
}

static Format choose_format(const dsl_array *a, bool whole) {
    Format f = {.a = a, .as = as, .width = as.width, .abbreviated = a->count > ABBREVIATE && !whole};
    f.is_float = holds_floats(a) && is_plain(&as);
    if (f.is_float) {
        f.kind = kind_of(a->dtype);
        visit_shown(&f, 0, 0, find_range);
        f.exponent = f.seen && (f.most >= 1e8 || f.least < 1e-4 || f.most / f.least > 1000);
    }
    if (a->dtype != DSL_STR) visit_shown(&f, 0, 0, find_width);
    if (f.is_float) visit_shown(&f, 0, 0, find_special);
    return f;
}

static void put_float_element(const Format *f, double x, char *out) {
    char buf[ELEMENT * 2];
    int total = f->left + 1 + f->right + (f->exponent ? f->width : 0);
    if (!isfinite(x)) {
        put_special(buf, x);
        sprintf(out, "%*s", total, buf);
        return;
    }
    digits_after_point(f, x, buf);
    char *point = strchr(buf, '.'), *e = strchr(buf, 'e');
    int len = (int)((e ? e : buf + strlen(buf)) - point) - 1;
    int n = sprintf(out, "%*.*s", f->left + 1 + len, (int)(point - buf) + 1 + len, buf);
    for (int i = len; i < f->right; i++) out[n++] = f->exponent ? '0' : ' ';
    strcpy(out + n, e ? e : "");
}

/* +2.5im, as wide as all are: blanks stand behind */
static void put_imaginary(const Format *f, double x, Out *word) {
    char buf[ELEMENT * 2];
    put_float_element(f, x, buf);
    size_t width = strlen(buf), from = strspn(buf, " "), end = width;
    while (end > from && buf[end - 1] == ' ') end--;
    bool sign = buf[from] == '-';
    if (!sign) out_str(word, "+");
    out_add(word, buf + from, end - from);
    out_str(word, "im");
    out_fill(word, ' ', (int)(width - (end - from)) + sign);
}

/* In quotes, so that it is seen where each ends; as it is where a width was given */
static void put_text_element(const Format *f, const char *text, Out *word) {
    bool quoted = is_plain(&f->as);
    if (quoted) out_str(word, "\"");
    put_padded(word, &f->as, text, strlen(text), f->as.width, '<');
    if (quoted) out_str(word, "\"");
}

static void put_element(const Format *f, int64_t i, Out *word) {
    char buf[SPELLED];
    word->len = 0;
    if (f->a->dtype == DSL_STR) {
        put_text_element(f, ((const char *const *)f->a->data)[i], word);
        return;
    }
    if (f->is_float) {
        put_float_element(f, load_float(f->a, i), buf);
        out_str(word, buf);
        if (f->imag) put_imaginary(f->imag, load_float(f->imag->a, i), word);
        return;
    }
    put_padded(word, &f->as, buf, (size_t)text_of_element(f, i, buf), f->width, '>');
}

/* ---- arrays: lines */

typedef struct { Out *o; int column; } Pen;

static void put_word(Pen *pen, const char *word, int indent, int room) {
    int len = (int)strlen(word);
    if (pen->column + len > room && pen->column > indent) {
        while (pen->o->data[pen->o->len - 1] == ' ') pen->o->len--;
        out_str(pen->o, "\n");
        out_fill(pen->o, ' ', indent);
        pen->column = indent;
    }
    out_str(pen->o, word);
    pen->column += len;
}

static void put_row(Pen *pen, const Format *f, int64_t at, int indent, int room) {
    int64_t n = f->a->dim[f->a->rank - 1];
    Out word = {0};
    for (int64_t i = 0; i < n; i++) {
        if (i) put_word(pen, " ", 0, LINE * 2);
        if (f->abbreviated && i == EDGE && n > 2 * EDGE) {
            put_word(pen, "...", indent, room);
            put_word(pen, " ", 0, LINE * 2);
            i = n - EDGE;
        }
        put_element(f, at * n + i, &word);
        put_word(pen, word.data, indent, room);
    }
    free(word.data);
}

static void put_axis(Pen *pen, const Format *f, int axis, int64_t at) {
    int rank = f->a->rank, indent = axis + 1;
    int64_t n = f->a->dim[axis];
    out_str(pen->o, "[");
    pen->column = indent;
    if (axis == rank - 1) {
        put_row(pen, f, at, indent, LINE - rank);
    } else {
        for (int64_t i = 0; i < n; i++) {
            bool gap = f->abbreviated && i == EDGE && n > 2 * EDGE;
            for (int rounds = gap ? 2 : 1; i && rounds; rounds--) {
                out_fill(pen->o, '\n', rank - axis - 1);
                out_fill(pen->o, ' ', indent);
                if (rounds == 2) out_str(pen->o, "...");
            }
            if (gap) i = n - EDGE;
            put_axis(pen, f, axis + 1, at * n + i);
        }
    }
    out_str(pen->o, "]");
}

/* ---- the items of a statement */

static void put_item(const char *s, size_t n, char usual) {
    put_padded(&line, &as, s, n, as.width, usual);
    as = (dsl_format){0};
}

void dsl_print_str(const char *x) { put_item(x, strlen(x), '<'); }

void dsl_print_bool(bool x) { dsl_print_str(x ? "true" : "false"); }

void dsl_print_i64(int64_t x) {
    char buf[SPELLED];
    put_item(buf, (size_t)spell_i64(buf, &as, x), '>');
}

void dsl_print_u64(uint64_t x) {
    char buf[SPELLED];
    put_item(buf, (size_t)spell_int(buf, &as, false, x), '>');
}

void dsl_print_f32(float x) {
    char buf[SPELLED];
    put_item(buf, (size_t)spell_float(buf, &as, F32, x), '>');
}

void dsl_print_f64(double x) {
    char buf[SPELLED];
    put_item(buf, (size_t)spell_float(buf, &as, F64, x), '>');
}

void dsl_print_array(const dsl_array *a) {
    if (a->rank == 0 || a->count == 0) {
        dsl_print_str("[]");
        return;
    }
    Format f = choose_format(a, false);
    as = (dsl_format){0};
    Pen pen = {&line, 0};
    put_axis(&pen, &f, 0, 0);
}

void dsl_print_sep(void) { out_str(&line, " "); }

void dsl_print_hold(void) { holding = true; }

void dsl_print_release(void) {
    holding = false;
    if (held.len) fwrite(held.data, 1, held.len, stdout);
    dsl_print_drop();
}

void dsl_print_drop(void) {
    holding = false;
    free(held.data);
    held = (Out){0};
}

void dsl_print_forget(void) {
    free(line.data);
    line = (Out){0};
    as = (dsl_format){0};
}

/* ---- texts that stay: each is there once, to the end of the process */

static void *texts; /* a tree, by strcmp */
static pthread_mutex_t texts_lock = PTHREAD_MUTEX_INITIALIZER;

static int compare_texts(const void *a, const void *b) { return strcmp(a, b); }

/* Whether the statement's text is whole; if not, nothing is left of it. */
static void need_whole(const dsl_site *at, bool whole, const char *what) {
    if (whole) return;
    dsl_print_forget();
    dsl_fail(at, "E0603", "not enough memory %s", what);
}

/* The text like s that stays: s itself, where it is the first of them; NULL: no memory */
static const char *text_like(char *s) {
    pthread_mutex_lock(&texts_lock);
    char **known = tsearch(s, &texts, compare_texts);
    const char *text = known ? *known : NULL;
    pthread_mutex_unlock(&texts_lock);
    return text;
}

const char *dsl_print_text(const dsl_site *at) {
    out_str(&line, "");
    need_whole(at, !line.full, "for a text");
    const char *text = text_like(line.data);
    need_whole(at, text, "for a text");
    if (text == line.data) line = (Out){0};
    dsl_print_forget();
    return text;
}

const char *dsl_text(const dsl_site *at, const char *s, size_t n) {
    char *copy = strndup(s, n);
    const char *text = copy ? text_like(copy) : NULL;
    if (text != copy) free(copy);
    if (!text) dsl_fail(at, "E0603", "not enough memory for a text");
    return text;
}

/* stdlib: whole(x) */
const char *dsl_x_whole(const dsl_array *a) {
    Pen pen = {&line, 0};
    if (a->rank == 0 || a->count == 0) return "[]";
    Format f = choose_format(a, true);
    put_axis(&pen, &f, 0, 0);
    return dsl_print_text(dsl_current_site());
}

/* stdlib: print(z) of an array of complex numbers, whose parts these are */
const char *dsl_x_complex_text(const dsl_array *re, const dsl_array *im) {
    Format f, g;
    Pen pen = {&line, 0};
    if (re->count == 0) return "[]";
    f = choose_format(re, false);
    g = choose_format(im, false);
    f.imag = &g;
    put_axis(&pen, &f, 0, 0);
    return dsl_print_text(dsl_current_site());
}

void dsl_print_end(const dsl_site *at) {
    out_str(&line, "\n");
    need_whole(at, !line.full, "to print");
    if (holding) out_add(&held, line.data, line.len);
    need_whole(at, !held.full, "to print");
    if (!holding) fwrite(line.data, 1, line.len, stdout);
    dsl_print_forget();
}
