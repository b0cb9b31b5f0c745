// SPDX-License-Identifier: MIT
/// `materials` of a scene: what is read, what drives wrinkles, axes of bind space, and pictures:
/// the same from a tangent-space map and from one baked into object space.
#include "drawing.h"
#include "geometry/geometry.h"
#include "kernels/kernels.h"
#include "model/material_maps.h"
#include "pose/pose.h"
#include "random_numbers.h"
#include "scene_fixture.h"
#include "test_folder.h"

#define SCENES ZT_SOURCE_DIR "/scenes/tests/"
#define MODELS "../../../scenes/models/"
#define RELIEF "format: 1\nmodels:\n  - file: " MODELS "relief.glb\n"
#define FACE   "format: 1\nmodels:\n  - file: " MODELS "face.glb\n"
#define PNG    MODELS "relief_object.png"

TestSuite(materials, .init = setup, .fini = teardown);

// ---- What is read -------------------------------------------------------------------------------

Test(materials, factors_and_maps)
{
    must_read(RELIEF "    materials:\n      relief:\n"
                     "        base_color: \"#ff0000\"\n        metallic: [[0, 0], [2, 1]]\n"
                     "        roughness: 0.25\n        emissive: [0, 2, 0]\n"
                     "        base_color_map: " PNG "\n        normal_map: none\n");
    const scene_instance *i = &scene.instances[0];
    cr_assert_eq(i->material_count, 1);
    const scene_material *m = &i->materials[0];
    cr_expect(at(&m->base_color, 0, 0) == 1.0 && at(&m->base_color, 0, 1) == 0.0);
    cr_expect(at(&m->metallic, 1, 0) == 0.5 && at(&m->roughness, 0, 0) == 0.25);
    cr_expect(at(&m->emissive, 0, 1) == 2.0);
    cr_expect_eq(m->normal_scale.key_count, 0, "without a key it is the model's");
    cr_expect(m->has_map[SCENE_MAP_BASE] && m->map[SCENE_MAP_BASE] &&
              !m->map[SCENE_MAP_BASE]->is_normal_map);
    cr_expect(m->has_map[SCENE_MAP_NORMAL] && !m->map[SCENE_MAP_NORMAL]);
    cr_expect_not(m->has_map[SCENE_MAP_EMISSIVE]);
}

Test(materials, of_instances_go_over_those_of_the_model)
{
    must_read(RELIEF "    materials: { relief: { roughness: 0.25, metallic: 1 } }\n"
                     "    instances:\n      - {}\n"
                     "      - { materials: { relief: { roughness: 0.75 } } }\n");
    cr_assert_eq(scene.instance_count, 2);
    const scene_instance *a = &scene.instances[0], *b = &scene.instances[1];
    cr_expect(at(&a->materials[0].roughness, 0, 0) == 0.25);
    cr_expect(at(&b->materials[0].roughness, 0, 0) == 0.75);
    cr_expect(at(&b->materials[0].metallic, 0, 0) == 1.0);
    cr_expect_eq(a->model, b->model);
}

Test(materials, all_of_a_name_change_and_pictures_are_loaded_once)
{
    // The face's skin has vertex colours, its eyes have not.
    must_read(FACE "    materials:\n      skin: { normal_map: " PNG " }\n"
                   "      eye: { normal_map: " PNG ", wrinkles: [ { map: " PNG " } ] }\n");
    const scene_instance *i = &scene.instances[0];
    cr_assert_eq(i->material_count, 2);
    const model_texture *map = i->materials[0].map[SCENE_MAP_NORMAL];
    cr_expect_eq(i->materials[1].map[SCENE_MAP_NORMAL], map);
    cr_expect_eq(i->materials[1].wrinkles[0].map, map);
    cr_expect(map->is_normal_map && map->mipmap.level_count == 8);
}

/// Unnamed materials are called by their numbers; a model without texture coordinates stays whole.
Test(materials, without_a_name)
{
    must_read("format: 1\nmodels:\n  - file: " MODELS "near_plane.glb\n");
    for (uint32_t k = 0; k < scene.models[0]->material_count; k++)
        cr_assert(scene.models[0]->materials[k].number == k);
    PRINTED(text, 400,
            "{\"format\": 1, \"models\": [{\"file\": \"%s\", \"materials\": {\"7\": {}}}]}",
            MODELS "near_plane.glb");
    must_fail_json(text, ZT_ERR_FORMAT, "/models/0/materials/7: no material '7'");
}

