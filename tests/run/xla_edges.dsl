# What is easily done wrong for whole arrays: parts of square arrays, loops in steps and at the ends of ints, checks of
# arrays at once
let n = 5
var a = [10 * i + j for i in 0:n, j in 0:n]
a[0:-1, 0:-1] = a[0:-1, 1:n]
print(a)

# Steps that go beyond the end, once, or never
fn stepped(n: int, c: int) -> int[n] {
    var y = zeros(int, n)
    for j in 0:n:4 { y[n - 1 - j] += c + j }
    for j in n:n - 1:3 { y[0] += 100 }
    for j in n - 1:-1:-3 { y[j] += 10 }
    return y
}
print(stepped(1, 5), stepped(2, 5), stepped(6, 5))
var (i, k, turns) = (5, 0, 0)
while i < 4 { i += 4; turns += 1 }
while k < 1 { k += 4; turns += 1 }
print(i, k, turns)

# Up to the greatest int, by threads that have other numbers of turns
let far = 9223372036854775807
kernel near_the_end(y: inout int[n], end: int[n]) {
    let t = block.x * blockdim.x + thread.x
    if t >= n { return }
    for j in end[t] - 2 * t:end[t] { y[t] += end[t] - j }
    for j in end[t] - 7:end[t]:3 { y[t] += 100 }
    for j in t + 4:t:-2 { y[t] += 1000 }
}
var y = zeros(int, 6)
launch near_the_end[2, 4](y, [far, 3, far - 1, 100, far, -far + 20])
print(y)

# Quotients, remainders and powers of arrays
let (p, q, e) = ([i8(127), i8(-128), i8(-1), i8(100)], [i8(2), i8(3), i8(-3), i8(-7)], [2, 0, 1, 3])
print(p // q, p % q, [-7, 7, -8] // [2, -2, -3], [2, 3, 4, 5]^e)

# The least of what is the same everywhere
let bytes = [u8(i * 24 % 101) for i in 0:3000]
print(sum([min(b for k in 0:9) - b // (max(b for k in 0:3) | 1) for b in bytes]))
