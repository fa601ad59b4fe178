f(a=1, 2)
f(for)
print "hello"
print(r"x = {x}")
let y = x[]
let z = fn(x) -> x
let w = fn(x) { x }
let v = lambda x: x
import numpy as np
return 1, 2
i++
