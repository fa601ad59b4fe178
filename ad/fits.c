/* Loops whose turns or sizes are known when the program runs: whether all that they keep fits into the limit is found
 * then, and where it does not, as many states are kept as do (revolve.c); where not one does, the program stops. */
#include "ad/checkpoint.h"

/* The bytes of an array with a row for each of so many turns; NULL: the size of a row is not known before `at`. */
static Value *bytes_of(Builder *b, const Op *at, const Kept *k, Value *turns) {
    Value *bytes = build_binary(b, OP_MUL, turns, build_float(b, DT_F64, dtype_info(k->type->dtype)->bytes));
    for (int i = 1; i < k->type->rank; i++) {
        if (!size_is_known_at(at, k->type->dims[i])) return NULL;
        bytes = build_binary(b, OP_MUL, bytes, build_cast(b, build_size(b, k->type->dims[i]), DT_F64));
    }
    return bytes;
}

/* Whether all that is kept of the turns fits into the limit; NULL: nobody knows. */
static Value *fits_whole(Ad *ad, Builder *b, const Op *at, const KeptList *kept, Value *turns) {
    Value *n = build_cast(b, turns, DT_F64), *all = build_float(b, DT_F64, 0);
    for (int i = 0; i < kept->len; i++) {
        Value *bytes = bytes_of(b, at, &kept->data[i], n);
        if (!bytes) return NULL;
        all = build_binary(b, OP_ADD, all, bytes);
    }
    return build_binary(b, OP_LE, all, build_float(b, DT_F64, ad->limit));
}

/* The last loop that became a call, `whole` a copy of it: the loop where that fits, else the call */
static void choose_whole(Ad *ad, Op *whole, Value *fits) {
    Revolved *r = &ad->revolved.data[ad->revolved.len - 1];
    int n = whole->nres;
    const Type **types = NEWN(ad->arena, const Type *, n + 1);
    Value **out = NEWN(ad->arena, Value *, n + 1);
    Builder b = builder_before(r->call);
    for (int i = 0; i < n; i++) types[i] = whole->res[i].type;
    Op *made = build_if(&b, fits, n, types), *sides[] = {whole, r->call};
    for (int i = 0; i < n; i++) replace_in_order(ad, &r->call->res[i], &made->res[i]);
    for (int k = 0; k < 2; k++) {
        op_move_range(sides[k], sides[k], made->regs[k], NULL);
        Builder end = builder_at_end(ad->module, made->regs[k], made->span);
        for (int i = 0; i < n; i++) out[i] = &sides[k]->res[i];
        build_yield(&end, n, out);
    }
    r->call = made;
}

static Op *copy_of(Op *loop) {
    Cloner c = {.module = loop->parent->func->module};
    Builder b = builder_before(loop);
    Op *copy = clone_op(&c, &b, loop);
    op_rename_sizes(copy);
    return copy;
}

/* Stops the program where neither a state fits nor, `fits`, the whole */
static void check_states(Ad *ad, Op *before, Value *slots, Value *state, Value *fits) {
    Builder b = builder_before(before);
    Value *limit = build_int(&b, (int64_t)ad->limit), *ok = build_binary(&b, OP_GE, slots, build_int(&b, 1));
    if (fits) ok = build_binary(&b, OP_OR, ok, fits);
    Value *least = build_binary(&b, OP_MUL, state, build_int(&b, 3)), *opnds[] = {ok, state, limit, least};
    Op *check = build_op(&b, OP_CHECK, 4, opnds, 0, NULL, 0);
    op_set_sym(check, A_CODE, "E0287");
    const char *msg = "a state of {} bytes, and a turn's, do not fit into the memory limit of {} bytes; {} would do";
    op_set_sym(check, A_MSG, intern(ad->module->session, msg));
}

bool revolve_unless_fits(Ad *ad, Op *loop, const Size *carried, const KeptList *kept) {
    Builder b = builder_before(loop);
    Value *state = build_binary(&b, OP_MAX, build_size(&b, carried), build_int(&b, 1));
    Value *limit = build_int(&b, (int64_t)ad->limit);
    Value *slots = idiv_safe(&b, build_binary(&b, OP_SUB, limit, state), build_binary(&b, OP_ADD, state, state));
    Op *whole = copy_of(loop);
    if (!revolve(ad, loop, slots)) return op_erase(whole), false;
    Op *call = ad->revolved.data[ad->revolved.len - 1].call;
    Builder at = builder_before(call);
    Value *fits = fits_whole(ad, &at, call, kept, op_opnd(call, REVOLVE_TURNS));
    check_states(ad, call, slots, state, fits);
    if (fits) choose_whole(ad, whole, fits);
    else op_erase(whole);
    return true;
}
