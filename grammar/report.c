/* Messages for text that does not fit: "expected X, found Y", where X is put together from the tokens
 * that the grammar would take, and hints for slips common among those who know another language. */
#include "grammar/slip.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- characters */

bool source_is_text(Session *s, int file) {
    size_t len;
    const char *text = source_text(s, file, &len), *nul = memchr(text, 0, len);
    int size = (int)len;
    if (nul) {
        int at = (int)(nul - text);
        diag_report(s, (Span){file, at, at + 1, 0}, E_BAD_CHAR, "NUL (byte 0)");
        return false;
    }
    int32_t c;
    for (int i = 0, n; i < size; i += n) {
        n = utf8_next(text + i, size - i, &c);
        if (c >= 0) continue;
        Diag *d = diag_report(s, (Span){file, i, i + 1, 0}, E_BAD_UTF8, (unsigned char)text[i]);
        diag_hint(s, d, "save the file as UTF-8");
        return false;
    }
    return true;
}

/* Characters that word processors and other languages put in the place of ours */
static const struct { const char *seen, *ours; } lookalikes[] = {
    {"\u201c", "\""}, {"\u201d", "\""}, {"\u2018", "\""}, {"\u2019", "\""}, {"\u2212", "-"}, {"\u2013", "-"},
    {"\u00d7", "*"}, {"\u00b7", "*"}, {"\u22c5", "*"}, {"\u00f7", "/"}, {"\u2264", "<="}, {"\u2265", ">="},
    {"\u2260", "!="}, {"\u00b2", "^2"}, {"\u00b3", "^3"}, {"\u2208", "in"}, {"\u2192", "->"}, {"\u21d2", "=>"},
    {"\u03c0", "pi"}, {"\u00a0", " "}, {"\u3000", " "}, {"\u200b", ""}, {"\\", ""},
};

void report_bad_char(Parser *p, Span at) {
    unsigned char c = (unsigned char)p->text[at.lo];
    int n = at.hi - at.lo;
    const char *shown = c < 0x20 || c == 0x7f ? arena_printf(p->arena, "byte 0x%02x", c)
                                             : arena_printf(p->arena, "'%.*s'", n, p->text + at.lo);
    Diag *d = diag_report(p->s, at, E_BAD_CHAR, shown);
    if (c == '?') diag_hint(p->s, d, "a choice is written if c { a } else { b }");
    bool ends_line = p->text[at.hi + (int)strspn(p->text + at.hi, " \t\r")] == '\n';
    if (c == '\\' && !ends_line) diag_hint(p->s, d, "a linear system is solved by solve(a, b)");
    else if (c == '\\') diag_hint(p->s, d, "a statement goes on after an operator or a comma, and inside ( ) and [ ]");
    if (c == '"') diag_hint(p->s, d, "text stands in double quotes");
    for (size_t i = 0; i < sizeof lookalikes / sizeof *lookalikes; i++)
        if (parse_text_is(p, at, lookalikes[i].seen) && *lookalikes[i].ours) {
            diag_hint(p->s, d, "write %s", *lookalikes[i].ours == ' ' ? "a plain space" : lookalikes[i].ours);
            bool product = *lookalikes[i].ours == '*'; /* of numbers, or vectors: a dot or a cross product */
            diag_fix(p->s, d, !product, at, "%s", lookalikes[i].ours);
        }
    p->hush = true;
}

/* The whole of what is to be written, and not an example */
static bool is_word_or_operator(const char *right) {
    static const char *const all[] = {"and", "or", "not", "^", "^=", "==", "=", "else if", "fn", ".T"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(right, all[i])) return true;
    return false;
}

