# RUN: interp run
let picks = randint(1, 5, 2, 4)
print(picks)
