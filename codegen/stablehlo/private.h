/* What the files of codegen/stablehlo share.
 *
 * StableHLO has whole arrays of known sizes, no elements and no memory.  So the code of a comprehension, reduction or
 * parallel loop is done for all iterations at once: the loop is an `axis`, and a value computed in it an array along
 * the axes that it depends on, in front of the dims it has of its own.  Threads go in step; since programs have no
 * races, that is one of the orders they may run in, and barriers are nothing.  What is under a condition that threads
 * disagree on is done by all, with a `mask` for what it writes.  A buffer is the array that it holds just now.
 *
 * An int that is linear in the axes is kept as that, so that accesses become slices and paddings where they can, and
 * are gathered and scattered only where not.  Operations are pure, and one that stands already is not written again. */
#ifndef DSL_STABLEHLO_PRIVATE_H
#define DSL_STABLEHLO_PRIVATE_H

#include "codegen/stablehlo/stablehlo.h"

#include <string.h>

enum { MOST_ELEMENTS = 1024, MOST_AXES = 16, HLO_RANK = MOST_AXES + MAX_RANK };

/* A value.  In the text it has the shape of its axes, in the order they were opened in, then its own dims. */
typedef struct Ten {
    DType dtype;
    int naxes, axis[MOST_AXES]; /* numbers of Hlo.axes, ascending */
    int rank;
    int64_t dim[HLO_RANK];
    const char *ssa; /* its name in the text; NULL: known, linear, or its elements: written where it is used */
    bool is_known;              /* a scalar constant */
    Const known;
    bool is_linear;             /* a scalar i64: base + start + coef[0] * index of axis[0] + .. */
    const struct Ten *base;     /* the same for all iterations, or NULL: 0 */
    int64_t start, coef[MOST_AXES];
    bool has_least, has_most;   /* an i64 that is not linear: from, and up to */
    int64_t least, most;
    const struct Ten *filled;   /* every element is this scalar */
    const struct Ten *around;   /* an i64 that is this linear one modulo `wrap`, plus `past`, or NULL */
    int64_t wrap, past;
    const struct Pick *pick;     /* an i64 that is one of two linear ones, as min(i + 1, n - 1) is; or NULL */
    const struct Compared *compared; /* of a bool: of which linear ints, or NULL */
    const struct Formula *formula; /* of a comprehension of ints: how it computes them, or NULL */
    const struct Bounds *bounds; /* of a bool: where it may hold, as far as that is known, or NULL */
    const struct Ten *const *element; /* of a small array: its elements, row-major; NULL: not known one by one */
} Ten;

/* A bool holds only where the index of each of these axes is from lo to hi - 1; exact: wherever all of them are */
typedef struct Bounds {
    bool exact;
    int n;
    struct { int axis; int64_t lo, hi; } of[MOST_AXES];
} Bounds;

/* then where cond holds, else other; each linear, or picked itself; leaves: of how many it is one */
typedef struct Pick { const Ten *cond, *then, *other; int leaves; } Pick;

typedef struct Compared { const char *how; const Ten *left, *right; } Compared;

/* The element at the indices: linear, around or picked along these axes */
typedef struct Formula { int n, axis[MAX_RANK]; const Ten *element; } Formula;

/* Sizes of an array of the text */
typedef struct { int rank; int64_t dim[HLO_RANK]; } Shape;

/* Names of operations that stand in the text, by what they say; is_region: they end with a region of the text */
typedef struct Scope { struct Scope *outer; Map names; bool is_region; } Scope;

/* What a buffer holds just now */
typedef struct { const Value *buf; const Ten *held; } Held;

typedef struct { Span at; const char *what, *code; } Check;

