// SPDX-License-Identifier: MIT
// The things of two models with their keys, in the order in which they are reported.
#include "base/hash.h"
#include "base/maths.h"
#include "diff/diff_parts.h"
#include "render/renderer.h"

static zt_result list_nodes(differ *d, int side)
{
    const zt_model *m = d->model[side];
    diff_things *t = &d->nodes;
    ZT_TRY(LIST(d, t, side, m->node_count, m->nodes));
    for (uint32_t i = 0; i < m->node_count; i++) {
        const model_node *node = &m->nodes[i];
        const model_mesh *mesh = node->mesh < 0 ? NULL : &m->meshes[node->mesh];
        const uint64_t above = node->parent < 0 ? HASH_START : t->key[side][node->parent][KEY_PATH];
        const bool silent = node->helper || !node->name[0];
        uint64_t *key = t->key[side][i], shape = HASH_START;
        const double at[] = {d->world[side][i].t.x, d->world[side][i].t.y, d->world[side][i].t.z};
        for (int k = 0; k < 3; k++) {
            // Cells do not end at round numbers.
            const float cell = (float)floor(at[k] / (1e-4 * d->size) + 0.381966);
            shape = hash_floats(shape, &cell, 1);
        }
        key[KEY_SHAPE] = hash_number(shape, mesh ? mesh->triangle_count : 0);
        key[KEY_PATH] = silent ? above : hash_text(hash_number(above, '/'), node->name);
        key[KEY_BOTH] = 3 * key[KEY_PATH] ^ key[KEY_SHAPE];
        key[KEY_NAME] *= !silent;
        // Each format has nodes without anything of its own.
        t->silent[side][i] =
            !mesh && node->camera < 0 && node->light < 0 && (silent || !d->same_format);
    }
    return ZT_OK;
}

/// Places and sizes of nodes, and names of all.
static zt_result list_things(differ *d, int side)
{
    const zt_model *m = d->model[side];
    ZT_TRY(ARENA_TAKE_RAW(d->a, &d->world[side], m->node_count, "nodes", d->err));
    model_place_nodes(m, NULL, d->world[side]);
    for (uint32_t i = 0; i < m->node_count; i++) {
        const model_mesh *mesh = m->nodes[i].mesh < 0 ? NULL : &m->meshes[m->nodes[i].mesh];
        const affine at = m->nodes[i].skin < 0 ? d->world[side][i] : affine_identity();
        for (int k = 0; mesh && k < 2; k++) {
            const dvec3 end =
                dvec3_add(mesh->middle, dvec3_from_floats(k ? mesh->bounds_max : mesh->bounds_min));
            d->size = maths_max(d->size, dvec3_largest(affine_point(&at, end)));
        }
    }
    ZT_TRY(LIST(d, &d->materials, side, m->material_count, m->materials));
    for (uint32_t i = 0; i < m->material_count; i++) {
        uint64_t *key = d->materials.key[side][i];
        const model_material *x = &m->materials[i];
        const size_t numbers =
            offsetof(model_material, base_map) - offsetof(model_material, base_color);
        const uint64_t hash = hash_words(key[KEY_NAME], x->base_color, numbers);
        key[KEY_BOTH] = hash_words(hash, &x->extensions, offsetof(material_extensions, map));
        d->materials.silent[side][i] = x->plain;
    }
    const model_asset_info *info = d->same_format ? m->asset_info : NULL;
    ZT_TRY(diff_things_list(d, &d->extensions, side, info ? info->used.count : 0,
                            info ? info->used.text : NULL, sizeof(char *)));
    return LIST(d, &d->clips, side, m->clip_count, m->clips);
}

zt_result model_diff(const zt_model *old_model, const zt_model *new_model, bool strict_names,
                     arena *a, model_changes *out, zt_error *err)
{
    const zt_model *m = old_model;
    differ d = {.model = {m, new_model},
                .strict = strict_names,
                .same_format = m->format == new_model->format,
                .a = a,
                .err = err,
                .size = 1e-9,
                .nodes = {.kind = "node"},
                .materials = {.kind = "material"},
                .clips = {.kind = "clip"},
                .extensions = {.kind = "extension"},
                .worst_s = (double)NAN,
                .out = out};
    const uint32_t counts[] = {m->mesh_count, m->skin_count, m->camera_count, m->light_count};
    *out = (model_changes){0};
    for (int i = 0; i < 4; i++)
        ZT_TRY(ARENA_TAKE(a, &d.told[i], counts[i], "nodes", err));
    ZT_TRY(ARENA_TAKE(a, &d.texture, m->texture_count, "textures", err));
    for (int side = 0; side < 2; side++)
        ZT_TRY(list_things(&d, side));
    for (int side = 0; side < 2; side++)
        ZT_TRY(list_nodes(&d, side));
    ZT_TRY(diff_things_pair(&d, &d.materials));
    ZT_TRY(diff_things_pair(&d, &d.nodes));
    ZT_TRY(diff_things_pair(&d, &d.clips));
    ZT_TRY(diff_things_pair(&d, &d.extensions));
    ZT_TRY(diff_things_tell(&d, &d.nodes, diff_node));
    ZT_TRY(diff_things_tell(&d, &d.materials, diff_material));
    ZT_TRY(diff_things_tell(&d, &d.clips, diff_clip));
    return diff_things_tell(&d, &d.extensions, NULL);
}

zt_result model_diff_frame(zt_renderer *renderer, zt_scene *const scenes[2], zt_error *err)
{
    scene_instance both[2] = {scenes[0]->instances[0], scenes[1]->instances[0]};
    zt_scene scene = *scenes[0];
    scene_framing framing;
    scene.instances = both;
    scene.instance_count = 2;
    scene.ordered_count = scene.pose_run_count = 0;
    ZT_TRY(scene_framing_find(renderer->kernels, &scene, NULL, renderer->pool,
                              renderer->worker_count, &renderer->budget, &framing, err));
    for (int i = 0; i < 2; i++) {
        scene_camera *camera = &scenes[i]->camera;
        camera->target_auto = camera->distance_auto = false;
        if (!track_constant(&scenes[i]->arena, framing.target, 3, &camera->target.at) ||
            !track_constant(&scenes[i]->arena, &framing.distance, 1, &camera->distance))
            return arena_fail(&scenes[i]->arena, err, "camera");
        scenes[i]->edit_stamp = job_clock_ns();
    }
    return ZT_OK;
}
