/* Islands that walk over the same index space one after the other become one: part of bufferize, before owners are
 * set, while everything at function level is still a value.
 *
 * A and B are merged when each is a single parallel loop, their first axes have the same extents, and what one of
 * them writes the other touches only in the same iteration of those axes: because every access begins with their
 * indices, or because the dependence analysis says so of the axes that match.  Comprehensions, launches that
 * join-launch and narrow-guards have made plain loops, and parallel loops are all alike here.  So the rows of top = max
 * of each row;  e = exp(x - top);  total = sum of each row;  e / total pass through the cache once.  As many axes are
 * merged as match; the others stay loops of A and of B inside. Elements that B reads where A just wrote them are A's
 * values, and a tensor that nobody reads any more is not made. */
#include "analysis/depend.h"
#include "lower/lower.h"
#include "analysis/linear.h"

enum { LOOK_BACK = 8, MAX_OPERANDS = 40, MAX_OPS = 600, FEW_ROWS = 16 };

typedef struct {
    Linear *linear;
    Depend *depend;
    bool device, ranks;
} Tools;

typedef struct {
    Tools *tools;
    Op *a, *b;         /* islands, a first */
    Op *pa, *pb;       /* their loops */
    int depth;         /* axes merged */
} Pair;

/* ---- looking at an island */

static int64_t mode_of(const Op *island, int i) { return op_attr(island, A_MODES)->ints[i]; }

/* The parallel loop that is all the island does, or NULL */
static Op *sole_loop(const Op *island) {
    Op *found = NULL;
    const Region *r = island->regs[0];
    if (island->nopnds > MAX_OPERANDS) return NULL;
    for (Op *o = r->first; o != region_term(r); o = o->next) {
        if (o->code == OP_PARALLEL && !found) found = o;
        else if (o->nregs || !op_is_pure(o)) return NULL;
    }
    return found && op_loop(found) == LOOP_PLAIN ? found : NULL;
}

/* Which result an operand of the island is updated to; -1: none */
static int result_of(const Op *island, int opnd) {
    int k = 0;
    if (mode_of(island, opnd) == 0) return -1;
    for (int i = 0; i < opnd; i++) k += mode_of(island, i) != 0;
    return k;
}

static int opnd_of_result(const Op *island, int res) {
    for (int i = 0; i < island->nopnds; i++)
        if (result_of(island, i) == res) return i;
    bug("result without an operand");
}

/* ---- may they be merged */

/* How many leading axes all accesses to the buffer index by the loop's own indices; MAX_RANK: never touched */
static int aligned(const Region *r, const Value *buf, const Region *loop) {
    int depth = MAX_RANK;
    for (const Op *o = r->first; o; o = o->next) {
        int first = op_index_first(o), d = 0;
        if (op_is_access(o) && op_buffer(o) == buf) {
            while (d < loop->nargs && first + d < op_index_end(o) && op_opnd(o, first + d) == loop->args[d]) d++;
            if (d < depth) depth = d;
            if (o->code == OP_ATOMIC) return 0;
        }
        for (int i = 0; i < o->nregs; i++) {
            d = aligned(o->regs[i], buf, loop);
            if (d < depth) depth = d;
        }
    }
    return depth;
}

static int aligned_in(const Op *island, const Op *loop, int opnd) {
    return aligned(loop->regs[0], island->regs[0]->args[opnd], loop->regs[0]);
}

static int least(int x, int y) { return x < y ? x : y; }

static bool same_extent(const Pair *p, int axis) {
    const Value *x = op_opnd(p->pa, axis), *y = op_opnd(p->pb, axis);
    int64_t c, d;
    if (value_const_int(x, &c)) return value_const_int(y, &d) && c == d;
    if (x == y) return true;
    const Poly *difference = linear_sub(p->tools->linear, linear_value(p->tools->linear, (Value *)x),
                                        linear_value(p->tools->linear, (Value *)y));
    return difference && poly_is_const(difference, &c) && c == 0;
}

/* Axes on which the two operands (one tensor, or a's result and b's operand of it) let the loops be one; 0: never */
static int shared_depth(const Pair *p, int ia, int ib, bool result) {
    int64_t ma = mode_of(p->a, ia), mb = mode_of(p->b, ib);
    if (!ma && !mb) return MAX_RANK;
    if (!result && ma) return 0; /* b wants what it was before */
    return least(aligned_in(p->a, p->pa, ia), aligned_in(p->b, p->pb, ib));
}

