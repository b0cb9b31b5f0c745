// SPDX-License-Identifier: MIT
/// Joints and weights of a glTF primitive. A file may give any number of sets of four; the eight
/// largest weights are kept and made to sum to 1, always added in the same order.
#include "gltf/gltf_parts.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { INFLUENCES = 8, SET_LIMIT = 4 }; // 16 influences; a file with more has them ignored

// Sums of 8-bit weights miss 1 by up to 4 x 0.5 / 255; a larger error is reported.
#define WEIGHT_SUM_TOLERANCE 1e-2f

typedef struct influence_set {
    uint32_t *joint; // [4 * vertex_count]
    float *weight;   // [4 * vertex_count]
} influence_set;

typedef struct weight_faults {
    uint32_t unnormalized, empty, negative, dropped;
} weight_faults;

static zt_result read_set(gltf_file *file, const gltf_meshes *meshes,
                          const json_pointer *attributes, uint32_t set, uint32_t first,
                          uint32_t count, uint32_t file_count, influence_set *out, bool *out_found)
{
    char joints_key[16], weights_key[16];
    snprintf(joints_key, sizeof joints_key, "JOINTS_%u", set);
    snprintf(weights_key, sizeof weights_key, "WEIGHTS_%u", set);
    const json_pointer joints = json_member(attributes, joints_key);
    const json_pointer weights = json_member(attributes, weights_key);
    gltf_accessor joint, weight;
    bool has_joints, has_weights;
    ZT_TRY(
        gltf_open_attribute(file, meshes->decoded, &joints, 4, 4, file_count, &joint, &has_joints));
    ZT_TRY(gltf_open_attribute(file, meshes->decoded, &weights, 4, 4, file_count, &weight,
                               &has_weights));
    *out_found = has_joints && has_weights;
    if (has_joints != has_weights)
        return gltf_warn(file->log, attributes, "has %s without %s, which is ignored",
                         has_joints ? joints_key : weights_key,
                         has_joints ? weights_key : joints_key);
    if (!*out_found)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE_RAW(meshes->work, &out->joint, 4 * (size_t)count, "weights", file->log->err));
    ZT_TRY(
        ARENA_TAKE_RAW(meshes->work, &out->weight, 4 * (size_t)count, "weights", file->log->err));
    ZT_TRY(gltf_read_uints(file, &joints, &joint, first, count, out->joint));
    return gltf_read_floats(file, &weights, &weight, first, count, out->weight, 4);
}

/// The largest of all sets, the earlier of equal ones. True: others with weight are left out.
static bool pick_largest(const influence_set *sets, uint32_t set_count, size_t vertex,
                         uint32_t joint[INFLUENCES], float weight[INFLUENCES])
{
    bool dropped = false;
    for (uint32_t s = 0; s < set_count; s++)
        for (size_t k = 4 * vertex; k < 4 * vertex + 4; k++) {
            const float w = sets[s].weight[k];
            int at = INFLUENCES;
            while (at > 0 && w > weight[at - 1])
                at--;
            dropped = dropped || (at == INFLUENCES ? w : weight[INFLUENCES - 1]) > 0.0f;
            if (at == INFLUENCES)
                continue;
            for (int i = INFLUENCES - 1; i > at; i--) {
                weight[i] = weight[i - 1];
                joint[i] = joint[i - 1];
            }
            weight[at] = w;
            joint[at] = sets[s].joint[k];
        }
    return dropped;
}

/// Makes the weights of a vertex sum to 1 and gives joint 0 to those that are 0.
static void normalize(uint32_t joint[INFLUENCES], float weight[INFLUENCES], weight_faults *faults)
{
    double sum = 0.0;
    for (int i = 0; i < INFLUENCES; i++)
        if (!(weight[i] > 0.0f)) {
            faults->negative += weight[i] < 0.0f;
            weight[i] = 0.0f;
            joint[i] = 0;
        }
    for (int i = 0; i < INFLUENCES; i++)
        sum += (double)weight[i];
    if (!(sum > 1e-20)) {
        faults->empty++;
        for (int i = 0; i < INFLUENCES; i++) {
            weight[i] = i == 0 ? 1.0f : 0.0f;
            joint[i] = 0;
        }
        return;
    }
    faults->unnormalized += fabs(sum - 1.0) > (double)WEIGHT_SUM_TOLERANCE;
    for (int i = 0; i < INFLUENCES; i++)
        weight[i] = (float)((double)weight[i] / sum);
}

