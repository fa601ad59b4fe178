/* What is so of ints that loops choose: the place of the greatest, the row of a pivot.
 *
 * By induction: it is so of what the loop begins with, and of all that a turn may choose in its place. */
#include "analysis/linear_private.h"

enum { MOST_CHOICES = 8, MOST_NESTED = 2, MOST_STEPS = 64 };

/* at: where the value is known to be what it is */
typedef struct { Value *v; Op *at; } Choice;

typedef struct {
    Arena *arena;
    Map seen; /* what loops carry */
    VEC(Op *) loops;
    VEC(Choice) choices;
    int steps;
} Chosen;

/* The loop that v is carried or given by, and as which; NULL: it is nothing of the kind */
static Op *loop_of(const Value *v, int *number) {
    Op *op = v->def ? v->def : v->region->owner;
    if (!op || (op->code != OP_FOR && op->code != OP_WHILE)) return NULL;
    *number = v->def ? v->index : loop_number(v);
    return *number >= 0 ? op : NULL;
}

/* All that v, used at `at`, may be; false: too much */
static bool find_choices(Chosen *c, Value *v, Op *at) {
    int k;
    Op *loop = loop_of(v, &k), *def = v->def;
    if (++c->steps > MOST_STEPS) return false;
    if (loop) {
        Value *carried = loop_carried(loop, k);
        if (map_has(&c->seen, carried)) return true;
        map_put(c->arena, &c->seen, carried, loop);
        vec_push(c->arena, &c->loops, loop);
        return find_choices(c, loop_first(loop, k), loop) &&
               find_choices(c, loop_next(loop, k), region_term(loop_body(loop)));
    }
    if (def && def->code == OP_SELECT)
        return find_choices(c, op_opnd(def, 1), def) && find_choices(c, op_opnd(def, 2), def);
    if (def && def->code == OP_IF) {
        for (int i = 0; i < 2; i++) {
            Op *y = region_term(def->regs[i]);
            if (!find_choices(c, op_opnd(y, v->index), y)) return false;
        }
        return true;
    }
    vec_push(c->arena, &c->choices, ((Choice){v, at}));
    return c->choices.len <= MOST_CHOICES;
}

/* The rest of g is the same in all turns. */
static bool is_fixed(Linear *l, const Chosen *c, const Poly *rest) {
    for (int i = 0; i < c->loops.len; i++)
        if (!linear_is_fixed(l, rest, loop_body(c->loops.data[i]))) return false;
    return true;
}

static bool is_alone(const Linear *l, const Poly *g, int atom) {
    int n = 0;
    for (int i = 0; i < g->n; i++) {
        const Mono *m = poly_mono(l->polys, g->t[i].mono);
        for (int k = 0; k < m->n; k++) n += m->atom[k] == atom;
    }
    return n == 1;
}

static bool prove_each(Linear *l, const Chosen *c, const Poly *rest, int64_t times) {
    const Op *place = l->place;
    bool all = true;
    for (int i = 0; i < c->choices.len && all; i++) {
        const Choice *choice = &c->choices.data[i];
        linear_at(l, choice->at);
        const Poly *v = linear_value(l, choice->v), *g = v ? linear_mul(l, linear_const(l, times), v) : NULL;
        all = g && linear_prove(l, choice->at, linear_add(l, rest, g));
    }
    linear_at(l, place);
    return all;
}

/* What a loop carries or gives, or a branch in it chooses of that */
static bool may_be_chosen(const Value *v) {
    int k;
    return loop_of(v, &k) || (v->def && (v->def->code == OP_SELECT || v->def->code == OP_IF));
}

bool linear_prove_chosen(Linear *l, const Poly *g) {
    bool proved = false;
    if (l->choosing == MOST_NESTED) return false;
    l->choosing++;
    for (int i = 0; i < g->n && !proved; i++) {
        const Mono *m = poly_mono(l->polys, g->t[i].mono);
        Value *v = m->n == 1 ? l->atoms.data[m->atom[0]].value : NULL;
        if (!v || !may_be_chosen(v) || !is_alone(l, g, m->atom[0])) continue;
        Chosen c = {.arena = l->arena};
        const Poly *rest = linear_sub(l, g, poly_term(l->polys, g->t[i].mono, g->t[i].coef));
        if (!rest || !find_choices(&c, v, NULL) || !c.loops.len) continue;
        proved = is_fixed(l, &c, rest) && prove_each(l, &c, rest, g->t[i].coef);
    }
    l->choosing--;
    return proved;
}
