/* Rules of derivatives that a program has of its own: vjp fn f(x, .., s) and jvp fn f(x, .., d), in the file of f.
 *
 * A rule belongs to the function of its name whose parameters are written as the rule's first ones.  Behind these it
 * takes the direction, as vjp(f) and jvp(f) do, or the value of f and the direction; it gives what these give behind
 * the value: the gradient by all parameters with floats, or the change of the value.  An instance of f asks for the
 * instance of the rule that takes its types. */
#include "frontend/check.h"

/* ---- which function */

static bool belongs_to(const Decl *rule, const Decl *f) {
    int n = f->params.len;
    return !f->rule && f->kind == DECL_FN && rule->params.len >= n && same_param_types(rule, f, n);
}

static Decl *rule_of_decl(Check *c, const Decl *f, RuleKind kind) {
    Global *g = map_get(&decl_scope(c, f)->own, rule_name(c->s, f->name, kind));
    for (Decl *d = g ? g->decl : NULL; d; d = d->next_overload)
        if (belongs_to(d, f)) return d;
    return NULL;
}

void check_rule_decl(Check *c, Decl *rule) {
    Global *g = map_get(&decl_scope(c, rule)->own, rule->rule_of);
    Decl *head = g && g->kind == GL_FN ? g->decl : NULL;
    for (Decl *f = head; f; f = f->next_overload)
        if (belongs_to(rule, f)) return;
    Diag *d = report(c, rule->name_span, E_RULE_OF, rule_word(rule->rule), rule->rule_of);
    if (head) diag_note(c->s, d, head->span, "'%s' is defined here", head->name);
    if (head && head->kind == DECL_FN)
        diag_hint(c->s, d, "its first parameters are those of '%s', with their types written alike", rule->rule_of);
    else if (head) diag_hint(c->s, d, "kernels have no rules: the function that launches it may have one");
    else diag_hint(c->s, d, "a rule stands in the file of its function");
}

/* ---- types */

/* What a vjp gives; NULL: the function has no floats among its parameters */
static const FType *gradient_of(Check *c, const Inst *f) {
    const FType **types = NEWN(c->a, const FType *, f->params.len + 1);
    int n = 0;
    for (int i = 0; i < f->params.len; i++)
        if (has_floats(f->params.data[i]->type)) types[n++] = f->params.data[i]->type;
    return n == 0 ? NULL : n == 1 ? types[0] : ftype_tuple(c->s, n, types);
}

static const Size *known_size(void *ctx, const char *sym) { return map_get((const Map *)ctx, sym); }

/* Parameter i of the rule is not what the function makes it. */
static InstInfo *report_param(Check *c, const Decl *rule, const Decl *f, int i, const FType *want) {
    const Param *p = &rule->params.data[i];
    bool value = i == f->params.len && rule->params.len > f->params.len + 1;
    const char *what = value                    ? "the value of the function"
                       : rule->rule == RULE_VJP ? "a direction like the value of the function"
                                                : "a direction like the floats among its parameters";
    Diag *d = report(c, p->span, E_RULE_PARAMETER, p->name, rule_word(rule->rule), rule->rule_of, what,
                     ftype_str(c->s, want));
    diag_note(c->s, d, f->span, "the function is defined here");
    return NULL;
}

static InstInfo *report_rule_count(Check *c, const Decl *rule, const Decl *f) {
    Diag *d = report(c, rule->name_span, E_RULE_COUNT, rule_word(rule->rule), rule->rule_of);
    diag_note(c->s, d, f->span, "the function is defined here");
    diag_hint(c->s, d, "%s", rule->rule == RULE_VJP
                                 ? "the last one is a direction like the value; before it may stand the value itself"
                                 : "the last one is a direction like the floats among the parameters; before it may "
                                   "stand the value");
    return NULL;
}

