/* What the files of the checker share and nobody else sees.
 *
 * A Check is one run of check_program.  A Fn is one body being checked: an instance of a function,
 * kernel or lambda, a test, the main program, or the constants; it holds the names and size symbols in scope.
 * Checking one body may need another (for the type of its result), so Fns nest through Fn.outer. */
#ifndef DSL_CHECK_H
#define DSL_CHECK_H

#include "ast/ast.h"

#define MAX_RANK 8 /* axes of an array */

typedef struct Check Check;
typedef struct Fn Fn;
typedef struct Lam Lam;
/* What is said of a text that is compared, indexed, measured or taken for a number */
#define TEXT_HINT \
    "texts are put together (+), compared, taken apart (s[2:5], split), read as numbers, f64(s), and printed"

typedef struct InstInfo InstInfo;

typedef enum {
#define BUILTIN(id, name, kind, doc) id,
#include "frontend/builtins.def"
#undef BUILTIN
    BI_COUNT
} Builtin;
typedef enum {
    BK_ELEM,
    BK_ELEM_FLOAT,
    BK_MINMAX,
    BK_WHERE,
    BK_REDUCE,
    BK_MEAN,
    BK_FOLD,
    BK_SCAN,
    BK_SHAPE,
    BK_SIZE,
    BK_LIMIT,
    BK_DOT,
    BK_LINALG,
    BK_PRINT,
    BK_LOAD,
    BK_SIZEFN,
    BK_IDENTITY,
    BK_PARTS,
    BK_GRAD
} BuiltinKind;
typedef struct { const char *name; BuiltinKind kind; const char *doc; } BuiltinInfo;

/* ---- names ---------------------------------------------------------------------------------------- */

typedef enum { GL_FN, GL_STRUCT, GL_CONST } GlobalKind;
typedef struct FileScope FileScope;
typedef struct Import { FileScope *file; bool used; } Import;
typedef struct Global { /* a name that a file defines */
    GlobalKind kind;
    const char *name;
    FileScope *home;
    Span span;
    Decl *decl;         /* GL_FN: the first overload (kernels too); GL_STRUCT */
    Stmt *stmt;         /* GL_CONST: the let that defines it, ... */
    int index;          /* ... as which of its names */
    enum { TODO, DOING, DONE } state;
    Var *var;
} Global;

struct FileScope { /* the names of a file; the library is one file */
    Map own;                  /* name -> Global */
    VEC(Import) imports;      /* in order */
    bool busy;                /* being looked at */
};

typedef struct SymInfo { /* a size symbol of one Fn */
    const char *sym;
    Span span;          /* where it comes from, ... */
    const char *what;   /* ... in words: "the first size of 'x'"; or NULL */
    int depth;
    bool dead;          /* its scope has ended */
} SymInfo;

typedef struct Cap { Lam *of; Var *var; } Cap; /* a variable of of->home that a lambda's instances receive */
typedef struct NamedVar { const char *name; Var *var; } NamedVar;
struct Lam { /* a lambda met in a body */
    Expr *expr;
    Fn *home;
    VEC(NamedVar) names; /* free names of its body that are local to home */
    VEC(Cap) caps;       /* what must be passed, its own and that of function values it uses */
};
typedef struct CapBind { Lam *of; Var *outer, *local; } CapBind;

typedef struct Undo { const char *name; Var *var; Var *made; } Undo; /* var: what the name meant before */
typedef struct Pending { Var *var; Span span; } Pending;              /* assigned by a spawned block */

