/* Hints that say in this language what is written in another: let z = 0:10 is arange(0, 10).  They read the text
 * around the token that did not fit; what they cannot make sense of is left to the hints of report.c. */
#include "grammar/slip.h"

#include <ctype.h>
#include <string.h>

/* ---- the text around */

static const char *cut(const Slip *s, int lo, int hi) {
    const char *text = s->p->text;
    while (lo < hi && isspace((unsigned char)text[lo])) lo++;
    while (hi > lo && isspace((unsigned char)text[hi - 1])) hi--;
    return arena_printf(s->p->arena, "%.*s", hi - lo, text + lo);
}

static const char *word_of(const Slip *s, Span at) { return cut(s, at.lo, at.hi); }

/* The place of the first of these characters, or the end of the line */
static int until(const Slip *s, int at, const char *stops) {
    const char *text = s->p->text;
    while (at < s->p->len && text[at] != '\n' && !strchr(stops, text[at])) at++;
    return at;
}

/* The place behind the last of these characters, or the start of the line */
static int since(const Slip *s, int at, const char *stops) {
    const char *text = s->p->text;
    while (at > 0 && text[at - 1] != '\n' && !strchr(stops, text[at - 1])) at--;
    return at;
}

/* The word that ends at this place */
static const char *word_before(const Slip *s, int at) {
    int lo = at;
    while (lo > 0 && (isalnum((unsigned char)s->p->text[lo - 1]) || s->p->text[lo - 1] == '_')) lo--;
    return cut(s, lo, at);
}

static bool at_statement_level(const Slip *s) { return s->found.depth == s->found.level; }

/* ---- types */

/* Our name of the type; "" where the value says it, NULL when it is no type */
static const char *our_type(const char *word) {
    DType t;
    if (!strcmp(word, "auto")) return "";
    if (!strcmp(word, "char")) return "u8";
    if (!strcmp(word, "int") || dtype_find(word, &t)) return word;
    const Foreign *f = foreign_find(FOREIGN_TYPE, word);
    return f ? f->ours : NULL;
}

/* The type of a literal; NULL: it is none */
static const char *literal_type(const char *v) {
    if (*v == '"') return "str";
    if (!strcmp(v, "true") || !strcmp(v, "false")) return "bool";
    if (!v[strcspn(v, "0123456789")]) return NULL;
    v += *v == '-';
    if (!v[strspn(v, "0123456789_")]) return "int";
    return v[strspn(v, "0123456789_.eE+-")] ? NULL : "f64";
}

/* fn f(tol=1e-10) */
static const char *default_without_type(const Slip *s) {
    bool fits = s->found.kind == '=' && s->last.kind == NAME && slip_wants(s, "':'");
    if (!fits || at_statement_level(s) || s->p->statement == STRUCT) return NULL;
    const char *value = cut(s, s->found.at.hi, until(s, s->found.at.hi, ",)#")), *type = literal_type(value);
    return arena_printf(s->p->arena, "a parameter has a type: %s: %s = %s", word_of(s, s->last.at), type ? type : "f64",
                        type ? value : "1.0");
}

/* x: [f64] */
static const char *type_in_brackets(const Slip *s) {
    if (s->found.kind != '[' || !slip_wants_type(s)) return NULL;
    int at = s->found.at.lo, axes = (int)strspn(s->p->text + at, "[");
    const char *type = our_type(cut(s, at + axes, until(s, at + axes, "],;")));
    return arena_printf(s->p->arena, "arrays are written %s[n%s]", type && *type ? type : "f64", axes > 1 ? ", m" : "");
}

/* f64[] x */
static const char *type_without_size(const Slip *s) {
    if (s->found.kind != ']' || s->last.kind != '[') return NULL;
    const char *type = our_type(word_before(s, s->last.at.lo));
    return type && *type ? arena_printf(s->p->arena, "sizes have names: %s[n]", type) : NULL;
}

