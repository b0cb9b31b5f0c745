// SPDX-License-Identifier: MIT
// Traits of a job's material and frame choose the code that shades it. The most common sets of
// traits are compiled as loops of their own (shade.inl), in which they are constants.

/// The least roughness of pixels, in thousandths: below, a highlight is smaller than a pixel, and
/// its peak loses all precision.
enum { SHADE_ROUGHNESS_FLOOR = 50 };

/// Where a map's texels come from.
enum { SHADE_ABSENT, SHADE_PACKED, SHADE_SEPARATE };

/// The properties of a job that choose its code. Bytes only: memcmp compares two.
typedef struct shade_traits {
    surface_needs needs;
    uint8_t source[SHADE_MAP_COUNT];
    surface_sampling sampling; ///< sampling of packed maps
    bool packed, transformed;  ///< some maps are packed; their coordinates are transformed
    bool two_channel, vertex_color, double_sided, dielectric_grey, orthographic;
    bool normal_scaled;  ///< normal_scale is not 1
    bool emits;          ///< emission, with or without a map
    bool dim_dielectric; ///< dielectric_f90 is not 1
    bool glossy, unlit, blended;
    bool emissive_occlusion_packed; ///< emission or occlusion has packed texels
    bool object_space, wrinkled;    ///< normals.inl
    bool environment;               ///< the frame has an environment
    bool lookup;                    ///< the base alone looks the environment up: environment_lookup
    bsdf_kinds lobes;
    bool geometric;             ///< points have shade_point.geometric
    uint8_t roughness_floor;    ///< in thousandths
    bool occluded;              ///< ambient light is, occlusion_light.inl
    bool specular_antialiasing; ///< the frame asks for it
    bool clay, wireframe;       ///< looks of the material
    bool planes;                ///< the job has planes
} shade_traits;

/// Any of the packed maps: they have the same coordinates.
static const surface_map *shade_packed_map(const shade_material *m)
{
    return &m->map[__builtin_ctz(m->packed_maps)];
}

/// The traits that a material has by itself: those of its frame are false, its closure is not flat.
static shade_traits material_traits_of(const shade_material *m)
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
        .normal_scaled = m->normal_scale != 1.0f,
        .emits = m->emissive[0] + m->emissive[1] + m->emissive[2] != 0.0f,
        .dim_dielectric = m->specular != 1.0f || m->map[SHADE_MAP_SPECULAR].texture,
        .glossy = m->glossy && m->map[SHADE_MAP_SPECULAR_COLOR].texture,
        .unlit = m->unlit,
        .clay = m->clay,
        .wireframe = m->wireframe,
        .blended = m->blended || m->transmission,
        .roughness_floor = SHADE_ROUGHNESS_FLOOR,
    };
    if (m->detail) {
        t.object_space = m->detail->object_space;
        t.wrinkled = m->detail->wrinkle_count > 0;
    }
    if (m->lobes && !m->unlit)
        t.lobes = m->lobes->has;
    t.lobes.glass = m->transmission != NULL;
    if (m->packed) {
        t.emissive_occlusion_packed = m->packed->emissive_occlusion != NULL;
        t.sampling = m->packed->sampler.sampling;
        t.transformed = shade_packed_map(m)->transformed;
    }
    for (int32_t i = 0; i < SHADE_MAP_COUNT; i++)
        if (m->map[i].texture)
            t.source[i] = m->packed_maps >> i & 1u ? SHADE_PACKED : SHADE_SEPARATE;
    if (m->blended && !m->even && m->map[SHADE_MAP_BASE].texture)
        t.source[SHADE_MAP_BASE] = SHADE_SEPARATE; // packed texels have no alpha
    if (m->clay && !t.blended)
        t.source[SHADE_MAP_BASE] = SHADE_ABSENT;
    t.needs.scale = m->transmission && m->transmission->thickness_m > 0.0f;
    return t;
}

static shade_traits shade_traits_of(const shade_frame *frame, const shade_material *m)
{
    shade_traits t = material_traits_of(m);
    t.orthographic = frame->view.transform.orthographic;
    t.environment = frame->environment != NULL && !m->unlit;
    t.occluded = frame->occlusion && !m->unlit;
    t.specular_antialiasing = frame->specular_antialiasing && !m->unlit;
    t.lobes.flat = !t.environment && (!m->lobes || m->unlit);
    t.geometric = t.needs.tangent && !t.lobes.flat; // elsewhere no map bends the normal
    t.lookup = t.environment && !bsdf_kinds_any(t.lobes);
    t.needs.anisotropy = frame->anisotropy > 1 ? frame->anisotropy : 0;
    t.needs.position = t.lobes.glass || t.occluded || frame->shares;
    for (int32_t i = 0; i < frame->light_count; i++)
        t.needs.position = t.needs.position || frame->lights[i].kind != SHADE_LIGHT_DIRECTIONAL;
    return t;
}

/// Adds what the planes of a job need.
static void shade_traits_add(shade_traits *t, const shade_planes *planes)
{
    t->planes = true;
    t->needs.uv = t->needs.uv || planes->channel[PLANE_UV] || planes->channel[PLANE_UV_STEP];
    t->needs.position =
        t->needs.position || planes->channel[PLANE_POSITION] || planes->channel[PLANE_DEPTH];
}

/// A material as loops read it, in copies: stores cannot change it. Knows nothing of pictures.
typedef struct material_context {
    shade_material own;     ///< factors of packed texels count their units
    surface_map packed_map; ///< any of the packed maps: they share uv set and transform
    surface_packed packed;
} material_context;

ZT_LANE_OP void material_context_make(const shade_material *m, const shade_traits *t,
                                      material_context *out)
{
    out->own = *m;
    out->packed_map = t->packed ? *shade_packed_map(m) : (surface_map){0};
    out->packed = t->packed ? *m->packed : (surface_packed){0};
    // Packed texels count units: factors are multiplied by it, normals are normalised anyway.
    const float base = t->source[SHADE_MAP_BASE] == SHADE_PACKED ? PACKED_UNIT : 1.0f;
    const float rough = t->source[SHADE_MAP_METAL_ROUGH] == SHADE_PACKED ? PACKED_UNIT : 1.0f;
    for (int32_t i = 0; i < 3; i++)
        out->own.base_color[i] = out->own.base_color[i] * base;
    out->own.roughness = out->own.roughness * rough;
    out->own.metallic = out->own.metallic * rough;
}

/// The same of a job and of its frame.
typedef struct shade_context {
    shade_job job;
    shade_frame frame;
    material_context material;
    ambient_light ambient;
    environment_view environment;
} shade_context;

ZT_LANE_OP void shade_context_make(const shade_job *job, const shade_traits *t, shade_context *out)
{
    out->job = *job;
    out->frame = *job->frame;
    material_context_make(job->material, t, &out->material);
    out->ambient = ambient_light_of(job->frame->sky, job->frame->ambient_below);
    out->environment = t->environment ? *job->frame->environment : (environment_view){0};
}
