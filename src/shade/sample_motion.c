// SPDX-License-Identifier: MIT
#include "shade/sample_motion.h"

#include "geometry/draw.h"

#include <math.h>

static void draw_rows(const shade_motion *motion, const geometry_draw *draw, moving_triangle *out)
{
    out->draw = draw;
    for (int t = 0; t < MOTION_TIMES; t++) {
        const geometry_draw *then = motion->then[t] ? motion->then[t][draw - motion->draws] : NULL;
        out->place[t] = then ? then->position : NULL;
        const bool posed = then && then->posed_mesh; // else vertices are in the world
        for (int c = 0; c < 4; c++)
            for (int r = 0; r < 3; r++) { // rows . world_from_model
                const double *row = motion->rows[t][r];
                double sum = posed && c < 3 ? 0.0 : row[c];
                for (int k = 0; k < 3 && posed; k++)
                    sum += row[k] * (double)then->palette[0].column[c][k];
                out->column[t][c][r] = sum;
            }
    }
}

static void triangle_build(const shade_frame *frame, uint32_t id, moving_triangle *out)
{
    const uint32_t number = primitive_meshlet(id), triangle = primitive_triangle(id);
    const posed_meshlet *posed = &frame->surfaces.meshlets[number];
    const vertex_position unknown = {.x = NAN};
    if (out->draw != frame->draws[number])
        draw_rows(frame->motion, frame->draws[number], out);
    out->id = id;
    for (int t = 0; t < MOTION_TIMES; t++) {
        const double(*column)[4] = (const double(*)[4])out->column[t];
        double(*at)[4] = out->at[t];
        for (int k = 0; k < 3; k++) {
            const uint32_t vertex = posed->vertex[posed->corner[k][triangle]];
            const vertex_position *p = out->place[t] ? &out->place[t][vertex] : &unknown;
            const double x = (double)p->x, y = (double)p->y, z = (double)p->z;
            for (int r = 0; r < 4; r++)
                at[k][r] = column[0][r] * x + column[1][r] * y + column[2][r] * z + column[3][r];
        }
        for (int r = 0; r < 4; r++) {
            at[1][r] -= at[0][r];
            at[2][r] -= at[0][r];
        }
    }
}

/// The pixel of a point of the triangle. NaN: it does not show, or is behind the camera.
static void pixel_evaluate(const double at[3][4], double b, double c, double out[2])
{
    double place[4];
    for (int r = 0; r < 4; r++)
        place[r] = at[0][r] + b * at[1][r] + c * at[2][r];
    const double ahead = -place[2], scale = ahead > 0.0 ? 1.0 / ahead : (double)NAN;
    out[0] = place[0] * scale;
    out[1] = place[1] * scale;
}

void sample_motion_row(const visible_samples *visible, const shown_pixels *row,
                       const shade_frame *frame, const shade_planes *planes, picture_plane plane,
                       moving_triangle *last, float *out)
{
    const float *l1 = planes->channel[PLANE_BARYCENTRIC], *l2 = l1 + planes->stride;
    for (uint32_t n = 0; n < row->count; n++) {
        const uint32_t i = row->sample[n];
        float *to = out + (int32_t)row->x[n] * picture_plane_table[plane].kind.channels;
        double pixel[MOTION_TIMES][2];
        if (visible->id[i] != last->id)
            triangle_build(frame, visible->id[i], last);
        for (int t = 0; t < MOTION_TIMES; t++)
            pixel_evaluate((const double(*)[4])last->at[t], (double)l1[i], (double)l2[i], pixel[t]);
        for (int c = 0; c < 4; c++) { // forward, then backward; a forward one is negated in vectors
            const double moved = pixel[MOTION_AFTER + c / 2][c % 2] - pixel[MOTION_NOW][c % 2];
            if (moved != moved)
                continue;
            if (plane == PLANE_VECTOR)
                to[(c + 2) % 4] = c < 2 ? 0.0f - (float)moved : (float)moved;
            else
                to[c] = (float)moved;
            if (plane == PLANE_MOTION && c % 2 == 0)
                to[4] += (float)(c / 2 + 1);
        }
    }
}
