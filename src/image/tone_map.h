// SPDX-License-Identifier: MIT
/// Tone maps, from light to a picture's colours: for scenes and film. Curves: film/tone_map.inl.
#pragma once

/// In the order of ZT_WORDS_TONE_MAP.
typedef enum tone_map_kind {
    TONE_MAP_NEUTRAL, ///< Khronos PBR Neutral
    TONE_MAP_ACES,    ///< Hill's fit on rgb / 0.6
    TONE_MAP_LINEAR,
    TONE_MAP_AGX,  ///< Sobotka's AgX, base look, Rec. 2020
    TONE_MAP_SOFT, ///< Neutral, with white surfaces of the studio apart from white pages
    TONE_MAP_COUNT
} tone_map_kind;
