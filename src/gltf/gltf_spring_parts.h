// SPDX-License-Identifier: MIT
/// Code that the readers of springs of VRM 1.0 and VRM 0 share.
#pragma once

#include "gltf/gltf_parts.h"

/// Colliders of groups: those of group i are index[first[i]] to before index[first[i + 1]].
typedef struct spring_groups {
    uint32_t count, *first, *index;
} spring_groups;

typedef struct spring_context {
    gltf_file *file;
    const gltf_nodes *nodes;
    spring_collider *colliders; ///< in file->keep
    uint32_t collider_count;
    bool *listed; ///< [collider_count] of the chain that is read; all false between chains
    spring_groups groups;
    uint64_t collision_count, listed_count, climbed_count;
    spring_tree tree;     ///< of VRM 0
    uint64_t below_count; ///< nodes at and below all roots
    spring_builder builder;
} spring_context;

/// Allocates colliders and groups, with room for `total` indices in these.
zt_result spring_context_init(spring_context *c, uint32_t collider_count, uint32_t group_count,
                              size_t total);
/// The node of the model that the member `node` names; it must.
zt_result spring_read_node(const spring_context *c, const json_pointer *object, int32_t *out);
/// A number, clamped with a warning.
zt_result spring_read_limited(gltf_log *log, const json_pointer *object, const char *key,
                              double fallback, double min, double max, double *out);
/// The member `key`; `out` keeps what the file does not give.
typedef zt_result spring_vector_reader(gltf_log *log, const json_pointer *object, const char *key,
                                       double out[3]);
/// The parameters of a link, of which the versions write the gravity's direction in their own way.
zt_result spring_read_forces(gltf_log *log, const json_pointer *json, const char *stiffness,
                             spring_vector_reader *read_vector, spring_link *out);
/// `colliderGroups` of a spring: the colliders of all of them, each once.
zt_result spring_read_colliders(spring_context *c, const json_pointer *spring, spring_link *link);
/// Adds a link, or leaves it out with a warning. `json`: what it is read from.
zt_result spring_add_link(spring_context *c, const json_pointer *json, const spring_link *link);

/// `extension`: VRM.
zt_result spring_read_vrm0(spring_context *c, const json_pointer *extension);
