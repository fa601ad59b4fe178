/* Formulas: what is built of parts. */
#include "notebook/math.h"

#include <string.h>

static Atom ordinary(const char *xml) { return (Atom){ORDINARY, xml, false}; }

static Atom fraction(Tex *t, const char *how) {
    const char *above = math_argument(t), *below = math_argument(t);
    return ordinary(arena_printf(t->arena, "<mfrac%s>%s%s</mfrac>", how, above, below));
}

static Atom binomial(Tex *t) {
    const char *above = math_argument(t), *below = math_argument(t);
    return ordinary(arena_printf(t->arena, "<mrow><mo>(</mo><mfrac linethickness=\"0\">%s%s</mfrac><mo>)</mo></mrow>",
                                 above, below));
}

static Atom root(Tex *t) {
    const char *degree = NULL;
    if (math_skip(t, "[")) {
        bool in_option = t->in_option;
        t->in_option = true;
        degree = math_row(t);
        t->in_option = in_option;
        if (!math_skip(t, "]")) t->bad = true;
    }
    const char *inside = math_argument(t);
    return ordinary(degree ? arena_printf(t->arena, "<mroot>%s%s</mroot>", inside, degree)
                           : arena_printf(t->arena, "<msqrt>%s</msqrt>", inside));
}

/* Something over or under its argument.  Not marked as accents: browsers then set spacing signs too low.  Lines are
 * borders, since few fonts have one that grows. */
static Atom accent(Tex *t, const Symbol *s) {
    const char *inside = math_argument(t), *where = s->kind == UNDER ? "under" : "over";
    if (strstr(s->name, "line"))
        return ordinary(arena_printf(t->arena, "<mrow class=\"%s\">%s</mrow>", s->name, inside));
    const char *xml = arena_printf(t->arena, "<m%s>%s<mo stretchy=\"%s\">%s</mo></m%s>", where, inside,
                                   s->kind == ACCENT ? "false" : "true", s->text, where);
    return (Atom){ORDINARY, xml, strstr(s->name, "brace") != NULL};
}

static Atom stack(Tex *t, const char *where) {
    const char *small = math_argument(t);
    return (Atom){RELATION, arena_printf(t->arena, "<m%s>%s%s</m%s>", where, math_argument(t), small, where), false};
}

static Atom in_font(Tex *t, char font) {
    char before = t->font;
    t->font = font;
    const char *xml = math_argument(t);
    t->font = before;
    return ordinary(xml);
}

/* ---- text */

static const char *plain_text(Tex *t) {
    const char *s;
    int n;
    Text out;
    text_init(&out, t->arena);
    if (!math_raw(t, &s, &n)) return "";
    for (const char *end = s + n; s < end; s++) {
        bool escape = *s == '\\' && s + 1 < end && strchr("{}$%&#_ ", s[1]);
        if (escape) s++;
        if (*s == '\\' && s + 1 < end && s[1] == ',') put(&out, "\u2009"), s++;
        else if (*s == ' ' || *s == '~') put(&out, "\u00A0"); /* MathML drops plain ones at both ends */
        else text_add(&out, s, 1);
    }
    return text_str(&out);
}

static const char *text_element(Tex *t, const char *before, const char *after, const char *style) {
    const char *inside = plain_text(t);
    Text out;
    text_init(&out, t->arena);
    put(&out, "<mtext");
    if (*style) text_printf(&out, " style=\"%s\"", style);
    text_printf(&out, ">%s", before);
    put_html(&out, inside, strlen(inside));
    text_printf(&out, "%s</mtext>", after);
    return text_str(&out);
}

static Atom operator_name(Tex *t) {
    bool limits = math_skip(t, "*");
    return math_function(t, limits ? LIMIT : FUNCTION, plain_text(t));
}

/* ---- fences */

static const char *fence(Tex *t, const char *form, const char *text) {
    Text out;
    text_init(&out, t->arena);
    if (!*text) return "";
    text_printf(&out, "<mo form=\"%s\" stretchy=\"true\">", form);
    put_html(&out, text, strlen(text));
    put(&out, "</mo>");
    return text_str(&out);
}

