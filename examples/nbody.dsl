# %% [markdown]
# # Bodies that attract each other
#
# $n$ bodies, each attracted by all others, with a softened distance so that close meetings do no harm:
#
# $$\ddot{\mathbf r}_i = \sum_j m_j \frac{\mathbf r_j - \mathbf r_i}{(|\mathbf r_j - \mathbf r_i|^2 + \varepsilon)^{3/2}}.$$
#
# The leap-frog scheme moves positions and velocities in turn, half a step apart. It is symplectic: the total
# energy does not drift, it only trembles.
# %% The forces
const n = 512
const steps = 200
const dt = 1e-2
const soft = 1e-2

kernel kick(vx: inout f64[n], vy: inout f64[n], vz: inout f64[n],
            x: f64[n], y: f64[n], z: f64[n], m: f64[n], dt: f64) {
    let i = block.x * blockdim.x + thread.x
    if i >= n { return }
    var ax = 0.0
    var ay = 0.0
    var az = 0.0
    for j in 0:n {
        let rx = x[j] - x[i]
        let ry = y[j] - y[i]
        let rz = z[j] - z[i]
        let d2 = rx * rx + ry * ry + rz * rz + soft
        let w = m[j] / (d2 * sqrt(d2))
        ax += w * rx
        ay += w * ry
        az += w * rz
    }
    vx[i] += dt * ax
    vy[i] += dt * ay
    vz[i] += dt * az
}

# %% Total energy
fn energy(x: f64[n], y: f64[n], z: f64[n], vx: f64[n], vy: f64[n], vz: f64[n],
          m: f64[n]) -> f64 {
    let kinetic = 0.5 * sum(m * (vx^2 + vy^2 + vz^2))
    let potential = sum(if i < j {
                            m[i] * m[j] / sqrt((x[i] - x[j])^2 + (y[i] - y[j])^2
                                               + (z[i] - z[j])^2 + soft)
                        } else { 0.0 }
                        for i in 0:n, j in 0:n)
    return kinetic - potential
}

# %% [markdown]
# ## A cloud
# A ball of bodies, too slow to stay as it is, falls together.
# %% The first state
var x = randn(1, n)
var y = randn(2, n)
var z = randn(3, n)
var vx = 0.3 * randn(4, n)
var vy = 0.3 * randn(5, n)
var vz = 0.3 * randn(6, n)
let m = full(1.0 / n, n)
scatter("before.png", x, y, title="Before", equal=true)

# %% Leap-frog
var energies = zeros(f64, steps + 1)
energies[0] = energy(x, y, z, vx, vy, vz, m)
for t in 0:steps {
    launch kick[ceildiv(n, 64), 64](vx, vy, vz, x, y, z, m, 0.5 * dt)
    x += dt * vx
    y += dt * vy
    z += dt * vz
    launch kick[ceildiv(n, 64), 64](vx, vy, vz, x, y, z, m, 0.5 * dt)
    energies[t + 1] = energy(x, y, z, vx, vy, vz, m)
}
scatter("after.png", x, y, title="After", equal=true)

# %% Energy {absolute=1e-8}
let drift = energies / energies[0] - 1
print("energy:", energies[0], "->", energies[steps])
print("greatest relative change:", max(abs(drift)))
plot("energy.png", [t * dt for t in 0:steps + 1], drift, xlabel="time",
     ylabel="relative change of the energy")
assert max(abs(drift)) < 1e-4
