/* Ints that are one of a few linear ones: neighbours that stop at the ends, min(i + 1, n - 1), that go around by
 * `if i == 0 { n - 1 } else { i - 1 }`, or that are upwind.  What is read there is chosen from slices, what is added
 * there is added to parts; nothing is gathered or scattered. */
#include "codegen/stablehlo/private.h"

enum { MOST_LEAVES = 8 };

static int leaves_of(const Ten *t) {
    return linear_alone(t) ? 1 : t->pick ? t->pick->leaves : MOST_LEAVES + 1;
}

const Ten *pick_noted(Hlo *h, const Ten *t, const Ten *cond, const Ten *then, const Ten *other) {
    int leaves = leaves_of(then) + leaves_of(other);
    if (t->dtype != DT_I64 || t->rank || t->is_linear || cond->is_known || leaves > MOST_LEAVES) return t;
    Ten *r = NEW(h->arena, Ten);
    *r = *t;
    Pick *p = NEW(h->arena, Pick);
    *p = (Pick){cond, then, other, leaves};
    return r->pick = p, r;
}

static const Ten *plus(Hlo *h, const Ten *x, const Ten *y, int64_t by) {
    return by < 0 ? ten_sub(h, x, y) : ten_add(h, x, y);
}

/* So many behind one that goes around */
static const Ten *past_the_end(Hlo *h, const Ten *t, const Ten *x, int64_t more) {
    Ten *r = NEW(h->arena, Ten);
    *r = *t;
    r->around = x->around, r->wrap = x->wrap, r->past = x->past + more;
    return r;
}

const Ten *pick_shifted(Hlo *h, const Ten *t, const Ten *x, const Ten *y, int64_t by) {
    const Pick *px = x->pick, *py = y->pick;
    int64_t more;
    if (px && linear_alone(y)) return pick_noted(h, t, px->cond, plus(h, px->then, y, by), plus(h, px->other, y, by));
    if (x->around && ten_known_int(y, &more)) return past_the_end(h, t, x, by * more);
    if (py && linear_alone(x)) return pick_noted(h, t, py->cond, plus(h, x, py->then, by), plus(h, x, py->other, by));
    return t;
}

int pick_first(int n, const Ten *const *index) {
    for (int i = 0; i < n; i++)
        if (index[i]->pick) return i;
    return -1;
}

/* ---- arrays of such ints, as derivatives write down where elements were read */

bool pick_is_known(const Ten *t) {
    if (t->dtype != DT_I64 || t->rank) return false;
    if (linear_alone(t) || t->around) return true;
    return t->pick && t->pick->cond->compared && pick_is_known(t->pick->then) && pick_is_known(t->pick->other);
}

const Ten *formula_noted(Hlo *h, const Ten *x, int n, const int *axes, const Ten *element) {
    if (!pick_is_known(element)) return x;
    Ten *r = NEW(h->arena, Ten);
    Formula *f = NEW(h->arena, Formula);
    *r = *x, f->n = n, f->element = element;
    for (int i = 0; i < n; i++) f->axis[i] = axes[i];
    return r->formula = f, r;
}

/* t with indices in place of its axes; of axes around the array these are what they were */
static const Ten *put_in(Hlo *h, const Ten *t, const Formula *f, const Ten *const *index) {
    if (t->is_linear) {
        const Ten *r = ten_int(h, t->start);
        for (int i = 0; i < t->naxes; i++) {
            const Ten *at = ten_axis(h, t->axis[i]);
            for (int k = 0; k < f->n; k++)
                if (f->axis[k] == t->axis[i]) at = index[k];
            r = ten_add(h, r, ten_mul(h, at, ten_int(h, t->coef[i])));
        }
        return r;
    }
    if (t->around)
        return ten_add(h, ten_mod(h, put_in(h, t->around, f, index), ten_int(h, t->wrap)), ten_int(h, t->past));
    const Compared *c = t->pick->cond->compared;
    const Ten *cond = ten_compare(h, c->how, put_in(h, c->left, f, index), put_in(h, c->right, f, index));
    return ten_select(h, cond, put_in(h, t->pick->then, f, index), put_in(h, t->pick->other, f, index));
}

const Ten *pick_at(Hlo *h, const Ten *t, int axis, int64_t place) {
    const Formula f = {1, {axis}, t};
    const Ten *at = ten_int(h, place);
    return ten_has_axis(t, axis) ? put_in(h, t, &f, &at) : t;
}

const Ten *formula_read(Hlo *h, const Ten *x, const Ten *const *index) {
    if (!x->formula) return NULL;
    for (int i = 0; i < x->rank; i++)
        if (!linear_alone(index[i])) return NULL;
    return put_in(h, x->formula->element, x->formula, index);
}
