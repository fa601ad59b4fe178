/* The table of places in the source that messages name: each place once. */
#include "codegen/plan.h"

int site_number(Sites *s, Span at) {
    const char *key = intern_printf(s->session, "%d:%d:%d:%d", at.file, at.lo, at.hi, at.via);
    intptr_t known = (intptr_t)map_get(&s->index, key);
    Span call;
    const char *how;
    if (known) return (int)known - 1;
    if (span_caller(s->session, at, &call, &how)) site_number(s, call);
    vec_push(s->arena, &s->spans, at);
    known = s->spans.len;
    map_put(s->arena, &s->index, key, (void *)known);
    return (int)known - 1;
}

SiteRow site_row(Sites *s, int number) {
    Span at = s->spans.data[number], call;
    SiteRow row = {.caller = -1};
    if (at.file < 0) return row;
    Place p = source_place(s->session, at.file, at.lo);
    int width = at.hi - at.lo, room = p.text_len - (p.col - 1);
    if (width > room) width = room;
    row.path = source_path(s->session, at.file);
    row.line = p.line, row.col = p.col, row.width = width > 0 ? width : 1;
    if (!source_is_library(s->session, at)) row.text = arena_strndup(s->arena, p.text, (size_t)p.text_len);
    if (span_caller(s->session, at, &call, &row.how)) row.caller = site_number(s, call);
    else row.how = NULL;
    return row;
}
