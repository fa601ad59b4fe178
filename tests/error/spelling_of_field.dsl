struct Particle { position: f64
    velocity: f64 }
fn f(p: Particle) -> f64 { return p.positon + p.vel }
