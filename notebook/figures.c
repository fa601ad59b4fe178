/* K.txt names a picture and says what it shows, K.svg or K.png is the picture, K.at says how much was printed before
 * it. */
#include "notebook/run.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct { const char *end, *type; } types[] = {{"svg", "image/svg+xml"}, {"png", "image/png"}};

static size_t place_of(Arena *a, const char *dir, int k) {
    size_t n;
    const char *text = file_read(a, arena_printf(a, "%s/%d.at", dir, k), &n);
    return text ? strtoull(text, NULL, 10) : SIZE_MAX;
}

static bool take_figure(Arena *a, const char *dir, int k, Figure *f) {
    size_t n;
    char *text = file_read(a, arena_printf(a, "%s/%d.txt", dir, k), &n);
    if (!text) return false;
    size_t name = strcspn(text, "\n");
    *f = (Figure){.name = arena_strndup(a, text, name), .data = text + name + (text[name] == '\n'), .bytes = ""};
    for (size_t i = 0; i < sizeof types / sizeof *types && !f->type; i++) {
        const void *bytes = file_read(a, arena_printf(a, "%s/%d.%s", dir, k, types[i].end), &f->size);
        if (bytes) f->bytes = bytes, f->type = types[i].type;
    }
    return true;
}

static void remove_files(Arena *a, const char *dir) {
    DIR *d = opendir(dir);
    if (!d) return;
    for (struct dirent *f; (f = readdir(d));)
        if (strcmp(f->d_name, ".") && strcmp(f->d_name, "..")) unlink(arena_printf(a, "%s/%s", dir, f->d_name));
    closedir(d);
}

void figures_take(Arena *a, const char *dir, Drawings *into) {
    Drawing x = {0};
    for (int k = 1; take_figure(a, dir, k, &x.figure); k++) {
        x.at = place_of(a, dir, k);
        if (x.figure.type) vec_push(a, into, x);
    }
    remove_files(a, dir);
}
