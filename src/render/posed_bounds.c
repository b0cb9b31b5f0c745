// SPDX-License-Identifier: MIT
/// Bounds of the posed scene, vertex by vertex: the kernels pose skinned vertices; rigid ones are
/// transformed in the same order of operations (geometry/geometry_loops.h). Hulls of joints would
/// be faster but loose, and framing must not depend on how a mesh is rigged. Triangles count that
/// have an area as they are posed, in materials that show something.
#include "render/posed_bounds.h"

#include "base/affine.h"
#include "base/maths.h"
#include "render/frame_pose.h"

#include <float.h>
#include <string.h>

typedef struct box {
    float min[4], max[4];              ///< the fourth pads to a vector register
    float support[BOUNDS_DIRECTIONS];  ///< largest direction . point
    float along[3][BOUNDS_DIRECTIONS]; ///< directions, by component; what points change is before
    const bool *hidden; ///< of the instance that is added: materials that show nothing, or NULL
    bool pressed;       ///< and: its transforms may have taken the area of triangles
} box;

static inline void add_point(box *b, const float *at)
{
    for (int row = 0; row < 4; row++)
        b->min[row] = at[row] < b->min[row] ? at[row] : b->min[row];
    for (int row = 0; row < 4; row++)
        b->max[row] = at[row] > b->max[row] ? at[row] : b->max[row];
    for (int i = 0; i < BOUNDS_DIRECTIONS; i++) {
        const float reach =
            (at[0] * b->along[0][i] + at[1] * b->along[1][i]) + at[2] * b->along[2][i];
        b->support[i] = reach > b->support[i] ? reach : b->support[i];
    }
}

/// `posed`: m is the identity.
static inline void add_vertex(box *b, mat4 m, bool posed, const vertex_position *p)
{
    float at[4];
    if (!posed)
        posed_place(m, p, at);
    add_point(b, posed ? &p->x : at);
}

/// True where one of `count` transforms leaves a plane, a line or a point, up to rounding:
/// triangles may lose their area.
static bool flattens(const mat4 *m, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const affine a = affine_from_floats(m[i][0]);
        if (!dmat3_has_rank(&a.m, 3) || !(dmat3_square(&a.m) > 1e-12 * dvec3_dot(a.t, a.t)))
            return true;
    }
    return false;
}

/// The limit of has_area() in mesh/mesh_build.c, and what posing may have rounded.
static bool has_area(const float *p, const float *q, const float *r)
{
    const dvec3 at = dvec3_from_floats(p);
    const dvec3 a = dvec3_sub(dvec3_from_floats(q), at), b = dvec3_sub(dvec3_from_floats(r), at);
    const dvec3 cross = dvec3_cross(a, b);
    const double aa = dvec3_dot(a, a), bb = dvec3_dot(b, b), square = dvec3_dot(cross, cross);
    return square > 1e-12 * aa * bb && square > 2.5e-13 * dvec3_dot(at, at) * maths_max(aa, bb);
}

/// Adds the triangles of a meshlet that have an area, points and lines. Areas are asked for where
/// they count: where its vertices make the box larger.
static void add_meshlet(box *b, const model_mesh *mesh, const meshlet *let,
                        const vertex_position *position, mat4 m)
{
    float at[MESHLET_VERTICES][4];
    uint64_t seen = let->kind == PRIMITIVE_TRIANGLE ? 0 : UINT64_MAX;
    box grown = *b;
    for (uint32_t v = 0; v < let->vertex_count; v++) {
        posed_place(m, &position[mesh->meshlet_vertex[let->vertex_first + v]], at[v]);
        add_point(&grown, at[v]);
    }
    if (memcmp(b, &grown, offsetof(box, along)) == 0)
        return;
    for (uint32_t t = let->triangle_first; t < let->triangle_first + let->triangle_count; t++) {
        const uint8_t c[3] = {mesh->meshlet_corner[0][t], mesh->meshlet_corner[1][t],
                              mesh->meshlet_corner[2][t]};
        if (has_area(at[c[0]], at[c[1]], at[c[2]]))
            seen |= UINT64_C(1) << c[0] | UINT64_C(1) << c[1] | UINT64_C(1) << c[2];
    }
    for (uint32_t v = 0; v < let->vertex_count; v++)
        if (seen >> v & 1)
            add_point(b, at[v]);
}

