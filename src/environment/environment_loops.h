// SPDX-License-Identifier: MIT
/// The hot loops that make an environment from a picture, and their jobs.
#pragma once

#include "environment/environment.h"

/// Fills a row of an octahedral level from an equirectangular picture, bilinear between pixel
/// centres. A texel is the mean of grid x grid points, spread evenly over a cell around it.
typedef struct light_resample_job {
    const float *rgb; ///< [height][width][3]
    int32_t width, height;
    int32_t size, row; ///< of the level
    int32_t grid;
    float (*out)[4]; ///< [size + 1], 16-byte aligned: r, g, b, and the solid angle of the texel as
                     ///< a multiple of 4 / size^2
} light_resample_job;

/// A direction around the normal z = 1 from which light is taken.
typedef struct light_sample {
    float x, y, z; ///< unit
    float weight;
    float level; ///< of the levels that are read, where a texel has the solid angle 4 / size^2
} light_sample;

/// Fills a row of an octahedral level: a texel is the weighted mean of samples around its
/// direction, in their order, read from `source`, bilinear in a level and linear between levels.
typedef struct light_filter_job {
    const octahedral_levels *source; ///< each level half the size of the one before
    const light_sample *samples;
    int32_t sample_count;
    int32_t size, row; ///< of the level that is filled
    float (*out)[4];   ///< [size + 1], 16-byte aligned: r, g, b and one more
} light_filter_job;

/// A texel of a level as a source of light.
typedef struct light_source_texel {
    float x, y, z; ///< unit direction
    float area;    ///< solid angle, in any unit
    float r, g, b; ///< radiance times area
} light_source_texel;

/// Fills a row of an octahedral level: a texel is the mean of light under a lobe around n. Light
/// from the unit direction d weighs area c / (a + (1 - a) (1 - c) / 2)^2, c = n.d above 0, a =
/// alpha^2: GGX at half the angle, times the cosine. Sums run over the source's texels, then rows.
typedef struct light_sum_job {
    const light_source_texel *source; ///< [source_rows][source_rows]
    int32_t source_rows;
    float alpha2;
    int32_t size, row; ///< of the level that is filled
    float (*out)[4];   ///< [size + 1], 16-byte aligned: r, g, b and one more
} light_sum_job;

/// The loops of one instruction set (kernels/kernels.h fills them).
typedef struct environment_loops {
    void (*resample)(const light_resample_job *job);
    void (*filter)(const light_filter_job *job);
    void (*sum)(const light_sum_job *job);
} environment_loops;
