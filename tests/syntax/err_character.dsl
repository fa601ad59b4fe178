let a = 3 − 1
let b = “text”
let c = 4 × 2
let d = a ? b : c
let e = a \
    + 1
let f = π
let g = a $ b
