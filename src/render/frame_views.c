// SPDX-License-Identifier: MIT
#include "render/frame_views.h"

#include "shade/material.h"
#include "view/view_fit.h"

#include <string.h>

/// The inputs of passes by what sees them: shadow maps leave out other surfaces than the picture.
static zt_result share_inputs(frame *f, zt_error *err)
{
    const kernel_table *kernels = f->renderer->kernels;
    f->camera_shared =
        (camera_shared){kernels, f->renderer->srgb, f->renderer->hash_stages, f->sub != NULL};
    f->view_shared = (view_shared){.geometry = &f->geometry,
                                   .geometry_loops = kernels->geometry,
                                   .raster_loops = kernels->raster,
                                   .surface_flags = f->surface_flags,
                                   .arena = f->arena};
    f->shadow_shared = f->contact_shared[0] = f->contact_shared[1] = f->view_shared;
    for (uint32_t i = 0; i < f->material_count; i++)
        f->shadow_veils = f->shadow_veils || (f->surface_flags[i] & SURFACE_BLENDED &&
                                              surface_meets_light(f->surface_flags[i], false));
    if (f->shade.shadow_count > 0)
        ZT_TRY(shadow_surface_flags(f->surface_flags, f->material_count, true, f->arena,
                                    &f->shadow_shared.surface_flags, err));
    if (f->ground) {
        uint8_t *up;
        ZT_TRY(shadow_surface_flags(f->surface_flags, f->material_count, false, f->arena,
                                    &f->contact_shared[0].surface_flags, err));
        // From above only what faces up counts: half of the triangles of large models.
        ZT_TRY(ARENA_TAKE_RAW(f->arena, &up, f->material_count, "materials of a frame", err));
        for (uint32_t i = 0; i < f->material_count; i++)
            up[i] = f->contact_shared[0].surface_flags[i] & (uint8_t)~SURFACE_DOUBLE_SIDED;
        f->contact_shared[1].surface_flags = up;
    }
    return ZT_OK;
}

/// The pass before the main one, with the same camera: the picture behind glass.
static zt_result prepare_behind(frame *f, camera_pass *main_pass, zt_error *err)
{
    camera_pass *pass = main_pass - 1;
    const picture_planes *target = &main_pass->target;
    ZT_TRY(behind_picture_init(&f->behind, target->width, target->height, f->shade.any_unlit,
                               f->arena, err));
    *pass = *main_pass;
    pass->target = (picture_planes){.width = target->width, .height = target->height};
    pass->behind = &f->behind;
    pass->film.draws_behind = main_pass->film.layers_behind;
    main_pass->view.same_view = &pass->view;
    main_pass->film.behind = &f->behind;
    return camera_pass_init(pass, &f->camera, f->workers.run_count, err);
}

/// True when no surface is blended or masked.
static bool is_opaque(const frame *f)
{
    unsigned flags = 0;
    for (uint32_t i = 0; i < f->material_count; i++)
        flags |= f->surface_flags[i];
    return !(flags & (SURFACE_BLENDED | SURFACE_MASKED));
}

/// For what shadows are looked up in.
static arena *shadow_arena(const frame *f) { return f->keeps_shadows ? &f->kept->arena : f->arena; }

/// The inputs of a light's maps. A surface does not block its own light.
static zt_result share_casters(frame *f, shadow_light *light, zt_error *err)
{
    view_shared *shared;
    uint8_t *flags;
    light->shared = &f->shadow_shared;
    if (light->emitter == 0)
        return ZT_OK;
    const geometry_draw *draw = &f->pose.draws[light->emitter - 1];
    ZT_TRY(ARENA_TAKE_RAW(f->arena, &shared, 1, "materials of a frame", err));
    ZT_TRY(ARENA_TAKE_RAW(f->arena, &flags, f->material_count, "materials of a frame", err));
    memcpy(flags, f->shadow_shared.surface_flags, f->material_count);
    for (uint32_t i = 0; i < draw->mesh->meshlet_count; i++) {
        uint8_t *own = &flags[draw->first_material + draw->mesh->meshlets[i].material];
        *own |= *own & SURFACE_EMISSIVE ? SURFACE_INVISIBLE : 0;
    }
    *shared = f->shadow_shared;
    shared->surface_flags = flags;
    light->shared = shared;
    return ZT_OK;
}

/// Shadow maps, and the map of the contact shadow.
static zt_result prepare_maps(frame *f, zt_error *err)
{
    const scene_framing *framing = &f->renderer->framing;
    const shadow_bounds bounds = scene_framing_bounds(framing);
    const bool contact =
        f->ground && f->ground->has_contact && !ground_contact_find(f->ground, f->kept);
    shadow_light *lights;
    int32_t light_count;
    ZT_TRY(frame_shadow_lights(&f->lights, f->arena, &lights, &light_count, err));
    still_draws_find_maps(f->kept, f->keeps_shadows, lights, &light_count);
    const int32_t shadow_passes = shadow_pass_count(lights, light_count, &bounds);
    f->map_count = shadow_passes + (contact ? GROUND_PASSES : 0);
    f->maps = ARENA_ARRAY(f->arena, shadow_pass, (size_t)f->map_count);
    f->casters = ARENA_ARRAY_RAW(f->arena, shade_frame, (size_t)f->map_count);
    if (!f->maps || !f->casters)
        return arena_fail(f->arena, err, "views of a frame");
    for (int32_t i = 0; i < light_count; i++)
        ZT_TRY(share_casters(f, &lights[i], err));
    ZT_TRY(shadow_passes_init(lights, light_count, &bounds, f->shadow_veils, f->workers.run_count,
                              f->maps, err));
    if (contact) {
        const int32_t side =
            f->scene->width > f->scene->height ? f->scene->width : f->scene->height;
        f->contact_pass = &f->maps[shadow_passes];
        ZT_TRY(ground_contact_init(f->ground, framing, side, f->contact_shared,
                                   f->workers.run_count, shadow_arena(f), f->contact_pass, err));
    }
    const shade_loops *loops = f->renderer->kernels->shade;
    for (int32_t i = 0; i < f->map_count; i++) {
        f->casters[i] = f->shade;
        f->casters[i].view = f->maps[i].view.view;
        f->casters[i].surfaces =
            (surface_view){f->geometry.meshlets, f->maps[i].view.geometry.homogeneous};
        f->maps[i].caster =
            (shadow_caster){{loops->alpha_test, &f->casters[i]}, loops->caster_alpha};
    }
    return ZT_OK;
}

