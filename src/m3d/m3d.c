// SPDX-License-Identifier: MIT
/// Reader of .m3d: text -> m3d_file (m3d_parse.c) -> our space (m3d_space.c) -> zt_model.
#include "m3d/m3d.h"

#include "m3d/m3d_file.h"
#include "model/single_mesh.h"

// One warning for each kind of repair.
static zt_result report_repairs(const m3d_repairs *repairs, model_report *report, zt_error *err)
{
    ZT_TRY(model_warn_count(report, repairs->weights_scaled,
                            "vertices have weights that do not sum to 1: renormalised", err));
    ZT_TRY(model_warn_count(report, repairs->weights_missing,
                            "vertices have no weight at all: bound to bone 0", err));
    ZT_TRY(model_warn_count(report, repairs->normals_missing,
                            "normals have length 0: replaced by those of the triangles", err));
    ZT_TRY(model_warn_count(report, repairs->keys_repeated,
                            "key frames repeat the time of the one before, which they replace",
                            err));
    ZT_TRY(model_warn_count(report, repairs->faces_dropped, "triangles are in no subset: left out",
                            err));
    ZT_TRY(model_warn_count(report, repairs->materials_clamped,
                            "materials have values outside 0 to 1: clamped", err));
    ZT_TRY(model_warn_count(report, repairs->offsets_projective,
                            "bone offsets have a last column other than 0 0 0 1: ignored", err));
    // The book's soldier has some. The picture does not show the difference.
    if (repairs->tangents_missing > 0)
        ZT_TRY(model_note(report, err,
                          "%llu tangents have length 0: replaced by any at a right angle",
                          (unsigned long long)repairs->tangents_missing));
    return ZT_OK;
}

static zt_result build_mesh(const m3d_file *file, zt_model *model, arena *scratch, zt_error *err)
{
    const mesh_source source = {.name = "mesh",
                                .vertex_count = file->vertex_count,
                                .position = file->position,
                                .attributes = file->attributes,
                                .tangent_w = file->tangent_w,
                                .joints = file->joints,
                                .weights = file->weights,
                                .triangle_count = file->triangle_count,
                                .corner = file->corner,
                                .material = file->material};
    return single_mesh_set(NULL, &source, model, scratch, err);
}

static zt_result m3d_read(const model_source *source, zt_model *model, arena *scratch,
                          zt_error *err)
{
    const char *begin = (const char *)source->bytes.data;
    text_scan text = {source->path, begin, begin, begin + source->bytes.size, err};
    model_report report;
    m3d_file file = {0};
    ZT_TRY(model_report_begin(&report, source, &m3d_format, model, scratch, err));
    ZT_TRY(m3d_parse(&text, &model->arena, scratch, &file));
    const bool mirrored = m3d_to_right_handed(&file, source->m3d.handedness);
    message_note(&source->sink, "%s: %s-handed (%s)", source->path, mirrored ? "left" : "right",
                 source->m3d.handedness ? "as asked for" : "by its triangles and normals");
    // The front at -z of the file is at -Z here, or, mirrored, at +Z.
    if (!mirrored && source->m3d.turn_front)
        m3d_turn(&file);
    model->faces_back = !mirrored && !source->m3d.turn_front;
    ZT_TRY(m3d_complete_frames(&file, scratch, err));
    ZT_TRY(report_repairs(&file.repairs, &report, err));

    model->mirrored = mirrored;
    ZT_TRY(build_mesh(&file, model, scratch, err));
    ZT_TRY(m3d_build_skeleton(&file, model, scratch, &report, err));
    ZT_TRY(m3d_build_materials(&file, source, model, scratch, &report, err));
    return model_report_finish(&report, model, err);
}

static bool recognise(const char *path, file_bytes bytes, size_t start)
{
    (void)path;
    return start < bytes.size && bytes.data[start] == '*';
}

const model_format m3d_format = {
    .name = "m3d",
    .noun = "an .m3d",
    .extensions = {{"m3d", "the title '***m3d-File-Header***' of the book's text format"}},
    .recognise = recognise,
    .read = m3d_read,
};
