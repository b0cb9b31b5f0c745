// SPDX-License-Identifier: MIT
/// Names of a scene and their ids in planes of Cryptomatte (specification 1.2.0).
///
/// Objects and bones have the name of their node ("node 3" without one), behind that of the model
/// and a slash where the scene has several ("model 1" without one); materials have theirs
/// ("material 2"); the ground is "ground". Equal names are one matte; long ones are cut.
#pragma once

#include "image/picture_planes.h"
#include "scene/scene.h"
#include "shade/shade_loops.h"

enum { CRYPTO_NAME_MAX = 1000 };

typedef struct crypto_name {
    const char *name;
    uint32_t id; ///< MurmurHash3_x86_32 without patterns of NaN, infinities, 0 and denormals
} crypto_name;

typedef struct crypto_names {
    crypto_name *list; ///< [count], each name once: for the manifest
    uint32_t count;
    uint32_t **id; ///< [instance][node or material]
    uint32_t ground;
} crypto_names;

/// The names of one of the planes of Cryptomatte. MEMORY, LIMIT.
zt_result crypto_names_build(const zt_scene *scene, picture_plane plane, arena *a,
                             crypto_names *out, zt_error *err);
/// Gives `def` the texts that a file with the planes of Cryptomatte in `planes` needs, which live
/// in `a`: without such planes none. MEMORY, LIMIT.
zt_result crypto_texts_make(const zt_scene *scene, uint32_t planes, arena *a, zt_encode_def *def,
                            zt_error *err);
