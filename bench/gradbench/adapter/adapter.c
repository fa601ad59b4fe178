/* GradBench's protocol for the programs of this folder: a line of JSON in, a line out, until the input ends.
 * Usage: adapter [--threads=N]; one thread unless told. */
#define _POSIX_C_SOURCE 200809L
#include "modules.h"

#include <stdlib.h>
#include <string.h>

static void write_text(const char *text) {
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') printf("\\%c", *text);
        else if ((unsigned char)*text < ' ') printf("\\u%04x", *text);
        else putchar(*text);
    }
    putchar('"');
}

static void define(const Json *message) {
    if (find_function(json_member(message, "module"), NULL)) fputs(", \"success\": true", stdout);
    else fputs(", \"success\": false, \"error\": \"there is no such module\"", stdout);
}

static void answer(const Call *c, const char *output) {
    if (c->error) {
        fputs(", \"success\": false, \"error\": ", stdout);
        write_text(c->error);
        return;
    }
    printf(", \"success\": true, \"output\": %s, \"timings\": [", output);
    for (int64_t i = 0; i < c->runs; i++)
        printf("%s{\"name\": \"evaluate\", \"nanoseconds\": %lld}", i ? ", " : "", (long long)c->times[i]);
    putchar(']');
}

static void evaluate(const Json *message, int threads) {
    Run *run = find_function(json_member(message, "module"), json_member(message, "function"));
    Call c = {.input = json_member(message, "input"), .threads = threads};
    char *output = NULL;
    size_t length = 0;
    if (!run || !c.input) c.error = run ? "there is no input" : "there is no such function";
    c.out = open_memstream(&output, &length);
    if (!c.out) abort();
    if (!c.error) call_begin(&c), run(&c);
    fclose(c.out);
    answer(&c, output);
    call_end(&c);
    free(output);
}

static int speak(int threads) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        Json *message = json_parse(line);
        const Json *kind = json_member(message, "kind"), *id = json_member(message, "id");
        if (!id) return fputs("adapter: a line is no message\n", stderr), 1;
        printf("{\"id\": %.17g", id->number);
        if (json_is(kind, "start")) fputs(", \"tool\": \"dslc\"", stdout);
        else if (json_is(kind, "define")) define(message);
        else if (json_is(kind, "evaluate")) evaluate(message, threads);
        puts("}");
        fflush(stdout);
        json_free(message);
    }
    free(line);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 2 && !strncmp(argv[1], "--threads=", 10) && atoi(argv[1] + 10) > 0) return speak(atoi(argv[1] + 10));
    if (argc == 1) return speak(1);
    fputs("usage: adapter [--threads=N]\n", stderr);
    return 2;
}