void report_foreign(Parser *p, Span at, const char *right) {
    if (p->recovering) return;
    bool comment = *right == '#', quote = *right == '"', transpose = *right == '.';
    int n = comment ? 2 : quote ? 1 : at.hi - at.lo;
    Diag *d = diag_report(p->s, at, E_FOREIGN, n, p->text + at.lo);
    if (comment) diag_hint(p->s, d, "comments begin with # and end with the line");
    else if (quote) diag_hint(p->s, d, "text stands in double quotes");
    else if (transpose) diag_hint(p->s, d, "a.T transposes; products of matrices and vectors are a @ b, r @ r");
    else diag_hint(p->s, d, "write %s", right);
    const char *rest = p->text + at.hi + strspn(p->text + at.hi, " ");
    bool product = transpose && (*rest == '*' || *rest == '.'); /* which @ is here */
    if (is_word_or_operator(right)) diag_fix(p->s, d, !product, at, "%s%s", right, strcmp(right, "not") ? "" : " ");
}

void report_bang(Parser *p, Span at) {
    int n = at.hi - at.lo;
    const char *name = arena_printf(p->arena, "%.*s", n - 1, p->text + at.lo);
    Diag *d = diag_report(p->s, at, E_FOREIGN, n, p->text + at.lo);
    const Foreign *f = foreign_function(name);
    if (f) diag_hint(p->s, d, "%s", f->hint);
    else diag_hint(p->s, d, "functions change none of their arguments: x = %s(x)", name);
}

/* ---- expected X */

bool slip_wants(const Slip *s, const char *name) {
    for (int i = 0; i < s->n; i++)
        if (!strcmp(s->expected[i], name)) return true;
    return false;
}
static bool wants_statement(const Slip *s) { return slip_wants(s, "let"); }
static bool wants_value(const Slip *s) { return slip_wants(s, "int"); }
bool slip_wants_operator(const Slip *s) { return slip_wants(s, "multiplication"); }
bool slip_wants_type(const Slip *s) { return slip_wants(s, "name") && slip_wants(s, "fn") && !wants_value(s); }
static bool wants_name(const Slip *s) { return slip_wants(s, "name") && !wants_value(s) && !slip_wants_type(s); }

typedef struct Words { const char *v[8]; int n; } Words;
static void add_word(Words *w, const char *word) {
    if (w->n < 8) w->v[w->n++] = word;
}

/* Kinds of phrases first, then single tokens; those that only go on with a value (a call, an index, an
 * operator) are left out where the value could also end. */
static void expected_words(const Slip *s, Words *w) {
    static const char *const single[] = {"')'", "']'", "'}'",  "','", "':'", "=>",
                                         "->",  "in",  "else", "..",  "for", NULL};
    static const char *const opening[] = {"'='", "'('", "'['", "'{'", NULL};
    bool starts = wants_value(s), follows = slip_wants_operator(s);
    if (wants_statement(s)) {
        add_word(w, "a statement");
        return;
    }
    if (starts) add_word(w, "an expression");
    else if (slip_wants_type(s)) add_word(w, "a type");
    else if (slip_wants(s, "name")) add_word(w, "a name");
    if (slip_wants(s, "string") && !starts) add_word(w, "a text in double quotes");
    for (int i = 0; single[i]; i++)
        if (slip_wants(s, single[i]) && !(slip_wants_type(s) && !strcmp(single[i], "in")) &&
            !(follows && !strcmp(single[i], "for")))
            add_word(w, single[i]);
    for (int i = 0; opening[i]; i++) {
        bool brace = !strcmp(opening[i], "'{'");
        if (slip_wants(s, opening[i]) && !starts && !slip_wants_type(s) && (!follows || brace)) add_word(w, opening[i]);
    }
    if (follows && (!w->n || slip_wants(s, "newline"))) add_word(w, "an operator");
    if (slip_wants(s, "newline") && !starts) add_word(w, "the end of the line");
    if (slip_wants(s, "while")) add_word(w, "a statement");
    for (int i = 0; !w->n && i < s->n; i++) add_word(w, s->expected[i]);
}

static const char *quoted(const Parser *p, const char *word) {
    return *word >= 'a' && *word <= 'z' && strchr(word, ' ') ? word
         : *word == '\'' ? word
                         : arena_printf(p->arena, "'%s'", word);
}

static const char *expected_text(const Slip *s) {
    Words w = {0};
    Text t;
    expected_words(s, &w);
    text_init(&t, s->p->arena);
    for (int i = 0; i < w.n; i++)
        text_printf(&t, "%s%s", i == 0 ? "" : i == w.n - 1 ? " or " : ", ", quoted(s->p, w.v[i]));
    return text_str(&t);
}

