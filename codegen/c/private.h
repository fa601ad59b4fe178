/* What the files of codegen/c share and nobody else sees.
 *
 * A function is first planned (codegen/plan.h), its operations get their places (place.c: what folds into the
 * expression that uses it, which loop-carried values share a C variable), then it is emitted into a list of lines
 * (lines.c) whose text refers to C variables by number.  Only when all lines of a function are there, declarations that
 * nobody reads are dropped and the variables get their names. */
#ifndef DSL_EMIT_PRIVATE_H
#define DSL_EMIT_PRIVATE_H

#include "codegen/c/emit.h"
#include "analysis/range.h"
#include "codegen/plan.h"

typedef struct Emit Emit;

/* ---- lines.c */

typedef struct Var {
    int index;
    const char *hint;   /* wanted name, or NULL */
    const char *name;   /* given when the lines are printed */
    int reads;
} Var;

typedef enum {
    LINE_PLAIN,    /* a statement */
    LINE_DECL,     /* declares def; dropped, or replaced by alt, when nobody reads def */
    LINE_ASSIGN,   /* only changes def; dropped when nobody reads def */
    LINE_OPEN,     /* begins a block */
    LINE_MIDDLE,   /* } else { */
    LINE_CLOSE,
    LINE_PRAGMA,   /* goes with the line after it */
    LINE_COMMENT,  /* dropped when the line it speaks of was dropped */
    LINE_PARAM,    /* no text: def gets its name here */
    LINE_HEADER,   /* a function's; its parameters are not read there */
    LINE_UNUSED,   /* printed when nobody else reads def */
} LineKind;

typedef struct Line {
    LineKind kind;
    int depth;
    bool dead;
    Var *def;
    const char *text, *alt; /* variables as \x01 index \x02 */
    const char *place;      /* "5 "FILE"" of the source, for #line; or NULL */
    const char *negated;    /* of an "if (c) {": "if (!c) {", for when nothing is done if c holds */
} Line;

typedef struct {
    Arena *arena;
    Session *session;
    VEC(Line) lines;
    VEC(Var *) vars;
    int depth;
    const char *place; /* of the lines that are added */
} Lines;

Var *lines_var(Lines *l, const char *hint);
const char *lines_ref(Lines *l, const Var *v); /* how text refers to v */
Var *lines_next_ref(const Lines *l, const char **text); /* the first one; *text goes behind it */
Line *lines_add(Lines *l, LineKind kind, Var *def, const char *text);
/* Drops what is not needed, names the variables, and prints; reserved(ctx, name) says which names are taken. */
void lines_print(Text *out, Lines *l, bool (*reserved)(void *ctx, const char *name), void *ctx);

/* ---- expressions */

/* C's precedences, loosest first */
enum {
    PREC_COND = 1,
    PREC_LOR,
    PREC_LAND,
    PREC_BOR,
    PREC_XOR,
    PREC_BAND,
    PREC_EQ,
    PREC_REL,
    PREC_SHIFT,
    PREC_ADD,
    PREC_MUL,
    PREC_UNARY,
    PREC_POSTFIX,
    PREC_ATOM
};

typedef struct Expr {
    const char *text; /* NULL: no expression */
    int prec;
    bool literal;     /* its C type may be int although the value's is another */
    const char *left, *right; /* of a + - * at the top: for `x += right` */
    char op;
} Expr;

/* ---- place.c */

typedef struct Placement {
    int writes, owns, early; /* among the ops of its region up to and with this one: memory written, tensors
                                consumed, carried variables overwritten before their loop's end */
    bool fold, repeat;       /* repeat: its text stands where it runs more than once */
    Op *root;                /* the op in whose statement the text of this one ends up */
    Value **shares;          /* per result: the value whose C variable it takes over, or NULL */
} Placement;

void place_function(Emit *e);
Placement *place_of(const Emit *e, const Op *op); /* by op->mark */

/* ---- the emitter */

typedef struct { Expr expr; Var *var; } ValueState; /* var: it lives in a variable of its own */

struct Emit {
    Session *session;
    Arena *arena;
    const Module *module;
    const EmitOptions *opts;
    Text *out;
    Map reserved;       /* interned names that nothing may take */
    Map func_names;     /* Func -> its C name */
    Map prototypes;     /* of a C function, as text -> the first Func that has it */
    Sites sites;
    Light light;
    /* the current function */
    Func *func;
    Var *room;          /* of a light function: the parameter that says how many calls may be inside; else NULL */
    Lines lines;
    Plan *plan;
    Placement *places;
    Ranges *ranges;     /* made when it is first asked; NULL before */
    ValueState *values; /* by value->id */
    Map syms;           /* size symbol -> text */
    int loop_depth;     /* of parallel loops, for names */
    int tables;         /* so far, for names */
    CheckedVec checked;
    int failures;       /* how many statements so far that may fail */
    Span pending;       /* source line to show before the next line */
    int shown_file, shown_line;
};

/* How each op is emitted: emit.def */
typedef Expr ExprFn(Emit *e, const Op *op);
typedef void StmtFn(Emit *e, Op *op);
#define EXPR(id, fn) Expr fn(Emit *e, const Op *op);
#define STMT(id, fn) void fn(Emit *e, Op *op);
#define NEVER(id)
#include "codegen/c/emit.def"
#undef EXPR
#undef STMT
#undef NEVER
bool emit_is_expr(OpCode c);

