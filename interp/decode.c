/* Decoding: a function of the IR becomes blocks of instructions over slots.
 *
 * One walk numbers the operations and the constants and finds what barriers stop; a second one, in
 * dominance order, gives slots and builds the instructions.  A size symbol gets its slot where it is
 * defined: a parameter or result whose type mentions it bare for the first time, or a bind. */
#include "interp/private.h"

typedef VEC(int) Ints;

typedef struct {
    Interp *in;
    Arena *a;
    Code *code;
    Map syms;    /* symbol -> slot + 1 */
    Map sizes;   /* Size -> SizeCode */
    Map kills;   /* Op -> Ints: slots to drop after it */
    Map stops;   /* ops with a barrier inside that belongs further out */
    Map synced;  /* parallels whose threads meet at barriers */
    VEC(Cell) consts;
    Ints tensors;
    int next;    /* slot */
    int marks;
} Decoder;

/* ---- the first walk */

static void note_barrier(Decoder *d, Op *barrier) {
    const Op *owner = op_opnd(barrier, 0)->region->owner;
    for (Op *op = barrier; op != owner; op = op->parent->owner) map_put(d->a, &d->stops, op, op);
    map_put(d->a, &d->synced, owner, barrier);
}

static void survey(void *ctx, Op *op) {
    Decoder *d = ctx;
    op->mark = d->marks++;
    if (op->code == OP_BARRIER) note_barrier(d, op);
    if (op->code != OP_CONST) return;
    op->res[0].id = d->consts.len;
    vec_push(d->a, &d->consts, interp_const(op_attr(op, A_VALUE)->c));
}

/* ---- sizes */

static const SizeCode *size_code(Decoder *d, const Op *at, const Size *size) {
    SizeCode *c = map_get(&d->sizes, size);
    if (c) return c;
    SizeNode n = size_node(d->in->session, size);
    c = NEW(d->a, SizeCode);
    *c = (SizeCode){.op = n.op, .c = n.c};
    if (n.op == 's') {
        if (!map_has(&d->syms, n.sym))
            bug("@%s: %s uses the size %s before it is defined", d->code->func->name,
                at ? op_info(at->code)->mnemonic : "a parameter", n.sym);
        c->slot = (int)(intptr_t)map_get(&d->syms, n.sym) - 1;
    } else if (n.op != 'c') {
        c->a = size_code(d, at, n.a);
        c->b = size_code(d, at, n.b);
    }
    map_put(d->a, &d->sizes, size, c);
    return c;
}

static int define_sym(Decoder *d, const char *sym) {
    if (!map_has(&d->syms, sym)) map_put(d->a, &d->syms, sym, (void *)(intptr_t)(1 + d->next++));
    return (int)(intptr_t)map_get(&d->syms, sym) - 1;
}

/* The dims of n types that get their values together: bare new symbols are defined by the first that has them. */
static const DimCode *const *dims_of(Decoder *d, const Op *at, int n, const Type *const *types) {
    DimCode **dims = NEWN(d->a, DimCode *, n ? n : 1);
    for (int k = 0; k < n; k++) {
        if (types[k]->kind == TY_SCALAR) continue;
        dims[k] = NEWN(d->a, DimCode, types[k]->rank ? types[k]->rank : 1);
        for (int i = 0; i < types[k]->rank; i++) {
            const char *sym = size_as_sym(types[k]->dims[i]);
            if (sym && !map_has(&d->syms, sym)) dims[k][i] = (DimCode){.define = true, .slot = define_sym(d, sym)};
        }
    }
    for (int k = 0; k < n; k++)
        for (int i = 0; i < types[k]->rank && dims[k]; i++)
            if (!dims[k][i].define) dims[k][i].size = size_code(d, at, types[k]->dims[i]);
    return (const DimCode *const *)dims;
}

/* ---- last uses of tensors */

/* Whether an operation of cur's region after cur uses v, or cur itself in another operand or inside. */
static bool used_later(const Value *v, const Use *use, const Op *cur) {
    for (const Use *u = v->uses; u; u = u->next) {
        if (u == use) continue;
        const Op *at = op_ancestor(u->user, cur->parent);
        if (!at || at->mark < cur->mark) continue;
        if (at->mark > cur->mark) return true;
        if (cur == use->user && (u->user != cur || u->index > use->index)) return true;
    }
    return false;
}

