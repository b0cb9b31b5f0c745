// SPDX-License-Identifier: MIT
/// See fbx.h. File -> tree -> objects -> nodes, materials, meshes, clips.
#include "fbx/fbx.h"

#include "fbx/fbx_parts.h"

#include <string.h>

/// Parts of the file that are not shown.
static zt_result report_losses(fbx_file *f, zt_error *err)
{
    static const char *const surfaces[] = {"NurbsSurface", "Nurb", "Patch", "TrimNurbsSurface"};
    const fbx_scene *s = &f->scene;
    ZT_TRY(model_warn_count(&f->report, f->lost_polygons,
                            "polygons have a corner that is no vertex, or not finite: left out",
                            err));
    if (f->lost_weights > 0)
        ZT_TRY(model_unsupported(&f->report, err,
                                 "more than 8 influences of a vertex: the 8 largest are kept"));
    for (size_t k = 0; k < sizeof surfaces / sizeof *surfaces; k++)
        for (uint32_t i = 0; i < s->object_count; i++)
            if (s->object[i].kind == FBX_GEOMETRY && strcmp(s->object[i].type, surfaces[k]) == 0) {
                ZT_TRY(model_unsupported(&f->report, err, "curved surfaces (%s) are not shown",
                                         surfaces[k]));
                break;
            }
    return f->model->mesh_count == 0 && f->model->camera_count == 0 && f->placed_count == 0
               ? model_warn(&f->report, err, "there are no models")
               : ZT_OK;
}

static zt_result parse(fbx_tree *tree, zt_error *err)
{
    tree->is_text = !file_starts_with(tree->bytes, 0, "Kaydara FBX Binary");
    if (tree->is_text)
        ZT_TRY(fbx_parse_text(tree, err));
    else
        ZT_TRY(fbx_parse_binary(tree, err));
    return tree->version >= FBX_OLDEST
               ? ZT_OK
               : zt_fail(err, ZT_ERR_UNSUPPORTED,
                         "%s: this FBX is older than version 6, which is not read (expected 6.0 "
                         "to 7.7: convert it with a later version of its program)",
                         tree->path);
}

static zt_result read_parts(fbx_file *f, zt_error *err)
{
    ZT_TRY(parse(&f->tree, err));
    ZT_TRY(fbx_scene_read(&f->tree, &f->scene, err));
    ZT_TRY(fbx_motion_read(&f->scene, &f->motion, err));
    ZT_TRY(fbx_place_models(f, err));
    ZT_TRY(fbx_make_materials(f, err));
    ZT_TRY(fbx_make_meshes(f, err));
    ZT_TRY(fbx_make_cameras(f, err));
    ZT_TRY(fbx_make_clips(f, err));
    f->model->nodes = f->nodes;
    f->model->node_count = f->node_count;
    ZT_TRY(report_losses(f, err));
    return model_report_finish(&f->report, f->model, err);
}

static zt_result fbx_read(const model_source *source, zt_model *model, arena *scratch,
                          zt_error *err)
{
    fbx_file f = {.source = source,
                  .tree = {.path = source->path, .bytes = source->bytes, .a = scratch},
                  .model = model,
                  .keep = &model->arena,
                  .scratch = scratch,
                  .lasting = scratch};
    ZT_TRY(model_report_begin(&f.report, source, &fbx_format, model, scratch, err));
    return read_parts(&f, err);
}

static bool recognise(const char *path, file_bytes bytes, size_t start)
{
    (void)path;
    return file_starts_with(bytes, start, "Kaydara FBX Binary") ||
           file_starts_with(bytes, start, "; FBX") ||
           file_starts_with(bytes, start, "FBXHeaderExtension");
}

const model_format fbx_format = {
    .name = "FBX",
    .noun = "an FBX",
    .extensions = {{"fbx", "'Kaydara FBX Binary' or '; FBX'"}},
    .recognise = recognise,
    .read = fbx_read,
};
