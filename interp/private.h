/* Inside the reference interpreter.
 *
 * A function is decoded once, on its first call, into Code: blocks of instructions whose operands are
 * slots of the frame's environment.  Every value has a slot of its own (constants first, filled in when
 * the frame is made; the others in pre-order, so that those of a region are a range); so has every size
 * symbol.  Types are static, so a cell carries no tag.
 *
 * Tensors are counted: `owners` cells hold one.  Before stage loops the interpreter counts by itself:
 * each cell owns what it holds, an operand that is the last use of its value is moved out, others are
 * shared, and what nobody reads again is dropped after its last use ("managed").  At stage loops the
 * program counts (retain, release, consuming operands), and the interpreter checks that it does so right. */
#ifndef DSL_INTERP_PRIVATE_H
#define DSL_INTERP_PRIVATE_H

#include "interp/interp.h"
#include "runtime/dsl.h"

typedef struct Tensor Tensor;
typedef struct Buffer Buffer;
typedef struct Frame Frame;
typedef struct Inst Inst;
typedef struct Block Block;
typedef struct Interp Interp;
typedef struct Task Task;

/* bool and ints: i (u64: u); f16, bf16, f32: s; f64: f; str: text */
typedef union Cell {
    int64_t i;
    uint64_t u;
    double f;
    float s;
    const char *text;
    Tensor *t;
    Buffer *b;
} Cell;

typedef Cell ElemFn(Cell x, Cell y, Cell z);
typedef void Handler(Frame *fr, const Inst *in);

/* ---- code */

typedef struct SizeCode { char op; int64_t c; int slot; const struct SizeCode *a, *b; } SizeCode;
/* A dim of a type: its value, or (define) the slot of the symbol that it gives a value to. */
typedef struct { const SizeCode *size; int slot; bool define; } DimCode;

struct Inst {
    ElemFn *elem;          /* elementwise on scalars: no more is needed */
    Handler *run;
    int r, a, b, c;        /* slots: first result, first operands */
    const Op *op;
    const int *opnds;      /* slots */
    const bool *moves;     /* per operand: last use of a tensor */
    Block *const *regs;
    const DimCode *const *dims; /* per result: of its tensor or buffer type, NULL for scalars */
    const void *aux;       /* what the handler of this operation prepared */
    ElemFn *fn;            /* elementwise on tensors; combination of reduce, scan, atomic */
    bool stops;            /* has a barrier inside that belongs to a parallel around it */
};

struct Block {
    const Inst *insts;
    int n, nargs, nyield;
    const int *args, *yield; /* slots */
    const bool *arg_dead;    /* tensor arguments nobody reads */
    const bool *moves;       /* of the terminator's operands */
    const Op *term;
    const int *allocs;       /* slots of buffers made here */
    int nallocs;
};

typedef struct Code {
    const Func *func;
    int nconsts, nslots;
    const Cell *consts;
    const int *tensors;      /* slots that hold tensors */
    int ntensors;
    const Block *body;
    const DimCode *const *param_dims;
} Code;

/* ---- memory */

typedef struct Link { struct Link *prev, *next; } Link;
struct Tensor {
    Link link;         /* all live ones (at stage loops: dead ones too) */
    dsl_array *a;      /* NULL: dead */
    int64_t owners;
    uint8_t *undef;    /* per element: never written; NULL: all are defined */
    const Op *born, *died;
};

typedef struct Shadow Shadow;
struct Buffer {
    Link link;
    char *data;
    int rank, bytes;
    DType dtype;
    int64_t dim[MAX_RANK], count;
    bool readonly;
    dsl_array *array;  /* its own memory; NULL: that of a tensor */
    uint8_t *undef;
    Shadow *shadow;    /* per element, or NULL */
    const char *name;  /* for messages; may be NULL */
};

/* ---- threads, for finding races: who does something, and after how many barriers */

typedef struct Run { const Op *op; int64_t extent[MAX_RANK]; } Run; /* one execution of a parallel or spawn */
struct Task { const Run *run; int64_t iter; int epoch, depth; Task *parent; };

/* ---- state */

/* up, call: who called, and which operation; NULL for the outermost */
struct Frame { Interp *in; Cell *env; const Code *code; Task *task; const Frame *up; const Op *call; };

struct Interp {
    Module *module;
    Session *session;
    Arena *arena;      /* code, sites */
    Arena *tasks;      /* runs and tasks of the island under way, when races are looked for; else NULL */
    InterpOptions opts;
    bool managed;
    Map codes, sites;
    Cell *stack;       /* of environments */
    int64_t stack_top;
    int64_t fuel;
    uint64_t random;
    Link tensors, buffers, kept;
    const Frame *failing; /* of the operation whose place was asked for last */
    const Op *failing_op;
    void *jump;        /* jmp_buf of the run under way */
};

/* ---- interp_elem.c */

ElemFn *interp_elem_fn(const Op *op); /* of an elementwise operation; a bug if there is none */
Handler interp_watched; /* an elementwise operation that the observer sees */
Handler interp_watched_read; /* an element of an array that it sees */
ElemFn *interp_kind_fn(Combine kind, DType t); /* add mul min max and or */
Cell interp_kind_identity(Combine kind, DType t);
Cell interp_load(DType t, const void *data, int64_t i);
void interp_store(DType t, void *data, int64_t i, Cell v);
Cell interp_const(Const c);
#define OP(id, ...) Handler interp_##id;
#include "ir/ops.def"
#undef OP

