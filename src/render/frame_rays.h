// SPDX-License-Identifier: MIT
/// Rays of a frame: for the texels of the camera's view, the shares of light that reach them past
/// the triangles of the frame.
#pragma once

#include "render/camera_pass.h"
#include "shadow/light_shares.h"
#include "trace/trace_collect.h"

typedef struct frame frame;

/// A kind of light, by its number in light_shares.
typedef struct ray_light {
    const shade_light *light; ///< NULL: from all around
    double radius;            ///< metres; of a directional one the tangent of half its angle
    uint32_t emitter;         ///< 1 + the draw that emits it; 0: a lamp
} ray_light;

/// The numbers of a sample, as rays take them.
typedef struct ray_sample {
    double disc[2], up; ///< in the unit disc, and on the half sphere above: cosine-weighted
    double pixel[2];    ///< from the middle of a pixel to its borders, -1/2 to 1/2
} ray_sample;

typedef struct frame_rays {
    trace_posed posed;
    light_shares shares;
    const ray_light *lights;   ///< [shares.kinds]
    const ray_sample *samples; ///< [RAY_CLASSES][shares.samples]
    int64_t *luminance;        ///< of a level of the environment, in parts of shares; NULL: none
    double radius2;            ///< of a ball around all triangles, in the space of the tree
    bool through;              ///< some surfaces let a part of the light pass
    _Atomic int64_t bands;     ///< jobs that are traced
} frame_rays;

/// Makes the tree of the posed triangles and planes of shares, where the scene asks for them:
/// f->rays and the `shares` of the cameras, whose views are made.
zt_result frame_rays_prepare(frame *f, zt_error *err);

/// True if the ground's share of the sky is widened: its texels are small, and its contact shadow
/// is soft.
bool frame_rays_widen(const frame *f);

/// Rows of texels of job `index`, whose ids and depths are known.
void frame_rays_trace(const frame *f, int64_t index);
/// Then the same rows, filtered, or those of the ground's sky, widened: what shading looks up.
void frame_rays_filter(const frame *f, bool widens, int64_t index);
