/* What copies of a region read of arrays, if from copy to copy an index grows by one: neighbours have elements in
 * common, which together they read once. */
#ifndef DSL_COPIES_H
#define DSL_COPIES_H

#include "analysis/linear.h"

enum { COPIES_MOST = 16, COPIES_READS = 24 };

typedef struct {
    int reads;                     /* of one copy, different ones, of arrays that nobody writes there, at places that go
                                    * with the index */
    int together[COPIES_MOST + 1]; /* of so many copies */
} CopiesReads;

/* Of copies of r, the first of which has iv, an int that is known around r, or there; false: more than COPIES_READS
 * reads, or unknown */
bool copies_read(Linear *l, const Region *r, Value *iv, CopiesReads *out);

/* For a thread of a GPU that does what several did: */
bool copies_are_light(const Op *loop, int *cost); /* its iterations compute little, and nothing that may fail */
/* How many, a power of 2 up to `by`, which are so many if asked for; 1: that gains too little */
int copies_that_pay(const CopiesReads *reads, int cost, int by, bool asked);
/* What part of the reads goes then */
double copies_save(const CopiesReads *reads, int by);

#endif
