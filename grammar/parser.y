/* The grammar.  Every statement ends with a newline or `;`; tokens.c puts a newline before each closing
 * brace and before the end, takes away those that end nothing, and never hands out unbalanced brackets.
 * `error` stands for a statement that could not be read; RECOVER is the opening brace of its block. */
%require "3.8"
%define api.pure full
%define api.push-pull push
%define api.prefix {dsl_yy}
%define api.value.type {union Value}
%define api.location.type {Span}
%define parse.lac full
%define parse.error custom
%locations
%param {Parser *p}

%code requires {
#include "grammar/parse.h"
}
%code provides {
/* Raw words that the grammar never sees */
enum { NEWLINE = 1000, INCREMENT, MISFIT };
}
%code {
#define YYMAXDEPTH (10 * MAX_ELSES)
#define YYLLOC_DEFAULT(Cur, Rhs, N)                                                        \
    (Cur) = (N) ? span_join(YYRHSLOC(Rhs, 1), YYRHSLOC(Rhs, N))                            \
                : (Span){p->file, YYRHSLOC(Rhs, 0).hi, YYRHSLOC(Rhs, 0).hi, 0}
static void yyerror(Span *at, Parser *p, const char *message);
#define PUSH(list, item) vec_push(p->arena, list, item)
}

%token END 0 "end of file"
%token NL "newline"
%token <name> NAME "name" STRING "string" PLACE "field number"
%token FORMATTED "formatted text"
%token <i> INT "int"
%token <f> FLOAT "float"
%token <f> IMAGINARY "imaginary number"
%token <op> CMP "comparison" SHIFT "shift" MULOP "multiplication" ASSIGN "assignment"
%token <name> FN "fn" KERNEL "kernel" STRUCT "struct" TEST "test" BENCH "bench" EXTERN "extern" EXPORT "export"
%token <name> CELL "cell" ARG "arg" VJP "vjp" JVP "jvp"
%token LET "let" VAR "var" CONST "const" IF "if" ELSE "else" FOR "for" IN "in" WHILE "while" BREAK "break"
%token CONTINUE "continue" RETURN "return" LAUNCH "launch" BARRIER "barrier" SHARED "shared" ATOMIC "atomic"
%token SPAWN "spawn" SYNC "sync" PARALLEL "parallel" IMPORT "import" ASSERT "assert"
%token AND "and" OR "or" NOT "not" XOR "xor" TRUE "true" FALSE "false" OUT "out" INOUT "inout"
%token PROGRESS "progress" CHECKPOINT "checkpoint" RECOVER "block"
%token ARROW "=>" GIVES "->" DOTS ".."

%type <stmts> lines
%type <stmt> stmt assignment launch atomic
%type <block> block
%type <expr> expr postfix atom cond if_expr opt_expr
%type <exprs> exprs items dims
%type <args> args arg_list
%type <expr> generator dim
%type <sub> sub
%type <subs> subs
%type <gen> gen source
%type <gens> gens
%type <var_kind> let_word
%type <names> pattern names
%type <type> opt_type type opt_result
%type <types> types opt_types
%type <decl> decl fn_head
%type <param> param field
%type <params> params param_list fields
%type <mode> mode
%type <rule> rule

%precedence "=>"
%left OR
%left AND
%precedence NOT
%nonassoc CMP
%left '|'
%left XOR
%left '&'
%left SHIFT
%left '+' '-'
%left MULOP
%precedence NEGATION
%right '^'

%%

unit: top ;

top: %empty
  | top end
  | top stmt end    { if (review_statement(p, $2)) tree_push(p, &p->unit->stmts, $2); }
  | top error end   { yyerrok; }
  ;

lines: %empty       { $$ = LIST_NEW(p, StmtVec); }
  | lines end
  | lines stmt end  { $$ = $1; tree_push(p, $$, $2); }
  | lines error end { yyerrok; $$ = $1; }
  ;

end: NL | ';' ;

block: '{' lines '}' { $$ = tree_block(p, @$, $2); } ;

/* ---- statements */

