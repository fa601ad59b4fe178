/* --function=NAME:SEED: the function in two, what does not depend on the parameter SEED, and the rest.  A derivative
 * that takes a seed is a forward and a backward function then; what goes from one to the other is what is kept, and no
 * more is computed twice than what is made of no parameter. */
#include "codegen/stablehlo/private.h"

#include <stdlib.h>

/* An operation of the function, with its regions: lines up to `end` */
typedef struct { const char *text, *end; bool late, cheap, needed; } Part;
typedef struct {
    Hlo *h;
    VEC(Part) parts;
    Map owner;   /* "%12" -> index of the part whose result it is, + 1 */
    Map types;   /* of names that go across, or are parameters */
    const char *seed;
} Split;

static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The next name from *p on, as it stands: "%12#1"; NULL: there is none before end */
static const char *next_name(Split *s, const char **p, const char *end) {
    while (*p < end && **p != '%') ++*p;
    if (*p >= end) return NULL;
    const char *begin = (*p)++;
    while (*p < end && (is_name(**p) || **p == '#')) ++*p;
    return intern_n(s->h->session, begin, (size_t)(*p - begin));
}

/* Without the number of a result */
static const char *whole_name(Split *s, const char *name) {
    const char *hash = strchr(name, '#');
    return hash ? intern_n(s->h->session, name, (size_t)(hash - name)) : name;
}

static Part *part_of(Split *s, const char *name) {
    size_t at = (size_t)(uintptr_t)map_get(&s->owner, whole_name(s, name));
    return at ? &s->parts.data[at - 1] : NULL;
}

/* Operations of the function's own region begin with a result */
static bool begins_part(const char *line) { return !strncmp(line, "    %", 5); }

/* What it is made of: anything that depends on the seed; nothing but itself */
static void look_at(Split *s, Part *p) {
    const char *at = p->text, *name;
    p->cheap = true;
    next_name(s, &at, p->end);
    while ((name = next_name(s, &at, p->end))) {
        const Part *of = part_of(s, name);
        if (of == p) continue;
        p->late = p->late || name == s->seed || (of && of->late);
        p->cheap = p->cheap && of && of->cheap;
    }
}

static void read_parts(Split *s, const char *body) {
    for (const char *line = body; *line;) {
        const char *end = strchr(line, '\n') + 1;
        while (*end && !begins_part(end)) end = strchr(end, '\n') + 1;
        Part p = {.text = line, .end = end};
        const char *at = line, *name = next_name(s, &at, end);
        vec_push(s->h->arena, &s->parts, p);
        if (name) map_put(s->h->arena, &s->owner, name, (void *)(uintptr_t)s->parts.len);
        look_at(s, &s->parts.data[s->parts.len - 1]);
        line = end;
    }
}

/* ---- types, of the text */

/* From the list of types at p the one of this number */
static const char *type_at(Split *s, const char *p, int number) {
    for (;; p++) {
        while (*p == ' ' || *p == '(' || *p == ',') p++;
        const char *begin = p;
        int depth = 0;
        for (; *p && (depth || !strchr(",)\n", *p)); p++) depth += *p == '<' ? 1 : *p == '>' ? -1 : 0;
        if (!number--) return intern_n(s->h->session, begin, (size_t)(p - begin));
    }
}

static const char *last_of(const char *text, const char *end, const char *word) {
    const char *found = NULL;
    for (const char *p = text; p + strlen(word) <= end; p++)
        if (!strncmp(p, word, strlen(word))) found = p + strlen(word);
    return found;
}

/* Of select, the type is the last of several; of a loop they stand in its first line */
static const char *type_of(Split *s, const char *name) {
    const char *known = map_get(&s->types, name), *hash = strchr(name, '#');
    if (known) return known;
    const Part *p = part_of(s, name);
    const char *line = strchr(p->text, '\n'), *arrow = last_of(p->text, p->end, " -> ");
    bool loop = last_of(p->text, line, "stablehlo.while(") != NULL;
    if (arrow && !loop) return type_at(s, arrow, hash ? atoi(hash + 1) : 0);
    const char *types = last_of(p->text, line, " : ");
    bool select = last_of(p->text, line, "stablehlo.select ") != NULL;
    return type_at(s, types, select ? 1 : hash ? atoi(hash + 1) : 0);
}

/* ---- writing */

typedef struct { VEC(const char *) names; Map seen; } Names;

static void name_add(Split *s, Names *n, const char *name) {
    if (map_has(&n->seen, name)) return;
    map_put(s->h->arena, &n->seen, name, (void *)name);
    vec_push(s->h->arena, &n->names, name);
}

