// SPDX-License-Identifier: MIT
/// Parser of .m3d: the sections BoneOffsets, BoneHierarchy and AnimationClips.
#include "m3d/m3d_file.h"

#include <math.h>
#include <string.h>

// The fewest characters that an entry can take, rounded down.
enum { OFFSET_BYTES = 40, PARENT_BYTES = 20, CLIP_BYTES = 18, TRACK_BYTES = 60, KEY_BYTES = 40 };

// Rounding of a matrix product in an exporter; more is worth a warning.
#define AFFINE_TOLERANCE 1e-4f

static zt_result parse_offsets(m3d_text *text, m3d_file *file)
{
    ZT_TRY(m3d_text_section(text, "BoneOffsets"));
    for (uint32_t i = 0; i < file->bone_count; i++) {
        float m[16];
        ZT_TRY(m3d_text_indexed(text, "BoneOffset", i, ""));
        ZT_TRY(m3d_text_floats(text, "BoneOffset", 16, m));
        // A bone moves points affinely: the last column is 0 0 0 1, whatever an exporter wrote.
        const float affine[4] = {0.0f, 0.0f, 0.0f, 1.0f};
        bool exact = true;
        for (size_t row = 0; row < 4; row++) {
            exact = exact && fabsf(m[4 * row + 3] - affine[row]) <= AFFINE_TOLERANCE;
            m[4 * row + 3] = affine[row];
        }
        file->repairs.offsets_projective += !exact;
        // Row-major for row vectors is column-major for column vectors.
        memcpy(file->bones[i].bone_from_bind, m, sizeof m);
    }
    return ZT_OK;
}

static zt_result parse_hierarchy(m3d_text *text, m3d_file *file)
{
    ZT_TRY(m3d_text_section(text, "BoneHierarchy"));
    for (uint32_t i = 0; i < file->bone_count; i++) {
        int64_t parent;
        ZT_TRY(m3d_text_indexed(text, "ParentIndexOfBone", i, ":"));
        (void)m3d_text_next(text);
        const char *place = text->at;
        ZT_TRY(
            m3d_text_integer(text, "parent of a bone", -1, (int64_t)file->bone_count - 1, &parent));
        if (parent >= (int64_t)i)
            return m3d_text_fail(text, ZT_ERR_FORMAT, place,
                                 "bone %u comes before its parent %lld (expected a parent from -1 "
                                 "to %lld)",
                                 (unsigned)i, (long long)parent, (long long)i - 1);
        file->bones[i].parent = (int32_t)parent;
    }
    return ZT_OK;
}

zt_result m3d_parse_bones(m3d_text *text, arena *scratch, m3d_file *file)
{
    ZT_TRY(m3d_text_room(text, "bones", file->bone_count, OFFSET_BYTES + PARENT_BYTES));
    file->bones = ARENA_ARRAY(scratch, m3d_bone, file->bone_count);
    if (!file->bones)
        return arena_fail(scratch, text->err, "bones");
    ZT_TRY(parse_offsets(text, file));
    return parse_hierarchy(text, file);
}

// Reads a key frame into slot `k`.
static zt_result parse_key(m3d_text *text, m3d_track *track, uint32_t k)
{
    ZT_TRY(m3d_text_label(text, "Time:"));
    ZT_TRY(m3d_text_floats(text, "Time", 1, &track->time_s[k]));
    ZT_TRY(m3d_text_label(text, "Pos:"));
    ZT_TRY(m3d_text_floats(text, "Pos", 3, &track->translation[3 * (size_t)k]));
    ZT_TRY(m3d_text_label(text, "Scale:"));
    ZT_TRY(m3d_text_floats(text, "Scale", 3, &track->scale[3 * (size_t)k]));
    ZT_TRY(m3d_text_label(text, "Quat:"));
    (void)m3d_text_next(text);
    const char *place = text->at;
    ZT_TRY(m3d_text_floats(text, "Quat", 4, &track->rotation[4 * (size_t)k]));
    if (!quatf_normalize(&track->rotation[4 * (size_t)k]))
        return m3d_text_fail(text, ZT_ERR_FORMAT, place,
                             "a quaternion of length 0 (expected a rotation)");
    return ZT_OK;
}

