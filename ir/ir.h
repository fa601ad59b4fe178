/* The IR: one structured SSA for tensor expressions, launch islands and affine parallel loops.
 *
 * A module holds functions; a function holds one region; a region is one list of operations; operations
 * hold regions.  There is no control-flow graph.  Regions see the values of the regions around them.
 * Operations, their operands, results, regions and attributes are declared once, in ops.def.
 * Everything lives in the module's arena.
 *
 * At function level values are scalars and tensors (values, not memory).  Memory exists only inside an
 * `island`: it takes tensors, binds each to a buffer that its region sees as an argument, and returns
 * the updated tensors.  Distinct arguments never alias.
 *
 * Sizes: the dims of a type are symbolic (base.h Size).  Each symbol that a function uses has one
 * definition, which dominates its uses: the first function parameter or operation result whose tensor
 * type mentions it as a bare dim, or a `bind` operation.  Index arithmetic is ordinary operations on i64;
 * affine.h recovers affine expressions from it, so there is one way to write arithmetic. */
#ifndef DSL_IR_H
#define DSL_IR_H

#include "base/base.h"

typedef struct Type Type;
typedef struct Value Value;
typedef struct Use Use;
typedef struct Op Op;
typedef struct Region Region;
typedef struct Func Func;
typedef struct Module Module;

/* ---- types.c -------------------------------------------------------------------------------------- */

typedef enum { TY_SCALAR, TY_TENSOR, TY_BUF } TypeKind;
typedef enum { SPACE_GLOBAL, SPACE_SHARED, SPACE_PRIVATE } Space;
#define TENSOR_RANK 8
#define MAX_RANK (TENSOR_RANK + 3) /* of buffers: threads of a block, on up to 3 axes, may each have an array */

/* Interned per session: equal types are equal pointers.  Text: "f64", "f64[n, 2*m]",
 * "buf<f64[n]>", "buf<f32[16, 16], shared>". */
struct Type {
    TypeKind kind;
    DType dtype;
    Space space; /* TY_BUF */
    int rank;
    const Size *dims[MAX_RANK];
};
const Type *type_scalar(Session *s, DType t);
const Type *type_tensor(Session *s, DType t, int rank, const Size *const *dims);
const Type *type_buf(Session *s, DType t, int rank, const Size *const *dims, Space space);
const Type *type_i64(const Module *m);
const Type *type_elem(Session *s, const Type *t);                      /* its scalar type */
const Type *type_with_dtype(Session *s, const Type *t, DType d);       /* same shape */
bool type_same_dims(const Type *x, const Type *y);                     /* rank and sizes */
const Size *type_elements(Session *s, const Type *t);                  /* how many */
int64_t type_few_elements(Session *s, const Type *t, int64_t most);    /* how many, if 1 to `most` for sure; else 0 */
const Type *type_subst(Session *s, const Type *t, SizeSubst f, void *ctx);
void type_print(Text *out, const Type *t);
const char *type_str(Session *s, const Type *t);
static inline bool type_is_tensor(const Type *t) { return t->kind == TY_TENSOR; }

/* ---- the op table ------------------------------------------------------------------------------------ */

typedef enum {
#define OP(id, mnemonic, levels, operands, results, regions, traits, attrs, rule, ctemplate, llvm, ad, cost, doc) id,
#include "ops.def"
#undef OP
    OP_COUNT
} OpCode;

