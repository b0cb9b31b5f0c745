// SPDX-License-Identifier: MIT
/// JSON values and accessors of a glTF file; see gltf_builder.h. Reference: glTF 2.0, 3.6 and 5.1.
#include "convert/gltf_builder.h"

#include <string.h>

void gltf_builder_put_floats(gltf_builder *builder, json_value *object, const char *key,
                             const float *values, uint32_t count)
{
    json_builder *b = &builder->package.values;
    json_put(b, object, key, json_new_floats(b, values, count));
}

void gltf_builder_put_index(gltf_builder *builder, json_value *object, const char *key,
                            const char *inner, int64_t index)
{
    json_builder *b = &builder->package.values;
    json_value *holder = json_new(b, JSON_KIND_OBJECT);
    json_put_int(b, holder, inner, index);
    json_put(b, object, key, holder);
}

json_value *gltf_builder_entry(gltf_builder *builder, const char *key)
{
    json_builder *b = &builder->package.values;
    json_value *entry = json_new(b, JSON_KIND_OBJECT);
    json_append(b, gltf_package_array(&builder->package, key), entry);
    return entry;
}

static void add_bounds(gltf_builder *builder, const accessor_data *array, json_value *accessor)
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
    gltf_builder_put_floats(builder, accessor, "min", low, array->width);
    gltf_builder_put_floats(builder, accessor, "max", high, array->width);
}

zt_result gltf_builder_add_accessor(gltf_builder *builder, const accessor_data *array, int64_t *out)
{
    const size_t component = array->component == GLTF_UNSIGNED_SHORT ? 2 : 4;
    int64_t view;
    ZT_TRY(gltf_package_add_view(builder->job, &builder->package, array->data,
                                 (size_t)array->count * array->width * component, array->target,
                                 &view));
    json_builder *b = &builder->package.values;
    *out = json_length(gltf_package_array(&builder->package, "accessors"));
    json_value *accessor = gltf_builder_entry(builder, "accessors");
    json_put_int(b, accessor, "bufferView", view);
    json_put_int(b, accessor, "componentType", array->component);
    json_put_int(b, accessor, "count", array->count);
    json_put_text(b, accessor, "type", array->type);
    if (array->has_bounds)
        add_bounds(builder, array, accessor);
    return ZT_OK;
}

void gltf_builder_use_extension(gltf_builder *builder, const char *name)
{
    json_value *used = gltf_package_array(&builder->package, "extensionsUsed");
    if (!json_has_text(used, name))
        json_append(&builder->package.values, used, json_new_text(&builder->package.values, name));
}