Test(materials, drivers_of_wrinkles)
{
    must_read(RELIEF "    materials:\n      relief:\n        wrinkles:\n"
                     "          - { map: " PNG ", mask: " PNG ", weight: [[0, 0], [1, 2]] }\n"
                     "          - { map: " PNG ", joint: forearm, range: [10, 90] }\n"
                     "          - { map: " PNG
                     ", joint: forearm, axis: [0, 0, 2], range: [90, -9] }\n");
    const scene_material *m = &scene.instances[0].materials[0];
    cr_assert_eq(m->wrinkle_count, 3);
    cr_expect(m->wrinkles[0].driver.kind == SCENE_DRIVER_NONE && m->wrinkles[0].mask &&
              !m->wrinkles[0].mask->is_normal_map && at(&m->wrinkles[0].weight, 0.5, 0) == 1.0);
    cr_expect(m->wrinkles[1].driver.kind == SCENE_DRIVER_JOINT &&
              m->wrinkles[1].driver.range[0] == 10.0 && !m->wrinkles[1].driver.has_axis);
    cr_expect(m->wrinkles[2].driver.axis[2] == 1.0 && m->wrinkles[2].driver.range[1] == -9.0);
    must_read(FACE "    materials: { skin: { wrinkles: [ { map: " PNG ", morph: brow } ] } }\n");
    const scene_wrinkle *w = &scene.instances[0].materials[0].wrinkles[0];
    const model_node *node = &scene.models[0]->nodes[w->driver.node];
    cr_expect_str_eq(scene.models[0]->meshes[node->mesh].morphs[w->driver.target].name, "brow");
    cr_expect(w->driver.range[0] == 0.0 && w->driver.range[1] == 1.0);
}

Test(materials, too_many_wrinkles)
{
    char many[2000] = HEAD "    materials: { red: { wrinkles: [";
    for (int i = 0; i < 17; i++)
        strcat(many, i ? ", {map: " PNG "}" : "{map: " PNG "}");
    strcat(many, "] } }\n");
    must_fail(many, "17 wrinkles (expected at most 16)");
}

// ---- Angles -------------------------------------------------------------------------------------

/// Columns of the rotation by an angle about a unit axis (Rodrigues), times a scale.
static void rotation(const double k[3], double angle, double scale, mat4 out)
{
    const double c = cos(angle), s = sin(angle);
    glm_mat4_identity(out);
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            const double skew = i == j ? 0.0 : (i + 1) % 3 == j ? -k[(j + 1) % 3] : k[(i + 1) % 3];
            out[j][i] = (float)(scale * ((i == j ? c : 0.0) + s * skew + k[i] * k[j] * (1.0 - c)));
        }
}

Test(materials, angles_of_joints)
{
    must_read(RELIEF);
    const zt_model *model = scene.models[0];
    mat4 world[16], turn, base;
    uint64_t state = 5;
    uint32_t node = 0;
    while (strcmp(model->nodes[node].name, "forearm") != 0)
        node++;
    cr_assert_lt(model->node_count, 16);
    for (int n = 0; n < 2000; n++) {
        double axis[3], other[3], minus[3];
        const double degrees = (2.0 * between(&state, 0.0, 1.0) - 1.0) * 179.9;
        dvec3_store(random_direction(&state), axis);
        dvec3_store(random_direction(&state), other);
        rotation(other, between(&state, 0.0, 1.0) * 6.0, 0.2 + between(&state, 0.0, 1.0), base);
        rotation(axis, degrees * (3.14159265358979323846 / 180.0), 1.7, turn);
        mat4 rest, local;
        trs rest_of = model->nodes[node].rest;
        trs_to_mat4(&rest_of, rest);
        glm_mat4_mul(rest, turn, local);
        glm_mat4_copy(base, world[model->nodes[node].parent]);
        glm_mat4_mul(base, local, world[node]);
        for (int k = 0; k < 3; k++)
            minus[k] = -axis[k];
        const mat4 *nodes = (const mat4 *)world;
        const double whole = pose_joint_angle(model, node, nodes, NULL);
        const double about = pose_joint_angle(model, node, nodes, axis);
        const double against = pose_joint_angle(model, node, nodes, minus);
        cr_assert(fabs(whole - fabs(degrees)) < 1e-4, "%g, want %g", whole, degrees);
        cr_assert(fabs(about - degrees) < 1e-4, "%g, want %g", about, degrees);
        cr_assert(fabs(against + degrees) < 1e-4, "%g, want %g", against, -degrees);
    }
}

