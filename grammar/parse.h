/* What the parts of the parser share.  A file's path through them:
 *   lexer.l    bytes -> words, strings, numbers (literal.c: their values)
 *   tokens.c   words -> tokens: decides which newlines end a statement, keeps brackets balanced
 *   context.c  words that are special only where they stand
 *   parse.c    pushes tokens into the grammar; after an error, skips to where it can go on
 *   parser.y   the grammar; its actions call tree.c
 *   formatted.c  f"t = {t:.3f}": its places are parsed on their own
 *   report.c   "expected X, found Y", and hints for common slips; written.c: hints that take up what is written
 *   review.c   what a grammar cannot say: depth, `if` without `else` as a value, nested declarations */
#ifndef DSL_PARSE_H
#define DSL_PARSE_H

#include "ast/ast.h"

#define MAX_BRACKETS 200 /* open at once */
#define MAX_DEPTH 1000   /* of the tree */
#define MAX_CHAIN 100000 /* the same with the levels of chains, a + b + c + ... */
#define MAX_ELSES 5000   /* of else if */
#define MAX_ERRORS 20    /* syntax errors of a file */

typedef struct Args { /* of a call */
    ExprVec exprs;
    NameVec names;
} Args;

typedef VEC(Span) SpanVec;
/* Names that take a value apart; for a name that is taken apart itself stands one that nobody can write. */
typedef struct Names {
    NameVec names;
    SpanVec spans;
    VEC(const struct Names *) inner; /* NULL: a name that is written */
} Names;

/* What a token or a nonterminal carries */
typedef union Value {
    int64_t i;
    double f;
    const char *name; /* names, strings, cell titles; doc comment of words that begin a declaration */
    Opr op;
    VarKind var_kind;
    RuleKind rule;
    struct { Mode mode; bool written; } mode;
    Expr *expr;
    Stmt *stmt;
    StmtVec *stmts;
    Block *block;
    TypeExpr *type;
    TypeExprVec *types;
    Decl *decl;
    ExprVec *exprs;
    Args *args;
    Sub *sub;
    SubVec *subs;
    Gen *gen;
    GenVec *gens;
    Param *param;
    ParamVec *params;
    Names *names;
} Value;

typedef struct Token {
    int kind;
    Value val;
    Span at;
    int depth;   /* brackets open around it */
    int level;   /* of these, up to and including the innermost brace */
    bool first;  /* on its line */
    bool made;   /* not in the text: put in by tokens.c */
    bool hush;   /* something was reported here: a syntax error would only repeat it */
    bool fresh;  /* from here on errors count again */
} Token;
typedef VEC(Token) TokenVec;

typedef struct Bracket {
    char open;
    Span at;
    int indent;     /* of the line it stands on */
    bool is_struct; /* holds fields, not statements */
} Bracket;

typedef struct Parser {
    Session *s;
    Arena *arena;
    int file;
    const char *text;
    int len;
    Unit *unit;
    /* lexer */
    void *scanner;
    int pos;
    Text doc;            /* ## lines so far */
    /* tokens */
    Token ahead;         /* read too early; kind < 0: none */
    Token put;           /* put into the queue last */
    TokenVec queue;      /* to be given out */
    int queue_at;
    VEC(Bracket) open;
    Bracket suspect;     /* a brace whose partner is indented differently; open 0: none */
    bool hush;           /* the next token carries the mark */
    bool cut;            /* a text is not closed on the line that begins at cut_line */
    int cut_line;
    /* parse.c */
    Token current, last; /* offered to the grammar now, and before */
    int statement;       /* kind of the first token of the statement */
    bool failed;         /* the grammar did not accept the current token */
    bool unclosed;       /* and the reason was a bracket that is not closed */
    bool recovering;     /* skipping to the end of the statement, which is at recover_level */
    int recover_level;
    bool quiet;          /* syntax errors are not worth telling here */
    bool stop;           /* give up */
    bool only_value;     /* the text is one expression */
    StmtVec later;       /* what follows from the statement that ends: inner names are taken apart */
    int taken;           /* names that nobody wrote */
    int first_error;     /* errors of the session before this file */
} Parser;

/* lexer.l */
void lexer_open(Parser *p);
void lexer_close(Parser *p);
Token lexer_next(Parser *p);

/* context.c: what a word is: itself, or NAME where the grammar does not need it. Kinds are those of the lexer. */
typedef struct WordPlace {
    int before, after;   /* the words around; before: no newline; 0: none */
    bool starts;         /* it may begin a statement here */
    bool nested;         /* in ( or [ */
    bool in_kernel_head;
} WordPlace;
int context_kind(int kind, WordPlace w);
bool context_matters(int kind); /* it may be another */

/* literal.c: values of literals; report what is wrong with them */
int64_t literal_int(Parser *p, Span at);
DType literal_int_type(const Parser *p, Span at, int64_t v);
double literal_float(Parser *p, Span at);
double literal_imaginary(Parser *p, Span at);
const char *literal_string(Parser *p, Span at, bool closed);
/* Adds the character at lo, or what the escape sequence there stands for; returns where it ends. */
int literal_character(Parser *p, Text *out, int lo, int end);

/* tokens.c */
Token tokens_next(Parser *p);
TextEnd tokens_end(Parser *p);
/* Forgets the ( and [ that are open, down to the innermost brace. */
void tokens_drop_brackets(Parser *p);

