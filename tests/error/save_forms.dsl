# Forms of save that there are not, and what is written instead
struct P { x: f64, name: str }
let labels = ["a", "b"]
let v = [1.0, 2.0]
let w = [1, 2]
let m = [[1.0, 2.0], [3.0, 4.0]]
let p = P(1.0, "x")
let ps = [p, p]
let z = [1.0 + 2im, 3.0 + 1im]
save("a.csv", labels, v)
save("a.csv", (labels, v), "label, v")
save("a.csv", "label", labels, "v", v)
save("a.npz", "label", labels)
save("a.npz", v, w)
save("a.npz", v=v, w=w)
save("a.npz", ("v", v), ("w", w))
save("a.npz", "v", v, "w")
save("a.npz", "x", 1.0)
save("a.npz", "note", "hello")
save("a.npz", "p", p)
save("a.npz", "p", ps)
save("a.npz", "t", (1.0, 2.0))
save("a.npz", "z", z)
save("a.npz", "a", v, "b", v, "c", v, "d", v, "e", v, "f", v, "g", v)
save("a.csv", 1.0)
save("a.csv", 1.0im)
save("a.csv", p)
save("a.csv", (1.0, 2.0))
save("a.csv", [("a", 1.0), ("b", 2.0)])
save("a.csv", m, ["a", "b"])
save("a.csv", m, names=["a", "b"])
save("a.csv", m, header="a, b")
save("a.csv", v, append=true)
save("a.csv", v, 1)
save("a.npy", zeros(f64, 2, 2, 2, 2))
save(v, "a.csv")
save("a.csv")
print([labels, v])
print([[labels[i], v[i]] for i in 0:2])
save("fine.npz", "a", v, true)
