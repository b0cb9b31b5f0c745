// SPDX-License-Identifier: MIT
// zt_scene -> peer_scene, by way of the library's own stages: posing, camera, lights and mip chains
// are not done a second time, so both sides start from the same numbers.
#include "peer_scene.h"

#include "environment/environment_build.h"
#include "kernels/kernels.h"
#include "peer_light.h"
#include "render/camera.h"
#include "render/frame_pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct held_scene {
    peer_scene public; ///< first: the pointer given out
    const zt_scene *scene;
    budget budget;
    arena keep, frame;
    scene_framing framing;
    const float **palette;
} held_scene;

static zt_result unsupported(zt_error *err, const char *what)
{
    return zt_fail(err, ZT_ERR_UNSUPPORTED, "the peer's shaders do not do %s", what);
}

/// Linear light in 15 bits -> the 8-bit sRGB code that it came from, or the nearest one.
static uint8_t srgb_code(uint16_t texel)
{
    const double x = texel / (double)MIPMAP_U15_ONE;
    const double y = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055;
    return (uint8_t)(y * 255.0 + 0.5);
}

static void copy_row(const mipmap *m, const mipmap_level *level, int32_t y, uint8_t *out)
{
    const size_t row = (size_t)y * (size_t)level->stride * 4;
    if (m->format == MIPMAP_U8) {
        memcpy(out, (const uint8_t *)level->texels + row, (size_t)level->width * 4);
        return;
    }
    const uint16_t *texels = (const uint16_t *)level->texels + row;
    for (int32_t i = 0; i < level->width * 4; i++)
        out[i] = (i & 3) == 3 ? (uint8_t)(texels[i] / 128) : srgb_code(texels[i]);
}

static uint8_t linear_code(int texel) { return (uint8_t)(texel * 255.0 / MIPMAP_U15_ONE + 0.5); }

/// A row of a map whose texels are joined with those of others of its material (mipmap_pack.h).
static void copy_joined_row(const model_packed *from, int slot, const mipmap *m, int32_t level,
                            int32_t y, uint8_t *out)
{
    const int32_t width = m->level[level].width;
    const int64_t first = from->texels.first[level] + (int64_t)y * (width + MIPMAP_PACKED_PADDING);
    for (int32_t x = 0; x < width; x++, out += 4) {
        const int16_t *texel = from->texels.texels + (first + x) * MIPMAP_PACKED_CHANNELS;
        const int16_t *light =
            from->texels.emissive_occlusion
                ? from->texels.emissive_occlusion + (first + x) * MIPMAP_EMISSIVE_OCCLUSION_CHANNELS
                : NULL;
        out[3] = 255;
        for (int k = 0; k < 3; k++)
            if (slot == MIPMAP_PACK_BASE)
                out[k] = srgb_code((uint16_t)texel[k]);
            else if (slot == MIPMAP_PACK_NORMAL)
                out[k] = (uint8_t)((texel[4 + k] / (double)MIPMAP_U15_ONE * 0.5 + 0.5) * 255 + 0.5);
            else if (slot == MIPMAP_PACK_METAL_ROUGH)
                out[k] = k == 0 ? 255 : linear_code(texel[k == 1 ? 3 : 7]);
            else if (slot == MIPMAP_PACK_EMISSIVE)
                out[k] = srgb_code((uint16_t)light[k]);
            else
                out[k] = linear_code(light[3]);
    }
}

/// The joined texels that texture `index` is a part of, and its place among them; NULL: it is not.
static const model_packed *joined_of(const zt_model *model, uint32_t index, int *out_slot)
{
    for (uint32_t i = 0; i < model->packed_count; i++)
        for (int k = 0; k < MIPMAP_PACK_COUNT; k++)
            if (model->packed[i].texture[k] == (int32_t)index) {
                *out_slot = k;
                return &model->packed[i];
            }
    return NULL;
}

