// SPDX-License-Identifier: MIT
// Emitters as lamps. A convex body of area A and radiance L has the mean intensity L A / 4: a
// quarter of A is the mean area of its projections (Cauchy, 1850). A sphere of this intensity
// lights the scene. What is flat is a spot of 90 degrees: 3/2 L A ahead and the squared cosine.
#include "base/maths.h"
#include "render/frame_views.h"
#include "shade/material.h"

#include <string.h>

// Where an emitter begins to count; from twice of it on it counts in full: clips that change its
// light cannot switch it.
static const double min_irradiance = 0.01; ///< luminance at the radius of the shot's bounds
static const double min_share = 0.05;      ///< of the area of a sphere that is spread as far

/// The part of a draw that shines. Until it is a lamp, `source` has sums over its area, which are
/// relative to `origin`, as `square` is.
typedef struct emitter {
    light_source source;
    double area, square; ///< the latter: sum of squared distances
    dvec3 origin;        ///< one of its vertices
    dvec3 facing;        ///< sum of normals, times 2
    double rank;         ///< irradiance at the radius of the bounds
    uint32_t number;     ///< 1 + that of the draw
} emitter;

static double faded(double x, double least) { return maths_clamp(x / least - 1.0, 0.0, 1.0); }

/// True for a float of a model_material from which its emission follows.
static bool is_emission(size_t offset)
{
    return offset == offsetof(model_material, emissive_factor) ||
           offset == offsetof(model_material, emissive_strength);
}

static bool may_shine(const zt_model *model)
{
    bool any = false;
    for (uint32_t i = 0; i < model->material_count; i++) {
        const model_material *m = &model->materials[i];
        any = any || (m->emissive_map.texture < 0 &&
                      dvec3_luminance(dvec3_from_floats(m->emissive)) > SHADE_EMISSION_MIN);
    }
    for (uint32_t i = 0; i < model->property_count; i++)
        any = any || (model->properties[i].owner == MODEL_OWNER_MATERIAL &&
                      is_emission(model->properties[i].offset));
    for (uint32_t i = 0; i < model->expression_count; i++)
        for (uint32_t k = 0; k < model->expressions[i].change_count; k++)
            any = any || is_emission(model->expressions[i].changes[k].offset);
    return any;
}

bool frame_may_have_emitters(const zt_scene *scene)
{
    const zt_model *before = NULL;
    if (!(scene->lighting.lamps > 0.0) || scene->lighting.flat_lights)
        return false;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const scene_instance *instance = &scene->instances[i];
        if (instance->model != before && may_shine(instance->model))
            return true;
        before = instance->model;
        for (uint32_t k = 0; k < instance->material_count; k++)
            if (instance->materials[k].emissive.key_count > 0 ||
                instance->materials[k].has_map[SCENE_MAP_EMISSIVE])
                return true;
    }
    return false;
}

zt_result frame_emitters_begin(frame *f, zt_error *err)
{
    if (!frame_may_have_emitters(f->scene))
        return ZT_OK;
    return ARENA_TAKE(f->arena, &f->emitters, f->pose.draw_count, "lights of a frame", err);
}

/// Sums over a triangle of area A: A times the mean of its corners; A / 12 times the squares of
/// its corners and of their sum.
static void add_triangle(emitter *e, float p[3][4], const float emissive[3])
{
    dvec3 corner[3];
    for (int i = 0; i < 3; i++)
        corner[i] = dvec3_sub(dvec3_from_floats(p[i]), e->origin);
    const dvec3 sum = dvec3_add(dvec3_add(corner[0], corner[1]), corner[2]);
    const dvec3 across =
        dvec3_cross(dvec3_sub(corner[1], corner[0]), dvec3_sub(corner[2], corner[0]));
    const double area = 0.5 * dvec3_length(across);
    double squares = dvec3_dot(sum, sum), *position = e->source.position;
    for (int i = 0; i < 3; i++) {
        squares += dvec3_dot(corner[i], corner[i]);
        e->source.color[i] += area * (double)emissive[i];
    }
    e->area += area;
    e->facing = dvec3_add(e->facing, across);
    e->square += area / 12.0 * squares;
    dvec3_store(dvec3_add(dvec3_load(position), dvec3_scale(sum, area / 3.0)), position);
}

