// SPDX-License-Identifier: MIT
/// Tone maps: from linear light to the colours of a picture: what a scene names and the film does.
/// The curves are in film/tone_map.inl.
#ifndef ZT_IMAGE_TONE_MAP_H
#define ZT_IMAGE_TONE_MAP_H

/// In the order of ZT_WORDS_TONE_MAP.
typedef enum tone_map_kind {
    TONE_MAP_NEUTRAL, ///< Khronos PBR Neutral
    TONE_MAP_ACES,    ///< Hill's fit on rgb / 0.6
    TONE_MAP_LINEAR,
    TONE_MAP_AGX, ///< Sobotka's AgX, base look, Rec. 2020
    TONE_MAP_COUNT
} tone_map_kind;

#endif
