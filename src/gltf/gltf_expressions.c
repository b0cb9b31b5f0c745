// SPDX-License-Identifier: MIT
/// Expressions of VRM 1.0 (VRMC_vrm, expressions.md) and of 0.x (VRM, blendShapeMaster), by the
/// names of 1.0.
#include "base/hash.h"
#include "base/row_find.h"
#include "gltf/gltf_parts.h"

#include <string.h>

typedef struct expression_reader {
    gltf_file *file;
    gltf_materials *materials;
    const gltf_nodes *nodes;
    zt_model *model;
    model_expression *expressions; ///< [MODEL_EXPRESSION_LIMIT]
    hash_table material_names;     ///< of VRM 0: the first of each
} expression_reader;

/// Lists of one expression, in scratch memory.
typedef struct expression_lists {
    expression_morph *morphs;
    expression_change *changes;
    uint32_t morph_capacity, change_capacity;
} expression_lists;

/// Names of 1.0, those of 0.x where they differ, and their group.
static const struct {
    const char *name, *older;
    expression_group group;
} presets[] = {
    {"happy", "joy", EXPRESSION_OTHER},
    {"angry", "angry", EXPRESSION_OTHER},
    {"sad", "sorrow", EXPRESSION_OTHER},
    {"relaxed", "fun", EXPRESSION_OTHER},
    {"surprised", "surprised", EXPRESSION_OTHER},
    {"neutral", "neutral", EXPRESSION_OTHER},
    {"aa", "a", EXPRESSION_MOUTH},
    {"ih", "i", EXPRESSION_MOUTH},
    {"ou", "u", EXPRESSION_MOUTH},
    {"ee", "e", EXPRESSION_MOUTH},
    {"oh", "o", EXPRESSION_MOUTH},
    {"blink", "blink", EXPRESSION_BLINK},
    {"blinkLeft", "blink_l", EXPRESSION_BLINK},
    {"blinkRight", "blink_r", EXPRESSION_BLINK},
    {"lookUp", "lookup", EXPRESSION_LOOK},
    {"lookDown", "lookdown", EXPRESSION_LOOK},
    {"lookLeft", "lookleft", EXPRESSION_LOOK},
    {"lookRight", "lookright", EXPRESSION_LOOK},
};

/// The preset of a name; -1: none.
static int32_t find_preset(const char *name, bool older)
{
    return row_find(older ? &presets->older : &presets->name, sizeof presets / sizeof *presets,
                    sizeof *presets, name);
}

static zt_result add_morph(expression_reader *r, const json_pointer *bind, expression_lists *lists,
                           model_expression *out, expression_morph morph, int64_t target)
{
    gltf_log *log = r->file->log;
    if (morph.mesh < 0 || target >= (int64_t)r->model->meshes[morph.mesh].morph_count)
        return gltf_warn(log, bind, "names a morph target that does not exist");
    morph.target = (uint32_t)target;
    ZT_TRY(ARENA_GROW(r->file->scratch, lists->morphs, out->morph_count, lists->morph_capacity,
                      "expressions", log->err));
    lists->morphs[out->morph_count++] = morph;
    return ZT_OK;
}

/// For all uses of a material of the file.
static zt_result add_change(expression_reader *r, expression_lists *lists, model_expression *out,
                            uint32_t material, size_t offset, uint32_t width, const float *value)
{
    const gltf_material_use *use = &r->materials->use[material];
    for (uint32_t u = 0; u < GLTF_MATERIAL_USES; u++) {
        if (!(use->uses >> u & 1u))
            continue;
        expression_change change = {.material = use->entry[u], .width = width, .offset = offset};
        memcpy(change.value, value, width * sizeof *value);
        ZT_TRY(ARENA_GROW(r->file->scratch, lists->changes, out->change_count,
                          lists->change_capacity, "expressions", r->file->log->err));
        lists->changes[out->change_count++] = change;
    }
    return ZT_OK;
}

static uint32_t *material_slot(const expression_reader *r, const char *name)
{
    const model_material *all = r->materials->material;
    return hash_table_text(&r->material_names, &all->name, sizeof *all, name);
}

