# Rodinia b+tree: one block for a query; its threads look at the keys of a node together, level by level
# small: records=500 order=8 points=40 ranges=30
import "random.dsl"
const records = 1000000
const order = 256
const points = 10000
const ranges = 6000
const last: i32 = 2147483647

## Goes down to the leaf that holds `key[q]`; the record found there, or -1.
kernel find(answer: inout i32[q], current: inout i32[q], offset: inout i32[q], keys: i32[m, o1], children: i32[m, o], record: i32[n], key: i32[q], height: int) {
    let t = thread.x
    let b = block.x
    for level in 0:height {
        if keys[current[b], t] <= key[b] and keys[current[b], t + 1] > key[b] {
            offset[b] = children[current[b], t]
        }
        barrier
        if t == 0 { current[b] = offset[b] }
        barrier
    }
    if keys[current[b], t] == key[b] {
        answer[b] = record[children[current[b], t]]
    }
}

## Places of the records with the least key from `low[q]` on, and the number up to `high[q]`
kernel find_range(start: inout i32[q], length: inout i32[q], current: inout i32[q], offset: inout i32[q], last_current: inout i32[q], last_offset: inout i32[q], keys: i32[m, o1], children: i32[m, o], low: i32[q], high: i32[q], height: int) {
    let t = thread.x
    let b = block.x
    for level in 0:height {
        if keys[current[b], t] <= low[b] and keys[current[b], t + 1] > low[b] {
            offset[b] = children[current[b], t]
        }
        if keys[last_current[b], t] <= high[b] and keys[last_current[b], t + 1] > high[b] {
            last_offset[b] = children[last_current[b], t]
        }
        barrier
        if t == 0 {
            current[b] = offset[b]
            last_current[b] = last_offset[b]
        }
        barrier
    }
    if keys[current[b], t] == low[b] {
        start[b] = children[current[b], t]
    }
    barrier
    if keys[last_current[b], t] == high[b] {
        length[b] = children[last_current[b], t] - start[b] + 1
    }
}

# A full tree over the keys 3, 6, 9, ...: the root is node 0, level by level; the children of leaves are records.
## Records below a node of level l
fn span(l: int) -> int {
    var p = 1
    while p < records { p *= order }
    for i in 0:l { p = p // order }
    return p
}
fn levels() -> int {
    var l = 0
    while span(l) > 1 { l += 1 }
    return l
}
## The first node of level l
fn base(l: int) -> int {
    var nodes = 0
    for i in 0:l { nodes += ceildiv(records, span(i)) }
    return nodes
}
fn level_of(node: int) -> int {
    var l = 0
    while base(l + 1) <= node { l += 1 }
    return l
}
fn key_at(node: int, j: int) -> i32 {
    let l = level_of(node)
    let record = (node - base(l)) * span(l) + j * span(l + 1)
    return if record < records { i32(3 * record + 3) } else { last }
}
fn child_at(node: int, j: int) -> i32 {
    let l = level_of(node)
    let child = (node - base(l)) * order + j
    return i32(if l + 1 == levels() { child } else { base(l + 1) + child })
}

let nodes = base(levels())
let keys = [key_at(i, j) for i in 0:nodes, j in 0:order + 1]
let children = [child_at(i, j) for i in 0:nodes, j in 0:order]
let record = [i32(10 * i + 7) for i in 0:records]
let key = [i32(mix(i) % u32(records)) * 3 + i32(if i % 8 == 5 { 4 } else { 3 }) for i in 0:points]
let low = [i32(mix(i + 1234567) % u32(records)) * 3 + 3 for i in 0:ranges]
let high = [min(low[i] + 3 * i32(mix(i) % 1000), i32(3 * records)) for i in 0:ranges]
let height = levels() - 1

fn search(keys: i32[m, o1], children: i32[m, o], record: i32[n], key: i32[q], height: int) -> i32[q] {
    var answer = full(i32(-1), q)
    var current = zeros(i32, q)
    var offset = zeros(i32, q)
    launch find[q, order](answer, current, offset, keys, children, record, key, height)
    return answer
}
fn search_range(keys: i32[m, o1], children: i32[m, o], low: i32[q], high: i32[q], height: int) -> (i32[q], i32[q]) {
    var start = zeros(i32, q)
    var length = zeros(i32, q)
    var current = zeros(i32, q)
    var offset = zeros(i32, q)
    var last_current = zeros(i32, q)
    var last_offset = zeros(i32, q)
    launch find_range[q, order](start, length, current, offset, last_current, last_offset, keys, children, low, high, height)
    return (start, length)
}

let start = time()
let answer = search(keys, children, record, key, height)
let (first, length) = search_range(keys, children, low, high, height)
let seconds = time() - start
print("check", sum(int(answer[i]) * (i % 101 + 1) for i in 0:points), sum((int(first[i]) + int(length[i])) * (i % 103 + 1) for i in 0:ranges))
print("time", seconds)
