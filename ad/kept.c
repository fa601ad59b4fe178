/* What derivatives keep of loops, as people read it, and more than the limit as an error. */
#include "ad/checkpoint.h"
#include "opt/pass.h"

#include <stdio.h>
#include <string.h>

void note_kept(Ad *ad, Kept kept, const Region *at) {
    for (int i = 0; i < ad->revolved.len; i++) {
        const Op *choice = ad->revolved.data[i].call;
        kept.if_fits |= choice->code == OP_IF && region_encloses(choice->regs[0], at);
    }
    vec_push(ad->arena, &ad->kept, kept);
}

/* Symbols without what tells them apart in the IR: others of the same name are numbered */
typedef struct { Ad *ad; Map sizes; VEC(const char *) bases; } Plain;

static const Size *plain_name(void *ctx, const char *sym) {
    Plain *p = ctx;
    Session *s = p->ad->module->session;
    size_t n = strcspn(sym, ".");
    if (!n || !sym[n]) return NULL;
    if (map_has(&p->sizes, sym)) return map_get(&p->sizes, sym);
    const char *base = intern_n(s, sym, n);
    int others = 0;
    for (int i = 0; i < p->bases.len; i++) others += p->bases.data[i] == base;
    vec_push(p->ad->arena, &p->bases, base);
    const Size *size = size_sym(s, others ? intern_printf(s, "%s%d", base, others + 1) : base);
    map_put(p->ad->arena, &p->sizes, sym, (void *)(uintptr_t)size);
    return size;
}

/* Those that are plain already keep their names. */
static void keep_name(void *ctx, const char *sym) {
    Plain *p = ctx;
    if (strchr(sym, '.') || map_has(&p->sizes, sym)) return;
    map_put(p->ad->arena, &p->sizes, sym, p);
    vec_push(p->ad->arena, &p->bases, sym);
}

/* As people read it */
static const Size *kept_size(Plain *plain, const Kept *k) {
    Session *s = plain->ad->module->session;
    const Size *bytes = size_mul(s, size_const(s, dtype_info(k->type->dtype)->bytes), k->rows);
    for (int i = 1; i < k->type->rank; i++) bytes = size_mul(s, bytes, k->type->dims[i]);
    return size_subst(s, bytes, plain_name, plain);
}

/* All that is kept, or all that is where it fits */
static const Size *explain_each(const Ad *ad, Plain *plain, bool if_fits) {
    Session *s = ad->module->session;
    const Size *all = NULL;
    for (int i = 0; i < ad->kept.len; i++) {
        const Kept *k = &ad->kept.data[i];
        if (k->if_fits != if_fits) continue;
        const Size *bytes = kept_size(plain, k);
        Place at = source_place(s, k->at.file, k->at.lo);
        const char *row = k->of ? "a row for each turn" : "an element for each thread and turn";
        fprintf(stderr, "%s:%d:%d: kept of '%s', %s%s: %s bytes\n", source_path(s, k->at.file), at.line, at.col,
                k->name ? k->name : "a value", row, if_fits ? ", where all fits into the limit" : "",
                size_str(s, bytes));
        all = all ? size_add(s, all, bytes) : bytes;
    }
    return all;
}

void explain_kept(Ad *ad, Span of) {
    Session *s = ad->module->session;
    Plain plain = {.ad = ad};
    for (int i = 0; i < ad->kept.len; i++)
        for (int k = 0; k < ad->kept.data[i].type->rank; k++)
            size_each_sym(ad->kept.data[i].type->dims[k], keep_name, &plain);
    const Size *chosen = explain_each(ad, &plain, true), *all = explain_each(ad, &plain, false);
    if (chosen) fprintf(stderr, "kept where all fits into the limit: %s bytes\n", size_str(s, chosen));
    if (all) fprintf(stderr, "kept in all: %s bytes", size_str(s, all));
    else fprintf(stderr, "nothing%s is kept of loops", chosen ? " else" : "");
    Place at = of.file >= 0 ? source_place(s, of.file, of.lo) : (Place){0};
    if (of.file >= 0) fprintf(stderr, ", for the derivative at %s:%d:%d", source_path(s, of.file), at.line, at.col);
    fprintf(stderr, "\n");
}

/* One for each operation and line */
static bool told_before(const Ad *ad, int i, int line) {
    for (int k = 0; k < i; k++) {
        const Op *o = ad->anew.data[k], *op = ad->anew.data[i];
        if (o->code == op->code && o->span.file == op->span.file && o->span.file >= 0 &&
            source_place(ad->module->session, o->span.file, o->span.lo).line == line)
            return true;
    }
    return false;
}

void explain_anew(const Ad *ad) {
    Session *s = ad->module->session;
    for (int i = 0; i < ad->anew.len; i++) {
        const Op *op = ad->anew.data[i];
        if (op->span.file < 0 || op->code == OP_CONST || op->code == OP_SIZE) continue;
        Place at = source_place(s, op->span.file, op->span.lo);
        if (told_before(ad, i, at.line)) continue;
        fprintf(stderr, "%s:%d:%d: computed anew, since what it needs is kept or never changes: %s\n",
                source_path(s, op->span.file), at.line, at.col, op_info(op->code)->mnemonic);
    }
}

void explain_adjoint(const Ad *ad, Span at, const Value *of, const char *how) {
    if (!ad->trying) explain_sum(ad->opts, ad->module, at, of->name, how);
}

void check_kept(Ad *ad) {
    const Kept *worst = NULL;
    double all = 0;
    for (int i = 0; i < ad->kept.len; i++) {
        double bytes = kept_bytes(&ad->kept.data[i]);
        if (bytes < 0 || ad->kept.data[i].if_fits) continue;
        all += bytes;
        if (!worst || bytes > kept_bytes(worst)) worst = &ad->kept.data[i];
    }
    if (ad->limit <= 0 || all <= ad->limit) return;
    Session *s = ad->module->session;
    Diag *d = diag_report(s, worst->at, E_TAPE, intern_printf(s, "%.0f bytes", all),
                          intern_printf(s, "%.0f, which --memory-limit allows", ad->limit));
    diag_hint(s, d, "`dslc check --memory` lists what is kept; what is behind stop_gradient is not");
    ad->failed = true;
}
