let a = 1
test "sees no variables" {
    assert a == 1
    assert 3, "text"
    return 5
}
bench "also" { print(b) }
