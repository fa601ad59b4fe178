# kan.dsl in JAX (way=jit, way=eager) and PyTorch (way=torch): the basis is computed as efficient-kan does, by slices of all of it.
import numpy as np
from peer import noise, weights, tell, report, options, threads

way, n, reps, batch, inputs, hidden, cells = options(way="jit", threads=1, reps=7, batch=1024, inputs=16, hidden=64, cells=8)
step = np.float32(2) / np.float32(cells)
grid = ((np.arange(cells + 7) - 3).astype(np.float32) * step - np.float32(1)).astype(np.float32)
shapes = [(inputs, hidden), (inputs, cells + 3, hidden), (hidden, hidden), (hidden, cells + 3, hidden), (hidden, 1), (hidden, cells + 3, 1)]
params = [weights(s, scale, *shape) for s, scale, shape in zip([1, 4, 2, 5, 3, 6], [0.2, 0.2, 0.1, 0.1, 0.1, 0.1], shapes)]
x = weights(7, 0.9, batch, inputs)
y = (np.sin(3 * x[:, 0].astype(np.float32)) + x[:, 1] ** 2).astype(np.float32).reshape(batch, 1)
scale = lambda r: np.float32(1 - 1e-6 * r)


def network(params, x, grid, silu, floats):
    for base, spline in zip(params[0::2], params[1::2]):
        z = x[:, :, None]
        b = floats((z >= grid[:-1]) & (z < grid[1:]))
        for k in range(1, 4):
            b = (z - grid[:-(k + 1)]) / (grid[k:-1] - grid[:-(k + 1)]) * b[:, :, :-1] + (grid[k + 1:] - z) / (grid[k + 1:] - grid[1:-k]) * b[:, :, 1:]
        x = silu(x) @ base + b.reshape(b.shape[0], -1) @ spline.reshape(-1, spline.shape[-1])
    return x


if way == "torch":
    import torch
    threads(n)
    silu, floats = torch.nn.functional.silu, lambda b: b.to(torch.float32)
    grid = torch.tensor(grid)
    params = [torch.tensor(p, requires_grad=True) for p in params]
    x, y = torch.tensor(x), torch.tensor(y)

    def forward(x):
        with torch.no_grad():
            return network(params, x, grid, silu, floats)

    def gradient(x):
        return torch.autograd.grad(((network(params, x, grid, silu, floats) - y) ** 2).mean(), params)
    wait = lambda a: a
    xs = [x * float(scale(r)) for r in range(reps + 1)]
else:
    import jax
    import jax.numpy as jnp
    maybe = jax.jit if way == "jit" else lambda f: f
    floats = lambda b: b.astype(jnp.float32)
    params, x, y, grid = [jnp.asarray(p) for p in params], jnp.asarray(x), jnp.asarray(y), jnp.asarray(grid)
    silu = jax.nn.silu if way == "jit" else lambda x: x * jax.lax.logistic(x)
    run = maybe(lambda params, x: network(params, x, grid, silu, floats))
    slope = maybe(jax.grad(lambda params, x: jnp.mean((network(params, x, grid, silu, floats) - y) ** 2)))
    forward, gradient = lambda x: run(params, x), lambda x: slope(params, x)
    wait = jax.block_until_ready
    xs = [jnp.asarray(x * scale(r)) for r in range(reps + 1)]

tell("network", forward(x))
for name, g in zip(["w1", "c1", "w2", "c2", "w3", "c3"], gradient(x)):
    tell(name, g)
report("forward", reps, lambda r: wait(forward(xs[r])))
report("gradient", reps, lambda r: wait(gradient(xs[r])))
