// SPDX-License-Identifier: MIT
/// The public calls about models: arguments, formats by content, and the real .m3d files, which
/// need the asset folder (ZT_ASSETS, or ../shared/assets next to the source).
#include "asset_files.h"
#include "counted_memory.h"
#include "load/load.h"
#include "model/model.h"

static zt_model *model;
static zt_error err;
static heard said;

static void setup(void)
{
    model = NULL;
    memset(&err, 0, sizeof err);
    said = (heard){0};
}

static void teardown(void) { zt_model_destroy(model); }

TestSuite(model, .init = setup, .fini = teardown);

static zt_result load(const char *path)
{
    zt_load_def def = zt_default_load_def();
    def.message = hear;
    def.message_user = &said;
    zt_model_destroy(model);
    return zt_model_load(path, &def, &model, &err);
}

/// False where the collection is absent.
static bool load_asset(const char *name)
{
    const char *path = asset_file(name);
    if (path)
        cr_assert_eq(load(path), ZT_OK, "%s", err.message);
    return path != NULL;
}

Test(model, arguments_are_checked)
{
    const zt_load_def def = zt_default_load_def();
    const zt_load_def raw = {0};
    cr_assert_eq(zt_model_load(NULL, &def, &model, &err), ZT_ERR_ARGUMENT);
    cr_assert_eq(zt_model_load("x.m3d", NULL, &model, &err), ZT_ERR_ARGUMENT);
    cr_assert_eq(zt_model_load("x.m3d", &def, NULL, &err), ZT_ERR_ARGUMENT);
    cr_assert_eq(zt_model_load("x.m3d", &raw, &model, &err), ZT_ERR_ARGUMENT);
    cr_assert_not_null(strstr(err.message, "zt_default_load_def"), "%s", err.message);
    cr_assert_eq(zt_model_load("x.m3d", &raw, &model, NULL), ZT_ERR_ARGUMENT);
    zt_model_destroy(NULL);
}

Test(model, a_missing_file_is_an_input_error)
{
    static zt_model stale; // the pointer must be cleared
    model = &stale;
    const zt_load_def def = zt_default_load_def();
    cr_assert_eq(zt_model_load("no/such/file.m3d", &def, &model, &err), ZT_ERR_INPUT);
    cr_assert_null(model);
    cr_assert_not_null(strstr(err.message, "no/such/file.m3d"), "%s", err.message);
}

Test(model, no_clip_has_no_name_and_no_length)
{
    double start = 1.0, end = 1.0;
    zt_model_clip_range(NULL, 0, &start, &end);
    cr_assert(start == 0.0 && end == 0.0);
    zt_model_clip_range(NULL, 0, NULL, NULL);
    cr_assert_null(zt_model_clip_name(NULL, 0));
    cr_assert_eq(zt_model_clip_count(NULL), 0);
}

/// Reads bytes as a file of that name.
static zt_result read_as(const char *path, const void *bytes, size_t size)
{
    OWN_MEMORY(scratch, (uint64_t)64 << 20);
    zt_model into = {0};
    arena_init(&into.arena, &scratch_budget);
    OWN_BLOCK uint8_t *copy = malloc(size + 1);
    memcpy(copy, bytes, size);
    copy[size] = 0;
    const model_source source = {
        .path = path, .root_length = path_folder_length(path), .bytes = {copy, size}};
    const zt_result r = model_read(&source, &into, &scratch, &err);
    arena_finish(&into.arena);
    return r;
}

