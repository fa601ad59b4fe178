# Random numbers from a counter: Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as
# easy as 1, 2, 3", SC 2011, section 4).  The i-th number of a seed depends on nothing else, so results do
# not depend on the number of threads or on the order of evaluation.

struct Philox { a: u32, b: u32, c: u32, d: u32 }

## Four 32-bit random words for a 64-bit key and a 64-bit counter
fn philox(key: u64, counter: u64) -> Philox {
    const m0: u64 = 0xD2511F53
    const m1: u64 = 0xCD9E8D57
    var c0 = u32(counter & 0xFFFFFFFF)
    var c1 = u32(counter >> 32)
    var c2 = u32(0)
    var c3 = u32(0)
    var k0 = u32(key & 0xFFFFFFFF)
    var k1 = u32(key >> 32)
    for round in 0:10 {
        let p0 = m0 * u64(c0)
        let p1 = m1 * u64(c2)
        let d0 = u32(p1 >> 32) xor c1 xor k0
        let d2 = u32(p0 >> 32) xor c3 xor k1
        c1 = u32(p1 & 0xFFFFFFFF)
        c3 = u32(p0 & 0xFFFFFFFF)
        c0 = d0
        c2 = d2
        k0 += 0x9E3779B9
        k1 += 0xBB67AE85
    }
    return Philox(c0, c1, c2, c3)
}

## The i-th 64-bit random word of a seed
fn random_bits(seed: int, i: int) -> u64 {
    let r = philox(u64(seed), u64(i))
    return u64(r.a) << 32 | u64(r.b)
}

## The i-th uniform number in [0, 1) of a seed; 53 random bits
fn uniform(seed: int, i: int) -> f64 = f64(random_bits(seed, i) >> 11) * (1.0 / 9007199254740992.0)

## The i-th standard normal number of a seed (Box and Muller 1958)
fn normal(seed: int, i: int) -> f64 {
    let r = philox(u64(seed), u64(i))
    let u = (f64(u64(r.a) << 21 | u64(r.b) >> 11) + 1.0) * (1.0 / 9007199254740992.0)
    let v = f64(u64(r.c) << 21 | u64(r.d) >> 11) * (1.0 / 9007199254740992.0)
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v)
}

## n uniform numbers in [0, 1)
fn rand(seed: int, n: int) -> f64[n] = [uniform(seed, i) for i in 0:n]
fn rand(seed: int, n: int, m: int) -> f64[n, m] = [uniform(seed, i * m + j) for i in 0:n, j in 0:m]
fn rand(seed: int, sizes: (int, int)) -> f64[n, m] = rand(seed, sizes.0, sizes.1)
fn rand(seed: int, n: int, m: int, k: int) -> f64[n, m, k] = [uniform(seed, (i * m + j) * k + l) for i in 0:n, j in 0:m, l in 0:k]
fn rand(seed: int, sizes: (int, int, int)) -> f64[n, m, k] = rand(seed, sizes.0, sizes.1, sizes.2)

## n standard normal numbers
fn randn(seed: int, n: int) -> f64[n] = [normal(seed, i) for i in 0:n]
fn randn(seed: int, n: int, m: int) -> f64[n, m] = [normal(seed, i * m + j) for i in 0:n, j in 0:m]
fn randn(seed: int, sizes: (int, int)) -> f64[n, m] = randn(seed, sizes.0, sizes.1)
fn randn(seed: int, n: int, m: int, k: int) -> f64[n, m, k] = [normal(seed, (i * m + j) * k + l) for i in 0:n, j in 0:m, l in 0:k]
fn randn(seed: int, sizes: (int, int, int)) -> f64[n, m, k] = randn(seed, sizes.0, sizes.1, sizes.2)

## n ints, lo <= r < hi
fn randint(seed: int, lo: int, hi: int, n: int) -> int[n] {
    assert lo < hi, f"randint(seed, lo, hi, n) needs lo < hi, here they are {lo} and {hi}"
    assert hi - lo > 0, f"randint: there are more than 2^63 ints from {lo} to {hi}"
    return [lo + int(floor(uniform(seed, i) * (hi - lo))) for i in 0:n]
}
