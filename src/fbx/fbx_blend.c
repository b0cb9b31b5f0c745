// SPDX-License-Identifier: MIT
/// See fbx_blend.h. Between two shapes of a channel, at percentages a and b, the weight of the
/// first falls from 1 to 0 as that of the second rises; the mesh itself is a shape at 0.
#include "fbx/fbx_blend.h"

#include "base/maths.h"
#include "mesh/morph.h"

#include <math.h>
#include <string.h>

enum { POSITION_FLOATS = 4, ATTRIBUTE_FLOATS = 8 };

/// Among the percentages of shapes, and 0 for the mesh itself (-1), the nearest to `percent`,
/// but for number `except`; -2: there is none.
static int32_t nearest(const fbx_blend *blend, double percent, bool above, int32_t except)
{
    int32_t found = -2;
    double best = 0.0;
    for (int32_t i = -1; i < (int32_t)blend->count; i++) {
        const double at = i < 0 ? 0.0 : blend->full[i];
        if (i == except || (above ? at <= percent : at > percent))
            continue;
        if (found == -2 || (above ? at < best : at > best)) {
            found = i;
            best = at;
        }
    }
    return found;
}

void fbx_blend_weights(const fbx_blend *blend, double percent, float *out)
{
    const double limit = (double)MORPH_WEIGHT_MAX;
    int32_t low = nearest(blend, percent, false, -2), high = nearest(blend, percent, true, -2);
    if (low == -2) { // before all of them: on the line through the first two
        low = high;
        high = nearest(blend, percent, true, low);
    } else if (high == -2) {
        high = low;
        low = nearest(blend, percent, false, high);
    }
    for (uint32_t i = 0; i < blend->count; i++)
        out[i] = 0.0f;
    const double a = low < 0 ? 0.0 : blend->full[low], b = high < 0 ? 0.0 : blend->full[high];
    const double share = maths_clamp((percent - a) / (b - a), -limit, limit);
    if (high >= 0)
        out[high] = (float)share;
    if (low >= 0)
        out[low] = (float)maths_clamp(1.0 - share, -limit, limit);
}

static const fbx_walk channels_of = {.deformer = "BlendShape", .held = "BlendShapeChannel"};

/// The percentages of a channel's shapes, different from each other and from 0. Blender writes
/// those of the vertices of its only shape instead.
static zt_result read_full(fbx_file *f, int32_t channel, fbx_blend_list *list, fbx_blend *blend,
                           zt_error *err)
{
    const double *full;
    uint32_t count;
    double *kept;
    ZT_TRY(fbx_doubles(&f->tree, fbx_child(f->scene.object[channel].node, "FullWeights"), &full,
                       &count, err));
    ZT_TRY(ARENA_TAKE(f->lasting, &kept, blend->count, "blend shapes", err));
    if (blend->count == 1 && count > 1) {
        list->target_share[blend->first] = (fbx_shares){full, count};
        count = 0;
    }
    bool good = count == blend->count;
    for (uint32_t i = 0; i < blend->count && good; i++) {
        good = full[i] != 0.0 && fabs(full[i]) < 1e6;
        kept[i] = full[i];
    }
    if (good)
        maths_sort(kept, blend->count);
    for (uint32_t i = 1; i < blend->count && good; i++)
        good = kept[i - 1] != kept[i];
    for (uint32_t i = 0; i < blend->count; i++)
        kept[i] = good ? full[i] : 100.0 * (i + 1) / blend->count;
    blend->full = kept;
    return ZT_OK;
}

static zt_result read_channel(fbx_file *f, int32_t channel, fbx_blend_list *list, zt_error *err)
{
    const fbx_scene *s = &f->scene;
    const fbx_node *own = fbx_child(s->object[channel].node, "DeformPercent");
    fbx_blend *blend = &list->blends[list->blend_count];
    uint32_t at = 0;
    *blend = (fbx_blend){
        .object = channel,
        .name = s->object[channel].name,
        .rest = fbx_property_number(s, channel, "DeformPercent", fbx_number(own, 0, 0.0)),
        .first = list->target_count};
    for (int32_t g; (g = fbx_next_child(s, channel, FBX_GEOMETRY, "Shape", &at, NULL)) >= 0;)
        list->target_node[list->target_count++] = s->object[g].node;
    blend->count = list->target_count - blend->first;
    if (blend->count == 0)
        return ZT_OK;
    list->blend_count++;
    ZT_TRY(arena_work(f->scratch, 64 + strlen(blend->name), "blend shapes", err));
    return read_full(f, channel, list, blend, err);
}

