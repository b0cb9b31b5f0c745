// SPDX-License-Identifier: MIT
#include "obj/obj.h"

#include "mesh/tangents.h"
#include "model/single_mesh.h"
#include "obj/obj_file.h"

#include <math.h>

static const model_axes axes = {.up = UP_Y, .unit_m = 1.0};

enum { LOOKED_AT = 1 << 16 }; // bytes

static zt_result report_losses(const obj_file *f, bool made_normals, model_report *report,
                               zt_error *err)
{
    ZT_TRY(model_warn_count(report, f->lost,
                            "faces have a corner that is no vertex, or not finite: left out", err));
    ZT_TRY(model_warn_count(report, f->thin, "faces have too few corners: left out", err));
    if (f->skipped)
        ZT_TRY(model_unsupported(report, err, "free-form curves and surfaces (%s) are not shown",
                                 f->skipped));
    if (made_normals)
        ZT_TRY(model_note(report, err, "some corners have no normal: all are made"));
    return f->polygon_count == 0 ? model_warn(report, err, "there are no faces, lines or points")
                                 : ZT_OK;
}

/// A file of vertices alone is a cloud of points.
static zt_result add_points(obj_file *f, zt_error *err)
{
    uint32_t count = 0;
    if (f->polygon_count > 0 || f->lost > 0 || f->thin > 0 || f->position_count == 0)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE_RAW(f->a, &f->corner, f->position_count, "points", err));
    ZT_TRY(ARENA_TAKE(f->a, &f->polygon, 1, "points", err));
    for (uint32_t v = 0; v < f->position_count; v++)
        if (!isnan(f->position[v][0]))
            f->corner[count++] = (obj_corner){(int32_t)v, -1, -1};
    f->polygon[0] = (obj_polygon){.count = count, .kind = PRIMITIVE_POINT};
    f->corner_count = count;
    f->polygon_count = count > 0;
    return ZT_OK;
}

typedef struct obj_reader {
    const model_source *source;
    obj_file file;
    model_report report;
} obj_reader;

static zt_result read_and_build(obj_reader *r, zt_model *model, arena *scratch, zt_error *err)
{
    const file_bytes bytes = r->source->bytes;
    const char *begin = (const char *)bytes.data;
    text_scan text = {r->source->path, begin, begin, begin + bytes.size, err};
    mesh_source mesh;
    bool made_normals;
    single_mesh one = {.mesh = &mesh, .axes = axes};
    ZT_TRY(obj_parse(&text, &r->file));
    model_source_drop_bytes(r->source);
    ZT_TRY(add_points(&r->file, err));
    ZT_TRY(obj_build(r->source->pool, &r->file, r->source->at_origin, &mesh, &made_normals, err));
    r->file.blends = single_mesh_blends(&mesh);
    ZT_TRY(report_losses(&r->file, made_normals, &r->report, err));
    ZT_TRY(
        obj_make_materials(&r->file, r->source, &r->report, model, scratch, &one.materials, err));
    one.material_count = r->file.material_count + (mesh.kind != NULL);
    if (r->source->tangents || model_wants_tangents(one.materials, one.material_count))
        ZT_TRY(tangents_generate(r->source->pool, r->file.a, &mesh, err));
    ZT_TRY(single_mesh_build(r->source, &one, model, scratch, err));
    return model_report_finish(&r->report, model, err);
}

static zt_result obj_read(const model_source *source, zt_model *model, arena *scratch,
                          zt_error *err)
{
    obj_reader r = {.source = source, .file = {.a = scratch, .limits = scratch->budget->limits}};
    ZT_TRY(model_report_begin(&r.report, source, &obj_format, model, scratch, err));
    return read_and_build(&r, model, scratch, err);
}

/// A line "v X Y Z" of a text file. Comments, names and libraries of materials come before it.
static bool has_vertex(file_bytes bytes, size_t start)
{
    const size_t end = bytes.size < LOOKED_AT ? bytes.size : LOOKED_AT;
    bool line_start = true;
    for (size_t i = start; i + 2 < end; i++) {
        const uint8_t c = bytes.data[i], after = bytes.data[i + 2];
        if (c == 0)
            return false; // no text
        if (line_start && c == 'v' && (bytes.data[i + 1] == ' ' || bytes.data[i + 1] == '\t') &&
            (after == '-' || after == '.' || after == ' ' || (after >= '0' && after <= '9')))
            return true;
        line_start = c == '\n' || c == '\r';
    }
    return false;
}

static bool recognise(const char *path, file_bytes bytes, size_t start)
{
    return has_vertex(bytes, start) || (has_suffix(path, ".obj") && start < bytes.size);
}

const model_format obj_format = {
    .name = "OBJ",
    .noun = "an OBJ",
    .extensions = {{"obj", "lines such as 'v 0 0 0'"}},
    .recognise = recognise,
    .read = obj_read,
};
