// SPDX-License-Identifier: MIT
/// KHR_animation_pointer: where pointers lead, reports, values against double over layers.
#include "gltf_fixture.h"
#include "pose/pose.h"
#include "render/camera.h"
#include "render/frame_pose.h"

#include <unistd.h>

// ---- Pointers -----------------------------------------------------------------------------------

// Zeros stand for keys. Material 0 is used with and without vertex colours, so there are two of it.
#define FILE_START                                                                                 \
    "{'asset':{'version':'2.0'},'extensionsUsed':['KHR_animation_pointer'],"                       \
    "'nodes':[{'mesh':0}],'cameras':[{'type':'perspective','perspective':{'yfov':1,'znear':1}},"   \
    "{'type':'orthographic','orthographic':{'xmag':1,'ymag':1,'znear':0,'zfar':1}}],"              \
    "'extensions':{'KHR_lights_punctual':{'lights':[{'type':'spot'}]}},"                           \
    "'materials':[{},{'extensions':{'KHR_materials_pbrSpecularGlossiness':{}}}],"                  \
    "'meshes':[{'primitives':[{'attributes':{'POSITION':2},'material':0},"                         \
    "{'attributes':{'POSITION':2,'COLOR_0':2},'material':0},"                                      \
    "{'attributes':{'POSITION':2},'material':1}]}],'buffers':[{'byteLength':8}],"                  \
    "'bufferViews':[<8>],'accessors':[<0 float SCALAR 2>,{'componentType':5126,'type':'%s',"       \
    "'count':2},<float VEC3 3>],'animations':[{'samplers':[{'input':0,"                            \
    "'output':1}],'channels':[{'sampler':0,'target':%s}]}]}"
#define POINTER(text)                                                                              \
    "{'path':'pointer','extensions':{'KHR_animation_pointer':{'pointer':'" text "'}}}"

static const float times[2] = {0.0f, 1.0f};

static void load(gltf_case *c, const char *type, const char *target)
{
    PRINTED(json, 4096, FILE_START, type, target);
    gltf_case_json(c, json, times, sizeof times);
}

static void load_pointer(gltf_case *c, const char *type, const char *pointer)
{
    PRINTED(target, 512, POINTER("%s"), pointer);
    load(c, type, target);
}

static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};

typedef struct pointer_case {
    const char *pointer;
    model_owner owner;
    uint32_t index;
    size_t offset;
    uint32_t width;
} pointer_case;

#define MATERIAL(i, name, member, width)                                                           \
    {                                                                                              \
        "/materials/" #i "/" name, MODEL_OWNER_MATERIAL, i, offsetof(model_material, member),      \
            width                                                                                  \
    }
#define LIGHT(name, member, width)                                                                 \
    {                                                                                              \
        "/extensions/KHR_lights_punctual/lights/0/" name, MODEL_OWNER_LIGHT, 0,                    \
            offsetof(model_light, member), width                                                   \
    }
#define CAMERA(i, name, member)                                                                    \
    {                                                                                              \
        "/cameras/" #i "/" name, MODEL_OWNER_CAMERA, i, offsetof(model_camera, member), 1          \
    }
#define MOVED       "/extensions/KHR_texture_transform/"
#define COAT        "extensions/KHR_materials_clearcoat/"
#define GLOSS       "extensions/KHR_materials_pbrSpecularGlossiness/"
#define REFLECTANCE "extensions/KHR_materials_specular/"

