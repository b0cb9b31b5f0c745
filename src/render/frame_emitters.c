// SPDX-License-Identifier: MIT
// Emitters: surfaces as lamps.
//
// A convex body of area A that shines with the radiance L in all directions has the intensity
// L A / 4, averaged over directions: the mean area of its projections is A / 4 (Cauchy, "Memoire
// sur la rectification des courbes et la quadrature des surfaces courbes", 1850). A sphere of this
// intensity and radiance, with its centre in the body's, lights the scene instead: exact for
// spheres, near for what is about as wide in all directions. A flat surface shines to one side: a
// spot of 90 degrees, whose law is the squared cosine, has its power, pi L A, with 3/2 L A ahead.
//
// Maps of its shadow begin outside of its box. A surface counts where its emission has one colour,
// is brighter than a white wall, and matters at the radius of the shot's bounds; from there on it
// fades in, so that clips cannot switch it.
#include "render/frame_emitters.h"

#include "base/dvec3.h"
#include "base/maths.h"
#include "render/frame_views.h"

#include <float.h>
#include <string.h>

/// Where an emitter begins to count, and where it counts in full.
typedef struct fade {
    double from, to;
} fade;

/// Luminance of its radiance: a white surface in a studio has about 1.
static const fade by_radiance = {0.5, 1.0};
/// Luminance of its irradiance at the radius of the bounds: the sky of a studio gives about 3.
static const fade by_irradiance = {0.01, 0.02};
/// Area, over that of a sphere of its root mean square radius: 1 for spheres, 0.6 for cubes, 0.1
/// for a rod 30 times as long as wide, and for what consists of small parts far from each other.
static const fade by_shape = {0.05, 0.1};

enum { EMITTER_MAP_SIZE = 256 }; ///< texels a side of a face: its shadows are soft

/// The part of a draw that emits light, as it is posed; sums are over its area.
typedef struct emitter {
    double min[3], max[3];
    double area, area_of_two_sided;
    dvec3 radiance, middle, facing; ///< sums of radiance, position and normal
    double square;                  ///< and of the squared length of positions
    light_source source;
    double rank; ///< its irradiance at the radius of the bounds
} emitter;

static double luminance(dvec3 c) { return (0.2126 * c.x + 0.7152 * c.y) + 0.0722 * c.z; }

static double faded(double x, fade f)
{
    return maths_clamp((x - f.from) / (f.to - f.from), 0.0, 1.0);
}

static bool is_bright(const float emissive[3])
{
    return luminance(dvec3_from_floats(emissive)) > by_radiance.from;
}

static bool scene_has_emitters(const zt_scene *scene)
{
    return scene->lighting.lamps > 0.0 && !scene->lighting.flat_lights;
}

static bool shines(const shade_material *m)
{
    return is_bright(m->emissive) && !m->map[SHADE_MAP_EMISSIVE].texture && !m->blended &&
           !m->masked && !m->unlit && !m->transmission && !(m->lobes && m->lobes->has.toon);
}

bool emitters_need_framing(const zt_scene *scene)
{
    bool any = false;
    for (uint32_t i = 0; i < scene->instance_count && scene_has_emitters(scene); i++) {
        const scene_instance *instance = &scene->instances[i];
        const zt_model *model = instance->model;
        any = any || model->property_count > 0;
        for (uint32_t k = 0; k < model->material_count; k++)
            any = any || (model->materials[k].emissive_map.texture < 0 &&
                          is_bright(model->materials[k].emissive));
        for (uint32_t k = 0; k < instance->material_count; k++)
            any = any || instance->materials[k].emissive.key_count > 0;
    }
    return any;
}

/// Poses a mesh; the stage that poses all of them does so again.
static void pose_mesh(const geometry_draw *draw, const geometry_loops *loops)
{
    const size_t count = draw->posed ? 0 : pad16(draw->mesh->vertex_count);
    for (size_t i = 0; i < count; i += SKIN_CHUNK)
        geometry_draw_pose(draw, loops, i, count - i < SKIN_CHUNK ? count - i : SKIN_CHUNK);
}

/// A posed vertex in the world.
static dvec3 vertex_at(const geometry_draw *draw, uint32_t vertex)
{
    const vertex_position *p = &draw->position[vertex];
    double at[3] = {(double)p->x, (double)p->y, (double)p->z};
    if (draw->posed_mesh) {
        const float(*m)[4] = draw->palette->column;
        const dvec3 from = dvec3_load(at);
        for (int k = 0; k < 3; k++)
            at[k] = ((double)m[0][k] * from.x + (double)m[1][k] * from.y) +
                    ((double)m[2][k] * from.z + (double)m[3][k]);
    }
    return dvec3_load(at);
}

static void add_triangle(emitter *e, const dvec3 p[3], dvec3 radiance, bool two_sided)
{
    const dvec3 cross = dvec3_cross(dvec3_sub(p[1], p[0]), dvec3_sub(p[2], p[0]));
    const double area = 0.5 * dvec3_length(cross);
    for (int i = 0; i < 3; i++) {
        double at[3];
        dvec3_store(p[i], at);
        for (int k = 0; k < 3; k++) {
            e->min[k] = maths_min(e->min[k], at[k]);
            e->max[k] = maths_max(e->max[k], at[k]);
        }
        e->middle = dvec3_add(e->middle, dvec3_scale(p[i], area / 3.0));
        e->square += area / 3.0 * dvec3_dot(p[i], p[i]);
    }
    e->radiance = dvec3_add(e->radiance, dvec3_scale(radiance, area));
    e->facing = dvec3_add(e->facing, dvec3_scale(cross, 0.5));
    e->area += area;
    e->area_of_two_sided += two_sided ? area : 0.0;
}