/// Version 6: the shapes are in the model, and a property of the same name is the percentage.
static zt_result read_old_shapes(fbx_file *f, const fbx_geometry *g, fbx_blend_list *list,
                                 zt_error *err)
{
    static const double full = 100.0;
    for (const fbx_node *n = fbx_child(g->node, "Shape"); n; n = fbx_next(g->node, n)) {
        const char *name = fbx_text(&f->tree, n, 0);
        if (!name)
            return arena_fail(f->tree.a, err, "a name");
        const char *kept;
        ZT_TRY(ARENA_TEXT(f->lasting, &kept, name, "a name", err));
        list->blends[list->blend_count++] =
            (fbx_blend){.object = g->object,
                        .shape = (uint32_t)n->at,
                        .name = kept,
                        .rest = fbx_property_number(&f->scene, g->object, name, 0.0),
                        .first = list->target_count,
                        .count = 1,
                        .full = &full};
        list->target_node[list->target_count++] = n;
    }
    return ZT_OK;
}

zt_result fbx_blends_read(fbx_file *f, const fbx_geometry *g, fbx_blend_list *out, zt_error *err)
{
    fbx_walk w = channels_of;
    uint32_t channels = 0, shapes = 0;
    *out = (fbx_blend_list){0};
    for (int32_t c; (c = fbx_walk_next(&f->scene, g->object, &w)) >= 0; channels++)
        for (uint32_t at = 0; fbx_next_child(&f->scene, c, FBX_GEOMETRY, "Shape", &at, NULL) >= 0;)
            shapes++;
    for (const fbx_node *n = fbx_child(g->node, "Shape"); n; n = fbx_next(g->node, n), channels++)
        shapes++;
    if (shapes == 0)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE(f->lasting, &out->blends, channels, "blend shapes", err));
    ZT_TRY(ARENA_TAKE(f->scratch, &out->target_node, shapes, "blend shapes", err));
    ZT_TRY(ARENA_TAKE(f->scratch, &out->target_share, shapes, "blend shapes", err));
    w = channels_of;
    for (int32_t c; (c = fbx_walk_next(&f->scene, g->object, &w)) >= 0;)
        ZT_TRY(read_channel(f, c, out, err));
    return read_old_shapes(f, g, out, err);
}

/// Differences of points from a list of some of them, in [point_count][3].
static zt_result read_differences(fbx_file *f, const fbx_node *shape, const fbx_shares *shares,
                                  const char *values, uint32_t point_count, float *out,
                                  bool *out_any, zt_error *err)
{
    const int32_t *index;
    const double *v;
    uint32_t count, numbers;
    memset(out, 0, (size_t)point_count * 3 * sizeof *out);
    ZT_TRY(fbx_ints(&f->tree, fbx_child(shape, "Indexes"), &index, &count, err));
    ZT_TRY(fbx_doubles(&f->tree, fbx_child(shape, values), &v, &numbers, err));
    *out_any = numbers >= 3;
    for (uint32_t i = 0; i < count && 3 * (size_t)i + 3 <= numbers; i++) {
        if (index[i] < 0 || (uint32_t)index[i] >= point_count)
            continue;
        const double share = i < shares->count ? shares->percent[i] / 100.0 : 1.0;
        for (int k = 0; k < 3; k++) {
            const double d = v[3 * (size_t)i + (size_t)k] * share;
            out[3 * (size_t)index[i] + (size_t)k] = fabs(d) < 1e18 ? (float)d : 0.0f;
        }
    }
    return ZT_OK;
}

