def f(x: f64) -> f64 {
    if x > 0 && x < 1 || !(x == 2) {
        return x ** 2
    } elif x === 3 {
        return 3
    }
    y := 4
    /* a comment
       of C */
    return x // a comment of C++
}
