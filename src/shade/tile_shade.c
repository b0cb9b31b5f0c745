// SPDX-License-Identifier: MIT
// A counting sort groups visible samples by material and keeps their order. Colours are stored by
// visible sample, so the order of shading never reaches a pixel. The cost grows with the visible
// samples of a tile and the materials that they show, not with the materials of the frame.
#include "shade/tile_shade.h"

#include "geometry/draw.h"

#include <string.h>

enum {
    TILE_PIXELS = TILE_SIZE * TILE_SIZE,
};

zt_result shade_buffers_init(shade_buffers *s, arena *a, int32_t sample_count,
                             uint32_t material_count, zt_error *err)
{
    const size_t visible = (size_t)sample_count * TILE_PIXELS;
    // A tile shows at most as many materials as it has samples. Padding adds at most 15 to a group.
    const size_t groups = material_count < visible ? material_count : visible;
    s->color.r = ARENA_ARRAY_RAW(a, float, visible + VISIBLE_PADDING);
    s->color.g = ARENA_ARRAY_RAW(a, float, visible + VISIBLE_PADDING);
    s->color.b = ARENA_ARRAY_RAW(a, float, visible + VISIBLE_PADDING);
    s->unlit = ARENA_ARRAY_RAW(a, uint8_t, visible + VISIBLE_PADDING);
    s->index = ARENA_ARRAY_RAW(a, uint32_t, visible + groups * 15);
    s->material_count = ARENA_ARRAY(a, uint32_t, (size_t)material_count);
    s->material_start = ARENA_ARRAY_RAW(a, uint32_t, (size_t)material_count);
    s->shown = ARENA_ARRAY_RAW(a, uint32_t, (size_t)material_count);
    s->material_limit = material_count;
    if (!s->color.r || !s->color.g || !s->color.b || !s->unlit || !s->index || !s->material_count ||
        !s->material_start || !s->shown)
        return arena_fail(a, err, "shading buffers");
    return ZT_OK;
}

bool shade_planes_init(uint32_t set, size_t count, arena *a, const shade_planes **out)
{
    *out = NULL;
    if (set == 0)
        return true;
    if (set &
        (1u << PLANE_BONE | 1u << PLANE_CRYPTO_BONE | 1u << PLANE_MOTION | 1u << PLANE_VECTOR))
        set |= 1u << PLANE_BARYCENTRIC;
    set &= ~(uint32_t)PICTURE_PLANES_OF_PIXELS;
    shade_planes *planes = ARENA_ARRAY(a, shade_planes, 1);
    if (!planes)
        return false;
    planes->stride = (count + 15u) & ~(size_t)15u;
    for (int p = 0; p < PLANE_COUNT; p++) {
        if (!(set >> p & 1u))
            continue;
        planes->channel[p] =
            ARENA_ARRAY_RAW(a, float, planes->stride *(size_t)picture_plane_table[p].kind.channels);
        if (!planes->channel[p])
            return false;
    }
    *out = planes;
    return true;
}

bool shade_arriving_init(const shade_frame *frame, arena *a, shade_input *out)
{
    if (frame->shadow_count == 0)
        return true;
    out->arriving = ARENA_ARRAY_RAW(a, float, (size_t)frame->shadow_count *SHADE_RUN);
    return out->arriving != NULL;
}

/// The material of visible sample `i`; `end`: the first one after it of another meshlet.
static uint32_t material_run(const shade_frame *frame, const shade_input *input, uint32_t i,
                             uint32_t *end)
{
    const uint32_t *id = input->visible->id, number = primitive_meshlet(id[i]);
    uint32_t at = i + 1;
    while (at < input->count && primitive_meshlet(id[at]) == number)
        at++;
    *end = at;
    return frame->surfaces.meshlets[number].material;
}

/// Counts the visible samples of each material. Returns the number of materials.
static uint32_t count_materials(shade_buffers *s, const shade_input *input,
                                const shade_frame *frame)
{
    uint32_t shown = 0;
    for (uint32_t i = 0, end; i < input->count; i = end) {
        const uint32_t m = material_run(frame, input, i, &end);
        if (s->material_count[m] == 0)
            s->shown[shown++] = m;
        s->material_count[m] += end - i;
    }
    return shown;
}

static void group_samples(shade_buffers *s, const shade_input *input, const shade_frame *frame,
                          uint32_t shown)
{
    uint32_t at = 0;
    for (uint32_t k = 0; k < shown; k++) {
        s->material_start[s->shown[k]] = at;
        at += (s->material_count[s->shown[k]] + 15u) & ~15u;
    }
    for (uint32_t i = 0, end; i < input->count; i = end) {
        uint32_t *start = &s->material_start[material_run(frame, input, i, &end)];
        for (uint32_t sample = i; sample < end; sample++)
            input->index[(*start)++] = sample;
    }
}

