# A second library for one program: its names are those of the first.
struct Body { x: f64, y: f64, id: i32 }
export fn same(x: f64[n]) -> f64[n] = x + 1
export fn moved(b: Body[n], by: f64) -> Body[n] = [Body(x=p.x - by, y=p.y, id=p.id) for p in b]
export fn pick(x: f64[n], at: int[k]) -> f64[k] = [x[at[i]] * 10 for i in 0:k]
