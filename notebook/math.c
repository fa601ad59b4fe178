/* Formulas in the notation of TeX (a subset: math_symbols.def) to MathML, which browsers draw without help.
 *
 * A row is parsed by recursive descent into atoms, each with its scripts; every function returns one element as text.
 * Spaces follow from the kinds of neighbours, mostly through the operator dictionary of MathML Core.  An unknown
 * command stands in the formula as it was written; a formula whose braces do not match, or that is nested too deeply,
 * is shown as its source. */
#include "notebook/math.h"

#include <string.h>

enum { MAX_NESTING = 50, MAX_LENGTH = 5000 };

static const Symbol symbols[] = {
#define SYMBOL(kind, name, text) {kind, name, text},
#include "notebook/math_symbols.def"
#undef SYMBOL
};

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void skip_spaces(Tex *t) {
    while (t->at < t->end && is_space(*t->at)) t->at++;
}

/* ---- what stands here */

/* Length of the command's name, without the backslash; 0: none */
static int command_length(const Tex *t) {
    const char *c = t->at + 1;
    if (t->at >= t->end || *t->at != '\\' || c >= t->end) return 0;
    while (c < t->end && is_letter(*c)) c++;
    int32_t point;
    if (c == t->at + 1) return utf8_next(c, (int)(t->end - c), &point);
    return (int)(c - t->at - 1);
}

static bool at_command(const Tex *t, const char *name) {
    int n = command_length(t);
    return n == (int)strlen(name) && !memcmp(t->at + 1, name, (size_t)n);
}

const Symbol *math_command(const Tex *t, int *len) {
    *len = command_length(t);
    for (size_t i = 0; *len && i < sizeof symbols / sizeof *symbols; i++)
        if (!strncmp(symbols[i].name, t->at + 1, (size_t)*len) && !symbols[i].name[*len]) return &symbols[i];
    return NULL;
}

/* The sign itself, typed instead of its name */
static const Symbol *symbol_typed(const char *s, int n) {
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (symbols[i].kind <= INTEGRAL && !strncmp(symbols[i].text, s, (size_t)n) && !symbols[i].text[n])
            return &symbols[i];
    return NULL;
}

bool math_skip(Tex *t, const char *text) {
    size_t n = strlen(text);
    skip_spaces(t);
    if (*text == '\\' ? !at_command(t, text + 1) : (size_t)(t->end - t->at) < n || memcmp(t->at, text, n) != 0)
        return false;
    t->at += n;
    return true;
}

bool math_raw(Tex *t, const char **text, int *len) {
    int open = 1;
    if (!math_skip(t, "{")) return t->bad = true, false;
    for (*text = t->at; t->at < t->end; t->at++) {
        if (*t->at == '\\' && t->at + 1 < t->end) t->at++;
        else if (*t->at == '{') open++;
        else if (*t->at == '}' && --open == 0) return *len = (int)(t->at++ - *text), true;
    }
    return t->bad = true, false;
}

static bool row_ends(Tex *t) {
    skip_spaces(t);
    if (t->at >= t->end || *t->at == '}' || *t->at == '&' || (*t->at == ']' && t->in_option)) return true;
    return at_command(t, "\\") || at_command(t, "end") || at_command(t, "right") || at_command(t, "middle");
}

/* ---- single signs */

static const char *escaped(Tex *t, const char *s, int n) {
    Text out;
    text_init(&out, t->arena);
    put_html(&out, s, (size_t)n);
    return text_str(&out);
}

static const char *identifier(Tex *t, const char *s, int n, bool upright) {
    int32_t c;
    int used = utf8_next(s, n, &c);
    int32_t to = used == n && t->font ? math_letter(t->font, c) : c;
    if (to != c) return arena_printf(t->arena, "<mi>&#x%X;</mi>", (unsigned)to);
    upright |= t->font == 'r';
    return arena_printf(t->arena, "<mi%s>%s</mi>", upright && used == n ? " mathvariant=\"normal\"" : "",
                        escaped(t, s, n));
}

