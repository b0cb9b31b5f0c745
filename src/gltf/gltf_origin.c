// SPDX-License-Identifier: MIT
/// Models far from the origin of their file, as georeferenced ones are: millions of metres away, a
/// float knows places by half a metre. The place of the first thing that is drawn is subtracted in
/// double, as the file has it, from the translations through which nodes get there; everything
/// later sees a model near its origin. model.origin is the place.
#include "base/affine.h"
#include "base/quat.h"
#include "gltf/gltf_parts.h"

#include <math.h>
#include <string.h>

/// Below so many metres floats are exact to half a millimetre.
static const double far_m = 4096.0;

typedef struct origin_search {
    gltf_file *file;
    gltf_nodes *nodes;
    dvec3 *place;    ///< [count] translation, as the file has it
    affine *world;   ///< [count] of the rest pose
    bool *far_below; ///< [count] it, or a node below it, is far from its parent
    bool *moved;     ///< [count] it, or a node above it, got the shift
    bool *turned;    ///< [count] a clip turns or scales it, or a node above it
    dvec3 *shift;    ///< [count] of translations, in the space of the parent; the model's
    dvec3 origin;
} origin_search;

static bool is_far(dvec3 p) { return fabs(p.x) > far_m || fabs(p.y) > far_m || fabs(p.z) > far_m; }

/// Doubles know it by less than a millimetre; not so numbers of broken files.
static bool is_known(dvec3 p)
{
    const double limit = 1e12;
    return fabs(p.x) < limit && fabs(p.y) < limit && fabs(p.z) < limit;
}

static double number_at(const json_value *list, size_t i, double otherwise)
{
    return list ? json_number(json_at(list, i)) : otherwise;
}

static dvec3 vector_at(const json_value *list, size_t i, double otherwise)
{
    return (dvec3){number_at(list, i, otherwise), number_at(list, i + 1, otherwise),
                   number_at(list, i + 2, otherwise)};
}

/// The transform of a node in double, from numbers that gltf_node.c has checked. A rotation in
/// float would misplace what is millions of metres away.
static void read_transform(const json_value *node, affine *out)
{
    const json_value *m = json_get(node, "matrix"), *r = json_get(node, "rotation");
    if (m) {
        out->m = (dmat3){vector_at(m, 0, 0.0), vector_at(m, 4, 0.0), vector_at(m, 8, 0.0)};
        out->t = vector_at(m, 12, 0.0);
        return;
    }
    quat q = {number_at(r, 0, 0.0), number_at(r, 1, 0.0), number_at(r, 2, 0.0),
              number_at(r, 3, 1.0)};
    const dvec3 s = vector_at(json_get(node, "scale"), 0, 1.0);
    if (!quat_normalize(&q))
        q = quat_identity();
    out->m = (dmat3){dvec3_scale(quat_rotate(q, (dvec3){1.0, 0.0, 0.0}), s.x),
                     dvec3_scale(quat_rotate(q, (dvec3){0.0, 1.0, 0.0}), s.y),
                     dvec3_scale(quat_rotate(q, (dvec3){0.0, 0.0, 1.0}), s.z)};
    out->t = vector_at(json_get(node, "translation"), 0, 0.0);
}

static zt_result search_init(origin_search *s, const zt_model *model)
{
    const uint32_t count = s->nodes->count;
    arena *a = s->file->scratch;
    s->place = ARENA_ARRAY_RAW(a, dvec3, count);
    s->world = ARENA_ARRAY_RAW(a, affine, count);
    s->shift = ARENA_ARRAY(s->file->keep, dvec3, count);
    s->far_below = ARENA_ARRAY(a, bool, count);
    s->moved = ARENA_ARRAY(a, bool, count);
    s->turned = ARENA_ARRAY(a, bool, count);
    if (!s->place || !s->world || !s->shift || !s->far_below || !s->moved || !s->turned)
        return arena_fail(a, s->file->log->err, "nodes");
    for (uint32_t i = 0; i < count; i++) // those of instances stay as they are
        s->world[i] = model_rest_step(&s->nodes->node[i]);
    for (uint32_t i = 0; i < s->file->list[GLTF_NODES].count; i++)
        read_transform(json_at(s->file->list[GLTF_NODES].json.value, i),
                       &s->world[s->nodes->node_index[i]]);
    for (uint32_t i = 0; i < count; i++)
        s->place[i] = s->world[i].t;
    for (uint32_t c = 0; c < model->clip_count; c++)
        for (uint32_t k = 0; k < model->clips[c].channel_count; k++) {
            const model_channel *channel = &model->clips[c].channels[k];
            if (channel->path == MODEL_ROTATION || channel->path == MODEL_SCALE)
                s->turned[channel->node] = true;
        }
    return ZT_OK;
}

