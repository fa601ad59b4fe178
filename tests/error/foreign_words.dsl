let x = [1.0, 2.0]
for i = 1:10 { print(i) }
let a = x .* x
let b = x .^ 2
let c = 3 if true else 4
let d = 1:10
let e = 3 <> 4
var f = [0.0; 5]
x(1) = 3.0
if 2 in x { print(1) }
let g = inv(x) \ x
const int N = 5
let mut h = 3
from math import sin
import numpy as np
using LinearAlgebra
switch x {
}
