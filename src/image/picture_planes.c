// SPDX-License-Identifier: MIT
/// Memory for the planes of a frame; see picture_planes.h.
#include "image/picture_planes.h"

uint32_t picture_planes_present(const picture_planes *planes)
{
    return (planes->color8.rgba8 ? (uint32_t)PICTURE_PLANE_COLOR8 : 0u) |
           (planes->depth ? (uint32_t)PICTURE_PLANE_DEPTH : 0u) |
           (planes->color ? (uint32_t)PICTURE_PLANE_COLOR : 0u);
}

uint64_t picture_planes_hash(const picture_planes *planes)
{
    return planes->color8.rgba8 ? zt_image_hash(&planes->color8) : 0;
}

zt_result picture_planes_init(picture_planes *planes, uint32_t wanted, int32_t width,
                              int32_t height, arena *a, zt_error *err)
{
    const size_t pixels = (size_t)width * (size_t)height;
    *planes = (picture_planes){.width = width, .height = height};
    planes->color8 = (zt_image){.width = width, .height = height, .stride = (size_t)width * 4};
    if (wanted & PICTURE_PLANE_COLOR8)
        planes->color8.rgba8 = arena_alloc_raw(a, pixels, 4);
    if (wanted & PICTURE_PLANE_DEPTH)
        planes->depth = arena_alloc_raw(a, pixels, sizeof *planes->depth);
    if (wanted & PICTURE_PLANE_COLOR)
        planes->color = arena_alloc_raw(a, pixels, 4 * sizeof *planes->color);
    return picture_planes_present(planes) == wanted ? ZT_OK : arena_fail(a, err, "a picture");
}
