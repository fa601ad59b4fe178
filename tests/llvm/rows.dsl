# On a GPU a thread does several elements of a loop along an axis that neighbours lie along: what they have in common is
# read once. Five-point stencils take 4 * 3 + 2 reads for 4 elements, seven-point ones 8 * 5 + 2 for 8; behind them, in a
# loop that is not written out, stands what threads do that have fewer.
# RUN: dslc --emit=loops --target=cuda %s | FileCheck %s
# RUN: dslc --emit=ptx %s | FileCheck --check-prefix=PTX %s
# RUN: dslc --emit=loops --target=sim %s | FileCheck %s
# RUN: dslc --emit=loops --target=cuda --choose=rows=no %s | FileCheck --check-prefix=NO %s
# RUN: dslc --emit=loops --target=cuda --choose=rows=2 --choose=row-width=64 %s | FileCheck --check-prefix=TWO %s
# RUN: dslc --emit=loops %s | FileCheck --check-prefix=NO %s
# RUN: dslc check --explain-kernel %s | FileCheck --check-prefix=SAYS %s
# CHECK: @five
# CHECK: parallel(%{{.*}}, %{{.*}}) {{{.*}}kind = block
# CHECK: parallel(%{{.*}}) {kind = thread}
# CHECK: {few} {
# CHECK-COUNT-14: load(%u{{[.0-9]*}},
# CHECK-NOT: load
# CHECK: for(%{{.*}}) {few} {
# CHECK-COUNT-5: load(%u{{[.0-9]*}},
# CHECK-NOT: load
# CHECK: @five32
# CHECK: {few} {
# CHECK-COUNT-14: load(%u{{[.0-9]*}},
# CHECK-NOT: load
# CHECK: for(
# CHECK: @seven
# CHECK: parallel(%{{.*}}, %{{.*}}, %{{.*}}) {{{.*}}kind = block
# CHECK: {few} {
# CHECK-COUNT-42: load(%u{{[.0-9]*}},
# CHECK-NOT: load
# CHECK: for(
# CHECK: @middle
# CHECK: parallel(%{{.*}}, %{{.*}}, %{{.*}}) {{{.*}}kind = block
# CHECK: {few} {
# CHECK-COUNT-10: load(%u{{[.0-9]*}},
# CHECK-NOT: load
# CHECK: for(
# A guard that all elements of a thread come through is one
# CHECK: @guarded
# CHECK: {few} {
# CHECK: {few} {
# CHECK-COUNT-6: load(%u{{[.0-9]*}},
# CHECK-NOT: load
# CHECK: } {
# Neither an array that is written, nor neighbours along the last axis alone, nor a loop that is work enough
# CHECK: @own
# CHECK: kind = plain
# CHECK: @last
# CHECK: kind = plain
# CHECK: @work
# CHECK: kind = plain
# CHECK: @few
# CHECK: kind = plain
# NO-NOT: kind = block
# TWO: @five
# TWO: {few} {
# TWO-COUNT-8: load(%u{{[.0-9]*}},
# TWO-NOT: load
# TWO: for(
# PTX: .entry k1_loop
# PTX-COUNT-5: ld.global.nc.f64
# PTX-NOT: ld.global
# PTX: st.global.f64
# PTX-COUNT-14: ld.global.nc.f64
# PTX-NOT: ld.global
# PTX: .entry k2_loop
# SAYS: k1_loop, blocks of 256 threads
# SAYS: 7*m*n - 14*m - 14*n + 28 operations
# SAYS: a thread does 4 elements beside each other, which take 14 reads instead of 20 (--choose=rows=no)
# SAYS: k3_loop
# SAYS: a thread does 8 elements beside each other, which take 42 reads instead of 56 (--choose=rows=no)
export fn five(u: f64[n, m]) -> f64[n, m] {
    var next = u
    parallel for y in 1:n - 1, x in 1:m - 1 {
        next[y, x] = u[y, x] + 0.2 * (u[y - 1, x] + u[y + 1, x] + u[y, x - 1] + u[y, x + 1] - 4 * u[y, x])
    }
    return next
}
export fn five32(u: f32[n, m]) -> f32[n, m] {
    var next = u
    parallel for y in 1:n - 1, x in 1:m - 1 {
        next[y, x] = u[y, x] + (u[y - 1, x] + u[y + 1, x] + u[y, x - 1] + u[y, x + 1]) / 4
    }
    return next
}
export fn seven(u: f64[n, m, k]) -> f64[n, m, k] {
    var next = u
    parallel for z in 1:n - 1, y in 1:m - 1, x in 1:k - 1 {
        next[z, y, x] = 0.4 * u[z, y, x] + 0.1 * (u[z - 1, y, x] + u[z + 1, y, x] + u[z, y - 1, x] + u[z, y + 1, x]
                                                  + u[z, y, x - 1] + u[z, y, x + 1])
    }
    return next
}
export fn middle(u: f64[n, m, k]) -> f64[n, m - 2, k] =
    [u[z, y, x] - 2 * u[z, y + 1, x] + u[z, y + 2, x] for z in 0:n, y in 0:m - 2, x in 0:k]
export fn guarded(u: f64[n, m]) -> f64[n, m] {
    var next = u
    parallel for y in 0:n, x in 0:m {
        if y > 0 and y < n - 1 { next[y, x] = u[y - 1, x] + u[y, x] + u[y + 1, x] }
    }
    return next
}
export fn own(u: f64[n, m]) -> f64[n, m] {
    var next = u
    parallel for y in 0:n - 1, x in 0:m {
        if y % 2 == 0 { next[y, x] += next[y + 1, x] }
    }
    return next
}
export fn last(u: f64[n, m]) -> f64[n, m - 1] = [u[y, x] + u[y, x + 1] for y in 0:n, x in 0:m - 1]
export fn work(u: f64[n, m]) -> f64[n - 1, m] = [exp(sin(u[y, x]) / tanh(u[y + 1, x])) ^ cos(u[y, x]) * tan(log(u[y, x])) for y in 0:n - 1, x in 0:m]
export fn few(u: f64[n, 3]) -> f64[n - 1, 3] = [u[y, x] + u[y + 1, x] for y in 0:n - 1, x in 0:3]
