// SPDX-License-Identifier: MIT
/// The things of two models with their keys, in the order of the report; clips by what they do.
#include "base/hash.h"
#include "base/maths.h"
#include "diff/diff_parts.h"
#include "pose/pose.h"
#include "render/renderer.h"

// ---- Keys ---------------------------------------------------------------------------------------

/// By path and place, path, name, then place and shape.
static void key_node(const differ *d, int side, uint32_t i, diff_thing *thing)
{
    const zt_model *m = d->model[side];
    const model_node *node = &m->nodes[i];
    const model_mesh *mesh = node->mesh < 0 ? NULL : &m->meshes[node->mesh];
    const bool silent = node->helper || !node->name[0];
    const uint64_t above = node->parent < 0 ? HASH_START : (thing - i)[node->parent].key[KEY_PATH];
    const double *at = &d->world[side][i].t.x;
    uint64_t *key = thing->key, shape = HASH_START;
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
    thing->silent = !mesh && node->camera < 0 && node->light < 0 && (silent || !d->same_format);
}

/// By name and values, name, then values.
static void key_material(const differ *d, int side, uint32_t i, diff_thing *thing)
{
    const model_material *x = &d->model[side]->materials[i];
    const int32_t map = x->base_map.texture;
    const size_t numbers =
        offsetof(model_material, base_map) - offsetof(model_material, base_color);
    uint64_t values = hash_words(HASH_START, x->base_color, numbers);
    values = hash_words(values, &x->extensions, offsetof(material_extensions, map));
    if (map >= 0 && d->model[side]->textures[map].name)
        values = hash_text(values, d->model[side]->textures[map].name);
    thing->key[KEY_SHAPE] = values;
    thing->key[KEY_BOTH] = 3 * thing->key[KEY_NAME] ^ values;
    thing->silent = x->plain;
}

/// By name, then by keys.
static void key_clip(const differ *d, int side, uint32_t i, diff_thing *thing)
{
    const model_clip *clip = &d->model[side]->clips[i];
    for (const model_channel *x = clip->channels; x < clip->channels + clip->channel_count; x++) {
        const size_t size = x->key_count * sizeof(float); // of values at least
        const uint64_t times = hash_words(HASH_START + x->path, x->time_s, size);
        thing->key[KEY_SHAPE] += hash_words(times, x->value, size);
    }
}

/// Places of nodes, and the size of the model.
static zt_result place_nodes(differ *d, int side)
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
    return ZT_OK;
}

/// Formats differ in what they keep of a material that no triangle has.
static void silence_unused(const differ *d, int side)
{
    const zt_model *m = d->model[side];
    diff_thing *list = d->things[DIFF_MATERIALS].list[side];
    for (uint32_t i = 0; i < m->material_count; i++)
        list[i].silent = true;
    for (const model_mesh *mesh = m->meshes; mesh < m->meshes + m->mesh_count; mesh++)
        for (uint32_t i = 0; i < mesh->meshlet_count; i++)
            list[mesh->meshlets[i].material].silent =
                m->materials[mesh->meshlets[i].material].plain;
}

static zt_result list_things(differ *d, int side)
{
    static void (*const keys[])(const differ *, int, uint32_t,
                                diff_thing *) = {key_node, key_material, key_clip};
    const zt_model *m = d->model[side];
    const model_asset_info *info = d->same_format ? m->asset_info : NULL;
    const model_texts none = {0}, *used = info ? &info->used : &none;
    diff_things *t = d->things;
    ZT_TRY(diff_list(d, &t[DIFF_NODES], side, m->node_count, m->nodes, sizeof *m->nodes));
    ZT_TRY(diff_list(d, &t[DIFF_MATERIALS], side, m->material_count, m->materials,
                     sizeof *m->materials));
    ZT_TRY(diff_list(d, &t[DIFF_CLIPS], side, m->clip_count, m->clips, sizeof *m->clips));
    ZT_TRY(diff_list(d, &t[DIFF_EXTENSIONS], side, used->count, used->text, sizeof *used->text));
    for (int kind = DIFF_NODES; kind <= DIFF_CLIPS; kind++)
        for (uint32_t i = 0; i < t[kind].count[side]; i++)
            keys[kind](d, side, i, &t[kind].list[side][i]);
    if (!d->same_format)
        silence_unused(d, side);
    return ZT_OK;
}

