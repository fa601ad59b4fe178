/* The lines of a function before they are text.
 *
 * A line refers to a C variable as \x01 index \x02.  When the function is complete we count who reads
 * what, drop declarations and assignments of variables that nobody reads (and then what only those
 * read, and blocks that became empty), and give out names in the order of declaration: a variable gets
 * its wanted name unless one in scope has it. */
#include "codegen/c/private.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 112, DEEPEST = 18 }; /* blocks that are indented more than those around */

Var *lines_var(Lines *l, const char *hint) {
    Var *v = NEW(l->arena, Var);
    v->index = l->vars.len;
    v->hint = hint;
    vec_push(l->arena, &l->vars, v);
    return v;
}

const char *lines_ref(Lines *l, const Var *v) { return arena_printf(l->arena, "\x01%d\x02", v->index); }

/* The next reference at or after text, or NULL; *end is behind it. */
static Var *next_ref(const Lines *l, const char *text, const char **begin, const char **end) {
    const char *p = strchr(text, '\x01');
    if (!p) return NULL;
    char *stop;
    long index = strtol(p + 1, &stop, 10);
    *begin = p;
    *end = stop + 1;
    return l->vars.data[index];
}

Var *lines_next_ref(const Lines *l, const char **text) {
    const char *begin;
    return next_ref(l, *text, &begin, text);
}

Line *lines_add(Lines *l, LineKind kind, Var *def, const char *text) {
    if (kind == LINE_CLOSE || kind == LINE_MIDDLE) l->depth--;
    vec_push(l->arena, &l->lines, ((Line){kind, l->depth, false, def, text, NULL, l->place, NULL}));
    if (kind == LINE_OPEN || kind == LINE_MIDDLE) l->depth++;
    return &vec_last(&l->lines);
}

/* ---- dropping what is not needed */

static bool only_defines(const Line *line) {
    return line->kind == LINE_DECL || line->kind == LINE_ASSIGN || line->kind == LINE_UNUSED;
}

/* Adds delta to the reads of every variable that the line reads. */
static void count_reads(const Lines *l, const Line *line, int delta) {
    if (line->kind == LINE_HEADER) return;
    const char *begin, *end = line->text;
    bool defining = only_defines(line) && line->def;
    for (Var *v; (v = next_ref(l, end, &begin, &end));) {
        if (defining && v == line->def) defining = false;
        else v->reads += delta;
    }
}

static void drop(Lines *l, Line *line) {
    if (line->dead) return;
    count_reads(l, line, -1);
    line->dead = true;
    if (!line->alt) return;
    *line = (Line){LINE_PLAIN, line->depth, false, NULL, line->alt, NULL, line->place, NULL};
    count_reads(l, line, 1);
}

/* "(void)x;" stands for a use that is not there. */
static void drop_unused_marks(Lines *l) {
    for (int i = 0; i < l->lines.len; i++)
        if (l->lines.data[i].kind == LINE_UNUSED && l->lines.data[i].def->reads) drop(l, &l->lines.data[i]);
}

static int neighbour(const Lines *l, int i, int step) {
    do i += step;
    while (i >= 0 && i < l->lines.len && l->lines.data[i].dead);
    return i >= 0 && i < l->lines.len ? i : -1;
}

static void drop_block(Lines *l, int open, int close) {
    for (int before = neighbour(l, open, -1); before >= 0; before = neighbour(l, before, -1)) {
        LineKind kind = l->lines.data[before].kind;
        if (kind != LINE_PRAGMA && kind != LINE_COMMENT) break;
        drop(l, &l->lines.data[before]);
    }
    drop(l, &l->lines.data[open]);
    drop(l, &l->lines.data[close]);
}

/* "if (c) {" followed by "} else {" */
static bool turn_round(Lines *l, Line *line, int middle) {
    if (!line->negated || l->lines.data[middle].kind != LINE_MIDDLE) return false;
    line->text = line->negated;
    drop(l, &l->lines.data[middle]);
    return true;
}

/* A block without lines; one that may run forever stays, and so does a function's own. */
static bool drop_if_empty(Lines *l, int i) {
    Line *line = &l->lines.data[i];
    int next = neighbour(l, i, 1);
    if (next >= 0 && turn_round(l, line, next)) return true;
    if (next < 0 || l->lines.data[next].kind != LINE_CLOSE) return false;
    if (line->kind == LINE_MIDDLE) return drop(l, line), true;
    if (line->kind != LINE_OPEN || line->depth == 0 || !strncmp(line->text, "while", 5)) return false;
    return drop_block(l, i, next), true;
}

/* A comment stands before a statement. */
static bool drop_idle_comment(Lines *l, int i) {
    int next = neighbour(l, i, 1);
    LineKind kind = next < 0 ? LINE_CLOSE : l->lines.data[next].kind;
    if (kind != LINE_COMMENT && kind != LINE_CLOSE && kind != LINE_MIDDLE) return false;
    return drop(l, &l->lines.data[i]), true;
}

static bool drop_once(Lines *l) {
    bool changed = false;
    for (int i = l->lines.len - 1; i >= 0; i--) {
        Line *line = &l->lines.data[i];
        if (line->dead) continue;
        if (line->kind == LINE_UNUSED) continue;
        if (only_defines(line) && line->def && !line->def->reads) drop(l, line), changed = true;
        else if (line->kind == LINE_COMMENT) changed |= drop_idle_comment(l, i);
        else changed |= drop_if_empty(l, i);
    }
    return changed;
}

