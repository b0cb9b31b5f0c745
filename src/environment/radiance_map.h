// SPDX-License-Identifier: MIT
/// The picture of an environment itself, for rays: its radiance in a direction, and directions by
/// their radiance. Directions here are unit vectors in world space, as a view turns them.
///
/// A row is picked by its share of the light, then a texel of the row, then a place in the texel,
/// evenly by solid angle. The light of a texel is the mean of what the lookup shows within it, so
/// wherever there is radiance there is a density.
#pragma once

#include "base/alias_table.h"
#include "environment/studio.h"
#include "image/hdr_picture.h"

#include <pthread.h>

/// The source of an environment's light.
typedef struct radiance_source {
    hdr_picture picture; ///< borrowed; without pixels: that of `studio` is drawn
    studio_kind studio;
} radiance_source;

typedef struct radiance_map {
    hdr_picture picture;
    const double *height;     ///< y at the upper edge of each row, and at the end of the last
    const alias_slot *rows;   ///< [height]
    const alias_slot *texels; ///< [height][width]: of each row
    const float *luminance;   ///< [height][width]
    double total;             ///< luminance over the sphere, in W/m^2 of white; 0: it is black
} radiance_map;

/// A map that is made when it is first asked for. Made by radiance_keep_init.
typedef struct radiance_keep {
    pthread_mutex_t mutex;
    arena arena;
    bool made;
    radiance_map map;
} radiance_keep;

/// ZT_ERR_MEMORY. Zeroed memory may be finished, too.
zt_result radiance_keep_init(radiance_keep *keep, budget *b, zt_error *err);
void radiance_keep_finish(radiance_keep *keep);
/// Frees the map: the environment has another source from now on.
void radiance_keep_clear(radiance_keep *keep);

/// The map of `source`, which has the pixels that it had when the map was made. From any thread:
/// the others wait for the first. Valid until `keep` is cleared, and as long as the source's
/// picture. A failure is not kept. ZT_ERR_MEMORY, ZT_ERR_LIMIT, ZT_ERR_CANCELLED.
zt_result radiance_map_ask(radiance_keep *keep, const radiance_source *source, radiance_map *out,
                           zt_error *err);

/// Bilinear radiance from `direction`, with the intensity of the view.
void radiance_map_evaluate(const radiance_map *map, const environment_view *view,
                           const double direction[3], double out_rgb[3]);

typedef struct radiance_sample {
    double direction[3]; ///< unit
    double rgb[3];       ///< radiance from there
    double pdf;          ///< density by solid angle; above 0
} radiance_sample;

/// A direction for two numbers in [0, 1). False: the map is black, and `out` is not filled.
bool radiance_map_sample(const radiance_map *map, const environment_view *view, const double u[2],
                         radiance_sample *out);
/// The density by solid angle with which radiance_map_sample takes `direction`. On the border of
/// two texels that of either. 0 of a black map.
double radiance_map_pdf(const radiance_map *map, const environment_view *view,
                        const double direction[3]);
