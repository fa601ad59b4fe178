/* Reverse differentiation of functions of values (pass differentiate).
 *
 * A vjp holds a function as its region.  Its operations are taken from the last to the first; what is known of the
 * adjoints of an operation's results gives those of its operands.  There are three ways:
 *  - push (reverse.c, control.c): operations at function level.  Adjoints are values that grow; branches become
 * branches, loops loops that run backwards and carry adjoints.
 *  - pull (comprehension.c): the bodies of comprehensions and reductions, which are pure and have no order.  The
 * adjoint of an element is asked for where it is used: each access becomes a comprehension over what it reads (the
 * gather form), where its indices can be inverted; a loop of atomic updates else.
 *    Bodies that compute more than numbers are loops, which are pushed (serial.c).
 *  - in memory (memory.c): islands of which threads meet, or write an element twice, and comprehensions that cannot be
 * pulled.  Their adjoint is an island in which loads add to adjoints and stores take them. What the adjoint needs of
 * the function's own values is computed anew where it is needed, down to what the loop around carries: that is kept in
 * tapes, and only that.  So nothing is kept that nobody asks for. */
#ifndef DSL_AD_H
#define DSL_AD_H

#include "ir/ir.h"

/* What is kept of a loop for its reverse: a tape with a row for each turn */
typedef struct Kept {
    const Region *of; /* the loop's body */
    Span at;
    const char *name; /* of what is kept, or NULL */
    const Type *type; /* of the tape */
    const Size *rows; /* how many, as people read it */
    int tape;         /* of a loop: which result of it the tape is */
    bool end;         /* it has a last row, of what the loop gives */
    bool if_fits;     /* only where all of its loop fits into the limit, which is found when it runs */
} Kept;

/* What is kept of a value that a nest of loops writes down (history.c), and what writes it; told: the reverse has asked
 * for it */
typedef struct { Kept kept; Op *write; bool told; } History;

/* A loop that became calls (revolve.c): the first of them, or the branch that holds it, and the loop that gives its
 * values */
typedef struct { Op *values, *call; } Revolved;

typedef struct Ad {
    Module *module;
    Arena *arena;
    Map active;   /* Value -> non-NULL: depends on what is differentiated, and is a float */
    Map masked;   /* adjoint -> non-NULL: see keep_mask */
    bool again;   /* what is made will be differentiated once more */
    bool failed;  /* reported */
    VEC(Kept) kept;
    VEC(Revolved) revolved;
    VEC(const Op *) anew; /* of which copies compute values for the reverse once more */
    const struct PassOptions *opts; /* for --explain-grad, or NULL */
    Map lasting;  /* Value -> the array as the loop carries it: analysis/lasting.h */
    Map put;      /* Value -> the Lasting where it is put */
    Map inner;    /* bodies of loops in a nest that writes down what it reads -> non-NULL: they do not run again */
    VEC(const char *) extents; /* sizes of histories, which count turns */
    Map histories; /* Value -> the History that it is put into, if that was made for it */
    VEC(const History *) in_islands; /* those that threads write */
    Map *most;    /* body of a loop -> how often it goes around at most, a Size: segments between checkpoints */
    double limit; /* of what is kept, in bytes; 0: what the machine has */
    bool trying;  /* whether something can be done: nothing is reported */
} Ad;

/* What is being reversed, and where to.  The outermost scope reverses the vjp's region behind itself: there all values
 * are at hand. */
typedef struct Scope Scope;
struct Scope {
    Ad *ad;
    Scope *up;
    Region *of;       /* whose operations are reversed */
    Builder b;        /* where the reverse goes: the end of a region */
    Map primal;       /* Value of `of` -> the same here */
    Map again;        /* `for` of `of` that was computed anew -> the Cloner that did it */
    Map adjoint;      /* Value -> its adjoint so far */
    Op *inner;        /* the operation whose region is being made: what is computed anew goes before it */
    Value *(*carried)(Scope *s, Value *arg); /* an argument of `of` is needed: a loop's tape */
    Value *(*given)(Scope *s, const Value *arg); /* what the loop gives that carries this, or NULL */
    Value *(*yielded)(Scope *s, Value *v); /* a tensor is needed: a row of the tape, if `of` hands it on, or NULL */
    Value *(*part)(Scope *s, Scope *at, Value *v); /* needed at `at`, s or a branch in it: kept itself; NULL: not so */
    void *ctx;
    struct Memory *memory; /* inside an island: memory.h */
    bool scalars;     /* elements of tensors from outside keep their adjoints for themselves */
};

