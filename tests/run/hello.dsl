print("hello,", "world")
print(1, 2.5, true, "text")