/* Nothing can read the value after this use, on any path. */
static bool is_last_use(const Use *use) {
    const Value *v = use->val;
    const Region *home = value_region(v);
    for (const Op *cur = use->user;; cur = cur->parent->owner) {
        if (used_later(v, use, cur)) return false;
        if (cur->parent == home) return true;
        if (!cur->parent->owner || cur->parent->owner->code != OP_IF) return false;
    }
}

static const bool *moves_of(Decoder *d, const Op *op) {
    bool *moves = NULL;
    for (int i = 0; i < op->nopnds && d->in->managed; i++) {
        if (!type_is_tensor(op_opnd(op, i)->type) || !is_last_use(&op->opnds[i])) continue;
        if (!moves) moves = NEWN(d->a, bool, op->nopnds);
        moves[i] = true;
    }
    return moves;
}

/* v, defined in region r, is dropped after the last operation of r that uses it; a terminator moves it. */
static void plan_kill(Decoder *d, const Value *v, const Region *r, const Op *def) {
    const Op *last = def;
    for (const Use *u = v->uses; u; u = u->next) {
        const Op *at = op_ancestor(u->user, r);
        if (!last || at->mark > last->mark) last = at;
    }
    if (!last || last == r->last) return;
    Ints *list = map_get(&d->kills, last);
    if (!list) map_put(d->a, &d->kills, last, list = NEW(d->a, Ints));
    vec_push(d->a, list, v->id);
}

/* ---- values */

static void give_slot(Decoder *d, Value *v, const Region *r, const Op *def) {
    v->id = d->next++;
    if (!type_is_tensor(v->type) || !d->in->managed) return;
    vec_push(d->a, &d->tensors, v->id);
    plan_kill(d, v, r, def);
}

static const int *slots_of_opnds(Decoder *d, const Op *op) {
    int *slots = NEWN(d->a, int, op->nopnds ? op->nopnds : 1);
    for (int i = 0; i < op->nopnds; i++) slots[i] = op_opnd(op, i)->id;
    return slots;
}

/* ---- instructions */

static Handler *const handlers[OP_COUNT] = {
#define OP(id, ...) [id] = interp_##id,
#include "ir/ops.def"
#undef OP
};

static const Block *decode_region(Decoder *d, Region *r);

static void decode_elem(const Decoder *d, const Op *op, Inst *in) {
    in->fn = interp_elem_fn(op);
    bool traps = op_info(op->code)->traits & TR_TRAP && !dtype_is_float(op_opnd(op, 0)->type->dtype);
    const InterpObserver *o = d->in->opts.observer;
    if (o && o->wants(o->ctx, op)) in->run = interp_watched;
    else if (op->res[0].type->kind == TY_SCALAR && !traps) in->elem = in->fn;
}

static void decode_kind(const Op *op, Inst *in) {
    Combine kind = op_combine(op);
    if (combine_info(kind)->op == OP_COUNT) return;
    DType t = op->code == OP_ATOMIC ? op_opnd(op, 0)->type->dtype : op->res[0].type->dtype;
    in->fn = interp_kind_fn(kind, t);
}

/* Slots of what the threads of a parallel with barriers keep for themselves. */
static void decode_parallel(Decoder *d, const Op *op, Inst *in, int first) {
    if (!map_has(&d->synced, op)) return;
    int *range = NEWN(d->a, int, 2);
    range[0] = first;
    range[1] = d->next;
    in->aux = range;
}

static void decode_aux(Decoder *d, const Op *op, Inst *in) {
    switch (op->code) {
    case OP_SIZE: in->aux = size_code(d, op, op_attr(op, A_SIZE)->sizes[0]); return;
    case OP_CALL: case OP_EXTERN:
        in->aux = module_find(d->in->module, op_sym(op, A_FUNC));
        if (!in->aux) bug("no function @%s", op_sym(op, A_FUNC));
        return;
    case OP_REDUCE: case OP_SCAN: case OP_ATOMIC: decode_kind(op, in); return;
    default: return;
    }
}

