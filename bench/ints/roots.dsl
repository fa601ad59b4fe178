# Square roots of ints, rounded down, by halving: each in as many turns as it needs
const n = 1000000
const reps = 3

fn root(a: int) -> int {
    var low = 0
    var high = a + 1
    while high - low > 1 {
        let mid = (low + high) >> 1
        if mid * mid <= a { low = mid } else { high = mid }
    }
    return low
}

fn roots(shift: int) -> int = sum(root(i * 5 + shift) for i in 0:n)

var s = roots(0)
let start = time()
for r in 0:reps { s = roots(s % 2) }
let seconds = (time() - start) / reps
print("check", s)
print("time", seconds)