/// Adds what shows something of a mesh. Neighbours in the list are neighbours in space: strides
/// visit the whole mesh first.
static void add_areas(box *b, const model_mesh *mesh, const vertex_position *position, mat4 m)
{
    enum { STRIDE = 64 };
    for (uint32_t first = 0; first < STRIDE; first++)
        for (uint32_t i = first; i < mesh->meshlet_count; i += STRIDE)
            if (!b->hidden || !b->hidden[mesh->meshlets[i].material])
                add_meshlet(b, mesh, &mesh->meshlets[i], position, m);
}

/// `morphed`: a target may have taken the area of triangles. world_from_bind NULL: it was applied.
static void add_rigid(box *out, const model_mesh *mesh, const vertex_position *position,
                      bool morphed, const mat4 world_from_bind)
{
    box b = *out;
    mat4 m = GLM_MAT4_IDENTITY_INIT; // a copy, which nothing can alias
    const bool posed = !world_from_bind;
    if (!posed)
        memcpy(m, world_from_bind, sizeof m);
    if (b.hidden || b.pressed || morphed) {
        add_areas(out, mesh, position, m);
        return;
    }
    for (uint32_t i = 0; !mesh->seen_vertex && i < mesh->vertex_count; i++)
        add_vertex(&b, m, posed, &position[i]);
    for (uint32_t i = 0; i < mesh->seen_count; i++)
        add_vertex(&b, m, posed, &position[mesh->seen_vertex[i]]);
    *out = b;
}

/// Memory for posing one mesh after the other.
typedef struct bounds_memory {
    mat4 *palette, *normals;
    skin_dual *duals; ///< room for the largest skin that is posed by dual quaternions
    mat4 *stretch, *stretch_normals;
    vertex_position *posed;   ///< room for the largest skinned mesh
    vertex_position *morphed; ///< room for the largest mesh that may be morphed
    pose_sharing sharing;
    vertex_position *
        *shared; ///< [sharing.count] skinned meshes of a model, one by one; NULL: not yet
    pose_morphs morphs;
} bounds_memory;

static bool allocate(const zt_scene *scene, arena *scratch, bounds_memory *out)
{
    uint32_t joints = 0, morphed = 0, posed = 0;
    bool dual = false;
    const size_t morphs = pose_morph_capacity(scene);
    for (uint32_t n = 0; n < scene->instance_count; n++) {
        const zt_model *model = scene->instances[n].model;
        for (uint32_t i = 0; i < model->skin_count; i++) {
            joints = model->skins[i].joint_count > joints ? model->skins[i].joint_count : joints;
            dual = dual || scene_skin_is_dual(&scene->instances[n], &model->skins[i]);
        }
        for (uint32_t i = 0; i < model->mesh_count; i++) {
            const uint32_t count = model->meshes[i].vertex_count;
            morphed = morphs > 0 && count > morphed ? count : morphed;
            posed = model->meshes[i].joints && count > posed ? count : posed;
        }
    }
    const uint32_t duals = dual ? joints : 0;
    return (out->palette = ARENA_ARRAY_RAW(scratch, mat4, joints)) &&
           (out->duals = ARENA_ARRAY_RAW(scratch, skin_dual, duals)) &&
           (out->stretch = ARENA_ARRAY_RAW(scratch, mat4, duals)) &&
           (out->stretch_normals = ARENA_ARRAY_RAW(scratch, mat4, duals)) &&
           (out->posed = ARENA_ARRAY_RAW(scratch, vertex_position, pad16(posed))) &&
           (out->normals = ARENA_ARRAY_RAW(scratch, mat4, joints)) &&
           (out->morphed = ARENA_ARRAY_RAW(scratch, vertex_position, pad16(morphed))) &&
           pose_morphs_init(morphs, scratch, &out->morphs);
}

/// The positions of a node's mesh in bind space, morphed if a target has weight.
static const vertex_position *positions_of(const scene_instance *instance, uint32_t node,
                                           frame_time time, const mat4 *world_from_node,
                                           const bounds_memory *memory)
{
    const zt_model *model = instance->model;
    const model_mesh *mesh = &model->meshes[model->nodes[node].mesh];
    if (mesh->morph_count + instance->target_count == 0)
        return mesh->position;
    const uint32_t used = pose_morphs_evaluate(
        instance, node, time, &(pose_joints){.world_from_node = world_from_node}, &memory->morphs);
    if (used == 0)
        return mesh->position;
    pose_morph_positions(mesh, memory->morphs.uses, used, memory->morphed);
    return memory->morphed;
}

