const width = 3
const shared_name = 1
fn f(x: int) -> int = x
struct S { x: int }
