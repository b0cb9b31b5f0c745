// SPDX-License-Identifier: MIT
#include "model/model_origin.h"

#include <string.h>

/// Below so many metres floats are exact to half a millimetre.
static const double far_m = 4096.0;

typedef struct searched_node {
    dvec3 rest;     ///< its translation
    affine world;   ///< at rest or, where no place is far then, as the first clip begins
    bool far_below; ///< it, or a node below it, is far from its parent
    bool moved;     ///< it, or a node above it, got the shift
    bool turned;    ///< a clip turns or scales it, or a node above it
    bool drawn;     ///< something is at the node itself
} searched_node;

typedef struct origin_search {
    const zt_model *model;
    model_exact *exact;  ///< [node_count]
    searched_node *node; ///< [node_count]
    dvec3 *shift;        ///< [node_count] of translations, in the space of the parent; the model's
    dvec3 origin;
} origin_search;

static bool is_far(dvec3 p) { return dvec3_largest(p) > far_m; }

/// Doubles know it by less than a millimetre; not so numbers of broken files.
static bool is_known(dvec3 p) { return dvec3_length(p) < 1e12; }

model_exact model_exact_of(affine local)
{
    return (model_exact){.local = local, .far = is_far(local.t)};
}

dvec3 model_far_part(dvec3 place)
{
    const bool is = is_far(place) && is_known(place);
    return is ? (dvec3){(double)(float)place.x, (double)(float)place.y, (double)(float)place.z}
              : (dvec3){0.0, 0.0, 0.0};
}

void model_place_middle(dvec3 middle, model_node *node, model_exact *exact)
{
    *exact = (model_exact){.local = affine_identity(), .far = true};
    exact->local.t = middle;
    dvec3_to_floats(middle, node->rest.t);
}

/// A rotation or scale other than that at rest.
static bool turns(const model_channel *c, const model_node *node)
{
    const size_t at = c->interpolation == MODEL_CUBIC ? (size_t)trs_width((int)c->path) : 0;
    return (c->path == MODEL_ROTATION || c->path == MODEL_SCALE) &&
           (c->key_count > 1 || memcmp(c->value + at, trs_const_part(&node->rest, (int)c->path),
                                       trs_width((int)c->path) * sizeof(float)) != 0);
}

/// Finds what is known before places are.
static void search_begin(const origin_search *s)
{
    const zt_model *model = s->model;
    for (uint32_t i = 0; i < model->node_count; i++) {
        const model_node *n = &model->nodes[i];
        s->node[i].rest = s->exact[i].local.t;
        s->node[i].drawn = (n->mesh >= 0 && n->skin < 0) || n->camera >= 0 || n->light >= 0;
    }
    for (uint32_t i = 0; i < model->skin_count; i++)
        for (uint32_t j = 0; j < model->skins[i].joint_count; j++)
            s->node[model->skins[i].joint_node[j]].drawn = true;
    for (uint32_t i = 0; i < model->clip_count; i++)
        for (uint32_t k = 0; k < model->clips[i].channel_count; k++) {
            const model_channel *c = &model->clips[i].channels[k];
            s->node[c->node].turned |= turns(c, &model->nodes[c->node]);
        }
}

/// Takes places that are far as the clip begins for those at rest.
static void begin_clip(const origin_search *s, const model_clip *clip)
{
    for (uint32_t k = 0; k < clip->channel_count; k++) {
        const model_channel *c = &clip->channels[k];
        const size_t at = c->interpolation == MODEL_CUBIC ? 3 : 0;
        model_exact *exact = &s->exact[c->node];
        if (c->path != MODEL_TRANSLATION)
            continue;
        const dvec3 place = dvec3_add(dvec3_from_floats(c->value + at), exact->lacks);
        if (is_far(place)) {
            exact->local.t = place;
            exact->far = true;
        }
    }
}

/// The place that a mesh is drawn at: of a skin by its first joint.
static dvec3 place_of_mesh(const origin_search *s, uint32_t node)
{
    const int32_t number = s->model->nodes[node].skin;
    const model_skin *skin = number >= 0 ? &s->model->skins[number] : NULL;
    if (!skin || skin->joint_count == 0)
        return s->node[node].world.t;
    const affine bind = affine_from_floats(skin->joint_from_bind[0][0]);
    return affine_point(&s->node[skin->joint_node[0]].world, bind.t);
}

