/* Shared by the files that turn the typed tree into IR (lower/ast/).
 *
 * A variable of the language is the list of its scalars and arrays (its leaves): one for a number or an
 * array of numbers, one per field, in order, for tuples and structs, one tensor per field for arrays of them.
 * At function level arrays are tensor values.  Inside islands they are buffers, array expressions are read
 * element by element (elem.c), and only scalars are SSA values. */
#ifndef DSL_LOWER_AST_PRIVATE_H
#define DSL_LOWER_AST_PRIVATE_H

#include "lower/ast/lower.h"

typedef struct Vals { int n; Value **v; } Vals;
typedef VEC(Var *) VarVec;

/* ---- flow.c: what a statement may do to control and variables, known before it is lowered */

enum { X_FALL = 1, X_BREAK = 2, X_CONTINUE = 4, X_RETURN = 8, X_EXITS = X_BREAK | X_CONTINUE | X_RETURN };
typedef struct Flow {
    unsigned exits;  /* the ways it may end: X_... */
    VarVec assigned; /* variables from outside that it assigns; each once */
    VarVec all;      /* blocks: with its own */
    const unsigned char *rest; /* blocks: the ways its statements from the i-th on may end */
} Flow;

/* A call with whole arrays in an island, of a function with rules of derivatives: leaves of its arguments and values */
typedef struct RuledCall { const Inst *inst; Vals args, values; Span at; } RuledCall;

typedef struct Lower {
    Session *session;
    Arena *arena; /* for what is needed while lowering: the module's */
    Module *module;
    Program *program;
    Map flows; /* Stmt* or Block* -> Flow* */
    Map launched; /* Inst* of kernels */
    VEC(RuledCall) ruled;
} Lower;

const Flow *flow_of_stmt(Lower *l, const Stmt *s);
const Flow *flow_of_block(Lower *l, const Block *b);
/* The variable that an assignment to e changes; NULL for tuples */
Var *target_root(const Expr *e);
/* Calls f on e and every expression below it, blocks included */
typedef void ExprVisit(void *ctx, const Expr *e);
void expr_each(const Expr *e, ExprVisit *f, void *ctx);
void block_each(const Block *b, ExprVisit *f, void *ctx);
bool expr_mentions(const Expr *e, const Var *v);

/* ---- where we are */

/* What is known about exits here: the flag's value; without one, whether the exit was surely taken */
enum { EXIT_COUNT = 3 }; /* break, continue, return */
typedef struct Exits { Value *flag[EXIT_COUNT]; unsigned taken; } Exits;

/* The launch a kernel's body is lowered into: [0] is .x.  An axis that was not written has size 1. */
typedef struct Kernel {
    Value *block[3], *thread[3], *griddim[3], *blockdim[3];
    int nthread_ivs;
    Value *thread_ivs[3]; /* those that exist, slowest first: operands of barriers */
    Op *thread_loop;      /* shared memory is allocated before it */
} Kernel;

/* A size symbol that stands for the value of an int.  Its definition is built where a size first needs it: a
 * negative int is an error only there.  A size such as n - k, with k of unknown sign, gets k as the
 * difference of two symbols. */
typedef struct Sym {
    const char *name;
    Value *value;      /* NULL: a kernel's size, which is ... */
    const Size *outer; /* ... this in the launching function */
    bool nonneg;       /* value is known not to be negative */
    const Size *now;   /* what it is here; NULL while no definition is visible */
} Sym;
typedef VEC(Sym *) SymVec;

/* In islands: where an array goes, elements of arrays whose first n indices are known */
typedef struct Dest { Vals out; int n; Value *at[MAX_RANK]; } Dest;

typedef struct Row { const Expr *over; Value *at; bool island; } Row; /* over[at]; made in an island */

/* A function being lowered, or a kernel or function lowered in place */
typedef struct Fn {
    Lower *l;
    Session *session;
    Arena *arena;
    Builder b;
    Map env;               /* Var* -> Vals* */
    Map syms;              /* size symbol of the source -> Sym*, where lowering has to define it */
    Map bound;             /* size symbols that have a definition in this function */
    SymVec *visible;       /* symbols defined in the regions that are open, in order; shared with outer */
    struct Fn *outer;      /* in place: the launching or calling function */
    const Expr *call;      /* in place of this call */
    const char *how;       /* outer: how a message shows that the body stands at place `at` */
    Span at;
    Map prepared;          /* Expr* -> Vals*: parts of an array expression that were evaluated before its loop */
    const Expr *root;      /* what is subscripted, which comes before its subscripts, and what it is; NULL: nothing */
    Vals root_value;
    Map rows; /* Var* -> Row*: rows of an array that a loop runs over; those made in islands have no value but this */
    const FType *ret;      /* result type; NULL: none */
    bool island;           /* inside an island */
    Kernel *kernel;
    Exits exits;
    Vals returned;         /* current returned values; none on paths that have not returned, ... */
    Vals idle;             /* ... where these, if any, stand in */
    Vals result;           /* in place: where returned arrays go; NULL for scalars; none: no array is returned */
} Fn;

