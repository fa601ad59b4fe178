let x = [1.0, 2.0]
let a = np.sin(x)
let b = numpy.zeros(3)
let c = math.pi + M_PI
let d = np.array([1, 2])
let e = np.linalg.solve(x, x)
let f = np.newfangled(x)
let g = x[:, None]
let h = array([1, 2])
let i = ones_like(x)
let j = x.shape[0] + x.size
let k = x.copy() + x.astype(f32) + x.argmax()
append(x, 2.0)
printf("%d", 3)
disp(x)
let l = str(3)
let m = "x = {}".format(3)
fn f1(x: float, n: size_t, s: Vector) -> double = x
let n = arcsin(0.5) + arctan2(1.0, 2.0) + pow(2.0, 3.0)
print(x[end])
let o = zeros(f64, [3, 3])
fn two() -> (int, int) = (1, 2)
let p = zeros(f64, two())
let q = shape(3)
let sh = (3, 0.5)
let r = zeros(f64, sh)
let concatenated = concatenate(x, x)
let rr = random(5)
let nothing_here = nil
