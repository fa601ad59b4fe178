/* Where the processes of this machine are, in memory that they share: who has told of a failure, and who waits where.
 *
 * Processes that do the same come to the same waits, in the same order.  Where the n-th of one is at another place of
 * the program than the n-th of another, neither's messages will come. */
#ifndef DSL_BOARD_H
#define DSL_BOARD_H

#include "runtime/dsl.h"

#include <mpi.h>

void board_open(MPI_Comm machine); /* by all of them */
/* The first of them to ask for it may tell of a failure. */
bool board_claim(void);
/* This process begins its next wait.  NULL: one that stands nowhere in the program; what: for what it waits */
void board_wait_at(const dsl_site *at, uint64_t what);
void board_end(void); /* ... at the end of the program */
/* Fails where some other process is elsewhere at this turn. */
void board_look(void);
void board_look_at(int rank); /* ... where that one is */
void board_fail(const char *why); /* this process's messages do not fit */

#endif