Test(model, other_formats_are_named)
{
    static const struct {
        const char *path, *bytes, *message;
        size_t size;
        zt_result expected;
    } cases[] = {
        {"a.m3d", "3DMO\x10\0\0\0", "binary Model 3D", 8, ZT_ERR_UNSUPPORTED},
        {"a.m3d", "IDPO\6\0\0\0", "Quake model", 8, ZT_ERR_UNSUPPORTED},
        {"a.m3d", "IDP2\6\0\0\0", "Quake II", 8, ZT_ERR_UNSUPPORTED},
        {"a.m3d", "\x1F\x8B\x08", "gzip", 3, ZT_ERR_UNSUPPORTED},
        {"a.glb", "PK\3\4", "ZIP", 4, ZT_ERR_UNSUPPORTED},
        {"a.glb", "Kaydara FBX Binary", "cut off inside its header", 18, ZT_ERR_FORMAT},
        {"a.m3d", "# a shopping list", "m3d-File-Header", 17, ZT_ERR_FORMAT},
        {"a.gltf", "[]", "JSON object", 2, ZT_ERR_FORMAT},
        {"a.glb", "gltf", "'glTF'", 4, ZT_ERR_FORMAT},
        {"a.bin", "\0\1\2\3", "a glTF, an .m3d, a PLY, an STL, an FBX, a .x, a 3MF or an OBJ", 4,
         ZT_ERR_FORMAT},
        {"a.m3d", "", "the file is empty", 0, ZT_ERR_FORMAT},
        {"a.stl", "\xFF\xFEs\0o\0", "this text is UTF-16", 6, ZT_ERR_FORMAT},
        {"a.obj", "\xFE\xFF\0v", "this text is UTF-16", 4, ZT_ERR_FORMAT},
        {"a.gltf", " \n\t ", "the file is empty", 4, ZT_ERR_FORMAT},
        {"a.fbx", "\xEF\xBB\xBF; FBX 7.5.0 project file\n}",
         "no FBXHeaderExtension: this is no FBX file", 28, ZT_ERR_FORMAT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_assert_eq(read_as(cases[i].path, cases[i].bytes, cases[i].size), cases[i].expected);
        cr_assert_not_null(strstr(err.message, cases[i].message), "%s", err.message);
        cr_assert_eq(strncmp(err.message, cases[i].path, strlen(cases[i].path)), 0);
    }
}

Test(model, content_decides_not_the_extension)
{
    // Both readers say where they stopped: only the right one can.
    static const char m3d[] = "\xEF\xBB\xBF \n***m3d-File-Header*** #Materials x";
    cr_assert_eq(read_as("a.gltf", m3d, sizeof m3d - 1), ZT_ERR_FORMAT);
    cr_assert_not_null(strstr(err.message, "#Materials"), "%s", err.message);
    static const char stl[] = "\xEF\xBB\xBFsolid\nendsolid\n";
    cr_expect_eq(read_as("a.stl", stl, sizeof stl - 1), ZT_OK, "%s", err.message);
    static const char binary[84 + 50] = {'\xFF', '\xFE', [80] = 1};
    cr_expect_eq(read_as("a.stl", binary, sizeof binary), ZT_OK, "%s", err.message);
}

Test(model, the_soldier_loads_whole)
{
    if (!load_asset("m3d/soldier.m3d"))
        return;
    cr_assert_eq(model->vertex_count, 13748);
    cr_assert_eq(model->triangle_count, 22507);
    cr_assert_eq(model->material_count, 5);
    cr_assert_eq(model->skins[0].joint_count, 58);
    cr_assert_eq(model->node_count, 59);
    cr_assert_eq(zt_model_clip_count(model), 1);
    cr_assert_str_eq(zt_model_clip_name(model, 0), "Take1");
    cr_assert_null(zt_model_clip_name(model, 1));
    double start, end;
    zt_model_clip_range(model, 0, &start, &end);
    cr_assert(start == 0.0 && end == 1.25);
    // It stands upright: from the feet at about 0 to the head, taller than it is wide.
    const model_mesh *mesh = &model->meshes[0];
    float size[3];
    for (int k = 0; k < 3; k++)
        size[k] = mesh->bounds_max[k] - mesh->bounds_min[k];
    cr_assert(size[1] > size[0] && size[1] > size[2]);
    cr_assert(mesh->bounds_min[1] > -5.0f && mesh->bounds_max[1] > 70.0f);
}

Test(model, the_soldier_shares_its_textures)
{
    if (!load_asset("m3d/soldier.m3d"))
        return;
    cr_assert_eq(model->texture_count, 8, "%u textures, %s", model->texture_count, said.all);
    cr_assert_eq(model->materials[3].base_map.texture, model->materials[4].base_map.texture);
    cr_assert_eq(model->materials[3].normal_map.texture, model->materials[4].normal_map.texture);
    for (uint32_t i = 0; i < model->material_count; i++) {
        const model_texture *color = &model->textures[model->materials[i].base_map.texture];
        const model_texture *normal = &model->textures[model->materials[i].normal_map.texture];
        cr_assert(color->mipmap.format == MIPMAP_U15 && !color->two_channel);
        cr_assert(normal->mipmap.format == MIPMAP_U8 && normal->two_channel, "BC5");
        cr_assert_eq(color->mipmap.wrap_u, MIPMAP_REPEAT);
        cr_assert_gt(color->mipmap.level_count, 1);
    }
}

/// Every front is on the side of its normals, but for a few that the artist left reversed.
static double agreeing_triangles(const model_mesh *mesh)
{
    uint64_t agree = 0;
    for (uint32_t i = 0; i < mesh->meshlet_count; i++) {
        const meshlet *let = &mesh->meshlets[i];
        for (uint32_t t = let->triangle_first; t < let->triangle_first + let->triangle_count; t++) {
            const vertex_position *p[3];
            float n[3] = {0, 0, 0};
            for (int k = 0; k < 3; k++) {
                const uint32_t v =
                    mesh->meshlet_vertex[let->vertex_first + mesh->meshlet_corner[k][t]];
                p[k] = &mesh->position[v];
                n[0] += mesh->attributes[v].nx;
                n[1] += mesh->attributes[v].ny;
                n[2] += mesh->attributes[v].nz;
            }
            const float a[3] = {p[1]->x - p[0]->x, p[1]->y - p[0]->y, p[1]->z - p[0]->z};
            const float b[3] = {p[2]->x - p[0]->x, p[2]->y - p[0]->y, p[2]->z - p[0]->z};
            agree += (a[1] * b[2] - a[2] * b[1]) * n[0] + (a[2] * b[0] - a[0] * b[2]) * n[1] +
                         (a[0] * b[1] - a[1] * b[0]) * n[2] >
                     0.0f;
        }
    }
    return (double)agree / (double)mesh->triangle_count;
}

/// world_from_node at rest, or with the first key of each bone in the first clip.
static void pose_nodes(mat4 *world, bool first_key)
{
    for (uint32_t i = 0; i < model->node_count; i++) {
        const model_node *node = &model->nodes[i];
        trs x = node->rest;
        if (first_key && i < model->skins[0].joint_count) {
            const model_channel *c = &model->clips[0].channels[3 * i];
            memcpy(x.t, c[0].value, sizeof x.t);
            memcpy(x.r, c[1].value, sizeof x.r);
            memcpy(x.s, c[2].value, sizeof x.s);
        }
        mat4 local;
        trs_to_mat4(&x, local);
        if (node->parent >= 0)
            glm_mat4_mul(world[node->parent], local, world[i]);
        else
            glm_mat4_copy(local, world[i]);
    }
}

Test(model, the_soldier_rests_in_its_bind_pose_and_is_posed_by_its_clip)
{
    if (!load_asset("m3d/soldier.m3d"))
        return;
    cr_assert_gt(agreeing_triangles(&model->meshes[0]), 0.99);
    static mat4 world[64];
    const model_skin *skin = &model->skins[0];
    const model_mesh *mesh = &model->meshes[0];
    for (int posed = 0; posed < 2; posed++) {
        pose_nodes(world, posed);
        float low = 1e9f, high = -1e9f, moved = 0.0f;
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            vec4 p = {mesh->position[v].x, mesh->position[v].y, mesh->position[v].z, 1.0f};
            vec4 sum = {0, 0, 0, 0};
            for (int k = 0; k < 4; k++) {
                const uint32_t j = mesh->joints[v].joint[k];
                mat4 offset, world_from_bind;
                vec4 q;
                if (mesh->weights[v].weight[k] == 0.0f)
                    continue;
                memcpy(offset, skin->joint_from_bind[j], sizeof offset);
                glm_mat4_mul(world[j], offset, world_from_bind);
                glm_mat4_mulv(world_from_bind, p, q);
                for (int i = 0; i < 4; i++)
                    sum[i] += mesh->weights[v].weight[k] * q[i];
            }
            low = sum[1] < low ? sum[1] : low;
            high = sum[1] > high ? sum[1] : high;
            const float d = fabsf(sum[0] - p[0]) + fabsf(sum[1] - p[1]) + fabsf(sum[2] - p[2]);
            moved = d > moved ? d : moved;
        }
        // At rest nothing moves but by rounding; in the clip limbs do, and the height stays.
        if (posed)
            cr_assert(moved > 5.0f && high - low > 55.0f && high - low < 85.0f, "%g, %g to %g",
                      (double)moved, (double)low, (double)high);
        else
            cr_assert_lt(moved, 2e-3f, "%g", (double)moved);
    }
}

