/* The program generator: its state and what its files offer each other.
 *
 * A program is correct by construction: every index is made from something known to lie in range, every
 * loop counts or carries its own limit, threads write only elements of their own, and floats stay small
 * enough never to become NaN.  So whatever two backends print differently is a bug of one of them. */
#ifndef GEN_H
#define GEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum { BOOL, I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64, NELEM } Elem;

/* A size as the program writes it: symbol + c, or c alone when sym is -1.  Always >= 0. */
typedef struct { int sym; int64_t c; } Size;
typedef struct { char name[16]; int64_t min, max; } Sym;

typedef struct {
    char name[24];
    Elem t;
    int rank;          /* 0: scalar */
    Size dim[3];
    bool mut;          /* var: may be assigned */
    double bound;      /* floats: no element is greater in magnitude */
    bool ranged;       /* an int in lo .. hi - 1 */
    Size lo, hi;
    const char *own;   /* written in parallel code: the only index that may be touched */
    const char *suffix; /* array of structs: the field, as in x[i].a; NULL for plain arrays */
    bool write_only;   /* out parameters */
    bool hidden;       /* not to be touched at present */
} Var;

typedef struct { Elem t; int rank; Size dim[3]; double bound; bool is_fn; Elem from; } Param;
typedef struct {
    char name[24];
    Param params[6];
    int nparams;
    int nsyms, first_sym;   /* in Gen.syms */
    Param ret[2];
    int nret;
    int64_t cost;
} Fn;

typedef enum { MODE_IN, MODE_OUT, MODE_INOUT } Mode;
typedef struct {
    char name[24];
    Param params[8];
    Mode modes[8];
    int nparams, nsyms, first_sym;
    int axes;              /* 1 or 2 */
    int block[2];          /* threads along y, x (1-D: x is block[0]) */
    Size extent[2];        /* what the launch covers */
    int per_block;         /* parameter with one element a block, or -1 */
    int64_t cost;          /* of one thread */
} Kernel;

typedef struct { char name[24]; Elem field[4]; int nfields; } Struct;

enum { MAX_VARS = 1000, MAX_SYMS = 4000, MAX_FNS = 400 };
typedef struct Gen {
    uint64_t rng;
    char *out;
    size_t out_len, out_cap;
    int indent, lines;
    Var vars[MAX_VARS];
    int nvars;
    int frozen;            /* variables below this one must not be assigned (parallel code, lambdas) */
    int arrays_from;       /* variables below this one are out of sight */
    Sym syms[MAX_SYMS];
    int nsyms;
    Fn fns[MAX_FNS];
    int nfns;
    Kernel kernels[MAX_FNS];
    int nkernels;
    Struct structs[8];
    int nstructs;
    int uniq;
    int64_t mult, work, budget;
    bool host;             /* array expressions are allowed */
    bool quiet;            /* no print: the order would be undefined */
    int loops;             /* enclosing loops that break and continue may leave */
    bool in_fn;            /* return is allowed */
    const Fn *fn;          /* the function being written */
    bool main;             /* consts may be printed by name */
    bool known;            /* sizes are numbers, and numbers alone are printed, none in loops and branches */
    int size;              /* knob 1 .. 10 */
    bool fn_seen[MAX_FNS];
    struct { char name[16]; int64_t v; } consts[8];
    int nconsts;
    int nfloats;           /* float consts c0, c1, .. */
} Gen;

/* An expression's text, how tightly it binds, and what is known of its value */
typedef struct { const char *s; int prec; double bound; bool lit; } Ex;
enum { P_IF, P_OR, P_AND, P_NOT, P_CMP, P_BOR, P_XOR, P_BAND, P_SHIFT, P_ADD, P_MUL, P_UNARY, P_POW, P_ATOM };

/* ---- text.c */
uint32_t below(Gen *g, uint32_t n);           /* uniform in 0 .. n - 1 */
int64_t between(Gen *g, int64_t lo, int64_t hi); /* lo .. hi, both included */
bool chance(Gen *g, int percent);
const char *fmt(const char *f, ...) __attribute__((format(printf, 1, 2))); /* kept until the end */
void line(Gen *g, const char *f, ...) __attribute__((format(printf, 2, 3)));
void open_block(Gen *g, const char *f, ...) __attribute__((format(printf, 2, 3)));
void close_block(Gen *g, const char *tail);   /* } tail */
const char *fresh(Gen *g, const char *stem);
void texts_free(void);

