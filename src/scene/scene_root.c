// SPDX-License-Identifier: MIT
/// Root motion: a clip's root joint and the heading of its rotation keys about the model's +Y.
#include "base/maths.h"
#include "base/quat.h"
#include "retarget/foot_speed.h"
#include "scene/scene_build.h"

#include <math.h>

/// The time for which feet may stand at the end of a clip without a warning: a frame or two.
#define STANDING_S 0.1

/// The channel of `node`, or of the first node with one (-1). The last of a node wins.
static const model_channel *root_channel(const model_clip *clip, model_path path, int32_t node)
{
    const model_channel *best = NULL;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const model_channel *c = &clip->channels[i];
        if (c->path == path && (node < 0 || c->node == node) && (!best || c->node <= best->node))
            best = c;
    }
    return best;
}

double scene_root_heading(const scene_root *root, const float q[4], double out_half[2])
{
    const float *first = root->rotation->value;
    if (root->rotation->interpolation == MODEL_CUBIC)
        first += 4;
    // The part of the rotation from the first key to q that is about `up`: the twist.
    const quat r = quat_multiply(quat_from_floats(q), quat_conjugate(quat_from_floats(first)));
    const double along = dvec3_dot(root->up, (dvec3){r.x, r.y, r.z});
    const double length = sqrt(r.w * r.w + along * along);
    // A swing by 180 degrees has no twist of its own: 0.
    const bool has_twist = length > 1e-9;
    out_half[0] = has_twist ? r.w / length : 1.0;
    out_half[1] = has_twist ? along / length : 0.0;
    const double degrees = maths_atan2(out_half[1], out_half[0]) * (2.0 * MATHS_DEG_FROM_RAD);
    return degrees > 180.0 ? degrees - 360.0 : degrees <= -180.0 ? degrees + 360.0 : degrees;
}

/// The heading at each key since the first, unwrapped: keys differ by at most 180 degrees.
static zt_result unwrap_headings(zt_scene *scene, scene_root *root, zt_error *err)
{
    const model_channel *c = root->rotation;
    const bool spline = c->interpolation == MODEL_CUBIC;
    double *heading_deg;
    ZT_TRY(ARENA_TAKE_RAW(&scene->arena, &heading_deg, c->key_count, "root motion", err));
    double before = 0.0, half[2];
    for (size_t k = 0; k < c->key_count; k++) {
        const double heading =
            scene_root_heading(root, c->value + (spline ? 12 * k + 4 : 4 * k), half);
        before = heading + 360.0 * floor((before - heading) / 360.0 + 0.5);
        heading_deg[k] = before;
    }
    root->heading_deg = heading_deg;
    return ZT_OK;
}

zt_result scene_find_root(zt_scene *scene, const zt_model *model, const model_clip *clip,
                          int32_t node, bool heading, const scene_root **out, zt_error *err)
{
    const model_channel *channel = root_channel(clip, MODEL_TRANSLATION, node);
    const model_channel *rotation =
        heading ? root_channel(clip, MODEL_ROTATION, channel ? channel->node : node) : NULL;
    *out = NULL;
    if (!channel && !rotation)
        return ZT_OK;
    scene_root *root;
    ZT_TRY(ARENA_TAKE(&scene->arena, &root, 1, "root motion", err));
    root->node = channel ? channel->node : rotation->node;
    root->channel = channel;
    root->rotation = rotation;
    root->model_from_parent = model_rest_transform(model, model->nodes[root->node].parent);
    const dmat3 *m = &root->model_from_parent.m;
    root->mirrored = dmat3_determinant(m) < 0.0;
    root->up = (dvec3){m->x.y, m->y.y, m->z.y};
    if (!dvec3_normalize(&root->up, 0.0))
        return ZT_OK; // a parent of scale 0: no motion
    *out = root;
    return rotation ? unwrap_headings(scene, root, err) : ZT_OK;
}

/// A figure that goes on while its feet stand.
static void warn_of_standing(const zt_scene *scene, const zt_model *model, const model_clip *clip,
                             double end_s, double held_s)
{
    const message_sink sink = {scene->load.message, scene->load.message_user, scene->load.strict};
    if (held_s > STANDING_S)
        message_warn(&sink,
                     "clip '%.80s' of %.80s stands still from %.3f s to %.3f s, and moves over the "
                     "ground all the same (to: %.3f leaves that out)",
                     clip->name, path_name(model->path), end_s - held_s, end_s, end_s - held_s);
}

zt_result scene_find_foot_root(zt_scene *scene, const zt_model *model, const scene_layer *layer,
                               const int32_t *feet, uint32_t foot_count, const scene_root **out,
                               zt_error *err)
{
    const model_clip *clip = &model->clips[layer->clip];
    const double start_s = layer->has_range ? layer->from_s : (double)clip->start_s;
    const double end_s = layer->has_range ? layer->to_s : (double)clip->end_s;
    arena scratch;
    foot_speed found;
    *out = NULL;
    arena_init(&scratch, scene->arena.budget);
    zt_result result =
        model_foot_speed(model, clip, start_s, end_s, feet, foot_count, &scratch, &found, err);
    if (result == ZT_OK && found.foot_count == 0 && layer->has_range)
        result = model_foot_speed(model, clip, (double)clip->start_s, (double)clip->end_s, feet,
                                  foot_count, &scratch, &found, err);
    arena_finish(&scratch);
    if (result != ZT_OK || found.foot_count == 0)
        return result;
    scene_root *root;
    ZT_TRY(ARENA_TAKE(&scene->arena, &root, 1, "root motion", err));
    warn_of_standing(scene, model, clip, end_s, found.held_s);
    *root = (scene_root){.node = found.foot[0], .steady = true, .velocity = found.velocity};
    *out = root;
    return ZT_OK;
}
