/* Pictures in the page: SVG as part of it, everything else as bits in base64. */
#include "notebook/write.h"

#include "driver/build.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

const char *figure_words(Arena *a, const Figure *f) {
    enum { LINES = 6, MOST = 400 };
    const char *p = f->data ? f->data : "";
    Text t;
    text_init(&t, a);
    for (int i = 0; i < LINES && t.len < MOST; i++) {
        size_t n = strcspn(p, "\n");
        bool words = (*p >= 'a' && *p <= 'z' && strncmp(p, "nan", 3) != 0 && strncmp(p, "inf", 3) != 0) ||
                     (*p >= 'A' && *p <= 'Z');
        if (!n || !words) break;
        if (t.len) put(&t, "; ");
        text_add(&t, p, n < MOST ? n : MOST);
        p += n + (p[n] == '\n');
    }
    if (!t.len) put(&t, *f->name ? f->name : "a picture");
    return text_str(&t);
}

static void put_image(Text *t, const char *type, const void *bytes, size_t n, const char *alt) {
    put(t, "<img alt=\"");
    put_html(t, alt, strlen(alt));
    text_printf(t, "\" src=\"data:%s;base64,", type);
    put_base64(t, bytes, n);
    put(t, "\">");
}

void put_figure(Text *t, const Figure *f, int number) {
    const char *alt = figure_words(t->arena, f), *prefix = arena_printf(t->arena, "f%d_", number);
    put(t, "<figure>");
    bool svg = !strcmp(f->type, "image/svg+xml");
    if (!svg || !put_svg(t, f->bytes, f->size, prefix, alt)) put_image(t, f->type, f->bytes, f->size, alt);
    if (*f->name) {
        put(t, "<figcaption>");
        put_html(t, f->name, strlen(f->name));
        put(t, "</figcaption>");
    }
    put(t, "</figure>\n");
}

/* ---- files */

static const char *type_of(const char *name) {
    static const struct {
        const char *end, *type;
    } types[] = {{".png", "image/png"},   {".svg", "image/svg+xml"}, {".jpg", "image/jpeg"},
                 {".jpeg", "image/jpeg"}, {".gif", "image/gif"},     {".webp", "image/webp"}};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
        if (!strcasecmp(dot, types[i].end)) return types[i].type;
    return NULL;
}

/* Its path and type; false: there is none. */
static bool find_picture(Arena *a, const char *script, const char *name, const char **path, const char **type) {
    enum { MOST = 32 << 20 };
    struct stat st;
    *type = type_of(name);
    *path = path_beside(a, script, name);
    return *type && stat(*path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= MOST;
}

bool picture_file_is_there(Arena *a, const char *script, const char *name) {
    const char *path, *type;
    return find_picture(a, script, name, &path, &type);
}

bool put_picture_file(Text *t, const char *script, const char *name, const char *alt) {
    const char *path, *type;
    size_t n;
    const char *bytes = find_picture(t->arena, script, name, &path, &type) ? file_read(t->arena, path, &n) : NULL;
    if (!bytes) return false;
    put_image(t, type, bytes, n, alt);
    return true;
}
