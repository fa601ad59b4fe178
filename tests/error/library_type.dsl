# RUN: lib
import "imports/points.dsl"
export fn point(x: f64) = made(x)