static Atom left_right(Tex *t) {
    Text out;
    bool in_option = t->in_option;
    t->in_option = false;
    text_init(&out, t->arena);
    text_printf(&out, "<mrow>%s", fence(t, "prefix", math_fence_at(t)));
    put(&out, math_row(t));
    while (!t->bad && math_skip(t, "\\middle")) {
        put(&out, fence(t, "infix", math_fence_at(t)));
        put(&out, math_row(t));
    }
    t->in_option = in_option;
    if (!math_skip(t, "\\right")) t->bad = true;
    else text_printf(&out, "%s</mrow>", fence(t, "postfix", math_fence_at(t)));
    return (Atom){FENCED, text_str(&out), false};
}

static bool opens(const char *fence) {
    static const char *const all[] = {"(", "[", "{", "⟨", "⌊", "⌈"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i], fence)) return true;
    return false;
}

static Atom sized(Tex *t, const Symbol *s) {
    const char *text = math_fence_at(t);
    char side = s->name[strlen(s->name) - 1];
    MathKind kind = side == 'l' || (side == 'g' && opens(text)) ? OPEN : CLOSE;
    Text out;
    text_init(&out, t->arena);
    text_printf(&out, "<mo form=\"%s\" stretchy=\"true\" symmetric=\"true\" minsize=\"%s\" maxsize=\"%s\">",
                kind == OPEN ? "prefix" : "postfix", s->text, s->text);
    put_html(&out, text, strlen(text));
    put(&out, "</mo>");
    return (Atom){kind, text_str(&out), false};
}

/* ---- tables */

static void skip_line_space(Tex *t) { /* \\[1ex] */
    if (t->at < t->end && *t->at == '[')
        while (t->at < t->end && *t->at++ != ']') continue;
}

static bool table_ends(Tex *t) {
    while (math_skip(t, "\\hline")) continue;
    Tex ahead = *t;
    return t->at >= t->end || *t->at == '}' || math_skip(&ahead, "\\end");
}

/* Cells hold blocks, which -webkit-right moves and right does not; Firefox knows it, too. */
static void put_table_row(Tex *t, Text *out, const char *align) {
    put(out, "<mtr>");
    int columns = (int)strlen(align), column = 0;
    do {
        char a = columns ? align[column++ % columns] : 'c';
        const char *style = a == 'l'   ? " style=\"text-align:left\""
                            : a == 'r' ? " style=\"text-align:-webkit-right\""
                                       : "";
        text_printf(out, "<mtd%s>%s</mtd>", style, math_row(t));
    } while (!t->bad && math_skip(t, "&"));
    put(out, "</mtr>");
}

const char *math_table(Tex *t, const char *align, bool display) {
    Text out;
    text_init(&out, t->arena);
    text_printf(&out, "<mtable%s>", display ? " class=\"aligned\" displaystyle=\"true\"" : "");
    bool more = !table_ends(t);
    while (more && !t->bad) {
        put_table_row(t, &out, align);
        more = math_skip(t, "\\\\");
        if (more) skip_line_space(t);
        if (more) more = !table_ends(t);
    }
    put(&out, "</mtable>");
    return text_str(&out);
}

typedef struct Environment { const char *name, *open, *close, *align; bool display; } Environment;
static const Environment environments[] = {
    {"matrix", "", "", "", false},      {"pmatrix", "(", ")", "", false}, {"bmatrix", "[", "]", "", false},
    {"Bmatrix", "{", "}", "", false},   {"vmatrix", "|", "|", "", false}, {"Vmatrix", "‖", "‖", "", false},
    {"smallmatrix", "", "", "", false}, {"array", "", "", "", false},     {"cases", "{", "", "l", false},
    {"aligned", "", "", "rl", true},    {"align", "", "", "rl", true},    {"align*", "", "", "rl", true},
    {"split", "", "", "rl", true},      {"gathered", "", "", "c", true},  {"gather", "", "", "c", true},
    {"gather*", "", "", "c", true},     {"equation", "", "", "c", true},  {"equation*", "", "", "c", true},
};

