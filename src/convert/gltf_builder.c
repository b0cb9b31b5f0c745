// SPDX-License-Identifier: MIT
/// JSON values and accessors of a glTF file; see gltf_builder.h.
/// Reference: Khronos glTF 2.0 specification, sections 3.6 and 5.1.
#include "convert/gltf_builder.h"

#include <string.h>

void gltf_builder_put(gltf_builder *builder, json_t *object, const char *key, json_t *value)
{
    builder->failed |= json_object_set_new(object, key, value) != 0;
}

void gltf_builder_append(gltf_builder *builder, json_t *array, json_t *value)
{
    builder->failed |= json_array_append_new(array, value) != 0;
}

json_t *gltf_builder_text(const char *text)
{
    json_t *value = json_string(text);
    if (value)
        return value;
    char plain[256]; // longer names are cut
    size_t length = 0;
    for (; text[length] && length < sizeof plain - 1; length++)
        plain[length] = (unsigned char)text[length] < 0x80 ? text[length] : '?';
    return json_stringn(plain, length);
}

json_t *gltf_builder_floats(const float *values, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, json_real((double)values[i]));
    if (json_array_size(list) == count)
        return list;
    json_decref(list);
    return NULL;
}

json_t *gltf_builder_root_array(gltf_builder *builder, const char *key)
{
    json_t *list = json_object_get(builder->package.json, key);
    if (list)
        return list;
    gltf_builder_put(builder, builder->package.json, key, json_array());
    return json_object_get(builder->package.json, key);
}

static void add_bounds(gltf_builder *builder, const accessor_data *array, json_t *accessor)
{
    const float *values = array->data;
    float low[4], high[4];
    if (array->count == 0)
        return;
    memcpy(low, values, array->width * sizeof *low);
    memcpy(high, values, array->width * sizeof *high);
    for (size_t i = 0; i < array->count; i++)
        for (size_t c = 0; c < array->width; c++) {
            const float value = values[i * array->width + c];
            low[c] = value < low[c] ? value : low[c];
            high[c] = value > high[c] ? value : high[c];
        }
    gltf_builder_put(builder, accessor, "min", gltf_builder_floats(low, array->width));
    gltf_builder_put(builder, accessor, "max", gltf_builder_floats(high, array->width));
}

zt_result gltf_builder_add_accessor(gltf_builder *builder, const accessor_data *array,
                                    json_int_t *out)
{
    const size_t component = array->component == GLTF_UNSIGNED_SHORT ? 2 : 4;
    json_int_t view;
    ZT_TRY(gltf_package_add_view(builder->job, &builder->package, array->data,
                                 (size_t)array->count * array->width * component, array->target,
                                 &view));
    json_t *accessor =
        json_pack("{s:I,s:i,s:I,s:s}", "bufferView", view, "componentType", array->component,
                  "count", (json_int_t)array->count, "type", array->type);
    if (array->has_bounds)
        add_bounds(builder, array, accessor);
    json_t *list = gltf_builder_root_array(builder, "accessors");
    *out = (json_int_t)json_array_size(list);
    gltf_builder_append(builder, list, accessor);
    return ZT_OK;
}
