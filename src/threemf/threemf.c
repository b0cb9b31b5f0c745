// SPDX-License-Identifier: MIT
/// See threemf.h. Package -> model parts -> materials, meshes, nodes.
#include "threemf/threemf.h"

#include "threemf/threemf_parts.h"

#include <string.h>
#include <strings.h>

static zt_result report_losses(threemf_package *p, zt_error *err)
{
    const struct {
        bool applies;
        const char *what;
        message_weight weight;
    } parts[] = {
        {p->beams, "beam lattices are not shown", MESSAGE_UNSUPPORTED},
        {p->slices, "slices are not shown: their meshes are", MESSAGE_UNSUPPORTED},
        {p->volumes, "volumes are not shown: their meshes are", MESSAGE_UNSUPPORTED},
        {p->left_out & THREEMF_NEGATIVE, "negative volumes are not cut out", MESSAGE_UNSUPPORTED},
        {p->left_out & THREEMF_PAINT, "painted colours are not shown", MESSAGE_UNSUPPORTED},
        {p->left_out & THREEMF_FILAMENT, "colours of filaments are not shown", MESSAGE_UNSUPPORTED},
        {p->left_out & THREEMF_DRAFT, "colours of the draft of 2013 are left out",
         MESSAGE_UNSUPPORTED},
        {p->left_out & THREEMF_MODIFIER, "modifier volumes are left out", MESSAGE_WARNING},
        {p->left_out & THREEMF_SUPPORT, "supports are left out", MESSAGE_WARNING},
        {p->left_out & THREEMF_OTHER, "objects of type 'other' are left out", MESSAGE_WARNING}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].applies)
            ZT_TRY(model_message(&p->report, parts[i].weight, err, "%s", parts[i].what));
    ZT_TRY(model_warn_count(&p->report, p->lost_triangles,
                            "triangles have a corner that is not finite: left out", err));
    return p->model->mesh_count == 0 ? model_warn(&p->report, err, "there are no triangles")
                                     : ZT_OK;
}

static zt_result read_parts(threemf_package *p, zt_error *err)
{
    const char *root = "3D/3dmodel.model", *keys = NULL;
    ZT_TRY(threemf_find_related(p, "/keystore", &keys, err));
    if (keys || zip_find(&p->zip, "Secure/keystore.xml"))
        return zt_fail(err, ZT_ERR_UNSUPPORTED,
                       "%s: the package is encrypted (secure content), which is not read",
                       p->source->path);
    ZT_TRY(threemf_find_related(p, "/3dmodel", &root, err));
    threemf_add_part(p, root);
    for (uint32_t i = 0; i < p->part_count; i++) // parts name further ones
        ZT_TRY(threemf_read_part(p, i, err));
    ZT_TRY(threemf_index(p, err));
    return threemf_read_slicer(p, err);
}

static zt_result read_package(threemf_package *p, zt_error *err)
{
    bool taken;
    ZT_TRY(zip_open(&p->zip, err));
    ZT_TRY(ARENA_TAKE(p->scratch, &p->part, THREEMF_PARTS, "3MF", err));
    if (!hash_table_init(&p->parts, p->scratch, THREEMF_PARTS))
        return arena_fail(p->scratch, err, "3MF");
    ZT_TRY(threemf_take_picture(p, read_parts(p, err), &taken, err));
    ZT_TRY(threemf_make_materials(p, err));
    if (taken)
        threemf_place_picture(p);
    ZT_TRY(threemf_make_nodes(p, err));
    ZT_TRY(report_losses(p, err));
    return model_report_finish(&p->report, p->model, err);
}

static zt_result threemf_read(const model_source *source, zt_model *model, arena *scratch,
                              zt_error *err)
{
    threemf_package p = {.source = source,
                         .zip = {.path = source->path, .bytes = source->bytes, .a = scratch},
                         .model = model,
                         .keep = &model->arena,
                         .scratch = scratch,
                         .unit_m = 1e-3};
    ZT_TRY(model_report_begin(&p.report, source, &threemf_format, model, scratch, err));
    model->up = source->up ? source->up : UP_Z;
    return read_package(&p, err);
}

/// A ZIP archive whose list names a model part.
static bool recognise(const char *path, file_bytes bytes, size_t start)
{
    static const char part[] = ".model";
    (void)path;
    if (!file_starts_with(bytes, start, "PK\x03\x04"))
        return false;
    const size_t length = sizeof part - 1, from = bytes.size > 1 << 20 ? bytes.size - (1 << 20) : 0;
    for (size_t i = from; i + length <= bytes.size; i++)
        if (bytes.data[i] == '.' && strncasecmp((const char *)bytes.data + i, part, length) == 0)
            return true;
    return false;
}

const model_format threemf_format = {
    .name = "3MF",
    .noun = "a 3MF",
    .extensions = {{"3mf", "a ZIP archive with a 3D model part"}},
    .recognise = recognise,
    .read = threemf_read,
};
