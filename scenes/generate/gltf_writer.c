// SPDX-License-Identifier: MIT
// glTF 2.0 binary (GLB): https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
//
// One bufferView per accessor and picture, each at a multiple of four bytes, in the order in which
// the JSON mentions them: the same model always gives the same bytes.
#include "writers.h"

#include <stdlib.h>
#include <string.h>

enum {
    COMPONENT_U8 = 5121,
    COMPONENT_U16 = 5123,
    COMPONENT_U32 = 5125,
    COMPONENT_F32 = 5126,
    TARGET_NONE = 0,
    TARGET_VERTICES = 34962,
    TARGET_INDICES = 34963,
};

// Offset, size and type of an accessor.
typedef struct accessor_bytes {
    size_t start, size, count;
    int target, component;
    bool bounded;
} accessor_bytes;

typedef struct glb_parts {
    byte_buffer views, accessors, bin;
    accessor_bytes *written; // one per accessor
    size_t written_capacity;
    int view_count, accessor_count;
} glb_parts;

static void separator(byte_buffer *text, int index)
{
    if (index > 0)
        buffer_text(text, ",");
}

static void numbers(byte_buffer *text, const float *values, int count)
{
    buffer_text(text, "[");
    for (int k = 0; k < count; k++) {
        separator(text, k);
        buffer_float(text, values[k]);
    }
    buffer_text(text, "]");
}

static void numbers_d(byte_buffer *text, const double *values, int count)
{
    float rounded[16];
    for (int k = 0; k < count; k++)
        rounded[k] = (float)values[k];
    numbers(text, rounded, count);
}

// Declares that the bytes from `start` to the end of the binary chunk are one buffer view.
static int end_view(glb_parts *parts, size_t start, int target)
{
    separator(&parts->views, parts->view_count);
    buffer_text(&parts->views, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", start,
                parts->bin.size - start);
    if (target != TARGET_NONE)
        buffer_text(&parts->views, ",\"target\":%d", target);
    buffer_text(&parts->views, "}");
    buffer_align4(&parts->bin, 0);
    return parts->view_count++;
}

// As end_view, with an accessor of `count` elements over the whole view. Equal bytes of an earlier
// accessor are used again, but not key times as values of keys, which the specification forbids.
// `bounds` (minima, then maxima, `width` each): written where the specification asks for it.
static int end_accessor(glb_parts *parts, size_t start, int target, int component, size_t count,
                        const char *type, const float *bounds, int width)
{
    const accessor_bytes now = {start,     parts->bin.size - start, count, target,
                                component, bounds != NULL};
    for (int k = 0; k < parts->accessor_count; k++) {
        const accessor_bytes *old = &parts->written[k];
        // Size, count and component settle the element type (no MAT2 as well as VEC4 here).
        if (old->size == now.size && old->count == count && old->target == target &&
            old->component == component &&
            (old->bounded == now.bounded || (old->bounded && target != TARGET_NONE)) &&
            memcmp(parts->bin.data + old->start, parts->bin.data + start, now.size) == 0) {
            parts->bin.size = start;
            return k;
        }
    }
    array_reserve((void **)&parts->written, &parts->written_capacity,
                  (size_t)parts->accessor_count + 1, sizeof now);
    parts->written[parts->accessor_count] = now;
    const int view = end_view(parts, start, target);
    byte_buffer *text = &parts->accessors;
    separator(text, parts->accessor_count);
    buffer_text(text, "{\"bufferView\":%d,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"", view,
                component, count, type);
    if (bounds) {
        buffer_text(text, ",\"min\":");
        numbers(text, bounds, width);
        buffer_text(text, ",\"max\":");
        numbers(text, bounds + width, width);
    }
    buffer_text(text, "}");
    return parts->accessor_count++;
}

// Writes one float attribute, `width` floats at `offset` in each vertex.
static int float_attribute(glb_parts *parts, const built_primitive *p, size_t offset, int width,
                           bool with_bounds)
{
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    const size_t start = parts->bin.size;
    float bounds[8] = {0};
    for (size_t i = 0; i < p->vertex_count; i++) {
        const uint8_t *at = (const uint8_t *)&p->vertices[i] + offset;
        float values[4];
        memcpy(values, at, (size_t)width * sizeof(float));
        for (int k = 0; k < width; k++) {
            if (i == 0 || values[k] < bounds[k])
                bounds[k] = values[k];
            if (i == 0 || values[k] > bounds[width + k])
                bounds[width + k] = values[k];
        }
        buffer_append(&parts->bin, values, (size_t)width * sizeof(float));
    }
    return end_accessor(parts, start, TARGET_VERTICES, COMPONENT_F32, p->vertex_count, types[width],
                        with_bounds ? bounds : NULL, width);
}

