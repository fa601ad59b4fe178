# Derivatives of atomic min= and max=: the first update in order that reaches what is there in the end gets all, or what was
# there before.  Each way is compared with differences, and with the other.
kernel peak(m: inout f64[k], x: f64[n], at: int[n]) {
    let i = block.x * 4 + thread.x
    if i < n { atomic m[at[i]] max= x[i]^2 }
}
fn peaks(x: f64[n], m0: f64[k], at: int[n]) -> f64 {
    var m = m0
    launch peak[ceildiv(n, 4), 4](m, x, at)
    return sum(m[i] * f64(i + 1) for i in 0:k)
}
let x = [1.0, 3.0, 2.0, -3.0, 0.0, 4.0, -1.0]
let at = [0, 0, 1, 0, 2, 1, 2]
print(peaks(x, [0.5, 1.0, 0.25, 7.0], at))
print(grad(peaks)(x, [0.5, 1.0, 0.25, 7.0], at))
print(grad(peaks)(x, [10.0, 1.0, 2.0, 7.0], at))
print(jvp(peaks)(x, [0.5, 1.0, 0.25, 7.0], at, (x, [1.0, 1.0, 1.0, 1.0])))
print(check_grad(fn(x) => peaks(x, [0.5, 1.0, 0.25, 7.0], [0, 0, 1, 0, 2, 1, 2]), [1.0, 3.5, 2.0, -3.0, 0.0, 4.0, -1.0]) < 1e-6)
# of equal ones the first; what was there before comes before all
print(grad(peaks)([1.0, 1.0, -1.0, 1.0], [0.0, 1.0], [0, 0, 0, 1]))
print(hessian(fn(x) => peaks(x, [0.5], [0, 0, 0]))([1.0, 3.0, 2.0]))

# parallel loops, min=, f32, loops within, more than one update of a memory, an update under a condition
fn lowest(x: f32[n, m], w: f32) -> f32 {
    var low = full(f32(100), m)
    parallel for i in 0:n {
        for j in 0:m { if x[i, j] > -50 { atomic low[j] min= w * x[i, j] } }
        for j in 0:m { atomic low[0] min= x[i, j] + 1 }
    }
    return sum(low[j] * f32(j + 1) for j in 0:m)
}
let y = f32([[5, 3, 4], [2, 3, -60], [6, 2, 9]])
print(lowest(y, f32(1.5)))
print(grad(lowest)(y, f32(1.5)))
print(jvp(lowest, wrt=w)(y, f32(1.5), f32(1)))
fn running(x: f64[n], steps: int) -> f64 {
    var m = [-1.0e9, 1.5]
    var total = 0.0
    for t in 0:steps {
        parallel for i in 0:n { atomic m[t % 2] max= x[i] * m0(t) }
        total += m[0] * m[1]
    }
    return total
}
fn m0(t: int) -> f64 = if t == 2 { -3.0 } else { f64(t + 1) }
print(running([0.5, 1.0, -2.0], 4), grad(running)([0.5, 1.0, -2.0], 4), check_grad(fn(x) => running(x, 4), [0.5, 1.0, -2.0]) < 1e-6)
print(jvp(running)([0.5, 1.0, -2.0], 4, [1.0, 0.0, 0.0]).1, jvp(running)([0.5, 1.0, -2.0], 4, [0.0, 1.0, 1.0]).1)
# threads that update as often as their data says
fn whiles(x: f64[n], times: int[n]) -> f64 {
    var m = [0.0]
    parallel for i in 0:n {
        var k = 0
        var v = x[i]
        while k < times[i] {
            atomic m[0] max= v
            v = v * x[i]
            k += 1
        }
    }
    return m[0]
}
print(whiles([1.5, 2.0, 3.0], [3, 4, 1]), grad(whiles, wrt=x)([1.5, 2.0, 3.0], [3, 4, 1]), jvp(whiles, wrt=x)([1.5, 2.0, 3.0], [3, 4, 1], [0.0, 1.0, 0.0]))

# what was there before an update, that nobody asks for, or for an int alone
kernel counted(y: inout f64[2], big: inout int[1], x: f64[n]) {
    let i = block.x * 4 + thread.x
    if i < n {
        let _old = atomic y[0] += x[i]^2
        let before = atomic y[1] += x[i]
        if int(before) >= 0 { atomic big[0] += 1 }
    }
}
fn counts(x: f64[n]) -> f64 {
    var y = zeros(f64, 2)
    var big = zeros(int, 1)
    launch counted[ceildiv(n, 4), 4](y, big, x)
    return y[0] * 3 + y[1] + f64(big[0])
}
print(counts([1.0, 3.0]), grad(counts)([1.0, 3.0]), jvp(counts)([1.0, 3.0], [1.0, 1.0]))
