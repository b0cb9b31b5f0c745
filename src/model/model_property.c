// SPDX-License-Identifier: MIT
/// Default values of materials, and what follows from their factors; see model_property.h.
#include "model/model_property.h"

#include "base/maths.h"
#include "model/model.h"

#include <string.h>

#define DIELECTRIC_IOR 1.5f
#define DIELECTRIC_F0  0.04f // of that index, as glTF rounds it

void model_properties_set(const model_property *properties, uint32_t count,
                          const model_property_value *values, model_owner owner, uint32_t index,
                          void *object)
{
    for (uint32_t i = 0; i < count; i++) {
        const model_property *p = &properties[i];
        if (p->owner == owner && p->index == index)
            memcpy((char *)object + p->offset, values[i], p->width * sizeof(float));
    }
}

/// KHR_texture_transform: uv' = offset + R * scale * uv with R = (cos sin; -sin cos), v downwards.
static void derive_uv_matrix(model_slot *slot)
{
    float sine, cosine;
    if (!slot->transformed)
        return;
    maths_sincos(slot->uv_rotation_rad, &sine, &cosine);
    const float *scale = slot->scale;
    const float uv[6] = {cosine * scale[0], sine * scale[1],   slot->offset[0],
                         -sine * scale[0],  cosine * scale[1], slot->offset[1]};
    memcpy(slot->uv_from_uv, uv, sizeof uv);
}

/// Reflectance at normal incidence of an index n: ((n - 1) / (n + 1))^2. 0 stands for infinite.
static float reflectance(float ior)
{
    const float ratio = (ior - 1.0f) / (ior + 1.0f);
    return ior < DIELECTRIC_IOR || ior > DIELECTRIC_IOR ? ratio * ratio : DIELECTRIC_F0;
}

int model_tangent_uv_set(const model_material *m)
{
    int set = m->normal_map.texture >= 0 ? m->normal_map.uv_set : -1;
    // A clip may raise a strength: what counts is that the file has the extension.
    for (int x = 0; x < MATERIAL_EXTENSION_COUNT && set < 0; x++)
        if (m->extensions.present >> x & 1u)
            set = material_extension_tangents(&material_extension_table[x], &m->extensions);
    return set;
}

bool model_wants_tangents(const model_material *materials, uint32_t count)
{
    bool wanted = false;
    for (uint32_t i = 0; i < count; i++)
        wanted = wanted || model_tangent_uv_set(&materials[i]) >= 0;
    return wanted;
}

// clang-format off
model_material model_material_default(void)
{
    const model_slot empty = model_slot_empty();
    return (model_material){
        .name = "",
        .base_color = {1.0f, 1.0f, 1.0f, 1.0f},
        .metallic = 1.0f,
        .roughness = 1.0f,
        .f0 = {DIELECTRIC_F0, DIELECTRIC_F0, DIELECTRIC_F0},
        .specular = 1.0f,
        .emissive_strength = 1.0f,
        .ior = DIELECTRIC_IOR,
        .specular_color = {1.0f, 1.0f, 1.0f},
        .normal_scale = 1.0f,
        .occlusion_strength = 1.0f,
        .base_map = empty,
        .metal_rough_map = empty,
        .normal_map = empty,
        .occlusion_map = empty,
        .emissive_map = empty,
        .specular_map = empty,
        .specular_color_map = empty,
        .alpha = MODEL_OPAQUE,
        .alpha_cutoff = 0.5f,
        .uv_from = {0, 1},
        .extensions = material_extensions_none(),
    };
}
// clang-format on

void model_material_derive(model_material *m)
{
    model_slot *const slots[] = {&m->base_map,          &m->metal_rough_map, &m->normal_map,
                                 &m->occlusion_map,     &m->emissive_map,    &m->specular_map,
                                 &m->specular_color_map};
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        derive_uv_matrix(slots[i]);
    for (int i = 0; i < MATERIAL_EXTENSION_MAP_COUNT; i++)
        derive_uv_matrix(&m->extensions.map[i]);
    for (int i = 0; i < 3; i++)
        m->emissive[i] = m->emissive_factor[i] * m->emissive_strength;
    if (m->glossy) { // whose reflectance is the file's own
        m->roughness = 1.0f - m->glossiness;
        return;
    }
    for (int i = 0; i < 3; i++)
        m->f0[i] = reflectance(m->ior) * m->specular_color[i];
}

bool model_material_is_hidden(const model_material *m)
{
    const float alpha = m->base_color[3]; // colours of vertices may be above 1
    return (m->alpha == MODEL_BLEND && !(alpha > 0.0f)) ||
           (m->alpha == MODEL_MASK && alpha < m->alpha_cutoff &&
            !(m->vertex_color && alpha > 0.0f));
}
