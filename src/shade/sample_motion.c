// SPDX-License-Identifier: MIT
#include "shade/sample_motion.h"

#include "geometry/draw.h"

#include <math.h>
#include <string.h>

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
                out->column[t][c][r / 2][r % 2] = sum;
            }
        out->same_place[t] = t > 0 && out->place[t] == out->place[t - 1];
        const bool still = out->same_place[t] &&
                           memcmp(out->column[t], out->column[t - 1], sizeof out->column[t]) == 0;
        out->like[t] = still ? out->like[t - 1] : t;
    }
}

static void triangle_build(const shade_frame *frame, uint32_t id, moving_triangle *out)
{
    const uint32_t number = primitive_meshlet(id), triangle = primitive_triangle(id);
    const posed_meshlet *posed = &frame->surfaces.meshlets[number];
    if (out->draw != frame->draws[number])
        draw_rows(frame->motion, frame->draws[number], out);
    out->id = id;
    for (int k = 0; k < 3; k++)
        out->vertex[k] = posed->vertex[posed->corner[k][triangle]];
}

/// A point of the triangle at a time, among the vertices of its mesh.
static void point_evaluate(const moving_triangle *triangle, int t, double b, double c,
                           double_pair *xy, double_pair *z)
{
    const vertex_position *place = triangle->place[t];
    const double weight[3] = {1.0 - b - c, b, c};
    *xy = *z = (double_pair){0.0};
    for (int k = 0; k < 3; k++) {
        const vertex_position *p = &place[triangle->vertex[k]];
        *xy += (double_pair){(double)p->x, (double)p->y} * weight[k];
        *z += (double_pair){(double)p->z, (double)p->one} * weight[k];
    }
}

/// The pixels of a point of the triangle. NaN: it does not show, or is behind the camera.
static void pixels_evaluate(const moving_triangle *triangle, double b, double c,
                            double_pair out[MOTION_TIMES])
{
    double_pair xy = {0.0}, z = {0.0};
    for (int t = 0; t < MOTION_TIMES; t++) {
        const double_pair(*row)[2] = triangle->column[t];
        if (triangle->like[t] != t) {
            out[t] = out[triangle->like[t]];
            continue;
        }
        if (triangle->place[t] && !triangle->same_place[t])
            point_evaluate(triangle, t, b, c, &xy, &z);
        const double_pair at = row[0][0] * xy[0] + row[1][0] * xy[1] + row[2][0] * z[0] + row[3][0];
        const double_pair back =
            row[0][1] * xy[0] + row[1][1] * xy[1] + row[2][1] * z[0] + row[3][1];
        const double scale = back[0] < 0.0 && triangle->place[t] ? -1.0 / back[0] : (double)NAN;
        out[t] = at * scale;
    }
}

/// Motion to the frame after and to the frame before, which of them there are, and what Blender's
/// vector has: to the frame before, then from the frame after.
static void motion_store(const double_pair pixel[MOTION_TIMES], bool vector, float *out)
{
    const double_pair forward = pixel[MOTION_AFTER] - pixel[MOTION_NOW];
    const double_pair backward = pixel[MOTION_BEFORE] - pixel[MOTION_NOW];
    const bool any_forward = forward[0] == forward[0], any_backward = backward[0] == backward[0];
    for (int c = 0; c < 2 && any_forward; c++)
        out[vector ? 2 + c : c] = vector ? 0.0f - (float)forward[c] : (float)forward[c];
    for (int c = 0; c < 2 && any_backward; c++)
        out[vector ? c : 2 + c] = (float)backward[c];
    if (!vector)
        out[4] = (float)any_forward + 2.0f * (float)any_backward;
}

void sample_motion_row(const visible_samples *visible, const shown_pixels *row,
                       const shade_frame *frame, const shade_planes *planes, picture_plane plane,
                       moving_triangle *last, float *out)
{
    const float *l1 = planes->channel[PLANE_BARYCENTRIC], *l2 = l1 + planes->stride;
    const uint32_t channels = (uint32_t)picture_plane_table[plane].kind.channels;
    for (uint32_t n = 0; n < row->count; n++) {
        const uint32_t i = row->sample[n];
        double_pair pixel[MOTION_TIMES];
        if (visible->id[i] != last->id)
            triangle_build(frame, visible->id[i], last);
        pixels_evaluate(last, (double)l1[i], (double)l2[i], pixel);
        motion_store(pixel, plane == PLANE_VECTOR, out + channels * row->x[n]);
    }
}
