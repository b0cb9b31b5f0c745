// SPDX-License-Identifier: MIT
/// Parser of .m3d: text -> m3d_file. Format: Luna, Introduction to 3D Game Programming with DirectX
/// 12, ch. 23. Every count is checked against the bytes that are left before anything is allocated
/// for it.
#include "m3d/m3d_file.h"

#include <math.h>
#include <string.h>

// The fewest characters of an entry with its blank: names may be empty, colons need no blank.
#define LENGTH(text) (sizeof(text) - 1)
#define ZEROS_4      "0 0 0 0 "
enum {
    MATERIAL_BYTES = LENGTH("Name:Diffuse:0 0 0 Fresnel0:0 0 0 Roughness:0 AlphaClip:0 "
                            "MaterialTypeName:DiffuseMap:NormalMap:"),
    SUBSET_BYTES = LENGTH("SubsetID:0 VertexStart:0 VertexCount:0 FaceStart:0 FaceCount:0 "),
    VERTEX_BYTES = LENGTH("Position:0 0 0 Tangent:0 0 0 0 Normal:0 0 0 Tex-Coords:0 0 "),
    WEIGHT_BYTES = LENGTH("BlendWeights:0 0 0 0 BlendIndices:0 0 0 0 "),
    TRIANGLE_BYTES = LENGTH("0 0 0 "),
    OFFSET_BYTES = LENGTH("BoneOffset0 " ZEROS_4 ZEROS_4 ZEROS_4 ZEROS_4),
    PARENT_BYTES = LENGTH("ParentIndexOfBone0:0 "),
    CLIP_BYTES = LENGTH("AnimationClip { } "),
    KEY_BYTES = LENGTH("Time:0 Pos:0 0 0 Scale:0 0 0 Quat:0 0 0 1 "),
    TRACK_BYTES = LENGTH("Bone0 #Keyframes:1 { } ") + KEY_BYTES,
};

// Sums further from 1 are worth a warning; less is rounding (exporters write seven digits).
#define WEIGHT_SUM_TOLERANCE 1e-4f

#define NO_MATERIAL UINT32_MAX

// Rounding of a matrix product in an exporter; more is worth a warning.
#define AFFINE_TOLERANCE 1e-4f

// ---- Header, materials and subsets --------------------------------------------------------------

static zt_result parse_count(text_scan *text, const char *label, int64_t limit, uint32_t *out)
{
    int64_t value;
    ZT_TRY(m3d_text_label(text, label));
    (void)text_scan_next(text);
    const char *at = text->at;
    ZT_TRY(text_scan_integer(text, label, 0, INT64_MAX, &value));
    if (value > limit)
        return text_scan_fail(text, ZT_ERR_LIMIT, at, "%s %lld (the limit is %lld)", label,
                              (long long)value, (long long)limit);
    *out = (uint32_t)value;
    return ZT_OK;
}

