/* Islands whose memory is reversed: barriers, shared memory, atomics, elements written twice (memory.c says how). */
#ifndef DSL_AD_MEMORY_H
#define DSL_AD_MEMORY_H

#include "ad/ad.h"

/* An island that is being made, or gets more operands */
typedef struct {
    Op *op;
    VEC(Value *) operands; /* those that come behind the ones it has */
    VEC(int64_t) modes;
} Open;

/* Of a value, or a loop that is counted; the buffer it is read from in the reverse, and which of those that came that
 * is */
typedef struct { const void *of; Value *from; int operand; } Tape;

typedef struct Memory {
    Scope *host;       /* where the island stands */
    Op *island;
    Open forward, reverse;
    Cloner clone;      /* of the island, where it runs again for its tapes: values as they are there */
    bool again;
    bool masked;       /* adjoints in memory may be 0 because something was not chosen */
    bool columns;      /* threads_go_down(island) */
    Map shadow;        /* buffer of the island -> the one with its adjoints, in the reverse */
    Map turn;          /* loop of the island -> which turn is being reversed */
    Map turns;         /* `while` of the island -> its turns so far, in the run that writes tapes */
    Map extent, counted; /* loop, or index of a parallel one -> its size; `while` -> its number of turns */
    Map replayed;      /* buffer of the island that the reverse writes once more -> the one there */
    VEC(Tape) tapes;
    VEC(Value *) shared; /* memory of adjoints that threads share; it is 0 before they add to it */
    VEC(struct Zeroed { const Value *shared; const Op *by; }) zeroed; /* loops over threads that set it so first */
    VEC(struct Slot { Value *of; int operand; }) slots; /* adjoints of values from outside, one for each thread */
} Memory;

/* ---- tape.c */
/* v, as it was, at the end of s; NULL: it can be computed anew */
Value *recall(Scope *s, Value *v);
/* Whether v is the same in all threads, and known before the island; its value there, or NULL */
bool known_at_host(const Memory *m, const Value *v);
Value *value_at_host(Memory *m, Value *v);
bool is_written(const Value *buf);
Value *open_operand(Memory *m, Open *o, Value *tensor, int mode);
Value *buffer_of(Memory *m, Value *tensor); /* to read it in the reverse */
Op *close_island(Memory *m, Open *o); /* with the operands that came */
/* Made anew, with these behind its own; its region has buffers for them, or gets them. */
Op *with_operands(Ad *ad, Op *island, int n, Value *const *tensors, const int64_t *modes);
typedef struct { const Size *dims[MAX_RANK]; int n; } Extents;
/* The extents of what stands around op in its island; false: reported */
bool extents_around(Memory *m, const Op *op, Extents *out);
/* Where in them the reverse at s is; how many there are */
int indices_around(Scope *s, const Op *op, Value **idx);
const Type *type_of_extents(const Memory *m, const Extents *e, DType t);
Op *clone_island(Memory *m, Cloner *c, Builder *b);
Value *count_turns(Scope *s, Op *loop); /* how often a loop of the island goes around */

/* ---- replay.c */
void replay_memory(Scope *s); /* where the reverse of a region begins */

/* ---- serial.c */
void reverse_serial(Scope *s, Op *op);                /* a reduction or scan with an operator without a rule */
void serialize_reductions(Ad *ad, Op *island);        /* those in an island that varies become loops */

/* ---- memory.c */
void open_shadows(Scope *in);
bool reverse_memory(Scope *s, Op *op); /* false: no operation on memory */
/* origin: where the island stands in the reverse itself, the values of the function that its own are; NULL: these
 * themselves */
void reverse_by_memory(Scope *s, Op *island, const Map *origin);

#endif