/* ---- differentiate.c */
bool differentiate_region(Region *r); /* the derivatives in it, the innermost first; false: reported */

void note_kept(Ad *ad, Kept kept, const Region *at); /* at: where it is read or written */
void explain_adjoint(const Ad *ad, Span at, const Value *of, const char *how); /* --explain-grad */

/* ---- active.c */
void active_mark(Ad *ad, Region *r);
void active_op(Ad *ad, Op *op); /* one that was made since */
void active_value(Ad *ad, Value *v);
void active_region(Ad *ad, Region *r); /* what depends on values that are marked */
bool is_active(const Ad *ad, const Value *v);
void active_replace(Ad *ad, Op *op, Op *by); /* op_replace, and by's results vary as op's did */
/* Active values from outside of op that its regions mention, but memory; each once */
typedef VEC(Value *) ValueList;
typedef VEC(const Use *) UseList;
UseList uses_from_last(Ad *ad, const Value *v); /* the last in the program first */
ValueList active_free(Ad *ad, const Op *op);
/* All values from outside of op that its regions mention */
ValueList all_free(Ad *ad, const Op *op);

/* ---- rules.c */
/* What adjoints are of: floats of 16 bits have adjoints of 32, which are rounded once, where they are handed out (a sum
 * of ones in f16 stops at 2048, in bf16 at 256). */
DType adjoint_dtype(DType t);
const Type *adjoint_type(const Ad *ad, const Type *t);
Value *as_adjoint(Builder *b, Value *v); /* v as numbers like its adjoint */
Value *adjoint_zero(const Ad *ad, Builder *b, const Value *v); /* an adjoint of v that is 0 */
/* Reads a rule: leaf gives the value of an atom, apply that of an operation.  Used to build it, and by tests to compute
 * it. */
typedef struct RuleReader {
    void *(*leaf)(void *ctx, const char *atom);
    void *(*apply)(void *ctx, OpCode code, int n, void *const *x);
    void *ctx;
} RuleReader;
typedef struct Rule { OpCode code; double least, most; const char *adjoint[3]; } Rule;
const Rule *rule_find(OpCode c);
const Rule *rule_table(int *n);
void *rule_read(const char *text, const RuleReader *reader);
/* The adjoint of operand k of an elementwise op for the adjoint g of its result; x, z: operands and result at hand.
 * NULL: nothing */
bool has_adjoint(OpCode c);
/* Whether the adjoint of operand k needs operand i, or the result (i the number of operands); what it does not need may
 * be NULL */
bool rule_reads(const Op *op, int k, int i);
Value *elementwise_adjoint(Ad *ad, Builder *b, const Op *op, int k, Value *const *x, Value *z, Value *g);
Value *sum_adjoints(Ad *ad, Builder *b, Value *x, Value *y); /* NULL: nothing */
/* What operand k gives to the adjoint from g, or to the tangent of the result from g, its own; NULL: nothing */
Value *rule_adjoint(Builder *b, const Op *op, int k, Value *const *x, Value *z, Value *g);
/* Of an access to an adjoint: it is checked where that to the value is, which goes when nobody asks for the value.
 * Gives access. */
Op *checked_as(Op *access, const Op *primal);
/* v may be 0 because something was not chosen; or is if `from` is. Gives v. */
Value *mask(Ad *ad, Value *v);
Value *keep_mask(Ad *ad, Value *v, const Value *from);
bool is_masked(const Ad *ad, const Value *v); /* NULL: no */
/* Something in op's regions chooses between active values: what it does not choose has adjoint 0 */
bool has_choice(const Ad *ad, const Op *op);

