// SPDX-License-Identifier: MIT
// The .m3d text format of Luna, Introduction to 3D Game Programming with DirectX 12, chapter 23.
//
// Everything is right-handed; only the triangles are reversed, so that they wind against the stored
// normals. A reader sees from that alone that nothing needs mirroring. The book's camera looks
// along +z: our models, whose front is at +z, are turned by 180 degrees about y, which negates x
// and z.
//
// Normal maps: both formats decode n = x T + y B + z N with B = w cross(N, T). Here green points
// along +v (down the picture), in glTF, as in the model, along -v. This writer negates w, and the
// walker's picture has green flipped (255 - g): the shaded normal is the same.
#include "writers.h"

#include <stdlib.h>

static void floats(byte_buffer *text, const char *label, const float *values, int count)
{
    buffer_text(text, "%s", label);
    for (int k = 0; k < count; k++) {
        buffer_text(text, " ");
        buffer_float(text, values[k]);
    }
}

// x, y and z of a point or direction, turned.
static void turned(byte_buffer *text, const char *label, const float v[3])
{
    const float out[3] = {0.0f - v[0], v[1], 0.0f - v[2]};
    floats(text, label, out, 3);
}

static void write_materials(const built_model *model, byte_buffer *text)
{
    buffer_text(text, "\n***************Materials*********************\n");
    for (int i = 0; i < model->primitive_count; i++) {
        const built_material *m = &model->materials[model->primitives[i].material];
        const float color[3] = {(float)m->base_color[0], (float)m->base_color[1],
                                (float)m->base_color[2]};
        buffer_text(text, "Name: %s\n", m->name);
        floats(text, "Diffuse:", color, 3);
        // 0.04 is the reflectance that glTF gives every dielectric (section 3.9.6, ior 1.5).
        buffer_text(text, "\nFresnel0: 0.04 0.04 0.04\nRoughness: ");
        buffer_float(text, (float)m->roughness);
        buffer_text(text, "\nAlphaClip: 0\nMaterialTypeName: Skinned\nDiffuseMap: %s.dds\n",
                    model->images[model->textures[m->base_texture].image].name);
        buffer_text(text, "NormalMap: %s.dds\n\n",
                    model->images[model->textures[m->normal_texture].image].name);
    }
}

static void write_vertices(const built_model *model, byte_buffer *text)
{
    size_t vertex_start = 0, face_start = 0;
    buffer_text(text, "***************SubsetTable*******************\n");
    for (int i = 0; i < model->primitive_count; i++) {
        const built_primitive *p = &model->primitives[i];
        buffer_text(text, "SubsetID: %d VertexStart: %zu VertexCount: %zu ", i, vertex_start,
                    p->vertex_count);
        buffer_text(text, "FaceStart: %zu FaceCount: %zu\n", face_start, p->index_count / 3);
        vertex_start += p->vertex_count;
        face_start += p->index_count / 3;
    }
    buffer_text(text, "\n***************Vertices**********************\n");
    for (int i = 0; i < model->primitive_count; i++)
        for (size_t k = 0; k < model->primitives[i].vertex_count; k++) {
            const built_vertex *v = &model->primitives[i].vertices[k];
            const float handedness = -v->tangent[3];
            turned(text, "Position:", v->position);
            turned(text, "\nTangent:", v->tangent);
            floats(text, "", &handedness, 1);
            turned(text, "\nNormal:", v->normal);
            floats(text, "\nTex-Coords:", v->uv, 2);
            floats(text, "\nBlendWeights:", v->weights, 4);
            buffer_text(text, "\nBlendIndices: %d %d %d %d\n\n", v->joints[0], v->joints[1],
                        v->joints[2], v->joints[3]);
        }
    buffer_text(text, "***************Triangles*********************\n");
    size_t base = 0;
    for (int i = 0; i < model->primitive_count; i++) {
        const built_primitive *p = &model->primitives[i];
        for (size_t k = 0; k < p->index_count; k += 3)
            buffer_text(text, "%zu %zu %zu\n", base + p->indices[k], base + p->indices[k + 2],
                        base + p->indices[k + 1]);
        base += p->vertex_count;
    }
}