// ---- Clips --------------------------------------------------------------------------------------

/// Frames, steps after which keys are left out, and a bit besides those 1 << model_path of a node.
enum { FRAMES = 64, KEY_STEPS_MAX = 1 << 24, TOLD = 0x80 };
#define SAME_MOTION 2e-3 ///< of clip_distance(), with weights

/// By node of the old model what clips move of it and, at its paths, where their keys differ.
typedef struct clip_change {
    uint8_t *moves;
    uint64_t *differs, properties; ///< 0: the same keys
    uint64_t steps;
    uint32_t moved, node; ///< node: of the new model, which moves most otherwise
    double far, at_s;
} clip_change;

/// A clip of a model at a time.
typedef struct clip_side {
    const zt_model *model;
    const model_clip *clip;
    float at_s;
    long long keys, weights; ///< weights: channels that move those of morph targets
    trs *local;
    affine *world;
    float *morphs; ///< memory for weights
} clip_side;

static uint64_t hash_keys(uint64_t hash, const model_channel *c, uint32_t width)
{
    const size_t size = c->key_count * sizeof(float);
    hash = hash_words(hash_number(hash, c->interpolation), c->time_s, size);
    return hash_words(hash, c->value, size * width * (c->interpolation == MODEL_CUBIC ? 3 : 1));
}

static zt_result open_side(differ *d, int side, uint32_t clip, clip_change *change, clip_side *out)
{
    const zt_model *m = d->model[side];
    const model_clip *c = &m->clips[clip];
    uint32_t morphs = 0;
    *out = (clip_side){.model = m, .clip = c};
    for (uint32_t k = 0; k < m->mesh_count; k++)
        morphs = m->meshes[k].morph_count > morphs ? m->meshes[k].morph_count : morphs;
    ZT_TRY(ARENA_TAKE_RAW(&d->scratch, &out->local, m->node_count, "clips", d->err));
    ZT_TRY(ARENA_TAKE_RAW(&d->scratch, &out->world, m->node_count, "clips", d->err));
    ZT_TRY(ARENA_TAKE_RAW(&d->scratch, &out->morphs, morphs, "clips", d->err));
    for (uint32_t k = 0; k < c->channel_count; k++) {
        const model_channel *channel = &c->channels[k];
        const int32_t mesh = m->nodes[channel->node].mesh;
        const uint32_t pair = d->things[DIFF_NODES].list[side][channel->node].partner;
        ZT_TRY(arena_work(&d->scratch, 4 * (uint64_t)channel->key_count, "clips", d->err));
        out->keys += channel->key_count;
        out->weights += channel->path == MODEL_WEIGHTS;
        if (pair == DIFF_NONE)
            continue;
        const uint32_t old = side ? pair : (uint32_t)channel->node;
        const uint32_t width = channel->path != MODEL_WEIGHTS ? trs_width((int)channel->path)
                               : mesh < 0                     ? 0
                                                              : m->meshes[mesh].morph_count;
        const uint64_t keys = hash_keys(HASH_START, channel, width);
        change->moves[old] |= (uint8_t)(1 << channel->path);
        change->differs[4 * (size_t)old + channel->path] += side ? 0 - keys : keys;
    }
    for (uint32_t k = 0; k < c->property_channel_count; k++) {
        const model_property_channel *x = &c->property_channels[k];
        const model_property *p = &m->properties[x->property];
        ZT_TRY(arena_work(&d->scratch, 4 * (uint64_t)x->keys.key_count, "clips", d->err));
        const uint64_t keys = hash_keys(HASH_START + p->owner + p->offset, &x->keys, p->width);
        change->properties += side ? 0 - keys : keys;
    }
    return ZT_OK;
}