static const Environment *environment_find(const char *name, int n) {
    for (size_t i = 0; i < sizeof environments / sizeof *environments; i++)
        if (!strncmp(environments[i].name, name, (size_t)n) && !environments[i].name[n]) return &environments[i];
    return NULL;
}

static const char *column_letters(Tex *t, const char *spec, int n) {
    Text out;
    text_init(&out, t->arena);
    for (int i = 0; i < n; i++)
        if (spec[i] && strchr("lcr", spec[i])) text_add(&out, spec + i, 1);
    return text_str(&out);
}

static Atom environment(Tex *t) {
    const char *name = "", *end = "", *columns = "";
    int n = 0, end_n = 0, columns_n = 0;
    const Environment *e = math_raw(t, &name, &n) ? environment_find(name, n) : NULL;
    if (!e) return t->bad = true, ordinary("");
    bool array = !strcmp(e->name, "array"), in_option = t->in_option;
    if (array && !math_raw(t, &columns, &columns_n)) return ordinary("");
    t->in_option = false;
    const char *inside = math_table(t, array ? column_letters(t, columns, columns_n) : e->align, e->display);
    t->in_option = in_option;
    if (t->bad || !math_skip(t, "\\end") || !math_raw(t, &end, &end_n) || n != end_n ||
        memcmp(name, end, (size_t)n) != 0)
        t->bad = true;
    return (Atom){FENCED,
                  arena_printf(t->arena, "<mrow>%s%s%s</mrow>", fence(t, "prefix", e->open), inside,
                               fence(t, "postfix", e->close)),
                  false};
}

static Atom substack(Tex *t) {
    if (!math_skip(t, "{")) return t->bad = true, ordinary("");
    const char *xml = math_table(t, "c", false);
    if (!math_skip(t, "}")) t->bad = true;
    return ordinary(xml);
}

/* ---- the rest */

/* A stroke through the relation that follows */
static Atom negated(Tex *t) {
    const char *xml = math_argument(t);
    size_t n = strlen(xml), tail = strlen("</mo>");
    if (n < tail || strcmp(xml + n - tail, "</mo>") != 0) t->bad = true, n = tail;
    return (Atom){RELATION, arena_printf(t->arena, "%.*s\u0338</mo>", (int)(n - tail), xml), false};
}

/* ---- public */

Atom math_built(Tex *t, const Symbol *s) {
    Arena *a = t->arena;
    switch (s->kind) {
    case FRACTION: return fraction(t, s->text);
    case BINOMIAL: return binomial(t);
    case ROOT: return root(t);
    case ACCENT: case OVER: case UNDER: return accent(t, s);
    case STACK: return stack(t, s->text);
    case FONT: return in_font(t, *s->text);
    case TEXT: return ordinary(text_element(t, "", "", s->text));
    case TAG: return ordinary(arena_printf(a, "<mrow><mspace width=\"2em\"/>%s</mrow>", text_element(t, "(", ")", "")));
    case OPERATOR_NAME: return operator_name(t);
    case LEFT: return left_right(t);
    case SIZED: return sized(t, s);
    case BEGIN: return environment(t);
    case SUBSTACK: return substack(t);
    case STYLE: return ordinary(arena_printf(a, "<mstyle displaystyle=\"%s\">%s</mstyle>", s->text, math_row(t)));
    case PHANTOM: return ordinary(arena_printf(a, "<mphantom>%s</mphantom>", math_argument(t)));
    case BOXED: return ordinary(arena_printf(a, "<mrow class=\"boxed\">%s</mrow>", math_argument(t)));
    case MODULO:
        return ordinary(arena_printf(
            a, "<mrow><mspace width=\"0.5em\"/><mo>(</mo><mi>mod</mi><mspace width=\"0.25em\"/>%s<mo>)</mo></mrow>",
            math_argument(t)));
    case NOT: return negated(t);
    default: return t->bad = true, ordinary("");
    }
}