/* fn f(x: f64) -> f64, f64 */
static const char *many_results(const Slip *s) {
    int statement = s->p->statement;
    bool head = statement == FN || statement == EXPORT || statement == EXTERN;
    if (!head || s->found.kind != ',' || !at_statement_level(s) || slip_wants_operator(s)) return NULL;
    int lo = since(s, s->found.at.lo, ">");
    if (lo < 2 || s->p->text[lo - 2] != '-') return NULL;
    return arena_printf(s->p->arena, "several results are a tuple: -> (%s)", cut(s, lo, until(s, lo, "{=#;")));
}

/* What stands behind '=', or the zero of the type */
static const char *value_written(const Slip *s, const char *type) {
    int eq = until(s, s->found.at.hi, "=#;");
    if (s->p->text[eq] == '=') return cut(s, eq + 1, until(s, eq + 1, "#;,"));
    return !strcmp(type, "str") ? "\"\"" : !strcmp(type, "bool") ? "false" : "0";
}

/* double x = 3.0, const int n = 5, int f(int k) */
static const char *type_before_name(const Slip *s) {
    if (s->found.kind != NAME || s->last.kind != NAME || (!slip_wants_operator(s) && !slip_binds(s))) return NULL;
    const char *type = our_type(word_of(s, s->last.at)), *name = word_of(s, s->found.at);
    const char *rest = s->p->text + s->found.at.hi;
    if (!type) return NULL;
    rest += strspn(rest, " \t");
    if (!slip_binds(s) && !s->last.first)
        return arena_printf(s->p->arena, "a conversion is a call: %s(%s)", type, name);
    if (*rest == '(')
        return arena_printf(s->p->arena, "a function is written fn %s(x: f64) -> %s { ... }", name,
                            *type ? type : "f64");
    if (*rest == '[')
        return arena_printf(s->p->arena, "an array is made by its size: var %s = zeros(%s, n)", name,
                            *type ? type : "f64");
    const char *word = s->p->statement == VAR || *rest != '=' ? "var" : s->p->statement == CONST ? "const" : "let";
    return arena_printf(s->p->arena, "the type stands behind the name: %s %s%s%s = %s", word, name, *type ? ": " : "",
                        type, value_written(s, type));
}

/* ---- values */

/* let z = 0:10 */
static const char *range_as_value(const Slip *s) {
    Arena *a = s->p->arena;
    if (s->found.kind != ':' || !slip_wants_operator(s) || (!slip_binds(s) && s->p->statement != NAME)) return NULL;
    int at = s->found.at.lo, lo = since(s, at, "=(,["), end = until(s, at, ",)]#;=");
    const char *from = cut(s, lo, at);
    if (lo == 0 || !strchr("=(,[", s->p->text[lo - 1]) || !strncmp(from, "if ", 3)) return NULL;
    int second = until(s, at + 1, ":,)]#;=");
    const char *to = cut(s, at + 1, second);
    if (!*from || !*to) return NULL;
    if (strchr(cut(s, lo, end), '.'))
        return "a range counts in loops and indices; floats from a to b are linspace(a, b, n)";
    if (s->p->text[second] != ':')
        return arena_printf(a, "a range stands in loops and indices; as an array it is arange(%s, %s)", from, to);
    return arena_printf(a, "a range stands in loops and indices; as an array it is [i for i in %s]", cut(s, lo, end));
}

static bool is_element(const char *c, int n) {
    int sign = *c == '-';
    bool word = (n == 3 && !strncmp(c, "for", 3)) || (n == 2 && (!strncmp(c, "in", 2) || !strncmp(c, "if", 2)));
    for (int i = sign; i < n; i++)
        if (!isalnum((unsigned char)c[i]) && c[i] != '.' && c[i] != '_') return false;
    return n > sign && !word;
}

/* Adds "1, 2" of a row that ends at hi.  How many elements; 0: there are none, or other things as well */
static int add_row(const Slip *s, Text *out, int lo, int hi) {
    static const char parts[] = " \t,";
    const char *text = s->p->text;
    for (int n = 0, i = lo;; n++) {
        while (i < hi && strchr(parts, text[i])) i++;
        int end = i;
        while (end < hi && !strchr(parts, text[end])) end++;
        if (i == end) return n;
        if (!is_element(text + i, end - i)) return 0;
        text_printf(out, "%s%.*s", n ? ", " : "", end - i, text + i);
        i = end;
    }
}

