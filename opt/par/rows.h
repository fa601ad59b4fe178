/* Rows: parts of an array that stand still along some axes while a loop, or an island, goes along the others; taken
 * before it, they are arrays of their own. */
#ifndef DSL_ROWS_H
#define DSL_ROWS_H

#include "analysis/affine.h"
#include "analysis/linear.h"
#include "ir/ir.h"

/* What a search for rows in a function knows */
typedef struct {
    Arena *scratch;
    Linear *linear;
    Affine *affine;
    Map lasting; /* what is read that a loop has at its end: analysis/lasting.h; a slice has more */
} RowSearch;

/* Begins one; false: nothing is differentiated in f. */
bool rows_begin(RowSearch *s, Func *f);
void rows_end(RowSearch *s);

/* Where it is along the axes that stand still; NULL: along this one the accesses go.  doubtful: perhaps it is not
 * there, and not accessed then */
typedef struct { Value *at[MAX_RANK]; bool doubtful; } Row;

/* Of the row: where it starts; what it is in the array, and by itself */
typedef struct { Value *start[MAX_RANK]; int64_t steps[MAX_RANK]; const Type *part, *own; } RowSlice;

/* Of an extract, load or store: it is one of the first two; its index along an axis */
bool access_is_load(const Op *access);
Value *access_index(const Op *access, int axis);

/* The axes, a bit for each, along which the access is at a place that can be computed before op, which it stands in */
unsigned row_still_axes(const Op *op, const Op *access, int rank);
bool row_same_axes(const Row *p, const Row *q, int rank);
bool row_is_element(const Row *row, int rank); /* a single one: it stands still along all axes */
/* By how much rows p and q lie apart, if that is known: along the first axis where it is not 0, or 0 */
bool row_apart(Linear *l, const Row *p, const Row *q, int rank, int64_t *by);
/* An array of this type has the row, wherever op is. */
bool row_is_there(Linear *l, Op *op, const Type *t, const Row *row);
/* The array has a place along each axis of the row: so there is a nearest one, where op is. */
bool row_has_nearest(Linear *l, Op *op, const Type *t, const Row *row);
/* All rows together are less than half of an array that has so many; with columns x[i, 0], x[i, 1], x[i, 2] of points
 * nothing would be saved. */
bool rows_are_few(const Row *rows, int n, const Type *t);

/* A loop goes around op, inside of what is differentiated; only then may one of these be: */
bool rows_come_again(const Op *op);
/* A loop around op, inside of what is differentiated, has another such array in each turn. */
bool rows_change(const Op *op, const Value *x);
/* Some of the rows of x are others in each turn of a loop around op, inside of what is differentiated, and x is not. */
bool rows_move(const Op *op, const Value *x, const Row *rows, int n);
/* The next loop around takes steps of an array; else it may be a sum. */
bool rows_step_arrays(const Op *op);
/* What the loop has at its end that carries this is not set by a loop around that one, either: there is none. */
bool lasts_for_good(const Value *carried);

/* At b, before op; a doubtful row is the nearest that is there. */
RowSlice row_slice(Builder *b, const Op *op, const Type *t, const Row *row);
/* That part of x as an array; lasting: a loop around has at its end what is read of it. */
Value *row_take(Builder *b, Value *x, const RowSlice *s, bool lasting);
/* The access, which goes, is to this array or buffer of the row, or is this number. */
void row_access(const Row *place, int rank, Op *access, Value *row);

#endif
