let a = if x { 1 }
let b = [if i > 0 { i } else if i < 0 { -i } for i in 0:3]
if x { 1 }