/* A sign before which nothing stands that it could connect is a prefix: -x, e^+ */
static bool connects(MathKind before) {
    return before == LETTER || before == UPRIGHT || before == ORDINARY || before == CLOSE || before == BAR ||
           before == FENCED;
}

static Atom sign(Tex *t, MathKind kind, const char *text, int n, MathKind before) {
    static const char *const attributes[] = {
        [OPEN] = " form=\"prefix\" stretchy=\"false\"",
        [CLOSE] = " form=\"postfix\" stretchy=\"false\"",
        [BAR] = " stretchy=\"false\" lspace=\"0\" rspace=\"0\"",
        [PUNCT] = " separator=\"true\"",
        [ORDINARY] = " lspace=\"0\" rspace=\"0\"",
        [SUM] = "",
        [INTEGRAL] = "",
        [RELATION] = "",
        [BINARY] = "",
    };
    const char *how = attributes[kind];
    if (kind == BINARY && !connects(before)) how = " form=\"prefix\" lspace=\"0\" rspace=\"0\"";
    else if (t->in_script && (kind == BINARY || kind == RELATION)) how = " lspace=\"0\" rspace=\"0\"";
    return (Atom){kind, arena_printf(t->arena, "<mo%s>%s</mo>", how, escaped(t, text, n)), kind == SUM};
}

Atom math_function(Tex *t, MathKind kind, const char *name) {
    const char *form = kind == LIMIT ? "<mo movablelimits=\"true\" lspace=\"0\" rspace=\"0\">%s</mo>" : "<mi>%s</mi>";
    if (strlen(name) == 1) form = "<mi mathvariant=\"normal\">%s</mi>";
    Text out;
    text_init(&out, t->arena);
    text_printf(&out, form, escaped(t, name, (int)strlen(name)));
    return (Atom){kind, text_str(&out), kind == LIMIT};
}

static Atom unknown(Tex *t, int len) {
    const char *from = t->at;
    t->at += len + 1;
    if (!t->unknown) t->unknown = arena_strndup(t->arena, from, (size_t)len + 1);
    return (Atom){ORDINARY, arena_printf(t->arena, "<mtext class=\"unknown\">%s</mtext>", escaped(t, from, len + 1)),
                  false};
}

static Atom command(Tex *t, MathKind before) {
    int len;
    const Symbol *s = math_command(t, &len);
    if (!len) t->bad = true;
    if (!s) return unknown(t, len);
    t->at += len + 1;
    int n = (int)strlen(s->text);
    switch (s->kind) {
    case LETTER: case UPRIGHT: return (Atom){s->kind, identifier(t, s->text, n, s->kind == UPRIGHT), false};
    case BINARY: case RELATION: case OPEN: case CLOSE: case BAR: case PUNCT: case SUM: case INTEGRAL:
        return sign(t, s->kind, s->text, n, before);
    case FUNCTION: case LIMIT: return math_function(t, s->kind, s->text);
    case SPACE: return (Atom){SPACE, arena_printf(t->arena, "<mspace width=\"%s\"/>", s->text), false};
    default: return math_built(t, s);
    }
}

/* ---- characters */

static Atom number(Tex *t, bool one_digit) {
    Text out;
    text_init(&out, t->arena);
    put(&out, "<mn>");
    do {
        int32_t c = math_letter(t->font, *t->at);
        text_printf(&out, c == *t->at ? "%c" : "&#x%X;", (unsigned)c);
        t->at++;
        bool point = t->end - t->at > 1 && *t->at == '.' && is_digit(t->at[1]);
        if (point && !one_digit) put(&out, "."), t->at++;
    } while (!one_digit && t->at < t->end && is_digit(*t->at));
    put(&out, "</mn>");
    return (Atom){ORDINARY, text_str(&out), false};
}

