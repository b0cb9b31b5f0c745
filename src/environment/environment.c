// SPDX-License-Identifier: MIT
// An environment as a frame sees it: turned and dimmed.
#include "environment/environment.h"

#include "base/maths.h"

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

void environment_view_build(const environment *e, double rotation_deg, double intensity,
                            environment_view *out)
{
    double s, c;
    maths_sincos_deg(rotation_deg, &s, &c);
    *out = (environment_view){
        .chain = e->chain, .cosine = (float)c, .sine = (float)s, .intensity = (float)intensity};
}
