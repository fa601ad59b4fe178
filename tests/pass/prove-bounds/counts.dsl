# What loops count in some of their turns, and what is asserted, keeps indices inside.
# RUN: dslc check --explain-checks %s 2>&1 | FileCheck %s
# CHECK-NOT: checked
# CHECK: extract of 'last': proved

fn chosen(x: f64[n], t: f64) -> (f64[n], int) {
    var out = zeros(f64, n)
    var k = 0
    for i in 0:n {
        if x[i] > t { out[k] = x[i]; k += 1 }
    }
    return (out, k)
}
fn both_ends(x: f64[n]) -> f64[n] {
    var out = zeros(f64, n)
    var lo = 0
    var hi = n - 1
    for i in 0:n {
        if x[i] < 0 { out[lo] = x[i]; lo += 1 } else { out[hi] = x[i]; hi -= 1 }
    }
    return out
}
fn pairs(x: f64[n]) -> f64[2 * n] {
    var out = zeros(f64, 2 * n)
    var k = 0
    for i in 0:n {
        if x[i] > 1 { out[k] = x[i]; out[k + 1] = -x[i]; k += 2 } else if x[i] > 0 { out[k] = x[i]; k += 1 }
    }
    return out
}
fn runs(x: int[n]) -> int {
    var most = 0
    var i = 0
    while i < n {
        var j = i + 1
        while j < n and x[j] == x[i] { j += 1 }
        if j - i > most { most = j - i }
        i = j
    }
    return most
}
fn until(times: f64[m], h: f64) -> f64[m] {
    var out = zeros(f64, m)
    var done = 0
    var t = 0.0
    while done < m {
        if times[done] <= t {
            out[done] = t
            done += 1
            continue
        }
        while done < m and times[min(done, m - 1)] <= t + h { done += 1 }
        t += h
    }
    return out
}
fn merged(x: f64[n], y: f64[m]) -> f64[n + m] {
    var out = zeros(f64, n + m)
    var i = 0
    var j = 0
    for k in 0:n + m {
        if i < n and (j >= m or x[i] <= y[j]) { out[k] = x[i]; i += 1 } else { out[k] = y[j]; j += 1 }
    }
    return out
}
fn common(x: f64[n], y: f64[m]) -> f64[n + m] {
    var out = zeros(f64, n + m)
    var i = 0
    var j = 0
    var k = 0
    while i < n and j < m {
        if x[i] <= y[j] { out[k] = x[i]; i += 1 } else { out[k] = y[j]; j += 1 }
        k += 1
    }
    return out
}
fn parted(x: f64[n]) -> f64[n] {
    var out = x
    var lo = 0
    var hi = n - 1
    for k in 0:n {
        if out[lo] < 0 { lo += 1 } else { let t = out[lo]; out[lo] = out[hi]; out[hi] = t; hi -= 1 }
    }
    return out
}
fn either(x: f64[n], a: int, b: int) -> f64 {
    return if (a == 0 or b > a) and b <= n and n > 0 and a >= 0 { x[a] } else { 0.0 }
}
fn rows(start: int[s], n: int) -> int {
    assert n == len(start) - 1
    var sum = 0
    for i in 0:n { sum += start[i + 1] - start[i] }
    return sum
}
fn between(x: f64[n], k: int) -> f64 {
    assert k >= 0 and k < n - 1
    return x[k] + x[k + 1]
}
fn end(last: f64[n], k: int) -> f64 {
    assert k + 1 == n
    return if n > 0 { last[k] } else { 0.0 }
}

# CHECK: insert of 'down': checked
fn falls(x: f64[n]) -> f64[n] {
    var down = zeros(f64, n)
    var k = 0
    for i in 0:n {
        if x[i] > 0 { k -= 1 } else { down[k] = x[i]; k += 1 }
    }
    return down
}
# CHECK: insert of 'twice': checked
fn grows(x: f64[n]) -> f64[n] {
    var twice = zeros(f64, n)
    var k = 0
    for i in 0:n {
        if x[i] > 0 { twice[k] = x[i]; k += 2 }
    }
    return twice
}
# CHECK: extract of 'wraps': checked
fn wraps(wraps: f64[n], a: int, b: int) -> f64 {
    assert a + 1 == b
    assert b <= n
    return if b < 0 { wraps[a] } else { 0.0 }
}
# CHECK: extract of 'late': checked
fn late(late: f64[n], k: int) -> f64 {
    let v = late[k]
    assert k >= 0 and k < n
    return v
}
# CHECK: extract of 'beside': checked
fn beside(beside: f64[n], k: int, go: bool) -> f64 {
    if go { assert k >= 0 and k < n }
    return beside[k]
}
# CHECK: extract of 'far': checked
fn far(far: f64[n], start: int, stop: int) -> f64 {
    var i = start
    var s = 0.0
    assert start >= 0
    while i != stop {
        if i < n { s += far[i] }
        i += 1
    }
    return s
}
# CHECK: extract of 'past': checked
fn past(past: f64[n], k: int) -> f64 {
    assert k >= 0 and k + 1 < n
    return past[k]
}
# CHECK: extract of 'other': checked
fn other(x: f64[n], other: f64[m]) -> f64 {
    var i = 0
    var j = 0
    var s = 0.0
    for k in 0:n + m {
        if i < n and x[i] > 0 { i += 2 } else { s += other[j]; j += 1 }
    }
    return s
}
# CHECK: extract of 'one_side': checked
fn one_side(one_side: f64[n], a: int, b: int) -> f64 {
    return if (a == 1 or b > a) and b <= n and n > 0 and a >= 0 { one_side[a] } else { 0.0 }
}
