# Turns that see each other, or are seen, run in order.
# RUN: dslc --emit=loops %s -o - | FileCheck %s
# CHECK-NOT: independent
fn steps(a: f64, n: int) -> f64[n] {
    var v = ones(f64, n)
    for t in 0:50 { v = [v[i] + a * v[(i + 1) % n] for i in 0:n] }
    return v
}

# Each row begins with the one before.
export fn chain(a: f64[n]) -> f64[n, 100] {
    var m = zeros(f64, n, 100)
    for k in 1:n { m[k, :] = steps(a[k], 100) + m[k - 1, :] }
    return m
}

# Three elements for all turns
export fn thirds(a: f64[n]) -> f64[3] {
    var r = zeros(f64, 3)
    for k in 0:n { r[k % 3] = sum(steps(a[k], 100)) }
    return r
}

# Elements that the program looks up
export fn chosen(a: f64[n], at: int[n]) -> f64[n] {
    var r = zeros(f64, n)
    for k in 0:n { r[at[k]] = sum(steps(a[k], 100)) }
    return r
}

# Blocks that overlap
export fn overlap(a: f64[n]) -> f64[100*n + 100] {
    var m = zeros(f64, 100*n + 100)
    for k in 0:n { m[100*k : 100*k + 101] = steps(a[k], 101) }
    return m
}

# A number that goes from turn to turn
export fn carried(a: f64[n]) -> f64[n] {
    var r = zeros(f64, n)
    var s = 0.0
    for k in 0:n {
        s = s / 2 + sum(steps(a[k], 100))
        r[k] = s
    }
    return r
}

# Output, which has an order
export fn told(a: f64[n]) -> f64[n] {
    var r = zeros(f64, n)
    for k in 0:n {
        r[k] = sum(steps(a[k], 100))
        print(k, r[k])
    }
    return r
}

# What was there before the turn is looked at as a whole.
export fn whole(a: f64[n]) -> f64[n] {
    var r = ones(f64, n)
    for k in 0:n { r[k] = sum(steps(a[k], 100)) * sum(r) }
    return r
}

# The first turn that fails ends the loop.
export fn until(a: f64[n]) -> f64[n] {
    var r = zeros(f64, n)
    for k in 0:n {
        let v = steps(a[k], 100)
        if sum(v) > 1000 { break }
        r[k] = v[0]
    }
    return r
}
