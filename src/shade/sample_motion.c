// SPDX-License-Identifier: MIT
#include "shade/sample_motion.h"

#include "geometry/draw.h"

/// The corners of a triangle by shade_motion.rows, at each time at which its mesh shows.
typedef struct moving_triangle {
    uint32_t id;
    bool shows[MOTION_TIMES];
    double corner[MOTION_TIMES][3][3];
} moving_triangle;

static void find_corner(const geometry_draw *draw, uint32_t vertex, const double row[3][4],
                        double out[3])
{
    const vertex_position *p = &draw->position[vertex];
    float at[4] = {p->x, p->y, p->z};
    mat4 world_from_model;
    if (draw->posed_mesh) {
        memcpy(world_from_model, draw->palette, sizeof world_from_model);
        posed_place(world_from_model, p, at);
    }
    for (int r = 0; r < 3; r++)
        out[r] = row[r][0] * (double)at[0] + row[r][1] * (double)at[1] + row[r][2] * (double)at[2] +
                 row[r][3];
}

static void find_triangle(const shade_frame *frame, uint32_t id, moving_triangle *out)
{
    const uint32_t number = primitive_meshlet(id), triangle = primitive_triangle(id);
    const posed_meshlet *posed = &frame->surfaces.meshlets[number];
    const size_t draw = (size_t)(frame->draws[number] - frame->motion->draws);
    out->id = id;
    for (int t = 0; t < MOTION_TIMES; t++) {
        const geometry_draw *then = frame->motion->then[t] ? frame->motion->then[t][draw] : NULL;
        out->shows[t] = then != NULL;
        for (int k = 0; k < 3 && then; k++)
            find_corner(then, posed->vertex[posed->corner[k][triangle]], frame->motion->rows[t],
                        out->corner[t][k]);
    }
}

/// The pixel of a point of the triangle. False: it does not show, or is behind the camera.
static bool find_pixel(const moving_triangle *triangle, int time, const double share[3],
                       double out[2])
{
    const double(*corner)[3] = triangle->corner[time];
    double at[3];
    for (int k = 0; k < 3 && triangle->shows[time]; k++)
        at[k] = share[0] * corner[0][k] + share[1] * corner[1][k] + share[2] * corner[2][k];
    if (!triangle->shows[time] || !(at[2] < 0.0))
        return false;
    const double scale = -1.0 / at[2];
    out[0] = at[0] * scale;
    out[1] = at[1] * scale;
    return true;
}

void sample_motion_fill(const visible_samples *visible, uint32_t count, const shade_frame *frame,
                        const shade_planes *planes)
{
    const float *l1 = planes->channel[PLANE_BARYCENTRIC], *l2 = l1 + planes->stride;
    float *out = planes->channel[PLANE_MOTION];
    moving_triangle triangle = {.id = ID_NONE};
    for (uint32_t i = 0; i < count; i++) {
        const double share[3] = {1.0 - (double)l1[i] - (double)l2[i], (double)l1[i], (double)l2[i]};
        double at[MOTION_TIMES][2];
        float value[9] = {0};
        if (visible->id[i] != triangle.id)
            find_triangle(frame, visible->id[i], &triangle);
        const bool shows = find_pixel(&triangle, MOTION_NOW, share, at[MOTION_NOW]);
        for (int t = MOTION_AFTER; t < MOTION_TIMES && shows; t++) {
            if (!find_pixel(&triangle, t, share, at[t]))
                continue;
            value[4] += (float)t; // MOTION_AFTER 1, MOTION_BEFORE 2
            for (int k = 0; k < 2; k++) {
                const float moved = (float)(at[t][k] - at[MOTION_NOW][k]);
                value[2 * (t - MOTION_AFTER) + k] = moved;
                value[t == MOTION_AFTER ? 7 + k : 5 + k] = t == MOTION_AFTER ? 0.0f - moved : moved;
            }
        }
        for (int c = 0; c < 9; c++)
            out[(size_t)c * planes->stride + i] = value[c];
    }
}
