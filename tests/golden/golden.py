"""Writes the programs tests/run/golden_*.dsl: what NumPy and SciPy answer, as numbers in a program that compares its own.

    python3 tests/golden/golden.py        # needs numpy and scipy; the programs are checked in, tests run without
"""
import pathlib

import numpy as np

OUT = pathlib.Path(__file__).parent.parent / "run"


def text(x):
    x = np.asarray(x)
    if x.ndim:
        return "[" + ", ".join(text(v) for v in x) + "]"
    if np.iscomplexobj(x):
        im = float(x.imag)
        return f"{float(x.real)!r} {'-' if np.signbit(im) else '+'} {abs(im)!r}im"
    return repr(x.item())


class Program:
    """A program of checks; each says its name where a number is off by more than 1e-12 of the greatest."""

    def __init__(self, name, what):
        self.name, self.lines = name, [f"# {what}: made by tests/golden/golden.py with NumPy and SciPy", "var wrong = 0"]

    def same(self, label, expression, want, tolerance=1e-12):
        want = np.asarray(want)
        scale = max(float(np.max(np.abs(want))), 1e-300) if want.size else 1.0
        off = f"max(abs(reshape({expression} - {text(want)}, {want.size})))" if want.ndim else f"abs({expression} - ({text(want)}))"
        self.lines.append(f'if not ({off} <= {tolerance * scale!r}) {{ print("{label}", {off}); wrong += 1 }}')
        return self

    def line(self, text):
        self.lines.append(text)
        return self

    def write(self):
        (OUT / f"golden_{self.name}.dsl").write_text("\n".join([*self.lines, 'print("wrong:", wrong)']) + "\n")
        (OUT / f"golden_{self.name}.out").write_text("wrong: 0\nexit 0\n")


def fft():
    rng = np.random.default_rng(1)
    p = Program("fft", "Fourier transforms")
    for n in (1, 5, 8, 37):
        x = np.round(rng.standard_normal(n) + 1j * rng.standard_normal(n), 3)
        p.same(f"fft {n}", f"fft({text(x)})", np.fft.fft(x)).same(f"ifft {n}", f"ifft({text(x)})", np.fft.ifft(x))
        p.same(f"rfft {n}", f"rfft({text(x.real)})", np.fft.rfft(x.real))
        p.same(f"irfft {n}", f"irfft(rfft({text(x.real)}), {n})", x.real)
    m = np.round(rng.standard_normal((3, 4)) + 1j * rng.standard_normal((3, 4)), 3)
    p.line(f"let m = {text(m)}").same("fft2", "fft2(m)", np.fft.fft2(m)).same("ifft2", "ifft2(m)", np.fft.ifft2(m))
    for axis in (0, -1):
        p.same(f"axis {axis}", f"fft(m, axis={axis})", np.fft.fft(m, axis=axis))
    c = np.round(rng.standard_normal((2, 3, 4)), 3)
    p.line(f"let c = {text(c)}").same("fft3", "fft3(c)", np.fft.fftn(c)).same("ifft3", "ifft3(fft3(c))", c)
    for axis in range(3):
        p.same(f"axis {axis} of 3", f"fft(c, axis={axis})", np.fft.fft(c, axis=axis)).same(f"back {axis}", f"ifft(c, axis={axis})", np.fft.ifft(c, axis=axis))
    p.same("fftfreq", "fftfreq(5, 0.1)", np.fft.fftfreq(5, 0.1)).same("fftfreq even", "fftfreq(6)", np.fft.fftfreq(6))
    p.same("rfftfreq", "rfftfreq(7, 0.5)", np.fft.rfftfreq(7, 0.5)).same("shift", "fftshift(arange(5))", np.fft.fftshift(np.arange(5)))
    p.same("shift 2", "fftshift(reshape(arange(12), 3, 4))", np.fft.fftshift(np.arange(12).reshape(3, 4)))
    p.same("unshift", "ifftshift(arange(5))", np.fft.ifftshift(np.arange(5)))
    x, y = np.round(rng.standard_normal(9), 3), np.round(rng.standard_normal(4), 3)
    p.same("fftconvolve", f"fftconvolve({text(x)}, {text(y)})", np.convolve(x, y)).same("correlate", f"correlate({text(x)}, {text(y)})", np.correlate(x, y, "full"))
    p.same("hann", "hann(7)", np.hanning(7)).same("hamming", "hamming(6)", np.hamming(6)).same("blackman", "blackman(8)", np.blackman(8), 1e-15)
    import scipy.signal
    x = np.round(rng.standard_normal(40), 3)
    f, d = scipy.signal.periodogram(x, 2.0)
    p.line(f"let x = {text(x)}").same("periodogram", "periodogram(x, 2.0).1", d).same("frequencies", "periodogram(x, 2.0).0", f)
    p.same("welch", "welch(x, 2.0, 16).1", scipy.signal.welch(x, 2.0, nperseg=16)[1])
    p.write()


