// SPDX-License-Identifier: MIT
/// Numbers of materials, lights, cameras that clips move (KHR_animation_pointer), and what follows.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model_material;

typedef enum model_owner {
    MODEL_OWNER_MATERIAL,
    MODEL_OWNER_LIGHT,
    MODEL_OWNER_CAMERA,
    MODEL_OWNER_NODE,
    MODEL_OWNER_EXPRESSION,
    MODEL_OWNER_COUNT
} model_owner;

enum { MODEL_PROPERTY_LIMIT = 4096, MODEL_PROPERTY_WIDTH = 4 };

typedef struct model_property {
    model_owner owner;
    uint32_t index; ///< of the owner among the model's
    size_t offset;  ///< of the first of its floats in the owner's struct
    uint32_t width; ///< 1 to MODEL_PROPERTY_WIDTH
    float min, max; ///< of each float; keys may lead beyond, what is shown does not
} model_property;

/// The values of all properties at a time.
typedef float model_property_value[MODEL_PROPERTY_WIDTH];

/// Puts the values of one owner into `object`, a copy of its struct.
void model_properties_set(const model_property *properties, uint32_t count,
                          const model_property_value *values, model_owner owner, uint32_t index,
                          void *object);
/// Computes what follows from the factors of a material as a glTF file gives them: reflectance,
/// emitted light, roughness, the matrices of texture transforms.
void model_material_derive(struct model_material *m);
/// True where the factor of its alpha lets nothing show, whatever its map and vertices have.
bool model_material_is_hidden(const struct model_material *m);