static zt_result report(gltf_log *log, const json_pointer *json, const weight_faults *faults)
{
    if (faults->negative > 0)
        ZT_TRY(gltf_warn(log, json, "%u weights are negative and become 0", faults->negative));
    if (faults->dropped > 0)
        ZT_TRY(gltf_unsupported(log, json,
                                "%u vertices have more than 8 influences; the 8 largest are kept",
                                faults->dropped));
    if (faults->empty > 0)
        ZT_TRY(
            gltf_warn(log, json, "%u vertices have no weights and follow joint 0", faults->empty));
    if (faults->unnormalized > 0)
        ZT_TRY(gltf_warn(log, json, "the weights of %u vertices do not sum to 1 and are scaled",
                         faults->unnormalized));
    return ZT_OK;
}

/// Four influences of vertex v.
static zt_result store(gltf_log *log, const json_pointer *attributes, uint32_t first, size_t v,
                       const uint32_t *joint, const float *weight, vertex_joints *out_joints,
                       vertex_weights *out_weights, uint32_t *limit)
{
    for (int i = 0; i < 4; i++) {
        if (joint[i] >= MODEL_JOINT_LIMIT)
            return gltf_fail(log, attributes, ZT_ERR_FORMAT,
                             "vertex %zu follows joint %u (at most %u)", first + v, joint[i],
                             MODEL_JOINT_LIMIT - 1);
        out_joints[v].joint[i] = (uint16_t)joint[i];
        out_weights[v].weight[i] = weight[i];
        *limit = joint[i] + 1 > *limit ? joint[i] + 1 : *limit;
    }
    return ZT_OK;
}

static bool allocate(arena *work, uint32_t set_count, mesh_source *mesh)
{
    const size_t count = mesh->vertex_count, more = set_count > 1 ? count : 0;
    mesh->joints = ARENA_ARRAY_RAW(work, vertex_joints, count);
    mesh->weights = ARENA_ARRAY_RAW(work, vertex_weights, count);
    mesh->joints_more = ARENA_ARRAY_RAW(work, vertex_joints, more);
    mesh->weights_more = ARENA_ARRAY_RAW(work, vertex_weights, more);
    return mesh->joints && mesh->weights && mesh->joints_more && mesh->weights_more;
}

zt_result gltf_read_influences(gltf_file *file, const gltf_meshes *meshes,
                               const json_pointer *attributes, uint32_t first,
                               uint32_t file_vertex_count, mesh_source *mesh,
                               uint32_t *out_joint_limit)
{
    influence_set sets[SET_LIMIT];
    const size_t count = mesh->vertex_count;
    uint32_t set_count = 0;
    for (bool found = true; found && set_count < SET_LIMIT; set_count += found)
        ZT_TRY(read_set(file, meshes, attributes, set_count, first, (uint32_t)count,
                        file_vertex_count, &sets[set_count], &found));
    if (set_count == 0)
        return ZT_OK;
    if (!allocate(meshes->work, set_count, mesh))
        return arena_fail(meshes->work, file->log->err, "weights");
    weight_faults faults = {0};
    uint32_t limit = 1;
    bool more = false;
    for (size_t v = 0; v < count; v++) {
        uint32_t joint[INFLUENCES] = {0};
        float weight[INFLUENCES] = {0.0f};
        if (set_count > 1) {
            faults.dropped += pick_largest(sets, set_count, v, joint, weight);
        } else {
            memcpy(joint, sets[0].joint + 4 * v, 4 * sizeof *joint);
            memcpy(weight, sets[0].weight + 4 * v, 4 * sizeof *weight);
        }
        normalize(joint, weight, &faults);
        more = more || weight[4] > 0.0f;
        ZT_TRY(store(file->log, attributes, first, v, joint, weight, mesh->joints, mesh->weights,
                     &limit));
        if (set_count > 1)
            ZT_TRY(store(file->log, attributes, first, v, joint + 4, weight + 4, mesh->joints_more,
                         mesh->weights_more, &limit));
    }
    mesh->joints_more = more ? mesh->joints_more : NULL;
    mesh->weights_more = more ? mesh->weights_more : NULL;
    *out_joint_limit = limit;
    return report(file->log, attributes, &faults);
}