static MathKind kind_of(char c) {
    switch (c) {
    case '+': case '-': case '*': return BINARY;
    case '=': case '<': case '>': case ':': return RELATION;
    case '(': case '[': return OPEN;
    case ')': case ']': return CLOSE;
    case '|': return BAR;
    case ',': case ';': return PUNCT;
    case '/': case '!': case '?': case '.': case '@': case '"': case '`': case '%': case '#': case '$': return ORDINARY;
    }
    return LETTER;
}

static Atom character(Tex *t, MathKind before) {
    int32_t c;
    const char *from = t->at;
    MathKind kind = kind_of(*from);
    int n = utf8_next(from, (int)(t->end - from), &c);
    if (t->font == 'r' && is_letter(*from)) /* one word */
        for (n = 1; t->end - from > n && is_letter(from[n]); n++) continue;
    t->at += n;
    const Symbol *typed = c >= 0x80 ? symbol_typed(from, n) : NULL;
    if (typed) kind = typed->kind;
    if (kind == LETTER || kind == UPRIGHT) return (Atom){kind, identifier(t, from, n, kind == UPRIGHT), false};
    if (*from == '-') from = "−", n = (int)strlen(from);
    if (*from == '*') from = "∗", n = (int)strlen(from);
    return sign(t, kind, from, n, before);
}

static const char *group(Tex *t) {
    bool in_option = t->in_option;
    t->in_option = false;
    const char *xml = math_row(t);
    t->in_option = in_option;
    if (!math_skip(t, "}")) t->bad = true;
    return xml;
}

Atom math_nucleus(Tex *t, MathKind before) {
    skip_spaces(t);
    if (t->bad || t->at >= t->end) return t->bad = true, (Atom){ORDINARY, "", false};
    if (math_skip(t, "{")) return (Atom){ORDINARY, group(t), false};
    if (math_skip(t, "~")) return (Atom){SPACE, "<mspace width=\"0.25em\"/>", false};
    if (*t->at == '\\') return command(t, before);
    if (is_digit(*t->at)) return number(t, false);
    return character(t, before);
}

const char *math_argument(Tex *t) {
    skip_spaces(t);
    if (row_ends(t)) t->bad = true;
    if (++t->depth > MAX_NESTING) t->bad = true;
    const char *xml = !t->bad && is_digit(*t->at) ? number(t, true).xml : math_nucleus(t, NOTHING).xml;
    t->depth--;
    return xml;
}

const char *math_fence_at(Tex *t) {
    int len;
    skip_spaces(t);
    if (math_skip(t, ".")) return "";
    const Symbol *s = math_command(t, &len);
    bool fits = s && (s->kind == OPEN || s->kind == CLOSE || s->kind == BAR || s->kind == RELATION);
    if (fits) return t->at += len + 1, s->text;
    if (len || t->at >= t->end || !strchr("()[]|/<>", *t->at)) return t->bad = true, "";
    char c = *t->at++;
    return c == '<' ? "⟨" : c == '>' ? "⟩" : arena_strndup(t->arena, &c, 1);
}

/* ---- scripts */

static const char *script(Tex *t) {
    bool in_script = t->in_script;
    t->in_script = true;
    const char *xml = math_argument(t);
    t->in_script = in_script;
    return xml;
}

typedef struct Scripts { const char *below, *above; int primes; } Scripts;

static Scripts scripts(Tex *t, Atom *base) {
    Scripts s = {0};
    for (;;) {
        skip_spaces(t);
        if (math_skip(t, "\\limits")) base->limits = true;
        else if (math_skip(t, "\\nolimits")) base->limits = false;
        else if (math_skip(t, "'")) s.primes++;
        else if (!s.below && math_skip(t, "_")) s.below = script(t);
        else if (!s.above && math_skip(t, "^")) s.above = script(t);
        else break;
    }
    t->bad |= t->at < t->end && (*t->at == '_' || *t->at == '^'); /* two of a kind */
    return s;
}