typedef enum { FN_MAIN, FN_CONST, FN_HOST, FN_KERNEL } FnKind;
struct Fn {
    Fn *outer;
    FnKind kind;
    InstInfo *inst;      /* NULL: main, constants */
    FileScope *scope;    /* the file whose names the body sees */
    const char *title;   /* for messages */
    Map names;           /* name -> Var, innermost */
    VEC(Undo) undo;
    VEC(SymInfo *) live; /* symbols in scope, oldest first */
    Map syms;            /* sym -> SymInfo, of all times */
    Map sym_counts;      /* base name -> how many */
    int depth;           /* of scopes */
    VEC(TypeBind) types; /* type variables */
    VEC(CapBind) caps;
    const FType *ret;    /* declared, NULL when it is to be inferred */
    Map exist;           /* existential symbols of ret */
    int dead;            /* conditions around that are constant, so that nobody comes here */
    int loops;           /* loops around, inside the innermost parallel or spawn */
    int par_depth;       /* scope depth of the innermost parallel for; 0 none */
    int spawn_depth;     /* ... spawned block */
    int gens_depth;      /* ... comprehension or generator */
    VEC(const Var *) private; /* in a parallel for: arrays of a size that is no number */
    VEC(Pending) spawned;   /* what the spawned block being checked has assigned */
    VEC(Pending) pending;   /* assigned by spawned blocks and not yet synced */
    Block *body;         /* for looking up misplaced names; may be NULL */
    int steps;           /* names of implicit symbols */
};

/* A size n that params[param] mentions as a*n + b in axis `axis`; it is passed as params[self]. */
typedef struct Solved { const char *sym; int param, axis, self; Var *var; const Size *a, *b; Span span; } Solved;

typedef struct DevCall { InstInfo *callee; Span span; } DevCall;
struct InstInfo {
    Inst inst;           /* first: an Inst that the checker made is an InstInfo */
    Fn *fn;
    Lam *lam;
    enum { INST_NEW, INST_BUSY, INST_READY } state;
    int depth;           /* of instantiation */
    Span asked_at;       /* the call that made it */
    InstInfo *asked_by;
    VEC(InstInfo *) callees;
    const char *not_device; /* what it does that a kernel cannot, "print"; NULL: nothing */
    Span not_device_at;
    bool impure, called, live;
    VEC(Solved) solved;  /* sizes that only appear inside expressions, as in f64[2*n]: extra int parameters */
    int index, low;      /* for ordering */
    bool on_stack, placed;
};

typedef struct DeclInfo { /* facts of a declaration that do not depend on the instance */
    NameVec tvars;       /* type variables, in order of appearance */
    bool has_any_rank, has_fn, seen;
    bool as_value;       /* bound or passed on: others ask for its signature */
    InstInfo *only;      /* not generic: its instance */
} DeclInfo;

struct Check {
    Session *s;
    Arena *a;
    const CheckOptions *opts;
    Program *prog;
    Fn *fn;
    FileScope *home, *std; /* of the main file, of the library, ... */
    Map std_files;       /* ... of which these files (a bit for each) define a name, ... */
    uint64_t std_read;   /* ... and these have been read */
    Map builtins;        /* name -> index + 1 */
    Map main_lets;       /* name -> Stmt: variables of the main program */
    Map decls, structs;  /* Decl -> DeclInfo, StructInfo */
    Map insts;           /* key -> InstInfo */
    Map inst_names;      /* name -> how many */
    Map lams;            /* Expr -> Lam */
    Map files;           /* path -> FileScope */
    Map scopes;          /* number of a file + 1 as pointer -> FileScope */
    VEC(InstInfo *) all, queue;
    int queue_at;
    VEC(DevCall) dev_calls;
    VEC(DevCall) dropped; /* calls whose result nobody takes */
    int asserts;         /* around what is being checked */
    const Expr *message; /* of the assert that is being checked */
    Span refused;        /* what a kernel cannot do, last reported: its parts are not reported again */
    Fn *const_fn, *main_fn;
    int nesting;         /* of expressions being checked */
    int infer_depth;     /* of functions whose result is being inferred */
    const char *n_int, *n_c64, *n_c128, *n_x, *n_y, *n_z, *n_T, *n_thread, *n_block, *n_blockdim, *n_griddim,
        *n_underscore;
};

/* A diagnostic, with a note on the instance in whose body it was found. */
#define report(c, ...) \
    (diag_in_dead_code((c)->s, (c)->fn && (c)->fn->dead), in_context((c), diag_report((c)->s, __VA_ARGS__)))
Diag *in_context(Check *c, Diag *d);