/* ---- join.c: regions */
/* Where to go back to after a region: symbols that were defined in it are not visible then */
typedef struct Mark { Builder b; int visible; } Mark;
Mark builder_enter(Fn *f, Builder b);
Mark region_enter(Fn *f, Region *r);
void region_leave(Fn *f, Mark m);

/* ---- type.c: leaves, sizes, types */
int leaf_offset(const FType *t, int field); /* of a tuple or struct, or an array of them */
const FType *leaf_field_type(const FType *t, int field);
/* Types of the leaves, tensors for arrays, with this place's sizes */
const Type **leaf_types(Fn *f, const FType *t);
bool type_has_array(const FType *t);
const FType *array_elem(const FType *t);
const Size *fn_size(Fn *f, const Size *s);       /* s in this place's symbols */
Value *fn_size_value(Fn *f, const Size *s);
void fn_define_sym(Fn *f, const char *sym, Value *v); /* v, an i64, is what sym means from here on */
bool fn_size_is_unbound(Fn *f, const Size *s); /* some symbol of it has no definition here yet: it may be any int */
bool size_is_bound(Fn *f, const Size *s); /* its symbols, as functions have them, have a definition in this one */
bool sizes_are_bound(Fn *f, const FType *t); /* those of all arrays in it */
bool value_is_near(const Value *v);                   /* plainly within what sizes can be */
bool takes_for_ever(const Value *lo, const Value *hi, int64_t step); /* nobody sees a loop come to where ints end */
bool fn_size_is_natural(Fn *f, const Size *s); /* plainly not negative, as far as symbols have a definition here */
bool fn_size_may_overflow(Fn *f, const Size *s);      /* it may be more than int64 holds; a symbol is at most 2^47 */
void fn_check_array(Fn *f,
                    const FType *t); /* an array has these sizes: what is below 0 or overflows stops the program here */
void fn_check_room(Fn *f, const Type *t, Value *const *extents);
void fn_bind_sym(Fn *f, const char *sym);             /* builds its definition here */
Fn fn_in_place(Fn *outer, Span at, const char *how); /* for a body inside an island; its builder is yet to be set */
void fn_inherit_sizes(Fn *inner,
                      const SizeBindVec *binds); /* what is lowered in place has the sizes of its surroundings */
Value *dim_value(Fn *f, const Value *array, int axis);
Value *zero_of(Fn *f, const Type *t);            /* scalar 0 or a tensor of them */
Vals vals_new(Fn *f, int n);
Vals vals_one(Fn *f, Value *v);
Vals vals_part(Vals v, int at, int n);           /* shares memory */
Vals vals_copy(Fn *f, Vals v);
Vals vals_join(Fn *f, int n, const Vals *parts); /* one behind the other */
void vals_hint(Fn *f, Vals v, const FType *t, const char *name); /* name hints of the leaves */
Vals *env_get(Fn *f, const Var *v);
void env_set(Fn *f, const Var *v, Vals vals);
void var_define(Fn *f, Var *v, Vals vals);       /* env_set, hints, size symbol */
bool is_buffer(const Value *v);

/* ---- ruled.c */
/* e, which was lowered in place, gave these: noted where it has a rule */
void note_ruled(Fn *f, const Expr *e, Vals args, Vals *values);
void settle_ruled(Lower *l); /* all that were noted */

/* ---- exact.c */
Value *lower_constant(Fn *f, const Expr *e); /* a scalar known when compiling */

/* ---- expr.c */
Span fn_place(const Fn *f, Span at); /* with the calls that f stands for */
Vals lower_expr(Fn *f, const Expr *e);
Value *lower_scalar(Fn *f, const Expr *e);
/* Of an elementwise operation.  All are evaluated before one gets the sizes of another, which may be found there. */
Vals lower_operands(Fn *f, const Expr *const *e, int n);
Value *lower_operator(Fn *f, Opr op, Value *x, Value *y);         /* elementwise */
Value *lower_power(Fn *f, Opr op, Value *x, const Expr *b);       /* x ^ b when b is a constant int, else NULL */
Value *lower_retype(Fn *f, Value *x, const Type *t, bool safe);
Vals lower_convert(Fn *f, const Expr *e, Vals v);
bool names_buffers(Fn *f, const Expr *e); /* in islands: of arrays that are there, and structures of such */
const Expr *const_array_of(const Expr *e); /* the definition a const array's name stands for, ... */
Vals lower_anew(Fn *f, const Expr *e, Vals (*lower)(Fn *f, const Expr *e)); /* ... which is lowered at each use */

