# A byte order mark and lines that end in CR LF
## Doc
fn f(x: f64) -> f64 {
    return x +
        1
}
# %% Cell
let y = f(1)
