/* Fibres.  On x86-64 a change of stacks is six registers; elsewhere it is that of ucontext, with two system calls.
 *
 * Stacks lie beside each other, with a page between that nobody may touch.  Their beginnings are shifted against each
 * other by a few lines of the cache: else all of them would meet in the same lines. */
#include "runtime/fibre.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#ifndef __x86_64__
#include <ucontext.h>
#endif

enum { PAGE = 4096, COLOURS = 32, LINE = 128 };

struct dsl_fibre {
    char *low;
    dsl_fibre_body *body;
    void *arg;
#ifdef __x86_64__
    void *here, *back; /* where it rests; where the one rests that runs it */
#else
    ucontext_t here, back;
#endif
};

static _Thread_local struct { int n; dsl_fibre **all; char *memory; } kept;

/* ---- a change of stacks */

#ifdef __x86_64__
void dsl_fibre_switch(void **from, void *to);
void dsl_fibre_start(void);
__asm__(".text\n"
        ".globl dsl_fibre_switch\n.type dsl_fibre_switch, @function\n"
        "dsl_fibre_switch:\n"
        "    push %rbp\n    push %rbx\n    push %r12\n    push %r13\n    push %r14\n    push %r15\n"
        "    mov %rsp, (%rdi)\n"
        "    mov %rsi, %rsp\n"
        "    pop %r15\n    pop %r14\n    pop %r13\n    pop %r12\n    pop %rbx\n    pop %rbp\n"
        "    ret\n"
        ".size dsl_fibre_switch, . - dsl_fibre_switch\n"
        ".globl dsl_fibre_start\n.type dsl_fibre_start, @function\n"
        "dsl_fibre_start:\n"
        "    mov %rbx, %rdi\n"
        "    call *%r12\n"
        "    ud2\n"
        ".size dsl_fibre_start, . - dsl_fibre_start\n");

static void whole(dsl_fibre *f) {
    f->body(f->arg);
    dsl_fibre_rest(f);
}

void dsl_fibre_begin(dsl_fibre *f, dsl_fibre_body *body, void *arg) {
    uintptr_t top = (uintptr_t)f->low + DSL_FIBRE_STACK - (uintptr_t)(f - kept.all[0]) % COLOURS * LINE;
    void **sp = (void **)(top & ~(uintptr_t)15);
    f->body = body;
    f->arg = arg;
    *--sp = NULL, *--sp = NULL; /* nobody calls it; the stack stays aligned */
    *--sp = (void *)(uintptr_t)dsl_fibre_start;
    *--sp = NULL;                       /* rbp */
    *--sp = f;                          /* rbx */
    *--sp = (void *)(uintptr_t)whole;   /* r12 */
    for (int i = 0; i < 3; i++) *--sp = NULL;
    f->here = sp;
}

void dsl_fibre_run(dsl_fibre *f) { dsl_fibre_switch(&f->back, f->here); }
void dsl_fibre_rest(dsl_fibre *f) { dsl_fibre_switch(&f->here, f->back); }

#else
static void whole(unsigned high, unsigned low) {
    dsl_fibre *f = (dsl_fibre *)((uintptr_t)high << 16 << 16 | low);
    f->body(f->arg);
    dsl_fibre_rest(f);
}

void dsl_fibre_begin(dsl_fibre *f, dsl_fibre_body *body, void *arg) {
    uintptr_t self = (uintptr_t)f;
    f->body = body;
    f->arg = arg;
    getcontext(&f->here);
    f->here.uc_stack.ss_sp = f->low;
    f->here.uc_stack.ss_size = DSL_FIBRE_STACK;
    f->here.uc_link = NULL;
    makecontext(&f->here, (void (*)(void))whole, 2, (unsigned)(self >> 16 >> 16), (unsigned)self);
}

void dsl_fibre_run(dsl_fibre *f) { swapcontext(&f->back, &f->here); }
void dsl_fibre_rest(dsl_fibre *f) { swapcontext(&f->here, &f->back); }
#endif

/* ---- memory */

enum { PLACE = DSL_FIBRE_STACK + PAGE };

static void drop(void) {
    if (!kept.all) return;
    munmap(kept.memory, (size_t)kept.n * PLACE);
    free(kept.all[0]);
    free(kept.all);
    kept.all = NULL;
}

dsl_fibre **dsl_fibres(int n) {
    if (kept.all && kept.n >= n) return kept.all;
    drop();
    void *memory = mmap(NULL, (size_t)n * PLACE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    dsl_fibre **all = malloc((size_t)n * sizeof *all), *fibres = calloc((size_t)n, sizeof *fibres);
    if (memory == MAP_FAILED || !all || !fibres) {
        if (memory != MAP_FAILED) munmap(memory, (size_t)n * PLACE);
        return free(all), free(fibres), NULL;
    }
    for (int i = 0; i < n; i++) {
        char *place = (char *)memory + (size_t)i * PLACE;
        mprotect(place, PAGE, PROT_NONE);
        all[i] = &fibres[i];
        fibres[i].low = place + PAGE;
    }
    kept.n = n, kept.all = all, kept.memory = memory;
    return all;
}

char *dsl_fibre_low(const dsl_fibre *f) { return f->low; }
