// SPDX-License-Identifier: MIT
/// The colour that a caller gives to what has no material.
#include "base/color_text.h"
#include "base/nearest_name.h"
#include "model/single_mesh.h"

#include <string.h>

zt_result model_check_color(const char *color, zt_error *err)
{
    double rgb[3];
    if (!color || color_from_text(color, rgb))
        return ZT_OK;
    return zt_fail(err, ZT_ERR_ARGUMENT, "color '%.80s' (expected " COLOR_TEXT_EXPECTED "%s)",
                   color, nearest_hint(color_nearest_name(color)).text);
}

static bool is_paintable(const model_material *m)
{
    return m->plain && !m->vertex_color && m->base_map.texture < 0;
}

static bool shows_paintable(const zt_model *model)
{
    for (uint32_t i = 0; i < model->mesh_count; i++)
        for (uint32_t k = 0; k < model->meshes[i].meshlet_count; k++)
            if (is_paintable(&model->materials[model->meshes[i].meshlets[k].material]))
                return true;
    return false;
}

zt_result model_paint(zt_model *model, const char *color, const message_sink *sink, zt_error *err)
{
    model_material *materials = (model_material *)(uintptr_t)model->materials; // being read
    double rgb[3];
    ZT_TRY(model_check_color(color, err));
    if (!color || !color_from_text(color, rgb))
        return ZT_OK;
    if (model->mesh_count > 0 && !shows_paintable(model))
        message_warn(sink,
                     "%s: all of it has materials or colours of its own: the color '%.80s' paints "
                     "nothing (expected 'materials' in a scene, or --look)",
                     model->path, color);
    for (uint32_t i = 0; i < model->material_count; i++) {
        model_material *m = &materials[i];
        if (!is_paintable(m))
            continue;
        const model_material paint =
            single_mesh_material((float[3]){(float)rgb[0], (float)rgb[1], (float)rgb[2]}, false);
        memcpy(m->base_color, paint.base_color, sizeof m->base_color);
        m->metallic = paint.metallic;
        m->roughness = paint.roughness;
    }
    return ZT_OK;
}