static const pointer_case pointers[] = {
    MATERIAL(0, "pbrMetallicRoughness/baseColorFactor", base_color, 4),
    MATERIAL(0, "pbrMetallicRoughness/metallicFactor", metallic, 1),
    MATERIAL(0, "pbrMetallicRoughness/roughnessFactor", roughness, 1),
    MATERIAL(0, "pbrMetallicRoughness/baseColorTexture" MOVED "offset", base_map.offset, 2),
    MATERIAL(0, "pbrMetallicRoughness/metallicRoughnessTexture" MOVED "rotation",
             metal_rough_map.uv_rotation_rad, 1),
    MATERIAL(0, "normalTexture" MOVED "scale", normal_map.scale, 2),
    MATERIAL(0, "occlusionTexture" MOVED "offset", occlusion_map.offset, 2),
    MATERIAL(0, "emissiveTexture" MOVED "offset", emissive_map.offset, 2),
    MATERIAL(0, "normalTexture/scale", normal_scale, 1),
    MATERIAL(0, "occlusionTexture/strength", occlusion_strength, 1),
    MATERIAL(0, "emissiveFactor", emissive_factor, 3),
    MATERIAL(0, "alphaCutoff", alpha_cutoff, 1),
    MATERIAL(0, "extensions/KHR_materials_emissive_strength/emissiveStrength", emissive_strength,
             1),
    MATERIAL(0, "extensions/KHR_materials_ior/ior", ior, 1),
    MATERIAL(0, REFLECTANCE "specularFactor", specular, 1),
    MATERIAL(0, REFLECTANCE "specularColorFactor", specular_color, 3),
    MATERIAL(0, REFLECTANCE "specularTexture" MOVED "offset", specular_map.offset, 2),
    MATERIAL(0, REFLECTANCE "specularColorTexture" MOVED "offset", specular_color_map.offset, 2),
    MATERIAL(0, COAT "clearcoatFactor", extensions.clearcoat, 1),
    MATERIAL(0, COAT "clearcoatNormalTexture/scale", extensions.clearcoat_normal_scale, 1),
    MATERIAL(0, COAT "clearcoatTexture" MOVED "offset", extensions.map[MODEL_CLEARCOAT_MAP].offset,
             2),
    MATERIAL(0, "extensions/KHR_materials_volume/attenuationColor", extensions.attenuation_color,
             3),
    MATERIAL(1, GLOSS "diffuseFactor", base_color, 4),
    MATERIAL(1, GLOSS "specularFactor", f0, 3),
    MATERIAL(1, GLOSS "glossinessFactor", glossiness, 1),
    MATERIAL(1, GLOSS "diffuseTexture" MOVED "offset", base_map.offset, 2),
    LIGHT("color", color, 3),
    LIGHT("intensity", intensity, 1),
    LIGHT("range", range_m, 1),
    LIGHT("spot/innerConeAngle", inner_rad, 1),
    LIGHT("spot/outerConeAngle", outer_rad, 1),
    CAMERA(0, "perspective/yfov", fov_y_rad),
    CAMERA(0, "perspective/znear", near_m),
    CAMERA(0, "perspective/zfar", far_m),
    CAMERA(1, "orthographic/ymag", y_mag),
    CAMERA(1, "orthographic/znear", near_m),
    CAMERA(1, "orthographic/zfar", far_m),
    {"/nodes/0/extensions/KHR_node_visibility/visible", MODEL_OWNER_NODE, 0,
     offsetof(model_node, shown), 1},
};

Test(pointers, lead_to_numbers_of_materials_lights_and_cameras)
{
    for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++) {
        const pointer_case *want = &pointers[i];
        const bool twice = want->owner == MODEL_OWNER_MATERIAL && want->index == 0;
        GLTF_CASE c = {.strict = true};
        load_pointer(&c, types[want->width], want->pointer);
        cr_assert(c.result == ZT_OK, "%s: %s", want->pointer, c.err.message);
        cr_assert_eq(c.model.clips[0].property_channel_count, twice ? 2 : 1, "%s", want->pointer);
        const model_property *got =
            &c.model.properties[c.model.clips[0].property_channels[0].property];
        cr_expect(got->owner == want->owner && got->index == want->index &&
                      got->offset == want->offset && got->width == want->width,
                  "%s: %d %u %zu %u", want->pointer, (int)got->owner, got->index, got->offset,
                  got->width);
        cr_expect(!twice || c.model.materials[c.model.properties[1].index].vertex_color);
        c.strict = false;
        load_pointer(&c, types[want->width == 4 ? 3 : 4], want->pointer);
        cr_expect(c.result == ZT_ERR_FORMAT && strstr(c.err.message, "must be"), "%s: %s",
                  want->pointer, c.err.message);
    }
}

