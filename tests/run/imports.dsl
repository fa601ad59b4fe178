# Names mean in a file what they mean in it and in what it imports, whatever the importing file defines.
import "imports/sums.dsl"
const n = 4
const m = 7
struct Body { a: int }
fn helper(x: f64) -> f64 = -x
fn total(_x: f64[m]) -> f64 = 0
fn own(x: f64[n]) -> f64 = helper(x[0])
fn size_of(x: f64[p]) -> int = p

print(repeated(1.5), second(Pair(first=1, second=[2.0, 3.0])))
print(total(zeros(f64, 7)), own([1.0, 2.0, 3.0, 4.0]), twice_total([1.0, 2.0]))
print(filled(3), n, m, k, side, area([[1.0, 2.0], [3.0, 4.0]]))
print(apply(fn(x) => helper(x) * 2, 10.0), mean([1.0]), variance([1.0, 3.0]))
print(size_of(zeros(f64, 6)))