static const char *found_text(const Slip *s) {
    const Parser *p = s->p;
    Span at = s->found.at;
    if (at.lo >= p->len)
        return p->text[p->len] ? arena_printf(p->arena, "'%c'", p->text[p->len]) : "the end of the file";
    if (s->found.kind == NL && !s->found.made) return "the end of the line";
    if (s->found.kind == STRING || s->found.kind == FORMATTED) return "a text";
    if (s->found.kind == CELL) return "a cell";
    if (at.hi == at.lo) at.hi++;
    return arena_printf(p->arena, "'%.*s'", at.hi - at.lo, p->text + at.lo);
}

/* ---- slips: each row says when it applies and what to write */

static bool last_is(const Slip *s, const char *word) { return parse_text_is(s->p, s->last.at, word); }
static bool found_is(const Slip *s, const char *word) { return parse_text_is(s->p, s->found.at, word); }
static bool adjacent(const Slip *s) { return s->last.at.hi == s->found.at.lo; }
static char char_after(const Slip *s) { return s->p->text[s->found.at.hi]; }

static bool takes_block(int statement) {
    switch (statement) {
    case IF: case ELSE: case WHILE: case FOR: case PARALLEL: case FN: case KERNEL: case TEST: case BENCH: case EXPORT:
        return true;
    }
    return false;
}
static bool slip_colon(const Slip *s) {
    return s->found.kind == ':' && (takes_block(s->p->statement) || s->last.kind == ELSE) &&
           s->found.depth == s->found.level;
}
static bool slip_colon_before(const Slip *s) {
    return s->found.kind == NL && s->last.kind == ':' && s->p->statement == FOR;
}
static bool slip_brace_below(const Slip *s) {
    if (s->found.kind != NL || !slip_wants(s, "'{'")) return false;
    const char *c = s->p->text + s->found.at.hi;
    return c[strspn(c, " \t\r\n")] == '{';
}
static bool slip_no_brace(const Slip *s) {
    return slip_wants(s, "'{'") && takes_block(s->p->statement) && s->found.kind == NL;
}
static bool slip_c_for(const Slip *s) { return s->found.kind == '(' && s->last.kind == FOR; }
static bool slip_equal(const Slip *s) { return s->found.kind == '=' && s->found.depth > s->found.level; }
static bool slip_return_list(const Slip *s) { return s->found.kind == ',' && s->p->statement == RETURN; }
static bool slip_let_list(const Slip *s) {
    return s->found.kind == ',' && (s->p->statement == LET || s->p->statement == VAR || s->p->statement == CONST);
}
static bool slip_assign_list(const Slip *s) {
    return s->found.kind == ',' && s->p->statement == NAME && s->found.depth == s->found.level;
}
static bool slip_prefix_string(const Slip *s) { return s->found.kind == STRING && s->last.kind == NAME && adjacent(s); }
/* Words after // on one line */
static bool slip_comment(const Slip *s) {
    if (found_is(s, "//") || last_is(s, "//")) return !slip_wants_operator(s);
    if (s->found.kind != NAME || s->last.kind != NAME) return false;
    for (int i = s->found.at.lo - 1; i > 0 && s->p->text[i] != '\n'; i--)
        if (s->p->text[i] == '/' && s->p->text[i - 1] == '/') return true;
    return false;
}
static bool slip_point(const Slip *s) {
    return s->found.kind == '.' && wants_value(s) && strchr("0123456789", char_after(s));
}
static bool slip_brace_value(const Slip *s) { return s->found.kind == '{' && wants_value(s) && !wants_statement(s); }
static bool slip_else(const Slip *s) { return s->found.kind == ELSE; }
static bool slip_print(const Slip *s) { return last_is(s, "print") && slip_wants_operator(s); }
static bool slip_return_type(const Slip *s) { return s->found.kind == GIVES && slip_wants(s, "=>"); }
static bool slip_arrow_body(const Slip *s) { return s->found.kind == ARROW && slip_wants(s, "'='"); }
static bool slip_lambda_arrow(const Slip *s) {
    return (s->found.kind == GIVES || s->found.kind == ARROW) && slip_wants_operator(s);
}
static bool slip_lambda_bar(const Slip *s) {
    return (found_is(s, "|") || found_is(s, "@")) && wants_value(s) && !wants_statement(s) &&
           s->last.kind != s->found.kind;
}
static bool slip_lambda(const Slip *s) { return last_is(s, "lambda") && slip_wants_operator(s); }
static bool slip_lambda_block(const Slip *s) { return s->found.kind == '{' && slip_wants(s, "=>"); }
static bool slip_magic(const Slip *s) {
    return wants_statement(s) && found_is(s, "%") && isalpha((unsigned char)char_after(s));
}
static bool slip_percent(const Slip *s) { return wants_statement(s) && found_is(s, "%"); }
static bool slip_decorator(const Slip *s) {
    return wants_statement(s) && found_is(s, "@") && isalpha((unsigned char)char_after(s));
}
static bool slip_variance(const Slip *s) {
    return s->found.kind == VAR && wants_value(s) && !wants_statement(s) && char_after(s) == '(';
}
static bool slip_new(const Slip *s) { return last_is(s, "new") && s->found.kind == NAME && slip_wants_operator(s); }
static bool slip_leading_operator(const Slip *s) {
    static const int kinds[] = {CMP, SHIFT, MULOP, '|', '&', '^', AND, OR, XOR, '.', '='};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (s->found.kind == kinds[i] && wants_statement(s)) return true;
    return false;
}
static bool follows_type(const Slip *s) {
    static const char *const types[] = {"int", "float", "double", "auto", "long", "char", "string"};
    if (s->found.kind != NAME || s->last.kind != NAME) return false;
    DType t;
    int n = s->last.at.hi - s->last.at.lo;
    if (dtype_find(arena_printf(s->p->arena, "%.*s", n, s->p->text + s->last.at.lo), &t)) return true;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (last_is(s, types[i])) return true;
    return false;
}
bool slip_binds(const Slip *s) { return s->p->statement == LET || s->p->statement == VAR || s->p->statement == CONST; }
static bool slip_typed_param(const Slip *s) {
    return follows_type(s) && slip_wants(s, "':'") && takes_block(s->p->statement) && s->found.depth > s->found.level;
}
static bool slip_dots(const Slip *s) { return found_is(s, ".."); }
static bool slip_struct_braces(const Slip *s) {
    return s->found.kind == '{' && s->last.kind == NAME && adjacent(s) && slip_wants_operator(s);
}
static bool slip_mut(const Slip *s) { return slip_binds(s) && last_is(s, "mut") && s->found.kind == NAME; }
static bool slip_equal_for(const Slip *s) { return s->found.kind == '=' && s->p->statement == FOR; }
static bool slip_dot_operator(const Slip *s) {
    return s->last.kind == '.' &&
           (s->found.kind == MULOP || s->found.kind == '^' || s->found.kind == '+' || s->found.kind == '-');
}
static bool slip_if_behind(const Slip *s) { return s->found.kind == IF && slip_wants_operator(s); }
static bool slip_unequal(const Slip *s) {
    return s->last.kind == CMP && last_is(s, "<") && found_is(s, ">") && adjacent(s);
}
static bool slip_semicolon_rows(const Slip *s) {
    return s->found.kind == ';' && s->found.depth > s->found.level && slip_wants(s, "']'");
}
static bool slip_member(const Slip *s) {
    return s->found.kind == IN && slip_wants_operator(s) && s->p->statement != FOR && s->p->statement != PARALLEL;
}
static bool slip_type_twice(const Slip *s) { return s->found.kind == '[' && s->last.kind == ']'; }
static bool slip_launch(const Slip *s) {
    return s->p->statement == LAUNCH && s->found.kind == '(' && slip_wants(s, "'['");
}
static bool slip_import(const Slip *s) { return s->last.kind == IMPORT; }
static bool slip_angle_launch(const Slip *s) { return s->found.kind == SHIFT && s->p->statement == LAUNCH; }
static bool slip_cuda_launch(const Slip *s) { return s->last.kind == SHIFT && found_is(s, "<"); }
static bool slip_missing_comma(const Slip *s) {
    return slip_wants(s, "','") &&
           (s->found.kind == NAME || s->found.kind == INT || s->found.kind == FLOAT || s->found.kind == STRING);
}
static bool slip_reserved_value(const Slip *s) {
    return wants_value(s) && strchr("abcdefghijklmnopqrstuvwxyz", *s->name) && s->found.kind > 255 &&
           s->found.kind == IN;
}
static bool slip_then(const Slip *s) { return found_is(s, "then") || found_is(s, "do"); }
static bool slip_export(const Slip *s) { return s->last.kind == EXPORT; }
static bool slip_open_size(const Slip *s) {
    return (s->found.kind == ':' || s->found.kind == ']') && s->last.kind == '[' && slip_wants(s, "..");
}
static bool slip_two_colons(const Slip *s) { return s->found.kind == ':' && s->last.kind == ':' && adjacent(s); }
static bool slip_dot_call(const Slip *s) { return s->found.kind == '(' && s->last.kind == '.'; }
static bool slip_import_as(const Slip *s) { return s->last.kind == STRING && found_is(s, "as"); }
static bool slip_typed_field(const Slip *s) { return follows_type(s) && !slip_binds(s) && slip_wants(s, "':'"); }
/* (int) 3.7 */
static bool slip_cast(const Slip *s) {
    const char *end = s->p->text + s->last.at.lo, *word = end;
    if (s->last.kind != ')' || !slip_wants_operator(s)) return false;
    while (word > s->p->text && isalnum((unsigned char)word[-1])) word--;
    const char *name = arena_printf(s->p->arena, "%.*s", (int)(end - word), word);
    DType t;
    bool is_type = !strcmp(name, "int") || !strcmp(name, "float") || !strcmp(name, "double") || dtype_find(name, &t);
    return is_type && word > s->p->text && word[-1] == '(';
}
static bool slip_unbraced(const Slip *s) {
    return slip_wants(s, "'{'") && takes_block(s->p->statement) && s->found.depth == s->found.level;
}
/* f(&a[i]) */
static bool slip_address(const Slip *s) {
    return s->found.kind == '&' && wants_value(s) && (s->last.kind == '(' || s->last.kind == ',');
}
static bool slip_index_gap(const Slip *s) { return s->last.kind == '[' && s->found.kind == ']'; }

