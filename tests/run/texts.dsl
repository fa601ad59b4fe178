let s = "naïve text"
print(len(s), s[2], s[0:5], s[-4:], s[6:])
print("a" + "b" == "ab", "a" < "b", s != s)
print(str(1.5) + "x" + str([1, 2]), f64("2.5") + 1, int(" 42 "), f32("1e3"))
let parts = split("a, b, c", ", ")
print(parts, len(parts), join(parts, "-"), split("  one two  three "), lines("x\ny\r\nz"))
print(find(s, "text"), contains(s, "zz"), starts_with(s, "na"), ends_with(s, "xt"), replace(s, "t", "T"), "|" + strip("  a b ") + "|", upper("abc"), lower("ABC"), is_number("3e5"), is_number("x"))
let cities = ["Rome", "Oslo", "Rome"]
let temp = [20.5, 3.0, 21.5]
print(cities == "Rome", mean(temp[cities == "Rome"]))
print(sort(cities), unique(cities), argsort(cities))
print(f64(["1", "2.5"]), [str(k) for k in 0:3], [f"run {k}" for k in 0:3])
var names = zeros(str, 3)
names[1] = "b"
print(names, full("x", 2), concat(cities, parts))
fn kind(name: str) -> int { 
    if name == "fast" { return 1 } 
    return 2 
}
print(kind("fast"), kind("slow"))
struct City { name: str, t: f64 }
let places = [City(cities[k], temp[k]) for k in 0:3]
print(places[1], places.name == "Oslo")
for p in parts { print(p) }
print(f"{cities:>8}|")
print("" == "", len(""), "abc"[1:1] == "", [""])
print(parts + "!", "n" + str(3))

# Tables of texts
save("cities.csv", ["Rome", "New York", "a \"b\", c", ""], "city")
let read: str[k] = load("cities.csv", "city")
print(read, k, all(read == ["Rome", "New York", "a \"b\", c", ""]))
save("table.txt", [["a", "b c"], ["d", "e"]])
let table: str[r, c] = load("table.txt")
print(table, r, c)

# The usual way: lines of "name = value"
let text: str = load("cities.csv")
print(len(lines(text)), lines(text)[0])
fn setting(notes: str, name: str) -> f64 {
    var found = nan
    for line in lines(notes) {
        let parts = split(line, "=")
        if len(parts) == 2 and strip(parts[0]) == name { found = f64(parts[1]) }
    }
    return found
}
print(setting("dt = 0.5\nname = run\nsteps = 10", "steps"), setting("dt = 0.5", "steps"))
# Characters anywhere, of several texts in turn
let wide = "añb€c𝄞d"
for i in 0:len(wide) { print(wide[len(wide) - 1 - i], wide[2 * i % 7], wide[i:], "abcdefg"[i], wide[2:5]) }