/* ---- types.c: element types, sizes, variables */
const char *elem_name(Elem t);
bool is_int(Elem t);
bool is_signed(Elem t);
bool is_float(Elem t);
int elem_bits(Elem t);
bool widens(Elem from, Elem to);
double elem_limit(Elem t);                    /* greatest bound of a float expression */
Elem any_elem(Gen *g);                        /* weighted towards int, f64, f32 */
Elem any_number(Gen *g);
Elem likely_elem(Gen *g);                     /* rather one that variables in sight have */
Elem likely_number(Gen *g);                   /* the same, without bool, f16, bf16 */
Size size_const(int64_t c);
Size size_sym(int sym);
Size size_plus(Size a, int64_t c);
int64_t size_min(const Gen *g, Size a);
int64_t size_max(const Gen *g, Size a);
bool size_eq(const Gen *g, Size a, Size b);
bool size_le(const Gen *g, Size a, Size b);
const char *size_text(Gen *g, Size a);
const char *type_text(Gen *g, Elem t, int rank, const Size *dim);
int64_t volume(const Gen *g, int rank, const Size *dim);
int sym_new(Gen *g, const char *name, int64_t min, int64_t max);
Var *var_add(Gen *g, const char *name, Elem t, int rank, const Size *dim, bool mut, double bound);
Var *range_add(Gen *g, const char *name, Size lo, Size hi);
bool var_visible(const Gen *g, const Var *v);
Var *var_pick(Gen *g, Elem t, int rank, bool assign); /* a visible variable, or NULL */
bool over_budget(const Gen *g);

/* ---- scalar.c */
Ex scalar(Gen *g, Elem t, int depth);
Ex condition(Gen *g, int depth);
Ex literal(Gen *g, Elem t);
Ex binary(Gen *g, const char *op, int prec, Ex a, Ex b, double bound);
const char *at_prec(Gen *g, Ex e, int prec);  /* text, in parentheses if it binds less tightly */
Ex typed(Gen *g, Elem t, Ex e);               /* a literal becomes T(literal) */
Ex clamp(Gen *g, Elem t, Ex e, double bound); /* no greater than bound */
const char *index_text(Gen *g, Size n);       /* an int in 0 .. n - 1; needs n >= 1 */
/* Subscripts of v by vectors of n indices, after the first perhaps by an index; NULL: an axis may be empty */
const char *vectors_text(Gen *g, const Var *v, Size n);
const char *count_index(Gen *g, Size n);
const char *indices(Gen *g, const Var *v);    /* i, j in range of an array */
Ex call_scalar(Gen *g, Elem t, int depth, bool *ok);

/* ---- array.c */
Ex array(Gen *g, Elem t, int rank, const Size *dim, int depth);
/* What a loop may run over, an array it stands for in *over; its rank is 0: none */
const char *over_text(Gen *g, int max_rank, Var *over);
Ex call_array(Gen *g, Elem t, int rank, const Size *dim, int depth, bool *ok);
/* arguments of a call, with its sizes bound in bind (sym -2: free); NULL when none fit */
const char *call_args(Gen *g, const Fn *f, Size *bind, int depth);
Size ret_size(const Fn *f, const Size *bind, Size s);

/* ---- stmt.c */
void statements(Gen *g, int n, int depth);
void assign_own(Gen *g, Var *v, int depth);
void declare_scalar(Gen *g, int depth);
void print_formatted(Gen *g, const Var *v); /* as f"..." */

/* ---- kernel.c */
void kernel_write(Gen *g);
bool kernel_launch(Gen *g, const Kernel *k); /* false: nothing written */

/* ---- unit.c: whole functions.  A unit sees nothing of what is around it. */
typedef struct {
    int nvars, loops, frozen, arrays_from;
    int64_t mult, work, budget;
    bool host, quiet, in_fn;
    const Fn *fn;
} Saved;
Saved unit_begin(Gen *g, int64_t budget);
int64_t unit_end(Gen *g, Saved saved); /* work done in it */
void fn_scalar(Gen *g);
void fn_array(Gen *g);
void fn_templates(Gen *g);   /* fixed shapes with random holes: recursion, generics, higher order */
void main_templates(Gen *g); /* the same at top level */

/* ---- bits.c: such programs about bits and conversions */
void bits_program(Gen *g, const char *seed);

/* ---- race.c: programs with and without data races, which the first line tells */
void race_program(Gen *g, const char *seed);

/* ---- nests.c: functions and kernels of nested loops, each called twice */
void nests_program(Gen *g, int units);

/* ---- derivatives.c: functions, and what compares their derivatives */
void derivatives_program(Gen *g, int functions);

/* ---- products.c */
void products_program(Gen *g, int functions);
#endif