/* ---- scope.c ----------------------------------------------------------------------------------------- */
Fn *fn_new(Check *c, FnKind kind, const char *title);
void scope_push(Check *c);
void scope_pop(Check *c);                       /* warns of unused variables */
Var *var_new(Check *c, VarKind kind, const char *name, Span at, const FType *type);
bool name_is_type(const Check *c, const char *name); /* int, f64, ... */
void scope_define(Check *c, Var *v);            /* reports a second definition in one scope */
Var *scope_find(const Check *c, const char *name);
const FType *tvar_find(const Check *c, const char *name); /* a type variable's type here, or NULL */
typedef enum { NAME_READ, NAME_CALLED, NAME_ASSIGNED } NameUse;
/* The message when it has no note and no hint yet, else NULL */
Diag *report_unknown_name(Check *c, Span at, const char *name, NameUse use);
void report_unknown_call(Check *c, const Expr *e); /* of a name */
void suggest_name(Check *c, Diag *d, Span at, const char *name); /* did you mean it? */
bool report_clash(Check *c, Span at, const char *name); /* if two imports bring it */
bool is_thread_name(const Check *c, const char *name);
const char *sym_fresh(Check *c, const char *base, Span at, const char *what);
bool size_is_dead(Check *c, const Size *z);     /* mentions a symbol whose scope has ended */
bool type_is_dead(Check *c, const FType *t);
void var_give_sym(Check *c, Var *v);            /* an immutable int: v->sym and v->size */

/* ---- file_scope.c ------------------------------------------------------------------------------------ */
FileScope *file_scope_new(Check *c, int file);
void file_scope_put(Check *c, FileScope *f, int file); /* f is the scope of that file */
FileScope *file_scope(const Check *c, int file);
FileScope *decl_scope(const Check *c, const Decl *d);
bool decl_is_std(const Check *c, const Decl *d);
bool in_std(const Check *c);                    /* the body being checked is the library's */
Global *library_find(Check *c, const char *name); /* check_decl.c: reads the files of the library that define it */
void library_read_all(Check *c);
Global *global_find(Check *c, const char *name); /* NULL also for a name that means two things: */
Global *global_clash(const Check *c, const char *name, Global **other);
void global_names(Check *c, FileScope *f, int kind, NameVec *out); /* that f sees, the library's apart; kind -1: all */

/* ---- check_type.c -------------------------------------------------------------------------------------- */
typedef enum { DIMS_KNOWN, DIMS_NEW } DimMode;
typedef struct NewSize { const char *name, *sym; Span span; const char *field; /* name inside a struct */ } NewSize;
typedef VEC(NewSize) NewSizes;
/* Type expression to type.  With fresh, unknown bare names and `_` as dims make new symbols, listed there;
 * otherwise they are errors. */
const FType *type_resolve(Check *c, const TypeExpr *tx, NewSizes *fresh);
const FType *struct_type(Check *c, Decl *d, NewSizes *fresh, Span at);
bool type_name_is_var(const Check *c, const char *name); /* T, U1: and no struct of that name */
Decl *struct_find(Check *c, const char *name);
DeclInfo *decl_info(Check *c, Decl *d);
const Size *dim_resolve(Check *c, Expr **dim);  /* an int expression as a size; NULL after reporting */
/* pattern with its new symbols replaced by the sizes of t where the shapes agree */
const FType *type_fill(Check *c, const FType *pattern, const Map *fresh, const FType *t);

