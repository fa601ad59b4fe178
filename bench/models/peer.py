# What the peers share: the numbers of measure.dsl, what is told of results, times in milliseconds (medians, the first run is none).
import sys
import time
import numpy as np


def noise(seed, i):
    return ((np.asarray(i, dtype=np.int64) * 7919 + seed * 104729) % 10007).astype(np.float64) / 10007.0 - 0.5


def weights(seed, scale, *shape):
    return (2 * scale * noise(seed, np.arange(int(np.prod(shape))))).astype(np.float32).reshape(shape)


def tell(what, x):
    x = np.asarray(x, dtype=np.float64).ravel()
    print("check", what, np.sqrt(np.sum(x * x)), np.sum(x * noise(99, np.arange(x.size))))


def report(what, reps, f):
    """f(r): the r-th run, which waits for its result"""
    took = []
    for r in range(reps + 1):
        start = time.perf_counter()
        f(r)
        took.append(time.perf_counter() - start)
    print(what, 1000 * float(np.median(took[1:])))


def options(**defaults):
    """of the command line, name=value"""
    given = dict(a.split("=") for a in sys.argv[1:])
    return [type(v)(given.get(k, v)) for k, v in defaults.items()]


def threads(n):
    """of PyTorch; JAX takes the processors that the process may use (taskset)"""
    import torch
    torch.set_num_threads(n)
