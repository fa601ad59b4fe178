/* Sums of floats by threads of a warp that add at the same time.  Memory adds to an element one number after the other,
 * so threads that add to the same one add up what they have before, in halves as a tree does, and the first of them
 * adds it to memory.
 *
 * After: Westphal: Voting and Shuffling to Optimize Atomic Operations, NVIDIA 2015. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Instructions, under LLVM's names for them.  all: the threads that are here, a bit for each of the warp's. */
uint32_t warp_here(void) __asm__("llvm.nvvm.activemask");
uint32_t warp_before(void) __asm__("llvm.nvvm.read.ptx.sreg.lanemask.lt");
uint32_t warp_same(uint32_t all, uint64_t x) __asm__("llvm.nvvm.match.any.sync.i64");
uint32_t warp_which(uint32_t all, bool holds) __asm__("llvm.nvvm.vote.ballot.sync");
uint32_t warp_from(uint32_t all, uint32_t x, uint32_t from, uint32_t parts) __asm__("llvm.nvvm.shfl.sync.idx.i32");

enum { LANES = 32, WHOLE = LANES - 1 };
static const uint32_t ALL = UINT32_MAX;

static float from_f32(uint32_t all, float x, uint32_t from) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = warp_from(all, bits, from, WHOLE);
    memcpy(&x, &bits, sizeof bits);
    return x;
}

static double from_f64(uint32_t all, double x, uint32_t from) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint32_t low = warp_from(all, (uint32_t)bits, from, WHOLE);
    uint32_t high = warp_from(all, (uint32_t)(bits >> 32), from, WHOLE);
    bits = (uint64_t)high << 32 | low;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

/* Mostly all of a warp add to the same element: then each takes from the one beside it, from that two further, and so
 * on.  Else, behind: those with the same element that have something for this thread.  In each round it takes from the
 * next of them, then every second one is done.  The tree is the same. */
#define WARP_ADD(N, T)                                                                            \
    void dsl_warp_add_##N(T *p, T x);                                                             \
    void dsl_warp_add_##N(T *p, T x) {                                                            \
        uint32_t all = warp_here(), before = warp_before(), same = warp_same(all, (uint64_t)(uintptr_t)p); \
        uint32_t ahead = same & before, behind = same & ~(before << 1 | 1);                       \
        if (!warp_which(all, same != ALL)) {                                                      \
            uint32_t lane = (uint32_t)__builtin_popcount(before);                                 \
            for (uint32_t half = 1; half < LANES; half *= 2) x += from_##N(all, x, lane ^ half);  \
        } else {                                                                                  \
            for (int turn = __builtin_popcount(ahead); warp_which(all, behind != 0); turn >>= 1) { \
                T other = from_##N(all, x, (uint32_t)__builtin_ctz(behind | 1u << WHOLE));        \
                if (behind) x += other;                                                           \
                behind &= warp_which(all, !(turn & 1));                                           \
            }                                                                                     \
        }                                                                                         \
        if (!ahead) __atomic_fetch_add(p, x, __ATOMIC_RELAXED);                                   \
    }
WARP_ADD(f32, float)
WARP_ADD(f64, double)
