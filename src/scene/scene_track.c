// SPDX-License-Identifier: MIT
/// Values that may move: one value, or keys [[time, value], ...] -> track.
#include "scene/scene_value.h"

#include <string.h>

static const char *expectation(track_kind kind)
{
    static const char *const names[] = {
        [TRACK_NUMBER] = "a number, or keys [[time, number], ...]",
        [TRACK_VECTOR] = "three numbers, or keys [[time, [x, y, z]], ...]",
        [TRACK_ROTATION] = "three angles or a quaternion of four numbers, or keys of them",
        [TRACK_SCALE] = "a number or three, or keys of them",
        [TRACK_COLOR] = "a colour like \"#20242c\" or [r, g, b], or keys of them",
    };
    return names[kind];
}

static bool width_fits(track_kind kind, uint32_t width)
{
    switch (kind) {
    case TRACK_NUMBER:
        return width == 1;
    case TRACK_ROTATION:
        return width == 3 || width == 4;
    case TRACK_SCALE:
        return width == 1 || width == 3;
    case TRACK_VECTOR:
    case TRACK_COLOR:
        return width == 3;
    }
    return false;
}

// One value of a track into out[4].
static zt_result read_value(scene_reader *r, const document_node *node, track_kind kind, double min,
                            double max, double out[4], uint32_t *out_width)
{
    if (kind == TRACK_COLOR) {
        *out_width = 3;
        return value_color(r, node, out);
    }
    if (node->kind == DOCUMENT_NUMBER && width_fits(kind, 1)) {
        *out_width = 1;
        return value_number(r, node, min, max, out);
    }
    if (node->kind != DOCUMENT_LIST || node->count > 4 || node->count < 2 ||
        !width_fits(kind, node->count))
        return value_wrong(r, node, expectation(kind));
    *out_width = node->count;
    const document_node *item = node->first;
    for (uint32_t i = 0; i < node->count; i++, item = item->next)
        ZT_TRY(value_number(r, item, min, max, &out[i]));
    if (kind == TRACK_ROTATION && node->count == 4) {
        const double square = out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3];
        if (!(square > 1e-12))
            return value_fail(r, node, false, "a quaternion of length 0 (expected unit length)");
    }
    return ZT_OK;
}

static zt_result read_key(scene_reader *r, const document_node *key, track_kind kind, double min,
                          double max, double *out_time, double out[4], uint32_t *out_width)
{
    if (key->kind != DOCUMENT_LIST || key->count != 2)
        return value_wrong(r, key, "a key [time, value]");
    ZT_TRY(value_number(r, key->first, -1e6, 1e6, out_time));
    return read_value(r, key->first->next, kind, min, max, out, out_width);
}

zt_result value_constant(scene_reader *r, uint32_t width, const double *value, track *out)
{
    return track_constant(&r->scene->arena, value, width, out)
               ? ZT_OK
               : arena_fail(&r->scene->arena, r->err, "scene");
}

zt_result value_track(scene_reader *r, const document_node *node, track_kind kind, double min,
                      double max, track *out)
{
    double value[4] = {0};
    uint32_t width = 0;
    const bool has_keys =
        node->kind == DOCUMENT_LIST && node->first && node->first->kind == DOCUMENT_LIST;
    if (!has_keys) {
        if (node->kind != DOCUMENT_LIST && node->kind != DOCUMENT_NUMBER && kind != TRACK_COLOR)
            return value_wrong(r, node, expectation(kind));
        ZT_TRY(read_value(r, node, kind, min, max, value, &width));
        return value_constant(r, width, value, out);
    }
    arena *a = &r->scene->arena;
    double *times = ARENA_ARRAY(a, double, node->count);
    double *values = ARENA_ARRAY(a, double, (size_t)node->count * 4);
    if (!times || !values)
        return arena_fail(a, r->err, "scene");
    uint32_t count = 0;
    for (const document_node *key = node->first; key; key = key->next, count++) {
        uint32_t key_width = 0;
        ZT_TRY(read_key(r, key, kind, min, max, &times[count], value, &key_width));
        if (count > 0 && !(times[count] > times[count - 1]))
            return value_fail(r, key, false,
                              "a key that is not later than the one before it "
                              "(expected rising times)");
        if (count > 0 && key_width != width)
            return value_fail(r, key, false,
                              "a key of %u numbers after keys of %u (expected the "
                              "same)",
                              key_width, width);
        width = key_width;
        memcpy(values + (size_t)count * width, value, width * sizeof *values);
    }
    *out = (track){.key_count = count, .width = width, .time_s = times, .value = values};
    return ZT_OK;
}
