# What an import brings by itself or through its own imports is used, or the import is not.
import "imports/through.dsl"
import "imports/unused.dsl"
print(helper(2.0))
