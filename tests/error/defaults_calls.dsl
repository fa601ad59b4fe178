fn wrong(x: f64, label: str = 3, n: int = 2.5) -> f64 = x
fn root(x: f64, tolerance: f64 = 1e-6, label: str = "root") -> f64 = x * tolerance
fn pick(x: f64[n], i: int = 0) -> f64 = x[i]
fn pick(x: f64[n, m], i: int = 0, j: int = 0) -> f64 = x[i, j]
print(root(), root(1.0, 2.0, "a", "b"), root(1.0, lable="a"), root(1.0, 1.0, tolerance=2.0), root(tolerance=1.0), root(1.0, label=2))
print(pick([1.0], k=1), pick([1.0], j=1), pick([1.0], i="a"), map(root, [1.0]))