// Writes one attribute of a morph target sparsely: vertices that differ. -1 when none does.
static int target_attribute(glb_parts *parts, const built_primitive *p, const built_vertex *target,
                            size_t offset, int width, bool with_bounds)
{
    byte_buffer values = {0};
    const size_t start = parts->bin.size;
    const bool wide = p->vertex_count > 65535;
    float bounds[8] = {0};
    size_t count = 0;
    for (size_t i = 0; i < p->vertex_count; i++) {
        float from[4], to[4], delta[4];
        memcpy(from, (const uint8_t *)&p->vertices[i] + offset, sizeof from);
        memcpy(to, (const uint8_t *)&target[i] + offset, sizeof to);
        bool differs = false;
        for (int k = 0; k < width; k++) {
            delta[k] = to[k] - from[k];
            differs = differs || delta[k] != 0.0f;
            bounds[k] = delta[k] < bounds[k] ? delta[k] : bounds[k];
            bounds[width + k] = delta[k] > bounds[width + k] ? delta[k] : bounds[width + k];
        }
        if (!differs)
            continue;
        const uint8_t index[4] = {(uint8_t)i, (uint8_t)(i >> 8), (uint8_t)(i >> 16),
                                  (uint8_t)(i >> 24)};
        buffer_append(&parts->bin, index, wide ? 4 : 2);
        buffer_append(&values, delta, (size_t)width * sizeof *delta);
        count++;
    }
    if (count == 0)
        return -1;
    const int indices_view = end_view(parts, start, TARGET_NONE);
    const size_t values_start = parts->bin.size;
    buffer_append(&parts->bin, values.data, values.size);
    const int values_view = end_view(parts, values_start, TARGET_NONE);
    free(values.data);
    byte_buffer *text = &parts->accessors;
    separator(text, parts->accessor_count);
    buffer_text(text, "{\"componentType\":%d,\"count\":%zu,\"type\":\"VEC%d\"", COMPONENT_F32,
                p->vertex_count, width);
    if (with_bounds) {
        buffer_text(text, ",\"min\":");
        numbers(text, bounds, width);
        buffer_text(text, ",\"max\":");
        numbers(text, bounds + width, width);
    }
    buffer_text(text,
                ",\"sparse\":{\"count\":%zu,\"indices\":{\"bufferView\":%d,\"componentType\":%d},"
                "\"values\":{\"bufferView\":%d}}}",
                count, indices_view, wide ? COMPONENT_U32 : COMPONENT_U16, values_view);
    array_reserve((void **)&parts->written, &parts->written_capacity,
                  (size_t)parts->accessor_count + 1, sizeof *parts->written);
    parts->written[parts->accessor_count] = (accessor_bytes){0}; // shared with nothing
    return parts->accessor_count++;
}

// An accessor without data: zeros, for a target that does not change a primitive.
static int zero_accessor(glb_parts *parts, size_t count)
{
    array_reserve((void **)&parts->written, &parts->written_capacity,
                  (size_t)parts->accessor_count + 1, sizeof *parts->written);
    parts->written[parts->accessor_count] = (accessor_bytes){0};
    separator(&parts->accessors, parts->accessor_count);
    buffer_text(&parts->accessors,
                "{\"componentType\":%d,\"count\":%zu,\"type\":\"VEC3\",\"min\":[0,0,0],"
                "\"max\":[0,0,0]}",
                COMPONENT_F32, count);
    return parts->accessor_count++;
}

