/* Steps of transforms, for processors with vectors of two, four and eight numbers. */
#include "runtime/fft.h"

#define LANES 2
#define NAME(x) x##_2
#define TARGET
#include "runtime/fft_kernels.h"

#ifdef __x86_64__
#define LANES 4
#define NAME(x) x##_4
#define TARGET __attribute__((target("avx2")))
#include "runtime/fft_kernels.h"

#define LANES 8
#define NAME(x) x##_8
#define TARGET __attribute__((target("avx512f")))
#include "runtime/fft_kernels.h"
#endif

void fft_step(const Step *t) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f")) {
        step_8(t);
        return;
    }
    if (__builtin_cpu_supports("avx2")) {
        step_4(t);
        return;
    }
#endif
    step_2(t);
}
