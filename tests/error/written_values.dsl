let m = [1 2; 3 4]
let k = [1, 2; 3, 4]
let l = [1 -2 3]
push!(l, 4)
sort!(l)
% a comment
let i = 1
if i > 0 & i < 9 { print(i) }
if i == 0 | i == 3 { print(i) }
print(f"{'name':<8}")
print(f"{"name":<8}", l)
print(f"{l.T[0]}", m'*m)
let p = new P(1, 2)
If i > 0 {
    print(sqrt i)
}
print(var(root))
let root = sqrt i
