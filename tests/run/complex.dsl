# Complex numbers: literals, operators with numbers of all kinds, arrays, reductions, kernels, derivatives, files
let z = 1 + 2im
print(z, -z, z * z, z / (1 - 1im), conj(z), real(z), imag(z), abs(3 + 4im), arg(-1 + 0im), 2.5im, 1e3im)
print(f"{z:.3f} {-z:+8.2e} {[z, 2 * z]} {(z, 1)}")
let w = [1, 2im, 3.5 - 1im]
print(w, w * 2, 1 / w, w - w.re, 2 - w)
print(sum(w), prod(w), mean(w), cumsum(w), sum(v * v for v in w), sum(w[i] for i in 0:2))
print(w == conj(w), w != w, z == 1 + 2im, where(w.re > 1, w, 0), isnan(w), isfinite(z / 0))
print(z^2, z^-1, z^0, 2im^2, z^(1 / 2), w^2, (1im)^(1im))
let m = [[1 + 1im, 2], [3im, 4]]
print(m, m.T, m @ m, m @ [1.0, 2.0], [1, 1im] @ m, dot(w, w), sum(m, axis=0), mean(m, axis=1))
print(m + [1im, 2], m[0], m[:, 1], reshape(m, 4), m[1, 0].im)

# single precision stays it
let s = c64(1.5, 2)
let t: c64[n] = c64(w)
print(s * 2im, s + 1.5, t * 2, c128(s), n, sqrt(s), abs(s), t.re + f32(1))
print([s, 1], 2 * t, where(true, s, 1))

# variables, elements, fields
var a = zeros(c128, 3)
a[0] = 2
a[1] += 3im
a[2].im = 7
a *= 2
a[1:] = [1, 1im]
a[:] = a + 1
var q = 1im
q *= q
print(a, q, ones(c128, 2), full(1im, 2, 2), [if k > 0 { k * 1im } else { 1 } for k in 0:3])
print([c128(i, j) for i in 0:2, j in 0:2], c128([1.0, 2.0], 3), roll(a, 1), concat(a, w), reverse(w), diag([1im, 2]), outer(w, w)[2, 1])

fn rotate(v: c128, angle: f64) -> c128 = v * exp(1im * angle)
fn total(v: c128[k]) -> c128 = sum(v)
print(abs(rotate(1, pi / 2) - 1im) < 1e-15, total([1.0, 2.0]), total(w), abs(rotate(w, pi) + w) < 1e-14, map(conj, w))

kernel mandelbrot(count: out int[n, m], low: c128, step: f64) {
    let i = block.x
    let j = thread.x
    let c = low + step * c128(j, i)
    var v = 0 + 0im
    var k = 0
    while k < 50 and abs(v) <= 2 {
        v = v * v + c
        k += 1
    }
    count[i, j] = k
}
var count = zeros(int, 5, 8)
launch mandelbrot[5, 8](count, -2 - 1im, 0.4)
print(count)

kernel twist(y: inout c128[n], x: c128[n]) {
    let i = thread.x
    shared part: c128[4]
    part[i] = x[i]
    barrier
    y[i] += part[3 - i] * 1im
}
var y = zeros(c128, 4)
launch twist[1, 4](y, [1, 2, 3, 4 + 1im])
print(y)

# |z|^2 has the derivative 2 z
fn size_of(v: c128) -> f64 = v.re^2 + v.im^2
print(grad(size_of)(3 - 1im))

save("z.npy", m)
let back: c128[p, r] = load("z.npy")
save("x.npy", [1.0, 2.0])
let from_reals: c128[l] = load("x.npy")
save("t.npy", t)
let single: c64[o] = load("t.npy")
print(p, r, all(back == m), from_reals, single)
let stack = [[[1 + 2im, 2], [3im, 4]]]
print(stack @ stack == [stack[0, :, :] @ stack[0, :, :]], stack @ [1im, 2], stack[0, :, :] @ stack == stack @ stack[0, :, :])

# Literals in what is copied before it is checked: functions of any type, function values, generators looked at first
fn turned(x: T) -> c128 = x * 2im
print(turned(1.5), turned(2), map(fn(x) => x + 1im, [1.0, 2.0]), mean([1 + 2im for i in 0:2]), mean([2im, 4im]))
