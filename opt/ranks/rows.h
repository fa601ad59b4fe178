/* Between which values an index lies while a nest of loops runs, computed before the nest. */
#ifndef DSL_RANKS_ROWS_H
#define DSL_RANKS_ROWS_H

#include "analysis/range.h"
#include "ir/index.h"

typedef struct { Value *lo, *hi; } Rows; /* both included; hi < lo: none */
enum { ROWS_MOST = 4 };
typedef struct { int n; Rows v[ROWS_MOST]; } RowsList; /* in one of these; n 0: it is not known */

/* u cmp w holds where the index is used */
typedef struct { const Value *u; OpCode cmp; Value *w; } RowsFact;
enum { ROWS_FACTS = 32 };

typedef struct RowsAsk {
    Builder *b;       /* where bounds are computed: all that is defined outside of the nest is known there */
    const Op *nest;
    const Op *at;     /* where the index is used */
    Ranges *ranges;
    /* One index of the nest's, or NULL; between which values it goes where it is added up, and where loops inside go as
     * far as it says */
    const Value *iv;
    Rows term, bound;
    bool rest;        /* iv is a fixed 0 where it is added up: what conditions say of it is not looked at */
    int nfacts, left; /* left: operations that may still be read */
    RowsFact facts[ROWS_FACTS];
} RowsAsk;

/* No index of the nest's is singled out. */
RowsAsk rows_ask(Builder *b, const Op *nest, const Op *at, Ranges *ranges);
RowsList rows_of(RowsAsk *a, Value *index);
/* index = *slope * iv + what does not depend on iv, but for how far loops inside go */
bool rows_slope(const Value *index, const Value *iv, int64_t *slope);
/* The least and the greatest of both */
Rows rows_hull(Builder *b, Rows x, Rows y);
/* hi - lo, if it is a constant; else -1 */
int64_t rows_width(Rows r);

#endif
