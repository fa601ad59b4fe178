# Every form of literal
let ints = (0, 7, 1_000_000, 0xff, 0XFF_FF, 0b1010_0101, 9223372036854775807, -9223372036854775808, 0xffffffffffffffff)
let floats = (1.5, 1e-3, 1E5, 2.5e+10, 1_000.000_1, 3., 0.1, 1.7976931348623157e308, 5e-324, 1e22, 123456789.123)
let more = [1., 2., 3.e2]
let truth = (true, false)
let text = ("", "plain", "tab\t line\n quote\" back\\ bell\x07 \u{e9}\u{1F600} é", "it's", "it\'s", "esc\e")
let dot = (1.0).T
let none = []
