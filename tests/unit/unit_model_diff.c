// SPDX-License-Identifier: MIT
/// Edits of models of scenes/models: each is named, and nothing else is.

#include "diff/model_diff.h"
#include "test_folder.h"
#include "testing.h"

#define MODELS ZT_SOURCE_DIR "/scenes/models/"

TestSuite(model_diff, .init = test_folder_make, .fini = test_folder_remove_all, .timeout = 300);

/// A step from a struct to an element of one of its arrays.
typedef struct step {
    size_t offset, size, index;
} step;

/// A member at the end of a way becomes something else, or `change` edits the model.
typedef struct edit {
    const char *file, *expected, *also; ///< parts of the lines "kind/name: text" that are listed
    step way[3];                        ///< from the model; the first without a size ends it
    size_t member;                      ///< offset
    float add;
    const char *text; ///< of a name; NULL: `add` is added to a float, or
    int32_t whole;    ///< unless that is 0 this to an int
    void (*change)(zt_model *m, uint32_t i);
    uint32_t i;
    bool copied; ///< the member counts the list of the way, which gets a copy called `text`
    bool strict;
} edit;

#define EDITED(type, list, i) ((type *)(uintptr_t)&m->list[i])

static zt_scene *open_model(const char *path)
{
    zt_load_def load = zt_default_load_def();
    zt_scene *scene = NULL;
    zt_error err;
    load.picture_side = -1;
    MUST(zt_scene_load(path, &load, &scene, &err), err);
    zt_model *m = scene->models[0]; // its first node gets what few files have
    model_camera *camera = ARENA_ARRAY(&m->arena, model_camera, 1);
    model_light *light = ARENA_ARRAY(&m->arena, model_light, 1);
    *camera = (model_camera){.name = "eye", .fov_y_rad = 0.5f, .near_m = 0.1f};
    *light = (model_light){.name = "lamp", .kind = MODEL_LIGHT_POINT, .intensity = 10.0f};
    m->cameras = camera;
    m->lights = light;
    m->camera_count = m->light_count = 1;
    EDITED(model_node, nodes, 0)->camera = EDITED(model_node, nodes, 0)->light = 0;
    EDITED(model_node, nodes, 0)->morph_weights = ARENA_ARRAY(&m->arena, float, 64);
    return scene;
}

/// All vertices at the place of the first, so that nothing tears.
static void move_vertex(zt_model *m, uint32_t i)
{
    vertex_position *p = (vertex_position *)(uintptr_t)m->meshes[i].position, was = p[0];
    for (uint32_t v = 0; v < m->meshes[i].vertex_count; v++)
        p[v].x += memcmp(&p[v], &was, sizeof was) == 0 ? 0.02f : 0.0f;
}

static void lose_triangle(zt_model *m, uint32_t i)
{
    const model_mesh *mesh = &m->meshes[i];
    ((meshlet *)(uintptr_t)&mesh->meshlets[mesh->meshlet_count - 1])->triangle_count--;
    EDITED(model_mesh, meshes, i)->triangle_count--;
}

static void turn_short(zt_model *m, uint32_t i)
{
    static const float time_s[] = {0.0f, 1e-3f, 2e-3f, 1.5f, 2.0f};
    EDITED(model_channel, clips[0].channels, i)->time_s = time_s;
    *EDITED(float, clips[0].channels[i].value, 4) = 1.0f;
}

static void swap(const void *a, const void *b, size_t size)
{
    char *x = (char *)(uintptr_t)a, *y = (char *)(uintptr_t)b;
    for (size_t i = 0; i < size; i++) {
        const char was = x[i];
        x[i] = y[i];
        y[i] = was;
    }
}

/// Materials 0 and 2 get another map.
static void exchange_maps(zt_model *m, uint32_t i)
{
    for (uint32_t k = 0; k < 3; k += 2)
        EDITED(model_material, materials, k)->base_map.texture = (int32_t)i;
}

/// Two vertices at one place exchange what they look like.
static void swap_looks(zt_model *m, uint32_t i)
{
    const model_mesh *mesh = &m->meshes[i];
    uint32_t v = 1;
    while (memcmp(&mesh->position[v], mesh->position, sizeof *mesh->position) != 0)
        v++;
    swap(&mesh->attributes[0], &mesh->attributes[v], sizeof *mesh->attributes);
}

// ---- What changes nothing -----------------------------------------------------------------------