/* ---- reverse.c */
/* The end of s, or before the operation that is being made there */
Builder builder_here(const Scope *s);
/* v as it was in the function, there */
Value *primal_of(Scope *s, Value *v);
/* The operands of op from `first` on, so; their number */
int indices_of(Scope *s, const Op *op, int first, Value **idx);
void forget_effects(Op *op);
void forget_effects_in(Region *r);
Op *run_again(Scope *s, Builder *b, const Op *op);
Op *run_again_as(Scope *s, Builder *b, const Op *op, Cloner *c); /* c knows afterwards what became of op's values */
/* The sum over all axes of g but the n of keep, of type t; all: the result is a scalar */
Value *sum_axes(Builder *b, Value *g, int n, const int64_t *keep, const Type *t);
Value *adjoint_of(Scope *s, const Value *v); /* NULL: none so far */
Value *adjoint_or_zero(Scope *s, Value *v);  /* 0 is made */
void add_adjoint(Scope *s, Value *v, Value *g);
void set_adjoint(Scope *s, Value *v, Value *g);
void reverse_region(Scope *s);
bool has_own_sizes(const Op *op); /* its regions find sizes of arrays */
void cannot(Ad *ad, const Op *op, const char *why);

/* ---- matrix.c */
bool reverse_matrix(Scope *s, Op *op); /* false: another kind of operation */

/* ---- control.c */
void reverse_if(Scope *s, Op *op);
void reverse_loop(Scope *s, Op *op); /* for, while */
void reverse_spawn(Scope *s, Op *op);
/* A `while` is made anew so that the last that it carries counts its turns: the count in its body, and behind it */
Value *with_turns(Ad *ad, Op *loop);
Value *turns_of(const Op *loop);
/* The indices of a `for`: whether they are 0, 1, ..; how many there are: max(ceil((hi - lo) / step), 0); which turn its
 * own is, in its body */
bool counts_up(const Value *lo, const Value *step);
Value *build_count(Builder *b, Value *lo, Value *hi, Value *step);
Value *build_turn(Builder *b, const Op *loop);

/* ---- needed.c */
/* Whether the reverse may ask for v, a number that is read: not of a sum's terms, which are only added up and stored */
bool is_needed(const Ad *ad, const Value *v);

/* ---- comprehension.c: generate, reduce, scan */
void reverse_comprehension(Scope *s, Op *op);
bool can_pull(Scope *s, Op *op);
bool can_gather_all(Scope *s, Op *op); /* of what can be pulled */

/* ---- sum_loop.c */
bool reverse_sum_loop(Scope *s, Op *loop); /* false: it is more than a sum, or what it reads is not gathered */
void reverse_scan(Scope *s, Op *op);

/* A scope for region `of`, which is reversed into this region of made */
Scope open_scope(Scope *up, Region *of, Op *made, int region);

/* ---- serial.c */
/* Whether x becomes the least or greatest (OP_MIN, OP_MAX) after acc: the first of equals stays, NaN comes through */
Value *takes_over(Builder *b, OpCode kind, Value *x, Value *acc);

/* ---- call.c */
void reverse_call(Scope *s, Op *op);
bool may_run_again(Ad *ad, Op *op); /* it prints nothing, and calls nothing that does */
bool may_be_left_out(Ad *ad, Op *op); /* where nobody asks for its values: nor is anything checked in it */
/* Rules that the program has of its own, of the function that op calls */
bool has_own_rule(const Ad *ad, const Op *op);
Op *call_tangent(Ad *ad, Builder *b, const Op *op, Value *const *d); /* d: of each operand that is a float */
void cannot_call(Ad *ad, const Op *op); /* reports a call of C without a rule */

/* ---- extreme.c */
/* The island, or one behind it for its derivative, without such updates: its results are the island's and others behind
 * them; NULL: reported */
Op *extremes_as_stores(Ad *ad, Op *island);

/* ---- launch.c */
void reverse_island(Scope *s, Op *op);

#endif