static zt_result take_texture(arena *a, const zt_model *model, uint32_t index, peer_texture *out,
                              zt_error *err)
{
    const model_texture *from = &model->textures[index];
    static const int wraps[] = {[MIPMAP_REPEAT] = 0, [MIPMAP_CLAMP] = 1, [MIPMAP_MIRROR] = 2};
    const mipmap *m = &from->mipmap;
    if (from->two_channel)
        return unsupported(err, "normal maps of two channels");
    *out = (peer_texture){
        .srgb = m->format == MIPMAP_U15,
        .nearest_mag = from->mag == MODEL_NEAREST,
        .nearest_min = from->min == MODEL_NEAREST,
        .mipped = from->mip != MODEL_MIP_NONE,
        .nearest_mip = from->mip == MODEL_MIP_NEAREST,
        .wrap = {wraps[m->wrap_u], wraps[m->wrap_v]},
        .level_count = from->mip == MODEL_MIP_NONE ? 1 : m->level_count,
    };
    for (int32_t i = 0; i < out->level_count; i++) {
        const mipmap_level *level = &m->level[i];
        out->width[i] = level->width;
        out->height[i] = level->height;
        out->rgba8[i] =
            ARENA_ARRAY_RAW(a, uint8_t, (size_t)level->width * (size_t)level->height * 4);
        if (!out->rgba8[i])
            return arena_fail(a, err, "textures of a peer");
        int slot = 0;
        const model_packed *joined = level->texels ? NULL : joined_of(model, index, &slot);
        if (!level->texels && !joined)
            return unsupported(err, "textures without texels");
        for (int32_t y = 0; y < level->height; y++) {
            uint8_t *row = out->rgba8[i] + (size_t)y * (size_t)level->width * 4;
            if (joined)
                copy_joined_row(joined, slot, m, i, y, row);
            else
                copy_row(m, level, y, row);
        }
    }
    return ZT_OK;
}

static zt_result take_material(const model_material *from, int32_t first_texture,
                               peer_material *out, zt_error *err)
{
    const model_slot *slots[PEER_MAPS] = {
        [PEER_BASE] = &from->base_map,         [PEER_METAL_ROUGH] = &from->metal_rough_map,
        [PEER_NORMAL] = &from->normal_map,     [PEER_OCCLUSION] = &from->occlusion_map,
        [PEER_EMISSIVE] = &from->emissive_map,
    };
    if (from->alpha != MODEL_OPAQUE || from->vertex_color)
        return unsupported(err, "transparency and vertex colours");
    *out = (peer_material){.metallic = from->metallic,
                           .roughness = from->roughness,
                           .normal_scale = from->normal_scale,
                           .occlusion_strength = from->occlusion_strength,
                           .double_sided = from->double_sided};
    if (from->specular != 1.0f || from->specular_map.texture >= 0 ||
        from->specular_color_map.texture >= 0)
        return unsupported(err, "specular factors and maps");
    out->unlit = from->unlit;
    for (int i = 0; i < 3; i++) {
        out->base_color[i] = from->base_color[i];
        out->f0[i] = from->f0[i];
        // The peer's shader for them shows what shines.
        out->emissive[i] = from->unlit ? from->base_color[i] : from->emissive[i];
    }
    for (int i = 0; i < PEER_MAPS; i++) {
        if (slots[i]->texture >= 0 && (slots[i]->uv_set != 0 || slots[i]->transformed))
            return unsupported(err, "second or transformed texture coordinates");
        out->map[i] = slots[i]->texture < 0 ? -1 : first_texture + slots[i]->texture;
        out->unlit = out->unlit && slots[i]->texture < 0;
    }
    return ZT_OK;
}

/// All models' textures and materials in the order in which pose numbers the materials.
static zt_result take_models(held_scene *h, const frame_pose *pose, zt_error *err)
{
    const zt_scene *scene = h->scene;
    peer_scene *p = &h->public;
    size_t textures = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        textures += scene->instances[i].model->texture_count;
    p->textures = ARENA_ARRAY(&h->keep, peer_texture, textures);
    p->materials = ARENA_ARRAY(&h->keep, peer_material, pose->material_count);
    if (!p->textures || !p->materials)
        return arena_fail(&h->keep, err, "materials of a peer");
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const zt_model *model = scene->instances[i].model;
        if (pose->first_material[i] != p->material_count)
            continue; // shares those of an earlier instance
        const int32_t first = (int32_t)p->texture_count;
        for (uint32_t t = 0; t < model->texture_count; t++)
            ZT_TRY(take_texture(&h->keep, model, t, &p->textures[p->texture_count++], err));
        for (uint32_t m = 0; m < model->material_count; m++)
            ZT_TRY(take_material(&model->materials[m], first, &p->materials[p->material_count++],
                                 err));
    }
    return ZT_OK;
}

static void take_vertices(const model_mesh *mesh, peer_vertex *out)
{
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const vertex_position *at = &mesh->position[i];
        const vertex_attributes *a = &mesh->attributes[i];
        out[i] = (peer_vertex){.position = {at->x, at->y, at->z},
                               .normal = {a->nx, a->ny, a->nz},
                               .tangent = {a->tx, a->ty, a->tz, 1.0f},
                               .uv = {a->u, a->v}};
        for (int k = 0; k < 4 && mesh->joints; k++) {
            out[i].joint[k] = mesh->joints[i].joint[k];
            out[i].weight[k] = mesh->weights[i].weight[k];
        }
    }
    for (uint32_t m = 0; m < mesh->meshlet_count; m++)
        for (uint32_t k = 0; k < mesh->meshlets[m].vertex_count; k++)
            out[mesh->meshlet_vertex[mesh->meshlets[m].vertex_first + k]].tangent[3] =
                mesh->meshlets[m].left_handed ? -1.0f : 1.0f;
}

