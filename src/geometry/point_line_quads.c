// SPDX-License-Identifier: MIT
// A point is an upright square around its vertex. A line is a rectangle along it, which reaches
// half its width beyond both ends, so that lines that meet have no gap and one without a length is
// a point. glTF recommends a pixel (2.0, section 3.9.7), for windows on a screen; here the width
// follows the picture, so that a large one shows what a small one shows, with a lower bound, so
// that a thumbnail shows something.
#include "geometry/point_line_quads.h"

#include "base/hash.h"
#include "base/maths.h"
#include "geometry/clip.h"

#include <string.h>

// Parts of the smaller side of the picture: 5 and 2.5 pixels of 1080.
#define POINT_PART 216.0f
#define LINE_PART  432.0f
#define CLOUD_PART 40.0f // at least, for few points alone
#define POINT_MIN  3.0f  // pixels
#define LINE_MIN   1.5f

#define CORNERS(k)                                                                                 \
    (k), (k) + 4, (k) + 8, (k) + 12, (k) + 16, (k) + 20, (k) + 24, (k) + 28, (k) + 32, (k) + 36,   \
        (k) + 40, (k) + 44, (k) + 48, (k) + 52, (k) + 56, (k) + 60

const uint8_t quad_corner[3][QUAD_TRIANGLES] = {
    {CORNERS(0), CORNERS(0)},
    {CORNERS(1), CORNERS(2)},
    {CORNERS(2), CORNERS(3)},
};

/// Half a width in pixels, and how depths change that come nearer by as much in metres.
static float half_width(const screen_view *v, float side, float part, float min, float *scale,
                        float *nearer)
{
    const float width = side / part > min ? side / part : min;
    const float *x = v->ray_x;
    const float pixel_m = maths_sqrt((x[0] * x[0] + x[1] * x[1]) + x[2] * x[2]);
    const float metres = 0.5f * width * pixel_m; // in perspective at distance 1
    const bool orthographic = v->transform.orthographic;
    *scale = orthographic ? 1.0f : 1.0f / (1.0f - (metres < 0.5f ? metres : 0.5f));
    *nearer = orthographic ? metres / v->depth_range : 0.0f;
    return 0.5f * width;
}

/// Points alone are as large as a quarter of their distances, within limits.
static float point_part(uint64_t cloud)
{
    const float part = cloud > 0 ? 4.0f * maths_sqrt((float)cloud) : POINT_PART;
    return part > POINT_PART ? POINT_PART : part < CLOUD_PART ? CLOUD_PART : part;
}

point_line_widths point_line_widths_of(const screen_view *v, int32_t width, int32_t height,
                                       uint64_t cloud)
{
    point_line_widths out;
    const float side = (float)(width < height ? width : height);
    const float half =
        half_width(v, side, point_part(cloud), POINT_MIN, &out.point_scale, &out.point_nearer);
    out.point_half = (int32_t)(half * (float)SUBPIXEL_ONE);
    out.line_half = half_width(v, side, LINE_PART, LINE_MIN, &out.line_scale, &out.line_nearer);
    return out;
}

static void set_corner(screen_vertices *out, uint32_t at, int32_t x, int32_t y, float depth)
{
    out->sx[at] = x;
    out->sy[at] = y;
    out->depth[at] = depth;
    out->outcode[at] = 0;
}

/// False: the point is not in the picture.
static bool point_quad(const point_line_widths *widths, const screen_vertices *in, uint32_t v,
                       screen_vertices *out, uint32_t at)
{
    if (in->outcode[v] & (OUTCODE_CLIP | OUTCODE_FAR | OUTCODE_INVALID))
        return false;
    const int32_t half = widths->point_half, x = in->sx[v], y = in->sy[v];
    const float depth = in->depth[v] * widths->point_scale + widths->point_nearer;
    set_corner(out, at, x - half, y - half, depth);
    set_corner(out, at + 1, x - half, y + half, depth);
    set_corner(out, at + 2, x + half, y + half, depth);
    set_corner(out, at + 3, x + half, y - half, depth);
    return true;
}