/// The elbow of the arm turns to 100 degrees in a second, about z.
Test(materials, weights_follow_joints_and_morphs)
{
    must_read(RELIEF
              "    animation: [ curl ]\n    materials:\n      relief:\n        wrinkles:\n"
              "          - { map: " PNG ", joint: forearm, range: [20, 100], weight: 2 }\n"
              "          - { map: " PNG ", joint: forearm, axis: [0, 0, -1], range: [0, -100] }\n"
              "          - { map: " PNG ", joint: forearm, axis: [1, 0, 0], range: [1, 100] }\n");
    const scene_instance *arm = &scene.instances[0];
    const mat4 *const *worlds;
    static const double times[4] = {0.0, 0.5, 0.8, 1.0};
    for (int i = 0; i < 4; i++) {
        MUST(pose_scene(kernels_best(ZT_ISA_BEST)->pose, &scene, scene_shot_time(&scene, times[i]),
                        &scene.arena, &(pose_sharing){0}, &worlds, &err),
             err);
        const double degrees = 100.0 * times[i];
        const double want[3] = {2.0 * fmax((degrees - 20.0) / 80.0, 0.0), degrees / 100.0, 0.0};
        for (int k = 0; k < 3; k++) {
            const float weight = pose_wrinkle_weight(
                arm, &arm->materials[0].wrinkles[k], scene_shot_time(&scene, times[i]),
                &(pose_joints){.world_from_node = worlds[0]}, NULL);
            NEAR(weight, want[k], 1e-4, "%g s, %d", times[i], k);
        }
    }
    must_read(FACE "    morphs: { brow: [[0, -1], [3, 2]] }\n    materials: { skin: { wrinkles: [ "
                   "{ map: " PNG ", morph: brow, range: [-0.5, 1.5] } ] } }\n");
    const scene_instance *face = &scene.instances[0];
    pose_morphs morphs;
    cr_assert(pose_morphs_init(pose_morph_capacity(&scene), &scene.arena, &morphs));
    for (int i = 0; i <= 6; i++) {
        const double t = 0.5 * i, want = fmin(fmax((t - 1.0 + 0.5) / 2.0, 0.0), 1.0);
        const float weight =
            pose_wrinkle_weight(face, &face->materials[0].wrinkles[0], scene_shot_time(&scene, t),
                                &(pose_joints){0}, &morphs);
        cr_expect(fabs((double)weight - want) < 1e-6, "%g s: %g, want %g", t, (double)weight, want);
    }
}

// ---- Axes ---------------------------------------------------------------------------------------

/// Transform of the axes of bind space by the vertices of the arm: exactly their blend of matrices.
Test(materials, axes_follow_the_skin)
{
    must_read(RELIEF);
    const model_mesh *mesh = &scene.models[0]->meshes[0];
    mat4 palette[2];
    const double axis[3] = {0.6, 0.0, 0.8};
    rotation(axis, 0.3, 1.0, palette[0]);
    rotation(axis, 1.9, 1.0, palette[1]);
    geometry_draw draw = {.mesh = mesh,
                          .palette = (const skin_matrix *)(const void *)palette,
                          .normals = (const skin_matrix *)(const void *)palette,
                          .matrix_count = 2,
                          .skinned = true,
                          .needs_axes = true,
                          .mirrored_axes = true};
    geometry_frame frame = {.draws = &draw, .draw_count = 1};
    cr_assert_eq(geometry_frame_init(&frame, &scene.arena, &scene.arena, &err), ZT_OK);
    for (int64_t i = 0; i < frame.skin_job_count; i++)
        geometry_skin(&frame, kernels_best(ZT_ISA_BEST)->geometry, i);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const float *got[3] = {&draw.axes[0][v].nx, &draw.axes[0][v].tx, &draw.axes[1][v].nx};
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++) {
                double want = 0.0;
                for (int j = 0; j < 4; j++)
                    want += (double)mesh->weights[v].weight[j] *
                            (double)palette[mesh->joints[v].joint[j]][c][k];
                want = c == 2 ? -want : want;
                cr_assert(fabs((double)got[c][k] - want) < 1e-6, "vertex %u, axis %d", v, c);
            }
    }
}

