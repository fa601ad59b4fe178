var s = 0
for t in progress(0:5) { s += t }
print(s)