/* levels */
enum {
    LV_HOST = 1,   /* function level, stages ir and par */
    LV_LOOPS = 2,  /* function level, stage loops (and what follows it) */
    LV_ISLAND = 4, /* inside an island, any stage */
};
/* traits */
enum {
    TR_PURE = 1, /* no effect and no trap: may be moved, merged, deleted, speculated */
    TR_TRAP = 2, /* no effect, but may stop the program unless proved (attr `safe`): may be deleted, not speculated */
    TR_ELEM = 4, /* scalar, or tensors of one shape elementwise; result has the operands' shape */
    TR_COMMUTES = 8,
    TR_TERM = 32,       /* ends a region */
    TR_READ = 64,       /* reads memory of a buffer operand */
    TR_WRITE = 128,     /* writes memory of a buffer operand */
    TR_EFFECT = 256,    /* visible outside: output, checks; keeps its order with others of the kind */
    TR_BOOL = 512,      /* result is bool (of the operands' shape) */
    TR_FLOAT = 1024,    /* operands must be floats */
    TR_INT = 2048,      /* operands must be ints */
    TR_ALLOC = 4096,    /* result is fresh memory */
    TR_LOOP = 8192,     /* its (last) region runs any number of times */
    TR_CALL = 16384,    /* a call of the C library, which no vector instruction does */
    TR_OWN = 32768,     /* a function of runtime/elementary.h, which becomes vectors */
    TR_NAN = 65536,     /* of floats: may give NaN of operands that are none */
    TR_INF = 131072,    /* of floats: may give an infinity of finite operands */
    TR_MOVES = 262144,  /* its elements are those of its first operands (op_moved) at other places */
};
typedef enum { AD_RULE, AD_ZERO, AD_CUSTOM, AD_NONE } AdKind;

typedef struct {
    const char *id;        /* "OP_ADD" */
    const char *mnemonic;  /* "add" */
    int levels;
    const char *operands;  /* names, "x y"; a trailing "..." name takes the rest: "x idx..." */
    const char *results;   /* names; "..." as above; "" none */
    int regions;           /* number; -1 any */
    int traits;
    const char *attrs;     /* "kind:combine axes?:ints": name:type, ? optional */
    const char *ctemplate; /* C expression over $0 $1 ..., or "" when the emitter has its own function */
    const char *llvm; /* LLVM instructions or intrinsics for signed ints, unsigned ints, floats; - or "": a function */
    AdKind ad;
    int cost;              /* rough cycles per element; for fusion and recompute decisions */
    const char *doc;
} OpInfo;
extern const OpInfo op_table[OP_COUNT];
static inline const OpInfo *op_info(OpCode c) { return &op_table[c]; }
const char *op_called(OpCode c); /* what programs call it, by which messages know it */
enum { PART_ARRAYS = 5 }; /* the first operand of a part that is an array */
bool opcode_find(const char *mnemonic, OpCode *out);
bool opcode_is_compare(OpCode c);
OpCode opcode_mirrored(OpCode c); /* y c' x for x c y; what is no comparison stays */
OpCode opcode_negated(OpCode c);  /* not (x c y), of ints; what is no comparison stays */

/* ---- kinds: kinds.def ----------------------------------------------------------------------------------- */

/* NONE: the operation has no such attribute */
typedef enum {
    COMBINE_NONE,
#define COMBINE(id, word, op, in, identity, sign) id,
#include "kinds.def"
#undef COMBINE
    COMBINE_COUNT
} Combine;
typedef enum {
    LOOP_NONE,
#define LOOP(id, word) id,
#include "kinds.def"
#undef LOOP
    LOOP_COUNT
} LoopKind;
typedef struct {
    const char *word;
    OpCode op;       /* OP_COUNT: none */
    bool in_reduce;  /* reduce, scan */
    bool in_update;  /* atomic */
    double identity;
    const char *sign; /* of C, or NULL */
} CombineInfo;
const CombineInfo *combine_info(Combine kind);
bool combine_find(const char *word, Combine *out);
const char *loop_word(LoopKind kind);
bool loop_find(const char *word, LoopKind *out);

/* ---- attributes ---------------------------------------------------------------------------------------- */

typedef enum {
#define ATTR(id, name, type, doc) id,
#include "attrs.def"
#undef ATTR
    ATTR_COUNT
} AttrId;
/* AT_FLAG has no value (present or absent); AT_COMBINE, AT_LOOP a word of kinds.def; AT_SYM is a bare word; AT_CONST a
 * typed scalar constant; AT_CONSTS a list of them; AT_STR text; AT_INTS a list; AT_SIZES a list of sizes; AT_FUNC a
 * function's name */