/// Skins a mesh with the kernels and the palette of `memory`. `out`: [pad16(vertex_count)].
static void skin_positions(const kernel_table *kernels, const scene_instance *instance,
                           const model_node *node, const vertex_position *position,
                           const bounds_memory *memory, vertex_position *out)
{
    const model_mesh *mesh = &instance->model->meshes[node->mesh];
    const uint32_t joints = instance->model->skins[node->skin].joint_count;
    geometry_draw draw = {.mesh = mesh,
                          .palette = (const skin_matrix *)(const void *)memory->palette,
                          .normals = (const skin_matrix *)(const void *)memory->palette,
                          .skinned = true,
                          .position = out};
    if (scene_skin_is_dual(instance, &instance->model->skins[node->skin])) {
        draw.duals = memory->duals;
        if (pose_dual_palette(draw.palette, joints, memory->duals, memory->stretch,
                              memory->stretch_normals)) {
            draw.stretch = (const skin_matrix *)(const void *)memory->stretch;
            draw.stretch_normals = (const skin_matrix *)(const void *)memory->stretch_normals;
        }
    }
    const skin_job job = geometry_skin_job(&draw, position, NULL, 0, mesh->vertex_count);
    kernels->geometry->skin(&job);
}

static void add_skinned(const kernel_table *kernels, const scene_instance *instance,
                        const model_node *node, const vertex_position *position,
                        const bounds_memory *memory, box *out)
{
    skin_positions(kernels, instance, node, position, memory, memory->posed);
    add_rigid(out, &instance->model->meshes[node->mesh], memory->posed, position == memory->morphed,
              NULL);
}

/// Skins the meshes of shared pose `number`, in the space of the model.
static bool pose_shared_meshes(const kernel_table *kernels, const scene_instance *instance,
                               frame_time time, uint32_t number, arena *scratch,
                               const bounds_memory *memory)
{
    const zt_model *model = instance->model;
    size_t capacity = 0;
    for (uint32_t i = 0; i < model->node_count; i++)
        if (node_is_skinned(model, &model->nodes[i]))
            capacity += pad16(model->meshes[model->nodes[i].mesh].vertex_count);
    mat4 *model_from_node = ARENA_ARRAY_RAW(scratch, mat4, pad16(model->node_count));
    vertex_position *out = ARENA_ARRAY_RAW(scratch, vertex_position, capacity);
    mat4 identity = GLM_MAT4_IDENTITY_INIT;
    memory->shared[number] = out;
    if (!model_from_node || !out)
        return false;
    pose_blocks_to_world(kernels->pose, model, identity, memory->sharing.local[number],
                         model_from_node);
    for (uint32_t i = 0; i < model->node_count; i++) {
        const model_node *node = &model->nodes[i];
        if (!node_is_skinned(model, node))
            continue;
        pose_palette(&model->skins[node->skin], (const mat4 *)model_from_node, memory->palette,
                     memory->normals);
        skin_positions(kernels, instance, node,
                       positions_of(instance, i, time, (const mat4 *)model_from_node, memory),
                       memory, out);
        out += pad16(model->meshes[node->mesh].vertex_count);
    }
    return true;
}

/// Adds an instance with a shared pose, whose skinned meshes pose_shared_meshes has posed.
static void add_shared(const zt_scene *scene, uint32_t i, frame_time time, const float *showing,
                       const mat4 *world_from_node, const bounds_memory *memory, box *b)
{
    const scene_instance *instance = &scene->instances[i];
    const zt_model *model = instance->model;
    const vertex_position *posed = memory->shared[memory->sharing.pose_of[i]];
    for (uint32_t n = 0; n < model->node_count; n++) {
        const model_node *node = &model->nodes[n];
        const bool skinned = node_is_skinned(model, node);
        const vertex_position *own = posed;
        if (skinned)
            posed += pad16(model->meshes[node->mesh].vertex_count);
        if (!(node_showing(model, n, showing) > 0.0f))
            continue;
        const model_mesh *mesh = &model->meshes[node->mesh];
        bool morphed = mesh->morph_count + instance->target_count > 0;
        if (!skinned) {
            own = positions_of(instance, n, time, world_from_node, memory);
            morphed = own == memory->morphed;
        }
        add_rigid(b, mesh, own, morphed,
                  skinned ? (const vec4 *)memory->sharing.world_from_model[i] : world_from_node[n]);
    }
}

