# Radix sort of 32-bit keys, 8 bits at a time
const n = 2000000

fn sorted(keys: u32[n]) -> u32[n] {
    var a = keys
    var b = keys
    for pass in 0:4 {
        let shift = u32(8 * pass)
        var at = zeros(int, 257)
        for k in a { at[int(k >> shift & 255) + 1] += 1 }
        for d in 0:256 { at[d + 1] += at[d] }
        for k in a {
            let digit = int(k >> shift & 255)
            b[at[digit]] = k
            at[digit] += 1
        }
        a = b
    }
    return a
}

let keys = [u32(i * 2654435761 % 4294967291) for i in 0:n]
let warm = sorted(keys xor 1)
print("warm", sum(f64(warm)))
let start = time()
let s = sorted(keys)
let seconds = time() - start
print("check", s[0], s[n // 2], s[n - 1], all(s[0:n - 1] <= s[1:n]))
print("time", seconds)
