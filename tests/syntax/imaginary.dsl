let z = 1 + 2.5im * x - 3im