def peaks():
    import scipy.signal
    rng = np.random.default_rng(7)
    p = Program("peaks", "Peaks of a signal: noise, noise of whole numbers, which has plateaus")
    for name, x in (("x", np.round(rng.standard_normal(60), 3)), ("w", np.floor(2 * rng.standard_normal(60))),
                    ("z", np.round(np.cumsum(rng.standard_normal(90)), 3))):
        p.line(f"let {name} = {text(x)}")
        for options in ({}, {"height": 0.4}, {"distance": 5}, {"prominence": 1.5}, {"width": 1.5}, {"height": -0.5, "distance": 3, "prominence": 0.9, "width": 1.2}):
            if name == "w" and "distance" in options:
                continue # of equal heights SciPy keeps what an unstable sort leaves last
            given = "".join(f", {k}={v}" for k, v in options.items())
            found = scipy.signal.find_peaks(x, **options)[0]
            p.line(f'if len(find_peaks({name}{given})) != {len(found)} {{ print("number{given}"); wrong += 1 }}')
            p.same(f"{name}{given}", f"find_peaks({name}{given})[0:{len(found)}]", found) if len(found) else None
        found = scipy.signal.find_peaks(x)[0]
        p.same(f"{name}: prominences", f"peak_prominences({name}, find_peaks({name}))", scipy.signal.peak_prominences(x, found)[0])
        for part in (0.25, 0.5, 1.0):
            p.same(f"{name}: widths", f"peak_widths({name}, find_peaks({name}), {part})", scipy.signal.peak_widths(x, found, rel_height=part)[0])
    p.write()


def complex_numbers():
    p = Program("complex", "Elementary functions of complex numbers")
    p.line("let z = [0.5 + 2im, -1.5 + 0.25im, -0.75 - 3im, 2 + 0im, -2 + 0im, -4im]")
    z = np.array([0.5 + 2j, -1.5 + 0.25j, -0.75 - 3j, 2, -2, -4j])
    for name in ("exp", "log", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "abs", "log10", "conj"):
        p.same(name, f"{name}(z)", getattr(np, name)(z))
    p.same("arg", "arg(z)", np.angle(z)).same("square", "z^2", z**2).same("power", "z^(0.5 - 1im)", z ** (0.5 - 1j)).same("inverse", "z^-3", z**-3.0)
    p.same("quotient", "(3 - 1im) / z", (3 - 1j) / z).same("by reals", "z / 3", z / 3).same("product", "z * conj(z)", z * z.conj())
    p.same("sum", "sum(z)", z.sum()).same("prod", "prod(z)", z.prod()).same("mean", "mean(z)", z.mean()).same("cumsum", "cumsum(z)", z.cumsum())
    m = np.array([[1 + 1j, 2], [3j, 4]])
    p.line("let m = [[1 + 1im, 2], [3im, 4]]").same("matrix", "m @ m", m @ m).same("vector", "m @ [1, 2im]", m @ np.array([1, 2j]))
    p.same("solve", "solve(m, [1, 2im])", np.linalg.solve(m, np.array([1, 2j]))).same("inv", "inv(m)", np.linalg.inv(m))
    p.same("axis", "sum(m, axis=0)", m.sum(0)).same("mean of rows", "mean(m, axis=1)", m.mean(1))
    p.write()


