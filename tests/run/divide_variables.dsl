# Division by variables: of ints that fit 32 bits, on both sides of 2^32, of either sign, signed and unsigned
let one = int(1.5 + 0.1 * uniform(1, 1))
let border = [0, 1, 2, 3, 7, 4294967294, 4294967295, 4294967296, 4294967297, 9223372036854775807]
let both = [if i < 10 { border[i] * one } else { -border[i - 10] * one } for i in 0:20]
fn checked(x: int, y: int) -> bool {
    let (q, r) = (x // y, x % y)
    return q * y + r == x and (if y > 0 { r >= 0 and r < y } else { r <= 0 and r > y })
}
print(all(y == 0 or checked(x, y) for x in both, y in both))
print([x // 4294967296 for x in both], [9 // (y + 5) for y in both], [x % 4294967295 for x in both])
let wide = [u64(x) for x in both]
print(all(y == 0 or (x // y) * y + x % y == x for x in wide, y in wide), wide[12] // wide[7], wide[12] % wide[7])
let small = [i8(x) for x in both]
print([if v == 0 { v } else { i8(-128) // v } for v in small], [if v == 0 { v } else { i8(-128) % v } for v in small])

kernel places(y: inout int[n], d: int, w: u32) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] += i % d * 100 + i // d + int(u32(i) % w) + (i & 255) % ((y[i] & 15) + 1) }
}
var y = [3 * i for i in 0:500]
launch places[8, 64](y, 7 * one, u32(11 * one))
parallel for i in 0:500 { y[i] += (i + 1) // (one + i % 3) }
print(sum(y), y[499], [sum(k % (j + one) for k in 0:100) for j in 0:5])

# Pairs of a bitonic sort by % and //, and by &: threads are proved not to meet.
kernel step(y: inout f32[n], j: int, k: int) {
    let i = block.x * blockdim.x + thread.x
    let low = i % j
    let first = 2 * (i - low) + low
    let other = first + j
    if other < n and (y[first] > y[other]) == (first // k % 2 == 0) {
        let a = y[first]
        y[first] = y[other]
        y[other] = a
    }
}
fn sorted(x: f32[n]) -> f32[n] {
    var y = x
    var k = 2
    while k <= n {
        var j = k // 2
        while j > 0 {
            launch step[ceildiv(n // 2, 64), 64](y, j, k)
            j //= 2
        }
        k *= 2
    }
    return y
}
fn sorted_by_and(x: f32[n]) -> f32[n] {
    var y = x
    var k = 2
    while k <= n {
        var j = k >> 1
        while j > 0 {
            parallel for i in 0:n // 2 {
                let first = 2 * i - (i & (j - 1))
                let other = first + j
                if other < n and (y[first] > y[other]) == ((first & k) == 0) {
                    let a = y[first]
                    y[first] = y[other]
                    y[other] = a
                }
            }
            j = j >> 1
        }
        k = k << 1
    }
    return y
}
let x = [f32(i * 7919 % 10007) for i in 0:1024]
print(all(sorted(x) == sort(x)), all(sorted_by_and(x) == sort(x)))
