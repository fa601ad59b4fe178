/* Warnings about what a whole, correct program leaves unused: parameters, results of calls, imports, main.
 *
 * Only what is surely needless is reported.  A parameter is needed when something asks for the signature (the function
 * is passed to another one, C calls it, it is one of several of its name), when the body reads a size or a type that
 * only this parameter tells, or when it is a number given to a kernel, as kernels of one family often share their
 * parameters.  In a session what is not used yet may be used later. */
#include "frontend/check.h"

/* ---- parameters */

/* Whether the type has the name, as a size by itself or as a type variable. */
static bool mentions(const TypeExpr *tx, const char *name) {
    if (!tx) return false;
    for (int i = 0; i < tx->dims.len; i++)
        if (tx->dims.data[i] && tx->dims.data[i]->kind == EX_NAME && tx->dims.data[i]->name == name) return true;
    for (int i = 0; i < tx->items.len; i++)
        if (mentions(tx->items.data[i], name)) return true;
    return tx->name == name || mentions(tx->elem, name);
}

/* Whether only parameter k tells the name: of several that are all unused, the first does. */
static bool tells(const Decl *d, int k, const char *name) {
    if (!mentions(d->params.data[k].type, name)) return false;
    for (int i = 0; i < d->params.len; i++) {
        const Param *p = &d->params.data[i];
        if (i != k && (i < k || (p->var && p->var->used)) && mentions(p->type, name)) return false;
    }
    return true;
}

static bool tells_something(Check *c, const InstInfo *inst, int k) {
    Decl *d = inst->inst.decl;
    const DeclInfo *info = decl_info(c, d);
    for (int i = 0; i < inst->inst.sizes.len; i++)
        if (inst->inst.sizes.data[i]->used && tells(d, k, inst->inst.sizes.data[i]->name)) return true;
    for (int i = 0; i < info->tvars.len; i++)
        if (tells(d, k, info->tvars.data[i])) return true;
    return d->params.data[k].type->any_rank || inst->solved.len;
}

static bool is_needed(Check *c, const InstInfo *inst, int k) {
    const Decl *d = inst->inst.decl;
    const Param *p = &d->params.data[k];
    const Var *v = p->var;
    if (!v || v->used || p->name[0] == '_' || !p->type || v->type->kind == FT_ERROR) return true;
    if (d->kind == DECL_KERNEL && p->mode == MODE_IN && v->type->kind == FT_SCALAR) return true;
    return tells_something(c, inst, k);
}

static bool has_free_signature(Check *c, const InstInfo *inst) {
    Decl *d = inst->inst.decl;
    if (!d || d->is_extern || d->is_export || d->rule || inst->state != INST_READY || decl_is_std(c, d) ||
        decl_info(c, d)->as_value)
        return false;
    const Global *g = map_get(&decl_scope(c, d)->own, d->name);
    return (d->kind == DECL_FN || d->kind == DECL_KERNEL) && g && g->kind == GL_FN && !g->decl->next_overload;
}

static void warn_params(Check *c, const InstInfo *inst) {
    if (!has_free_signature(c, inst)) return;
    const Decl *d = inst->inst.decl;
    for (int i = 0; i < d->params.len; i++) {
        const Param *p = &d->params.data[i];
        if (is_needed(c, inst, i)) continue;
        const char *mode = p->mode == MODE_IN ? "used" : p->mode == MODE_OUT ? "written" : "read or written";
        Diag *diag = diag_report(c->s, p->span, W_UNUSED_PARAM, p->name, d->name, mode);
        diag_hint(c->s, diag, "remove it, or name it '_%s'", p->name);
    }
}

/* ---- results */

static void warn_dropped(Check *c, const DevCall *call) {
    const Decl *d = call->callee->inst.decl;
    const FType *ret = call->callee->inst.ret;
    if (!d || !call->callee->inst.pure || !ret || ret->kind == FT_UNIT || ret->kind == FT_ERROR) return;
    Diag *diag = diag_report(c->s, call->span, W_UNUSED_RESULT, d->name);
    diag_hint(c->s, diag, "name it, return it or print it; functions cannot change what they are given");
}

/* ---- imports */

/* A file without statements of its own may import for those who import it. */
static void warn_imports(Check *c, const Unit *u) {
    const FileScope *f = c->home;
    int next = 0;
    for (int i = 0; i < u->stmts.len; i++) {
        const Stmt *st = u->stmts.data[i];
        if (st->kind != ST_DECL || st->decl->kind != DECL_IMPORT) continue;
        if (next == f->imports.len) return;
        if (f->imports.data[next++].used) continue;
        diag_hint(c->s, diag_report(c->s, st->span, W_UNUSED_IMPORT, st->decl->name), "remove the line");
    }
}

/* ---- main */

/* In other languages it would run. */
static void warn_main(Check *c) {
    const Global *g = map_get(&c->home->own, intern(c->s, "main"));
    if (!g || g->kind != GL_FN || g->decl->kind != DECL_FN || g->decl->params.len || g->decl->is_export) return;
    const InstInfo *inst = decl_info(c, g->decl)->only;
    if (!inst || inst->called) return;
    diag_hint(c->s, diag_report(c->s, g->decl->name_span, W_MAIN_UNCALLED), "write main() at the end of the file");
}

void warn_unused_parts(Check *c, const Unit *main_unit) {
    bool session = c->opts && c->opts->given;
    warn_main(c);
    if (diag_error_count(c->s)) return;
    for (int i = 0; i < c->dropped.len; i++) warn_dropped(c, &c->dropped.data[i]);
    if (session) return;
    for (int i = 0; i < c->all.len; i++) warn_params(c, c->all.data[i]);
    if (c->prog->main.len) warn_imports(c, main_unit);
}
