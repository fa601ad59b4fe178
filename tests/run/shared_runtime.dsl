# Shared memory whose size is known only when the launch begins
kernel turn(x: inout f64[n], m: int) {
    shared s: f64[m]
    shared twice: f64[2 * m + 1, 3]
    s[thread.x] = x[thread.x]
    twice[2 * thread.x, 1] = x[thread.x]
    barrier
    x[thread.x] = s[n - 1 - thread.x] + 100 * twice[2 * ((thread.x + 1) % n), 1]
}
var a = [f64(i * i % 7) for i in 0:32]
for r in 0:3 {
    let m = 32 + int(a[r]) % 5
    launch turn[1, 32](a, m)
    a[r] = a[r] + 1
}
print(a)
kernel none(x: inout int[n], m: int) {
    shared s: int[m]
    x[thread.x] += len(s)
}
var b = [3, 4]
launch none[1, 2](b, b[0] - 3)
print(b)
