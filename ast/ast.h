/* The syntax tree, before and after checking, and the types of the source language.
 *
 * The parser (grammar/) builds it untyped; the checker (frontend/check*.c) fills the fields marked
 * [checker] in place, and makes conversions explicit by wrapping EX_CONVERT nodes, so that lowering
 * (lower/) never decides a type: every operand it meets already has exactly the type it needs.
 * Everything lives in the session's arena. */
#ifndef DSL_AST_H
#define DSL_AST_H

#include "base/base.h"

typedef struct Expr Expr;
typedef struct Stmt Stmt;
typedef struct Block Block;
typedef struct TypeExpr TypeExpr;
typedef struct Decl Decl;
typedef struct Var Var;
typedef struct FType FType;
typedef struct Inst Inst;
typedef struct Gen Gen;

typedef VEC(Expr *) ExprVec;
typedef VEC(Stmt *) StmtVec;
typedef VEC(const char *) NameVec;
typedef VEC(Decl *) DeclVec;
typedef VEC(TypeExpr *) TypeExprVec;

/* ---- types of the language [checker] ----------------------------------------------------------- */

typedef enum {
    FT_ERROR,  /* something was wrong and has been reported: silences what follows from it */
    FT_UNIT,   /* no value */
    FT_SCALAR, /* dtype, DT_STR included */
    FT_ARRAY,  /* elem (scalar, tuple or struct), rank, dims */
    FT_TUPLE,  /* fields */
    FT_STRUCT, /* fields, decl */
    FT_FUNC,   /* a function known at compile time: func (a Decl or a lambda) */
    FT_TYPE,   /* a type used as a value, as in zeros(f64, n): elem */
} FTypeKind;

struct FType { /* interned: equal types are equal pointers */
    FTypeKind kind;
    DType dtype;
    const FType *elem;
    int rank;
    const Size *const *dims;
    int nfields;
    int leaves; /* scalars and arrays in it, all fields counted */
    const FType *const *fields;
    const char *const *names; /* struct field names; NULL for tuples */
    Decl *decl;               /* struct: its declaration; func: the function */
    Expr *lambda;             /* func: the lambda, when not a Decl */
};

/* ---- names -------------------------------------------------------------------------------------- */

typedef enum { VAR_LET, VAR_VAR, VAR_CONST, VAR_PARAM, VAR_SIZE, VAR_LOOP, VAR_SHARED } VarKind;
typedef enum { MODE_IN, MODE_OUT, MODE_INOUT } Mode;

/* A variable [checker].  One per definition; uses point to it. */
struct Var {
    VarKind kind;
    Mode mode;          /* kernel parameters */
    const char *name;   /* as written, interned */
    Span span;
    const FType *type;
    const char *sym;    /* when its value is used as a size: the size symbol that stands for it, unique
                         * in the function (lowering binds it where the variable is defined) */
    bool has_const;     /* value known at compile time (scalars) */
    Const cval;
    const Expr *init;   /* has_const: what it was computed of, or NULL */
    Expr *const_expr;   /* VAR_CONST that is not a scalar (an array or tuple): expanded at each use */
    bool used, assigned;
    bool told;          /* the checker's own: that it cannot be assigned */
    bool by_literal;    /* var x = 0: an int only because its first value is written so, ... */
    int64_t first;      /* ... and this is that value */
    bool captured;      /* VAR_LET/VAR_VAR of the top level */
    bool given;         /* of the session that the cell belongs to */
    bool flex;          /* a const that was written without a type: takes the type of its context */
    const Size *size;   /* immutable int: its value as a size: the bare symbol `sym`, or, when it was defined
                         * by an expression that is a size itself (let m = n - 2), that size; sym is NULL then */
    int depth;          /* the checker's own: nesting depth of the scope that defines it */
    Gen *gen;           /* the checker's own: loop variable of a range that is still to be inferred */
    const Gen *range;   /* the checker's own: VAR_LOOP: what it runs over */
};

/* ---- expressions --------------------------------------------------------------------------------- */