stmt: expr                { $$ = tree_expr_stmt(p, @$, $1); }
  | assignment
  | let_word pattern opt_type           { $$ = tree_let(p, @$, $1, $2, $3, NULL); }
  | let_word pattern opt_type '=' expr  { $$ = tree_let(p, @$, $1, $2, $3, $5); }
  | WHILE cond block      { $$ = stmt_new(p->s, ST_WHILE, @$); $$->a = $2; $$->body = $3; }
  | FOR gens block        { $$ = tree_for(p, @$, $2, $3, false, false); }
  | FOR NAME IN PROGRESS '(' source ')' block {
        GenVec gens = {0};
        $6->name = $2;
        $6->span = @2;
        PUSH(&gens, *$6);
        $$ = tree_for(p, @$, &gens, $8, false, true);
    }
  | FOR NAME IN CHECKPOINT '(' source ')' block {
        $$ = tree_checkpoint(p, @$, $2, @2, $6, $8);
    }
  | FOR NAME IN CHECKPOINT '(' source ',' NAME '=' expr ')' block {
        $$ = tree_checkpoint(p, @$, $2, @2, $6, $12);
        $$->name = $8;
        $$->name_span = @8;
        $$->b = $10;
    }
  | PARALLEL FOR gens block { $$ = tree_for(p, @$, $3, $4, true, false); }
  | BREAK                 { $$ = stmt_new(p->s, ST_BREAK, @$); }
  | CONTINUE              { $$ = stmt_new(p->s, ST_CONTINUE, @$); }
  | RETURN                { $$ = stmt_new(p->s, ST_RETURN, @$); }
  | RETURN expr           { $$ = stmt_new(p->s, ST_RETURN, @$); $$->a = $2; }
  | launch
  | BARRIER               { $$ = stmt_new(p->s, ST_BARRIER, @$); }
  | SYNC                  { $$ = stmt_new(p->s, ST_SYNC, @$); }
  | SHARED NAME ':' type  {
        $$ = stmt_new(p->s, ST_SHARED, @$);
        $$->name = $2;
        $$->name_span = @2;
        PUSH(&$$->names, $2);
        PUSH(&$$->name_spans, @2);
        $$->type = $4;
    }
  | atomic
  | let_word pattern opt_type '=' ATOMIC expr {
        $$ = tree_atomic_old(p, @$, tree_atomic_read(p, @$, $6), $1, $2, $3);
    }
  | let_word pattern opt_type '=' atomic { $$ = tree_atomic_old(p, @$, $5, $1, $2, $3); }
  | SPAWN block           { $$ = stmt_new(p->s, ST_SPAWN, @$); $$->body = $2; }
  | SPAWN assignment      { $$ = stmt_new(p->s, ST_SPAWN, @$); $$->body = tree_block_of(p, @2, $2); }
  | SPAWN launch          { $$ = stmt_new(p->s, ST_SPAWN, @$); $$->body = tree_block_of(p, @2, $2); }
  | SPAWN expr            {
        $$ = stmt_new(p->s, ST_SPAWN, @$);
        $$->body = tree_block_of(p, @2, tree_expr_stmt(p, @2, $2));
    }
  | ASSERT expr           { $$ = stmt_new(p->s, ST_ASSERT, @$); $$->a = $2; }
  | ASSERT expr ',' expr  { $$ = stmt_new(p->s, ST_ASSERT, @$); $$->a = $2; $$->b = $4; }
  | block                 { $$ = stmt_new(p->s, ST_BLOCK, @$); $$->body = $1; }
  | decl                  { $$ = stmt_new(p->s, ST_DECL, @$); $$->decl = $1; }
  | CELL                  { $$ = stmt_new(p->s, ST_CELL, @$); $$->name = $1; }
  | ARG NAME ':' type           { $$ = tree_program_arg(p, @$, $2, @2, $4, NULL, $1); }
  | ARG NAME ':' type '=' expr  { $$ = tree_program_arg(p, @$, $2, @2, $4, $6, $1); }
  | error RECOVER { yyerrok; } lines '}' {
        $$ = stmt_new(p->s, ST_BLOCK, @$);
        $$->body = tree_block(p, @$, $4);
    }
  ;

let_word: LET { $$ = VAR_LET; } | VAR { $$ = VAR_VAR; } | CONST { $$ = VAR_CONST; } ;

pattern: NAME             { $$ = tree_take(p, LIST_NEW(p, Names), $1, @1, NULL); }
  | '(' names ')'         { $$ = $2; }
  ;
names: NAME               { $$ = tree_take(p, LIST_NEW(p, Names), $1, @1, NULL); }
  | '(' names ')'         { $$ = tree_take(p, LIST_NEW(p, Names), NULL, @2, $2); }
  | names ',' NAME        { $$ = tree_take(p, $1, $3, @3, NULL); }
  | names ',' '(' names ')' { $$ = tree_take(p, $1, NULL, @4, $4); }
  ;

assignment: expr '=' expr { $$ = tree_assign(p, @$, $1, OPR_NONE, $3); }
  | expr ASSIGN expr      { $$ = tree_assign(p, @$, $1, $2, $3); }
  ;

