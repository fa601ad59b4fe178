/* prove-written: elements of shared memory that threads read and none of their block writes.
 *
 * needs: islands as the program wrote them; leaves everything as it was.  The elements that the stores write, as many
 * as may be, are taken from those that a load reads for certain (analysis/affine.h); what is left holds anything.  When
 * something is written too late is not asked.  Only loads whose guards and indices are affine get an answer.  Silent,
 * too, is what takes particular sizes, behind an assert. */
#include "analysis/affine.h"
#include "opt/prove/proof_words.h"
#include "opt/pass.h"

#include <isl/aff.h>
#include <isl/ctx.h>

enum {
    MOST_WORK = 200000,
    MOST_PAIRS = 1000
}; /* of one question; loads and stores of an array, beyond which none is asked */

typedef VEC(Op *) OpVec;
typedef struct { Session *s; Affine *affine; Op *island; Map told; /* places of arrays in the source */ } Written;
typedef struct { Arena *arena; const Value *buf; OpVec loads, stores; bool other; } Accesses;

static void look_at(void *ctx, Op *op) {
    Accesses *a = ctx;
    for (int i = 0; i < op->nopnds; i++) {
        if (op_opnd(op, i) != a->buf) continue;
        if (op->code == OP_LOAD && i == 0) vec_push(a->arena, &a->loads, op);
        else if ((op->code == OP_STORE || op->code == OP_ATOMIC) && i == 1) vec_push(a->arena, &a->stores, op);
        else a->other = true;
    }
}

static void report(Written *w, const Op *load, const Value *buf, isl_set *missed) {
    const char *name = array_name(buf);
    Diag *d = diag_report(w->s, load->span, W_UNWRITTEN, name);
    diag_note(w->s, d, NO_SPAN, "%s", say_elements(w->s, missed, name));
    if (w->island->span.file >= 0) diag_note(w->s, d, w->island->span, "it is launched here");
    diag_hint(
        w->s, d,
        "shared memory holds anything until a thread of the block writes it; see which elements the stores reach");
}

/* Says whether it found something. */
static bool judge(Written *w, const Op *load, const Value *buf, isl_set *read, isl_set *all) {
    isl_ctx *ctx = isl_set_get_ctx(read);
    isl_set *box = affine_extent(w->affine, (Op *)load, buf->type);
    isl_ctx_reset_operations(ctx);
    isl_ctx_set_max_operations(ctx, MOST_WORK);
    isl_set *missed = box ? isl_set_subtract(isl_set_intersect(read, box), all)
                          : (isl_set_free(read), isl_set_free(all), NULL);
    bool found = proof_is_missed(missed, w->island);
    if (found) report(w, load, buf, missed);
    isl_set_free(missed);
    isl_ctx_set_max_operations(ctx, 0);
    if (isl_ctx_last_error(ctx) != isl_error_none) isl_ctx_reset_error(ctx);
    return found;
}

/* Of each array of the source the first such load is shown. */
static void visit_alloc(void *ctx, Op *op) {
    Written *w = ctx;
    if (op->code != OP_ALLOC || op->res[0].type->space != SPACE_SHARED) return;
    const char *place = intern_printf(w->s, "%d:%d", op->span.file, op->span.lo);
    if (map_has(&w->told, place)) return;
    Accesses a = {.arena = session_arena(w->s), .buf = &op->res[0]};
    region_walk(w->island->regs[0], look_at, &a);
    bool many = a.loads.len && a.stores.len > MOST_PAIRS / a.loads.len;
    isl_set *all = a.other || many || !a.loads.len ? NULL
                                                   : affine_touched(w->affine, a.stores.data, a.stores.len, false);
    bool found = false;
    for (int i = 0; all && !found && i < a.loads.len; i++) {
        isl_set *read = affine_touched(w->affine, &a.loads.data[i], 1, true);
        found = read && judge(w, a.loads.data[i], a.buf, read, isl_set_copy(all));
    }
    if (found) map_put(session_arena(w->s), &w->told, place, w);
    isl_set_free(all);
}

static void visit(void *ctx, Op *op) {
    Written *w = ctx;
    if (op->code != OP_ISLAND) return;
    w->island = op;
    region_walk(op->regs[0], visit_alloc, w);
}

void pass_prove_written(Module *m, const PassOptions *opts) {
    (void)opts;
    Written w = {.s = m->session};
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        if (f->kind == FUNC_EXTERN || !f->body || func_kernel_name(f)) continue;
        w.affine = affine_new(f, 0);
        region_walk(f->body, visit, &w);
        affine_free(w.affine);
    }
}