typedef enum {
    EX_INT, EX_FLOAT, EX_BOOL, EX_STR, /* literals; value in lit */
    EX_NAME,    /* name */
    EX_UNARY,   /* op, a */
    EX_BINARY,  /* op, a, b */
    EX_CALL,    /* callee, args (and arg names): calls, casts f32(x), struct literals P(x=1, y=2) */
    EX_INDEX,   /* a, subs */
    EX_FIELD,   /* a.name: struct fields, tuple fields (.0), .T, .x of thread and so on */
    EX_ARRAY,   /* [args] */
    EX_COMP,    /* [a for gens]: comprehension */
    EX_GEN,     /* (a for gens) as an argument of a reduction: sum(x[k] for k in 0:n) */
    EX_TUPLE,   /* (args) */
    EX_FORMAT,  /* f"...": name, a template (base/template.c), and args for its places */
    EX_IF,      /* if a { b } else { c }: then_block, else_block; their last expression statement is the value */
    EX_LAMBDA,  /* fn(params) => a */
    EX_CONVERT, /* [checker] a, changed to this node's type: dtype, broadcast or size (see conv) */
} ExprKind;

typedef enum {
    OPR_ADD, OPR_SUB, OPR_MUL, OPR_DIV, OPR_IDIV, OPR_MOD, OPR_POW, OPR_MATMUL,
    OPR_EQ, OPR_NE, OPR_LT, OPR_LE, OPR_GT, OPR_GE,
    OPR_AND, OPR_OR, OPR_NOT, OPR_NEG,
    OPR_BITAND, OPR_BITOR, OPR_BITXOR, OPR_BITNOT, OPR_SHL, OPR_SHR,
    OPR_MIN, OPR_MAX, /* only as the operator of `atomic a[i] min= v` */
    OPR_NONE
} Opr;

typedef enum {
    CONV_DTYPE,     /* elementwise change of element type; shape unchanged */
    CONV_BROADCAST, /* scalar or lower-rank array to the array type; trailing axes match, as in NumPy */
    CONV_SIZE,      /* same rank and dtype, sizes not known to be equal: checked when the program runs.  Also on
                     * tuples and structs that hold arrays: field by field */
} Conv;

typedef enum { SUB_INDEX, SUB_SLICE } SubKind;
typedef struct Sub { /* one subscript */
    SubKind kind;
    Span span;
    Expr *index;          /* SUB_INDEX; negative constants count from the end only when written -k in a slice bound */
    Expr *lo, *hi, *step; /* SUB_SLICE; NULL where left out */
    int64_t step_value;   /* [checker] the constant step (1 if left out; may be negative: x[::-1]) */
    const Size *extent;   /* [checker] SUB_SLICE: number of elements */
    bool from_end, to_end; /* [checker] SUB_SLICE: lo is written -k; hi is */
    const Size *start, *end; /* [checker] SUB_SLICE: lo and hi as sizes, also when they are left out or written -k */
} Sub;
typedef VEC(Sub) SubVec;

struct Gen { /* for i in lo:hi:step, for x in over */
    const char *name;
    Span span;
    Expr *lo, *hi, *step; /* lo NULL: 0; hi NULL: range inferred from indexing [checker fills extent] */
    Expr *over;           /* for x in over: its elements, or rows; evaluated once, before.  NULL: a range */
    Var *var;             /* [checker] */
    int64_t step_value;   /* [checker] */
    const Size
        *extent; /* [checker] number of iterations; lowering: i = lo + step_value * k, or over[k], k in 0:extent. Always
                  * there in EX_COMP.  In EX_GEN and ST_FOR: NULL when the bounds are no sizes (then it follows
                  * from the values of lo and hi), and where it comes out negative there are no iterations */
};
typedef VEC(Gen) GenVec;

typedef struct Param {
    const char *name;
    Span span;
    TypeExpr *type; /* NULL in lambdas that leave it out */
    Mode mode;
    bool has_mode;
    Expr *value; /* what it is when a call leaves it out: a literal, or NULL */
    Var *var;    /* [checker] */
    const char *label; /* [checker] in lambdas of its own: what the user calls it; NULL: its name */
} Param;
typedef VEC(Param) ParamVec;

