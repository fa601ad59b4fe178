kernel collatz(steps: out int[n]) {
    let i = thread.x
    var k = i + 1
    var s = 0
    while k != 1 {
        if s > 50 { break }
        k = if k % 2 == 0 { k // 2 } else { 3 * k + 1 }
        s += 1
    }
    steps[i] = s
}
kernel search(r: out int[n], x: int[m]) {
    let i = thread.x
    r[i] = -1
    for j in 0:m {
        if x[j] % 2 == 1 { continue }
        if x[j] > 3 * i {
            r[i] = j
            return
        }
    }
    r[i] = -2
}
var s = zeros(int, 10)
launch collatz[1, 10](s)
print(s)
var r = zeros(int, 6)
launch search[1, 6](r, [1, 2, 3, 4, 5, 6, 7, 8, 10, 12])
print(r)
