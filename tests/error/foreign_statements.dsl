let x = 1.0
try {
    print(x)
}
class Body
until x > 3
repeat x
do something
throw x
elif x > 2 { print(1) }
global y