/* What a call turned out to be [checker] */
typedef enum {
    CALL_NONE,
    CALL_FN,      /* inst: a user or stdlib function; args are the run-time arguments in order, converted */
    CALL_EXTERN,  /* inst: an extern fn */
    CALL_BUILTIN, /* builtin: a row of builtins.def; args converted as its row's comment says */
    CALL_CAST,    /* args[0] to this node's type, elementwise */
    CALL_STRUCT,  /* args in field order */
} CallKind;

typedef struct SizeBind { const char *sym; const Size *size; } SizeBind; /* callee's symbol = caller's size */
typedef VEC(SizeBind) SizeBindVec;

struct Expr {
    ExprKind kind;
    Span span;
    const FType *type;  /* [checker] */
    const Size *size;   /* [checker] int expressions: value as a size, when it has one */
    const char *bind;   /* [checker] int expression used as a size but not expressible as one: the fresh
                         * symbol that lowering binds to its value where it is evaluated */
    bool is_const;      /* [checker] scalar known at compile time */
    bool flex;          /* [checker] literal that has not met its type yet; lowering may ignore it */
    bool from_here;     /* [checker] less of it is meant: -2^63, 2^63 - 1 */
    bool each; /* [checker] CALL_FN, CALL_STRUCT: called for each element of those args that are arrays, of one shape */
    Const lit;          /* literals; [checker] the value when is_const */
    Opr op;
    Expr *a, *b, *c;
    const char *name;
    bool of_library;    /* EX_NAME that the checker made: the library's, whatever the name means here */
    Var *var;           /* [checker] EX_NAME of a variable; NULL for functions, types, thread, block, ... */
    Expr *callee;       /* NULL: the function `builtin`, whatever its name means here */
    ExprVec args;
    NameVec arg_names;  /* same length as args as parsed; NULL entries: positional */
    SubVec subs;
    GenVec gens;
    ParamVec params;    /* EX_LAMBDA */
    Decl *makes; /* EX_CALL without a callee, of the checker: the struct that it makes, whatever its name means here */
    Decl *derives; /* [checker] EX_LAMBDA that stands for grad(f), jvp(f), ..: f, of which it has the parameters and
                      perhaps one more */
    Block *then_block, *else_block;
    Conv conv;
    Span other;         /* [checker] CONV_SIZE: what the sizes must agree with, or no place */
    int field;          /* [checker] EX_FIELD: index of the field; -1 for .T */
    CallKind call;      /* [checker] */
    int builtin;        /* [checker] */
    Inst *inst;         /* [checker] CALL_FN, CALL_EXTERN; reductions and scans with a user's operator: its instance */
    Span operator;      /* [checker] reductions and scans with such an operator: where that is written */
    SizeBindVec binds;  /* [checker] sizes of the callee at this call */
};

/* ---- statements ----------------------------------------------------------------------------------- */

typedef enum {
    ST_LET,     /* let/var/const: names, type, a; several names take a tuple apart */
    ST_ASSIGN,  /* target op= a (op OPR_NONE: plain); target: name, index, field, or tuple of these */
    ST_EXPR,    /* a */
    ST_IF,      /* a, body, else_body (else if: else_body holds one ST_IF) */
    ST_FOR,     /* gens (one, or several for parallel for), body, parallel, progress */
    ST_WHILE,   /* a, body */
    ST_BREAK, ST_CONTINUE,
    ST_RETURN,  /* a or NULL */
    ST_LAUNCH,  /* name, grid, block (1..3 expressions each), args */
    ST_BARRIER,
    ST_SHARED, /* shared name: type */
    ST_ATOMIC, /* atomic target op= a; op NONE: atomic target = a, if it equals b where that is; a NULL: it is read;
                * let names = atomic ...: what the element was before */
    ST_SPAWN, /* body */
    ST_SYNC,
    ST_ASSERT,  /* assert a, b (message or NULL) */
    ST_BLOCK,   /* body */
    ST_DECL,    /* a declaration among the top-level statements (fn, kernel, struct, import, test, bench) */
    ST_CELL,    /* notebook cell border: name = its title text */
} StmtKind;

