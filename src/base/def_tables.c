// SPDX-License-Identifier: MIT
/// The tables of def_fields.h, and the defaults.
#include "base/def_fields.h"
#include "base/handle.h"

#include <math.h>

#define WORDS(field_, list_) FIELD(DEF_WORD, field_), .words = list_
#define RANGE(min_, max_)    .min = min_, .max = max_
#define TABLE(fields)                                                                              \
    {                                                                                              \
        fields, sizeof fields / sizeof *fields                                                     \
    }
#define CALLER .no_pixel = "it belongs to the caller"

#define FIELD(kind_, field_) .kind = kind_, .offset = offsetof(zt_shot_def, field_)
// clang-format off
static const def_field shot_fields[] = {
    {"time", FIELD(DEF_DOUBLE, time_s), RANGE(-1e6, 1e6)},
    {"fps", FIELD(DEF_INT, fps_numerator), .trace = DEF_STAYS, .shares_flag = true},
    {"fps_denominator", FIELD(DEF_INT, fps_denominator), .trace = DEF_STAYS, .shares_flag = true},
    {"frames", FIELD(DEF_TEXT, frames), .no_pixel = "it only selects"},
    {"clip", FIELD(DEF_TEXT, clip), .trace = DEF_STAYS},
    {"width", FIELD(DEF_INT, width), .shares_flag = true},
    {"height", FIELD(DEF_INT, height), .shares_flag = true},
    {"samples", FIELD(DEF_POWER, samples), RANGE(1.0, 16.0)},
    {"supersample", FIELD(DEF_POWER, supersample), RANGE(1.0, 4.0)},
    {"anisotropy", FIELD(DEF_POWER, anisotropy), RANGE(1.0, 16.0)},
    {"background", FIELD(DEF_TEXT, background)},
    {"opaque", FIELD(DEF_BOOL, opaque), .trace = DEF_STAYS},
    {"tone_map", WORDS(tone_map, ZT_WORDS_TONE_MAP)},
    {"exposure", FIELD(DEF_DOUBLE, exposure_ev), RANGE(-32.0, 32.0)},
    {"look", WORDS(look, ZT_WORDS_LOOK), .trace = DEF_STAYS},
    {"space", WORDS(space, ZT_WORDS_SPACE)},
    {"preset", WORDS(preset, ZT_WORDS_PRESET), .trace = DEF_STAYS},
    {"light", FIELD(DEF_PATH, light), .words = ZT_WORDS_LIGHT, .trace = DEF_STAYS},
    {"environment", FIELD(DEF_PATH, environment), .trace = DEF_STAYS},
    {"ground", WORDS(ground, ZT_WORDS_GROUND)},
    {"ground_height", FIELD(DEF_TEXT, ground_height), .trace = DEF_STAYS},
    {"camera", FIELD(DEF_TEXT, camera), .trace = DEF_STAYS},
    {"view", WORDS(view, ZT_WORDS_VIEW)},
    {"azimuth", FIELD(DEF_DOUBLE, azimuth_deg), RANGE(-1e6, 1e6)},
    {"elevation", FIELD(DEF_DOUBLE, elevation_deg), RANGE(-90.0, 90.0)},
    {"fov", FIELD(DEF_DOUBLE, fov_deg), RANGE(1.0, 179.0)},
    {"zoom", FIELD(DEF_DOUBLE, zoom), RANGE(0.001, 1000.0)},
    {"margin", FIELD(DEF_DOUBLE, margin), RANGE(0.0, 0.45)},
    {"up", WORDS(up, ZT_WORDS_UP), .trace = DEF_STAYS, .shares_flag = true},
    {"look_at", FIELD(DEF_TEXT, look_at), .trace = DEF_STAYS},
    {"ortho", FIELD(DEF_BOOL, orthographic), .trace = DEF_STAYS},
    {"lights", FIELD(DEF_BOOL, lights_turn), .names = light_spaces, .trace = DEF_STAYS},
    {"directions", FIELD(DEF_INT, directions), RANGE(1.0, 360.0), .trace = DEF_STAYS},
    {"count", FIELD(DEF_INT, turntable_count), .trace = DEF_STAYS},
    {"duration", FIELD(DEF_DOUBLE, turntable_duration_s), .trace = DEF_STAYS},
    {"loops", FIELD(DEF_INT, turntable_loops), .trace = DEF_STAYS},
    {"direction", FIELD(DEF_BOOL, turntable_clockwise), .trace = DEF_STAYS},
    {"easing", FIELD(DEF_BOOL, turntable_eased), .trace = DEF_STAYS},
    {"elevation_to", FIELD(DEF_DOUBLE, turntable_elevation_deg), .trace = DEF_STAYS},
    {"thumbnail", FIELD(DEF_BOOL, thumbnail), .trace = DEF_STAYS},
    {"quality", WORDS(quality, ZT_WORDS_QUALITY)},
    {"light_samples", FIELD(DEF_MULTIPLE, light_samples), RANGE(16.0, 4096.0)},
    {"shutter", FIELD(DEF_TEXT, shutter)},
    {"aperture", FIELD(DEF_TEXT, aperture)},
    {"focus", FIELD(DEF_TEXT, focus)},
    {"blades", FIELD(DEF_INT, blades), RANGE(3.0, 32.0)},
    {"subframes", FIELD(DEF_TEXT, subframes)},
};
#undef FIELD
#define FIELD(kind_, field_) .kind = kind_, .offset = offsetof(zt_load_def, field_)
static const def_field load_fields[] = {
    {"texture_dir", FIELD(DEF_TEXT, texture_dir), .no_pixel = "the textures count by their bytes"},
    {"variant", FIELD(DEF_TEXT, variant)},
    {"max_memory", FIELD(DEF_BYTES, max_memory), .no_pixel = "what does not fit fails"},
    {"budget", FIELD(DEF_POINTER, budget), CALLER},
    {"picture_side", FIELD(DEF_INT, picture_side)},
    {"threads", FIELD(DEF_INT, threads), .no_pixel = "they never change a pixel"},
    {"up", WORDS(file_up, ZT_WORDS_UP)},
    {"unit", FIELD(DEF_INT, unit_um), .names = length_units},
    {"color", FIELD(DEF_TEXT, color)},
    {"first_person", FIELD(DEF_BOOL, first_person)},
    {"package_picture", FIELD(DEF_BOOL, package_picture)},
    {"no_textures", FIELD(DEF_BOOL, no_textures)},
    {"strict", FIELD(DEF_BOOL, strict), .no_pixel = "it fails or changes nothing"},
    {"confine_scene", FIELD(DEF_BOOL, confine_scene), .no_pixel = "the files that are read count"},
    {"follow_links", FIELD(DEF_BOOL, follow_links), .no_pixel = "the files that are read count"},
    {"message", FIELD(DEF_POINTER, message), CALLER},
    {"message_user", FIELD(DEF_POINTER, message_user), CALLER},
    {"allocator", FIELD(DEF_POINTER, allocator), CALLER},
    {"cancel", FIELD(DEF_POINTER, cancel), CALLER},
    {"bytes", FIELD(DEF_POINTER, bytes), .no_pixel = "the files that are read count"},
    {"size", FIELD(DEF_BYTES, size), .no_pixel = "the files that are read count"},
    {"open", FIELD(DEF_POINTER, open), .no_pixel = "the files that are read count"},
    {"open_user", FIELD(DEF_POINTER, open_user), CALLER},
    {"save", FIELD(DEF_POINTER, save), .no_pixel = "it gets what is written"},
    {"save_user", FIELD(DEF_POINTER, save_user), CALLER},
};
#undef FIELD
#define FIELD(kind_, field_) .kind = kind_, .offset = offsetof(zt_encode_def, field_)
static const def_field encode_fields[] = {
    {"format", FIELD(DEF_TEXT, format), .no_pixel = "a file of another format has no key of this one"},
    {"png", FIELD(DEF_INT, png)},
    {"jpeg_quality", FIELD(DEF_INT, jpeg_quality), RANGE(1.0, 100.0)},
    {"lossy", FIELD(DEF_INT, webp_quality), RANGE(1.0, 100.0)},
    {"exr", FIELD(DEF_INT, exr)},
    {"bits", FIELD(DEF_INT, bits), RANGE(8.0, 16.0)},
    {"encoding", FIELD(DEF_INT, linear)},
    {"depth_unit", FIELD(DEF_DOUBLE, depth_unit_mm), RANGE(0.0, 1e6)},
    {"dither", FIELD(DEF_BOOL, dither)},
    {"matte", FIELD(DEF_TEXT, matte)},
    {"fsync", FIELD(DEF_BOOL, fsync), .no_pixel = "the bytes are the same"},
    {"has_key", FIELD(DEF_BOOL, has_key), .no_pixel = "it is the key"},
    {"key", FIELD(DEF_BYTES, key), .no_pixel = "it is the key"},
    {"texts", FIELD(DEF_POINTER, texts), CALLER},
    {"text_count", FIELD(DEF_INT, text_count), CALLER},
    {"metadata", FIELD(DEF_INT, metadata)},
    {"settings", FIELD(DEF_TEXT, settings), CALLER},
    {"scene_hash", FIELD(DEF_BYTES, scene_hash), .no_pixel = "it is part of the key"},
    {"frame", FIELD(DEF_BYTES, frame), .no_pixel = "it is part of the key"},
    {"time_s", FIELD(DEF_DOUBLE, time_s), .no_pixel = "the frame says it"},
};
// clang-format on
#undef FIELD

const named_int light_spaces[] = {{"world", 0}, {"camera", 1}, {NULL, 0}};
const named_int length_units[] = {{"mm", 1000},  {"cm", 10000},  {"m", 1000000},
                                  {"in", 25400}, {"ft", 304800}, {NULL, 0}};
const def_table shot_table = TABLE(shot_fields);
const def_table load_table = TABLE(load_fields);
const def_table encode_table = TABLE(encode_fields);

zt_shot_def zt_default_shot_def(void)
{
    zt_shot_def def = {.cookie_ = HANDLE_COOKIE};
    for (size_t i = 0; i < shot_table.count; i++)
        if (shot_fields[i].kind == DEF_DOUBLE)
            def_set_number(&shot_fields[i], &def, (double)NAN);
    return def;
}

zt_load_def zt_default_load_def(void) { return (zt_load_def){.cookie_ = HANDLE_COOKIE}; }

zt_encode_def zt_default_encode_def(void)
{
    return (zt_encode_def){.jpeg_quality = 90, .depth_unit_mm = 1.0, .cookie_ = HANDLE_COOKIE};
}
