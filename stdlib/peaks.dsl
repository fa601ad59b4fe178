# Peaks of a sampled signal, by the definitions of SciPy's scipy.signal.find_peaks.

# Elements greater than what stands on both sides; of equal ones side by side the middle one, the left of two
fn _highest(x: f64[n]) -> bool[n] {
    var found = [false for i in 0:n]
    var i = 1
    while i < n - 1 {
        var next = i + 1
        if x[i - 1] < x[i] {
            while next < n - 1 and x[next] == x[i] { next += 1 }
            if x[next] < x[i] { found[(i + next - 1) // 2] = true }
            else { next = i + 1 }
        }
        i = next
    }
    return found
}

# The base on one side, step -1 or 1: the place of the least element before one that is higher than the peak, or before the end
fn _base(x: f64[n], peak: int, step: int) -> int {
    var base = peak
    var i = peak
    while i >= 0 and i < n {
        if not (x[i] <= x[peak]) { return base }
        if x[i] < x[base] { base = i }
        i += step
    }
    return base
}
fn _prominence(x: f64[n], peak: int) -> f64 = x[peak] - max(x[_base(x, peak, -1)], x[_base(x, peak, 1)])

# Where the signal comes down to `level` on one side, a straight line between elements, not further than the base
fn _crossing(x: f64[n], peak: int, step: int, level: f64) -> f64 {
    let base = _base(x, peak, step)
    var i = peak
    while i != base and level < x[i] { i += step }
    return if x[i] < level { i - step * (level - x[i]) / (x[i - step] - x[i]) } else { f64(i) }
}
fn _peak_width(x: f64[n], peak: int, part: f64) -> f64 {
    let level = x[peak] - part * _prominence(x, peak)
    return _crossing(x, peak, 1, level) - _crossing(x, peak, -1, level)
}

fn _check_peaks(n: int, peaks: int[k]) {
    assert all(p >= 0 and p < n for p in peaks), f"peaks are places in an array of {n} elements"
}

## How far each peak stands out: its height above the higher one of two bases, which are the lowest elements between it and a higher one, or the end
fn peak_prominences(x: f64[n], peaks: int[k]) -> f64[k] {
    _check_peaks(n, peaks)
    return [_prominence(x, p) for p in peaks]
}

## How wide each peak is, in samples, at the part rel_height of its prominence below its top
fn peak_widths(x: f64[n], peaks: int[k], rel_height: f64 = 0.5) -> f64[k] {
    _check_peaks(n, peaks)
    assert rel_height >= 0, "a part of the prominence is not negative"
    return [_peak_width(x, p, rel_height) for p in peaks]
}

# Which peaks stay where there are lower ones less than `distance` from higher ones: from the highest down, each takes those beside it away
fn _far_apart(at: int[k], height: f64[k], distance: int) -> bool[k] {
    var keep = [true for i in 0:k]
    let order = argsort(height)
    for r in 0:k {
        let j = order[k - 1 - r]
        if keep[j] {
            var i = j - 1
            while i >= 0 and at[j] - at[max(i, 0)] < distance {
                keep[i] = false
                i -= 1
            }
            i = j + 1
            while i < k and at[min(i, k - 1)] - at[j] < distance {
                keep[i] = false
                i += 1
            }
        }
    }
    return keep
}

## The places of the peaks of x: elements greater than their neighbours (of a plateau the middle). Of them only those of at least this height, that
## have no higher one nearer than `distance` samples, and that stand out by at least this prominence and are at least so many samples wide
fn find_peaks(x: f64[n], height: f64 = -1.7976931348623157e308, distance: int = 1, prominence: f64 = 0.0, width: f64 = 0.0) -> int[found] {
    assert distance >= 1, f"find_peaks: a distance is 1 sample or more, here it is {distance}"
    let all = nonzero(_highest(x))
    let high = all[[not (x[p] < height) for p in all]]
    let apart = high[if distance > 1 { _far_apart(high, x[high], distance) } else { [true for p in high] }]
    let far = apart[[prominence <= 0 or _prominence(x, p) >= prominence for p in apart]]
    return far[[width <= 0 or _peak_width(x, p, 0.5) >= width for p in far]]
}