// One material as triangles, and as points with and without normals and colours: six of it.
#define SIX_USES                                                                                   \
    "{'asset':{'version':'2.0'},'extensionsUsed':['KHR_animation_pointer'],"                       \
    "'nodes':[{'mesh':0}],'materials':[{}],'meshes':[{'primitives':["                              \
    "{'attributes':{'POSITION':1},'material':0},"                                                  \
    "{'attributes':{'POSITION':1,'COLOR_0':1},'material':0},"                                      \
    "{'attributes':{'POSITION':1,'NORMAL':1},'mode':0,'material':0},"                              \
    "{'attributes':{'POSITION':1,'NORMAL':1,'COLOR_0':1},'mode':0,'material':0},"                  \
    "{'attributes':{'POSITION':1},'mode':0,'material':0},"                                         \
    "{'attributes':{'POSITION':1,'COLOR_0':1},'mode':0,'material':0}]}],"                          \
    "'buffers':[{'byteLength':8}],'bufferViews':[<8>],'accessors':[<0 float SCALAR 2>,"            \
    "<float VEC3 3>],'animations':[{'samplers':[{'input':0,"                                       \
    "'output':0}],'channels':[%s]}]}"

Test(pointers, move_a_material_in_all_its_uses)
{
    static const char *const names[] = {"pbrMetallicRoughness/metallicFactor",
                                        "pbrMetallicRoughness/roughnessFactor",
                                        "alphaCutoff",
                                        "normalTexture/scale",
                                        "occlusionTexture/strength",
                                        COAT "clearcoatFactor"};
    const uint32_t count = sizeof names / sizeof *names;
    char channels[2048] = "", json[4096];
    for (uint32_t i = 0; i < count; i++) {
        const size_t used = strlen(channels);
        snprintf(channels + used, sizeof channels - used,
                 "%s{'sampler':0,'target':" POINTER("/materials/0/%s") "}", i > 0 ? "," : "",
                 names[i]);
    }
    snprintf(json, sizeof json, SIX_USES, channels);
    GLTF_MUST(c, .strict = false, json, times, sizeof times);
    cr_expect_eq(c.model.material_count, 6);
    cr_expect_eq(c.model.property_count, 6 * count);
    cr_expect_eq(c.model.clips[0].property_channel_count, 6 * count);
    for (uint32_t i = 0; i < c.model.clips[0].property_channel_count; i++)
        cr_expect_eq(c.model.clips[0].property_channels[i].property, i);
}

Test(pointers, lead_to_nodes)
{
    static const char *const names[] = {"translation", "rotation", "scale"};
    for (int path = MODEL_TRANSLATION; path <= MODEL_SCALE; path++) {
        GLTF_CASE c = {.strict = false}; // rotations of zeros are warned of
        PRINTED(pointer, 64, "/nodes/0/%s", names[path]);
        load_pointer(&c, path == MODEL_ROTATION ? "VEC4" : "VEC3", pointer);
        cr_assert(c.result == ZT_OK, "%s", c.err.message);
        cr_assert_eq(c.model.clips[0].channel_count, 1);
        const model_channel *got = &c.model.clips[0].channels[0];
        cr_expect(got->node == 0 && got->path == (model_path)path && got->key_count == 2);
    }
}

Test(pointers, that_lead_nowhere_are_named_and_fail_strictly)
{
    static const char *const lost[] = {
        "/materials/7/alphaCutoff",
        "/materials/0/alphaMode",
        "/materials//alphaCutoff",
        "/materials/0/normalTexture" MOVED "texCoord",
        "/cameras/0/perspective/name",
        "/nodes/0/matrix",
        "/nodes/0/weights/0",
        "/skins/0/joints",
        "",
        "/",
        "x",
        "/nodes/99999999999/scale",
    };
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        GLTF_CASE c = {.strict = false};
        load_pointer(&c, "SCALAR", lost[i]);
        cr_assert(c.result == ZT_OK, "%s: %s", lost[i], c.err.message);
        PRINTED(note, 128, "the animation of '%s' is left out", lost[i]);
        cr_expect(strstr(c.messages, note) != NULL, "%s", c.messages);
        c.strict = true;
        load_pointer(&c, "SCALAR", lost[i]);
        cr_expect(c.result == ZT_ERR_UNSUPPORTED, "%s", lost[i]);
    }
    GLTF_CASE c = {.strict = false};
    load(&c, "SCALAR", "{'path':'pointer'}");
    cr_expect(c.result == ZT_OK && strstr(c.messages, "no KHR_animation_pointer, and is ignored"),
              "%s %s", c.err.message, c.messages);
    load(&c, "SCALAR", "{'path':'pointer','extensions':{'KHR_animation_pointer':{'pointer':7}}}");
    cr_expect(c.result == ZT_ERR_FORMAT && strstr(c.err.message, "/pointer: is a number"), "%s",
              c.err.message);
}

