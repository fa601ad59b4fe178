/* From stage par to stage loops: tensor operations become islands of loops over memory.
 *   index_form.c   tensor operations -> comprehensions (for derivatives, in the bodies of some, too: index_bodies.c,
 *                  body_arrays.c)
 *   bufferize.c    comprehensions, reductions, scans and updates -> islands (island.c, reduce.c, update.c, serial.c)
 *   merge.c        islands over the same index space -> one
 *   owner.c        retain and release
 *   barrier_lower.c  barriers -> loops over the threads (barrier_plan.c, barrier_home.c, barrier_split.c)
 *   product_device.c, transpose_device.c, stencil_device.c, rows_device.c, counts_device.c, sums_device.c  matrix
 *                  products, transposes, stencils, rows of neighbours, counts, sums of floats by atomic on a GPU
 *                  (device.c)
 *   reduce_tree.c  the fixed tree of reductions; team.c where threads of a GPU do it together
 * Below: what the files of bufferize share. */
#ifndef DSL_LOWER_H
#define DSL_LOWER_H

#include "ir/index.h"
#include "opt/pass.h"

/* ---- index_form.c */

void index_region(Region *r); /* what pass_index_form does, in r */

/* ---- body_arrays.c */

/* Computes an array that o, a comprehension, makes in its body and reads often before o, for all of o's indices; gives
 * what computes it, or NULL: there is none like that. */
Op *expand_body_array(Op *o);

/* ---- reduce.c: reduce and scan */

/* A reduce inside an island: the fixed tree as loops, in place of op (erased). */
void expand_reduce(Op *op);
/* A reduce or scan at function level, free of tensors inside: islands in place of op (erased).  device: those of a GPU,
 * which reads the elements; what is left to combine is little. */
void reduce_to_island(Op *op, bool device);
void scan_to_island(Op *op, bool device);

/* ---- product_device.c */

/* The matrix product of floats as a launch of a GPU, in place of dot (erased); false: its sizes are not known to fit.
 */
bool product_on_device(Op *dot);

/* ---- device.c: loops of a GPU */

bool island_is_launches(const Op *island);  /* all that it does are loops */
bool loop_is_of_elements(const Op *op);     /* a plain loop each iteration of which is a thread's own */
bool loop_computes_alone(const Op *loop);   /* it calls and prints nothing, and holds no threads, no barriers */

/* The loop's body but its end goes to where b stands, with iv for its indices. */
void loop_body_to(Builder *b, Op *loop, Value *const *iv);
/* Of all axes; of several none where one has less than none.  Of one axis less than 0 is none, too. */
Value *loop_all_turns(Builder *b, const Op *loop);

/* ---- transpose_device.c */

/* Loops that read arrays along another axis than they write do so through shared memory. */
void turn_on_device(Func *f);

/* ---- counts_device.c */

/* Loops whose iterations update elements of small arrays do so in copies of their blocks. */
void count_on_device(Func *f, const PassOptions *opts);

/* ---- sums_device.c */

/* At stage par: loops that add floats to elements known when the program runs write down what they add, for a sort. */
void sum_on_device(Func *f, const PassOptions *opts);

/* ---- reduce_device.c */

/* A comprehension that reduces long columns becomes islands, for teams; false: it is another one. */
bool columns_on_device(Op *generate);

/* ---- reduce_ranks.c */

/* Of a comprehension's reductions along columns of an array those that are long are computed before it, from results of
 * chunks of rows, which processes have; true: nothing is left of it.  lower: for those that are short when the program
 * runs */
typedef void LowerGenerate(Op *op, const PassOptions *opts);
bool columns_by_ranks(Op *generate, const PassOptions *opts, LowerGenerate *lower);

/* ---- team.c */
/* Marks the plain loops of the island that threads of a GPU do together, before its reduces become loops. */
void team_choose(Op *island);
/* The reduce stands where such threads agree. */
bool team_does(const Op *op);

/* ---- update.c */

/* A comprehension that is done where the update that uses it stands */
bool island_is_update_part(const Op *g);
/* The comprehension of the elements that an update writes one beside the other, if nobody else reads it and it reads no
 * other elements of the old tensor than the one that it replaces; else NULL. */
Op *update_own_part(const Op *update);
void update_to_island(Op *op, bool device);
void pad_to_island(Op *op, bool device);
void concat_to_island(Op *op);

/* ---- merge.c */

/* Islands over the same index space become one; for a device with all axes, or as rows of a team. */
void islands_merge(Func *f, const PassOptions *opts);

/* ---- owner.c */

/* Inserts retain and release; once per module. */
void own_tensors(Module *m);

/* ---- serial.c */

/* A for or while at function level over carried tensors becomes one island, if it only touches their elements; says
 * whether. */
bool serial_to_island(Op *op);

/* ---- island.c: making islands */

/* An island over outs (modes 1: out, 2: inout), with an empty region but for their buffers. */
/* Makes the region complete: every extract of a tensor from outside becomes a load from an `in` operand, every
 * reduce becomes loops; the yield is added.  in_place: reads of an inout operand are reads of its buffer (each element
 * is read before it is written), not of what the tensor was. */
void island_finish(Op *island, bool in_place);
/* Every reduce inside an island becomes loops. */
void expand_reduces(Region *r);
/* Nothing in op's regions that an island could not hold: no tensors but those whose elements are read */
bool island_fits(const Op *op);
/* Where a comprehension's elements go: bufs[k][start + i*step]; start NULL: bufs[k][i] */
typedef struct { Value **bufs; Value *const *start; const int64_t *steps; } IslandTarget;
/* The comprehension op as a parallel loop at b, its body moved there */
void island_nest(Builder *b, Op *op, Value *const *extents, const IslandTarget *to);

#endif