/* Uses of a's result between a and b, or of one that b overwrites, forbid; so does a tensor that b takes twice. */
static bool results_allow(const Pair *p) {
    for (int k = 0; k < p->a->nres; k++) {
        int in_b = 0, overwritten = 0, others = 0;
        for (const Use *u = p->a->res[k].uses; u; u = u->next) {
            const Op *at = op_ancestor(u->user, p->b->parent);
            if (!at || (at != p->b && !op_dominates(p->b, at))) return false;
            if (u->user == p->b) in_b++, overwritten += mode_of(p->b, u->index) != 0;
            else others++;
        }
        if (overwritten && (others || in_b > 1)) return false;
    }
    return true;
}

static bool has_twice(const Op *island) {
    for (int i = 0; i < island->nopnds; i++)
        for (int k = 0; k < i; k++)
            if (op_opnd(island, i) == op_opnd(island, k)) return true;
    return false;
}

static int matching_axes(const Pair *p) {
    int depth = 0;
    while (depth < p->pa->nopnds && depth < p->pb->nopnds && same_extent(p, depth)) depth++;
    return depth;
}

/* How many axes can be merged; shared says whether the two have anything in common. */
static int aligned_depth(Pair *p, bool *shared) {
    int depth = matching_axes(p);
    *shared = false;
    for (int ib = 0; ib < p->b->nopnds; ib++) {
        const Value *v = op_opnd(p->b, ib);
        if (v->def == p->a) {
            depth = least(depth, shared_depth(p, opnd_of_result(p->a, v->index), ib, true));
            *shared = true;
        }
        for (int ia = 0; ia < p->a->nopnds; ia++)
            if (op_opnd(p->a, ia) == v) {
                depth = least(depth, shared_depth(p, ia, ib, false));
                *shared = true;
            }
    }
    return depth;
}

/* The buffers of a and of b that are one tensor's; false when b wants it as it was before a wrote it. */
static bool same_buffers(const Pair *p, Value **same, int *n) {
    *n = 0;
    for (int ib = 0; ib < p->b->nopnds; ib++) {
        const Value *v = op_opnd(p->b, ib);
        for (int ia = 0; ia < p->a->nopnds; ia++) {
            bool result = v->def == p->a && opnd_of_result(p->a, v->index) == ia;
            if (!result && op_opnd(p->a, ia) != v) continue;
            if (!result && mode_of(p->a, ia)) return false;
            same[2 * *n] = p->a->regs[0]->args[ia], same[2 * *n + 1] = p->b->regs[0]->args[ib];
            ++*n;
        }
    }
    return true;
}

/* The axes that match, where accesses of other forms keep to their iteration as well */
static int common_depth(Pair *p, bool *shared) {
    Value *same[4 * MAX_OPERANDS];
    int n, depth = aligned_depth(p, shared), most = matching_axes(p);
    if (depth == most || !*shared || !same_buffers(p, same, &n)) return depth;
    return depend_across(p->tools->depend, p->pa, p->pb, most, n, same) == ANSWER_NO ? most : depth;
}

static bool few_rows(const Op *loop) {
    int64_t c;
    return value_const_int(op_opnd(loop, 0), &c) && c < FEW_ROWS;
}

/* A loop with a serial loop inside gains more from tiles of its own axes than from a neighbour. */
static bool cuts_work(const Op *loop, int depth) {
    if (depth == loop->nopnds) return false;
    for (const Op *o = loop->regs[0]->first; o; o = o->next)
        if (o->code == OP_FOR) return true;
    return false;
}

/* A read in a serial loop of what lies beside each other for iterations of iv beside each other */
static bool reads_beside(const Region *r, const Value *iv, bool in_serial) {
    for (const Op *o = r->first; o; o = o->next) {
        if (o->code == OP_LOAD && in_serial && value_shifted_arg(iv->region, op_opnd(o, o->nopnds - 1)) == iv)
            return true;
        for (int i = 0; i < o->nregs; i++)
            if (reads_beside(o->regs[i], iv, in_serial || o->code == OP_FOR)) return true;
    }
    return false;
}

/* A loop whose iterations would run side by side as vectors, the sums of columns, and each as part of a row where it is
 * merged with a loop that has more axes */
static bool loses_lanes(const Op *loop, const Op *other) {
    return other->nopnds > loop->nopnds && reads_beside(loop->regs[0], loop->regs[0]->args[loop->nopnds - 1], false);
}

/* Between them nothing is seen outside if a may stop the program. */
static bool may_move_down(const Op *a, const Op *b) {
    if (!op_may_trap(a)) return true;
    for (const Op *o = a->next; o != b; o = o->next)
        if (op_has_effect(o) || op_may_trap(o)) return false;
    return true;
}

