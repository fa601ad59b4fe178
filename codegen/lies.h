/* Where an access of a kernel lies for threads beside each other. */
#ifndef DSL_LIES_H
#define DSL_LIES_H

#include "ir/ir.h"

/* At one element; at elements beside each other; always as far apart; anywhere, as data say */
typedef enum { LIES_SAME, LIES_BESIDE, LIES_STRIDED, LIES_GATHERED, LIES_COUNT } Lies;

/* lane: the index that grows by one from thread to thread; around: where several threads do an iteration together, that
 * from one such team to the next; a warp has some teams.  Else NULL */
typedef struct Lane { Arena *arena; const Value *lane; struct Lane *around; Map seen; } Lane;
Lies access_lies(Lane *l, const Op *access);
/* Each thread's, by itself: by more than one element from thread to thread, always by so many */
bool access_strides(Lane *l, const Op *access);

#endif
