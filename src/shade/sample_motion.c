// SPDX-License-Identifier: MIT
#include "shade/sample_motion.h"

#include "geometry/draw.h"

#include <math.h>

/// A triangle of a mesh at each time.
typedef struct moving_triangle {
    const geometry_draw *draw;                  ///< of the frame
    const vertex_position *place[MOTION_TIMES]; ///< vertices of its mesh; NULL: it does not show
    double rows[MOTION_TIMES][3][4];            ///< shade_motion.rows from them
    /// x, y and z of those rows at corner 0, and from there to corners 1 and 2. NaN: not known.
    double at[MOTION_TIMES][3][3];
} moving_triangle;

static void draw_rows(const shade_motion *motion, const geometry_draw *draw, moving_triangle *out)
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

static void triangle_build(const shade_frame *frame, uint32_t id, moving_triangle *out)
{
    const uint32_t number = primitive_meshlet(id), triangle = primitive_triangle(id);
    const posed_meshlet *posed = &frame->surfaces.meshlets[number];
    const vertex_position unknown = {.x = NAN};
    if (out->draw != frame->draws[number])
        draw_rows(frame->motion, frame->draws[number], out);
    for (int t = 0; t < MOTION_TIMES; t++) {
        double at[3][3];
        for (int k = 0; k < 3; k++) {
            const uint32_t vertex = posed->vertex[posed->corner[k][triangle]];
            const vertex_position *p = out->place[t] ? &out->place[t][vertex] : &unknown;
            const double x = (double)p->x, y = (double)p->y, z = (double)p->z;
            for (int r = 0; r < 3; r++) {
                const double *row = out->rows[t][r];
                at[k][r] = row[0] * x + row[1] * y + row[2] * z + row[3];
            }
        }
        for (int r = 0; r < 3; r++) {
            out->at[t][r][0] = at[0][r];
            out->at[t][r][1] = at[1][r] - at[0][r];
            out->at[t][r][2] = at[2][r] - at[0][r];
        }
    }
}

enum { RUN = 16 }; ///< maximum of samples of a triangle that are found together

/// The pixels of points of the triangle. NaN: it does not show, or is behind the camera.
static void pixels_evaluate(const moving_triangle *triangle, int time, const float *l1,
                            const float *l2, uint32_t count, double out[2][RUN])
{
    for (uint32_t i = 0; i < count; i++) {
        const double(*at)[3] = triangle->at[time];
        const double b = (double)l1[i], c = (double)l2[i];
        const double ahead = -(at[2][0] + b * at[2][1] + c * at[2][2]);
        const double scale = ahead > 0.0 ? 1.0 / ahead : (double)NAN;
        for (int k = 0; k < 2; k++)
            out[k][i] = (at[k][0] + b * at[k][1] + c * at[k][2]) * scale;
    }
}

/// Stores channel `c` of PLANE_MOTION, 0 where it is not known, and the one of PLANE_VECTOR that
/// follows from it; a forward one is negated there.
static void store(const shade_planes *planes, int c, uint32_t first, uint32_t count,
                  const double *then, const double *now)
{
    float *motion = planes->channel[PLANE_MOTION], *vector = planes->channel[PLANE_VECTOR];
    float moved[RUN], known[RUN];
    for (uint32_t i = 0; i < count; i++) {
        const double exact = then[i] - now[i];
        moved[i] = exact == exact ? (float)exact : 0.0f;
        known[i] = exact == exact ? (float)(c / 2 + 1) : 0.0f;
    }
    if (motion) {
        float *to = motion + first, *flags = to + 4 * planes->stride;
        memcpy(to + (size_t)c * planes->stride, moved, count * sizeof *moved);
        for (uint32_t i = 0; i < count && c % 2 == 0; i++)
            flags[i] = c == 0 ? known[i] : flags[i] + known[i];
    }
    float *to = vector ? vector + (size_t)((c + 2) % 4) * planes->stride + first : NULL;
    for (uint32_t i = 0; i < count && vector; i++)
        to[i] = c < 2 ? 0.0f - moved[i] : moved[i];
}

void sample_motion_fill(const visible_samples *visible, uint32_t count, const shade_frame *frame,
                        const shade_planes *planes)
{
    const float *l1 = planes->channel[PLANE_BARYCENTRIC], *l2 = l1 + planes->stride;
    moving_triangle triangle = {0};
    for (uint32_t i = 0, end; i < count; i = end) {
        double now[2][RUN], then[2][RUN];
        for (end = i + 1; end < count && end - i < RUN && visible->id[end] == visible->id[i];)
            end++;
        if (i == 0 || visible->id[i] != visible->id[i - 1])
            triangle_build(frame, visible->id[i], &triangle);
        pixels_evaluate(&triangle, MOTION_NOW, l1 + i, l2 + i, end - i, now);
        for (int t = MOTION_AFTER; t <= MOTION_BEFORE; t++) {
            pixels_evaluate(&triangle, t, l1 + i, l2 + i, end - i, then);
            for (int k = 0; k < 2; k++)
                store(planes, 2 * (t - MOTION_AFTER) + k, i, end - i, then[k], now[k]);
        }
    }
}