/* [1 2; 3 4], but not [0.0; 5], which elsewhere are five zeros */
static const char *matrix_rows(const Slip *s) {
    const Parser *p = s->p;
    bool gap = s->found.kind == INT || s->found.kind == FLOAT || s->found.kind == NAME, row = s->found.kind == ';';
    if ((!gap && !row) || !slip_wants(s, "']'") || !p->open.len || vec_last(&p->open).open != '[') return NULL;
    int lo = vec_last(&p->open).at.hi, end = until(s, lo, "[](){}#"), rows = 0, elements = 0;
    Text t;
    text_init(&t, p->arena);
    if (p->text[end] != ']' || end - lo > 60) return NULL;
    for (int hi; lo <= end; lo = hi + 1, rows++) {
        hi = until(s, lo, ";]");
        text_printf(&t, "%s", rows ? "], [" : "");
        int n = add_row(s, &t, lo, hi);
        if (!n) return NULL;
        elements += n;
    }
    if (rows == 1) return arena_printf(p->arena, "elements are parted by commas: [%s]", text_str(&t));
    if (elements == 2) return NULL;
    return arena_printf(p->arena, "rows are arrays: [[%s]]", text_str(&t));
}

/* The place behind the bracket that closes the one at `at`; -1: there is none on this line */
static int closed(const Slip *s, int at) {
    int depth = 0;
    for (const char *text = s->p->text; at < s->p->len && text[at] != '\n'; at++) {
        depth += (text[at] == '(') - (text[at] == ')');
        if (!depth) return at + 1;
    }
    return -1;
}

/* range(n), range(a, b), range(a, b, step): what stands between the brackets, as a range */
static const char *range_written(const Slip *s, int lo, int hi) {
    Text t;
    text_init(&t, s->p->arena);
    int parts = 0, depth = 0;
    for (int i = lo, from = lo; i <= hi; i++) {
        char c = s->p->text[i];
        depth += (c == '(' || c == '[') - (i < hi && (c == ')' || c == ']'));
        if (i < hi && (c != ',' || depth)) continue;
        text_printf(&t, "%s%s", parts++ ? ":" : "", cut(s, from, i));
        from = i + 1;
    }
    return parts == 1 ? arena_printf(s->p->arena, "0:%s", text_str(&t)) : text_str(&t);
}

/* for i in range(5): */
static const char *python_loop(const Slip *s) {
    static const char in[] = " in range(";
    if (s->p->statement != FOR && s->p->statement != PARALLEL) return NULL;
    int lo = since(s, s->found.at.lo, ""), at = lo, end = until(s, lo, "#");
    while (at < end && strncmp(s->p->text + at, in, sizeof in - 1)) at++;
    int open = at + (int)sizeof in - 2, close = at < end ? closed(s, open) : -1;
    if (close < 0 || s->p->text[close + (int)strspn(s->p->text + close, " \t")] != ':') return NULL;
    const char *head = cut(s, since(s, at, ";{"), at), *range = range_written(s, open + 1, close - 1);
    return arena_printf(s->p->arena, "write %s in %s { ... }", head, range);
}

const char *slip_written(const Slip *s) {
    static const char *(*const all[])(const Slip *) = {
        default_without_type, type_in_brackets, type_without_size, many_results,
        python_loop,          type_before_name, range_as_value,    matrix_rows,
    };
    const char *hint = NULL;
    for (size_t i = 0; !hint && i < sizeof all / sizeof *all; i++) hint = all[i](s);
    return hint;
}

const char *slip_call(const Slip *s) {
    bool value = s->found.kind == NAME || s->found.kind == INT || s->found.kind == FLOAT;
    if (!value || s->last.kind != NAME || !slip_wants_operator(s) || slip_wants(s, "','")) return NULL;
    return arena_printf(s->p->arena, "is this a call? It needs brackets: %s(%s)", word_of(s, s->last.at),
                        word_of(s, s->found.at));
}