static const char *with_primes(Tex *t, Scripts s) {
    Text out;
    if (!s.primes) return s.above;
    text_init(&out, t->arena);
    put(&out, "<mo>");
    for (int i = 0; i < s.primes; i++) put(&out, "′");
    put(&out, "</mo>");
    return s.above ? arena_printf(t->arena, "<mrow>%s%s</mrow>", text_str(&out), s.above) : text_str(&out);
}

static Atom scripted(Tex *t, MathKind before) {
    static const char *const names[2][4] = {{"", "sub", "sup", "subsup"}, {"", "under", "over", "underover"}};
    skip_spaces(t);
    bool bare = t->at < t->end && strchr("_^'", *t->at);
    Atom base = bare ? (Atom){ORDINARY, "<mrow></mrow>", false} : math_nucleus(t, before);
    Scripts s = scripts(t, &base);
    const char *above = with_primes(t, s);
    const char *name = names[base.limits][(s.below != NULL) + 2 * (above != NULL)];
    if (!*name) return base;
    base.xml = arena_printf(t->arena, "<m%s>%s%s%s</m%s>", name, base.xml, s.below ? s.below : "", above ? above : "",
                            name);
    return base;
}

/* ---- rows */

static bool is_word(MathKind k) { return k == FUNCTION || k == LIMIT; }
static bool is_plain(MathKind k) { return k == LETTER || k == UPRIGHT || k == ORDINARY; }

/* sin x, 2 log y: MathML knows no space there */
static bool needs_space(MathKind before, MathKind now) {
    bool wordy = is_word(now) || is_plain(now) || now == SUM || now == INTEGRAL;
    return (is_word(before) && wordy) || (is_word(now) && (is_plain(before) || before == CLOSE || before == FENCED));
}

const char *math_row(Tex *t) {
    Text out;
    int n = 0;
    text_init(&out, t->arena);
    if (++t->depth > MAX_NESTING) t->bad = true;
    for (MathKind before = NOTHING; !t->bad && !row_ends(t); n++) {
        Atom a = scripted(t, before);
        if (needs_space(before, a.kind)) put(&out, "<mspace width=\"0.1667em\"/>"), n++;
        put(&out, a.xml);
        before = a.kind;
    }
    t->depth--;
    return n == 1 ? text_str(&out) : arena_printf(t->arena, "<mrow>%s</mrow>", text_str(&out));
}

/* A formula with lines of its own, without an environment around them, is set like aligned ones. */
static const char *whole(Tex *t) {
    const char *from = t->at, *xml = math_row(t);
    if (t->bad || t->at >= t->end || *t->at == '}') return xml;
    t->at = from;
    return math_table(t, "rl", true);
}

static Tex begin(Arena *a, const char *tex, size_t n) {
    return (Tex){.arena = a, .at = tex, .end = tex + n, .bad = n > MAX_LENGTH || memchr(tex, 0, n)};
}

bool math_is_whole(Arena *a, const char *tex, size_t n, const char **unknown) {
    Tex t = begin(a, tex, n);
    if (!t.bad) whole(&t);
    *unknown = t.unknown;
    return !t.bad && t.at == t.end;
}

void put_math(Text *out, const char *tex, size_t n, bool display) {
    Tex t = begin(out->arena, tex, n);
    const char *xml = t.bad ? "" : whole(&t), *dollars = display ? "$$" : "$";
    if (t.bad || t.at < t.end) {
        text_printf(out, "<code class=\"formula\">%s", dollars);
        put_html(out, tex, n);
        text_printf(out, "%s</code>", dollars);
        return;
    }
    if (display) put(out, "<span class=\"formula\">");
    text_printf(out, "<math%s alttext=\"", display ? " display=\"block\"" : "");
    put_html(out, tex, n);
    text_printf(out, "\">%s</math>%s", xml, display ? "</span>" : "");
}