/* ---- check_conv.c ---------------------------------------------------------------------------------------- */
typedef struct Shape { int rank; const Size *dims[MAX_RANK]; } Shape;
typedef enum {
    REPEAT_NEVER,
    REPEAT_NUMBER,
    REPEAT_ARRAY
} Repeat; /* what may be repeated: nothing, a number, arrays as well */
/* like: an expression that asks for the sizes, and like_note what is said of it; target: what is assigned to */
typedef struct Reason {
    const char *what;
    Span note_at;
    const char *note;
    Repeat repeat;
    const Expr *like, *target;
    const char *like_note;
} Reason;
void hint_floor(Check *c, Diag *d, const Expr *e);
bool is_by_literal(const Expr *target);         /* a variable that is an int as its first value was written so */
void hint_float_start(Check *c, Diag *d, const Var *v);
void hint_cast(Check *c, Diag *d, const Expr *e, const char *to, const char *words);
const char *short_text(Check *c, const Expr *e); /* as it is written, or ... where that is long */
bool dtype_widens(DType from, DType to);        /* implicitly */
bool dtype_join(DType a, DType b, DType *out);
bool type_is_num(const FType *t);               /* scalar or array of numbers */
bool type_is_scalar(const FType *t, DType d);
bool type_is_int(const FType *t);               /* scalar of an int type */
const FType *elem_of(const FType *t);         /* of an array; a scalar is its own */
const FType *with_dtype(Check *c, const FType *t, DType d);
const FType *shape_type(Check *c, const FType *elem, const Shape *sh);
bool type_same_shape(const FType *a, const FType *b); /* equal but for sizes */
Expr *wrap(Check *c, Expr *e, Conv conv, const FType *to);
Expr *wrap_sizes(Check *c, Expr *e, const FType *to, Span other); /* CONV_SIZE */
Expr *to_dtype(Check *c, Expr *e, DType d);     /* any numeric change, elementwise; no question asked */
Expr *unflex(Check *c, Expr *e);                /* a literal on its own takes its usual type */
bool flex_fits(const Expr *e, DType d);
/* Implicit conversion to `to`, or a report that says what was expected. */
Expr *coerce(Check *c, Expr *e, const FType *to, const Reason *why);
Expr *coerce_int(Check *c, Expr *e, const char *what); /* to a scalar i64 */
bool coercible(const FType *from, const Expr *e, const FType *to, bool *exact);
/* One element type for operands (numbers): literals adapt, others widen.  False after reporting. */
bool operands_join(Check *c, Expr **ops, int n, Span at, const char *what, DType *out);
/* The same for values that are only stored side by side: halves stay halves. */
bool values_join(Check *c, Expr **ops, int n, Span at, const char *what, DType *out);
/* One shape for operands, by broadcasting.  False after reporting. */
bool operands_broadcast(Check *c, Expr **ops, int n, Span at, Shape *out);
Diag *report_sizes(Check *c, Span at, const Size *a, const Size *b, const FType *ta, Span sa, const FType *tb, Span sb);
void note_size(Check *c, Diag *d, const Size *z);

/* ---- check_const.c --------------------------------------------------------------------------------------- */
void set_const(Check *c, Expr *e, Const v);
Expr *int_literal(Check *c, Span at, int64_t v); /* checked */
Const const_cast(Const v, DType d);
bool fold_unary(Opr op, Const a, Const *out);
bool fold_binary(Opr op, Const a, Const b, DType result, Const *out);
bool fold_builtin(int builtin, int n, const Const *args, DType result, Const *out);
bool const_is_zero(Const v);
const char *const_str(Check *c, Const v);

/* ---- check_expr.c ------------------------------------------------------------------------------------------ */
Expr *check_expr(Check *c, Expr *e, const FType *want); /* want: the type hoped for, or NULL */
Expr *check_format(Check *c, Expr *e); /* check_format.c */
Expr *check_value(Check *c, Expr *e, const FType *want); /* a value that can be stored: no type, function or unit */
bool is_never(const Expr *cond, bool so); /* a condition of constants that never is so */
Expr *check_cond(Check *c, Expr *e);
Expr *error_expr(Expr *e);
bool is_error(const Expr *e);
void check_name(Check *c, Expr *e, bool reads);
Var *named_var(const Check *c, const Expr *e); /* what EX_NAME means: a variable here, or NULL; ... */
Global *named_global(Check *c, const Expr *e); /* ... something of a file or of the library, or NULL */
const char *opr_str(Opr op);

/* ---- check_op.c
 * ------------------------------------------------------------------------------------------------------- */
Expr *check_unary(Check *c, Expr *e);
Expr *check_binary(Check *c, Expr *e);