atomic: ATOMIC expr '=' expr  { $$ = tree_atomic(p, @$, $2, OPR_NONE, $4, @3); }
  | ATOMIC expr '=' expr IF expr { $$ = tree_atomic(p, @$, $2, OPR_NONE, $4, @3); $$->b = $6; }
  | ATOMIC expr ASSIGN expr   { $$ = tree_atomic(p, @$, $2, $3, $4, @3); }
  | ATOMIC expr NAME '=' expr { $$ = tree_atomic(p, @$, $2, tree_min_max(p, @3, $3), $5, @3); }
  | ATOMIC expr XOR '=' expr  { $$ = tree_atomic(p, @$, $2, OPR_BITXOR, $5, @3); }
  ;

launch: LAUNCH NAME '[' exprs ']' '(' args ')' { $$ = tree_launch(p, @$, $2, @2, $4, @4, $7); } ;

/* ---- declarations */

decl: fn_head block       { $$ = $1; $$->body = $2; }
  | fn_head '=' expr      { $$ = $1; $$->expr_body = $3; }
  | EXPORT fn_head block  { $$ = $2; $$->body = $3; $$->is_export = true; if ($1) $$->doc = $1; }
  | EXPORT fn_head '=' expr { $$ = $2; $$->expr_body = $4; $$->is_export = true; if ($1) $$->doc = $1; }
  | rule fn_head block    { $$ = tree_rule(p, $2, $1); $$->body = $3; }
  | rule fn_head '=' expr { $$ = tree_rule(p, $2, $1); $$->expr_body = $4; }
  | EXTERN fn_head        { $$ = $2; $$->is_extern = true; if ($1) $$->doc = $1; }
  | KERNEL NAME '(' params ')' block {
        $$ = tree_decl(p, @$, DECL_KERNEL, $2, @2, $1);
        tree_set_params(p, $$, $4);
        $$->body = $6;
    }
  | STRUCT NAME '{' fields '}' {
        $$ = tree_decl(p, @$, DECL_STRUCT, $2, @2, $1);
        for (int i = 0; i < $4->len; i++) PUSH(&$$->fields, $4->data[i]);
    }
  | IMPORT STRING         { $$ = tree_decl(p, @$, DECL_IMPORT, $2, @2, NULL); }
  | TEST STRING block     { $$ = tree_decl(p, @$, DECL_TEST, $2, @2, $1); $$->body = $3; }
  | BENCH STRING block    { $$ = tree_decl(p, @$, DECL_BENCH, $2, @2, $1); $$->body = $3; }
  ;

fn_head: FN NAME '(' params ')' opt_result {
        $$ = tree_decl(p, @$, DECL_FN, $2, @2, $1);
        tree_set_params(p, $$, $4);
        $$->ret = $6;
    }
  ;
rule: VJP { $$ = RULE_VJP; } | JVP { $$ = RULE_JVP; } ;
opt_result: %empty { $$ = NULL; } | GIVES type { $$ = $2; } ;

params: %empty            { $$ = LIST_NEW(p, ParamVec); }
  | param_list
  | param_list ','
  ;
param_list: param         { $$ = LIST_NEW(p, ParamVec); PUSH($$, *$1); }
  | param_list ',' param  { $$ = $1; PUSH($$, *$3); }
  ;
param: NAME               { $$ = tree_param(p, @1, $1, MODE_IN, false, NULL); }
  | NAME ':' mode type    { $$ = tree_param(p, @1, $1, $3.mode, $3.written, $4); }
  | NAME ':' mode type '=' expr { $$ = tree_param(p, @1, $1, $3.mode, $3.written, $4); tree_default(p, $$, $6); }
  ;
mode: %empty { $$.mode = MODE_IN; $$.written = false; }
  | IN       { $$.mode = MODE_IN; $$.written = true; }
  | OUT      { $$.mode = MODE_OUT; $$.written = true; }
  | INOUT    { $$.mode = MODE_INOUT; $$.written = true; }
  ;

fields: %empty            { $$ = LIST_NEW(p, ParamVec); }
  | fields field_end
  | fields field field_end { $$ = $1; PUSH($$, *$2); }
  | fields error field_end { yyerrok; $$ = $1; }
  ;
field_end: NL | ';' | ',' ;
field: NAME ':' type      { $$ = tree_param(p, @1, $1, MODE_IN, false, $3); }
  | NAME ':' type '=' expr { $$ = tree_param(p, @1, $1, MODE_IN, false, $3); tree_default(p, $$, $5); }
  ;

/* ---- types */

