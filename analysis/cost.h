/* The machine as passes see it: what decisions weigh, in rough cycles of one core, beside the costs of operations
 * (ir/ops.def). One place for a number that more than one decision has in mind; `dslc tune` varies what is a choice
 * (opt/choices.def). */
#ifndef DSL_COST_H
#define DSL_COST_H

enum {
    COST_CHOICE = 2,          /* a comparison, and one of two values */
    COST_READ_BACK = 6,       /* reading again what lies in a near cache */
    COST_KEEP = 8,            /* a store, and a load later: a value that is kept for another stretch of code */
    COST_DIVISION = 8,        /* a division, which is not over when the next one wants to begin */
    COST_WRONG_WAY = 12,      /* a branch that goes the way that was not expected */
    COST_PASS = 15,           /* an element written by one loop and read by another */
    COST_CALL = 20,           /* a function of libm, which no vector instruction does */
    COST_OF_A_LOOP = 64,      /* an element that takes so long is worth a loop of its own, for all threads */
    COST_UNKNOWN_TURNS = 1000 /* iterations of a loop whose number is not known */
};

#endif
