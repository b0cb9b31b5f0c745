// SPDX-License-Identifier: MIT
#include "stl/stl.h"

#include "mesh/smooth_normals.h"
#include "model/model_report.h"
#include "model/single_mesh.h"
#include "stl/stl_soup.h"

static const model_axes axes = {.up = UP_Z, .unit_m = 0.001};

static zt_result read_soup(const model_source *source, stl_soup *soup, zt_error *err)
{
    const char *begin = (const char *)source->bytes.data;
    size_t start = 0;
    while (start < source->bytes.size && text_is_space(begin[start]))
        start++;
    if (stl_is_binary(source->bytes) || !stl_is_text(source->bytes, start))
        return stl_read_binary(source->pool, source->bytes, soup, err);
    text_scan text = {source->path, begin, begin, begin + source->bytes.size, err};
    return stl_read_text(&text, source->at_origin, soup);
}

static zt_result report_soup(const stl_soup *soup, model_report *report, zt_error *err)
{
    ZT_TRY(model_warn_count(report, soup->points.lost,
                            "triangles have corners that are not finite: left out", err));
    if (soup->header_says_none)
        ZT_TRY(model_warn(report, err,
                          "the file says that it has 0 triangles, and has %u: they are read",
                          soup->count));
    ZT_TRY(model_warn_count(report, soup->trailing, "bytes behind the last triangle are not read",
                            err));
    return soup->count == 0 ? model_warn(report, err, "there are no triangles") : ZT_OK;
}

/// The colour of each vertex: all its triangles have the same.
static zt_result set_colors(const stl_soup *soup, const float object[3], mesh_source *mesh,
                            zt_error *err)
{
    if (!soup->color)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE(soup->a, &mesh->extra, mesh->vertex_count, "colours", err));
    for (size_t c = 0; c < 3 * (size_t)soup->count; c++) {
        const uint32_t color = soup->color[c / 3];
        vertex_extra *to = &mesh->extra[mesh->corner[c]];
        const uint32_t part[3] = {(color - 1) >> 10, (color - 1) >> 5 & 31, (color - 1) & 31};
        float linear[3];
        for (int k = 0; k < 3; k++)
            linear[k] = color == 0 ? object[k] : (float)srgb_decode((double)part[k] / 31.0);
        *to = (vertex_extra){.r = linear[0], .g = linear[1], .b = linear[2], .a = 1.0f};
    }
    return ZT_OK;
}

static zt_result build(const model_source *source, const stl_soup *soup, zt_model *model,
                       arena *scratch, zt_error *err)
{
    float object[3];
    for (int k = 0; k < 3; k++)
        object[k] = soup->has_object_color
                        ? (float)srgb_decode((double)soup->object_color[k] / 255.0)
                        : single_mesh_plain[k];
    mesh_source mesh = {.name = soup->name,
                        .vertex_count = soup->points.count,
                        .position = soup->points.point,
                        .middle = soup->middle,
                        .triangle_count = soup->count,
                        .corner = soup->corner,
                        .keep = &model->arena};
    const smooth_rule rule = {.point_count = soup->points.count, .part = soup->color};
    ZT_TRY(mesh_smooth_normals(source->pool, scratch, &mesh, &rule, err));
    ZT_TRY(set_colors(soup, object, &mesh, err));
    model_material material = single_mesh_material(object, soup->color != NULL);
    material.plain = !soup->has_object_color;
    const single_mesh one = {
        .mesh = &mesh, .axes = axes, .materials = &material, .material_count = 1};
    return single_mesh_build(source, &one, model, scratch, err);
}

static zt_result stl_read(const model_source *source, zt_model *model, arena *scratch,
                          zt_error *err)
{
    model_report report;
    stl_soup soup = {
        .a = scratch, .limits = scratch->budget->limits, .path = source->path, .name = ""};
    ZT_TRY(model_report_begin(&report, source, &stl_format, model, scratch, err));
    ZT_TRY(read_soup(source, &soup, err));
    ZT_TRY(stl_soup_weld(source->pool, &soup, err));
    model_source_drop_bytes(source);
    ZT_TRY(report_soup(&soup, &report, err));
    ZT_TRY(build(source, &soup, model, scratch, err));
    return model_report_finish(&report, model, err);
}

/// The header of a binary file may begin with "solid", too.
static bool recognise(const char *path, file_bytes bytes, size_t start)
{
    return stl_is_binary(bytes) || stl_is_text(bytes, start) || has_suffix(path, ".stl");
}

const model_format stl_format = {
    .name = "STL",
    .noun = "an STL",
    .extensions = {{"stl", "the word solid, or 84 bytes and 50 for each triangle"}},
    .recognise = recognise,
    .read = stl_read,
};