/* A loop that a thread does alone, and would do again in each thread of a team */
static bool is_alone(const Op *loop, int depth) {
    return !op_flag(loop, A_TEAM) && depth == loop->nopnds && op_holds(loop, OP_FOR);
}

/* On a device a thread has an element; what is left of a loop inside another one is done in order, but by a team. */
static bool suits_device(const Pair *p) {
    if (op_flag(p->pa, A_TEAM) || op_flag(p->pb, A_TEAM))
        return !is_alone(p->pa, p->depth) && !is_alone(p->pb, p->depth);
    return p->depth == p->pa->nopnds && p->depth == p->pb->nopnds;
}

typedef struct { const Op *loop; bool still; } Rows;

static void find_still(void *ctx, Op *op) {
    Rows *r = ctx;
    bool moves = op->code != OP_STORE || op_opnd(op, 1)->type->rank < 2;
    for (int i = 0; !moves && i < r->loop->nopnds; i++)
        moves = value_depends(op_opnd(op, 2), r->loop->regs[0]->args[i]);
    r->still |= !moves;
}

/* It writes a row that no index moves: the process that has the row does it, which may be another one for its
 * neighbour. */
static bool stands_still(const Op *loop) {
    Rows r = {.loop = loop};
    region_walk(loop->regs[0], find_still, &r);
    return r.still;
}

/* Result k of a goes with the merge: b alone reads it, in elements that a's loop has just written. */
static bool goes_away(const Pair *p, int k) {
    const Value *made = op_opnd(p->a, opnd_of_result(p->a, k)), *v = &p->a->res[k];
    if (!made->def || made->def->code != OP_EMPTY || !value_single_use(made)) return false;
    for (const Use *u = v->uses; u; u = u->next)
        if (u->user != p->b || mode_of(p->b, u->index)) return false;
    return true;
}

/* Operands of what the two become */
static int operands_of_both(const Pair *p) {
    int n = p->a->nopnds;
    for (int k = 0; k < p->a->nres; k++) n -= goes_away(p, k);
    for (int ib = 0; ib < p->b->nopnds; ib++) {
        bool shared = op_opnd(p->b, ib)->def == p->a;
        for (int ia = 0; ia < p->a->nopnds; ia++) shared |= op_opnd(p->a, ia) == op_opnd(p->b, ib);
        n += !shared;
    }
    return n;
}

static bool may_merge(Pair *p) {
    bool shared;
    if (op_may_trap(p->a) && op_may_trap(p->b)) return false;
    /* A loop with atomic updates runs without vectors, and in order if they sum floats: its neighbour need not. */
    if (op_holds(p->a, OP_ATOMIC) || op_holds(p->b, OP_ATOMIC)) return false;
    if (!may_move_down(p->a, p->b) || !results_allow(p) || has_twice(p->a) || has_twice(p->b)) return false;
    if (operands_of_both(p) > MAX_OPERANDS) return false;
    if (region_count_ops(p->a->regs[0]) + region_count_ops(p->b->regs[0]) > MAX_OPS) return false;
    p->depth = common_depth(p, &shared);
    if (cuts_work(p->pa, p->depth) || cuts_work(p->pb, p->depth)) return false;
    if (loses_lanes(p->pa, p->pb) || loses_lanes(p->pb, p->pa)) return false;
    if (p->tools->device && !suits_device(p)) return false;
    if (p->tools->ranks && (stands_still(p->pa) || stands_still(p->pb))) return false;
    return shared && p->depth > 0 && !(few_rows(p->pa) && p->depth < p->pa->nopnds);
}

/* ---- merging */

/* Operands and buffers of the merged island; a's first, then those of b that are not a's */
typedef struct {
    Value *tensor[2 * MAX_OPERANDS];
    int64_t mode[2 * MAX_OPERANDS];
    int of_a[MAX_OPERANDS], of_b[MAX_OPERANDS]; /* place of each operand of a and of b */
    int n;
} Operands;

static int find_tensor(const Operands *o, const Value *v) {
    for (int i = 0; i < o->n; i++)
        if (o->tensor[i] == v) return i;
    return -1;
}

static Operands merge_operands(const Pair *p) {
    Operands o = {.n = 0};
    for (int i = 0; i < p->a->nopnds; i++) {
        o.tensor[o.n] = op_opnd(p->a, i), o.mode[o.n] = mode_of(p->a, i);
        o.of_a[i] = o.n++;
    }
    for (int i = 0; i < p->b->nopnds; i++) {
        Value *v = op_opnd(p->b, i);
        int at = v->def == p->a ? o.of_a[opnd_of_result(p->a, v->index)] : find_tensor(&o, v);
        if (at < 0) {
            at = o.n++;
            o.tensor[at] = v, o.mode[at] = mode_of(p->b, i);
        } else if (mode_of(p->b, i) && !o.mode[at]) o.mode[at] = mode_of(p->b, i);
        o.of_b[i] = at;
    }
    return o;
}

