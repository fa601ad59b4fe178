# GradBench lstm: a network of l layers of b long short-term memories reads a text of c characters with b bits each

fn sigmoid(x: f64) -> f64 = 1 / (1 + exp(-x))

## Rows 2j and 2j + 1 of `main` are the weights and biases of layer j: forget, ingate, outgate, change. Those of `state`
## are what it puts out and its cell.
export fn objective(main: f64[layers, gates], extra: f64[three, b], state: f64[layers, b], text: f64[c, b]) -> f64 {
    assert gates == 4 * b and three == 3
    var s = state
    var total = 0.0
    for t in 0:c - 1 {
        var x = text[t] * extra[0]
        for j in 0:layers // 2 {
            let w = reshape(main[2 * j], 4, b)
            let bias = reshape(main[2 * j + 1], 4, b)
            let h = s[2 * j]
            let forget = sigmoid(x * w[0] + bias[0])
            let ingate = sigmoid(h * w[1] + bias[1])
            let outgate = sigmoid(x * w[2] + bias[2])
            let change = tanh(h * w[3] + bias[3])
            s[2 * j + 1] = s[2 * j + 1] * forget + ingate * change
            s[2 * j] = outgate * tanh(s[2 * j + 1])
            x = s[2 * j]
        }
        let y = x * extra[1] + extra[2]
        total += sum(text[t + 1] * (y - log(2 + sum(exp(y)))))
    }
    return -total / (b * (c - 1))
}

## By `main`, then by `extra`, row by row
export fn jacobian(main: f64[layers, gates], extra: f64[three, b], state: f64[layers, b], text: f64[c, b]) -> f64[layers * gates + three * b] {
    let (dmain, dextra) = grad(objective, wrt=(main, extra))(main, extra, state, text)
    return concat(flatten(dmain), flatten(dextra))
}

test "against differences" {
    let (l, c, b) = (2, 6, 3)
    let main = rand(1, 2 * l, 4 * b)
    let extra = rand(2, 3, b)
    let state = rand(3, 2 * l, b)
    let text = floor(2 * rand(4, c, b))
    let g = jacobian(main, extra, state, text)
    let h = 1e-5
    for i in 0:len(g) {
        var m = flatten(main)
        var e = flatten(extra)
        if i < len(m) { m[i] += h } else { e[i - len(m)] += h }
        let up = objective(reshape(m, 2 * l, 4 * b), reshape(e, 3, b), state, text)
        if i < len(m) { m[i] -= 2 * h } else { e[i - len(m)] -= 2 * h }
        let down = objective(reshape(m, 2 * l, 4 * b), reshape(e, 3, b), state, text)
        let difference = (up - down) / (2 * h)
        assert abs(g[i] - difference) < 1e-6 * abs(difference) + 1e-10
    }
}
