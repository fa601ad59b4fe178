/* In the way of the suite: one parallel loop over the boxes, particles as records of four. */
#include "lavaMD.h"

static void interact(const Box *box, const Particle *rv, const double *qv, Particle *fv) {
    double a2 = 2 * alpha * alpha;
#pragma omp parallel for
    for (int l = 0; l < all; l++) {
        const Particle *rA = rv + l * particles;
        Particle *fA = fv + l * particles;
        for (int k = 0; k < 1 + box[l].neighbours; k++) {
            int pointer = k == 0 ? l : box[l].neighbour[k - 1];
            const Particle *rB = rv + pointer * particles;
            const double *qB = qv + pointer * particles;
            for (int i = 0; i < particles; i++)
                for (int j = 0; j < particles; j++) {
                    double r2 = rA[i].v + rB[j].v - dot(rA[i], rB[j]);
                    double vij = exp(-(a2 * r2)), fs = 2 * vij;
                    double dx = rA[i].x - rB[j].x, dy = rA[i].y - rB[j].y, dz = rA[i].z - rB[j].z;
                    fA[i].v += qB[j] * vij;
                    fA[i].x += qB[j] * (fs * dx);
                    fA[i].y += qB[j] * (fs * dy);
                    fA[i].z += qB[j] * (fs * dz);
                }
        }
    }
}

int main(void) {
    Box *box = memory(sizeof(Box) * all);
    Particle *place = memory(sizeof(Particle) * all * particles), *force = memory(sizeof(Particle) * all * particles);
    double *charge = doubles(all * particles);
    inputs(box, place, charge);
    memset(force, 0, sizeof(Particle) * all * particles);
    interact(box, place, charge, force);
    memset(force, 0, sizeof(Particle) * all * particles);
    double start = now();
    interact(box, place, charge, force);
    results(force, now() - start);
    free(box), free(place), free(force), free(charge);
}
