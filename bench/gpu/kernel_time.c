/* How long the kernels of a program take, whoever wrote it: a library that the driver loads into any process that uses
 * it.
 *   cc -std=c11 -O2 -shared -fPIC -I/usr/local/cuda/include -o libkernel_time.so bench/gpu/kernel_time.c
 *      -L/usr/local/cuda/lib64 -lcupti -Wl,-rpath,/usr/local/cuda/lib64
 *   CUDA_INJECTION64_PATH=$PWD/libkernel_time.so KERNEL_TIME_OUT=FILE program ...
 * When the program ends, FILE (or stderr) has a line for each kernel, `name launches microseconds`;
 * copies and fills of memory are such lines, too, with names in parentheses; `all launches microseconds` of the kernels
 * alone; and `span microseconds`, from the start of the first kernel to the end of the last one.
 *   KERNEL_TIME_TRACE=FILE  a line for each kernel, copy and fill, by the time of its start: `start length name`, in
 *                           nanoseconds, the start counted from that of the first one
 * Kernels in graphs count one by one.  The device's clock tells the times: what a launch costs the processor is not in
 * them, but in the span. */
#include <cupti.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Event {
    uint64_t start, end;
    int name;
} Event;
typedef struct Total {
    const char *name;
    bool kernel;
    size_t launches;
    uint64_t length;
} Total;

enum { BUFFER = 8 << 20, ALIGNMENT = 8 };

static Event *events;
static size_t nevents, room;
static Total *totals; /* by name */
static int ntotals;
static size_t dropped;

static void *grown(void *p, size_t size) {
    p = realloc(p, size);
    if (p) return p;
    fputs("kernel_time: out of memory\n", stderr);
    exit(1);
}

static int total_named(const char *name, bool kernel) {
    for (int i = 0; i < ntotals; i++)
        if (strcmp(totals[i].name, name) == 0) return i;
    totals = grown(totals, (size_t)(ntotals + 1) * sizeof *totals);
    size_t length = strlen(name) + 1;
    totals[ntotals] = (Total){memcpy(grown(NULL, length), name, length), kernel, 0, 0};
    return ntotals++;
}

static void add_event(const char *name, bool kernel, uint64_t start, uint64_t end) {
    if (nevents == room) {
        room = room ? 2 * room : 1024;
        events = grown(events, room * sizeof *events);
    }
    events[nevents++] = (Event){start, end, total_named(name, kernel)};
}

static const char *copy_name(int kind) {
    switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD: return "(copy to)";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH: return "(copy back)";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD: return "(copy within)";
    default: return "(copy)";
    }
}

static void add_record(const CUpti_Activity *record) {
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
        const CUpti_ActivityKernel10 *k = (const void *)record;
        add_event(k->name, true, k->start, k->end);
    } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
        const CUpti_ActivityMemcpy6 *m = (const void *)record;
        add_event(copy_name(m->copyKind), false, m->start, m->end);
    } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
        const CUpti_ActivityMemset4 *m = (const void *)record;
        add_event("(fill)", false, m->start, m->end);
    }
}

/* CUPTI asks for memory, */
static void CUPTIAPI wanted(uint8_t **buffer, size_t *size, size_t *records) {
    *buffer = aligned_alloc(ALIGNMENT, BUFFER);
    *size = *buffer ? BUFFER : 0;
    *records = 0;
}

/* and gives it back with records. */
static void CUPTIAPI filled(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid) {
    (void)size;
    CUpti_Activity *record = NULL;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) add_record(record);
    size_t lost = 0;
    if (cuptiActivityGetNumDroppedRecords(context, stream, &lost) == CUPTI_SUCCESS) dropped += lost;
    free(buffer);
}

static int by_start(const void *x, const void *y) {
    const Event *a = x, *b = y;
    return (a->start > b->start) - (a->start < b->start);
}

static void write_trace(void) {
    const char *path = getenv("KERNEL_TIME_TRACE");
    FILE *f = path ? fopen(path, "w") : NULL;
    if (!f) return;
    for (size_t i = 0; i < nevents; i++) {
        const Event *e = &events[i];
        fprintf(f, "%llu %llu %s\n", (unsigned long long)(e->start - events[0].start),
                (unsigned long long)(e->end - e->start), totals[e->name].name);
    }
    fclose(f);
}

static double micros(uint64_t nanoseconds) { return (double)nanoseconds / 1000; }

/* The nanoseconds from the first kernel's start to the last one's end */
static uint64_t add_up(void) {
    uint64_t first = UINT64_MAX, last = 0;
    for (size_t i = 0; i < nevents; i++) {
        Total *t = &totals[events[i].name];
        t->launches++;
        t->length += events[i].end - events[i].start;
        if (!t->kernel) continue;
        if (events[i].start < first) first = events[i].start;
        if (events[i].end > last) last = events[i].end;
    }
    return last > first ? last - first : 0;
}

static void write_totals(FILE *f, uint64_t span) {
    size_t launches = 0;
    uint64_t length = 0;
    for (int i = 0; i < ntotals; i++) {
        const Total *t = &totals[i];
        fprintf(f, "%s %zu %.3f\n", t->name, t->launches, micros(t->length));
        if (t->kernel) launches += t->launches, length += t->length;
    }
    fprintf(f, "all %zu %.3f\nspan %.3f\n", launches, micros(length), micros(span));
    if (dropped) fprintf(f, "dropped %zu\n", dropped);
}

static void report(void) {
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    if (nevents) qsort(events, nevents, sizeof *events, by_start);
    const char *path = getenv("KERNEL_TIME_OUT");
    FILE *f = path ? fopen(path, "w") : stderr;
    if (!f) {
        perror(path);
        return;
    }
    write_totals(f, add_up());
    if (f != stderr) fclose(f);
    write_trace();
}

static bool started(CUptiResult result) {
    const char *why = "?";
    if (result == CUPTI_SUCCESS) return true;
    cuptiGetResultString(result, &why);
    fprintf(stderr, "kernel_time: %s\n", why);
    return false;
}

/* The driver calls this when a process opens it. */
int InitializeInjection(void) {
    if (!started(cuptiActivityRegisterCallbacks(wanted, filled)) ||
        !started(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)) ||
        !started(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY)) ||
        !started(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET)))
        return 0;
    atexit(report);
    return 1;
}