typedef enum { AT_FLAG, AT_COMBINE, AT_LOOP, AT_SYM, AT_STR, AT_CONST, AT_CONSTS, AT_INTS, AT_SIZES, AT_FUNC } AttrType;
typedef struct { const char *name; AttrType type; const char *doc; } AttrInfo;
extern const AttrInfo attr_table[ATTR_COUNT];
bool attr_find(const char *name, AttrId *out);
/* The next word of OpInfo.attrs, behind which *spec is put; false: there are no more */
bool attr_next(const char **spec, AttrId *out, bool *optional);
bool opcode_takes(OpCode c, AttrId id); /* id is among them */
typedef struct Attr {
    AttrId id;
    int i;         /* AT_COMBINE: Combine; AT_LOOP: LoopKind */
    const char *s; /* AT_SYM, AT_STR, AT_FUNC: interned */
    Const c;
    int n;
    const int64_t *ints;
    const Const *consts;
    const Size *const *sizes;
} Attr;

/* ---- the graph ------------------------------------------------------------------------------------------ */

struct Use { /* one operand slot; member of its value's use list */
    Value *val;
    Op *user;
    int index;
    Use *prev, *next;
};
struct Value {
    const Type *type;
    Op *def;          /* defining op, or NULL for a region argument */
    Region *region;   /* region argument: its region */
    int index;        /* among the results or arguments */
    Use *uses;
    const char *name; /* hint from the source, interned, or NULL; printing makes it unique */
    int id;           /* scratch numbering for printers and passes */
};
struct Op {
    OpCode code;
    Span span;
    Region *parent;
    Op *prev, *next;
    int nopnds, nres, nregs, nattrs, opnd_cap, attr_cap;
    Use *opnds;       /* opnds[i].val */
    Value *res;       /* res[i] */
    Region **regs;
    Attr *attrs;
    int mark;         /* scratch for passes */
    bool derived;     /* made for a derivative: --check-nan tells so */
    int64_t order;    /* grows along the region's list; kept by build.c and edit.c */
};
struct Region {
    Op *owner;        /* NULL: a function's body */
    Func *func;
    int nargs, arg_cap;
    Value **args;
    Op *first, *last;
};
typedef enum { FUNC_FN, FUNC_MAIN, FUNC_TEST, FUNC_BENCH, FUNC_EXTERN } FuncKind;
struct Func {
    Module *module;
    const char *name;  /* unique */
    const char *title; /* test and bench: its text */
    FuncKind kind;
    bool is_export, recursive;
    bool adds_adjoints; /* made for derivatives: gives the adjoints that it takes with more added to them (ad/call.c) */
    int carried; /* made of a loop (ad/revolve.c) that carries so many of its results; the others go through; or 0 */
    const Func *reverses; /* made for derivatives: the vjp of that; or NULL */
    /* The functions by which it is differentiated, or NULL: of its parameters, perhaps its results, and the adjoints of
     * its floating results, to the adjoints of its floating parameters (vjp); or the tangents of its floating
     * parameters, to the tangents of its floating results (jvp) */
    const char *vjp, *jvp;
    Span span;
    Region *body;      /* its args are the parameters; extern: args only; ends in `return` */
    int nres;
    const Type **res_types;
};
typedef enum { STAGE_IR, STAGE_PAR, STAGE_LOOPS, STAGE_COUNT } Stage;
struct Module {
    Session *session;
    Arena *arena;
    Stage stage;
    VEC(Func *) funcs;
    int next_sym;      /* for fresh size symbols */
    bool derives;      /* some function holds a derivative (vjp), or a stop_gradient */
    bool deriving;     /* while derivatives are made: new operations are derived */
};

/* ---- build.c ------------------------------------------------------------------------------------------------ */