/* [.. for i in a for j in b] */
static bool slip_two_fors(const Slip *s) {
    return s->found.kind == FOR && slip_wants(s, "','") && (slip_wants(s, "']'") || slip_wants(s, "')'"));
}

static const struct { bool (*applies)(const Slip *); const char *hint; } slips[] = {
    {slip_comment, "'//' divides; comments begin with #"},
    {slip_colon, "the body stands in braces: write { ... } instead of ':'"},
    {slip_brace_below, "put the '{' at the end of this line"},
    {slip_then, "the body stands in braces: { ... }"},
    {slip_no_brace, "the body stands in braces: { ... }"},
    {slip_c_for, "write for i in 0:n { ... }, or for x in xs { ... }"},
    {slip_cuda_launch, "write launch k[grid, block](...)"},
    {slip_angle_launch, "write launch k[grid, block](...)"},
    {slip_equal_for, "write for i in 0:n { ... }: the first index is 0, and a range leaves out its end"},
    {slip_equal, "'==' compares; '=' stands only in assignments and named arguments"},
    {slip_return_list, "several values are a tuple: return (a, b)"},
    {slip_let_list, "several names stand in brackets: let (a, b) = ..."},
    {slip_assign_list, "several targets stand in brackets: (a, b) = (b, a)"},
    {slip_prefix_string, "texts are written \"...\", with values in them f\"x = {x}\""},
    {slip_point, "a number begins with a digit: 0.5"},
    {slip_lambda_block, "a lambda is one expression: fn(x) => x + 1"},
    {slip_typed_param, "the type stands behind the name and a colon: fn f(r: f64)"},
    {slip_dots, "a range is written 0:n"},
    {slip_struct_braces, "a struct is made like a call: P(x=1.0, n=2)"},
    {slip_brace_value, "braces make blocks; arrays stand in [ ]"},
    {slip_two_fors, "several ranges are parted by commas: for i in a, j in b"},
    {slip_else, "there is no 'if' right before this 'else'"},
    {slip_print, "calls need brackets: print(x, y)"},
    {slip_return_type, "a lambda is written fn(x) => x + 1"},
    {slip_lambda_arrow, "a lambda is written fn(x) => x + 1"},
    {slip_lambda_bar, "a lambda is written fn(x) => x + 1"},
    {slip_arrow_body, "the short form is written fn f(x: f64) = x + 1"},
    {slip_lambda, "a lambda is written fn(x) => x + 1"},
    {slip_decorator, "there are no decorators; to go on with the line above, put the operator at its end"},
    {slip_magic,
     "comments begin with #; there are no magic commands; to go on with the line above, put the operator at its end"},
    {slip_percent, "comments begin with #; to go on with the line above, put the operator at its end"},
    {slip_variance, "the variance is variance(x)"},
    {slip_new, "a struct is made like a call, without new: P(x=1.0, n=2)"},
    {slip_export,
     "functions alone are exported, also such as launch a kernel: export fn f(x: f64[n]) -> f64[n] { ... }"},
    {slip_open_size, "sizes have names: f64[n], f64[n, m]"},
    {slip_two_colons, "a type stands behind one colon: x: int"},
    {slip_dot_call, "functions of numbers take arrays as they are, element by element: sin(x)"},
    {slip_import_as, "names of another file have no prefix: import \"file.dsl\" is all"},
    {slip_typed_field, "the type stands behind the name and a colon: struct P { x: f64, n: int }"},
    {slip_cast, "a conversion is a call: int(3.7)"},
    {slip_leading_operator, "to go on with the line above, put the operator at its end"},
    {slip_mut, "write var x = 3; var varies, let does not"},
    {slip_dot_operator, "operators work element by element as they are, x * y; the matrix product is x @ y"},
    {slip_unequal, "write !="},
    {slip_semicolon_rows, "rows are arrays, [[1, 2], [3, 4]]; an array of equal elements is full(0.0, n)"},
    {slip_member, "write any(x == v)"},
    {slip_type_twice, "arrays of several axes are written f64[n, m]"},
    {slip_launch, "say how many threads: launch k[grid, block](...)"},
    {slip_import, "write import \"file.dsl\"; functions of the library are there without import"},
    {slip_if_behind, "a choice is written if c { a } else { b }"},
    {slip_address, "there are no addresses: an element is a[i]; atomicAdd(&a[i], v) is atomic a[i] += v"},
    {slip_index_gap, "all elements are x[:]"},
    {slip_reserved_value, "this word is reserved and cannot be a name"},
    {slip_unbraced, "the body stands in braces: { ... }"},
    {slip_missing_comma, "is a comma missing here?"},
};

