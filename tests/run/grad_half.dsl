# Adjoints of floats of 16 bits are summed in 32: each gradient is compared with that of the same function of f32
struct Point { at: f16, to: bf16[2], id: int }

## gathers, stencils, sums
fn gathered(x: f16[n], at: int[m]) -> f32 = sum(f32(x[at[i]]) for i in 0:m)
print(grad(gathered, wrt=x)(ones(f16, 2), zeros(int, 5000)))
fn gathered_bf(x: bf16[n], at: int[m]) -> f32 = sum(f32(x[at[i]])^2 for i in 0:m)
print(grad(gathered_bf, wrt=x)(ones(bf16, 2), zeros(int, 5000)))
fn first(x: f16[n], m: int) -> f32 = sum(f32(x[0]) * f32(i % 2) for i in 0:m)
print(grad(first, wrt=x)(ones(f16, 3), 10000))
fn number(s: bf16, m: int) -> f32 = sum(f32(s) for i in 0:m)
print(grad(number, wrt=s)(1.0, 5000))
fn filled(s: f16, m: int) -> f32 {
    let x = full(s, m)
    return sum(f32(x)) + f32(x[3])
}
print(grad(filled, wrt=s)(1.0, 4999))
fn outer(x: f16[n], y: f16[m]) -> f32 = sum(f32(x[i]) * f32(y[j]) for i in 0:n, j in 0:m)
print(grad(outer)(ones(f16, 5000), ones(f16, 3))[1])

## loops, with what they carry
fn looped(x: bf16, m: int) -> f32 {
    var s = f32(0)
    var i = 0
    while i < m {
        s += f32(x)
        i += 1
    }
    return s
}
print(grad(looped, wrt=x)(1.0, 5000))
fn kept(x: bf16[n], m: int) -> f32 {
    var s = f32(0)
    var y = x
    for i in 0:m {
        if i % 50 == 0 { y[1] = y[0] }
        s += f32(y[i % 2]) * f32(y[0])
    }
    return s
}
print(grad(kept, wrt=x)([1.0, 2.0], 2000))
fn carried(x: f16, m: int) -> f32 {
    var s = f16(0)
    var most = x
    for i in checkpoint(0:m) {
        most = f16(max(most, f16(i % 3)))
        s = f16(f16(0.5) * s + x)
    }
    return f32(s) * f32(most)
}
print(grad(carried, wrt=x)(4.0, 100))
fn slots(x: f16[n], m: int) -> f32 {
    var y = x
    var s = f32(0)
    for i in checkpoint(0:m, slots=3) {
        s += f32(x[0]) + f32(y[i % n])
        y[i % n] = x[0]
    }
    return s
}
print(grad(slots, wrt=x)(ones(f16, 2), 3000))