/* ---- check_index.c ------------------------------------------------------------------------------------------- */
bool is_mask(const FType *t);
Expr *mask_places(Check *c, Expr *mask, const Expr *array, int axis); /* where it holds, in order */
bool chooses_by_mask(Check *c, Expr *e); /* x[m] of several axes, m with as many */
Expr *mask_elements(Check *c, Expr *e);
bool check_scatter(Check *c, Stmt *st); /* x[m] = v, x[at] += v become plain assignments, or, true, a block, checked */
bool update_places(Check *c, Stmt *st); /* check_places.c: m[rows, cols] += v becomes a loop.  Whether st is checked */
void check_subs(Check *c, Expr *e);             /* e->a is checked: subscripts and the type of e */
typedef enum { GENS_LOOP, GENS_ARRAY, GENS_NESTED } GenUse; /* NESTED: of a reduction */
void check_gens(Check *c, GenVec *gens, GenUse use); /* ranges; opens a scope and defines the variables in it */
bool check_over(Check *c, Gen *g);              /* check_elements.c: the array of for x in xs.  False after reporting */
const FType *over_element(Check *c, const Gen *g); /* type of x */
bool finish_gens(Check *c, GenVec *gens);       /* after the element: ranges that were to be inferred */
Expr *check_comp(Check *c, Expr *e, const FType *want);
bool check_filter(Check *c,
                  Expr *e); /* check_filter.c: takes the condition of a comprehension apart; false after reporting */
void filter_values(Check *c, Expr *gen,
                   Expr *otherwise); /* of a generator: another value where its condition, if any, does not hold */
void filter_reduced(Check *c, Expr *gen, int b);       /* the value that changes nothing for sum, min, ... */
Expr *check_gen(Check *c, Expr *e, bool need_extent);             /* EX_GEN: type is that of its element */
const Size *size_or_bind(Check *c, Expr *e, const char *base); /* its size, or a fresh symbol */
const Size *range_extent(Check *c, const Size *lo, const Size *hi, int64_t step);

/* ---- check_match.c: which overload --------------------------------------------------------------------------- */
typedef struct Bindings { VEC(TypeBind) v; } Bindings; /* type variables; function parameters by name; T[..] by name */
typedef struct Match {
    Check *c;
    Decl *d;
    const DeclInfo *info;
    Bindings b;
    bool exact;          /* without conversions */
    bool complex;        /* a number becomes a complex one: only if nothing else fits */
    int bad;             /* the argument that does not fit; -1 none; -2 reported already */
} Match;
bool match_decl(Match *m, Check *c, Decl *d, int n, const FType *const *types, Expr *const *args, Span at);
typedef enum { FOUND_NONE, FOUND_ONE, FOUND_REPORTED } Found;
/* The overload that fits without conversions, else the first that fits; its arguments in order. */
Found find_overload(Check *c, Decl *head, const ExprVec *args, const NameVec *names, Span at, Match *best,
                    Expr ***ordered);
void report_no_fit(Check *c, Decl *head, const ExprVec *args, const NameVec *names, Span at);
/* Both: false after reporting */
bool choose_overload(Check *c, Decl *head, const ExprVec *args, const NameVec *names, Span at, Match *best,
                     Expr ***ordered);
/* Where the name of a named argument stands, in name=value; where it is not found, the place of the value */
Span arg_name_span(Check *c, const Expr *value, const char *name);
/* Arguments in the order of d's parameters, with default values; NULL when a name or the count does not fit. */
Expr **order_args(Check *c, const Decl *d, const ExprVec *args, const NameVec *names, bool say, Span at);
const FType *const *types_of(Check *c, Expr *const *args, int n);
void hint_element(Check *c, Diag *d, const FType *t); /* why values of the type are no elements */
const char *count_words(Check *c, int n);       /* "2 arguments" */
const char *param_text(Check *c, const TypeExpr *tx);
void note_decl(Check *c, Diag *d, const Decl *decl);
const char *call_text(Check *c, const ExprVec *args, const NameVec *names); /* types as in a call: str, title=str */
bool report_save(Check *c, const Expr *e, const Decl *head); /* what is wrong with a call of the library's save */
void note_hidden(Check *c, Diag *d, const Decl *head); /* what of the library a function of the program hides */
bool scalar_name(const Check *c, const char *name, DType *t);

