/* The GPU of this machine, for --target=cuda. */
#include "driver/build.h"
#include "runtime/gpu.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is known of it, or why there is none */
typedef struct { char why[256]; dsl_gpu_device device; } Found;

static Found look(void) {
    Found f = {.why = ""};
    const char *why = dsl_gpu_open(&f.device);
    if (why) snprintf(f.why, sizeof f.why, "%s", why);
    return f;
}

/* In a process of its own, so that this one may make others that use the driver */
static Found look_apart(void) {
    Found f = {.why = "the process that looks for a GPU has ended early"};
    int ends[2];
    fflush(NULL);
    if (pipe(ends)) return f;
    pid_t child = fork();
    if (child == 0) {
        Found found = look();
        _exit(write(ends[1], &found, sizeof found) != (ssize_t)sizeof found);
    }
    close(ends[1]);
    Found got;
    if (child > 0 && read(ends[0], &got, sizeof got) == (ssize_t)sizeof got) f = got;
    close(ends[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    return f;
}

const char *gpu_architecture(const Options *o, bool apart) {
    Found f = apart ? look_apart() : look();
    const dsl_gpu_device *d = &f.device;
    const char *name = *f.why ? NULL : gpu_of_capability(10 * d->major + d->minor);
    if (name) return name;
    if (!*f.why)
        snprintf(f.why, sizeof f.why, "%.200s is of compute capability %d.%d", d->name, d->major, d->minor);
    Diag *diag = diag_report(o->session, NO_SPAN, E_NO_GPU, f.why);
    diag_hint(o->session, diag, "--target=sim runs the same launches on a simulated GPU");
    return NULL;
}

int gpu_choose(Options *o) {
    if (emit_options(o, EMIT_PROGRAM).target != TARGET_CUDA) return EXIT_OK;
    const char *gpu = gpu_architecture(o, true);
    if (!gpu) return diagnostics_flush(o), EXIT_NO_GPU;
    if (!gpu_named(o)) o->cpu = o->cpu ? intern_printf(o->session, "%s,%s", o->cpu, gpu) : gpu;
    return EXIT_OK;
}

const char *gpu_device_name(Session *s) {
    Found f = look_apart();
    return *f.why ? NULL : intern(s, f.device.name);
}