typedef struct Hlo {
    Session *session;
    Arena *arena;
    Module *module;
    Text *out;
    int indent, names;
    Span here;                /* of the operation that is written */
    Scope *scope;
    int64_t *extent;          /* of each axis that was opened */
    int naxes, axes_cap;
    int active[MOST_AXES], nactive; /* axes around what is being written, outermost first */
    const Ten *mask;          /* which of their iterations do it; NULL: all */
    Map values;               /* Value * -> const Ten * */
    VEC(Held) held;
    Map *sizes;               /* symbol -> const int64_t * */
    Map given;                /* name -> const int64_t * */
    VEC(Value *) arguments;   /* of the function, behind those that are given */
    VEC(const Ten *) prints;  /* of main */
    bool unchecked, fast;
    int watched;              /* from this axis on .. ; negative: none */
    int64_t widest;           /* .. arrays along it have at most so many elements */
    int calls;                /* how deep */
    const Ten *fault;         /* which check failed first: its number; NULL: there were none */
    VEC(Check) checks;
    bool reported;            /* what was asked for is not there */
    bool failed;              /* there is no StableHLO for it: why, with which words, where */
    bool in_turn;             /* there may be some where each turn of a loop is written by itself */
    DiagId why;
    const char *word;
    Span at;
} Hlo;

typedef void HloFn(Hlo *h, const Op *op, const char *word);

/* ---- text.c: lines of text, and operations that are written once */
DSL_PRINTF(2, 3) void hlo_line(Hlo *h, const char *fmt, ...);
DSL_PRINTF(2, 3) const char *hlo_op(Hlo *h, const char *fmt, ...); /* pure, with one result: its name */
const char *hlo_fresh(Hlo *h);                                     /* a name for a result */
void hlo_open(Hlo *h);  /* a region begins: indented, with a scope of its own */
void hlo_close(Hlo *h);
const char *hlo_type(Hlo *h, DType t, const Shape *s);
const char *hlo_element(DType t);
const char *hlo_ints(Hlo *h, int n, const int64_t *v); /* "1, 2, 3" */
const char *hlo_literal(Hlo *h, Const c);              /* as in dense<..> */
void hlo_sweep(Hlo *h, Text *out, const char *body); /* adds the lines of body, without operations that nobody reads */
/* There is no StableHLO for this; the first counts */
void hlo_fail(Hlo *h, Span at, DiagId why, const char *word);
/* What is written so far, to come back to if what follows cannot stand */
typedef struct { int len, indent, nheld, nchecks, nactive; Held *held; Scope *scope; const Ten *fault, *mask; } Mark;
Mark hlo_mark(Hlo *h);
void hlo_back(Hlo *h, const Mark *to);

/* ---- ten.c: values */
const Ten *ten_of(Hlo *h, const Value *v);
void hlo_set(Hlo *h, const Value *v, const Ten *t);
Ten *ten_like(Hlo *h, DType t, const Ten *shape, const char *ssa);
Ten *ten_new(Hlo *h, DType t, int naxes, const int *axes, int rank, const int64_t *dim, const char *ssa);
const Ten *ten_const(Hlo *h, Const c);
const Ten *ten_int(Hlo *h, int64_t v); /* i64 */
const Ten *ten_bool(Hlo *h, bool v);
const Ten *ten_axis(Hlo *h, int axis); /* its index */
Shape ten_shape(const Hlo *h, const Ten *t);
const char *ten_type(Hlo *h, const Ten *t);
const char *ten_text(Hlo *h, const Ten *t); /* its name */
const Ten *ten_written(Hlo *h, const Ten *t); /* neither known nor linear: it has a name */
int axis_open(Hlo *h, int64_t extent);      /* becomes active */
void axes_shut(Hlo *h, int n);              /* the last n */
int axes_union(int n, const int *x, int m, const int *y, int *out);
bool ten_has_axis(const Ten *t, int axis);
bool ten_same(const Ten *x, const Ten *y); /* one value; a name alone may be that of another, along other axes */
const Ten *ten_widen(Hlo *h, const Ten *t, int naxes, const int *axes); /* along these, too */
const Ten *ten_alike(Hlo *h, const Ten *t, const Ten *like); /* also along the axes of that */
const Ten *ten_close(Hlo *h, const Ten *t, int from); /* axes from this number on become its first dims */
const Ten *ten_open(Hlo *h, const Ten *t, int n, const int *axes); /* the first n dims become axes, newest ones */
const Ten *ten_elements(Hlo *h, DType t, int rank, const int64_t *dim, const Ten *const *element);
const Ten *ten_fill(Hlo *h, const Ten *scalar, int rank, const int64_t *dim);
const Ten *ten_transpose(Hlo *h, const Ten *t, const int64_t *perm); /* of dims */
const Ten *ten_reshape(Hlo *h, const Ten *t, int rank, const int64_t *dim);
const Ten *ten_slice(Hlo *h, const Ten *t, const int64_t *start, const int64_t *end, const int64_t *step);
const Ten *ten_pad(Hlo *h, const Ten *t, const Ten *with, const int64_t *low, const int64_t *high,
                   const int64_t *between);
