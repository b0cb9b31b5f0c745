// SPDX-License-Identifier: MIT
#include "shade/sample_motion.h"

#include "geometry/draw.h"

/// A triangle of a mesh at each time.
typedef struct moving_triangle {
    uint32_t id;
    const geometry_draw *draw;                  ///< of the frame
    const vertex_position *place[MOTION_TIMES]; ///< vertices of its mesh; NULL: it does not show
    double rows[MOTION_TIMES][3][4];            ///< shade_motion.rows from them
    const float *corner[MOTION_TIMES][3];       ///< x, y and z
} moving_triangle;

static void find_draw(const shade_motion *motion, const geometry_draw *draw, moving_triangle *out)
{
    out->draw = draw;
    for (int t = 0; t < MOTION_TIMES; t++) {
        const geometry_draw *then = motion->then[t] ? motion->then[t][draw - motion->draws] : NULL;
        out->place[t] = then ? then->position : NULL;
        memcpy(out->rows[t], motion->rows[t], sizeof out->rows[t]);
        if (!then || !then->posed_mesh)
            continue;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 4; c++) { // rows . world_from_model
                const float *column = then->palette[0].column[c];
                out->rows[t][r][c] = c == 3 ? motion->rows[t][r][3] : 0.0;
                for (int k = 0; k < 3; k++)
                    out->rows[t][r][c] += motion->rows[t][r][k] * (double)column[k];
            }
    }
}

static void find_triangle(const shade_frame *frame, uint32_t id, moving_triangle *out)
{
    const uint32_t number = primitive_meshlet(id), triangle = primitive_triangle(id);
    const posed_meshlet *posed = &frame->surfaces.meshlets[number];
    if (out->draw != frame->draws[number])
        find_draw(frame->motion, frame->draws[number], out);
    out->id = id;
    for (int k = 0; k < 3; k++) {
        const uint32_t vertex = posed->vertex[posed->corner[k][triangle]];
        for (int t = 0; t < MOTION_TIMES; t++)
            out->corner[t][k] = out->place[t] ? &out->place[t][vertex].x : NULL;
    }
}

/// The pixel of a point of the triangle. False: it does not show, or is behind the camera.
static bool find_pixel(const moving_triangle *triangle, int time, const double share[3],
                       double out[2])
{
    const float *const *p = triangle->corner[time];
    const double(*row)[4] = triangle->rows[time];
    double at[3];
    if (!p[0])
        return false;
    for (int k = 0; k < 3; k++)
        at[k] =
            share[0] * (double)p[0][k] + share[1] * (double)p[1][k] + share[2] * (double)p[2][k];
    const double ahead = -(row[2][0] * at[0] + row[2][1] * at[1] + row[2][2] * at[2] + row[2][3]);
    if (!(ahead > 0.0))
        return false;
    const double scale = 1.0 / ahead;
    for (int k = 0; k < 2; k++)
        out[k] = (row[k][0] * at[0] + row[k][1] * at[1] + row[k][2] * at[2] + row[k][3]) * scale;
    return true;
}

void sample_motion_fill(const visible_samples *visible, uint32_t count, const shade_frame *frame,
                        const shade_planes *planes)
{
    const float *l1 = planes->channel[PLANE_BARYCENTRIC], *l2 = l1 + planes->stride;
    float *motion = planes->channel[PLANE_MOTION], *vector = planes->channel[PLANE_VECTOR];
    moving_triangle triangle = {.id = ID_NONE};
    for (uint32_t i = 0; i < count; i++) {
        const double share[3] = {1.0 - (double)l1[i] - (double)l2[i], (double)l1[i], (double)l2[i]};
        double now[2], then[2];
        float moved[4] = {0}, known = 0.0f; // forward, backward
        if (visible->id[i] != triangle.id)
            find_triangle(frame, visible->id[i], &triangle);
        const bool shows = find_pixel(&triangle, MOTION_NOW, share, now);
        for (int t = MOTION_AFTER; t <= MOTION_BEFORE && shows; t++) {
            if (!find_pixel(&triangle, t, share, then))
                continue;
            known += t == MOTION_AFTER ? 1.0f : 2.0f;
            for (int k = 0; k < 2; k++)
                moved[2 * (t - MOTION_AFTER) + k] = (float)(then[k] - now[k]);
        }
        for (size_t k = 0; k < 4 && motion; k++)
            motion[k * planes->stride + i] = moved[k];
        if (motion)
            motion[4 * planes->stride + i] = known;
        for (size_t k = 0; k < 4 && vector; k++)
            vector[k * planes->stride + i] = k < 2 ? moved[2 + k] : 0.0f - moved[k - 2];
    }
}