/// Finds places in the world, and what is drawn first.
static void place_nodes(origin_search *s)
{
    bool found = false;
    for (uint32_t i = 0; i < s->nodes->count; i++) {
        const model_node *node = &s->nodes->node[i];
        if (node->parent >= 0) {
            s->world[i] = affine_multiply(&s->world[node->parent], &s->world[i]);
            s->turned[i] = s->turned[i] || s->turned[node->parent];
        }
        if (!found && node->visible && node->mesh >= 0) {
            s->origin = s->world[i].t;
            found = true;
        }
    }
    for (uint32_t i = s->nodes->count; i-- > 0;) {
        s->far_below[i] = s->far_below[i] || is_far(s->place[i]);
        if (s->far_below[i] && s->nodes->node[i].parent >= 0)
            s->far_below[s->nodes->node[i].parent] = true;
    }
}

/// The shift of a node in the space of its parent. False: there is none that holds at any time.
static bool find_shift(origin_search *s, uint32_t i)
{
    const int32_t parent = s->nodes->node[i].parent;
    affine from_world = affine_identity();
    if (parent >= 0) {
        affine linear = s->world[parent];
        linear.t = (dvec3){0.0, 0.0, 0.0};
        if (s->turned[parent] || !affine_invert(&linear, &from_world))
            return false;
    }
    s->shift[i] = dmat3_transform(&from_world.m, s->origin);
    return true;
}

/// Each path from a root gets the shift once: at the first node that is far from its parent, and
/// where none is, at the top.
static bool find_shifts(origin_search *s)
{
    for (uint32_t i = 0; i < s->nodes->count; i++) {
        const model_node *node = &s->nodes->node[i];
        s->moved[i] = node->parent >= 0 && s->moved[node->parent];
        if (s->moved[i])
            continue;
        if (s->far_below[i] && !is_far(s->place[i])) {
            if (node->mesh >= 0 || node->camera >= 0 || node->light >= 0)
                return false; // it would stay where it is
            continue;
        }
        s->moved[i] = true;
        if (!find_shift(s, i))
            return false;
    }
    return true;
}

/// Keys of a translation, shifted; NULL: no memory.
static const float *shift_keys(arena *keep, const model_channel *channel, dvec3 shift)
{
    const size_t stride = channel->interpolation == MODEL_CUBIC ? 9 : 3;
    const size_t first = channel->interpolation == MODEL_CUBIC ? 3 : 0;
    const size_t count = stride * channel->key_count;
    float *value = ARENA_ARRAY_RAW(keep, float, count);
    if (!value)
        return NULL;
    memcpy(value, channel->value, count * sizeof *value);
    for (size_t k = first; k < count; k += stride)
        dvec3_to_floats(dvec3_sub(dvec3_from_floats(value + k), shift), value + k);
    return value;
}

static bool shift_clips(const origin_search *s, arena *keep, const zt_model *model)
{
    for (uint32_t c = 0; c < model->clip_count; c++) {
        // of the model that is being read
        model_channel *channels = (model_channel *)(uintptr_t)model->clips[c].channels;
        for (uint32_t k = 0; k < model->clips[c].channel_count; k++) {
            const dvec3 shift = s->shift[channels[k].node];
            if (channels[k].path != MODEL_TRANSLATION ||
                (shift.x == 0.0 && shift.y == 0.0 && shift.z == 0.0))
                continue;
            channels[k].value = shift_keys(keep, &channels[k], shift);
            if (!channels[k].value)
                return false;
        }
    }
    return true;
}

/// Most models have none, and pay for no search.
static bool any_far(const gltf_nodes *nodes)
{
    for (uint32_t i = 0; i < nodes->count; i++) {
        const model_node *node = &nodes->node[i];
        if (is_far(dvec3_from_floats(node->has_matrix ? node->matrix[3] : node->rest.t)))
            return true;
    }
    return false;
}

zt_result gltf_move_to_origin(gltf_file *file, gltf_nodes *nodes, zt_model *model)
{
    if (!any_far(nodes))
        return ZT_OK;
    origin_search s = {.file = file, .nodes = nodes};
    ZT_TRY(search_init(&s, model));
    place_nodes(&s);
    if (!is_far(s.origin) || !is_known(s.origin) || !find_shifts(&s))
        return ZT_OK;
    for (uint32_t i = 0; i < nodes->count; i++) {
        model_node *node = &nodes->node[i];
        const dvec3 t = dvec3_sub(s.place[i], s.shift[i]);
        dvec3_to_floats(t, node->has_matrix ? node->matrix[3] : node->rest.t);
    }
    model->origin = s.origin;
    model->origin_shift = s.shift;
    return shift_clips(&s, file->keep, model) ? ZT_OK
                                              : arena_fail(file->keep, file->log->err, "clips");
}
