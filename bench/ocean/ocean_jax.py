"""The model of ocean.dsl in JAX (jit, lax.scan, f64) and, eager, in NumPy.  ocean_jax.py MODE nx ny nz steps [reps]:
state (compares with ocean_dslc.npz), forward, gradient, remat (jax.checkpoint of each step), numpy: milliseconds of a step;
of gradient and remat, too, the most memory that the process had."""
import os
import resource
import sys
import time
from functools import partial

threads = os.environ.get("DSL_NUM_THREADS", "1")
if threads == "1":
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
import numpy as np

mode, nx, ny, nz, steps = sys.argv[1], *map(int, sys.argv[2:6])
reps = int(sys.argv[6]) if len(sys.argv) > 6 else 3
eager = mode == "numpy"
if not eager:
    import jax
    import jax.numpy as jnp
    from jax import lax
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")
    xp = jnp
else:
    xp = np

extent, depth = 1.0e6, 1000.0
dx, dy, dz, dt = extent / nx, extent / ny, depth / nz, 300.0
substeps = 20
dtau = 2 * dt / substeps
g, f, expansion, contraction = 9.81, 1.0e-4, 2.0e-4, 8.0e-4
viscosity, mixing, drag, chi = 500.0, 1.0e-3, 1.0e-3, 0.1


def west(a): return xp.roll(a, 1, -1)
def east(a): return xp.roll(a, -1, -1)
def south(a): return xp.roll(a, 1, -2)
def north(a): return xp.roll(a, -1, -2)
def ddx(flux): return (east(flux) - flux) / dx
def ddy(flux): return (north(flux) - flux) / dy
def ddz(flux): return (flux[1:] - flux[:-1]) / dz
def between(bottom, inside, top): return xp.concatenate([bottom[None], inside, top[None]])
def laplacian(a): return (east(a) - 2 * a + west(a)) / dx**2 + (north(a) - 2 * a + south(a)) / dy**2


def upwind(c, before2, before, behind, behind2):
    return c * xp.where(c > 0, (2 * behind + 5 * before - before2) / 6, (2 * before + 5 * behind - behind2) / 6)


def tracer_rate(c, u, v, w, surface, kh, kv):
    x = upwind(u, west(west(c)), west(c), c, east(c)) - kh * (c - west(c)) / dx
    y = upwind(v, south(south(c)), south(c), c, north(c)) - kh * (c - south(c)) / dy
    z = w[1:-1] * 0.5 * (c[1:] + c[:-1]) - kv * (c[1:] - c[:-1]) / dz
    return -(ddx(x) + ddy(y) + ddz(between(xp.zeros_like(surface), z, surface)))


def pressure(b):
    halves = 0.5 * dz * b
    return halves - 2 * xp.cumsum(halves[::-1], axis=0)[::-1]


def upward(u, v):
    return xp.concatenate([xp.zeros((1, ny, nx)), xp.cumsum(-dz * (ddx(u) + ddy(v)), axis=0)])


def u_rate(u, v, w, p, wind):
    middle = 0.5 * (u + east(u))
    x = middle * middle
    y = 0.25 * (v + west(v)) * (u + south(u))
    z = 0.25 * (w + west(w))[1:-1] * (u[1:] + u[:-1]) - mixing * (u[1:] - u[:-1]) / dz
    vertical = ddz(between(-drag * u[0], z, -wind))
    across = 0.25 * (v + west(v) + north(v) + north(west(v)))
    return f * across - (p - west(p)) / dx - (x - west(x)) / dx - ddy(y) - vertical + viscosity * laplacian(u)


def v_rate(u, v, w, p):
    middle = 0.5 * (v + north(v))
    y = middle * middle
    x = 0.25 * (u + south(u)) * (v + west(v))
    z = 0.25 * (w + south(w))[1:-1] * (v[1:] + v[:-1]) - mixing * (v[1:] - v[:-1]) / dz
    vertical = ddz(between(-drag * v[0], z, xp.zeros((ny, nx))))
    across = 0.25 * (u + south(u) + east(u) + east(south(u)))
    return -f * across - (p - south(p)) / dy - (y - south(y)) / dy - ddx(x) - vertical + viscosity * laplacian(v)


def short_step(state, push_u, push_v):
    eta, hu, hv, eta_mean, hu_mean, hv_mean = state
    eta = eta - dtau * ((east(hu) - hu) / dx + (north(hv) - hv) / dy)
    hu = hu + dtau * (push_u - g * depth * (eta - west(eta)) / dx)
    hv = hv + dtau * (push_v - g * depth * (eta - south(eta)) / dy)
    return eta, hu, hv, eta_mean + eta / substeps, hu_mean + hu / substeps, hv_mean + hv / substeps