void frame_emitter_measure(const frame *f, int64_t index)
{
    const geometry_draw *draw = &f->pose.draws[index];
    const model_mesh *mesh = draw->mesh;
    emitter *e = &f->emitters[index];
    mat4 world = GLM_MAT4_IDENTITY_INIT;
    if (draw->posed_mesh)
        memcpy(world, draw->palette->column, sizeof world);
    for (uint32_t i = 0; i < mesh->meshlet_count && !draw->outline; i++) {
        const meshlet *let = &mesh->meshlets[i];
        const uint32_t material = draw->first_material + let->material;
        const uint32_t end = let->triangle_first + let->triangle_count;
        if (let->kind != PRIMITIVE_TRIANGLE || !(f->surface_flags[material] & SURFACE_EMISSIVE))
            continue;
        const uint32_t *vertex = mesh->meshlet_vertex + let->vertex_first;
        for (uint32_t t = let->triangle_first; t < end; t++) {
            float p[3][4];
            for (int k = 0; k < 3; k++)
                posed_place(world, &draw->position[vertex[mesh->meshlet_corner[k][t]]], p[k]);
            if (e->number == 0)
                e->origin = dvec3_from_floats(p[0]);
            e->number = (uint32_t)index + 1;
            add_triangle(e, p, f->shade.materials[material].emissive);
        }
    }
}

/// Sums -> a lamp. `radius2`: of the bounds.
static void make_lamp(emitter *e, bool mirrored, double radius2)
{
    light_source *s = &e->source;
    const bool flat = dvec3_length(e->facing) > e->area;
    const double intensity = e->area * (flat ? 1.5 : 0.25);
    const dvec3 middle = dvec3_scale(dvec3_load(s->position), 1.0 / e->area);
    const double spread = e->square / e->area - dvec3_dot(middle, middle);
    dvec3_store(dvec3_scale(e->facing, mirrored ? -1.0 : 1.0), s->direction);
    dvec3_store(dvec3_scale(dvec3_load(s->color), 1.0 / e->area), s->color);
    dvec3_store(dvec3_add(e->origin, middle), s->position);
    const double bright = dvec3_luminance(dvec3_load(s->color));
    const double share = faded(bright, SHADE_EMISSION_MIN) *
                         faded(bright * intensity / radius2, min_irradiance) *
                         faded(e->area / (4.0 * MATHS_PI * spread), min_share);
    s->of_surface = true;
    s->kind = flat ? MODEL_LIGHT_SPOT : MODEL_LIGHT_POINT;
    s->outer_rad = 0.5 * MATHS_PI;
    s->size = 2.0 * sqrt(intensity / MATHS_PI);
    s->intensity = intensity * share;
    e->rank = bright * s->intensity / radius2;
}

/// Adds a lamp, which casts shadows.
static void add_lamp(frame *f, const emitter *e)
{
    static const scene_light lamp = {.node = -1, .casts = true, .shadow_softness = 1.0};
    frame_light_set *set = &f->lights;
    shadow_maps *maps = &set->shadows[f->shade.shadow_count];
    shade_light *light = &set->shaded[set->count];
    maps->number = f->shade.shadow_count++;
    shade_light_build(&e->source, light);
    light->shadow = maps;
    set->lights[set->count++] = (frame_light){&lamp, e->source, maps, e->number};
    f->shade.light_count = (int32_t)set->count;
}

void frame_emitters_add(frame *f)
{
    const scene_framing *framing = &f->renderer->framing;
    const dvec3 size = dvec3_sub(dvec3_from_floats(framing->max), dvec3_from_floats(framing->min));
    emitter all[FRAME_EMITTERS + 1] = {0}; // from the strongest on
    for (uint32_t i = 0; f->emitters && i < f->pose.draw_count; i++) {
        emitter *e = &f->emitters[i];
        uint32_t at = FRAME_EMITTERS;
        if (!(e->area > 0.0))
            continue;
        make_lamp(e, f->pose.draws[i].mirrored, 0.25 * dvec3_dot(size, size));
        // Equal ones stay in their order, whatever rounding of their areas does.
        for (; at > 0 && e->rank > (1.0 + 1e-4) * all[at - 1].rank; at--)
            all[at] = all[at - 1];
        if (at < FRAME_EMITTERS)
            all[at] = *e;
    }
    // The last two share a place, so that none takes that of another at once.
    emitter *last = &all[FRAME_EMITTERS - 1];
    const double more = (last - 1)->rank - last->rank;
    const double part = maths_clamp(0.5 - 5.0 * more / maths_max(last->rank, 1e-30), 0.0, 0.5);
    last->source.intensity *= part;
    (last - 1)->source.intensity *= 1.0 - part;
    for (uint32_t i = 0; i < FRAME_EMITTERS && all[i].source.intensity > 0.0; i++)
        add_lamp(f, &all[i]);
}