/* report.c: the current token does not fit; all names of tokens are those of parser.y. */
void report_unexpected(Parser *p, const char *found, const char *const *expected, int n);
/* A word of another language; the right one is taken instead. */
void report_foreign(Parser *p, Span at, const char *right);
void report_bad_char(Parser *p, Span at);
void report_bang(Parser *p, Span at); /* push!( */

/* review.c: a statement of the top level just read; false: drop it. */
bool review_statement(Parser *p, Stmt *st);

/* parse.c */
/* The expression that is the whole of the text from lo to hi; NULL: it is none, and reported */
Expr *parse_expression(Parser *p, int lo, int hi);
bool parse_text_is(const Parser *p, Span at, const char *word);
int parse_indent(const Parser *p, int offset); /* columns before the first word of offset's line */
bool parse_at_statement_start(const Parser *p); /* the current token is a statement's first */

/* tree.c: nodes from what the grammar has read; they check what is easier said in C. */
#define LIST_NEW(p, T) NEW((p)->arena, T)
Expr *tree_int(Parser *p, Span at, int64_t v);
Expr *tree_float(Parser *p, Span at, double v);
Expr *tree_imaginary(Parser *p, Span at, double v);
Expr *tree_bool(Parser *p, Span at, bool v);
Expr *tree_string(Parser *p, Span at, const char *v);
Expr *tree_formatted(Parser *p, Span at); /* formatted.c */
Expr *tree_name(Parser *p, Span at, const char *name);
Expr *tree_unary(Parser *p, Span at, Opr op, Expr *a);
Expr *tree_binary(Parser *p, Span at, Opr op, Expr *a, Expr *b);
Expr *tree_call(Parser *p, Span at, Expr *callee, const Args *args);
Expr *tree_index(Parser *p, Span at, Expr *a, const SubVec *subs);
Expr *tree_field(Parser *p, Span at, Expr *a, const char *name);
Expr *tree_list(Parser *p, Span at, ExprKind kind, const ExprVec *items);
Expr *tree_comp(Parser *p, Span at, ExprKind kind, Expr *value, const GenVec *gens);
Expr *tree_filter(Parser *p, Span at, ExprKind kind, Expr *value, const GenVec *gens,
                  Expr *cond); /* [value for gens if cond] */
Expr *tree_if(Parser *p, Span at, Expr *cond, Block *then_block, Block *else_block);
Expr *tree_lambda(Parser *p, Span at, const ParamVec *params, Expr *value);
Expr *tree_condition(Parser *p, Span at, Expr *a, Expr *b, Span eq);
Args *tree_args(Parser *p);
void tree_add_arg(Parser *p, Args *args, const char *name, Expr *value);
Sub *tree_sub(Parser *p, Span at, Expr *lo, Expr *hi, Expr *step, bool slice);
Gen *tree_gen(Parser *p, Span at, const char *name, Expr *lo, Expr *hi, Expr *step);
Block *tree_block(Parser *p, Span at, const StmtVec *stmts);
Block *tree_block_of(Parser *p, Span at, Stmt *only);
Stmt *tree_expr_stmt(Parser *p, Span at, Expr *e);
/* One more of the names; inner: those that stand in its place, or NULL */
Names *tree_take(Parser *p, Names *names, const char *name, Span at, const Names *inner);
/* A statement, and what follows from it */
void tree_push(Parser *p, StmtVec *to, Stmt *st);
Stmt *tree_let(Parser *p, Span at, VarKind kind, const Names *names, TypeExpr *type, Expr *value);
Stmt *tree_program_arg(Parser *p, Span at, const char *name, Span name_at, TypeExpr *type, Expr *value,
                       const char *above);
Stmt *tree_assign(Parser *p, Span at, Expr *target, Opr op, Expr *value);
Stmt *tree_atomic(Parser *p, Span at, Expr *target, Opr op, Expr *value, Span op_at);
/* atomic a[i]: only reads */
Stmt *tree_atomic_read(Parser *p, Span at, Expr *target);
/* let old = atomic a[i] += v */
Stmt *tree_atomic_old(Parser *p, Span at, Stmt *atomic, VarKind kind, const Names *names, TypeExpr *type);
Opr tree_min_max(Parser *p, Span at, const char *name);
Stmt *tree_checkpoint(Parser *p, Span at, const char *name, Span name_at, Gen *over, Block *body);
Stmt *tree_for(Parser *p, Span at, const GenVec *gens, Block *body, bool parallel, bool progress);
Stmt *tree_launch(Parser *p, Span at, const char *name, Span name_at, const ExprVec *config, Span config_at,
                   const Args *args);
TypeExpr *tree_type(Parser *p, Span at, TypeExprKind kind, const char *name, TypeExpr *elem);
TypeExpr *tree_tuple_type(Parser *p, Span at, const TypeExprVec *items);
TypeExpr *tree_array_type(Parser *p, Span at, TypeExpr *elem, const ExprVec *dims);
Param *tree_param(Parser *p, Span at, const char *name, Mode mode, bool has_mode, TypeExpr *type);
Decl *tree_decl(Parser *p, Span at, DeclKind kind, const char *name, Span name_at, const char *doc);
/* f(x: f64, tolerance: f64 = 1e-6) */
void tree_default(Parser *p, Param *q, Expr *value);
Decl *tree_rule(Parser *p, Decl *fn, RuleKind kind); /* fn, which becomes a rule of the function that it names */
/* Parameters of a declared function or kernel (a lambda's need no types) */
void tree_set_params(Parser *p, Decl *d, const ParamVec *params);

#endif