Module *module_new(Session *s);
void module_free(Module *m); /* frees its arena */
Func *func_new(Module *m, const char *name, FuncKind kind, Span at);
Region *func_begin_anew(Func *f); /* f has an empty body, without parameters; the one that it had */
Func *module_find(const Module *m, const char *name);
const Func *func_vjp(const Func *f); /* the rules of f, or NULL */
const Func *func_jvp(const Func *f);
bool rule_takes_results(const Func *f, const Func *rule);
bool module_takes_arguments(const Module *m); /* the program reads words of its command line */
/* The C function that an extern function calls: its instances save, save.2, ... are all `save` there. */
const char *func_c_name(const Func *f);
/* A kernel without its launch is a function of this name; back: the kernel's name, NULL where f is no such function */
const char *kernel_func_name(Session *s, const char *kernel);
const char *func_kernel_name(const Func *f);
/* How a message shows a call of the function of this name: "'f' was called here" */
const char *called_words(Session *s, const char *func_name);
Value *region_add_arg(Region *r, const Type *t, const char *name);
Value *region_add_buf(Region *r, const Type *tensor, const char *name); /* the buffer of an island's operand */
void region_remove_arg(Region *r, int i); /* nobody uses it */

/* Where new operations go: before `before`, or at the end of `region` when it is NULL. */
typedef struct Builder {
    Module *module;
    Region *region;
    Op *before;
    Span span;
} Builder;
Builder builder_at_end(Module *m, Region *r, Span at);
Builder builder_before(Op *op);
Builder builder_after(Op *op);

/* The general constructor: result types are given; regions are made empty. */
Op *build_op(Builder *b, OpCode c, int nopnds, Value *const *opnds, int nres, const Type *const *res, int nregs);
/* Shorthands; result types follow from the operands. */
Value *build_const(Builder *b, Const c);
int64_t const_wrap(DType t, int64_t i);                /* i as an int (or bool) of dtype t holds it */
double const_round(DType t, double f);                 /* f as a float of dtype t holds it */
Value *build_int(Builder *b, int64_t v);               /* i64 */
Value *build_float(Builder *b, DType t, double v);
Value *build_bool(Builder *b, bool v);
Value *build_unary(Builder *b, OpCode c, Value *x);
Value *build_binary(Builder *b, OpCode c, Value *x, Value *y);
Value *build_select(Builder *b, Value *cond, Value *x, Value *y);
Value *build_cast(Builder *b, Value *x, DType t);       /* same shape; x itself if already so */
Value *build_size(Builder *b, const Size *size);        /* the i64 value of a size (const or `size` op) */
Value *build_threads(Builder *b);                       /* i64 */
/* A buffer that the threads of a block share; name may be NULL */
Value *build_shared(Builder *b, DType t, int rank, const Size *const *dims, const char *name);
Value *build_bind(Builder *b, Value *v, const char *sym); /* v becomes the definition of sym; returns v */
Value *build_extract(Builder *b, Value *tensor, int n, Value *const *idx);
Value *build_load(Builder *b, Value *buf, int n, Value *const *idx);
Op *build_store(Builder *b, Value *v, Value *buf, int n, Value *const *idx);
/* The same where it is known that they cannot stop the program */
Value *extract_safe(Builder *b, Value *x, int n, Value *const *idx);
Value *insert_safe(Builder *b, Value *x, Value *v, int n, Value *const *idx);
Value *load_safe(Builder *b, Value *buf, int n, Value *const *idx);
Op *store_safe(Builder *b, Value *v, Value *buf, int n, Value *const *idx);
Op *atomic_safe(Builder *b, Combine kind, Value *v, Value *buf, int n, Value *const *idx);
Value *idiv_safe(Builder *b, Value *x, Value *y);
Value *imod_safe(Builder *b, Value *x, Value *y);
Value *slice_safe(Builder *b, Value *x, const Type *t, Value *const *start, const int64_t *steps); /* t: of the slice */
/* x, with the part in it */
Value *update_safe(Builder *b, Value *x, Value *part, Value *const *start, const int64_t *steps);
void build_yield(Builder *b, int n, Value *const *vals);
void build_return(Builder *b, int n, Value *const *vals);
Op *build_for(Builder *b, Value *lo, Value *hi, Value *step, int n,
              Value *const *init); /* region arg 0: iv, then iters */
