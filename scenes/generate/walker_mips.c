// SPDX-License-Identifier: MIT
// Makes a normal map whose mips do not depend on the sign of its green channel.
//
// walker.glb has the map with green up, walker-normal.dds with inverted green (255 - g). Renderers
// average four texels and round; where the average is exactly 127.5 both maps round the same way,
// and their mips no longer mirror each other. Such texels change by one code, which is invisible,
// until every level is a mirror image: by averages of a renderer that keeps 7 more bits along the
// chain and rounds ties away from the middle.
#include "walker.h"

#include <stdlib.h>

enum { CODE = 128, ONE = 255 * CODE, PASSES = 64 };

static int code_of(int value) { return (value + CODE / 2 - (value < ONE / 2 ? 1 : 0)) / CODE; }

/// Halves a square of `size` values in place.
static void halve(int *value, int size)
{
    for (int y = 0; y < size / 2; y++) {
        for (int x = 0; x < size / 2; x++) {
            const int *top = &value[2 * y * size + 2 * x], *bottom = top + size;
            value[y * (size / 2) + x] = (top[0] + top[1] + bottom[0] + bottom[1] + 2) / 4;
        }
    }
}

/// One pass over all levels. Returns how many texels it changed.
static int settle(built_image *image, int *up, int *down)
{
    int moved = 0;
    const int side = image->width;
    for (int i = 0; i < side * side; i++) {
        up[i] = image->rgba8[i * 4 + 1] * CODE;
        down[i] = ONE - up[i];
    }
    for (int size = side / 2, step = 2; size >= 1; size /= 2, step *= 2) {
        halve(up, size * 2);
        halve(down, size * 2);
        for (int i = 0; i < size * size; i++) {
            if (code_of(down[i]) == 255 - code_of(up[i]))
                continue;
            // A quarter of the texels below moves the average clear of the tie.
            const int left = i % size * step, top = i / size * step;
            for (int y = 0; y < (step + 1) / 2; y++) {
                for (int x = 0; x < (step + 1) / 2; x++) {
                    uint8_t *green = &image->rgba8[((top + y) * side + left + x) * 4 + 1];
                    *green = (uint8_t)(*green + (*green < 255 ? 1 : 0));
                    moved++;
                }
            }
        }
    }
    return moved;
}

void walker_settle_normal_mips(built_image *image)
{
    const size_t texels = (size_t)image->width * (size_t)image->width;
    int *up = checked_alloc(texels, sizeof *up), *down = checked_alloc(texels, sizeof *down);
    int moved = 1;
    for (int pass = 0; pass < PASSES && moved > 0; pass++)
        moved = settle(image, up, down);
    free(up);
    free(down);
    if (moved > 0)
        generator_fail("the mips of the walker's normal map do not settle");
}
