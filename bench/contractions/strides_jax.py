# The programs of strides.dsl in JAX, compiled: milliseconds of each and of its gradient, the best of nine
import sys
import time
import numpy as np
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
reps = 9


def some(*shape, dtype=np.float32):
    i = np.arange(np.prod(shape)) * 7919 % 1009
    return (i.astype(np.float32) / np.float32(1009) - np.float32(0.5)).astype(dtype).reshape(shape)


def best(f, first, *rest):
    f = jax.jit(f)
    times = []
    for r in range(reps + 1):
        first.flat[r] += 1e-3
        x = jax.block_until_ready(jnp.asarray(first))
        start = time.perf_counter()
        jax.block_until_ready(f(x, *rest))
        times.append(time.perf_counter() - start)
    return 1000 * min(times[1:])


conv = lambda x, w, step: jax.lax.conv_general_dilated(x, w, (step, step), "VALID", dimension_numbers=("NCHW", "OIHW", "NCHW"))
plane = lambda x, w: conv(x[None, None], w[None, None], 1)[0, 0]
window = lambda x, init, op: jax.lax.reduce_window(x, init, op, (1, 2, 2), (1, 2, 2), "VALID")
w5 = np.array([[some(4096)[i * 5 + j] for j in range(5)] for i in range(5)]).astype(np.float64)
big = np.array([[(i * 1000 + j) * 7919 % 1009 / 1009 - 0.5 for j in range(1000)] for i in range(1000)])
planes = lambda: some(8, 512, 512)
cases = [
    ("strided layer", lambda x, w: jnp.sum(conv(x, w, 2) ** 2), (some(4, 32, 66, 66), some(32, 32, 3, 3)), (0, 1)),
    ("mean pooling", lambda x: jnp.sum((window(x, 0.0, jax.lax.add) / 4) ** 2), (planes(),), 0),
    ("max pooling", lambda x: jnp.sum(window(x, -jnp.inf, jax.lax.max) ** 2), (planes(),), 0),
    ("circular", lambda x, w: jnp.sum(plane(jnp.pad(x, ((0, 4), (0, 4)), mode="wrap"), w) ** 2), (big.copy(), w5), 0),
    ("border", lambda x, w: jnp.sum(plane(jnp.pad(x, 2, mode="edge"), w) ** 2), (big.copy(), w5), 0),
    ("upsampling", lambda x: jnp.sum(jnp.repeat(jnp.repeat(x, 2, 0), 2, 1) ** 3), (big.copy(),), 0),
    ("wavelet", lambda x, w: jnp.sum(sum(w[a] * jnp.roll(x.ravel(), -a)[::2] for a in range(4)) ** 2), (big.copy(), w5[0, :4]), 0),
]
for name, f, (x, *rest), by in cases:
    print(name, best(f, x, *rest), best(jax.grad(f, by), x, *rest), 0)
    sys.stdout.flush()