def linalg():
    import scipy.linalg
    rng = np.random.default_rng(3)
    p = Program("linalg", "Decompositions of matrices")
    for m, n in ((4, 3), (3, 5), (1, 1)):
        a = np.round(rng.standard_normal((m, n)), 3)
        p.line(f"let a{m} = {text(a)}").same(f"svd {m}", f"svd(a{m}).1", np.linalg.svd(a)[1]).same(f"pinv {m}", f"pinv(a{m})", np.linalg.pinv(a))
        p.same(f"factors {m}", f"(svd(a{m}).0 * svd(a{m}).1) @ svd(a{m}).2", a).same(f"qr {m}", f"qr(a{m}).0 @ qr(a{m}).1", a)
        p.same(f"r {m}", f"abs(qr(a{m}).1)", np.abs(np.linalg.qr(a)[1])).same(f"q {m}", f"abs(qr(a{m}).0)", np.abs(np.linalg.qr(a)[0]))
        b = np.round(rng.standard_normal(m), 3)
        p.same(f"lstsq {m}", f"lstsq(a{m}, {text(b)})", np.linalg.lstsq(a, b, rcond=None)[0], 1e-11)
    a = np.round(rng.standard_normal((4, 4)), 3)
    w, v = np.linalg.eig(a)
    p.line(f"let s = {text(a)}").same("eig", "eig(s).0", w).same("vectors", "s @ eig(s).1 - eig(s).1 * eig(s).0 + 1", np.ones((4, 4)))
    for scale in (0.01, 1.0, 30.0):
        p.same(f"expm {scale}", f"expm({scale} * s)", scipy.linalg.expm(scale * a), 1e-11)
    bands, b = np.round(rng.standard_normal((4, 6)), 3) + np.array([[0], [0], [5], [0]]), np.arange(6.0)
    p.same("banded", f"solve_banded({text(bands)}, {text(b)}, 1)", scipy.linalg.solve_banded((1, 2), bands, b))
    p.write()


def calls(name, x, *more):
    return f"{name}({', '.join(text(v) for v in (x, *more))})"


def curves():
    """Splines, integrals, values on grids"""
    import scipy.integrate
    import scipy.interpolate as si
    rng = np.random.default_rng(4)
    p = Program("curves", "Curves through points, grids, integrals")
    for n in (2, 3, 4, 9):
        xs = np.cumsum(np.round(rng.random(n) + 0.1, 3))
        ys = np.round(rng.standard_normal(n), 3)
        x = np.round(np.linspace(xs[0] - 0.3, xs[-1] + 0.3, 11), 3)
        inside = x[(x >= xs[0]) & (x <= xs[-1])]
        p.same(f"cubic {n}", calls("cubic", x, xs, ys), si.CubicSpline(xs, ys)(x), 1e-11)
        p.same(f"clamped {n}", calls("cubic", x, xs, ys, 0.5, -1.0), si.CubicSpline(xs, ys, bc_type=((1, 0.5), (1, -1.0)))(x), 1e-11)
        p.same(f"natural {n}", calls("spline", inside, xs, ys), si.CubicSpline(xs, ys, bc_type="natural")(inside) if n > 2 else np.interp(inside, xs, ys), 1e-11)
        p.same(f"pchip {n}", calls("pchip", x, xs, ys), si.PchipInterpolator(xs, ys)(x))
        p.same(f"akima {n}", calls("akima", inside, xs, ys), si.Akima1DInterpolator(xs, ys)(inside))
    flat = np.array([0.0, 0, 0, 1, 1, 1, 3, 3])
    p.same("pchip of steps", calls("pchip", np.linspace(0, 7, 15), np.arange(8.0), flat), si.PchipInterpolator(np.arange(8.0), flat)(np.linspace(0, 7, 15)))
    p.same("akima of steps", calls("akima", np.linspace(0, 7, 15), np.arange(8.0), flat), si.Akima1DInterpolator(np.arange(8.0), flat)(np.linspace(0, 7, 15)))
    xs, ys, ws = np.array([0.0, 1, 2.5, 3]), np.array([-1.0, 0, 2]), np.array([0.0, 0.5])
    z, box = np.round(rng.standard_normal((4, 3)), 3), np.round(rng.standard_normal((4, 3, 2)), 3)
    at = np.round(rng.random((5, 3)) * [3, 3, 0.5] + [0, -1, 0], 3)
    p.same("grid", calls("interp", at[:, 0], at[:, 1], xs, ys, z), si.RegularGridInterpolator((xs, ys), z)(at[:, :2]))
    p.same("grid in space", calls("interp", *at.T, xs, ys, ws, box), si.RegularGridInterpolator((xs, ys, ws), box)(at))
    for n in (3, 4, 7, 8):
        y = np.round(rng.standard_normal(n), 3)
        p.same(f"simpson {n}", calls("simpson", y, 0.1), scipy.integrate.simpson(y, dx=0.1))
        p.same(f"cumtrapz {n}", calls("cumtrapz", y, 0.1), scipy.integrate.cumulative_trapezoid(y, dx=0.1, initial=0))
    at, weight = np.polynomial.legendre.leggauss(7)
    p.same("places of Gauss", "legendre_rule(7).0", at).same("weights of Gauss", "legendre_rule(7).1", weight)
    q = scipy.integrate.quad
    p.same("quad", "integrate(fn(x) => sqrt(x) * log(x), 0.0, 1.0)", q(lambda x: np.sqrt(x) * np.log(x), 0, 1, epsabs=1e-13, epsrel=1e-13)[0], 1e-9)
    p.same("quad to inf", "integrate(fn(x) => exp(-x) * cos(x), 0.0, inf)", q(lambda x: np.exp(-x) * np.cos(x), 0, np.inf)[0], 1e-9)
    p.same("quad of all", "integrate(fn(x) => 1 / (1 + x^4), -inf, inf)", q(lambda x: 1 / (1 + x**4), -np.inf, np.inf)[0], 1e-9)
    p.same("dblquad", "gauss2(fn(x, y) => exp(x * y), 0.0, 1.0, -1.0, 2.0)", scipy.integrate.dblquad(lambda y, x: np.exp(x * y), 0, 1, -1, 2)[0], 1e-11)
    p.write()


