## What scientists call every day: milliseconds of each, the best of some runs.  numpy_times.py does the same with NumPy and SciPy;
## tools/bench_science.sh shows both.

arg reps: int = 5
arg table: str = "build/science.csv"
arg make: bool = false ## only write the table

fn shown(name: str, seconds: f64[n], check: f64) -> int {
    print(f"{name} {1e3 * min(seconds):.4f} {check:.6e}")
    return 0
}

if make {
    let a = rand(9, 1000000, 3)
    save(table, a, "a, b, c")
} else {
    let n = 1000000
    var x = rand(1, n)
    var seconds = zeros(f64, reps)
    var check = 0.0

    for r in 0:reps { x[0] = r; let t = time(); let y = sort(x); seconds[r] = time() - t; check += y[n // 2] }
    shown("sort", seconds, check)
    check = 0
    for r in 0:reps { x[0] = r; let t = time(); let y = argsort(x); seconds[r] = time() - t; check += y[n // 2] }
    shown("argsort", seconds, check)
    check = 0
    for r in 0:reps { x[0] = r; let t = time(); let y = median(x); seconds[r] = time() - t; check += y }
    shown("median", seconds, check)
    check = 0
    var ints = randint(2, 0, 50000, n)
    for r in 0:reps { ints[0] = r; let t = time(); let y = unique(ints); seconds[r] = time() - t; check += sum(y) }
    shown("unique", seconds, check)
    check = 0
    for r in 0:reps { x[0] = r; let t = time(); let y = unique(x); seconds[r] = time() - t; check += sum(y) }
    shown("unique_floats", seconds, check)
    check = 0
    var nodes = sort(rand(3, n))
    for r in 0:reps { nodes[0] = -f64(r); let t = time(); let y = searchsorted(nodes, x); seconds[r] = time() - t; check += sum(y) }
    shown("searchsorted", seconds, check)
    check = 0
    var y = x
    for r in 0:reps {
        let t = time()
        for k in 0:10 { x[0] = y[k]; y = cumsum(x) }
        seconds[r] = (time() - t) / 10
        check += y[n // (r + 2)]
    }
    x[0] = 0
    shown("cumsum", seconds, check)
    check = 0
    for r in 0:reps {
        let t = time()
        for k in 0:10 { x[0] = r + k; check += sum(x[x > 0.5]) }
        seconds[r] = (time() - t) / 10
    }
    shown("sum_of_mask", seconds, check)
    check = 0
    for r in 0:reps { x[0] = r; let t = time(); let y = x[x > 0.5]; seconds[r] = time() - t; check += y[len(y) - r - 1] }
    shown("mask", seconds, check)
    check = 0
    for r in 0:reps {
        let t = time()
        for k in 0:10 { y = x; y[k] = r; y[y > 0.5] = 0; check += y[k + 1] }
        seconds[r] = (time() - t) / 10
    }
    shown("mask_assign", seconds, check + sum(y))

    check = 0
    var z = c128(rand(4, 2^20), rand(5, 2^20))
    for r in 0:reps { z[0].re = r; let t = time(); let y = fft(z); seconds[r] = time() - t; check += y[3].re }
    shown("fft_2^20", seconds, check)
    check = 0
    var z6 = c128(rand(4, n), rand(5, n))
    for r in 0:reps { z6[0].re = r; let t = time(); let y = fft(z6); seconds[r] = time() - t; check += y[3].re }
    shown("fft_10^6", seconds, check)
    check = 0
    for r in 0:reps { x[0] = r; let t = time(); let y = rfft(x); seconds[r] = time() - t; check += y[3].re }
    shown("rfft_10^6", seconds, check)
    check = 0
    for r in 0:reps { x[0] = r; let t = time(); let y = irfft(rfft(x), n); seconds[r] = time() - t; check += y[3] }
    shown("irfft_rfft_10^6", seconds, check)
    check = 0
    var rows = rand(6, 1000, 1000)
    for r in 0:reps { rows[0, 0] = r; let t = time(); let y = rfft(rows); seconds[r] = time() - t; check += y[0, 3].re }
    shown("rfft_rows_1000", seconds, check)
    check = 0
    var rows2 = rand(6, 1024, 1024)
    for r in 0:reps { rows2[0, 0] = r; let t = time(); let y = rfft(rows2); seconds[r] = time() - t; check += y[0, 3].re }
    shown("rfft_rows_1024", seconds, check)
    check = 0
    var square = c128(rand(4, 1024, 1024), rand(5, 1024, 1024))
    for r in 0:reps { square[0, 0].re = r; let t = time(); let y = fft(square, axis=0); seconds[r] = time() - t; check += y[3, 0].re }
    shown("fft_columns_1024", seconds, check)
    check = 0
    for r in 0:reps { square[0, 0].re = r; let t = time(); let y = fft2(square); seconds[r] = time() - t; check += y[0, 3].re }
    shown("fft2_1024", seconds, check)
    check = 0
    var s = c128(rand(4, 1024), rand(5, 1024))
    for r in 0:reps {
        let t = time()
        for k in 0:1000 { s[0].re = r + k; let y = fft(s); check += y[3].re }
        seconds[r] = time() - t
    }
    shown("fft_1024_x1000", seconds, check)
    check = 0
    var q = rand(4, 1000)
    for r in 0:reps {
        let t = time()
        for k in 0:1000 { q[0] = r + k; let y = rfft(q); check += y[3].re }
        seconds[r] = time() - t
    }
    shown("rfft_1000_x1000", seconds, check)
    check = 0
    var pr = c128(rand(4, 10007), rand(5, 10007))
    for r in 0:reps {
        let t = time()
        for k in 0:10 { pr[0].re = r + k; let y = fft(pr); check += y[3].re }
        seconds[r] = time() - t
    }
    shown("fft_10007_x10", seconds, check)

    check = 0
    var m = rand(7, 500, 500)
    for r in 0:min(reps, 3) { m[0, 0] = r; let t = time(); let (_u, sv, _vt) = svd(m); seconds[r] = time() - t; check += sv[0] }
    shown("svd_500", seconds[0:min(reps, 3)], check)
    check = 0
    let side = 1000
    let i = arange(n)
    let right = nonzero([(k % side) < side - 1 for k in 0:n])
    let up = nonzero([k < n - side for k in 0:n])
    let a = csr(n, n, concat(concat(i, concat(right, up)), concat(right + 1, up + side)),
                concat(concat(i, concat(right + 1, up + side)), concat(right, up)),
                concat(full(4.0, n), full(-1.0, 2 * (len(right) + len(up)))))
    for r in 0:reps { x[0] = r; let t = time(); let y = times(a, x); seconds[r] = time() - t; check += sum(y * y) }
    shown("sparse_product", seconds, check)
    check = 0
    for r in 0:reps { let t = time(); let d: f64[rows_of, columns] = load(table); seconds[r] = time() - t; check += sum(d) }
    shown("csv_read", seconds, check)
}
