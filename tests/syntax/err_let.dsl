let x
let y: f64
var z
var w: f64[3]
const c
let a, b = (1, 2)