def surface(eta, hu, hv, push_u, push_v):
    zero = xp.zeros((ny, nx))
    state = (eta, hu, hv, zero, zero, zero)
    if eager:
        for _ in range(substeps):
            state = short_step(state, push_u, push_v)
    else:
        state = lax.fori_loop(0, substeps, lambda s, c: short_step(c, push_u, push_v), state)
    return state[3:]


def rates(o, forcing, kh, kv):
    u, v, T, S, eta = o
    wind, heat = forcing
    w = upward(u, v)
    p = pressure(g * (expansion * T - contraction * S))
    return (u_rate(u, v, w, p, wind), v_rate(u, v, w, p), tracer_rate(T, u, v, w, heat, kh, kv),
            tracer_rate(S, u, v, w, xp.zeros((ny, nx)), kh, kv))


def ahead(now, before, first):
    if eager:
        return now if first else (1.5 + chi) * now - (0.5 + chi) * before
    return jnp.where(first, now, (1.5 + chi) * now - (0.5 + chi) * before)


def step(o, last, t, forcing, kh, kv):
    now = rates(o, forcing, kh, kv)
    gu, gv, gT, gS = (ahead(a, b, t == 0) for a, b in zip(now, last))
    u, v = o[0] + dt * gu, o[1] + dt * gv
    eta, hu, hv = surface(o[4], dz * o[0].sum(0), dz * o[1].sum(0), dz * gu.sum(0), dz * gv.sum(0))
    return (u + (hu - dz * u.sum(0)) / depth, v + (hv - dz * v.sum(0)) / depth, o[2] + dt * gT, o[3] + dt * gS, eta), now


def simulate(start, forcing, kh, kv, steps, remat=False):
    last = rates(start, forcing, kh, kv)
    if eager:
        o = start
        for t in range(steps):
            o, last = step(o, last, t, forcing, kh, kv)
        return o
    turn = lambda carry, t: (step(*carry, t, forcing, kh, kv), None)
    if remat:
        turn = jax.checkpoint(turn)
    return lax.scan(turn, (start, last), jnp.arange(steps))[0][0]


def objective(T0, kh, start, forcing, kv):
    u, v, T, S, eta = simulate((start[0], start[1], T0, *start[3:]), forcing, kh, kv, steps, mode == "remat")
    return xp.mean(T[nz // 2:, :, 0:nx // 2]) + 0.5 * xp.mean(u**2 + v**2)


def noise(seed):
    k, j, i = np.meshgrid(np.arange(nz), np.arange(ny), np.arange(nx), indexing="ij")
    return (((k * ny + j) * nx + i) * 7919 + seed * 104729) % 10007 / 10007.0 - 0.5


i, j, k = np.arange(nx) + 0.5, (np.arange(ny) + 0.5)[:, None], (np.arange(nz) + 0.5)[:, None, None]
full = lambda a: a + np.zeros((nz, ny, nx))
start = (full(0.2 * np.sin(2 * np.pi * j / ny)) + 0.02 * noise(1), full(0.1 * np.sin(4 * np.pi * i / nx)) + 0.02 * noise(2),
         5 + 15 * k / nz + 2 * np.sin(2 * np.pi * i / nx) * np.cos(2 * np.pi * j / ny) + 0.1 * noise(3),
         full(35 - k / nz) + 0.1 * noise(4), 0.1 * np.cos(2 * np.pi * i / nx) + np.zeros((ny, nx)))
forcing = (1.0e-4 * np.sin(2 * np.pi * j / ny) + np.zeros((ny, nx)), 2.0e-5 * np.cos(2 * np.pi * j / ny) + np.zeros((ny, nx)))
kh, kv = 300.0, 1.0e-4


def timed(call):
    call(kh)
    took = []
    for r in range(reps):
        begin = time.perf_counter()
        call(kh + r)
        took.append(time.perf_counter() - begin)
    return 1000 * np.median(took) / steps


if mode == "numpy":
    print(f"{timed(lambda kh: simulate(start, forcing, kh, kv, steps)):.4f}")
    sys.exit()
start, forcing = jax.tree.map(jnp.asarray, (start, forcing))
run = jax.jit(partial(simulate, steps=steps))
slope = jax.jit(jax.value_and_grad(objective, argnums=(0, 1)))
if mode == "forward":
    print(f"{timed(lambda kh: jax.block_until_ready(run(start, forcing, kh, kv))):.4f}")
if mode in ("gradient", "remat"):
    took = timed(lambda kh: jax.block_until_ready(slope(start[2], kh, start, forcing, kv)))
    print(f"{took:.4f} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}")
if mode == "state":
    theirs = np.load("ocean_dslc.npz")
    end = run(start, forcing, kh, kv)
    value, (gT, gk) = slope(start[2], kh, start, forcing, kv)
    for name, a in zip(("u", "v", "T", "S", "eta", "gradient"), (*end, gT)):
        print(f"{name} differs by {np.max(np.abs(theirs[name] - a)) / np.max(np.abs(a)):.1e} of its greatest")
    print(f"{value:.17g} {gk:.17g}")
