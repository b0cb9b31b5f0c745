// SPDX-License-Identifier: MIT
/// Chooses points of an instance's nodes: a bake keeps their motion within its error. See bake.h.
#include "bake/bake.h"
#include "base/maths.h"
#include "model/model.h"

enum { AXIS_POINTS = 4, BOX_POINTS = 8 };

/// The shortest bone, as a part of the size of the model.
#define MIN_BONE 0.01

/// A box in the space of a node.
typedef struct node_box {
    bool any;
    dvec3 min, max;
} node_box;

typedef struct point_finder {
    const zt_model *model;
    affine *rest; ///< [node_count] model_from_node at rest
    node_box *boxes;
} point_finder;

/// Grows a box by a ball.
static void grow(node_box *box, dvec3 p, double radius)
{
    if (!box->any) {
        box->min = box->max = p;
        box->any = true;
    }
    box->min = (dvec3){maths_min(box->min.x, p.x - radius), maths_min(box->min.y, p.y - radius),
                       maths_min(box->min.z, p.z - radius)};
    box->max = (dvec3){maths_max(box->max.x, p.x + radius), maths_max(box->max.y, p.y + radius),
                       maths_max(box->max.z, p.z + radius)};
}

/// The box of a rigid mesh; `radius`: how far its targets move vertices.
static void add_mesh(point_finder *f, uint32_t node, const model_mesh *mesh, double radius)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        grow(&f->boxes[node], dvec3_from_floats(&mesh->position[v].x), radius);
}

/// Four influences of a vertex.
static void add_influences(point_finder *f, const model_skin *skin, const affine *bind,
                           const double *radius, dvec3 p, const vertex_joints *joints,
                           const vertex_weights *weights)
{
    for (int k = 0; k < 4; k++) {
        const uint16_t joint = joints->joint[k];
        if (weights->weight[k] > 0.0f && joint < skin->joint_count)
            grow(&f->boxes[skin->joint_node[joint]], affine_point(&bind[joint], p), radius[joint]);
    }
}

/// The boxes of the joints of a skinned mesh.
static bool add_skinned(point_finder *f, const model_skin *skin, const model_mesh *mesh,
                        double targets_m, arena *scratch)
{
    affine *bind = ARENA_ARRAY_RAW(scratch, affine, skin->joint_count);
    double *radius = ARENA_ARRAY_RAW(scratch, double, skin->joint_count);
    if (!bind || !radius)
        return false;
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        bind[j] = affine_from_floats(&skin->joint_from_bind[j][0][0]);
        radius[j] = targets_m * bake_norm(&bind[j].m);
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const dvec3 p = dvec3_from_floats(&mesh->position[v].x);
        add_influences(f, skin, bind, radius, p, &mesh->joints[v], &mesh->weights[v]);
        if (mesh->joints_more)
            add_influences(f, skin, bind, radius, p, &mesh->joints_more[v], &mesh->weights_more[v]);
    }
    return true;
}

/// The longest displacement of a target.
static double target_reach(const morph_target *target)
{
    enum { FLOATS = 4 };
    const morph_part *part = &target->position;
    double max = 0.0;
    for (size_t i = 0; i < (size_t)part->group_count * MORPH_GROUP; i++)
        max = maths_max(max, dvec3_length(dvec3_from_floats(part->delta + i * FLOATS)));
    return max;
}

static bool shows_mesh(const model_node *node) { return node->visible && node->mesh >= 0; }

zt_result bake_find_morphs(bake_job *bake, bake_instance *instance)
{
    const zt_model *model = instance->scene->model;
    arena *a = bake->a;
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->node_count; i++)
        count +=
            shows_mesh(&model->nodes[i]) && model->meshes[model->nodes[i].mesh].morph_count > 0;
    ZT_TRY(ARENA_TAKE(a, &instance->morphs, count, "morph targets", bake->err));
    for (uint32_t i = 0; i < model->node_count; i++) {
        if (!shows_mesh(&model->nodes[i]) || model->meshes[model->nodes[i].mesh].morph_count == 0)
            continue;
        const model_mesh *mesh = &model->meshes[model->nodes[i].mesh];
        bake_morph *morph = &instance->morphs[instance->morph_count++];
        *morph = (bake_morph){.node = i, .target_count = mesh->morph_count};
        ZT_TRY(ARENA_TAKE(a, &morph->largest, mesh->morph_count, "morph targets", bake->err));
        ZT_TRY(ARENA_TAKE(a, &morph->reach, mesh->morph_count, "morph targets", bake->err));
        for (uint32_t k = 0; k < mesh->morph_count; k++)
            morph->reach[k] = target_reach(&mesh->morphs[k].target);
    }
    return ZT_OK;
}

