# Words that are special only where they stand
let block = 1
let thread = block
let progress = thread
let min = progress
let max = min
let def = max
let elif = def
let function = elif
def + function
atomic_add(min, max)
let T = 3
let _ = f(x)
let lambda = fn() => 1
let f32 = 2
