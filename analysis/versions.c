#include "analysis/versions.h"

static void add_version(Versions *a, Value *v) {
    if (map_has(&a->is, v)) return;
    map_put(a->arena, &a->is, v, v);
    vec_push(a->arena, &a->order, v);
}

bool versions_in_threads(Arena *arena, const Value *buf, OpList *reads, OpList *writes) {
    for (const Use *u = buf->uses; u; u = u->next) {
        bool write = (u->user->code == OP_STORE || u->user->code == OP_ATOMIC) && u->index == 1;
        if (u->user->code == OP_LOAD) vec_push(arena, reads, u->user);
        else if (write) vec_push(arena, writes, u->user);
        else if (u->user->code != OP_PREFETCH) return false;
    }
    return true;
}

/* Where the threads of an island write, it gives another version. */
static bool follow_into(Versions *a, const Op *island, int operand) {
    if (!versions_in_threads(a->arena, island->regs[0]->args[operand], &a->reads, &a->writes)) return false;
    if (op_attr(island, A_MODES)->ints[operand]) add_version(a, island_result(island, operand));
    return true;
}

/* What a loop carries, or a branch hands out, is the array if all that it may be are: which is asked once all are
 * found. */
static bool follow(Versions *a, const Use *u) {
    Op *op = u->user;
    int first = op->code == OP_FOR ? 3 : 0;
    switch (op->code) {
    case OP_EXTRACT: case OP_SLICE:
        vec_push(a->arena, &a->reads, op);
        return u->index == 0;
    case OP_INSERT: case OP_UPDATE:
        vec_push(a->arena, &a->writes, op);
        add_version(a, &op->res[0]);
        return u->index == 0;
    case OP_ISLAND: return follow_into(a, op, u->index);
    case OP_FOR:
        if (u->index < first) return false;
        add_version(a, loop_carried(op, u->index - first));
        add_version(a, &op->res[u->index - first]);
        return true;
    case OP_YIELD:
        if (op->parent == loop_body(a->loop)) return true; /* asked for by only_carried */
        if (op->parent->owner->code != OP_IF && op->parent->owner->code != OP_FOR) return false;
        add_version(a, &op->parent->owner->res[u->index]);
        return true;
    default: return false;
    }
}

/* All that v may be are versions, too. */
static bool is_closed(const Versions *a, const Value *v) {
    const Op *op = v->def ? v->def : v->region->owner;
    if (op->code == OP_INSERT || op->code == OP_UPDATE || op->code == OP_ISLAND) return true;
    if (op->code == OP_IF) {
        for (int k = 0; k < 2; k++)
            if (!map_has(&a->is, op_opnd(region_term(op->regs[k]), v->index))) return false;
        return true;
    }
    int k = v->def ? v->index : loop_number(v);
    return (op == a->loop || map_has(&a->is, loop_first(op, k))) && map_has(&a->is, loop_next(op, k));
}

/* The loop hands the array on as what it carries, and as nothing else. */
static bool only_carried(const Versions *a) {
    const Op *y = region_term(loop_body(a->loop));
    for (int i = 0; i < y->nopnds; i++)
        if (i != a->number && map_has(&a->is, op_opnd(y, i))) return false;
    return true;
}

bool versions_find(Arena *arena, Op *loop, int number, int most, Versions *out) {
    *out = (Versions){.arena = arena, .loop = loop, .number = number};
    add_version(out, loop_carried(loop, number));
    for (int i = 0; i < out->order.len; i++)
        for (const Use *u = out->order.data[i]->uses; u; u = u->next)
            if (!follow(out, u) || out->reads.len + out->writes.len > most) return false;
    for (int i = 0; i < out->order.len; i++)
        if (!is_closed(out, out->order.data[i])) return false;
    return only_carried(out);
}
