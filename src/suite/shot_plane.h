// SPDX-License-Identifier: MIT
/// A plane as a picture of 8 bits, for a golden.
#pragma once

#include <zoetrope/zoetrope.h>

/// Draws the first three channels of a plane into `out`: of light its sRGB codes, of numbers their
/// lowest three bytes, of depth d 255 / (1 + d), of other values v 127.5 (1 + v / (1 + |v|)).
zt_result shot_plane_render(zt_renderer *renderer, const zt_scene *scene, int64_t frame,
                            const char *plane, zt_image *out, zt_error *err);
/// Adds {plane} to a pattern without it when the scene asks for more planes than colour.
void shot_plane_name(const zt_scene *scene, char *pattern, size_t size);
/// ZT_ERR_ARGUMENT with the planes that there are.
zt_result shot_plane_check(const char *plane, zt_error *err);
