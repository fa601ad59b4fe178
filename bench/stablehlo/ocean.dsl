# The ocean of bench/ocean, for XLA: table.sh
import "../ocean/ocean.dsl"

fn started(u: f64[nz, ny, nx], v: f64[nz, ny, nx], T: f64[nz, ny, nx], S: f64[nz, ny, nx], eta: f64[ny, nx]) -> Ocean =
    Ocean(u=u, v=v, T=T, S=S, eta=eta)

## The state after some steps
export fn ocean(u: f64[nz, ny, nx], v: f64[nz, ny, nx], T: f64[nz, ny, nx], S: f64[nz, ny, nx], eta: f64[ny, nx], wind: f64[ny, nx], heat: f64[ny, nx], kh: f64, kv: f64, steps: int) -> (f64[nz, ny, nx], f64[nz, ny, nx], f64[nz, ny, nx], f64[nz, ny, nx], f64[ny, nx]) {
    let o = simulate(started(u, v, T, S, eta), Forcing(wind=wind, heat=heat), kh, kv, steps)
    return (o.u, o.v, o.T, o.S, o.eta)
}

## The objective, and its derivatives by the temperature at first and by kh
export fn ocean_gradient(u: f64[nz, ny, nx], v: f64[nz, ny, nx], T: f64[nz, ny, nx], S: f64[nz, ny, nx], eta: f64[ny, nx], wind: f64[ny, nx], heat: f64[ny, nx], kh: f64, kv: f64, steps: int) -> (f64, f64[nz, ny, nx], f64) {
    let (value, slopes) = value_and_grad(objective, wrt=(T0, kh))(T, started(u, v, T, S, eta), Forcing(wind=wind, heat=heat), kh, kv, steps)
    return (value, slopes.0, slopes.1)
}