static void decode_op(Decoder *d, Op *op, Inst *in) {
    *in = (Inst){.op = op, .run = handlers[op->code], .opnds = slots_of_opnds(d, op), .moves = moves_of(d, op)};
    if (op->nopnds > 0) in->a = in->opnds[0];
    if (op->nopnds > 1) in->b = in->opnds[1];
    if (op->nopnds > 2) in->c = in->opnds[2];
    in->stops = map_has(&d->stops, op);
    if (op_info(op->code)->traits & TR_ELEM) decode_elem(d, op, in);
    const InterpObserver *o = d->in->opts.observer;
    if (op->code == OP_EXTRACT && o && o->wants(o->ctx, op)) in->run = interp_watched_read;
    decode_aux(d, op, in);
    int first = d->next;
    if (op->nregs) {
        const Block **regs = NEWN(d->a, const Block *, op->nregs);
        for (int i = 0; i < op->nregs; i++) regs[i] = decode_region(d, op->regs[i]);
        in->regs = (Block *const *)regs;
    }
    if (op->code == OP_PARALLEL) decode_parallel(d, op, in, first);
    if (op->nres) {
        const Type **types = NEWN(d->a, const Type *, op->nres);
        in->r = d->next;
        for (int i = 0; i < op->nres; i++) {
            give_slot(d, &op->res[i], op->parent, op);
            types[i] = op->res[i].type;
        }
        in->dims = dims_of(d, op, op->nres, types);
    }
    if (op->code == OP_BIND) {
        int *slot = NEW(d->a, int);
        *slot = define_sym(d, op_sym(op, A_SYM));
        in->aux = slot;
    }
}

static void drop_values(Frame *fr, const Inst *in) {
    const Ints *slots = in->aux;
    for (int i = 0; i < slots->len; i++) interp_set_slot(fr, slots->data[i], NULL);
}

static void decode_args(Decoder *d, Block *b, Region *r) {
    int *args = NEWN(d->a, int, r->nargs ? r->nargs : 1);
    bool *dead = NULL;
    for (int i = 0; i < r->nargs; i++) {
        Value *v = r->args[i];
        give_slot(d, v, r, NULL);
        args[i] = v->id;
        if (!type_is_tensor(v->type) || v->uses || !d->in->managed) continue;
        if (!dead) dead = NEWN(d->a, bool, r->nargs);
        dead[i] = true;
    }
    b->nargs = r->nargs;
    b->args = args;
    b->arg_dead = dead;
}

static const Block *decode_region(Decoder *d, Region *r) {
    Block *b = NEW(d->a, Block);
    VEC(Inst) insts = {0};
    Ints allocs = {0};
    decode_args(d, b, r);
    for (Op *op = r->first; op && op != r->last; op = op->next) {
        if (op->code == OP_CONST) continue;
        Inst in;
        decode_op(d, op, &in);
        vec_push(d->a, &insts, in);
        if (op->code == OP_ALLOC) vec_push(d->a, &allocs, in.r);
        Ints *kills = map_get(&d->kills, op);
        if (kills) vec_push(d->a, &insts, ((Inst){.op = op, .run = drop_values, .aux = kills}));
    }
    if (!r->last || !(op_info(r->last->code)->traits & TR_TERM))
        bug("@%s: a region without terminator", d->code->func->name);
    b->insts = insts.data;
    b->n = insts.len;
    b->term = r->last;
    b->nyield = r->last->nopnds;
    b->yield = slots_of_opnds(d, r->last);
    b->moves = moves_of(d, r->last);
    b->allocs = allocs.data;
    b->nallocs = allocs.len;
    return b;
}

static const Code *decode(Interp *in, const Func *f) {
    Decoder d = {.in = in, .a = in->arena, .code = NEW(in->arena, Code)};
    Code *c = d.code;
    c->func = f;
    region_walk(f->body, survey, &d);
    d.next = c->nconsts = d.consts.len;
    c->consts = d.consts.data;
    const Type **types = NEWN(d.a, const Type *, f->body->nargs ? f->body->nargs : 1);
    for (int i = 0; i < f->body->nargs; i++) types[i] = f->body->args[i]->type;
    c->param_dims = dims_of(&d, NULL, f->body->nargs, types);
    c->body = decode_region(&d, f->body);
    c->nslots = d.next;
    c->tensors = d.tensors.data;
    c->ntensors = d.tensors.len;
    return c;
}

const Code *interp_code(Interp *in, const Func *f) {
    Code *c = map_get(&in->codes, f);
    if (!c) {
        c = (Code *)decode(in, f);
        map_put(in->arena, &in->codes, f, c);
    }
    return c;
}
