fn f(x: f64) -> f64 {
    let unused = x
    var unread = 1.0
    unread = 2.0
    let _quiet = 3
    for i in 0:3 { }
    x + 1
    x == 2
    return x
    print(x)
}
fn g() { while true { }
    print(1) }
kernel next(x: inout f64[n], y: out f64[n]) { x[thread.x] += 1; y[thread.x] = x[thread.x] }
fn h() {
    var read = zeros(f64, 4)
    var written = zeros(f64, 4)
    launch next[1, 4](read, written)
}