/* Outputs first, as everywhere: order[i] is the place in o of the new island's operand i */
static Op *build_merged(Builder *b, const Operands *o, int *place) {
    Value *outs[2 * MAX_OPERANDS];
    int64_t modes[2 * MAX_OPERANDS];
    int n = 0;
    for (int i = 0; i < o->n; i++)
        if (o->mode[i]) place[i] = n, outs[n] = o->tensor[i], modes[n++] = o->mode[i];
    Op *island = build_island(b, n, outs, modes);
    for (int i = 0; i < o->n; i++) {
        if (o->mode[i]) continue;
        place[i] = n++;
        island_reads(island, o->tensor[i]);
    }
    return island;
}

/* The body of loop, depth axes of which are the ivs, goes before b's point; what stood around it before `loop_at`. */
static void move_part(Builder *b, Op *island, Op *loop, int depth, Value *const *ivs, Op *loop_at) {
    Region *r = loop->regs[0];
    for (Op *o = island->regs[0]->first, *next; o != region_term(island->regs[0]); o = next) {
        next = o->next;
        if (o != loop) op_move_before(o, loop_at);
    }
    for (int i = 0; i < depth; i++) {
        if (!ivs[i]->name) ivs[i]->name = r->args[i]->name;
        value_replace_all(r->args[i], ivs[i]);
    }
    Builder in = *b;
    if (depth < r->nargs) {
        Value *extents[MAX_RANK];
        for (int i = depth; i < r->nargs; i++) extents[i - depth] = op_opnd(loop, i);
        Op *rest = build_plain_parallel(b, r->nargs - depth, extents, &in);
        for (int i = depth; i < r->nargs; i++) {
            rest->regs[0]->args[i - depth]->name = r->args[i]->name;
            value_replace_all(r->args[i], rest->regs[0]->args[i - depth]);
        }
    }
    if (region_term(r)->prev) op_move_range(r->first, region_term(r)->prev, in.region, in.before);
}

static void replace_results(Op *island, const int *of, Op *by, const int *place) {
    for (int i = 0; i < island->nopnds; i++) {
        int k = result_of(island, i);
        if (k >= 0) value_replace_all(&island->res[k], &by->res[result_of(by, place[of[i]])]);
    }
}

/* A later store of the region puts another value there before anybody looks. */
static bool is_overwritten(const Op *store) {
    if (!op_flag(store, A_SAFE)) return false;
    for (const Op *o = store->next; o; o = o->next) {
        if (o->code == OP_STORE && op_same_element(store, o)) return true;
        if (op_mentions(o, op_opnd(store, 1))) return false;
    }
    return false;
}

static void drop_overwritten(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        for (int i = 0; i < o->nregs; i++) drop_overwritten(o->regs[i]);
        if (o->code == OP_STORE && is_overwritten(o)) op_erase(o);
    }
}

/* Loads after a store of the same element, nothing of the kind being written between: its value */
static void forward_store(Op *store) {
    Value *buf = op_opnd(store, 1);
    for (const Use *u = buf->uses; u; u = u->next)
        if (u->user != store && u->user->code != OP_LOAD) return;
    for (Use *u = buf->uses, *next; u; u = next) {
        next = u->next;
        Op *load = u->user;
        bool same = load->code == OP_LOAD && op_dominates(store, load);
        for (int i = 1; same && i < load->nopnds; i++) same = value_same_int(op_opnd(load, i), op_opnd(store, i + 1));
        if (!same) continue;
        value_replace_all(&load->res[0], op_opnd(store, 0));
        op_erase(load);
    }
}

static void forward_stores(Region *r) {
    for (Op *o = r->first; o; o = o->next) {
        if (o->code == OP_STORE) forward_store(o);
        for (int i = 0; i < o->nregs; i++) forward_stores(o->regs[i]);
    }
}

/* ---- tensors that nobody reads */

static bool only_stores(const Value *buf) {
    for (const Use *u = buf->uses; u; u = u->next)
        if (u->user->code != OP_STORE || u->index != 1) return false;
    return true;
}

static bool is_needless(const Op *island, int i) {
    const Value *v = op_opnd(island, i);
    return mode_of(island, i) == 1 && v->def && v->def->code == OP_EMPTY && value_single_use(v) &&
           value_unused(&island->res[result_of(island, i)]) && only_stores(island->regs[0]->args[i]);
}

