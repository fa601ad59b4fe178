/* What several loops read of one array is sent together.
 *
 * Needs parted loops (partition.c).  A tensor that islands one behind the other read is the same in all of them.  Where
 * loops are parted alike, each says to those before it, too, which rows it needs: so shifts of an array by 1, 2 and 3,
 * in loops of their own, are one message to each side of three rows.  The later loops still ask for their rows, which
 * are there by then: what is told to earlier ones need not be exact. */
#include "opt/ranks/ranks.h"

/* A parted loop: its part, the loop that says what processes need, the share in it */
typedef struct { Op *part, *says, *share; } Parted;
typedef VEC(Parted) PartedVec;

static bool parted_by(Op *part, Parted *out) {
    *out = (Parted){.part = part};
    const Use *u = part->res[0].uses;
    out->says = u && u->user->code == OP_FOR ? u->user : NULL;
    if (out->says) out->share = out->says->regs[0]->first;
    while (out->share && out->share->code != OP_SHARE) out->share = out->share->next;
    return out->share != NULL;
}

/* The tensor that a buffer is, which its island only reads; NULL: it changes */
static const Value *tensor_of(const Value *buf) {
    const Op *island = buf->region ? buf->region->owner : NULL;
    if (!island || island->code != OP_ISLAND || op_attr(island, A_MODES)->ints[buf->index]) return NULL;
    return op_opnd(island, buf->index);
}

enum { MOST_TOLD = 4 };
enum { ROWS = 1, SCALE, OFFSET }; /* operands of a part */

static bool same_operand(const Parted *x, const Parted *y, int i) {
    return value_same_int(op_opnd(x->part, i), op_opnd(y->part, i));
}

/* The same rows are at home with the same processes, and iterations go there alike, up to a shift. */
static bool parted_alike(const Parted *x, const Parted *y) {
    bool near = same_operand(x, y, OFFSET) || value_is_const_int(op_opnd(x->part, SCALE), 1);
    return same_operand(x, y, ROWS) && same_operand(x, y, SCALE) && near;
}

/* The buffer of which the loop says that rows of the tensor are needed */
static Value *needs(const Parted *p, const Value *tensor) {
    for (Op *o = p->says->regs[0]->first; o; o = o->next)
        if (o->code == OP_NEED && tensor_of(op_opnd(o, 0)) == tensor) return op_opnd(o, 0);
    return NULL;
}

/* ---- what is said, where it was not said before */

typedef struct { const Op *island; const char *sym; bool found, missing; } Known;

static void is_sym(void *ctx, const char *sym) {
    Known *k = ctx;
    k->found |= sym == k->sym;
}

static void find_sym(void *ctx, const char *sym) {
    Known *k = ctx;
    k->sym = sym, k->found = false;
    for (int i = 0; i < k->island->nopnds; i++) {
        const Type *t = op_opnd(k->island, i)->type;
        for (int d = 0; d < t->rank; d++) size_each_sym(t->dims[d], is_sym, k);
    }
    k->missing |= !k->found;
}

/* The symbols of a size are those of arrays that the island has. */
static bool size_is_known(const Op *op, const Op *island) {
    Known k = {.island = island};
    size_each_sym(op_attr(op, A_SIZE)->sizes[0], find_sym, &k);
    return !k.missing;
}

static const Op *island_around(const Builder *b) {
    const Region *r = b->region;
    while (r->owner->code != OP_ISLAND) r = r->owner->parent;
    return r->owner;
}

/* v, of a later loop, at b, before the yield of an earlier one; NULL: it is not known there */
static Value *carry(Cloner *c, Builder *b, Value *v) {
    if (map_has(&c->values, v)) return map_get(&c->values, v);
    if (value_dominates(v, b->before)) return v;
    const Op *d = v->def;
    if (!d || d->nregs || !op_is_speculatable(d) || type_is_tensor(v->type)) return NULL;
    if (d->code == OP_SIZE && !size_is_known(d, island_around(b))) return NULL;
    for (int i = 0; i < d->nopnds; i++) {
        Value *x = carry(c, b, op_opnd(d, i));
        if (!x) return NULL;
        map_put(b->module->arena, &c->values, op_opnd(d, i), x);
    }
    return &clone_op(c, b, d)->res[v->index];
}

static void tell_earlier(const Parted *first, const Parted *later, const Op *need, Value *buf) {
    Op *end = region_term(first->says->regs[0]);
    Builder b = builder_before(end);
    Cloner c = {.module = b.module};
    Value *offset = carry(&c, &b, op_opnd(later->part, OFFSET));
    if (!offset) return;
    Value *shift = index_sub(&b, op_opnd(first->part, OFFSET), offset);
    for (int i = 0; i < 2; i++)
        map_put(b.module->arena, &c.values, &later->share->res[i], index_add(&b, &first->share->res[i], shift));
    Value *from = carry(&c, &b, op_opnd(need, 2)), *to = from ? carry(&c, &b, op_opnd(need, 3)) : NULL;
    if (!to) return;
    Value *opnds[4] = {buf, first->says->regs[0]->args[0], from, to};
    build_op(&b, OP_NEED, 4, opnds, 0, NULL, 0);
}

/* All of them: the first may be a rim, at which most processes have nothing to do. */
static void join_earlier(const PartedVec *earlier, const Parted *later) {
    for (const Op *o = later->says->regs[0]->first; o; o = o->next) {
        const Value *tensor = o->code == OP_NEED ? tensor_of(op_opnd(o, 0)) : NULL;
        for (int i = 0, told = 0; tensor && i < earlier->len && told < MOST_TOLD; i++) {
            const Parted *first = &earlier->data[i];
            Value *buf = parted_alike(first, later) ? needs(first, tensor) : NULL;
            if (buf) tell_earlier(first, later, o, buf), told++;
        }
    }
}

static void visit_region(Arena *scratch, Region *r) {
    PartedVec all = {0};
    for (Op *o = r->first; o; o = o->next) {
        for (int i = 0; o->code != OP_ISLAND && i < o->nregs; i++) visit_region(scratch, o->regs[i]);
        for (Op *in = o->code == OP_ISLAND ? o->regs[0]->first : NULL; in; in = in->next) {
            Parted p;
            if (in->code != OP_PART || !parted_by(in, &p)) continue;
            join_earlier(&all, &p);
            vec_push(scratch, &all, p);
        }
    }
}

void ranks_merge(Func *f) {
    Arena *scratch = arena_new();
    visit_region(scratch, f->body);
    arena_free(scratch);
}
