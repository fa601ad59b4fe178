struct Grid { n: int
    u: f64[n]
    v: f64[n] }
var g = Grid(3, [1.0, 2.0, 3.0], [1.0, 2.0])
var h = Grid(2, [1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
var k = Grid(2, [1.0, 2.0], [1.0, 2.0])
k.n = 5
k.u = [1.0, 2.0, 3.0]
print(g, h, k)