## launches: global and shared memory, private arrays, atomics
kernel spread(y: inout f32[m], x: f16[n], w: bf16, times: int) {
    shared s: f16[4]
    var p = zeros(f16, 2)
    let t = thread.x
    s[t] = x[t]
    p[0] = x[0]
    barrier
    for k in 0:times { atomic y[k % 2] += f32(s[(t + k) % 4]) * f32(w) + f32(p[0]) }
}
fn launched(x: f16[n], w: bf16, times: int) -> f32 {
    var y = zeros(f32, 2)
    launch spread[2, 4](y, x, w, times)
    return y[0] + y[1]
}
print(grad(launched)(ones(f16, 4), 1.0, 700))
kernel half_bins(y: inout f16[m], x: f16[n], at: int[n]) {
    let i = block.x * 4 + thread.x
    y[i] = x[at[i]]
}
fn binned(x: f16[n], at: int[n]) -> f32 {
    var y = zeros(f16, n)
    launch half_bins[n // 4, 4](y, x, at)
    return sum(f32(y))
}
print(grad(binned, wrt=x)(ones(f16, 4000), zeros(int, 4000))[0:2])
fn parallel_sums(x: bf16[n]) -> f32 {
    var y = zeros(f32, 600)
    parallel for i in 0:600 { y[i] = f32(x[i % n]) + f32(x[0]) }
    return sum(y)
}
print(grad(parallel_sums)(ones(bf16, 2)))

## parts of arrays
fn parts(x: f16[n], m: int) -> f32 {
    var y = concat(x, x[0:2])
    y[0:2] = x[1:3]
    let z = reshape(y, 1, n + 2)
    var s = f32(0)
    for k in 0:m { s += sum(f32(z[0, 0:3])) }
    return s + f32(transpose(z)[3, 0])
}
print(grad(parts, wrt=x)(ones(f16, 6), 1500))
fn chosen(x: f16[n], m: int) -> f32 {
    var s = f32(0)
    for k in 0:m { s += f32(max(x)) + f32(min(where(x > 1, x, -x))) + f32(sort(x)[1]) }
    return s
}
print(grad(chosen, wrt=x)([1.0, 3.0, 2.0, 0.5], 1200))
fn products(x: bf16[n]) -> f32 = sum(f32(prod(x[j] for j in 0:n)) for i in 0:600)
print(grad(products)([1.0, 2.0, 1.0]))
fn matrices(x: f16[n, n], y: f16[n]) -> f32 = f32(sum(x @ y)) + sum(f32(x @ x))
print(grad(matrices)([[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0]))
fn structs(p: Point, m: int) -> f32 = sum(f32(p.at) + f32(p.to[i % 2]) for i in 0:m)
print(grad(structs, wrt=p)(Point(at=1, to=[1.0, 2.0], id=3), 5000))

## calls: functions that call themselves, rules
fn down(x: f16[n], m: int) -> f32 = if m == 0 { f32(0) } else { f32(x[m % n]) + down(x, m - 1) }
print(grad(down, wrt=x)(ones(f16, 1), 2500))
fn halved(x: f16, m: int) -> f32 = if m == 0 { f32(x) } else { f32(x) + halved(x, m - 1) }
print(grad(halved, wrt=x)(1.0, 2499))
fn ruled(x: f16) -> f16 = f16(x * x)
vjp fn ruled(x: f16, s: f16) -> f16 = f16(2 * x * s)
fn uses_rule(x: f16, m: int) -> f32 = sum(f32(ruled(x)) for i in 0:m)
print(grad(uses_rule, wrt=x)(1.0, 3000))
fn forward(x: bf16) -> bf16 = bf16(x * x)
jvp fn forward(x: bf16, d: bf16) -> bf16 = bf16(2 * x * d)
fn uses_forward(x: bf16, m: int) -> f32 = sum(f32(forward(x)) for i in 0:m)
print(grad(uses_forward, wrt=x)(1.0, 200))
fn library(x: f16[n]) -> f32 = f32(norm(x)) + f32(sum(cumsum(x))) + f32(std(x))
print(grad(library)([3.0, 4.0, 0.0]))

## what is handed out is of the type of the parameter, and each way agrees
fn smooth(x: f16[n]) -> f32 = sum(sin(f32(x[i])) * f32(x[(i + 1) % n]) for i in 0:n)
fn smooth32(x: f32[n]) -> f32 = sum(sin(x[i]) * x[(i + 1) % n] for i in 0:n)
let x = [0.5, 1.5, -2.0, 0.25]
let d = [1.0, -1.0, 0.5, 2.0]
fn near(a: f32[n], b: f32[n], by: f32) -> bool = max(abs(a - b)) <= by * (1 + max(abs(b)))
print(near(f32(grad(smooth)(f16(x))), grad(smooth32)(f32(x)), 1e-3))
print(near(f32(vjp(smooth)(f16(x), 2.0).1), vjp(smooth32)(f32(x), 2.0).1, 1e-3))
print(abs(jvp(smooth)(f16(x), f16(d)).1 - jvp(smooth32)(f32(x), f32(d)).1) < 1e-2)
print(near(f32(hvp(smooth)(f16(x), f16(d))), hvp(smooth32)(f32(x), f32(d)), 2e-3))
fn halves(x: f16[n]) -> f16[n] = [f16(x[i] * x[(i + 1) % n]) for i in 0:n]
print(jacobian(halves)([1.0, 2.0, 3.0]))
fn again(x: bf16[n], m: int) -> f32 = sum(f32(grad(fn(y: bf16[n]) => sum(f32(y[0])^2 for i in 0:m))(x)))
print(grad(again, wrt=x)([1.0, 1.0], 300))