const Ten *ten_concat(Hlo *h, int n, const Ten *const *part, int dim);
const Ten *ten_at(Hlo *h, const Ten *t, int axis, int64_t place); /* at a place of the axis, without it */
const Ten *ten_reverse(Hlo *h, const Ten *t, int dim);
const Ten *ten_dims(Hlo *h, const Ten *t); /* axes become dims, all of them */

/* ---- scalar.c: elementwise operations */
HloFn hlo_const, hlo_size, hlo_threads, hlo_unary, hlo_chlo, hlo_binary, hlo_logic, hlo_compare, hlo_select, hlo_cast,
    hlo_div, hlo_mod, hlo_idiv, hlo_ipow, hlo_same, hlo_min_max, hlo_sign, hlo_exp2, hlo_log2, hlo_log10, hlo_tgamma,
    hlo_hypot, hlo_fma, hlo_isnan, hlo_isinf, hlo_trunc, hlo_shift, hlo_neg, hlo_not;

/* ---- arith.c: arithmetic on values */
Ten *linear_zero(Hlo *h, const Ten *x, const Ten *y); /* along the axes of both, of which all coefficients are 0 */
const Ten *linear_tidied(Hlo *h, Ten *t);            /* without axes of coefficient 0; a constant if none is left */
bool linear_alone(const Ten *t);                     /* linear without a base */
bool linear_both(const Ten *x, const Ten *y);        /* both are that */
const Ten *ten_number(Hlo *h, const Ten *like, double v); /* a constant of its type */
const Ten *ten_or(Hlo *h, const Ten *x, const Ten *y);
const Ten *ten_binary(Hlo *h, const char *word, const Ten *x, const Ten *y);
const Ten *ten_unary(Hlo *h, const char *word, const Ten *x);
const Ten *ten_compare(Hlo *h, const char *how, const Ten *x, const Ten *y);
const Ten *ten_select(Hlo *h, const Ten *c, const Ten *x, const Ten *y);
const Ten *ten_cast(Hlo *h, const Ten *x, DType t);
const Ten *ten_and(Hlo *h, const Ten *x, const Ten *y); /* NULL: true */
const Ten *ten_not(Hlo *h, const Ten *x);
const Ten *ten_add(Hlo *h, const Ten *x, const Ten *y);
const Ten *ten_sub(Hlo *h, const Ten *x, const Ten *y);
const Ten *ten_mul(Hlo *h, const Ten *x, const Ten *y);
const Ten *ten_combine(Hlo *h, Combine kind, const Ten *x, const Ten *y);
const Ten *ten_reduce(Hlo *h, Combine kind, const Ten *x, int n, const int *axes); /* over these axes */
bool ten_known_int(const Ten *t, int64_t *out);
/* An int that t is never below, or never exceeds, if one is known */
bool ten_least(const Hlo *h, const Ten *t, int64_t *out);
bool ten_most(const Hlo *h, const Ten *t, int64_t *out);
const Ten *ten_mod(Hlo *h, const Ten *x, const Ten *y); /* ints; the remainder has the sign of y */
const Ten *ten_between(Hlo *h, const Ten *t, int64_t least, int64_t most); /* it is known to be */
const char *combine_word(Combine kind, DType t); /* "stablehlo.add" */

