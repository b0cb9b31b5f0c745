// SPDX-License-Identifier: MIT
/// Everything -> .m3d: the order of the parts, and what the format has no place for.
#include "convert/m3d_maker.h"

#include <string.h>

/// Extensions that say in other words what the format holds, or of which lines of their own tell.
static bool is_held(const char *extension)
{
    static const char *const held[] = {
        "EXT_mesh_gpu_instancing", "EXT_meshopt_compression",
        "EXT_texture_webp",        "KHR_draco_mesh_compression",
        "KHR_lights_punctual",     "KHR_materials_emissive_strength",
        "KHR_materials_ior",       "KHR_materials_pbrSpecularGlossiness",
        "KHR_materials_specular",  "KHR_materials_unlit",
        "KHR_mesh_quantization",   "KHR_meshopt_compression",
        "KHR_node_visibility",     "KHR_texture_basisu",
        "KHR_texture_transform",   "MSFT_texture_dds"};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        if (strcmp(extension, held[i]) == 0)
            return true;
    return false;
}

static zt_result report_extensions(m3d_maker *m)
{
    const model_about *about = m->model->about;
    for (uint32_t i = 0; about && i < about->used.count; i++)
        if (!is_held(about->used.text[i]))
            ZT_TRY(convert_lost(m->job, "what %.64s says is left out", about->used.text[i]));
    return ZT_OK;
}

static zt_result report_nodes(m3d_maker *m)
{
    uint32_t cameras = 0, lights = 0, morphs = 0;
    for (uint32_t i = 0; i < m->model->node_count; i++) {
        cameras += m->model->nodes[i].camera >= 0;
        lights += m->model->nodes[i].light >= 0;
    }
    for (uint32_t i = 0; i < m->draw_count; i++)
        morphs += m->draws[i].mesh->morph_count > 0;
    if (cameras > 0)
        ZT_TRY(
            convert_lost(m->job, "%u camera%s left out", cameras, cameras == 1 ? " is" : "s are"));
    if (lights > 0)
        ZT_TRY(convert_lost(m->job, "%u light%s left out", lights, lights == 1 ? " is" : "s are"));
    if (morphs > 0)
        ZT_TRY(convert_lost(m->job, "the morph targets of %u mesh%s left out", morphs,
                            morphs == 1 ? " are" : "es are"));
    return ZT_OK;
}

/// A bone's place at rest is the inverse of its offset: a node that stands elsewhere without a clip
/// cannot be told.
static zt_result report_rest(m3d_maker *m)
{
    uint32_t moved = 0, sheared = 0;
    for (uint32_t i = 0; i < m->bone_count; i++) {
        const m3d_maker_bone *bone = &m->bones[i];
        if (bone->node < 0)
            continue;
        affine offset, there;
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 3; column++)
                offset.m[row][column] = (double)bone->offset[4 * column + row];
            offset.t[row] = (double)bone->offset[12 + row];
        }
        there = affine_multiply(&m->world[bone->node], &offset);
        const affine one = affine_identity();
        double worst = 0.0;
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 3; column++) {
                const double d = there.m[row][column] - one.m[row][column];
                worst = d * d > worst ? d * d : worst;
            }
            worst = there.t[row] * there.t[row] > worst ? there.t[row] * there.t[row] : worst;
        }
        moved += worst > 1e-6;
        sheared += m->model->nodes[bone->node].has_matrix;
    }
    if (moved > 0)
        ZT_TRY(convert_lost(m->job,
                            "without a clip %u bones stand as they were bound, not as the "
                            "file poses them",
                            moved));
    return sheared > 0 && m->clip_count > 0
               ? convert_lost(m->job, "%u nodes are sheared: left out in clips", sheared)
               : ZT_OK;
}

/// What the reader could not take over is lost here as well.
static zt_result report_notes(m3d_maker *m)
{
    for (uint32_t i = 0; m->document && i < m->model->note_count; i++)
        ZT_TRY(convert_lost(m->job, "%.400s", m->model->notes[i]));
    return ZT_OK;
}

zt_result convert_to_m3d(convert_job *job, const zt_model *model, const gltf_document *document)
{
    m3d_maker m = {.job = job, .model = model, .document = document};
    ZT_TRY(report_notes(&m));
    ZT_TRY(m3d_make_bones(&m));
    ZT_TRY(m3d_make_vertices(&m));
    ZT_TRY(report_extensions(&m));
    ZT_TRY(report_nodes(&m));
    ZT_TRY(report_rest(&m));
    ZT_TRY(m3d_make_surfaces(&m));
    return m3d_make_text(&m);
}