/// Moves all maps of a material along u and v, or from `axis` on along `width` of the two.
static zt_result add_transform(expression_reader *r, expression_lists *lists, model_expression *out,
                               uint32_t material, const float scale[2], const float offset[2],
                               uint32_t axis, uint32_t width)
{
    static const size_t own[] = {
        offsetof(model_material, base_map), offsetof(model_material, metal_rough_map),
        offsetof(model_material, normal_map), offsetof(model_material, occlusion_map),
        offsetof(model_material, emissive_map)};
    enum { OWN = sizeof own / sizeof *own };
    const gltf_material_use *use = &r->materials->use[material];
    for (int i = 0; i < OWN + MATERIAL_EXTENSION_MAP_COUNT; i++) {
        const size_t slot = i < OWN ? own[i]
                                    : offsetof(model_material, extensions.map) +
                                          (size_t)(i - OWN) * sizeof(model_slot);
        for (uint32_t u = 0; u < GLTF_MATERIAL_USES; u++)
            if (use->uses >> u & 1u) {
                model_material *m = &r->materials->material[use->entry[u]];
                ((model_slot *)(void *)((char *)m + slot))->transformed = true;
                model_material_derive(m);
            }
        const size_t first = slot + axis * sizeof(float);
        ZT_TRY(add_change(r, lists, out, material, first + offsetof(model_slot, scale), width,
                          scale + axis));
        ZT_TRY(add_change(r, lists, out, material, first + offsetof(model_slot, offset), width,
                          offset + axis));
    }
    return ZT_OK;
}

/// Moves the lists into the model and counts the expression, unless there are too many.
static zt_result keep_expression(expression_reader *r, const json_pointer *json,
                                 const expression_lists *lists, const char *name,
                                 model_expression *out)
{
    arena *keep = r->file->keep;
    expression_morph *morphs = ARENA_ARRAY_RAW(keep, expression_morph, out->morph_count);
    expression_change *changes = ARENA_ARRAY_RAW(keep, expression_change, out->change_count);
    out->name = arena_text(keep, name, strlen(name));
    if (!morphs || !changes || !out->name)
        return arena_fail(keep, r->file->log->err, "expressions");
    if (out->morph_count > 0)
        memcpy(morphs, lists->morphs, out->morph_count * sizeof *morphs);
    if (out->change_count > 0)
        memcpy(changes, lists->changes, out->change_count * sizeof *changes);
    out->morphs = morphs;
    out->changes = changes;
    if (r->model->expression_count == MODEL_EXPRESSION_LIMIT)
        return gltf_fail(r->file->log, json, ZT_ERR_LIMIT, "is one of more than %d expressions",
                         (int)MODEL_EXPRESSION_LIMIT);
    r->expressions[r->model->expression_count++] = *out;
    return ZT_OK;
}

/// Of `older` files, 0.x, the members name meshes, and weights are in per cent.
static zt_result read_morph_binds(expression_reader *r, const json_pointer *json, bool older,
                                  expression_lists *lists, model_expression *out)
{
    gltf_log *log = r->file->log;
    json_pointer list, bind;
    uint32_t count;
    ZT_TRY(gltf_array(log, json, older ? "binds" : "morphTargetBinds", &list, &count));
    for (uint32_t i = 0; i < count; i++) {
        expression_morph morph = {.node = -1, .mesh = -1};
        int32_t named;
        int64_t target;
        ZT_TRY(gltf_entry(log, &list, i, &bind));
        ZT_TRY(gltf_member_index(r->file, &bind, older ? "mesh" : "node",
                                 older ? GLTF_MESHES : GLTF_NODES, &named));
        ZT_TRY(gltf_member_integer(log, &bind, "index", 0, &target));
        ZT_TRY(gltf_float(log, &bind, "weight", older ? 100.0f : 1.0f, &morph.weight));
        if (older) {
            morph.mesh = named;
            morph.weight *= 0.01f;
        } else if (named >= 0) {
            morph.node = r->nodes->node_index[named];
            morph.mesh = morph.node < 0 ? -1 : r->nodes->shown_mesh[morph.node];
        }
        ZT_TRY(add_morph(r, &bind, lists, out, morph, target));
    }
    return ZT_OK;
}

// ---- VRM 1.0 ------------------------------------------------------------------------------------

/// Colours of a material by their names of 1.0 and of 0.x, which lacks the last one.
static const struct {
    const char *name, *older;
    size_t offset;
    uint32_t width;
} colors[] = {
    {"color", "_Color", offsetof(model_material, base_color), 4},
    {"emissionColor", "_EmissionColor", offsetof(model_material, emissive_factor), 3},
    {"shadeColor", "_ShadeColor", offsetof(model_material, extensions.toon.shade_color), 3},
    {"rimColor", "_RimColor", offsetof(model_material, extensions.toon.rim_color), 3},
    {"outlineColor", "_OutlineColor", offsetof(model_material, extensions.toon.outline_color), 3},
    {"matcapColor", NULL, offsetof(model_material, extensions.toon.matcap), 3},
};