def solvers():
    """Differential equations, roots, minima, sparse systems"""
    import scipy.integrate
    import scipy.optimize
    import scipy.sparse
    import scipy.sparse.linalg
    rng = np.random.default_rng(5)
    p = Program("solvers", "Differential equations, roots, sparse systems")
    t = np.linspace(0.0, 8.0, 9)

    def best(f, y0, t, method="DOP853"):
        return scipy.integrate.solve_ivp(f, (t[0], t[-1]), y0, method=method, t_eval=t, rtol=1e-12, atol=1e-13).y.T

    p.line(f"let t = {text(t)}")
    lotka = best(lambda t, y: [1.5 * y[0] - y[0] * y[1], y[0] * y[1] - 3 * y[1]], [10.0, 5.0], t)
    p.same("Lotka and Volterra", "ode(fn(t, y) => [1.5 * y[0] - y[0] * y[1], y[0] * y[1] - 3 * y[1]], [10.0, 5.0], t, 1e-11, 1e-12)", lotka, 1e-8)
    pendulum = best(lambda t, y: [y[1], -np.sin(y[0]) - 0.1 * y[1] + 0.5 * np.cos(t)], [1.0, 0.0], t)
    p.same("driven pendulum", "ode(fn(t, y) => [y[1], -sin(y[0]) - 0.1 * y[1] + 0.5 * cos(t)], [1.0, 0.0], t, 1e-10, 1e-12)", pendulum, 1e-8)
    times = np.array([0.0, 0.4, 4.0, 40.0])
    robertson = best(lambda t, y: [-0.04 * y[0] + 1e4 * y[1] * y[2], 0.04 * y[0] - 1e4 * y[1] * y[2] - 3e7 * y[1] ** 2, 3e7 * y[1] ** 2],
                     [1.0, 0.0, 0.0], times, "Radau")
    p.same("Robertson", "ode_stiff(fn(t, y) => [-0.04 * y[0] + 1e4 * y[1] * y[2], 0.04 * y[0] - 1e4 * y[1] * y[2] - 3e7 * y[1]^2, "
           f"3e7 * y[1]^2], [1.0, 0.0, 0.0], {text(times)}, 1e-6, 1e-10)", robertson, 1e-4)
    for label, f, y0, stop, direction, code, when in (
            ("ball", lambda t, y: [y[1], -9.81 - 0.05 * y[1] * abs(y[1])], [0.0, 20.0], lambda t, y: y[0], -1,
             "fn(t, y) => [y[1], -9.81 - 0.05 * y[1] * abs(y[1])]", "fn(t, y) => y[0]"),
            ("rising prey", lambda t, y: [y[0] * (1 - y[1]), y[1] * (y[0] - 1)], [2.0, 1.0], lambda t, y: y[0] - 1, 1,
             "fn(t, y) => [y[0] * (1 - y[1]), y[1] * (y[0] - 1)]", "fn(t, y) => y[0] - 1"),
            ("falling prey", lambda t, y: [y[0] * (1 - y[1]), y[1] * (y[0] - 1)], [2.0, 1.0], lambda t, y: y[0] - 0.1 * t, 0,
             "fn(t, y) => [y[0] * (1 - y[1]), y[1] * (y[0] - 1)]", "fn(t, y) => y[0] - 0.1 * t")):
        stop.terminal, stop.direction = True, direction
        best_stop = scipy.integrate.solve_ivp(f, (t[0], t[-1]), y0, method="DOP853", t_eval=t, events=stop, rtol=1e-12, atol=1e-13)
        name = label.replace(" ", "_")
        p.line(f"let {name} = ode_until({code}, {text(np.array(y0))}, t, {when}, {direction}, 1e-11, 1e-13)")
        p.same(f"{label}: time", f"{name}.t", best_stop.t_events[0][0], 1e-9).same(f"{label}: state", f"{name}.y", best_stop.y_events[0][0], 1e-9)
        p.same(f"{label}: rows", f"{name}.rows", best_stop.y.T, 1e-8)
    p.same("brentq", "root(fn(x) => cos(x) - x, 0.0, 1.0)", scipy.optimize.brentq(lambda x: np.cos(x) - x, 0, 1, xtol=1e-15))
    rosen = scipy.optimize.minimize(scipy.optimize.rosen, [-1.2, 1.0, 0.5], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12}).x
    p.same("Nelder and Mead", "minimize(fn(x) => sum(100 * (x[i + 1] - x[i]^2)^2 + (1 - x[i])^2 for i in 0:2), [-1.2, 1.0, 0.5])", rosen, 1e-4)
    n = 12
    i, j, v = rng.integers(0, n, 40), rng.integers(0, n, 40), np.round(rng.standard_normal(40), 3)
    a = scipy.sparse.csr_array((np.concatenate([v, np.full(n, 6.0)]), (np.concatenate([i, np.arange(n)]), np.concatenate([j, np.arange(n)]))), shape=(n, n))
    b = np.round(rng.standard_normal(n), 3)
    p.line(f"let a = csr({n}, {n}, concat({text(i)}, arange({n})), concat({text(j)}, arange({n})), concat({text(v)}, full(6.0, {n})))").line(f"let b = {text(b)}")
    p.same("sparse product", "times(a, b)", a @ b).same("transposed product", "times(transposed(a), b)", a.T @ b).same("dense", "dense(a)", a.toarray())
    p.same("spsolve by gmres", "gmres(fn(v) => times(a, v), b, 1e-13)", scipy.sparse.linalg.spsolve(a.tocsc(), b), 1e-10)
    normal = (a.T @ a).tocsc()
    p.same("spsolve by cg", "cg(fn(v) => times(transposed(a), times(a, v)), b, 1e-14)", scipy.sparse.linalg.spsolve(normal, b), 1e-9)
    p.write()


