// SPDX-License-Identifier: MIT
// Emitters as lamps. A convex body of area A and radiance L has the mean intensity L A / 4: a
// quarter of A is the mean area of its projections (Cauchy, 1850). A sphere of this intensity
// lights the scene. What is flat is a spot of 90 degrees: 3/2 L A ahead and the squared cosine.
#include "base/maths.h"
#include "render/frame_views.h"
#include "render/posed_bounds.h"

#include <string.h>

// Where an emitter begins to count; from twice of it on it counts in full: clips cannot switch it.
static const double min_radiance = 0.5;    ///< luminance: white has about 1 in a studio
static const double min_irradiance = 0.01; ///< luminance at the radius of the shot's bounds
static const double min_share = 0.05;      ///< of the area of a sphere that is spread as far

/// The part of a draw that shines. Until it is measured, `source` has sums over its area.
typedef struct emitter {
    light_source source;
    double area, square; ///< the latter: sum of squared distances from the origin
    dvec3 facing;        ///< sum of normals, times 2
    double rank;         ///< irradiance at the radius of the bounds
} emitter;

static double luminance(dvec3 c) { return (0.2126 * c.x + 0.7152 * c.y) + 0.0722 * c.z; }

static double faded(double x, double least) { return maths_clamp(x / least - 1.0, 0.0, 1.0); }

bool frame_material_shines(const shade_material *m)
{
    return luminance(dvec3_from_floats(m->emissive)) > min_radiance &&
           !m->map[SHADE_MAP_EMISSIVE].texture && !m->blended && !m->masked && !m->unlit &&
           !m->transmission && !(m->lobes && m->lobes->has.toon);
}

bool frame_may_have_emitters(const zt_scene *scene)
{
    bool any = false;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const zt_model *model = scene->instances[i].model;
        any = any || model->property_count > 0 || scene->instances[i].material_count > 0;
        for (uint32_t k = 0; k < model->material_count && !any; k++)
            any = luminance(dvec3_from_floats(model->materials[k].emissive)) > min_radiance &&
                  model->materials[k].emissive_map.texture < 0;
    }
    return any && scene->lighting.lamps > 0.0 && !scene->lighting.flat_lights;
}

/// Poses a mesh; the stage that poses all of them does so again.
static void pose_mesh(const geometry_draw *draw, const geometry_loops *loops)
{
    const size_t count = draw->posed ? 0 : pad16(draw->mesh->vertex_count);
    for (size_t i = 0; i < count; i += SKIN_CHUNK)
        geometry_draw_pose(draw, loops, i, count - i < SKIN_CHUNK ? count - i : SKIN_CHUNK);
}

static void add_triangle(emitter *e, float p[3][4], const float emissive[3])
{
    const dvec3 at = dvec3_from_floats(p[0]);
    const dvec3 across =
        dvec3_cross(dvec3_sub(dvec3_from_floats(p[1]), at), dvec3_sub(dvec3_from_floats(p[2]), at));
    const double area = 0.5 * dvec3_length(across);
    e->area += area;
    e->facing = dvec3_add(e->facing, across);
    for (int k = 0; k < 3; k++) {
        e->source.color[k] += area * (double)emissive[k];
        for (int i = 0; i < 3; i++) {
            const double x = (double)p[i][k];
            e->source.position[k] += area / 3.0 * x;
            e->square += area / 3.0 * x * x;
        }
    }
}

/// Adds up the part of a draw that shines.
static void add_draw(const frame *f, const geometry_draw *draw, emitter *e)
{
    const model_mesh *mesh = draw->mesh;
    mat4 world = GLM_MAT4_IDENTITY_INIT;
    if (draw->posed_mesh)
        memcpy(world, draw->palette->column, sizeof world);
    for (uint32_t i = 0; i < mesh->meshlet_count && !draw->outline; i++) {
        const meshlet *let = &mesh->meshlets[i];
        const shade_material *m = &f->shade.materials[draw->first_material + let->material];
        if (let->kind != PRIMITIVE_TRIANGLE || !frame_material_shines(m))
            continue;
        if (!(e->area > 0.0))
            pose_mesh(draw->posed_mesh ? draw->posed_mesh : draw, f->renderer->kernels->geometry);
        const uint32_t *vertex = mesh->meshlet_vertex + let->vertex_first;
        const uint32_t end = let->triangle_first + let->triangle_count;
        for (uint32_t t = let->triangle_first; t < end; t++) {
            float p[3][4];
            for (int k = 0; k < 3; k++)
                posed_place(world, &draw->position[vertex[mesh->meshlet_corner[k][t]]], p[k]);
            add_triangle(e, p, m->emissive);
        }
    }
}

/// Sums -> a lamp. `radius2`: of the bounds.
static void make_lamp(emitter *e, bool mirrored, double radius2)
{
    light_source *s = &e->source;
    const bool flat = dvec3_length(e->facing) > e->area;
    const double intensity = e->area * (flat ? 1.5 : 0.25);
    double spread = e->square / e->area;
    dvec3_store(dvec3_scale(e->facing, mirrored ? -1.0 : 1.0), s->direction);
    for (int k = 0; k < 3; k++) {
        s->color[k] /= e->area;
        s->position[k] /= e->area;
        spread -= s->position[k] * s->position[k];
    }
    const double bright = luminance(dvec3_load(s->color));
    const double share = faded(bright, min_radiance) *
                         faded(bright * intensity / radius2, min_irradiance) *
                         faded(e->area / (4.0 * MATHS_PI * spread), min_share);
    s->of_surface = true;
    s->kind = flat ? MODEL_LIGHT_SPOT : MODEL_LIGHT_POINT;
    s->outer_rad = 0.5 * MATHS_PI;
    s->size = 2.0 * sqrt(intensity / MATHS_PI);
    s->intensity = intensity * share;
    e->rank = bright * s->intensity / radius2;
}

void frame_emitters(frame *f)
{
    static const scene_light lamp = {// its shadows are soft: they need few texels
                                     .node = -1,
                                     .casts = true,
                                     .shadow_size = 256,
                                     .shadow_softness = 1.0};
    const scene_framing *framing = &f->renderer->framing;
    const dvec3 size = dvec3_sub(dvec3_from_floats(framing->max), dvec3_from_floats(framing->min));
    frame_light_set *set = &f->lights;
    emitter all[FRAME_EMITTERS + 1] = {0}; // from the strongest on; the last has no room
    for (uint32_t i = 0; i < f->pose.draw_count; i++) {
        emitter e = {0};
        uint32_t at = FRAME_EMITTERS;
        add_draw(f, &f->pose.draws[i], &e);
        make_lamp(&e, f->pose.draws[i].mirrored, 0.25 * dvec3_dot(size, size));
        for (; at > 0 && e.rank > all[at - 1].rank; at--)
            all[at] = all[at - 1];
        all[at] = e;
    }
    for (uint32_t i = 0; i < FRAME_EMITTERS && all[i].rank > 0.0; i++) {
        shadow_maps *maps = &set->shadows[f->shade.shadow_count];
        shade_light *light = &set->shaded[set->count];
        maps->number = f->shade.shadow_count++;
        shade_light_build(&all[i].source, light);
        light->shadow = maps;
        light->radius2 = light->radius * light->radius;
        set->lights[set->count++] = (frame_light){&lamp, all[i].source, maps};
    }
    f->shade.light_count = (int32_t)set->count;
}