static zt_result allocate_track(m3d_track *track, arena *keep, zt_error *err)
{
    const size_t count = track->key_count;
    track->time_s = ARENA_ARRAY_RAW(keep, float, count);
    track->translation = ARENA_ARRAY_RAW(keep, float, 3 * count);
    track->rotation = ARENA_ARRAY_RAW(keep, float, 4 * count);
    track->scale = ARENA_ARRAY_RAW(keep, float, 3 * count);
    if (!track->time_s || !track->translation || !track->rotation || !track->scale)
        return arena_fail(keep, err, "key frames");
    return ZT_OK;
}

// A key at the time of the one before replaces it: the model's times rise strictly.
static zt_result parse_keys(m3d_text *text, m3d_track *track, m3d_repairs *repairs)
{
    const uint32_t count = track->key_count;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        (void)m3d_text_next(text);
        const char *place = text->at;
        const float before = kept > 0 ? track->time_s[kept - 1] : 0.0f;
        ZT_TRY(parse_key(text, track, kept));
        if (kept > 0 && track->time_s[kept] < before)
            return m3d_text_fail(text, ZT_ERR_FORMAT, place,
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

static zt_result parse_track(m3d_text *text, arena *keep, m3d_file *file, const m3d_clip *clip,
                             uint32_t bone)
{
    m3d_track *track = &clip->tracks[bone];
    int64_t count;
    ZT_TRY(m3d_text_indexed(text, "Bone", bone, ""));
    ZT_TRY(m3d_text_label(text, "#Keyframes:"));
    (void)m3d_text_next(text);
    const char *place = text->at;
    ZT_TRY(m3d_text_integer(text, "#Keyframes", 0, UINT32_MAX, &count));
    if (count == 0)
        return m3d_text_fail(text, ZT_ERR_FORMAT, place,
                             "bone %u has no key frames in clip '%.64s' (expected at least 1)",
                             (unsigned)bone, clip->name);
    ZT_TRY(m3d_text_room(text, "key frames", (uint64_t)count, KEY_BYTES));
    track->key_count = (uint32_t)count;
    ZT_TRY(allocate_track(track, keep, text->err));
    ZT_TRY(m3d_text_label(text, "{"));
    ZT_TRY(parse_keys(text, track, &file->repairs));
    return m3d_text_label(text, "}");
}

static zt_result parse_clip(m3d_text *text, arena *keep, arena *scratch, m3d_file *file,
                            m3d_clip *clip)
{
    ZT_TRY(m3d_text_label(text, "AnimationClip"));
    ZT_TRY(m3d_text_name(text, "clip name", "{", keep, &clip->name));
    ZT_TRY(m3d_text_label(text, "{"));
    ZT_TRY(m3d_text_room(text, "bones of a clip", file->bone_count, TRACK_BYTES));
    clip->tracks = ARENA_ARRAY(scratch, m3d_track, file->bone_count);
    if (!clip->tracks)
        return arena_fail(scratch, text->err, "animation tracks");
    for (uint32_t bone = 0; bone < file->bone_count; bone++)
        ZT_TRY(parse_track(text, keep, file, clip, bone));
    return m3d_text_label(text, "}");
}

zt_result m3d_parse_clips(m3d_text *text, arena *keep, arena *scratch, m3d_file *file)
{
    // The section may be left out when there is nothing in it.
    if (file->clip_count == 0 && !m3d_text_next(text))
        return ZT_OK;
    ZT_TRY(m3d_text_section(text, "AnimationClips"));
    ZT_TRY(m3d_text_room(text, "animation clips", file->clip_count, CLIP_BYTES));
    file->clips = ARENA_ARRAY(scratch, m3d_clip, file->clip_count);
    if (!file->clips)
        return arena_fail(scratch, text->err, "animation clips");
    for (uint32_t i = 0; i < file->clip_count; i++)
        ZT_TRY(parse_clip(text, keep, scratch, file, &file->clips[i]));
    return ZT_OK;
}
