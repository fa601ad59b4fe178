"""bench/shallow_water.dsl in JAX: the same sea, as whole arrays, a run of steps compiled as one (bench/gpu/jax.sh).

    [N=512] [STEPS=20] [DT=40] [RUNS=7] [STYLE=all] python3 shallow_water_jax.py

Prints "check" and the same number, up to rounding, as `dslc run -D n=N -D reps=STEPS -D dt=DT`, "time" and the seconds
of a step (the median of RUNS runs of STEPS steps, each waited for), and "style": which of several ways to write it that
was.  STYLE=all takes the fastest of them: slices2, slices1, rolls2, rolls1.  What is rolled has a border of zeros, so
that nothing comes around; 2 is a loop that is unrolled twice, so that fields need not be copied back to where the turn
before left them.  With DT=40 the sea is at the edge of what is stable: for hundreds of steps take 20.
"""
import os
import statistics
import time
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax

jax.config.update("jax_enable_x64", True)
n, steps, runs = (int(os.environ.get(name, value)) for name, value in (("N", 512), ("STEPS", 20), ("RUNS", 7)))
dt, style = float(os.environ.get("DT", 40)), os.environ.get("STYLE", "all")
g, f, dx, dy, drag, viscosity = 9.81, 1.1e-4, 2500.0, 2500.0, 2.0e-6, 40.0


def sliced(a):
    """What stands dj rows on and di columns on of each cell but those of the border"""
    return lambda dj, di: a[1 + dj:n - 1 + dj, 1 + di:n - 1 + di]


def rolled(a):
    return lambda dj, di: jnp.roll(a, (-dj, -di), (0, 1)) if dj or di else a


def rates(at, write):
    """The three fields' next values, with at(a)(dj, di) as a's neighbour; write(old, new) keeps the border"""
    def continuity(eta, depth, u, v):
        e, u, v = at(eta), at(u), at(v)
        height = at(eta + depth)
        here = height(0, 0)
        west = u(0, 0) * 0.5 * (height(0, -1) + here)
        east = u(0, 1) * 0.5 * (here + height(0, 1))
        south = v(0, 0) * 0.5 * (height(-1, 0) + here)
        north = v(1, 0) * 0.5 * (here + height(1, 0))
        return write(eta, e(0, 0) - dt * ((east - west) / dx + (north - south) / dy))

    def eastward(old, v, eta, wet):
        u, v, eta, wet = at(old), at(v), at(eta), at(wet)
        across = 0.25 * (v(0, -1) + v(0, 0) + v(1, -1) + v(1, 0))
        spin_s = (v(0, 0) - v(0, -1)) / dx - (u(0, 0) - u(-1, 0)) / dy
        spin_n = (v(1, 0) - v(1, -1)) / dx - (u(1, 0) - u(0, 0)) / dy
        energy_e = 0.25 * (u(0, 0)**2 + u(0, 1)**2 + v(0, 0)**2 + v(1, 0)**2)
        energy_w = 0.25 * (u(0, -1)**2 + u(0, 0)**2 + v(0, -1)**2 + v(1, -1)**2)
        slope = (g * (eta(0, 0) - eta(0, -1)) + energy_e - energy_w) / dx
        spread = (u(0, 1) - 2 * u(0, 0) + u(0, -1)) / dx**2 + (u(1, 0) - 2 * u(0, 0) + u(-1, 0)) / dy**2
        rate = (f + 0.5 * (spin_s + spin_n)) * across - slope - drag * u(0, 0) + viscosity * spread
        return write(old, wet(0, 0) * (u(0, 0) + dt * rate))

    def northward(old, u, eta, wet):
        u, v, eta, wet = at(u), at(old), at(eta), at(wet)
        across = 0.25 * (u(-1, 0) + u(0, 0) + u(-1, 1) + u(0, 1))
        spin_w = (v(0, 0) - v(0, -1)) / dx - (u(0, 0) - u(-1, 0)) / dy
        spin_e = (v(0, 1) - v(0, 0)) / dx - (u(0, 1) - u(-1, 1)) / dy
        energy_n = 0.25 * (u(0, 0)**2 + u(0, 1)**2 + v(0, 0)**2 + v(1, 0)**2)
        energy_s = 0.25 * (u(-1, 0)**2 + u(-1, 1)**2 + v(-1, 0)**2 + v(0, 0)**2)
        slope = (g * (eta(0, 0) - eta(-1, 0)) + energy_n - energy_s) / dy
        spread = (v(0, 1) - 2 * v(0, 0) + v(0, -1)) / dx**2 + (v(1, 0) - 2 * v(0, 0) + v(-1, 0)) / dy**2
        rate = -(f + 0.5 * (spin_w + spin_e)) * across - slope - drag * v(0, 0) + viscosity * spread
        return write(old, wet(0, 0) * (v(0, 0) + dt * rate))

    return continuity, eastward, northward


ways = {
    "slices": rates(sliced, lambda old, new: old.at[1:n - 1, 1:n - 1].set(new)),
    "rolls": rates(rolled, lambda old, new: new),
}


@partial(jax.jit, static_argnames=("count", "way"))
def run(fields, still, count, way):
    continuity, eastward, northward = ways[way[:-1]]
    depth, wet_u, wet_v = still

    def step(_, fields):
        eta, u, v = fields
        eta = continuity(eta, depth, u, v)
        u = eastward(u, v, eta, wet_u)
        v = northward(v, u, eta, wet_v)
        return eta, u, v

    return lax.fori_loop(0, count, step, fields, unroll=int(way[-1]))


@jax.jit
def start():
    j, i = lax.broadcasted_iota(jnp.int64, (n, n), 0), lax.broadcasted_iota(jnp.int64, (n, n), 1)
    sea = lambda i, j: jnp.where((i >= 2) & (j >= 2) & (i < n - 2) & (j < n - 2), 1.0, 0.0)
    eta = ((j * n + i) * 7919 % 10007).astype(jnp.float64) / 10007.0 * sea(i, j)
    zero = jnp.zeros((n, n))
    return (eta, zero, zero), (200.0 * sea(i, j), sea(i, j) * sea(i - 1, j), sea(i, j) * sea(i, j - 1))


def timed(fields, still, way):
    """The median of the seconds of a step, and what the fields' squares sum up to after all of them"""
    fields = run(fields, still, 2, way)
    found = jax.block_until_ready(run(fields, still, steps, way))
    seconds = []
    for _ in range(runs):
        begin = time.perf_counter()
        jax.block_until_ready(run(fields, still, steps, way))
        seconds.append((time.perf_counter() - begin) / steps)
    return statistics.median(seconds), float(sum(jnp.sum(a * a) for a in found))


fields, still = start()
asked = ("slices2", "slices1", "rolls2", "rolls1") if style == "all" else (style,)
tried = {way: timed(fields, still, way) for way in asked}
best = min(tried, key=lambda way: tried[way][0])
print("check", repr(tried[best][1]))
print("time", tried[best][0])
print("style", best)
for way, (seconds, check) in tried.items():
    print("tried", way, seconds, repr(check))
