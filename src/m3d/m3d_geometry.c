// SPDX-License-Identifier: MIT
/// Parser of .m3d: the sections Vertices and Triangles, and which material a triangle has.
#include "m3d/m3d_file.h"

#include <math.h>
#include <string.h>

// The fewest characters that an entry can take, rounded down.
enum { VERTEX_BYTES = 60, WEIGHT_BYTES = 40, TRIANGLE_BYTES = 6 };

// Sums further from 1 than this are worth a warning; below it is the rounding of the text (the
// book's exporter writes seven digits).
#define WEIGHT_SUM_TOLERANCE 1e-4f

#define NO_MATERIAL UINT32_MAX

static zt_result parse_frame(m3d_text *text, m3d_file *file, uint32_t v)
{
    float p[3], t[4], n[3], uv[2];
    ZT_TRY(m3d_text_label(text, "Position:"));
    ZT_TRY(m3d_text_floats(text, "Position", 3, p));
    ZT_TRY(m3d_text_label(text, "Tangent:"));
    ZT_TRY(m3d_text_floats(text, "Tangent", 4, t));
    ZT_TRY(m3d_text_label(text, "Normal:"));
    ZT_TRY(m3d_text_floats(text, "Normal", 3, n));
    ZT_TRY(m3d_text_label(text, "Tex-Coords:"));
    ZT_TRY(m3d_text_floats(text, "Tex-Coords", 2, uv));
    file->repairs.normals_missing += !vec3_normalize(n);
    file->repairs.tangents_missing += !vec3_normalize(t);
    file->position[v] = (vertex_position){p[0], p[1], p[2], 1.0f};
    file->attributes[v] = (vertex_attributes){n[0], n[1], n[2], uv[0], t[0], t[1], t[2], uv[1]};
    file->tangent_w[v] = t[3] < 0.0f ? -1.0f : 1.0f;
    return ZT_OK;
}

static zt_result parse_influences(m3d_text *text, m3d_file *file, uint32_t v)
{
    float w[4];
    int64_t joint[4];
    ZT_TRY(m3d_text_label(text, "BlendWeights:"));
    (void)m3d_text_next(text);
    const char *place = text->at;
    ZT_TRY(m3d_text_floats(text, "BlendWeights", 4, w));
    ZT_TRY(m3d_text_label(text, "BlendIndices:"));
    for (int k = 0; k < 4; k++)
        ZT_TRY(m3d_text_integer(text, "BlendIndices", 0, (int64_t)file->bone_count - 1, &joint[k]));

    double sum = 0.0;
    for (int k = 0; k < 4; k++) {
        if (w[k] < 0.0f)
            return m3d_text_fail(text, ZT_ERR_FORMAT, place,
                                 "vertex %u has the weight %g (expected 0 or more)", (unsigned)v,
                                 (double)w[k]);
        sum += (double)w[k];
    }
    if (!(sum > 0.0)) {
        file->repairs.weights_missing++;
        w[0] = 1.0f;
        sum = 1.0;
        memset(joint, 0, sizeof joint);
    }
    file->repairs.weights_scaled += fabs(sum - 1.0) > (double)WEIGHT_SUM_TOLERANCE;
    for (int k = 0; k < 4; k++) {
        file->weights[v].weight[k] = (float)((double)w[k] / sum);
        file->joints[v].joint[k] = (uint16_t)(w[k] > 0.0f ? joint[k] : 0);
    }
    return ZT_OK;
}

zt_result m3d_parse_vertices(m3d_text *text, arena *scratch, m3d_file *file)
{
    const bool skinned = file->bone_count > 0;
    const uint32_t count = file->vertex_count;
    ZT_TRY(m3d_text_section(text, "Vertices"));
    ZT_TRY(m3d_text_room(text, "vertices", count, VERTEX_BYTES + (skinned ? WEIGHT_BYTES : 0)));
    file->position = ARENA_ARRAY_RAW(scratch, vertex_position, count);
    file->attributes = ARENA_ARRAY_RAW(scratch, vertex_attributes, count);
    file->tangent_w = ARENA_ARRAY_RAW(scratch, float, count);
    if (!file->position || !file->attributes || !file->tangent_w)
        return arena_fail(scratch, text->err, "vertices");
    if (skinned) {
        file->joints = ARENA_ARRAY_RAW(scratch, vertex_joints, count);
        file->weights = ARENA_ARRAY_RAW(scratch, vertex_weights, count);
        if (!file->joints || !file->weights)
            return arena_fail(scratch, text->err, "vertex weights");
    }
    for (uint32_t v = 0; v < count; v++) {
        ZT_TRY(parse_frame(text, file, v));
        if (skinned)
            ZT_TRY(parse_influences(text, file, v));
    }
    return ZT_OK;
}

// Gives the triangles of each subset its material. A triangle in two subsets is an error, one in
// none gets NO_MATERIAL: nothing would ever draw it.
static zt_result assign_materials(m3d_text *text, m3d_file *file)
{
    for (uint32_t f = 0; f < file->triangle_count; f++)
        file->material[f] = NO_MATERIAL;
    for (uint32_t i = 0; i < file->material_count; i++) {
        const m3d_subset *s = &file->subsets[i];
        for (uint32_t f = s->face_start; f < s->face_start + s->face_count; f++) {
            if (file->material[f] != NO_MATERIAL)
                return m3d_text_fail(text, ZT_ERR_FORMAT, s->place,
                                     "triangle %u is in the subsets %u and %u (expected one)",
                                     (unsigned)f, (unsigned)file->material[f], (unsigned)i);
            file->material[f] = i;
        }
    }
    return ZT_OK;
}

static zt_result parse_triangle(m3d_text *text, m3d_file *file, uint32_t f, uint32_t *out)
{
    int64_t low = 0, high = (int64_t)file->vertex_count - 1;
    if (file->material[f] != NO_MATERIAL) {
        const m3d_subset *s = &file->subsets[file->material[f]];
        low = s->vertex_start;
        high = low + s->vertex_count - 1;
    }
    for (int k = 0; k < 3; k++) {
        int64_t index;
        ZT_TRY(m3d_text_integer(text, "vertex of a triangle", low, high, &index));
        out[k] = (uint32_t)index;
    }
    return ZT_OK;
}

zt_result m3d_parse_triangles(m3d_text *text, arena *scratch, m3d_file *file)
{
    ZT_TRY(m3d_text_section(text, "Triangles"));
    ZT_TRY(m3d_text_room(text, "triangles", file->triangle_count, TRIANGLE_BYTES));
    file->corner = ARENA_ARRAY_RAW(scratch, uint32_t, (size_t)file->triangle_count * 3);
    file->material = ARENA_ARRAY_RAW(scratch, uint32_t, file->triangle_count);
    if (!file->corner || !file->material)
        return arena_fail(scratch, text->err, "triangles");
    ZT_TRY(assign_materials(text, file));
    uint32_t kept = 0;
    for (uint32_t f = 0; f < file->triangle_count; f++) {
        ZT_TRY(parse_triangle(text, file, f, &file->corner[3 * (size_t)kept]));
        file->material[kept] = file->material[f];
        kept += file->material[f] != NO_MATERIAL;
    }
    file->repairs.faces_dropped = file->triangle_count - kept;
    file->triangle_count = kept;
    return ZT_OK;
}
