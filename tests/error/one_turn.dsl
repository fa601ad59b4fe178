for i in 0:2:10 { print(i) }
for i in 0:1:10 { print(i) }
const step = 20
for i in 0:10:step { print(i) }
for i in 0:10:2 { print(i) }
for i in 0:1:1 { print(i) }
for i in 0:8:8 { print(i) }
let x = [i for i in 0:5:10]
print(x)
