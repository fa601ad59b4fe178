"""Rows of a table of JAX's times: what programs of bench/ do, each alone, of f32 and f64.

    [RUNS=20] [ROWS="softmax sum"] python3 rows_jax.py N...

Prints NAME_TYPE and milliseconds for arrays of N*N elements: N by N, as one axis (triad, chain, norm, sum, scan), or a
cube of about as many (stencil3d, whose side stands behind the time).  The median of RUNS measurements, each of as many
repetitions as take some 10 ms, waited for at its end: once as calls after each other, and once as a loop inside one,
where the result of a repetition goes into the next.  The faster of the two counts, and its name stands there.  Calls
that are faster than the processor can start them are named "calls, late".
Products are full: f32 is not rounded to tf32.
"""
import os
import statistics
import sys
import time

import jax
import jax.numpy as jnp
from jax import lax

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_default_matmul_precision", "highest")
runs = int(os.environ.get("RUNS", 20))
chosen = os.environ.get("ROWS", "").split()
least = 0.01


def triad(s, b, c):
    return b + s * c


def chain(x):
    return jnp.sqrt(jnp.abs(x * 1.5 - 2.0)) + 0.25


def stencil2d(u):
    inner = u[1:-1, 1:-1] + 0.2 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1])
    return u.at[1:-1, 1:-1].set(inner)


def stencil3d(u):
    o = slice(1, -1)
    sides = u[:-2, o, o] + u[2:, o, o] + u[o, :-2, o] + u[o, 2:, o] + u[o, o, :-2] + u[o, o, 2:]
    return u.at[1:-1, 1:-1, 1:-1].set(0.4 * u[1:-1, 1:-1, 1:-1] + 0.1 * sides)


def layernorm(x):
    mean = jnp.mean(x, axis=1, keepdims=True)
    return (x - mean) * lax.rsqrt(jnp.var(x, axis=1, keepdims=True) + 1e-5)


# Of each row: what it computes, the axes of its arguments, and the arguments of repetition k from those before and the
# result then (a number of which is another one, so that two repetitions cannot become one)
again = lambda k, args, out: (out.at[k].add(0.001) if out.ndim == 1 else out.at[k, 0].add(0.001),)
touch = lambda k, args, out: (args[0].at[k].set(1e-6 * out),)
rows = {
    "triad": (triad, "-11", lambda k, args, out: (args[0] + 1, *args[1:])),
    "chain": (chain, "1", again),
    "stencil2d": (stencil2d, "2", again),
    "stencil3d": (stencil3d, "3", again),
    "transpose": (lambda x: x.T, "2", again),
    "layernorm": (layernorm, "2", again),
    "softmax": (lambda x: jax.nn.softmax(3.0 * x, axis=1), "2", again),
    "norm": (jnp.linalg.norm, "1", touch),
    "sum": (jnp.sum, "1", touch),
    "scan": (jnp.cumsum, "1", lambda k, args, out: (args[0].at[k].set(1e-7 * out[-1]),)),
    "matmul": (jnp.matmul, "22", lambda k, args, out: (args[0], args[1].at[k, k].set(out[k, k] * 0.001))),
}


def numbers(shape, dtype):
    count = 1
    for side in shape:
        count *= side
    make = lambda: (jnp.arange(count) * 7919 % 10007).astype(dtype).reshape(shape) / jnp.asarray(10007, dtype)
    return jax.jit(make)()


def median(run, count):
    """Milliseconds of one of the count repetitions that run() does, and of these the part in which run() came back"""
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        out = run()
        started = time.perf_counter() - begin
        jax.block_until_ready(out)
        times.append((time.perf_counter() - begin, started))
        del out
    took, started = sorted(times)[len(times) // 2]
    return 1e3 * took / count, started / took


def measure(compute, args, following):
    single = jax.jit(compute)
    jax.block_until_ready(single(*args))
    begin = time.perf_counter()
    jax.block_until_ready(single(*args))
    count = max(2, min(200, args[-1].shape[0] - 1, int(least / (time.perf_counter() - begin)) + 1))

    def calls():
        for _ in range(count):
            out = single(*args)
        return out

    @jax.jit
    def loop(*args):
        def turn(k, state):
            args, out = state
            return (now := following(k, args, out)), compute(*now)

        return lax.fori_loop(0, count - 1, turn, (args, compute(*args)))[1]

    jax.block_until_ready(loop(*args))
    alone, part = median(calls, count)
    inside, _ = median(lambda: loop(*args), count)
    return (alone, "calls, late" if part > 0.9 else "calls") if alone < inside else (inside, "loop")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.splitlines()[2].strip())
    for size in sys.argv[1:]:
        n = int(size)
        cube = round(n ** (2 / 3))
        shapes = {"1": (n * n,), "2": (n, n), "3": (cube, cube, cube)}
        print(f"# n = {n}, {jax.devices()[0].device_kind}, JAX {jax.__version__}", flush=True)
        for name, (compute, axes, following) in rows.items():
            for dtype in ("f32", "f64") if not chosen or name in chosen else ():
                kind = {"f32": jnp.float32, "f64": jnp.float64}[dtype]
                try:
                    args = tuple(jnp.asarray(3, kind) if a == "-" else numbers(shapes[a], kind) for a in axes)
                    took, how = measure(compute, args, following)
                    print(f"{name}_{dtype} {took:.6f} ({how}{f', side {cube}' if '3' in axes else ''})", flush=True)
                except Exception as error:
                    print(f"{name}_{dtype} failed: {str(error).splitlines()[0]}", flush=True)


main()
