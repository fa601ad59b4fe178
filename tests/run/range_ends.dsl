# Ranges that end where ints do: the last step would go past them.
fn up(lo: int, hi: int) -> int {
    var sum = 0
    for i in lo:hi:4 {
        print(i)
        sum += 1
        assert sum < 6
    }
    return sum
}
fn down(lo: int, hi: int) -> int {
    var sum = 0
    for i in lo:hi:-4 {
        print(i)
        sum += 1
        assert sum < 6
    }
    return sum
}
## The first multiple of 10^18, or what comes last
fn found(lo: int, hi: int) -> int {
    var last = 0
    for i in lo:hi:5 {
        last = i
        if i % 10^18 == 0 { break }
    }
    return last
}
fn found_down(lo: int, hi: int) -> int {
    var last = 0
    for i in lo:hi:-5 {
        last = i
        if i % 10^18 == 0 { return -i }
    }
    return last
}
fn strides(lo: int, hi: int) -> int {
    var sum = 0
    for i in lo:hi:4611686018427387904 { sum += 1 + i % 7 }
    return sum
}
fn number(lo: int, hi: int) -> int = sum(1 for i in lo:hi:5)
fn number_down(lo: int, hi: int) -> int = sum(1 for i in lo:hi:-3)
fn greatest(lo: int, hi: int) -> int = max(i for i in lo:hi:5)
fn far(hi: int) -> int = sum(1 for i in 0:hi:1152921504606846976)
fn wide(lo: int, hi: int) -> int = sum(1 for i in lo:hi:4611686018427387904)
kernel fill(x: inout int[n], lo: int, hi: int) {
    let t = thread.x
    if t < n {
        for i in lo + t:hi:3 { x[t] += i % 1000 }
    }
}

let m = 9223372036854775807
let first = -m - 1
print(up(m - 3, m), up(m - 7, m), up(m - 8, m), up(first, first + 4), up(m, m), up(m, first))
print(down(first + 6, first), down(first + 4, first), down(first + 1, first), down(first, m), down(first, first))
print(found(m - 7, m), found(9 * 10^18 - 10, m), found_down(first + 7, first), found_down(-9 * 10^18 + 10, first))
print(strides(first, m), strides(0, m), strides(m - 1, m))
print(number(m - 7, m), number(m - 5, m), number(m, m), number(5, first), number(first, first + 6), greatest(m - 7, m))
print(number_down(first + 7, first), number_down(first + 6, first), number_down(first, first), number_down(7, m))
print(far(2^62), far(m), far(first), far(-5), wide(first, m), wide(-5, m))
print(sum(i for i in 2^50:2^50 + 3), sum(1 for i in 0:2^62:2^60), [i for i in m - 7:m:5], [i for i in first + 7:first:-5])
for i in m - 7:m:5 { print(i) }
for i in first + 7:first:-5 {
    if i == first { break }
    print(i)
}
var x = zeros(int, 3)
launch fill[1, 4](x, m - 8, m)
print(x)