/// Indices in the order of the file's triangles, and a run wherever the material changes.
static void take_triangles(const model_mesh *mesh, uint32_t first_material, peer_draw *out)
{
    for (uint32_t m = 0; m < mesh->meshlet_count; m++) {
        const meshlet *let = &mesh->meshlets[m];
        const uint32_t material = first_material + let->material;
        if (out->run_count == 0 || out->runs[out->run_count - 1].material != material)
            out->runs[out->run_count++] = (peer_run){out->index_count, 0, material};
        for (uint32_t t = 0; t < let->triangle_count; t++)
            for (int k = 0; k < 3; k++) {
                const uint8_t local = mesh->meshlet_corner[k][let->triangle_first + t];
                out->indices[out->index_count++] = mesh->meshlet_vertex[let->vertex_first + local];
            }
        out->runs[out->run_count - 1].index_count += let->triangle_count * 3u;
    }
}

static zt_result take_draw(arena *a, const geometry_draw *from, peer_draw *out, zt_error *err)
{
    const model_mesh *mesh = from->mesh;
    if (from->normals != from->palette)
        return unsupported(err, "joints that scale non-uniformly");
    *out = (peer_draw){.skinned = from->skinned,
                       .mirrored = from->mirrored,
                       .matrix_count = from->matrix_count,
                       .vertex_count = mesh->vertex_count};
    out->vertices = ARENA_ARRAY_RAW(a, peer_vertex, mesh->vertex_count);
    out->indices = ARENA_ARRAY_RAW(a, uint32_t, (size_t)mesh->triangle_count * 3);
    out->runs = ARENA_ARRAY_RAW(a, peer_run, mesh->meshlet_count);
    if (!out->vertices || !out->indices || !out->runs)
        return arena_fail(a, err, "triangles of a peer");
    take_vertices(mesh, out->vertices);
    take_triangles(mesh, from->first_material, out);
    return ZT_OK;
}

/// The environment, made as a renderer makes it, and the shadow of the first light.
static zt_result take_light(held_scene *h, const frame_pose *pose, job_pool *pool, zt_error *err)
{
    const zt_scene *scene = h->scene;
    const frame_time start = scene_frame_time(scene, 0);
    peer_scene *p = &h->public;
    shade_frame shade = {0};
    frame_light_set lights;
    environment made;
    ZT_TRY(frame_lights(scene, pose, start, NULL, &h->frame, &shade, &lights, err));
    for (uint32_t i = 0; i < lights.count; i++) {
        if (!lights.lights[i].shadow)
            continue;
        if (i > 0 || lights.lights[i].scene->direction.key_count > 1 ||
            lights.lights[i].scene->has_target)
            return unsupported(err, "shadows of moving lights and of others than the first");
        peer_shadow_view(&h->framing, lights.lights[i].source.direction, 2048, &p->shadow);
    }
    p->has_cube = scene->lighting.environment == SCENE_ENVIRONMENT_IMAGE;
    if (!p->has_cube)
        return ZT_OK;
    const hdr_picture *from = &scene->own_environment.picture;
    const environment_sizes sizes = environment_sizes_for(from->height);
    ZT_TRY(environment_build(kernels_best(ZT_ISA_BEST)->environment, from, NULL, &sizes, pool,
                             &h->frame, &made, err));
    ZT_TRY(frame_environment(scene, &made, start, 0.0, &h->frame, &shade, err));
    return peer_cube_build(shade.environment, &h->keep, &p->cube, err);
}

