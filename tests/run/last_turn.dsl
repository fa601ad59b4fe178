# What a loop leaves behind from its last turn, which may never have been.
kernel rings(n: int, inside: out int[m], turns: out int[m]) {
    let t = thread.x
    var within = false
    var last = -1
    shared s: int[16]
    for i in 0:n {
        within = t > i and t < 15 - i
        last = i * 10 + t
        s[t] = i
        barrier
    }
    inside[t] = if within { 1 } else { 0 }
    turns[t] = last
}
fn tail(n: int) -> (int, f64) {
    var k = 7
    var x = 0.5
    for i in 3:n {
        k = i * i
        x = f64(i) / 4.0
    }
    return (k, x)
}
for n in 0:4 {
    var inside = zeros(int, 16)
    var turns = zeros(int, 16)
    launch rings[1, 16](n, inside, turns)
    print(n, inside, turns)
}
print(tail(0), tail(3), tail(4), tail(9))