/* ---- pick.c: ints that are one of several linear ones, and arrays of such */
/* t, with the note that it is that */
const Ten *pick_noted(Hlo *h, const Ten *t, const Ten *cond, const Ten *then, const Ten *other);
const Ten *pick_shifted(Hlo *h, const Ten *t, const Ten *x, const Ten *y, int64_t by); /* t is x + by*y */
int pick_first(int n, const Ten *const *index); /* the first of indices that is picked; negative: none is */

/* x, with the note that its elements are these, along the axes */
const Ten *formula_noted(Hlo *h, const Ten *x, int n, const int *axes, const Ten *element);
bool pick_is_known(const Ten *t);                      /* linear, around or picked by comparing such */
const Ten *pick_at(Hlo *h, const Ten *t, int axis, int64_t place); /* that at a place of the axis, without it */
const Ten *formula_read(Hlo *h, const Ten *x, const Ten *const *index); /* NULL: it has none that goes there */

/* ---- bounds.c: where conditions hold */
Ten *bounds_of_compare(Hlo *h, Ten *t, const char *how, const Ten *difference); /* of a linear difference with 0 */
const Ten *bounds_of_and(Hlo *h, const Ten *both, const Ten *x, const Ten *y); /* a known one if nothing is left */
const Ten *bounds_of_not(Hlo *h, const Ten *not_x, const Ten *x);
/* Without the axis, at the place, which is in the bounds */
const Ten *bounds_at(Hlo *h, const Ten *t, const Ten *from, int axis);
/* The only place of the axis where t may hold; false: there are several */
bool bounds_pin(const Ten *t, int axis, int64_t *place);

/* ---- access.c: elements of arrays */
/* x at the indices, one for each of its dims: a scalar along the axes of all */
const Ten *ten_read(Hlo *h, const Ten *x, const Ten *const *index);
/* x with v combined into the elements at the indices (COMBINE_SET: in their place), by those iterations of the active
 * axes that x does not have which are in the mask */
const Ten *ten_write(Hlo *h, const Ten *x, const Ten *const *index, const Ten *v, Combine kind);
/* Each index is inside of x, else the check fails */
void hlo_check_index(Hlo *h, const Op *op, const Ten *x, const Ten *const *index);
bool hlo_runs_never(const Hlo *h); /* the code that is written: an axis is empty, or the mask */
HloFn hlo_extract, hlo_insert, hlo_load, hlo_store, hlo_atomic;

/* ---- tensor.c: whole arrays */
HloFn hlo_fill, hlo_broadcast, hlo_reshape, hlo_retype, hlo_transpose, hlo_slice, hlo_update, hlo_pad, hlo_concat,
    hlo_table, hlo_empty;

/* x as an update or insert leaves it, by all turns of the newest axis, each at a place of its own */
const Ten *ten_write_turns(Hlo *h, const Op *op, const Ten *x);

/* ---- algebra.c */
HloFn hlo_dot, hlo_cholesky, hlo_trisolve, hlo_lu_factor, hlo_lu_solve, hlo_lu_inv, hlo_lu_det, hlo_lu_logdet,
    hlo_lu_sign, hlo_lu_parts;

/* ---- axes.c: what is done for many elements */
HloFn hlo_generate, hlo_reduce, hlo_scan, hlo_island, hlo_parallel, hlo_alloc, hlo_nothing;