static void write_targets(const built_model *model, glb_parts *parts, byte_buffer *json,
                          const built_primitive *p)
{
    const struct {
        unsigned flag;
        const char *name;
        size_t offset;
        int width;
    } attributes[] = {
        {0, "POSITION", offsetof(built_vertex, position), 3},
        {HAS_NORMAL, "NORMAL", offsetof(built_vertex, normal), 3},
        {HAS_COLOR, "COLOR_0", offsetof(built_vertex, color), 4},
        {HAS_UV, "TEXCOORD_0", offsetof(built_vertex, uv), 2},
    };
    buffer_text(json, ",\"targets\":[");
    for (int t = 0; t < model->target_count; t++) {
        int written = 0;
        buffer_text(json, t ? ",{" : "{");
        for (size_t k = 0; k < sizeof attributes / sizeof *attributes && p->targets[t]; k++) {
            if (attributes[k].flag && !(p->attributes & attributes[k].flag))
                continue;
            const int accessor = target_attribute(parts, p, p->targets[t], attributes[k].offset,
                                                  attributes[k].width, k == 0);
            if (accessor >= 0)
                buffer_text(json, "%s\"%s\":%d", written++ ? "," : "", attributes[k].name,
                            accessor);
        }
        if (written == 0)
            buffer_text(json, "\"POSITION\":%d", zero_accessor(parts, p->vertex_count));
        buffer_text(json, "}");
    }
    buffer_text(json, "]");
}

static void write_primitive(const built_model *model, glb_parts *parts, byte_buffer *json,
                            const built_primitive *p)
{
    buffer_text(json, "{\"attributes\":{\"POSITION\":%d",
                float_attribute(parts, p, offsetof(built_vertex, position), 3, true));
    const struct {
        unsigned flag;
        const char *name;
        size_t offset;
        int width;
    } optional[] = {
        {HAS_NORMAL, "NORMAL", offsetof(built_vertex, normal), 3},
        {HAS_TANGENT, "TANGENT", offsetof(built_vertex, tangent), 4},
        {HAS_UV, "TEXCOORD_0", offsetof(built_vertex, uv), 2},
        {HAS_UV1, "TEXCOORD_1", offsetof(built_vertex, uv1), 2},
        {HAS_COLOR, "COLOR_0", offsetof(built_vertex, color), 4},
        {HAS_SKIN, "WEIGHTS_0", offsetof(built_vertex, weights), 4},
        {HAS_SKIN_MORE, "WEIGHTS_1", offsetof(built_vertex, weights_more), 4},
    };
    for (size_t k = 0; k < sizeof optional / sizeof *optional; k++)
        if (p->attributes & optional[k].flag)
            buffer_text(json, ",\"%s\":%d", optional[k].name,
                        float_attribute(parts, p, optional[k].offset, optional[k].width, false));
    for (int set = 0; set < 2; set++) {
        if (!(p->attributes & (set ? HAS_SKIN_MORE : HAS_SKIN)))
            continue;
        const size_t start = parts->bin.size;
        for (size_t i = 0; i < p->vertex_count; i++)
            buffer_append(&parts->bin, set ? p->vertices[i].joints_more : p->vertices[i].joints, 4);
        buffer_text(json, ",\"JOINTS_%d\":%d", set,
                    end_accessor(parts, start, TARGET_VERTICES, COMPONENT_U8, p->vertex_count,
                                 "VEC4", NULL, 0));
    }
    // 65535 is the primitive restart value and must not be an index (section 3.7.2.1).
    const bool wide = p->vertex_count > 65535;
    const size_t start = parts->bin.size;
    for (size_t i = 0; i < p->index_count; i++) {
        if (wide) {
            buffer_u32(&parts->bin, p->indices[i]);
        } else {
            const uint8_t pair[2] = {(uint8_t)p->indices[i], (uint8_t)(p->indices[i] >> 8)};
            buffer_append(&parts->bin, pair, 2);
        }
    }
    buffer_text(json, "},\"indices\":%d,\"material\":%d",
                end_accessor(parts, start, TARGET_INDICES, wide ? COMPONENT_U32 : COMPONENT_U16,
                             p->index_count, "SCALAR", NULL, 0),
                p->material);
    if (p->mode != DRAW_TRIANGLES)
        buffer_text(json, ",\"mode\":%d", (int)p->mode - 1);
    if (model->target_count > 0)
        write_targets(model, parts, json, p);
    buffer_text(json, "}");
}

static void write_target_names(const built_model *model, byte_buffer *json)
{
    buffer_text(json, "],\"weights\":[");
    for (int t = 0; t < model->target_count; t++)
        buffer_text(json, t ? ",0" : "0");
    buffer_text(json, "],\"extras\":{\"targetNames\":[");
    for (int t = 0; t < model->target_count; t++)
        buffer_text(json, "%s\"%s\"", t ? "," : "", model->targets[t]);
    buffer_text(json, "]}}");
}

