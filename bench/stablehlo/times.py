"""The same computation in XLA: written in JAX, and written by dslc --emit=stablehlo.  times.py nx ny nz steps plate plate_steps reps, in a
folder with dsl_jax.py (of docs/stablehlo.md), ocean.mlir, plate.mlir; prints rows of a table, milliseconds, medians of runs in turn."""
import os
import sys
import time

nx, ny, nz, steps, plate, plate_steps, reps = map(int, sys.argv[1:8])
sys.path[:0] = [".", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "ocean")]
sys.argv = ["ocean_jax.py", "none", str(nx), str(ny), str(nz), str(steps)]
import ocean_jax
import jax
import jax.numpy as jnp
import numpy as np
from functools import partial
import dsl_jax


def step(i, u, k):
    inner = u[1:-1, 1:-1] + k * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1])
    return u.at[1:-1, 1:-1].set(inner)


def warm(u, k):
    return jax.lax.fori_loop(0, plate_steps, lambda i, u: step(i, u, k), u)


def squares(k, u):
    return jnp.sum(jax.lax.scan(lambda u, i: (step(i, u, k), None), u, None, plate_steps)[0] ** 2)


def ocean(kh, start, forcing, kv):
    return ocean_jax.simulate(start, forcing, kh, kv, steps)


def ocean_slopes(kh, start, forcing, kv):
    value, (by_T, by_k) = jax.value_and_grad(ocean_jax.objective, argnums=(0, 1))(start[2], kh, start, forcing, kv)
    return value, by_T, by_k


def exported(name):
    function = dsl_jax.load("ocean.mlir", name)
    return lambda kh, start, forcing, kv: function(*start, *forcing, kh, kv)


def exported(name):
    function = dsl_jax.load("ocean.mlir", name)
    return lambda kh, start, forcing, kv: function(*start, *forcing, kh, kv)


def of_plate(name):
    function = dsl_jax.load("plate.mlir", name)
    return lambda k, u: function(u, k)


u = jnp.asarray(np.random.default_rng(1).random((plate, plate)))
sea = (*jax.tree.map(jnp.asarray, (ocean_jax.start, ocean_jax.forcing)), 1e-4)
rows = [("plate", lambda k, u: warm(u, k), of_plate("warm"), 0.1, (u,)),
        ("plate, gradient", jax.grad(squares), of_plate("slope"), 0.1, (u,)),
        ("ocean", ocean, exported("ocean"), 300.0, sea),
        ("ocean, gradient", ocean_slopes, exported("ocean_gradient"), 300.0, sea)]


def seconds(call, x, data):
    begin = time.perf_counter()
    jax.block_until_ready(call(x, *data))
    return time.perf_counter() - begin


for name, by_hand, by_dslc, x, data in rows:
    calls = [jax.jit(by_hand), jax.jit(by_dslc)]
    results = [jax.tree.leaves(c(x, *data)) for c in calls]
    far = max(float(jnp.max(jnp.abs(a - b)) / jnp.max(jnp.abs(a))) for a, b in zip(*results))
    times = [[seconds(c, x + 1e-6 * r, data) for c in calls] for r in range(reps)]
    a, b = (1000 * float(np.median([t[i] for t in times])) for i in (0, 1))
    print(f"| {name} | {a:.4g} | {b:.4g} | {a / b:.2f} | {far:.1e} |", flush=True)
