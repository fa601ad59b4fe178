import "used.dsl"
