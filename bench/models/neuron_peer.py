# neuron.dsl in JAX: scans over time, in segments of about the root of all turns, whose states are computed anew (jax.checkpoint).
# way=scan: the system by scans over compartments, of any tree, way=unrolled: these written out; way=thomas: jax.lax.linalg.tridiagonal_solve, of a cable.
import numpy as np
from peer import noise, tell, report, options

way, reps, neurons, comps, branch, steps = options(way="scan", reps=3, neurons=16, comps=100, branch=100, steps=1000)
import jax
import jax.numpy as jnp
jax.config.update("jax_enable_x64", True)
dt, axial = 0.025, 20.0
coupling = dt * axial
parent = np.array([0 if i % branch == 0 else i - 1 for i in range(comps)])
children = np.ones(comps)
children[0] = 0
np.add.at(children, parent[1:], 1)
assert way != "thomas" or branch >= comps


def vtrap(x, y):
    small = jnp.abs(x / y) < 1e-6
    safe = jnp.where(small, y, x)
    return jnp.where(small, y * (1 - x / y / 2), safe / (jnp.exp(safe / y) - 1))


def gate(x, opens, closes):
    still = opens / (opens + closes)
    return still + (x - still) * jnp.exp(-dt * (opens + closes))


def hines(diagonal, right):
    order = np.arange(comps - 1, 0, -1)

    def up(dv, i):
        d, v = dv
        f = coupling / d[i]
        return (d.at[jnp.asarray(parent)[i]].add(-f * coupling), v.at[jnp.asarray(parent)[i]].add(f * v[i])), None

    def down(v, i):
        return v.at[i].set((v[i] + coupling * v[jnp.asarray(parent)[i]]) / d[i]), None
    if way == "thomas":
        off = jnp.full((neurons, comps), -coupling)
        return jax.lax.linalg.tridiagonal_solve(off.at[:, 0].set(0), diagonal.T, off.at[:, -1].set(0), right.T[:, :, None])[:, :, 0].T
    if way == "unrolled":
        d, v = list(diagonal), list(right)
        for i in order:
            f = coupling / d[i]
            d[parent[i]], v[parent[i]] = d[parent[i]] - f * coupling, v[parent[i]] + f * v[i]
        v[0] = v[0] / d[0]
        for i in range(1, comps):
            v[i] = (v[i] + coupling * v[parent[i]]) / d[i]
        return jnp.stack(v)
    (d, v), _ = jax.lax.scan(up, (diagonal, right), order)
    return jax.lax.scan(down, v.at[0].divide(d[0]), np.arange(1, comps))[0]


def traces(gna, gk, gl):
    def step(state, t):
        v, m, h, w = state
        m = gate(m, 0.1 * vtrap(-(v + 40), 10.0), 4 * jnp.exp(-(v + 65) / 18))
        h = gate(h, 0.07 * jnp.exp(-(v + 65) / 20), 1 / (jnp.exp(-(v + 35) / 10) + 1))
        w = gate(w, 0.01 * vtrap(-(v + 55), 10.0), 0.125 * jnp.exp(-(v + 65) / 80))
        na, k = gna * m ** 3 * h, gk * w ** 4
        drive = jnp.where((np.arange(comps) == 0) & (t < 400), 600.0, 0.0)
        diagonal = 1 + dt * (na + k + gl) + coupling * children[:, None]
        right = v + dt * (na * 50.0 - k * 77.0 - gl * 54.3 + drive[:, None])
        v = hines(diagonal, right)
        return (v, m, h, w), v[-1]
    every = max(k for k in range(1, int(steps ** 0.5) + 1) if steps % k == 0)
    segment = jax.checkpoint(lambda state, ts: jax.lax.scan(step, state, ts))
    state = tuple(jnp.full((comps, neurons), a) for a in (-65.0, 0.053, 0.596, 0.318))
    return jax.lax.scan(segment, state, np.arange(steps).reshape(-1, every))[1].reshape(steps, neurons)


j = np.arange(neurons)
gna, gk, gl = [jnp.asarray(g * (1 + 0.2 * noise(s, j))) for s, g in ((1, 120), (2, 36), (3, 0.3))]
run = jax.jit(traces)
target = run(1.05 * gna, gk, gl)
slope = jax.jit(jax.grad(lambda gna, gk, gl: jnp.mean((traces(gna, gk, gl) - target) ** 2), argnums=(0, 1, 2)))
tell("traces", run(gna, gk, gl))
for name, g in zip(["gna", "gk", "gl"], slope(gna, gk, gl)):
    tell(name, g)
asked = [(1 - 1e-9 * r) * gna for r in range(reps + 1)]
report("forward", reps, lambda r: jax.block_until_ready(run(asked[r], gk, gl)))
report("gradient", reps, lambda r: jax.block_until_ready(slope(asked[r], gk, gl)))