Test(model, tiny_and_bouncer_load)
{
    if (load_asset("m3d/tiny.m3d"))
        cr_assert(model->vertex_count == 3 && model->triangle_count == 1);
    if (load_asset("m3d/bouncer.m3d")) {
        cr_assert(model->vertex_count == 528 && model->triangle_count == 512);
        cr_assert_eq(zt_model_clip_count(model), 4);
        cr_assert_str_eq(zt_model_clip_name(model, 1), "Bouncer_Idle");
        cr_assert_gt(agreeing_triangles(&model->meshes[0]), 0.99);
    }
}

Test(model, invalid_m3d_files_fail_or_warn_as_documented)
{
    static const struct {
        const char *name;
        zt_result result;
    } files[] = {
        {"binary_garbage.m3d", ZT_ERR_FORMAT},       {"bone_index_negative.m3d", ZT_ERR_FORMAT},
        {"huge_vertex_count.m3d", ZT_ERR_FORMAT},    {"long_token.m3d", ZT_OK},
        {"parent_oob.m3d", ZT_ERR_FORMAT},           {"singular_offset.m3d", ZT_OK},
        {"subset_vertex_oob.m3d", ZT_ERR_FORMAT},    {"too_few_vertices.m3d", ZT_ERR_FORMAT},
        {"truncated_mid_vertex.m3d", ZT_ERR_FORMAT}, {"zero_keyframes.m3d", ZT_ERR_FORMAT},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        PRINTED(name, 128, "invalid/m3d/%s", files[i].name);
        const char *path = asset_file(name);
        if (!path)
            continue;
        teardown();
        setup();
        cr_assert_eq(load(path), files[i].result, "%s: %s", name, err.message);
        cr_assert((err.message[0] == 0) == (files[i].result == ZT_OK));
        cr_assert_null(strchr(err.message, '\n'));
        if (strcmp(files[i].name, "singular_offset.m3d") == 0)
            cr_assert_not_null(strstr(said.all, "no inverse"), "%s", said.all);
    }
}

Test(model, gives_all_memory_back_to_the_allocator)
{
    counted_memory memory;
    const zt_allocator allocator = counted_allocator(&memory);
    static const char *const names[] = {"m3d/tiny.m3d", "invalid/m3d/zero_keyframes.m3d",
                                        "m3d/bouncer.m3d"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *path = asset_file(names[i]);
        if (!path)
            continue;
        zt_load_def def = zt_default_load_def();
        def.allocator = &allocator;
        (void)zt_model_load(path, &def, &model, &err);
        zt_model_destroy(model);
        model = NULL;
        cr_assert_eq(memory.bytes, 0, "%s: %d bytes", names[i], (int)memory.bytes);
    }
}

Test(model, a_memory_limit_is_kept)
{
    const char *path = asset_file("m3d/soldier.m3d");
    if (!path)
        return;
    for (uint64_t limit = 1 << 16; limit < (uint64_t)8 << 20; limit *= 2) {
        zt_load_def def = zt_default_load_def();
        def.max_memory = limit;
        cr_assert_eq(zt_model_load(path, &def, &model, &err), ZT_ERR_LIMIT);
        cr_assert_null(model);
    }
}