// ---- Values over time ---------------------------------------------------------------------------

/// Keys of tests/cli/models/pulsing.gltf, at 0, 1 and 2 s.
static const double base_keys[3][3] = {{0, 0, 0}, {1, 0.5, 0.25}, {0, 1, 0}};
static const double intensity_keys[3][1] = {{1}, {3}, {2}}, fov_keys[3][1] = {{0.5}, {1}, {0.75}};
static const double color_keys[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static double between(const double *keys, int width, int component, double t)
{
    const int first = t >= 1.0;
    const double s = t - first, *from = keys + first * width, *to = from + width;
    return from[component] * (1.0 - s) + to[component] * s;
}

/// `rest`: what its model says apart from its file.
static zt_scene *open_model(const char *rest)
{
    zt_error err = {0};
    zt_scene *scene = NULL;
    PRINTED(path, 1024, ZT_BINARY_DIR "/unit_pointers_%ld.yaml", (long)getpid());
    FILE *f = fopen(path, "w");
    cr_assert(f);
    fprintf(
        f,
        "format: 1\noutput: { fps: 8, frames: 0-16 }\nmodels:\n  - { name: a, file: " ZT_SOURCE_DIR
        "/tests/cli/models/pulsing.gltf, %s }"
        "\ncamera: { model: { model: a, camera: 0 } }\nlights: []\n",
        rest);
    fclose(f);
    zt_load_def def = zt_default_load_def();
    def.strict = true;
    const zt_result result = zt_scene_load(path, &def, &scene, &err);
    unlink(path);
    MUST(result, err);
    return scene;
}

static zt_scene *open_scene(const char *animation)
{
    PRINTED(rest, 512, "animation: %s, instances: [ {}, { animation: none } ]", animation);
    return open_model(rest);
}

/// State of a frame: the materials of both instances, the first light, the camera.
typedef struct shown {
    float base[2][4], roughness, radiance[3];
    double focal;
    uint32_t materials;
} shown;

static void show(zt_scene *scene, int64_t frame, shown *out)
{
    OWN_ARENA a;
    zt_error err = {0};
    frame_pose pose;
    shade_frame shade = {0};
    frame_light_set lights;
    shade_material *materials;
    view_camera camera;
    const camera_points points = {0}; // the camera is of a model
    const scene_framing framing = {.max = {1.0f, 1.0f, 1.0f}};
    arena_init(&a, &scene->budget_own);
    const zt_result found = frame_pose_build(kernels_for(ZT_ISA_SCALAR)->pose, scene,
                                             scene_frame_time(scene, frame), &a, &pose, &err);
    MUST(found, err);
    MUST(frame_materials(scene, &pose, scene_frame_time(scene, 0), &a, &materials, &out->materials,
                         &err),
         err);
    MUST(
        frame_lights(scene, &pose, scene_frame_time(scene, frame), NULL, &a, &shade, &lights, &err),
        err);
    scene_camera_at(scene, &framing, scene_frame_time(scene, frame), &points, pose.world_from_node,
                    (const model_property_value *const *)pose.properties, &camera);
    for (int i = 0; i < 2; i++)
        memcpy(out->base[i], materials[pose.first_material[i]].base_color, sizeof out->base[i]);
    out->roughness = materials[pose.first_material[0]].roughness;
    memcpy(out->radiance, shade.lights[0].radiance, sizeof out->radiance);
    out->focal = camera.focal;
}

Test(pointers, move_materials_lights_and_cameras)
{
    OWN_SCENE *scene = open_scene("{ clip: all, loop: once }");
    cr_assert(scene->models[0]->clips[0].end_s == 2.0f, "a clip of pointers has a length");
    for (int64_t frame = 0; frame <= 16; frame++) {
        const double t = (double)frame / 8.0;
        shown got;
        show(scene, frame, &got);
        cr_assert_eq(got.materials, 2, "an instance that plays has materials of its own");
        for (int k = 0; k < 3; k++) {
            const double base = between(base_keys[0], 3, k, t);
            const double color = between(color_keys[0], 3, k, t);
            const double light = color * between(intensity_keys[0], 1, 0, t);
            NEAR(got.base[0][k], base, 1e-6, "%g s", t);
            cr_expect(got.base[1][k] == 0.5f, "as authored");
            cr_expect(fabs((double)got.radiance[k] - light) < 1e-6);
        }
        const double fov = between(fov_keys[0], 1, 0, t);
        cr_expect(fabs((double)got.roughness - fov) < 1e-6, "the same keys");
        cr_expect(fabs(got.focal - 1.0 / tan(fov / 2.0)) < 1e-5, "%g s: focal %g", t, got.focal);
    }
}

/// A layer of a quarter over another one; what the upper clip does not move is as authored.
Test(pointers, layers_blend)
{
    OWN_SCENE *scene = open_scene("[ { clip: all, loop: once }, { clip: white, weight: 0.25 } ]");
    for (int64_t frame = 0; frame <= 16; frame += 4) {
        const double t = (double)frame / 8.0;
        shown got;
        show(scene, frame, &got);
        for (int k = 0; k < 3; k++) {
            const double base = between(base_keys[0], 3, k, t) * 0.75 + 0.25;
            cr_expect(fabs((double)got.base[0][k] - base) < 1e-6);
        }
        const double rough = between(fov_keys[0], 1, 0, t) * 0.75 + 0.25 * 1.0;
        NEAR(got.roughness, rough, 1e-6, "%g s", t);
    }
}

/// Members of a kind show one pose and one set of materials; a lone one has its own.
Test(pointers, crowds_share_materials_by_pose)
{
    OWN_SCENE *scene =
        open_model("animation: { clip: all }, instances: { grid: { count: [20, 10] },"
                   " vary: { poses: 120, start: 2 } }");
    OWN_ARENA a;
    zt_error err = {0};
    frame_pose pose;
    pose_sharing sharing;
    shade_material *materials;
    uint32_t alone = 0, count = 0;
    arena_init(&a, &scene->budget_own);
    MUST(frame_pose_build(kernels_for(ZT_ISA_SCALAR)->pose, scene, scene_frame_time(scene, 3), &a,
                          &pose, &err),
         err);
    MUST(pose_sharing_build(scene, scene_shot_time(scene, 3.0 / 8.0), &a, &sharing, &err), err);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        alone += sharing.pose_of[i] == POSE_UNSHARED;
        for (uint32_t k = 0; k < i; k++)
            cr_assert_eq(pose.first_material[i] == pose.first_material[k],
                         sharing.pose_of[i] != POSE_UNSHARED &&
                             sharing.pose_of[i] == sharing.pose_of[k]);
    }
    cr_assert(alone > 20 && sharing.count > 20, "%u alone, %u kinds", alone, sharing.count);
    MUST(frame_materials(scene, &pose, scene_shot_time(scene, 3.0 / 8.0), &a, &materials, &count,
                         &err),
         err);
    cr_assert_eq(count, (alone + sharing.count) * scene->models[0]->material_count);
    cr_assert_eq(pose.material_count, count);
}