/* The line begins with a word of another language that another word follows. */
static const Foreign *foreign_word(const Slip *s) {
    Span at = s->last.at;
    if (s->last.kind != NAME || !s->last.first || !slip_wants_operator(s)) return NULL;
    return foreign_find(FOREIGN_WORD, arena_printf(s->p->arena, "%.*s", at.hi - at.lo, s->p->text + at.lo));
}

static void add_hint(const Slip *s, Diag *d) {
    const Foreign *foreign = foreign_word(s);
    const char *hint = foreign ? foreign->hint : slip_written(s);
    for (size_t i = 0; !hint && i < sizeof slips / sizeof *slips; i++)
        if (slips[i].applies(s)) hint = slips[i].hint;
    if (!hint) hint = slip_call(s);
    if (hint) diag_hint(s->p->s, d, "%s", hint);
}

/* ---- which message */

/* Words that begin statements and nothing else */
static bool only_begins(int kind) {
    switch (kind) {
    case LET: case VAR: case CONST: case WHILE: case BREAK: case CONTINUE: case RETURN: case LAUNCH: case BARRIER:
    case SHARED: case ATOMIC: case SPAWN: case SYNC: case PARALLEL: case ASSERT:
        return true;
    }
    return false;
}

/* A token at the beginning of a line that cannot go on inside an open bracket: the bracket should have
 * been closed before. */