/// Meshlets and the triangles in them the other way round, and another corner first.
static void reorder_triangles(zt_model *m, uint32_t unused)
{
    (void)unused;
    for (uint32_t i = 0; i < m->mesh_count; i++) {
        const model_mesh *mesh = &m->meshes[i];
        const uint8_t *const *corner = mesh->meshlet_corner;
        swap(&corner[0], &corner[1], sizeof *corner);
        swap(&corner[1], &corner[2], sizeof *corner);
        for (const meshlet *let = mesh->meshlets; let < mesh->meshlets + mesh->meshlet_count; let++)
            for (uint32_t t = 0; t < 3u * (let->triangle_count / 2); t++) {
                const uint8_t *first = corner[t % 3] + let->triangle_first;
                swap(first + t / 3, first + let->triangle_count - 1 - t / 3, 1);
            }
        swap(&mesh->meshlets[0], &mesh->meshlets[mesh->meshlet_count - 1], sizeof(meshlet));
    }
}

/// Two materials, which may have one name, change their places in the list.
static void permute_materials(zt_model *m, uint32_t i)
{
    swap(&m->materials[0], &m->materials[i], sizeof *m->materials);
    for (uint32_t k = 0; k < m->mesh_count; k++)
        for (uint32_t n = 0; n < m->meshes[k].meshlet_count; n++) {
            meshlet *let = EDITED(meshlet, meshes[k].meshlets, n);
            let->material = let->material == 0 ? i : let->material == i ? 0 : let->material;
        }
}

/// Vertices 0 and 5 of a mesh without skin change their places in the list.
static void permute_vertices(zt_model *m, uint32_t i)
{
    const model_mesh *mesh = &m->meshes[i];
    const meshlet *last = &mesh->meshlets[mesh->meshlet_count - 1];
    swap(&mesh->position[0], &mesh->position[5], sizeof *mesh->position);
    swap(&mesh->attributes[0], &mesh->attributes[5], sizeof *mesh->attributes);
    for (uint32_t k = 0; k < last->vertex_first + last->vertex_count; k++) {
        uint32_t *v = EDITED(uint32_t, meshes[i].meshlet_vertex, k);
        *v = *v == 0 ? 5 : *v == 5 ? 0 : *v;
    }
}

static void round_numbers(zt_model *m, uint32_t i)
{
    for (uint32_t v = 0; v < m->meshes[i].vertex_count; v++) {
        EDITED(vertex_position, meshes[i].position, v)->y += v % 2 ? 1e-7f : -1e-7f;
        EDITED(vertex_attributes, meshes[i].attributes, v)->nx += 1e-3f;
    }
}

/// A node is elsewhere, and its vertices make up for it.
static void carry_node(zt_model *m, uint32_t i)
{
    const model_mesh *mesh = &m->meshes[m->nodes[i].mesh];
    EDITED(model_node, nodes, i)->rest.t[0] += 0.5f;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        ((vertex_position *)(uintptr_t)mesh->position)[v].x -= 0.5f;
}

// clang-format off
#define STEP(type, list_, i)   {offsetof(type, list_), sizeof *((type *)NULL)->list_, i}
#define OF(list, i)            {STEP(zt_model, list, i)}
#define IN_MESH(i, list, k)    {STEP(zt_model, meshes, i), STEP(model_mesh, list, k)}
#define M(file_, i, member_, by, expected_) {.file = file_, .way = OF(materials, i), .member = offsetof(model_material, member_), .add = by, .expected = expected_}
#define N(file_, i, member_, by, expected_) {.file = file_, .way = OF(nodes, i), .member = offsetof(model_node, member_), .add = by, .expected = expected_}
#define V(file_, i, list, type, member_, by, expected_) {.file = file_, .way = IN_MESH(i, list, 3), .member = offsetof(type, member_), .add = by, .expected = expected_}
#define COUNT(file_, member_, expected_) {.file = file_, .member = offsetof(zt_model, member_), .whole = -1, .expected = expected_}
#define KEY(file_, channel, k, expected_) {.file = file_, .way = {STEP(zt_model, clips, 0), STEP(model_clip, channels, channel), STEP(model_channel, value, k)}, .add = 0.4f, .expected = expected_}
#define NAMED(file_, list, type, i, text_, expected_) {.file = file_, .way = OF(list, i), .member = offsetof(type, name), .text = text_, .expected = expected_}
#define COPY(file_, list, counted, i, text_, expected_) {.file = file_, .way = OF(list, i), .member = offsetof(zt_model, counted), .copied = true, .text = text_, .expected = expected_}
#define DO(file_, change_, i_, expected_) {.file = file_, .change = change_, .i = i_, .expected = expected_}
#define TEXEL offsetof(model_texture, mipmap.level[0].texels)

