/* Where a failure happened: the indices of the loops, blocks and threads around it, and around the calls that led
 * there.
 *
 * Whoever is about to fail asks for the place of its operation; that operation and its frame are kept for this. */
#include "interp/private.h"

#include <string.h>

static bool is_index(const Region *r, int arg) {
    const Value *v = r->args[arg];
    OpCode c = r->owner->code;
    if (!v->name || v->type->kind != TY_SCALAR || v->type->dtype != DT_I64) return false;
    return c == OP_FOR ? arg == 0 : c == OP_PARALLEL || c == OP_GENERATE || c == OP_REDUCE || c == OP_SCAN;
}

/* "block.x = 1, thread.x = 3, k = 0": the outermost loop first; blocks and threads have .x last, so these go backwards
 */
static void put_indices(Text *out, const Frame *fr, const Region *r) {
    if (!r->owner) return;
    put_indices(out, fr, r->owner->parent);
    LoopKind kind = op_loop(r->owner);
    bool plain = kind == LOOP_NONE || kind == LOOP_PLAIN;
    for (int k = 0; k < r->nargs; k++) {
        int i = plain ? k : r->nargs - 1 - k;
        if (is_index(r, i))
            text_printf(out, "%s%s = %lld", out->len ? ", " : "", r->args[i]->name,
                        (long long)fr->env[r->args[i]->id].i);
    }
}

void interp_say_where(Interp *in) {
    const Op *op = in->failing_op;
    for (const Frame *fr = in->failing; fr && op; op = fr->call, fr = fr->up) {
        Text t;
        text_init(&t, in->arena);
        put_indices(&t, fr, op->parent);
        if (t.len && fr == in->failing) dsl_say_note(NULL, "this is where %s", text_str(&t));
        else if (t.len && fr->up)
            dsl_say_note(NULL, "'%.*s' called it where %s", (int)strcspn(fr->code->func->name, "."),
                         fr->code->func->name, text_str(&t));
        else if (t.len) dsl_say_note(NULL, "the program came there where %s", text_str(&t));
    }
}