/// The distance of what the clips move of two nodes, bits 1 << model_path.
static double clip_distance(const differ *d, const clip_side side[2], uint8_t moves, uint32_t a,
                            uint32_t b)
{
    const uint32_t node[2] = {a, b};
    uint32_t count[2] = {0, 0};
    model_node x = side[0].model->nodes[a], y = side[1].model->nodes[b];
    x.rest = y.rest = side[1].local[b];
    for (int path = MODEL_TRANSLATION; path <= MODEL_SCALE; path++)
        if (moves >> path & 1)
            memcpy(trs_part(&x.rest, path), trs_const_part(&side[0].local[a], path),
                   trs_width(path) * sizeof(float));
    const affine step = model_rest_step(&x), other = model_rest_step(&y);
    // In other formats parents differ, too.
    double far = maths_min(diff_distance(d, &step, &other),
                           diff_distance(d, &side[0].world[a], &side[1].world[b]));
    for (int i = 0; i < 2 && moves >> MODEL_WEIGHTS & 1; i++) {
        const int32_t mesh = side[i].model->nodes[node[i]].mesh;
        count[i] = mesh < 0 ? 0 : side[i].model->meshes[mesh].morph_count;
        if (count[i] == 0)
            return far;
        pose_morph_rest(side[i].model, node[i], side[i].morphs);
        pose_morph_sample(side[i].model, node[i], side[i].clip, side[i].at_s, side[i].morphs);
    }
    for (uint32_t k = 0; k < count[0] && count[0] == count[1]; k++)
        far = maths_max(far, fabs((double)side[0].morphs[k] - (double)side[1].morphs[k]));
    return far;
}

/// Poses both at a time from their starts.
static zt_result compare_poses(differ *d, clip_side side[2], double time_s, clip_change *out)
{
    for (clip_side *s = side; s < side + 2; s++) {
        const uint64_t steps =
            s->model->node_count + s->clip->channel_count * (1 + (uint64_t)s->weights);
        ZT_TRY(arena_work(&d->scratch, steps, "clips", d->err));
        out->steps += steps;
        s->at_s = (float)((double)s->clip->start_s + time_s);
        model_sample_clip(s->model, s->clip, s->at_s, s->local);
        model_place_nodes(s->model, s->local, s->world);
    }
    for (uint32_t n = 0; n < d->model[0]->node_count; n++) {
        const uint32_t pair = d->things[DIFF_NODES].list[0][n].partner;
        uint8_t *moves = &out->moves[n];
        const double far = *moves ? clip_distance(d, side, *moves, n, pair) : 0.0;
        out->moved += far > SAME_MOTION && !(*moves & TOLD);
        *moves |= far > SAME_MOTION ? TOLD : 0;
        if (far > out->far) {
            out->far = far;
            out->at_s = time_s;
            out->node = pair;
        }
    }
    return ZT_OK;
}

/// A little behind each key that differs: at it a step may have either value.
static zt_result compare_keys(differ *d, clip_side side[2], int i, double length, clip_change *out)
{
    const model_clip *clip = side[i].clip;
    for (const model_channel *c = clip->channels; c < clip->channels + clip->channel_count; c++) {
        const uint32_t pair = d->things[DIFF_NODES].list[i][c->node].partner;
        const size_t old = i ? pair : (uint32_t)c->node;
        if (pair == DIFF_NONE || out->differs[4 * old + c->path] == 0)
            continue;
        for (uint32_t k = 0; k < c->key_count; k++) {
            const double at_s = (double)c->time_s[k] - (double)clip->start_s + 1e-4;
            if (at_s <= length && out->steps < KEY_STEPS_MAX)
                ZT_TRY(compare_poses(d, side, at_s, out));
        }
    }
    return ZT_OK;
}

