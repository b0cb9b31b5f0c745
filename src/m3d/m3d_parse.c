// SPDX-License-Identifier: MIT
/// Parser of .m3d: header, materials, subset table, and the order of the sections.
/// Text -> m3d_file. Format: Luna, Introduction to 3D Game Programming with DirectX 12, ch. 23.
/// Every count is checked against the bytes that are left before anything is allocated for it.
#include "m3d/m3d_file.h"

#include <string.h>

// The fewest characters that an entry can take, rounded down.
enum { MATERIAL_BYTES = 90, SUBSET_BYTES = 60 };

static zt_result parse_count(m3d_text *text, const char *label, int64_t limit, uint32_t *out)
{
    int64_t value;
    ZT_TRY(m3d_text_label(text, label));
    (void)m3d_text_next(text);
    const char *place = text->at;
    ZT_TRY(m3d_text_integer(text, label, 0, INT64_MAX, &value));
    if (value > limit)
        return m3d_text_fail(text, ZT_ERR_LIMIT, place, "%s %lld (the limit is %lld)", label,
                             (long long)value, (long long)limit);
    *out = (uint32_t)value;
    return ZT_OK;
}

static zt_result parse_header(m3d_text *text, m3d_file *file)
{
    ZT_TRY(m3d_text_section(text, "m3d-File-Header"));
    ZT_TRY(parse_count(text, "#Materials", UINT32_MAX, &file->material_count));
    ZT_TRY(parse_count(text, "#Vertices", UINT32_MAX, &file->vertex_count));
    ZT_TRY(parse_count(text, "#Triangles", MODEL_TRIANGLE_LIMIT, &file->triangle_count));
    ZT_TRY(parse_count(text, "#Bones", MODEL_JOINT_LIMIT, &file->bone_count));
    ZT_TRY(parse_count(text, "#AnimationClips", UINT32_MAX, &file->clip_count));
    if (file->clip_count > 0 && file->bone_count == 0)
        return m3d_text_fail(text, ZT_ERR_FORMAT, text->at,
                             "%u animation clips without bones (expected 0)",
                             (unsigned)file->clip_count);
    return ZT_OK;
}

static float clamped(float value, float high, bool *changed)
{
    const float inside = value < 0.0f ? 0.0f : value > high ? high : value;
    *changed |= inside != value;
    return inside;
}

static zt_result parse_material(m3d_text *text, arena *keep, m3d_material *m, bool *clamps)
{
    int64_t alpha_clip;
    ZT_TRY(m3d_text_label(text, "Name:"));
    ZT_TRY(m3d_text_name(text, "material name", "Diffuse:", keep, &m->name));
    ZT_TRY(m3d_text_label(text, "Diffuse:"));
    ZT_TRY(m3d_text_floats(text, "Diffuse", 3, m->diffuse));
    ZT_TRY(m3d_text_label(text, "Fresnel0:"));
    ZT_TRY(m3d_text_floats(text, "Fresnel0", 3, m->fresnel0));
    ZT_TRY(m3d_text_label(text, "Roughness:"));
    ZT_TRY(m3d_text_floats(text, "Roughness", 1, &m->roughness));
    ZT_TRY(m3d_text_label(text, "AlphaClip:"));
    ZT_TRY(m3d_text_integer(text, "AlphaClip", 0, 1, &alpha_clip));
    ZT_TRY(m3d_text_label(text, "MaterialTypeName:"));
    ZT_TRY(m3d_text_name(text, "material type", "DiffuseMap:", keep, &m->type));
    ZT_TRY(m3d_text_label(text, "DiffuseMap:"));
    ZT_TRY(m3d_text_name(text, "diffuse map", "NormalMap:", keep, &m->diffuse_map));
    ZT_TRY(m3d_text_label(text, "NormalMap:"));
    ZT_TRY(m3d_text_name(text, "normal map", "Name:", keep, &m->normal_map));
    m->alpha_clip = alpha_clip != 0;
    for (int c = 0; c < 3; c++) {
        m->diffuse[c] = clamped(m->diffuse[c], 1.0f, clamps);
        m->fresnel0[c] = clamped(m->fresnel0[c], 1.0f, clamps);
    }
    m->roughness = clamped(m->roughness, 1.0f, clamps);
    return ZT_OK;
}