static int joint_of_node(const built_model *model, int node)
{
    for (int j = 0; j < model->joint_count; j++)
        if (model->joints[j].node == node)
            return j;
    return -1;
}

static void write_bones(const built_model *model, byte_buffer *text)
{
    buffer_text(text, "\n***************BoneOffsets*******************\n");
    for (int j = 0; j < model->joint_count; j++) {
        const dvec3 bind = model->joints[j].bind;
        const float offset[3] = {(float)-bind.x, (float)-bind.y, (float)-bind.z};
        buffer_text(text, "BoneOffset%d 1 0 0 0 0 1 0 0 0 0 1 0", j);
        turned(text, "", offset);
        buffer_text(text, " 1\n");
    }
    buffer_text(text, "\n***************BoneHierarchy*****************\n");
    for (int j = 0; j < model->joint_count; j++)
        buffer_text(text, "ParentIndexOfBone%d: %d\n", j,
                    joint_of_node(model, model->nodes[model->joints[j].node].parent));
}

static const built_channel *find_channel(const built_model *model, int clip, int node,
                                         channel_path path)
{
    for (int i = 0; i < model->channel_count; i++) {
        const built_channel *c = &model->channels[i];
        if (c->clip == clip && c->node == node && c->path == path)
            return c;
    }
    return NULL;
}

// A key here carries position and rotation together. The walker keys both of a bone at the same
// times, or only one of them; a path without channel has the value of the node.
static void write_bone_keys(const built_model *model, byte_buffer *text, int clip, int joint)
{
    const built_node *node = &model->nodes[model->joints[joint].node];
    const built_channel *move =
        find_channel(model, clip, model->joints[joint].node, PATH_TRANSLATION);
    const built_channel *turn = find_channel(model, clip, model->joints[joint].node, PATH_ROTATION);
    const built_channel *keys = turn ? turn : move;
    const float still[3] = {(float)node->translation[0], (float)node->translation[1],
                            (float)node->translation[2]};
    const float unturned[4] = {(float)node->rotation.x, (float)node->rotation.y,
                               (float)node->rotation.z, (float)node->rotation.w};
    const float zero = 0.0f;
    const size_t key_count = keys ? keys->key_count : 1;
    buffer_text(text, "\tBone%d #Keyframes: %zu\n\t{\n", joint, key_count);
    for (size_t k = 0; k < key_count; k++) {
        floats(text, "\t\tTime:", keys ? &keys->times[k] : &zero, 1);
        turned(text, " Pos:", move ? &move->values[k * 3] : still);
        buffer_text(text, " Scale: 1 1 1");
        // As the axis of a rotation turns, so does the vector part of its quaternion.
        const float *rotation = turn ? &turn->values[k * 4] : unturned;
        turned(text, " Quat:", rotation);
        floats(text, "", &rotation[3], 1);
        buffer_text(text, "\n");
    }
    buffer_text(text, "\t}\n\n");
}

bool m3d_write(const built_model *model, const char *folder, const char *name)
{
    byte_buffer text = {0};
    size_t vertex_count = 0, triangle_count = 0;
    for (int i = 0; i < model->primitive_count; i++) {
        vertex_count += model->primitives[i].vertex_count;
        triangle_count += model->primitives[i].index_count / 3;
    }
    buffer_text(&text, "***************m3d-File-Header***************\n");
    buffer_text(&text, "#Materials %d\n#Vertices %zu\n#Triangles %zu\n#Bones %d\n",
                model->primitive_count, vertex_count, triangle_count, model->joint_count);
    buffer_text(&text, "#AnimationClips %d\n", model->clip_count);
    write_materials(model, &text);
    write_vertices(model, &text);
    write_bones(model, &text);
    buffer_text(&text, "\n***************AnimationClips****************\n");
    for (int clip = 0; clip < model->clip_count; clip++) {
        buffer_text(&text, "AnimationClip %s\n{\n", model->clips[clip]);
        for (int j = 0; j < model->joint_count; j++)
            write_bone_keys(model, &text, clip, j);
        buffer_text(&text, "}\n\n");
    }
    const bool ok = buffer_save(&text, folder, name);
    free(text.data);
    return ok;
}
