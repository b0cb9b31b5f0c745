// SPDX-License-Identifier: MIT
/// Values that only scenes have, and what their readers share.
#pragma once

#include "base/def_fields.h"
#include "document/document_value.h"
#include "document/name_index.h"
#include "scene/scene.h"

/// A bone of an instance that may come later in the file (scene_links.h).
typedef struct bone_request bone_request;
/// The names of a model, once some were looked up (scene_names.c).
typedef struct model_names model_names;

/// The state of reading one scene file: document_reader.user.
typedef struct scene_reading {
    zt_scene *scene;
    const scene_instance *instance; ///< the model or instance whose keys are being read
    bone_request *bone_requests;    ///< newest first
    model_names *model_names;       ///< newest first
    name_index instance_names;
    uint32_t indexed_instances;   ///< instances of the scene that instance_names holds
    uint64_t path_steps;          ///< nodes that were compared with paths of bones
    uint32_t parent_change_count; ///< sum over all instances
    uint32_t smooth_count;        ///< points that follow with a mean
    bool by_call;                 ///< a call gives the values: its paths may lead anywhere
    bool file_failed;             ///< what is wrong is the file that a value names
} scene_reading;

static inline scene_reading *reading_of(const document_reader *r) { return r->user; }
static inline zt_scene *scene_of(const document_reader *r) { return reading_of(r)->scene; }
static inline const zt_model *model_of(const document_reader *r)
{
    return reading_of(r)->instance->model;
}

/// One of the words of a list: its index.
zt_result value_word(document_reader *r, const document_node *node, zt_word_list list,
                     int32_t *out);

/// One of the names of a list: its number.
zt_result value_named(document_reader *r, const document_node *node, const named_int *list,
                      int32_t *out);

/// The content of one key of a track.
typedef enum track_kind {
    TRACK_NUMBER,
    TRACK_VECTOR,   ///< 3 numbers
    TRACK_ROTATION, ///< 3 Euler degrees or a quaternion of 4 numbers
    TRACK_SCALE,    ///< 1 or 3 numbers
    TRACK_COLOR,    ///< text or 3 numbers
    TRACK_SWITCH,   ///< true or false: 1 or 0, in steps
} track_kind;

/// A value, or keys [[time, value], ...]. Every number must be in [min, max].
zt_result value_track(document_reader *r, const document_node *node, track_kind kind, double min,
                      double max, track *out);
zt_result scene_keep_step(document_reader *r, double at_s, double period_s);
/// A constant track; writes the message on failure.
zt_result value_constant(document_reader *r, uint32_t width, const double *value, track *out);

/// A value_key_fn: one of the words of the row's list, into an int32_t or an enum.
zt_result value_read_word(document_reader *r, const document_node *node, const map_key *key,
                          void *target);
#define KEY_WORD(name_, presence_, struct_, field_, list_)                                         \
    KEY_ROW(name_, presence_, .type = VALUE_BY_KEY, .offset = offsetof(struct_, field_),           \
            .size = sizeof(((struct_ *)0)->field_), .read_by = value_read_word, .kind = list_)
/// A value_key_fn: a track of the kind of the row.
zt_result value_read_track(document_reader *r, const document_node *node, const map_key *key,
                           void *target);
#define KEY_TRACK(name_, presence_, struct_, field_, kind_, min_, max_)                            \
    KEY_ROW(name_, presence_, .type = VALUE_BY_KEY, KEY_FIELD(track, struct_, field_),             \
            .read_by = value_read_track, .kind = kind_, .min = min_, .max = max_)