/// Values that follow from factors follow from moved ones, and keys beyond a range stop at it.
Test(pointers, derived_values_are_updated)
{
    model_material m = {.emissive_factor = {1.0f, 0.5f, 0.25f},
                        .emissive_strength = 4.0f,
                        .ior = 2.0f,
                        .specular_color = {1.0f, 0.5f, 3.0f}};
    m.emissive_map = (model_slot){.transformed = true,
                                  .offset = {1.0f, 2.0f},
                                  .uv_rotation_rad = 1.0f,
                                  .scale = {2.0f, 3.0f}};
    model_material_derive(&m);
    for (int k = 0; k < 3; k++) {
        cr_expect(m.emissive[k] == m.emissive_factor[k] * 4.0f);
        cr_expect(fabs((double)m.f0[k] - (double)m.specular_color[k] / 9.0) < 1e-7);
    }
    const double s = sin(1.0), c = cos(1.0);
    const double want[6] = {2.0 * c, 3.0 * s, 1.0, -2.0 * s, 3.0 * c, 2.0};
    for (int i = 0; i < 6; i++)
        cr_expect(fabs((double)m.emissive_map.uv_from_uv[i] - want[i]) < 1e-6, "[%d]", i);
    m.glossy = true;
    m.glossiness = 0.75f;
    m.f0[0] = 0.125f;
    model_material_derive(&m);
    cr_expect(m.roughness == 0.25f && m.f0[0] == 0.125f);
}