/// Adds up the part of a draw that shines.
static void measure(const frame *f, const geometry_draw *draw, emitter *out)
{
    const model_mesh *mesh = draw->mesh;
    bool posed = false;
    *out = (emitter){.min = {DBL_MAX, DBL_MAX, DBL_MAX}, .max = {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
    for (uint32_t i = 0; i < mesh->meshlet_count && !draw->outline; i++) {
        const meshlet *let = &mesh->meshlets[i];
        const shade_material *m = &f->shade.materials[draw->first_material + let->material];
        if (let->kind != PRIMITIVE_TRIANGLE || !shines(m))
            continue;
        if (!posed)
            pose_mesh(draw->posed_mesh ? draw->posed_mesh : draw, f->renderer->kernels->geometry);
        posed = true;
        const uint32_t end = let->triangle_first + let->triangle_count;
        for (uint32_t t = let->triangle_first; t < end; t++) {
            dvec3 p[3];
            for (int k = 0; k < 3; k++)
                p[k] = vertex_at(
                    draw, mesh->meshlet_vertex[let->vertex_first + mesh->meshlet_corner[k][t]]);
            add_triangle(out, p, dvec3_from_floats(m->emissive), m->double_sided);
        }
    }
}

/// Makes the lamp of what is measured. False: it lights nothing.
static bool make_lamp(emitter *e, const geometry_draw *draw, double radius2)
{
    if (!(e->area > 0.0))
        return false;
    const double per_area = 1.0 / e->area, way = dvec3_length(e->facing);
    const dvec3 radiance = dvec3_scale(e->radiance, per_area);
    const dvec3 middle = dvec3_scale(e->middle, per_area);
    const double spread = maths_max(e->square * per_area - dvec3_dot(middle, middle), 1e-30);
    const bool flat = way > 0.5 * e->area, two_sided = e->area_of_two_sided > 0.5 * e->area;
    const bool spot = flat && !two_sided;
    const double intensity = e->area * (spot ? 1.5 : flat ? 0.5 : 0.25);
    const double irradiance = luminance(radiance) * intensity / radius2;
    const double share = faded(luminance(radiance), by_radiance) *
                         faded(irradiance, by_irradiance) *
                         faded(e->area / (4.0 * MATHS_PI * spread), by_shape);
    e->rank = irradiance * share;
    e->source = (light_source){.kind = spot ? MODEL_LIGHT_SPOT : MODEL_LIGHT_POINT,
                               .intensity = intensity * share,
                               .outer_rad = 0.5 * MATHS_PI,
                               .size = 2.0 * sqrt(intensity / MATHS_PI),
                               .is_surface = true};
    dvec3_store(radiance, e->source.color);
    dvec3_store(middle, e->source.position);
    dvec3_store(dvec3_scale(e->facing, draw->mirrored ? -1.0 : 1.0), e->source.direction);
    for (int k = 0; k < 3; k++)
        e->source.inside[k] =
            1.001 * maths_max(e->max[k] - e->source.position[k], e->source.position[k] - e->min[k]);
    return share > 0.0;
}

/// Puts an emitter behind those that are kept; of too many the weakest goes.
static uint32_t keep_strongest(emitter *all, uint32_t count, const emitter *more)
{
    uint32_t weakest = FRAME_EMITTERS;
    if (count == FRAME_EMITTERS) {
        for (uint32_t i = 0; i < count; i++)
            if (all[i].rank < (weakest < count ? all[weakest].rank : more->rank))
                weakest = i;
        if (weakest == count)
            return count;
        memmove(all + weakest, all + weakest + 1, (--count - weakest) * sizeof *all);
    }
    all[count] = *more;
    return count + 1;
}

static void add_lamp(frame *f, const light_source *source)
{
    static const scene_light lamp = {
        .node = -1, .casts = true, .shadow_size = EMITTER_MAP_SIZE, .shadow_softness = 1.0};
    frame_light_set *set = &f->lights;
    shadow_maps *maps = &set->shadows[f->shade.shadow_count];
    shade_light *light = &set->shaded[set->count];
    maps->number = f->shade.shadow_count++;
    shade_light_build(source, light);
    light->shadow = maps;
    set->lights[set->count++] = (frame_light){&lamp, *source, maps};
    f->shade.light_count = (int32_t)set->count;
}

void frame_emitters(frame *f)
{
    const scene_framing *framing = &f->renderer->framing;
    const dvec3 size = dvec3_sub(dvec3_from_floats(framing->max), dvec3_from_floats(framing->min));
    const double radius2 = 0.25 * dvec3_dot(size, size);
    emitter all[FRAME_EMITTERS], next;
    uint32_t count = 0;
    bool any = false;
    for (uint32_t i = 0; i < f->material_count; i++)
        any = any || shines(&f->shade.materials[i]);
    if (!any || !scene_has_emitters(f->scene) || !(radius2 > 0.0))
        return;
    for (uint32_t i = 0; i < f->pose.draw_count; i++) {
        measure(f, &f->pose.draws[i], &next);
        if (make_lamp(&next, &f->pose.draws[i], radius2))
            count = keep_strongest(all, count, &next);
    }
    for (uint32_t i = 0; i < count; i++)
        add_lamp(f, &all[i].source);
}