struct Stmt {
    StmtKind kind;
    Span span;
    VarKind var_kind;   /* ST_LET, ST_ATOMIC with a name */
    NameVec names;
    VEC(Span) name_spans;
    VEC(Var *) vars;    /* [checker] ST_LET, ST_ATOMIC, ST_SHARED */
    TypeExpr *type;
    Opr op;
    Expr *target, *a, *b;
    Block *body, *else_body;
    GenVec gens;
    bool parallel, progress;
    bool own_turns;     /* [checker] parallel: turns write and read what they write at places of their own alone */
    bool checkpoint;    /* ST_FOR: for derivatives, as its setting `name`, if any, with value b says */
    int64_t plan[3];    /* [checker] its values: every so many turns; so many bytes, states at most; 0: not said */
    bool is_arg;        /* ST_LET: an argument of the program, arg name: type = a; a NULL: it must be given */
    const char *doc;    /* ST_LET that is_arg: what is said of it, or "" */
    Span default_at;    /* ... where a stands, before checking; no place without one */
    const char *name;
    Span name_span;
    ExprVec grid, block, args;
    Decl *decl;         /* ST_DECL */
    Inst *inst;         /* [checker] ST_LAUNCH */
    SizeBindVec binds;  /* [checker] ST_LAUNCH: the kernel's sizes in terms of the launching function's;
                         * ST_LET with an annotation such as f64[n, m] whose n, m are new: size = NULL,
                         * the symbols are defined by the value's type */
};

struct Block {
    StmtVec stmts;
    Span span;
};

/* ---- type expressions ------------------------------------------------------------------------------ */

typedef enum { TX_NAME, TX_ARRAY, TX_TUPLE, TX_FUNC } TypeExprKind;
struct TypeExpr {
    TypeExprKind kind;
    Span span;
    const char *name;   /* TX_NAME: f64, int, T, Point */
    TypeExpr *elem;     /* TX_ARRAY; TX_FUNC: result */
    ExprVec dims;       /* TX_ARRAY; a NULL entry is `_`; any_rank: T[..] */
    bool any_rank;
    TypeExprVec items;  /* TX_TUPLE, TX_FUNC parameters */
};

/* ---- declarations ----------------------------------------------------------------------------------- */

typedef enum { DECL_FN, DECL_KERNEL, DECL_STRUCT, DECL_IMPORT, DECL_TEST, DECL_BENCH } DeclKind;
/* A function may be the rule by which another one is differentiated: vjp fn f(..), jvp fn f(..) */
typedef enum { RULE_NONE, RULE_VJP, RULE_JVP } RuleKind;
struct Decl {
    DeclKind kind;
    Span span, name_span;
    const char *name;    /* also the text of test, bench and import */
    const char *doc;     /* joined ## lines above it, or NULL */
    ParamVec params;
    TypeExpr *ret;       /* NULL: no value, or taken from the body when written fn f(x: T) = expr */
    Block *body;         /* NULL: extern */
    Expr *expr_body;     /* fn f(...) -> t = expr */
    bool is_extern, is_export;
    RuleKind rule;
    const char *rule_of; /* the name of the function; `name` is that of the rule, which nobody can write */
    VEC(Param) fields;   /* struct */
    bool generic;        /* [checker] has type variables, function parameters, or T[..]: checked per instance */
    Decl *next_overload; /* [checker] same name, other parameter types; tried in order of definition */
};

/* A source file parsed */
typedef struct Unit {
    int file;
    StmtVec stmts; /* in order; declarations as ST_DECL */
    const char *path;
} Unit;

/* ---- instances [checker] ----------------------------------------------------------------------------- */

/* A function or kernel for one choice of element types and function arguments.  Sizes stay symbolic.
 * Lowering makes one IR function of each FN instance; kernels are lowered into each launch. */
typedef struct TypeBind { const char *name; const FType *type; } TypeBind;
struct Inst {
    Decl *decl;
    Expr *lambda;        /* instance of a lambda: decl is NULL */
    const char *name;    /* unique, fit for an identifier with dots: "norm", "map.2" */
    VEC(TypeBind) types; /* type variables and function parameters */
    VEC(Var *) params;   /* run-time parameters, in order */
    VEC(Var *) sizes;    /* VAR_SIZE: names introduced by parameter types; sym is the IR size symbol */
    const FType *ret;    /* may mention symbols of sizes, of int parameters, and fresh ones (existential) */
    Block *body;         /* a checked copy of the body */
    Expr *expr_body;
    const Inst *rule[3]; /* by RuleKind: by which it is differentiated, or NULL.  Their parameters are those of
                          * the function, perhaps its value, and the direction */
    const FType *gradient; /* where there is a rule: what a vjp gives, in the sizes of this instance */
    bool recursive;
    bool pure;           /* no output, no assert, no extern */
};

