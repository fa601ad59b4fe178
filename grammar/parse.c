/* Parsing a file: pushes the tokens into the grammar.  After a syntax error the tokens up to the end of the
 * statement are skipped, but the block of a statement whose head is wrong is read all the same; a token
 * that begins a line where the statement before it was not complete is offered again as a new statement. */
#include "grammar/parse.h"
#include "grammar/parser.tab.h"

#include <string.h>

bool parse_text_is(const Parser *p, Span at, const char *word) {
    size_t n = strlen(word);
    return (size_t)(at.hi - at.lo) == n && !memcmp(p->text + at.lo, word, n);
}

int parse_indent(const Parser *p, int offset) {
    while (offset > 0 && p->text[offset - 1] != '\n') offset--;
    int n = 0;
    while (p->text[offset + n] == ' ' || p->text[offset + n] == '\t') n++;
    return n;
}

bool parse_at_statement_start(const Parser *p) {
    return p->last.kind == 0 || p->last.kind == NL || p->last.kind == ';' || p->last.kind == '{' ||
           p->last.kind == RECOVER;
}

static bool ends_statement(Token t) { return t.kind == NL || t.kind == ';'; }

/* Offers a token to the grammar. */
static int push(Parser *p, dsl_yypstate *state, Token t) {
    p->current = t;
    p->failed = p->unclosed = false;
    if (!ends_statement(t) && parse_at_statement_start(p)) p->statement = t.kind;
    int status = dsl_yypush_parse(state, t.kind, &t.val, &t.at, p);
    p->last = t;
    return status;
}

/* The brace ends its line: it opens a block. */
static bool opens_block(const Parser *p, Token t) {
    if (t.kind != '{' || p->statement == STRUCT) return false;
    if (t.level > 0 && p->open.data[t.level - 1].is_struct) return false;
    const char *c = p->text + t.at.hi;
    while (*c == ' ' || *c == '\t' || *c == '\r') c++;
    return *c == '\n' || *c == '#';
}

/* While recovering: whether reading goes on with this token. */
static bool resume(Parser *p, Token *t) {
    if (t->depth != p->recover_level) return false;
    if (opens_block(p, *t)) t->kind = RECOVER;
    else if (!ends_statement(*t)) return false;
    p->recovering = false;
    return true;
}

/* The token begins a line, and the line before lacked something. */
static bool begins_anew(const Parser *p, Token t, bool at_start) {
    return t.first && !at_start && (t.depth == t.level || p->unclosed) && t.kind != '{' && t.kind != '(' &&
           t.kind != '[';
}

static int push_newline(Parser *p, dsl_yypstate *state, Token before) {
    Token nl = {.kind = NL, .at = {p->file, before.at.lo, before.at.lo, 0}, .made = true};
    nl.depth = nl.level = before.level;
    return push(p, state, nl);
}

/* The grammar has refused t and waits behind `error`, at the level of t's statement. */
static int recover(Parser *p, dsl_yypstate *state, Token t, bool at_start) {
    int status = YYPUSH_MORE;
    if (ends_statement(t) && t.depth == t.level) return status;
    p->recovering = true;
    p->recover_level = t.level;
    if (begins_anew(p, t, at_start)) {
        if (p->unclosed) tokens_drop_brackets(p);
        p->recovering = false;
        push_newline(p, state, t);
        t.depth = t.level;
        p->quiet = true;
        status = push(p, state, t);
        p->quiet = false;
        p->recovering = p->failed;
    } else if (t.kind == '{' && resume(p, &t)) {
        status = push(p, state, t);
    }
    return status;
}

static bool step(Parser *p, dsl_yypstate *state) {
    Token t = tokens_next(p);
    if (p->stop) return false;
    if (t.fresh) p->quiet = false;
    if (t.hush) p->quiet = !t.fresh;
    if (p->recovering && !resume(p, &t)) return true;
    bool at_start = parse_at_statement_start(p);
    int status = push(p, state, t);
    if (p->failed) status = recover(p, state, t, at_start);
    if (ends_statement(t) && !t.made) p->quiet = false;
    return status == YYPUSH_MORE && !p->stop;
}

static Parser parser_start(Session *s, int file) {
    size_t len;
    const char *text = source_text(s, file, &len);
    Parser p = {.s = s, .arena = session_arena(s), .file = file, .text = text, .len = (int)len};
    p.ahead.kind = -1;
    p.first_error = diag_error_count(s);
    p.unit = NEW(p.arena, Unit);
    p.unit->file = file;
    p.unit->path = source_path(s, file);
    text_init(&p.doc, p.arena);
    return p;
}