/* ---- interp_decode.c */

const Code *interp_code(Interp *in, const Func *f);

/* ---- interp.c */

const dsl_site *interp_site(Frame *fr, const Op *op); /* lives as long as the run */
void interp_say_where(Interp *in); /* notes: the indices around what failed */
const dsl_site *interp_op_site(Interp *in, const Op *op); /* the same, for notes */
const dsl_site *interp_other_site(Interp *in, const Op *op); /* of attribute other; NULL: none */
void interp_block(Frame *fr, const Block *b);
static inline void interp_step(Frame *fr, const Inst *p) {
    if (p->elem) fr->env[p->r] = p->elem(fr->env[p->a], fr->env[p->b], fr->env[p->c]);
    else p->run(fr, p);
}
/* Ends the buffers made in b. */
void interp_free_allocs(Frame *fr, const Block *b);
/* Zeroed memory that is freed at the end of the run if nobody does before. */
void *interp_keep(Interp *in, size_t bytes);
void interp_unkeep(void *p);
DSL_NORETURN void interp_no_fuel(Frame *fr);
/* b is about to run so many times: what is only tried, and needs more than is left, is not begun. */
void interp_foresee(Frame *fr, uint64_t times, const Block *b);
/* How often a for runs: i = lo, lo+step, .. before hi; fails when step is 0. */
uint64_t interp_trips(Frame *fr, const Inst *in);
uint64_t interp_random(Interp *in);
/* The k-th index below n in a seeded order (seed 0: k). */
typedef struct { uint64_t n, mul, add; } Order;
Order interp_order(Interp *in, uint64_t n);
uint64_t interp_order_at(const Order *o, uint64_t k);
static inline Cell interp_opnd(const Frame *fr, const Inst *in, int i) { return fr->env[in->opnds[i]]; }
static inline DType interp_dtype(const Inst *in, int i) { return op_opnd(in->op, i)->type->dtype; }
/* A broken promise of a pass that only the running program shows; status 3. */
DSL_NORETURN DSL_PRINTF(3, 4) void interp_broken(Frame *fr, const Op *op, const char *fmt, ...);
/* `why` a check that attr safe forbids failed */
#define interp_check_proved(fr, in)                                                            \
    do {                                                                                       \
        if (op_flag((in)->op, A_SAFE)) interp_broken(fr, (in)->op, "what was proved does not hold"); \
    } while (0)

/* ---- interp_tensor.c: values */

int64_t interp_size(const Frame *fr, const SizeCode *c);
/* Fresh, one owner. */
Tensor *interp_tensor(Frame *fr, const Op *op, DType t, int rank, const int64_t *dim);
Tensor *interp_adopt(Frame *fr, const Op *op, dsl_array *a); /* takes the array */
/* Of the type of result k. */
Tensor *interp_result_like(Frame *fr, const Inst *in, int k);
void interp_result_dims(Frame *fr, const Inst *in, int k, int64_t *dim);
void interp_drop(Frame *fr, const Op *op, Tensor *t); /* one owner less */
Tensor *interp_unique(Frame *fr, const Op *op, Tensor *t); /* owned in, owned out, one owner */
Tensor *interp_borrow(Frame *fr, const Inst *in, int i);
Tensor *interp_defined(Frame *fr, const Inst *in, int i); /* borrowed, and no element is undefined */
Tensor *interp_take(Frame *fr, const Inst *in, int i);    /* owned by the caller */
Cell interp_take_yield(Frame *fr, const Block *b, int i);
/* Gives the results their values; the shapes must be those of their types. */
void interp_put(Frame *fr, const Inst *in, const Cell *v);
static inline void interp_put_tensor(Frame *fr, const Inst *in, Tensor *t) { interp_put(fr, in, &(Cell){.t = t}); }
void interp_put_arg(Frame *fr, const Block *b, int i, Cell v);
void interp_set_slot(Frame *fr, int slot, Tensor *t);
/* Size symbols that these dims define get their values; then those of the others are compared. */
void interp_define_dims(Frame *fr, const DimCode *dims, const Tensor *t);
void interp_check_dims(Frame *fr, const Op *op, const DimCode *dims, const Tensor *t, const char *what);
/* Linear index; fails (E0601) when out of range. */
int64_t interp_index(Frame *fr, const Inst *in, int first, int rank, const int64_t *dim);

/* ---- interp_race.c */

typedef enum {
    ACC_READ,
    ACC_WRITE,
    ACC_ATOMIC,
    ACC_SET,
    ACC_SWAP
} Access; /* SET: atomic as well, but what was there is not looked at; SWAP: compare-and-swap */
Shadow *interp_shadow_new(Interp *in, int64_t count);
/* Reports a race with an earlier access; else remembers this one. */
void interp_shadow_access(Frame *fr, const Op *op, const Buffer *b, int64_t at, Access how);
void interp_describe_task(Text *out, const Task *t); /* "block 2, thread (0, 3)" */
const char *interp_describe_element(Interp *in, const Buffer *b, int64_t at); /* "element [1, 2] of 'tile'" */

/* ---- interp_memory.c */

void interp_free_buffer(Buffer *b);

/* ---- interp_world.c */


static inline void link_in(Link *list, Link *x) {
    x->next = list->next;
    x->prev = list;
    list->next->prev = x;
    list->next = x;
}
static inline void link_out(Link *x) {
    x->prev->next = x->next;
    x->next->prev = x->prev;
}

#endif
