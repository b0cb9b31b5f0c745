// SPDX-License-Identifier: MIT
/// Any model -> .m3d: runs the stages of m3d_builder.h, and reports what the format cannot express:
/// cameras, lights, morph targets, most extensions, and rest poses.
#include "base/row_find.h"
#include "convert/convert_directions.h"
#include "convert/m3d_builder.h"

/// True for extensions that the format can express, or whose losses other reports name.
static bool is_covered(const char *extension)
{
    static const char *const covered[] = {
        "EXT_mesh_gpu_instancing", "EXT_meshopt_compression",
        "EXT_texture_webp",        "KHR_draco_mesh_compression",
        "KHR_lights_punctual",     "KHR_materials_emissive_strength",
        "KHR_materials_ior",       "KHR_materials_pbrSpecularGlossiness",
        "KHR_materials_specular",  "KHR_materials_unlit",
        "KHR_mesh_quantization",   "KHR_meshopt_compression",
        "KHR_node_visibility",     "KHR_texture_basisu",
        "KHR_texture_transform",   "MSFT_texture_dds"};
    return ROW_FIND(covered, extension) >= 0;
}

static zt_result report_extensions(m3d_builder *m)
{
    const model_asset_info *info = m->model->asset_info;
    for (uint32_t i = 0; info && i < info->used.count; i++)
        if (!is_covered(info->used.text[i]))
            ZT_TRY(
                convert_report_loss(m->job, "the extension %.64s is dropped", info->used.text[i]));
    return ZT_OK;
}

static zt_result report_nodes(m3d_builder *m)
{
    uint32_t cameras = 0, lights = 0, morphs = 0;
    for (uint32_t i = 0; i < m->model->node_count; i++) {
        cameras += m->model->nodes[i].camera >= 0;
        lights += m->model->nodes[i].light >= 0;
    }
    for (uint32_t i = 0; i < m->draw_count; i++)
        morphs += m->draws[i].mesh->morph_count > 0;
    if (cameras > 0)
        ZT_TRY(convert_report_loss(m->job, "%u camera%s dropped", cameras,
                                   cameras == 1 ? " is" : "s are"));
    if (lights > 0)
        ZT_TRY(convert_report_loss(m->job, "%u light%s dropped", lights,
                                   lights == 1 ? " is" : "s are"));
    if (morphs > 0)
        ZT_TRY(convert_report_loss(m->job, "the morph targets of %u mesh%s dropped", morphs,
                                   morphs == 1 ? " are" : "es are"));
    return ZT_OK;
}

/// Without a clip, readers pose bones by inverse offsets: a rest pose unlike the bind pose is lost.
static zt_result report_rest(m3d_builder *m)
{
    uint32_t moved = 0, sheared = 0;
    for (uint32_t i = 0; i < m->bone_count; i++) {
        const m3d_out_bone *bone = &m->bones[i];
        if (bone->node < 0)
            continue;
        const affine offset = affine_from_floats(bone->offset);
        const affine world_from_bind = affine_multiply(&m->world[bone->node], &offset);
        moved += !affine_is_near_identity(&world_from_bind, 1e-3);
        sheared += m->model->nodes[bone->node].has_matrix;
    }
    const bool kept = m->clip_count > 0 && m->clips[0] == M3D_REST_CLIP;
    if (moved > 0 && !kept)
        ZT_TRY(convert_report_loss(
            m->job,
            "the rest pose of %u bones is lost: without a clip they take the bind "
            "pose",
            moved));
    return sheared > 0 && m->clip_count > 0
               ? convert_report_loss(m->job, "%u nodes are sheared: clips drop the shear", sheared)
               : ZT_OK;
}

static zt_result build(convert_job *job, const zt_model *model, const gltf_document *document)
{
    m3d_builder m = {.job = job, .model = model, .document = document};
    // Losses that the reader of the source could not take over are lost in the output too.
    for (uint32_t i = 0; document && i < model->note_count; i++)
        ZT_TRY(convert_report_loss(job, "%.400s", model->notes[i]));
    ZT_TRY(m3d_builder_add_bones(&m));
    ZT_TRY(m3d_builder_add_vertices(&m));
    ZT_TRY(report_extensions(&m));
    ZT_TRY(report_nodes(&m));
    ZT_TRY(report_rest(&m));
    ZT_TRY(m3d_builder_add_textures(&m));
    return m3d_builder_write(&m);
}

zt_result convert_model_to_m3d(convert_job *job, const zt_model *model, bool from_gltf)
{
    gltf_document document = {0};
    if (from_gltf)
        ZT_TRY(gltf_document_open(&job->source, job->a, &document, job->err));
    return build(job, model, from_gltf ? &document : NULL);
}
