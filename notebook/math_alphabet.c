/* Letters in bold, script and so on are characters of their own (Unicode, block Mathematical Alphanumeric Symbols), in
 * the order of the alphabet but for those that were there before the block was. */
#include "notebook/math.h"

#include <string.h>

typedef struct Face {
    char font;
    int32_t upper, lower, digit, greek_upper, greek_lower;
    const char *early;
    int32_t places[12];
} Face;

static const Face faces[] = {
    {'b', 0x1D400, 0x1D41A, 0x1D7CE, 0x1D6A8, 0x1D6C2, "", {0}},
    {'B', 0x1D468, 0x1D482, 0x1D7CE, 0x1D71C, 0x1D736, "", {0}},
    {'d', 0x1D538, 0x1D552, 0x1D7D8, 0, 0, "CHNPQRZ", {0x2102, 0x210D, 0x2115, 0x2119, 0x211A, 0x211D, 0x2124}},
    {'c',
     0x1D49C,
     0x1D4B6,
     0,
     0,
     0,
     "BEFHILMRego",
     {0x212C, 0x2130, 0x2131, 0x210B, 0x2110, 0x2112, 0x2133, 0x211B, 0x212F, 0x210A, 0x2134}},
    {'f', 0x1D504, 0x1D51E, 0, 0, 0, "CHIRZ", {0x212D, 0x210C, 0x2111, 0x211C, 0x2128}},
    {'s', 0x1D5A0, 0x1D5BA, 0x1D7E2, 0, 0, "", {0}},
    {'t', 0x1D670, 0x1D68A, 0x1D7F6, 0, 0, "", {0}},
};

static int32_t shifted(int32_t c, int32_t first, int32_t last, int32_t base) {
    return base && c >= first && c <= last ? base + (c - first) : 0;
}

int32_t math_letter(char font, int32_t c) {
    for (size_t i = 0; i < sizeof faces / sizeof *faces; i++) {
        const Face *f = &faces[i];
        if (f->font != font) continue;
        const char *early = c > 0 && c < 0x80 ? strchr(f->early, c) : NULL;
        if (early && *early) return f->places[early - f->early];
        int32_t to = shifted(c, 'A', 'Z', f->upper);
        if (!to) to = shifted(c, 'a', 'z', f->lower);
        if (!to) to = shifted(c, '0', '9', f->digit);
        if (!to) to = shifted(c, 0x391, 0x3A9, f->greek_upper);
        if (!to) to = shifted(c, 0x3B1, 0x3C9, f->greek_lower);
        return to ? to : c;
    }
    return c;
}
