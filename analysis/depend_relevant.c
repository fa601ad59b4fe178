/* Which conditions and facts can have a part in the answer to a question.
 *
 * What shares no unknown with the question, not even through others, holds or fails whatever the answer is; and what a
 * quotient or minimum is, matters only where it is mentioned.  Large programs have many conditions around each loop. */
#include "analysis/depend_private.h"

void formula_atoms(const Query *q, const Formula *f, bool *used) {
    if (f->kind == F_AND || f->kind == F_OR) {
        formula_atoms(q, f->a, used);
        formula_atoms(q, f->b, used);
    }
    for (int i = 0; f->p && i < f->p->n; i++) {
        const Mono *m = poly_mono(q->ps, f->p->t[i].mono);
        for (int k = 0; k < m->n; k++) used[m->atom[k]] = true;
    }
}

bool formula_mentions(const Query *q, const Formula *f, const bool *used) {
    if (f->kind == F_AND || f->kind == F_OR) return formula_mentions(q, f->a, used) || formula_mentions(q, f->b, used);
    if (!f->p) return f->kind == F_FALSE;
    for (int i = 0; i < f->p->n; i++) {
        const Mono *m = poly_mono(q->ps, f->p->t[i].mono);
        for (int k = 0; k < m->n; k++)
            if (used[m->atom[k]]) return true;
    }
    return false;
}

typedef struct { const Formula *f; bool in; } Part;
typedef VEC(Part) Parts;

static void conjuncts(Query *q, const Formula *f, Parts *out) {
    if (f->kind == F_AND) {
        conjuncts(q, f->a, out);
        conjuncts(q, f->b, out);
    } else if (f->kind != F_TRUE) vec_push(q->arena, out, ((Part){f, false}));
}

static const Value *data_in(const Query *q, const Formula *f) {
    if (f->kind == F_AND || f->kind == F_OR) {
        const Value *v = data_in(q, f->a);
        return v ? v : data_in(q, f->b);
    }
    for (int i = 0; f->p && i < f->p->n; i++) {
        const Mono *m = poly_mono(q->ps, f->p->t[i].mono);
        for (int k = 0; k < m->n; k++)
            if (q->atoms.data[m->atom[k]].kind == ATOM_DATA && q->atoms.data[m->atom[k]].value)
                return q->atoms.data[m->atom[k]].value;
    }
    return NULL;
}

/* The facts about what is mentioned somewhere */
static void live_facts(Query *q, const Formula *goal, const Formula *context, Parts *out) {
    bool *used = NEWN(q->arena, bool, q->atoms.len + 1), *taken = NEWN(q->arena, bool, q->facts.len + 1),
         changed = true;
    formula_atoms(q, goal, used);
    formula_atoms(q, context, used);
    while (changed) {
        changed = false;
        for (int i = 0; i < q->facts.len; i++) {
            Fact *f = &q->facts.data[i];
            if (taken[i] || (f->defines >= 0 && !used[f->defines])) continue;
            formula_atoms(q, f->f, used);
            vec_push(q->arena, out, ((Part){f->f, false}));
            taken[i] = changed = true;
        }
    }
}

const Formula *relevant(Query *q, const Formula *goal, const Formula *context, const Value **data) {
    Parts parts = {0};
    const Formula *all = goal;
    bool *used = NEWN(q->arena, bool, q->atoms.len + 1), changed = true;
    live_facts(q, goal, context, &parts);
    int facts = parts.len;
    conjuncts(q, context, &parts);
    formula_atoms(q, goal, used);
    while (changed) {
        changed = false;
        for (int i = 0; i < parts.len; i++) {
            if (parts.data[i].in || !formula_mentions(q, parts.data[i].f, used)) continue;
            formula_atoms(q, parts.data[i].f, used);
            changed = parts.data[i].in = true;
        }
    }
    for (int i = parts.len - 1; i >= 0; i--) {
        if (parts.data[i].in) all = formula_and(q, parts.data[i].f, all);
        else if (i >= facts && !*data) *data = data_in(q, parts.data[i].f);
    }
    return all;
}