/* ---- check_bind.c: a call and its instance ------------------------------------------------------------------------
 */
/* binds: each size symbol of inst in terms of args[from..], which stand for its params[from_param..]; then converts
 * these. */
bool bind_call(Check *c, const InstInfo *inst, ExprVec *args, int from, int from_param, SizeBindVec *binds, Map *found,
               const Decl *d);
const FType *result_type(Check *c, const Inst *inst, Map *found, Span at);

/* ---- check_setting.c: of a call of d: words and names of pictures that are written out */
void check_settings(Check *c, const Expr *call, const Decl *d);

/* ---- check_each.c: functions of single values, of arrays element by element ---- */
/* A call whose arguments no overload takes; NULL: none takes the elements of those that are arrays, either */
Expr *check_each(Check *c, Expr *e, Decl *head);

/* ---- check_complex.c: c64 and c128, structs of the library with operators ---- */
Decl *complex_decl(const Check *c, DType part);     /* NULL: the program has none so far */
bool complex_struct(const Check *c, const Decl *d, DType *part); /* d is c64 or c128, whose parts are so */
bool is_complex(const Check *c, const FType *t);    /* or an array of such */
bool complex_literal(const Check *c, const Expr *e); /* 2im, 1 - 2im: takes the type that its context asks for */
DType complex_part(const FType *t);                 /* f32 or f64 */
const FType *complex_type(Check *c, DType part);    /* of a single one */
bool fits_complex(const Check *c, const FType *from, const Expr *e,
                  const FType *to); /* implicitly; both single or of one shape */
Expr *to_complex(Check *c, Expr *e, DType part);    /* of a number, a complex one, or an array of them */
bool join_complex(Check *c, Expr **v, int n, Span at, const char *what,
                  DType *part); /* of numbers, some complex: the wider part */
Expr *check_imaginary(Check *c, Expr *e);           /* 2im */
Expr *check_complex_binary(Check *c, Expr *e);      /* a side is complex; both are checked */
Expr *check_complex_unary(Check *c, Expr *e);
Expr *check_complex_struct(Check *c, Expr *e, DType part); /* c128(x), c128(x, y); args are checked */
bool has_complex(const Check *c, const ExprVec *args);
/* The builtin called with complex arguments, which are checked; NULL: there is none for them */
Expr *complex_builtin(Check *c, Expr *e, int b);
Expr *complex_reduce(Check *c, Expr *e, int b, Expr *axis); /* sum, prod of args[0], which is checked */
Expr *complex_text(Check *c, Expr *e);              /* an array of complex numbers, as print writes it */

/* ---- check_parts.c: structs and tuples of floats as vectors ---- */
bool has_parts(const Check *c, const FType *t); /* a struct or tuple that is no number, or an array of such */
bool holds_floats(const Check *c, const Expr *e); /* has parts with floats, and is no array; no tuple written out */
/* If it does; of_function: also how a function of e is one of an array.  Else false */
bool hint_flatten(Check *c, Diag *d, const Expr *e, bool of_function);
/* An operand has parts; all are checked */
Expr *check_parts_binary(Check *c, Expr *e);
Expr *check_parts_negative(Check *c, Expr *e);
Expr *check_parts_call(Check *c, Expr *e, int b); /* flatten, unflatten */

/* ---- check_call.c ---------------------------------------------------------------------------------------------- */
Expr *check_call(Check *c, Expr *e, const FType *want);
/* Expressions that others are rewritten as, not checked */
Expr *call_of(Check *c, Span at, Expr *callee, int n, Expr *const *args);
Expr *call_library(Check *c, Span at, const char *name, int n, Expr *const *args); /* the library's function */
Expr *library_name(Check *c, Span at, const char *name);
/* Arguments as the instance takes them: without functions, with what these captured. */
ExprVec runtime_args(Check *c, const InstInfo *inst, const Decl *d, Expr *const *ordered, Span at);
void check_launch(Check *c, Stmt *st); /* check_launch.c */
/* The instance of a function value for arguments of these types, to call (inst_uses) or to look at; NULL: reported. */
InstInfo *func_inst(Check *c, const FType *func, int n, const FType *const *types, const FType *want, Span at);