/// False: the work is cancelled.
static bool add_instance(const kernel_table *kernels, const scene_instance *instance,
                         frame_time time, const float *showing, const mat4 *world_from_node,
                         const bounds_memory *memory, budget *work, box *b)
{
    const zt_model *model = instance->model;
    int32_t posed_skin = -1; // parts of one character share a skin: its palette is made once
    for (uint32_t i = 0; i < model->node_count; i++) {
        const model_node *node = &model->nodes[i];
        if (!(node_showing(model, i, showing) > 0.0f))
            continue;
        if (budget_cancelled(work))
            return false;
        const vertex_position *position = positions_of(instance, i, time, world_from_node, memory);
        if (!node_is_skinned(model, node)) {
            add_rigid(b, &model->meshes[node->mesh], position, position == memory->morphed,
                      world_from_node[i]);
            continue;
        }
        // The transform of the node is ignored: joints place the mesh (glTF 2.0, 3.7.3.3).
        if (node->skin != posed_skin)
            pose_palette(&model->skins[node->skin], world_from_node, memory->palette,
                         memory->normals);
        posed_skin = node->skin;
        add_skinned(kernels, instance, node, position, memory, b);
    }
    return true;
}

/// Adds the triangles that an instance shows: too many are not posed.
static zt_result count_triangles(const zt_model *model, const float *showing, uint64_t limit,
                                 uint64_t *sum, zt_error *err)
{
    for (uint32_t n = 0; n < model->node_count; n++)
        if (node_showing(model, n, showing) > 0.0f)
            *sum += model->meshes[model->nodes[n].mesh].triangle_count;
    return *sum <= limit
               ? ZT_OK
               : zt_fail(err, ZT_ERR_LIMIT, "the frame has %llu triangles or more (limit %llu)",
                         (unsigned long long)*sum, (unsigned long long)limit);
}

zt_result posed_bounds_along(const kernel_table *kernels, const zt_scene *scene, frame_time time,
                             const float direction[BOUNDS_DIRECTIONS][3], arena *scratch,
                             float out_min[3], float out_max[3],
                             float out_support[BOUNDS_DIRECTIONS], zt_error *err)
{
    box b = {.support = {0.0f}};
    for (int k = 0; k < 4; k++) {
        b.min[k] = FLT_MAX;
        b.max[k] = -FLT_MAX;
    }
    for (int i = 0; i < BOUNDS_DIRECTIONS; i++) {
        b.support[i] = -FLT_MAX;
        for (int k = 0; k < 3; k++)
            b.along[k][i] = direction[i][k];
    }
    bounds_memory memory;
    const mat4 *const *world_from_node = NULL;
    const uint64_t limit = (uint64_t)scratch->budget->limits->triangles;
    uint64_t triangles = 0;
    if (!allocate(scene, scratch, &memory))
        return arena_fail(scratch, err, "pose for framing");
    ZT_TRY(pose_sharing_build(scene, time, scratch, &memory.sharing, err));
    ZT_TRY(pose_scene(kernels->pose, scene, time, scratch, &memory.sharing, &world_from_node, err));
    ZT_TRY(ARENA_TAKE(scratch, &memory.shared, memory.sharing.count, "pose for framing", err));
    hidden_materials hidden = {NULL, NULL};
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const scene_instance *instance = &scene->instances[i];
        const uint32_t number =
            memory.sharing.count > 0 ? memory.sharing.pose_of[i] : POSE_UNSHARED;
        const float *showing;
        if (budget_cancelled(scratch->budget))
            return cancel_fail(err);
        ZT_TRY(pose_showing(instance, time, scratch, &showing, err));
        ZT_TRY(count_triangles(instance->model, showing, limit, &triangles, err));
        ZT_TRY(frame_hidden_materials(scene, i, world_from_node, time, scratch, &hidden, &b.hidden,
                                      err));
        b.pressed = flattens(world_from_node[i], instance->model->node_count);
        if (number == POSE_UNSHARED) {
            if (!add_instance(kernels, instance, time, showing, world_from_node[i], &memory,
                              scratch->budget, &b))
                return cancel_fail(err);
        } else if (memory.shared[number] ||
                   pose_shared_meshes(kernels, instance, time, number, scratch, &memory)) {
            add_shared(scene, i, time, showing, world_from_node[i], &memory, &b);
        } else {
            return arena_fail(scratch, err, "pose for framing");
        }
    }
    memcpy(out_min, b.min, 3 * sizeof *out_min);
    memcpy(out_max, b.max, 3 * sizeof *out_max);
    memcpy(out_support, b.support, sizeof b.support);
    return ZT_OK;
}

zt_result posed_bounds(const kernel_table *kernels, const zt_scene *scene, frame_time time,
                       arena *scratch, float out_min[3], float out_max[3], zt_error *err)
{
    static const float nowhere[BOUNDS_DIRECTIONS][3];
    float support[BOUNDS_DIRECTIONS];
    return posed_bounds_along(kernels, scene, time, nowhere, scratch, out_min, out_max, support,
                              err);
}
