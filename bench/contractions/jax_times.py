# The programs of contractions.dsl in JAX, compiled, and in NumPy (einsum with optimize, sliding windows): milliseconds, the best of seven
import sys
import time
import numpy as np
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def some(*shape, dtype=np.float32):
    i = np.arange(np.prod(shape)) * 7919 % 1009
    return (i.astype(dtype) / dtype(1009) - dtype(0.5)).reshape(shape)


def best(f, first, *rest, wait=lambda r: r):
    times = []
    for r in range(8):
        first = first.copy()
        first.flat[r] += np.float32(1e-3)
        x = wait(jnp.asarray(first)) if wait is not same else first
        start = time.perf_counter()
        wait(f(x, *rest))
        times.append(time.perf_counter() - start)
    return 1000 * min(times[1:])


def same(r): return r
def done(r): return jax.block_until_ready(r)


conv1 = lambda p, w: jax.lax.conv_general_dilated(p, w, (1,), "VALID", dimension_numbers=("NCH", "OIH", "NCH"))
conv2 = lambda p, w: jax.lax.conv_general_dilated(p, w, (1, 1), "VALID", dimension_numbers=("NCHW", "OIHW", "NCHW"))
loss = lambda p, w: jnp.sum(conv2(p, w) ** 2)
windows = np.lib.stride_tricks.sliding_window_view
einsum = lambda text: lambda x, y: np.einsum(text, x, y, optimize=True)
cases = [
    ("dense", (some(8, 128, 256), some(256, 256)), lambda x, w: jnp.einsum("btk,kj->btj", x, w), einsum("btk,kj->btj")),
    ("scores", (some(4, 128, 8, 64), some(4, 128, 8, 64)), lambda q, p: jnp.einsum("bthk,bshk->bhts", q, p), einsum("bthk,bshk->bhts")),
    ("contraction", (some(300, 20, 30, dtype=np.float64), some(30, 20, 300, dtype=np.float64)),
     lambda x, y: jnp.einsum("ikl,lkj->ij", x, y), einsum("ikl,lkj->ij")),
    ("conv1", (some(4, 64, 1000), some(64, 64, 5)), conv1, lambda p, w: einsum("bljv,klv->bkj")(windows(p, 5, axis=2), w)),
    ("conv2", (some(4, 32, 66, 66), some(32, 32, 3, 3)), conv2,
     lambda p, w: einsum("blijcd,klcd->bkij")(windows(p, (3, 3), axis=(2, 3)), w)),
    ("conv2_gradient", (some(4, 32, 66, 66), some(32, 32, 3, 3)), jax.grad(loss, argnums=(0, 1)), None),
    ("series", (some(2000, dtype=np.float64), some(200, 200, dtype=np.float64)),
     lambda x, c: jnp.cos(x[:, None] * jnp.arange(200.0)) @ c, lambda x, c: np.cos(x[:, None] * np.arange(200.0)) @ c),
]
for name, (x, y), by_jax, by_numpy in cases:
    took = best(jax.jit(by_jax), x, jnp.asarray(y), wait=done)
    print(name, took, best(by_numpy, x, y, wait=same) if by_numpy else "nan")
    sys.stdout.flush()