Op *build_parallel(Builder *b, int n, Value *const *extents, LoopKind kind); /* region args: ivs from 0 */
/* An island: a result for each operand that is written, a buffer for each in its region, which has no yield yet */
Op *build_island(Builder *b, int n, Value *const *opnds, const int64_t *modes);
Value *island_reads(Op *island, Value *tensor); /* one more operand, which it only reads: its buffer */
Value *island_result(const Op *island, int i);  /* what operand i, which is written, becomes */
Op *build_if(Builder *b, Value *cond, int nres, const Type *const *res);
/* An `if` without results, nothing in it; in is left before the yield of the side where cond holds */
Op *build_when(Builder *b, Value *cond, Builder *in);
Op *build_plain_parallel(Builder *b, int n, Value *const *extents, Builder *in); /* kind plain, complete; in is left
                                                                                   before its yield */
Value *build_empty(Builder *b, const Type *t, const char *name); /* an uninitialised tensor of t */
Value *build_fill(Builder *b, Value *x, const Type *t); /* the tensor of type t, every element x */
Value *build_zero(Builder *b, const Type *t);           /* 0 or false, or the tensor of them */
bool dot_turns(const Op *op, int i); /* of a dot, or the call of the library for it: operand i is meant transposed */
/* The matrix product; trans: which operands are meant turned, NULL: neither.  Ranks as in ops.def, sizes that fit */
Value *build_dot(Builder *b, Value *x, Value *y, const int64_t *trans);
Value *build_transpose(Builder *b, Value *x, const int64_t *perm);
Op *build_lu_factor(Builder *b, Value *a); /* of a square matrix; the results are its factors, the order of its rows */
Value *build_lu_solve(Builder *b, Value *f, Value *p, Value *rhs, bool transposed);
Value *build_reshaped(Builder *b, Value *x, const Type *t); /* t has as many elements, for sure */
/* The part of x of type t that begins at `at` along the axis, and at 0 along the others; nothing is checked */
Value *build_part(Builder *b, Value *x, const Type *t, int axis, const Size *at);
Value *build_concat(Builder *b, int n, Value *const *parts, int axis);
void build_dims(Builder *b, const Type *t, Value **out); /* i64 values of the dims of t */
const char *module_fresh_sym(Module *m, const char *base);

/* What is known of a value by its definition alone */
const Const *value_const(const Value *v);              /* NULL: it is no constant */
bool value_const_int(const Value *v, int64_t *out);    /* an int or bool constant; out may be NULL */
bool value_is_const_int(const Value *v, int64_t what); /* that one */
bool value_same_int(const Value *x, const Value *y);   /* one value, or constants or sizes that are alike */
bool const_same(const Const *x, const Const *y);       /* to the last bit */
bool value_is_fixed(const Value *v);                   /* a constant or a size */

void op_set_attr(Op *op, Attr a);
void op_copy_attrs(Op *to, const Op *from);
void op_set_flag(Op *op, AttrId id);
void op_set_sym(Op *op, AttrId id, const char *s); /* also AT_STR, AT_FUNC */
void op_set_const(Op *op, AttrId id, Const c);
void op_set_ints(Op *op, AttrId id, int n, const int64_t *v);
void op_set_consts(Op *op, AttrId id, int n, const Const *v);
void op_remove_attr(Op *op, AttrId id);
void op_set_combine(Op *op, Combine kind);
void op_set_loop(Op *op, LoopKind kind);
Combine op_combine(const Op *op); /* of a reduce, scan or atomic */
LoopKind op_loop(const Op *op);   /* of a parallel */
const Attr *op_attr(const Op *op, AttrId id); /* NULL when absent */
bool op_flag(const Op *op, AttrId id);
const char *op_sym(const Op *op, AttrId id); /* NULL when absent */
/* A place as an attribute; without one, a place that is none */
void op_set_place(Op *op, AttrId id, Span at);
Span op_place(const Op *op, AttrId id);

