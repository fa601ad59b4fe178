# Neighbours that stop at the ends, go around, or are chosen are slices; their derivatives are parts: nothing is gathered or scattered
# RUN: dslc --emit=stablehlo --size=n=12 --size=m=10 %s | FileCheck --implicit-check-not=stablehlo.gather --implicit-check-not=stablehlo.scatter %s

# The last row once more, in place of the one behind it
# CHECK: @below(
# CHECK-DAG: stablehlo.slice %u [11:12, 0:10]
# CHECK-DAG: stablehlo.pad {{.*}} low = [0, 0], high = [1, 0]
# CHECK: stablehlo.select
# CHECK: return {{.*}} : tensor<12x10xf64>{{$}}
export fn below(u: f64[n, m]) -> f64[n, m] = [u[min(i + 1, n - 1), j] for i in 0:n, j in 0:m]
# CHECK: @four(
# CHECK-COUNT-4: stablehlo.select
# CHECK-NOT: stablehlo.select
# CHECK: return
export fn four(u: f64[n, m]) -> f64[n, m] = [u[min(i + 1, n - 1), j] + u[max(i - 1, 0), j] + u[i, min(j + 1, m - 1)] + u[i, max(j - 1, 0)] for i in 0:n, j in 0:m]
# On both axes: of each corner four slices
# CHECK: @corner(
# CHECK-COUNT-3: stablehlo.select
# CHECK: return
export fn corner(u: f64[n, m]) -> f64[n, m] = [u[max(i - 1, 0), min(j + 2, m - 1)] for i in 0:n, j in 0:m]
# A window of few places is written out, with what is known of each
# CHECK: @nine(
# CHECK-NOT: stablehlo.reduce
# CHECK: return {{.*}} : tensor<12x10xf64>{{$}}
export fn nine(u: f64[n, m]) -> f64[n, m] = [sum(u[clamp(i + a, 0, n - 1), clamp(j + b, 0, m - 1)] for a in -1:2, b in -1:2) for i in 0:n, j in 0:m]
# CHECK: @filter(
# CHECK-NOT: {{reduce|concatenate}}
# CHECK: return
export fn filter(x: f64[n, m], w: f64[3, 3]) -> f64[n - 2, m - 2] = [sum(x[i + a, j + b] * w[a, b] for a in 0:3, b in 0:3) for i in 0:n - 2, j in 0:m - 2]
# By `if`, around the end, and where the data says
# CHECK: @by_if(
# CHECK: return {{.*}} : tensor<12x10xf64>{{$}}
export fn by_if(u: f64[n, m]) -> f64[n, m] = [u[if i == 0 { n - 1 } else { i - 1 }, if j < m - 1 { j + 1 } else { 0 }] for i in 0:n, j in 0:m]
# CHECK: @upwind(
# CHECK: return
export fn upwind(u: f64[n, m], c: f64[n, m]) -> f64[n - 2, m] = [u[i + 1 + (if c[i, j] > 0 { -1 } else { 1 }), j] for i in 0:n - 2, j in 0:m]
# CHECK: @in_kernel(
# CHECK: return {{.*}} : tensor<12x10xf64>{{$}}
kernel smooth(next: out f64[n, m], u: f64[n, m]) {
    let (i, j) = (block.y * 8 + thread.y, block.x * 8 + thread.x)
    if i < n and j < m {
        let (up, down) = (max(i - 1, 0), min(i + 1, n - 1))
        next[i, j] = 0.5 * u[i, j] + 0.25 * (u[up, j] + u[down, if j == m - 1 { 0 } else { j + 1 }])
    }
}
export fn in_kernel(u: f64[n, m]) -> f64[n, m] {
    var next = u
    launch smooth[(ceildiv(m, 8), ceildiv(n, 8)), (8, 8)](next, u)
    return next
}
# CHECK: @slope(
# CHECK: return
export fn slope(u: f64[n, m]) -> f64[n, m] = grad(fn(u) => sum(four(u)^2))(u)
# CHECK: @slope_around(
# CHECK: return
export fn slope_around(u: f64[n, m]) -> f64[n, m] = grad(fn(u) => sum([(u[(i + 1) % n, j] * u[i, (j - 1) % m])^2 for i in 0:n, j in 0:m]))(u)
# CHECK: @slope_kernel(
# CHECK: return
export fn slope_kernel(u: f64[n, m]) -> f64[n, m] = grad(fn(u) => sum(in_kernel(u)^2))(u)
