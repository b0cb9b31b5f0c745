// SPDX-License-Identifier: MIT
/// `shape`: a model without a file.
#include "scene/scene_build.h"
#include "scene/scene_read.h"
#include "scene/shape_model.h"

/// A shape as it is read; 0: the default of its kind.
typedef struct shape_entry {
    shape out;
    bool has_size;
} shape_entry;

static zt_result read_kind(document_reader *r, const document_node *value, void *target)
{
    int32_t choice = 0;
    ZT_TRY(value_choice(r, value, shape_names, COUNT_OF(shape_names), &choice));
    *(shape_kind *)target = (shape_kind)choice;
    return ZT_OK;
}

static zt_result read_size(document_reader *r, const document_node *value, void *target)
{
    shape_entry *entry = target;
    entry->has_size = true;
    return value_vector(r, value, 1e-6, 1e6, entry->out.size);
}

/// Keys that a kind does not have, and sizes without a shape, are mistakes.
static zt_result check_shape(document_reader *r, const document_node *value, shape_entry *entry)
{
    shape *s = &entry->out;
    const bool round = s->kind != SHAPE_BOX, tall = s->kind == SHAPE_CAPSULE;
    if ((!round && (s->radius > 0.0 || s->height > 0.0)) || (round && entry->has_size) ||
        (s->kind == SHAPE_SPHERE && s->height > 0.0))
        return value_fail(r, value, false, "a size that a %s does not have (expected %s)",
                          shape_names[s->kind],
                          !round                    ? "size"
                          : s->kind == SHAPE_SPHERE ? "radius"
                                                    : "radius and height");
    s->radius = s->radius > 0.0 ? s->radius : 0.5;
    if (!(s->height > 0.0))
        s->height = tall ? 4.0 * s->radius : 1.0;
    if (!entry->has_size)
        s->size[0] = s->size[1] = s->size[2] = 1.0;
    if (tall && s->height < 2.0 * s->radius)
        return value_fail(r, value, false,
                          "a capsule of height %.9g (expected at least twice its radius, %.9g)",
                          s->height, s->radius);
    return ZT_OK;
}

zt_result scene_read_shape(document_reader *r, const document_node *value, const zt_model **out)
{
    static const map_key keys[] = {
        KEY_READ_INTO("kind", KEY_REQUIRED, read_kind, shape_entry, out.kind),
        KEY_NUMBER("radius", KEY_OPTIONAL, shape_entry, out.radius, 1e-6, 1e6),
        KEY_NUMBER("height", KEY_OPTIONAL, shape_entry, out.height, 1e-6, 1e6),
        KEY_READ("size", KEY_OPTIONAL, read_size),
    };
    shape_entry entry = {.has_size = false};
    if (value->kind == DOCUMENT_MAP)
        ZT_TRY(value_map(r, value, "shape", keys, COUNT_OF(keys), &entry));
    else
        ZT_TRY(read_kind(r, value, &entry.out.kind));
    ZT_TRY(check_shape(r, value, &entry));
    // No file has this key.
    const scene_model_key key = {.clips_from = "shape"};
    zt_model *model;
    ZT_TRY(scene_new_model(scene_of(r), shape_names[entry.out.kind], key, &model, r->err));
    arena scratch;
    arena_init(&scratch, &scene_of(r)->budget_own);
    const zt_result result = shape_model_build(&entry.out, model, &scratch, r->err);
    arena_finish(&scratch);
    *out = model;
    return result;
}