typedef struct target_room {
    float *point;                 ///< [point_count][3]
    float *position, *attributes; ///< of pad16(vertex_count) vertices
} target_room;

static zt_result keep_target(fbx_file *f, const fbx_node *shape, const fbx_shares *shares,
                             const fbx_geometry *g, const mesh_source *source,
                             const target_room *room, morph_target *out, zt_error *err)
{
    const uint32_t n = source->vertex_count, points = g->polygons.point_count;
    bool any;
    ZT_TRY(arena_work(f->scratch, 2 * (uint64_t)points + 16 * (uint64_t)n, "blend shapes", err));
    memset(room->position, 0, pad16(n) * POSITION_FLOATS * sizeof(float));
    memset(room->attributes, 0, pad16(n) * ATTRIBUTE_FLOATS * sizeof(float));
    ZT_TRY(read_differences(f, shape, shares, "Vertices", points, room->point, &any, err));
    for (uint32_t v = 0; v < n; v++)
        memcpy(room->position + (size_t)v * POSITION_FLOATS,
               room->point + 3 * (size_t)source->origin[v], 3 * sizeof(float));
    ZT_TRY(read_differences(f, shape, shares, "Normals", points, room->point, &any, err));
    if (any)
        for (uint32_t v = 0; v < n; v++)
            memcpy(room->attributes + (size_t)v * ATTRIBUTE_FLOATS,
                   room->point + 3 * (size_t)source->origin[v], 3 * sizeof(float));
    ZT_TRY(morph_part_build(f->keep, room->position, n, POSITION_FLOATS, &out->position, err));
    return morph_part_build(f->keep, room->attributes, n, ATTRIBUTE_FLOATS, &out->attributes, err);
}

static zt_result name_targets(fbx_file *f, const fbx_blend_list *list, model_morph *morphs,
                              zt_error *err)
{
    for (uint32_t i = 0; i < list->blend_count; i++) {
        const fbx_blend *b = &list->blends[i];
        const char *name;
        float *weights;
        ZT_TRY(ARENA_TAKE(f->scratch, &weights, b->count, "blend shapes", err));
        ZT_TRY(ARENA_TEXT(f->keep, &name, b->name, "a name", err));
        fbx_blend_weights(b, b->rest, weights);
        for (uint32_t k = 0; k < b->count; k++) {
            morphs[b->first + k].weight = weights[k];
            morphs[b->first + k].name = name;
        }
    }
    return ZT_OK;
}

zt_result fbx_blends_keep(fbx_file *f, const fbx_blend_list *list, const fbx_geometry *g,
                          const mesh_source *source, model_mesh *out, zt_error *err)
{
    model_morph *morphs;
    target_room room;
    const size_t n = pad16(source->vertex_count);
    if (list->target_count == 0)
        return ZT_OK;
    f->morph_total += (uint64_t)list->target_count * source->vertex_count;
    if (f->morph_total > MODEL_MORPH_LIMIT)
        return zt_fail(err, ZT_ERR_LIMIT, "%s: vertices times blend shapes are more than %u in all",
                       f->tree.path, MODEL_MORPH_LIMIT);
    ZT_TRY(ARENA_TAKE(f->keep, &morphs, list->target_count, "blend shapes", err));
    ZT_TRY(ARENA_TAKE_RAW(f->scratch, &room.point, 3 * (size_t)g->polygons.point_count,
                          "blend shapes", err));
    ZT_TRY(ARENA_TAKE_RAW(f->scratch, &room.position, n * POSITION_FLOATS, "blend shapes", err));
    ZT_TRY(ARENA_TAKE_RAW(f->scratch, &room.attributes, n * ATTRIBUTE_FLOATS, "blend shapes", err));
    ZT_TRY(name_targets(f, list, morphs, err));
    for (uint32_t i = 0; i < list->target_count; i++)
        ZT_TRY(keep_target(f, list->target_node[i], &list->target_share[i], g, source, &room,
                           &morphs[i].target, err));
    out->morphs = morphs;
    out->morph_count = list->target_count;
    return ZT_OK;
}
