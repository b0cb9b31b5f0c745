// SPDX-License-Identifier: MIT
/// See fbx_skin.h. A point follows a bone by world_from_bone Transform G, where Transform is the
/// cluster's, from the mesh as it was bound to the bone, and G the geometric transform. A cluster
/// without Transform has it from TransformLink, where the bone was, and the bind pose.
#include "fbx/fbx_skin.h"

#include "mesh/point_weights.h"

#include <string.h>

enum { JOINT_STEPS = 256, WEIGHT_STEPS = 16 };

/// A cluster, which many meshes may use.
typedef struct fbx_cluster {
    const fbx_node *node;
    int32_t bone;  ///< object; -1: none
    bool is_bound; ///< `own` is from the mesh as it was bound, not from its world then
    affine own;    ///< to the bone
} fbx_cluster;

static const fbx_walk clusters_of = {.deformer = "Skin", .held = "Cluster"};

static zt_result read_cluster(fbx_file *f, int32_t object, const fbx_cluster **out, zt_error *err)
{
    fbx_object *o = &f->scene.object[object];
    fbx_cluster *c;
    affine at_bone;
    *out = o->made;
    if (o->made)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE(f->lasting, &c, 1, "a skin", err));
    c->node = o->node;
    c->bone = fbx_first_child(&f->scene, object, FBX_MODEL, NULL);
    c->is_bound = fbx_matrix_read(&f->tree, fbx_child(o->node, "Transform"), &c->own, err);
    if (!c->is_bound) {
        c->own = affine_identity();
        c->is_bound =
            (!fbx_matrix_read(&f->tree, fbx_child(o->node, "TransformLink"), &at_bone, err) &&
             (c->bone < 0 || !fbx_matrix_read(&f->tree, f->bind_of[c->bone], &at_bone, err))) ||
            !affine_invert(&at_bone, &c->own);
    }
    o->made = *out = c;
    return f->tree.a->failed == ZT_OK ? ZT_OK : arena_fail(f->tree.a, err, "a skin");
}

static zt_result add_cluster(fbx_file *f, const fbx_cluster *c, uint16_t joint,
                             point_weights *points, uint32_t point_count, zt_error *err)
{
    const int32_t *index;
    const double *weight;
    uint32_t count, weights;
    ZT_TRY(fbx_ints(&f->tree, fbx_child(c->node, "Indexes"), &index, &count, err));
    ZT_TRY(fbx_doubles(&f->tree, fbx_child(c->node, "Weights"), &weight, &weights, err));
    ZT_TRY(arena_work(f->scratch, WEIGHT_STEPS * (uint64_t)count, "weights", err));
    for (uint32_t i = 0; i < count && i < weights; i++)
        if (index[i] >= 0 && (uint32_t)index[i] < point_count)
            f->lost_weights += point_weights_add(&points[index[i]], joint, (float)weight[i]);
    return ZT_OK;
}

/// The way in which the joints of a skin blend.
static zt_result read_type(fbx_file *f, int32_t skin, fbx_skin *out, zt_error *err)
{
    const char *type = fbx_text(&f->tree, fbx_child(f->scene.object[skin].node, "SkinningType"), 0);
    if (!type)
        return arena_fail(f->tree.a, err, "a skin");
    const bool blends = strcmp(type, "Blend") == 0;
    out->dual_quaternions = blends || strcmp(type, "DualQuaternion") == 0;
    return blends ? model_unsupported(&f->report, err,
                                      "a skin blends linear and dual quaternion skinning by "
                                      "vertex: all of it is skinned by dual quaternions")
                  : ZT_OK;
}