static void shade_as(shade_buffers *s, const shade_loops *loops, uint32_t material, shade_job *job)
{
    job->material = &job->frame->materials[material];
    (job->material->ground ? loops->ground : loops->shade)(job);
    if (!job->material->ground)
        s->model_samples += job->count;
}

/// The bone of the corner that is nearest to a visible sample.
static int32_t nearest_bone(const shade_planes *planes, uint32_t sample, uint32_t triangle,
                            const posed_meshlet *posed, const geometry_draw *draw)
{
    const float l1 = planes->channel[PLANE_BARYCENTRIC][sample];
    const float l2 = planes->channel[PLANE_BARYCENTRIC][planes->stride + sample];
    const float l0 = (1.0f - l1) - l2;
    const int corner = l1 > l0 ? (l2 > l1 ? 2 : 1) : (l2 > l0 ? 2 : 0);
    return geometry_draw_bone(draw, posed->vertex[posed->corner[corner][triangle]]);
}

void shade_sample_ids(const shade_frame *frame, const shade_planes *planes, uint32_t sample,
                      uint32_t id, uint32_t out[PICTURE_ID_PLANES])
{
    const uint32_t number = primitive_meshlet(id);
    const posed_meshlet *posed = &frame->surfaces.meshlets[number];
    const geometry_draw *draw = frame->draws[number];
    out[PLANE_INSTANCE - PLANE_INSTANCE] = draw->instance + 1;
    out[PLANE_OBJECT - PLANE_INSTANCE] = draw->node + 1;
    out[PLANE_MATERIAL - PLANE_INSTANCE] = posed->material - draw->first_material + 1;
    out[PLANE_BONE - PLANE_INSTANCE] =
        planes && draw->skin
            ? 1u + (uint32_t)nearest_bone(planes, sample, primitive_triangle(id), posed, draw)
            : 0;
}

void shade_fill_crypto(const shade_input *input, const shade_frame *frame)
{
    const shade_planes *planes = input->color.planes;
    const bool bones = planes->channel[PLANE_CRYPTO_BONE] != NULL;
    for (uint32_t i = 0; i < input->count && frame->ids.node; i++) {
        const uint32_t id = input->visible->id[i];
        const uint32_t instance = frame->draws[primitive_meshlet(id)]->instance;
        const bool ground = instance == DRAW_NO_INSTANCE;
        uint32_t number[PICTURE_ID_PLANES], name[3] = {frame->ids.ground, frame->ids.ground, 0};
        if (!ground) {
            const uint32_t *node = frame->ids.node[instance];
            shade_sample_ids(frame, bones ? planes : NULL, i, id, number);
            name[0] = node[number[PLANE_OBJECT - PLANE_INSTANCE] - 1];
            name[1] = frame->ids.material[instance][number[PLANE_MATERIAL - PLANE_INSTANCE] - 1];
            name[2] = number[3] ? node[number[PLANE_BONE - PLANE_INSTANCE] - 1] : 0;
        }
        for (int k = 0; k < 3; k++)
            if (planes->channel[PLANE_CRYPTO_OBJECT + k])
                memcpy(&planes->channel[PLANE_CRYPTO_OBJECT + k][i], &name[k], sizeof name[k]);
    }
}

void shade_samples(shade_buffers *s, const shade_input *input, const shade_loops *loops,
                   tile_rect rect, const shade_frame *frame)
{
    shade_job job = {.frame = frame,
                     .visible = input->visible,
                     .count = input->count,
                     .tile_x = rect.x,
                     .tile_y = rect.y,
                     .color = input->color,
                     .arriving = input->arriving,
                     .part = s->part == SHADE_BEHIND ? SHADE_WHOLE : s->part};
    if (input->only_material > 0) {
        shade_as(s, loops, input->only_material - 1, &job);
        return;
    }
    const uint32_t shown = count_materials(s, input, frame);
    if (shown > 1)
        group_samples(s, input, frame, shown);
    uint32_t begin = 0;
    for (uint32_t k = 0; k < shown; k++) {
        const uint32_t m = s->shown[k];
        job.count = s->material_count[m];
        s->material_count[m] = 0;
        if (shown > 1) {
            const uint32_t padded = (job.count + 15u) & ~15u;
            for (uint32_t i = job.count; i < padded; i++)
                input->index[begin + i] = input->index[begin + job.count - 1];
            job.index = input->index + begin;
            begin += padded;
        }
        shade_as(s, loops, m, &job);
    }
}

bool shade_tile(shade_buffers *s, const tile_buffers *t, const shade_loops *loops, tile_rect rect,
                const shade_frame *frame, arena *a)
{
    s->color.unlit = frame->any_unlit ? s->unlit : NULL;
    shade_input all = {.visible = &t->visible,
                       .count = t->visible_count,
                       .color = s->color,
                       .index = s->index,
                       .only_material = frame->only_opaque};
    if (!shade_arriving_init(frame, a, &all))
        return false;
    if (all.count > 0)
        shade_samples(s, &all, loops, rect, frame);
    if (all.color.planes)
        shade_fill_crypto(&all, frame);
    return true;
}