/* ---- index.c: subscripts and assignment */
typedef enum { AXIS_INDEX, AXIS_SLICE, AXIS_GATHER } AxisKind;
typedef struct Axis { /* an evaluated subscript */
    AxisKind kind;
    Value *v;           /* the index; the first index of a slice; the index array of a gather */
    int64_t step;       /* slice */
    const Size *extent; /* slice, gather: elements */
    bool whole;         /* slice of everything */
} Axis;
typedef struct Axes { const Expr *base; int n; Axis axis[MAX_RANK]; } Axes;
const Expr *index_root(const Expr *e); /* what e, x[..][..], is subscripts of: x */
/* Evaluates the subscripts of e, a chain of EX_INDEX, on one array expression: base */
Axes axes_eval(Fn *f, const Expr *e);
/* Indices into the base for an index (one per slice, in order, and one for all gathers together, at the first) into the
 * result */
Axes row_axes(Fn *f, const Row *row);
const Row *row_named(Fn *f, const Expr *e);                        /* NULL: e is no name of a row */
void axes_map(Fn *f, const Axes *a, Value *const *idx, Value **out);
bool expr_has_bind(const Expr *e);
Vals lower_index(Fn *f, const Expr *e);
void lower_assign(Fn *f, const Stmt *s);
void assign_value(Fn *f, const Expr *target, Vals vals); /* target = vals, at function level */
Vals read_element(Fn *f, Vals arrays, int n, Value *const *idx); /* extract or load from each leaf */

/* ---- program.c: functions */
Fn fn_start(Lower *l, Func *func);
void fn_add_params(Fn *f, const Inst *inst, Func *func); /* become region arguments, with the sizes that they name */
/* One more argument of type t; where its sizes are int parameters, it gets t by lower_retype once these are bound */
Value *fn_add_leaf(Fn *f, const Inst *inst, Func *func, const Type *t, const char *name);
void fn_bind_params(Fn *f, const Inst *inst, const Func *func); /* ints that sizes mention */

/* ---- rule.c */
/* The rules by which f, the function of inst, is differentiated, as the IR has them, and tests of them */
void lower_rules(Lower *l, const Inst *inst, Func *f);

/* ---- args.c */
void lower_args_begin(Fn *f); /* of the program */
Value *lower_program_arg(Fn *f, const Stmt *s);

/* ---- call.c */
typedef VEC(Value *) ValueVec;
Vals lower_call(Fn *f, const Expr *e);
Vals lower_each_element(Fn *f, const Expr *e, Value *const *idx); /* of a call for each element: one of them */
Vals lower_format(Fn *f, const Expr *e);
/* What f"..." is made of: the template, and the values in its places behind those that are there */
const char *lower_template(Fn *f, const Expr *e, ValueVec *values);
bool builtin_elementwise(const Expr *e, OpCode *op); /* e is a call of an elementwise builtin of one operation */
Value *lower_elementwise(Fn *f, const Expr *e, Value *const *args);
Vals call_inst(Fn *f, const Inst *inst, int n, Value *const *args, const FType *ret);

/* ---- reduce.c: comprehensions, reductions, scans */
Vals lower_comprehension(Fn *f, const Expr *e);
Vals lower_reduction(Fn *f, const Expr *e);
Vals lower_scan(Fn *f, const Expr *e);
Value *lower_dot_in_island(Fn *f, const Expr *e, const Expr *x, const Expr *y); /* e: x @ y, a number */
void product_into(Fn *f, const Expr *e, const Expr *x, const Expr *y, const Dest *p); /* e: x @ y, an array */
void reduce_axis_into(Fn *f, const Expr *e, const Dest *p);
enum { SHORT_SCAN = 16 }; /* elements: it is that of a loop (docs/language.md) */
void scan_into(Fn *f, const Expr *e, const Dest *p);
Value *gen_start(Fn *f, const Gen *g);                      /* before the loop: the bounds, or the array */
Value *gen_extent(Fn *f, const Gen *g);
void gen_bind(Fn *f, const Gen *g, Value *start, Value *k); /* the variable is start + step * k, or over[k] */