/* ---- check_builtin.c --------------------------------------------------------------------------------------------- */
const BuiltinInfo *builtin_info(int b);
Expr *check_builtin(Check *c, Expr *e, int b, const FType *want);
bool want_count(Check *c, const Expr *e, int b, int lo, int hi); /* of arguments; false after reporting */
bool report_count(Check *c, const Expr *e, int b, const char *wanted);
void spread_tuple(Check *c, ExprVec *v, int from); /* v[from], when it is a tuple, becomes its parts */
bool check_args(Check *c, Expr *e, int from);   /* args[from..] as values */
bool report_argument(Check *c, const Expr *at, int b, const char *wanted);
Expr *take_arg(Expr *e, int i);
Expr *call_builtin(Check *c, Span at, int b, int n, Expr *const *args); /* whatever its name means here; not checked */
Expr *builtin_as_lambda(Check *c, Expr *e, int b); /* min as a value is fn(a, b) => min(a, b) */

Expr *check_limit(Check *c, Expr *e, int b); /* check_limit.c */
Const int_limit(DType d, bool largest); /* the greatest or the least int of the type */
/* check_axes.c: x, whose axes are to be of these sizes, as an array of them */
Expr *with_axes(Check *c, Expr *x, int rank, const Size *const *dims, Span at);
bool has_new_axis(const Expr *e);               /* x[:, newaxis] */
Expr *check_new_axis(Check *c, Expr *e);        /* e->a is checked */
Expr *check_axes(Check *c, Expr *e, int b, Expr *axis, const Expr *keep); /* sum(x, axis=(0, 1), keepdims=true) */

/* ---- check_reduce.c
 * ---------------------------------------------------------------------------------------------------- */
/* The dtype in which elements of dtype d are reduced by the builtin b; DT_COUNT: they cannot be. */
DType reduce_dtype(int b, DType d);
int check_axis(Check *c, Expr **axis, const FType *t); /* the constant axis, from the front; -1 after reporting */
Expr *check_reduce(Check *c, Expr *e, int b, Expr *axis);
Expr *check_mean(Check *c, Expr *e, Expr *axis, const FType *want);
Expr *check_fold_reduce(Check *c, Expr *e, int b);
/* ---- check_grad.c: grad(f), value_and_grad(f), and their calls */
Expr *check_grad(Check *c, Expr *e);
bool has_floats(const FType *t);
bool hint_gradient_parts(Check *c, Diag *d, const Expr *e); /* e: grad(f)(..) of several parameters; else false */

/* ---- check_rule.c: rules of derivatives that the program has of its own */
void check_rule_decl(Check *c, Decl *rule); /* reports one that is of no function */
void check_rules(Check *c);                 /* of all instances */
Expr *check_scan(Check *c, Expr *e, int b);
Expr *check_cumsum(Check *c, Expr *e, int b, Expr *axis);

/* ---- check_inst.c: instances ------------------------------------------------------------------------------------ */
InstInfo *inst_of_decl(Check *c, Decl *d, const Bindings *b, Span at);
InstInfo *inst_of_lambda(Check *c, Lam *lam, int n, const FType *const *types, const FType *want, Span at);
void inst_run_queue(Check *c);
void inst_add_size(Check *c, InstInfo *inst, const char *name, const char *sym, Span at,
                   bool visible); /* sym is registered */
void inst_adopt_type(Check *c, InstInfo *inst, const FType *t, Span at); /* its symbols become sizes of the instance */
const FType *type_erase(Check *c, const FType *t, Map *seen, int *count,
                        const char *base); /* sizes to symbols base.0, base.1 .. */
void match_sizes(Check *c, Map *found, const FType *pattern,
                 const FType *t); /* bare symbols of pattern to sizes of t */

/* ---- check_signature.c
 * ----------------------------------------------------------------------------------------------- */
const FType *binding_find(const Bindings *b, const char *name);
void inst_signature(Check *c, InstInfo *inst, Decl *d, const Bindings *b);