static zt_result diff_clip(differ *d, uint32_t a, uint32_t b)
{
    const model_clip *x = &d->model[0]->clips[a], *y = &d->model[1]->clips[b];
    const double length = (double)x->end_s - (double)x->start_s;
    const double other = (double)y->end_s - (double)y->start_s, least = maths_min(length, other);
    const bool longer = fabs(length - other) > 1e-4;
    const uint32_t count = d->model[0]->node_count;
    clip_side side[2];
    clip_change change = {.far = SAME_MOTION, .at_s = (double)NAN};
    arena_reset(&d->scratch);
    ZT_TRY(ARENA_TAKE(&d->scratch, &change.moves, count, "clips", d->err));
    ZT_TRY(ARENA_TAKE(&d->scratch, &change.differs, 4 * (size_t)count, "clips", d->err));
    ZT_TRY(open_side(d, 0, a, &change, &side[0]));
    ZT_TRY(open_side(d, 1, b, &change, &side[1]));
    for (int frame = 0; frame < FRAMES; frame++)
        ZT_TRY(compare_poses(d, side, least * frame / (FRAMES - 1), &change));
    for (int i = 0; i < 2; i++)
        ZT_TRY(compare_keys(d, side, i, least, &change));
    if (longer)
        diff_say(d, "length %.4g s -> %.4g s", length, other);
    if (change.moved > 0)
        diff_say(d, "other motion, most of '%.100s' at %.3g s (nodes: %u of %u)",
                 d->model[1]->nodes[change.node].name, change.at_s, change.moved, count);
    if (change.properties != 0)
        diff_say(d, "other values of moved properties");
    if (longer || change.moved > 0)
        diff_say(d, "%lld -> %lld keys", side[0].keys, side[1].keys);
    const char *name = d->things[DIFF_CLIPS].list[0][a].name; // both are found by it
    if (name[0] && strcmp(name, d->things[DIFF_CLIPS].list[1][b].name) == 0)
        d->worst_s = change.at_s;
    return ZT_OK;
}

// ---- Models -------------------------------------------------------------------------------------

static zt_result diff_all(differ *d)
{
    const zt_model *m = d->model[0];
    // A node has a mesh, a camera and a light, a material its maps.
    const size_t pairs = (size_t)m->node_count * PART_TEXTURE +
                         (size_t)m->material_count * (7 + MATERIAL_EXTENSION_MAP_COUNT);
    if (!hash_table_init(&d->told, d->a, pairs))
        return arena_fail(d->a, d->err, "pairs");
    ZT_TRY(ARENA_TAKE_RAW(d->a, &d->pairs, d->told.mask + 1, "pairs", d->err));
    for (int side = 0; side < 2; side++)
        ZT_TRY(place_nodes(d, side));
    for (int side = 0; side < 2; side++)
        ZT_TRY(list_things(d, side));
    for (int i = 0; i < DIFF_KINDS; i++)
        ZT_TRY(diff_pair(d, &d->things[i]));
    ZT_TRY(diff_tell_all(d, &d->things[DIFF_NODES], "node", diff_node));
    ZT_TRY(diff_tell_all(d, &d->things[DIFF_MATERIALS], "material", diff_material));
    ZT_TRY(diff_tell_all(d, &d->things[DIFF_CLIPS], "clip", diff_clip));
    return diff_tell_all(d, &d->things[DIFF_EXTENSIONS], "extension", NULL);
}

zt_result model_diff(const zt_model *old_model, const zt_model *new_model, bool strict_names,
                     arena *a, model_changes *out, zt_error *err)
{
    differ d = {.model = {old_model, new_model},
                .strict = strict_names,
                .same_format = old_model->format == new_model->format,
                .a = a,
                .err = err,
                .size = 1e-9,
                .worst_s = (double)NAN,
                .out = out};
    *out = (model_changes){0};
    arena_init(&d.scratch, a->budget);
    const zt_result result = diff_all(&d);
    arena_finish(&d.scratch);
    return result;
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
