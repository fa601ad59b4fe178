let v = [i for i in 0:10 if i % 2 == 0]
