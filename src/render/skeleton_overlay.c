// SPDX-License-Identifier: MIT
// Lines are the points at most half a width from a segment; the border is a ramp of one pixel. They
// are blended in display colours, after the film: bones show through what covers them.
#include "render/skeleton_overlay.h"

#include "model/model_node.h"

#include <math.h>

/// Colours of chains in turn (the "bright" scheme of Paul Tol's notes on colour schemes, 2021, told
/// apart by colour-blind readers, too), and of axes.
static const uint8_t chain_color[][3] = {{238, 102, 119}, {34, 136, 51},   {68, 119, 170},
                                         {204, 187, 68},  {102, 204, 238}, {170, 51, 119},
                                         {230, 230, 230}};
static const uint8_t outline_color[3] = {16, 16, 16};
static const uint8_t axis_color[3][3] = {{235, 60, 50}, {70, 200, 60}, {60, 110, 245}};

enum { CHAIN_COLORS = sizeof chain_color / sizeof *chain_color };

/// In parts of the distance between a bone and its parent.
static const float axis_length = 0.2f;

typedef struct screen_point {
    float x, y; ///< pixels
} screen_point;

/// `a`: 0 to 255 of the colour over a pixel of straight alpha.
static void blend_pixel(uint8_t pixel[4], const uint8_t color[3], uint32_t a)
{
    const uint32_t under = (pixel[3] * (255u - a) + 127u) / 255u, alpha = a + under;
    if (alpha > 0)
        for (int k = 0; k < 3; k++)
            pixel[k] = (uint8_t)((color[k] * a + pixel[k] * under + alpha / 2u) / alpha);
    pixel[3] = (uint8_t)alpha;
}

static int32_t clamp_pixel(float x, int32_t limit)
{
    return !(x > 0.0f) ? 0 : x < (float)limit ? (int32_t)x : limit;
}

/// One row of draw_line().
static void draw_line_row(zt_image *out, int32_t y, screen_point a, screen_point b, float radius,
                          const uint8_t color[3])
{
    const float dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    const float reach = radius + 1.0f, row = (float)y + 0.5f;
    float from = 0.0f, to = 1.0f; // the part of the segment that is near the row
    if (dy != 0.0f) {
        const float t0 = (row - reach - a.y) / dy, t1 = (row + reach - a.y) / dy;
        from = t0 < t1 ? t0 : t1;
        to = t0 < t1 ? t1 : t0;
        from = from > 0.0f ? from : 0.0f;
        to = to < 1.0f ? to : 1.0f;
    }
    const float x0 = a.x + dx * from, x1 = a.x + dx * to;
    const int32_t first = clamp_pixel((x0 < x1 ? x0 : x1) - reach, out->width);
    const int32_t end = clamp_pixel((x0 < x1 ? x1 : x0) + reach + 1.0f, out->width);
    for (int32_t x = first; x < end; x++) {
        const float px = (float)x + 0.5f - a.x, py = row - a.y;
        float t = length2 > 0.0f ? (px * dx + py * dy) / length2 : 0.0f;
        t = !(t > 0.0f) ? 0.0f : t < 1.0f ? t : 1.0f;
        const float ox = px - dx * t, oy = py - dy * t;
        const float cover = radius + 0.5f - sqrtf(ox * ox + oy * oy);
        if (cover > 0.0f)
            blend_pixel(out->rgba8 + (size_t)y * out->stride + 4 * (size_t)x, color,
                        cover < 1.0f ? (uint32_t)(cover * 255.0f + 0.5f) : 255u);
    }
}

static void draw_line(zt_image *out, screen_point a, screen_point b, float radius,
                      const uint8_t color[3])
{
    const float reach = radius + 1.0f;
    const int32_t first = clamp_pixel((a.y < b.y ? a.y : b.y) - reach, out->height);
    const int32_t end = clamp_pixel((a.y < b.y ? b.y : a.y) + reach + 1.0f, out->height);
    for (int32_t y = first; y < end; y++)
        draw_line_row(out, y, a, b, radius, color);
}

typedef struct skeleton_overlay {
    const view_transform *transform;
    zt_image *out;
    float radius; ///< radius of bones, pixels
} skeleton_overlay;

/// A point of the world in homogeneous pixels.
static void project(const view_transform *transform, const float p[3], float out[3])
{
    const float *const rows[3] = {transform->row_x, transform->row_y, transform->row_w};
    for (int k = 0; k < 3; k++)
        out[k] = ((rows[k][0] * p[0] + rows[k][1] * p[1]) + rows[k][2] * p[2]) + rows[k][3];
}

