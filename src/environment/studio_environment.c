// SPDX-License-Identifier: MIT
// The studios that are part of the library -> environments.
#include "environment/studio.h"

zt_result studio_environment(studio_kind kind, arena *a, environment *out, zt_error *err)
{
    const studio_data *data = &studio_table[kind];
    const int32_t count = environment_chain_layout(data->size, &out->chain);
    float(*texels)[4];
    ZT_TRY(ARENA_TAKE_RAW(a, &texels, (size_t)count, "an environment", err));
    for (int32_t i = 0; i < count; i++) {
        const float grey = studio_texel_to_float(data->texels[i]);
        texels[i][0] = texels[i][1] = texels[i][2] = grey;
        texels[i][3] = 0.0f;
    }
    out->chain.texels = (const float(*)[4])texels;
    return ZT_OK;
}
