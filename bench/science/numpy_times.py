"""Milliseconds of NumPy and SciPy for what science.dsl does, on random numbers of the same kind.

    python3 numpy_times.py TABLE.csv [REPS]
"""
import os
import sys
import time

import numpy as np
import scipy.fft
import scipy.linalg
import scipy.sparse

table, reps = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
workers = int(os.environ.get("OMP_NUM_THREADS", "1"))
rng = np.random.default_rng(1)


def best_of(name, *fs, times=reps):
    """The fastest of several ways, for a user takes any of them"""
    best = 1e9
    for _ in range(times):
        for f in fs:
            start = time.perf_counter()
            f()
            best = min(best, time.perf_counter() - start)
    print(f"{name} {1e3 * best:.4f}", flush=True)


def both(name, f, call, x):
    """NumPy's transform and SciPy's, which has threads"""
    best_of(name, lambda: getattr(np.fft, f)(x, **call), lambda: getattr(scipy.fft, f)(x, workers=workers, **call))


def many(count, f):
    for _ in range(count):
        f()


n = 1000000
x = rng.random(n)
ints = rng.integers(0, 50000, n)
nodes = np.sort(rng.random(n))
best_of("sort", lambda: np.sort(x))
best_of("argsort", lambda: np.argsort(x))
best_of("median", lambda: np.median(x))
best_of("unique", lambda: np.unique(ints))
best_of("unique_floats", lambda: np.unique(x))
best_of("searchsorted", lambda: np.searchsorted(nodes, x))
best_of("cumsum", lambda: np.cumsum(x))
best_of("sum_of_mask", lambda: np.sum(x[x > 0.5]))
best_of("mask", lambda: x[x > 0.5])


def assigned():
    w = x.copy()
    w[w > 0.5] = 0


best_of("mask_assign", assigned)
z = rng.random(2**20) + 1j * rng.random(2**20)
z6 = rng.random(n) + 1j * rng.random(n)
both("fft_2^20", "fft", {}, z)
both("fft_10^6", "fft", {}, z6)
both("rfft_10^6", "rfft", {}, x)
best_of("irfft_rfft_10^6", lambda: np.fft.irfft(np.fft.rfft(x), n),
        lambda: scipy.fft.irfft(scipy.fft.rfft(x, workers=workers), n, workers=workers))
both("rfft_rows_1000", "rfft", {}, rng.random((1000, 1000)))
both("rfft_rows_1024", "rfft", {}, rng.random((1024, 1024)))
square = rng.random((1024, 1024)) + 1j * rng.random((1024, 1024))
both("fft_columns_1024", "fft", {"axis": 0}, square)
both("fft2_1024", "fft2", {}, square)
s, q, p = z[:1024].copy(), x[:1000].copy(), z[:10007].copy()
best_of("fft_1024_x1000", lambda: many(1000, lambda: np.fft.fft(s)), lambda: many(1000, lambda: scipy.fft.fft(s)))
best_of("rfft_1000_x1000", lambda: many(1000, lambda: np.fft.rfft(q)), lambda: many(1000, lambda: scipy.fft.rfft(q)))
best_of("fft_10007_x10", lambda: many(10, lambda: np.fft.fft(p)), lambda: many(10, lambda: scipy.fft.fft(p)))
m = rng.random((500, 500))
best_of("svd_500", lambda: np.linalg.svd(m), lambda: scipy.linalg.svd(m), times=3)
side = 1000
one = scipy.sparse.eye_array(side)
line = scipy.sparse.diags_array([np.full(side, 2.0), np.full(side - 1, -1.0), np.full(side - 1, -1.0)], offsets=[0, 1, -1])
a = (scipy.sparse.kron(one, line) + scipy.sparse.kron(line, one)).tocsr()
best_of("sparse_product", lambda: a @ x)
best_of("csv_read", lambda: np.loadtxt(table, delimiter=",", skiprows=1), times=min(reps, 2))