/* ---- elem.c: array expressions element by element */
void elem_prepare(Fn *f, const Expr *e);                     /* evaluates once what does not depend on the index */
void elem_keep(Fn *f, const Expr *e, Vals v);                /* e was evaluated: it is v */
/* e is read by element while those of `assigned` change, as it is now */
void elem_freeze(Fn *f, const Expr *e, const VarVec *assigned);
Vals row_select(Fn *f, Vals arrays, Value *at, const FType *t); /* at function level */
Vals lower_elem(Fn *f, const Expr *e, Value *const *idx);    /* the element of e at idx; e was prepared */
bool elem_is_cheap(const Expr *e);                           /* no part has to be computed whole */
bool elem_is_lazy(Fn *f, const Expr *e); /* e is read by element through its parts; otherwise it is computed whole */
bool elem_has_rows(Fn *f, const Expr *e);
/* Loops inside each other from 0 to the extents that carry values, if any; they are built around what is
 * built between open and close.  v: first the initial values, then the innermost, at last the results */
typedef struct Nest { int n; Op *loop[MAX_RANK]; Mark mark[MAX_RANK]; Value *idx[MAX_RANK]; } Nest;
void nest_open(Fn *f, Nest *nest, int n, Value *const *extents, Vals *v);
void nest_close(Fn *f, Nest *nest, Vals *v);
typedef void LoopBody(Fn *f, Value *const *idx, void *ctx);
void build_loops(Fn *f, int n, Value *const *extents, LoopBody *body, void *ctx);

/* ---- whole.c: islands: arrays of the thread */
bool has_known_sizes(Fn *f, const FType *t);                    /* of all arrays in it, when compiling */
Vals materialize(Fn *f, const Expr *e);                         /* e in private arrays of its own */
Vals private_arrays(Fn *f, const FType *t);                     /* NULL for scalars */
void compute_into(Fn *f, const Expr *e, const Dest *p);        /* e is an array */
Dest dest_at(const Dest *p, int n, Value *const *idx);       /* the part at the next n indices */
void dest_store(Fn *f, const Dest *p, Vals v);                /* the element, where p has all indices */
void array_copy(Fn *f, Value *from, Value *to);                 /* of constant sizes */
Vals arrays_settle(Fn *f, Vals v, Vals out);                    /* v with its arrays copied to out */
Value *alloc_private(Fn *f, const Type *tensor);

/* ---- solve.c: islands: arrays of sizes that are known; each gives the private array, or the number, that e is */
Value *solve_in_island(Fn *f, const Expr *e);
Value *inverse_in_island(Fn *f, const Expr *e);
Value *determinant_in_island(Fn *f, const Expr *e);

/* ---- stmt.c, join.c: statements and structure */
unsigned lower_block(Fn *f, const Block *b);
void lower_stmt(Fn *f, const Stmt *s);
Vals lower_if_expr(Fn *f, const Expr *e);
/* Statements of a body, or the expression that it is; f->returned is what it returns */
void lower_body(Fn *f, const Block *body, const Expr *expr);
/* Its out and inout arrays, as any launch of it leaves them */
Vals lower_kernel_alone(Fn *f, const Inst *kernel);

/* The values a structured operation hands on: variables, exit flags, returned values */
typedef struct Carry {
    VarVec vars;    /* those with leaves that are values */
    unsigned exits; /* X_BREAK.. whose flags are carried */
    bool ret;       /* the returned values, too */
    int n;
    const Type **types;
} Carry;
Carry carry_new(Fn *f, const VarVec *assigned, unsigned exits, bool ret);
Value **carry_collect(Fn *f, const Carry *c);              /* current values */
void carry_restore(Fn *f, const Carry *c, Value *const *v); /* current values := v */
Value *flag_any(Fn *f, unsigned exits);                    /* is one of these exits taken? */
static inline void exit_taken(Fn *f, unsigned exit) { f->exits = (Exits){.taken = exit}; }
static inline void exits_none(Fn *f) { f->exits = (Exits){.taken = 0}; }

/* ---- turns.c */
/* What the parallel loop does takes arrays that islands cannot have: its turns run at function level. */
bool turns_make_arrays(const Stmt *loop);
bool makes_small_arrays(const Inst *inst); /* a function whose body can stand in place of a call, in an island */

/* ---- launch.c */
void lower_launch(Fn *f, const Stmt *s);
void lower_parallel_for(Fn *f, const Stmt *s);
Value *lower_thread_field(Fn *f, const Expr *e); /* thread.x and so on; NULL: e is something else */

/* What the language has but this place can't do (reported; a zero of e's type goes on) */
Vals unsupported(Fn *f, const Expr *e, const char *what);

#endif