static int32_t find_color(const char *name, bool older)
{
    return row_find(older ? &colors->older : &colors->name,
                    sizeof colors / sizeof *colors - (older ? 1 : 0), sizeof *colors, name);
}

static zt_result read_color_binds(expression_reader *r, const json_pointer *json,
                                  expression_lists *lists, model_expression *out)
{
    gltf_log *log = r->file->log;
    json_pointer list, bind;
    uint32_t count;
    ZT_TRY(gltf_array(log, json, "materialColorBinds", &list, &count));
    for (uint32_t i = 0; i < count; i++) {
        float value[4] = {1.0f, 1.0f, 1.0f, 1.0f};
        int32_t material;
        const char *type;
        ZT_TRY(gltf_entry(log, &list, i, &bind));
        ZT_TRY(gltf_member_index(r->file, &bind, "material", GLTF_MATERIALS, &material));
        ZT_TRY(gltf_text(log, &bind, "type", &type));
        ZT_TRY(gltf_floats(log, &bind, "targetValue", 4, value));
        const int32_t k = find_color(type, false);
        if (material < 0 || k < 0)
            ZT_TRY(gltf_warn(log, &bind, "names no colour of a material"));
        else
            ZT_TRY(add_change(r, lists, out, (uint32_t)material, colors[k].offset, colors[k].width,
                              value));
    }
    ZT_TRY(gltf_array(log, json, "textureTransformBinds", &list, &count));
    for (uint32_t i = 0; i < count; i++) {
        float scale[2] = {1.0f, 1.0f}, offset[2] = {0.0f, 0.0f};
        int32_t material;
        ZT_TRY(gltf_entry(log, &list, i, &bind));
        ZT_TRY(gltf_member_index(r->file, &bind, "material", GLTF_MATERIALS, &material));
        ZT_TRY(gltf_floats(log, &bind, "scale", 2, scale));
        ZT_TRY(gltf_floats(log, &bind, "offset", 2, offset));
        if (material >= 0)
            ZT_TRY(add_transform(r, lists, out, (uint32_t)material, scale, offset, 0, 2));
    }
    return ZT_OK;
}

static zt_result read_override(gltf_log *log, const json_pointer *json, const char *key,
                               expression_override *out)
{
    const char *text;
    ZT_TRY(gltf_text(log, json, key, &text));
    *out = text && strcmp(text, "block") == 0   ? EXPRESSION_BLOCKS
           : text && strcmp(text, "blend") == 0 ? EXPRESSION_BLENDS
                                                : EXPRESSION_NOT_OVERRIDES;
    return ZT_OK;
}

static zt_result read_expression(expression_reader *r, const json_pointer *json, const char *name,
                                 bool preset)
{
    gltf_log *log = r->file->log;
    const int32_t known = preset ? find_preset(name, false) : -1;
    model_expression made = {.group = known < 0 ? EXPRESSION_OTHER : presets[known].group};
    expression_lists lists = {0};
    ZT_TRY(gltf_flag(log, json, "isBinary", false, &made.binary));
    ZT_TRY(read_override(log, json, "overrideBlink", &made.overrides[EXPRESSION_BLINK]));
    ZT_TRY(read_override(log, json, "overrideLookAt", &made.overrides[EXPRESSION_LOOK]));
    ZT_TRY(read_override(log, json, "overrideMouth", &made.overrides[EXPRESSION_MOUTH]));
    ZT_TRY(read_morph_binds(r, json, false, &lists, &made));
    ZT_TRY(read_color_binds(r, json, &lists, &made));
    return keep_expression(r, json, &lists, name, &made);
}

/// The members of `preset` or `custom`, each an expression.
static zt_result read_set(expression_reader *r, const json_pointer *expressions, const char *key)
{
    json_pointer set, json;
    ZT_TRY(gltf_object(r->file->log, expressions, key, &set));
    for (uint32_t i = 0; set.value && i < set.value->count; i++) {
        const char *name = set.value->item[i]->key;
        ZT_TRY(gltf_object(r->file->log, &set, name, &json));
        if (name)
            ZT_TRY(read_expression(r, &json, name, strcmp(key, "preset") == 0));
    }
    return ZT_OK;
}

// ---- VRM 0.x ------------------------------------------------------------------------------------