/* ---- expr.c */
Expr expr_atom(const char *text);
Expr expr_printf(Emit *e, int prec, const char *fmt, ...) DSL_PRINTF(3, 4);
Expr expr_const(Emit *e, const Const *c);
Expr expr_int(Emit *e, int64_t v);
Expr expr_binary(Emit *e, const char *op, Expr a, Expr b);
Expr expr_size(Emit *e, const Size *s);
Expr expr_array_extent(Emit *e, const Size *s); /* of an array that exists: needs no look at overflow */
/* The text, with parentheses when it binds looser than prec */
const char *expr_in(Emit *e, Expr x, int prec);
const char *expr_str(Emit *e, const char *bytes); /* a C string literal */
Expr emit_value(Emit *e, const Value *v);
static inline Expr emit_opnd(Emit *e, const Op *op, int i) { return emit_value(e, op_opnd(op, i)); }
Expr expr_index(Emit *e, const Type *t, const char *base, int n, const Use *idx); /* base[i][j] or base[i*m + j] */
const char *expr_narrow(Emit *e, DType t); /* "(int8_t)" when C computes t wider, else "" */
const char *c_type(DType t);   /* of a scalar value */
const char *c_elem(DType t);   /* of an element in memory */
const char *c_dtype(DType t);  /* DSL_F64 */

/* ---- stmt.c */
void emit_place(Emit *e, Span at); /* of the lines that follow, for a debugger */
DSL_PRINTF(2, 3) void emit_line(Emit *e, const char *fmt, ...);
DSL_PRINTF(2, 3) void emit_open(Emit *e, const char *fmt, ...);
void emit_close(Emit *e);
void emit_assign(Emit *e, Var *var, const char *text); /* only changes var, with which it begins */
void emit_pragma(Emit *e, const char *fmt, ...) DSL_PRINTF(2, 3);
/* "type var = text;" */
Var *emit_declare(Emit *e, const Value *v, const char *type, const char *text, const char *alt);
void emit_declare_into(Emit *e, Var *var, const char *type, const char *text, const char *alt);
void emit_bind_var(Emit *e, const Value *v, Var *var);
void emit_bind_expr(Emit *e, const Value *v, Expr x);
void emit_region(Emit *e, const Region *r); /* without its terminator */
/* targets[i] = values[i], all at once; NULL targets are skipped */
void emit_assign_all(Emit *e, int n, Var *const *targets, const Use *values);
const char *emit_site(Emit *e, Span at); /* "&site[3]" */
const char *emit_type(const Type *t);    /* C type of a value */
const char *emit_qualified(Emit *e, const Type *t, bool is_mutable); /* "const double " or "dsl_array *" */
Line *emit_open_loop(Emit *e, Var *iv, const char *header);
Var *emit_loop_var(Emit *e, const Value *iv, int depth);
void emit_free_scratch(Emit *e, const Region *r);
Expr emit_negated(Emit *e, const Value *v);
bool emit_is_inline(const Op *op); /* stands wherever it is used */
void emit_define_syms(Emit *e, const Value *v); /* size symbols that v's type defines */
void emit_define_syms_of(Emit *e, const Type *t, const Value *v);
void emit_check_index(Emit *e, const Op *op, const Type *t, int first_idx);
void emit_check_divisor(Emit *e, const Op *op);
const char *emit_func_name(const Emit *e, const char *func);
const char *emit_early_return(Emit *e, const Func *f); /* the statement; of any results */
const char *emit_dims(Emit *e, const Type *t); /* "(int64_t[]){n, m}" */

/* ---- ranks.c */
void emit_gather_operands(Emit *e, const Op *op);
/* Turns that each process runs by itself begin: what their end is told; NULL: there are none */
const char *emit_alone_begin(Emit *e);
bool emit_by_all(const Emit *e, const Op *op);     /* several processes do it alike, at function level */
bool emit_only_first(const Emit *e, const Op *op); /* one process alone does it, and the others wait */

/* ---- guard.c: in a library, what threads and tasks of a parallel region stand in */
enum { GUARD_LINES = 16 };
typedef struct { int failures, n, at[GUARD_LINES]; Var *team, *guard; } Guard;
bool guard_wanted(const Emit *e);
const char *guard_threads(const Emit *e);    /* the clause that says how many */
Guard guard_team(Emit *e);                   /* before the region */
void guard_begin(Emit *e, Guard *g);         /* in a thread or task */
void guard_try(Emit *e, Guard *g);           /* a failure in the block that follows ... */
void guard_caught(Emit *e, Guard *g);        /* ... ends here */
void guard_finish(Emit *e, Guard *g);        /* the thread or task is done */
void guard_open_region(Emit *e, Guard *g, const char *pragma); /* begin, in all threads of a region of its own */
void guard_close_region(Emit *e, Guard *g);
bool guard_team_end(Emit *e, Guard *g);      /* after it; false: nothing can fail, and the guard is no longer there */

/* ---- threads.c: a loop whose turns threads share, if its plan says so.  begin; pragma before each loop of the nest;
 * around what is in the innermost, turn and turn_done; end behind all loops */
typedef struct { Guard guard; bool guarded, each_one, trace; } Threads;
const char *threads_worth(Emit *e, const Op *op, const LoopPlan *p); /* the condition on which they do */
Threads threads_begin(Emit *e, const Op *op, const LoopPlan *p);
void threads_pragma(Emit *e, const Op *op, const LoopPlan *p, bool first, bool last);
void threads_turn(Emit *e, Threads *t);
void threads_turn_done(Emit *e, Threads *t);
void threads_end(Emit *e, const Op *op, const LoopPlan *p, Threads *t);

/* ---- names.c */
bool name_is_reserved(const char *name, bool of_function);
const char *name_clean(Session *s, const char *hint); /* a C identifier; NULL when nothing is left */

#endif
