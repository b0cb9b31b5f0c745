// SPDX-License-Identifier: MIT
/// Nodes and skins of a zt_model -> those of a glTF file; see gltf_model_parts.h.
#include "convert/gltf_model_parts.h"

#include <string.h>

void gltf_build_transform(gltf_builder *builder, const trs *transform, json_value *node)
{
    static const float one[3] = {1.0f, 1.0f, 1.0f}, zero[3], identity[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    if (memcmp(transform->t, zero, sizeof zero) != 0)
        gltf_builder_put_floats(builder, node, "translation", transform->t, 3);
    if (memcmp(transform->r, identity, sizeof identity) != 0)
        gltf_builder_put_floats(builder, node, "rotation", transform->r, 4);
    if (memcmp(transform->s, one, sizeof one) != 0)
        gltf_builder_put_floats(builder, node, "scale", transform->s, 3);
}

/// Enters node `index` into the children of its parent, which stands before it.
static void add_child(gltf_builder *builder, int64_t parent, int64_t index)
{
    json_builder *b = &builder->package.values;
    json_value *node = json_at(gltf_package_array(&builder->package, "nodes"), (size_t)parent);
    json_append(b, json_require(b, node, "children", JSON_KIND_ARRAY), json_new_int(b, index));
}

static void put_contents(gltf_builder *builder, const model_node *n, const gltf_firsts *firsts,
                         json_value *node)
{
    json_builder *b = &builder->package.values;
    if (n->camera >= 0 && firsts->camera >= 0)
        json_put_int(b, node, "camera", firsts->camera + n->camera);
    if (!n->visible)
        return;
    if (n->mesh >= 0 && firsts->mesh >= 0) {
        const uint32_t targets = builder->model->meshes[n->mesh].morph_count;
        json_put_int(b, node, "mesh", firsts->mesh + n->mesh);
        if (n->skin >= 0)
            json_put_int(b, node, "skin", firsts->skin + n->skin);
        if (n->morph_weights && targets > 0)
            gltf_builder_put_floats(builder, node, "weights", n->morph_weights, targets);
    }
    if (n->light >= 0 && firsts->light >= 0) {
        json_value *extensions = json_new(b, JSON_KIND_OBJECT);
        gltf_builder_put_index(builder, extensions, "KHR_lights_punctual", "light",
                               firsts->light + n->light);
        json_put(b, node, "extensions", extensions);
    }
}

json_value *gltf_build_nodes(gltf_builder *builder, const gltf_firsts *firsts)
{
    const zt_model *model = builder->model;
    json_builder *b = &builder->package.values;
    json_value *roots = json_new(b, JSON_KIND_ARRAY);
    for (uint32_t i = 0; i < model->node_count; i++) {
        const model_node *n = &model->nodes[i];
        json_value *node = gltf_builder_entry(builder, "nodes");
        json_put_text(b, node, "name", n->name);
        if (n->has_matrix)
            gltf_builder_put_floats(builder, node, "matrix", n->matrix[0], 16);
        else
            gltf_build_transform(builder, &n->rest, node);
        put_contents(builder, n, firsts, node);
        if (n->parent >= 0)
            add_child(builder, firsts->node + n->parent, firsts->node + i);
        else
            json_append(b, roots, json_new_int(b, firsts->node + i));
    }
    return roots;
}

zt_result gltf_build_bind_matrices(gltf_builder *builder, int64_t *out_accessor)
{
    for (uint32_t i = 0; i < builder->model->skin_count; i++) {
        const model_skin *skin = &builder->model->skins[i];
        const accessor_data bind = {.data = skin->joint_from_bind,
                                    .count = skin->joint_count,
                                    .type = "MAT4",
                                    .width = 16,
                                    .component = GLTF_FLOAT};
        ZT_TRY(gltf_builder_add_accessor(builder, &bind, &out_accessor[i]));
    }
    return ZT_OK;
}

/// A new node that always stands where node `parent` does.
static int64_t add_twin(gltf_builder *builder, int64_t parent)
{
    const json_value *nodes = gltf_package_array(&builder->package, "nodes");
    const int64_t index = (int64_t)json_length(nodes);
    (void)gltf_builder_entry(builder, "nodes");
    add_child(builder, parent, index);
    return index;
}

zt_result gltf_build_skins(gltf_builder *builder, int64_t first_node, const int64_t *bind_accessor)
{
    json_builder *b = &builder->package.values;
    uint32_t *last_skin; // [node_count] the last one that has the node, plus 1
    ZT_TRY(ARENA_TAKE(builder->job->a, &last_skin, builder->model->node_count, "joints",
                      builder->job->err));
    for (uint32_t i = 0; i < builder->model->skin_count; i++) {
        const model_skin *skin = &builder->model->skins[i];
        json_value *joints = json_new(b, JSON_KIND_ARRAY);
        for (uint32_t k = 0; k < skin->joint_count; k++) {
            const int64_t node = first_node + skin->joint_node[k];
            const bool again = last_skin[skin->joint_node[k]] == i + 1;
            json_append(b, joints, json_new_int(b, again ? add_twin(builder, node) : node));
            last_skin[skin->joint_node[k]] = i + 1;
        }
        json_value *entry = gltf_builder_entry(builder, "skins");
        if (skin->name && *skin->name)
            json_put_text(b, entry, "name", skin->name);
        json_put_int(b, entry, "inverseBindMatrices", bind_accessor[i]);
        json_put(b, entry, "joints", joints);
    }
    return ZT_OK;
}
