// SPDX-License-Identifier: MIT
/// `shape`: a model without a file.
#include "model/model_source.h"
#include "scene/scene_build.h"
#include "scene/scene_read.h"
#include "scene/shape_model.h"

/// Keys that a kind does not have, and sizes without a shape, are mistakes.
static zt_result check_shape(document_reader *r, const document_node *value, shape *s)
{
    const bool sized = s->size[0] > 0.0;
    const bool round = s->kind != SHAPE_BOX, tall = s->kind == SHAPE_CAPSULE;
    if ((!round && (s->radius > 0.0 || s->height > 0.0)) || (round && sized) ||
        (s->kind == SHAPE_SPHERE && s->height > 0.0))
        return value_fail(r, value, false, "a size that a %s does not have (expected %s)",
                          shape_names[s->kind],
                          !round                    ? "size"
                          : s->kind == SHAPE_SPHERE ? "radius"
                                                    : "radius and height");
    s->radius = s->radius > 0.0 ? s->radius : 0.5;
    if (!(s->height > 0.0))
        s->height = tall ? 4.0 * s->radius : 1.0;
    if (!sized)
        s->size[0] = s->size[1] = s->size[2] = 1.0;
    if (tall && s->height < 2.0 * s->radius)
        return value_fail(r, value, false,
                          "a capsule of height %.9g (expected at least twice its radius, %.9g)",
                          s->height, s->radius);
    return ZT_OK;
}

zt_result scene_read_shape(document_reader *r, const document_node *value, const char *color,
                           const zt_model **out)
{
    static const map_key keys[] = {
        KEY_CHOICE("kind", KEY_REQUIRED, shape, kind, shape_names),
        KEY_NUMBER("radius", KEY_OPTIONAL, shape, radius, 1e-6, 1e6),
        KEY_NUMBER("height", KEY_OPTIONAL, shape, height, 1e-6, 1e6),
        KEY_VECTOR("size", KEY_OPTIONAL, shape, size, 1e-6, 1e6),
    };
    shape read = {.kind = SHAPE_BOX};
    int32_t choice = 0;
    if (value->kind == DOCUMENT_MAP)
        ZT_TRY(value_map(r, value, "shape", keys, COUNT_OF(keys), &read));
    else
        ZT_TRY(value_choice(r, value, shape_names, COUNT_OF(shape_names), &choice));
    if (value->kind != DOCUMENT_MAP)
        read.kind = (shape_kind)choice;
    ZT_TRY(check_shape(r, value, &read));
    // No file has this key.
    const scene_model_key key = {.clips_from = "shape"};
    zt_model *model;
    ZT_TRY(scene_new_model(scene_of(r), shape_names[read.kind], key, &model, r->err));
    arena scratch;
    arena_init(&scratch, &scene_of(r)->budget_own);
    zt_result result = shape_model_build(&read, model, &scratch, r->err);
    if (result == ZT_OK)
        result = model_paint(model, color ? color : scene_of(r)->load.color, NULL, r->err);
    arena_finish(&scratch);
    *out = model;
    return result;
}
