// SPDX-License-Identifier: MIT
#include "suite/shot_plane.h"

#include "base/color_text.h"
#include "render/frame_job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// The code of channel `c` of a pixel.
static uint8_t code_of(const zt_plane_kind *kind, const float *pixel, int c)
{
    uint32_t number;
    memcpy(&number, pixel, sizeof number);
    if (kind->integer)
        return (uint8_t)(number >> 8 * c);
    const double v = (double)pixel[c < kind->channels ? c : kind->channels - 1];
    const double share = !kind->nearest        ? srgb_encode(v)
                         : kind->channels == 1 ? 1.0 / (1.0 + v) // nothing is infinitely far away
                                               : 0.5 + 0.5 * v / (1.0 + fabs(v));
    return (uint8_t)(255.0 * fmin(fmax(share, 0.0), 1.0) + 0.5);
}

zt_result shot_plane_render(zt_renderer *renderer, const zt_scene *scene, int64_t frame,
                            const char *name, zt_image *out, zt_error *err)
{
    picture_plane plane = PLANE_COUNT;
    arena a;
    picture_planes planes;
    ZT_TRY(picture_plane_find(name, &plane, err));
    arena_init(&a, &renderer->budget);
    zt_result result = picture_planes_init(&planes, 1u << plane, out->width, out->height, &a, err);
    if (result == ZT_OK)
        result = renderer_enter(renderer, err);
    if (result == ZT_OK) {
        result = renderer_draw(renderer, scene, frame, &planes, err);
        renderer_leave(renderer);
    }
    for (int32_t y = 0; y < out->height && result == ZT_OK; y++)
        for (int32_t i = 0; i < 4 * out->width; i++)
            out->rgba8[(size_t)y * out->stride + (size_t)i] =
                i % 4 == 3 ? 255
                           : code_of(&picture_plane_table[plane].kind,
                                     picture_plane_at(&planes, plane, i / 4, y), i % 4);
    arena_finish(&a);
    return result;
}

zt_result shot_plane_check(const char *plane, zt_error *err)
{
    picture_plane found = PLANE_COUNT;
    return picture_plane_find(plane, &found, err);
}

void shot_plane_name(const zt_scene *scene, char *pattern, size_t size)
{
    char better[FRAME_PATH_SIZE];
    if (scene->planes & ~(1u << PLANE_COLOR)) {
        frame_path_with_plane(pattern, better, sizeof better);
        snprintf(pattern, size, "%s", better);
    }
}
