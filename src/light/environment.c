// SPDX-License-Identifier: MIT
// An environment as a frame sees it: turned and dimmed.
#include "light/environment.h"

#include "base/maths.h"

#include <string.h>

int32_t environment_chain_layout(const int32_t size[ENVIRONMENT_LEVELS], octahedral_levels *out)
{
    int32_t count = 0;
    *out = (octahedral_levels){.level_count = ENVIRONMENT_LEVELS};
    for (int32_t i = 0; i < 16; i++) {
        const int32_t level = i < ENVIRONMENT_LEVELS ? i : ENVIRONMENT_LEVELS - 1;
        out->size[i] = size[level];
        out->first[i] = i == level ? count : out->first[level];
        count += i == level ? (size[i] + 1) * (size[i] + 1) : 0;
    }
    return count;
}

/// The polynomial in world space of one in the space of the environment, whose x is x c - z s and
/// whose z is x s + z c.
static void rotate_harmonics(const double in[HARMONIC_COUNT][3], double s, double c, int channel,
                             double out[HARMONIC_COUNT])
{
    double p[HARMONIC_COUNT];
    for (int i = 0; i < HARMONIC_COUNT; i++)
        out[i] = p[i] = in[i][channel];
    out[HARMONIC_X] = p[HARMONIC_X] * c + p[HARMONIC_Z] * s;
    out[HARMONIC_Z] = p[HARMONIC_Z] * c - p[HARMONIC_X] * s;
    out[HARMONIC_XY] = p[HARMONIC_XY] * c + p[HARMONIC_YZ] * s;
    out[HARMONIC_YZ] = p[HARMONIC_YZ] * c - p[HARMONIC_XY] * s;
    const double c2 = c * c - s * s, sc = s * c; // cosine and half the sine of twice the angle
    out[HARMONIC_XX_ZZ] = p[HARMONIC_XX_ZZ] * c2 + p[HARMONIC_ZX] * sc;
    out[HARMONIC_ZX] = p[HARMONIC_ZX] * c2 - p[HARMONIC_XX_ZZ] * (4.0 * sc);
}

void environment_view_build(const environment *e, double rotation_deg, double intensity,
                            environment_view *out)
{
    double s, c, turned[HARMONIC_COUNT];
    maths_sincos_deg(rotation_deg, &s, &c);
    *out = (environment_view){
        .chain = e->chain, .cosine = (float)c, .sine = (float)s, .intensity = (float)intensity};
    for (int channel = 0; channel < 3; channel++) {
        rotate_harmonics(e->harmonics, s, c, channel, turned);
        for (int i = 0; i < HARMONIC_COUNT; i++)
            out->harmonics[i][channel] = (float)(turned[i] * intensity);
    }
}
