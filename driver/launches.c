/* dslc check --target=cuda, sim: launches of a size that is known before the program runs, and which no GPU takes.
 * They are looked at as they would run, after passes that give the work of several blocks to one. */
#include "driver/build.h"
#include "runtime/simt.h"

enum { AXES = 3 };

typedef struct { const Options *o; VEC(Span) told; } Search;

static void extents_of(const Op *loop, int64_t *extent) {
    for (int i = 0, first = AXES - loop->nopnds; i < AXES; i++)
        if (i < first || !value_const_int(op_opnd(loop, i - first), &extent[i])) extent[i] = 1;
}

static const Op *threads_of(const Op *blocks) {
    for (const Op *o = blocks->regs[0]->first; o; o = o->next)
        if (op_loop(o) == LOOP_THREAD) return o;
    return NULL;
}

/* A function that is called from several places may launch at one place several times. */
static bool is_told(Search *s, Span at) {
    for (int i = 0; i < s->told.len; i++)
        if (s->told.data[i].file == at.file && s->told.data[i].lo == at.lo) return true;
    vec_push(session_arena(s->o->session), &s->told, at);
    return false;
}

static void look_at(void *ctx, Op *op) {
    Search *s = ctx;
    dsl_grid grid = {.threads = {1, 1, 1}};
    char words[DSL_GRID_WORDS];
    if (op->code != OP_PARALLEL || op_loop(op) != LOOP_BLOCK) return;
    const Op *threads = threads_of(op);
    extents_of(op, grid.blocks);
    if (threads) extents_of(threads, grid.threads);
    if (dsl_grid_fits(&grid, words) || is_told(s, op->span)) return;
    Diag *d = diag_report(s->o->session, op->span, E_RT_GPU_LAUNCH, words);
    diag_hint(s->o->session, d, "let a block or a thread do more, or put the long axis along x");
}

void check_launches(const Options *o, const Module *m) {
    Search s = {.o = o};
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) region_walk(m->funcs.data[i]->body, look_at, &s);
}
