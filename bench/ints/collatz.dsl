# The longest of the Collatz sequences that begin below a million: while loops of very different length
const n = 1000000
const reps = 3

fn steps(first: int) -> int {
    var x = first
    var k = 0
    while x > 1 {
        x = if x % 2 == 0 { x // 2 } else { 3 * x + 1 }
        k += 1
    }
    return k
}

fn collatz(shift: int) -> int = max(steps(i + shift) for i in 1:n)

var s = collatz(0)
let start = time()
for r in 0:reps { s = collatz(s % 2) }
let seconds = (time() - start) / reps
print("check", s)
print("time", seconds)