opt_type: %empty { $$ = NULL; } | ':' type { $$ = $2; } ;
type: NAME                { $$ = tree_type(p, @$, TX_NAME, $1, NULL); }
  | NAME '[' dims ']'     { $$ = tree_array_type(p, @$, tree_type(p, @1, TX_NAME, $1, NULL), $3); }
  | NAME '[' DOTS ']'     { $$ = tree_array_type(p, @$, tree_type(p, @1, TX_NAME, $1, NULL), NULL); }
  | '(' types ')'         { $$ = $2->len == 1 ? $2->data[0] : tree_tuple_type(p, @$, $2); }
  | '(' types ',' ')'     { $$ = tree_tuple_type(p, @$, $2); }
  | '(' types ')' '[' dims ']' { $$ = tree_array_type(p, @$, tree_tuple_type(p, @$, $2), $5); }
  | FN '(' opt_types ')'  {
        $$ = tree_type(p, @$, TX_FUNC, NULL, NULL);
        $$->items = *$3;
    }
  | FN '(' opt_types ')' GIVES type {
        $$ = tree_type(p, @$, TX_FUNC, NULL, $6);
        $$->items = *$3;
    }
  ;
opt_types: %empty { $$ = LIST_NEW(p, TypeExprVec); } | types | types ',' ;
types: type               { $$ = LIST_NEW(p, TypeExprVec); PUSH($$, $1); }
  | types ',' type        { $$ = $1; PUSH($$, $3); }
  ;
dims: dim                 { $$ = LIST_NEW(p, ExprVec); PUSH($$, $1); }
  | dims ',' dim          { $$ = $1; PUSH($$, $3); }
  ;
dim: expr ;

/* ---- ranges, and arrays that are run over */

gens: gen                 { $$ = LIST_NEW(p, GenVec); PUSH($$, *$1); }
  | gens ',' gen          { $$ = $1; PUSH($$, *$3); }
  ;
gen: NAME                 { $$ = tree_gen(p, @1, $1, NULL, NULL, NULL); }
  | NAME IN source        { $$ = $3; $$->name = $1; $$->span = @1; }
  ;
source: expr              { $$ = tree_gen(p, @$, NULL, NULL, NULL, NULL); $$->over = $1; }
  | expr ':' expr         { $$ = tree_gen(p, @$, NULL, $1, $3, NULL); }
  | expr ':' expr ':' expr { $$ = tree_gen(p, @$, NULL, $1, $3, $5); }
  ;

/* ---- expressions */

cond: expr
  | expr '=' expr         { $$ = tree_condition(p, @$, $1, $3, @2); }
  ;

expr: postfix
  | if_expr
  | FN '(' params ')' "=>" expr  { $$ = tree_lambda(p, @$, $3, $6); }
  | '-' expr %prec NEGATION { $$ = tree_unary(p, @$, OPR_NEG, $2); }
  | '+' expr %prec NEGATION { $$ = $2; }
  | '~' expr %prec NEGATION { $$ = tree_unary(p, @$, OPR_BITNOT, $2); }
  | NOT expr              { $$ = tree_unary(p, @$, OPR_NOT, $2); }
  | expr OR expr          { $$ = tree_binary(p, @$, OPR_OR, $1, $3); }
  | expr AND expr         { $$ = tree_binary(p, @$, OPR_AND, $1, $3); }
  | expr CMP expr         { $$ = tree_binary(p, @$, $2, $1, $3); }
  | expr '|' expr         { $$ = tree_binary(p, @$, OPR_BITOR, $1, $3); }
  | expr XOR expr         { $$ = tree_binary(p, @$, OPR_BITXOR, $1, $3); }
  | expr '&' expr         { $$ = tree_binary(p, @$, OPR_BITAND, $1, $3); }
  | expr SHIFT expr       { $$ = tree_binary(p, @$, $2, $1, $3); }
  | expr '+' expr         { $$ = tree_binary(p, @$, OPR_ADD, $1, $3); }
  | expr '-' expr         { $$ = tree_binary(p, @$, OPR_SUB, $1, $3); }
  | expr MULOP expr       { $$ = tree_binary(p, @$, $2, $1, $3); }
  | expr '^' expr         { $$ = tree_binary(p, @$, OPR_POW, $1, $3); }
  ;

/* As a statement of its own it becomes ST_IF and may lack its else. */
if_expr: IF cond block             { $$ = tree_if(p, @$, $2, $3, NULL); }
  | IF cond block ELSE block       { $$ = tree_if(p, @$, $2, $3, $5); }
  | IF cond block ELSE if_expr     { $$ = tree_if(p, @$, $2, $3, tree_block_of(p, @5, tree_expr_stmt(p, @5, $5))); }
  ;