/// A morph turns the axes as it turns the vertex normal: to the morphed one, and by no more.
Test(materials, axes_follow_morphs)
{
    must_read(FACE);
    const model_mesh *mesh = &scene.models[0]->meshes[0];
    mat4 identity;
    glm_mat4_identity(identity);
    const morph_use use = {&mesh->morphs[0].target, 1.7f};
    geometry_draw draw = {.mesh = mesh,
                          .palette = (const skin_matrix *)(const void *)identity,
                          .normals = (const skin_matrix *)(const void *)identity,
                          .matrix_count = 1,
                          .morphs = &use,
                          .morph_count = 1,
                          .needs_axes = true};
    geometry_frame frame = {.draws = &draw, .draw_count = 1};
    int turned = 0;
    cr_assert_eq(geometry_frame_init(&frame, &scene.arena, &scene.arena, &err), ZT_OK);
    for (int64_t i = 0; i < frame.skin_job_count; i++)
        geometry_skin(&frame, kernels_best(ZT_ISA_BEST)->geometry, i);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const vertex_attributes *a = &mesh->attributes[v], *b = &draw.attributes[v];
        const double from[3] = {(double)a->nx, (double)a->ny, (double)a->nz};
        const double to[3] = {(double)b->nx, (double)b->ny, (double)b->nz};
        const float *axis[3] = {&draw.axes[0][v].nx, &draw.axes[0][v].tx, &draw.axes[1][v].nx};
        double trace = 0.0, cosine = 0.0;
        for (int k = 0; k < 3; k++) {
            double n = 0.0;
            for (int c = 0; c < 3; c++)
                n += (double)axis[c][k] * from[c];
            cr_assert(fabs(n - to[k]) < 2e-6, "vertex %u: %g, want %g", v, n, to[k]);
            trace += (double)axis[k][k];
            cosine += from[k] * to[k];
        }
        cr_assert(fabs((trace - 1.0) / 2.0 - cosine) < 2e-6, "vertex %u turns by more", v);
        turned += cosine < 0.999;
    }
    cr_assert_gt(turned, 50);
}

// ---- Pictures -----------------------------------------------------------------------------------

static zt_image render_scene(const char *file, int64_t frame)
{
    OWN_SCENE *shown = load_scene(file, NULL);
    return draw_frame(NULL, shown, frame);
}

static double psnr(const zt_image *a, const zt_image *b)
{
    double sum = 0.0;
    size_t count = 0;
    for (int32_t y = 0; y < a->height; y++)
        for (int32_t x = 0; x < a->width; x++) {
            const uint8_t *p = a->rgba8 + (size_t)y * a->stride + (size_t)x * 4;
            const uint8_t *q = b->rgba8 + (size_t)y * b->stride + (size_t)x * 4;
            if (p[0] == 0x20 && p[1] == 0x24 && p[2] == 0x2c)
                continue; // background
            for (int k = 0; k < 3; k++)
                sum += (p[k] - q[k]) * (p[k] - q[k]);
            count += 3;
        }
    cr_assert_gt(count, 9000);
    return 10.0 * log10(255.0 * 255.0 / (sum / (double)count));
}

