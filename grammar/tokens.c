/* From words to tokens.  Decides which newlines end a statement: those outside ( and [ that do not follow
 * an operator, a comma or an opening brace, and do not stand between `}` and `else`.  Keeps brackets
 * balanced: a closing one that is missing is reported and put in, one too many is reported and dropped,
 * so that the grammar never loses its place.  Words that are special only where they stand: context.c. */
#include "grammar/parse.h"
#include "grammar/parser.tab.h"

#include <string.h>

/* ---- giving out */

static int innermost_brace(const Parser *p) {
    int n = p->open.len;
    while (n > 0 && p->open.data[n - 1].open != '{') n--;
    return n;
}

static void put(Parser *p, Token t) {
    t.depth = p->open.len;
    t.level = innermost_brace(p);
    t.hush |= p->hush;
    p->hush = false;
    vec_push(p->arena, &p->queue, t);
    p->put = t;
}

static void put_made(Parser *p, int kind, Span at) { put(p, (Token){.kind = kind, .at = at, .made = true}); }

static void put_newline(Parser *p, Span at, bool made) {
    if (p->put.kind != NL) put(p, (Token){.kind = NL, .at = at, .made = made});
    if (!p->open.len) p->suspect.open = 0;
}

/* ---- reading words */

static Token word(Parser *p) {
    Token t = p->ahead;
    p->ahead.kind = -1;
    return t.kind >= 0 ? t : lexer_next(p);
}

static int peek_kind(Parser *p) {
    if (p->ahead.kind < 0) p->ahead = lexer_next(p);
    return p->ahead.kind;
}

/* The next word that is no newline; newline is the place of the first one before it, empty when none.
 * A blank line parts a comment from what follows. */
static Token next_word(Parser *p, Span *newline) {
    *newline = NO_SPAN;
    Token t = word(p);
    for (int before = -1; t.kind == NEWLINE; t = word(p)) {
        if (newline->file < 0) *newline = t.at;
        bool blank = before >= 0;
        for (int i = before + 1; blank && i < t.at.lo; i++)
            blank = p->text[i] == ' ' || p->text[i] == '\t' || p->text[i] == '\r';
        if (blank) p->doc.len = 0;
        before = t.at.lo;
    }
    t.first = newline->file >= 0 || t.at.lo == 0;
    return t;
}

static bool is_name(const Parser *p, Token t, const char *text) {
    return t.kind == NAME && parse_text_is(p, t.at, text);
}

static Token word_in_context(Parser *p, Token t, bool statement_start) {
    WordPlace w = {.before = p->put.kind, .after = peek_kind(p), .starts = statement_start && !p->only_value};
    w.nested = p->open.len != innermost_brace(p);
    w.in_kernel_head = p->statement == KERNEL;
    t.kind = context_kind(t.kind, w);
    if (t.kind == NAME) t.val.name = intern_n(p->s, p->text + t.at.lo, (size_t)(t.at.hi - t.at.lo));
    return t;
}

/* Words that mean something only at this place */
static Token special_word(Parser *p, Token t, bool statement_start) {
    if (context_matters(t.kind)) t = word_in_context(p, t, statement_start);
    if (is_name(p, t, "progress") && p->put.kind == IN && peek_kind(p) == '(') t.kind = PROGRESS;
    if (is_name(p, t, "checkpoint") && p->put.kind == IN && peek_kind(p) == '(') t.kind = CHECKPOINT;
    if (statement_start && is_name(p, t, "vjp") && peek_kind(p) == FN) t.kind = VJP;
    else if (statement_start && is_name(p, t, "jvp") && peek_kind(p) == FN) t.kind = JVP;
    if (is_name(p, t, "elif") || is_name(p, t, "elseif") || is_name(p, t, "elsif")) {
        if (p->put.kind != '}') return t;
        report_foreign(p, t.at, "else if");
        t.kind = ELSE;
        p->ahead = (Token){.kind = IF, .at = t.at};
    }
    if (t.kind == INCREMENT) {
        t.kind = ASSIGN;
        p->ahead = (Token){.kind = INT, .val.i = 1, .at = t.at};
    }
    bool def = is_name(p, t, "def") || is_name(p, t, "function") || is_name(p, t, "func") || is_name(p, t, "fun");
    if (def && statement_start && peek_kind(p) == NAME) {
        report_foreign(p, t.at, "fn");
        t.kind = FN;
    }
    return t;
}

