# dslc run -Wno-not-associative scan_levels.dsl: the function matters less than its order
# Scans by their definition: runs of 16 elements, 16 of these, and so on up to blocks of 16^5, one behind the other
fn by_definition(x: f64[n]) -> f64[n] {
    var y = zeros(f64, n)
    var before = [-0.0 for k in 0:6] # [0]: this run so far; [k]: blocks of 16^k in the one of 16^(k+1) around
    for j in 0:n {
        before[0] += x[j]
        var all = -0.0
        for k in 0:6 { all += before[5 - k] }
        y[j] = all
        var done = j + 1
        var k = 0
        while k < 5 and done % 16 == 0 {
            before[k + 1] += before[k]
            before[k] = -0.0
            done //= 16
            k += 1
        }
    }
    return y
}

fn number(i: int) -> f64 { return f64(i * 7919 % 10007) / 10007.0 }

for n in [0, 1, 2, 15, 16, 17, 255, 256, 257, 300, 4095, 4096, 4097, 5000, 65535, 65536, 65537, 70001] {
    let x = [number(i) for i in 0:n]
    let y = cumsum(x)
    print(n, all(y == by_definition(x)), if n > 0 { y[n - 1] } else { 0.0 })
}

# Functions of the program, which begin with an element; of three values, of small ones
for n in [1, 16, 17, 257, 4097, 12289, 66000] {
    let line = scan(fn(p, q) => (p.0 * q.0, p.1 * q.0 + q.1), [(0.9 + 0.1 * number(i), number(i)) for i in 0:n])
    let three = scan(fn(p, q) => (p.0 + q.0, max(p.1, q.1), p.2 * 0.5 + q.2), [(number(i), number(n - i), number(2 * i)) for i in 0:n])
    let seen = scan(fn(p, q) => p or q, [i == n // 3 for i in 0:n])
    print(n, line[n - 1], line[n // 2].1, three[n - 1], three[n // 2], sum([int(s) for s in seen]))
    let odd = scan(fn(p, q) => p * q, [u32(2 * i + 1) for i in 0:n])
    print(odd[n - 1], cumsum([f32(number(i)) for i in 0:n])[n - 1], cumsum([i % 7 - 3 for i in 0:n])[n // 2])
}
print(cumsum([-0.0, -0.0]), scan(fn(p, q) => min(p, q), [3.0, nan, 1.0]))

# More than one block of the highest level
let many = [number(i) for i in 0:2_100_000 if i < 1_048_580 or i % 100 == 0]
let sums = cumsum(many)
print(len(sums), sums[1048575], sums[1048576], sums[len(sums) - 1])
