# Iterations around a while run side by side: all widths of ints, floats, bools; what ends at once or never in some
# lanes; sizes that fill no block
fn collatz(start: int) -> int {
    var x = start
    var n = 0
    while x > 1 {
        x = if x % 2 == 0 { x // 2 } else { 3 * x + 1 }
        n += 1
    }
    return n
}
fn halved32(start: i32) -> i32 {
    var x = start
    var n = i32(0)
    while x != 0 and x != -1 {
        x = if x > 100 { x - 37 } else { x // 2 }
        n += 1
    }
    return n
}
fn root32(a: u32) -> u32 {
    var low = u32(0)
    var high = u32(65536)
    while high - low > 1 {
        let mid = (low + high) >> 1
        let inside = u64(mid) * u64(mid) <= u64(a)
        low = if inside { mid } else { low }
        high = if inside { high } else { mid }
    }
    return low
}
fn ones(a: u64) -> u64 {
    var x = a
    var n = u64(0)
    while x != 0 {
        x = x & (x - 1)
        n += 1 + (x >> 63)
    }
    return n
}
fn small(a: u8) -> u8 {
    var x = a
    var n = u8(0)
    while x > 3 { x = x - (x >> 1); n += 1 }
    return n
}
fn short(a: i16) -> i16 {
    var x = a
    var n = i16(0)
    while x < 0 { x = x + 7; n += 1 }
    return n
}
fn divisor(a: int, b: int) -> int {
    var x = a
    var y = b
    while y != 0 {
        let r = x % y
        x = y
        y = r
    }
    return x
}
fn binary_divisor(a: int, b: int) -> int {
    var x = a
    var y = b
    while x != y and x + y < 1000000 { if x > y { x -= y } else { y -= x } }
    return x
}
fn power(base: u64, exponent: int) -> u64 {
    var r = u64(1)
    var b = base
    var e = exponent
    while e > 0 {
        if e & 1 == 1 { r = r * b }
        b = b * b
        e = e >> 1
    }
    return r
}
fn escape(cx: f64, cy: f64) -> int {
    var x = 0.0
    var y = 0.0
    var k = 0
    while k < 50 and x * x + y * y <= 4 {
        let t = x * x - y * y + cx
        y = 2 * x * y + cy
        x = t
        k += 1
    }
    return k
}
fn escape32(cx: f32, cy: f32) -> int {
    var x = f32(0)
    var y = f32(0)
    var k = 0
    while k < 50 and x * x + y * y <= 4 {
        let t = x * x - y * y + cx
        y = 2 * x * y + cy
        x = t
        k += 1
    }
    return k
}
fn newton(a: f64) -> f64 {
    var x = a
    while abs(x * x - a) > 1e-9 * a { x = (x + a / x) / 2 }
    return x
}
fn left_early(a: int) -> int {
    var found = -1
    for k in 1:40 {
        let sure = (a + k) & 15 == 3
        if sure { found = k; break }
        if k * k > a + 200 { found = -k; break }
    }
    return found
}
fn alternates(a: int) -> bool {
    var up = true
    var x = a
    while x > 0 { up = not up; x = x - 3 - (x & 1) + (x >> 9) }
    return up
}
kernel tails(y: out int[n], z: inout f64[n], a: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        var x = a[i]
        var s = z[i]
        while x > 0 {
            s = s * 0.5 + f64(x) - 0.125 * s
            x = x - 2
        }
        y[i] = x + a[i]
        if s > 4 { z[i] = s }
    }
}
fn launched(a: int[n]) -> (int[n], f64[n]) {
    var y = zeros(int, n)
    var z = [f64(i) for i in 0:n]
    launch tails[n // 64 + 1, 64](y, z, a)
    return (y, z)
}

for m in 0:24 {
    let n = if m < 21 { m } else { [32, 33, 40][m - 21] }
    let a = [(i * 7919) % 97 - 3 for i in 0:n]
    let c = [collatz(i + 1) for i in 0:n]
    print(n, sum(c), sum(collatz(x) for x in a))
    print(sum([halved32(i32(x * 12345)) for x in a]), sum([root32(u32(i * 40503)) for i in 0:n]))
    print(sum([ones(u64(i * 2654435761)) for i in 0:n]), sum([small(u8(i * 5)) for i in 0:n]), sum([short(i16(x * -9)) for x in a]))
    print(sum([divisor(a[i] + 4, i) for i in 0:n]), sum(binary_divisor(i % 9 + 1, i % 7 + 1) for i in 0:n))
    print(sum([power(u64(i), i) for i in 0:n]), sum([escape(f64(i) / 20 - 1.5, 0.3) for i in 0:n]))
    print(sum([escape32(f32(i) / 20 - 1.5, f32(0.3)) for i in 0:n]), sum([newton(f64(i + 1)) for i in 0:n]))
    print(sum([left_early(x) for x in a]), any([alternates(x) for x in a]))
    let (y, z) = launched(a)
    print(sum(y), sum(z))
}
fn combined(n: int) {
    print(n, max([collatz(i) for i in 1:n + 1]), min([newton(f64(i)) for i in 1:n + 1]), sum([newton(f64(i)) for i in 1:n + 1]))
    print(argmax([collatz(i) for i in 1:n + 1]), sum(escape(-2 + 3.0 * i / n, -1 + 2.0 * j / n) for i in 0:n, j in 0:n))
    print(any([alternates(i) for i in 0:n]), sum([if alternates(i) { 1 } else { 0 } for i in 0:n]), prod([ones(u64(i + 1)) for i in 0:n]))
    print(sum([escape(-2 + 3.0 * i / n, -1 + 2.0 * j / n) * (j + 1) for i in 0:3, j in 0:n]))
}
for n in [1, 15, 16, 17, 33, 100] { combined(n) }
