// SPDX-License-Identifier: MIT
/// The input of a reader of model files.
#pragma once

#include "base/file_supply.h"
#include "base/jobs.h"
#include "model/up_axis.h"
#include "texture/texture_file.h"

#include <zoetrope/zoetrope.h>

/// Choices that an .m3d leaves open, as its reader shall take it.
typedef struct m3d_choices {
    int handedness;  ///< 'l' or 'r'; 0: by its triangles and normals
    bool turn_front; ///< a front at -Z is turned to +Z
} m3d_choices;

typedef struct model_source {
    const char *path;   ///< for messages, and to find files in its folder
    size_t root_length; ///< of `path`: the folder that names in the file do not lead out of
    bool follow_links;  ///< those in `texture_dir` may lead anywhere
    file_bytes bytes;
    arena *file;              ///< has the bytes alone; NULL: it has others, too
    file_supply *supply;      ///< of the files that a model in memory names; NULL: from folders
    const char *texture_dir;  ///< NULL for none
    const char *variant;      ///< of materials, by name; NULL: the file's default
    job_pool *pool;           ///< for loops over what is read; NULL: this thread alone
    int32_t texture_min_side; ///< textures may be reduced to this side (picture_reduction); 0: not
    /// Joined maps (texture_pack.h) need no mip chains: their textures have no texels.
    bool joined_maps;
    bool first_person;    ///< of VRM: what the person itself sees of its body
    bool package_picture; ///< as in zt_load_def
    bool no_textures;     ///< the model has none; meshes are as with them
    bool keep_embedded;   ///< textures inside of the file keep its bytes, to be written again
    hash_sum *inputs;     ///< gets the files that the model names; NULL: nothing does
    message_sink sink;
    bool tangents;       ///< also for materials that need none by themselves
    bool at_origin;      ///< models far from the origin of their file are moved there
    bool only_triangles; ///< points and lines become triangles, for formats that have only these
    m3d_choices m3d;
    const char *color; ///< of what has no material, by model_paint(); NULL: as it is
    model_up up;       ///< for formats that do not say; UP_AS_IS: the format's rule
    int32_t unit_um;   ///< micrometres, for formats that do not say; 0: the format's rule
} model_source;

/// Gives the memory of the bytes back: for readers that have read them and go on to take more.
static inline void model_source_drop_bytes(const model_source *source)
{
    if (source->file)
        arena_finish(source->file);
}

/// NULL, or a text of a colour. ZT_ERR_ARGUMENT.
zt_result model_check_color(const char *color, zt_error *err);
/// Paints what has neither a material in the file nor a texture nor colours of vertices:
/// dielectric, with the roughness of single_mesh_material(). Warns where nothing is so. `color`:
/// NULL changes nothing.
zt_result model_paint(zt_model *model, const char *color, const message_sink *sink, zt_error *err);

/// Where the textures of a model are.
static inline texture_origin model_texture_origin(const model_source *source)
{
    return (texture_origin){source->path,   source->root_length, source->texture_dir,
                            source->inputs, source->supply,      source->follow_links};
}
