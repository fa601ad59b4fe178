/* K.txt names a picture and says what it shows, K.svg or K.png is the picture. */
#include "notebook/run.h"

#include "driver/build.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

static const struct { const char *end, *type; } types[] = {{"svg", "image/svg+xml"}, {"png", "image/png"}};

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

void figures_take(Arena *a, const char *dir, NotebookCell *into) {
    Output x = {.kind = OUT_FIGURE, .text = ""};
    for (int k = 1; take_figure(a, dir, k, &x.figure); k++)
        if (x.figure.type) vec_push(a, &into->outputs, x);
    remove_files(a, dir);
}