static zt_result parse_header(text_scan *text, const zt_limits *limits, m3d_file *file)
{
    ZT_TRY(m3d_text_section(text, "m3d-File-Header"));
    ZT_TRY(parse_count(text, "#Materials", UINT32_MAX, &file->material_count));
    ZT_TRY(parse_count(text, "#Vertices", UINT32_MAX, &file->vertex_count));
    ZT_TRY(parse_count(text, "#Triangles", limits->triangles, &file->triangle_count));
    ZT_TRY(parse_count(text, "#Bones", limits->joints, &file->bone_count));
    ZT_TRY(parse_count(text, "#AnimationClips", UINT32_MAX, &file->clip_count));
    if (file->clip_count > 0 && file->bone_count == 0)
        return text_scan_fail(text, ZT_ERR_FORMAT, text->at,
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

static zt_result parse_material(text_scan *text, arena *keep, m3d_material *m, bool *clamps)
{
    int64_t alpha_clip;
    ZT_TRY(m3d_text_label(text, "Name:"));
    ZT_TRY(m3d_text_name(text, "material name", "Diffuse:", keep, &m->name));
    ZT_TRY(m3d_text_label(text, "Diffuse:"));
    ZT_TRY(text_scan_floats(text, "Diffuse", 3, m->diffuse));
    ZT_TRY(m3d_text_label(text, "Fresnel0:"));
    ZT_TRY(text_scan_floats(text, "Fresnel0", 3, m->fresnel0));
    ZT_TRY(m3d_text_label(text, "Roughness:"));
    ZT_TRY(text_scan_floats(text, "Roughness", 1, &m->roughness));
    ZT_TRY(m3d_text_label(text, "AlphaClip:"));
    ZT_TRY(text_scan_integer(text, "AlphaClip", 0, 1, &alpha_clip));
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

static zt_result parse_materials(text_scan *text, arena *keep, arena *scratch, m3d_file *file)
{
    ZT_TRY(m3d_text_section(text, "Materials"));
    ZT_TRY(text_scan_room(text, "materials", file->material_count, MATERIAL_BYTES));
    ZT_TRY(ARENA_TAKE(scratch, &file->materials, file->material_count, "materials", text->err));
    for (uint32_t i = 0; i < file->material_count; i++) {
        bool clamps = false;
        ZT_TRY(parse_material(text, keep, &file->materials[i], &clamps));
        file->repairs.materials_clamped += clamps;
    }
    return ZT_OK;
}

static zt_result parse_range(text_scan *text, const char *start_label, const char *count_label,
                             uint32_t size, uint32_t *out_start, uint32_t *out_count)
{
    int64_t start, count;
    ZT_TRY(m3d_text_label(text, start_label));
    ZT_TRY(text_scan_integer(text, "first of a subset", 0, size, &start));
    ZT_TRY(m3d_text_label(text, count_label));
    ZT_TRY(text_scan_integer(text, "count of a subset", 0, (int64_t)size - start, &count));
    *out_start = (uint32_t)start;
    *out_count = (uint32_t)count;
    return ZT_OK;
}

static zt_result parse_subsets(text_scan *text, arena *scratch, m3d_file *file)
{
    ZT_TRY(m3d_text_section(text, "SubsetTable"));
    ZT_TRY(text_scan_room(text, "subsets", file->material_count, SUBSET_BYTES));
    ZT_TRY(ARENA_TAKE(scratch, &file->subsets, file->material_count, "subsets", text->err));
    for (uint32_t i = 0; i < file->material_count; i++) {
        m3d_subset *s = &file->subsets[i];
        int64_t id;
        ZT_TRY(m3d_text_label(text, "SubsetID:"));
        s->at = text->at;
        ZT_TRY(text_scan_integer(text, "SubsetID", i, i, &id)); // one for each material, in order
        ZT_TRY(parse_range(text, "VertexStart:", "VertexCount:", file->vertex_count,
                           &s->vertex_start, &s->vertex_count));
        ZT_TRY(parse_range(text, "FaceStart:", "FaceCount:", file->triangle_count, &s->face_start,
                           &s->face_count));
    }
    return ZT_OK;
}

// ---- Vertices and triangles ---------------------------------------------------------------------

static zt_result parse_frame(text_scan *text, m3d_file *file, uint32_t v)
{
    float p[3], t[4], n[3], uv[2];
    ZT_TRY(m3d_text_label(text, "Position:"));
    ZT_TRY(text_scan_floats(text, "Position", 3, p));
    ZT_TRY(m3d_text_label(text, "Tangent:"));
    ZT_TRY(text_scan_floats(text, "Tangent", 4, t));
    ZT_TRY(m3d_text_label(text, "Normal:"));
    ZT_TRY(text_scan_floats(text, "Normal", 3, n));
    ZT_TRY(m3d_text_label(text, "Tex-Coords:"));
    ZT_TRY(text_scan_floats(text, "Tex-Coords", 2, uv));
    file->repairs.normals_missing += !vec3_normalize(n);
    file->repairs.tangents_missing += !vec3_normalize(t);
    file->position[v] = (vertex_position){p[0], p[1], p[2], 1.0f};
    file->attributes[v] = (vertex_attributes){n[0], n[1], n[2], uv[0], t[0], t[1], t[2], uv[1]};
    file->tangent_w[v] = t[3] < 0.0f ? -1.0f : 1.0f;
    return ZT_OK;
}

static zt_result parse_influences(text_scan *text, m3d_file *file, uint32_t v)
{
    float w[4];
    int64_t joint[4];
    ZT_TRY(m3d_text_label(text, "BlendWeights:"));
    (void)text_scan_next(text);
    const char *at = text->at;
    ZT_TRY(text_scan_floats(text, "BlendWeights", 4, w));
    ZT_TRY(m3d_text_label(text, "BlendIndices:"));
    for (int k = 0; k < 4; k++)
        ZT_TRY(
            text_scan_integer(text, "BlendIndices", 0, (int64_t)file->bone_count - 1, &joint[k]));

    double sum = 0.0;
    for (int k = 0; k < 4; k++) {
        if (w[k] < 0.0f)
            return text_scan_fail(text, ZT_ERR_FORMAT, at,
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

static zt_result parse_vertices(text_scan *text, arena *scratch, m3d_file *file)
{
    const bool skinned = file->bone_count > 0;
    const uint32_t count = file->vertex_count;
    ZT_TRY(m3d_text_section(text, "Vertices"));
    ZT_TRY(text_scan_room(text, "vertices", count, VERTEX_BYTES + (skinned ? WEIGHT_BYTES : 0)));
    ZT_TRY(ARENA_TAKE_RAW(scratch, &file->position, count, "vertices", text->err));
    ZT_TRY(ARENA_TAKE_RAW(scratch, &file->attributes, count, "vertices", text->err));
    ZT_TRY(ARENA_TAKE_RAW(scratch, &file->tangent_w, count, "vertices", text->err));
    if (skinned) {
        ZT_TRY(ARENA_TAKE_RAW(scratch, &file->joints, count, "vertex weights", text->err));
        ZT_TRY(ARENA_TAKE_RAW(scratch, &file->weights, count, "vertex weights", text->err));
    }
    for (uint32_t v = 0; v < count; v++) {
        if (budget_cancelled(scratch->budget))
            return cancel_fail(text->err);
        ZT_TRY(parse_frame(text, file, v));
        if (skinned)
            ZT_TRY(parse_influences(text, file, v));
    }
    return ZT_OK;
}

// Gives subsets' triangles their material: two are an error, none is NO_MATERIAL, never drawn.
static zt_result assign_materials(text_scan *text, m3d_file *file)
{
    for (uint32_t f = 0; f < file->triangle_count; f++)
        file->material[f] = NO_MATERIAL;
    for (uint32_t i = 0; i < file->material_count; i++) {
        const m3d_subset *s = &file->subsets[i];
        for (uint32_t f = s->face_start; f < s->face_start + s->face_count; f++) {
            if (file->material[f] != NO_MATERIAL)
                return text_scan_fail(text, ZT_ERR_FORMAT, s->at,
                                      "triangle %u is in the subsets %u and %u (expected one)",
                                      (unsigned)f, (unsigned)file->material[f], (unsigned)i);
            file->material[f] = i;
        }
    }
    return ZT_OK;
}

static zt_result parse_triangle(text_scan *text, m3d_file *file, uint32_t f, uint32_t *out)
{
    int64_t low = 0, high = (int64_t)file->vertex_count - 1;
    if (file->material[f] != NO_MATERIAL) {
        const m3d_subset *s = &file->subsets[file->material[f]];
        low = s->vertex_start;
        high = low + s->vertex_count - 1;
    }
    for (int k = 0; k < 3; k++) {
        int64_t index;
        ZT_TRY(text_scan_integer(text, "vertex of a triangle", low, high, &index));
        out[k] = (uint32_t)index;
    }
    return ZT_OK;
}

static zt_result parse_triangles(text_scan *text, arena *scratch, m3d_file *file)
{
    ZT_TRY(m3d_text_section(text, "Triangles"));
    ZT_TRY(text_scan_room(text, "triangles", file->triangle_count, TRIANGLE_BYTES));
    ZT_TRY(ARENA_TAKE_RAW(scratch, &file->corner, (size_t)file->triangle_count * 3, "triangles",
                          text->err));
    ZT_TRY(ARENA_TAKE_RAW(scratch, &file->material, file->triangle_count, "triangles", text->err));
    ZT_TRY(assign_materials(text, file));
    uint32_t kept = 0;
    for (uint32_t f = 0; f < file->triangle_count; f++) {
        if (budget_cancelled(scratch->budget))
            return cancel_fail(text->err);
        ZT_TRY(parse_triangle(text, file, f, &file->corner[3 * (size_t)kept]));
        file->material[kept] = file->material[f];
        kept += file->material[f] != NO_MATERIAL;
    }
    file->repairs.faces_dropped = file->triangle_count - kept;
    file->triangle_count = kept;
    return ZT_OK;
}

// ---- Bones and clips ----------------------------------------------------------------------------

static zt_result parse_offsets(text_scan *text, m3d_file *file)
{
    ZT_TRY(m3d_text_section(text, "BoneOffsets"));
    for (uint32_t i = 0; i < file->bone_count; i++) {
        float m[16];
        ZT_TRY(m3d_text_indexed(text, "BoneOffset", i, ""));
        ZT_TRY(text_scan_floats(text, "BoneOffset", 16, m));
        // A bone moves points affinely: the last column is 0 0 0 1, whatever an exporter wrote.
        const float last_column[4] = {0.0f, 0.0f, 0.0f, 1.0f};
        bool exact = true;
        for (size_t row = 0; row < 4; row++) {
            exact = exact && fabsf(m[4 * row + 3] - last_column[row]) <= AFFINE_TOLERANCE;
            m[4 * row + 3] = last_column[row];
        }
        file->repairs.offsets_projective += !exact;
        // Row-major for row vectors is column-major for column vectors.
        memcpy(file->bones[i].bone_from_bind, m, sizeof m);
    }
    return ZT_OK;
}

static zt_result parse_hierarchy(text_scan *text, m3d_file *file)
{
    ZT_TRY(m3d_text_section(text, "BoneHierarchy"));
    for (uint32_t i = 0; i < file->bone_count; i++) {
        int64_t parent;
        ZT_TRY(m3d_text_indexed(text, "ParentIndexOfBone", i, ":"));
        (void)text_scan_next(text);
        const char *at = text->at;
        ZT_TRY(text_scan_integer(text, "parent of a bone", -1, (int64_t)file->bone_count - 1,
                                 &parent));
        if (parent >= (int64_t)i)
            return text_scan_fail(text, ZT_ERR_FORMAT, at,
                                  "bone %u comes before its parent %lld (expected a parent from -1 "
                                  "to %lld)",
                                  (unsigned)i, (long long)parent, (long long)i - 1);
        file->bones[i].parent = (int32_t)parent;
    }
    return ZT_OK;
}

// Reads a key frame into slot `k`.
static zt_result parse_key(text_scan *text, m3d_track *track, uint32_t k)
{
    ZT_TRY(m3d_text_label(text, "Time:"));
    ZT_TRY(text_scan_floats(text, "Time", 1, &track->time_s[k]));
    ZT_TRY(m3d_text_label(text, "Pos:"));
    ZT_TRY(text_scan_floats(text, "Pos", 3, &track->translation[3 * (size_t)k]));
    ZT_TRY(m3d_text_label(text, "Scale:"));
    ZT_TRY(text_scan_floats(text, "Scale", 3, &track->scale[3 * (size_t)k]));
    ZT_TRY(m3d_text_label(text, "Quat:"));
    (void)text_scan_next(text);
    const char *at = text->at;
    ZT_TRY(text_scan_floats(text, "Quat", 4, &track->rotation[4 * (size_t)k]));
    if (!quatf_normalize(&track->rotation[4 * (size_t)k]))
        return text_scan_fail(text, ZT_ERR_FORMAT, at,
                              "a quaternion of length 0 (expected a rotation)");
    return ZT_OK;
}

static zt_result allocate_track(m3d_track *track, arena *keep, zt_error *err)
{
    const size_t count = track->key_count;
    ZT_TRY(ARENA_TAKE_RAW(keep, &track->time_s, count, "key frames", err));
    ZT_TRY(ARENA_TAKE_RAW(keep, &track->translation, 3 * count, "key frames", err));
    ZT_TRY(ARENA_TAKE_RAW(keep, &track->rotation, 4 * count, "key frames", err));
    ZT_TRY(ARENA_TAKE_RAW(keep, &track->scale, 3 * count, "key frames", err));
    return ZT_OK;
}

// A key at the time of the one before replaces it: the model's times rise strictly.
static zt_result parse_keys(text_scan *text, m3d_track *track, m3d_repairs *repairs)
{
    const uint32_t count = track->key_count;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        (void)text_scan_next(text);
        const char *at = text->at;
        const float before = kept > 0 ? track->time_s[kept - 1] : 0.0f;
        ZT_TRY(parse_key(text, track, kept));
        if (kept > 0 && track->time_s[kept] < before)
            return text_scan_fail(text, ZT_ERR_FORMAT, at,
                                  "time %g after time %g (expected times that do not fall)",
                                  (double)track->time_s[kept], (double)before);
        if (kept > 0 && !(track->time_s[kept] > before)) {
            const size_t from = kept, to = kept - 1;
            memcpy(&track->translation[3 * to], &track->translation[3 * from], 3 * sizeof(float));
            memcpy(&track->rotation[4 * to], &track->rotation[4 * from], 4 * sizeof(float));
            memcpy(&track->scale[3 * to], &track->scale[3 * from], 3 * sizeof(float));
            repairs->keys_repeated++;
        } else {
            kept++;
        }
    }
    track->key_count = kept;
    return ZT_OK;
}

static zt_result parse_track(text_scan *text, arena *keep, m3d_file *file, const m3d_clip *clip,
                             uint32_t bone)
{
    m3d_track *track = &clip->tracks[bone];
    int64_t count;
    ZT_TRY(m3d_text_indexed(text, "Bone", bone, ""));
    ZT_TRY(m3d_text_label(text, "#Keyframes:"));
    (void)text_scan_next(text);
    const char *at = text->at;
    ZT_TRY(text_scan_integer(text, "#Keyframes", 0, UINT32_MAX, &count));
    if (count == 0)
        return text_scan_fail(text, ZT_ERR_FORMAT, at,
                              "bone %u has no key frames in clip '%.64s' (expected at least 1)",
                              (unsigned)bone, clip->name);
    ZT_TRY(text_scan_room(text, "key frames", (uint64_t)count, KEY_BYTES));
    track->key_count = (uint32_t)count;
    ZT_TRY(allocate_track(track, keep, text->err));
    ZT_TRY(m3d_text_label(text, "{"));
    ZT_TRY(parse_keys(text, track, &file->repairs));
    return m3d_text_label(text, "}");
}

static zt_result parse_clip(text_scan *text, arena *keep, arena *scratch, m3d_file *file,
                            m3d_clip *clip)
{
    ZT_TRY(m3d_text_label(text, "AnimationClip"));
    ZT_TRY(m3d_text_name(text, "clip name", "{", keep, &clip->name));
    ZT_TRY(m3d_text_label(text, "{"));
    ZT_TRY(text_scan_room(text, "bones of a clip", file->bone_count, TRACK_BYTES));
    ZT_TRY(ARENA_TAKE(scratch, &clip->tracks, file->bone_count, "animation tracks", text->err));
    for (uint32_t bone = 0; bone < file->bone_count; bone++)
        ZT_TRY(parse_track(text, keep, file, clip, bone));
    return m3d_text_label(text, "}");
}

static zt_result parse_clips(text_scan *text, arena *keep, arena *scratch, m3d_file *file)
{
    // The section may be left out when there is nothing in it.
    if (file->clip_count == 0 && !text_scan_next(text))
        return ZT_OK;
    ZT_TRY(m3d_text_section(text, "AnimationClips"));
    ZT_TRY(text_scan_room(text, "animation clips", file->clip_count, CLIP_BYTES));
    ZT_TRY(ARENA_TAKE(scratch, &file->clips, file->clip_count, "animation clips", text->err));
    for (uint32_t i = 0; i < file->clip_count; i++)
        ZT_TRY(parse_clip(text, keep, scratch, file, &file->clips[i]));
    return ZT_OK;
}

// ---- The whole file -----------------------------------------------------------------------------

// A static file may leave out the last three sections or leave them empty.
static zt_result parse_empty_sections(text_scan *text)
{
    static const char *const names[] = {"BoneOffsets", "BoneHierarchy", "AnimationClips"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (m3d_text_at_section(text, names[i]))
            ZT_TRY(m3d_text_section(text, names[i]));
    return ZT_OK;
}

zt_result m3d_parse(text_scan *text, arena *keep, arena *scratch, m3d_file *file)
{
    ZT_TRY(parse_header(text, scratch->budget->limits, file));
    ZT_TRY(parse_materials(text, keep, scratch, file));
    ZT_TRY(parse_subsets(text, scratch, file));
    ZT_TRY(parse_vertices(text, scratch, file));
    ZT_TRY(parse_triangles(text, scratch, file));
    if (file->bone_count > 0) {
        ZT_TRY(text_scan_room(text, "bones", file->bone_count, OFFSET_BYTES + PARENT_BYTES));
        ZT_TRY(ARENA_TAKE(scratch, &file->bones, file->bone_count, "bones", text->err));
        ZT_TRY(parse_offsets(text, file));
        ZT_TRY(parse_hierarchy(text, file));
        ZT_TRY(parse_clips(text, keep, scratch, file));
    } else {
        ZT_TRY(parse_empty_sections(text));
    }
    if (text_scan_next(text))
        return text_scan_unexpected(text, false, "the end of the file");
    return ZT_OK;
}