static zt_result parse_materials(m3d_text *text, arena *keep, arena *scratch, m3d_file *file)
{
    ZT_TRY(m3d_text_section(text, "Materials"));
    ZT_TRY(m3d_text_room(text, "materials", file->material_count, MATERIAL_BYTES));
    file->materials = ARENA_ARRAY(scratch, m3d_material, file->material_count);
    if (!file->materials)
        return arena_fail(scratch, text->err, "materials");
    for (uint32_t i = 0; i < file->material_count; i++) {
        bool clamps = false;
        ZT_TRY(parse_material(text, keep, &file->materials[i], &clamps));
        file->repairs.materials_clamped += clamps;
    }
    return ZT_OK;
}

static zt_result parse_range(m3d_text *text, const char *start_label, const char *count_label,
                             uint32_t size, uint32_t *out_start, uint32_t *out_count)
{
    int64_t start, count;
    ZT_TRY(m3d_text_label(text, start_label));
    ZT_TRY(m3d_text_integer(text, "first of a subset", 0, size, &start));
    ZT_TRY(m3d_text_label(text, count_label));
    ZT_TRY(m3d_text_integer(text, "count of a subset", 0, (int64_t)size - start, &count));
    *out_start = (uint32_t)start;
    *out_count = (uint32_t)count;
    return ZT_OK;
}

static zt_result parse_subsets(m3d_text *text, arena *scratch, m3d_file *file)
{
    ZT_TRY(m3d_text_section(text, "SubsetTable"));
    ZT_TRY(m3d_text_room(text, "subsets", file->material_count, SUBSET_BYTES));
    file->subsets = ARENA_ARRAY(scratch, m3d_subset, file->material_count);
    if (!file->subsets)
        return arena_fail(scratch, text->err, "subsets");
    for (uint32_t i = 0; i < file->material_count; i++) {
        m3d_subset *s = &file->subsets[i];
        int64_t id;
        ZT_TRY(m3d_text_label(text, "SubsetID:"));
        s->place = text->at;
        ZT_TRY(m3d_text_integer(text, "SubsetID", i, i, &id)); // one for each material, in order
        ZT_TRY(parse_range(text, "VertexStart:", "VertexCount:", file->vertex_count,
                           &s->vertex_start, &s->vertex_count));
        ZT_TRY(parse_range(text, "FaceStart:", "FaceCount:", file->triangle_count, &s->face_start,
                           &s->face_count));
    }
    return ZT_OK;
}

// A static file may leave out the last three sections or leave them empty.
static zt_result parse_empty_sections(m3d_text *text)
{
    static const char *const names[] = {"BoneOffsets", "BoneHierarchy", "AnimationClips"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (m3d_text_at_section(text, names[i]))
            ZT_TRY(m3d_text_section(text, names[i]));
    return ZT_OK;
}

zt_result m3d_parse(m3d_text *text, arena *keep, arena *scratch, m3d_file *file)
{
    if (text->end - text->at >= 3 && memcmp(text->at, "\xEF\xBB\xBF", 3) == 0)
        text->at += 3; // a byte order mark
    ZT_TRY(parse_header(text, file));
    ZT_TRY(parse_materials(text, keep, scratch, file));
    ZT_TRY(parse_subsets(text, scratch, file));
    ZT_TRY(m3d_parse_vertices(text, scratch, file));
    ZT_TRY(m3d_parse_triangles(text, scratch, file));
    if (file->bone_count > 0) {
        ZT_TRY(m3d_parse_bones(text, scratch, file));
        ZT_TRY(m3d_parse_clips(text, keep, scratch, file));
    } else {
        ZT_TRY(parse_empty_sections(text));
    }
    if (m3d_text_next(text)) {
        char found[64];
        return m3d_text_fail(text, ZT_ERR_FORMAT, text->at, "%s (expected the end of the file)",
                             m3d_text_found(text, found));
    }
    return ZT_OK;
}
