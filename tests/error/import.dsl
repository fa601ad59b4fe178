import "no_such_file.dsl"
import "no_such_file"
print(1)
