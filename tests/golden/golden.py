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


if __name__ == "__main__":
    linalg()
    fft()
    complex_numbers()
