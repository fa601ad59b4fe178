kernel total(a: inout f64[1], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { a[0] += x[i] }
}
kernel most(a: inout f64[1], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { a[0] = max(a[0], x[i]) }
}
kernel counts(a: inout int[m], at: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { a[at[i]] -= 1 }
}
# There is no such update of floats; what is read is not what is updated
kernel product(a: inout f64[1], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { a[0] *= x[i] }
}
kernel shift(a: inout f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n - 1 { a[i] = a[i + 1] + 1.0 }
}
var s = [0.0]
var seen = [0, 0]
let x = ones(f64, 100)
parallel for i in 0:100 { s[0] -= x[i] }
parallel for i in 0:100 { seen[1] |= i }
parallel for i in 0:100 { seen[0] = 2 + seen[0] }
parallel for i in 0:100 {
    s[0] = s[0] +
        x[i] * 2
}
print(s, seen)
