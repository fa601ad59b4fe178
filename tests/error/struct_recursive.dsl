struct Node { value: f64
    next: Node }
struct A { b: B }
struct B { a: A
    n: int }
fn f(x: Node) -> f64 { return x.value }