/* What is written elsewhere, and here: foreign.def */
typedef enum {
    FOREIGN_NAME,
    FOREIGN_FUNCTION,
    FOREIGN_FIELD,
    FOREIGN_TYPE,
    FOREIGN_PREFIX,
    FOREIGN_WORD,
    FOREIGN_CALL,
    FOREIGN_ARG,
    FOREIGN_UPDATE
} ForeignKind;
typedef struct { ForeignKind where; const char *theirs, *hint, *ours; } Foreign; /* ours: replaces it, or NULL */
const Foreign *foreign_find(ForeignKind where, const char *name);
const Foreign *foreign_function(const char *name); /* of NAME or FUNCTION */

/* The checked program */
typedef struct Program {
    Session *session;
    VEC(Unit *) units;     /* in order of import, the main file last; without the library */
    VEC(Inst *) insts;     /* functions, in an order that defines callees first where possible */
    VEC(Inst *) kernels;
    StmtVec main;          /* top-level statements of the main file, checked (imports contribute none) */
    VEC(Inst *) tests;     /* tests and benches of the main file: decl->kind tells */
    VEC(Var *) given;      /* a cell of a session: what main takes, ... */
    VEC(Var *) kept;       /* ... and what it leaves: in order, the variables that the session has after it */
    const Decl *complex[2]; /* c64 and c128 of the library, or NULL */
    bool in_session;       /* a cell: arguments have their default values */
    bool exact_floats;     /* for lowering: constants of f64 have all digits that are written, and the program computes
                            * with them */
} Program;

/* What else lowering may rely on after checking:
 *  - is_const wins: a scalar node with is_const set has its value in lit, of type->dtype; its children may be ignored.
 *  - Elementwise operators and functions: all operands have one shape and (but for the condition of where) one
 *    dtype, by CONV_DTYPE, then CONV_SIZE, then CONV_BROADCAST.  Two exceptions: in OPR_POW, b may be an int
 *    constant scalar (is_const, at most 64) whatever a is: repeated multiplication; and f16, bf16 operands come
 * converted to f32.
 *  - Conditions are scalar bools; and/or on scalars short-circuit.
 *  - EX_INDEX: subs.len is the rank (left-out ones are whole slices); an int index is i64; at most one
 *    index is an i64 array of rank 1 (gather: its axis runs over the array).  Sub.start, .extent are always set for
 * slices.
 *  - EX_COMP whose element is an array: the result has the axes of the gens, then those of the element.
 *    Likewise EX_ARRAY of arrays.
 *  - EX_NAME of VAR_SIZE: materialise Expr.size.  Variables and parameters of type FT_FUNC and FT_TYPE have no
 *    run-time value and are no parameters of an Inst.
 *  - What a lambda captures is passed: Inst.params ends in a parameter for each captured variable, and
 *    args of CALL_FN in the values for them; BI_reduce and BI_scan carry these after their own args.
 *  - A const that is not a scalar: EX_NAME whose var->const_expr is to be expanded.
 *  - Calls: binds lists each VAR_SIZE of the callee, and each int parameter whose argument is a size.
 *  - Returned values have the sizes of Inst.ret but for its existential symbols (those that are neither in
 *    Inst.sizes nor the sym of a parameter): these stand for whatever size the value has.
 *  - launch: out and inout args are EX_NAME, EX_FIELD of these, or CONV_SIZE of either.
 *  - ST_LET without a: zeros of the type, but for arguments.  ST_ASSIGN: a has the target's type (broadcast,
 * converted), in op= too.
 *  - Program.main has no ST_DECL and no const.  In a cell the last expression is `let _`. */

/* ---- entry points ---------------------------------------------------------------------------------------- */

/* grammar/: parses a file already added to the session.  Reports syntax errors; returns what could be
 * parsed, never NULL. */