static const edit edits[] = {
    M("walker.glb", 0, roughness, -0.5f, "material/suit: roughness 0.8 -> 0.3\n"),
    M("walker.m3d", 3, emissive[1], 2.0f, "material/visor: emissive 0 0 0 -> 0 2 0\n"),
    M("materials.glb", 7, base_color[2], 0.25f, "material/sphere: base_color 0.9 0.55 0.25 1 -> 0.9 0.55 0.5 1"),
    M("transmission.glb", 2, extensions.transmission, 0.3f, "material/post: transmissionFactor 0 -> 0.3\n"),
    M("still_life.glb", 1, extensions.clearcoat, 0.5f, "material/gold: clearcoatFactor 0 -> 0.5\n"),
    M("puppet.vrm", 0, extensions.toon.shading_toony, -0.2f, "material/skin: shadingToonyFactor"),
    M("still_life.glb", 1, extensions.clearcoat_normal_scale, 0.5f, "material/gold: clearcoatNormalScale 1 -> 1.5\n"),
    {.file = "puppet.vrm", .way = OF(materials, 0), .member = offsetof(model_material, extensions.toon.outline), .whole = 1, .expected = "material/skin: outline "},
    M("walker.glb", 2, base_map.offset[0], 0.25f, "material/shell: base_color map offset 0 0 -> 0.25 0\n"),
    {.file = "critter.glb", .way = OF(materials, 1), .member = offsetof(model_material, alpha), .whole = 2, .expected = "material/eye: alpha opaque -> blend\n"},
    {.file = "vertex_colors.glb", .way = OF(materials, 1), .member = offsetof(model_material, base_map.texture), .whole = -1, .expected = "material/second_uv: base_color map is gone\n"},
    COPY("figure.glb", materials, material_count, 0, "Gold.001", "material/Gold.001: only in the new model\n"),
    {.file = "still_life.glb", .member = offsetof(zt_model, material_count), .whole = -1, .expected = "mesh/backdrop: materials of", .also = "material/backdrop: only in the old model"},
    NAMED("face.glb", materials, model_material, 1, "iris", "material/iris: renamed from 'eye'\n"),
    NAMED("walker.glb", clips, model_clip, 1, "pace", "clip/pace: renamed from '"),
    {.file = "strider.glb", .way = IN_MESH(0, meshlets, 0), .member = offsetof(meshlet, material), .whole = 2, .expected = "mesh/body: materials of"},
    {.file = "vertex_colors.glb", .way = {STEP(zt_model, textures, 0), {TEXEL, 1, 8}}, .whole = 99, .expected = "texture/checker: base_color map of 'second_uv'; 1 of 16 x 16 texels"},
    {.file = "pavement.glb", .way = {STEP(zt_model, textures, 1), {TEXEL, 1, 8}}, .whole = 99, .expected = "texture/metal_rough: metal_rough map of 'slabs'; 1 of"},
    {.file = "puppet.vrm", .way = {STEP(zt_model, textures, 2), {TEXEL, 1, 8}}, .whole = 99, .expected = "texture/ball: matcapTexture of 'shoe'; 1 of"},
    {.file = "vertex_colors.glb", .way = OF(textures, 0), .member = offsetof(model_texture, mipmap.wrap_u), .whole = 1, .expected = "material/second_uv: base_color map wrap u "},
    DO("walker.glb", exchange_maps, 1, "texture/normal: base_color map of 'suit'; "),
    N("strider.glb", 2, rest.t[0], 1.5f, "node/thigh_l: moved by 1.5\n"),
    N("robot_arm.glb", 3, rest.s[0], 1.0f, "node/elbow: scale 1 1 1 -> 2 1 1"),
    N("figure.glb", 4, rest.r[0], 0.75f, "node/lower_arm_l: rotation"),
    {.file = "weights.glb", .way = OF(nodes, 12), .member = offsetof(model_node, parent), .whole = 11, .expected = "node/bone_3_0: under 'bone_2_4', was under 'columns'; moved by "},
    N("robot_arm.glb", 6, shown, -1.0f, "node/finger_r: now hidden\n"),
    {.file = "door.glb", .way = OF(nodes, 1), .member = offsetof(model_node, in_scene), .whole = -1, .expected = "node/leaf: now hidden\n"},
    {.file = "face.glb", .way = {STEP(zt_model, nodes, 0), STEP(model_node, morph_weights, 2)}, .add = 0.5f, .expected = "node/face: weight of 'jaw' 0 -> 0.5\n"},
    NAMED("walker.glb", nodes, model_node, 9, "arm", "node/arm: renamed from 'upper_arm_l'\n"),
    NAMED("strider.glb", nodes, model_node, 1, "arm", "node/arm: renamed from 'body'\n"),
    NAMED("strider.glb", meshes, model_mesh, 0, "hull", "mesh/hull: renamed from 'body'\n"),
    {.file = "still_life.glb", .way = OF(nodes, 4), .member = offsetof(model_node, mesh), .whole = -5, .expected = "mesh/king: only in the old model\n"},
    COUNT("door.glb", node_count, "node/handle: only in the old model\n"),
    DO("figure.glb", move_vertex, 2, "mesh/head: 1 of 728 vertices moved; by up to 0.02\n"),
    DO("walker.glb", move_vertex, 0, "mesh/body: 1 of"),
    DO("door.glb", move_vertex, 1, "mesh/leaf: 1 of 8 vertices moved; by up to 0.02\n"),
    DO("door.glb", swap_looks, 1, "mesh/leaf: normals of 1 vertices"),
    DO("transmission.glb", lose_triangle, 5, "mesh/sample: vertices: 0 gone, 0 new; triangles: "),
    V("face.glb", 0, attributes, vertex_attributes, ny, -9.0f, "mesh/face: normals of"),
    V("walker.m3d", 0, attributes, vertex_attributes, ny, 9.0f, "mesh/mesh: normals of"),
    V("mirrored_instance.glb", 0, attributes, vertex_attributes, nx, 9.0f, "mesh/normal: normals of"),
    V("walker.glb", 0, attributes, vertex_attributes, u, 0.01f, "mesh/body: texture coordinates of"),
    V("vertex_colors.glb", 0, extra, vertex_extra, r, 0.1f, "mesh/quads: colours of"),
    V("critter.glb", 1, extra, vertex_extra, b, 0.1f, "mesh/strands: colours of"),
    V("weights.glb", 0, weights, vertex_weights, weight[1], 0.1f, "mesh/skin: joints, weights or bind matrices of"),
    V("critter.glb", 1, weights, vertex_weights, weight[1], 0.1f, "mesh/strands: joints, weights or bind matrices of"),
    {.file = "walker.glb", .way = {STEP(zt_model, skins, 0), STEP(model_skin, joint_from_bind, 10)}, .member = 13 * sizeof(float), .add = 0.1f, .expected = "mesh/body: joints, weights or bind matrices of"},
    {.file = "face.glb", .way = {STEP(zt_model, meshes, 0), STEP(model_mesh, morphs, 0), STEP(model_morph, target.position.delta, 1)}, .add = 0.05f, .expected = "morph/smile: 1 vertices move otherwise, by up to 0.05\n"},
    {.file = "puppet.vrm", .way = {STEP(zt_model, meshes, 1), STEP(model_mesh, morphs, 0), STEP(model_morph, target.position.delta, 1)}, .add = 0.05f, .expected = "morph/mouth: 1 vertices move otherwise, by up to 0.05\n"},
    {.file = "face.glb", .way = IN_MESH(0, morphs, 2), .member = offsetof(model_morph, weight), .add = 0.5f, .expected = "morph/jaw: weight 0 -> 0.5\n"},
    {.file = "face.glb", .way = OF(meshes, 0), .member = offsetof(model_mesh, morph_count), .whole = -1, .expected = "morph/blush: only in the old model\n"},
    KEY("walker.glb", 2, 40, "clip/idle: other motion, most of 'spine1' at"),
    KEY("robot_arm.glb", 1, 4, "clip/work: other motion"),
    DO("weights.glb", turn_short, 0, "clip/bend: other motion, most of '"),
    {.file = "pulse.glb", .way = {STEP(zt_model, clips, 0), STEP(model_clip, property_channels, 1), STEP(model_property_channel, keys.value, 1)}, .add = 0.3f, .expected = "clip/pulse: other values of moved properties\n"},
    KEY("walker.m3d", 5, 40, "clip/idle: other motion, most of 'Bone1'"),
    COUNT("strider.glb", clip_count, "clip/march: only in the old model\n"),
    COPY("critter.glb", clips, clip_count, 0, "encore", "clip/encore: only in the new model\n"),
    {.file = "weights.glb", .way = OF(clips, 0), .member = offsetof(model_clip, end_s), .add = 0.3f, .expected = "clip/bend: length 2 s -> 2.3 s; 100 -> 100 keys\n"},
    {.file = "figure.glb", .way = OF(cameras, 0), .member = offsetof(model_camera, fov_y_rad), .add = 0.5f, .expected = "camera/eye: fov 28.6479 -> 57.2958\n"},
    {.file = "walker.glb", .way = OF(lights, 0), .member = offsetof(model_light, intensity), .add = 10.0f, .expected = "light/lamp: intensity 10 -> 20\n"},
    {.file = "face.glb", .way = OF(lights, 0), .member = offsetof(model_light, range_m), .add = 5.0f, .expected = "light/lamp: range 0 -> 5\n"},
    {.file = "walker.glb", .way = OF(nodes, 40), .member = offsetof(model_node, name), .text = "other", .strict = true, .expected = "node/other: only in the new model\n", .also = "node/body: only in the old model"},
    DO("walker.glb", reorder_triangles, 0, ""),
    DO("puppet.vrm", reorder_triangles, 0, ""),
    DO("materials.glb", permute_materials, 9, ""),
    DO("materials.glb", permute_vertices, 3, ""),
    DO("figure.glb", permute_vertices, 2, ""),
    DO("face.glb", round_numbers, 0, ""),
    DO("materials.glb", round_numbers, 3, ""),
    DO("door.glb", carry_node, 0, "node/frame: moved by 0.5\n"),
};
// clang-format on

