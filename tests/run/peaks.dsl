# Peaks of a noisy signal and of one with plateaus; places and sums are those of SciPy 1.17.1:
# find_peaks(z, **options) (but among equal heights nearer than `distance`, where SciPy's choice is that of an unstable sort), peak_prominences(z, p)[0].sum(), peak_widths(z, p, rel_height=h)[0].sum() of the same z
let n = 400
let x = [sin(0.1 * i) + 0.5 * sin(0.37 * i + 1) + 0.2 * (i * 7919 % 101 / 101.0 - 0.5) for i in 0:n]
let wants = [[25.14038265018532, 250.5380030331404, 459.0891725576731], [110.0, 253.0, 468.25]]
for k in 0:2 {
    let z = [x, floor(4 * x)][k]
    let all = find_peaks(z)
    let far = find_peaks(z, distance=12)
    let several = find_peaks(z, height=0.2, distance=7, prominence=0.4, width=2)
    print(len(all), sum(all), find_peaks(z, height=0.8))
    print(len(far), sum(far), far)
    print(find_peaks(z, prominence=0.5))
    print(find_peaks(z, width=4))
    print(several)
    let p = find_peaks(z, prominence=0.3)
    print(allclose([sum(peak_prominences(z, p)), sum(peak_widths(z, p)), sum(peak_widths(z, p, rel_height=0.9))], wants[k], 1e-12))
}
# few elements, ends, plateaus at ends, equal heights side by side, ints and f32, nan, troughs
print(find_peaks([1.0, 2.0]), find_peaks([3.0, 1.0, 2.0, 2.0]), find_peaks([0, 1, 1, 0, 2, 2, 2, 0]), len(find_peaks(zeros(f64, 0))))
print(find_peaks([f32(0), 1, 0, 1, 0, 3, 0]), find_peaks([0.0, 1.0, 0.0, 1.0, 0.0], distance=3), find_peaks([0.0, nan, 0.0, 2.0, 1.0]))
print(find_peaks(-x, prominence=1), find_peaks([0.0, inf, 1.0, -inf, 0.0, -inf]))
let v = [0.0, 3.0, 1.0, 2.0, 0.5, 5.0, 4.0, 4.5, 0.0]
print(peak_prominences(v, find_peaks(v)), peak_widths(v, find_peaks(v)), peak_widths(v, [1, 5], rel_height=1.0))
# what is found may be differentiated
print(grad(fn(s: f64[m]) => sum(peak_prominences(s, find_peaks(s))))(v))
