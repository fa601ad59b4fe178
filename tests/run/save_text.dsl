# A text is a file as it is; labels stand beside numbers that are texts, too
let labels = ["a", "b c"]
let v = [1.0, 2.5]
save("report.md", f"# Report\n\nv = {v}\n")
let report: str = load("report.md")
print(len(lines(report)), report)
save("labels.csv", [labels, [str(each) for each in v]].T, "label, v")
let label: str[n] = load("labels.csv", "label")
let x: f64[n2] = load("labels.csv", "v")
print(label, x, load_of("labels.csv"))
save("columns.csv", [v, [3, 4]].T, "v, w")
let w: int[n3] = load("columns.csv", "w")
print(w)
fn load_of(path: str) -> str {
    let all: str = load(path)
    return all
}