/// Both ends on the screen, cut at the near plane. False: nothing is before it, or is a number.
static bool project_segment(const view_transform *transform, const float from[3], const float to[3],
                            screen_point out[2])
{
    float h[2][3];
    project(transform, from, h[0]);
    project(transform, to, h[1]);
    const float near = transform->orthographic ? 0.0f : transform->near_w;
    if (h[0][2] < near && h[1][2] < near)
        return false;
    for (int i = 0; i < 2; i++)
        if (h[i][2] < near) {
            const float *in = h[1 - i];
            const float t = (near - in[2]) / (h[i][2] - in[2]);
            for (int k = 0; k < 3; k++)
                h[i][k] = in[k] + (h[i][k] - in[k]) * t;
        }
    for (int i = 0; i < 2; i++)
        out[i] = (screen_point){h[i][0] / h[i][2], h[i][1] / h[i][2]};
    return isfinite(out[0].x) && isfinite(out[0].y) && isfinite(out[1].x) && isfinite(out[1].y);
}

static void draw_segment(const skeleton_overlay *o, const float from[3], const float to[3],
                         float radius, const uint8_t color[3])
{
    screen_point ends[2];
    if (project_segment(o->transform, from, to, ends))
        draw_line(o->out, ends[0], ends[1], radius, color);
}

static float distance(const float a[3], const float b[3])
{
    const float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrtf((x * x + y * y) + z * z);
}

static void draw_axes(const skeleton_overlay *o, const mat4 bone, float size)
{
    for (int axis = 0; axis < 3; axis++) {
        const float zero[3] = {0.0f, 0.0f, 0.0f}, length = distance(bone[axis], zero);
        float tip[3];
        if (!(length > 0.0f))
            continue;
        for (int k = 0; k < 3; k++)
            tip[k] = bone[3][k] + bone[axis][k] / length * size;
        draw_segment(o, bone[3], tip, 0.5f * o->radius, axis_color[axis]);
    }
}

/// The drawn bones of a model: by node, whether it is a bone, and the number of its chain.
typedef struct skeleton {
    bool *bone;
    uint32_t *children; ///< bones among them
    uint32_t *chain;
    int32_t *above; ///< the bone above, -1: none
} skeleton;

static bool skeleton_build(const zt_model *model, arena *a, skeleton *out)
{
    const uint32_t count = model->node_count;
    uint32_t chains = 0;
    *out = (skeleton){ARENA_ARRAY(a, bool, count), ARENA_ARRAY(a, uint32_t, count),
                      ARENA_ARRAY_RAW(a, uint32_t, count), ARENA_ARRAY_RAW(a, int32_t, count)};
    if (!out->bone || !out->children || !out->chain || !out->above)
        return false;
    model_find_bones_above(model->nodes, count, out->above);
    for (uint32_t s = 0; s < model->skin_count; s++)
        for (uint32_t j = 0; j < model->skins[s].joint_count; j++) {
            const int32_t joint = model->skins[s].joint_node[j];
            const bool helper = model->nodes[joint].helper;
            out->bone[helper ? out->above[joint] : joint] = true;
        }
    for (uint32_t i = 0; i < count; i++) {
        out->bone[i] = out->bone[i] || (model->skin_count == 0 && !model->nodes[i].helper);
        if (out->bone[i] && out->above[i] >= 0)
            out->children[out->above[i]]++;
    }
    for (uint32_t i = 0; i < count; i++) { // parents come first
        const int32_t parent = out->above[i];
        const bool goes_on = parent >= 0 && out->bone[parent] && out->children[parent] == 1;
        if (out->bone[i])
            out->chain[i] = goes_on ? out->chain[parent] : chains++;
    }
    return true;
}

/// The bones first, then the axes, which are shorter.
static void draw_bone(const skeleton_overlay *o, const skeleton *s, uint32_t i, const mat4 *world,
                      bool axes)
{
    const int32_t parent = s->above[i];
    const bool joined = parent >= 0 && s->bone[parent];
    const uint8_t *color = chain_color[s->chain[i] % CHAIN_COLORS];
    if (axes) {
        if (joined)
            draw_axes(o, world[i], axis_length * distance(world[i][3], world[parent][3]));
        return;
    }
    for (int inside = 0; inside < 2; inside++) {
        const uint8_t *rgb = inside ? color : outline_color;
        const float more = inside ? 0.0f : 0.5f * o->radius;
        if (joined)
            draw_segment(o, world[parent][3], world[i][3], o->radius + more, rgb);
        draw_segment(o, world[i][3], world[i][3], 2.0f * o->radius + more, rgb);
    }
}

zt_result skeleton_draw(const zt_scene *scene, const mat4 *const *world_from_node,
                        const view_transform *transform, arena *a, zt_image *out, zt_error *err)
{
    const float side = (float)(out->width < out->height ? out->width : out->height);
    const skeleton_overlay o = {transform, out, side > 400.0f ? side * 0.0025f : 1.0f};
    for (uint32_t n = 0; n < scene->instance_count; n++) {
        const zt_model *model = scene->instances[n].model;
        skeleton s;
        if (!skeleton_build(model, a, &s))
            return arena_fail(a, err, "the skeleton");
        for (int pass = 0; pass < 2; pass++)
            for (uint32_t i = 0; i < model->node_count; i++) {
                if (budget_cancelled(a->budget))
                    return cancel_fail(err);
                if (s.bone[i])
                    draw_bone(&o, &s, i, world_from_node[n], pass == 1);
            }
    }
    return ZT_OK;
}
