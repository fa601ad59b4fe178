/* prove-cover: launches that end too early.
 *
 * needs: islands as the program wrote them; leaves everything as it was.  What a kernel leaves unwritten on purpose,
 * such as a border, no guard lets any thread write.  So the question is: would more blocks write elements of an array
 * that those of the launch do not?  The instances of the stores are asked for twice, as they are and with a longer grid
 * (analysis/affine.h); an axis that the kernel uses and the launch leaves out has one block, and may have more, too.
 * Only what is affine throughout gets an answer.  Silent, too, are launches that go on writing what another one wrote,
 * or the other way round, and, where it takes particular sizes, those behind an assert. */
#include "analysis/affine.h"
#include "opt/prove/proof_words.h"
#include "opt/pass.h"

#include <isl/aff.h>
#include <isl/ctx.h>

enum { MOST_WORK = 200000, MORE = 1 << 20 }; /* MORE: blocks than any array that is told of needs */

typedef struct { Session *s; Affine *affine; Func *func; Map told; /* places of launches */ } Cover;
typedef VEC(Op *) OpVec;
typedef struct { Arena *arena; const Value *buf; OpVec stores, blocks, threads; } Launch;

static void look_at(void *ctx, Op *op) {
    Launch *l = ctx;
    bool writes = (op->code == OP_STORE || op->code == OP_ATOMIC) && op_opnd(op, 1) == l->buf;
    if (writes) vec_push(l->arena, &l->stores, op);
    if (op_loop(op) == LOOP_BLOCK) vec_push(l->arena, &l->blocks, op);
    if (op_loop(op) == LOOP_THREAD) vec_push(l->arena, &l->threads, op);
}

/* The elements that the stores write, or NULL when somebody's are not known exactly */
static isl_set *written(Cover *c, const Launch *l) {
    return affine_touched(c->affine, l->stores.data, l->stores.len, true);
}

/* The same with many blocks more along each axis */
static isl_set *written_by_more(Cover *c, const Launch *l) {
    Op *loop = l->blocks.data[0];
    Builder b = builder_before(loop);
    Value *kept[3], *count = build_const(&b, (Const){.dtype = DT_I64, .i = MORE});
    for (int i = 0; i < loop->nopnds; i++) {
        kept[i] = op_opnd(loop, i);
        op_set_opnd(loop, i, build_binary(&b, OP_ADD, kept[i], count));
    }
    isl_set *more = written(c, l);
    for (int i = 0; i < loop->nopnds; i++) {
        Op *sum = op_opnd(loop, i)->def;
        op_set_opnd(loop, i, kept[i]);
        op_erase(sum);
    }
    op_erase(count->def);
    return more;
}

/* ---- what is said */

/* k[4, 4] of a kernel that uses y */
static bool is_one_thread(const Launch *l) {
    const Op *blocks = l->blocks.data[0];
    return value_is_const_int(op_opnd(blocks, 0), 1) && l->threads.len == 1 &&
           l->threads.data[0]->nopnds < blocks->nopnds;
}

static void report(Cover *c, const Op *island, const Launch *l, isl_set *missed) {
    const char *name = array_name(l->buf),
               *place = intern_printf(c->s, "%d:%d %s", island->span.file, island->span.lo, name);
    if (map_has(&c->told, place)) return;
    map_put(session_arena(c->s), &c->told, place, c);
    Diag *d = diag_report(c->s, island->span, W_UNCOVERED, name);
    diag_note(c->s, d, NO_SPAN, "%s", say_elements(c->s, missed, name));
    if (is_one_thread(l))
        diag_note(c->s, d, NO_SPAN, "along %c there is one block of one thread", "xyz"[l->blocks.data[0]->nopnds - 1]);
    diag_hint(c->s, d, "as many blocks as reach the end of n elements are ceildiv(n, threads of a block)");
}

/* ---- one array of one launch */

static bool written_on(const Value *v) {
    for (const Use *u = v->uses; u; u = u->next)
        if (u->user->code == OP_ISLAND && op_attr(u->user, A_MODES)->ints[u->index] != 0) return true;
    return false;
}

/* By another launch, or element by element, perhaps before the loop that carries it */
static bool written_before(const Value *v) {
    while (!v->def && v->region->owner && (v->region->owner->code == OP_FOR || v->region->owner->code == OP_WHILE)) {
        bool is_for = v->region->owner->code == OP_FOR;
        if (is_for && v->index == 0) return false;
        v = op_opnd(v->region->owner, is_for ? v->index - 1 + 3 : v->index);
    }
    return v->def && v->def->nregs > 0;
}

static void judge(Cover *c, Op *island, const Launch *l, isl_set *some, isl_set *more) {
    isl_ctx *ctx = isl_set_get_ctx(some);
    isl_set *box = affine_extent(c->affine, l->stores.data[0], l->buf->type);
    isl_ctx_reset_operations(ctx);
    isl_ctx_set_max_operations(ctx, MOST_WORK);
    isl_set *missed = box ? isl_set_intersect(more, box) : (isl_set_free(more), NULL);
    isl_set *starts = isl_set_params(isl_set_copy(some)); /* there are threads, and they write */
    if (missed) missed = isl_set_intersect_params(isl_set_subtract(missed, some), starts);
    else isl_set_free(some), isl_set_free(starts);
    if (proof_is_missed(missed, island)) report(c, island, l, missed);
    isl_set_free(missed);
    isl_ctx_set_max_operations(ctx, 0);
    if (isl_ctx_last_error(ctx) != isl_error_none) isl_ctx_reset_error(ctx);
}

static void visit(void *ctx, Op *island) {
    Cover *c = ctx;
    if (island->code != OP_ISLAND) return;
    for (int i = 0, r = 0; i < island->nopnds; i++) {
        int64_t mode = op_attr(island, A_MODES)->ints[i];
        if (!mode) continue;
        Launch l = {.arena = session_arena(c->s), .buf = island->regs[0]->args[i]};
        region_walk(island->regs[0], look_at, &l);
        bool alone = !written_on(&island->res[r++]) && !written_before(op_opnd(island, i));
        if (!alone || l.blocks.len != 1 || !l.stores.len) continue;
        isl_set *some = written(c, &l), *more = some ? written_by_more(c, &l) : NULL;
        if (more) judge(c, island, &l, some, more);
        else isl_set_free(some);
    }
}

void pass_prove_cover(Module *m, const PassOptions *opts) {
    (void)opts;
    Cover c = {.s = m->session};
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        if (f->kind == FUNC_EXTERN || !f->body || func_kernel_name(f)) continue;
        c.affine = affine_new(f, 0), c.func = f;
        region_walk(f->body, visit, &c);
        affine_free(c.affine);
    }
}