/* ---- edit.c: changing the graph; use lists are kept ------------------------------------------------------------ */

static inline Value *op_opnd(const Op *op, int i) { return op->opnds[i].val; }
void op_set_opnd(Op *op, int i, Value *v);
void op_add_opnd(Op *op, Value *v);
void op_remove_opnd(Op *op, int i);
/* What a compare-and-swap (OP_ATOMIC of kind "cas") expects, its last operand, behind the indices; NULL: op is none. */
Value *op_expected(const Op *op);
/* Accesses: loads, stores, atomic updates.  Their indices are the operands from op_index_first up to op_index_end. */
bool op_is_access(const Op *op);
bool op_tells_rows(const Op *op); /* of what processes need and have, of one array or of several */
Value *op_buffer(const Op *access); /* the operand before the first index */
int op_index_first(const Op *access);
int op_index_end(const Op *op);
bool op_same_element(const Op *x, const Op *y); /* one buffer, at indices that are the same */
/* Values that a `for` or `while` carries from turn to turn, by their number: as the body has it, what it is at first,
 * and what the turn hands on */
Region *loop_body(const Op *loop);
Value *loop_carried(const Op *loop, int i);
Value *loop_first(const Op *loop, int i);
Value *loop_next(const Op *loop, int i);
int loop_number(const Value *carried); /* of an argument of the body; less than 0: the index of a `for` */
/* One more index behind those of an access */
void op_add_index(Op *op, Value *index);
void op_erase(Op *op);                        /* its results must have no uses; regions go with it */
void op_move_before(Op *op, Op *before);      /* same or another region */
void op_move_to_end(Op *op, Region *r);
void op_move_range(Op *first, Op *last, Region *r, Op *before); /* [first, last], before NULL: end */
Op *op_rebuild(Op *op, int nopnds, Value *const *opnds, int nres,
               const Type *const *
                   res); /* same code, attrs, regions (moved); inserted before op; op is left for the caller to erase */
void value_replace_all(Value *from, Value *to);
void value_take_over(Value *from, Value *to); /* its uses, and its name */
bool value_unused(const Value *v);
bool value_single_use(const Value *v);
Region *value_region(const Value *v);         /* where it is defined */
bool region_encloses(const Region *outer, const Region *inner); /* or equal */
Op *op_around(const Op *op, OpCode code);        /* the innermost operation of the code that op is in, or NULL */
Op *op_loop_around(const Op *op, LoopKind kind); /* the innermost parallel of the kind that op is in, or NULL */
const Op *op_find_loop(const Op *op, LoopKind kind); /* the first parallel of the kind in it, or it itself; NULL */
bool op_encloses(const Op *op, const Value *v); /* v is of one of its regions */
bool op_dominates(const Op *a, const Op *b);  /* structured dominance; a == b: true */
bool value_dominates(const Value *v, const Op *at);
/* v is iv, the argument of a region, or computed of it there; of what holds regions only the operands count */
bool value_depends(const Value *v, const Value *iv);
/* The argument of r that v is, plus or minus something from outside of r; NULL: v is nothing of the kind. */
const Value *value_shifted_arg(const Region *r, const Value *v);
bool op_inside(const Op *op, const Op *outer); /* properly, at any depth */
bool op_is_sequential_loop(const Op *op); /* for, while: its turns come one after the other */
bool region_has_loops(const Region *r);   /* for, while or parallel, at any depth */
Op *op_ancestor(const Op *op, const Region *r); /* the operation of r that is op, or holds it; NULL: there is none */
/* Of op or an operation at any depth in it: */
bool op_holds(const Op *op, OpCode c);                   /* it has this code */
bool op_mentions(const Op *op, const Value *v);          /* v is its operand */
bool op_holds_barrier_of(const Op *op, const Op *loop);  /* a barrier for the indices of loop */
void op_replace(Op *op, Op *by);              /* by's results take the place of op's; op goes */
/* A tensor-valued result, or a region argument, somewhere in op's regions */
bool op_has_tensors(const Op *op);
int region_count_ops(const Region *r);
Op *region_term(const Region *r);             /* the terminator; NULL while under construction */

