/* What nests of loops read and then change, written down for their reverse. */
#ifndef DSL_AD_HISTORY_H
#define DSL_AD_HISTORY_H

#include "ad/loop.h"

/* In r, which will be reversed: nests write down what they read of arrays that they change, which ad->put says, and
 * ad->histories.  After ad->lasting and ad->put have been found */
void keep_histories(Ad *ad, Region *r);
void drop_histories(Ad *ad); /* behind the reverse: what threads write, and nobody asked for */

#endif