static void write_meshes(const built_model *model, glb_parts *parts, byte_buffer *json)
{
    buffer_text(json, ",\"meshes\":[");
    for (int i = 0; i < model->primitive_count; i++) {
        const int mesh = model->primitives[i].mesh;
        const bool first = i == 0 || model->primitives[i - 1].mesh != mesh;
        const bool last = i + 1 == model->primitive_count || model->primitives[i + 1].mesh != mesh;
        separator(json, i);
        if (first)
            buffer_text(json, "{\"primitives\":[");
        write_primitive(model, parts, json, &model->primitives[i]);
        if (last && model->target_count > 0)
            write_target_names(model, json);
        else if (last)
            buffer_text(json, "]}");
    }
    buffer_text(json, "]");
}

static void write_nodes(const built_model *model, byte_buffer *json)
{
    buffer_text(json, ",\"scene\":0,\"scenes\":[{\"nodes\":[");
    int root_count = 0;
    for (int i = 0; i < model->node_count; i++)
        if (model->nodes[i].parent < 0) {
            separator(json, root_count++);
            buffer_text(json, "%d", i);
        }
    buffer_text(json, "]");
    if (model->scene_extensions)
        buffer_text(json, ",\"extensions\":{%s}", model->scene_extensions);
    buffer_text(json, "}],\"nodes\":[");
    for (int i = 0; i < model->node_count; i++) {
        const built_node *node = &model->nodes[i];
        separator(json, i);
        buffer_text(json, "{\"name\":\"%s\"", node->name);
        int child_count = 0;
        for (int c = 0; c < model->node_count; c++)
            if (model->nodes[c].parent == i) {
                buffer_text(json, child_count++ ? ",%d" : ",\"children\":[%d", c);
            }
        if (child_count > 0)
            buffer_text(json, "]");
        const double *t = node->translation, *s = node->scale;
        if (t[0] != 0.0 || t[1] != 0.0 || t[2] != 0.0) {
            buffer_text(json, ",\"translation\":");
            numbers_d(json, t, 3);
        }
        const double r[4] = {node->rotation.x, node->rotation.y, node->rotation.z,
                             node->rotation.w};
        if (r[0] != 0.0 || r[1] != 0.0 || r[2] != 0.0) {
            buffer_text(json, ",\"rotation\":");
            numbers_d(json, r, 4);
        }
        if (s[0] != 1.0 || s[1] != 1.0 || s[2] != 1.0) {
            buffer_text(json, ",\"scale\":");
            numbers_d(json, s, 3);
        }
        if (node->mesh >= 0)
            buffer_text(json, ",\"mesh\":%d", node->mesh);
        if (node->skin >= 0)
            buffer_text(json, ",\"skin\":%d", node->skin);
        buffer_text(json, "}");
    }
    buffer_text(json, "]");
}

static void write_skin(const built_model *model, glb_parts *parts, byte_buffer *json)
{
    if (model->joint_count == 0)
        return;
    const size_t start = parts->bin.size;
    for (int j = 0; j < model->joint_count; j++) {
        const dvec3 bind = model->joints[j].bind;
        const float inverse[16] = {1.0f,           0.0f,           0.0f,           0.0f, 0.0f, 1.0f,
                                   0.0f,           0.0f,           0.0f,           0.0f, 1.0f, 0.0f,
                                   (float)-bind.x, (float)-bind.y, (float)-bind.z, 1.0f};
        buffer_append(&parts->bin, inverse, sizeof inverse);
    }
    buffer_text(json, ",\"skins\":[{\"inverseBindMatrices\":%d",
                end_accessor(parts, start, TARGET_NONE, COMPONENT_F32, (size_t)model->joint_count,
                             "MAT4", NULL, 0));
    if (model->skeleton >= 0)
        buffer_text(json, ",\"skeleton\":%d", model->skeleton);
    for (int j = 0; j < model->joint_count; j++)
        buffer_text(json, j ? ",%d" : ",\"joints\":[%d", model->joints[j].node);
    buffer_text(json, "]}]");
}

static bool same_times(const built_channel *a, const built_channel *b)
{
    return a->key_count == b->key_count &&
           memcmp(a->times, b->times, a->key_count * sizeof(float)) == 0;
}