/* ---- check_capture.c: what lambdas capture
 * ------------------------------------------------------------------------------ */
Lam *lambda_of(Check *c, Expr *e);
void inst_add_captures(Check *c, InstInfo *inst, const Lam *lam);
Var *capture_local(const Fn *fn, const Lam *of, const Var *outer); /* the parameter of fn that holds it, or NULL */
/* Adds the values that the lambdas in the function parameters of inst (or the lambda itself) captured. */
void push_captures(Check *c, ExprVec *args, const InstInfo *inst, Span at);

/* ---- check_finish.c
 * ---------------------------------------------------------------------------------------------------- */
void inst_finish(Check *c);                     /* order, recursion, purity, what kernels may call */
void inst_uses(Check *c, InstInfo *callee, Span at);
bool turns_are_own(Check *c, Stmt *loop); /* check_turns.c: of a parallel for, whose body is checked */
void private_size(Check *c, const Var *v);      /* check_let.c: an error, where v belongs to one thread */
void not_device(Check *c, const char *verb, Span at); /* the body being checked does what kernels cannot: "print" */
void impure(Check *c);                          /* the body being checked has an effect on the world */
bool in_device(const Check *c);                 /* kernel or parallel for */

/* ---- check_always.c ------------------------------------------------------------------------------------------------
 */
void warn_comparison(Check *c, const Expr *e);
void warn_logic(Check *c, const Expr *e);       /* of `and` or `or` */
void warn_literal(Check *c, const Expr *e, DType d); /* e, before it becomes d */
void warn_cast(Check *c, const Expr *e, DType d);    /* d(e) is written */
void warn_overflow(Check *c, const Expr *e);         /* a constant that was computed by an operator */

/* ---- check_unused.c ------------------------------------------------------------------------------------------------
 */
void warn_unused_parts(Check *c, const Unit *main_unit); /* when all is checked */

/* ---- check_stmt.c --------------------------------------------------------------------------------------------------
 */
bool check_block(Check *c, Block *b);           /* own scope; false: never reaches its end */
bool check_stmts(Check *c, StmtVec *v);         /* in the current scope */
bool check_first_stmts(Check *c, StmtVec *v, int n);
bool check_line_sign(Check *c, const StmtVec *v, int i); /* false: the line was meant to go on with the one above */
void if_as_value(Check *c, Stmt *st);           /* a trailing `if` with both branches is an expression */
Expr *check_block_value(Check *c, Block *b,
                        const FType *want); /* the last expression statement's value; scope is the caller's */

/* ---- check_let.c, check_assign.c
 * ------------------------------------------------------------------------------------- */
void check_let(Check *c, Stmt *st);
void check_shared(Check *c, Stmt *st);
void check_assign(Check *c, Stmt *st);
/* What so many names take apart: of an array with so many elements along its first axis, rows of a matrix, the
 * library's tuple of them; of all else, and of an array known to have another number, e. */
Expr *check_apart(Check *c, Expr *e, int names);
void check_atomic(Check *c, Stmt *st);
int find_field(const FType *t, const char *name); /* of a struct or tuple; -1: it has none of the name */
bool is_element(const FType *t); /* elements of its arrays, or it alone, can be kept in an array */
/* let old = atomic ...: the names, of the element's type */
void check_old_value(Check *c, Stmt *st, const FType *t);
Expr *check_target(Check *c, Expr *t, bool reads); /* something assigned to */

/* ---- check_decl.c ---------------------------------------------------------------------------------------------------
 */
bool collect_program(Check *c, Unit *main_unit);
void global_eval(Check *c, Global *g);
bool same_param_types(const Decl *a, const Decl *b, int n); /* of the first n; but for sizes */
void check_decls(Check *c, const Unit *u);

/* ---- walk.c ---------------------------------------------------------------------------------------------------------
 */
typedef struct Walk { void (*expr)(void *ctx, Expr *e); void (*stmt)(void *ctx, Stmt *st); void *ctx; } Walk;
void walk_expr(const Walk *w, Expr *e);         /* each expression below and including e, parents first */
void walk_block(const Walk *w, Block *b);

#endif