zt_result fbx_skin_read(fbx_file *f, fbx_geometry *g, fbx_skin *out, zt_error *err)
{
    fbx_walk w = clusters_of;
    const fbx_cluster *own;
    uint32_t capacity = 0;
    point_weights *points;
    *out = (fbx_skin){0};
    for (int32_t c; (c = fbx_walk_next(&f->scene, g->object, &w)) >= 0;) {
        ZT_TRY(read_cluster(f, c, &own, err));
        ZT_TRY(ARENA_GROW(f->lasting, out->cluster, out->cluster_count, capacity, "bones", err));
        out->cluster[out->cluster_count] = own;
        out->cluster_count += own->bone >= 0;
    }
    if (out->cluster_count == 0)
        return ZT_OK;
    ZT_TRY(read_type(f, fbx_first_child(&f->scene, g->object, FBX_DEFORMER, "Skin"), out, err));
    if (out->cluster_count >= MODEL_JOINT_LIMIT)
        return zt_fail(err, ZT_ERR_LIMIT, "%s: a mesh has %u bones (expected below %u)",
                       f->tree.path, out->cluster_count, MODEL_JOINT_LIMIT);
    ZT_TRY(ARENA_TAKE(f->scratch, &points, g->polygons.point_count, "weights", err));
    for (uint32_t i = 0; i < out->cluster_count; i++)
        ZT_TRY(add_cluster(f, out->cluster[i], (uint16_t)i, points, g->polygons.point_count, err));
    out->joint_count = out->cluster_count;
    return point_weights_finish(f->scratch, points, &out->joint_count, &g->polygons, err);
}

zt_result fbx_bind_poses_read(fbx_file *f, zt_error *err)
{
    const fbx_scene *s = &f->scene;
    ZT_TRY(ARENA_TAKE(f->lasting, &f->bind_of, s->object_count, "bind poses", err));
    for (uint32_t i = 1; i < s->object_count; i++) {
        const fbx_object *o = &s->object[i];
        if (!fbx_is_named(o->node, "Pose") || strcmp(o->type, "BindPose") != 0)
            continue;
        for (const fbx_node *n = fbx_child(o->node, "PoseNode"); n; n = fbx_next(o->node, n)) {
            ZT_TRY(arena_go_on(f->lasting, "bind poses", err));
            const int32_t object = fbx_find_object(s, fbx_child(n, "Node"), 0);
            if (object >= 0 && !f->bind_of[object])
                f->bind_of[object] = fbx_child(n, "Matrix");
        }
    }
    return f->tree.a->failed == ZT_OK ? ZT_OK : arena_fail(f->tree.a, err, "bind poses");
}

zt_result fbx_skin_keep(fbx_file *f, const fbx_skin *skin, const fbx_placed *placed, int32_t there,
                        const fbx_transform *geometric, model_skin *out, zt_error *err)
{
    const affine own = fbx_transform_affine(geometric);
    affine at_mesh;
    const bool is_posed = fbx_matrix_read(&f->tree, f->bind_of[placed->object], &at_mesh, err);
    int32_t *node;
    mat4 *bind;
    if (f->tree.a->failed != ZT_OK)
        return arena_fail(f->tree.a, err, "a skin");
    ZT_TRY(ARENA_TAKE(f->keep, &node, skin->joint_count, "a skin", err));
    ZT_TRY(ARENA_TAKE_RAW(f->keep, &bind, skin->joint_count, "a skin", err));
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        affine bound = affine_identity();
        node[i] = there >= 0 ? there : placed->scale_node;
        if (i < skin->cluster_count) {
            const fbx_cluster *c = skin->cluster[i];
            const int32_t bone = f->placed_of[c->bone]; // the root is not placed
            node[i] = bone >= 0 ? f->placed[bone].scale_node : FBX_ROOT;
            bound = c->is_bound || !is_posed ? c->own : affine_multiply(&c->own, &at_mesh);
        }
        ZT_TRY(arena_work(f->keep, JOINT_STEPS, "a skin", err));
        affine whole = affine_multiply(&bound, &own);
        if (!affine_fits_floats(&whole) || (i >= skin->cluster_count && there >= 0))
            whole = affine_identity();
        affine_to_floats(&whole, bind[i][0]);
    }
    *out = (model_skin){"", skin->joint_count, node, (const mat4 *)bind, skin->dual_quaternions};
    return ZT_OK;
}
