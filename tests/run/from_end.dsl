let x = arange(10)
let k = 3
var v = 2
v += 1
const two = 2
print(x[-k:], x[:-k], x[k:-k], x[-v:], x[:-v], x[v:-v])
print(x[-two:], x[:-two], x[-3:-1], x[-k - 1:], x[:-k + 1], x[-(k + 1):-1])
fn last(x: T[n], k: int) -> T[m] = x[-k:]
fn trim(x: T[n], k: int) -> T[m] = x[k:-k]
fn tails(x: f64[n], m: int) -> f64 {
    var s = 0.0
    for k in 0:m { s += sum(x[-k-1:]) }
    return s
}
print(last(x, 4), trim(x, 2), tails(ones(f64, 5), 3), last(x, 0), trim(x, 0))
var y = x
y[-k:] = 0
y[:-v] = [7]
print(y, x[-1:-k:-1], x[-v:][0])
let m = [[i * 10 + j for j in 0:4] for i in 0:3]
print(m[-two:, :-v], m[-1:, -(v - 1):])
let i32s = i32(2)
print(x[-i32s:])
var z = arange(8)
z[1:v] = 5
z[v:v + 2] += 10
z[:v] = z[v:2 * v]
print(z)
var count = 0
for i in 0:4 {
    z[count:count + 2] = i
    count += 2
}
print(z)