postfix: atom
  | postfix '(' args ')'  { $$ = tree_call(p, @$, $1, $3); }
  | postfix '[' subs ']'  { $$ = tree_index(p, @$, $1, $3); }
  | postfix '.' NAME      { $$ = tree_field(p, @$, $1, $3); }
  | postfix '.' PLACE     { $$ = tree_field(p, @$, $1, $3); }
  ;

atom: INT                 { $$ = tree_int(p, @$, $1); }
  | FLOAT                 { $$ = tree_float(p, @$, $1); }
  | IMAGINARY             { $$ = tree_imaginary(p, @$, $1); }
  | STRING                { $$ = tree_string(p, @$, $1); }
  | FORMATTED             { $$ = tree_formatted(p, @$); }
  | TRUE                  { $$ = tree_bool(p, @$, true); }
  | FALSE                 { $$ = tree_bool(p, @$, false); }
  | NAME                  { $$ = tree_name(p, @$, $1); }
  | '(' expr ')'          { $$ = $2; $$->span = @$; }
  | '(' expr ',' ')'      {
        ExprVec one = {0};
        PUSH(&one, $2);
        $$ = tree_list(p, @$, EX_TUPLE, &one);
    }
  | '(' expr ',' items ')' {
        ExprVec all = {0};
        PUSH(&all, $2);
        for (int i = 0; i < $4->len; i++) PUSH(&all, $4->data[i]);
        $$ = tree_list(p, @$, EX_TUPLE, &all);
    }
  | '[' ']'               { $$ = tree_list(p, @$, EX_ARRAY, NULL); }
  | '[' items ']'         { $$ = tree_list(p, @$, EX_ARRAY, $2); }
  | '[' expr FOR gens ']' { $$ = tree_comp(p, @$, EX_COMP, $2, $4); }
  | '[' expr FOR gens IF expr ']' { $$ = tree_filter(p, @$, EX_COMP, $2, $4, $6); }
  ;
items: exprs | exprs ',' ;
exprs: expr               { $$ = LIST_NEW(p, ExprVec); PUSH($$, $1); }
  | exprs ',' expr        { $$ = $1; PUSH($$, $3); }
  ;

args: %empty              { $$ = tree_args(p); }
  | arg_list
  | arg_list ','
  | generator             { $$ = tree_args(p); tree_add_arg(p, $$, NULL, $1); }
  | arg_list ',' generator { $$ = $1; tree_add_arg(p, $$, NULL, $3); }
  ;
arg_list: expr            { $$ = tree_args(p); tree_add_arg(p, $$, NULL, $1); }
  | NAME '=' expr         { $$ = tree_args(p); tree_add_arg(p, $$, $1, $3); }
  | arg_list ',' expr     { $$ = $1; tree_add_arg(p, $$, NULL, $3); }
  | arg_list ',' NAME '=' expr { $$ = $1; tree_add_arg(p, $$, $3, $5); }
  ;
generator: expr FOR gens  { $$ = tree_comp(p, @$, EX_GEN, $1, $3); }
  | expr FOR gens IF expr { $$ = tree_filter(p, @$, EX_GEN, $1, $3, $5); }
  ;

subs: sub                 { $$ = LIST_NEW(p, SubVec); PUSH($$, *$1); }
  | subs ',' sub          { $$ = $1; PUSH($$, *$3); }
  ;
sub: expr                 { $$ = tree_sub(p, @$, $1, NULL, NULL, false); }
  | opt_expr ':' opt_expr { $$ = tree_sub(p, @$, $1, $3, NULL, true); }
  | opt_expr ':' opt_expr ':' opt_expr { $$ = tree_sub(p, @$, $1, $3, $5, true); }
  ;
opt_expr: %empty { $$ = NULL; } | expr ;

%%

static void yyerror(Span *at, Parser *p, const char *message) {
    (void)message; /* only "memory exhausted" comes here */
    diag_report(p->s, *at, E_TOO_DEEP, MAX_DEPTH);
    p->stop = true;
}

static int yyreport_syntax_error(const yypcontext_t *ctx, Parser *p) {
    yysymbol_kind_t kinds[YYNTOKENS];
    const char *names[YYNTOKENS];
    int n = yypcontext_expected_tokens(ctx, kinds, YYNTOKENS);
    yysymbol_kind_t found = yypcontext_token(ctx);
    if (n < 0) return n;
    for (int i = 0; i < n; i++) names[i] = yysymbol_name(kinds[i]);
    p->failed = true;
    report_unexpected(p, found == YYSYMBOL_YYEMPTY ? "" : yysymbol_name(found), names, n);
    return 0;
}
