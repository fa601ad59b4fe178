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
fn rand(seed: int, n: int, m: int, k: int, l: int) -> f64[n, m, k, l] = reshape(rand(seed, n * m * k * l), n, m, k, l)
fn rand(seed: int, sizes: (int, int, int, int)) -> f64[n, m, k, l] = rand(seed, sizes.0, sizes.1, sizes.2, sizes.3)

## n standard normal numbers
fn randn(seed: int, n: int) -> f64[n] = [normal(seed, i) for i in 0:n]
fn randn(seed: int, n: int, m: int) -> f64[n, m] = [normal(seed, i * m + j) for i in 0:n, j in 0:m]
fn randn(seed: int, sizes: (int, int)) -> f64[n, m] = randn(seed, sizes.0, sizes.1)
fn randn(seed: int, n: int, m: int, k: int) -> f64[n, m, k] = [normal(seed, (i * m + j) * k + l) for i in 0:n, j in 0:m, l in 0:k]
fn randn(seed: int, sizes: (int, int, int)) -> f64[n, m, k] = randn(seed, sizes.0, sizes.1, sizes.2)
fn randn(seed: int, n: int, m: int, k: int, l: int) -> f64[n, m, k, l] = reshape(randn(seed, n * m * k * l), n, m, k, l)
fn randn(seed: int, sizes: (int, int, int, int)) -> f64[n, m, k, l] = randn(seed, sizes.0, sizes.1, sizes.2, sizes.3)

## n ints, lo <= r < hi
fn randint(seed: int, lo: int, hi: int, n: int) -> int[n] {
    assert lo < hi, f"randint(seed, lo, hi, n) needs lo < hi, here they are {lo} and {hi}"
    assert hi - lo > 0, f"randint: there are more than 2^63 ints from {lo} to {hi}"
    return [lo + int(floor(uniform(seed, i) * (hi - lo))) for i in 0:n]
}

# The k-th uniform number, in (0, 1], of a stream of its own for the i-th number of a seed
fn _stream(seed: int, i: int, k: int) -> f64 = 1 - uniform(seed xor 0x5DEECE66D, i * 1048576 + k)

## n exponential numbers with this mean
fn exponential(seed: int, mean: f64, n: int) -> f64[n] = [-mean * log(_stream(seed, i, 0)) for i in 0:n]

# Marsaglia and Tsang, "A simple method for generating gamma variables", 2000
fn _gamma(seed: int, i: int, shape: f64) -> f64 {
    let d = (if shape < 1 { shape + 1 } else { shape }) - 1 / 3
    let c = 1 / sqrt(9 * d)
    var k = 1
    while true {
        let x = sqrt(-2 * log(_stream(seed, i, k))) * cos(2 * pi * _stream(seed, i, k + 1))
        let v = (1 + c * x)^3
        if v > 0 and log(_stream(seed, i, k + 2)) < 0.5 * x * x + d - d * v + d * log(v) {
            return if shape < 1 { d * v * _stream(seed, i, 0)^(1 / shape) } else { d * v }
        }
        k += 3
    }
}
## n numbers of the gamma distribution: mean shape * scale
fn gamma(seed: int, shape: f64, scale: f64, n: int) -> f64[n] {
    assert shape > 0 and scale > 0, f"gamma: shape and scale are positive, here they are {shape} and {scale}"
    return [scale * _gamma(seed, i, shape) for i in 0:n]
}

# Devroye, Non-Uniform Random Variate Generation, X.3: products of uniform numbers; a great mean is the sum of parts
fn _poisson(seed: int, i: int, mean: f64) -> int {
    var left = mean
    var count = 0
    var k = 0
    while left > 0 {
        let part = min(left, 500.0)
        let least = exp(-part)
        var product = _stream(seed, i, k)
        k += 1
        while product > least {
            product *= _stream(seed, i, k)
            k += 1
            count += 1
        }
        left -= part
    }
    return count
}
## n numbers of events where `mean` are expected
fn poisson(seed: int, mean: f64, n: int) -> int[n] {
    assert mean >= 0 and mean < 100000, f"poisson: a mean from 0 to 100000, not {mean}"
    return [_poisson(seed, i, mean) for i in 0:n]
}

## How many of `trials` succeed, each with probability p; n such numbers
fn binomial(seed: int, trials: int, p: f64, n: int) -> int[n] {
    assert trials >= 0 and trials < 1048576 and p >= 0 and p <= 1, f"binomial: {trials} trials with probability {p}"
    return [sum(int(uniform(seed xor 0x5DEECE66D, i * 1048576 + k) < p) for k in 0:trials) for i in 0:n]
}

## 0, 1, ... n - 1 in a random order
fn permutation(seed: int, n: int) -> int[n] = argsort(rand(seed, n))
## The elements in a random order
fn shuffled(seed: int, x: T[n]) -> T[n] = x[permutation(seed, n)]
## k elements of x, each drawn from all of them; with weights, in proportion to these
fn choice(seed: int, x: T[n], k: int) -> T[k] {
    assert n > 0, "choice of no elements"
    return [x[min(int(uniform(seed, i) * n), n - 1)] for i in 0:k]
}
fn choice(seed: int, x: T[n], k: int, weights: f64[n]) -> T[k] {
    let ends = cumsum(weights)
    assert n > 0 and ends[n - 1] > 0 and all(weights >= 0), "choice: weights are positive or 0, not all 0"
    return [x[min(searchsorted(ends, (1 - uniform(seed, i)) * ends[n - 1]), n - 1)] for i in 0:k]
}
## n vectors, a row each, of the normal distribution with this mean and this covariance, which is symmetric and positive definite
fn multivariate_normal(seed: int, mean: f64[k], covariance: f64[k, k], n: int) -> f64[n, k] {
    let z = randn(seed, n, k) @ cholesky(covariance).T
    return [mean[j] + z[i, j] for i in 0:n, j in 0:k]
}
