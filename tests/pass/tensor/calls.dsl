# What is in order and is asked for no order is not put in order; what is sorted stays; transforms that go back cancel
# where roundings may change.
# RUN: dslc --emit=par %s -o - | FileCheck %s
# RUN: dslc --emit=par --fp=reassoc %s -o - | FileCheck %s --check-prefixes=CHECK,REASSOC
# CHECK-LABEL: export func @twice
# CHECK-COUNT-1: {func = @dsl_m_argsort
# CHECK-NOT: {{= extern[(]}}
export fn twice(x: f64[n]) -> f64[n] = sort(sort(x))
# CHECK-LABEL: export func @thrice
# CHECK-COUNT-1: {func = @dsl_m_argsort
# CHECK-NOT: {{= extern[(]}}
export fn thrice(x: int[n]) -> int = max(sort(sort(sort(x)))[2:5])
# CHECK-LABEL: export func @most
# CHECK-NOT: {{= extern[(]}}
# CHECK: reduce({{.*}}) {kind = max}
export fn most(x: int[n]) -> int = max(sort(x))
# CHECK-LABEL: export func @summed
# CHECK-NOT: {{= extern[(]}}
# CHECK: reduce({{.*}}) {kind = add}
export fn summed(x: int[n], y: f64[n]) -> int = sum(x[argsort(y)])
# CHECK-LABEL: export func @summed_floats
# REASSOC-NOT: {{= extern[(]}}
# CHECK: reduce({{.*}}) {kind = add}
export fn summed_floats(x: f64[n]) -> f64 = sum(sort(x))
# CHECK-LABEL: export func @unused
# CHECK-NOT: {{= extern[(]}}
export fn unused(x: f64[n]) -> f64 {
    let _ = rfft(x)
    return x[0]
}
# Order is asked for, or other elements.
# CHECK-LABEL: export func @weighted
# CHECK: {func = @dsl_m_argsort
export fn weighted(x: int[n]) -> int = sum([i * sort(x)[i] for i in 0:n])
# CHECK-LABEL: export func @other
# CHECK: {func = @dsl_m_argsort
export fn other(x: int[n], y: f64[m]) -> int = sum(x[argsort(y)])
# CHECK-LABEL: export func @by_another
# CHECK: {func = @dsl_m_argsort
# CHECK: {func = @dsl_m_argsort
export fn by_another(x: f64[n], y: f64[n]) -> f64[n] = sort(x[argsort(y)])
# CHECK-LABEL: export func @back
# REASSOC-NOT: {{= extern[(]}}
# CHECK: return
export fn back(x: c128[n]) -> c128[n] = ifft(fft(x))
# CHECK-LABEL: export func @there
# REASSOC-NOT: {{= extern[(]}}
# CHECK: return
export fn there(x: c128[n]) -> c128[n] = 2 * fft(ifft(x))
# CHECK-LABEL: export func @real
# REASSOC-NOT: {{= extern[(]}}
# CHECK: return
export fn real(x: f64[n]) -> f64[n] = irfft(rfft(x), n)
# Another length, twice there, another half
# CHECK-LABEL: export func @longer
# CHECK: {func = @dsl_m_rfft
# CHECK: {func = @dsl_m_irfft
export fn longer(x: f64[n]) -> f64[n + 1] = irfft(rfft(x), n + 1)
# CHECK-LABEL: export func @conjugate
# CHECK: {func = @dsl_m_fft
# CHECK: {func = @dsl_m_fft
export fn conjugate(x: c128[n]) -> c128[n] = ifft(conj(fft(x)))
# CHECK-LABEL: export func @far
# CHECK: {func = @dsl_m_fft
# CHECK: {func = @dsl_m_fft
export fn far(x: c128[n]) -> c128[n] = fft(fft(x))
