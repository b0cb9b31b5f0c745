// SPDX-License-Identifier: MIT
// Traits of a job's material and frame choose the code that shades it. The most common sets of
// traits are compiled as loops of their own (shade.inl), in which they are constants.

/// Where a map's texels come from.
enum { SHADE_ABSENT, SHADE_PACKED, SHADE_SEPARATE };

/// The properties of a job that choose its code. Bytes only: memcmp compares two.
typedef struct shade_traits {
    surface_needs needs;
    uint8_t source[SHADE_MAP_COUNT];
    shade_sampling sampling;  ///< of packed maps
    bool packed, transformed; ///< some maps are packed; their coordinates are transformed
    bool two_channel, vertex_color, double_sided, dielectric_grey, orthographic;
    bool normal_scaled;  ///< normal_scale is not 1
    bool emits;          ///< emission, with or without a map
    bool dim_dielectric; ///< dielectric_f90 is not 1
    bool glossy, unlit, blended;
    bool emissive_occlusion_packed; ///< emission or occlusion has packed texels
    bool object_space, wrinkled;    ///< normals.inl
    bool transmits;                 ///< transmission.inl
    bool environment;               ///< of the frame
    bool closure;                   ///< shaded by bsdf.inl; otherwise by brdf.inl
    bool places;                    ///< the base alone looks the environment up: surround_places
    bsdf_kinds lobes;
    bool occluded;              ///< ambient light is, occlusion_light.inl
    bool specular_antialiasing; ///< of the frame
    uint8_t look;               ///< shade_material.look
    bool clay, wireframe;       ///< the same
} shade_traits;

/// Any of the packed maps: they have the same coordinates.
static const shade_map *shade_packed_map(const shade_material *m)
{
    return &m->map[__builtin_ctz(m->packed_maps)];
}

static shade_traits shade_traits_of(const shade_frame *frame, const shade_material *m)
{
    shade_traits t = {
        .needs = surface_needs_of(m),
        .packed = m->packed != NULL,
        .two_channel =
            m->map[SHADE_MAP_NORMAL].texture && m->map[SHADE_MAP_NORMAL].texture->two_channel,
        .vertex_color = m->vertex_color,
        .double_sided = m->double_sided,
        .dielectric_grey = m->f0[0] == m->f0[1] && m->f0[1] == m->f0[2] &&
                           !m->map[SHADE_MAP_SPECULAR_COLOR].texture,
        .orthographic = frame->view.orthographic,
        .normal_scaled = m->normal_scale != 1.0f,
        .emits = m->emissive[0] + m->emissive[1] + m->emissive[2] != 0.0f,
        .dim_dielectric = m->specular != 1.0f || m->map[SHADE_MAP_SPECULAR].texture,
        .glossy = m->glossy && m->map[SHADE_MAP_SPECULAR_COLOR].texture,
        .unlit = m->unlit,
        .look = m->look,
        .clay = m->clay,
        .wireframe = m->wireframe,
        .blended = m->blended || m->transmission,
        .transmits = m->transmission != NULL,
        .environment = frame->environment != NULL && !m->unlit,
        .occluded = frame->occlusion && !m->unlit,
        .specular_antialiasing = frame->specular_antialiasing && !m->unlit,
    };
    if (m->detail) {
        t.object_space = m->detail->object_space;
        t.wrinkled = m->detail->wrinkle_count > 0;
    }
    if (m->lobes && !m->unlit) {
        t.lobes = (bsdf_kinds){.coat = m->lobes->coat,
                               .sheen = m->lobes->sheen,
                               .anisotropic = m->lobes->anisotropic,
                               .iridescent = m->lobes->iridescent,
                               .diffuse_transmission = m->lobes->diffuse_transmission};
    }
    t.closure = t.environment || (m->lobes && !m->unlit);
    t.places = t.environment && !t.lobes.coat && !t.lobes.sheen && !t.lobes.anisotropic &&
               !t.lobes.diffuse_transmission;
    if (m->packed) {
        t.emissive_occlusion_packed = m->packed->emissive_occlusion != NULL;
        t.sampling = m->packed->sampler.sampling;
        t.transformed = shade_packed_map(m)->transformed;
    }
    for (int32_t i = 0; i < SHADE_MAP_COUNT; i++)
        if (m->map[i].texture)
            t.source[i] = m->packed_maps >> i & 1u ? SHADE_PACKED : SHADE_SEPARATE;
    if (t.blended && (m->blended || m->masked) && m->map[SHADE_MAP_BASE].texture)
        t.source[SHADE_MAP_BASE] = SHADE_SEPARATE; // packed texels have no alpha
    if (m->clay && !t.blended)
        t.source[SHADE_MAP_BASE] = SHADE_ABSENT;
    t.needs.uv = t.needs.uv || m->look == SHADE_LOOK_UV;
    t.needs.scale = m->transmission && m->transmission->thickness_m > 0.0f;
    t.needs.anisotropy = frame->anisotropy > 1 ? frame->anisotropy : 0;
    t.needs.position = t.transmits || t.occluded || m->look == SHADE_LOOK_DEPTH;
    for (int32_t i = 0; i < frame->light_count; i++)
        t.needs.position = t.needs.position || frame->lights[i].kind != SHADE_LIGHT_DIRECTIONAL;
    return t;
}

/// A copy of a job and of what it points to: compilers then know that storing a colour does not
/// change it.
typedef struct shade_context {
    shade_job job;
    shade_frame frame;
    shade_material material;
    shade_map packed_map; ///< any of the packed maps: they share uv set and transform
    shade_packed packed;
    ambient_light ambient;
    environment_view environment;
    const surface_table *axes; ///< of the window's triangles, for normals in object space
} shade_context;

ZT_LANE_OP void shade_context_make(const shade_job *job, const shade_traits *t, shade_context *out)
{
    shade_material *m = &out->material;
    out->job = *job;
    out->frame = *job->frame;
    *m = *job->material;
    out->packed_map = t->packed ? *shade_packed_map(job->material) : (shade_map){0};
    out->packed = t->packed ? *job->material->packed : (shade_packed){0};
    out->ambient = ambient_light_of(job->frame);
    out->environment = t->environment ? *job->frame->environment : (environment_view){0};
    // Packed texels count units: factors are multiplied by it, normals are normalised anyway.
    const float base = t->source[SHADE_MAP_BASE] == SHADE_PACKED ? PACKED_UNIT : 1.0f;
    const float rough = t->source[SHADE_MAP_METAL_ROUGH] == SHADE_PACKED ? PACKED_UNIT : 1.0f;
    for (int32_t i = 0; i < 3; i++)
        m->base_color[i] = m->base_color[i] * base;
    m->roughness = m->roughness * rough;
    m->metallic = m->metallic * rough;
}