static void write_clip(const built_model *model, glb_parts *parts, byte_buffer *json, int clip)
{
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    static const char *const curves[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    byte_buffer samplers = {0}, channels = {0};
    int count = 0, times_accessor[MAX_CHANNELS];
    for (int i = 0; i < model->channel_count; i++) {
        const built_channel *c = &model->channels[i];
        times_accessor[i] = -1;
        if (c->clip != clip)
            continue;
        for (int k = 0; k < i && times_accessor[i] < 0; k++) // key times are shared where equal
            if (model->channels[k].clip == clip && same_times(&model->channels[k], c))
                times_accessor[i] = times_accessor[k];
        if (times_accessor[i] < 0) {
            const size_t start = parts->bin.size;
            buffer_append(&parts->bin, c->times, c->key_count * sizeof(float));
            const float bounds[2] = {c->times[0], c->times[c->key_count - 1]};
            times_accessor[i] = end_accessor(parts, start, TARGET_NONE, COMPONENT_F32, c->key_count,
                                             "SCALAR", bounds, 1);
        }
        const size_t value_count = c->key_count * (c->curve == CURVE_CUBIC ? 3 : 1);
        const bool weights = c->path == PATH_WEIGHTS; // as many SCALARs as there are targets
        const size_t start = parts->bin.size;
        buffer_append(&parts->bin, c->values, value_count * c->width * sizeof(float));
        const int values = end_accessor(parts, start, TARGET_NONE, COMPONENT_F32,
                                        value_count * (weights ? c->width : 1),
                                        weights ? "SCALAR" : types[c->width], NULL, 0);
        separator(&samplers, count);
        buffer_text(&samplers, "{\"input\":%d,\"output\":%d,\"interpolation\":\"%s\"}",
                    times_accessor[i], values, curves[c->curve]);
        separator(&channels, count);
        if (c->path == PATH_POINTER)
            buffer_text(&channels,
                        "{\"sampler\":%d,\"target\":{\"path\":\"pointer\",\"extensions\":{"
                        "\"KHR_animation_pointer\":{\"pointer\":\"%s\"}}}}",
                        count, c->pointer);
        else
            buffer_text(&channels, "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                        count, c->node, paths[c->path]);
        count++;
    }
    separator(json, clip);
    buffer_text(json, "{\"name\":\"%s\",\"samplers\":[", model->clips[clip]);
    buffer_append(json, samplers.data, samplers.size);
    buffer_text(json, "],\"channels\":[");
    buffer_append(json, channels.data, channels.size);
    buffer_text(json, "]}");
    free(samplers.data);
    free(channels.data);
}

static void write_material(const built_material *m, byte_buffer *json)
{
    static const char *const alphas[] = {"OPAQUE", "MASK", "BLEND"};
    buffer_text(json, "{\"name\":\"%s\",\"pbrMetallicRoughness\":{\"baseColorFactor\":", m->name);
    numbers_d(json, m->base_color, 4);
    if (m->base_texture >= 0)
        buffer_text(json, ",\"baseColorTexture\":{\"index\":%d,\"texCoord\":%d}", m->base_texture,
                    m->base_texcoord);
    if (m->metal_rough_texture >= 0)
        buffer_text(json, ",\"metallicRoughnessTexture\":{\"index\":%d}", m->metal_rough_texture);
    buffer_text(json, ",\"metallicFactor\":");
    buffer_float(json, (float)m->metallic);
    buffer_text(json, ",\"roughnessFactor\":");
    buffer_float(json, (float)m->roughness);
    buffer_text(json, "}");
    if (m->normal_texture >= 0)
        buffer_text(json, ",\"normalTexture\":{\"index\":%d}", m->normal_texture);
    if (m->emissive[0] != 0.0 || m->emissive[1] != 0.0 || m->emissive[2] != 0.0) {
        buffer_text(json, ",\"emissiveFactor\":");
        numbers_d(json, m->emissive, 3);
    }
    if (m->alpha != ALPHA_OPAQUE)
        buffer_text(json, ",\"alphaMode\":\"%s\"", alphas[m->alpha]);
    if (m->alpha == ALPHA_MASK) {
        buffer_text(json, ",\"alphaCutoff\":");
        buffer_float(json, (float)m->alpha_cutoff);
    }
    if (m->double_sided)
        buffer_text(json, ",\"doubleSided\":true");
    if (m->unlit)
        buffer_text(json, ",\"extensions\":{\"KHR_materials_unlit\":{}}");
    else if (m->extensions)
        buffer_text(json, ",\"extensions\":{%s}", m->extensions);
    buffer_text(json, "}");
}

static void write_pictures(const built_model *model, glb_parts *parts, byte_buffer *json)
{
    if (model->image_count == 0)
        return;
    buffer_text(json, ",\"images\":[");
    for (int i = 0; i < model->image_count; i++) {
        const size_t start = parts->bin.size;
        png_append(&parts->bin, &model->images[i]);
        separator(json, i);
        buffer_text(json, "{\"name\":\"%s\",\"mimeType\":\"image/png\",\"bufferView\":%d}",
                    model->images[i].name, end_view(parts, start, TARGET_NONE));
    }
    buffer_text(json, "]");
    if (model->texture_count == 0)
        return;
    buffer_text(json, ",\"samplers\":[");
    for (int i = 0; i < model->texture_count; i++) {
        const built_texture *t = &model->textures[i];
        separator(json, i);
        buffer_text(json, "{\"magFilter\":%d,\"minFilter\":%d,\"wrapS\":%d,\"wrapT\":%d}",
                    t->mag_filter, t->min_filter, t->wrap_s, t->wrap_t);
    }
    buffer_text(json, "],\"textures\":[");
    for (int i = 0; i < model->texture_count; i++) {
        separator(json, i);
        buffer_text(json, "{\"sampler\":%d,\"source\":%d}", i, model->textures[i].image);
    }
    buffer_text(json, "]");
}

static void write_materials(const built_model *model, byte_buffer *json)
{
    if (model->material_count == 0)
        return;
    buffer_text(json, ",\"materials\":[");
    for (int i = 0; i < model->material_count; i++) {
        separator(json, i);
        write_material(&model->materials[i], json);
    }
    buffer_text(json, "]");
}

bool glb_write(const built_model *model, const char *folder, const char *name)
{
    glb_parts parts = {0};
    byte_buffer json = {0}, file = {0};
    buffer_text(&json,
                "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Zoetrope scenes/generate\"}");
    bool unlit = false;
    for (int i = 0; i < model->material_count; i++)
        unlit = unlit || model->materials[i].unlit;
    const char *used = model->extensions_used ? model->extensions_used : "";
    if (unlit || *used)
        buffer_text(&json, ",\"extensionsUsed\":[%s%s%s]", unlit ? "\"KHR_materials_unlit\"" : "",
                    unlit && *used ? "," : "", used);
    if (model->extensions) { // of any length
        buffer_text(&json, ",\"extensions\":{");
        buffer_append(&json, model->extensions, strlen(model->extensions));
        buffer_text(&json, "}");
    }
    write_nodes(model, &json);
    if (model->primitive_count > 0)
        write_meshes(model, &parts, &json);
    write_skin(model, &parts, &json);
    if (model->clip_count > 0) {
        buffer_text(&json, ",\"animations\":[");
        for (int i = 0; i < model->clip_count; i++)
            write_clip(model, &parts, &json, i);
        buffer_text(&json, "]");
    }
    write_materials(model, &json);
    write_pictures(model, &parts, &json);
    buffer_text(&json, ",\"accessors\":[");
    buffer_append(&json, parts.accessors.data, parts.accessors.size);
    buffer_text(&json, "],\"bufferViews\":[");
    buffer_append(&json, parts.views.data, parts.views.size);
    buffer_text(&json, "],\"buffers\":[{\"byteLength\":%zu}]}", parts.bin.size);
    buffer_align4(&json, ' ');

    buffer_append(&file, "glTF", 4);
    buffer_u32(&file, 2);
    buffer_u32(&file, (uint32_t)(12 + 8 + json.size + 8 + parts.bin.size));
    buffer_u32(&file, (uint32_t)json.size);
    buffer_append(&file, "JSON", 4);
    buffer_append(&file, json.data, json.size);
    buffer_u32(&file, (uint32_t)parts.bin.size);
    buffer_append(&file, "BIN", 4); // with its terminating zero, a part of the chunk type
    buffer_append(&file, parts.bin.data, parts.bin.size);
    const bool ok = buffer_save(&file, folder, name);
    free(file.data);
    free(json.data);
    free(parts.written);
    free(parts.accessors.data);
    free(parts.views.data);
    free(parts.bin.data);
    return ok;
}