/// Straight, maps differ by rounding; bent, in the elbow, by linear skinning of normals.
Test(materials, a_map_baked_into_object_space_shows_the_same)
{
    static const struct {
        int64_t frame;
        double smallest;
    } cases[] = {{0, 57.0}, {15, 53.0}, {30, 44.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWN_IMAGE a = render_scene(SCENES "relief.yaml", cases[i].frame);
        OWN_IMAGE b = render_scene(SCENES "relief_object.yaml", cases[i].frame);
        const double got = psnr(&a, &b);
        fprintf(stderr, "frame %d: %.1f dB\n", (int)cases[i].frame, got);
        cr_expect_geq(got, cases[i].smallest, "frame %d: %.1f dB", (int)cases[i].frame, got);
    }
}

static zt_image render_text(const char *text)
{
    OWN_SCENE *shown = load_scene_text("%s", text);
    return draw_frame(NULL, shown, 0);
}

static uint64_t hash_of_text(const char *text)
{
    OWN_IMAGE image = render_text(text);
    return zt_image_hash(&image);
}

#define HERE        ZT_SOURCE_DIR "/scenes/models/"
#define SHOWN(rest) "output: { size: [64, 64] }\nmodels:\n  - file: " HERE "relief.glb\n" rest
#define WRINKLED(weight)                                                                           \
    SHOWN("    materials: { relief: { wrinkles: [ { map: " HERE "head_mouth.png, weight: " weight  \
          " } ] } }\n")

/// Weight 0 is the base, bit for bit, and another weight is not; a change of nothing is none.
Test(materials, weight_0_is_the_base)
{
    const uint64_t plain = hash_of_text(SHOWN(""));
    cr_expect_eq(hash_of_text(WRINKLED("0")), plain);
    cr_expect_neq(hash_of_text(WRINKLED("0.5")), plain);
    cr_expect_eq(hash_of_text(SHOWN("    materials: { relief: {} }\n")), plain);
    cr_expect_eq(hash_of_text(SHOWN("    materials: { relief: { roughness: 0.45 } }\n")), plain);
    cr_expect_neq(hash_of_text(SHOWN("    materials: { relief: { roughness: 0.9 } }\n")), plain);
}

/// A model mirrored in x under mirrored light is the mirrored picture, relief and all.
Test(materials, a_mirrored_model_has_a_mirrored_relief)
{
    zt_image shown[2];
    for (int i = 0; i < 2; i++) {
        PRINTED(text, 1024,
                "output: { size: [128, 128], samples: 4, background: \"#20242c\" }\n"
                "environment: { color: [0.1, 0.1, 0.1] }\n"
                "models: [ { file: " HERE "relief.glb, transform: { scale: [%d, 1, 1] } } ]\n"
                "lights: [ { directional: { direction: [%d, -0.3, -0.4], lux: 3 } } ]\n"
                "camera: { look_at: { position: [0, 1, 5], target: [0, 1, 0] }, fov: 24 }\n",
                i ? -1 : 1, i ? 1 : -1);
        shown[i] = render_text(text);
    }
    for (int32_t y = 0; y < shown[1].height; y++) {
        uint32_t *row = (uint32_t *)(void *)(shown[1].rgba8 + (size_t)y * shown[1].stride);
        for (int32_t x = 0; x < shown[1].width / 2; x++) {
            const uint32_t left = row[x];
            row[x] = row[shown[1].width - 1 - x];
            row[shown[1].width - 1 - x] = left;
        }
    }
    const double got = psnr(&shown[0], &shown[1]);
    fprintf(stderr, "mirrored: %.1f dB\n", got);
    cr_expect_geq(got, 35.0, "%.1f dB", got); // single pixels of edges differ
    zt_image_finish(&shown[0]);
    zt_image_finish(&shown[1]);
}

/// The scale is a factor in the tangent frame: maps in object space have none.
Test(materials, normal_scale_means_nothing_in_object_space)
{
#define OBJECT_MAP                                                                                 \
    "    materials: { relief: { normal_map: " HERE "relief_object.png, normal_space: object } }\n"
    const uint64_t object = hash_of_text(SHOWN(OBJECT_MAP));
    cr_expect_eq(hash_of_text(SHOWN(OBJECT_MAP "    instances: [ { materials: { relief: { "
                                               "normal_scale: 0.25 } } } ]\n")),
                 object);
    const uint64_t plain = hash_of_text(SHOWN(""));
    cr_expect_neq(object, plain);
    cr_expect_neq(hash_of_text(SHOWN("    materials: { relief: { normal_scale: 0.25 } }\n")),
                  plain);
}

/// Maps of one size are sampled together; one that a scene replaces leaves the others.
Test(materials, each_of_several_packed_maps_can_be_replaced)
{
    static const char *const keys[] = {"", "base_color_map: none", "metallic_roughness_map: none",
                                       "normal_map: none",
                                       "base_color_map: none, normal_map: none"};
    uint64_t hash[5];
    for (int i = 0; i < 5; i++) {
        PRINTED(text, 512,
                "preset: flat\noutput: { size: [48, 48] }\nmodels:\n  - file: " HERE
                "pavement.glb\n    materials: { slabs: { %s } }\n",
                keys[i]);
        hash[i] = hash_of_text(text);
        for (int k = 0; k < i; k++)
            cr_expect_neq(hash[i], hash[k], "%s changes nothing", keys[i]);
    }
}

/// The older form of reflectance with a map of glossiness: a scene's roughness replaces both.
Test(materials, roughness_of_a_scene_goes_over_a_glossiness_map, .init = test_folder_make,
     .fini = test_folder_remove)
{
    // A triangle and a 2 x 1 picture, red and half transparent green: alpha is glossiness.
    const char *gltf = test_folder_glb(
        "glossy.glb",
        "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0]}],'nodes':"
        "[{'mesh':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':0,"
        "'TEXCOORD_0':1},'material':0}]}],'accessors':[<0 float VEC3 3,'min':[0,0,0],'max':[1,1,"
        "0]>,<1 float VEC2 3>],'bufferViews':[<36>,<4+24>],'buffers':[{'byteLength':36,"
        "'uri':'data:;base64,"
        "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA'}],'images':[{'uri':"
        "'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAD0lE"
        "QVR4nGP4z8DwHwgbABB5A359Y87XAAAAAElFTkSuQmCC'}],'textures':[{'source':0}],"
        "'materials':[{'name':'glossy','extensions':{"
        "'KHR_materials_pbrSpecularGlossiness':{'specularFactor':[1,1,1],"
        "'glossinessFactor':0.8,'specularGlossinessTexture':{'index':0}}}}]}",
        NULL, 0);
    uint64_t hash[5];
    static const char *const changes[5] = {"{}", "{ roughness: 0.2 }", "{ roughness: 0.9 }",
                                           "{ base_color: [1, 1, 1] }", "{ roughness: 0.9 }"};
    for (int i = 0; i < 5; i++) {
        PRINTED(text, 1024,
                "output: { size: [48, 48] }\nmodels:\n  - file: %s\n    materials: { "
                "glossy: %s }\n",
                gltf, changes[i]);
        hash[i] = hash_of_text(text);
    }
    cr_expect_eq(hash[3], hash[0]);
    cr_expect_neq(hash[1], hash[0]);
    cr_expect_neq(hash[2], hash[1]);
    cr_expect_eq(hash[4], hash[2]);
}

/// A triangle whose coordinates span `u` and `v` pictures.
static bool repeats(float u, float v, float scale)
{
    const meshlet one = {.vertex_count = 3, .triangle_count = 1};
    const uint32_t vertex[3] = {0, 1, 2};
    const vertex_attributes corner[3] = {{.u = 0.3f}, {.u = 0.3f + u}, {.u = 0.3f, .v = v}};
    const model_mesh mesh = {
        .meshlet_count = 1, .meshlets = &one, .meshlet_vertex = vertex, .attributes = corner};
    model_material material = {
        .occlusion_map = {.transformed = scale != 1.0f, .uv_from_uv = {scale, 0, 0, 0, scale, 0}}};
    zt_model model = {
        .mesh_count = 1, .meshes = &mesh, .material_count = 1, .materials = &material};
    cr_assert_eq(model_find_repeated_maps(&model, &scene.arena, &err), ZT_OK);
    return material.occlusion_repeats;
}

Test(materials, occlusion_maps_that_repeat)
{
    cr_expect(!repeats(1.0f, 1.0f, 1.0f) && !repeats(0.5f, 1.005f, 1.0f));
    cr_expect(repeats(0.5f, 1.5f, 1.0f) && repeats(4.0f, 0.5f, 1.0f));
    cr_expect(repeats(0.5f, 0.5f, 3.0f) && !repeats(0.5f, 0.5f, 2.0f));
}
