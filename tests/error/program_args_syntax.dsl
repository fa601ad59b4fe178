fn f() {
    arg inner: int = 3
}
arg e = 3
arg: int = 3
