/* Finds $...$ and $$...$$ in Markdown, by the rules of pandoc: behind an opening dollar and before a closing one there
 * is no blank, behind a closing one no digit, so that prices are no formulas.  Code is passed over.
 *
 * A mark is a number between two characters that Unicode keeps for such use (noncharacters): put_clean() has
 * taken them out of the text, and Markdown has no meaning for them. */
#include "notebook/formula.h"

#include <stdlib.h>
#include <string.h>

#define MARK_OPEN "\xEF\xB7\x90"  /* U+FDD0 */
#define MARK_CLOSE "\xEF\xB7\x91" /* U+FDD1 */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || !c; }
static int run_length(const char *p) { return (int)strspn(p, (char[]){*p, 0}); }

/* An empty line ends a paragraph, and whatever is open in it. */
static bool paragraph_ends(const char *p) { return !*p || (*p == '\n' && p[1 + strspn(p + 1, " \t")] == '\n'); }

static const char *line_end(const char *p) {
    p += strcspn(p, "\n");
    return p + (*p == '\n');
}

/* At the beginning of a line, in lists and quotations too: the end of a block between fences, or p. */
static const char *skip_fenced(const char *p) {
    const char *fence = p + strspn(p, " \t>*+-");
    int n = *fence == '`' || *fence == '~' ? run_length(fence) : 0;
    if (n < 3) return p;
    for (p = line_end(fence); *p; p = line_end(p)) {
        const char *close = p + strspn(p, " \t>");
        if (*close == *fence && run_length(close) >= n) return line_end(close);
    }
    return p;
}

/* The end of the code that begins with the backticks at p; without a partner they are plain text. */
static const char *skip_code(const char *p) {
    int n = run_length(p), k;
    for (const char *q = p + n; !paragraph_ends(q); q += k) {
        k = *q == '`' ? run_length(q) : 1;
        if (*q == '`' && k == n) return q + k;
    }
    return p + n;
}

/* The formula at the dollar p; NULL: there is none. */
static const char *formula_end(const char *p, int dollars) {
    const char *from = p + dollars;
    if (dollars == 1 && is_blank(*from)) return NULL;
    for (const char *q = from; !paragraph_ends(q) && *q != '`'; q++) {
        if (*q == '\\' && q[1] && q[1] != '\n') {
            q++;
            continue;
        }
        if (*q != '$') continue;
        if (dollars == 2 && q[1] == '$') return q > from ? q : NULL;
        if (dollars == 1) return is_blank(q[-1]) || (q[1] >= '0' && q[1] <= '9') ? NULL : q;
    }
    return NULL;
}

/* Takes the formula at p, if there is one; what comes after it, or p. */
static const char *take(Text *out, Formulas *all, const char *start, const char *p) {
    int dollars = p[1] == '$' ? 2 : 1;
    const char *end = formula_end(p, dollars);
    if (!end) return p;
    Formula f = {.source = p,
                 .at = (int)(p - start),
                 .tex = p + dollars,
                 .tex_len = (int)(end - p) - dollars,
                 .display = dollars == 2};
    f.source_len = f.tex_len + 2 * dollars;
    text_printf(out, MARK_OPEN "%d" MARK_CLOSE, all->len);
    vec_push(out->arena, all, f);
    return end + dollars;
}

static const char *take_bar(Text *out, Formulas *all, const char *start, const char *p) {
    Formula f = {.source = p, .at = (int)(p - start), .tex = p + 1, .source_len = 2, .tex_len = 1, .plain = true};
    text_printf(out, MARK_OPEN "%d" MARK_CLOSE, all->len);
    vec_push(out->arena, all, f);
    return p + 2;
}

const char *formulas_take(Arena *a, const char *markdown, Formulas *all) {
    Text clean, out;
    text_init(&clean, a);
    text_init(&out, a);
    put_clean(&clean, markdown, strlen(markdown));
    for (const char *p = text_str(&clean), *start = p, *next; *p; p = next) {
        next = p == start || p[-1] == '\n' ? skip_fenced(p) : p;
        if (next == p && *p == '`') next = skip_code(p);
        if (next == p && *p == '\\' && p[1] == '|') {
            next = take_bar(&out, all, start, p);
            continue;
        }
        if (next == p && *p == '$' && (next = take(&out, all, start, p)) > p) continue;
        if (next == p) next = p + (*p == '$' ? run_length(p) : *p == '\\' && p[1] ? 2 : 1);
        text_add(&out, p, (size_t)(next - p));
    }
    return text_str(&out);
}

const Formula *formula_mark(const Formulas *f, const char *text, const char **lo, const char **hi) {
    *lo = strstr(text, MARK_OPEN);
    if (!*lo) return NULL;
    char *end;
    long k = strtol(*lo + strlen(MARK_OPEN), &end, 10);
    *hi = end + strlen(MARK_CLOSE);
    return &f->data[k];
}

const char *formulas_restore(Arena *a, const Formulas *f, const char *text) {
    Text out;
    const char *lo, *hi;
    text_init(&out, a);
    for (const Formula *x; (x = formula_mark(f, text, &lo, &hi)); text = hi) {
        text_add(&out, text, (size_t)(lo - text));
        text_add(&out, x->source, (size_t)x->source_len);
    }
    put(&out, text);
    return text_str(&out);
}