static zt_result take_scene(held_scene *h, zt_error *err)
{
    const zt_scene *scene = h->scene;
    peer_scene *p = &h->public;
    if (scene->lighting.tone_map != TONE_MAP_NEUTRAL || scene->transparent)
        return unsupported(err, "other tone maps than neutral and transparent backgrounds");
    if (scene->light_count > PEER_LIGHTS)
        return unsupported(err, "that many lights");
    for (uint32_t i = 0; i < scene->light_count; i++)
        if (scene->lights[i].kind != MODEL_LIGHT_DIRECTIONAL)
            return unsupported(err, "other than directional lights");
    frame_pose pose;
    film_settings film;
    job_pool *pool = NULL;
    ZT_TRY(frame_pose_build(kernels_best(ZT_ISA_BEST)->pose, scene, scene_frame_time(scene, 0),
                            &h->frame, &pose, err));
    ZT_TRY(job_pool_create(1, &pool, err));
    zt_result lit = scene_framing_find(kernels_best(ZT_ISA_BEST), scene, NULL, pool, 1, &h->budget,
                                       &h->framing, err);
    if (lit == ZT_OK)
        lit = take_light(h, &pose, pool, err);
    job_pool_destroy(pool);
    ZT_TRY(lit);
    ZT_TRY(take_models(h, &pose, err));
    p->draws = ARENA_ARRAY(&h->keep, peer_draw, pose.draw_count);
    h->palette = ARENA_ARRAY_RAW(&h->keep, const float *, pose.draw_count);
    if (!p->draws || !h->palette)
        return arena_fail(&h->keep, err, "draws of a peer");
    for (uint32_t i = 0; i < pose.draw_count; i++)
        ZT_TRY(take_draw(&h->keep, &pose.draws[i], &p->draws[i], err));
    p->draw_count = pose.draw_count;
    p->light_count = (int32_t)scene->light_count;
    p->width = scene->width;
    p->height = scene->height;
    p->samples = scene->samples;
    frame_film(scene, &film);
    p->exposure = film.exposure;
    memcpy(p->background, film.background, sizeof p->background);
    return ZT_OK;
}

zt_result peer_scene_build(const zt_scene *scene, peer_scene **out, zt_error *err)
{
    held_scene *h = calloc(1, sizeof *h);
    if (!h)
        return zt_fail(err, ZT_ERR_MEMORY, "out of memory");
    h->scene = scene;
    budget_init(&h->budget, 0, NULL);
    arena_init(&h->keep, &h->budget);
    arena_init(&h->frame, &h->budget);
    const zt_result result = take_scene(h, err);
    *out = &h->public;
    if (result != ZT_OK) {
        peer_scene_destroy(*out);
        *out = NULL;
    }
    return result;
}

/// Homogeneous pixels (X, Y, w) -> clip space with y downwards and an infinite far plane:
/// z = w - 2 near, so that z / w grows from -1 at the near plane to 1.
static void clip_matrix(const view_transform *t, float out[16])
{
    for (int c = 0; c < 4; c++) {
        out[c * 4 + 0] = 2.0f * t->row_x[c] / t->width - t->row_w[c];
        out[c * 4 + 1] = 2.0f * t->row_y[c] / t->height - t->row_w[c];
        out[c * 4 + 2] = t->row_w[c] - (c == 3 ? 2.0f * t->near_w : 0.0f);
        out[c * 4 + 3] = t->row_w[c];
    }
}

zt_result peer_scene_frame(peer_scene *scene, int64_t frame, peer_frame *out, zt_error *err)
{
    held_scene *h = (held_scene *)scene;
    frame_pose pose;
    camera_points points;
    view_camera camera;
    screen_view v;
    shade_frame shade;
    frame_light_set lights;
    arena_reset(&h->frame);
    const frame_time time = scene_frame_time(h->scene, frame);
    ZT_TRY(
        frame_pose_build(kernels_best(ZT_ISA_BEST)->pose, h->scene, time, &h->frame, &pose, err));
    ZT_TRY(scene_camera_points(kernels_best(ZT_ISA_BEST)->pose, h->scene, time, h->frame.budget,
                               &points, err));
    scene_camera_at(h->scene, &h->framing, time, &points, pose.world_from_node,
                    (const model_property_value *const *)pose.properties, &camera);
    if (camera.orthographic)
        return unsupported(err, "orthographic cameras");
    view_build(&camera, scene->width, scene->height, &v);
    ZT_TRY(frame_lights(h->scene, &pose, time, NULL, &h->frame, &shade, &lights, err));
    clip_matrix(&v.transform, out->clip_from_world);
    memcpy(out->eye, v.origin, sizeof out->eye);
    memcpy(out->sky, shade.sky, sizeof out->sky);
    memcpy(out->ground, shade.ambient_below, sizeof out->ground);
    for (int32_t i = 0; i < scene->light_count; i++) {
        memcpy(out->lights[i].to_light, shade.lights[i].to_light, sizeof out->lights[i].to_light);
        memcpy(out->lights[i].radiance, shade.lights[i].radiance, sizeof out->lights[i].radiance);
    }
    for (uint32_t i = 0; i < scene->draw_count; i++)
        h->palette[i] = &pose.draws[i].palette[0].column[0][0];
    out->palette = h->palette;
    return ZT_OK;
}

void peer_scene_destroy(peer_scene *scene)
{
    held_scene *h = (held_scene *)scene;
    if (!h)
        return;
    arena_finish(&h->frame);
    arena_finish(&h->keep);
    free(h);
}
