# The programs of algebra.dsl in NumPy: as they are written there, and in the order in which somebody puts them who counts operations.
# Milliseconds, the best of seven.
import time
import numpy as np

rng = np.random.default_rng(1)
some = lambda n, m: rng.random((n, m)) - 0.5


def best(f, *x):
    times = []
    for r in range(7):
        first = x[0] + r if f is not chain_best and f is not chain else x[0]
        start = time.perf_counter()
        f(first, *x[1:])
        times.append(time.perf_counter() - start)
    return 1000 * min(times)


def chain(a, b, c, d): return a @ b @ c @ d
def chain_best(a, b, c, d): return np.linalg.multi_dot([a, b, c, d])
def kalman(p, k, h): return p - k @ h @ p
def kalman_best(p, k, h): return p - k @ (h @ p)


def joseph(p, k, h, r):
    kept = np.eye(len(p)) - k @ h
    return kept @ p @ kept.T + k @ r @ k.T


def joseph_best(p, k, h, r):
    kept = p - k @ (h @ p)
    return kept - (kept @ h.T) @ k.T + (k @ r) @ k.T


def gradient_of_rows(v, a, x): return np.sum(2 * (np.diag(v) @ a + x) * a, axis=1)
def gradient_of_rows_best(v, a, x): return np.einsum("ij,ij->i", 2 * (v[:, None] * a + x), a)
def linear_attention(q, k, v): return q @ k.T @ v / len(q)
def linear_attention_best(q, k, v): return q @ (k.T @ v) / len(q)


def symmetric(a):
    x = a + a.T
    p = x @ x
    return p + p.T


def symmetric_best(a):
    x = a + a.T
    return 2 * (x @ x)


def common(a, b, c): return a @ b + a @ c
def common_best(a, b, c): return a @ (b + c)
def low_rank(u, x, v): return u - 0.001 * ((u @ v - x) @ v.T)
def low_rank_best(u, x, v): return u - 0.001 * (u @ (v @ v.T) - x @ v.T)


chains = some(30, 1500), some(1500, 40), some(40, 1500), some(1500, 50)
p, gain, seen, noise = some(800, 800), some(800, 6), some(6, 800), some(6, 6)
q, k, v = some(2000, 64), some(2000, 64), some(2000, 64)
u, w = some(800, 10), some(10, 800)
for name, x in [("chain", chains), ("kalman", (p, gain, seen)), ("joseph", (p, gain, seen, noise)), ("gradient_of_rows", (p[0], p, p)),
                ("linear_attention", (q, k, v)),
                ("symmetric", (p,)), ("common", (p, p, p - 1)), ("low_rank", (u, p, w))]:
    written, by_hand = globals()[name], globals()[name + "_best"]
    assert np.allclose(written(*x), by_hand(*x))
    print(name, best(written, *x), best(by_hand, *x))
