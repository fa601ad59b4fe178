# A second library for one program: its names are those of the first.
struct Body { x: f64, y: f64, id: i32 }
export fn same(x: f64[n]) -> f64[n] = x + 1
export fn moved(b: Body[n], by: f64) -> Body[n] = [Body(x=p.x - by, y=p.y, id=p.id) for p in b]
# Parameters that are called like types of the header, and a size that may not fit
struct Word { other_Body: f64 }
export fn named(other_Body: Body, other_context: f64, other_status: Word) -> Word = Word(other_Body=other_Body.x + other_context + other_status.other_Body)
export fn square(n: int, x: f64[n * n]) -> f64[n * n + 1] = [if i < n * n { x[i] } else { 0.0 } for i in 0:n * n + 1]
export fn pick(x: f64[n], at: int[k]) -> f64[k] = [x[at[i]] * 10 for i in 0:k]
