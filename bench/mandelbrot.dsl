# The Mandelbrot set: iterations of very different length beside each other
const width = 800
const height = 600
const limit = 200
const reps = 3

fn escape(cx: f64, cy: f64) -> int {
    var x = 0.0
    var y = 0.0
    var k = 0
    while k < limit and x * x + y * y <= 4 {
        let t = x * x - y * y + cx
        y = 2 * x * y + cy
        x = t
        k += 1
    }
    return k
}

fn picture(shift: f64) -> int = sum([escape(-2.2 + shift + 3.2 * i / width, -1.2 + 2.4 * j / height) for j in 0:height, i in 0:width])

var s = picture(0.0)
let start = time()
for r in 0:reps { s = picture(1e-9 * (s % 1000)) }
let seconds = (time() - start) / reps
print("check", s)
print("time", seconds)