/* ---- names */

/* A text that variables want or have: how many in scope are called so, and the numbers below `free` behind it that are
 * taken. */
typedef struct { int live, free; } Name;
typedef struct { Var *var; Name *name, *wanted; int number, depth; } Scoped;
typedef struct {
    Lines *l;
    bool (*reserved)(void *ctx, const char *name);
    void *ctx;
    Map names; /* interned text -> Name */
    VEC(Scoped) scope;
} Namer;

static Name *name_of(Namer *n, const char *text) {
    Name *name = map_get(&n->names, text);
    if (name) return name;
    name = NEW(n->l->arena, Name);
    name->live = n->reserved(n->ctx, text);
    map_put(n->l->arena, &n->names, text, name);
    return name;
}

/* The wanted text with the first number that makes it free; 0 is no number. */
static const char *numbered(Session *s, const char *wanted, int number) {
    char last = wanted[strlen(wanted) - 1];
    if (!number) return intern(s, wanted);
    return intern_printf(s, last >= '0' && last <= '9' ? "%s_%d" : "%s%d", wanted, number);
}

static void name_var(Namer *n, Var *v, int depth) {
    Session *s = n->l->session;
    const char *wanted = intern(s, v->hint ? v->hint : "t");
    Scoped in = {v, NULL, name_of(n, wanted), 0, depth};
    for (in.number = in.wanted->free;; in.number++) {
        v->name = numbered(s, wanted, in.number);
        in.name = name_of(n, v->name);
        if (!in.name->live) break;
    }
    in.name->live = 1;
    in.wanted->free = in.number + 1;
    vec_push(n->l->arena, &n->scope, in);
}

/* A variable loses its name with its scope: what would mention it then could meet another of that name, or a function
 * of the C library; <undeclared> no compiler takes. */
static void leave_scope(Namer *n, int depth) {
    while (n->scope.len && vec_last(&n->scope).depth > depth) {
        Scoped in = vec_pop(&n->scope);
        in.var->name = NULL;
        in.name->live = 0;
        if (in.wanted->free > in.number) in.wanted->free = in.number;
    }
}

/* The line with names for references */
static const char *resolve(const Lines *l, const Line *line) {
    Text t;
    text_init(&t, l->arena);
    const char *at = line->text, *begin, *end;
    for (Var *v; (v = next_ref(l, at, &begin, &end)); at = end) {
        text_add(&t, at, (size_t)(begin - at));
        text_printf(&t, "%s", v->name ? v->name : "<undeclared>");
    }
    text_printf(&t, "%s", at);
    return text_str(&t);
}

/* Where to break text so that the first part has at most `room` characters: behind the last space that is
 * outside of strings and as little nested as there is one; 0 when there is none. */
static int break_at(const char *text, int room) {
    int depth = 0, best = 0, best_depth = 1 << 20;
    bool quoted = false;
    for (int i = 0; text[i] && i < room; i++) {
        char c = text[i];
        if (quoted && c == '\\') i++;
        else if (c == '"') quoted = !quoted;
        if (quoted) continue;
        depth += (c == '(' || c == '{' || c == '[') - (c == ')' || c == '}' || c == ']');
        bool good = c == ' ' && i > 8 && text[i - 1] != '=' && i > room / 3;
        if (good && depth <= best_depth) best = i, best_depth = depth;
    }
    return best;
}

/* Each line of C is that line of the source, not only the first of a statement's. */
static void print_place(Text *out, const Line *line) {
    if (line->place && line->kind != LINE_COMMENT) text_printf(out, "#line %s\n", line->place);
}

/* Long lines go on in the next, indented. */
static void print_line(Text *out, const Lines *l, const Line *line) {
    const char *text = resolve(l, line);
    int margin = 4 * (line->depth < DEEPEST ? line->depth : DEEPEST), indent = margin, n;
    bool fixed = line->kind == LINE_COMMENT || line->kind == LINE_PRAGMA;
    while (!fixed && (int)strlen(text) + indent > LINE_WIDTH && (n = break_at(text, LINE_WIDTH - indent)) > 0) {
        print_place(out, line);
        text_printf(out, "%*s%.*s\n", indent, "", n, text);
        text += n + 1;
        indent = margin + 8;
    }
    print_place(out, line);
    text_printf(out, "%*s%s\n", indent, "", text);
}

void lines_print(Text *out, Lines *l, bool (*reserved)(void *ctx, const char *name), void *ctx) {
    for (int i = 0; i < l->lines.len; i++) count_reads(l, &l->lines.data[i], 1);
    while (drop_once(l)) continue;
    drop_unused_marks(l);
    Namer n = {.l = l, .reserved = reserved, .ctx = ctx};
    for (int i = 0; i < l->lines.len; i++) {
        Line *line = &l->lines.data[i];
        if (line->dead) continue;
        if (line->kind == LINE_CLOSE || line->kind == LINE_MIDDLE) leave_scope(&n, line->depth);
        if (line->def && !line->def->name) name_var(&n, line->def, line->depth + (line->kind == LINE_OPEN));
        if (line->kind != LINE_PARAM) print_line(out, l, line);
    }
    if (l->place) text_printf(out, "#line 1 \"made by dslc\"\n");
    l->place = NULL;
}