static bool unclosed_bracket(const Slip *s) {
    const Parser *p = s->p;
    if (!s->found.first || s->found.depth <= s->found.level || !p->open.len) return false;
    if (s->found.kind < 256 || wants_value(s)) return false;
    return only_begins(s->found.kind) || parse_indent(p, s->found.at.lo) <= vec_last(&p->open).indent;
}

/* The line before ends where a value is needed, and what follows begins something else. */
static bool lacks_value(const Slip *s) {
    const char *rest = s->p->text + s->last.at.hi;
    bool ends = strchr("\r\n#", rest[strspn(rest, " \t")]) && s->last.at.hi > s->last.at.lo;
    return ends && s->found.first && s->found.depth == s->found.level && wants_value(s) && !wants_statement(s);
}

static bool is_keyword(const Slip *s) {
    return s->found.kind >= FN && s->found.kind != CELL && s->name[0] >= 'a' && s->name[0] <= 'z' &&
           parse_text_is(s->p, s->found.at, s->name);
}

/* The & or | between this comparison and the one before; 0: there is none */
static char bits_between(const Slip *s) {
    const char *text = s->p->text;
    int depth = 0;
    for (int i = s->found.at.lo - 1; i > 0 && text[i] != '\n' && depth >= 0; i--) {
        char c = text[i];
        depth += (c == ')' || c == ']') - (c == '(' || c == '[');
        bool doubled = text[i - 1] == c || text[i + 1] == c;
        if (depth || doubled) continue;
        if (c == '&' || c == '|') return c;
        if (strchr("<>=", c)) return 0;
    }
    return 0;
}