/* Copies with a map from old values to new (Map keyed by Value*); sizes through subst (may be NULL).  With a call, the
 * copy stands for it: its places are reached by the call, and those in the library are the call's own. */
typedef struct Cloner {
    Module *module;
    Map values;
    SizeSubst subst;
    void *subst_ctx;
    const Span *call;
    const char *how;
} Cloner;
Value *clone_value(Cloner *c, Value *v);      /* mapped, or v itself */
Op *clone_op(Cloner *c, Builder *b, const Op *op);
/* v at b: mapped, or itself where it stands outside of r, or else computed again, of what it is computed of */
Value *clone_slice(Cloner *c, Builder *b, const Region *r, Value *v);
void clone_region_ops(Cloner *c, Builder *b, const Region *r, bool with_term);
/* Whether v, if it is computed in r, is so of what stands outside, by what cannot fail; then: v at b, outside of r */
bool value_is_fixed_in(const Region *r, const Value *v);
Value *value_outside(Builder *b, const Region *r, Value *v);
/* Copies r's operations but its terminator to b with its arguments replaced; out gets the copies of what it yields.
 * Symbols bound inside get fresh names. */
void region_inline(Builder *b, const Region *r, Value *const *args, Value **out);

/* op, if it loads from a buffer of the island, reads an element of the operand instead; for region_walk */
void island_load_to_extract(void *island, Op *op);

/* e reads an element of a comprehension: its body comes before e, and e goes, with the comprehension if nobody else
 * reads that.  The first operation that came, or what follows e. */
Op *extract_inline(Op *e);

/* ---- own_sizes.c */
bool op_brings_sizes(const Op *op);  /* sizes come with its results when the program runs */
bool op_defines_sizes(const Op *op); /* of symbols that are not known where it stands */
/* Each symbol in op's sizes, and in the types of its results and of its regions' arguments */
void op_each_sym(const Op *op, void (*f)(void *ctx, const char *sym), void *ctx);
bool size_is_known_at(const Op *op, const Size *size); /* its symbols are defined before op, in the regions around it */
/* In place: in all types and sizes */
void region_subst_sizes(Region *r, SizeSubst subst, void *ctx);
/* New names for what r defines; as a SizeSubst, with these as ctx */
typedef struct { Module *module; Map names; } SizeNames;
SizeNames region_new_names(Region *r);
const Size *size_new_name(void *ctx, const char *sym);
void op_rename_sizes(Op *op); /* in place, those that its regions define */

/* Pre-order walk over all ops of a region, nested ones included; f may erase the op it is given. */
void region_walk(Region *r, void (*f)(void *ctx, Op *op), void *ctx);

/* ---- effects.c ------------------------------------------------------------------------------------------------- */

/* Of an op with all its regions. */
bool op_is_pure(const Op *op);          /* at its place: neither effect, memory, nor trap */
bool op_may_trap(const Op *op);
bool op_has_effect(const Op *op);
bool op_reads_memory(const Op *op);
bool op_writes_memory(const Op *op);
bool op_is_scalar_arithmetic(const Op *op); /* a scalar that is computed elementwise of others, and cannot fail */
bool op_only_computes(const Op *op); /* neither effect nor writing, nor an island that writes */
/* Elements of its operands come from other processes or iterations: what was read of them before may not have been
 * there. */