/// False: nothing of the line is in front of the camera.
static bool line_quad(const view_transform *transform, const point_line_widths *widths,
                      const screen_vertices *in, uint32_t a, uint32_t b, screen_vertices *out,
                      uint32_t at)
{
    clip_corner end[2];
    if ((in->outcode[a] | in->outcode[b]) & OUTCODE_INVALID ||
        in->outcode[a] & in->outcode[b] & OUTCODE_FAR || !clip_line(transform, in, a, b, end))
        return false;
    const float ax = end[0].x / end[0].w, ay = end[0].y / end[0].w;
    const float bx = end[1].x / end[1].w, by = end[1].y / end[1].w;
    const float dx = bx - ax, dy = by - ay, length = maths_sqrt(dx * dx + dy * dy);
    const bool is_long = length > 1.0f / (float)SUBPIXEL_ONE;
    const float ux = is_long ? widths->line_half * (dx / length) : widths->line_half;
    const float uy = is_long ? widths->line_half * (dy / length) : 0.0f;
    const float first = end[0].depth * widths->line_scale + widths->line_nearer;
    const float last = end[1].depth * widths->line_scale + widths->line_nearer;
    set_corner(out, at, clip_snap(ax - ux + uy), clip_snap(ay - uy - ux), first);
    set_corner(out, at + 1, clip_snap(ax - ux - uy), clip_snap(ay - uy + ux), first);
    set_corner(out, at + 2, clip_snap(bx + ux - uy), clip_snap(by + uy + ux), last);
    set_corner(out, at + 3, clip_snap(bx + ux + uy), clip_snap(by + uy - ux), last);
    return true;
}

void point_line_quads(const view_transform *transform, const point_line_widths *widths, bool lines,
                      const screen_vertices *in, const uint8_t *const corner[3], uint32_t first,
                      uint32_t count, screen_vertices *out)
{
    for (uint32_t i = 0; i < QUADS; i++) {
        bool drawn = false;
        if (i < count) {
            const uint32_t a = corner[0][first + i], b = corner[1][first + i];
            drawn = lines ? line_quad(transform, widths, in, a, b, out, 4 * i)
                          : point_quad(widths, in, a, out, 4 * i);
        }
        if (!drawn)
            for (uint32_t k = 4 * i; k < 4 * i + 4; k++) {
                set_corner(out, k, 0, 0, 0.0f);
                out->outcode[k] = OUTCODE_INVALID;
            }
    }
}

/// Is the quad nowhere nearer than a drawn one over the same samples? The depths of a flat quad are
/// exactly those of its vertices; others are compared only for being the same.
static bool is_hidden(const struct drawn_quad *own, const struct drawn_quad *drawn)
{
    const float *d = own->depth, *e = drawn->depth;
    const bool flat = d[0] == d[1] && e[0] == e[1];
    return (flat ? d[0] <= e[0] : d[0] == e[0] && d[1] == e[1]) &&
           memcmp(own->x, drawn->x, sizeof own->x) == 0 &&
           memcmp(own->y, drawn->y, sizeof own->y) == 0;
}

void quad_cache_drop(quad_cache *cache, screen_vertices *quads)
{
    for (uint32_t i = 0; i < QUADS; i++) {
        const uint32_t at = 4 * i;
        struct drawn_quad own = {.depth = {quads->depth[at], quads->depth[at + 2]}};
        if (quads->outcode[at] & OUTCODE_INVALID)
            continue;
        memcpy(own.x, &quads->sx[at], sizeof own.x);
        memcpy(own.y, &quads->sy[at], sizeof own.y);
        const uint64_t ends = hash_number(hash_number(HASH_START, (uint32_t)own.x[0]),
                                          (uint32_t)own.y[0] ^ (uint32_t)own.x[2] << 16);
        const uint64_t hash = hash_number(ends, (uint32_t)own.y[2]);
        struct drawn_quad *entry = &cache->entry[hash % QUAD_CACHE];
        if (is_hidden(&own, entry))
            for (uint32_t k = at; k < at + 4; k++)
                quads->outcode[k] = OUTCODE_INVALID;
        else
            *entry = own;
    }
}
