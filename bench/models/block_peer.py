# block.dsl in JAX (way=jit, way=eager) and PyTorch (way=torch, way=sdpa: with PyTorch's own attention)
import numpy as np
from peer import weights, tell, report, options, threads

way, n, reps, tokens, width, heads, inner = options(way="jit", threads=1, reps=7, tokens=256, width=512, heads=8, inner=1376)
per = width // heads
x = weights(1, 1.0, tokens, width)
names = ["g1", "wq", "wk", "wv", "wo", "g2", "w1", "w3", "w2"]
params = [1 + weights(2, 0.1, width)] + [weights(s, 0.1, width, width) for s in (4, 5, 6, 7)] + [1 + weights(3, 0.1, width)]
params += [weights(8, 0.1, width, inner), weights(9, 0.1, width, inner), weights(10, 0.1, inner, width)]
half = np.arange(per) % (per // 2)
angle = np.arange(tokens)[:, None] * 10000.0 ** (-2.0 * half / per)
cosine, sine = np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)
seen = np.tril(np.ones((tokens, tokens), dtype=bool))
scale = lambda r: np.float32(1 - 1e-6 * r)


def block(params, x, cosine, sine, f):
    g1, wq, wk, wv, wo, g2, w1, w3, w2 = params
    normed = lambda x, gain: x / f.sqrt(f.mean(x ** 2, -1, keepdims=True) + 1e-5) * gain
    parted = lambda x: x.reshape(tokens, heads, per).swapaxes(0, 1)

    def rotated(x):
        turned = f.concatenate((-x[..., per // 2:], x[..., :per // 2]), -1)
        return x * cosine + turned * sine
    a = normed(x, g1)
    o = f.attention(rotated(parted(a @ wq)), rotated(parted(a @ wk)), parted(a @ wv))
    y = x + o.swapaxes(0, 1).reshape(tokens, width) @ wo
    b = normed(y, g2)
    return y + (f.silu(b @ w1) * (b @ w3)) @ w2


class F:
    pass


f = F()
if way in ("torch", "sdpa"):
    import torch
    threads(n)
    mask = torch.tensor(seen)

    def attention(q, k, v):
        s = (q @ k.swapaxes(1, 2) / per ** 0.5).masked_fill(~mask, -torch.inf)
        return torch.softmax(s, -1) @ v
    f.sqrt, f.concatenate, f.silu, f.attention = torch.sqrt, torch.concatenate, torch.nn.functional.silu, attention
    f.mean = lambda x, axis, keepdims: x.mean(axis, keepdim=keepdims)
    if way == "sdpa":
        f.attention = lambda q, k, v: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    params, x = [torch.tensor(p, requires_grad=True) for p in params], torch.tensor(x)
    cosine, sine = torch.tensor(cosine), torch.tensor(sine)

    def forward(x):
        with torch.no_grad():
            return block(params, x, cosine, sine, f)

    def gradient(x):
        return torch.autograd.grad((block(params, x, cosine, sine, f) ** 2).mean(), params)
    wait = lambda a: a
    xs = [x * float(scale(r)) for r in range(reps + 1)]
else:
    import jax
    import jax.numpy as jnp
    maybe = jax.jit if way == "jit" else lambda g: g
    f.sqrt, f.concatenate, f.silu, f.mean = jnp.sqrt, jnp.concatenate, jax.nn.silu, lambda x, axis, keepdims: jnp.mean(x, axis, keepdims=keepdims)
    f.attention = lambda q, k, v: jax.nn.softmax(jnp.where(seen, q @ k.swapaxes(1, 2) / np.float32(per ** 0.5), -jnp.inf), -1) @ v
    params, x = [jnp.asarray(p) for p in params], jnp.asarray(x)
    run = maybe(lambda params, x: block(params, x, cosine, sine, f))
    slope = maybe(jax.grad(lambda params, x: jnp.mean(block(params, x, cosine, sine, f) ** 2)))
    forward, gradient = lambda x: run(params, x), lambda x: slope(params, x)
    wait = jax.block_until_ready
    xs = [jnp.asarray(x * scale(r)) for r in range(reps + 1)]

tell("block", forward(x))
for name, g in zip(names, gradient(x)):
    tell(name, g)
report("forward", reps, lambda r: wait(forward(xs[r])))
report("gradient", reps, lambda r: wait(gradient(xs[r])))
