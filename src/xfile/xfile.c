// SPDX-License-Identifier: MIT
/// See xfile.h. File -> tree -> nodes, materials, meshes, clips.
#include "xfile/xfile.h"

#include "xfile/xfile_parts.h"

static zt_result report_losses(xfile_reader *r, zt_error *err)
{
    ZT_TRY(model_warn_count(&r->report, r->lost_faces,
                            "faces have a corner that is no vertex, or not finite: left out", err));
    if (r->lost_weights > 0)
        ZT_TRY(model_unsupported(&r->report, err,
                                 "more than 8 influences of a vertex: the 8 largest are kept"));
    return r->mesh_count == 0 ? model_warn(&r->report, err, "there are no meshes") : ZT_OK;
}

static zt_result read_parts(xfile_reader *r, zt_error *err)
{
    ZT_TRY(xfile_open(&r->tree, r->source->bytes, err));
    ZT_TRY(xfile_parse(&r->tree, err));
    ZT_TRY(xfile_make_nodes(r, err));
    ZT_TRY(xfile_make_materials(r, err));
    ZT_TRY(xfile_make_meshes(r, err));
    ZT_TRY(xfile_make_clips(r, err));
    // A node with keys is T R S.
    for (uint32_t i = 0; i < r->model->clip_count; i++)
        for (uint32_t k = 0; k < r->model->clips[i].channel_count; k++)
            r->nodes[r->model->clips[i].channels[k].node].has_matrix = false;
    r->model->nodes = r->nodes;
    r->model->exact = r->source->at_origin ? r->exact : NULL;
    r->model->node_count = r->node_count;
    ZT_TRY(report_losses(r, err));
    return model_report_finish(&r->report, r->model, err);
}

static zt_result xfile_read(const model_source *source, zt_model *model, arena *scratch,
                            zt_error *err)
{
    xfile_reader r = {.source = source,
                      .tree = {.path = source->path, .a = scratch},
                      .model = model,
                      .keep = &model->arena,
                      .scratch = scratch};
    model->mirrored = true;
    ZT_TRY(model_report_begin(&r.report, source, &xfile_format, model, scratch, err));
    return read_parts(&r, err);
}

static bool recognise(const char *path, file_bytes bytes, size_t start)
{
    (void)path;
    return start == 0 && file_starts_with(bytes, 0, "xof ");
}

const model_format xfile_format = {
    .name = "DirectX .x",
    .noun = "a .x",
    .extensions = {{"x", "'xof 0303txt 0032'"}},
    .recognise = recognise,
    .read = xfile_read,
};
