/* Loops of the text.  What they carry along axes is found by attempts: a value that comes out of a turn along more axes
 * than it went in with is carried along these, too, and the loop is written again. */
#include "codegen/stablehlo/private.h"

Slot *slot_add(Slots *s, const Ten *first) {
    if (s->n == s->cap) bug("too many values go around");
    s->slot[s->n] = (Slot){.first = first};
    return &s->slot[s->n++];
}

Slots slots_new(Hlo *h, int nvalues) {
    int cap = nvalues + h->held.len + 1;
    return (Slots){.cap = cap, .slot = NEWN(h->arena, Slot, cap)};
}

static const Ten *no_fault(Hlo *h) { return ten_const(h, (Const){.dtype = DT_I32}); }

void slots_state(Hlo *h, Slots *s, const Op *op, bool fault) {
    for (int i = 0; op && i < h->held.len; i++)
        if (op_holds_write(op, h->held.data[i].buf)) {
            Slot *one = slot_add(s, h->held.data[i].held);
            one->value = h->held.data[i].buf, one->is_buffer = true;
        }
    if (fault) slot_add(s, h->fault ? h->fault : no_fault(h))->is_fault = true;
}

void slot_enter(Hlo *h, const Slot *s, const Ten *t) {
    if (s->is_fault) h->fault = t;
    else if (s->is_buffer) hlo_hold(h, s->value, t);
    else if (s->value) hlo_set(h, s->value, t);
}

const Ten *slot_now(Hlo *h, const Slot *s) { return s->is_fault ? h->fault : ten_of(h, s->value); }

static void slot_axes(Slot *s, int n, const int *axes) { s->naxes = axes_union(s->naxes, s->axis, n, axes, s->axis); }

bool slots_grew(Slots *s) {
    bool grew = false;
    for (int i = 0; i < s->n; i++) {
        int before = s->slot[i].naxes;
        slot_axes(&s->slot[i], s->slot[i].next->naxes, s->slot[i].next->axis);
        grew = grew || s->slot[i].naxes > before;
    }
    return grew;
}

void slots_take_axes(Slots *s, const Slots *of) {
    for (int i = 0; i < of->n; i++) slot_axes(&s->slot[i], of->slot[i].naxes, of->slot[i].axis);
}

const char *slots_types(Hlo *h, const Slots *s) {
    Text t;
    text_init(&t, h->arena);
    for (int i = 0; i < s->n; i++) text_printf(&t, "%s%s", i ? ", " : "", ten_type(h, s->slot[i].in));
    return text_str(&t);
}

void slots_return(Hlo *h, Slots *s) {
    Text t;
    text_init(&t, h->arena);
    for (int i = 0; i < s->n; i++) {
        const Ten *x = ten_widen(h, s->slot[i].next, s->slot[i].naxes, s->slot[i].axis);
        text_printf(&t, "%s%s", i ? ", " : "", x->ssa);
    }
    hlo_line(h, "stablehlo.return %s%s%s", text_str(&t), s->n ? " : " : "", slots_types(h, s));
}

const Ten *slot_result(Hlo *h, const Slots *s, int i, const char *name) {
    const Ten *like = s->slot[i].in;
    return ten_like(h, like->dtype, like, s->n == 1 ? name : arena_printf(h->arena, "%s#%d", name, i));
}

/* ---- */

/* Some iteration around has a turn */
static const Ten *any_more(Hlo *h, Loop *l) {
    const Ten *more = l->more(h, l);
    if (!more->naxes) return more;
    l->disagree = true;
    int axes[MOST_AXES], n = more->naxes;
    memcpy(axes, more->axis, sizeof axes);
    more = ten_and(h, h->mask, more);
    return ten_reduce(h, COMBINE_OR, more, more->naxes, n < more->naxes ? more->axis : axes);
}

static void loop_header(Hlo *h, Loop *l, const char *name) {
    Text t;
    Slots *s = &l->slots;
    text_init(&t, h->arena);
    for (int i = 0; i < s->n; i++) {
        slot_axes(&s->slot[i], s->slot[i].first->naxes, s->slot[i].first->axis);
        const Ten *first = ten_widen(h, s->slot[i].first, s->slot[i].naxes, s->slot[i].axis);
        s->slot[i].in = ten_like(h, first->dtype, first, arena_printf(h->arena, "%%i%d", h->names++));
        text_printf(&t, "%s%s = %s", i ? ", " : "", s->slot[i].in->ssa, first->ssa);
    }
    const char *count = s->n == 1 ? "" : arena_printf(h->arena, ":%d", s->n);
    hlo_line(h, "%s%s = stablehlo.while(%s) : %s", name, count, text_str(&t), slots_types(h, s));
}

static void slots_enter(Hlo *h, const Slots *s) {
    for (int i = 0; i < s->n; i++) slot_enter(h, &s->slot[i], s->slot[i].in);
}

/* Where iterations disagree, those that have no turn keep what they have */
static void keep_old(Hlo *h, Loop *l, const Ten *active) {
    for (int i = l->counts; i < l->n; i++) {
        Slot *s = &l->slots.slot[i];
        s->next = ten_select(h, active, s->next, s->in);
    }
}

static void loop_turn(Hlo *h, Loop *l) {
    const Ten *mask = h->mask, *active = NULL;
    if (l->disagree) {
        active = l->more(h, l);
        h->mask = ten_and(h, h->mask, active);
    }
    l->turn(h, l);
    for (int i = l->n; i < l->slots.n; i++) l->slots.slot[i].next = slot_now(h, &l->slots.slot[i]);
    if (active) keep_old(h, l, active);
    h->mask = mask;
}

/* Once; false: something is carried along more axes, or a check failed in it, than it was begun with */
static bool loop_attempt(Hlo *h, Loop *l, const char *name) {
    const Ten *fault;
    loop_header(h, l, name);
    hlo_line(h, "cond {");
    hlo_open(h);
    slots_enter(h, &l->slots);
    fault = h->fault;
    const Ten *more = any_more(h, l);
    h->fault = fault; /* the same is asked in the turn, or was before */
    hlo_line(h, "stablehlo.return %s : tensor<i1>", ten_text(h, more));
    hlo_close(h);
    hlo_line(h, "} do {");
    hlo_open(h);
    slots_enter(h, &l->slots);
    loop_turn(h, l);
    bool again = !h->failed && slots_grew(&l->slots);
    if (!l->fault && h->fault != fault) again = l->fault = true;
    if (!again) slots_return(h, &l->slots);
    hlo_close(h);
    hlo_line(h, "}");
    return !again;
}

static void loop_slots(Hlo *h, Loop *l, const Slots *before) {
    l->slots = slots_new(h, l->n);
    for (int i = 0; i < l->n; i++) slot_add(&l->slots, l->first[i])->value = l->carried ? l->carried[i] : NULL;
    slots_state(h, &l->slots, l->op, l->fault);
    slots_take_axes(&l->slots, before);
}

void loop_write(Hlo *h, Loop *l, const Ten **out) {
    const char *name = hlo_fresh(h);
    Slots before = {0};
    for (;;) {
        Mark m = hlo_mark(h);
        int axes = h->naxes;
        loop_slots(h, l, &before);
        if (loop_attempt(h, l, name) || h->failed) break;
        before = l->slots;
        hlo_back(h, &m);
        h->naxes = axes;
    }
    for (int i = 0; i < l->slots.n; i++) {
        const Ten *t = slot_result(h, &l->slots, i, name);
        if (i < l->n) out[i] = t;
        else slot_enter(h, &l->slots.slot[i], t);
    }
}
