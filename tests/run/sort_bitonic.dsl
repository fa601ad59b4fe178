kernel sort_shared(y: inout f64[n]) {
    shared s: f64[64]
    let t = thread.x
    s[t] = y[block.x * 64 + t]
    barrier
    var k = 2
    while k <= 64 {
        var j = k // 2
        while j > 0 {
            let other = t xor j
            if other > t {
                let up = (t & k) == 0
                let a = s[t]
                let b = s[other]
                if (a > b) == up {
                    s[t] = b
                    s[other] = a
                }
            }
            barrier
            j //= 2
        }
        k *= 2
    }
    y[block.x * 64 + t] = s[t]
}
kernel step(y: inout f64[n], j: int, k: int) {
    let i = block.x * blockdim.x + thread.x
    let other = i xor j
    if other > i and other < n {
        let a = y[i]
        let b = y[other]
        if (a > b) == ((i & k) == 0) {
            y[i] = b
            y[other] = a
        }
    }
}
fn bitonic(x: f64[n]) -> f64[n] {
    var y = x
    var k = 2
    while k <= n {
        var j = k // 2
        while j > 0 {
            launch step[ceildiv(n, 64), 64](y, j, k)
            j //= 2
        }
        k *= 2
    }
    return y
}
kernel half(y: inout f64[n], j: int, k: int) {
    let t = block.x * blockdim.x + thread.x
    let lo = t & (j - 1)
    let i = (t - lo) * 2 + lo
    let other = i + j
    if other < n {
        let a = y[i]
        let b = y[other]
        if (a > b) == ((i & k) == 0) {
            y[i] = b
            y[other] = a
        }
    }
}
fn bitonic2(x: f64[n]) -> f64[n] {
    var y = x
    for p in 1:20 {
        if 1 << p <= n { 
        for q in 0:p {
            launch half[ceildiv(n // 2, 64), 64](y, 1 << (p - 1 - q), 1 << p)
        } }
    }
    return y
}
let x = [f64(i * 37 % 64) for i in 0:128]
var y = x
launch sort_shared[2, 64](y)
print(y)
print(bitonic(x))
print(bitonic2(x))
