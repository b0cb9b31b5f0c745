// SPDX-License-Identifier: MIT
/// Typed values out of a scene file's tree. A map is read by a table of its keys, which is at once
/// the reference of what the map may hold. Every failure names its place and what was expected.
#ifndef ZT_SCENE_SCENE_VALUE_H
#define ZT_SCENE_SCENE_VALUE_H

#include "scene/document.h"
#include "scene/scene.h"

/// A bone of a model that is named before all models are read.
typedef struct target_wish target_wish;

typedef struct scene_reader {
    const char *path;
    zt_scene *scene;
    arena *scratch;      ///< holds the tree
    target_wish *wishes; ///< newest first
    uint32_t switches;   ///< of parents, in all
    message_sink sink;
    zt_error *err;
} scene_reader;

typedef zt_result (*value_fn)(scene_reader *r, const document_node *value, void *target);

typedef enum key_presence { KEY_OPTIONAL, KEY_REQUIRED, KEY_LATER } key_presence;

typedef struct map_key {
    const char *name;
    value_fn read; ///< NULL for KEY_LATER
    key_presence presence;
} map_key;

/// "FILE:PLACE: what" at a node; `at_key`: at its key.
zt_result value_fail(scene_reader *r, const document_node *node, bool at_key, const char *format,
                     ...) ZT_PRINTF(4, 5);
/// "FILE:PLACE: found a list (expected WHAT)".
zt_result value_wrong(scene_reader *r, const document_node *node, const char *expected);

/// Reads the members of `map` in the order of `keys`. `what` names the map in messages. An unknown
/// key fails with the nearest known one, a KEY_LATER one as not yet supported.
zt_result value_map(scene_reader *r, const document_node *map, const char *what,
                    const map_key *keys, size_t count, void *target);

zt_result value_number(scene_reader *r, const document_node *node, double min, double max,
                       double *out);
zt_result value_integer(scene_reader *r, const document_node *node, int64_t min, int64_t max,
                        int64_t *out);
/// Text, or a number as it is written. Lives as long as the scene.
zt_result value_text(scene_reader *r, const document_node *node, const char *expected,
                     const char **out);
/// The index of a word in `names`.
zt_result value_choice(scene_reader *r, const document_node *node, const char *const *names,
                       size_t count, int32_t *out);
/// Three numbers.
zt_result value_vector(scene_reader *r, const document_node *node, double min, double max,
                       double out[3]);
/// Three numbers that are not all 0.
zt_result value_direction(scene_reader *r, const document_node *node, double out[3]);
/// sRGB hex text or three linear numbers -> linear.
zt_result value_color(scene_reader *r, const document_node *node, double out[3]);
/// "RRGGBB" or "#RRGGBB" (sRGB) -> linear; false when it is neither.
bool color_from_hex(const char *text, double out[3]);

/// What one key of a track holds.
typedef enum track_kind {
    TRACK_NUMBER,
    TRACK_VECTOR,   ///< 3 numbers
    TRACK_ROTATION, ///< 3 Euler degrees or 4 of a quaternion
    TRACK_SCALE,    ///< 1 or 3 numbers
    TRACK_COLOR,    ///< hex text or 3 numbers
} track_kind;

/// A value, or keys [[time, value], ...]. Every number must be in [min, max].
zt_result value_track(scene_reader *r, const document_node *node, track_kind kind, double min,
                      double max, track *out);
/// A constant track, with the message written on failure.
zt_result value_constant(scene_reader *r, uint32_t width, const double *value, track *out);

#endif