/// Finds places in the world, and what is drawn first. False: it is not far.
static bool place_nodes(origin_search *s)
{
    const model_node *nodes = s->model->nodes;
    uint32_t first = s->model->node_count;
    for (uint32_t i = 0; i < s->model->node_count; i++) {
        searched_node *node = &s->node[i];
        const searched_node *parent = nodes[i].parent >= 0 ? &s->node[nodes[i].parent] : NULL;
        const affine *local = &s->exact[i].local;
        node->world = parent ? affine_multiply(&parent->world, local) : *local;
        node->turned = node->turned || (parent && parent->turned);
        node->far_below = s->exact[i].far;
        if (first > i && nodes[i].visible && nodes[i].mesh >= 0)
            first = i;
    }
    for (uint32_t i = s->model->node_count; i-- > 0;)
        if (s->node[i].far_below && nodes[i].parent >= 0)
            s->node[nodes[i].parent].far_below = true;
    if (first == s->model->node_count)
        return false;
    s->origin = place_of_mesh(s, first);
    return is_known(s->origin) &&
           (is_far(s->origin) || dvec3_length(s->model->meshes[nodes[first].mesh].middle) > 0.0);
}

/// Each path from a root gets the shift once: at the first node that is far from its parent, and
/// where none is, at the top. False: there is none that holds at any time.
static bool find_shifts(origin_search *s)
{
    for (uint32_t i = 0; i < s->model->node_count; i++) {
        searched_node *node = &s->node[i];
        const int32_t number = s->model->nodes[i].parent;
        const searched_node *parent = number >= 0 ? &s->node[number] : NULL;
        node->moved = parent && parent->moved;
        if (node->moved)
            continue;
        if (node->far_below && !s->exact[i].far) {
            if (node->drawn)
                return false; // it would stay where it is
            continue;
        }
        affine linear = parent ? parent->world : affine_identity();
        linear.t = (dvec3){0.0, 0.0, 0.0};
        if ((parent && parent->turned) || !affine_invert(&linear, &linear))
            return false;
        s->shift[i] = dmat3_transform(&linear.m, s->origin);
        node->moved = true;
    }
    return true;
}

static void move_nodes(const origin_search *s)
{
    for (uint32_t i = 0; i < s->model->node_count; i++) {
        model_node *node = (model_node *)(uintptr_t)&s->model->nodes[i]; // which is being read
        dvec3_to_floats(dvec3_sub(s->node[i].rest, s->shift[i]),
                        node->has_matrix ? node->matrix[3] : node->rest.t);
    }
}

/// Keys of a translation, moved; NULL: no memory.
static const float *move_keys(arena *keep, const model_channel *channel, dvec3 by)
{
    const size_t stride = channel->interpolation == MODEL_CUBIC ? 9 : 3;
    const size_t first = channel->interpolation == MODEL_CUBIC ? 3 : 0;
    const size_t count = stride * channel->key_count;
    float *value = ARENA_ARRAY_RAW(keep, float, count);
    if (!value)
        return NULL;
    memcpy(value, channel->value, count * sizeof *value);
    for (size_t k = first; k < count; k += stride)
        dvec3_to_floats(dvec3_add(dvec3_from_floats(value + k), by), value + k);
    return value;
}

static zt_result move_clips(const origin_search *s, arena *keep, zt_error *err)
{
    for (uint32_t c = 0; c < s->model->clip_count; c++) {
        // of the model that is being read
        model_channel *channels = (model_channel *)(uintptr_t)s->model->clips[c].channels;
        for (uint32_t k = 0; k < s->model->clips[c].channel_count; k++) {
            const uint32_t node = (uint32_t)channels[k].node;
            const dvec3 by = dvec3_sub(s->exact[node].lacks, s->shift[node]);
            if (channels[k].path != MODEL_TRANSLATION || dvec3_length(by) <= 0.0)
                continue;
            channels[k].value = move_keys(keep, &channels[k], by);
            if (!channels[k].value)
                return arena_fail(keep, err, "clips");
        }
    }
    return ZT_OK;
}

zt_result model_move_to_origin(zt_model *model, arena *scratch, zt_error *err)
{
    origin_search s = {.model = model, .exact = model->exact};
    bool any = false;
    model->exact = NULL;
    for (uint32_t i = 0; s.exact && i < model->node_count; i++)
        any = any || s.exact[i].far || dvec3_length(s.exact[i].lacks) > 0.0;
    if (!any) // most models, which pay for no search
        return ZT_OK;
    ZT_TRY(ARENA_TAKE(scratch, &s.node, model->node_count, "nodes", err));
    ZT_TRY(ARENA_TAKE(&model->arena, &s.shift, model->node_count, "nodes", err));
    search_begin(&s);
    bool is_placed = place_nodes(&s);
    if (!is_placed && model->clip_count > 0) {
        begin_clip(&s, &model->clips[0]);
        is_placed = place_nodes(&s);
    }
    if (is_placed && find_shifts(&s)) {
        model->origin = s.origin;
        model->origin_shift = s.shift;
        move_nodes(&s);
    } else {
        memset(s.shift, 0, model->node_count * sizeof *s.shift);
    }
    return move_clips(&s, &model->arena, err);
}
