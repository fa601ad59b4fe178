# The ways to place n queens that do not attack each other: recursion on bits, the first two rows in parallel
const n = 12

fn ways(columns: int, left: int, right: int) -> int {
    let all = (1 << n) - 1
    if columns == all { return 1 }
    var free = all & ~(columns | left | right)
    var count = 0
    while free != 0 {
        let bit = free & -free
        free = free xor bit
        count += ways(columns | bit, (left | bit) << 1, (right | bit) >> 1)
    }
    return count
}

fn from(first: int, second: int) -> int {
    let a = 1 << first
    let b = 1 << second
    if b & (a | a << 1 | a >> 1) != 0 { return 0 }
    return ways(a | b, (a << 1 | b) << 1, (a >> 1 | b) >> 1)
}

let warm = sum(from(i, j) for i in 0:n, j in 0:n)
let start = time()
let count = sum(from(i, j) for i in 0:n, j in 0:n)
let seconds = time() - start
print("check", count, warm)
print("time", seconds)
