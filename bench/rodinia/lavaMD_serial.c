/* TOLERANCE: 1e-11 (f64; sums in other orders) */
#include "lavaMD.h"

int main(void) {
    Box *box = memory(sizeof(Box) * all);
    Particle *place = memory(sizeof(Particle) * all * particles), *force = memory(sizeof(Particle) * all * particles);
    double *charge = doubles(all * particles), a2 = 2 * alpha * alpha;
    inputs(box, place, charge);
    memset(force, 0, sizeof(Particle) * all * particles);
    double start = now();
    for (int l = 0; l < all; l++)
        for (int k = -1; k < box[l].neighbours; k++) {
            int other = k < 0 ? l : box[l].neighbour[k];
            for (int i = l * particles; i < (l + 1) * particles; i++)
                for (int j = other * particles; j < (other + 1) * particles; j++) {
                    Particle a = place[i], b = place[j];
                    double vij = exp(-(a2 * (a.v + b.v - dot(a, b)))), fs = 2 * vij;
                    force[i].v += charge[j] * vij;
                    force[i].x += charge[j] * (fs * (a.x - b.x));
                    force[i].y += charge[j] * (fs * (a.y - b.y));
                    force[i].z += charge[j] * (fs * (a.z - b.z));
                }
        }
    results(force, now() - start);
    free(box), free(place), free(force), free(charge);
}
