// SPDX-License-Identifier: MIT
// light_source -> shade_light. Cone falloff: KHR_lights_punctual, "Inner and outer cone angles".
#include "shade/light.h"

#include "base/dvec3.h"
#include "base/maths.h"

static double cosine(double radians)
{
    double s, c;
    maths_sincos_deg(radians * MATHS_DEG_FROM_RAD, &s, &c);
    return c;
}

double light_radius(const light_source *light, double scale)
{
    double s, c;
    if (light->kind != MODEL_LIGHT_DIRECTIONAL)
        return scale * light->size * 0.5;
    maths_sincos_deg(light->size * 0.5, &s, &c);
    return scale * s / c;
}

void shade_light_build(const light_source *source, shade_light *out)
{
    static const int32_t kinds[] = {
        [MODEL_LIGHT_DIRECTIONAL] = SHADE_LIGHT_DIRECTIONAL,
        [MODEL_LIGHT_POINT] = SHADE_LIGHT_POINT,
        [MODEL_LIGHT_SPOT] = SHADE_LIGHT_SPOT,
    };
    const double *d = source->direction;
    const double length = dvec3_length(dvec3_load(d));
    const double unit = length > 0.0 ? 1.0 / length : 0.0;
    *out = (shade_light){.kind = kinds[source->kind]};
    for (int i = 0; i < 3; i++) {
        out->axis[i] = (float)(d[i] * unit);
        out->to_light[i] = (float)(-d[i] * unit);
        out->position[i] = (float)source->position[i];
        out->radiance[i] = (float)(source->color[i] * source->intensity);
    }
    out->radius = (float)light_radius(source, 1.0);
    out->radius2 = source->of_surface ? out->radius * out->radius : 0.0f;
    if (source->range_m > 0.0)
        out->inv_range2 = (float)(1.0 / (source->range_m * source->range_m));
    if (source->kind == MODEL_LIGHT_SPOT) {
        const double cos_inner = cosine(source->inner_rad), cos_outer = cosine(source->outer_rad);
        const double width = cos_inner - cos_outer;
        const double scale = 1.0 / (width > 0.001 ? width : 0.001);
        out->spot_scale = (float)scale;
        out->spot_offset = (float)(-cos_outer * scale);
    }
}