static void report_chained(const Slip *s) {
    Diag *d = diag_report(s->p->s, s->found.at, E_CHAINED);
    char bits = bits_between(s);
    if (bits)
        diag_hint(s->p->s, d, "comparisons are combined with '%s': a < b %s c < d; '%c' is for bits and binds tighter",
                  bits == '&' ? "and" : "or", bits == '&' ? "and" : "or", bits);
    else diag_hint(s->p->s, d, "write a < b and b < c");
}

static void report_slip(Parser *p, const Slip *s) {
    if (unclosed_bracket(s)) {
        Bracket b = vec_last(&p->open);
        Diag *d = diag_report(p->s, b.at, E_UNCLOSED, b.open);
        diag_note(p->s, d, s->found.at, "expected %s before this", expected_text(s));
        p->unclosed = true;
    } else if (s->found.kind == CMP && slip_wants_operator(s)) {
        report_chained(s);
    } else if (is_keyword(s) && wants_name(s)) {
        diag_report(p->s, s->found.at, E_RESERVED, s->name);
    } else if (lacks_value(s)) {
        const char *text = arena_printf(p->arena, "expected %s after '%.*s'", expected_text(s),
                                        s->last.at.hi - s->last.at.lo, p->text + s->last.at.lo);
        diag_report(p->s, s->last.at, E_SYNTAX, text);
    } else if (slip_colon_before(s)) {
        const char *ours = slip_written(s);
        diag_hint(p->s, diag_report(p->s, s->last.at, E_NO_BRACE, "':'"), "%s",
                  ours ? ours : "the body stands in braces: write { ... } instead of ':'");
    } else if (slip_colon(s) || slip_no_brace(s)) {
        add_hint(s, diag_report(p->s, s->found.at, E_NO_BRACE, found_text(s)));
    } else {
        const char *text = arena_printf(p->arena, "expected %s, found %s", expected_text(s), found_text(s));
        add_hint(s, diag_report(p->s, s->found.at, E_SYNTAX, text));
    }
}

void report_unexpected(Parser *p, const char *found, const char *const *expected, int n) {
    if (p->quiet) return;
    Slip s = {p, p->current, p->last, found, expected, n};
    report_slip(p, &s);
}