/* ---- loop.c: loops of the text, and what goes around in them */
/* A value that goes into a region of the text and comes out changed: of the program, a buffer, or the number of the
 * check that failed */
typedef struct {
    const Value *value;         /* an argument of the region, or a buffer; NULL: neither */
    bool is_buffer, is_fault;
    const Ten *first, *in, *next;
    int naxes, axis[MOST_AXES]; /* along which it is carried */
} Slot;
typedef struct { int n, cap; Slot *slot; } Slots;
Slots slots_new(Hlo *h, int nvalues);
Slot *slot_add(Slots *s, const Ten *first);
/* The buffers that op writes; fault: also which check failed */
void slots_state(Hlo *h, Slots *s, const Op *op, bool fault);
void slot_enter(Hlo *h, const Slot *s, const Ten *t); /* it is t from here on */
const Ten *slot_now(Hlo *h, const Slot *s);           /* of a buffer or the fault */
bool slots_grew(Slots *s); /* some came out along more axes than they went in: an attempt with these is to be made */
void slots_take_axes(Slots *s, const Slots *of);
void slots_return(Hlo *h, Slots *s);
const char *slots_types(Hlo *h, const Slots *s);
const Ten *slot_result(Hlo *h, const Slots *s, int i, const char *name);
static inline bool slot_is_state(const Slot *s) { return s->is_buffer || s->is_fault; }

typedef struct Loop {
    const Op *op;               /* may change buffers and fail; NULL: nothing of the kind */
    int n;                      /* how many go around beside those */
    const Ten **first;
    const Value **carried;      /* arguments of a region that they are; NULL: none */
    Slots slots;                /* those, then the state */
    bool fault, disagree;       /* a check may fail in it; iterations around it do not take the same turns */
    int counts;                 /* slots in front that all share, which go on where others keep what they have */
    const Ten *(*more)(Hlo *h, struct Loop *l); /* whether there is a turn, of slots' in: a bool, perhaps along axes */
    void (*turn)(Hlo *h, struct Loop *l);       /* from slots' in to slots' next */
    const void *ctx;
} Loop;
/* Writes it; out: the values at the end.  Buffers and the fault are left as they are then */
void loop_write(Hlo *h, Loop *l, const Ten **out);

/* ---- turns.c */
/* All turns at once, if each goes its own way, and has little to do; false: it is not so, and nothing was written */
bool turns_at_once(Hlo *h, const Op *loop, const Ten *lo, const Ten *step, int64_t turns);

/* ---- flow.c */
HloFn hlo_if, hlo_for, hlo_while, hlo_spawn, hlo_call;

/* ---- library.c: functions of the library that are C elsewhere */
HloFn hlo_extern;

/* ---- split.c */
/* Adds two functions in place of one that has this body, without its return, and these results: NAME_forward, of all
 * parameters but the seed, whose results are those that do not depend on it, then what the other one takes; and
 * NAME_backward, of these and the seed, whose results are the others */
void hlo_split(Hlo *h, Text *out, const char *name, const char *seed, const char *body, int n, const Ten *const *res);

/* ---- module.c */
HloFn hlo_bind, hlo_check_op, hlo_print, hlo_unsupported;
void hlo_emit(Hlo *h, const Op *op);
void hlo_region(Hlo *h, const Region *r); /* its operations, without the last */
const Ten *hlo_yield(Hlo *h, const Region *r, int i); /* what it yields */
int64_t hlo_extent(Hlo *h, Span at, const Size *size);
void hlo_dims(Hlo *h, Span at, const Type *t, int64_t *dim);
void hlo_define(Hlo *h, const Type *t, const Ten *x); /* sizes of the type that x brings */
void hlo_hold(Hlo *h, const Value *buf, const Ten *t); /* what it holds from here on */
/* Where `holds` is not true of an iteration of the mask, the check fails */
void hlo_check(Hlo *h, Span at, const char *code, const char *what, const Ten *holds);

#endif