bool op_brings_elements(const Op *op);
int op_moved(const Op *op); /* of what moves elements: how many operands, the first ones, they come from */
bool op_holds_write(const Op *op, const Value *buf); /* something inside of it writes the buffer */
/* May run where it did not run before: pure, or accesses whose indices are in range wherever it stands (the `safe`
 * of an access holds only at its place). */
bool op_is_speculatable(const Op *op);
bool op_is_speculatable_read(const Op *op); /* the same of one that reads memory, if that holds the same there */
bool value_is_only_read(const Value *buf); /* the buffer of an operand that its whole island only reads */
bool op_reads_constant(const Op *op);   /* an element of a tensor, or of memory that the island only reads */
/* How the loop updates memory, if it does nothing else with it than atomic updates of one kind whose results nobody
 * takes; COMBINE_NONE: it is otherwise */
Combine loop_combines(const Op *loop, const Value *buf);
/* When that was made by a comprehension: what it yields for each index, in *body; NULL: nobody knows */
Value *op_comprehended(const Op *op, Region **body);
/* An array of ints (u64 apart) that are all known: row-major */
typedef struct { int rank, n; int64_t dim[MAX_RANK]; const int64_t *v; } IntTable;
/* Does op, a load or extract, read one?  Elements in the arena. */
bool op_reads_table(const Op *read, Arena *arena, IntTable *out);
const Size *index_size(const Value *i);   /* 0 <= i < it, an index of a region; NULL: nothing so plain */
bool op_size_is_local(
    const Op *op); /* a size of which a symbol is bound in the island around: threads may differ on it */
bool op_same_attrs(const Op *a, const Op *b); /* but for what says nothing of values: safe, msg, other */
bool op_is_removable(const Op *op); /* may be deleted when unused: pure, or traps that are no size check and no write */

/* What an analysis says: UNKNOWN is an answer that each caller handles. */
typedef enum { ANSWER_NO, ANSWER_YES, ANSWER_UNKNOWN } Answer;

/* ---- reach.c */
/* Whether an operation is such: op, one that it holds, or one that the functions do which it calls, at any depth */
bool op_reaches(const Op *op, bool (*is)(const Op *op));
bool region_reaches(const Region *in, bool (*is)(const Op *op));

/* ---- minus_zero.c */
bool value_never_minus_zero(const Value *v); /* of a float, or all elements; as far as it is told from nearby */
bool value_sign_of_zero_lost(const Value *v); /* of a float: whatever is made of it is the same for 0 and -0 */

/* ---- kind.c */
/* What x is combined with to stay x */
Const combine_identity(Combine kind, DType t);
/* A reduction at function level whose elements, so many, are few enough for one thread */
bool reduce_is_serial(const Op *op, int64_t *n);

/* ---- eval.c */
/* The value of an elementwise operation on n constants; false when it is not known before the program runs,
 * or would stop it. */
bool const_eval(OpCode c, DType result, int n, const Const *x, Const *out);

/* ---- print.c, parse.c, verify.c ---------------------------------------------------------------------------------- */

void module_print(Text *out, const Module *m);
void func_print(Text *out, const Func *f);
void op_print(Text *out, const Op *op);
void module_print_locs(Text *out, const Module *m); /* with !line:col behind each op */
/* With a comment behind each op of which there is something to say; names: of values (const char *), as printed */
typedef void OpRemark(void *ctx, Text *out, const Op *op, const Map *names);
void module_print_remarks(Text *out, const Module *m, OpRemark *remark, void *ctx);
const char *stage_name(Stage s);
bool stage_find(const char *name, Stage *out);
/* Reads what module_print wrote; reports E08xx and returns NULL when it can't.  Locations in the text are
 * places of the IR file itself. */
Module *module_parse(Session *s, int file);
/* Checks every rule of the table and of structure; a broken rule is reported with the operation and its
 * source line, and the result is false.  `when` says after which pass. */
bool module_verify(Module *m, const char *when);

#endif
