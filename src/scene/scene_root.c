// SPDX-License-Identifier: MIT
/// Root motion: finds the root joint of a clip and the heading of each rotation key about the
/// model's +Y.
#include "base/maths.h"
#include "scene/scene_build.h"

#include <math.h>
#include <string.h>

/// The channel of `node`, or with -1 of the first node in the hierarchy that has one. The last
/// channel of a node wins, as in model_lay_out_motion.
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

/// model_from_node of the rest pose: three axes and the origin.
static void rest_space(const zt_model *model, int32_t node, double out[4][3])
{
    memset(out, 0, 12 * sizeof **out);
    for (int k = 0; k < 3; k++)
        out[k][k] = 1.0;
    for (; node >= 0; node = model->nodes[node].parent) {
        mat4 m;
        if (model->nodes[node].has_matrix)
            memcpy(m, model->nodes[node].matrix, sizeof m);
        else
            trs_to_mat4(&model->nodes[node].rest, m);
        for (int column = 0; column < 4; column++) {
            double v[3];
            memcpy(v, out[column], sizeof v);
            for (int row = 0; row < 3; row++)
                out[column][row] = (((double)m[0][row] * v[0] + (double)m[1][row] * v[1]) +
                                    (double)m[2][row] * v[2]) +
                                   (column == 3 ? (double)m[3][row] : 0.0);
        }
    }
}

static bool mirrors(const double m[4][3])
{
    const double x = m[1][1] * m[2][2] - m[1][2] * m[2][1];
    const double y = m[1][2] * m[2][0] - m[1][0] * m[2][2];
    const double z = m[1][0] * m[2][1] - m[1][1] * m[2][0];
    return (m[0][0] * x + m[0][1] * y) + m[0][2] * z < 0.0;
}

// ---- Headings -----------------------------------------------------------------------------------

double scene_root_heading(const scene_root *root, const float q[4], double out_half[2])
{
    const float *first = root->rotation->value;
    if (root->rotation->interpolation == MODEL_CUBIC)
        first += 4;
    const double a[4] = {(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
    const double b[4] = {-(double)first[0], -(double)first[1], -(double)first[2], (double)first[3]};
    // The twist of q first* about `up`.
    const double x = ((a[3] * b[0] + a[0] * b[3]) + a[1] * b[2]) - a[2] * b[1];
    const double y = ((a[3] * b[1] + a[1] * b[3]) + a[2] * b[0]) - a[0] * b[2];
    const double z = ((a[3] * b[2] + a[2] * b[3]) + a[0] * b[1]) - a[1] * b[0];
    const double w = ((a[3] * b[3] - a[0] * b[0]) - a[1] * b[1]) - a[2] * b[2];
    const double along = (root->up[0] * x + root->up[1] * y) + root->up[2] * z;
    const double length = sqrt(w * w + along * along);
    // A swing by 180 degrees has no twist of its own: 0.
    const bool twists = length > 1e-9;
    out_half[0] = twists ? w / length : 1.0;
    out_half[1] = twists ? along / length : 0.0;
    const double degrees =
        maths_atan2(out_half[1], out_half[0]) * (2.0 * 180.0 / 3.14159265358979323846);
    return degrees > 180.0 ? degrees - 360.0 : degrees <= -180.0 ? degrees + 360.0 : degrees;
}

/// The heading at each key since the first, unwrapped: keys differ by at most 180 degrees.
static zt_result unwrap_headings(zt_scene *scene, scene_root *root, zt_error *err)
{
    const model_channel *c = root->rotation;
    const bool spline = c->interpolation == MODEL_CUBIC;
    double *heading_deg = ARENA_ARRAY_RAW(&scene->arena, double, c->key_count);
    if (!heading_deg)
        return arena_fail(&scene->arena, err, "root motion");
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

// ---- Roots --------------------------------------------------------------------------------------

zt_result scene_find_root(zt_scene *scene, const zt_model *model, const model_clip *clip,
                          int32_t node, bool heading, const scene_root **out, zt_error *err)
{
    const model_channel *channel = root_channel(clip, MODEL_TRANSLATION, node);
    const model_channel *rotation =
        heading ? root_channel(clip, MODEL_ROTATION, channel ? channel->node : node) : NULL;
    *out = NULL;
    if (!channel && !rotation)
        return ZT_OK;
    scene_root *root = ARENA_ARRAY(&scene->arena, scene_root, 1);
    if (!root)
        return arena_fail(&scene->arena, err, "root motion");
    root->node = channel ? channel->node : rotation->node;
    root->channel = channel;
    root->rotation = rotation;
    rest_space(model, model->nodes[root->node].parent, root->model_from_parent);
    root->mirrored = mirrors((const double(*)[3])root->model_from_parent);
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        root->up[k] = root->model_from_parent[k][1];
        square += root->up[k] * root->up[k];
    }
    if (!(square > 0.0))
        return ZT_OK; // a parent of scale 0: no motion
    for (int k = 0; k < 3; k++)
        root->up[k] /= sqrt(square);
    *out = root;
    return rotation ? unwrap_headings(scene, root, err) : ZT_OK;
}
