/* Formatted texts: f"t = {t:.3f} s".
 *
 * The lexer takes one as a whole, up to its closing quote.  Here it is taken apart: the text between the places becomes
 * a template, and what stands in braces, up to a colon, is parsed as an expression at its place in the file. */
#include "grammar/parse.h"

#include <ctype.h>
#include <string.h>

static Span place(const Parser *p, int lo, int hi) { return (Span){p->file, lo, hi, 0}; }

/* Where the expression at lo ends: at the colon or brace that no bracket encloses, or at end */
static int value_end(const Parser *p, int lo, int end) {
    int depth = 0;
    for (; lo < end; lo++) {
        char c = p->text[lo];
        if (!depth && (c == ':' || c == '}')) break;
        depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
    }
    return lo;
}

/* What stands behind a value elsewhere: {x=}, {x!r} */
static bool is_marked(Parser *p, int lo, int hi) {
    while (hi > lo && p->text[hi - 1] == ' ') hi--;
    if (hi - lo < 2) return false;
    char c = p->text[hi - 1], before = p->text[hi - 2];
    bool equals = c == '=' && !strchr("=<>!", before), bang = strchr("rsa", c) && before == '!';
    if (equals)
        diag_hint(p->s, diag_report(p->s, place(p, hi - 1, hi), E_FORMATTED, "'=' has no meaning here"),
                  "write f\"x = {x}\"");
    if (bang)
        diag_hint(p->s, diag_report(p->s, place(p, hi - 2, hi), E_FORMATTED, "'!' has no meaning here"),
                  "a value is written as print does: {x}");
    return equals || bang;
}

/* A quote that begins a text, and is no transpose */
static const char *quote_in(const Parser *p, int lo, int hi) {
    for (const char *c = p->text + lo; c < p->text + hi; c++) {
        bool after_value = c > p->text && (isalnum((unsigned char)c[-1]) || strchr("_)]", c[-1]));
        if (*c == '"' || (*c == '\'' && !after_value)) return c;
    }
    return NULL;
}

/* f"{'name':<8}", f"{"name":<8}": what follows in the statement would only repeat it. */
static int report_quote(Parser *p, int at) {
    Diag *d = diag_report(p->s, place(p, at, at + 1), E_FORMATTED, "no quotes stand between the braces of a text");
    diag_hint(p->s, d, "give the text a name, let name = \"...\" and {name}, or write it outside of the braces");
    p->quiet = true;
    return 0;
}

/* "{" value ":" format "}"; returns where it ends, or 0 when something is wrong and reported. */
static int read_place(Parser *p, Expr *e, Text *out, int lo, int end) {
    int stop = value_end(p, lo + 1, end);
    const char *close = memchr(p->text + stop, '}', (size_t)(end - stop));
    const char *quote = quote_in(p, lo + 1, close ? (int)(close - p->text) : end);
    bool reopened = !close && p->text[end] == '"' && isalnum((unsigned char)p->text[end + 1]);
    if (quote || reopened) return report_quote(p, quote ? (int)(quote - p->text) : end);
    if (!close) {
        Diag *d = diag_report(p->s, place(p, lo, lo + 1), E_FORMATTED, "this brace is not closed before the text ends");
        diag_hint(p->s, d, "a value stands in braces, {x}, without quotes in it; a brace of the text is doubled, {{");
        return 0;
    }
    int hi = (int)(close - p->text), spec = stop < hi ? stop + 1 : hi;
    Expr *value = NULL;
    if ((int)strspn(p->text + lo + 1, " ") >= stop - lo - 1) {
        Diag *d = diag_report(p->s, place(p, lo, hi + 1), E_FORMATTED, "a value is missing here");
        diag_hint(p->s, d, "a brace of the text is doubled: {{ and }}");
    } else if (!is_marked(p, lo + 1, stop)) {
        value = parse_expression(p, lo + 1, stop);
    }
    if (!value) return 0;
    vec_push(p->arena, &e->args, value);
    template_add_place(out, p->text + spec, hi - spec);
    return hi + 1;
}

static int read_brace(Parser *p, Expr *e, Text *out, int lo, int end) {
    char c = p->text[lo];
    if (lo + 1 < end && p->text[lo + 1] == c) {
        template_add_text(out, &c, 1);
        return lo + 2;
    }
    if (c == '{') return read_place(p, e, out, lo, end);
    Diag *d = diag_report(p->s, place(p, lo, lo + 1), E_FORMATTED, "this brace closes nothing");
    diag_hint(p->s, d, "a brace of the text is doubled: }}");
    return 0;
}

Expr *tree_formatted(Parser *p, Span at) {
    Expr *e = expr_new(p->s, EX_FORMAT, at);
    Text out;
    text_init(&out, p->arena);
    for (int lo = at.lo + 2, end = at.hi - 1; lo < end;) {
        bool brace = p->text[lo] == '{' || p->text[lo] == '}';
        lo = brace ? read_brace(p, e, &out, lo, end) : literal_character(p, &out, lo, end);
        if (!lo) return tree_string(p, at, "");
    }
    e->name = intern_n(p->s, text_str(&out), (size_t)out.len);
    return e;
}