/// The views of the camera: the picture behind glass, and the picture, which fills the target.
static zt_result prepare_cameras(frame *f, zt_error *err)
{
    const scene_framing *framing = &f->renderer->framing;
    if (f->ground && f->camera.orthographic)
        f->camera.far_m += 2.0 * (double)f->ground->reach_m;
    if (f->ground)
        ground_fade_turning(f->ground, f->scene, framing, &f->camera, f->target->width,
                            f->target->height);
    // Some material shows what is behind it at another place, or blurred.
    const bool behind = picture_planes_any_shaded(picture_planes_present(f->target)) &&
                        shade_materials_need_behind(f->shade.materials, f->material_count);
    f->camera_count = 1 + behind;
    camera_pass *main_pass = &f->cameras[behind];
    *main_pass = (camera_pass){.view = {.shared = &f->view_shared,
                                        .width = f->target->width,
                                        .height = f->target->height,
                                        .sample_count = f->samples},
                               .shared = &f->camera_shared,
                               .target = *f->target,
                               .in_camera = f->scene->planes_space == SCENE_SPACE_CAMERA,
                               .shade = f->shade};
    view_space_rows(&f->camera, main_pass->space_rows);
    frame_film(f->scene, &main_pass->film);
    main_pass->film.layers_behind =
        behind && shade_materials_layer(f->shade.materials, f->material_count);
    if (behind)
        ZT_TRY(prepare_behind(f, main_pass, err));
    ZT_TRY(camera_pass_init(main_pass, &f->camera, f->workers.run_count, err));
    ZT_TRY(frame_backdrop(f->scene, &main_pass->shade, f->target->width, f->target->height,
                          f->arena, &main_pass->film, err));
    view_bounds_depths(&main_pass->view.view, framing->min, framing->max,
                       &main_pass->film.look.nearest, &main_pass->film.look.farthest);
    ZT_TRY(frame_occlusion(f->scene, framing, main_pass, &f->occlusion, err));
    for (int32_t i = 0; i < f->camera_count; i++)
        f->cameras[i].shade.occlusion = f->occlusion;
    ZT_TRY(frame_rays_prepare(f, err));
    if (f->ground && !f->ground->shade.lit && !f->shade.transmits && !behind) {
        main_pass->ground = f->ground;
        main_pass->ground_id = primitive_id(f->geometry.meshlet_count - 1, 0);
    }
    if (!f->occlusion || behind)
        return ZT_OK;
    const bool depth = !is_opaque(f) || f->renderer->hash_stages ||
                       picture_planes_any_nearest(picture_planes_present(f->target));
    return view_pass_save_tiles(&main_pass->view, depth, f->arena, err);
}

void frame_map_finish(const frame *f, int64_t index, render_worker *worker)
{
    shadow_pass *pass = &f->maps[index];
    zt_result result = ZT_OK;
    zt_error err;
    if (pass == f->contact_pass)
        result = contact_shadow_filter(&f->ground->contact, pass->texels, shadow_arena(f), &err);
    else
        shadow_pass_finish(pass);
    if (result != ZT_OK)
        worker->result = result;
    else if (pass == f->contact_pass && f->keeps_shadows)
        still_draws_keep_contact(f->kept, &f->ground->map, &f->ground->contact);
    render_worker_lap(worker, STAGE_RASTER);
}

/// Refuses a frame of final quality that takes too many rays.
static zt_result count_rays(const frame *f, zt_error *err)
{
    const zt_limits *limits = f->renderer->budget.limits;
    const int32_t samples = f->light_samples;
    const int32_t kinds = f->shade.shadow_count + f->scene->lighting.occlusion;
    const double pixels = (double)f->target->width * f->target->height;
    const double rays = pixels * samples * kinds;
    if (f->scene->quality != SCENE_QUALITY_FINAL ||
        !picture_planes_any_shaded(picture_planes_present(f->target)))
        return ZT_OK;
    if (samples > limits->light_samples)
        return zt_fail(err, ZT_ERR_LIMIT, "%d light samples (limit %d)", (int)samples,
                       (int)limits->light_samples);
    if (rays > limits->rays)
        return zt_fail(err, ZT_ERR_LIMIT,
                       "the frame takes %.15g rays: %.15g pixels x %d light samples x %d kinds of "
                       "light (limit %.15g)",
                       rays, pixels, (int)samples, (int)kinds, limits->rays);
    return ZT_OK;
}

zt_result frame_views_prepare(frame *f, zt_error *err)
{
    ZT_TRY(count_rays(f, err));
    ZT_TRY(share_inputs(f, err));
    ZT_TRY(prepare_maps(f, err));
    return prepare_cameras(f, err);
}