static void attach_doc(Parser *p, Token *t) {
    switch (t->kind) {
    case FN: case KERNEL: case STRUCT: case TEST: case BENCH: case EXTERN: case EXPORT: case ARG:
        t->val.name = p->doc.len ? intern(p->s, text_str(&p->doc)) : NULL;
    }
    p->doc.len = 0;
}

/* ---- newlines */

static bool goes_on_after(int kind) {
    switch (kind) {
    case 0: case NL: case '{': case ',': case '=': case '+': case '-': case '|': case '&': case '^': case '~': case '.':
    case CMP: case SHIFT: case MULOP: case ASSIGN: case ARROW: case GIVES: case AND: case OR: case NOT: case XOR:
    case IN: case ELSE:
        return true;
    }
    return false;
}

static bool newline_counts(const Parser *p, Token next) {
    if (p->open.len != innermost_brace(p)) return false;
    if (next.kind == ELSE && p->put.kind == '}') return false;
    return !goes_on_after(p->put.kind);
}

/* ---- brackets */

static char closing(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

/* Not when it belongs to a statement that was reported already. */
static void report_unclosed(Parser *p, Bracket b, Span before, const char *what) {
    if (p->recovering && b.open != '{') return;
    Diag *d = diag_report(p->s, b.at, E_UNCLOSED, b.open);
    if (what) diag_note(p->s, d, before, "%s", what);
    diag_hint(p->s, d, "write '%c' to close it", closing(b.open));
    p->hush = true;
}

/* Puts in what closes the brackets above the first n. */
static void close_down_to(Parser *p, int n, Span at) {
    while (p->open.len > n) {
        char close = closing(vec_last(&p->open).open);
        if (close == '}') put_newline(p, at, true);
        (void)vec_pop(&p->open);
        put_made(p, close, at);
    }
}

/* The brace to blame when one is missing: the innermost open one, or an earlier one whose partner is
 * indented unlike it, and so was meant for another. */
static Bracket missing_partner(const Parser *p) {
    return p->suspect.open && vec_last(&p->open).open == '{' ? p->suspect : vec_last(&p->open);
}

static bool at_line_start(const Parser *p, Token t) { return t.at.lo == 0 || p->text[t.at.lo - 1] == '\n'; }

/* A word that can only begin a declaration, at the left margin: what is still open was meant to be closed. */
static bool declares(Parser *p, Token t) {
    switch (t.kind) {
    case FN: return at_line_start(p, t) && peek_kind(p) == NAME;
    case KERNEL: case STRUCT: case TEST: case BENCH: case EXTERN: case EXPORT: case IMPORT: case CELL:
        return at_line_start(p, t);
    }
    return false;
}

static void close_before_declaration(Parser *p, Token *t) {
    report_unclosed(p, missing_partner(p), t->at,
                    t->kind == CELL ? "the next cell begins here" : "a declaration begins here");
    close_down_to(p, 0, t->at);
    put_newline(p, t->at, true);
    t->fresh = true;
}

static void open_bracket(Parser *p, Token t) {
    put(p, t);
    if (p->open.len == MAX_BRACKETS) {
        diag_report(p->s, t.at, E_TOO_DEEP, MAX_BRACKETS);
        p->stop = true;
        return;
    }
    Bracket b = {(char)t.kind, t.at, parse_indent(p, t.at.lo), t.kind == '{' && p->statement == STRUCT};
    vec_push(p->arena, &p->open, b);
}

static bool same_line(const Parser *p, int a, int b) { return !memchr(p->text + a, '\n', (size_t)(b - a)); }

/* Index of the bracket that t closes; negative when there is none.  A round or square one does not look
 * beyond a brace on another line. */
static int find_partner(const Parser *p, Token t, char open) {
    for (int i = p->open.len - 1; i >= 0; i--) {
        Bracket b = p->open.data[i];
        if (b.open == open) return i;
        if (open != '{' && b.open == '{' && !same_line(p, b.at.lo, t.at.lo)) return -1;
    }
    return -1;
}

/* No partner: a mistyped bracket is replaced by the right one, any other dropped. */
static void close_nothing(Parser *p, Token t) {
    Bracket b = p->open.len ? vec_last(&p->open) : (Bracket){0};
    p->hush = true;
    if (t.kind != '}' && p->open.len && b.open != '{') {
        Diag *d = diag_report(p->s, t.at, E_MISMATCHED, b.open, t.kind);
        diag_note(p->s, d, b.at, "'%c' is opened here", b.open);
        t.kind = closing(b.open);
        (void)vec_pop(&p->open);
        put(p, t);
        return;
    }
    diag_report(p->s, t.at, E_UNMATCHED, t.kind);
}

static void close_bracket(Parser *p, Token t, char open) {
    int i = find_partner(p, t, open);
    if (i < 0) {
        close_nothing(p, t);
        return;
    }
    if (i < p->open.len - 1) {
        report_unclosed(p, vec_last(&p->open), t.at, "this comes first");
        close_down_to(p, i + 1, t.at);
    }
    if (open == '{') put_newline(p, t.at, true);
    Bracket b = vec_pop(&p->open);
    if (open == '{' && t.first && !p->suspect.open && parse_indent(p, t.at.lo) != b.indent) p->suspect = b;
    put(p, t);
}

static void end_of_text(Parser *p, Token t) {
    if (p->stop) return;
    if (p->open.len) report_unclosed(p, missing_partner(p), t.at, NULL);
    close_down_to(p, 0, t.at);
    put_newline(p, t.at, true);
    put(p, t);
}

/* ---- public */

/* A text was not closed on its line: what it may have swallowed is taken to end there as well. */
static void close_cut_line(Parser *p, Span at) {
    p->cut = false;
    while (p->open.len > innermost_brace(p) && vec_last(&p->open).at.lo > p->cut_line)
        close_down_to(p, p->open.len - 1, at);
}

static void fetch(Parser *p) {
    Span newline;
    Token t = next_word(p, &newline);
    if (p->cut && t.first) close_cut_line(p, newline);
    bool starts = p->put.kind == 0 || p->put.kind == NL || p->put.kind == ';' || p->put.kind == '{';
    t = special_word(p, t, starts || t.first);
    attach_doc(p, &t);
    if (p->open.len && t.first && declares(p, t)) close_before_declaration(p, &t);
    if (t.first && newline_counts(p, t)) put_newline(p, newline, false);
    if (t.first && p->open.len == innermost_brace(p)) p->hush = false;
    switch (t.kind) {
    case '(': case '[': case '{': open_bracket(p, t); break;
    case ')': close_bracket(p, t, '('); break;
    case ']': close_bracket(p, t, '['); break;
    case '}': close_bracket(p, t, '{'); break;
    case 0: end_of_text(p, t); break;
    default: put(p, t);
    }
}

Token tokens_next(Parser *p) {
    if (p->queue_at == p->queue.len) p->queue_at = p->queue.len = 0;
    while (p->queue_at == p->queue.len && !p->stop) fetch(p);
    if (p->stop) return (Token){.kind = END};
    return p->queue.data[p->queue_at++];
}

void tokens_drop_brackets(Parser *p) { p->open.len = innermost_brace(p); }

/* A text that is being typed: brackets are open at its end, or its last word asks for more. A bracket too many ends it.
 */
TextEnd tokens_end(Parser *p) {
    int open = 0, braces = 0, last = 0;
    for (Token t = lexer_next(p); t.kind && open >= 0; t = lexer_next(p)) {
        if (t.kind == NEWLINE) continue;
        open += t.kind == '(' || t.kind == '[' || t.kind == '{';
        open -= t.kind == ')' || t.kind == ']' || t.kind == '}';
        braces += (t.kind == '{') - (t.kind == '}');
        last = t.kind;
    }
    if (open > 0 && braces > 0) return TEXT_IN_BLOCK;
    return open > 0 || (open == 0 && last && last != '{' && goes_on_after(last)) ? TEXT_IN_EXPRESSION : TEXT_ENDS;
}
