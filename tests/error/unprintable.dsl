let x = 3[31m
let b = ÿ
# title
let c = Â…y
