/* Memory of a thread or a block that is written first and only read from then on: the reverse writes it once more, and
 * reads it there, instead of an element of a tape for each thread and turn that reads it.
 *
 * Of such a buffer all stores come before all loads in the region where the threads run (or the private buffer lies),
 * and what they store is computed from what never changes, or from other such buffers.  The stores run again where the
 * reverse of that region begins; where a barrier stood behind those to shared memory, in a loop or branch too, one
 * stands again. */
#include "ad/memory.h"

typedef struct {
    Scope *s;
    Region *r;      /* whose reverse begins */
    ValueList bufs; /* that may be written again */
    Map ok;         /* those of them of which nothing is known to the contrary */
    Map seen;       /* Value -> non-NULL: being looked at, or fine */
} Replay;

static bool is_ok(const Replay *p, const Value *buf) { return map_get(&p->ok, buf) != NULL; }

/* ---- whether what is stored can be computed anew */

static bool can_load(const Replay *p, const Value *buf) {
    return !is_written(buf) || is_ok(p, buf) || map_has(&p->s->memory->replayed, buf);
}

typedef struct { Replay *p; bool ok; } Check;

static void check_op(void *ctx, Op *op) {
    Check *c = ctx;
    const OpInfo *info = op_info(op->code);
    if (op->code == OP_LOAD) c->ok &= can_load(c->p, op_opnd(op, 0));
    else if (op->code == OP_STORE) c->ok &= is_ok(c->p, op_opnd(op, 1));
    else if (op->code != OP_CHECK && op->code != OP_YIELD && op->code != OP_IF && op->code != OP_FOR)
        c->ok &= !op->nregs && op->nres == 1 && (info->traits & TR_ELEM || value_is_fixed(&op->res[0]));
}

static bool is_anew(Replay *p, Value *v);

/* The operation, and all that it mentions */
static bool runs_again(Replay *p, Op *op) {
    Check c = {p, true};
    ValueList free = all_free(p->s->ad, op);
    check_op(&c, op);
    for (int i = 0; i < op->nregs; i++) region_walk(op->regs[i], check_op, &c);
    for (int i = 0; i < op->nopnds && c.ok; i++) c.ok = is_anew(p, op_opnd(op, i));
    for (int i = 0; i < free.len && c.ok; i++) c.ok = is_anew(p, free.data[i]);
    return c.ok;
}

static bool is_anew(Replay *p, Value *v) {
    const Region *island = p->s->memory->island->regs[0];
    if (v->type->kind == TY_BUF || !region_encloses(island, value_region(v)) || map_has(&p->seen, v)) return true;
    if (!v->def) return v->region->owner->code == OP_PARALLEL;
    if (v->def->code == OP_FOR || v->def->code == OP_STORE || !runs_again(p, v->def)) return false;
    map_put(p->s->ad->arena, &p->seen, v, v);
    return true;
}

/* ---- which buffers */

/* All stores stand before all loads, and can run again. */
static bool is_written_first(Replay *p, const Value *buf) {
    int64_t last = INT64_MIN, first = INT64_MAX;
    for (const Use *u = buf->uses; u; u = u->next) {
        bool store = u->user->code == OP_STORE && u->index == 1;
        if ((!store && u->user->code != OP_LOAD) || !region_encloses(p->r, u->user->parent)) return false;
        int64_t at = op_ancestor(u->user, p->r)->order;
        if (store && at > last) last = at;
        if (!store && at < first) first = at;
    }
    if (last >= first || last == INT64_MIN || first == INT64_MAX) return false;
    for (const Use *u = buf->uses; u; u = u->next)
        if (u->user->code == OP_STORE && !runs_again(p, op_ancestor(u->user, p->r))) return false;
    return true;
}

static void find_buffers(Replay *p) {
    Arena *arena = p->s->ad->arena;
    Op *owner = p->r->owner;
    for (Op *o = p->r->first; o; o = o->next)
        if (o->code == OP_ALLOC) vec_push(arena, &p->bufs, &o->res[0]);
    if (op_loop(owner) == LOOP_THREAD)
        for (Op *o = owner->parent->first; o != owner; o = o->next)
            if (o->code == OP_ALLOC) vec_push(arena, &p->bufs, &o->res[0]);
    for (int i = 0; i < p->bufs.len; i++) map_put(arena, &p->ok, p->bufs.data[i], p->bufs.data[i]);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < p->bufs.len; i++) {
            Value *buf = p->bufs.data[i];
            if (!is_ok(p, buf)) continue;
            p->seen = (Map){0};
            if (is_written_first(p, buf)) continue;
            map_put(arena, &p->ok, buf, NULL);
            changed = true;
        }
    }
}

/* ---- writing it again */

static Scope *scope_of_buffer(Scope *s, const Value *buf) {
    while (s->of != value_region(buf)) s = s->up;
    return s;
}

static void open_buffer(Replay *p, Value *buf) {
    Scope *s = p->s;
    bool own = value_region(buf) == p->r;
    Builder b = own ? s->b : builder_before(s->b.region->owner);
    Op *made = build_op(&b, OP_ALLOC, 0, NULL, 1, &buf->type, 0);
    made->res[0].name = buf->name;
    map_put(s->ad->arena, &scope_of_buffer(s, buf)->primal, buf, &made->res[0]);
    map_put(s->ad->arena, &s->memory->replayed, buf, &made->res[0]);
}

/* Whether op writes a buffer that is written again, of those that threads share */
static bool writes_ok(const Replay *p, Op *op, bool shared) {
    for (int i = 0; i < p->bufs.len; i++) {
        const Value *buf = p->bufs.data[i];
        if (!is_ok(p, buf) || (shared && value_region(buf) == p->r)) continue;
        for (const Use *u = buf->uses; u; u = u->next)
            if (u->user->code == OP_STORE && op_ancestor(u->user, p->r) == op) return true;
    }
    return false;
}

static void wait(Scope *s) {
    Op *threads = s->b.region->owner;
    build_op(&s->b, OP_BARRIER, threads->nopnds, threads->regs[0]->args, 0, NULL, 0);
}

void replay_memory(Scope *s) {
    Replay p = {.s = s, .r = s->of};
    bool any = false, waits = false;
    if (!p.r->owner || p.r->owner == s->memory->island) return;
    find_buffers(&p);
    for (int i = 0; i < p.bufs.len; i++) {
        Value *buf = p.bufs.data[i];
        if (!is_ok(&p, buf)) continue;
        open_buffer(&p, buf);
        any = true;
    }
    for (Op *o = any ? p.r->first : NULL; o; o = o->next) {
        if (waits && op_holds(o, OP_BARRIER)) wait(s), waits = false;
        if (!writes_ok(&p, o, false)) continue;
        vec_push(s->ad->arena, &s->ad->anew, o);
        run_again(s, &s->b, o);
        waits |= writes_ok(&p, o, true);
    }
}