/// Colours are in sRGB; of texture coordinates v is upwards.
static zt_result read_values_0(expression_reader *r, const json_pointer *json,
                               expression_lists *lists, model_expression *out)
{
    static const struct {
        const char *name;
        uint32_t axis, width;
    } places[] = {{"_MainTex_ST", 0, 2}, {"_MainTex_ST_S", 0, 1}, {"_MainTex_ST_T", 1, 1}};
    gltf_log *log = r->file->log;
    json_pointer list, bind;
    uint32_t count;
    ZT_TRY(gltf_array(log, json, "materialValues", &list, &count));
    ZT_TRY(arena_work(r->file->scratch, count, "expressions", log->err));
    for (uint32_t i = 0; i < count; i++) {
        const char *material_name, *name;
        float v[4] = {1.0f, 1.0f, 1.0f, 1.0f};
        ZT_TRY(gltf_entry(log, &list, i, &bind));
        ZT_TRY(gltf_text(log, &bind, "materialName", &material_name));
        ZT_TRY(gltf_text(log, &bind, "propertyName", &name));
        ZT_TRY(gltf_floats(log, &bind, "targetValue", 4, v));
        const int32_t material = material_name ? (int32_t)*material_slot(r, material_name) - 1 : -1;
        if (material < 0 || !name) {
            ZT_TRY(gltf_warn(log, &bind, "names no value of a material"));
            continue;
        }
        const int32_t place = ROW_FIND(places, name);
        if (place >= 0) {
            const float scale[2] = {v[0], v[1]}, offset[2] = {v[2], (1.0f - v[3]) - v[1]};
            ZT_TRY(add_transform(r, lists, out, (uint32_t)material, scale, offset,
                                 places[place].axis, places[place].width));
        }
        for (int k = 0; k < 3; k++)
            v[k] = (float)srgb_decode(v[k] > 0.0f ? (double)v[k] : 0.0);
        const int32_t k = find_color(name, true);
        if (k >= 0)
            ZT_TRY(add_change(r, lists, out, (uint32_t)material, colors[k].offset, colors[k].width,
                              v));
    }
    return ZT_OK;
}

static zt_result read_expressions_0(expression_reader *r, const json_pointer *vrm)
{
    gltf_log *log = r->file->log;
    json_pointer master, list, json;
    uint32_t count;
    ZT_TRY(gltf_object(log, vrm, "blendShapeMaster", &master));
    ZT_TRY(gltf_array(log, &master, "blendShapeGroups", &list, &count));
    for (uint32_t i = 0; i < count; i++) {
        const char *name, *preset;
        model_expression made = {0};
        expression_lists lists = {0};
        ZT_TRY(gltf_entry(log, &list, i, &json));
        ZT_TRY(gltf_text(log, &json, "name", &name));
        ZT_TRY(gltf_text(log, &json, "presetName", &preset));
        ZT_TRY(gltf_flag(log, &json, "isBinary", false, &made.binary));
        const int32_t known = find_preset(preset, true);
        if (known >= 0)
            made.group = presets[known].group;
        ZT_TRY(read_morph_binds(r, &json, true, &lists, &made));
        ZT_TRY(read_values_0(r, &json, &lists, &made));
        ZT_TRY(keep_expression(r, &json, &lists,
                               known >= 0 ? presets[known].name : (name ? name : ""), &made));
    }
    return ZT_OK;
}

zt_result gltf_read_expressions(gltf_file *file, gltf_materials *materials, const gltf_nodes *nodes,
                                zt_model *model)
{
    json_extension vrm;
    json_pointer set;
    expression_reader r = {.file = file, .materials = materials, .nodes = nodes, .model = model};
    ZT_TRY(gltf_extension(file->log, &file->root, "VRMC_vrm", &vrm));
    const bool newer = vrm.object.value != NULL;
    if (!newer)
        ZT_TRY(gltf_extension(file->log, &file->root, "VRM", &vrm));
    if (!vrm.object.value)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE(file->keep, &r.expressions, MODEL_EXPRESSION_LIMIT, "expressions",
                      file->log->err));
    model->expressions = r.expressions;
    if (!newer && !hash_table_init(&r.material_names, file->scratch, materials->file_count))
        return arena_fail(file->scratch, file->log->err, "expressions");
    for (uint32_t i = 0; !newer && i < materials->file_count; i++) {
        uint32_t *slot = material_slot(&r, materials->material[i].name);
        *slot = *slot ? *slot : i + 1;
    }
    if (!newer)
        return read_expressions_0(&r, &vrm.object);
    ZT_TRY(gltf_object(file->log, &vrm.object, "expressions", &set));
    ZT_TRY(read_set(&r, &set, "preset"));
    return read_set(&r, &set, "custom");
}