/* The rule's instance for these types of its parameters; NULL: reported */
static InstInfo *rule_instance(Check *c, Decl *rule, const Decl *f, int n, const FType *const *types) {
    Match m;
    Map sizes = {0};
    if (!match_decl(&m, c, rule, n, types, NULL, rule->name_span))
        return m.bad < 0 ? NULL : report_param(c, rule, f, m.bad, types[m.bad]);
    InstInfo *inst = inst_of_decl(c, rule, &m.b, rule->name_span);
    if (!inst || !inst->inst.ret || inst->inst.ret->kind == FT_ERROR) return NULL;
    for (int i = 0; i < n; i++) match_sizes(c, &sizes, inst->inst.params.data[i]->type, types[i]);
    for (int i = 0; i < n; i++)
        if (ftype_subst(c->s, inst->inst.params.data[i]->type, known_size, &sizes) != types[i])
            return report_param(c, rule, f, i, types[i]);
    return inst;
}

static bool result_fits(Check *c, const InstInfo *rule, int n, const FType *const *types, const FType *want) {
    Map sizes = {0};
    for (int i = 0; i < n; i++) match_sizes(c, &sizes, rule->inst.params.data[i]->type, types[i]);
    const FType *has = ftype_subst(c->s, rule->inst.ret, known_size, &sizes);
    if (has == want) return true;
    const Decl *d = rule->inst.decl;
    Diag *diag = report(c, d->ret ? d->ret->span : d->name_span, E_RULE_RESULT, rule_word(d->rule), d->rule_of,
                        ftype_str(c->s, want), ftype_str(c->s, has));
    if (type_same_shape(has, want))
        diag_hint(c->s, diag, "its sizes must be known to be these: declare the result, -> %s", ftype_str(c->s, want));
    else if (d->rule == RULE_VJP)
        diag_hint(c->s, diag, "the gradient by all parameters with floats: one, or a tuple of several in their order");
    else diag_hint(c->s, diag, "how the value changes: of the type of the value");
    return false;
}

/* ---- instances */

static bool takes_functions(const InstInfo *f) {
    bool any = f->solved.len > 0;
    for (int i = 0; i < f->inst.types.len; i++) any |= f->inst.types.data[i].type->kind == FT_FUNC;
    return any;
}

static void ask_for_rule(Check *c, InstInfo *f, RuleKind kind) {
    const Decl *d = f->inst.decl;
    Decl *rule = rule_of_decl(c, d, kind);
    int n = d->params.len;
    if (!rule || !f->inst.ret || f->inst.ret->kind == FT_ERROR) return;
    const FType *gradient = gradient_of(c, &f->inst), *value = f->inst.ret;
    if (!gradient || !has_floats(value) || takes_functions(f)) {
        Diag *diag = report(c, rule->name_span, E_RULE_NONE, rule->rule_of,
                            !gradient            ? "it has no floats among its parameters"
                            : !has_floats(value) ? "it gives no floats"
                                                 : "it takes functions, or computes sizes from sizes of its arguments");
        diag_note(c->s, diag, d->span, "the function is defined here");
        return;
    }
    if (rule->params.len != n + 1 && rule->params.len != n + 2) return (void)report_rule_count(c, rule, d);
    const FType **types = NEWN(c->a, const FType *, n + 2);
    for (int i = 0; i < n; i++) types[i] = f->inst.params.data[i]->type;
    if (rule->params.len == n + 2) types[n++] = value;
    types[n++] = kind == RULE_VJP ? value : gradient;
    const InstInfo *inst = rule_instance(c, rule, d, n, types);
    if (!inst || !result_fits(c, inst, n, types, kind == RULE_VJP ? gradient : value)) return;
    f->inst.rule[kind] = &inst->inst;
    f->inst.gradient = gradient;
}

void check_rules(Check *c) {
    for (int i = 0; i < c->all.len; i++) { /* rules ask for more instances */
        InstInfo *f = c->all.data[i];
        const Decl *d = f->inst.decl;
        if (!d || d->kind != DECL_FN || d->rule) continue;
        ask_for_rule(c, f, RULE_VJP);
        ask_for_rule(c, f, RULE_JVP);
        inst_run_queue(c);
    }
}