/// The distance by which the targets of a node move vertices at most.
static double targets_radius(const bake_instance *instance, uint32_t node)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < instance->morph_count; i++) {
        if (instance->morphs[i].node != node)
            continue;
        for (uint32_t k = 0; k < instance->morphs[i].target_count; k++)
            sum += (double)instance->morphs[i].largest[k] * instance->morphs[i].reach[k];
    }
    return sum;
}

static dvec3 corner_of(const node_box *box, int corner)
{
    return (dvec3){(corner & 1) != 0 ? box->max.x : box->min.x,
                   (corner & 2) != 0 ? box->max.y : box->min.y,
                   (corner & 4) != 0 ? box->max.z : box->min.z};
}

/// Diagonal of the box around all nodes and vertices at rest.
static double size_at_rest(const point_finder *f)
{
    node_box all = {.any = false};
    for (uint32_t i = 0; i < f->model->node_count; i++) {
        grow(&all, f->rest[i].t, 0.0);
        if (!f->boxes[i].any)
            continue;
        for (int c = 0; c < BOX_POINTS; c++)
            grow(&all, affine_point(&f->rest[i], corner_of(&f->boxes[i], c)), 0.0);
    }
    return all.any ? dvec3_length(dvec3_sub(all.max, all.min)) : 0.0;
}

/// Origin and axes of a node, `length` long.
static uint32_t add_axes(dvec3 *points, double length)
{
    points[0] = (dvec3){0.0, 0.0, 0.0};
    points[1] = (dvec3){length, 0.0, 0.0};
    points[2] = (dvec3){0.0, length, 0.0};
    points[3] = (dvec3){0.0, 0.0, length};
    return AXIS_POINTS;
}

/// The length of a bone in its own space: what cameras see is as far as the model is large.
static double bone_length(const point_finder *f, uint32_t i, double size)
{
    const model_node *node = &f->model->nodes[i];
    const double scale = bake_norm(&f->rest[i].m) / sqrt(3.0);
    double length = MIN_BONE * size;
    if (node->parent >= 0)
        length = maths_max(length, dvec3_length(dvec3_sub(f->rest[i].t, f->rest[node->parent].t)));
    if (node->camera >= 0 || node->light >= 0)
        length = maths_max(length, size);
    return scale > 0.0 ? length / scale : 0.0;
}

static void set_points(const point_finder *f, bake_instance *instance, dvec3 *points)
{
    uint32_t count = add_axes(points, instance->size);
    instance->nodes[0] = (clip_node){.parent = -1, .point_count = count};
    for (uint32_t i = 0; i < f->model->node_count; i++) {
        const model_node *node = &f->model->nodes[i];
        clip_node *out = &instance->nodes[i + 1];
        *out = (clip_node){.parent = node->parent + 1, .point_first = count};
        if (node->has_matrix)
            out->matrix = node->matrix[0];
        count += add_axes(points + count, bone_length(f, i, instance->size));
        for (int c = 0; f->boxes[i].any && c < BOX_POINTS; c++)
            points[count++] = corner_of(&f->boxes[i], c);
        out->point_count = count - out->point_first;
    }
}

static zt_result find_points(bake_job *bake, bake_instance *instance, arena *scratch)
{
    const zt_model *model = instance->scene->model;
    const size_t nodes = (size_t)model->node_count + 1;
    point_finder f = {.model = model,
                      .rest = ARENA_ARRAY_RAW(scratch, affine, model->node_count),
                      .boxes = ARENA_ARRAY(scratch, node_box, model->node_count)};
    if (!f.rest || !f.boxes)
        return arena_fail(scratch, bake->err, "points");
    model_place_nodes(model, NULL, f.rest);
    for (uint32_t i = 0; i < model->node_count; i++) {
        const model_node *node = &model->nodes[i];
        if (!shows_mesh(node))
            continue;
        const model_mesh *mesh = &model->meshes[node->mesh];
        const double radius = targets_radius(instance, i);
        if (node->skin < 0 || !mesh->joints)
            add_mesh(&f, i, mesh, radius);
        else if (!add_skinned(&f, &model->skins[node->skin], mesh, radius, scratch))
            return arena_fail(scratch, bake->err, "points");
    }
    instance->size = size_at_rest(&f);
    dvec3 *points = ARENA_ARRAY_RAW(bake->a, dvec3, nodes * (AXIS_POINTS + BOX_POINTS));
    instance->nodes = ARENA_ARRAY(bake->a, clip_node, nodes);
    if (!points || !instance->nodes)
        return arena_fail(bake->a, bake->err, "samples");
    set_points(&f, instance, points);
    instance->samples.node_count = (uint32_t)nodes;
    instance->samples.nodes = instance->nodes;
    instance->samples.points = points;
    return ZT_OK;
}

zt_result bake_find_points(bake_job *bake, bake_instance *instance)
{
    arena scratch;
    arena_init(&scratch, bake->a->budget);
    const zt_result result = find_points(bake, instance, &scratch);
    arena_finish(&scratch);
    return result;
}
