struct Point { x: f64
    y: f64 }
let p = Point(1.0, 2.0)
let t = (1, 2)
let a = [1.0]
print(p.z, p.xx, t.2, a.shape, a.sum, t.x, p.0, 3.x)
print(Point(1.0), Point(1.0, 2.0, 3.0), Point(x=1.0, z=2.0), Point(x=1.0, x=2.0), Point("a", 2.0))