Unit *parse_file(Session *s, int file);
/* Whether more lines may complete the file: a brace is open; another bracket, or the last line ends in an operator or a
 * comma */
typedef enum { TEXT_ENDS, TEXT_IN_BLOCK, TEXT_IN_EXPRESSION } TextEnd;
TextEnd text_end(Session *s, int file);
/* A file that is not text at all gives one message, not one for each byte.  False: reported. */
bool source_is_text(Session *s, int file);
void tokens_print(Text *out, Session *s, int file); /* the text of --emit=tokens */
/* The words of a file in order, for people to read in colours; what the lexer refuses is in none. */
typedef enum { LEXEME_COMMENT, LEXEME_KEYWORD, LEXEME_NAME, LEXEME_NUMBER, LEXEME_STRING, LEXEME_SIGN } LexemeKind;
typedef struct Lexeme { LexemeKind kind; int lo, hi; } Lexeme;
typedef VEC(Lexeme) Lexemes;
Lexemes lexemes_of(Session *s, int file);
/* Prints the tree, checked or not: the text of --emit=ast and --emit=typed. */
void ast_print(Text *out, const Unit *unit, bool typed);
void program_print(Text *out, const Program *p); /* instances with types */

/* ast.c: deep copies (fresh nodes, [checker] fields cleared) */
Expr *expr_clone(Session *s, const Expr *e);
Block *block_clone(Session *s, const Block *b);
/* Constructors used by the parser */
/* The n-th thing without a name of its own that names take apart, let (a, (b, c)) = ..; nobody can write it */
const char *name_of_part(Session *s, int n);
bool name_is_part(const char *name);
Expr *expr_new(Session *s, ExprKind k, Span at);
Expr *expr_name(Session *s, Span at, const char *name); /* interned */
Expr *expr_field(Session *s, Expr *of, const char *name); /* interned */
Expr *expr_operator(Session *s, Span at, Opr op, Expr *a, Expr *b);
Stmt *stmt_new(Session *s, StmtKind k, Span at);
const char *rule_word(RuleKind kind); /* "vjp" or "jvp" */
const char *rule_name(Session *s, const char *fn, RuleKind kind); /* of the rule of this kind for functions fn */

/* The library in the language itself: compiled into the binary from stdlib/ (generated by the Makefile). */
typedef struct StdlibFile { const char *name, *text, *defines; /* the names, a blank behind each */ } StdlibFile;
const StdlibFile *stdlib_files(int *n);

/* check.c: resolves names, types and sizes; parses imports (relative to the importing file, then the
 * include path) and the built-in stdlib.  NULL after errors. */
typedef struct CheckOptions {
    VEC(const char *) include_path;
    VEC(const char *) defines; /* "k=v": overrides top-level const k */
    const Unit
        *given; /* the main file is a cell of a session that has these variables: `let x: f64[3]`; NULL: it is none */
    const StdlibFile *stdlib;  /* as stdlib_files() gives them; NULL: none */
    int nstdlib;
    bool arrays; /* it is for a machine of whole arrays: functions of the library that have a variant for it are that */
} CheckOptions;
Program *check_program(Session *s, Unit *main_unit, const CheckOptions *opts);

/* ftype.c */
const FType *ftype_scalar(Session *s, DType t);
const FType *ftype_array(Session *s, const FType *elem, int rank, const Size *const *dims);
const FType *ftype_tuple(Session *s, int n, const FType *const *fields);
const FType *ftype_struct(Session *s, Decl *decl, int n, const FType *const *fields, const char *const *names);
const FType *ftype_func(Session *s, Decl *decl, Expr *lambda);
const FType *ftype_type(Session *s, const FType *t); /* t as a value */
extern const FType ftype_error, ftype_unit;
const FType *ftype_subst(Session *s, const FType *t, SizeSubst f, void *ctx);
const char *ftype_str(Session *s, const FType *t); /* as the user would write it */
/* A struct's int field that is also the size of an array of it, along that axis: `n` beside `x: f64[n]` */
bool is_size_field(const FType *t, int field, int *array, int *axis);
bool ftype_has_const_size(const FType *t);         /* of all arrays in it */

#endif
