/* Sizes and inputs of lavaMD */
#include "rodinia.h"

#ifndef BOXES
#define BOXES 4
#endif
#ifndef PARTICLES
#define PARTICLES 100
#endif
enum { boxes = BOXES, particles = PARTICLES, all = boxes * boxes * boxes };

typedef struct Particle { double v, x, y, z; } Particle;
typedef struct Box { int neighbours, neighbour[26]; } Box;

static const double alpha = 0.5;

static inline double tenth(int64_t i, int prime) { return (double)(i * prime % 10007 % 10 + 1) / 10; }

static inline void inputs(Box *box, Particle *place, double *charge) {
    for (int l = 0; l < all; l++) {
        box[l].neighbours = 0;
        for (int k = 0; k < 27; k++) {
            int z = l / (boxes * boxes) + k / 9 - 1, y = l / boxes % boxes + k / 3 % 3 - 1, x = l % boxes + k % 3 - 1;
            bool inside = z >= 0 && y >= 0 && x >= 0 && z < boxes && y < boxes && x < boxes;
            if (k != 13 && inside) box[l].neighbour[box[l].neighbours++] = (z * boxes + y) * boxes + x;
        }
    }
    for (int64_t i = 0; i < all * particles; i++) {
        place[i] = (Particle){tenth(4 * i, 7919), tenth(4 * i + 1, 7919), tenth(4 * i + 2, 7919),
                              tenth(4 * i + 3, 7919)};
        charge[i] = tenth(i, 7877);
    }
}

static inline double dot(Particle a, Particle b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline void results(const Particle *f, double seconds) {
    double v = 0, x = 0, y = 0, z = 0;
    for (int i = 0; i < all * particles; i++) {
        double w = i % particles % 7 + 1;
        v += f[i].v;
        x += f[i].x * w;
        y += f[i].y * w;
        z += f[i].z * w;
    }
    printf("check %.17g %.17g %.17g %.17g\ntime %.9g\n", v, x, y, z, seconds);
}
