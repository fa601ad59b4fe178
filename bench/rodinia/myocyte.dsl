# Rodinia's myocyte: the equations of heart muscle cells, one cell a thread, by an embedded Runge-Kutta method that chooses its
# steps.  The suite's cell has 91 equations; this one is Luo and Rudy's (Circulation Research 68, 1991), with 8, and the
# method is Fehlberg's 4(5) (NASA TR R-315, 1969) instead of his 7(8).
# small: cells=5 duration=3
const cells = 96
const duration = 30
const tolerance = 1e-6

struct Cell { v: f64, m: f64, h: f64, j: f64, d: f64, f: f64, x: f64, ca: f64 }

fn plus(y: Cell, s: f64, k: Cell) -> Cell = Cell(y.v + s * k.v, y.m + s * k.m, y.h + s * k.h, y.j + s * k.j, y.d + s * k.d, y.f + s * k.f, y.x + s * k.x, y.ca + s * k.ca)

## Time derivatives; gsi is the conductance of the slow inward current, stim the current from outside
fn rates(c: Cell, gsi: f64, stim: f64) -> Cell {
    let v = c.v
    let am = 0.32 * (v + 47.13) / (1 - exp(-0.1 * (v + 47.13)))
    let bm = 0.08 * exp(-v / 11)
    var ah = 0.0
    var aj = 0.0
    var bh = 0.0
    var bj = 0.0
    if v >= -40 {
        bh = 1 / (0.13 * (1 + exp(-(v + 10.66) / 11.1)))
        bj = 0.3 * exp(-2.535e-7 * v) / (1 + exp(-0.1 * (v + 32)))
    } else {
        ah = 0.135 * exp(-(80 + v) / 6.8)
        bh = 3.56 * exp(0.079 * v) + 3.1e5 * exp(0.35 * v)
        aj = (-1.2714e5 * exp(0.2444 * v) - 3.474e-5 * exp(-0.04391 * v)) * (v + 37.78) / (1 + exp(0.311 * (v + 79.23)))
        bj = 0.1212 * exp(-0.01052 * v) / (1 + exp(-0.1378 * (v + 40.14)))
    }
    let ad = 0.095 * exp(-0.01 * (v - 5)) / (1 + exp(-0.072 * (v - 5)))
    let bd = 0.07 * exp(-0.017 * (v + 44)) / (1 + exp(0.05 * (v + 44)))
    let af = 0.012 * exp(-0.008 * (v + 28)) / (1 + exp(0.15 * (v + 28)))
    let bf = 0.0065 * exp(-0.02 * (v + 30)) / (1 + exp(-0.2 * (v + 30)))
    let ax = 0.0005 * exp(0.083 * (v + 50)) / (1 + exp(0.057 * (v + 50)))
    let bx = 0.0013 * exp(-0.06 * (v + 20)) / (1 + exp(-0.04 * (v + 20)))
    let xi = if v > -100 { 2.837 * (exp(0.04 * (v + 77)) - 1) / ((v + 77) * exp(0.04 * (v + 35))) } else { 1.0 }
    let u = v + 87.26
    let ak = 1.02 / (1 + exp(0.2385 * (u - 59.215)))
    let bk = (0.49124 * exp(0.08032 * (u + 5.476)) + exp(0.06175 * (u - 594.31))) / (1 + exp(-0.5143 * (u + 4.753)))
    let ina = 23 * c.m * c.m * c.m * c.h * c.j * (v - 54.4)
    let isi = gsi * c.d * c.f * (v - 7.7 + 13.0287 * log(c.ca))
    let ik = 0.282 * c.x * xi * (v + 77)
    let ik1 = 0.6047 * ak / (ak + bk) * u
    let ikp = 0.0183 * u / (1 + exp((7.488 - v) / 5.98))
    let ib = 0.03921 * (v + 59.87)
    return Cell(-(ina + isi + ik + ik1 + ikp + ib + stim), am * (1 - c.m) - bm * c.m, ah * (1 - c.h) - bh * c.h, aj * (1 - c.j) - bj * c.j,
        ad * (1 - c.d) - bd * c.d, af * (1 - c.f) - bf * c.f, ax * (1 - c.x) - bx * c.x, -1e-4 * isi + 0.07 * (1e-4 - c.ca))
}

fn part(error: f64, y: f64) -> f64 = abs(error) / (tolerance * (abs(y) + 1e-3))

kernel solve(state: inout Cell[n], steps: out int[n], gsi: f64[n], duration: f64) {
    let i = block.x * blockdim.x + thread.x
    if i >= n { return }
    var y = state[i]
    var t = 0.0
    var h = 0.01
    var count = 0
    let zero = Cell(0, 0, 0, 0, 0, 0, 0, 0)
    while t < duration {
        h = min(h, duration - t)
        let stim = if t < 1 { -25.5 } else { 0.0 }
        let k1 = rates(y, gsi[i], stim)
        let k2 = rates(plus(y, h / 4, k1), gsi[i], stim)
        let k3 = rates(plus(plus(y, h * 3 / 32, k1), h * 9 / 32, k2), gsi[i], stim)
        let k4 = rates(plus(plus(plus(y, h * 1932 / 2197, k1), -h * 7200 / 2197, k2), h * 7296 / 2197, k3), gsi[i], stim)
        let k5 = rates(plus(plus(plus(plus(y, h * 439 / 216, k1), -h * 8, k2), h * 3680 / 513, k3), -h * 845 / 4104, k4), gsi[i], stim)
        let k6 = rates(plus(plus(plus(plus(plus(y, -h * 8 / 27, k1), h * 2, k2), -h * 3544 / 2565, k3), h * 1859 / 4104, k4), -h * 11 / 40, k5), gsi[i], stim)
        let e = plus(plus(plus(plus(plus(zero, h / 360, k1), -h * 128 / 4275, k3), -h * 2197 / 75240, k4), h / 50, k5), h * 2 / 55, k6)
        let error = max(max(max(part(e.v, y.v), part(e.m, y.m)), max(part(e.h, y.h), part(e.j, y.j))), max(max(part(e.d, y.d), part(e.f, y.f)), max(part(e.x, y.x), part(e.ca, y.ca))))
        if error <= 1 {
            t += h
            y = plus(plus(plus(plus(y, h * 25 / 216, k1), h * 1408 / 2565, k3), h * 2197 / 4104, k4), -h / 5, k5)
        }
        h *= min(4.0, max(0.2, 0.9 / sqrt(sqrt(max(error, 1e-10)))))
        count += 1
    }
    state[i] = y
    steps[i] = count
}

let gsi = [0.06 + 0.04 * i / cells for i in 0:cells]
var state = [Cell(-84.5, 0.0017, 0.983, 0.9895, 0.003, 1, 0.0057, 0.0002) for i in 0:cells]
var steps = zeros(int, cells)
let start = time()
launch solve[ceildiv(cells, 32), 32](state, steps, gsi, f64(duration))
let seconds = time() - start
print("check", sum(state[i].v * (i + 1) for i in 0:cells), sum(state[i].ca * (i + 1) for i in 0:cells), sum(state[i].x * (i + 1) for i in 0:cells))
print("time", seconds)
