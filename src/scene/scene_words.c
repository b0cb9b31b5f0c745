// SPDX-License-Identifier: MIT
/// The lists of words that keys of scenes and fields of zt_shot_def take.
#include "scene/scene.h"

enum { WORDS_MAX = 10 }; ///< most words of a list, with the NULL at its end

// clang-format off
static const char *const words[ZT_WORD_LIST_COUNT][WORDS_MAX] = {
    [ZT_WORDS_VIEW] = {"front", "back", "left", "right", "top", "iso"},
    [ZT_WORDS_UP] = {"x", "y", "z", "-x", "-y", "-z"},
    [ZT_WORDS_TONE_MAP] = {[TONE_MAP_NEUTRAL] = "neutral",
                           [TONE_MAP_ACES] = "aces",
                           [TONE_MAP_LINEAR] = "linear",
                           [TONE_MAP_AGX] = "agx",
                           [TONE_MAP_SOFT] = "soft"},
    [ZT_WORDS_PRESET] = {"studio", "neutral", "product", "flat"},
    [ZT_WORDS_LIGHT] = {"studio", "file", "none"},
    [ZT_WORDS_GROUND] = {"none", "shadow", "checker", "plane"},
    [ZT_WORDS_LOOK] = {[SCENE_LOOK_LIT] = "lit",
                       [SCENE_LOOK_FLAT] = "flat",
                       [SCENE_LOOK_CLAY] = "clay",
                       [SCENE_LOOK_NORMALS] = "normals",
                       [SCENE_LOOK_UV] = "uv",
                       [SCENE_LOOK_ALBEDO] = "albedo",
                       [SCENE_LOOK_DEPTH] = "depth",
                       [SCENE_LOOK_WIREFRAME] = "wireframe",
                       [SCENE_LOOK_SKELETON] = "skeleton"},
    [ZT_WORDS_SPACE] = {[SCENE_SPACE_WORLD] = "world", [SCENE_SPACE_CAMERA] = "camera"},
    [ZT_WORDS_QUALITY] = {[SCENE_QUALITY_FAST] = "fast", [SCENE_QUALITY_FINAL] = "final"},
};
// clang-format on
_Static_assert((int)SCENE_LOOK_COUNT < (int)WORDS_MAX && (int)TONE_MAP_COUNT < (int)WORDS_MAX,
               "a NULL ends each list");

const char *zt_word_at(zt_word_list list, int32_t index)
{
    const bool there = (unsigned)list < ZT_WORD_LIST_COUNT && index >= 0 && index < WORDS_MAX;
    return there ? words[list][index] : NULL;
}
