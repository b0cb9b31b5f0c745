// SPDX-License-Identifier: MIT
// Settings of ambient occlusion, from the scene and the bounds of the shot.
#include "render/frame_occlusion.h"

static const double auto_share = 1.4;

bool occlusion_needs_framing(const zt_scene *scene)
{
    return scene->lighting.occlusion && scene->occlusion.radius_m == 0.0;
}

/// The radius `auto`: a share of the bounds of the shot. Of the three extents the middle one
/// counts, or twice the smallest if that is less: long ways and crowds do not make it larger.
static double auto_radius(const scene_framing *framing)
{
    double extent[3];
    for (int k = 0; k < 3; k++)
        extent[k] = (double)framing->max[k] - (double)framing->min[k];
    double smallest = extent[0], largest = extent[0], sum = extent[0];
    for (int k = 1; k < 3; k++) {
        smallest = extent[k] < smallest ? extent[k] : smallest;
        largest = extent[k] > largest ? extent[k] : largest;
        sum += extent[k];
    }
    const double middle = sum - smallest - largest;
    return auto_share * (middle < 2.0 * smallest ? middle : 2.0 * smallest);
}

zt_result frame_occlusion(const zt_scene *scene, const scene_framing *framing,
                          const camera_pass *pass, occlusion_planes **out, zt_error *err)
{
    const scene_occlusion *o = &scene->occlusion;
    const occlusion_settings settings = {.radius =
                                             o->radius_m > 0.0 ? o->radius_m : auto_radius(framing),
                                         .intensity = o->intensity};
    arena *a = pass->view.shared->arena;
    *out = NULL;
    const bool shaded = picture_planes_any_shaded(picture_planes_present(&pass->target));
    if (!scene->lighting.occlusion || !shaded || !(settings.radius > 0.0))
        return ZT_OK;
    ZT_TRY(ARENA_TAKE(a, out, 1, "ambient occlusion", err));
    return occlusion_init(*out, &pass->view.view, pass->target.width, pass->target.height, settings,
                          a, err);
}