/* One token per line: its place, and its text as written */
void tokens_print(Text *out, Session *s, int file) {
    Parser p = parser_start(s, file);
    if (!source_is_text(s, file)) return;
    lexer_open(&p);
    for (Token t = tokens_next(&p); t.kind; t = tokens_next(&p)) {
        Place at = source_place(s, file, t.at.lo);
        int len = t.at.hi - t.at.lo;
        bool newline = t.kind == NL || t.made;
        text_printf(out, "%d:%d %.*s\n", at.line, at.col, newline ? 7 : len, newline ? "newline" : p.text + t.at.lo);
    }
    lexer_close(&p);
}

static LexemeKind lexeme_kind(const Parser *p, Token t) {
    char c = p->text[t.at.lo];
    switch (t.kind) {
    case CELL: return LEXEME_COMMENT;
    case NAME: case PLACE: return LEXEME_NAME;
    case INT: case FLOAT: case IMAGINARY: return LEXEME_NUMBER;
    case STRING: case FORMATTED: return LEXEME_STRING;
    }
    return (c >= 'a' && c <= 'z') ? LEXEME_KEYWORD : LEXEME_SIGN;
}

/* The lexer passes over comments: they are what else there is between two words. */
static void add_comment(Parser *p, Lexemes *out, int lo, int hi) {
    while (lo < hi && p->text[lo] != '#') lo++;
    if (lo < hi) vec_push(p->arena, out, ((Lexeme){LEXEME_COMMENT, lo, hi}));
}

static TokenVec words_of(Parser *p) {
    TokenVec words = {0};
    lexer_open(p);
    do vec_push(p->arena, &words, lexer_next(p));
    while (vec_last(&words).kind);
    lexer_close(p);
    return words;
}

/* Makes names of the words that are such where they stand. */
static void read_in_context(Parser *p, TokenVec *words) {
    WordPlace w = {.starts = true};
    int statement = 0;
    VEC(int) open = {0};
    for (int i = 0; i < words->len; i++) {
        Token *t = &words->data[i];
        w.after = i + 1 < words->len ? words->data[i + 1].kind : 0;
        w.nested = open.len && vec_last(&open) != '{';
        w.in_kernel_head = statement == KERNEL;
        t->kind = context_kind(t->kind, w);
        if (w.starts && !w.nested && t->kind != NEWLINE) statement = t->kind;
        w.starts = t->kind == NEWLINE || t->kind == ';' || t->kind == '{';
        if (t->kind != NEWLINE) w.before = t->kind;
        if (t->kind == '(' || t->kind == '[' || t->kind == '{') vec_push(p->arena, &open, t->kind);
        if ((t->kind == ')' || t->kind == ']' || t->kind == '}') && open.len) (void)vec_pop(&open);
    }
}

Lexemes lexemes_of(Session *s, int file) {
    Lexemes out = {0};
    Parser p = parser_start(s, file);
    TokenVec words = words_of(&p);
    read_in_context(&p, &words);
    int end = 0;
    for (int i = 0; i < words.len; i++) {
        Token t = words.data[i];
        add_comment(&p, &out, end, t.at.lo);
        if (t.kind && t.kind != NEWLINE) vec_push(p.arena, &out, ((Lexeme){lexeme_kind(&p, t), t.at.lo, t.at.hi}));
        end = t.at.hi;
    }
    return out;
}

TextEnd text_end(Session *s, int file) {
    Parser p = parser_start(s, file);
    lexer_open(&p);
    TextEnd end = tokens_end(&p);
    lexer_close(&p);
    return p.stop ? TEXT_ENDS : end;
}

static void parse(Parser *p) {
    lexer_open(p);
    dsl_yypstate *state = dsl_yypstate_new();
    if (!state) fatal_oom();
    while (step(p, state)) continue;
    dsl_yypstate_delete(state);
    lexer_close(p);
}

/* An `if` alone is read as a statement. */
static Expr *value_of(Session *s, const Stmt *st) {
    if (st->kind != ST_IF) return st->kind == ST_EXPR ? st->a : NULL;
    Expr *e = expr_new(s, EX_IF, st->span);
    e->a = st->a;
    e->then_block = st->body;
    e->else_block = st->else_body;
    return e;
}

Expr *parse_expression(Parser *outer, int lo, int hi) {
    Parser p = parser_start(outer->s, outer->file);
    p.pos = lo;
    p.len = hi;
    p.only_value = true;
    parse(&p);
    const StmtVec *v = &p.unit->stmts;
    if (diag_error_count(p.s) > p.first_error) return NULL;
    Expr *e = v->len == 1 ? value_of(p.s, v->data[0]) : NULL;
    if (!e) diag_report(p.s, (Span){p.file, lo, hi, 0}, E_FORMATTED, "between the braces stands one value");
    return e;
}

Unit *parse_file(Session *s, int file) {
    Parser p = parser_start(s, file);
    if (source_is_text(s, file)) parse(&p);
    return p.unit;
}
