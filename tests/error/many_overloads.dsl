# Of many overloads those that are most like the call; the parameters that there are
plot("a.png", [1.0], 3, 4)
plot([1.0, 2.0], [1.0, 2.0], color="red")
plot([1, 2], "a", title=3)
