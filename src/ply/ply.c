// SPDX-License-Identifier: MIT
#include "ply/ply.h"

#include "model/file_textures.h"
#include "model/single_mesh.h"
#include "ply/ply_build.h"

#include <string.h>
#include <strings.h>

static const model_axes axes = {.up = UP_Y, .unit_m = 1.0};

static zt_result report_losses(const ply_mesh *m, const ply_losses *losses, model_report *report,
                               zt_error *err)
{
    ZT_TRY(model_warn_count(report, losses->faces,
                            "polygons have a corner that is no vertex, or not finite: left out",
                            err));
    ZT_TRY(model_warn_count(report, losses->thin,
                            "polygons have fewer than three corners: left out", err));
    ZT_TRY(model_warn_count(report, losses->points, "points are not finite: left out", err));
    ZT_TRY(model_warn_count(report, m->long_lines,
                            "lines have more values than the header says: these are not read",
                            err));
    if (losses->normals)
        ZT_TRY(model_warn(report, err, "some normals have no length: all are made anew"));
    if (losses->colors)
        ZT_TRY(model_warn(report, err, "faces and vertices have colours: those of %s are shown",
                          losses->colors));
    if (m->vertex_count == 0)
        ZT_TRY(model_warn(report, err, "there are no vertices"));
    return ZT_OK;
}

typedef struct ply_reader {
    const model_source *source;
    ply_header header;
    ply_mesh mesh;
    model_report report;
} ply_reader;

/// The material of each texture, and where faces say theirs, one without. *out_count: 1 or more.
static zt_result make_materials(ply_reader *r, const model_material *plain, file_textures *textures,
                                model_material **out, uint32_t *out_count, zt_error *err)
{
    const bool has_uv = r->mesh.has_uv || r->mesh.corner_uv;
    const uint32_t named = r->mesh.texture ? r->mesh.texture_count : r->mesh.texture_count > 0;
    *out_count = r->mesh.texture ? named + 1 : 1;
    ZT_TRY(ARENA_TAKE(r->mesh.a, out, *out_count, "materials", err));
    for (uint32_t i = 0; i < *out_count; i++) {
        model_material *m = &(*out)[i];
        *m = *plain;
        m->number = i;
        if (i < named && has_uv)
            ZT_TRY(file_textures_bind(textures,
                                      (texture_files){.name = r->header.texture[i], .other = ""},
                                      MIPMAP_COLOR, "the mesh", &m->base_map, err));
        for (int k = 0; k < 3 && m->base_map.texture >= 0; k++)
            m->base_color[k] = 1.0f;
    }
    return ZT_OK;
}

static zt_result read_and_build(ply_reader *r, zt_model *model, arena *scratch, zt_error *err)
{
    const model_source *source = r->source;
    mesh_source mesh;
    ply_losses losses;
    file_textures textures;
    ZT_TRY(ply_header_read(source->path, source->bytes, scratch, &r->header, err));
    ZT_TRY(model_warn_count(&r->report, r->header.unknown,
                            "lines of the header are not known: not read", err));
    ZT_TRY(ply_mesh_read(source->path, source->bytes, &r->header, &r->mesh, err));
    model_source_drop_bytes(source);
    ZT_TRY(ply_build(r->source->pool, source->at_origin, &r->mesh, &mesh, &losses, err));
    ZT_TRY(report_losses(&r->mesh, &losses, &r->report, err));
    model_material material = single_mesh_no_material(mesh.extra != NULL), *all;
    single_mesh one = {.mesh = &mesh, .axes = axes};
    material.alpha = single_mesh_blends(&mesh) ? MODEL_BLEND : MODEL_OPAQUE;
    if (mesh.kind && !r->mesh.has_normals)
        material.unlit = material.without_normals = true;
    ZT_TRY(file_textures_init(&textures, source, &model->arena, &r->report, r->mesh.texture_count,
                              scratch, err));
    ZT_TRY(make_materials(r, &material, &textures, &all, &one.material_count, err));
    one.materials = all;
    ZT_TRY(single_mesh_build(source, &one, model, scratch, err));
    ZT_TRY(file_textures_keep(&textures, model, err));
    return model_report_finish(&r->report, model, err);
}

static zt_result ply_read_model(const model_source *source, zt_model *model, arena *scratch,
                                zt_error *err)
{
    ply_reader *r;
    ZT_TRY(ARENA_TAKE(scratch, &r, 1, "a PLY", err));
    *r = (ply_reader){.source = source, .mesh = {.a = scratch, .limits = scratch->budget->limits}};
    ZT_TRY(model_report_begin(&r->report, source, &ply_format, model, scratch, err));
    return read_and_build(r, model, scratch, err);
}

static bool recognise(const char *path, file_bytes bytes, size_t start)
{
    const char *text = (const char *)bytes.data;
    (void)path;
    return start == 0 && bytes.size >= 4 && strncasecmp(text, "ply", 3) == 0 &&
           (text[3] == '\n' || text[3] == '\r' || text[3] == ' ');
}

const model_format ply_format = {
    .name = "PLY",
    .noun = "a PLY",
    .extensions = {{"ply", "the line ply"}},
    .recognise = recognise,
    .read = ply_read_model,
};