static void apply(const edit *e, zt_model *m)
{
    char *at = (char *)m, *list;
    for (int k = 0; k < 3 && e->way[k].size > 0; k++) {
        memcpy(&at, at + e->way[k].offset, sizeof at);
        at += e->way[k].index * e->way[k].size;
    }
    if (e->copied) {
        uint32_t *count = (uint32_t *)(void *)((char *)m + e->member);
        const size_t size = e->way[0].size;
        list = ARENA_ARRAY(&m->arena, char, (*count + 1) * size);
        memcpy(list, at - e->way[0].index * size, *count * size);
        memcpy(list + *count * size, at, size);
        memcpy(list + *count * size, &e->text, sizeof e->text);
        memcpy((char *)m + e->way[0].offset, &list, sizeof list);
        (*count)++;
        return;
    }
    at += e->member;
    if (e->change)
        e->change(m, e->i);
    else if (e->text)
        memcpy(at, &e->text, sizeof e->text);
    else if (e->whole != 0)
        *(int32_t *)(void *)at += e->whole;
    else if (e->add != 0.0f)
        *(float *)(void *)at += e->add;
}

/// Compares two files, the new one with an edit.
static void expect_changes(const char *old_path, const char *new_path, const edit *e)
{
    zt_scene *scenes[2] = {open_model(old_path), open_model(new_path)};
    char told[20000] = "";
    budget memory;
    arena scratch;
    model_changes changes;
    zt_error err;
    size_t used = 0;
    apply(e, scenes[1]->models[0]);
    budget_init(&memory, 0, NULL);
    arena_init(&scratch, &memory);
    MUST(
        model_diff(scenes[0]->models[0], scenes[1]->models[0], e->strict, &scratch, &changes, &err),
        err);
    for (uint32_t i = 0; i < changes.count && used < sizeof told; i++)
        used += (size_t)snprintf(told + used, sizeof told - used, "%s/%s: %s\n",
                                 changes.list[i].kind, changes.list[i].name, changes.list[i].text);
    cr_expect(strstr(told, e->expected) && strstr(told, e->also ? e->also : ""), "%s: %s: %s",
              old_path, e->expected, told);
    cr_expect_eq(changes.count, (e->expected[0] != '\0') + (e->also != NULL), "%s: %s: %s",
                 old_path, e->expected, told);
    arena_finish(&scratch);
    zt_scene_destroy(scenes[0]);
    zt_scene_destroy(scenes[1]);
}

Test(model_diff, edits_are_named_and_nothing_else)
{
    for (const edit *e = edits; e < edits + sizeof edits / sizeof *edits; e++) {
        PRINTED(path, 512, MODELS "%s", e->file);
        expect_changes(path, path, e);
    }
}

Test(model_diff, files_that_say_the_same_do_not_differ)
{
    static const char *const files[] = {
        "walker.glb",  "figure.glb",       "face.glb",       "materials.glb", "critter.glb",
        "strider.glb", "transmission.glb", "still_life.glb", "puppet.vrm",    "weights.glb"};
    static const char *const formats[] = {"a.glb", "a.gltf"};
    const zt_load_def load = zt_default_load_def();
    zt_error err;
    for (size_t i = 0; i < 2 * sizeof files / sizeof *files; i++) {
        PRINTED(path, 512, MODELS "%s", files[i / 2]);
        PRINTED(same, 600, "%s", test_file(formats[i % 2]));
        MUST(zt_convert(path, same, &load, &err), err);
        expect_changes(path, same, &(edit){.expected = ""});
    }
}
