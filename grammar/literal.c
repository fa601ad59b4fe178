/* The values of literals. */
#include "grammar/parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The literal without its underscores */
static const char *digits_of(Parser *p, Span at) {
    char *out = arena_alloc(p->arena, (size_t)(at.hi - at.lo) + 1);
    int n = 0;
    for (int i = at.lo; i < at.hi; i++)
        if (p->text[i] != '_') out[n++] = p->text[i];
    return out;
}

static int digit_value(char c) { return c <= '9' ? c - '0' : (c | 32) - 'a' + 10; }

/* Does the text before the literal end in a minus?  Then 9223372036854775808 is meant as the least int. */
static bool after_minus(const Parser *p, int lo) {
    while (lo > 0 && (p->text[lo - 1] == ' ' || p->text[lo - 1] == '\t')) lo--;
    return lo > 0 && p->text[lo - 1] == '-';
}

/* Decimal ones above the greatest int are of type u64; hexadecimal and binary ones may use 64 bits, as a pattern. */
int64_t literal_int(Parser *p, Span at) {
    const char *c = digits_of(p, at);
    uint64_t base = 10, v = 0;
    bool fits = true;
    if (c[0] == '0' && (c[1] | 32) == 'x') base = 16, c += 2;
    else if (c[0] == '0' && (c[1] | 32) == 'b') base = 2, c += 2;
    for (; *c; c++) {
        uint64_t d = (uint64_t)digit_value(*c);
        fits = fits && v <= (UINT64_MAX - d) / base;
        v = v * base + d;
    }
    if (base == 10 && after_minus(p, at.lo)) fits = fits && v <= (uint64_t)INT64_MAX + 1;
    if (!fits) {
        Diag *d = diag_report(p->s, at, E_INT_RANGE);
        if (base == 10)
            diag_hint(p->s, d,
                      "the greatest int is 9223372036854775807, the greatest u64 18446744073709551615; a float has a "
                      "point or exponent");
        return 0;
    }
    return (int64_t)v;
}

/* The type of what literal_int has read */
DType literal_int_type(const Parser *p, Span at, int64_t v) {
    bool decimal = at.hi - at.lo < 2 || (p->text[at.lo + 1] | 32) != 'x';
    decimal = decimal && (at.hi - at.lo < 2 || (p->text[at.lo + 1] | 32) != 'b');
    return v < 0 && decimal && !after_minus(p, at.lo) ? DT_U64 : DT_I64;
}

double literal_float(Parser *p, Span at) {
    const char *digits = digits_of(p, at);
    double v = strtod(digits, NULL);
    bool short_one = at.hi - at.lo <= 40;
    if (isinf(v)) diag_report(p->s, at, E_FLOAT_RANGE);
    else if (v == 0 && strcspn(digits, "123456789") < strcspn(digits, "eE"))
        diag_hint(p->s, diag_report(p->s, at, W_LOSSY_LITERAL, short_one ? digits : "this number", "0", "f64"),
                  "the least f64 that is not 0 is about 5e-324");
    return v;
}

/* 2im, 2.5im */
double literal_imaginary(Parser *p, Span at) {
    at.hi -= 2;
    return literal_float(p, at);
}

/* ---- strings */

static void add_utf8(Text *t, uint32_t c) {
    char b[4];
    int n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (int i = n - 1; i > 0; i--, c >>= 6) b[i] = (char)(0x80 | (c & 0x3f));
    b[0] = (char)(n == 1 ? c : (0xf00u >> n & 0xff) | c);
    text_add(t, b, (size_t)n);
}

static bool is_hex(char c) { return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'f'); }

static int bad_escape(Parser *p, int lo, int hi, const char *hint) {
    Span at = {p->file, lo, hi, 0};
    Diag *d = diag_report(p->s, at, E_BAD_ESCAPE, hi - lo, p->text + lo);
    diag_hint(p->s, d, "%s", hint);
    return hi;
}

/* Reads \u{1F600} or \xHH at lo (the backslash); returns where it ends. */
static int code_escape(Parser *p, Text *out, int lo, int end) {
    bool braces = p->text[lo + 1] == 'u';
    int i = lo + 2, digits = 0;
    uint32_t v = 0;
    if (braces && p->text[i] != '{') return bad_escape(p, lo, i, "a character is written \\u{e9}");
    i += braces;
    for (; i < end && is_hex(p->text[i]) && digits < (braces ? 6 : 2); i++, digits++)
        v = v * 16 + (uint32_t)digit_value(p->text[i]);
    bool ok = braces ? digits > 0 && p->text[i] == '}' : digits == 2 && v < 0x80;
    if (braces && ok) i++;
    if (!ok)
        return bad_escape(p, lo, i,
                          braces ? "a character is written \\u{e9}"
                                 : "\\x takes two digits, up to \\x7f; beyond that write \\u{e9}");
    if (v == 0 || v > 0x10ffff || (v >= 0xd800 && v < 0xe000))
        return bad_escape(p, lo, i, "this is not the number of a character");
    add_utf8(out, v);
    return i;
}

static int escape(Parser *p, Text *out, int lo, int end) {
    static const char names[] = "ntr\\\"'e", values[] = "\n\t\r\\\"'\x1b";
    char c = lo + 1 < end ? p->text[lo + 1] : 0;
    if (c == 'x' || c == 'u') return code_escape(p, out, lo, end);
    const char *which = c ? strchr(names, c) : NULL;
    if (!which) {
        int hi = lo + 2;
        while (hi < end && ((unsigned char)p->text[hi] & 0xc0) == 0x80) hi++;
        return bad_escape(p, lo, hi,
                          "known are \\n \\t \\r \\e \\\\ \\\" \\' \\x41 \\u{e9}; a backslash itself is \\\\");
    }
    text_add(out, &values[which - names], 1);
    return lo + 2;
}

int literal_character(Parser *p, Text *out, int lo, int end) {
    if (p->text[lo] == '\\') return escape(p, out, lo, end);
    text_add(out, p->text + lo, 1);
    return lo + 1;
}

/* at: with the quote before and, when closed, behind */
const char *literal_string(Parser *p, Span at, bool closed) {
    int lo = at.lo + 1, end = at.hi - closed;
    Text out;
    text_init(&out, p->arena);
    if (!closed) {
        Diag *d = diag_report(p->s, at, E_STRING_OPEN);
        diag_hint(p->s, d, "write '\"' where it ends; a line break inside is \\n");
        if (end > lo && p->text[end - 1] == '\\') end--;
        p->hush = p->cut = true;
        p->cut_line = at.lo;
        while (p->cut_line > 0 && p->text[p->cut_line - 1] != '\n') p->cut_line--;
    }
    while (lo < end) {
        const char *next = memchr(p->text + lo, '\\', (size_t)(end - lo));
        int stop = next ? (int)(next - p->text) : end;
        text_add(&out, p->text + lo, (size_t)(stop - lo));
        lo = next ? escape(p, &out, stop, end) : end;
    }
    return intern_n(p->s, text_str(&out), (size_t)out.len);
}
