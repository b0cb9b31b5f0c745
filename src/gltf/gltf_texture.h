// SPDX-License-Identifier: MIT
/// Textures that the materials of a glTF file use.
#pragma once

#include "gltf/gltf_file.h"
#include "model/model.h"
#include "model/texture_pack.h"

typedef struct gltf_sampler_modes {
    model_filter mag, min;
    model_mip_filter mip;
    mipmap_wrap wrap_u, wrap_v;
} gltf_sampler_modes;

/// A texture to be made: an image seen through a sampler, for one kind of data.
typedef struct gltf_texture {
    uint32_t image; ///< the first of the same bytes, which are decoded once
    uint32_t named; ///< the one that the file names: masks of others have other cutoffs
    gltf_sampler_modes modes;
    mipmap_content content;
    bool shaded;      ///< a map that is shaded shows it; otherwise it is only measured
    int32_t fallback; ///< the image to use when this one is missing or broken, -1 for none
    int32_t next;     ///< the next texture of the same image, -1 for none
    int32_t next_named;
    int32_t final;   ///< index in the model once built, -1 when its image is missing or broken
    texture_use use; ///< as far as the materials tell
    picture picture; ///< while the file is read; width 0: it is not kept
    model_texture made;
} gltf_texture;

typedef struct gltf_textures {
    gltf_texture *texture; ///< [capacity]
    uint32_t count, capacity;
    uint32_t *same;           ///< [images] the first of the same file or buffer view
    int32_t *image_first;     ///< [images] head of the chain of its textures, -1 for none
    int32_t *named_first;     ///< [images] that of `next_named`
    bool skip;                ///< no primitive shows the material that is being read
    bool measure;             ///< nothing shades the map that is being read
    const picture **pictures; ///< [textures of the model] for model_pack_textures()
} gltf_textures;

/// Sets of texture coordinates that are read. The maps of a material use up to two of them.
enum { GLTF_UV_SETS = 8 };
extern const char *const gltf_uv_names[GLTF_UV_SETS];

/// Finds images that are the same, which are decoded once.
zt_result gltf_find_images(gltf_file *file, gltf_textures *textures);
/// Registers texture `index` of the file as a map; out->texture: see gltf_read_slot().
zt_result gltf_register_map(gltf_file *file, gltf_textures *textures, int32_t index,
                            mipmap_content content, model_slot *out);
/// Reads a textureInfo and registers its texture; out->texture is its index in `textures`, or -1
/// when it has no image. gltf_build_textures() later makes it, or drops it from every material.
zt_result gltf_read_slot(gltf_file *file, gltf_textures *textures, const json_pointer *material,
                         const char *key, mipmap_content content, model_slot *out,
                         json_pointer *out_info);
