kernel phases(y: inout f64[n]) {
    shared s: f64[64]
    let t = thread.x
    s[t] = y[t]
    s[t + 32] = y[t + 32]
    barrier
    for p in 0:64 {
        let i = 2 * t + p % 2
        if i + 1 < 64 {
            if s[i] > s[i + 1] {
                let v = s[i]
                s[i] = s[i + 1]
                s[i + 1] = v
            }
        }
        barrier
    }
    y[t] = s[t]
    y[t + 32] = s[t + 32]
}
kernel phases2(y: inout f64[n]) {
    shared s: f64[64]
    let t = thread.x
    s[t] = y[t]
    barrier
    for p in 0:64 {
        if (t & 1) == (p & 1) and t + 1 < 64 {
            let a = s[t]
            let b = s[t + 1]
            s[t] = min(a, b)
            s[t + 1] = max(a, b)
        }
        barrier
    }
    y[t] = s[t]
}
kernel step(y: inout f64[n], phase: int) {
    let i = 2 * (block.x * blockdim.x + thread.x) + phase
    if i + 1 < n {
        let a = y[i]
        let b = y[i + 1]
        y[i] = min(a, b)
        y[i + 1] = max(a, b)
    }
}
let x = [f64(i * 37 % 64) for i in 0:64]
var y = x
launch phases[1, 32](y)
print(y)
y = x
launch phases2[1, 64](y)
print(y)
y = x
for p in 0:64 { launch step[1, 32](y, p % 2) }
print(y)
