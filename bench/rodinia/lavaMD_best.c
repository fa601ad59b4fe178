/* With care: coordinates in arrays of their own, so that everything but exp is a simd loop over the neighbours; the
 * sums of a particle stay in registers. */
#include "lavaMD.h"

typedef struct Set { double v[particles], x[particles], y[particles], z[particles], q[particles]; } Set;

static void add_box(const Set *a, int i, const Set *b, Particle *sum) {
    double a2 = 2 * alpha * alpha, v[particles], fv = 0, fx = 0, fy = 0, fz = 0;
#pragma omp simd
    for (int j = 0; j < particles; j++)
        v[j] = -(a2 * (a->v[i] + b->v[j] - (a->x[i] * b->x[j] + a->y[i] * b->y[j] + a->z[i] * b->z[j])));
    for (int j = 0; j < particles; j++) v[j] = exp(v[j]);
#pragma omp simd reduction(+ : fv, fx, fy, fz)
    for (int j = 0; j < particles; j++) {
        double fs = 2 * v[j];
        fv += b->q[j] * v[j];
        fx += b->q[j] * (fs * (a->x[i] - b->x[j]));
        fy += b->q[j] * (fs * (a->y[i] - b->y[j]));
        fz += b->q[j] * (fs * (a->z[i] - b->z[j]));
    }
    sum->v += fv, sum->x += fx, sum->y += fy, sum->z += fz;
}

static void interact(const Box *box, const Set *set, Particle *force) {
#pragma omp parallel for collapse(2) schedule(dynamic, 25)
    for (int l = 0; l < all; l++)
        for (int i = 0; i < particles; i++) {
            Particle sum = {0, 0, 0, 0};
            add_box(set + l, i, set + l, &sum);
            for (int k = 0; k < box[l].neighbours; k++) add_box(set + l, i, set + box[l].neighbour[k], &sum);
            force[l * particles + i] = sum;
        }
}

static Set *sets(const Particle *place, const double *charge) {
    Set *s = memory(sizeof(Set) * all);
    for (int l = 0; l < all; l++)
        for (int i = 0; i < particles; i++) {
            Particle p = place[l * particles + i];
            s[l].v[i] = p.v, s[l].x[i] = p.x, s[l].y[i] = p.y, s[l].z[i] = p.z, s[l].q[i] = charge[l * particles + i];
        }
    return s;
}

int main(void) {
    Box *box = memory(sizeof(Box) * all);
    Particle *place = memory(sizeof(Particle) * all * particles), *force = memory(sizeof(Particle) * all * particles);
    double *charge = doubles(all * particles);
    inputs(box, place, charge);
    Set *warm = sets(place, charge);
    interact(box, warm, force);
    double start = now();
    Set *set = sets(place, charge);
    interact(box, set, force);
    results(force, now() - start);
    free(box), free(place), free(force), free(charge), free(set), free(warm);
}
