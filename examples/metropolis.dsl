# %% [markdown]
# # Sampling by the Metropolis rule
#
# To draw states with probability proportional to $e^{-E/T}$, Metropolis and his colleagues (1953) walk at
# random: propose a change, and accept it with probability $\min(1, e^{-\Delta E / T})$. Each move is then as
# frequent as its reverse (*detailed balance*), so that the distribution, once reached, stays.
#
# Random numbers come from a counter: `uniform(seed, i)` is the $i$-th number of a seed, so every run, with
# any number of threads, gives the same picture.
# %% Settings
const walkers = 4096
const moves = 200
const side = 32 # even
const sweeps = 400

# %% [markdown]
# ## A Gaussian
# With $E = x^2/2$ and $T = 1$ the density is a Gaussian. Each thread walks on its own, from 0, and proposes
# steps in $[-2, 2]$.
# %% Many walkers
kernel walk(x: inout f64[n], moves: int) {
    let i = block.x * blockdim.x + thread.x
    if i >= n { return }
    for t in 0:moves {
        let draw = 2 * (t * n + i)
        let proposed = x[i] + 4 * uniform(1, draw) - 2
        if uniform(1, draw + 1) < exp((x[i]^2 - proposed^2) / 2) {
            x[i] = proposed
        }
    }
}
var x = zeros(f64, walkers)
launch walk[ceildiv(walkers, 128), 128](x, moves)

let edges = linspace(-4.0, 4.0, 33)
let density = histogram(x, -4, 4, 32) / (walkers * 0.25)
let centres = edges[0:32] + 0.125
plot("gaussian.png", (centres, density), (edges, exp(-edges^2 / 2) / sqrt(2 * pi)),
     names="walkers, exact", style="bars, line", xlabel="x", ylabel="density")

# %% [markdown]
# The second and the fourth moment should be 1 and 3; means over $n$ walkers scatter by $\sqrt{2/n}$ and
# $\sqrt{96/n}$.
# %% Moments
print("second moment:", mean(x^2), "fourth:", mean(x^4))
assert abs(mean(x^2) - 1) < 4 * sqrt(2 / walkers)
assert abs(mean(x^4) - 3) < 4 * sqrt(96 / walkers)

# %% [markdown]
# ## Ising's magnet
# Spins $\pm 1$ on a torus, with energy $E = -\sum s_i s_j$ over neighbours. Flipping spin $s$ costs
# $\Delta E = 2 s \sum_{\text{nb}} s_j$. On a chessboard the neighbours of white squares are black, so all
# white squares can move at once, then all black ones.
# %% Half a sweep
kernel flip(next: out f64[n, n], spin: f64[n, n], temperature: f64, colour: int,
            seed: int) {
    let j = block.x * blockdim.x + thread.x
    let i = block.y * blockdim.y + thread.y
    if i >= n or j >= n { return }
    let s = spin[i, j]
    let column = spin[(i + 1) % n, j] + spin[(i - 1) % n, j]
    let around = column + spin[i, (j + 1) % n] + spin[i, (j - 1) % n]
    let accepted = uniform(seed, i * n + j) < exp(-2 * s * around / temperature)
    next[i, j] = if accepted and (i + j) % 2 == colour { -s } else { s }
}

fn swept(spin: f64[n, n], temperature: f64, sweep: int) -> f64[n, n] {
    var half = spin
    var next = spin
    let blocks = (ceildiv(n, 16), ceildiv(n, 16))
    launch flip[blocks, (16, 16)](half, spin, temperature, 0, 2 * sweep)
    launch flip[blocks, (16, 16)](next, half, temperature, 1, 2 * sweep + 1)
    return next
}

## Energy per spin: each has a neighbour to its right and one above
fn energy(spin: f64[n, n]) -> f64 =
    -mean(spin * (roll(spin, 0, -1) + roll(spin, -1, 0)))

# %% [markdown]
# From all spins up, a quarter of the sweeps to settle, then averages of energy and magnetization:
# %% Averages
struct Averages { energy: f64, magnetization: f64 }

fn sample(temperature: f64) -> Averages {
    var spin = ones(f64, side, side)
    var e = 0.0
    var m = 0.0
    let settle = sweeps // 4
    for t in 0:settle + sweeps {
        spin = swept(spin, temperature, t)
        if t >= settle {
            e += energy(spin) / sweeps
            m += abs(mean(spin)) / sweeps
        }
    }
    return Averages(e, m)
}

# %% [markdown]
# Onsager (1944) and Yang (1952) solved the infinite lattice. Below the critical temperature
# $T_c = 2 / \ln(1 + \sqrt 2) \approx 2.269$
#
# $$m = \left(1 - \sinh^{-4} \frac 2T\right)^{1/8}, \qquad k = \frac{2 \sinh (2/T)}{\cosh^2 (2/T)},$$
#
# $$u = -\coth \frac 2T \left[1 + \frac 2\pi \left(2 \tanh^2 \frac 2T - 1\right) K(k)\right],$$
#
# where $K$ is the complete elliptic integral, which Gauss's arithmetic-geometric mean gives:
# $K(k) = \pi / (2\, \mathrm{agm}(1, \sqrt{1 - k^2}))$.
# %% The exact solution
fn agm(a: f64, b: f64) -> f64 {
    var (p, q) = (a, b)
    for k in 0:40 {
        let m = (p + q) / 2
        q = sqrt(p * q)
        p = m
    }
    return p
}
fn exact_energy(t: f64) -> f64 {
    let k = 2 * sinh(2 / t) / cosh(2 / t)^2
    let elliptic = pi / (2 * agm(1.0, sqrt(1 - k^2)))
    return -1 / tanh(2 / t) * (1 + 2 / pi * (2 * tanh(2 / t)^2 - 1) * elliptic)
}
fn exact_magnetization(t: f64) -> f64 {
    let s = sinh(2 / t)
    return if s > 1 { (1 - s^-4)^0.125 } else { 0.0 }
}

# %% [markdown]
# On a finite lattice the magnetization does not vanish at once above $T_c$, but the energy is already close.
# %% Against the exact solution
let temperatures = [1.2, 1.5, 1.8, 2.0, 2.2, 2.4, 2.6, 3.0, 3.5]
let averages = [sample(t) for t in temperatures]
let e = [a.energy for a in averages]
let m = [a.magnetization for a in averages]
let fine = linspace(1.2, 3.5, 200)
plot("magnetization.png", (fine, map(exact_magnetization, fine)), (temperatures, m),
     names="infinite lattice, sampled", style="line, points", xlabel="T", ylabel="m")
plot("energy.png", (fine, map(exact_energy, fine)), (temperatures, e),
     names="infinite lattice, sampled", style="line, points",
     xlabel="T", ylabel="energy per spin")

let error_m = max(abs(m[k] - exact_magnetization(temperatures[k])) for k in 0:3)
let error_e = max(abs(e[k] - exact_energy(temperatures[k])) for k in 0:3)
print(f"greatest error at T <= 1.8: {error_m:.5f} of m, {error_e:.5f} of the energy")
assert error_m < 0.05 and error_e < 0.1

# %% [markdown]
# ## At the critical temperature
# Islands of all sizes, one inside the other.
# %% A critical state
var spin = ones(f64, side, side)
for t in 0:sweeps {
    spin = swept(spin, 2.269, t)
}
image("critical.png", spin, colors="gray", title="T = 2.269")