static void drop_arg(Region *r, int i) {
    while (r->args[i]->uses) op_erase(r->args[i]->uses->user);
    for (int k = i + 1; k < r->nargs; k++) {
        r->args[k - 1] = r->args[k];
        r->args[k - 1]->index = k - 1;
    }
    r->nargs--;
}

/* The island without its needless outputs */
static Op *drop_needless(Op *island) {
    Arena *a = island->parent->func->module->arena;
    int n = island->nopnds, kept = 0, results = 0;
    Value **opnds = NEWN(a, Value *, n);
    const Type **types = NEWN(a, const Type *, n);
    int64_t *modes = NEWN(a, int64_t, n);
    int *from = NEWN(a, int, n);
    bool *needless = NEWN(a, bool, n);
    for (int i = 0; i < n; i++) needless[i] = is_needless(island, i);
    for (int i = 0; i < n; i++) {
        if (needless[i]) continue;
        if (mode_of(island, i)) from[results] = result_of(island, i), types[results++] = op_opnd(island, i)->type;
        opnds[kept] = op_opnd(island, i), modes[kept++] = mode_of(island, i);
    }
    if (kept == n) return island;
    for (int i = n - 1; i >= 0; i--)
        if (needless[i]) drop_arg(island->regs[0], i);
    Op *new = op_rebuild(island, kept, opnds, results, types);
    op_set_ints(new, A_MODES, kept, modes);
    for (int k = 0; k < results; k++) value_replace_all(&island->res[from[k]], &new->res[k]);
    Value **gone = NEWN(a, Value *, n);
    int ngone = 0;
    for (int i = 0; i < n; i++)
        if (needless[i]) gone[ngone++] = op_opnd(island, i);
    op_erase(island);
    for (int i = 0; i < ngone; i++) op_erase(gone[i]->def);
    return new;
}

/* ---- */

static Op *merge(Pair *p) {
    Operands o = merge_operands(p);
    int place[2 * MAX_OPERANDS];
    Builder b = builder_before(p->b), in;
    b.span = p->a->span;
    Op *island = build_merged(&b, &o, place);
    Region *r = island->regs[0];
    for (int i = 0; i < p->a->nopnds; i++) value_replace_all(p->a->regs[0]->args[i], r->args[place[o.of_a[i]]]);
    for (int i = 0; i < p->b->nopnds; i++) value_replace_all(p->b->regs[0]->args[i], r->args[place[o.of_b[i]]]);
    Builder end = builder_at_end(b.module, r, b.span);
    Value *extents[MAX_RANK];
    for (int i = 0; i < p->depth; i++) extents[i] = op_opnd(p->pa, i);
    Op *loop = build_plain_parallel(&end, p->depth, extents, &in);
    if (op_flag(p->pa, A_TEAM) || op_flag(p->pb, A_TEAM)) op_set_flag(loop, A_TEAM);
    move_part(&in, p->a, p->pa, p->depth, loop->regs[0]->args, loop);
    move_part(&in, p->b, p->pb, p->depth, loop->regs[0]->args, loop);
    build_yield(&end, 0, NULL);
    replace_results(p->b, o.of_b, island, place);
    replace_results(p->a, o.of_a, island, place);
    op_erase(p->b);
    op_erase(p->a);
    drop_overwritten(r);
    forward_stores(r);
    return drop_needless(island);
}

/* The island that b became part of, or NULL */
static Op *merge_back(Tools *t, Op *b) {
    Pair p = {.tools = t, .b = b, .pb = sole_loop(b)};
    int seen = 0;
    if (!p.pb) return NULL;
    for (Op *o = b->prev; o && seen < LOOK_BACK; o = o->prev) {
        if ((o->nregs && o->code != OP_ISLAND) || o->code == OP_EXTERN) return NULL;
        if (o->code != OP_ISLAND) continue;
        seen++;
        p.a = o, p.pa = sole_loop(o);
        if (p.pa && may_merge(&p)) return merge(&p);
    }
    return NULL;
}

static void merge_all(Tools *t, Region *r) {
    for (Op *o = r->first; o; o = o->next) {
        if (o->code != OP_ISLAND) {
            for (int i = 0; i < o->nregs; i++) merge_all(t, o->regs[i]);
            continue;
        }
        for (Op *merged = o; merged;)
            if ((merged = merge_back(t, o))) o = merged;
    }
}

void islands_merge(Func *f, const PassOptions *opts) {
    Tools t = {linear_new(f), depend_new(f), opts->device, opts->ranks};
    merge_all(&t, f->body);
    depend_free(t.depend);
    linear_free(t.linear);
}