def linspaces():
    """Bit for bit"""
    rng = np.random.default_rng(11)
    p = Program("linspace", "Even steps")
    for k in range(20):
        n, a, b = int(rng.integers(1, 40)), 20 * rng.random() - 10, 100 * rng.random() - 50
        p.same(f"linspace {k}", f"linspace({a!r}, {b!r}, {n})", np.linspace(a, b, n), 0)
    p.same("logspace", "logspace(-3.0, 4.0, 9)", np.logspace(-3, 4, 9), 1e-15)
    p.write()


def hermitian():
    rng = np.random.default_rng(6)
    p = Program("hermitian", "Determinants and eigenvalues of complex matrices")
    for n in (1, 2, 5):
        a = np.round(rng.standard_normal((n, n)) + 1j * rng.standard_normal((n, n)), 3)
        h = a + a.conj().T
        p.line(f"let a{n} = reshape({text(a.ravel())}, {n}, {n})").line(f"let h{n} = reshape({text(h.ravel())}, {n}, {n})").line(f"let e{n} = eigh(h{n})")
        p.same(f"det {n}", f"det(a{n})", np.linalg.det(a)).same(f"eigh {n}", f"e{n}.0", np.linalg.eigvalsh(h))
        p.same(f"vectors {n}", f"h{n} @ e{n}.1 - e{n}.1 * e{n}.0 + 1", np.ones((n, n))).same(f"unitary {n}", f"conj(e{n}.1.T) @ e{n}.1", np.eye(n))
    p.line("let same = eigh([[3 + 0im, 0, 0], [0, 3, 0], [0, 0, 1]])").same("equal eigenvalues", "same.0", [1, 3, 3]).same("their vectors", "conj(same.1.T) @ same.1", np.eye(3))
    m = np.round(rng.standard_normal((3, 4)) + 1j * rng.standard_normal((3, 4)), 3)
    p.line(f"let m = {text(m)}").same("prod down", "prod(m, axis=0)", m.prod(0)).same("prod along", "prod(m, axis=-1)", m.prod(1))
    p.write()


if __name__ == "__main__":
    curves()
    linspaces()
    solvers()
    hermitian()
    linalg()
    fft()
    peaks()
    complex_numbers()