/* What the late part needs of the other: it is handed on, but for what is made of nothing, which is made again */
static void need(Split *s, Names *across, const char *name) {
    Part *p = part_of(s, name);
    if (p && (p->late || p->cheap)) p->needed = true;
    else if (name != s->seed && (p || map_has(&s->types, name))) name_add(s, across, name);
}

static void need_all(Split *s, Names *across) {
    for (int i = s->parts.len - 1; i >= 0; i--) {
        const Part *p = &s->parts.data[i];
        const char *at = p->text, *name;
        next_name(s, &at, p->end);
        while (p->needed && (name = next_name(s, &at, p->end)))
            if (part_of(s, name) != p) need(s, across, name);
    }
}

static void write_head(Split *s, Text *out, const char *name, const char *tail, const Names *takes,
                       const Names *gives) {
    text_printf(out, "  func.func public @%s_%s(", name, tail);
    for (int i = 0; i < takes->names.len; i++)
        text_printf(out, "%s%s: %s", i ? ", " : "", takes->names.data[i], type_of(s, takes->names.data[i]));
    text_printf(out, ") -> (");
    for (int i = 0; i < gives->names.len; i++)
        text_printf(out, "%s%s", i ? ", " : "", type_of(s, gives->names.data[i]));
    text_printf(out, ") {\n");
}

/* Values that go across are parameters behind it, which have no number of a result */
static void write_body(Split *s, Text *out, const Names *gives, bool late) {
    Text body;
    text_init(&body, s->h->arena);
    text_str(&body);
    for (int i = 0; i < s->parts.len; i++) {
        const Part *p = &s->parts.data[i];
        if (late ? p->needed : !p->late) text_add(&body, p->text, (size_t)(p->end - p->text));
    }
    text_printf(&body, "    return");
    for (int i = 0; i < gives->names.len; i++) text_printf(&body, "%s%s", i ? ", " : " ", gives->names.data[i]);
    for (int i = 0; i < gives->names.len; i++)
        text_printf(&body, "%s%s", i ? ", " : " : ", type_of(s, gives->names.data[i]));
    text_printf(&body, "\n");
    hlo_sweep(s->h, out, text_str(&body));
    text_printf(out, "  }\n");
}

/* %3#1 as a parameter is %r3_1 */
static const char *renamed(Split *s, const char *text, const Names *across) {
    Text out;
    const char *p = text, *end = text + strlen(text);
    text_init(&out, s->h->arena);
    while (*p) {
        const char *begin = p, *name = next_name(s, &p, end);
        const char *stop = name ? p - strlen(name) : end;
        text_add(&out, begin, (size_t)(stop - begin));
        if (!name) break;
        char *own = arena_printf(s->h->arena, "%s", name);
        if (strchr(own, '#')) *strchr(own, '#') = '_';
        if (map_has(&across->seen, name) && part_of(s, name)) text_printf(&out, "%%r%s", own + 1);
        else text_printf(&out, "%s", name);
    }
    return text_str(&out);
}

void hlo_split(Hlo *h, Text *out, const char *name, const char *seed, const char *body, int n, const Ten *const *res) {
    Split s = {.h = h, .seed = intern(h->session, seed)};
    Names takes = {0}, gives = {0}, across = {0}, late = {0}, back = {0};
    for (int i = 0; i < h->arguments.len; i++) {
        const Ten *t = ten_of(h, h->arguments.data[i]);
        const char *own = intern(h->session, t->ssa);
        map_put(h->arena, &s.types, own, (void *)ten_type(h, t));
        if (own != s.seed) name_add(&s, &takes, own);
    }
    read_parts(&s, body);
    for (int i = 0; i < n; i++) {
        const char *own = intern(h->session, res[i]->ssa);
        Part *p = part_of(&s, own);
        bool is_late = own == s.seed || (p && p->late);
        map_put(h->arena, &s.types, own, (void *)ten_type(h, res[i]));
        vec_push(h->arena, is_late ? &late.names : &gives.names, own);
        if (is_late && p) p->needed = true;
    }
    need_all(&s, &across);
    int own = gives.names.len;
    for (int i = 0; i < across.names.len; i++) {
        vec_push(h->arena, &gives.names, across.names.data[i]);
        vec_push(h->arena, &back.names, across.names.data[i]);
    }
    vec_push(h->arena, &back.names, s.seed);
    write_head(&s, out, name, "forward", &takes, &gives);
    write_body(&s, out, &gives, false);
    text_printf(out, "  // The first %d are the function's results, the others are kept for @%s_backward\n", own, name);
    Text backward;
    text_init(&backward, h->arena);
    write_head(&s, &backward, name, "backward", &back, &late);
    write_body(&s, &backward, &late, true);
    text_printf(out, "%s", renamed(&s, text_str(&backward), &across));
}
